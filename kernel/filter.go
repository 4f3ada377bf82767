package kernel

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/bloomproof/bloomproof"
)

// Filter is a Bloom filter with standard, classic or partitioned hashing. Use New to make one.
//
// With Geometry.Block > 0 it is a blocked filter. A look-up then reads one block only, but the false-positive rate is
// higher. A block of up to 512 bits is in one cache line. Optimised machine code exists for two kinds of blocks. In the
// first kind a block has 512 bits, and a key has k independent positions in its block. This kind has the lowest
// false-positive rate. In the second kind a block has 8 words and a key has one position in each word. Filters of the
// second kind have K = 8 and partitioned hashing. Their words have 64 bits if Block is 512, and 32 bits if Block is
// 256. The blocks with words of 64 bits are the fastest. All other blocks use portable code.
//
// Many goroutines may read a filter at the same time. A goroutine that adds keys needs exclusive use of the filter.
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

// The type "array" has the bits of a filter and the numbers of its set bits.
type array struct {
	words []uint64
	counts
}

// The type "counts" has the number of set bits of an array. For some layouts it also has the number of set bits of each
// slice.
type counts struct {
	bits   uint64   // the number of set bits of the whole array
	slices []uint64 // the number of set bits of each slice, if slices are counted separately, or nil
}

// The method "add" records that the bit at the j-th position of a key was set. The argument "bit" is 1 if that bit was
// clear before, and otherwise 0. If the argument is 0, the method changes no count.
func (c *counts) add(j int, bit uint64) {
	c.bits += bit
	if c.slices != nil {
		c.slices[j] += bit
	}
}

// The method moveTo adds the counts of c to its argument. Then it sets the counts of c to zero.
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
// Domain: g is valid and has m <= 2^48. Block is 0 or a power of two from 64 to 4096. Blocks need standard or
// partitioned hashing.
// Memory: m/8 bytes. Partitioned hashing without blocks takes 8*k additional bytes.
// Errors: *bloomproof.ParamError if g or o is invalid, or if the host has too little memory for m bits.
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

// Add adds key to the filter, and reports whether at least one bit was clear before. If none was clear, there are two
// possible reasons. The key was added before, or other keys have set the bits at all its positions.
func (f *Filter) Add(key []byte) bool {
	fresh := addKey(f, unsafe.SliceData(key), len(key))
	f.bits += fresh
	return fresh > 0
}

// AddHash does the same as Add, for a key that is already hashed.
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
// added. For any other key the answer is true with the probability that Rate returns.
func (f *Filter) Contains(key []byte) bool { return containsKey(f, unsafe.SliceData(key), len(key)) }

// ContainsHash does the same as Contains, for a key that is already hashed.
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

// mustBeMade panics if no constructor made the array. Such an array has no bits, so it would seem to contain every key.
func (a *array) mustBeMade() { mustBeMade(a.words) }

func mustBeMade(words []uint64) {
	if words == nil {
		panic("kernel: a filter must be made by New or another constructor, or read from a snapshot, and not be used once Concurrent took it")
	}
}

// The method "insert" sets the bits at the positions of h in a filter without blocks. It returns how many of these bits
// were clear. If two positions of a key may be equal, the method "insert" sets each bit as soon as it has derived the
// bit's position. If it first stored all positions in a buffer, these stores would fill the processor's store queue.
// The stores that set the bits need space in this queue (see the comment of the function "word").
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

// setAll sets the bits at the k positions of h in a filter of m bits with standard hashing. It returns how many of
// these bits were clear.
func setAll(words []uint64, h Hash, m uint64, k int) (fresh uint64) {
	state, gamma := h.H0, h.H1|1
	for ; k > 0; k-- {
		state += gamma
		fresh += setBit(words, reduce(word(state), m))
	}
	return fresh
}

// insertAt does the same as insert, for the positions in the slice pos.
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

// For a filter without blocks, the method "contains" reports whether the bits at all positions of h are set. It stops
// at the first bit that is clear.
func (a *array) contains(l *layout, h Hash) bool {
	return hasAll(a.words, h, l.shape) && (l.settled || a.settle(l, h))
}

// The method "settle" completes a look-up if layout.settled is false. It reports whether the bits at all positions of h
// are set. The draws of a key are its first k random positions. If layout.settled is false, a draw that equals another
// draw of the key is replaced. The caller has already found that the bits at all draws of h are set.
func (a *array) settle(l *layout, h Hash) bool {
	return !l.mayRepeat(h) || a.containsPositions(l, h)
}

// containsPositions does the same as contains, but it derives all positions first.
func (a *array) containsPositions(l *layout, h Hash) bool {
	var buf [scanK]uint64
	return a.containsAll(l.appendPositions(buf[:0], h))
}

// containsAll reports whether the bits at all positions in pos are set.
func (a *array) containsAll(pos []uint64) bool {
	for _, p := range pos {
		if !getBit(a.words, p) {
			return false
		}
	}
	return true
}

// The method "recount" counts the set bits of the array, and stores the results in the field "counts".
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

// Recount counts the set bits anew and returns their number. The result equals the result of Bits, unless memory was
// damaged.
// Cost: O(m/64).
func (f *Filter) Recount() uint64 { return uint64(count(f.im, f.words)) }

// Equal reports whether f and g have the same geometry, hash scheme, seed, key and bits. Two equal filters give the
// same answer for every key.
// Cost: O(m/64).
func (f *Filter) Equal(g *Filter) bool {
	return f.compatible(g) == nil && slices.Equal(f.words, g.words)
}

// AppendWords appends the m bits of the filter to dst and returns the extended slice. Bit i of the filter is bit i&63
// of the appended word with the number i>>6.
func (f *Filter) AppendWords(dst []uint64) []uint64 { return append(dst, f.words...) }

// SetWords replaces the bits of the filter by those of the given words. The words must have the order that AppendWords
// uses. It copies the words, which may come from any source. Afterwards the filter contains a key exactly if the bits
// at all positions of this key are set in these words. The positions are derived by the filter's hash scheme.
// Cost: O(m/64).
// Errors: *bloomproof.ParamError if the number of words is not ceil(m/64), or if bit m or a higher bit is set. If there
// is an error, f is not changed.
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

// Rate returns the probability that a new key is found in the filter, given the bits that are set now. Let b be the
// number of set bits. Rate is (b/m)^k with standard hashing, and C(b,k)/C(m,k) with classic hashing. With partitioned
// hashing, Rate is a product with one factor for each slice. The factor is the share of the slice's bits that are set.
// The first formula is equation Burns (52). The expected value of the second formula is given by equation Burns (59).
// In a filter with blocks, Rate is the mean of the rates of all blocks.
// Error: for rates above 1e-300, the relative error is at most 2*k*2^-53 without blocks and (2*k+4)*2^-53 with blocks.
// Smaller rates may be returned as 0.
// Cost: O(log k) with standard hashing, O(k) otherwise. With blocks the cost is O(m/64), because the bits of each block
// are counted anew. Partitioned hashing in blocks adds O(k) for each block.
func (f *Filter) Rate() float64 {
	if f.size != 0 {
		return f.blockRate(func(dst []uint64, from int) { copy(dst, f.words[from:]) })
	}
	return f.rateOf(&f.counts)
}

// Items estimates how many distinct keys were added. It applies the method of moments to the number b of set bits. For
// classic hashing this is equation Burns (46). For standard hashing without blocks, the estimate is:
//
//	ln(1-b/m) / (k ln(1-1/m)).
//
// For classic and partitioned hashing, with or without blocks, it is:
//
//	ln(1-b/m) / ln(1-k/m).
//
// For standard hashing in B blocks of s bits, it is:
//
//	ln(1-b/m) / ln(1 - (1-(1-1/s)^k)/B).
//
// If all bits are set, b gives no upper bound for the number of keys. In that case the result "bounded" is false, and
// the result n is 0.
// Error: relative, at most 2^-49, due to rounding.
// Cost: O(1).
func (f *Filter) Items() (n float64, bounded bool) { return f.itemsOf(f.bits) }

// log1mRatio returns ln(1 - a/b) for 0 < a < b <= maxM. It loses no digits if a/b is close to 0 or to 1.
func log1mRatio(a, b uint64) float64 {
	if a <= b/2 {
		return math.Log1p(-float64(a) / float64(b))
	}
	return math.Log(float64(b-a) / float64(b))
}

// Clear removes all keys.
func (f *Filter) Clear() { f.clear() }

// Clone returns a copy that is independent of f.
func (f *Filter) Clone() *Filter {
	c := newFilter(f.layout, f.hash, f.im, f.clone())
	return &c
}

// String returns a text with the geometry, the scheme and the number of set bits.
func (f *Filter) String() string {
	return fmt.Sprintf("%v %v bits=%d", f.g, f.hash.scheme, f.bits)
}
