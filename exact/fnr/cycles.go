package fnr

import (
	"errors"

	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// The routes of CycleRates.
const (
	routeGroups exact.Route = "groups"
	routeTimes  exact.Route = "times"
)

// CycleRates returns the means over the cycles that end, of a filter with fresh positions at full
// size, where either nothing new arrives (p_r = 1) or, of a one-phase filter, new messages enter at
// the last rank. With new messages every cycle ends, and they are the long-run Rates. With p_r = 1
// a cycle does not end with the probability that all D messages fit, and they differ from Lasting
// by about that.
//
// Routes:
//
//	groups  one phase: messages of equal popularity are counted instead of told apart: grouped.go
//	times   any popularity: arrivals at the times of a Poisson process, and an integral over them.
//	        p_r = 1: repeats_large.go for one phase, retaining or not, and for two phases with
//	        copy-over that do not retain, and repeats_only.go for one phase, not retaining, to more
//	        digits. Otherwise arrivals_last.go, one phase, not retaining
//
// Auto takes groups, and times where there are too many states of them or two phases.
//
// Source: Dozier-FN, section 4, and (16)-(28) without the mean-field step (19); derived here.
// Domain: as above; groups with few states: uniform and bi-uniform popularity at any D, others up
// to D = 16 or so; prec 1 to MaxPrec, up to some 75 for retaining and two phases by times.
// Error: relative widths at most 2^-prec.
// Cost: groups a product for each state and group, retaining for each group again; times with p_r = 1
// some products of two words for each message, each that a cycle can hold, and 3 to 5 times the
// root of the arrivals of a long cycle, otherwise products of intervals for two times per arrival.
// Measured for 17 digits by times, (m, k, sigma) = (1000, 5, 500), Zipf(1) of 1000, p_r = 1: 1.3 s,
// retaining 7 s, two phases 2 s.
// Errors: *bloomproof.ParamError; ErrUndefined outside of the domain, where the filter does not
// recycle, and where all messages fit with a probability that is not below the precision asked;
// ErrTooCostly above 2^18 states of groups, 2^25 steps for the set bits, and of times 2^33 products
// of two words and 2^27 of intervals; ErrPrecision for more digits than times have.
func (c *System) CycleRates(prec uint, route exact.Route) (*Rates, error) {
	if err := precision.Check(prec); err != nil {
		return nil, err
	}
	if route != exact.Auto {
		if _, err := refuse.Among(route, exact.Auto, []exact.Route{routeGroups, routeTimes}, "the cycles of a filter"); err != nil {
			return nil, err
		}
	}
	if route == routeTimes || route == exact.Auto && c.r.TwoPhase {
		return c.byTimes(prec)
	}
	x, err := c.byGroups(prec)
	if route == exact.Auto && errors.Is(err, refuse.ErrTooCostly) && (c.w.Repeat == 1 || !c.r.Retain) {
		return c.byTimes(prec)
	}
	return x, err
}

// byTimes returns the rates as an integral over the times of arrivals.
func (c *System) byTimes(prec uint) (*Rates, error) {
	if c.w.Repeat < 1 {
		return c.ofArrivalsLast(prec)
	}
	x, err := c.ofRepeatsLarge(prec)
	if errors.Is(err, refuse.ErrPrecision) && !c.r.Retain && !c.r.TwoPhase {
		return c.ofRepeats(prec)
	}
	return x, err
}
