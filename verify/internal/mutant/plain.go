package mutant

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"math"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/conform"
)

// Plain is a filter without faults that has all functions of a conform.Subject. Each faulty filter (see the type Wrong)
// replaces one function of Plain by another function.
type Plain struct {
	g     bloomproof.Geometry
	block uint64 // bits of a block, or 0
	words []uint64
	count atomic.Int64

	// Only some filters use the following fields.
	seed     uint64
	counters []atomic.Uint32
	table    []byte
	mutex    sync.Mutex
	// Only filters with faults use the following fields.
	held    [][]byte          // keys that still belong to the caller and are added later
	added   map[string]bool   // all keys
	scratch [64]atomic.Uint64 // positions of the last look-up
	own     any               // other state of wrong filters
	memory  memory
}

// A function of the type "place" appends the positions of a key in the filter f to dst.
type place func(dst []uint64, f *Plain, key []byte) []uint64

var hasher = func() *kernel.Filter {
	f, err := kernel.New(bloomproof.Geometry{M: 64, K: 1}, kernel.Options{})
	if err != nil {
		panic("mutant: " + err.Error())
	}
	return f
}()

// The function "fair" appends to dst the positions that package kernel gives. If the filter has blocks, all positions
// are in one block.
func fair(dst []uint64, f *Plain, key []byte) []uint64 {
	h := hasher.Hasher().Bytes(key)
	if f.block == 0 {
		return ideal(dst, f.g, h)
	}
	var buf [1]uint64
	block := ideal(buf[:0], bloomproof.Geometry{M: f.g.M / f.block, K: 1}, kernel.Hash{H0: h.H1, H1: h.H0 ^ 0x9e3779b97f4a7c15})[0]
	start := len(dst)
	dst = ideal(dst, bloomproof.Geometry{M: f.block, K: f.g.K, Hashing: f.g.Hashing}, h)
	for i := start; i < len(dst); i++ {
		dst[i] += block * f.block
	}
	return dst
}

// The method "set" sets the bit at position p, and reports whether it was clear.
func (f *Plain) set(p uint64) bool {
	bit := uint64(1) << (p & 63)
	if atomic.OrUint64(&f.words[p>>6], bit)&bit != 0 {
		return false
	}
	f.count.Add(1)
	return true
}

func (f *Plain) has(p uint64) bool { return atomic.LoadUint64(&f.words[p>>6])>>(p&63)&1 == 1 }

func (f *Plain) recount() {
	n := 0
	for _, w := range f.words {
		n += bits.OnesCount64(w)
	}
	f.count.Store(int64(n))
}

var errShape = errors.New("filters of different shapes")

func (f *Plain) alike(g *Plain) error {
	if f.g != g.g || f.block != g.block {
		return errShape
	}
	return nil
}

var crc = crc64.MakeTable(crc64.ECMA)

// The constant "head" is the number of bytes before the words of a snapshot. These bytes are m, k, and a checksum of
// everything else.
const head = 24

func (f *Plain) marshal() []byte {
	data := binary.LittleEndian.AppendUint64(nil, f.g.M)
	data = binary.LittleEndian.AppendUint64(data, uint64(f.g.K))
	data = binary.LittleEndian.AppendUint64(data, 0)
	for _, w := range f.words {
		data = binary.LittleEndian.AppendUint64(data, w)
	}
	binary.LittleEndian.PutUint64(data[16:], crc64.Checksum(data, crc))
	return data
}

var errSnapshot = errors.New("no snapshot")

// The function "checked" returns the m and k of a snapshot, or an error if the snapshot is damaged.
func checked(data []byte) (m uint64, k int, err error) {
	if len(data) < head {
		return 0, 0, errSnapshot
	}
	blank := slices.Clone(data)
	clear(blank[16:head])
	m, kk := binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[8:])
	if crc64.Checksum(blank, crc) != binary.LittleEndian.Uint64(data[16:]) || kk > 4096 || m > 1<<40 || uint64(len(data)-head) != (m+63)/64*8 {
		return 0, 0, errSnapshot
	}
	return m, int(kk), nil
}

// The method "load" reads the words of a snapshot without checking them.
func (f *Plain) load(m uint64, k int, payload []byte) {
	f.g.M, f.g.K = m, k
	f.words = make([]uint64, (m+63)/64)
	for i := range f.words {
		f.words[i] = binary.LittleEndian.Uint64(payload[8*i:])
	}
	f.recount()
}

// Sound returns a subject without faults for the hashing h. The argument "block" is the number of bits of a block. If
// it is 0, the filters have no blocks.
func Sound(h bloomproof.Hashing, block uint64) conform.Subject[*Plain] {
	s := subject(fair, fair)
	s.Hashing, s.BlockBits = h, block
	s.New = func(m uint64, k int) (*Plain, error) { return newPlain(m, k, h, block) }
	if h != bloomproof.Standard || block > 0 { // the functions below are for standard hashing only
		s.RateFor, s.Size, s.Items, s.Rate = nil, nil, nil, nil
	}
	return s
}

func newPlain(m uint64, k int, h bloomproof.Hashing, block uint64) (*Plain, error) {
	g := bloomproof.Geometry{M: m, K: k, Hashing: h}
	if block > 0 {
		g.M = block
	}
	if err := g.Validate(); err != nil {
		return nil, err
	}
	if m > 1<<30 || block > 0 && m%block != 0 {
		return nil, &bloomproof.ParamError{Param: "m", Value: m, Want: "at most 2^30, in whole blocks, in a mutant"}
	}
	g.M = m
	return &Plain{g: g, block: block, words: make([]uint64, (m+63)/64)}, nil
}

var buffers = sync.Pool{New: func() any { return new([64]uint64) }}

// The function "subject" returns a conform.Subject for Plain. In an addition, the function "add" computes the positions
// of the key. In a look-up, the function "probe" computes the positions.
func subject(add, probe place) conform.Subject[*Plain] {
	record := func(f *Plain, key []byte) bool {
		buf := buffers.Get().(*[64]uint64)
		defer buffers.Put(buf)
		fresh := false
		for _, p := range add(buf[:0], f, key) {
			if f.set(p) {
				fresh = true
			}
		}
		return fresh
	}
	contains := func(f *Plain, key []byte) bool {
		buf := buffers.Get().(*[64]uint64)
		defer buffers.Put(buf)
		for _, p := range probe(buf[:0], f, key) {
			if !f.has(p) {
				return false
			}
		}
		return true
	}
	return conform.Subject[*Plain]{
		New:      func(m uint64, k int) (*Plain, error) { return newPlain(m, k, bloomproof.Standard, 0) },
		Add:      func(f *Plain, key []byte) { record(f, key) },
		Contains: contains,
		AddBatch: func(f *Plain, keys [][]byte) {
			for _, key := range keys {
				record(f, key)
			}
		},
		ContainsBatch: func(f *Plain, keys [][]byte) []bool {
			out := make([]bool, len(keys))
			for i, key := range keys {
				out[i] = contains(f, key)
			}
			return out
		},
		TestAndAdd: func(f *Plain, key []byte) bool {
			before := contains(f, key)
			record(f, key)
			return before
		},
		Bits:  func(f *Plain) uint64 { return uint64(f.count.Load()) },
		Words: func(f *Plain) []uint64 { return f.words },
		Union: func(f, g *Plain) error {
			if err := f.alike(g); err != nil {
				return err
			}
			for i, w := range g.words {
				f.words[i] |= w
			}
			f.recount()
			return nil
		},
		Intersect: func(f, g *Plain) error {
			if err := f.alike(g); err != nil {
				return err
			}
			for i, w := range g.words {
				f.words[i] &= w
			}
			f.recount()
			return nil
		},
		Reset: func(f *Plain) {
			clear(f.words)
			f.count.Store(0)
		},
		Items:   func(f *Plain) float64 { return math.Log1p(-f.share()) / math.Log1p(-1/float64(f.g.M)) / float64(f.g.K) },
		Rate:    func(f *Plain) float64 { return math.Pow(f.share(), float64(f.g.K)) },
		RateFor: exactRate,
		Size:    textbookSize,
		Marshal: func(f *Plain) ([]byte, error) { return f.marshal(), nil },
		Unmarshal: func(f *Plain, data []byte) error {
			m, k, err := checked(data)
			if err == nil {
				f.load(m, k, data[head:])
			}
			return err
		},
		ConcurrentReads: true,
		ConcurrentAdds:  true,
	}
}

// The function Off returns a filter with standard hashing and a wrong rate. The wrong rate is (1+share) times the right
// rate. The right rate follows from the set bits. The filter has no other fault. For share > 0 the filter wrongly says
// that it contains some additional keys. For share < 0 the filter rejects some keys that would be false positives of a
// right filter. If the argument "counts" is true, the filter has the function Bits, which counts its set bits.
func Off(share float64, counts bool) conform.Subject[*Plain] {
	s := Sound(bloomproof.Standard, 0)
	off := conform.Subject[*Plain]{New: s.New, Add: s.Add}
	if counts {
		off.Bits = s.Bits
	}
	if share >= 0 {
		off.Contains = func(f *Plain, key []byte) bool {
			r := s.Rate(f)
			return s.Contains(f, key) || coin(key) < share*r/(1-r)
		}
		return off
	}
	off.Add = func(f *Plain, key []byte) {
		if f.added == nil {
			f.added = map[string]bool{}
		}
		f.added[string(key)] = true
		s.Add(f, key)
	}
	off.Contains = func(f *Plain, key []byte) bool {
		return s.Contains(f, key) && (f.added[string(key)] || coin(key) >= -share)
	}
	return off
}

// The function "coin" returns a pseudorandom number in [0, 1) for a key. It uses a hash that no filter uses.
func coin(key []byte) float64 {
	h := uint64(len(key))
	for _, b := range key {
		h = (h ^ uint64(b)) * 0x100000001b3
		h ^= h >> 29
	}
	return float64(h*0x9e3779b97f4a7c15>>11) * 0x1p-53
}

func (f *Plain) share() float64 { return float64(f.count.Load()) / float64(f.g.M) }

func exactRate(m uint64, k int, n uint64) float64 {
	e, _, err := exact.FPR(bloomproof.Geometry{M: m, K: k}, n, 60, exact.Auto)
	if err != nil {
		panic("mutant: " + err.Error())
	}
	return e.Float64()
}

// textbookSizes stores the results of textbookSize. The examinations ask for the same sizes again and again. Without
// the stored results, it would spend most of its time on computing exact rates.
var textbookSizes sync.Map

// textbookSize returns m and k by the formulas of textbooks: m = n ln(1/rate)/(ln 2)^2 and k = (m/n) ln 2. If there are
// few items, the textbook's m is too small. Then textbookSize increases m until the rate is low enough.
func textbookSize(n uint64, rate float64) (m uint64, k int) {
	type question struct {
		n    uint64
		rate float64
	}
	if g, ok := textbookSizes.Load(question{n, rate}); ok {
		return g.(bloomproof.Geometry).M, g.(bloomproof.Geometry).K
	}
	defer func() { textbookSizes.Store(question{n, rate}, bloomproof.Geometry{M: m, K: k}) }()
	per := -math.Log(rate) / (math.Ln2 * math.Ln2)
	k = max(1, int(math.Round(per*math.Ln2)))
	for m = uint64(math.Ceil(per * float64(n))); exactRate(m, k, n) > rate; m += 1 + m/50 {
	}
	return m, k
}

// Shape returns m and k.
func (f *Plain) Shape() (m uint64, k int) { return f.g.M, f.g.K }

// String returns the shape and the number of set bits.
func (f *Plain) String() string { return fmt.Sprintf("%v bits=%d", f.g, f.count.Load()) }

// cString returns the part of a key before its first zero byte.
func cString(key []byte) []byte {
	if i := bytes.IndexByte(key, 0); i >= 0 {
		return key[:i]
	}
	return key
}

// Geometry returns the shape.
func (f *Plain) Geometry() bloomproof.Geometry { return f.g }
