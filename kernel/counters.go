package kernel

import "math/bits"

// packing describes how counters of one width in bits share a word of 64 bits: counter i begins at bit i*width. Its
// methods process all counters of a word at once.
type packing struct {
	shift uint   // the width is 1<<shift bits, 4 to 32
	full  uint64 // the largest value of a counter
	heads uint64 // the highest bit of every counter of a word
}

func packingOf(width int) packing {
	full := uint64(1)<<width - 1
	return packing{uint(bits.TrailingZeros(uint(width))), full, ^uint64(0) / full << (width - 1)}
}

// nonZero returns a word with one bit set for each counter of w that is not 0: the head of the counter, its highest
// bit.
func (p packing) nonZero(w uint64) uint64 {
	// ^p.heads has all bits below the head of each counter set. Adding it carries into the head exactly when a bit
	// below the head is set, and never carries out of the head.
	return (w&^p.heads + ^p.heads | w) & p.heads
}

// topped returns a word in which the head of each counter that is full in w is set.
func (p packing) topped(w uint64) uint64 { return p.heads &^ p.nonZero(^w) }

// addSaturating adds each counter of the word b to the counter of the word a at the same place. If a sum is too large
// for a counter, the result is a full counter.
func (p packing) addSaturating(a, b uint64) uint64 {
	sum := (a&^p.heads + b&^p.heads) ^ (a^b)&p.heads
	carry := (a&b | (a|b)&^sum) & p.heads // the carries out of the heads
	return sum | carry | (carry - carry>>(1<<p.shift-1))
}

// counters is an array of counters. Its field counts has the number of counters that are not 0, and its field saturated
// is the number of full counters.
type counters struct {
	packing
	words []uint64
	counts
	saturated uint64
}

// newCounters returns an array of counters of the given width in bits. The slice words is its memory, and must be
// zeroed.
func (l *layout) newCounters(width int, words []uint64) counters {
	return counters{packingOf(width), words, l.newCounts(), 0}
}

// The method named at returns the value of the counter that begins at bit i.
func (c *counters) at(i uint64) uint64 { return c.words[i>>6] >> (i & 63) & c.full }

// The method place turns each element of pos from the number of a counter into the number of the bit at which this
// counter begins.
func (c *counters) place(pos []uint64) {
	for i := range pos {
		pos[i] <<= c.shift
	}
}

// increase increments the counters of one key, and reports whether one of them was 0. The slice places has the numbers
// of the bits at which these counters begin.
func (c *counters) increase(places []uint64) bool {
	was := c.bits
	for j, i := range places {
		switch v := c.words[i>>6] >> (i & 63) & c.full; v {
		case c.full:
			continue
		case 0:
			c.add(j, 1)
		case c.full - 1:
			c.saturated++
		}
		c.words[i>>6] += 1 << (i & 63)
	}
	return c.bits > was
}

// decrease decrements the counters of one key and returns true. The slice places has the numbers of the bits at which
// these counters begin. Full counters stay full. If a counter is already 0 when it is to be decremented, decrease
// leaves all counters as they were and returns false.
func (c *counters) decrease(places []uint64) bool {
	for j, i := range places {
		switch v := c.words[i>>6] >> (i & 63) & c.full; v {
		case c.full:
			continue
		case 0:
			// This undoes the decrements exactly: a counter that was decremented is now at most c.full-2, so increase
			// does not saturate it.
			c.increase(places[:j])
			return false
		case 1:
			c.bits--
			if c.slices != nil {
				c.slices[j]--
			}
		}
		c.words[i>>6] -= 1 << (i & 63)
	}
	return true
}

// tally returns how many of the counters i with lo <= i < hi are not 0, and how many are full.
func (c *counters) tally(lo, hi uint64) (nonZero, full uint64) {
	if lo >= hi {
		return 0, 0
	}
	lo, hi = lo<<c.shift, hi<<c.shift // in bits
	first, last := lo>>6, (hi-1)>>6
	for i := first; i <= last; i++ {
		w := c.words[i]
		if i == first {
			w &= ^uint64(0) << (lo & 63)
		}
		if i == last {
			w &= ^uint64(0) >> (63 - (hi-1)&63)
		}
		nonZero += uint64(bits.OnesCount64(c.nonZero(w)))
		full += uint64(bits.OnesCount64(c.topped(w)))
	}
	return nonZero, full
}

// recount counts the counters that are not 0 and those that are full, and sets the fields to these numbers.
func (c *counters) recount(l *layout) {
	c.bits, c.saturated = c.tally(0, l.g.M)
	for j := range c.slices {
		c.slices[j], _ = c.tally(uint64(j)*l.step, uint64(j+1)*l.step)
	}
}

func (c *counters) clear() {
	clear(c.words)
	c.counts.clear()
	c.saturated = 0
}
