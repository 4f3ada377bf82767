package fnr

import (
	"fmt"

	"github.com/bloomproof/bloomproof/approx/internal/fault"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// The fluid model is a limit: m, sigma and D grow together, and random variation vanishes. In this limit, x messages
// set m (1-(1-1/m)^(kx)) bits. Let y be the number of messages that set sigma bits: the array is full after y messages.
// Let m(n) be the mean number of messages that are recorded after n arrivals. Let n(y) be the inverse function
// (large.go). The cycle ends at arrival T = n(y). Let g(y) be the probability that a message finds all its positions
// set in an array that holds y messages. Let p_r be the probability of a repeat. Let R(t) be the probability that a
// repeat at arrival t is an unrecorded message. Then the false-negative rate is
//
//	f_n = (1/T) integral over t < T of p_r R(t) (1 - g(m(t))).
//
// For p_r = 1, and without the factor 1-g, the rate is y/T. It is then 1/T times the sum over all messages j of
// 1-(1-q_j)^T. Here q_j is the popularity of message j. With two phases and copy-over, R(t+T) replaces R(t). The frozen
// array then contributes a factor 1-g(y).
//
// The relative error of the model is of order 1/m. By the expansion in large.go, the mean number V of arrivals in a
// cycle is n(c) + n'' s^2/2. Here c is the mean number of messages in a cycle. The number of the arrival that ends a
// cycle is a random variable tau. The number s^2 is the variance of m(tau). The difference c-y and the derivative n'
// are bounded. The derivative n'' is of the order 1/m, and s^2 is of the order m. So the fluid model differs from the
// renewal model by a relative amount of the order 1/m. Now consider the variance of the number of messages recorded in
// n arrivals. The expansion of V contains the mean-field approximation of this variance. For the real filter, the true
// variance replaces it. The true variance is smaller, so the error is of the same order. Package verify checks this
// order against package exact.

const (
	// fluidError is the relative error of the sums of the fluid model over a curve of the type "shifting". It is
	// estimated, and not proven (see Forecast.Estimated).
	fluidError = 1e-9

	// If the relative error of a computed number of false negatives is at most 1/4, this number is returned. If the
	// error is larger, only an upper bound is returned, and Forecast.Valid is false.
	tellable = 0.25

	// A number of messages counts as 0 if it is below leastNumber. An error bound of such a number also counts as 0 if
	// the bound is below leastNumber. This constant is above the subnormal numbers.
	leastNumber = 1e-300
)

// The method "fluid" returns the forecast of the fluid model.
func (c *System) fluid() (Forecast, error) {
	x := c.asLarge()
	x.r.Retain = false // the retained message is negligible among many messages
	y, offFull, err := x.full()
	if err != nil {
		return Forecast{}, err
	}
	if c.w.Repeat == 1 {
		switch d := float64(comers(c.w.Popularity)); {
		case y > d:
			return Forecast{}, recyclesNoMore(d, "")
		case y == d:
			return Forecast{}, fmt.Errorf("%w: with p_r = 1 and D = %.0f the last message ends the cycle, and in the mean it never comes", refuse.ErrUndefined, d)
		}
	}
	n, _, m, err := x.reach(load{messages: y}, c.r.TwoPhase, 0)
	if err != nil {
		return Forecast{}, err
	}
	return c.flow(x, m, n, y, offFull)
}

// The method "flow" computes the forecast of the fluid model. Its arguments are the filter as a value of the type
// "large", and the results of the methods "reach" and "full".
func (c *System) flow(x large, m curve, n, y, offFull float64) (Forecast, error) {
	if err := fault.Part(); err != nil {
		return Forecast{}, err
	}
	two, fresh := c.r.TwoPhase, 1-c.w.Repeat
	before, frozen := 0.0, 0.0
	if two {
		before, frozen = n, x.match(y)
	}
	i := x.integrals(m, n, before)
	start, startRate, _ := m.stale(before)
	end, endRate, _ := m.stale(before + n)
	stale := max(end-start, 0)
	hits := min(i.lucky, stale)
	missed := (1 - frozen) * (stale - hits)
	positive := frozen*n + (1-frozen)*i.times
	f := Forecast{
		FNR: missed / n, Lucky: (frozen*stale + (1-frozen)*hits) / n, FPR: fresh * positive / n,
		FPRPerNew: positive / n, Cycle: n,
	}
	if all := fresh + stale/n; all > 0 {
		f.FPRPerCycleNew = (f.FPR + f.Lucky) / all
	}
	for _, v := range []float64{f.FNR, f.Lucky, f.FPR, f.FPRPerNew, f.Cycle} {
		if !(v >= 0 && v < fm.Inf()) {
			return Forecast{}, fmt.Errorf("%w: %.3g messages in a cycle are too many to tell D = %d apart", refuse.ErrUndefined, y, c.w.Popularity.D)
		}
	}
	f.Valid, f.Note = c.made(0)
	// A listed curve is linear between two integers, and R is constant there. So the model is defined for real n. The
	// relative error of g is at most k times the sum of three numbers. They are the relative error of m, the relative
	// error of y, and 16u (u = 2^-53) from rounding. Suppose that a popularity q has a relative error e. Then the
	// relative change of an integral of g S' (see large.go) is at most (k+2) e. The reason is that g grows at most like
	// n^k. The variable offSums bounds the relative errors of the integrals "times" and "lucky", and of the number
	// "frozen". To get offSums, the sum of the errors is divided by 1-frozen. The number n solves m(n) = y. The
	// variable offCycle is the error of n. It is the sum of the errors of m and y, divided by m'(n). At the end of the
	// cycle, repeats of unrecorded messages arrive at a certain rate. With two phases they arrive at a different rate
	// at the beginning of the cycle. Let r be the larger of the two rates. The error of n changes the number of these
	// repeats by at most 2 r offCycle. Near these times the rate of a listed curve can have several values. The code
	// takes the value that gives the largest bound. So this bound is proven if offCycle is below 1.
	sum, rate, _ := m.stale(n)
	offCurve := m.err(before + n)
	list, isList := m.(*listed)
	if isList {
		rate, _ = list.near(n)
		_, startRate = list.near(before)
		_, endRate = list.near(before + n)
	}
	offSums := (i.off + float64(c.g.K+2)*(offCurve+offFull+16*fm.Unit) + 64*fm.Unit) / (1 - frozen)
	offCycle := ((offCurve+offFull+8*fm.Unit)*y + fm.Abs(fresh*n+sum-y)) / (fresh + rate)
	off := 2 * max(startRate*min(1, before), endRate) * offCycle
	if isList && !(offCycle < 1) {
		off = fm.Inf()
	}
	if end+start > 0 { // the relative errors may be infinite
		off += offCurve * (end + start)
	}
	if hits > 0 {
		off += offSums * hits
	}
	noise := (1 - frozen) * i.noise
	off += noise
	rest := offCycle/n + 2*offSums
	what := estimates(m)
	if len(what) > 0 {
		rest += fluidError
		what = append([]string{ofIntegrals}, what...)
	}
	lucky := f.luckyError(noise / n)
	switch {
	case off < leastNumber:
		f.Bound = rest + lucky
	case off > tellable*missed:
		f.FNR = min((f.FNR+off/n)*(1+rest), c.w.Repeat)
		f.Valid, f.Bound, f.Note = false, 1, join(f.Note, onlyAbove("these sums", what != nil))
	default:
		f.Bound = off/missed + rest + lucky
	}
	if !(rest+lucky <= tellable) {
		f.Valid, f.Bound, f.Note = false, 1, join(f.Note, tooLarge("these sums"))
	}
	f.FNR, f.Bound = min(f.FNR, 1), min(f.Bound, 1)
	if len(what) > 0 {
		f.assume(f.Bound, what...)
	}
	return f, nil
}

const (
	// Newton's method takes fewer than newtonSteps steps for a concave function, if it begins below the root. The
	// method usually takes about ten steps. At worst it takes one step for each factor of 2 between the first value and
	// the root.
	newtonSteps = 200
	// Newton's method ends when a step changes the value by a fraction of at most fullDigits. The sums over intervals
	// end when the relative size of a term is at most restDigits. Both constants are below the rounding errors of the
	// sums.
	fullDigits = 0x1p-48
	restDigits = 0x1p-55
)

// The method "full" returns a number of messages, which is at least 1. After this number of messages the mean number of
// set bits is sigma. It also returns a bound of the relative error of this number. If the filter is message-bounded,
// the first result is a different number y. On average, N of the first y messages then set a bit.
func (c *large) full() (y, off float64, err error) {
	if err := fault.Part(); err != nil {
		return 0, 0, err
	}
	if c.r.Messages == 0 {
		return max(fm.LogMiss(c.r.Sigma, c.g.M).Hi/message.Clear(c.g, 1), 1), 12 * fm.Unit, nil
	}
	if message.Fills(c.g, c.r.Messages) {
		return 0, 0, fmt.Errorf("%w: an array can hold all bits before its cycle ends", refuse.ErrUndefined)
	}
	n := float64(c.r.Messages)
	y = n
	for range newtonSteps {
		lucky := 0.0
		ratio := panelRatio(c.g.K)
		for high := y; ; high *= ratio {
			sum := 0.0
			for i, g := range gaussNodes {
				sum += gaussWeights[i] * c.match(high*(ratio+(1-ratio)*g))
			}
			// The function "match" increases. So the rest of the integral is below ratio/(1-ratio) times the sum.
			if sum *= high * (1 - ratio); sum*ratio <= restDigits*lucky*(1-ratio) {
				break
			}
			lucky += sum
		}
		// Let lucky(y) be the mean number of messages, among the first y, that set no bit. This is a step of Newton's
		// method for the equation y - lucky(y) = N. The left side of the equation is a concave function of y. So if y
		// is below the solution, the next y is at most the solution.
		left := 1 - c.match(y)
		step := (n - y + lucky) / left
		y += step
		if fm.Abs(step) <= fullDigits*y {
			// The relative error of the integral is at most the sum of three errors. The first error is the constant
			// panelError. The second is the error of the function "match", 16k u with u = 2^-53. The third is 64u, for
			// all other roundings.
			off = ((panelError+(16*float64(c.g.K)+64)*fm.Unit)*lucky/y + fullDigits) / left
			return y, off, nil
		}
	}
	return 0, 0, fmt.Errorf("%w: %d messages fill an array of %d bits", refuse.ErrUndefined, c.r.Messages, c.g.M)
}
