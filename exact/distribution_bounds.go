package exact

import (
	"math/big"

	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// MomentBounds are bounds of p_r = E[C(X,r)]/C(m,r), the probability that r given urns are
// all occupied, with mu = E[X].
type MomentBounds struct {
	// Upper is (mu/m)^r: occupied urns make others less likely to be.
	Upper Enclosure
	// Lower is C(mu,r)/C(m,r), by Jensen's inequality; nil for mu < r-1, and where
	// mu is so near r-1 that the two are not told apart.
	Lower *Enclosure
	// LowerBalls is nabla^r [x^N] at m / m^N, what as many single balls N do as the
	// committees have members; nil for intersections.
	LowerBalls *Enclosure
}

// MomentBounds returns the bounds of Theorem 15 for p_r.
//
// Source: Burns, Theorem 15, stated there for n committees of k and r <= min(k, m-k). The
// proofs for every distribution:
//
//	Upper       that urns are occupied are negatively associated events: so are a random
//	            subset's, and joining and meeting independent ones keeps that
//	Lower       C(x,r), taken as 0 below r-1, is convex
//	LowerBalls  k independent balls hit a set that others complete to a random k-subset
//
// Domain: 0 <= r <= 4096. Upper and LowerBalls hold for every r. Lower holds for r-1 <= mu,
// so in unions for all r up to the largest committee's size plus one; beyond, the product
// over i < r of (mu-i)/(m-i) changes its sign with r and bounds nothing: for m = 4 and two
// balls, r = 4, it is positive and p_4 = 0 (intersections: m = 3, three balls and one,
// r = 3).
// LowerBalls <= Lower is what the paper has rightmost; it holds for n committees of k and
// r <= k, and r = k+1 if k > 1 (by search of m <= 36, n <= 16), and fails beyond for some:
// m = 2, two balls, r = 2.
// Error: relative width at most 2^-prec each.
// Cost: as Hit for as many balls; r products.
// Errors: *bloomproof.ParamError; as Hit.
func (l Distribution) MomentBounds(r int, prec uint) (MomentBounds, error) {
	if err := l.checkOrder(r, MaxMoment, prec); err != nil {
		return MomentBounds{}, err
	}
	fill, err := l.Hit(1, prec+16, Difference)
	if err != nil {
		return MomentBounds{}, err
	}
	b := MomentBounds{Upper: exactlyInt(1, prec)}
	if r > 0 {
		b.Upper = around(interval.New(prec+8).PowInt(fill.interval(), big.NewInt(int64(r))))
	}
	if b.Lower, err = l.momentLower(r, prec); err != nil {
		return MomentBounds{}, err
	}
	if groups, ok := l.union(); ok {
		balls := new(big.Int)
		for _, g := range groups {
			balls.Add(balls, new(big.Int).Mul(g.count, new(big.Int).SetUint64(g.size)))
		}
		single := Distribution{m: l.m, departments: [][]group{merge([]group{{1, balls}})}}
		e, err := single.Hit(r, prec, Difference)
		if err != nil {
			return MomentBounds{}, err
		}
		b.LowerBalls = &e
	}
	return b, nil
}

// momentLower returns C(mu,r)/C(m,r), or nil for mu < r-1.
func (l Distribution) momentLower(r int, prec uint) (*Enclosure, error) {
	switch order, err := l.cmpMean(r - 1); {
	case err != nil || order < 0:
		return nil, err
	case order == 0:
		zero := exactlyInt(0, prec)
		return &zero, nil
	}
	e, err := ziv(prec, prec+96, func(work uint) *interval.Interval {
		mean, err := l.Mean(work)
		if err != nil {
			return new(interval.Interval).SetEnds(big.NewFloat(1), new(big.Float)) // not Valid
		}
		x := interval.New(work).SetUint64(1)
		for i := range uint64(r) {
			x.Mul(x, interval.New(work).Sub(mean.interval(), interval.New(work).SetUint64(i)))
			x.Quo(x, interval.New(work).SetUint64(l.m-i))
		}
		return x
	})
	if err != nil {
		return nil, err
	}
	return &e, nil
}

// cmpMean compares E[X] with i; order is -1 where neither 4096 bits nor the rational
// decide it.
func (l Distribution) cmpMean(i int) (order int, err error) {
	// The mean is within the range, and at its ends only if that is one number.
	least, most := l.Range()
	switch {
	case i < 0 || uint64(i) < least || uint64(i) == least && least < most:
		return 1, nil
	case uint64(i) > most || uint64(i) == most && least < most:
		return -1, nil
	case least == most:
		return 0, nil
	}
	limit := exactlyInt(int64(i), 64)
	for prec := uint(64); prec <= 1<<13; prec *= 8 {
		mean, err := l.Mean(prec)
		if err != nil {
			return 0, err
		}
		if order, decided := mean.Cmp(limit); decided {
			return order, nil
		}
	}
	if l.logOutcomes() > MaxRatBits {
		return -1, nil
	}
	p := l.hits(1, 0)
	mean := new(big.Int).Mul(p.v[1], new(big.Int).SetUint64(l.m))
	return mean.Cmp(p.den.Mul(p.den, big.NewInt(int64(i)))), nil
}
