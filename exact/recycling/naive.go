package recycling

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/enclose"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/occupancy"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// This file has the estimates of Dozier-FP, section III, for the message-bounded rule: f_w (Worst), f_o (Oracle) and
// f_a (Average). They use a rate f_i. The number f_i would be the rate at the i-th new message if all earlier messages
// had been counted. There are two versions of f_i. One is the value of equation (1) at n = i-1, which exact.Bound
// computes for the kind "bloom". The other is the exact rate (exact.FPR). For standard hashing, the value of equation
// (1) is at most the exact rate. This follows from Jensen's inequality.
//
// Consider the filter after i-1 messages that each set a bit. Let rho be its rate for the bits that are then set. The
// method FPR returns the true rate of the cycle. The formula for this rate has E[rho/(1-rho)] in place of f_i/(1-f_i).
// Compare n arbitrary messages with n other messages. Each of the other messages sets a bit. The arbitrary messages set
// no more bits than the others. The function x/(1-x) is convex. Also, the mean of the numbers 1-f_i is at least their
// harmonic mean. For one phase, with and without retaining, the following inequalities result:
//
//	f_o <= f_a <= FPR of the cycle.
//
// For standard hashing, these inequalities hold with the f_i from equation (1) and with the exact f_i. For classic
// hashing they hold only with the exact f_i (TestAverages). The estimate f_w is at least f_a. But f_w is not a bound of
// the rate, because the rate is 1 if Absorbing returns true.

// averagesLimit limits the product of two numbers: the number of summands of Average, and their precision in bits. The
// constant singlesLimit is the largest number of rates that are summed one by one.
const (
	averagesLimit = 1 << 27
	singlesLimit  = 1 << 14
)

// The computation of Average uses sums of powers. These constants are for the sums. Let f_N be the rate at the last
// message. The sums converge fast if log2(1/f_N) is at least leastLog2. A remainder is negligible if it is at most
// 2^-averageRest times the permitted error of the result. The method powerSum works with more bits than the size of its
// terms requires. The constant powerSpare is the number of these additional bits. To estimate the order of magnitude of
// a rate, roughBits bits are enough.
const (
	leastLog2   = 1e-3
	averageRest = 40
	powerSpare  = 32
	roughBits   = 32
)

// Worst returns f_w, the value of formula (1) of Dozier-FP for N messages:
//
//	f_w = (1 - (1-1/m)^(kN))^k.
//
// Source: Dozier-FP, equation (1), which is equation (57) of Burns: the rate at the mean number of set bits. For
// standard hashing, this rate is less than the expected rate.
// Domain: the filter must be message-bounded and use standard hashing. The argument prec is 1 to MaxPrec bits.
// Error: relative width at most 2^-prec.
// Cost: the same as for exact.Bound with the kind "bloom".
// Errors: *bloomproof.ParamError; ErrUndefined for classic hashing, for which equation (1) is not a bound.
func (c *Cycle) Worst(prec uint) (exact.Enclosure, error) {
	if err := c.checkAverage(prec); err != nil {
		return exact.Enclosure{}, err
	}
	return exact.Bound(bloomproof.BoundBloom, c.g.Geometry, c.r.Messages, prec)
}

// Oracle returns f_o, the average of formula (1) of Dozier-FP over the first N messages. Let x = (1-1/m)^k, and let f_i
// = (1 - x^(i-1))^k. Then f_o is the mean of these numbers:
//
//	f_o = sum over i = 1..N of f_i / N.
//
// Each f_i is expanded in powers of x, which are summed as geometric series.
//
// Source: Dozier-FP, equation (2), with equation (1) at n = i-1, because i-1 messages are recorded before the i-th
// message. The paper prints n = i.
// Domain: the same as for Worst. The result is at most the result of Average.
// Error: relative width at most 2^-prec; exactly 0 for N = 1.
// Cost: 2k exponentials at prec + k + log2(1/f_w) bits, for any N.
// Errors: the errors of Worst; ErrTooCostly.
func (c *Cycle) Oracle(prec uint) (exact.Enclosure, error) {
	n := c.r.Messages
	switch err := c.checkAverage(prec); {
	case err != nil:
		return exact.Enclosure{}, err
	case n == 1:
		return enclose.Int(0, prec), nil
	case c.g.M == 1:
		return enclose.Rational(new(big.Rat).SetFrac(integer.Uint(n-1), integer.Uint(n)), prec), nil
	}
	first, err := c.averageBits(prec, c.g.K, float64(c.g.K))
	if err != nil {
		return exact.Enclosure{}, err
	}
	return enclose.Probability(enclose.Ziv(prec, first, func(work uint) *interval.Interval {
		x := c.powerSum(c.g.K, work)
		return x.Quo(x, interval.New(work).SetUint64(n))
	}))
}

// Average returns f_a. Unlike the f_o of Oracle, this average includes the arrivals that set no bit. The average f_a is
// S/(N+S), where S is this sum:
//
//	S = sum over i = 1..N of f_i/(1-f_i).
//
// S is also the sum of f_i^r over r >= 1 and i = 1..N.
//
// Source: Dozier-FP, equation (3). As in Oracle, equation (1) is used with n = i-1. The number p_i = E[F_i] of the
// paper is only a bound of a mean. The formula E[R_i] = p_i/(1-p_i) of the paper is true only for given set bits. FPR
// returns the true rate.
// Domain: the same as for Worst. The result is at most the result of FPR.
// Error: the same as for Oracle. The sum over r stops after R terms. Its remainder is then at most f_N/(1-f_N) times
// the last term.
// Cost: k R^2/2 exponentials, where R = prec/log2(1/f_N). If there are few messages, the cost is N products and N
// powers.
// Errors: the errors of Oracle; ErrTooCostly if f_N is near 1 and there are over 2^14 messages; ErrUndefined for m = 1
// and N > 1. In the last case no second message is ever counted.
func (c *Cycle) Average(prec uint) (exact.Enclosure, error) {
	n := c.r.Messages
	switch err := c.checkAverage(prec); {
	case err != nil:
		return exact.Enclosure{}, err
	case n <= singlesLimit || c.g.M == 1:
		return c.averageOf(prec, func(i uint64, work uint) (exact.Enclosure, error) {
			return exact.Bound(bloomproof.BoundBloom, c.g.Geometry, i, work)
		})
	}
	return c.averageSeries(prec)
}

// averageSeries returns f_a, the result of Average, as a sum of powers f_i^r. It requires m >= 2 and N >= 2.
func (c *Cycle) averageSeries(prec uint) (exact.Enclosure, error) {
	n := c.r.Messages
	last, err := exact.Bound(bloomproof.BoundBloom, c.g.Geometry, n-1, 2*roughBits)
	if err != nil {
		return exact.Enclosure{}, err
	}
	var x big.Float
	exp := last.Hi().MantExp(&x)
	p, _ := x.Float64()
	size := -float64(exp) - math.Log2(p) // log2(1/f_N)
	if size < leastLog2 {
		return exact.Enclosure{}, refuse.TooCostly("the average", float64(n), singlesLimit)
	}
	powers := int(float64(precision.Cut(prec+averageRest))/size) + 2
	first, err := c.averageBits(prec, c.g.K*powers, float64(c.g.K)*float64(powers)*float64(powers))
	if err != nil {
		return exact.Enclosure{}, err
	}
	return enclose.Probability(enclose.Ziv(prec, first, func(work uint) *interval.Interval {
		sum, t := interval.New(work), interval.New(work)
		for r := 1; r <= powers; r++ {
			sum.Add(sum, t.Set(c.powerSum(c.g.K*r, work)))
		}
		rest := interval.New(work).SetUint64(1)
		rest.Sub(rest, enclose.Of(last))
		rest.Quo(enclose.Of(last), rest)
		rest.Mul(rest, t)
		sum.Add(sum, interval.New(work).SetEnds(new(big.Float), rest.Hi()))
		return sum.Quo(sum, t.Add(sum, interval.New(work).SetUint64(n)))
	}))
}

// A function of the type "single" returns the rate after i messages.
type single func(i uint64, prec uint) (exact.Enclosure, error)

// checkAverage returns an error if prec or the rule of c is not valid for the averages. It also returns an error if
// equation (1) of Dozier-FP is not a bound for the hashing.
func (c *Cycle) checkAverage(prec uint) error {
	if c.r.Messages == 0 {
		return &bloomproof.ParamError{Param: "messages", Value: c.r.Messages, Want: "at least 1 (the message-bounded rule)"}
	}
	if err := precision.Check(prec); err != nil {
		return err
	}
	if !c.g.meanRate {
		return refuse.Undefined("rate (1)", fmt.Sprintf("of %v hashing it is no bound", c.g.is))
	}
	return nil
}

// averageBits returns the first working precision for calls of powerSum. The argument "exponent" is the largest
// exponent of these calls, and the argument "terms" is the total number of terms of their sums.
func (c *Cycle) averageBits(prec uint, exponent int, terms float64) (uint, error) {
	last, err := exact.Bound(bloomproof.BoundBloom, c.g.Geometry, c.r.Messages-1, roughBits)
	if err != nil {
		return 0, err
	}
	first := prec + uint(exponent+2*bits.Len64(c.r.Messages)+powerSpare) + uint(max(0, -last.Lo().MantExp(nil)))
	if cost := terms * float64(first); cost > averagesLimit {
		return 0, refuse.TooCostly("the average", cost, averagesLimit)
	}
	return first, nil
}

// powerSum returns the sum over i < N of (1-x^i)^e, where x = (1-1/m)^k. By the binomial theorem, this sum is equal to:
//
//	N + sum over j = 1..e of (-1)^j C(e,j) (1-x^(jN))/(1-x^j).
func (c *Cycle) powerSum(e int, work uint) *interval.Interval {
	log := occupancy.LogEmpty(c.g.M, big.NewInt(int64(c.g.K)), work)
	n := interval.New(work).SetUint64(c.r.Messages)
	sum := interval.New(work).Set(n)
	for j, w := range integer.BinomialRow(e) {
		if j == 0 {
			continue
		}
		t := interval.New(work).SetInt(w)
		step := interval.New(work).Mul(log, interval.New(work).SetUint64(uint64(j)))
		t.Mul(t, interval.New(work).Expm1(interval.New(work).Mul(step, n)))
		step.Expm1(step)
		t.Quo(t, step)
		if j&1 == 0 {
			sum.Add(sum, t)
		} else {
			sum.Sub(sum, t)
		}
	}
	return sum
}

// averageOf returns S/(N+S), where S is the sum of f_i/(1-f_i) over i = 1..N. The rate at the i-th of the N messages of
// a cycle is f_i. The function f computes it from the number i-1 of earlier messages.
func (c *Cycle) averageOf(prec uint, f single) (exact.Enclosure, error) {
	if c.r.Messages == 1 {
		return enclose.Int(0, prec), nil
	}
	n := new(big.Int).SetUint64(c.r.Messages)
	return enclose.Probability(enclose.ZivErr(prec, prec+2*uint(bits.Len64(c.r.Messages))+precision.Spare, func(work uint) (*interval.Interval, error) {
		sum, t := interval.New(work), interval.New(work)
		for i := uint64(1); i < c.r.Messages; i++ {
			p, err := f(i, work)
			if err != nil {
				return nil, err
			}
			if x, ok := p.Rat(); ok && x.Cmp(big.NewRat(1, 1)) == 0 {
				return nil, refuse.Undefined("average", "the filter is full before its last message")
			}
			t.Sub(interval.New(work).SetUint64(1), enclose.Of(p))
			t.Quo(enclose.Of(p), t)
			sum.Add(sum, t)
		}
		t.SetInt(n)
		t.Add(sum, t)
		return sum.Quo(sum, t), nil
	}))
}
