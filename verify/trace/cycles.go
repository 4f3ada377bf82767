package trace

import (
	"math"
	"math/rand/v2"

	"github.com/bloomproof/bloomproof"
)

// cycles are the cycles of a simulated filter that keeps no bits. A cycle ends after a number of arrivals that its
// active array has not recorded. This number is drawn when the cycle begins. Arrivals are numbered from 1.
//
// With copy-over a key is recorded in the active array if its last arrival lies in the cycle, and in the frozen one if
// it lies in the cycle before. The trigger is an exception. It belongs to the cycle that it ends, unless the array
// freezes before it. When retaining, it belongs to the next cycle too.
type cycles struct {
	start       uint64 // what arrived from here on is in the active array
	frozen, end uint64 // and from frozen up to before end in the frozen one; none before the first recycle
	taken       uint64 // by the active array in this cycle
	length      uint64 // of this cycle: it ends at the arrival that makes taken as much
}

// newCycles returns the cycles of an empty filter.
func newCycles(length uint64) cycles { return cycles{start: 1, length: length} }

// has reports whether the frozen array has a key whose last arrival is this.
func (c *cycles) has(last uint64) bool { return last >= c.frozen && last < c.end }

// take records an arrival that the active array lacks. It reports whether the cycle ends.
func (c *cycles) take() bool {
	c.taken++
	return c.taken >= c.length
}

// recycle begins a cycle of length arrivals, after the arrival now, which ended the last cycle.
func (c *cycles) recycle(now, length uint64, r bloomproof.Recycling) {
	c.frozen, c.end, c.start = c.start, now+1, now+1
	if r.FreezeBefore {
		c.end = now
	}
	if r.Retain {
		c.start = now
	}
	c.taken, c.length = 0, length
}

// draw returns a whole number of arrivals with this mean and standard deviation, at least 1. It is uniform around the
// mean, which costs less than the normal distribution of a real filter, and rounds at random.
func draw(rng *rand.Rand, mean, deviation float64) uint64 {
	x := rng.Uint64()
	const half = 0x1p-32
	width := 2 * math.Sqrt(3) * deviation
	return uint64(max(mean+width*(float64(x>>32)*half-0.5)+float64(x&(1<<32-1))*half, 1))
}

// lastArrivals are the numbers of the last arrivals of keys, 0 for one that has not come.
type lastArrivals []uint64

// exchange sets the last arrival of a key and returns the one before.
func (l *lastArrivals) exchange(key, now uint64) uint64 {
	for key >= uint64(len(*l)) {
		*l = append(*l, 0)
	}
	before := (*l)[key]
	(*l)[key] = now
	return before
}
