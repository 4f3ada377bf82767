package exact

import (
	"fmt"
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/occupancy"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// The textbook answers all rest on f = (1-e^(-nk/m))^k, Burns (66), for real k. They are
// here to be held against OptimalK, MostItems and LeastBits.

func ln2Interval(work uint) *interval.Interval {
	x := interval.New(work).SetUint64(2)
	return x.Log(x)
}

// checkCounts validates m and n of a formula that divides by both.
func checkCounts(m, n uint64, prec uint) error {
	for _, c := range []struct {
		name  string
		value uint64
	}{{"m", m}, {"n", n}} {
		if c.value < 1 {
			return &bloomproof.ParamError{Param: c.name, Value: c.value, Want: "between 1 and 2^64-1"}
		}
	}
	return precision.Check(prec)
}

// BloomBestK returns the real k that minimises the exponential approximation:
//
//	k = (m/n) ln 2
//
// Source: Burns (67); Fan (9).
// Domain: 1 <= m, n < 2^64, prec 1 to MaxPrec.
// Error: relative width at most 2^-prec.
// Cost: one logarithm.
// Errors: *bloomproof.ParamError.
func BloomBestK(m, n uint64, prec uint) (Enclosure, error) {
	if err := checkCounts(m, n, prec); err != nil {
		return Enclosure{}, err
	}
	return ziv(prec, prec+8, func(work uint) *interval.Interval {
		return ln2Times(new(big.Rat).SetFrac(new(big.Int).SetUint64(m), new(big.Int).SetUint64(n)), work)
	})
}

func ln2Times(x *big.Rat, work uint) *interval.Interval {
	return interval.New(work).Mul(ln2Interval(work), interval.New(work).SetRat(x))
}

// EntropyBestK returns the real k that makes each bit set with probability 1/2, which
// minimises Bloom:
//
//	k = -ln 2/(n ln(1-1/m))
//
// Source: Fan (15), from (14).
// Domain: 2 <= m < 2^64, 1 <= n < 2^64, prec 1 to MaxPrec.
// Error: relative width at most 2^-prec.
// Cost: two logarithms.
// Errors: *bloomproof.ParamError; ErrUndefined for m = 1, whose bit is set by any item.
func EntropyBestK(m, n uint64, prec uint) (Enclosure, error) {
	if err := checkCounts(m, n, prec); err != nil {
		return Enclosure{}, err
	}
	if m == 1 {
		return Enclosure{}, refuse.Undefined("entropy_best_k", "the only bit is set")
	}
	return ziv(prec, prec+8, func(work uint) *interval.Interval {
		x := occupancy.LogEmpty(m, new(big.Int).SetUint64(n), work)
		return x.Quo(ln2Interval(work), x.Neg(x))
	})
}

// UpperBestK returns the real k, 0 < k < m, that minimises Upper: k = m (1 - s^(1/n)) with
//
//	-(1-s) ln(1-s) = n s (s^(-1/n) - 1),   1/2 < s < 3/4
//
// Source: the derivative of Burns (65), Fan (19); no paper states it. That there is one
// such k is proven at OptimalK; s = 1-1/e for n = 1 and falls to 1/2.
// Domain: 1 <= m, n < 2^64, prec 1 to MaxPrec.
// Error: relative width at most 2^-prec.
// Cost: a few logarithms and exponentials.
// Errors: *bloomproof.ParamError.
func UpperBestK(m, n uint64, prec uint) (Enclosure, error) {
	if err := checkCounts(m, n, prec); err != nil {
		return Enclosure{}, err
	}
	return ziv(prec, prec+24, func(work uint) *interval.Interval {
		s := upperBestUnset(n, work)
		s.Quo(s.Log(s), interval.New(work).SetUint64(n))
		s.Neg(s.Expm1(s))
		return s.Mul(s, interval.New(work).SetUint64(m))
	})
}

// upperBestUnset returns s of UpperBestK, the zero of
//
//	g(s) = (1-s) ln(1-s) + n s (s^(-1/n) - 1),   g'(s) = -ln(1-s) - 2 + (n-1) (s^(-1/n) - 1),
//
// where g goes from positive to negative, by Newton's method on intervals once g' is
// certainly negative on the interval, and by bisection before.
func upperBestUnset(n uint64, work uint) *interval.Interval {
	nw := func() *interval.Interval { return interval.New(work) }
	one, items := nw().SetUint64(1), nw().SetUint64(n)
	root := func(s *interval.Interval) *interval.Interval { // s^(-1/n) - 1
		x := nw().Log(s)
		return x.Expm1(x.Neg(x.Quo(x, items)))
	}
	x, steps := nw().SetEnds(big.NewFloat(0.5), big.NewFloat(0.75)), 20
	if work > 128 { // each step doubles the bits
		x, steps = nw().Set(upperBestUnset(n, work/2+16)), 2
	}
	for range steps {
		lo, hi := x.Lo(), x.Hi()
		middle := new(big.Float).SetPrec(work).Add(lo, hi)
		middle.SetMantExp(middle, -1)
		at := nw().SetEnds(middle, middle)
		g := nw().Log1p(nw().Neg(at))
		g.Mul(g, nw().Sub(one, at))
		g.Add(g, nw().Mul(nw().Mul(root(at), items), at))
		slope := nw().Mul(root(x), nw().SetUint64(n-1))
		slope.Sub(slope, nw().Log1p(nw().Neg(x)))
		slope.Sub(slope, nw().SetUint64(2))
		switch {
		case slope.Sign() < 0:
			next := at.Sub(at, g.Quo(g, slope))
			if l := next.Lo(); l.Cmp(lo) > 0 {
				lo = l
			}
			if h := next.Hi(); h.Cmp(hi) < 0 {
				hi = h
			}
		case g.Sign() > 0:
			lo = middle
		case g.Sign() < 0:
			hi = middle
		}
		x.SetEnds(lo, hi)
	}
	return x
}

// TextbookK returns the textbook number of positions an item: BloomBestK rounded to the
// nearest integer, at least 1. It can be above 4096.
//
//	k = max(1, round((m/n) ln 2))
//
// Source: Burns (67).
// Domain: 1 <= m, n < 2^64.
// Error: none: the rounding is certain.
// Cost: a logarithm.
// Errors: *bloomproof.ParamError.
func TextbookK(m, n uint64) (uint64, error) {
	if err := checkCounts(m, n, 1); err != nil {
		return 0, err
	}
	k, err := floored(func(work uint) *interval.Interval {
		x := ln2Times(new(big.Rat).SetFrac(new(big.Int).SetUint64(m), new(big.Int).SetUint64(n)), work)
		return x.Add(x, interval.New(work).SetRat(big.NewRat(1, 2)))
	})
	return max(1, k), err
}

// TextbookM returns the textbook number of bits for n items at the rate p:
//
//	m = ceil(-n log2 p/ln 2)
//
// Source: Burns (68).
// Domain: 0 <= n < 2^64, 0 < p < 1. 1 for n = 0.
// Error: none: the rounding is certain.
// Cost: two logarithms.
// Errors: *bloomproof.ParamError; ErrRange above 2^64-1.
func TextbookM(n uint64, p *big.Rat) (uint64, error) {
	if err := checkTarget(p); err != nil {
		return 0, err
	}
	if n == 0 {
		return 1, nil
	}
	m, err := floored(func(work uint) *interval.Interval {
		x, l := logTarget(p, work), ln2Interval(work)
		x.Mul(x.Neg(x), interval.New(work).SetUint64(n))
		return x.Quo(x, l.Mul(l, l))
	})
	if err == nil && m == 1<<64-1 {
		err = fmt.Errorf("m is above 2^64-1: %w", ErrRange)
	}
	return m + 1, err // the number is no integer
}

// TextbookN returns the textbook number of items for m bits at the rate p:
//
//	n = floor(-m ln 2/log2 p)
//
// Source: Burns (68).
// Domain: 1 <= m < 2^64, 0 < p < 1.
// Error: none: the rounding is certain.
// Cost: two logarithms.
// Errors: *bloomproof.ParamError; ErrRange above 2^64-1.
func TextbookN(m uint64, p *big.Rat) (uint64, error) {
	if err := checkCounts(m, 1, 1); err != nil {
		return 0, err
	}
	if err := checkTarget(p); err != nil {
		return 0, err
	}
	return floored(func(work uint) *interval.Interval {
		x, l := logTarget(p, work), ln2Interval(work)
		l.Mul(l.Mul(l, l), interval.New(work).SetUint64(m))
		return l.Quo(l, x.Neg(x))
	})
}

// floored returns the largest integer up to a positive number that f encloses, at growing
// precision: numbers with ln 2 are not near integers for ever.
func floored(f func(work uint) *interval.Interval) (uint64, error) {
	const most = 1 << 12
	for work := uint(96); work <= most; work *= 2 {
		x := f(work)
		lo, _ := x.Lo().Int(nil)
		hi, _ := x.Hi().Int(nil)
		switch {
		case x.Valid() && lo.Cmp(hi) == 0 && lo.IsUint64():
			return lo.Uint64(), nil
		case x.Valid() && lo.BitLen() > 64:
			return 0, fmt.Errorf("a count is above 2^64-1: %w", ErrRange)
		}
	}
	return 0, undecided(most)
}

// ErrorRatio returns Fan's bounds error ratio for the upper bound (19):
//
//	beta = (U - bloom)/bloom
//
// Source: Fan, section 4, after (23).
// Domain: 1 <= k <= m, n >= 1, otherwise as Bloom.
// Error: relative width at most 2^-prec, however near the bounds are; exactly 0 where
// they are equal, for k = 1.
// Cost: as Upper.
// Errors: *bloomproof.ParamError; ErrUndefined for k > m and for n = 0; ErrRange below
// e^-1.3e9.
func ErrorRatio(m, n uint64, k int, prec uint) (Enclosure, error) {
	if err := checkShape(m, k, prec); err != nil {
		return Enclosure{}, err
	}
	switch {
	case uint64(k) > m:
		return Enclosure{}, refuse.Undefined("error ratio", "k exceeds m")
	case n == 0:
		return Enclosure{}, refuse.Undefined("error ratio", "the lower bound is 0")
	case k == 1:
		return exactlyInt(0, prec), nil
	}
	d := derivation{g: bloomproof.Geometry{M: m, K: k, Hashing: bloomproof.Partitioned}, n: n}
	return d.enclose("error ratio", prec, prec+d.guard(BloomExcess), d.upperOverBloom)
}

// BoseErrorRatio returns Fan's bounds error ratio for Bose's upper bound (5) with the
// constant 1:
//
//	beta = t of BoseUpper
//
// Source: Fan, section 4, after (23).
// Domain, Error, Cost, Errors: as BoseUpper; ErrUndefined also for m = 1.
func BoseErrorRatio(m, n uint64, k int, prec uint) (Enclosure, error) {
	if m == 1 && k >= 1 && k <= bloomproof.MaxK && n > 0 {
		return Enclosure{}, refuse.Undefined("error ratio", "the bounds are equal")
	}
	if _, err := BoseUpper(m, n, k, 8); err != nil {
		return Enclosure{}, err
	}
	if err := precision.Check(prec); err != nil {
		return Enclosure{}, err
	}
	return ziv(prec, prec+uint(2*bits.Len(uint(k)))+24, func(work uint) *interval.Interval {
		return boseTerm(m, integer.Product(n, k), k, work)
	})
}
