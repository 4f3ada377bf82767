package mutant

import (
	"cmp"
	"encoding/binary"
	"errors"
	"hash/crc64"
	"maps"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/conform"
)

// The type Right is a filter without faults.
type Right struct {
	Name    string
	Subject conform.Subject[*Plain]
	Untold  []conform.Law // laws that it shows too little of to be examined
}

// A conform.Subject can declare several kinds of filters. For each kind, the function Sounds returns one correct
// subject.
func Sounds() []Right {
	numbers := []conform.Law{"stated rate", "items", "sizing"}
	snapshots := []conform.Law{"snapshot", "corrupt snapshot", "hostile snapshot"}
	return []Right{
		{"standard", Sound(bloomproof.Standard, 0), nil},
		{"classic", Sound(bloomproof.Classic, 0), numbers},
		{"partitioned", Sound(bloomproof.Partitioned, 0), numbers},
		{"standard in blocks of 512", Sound(bloomproof.Standard, 512), numbers},
		{"partitioned in blocks of 480", Sound(bloomproof.Partitioned, 480), numbers},
		{"classic in blocks of 64", Sound(bloomproof.Classic, 64), numbers},
		{"split blocks of 256", only(Sound(bloomproof.Partitioned, 256), func(_ uint64, k int) bool { return k == 8 }), numbers},
		{"k = 7 only", only(Sound(bloomproof.Standard, 0), func(_ uint64, k int) bool { return k == 7 }), []conform.Law{"sizing"}},
		{"at least 1000 bits", only(Sound(bloomproof.Standard, 0), func(m uint64, _ int) bool { return m >= 1000 }), []conform.Law{"sizing", "corrupt snapshot", "hostile snapshot"}},
		{"powers of two only", powers(), nil},
		{"4 shards", sharded(bloomproof.Standard, 4), nil},
		{"7 shards of partitioned hashing", sharded(bloomproof.Partitioned, 7), numbers},
		{"counting", counting(), nil},
		{"a seed for each filter", perFilter(true), []conform.Law{"concurrent adds"}},
		{"a seed for each filter, and no snapshots", perFilter(false), slices.Concat([]conform.Law{"concurrent adds"}, snapshots)},
		{"exact set", exactSet(), []conform.Law{"set bits", "place", "dependence", "items", "sizing"}},
		{"fuse filter", fuse(), slices.Concat([]conform.Law{"set bits", "place", "dependence", "test and set", "union", "intersection", "items", "sizing", "concurrent adds"}, snapshots)},
	}
}

var errNone = errors.New("there is no such filter")

// The function "only" returns a copy of s with a changed function New. If has(m, k) is false, the changed function
// returns an error for filters with m bits and k positions.
func only(s conform.Subject[*Plain], has func(m uint64, k int) bool) conform.Subject[*Plain] {
	open := s.New
	s.New = func(m uint64, k int) (*Plain, error) {
		if !has(m, k) {
			return nil, errNone
		}
		return open(m, k)
	}
	s.Size = nil // it could not make filters of the advised sizes
	return s
}

// The function "powers" returns a filter that rounds m up to a power of two.
func powers() conform.Subject[*Plain] {
	s := Sound(bloomproof.Standard, 0)
	open := s.New
	s.New = func(m uint64, k int) (*Plain, error) { return open(uint64(1)<<bits.Len64(m-1), k) }
	s.Shape = func(f *Plain) (uint64, int) { return f.g.M, f.g.K }
	return s
}

// The function "sharded" returns a filter that consists of equal parts. A hash of the key selects the part that stores
// it.
func sharded(h bloomproof.Hashing, shards uint64) conform.Subject[*Plain] {
	s := Sound(h, 0)
	s.Shards = shards
	s.New = func(m uint64, k int) (*Plain, error) {
		if m < shards || m%shards != 0 {
			return nil, errNone
		}
		return newPlain(m, k, h, m/shards)
	}
	read := s.Unmarshal
	s.Unmarshal = func(f *Plain, data []byte) error {
		if m, _, err := checked(data); err == nil && m%shards != 0 {
			return errSnapshot
		}
		err := read(f, data)
		if err == nil {
			f.block = f.g.M / shards
		}
		return err
	}
	if s.RateFor == nil {
		return s
	}
	s.RateFor = func(m uint64, k int, n uint64) float64 {
		e, _, err := exact.FPR(bloomproof.Geometry{M: m, K: k, Hashing: h, Block: m / shards}, n, 60, exact.Auto)
		if err != nil {
			panic("mutant: " + err.Error())
		}
		return e.Float64()
	}
	s.Size = func(n uint64, rate float64) (uint64, int) {
		m, k := textbookSize(n, rate)
		for m += shards - m%shards; s.RateFor(m, k, n) > rate; m += m / 50 / shards * shards {
			m += shards
		}
		return m, k
	}
	return s
}

// The function "counting" returns a filter with a counter for each bit. A union adds the counters, and an intersection
// takes the smaller of two counters. When the filter returns its bits as words, a bit is set if its counter is not 0.
func counting() conform.Subject[*Plain] {
	s := subject(fair, fair)
	open := s.New
	s.New = func(m uint64, k int) (*Plain, error) {
		f, err := open(m, k)
		if err == nil {
			f.counters = make([]atomic.Uint32, m)
		}
		return f, err
	}
	add, and, or, reset, read := s.Add, s.Intersect, s.Union, s.Reset, s.Unmarshal
	s.Add = func(f *Plain, key []byte) {
		add(f, key)
		var buf [64]uint64
		for _, p := range fair(buf[:0], f, key) {
			f.counters[p].Add(1)
		}
	}
	s.AddBatch = func(f *Plain, keys [][]byte) {
		for _, key := range keys {
			s.Add(f, key)
		}
	}
	s.TestAndAdd = func(f *Plain, key []byte) bool {
		before := s.Contains(f, key)
		s.Add(f, key)
		return before
	}
	s.Contains = func(f *Plain, key []byte) bool {
		var buf [64]uint64
		for _, p := range fair(buf[:0], f, key) {
			if f.counters[p].Load() == 0 {
				return false
			}
		}
		return true
	}
	merge := func(words func(f, g *Plain) error, counter func(a, b uint32) uint32) func(f, g *Plain) error {
		return func(f, g *Plain) error {
			if err := words(f, g); err != nil {
				return err
			}
			for i := range f.counters {
				f.counters[i].Store(counter(f.counters[i].Load(), g.counters[i].Load()))
			}
			return nil
		}
	}
	s.Union = merge(or, func(a, b uint32) uint32 { return a + b })
	s.Intersect = merge(and, func(a, b uint32) uint32 { return min(a, b) })
	s.Reset = func(f *Plain) {
		reset(f)
		f.counters = make([]atomic.Uint32, len(f.counters))
	}
	// A snapshot has the counters and the words that follow from them, each with a checksum.
	s.Marshal = func(f *Plain) ([]byte, error) {
		data := f.marshal()
		for i := range f.counters {
			data = binary.LittleEndian.AppendUint32(data, f.counters[i].Load())
		}
		return binary.LittleEndian.AppendUint64(data, crc64.Checksum(data, crc)), nil
	}
	s.Unmarshal = func(f *Plain, data []byte) error {
		if len(data) < head+8 || binary.LittleEndian.Uint64(data[len(data)-8:]) != crc64.Checksum(data[:len(data)-8], crc) {
			return errSnapshot
		}
		m := binary.LittleEndian.Uint64(data)
		if m > 1<<30 || uint64(len(data)) != head+(m+63)/64*8+4*m+8 {
			return errSnapshot
		}
		words, rest := data[:head+(m+63)/64*8], data[head+(m+63)/64*8:]
		if err := read(f, words); err != nil {
			return err
		}
		f.counters = make([]atomic.Uint32, m)
		for i := range f.counters {
			f.counters[i].Store(binary.LittleEndian.Uint32(rest[4*i:]))
		}
		return nil
	}
	return s
}

var drawn atomic.Uint64 // the number of seeds drawn so far

// perFilter returns a filter that draws a seed when it is made. Its snapshot contains the seed.
func perFilter(snapshots bool) conform.Subject[*Plain] {
	place := func(dst []uint64, f *Plain, key []byte) []uint64 {
		var room [128]byte
		return ideal(dst, f.g, hasher.Hasher().Bytes(append(binary.LittleEndian.AppendUint64(room[:0], f.seed), key...)))
	}
	s := subject(place, place)
	s.Seeded = true
	open := s.New
	s.New = func(m uint64, k int) (*Plain, error) {
		f, err := open(m, k)
		if err == nil {
			f.seed = drawn.Add(1)
		}
		return f, err
	}
	s.Marshal = func(f *Plain) ([]byte, error) {
		data := binary.LittleEndian.AppendUint64(nil, f.seed)
		data = binary.LittleEndian.AppendUint64(data, crc64.Checksum(data, crc))
		return append(data, f.marshal()...), nil
	}
	s.Unmarshal = func(f *Plain, data []byte) error {
		if len(data) < 16 || crc64.Checksum(data[:8], crc) != binary.LittleEndian.Uint64(data[8:]) {
			return errSnapshot
		}
		m, k, err := checked(data[16:])
		if err == nil {
			f.load(m, k, data[16+head:])
			f.seed = binary.LittleEndian.Uint64(data)
		}
		return err
	}
	if !snapshots {
		s.Marshal, s.Unmarshal = nil, nil
	}
	return s
}

// exactSet returns a set that has no false positives.
func exactSet() conform.Subject[*Plain] {
	s := collecting(func(f *Plain, key []byte) bool { return f.added[string(key)] })
	s.OwnRate = func(*Plain, uint64) float64 { return 0 }
	s.TestAndAdd = func(f *Plain, key []byte) bool {
		f.mutex.Lock()
		defer f.mutex.Unlock()
		before := f.added[string(key)]
		f.added[string(key)] = true
		return before
	}
	s.Union = func(f, g *Plain) error {
		maps.Copy(f.added, g.added)
		return nil
	}
	s.Intersect = func(f, g *Plain) error {
		maps.DeleteFunc(f.added, func(key string, _ bool) bool { return !g.added[key] })
		return nil
	}
	s.Items = func(f *Plain) float64 { return float64(len(f.added)) }
	s.Rate = func(*Plain) float64 { return 0 }
	s.Marshal = func(f *Plain) ([]byte, error) {
		var data []byte
		for _, key := range slices.Sorted(maps.Keys(f.added)) {
			data = append(binary.LittleEndian.AppendUint64(data, uint64(len(key))), key...)
		}
		return binary.LittleEndian.AppendUint64(data, crc64.Checksum(data, crc)), nil
	}
	s.Unmarshal = func(f *Plain, data []byte) error {
		end := len(data) - 8
		if end < 0 || crc64.Checksum(data[:end], crc) != binary.LittleEndian.Uint64(data[end:]) {
			return errSnapshot
		}
		set := map[string]bool{}
		for data = data[:end]; len(data) > 0; {
			if len(data) < 8 || binary.LittleEndian.Uint64(data) > uint64(len(data)-8) {
				return errSnapshot
			}
			n := 8 + binary.LittleEndian.Uint64(data)
			set[string(data[8:n])] = true
			data = data[n:]
		}
		f.added = set
		return nil
	}
	s.ConcurrentAdds = true
	return s
}

// The function "collecting" returns a subject that stores its keys instead of setting bits.
func collecting(contains func(f *Plain, key []byte) bool) conform.Subject[*Plain] {
	locked := func(f *Plain, key []byte) bool {
		f.mutex.Lock()
		defer f.mutex.Unlock()
		return contains(f, key)
	}
	add := func(f *Plain, key []byte) {
		f.mutex.Lock()
		defer f.mutex.Unlock()
		f.added[string(key)], f.table = true, nil
	}
	return conform.Subject[*Plain]{
		New: func(m uint64, k int) (*Plain, error) {
			return &Plain{g: bloomproof.Geometry{M: m, K: k}, added: map[string]bool{}}, nil
		},
		Add:      add,
		Contains: locked,
		AddBatch: func(f *Plain, keys [][]byte) {
			for _, key := range keys {
				add(f, key)
			}
		},
		ContainsBatch: func(f *Plain, keys [][]byte) []bool {
			out := make([]bool, len(keys))
			for i, key := range keys {
				out[i] = locked(f, key)
			}
			return out
		},
		Reset:           func(f *Plain) { f.added, f.table = map[string]bool{}, nil },
		ConcurrentReads: true,
	}
}

// The function "fuse" returns a filter that is a table of fingerprints of 8 bits. The fingerprint of a key is the
// exclusive or of three entries. The table is built at the first look-up after an addition.
func fuse() conform.Subject[*Plain] {
	s := collecting(func(f *Plain, key []byte) bool {
		if len(f.added) == 0 {
			return false
		}
		if f.table == nil {
			f.build()
		}
		a, b, c, print := f.slots(hasher.Hasher().Bytes(key))
		return f.table[a]^f.table[b]^f.table[c] == print
	})
	s.New, s.Make = nil, func(uint64, float64) (*Plain, error) { return &Plain{added: map[string]bool{}}, nil }
	s.OwnRate = func(_ *Plain, n uint64) float64 { return min(1, float64(n)) / 256 }
	s.Rate = func(f *Plain) float64 { return min(1, float64(len(f.added))) / 256 }
	return s
}

// The hash h selects three entries of the table, one in each third. The method "slots" returns their indices, and the
// fingerprint of h.
func (f *Plain) slots(h kernel.Hash) (a, b, c uint64, print byte) {
	third := uint64(len(f.table) / 3)
	p := ideal(nil, bloomproof.Geometry{M: third, K: 3}, kernel.Hash{H0: h.H0 ^ f.seed, H1: h.H1 + f.seed})
	last := (h.H0 ^ h.H1>>7) * 0x9e3779b97f4a7c15
	return p[0], third + p[1], 2*third + p[2], byte(last >> 56)
}

// The method "build" fills the table. It removes keys one after the other. Each key uses several entries. The method
// can remove a key if no other remaining key uses one of these entries. Then the method goes through the removed keys
// in the reverse order, and sets this entry for each key.
func (f *Plain) build() {
	keys := make([]kernel.Hash, 0, len(f.added))
	for key := range f.added {
		keys = append(keys, hasher.Hasher().Bytes([]byte(key)))
	}
	slices.SortFunc(keys, func(a, b kernel.Hash) int { return cmp.Or(cmp.Compare(a.H0, b.H0), cmp.Compare(a.H1, b.H1)) })
	f.table = make([]byte, 3*(len(keys)*41/100+11))
	for f.seed = 1; ; f.seed++ {
		count, who := make([]int, len(f.table)), make([]int, len(f.table)) // of each entry: how many keys, the xor of their indices
		visit := func(i, by int) {
			a, b, c, _ := f.slots(keys[i])
			for _, p := range []uint64{a, b, c} {
				count[p] += by
				who[p] ^= i
			}
		}
		for i := range keys {
			visit(i, 1)
		}
		var order, place, alone []int
		for p, n := range count {
			if n == 1 {
				alone = append(alone, p)
			}
		}
		for len(alone) > 0 {
			p := alone[len(alone)-1]
			alone = alone[:len(alone)-1]
			if count[p] != 1 {
				continue
			}
			i := who[p]
			order, place = append(order, i), append(place, p)
			visit(i, -1)
			a, b, c, _ := f.slots(keys[i])
			for _, q := range []uint64{a, b, c} {
				if count[q] == 1 {
					alone = append(alone, int(q))
				}
			}
		}
		if len(order) < len(keys) {
			continue
		}
		clear(f.table)
		for j := len(order) - 1; j >= 0; j-- {
			a, b, c, print := f.slots(keys[order[j]])
			f.table[place[j]] = print ^ f.table[a] ^ f.table[b] ^ f.table[c]
		}
		return
	}
}
