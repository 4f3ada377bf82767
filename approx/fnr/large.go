package fnr

import (
	"fmt"
	"sync"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/cycle"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// Large filters. In the renewal model the arrivals of a cycle are recorded independently of one
// another, with probabilities e_1 = 1, e_2, ... (renewal.go). Let m(n) be the sum of the first n
// of them, I the number of messages that fit, which does not depend on the workload, and tau
// the arrival that ends the cycle, the first after which I+1 are recorded. Then by optional
// stopping
//
//	E[m(tau)] = E[I+1] = c,   E[(m(tau)-c)^2] = Var I + c - E[sum of e_j^2, j <= tau] = s^2,
//
// for the number recorded less m(n) is a martingale. c is the length of a cycle of new
// messages, which a Cycle knows at any size. With n(y) inverse to m, which is convex as e falls,
//
//	V = E[tau] = E[n(m(tau))] = n(c) + n''(c) s^2/2 + ...,
//
// the second term some 10^-6 of the first in large filters: m(tau) is c within some hundred
// messages. Everything needs m at a few points only. f_n V is the sum of u less what is new,
//
//	f_n V = S(n(c)) - (1-p_r) n'' s^2/2 - L,  S(n) = m(n) - (1-p_r) n = sum of p_r R(j), j < n,
//
// without cancellation, L the lucky arrivals: those that meet a filter of y messages come at
// S' dn and are lucky with probability g(y), the integral of S' g(m) over that of m' g(m), times
// all that are lucky among new messages only, which the Cycle knows. g is the k-th power of
// the share of set bits: the quotient is the same for a g that is off by a factor.
//
// What is left out: of V the next term, E[n''' (m(tau)-c)^3]/6, which the difference of n'' at
// c-s and c+s times s^2/2 exceeds seven times if the law is near a normal one; in L the jitter
// of bits and steps, of the order k/c of it. verify holds the bound made of these against sums
// that leave nothing out.
//
// Retaining, the message that ended a cycle is there when the next begins: m(tau) = c-1 and m is
// less by the part of that message that would have come (curve.kept).
//
// Two phases with copy-over: the arrival n of a cycle finds its message in neither array with
// probability R(n + length of the cycle before), (27), so that in S' dn and in L that stands
// in place of n, and what the frozen array says by chance is left out. The two lengths are
// independent. Where the array is frozen before it holds the message that ended its cycle, and
// the filter does not retain it, that message is in neither: it is a false negative once a cycle
// at most. Half of that is added, and bounds what it is wrong by.

// A large is a filter that is too large to follow its messages.
type large struct {
	g bloomproof.Geometry
	r bloomproof.Recycling // may differ from that of the filter in sigma, Retain and TwoPhase
	w bloomproof.Workload

	shared *System
}

// asLarge returns the filter as a large one.
func (c *System) asLarge() large { return large{c.g, c.r, c.w, c} }

// loads keeps what fits into an array, which takes seconds where k and sigma are large.
type loads struct {
	mu  sync.Mutex
	all map[loadKey]load
}

// loadKey is what of a large decides it.
type loadKey struct {
	sigma    uint64
	twoPhase bool
}

// A load is what fits into an array, whatever the workload is.
type load struct {
	messages float64 // c: those of a cycle of new messages, the one that ends it included
	lucky    float64 // of them, those that set no bit
	unlucky  float64 // the others
	spread   float64 // Var I
	frozen   float64 // two phases: the probability that a frozen array matches by chance
	err      float64 // bounds the relative errors of the first three
}

// load returns it, and computes it once.
func (c *large) load() (load, error) {
	s, key := &c.shared.loads, loadKey{c.r.Sigma, c.r.TwoPhase}
	s.mu.Lock()
	defer s.mu.Unlock()
	if x, ok := s.all[key]; ok {
		return x, nil
	}
	x, err := c.newLoad()
	if err == nil {
		if s.all == nil {
			s.all = map[loadKey]load{}
		}
		s.all[key] = x
	}
	return x, err
}

// newLoad is load. Var I is the variance of the bits that c messages set by the square of what
// one more adds; message-bounded, about the mean of those that set none.
func (c *large) newLoad() (load, error) {
	one := bloomproof.Recycling{Sigma: c.r.Sigma, Messages: c.r.Messages, FreshPositions: true}
	if c.r.TwoPhase {
		one.FreezeBefore = c.r.FreezeBefore
	}
	n, f, err := oneArray(c.g, one)
	if err != nil {
		return load{}, err
	}
	x := load{messages: n.Arrivals, lucky: n.Positives.Float64()}
	x.unlucky = x.messages - x.lucky
	x.err = n.Err * max(1, x.messages/x.unlucky)
	if c.r.Messages > 0 {
		x.unlucky = float64(c.r.Messages)
		x.spread = x.lucky
	} else {
		one, two := message.Clear(c.g, 1), message.Clear(c.g, 2)
		p, pair := fm.Exp(x.messages*one), x.messages*(two-2*one)
		m := float64(c.g.M)
		variance := m*p*(1-p) + m*p*p*((m-1)*fm.Expm1(pair))
		each := m * p * one
		x.spread = max(variance/(each*each), 0)
	}
	if c.r.TwoPhase {
		if c.r.Messages == 0 {
			f = n.Frozen(c.g, c.r.Sigma, c.r.FreezeBefore)
		}
		hits, err := f.Hits(c.g, false)
		if err != nil {
			return load{}, err
		}
		x.frozen = hits.Float64()
		if !(x.frozen >= 0 && x.frozen < 1) {
			return load{}, fmt.Errorf("%w: the frozen array can hold all bits", refuse.ErrUndefined)
		}
	}
	return x, nil
}

// oneArray returns the numbers of a cycle of one array in which all messages are new and,
// message-bounded, the law of its bits when it is frozen.
func oneArray(g bloomproof.Geometry, r bloomproof.Recycling) (cycle.Numbers, cycle.Frozen, error) {
	if r.Messages == 0 {
		n, err := cycle.Of(g, r)
		return n, cycle.Frozen{}, err
	}
	if message.Fills(g, r.Messages) {
		return cycle.Numbers{}, cycle.Frozen{}, fmt.Errorf("%w: an array can hold all bits before its cycle ends", refuse.ErrUndefined)
	}
	return cycle.Messages(g, r)
}

// match returns the probability that a message that is not recorded finds all its positions
// set in an array of y messages, but for 1/y of it.
func (c *large) match(y float64) float64 {
	return message.Power(-fm.Expm1(y*message.Clear(c.g, 1)), c.g.K)
}

// leastLarge is how many messages fit at least where the expansion is taken: with fewer, the terms
// that are left out are no longer small beside the false negatives (TestLargeIsTheSum).
const leastLarge = 256

const (
	// mostFollowed is how many products following each message of a cycle and each arrival may cost
	// where that is preferred to the expansion: half a second.
	mostFollowed = 1 << 28

	// allFit is how many estimated standard deviations the messages of a cycle are away from those
	// that can come where it is said that all fit, or not: a normal tail of 1e-19.
	allFit = 9

	// reachMargin is the part of a cycle beyond its end that a listed curve knows besides, for the
	// standard deviations of its end (1/sqrt(256) at most) and the derivatives there.
	reachMargin = 0.1

	// newStart and newStarts: a curve by transforms is good from a part of its end on (see shifting).
	// It is made anew for twice the cycle where that is less than a sixth of the end, and for four
	// times the end where so many messages are not reached: a few times, 40 at most.
	newStart  = 6
	newStarts = 40

	// rootSteps and rootDigits end the search for a root by Newton's method and bisection, which
	// halves a float64's range in 200 steps.
	rootSteps  = 200
	rootDigits = 0x1p-50
)

// isLarge reports whether following each message of a cycle and each arrival would cost more
// than half a second.
func (c *System) isLarge() bool {
	m, k := float64(c.g.M), float64(c.g.K)
	messages := roughMessages(c.g, c.r)
	return messages >= 2*leastLarge &&
		(messages*min(rowSpread*fm.Sqrt(m), m)*k > 2*mostFollowed || messages*float64(c.w.Popularity.D) > mostFollowed)
}

// large returns a renewal model's numbers for a large filter. It follows no message, so what it
// costs does not grow with m. Measured, in processor time on one AMD EPYC thread, standard
// hashing, k = 7, sigma = m/2, m = 2^20 to 2^30 (BenchmarkLarge):
//
//	Zipf(1), p_r = 0.9, arrivals as Q, D = 10^5    0.04 s    4 MB
//	                                   D = 10^6    0.36 s   32 MB
//	                                   D = 4 10^6  1.3 s   128 MB
//	Zipf(1), arrivals last or p_r = 1, any D       0.004 s  0.1 MB
func (c *System) large(m Model) (Forecast, error) {
	at := c.asLarge()
	at.r.Retain = m == ModelRenewalRetaining
	f, err := at.forecast()
	if err != nil || m != modelRenewalExtended {
		return f, err
	}
	// False negatives are counted as if the bound were sigma+k.
	at.r.Sigma = min(at.r.Sigma+uint64(at.g.K), at.g.M-1)
	wide, err := at.forecast()
	if err != nil {
		return Forecast{}, err
	}
	f.FNR = wide.FNR * wide.Cycle / f.Cycle
	f.Bound += wide.Bound
	return f, nil
}

// forecast is large by the rule as it is.
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
	n, y, m, err := c.reach(x, c.r.TwoPhase)
	if err != nil {
		return Forecast{}, err
	}
	return c.expand(x, m, n, y)
}

// closed returns an error where nothing new arrives and all messages may fit: with p_r = 1.
// It estimates that by allFit standard deviations, where System.overflows is a proof that
// needs k times as many.
func (c *large) closed(x load) error {
	d := float64(comers(c.w.Popularity))
	off := d - x.messages
	width := allFit * fm.Sqrt(x.spread+1)
	switch {
	case off > width:
		return nil
	case off < -width:
		return recyclesNoMore(d, "")
	}
	return fmt.Errorf("%w: with p_r = 1 and D = %.0f all messages fit with a probability that counts, and then the filter recycles no more", refuse.ErrUndefined, d)
}

// reach returns the arrivals n at which y = c, or c-1 retaining, messages are recorded in the
// mean, and a curve that knows twice as many with two phases.
func (c *large) reach(x load, two bool) (n, y float64, m curve, err error) {
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
	y0 := y
	if c.r.Retain {
		y0 += 0.5
	}
	if s := newListed(t, y+1, phases); s != nil {
		n = solve(s, fresh, y0, 0, float64(len(s.sums)))
		return n, y, s, nil
	}
	// New messages that move old ones down take popular ranks, so it takes longer than if they
	// entered last.
	w := c.w
	w.Arrivals, w.ArrivalWeights = bloomproof.ArrivalLast, nil
	if s, err = newSteady(w); err != nil {
		return 0, 0, nil, err
	}
	end := min(most, 3*solve(s, fresh, y, 0, most))
	for range newStarts {
		g := newShifting(t, phases*end, 2)
		sum, _, _ := g.stale(end)
		if at := fresh*end + sum; at < y0 && end < most {
			end = min(most, 4*end)
			continue
		}
		n = solve(g, fresh, y0, end/64, end)
		if n > end/newStart {
			return n, y, g, nil
		}
		end = 2 * n
	}
	return 0, 0, nil, fmt.Errorf("%w: the arrivals of a cycle of %.3g messages", refuse.ErrUndefined, y)
}

// solve returns the n between low and high at which y messages are recorded in the mean: by
// bisection of the step that Newton's method proposes. It is infinite where so many never are.
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

// What is left out of the expansion is of the orders that stand over it. The factors are not
// derived: with these, TestLargeIsTheSum finds at most 0.41 of the bounds used by the differences
// from the sums over all terms.
const (
	shiftShare     = 0.01 // of the term n'' s^2/2, for what Var I errs by
	shiftMessages  = 10   // of y: the same where y is small
	turnShare      = 0.1  // as shiftShare, for the lengths of two cycles
	jitterMessages = 4    // times (k+1)/y of the lucky arrivals
)

// expand returns the numbers, n being about where y messages are recorded in the mean.
func (c *large) expand(x load, m curve, n, y float64) (Forecast, error) {
	fresh := 1 - c.w.Repeat
	low, high := 0.0, 0.0
	if c.r.Retain {
		low, high = m.kept(n, n)
	}
	kept := (low + high) / 2
	sum, rate, slope := m.stale(n)
	e := fresh + rate
	i := c.integrals(m, n, 0)
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
	off := third + (shiftShare+shiftMessages/y)*shift + (high-low)/e + x.err*y/e // of V

	lucky, guests, jitter := c.hits(x, i)
	if jitter == 0 {
		jitter = jitterMessages * float64(c.g.K+1) / y
	}
	var f Forecast
	var wrong float64 // bounds the error of f_n V
	if !c.r.TwoPhase {
		missed := sum - kept - fresh*shift - lucky
		f = x.onePhase(missed, lucky, guests, fresh, y, v)
		wrong = off*max(fresh, rate) + jitter*lucky + m.err(n)*sum
	} else {
		// The lengths t and t' of the two cycles have the variance of m(tau) by e^2, so that
		// S(t+t') - S(t') has this mean.
		both := c.integrals(m, n, v)
		end, endRate, endSlope := m.stale(2 * v)
		start, startRate, startSlope := m.stale(v)
		turn := (endSlope - startSlope/2) * s2 / (e * e)
		stale := max(end-start+turn, 0)
		hits := 0.0
		if i.all > 0 {
			hits = x.lucky * both.lucky / i.all
		}
		missed := (1 - x.frozen) * max(stale-hits, 0)
		lost := 0.0 // by the message that ended the cycle before
		if c.r.FreezeBefore && !c.r.Retain {
			lost = min(1, c.w.Repeat*v) / 2
		}
		positive := x.frozen*v + (1-x.frozen)*guests // new messages called repeats, if all were new
		f = Forecast{
			FNR: (missed + lost) / v, Lucky: (stale - missed) / v, FPR: fresh * positive / v,
			FPRPerNew: positive / v, Cycle: v,
		}
		f.FPRPerCycleNew = (f.FPR + f.Lucky) / (fresh + stale/v)
		off += 1 // whether the arrival between the cycles counts to one or the other
		wrong = off*(startRate-endRate) + (turnShare+shiftMessages/y)*fm.Abs(turn) + jitter*lucky + m.err(2*v)*end + m.err(v)*start + lost
	}
	for _, x := range []float64{f.FNR, f.Lucky, f.FPR, f.FPRPerNew, f.Cycle, wrong, off} {
		if !(fm.Abs(x) < fm.Inf()) {
			return Forecast{}, fmt.Errorf("%w: %.3g messages in a cycle are too many to tell D = %d apart", refuse.ErrUndefined, y, c.w.Popularity.D)
		}
	}
	f.Valid = true
	f.Bound = jitter + 2*off/v
	switch {
	case wrong < leastNumber: // there are no false negatives
		f.FNR = 0
	case wrong > tellable*f.FNR*v:
		f.FNR, f.Bound = max(f.FNR, 0)+wrong/v, 1
		f.Note = "false negatives are too rare for the expansion; the rate is an upper bound"
	default:
		f.Bound = max(f.Bound, wrong/(f.FNR*v)+2*off/v)
	}
	f.FNR, f.Bound = min(f.FNR, 1), min(f.Bound, 1)
	return f, nil
}

// hits returns how many arrivals of a cycle are lucky, how many would be false positives if all
// were new, and what the jitter of bits and steps makes of the first, relatively.
func (c *large) hits(x load, i integrals) (lucky, guests, jitter float64) {
	if i.all > 0 { // or all is below the range of float64
		lucky, guests = x.lucky*i.lucky/i.all, x.lucky*i.times/i.all
	}
	if i.lucky > 0 {
		jitter = jitterMessages * float64(c.g.K+1) * i.few / i.lucky
	}
	return lucky, guests, jitter
}

// onePhase returns the rates of cycles of v arrivals, y of them recorded.
func (x load) onePhase(missed, lucky, guests, fresh, y, v float64) Forecast {
	return Forecast{
		FNR: missed / v, Lucky: lucky / v, FPR: fresh * guests / v,
		FPRPerNew: guests / v, FPRPerCycleNew: x.lucky / y, Cycle: v,
	}
}

// integrals are over the arrivals 0 to n of a cycle that came after a frozen one of before.
type integrals struct {
	squares float64 // of (m')^2
	all     float64 // of g(m) m', g being match
	times   float64 // of g(m)
	lucky   float64 // of g(m) S'(n+before)
	few     float64 // of that by m
}

const (
	// panelGrowth is the logarithm of what g may grow by in a panel: g is the k-th power of a function
	// that is at most proportional to n. 8 nodes then err by 1e-10 of it.
	panelGrowth = 6
	// faintHits ends the integrals of g towards 0.
	faintHits = 0x1p-50
	// smoothSteps is from how many arrivals on one node a step serves for sums of g over a listed
	// curve: g bends by k/n a step.
	smoothSteps = 1 << 12
)

// panelRatio returns the ratio of the ends of a panel.
func (c *large) panelRatio() float64 { return fm.Exp(-min(fm.Ln2, panelGrowth/float64(c.g.K))) }

// integrals are taken by Gauss's rule of 8 nodes in each of panels that become shorter towards 0,
// where everything is smooth in the logarithm of n, and over which g differs by e^panelGrowth at
// most.
func (c *large) integrals(m curve, n, before float64) integrals {
	fresh := 1 - c.w.Repeat
	var x integrals
	panels := func(ratio float64, do func(at, weight float64) (more bool)) {
		for high := n; high > 1; high *= ratio {
			low := high * ratio
			if high*ratio < 1 {
				low = 0
			}
			more := true
			for i, g := range gaussNodes {
				more = do(low+(high-low)*g, (high-low)*gaussWeights[i])
			}
			if !more {
				return
			}
		}
	}
	panels(0.5, func(at, weight float64) bool {
		_, rate, _ := m.stale(at)
		x.squares += weight * (fresh + rate) * (fresh + rate)
		return true
	})
	if s, ok := m.(*listed); ok {
		c.sums(&x, s, n, before)
		return x
	}
	top := 0.0
	panels(c.panelRatio(), func(at, weight float64) bool {
		sum, rate, _ := m.stale(at)
		g := c.match(fresh*at + sum)
		top = max(top, g)
		x.all += weight * g * (fresh + rate)
		x.times += weight * g
		if before > 0 {
			_, rate, _ = m.stale(at + before)
		}
		x.lucky += weight * g * rate
		x.few += weight * g * rate / (fresh*at + sum)
		return g > faintHits*top
	})
	return x
}

// sums is integrals of g for a listed curve, step by step.
func (c *large) sums(x *integrals, s *listed, n, before float64) {
	fresh := 1 - c.w.Repeat
	nodes, weights := gaussNodes[:], gaussWeights[:]
	if n > smoothSteps {
		nodes, weights = []float64{0.5}, []float64{1}
	}
	for low := 0.0; low < n; low++ {
		length := min(1, n-low)
		_, rate, _ := s.stale(low)
		for i, at := range nodes {
			at, weight := low+length*at, length*weights[i]
			sum, _, _ := s.stale(at)
			g := c.match(fresh*at + sum)
			x.all += weight * g * (fresh + rate)
			x.times += weight * g
			later := rate
			if before > 0 {
				_, later, _ = s.stale(at + before)
			}
			x.lucky += weight * g * later
			x.few += weight * g * later / (fresh*at + sum)
		}
	}
}

// The nodes and weights of Gauss's rule on [0,1].
var (
	gaussNodes = [8]float64{
		0.019855071751231884, 0.10166676129318664, 0.2372337950418355, 0.4082826787521751,
		0.5917173212478249, 0.7627662049581645, 0.8983332387068134, 0.9801449282487681,
	}
	gaussWeights = [8]float64{
		0.05061426814518813, 0.11119051722668724, 0.15685332293894363, 0.1813418916891810,
		0.1813418916891810, 0.15685332293894363, 0.11119051722668724, 0.05061426814518813,
	}
)
