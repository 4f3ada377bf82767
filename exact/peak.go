package exact

import (
	"fmt"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// Peak describes the filter with the highest efficiency among the filters that were searched.
type Peak struct {
	N          uint64 // the least number of items that has this efficiency
	K          int
	Efficiency Enclosure

	// The search covered all filters with LeastN to MostN items and with the given K. If the given K was 0, the search
	// covered K from 1 to MostK. Among these filters, no other filter is more efficient. This is certain, because every
	// other filter was compared, or is excluded by a bound or a theorem. There is one exception, which the field
	// Assumes states. In this case only one k was compared for each n. This k is better than the next smaller and the
	// next larger k.
	LeastN, MostN uint64
	MostK         int
	// LargerK is true if some filters with k > 4096 are certainly more efficient than this peak. This module does not
	// compute filters with k > 4096. If LargerK is true, the most efficient filter has k = m/2 and one item.
	LargerK bool

	// Some numbers of items were not searched. If this requires an assumption, Assumes states it. Otherwise Assumes is
	// empty.
	Assumes string
}

// PeakEfficiency returns the number n >= 1 of items for which filters of shape g are most efficient. If g.K is 0, it
// searches for the best k too. The efficiency of the result is as follows:
//
//	max over n of (n/m) log2(1/f(m, n, k)).
//
// For partitioned filters, and for all filters with k = 1, let y = (1-k/m)^n. They have the efficiency -(nk/m) log2(1 -
// y). This efficiency is approximately proportional to the product (ln y) (ln(1-y)). The product has a single peak, at
// y = 1/2. The rate of a standard filter is at least f_bloom, the value of BoundBloom. With f_bloom in place of the
// rate, the efficiency would be larger. It would equal the expression above with y = (1-1/m)^(kn). This larger
// efficiency has a peak. Therefore only the numbers n near this peak must be compared.
//
// Among standard filters with any k, the most efficient filters have k = 1. This follows from Theorem 26 of Burns,
// applied to nk balls. Among classic filters with any k, the most efficient filter has one item and k = m/2. Its rate
// is 1/C(m,k). The reason is that filters with two or more items have efficiencies below 0.896 (see severalItems). If
// m/2 is above 4096, PeakEfficiency does not try k = m/2. In this case, let e be the efficiency of the filter with n =
// 1 and k = 4096. If e is below 0.896, PeakEfficiency compares the numbers of items for which the best k is near 4096.
//
// Source: Burns, section 4.1, Corollary 27. For classic filters, the derivation is in this file and in
// hashing_classic.go. Conjecture 28 says that the largest efficiency of classic filters over all n grows with k. The
// conjecture is false for integer n.
// Domain: the filter must have no blocks, and m is from 2 to 2^64-1. The number k is from 0 to 4096. For hashings with
// distinct positions, k must be less than m. If k is 0, only k up to 4096 are searched: see the type Peak.
// Error: the relative width of the efficiency is at most 2^-prec. The number n is certain if the field Assumes is
// empty.
// Cost: about 10 rates are computed. The precision of each rate is 2 log2 n bits. One more rate is computed for each n
// that the bound f_bloom does not exclude. There are at most 400 such n.
// Errors: *bloomproof.ParamError; ErrUndefined where the efficiency is 0 for all n; ErrPrecision as for OptimalK.
func PeakEfficiency(g bloomproof.Geometry, prec uint) (Peak, error) {
	if g.K < 0 || g.K > bloomproof.MaxK {
		return Peak{}, &bloomproof.ParamError{Param: "k", Value: g.K, Want: fmt.Sprintf("between 1 and %d, or 0 for the best", bloomproof.MaxK)}
	}
	anyK := g.K == 0
	g.K = max(1, g.K)
	h, err := checked(g, prec)
	if err != nil {
		return Peak{}, err
	}
	if h.full(g) {
		return Peak{}, refuse.Undefined("peak", "every item sets all bits")
	}
	var p Peak
	if anyK {
		if p, err = h.peak(g.M); err == nil {
			ks := newKSearch(plain{h}, g.M, 1).ks
			p.MostK = ks[len(ks)-1]
		}
	} else {
		p, err = peakOverItems(h, g)
	}
	if err != nil {
		return Peak{}, err
	}
	g.K = p.K
	p.Efficiency, err = efficiencyOf(h, g, p.N, prec)
	return p, err
}

// mostN is the largest number of items that a filter may have.
const mostN = 1<<64 - 1

// peakOverK returns the filter of m bits that is most efficient over all n and k. For each k it finds the best n, and
// it compares the results.
func peakOverK(h hashing, m uint64) (Peak, error) {
	var best Peak
	for _, k := range newKSearch(plain{h}, m, 1).ks {
		g := bloomproof.Geometry{M: m, K: k, Hashing: h.is()}
		if h.full(g) {
			continue
		}
		p, err := peakOverItems(h, g)
		if err != nil {
			return Peak{}, err
		}
		if best, err = best.or(h, m, p); err != nil {
			return Peak{}, err
		}
	}
	return best, nil
}

// The peaks "best" and p are for filters of m bits. The method "or" returns the more efficient peak. If both peaks are
// equally efficient, it returns "best". A Peak with N = 0 is ignored.
func (best Peak) or(h hashing, m uint64, p Peak) (Peak, error) {
	if best.N == 0 {
		return p, nil
	}
	if p.N == best.N && p.K == best.K {
		return best, nil
	}
	order, err := cmpEfficiency(h, bloomproof.Geometry{M: m, K: p.K, Hashing: h.is()}, p.N, bloomproof.Geometry{M: m, K: best.K, Hashing: h.is()}, best.N)
	if order > 0 {
		return p, err
	}
	return best, err
}

// Two powers of rational rates are compared only if they are short. The sum of their lengths in bits must be below
// mostPowerBits. With this limit, the comparison takes at most about a second.
const mostPowerBits = 1 << 20

// cmpEfficiency compares the efficiencies of two filters of m bits: the geometry a with na items, and the geometry b
// with nb items.
func cmpEfficiency(h hashing, a bloomproof.Geometry, na uint64, b bloomproof.Geometry, nb uint64) (int, error) {
	precs := comparePrecs(a.M)
	for i, prec := range precs {
		if i > 0 {
			prec += itemBits(a.M) // efficiencies of n and n+1 near the peak differ by a relative amount of 1/n^2
		}
		x, err := efficiencyOf(h, a, na, prec)
		if err != nil {
			return 0, err
		}
		y, err := efficiencyOf(h, b, nb, prec)
		if err != nil {
			return 0, err
		}
		if order, decided := x.Cmp(y); decided {
			return order, nil
		}
		if i > 0 && rationalServes(h, a, na) && rationalServes(h, b, nb) &&
			h.rationalBits(a, na)*float64(na)+h.rationalBits(b, nb)*float64(nb) < mostPowerBits {
			// Compare the powers f_a^na and f_b^nb, where f_a and f_b are the rates of the two filters. The filter with
			// the smaller power is the more efficient filter.
			return powerRat(h.rational(b, nb), nb).Cmp(powerRat(h.rational(a, na), na)), nil
		}
	}
	return 0, undecided(precs[len(precs)-1])
}

func powerRat(x *big.Rat, n uint64) *big.Rat {
	return new(big.Rat).SetFrac(integer.Power(x.Num(), n), integer.Power(x.Denom(), n))
}

// peakOverItems returns the filter of shape g that is most efficient over all n. It does not set the field for the
// efficiency.
func peakOverItems(h hashing, g bloomproof.Geometry) (Peak, error) {
	guess, _ := peakReal(h, g, floatWork).Lo().Uint64()
	rises := func(n uint64) (bool, error) { // reports whether the efficiency rises from n-1 to n
		order, err := cmpEfficiency(h, g, n, g, n-1)
		return order > 0, err
	}
	n, err := lastTrue(1, mostN-1, min(max(guess, 1), mostN-1), rises)
	if err != nil {
		return Peak{}, err
	}
	p := Peak{N: n, K: g.K, LeastN: 1, MostN: mostN, MostK: g.K}
	if h.onePeak(g) {
		return p, nil
	}
	p.Assumes = assumesOnePeak
	p.LeastN, p.MostN = max(n, 2)-1, n+1
	return h.settlePeak(g, p)
}

// If the rate were the value of BoundBloom, the efficiency would be largest for some real number n. The function
// peakReal returns this n. For hashings other than standard, it uses the value of BoundUpper instead.
func peakReal(h hashing, g bloomproof.Geometry, work uint) *interval.Interval {
	x := h.logUnset(g, 1, work)
	x.Neg(x)
	return x.Quo(ln2Interval(work), x)
}
