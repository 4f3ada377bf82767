package fnr

import (
	"errors"

	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// CycleRates has the two routes "groups" and "times". The route Auto chooses one of them.
const (
	routeGroups exact.Route = "groups"
	routeTimes  exact.Route = "times"
)

// CycleRates returns the rates of a filter with fresh positions. The filter can have a practical size. These rates are
// means over the cycles that end. It covers two cases. Let p_r be the probability that an arrival is a repeat. In the
// first case nothing new arrives (p_r = 1). In the second case the filter has one phase, and new messages enter at the
// last rank. If new messages arrive, every cycle ends, and the result is the same as the result of Rates. Suppose that
// p_r = 1 and that a cycle records all D messages before it ends. Then this cycle never ends. So for p_r = 1 the result
// differs from the result of Lasting. The difference is approximately the probability that all messages fit.
//
// The route "groups" is for one phase. It counts the recorded messages of equal popularity (grouped.go). The route
// "times" works for messages with any popularities. It integrates over the times of arrivals, which form a Poisson
// process. For p_r = 1, the file repeats_large.go covers every filter with one phase. It also covers filters that have
// two phases, copy over, and do not retain the triggering message. The file repeats_only.go is for p_r = 1 and
// one-phase filters that do not retain the triggering message. For these filters, it computes more digits than
// repeats_large.go. For p_r < 1, the file arrivals_last.go covers one-phase filters that do not retain the triggering
// message.
//
// Auto chooses the route "groups", unless that route would need too many states or the filter has two phases. In these
// two cases Auto chooses the route "times". If new messages arrive, this route does not cover filters that retain the
// triggering message. So for a one-phase filter of this kind, Auto always chooses the route "groups".
//
// Source: section 4 of Dozier-FN, with its equations (16) to (28). The mean-field step of equation (19) is not used.
// The formulas are derived here.
// Domain: the two cases above. With uniform or bi-uniform popularity, the route "groups" works for any D. With other
// popularities, it works up to about D = 16. Above that, it needs too many states. The argument "prec" is 1 to MaxPrec.
// For the route "times", prec is at most about 75 if the filter retains the triggering message or has two phases.
// Error: the relative widths are at most 2^-prec.
// Cost: the route "groups" takes one product for each state and group. If the triggering message is retained, the
// number of products is multiplied by the number of groups. With p_r = 1, the route "times" multiplies numbers of two
// words each. Let a be the number of messages, and let b be the number of messages that fit into a cycle. Let a long
// cycle have n arrivals, and let c be 3 to 5 times the square root of n. The number of products is a small multiple of
// the product abc. If p_r < 1, the route "times" computes with intervals. It evaluates its integrands at two points in
// time for each arrival. For example, let p_r = 1 and (m, k, sigma) = (1000, 5, 500), and let 1000 messages have
// Zipf(1) popularities. For this filter, the route "times" computes 17 digits in 1.3 s. It takes 7 s if this filter
// retains the triggering message, and 2 s if it has two phases.
// Errors: *bloomproof.ParamError. The error is ErrUndefined outside the domain. It is also ErrUndefined if the filter
// does not recycle. It is also ErrUndefined if a cycle records all messages with a probability of about 2^-prec or
// more. The error is ErrTooCostly if the route "groups" needs more than 2^18 states, or if the set bits need more than
// 2^25 steps. For the route "times" there are two limits: 2^33 products of two-word numbers and 2^27 products of
// intervals. Above them, the error is ErrTooCostly. If the route "times" cannot compute so many digits, the error is
// ErrPrecision.
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
