package kernel

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/bloomproof/bloomproof"
)

// Filter is a Bloom filter with standard, classic or partitioned hashing. Use New.
//
// With Geometry.Block it is a blocked filter: a look-up reads one block, at the price of a higher false-positive rate.
// A block of up to 512 bits is one cache line. Two shapes have optimised machine code: k independent positions in a
// block of 512 bits, which has the lowest rate, and one position in each of 8 words. These words may have 64 bits
// (Block 512, K 8, Partitioned), which is the fastest, or 32 bits (Block 256). Blocks of any other shape use portable
// code.
//
// A filter may be read by many goroutines at once; adding needs exclusive use.
type Filter struct {
	one oneKey // must be the first field, because assembly expects it there
	layout
	hash Hasher
	im   impl
	array
}

// newFilter returns the filter that consists of the given parts.
func newFilter(l layout, hash Hasher, im impl, a array) Filter {
	return Filter{newOneKey(&l, &hash, im, a.words), l, hash, im, a}
}

// array is an array of bits with the numbers of its set bits.
type array struct {
	words []uint64
	counts
}

// counts are numbers of set bits.
type counts struct {
	bits   uint64   // the number of set bits of the whole array
	slices []uint64 // the number of set bits of each slice, if slices are counted separately, or nil
}

// The method add counts one more set bit, at the j-th position of a key, if bit is 1, and nothing if bit is 0.
func (c *counts) add(j int, bit uint64) {
	c.bits += bit
	if c.slices != nil {
		c.slices[j] += bit
	}
}

// moveTo adds the counts c to the counts to, and resets c to zero.
func (c *counts) moveTo(to *counts) {
	if c.bits == 0 {
		return
	}
	to.bits += c.bits
	for j, n := range c.slices {
		to.slices[j] += n
	}
	c.clear()
}

func (c *counts) clear() {
	c.bits = 0
	clear(c.slices)
}

// New returns an empty filter of geometry g.
// Domain: g valid with m <= 2^48; Block 0, or a power of two from 64 to 4096 with Standard or Partitioned. Memory: m/8
// bytes, and 8k more for Partitioned without blocks.
// Errors: *bloomproof.ParamError for an invalid g or o, and when the host cannot hold m bits.
func New(g bloomproof.Geometry, o Options) (*Filter, error) {
	l, err := layoutOf(g)
	if err != nil {
		return nil, err
	}
	hash, im, err := o.open()
	if err != nil {
		return nil, err
	}
	a, err := l.newArray()
	if err != nil {
		return nil, err
	}
	f := newFilter(l, hash, im, a)
	return &f, nil
}

func (l *layout) newArray() (array, error) {
	words, err := newWords(l.g.M, wordsFor(l.g.M))
	if err != nil {
		return array{}, err
	}
	return array{words, l.newCounts()}, nil
}

// Geometry returns the filter's m, k, hashing and block.
func (f *Filter) Geometry() bloomproof.Geometry { return f.g }

// Hasher returns the hasher of the filter's keys.
func (f *Filter) Hasher() Hasher {
	f.mustBeMade()
	return f.hash
}

// Add records key and reports whether that set a bit. If it set none, the key had been recorded before, or other keys
// had set all its positions.
func (f *Filter) Add(key []byte) bool {
	fresh := addKey(f, unsafe.SliceData(key), len(key))
	f.bits += fresh
	return fresh > 0
}

// AddHash is Add for a ready-made hash.
func (f *Filter) AddHash(h Hash) bool {
	if f.one.way != 0 {
		fresh := addInBlock(f, h.H0, h.H1)
		f.bits += fresh
		return fresh > 0
	}
	f.mustBeMade()
	var fresh uint64
	switch {
	case f.plain():
		fresh = addOne(f.im, f.words, h, f.shape)
	case f.size != 0:
		fresh = addOneInBlock(f.im, f.words, h, &f.layout)
	default:
		return f.insert(&f.layout, h) > 0
	}
	f.bits += fresh
	return fresh > 0
}

// Contains reports whether the bits at all positions of key are set. The answer is always true for a key that was
// added. For any other key it is true with probability Rate.
func (f *Filter) Contains(key []byte) bool { return containsKey(f, unsafe.SliceData(key), len(key)) }

// ContainsHash is Contains for a ready-made hash.
func (f *Filter) ContainsHash(h Hash) bool {
	if f.one.way != 0 {
		return containsInBlock(f, h.H0, h.H1)
	}
	f.mustBeMade()
	if f.size != 0 {
		return containsOneInBlock(f.im, f.words, h, &f.layout)
	}
	in := containsOne(f.im, f.words, h, f.shape)
	if f.settled { // tested first, so that there is no branch on the answer, which the processor cannot predict
		return in
	}
	return in && f.settle(&f.layout, h)
}

// mustBeMade panics for an array that no constructor made: without positions it would
// contain everything.
func (a *array) mustBeMade() { mustBeMade(a.words) }

func mustBeMade(words []uint64) {
	if words == nil {
		panic("kernel: a filter must be made by New or another constructor, or read from a snapshot, and not be used once Concurrent took it")
	}
}

// insert sets the bits at the positions of h, in a filter without blocks, and returns how many of these bits were
// clear. Where positions may coincide, it sets the bit at each position as soon as the position is derived. Storing the
// positions in a buffer would fill the store queue, which the stores of bits need (see the function word).
func (a *array) insert(l *layout, h Hash) (fresh uint64) {
	switch {
	case l.plain():
		fresh = setAll(a.words, h, l.span, l.k)
	case l.settled:
		state, gamma, slice := h.H0, h.H1|1, l.step
		for j := range a.slices {
			state += gamma
			bit := setBit(a.words, uint64(j)*slice+reduce(word(state), slice))
			a.slices[j] += bit
			fresh += bit
		}
	default:
		var buf [scanK]uint64
		return a.insertAt(l.appendPositions(buf[:0], h))
	}
	a.bits += fresh
	return fresh
}

// setAll sets the bits at the k positions of h in a filter of m bits with standard hashing, and returns how many were
// clear.
func setAll(words []uint64, h Hash, m uint64, k int) (fresh uint64) {
	state, gamma := h.H0, h.H1|1
	for ; k > 0; k-- {
		state += gamma
		fresh += setBit(words, reduce(word(state), m))
	}
	return fresh
}

// insertAt does the same as insert, for positions that have been derived already.
func (a *array) insertAt(pos []uint64) uint64 {
	var set uint64
	for j, p := range pos {
		bit := setBit(a.words, p)
		set += bit
		if a.slices != nil {
			a.slices[j] += bit
		}
	}
	a.bits += set
	return set
}

// contains reports whether the bits at all positions of h are set, in a filter without blocks. It stops at the first
// clear bit.
func (a *array) contains(l *layout, h Hash) bool {
	return hasAll(a.words, h, l.shape) && (l.settled || a.settle(l, h))
}

// settle reports whether the bits at all positions of h are set, in a layout in which a position that repeats is
// replaced by another (layout.settled is false). It may be called only if the bits at all draws of h are set; the draws
// are the positions before any is replaced.
func (a *array) settle(l *layout, h Hash) bool {
	return !l.mayRepeat(h) || a.containsPositions(l, h)
}

// containsPositions does the same as contains, but derives all positions first.
func (a *array) containsPositions(l *layout, h Hash) bool {
	var buf [scanK]uint64
	return a.containsAll(l.appendPositions(buf[:0], h))
}

// containsAll reports whether the bits at pos are all set.
func (a *array) containsAll(pos []uint64) bool {
	for _, p := range pos {
		if !getBit(a.words, p) {
			return false
		}
	}
	return true
}

// recount counts the set bits of the words, and sets the counts to the results.
func (a *array) recount(l *layout, im impl) {
	a.bits = uint64(count(im, a.words))
	for j := range a.slices {
		a.slices[j] = rangeCount(im, a.words, uint64(j)*l.step, uint64(j+1)*l.step)
	}
}

func (a *array) clear() {
	clear(a.words)
	a.counts.clear()
}

func (a *array) clone() array {
	return array{cloneWords(a.words), counts{a.bits, slices.Clone(a.slices)}}
}

// Bits returns the number of set bits.
// Cost: O(1).
func (f *Filter) Bits() uint64 { return f.bits }

// Recount counts the set bits anew and returns their number. It equals Bits unless memory was damaged.
// Cost: O(m/64).
func (f *Filter) Recount() uint64 { return uint64(count(f.im, f.words)) }

// Equal reports whether f and g have the same geometry, hash scheme, seed or key, and bits. Such filters give the same
// answer for every key.
// Cost: O(m/64).
func (f *Filter) Equal(g *Filter) bool {
	return f.compatible(g) == nil && slices.Equal(f.words, g.words)
}

// AppendWords appends the filter's m bits to dst, bit i as bit i&63 of word i>>6, and
// returns the extended slice.
func (f *Filter) AppendWords(dst []uint64) []uint64 { return append(dst, f.words...) }

// SetWords replaces the filter's bits by words, in the form of AppendWords. It copies them. The words may come from any
// source. The filter then contains every key whose positions, derived by the filter's hash scheme, are set in the
// words.
// Cost: O(m/64).
// Errors: *bloomproof.ParamError unless there are ceil(m/64) words in which all bits from number m on are clear; f is
// then unchanged.
func (f *Filter) SetWords(words []uint64) error {
	f.mustBeMade()
	if len(words) != len(f.words) {
		return &bloomproof.ParamError{Param: "words", Value: len(words), Want: fmt.Sprintf("%d words", len(f.words))}
	}
	if used := f.g.M & 63; used != 0 && words[len(words)-1]>>used != 0 {
		return &bloomproof.ParamError{Param: "words", Value: "a set bit beyond m", Want: fmt.Sprintf("none from bit %d on", f.g.M)}
	}
	copy(f.words, words)
	f.recount(&f.layout, f.im)
	return nil
}

// Rate returns the probability that a new key is contained given the present bits. It is (b/m)^k for Standard,
// C(b,k)/C(m,k) for Classic, and for Partitioned the product, over all slices, of the share of the slice's bits that
// are set. Here b is the number of set bits. The formulas are Burns (51), Burns (52), and Burns (59) before its
// expectation is taken. With blocks Rate is the mean of the rates of the blocks.
// Error: relative, at most 2k 2^-53, and with blocks (2k+4) 2^-53, for rates above 1e-300; smaller rates may be
// returned as 0.
// Cost: O(log k) for Standard, O(k) otherwise. With blocks it is O(m/64), because the bits of each block are counted
// anew. For Partitioned, O(k) for each block is added.
func (f *Filter) Rate() float64 {
	if f.size != 0 {
		return f.blockRate(func(dst []uint64, from int) { copy(dst, f.words[from:]) })
	}
	return f.rateOf(&f.counts)
}

// Items estimates from the number b of set bits how many distinct keys were added, by the method of moments (Burns 46).
// Without blocks it is ln(1-b/m) / (k ln(1-1/m)) for Standard. It is ln(1-b/m) / ln(1-k/m) for Classic and Partitioned,
// also with blocks. For Standard with B blocks of s bits it is ln(1-b/m) / ln(1-(1-(1-1/s)^k)/B). When all bits are set
// the estimate has no bound: bounded is then false and n is 0.
// Error: a relative rounding error of at most 2^-49.
// Cost: O(1).
func (f *Filter) Items() (n float64, bounded bool) { return f.itemsOf(f.bits) }

// log1mRatio returns ln(1 - a/b) for 0 < a < b <= maxM. It loses no digits when a/b is close to 0 or to 1.
func log1mRatio(a, b uint64) float64 {
	if a <= b/2 {
		return math.Log1p(-float64(a) / float64(b))
	}
	return math.Log(float64(b-a) / float64(b))
}

// Clear removes all keys.
func (f *Filter) Clear() { f.clear() }

// Clone returns an independent copy.
func (f *Filter) Clone() *Filter {
	c := newFilter(f.layout, f.hash, f.im, f.clone())
	return &c
}

// String returns the geometry, the scheme and the number of set bits.
func (f *Filter) String() string {
	return fmt.Sprintf("%v %v bits=%d", f.g, f.hash.scheme, f.bits)
}
