package fnr

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fault"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// This file computes the renewal model for large filters. In that model an arrival is recorded independently of the
// other arrivals. Arrival j is recorded with probability e_j, and e_1 = 1 (see renewal.go). Let m(n) be the sum of the
// first n of these probabilities. Let n(y) be the inverse function of m(n). Let I be the number of messages that fit.
// This number does not depend on the workload. Let tau be the arrival that ends the cycle. It is the first arrival
// after which I+1 messages are recorded. Let c be E[I+1], and let s^2 be E[(m(tau)-c)^2]. Then optional stopping gives
// two equations:
//
//	E[m(tau)] = c,
//	s^2 = Var I + c - E[sum of e_j^2, j <= tau].
//
// These equations hold because the number of recorded messages after n arrivals, minus m(n), is a martingale. The
// number c is the mean length of a cycle in which all messages are new. The function approx/recycling.Cycle computes it
// at any size. The mean number V of arrivals in a cycle is the mean of tau, and tau is n(m(tau)). So V has the
// expansion
//
//	V = n(c) + n''(c) s^2/2 + ...
//
// The second term is positive, because the e_j decrease and n(y) is therefore convex. In large filters the second term
// is about 10^-6 times the first. The reason is that m(tau) differs from c by at most a few hundred messages. So the
// function m is needed at only a few points. Let f_n be the false-negative rate. Let p_r be the probability of a
// repeat. Let R(j) be the probability that a repeat, after j arrivals, is an unrecorded message. Let L be the mean
// number of lucky arrivals in a cycle. An arrival is called lucky if it is an unrecorded repeat and finds all its
// positions set. Let S(n) be the sum of p_r R(j) over j < n. It equals m(n) - (1-p_r) n. Count the arrivals of
// unrecorded messages in a cycle. Subtract the new messages and the lucky arrivals. The result is the number of false
// negatives in a cycle.
//
//	This number f_n V is S(n(c)) - (1-p_r) n'' s^2/2 - L.
//
// In this form no digits cancel. Let S' be the derivative of S. Then S' dn is the mean number of repeats of unrecorded
// messages among dn arrivals. If y messages are recorded, a repeat of an unrecorded message is lucky with probability
// g(y). Here g is the k-th power of the fraction of set bits. So L is a product of two factors. The first factor is the
// integral of S' g(m) divided by the integral of m' g(m). A constant factor in g does not change this quotient. For the
// second factor, consider a cycle in which all messages are new. The factor is the mean number of arrivals that find
// all their positions set. Cycle computes this number.
//
// Two terms are left out. The first omitted term is the next term of V, E[n''' (m(tau)-c)^3]/6. Take the difference
// between the values of n'' at c-s and at c+s. In the error bound, the product of s^2/2 and this difference replaces
// the omitted term. Here s is the standard deviation of m(tau). If the distribution of m(tau) is nearly normal, this
// product is more than seven times the omitted term. The second omitted term is an effect of random variation on L. The
// number of set bits and the number of arrivals vary. Relative to L, this effect is of the order k/c. The error bound
// covers these two terms. Package verify tests this bound with sums that leave nothing out.
//
// If the filter retains the triggering message, this message is recorded when the next cycle begins. Then E[m(tau)] =
// c-1, and m(n) does not count arrivals of that message (curve.kept).
//
// Let n0 be the length of the previous cycle. With two phases and copy-over, consider arrival n of a cycle. It finds
// its message in neither array with probability R(n + n0) (equation (27) of Dozier-FN). So n + n0 replaces n in the
// product S' dn and in the number L. Consider an arrival whose message is in neither array. It can still find all its
// positions set in the frozen array. The computation ignores this case. The lengths of the two cycles are independent.
// It is possible that neither array records the message that ended the cycle of the frozen array. This happens if two
// conditions hold. The array freezes before it records that message, and the filter does not retain it. The message
// then causes at most one false negative per cycle. So the computation adds 1/2 to the number of false negatives per
// cycle. This number then has an error of at most 1/2.

// A value of the type "large" represents a filter with many messages. The models cannot follow each of these messages.
type large struct {
	g bloomproof.Geometry
	r bloomproof.Recycling // may differ from the rule of the filter in Sigma, Retain and TwoPhase
	w bloomproof.Workload

	shared *System
}

// asLarge returns the filter as a value of the type "large".
func (c *System) asLarge() large { return large{c.g, c.r, c.w, c} }

// leastLarge is a condition for the expansion: at least this number of messages must fit into an array. With fewer
// messages, the terms that the expansion leaves out are no longer small. TestLargeIsTheSum compares them with the false
// negatives.
const leastLarge = 256

const (
	// The expansion replaces sums over every message and every arrival of a cycle. It is used if these sums take more
	// than mostFollowed multiplications. That many multiplications take about half a second.
	mostFollowed = 1 << 28

	// Take the mean number of messages that fit, and subtract the number of messages that can arrive. Let x be this
	// difference divided by an estimated standard deviation. If x is above allFit, the code treats it as certain that
	// all messages fit. If x is below -allFit, the code treats it as certain that not all messages fit. A normal
	// variable is more than allFit standard deviations above its mean with probability 1e-19.
	allFit = 9

	// If x is above -mostlyFit, all messages fit with a probability above mostStuck = 10^-3. The reason is that a normal
	// variable is more than 2.9 standard deviations above its mean with probability 1.9e-3. The factor 1.9 is a margin.
	mostlyFit = 2.9

	// Let m(n) be the mean number of messages recorded after n arrivals. A listed curve has the values m(n) for one
	// cycle and for some arrivals after its end. The number of these later arrivals is reachMargin times the length of
	// the cycle. The margin is needed because values and derivatives of m are used up to a few standard deviations
	// beyond the end. Such a standard deviation is at most 1/sqrt(256) of the length of the cycle.
	reachMargin = 0.1

	// The variable "end" is a number of arrivals. A curve of the type "shifting" is computed up to this number. The
	// curve is not accurate below a certain fraction of this number. If a cycle turns out to be shorter than
	// end/newStart, the curve is recomputed for twice the length of the cycle. After "end" arrivals, the mean number of
	// recorded messages may be too small. The curve is then recomputed for 4*end arrivals. It is recomputed at most
	// newStarts times.
	newStart  = 6
	newStarts = 40

	// The search for a root by Newton's method and bisection ends after rootSteps steps. It ends earlier if the
	// interval has a relative width of at most rootDigits. After 200 bisections an interval of float64 numbers cannot
	// be divided further.
	rootSteps  = 200
	rootDigits = 0x1p-50
)

// isLarge reports whether it would cost more than half a second to follow each message and each arrival of a cycle.
func (c *System) isLarge() bool {
	m, k := float64(c.g.M), float64(c.g.K)
	messages := roughMessages(c.g, c.r)
	return messages >= 2*leastLarge &&
		(messages*min(rowSpread*fm.Sqrt(m), m)*k > 2*mostFollowed || messages*float64(c.w.Popularity.D) > mostFollowed)
}

// The method "large" returns the forecast of a renewal model for a large filter. It does not follow single messages, so
// its cost does not grow with m. BenchmarkLarge measured the following processor times and memory on one AMD EPYC
// thread. The filters had standard hashing, k = 7, sigma = m/2 and m = 2^20 to 2^30. The popularities followed Zipf's
// law with exponent 1. For p_r = 0.9, new messages entered at rank j with probability q_j. The method then took 0.04 s
// and 4 MB for D = 10^5. It took 0.36 s and 32 MB for D = 10^6, and 1.3 s and 128 MB for D = 4 10^6. In two other cases
// it took 0.004 s and 0.1 MB for any D: new messages entered at the last rank, or p_r was 1.
func (c *System) large(m Model) (Forecast, error) {
	at := c.asLarge()
	at.r.Retain = m == ModelRenewalRetaining
	f, err := at.forecast()
	if err != nil || m != modelRenewalExtended {
		return f, err
	}
	// The extended model counts false negatives as if the recycling threshold were sigma+k set bits.
	at.r.Sigma = wideSigma(at.g, at.r.Sigma)
	wide, err := at.forecast()
	if err != nil {
		return Forecast{}, err
	}
	f.FNR = wide.FNR * (wide.Cycle / f.Cycle)
	f.Bound = min(f.Bound+wide.Bound, 1)
	switch {
	case !wide.Valid:
		f.Valid, f.Note = false, wide.Note
	case !f.Valid: // its own FNR may be only an upper bound, but that rate is not used
		f.Note = tooLarge("the expansion")
	}
	f.assume(f.Estimated+wide.Estimated, f.Assumes)
	return f, nil
}

// The method "forecast" returns the forecast of the renewal model for the recycling rule c.r.
func (c *large) forecast() (Forecast, error) {
	x, err := c.load()
	if err != nil {
		return Forecast{}, err
	}
	if x.messages < leastLarge {
		return Forecast{}, fmt.Errorf("%w: %.3g messages in a cycle, at least 256 for the expansion", refuse.ErrUndefined, x.messages)
	}
	if c.w.Repeat == 1 {
		if err := c.closed(x); err != nil {
			return Forecast{}, err
		}
	}
	n, y, m, err := c.reach(x, c.r.TwoPhase, 1)
	if err != nil {
		return Forecast{}, err
	}
	return c.expand(x, m, n, y)
}

// Suppose that nothing new arrives (p_r = 1). Then the method "closed" returns nil only if it is certain that some
// message does not fit. Otherwise it returns an error. It decides this from estimates of the mean and the standard
// deviation, with a margin of allFit standard deviations. The method "overflows" uses a proven bound instead. That
// proven bound needs a margin that is about k times as large.
func (c *large) closed(x load) error {
	d := float64(comers(c.w.Popularity))
	switch off := x.beyond(d); {
	case off > allFit:
		return nil
	case off < -allFit:
		return recyclesNoMore(d, "")
	}
	return fmt.Errorf("%w: with p_r = 1 and D = %.0f all messages fit with a probability that counts, and then the filter recycles no more", refuse.ErrUndefined, d)
}

// The method "beyond" compares d with the mean number of messages that fit into an array. It returns d minus this mean,
// divided by the standard deviation. It estimates the standard deviation.
func (x load) beyond(d float64) float64 { return (d - x.messages) / fm.Sqrt(x.spread+1) }

// The method "reach" returns a number n of arrivals. After n arrivals the mean number of recorded messages is y. If the
// filter retains the triggering message, y is c-1. Otherwise y is c. Here c is the mean number of messages in a cycle.
// The result m is the curve of the mean number of recorded messages. With one phase, this curve extends to n arrivals.
// With two phases, it extends to 2n arrivals. A listed curve extends further. Let n' be the number of arrivals after
// which the mean number of recorded messages is y+beyond. The curve extends beyond n' with one phase, and beyond 2n'
// with two phases.
func (c *large) reach(x load, two bool, beyond float64) (n, y float64, m curve, err error) {
	fresh := 1 - c.w.Repeat
	y = x.messages
	if c.r.Retain {
		y--
	}
	most := fm.Inf()
	if fresh > 0 {
		most = y / fresh
	}
	phases := 1 + reachMargin
	if two {
		phases++
	}
	s, err := newSteady(c.w)
	if err != nil {
		return 0, 0, nil, err
	}
	if s != nil {
		n = solve(s, fresh, y, 0, most)
		if c.r.Retain {
			low, high := s.kept(n, n)
			n = solve(s, fresh, y+(low+high)/2, 0, most)
		}
		if fm.IsInf(n) {
			return 0, 0, nil, fmt.Errorf("%w: more than 1e200 arrivals in a cycle", refuse.ErrUndefined)
		}
		return n, y, s, nil
	}
	t, err := c.shared.traffic()
	if err != nil {
		return 0, 0, nil, err
	}
	// The recorded message reduces the number of other recorded messages by at most 1. The method "kept" returns two
	// bounds for this reduction. The code uses their mean.
	y0 := y
	if c.r.Retain {
		y0 += 0.5
	}
	root := func(m curve, low, high float64) float64 {
		n := solve(m, fresh, y, low, high)
		if c.r.Retain {
			less, more := m.kept(n, n)
			n = solve(m, fresh, y+(less+more)/2, low, high)
		}
		return n
	}
	// A shifting curve is computed for numbers of arrivals up to a limit. This limit follows from a lower estimate of
	// n. If the estimate is too large for a list, the list is not begun. The estimate is the value that n would have if
	// new messages entered at the last rank. New messages that enter at popular ranks move old messages down. In this
	// case n is larger than the estimate.
	w := c.w
	w.Arrivals, w.ArrivalWeights = bloomproof.ArrivalLast, nil
	if s, err = newSteady(w); err != nil {
		return 0, 0, nil, err
	}
	least := solve(s, fresh, y, 0, most)
	if least*phases <= t.listable() {
		if s := newListed(t, y+beyond, phases); s != nil {
			return root(s, 0, float64(len(s.sums))), y, s, nil
		}
	}
	end := min(most, 3*least)
	for range newStarts {
		g := newShifting(t, phases*end, 2)
		sum, _, _ := g.stale(end)
		if at := fresh*end + sum; at < y0 && end < most {
			end = min(most, 4*end)
			continue
		}
		n = root(g, end/64, end)
		if n > end/newStart {
			return n, y, g, nil
		}
		end = 2 * n
	}
	return 0, 0, nil, fmt.Errorf("%w: the arrivals of a cycle of %.3g messages", refuse.ErrUndefined, y)
}

// The function "solve" returns a number n of arrivals between low and high. After n arrivals the mean number of
// recorded messages is y. It uses Newton's method, safeguarded by bisection. The result is infinite if the mean never
// reaches y.
func solve(m curve, fresh, y, low, high float64) float64 {
	if fm.IsInf(high) {
		for high = y; ; high *= 4 {
			if high > mostArrivals {
				return fm.Inf()
			}
			if sum, _, _ := m.stale(high); fresh*high+sum >= y {
				break
			}
			low = high
		}
	}
	n := high
	for range rootSteps {
		sum, rate, _ := m.stale(n)
		f := fresh*n + sum - y
		if f > 0 {
			high = n
		} else {
			low = n
		}
		next := n - f/(fresh+rate)
		if !(next > low && next < high) {
			next = (low + high) / 2
		}
		if d := fm.Abs(next - n); d <= rootDigits*n || high-low <= rootDigits*high {
			return next
		}
		n = next
	}
	return n
}

// The comment at the top of this file gives the orders of the terms that the expansion leaves out. The factors below
// turn these orders into error bounds. They are estimated, and not proven (see Forecast.Estimated). TestLargeIsTheSum
// compares the expansion with the sums over all terms. They differ by at most 0.41 times the bounds.
const (
	shiftShare     = 0.01 // a share of the term n'' s^2/2, for the error of Var I
	shiftMessages  = 10   // divided by y, the same share for small y
	turnShare      = 0.1  // as shiftShare, but for the lengths of two cycles
	jitterMessages = 4    // times (k+1)/y, a share of the lucky arrivals
	leastOrder     = 1    // with a larger share the order of the error is not known: mostLucky is added
)

// The method "expand" computes the forecast from the results n, y and m of the method "reach".
func (c *large) expand(x load, m curve, n, y float64) (Forecast, error) {
	if err := fault.Part(); err != nil {
		return Forecast{}, err
	}
	fresh, low, high := 1-c.w.Repeat, 0.0, 0.0
	if c.r.Retain {
		low, high = m.kept(n, n)
	}
	kept := (low + high) / 2
	sum, rate, slope := m.stale(n)
	e, i := fresh+rate, c.integrals(m, n, 0)
	s2 := max(x.spread+y-i.squares, 0)
	s := fm.Sqrt(s2)
	bend := func(n float64) float64 { // n''
		_, rate, slope := m.stale(n)
		e := fresh + rate
		return -slope / (e * e * e)
	}
	shift := -slope / (e * e * e) * s2 / 2
	v := n + shift
	third := fm.Abs(bend(n+s/e)-bend(max(n-s/e, 1))) * s2 / 2
	proven := len(estimates(m)) == 0
	// The number n solves m(n) = y. Its error has four sources: y, m(n), rounding, and the function "solve".
	unsure := (x.err*y+m.err(n)*sum+4*fm.Unit*y)/e + rootDigits*n
	held := (high - low) / e                           // the error of V from the message that the filter retains
	blur := third + (shiftShare+shiftMessages/y)*shift // the error of V from the terms that are left out
	off := blur + held + unsure                        // the error of V
	sure := held + unsure                              // the part of the error of V that is proven
	if !proven {
		sure = held + x.err*y/e
	}

	lucky, guests, jitter, thin := c.hits(x, i)
	if jitter == 0 {
		jitter = jitterMessages * float64(c.g.K+1) / y
		thin = jitter
	}
	offSums := x.err + float64(c.g.K+2)*(m.err(n)+16*fm.Unit) + 64*fm.Unit + i.off // the errors of the integrals
	if !proven {
		offSums += fluidError
	}
	offLucky := (jitter+offSums)*lucky + c.wild(x, i, m, n, 0, jitter) // a bound of the error of lucky
	ownLucky := offLucky                                               // a bound of the error of f.Lucky*v
	noise := i.noise
	var f Forecast
	var wrong float64   // a bound of the error of f_n V
	var derived float64 // the proven part of wrong
	if !c.r.TwoPhase {
		missed := sum - kept - fresh*shift - lucky
		f = x.onePhase(missed, lucky, guests, fresh, y, v)
		// If the number y has an error d, n has the error d/e. So S(n) has the error d*rate/e. The variables "blur" and
		// "held" are two other errors of V. They change f_n V by at most (blur+held)*max(fresh, rate).
		change := max(fresh, rate)
		derived = held * change
		if proven {
			derived += unsure*rate + m.err(n)*sum
		}
		wrong = (blur+held)*change + unsure*rate + offLucky + (m.err(n)+4*fm.Unit)*sum
	} else {
		// Let t be the number of arrivals in the cycle of the active array. Let t' be this number for the frozen array.
		// Let S(n) be the mean number of repeats of unrecorded messages in n arrivals. The next lines compute the mean
		// of S(t+t') - S(t'). Both t and t' have the variance s^2/e^2. Here s^2 is the variance s2 of this function.
		// The probability that the last arrival of a cycle is recorded is e.
		both := c.integrals(m, n, v)
		noise = (1 - x.frozen) * both.noise
		offSums += both.off
		offLucky += both.off * lucky
		end, endRate, endSlope := m.stale(2 * v)
		start, startRate, startSlope := m.stale(v)
		turn := (endSlope - startSlope/2) * s2 / (e * e)
		stale := max(end-start+turn, 0)
		hits := 0.0
		if i.all > 0 {
			hits = x.lucky * (both.lucky / i.all)
		}
		ownLucky = (1 - x.frozen) * ((jitter+offSums)*hits + c.wild(x, i, m, n, v, jitter))
		missed := (1 - x.frozen) * max(stale-hits, 0)
		lost := 0.0 // false negatives by the message that ended the cycle before
		if c.r.FreezeBefore && !c.r.Retain {
			lost = min(1, c.w.Repeat*v) / 2
		}
		positive := x.frozen*v + (1-x.frozen)*guests // the share of arrivals reported as repeats if all messages were new
		f = Forecast{
			FNR: (missed + lost) / v, Lucky: (stale - missed) / v, FPR: fresh * positive / v,
			FPRPerNew: positive / v, Cycle: v,
		}
		f.FPRPerCycleNew = (f.FPR + f.Lucky) / (fresh + stale/v)
		off += 1 // the arrival between two cycles may belong to either
		sure += 1
		derived = sure*(startRate-endRate) + lost
		if proven {
			derived += m.err(2*v)*end + m.err(v)*start
		}
		wrong = off*(startRate-endRate) + (turnShare+shiftMessages/y)*fm.Abs(turn) + offLucky + m.err(2*v)*end + m.err(v)*start + lost
	}
	for _, x := range []float64{f.FNR, f.Lucky, f.FPR, f.FPRPerNew, f.Cycle, wrong, off} {
		if !(fm.Abs(x) < fm.Inf()) {
			return Forecast{}, fmt.Errorf("%w: %.3g messages in a cycle are too many to tell D = %d apart", refuse.ErrUndefined, y, c.w.Popularity.D)
		}
	}
	f.Valid = true
	if i.all > 0 {
		noise = x.lucky * (noise / i.all)
	}
	wrong += noise
	rest := jitter + offSums + 2*off/v + f.luckyError(noise/v)
	if jitter > tellable {
		rest = thin + offSums + 2*off/v + f.rareError((ownLucky+noise)/v)
		if c.r.TwoPhase {
			rest = max(rest, thin+offSums+2*off/v+f.luckyError((ownLucky+noise)/v))
		}
		f.Note = rareLucky
	}
	f.Bound = rest
	switch {
	case wrong < leastNumber: // there are no false negatives
		f.FNR = max(f.FNR, 0)
	case wrong > tellable*f.FNR*v:
		f.FNR = min((max(f.FNR, 0)+wrong/v)*(1+4*off/v), c.w.Repeat)
		f.Valid, f.Bound, f.Note = false, 1, join(f.Note, onlyAbove("the expansion", true))
	default:
		f.Bound = max(rest, wrong/(f.FNR*v)+2*off/v)
	}
	if !(rest <= tellable) {
		f.Valid, f.Bound, f.Note = false, 1, join(f.Note, tooLarge("the expansion"))
	}
	f.FNR, f.Bound = min(f.FNR, 1), min(f.Bound, 1)
	estimated := f.Bound
	if f.Bound < 1 {
		estimated -= 2 * sure / v
		if f.FNR > 0 {
			estimated -= derived / (f.FNR * v)
		}
	}
	f.assume(estimated, append([]string{ofExpansion}, estimates(m)...)...)
	return f, nil
}

// The method "hits" returns four numbers. The result "lucky" is the mean number of lucky arrivals of a cycle (see the
// top of this file). The result "guests" is the mean number of false positives that a cycle would have if all its
// arrivals were new messages. The result "jitter" estimates a relative error of the number "lucky". The result "thin"
// estimates a relative error of the number "guests". These errors come from the random variation of the number of set
// bits and of the number of recorded messages.
func (c *large) hits(x load, i integrals) (lucky, guests, jitter, thin float64) {
	if i.all > 0 { // otherwise everything is below the range of float64
		lucky, guests = x.lucky*(i.lucky/i.all), x.lucky*(i.times/i.all)
	}
	if i.lucky > 0 {
		jitter = jitterMessages * float64(c.g.K+1) * i.few / i.lucky
		thin = jitterMessages * float64(c.g.K+1) * i.thin / i.times
	}
	return lucky, guests, jitter, thin
}

// The method "wild" returns one term of the error of the number of lucky arrivals. If the relative error "jitter" is
// small, the order of the error is known, and this term is 0.
func (c *large) wild(x load, i integrals, m curve, n, before, jitter float64) float64 {
	if jitter <= leastOrder || i.all == 0 {
		return 0
	}
	return x.lucky * (c.mostLucky(m, n, before) / i.all)
}

// onePhase returns the rates of a filter. On average, a cycle has v arrivals, and the filter records y of them. The
// other arguments are mean numbers in a cycle. The argument "missed" is the number of false negatives, and the argument
// "lucky" is the number of lucky arrivals. The argument "guests" is the number of false positives in a cycle if all its
// arrivals are new messages.
func (x load) onePhase(missed, lucky, guests, fresh, y, v float64) Forecast {
	return Forecast{
		FNR: missed / v, Lucky: lucky / v, FPR: fresh * guests / v,
		FPRPerNew: guests / v, FPRPerCycleNew: x.lucky / y, Cycle: v,
	}
}
