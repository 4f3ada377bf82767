// Package recycling computes in float64 what a recycling Bloom filter does when all arriving
// messages are new: its long-run false-positive rate, the mean number of messages in a cycle,
// and the sizes that keep a rate. It is the fast witness beside package exact/recycling.
//
//   - New and Cycle: a filter, its rate (FPR, LogFPR), its Capacity, the limit of large filters
//     (Fluid), and the laws behind them (State, MessagesFrom, Frozen)
//   - MostMessages and LeastBits: the Optimum that keeps a rate
//   - NaiveRate and NaiveMessages by a Naive, worst, oracle or average: what a message-bounded filter
//     is sized by that takes no account of recycling (Dozier-FP), to compare with
//
// A Cycle states the bound on its relative errors itself (Cycle.Bound): that of the route that
// was taken and of the sums that it left out. u = 2^-53; the other conventions are those of
// package approx.
//
// Where an answer is an integer (MostMessages, LeastBits, NaiveMessages), it says itself
// whether the errors could change it.
package recycling

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/cycle"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// A Cycle is what happens between two recycles of a filter whose arrivals are all new, in
// the long run. Its numbers are expectations over the positions.
type Cycle struct {
	g bloomproof.Geometry
	r bloomproof.Recycling
	n cycle.Numbers
}

// New returns the cycle of a filter of shape g that recycles by the rule r.
//
// The closed form is taken where its proven error is below 2^-48, which is where sigma is
// beyond about 2 k sqrt(m), and the chain elsewhere. Where the chain is too long, the
// closed form is taken with the error that Bound states, if that is below 1/1000. The
// fluid limit is never taken: it costs as much as the closed form and errs more.
//
// With two phases g is the shape of each array, and so sigma; FPR is the share of arrivals
// that are called repeats by either.
//
// Domain: standard and classic hashing; one phase, two with copy-over, two without and with
// fresh positions; not message-bounded, two phases, fixed positions and retaining at once.
// Cost: by the closed form 2 to 20 microseconds for k <= 64 whatever m; by the chain
// 0.5 to 1.5 ns for each state and position, with standard hashing and retaining up to k
// times that. Two phases 2k^2 steps more, with fixed positions for k > 64 k^2 steps of 40 ns, 2k^3
// steps when retaining with them. States too rare for a float64: at most 2^22 states and
// positions, a microsecond each.
// Message-bounded, N k min(16 sqrt(m), N k) steps of 2 ns, at most 2^31.
// Errors: *bloomproof.ParamError; ErrTooCostly where neither serves, and with k beyond about 800
// where the false positives rest on states too rare for a float64; ErrUndefined without
// copy-over where the array that freezes can hold all bits, and where N-1 messages can set
// all bits: the filter comes to record nothing more, its long-run rate is 1, and it has no
// capacity.
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

// newMessageCycle is New for the message-bounded rule.
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

// canFill reports whether an arrival that ends a cycle can set the last bits. No cycle has less
// bits set than a message sets, but for none.
func canFill(g bloomproof.Geometry, sigma uint64) bool {
	if sigma < message.Fewest(g) {
		sigma = 0
	}
	return g.M-sigma <= uint64(g.K)
}

// FPR returns the long-run share of false positives among the arrivals, with one phase
//
//	sum over b <= sigma of pi_b rho(b),  rho(b) = (b/m)^k, or C(b,k)/C(m,k) if classic.
//
// Source: Dozier-FP, equation (18); by the chain with the kernel of (4) and (11). With two
// phases (26), corrected where the two arrays know the same positions.
// Domain: that of New.
// Error: relative, at most Bound(); below 2^-1022 besides 2^-1075.
// Cost: none beyond New.
// Errors: none.
func (c *Cycle) FPR() float64 { return c.rate().Float64() }

// LogFPR returns the natural logarithm of FPR, also where that is below the smallest
// float64.
//
// Source, Domain: as FPR.
// Error: absolute, at most Bound() and 4u of the logarithm.
// Cost: none beyond New.
// Errors: ErrUndefined where no arrival can find all its positions set, so that the rate
// is 0.
func (c *Cycle) LogFPR() (float64, error) {
	if c.n.Positives.Hi == 0 {
		return 0, refuse.ErrUndefined
	}
	return c.rate().Ln(), nil
}

func (c *Cycle) rate() fm.Scaled {
	return c.n.Positives.Times(fm.Whole(1).QuoFloat(c.n.Arrivals))
}

// Capacity returns the expected number E[N_0] of arrivals in a cycle, the one that ends it
// included, in the cycle that it ends; with two phases in the time that an array is active.
//
// Source: Dozier-FP, equation (23) with E[N_b] = 0 for b > sigma.
// Domain: that of New.
// Error: relative, at most Bound().
// Cost: none beyond New.
// Errors: none.
func (c *Cycle) Capacity() float64 { return c.n.Arrivals }

// Bound returns the bound on the relative errors of FPR and Capacity.
//
// Source: the comments over closedTruncation and chainNumbers derive it.
// Domain: that of New.
// Error: it is itself within a tenth.
// Cost: none beyond New.
// Errors: none.
func (c *Cycle) Bound() float64 { return c.n.Err }
