// Package chances has Bloom filters with deliberate faults. Some have wrong positions, seeds, sizes, rates or running
// times. Others have data races. The author of these filters knew the interface of package conform, but not the tests
// of that package.
package chances

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/internal/mutant/blind/xxh3"
)

const (
	maxM = 1 << 30
	maxK = 64
)

// The type "places" has the positions of a key. Only the first k of them are used.
type places [maxK]uint64

// A placer draws the positions of a key.
type placer func(f *Filter, key []byte) places

// Filter is a Bloom filter. Only filters with faults use the field "seed" and the fields after it.
type Filter struct {
	m     uint64
	k     int
	words []uint64
	place placer

	seed uint64
	set  uint64 // number of set bits, if a fault keeps this number
	mu   sync.RWMutex
	race races
}

var errShape = errors.New("chances: no such shape, or shapes differ")
var errCorrupt = errors.New("chances: corrupt snapshot")

func newFilter(m uint64, k int) (*Filter, error) {
	if m < 1 || m > maxM || k < 1 || k > maxK {
		return nil, errShape
	}
	return &Filter{m: m, k: k, words: make([]uint64, (m+63)/64), place: soundPlaces}, nil
}

// The function "mix" applies the last step of the random generator SplitMix64 to a word.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

const golden = 0x9e3779b97f4a7c15

// The hash h is the seed of a pseudorandom stream. The function "word" returns the i-th word of this stream.
func word(h xxh3.Uint128, i int) uint64 { return mix(mix(h.Lo+uint64(i)*golden) ^ h.Hi) }

// The function "reduce" maps the word x to a number in [0, m). The number is the upper 64 bits of the product x*m.
func reduce(x, m uint64) uint64 {
	hi, _ := bits.Mul64(x, m)
	return hi
}

func soundPlaces(f *Filter, key []byte) (p places) {
	h := xxh3.Hash128(key)
	for i := range f.k {
		p[i] = reduce(word(h, i), f.m)
	}
	return p
}

func (f *Filter) has(pos uint64) bool {
	return atomic.LoadUint64(&f.words[pos>>6])>>(pos&63)&1 != 0
}

// The method "put" sets the bit at position pos, and reports whether it was set before.
func (f *Filter) put(pos uint64) bool {
	return atomic.OrUint64(&f.words[pos>>6], 1<<(pos&63))>>(pos&63)&1 != 0
}

func add(f *Filter, key []byte) { testAndAdd(f, key) }

func testAndAdd(f *Filter, key []byte) bool {
	p, all := f.place(f, key), true
	for _, pos := range p[:f.k] {
		all = f.put(pos) && all
	}
	return all
}

// testThenAdd does the same as testAndAdd. It is for filters in which two positions of a key may coincide.
func testThenAdd(f *Filter, key []byte) bool {
	was := contains(f, key)
	add(f, key)
	return was
}

func contains(f *Filter, key []byte) bool {
	p := f.place(f, key)
	return f.hasAll(p[:f.k])
}

func (f *Filter) hasAll(p []uint64) bool {
	for _, pos := range p {
		if !f.has(pos) {
			return false
		}
	}
	return true
}

func setBits(f *Filter) (n uint64) {
	for _, w := range f.words {
		n += uint64(bits.OnesCount64(w))
	}
	return n
}

func union(f, g *Filter) error {
	if f.m != g.m || f.k != g.k {
		return errShape
	}
	for i, w := range g.words {
		f.words[i] |= w
	}
	return nil
}

func intersect(f, g *Filter) error {
	if f.m != g.m || f.k != g.k {
		return errShape
	}
	for i, w := range g.words {
		f.words[i] &= w
	}
	return nil
}

func items(f *Filter) float64 {
	return math.Log1p(-float64(setBits(f))/float64(f.m)) / (float64(f.k) * math.Log1p(-1/float64(f.m)))
}

func rate(f *Filter) float64 {
	return math.Pow(float64(setBits(f))/float64(f.m), float64(f.k))
}

func rateFor(m uint64, k int, n uint64) float64 {
	r, err := approx.FPR(bloomproof.Geometry{M: m, K: k}, n)
	if err != nil {
		return math.NaN()
	}
	return r
}

func size(n uint64, rate float64) (m uint64, k int) {
	o, err := approx.LeastBits(bloomproof.Geometry{}, n, rate)
	if err != nil {
		return 1, 1
	}
	return o.Geometry.M, o.Geometry.K
}

// A snapshot has a magic number, k, m, the words, and a checksum of all these data. The header before the words and the
// trail after them have 16 bytes each.
const (
	magic  = 0x31736563
	header = 16
	trail  = 16
)

func marshal(f *Filter) ([]byte, error) {
	b := binary.LittleEndian.AppendUint32(nil, magic)
	b = binary.LittleEndian.AppendUint32(b, uint32(f.k))
	b = binary.LittleEndian.AppendUint64(b, f.m)
	for _, w := range f.words {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	h := xxh3.Hash128(b)
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(b, h.Hi), h.Lo), nil
}

func unmarshal(f *Filter, b []byte) error {
	if len(b) < header+trail || binary.LittleEndian.Uint32(b) != magic {
		return errCorrupt
	}
	body, h := b[:len(b)-trail], xxh3.Hash128(b[:len(b)-trail])
	sum := b[len(body):]
	k, m := binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint64(b[8:])
	if binary.BigEndian.Uint64(sum) != h.Hi || binary.BigEndian.Uint64(sum[8:]) != h.Lo ||
		k < 1 || k > maxK || m < 1 || m > maxM || uint64(len(body)-header) != (m+63)/64*8 {
		return errCorrupt
	}
	words := make([]uint64, (m+63)/64)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(body[header+8*i:])
	}
	if m&63 != 0 && words[len(words)-1]>>(m&63) != 0 {
		return errCorrupt
	}
	f.m, f.k, f.words = m, int(k), words
	return nil
}

// The function Sound returns a correct subject.
func Sound() conform.Subject[*Filter] {
	return conform.Subject[*Filter]{
		Hashing:    bloomproof.Standard,
		New:        newFilter,
		Shape:      func(f *Filter) (uint64, int) { return f.m, f.k },
		Add:        add,
		Contains:   contains,
		TestAndAdd: testThenAdd,
		AddBatch: func(f *Filter, keys [][]byte) {
			for _, key := range keys {
				add(f, key)
			}
		},
		ContainsBatch: func(f *Filter, keys [][]byte) []bool {
			yes := make([]bool, len(keys))
			for i, key := range keys {
				yes[i] = contains(f, key)
			}
			return yes
		},
		Bits:            setBits,
		Words:           func(f *Filter) []uint64 { return append([]uint64(nil), f.words...) },
		Union:           union,
		Intersect:       intersect,
		Reset:           func(f *Filter) { clear(f.words) },
		Items:           items,
		Rate:            rate,
		RateFor:         rateFor,
		Size:            size,
		Marshal:         marshal,
		Unmarshal:       unmarshal,
		ConcurrentReads: true,
		ConcurrentAdds:  true,
	}
}

// The function "bare" returns the filter without faults, reduced to the functions New, Add and Contains.
func bare() conform.Subject[*Filter] {
	s := Sound()
	return conform.Subject[*Filter]{Hashing: s.Hashing, New: s.New, Add: s.Add, Contains: s.Contains}
}

// The function "placed" returns a copy of s with a changed choice of positions. In filters of the copy, the function
// "place" draws the positions of each key.
func placed(s conform.Subject[*Filter], place placer) conform.Subject[*Filter] {
	return made(s, func(f *Filter) { f.place = place })
}

// The function "made" returns a copy of s with a changed function New. The changed function also passes each filter
// that it makes to the function "more".
func made(s conform.Subject[*Filter], more func(f *Filter)) conform.Subject[*Filter] {
	before := s.New
	s.New = func(m uint64, k int) (*Filter, error) {
		f, err := before(m, k)
		if err != nil {
			return nil, err
		}
		more(f)
		return f, nil
	}
	return s
}

// Fault is a filter with one fault.
type Fault struct {
	Name    string // what is wrong, in a few words
	Kind    string // a word or two: hash, position, seed, size, rate, hang, race
	Subject conform.Subject[*Filter]
}

// All returns the faults.
func All() []Fault {
	var all []Fault
	for _, list := range [][]Fault{hashFaults(), positionFaults(), seedFaults(), sizeFaults(), rateFaults(),
		hangFaults(), raceFaults(), raceReadFaults()} {
		all = append(all, list...)
	}
	return all
}
