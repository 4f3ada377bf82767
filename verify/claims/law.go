package claims

import (
	"fmt"
	"math/big"
	"math/bits"
)

// setLaw is the probability distribution of a random set of urns. For each set, given by its mask, it has the number of
// equally likely outcomes that result in the set. These numbers are found by enumerating all outcomes of all batches,
// without any formula.
type setLaw struct {
	m     int
	count []uint64
	total uint64
}

// union returns the distribution of a union: for each size, one random subset of that size is drawn from m urns. Balls
// that fall independently are subsets of size 1. It returns an error beyond 2^62 outcomes or 16 urns.
func union(m int, sizes ...int) (setLaw, error) {
	if m > 16 {
		return setLaw{}, fmt.Errorf("%d urns are too many to enumerate: %w", m, errOutside)
	}
	l := setLaw{m, make([]uint64, 1<<m), 1}
	l.count[0] = 1
	for _, k := range sizes {
		var subsets []int
		for s := range 1 << m {
			if ones(s) == k {
				subsets = append(subsets, s)
			}
		}
		if len(subsets) > 0 && l.total > 1<<62/uint64(len(subsets)) {
			return setLaw{}, fmt.Errorf("too many outcomes: m=%d, sizes %v: %w", m, sizes, errOutside)
		}
		next := make([]uint64, 1<<m)
		for mask, c := range l.count {
			if c == 0 {
				continue
			}
			for _, s := range subsets {
				next[mask|s] += c
			}
		}
		l.count, l.total = next, l.total*uint64(len(subsets))
	}
	return l, nil
}

// intersection returns the distribution of the set of urns that lie in all of several independent random sets.
func intersection(sets ...setLaw) (setLaw, error) {
	l := sets[0]
	for _, s := range sets[1:] {
		if l.total > 1<<62/s.total {
			return setLaw{}, fmt.Errorf("too many outcomes: %w", errOutside)
		}
		next := make([]uint64, 1<<l.m)
		for a, x := range l.count {
			for b, y := range s.count {
				next[a&b] += x * y
			}
		}
		l = setLaw{l.m, next, l.total * s.total}
	}
	return l, nil
}

// repeat returns a list of n sizes, all equal to k.
func repeat(k, n int) []int {
	sizes := make([]int, n)
	for i := range sizes {
		sizes[i] = k
	}
	return sizes
}

// prob returns the probability that the set has the property.
func (l setLaw) prob(has func(mask int) bool) *big.Rat {
	var c uint64
	for mask, n := range l.count {
		if n > 0 && has(mask) {
			c += n
		}
	}
	return l.share(c)
}

// share returns the probability of c of the equally likely outcomes.
func (l setLaw) share(c uint64) *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(c), new(big.Int).SetUint64(l.total))
}

// pmf returns P(X = i) for i = 0 to m, where X is the number of urns in the set.
func (l setLaw) pmf() []*big.Rat {
	out := make([]*big.Rat, l.m+1)
	for i := range out {
		out[i] = l.prob(func(mask int) bool { return ones(mask) == i })
	}
	return out
}

// first returns the probability that the first r urns are all in the set.
func (l setLaw) first(r int) *big.Rat {
	return l.prob(func(mask int) bool { return mask&(1<<r-1) == 1<<r-1 })
}

// mean returns E[f(X)], where P(X = i) = pmf[i].
func mean(pmf []*big.Rat, f func(i int) *big.Rat) *big.Rat {
	return sum(0, len(pmf)-1, func(i int) *big.Rat { return mul(pmf[i], f(i)) })
}

// variance returns the variance of X, where P(X = i) = pmf[i].
func variance(pmf []*big.Rat) *big.Rat {
	mu := mean(pmf, whole)
	return mean(pmf, func(i int) *big.Rat { return pow(sub(whole(i), mu), 2) })
}

// occupied returns P(X = i) for i = 0 to m, where X is the number of urns in a union. The union has one random subset
// of each size. The function adds one subset after another: the number of new urns among the k urns of a subset is
// hypergeometric. It is used where there are too many outcomes to enumerate.
func occupied(m int, sizes ...int) []*big.Rat {
	ways := make([]*big.Int, m+1)
	for i := range ways {
		ways[i] = new(big.Int)
	}
	ways[0].SetInt64(1)
	total := big.NewInt(1)
	var a, b big.Int
	for _, k := range sizes {
		next := make([]*big.Int, m+1)
		for i := range next {
			next[i] = new(big.Int)
		}
		for i, w := range ways {
			if w.Sign() == 0 {
				continue
			}
			for j := max(0, k-i); j <= min(k, m-i); j++ {
				a.Binomial(int64(m-i), int64(j))
				b.Binomial(int64(i), int64(k-j))
				next[i+j].Add(next[i+j], a.Mul(a.Mul(&a, &b), w))
			}
		}
		ways = next
		total.Mul(total, a.Binomial(int64(m), int64(k)))
	}
	out := make([]*big.Rat, m+1)
	for i, w := range ways {
		out[i] = new(big.Rat).SetFrac(w, total)
	}
	return out
}

// standardRate returns E[(X/m)^k], where X is the number of urns that kn balls occupy.
func standardRate(m, n, k int) *big.Rat {
	return mean(occupied(m, repeat(1, k*n)...), func(i int) *big.Rat { return pow(rat(i, m), k) })
}

// classicRate returns E[C(X,k)]/C(m,k), where X is the number of urns in the union of n random k-subsets.
func classicRate(m, n, k int) *big.Rat {
	return quo(mean(occupied(m, repeat(k, n)...), func(i int) *big.Rat { return ichoose(i, k) }), ichoose(m, k))
}

// ones returns the number of urns in a set.
func ones(set int) int { return bits.OnesCount(uint(set)) }
