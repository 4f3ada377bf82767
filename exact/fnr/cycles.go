package fnr

import (
	"errors"

	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// CycleRates has these two routes. The route Auto chooses between them.
const (
	routeGroups exact.Route = "groups"
	routeTimes  exact.Route = "times"
)

// CycleRates returns the rates as means over the cycles that end, for filters of real size with fresh positions. It
// covers two cases, where p_r is the probability that an arrival is a repeat. Either nothing new arrives (p_r = 1), or
// the filter has one phase and new messages enter at the last rank. If new messages arrive, every cycle ends, and the
// result is the same as the result of Rates. If p_r = 1, a cycle never ends if all D messages of the workload fit. For
// p_r = 1, the result differs from the result of Lasting by about the probability that all messages fit.
//
// Routes:
//
//	groups  one phase; counts the recorded messages of equal popularity (grouped.go)
//	times   any popularity; an integral over the times of arrivals, which form a Poisson process.
//	        p_r = 1: repeats_large.go for one phase, with and without retaining, and for two
//	        phases with copy-over and without retaining; repeats_only.go for one phase without
//	        retaining, to more digits. p_r < 1: arrivals_last.go, for one phase without retaining
//
// Auto chooses the route "groups", unless that route would need too many states or the filter has two phases. In these
// two cases Auto chooses the route "times".
//
// Source: Dozier-FN, section 4, and equations (16) to (28) without the mean-field step of equation (19); derived here.
// Domain: the two cases above. The route "groups" keeps below the limit of states for uniform and bi-uniform popularity
// at any D, and for other popularities up to about D = 16. The argument prec is 1 to MaxPrec. For the route "times"
// with retaining or two phases, prec is at most about 75.
// Error: relative widths at most 2^-prec.
// Cost: the route "groups" takes one product for each state and group. With retaining, the number of products is
// multiplied by the number of groups. With p_r = 1, the route "times" multiplies numbers of two words. Let P be the
// product of three numbers: the number of messages, the number of messages that fit into a cycle, and 3 to 5 times the
// square root of the number of arrivals of a long cycle. The route takes a small multiple of P products. For p_r < 1,
// the route "times" multiplies intervals at two points in time for each arrival. Measured for 17 digits by the route
// "times", (m, k, sigma) = (1000, 5, 500), Zipf(1) of 1000, p_r = 1: 1.3 s; with retaining 7 s; with two phases 2 s.
// Errors: *bloomproof.ParamError; ErrUndefined outside the domain, if the filter does not recycle, and if the
// probability that all messages fit is not below the requested precision; ErrTooCostly above 2^18 states for the route
// "groups", 2^25 steps for the set bits, and 2^33 products of two words or 2^27 products of intervals for the route
// "times"; ErrPrecision for more digits than the route "times" can compute.
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

// byTimes returns the rates by an integral over the times of arrivals.
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
