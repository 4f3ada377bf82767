package recycling

import (
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/enclose"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// Cycle represents a recycling filter whose arrivals are all new (Dozier-FP). Its methods return its long-run rate, its
// capacity, and the distributions from which these follow. It is immutable and safe for concurrent use.
//
// A cycle begins with an empty array or, if the filter retains, with the message that ended the previous cycle. Let V_b
// be the expected number of arrivals of a cycle that find b bits set. Let pi_b be the long-run probability that an
// arrival finds b bits set. Let f be the rate, and let N_0 be the number of arrivals of a cycle. Then
//
//	pi_b = V_b / sum of V,   f = sum of pi_b rho(b)   and   E[N_0] = sum of V.
//
// Here rho(b) is (b/m)^k for standard hashing and C(b,k)/C(m,k) for classic hashing. The arrival that ends a cycle is
// counted in that cycle. Let the hashing be classic, with sigma >= k. Then the first arrival of a cycle sets k bits. If
// the filter retains a message, this message also sets k bits. So retaining changes E[N_0] to E[N_0]-1 and f to
// f/(1-pi_0).
//
// # How the methods compute
//
// A route considers a cycle that begins with a given number of set bits. It computes the expected number of arrivals
// and the expected number of false positives. If the filter retains messages, this changes only how many bits are set
// at the beginning of a cycle. The file entry.go computes the distribution of this number. So every method takes the
// mean of the expected numbers over this distribution (overCycle). For two phases, and for the message-bounded rule,
// the methods call functions in other files. The method Via chooses one of the following routes:
//
//   - ClosedForm sums over the roots of rho = 1 (closed.go).
//   - Recursive follows the Markov chain of the set bits, position by position (chain.go).
//
// If the numerator and the denominator of a result are short, Auto computes the result as a rational (rational.go). It
// then uses the printed equations (15), (16) and (20) to (23) of Dozier-FP, message by message. For other results Auto
// takes the cheaper of the two routes.
type Cycle struct {
	g     shape
	r     bloomproof.Recycling
	route exact.Route
	kept  *keptCourses
}

// New returns the Cycle of a filter. The filter has the geometry g and recycles by the rule r. With two phases, g and
// sigma describe each of the two arrays.
//
// Errors: *bloomproof.ParamError if r.Validate returns an error, or if the hashing is partitioned.
func New(g bloomproof.Geometry, r bloomproof.Recycling) (*Cycle, error) {
	if err := r.Validate(g); err != nil {
		return nil, err
	}
	s, err := shapeOf(g)
	if err != nil {
		return nil, err
	}
	return &Cycle{g: s, r: r, route: exact.Auto, kept: new(keptCourses)}, nil
}

// Routes returns the routes that are available for c. With classic hashing, ClosedForm requires k <= m/2.
func (c *Cycle) Routes() []exact.Route {
	if c.g.closed(c.g.M, c.g.K) {
		return []exact.Route{exact.ClosedForm, exact.Recursive}
	}
	return []exact.Route{exact.Recursive}
}

// Via returns a copy of c whose methods use the given route. These methods never compute rationals.
//
// Errors: *bloomproof.ParamError for a route that c does not have.
func (c *Cycle) Via(route exact.Route) (*Cycle, error) {
	if route != exact.Auto {
		if _, err := refuse.Among(route, exact.Auto, c.Routes(), fmt.Sprintf("recycling with %v hashing", c.g.is)); err != nil {
			return nil, err
		}
	}
	return &Cycle{c.g, c.r, route, c.kept}, nil
}

// FPR returns the long-term average false-positive rate over new arrivals:
//
//	f = sum over b = 0..sigma of pi_b rho(b).
//
// With two phases an arrival is reported as a repeat if all its positions are set in one of the arrays (two_phase.go).
// With the message-bounded rule, pi_b has other values (messages.go). If Absorbing returns true, there are two cases.
// Either the rate is exactly 1, or chance determines the rate.
//
// Source: Dozier-FP, equations (17) to (19). Equations (10), (14) and (16) are corrected for sigma < 2k. For two phases
// the source is equation (26), which is exact for fresh positions with copy-over and freeze-before. In the other cases,
// this equation is corrected.
// Domain: every Cycle is permitted, and prec is 1 to MaxPrec bits.
// Error: the relative width is at most 2^-prec. If the numerator and the denominator of the result are short, the
// Enclosure holds the result as a rational. The result is exactly 0 if no arrival can find all its positions set.
// Cost: the route Recursive takes 4*sigma*k multiplications and divisions by a word, at a precision of prec +
// 2*log2(sigma*k) bits. This takes 0.5 s for (m, k, sigma) = (10^6, 7, m/2) at 53 bits. The route ClosedForm computes
// k^2 products and k logarithms of factorials. Its precision is prec + k*log2(m/sigma) + 2k bits. For (m, k, sigma) =
// (2^40, 7, m/2) it takes 1 ms. With 1000 digits it takes 0.1 s. Suppose that the filter retains the triggering
// message, with standard hashing. Then each route takes k times as long as for a filter that retains no message. In
// addition, k^3 products are computed.
//
// For two phases with fixed positions, the function also computes products at the same precision. Without retaining,
// there are sigma*k such products with Recursive, and k^3 with ClosedForm. With retaining, there are k^4 such products
// with either route. Consider a filter with (m, k, sigma) = (2^40, 7, m/2) that retains no message. For this filter,
// ClosedForm takes 10 ms. For two phases with fresh positions, the function computes k^3 products. The message-bounded
// rule takes N*k*w products. Here w is the width of the distribution of the number of set bits. It is about 25 standard
// deviations for a precision of 60 bits. For (m, k, N) = (10^6, 8, 50,000), these products take 5 s for up to about 25
// digits. For more digits, the computation takes 20 times as long. FPR and Capacity share these products. The limits
// are N*k <= 2^20 and N*k*w <= 2^33. For more digits, the second limit is 2^28.
//
// For fixed positions without copy-over, the function computes sigma*k^2*w products at the working precision. Consider
// the number of bits that are set in both arrays. Here w is the width of its distribution, 5*sqrt(m). This takes 6 s
// for (m, k, sigma) = (4000, 5, m/2) at 60 bits. The number m can be at most about 10,000 for k = 7, and 16,000 for k =
// 5. Suppose that such a filter is message-bounded, or retains the triggering message, or has sigma < 2k. Then the
// number of products of intervals is between sigma^2*k^3 and sigma^2*k^5. At most 2^23 of these products are permitted.
// Errors: *bloomproof.ParamError; ErrTooCostly; ErrUndefined in the case that Absorbing describes.
func (c *Cycle) FPR(prec uint) (exact.Enclosure, error) {
	if c.r.TwoPhase || c.r.Messages > 0 {
		return enclose.Probability(c.longRun(prec, true))
	}
	return enclose.Probability(c.quotient(prec, nil, repeats, total))
}

// Capacity returns the expected number of new arrivals in a cycle, including the arrival that ends it:
//
//	E[N_0] = sum over b = 0..sigma of V_b.
//
// Here V_b is the expected number of arrivals of a cycle that find b bits set. With two phases, a cycle lasts from one
// recycle to the next. So, at any time, the two arrays together hold the arrivals of at least one cycle and at most two
// cycles. With copy-over, the capacity equals the one-phase capacity for the same m and sigma. Without copy-over, an
// arrival that the frozen array matches is counted but not recorded. Therefore the capacity is larger.
//
// Source: Dozier-FP, equations (20) to (23), with N_b = 0 for b > sigma instead of b >= sigma. A retained triggering
// message ends one cycle and begins the next one. It counts only in the first of these two cycles.
// Domain, Error, Cost: the same as for FPR.
// Errors: the errors of FPR; ErrUndefined where Absorbing returns true.
func (c *Cycle) Capacity(prec uint) (exact.Enclosure, error) {
	if c.r.TwoPhase || c.r.Messages > 0 {
		return c.longRun(prec, false)
	}
	return c.quotient(prec, nil, total, unit)
}

// State returns pi_b, the probability that an arrival finds b bits set.
//
// Source: Dozier-FP, equations (15) and (16). For classic hashing, the paper says that pi_b = 0 for b < k. This is true
// if the filter retains the triggering message. Otherwise it is wrong, because then pi_0 = 1/E[N_0].
// Domain: the rule must be bit-bounded. Filters with fixed positions and without copy-over are excluded. Any b is
// allowed. The result is exactly 0 for b > sigma.
// Error, Cost, Errors: the same as for FPR.
func (c *Cycle) State(b uint64, prec uint) (exact.Enclosure, error) {
	if err := c.ownDistribution(); err != nil {
		return exact.Enclosure{}, err
	}
	if b > c.r.Sigma {
		return enclose.Int(0, prec), precision.Check(prec)
	}
	return enclose.Probability(c.quotient(prec, []uint64{b}, visits, total))
}

// MessagesFrom returns E[N_b]. Here N_b is the number of new arrivals until the cycle ends, counted from the moment at
// which b bits are set. The arrival that ends the cycle is included. The result is the same if the filter retains the
// triggering message.
//
// Source: Dozier-FP, equations (20) to (23), with N_b = 0 for b > sigma instead of b >= sigma.
// Domain: the bit-bounded rule; any b. The result is exactly 0 for b > sigma. With classic hashing, the number of set
// bits cannot be from 1 to k-1. For such b the result is the value that the recursion gives.
// Error, Cost: the same as for FPR.
// Errors: the errors of FPR; ErrUndefined without copy-over, because the result then depends on the frozen array.
func (c *Cycle) MessagesFrom(b uint64, prec uint) (exact.Enclosure, error) {
	if err := precision.Check(prec); err != nil {
		return exact.Enclosure{}, err
	}
	if err := c.ownDistribution(); err != nil {
		return exact.Enclosure{}, err
	}
	if c.r.NoCopyOver {
		return exact.Enclosure{}, refuse.Undefined("messages from b bits", "without copy-over they depend on the frozen array")
	}
	if b > c.r.Sigma {
		return enclose.Int(0, prec), nil
	}
	if c.short() {
		return enclose.Rational(c.messagesRational(b), prec), nil
	}
	c = c.chosen(c.r.Sigma, prec)
	return enclose.ZivErr(prec, prec+c.guard(c.r.Sigma), func(work uint) (*interval.Interval, error) {
		if c.route == exact.Recursive {
			return c.remaining(b, work)
		}
		s, err := c.runAt(work)(b, nil)
		if err != nil {
			return nil, err
		}
		return s[total], nil
	})
}

// A function of the type "sums" returns a list. These constants are indices of this list. The expected number of
// arrivals of a cycle has the index "total". The expected number of false positives has the index "repeats". At the
// index "unit", the list has the number 1. From the index "visits" on, the list has the numbers V_b. The list has one
// V_b for each requested number b of set bits.
const (
	total = iota
	repeats
	unit
	visits
)

// The function overCycle returns a list. The method "quotient" divides the number at the index "num" of this list by
// the number at the index "den".
func (c *Cycle) quotient(prec uint, at []uint64, num, den int) (exact.Enclosure, error) {
	if err := precision.Check(prec); err != nil {
		return exact.Enclosure{}, err
	}
	asked := c.r.Sigma
	switch num {
	case visits:
		asked = at[0]
		if !c.reaches(asked) {
			return enclose.Int(0, prec), nil
		}
	case repeats:
		if !c.reaches(1 + c.g.placed(c.g.K-1)) {
			return enclose.Int(0, prec), nil
		}
	}
	if c.short() {
		s, err := overCycle(field.Rationals, c, at, c.runRational)
		if err != nil {
			return exact.Enclosure{}, err
		}
		s[num].Quo(s[num], s[den])
		return enclose.Rational(s[num], prec), nil
	}
	c = c.chosen(asked, prec)
	return enclose.ZivErr(prec, prec+c.guard(asked), func(work uint) (*interval.Interval, error) {
		s, err := overCycle(field.Intervals(work), c, at, c.runAt(work))
		if err != nil {
			return nil, err
		}
		return s[num].Quo(s[num], s[den]), nil
	})
}

// A function of the type "sums" computes expected numbers for one cycle, by one route. The argument "start" is the
// number of set bits at the beginning of the cycle. The function returns a list. It begins with the expected number of
// arrivals, the expected number of false positives, and the constant 1. For each number b in the argument "at", it also
// has the expected number of arrivals that find b bits set.
type sums[P any] func(start uint64, at []uint64) ([]P, error)

// runAt returns a function that computes the expected numbers by the route of c, with a working precision of work bits.
func (c *Cycle) runAt(work uint) sums[*interval.Interval] {
	c = c.chosen(c.r.Sigma, work)
	if c.route == exact.Recursive {
		return func(start uint64, at []uint64) ([]*interval.Interval, error) { return c.runHashes(start, at, work) }
	}
	s, err := c.newClosed(work)
	if err != nil {
		return func(uint64, []uint64) ([]*interval.Interval, error) { return nil, err }
	}
	return s.run
}

// The method "chosen" replaces the route Auto of c by the cheaper route. It compares the costs for a result of prec
// bits. The comparison is valid for results that depend mainly on V_b. Here V_b is the expected number of arrivals that
// find b bits set.
func (c *Cycle) chosen(b uint64, prec uint) *Cycle {
	if c.route != exact.Auto {
		return c
	}
	best, least := *c, math.Inf(1)
	for _, route := range c.Routes() {
		by := Cycle{g: c.g, r: c.r, route: route}
		steps := by.chainSteps(0, prec+by.guard(b))
		if route == exact.ClosedForm {
			steps = by.closedSteps(prec + by.guard(b))
		}
		if steps < least {
			best, least = by, steps
		}
	}
	return &best
}
