// Package fresh consists of Bloom filters with deliberate faults. Their author knew the interface and the documentation
// of package conform, but not its source. The author also knew bug reports of other filters. The documentation states
// some limits of the examination. One filter has 2^28 bits, and the others have up to 2^23 bits. Keys have up to 65,537
// bytes. Some faults are deliberately beyond these limits.
//
//   - Filter is a plain filter: k independent positions, uniform in [0, m)
//   - Sound returns the subject of this filter, and All returns filters with one fault each
//
// If a fault is taken from a bug report, its comment names the report.
package fresh

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/bloomproof/bloomproof/verify/internal/mutant/blind/xxh3"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/verify/conform"
)

// Fault is a filter with one fault.
type Fault struct {
	Name    string // what is wrong, in a few words
	Kind    string // what kind of fault it is, in a word
	Subject conform.Subject[*Filter]
}

type subject = conform.Subject[*Filter]

const (
	maxBits = 1 << 30
	maxK    = 64
)

// Filter is a Bloom filter. A filter without faults uses only the first three fields. Only filters with faults use the
// others.
type Filter struct {
	m     uint64
	k     int
	words []uint64

	lastKey  []byte // the key that was added last
	hasLast  bool
	negative []miss // look-ups that found nothing
	changes  uint8  // how often the filter was changed
	hitLo    uint64 // the hash of the key that was found last
	hitHi    uint64
	hit      bool
	stale    bool   // count is not the number of set bits
	count    uint64 // the number of set bits
	snapshot []byte
	estimate float64
	known    bool // estimate is valid
	page     []uint64
	pageNo   uint64
	shared   bool // another filter has the same words
	epoch    uint8
	epochs   []uint8
	high     uint64 // all words from this index on are 0
	newK     int
	scratch  []uint64
	cached   *[]byte
	pages    []atomic.Pointer[[pageWords]uint64]
	mu       sync.Mutex
	pending  [][2]uint64
	stripes  [16]sync.Mutex
	seenLo   uint64 // the hash of the key that was looked up last
	seenHi   uint64
	seen     bool
	answer   bool
}

type miss struct {
	lo, hi  uint64
	changes uint8
	used    bool
}

var (
	errShape    = errors.New("fresh: a shape that there is not")
	errMismatch = errors.New("fresh: the filters have different shapes")
	errSnapshot = errors.New("fresh: no snapshot of a filter")
)

// New returns an empty filter.
func New(m uint64, k int) (*Filter, error) {
	if m == 0 || m > maxBits || k < 1 || k > maxK {
		return nil, errShape
	}
	return &Filter{m: m, k: k, words: make([]uint64, (m+63)/64)}, nil
}

// The type "draw" has functions. They draw the positions of a key.
type draw struct {
	hash func(key []byte) (lo, hi uint64)
	pos  func(f *Filter, lo, hi uint64, i int) uint64
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func hash(key []byte) (lo, hi uint64) {
	h := xxh3.Hash128Seed(key, 0x5eed)
	return h.Lo, h.Hi
}

// The function "tagged" returns the hash of a key. Each tag selects a different hash function.
func tagged(key []byte, tag uint64) (lo, hi uint64) {
	h := xxh3.Hash128Seed(key, mix(tag+0x7a6))
	return h.Lo, h.Hi
}

// The function "stream" returns the i-th random number of a key, given the key's hash.
func stream(lo, hi uint64, i int) uint64 { return mix(lo + uint64(i+1)*(hi|1)) }

// The function "reduce" maps the number z to a number in [0, m).
func reduce(z, m uint64) uint64 {
	p, _ := bits.Mul64(z, m)
	return p
}

func position(f *Filter, lo, hi uint64, i int) uint64 { return reduce(stream(lo, hi, i), f.m) }

// The method "set" sets the bit at position p, and reports whether it was clear.
func (f *Filter) set(p uint64) bool {
	w, mask := &f.words[p>>6], uint64(1)<<(p&63)
	if atomic.LoadUint64(w)&mask != 0 {
		return false
	}
	return atomic.OrUint64(w, mask)&mask == 0
}

func (f *Filter) get(p uint64) bool {
	return atomic.LoadUint64(&f.words[p>>6])>>(p&63)&1 != 0
}

func (d draw) add(f *Filter, key []byte) {
	lo, hi := d.hash(key)
	for i := range f.k {
		f.set(d.pos(f, lo, hi, i))
	}
}

func (d draw) contains(f *Filter, key []byte) bool {
	lo, hi := d.hash(key)
	for i := range f.k {
		if !f.get(d.pos(f, lo, hi, i)) {
			return false
		}
	}
	return true
}

func (d draw) testAndAdd(f *Filter, key []byte) bool {
	lo, hi := d.hash(key)
	present := true
	for i := range f.k {
		if f.set(d.pos(f, lo, hi, i)) {
			present = false
		}
	}
	return present
}

func popcount(words []uint64) uint64 {
	var n uint64
	for _, w := range words {
		n += uint64(bits.OnesCount64(w))
	}
	return n
}

func sameShape(f, g *Filter) bool { return f.m == g.m && f.k == g.k }

func union(f, g *Filter) error {
	if !sameShape(f, g) {
		return errMismatch
	}
	for i, w := range g.words {
		f.words[i] |= w
	}
	return nil
}

func intersect(f, g *Filter) error {
	if !sameShape(f, g) {
		return errMismatch
	}
	for i, w := range g.words {
		f.words[i] &= w
	}
	return nil
}

func items(f *Filter) float64 {
	switch x := popcount(f.words); x {
	case 0:
		return 0
	case f.m:
		return math.Inf(1)
	default:
		return math.Log1p(-float64(x)/float64(f.m)) / (float64(f.k) * math.Log1p(-1/float64(f.m)))
	}
}

func rate(f *Filter) float64 {
	return math.Pow(float64(popcount(f.words))/float64(f.m), float64(f.k))
}

func rateFor(m uint64, k int, n uint64) float64 {
	p, err := approx.FPR(bloomproof.Geometry{M: m, K: k}, n)
	if err != nil {
		return math.NaN()
	}
	return p
}

// The function "size" returns m and k for n items. With fewer than m bits the rate would be too high. The filter with m
// bits has k positions.
func size(n uint64, rate float64) (m uint64, k int) {
	if !(rate > 0) || n > maxBits {
		return 0, 0
	}
	if rate >= 1 {
		return 1, 1
	}
	n = max(n, 1)
	best := min(max(int(math.Round(-math.Log2(rate))), 1), maxK)
	for j := max(best-1, 1); j <= min(best+1, maxK); j++ {
		hi := uint64(float64(n)*float64(j)/-math.Log1p(-math.Pow(rate, 1/float64(j)))*1.001) + 2
		for hi <= maxBits && rateFor(hi, j, n) > rate {
			hi += hi/8 + 1
		}
		if hi > maxBits {
			continue
		}
		lo := uint64(0) // too few
		for hi-lo > 1 {
			if mid := lo + (hi-lo)/2; rateFor(mid, j, n) <= rate {
				hi = mid
			} else {
				lo = mid
			}
		}
		if m == 0 || hi < m {
			m, k = hi, j
		}
	}
	return m, k
}

const (
	magic  = "BFS1"
	header = len(magic) + 8 + 4
)

// The function "body" returns a snapshot without its checksum.
func body(f *Filter) []byte {
	b := make([]byte, 0, header+8*len(f.words)+16)
	b = append(b, magic...)
	b = binary.LittleEndian.AppendUint64(b, f.m)
	b = binary.LittleEndian.AppendUint32(b, uint32(f.k))
	for _, w := range f.words {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return b
}

// The function "seal" appends a checksum to b. The function "sum" computes the checksum of b.
func seal(b []byte, sum func([]byte) uint64) []byte {
	return binary.LittleEndian.AppendUint64(b, sum(b))
}

// The function "open" checks the checksum at the end of a snapshot. It returns the bytes before the checksum, which are
// called the body.
func open(data []byte, sum func([]byte) uint64) ([]byte, error) {
	if len(data) < header+8 || string(data[:len(magic)]) != magic {
		return nil, errSnapshot
	}
	b := data[:len(data)-8]
	if binary.LittleEndian.Uint64(data[len(b):]) != sum(b) {
		return nil, errSnapshot
	}
	return b, nil
}

// The function "shape" reads m and k from the head of a snapshot. The argument b is the snapshot without its checksum.
// It must contain the whole head.
func shape(b []byte) (m uint64, k int, err error) {
	m = binary.LittleEndian.Uint64(b[len(magic):])
	k32 := binary.LittleEndian.Uint32(b[len(magic)+8:])
	if m == 0 || m > maxBits || k32 < 1 || k32 > maxK {
		return 0, 0, errSnapshot
	}
	return m, int(k32), nil
}

// The function "restore" reads a filter from the body b of a snapshot, and stores it in f.
func restore(f *Filter, b []byte) error {
	m, k, err := shape(b)
	if err != nil {
		return err
	}
	n := (m + 63) / 64
	if uint64(len(b)) != uint64(header)+8*n {
		return errSnapshot
	}
	words := make([]uint64, n)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(b[header+8*i:])
	}
	if m%64 != 0 && words[n-1]>>(m%64) != 0 {
		return errSnapshot
	}
	f.m, f.k, f.words = m, k, words
	return nil
}

func marshal(f *Filter) ([]byte, error) { return seal(body(f), xxh3.Hash), nil }

func unmarshal(f *Filter, data []byte) error {
	b, err := open(data, xxh3.Hash)
	if err != nil {
		return err
	}
	return restore(f, b)
}

// The function "with" returns a subject that uses the functions of d. These functions draw the positions of the keys.
func with(d draw) subject {
	return subject{
		Hashing:  bloomproof.Standard,
		New:      New,
		Add:      d.add,
		Contains: d.contains,
		AddBatch: func(f *Filter, keys [][]byte) {
			for _, key := range keys {
				d.add(f, key)
			}
		},
		ContainsBatch: func(f *Filter, keys [][]byte) []bool {
			answers := make([]bool, len(keys))
			for i, key := range keys {
				answers[i] = d.contains(f, key)
			}
			return answers
		},
		TestAndAdd:      d.testAndAdd,
		Bits:            func(f *Filter) uint64 { return popcount(f.words) },
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

var sound = draw{hash, position}

// Sound returns the subject without faults.
func Sound() conform.Subject[*Filter] { return with(sound) }

// The filters of the function "hashed" have a wrong hash function, and are otherwise correct. The filters of the
// function "placed" choose wrong positions, and are otherwise correct.
func hashed(hash func(key []byte) (lo, hi uint64)) subject { return with(draw{hash, position}) }

func placed(pos func(f *Filter, lo, hi uint64, i int) uint64) subject { return with(draw{hash, pos}) }

// The function "alone" returns the correct subject with one change: goroutines may not share its filters.
func alone() subject {
	s := Sound()
	s.ConcurrentReads, s.ConcurrentAdds = false, false
	return s
}

// The function "few" removes from a subject all functions except the required ones.
func few(s subject) subject {
	return subject{Hashing: s.Hashing, New: s.New, Add: s.Add, Contains: s.Contains,
		ConcurrentReads: s.ConcurrentReads, ConcurrentAdds: s.ConcurrentAdds}
}

// Each of these bits stands for one function that changes a filter.
const (
	byAdd = 1 << iota
	byAddBatch
	byTestAndAdd
	byUnion
	byIntersect
	byReset
	byUnmarshal
	byKeys = byAdd | byAddBatch | byTestAndAdd
	byAll  = byKeys | byUnion | byIntersect | byReset | byUnmarshal
)

// The function "around" wraps some functions that change a filter. If the argument "before" is not nil, a wrapped
// function calls it first. If the argument "after" is not nil, a wrapped function calls it last. It does not call it
// after an error.
func around(s *subject, functions int, before, after func(f *Filter)) {
	nothing := func(*Filter) {}
	if before == nil {
		before = nothing
	}
	if after == nil {
		after = nothing
	}
	if inner := s.Add; functions&byAdd != 0 {
		s.Add = func(f *Filter, key []byte) { before(f); inner(f, key); after(f) }
	}
	if inner := s.AddBatch; functions&byAddBatch != 0 {
		s.AddBatch = func(f *Filter, keys [][]byte) { before(f); inner(f, keys); after(f) }
	}
	if inner := s.TestAndAdd; functions&byTestAndAdd != 0 {
		s.TestAndAdd = func(f *Filter, key []byte) bool {
			before(f)
			defer after(f)
			return inner(f, key)
		}
	}
	if inner := s.Union; functions&byUnion != 0 {
		s.Union = func(f, g *Filter) error { return failing(f, before, after, func() error { return inner(f, g) }) }
	}
	if inner := s.Intersect; functions&byIntersect != 0 {
		s.Intersect = func(f, g *Filter) error { return failing(f, before, after, func() error { return inner(f, g) }) }
	}
	if inner := s.Reset; functions&byReset != 0 {
		s.Reset = func(f *Filter) { before(f); inner(f); after(f) }
	}
	if inner := s.Unmarshal; functions&byUnmarshal != 0 {
		s.Unmarshal = func(f *Filter, data []byte) error {
			return failing(f, before, after, func() error { return inner(f, data) })
		}
	}
}

func failing(f *Filter, before, after func(f *Filter), call func() error) error {
	before(f)
	err := call()
	if err == nil {
		after(f)
	}
	return err
}
