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

// CycleRates returns the means over the cycles that end, of a one-phase filter with fresh positions
// at full size, where either nothing new arrives (p_r = 1) or new messages enter at the last rank.
// With new messages every cycle ends, and they are the long-run Rates. With p_r = 1 a cycle does
// not end with the probability that all D messages fit, and they differ from Lasting by about
// that.
//
// Routes:
//
//	groups  messages of equal popularity are counted instead of told apart: grouped.go
//	times   not retaining, any popularity: arrivals at the times of a Poisson process, and an
//	        integral over them: repeats_only.go for p_r = 1, arrivals_last.go otherwise
//
// Auto takes groups, and times where there are too many states of them.
//
// Source: Dozier-FN, section 4, and (16)-(26) without the mean-field step (19); derived here.
// Domain: as above; groups with few states: uniform and bi-uniform popularity at any D, others up
// to D = 16 or so; prec 1 to MaxPrec.
// Error: relative widths at most 2^-prec.
// Cost: groups a product for each state and group, retaining for each group again; times about
// half the arrivals of a cycle or more, and for each D times the messages that a cycle can hold.
// Measured for 17 digits by times, (m, k, sigma) = (2000, 5, 200), Zipf(1) of 200, p_r = 1: 4 s.
// Errors: *bloomproof.ParamError; ErrUndefined outside of the domain, where the filter does not
// recycle, and where all messages fit with a probability that is not below the precision asked;
// ErrTooCostly above 2^18 states of groups, 2^25 steps for the set bits and 2^27 products of times.
func (c *System) CycleRates(prec uint, route exact.Route) (*Rates, error) {
	if err := precision.Check(prec); err != nil {
		return nil, err
	}
	if route != exact.Auto {
		if _, err := refuse.Among(route, exact.Auto, []exact.Route{routeGroups, routeTimes}, "the cycles of a filter"); err != nil {
			return nil, err
		}
	}
	if route == routeTimes {
		return c.byTimes(prec)
	}
	x, err := c.byGroups(prec)
	if route == exact.Auto && errors.Is(err, refuse.ErrTooCostly) && !c.r.Retain {
		return c.byTimes(prec)
	}
	return x, err
}

// byTimes returns the rates as an integral over the times of arrivals.
func (c *System) byTimes(prec uint) (*Rates, error) {
	if c.w.Repeat == 1 {
		return c.ofRepeats(prec)
	}
	return c.ofArrivalsLast(prec)
}
