package fnr

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
)

// UnluckySum returns the sum of u_i over the states i that a cycle passes, i >= 1 when
// retaining and i >= 0 when not: the mean number of arrivals of a cycle that set a bit,
// whatever the workload is, and a bound on its relative error. They are the messages of a cycle
// in which all are new, less those that set none, which a Cycle knows at any size; N, or
// N-1 retaining, for the message-bounded rule. With V the mean number of arrivals of a cycle, one
// phase and fresh positions, f_n = UnluckySum/V - (1-p_r) + f_p.
//
// Source: Dozier-FN (1)-(4), (16); derived here.
// Domain: that of New.
// Error: relative, at most the bound returned, which grows where nearly all arrivals are lucky.
// Cost: that of recycling.New: microseconds beyond sigma of about 2 k sqrt(m).
// Errors: as recycling.New.
func (c *System) UnluckySum() (sum, bound float64, err error) {
	start := 0.0
	if c.r.Retain {
		start = 1 // the message that finds no bit set
	}
	if c.r.Rule == bloomproof.MessageBounded && !message.Fills(c.g, c.r.Messages) {
		return float64(c.r.Messages) - start, fm.Unit, nil
	}
	x := c.asLarge()
	x.r.Phases = bloomproof.OnePhase
	l, err := x.load()
	if err != nil {
		return 0, 0, err
	}
	if sum = l.unlucky - start; !(sum > 0) {
		return 0, 0, approx.ErrUndefined
	}
	return sum, (l.err + 4*fm.Unit) * l.unlucky / sum, nil
}
