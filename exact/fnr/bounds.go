package fnr

import (
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof/exact/internal/enclose"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// This file bounds the rates in the case that new messages arrive and may enter at any rank. No formula is known for
// the rates in this case. The reason is that the set of recorded messages depends on two things: which messages
// arrived, and how new messages shifted the ranks. But the moments of the number of distinct messages can be computed.
// They lead to an enclosure of the mean length of a cycle.
//
// Notation: an arrival is a repeat with probability p_r and otherwise a new message. The false-positive rate is f_p,
// the false-negative rate is f_n, and V is the mean number of arrivals in a cycle. E[X; A] is the mean of the product
// of X and the indicator of the event A.
//
// The following formulas are exact.
//
// If positions are fresh and the triggering message is not retained, nothing is recorded at the beginning of a cycle.
// Let D_u be the number of distinct messages among the first u arrivals of a cycle. Let T_j be the number of arrivals
// until D_u becomes j. Let the J-th distinct message be the message that ends the cycle. The number J depends on the
// positions alone, and not on which messages arrive. Let v_i = P[J > i]. Let lucky_i be the probability that i messages
// fit and one more message sets no new bit. Let u_i = v_i - lucky_i. Then
//
//	V = sum over j of P[J = j] E[T_j],
//	G = sum over i of lucky_i E[T_(i+1) - T_i].
//
// The rates are given by these formulas:
//
//	f_n V = sum of u_i - (1-p_r)(V-G)   and   f_p V = (1-p_r) G.
//
// So only the means E[T_j] remain to be found.
//
// The following theorem gives bounds of these means.
//
// Let H_u be the conditional probability that the next arrival is not recorded yet, given the first u arrivals. This
// probability is itself a random variable. Fix a number j. Let p(i) = a + b(i-j) for some numbers a and b, and let P(d)
// be the sum of p(i) over i < d. When the number D_u of distinct messages steps from d to d+1, P(D_u) grows by p(d).
// Subtract the sum of p(D_s) H_s over s < u from the number P(D_u). The result is a martingale. The time T_j at which
// D_u becomes j has a finite mean because H_u >= 1-p_r. The martingale is stopped at T_j and at a fixed time t. This
// gives a formula for E[T_j].
//
//	E[T_j] = t - E[P(D_t) - P(j)] + E[sum over T_j <= u < t of X_u] - E[sum over t <= u < T_j of X_u].
//
// Here X_u = p(D_u) H_u - 1.
//
// The second term of this formula follows from the mean mu_t and the variance of D_t, because P is a quadratic
// polynomial.
//
//	E[P(D_t) - P(j)] = a(mu_t-j) + b/2 (Var D_t + (mu_t-j)^2 - (mu_t-j)).
//
// Together, the last two terms of the formula for E[T_j] are equal to the error of the "mean-field" step of Dozier-FN.
// The events T_j <= u and D_u >= j are the same. Let A_u be the event that X_u is a term of one of the two sums. For u
// < t this is the event D_u >= j, and for u >= t it is the event D_u < j. Let g_u = E[H_u] and Y_u = H_u - g_u. Then
// X_u has three terms:
//
//	X_u = c_u + L_u + b (D_u-j) Y_u.
//
// The first term is a constant:
//
//	c_u = g_u (a + b(mu_u-j)) - 1.
//
// The second term is a random variable with the mean 0:
//
//	L_u = a Y_u + b g_u (D_u-mu_u).
//
// The last term is a product of two random variables. Let P_u be an upper bound of P[A_u], and let Q_u be an upper
// bound of E[(D_u-j)^2; A_u]. Then E[c_u; A_u] is between 0 and c_u P_u. The Cauchy-Schwarz inequality gives a bound
// for each of the other two terms:
//
//	|E[L_u; A_u]| <= sqrt(Var L_u) sqrt(P[A_u](1-P[A_u]))   and
//	|E[b (D_u-j) Y_u; A_u]| <= |b| sqrt(Q_u) sqrt(Var H_u).
//
// These bounds hold for every a, b and t. They are narrow under three conditions. First, t is near the time when mu_t =
// j. Second, a = 1/g_t with g_t = E[H_t]. Third, b is chosen so that L_u is small. Such a b exists because H_u is
// nearly a function of D_u: the more messages have arrived, the fewer are left. The file bounds_moments.go computes Var
// D_u, Var H_u and Cov(D_u, H_u). The file bounds_tails.go computes P_u.
//
// If the filter retains the triggering message of a cycle, this message is already recorded when the next cycle begins.
// Therefore the sums for V and G are over i >= 1. Compare the filter with another filter that sees the same arrivals
// but retains no message. Until the triggering message arrives again, only the retaining filter has recorded it. Both
// filters record the same other messages. Let T_j be the number of arrivals until the other filter has j recorded
// messages. Also count the arrivals until j messages are recorded in the retaining filter. For every triggering
// message, this number is at least T_(j-1) and at most T_j.
//
// The relative width of the bounds of E[T_j] falls in proportion to 1/j. The reason is that the terms X_u of the
// theorem have a standard deviation of about 1/sqrt(j). Only about sqrt(j) of them contribute, and E[T_j] is at least
// j. If D_u and H_u vary less, the bounds are narrower. The rate f_n is computed as a difference. Therefore the
// relative width of its enclosure is 1 + (1-p_r)/f_n times the relative width of V.

// CycleBounds returns enclosures of the long-run rates in a case that CycleRates does not cover. In this case new
// messages arrive and enter at any rank. The method is for filters of practical size. The caller cannot choose the
// width of the enclosures. This width follows from the moments of the number of distinct messages (bounds.go). The
// enclosures of the false-positive rates are wider than the enclosure of FNR.
//
// Source: derived here; the renewal model of Dozier-FN, equations (16) to (26), with a proven bound of its error.
// Domain: fresh positions, one phase, p_r < 1.
// Error: the enclosures are guaranteed to contain the rates. They are computed in float64, with proven bounds of the
// rounding errors. The page docs/fnr.md lists the relative widths of FNR for k = 5, sigma = m/5 and p_r = 0.9. In this
// list 1000 messages have Zipf(1) popularities.
// Cost: each arrival of a cycle takes D^2/2 products and 2*tailRates*D exponentials, where D is the number of ranks.
// Errors: *bloomproof.ParamError; ErrUndefined outside of the domain; ErrTooCostly above 2^35 products, 2^13 ranks or
// 2^19 arrivals. A full filter may never recycle again. If the filter can become full in this way, ErrUndefined is
// returned.
func (c *System) CycleBounds() (*Rates, error) {
	if c.r.TwoPhase || !c.r.FreshPositions || c.w.Repeat == 1 {
		return nil, refuse.Undefined("bounds of the rates", "they are for one phase, fresh positions and p_r < 1")
	}
	if d := c.w.Popularity.D; d > maxPairs {
		return nil, refuse.TooCostly("a list of pairs of ranks", float64(d)*float64(d), maxPairs*maxPairs)
	}
	arrives := 1 - c.w.Repeat
	l, err := c.levels(arrives)
	if err != nil {
		return nil, err
	}
	r := c.traffic()
	h, err := r.horizon(l)
	if err != nil {
		return nil, err
	}
	s := &stopping{retain: c.r.Retain, traffic: r, levels: l, path: h, tails: r.tails(l, h), moments: r.moments(len(h.mean))}
	v, g := s.sums()
	f := field.Intervals(boundsPrec)
	x := func(b ends) *interval.Interval {
		return f.Zero().SetEnds(big.NewFloat(b.low), big.NewFloat(b.high))
	}
	q := &grouped{f: f, c: c, last: 0, arrives: f.Zero().SetRat(new(big.Rat).Sub(big.NewRat(1, 1), new(big.Rat).SetFloat64(c.w.Repeat)))}
	sum := &groupSums{v: x(v)}
	for t := range sum.tally {
		sum.tally[t] = f.Int(0)
	}
	fresh := f.Zero().Mul(q.arrives, x(g))
	sum.tally[falsePositive].Set(fresh)
	sum.tally[lucky].Sub(x(l.quiet), fresh)
	sum.tally[falseNegative].Sub(x(l.loud), f.Zero().Sub(f.Zero().Mul(q.arrives, sum.v), fresh))
	for _, y := range sum.tally { // every tally is at least 0
		if y.Lo().Sign() < 0 {
			y.SetEnds(new(big.Float), y.Hi())
		}
	}
	if c.w.Repeat == 0 {
		sum.tally[lucky], sum.tally[falseNegative] = f.Int(0), f.Int(0)
	}
	rates, _ := c.enclosed(q.perArrival([]*interval.Interval{f.Int(1)}, []*groupSums{sum}), f, 0)
	quiet := x(l.quiet) // a bound of the messages of a cycle that set no bit, whichever messages arrive
	perCycleNew := enclose.Interval(f.Zero().Quo(quiet, f.Zero().Add(quiet, x(l.loud))))
	rates.FPRPerCycleNew = &perCycleNew
	return rates, nil
}

// The last few steps are computed with a precision of boundsPrec bits. This is more than the precision of float64.
const boundsPrec = 64

// The function "unit" returns the largest relative error of a float64 operation.
func unit() float64 { return precision.Margin(0x1p-53) }

// The type "ends" holds a lower and an upper bound of the same number.
type ends struct{ low, high float64 }

// The function "around" returns bounds of a number that differs from x by at most "off". The argument "off" itself has
// a rounding error.
func around(x, off float64) ends {
	off += roundingSpare()*off + 8*unit()*math.Abs(x)
	return ends{x - off, x + off}
}

// A sum of up to 2^20 positive terms has a relative rounding error below roundingSpare. Each term is computed by a few
// operations.
func roundingSpare() float64 { return precision.Margin(0x1p-28) }

// The method "meet" returns the intersection of x and y.
func (x ends) meet(y ends) ends { return ends{max(x.low, y.low), min(x.high, y.high)} }

// The method "plus" returns bounds of x + c*y, given bounds of the numbers x and y.
func (x ends) plus(c float64, y ends) ends {
	if c < 0 {
		y.low, y.high = y.high, y.low
	}
	return ends{x.low + c*y.low, x.high + c*y.high}
}

// The method "widen" returns x with both bounds moved outward by the argument "off".
func (x ends) widen(off float64) ends { return ends{x.low - off, x.high + off} }

// A theorem at the top of this file bounds the means E[T_j]. The type "stopping" holds the numbers from which these
// bounds are computed.
type stopping struct {
	retain bool
	*traffic
	levels  *levels
	path    *path
	tails   *tails
	moments []moments
}

// The method "sums" returns bounds of V and G, which the comment at the top of this file defines. It uses bounds of
// the mean number of arrivals from one recorded message to the next. This mean is at least 1 and at most 1/(1-p_r),
// where p_r is the probability of a repeat.
func (s *stopping) sums() (v, g ends) {
	l := s.levels
	n := len(l.fits)
	longest := float64(n) / s.arrives
	before := ends{}
	for j := 1; j <= n; j++ {
		t := s.hitting(j)
		if s.retain {
			t, before = ends{before.low, t.high}, t
			if j == 1 {
				continue // i = 0 is the triggering message, which is recorded already
			}
		}
		fits, lucky := l.fits[j-1], l.lucky[j-1]
		if j < n {
			fits, lucky = fits-l.fits[j], lucky-l.lucky[j]
		}
		v, g = v.plus(fits, t), g.plus(lucky, t)
	}
	// The sums for v and g have one term for each number i < n of recorded messages. Let t_i be the number of arrivals
	// during which i messages are recorded. The term for i has an error of at most l.off t_i. The sums over i add
	// rounding errors.
	off := 2*l.off*longest + 8*unit()*float64(n)*longest
	v, g = v.widen(off), g.widen(off)
	rest := l.rest / s.arrives
	v.high, g.high = v.high+rest, g.high+rest
	all, quiet := l.loud.plus(1, l.quiet), l.quiet
	within := func(x ends) ends { return ends{x.low, x.high / s.arrives * (1 + 4*unit())} }
	return v.meet(within(all)), g.meet(within(quiet))
}

// The comment at the top of this file uses a linear function p(i) = a + b(i-j). Several values of the slope b are
// tried. The constant "slopes" is the number of these values.
const slopes = 3

// The method "hitting" returns bounds of E[T_j], the mean number of arrivals until j distinct messages have
// arrived.
func (s *stopping) hitting(j int) ends {
	last := len(s.path.mean) - 1
	t := s.path.reaches(float64(j))
	best := ends{float64(j), float64(j) / s.arrives * (1 + 4*unit())}
	if t >= last { // t is beyond all arrivals whose moments were computed
		return best
	}
	m := s.moments[t]
	a := 1 / m.hit
	// In the comment at the top of this file, X_u is the sum of a constant c_u and a random variable L_u. For the slope
	// b = steady, the constants c_u vary least with u. For the slope b = least, the variance of L_t is as small as
	// possible. The slopes that are tried lie between these two values.
	steady := -a * (s.moments[t+1].hit - m.hit) / (m.hit * m.hit)
	least := steady
	if m.varD > 0 {
		least = -a * m.cov / (m.hit * m.varD)
	}
	for i := range slopes {
		part := float64(i) / (slopes - 1)
		best = best.meet(s.with(j, t, a, steady+(least-steady)*part))
	}
	return best
}

// The method "with" returns bounds of E[T_j], the mean number of arrivals until j distinct messages have arrived.
// The bounds are for one choice of the numbers t, a and b in the comment at the top of this file.
func (s *stopping) with(j, t int, a, b float64) ends {
	x, off := s.before(j, t, a, b)
	low, high := 0.0, 0.0
	part := func(u int) (p float64) {
		p, y := s.part(j, u, u < t, a, b)
		low, high = low+y.low, high+y.high
		return p
	}
	// The sums over the number u of arrivals end early. Each omitted u contributes at most far(u) times the probability
	// of the event A_u. The comment at the top of this file defines this event.
	far := func(u int) float64 { return 1 + a + math.Abs(b)*max(float64(u), float64(j)) }
	rare := precision.Negligible(negligible)
	for u := t - 1; u >= 0; u-- {
		if p := part(u); p < rare {
			off += float64(u) * far(u) * p
			break
		}
	}
	u, p := t, 1.0
	for ; u < len(s.moments) && p >= rare; u++ {
		p = part(u)
	}
	// Suppose that fewer than j distinct messages have arrived by the last computed arrival. Then at most j/(1-p_r)
	// further arrivals are needed on average. Here p_r is the probability of a repeat.
	off += p * far(j) * float64(j) / s.arrives
	off += roundingSpare() * (high - low)
	middle := around(x, off)
	return ends{middle.low + low, middle.high + high}
}

// The constant "negligible" is a small probability. The comment at the top of this file defines the event A_u. Each
// number u of arrivals contributes to a sum. These contributions are computed one by one, beginning near t. When the
// probability of A_u falls below this constant, the remaining contributions are bounded together.
const negligible = 1e-18

// The method "before" returns the first part of the formula for E[T_j] at the top of this file. This part is t -
// E[P(D_t) - P(j)]. The method also returns a bound of the rounding error of this part.
func (s *stopping) before(j, t int, a, b float64) (x, off float64) {
	m := s.moments[t]
	ahead, half := m.mean-float64(j), b/2
	x = float64(t) - a*ahead - half*(m.varD+ahead*ahead-ahead)
	off = a*m.offMean + math.Abs(half)*(m.offVarD+(2*math.Abs(ahead)+1+m.offMean)*m.offMean) +
		16*unit()*(float64(t)+a*math.Abs(ahead)+math.Abs(half)*(m.varD+ahead*ahead+math.Abs(ahead)))
	return x, off
}

// The comment at the top of this file defines the event A_u. The method "part" returns a number p. The probability of
// A_u is at most p. The argument "early" is true if u < t, and false otherwise. If u < t, the result x has bounds of
// E[X_u; A_u]. Otherwise it has bounds of -E[X_u; A_u].
func (s *stopping) part(j, u int, early bool, a, b float64) (p float64, x ends) {
	m := s.moments[u]
	p, square := s.tails.at(u, j, early, m)
	ahead := m.mean - float64(j)
	level := math.Abs(a) + math.Abs(b)*(math.Abs(ahead)+m.offMean)
	number := m.hit*(a+b*ahead) - 1
	if !early {
		number = -number
	}
	chance := 0.25
	if p < 0.5 {
		chance = p * (1 - p)
	}
	off := math.Sqrt(m.spread(a, b)*chance) + math.Abs(b)*math.Sqrt(square*max(m.varH+m.offVarH, 0)) +
		p*(m.offHit*level+math.Abs(b)*m.offMean+8*unit()*(1+level))
	return p, ends{min(number, 0)*p - off, max(number, 0)*p + off}
}

// The comment at the top of this file defines the random variable L_u. For a > 0, the method "spread" returns an upper
// bound of the variance of L_u. The bound exceeds the variance only by rounding errors.
func (m *moments) spread(a, b float64) float64 {
	x := a*a*m.varH + 2*a*b*m.hit*m.cov + b*b*m.hit*m.hit*m.varD
	x += a*a*m.offVarH + math.Abs(b)*(2*a*(m.offCov+m.offHit*math.Abs(m.cov))+math.Abs(b)*(m.offVarD+4*m.offHit*m.varD))
	x += 16 * unit() * (a*a*m.varH + math.Abs(a*b*m.cov) + b*b*m.varD)
	return max(x, 0)
}
