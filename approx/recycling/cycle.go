// Package recycling computes in float64 what a recycling Bloom filter does when all arriving messages are new: its
// long-run false-positive rate, the mean number of messages in a cycle, and the sizes that keep a given rate. It is
// fast and independent of package exact/recycling, which gives guaranteed enclosures.
//
//   - New and Cycle: a filter, its rate (FPR, LogFPR), its Capacity, the limit of large filters (Fluid), and the
//     distributions behind them (State, MessagesFrom, Frozen)
//   - MostMessages and LeastBits: the Optimum that keeps a rate
//   - NaiveRate and NaiveMessages by a Naive (worst, oracle or average): the sizing of a message-bounded filter that
//     ignores recycling (Dozier-FP), for comparison
//
// Cycle.Bound returns the bound on the relative errors of a Cycle. It covers the method that was used and the terms
// that it left out. u = 2^-53; the other conventions are those of package approx.
//
// Where an answer is an integer (MostMessages, LeastBits, NaiveMessages), the result reports whether the errors could
// change it.
package recycling

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/cycle"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// A Cycle describes what happens, in the long run, between two recycles of a filter whose messages are all new. Its
// numbers are expectations over the positions.
type Cycle struct {
	g bloomproof.Geometry
	r bloomproof.Recycling
	n cycle.Numbers
}

// New returns the cycle of a filter of shape g that recycles by the rule r.
//
// New uses the closed form where its proven error is below 2^-48, which holds for sigma above about 2 k sqrt(m).
// Elsewhere it uses the chain of states. Where the chain is too long, New uses the closed form with the error that
// Bound states, if that is below 1/1000. New never uses the fluid limit, which costs as much as the closed form and has
// a larger error.
//
// With two phases, g and sigma apply to each array; FPR is the share of arrivals that either array reports as repeats.
//
// Domain: standard and classic hashing; one phase, two phases with copy-over, or two phases without copy-over and with
// fresh positions. The combination of message-bounded, two phases, fixed positions and retaining is excluded.
// Cost: the closed form takes 2 to 20 microseconds for k <= 64 and any m. The chain takes 0.5 to 1.5 ns for each state
// and position, up to k times as much with standard hashing and retaining. Two phases add 2k^2 steps; with fixed
// positions and k > 64 they add k^2 steps of 40 ns, and with fixed positions and retaining 2k^3 steps. States too rare
// for a float64 take a microsecond for each state and position, at most 2^22 of them. A message-bounded rule takes N k
// min(16 sqrt(m), N k) steps of 2 ns, at most 2^31.
// Errors: *bloomproof.ParamError; ErrTooCostly where neither method is possible, and for k above about 800 where the
// false positives depend on states too rare for a float64; ErrUndefined without copy-over where the array that freezes
// can have all bits set, and where N-1 messages can set all bits. Such a filter eventually records nothing more, its
// long-run rate is 1, and it has no capacity.
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

// canFill reports whether an arrival that ends a cycle can set the last bits. In a cycle, either no bit is set or at
// least as many as one message sets.
func canFill(g bloomproof.Geometry, sigma uint64) bool {
	if sigma < message.Fewest(g) {
		sigma = 0
	}
	return g.M-sigma <= uint64(g.K)
}

// FPR returns the long-run share of false positives among the arrivals. With one phase it is
//
//	sum over b <= sigma of pi_b rho(b),  rho(b) = (b/m)^k, or C(b,k)/C(m,k) if classic.
//
// Source: Dozier-FP, equation (18); by the chain with the kernel of (4) and (11). With two phases (26), corrected where
// a message has the same positions in both arrays.
// Domain: that of New.
// Error: relative, at most Bound(); a result below 2^-1022 has an additional absolute error of 2^-1075.
// Cost: none beyond New.
// Errors: none.
func (c *Cycle) FPR() float64 { return c.rate().Float64() }

// LogFPR returns the natural logarithm of FPR, also where that is below the smallest
// float64.
//
// Source, Domain: as FPR.
// Error: absolute, at most Bound() plus 4u times the logarithm.
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

// Capacity returns the expected number E[N_0] of arrivals in a cycle, including the one that ends it. With two phases
// it counts the arrivals while an array is active.
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
// Error: the returned bound is accurate to a tenth.
// Cost: none beyond New.
// Errors: none.
func (c *Cycle) Bound() float64 { return c.n.Err }
