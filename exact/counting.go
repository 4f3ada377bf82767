package exact

import (
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/occupancy"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

// CorrectRate returns the correct rate of a counting filter of shape g that holds n
// distinct items: the probability that the smallest counter of one of them tells its
// frequency, whatever the frequencies are. It does when one of the item's counters is
// hit by no other item (and, with literal increments, by the item once only).
//
//	distinct   1 - f(n-1), f the false-positive rate of g; for standard hashing
//	           sum over j = 1..k of (-1)^(j+1) w_j (1-j/m)^((n-1)k), w_j as in Burns (56)
//	literal    standard hashing: sum over j = 1..k of
//	           (-1)^(j+1) C(k,j) m(m-1)...(m-j+1) (m-j)^(nk-j) / m^(nk),
//	           inclusion and exclusion over which of the item's k balls lie alone; with
//	           the other hashings an item hits no counter twice, so it is the same
//
// Source: Fan (24), (25), exact for distinct increments. For literal ones, which the
// text describes, (25) is only an upper bound: at m = 2, k = 2, n = 1 the rate is 1/2.
// Domain: g valid; n >= 1 items; inc known; prec 1 to MaxPrec bits.
// Error: relative width at most 2^-prec, also near 0; the rational itself is computed
// where the denominator before reduction has fewer than 5000 digits.
// Cost: as FPR by differences with signs, at prec + k + log2(nk) bits.
// Errors: *bloomproof.ParamError; ErrRange where the rate is below e^-1.3e9, at
// nk > 1.3e9 m.
func CorrectRate(g bloomproof.Geometry, n uint64, inc bloomproof.Increment, prec uint) (Enclosure, error) {
	if err := checkCounting(g, n, inc, prec); err != nil {
		return Enclosure{}, err
	}
	literal := inc == bloomproof.Literal && g.Hashing == bloomproof.Standard
	one := exactlyInt(1, prec)
	switch {
	case n == 1 && (!literal || g.K == 1):
		return one, nil
	case g.M == 1 || g.M == uint64(g.K) && g.Hashing != bloomproof.Standard: // every item hits every counter
		return exactlyInt(0, prec), nil
	}
	if rationalBits(g, n) < precision.RationalMost {
		if literal {
			return exactly(literalRational(g.M, g.K*int(n), g.K), prec), nil
		}
		r := rational(g, n-1)
		return exactly(r.Sub(big.NewRat(1, 1), r), prec), nil
	}
	// The rate is at least that of one counter, q, and the sum over j divided by q at
	// most k: what cancels are the weights, which sum to at most 2^k.
	nk, rest := integer.Product(n, g.K), integer.Product(n-1, g.K)
	alone := new(big.Int).Sub(nk, big.NewInt(1))
	logMiss := func(work uint) *interval.Interval { // of one counter
		switch {
		case literal:
			return occupancy.LogEmpty(g.M, alone, work)
		case g.Hashing == bloomproof.Standard:
			return occupancy.LogEmpty(g.M, rest, work)
		}
		return logSpared(g.M, n-1, g.K, work)
	}
	if noFloat(logMiss(64)) {
		return Enclosure{}, outOfRange("the correct rate")
	}
	guard := uint(min(uint64(g.K), g.M)) + uint(nk.BitLen()) + 2*uint(bits.Len(uint(g.K))) + 48
	return probability(ziv(prec, prec+guard, func(work uint) *interval.Interval {
		switch {
		case literal:
			return literalRate(g.M, nk, g.K, work)
		case g.Hashing == bloomproof.Standard:
			return standardMiss(g.M, rest, g.K, work)
		case g.Hashing == bloomproof.Classic:
			return classicMiss(g.M, n-1, g.K, work)
		}
		return oneMinusPower(logMiss(work), g.K, work)
	}))
}

func checkCounting(g bloomproof.Geometry, n uint64, inc bloomproof.Increment, prec uint) error {
	if err := valid(g); err != nil {
		return err
	}
	if err := inc.Validate(); err != nil {
		return err
	}
	if n < 1 {
		return &bloomproof.ParamError{Param: "n", Value: n, Want: "at least 1: the rate is that of an item in the filter"}
	}
	return precision.Check(prec)
}

// noFloat reports whether e^x may be too small for a floating-point number.
func noFloat(x *interval.Interval) bool { return x.Lo().Cmp(big.NewFloat(leastExponent)) < 0 }

// logSpared returns log (1-k/m)^n, m > k.
func logSpared(m, n uint64, k int, work uint) *interval.Interval {
	x := interval.New(work).SetUint64(uint64(k))
	x.Log1p(x.Neg(x.Quo(x, interval.New(work).SetUint64(m))))
	return x.Mul(x, interval.New(work).SetUint64(n))
}

// standardMiss returns 1 - E[(X/m)^k], X occupied of N >= 1 balls, m >= 2: the terms of
// (56) from j = 1 on, over (1-1/m)^N.
func standardMiss(m uint64, n *big.Int, k int, work uint) *interval.Interval {
	w := cutWeights(m, k, work)
	var s altSum
	for j, c := range w.c {
		if j == 0 {
			continue
		}
		if uint64(j) == m {
			break
		}
		q, missQ := powFixed(m-uint64(j), m-1, n, work)
		s.add(j-1, c, w.missed, q, missQ)
	}
	x := w.over(m, k, s.enclosure(work, work+w.scale))
	return x.Mul(x, interval.New(work).Exp(occupancy.LogEmpty(m, n, work)))
}

// classicMiss returns 1 - f_C for n >= 1 items, m > k: the terms of Burns (60) from
// j = 1 on, over (1-k/m)^n.
func classicMiss(m, n uint64, k int, work uint) *interval.Interval {
	var s altSum
	none, w, f := new(big.Int), big.NewInt(int64(k)), new(big.Int)
	classicPowers(m-1, new(big.Int).SetUint64(n), k, k-1, work, func(i int, q, missed *big.Int) {
		s.add(i, w, none, q, missed)
		w.Quo(w.Mul(w, f.SetInt64(int64(k-i-1))), f.SetInt64(int64(i+2))) // C(k, i+2)
	})
	x := s.enclosure(work, work)
	return x.Mul(x, interval.New(work).Exp(logSpared(m, n, k, work)))
}

// literalRate returns the literal rate for N = nk balls, m >= 2, over (1-1/m)^(N-1):
//
//	sum (-1)^(j+1) C(k,j) v_j ((m-j)/(m-1))^(N-j),   v_j = (m-1)...(m-j+1)/(m-1)^(j-1).
func literalRate(m uint64, balls *big.Int, k int, work uint) *interval.Interval {
	var s altSum
	v, missV := new(big.Int).Lsh(integer.One, work), new(big.Int)
	choose, f := big.NewInt(int64(k)), new(big.Int)
	for j := 1; j <= k && uint64(j) <= m; j++ {
		u := uint64(j)
		if j > 1 { // v and its missing part times (m-j+1)/(m-1), rounded
			f.SetUint64(m - u + 1)
			v.Quo(v.Mul(v, f), new(big.Int).SetUint64(m-1))
			missV.Add(missV, integer.One)
			choose.Quo(choose.Mul(choose, f.SetInt64(int64(k-j+1))), f.SetInt64(int64(j)))
		}
		q, missQ := new(big.Int).Lsh(integer.One, work), new(big.Int) // 0^0 = 1
		if e := new(big.Int).Sub(balls, big.NewInt(int64(j))); e.Sign() > 0 {
			q, missQ = powFixed(m-u, m-1, e, work)
		}
		s.add(j-1, new(big.Int).Mul(choose, v), new(big.Int).Mul(choose, missV), q, missQ)
	}
	x := s.enclosure(work, 2*work)
	n := new(big.Int).Sub(balls, integer.One)
	return x.Mul(x, interval.New(work).Exp(occupancy.LogEmpty(m, n, work)))
}

// literalRational is literalRate in rationals.
func literalRational(m uint64, balls, k int) *big.Rat {
	sum, t := new(big.Int), new(big.Int)
	falling, f := big.NewInt(1), new(big.Int)
	for j := 1; j <= k && uint64(j) <= m; j++ {
		falling.Mul(falling, f.SetUint64(m-uint64(j)+1))
		t.Mul(falling, integer.Power(t.SetUint64(m-uint64(j)), uint64(balls-j)))
		t.Mul(t, f.Binomial(int64(k), int64(j)))
		if j&1 == 1 {
			sum.Add(sum, t)
		} else {
			sum.Sub(sum, t)
		}
	}
	return new(big.Rat).SetFrac(sum, integer.Power(t.SetUint64(m), uint64(balls)))
}

// oneMinusPower returns 1 - (1-e^a)^k for a < 0.
func oneMinusPower(a *interval.Interval, k int, work uint) *interval.Interval {
	x := interval.New(work).Exp(a)
	if x.Hi().Cmp(big.NewFloat(0.5)) > 0 {
		x.Expm1(a)
		x.Log(x.Neg(x))
	} else {
		x.Log1p(x.Neg(x))
	}
	x.Mul(x, interval.New(work).SetUint64(uint64(k)))
	return x.Neg(x.Expm1(x))
}

// CorrectRateBounds returns the bounds of the correct rate of a counting filter,
//
//	1 - (1-(1-k/m)^(n-1))^k  <=  C_r  <=  1 - (1-(1-1/m)^((n-1)k))^k,
//
// nil for one that bounds nothing.
//
// Source: Fan (26), printed with strict inequalities: at n = 1, k = 1 and m = 1 they are
// equalities. From (20), so with what that is worth: the upper one bounds standard
// hashing (and literal increments there, which are correct less often) and partitioned,
// the lower one distinct increments for k <= m with any hashing; for partitioned hashing
// it is the rate. For literal increments it fails: at n = 1 it is 1.
// Domain, Errors: as CorrectRate.
// Error: relative width at most 2^-prec.
// Cost: two logarithms, three exponentials each.
func CorrectRateBounds(g bloomproof.Geometry, n uint64, inc bloomproof.Increment, prec uint) (lower, upper *Enclosure, err error) {
	if err := checkCounting(g, n, inc, prec); err != nil {
		return nil, nil, err
	}
	literal := inc == bloomproof.Literal && g.Hashing == bloomproof.Standard
	lower, err = correctBound(!literal && uint64(g.K) <= g.M, uint64(g.K) == g.M, n, g.K, prec, func(work uint) *interval.Interval {
		return logSpared(g.M, n-1, g.K, work)
	})
	if err != nil {
		return nil, nil, err
	}
	rest := integer.Product(n-1, g.K)
	upper, err = correctBound(g.Hashing != bloomproof.Classic, g.M == 1, n, g.K, prec, func(work uint) *interval.Interval {
		return occupancy.LogEmpty(g.M, rest, work)
	})
	return lower, upper, err
}

// correctBound returns 1 - (1-q)^k, log q = logMiss: 1 for n = 1 and 0 where every item
// hits every counter, or nil unless it is a bound.
func correctBound(bounds, all bool, n uint64, k int, prec uint, logMiss func(work uint) *interval.Interval) (*Enclosure, error) {
	var e Enclosure
	var err error
	switch {
	case !bounds:
		return nil, nil
	case n == 1:
		e = exactlyInt(1, prec)
	case all:
		e = exactlyInt(0, prec)
	case noFloat(logMiss(64)):
		return nil, outOfRange("the bound of the correct rate")
	default:
		guard := uint(2*bits.Len(uint(k))) + 48
		e, err = probability(ziv(prec, prec+guard, func(work uint) *interval.Interval {
			return oneMinusPower(logMiss(work), k, work)
		}))
	}
	return &e, err
}
