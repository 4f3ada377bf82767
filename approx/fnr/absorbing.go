package fnr

import (
	"github.com/bloomproof/bloomproof/approx/internal/message"
)

// CanAbsorb reports whether the filter can reach a state from which it never recycles again. The probability of this
// may be very small. The filter stops recycling when no message that can still arrive would set another bit. A filter
// that can stop recycling eventually does stop. An exception is possible only if the hash functions never change. If a
// filter can stop recycling, its long-run false-negative rate is 0. The models describe the time before it stops.
//
// As long as some bit is clear, new messages eventually set another bit. Consider a filter that counts messages and
// recycles at the N-th message of a cycle. Suppose that new messages keep arriving (p_r < 1). Then this filter stops
// recycling if N-1 messages of a cycle set all bits of the active array. A filter without copy-over also stops
// recycling if all bits of the frozen array are set. Now consider a filter without copy-over that has k = 1. Suppose
// that each message has the same position in both arrays. This filter also stops recycling if each bit is set in at
// least one array. As long as new messages arrive, a message-bounded filter has no other way to stop.
//
// If only the D old messages arrive (p_r = 1), all of them can have the same positions. If one message fits into an
// array, the filter can then stop recycling. No later arrival sets a further bit.
//
// Source: derived here from the semantics of kernel.RecyclingFilter; package verify compares it with the chains of
// package exact.
// Domain: the same as for New.
// Error: none.
// Cost: none.
// Errors: none.
func (c *System) CanAbsorb() bool {
	g, r := c.g, c.r
	// The variable "held" is the largest number of bits or messages that an array can hold.
	held := r.Sigma
	if r.Messages > 0 {
		held = r.Messages - 1
	}
	frozen := held
	after := r.NoCopyOver && !r.FreezeBefore
	if after {
		frozen++ // include the triggering message
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
			held-- // the triggering message is in both arrays
		}
		return held >= g.M-min(frozen, g.M)
	case r.Messages > 0:
		return frozen >= (g.M-1)/k+1
	}
	// The message that triggers recycling finds at most sigma set bits. Either no bit is set, or all bits of at least
	// one message are set.
	if held < message.Fewest(g) {
		held = 0
	}
	return after && g.M-held <= k
}
