package exact

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/occupancy"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// Peak is a filter of highest efficiency among those searched.
type Peak struct {
	N          uint64 // the least such number of items
	K          int
	Efficiency Enclosure
	Searched   Searched
	Proof      PeakProof // what is assumed of the filters that were not searched
}

// Searched is the range of the filters that a Peak is certainly the best of: each was
// compared with it, or a bound or a theorem excludes it. (With PeakAssumesNearby, of each
// n only the k that is better than its neighbours was compared.)
type Searched struct {
	LeastN, MostN uint64
	LeastK, MostK int
	// LargerK is set where larger k, which this module does not compute, are certainly
	// more efficient: k = m/2 the most, with one item.
	LargerK bool
}

// PeakProof says what a Peak rests on beside comparisons that are certain.
type PeakProof uint8

const (
	// PeakProven: nothing is assumed; the search covers every n.
	PeakProven PeakProof = iota
	// PeakAssumesUnimodal: the efficiency is taken to rise with n up to its peak and to
	// fall after it. The neighbours in n are worse for certain.
	PeakAssumesUnimodal
	// PeakAssumesNearby: no n outside of those searched is taken to be better, with any k,
	// and the rate is taken to have one minimum in k for each n searched.
	PeakAssumesNearby
)

// String says what the proof rests on.
func (p PeakProof) String() string {
	switch p {
	case PeakProven:
		return "proven"
	case PeakAssumesUnimodal:
		return "assumes one peak in n"
	}
	return "assumes no better n outside of those searched, and one best k for each n"
}

// PeakEfficiency returns the number of items n >= 1, an integer, at which m bits with k
// positions an item are most efficient; with k = 0 the k too.
//
//	max over n of (n/m) log2(1/f(m, n, k))
//
// Partitioned filters, and all with k = 1, have -(nk/m) log2(1 - y), y = (1-k/m)^n: up to a
// factor ln y ln(1-y), which has one peak, at y = 1/2. Standard filters are at most as
// efficient as their bloom, of the same form with y = (1-1/m)^(kn), so only n near its peak
// need comparing, and with the best k are most efficient for k = 1: Theorem 26 with nk
// balls. Classic filters with the best k are most efficient with one item, whose rate is
// 1/C(m,k), and k = m/2, since the efficiency of two items or more is below 0.896 (see
// severalItems). Where k = m/2 is above 4096 and one item with k = 4096 is less efficient
// than that, the numbers of items are compared for which the best k is near 4096.
//
// Source: Burns, section 4.1, Corollary 27; derived here for classic filters, of which
// Conjecture 28 has that the peak over n grows with k, which is false for integer n.
// Domain: 2 <= m < 2^64; 1 <= k <= 4096, or 0; k < m for hashings without repetition.
// With k = 0 only k up to 4096 are searched: see Searched.
// Error: n is certain as Proof says; the relative width of the efficiency at most 2^-prec.
// Cost: about 10 rates at 2 log2 n bits, and those that bloom does not exclude, up to 400.
// Errors: *bloomproof.ParamError; ErrUndefined where the efficiency is 0 for all n;
// ErrPrecision as OptimalK.
func PeakEfficiency(h bloomproof.Hashing, m uint64, k int, prec uint) (Peak, error) {
	if k < 0 || k > bloomproof.MaxK {
		return Peak{}, &bloomproof.ParamError{Param: "k", Value: k, Want: fmt.Sprintf("between 1 and %d, or 0 for the best", bloomproof.MaxK)}
	}
	g := bloomproof.Geometry{M: m, K: max(1, k), Hashing: h}
	if err := valid(g); err != nil {
		return Peak{}, err
	}
	if err := precision.Check(prec); err != nil {
		return Peak{}, err
	}
	if m == 1 || h != bloomproof.Standard && uint64(g.K) == m {
		return Peak{}, refuse.Undefined("peak", "every item sets all bits")
	}
	var p Peak
	var err error
	switch {
	case k > 0:
		p, err = peakOverItems(g)
	case h == bloomproof.Standard:
		p, err = peakOverItems(g)
	default:
		p, err = peakOverAll(h, m)
	}
	if err != nil {
		return Peak{}, err
	}
	if k == 0 {
		p.Searched.LeastK, p.Searched.MostK = 1, int(min(m, bloomproof.MaxK))
		if h == bloomproof.Standard {
			p.Searched.MostK = bloomproof.MaxK
		}
	}
	g.K = p.K
	p.Efficiency, err = efficiency(g, p.N, prec)
	return p, err
}

// mostN is the largest number of items.
const mostN = 1<<64 - 1

// exhaustivePeak is the number of bits up to which all k of a classic filter are compared;
// beyond, one item is best by severalItems.
const exhaustivePeak = 32

// severalItems is above the efficiency of every classic filter with n >= 2 items. With
// x = 1-k/m and mu = m(1-x^n) the mean number of set bits, Jensen's inequality gives
//
//	f_C >= C(mu,k)/C(m,k) = product over i < k of (mu-i)/(m-i) >= ((mu-k+1)/(m-k+1))^k
//	    >= (1-x^(n-1))^k.
//
// For n >= 3 the last bound makes the efficiency at most
//
//	n (1-x) log2(1/(1-x^j)), j = n-1:  0.89520 for j = 2, 0.83266 for j = 3,
//
// and since 1-x <= -ln x, at most (n/j) ln(y) ln(1-y)/ln 2 <= (5/4) ln 2 = 0.86644, y = x^j,
// for j >= 4. For n = 2 the factors (m-i)/(mu-i) grow with i, so the logarithm of the first
// product is at least minus their integral over 0..k, which with p = k/m is m times
//
//	-(1-p) ln(1-p) - p(2-p) ln(p(2-p)) + p(1-p) ln(p(1-p)),
//
// and the efficiency at most 2/ln 2 times that, 0.76638. TestSeveralItems encloses the
// three functions.
const severalItems = 0.896

// peakOverAll returns the peak over n and k, for hashings without repetition.
func peakOverAll(h bloomproof.Hashing, m uint64) (Peak, error) {
	if h == bloomproof.Classic && m > exhaustivePeak {
		k := int(min(m/2, bloomproof.MaxK))
		one := interval.New(64).SetInt(integer.Binomial(m, k)) // with one item: log2 C(m,k)/m
		one.Quo(one.Log(one), interval.New(64).SetUint64(m))
		one.Quo(one, ln2Interval(64))
		p, err := Peak{N: 1, K: k, Searched: Searched{LeastN: 1, MostN: mostN}}, error(nil)
		if one.Lo().Cmp(big.NewFloat(severalItems)) < 0 {
			p, err = peakUpTo(m, bloomproof.MaxK)
		}
		p.Searched.LargerK = m/2 > bloomproof.MaxK
		return p, err
	}
	var best Peak
	for _, k := range newKSearch(h, m, 1).ks {
		if uint64(k) == m {
			continue
		}
		p, err := peakOverItems(bloomproof.Geometry{M: m, K: k, Hashing: h})
		if err != nil {
			return Peak{}, err
		}
		if best, err = best.or(h, m, p); err != nil {
			return Peak{}, err
		}
	}
	return best, nil
}

// or returns the better one of two peaks for m bits, best where they are equal; a peak
// without items is none.
func (best Peak) or(h bloomproof.Hashing, m uint64, p Peak) (Peak, error) {
	if best.N == 0 {
		return p, nil
	}
	if p.N == best.N && p.K == best.K {
		return best, nil
	}
	order, err := cmpEfficiency(bloomproof.Geometry{M: m, K: p.K, Hashing: h}, p.N, bloomproof.Geometry{M: m, K: best.K, Hashing: h}, best.N)
	if order > 0 {
		return p, err
	}
	return best, err
}

// peakUpTo returns the peak over n and k <= most < m/2 for classic hashing, as far as it is
// known: for the best k to be most, (77) asks for (m/most - 1) ln 2 items. The numbers of
// items near that are searched, each with the best k up to most. TestPeakUpTo compares
// with all n and k.
func peakUpTo(m uint64, most int) (Peak, error) {
	g := bloomproof.Geometry{M: m, K: most, Hashing: bloomproof.Classic}
	x := ln2Times(new(big.Rat).SetFrac(new(big.Int).SetUint64(m-uint64(most)), big.NewInt(int64(most))), 128)
	full, _ := x.Lo().Uint64()
	searched := Searched{LeastN: max(full, 2) - 1, MostN: full + 2}
	var best Peak
	for n := searched.LeastN; n <= searched.MostN; n++ {
		k := most // the best for one item: C(m,k) grows up to m/2
		if n > 1 {
			s := newKSearch(g.Hashing, m, n)
			s.ks = s.ks[:most]
			at, err := s.localMin(s.nearest(s.guess()) - 1)
			if err != nil {
				return Peak{}, err
			}
			k = s.ks[at]
		}
		var err error
		p := Peak{N: n, K: k, Searched: searched, Proof: PeakAssumesNearby}
		if best, err = best.or(g.Hashing, m, p); err != nil {
			return Peak{}, err
		}
	}
	return best, nil
}

// cmpEfficiency compares the efficiencies of two filters of m bits.
func cmpEfficiency(a bloomproof.Geometry, na uint64, b bloomproof.Geometry, nb uint64) (int, error) {
	precs := comparePrecs(a.M)
	for i, prec := range precs {
		if i > 0 {
			prec += uint(bits.Len64(a.M)) // n and n+1 near the peak differ by 1/n^2
		}
		x, err := efficiency(a, na, prec)
		if err != nil {
			return 0, err
		}
		y, err := efficiency(b, nb, prec)
		if err != nil {
			return 0, err
		}
		if order, decided := x.Cmp(y); decided {
			return order, nil
		}
		if i > 0 && rationalServes(a, na) && rationalServes(b, nb) &&
			rationalBits(a, na)*float64(na)+rationalBits(b, nb)*float64(nb) < 1<<20 {
			// f_a^n_a against f_b^n_b
			return powerRat(rational(b, nb), nb).Cmp(powerRat(rational(a, na), na)), nil
		}
	}
	return 0, undecided(precs[len(precs)-1])
}

func powerRat(x *big.Rat, n uint64) *big.Rat {
	return new(big.Rat).SetFrac(integer.Power(x.Num(), n), integer.Power(x.Denom(), n))
}

// peakOverItems returns the peak over n of a filter of shape g, without its efficiency.
func peakOverItems(g bloomproof.Geometry) (Peak, error) {
	const most = 1<<64 - 2
	guess, _ := peakReal(g, 64).Lo().Uint64()
	rises := func(n uint64) (bool, error) { // from n-1 to n
		order, err := cmpEfficiency(g, n, g, n-1)
		return order > 0, err
	}
	n, err := lastTrue(1, most, min(max(guess, 1), most), rises)
	if err != nil {
		return Peak{}, err
	}
	p := Peak{N: n, K: g.K, Searched: Searched{LeastN: 1, MostN: mostN, LeastK: g.K, MostK: g.K}}
	if g.K == 1 || g.Hashing == bloomproof.Partitioned {
		return p, nil
	}
	p.Proof = PeakAssumesUnimodal
	p.Searched.LeastN, p.Searched.MostN = max(n, 2)-1, n+1
	switch {
	case g.Hashing == bloomproof.Standard:
		return p.amongAll(g)
	case g.M <= exhaustivePeak:
		return p.amongFew(g)
	}
	return p, nil
}

// amongAll compares a standard filter's p with all n that bloom does not exclude, unless
// there are too many.
func (p Peak) amongAll(g bloomproof.Geometry) (Peak, error) {
	const most = 400
	e, err := efficiency(g, p.N, 24)
	if err != nil {
		return Peak{}, err
	}
	// bloom's efficiency has one peak in n, so one n that it excludes, and that is beyond a
	// better one, excludes all beyond.
	excludes := func(n uint64) *interval.Interval {
		l := interval.New(64).Set(occupancy.LogEmpty(g.M, integer.Product(n, g.K), 64))
		l.Log1p(l.Neg(l.Exp(l)))
		share := new(big.Rat).SetFrac(integer.Product(n, g.K), new(big.Int).SetUint64(g.M))
		l.Quo(l.Neg(l), interval.New(64).Log(interval.New(64).SetUint64(2)))
		return l.Mul(l, interval.New(64).SetRat(share))
	}
	below := func(a, b *interval.Interval) bool {
		order, decided := a.Cmp(b)
		return decided && order < 0
	}
	low, high := p.N, p.N
	for step := uint64(1); low > 0; step *= 2 {
		low -= min(step, low)
		if low == 0 || below(excludes(low), e.interval()) && below(excludes(low), excludes(low+1)) {
			break
		}
	}
	for step := uint64(1); high-low <= 2*most; step *= 2 {
		high += step
		if below(excludes(high), e.interval()) && below(excludes(high), excludes(high-1)) {
			break
		}
	}
	if high-low > 2*most {
		return p, nil
	}
	best := p.N
	for n := low + 1; n < high; n++ {
		if below(excludes(n), e.interval()) || n == best {
			continue
		}
		order, err := cmpEfficiency(g, n, g, best)
		if err != nil {
			return Peak{}, err
		}
		if order > 0 || order == 0 && n < best {
			best = n
		}
	}
	p.N, p.Proof = best, PeakProven
	p.Searched.LeastN, p.Searched.MostN = 1, mostN
	return p, nil
}

// amongFew compares a classic filter's p with all n up to a number from which
//
//	(n/m) log2(1/f) <= (2nk/m) (1-k/m)^n,
//
// that is from 1-f <= k (1-k/m)^n <= 1/2, is below p and falls, for n > m/k. The factor 2
// asked of both admits the roundings.
func (p Peak) amongFew(g bloomproof.Geometry) (Peak, error) {
	e, err := efficiency(g, p.N, 24)
	if err != nil {
		return Peak{}, err
	}
	least, m, k := e.Float64(), float64(g.M), float64(g.K)
	best := p
	for n := uint64(1); ; n++ {
		empty := k * math.Pow(1-k/m, float64(n))
		if float64(n) > 2*m/k && empty <= 0.25 && 2*float64(n)/m*empty < least/2 {
			best.Proof = PeakProven
			best.Searched.LeastN, best.Searched.MostN = 1, mostN
			return best, nil
		}
		if best, err = best.or(g.Hashing, g.M, Peak{N: n, K: g.K, Searched: p.Searched}); err != nil {
			return Peak{}, err
		}
	}
}

// peakReal returns the real n at which bloom, or for the other hashings U, peaks.
func peakReal(g bloomproof.Geometry, work uint) *interval.Interval {
	ln2 := interval.New(work).Log(interval.New(work).SetUint64(2))
	d := derivation{g: g, n: 1}
	x := d.logUnset(g.Hashing, work)
	return ln2.Quo(ln2, x.Neg(x))
}
