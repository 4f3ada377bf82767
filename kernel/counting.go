package kernel

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/bloomproof/bloomproof"
)

// counting says how a CountingFilter counts.
type counting struct {
	width     int                  // the number of bits of a counter
	increment bloomproof.Increment // the rule by which a key increments its counters
}

// check returns a ParamError if a filter cannot have c.width or c.increment.
func (c counting) check() error {
	switch c.width {
	case 4, 8, 16, 32:
	default:
		return &bloomproof.ParamError{Param: "width", Value: c.width, Want: "4, 8, 16 or 32 bits"}
	}
	if c.increment > bloomproof.Literal {
		return &bloomproof.ParamError{Param: "increment", Value: c.increment, Want: "one of distinct, literal"}
	}
	return nil
}

// CountingFilter is a Bloom filter with a counter in place of each bit, so that keys can be removed. Use NewCounting.
//
// A counter that reaches its largest value is saturated: its true value is no longer known, so it keeps the largest
// value for ever. A key that was added more often than removed is therefore always contained, even if some of its
// counters are saturated.
//
// Remove must be called only for keys that were added and not yet removed. Removing a key that is contained by mistake
// takes counts away from other keys, which may then no longer be contained. From then on false negatives are possible.
//
// A filter may be read by many goroutines at once; changing it needs exclusive use.
type CountingFilter struct {
	layout
	c    counting
	hash Hasher
	im   impl
	counters
}

// NewCounting returns an empty filter of g.M counters of the given width in bits. The rule increment says what a key
// adds to its counters. The usual choice is width 4 and bloomproof.Distinct.
// Domain: g valid with m <= 2^48, blocks as for New; width 4, 8, 16 or 32; increment one of bloomproof's rules. Memory:
// m/8 bytes times the width, and 8k more for Partitioned without blocks.
// Errors: *bloomproof.ParamError for an argument outside its domain, for an invalid o, and when the host cannot hold m
// counters.
func NewCounting(g bloomproof.Geometry, width int, increment bloomproof.Increment, o Options) (*CountingFilter, error) {
	l, err := layoutOf(g)
	if err != nil {
		return nil, err
	}
	c := counting{width, increment}
	if err := c.check(); err != nil {
		return nil, err
	}
	hash, im, err := o.open()
	if err != nil {
		return nil, err
	}
	words, err := newWords(g.M, wordsFor(g.M*uint64(width)))
	if err != nil {
		return nil, err
	}
	return &CountingFilter{l, c, hash, im, l.newCounters(width, words)}, nil
}

// Geometry returns the filter's m, k, hashing and block; m is the number of counters.
func (f *CountingFilter) Geometry() bloomproof.Geometry { return f.g }

// Counting returns the width of the counters and the rule by which keys increment them.
func (f *CountingFilter) Counting() (width int, increment bloomproof.Increment) {
	return f.c.width, f.c.increment
}

// Hasher returns the hasher of the filter's keys.
func (f *CountingFilter) Hasher() Hasher {
	mustBeMade(f.words)
	return f.hash
}

// Add records key once more and reports whether one of its counters was 0. If no counter was 0, the key had been
// recorded before, or other keys had set all its positions.
// Cost: O(k), and O(k log k) for more than 64 positions.
func (f *CountingFilter) Add(key []byte) bool { return f.AddHash(f.hash.hash(key)) }

// AddHash is Add for a ready-made hash.
func (f *CountingFilter) AddHash(h Hash) bool {
	mustBeMade(f.words)
	if f.g.K > scanK {
		var buf [bloomproof.MaxK]uint64
		return f.increase(f.targets(buf[:0], h))
	}
	var buf [scanK]uint64
	return f.increase(f.targets(buf[:0], h))
}

// Remove undoes one Add of key and reports whether it did. If a counter holds less than key adds to it, key is not in
// the filter: Remove then returns false and changes nothing. Remove has no other way to recognise keys that were not
// added. If key is contained by mistake, because it was never added or was removed as often as added, Remove takes away
// what other keys added. Saturated counters keep their value.
// Cost: the same as for Add.
func (f *CountingFilter) Remove(key []byte) bool { return f.RemoveHash(f.hash.hash(key)) }

// RemoveHash is Remove for a ready-made hash.
func (f *CountingFilter) RemoveHash(h Hash) bool {
	mustBeMade(f.words)
	if f.g.K > scanK {
		var buf [bloomproof.MaxK]uint64
		return f.decrease(f.targets(buf[:0], h))
	}
	var buf [scanK]uint64
	return f.decrease(f.targets(buf[:0], h))
}

// Contains reports whether all counters of key are above 0. The answer is always true for a key that was added more
// often than removed, unless keys were removed that had not been added. For any other key the answer is true with
// probability Rate.
func (f *CountingFilter) Contains(key []byte) bool { return f.ContainsHash(f.hash.hash(key)) }

// ContainsHash is Contains for a ready-made hash.
func (f *CountingFilter) ContainsHash(h Hash) bool {
	mustBeMade(f.words)
	if f.size != 0 {
		return f.containsInBlock(h)
	}
	state, gamma, base, sh := h.H0, h.H1|1, uint64(0), f.layout.shape
	for ; sh.k > 0; sh.k-- {
		state += gamma
		if f.at((base+reduce(word(state), sh.span))<<f.shift) == 0 {
			return false
		}
		base += sh.step
	}
	return f.settled || f.containsPositions(h)
}

// containsInBlock does the same as ContainsHash, in a filter with blocks.
func (f *CountingFilter) containsInBlock(h Hash) bool {
	var buf [scanK]uint64
	pos := f.appendPositions(buf[:0], h)
	f.place(pos)
	return f.above(pos)
}

// containsPositions completes ContainsHash in a layout in which a position that repeats is replaced by another
// (layout.settled is false). ContainsHash looks first at the positions before any is replaced, because this recognises
// most absent keys sooner.
func (f *CountingFilter) containsPositions(h Hash) bool {
	n, _ := f.CountHash(h)
	return n > 0
}

// Count estimates how many times key was added and not removed: it returns the largest count that all unsaturated
// counters of key allow. The estimate is never too small, unless keys were removed that had not been added. When all
// counters of key are saturated, they give no bound: saturated is then true, and n is the largest value of a counter.
// Cost: O(k), and O(k log k) for Literal.
func (f *CountingFilter) Count(key []byte) (n uint64, saturated bool) {
	return f.CountHash(f.hash.hash(key))
}

// CountHash is Count for a ready-made hash.
func (f *CountingFilter) CountHash(h Hash) (n uint64, saturated bool) {
	mustBeMade(f.words)
	if f.g.K > scanK {
		var buf [bloomproof.MaxK]uint64
		return f.least(f.appendPositions(buf[:0], h))
	}
	var buf [scanK]uint64
	return f.least(f.appendPositions(buf[:0], h))
}

// The method named least does the same as Count for a key whose counters have the numbers pos. It may sort pos.
func (f *CountingFilter) least(pos []uint64) (n uint64, saturated bool) {
	weighed := f.coincide && f.c.increment == bloomproof.Literal && repeats(pos)
	if weighed {
		slices.Sort(pos)
	}
	n, saturated = f.full, true
	for len(pos) > 0 {
		times := 1 // the number of times that the key increments this counter
		for weighed && times < len(pos) && pos[times] == pos[0] {
			times++
		}
		if v := f.at(pos[0] << f.shift); v < f.full {
			if times > 1 {
				v /= uint64(times)
			}
			n, saturated = min(n, v), false
		}
		pos = pos[times:]
	}
	return n, saturated
}

// targets appends to dst the numbers of the bits at which the counters begin that h increments. A counter that h
// increments twice appears twice. For Partitioned the j-th counter is in slice j.
func (f *CountingFilter) targets(dst []uint64, h Hash) []uint64 {
	dst = f.appendPositions(dst, h)
	f.place(dst)
	return f.distinct(dst)
}

// If the filter's rule increments a counter only once for each key, distinct removes repeats from places, the places of
// the counters of one key. It overwrites the slice places and returns the part that is left.
func (f *CountingFilter) distinct(places []uint64) []uint64 {
	if !f.coincide || f.c.increment == bloomproof.Literal {
		return places
	}
	if len(places) > scanK {
		slices.Sort(places)
		return slices.Compact(places)
	}
	n := 0
	seen := uint64(0) // bit i is set if an earlier counter has the low 6 bits i
	for _, i := range places {
		bit := uint64(1) << (i >> f.shift & 63)
		if seen&bit == 0 || !slices.Contains(places[:n], i) {
			places[n] = i
			n++
		}
		seen |= bit
	}
	return places[:n]
}

// Bits returns the number of counters that are not 0. The method Filter returns a filter with the same number of set
// bits.
// Cost: O(1).
func (f *CountingFilter) Bits() uint64 { return f.bits }

// Saturated returns the number of saturated counters.
// Cost: O(1).
func (f *CountingFilter) Saturated() uint64 { return f.saturated }

// Equal reports whether f and g have the same geometry, width, rule, hash scheme, seed or key, and counters. Such
// filters behave identically from then on.
// Cost: O(m).
func (f *CountingFilter) Equal(g *CountingFilter) bool {
	return f.c == g.c && compatible(f.g, g.g, &f.hash, &g.hash) == nil && slices.Equal(f.words, g.words)
}

// Rate returns the probability that a new key is contained, given which counters are not 0. It equals Filter.Rate of a
// filter with set bits in the same places, whatever the width and the rule. Its error and cost are those of
// Filter.Rate.
func (f *CountingFilter) Rate() float64 {
	if f.size != 0 {
		return f.blockRate(f.above0)
	}
	return f.rateOf(&f.counts)
}

// above0 sets dst to words of the filter that the method Filter would return, beginning with the word whose number is
// the argument from.
func (f *CountingFilter) above0(dst []uint64, from int) {
	clear(dst)
	words := f.words[from<<f.shift:]
	for i, w := range words[:min(len(words), len(dst)<<f.shift)] {
		first := uint64(i) << (6 - f.shift) // the first counter that belongs to the word
		for heads := f.nonZero(w); heads != 0; heads &= heads - 1 {
			setBit(dst, first+uint64(bits.TrailingZeros64(heads))>>f.shift)
		}
	}
}

// Clear resets all counters, saturated ones too.
func (f *CountingFilter) Clear() { f.clear() }

// Clone returns an independent copy.
func (f *CountingFilter) Clone() *CountingFilter {
	c := *f
	c.words = cloneWords(f.words)
	c.slices = slices.Clone(f.slices)
	return &c
}

// String returns the geometry, the width and rule, the scheme, the number of counters that are not 0, and the number of
// saturated counters.
func (f *CountingFilter) String() string {
	return fmt.Sprintf("%v width=%d increment=%v %v bits=%d saturated=%d", f.g, f.c.width, f.c.increment, f.hash.scheme, f.bits, f.saturated)
}

// Merge adds g's counters to f's. Apart from saturated counters, f then equals a filter to which each key was added as
// often as to f and to g together.
// Cost: O(m).
// Errors: *bloomproof.ParamError when geometry, width, rule, scheme, seed or key differ; f is then unchanged.
func (f *CountingFilter) Merge(g *CountingFilter) error {
	switch {
	case g == nil:
		return &bloomproof.ParamError{Param: "filter", Value: nil, Want: "one that is made"}
	case f.c.width != g.c.width:
		return &bloomproof.ParamError{Param: "width", Value: g.c.width, Want: fmt.Sprintf("the same in both filters, %d", f.c.width)}
	case f.c.increment != g.c.increment:
		return &bloomproof.ParamError{Param: "increment", Value: g.c.increment, Want: "the same in both filters, " + f.c.increment.String()}
	}
	if err := compatible(f.g, g.g, &f.hash, &g.hash); err != nil {
		return err
	}
	for i, w := range g.words {
		f.words[i] = f.addSaturating(f.words[i], w)
	}
	f.recount(&f.layout)
	return nil
}

// Filter returns a Filter with the same geometry and scheme that contains the same keys: its bit i is set if counter i
// is not 0.
// Cost: O(m).
func (f *CountingFilter) Filter() *Filter {
	mustBeMade(f.words)
	b := newFilter(f.layout, f.hash, f.im, array{
		makeWords(int(wordsFor(f.g.M))), counts{f.bits, slices.Clone(f.slices)},
	})
	f.above0(b.words, 0)
	return &b
}
