package exact

import (
	"math/big"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// blockedBounds lists the kinds of bounds that are defined for a block with any number i of items. The bound for a
// filter with blocks is the mean over i of the bound for one block. Suppose that, for every i, the bound for one block
// with i items is at most the rate f_i of the block. Then the mean of these bounds is at most the rate of the filter.
var blockedBounds = []bloomproof.Bound{
	bloomproof.BoundBloom, bloomproof.BoundExponential, bloomproof.BoundLower,
	bloomproof.BoundLowerClassic, bloomproof.BoundUpper, bloomproof.BoundPartitioned,
}

func (l blocked) bounds() []bloomproof.Bound {
	var all []bloomproof.Bound
	for _, kind := range blockedBounds {
		if slices.Contains(l.in.bounds(), kind) {
			all = append(all, kind)
		}
	}
	return all
}

// The method "bound" returns the value of a bound whose kind is one of blockedBounds.
func (l blocked) bound(kind bloomproof.Bound, g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	blocks, block := split(g)
	// No mean needs to be computed if there is one block, if there are no items, or if the bound is undefined.
	if _, err := boundFormulas[kind](block.M, 0, g.K, prec); err != nil || n == 0 || blocks == 1 {
		return boundFormulas[kind](block.M, n, g.K, prec)
	}
	return probability(l.differences(g, n, prec, l.cancels(g, n), func(work uint) *interval.Interval {
		return blockedSum(field.Intervals(work), boundSeries(kind, block, work), g, n, 0)
	}))
}

// boundSeries returns the bound for a block of s bits with i items, as a value of type series. Let x be the number q_1
// of this series. The next list gives the form of each bound.
//
//   - A bound (1-x^i)^k is a series with the weights C(k,j) and the probabilities q_j = x^j.
//   - BoundLower is the sum of (-1)^j C(k,j) (1-j/s)^(ki), which is already a series.
//   - BoundLowerClassic is the product over j < k of (mu' - j)/(s - j), where mu' = s (1-x^i).
//
// In the product for BoundLowerClassic, factor j equals 1 - (s/(s-j)) x^i. Therefore its weights are elementary
// symmetric polynomials of the numbers s/(s-j).
func boundSeries(kind bloomproof.Bound, block bloomproof.Geometry, work uint) series[*interval.Interval] {
	f := field.Intervals(work)
	s, k := block.M, uint64(block.K)
	powers := func(x *interval.Interval) func(uint64, *interval.Interval) *interval.Interval {
		return func(j uint64, before *interval.Interval) *interval.Interval {
			if j == 0 {
				return f.Int(1)
			}
			return f.Zero().Mul(before, x)
		}
	}
	all := series[*interval.Interval]{w: integer.BinomialRow(block.K), den: integer.One}
	switch kind {
	case bloomproof.BoundBloom:
		all.q = powers(f.PowInt(f.Ratio(s-1, s), block.K))
	case bloomproof.BoundExponential:
		x := f.Ratio(k, s)
		all.q = powers(x.Exp(x.Neg(x)))
	case bloomproof.BoundLower:
		all.q = func(j uint64, _ *interval.Interval) *interval.Interval { return f.PowInt(f.Ratio(s-j, s), block.K) }
	case bloomproof.BoundLowerClassic:
		all.w, all.den = fallingWeights(s, block.K)
		fallthrough
	default: // upper, partitioned
		all.q = powers(f.Ratio(s-k, s))
	}
	return all
}

// Consider the product of (s - j - s y) over j < k as a polynomial in y. The function fallingWeights returns the
// absolute values of its coefficients. It also returns the product of (s - j) over j < k.
func fallingWeights(s uint64, k int) (w []*big.Int, den *big.Int) {
	w, den = []*big.Int{big.NewInt(1)}, big.NewInt(1)
	all, t := integer.Uint(s), new(big.Int)
	for j := range uint64(k) {
		left := integer.Uint(s - j)
		den.Mul(den, left)
		w = append(w, new(big.Int))
		for i := len(w) - 1; i >= 0; i-- {
			w[i].Mul(w[i], left)
			if i > 0 {
				w[i].Add(w[i], t.Mul(w[i-1], all))
			}
		}
	}
	return w, den
}
