package fnr

import (
	"github.com/bloomproof/bloomproof/approx/internal/message"
)

// CanAbsorb reports whether the filter can come to recycle no more, however improbable that
// is: it stops when no message that can come would set another bit. Then, sooner or later
// unless hash functions that never change prevent it, its long-run rate of false negatives
// is 0; the models say what holds before.
//
// New messages set a bit as long as one is left. So where they keep coming (p_r < 1), all
// bits of the active array must be set, by the N-1 messages before the one that recycles,
// or all of the frozen array, if what it matches is not recorded in the active one. If the
// two share positions and k = 1, it is enough that all bits are set in one or the other.
//
// Where only the D messages come (p_r = 1), all of them can have the same positions: it is
// enough that an array holds one message.
//
// Source: derived here from the semantics of kernel.RecyclingFilter; verify holds it to the
// chains of package exact.
// Domain: as New.
// Error: none.
// Cost: none.
// Errors: none.
func (c *System) CanAbsorb() bool {
	g, r := c.g, c.r
	// What an array holds at most, in bits or messages.
	held := r.Sigma
	if r.Messages > 0 {
		held = r.Messages - 1
	}
	frozen := held
	after := r.NoCopyOver && !r.FreezeBefore
	if after {
		frozen++ // the trigger
	}
	k := min(uint64(g.K), g.M)
	switch {
	case c.w.Repeat == 1:
		least := uint64(1)
		if r.Messages == 0 {
			least = message.Fewest(g)
		}
		return held >= least || after
	case g.K == 1 && r.NoCopyOver && !r.FreshPositions:
		if after && r.Retain {
			held-- // the trigger is in both
		}
		return held >= g.M-min(frozen, g.M)
	case r.Messages > 0:
		return frozen >= (g.M-1)/k+1
	}
	// The trigger finds at most sigma bits: none, or at least those of a message.
	if held < message.Fewest(g) {
		held = 0
	}
	return after && g.M-held <= k
}
