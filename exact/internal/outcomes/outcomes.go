// Package outcomes enumerates all equally likely outcomes of hashing, for tests of small
// filters.
package outcomes

import (
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
)

// EachShape calls f for every valid geometry with m <= most and k <= m+2.
func EachShape(most int, f func(g bloomproof.Geometry)) {
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic, bloomproof.Partitioned} {
		for m := 1; m <= most; m++ {
			for k := 1; k <= m+2; k++ {
				if g := (bloomproof.Geometry{M: uint64(m), K: k, Hashing: h}); g.Validate() == nil {
					f(g)
				}
			}
		}
	}
}

// Let n batches each hit k of m urns, and let X be the number of occupied urns. Chain returns P[X = i] for all i. It
// adds one batch at a time. The number of occupied urns that the batch hits has a hypergeometric distribution.
func Chain(m, n, k int) []*big.Rat {
	p := make([]*big.Rat, m+1)
	for i := range p {
		p[i] = new(big.Rat)
	}
	p[0].SetInt64(1)
	return ChainFrom(p, n, k)
}

// ChainFrom returns the distribution of the number of occupied urns after n more batches. The argument p is the
// distribution before these batches.
func ChainFrom(p []*big.Rat, n, k int) []*big.Rat {
	m := len(p) - 1
	all := new(big.Rat).SetInt(integer.Binomial(uint64(m), k))
	for range n {
		next := make([]*big.Rat, m+1)
		for i := range next {
			next[i] = new(big.Rat)
		}
		for i, q := range p {
			for d := 0; d <= k && i+d <= m; d++ {
				ways := new(big.Int).Mul(integer.Binomial(uint64(m-i), d), integer.Binomial(uint64(i), k-d))
				t := new(big.Rat).SetInt(ways)
				t.Quo(t, all)
				t.Mul(t, q)
				next[i+d].Add(next[i+d], t)
			}
		}
		p = next
	}
	return p
}

// SliceChain returns the distribution of the number of set bits in k slices. Each slice has s bits and n balls.
func SliceChain(s, n, k int) []*big.Rat {
	slice := Chain(s, n, 1)
	p := []*big.Rat{big.NewRat(1, 1)}
	for range k {
		next := make([]*big.Rat, len(p)+s)
		for i := range next {
			next[i] = new(big.Rat)
		}
		for i, x := range p {
			for j, y := range slice {
				next[i+j].Add(next[i+j], new(big.Rat).Mul(x, y))
			}
		}
		p = next
	}
	return p
}
