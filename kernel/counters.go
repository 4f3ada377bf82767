package kernel

import "math/bits"

// The type "packing" describes how a word of 64 bits stores several counters. All counters have the same width in bits,
// and counter i of the word begins at bit i*width. Its methods process all counters of a word at once.
type packing struct {
	shift uint   // the width is 1<<shift bits, 4 to 32
	full  uint64 // the largest value of a counter
	heads uint64 // the highest bit of every counter of a word
}

func packingOf(width int) packing {
	full := uint64(1)<<width - 1
	return packing{uint(bits.TrailingZeros(uint(width))), full, ^uint64(0) / full << (width - 1)}
}

// nonZero returns a word with one set bit for each counter of w that is not 0. This bit is the head of the counter,
// which is its highest bit.
func (p packing) nonZero(w uint64) uint64 {
	// The word ^p.heads has every bit set except the heads of the counters. The expression below adds ^p.heads to a
	// word in which the heads of all counters are clear. This addition sets the head of a counter exactly if one of the
	// counter's lower bits is set. The addition carries nothing into the next counter.
	return (w&^p.heads + ^p.heads | w) & p.heads
}

// The method "topped" finds the full counters of w. In the returned word, only the heads of these counters are set.
func (p packing) topped(w uint64) uint64 { return p.heads &^ p.nonZero(^w) }

// addSaturating adds each counter of the word b to the counter at the same place in the word a. A sum that is too large
// for a counter is replaced by the largest value of a counter.
func (p packing) addSaturating(a, b uint64) uint64 {
	sum := (a&^p.heads + b&^p.heads) ^ (a^b)&p.heads
	carry := (a&b | (a|b)&^sum) & p.heads // the carries out of the heads
	return sum | carry | (carry - carry>>(1<<p.shift-1))
}

// The type "counters" is an array of counters. The embedded field "counts" stores the number of counters that are not
// 0. The field "saturated" stores the number of full counters.
type counters struct {
	packing
	words []uint64
	counts
	saturated uint64
}

// newCounters returns an array of counters, each with the given number of bits. The slice "words" is the memory of the
// array, and must be all zeros.
func (l *layout) newCounters(width int, words []uint64) counters {
	return counters{packingOf(width), words, l.newCounts(), 0}
}

// The method "at" returns the value of the counter that begins at bit i.
func (c *counters) at(i uint64) uint64 { return c.words[i>>6] >> (i & 63) & c.full }

// Each element of pos is the number of a counter. The method "place" replaces this number by the bit offset of the
// counter.
func (c *counters) place(pos []uint64) {
	for i := range pos {
		pos[i] <<= c.shift
	}
}

// The method "increase" adds 1 to the counters of one key, and reports whether one of them was 0. The slice "places"
// has the bit offsets of these counters.
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

// The method "decrease" subtracts 1 from the counters of one key and returns true. It leaves full counters unchanged.
// The slice "places" has the bit offsets of these counters. If a counter is already 0, the method "decrease" leaves all
// counters as they were and returns false.
func (c *counters) decrease(places []uint64) bool {
	for j, i := range places {
		switch v := c.words[i>>6] >> (i & 63) & c.full; v {
		case c.full:
			continue
		case 0:
			// This call of the method "increase" undoes exactly the subtractions made so far. If 1 was subtracted from
			// a counter, it is now at most c.full-2. So the method "increase" does not make it full.
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

// The method "tally" considers the counters i with lo <= i < hi. It returns how many of them are not 0, and how many
// are full.
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

// The method "recount" counts the counters that are not 0 and the counters that are full. It stores both numbers in the
// fields of c.
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
