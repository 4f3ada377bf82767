// Package recycling computes in float64 what a recycling Bloom filter does when all arriving messages are new. Its
// results are the long-run false-positive rate, the mean number of messages in a cycle, and the sizes that keep a given
// rate. It is fast and independent of package exact/recycling, which computes guaranteed enclosures.
//
//   - New makes a Cycle: the numbers of a filter. Its methods give the rate (FPR, LogFPR), the Capacity, the limit of
//     large filters (Fluid), and the distributions behind them (State, MessagesFrom, Frozen)
//   - MostMessages and LeastBits return the Optimum that keeps a rate
//   - NaiveRate and NaiveMessages size a message-bounded filter as if it did not recycle, for comparison (Dozier-FP). A
//     Naive (worst, oracle or average) names the way
//
// Cycle.Bound returns a bound of the relative errors of a Cycle. The bound includes rounding errors and the terms that
// a method leaves out. In the comments u = 2^-53. The other conventions are the same as in package approx.
//
// If an answer is an integer (MostMessages, LeastBits, NaiveMessages), the result also reports whether the errors could
// have changed it.
package recycling

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/cycle"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// A Cycle describes the long-run behaviour of a filter between two recycles. All messages that arrive are new. The
// results of its methods are expectations over random positions.
type Cycle struct {
	g bloomproof.Geometry
	r bloomproof.Recycling
	n cycle.Numbers
}

// New returns the Cycle of a recycling filter. The filter has the shape g and the rule r.
//
// New uses closed formulas if their proven error is below 2^-48. This is so for sigma above about 2 k sqrt(m).
// Otherwise New uses the Markov chain whose states are the numbers of set bits. If the chain takes too long, New uses
// the closed formulas with a larger error. This error must be below 1/1000, and Bound returns it. New never uses the
// limit of large m (see Fluid). This limit has a larger error, and takes as long to compute as the closed formulas.
//
// With two phases, g and sigma apply to each array. FPR is then the fraction of arrivals that at least one of the
// arrays reports as repeats.
//
// Domain: standard and classic hashing. A filter with two phases must have copy-over or fresh positions. There is one
// more restriction for message-bounded filters with two phases and fixed positions. New does not accept such a filter
// if it retains the triggering message.
// Cost: the closed form takes 2 to 20 microseconds for k <= 64 and any m. For each state and position, the chain takes
// 0.5 to 1.5 ns for k <= 12, and up to 6 ns for larger k. For m above 2^53 it takes 15 to 40 ns. It needs 8 bytes for
// each state, at most 256 MB. With standard hashing and fixed positions the chain takes up to k times as long if the
// filter retains the triggering message. Two phases add 2k^2 steps. In addition, fixed positions take k^2 steps of 40 ns
// if k > 64. If such a filter retains the triggering message, with standard hashing, they also take up to k^3 steps of
// 0.1 microseconds with freeze-after, and of 0.1 + k/1000 microseconds with freeze-before. If the probabilities of
// states are too small for a float64, each pair of state and position takes 0.2 microseconds. Then at most 2^22 pairs
// are permitted. A message-bounded rule takes N k min(16 sqrt(m), N k) steps of 2 ns. At most 2^31 steps are permitted.
// Errors: *bloomproof.ParamError, ErrTooCostly and ErrUndefined. ErrTooCostly is returned if neither method is
// possible. For k above about 800, ErrTooCostly has a second possible reason. States that contribute to the false
// positives can have probabilities that are too small for a float64. ErrUndefined is returned if N-1 messages can set
// all bits. Without copy-over, ErrUndefined is also returned if the frozen array can have all bits set. In both of
// these cases the filter eventually records nothing more. Its long-run rate is then 1, and it has no capacity.
func New(g bloomproof.Geometry, r bloomproof.Recycling) (*Cycle, error) {
	if err := r.Validate(g); err != nil {
		return nil, err
	}
	if err := message.Known(g); err != nil {
		return nil, err
	}
	switch {
	case r.NoCopyOver && !r.FreshPositions:
		return nil, &bloomproof.ParamError{Param: "copy", Value: false, Want: "true with fixed positions"}
	case r.Messages > 0:
		return newMessageCycle(g, r)
	case r.NoCopyOver && !r.FreezeBefore && canFill(g, r.Sigma):
		return nil, fmt.Errorf("%w: the frozen array can hold all bits, and then nothing more is recorded: the long-run rate is 1", refuse.ErrUndefined)
	}
	n, err := cycle.Of(g, r)
	if err != nil {
		return nil, err
	}
	n.Recorded = n.Arrivals
	if r.TwoPhase {
		if err := addFrozen(&n, g, r, n.Frozen(g, r.Sigma, r.FreezeBefore)); err != nil {
			return nil, err
		}
	}
	return &Cycle{g, r, n}, nil
}

// newMessageCycle does the work of New for the message-bounded rule.
func newMessageCycle(g bloomproof.Geometry, r bloomproof.Recycling) (*Cycle, error) {
	two := r.TwoPhase
	if two && r.Retain && !r.FreshPositions {
		return nil, &bloomproof.ParamError{Param: "retain", Value: true, Want: "false for message-bounded filters of two phases and fixed positions"}
	}
	bare := r.NoCopyOver && !r.FreezeBefore
	if message.Fills(g, r.Messages) || bare && message.Fills(g, r.Messages+1) {
		return nil, fmt.Errorf("%w: an array can hold all bits before its cycle ends: the long-run rate is 1", refuse.ErrUndefined)
	}
	n, f, err := cycle.Messages(g, r)
	if err == nil && two {
		err = addFrozen(&n, g, r, f)
	}
	if err != nil {
		return nil, err
	}
	return &Cycle{g, r, n}, nil
}

// canFill reports whether an arrival that ends a cycle can set all bits that are still clear. Before that arrival,
// there are two cases. Either no bit is set, or all bits of at least one message are set.
func canFill(g bloomproof.Geometry, sigma uint64) bool {
	if sigma < message.Fewest(g) {
		sigma = 0
	}
	return g.M-sigma <= uint64(g.K)
}

// FPR returns the fraction of arrivals that are false positives, in the long run. Let pi_b be the fraction of arrivals
// that find b bits set. With one phase the rate is
//
//	sum over b <= sigma of pi_b rho(b).
//
// Here rho(b) is (b/m)^k, or C(b,k)/C(m,k) for classic hashing.
//
// Source: Dozier-FP, equation (18); for the chain, the transition matrices of equations (4) and (11). With two phases
// the source is equation (26), corrected for the case that a message has the same positions in both arrays.
// Domain: the same as for New.
// Error: relative, at most Bound(); a result below 2^-1022 has an additional absolute error of 2^-1075.
// Cost: none beyond New.
// Errors: none.
func (c *Cycle) FPR() float64 { return c.rate().Float64() }

// LogFPR returns the natural logarithm of FPR, even if FPR is below the smallest float64.
//
// Source, Domain: the same as for FPR.
// Error: let L be the absolute value of the logarithm, and let u = 2^-53. The absolute error is at most Bound() + 4u L.
// Cost: none beyond New.
// Errors: ErrUndefined if no arrival can find all its positions set, so that the rate is 0.
func (c *Cycle) LogFPR() (float64, error) {
	if c.n.Positives.Hi == 0 {
		return 0, refuse.ErrUndefined
	}
	return c.rate().Ln(), nil
}

func (c *Cycle) rate() fm.Scaled {
	return c.n.Positives.Times(fm.Whole(1).QuoFloat(c.n.Arrivals))
}

// Capacity returns the expected number E[N_0] of arrivals in a cycle, including the arrival that ends the cycle. In a
// filter with two phases, a cycle is the time for which one array is active. The result is at least 1.
//
// Source: Dozier-FP, equation (23) with E[N_b] = 0 for b > sigma.
// Domain: the same as for New.
// Error: relative, at most Bound().
// Cost: none beyond New.
// Errors: none.
func (c *Cycle) Capacity() float64 { return max(1, c.n.Arrivals) }

// Bound returns a bound of the relative errors of FPR and Capacity.
//
// Source: the comments of internal/cycle (Truncation and chainError) derive it.
// Domain: the same as for New.
// Error: the relative error of the returned bound is at most 1/10.
// Cost: none beyond New.
// Errors: none.
func (c *Cycle) Bound() float64 { return c.n.Err }
