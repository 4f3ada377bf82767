package fnr

import (
	"fmt"

	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// The fluid model is the limit in which m, sigma and D grow together and random variation vanishes. In it y messages
// set m (1-(1-1/m)^(ky)) bits, and the array is full after the number y of messages for which this number of bits is
// sigma. Let m(n) be the mean number of messages that are recorded after n arrivals, and n(y) the inverse function
// (large.go). The cycle ends at arrival T = n(y). Let g(y) be the probability that a message finds all its positions
// set in an array of y messages. Let p_r be the probability of a repeat, and R(t) the probability that a repeat at
// arrival t finds its message unrecorded. Then the false-negative rate is
//
//	f_n = (1/T) integral over t < T of p_r R(t) (1 - g(m(t))),
//
// For p_r = 1, and without the factor 1-g, the rate is (1/T) times the sum over all messages j of 1-(1-q_j)^T, which is
// y/T; q_j is the popularity of message j. With two phases and copy-over, R(t+T) replaces R(t), and the frozen array
// contributes a factor 1-g(y).
//
// The relative error of the model is of the order 1/m. By the expansion in large.go, the mean number V of arrivals in a
// cycle is n(c) + n'' s^2/2, where c is the mean number of messages in a cycle and s^2 a variance. Here c-y and the
// derivative n' are bounded, n'' is of the order 1/m, and s^2 is of the order m. This proves the order for the renewal
// model. The V of the real filter has the true variance of the number of messages recorded in n arrivals in place of
// the mean-field variance. The true variance is smaller than the mean-field variance, so the order is the same (verify
// compares the order with package exact).

const (
	// fluidError is the relative error of the sums of the fluid model, which have 8 nodes in each interval of
	// integration. It is estimated, and not proven (see Forecast.Estimated). The total error also includes the error of
	// the computed m(n).
	fluidError = 1e-9

	// If the relative error of the computed number of false negatives is at most tellable, the number is returned. If
	// it is larger, only an upper bound is returned.
	tellable = 0.25

	// Numbers of messages, and bounds of the errors of such numbers, count as 0 if they are below leastNumber. This
	// constant is above the subnormal numbers.
	leastNumber = 1e-300
)

// fluid returns the forecast of the fluid model.
func (c *System) fluid() (Forecast, error) {
	x := c.asLarge()
	x.r.Retain = false // the retained message is negligible among many messages
	y, err := x.full()
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
	two := c.r.TwoPhase
	n, _, m, err := x.reach(load{messages: y}, two)
	if err != nil {
		return Forecast{}, err
	}
	fresh := 1 - c.w.Repeat
	before, frozen := 0.0, 0.0
	if two {
		before, frozen = n, x.match(y)
	}
	i := x.integrals(m, n, before)
	start, _, _ := m.stale(before)
	end, _, _ := m.stale(before + n)
	stale := max(end-start, 0)
	missed := (1 - frozen) * max(stale-i.lucky, 0)
	positive := frozen*n + (1-frozen)*i.times
	f := Forecast{
		FNR: missed / n, Lucky: (stale - missed) / n, FPR: fresh * positive / n,
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
	off := m.err(n) * (end + start)
	switch {
	case off < leastNumber:
		f.Bound = fluidError
	case off > tellable*missed:
		f.FNR, f.Bound = min(f.FNR+off/n, 1), 1
		if f.Note == "" {
			f.Note = "false negatives are too rare for these sums; the rate is an estimated upper bound"
		}
	default:
		f.Bound = off/missed + fluidError
	}
	estimated := fluidError
	what := append([]string{ofIntegrals}, estimates(m)...)
	if len(what) > 1 {
		estimated = f.Bound
	}
	f.assume(estimated, what...)
	return f, nil
}

const (
	// newtonSteps is more than the number of steps that Newton's method takes for a concave function if it begins below
	// the root. It usually takes about ten steps, and at worst one for each factor of 2 between the first value and the
	// root.
	newtonSteps = 200
	// Newton's method ends at a relative change of fullDigits. The sums over intervals end at a term of relative size
	// restDigits. Both are below the rounding errors of the sums.
	fullDigits = 0x1p-48
	restDigits = 0x1p-55
)

// full returns the number of messages, at least 1, after which the mean number of set bits is sigma. If the filter is
// message-bounded, full returns another number of messages: on average, N of these messages set a bit.
func (c *large) full() (float64, error) {
	if c.r.Messages == 0 {
		return max(fm.Log1p(-float64(c.r.Sigma)/float64(c.g.M))/message.Clear(c.g, 1), 1), nil
	}
	if message.Fills(c.g, c.r.Messages) {
		return 0, fmt.Errorf("%w: an array can hold all bits before its cycle ends", refuse.ErrUndefined)
	}
	n := float64(c.r.Messages)
	y := n
	for range newtonSteps {
		lucky := 0.0
		ratio := c.panelRatio()
		for high := y; high > 1; high *= ratio {
			sum := 0.0
			for i, g := range gaussNodes {
				sum += gaussWeights[i] * c.match(high*(ratio+(1-ratio)*g))
			}
			if sum *= high * (1 - ratio); sum <= restDigits*lucky {
				break
			}
			lucky += sum
		}
		// This is a step of Newton's method for the equation y - lucky(y) = N, where lucky(y) is the mean number of
		// messages, among the first y, that set no bit. The left side is concave, so a step from below never
		// overshoots.
		step := (n - y + lucky) / (1 - c.match(y))
		y += step
		if fm.Abs(step) <= fullDigits*y {
			return y, nil
		}
	}
	return 0, fmt.Errorf("%w: %d messages fill an array of %d bits", refuse.ErrUndefined, c.r.Messages, c.g.M)
}
