package fnr

import (
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/fraction"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// This file computes the rates for fresh positions if nothing new arrives. It works for any popularity of the messages
// and for filters of any size. A cycle may never end. The rates are means over the cycles that do end. They are
// computed from the integrals of distinct.go.
//
// Notation: N(t) is the number of messages that have arrived by the time t. N_-a(t) is the number of messages other
// than a that have arrived by the time t. Let q_b be the popularity of message b, and let D be the number of messages.
// Let V be the mean number of arrivals of a cycle, and let f_n be the false-negative rate. Let v_i be the probability
// that i messages fit. Let u_i be the probability that i messages fit and one more message sets a bit. Let e_i be the
// probability that i messages fit and one more message ends the cycle.
//
// If the filter has one phase and does not retain the triggering message, the following formulas hold.
//
//	V = integral of (E[v_N(t)] - v_D),
//	f_n V = sum of u_i.
//
// The next formulas are for one-phase filters that retain the triggering message.
//
// When a cycle begins, the triggering message a of the previous cycle is recorded. Let V_a be the mean number of
// arrivals of this cycle. It is an integral:
//
//	V_a = integral of (E[v_(1+N_-a(t))] - v_D).
//
// The false-negative rate f_n follows from a sum:
//
//	f_n V = sum over i >= 1 of u_i.
//
// For a function g of messages, let (K g)_a be the mean of g for the message that ends this cycle. It is:
//
//	(K g)_a = integral of E[e_(1+N_-a(t)) Q(t)].
//
// Here Q(t) is a sum of q_b g_b over messages b. The sum omits the message a and all messages that have arrived by the
// time t.
//
// K is a transition matrix: it describes how the triggering message changes from cycle to cycle. V is the mean of V_a
// under the stationary distribution of K. Let g be a function of messages. Under this distribution, K g has the same
// mean as g. So suppose that K is applied repeatedly to the vector of all V_a. Then V lies between the least and the
// largest entry of the result. The difference between these two entries tends to 0. If cycles have few messages, the
// vectors can oscillate. So the iteration replaces g by (1-x) K g + x g. The number x between 0 and 1 is chosen so that
// the entries differ as little as possible.
//
// The next formulas are for two-phase filters that copy over and do not retain the triggering message.
//
// The active array is filled in the same way as the array of a one-phase filter, independently of the frozen array. The
// frozen array was filled during an earlier cycle, which is independent. Consider the first arrival of message j. Let
// D_i(j) be the probability that exactly i other messages arrived before it. Let x_j be the probability that message j
// has not arrived by the time t. In a cycle, message j can arrive without being recorded yet and then set a bit. Let
// a_j be the mean number of such arrivals. Consider the event that message j is not recorded in the frozen array, and
// not all its positions are set there. Let c_j be the probability of this event. Then a_j and f_n are given by these
// sums:
//
//	a_j = sum over i of u_i D_i(j),
//	f_n V = sum over j of a_j c_j.
//
// The probability D_i(j) is an integral:
//
//	D_i(j) = integral of q_j x_j P[N_-j = i].
//
// Message j is not in the frozen array if it arrived after the triggering message. With freeze-before, the triggering
// message itself is not in the frozen array either. The triggering message set a bit, so not all its positions are set
// in the frozen array. Consider three events. First, i messages fit. Second, one more message ends the cycle. Third,
// the positions of another message are all set in the frozen array. Let m_i be the probability that all three events
// happen. Then c_j follows from these equations:
//
//	c_j (1-v_D) = sum over i of D_i(j) S_i,
//	S_i = e_i [freeze-before] + sum over l < i of (e_l - m_l).
//
// The factor [freeze-before] is 1 for the rule freeze-before, and 0 for the rule freeze-after.
//
// Source: Dozier-FN, section 4.2.7 and equations (16) to (28), without the mean-field step of equation (19). The
// formulas are derived here.
// Domain: positions must be fresh, and p_r must be 1. A filter that retains the triggering message must have one phase.
// A two-phase filter must copy over.
// Error: the relative widths are at most 2^-prec, for prec up to about 75.
// Cost: let a be the number of messages, and let b be the number of messages in a cycle. Let a long cycle have n
// arrivals, and let c be 3 to 5 times the square root of n. Let P = abc. With one phase, the method computes 2*P
// products. With two phases, it computes 11*P products. If the triggering message is retained, the method computes 12*P
// products for each iteration. About 8 iterations are needed. For example, let (m, k, sigma) = (1000, 5, 500), and let
// 1000 messages have Zipf(1) popularities. Then the method takes 1.3 s for 17 digits. It takes 7 s if this filter
// retains the triggering message, and 2 s if it has two phases.
// Errors: *bloomproof.ParamError. The error is ErrUndefined outside the domain. It is also ErrUndefined if the filter
// does not recycle. Let v_D be the probability that all D messages are stored before the filter recycles. If v_D is
// about 2^-prec or more, the error is also ErrUndefined. The error is ErrPrecision if prec is too large, that is, above
// about 75. The error is ErrTooCostly above 2^33 products.
func (c *System) ofRepeatsLarge(prec uint) (*Rates, error) {
	if err := precision.Check(prec); err != nil {
		return nil, err
	}
	if !c.r.FreshPositions || c.w.Repeat < 1 || c.r.TwoPhase && (c.r.Retain || c.r.NoCopyOver) {
		return nil, refuse.Undefined("rates of repeats only", "they are for fresh positions and p_r = 1, retaining with one phase only, two phases with copy-over")
	}
	d := tracked(c.w)
	if d > maxListed {
		return nil, refuse.TooCostly("a list of ranks", float64(d), maxListed)
	}
	if prec > fraction.Bits {
		return nil, fmt.Errorf("rates of repeats only: %w", exact.ErrPrecision)
	}
	f := field.Intervals(fraction.Bits + spareBits)
	q := &grouped{f: f, c: c, last: -1, all: []peers{{n: d}}, arrives: f.Int(0)}
	if err := q.fill(prec); err != nil {
		return nil, err
	}
	if q.ending.Sign() > 0 && q.ending.Lo().MantExp(nil) > -int(prec) {
		return nil, errFitsAll
	}
	passes := float64(lonePasses)
	switch {
	case c.r.Retain:
		passes = retainedPasses
	case c.r.TwoPhase:
		passes = frozenPasses
	}
	g, err := q.integrals(float64(prec)+sumSpare, passes)
	if err != nil {
		return nil, err
	}
	x := &cycles{q, g, f.Zero().Prec()}
	s := x.onePhase()
	switch {
	case c.r.Retain:
		s, err = x.retained(prec)
		if err != nil {
			return nil, err
		}
	case c.r.TwoPhase:
		x.twoPhases(s)
	}
	q.widen(s)
	m := q.perArrival([]*interval.Interval{f.Int(1)}, []*groupSums{s})
	if rates, good := c.enclosed(m, f, prec); good {
		return rates, nil
	}
	if q.fitsAll(prec) {
		return nil, errFitsAll
	}
	return nil, fmt.Errorf("rates of repeats only: %w", exact.ErrPrecision)
}

// The integrals are summed over messages. Therefore their precision is increased by sumSpare bits. Each constant whose
// name ends in "passes" is the number of multiplications for each message, level and node. If the triggering message is
// retained, each iteration takes 12 multiplications. In all observed cases 8 iterations were enough.
const (
	sumSpare       = 14
	lonePasses     = 5
	frozenPasses   = 14
	retainedPasses = 12 * 8
	mostTurns      = 1000
)

// The type "cycles" computes the mean numbers of arrivals of a cycle. The field g holds the integrals that this
// computation needs.
type cycles struct {
	*grouped
	g    *integrals
	work uint
}

// The argument "list" has one interval for each level. For the levels from "first" on, the method "levels" returns the
// lower ends of these intervals. The list must be a result of the method "fill". The result is 0 for levels that a
// cycle does not reach.
func (x *cycles) levels(list []*interval.Interval, first int) []fraction.Number {
	levels := make([]fraction.Number, x.g.r+1)
	for i := range levels[:len(list)-first] {
		levels[i] = fraction.OfInterval(list[first+i])
	}
	return levels
}

// The method "running" returns one probability for each i. This is the probability that i messages fit into a cycle and
// that the whole workload does not fit.
func (x *cycles) running() []*interval.Interval {
	list := make([]*interval.Interval, len(x.fits))
	for i, v := range x.fits {
		list[i] = x.f.Zero().Sub(v, x.ending)
	}
	return list
}

// The method "slack" returns an upper bound of the error of an integral. The integration ends at a time T, and the part
// after T is omitted. The levels beyond the last one are omitted too. The bound covers these omissions. Some cycles
// reach the omitted parts. The argument "times" must be an upper bound of the mean contribution of such a cycle.
func (x *cycles) slack(times float64) float64 {
	return (x.g.off + (x.g.late+top(x.rest))*times) * (1 + slackSpare())
}

// The function "top" returns the upper end of x as a float64.
func top(x *interval.Interval) float64 { y, _ := x.Hi().Float64(); return y }

// slackSpare exceeds the relative rounding errors of the bounds, which are computed in float64.
func slackSpare() float64 { return precision.Margin(1e-6) }

// For each tally, the method "counted" returns how many arrivals of a cycle the tally counts on average. These numbers
// are sums over all levels i with i >= first.
func (x *cycles) counted(first int) *groupSums {
	s := &groupSums{}
	for t := range s.tally {
		s.tally[t] = x.f.Int(0)
	}
	for i := first; i < len(x.fits); i++ {
		s.tally[falseNegative].Add(s.tally[falseNegative], x.loud[i])
		s.tally[lucky].Add(s.tally[lucky], x.lucky[i])
	}
	return s
}

// onePhase returns the mean numbers of arrivals of a cycle that begins with an empty array. The mean number of all
// arrivals is an integral over the time. The integrand is the difference E[v_N] - v_D. Here N messages have arrived,
// and v_i is the probability that i messages fit.
func (x *cycles) onePhase() *groupSums {
	s := x.counted(0)
	total := x.g.whole(x.levels(x.running(), 0))
	s.v = x.g.interval(total, x.slack(x.g.lasts), x.work)
	return s
}

// The method "retained" returns the mean numbers of arrivals of a cycle. This cycle begins with the message that ended
// the previous one.
func (x *cycles) retained(prec uint) (*groupSums, error) {
	if err := fault.Part(); err != nil {
		return nil, err
	}
	s := x.counted(1)
	g := x.g
	long := g.without([][]fraction.Number{x.levels(x.running(), 1)}, false)[0]
	ends := x.levels(x.ends, 1)
	// For message a, the iterated function g has the value g_a = base + 2^scale u_a. Let V_a be the mean number of
	// arrivals of a cycle that begins with message a. The long-run means of g and of V_a differ by at most the number
	// "off".
	u, scale := long, g.s
	base := x.f.Int(0)
	off := x.slack(g.lasts)
	apart := 1.0
	for turn := 0; ; turn++ {
		least, most := u[0], u[0]
		for _, v := range u {
			if v.AtMost(least) {
				least = v
			}
			if most.AtMost(v) {
				most = v
			}
		}
		ulp := scale - fraction.Bits
		base.Add(base, x.f.Zero().SetScaled(least.Int(), least.Int(), ulp))
		span := most.Minus(least)
		apart = math.Ldexp(span.Float64(), scale)
		if apart <= base.Float64()*math.Exp2(-float64(prec)-turnSpare) || apart <= off {
			break
		}
		if turn == mostTurns {
			return nil, fmt.Errorf("the distribution of the retained message: %w", exact.ErrPrecision)
		}
		zoom := span.LeadingZeros()
		h := make([]fraction.Number, len(u))
		for j, v := range u {
			u[j] = v.Minus(least).Shift(zoom)
			h[j] = g.q[j].Mul(u[j])
		}
		scale -= zoom
		next := g.among(ends, h)
		for j, v := range next {
			next[j] = fraction.AlmostOne
			if v.LeadingZeros() >= g.s { // otherwise the value is 1 within the error
				next[j] = v.Shift(g.s)
			}
		}
		blend := mix(u, next)
		rest := fraction.AlmostOne.Minus(blend)
		for j, v := range next {
			u[j] = v.Mul(rest).Plus(u[j].Mul(blend))
		}
		off += math.Ldexp(x.slack(1)+3*top(x.ending)+math.Ldexp(mixUlps, g.s-fraction.Bits), scale)
	}
	off *= 1 + slackSpare()
	low, high := x.f.Zero().Set(base), x.f.Zero().Set(base)
	wide := x.f.Zero().SetEnds(big.NewFloat(-off), big.NewFloat(off))
	span := x.f.Zero().SetEnds(new(big.Float), big.NewFloat(apart*(1+slackSpare())))
	s.v = low.Add(high.Add(high, wide), span)
	return s, nil
}

// turnSpare is a number of extra bits. They make the width after the last iteration small compared with the requested
// width. The constant mixUlps is the error, in ulps, that one iteration adds.
const (
	turnSpare = 4
	mixUlps   = 16
)

// The function "mix" has two vectors as arguments. It forms the mean of these vectors with the weight 1-x for the
// vector "next" and the weight x for the vector u. It returns the x from 0 to 1 for which the entries of this mean vary
// least.
func mix(u, next []fraction.Number) fraction.Number {
	n := float64(len(u))
	var a, b float64
	for j := range u {
		a, b = a+next[j].Float64()/n, b+u[j].Float64()/n
	}
	var up, down float64
	for j := range u {
		d := (u[j].Float64() - b) - (next[j].Float64() - a)
		up -= (next[j].Float64() - a) * d
		down += d * d
	}
	if !(up > 0) {
		return fraction.Number{}
	}
	return fraction.OfFloat64(min(up/down, mostMix))
}

const mostMix = 0.75

// The argument s holds the mean numbers of arrivals of a cycle for one phase. The method twoPhases replaces them by the
// numbers for two phases.
func (x *cycles) twoPhases(s *groupSums) {
	f := x.f
	lists := []byLevel{{x.loud, x.loud}, {x.lucky, x.lucky}, x.before(x.ends, x.c.r.FreezeBefore), x.before(x.matched, false)}
	found := x.firsts(lists)
	s.tally[falseNegative], s.tally[lucky] = f.Int(0), f.Int(0)
	for j := range x.g.q {
		loud, quiet, absent, match := found[0][j], found[1][j], found[2][j], found[3][j]
		s.tally[falseNegative].Add(s.tally[falseNegative], f.Zero().Mul(loud, f.Zero().Sub(absent, match)))
		s.tally[lucky].Add(s.tally[lucky], f.Zero().Mul(loud, match))
		s.tally[lucky].Add(s.tally[lucky], f.Zero().Mul(quiet, absent))
	}
	ended := f.Zero().Sub(f.Int(1), x.ending) // the frozen array is from a cycle that ended
	for _, t := range []tally{falseNegative, lucky} {
		s.tally[t].Quo(s.tally[t], ended)
	}
}

// The type "byLevel" holds a number at[i] for each level i. Let l be any level above i. Then at[i] and at[l] differ by
// at most moves[i].
type byLevel struct{ at, moves []*interval.Interval }

// For each level i up to the last, the method "before" returns the sum of list[l] over all l < i. The sum also includes
// list[i] if the boolean argument "with" is true.
func (x *cycles) before(list []*interval.Interval, with bool) byLevel {
	f := x.f
	var b byLevel
	sum := f.Int(0)
	for i := range x.last() + 1 {
		at := f.Zero().Set(sum)
		if i < len(list) {
			sum.Add(sum, list[i])
		}
		if with {
			at.Set(sum)
		}
		b.at = append(b.at, at)
	}
	b.moves = make([]*interval.Interval, len(list))
	sum = f.Int(0)
	for i := len(list) - 1; i >= 0; i-- { // adds terms again, because a difference of sums would lose all digits
		sum.Add(sum, list[i])
		b.moves[i] = f.Zero().Set(sum)
	}
	return b
}

// The method "last" returns the last level at which another message can arrive. The numbers of this level are also used
// for all higher levels.
func (x *cycles) last() int { return min(x.g.r, len(x.g.q)-1) }

// For each message j and each list, the method "firsts" returns a sum over i. Its terms are D_i(j) times the i-th
// number of the list. Here D_i(j) is the probability that exactly i other messages have arrived when message j arrives
// for the first time. Numbers beyond the end of a list are taken as 0. Lists are scaled to numbers just below 1 before
// they are rounded to two words. Without this scaling, small numbers would lose digits.
func (x *cycles) firsts(lists []byLevel) [][]*interval.Interval {
	f, g := x.f, x.g
	last := x.last()
	levels, none := make([][]fraction.Number, len(lists)), make([]bool, len(lists))
	zooms, slacks := make([]int, len(lists)), make([]float64, len(lists))
	for n, both := range lists {
		list := both.at
		most := new(big.Float)
		for _, v := range list {
			if most.Cmp(v.Hi()) < 0 {
				most = v.Hi()
			}
		}
		none[n] = most.Sign() == 0
		zooms[n] = -most.MantExp(nil) - 1
		end := f.Int(0)
		if last < len(list) {
			end = list[last]
		}
		levels[n] = make([]fraction.Number, g.r+1)
		times := 1.0
		for i := range levels[n] {
			v := end
			if i < len(list) {
				v = list[i]
			}
			levels[n][i] = fraction.OfInterval(f.Zero().MulPow2(v, zooms[n]))
			if i < len(x.fits) && g.r < len(g.q) {
				moves := f.Zero().MulPow2(both.moves[i], zooms[n])
				times = max(times, top(moves.Quo(moves, x.fits[i])))
			}
		}
		// The method "fill" omitted the end of the list. So the list has no elements for some numbers i of messages.
		// Each missing i adds to the error. This contribution is at most v_i times the scale factor of the list. Here
		// v_i is the probability that i messages fit.
		slacks[n] = x.slack(times*(1+slackSpare())) + math.Ldexp(top(x.rest)*(1+slackSpare()), zooms[n])
	}
	found := make([][]*interval.Interval, len(lists))
	for n, list := range g.without(levels, true) {
		for j, v := range list {
			if none[n] {
				found[n] = append(found[n], f.Int(0))
				continue
			}
			y := g.interval(v, slacks[n], x.work)
			// By the end of the integral nearly all other messages have arrived. So for later times, the code uses the
			// entry of the list for the last level.
			after := g.after[j].Mul(levels[n][last]).Int()
			y.Add(y, f.Zero().SetScaled(after, after, -fraction.Bits))
			y.MulPow2(y, -zooms[n])
			y.SetEnds(positive(y.Lo()), y.Hi())
			found[n] = append(found[n], y)
		}
	}
	return found
}

// The function "positive" returns x, or 0 if x is negative.
func positive(x *big.Float) *big.Float {
	if x.Sign() < 0 {
		return new(big.Float)
	}
	return x
}
