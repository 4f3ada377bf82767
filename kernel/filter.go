package kernel

import (
	"fmt"
	"math"
	"slices"

	"github.com/bloomproof/bloomproof"
)

// Set is what all filters of this package have in common.
type Set interface {
	// Geometry returns the filter's m, k and hashing.
	Geometry() bloomproof.Geometry
	// Contains reports whether all positions of key are set: always true for a key
	// that is recorded, and with probability Rate for any other.
	Contains(key []byte) bool
	// ContainsHash is Contains for a ready-made hash.
	ContainsHash(h Hash) bool
	// ContainsBatch appends to dst, for each of the keys, what Contains says of it.
	ContainsBatch(dst []bool, keys [][]byte) []bool
	// ContainsHashBatch is ContainsBatch for ready-made hashes.
	ContainsHashBatch(dst []bool, hashes []Hash) []bool
	// Bits returns the number of set bits, in O(1).
	Bits() uint64
	// Rate returns the probability that a new key is contained, given the present
	// bits.
	Rate() float64
	// Clear forgets everything.
	Clear()
}

// Filter is a Bloom filter with standard, classic or partitioned hashing. Use New.
// A filter may be read by many goroutines at once; adding needs exclusive use.
type Filter struct {
	g    bloomproof.Geometry
	hash hasher
	im   Impl
	array
}

// array is one bit array with its counts.
type array struct {
	words []uint64
	counts
}

// counts are numbers of set bits.
type counts struct {
	bits   uint64   // in all
	slices []uint64 // partitioned: of each slice; otherwise nil
}

func newCounts(g bloomproof.Geometry) counts {
	if g.Hashing == bloomproof.Partitioned {
		return counts{slices: make([]uint64, g.K)}
	}
	return counts{}
}

// add counts a set bit at the j-th position of a key.
func (c *counts) add(j int, bit uint64) {
	c.bits += bit
	if c.slices != nil {
		c.slices[j] += bit
	}
}

// moveTo adds the counts to those of to and leaves zeros.
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
// Domain: g valid with m <= 2^48. Memory: m/8 bytes, and 8k more for Partitioned.
// Errors: *bloomproof.ParamError for an invalid g or o, and when the host cannot hold
// m bits.
func New(g bloomproof.Geometry, o Options) (*Filter, error) {
	if err := checkGeometry(g); err != nil {
		return nil, err
	}
	hash, im, err := o.open()
	if err != nil {
		return nil, err
	}
	a, err := newArray(g)
	if err != nil {
		return nil, err
	}
	return &Filter{g: g, hash: hash, im: im, array: a}, nil
}

func newArray(g bloomproof.Geometry) (array, error) {
	words, err := newWords(g.M, wordsFor(g.M))
	if err != nil {
		return array{}, err
	}
	return array{words, newCounts(g)}, nil
}

// Geometry returns the filter's m, k and hashing.
func (f *Filter) Geometry() bloomproof.Geometry { return f.g }

// Hash returns the 128-bit hash of key under the filter's scheme.
func (f *Filter) Hash(key []byte) Hash { return f.hash.Hash(key) }

// Add records key and reports whether that set a bit; if it did not, key or its
// positions had been recorded before.
func (f *Filter) Add(key []byte) bool { return f.AddHash(f.hash.Hash(key)) }

// AddHash is Add for a ready-made hash.
func (f *Filter) AddHash(h Hash) bool {
	f.mustBeMade()
	if f.g.Hashing != bloomproof.Standard {
		return f.insert(f.g, h) > 0
	}
	fresh := addOne(f.im, f.words, h, shapeOf(f.g))
	f.bits += fresh
	return fresh > 0
}

// Contains reports whether all positions of key are set: always true for a key that
// was added, and with probability Rate for any other.
func (f *Filter) Contains(key []byte) bool { return f.ContainsHash(f.hash.Hash(key)) }

// ContainsHash is Contains for a ready-made hash.
func (f *Filter) ContainsHash(h Hash) bool {
	f.mustBeMade()
	if f.g.Hashing == bloomproof.Classic {
		return f.contains(f.g, h)
	}
	return containsOne(f.im, f.words, h, shapeOf(f.g))
}

// mustBeMade panics for an array that no constructor made: without positions it would
// contain everything.
func (a *array) mustBeMade() { mustBeMade(a.words) }

func mustBeMade(words []uint64) {
	if words == nil {
		panic("kernel: a filter must be made by New or another constructor, or read from a snapshot")
	}
}

// insert sets the bits at the positions of h and returns how many were clear. Where
// positions need not be distinct they are used as they come: a buffer of them would
// take the store queue from the bits, as would the stream's state (see word).
func (a *array) insert(g bloomproof.Geometry, h Hash) (fresh uint64) {
	switch g.Hashing {
	case bloomproof.Classic:
		var buf [scanK]uint64
		return a.insertAt(appendPositions(buf[:0], g, h))
	case bloomproof.Partitioned:
		state, gamma, slice := h.H0, h.H1|1, g.M/uint64(g.K)
		for j := range a.slices {
			state += gamma
			bit := setBit(a.words, uint64(j)*slice+reduce(word(state), slice))
			a.slices[j] += bit
			fresh += bit
		}
	default:
		fresh = setAll(a.words, h, g.M, g.K)
	}
	a.bits += fresh
	return fresh
}

// setAll sets the bits at the k positions of h by standard hashing and returns how many
// were clear.
func setAll(words []uint64, h Hash, m uint64, k int) (fresh uint64) {
	state, gamma := h.H0, h.H1|1
	for ; k > 0; k-- {
		state += gamma
		fresh += setBit(words, reduce(word(state), m))
	}
	return fresh
}

// insertAt is insert for positions that are ready.
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

// contains reports whether all positions of h are set, stopping at the first that is
// not.
func (a *array) contains(g bloomproof.Geometry, h Hash) bool {
	// By classic hashing too most keys that are absent are seen to be before the distinct
	// positions are known: a repeated position changes nothing here.
	if all := hasAll(a.words, h, shapeOf(g)); !all || g.Hashing != bloomproof.Classic {
		return all
	}
	var buf [scanK]uint64
	return a.containsAll(appendPositions(buf[:0], g, h))
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

// recount sets the counts from the words.
func (a *array) recount(g bloomproof.Geometry, im Impl) {
	a.bits = uint64(count(im, a.words))
	for j := range a.slices {
		slice := g.M / uint64(g.K)
		a.slices[j] = rangeCount(im, a.words, uint64(j)*slice, uint64(j+1)*slice)
	}
}

func (a *array) clear() {
	clear(a.words)
	a.counts.clear()
}

func (a *array) clone() array {
	return array{cloneWords(a.words), counts{a.bits, slices.Clone(a.slices)}}
}

// rate returns the probability that all positions of a new key are among the bits
// counted.
func (c *counts) rate(g bloomproof.Geometry) float64 {
	m, b := float64(g.M), c.bits
	switch g.Hashing {
	case bloomproof.Classic:
		r := 1.0
		for i := range uint64(g.K) {
			if b <= i {
				return 0
			}
			r *= float64(b-i) / float64(g.M-i)
		}
		return r
	case bloomproof.Partitioned:
		r := 1.0
		for _, s := range c.slices {
			r *= float64(s) / float64(g.M/uint64(g.K))
		}
		return r
	}
	r := 1.0
	for x, k := float64(b)/m, g.K; k > 0; k >>= 1 {
		if k&1 != 0 {
			r *= x
		}
		x *= x
	}
	return r
}

// Bits returns the number of set bits, in O(1).
func (f *Filter) Bits() uint64 { return f.bits }

// Recount returns the number of set bits counted anew, in O(m/64). It equals Bits
// unless memory was corrupted.
func (f *Filter) Recount() uint64 { return uint64(count(f.im, f.words)) }

// AppendWords appends the filter's m bits to dst, bit i as bit i&63 of word i>>6, and
// returns the extended slice.
func (f *Filter) AppendWords(dst []uint64) []uint64 { return append(dst, f.words...) }

// Rate returns the probability that a new key is contained given the present bits:
// (b/m)^k for Standard, C(b,k)/C(m,k) for Classic, the product of the slices' shares
// of set bits for Partitioned: Burns (51) and (52), and (59) before its expectation.
// Error: relative, at most 2k 2^-53, for rates above 1e-300; smaller ones may be 0.
// Cost: O(log k) for Standard, O(k) otherwise.
func (f *Filter) Rate() float64 { return f.rate(f.g) }

// Items estimates from the set bits how many distinct keys were added, by the method
// of moments (Burns 46): ln(1-b/m) / (k ln(1-1/m)) for Standard and
// ln(1-b/m) / ln(1-k/m) for Classic and Partitioned. When all bits are set the
// estimate has no bound: bounded is then false and n is 0.
// Error: a relative rounding error of at most 2^-49. Cost: O(1).
func (f *Filter) Items() (n float64, bounded bool) { return itemsFrom(f.g, f.bits) }

func itemsFrom(g bloomproof.Geometry, b uint64) (n float64, bounded bool) {
	switch {
	case b == 0:
		return 0, true
	case b >= g.M:
		return 0, false
	case g.Hashing == bloomproof.Standard:
		return log1mRatio(b, g.M) / (float64(g.K) * log1mRatio(1, g.M)), true
	}
	return log1mRatio(b, g.M) / log1mRatio(uint64(g.K), g.M), true
}

// log1mRatio returns ln(1 - a/b) for 0 < a < b <= MaxM without losing digits at
// either end.
func log1mRatio(a, b uint64) float64 {
	if a <= b/2 {
		return math.Log1p(-float64(a) / float64(b))
	}
	return math.Log(float64(b-a) / float64(b))
}

// Clear forgets everything.
func (f *Filter) Clear() { f.clear() }

// Clone returns an independent copy.
func (f *Filter) Clone() *Filter {
	c := *f
	c.array = f.clone()
	return &c
}

// Equal reports whether f and g have the same geometry, hash scheme, seed or key, and
// bits.
func (f *Filter) Equal(g *Filter) bool {
	return f.g == g.g && f.hash.equal(&g.hash) && slices.Equal(f.words, g.words)
}

// String returns the geometry, the scheme and the number of set bits.
func (f *Filter) String() string {
	return fmt.Sprintf("%v %v bits=%d", f.g, f.hash.scheme, f.bits)
}
