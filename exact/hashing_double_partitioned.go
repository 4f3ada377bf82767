package exact

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// With doublePartitioned, an item has a random start a and a random step b, both from 0..s-1. Here s = m/k is the
// number of bits of a slice. The position of the item in slice i is a + ib mod s.
//
// From here on, a denotes the start of an item minus the start of the query. Likewise, b denotes the step of the item
// minus the step of the query. The item hits the position of the query in slice i if a + ib = 0 mod s. The differences
// a and b are uniform for every query, so all queries have the same rate. Let J be a set of slices. Let r be the
// smallest positive number with r b = 0 mod s. Let |J mod r| be the number of different values that the members of J
// have mod r. Let b be given. For |J mod r| values of a, the item hits the query's position in some slice of J. Let q_J
// be the probability that there is no such slice in J. Then
//
//	q_J = 1 - (1/s^2) (s|J| - sum over r of phi(r) (|J| - |J mod r|)).
//
// This sum is over the divisors r of s that are below k. Here phi is Euler's function. For r >= k all members of J have
// different values mod r, because they are below k. If s has no divisor from 2 to k-1, the sum over r has only the term
// for r = 1. Then the rate is
//
//	f = 1 + sum over j = 1..k of (-1)^j C(k,j) (1 - j/s + (j-1)/s^2)^n.
type doublePartitioned struct{}

func (doublePartitioned) slice(g bloomproof.Geometry) uint64    { return g.M / uint64(g.K) }
func (h doublePartitioned) full(g bloomproof.Geometry) bool     { return h.slice(g) == 1 }
func (doublePartitioned) queries(bloomproof.Geometry) *big.Int  { return integer.Uint(1) }
func (h doublePartitioned) hits(g bloomproof.Geometry) *big.Int { return integer.Uint(h.slice(g)) }
func (h doublePartitioned) outcomes(g bloomproof.Geometry) *big.Int {
	return integer.Power(h.hits(g), 2)
}

// Let s be the number of bits of a slice. The method "divisors" returns the divisors of s from 2 to k-1.
func (h doublePartitioned) divisors(g bloomproof.Geometry) (all []uint64) {
	for r := uint64(2); r < uint64(g.K); r++ {
		if h.slice(g)%r == 0 {
			all = append(all, r)
		}
	}
	return all
}

func (h doublePartitioned) check(g bloomproof.Geometry) error {
	if g.K > mostPositions && len(h.divisors(g)) > 0 {
		return refuse.TooCostly(fmt.Sprintf("the rate of %v", g), math.Exp2(float64(g.K)), 1<<mostPositions)
	}
	return nil
}

func (h doublePartitioned) terms(g bloomproof.Geometry) ([]term, error) {
	if err := cmp.Or(h.check(g), fault.Part()); err != nil {
		return nil, err
	}
	divisors := h.divisors(g)
	type class struct{ size, lost int }
	weights := map[class]*big.Int{}
	if len(divisors) == 0 {
		for size, w := range integer.BinomialRow(g.K) {
			weights[class{size, max(0, size-1)}] = w
		}
	} else {
		counts := map[class]uint64{}
		for set := range uint64(1) << g.K {
			c := class{size: bits.OnesCount64(set)}
			c.lost = max(0, c.size-1) // the term r = 1
			for _, r := range divisors {
				folded := uint64(0)
				for x := set; x != 0; x >>= r {
					folded |= x
				}
				c.lost += int(phi(r)) * (c.size - bits.OnesCount64(folded&(1<<r-1)))
			}
			counts[c]++
		}
		for c, count := range counts {
			weights[c] = integer.Uint(count)
		}
	}
	all := h.outcomes(g)
	var terms []term
	for c, w := range weights {
		hit := integer.Uint(uint64(c.size))
		hit.Sub(hit.Mul(hit, h.hits(g)), big.NewInt(int64(c.lost)))
		terms = append(terms, term{c.size, hit.Sub(all, hit), w})
	}
	slices.SortFunc(terms, smallFirst)
	return terms, nil
}
