package mutant

import (
	"encoding/binary"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/conform"
)

// Wrong is a filter with one fault, for conformance: what Plain is with one function
// replaced.
type Wrong struct {
	Name    string        // what is wrong
	Law     conform.Law   // the law that it breaks by that
	Also    []conform.Law // laws that it may break besides, by the same fault
	Subject conform.Subject[*Plain]
	// Where it shows: nil for anywhere.
	Shapes []conform.Shape
	Huge   bool // above 2^32 bits only
	// Endless is whether reading a snapshot may not end, so that whoever examines it waits.
	Endless bool
}

// Wrongs returns them all. The faults are of kinds that real libraries have had.
func Wrongs() []Wrong {
	return slices.Concat(wrongPositions(), wrongKeys(), wrongAdditions(), wrongSets(), wrongNumbers(), wrongSnapshots(), wrongConcurrency(), wrongHuge())
}

// Whoever has wrong positions may break all laws of chance, and no other.
var byChance = []conform.Law{conform.Rate, conform.SetBits, conform.Place, conform.Dependence, conform.Keys}

// hashed is a place that is made from a hash.
func hashed(p Positions) place {
	return func(dst []uint64, f *Plain, key []byte) []uint64 { return p(dst, f.g, hasher.Hasher().Bytes(key)) }
}

// each returns the positions made from the words of the stream, one by one.
func each(position func(m, word uint64) uint64) place {
	return hashed(func(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
		start := len(dst)
		dst = ideal(dst, bloomproof.Geometry{M: 1 << 48, K: g.K}, h)
		for i := start; i < len(dst); i++ {
			dst[i] = position(g.M, dst[i])
		}
		return dst
	})
}

func wrongPositions() []Wrong {
	of := func(name string, law conform.Law, p place) Wrong {
		s := subject(p, p)
		s.Rate, s.RateFor, s.Items, s.Size = nil, nil, nil, nil // not what is examined here
		return Wrong{Name: name, Law: law, Also: byChance, Subject: s}
	}
	other := func(h bloomproof.Hashing) place {
		return hashed(func(dst []uint64, g bloomproof.Geometry, x kernel.Hash) []uint64 {
			g.Hashing = h
			if h == bloomproof.Partitioned {
				g.M -= g.M % uint64(g.K)
			}
			return ideal(dst, g, x)
		})
	}
	fewer := of("k-1 positions are looked up", conform.Rate, nil)
	short := func(dst []uint64, f *Plain, key []byte) []uint64 {
		return shortProbe(dst, f.g, hasher.Hasher().Bytes(key))
	}
	fewer.Subject = subject(fair, short)
	fewer.Subject.Rate, fewer.Subject.RateFor = nil, nil
	cut := of("the hash is cut to 32 bits", conform.Rate, hashed(func(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
		return ideal(dst, g, kernel.Hash{H0: h.H0 & 0xffffffff})
	}))
	cut.Shapes = []conform.Shape{{M: 1<<23 - 15, K: 10}}
	distinct := of("classic hashing, said to be standard", conform.SetBits, other(bloomproof.Classic))
	distinct.Shapes = []conform.Shape{{M: 129, K: 10}} // as in others, but sooner
	classic := of("standard hashing, said to be classic", conform.SetBits, other(bloomproof.Standard))
	classic.Subject.Hashing = bloomproof.Classic
	return []Wrong{
		of("double hashing", conform.Dependence, hashed(doubleHashing)),
		of("double hashing with an odd step", conform.Dependence, hashed(func(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
			h.H1 |= 1
			return doubleHashing(dst, g, h)
		})),
		of("enhanced double hashing", conform.Dependence, hashed(func(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
			a, b := h.H0%g.M, h.H1%g.M
			for i := range uint64(g.K) {
				dst = append(dst, a)
				a, b = (a+b)%g.M, (b+i+1)%g.M
			}
			return dst
		})),
		of("double hashing with a quadratic term", conform.Dependence, hashed(func(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
			for i := range uint64(g.K) {
				dst = append(dst, (h.H0%g.M+i*(h.H1%g.M)+i*i)%g.M)
			}
			return dst
		})),
		of("double hashing with the halves of 64 bits", conform.Dependence, hashed(func(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
			return doubleHashing(dst, g, kernel.Hash{H0: h.H0 >> 32, H1: h.H0 & 0xffffffff})
		})),
		of("positions in runs of three", conform.Dependence, hashed(func(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
			start := len(dst)
			dst = ideal(dst, g, h)
			for i := start; i < len(dst); i++ {
				if j := (i - start) % 3; j > 0 {
					dst[i] = (dst[i-1] + 1) % g.M
				}
			}
			return dst
		})),
		cut,
		of("positions of 16 bits", conform.SetBits, each(func(m, w uint64) uint64 { return (w & 0xffff) * m >> 16 })),
		of("the product overflows 32 bits", conform.SetBits, each(func(m, w uint64) uint64 { return uint64(uint32(w)*uint32(m)) % m })),
		of("modulo of a short word", conform.Place, hashed(shortModulo)),
		of("modulo m-1: the last bit is never used", conform.Place, each(func(m, w uint64) uint64 { return w % max(1, m-1) })),
		of("the mask of a power of two for any m", conform.Place, each(func(m, w uint64) uint64 { return w & (m - 1) })),
		of("only whole words are used", conform.Place, each(func(m, w uint64) uint64 { return w % max(1, m&^63) })),
		of("the first bit is shunned", conform.Place, each(func(m, w uint64) uint64 {
			if p := w % m; p > 0 {
				return p
			}
			return w >> 40 % m
		})),
		of("the same bit twice", conform.SetBits, hashed(sameTwice)),
		of("one position too few, added and looked up", conform.SetBits, hashed(shortProbe)),
		of("one position too many", conform.SetBits, hashed(func(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
			g.K++
			return ideal(dst, g, h)
		})),
		distinct,
		of("partitioned hashing, said to be standard", conform.SetBits, other(bloomproof.Partitioned)),
		classic,
		of("blocks of 64 bits that are not declared", conform.Rate, hashed(func(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
			f := &Plain{g: bloomproof.Geometry{M: g.M &^ 63, K: g.K}, block: 64}
			if g.M < 64 {
				return ideal(dst, g, h)
			}
			start := len(dst)
			dst = ideal(dst, bloomproof.Geometry{M: 64, K: g.K}, h)
			for i := start; i < len(dst); i++ {
				dst[i] += h.H1 >> 8 % (f.g.M / 64) * 64
			}
			return dst
		})),
		fewer,
	}
}

// wrongKeys hash keys that are alike badly.
func wrongKeys() []Wrong {
	of := func(name string, change func(key []byte) []byte) Wrong {
		p := func(dst []uint64, f *Plain, key []byte) []uint64 { return fair(dst, f, change(key)) }
		return Wrong{Name: name, Law: conform.Keys, Also: byChance, Subject: onlyBasic(subject(p, p))}
	}
	identity := func(dst []uint64, f *Plain, key []byte) []uint64 {
		if len(key) != 8 {
			return fair(dst, f, key)
		}
		for i := range uint64(f.g.K) {
			dst = append(dst, (binary.LittleEndian.Uint64(key)*(2*i+1)+i*0x9e3779b97f4a7c15)%f.g.M)
		}
		return dst
	}
	return []Wrong{
		of("the first 16 bytes of a key count", func(key []byte) []byte { return key[:min(len(key), 16)] }),
		of("the last 16 bytes of a key count", func(key []byte) []byte { return key[max(0, len(key)-16):] }),
		of("keys are padded with zeros and their length does not count", func(key []byte) []byte {
			return append(slices.Clone(key), make([]byte, (8-len(key)%8)%8)...)
		}),
		of("a zero byte ends a key", cString),
		of("keys of more than 128 bytes are cut", func(key []byte) []byte { return key[:min(len(key), 128)] }),
		{Name: "integers hash to themselves", Law: conform.Keys, Subject: onlyBasic(subject(identity, identity))},
	}
}

// onlyBasic leaves out what states numbers, for filters whose numbers are another matter.
func onlyBasic(s conform.Subject[*Plain]) conform.Subject[*Plain] {
	s.Rate, s.RateFor, s.Items, s.Size = nil, nil, nil, nil
	return s
}

func wrongAdditions() []Wrong {
	var all []Wrong
	// of makes one of Plain with a change.
	of := func(name string, law conform.Law, change func(s *conform.Subject[*Plain]), also ...conform.Law) {
		s := onlyBasic(subject(fair, fair))
		change(&s)
		all = append(all, Wrong{Name: name, Law: law, Also: also, Subject: s})
	}
	add := subject(fair, fair).Add
	contains := subject(fair, fair).Contains
	others := []conform.Law{conform.Batch, conform.TestAndSet, conform.Union, conform.Intersection, conform.Reset, conform.Snapshot, conform.ConcurrentAdds}
	anything := slices.Concat(byChance, others)
	of("k-1 positions are set and k looked up", conform.NoFalseNegative, func(s *conform.Subject[*Plain]) {
		*s = onlyBasic(subject(hashed(shortProbe), fair))
	}, anything...)
	of("the bits of the last word are lost", conform.NoFalseNegative, func(s *conform.Subject[*Plain]) {
		*s = onlyBasic(subject(func(dst []uint64, f *Plain, key []byte) []uint64 {
			last := uint64(len(f.words)-1) * 64
			return slices.DeleteFunc(fair(dst, f, key), func(p uint64) bool { return p >= last })
		}, fair))
	}, anything...)
	of("keys are kept and added at the next look-up", conform.NoFalseNegative, func(s *conform.Subject[*Plain]) {
		*s = conform.Subject[*Plain]{New: s.New, Add: func(f *Plain, key []byte) { f.held = append(f.held, key) }}
		s.Contains = func(f *Plain, key []byte) bool {
			for _, k := range f.held {
				add(f, k)
			}
			f.held = nil
			return contains(f, key)
		}
	}, byChance...)
	of("the empty key is not added", conform.NoFalseNegative, func(s *conform.Subject[*Plain]) {
		*s = conform.Subject[*Plain]{New: s.New, Contains: contains, Add: func(f *Plain, key []byte) {
			if len(key) > 0 {
				add(f, key)
			}
		}}
	})
	of("additions are counted, not bits", conform.SetBits, func(s *conform.Subject[*Plain]) {
		s.Add = func(f *Plain, key []byte) {
			add(f, key)
			f.recount()
			f.count.Add(int64(f.g.K))
		}
	}, anything...)
	of("an empty filter contains everything", conform.Rate, func(s *conform.Subject[*Plain]) {
		s.Contains = func(f *Plain, key []byte) bool { return f.count.Load() == 0 || contains(f, key) }
	}, anything...)
	of("a batch leaves out what is left of a multiple of 4", conform.Batch, func(s *conform.Subject[*Plain]) {
		s.AddBatch = func(f *Plain, keys [][]byte) {
			for _, key := range keys[:len(keys)&^3] {
				add(f, key)
			}
		}
	})
	of("a batch of look-ups stops at the first that is new", conform.Batch, func(s *conform.Subject[*Plain]) {
		s.ContainsBatch = func(f *Plain, keys [][]byte) []bool {
			out := make([]bool, len(keys))
			for i, key := range keys {
				if out[i] = contains(f, key); !out[i] {
					break
				}
			}
			return out
		}
	})
	of("a batch answers for keys that it contains only", conform.Batch, func(s *conform.Subject[*Plain]) {
		s.ContainsBatch = func(f *Plain, keys [][]byte) (out []bool) {
			for _, key := range keys {
				if contains(f, key) {
					out = append(out, true)
				}
			}
			return out
		}
	})
	testAndAdd := subject(fair, fair).TestAndAdd
	of("test and set answers that a bit was new", conform.TestAndSet, func(s *conform.Subject[*Plain]) {
		s.TestAndAdd = func(f *Plain, key []byte) bool { return !testAndAdd(f, key) }
	})
	of("test and set answers for the first position", conform.TestAndSet, func(s *conform.Subject[*Plain]) {
		s.TestAndAdd = func(f *Plain, key []byte) bool {
			before := f.has(fair(nil, f, key)[0])
			add(f, key)
			return before
		}
	})
	of("test and set ends at a bit that is set", conform.TestAndSet, func(s *conform.Subject[*Plain]) {
		s.TestAndAdd = func(f *Plain, key []byte) bool {
			before := contains(f, key)
			for _, p := range fair(nil, f, key) {
				if !f.set(p) {
					break
				}
			}
			return before
		}
	})
	return all
}

func wrongSets() []Wrong {
	var all []Wrong
	of := func(name string, law conform.Law, change func(s *conform.Subject[*Plain]), also ...conform.Law) {
		s := subject(fair, fair)
		change(&s)
		all = append(all, Wrong{Name: name, Law: law, Also: also, Subject: s})
	}
	combine := func(op func(a, b uint64) uint64) func(f, g *Plain) error {
		return func(f, g *Plain) error {
			if err := f.alike(g); err != nil {
				return err
			}
			for i, w := range g.words {
				f.words[i] = op(f.words[i], w)
			}
			f.recount()
			return nil
		}
	}
	or, and := subject(fair, fair).Union, subject(fair, fair).Intersect
	of("union by exclusive or", conform.Union, func(s *conform.Subject[*Plain]) {
		s.Union = combine(func(a, b uint64) uint64 { return a ^ b })
	})
	of("union leaves the count as it was", conform.Union, func(s *conform.Subject[*Plain]) {
		s.Union = func(f, g *Plain) error {
			before := f.count.Load()
			err := or(f, g)
			f.count.Store(before)
			return err
		}
	})
	of("union adds the counts", conform.Union, func(s *conform.Subject[*Plain]) {
		s.Union = func(f, g *Plain) error {
			before := f.count.Load() + g.count.Load()
			if err := or(f, g); err != nil {
				return err
			}
			f.count.Store(before)
			return nil
		}
	})
	of("union takes the array of the other", conform.Union, func(s *conform.Subject[*Plain]) {
		s.Union = func(f, g *Plain) error {
			if err := or(f, g); err != nil {
				return err
			}
			g.words = f.words
			g.recount()
			return nil
		}
	})
	of("union of any two shapes", conform.Union, func(s *conform.Subject[*Plain]) {
		s.Union = func(f, g *Plain) error {
			for i := range f.words {
				f.words[i] |= g.words[i%len(g.words)]
			}
			f.recount()
			return nil
		}
	})
	of("intersection by union", conform.Intersection, func(s *conform.Subject[*Plain]) { s.Intersect = or })
	of("intersection by difference", conform.Intersection, func(s *conform.Subject[*Plain]) {
		s.Intersect = combine(func(a, b uint64) uint64 { return a &^ b })
	})
	of("intersection leaves out the last word", conform.Intersection, func(s *conform.Subject[*Plain]) {
		s.Intersect = func(f, g *Plain) error {
			last := f.words[len(f.words)-1]
			err := and(f, g)
			if err == nil {
				f.words[len(f.words)-1] = last
				f.recount()
			}
			return err
		}
	})
	of("the count stays after a reset", conform.Reset, func(s *conform.Subject[*Plain]) { s.Reset = func(f *Plain) { clear(f.words) } })
	of("a reset leaves the last word", conform.Reset, func(s *conform.Subject[*Plain]) {
		s.Reset = func(f *Plain) {
			clear(f.words[:len(f.words)-1])
			f.recount()
		}
	})
	of("a reset clears the count only", conform.Reset, func(s *conform.Subject[*Plain]) { s.Reset = func(f *Plain) { f.count.Store(0) } })
	return all
}

func wrongNumbers() []Wrong {
	var all []Wrong
	of := func(name string, law conform.Law, change func(s *conform.Subject[*Plain])) {
		s := subject(fair, fair)
		change(&s)
		all = append(all, Wrong{Name: name, Law: law, Subject: s})
	}
	items := subject(fair, fair).Items
	of("the rate is the share of set bits", conform.StatedRate, func(s *conform.Subject[*Plain]) { s.Rate = (*Plain).share })
	of("the rate of an empty filter is 1", conform.StatedRate, func(s *conform.Subject[*Plain]) {
		s.Rate = func(f *Plain) float64 {
			if f.count.Load() == 0 {
				return 1
			}
			return math.Pow(f.share(), float64(f.g.K))
		}
	})
	of("the rate to expect divides whole numbers", conform.StatedRate, func(s *conform.Subject[*Plain]) {
		s.RateFor = func(m uint64, k int, n uint64) float64 {
			return math.Pow(-math.Expm1(-float64(uint64(k)*n/m)), float64(k))
		}
	})
	of("the rate to expect is the textbook's, far off in small filters", conform.StatedRate, func(s *conform.Subject[*Plain]) {
		s.RateFor = func(m uint64, k int, n uint64) float64 {
			return math.Pow(-math.Expm1(-float64(k)*float64(n)/float64(m)), float64(k))
		}
	})
	of("the estimate has the logarithm to base 2", conform.Items, func(s *conform.Subject[*Plain]) {
		s.Items = func(f *Plain) float64 { return items(f) / math.Ln2 }
	})
	of("the estimate is not divided by k", conform.Items, func(s *conform.Subject[*Plain]) {
		s.Items = func(f *Plain) float64 { return items(f) * float64(f.g.K) }
	})
	of("the estimate is bits over k", conform.Items, func(s *conform.Subject[*Plain]) {
		s.Items = func(f *Plain) float64 { return float64(f.count.Load()) / float64(f.g.K) }
	})
	of("the estimate of a full filter is no number", conform.Items, func(s *conform.Subject[*Plain]) {
		s.Items = func(f *Plain) float64 {
			if e := items(f); !math.IsInf(e, 0) {
				return e
			}
			return math.NaN()
		}
	})
	of("sizes by ln 2 in place of its square", conform.Sizing, func(s *conform.Subject[*Plain]) {
		s.Size = func(n uint64, rate float64) (uint64, int) {
			m, k := textbookSize(n, rate)
			return uint64(float64(m) * math.Ln2), k
		}
	})
	of("sizes of eight bits each", conform.Sizing, func(s *conform.Subject[*Plain]) {
		s.Size = func(n uint64, rate float64) (uint64, int) {
			m, k := textbookSize(n, rate)
			return 8 * m, k
		}
	})
	of("sizes with no position at high rates", conform.Sizing, func(s *conform.Subject[*Plain]) {
		s.Size = func(n uint64, rate float64) (uint64, int) {
			m, _ := textbookSize(n, rate)
			return m, int(float64(m/n) * math.Ln2)
		}
	})
	return all
}

func wrongSnapshots() []Wrong {
	var all []Wrong
	of := func(name string, law conform.Law, change func(s *conform.Subject[*Plain]), also ...conform.Law) {
		s := subject(fair, fair)
		change(&s)
		all = append(all, Wrong{Name: name, Law: law, Also: also, Subject: s})
	}
	of("a snapshot has the whole words only", conform.Snapshot, func(s *conform.Subject[*Plain]) {
		s.Marshal = func(f *Plain) ([]byte, error) {
			if f.g.M%64 != 0 && len(f.words) > 1 {
				last := len(f.words) - 1
				kept := f.words[last]
				f.words[last] = 0
				defer func() { f.words[last] = kept }()
			}
			return f.marshal(), nil
		}
	})
	of("a snapshot has k in one byte, less one", conform.Snapshot, func(s *conform.Subject[*Plain]) {
		s.Unmarshal = func(f *Plain, data []byte) error {
			m, k, err := checked(data)
			if err == nil {
				f.load(m, k-1, data[head:])
			}
			return err
		}
	}, conform.Corrupt, conform.Hostile)
	var written atomic.Uint64
	of("a snapshot has the time of its making", conform.Snapshot, func(s *conform.Subject[*Plain]) {
		s.Marshal = func(f *Plain) ([]byte, error) {
			return binary.LittleEndian.AppendUint64(f.marshal(), written.Add(1)), nil
		}
		s.Unmarshal = func(f *Plain, data []byte) error {
			if len(data) < 8 {
				return errSnapshot
			}
			m, k, err := checked(data[:len(data)-8])
			if err == nil {
				f.load(m, k, data[head:])
			}
			return err
		}
	}, conform.Corrupt, conform.Hostile, conform.Reset)
	of("reading leaves the count as it was", conform.Snapshot, func(s *conform.Subject[*Plain]) {
		s.Unmarshal = func(f *Plain, data []byte) error {
			m, k, err := checked(data)
			if err == nil {
				before := f.count.Load()
				f.load(m, k, data[head:])
				f.count.Store(before)
			}
			return err
		}
	})
	of("reading consumes the caller's bytes", conform.Snapshot, func(s *conform.Subject[*Plain]) {
		read := s.Unmarshal
		s.Unmarshal = func(f *Plain, data []byte) error {
			err := read(f, data)
			clear(data[:min(len(data), 8)])
			return err
		}
	})
	// unchecked reads what there is, without a checksum.
	unchecked := func(f *Plain, data []byte) error {
		if len(data) < head {
			return errSnapshot
		}
		m, k := binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[8:])
		if m < 1 || k < 1 || k > 4096 || m > 1<<40 || uint64(len(data)-head) != (m+63)/64*8 {
			return errSnapshot
		}
		f.load(m, int(k), data[head:])
		return nil
	}
	of("a snapshot has no checksum", conform.Corrupt, func(s *conform.Subject[*Plain]) { s.Unmarshal = unchecked })
	of("what follows a snapshot does not matter", conform.Corrupt, func(s *conform.Subject[*Plain]) {
		s.Unmarshal = func(f *Plain, data []byte) error {
			if len(data) < head {
				return errSnapshot
			}
			data = data[:min(uint64(len(data)), head+(min(binary.LittleEndian.Uint64(data), 1<<40)+63)/64*8)]
			m, k, err := checked(data)
			if err == nil {
				f.load(m, k, data[head:])
			}
			return err
		}
	})
	of("reading looks past the end of a short snapshot", conform.Hostile, func(s *conform.Subject[*Plain]) {
		s.Unmarshal = func(f *Plain, data []byte) error {
			m, k := binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[8:])
			if m < 1 || k < 1 || k > 4096 || m > 8*uint64(len(data)) {
				return errSnapshot
			}
			f.load(m, int(k), data[head:])
			return nil
		}
	}, conform.Corrupt)
	of("reading takes the memory that a snapshot claims", conform.Hostile, func(s *conform.Subject[*Plain]) {
		s.Unmarshal = func(f *Plain, data []byte) error {
			if len(data) < head {
				return errSnapshot
			}
			words := make([]uint64, min(binary.LittleEndian.Uint64(data), 1<<32)/64)
			runtime.KeepAlive(words)
			m, k, err := checked(data)
			if err == nil {
				f.load(m, k, data[head:])
			}
			return err
		}
	})
	of("reading writes to the filter before it checks", conform.Hostile, func(s *conform.Subject[*Plain]) {
		s.Unmarshal = func(f *Plain, data []byte) error {
			if len(data) < head {
				return errSnapshot
			}
			m, _, err := checked(data)
			f.g.K = int(data[8])
			if err == nil {
				f.load(m, f.g.K, data[head:])
			}
			return err
		}
	})
	of("reading panics at a number that cannot be", conform.Hostile, func(s *conform.Subject[*Plain]) {
		s.Unmarshal = func(f *Plain, data []byte) error {
			m, k, err := checked(data)
			if err == nil {
				f.load(m, k, data[head:])
			} else if len(data) >= 16 && binary.LittleEndian.Uint64(data[8:]) >= 1<<40 {
				panic("k is out of range")
			}
			return err
		}
	})
	of("reading goes on for as long as a snapshot says", conform.Hostile, func(s *conform.Subject[*Plain]) {
		s.Unmarshal = func(f *Plain, data []byte) error {
			m, k, err := checked(data)
			if err == nil {
				f.load(m, k, data[head:])
			} else if len(data) >= 16 {
				for range binary.LittleEndian.Uint64(data[8:]) >> 32 {
					time.Sleep(time.Millisecond)
				}
			}
			return err
		}
	})
	all[len(all)-1].Endless = true
	return all
}

func wrongConcurrency() []Wrong {
	shared := onlyBasic(subject(fair, fair))
	shared.Contains = func(f *Plain, key []byte) bool {
		for i, p := range fair(nil, f, key) {
			f.scratch[i].Store(p)
		}
		runtime.Gosched()
		for i := range f.g.K {
			if !f.has(f.scratch[i].Load()) {
				return false
			}
		}
		return true
	}
	shared.ConcurrentAdds = false
	lossy := onlyBasic(subject(fair, fair))
	lossy.Add = func(f *Plain, key []byte) {
		for _, p := range fair(nil, f, key) {
			word := &f.words[p>>6]
			w := atomic.LoadUint64(word)
			if bits.OnesCount64(w)%4 == 0 { // a thread may be stopped anywhere
				runtime.Gosched()
			}
			if w>>(p&63)&1 == 0 {
				f.count.Add(1)
			}
			atomic.StoreUint64(word, w|1<<(p&63))
		}
	}
	late := onlyBasic(subject(fair, fair))
	late.Add = func(f *Plain, key []byte) {
		for _, p := range fair(nil, f, key) {
			if set := f.has(p); !set {
				runtime.Gosched()
				atomic.OrUint64(&f.words[p>>6], 1<<(p&63))
				f.count.Add(1)
			}
		}
	}
	return []Wrong{
		{Name: "look-ups share room for positions", Law: conform.ConcurrentReads, Subject: shared},
		{Name: "words are read and written, not or-ed", Law: conform.ConcurrentAdds, Subject: lossy},
		{Name: "a bit is counted by all who find it clear", Law: conform.ConcurrentAdds, Subject: late},
	}
}

// sparse are filters of any m by the set of their bits, which have few.
func wrongHuge() []Wrong {
	of := func(name string, position func(m, word uint64) uint64) Wrong {
		type bitset = map[uint64]bool
		sets := map[*Plain]bitset{}
		p := each(position)
		return Wrong{Name: name, Law: conform.Rate, Shapes: []conform.Shape{{M: 64, K: 1}}, Huge: true, Subject: conform.Subject[*Plain]{
			New: func(m uint64, k int) (*Plain, error) {
				f := &Plain{g: bloomproof.Geometry{M: m, K: k}}
				sets[f] = bitset{}
				return f, nil
			},
			Add: func(f *Plain, key []byte) {
				var buf [64]uint64
				for _, p := range p(buf[:0], f, key) {
					sets[f][p] = true
				}
			},
			Contains: func(f *Plain, key []byte) bool {
				var buf [64]uint64
				for _, p := range p(buf[:0], f, key) {
					if !sets[f][p] {
						return false
					}
				}
				return true
			},
		}}
	}
	return []Wrong{
		of("m is cut to 32 bits, or to 2^20 where nothing is left", func(m, w uint64) uint64 {
			if m &= 0xffffffff; m == 0 {
				m = 1 << 20
			}
			return w % m
		}),
		of("positions are cut to 32 bits", func(m, w uint64) uint64 { return w % m & 0xffffffff }),
		of("positions are signed 32-bit numbers, made positive", func(m, w uint64) uint64 {
			p := int32(w % m)
			if p < 0 {
				p = -p
			}
			return uint64(uint32(p))
		}),
	}
}
