package fnr

import (
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// ofRepeats returns the long-run rates of a one-phase filter with fresh positions that
// does not retain, where nothing new arrives (p_r = 1), for any popularity at full size:
// means over the cycles that end, as byGroups gives them. With arrivals at the times of a
// Poisson process of rate 1 the messages come independently, so that the number N(t) of
// those that came is a sum of independent indicators, and
//
//	V = integral over t > 0 of F(t),   F(t) = E[v_N(t)] - v_D,   f_n V = sum of u_i.
//
// The integral is the trapezoidal sum with steps h, S = h (F(0)/2 + F(h) + F(2h) + ...),
// and nearly exact: |S - V| <= 3.3 (h/pi)^(2p) V. By Euler and Maclaurin the difference is
// made of odd derivatives at 0 up to the order 2p-1 and of at most
// 2 zeta(2p) (h/2 pi)^(2p) times the integral of |F^(2p)|. The derivatives at 0 vanish up to
// the order n if v_n = 1: the first n messages always fit. And |F^(n)| <= 2^n F: with A the
// generator of the set of messages that came, which is left at a rate of at most 1,
// F^(n)(t) = E[(A^n v)(S(t))], where |A^n v|(S) <= 2^n (v_|S| - v_D), as v falls and sets
// only grow.
//
// Source: Dozier-FN (16)-(18), without the mean-field step (19); derived here.
// Domain: fresh positions, one phase, not retaining, p_r = 1.
// Error: relative widths at most 2^-prec.
// Cost: for each step the distribution of N(t), D times the messages that a cycle can hold; about
// V/2 steps where 3 prec messages always fit, four times as many where prec/3 do. Measured
// for 17 digits, (m, k, sigma) = (2000, 5, 200), Zipf(1) of 200: 4 s.
// Errors: *bloomproof.ParamError; ErrUndefined outside of the domain, where the filter
// does not recycle, and where v_D is not below the precision asked; ErrTooCostly above
// 2^27 products.
func (c *System) ofRepeats(prec uint) (*Rates, error) {
	if err := precision.Check(prec); err != nil {
		return nil, err
	}
	if c.r.TwoPhase || !c.r.FreshPositions || c.r.Retain || c.w.Repeat < 1 {
		return nil, refuse.Undefined("rates of repeats only", "they are for one phase, fresh positions, no retaining and p_r = 1")
	}
	d := tracked(c.w)
	if d > maxListed {
		return nil, refuse.TooCostly("a list of ranks", float64(d), maxListed)
	}
	for work := prec + subtractingBits; work < prec+precision.MaxGuard; work += prec + subtractingBits {
		f := field.Intervals(work)
		q := &grouped{f: f, c: c, last: -1, all: []peers{{n: d}}, arrives: f.Int(0)}
		if err := q.fill(work); err != nil {
			return nil, err
		}
		if q.ending.Sign() > 0 && q.ending.Lo().MantExp(nil) > -int(prec) {
			return nil, errFitsAll
		}
		v, err := q.repeatsOnly(prec, work)
		if err != nil {
			return nil, err
		}
		s := &groupSums{v: v}
		for t := range s.tally {
			s.tally[t] = f.Int(0)
		}
		for i := range q.fits {
			s.tally[falseNegative].Add(s.tally[falseNegative], q.loud[i])
			s.tally[lucky].Add(s.tally[lucky], q.lucky[i])
		}
		q.widen(s)
		m := q.perArrival([]*interval.Interval{f.Int(1)}, []*groupSums{s})
		if x, good := c.enclosed(m, f, prec); good {
			return x, nil
		}
		if q.fitsAll(prec) {
			return nil, errFitsAll
		}
	}
	return nil, fmt.Errorf("rates of repeats only: %w", exact.ErrPrecision)
}

// The sum is off by 2^-sumBits of the width that is wanted at most. Its steps have stepBits
// bits, so that products by them are cheap.
const (
	sumBits    = 8
	stepBits   = 20
	factorBits = 4 // of 3.3, and of what rounding the step down takes
)

// repeatsOnly returns V.
func (q *grouped) repeatsOnly(prec, work uint) (*interval.Interval, error) {
	f, w := q.f, q.c.w
	always := q.c.r.Messages // messages that always fit, and one
	if q.c.r.Messages == 0 {
		always = q.c.r.Sigma/uint64(q.c.g.K) + 1
	}
	order := float64(always - always&1) // 2p
	if order == 0 {
		return nil, refuse.Undefined("rates of repeats only", "not even one message always fits")
	}
	// 3.3 (h/pi)^2p <= 2^-(prec+sumBits).
	step := math.Pi * math.Exp2(-(float64(prec)+sumBits+factorBits)/order)
	digits := stepBits - math.Ilogb(step)
	step = math.Ldexp(math.Floor(math.Ldexp(step, digits)), -digits)
	h := f.Zero().SetRat(new(big.Rat).SetFloat64(step))

	d := int(q.all[0].n)
	if least := atPrecision(float64(d)*float64(len(q.fits))/step, work); least > repeatsLimit { // V >= 1
		return nil, refuse.TooCostly("the integral over a Poisson-binomial distribution", least, repeatsLimit)
	}
	weight := weightAt(w.Popularity, work)
	stay, once := make([]*interval.Interval, d), make([]*interval.Interval, d) // e^(-q t), e^(-q h)
	sum := f.Int(0)
	for j := range stay {
		once[j] = weight(uint64(j))
		sum.Add(sum, once[j])
	}
	rarest := f.Zero().Quo(once[d-1], sum)
	for j, x := range once {
		x.Quo(x, sum)
		x.Mul(x, h)
		x.Neg(x)
		x.Exp(x)
		stay[j] = f.Int(1)
	}
	running := make([]*interval.Interval, len(q.fits)) // v_i - v_D
	for i, v := range q.fits {
		running[i] = f.Zero().Sub(v, q.ending)
	}
	none := new(big.Float)
	beyond := f.Zero().SetEnds(none, q.ending.Hi()) // what more messages than fits has can add
	if len(q.fits) == d {
		beyond = f.Int(0)
	}
	total := f.Zero().MulPow2(running[0], -1)
	t, come := f.Zero(), f.Zero()
	law := make([]*interval.Interval, len(q.fits))
	for i := range law {
		law[i] = f.Zero()
	}
	for steps := 0.0; ; {
		for _, x := range law {
			x.SetUint64(0)
		}
		law[0].SetUint64(1)
		for j, x := range stay {
			x.Mul(x, once[j])
			come.Sub(f.Int(1), x)
			for i := min(j+1, len(law)-1); i > 0; i-- {
				law[i].Mul(law[i], x)
				law[i].Add(law[i], t.Mul(law[i-1], come))
			}
			law[0].Mul(law[0], x)
			steps += float64(min(j+1, len(law)))
		}
		if cost := atPrecision(steps, work); cost > repeatsLimit {
			return nil, refuse.TooCostly("the integral over a Poisson-binomial distribution", cost, repeatsLimit)
		}
		at := f.Zero().Set(beyond)
		for i, p := range law {
			at.Add(at, t.Mul(p, running[i]))
		}
		total.Add(total, at)
		// The rest of the sum is at most the integral from here on, and that at most F times
		// the mean time until all messages have come, D/q_(D-1) at most.
		if rest := f.Zero().Quo(f.Zero().Mul(at, f.Uint(uint64(d))), rarest); rest.Hi().MantExp(nil) < -int(prec)-sumBits-factorBits {
			total.Mul(total, h)
			rest.SetEnds(none, rest.Hi())
			total.Add(total, rest)
			one := big.NewFloat(1)
			off := new(big.Float).SetMantExp(one, -int(prec)-sumBits)
			near := f.Zero().SetEnds(new(big.Float).SetPrec(work).Sub(one, off), new(big.Float).SetPrec(work).Add(one, off))
			return total.Quo(total, near), nil
		}
	}
}

// repeatsLimit is the most products of ofRepeats, some 1 us each.
const repeatsLimit = 1 << 27
