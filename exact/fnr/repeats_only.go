package fnr

import (
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// ofRepeats returns the long-run rates of a one-phase filter with fresh positions. The filter does not retain messages,
// and no new messages arrive. The method works for any popularity of the messages, and for filters of any size. A cycle
// may never end. As in byGroups, the rates are means over the cycles that do end. Let the messages arrive at the times
// of a Poisson process of rate 1. Then their first arrivals are independent. So the number N(t) of messages that have
// arrived by the time t is a sum of independent indicators. Let D be the number of messages, and let v_i be the
// probability that i messages fit. Let u_i be the probability that i messages fit and one more message sets a new bit.
// The following formulas give the mean number V of arrivals of a cycle and the false-negative rate f_n.
//
//	V = integral over t > 0 of F(t),   F(t) = E[v_N(t)] - v_D   and   f_n V = sum of u_i.
//
// The integral V of F is computed as the trapezoidal sum S = h (F(0)/2 + F(h) + F(2h) + ...). This sum is nearly exact.
// If the first 2p-1 messages always fit, then |S - V| <= 3.3 (h/pi)^(2p) V. By the Euler-Maclaurin formula the
// difference S - V has two parts. The first part has terms with the odd derivatives of F at 0 up to the order 2p-1. If
// the first n messages always fit (v_n = 1), the derivatives at 0 up to the order n vanish. The second part is a
// remainder of at most 2 zeta(2p) (h/(2 pi))^(2p) times the integral of |F^(2p)|.
//
// The remainder is small, because the n-th derivative of F satisfies |F^(n)| <= 2^n F. This inequality is proved as
// follows. Let S(t) be the set of messages that have arrived, and let A be the generator of this process. The process
// S(t) leaves each of its states at a rate of at most 1. Then F^(n)(t) = E[(A^n v)(S(t))]. The number v_i falls as i
// grows, and messages are never removed from S. Therefore |A^n v|(S) <= 2^n (v_|S| - v_D).
//
// Source: Dozier-FN, equations (16) to (18), without the mean-field step of equation (19). The formulas are derived
// here.
// Domain: the filter must draw fresh positions and have one phase. It must not retain the triggering message. The
// number p_r must be 1.
// Error: the relative widths are at most 2^-prec.
// Cost: each step of the sum computes the distribution of N(t). This takes D products for each message that fits into a
// cycle. Suppose that the first 3*prec messages of a cycle always fit. Then there are about V/2 steps. Now suppose that
// the first prec/3 messages always fit, but no more than these. Then there are about 2V steps. For example, let (m, k,
// sigma) = (2000, 5, 200), and let 200 messages have Zipf(1) popularities. Then the method takes 4 s for 17 digits.
// Errors: *bloomproof.ParamError. The error is ErrUndefined outside the domain. It is also ErrUndefined if the filter
// does not recycle. Let v_D be the probability that all messages fit. If v_D is about 2^-prec or more, the error is
// ErrUndefined too. The error is ErrTooCostly if more than 2^27 products are needed.
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
	for work := precision.First(prec, prec+subtractingBits); work < prec+precision.MaxGuard; work += prec + subtractingBits {
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

// The error of the sum is at most 2^-sumBits times the required width. The step h has stepBits bits, so that
// multiplying by h is cheap.
const (
	sumBits    = 8
	stepBits   = 20
	factorBits = 4 // covers the factor 3.3 and the rounding of the step
)

// repeatsOnly returns V, the mean number of arrivals of a cycle.
func (q *grouped) repeatsOnly(prec, work uint) (*interval.Interval, error) {
	if err := fault.Part(); err != nil {
		return nil, err
	}
	f, w := q.f, q.c.w
	always := q.c.r.Messages // becomes one more than the number of messages that always fit
	if q.c.r.Messages == 0 {
		always = q.c.r.Sigma/uint64(q.c.g.K) + 1
	}
	order := float64(always - always&1) // the order 2p
	if order == 0 {
		return nil, refuse.Undefined("rates of repeats only", "not even one message always fits")
	}
	// The variable "order" is 2p. The step h is chosen so that the relative error of the sum, 3.3 (h/pi)^(2p), is at
	// most 2^-(prec+sumBits).
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
	beyond := f.Zero().SetEnds(none, q.ending.Hi()) // the contribution of the levels that fits does not have
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
		// The rest of the sum is at most the integral of the integrand F from this time on. This integral is at most a
		// product of two factors. One factor is the value of F at this time. The other factor is the mean time until
		// all D messages have arrived. The mean time is at most D/q_(D-1), where q_(D-1) is the smallest popularity.
		if rest := f.Zero().Quo(f.Zero().Mul(at, f.Uint(uint64(d))), rarest); rest.Hi().MantExp(nil) < -precision.Cut(prec+sumBits+factorBits) {
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

// repeatsLimit is the largest permitted number of products in ofRepeats. Each product takes about 1 us.
const repeatsLimit = 1 << 27
