// Package states has Bloom filters with faults in their operations and states. Some faults concern caches, the order of
// calls, counts, estimates and keys. Others concern reset, union, intersection, snapshots and batches. Their author
// knew the laws and the interface of package conform, but not how the package examines filters.
package states

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"sync/atomic"

	"github.com/bloomproof/bloomproof/verify/internal/mutant/blind/xxh3"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/verify/conform"
)

const (
	mostBits      = 1 << 30
	mostPositions = 64
	headerBytes   = 24 // magic and version, m, k
	sumBytes      = 8
	magic         = 0x0000_0001_4d4f_4c42 // "BLOM" and version 1
)

var (
	errShape    = errors.New("states: no such shape")
	errOther    = errors.New("states: the filters have different shapes")
	errSnapshot = errors.New("states: this is no snapshot")
)

// Filter is a Bloom filter of m bits with k independent positions for each item.
type Filter struct {
	m     uint64
	k     int
	words []uint64
	hash  func(key []byte) (a, b uint64)

	memory // used only by faults
}

// The type "memory" has the fields that only faulty filters use.
type memory struct {
	known   bool // whether the remembered values are valid
	a, b    uint64
	bits    uint64
	items   uint64
	top     uint64
	value   float64
	key     []byte
	buffer  []byte
	answers []bool
	waiting [][]byte
	recent  []uint64
	rest    []uint64
	used    []bool
	epoch   uint8
	epochs  []uint8
}

// The type Fault describes a filter with one fault.
type Fault struct {
	Name    string // what is wrong
	Kind    string
	Subject conform.Subject[*Filter]
}

// Sound returns the subject without faults. Its hashing is standard hashing: k independent positions.
func Sound() conform.Subject[*Filter] {
	return conform.Subject[*Filter]{
		New:             newFilter,
		Shape:           func(f *Filter) (uint64, int) { return f.m, f.k },
		Add:             (*Filter).add,
		Contains:        (*Filter).contains,
		AddBatch:        (*Filter).addBatch,
		ContainsBatch:   (*Filter).containsBatch,
		TestAndAdd:      (*Filter).testAndAdd,
		Bits:            (*Filter).ones,
		Words:           func(f *Filter) []uint64 { return append([]uint64(nil), f.words...) },
		Union:           (*Filter).union,
		Intersect:       (*Filter).intersect,
		Reset:           func(f *Filter) { clear(f.words) },
		Items:           (*Filter).estimate,
		Rate:            func(f *Filter) float64 { return math.Pow(float64(f.ones())/float64(f.m), float64(f.k)) },
		RateFor:         rateFor,
		Size:            size,
		Marshal:         func(f *Filter) ([]byte, error) { return f.marshal(), nil },
		Unmarshal:       (*Filter).unmarshal,
		ConcurrentReads: true,
		ConcurrentAdds:  true,
	}
}

// All returns the faults.
func All() []Fault {
	var all []Fault
	for _, f := range [][]Fault{
		caches(), orders(), resets(), unions(), intersections(), written(), read(),
		tests(), batches(), counts(), estimates(), keys(),
	} {
		all = append(all, f...)
	}
	return all
}

func newFilter(m uint64, k int) (*Filter, error) {
	if m < 1 || m > mostBits || k < 1 || k > mostPositions {
		return nil, errShape
	}
	return &Filter{m: m, k: k, words: make([]uint64, wordsFor(m)), hash: hash}, nil
}

func wordsFor(m uint64) uint64 { return (m + 63) / 64 }

func hash(key []byte) (a, b uint64) {
	h := xxh3.Hash128(key)
	return h.Hi, h.Lo
}

func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// The hash of a key consists of a and b. The method "at" returns position i of this key.
func (f *Filter) at(a, b uint64, i int) uint64 {
	hi, _ := bits.Mul64(mix(mix(a+uint64(i)*0x9e3779b97f4a7c15)^b), f.m)
	return hi
}

// The method "positions" returns all positions of a key.
func (f *Filter) positions(key []byte) []uint64 {
	a, b := f.hash(key)
	p := make([]uint64, f.k)
	for i := range p {
		p[i] = f.at(a, b, i)
	}
	return p
}

func (f *Filter) has(p uint64) bool {
	return atomic.LoadUint64(&f.words[p>>6])>>(p&63)&1 == 1
}

// The method "set" sets the bit at position p, and reports whether it was set before.
func (f *Filter) set(p uint64) bool {
	return atomic.OrUint64(&f.words[p>>6], 1<<(p&63))>>(p&63)&1 == 1
}

func (f *Filter) add(key []byte) { f.testAndAdd(key) }

func (f *Filter) testAndAdd(key []byte) bool {
	a, b := f.hash(key)
	was := true
	for i := range f.k {
		was = f.set(f.at(a, b, i)) && was
	}
	return was
}

func (f *Filter) contains(key []byte) bool {
	a, b := f.hash(key)
	for i := range f.k {
		if !f.has(f.at(a, b, i)) {
			return false
		}
	}
	return true
}

func (f *Filter) addBatch(keys [][]byte) {
	for _, key := range keys {
		f.add(key)
	}
}

func (f *Filter) containsBatch(keys [][]byte) []bool {
	answers := make([]bool, len(keys))
	for i, key := range keys {
		answers[i] = f.contains(key)
	}
	return answers
}

func (f *Filter) ones() uint64 {
	n := 0
	for _, w := range f.words {
		n += bits.OnesCount64(w)
	}
	return uint64(n)
}

func (f *Filter) like(g *Filter) error {
	if f.m != g.m || f.k != g.k {
		return errOther
	}
	return nil
}

func (f *Filter) union(g *Filter) error {
	if err := f.like(g); err != nil {
		return err
	}
	for i, w := range g.words {
		f.words[i] |= w
	}
	return nil
}

func (f *Filter) intersect(g *Filter) error {
	if err := f.like(g); err != nil {
		return err
	}
	for i, w := range g.words {
		f.words[i] &= w
	}
	return nil
}

func (f *Filter) estimate() float64 { return estimateItems(f.m, f.k, f.ones()) }

// estimateItems estimates the number of items from the number of set bits. If all bits are set, it returns infinity.
func estimateItems(m uint64, k int, ones uint64) float64 {
	n, err := approx.EstimateItems(bloomproof.Geometry{M: m, K: k}, ones)
	if err != nil {
		return math.Inf(1)
	}
	return n
}

func rateFor(m uint64, k int, n uint64) float64 {
	rate, err := approx.FPR(bloomproof.Geometry{M: m, K: k}, n)
	if err != nil {
		return math.NaN()
	}
	return rate
}

// The function "size" returns m and k for n items. With fewer than m bits the rate would be too high. The filter with m
// bits has k positions. It returns 0, 0 if there is no such shape.
func size(n uint64, rate float64) (m uint64, k int) {
	if rate >= 1 {
		return 1, 1
	}
	o, err := approx.LeastBits(bloomproof.Geometry{}, n, rate)
	if err == nil && o.Geometry.K > mostPositions {
		o, err = approx.LeastBits(bloomproof.Geometry{K: mostPositions}, n, rate)
	}
	if err != nil {
		return 0, 0
	}
	return o.Geometry.M, max(o.Geometry.K, 1)
}

// The method "marshal" returns a snapshot: a magic number, m, k, the words and a checksum of all these.
func (f *Filter) marshal() []byte {
	data := make([]byte, 0, headerBytes+8*len(f.words)+sumBytes)
	data = binary.LittleEndian.AppendUint64(data, magic)
	data = binary.LittleEndian.AppendUint64(data, f.m)
	data = binary.LittleEndian.AppendUint64(data, uint64(f.k))
	for _, w := range f.words {
		data = binary.LittleEndian.AppendUint64(data, w)
	}
	return seal(append(data, make([]byte, sumBytes)...))
}

// The function "seal" writes the checksum at the end of a snapshot.
func seal(data []byte) []byte {
	end := len(data) - sumBytes
	binary.LittleEndian.PutUint64(data[end:], xxh3.Hash(data[:end]))
	return data
}

// The function "sealed" reports whether the checksum at the end of a snapshot is right.
func sealed(data []byte) bool {
	end := len(data) - sumBytes
	return end >= 0 && binary.LittleEndian.Uint64(data[end:]) == xxh3.Hash(data[:end])
}

// The function "header" returns the shape that a snapshot states. It returns an error if the shape is invalid, or if
// the length of the snapshot does not agree with the shape.
func header(data []byte) (m uint64, k int, err error) {
	if len(data) < headerBytes+sumBytes || binary.LittleEndian.Uint64(data) != magic {
		return 0, 0, errSnapshot
	}
	m, n := binary.LittleEndian.Uint64(data[8:]), binary.LittleEndian.Uint64(data[16:])
	if m < 1 || m > mostBits || n < 1 || n > mostPositions {
		return 0, 0, errSnapshot
	}
	if uint64(len(data)) != headerBytes+8*wordsFor(m)+sumBytes {
		return 0, 0, errSnapshot
	}
	return m, int(n), nil
}

// The function "body" returns the words of a snapshot. The length of the snapshot must be right.
func body(data []byte) []uint64 {
	words := make([]uint64, (len(data)-headerBytes-sumBytes)/8)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(data[headerBytes+8*i:])
	}
	return words
}

// The function "parse" returns the filter of a snapshot.
func parse(data []byte) (*Filter, error) {
	m, k, err := header(data)
	if err != nil || !sealed(data) {
		return nil, errSnapshot
	}
	words := body(data)
	if m&63 != 0 && words[len(words)-1]>>(m&63) != 0 {
		return nil, errSnapshot
	}
	return &Filter{m: m, k: k, words: words}, nil
}

func (f *Filter) unmarshal(data []byte) error {
	g, err := parse(data)
	if err != nil {
		return err
	}
	f.m, f.k, f.words = g.m, g.k, g.words
	return nil
}
