package trace

import (
	"math"
	"math/rand/v2"

	"github.com/bloomproof/bloomproof"
)

// The type "cycles" describes a simulated filter. The simulation has no arrays of bits. It shows where the cycles of
// the filter begin and end. When a cycle begins, a random number is drawn. During the cycle, a counter counts the
// arrivals whose keys are not recorded in the active array. The cycle ends when the counter reaches the random number.
// Arrivals are numbered from 1.
//
// With copy-over, the last arrival of a key determines where the key is recorded. If that arrival lies in the present
// cycle, the active array has the key. If it lies in the cycle before, the frozen array has the key. The trigger is the
// arrival that ends a cycle. Under the rule "freeze before", the trigger does not belong to this cycle. Under the other
// rules it does. If the filter retains the triggering message, the trigger also belongs to the next cycle.
type cycles struct {
	start       uint64 // the first arrival that is in the active array
	frozen, end uint64 // arrivals from frozen to end-1 are in the frozen array; before the first recycle there are none
	taken       uint64 // the number that the active array has recorded in this cycle
	length      uint64 // the cycle ends when taken reaches this number
}

// newCycles returns the state of an empty filter. In the first cycle, arrivals are counted if their keys are not
// recorded. The cycle ends when the count reaches the argument "length".
func newCycles(length uint64) cycles { return cycles{start: 1, length: length} }

// The arrivals of a trace are numbered. The argument "last" is the number of the latest arrival with a certain key. The
// method "has" reports whether the frozen array has this key.
func (c *cycles) has(last uint64) bool { return last >= c.frozen && last < c.end }

// The method "take" counts one arrival. The key of this arrival was not yet in the active array. It reports whether the
// cycle ends with this arrival.
func (c *cycles) take() bool {
	c.taken++
	return c.taken >= c.length
}

// The method "recycle" begins the next cycle. This cycle ends after the given number of arrivals of unrecorded keys.
// The argument "now" is the number of the arrival that ended the last cycle.
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

// The function "draw" returns a random length of a cycle, in arrivals. The length is at least 1, and has the given
// mean and standard deviation. It draws from a uniform distribution. Drawing from a normal distribution, which
// describes the cycles of a real filter, would take more time. The number is rounded up or down at random.
func draw(rng *rand.Rand, mean, deviation float64) uint64 {
	x := rng.Uint64()
	const half = 0x1p-32
	width := 2 * math.Sqrt(3) * deviation
	return uint64(max(mean+width*(float64(x>>32)*half-0.5)+float64(x&(1<<32-1))*half, 1))
}

// lastArrivals has the number of the last arrival of each key, or 0 if the key has not arrived.
type lastArrivals []uint64

// The method "exchange" stores the argument "now" as the number of the last arrival of a key. It returns the previous
// number.
func (l *lastArrivals) exchange(key, now uint64) uint64 {
	for key >= uint64(len(*l)) {
		*l = append(*l, 0)
	}
	before := (*l)[key]
	(*l)[key] = now
	return before
}
