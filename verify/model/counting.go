package model

import (
	"maps"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

// Counters describes the counters of a kernel.CountingFilter: their width in bits, and the increment rule.
type Counters struct {
	Width     int
	Increment bloomproof.Increment
}

// Counting is the model of kernel.CountingFilter. It has the number of additions of each key, and the value of every
// counter that is not 0.
type Counting struct {
	g    bloomproof.Geometry
	c    Counters
	keys map[kernel.Hash]int
	at   map[uint64]uint64                 // counters
	lost bool                              // whether counters may differ from sums over keys: saturation, wrong removal
	bad  bool                              // whether a key was removed that had not been added
	memo map[kernel.Hash]map[uint64]uint64 // a cache of gains
}

// NewCounting returns an empty model of geometry g. The argument c describes its counters. The geometry must be valid
// with m <= 2^48, and the width in c must be set.
func NewCounting(g bloomproof.Geometry, c Counters) *Counting {
	hashingOf(g) // panics early
	return &Counting{g: g, c: c, keys: map[kernel.Hash]int{}, at: map[uint64]uint64{}, memo: map[kernel.Hash]map[uint64]uint64{}}
}

// The method "full" returns the largest value of a counter.
func (f *Counting) full() uint64 { return 1<<f.c.Width - 1 }

// The method "gains" returns what one addition of the key h adds to each counter of h. The key of the map is the
// position of a counter.
func (f *Counting) gains(h kernel.Hash) map[uint64]uint64 {
	gains, met := f.memo[h]
	if !met {
		gains = map[uint64]uint64{}
		for _, p := range Positions(f.g, h) {
			if f.c.Increment == bloomproof.Literal || gains[p] == 0 {
				gains[p]++
			}
		}
		f.memo[h] = gains
	}
	return gains
}

// The method "gain" adds n to the counter at position p, up to the largest value of a counter.
func (f *Counting) gain(p, n uint64) {
	f.at[p] = min(f.at[p]+n, f.full())
	f.lost = f.lost || f.at[p] == f.full()
}

// Add adds the key h, and reports whether one of its counters was 0.
func (f *Counting) Add(h kernel.Hash) bool {
	before := len(f.at)
	f.keys[h]++
	for p, n := range f.gains(h) {
		f.gain(p, n)
	}
	return len(f.at) > before
}

// Remove reverses one Add of h, and reports whether its counters permit this.
func (f *Counting) Remove(h kernel.Hash) bool {
	for p, n := range f.gains(h) {
		if f.at[p] < n && f.at[p] < f.full() {
			return false
		}
	}
	for p, n := range f.gains(h) {
		if f.at[p] == f.full() {
			continue
		}
		if f.at[p] -= n; f.at[p] == 0 {
			delete(f.at, p)
		}
	}
	if f.keys[h] == 0 {
		f.bad, f.lost = true, true
		return true
	}
	if f.keys[h]--; f.keys[h] == 0 {
		delete(f.keys, h)
	}
	return true
}

// Contains reports whether all counters of h are above 0.
func (f *Counting) Contains(h kernel.Hash) bool {
	for p := range f.gains(h) {
		if f.at[p] == 0 {
			return false
		}
	}
	return true
}

// Count returns how often h may have been added. This is the largest number of additions that the counters of h permit.
// A full counter does not limit this number. If all counters of h are full, Count returns the largest value of a
// counter and true.
func (f *Counting) Count(h kernel.Hash) (n uint64, saturated bool) {
	open := maps.Clone(f.gains(h))
	maps.DeleteFunc(open, func(p, _ uint64) bool { return f.at[p] == f.full() })
	if len(open) == 0 {
		return f.full(), true
	}
	for {
		for p, gain := range open {
			if (n+1)*gain > f.at[p] {
				return n, false
			}
		}
		n++
	}
}

// Keys returns how often each key is in the filter, and whether this is certain. This is not certain after the removal
// of a key that had not been added.
func (f *Counting) Keys() (keys map[kernel.Hash]int, certain bool) { return f.keys, !f.bad }

// Sums returns a sum for every counter. Each addition of a key increases the counter by a certain number. The sum adds
// these numbers for all keys in the filter. Sums also reports whether the counters have exactly these sums as their
// values. The result "held" is false after a counter was saturated. It is also false after the removal of a key that
// had not been added.
func (f *Counting) Sums() (sums map[uint64]uint64, held bool) {
	sums = map[uint64]uint64{}
	for h, times := range f.keys {
		for p, n := range f.gains(h) {
			sums[p] += n * uint64(times)
		}
	}
	return sums, !f.lost
}

// Counters returns all counters with a value above 0.
func (f *Counting) Counters() map[uint64]uint64 { return f.at }

// Saturated returns the number of full counters.
func (f *Counting) Saturated() (n uint64) {
	for _, v := range f.at {
		if v == f.full() {
			n++
		}
	}
	return n
}

// Words returns the counters as words. Let w be the width of a counter in bits. Counter i occupies the bits from i*w to
// i*w + w-1.
func (f *Counting) Words() []uint64 {
	width := uint64(f.c.Width)
	words := make([]uint64, (f.g.M*width+63)/64)
	for p, v := range f.at {
		words[p*width/64] |= v << (p * width % 64)
	}
	return words
}

// Set returns the positions of the counters that are not 0.
func (f *Counting) Set() map[uint64]bool {
	set := map[uint64]bool{}
	for p := range f.at {
		set[p] = true
	}
	return set
}

// Rate returns the probability that all counters of a new key are above 0.
func (f *Counting) Rate() *big.Rat { return rate(f.g, f.Set()) }

// Clear makes the model empty again.
func (f *Counting) Clear() {
	clear(f.keys)
	clear(f.at)
	f.lost, f.bad = false, false
}

// Merge adds all keys of the filter o. If o contains a key several times, Merge adds the key the same number of times.
func (f *Counting) Merge(o *Counting) {
	for h, n := range maps.Clone(o.keys) {
		f.keys[h] += n
	}
	for p, v := range maps.Clone(o.at) {
		f.gain(p, v)
	}
	f.lost, f.bad = f.lost || o.lost, f.bad || o.bad
}
