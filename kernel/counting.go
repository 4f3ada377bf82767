package kernel

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/bloomproof/bloomproof"
)

// The type "counting" describes the counters of a CountingFilter.
type counting struct {
	width     int                  // the number of bits of a counter
	increment bloomproof.Increment // the rule by which a key increments its counters
}

// The method "check" returns a ParamError if c.width or c.increment is not allowed for a filter.
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

// CountingFilter is a Bloom filter with a counter in place of each bit, so that keys can be removed. Use NewCounting to
// make one.
//
// A counter that reaches its largest value is saturated. Its true value is then no longer known, so it keeps the
// largest value for ever. Consider a key that was added more often than it was removed. It is always found, even if
// some of its counters are saturated.
//
// Remove must be called only for keys that were added and have not been removed since. Remove may be called by mistake
// for a key that was never added. If the filter wrongly contains this key, Remove decrements counters of other keys.
// The filter may then no longer contain those keys.
//
// Many goroutines may read a filter at the same time. A goroutine that changes a filter needs exclusive use of it.
type CountingFilter struct {
	layout
	c    counting
	hash Hasher
	im   impl
	counters
}

// NewCounting returns an empty filter with g.M counters, each with the given width in bits. The argument "increment" is
// the rule that says how much a key adds to each of its counters. The usual choice is width 4 and bloomproof.Distinct.
// Domain: g is valid and has m <= 2^48. If g has blocks, New must allow them. The width is 4, 8, 16 or 32, and
// "increment" is one of bloomproof's rules.
// Memory: m*width/8 bytes. Partitioned hashing without blocks takes 8*k additional bytes.
// Errors: *bloomproof.ParamError if an argument is outside its domain, if o is invalid, or if the host has too little
// memory for m counters.
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

// Geometry returns the filter's m, k, hashing and block. Here m is the number of counters.
func (f *CountingFilter) Geometry() bloomproof.Geometry { return f.g }

// Counting returns the width of the counters in bits, and the rule by which keys increment them.
func (f *CountingFilter) Counting() (width int, increment bloomproof.Increment) {
	return f.c.width, f.c.increment
}

// Hasher returns the hasher of the filter's keys.
func (f *CountingFilter) Hasher() Hasher {
	mustBeMade(f.words)
	return f.hash
}

// Add adds key once more, and reports whether one of its counters was 0. If none was 0, then the key was added before,
// or other keys have incremented all its counters.
// Cost: O(k) for up to 64 positions, O(k log k) for more.
func (f *CountingFilter) Add(key []byte) bool { return f.AddHash(f.hash.hash(key)) }

// AddHash does the same as Add, for a key that is already hashed.
func (f *CountingFilter) AddHash(h Hash) bool {
	mustBeMade(f.words)
	if f.g.K > scanK {
		var buf [bloomproof.MaxK]uint64
		return f.increase(f.targets(buf[:0], h))
	}
	var buf [scanK]uint64
	return f.increase(f.targets(buf[:0], h))
}

// Remove reverses one earlier Add of the same key, and returns true. Add increases each counter of key by a certain
// amount. If a counter is smaller than this amount, key is not in the filter. Remove then returns false and changes
// nothing. Remove has no other way to recognise keys that were not added. The filter can wrongly contain a key that was
// never added, or that was removed as often as it was added. Removing such a key decrements counters of other keys.
// Saturated counters keep their value.
// Cost: the same as for Add.
func (f *CountingFilter) Remove(key []byte) bool { return f.RemoveHash(f.hash.hash(key)) }

// RemoveHash does the same as Remove, for a key that is already hashed.
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
// often than it was removed. This requires that Remove was never called for a key that had not been added. For any
// other key the answer is true with the probability that Rate returns.
func (f *CountingFilter) Contains(key []byte) bool { return f.ContainsHash(f.hash.hash(key)) }

// ContainsHash does the same as Contains, for a key that is already hashed.
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

// containsPositions is the second step of ContainsHash, if layout.settled is false. The draws of a key are its first k
// random positions. If layout.settled is false, a draw that equals another draw of the key is replaced. The first step
// of ContainsHash examines the draws. This is enough for most absent keys, because the counter at one of their draws is
// 0.
func (f *CountingFilter) containsPositions(h Hash) bool {
	n, _ := f.CountHash(h)
	return n > 0
}

// Count estimates the number of additions of key, minus the number of its removals. Each unsaturated counter of key
// gives an upper bound for this number. Count returns the smallest of these bounds. The estimate is never too small,
// provided that Remove was never called for a key that had not been added. If all counters of key are saturated, they
// give no upper bound. In that case the result "saturated" is true, and the result n is the largest value of a counter.
// Cost: O(k), and O(k log k) if the increment rule is Literal.
func (f *CountingFilter) Count(key []byte) (n uint64, saturated bool) {
	return f.CountHash(f.hash.hash(key))
}

// CountHash does the same as Count, for a key that is already hashed.
func (f *CountingFilter) CountHash(h Hash) (n uint64, saturated bool) {
	mustBeMade(f.words)
	if f.g.K > scanK {
		var buf [bloomproof.MaxK]uint64
		return f.least(f.appendPositions(buf[:0], h))
	}
	var buf [scanK]uint64
	return f.least(f.appendPositions(buf[:0], h))
}

// The method "least" computes the results of Count. The slice pos has the numbers of the key's counters. The method may
// sort pos.
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

// The method "targets" finds the counters that a key with the hash h increments. It appends to dst the bit offsets of
// these counters. A counter that the key increments twice appears twice. With partitioned hashing the j-th counter is
// in slice j.
func (f *CountingFilter) targets(dst []uint64, h Hash) []uint64 {
	dst = f.appendPositions(dst, h)
	f.place(dst)
	return f.distinct(dst)
}

// The slice "places" has the bit offsets of the counters of one key. The method "distinct" removes repeated numbers
// from this slice. It does so only if a key increments each counter at most once. The method overwrites this slice. It
// returns the beginning of the slice, with the remaining numbers.
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

// Bits returns the number of counters that are not 0. This is also the number of set bits of the filter that the method
// Filter returns.
// Cost: O(1).
func (f *CountingFilter) Bits() uint64 { return f.bits }

// Saturated returns the number of saturated counters.
// Cost: O(1).
func (f *CountingFilter) Saturated() uint64 { return f.saturated }

// Equal reports whether f and g have the same geometry, width, increment rule, hash scheme, seed, key and counters. If
// equal filters then receive the same calls, they give the same results.
// Cost: O(m).
func (f *CountingFilter) Equal(g *CountingFilter) bool {
	return f.c == g.c && compatible(f.g, g.g, &f.hash, &g.hash) == nil && slices.Equal(f.words, g.words)
}

// Rate returns the probability that a new key is found in the filter. This probability depends on which counters are
// not 0. It equals the result of Filter.Rate for the filter that the method Filter returns. Its error and its cost are
// the same as those of Filter.Rate.
func (f *CountingFilter) Rate() float64 {
	if f.size != 0 {
		return f.blockRate(f.above0)
	}
	return f.rateOf(&f.counts)
}

// The method Filter returns a filter with one bit for each counter. The method above0 computes some consecutive words
// of this filter and stores them in dst. The argument "from" is the index of the first computed word.
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

// Clear sets all counters to 0, including the saturated ones.
func (f *CountingFilter) Clear() { f.clear() }

// Clone returns an independent copy.
func (f *CountingFilter) Clone() *CountingFilter {
	c := *f
	c.words = cloneWords(f.words)
	c.slices = slices.Clone(f.slices)
	return &c
}

// String returns a text with the geometry, the width, the increment rule, the scheme, the number of counters that are
// not 0, and the number of saturated counters.
func (f *CountingFilter) String() string {
	return fmt.Sprintf("%v width=%d increment=%v %v bits=%d saturated=%d", f.g, f.c.width, f.c.increment, f.hash.scheme, f.bits, f.saturated)
}

// Merge adds the counters of g to the counters of f. Afterwards f has the same counters as if all additions to g had
// also been made to f. Only saturated counters may differ.
// Cost: O(m).
// Errors: *bloomproof.ParamError if f and g differ in geometry, width, increment rule, scheme, seed or key. In this
// case f is unchanged.
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

// Filter returns a Filter with the same geometry and scheme that contains the same keys. Its bit i is set if counter i
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
