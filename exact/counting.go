package exact

import (
	"math/big"
	"math/bits"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/occupancy"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

// CorrectRate returns the correct rate of a counting filter of shape g that holds n distinct items. The correct rate is
// the probability that the filter estimates the frequency of such an item correctly. This probability does not depend
// on the frequencies. The estimate is the value of the item's smallest counter. The estimate is correct if at least one
// counter of the item is hit by no other item. With literal increments, the item itself must also hit this counter
// exactly once.
//
// For distinct increments the correct rate is 1 - f(n-1), where f is the false-positive rate of g. For standard hashing
// it equals the following sum, with the weights w_j of Burns (56):
//
//	sum over j = 1..k of (-1)^(j+1) w_j (1-j/m)^((n-1)k).
//
// For literal increments and standard hashing, inclusion and exclusion gives another sum. Choose j balls of the item.
// Consider the probability that each of them is alone in its counter. The term for j adds up this probability over all
// choices, with the sign (-1)^(j+1):
//
//	sum over j = 1..k of
//	(-1)^(j+1) C(k,j) m(m-1)...(m-j+1) (m-j)^(nk-j) / m^(nk).
//
// With the other hashings an item hits no counter twice. So both kinds of increments have the same correct rate.
//
// With double hashing, partitioned double hashing, enhanced double hashing and triple hashing, inc must be Distinct.
// For distinct increments, the estimate of an item is wrong if and only if the other items hit all its counters.
// Therefore the formula 1 - f(n-1) is correct for any hashing. For literal increments, the estimate is also wrong in
// another case. Consider the item's counters that no other item hits. The estimate is wrong if the item itself hits
// each of these counters at least twice.
//
// With blocks, the item's block holds a random number of other items. The result is the mean of the block's correct
// rate over this random number.
//
// Source: Fan (24), (25), which are exact for distinct increments. The text of the paper describes literal increments.
// For literal increments, (25) is only an upper bound. For example, at m = 2, k = 2, n = 1, the value of (25) is 1, but
// the correct rate is 1/2.
// Domain: g is valid; n >= 1 items; inc is one of the constants of its type; prec is from 1 to MaxPrec bits.
// Error: relative width at most 2^-prec, also for rates near 0. The result is an exact rational if the denominator,
// before reduction, has fewer than 5000 digits.
// Cost: as for FPR by the route "difference" with signed terms, at prec + k + log2(nk) bits.
// Errors: *bloomproof.ParamError; ErrTooCostly as for FPR with blocks; ErrRange where the rate is below e^-1.3e9. The
// rate is below this limit for nk > 1.3e9 m.
func CorrectRate(g bloomproof.Geometry, n uint64, inc bloomproof.Increment, prec uint) (Enclosure, error) {
	if _, ok := ratesOf(g); ok {
		if _, err := checkCounting(standardOf(g), n, inc, prec); err != nil {
			return Enclosure{}, err
		}
		if inc != bloomproof.Distinct {
			return Enclosure{}, &bloomproof.ParamError{Param: "increment", Value: inc, Want: "distinct for " + g.Hashing.String() + " hashing"}
		}
		return Complement(g, n-1, prec)
	}
	l, err := checkCounting(g, n, inc, prec)
	if err != nil {
		return Enclosure{}, err
	}
	if b, ok := l.(blocked); ok {
		return b.correctRate(g, n, inc, prec)
	}
	h := l.(hashing)
	literal := inc == bloomproof.Literal && h.collides()
	switch {
	case n == 1 && (!literal || g.K == 1):
		return exactlyInt(1, prec), nil
	case h.full(g): // every item hits every counter
		return exactlyInt(0, prec), nil
	}
	if h.rationalBits(g, n) < precision.RationalMost {
		if literal {
			return exactly(literalRational(g.M, g.K*int(n), g.K), prec), nil
		}
		r := h.rational(g, n-1)
		return exactly(r.Sub(big.NewRat(1, 1), r), prec), nil
	}
	// Let a counter of the item be given. With distinct increments, let q be the probability that no other item hits
	// this counter. With literal increments, let q be the probability that no other ball hits this counter. The rate is
	// at least q and at most k q. Therefore bits are lost only by cancellation between the terms j = 1..k of the sum
	// for the rate. The absolute values of the weights of these terms add up to at most 2^k.
	nk := integer.Product(n, g.K)
	alone := new(big.Int).Sub(nk, big.NewInt(1))
	logMiss := func(work uint) *interval.Interval { // log of the probability that one given counter is missed
		if literal {
			return occupancy.LogEmpty(g.M, alone, work)
		}
		return h.logUnset(g, n-1, work)
	}
	if noFloat(logMiss(floatWork)) {
		return Enclosure{}, outOfRange("the correct rate")
	}
	guard := uint(min(uint64(g.K), g.M)) + uint(nk.BitLen()) + 2*uint(bits.Len(uint(g.K))) + missGuard
	return probability(ziv(prec, prec+guard, func(work uint) *interval.Interval {
		if literal {
			return literalRate(g.M, nk, g.K, work)
		}
		return h.missed(g, n-1, work)
	}))
}

// missGuard is a number of extra bits of working precision. These bits cover the rounding errors, and the loss of bits
// when a probability is computed from its logarithm. The integer part of the logarithm has up to 31 bits. The
// exponential turns the absolute error of the logarithm into a relative error.
const missGuard = 48

func checkCounting(g bloomproof.Geometry, n uint64, inc bloomproof.Increment, prec uint) (fillLaw, error) {
	l, err := checkedFillLaw(g, prec)
	if err != nil {
		return nil, err
	}
	if inc > bloomproof.Literal {
		return nil, &bloomproof.ParamError{Param: "increment", Value: inc, Want: "one of distinct, literal"}
	}
	if n < 1 {
		return nil, &bloomproof.ParamError{Param: "n", Value: n, Want: "at least 1: the rate is that of an item in the filter"}
	}
	return l, nil
}

// noFloat reports whether e^x may be too small for the exponents of big.Float.
func noFloat(x *interval.Interval) bool { return x.Lo().Cmp(big.NewFloat(leastExponent)) < 0 }

// literalRate returns the correct rate with literal increments for m >= 2 counters. A ball is one increment, and the n
// items make N = nk increments in all. The rate is (1-1/m)^(N-1) times the sum over j = 1..k of these terms:
//
//	(-1)^(j+1) C(k,j) v_j ((m-j)/(m-1))^(N-j),   v_j = (m-1)...(m-j+1)/(m-1)^(j-1).
func literalRate(m uint64, balls *big.Int, k int, work uint) *interval.Interval {
	var s altSum
	v, missV := new(big.Int).Lsh(integer.One, work), new(big.Int)
	choose, f := big.NewInt(int64(k)), new(big.Int)
	for j := 1; j <= k && uint64(j) <= m; j++ {
		u := uint64(j)
		if j > 1 { // multiplies v by (m-j+1)/(m-1), rounded down; missV bounds the error of v
			f.SetUint64(m - u + 1)
			v.Mul(v, f)
			v.Quo(v, new(big.Int).SetUint64(m-1))
			missV.Add(missV, integer.One)
			choose.Mul(choose, f.SetInt64(int64(k-j+1)))
			choose.Quo(choose, f.SetInt64(int64(j)))
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

// literalRational computes the same rate as literalRate, as an exact rational.
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
		x.Neg(x)
		x.Log(x)
	} else {
		x.Neg(x)
		x.Log1p(x)
	}
	x.Mul(x, interval.New(work).SetUint64(uint64(k)))
	x.Expm1(x)
	return x.Neg(x)
}

// CorrectRateBounds returns a lower and an upper bound of the correct rate C_r of a counting filter:
//
//	1 - (1-(1-k/m)^(n-1))^k  <=  C_r  <=  1 - (1-(1-1/m)^((n-1)k))^k.
//
// If one of the two formulas is not a bound for g and inc, CorrectRateBounds returns nil in its place.
//
// Source: Fan (26). Fan prints strict inequalities. But the two sides are equal if n, k or m is 1. Fan derives (26)
// from (20), and (26) needs the conditions of (20) too. The upper formula is a bound for standard and for partitioned
// hashing. A correct estimate is less probable with literal increments than with distinct increments. So this formula
// is a bound for literal increments too. For distinct increments and k <= m, the lower formula is a bound for any
// hashing. For partitioned hashing it equals the rate. For literal increments the lower formula is no bound, because
// its value at n = 1 is 1.
// Domain, Errors: these are the same as for CorrectRate, but the filter must not have blocks.
// Error: relative width at most 2^-prec.
// Cost: two logarithms and three exponentials for each bound.
func CorrectRateBounds(g bloomproof.Geometry, n uint64, inc bloomproof.Increment, prec uint) (lower, upper *Enclosure, err error) {
	h, err := checked(g, prec)
	if err != nil {
		return nil, nil, err
	}
	if _, err := checkCounting(g, n, inc, prec); err != nil {
		return nil, nil, err
	}
	literal := inc == bloomproof.Literal && h.collides()
	lower, err = correctBound(!literal && uint64(g.K) <= g.M, uint64(g.K) == g.M, n, g.K, prec, func(work uint) *interval.Interval {
		return logCommitteesUnset(g, n-1, work)
	})
	if err != nil {
		return nil, nil, err
	}
	rest := integer.Product(n-1, g.K)
	upper, err = correctBound(slices.Contains(h.bounds(), bloomproof.BoundBloom), g.M == 1, n, g.K, prec, func(work uint) *interval.Interval {
		return occupancy.LogEmpty(g.M, rest, work)
	})
	return lower, upper, err
}

// correctBound returns 1 - (1-q)^k, where q is the probability that no other item hits a given counter. The function
// logMiss computes log q. It returns 1 for n = 1. The argument "all" says whether every item hits every counter. If
// so, correctBound returns 0. The argument "bounds" says whether the formula is a bound. If not, correctBound
// returns nil.
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
	case noFloat(logMiss(floatWork)):
		return nil, outOfRange("the bound of the correct rate")
	default:
		guard := uint(2*bits.Len(uint(k))) + missGuard
		e, err = probability(ziv(prec, prec+guard, func(work uint) *interval.Interval {
			return oneMinusPower(logMiss(work), k, work)
		}))
	}
	return &e, err
}
