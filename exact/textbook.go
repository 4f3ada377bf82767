package exact

import (
	"fmt"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// All textbook formulas follow from equation (66) of Burns, f = (1-e^(-nk/m))^k. In this equation k can be any positive
// real number. The results of OptimalK, MostItems and LeastBits can be compared with these formulas.

func ln2Interval(work uint) *interval.Interval {
	x := interval.New(work).SetUint64(2)
	return x.Log(x)
}

// checkCount returns an error if the value is 0, because a formula divides by it.
func checkCount(name string, value uint64) error {
	if value < 1 {
		return &bloomproof.ParamError{Param: name, Value: value, Want: "between 1 and 2^64-1"}
	}
	return fault.Part()
}

func ln2Times(x *big.Rat, work uint) *interval.Interval {
	return interval.New(work).Mul(ln2Interval(work), interval.New(work).SetRat(x))
}

// TextbookK returns the number of positions per item that the textbooks recommend for n items and the m bits of g. It
// is the real number k that minimises the formula of BoundExponential, rounded to the nearest integer. It is at least
// 1, and it can be above 4096. The field K of g is ignored. The formula is as follows:
//
//	k = max(1, round((m/n) ln 2)).
//
// Source: Burns (67).
// Domain: g is valid and has no blocks, 1 <= n < 2^64.
// Error: none, because the correct rounding is certain.
// Cost: a logarithm.
// Errors: *bloomproof.ParamError.
func TextbookK(g bloomproof.Geometry, n uint64) (uint64, error) {
	g.K = 1
	if _, err := hashingOf(g); err != nil {
		return 0, err
	}
	if err := checkCount("n", n); err != nil {
		return 0, err
	}
	k, err := floored(func(work uint) *interval.Interval {
		x := ln2Times(new(big.Rat).SetFrac(new(big.Int).SetUint64(g.M), new(big.Int).SetUint64(n)), work)
		return x.Add(x, interval.New(work).SetRat(big.NewRat(1, 2)))
	})
	return max(1, k), err
}

// TextbookM returns the textbook number of bits for n items at the rate p:
//
//	m = ceil(-n log2 p/ln 2).
//
// Source: Burns (68).
// Domain: 0 <= n < 2^64, 0 < p < 1. The answer is 1 for n = 0.
// Error: none, because the correct rounding is certain.
// Cost: two logarithms.
// Errors: *bloomproof.ParamError; ErrRange where the answer is above 2^64-1.
func TextbookM(n uint64, p *big.Rat) (uint64, error) {
	if err := checkTarget(p); err != nil {
		return 0, err
	}
	if n == 0 {
		return 1, nil
	}
	m, err := floored(func(work uint) *interval.Interval {
		x, l := logTarget(p, work), ln2Interval(work)
		x.Neg(x)
		x.Mul(x, interval.New(work).SetUint64(n))
		l.Mul(l, l)
		return x.Quo(x, l)
	})
	if err == nil && m == 1<<64-1 {
		err = fmt.Errorf("m is above 2^64-1: %w", refuse.ErrRange)
	}
	return m + 1, err // the real number is not an integer, so it is rounded up
}

// TextbookN returns the textbook number of items for m bits at the rate p:
//
//	n = floor(-m ln 2/log2 p).
//
// Source: Burns (68).
// Domain: 1 <= m < 2^64, 0 < p < 1.
// Error: none, because the correct rounding is certain.
// Cost: two logarithms.
// Errors: *bloomproof.ParamError; ErrRange where the answer is above 2^64-1.
func TextbookN(m uint64, p *big.Rat) (uint64, error) {
	if err := checkCount("m", m); err != nil {
		return 0, err
	}
	if err := checkTarget(p); err != nil {
		return 0, err
	}
	return floored(func(work uint) *interval.Interval {
		x, l := logTarget(p, work), ln2Interval(work)
		l.Mul(l, l)
		l.Mul(l, interval.New(work).SetUint64(m))
		x.Neg(x)
		return l.Quo(l, x)
	})
}

// The function f encloses a number x > 0 at any precision. The function "floored" returns the largest integer that is
// at most x. The number x depends on ln 2 and is not an integer. Therefore, at some precision, no integer lies in the
// enclosure.
func floored(f func(work uint) *interval.Interval) (uint64, error) {
	const first, most = 96, 1 << 12 // precisions in bits: 32 more than a uint64 has, then doubled if needed
	for work := uint(first); work <= most; work *= 2 {
		x := f(work)
		lo, _ := x.Lo().Int(nil)
		hi, _ := x.Hi().Int(nil)
		switch {
		case x.Valid() && lo.Cmp(hi) == 0 && lo.IsUint64():
			return lo.Uint64(), nil
		case x.Valid() && lo.BitLen() > 64:
			return 0, fmt.Errorf("a count is above 2^64-1: %w", refuse.ErrRange)
		}
	}
	return 0, undecided(most)
}
