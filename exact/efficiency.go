package exact

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// Efficiency returns the efficiency of a filter of shape g with n items:
//
//	(n/m) log2(1/f)
//
// Source: Burns (69), (70), before Corollary 25.
// Domain: as FPR, n >= 1.
// Error: relative width at most 2^-prec; exactly 0 where the rate is exactly 1.
// Cost: as Log2.
// Errors: *bloomproof.ParamError; ErrUndefined for n = 0; ErrRange where 1-f is below
// e^-1.3e9, which makes the efficiency as small.
func Efficiency(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	if err := checkDerived(Rate, g, prec); err != nil {
		return Enclosure{}, err
	}
	if n == 0 {
		return Enclosure{}, undefined("efficiency", "the rate is 0")
	}
	return efficiency(g, n, prec)
}

func efficiency(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	l, err := Log2(Rate, g, n, min(prec+4, MaxPrec))
	if err != nil || l.iv == nil || l.iv.IsPoint() && l.Sign() == 0 {
		return exactlyInt(0, prec), err
	}
	x := interval.New(prec + 16).SetRat(new(big.Rat).SetFrac(new(big.Int).SetUint64(n), new(big.Int).SetUint64(g.M)))
	return around(x.Mul(x.Neg(x), l.interval())), nil
}

// EfficiencyOfBalls returns the efficiency of a standard filter that took a number of
// balls (positions) in all, which makes n = balls/k items, a real number:
//
//	(balls/(km)) log2(1/E[(X/m)^k])
//
// Source: Burns (71)-(73), where n counts balls. It decreases strictly with k for m >= 2
// and balls >= 2 (Theorem 26), because E[(X/m)^k]^(1/k) grows with k.
// Domain: 1 <= m < 2^64, 1 <= balls < 2^64, 1 <= k <= 4096, prec 1 to MaxPrec.
// Error: relative width at most 2^-prec; exactly 0 for m = 1.
// Cost: as MomentStandard.
// Errors: *bloomproof.ParamError; ErrUndefined for no balls; ErrRange as Efficiency.
func EfficiencyOfBalls(m, balls uint64, k int, prec uint) (Enclosure, error) {
	if err := checkShape(m, k, prec); err != nil {
		return Enclosure{}, err
	}
	switch {
	case balls == 0:
		return Enclosure{}, undefined("efficiency", "the rate is 0")
	case m == 1:
		return exactlyInt(0, prec), nil
	}
	total := new(big.Int).SetUint64(balls)
	share := new(big.Rat).SetFrac(total, new(big.Int).Mul(new(big.Int).SetUint64(m), big.NewInt(int64(k))))
	d := derivation{g: bloomproof.Geometry{M: m, K: k}, total: total}
	e, err := d.logarithm(Rate, 2, prec+4)
	x := interval.New(prec + 16).SetRat(share)
	return around(x.Mul(x.Neg(x), e.interval())), err
}

// Peak is a filter of highest efficiency.
type Peak struct {
	N          uint64 // the least such number of items
	K          int
	Efficiency Enclosure
	Proof      PeakProof
}

// PeakProof says what a Peak rests on beside comparisons that are certain.
type PeakProof uint8

const (
	// PeakProven: all other parameters are excluded by theorems or were compared.
	PeakProven PeakProof = iota
	// PeakAssumesUnimodal: the neighbours in n are worse, and the efficiency is taken to
	// rise up to its peak and to fall after it.
	PeakAssumesUnimodal
	// PeakAssumesConjecture28: of classic filters, that the fewest items are best, each number
	// of items with its best k. (That the peak over n grows with k, as the conjecture has it
	// too, is false for integer n: m = 9 has 6 items with k = 1 above 2 items with k = 2.)
	PeakAssumesConjecture28
)

// String says what the proof rests on.
func (p PeakProof) String() string {
	switch p {
	case PeakProven:
		return "proven"
	case PeakAssumesUnimodal:
		return "assumes one peak in n"
	}
	return "assumes Burns, Conjecture 28"
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
// balls. Classic filters with the best k have it at k = m/2, n = 1 by Conjecture 28, which
// is decided here for m <= 32 by comparing all k, and where m/2 is above 4096 near k = 4096.
//
// Source: Burns, section 4.1, Corollary 27, Conjecture 28.
// Domain: 2 <= m < 2^64; 1 <= k <= 4096, or 0; k < m for hashings without repetition.
// Error: n is certain as Proof says; the relative width of the efficiency at most 2^-prec.
// Cost: about 10 rates at 2 log2 n bits, and those that bloom does not exclude, up to 400.
// Errors: *bloomproof.ParamError; ErrUndefined where the efficiency is 0 for all n;
// ErrPrecision as OptimalK.
func PeakEfficiency(h bloomproof.Hashing, m uint64, k int, prec uint) (Peak, error) {
	if k < 0 || k > bloomproof.MaxK {
		return Peak{}, &bloomproof.ParamError{Param: "k", Value: k, Want: fmt.Sprintf("between 1 and %d, or 0 for the best", bloomproof.MaxK)}
	}
	g := bloomproof.Geometry{M: m, K: max(1, k), Hashing: h}
	if err := g.Validate(); err != nil {
		return Peak{}, err
	}
	if err := checkPrec(prec); err != nil {
		return Peak{}, err
	}
	if m == 1 || h != bloomproof.Standard && uint64(g.K) == m {
		return Peak{}, undefined("peak", "every item sets all bits")
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
	g.K = p.K
	p.Efficiency, err = efficiency(g, p.N, prec)
	return p, err
}

// peakOverAll returns the peak over n and k, for hashings without repetition.
func peakOverAll(h bloomproof.Hashing, m uint64) (Peak, error) {
	const exhaustive = 32
	if h == bloomproof.Classic && m > exhaustive {
		if m/2 <= bloomproof.MaxK {
			return Peak{N: 1, K: int(m / 2), Proof: PeakAssumesConjecture28}, nil
		}
		return peakUpTo(m, bloomproof.MaxK)
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
// known: for the best k to be most, (77) asks for (m/most - 1) ln 2 items. Fewer have k =
// most, more a smaller k. TestPeakUpTo compares with all n and k.
func peakUpTo(m uint64, most int) (Peak, error) {
	g := bloomproof.Geometry{M: m, K: most, Hashing: bloomproof.Classic}
	x := ln2Times(new(big.Rat).SetFrac(new(big.Int).SetUint64(m-uint64(most)), big.NewInt(int64(most))), 128)
	full, _ := x.Lo().Uint64()
	var best Peak
	for n := max(full, 2) - 1; n <= full+2; n++ {
		k := most
		if n > full {
			s := newKSearch(g.Hashing, m, n)
			s.ks = s.ks[:most]
			at, err := s.localMin(s.nearest(s.guess()) - 1)
			if err != nil {
				return Peak{}, err
			}
			k = s.ks[at]
		}
		var err error
		if best, err = best.or(g.Hashing, m, Peak{N: n, K: k, Proof: PeakAssumesConjecture28}); err != nil {
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
	return new(big.Rat).SetFrac(power(x.Num(), n), power(x.Denom(), n))
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
	p := Peak{N: n, K: g.K}
	if g.K == 1 || g.Hashing == bloomproof.Partitioned {
		return p, nil
	}
	p.Proof = PeakAssumesUnimodal
	switch {
	case g.Hashing == bloomproof.Standard:
		return p.amongAll(g)
	case g.M <= 32:
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
		l := interval.New(64).Set(logEmpty(g.M, balls(g, n), 64))
		l.Log1p(l.Neg(l.Exp(l)))
		share := new(big.Rat).SetFrac(balls(g, n), new(big.Int).SetUint64(g.M))
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
	return Peak{N: best, K: p.K, Proof: PeakProven}, nil
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
			return best, nil
		}
		if best, err = best.or(g.Hashing, g.M, Peak{N: n, K: g.K}); err != nil {
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
