package mutant

import (
	"math"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/conform"
)

// The type Wrong is a filter with one fault, for tests of package conform. In this subject, another function replaces
// one function of Plain.
type Wrong struct {
	Name    string        // what is wrong
	Law     conform.Law   // the law that the fault breaks
	Also    []conform.Law // other laws that the same fault may break
	Subject conform.Subject[*Plain]
	// Shapes lists the filter shapes for which the fault can be detected. It is nil if the fault can be detected for
	// every shape.
	Shapes []bloomproof.Geometry
	Huge   bool // only above 2^32 bits
	// The examination needs this effort to find the fault. If it is 0 and Shapes is not set, the effort is a fifth of
	// the default effort. If it is 0 and Shapes is set, the effort is the default effort.
	Effort float64
	// The field Endless says whether reading a snapshot may never end. The examination then has to wait.
	Endless bool
}

// Wrongs returns all wrong filters. Real libraries have had faults of these kinds.
func Wrongs() []Wrong {
	return slices.Concat(
		wrongPositions(), wrongKeys(), wrongAdditions(), wrongSets(), wrongNumbers(), wrongSnapshots(), wrongRaces(), wrongHuge(), wrongChances(),
		wrongReading(), wrongStates(), wrongLoops(),
	)
}

// byChance are the statistical laws. A filter with wrong positions may break any of these laws, but no other law.
var byChance = []conform.Law{"rate", "set bits", "place", "dependence", "keys"}

// onlyBasic removes from a subject the functions that state numbers. The examination then does not check such numbers.
func onlyBasic(s conform.Subject[*Plain]) conform.Subject[*Plain] {
	s.Rate, s.RateFor, s.Items, s.Size = nil, nil, nil, nil
	return s
}

func wrongAdditions() []Wrong {
	var all []Wrong
	// The argument "change" puts a fault into the filter Plain. The function "of" adds the changed filter to the list.
	of := func(name string, law conform.Law, change func(s *conform.Subject[*Plain]), also ...conform.Law) {
		s := onlyBasic(subject(fair, fair))
		change(&s)
		all = append(all, Wrong{Name: name, Law: law, Also: also, Subject: s})
	}
	add := subject(fair, fair).Add
	contains := subject(fair, fair).Contains
	others := []conform.Law{"batch", "test and set", "union", "intersection", "reset", "snapshot", "concurrent adds"}
	anything := slices.Concat(byChance, others)
	of("k-1 positions are set and k looked up", "no false negative", func(s *conform.Subject[*Plain]) {
		*s = onlyBasic(subject(hashed(shortProbe), fair))
	}, anything...)
	of("the bits of the last word are lost", "no false negative", func(s *conform.Subject[*Plain]) {
		*s = onlyBasic(subject(func(dst []uint64, f *Plain, key []byte) []uint64 {
			last := uint64(len(f.words)-1) * 64
			return slices.DeleteFunc(fair(dst, f, key), func(p uint64) bool { return p >= last })
		}, fair))
	}, anything...)
	of("keys are kept and added at the next look-up", "no false negative", func(s *conform.Subject[*Plain]) {
		*s = conform.Subject[*Plain]{New: s.New, Add: func(f *Plain, key []byte) { f.held = append(f.held, key) }}
		s.Contains = func(f *Plain, key []byte) bool {
			for _, k := range f.held {
				add(f, k)
			}
			f.held = nil
			return contains(f, key)
		}
	}, byChance...)
	of("the empty key is not added", "no false negative", func(s *conform.Subject[*Plain]) {
		*s = conform.Subject[*Plain]{New: s.New, Contains: contains, Add: func(f *Plain, key []byte) {
			if len(key) > 0 {
				add(f, key)
			}
		}}
	})
	of("additions are counted, not bits", "set bits", func(s *conform.Subject[*Plain]) {
		s.Add = func(f *Plain, key []byte) {
			add(f, key)
			f.recount()
			f.count.Add(int64(f.g.K))
		}
	}, anything...)
	of("an empty filter contains everything", "rate", func(s *conform.Subject[*Plain]) {
		s.Contains = func(f *Plain, key []byte) bool { return f.count.Load() == 0 || contains(f, key) }
	}, anything...)
	of("a batch leaves out what is left of a multiple of 4", "batch", func(s *conform.Subject[*Plain]) {
		s.AddBatch = func(f *Plain, keys [][]byte) {
			for _, key := range keys[:len(keys)&^3] {
				add(f, key)
			}
		}
	})
	of("a batch of look-ups stops at the first that is new", "batch", func(s *conform.Subject[*Plain]) {
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
	of("a batch answers for keys that it contains only", "batch", func(s *conform.Subject[*Plain]) {
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
	of("test and set answers that a bit was new", "test and set", func(s *conform.Subject[*Plain]) {
		s.TestAndAdd = func(f *Plain, key []byte) bool { return !testAndAdd(f, key) }
	})
	of("test and set answers for the first position", "test and set", func(s *conform.Subject[*Plain]) {
		s.TestAndAdd = func(f *Plain, key []byte) bool {
			before := f.has(fair(nil, f, key)[0])
			add(f, key)
			return before
		}
	})
	of("test and set ends at a bit that is set", "test and set", func(s *conform.Subject[*Plain]) {
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
	of("union by exclusive or", "union", func(s *conform.Subject[*Plain]) {
		s.Union = combine(func(a, b uint64) uint64 { return a ^ b })
	}, "stated rate", "items")
	of("union leaves the count as it was", "union", func(s *conform.Subject[*Plain]) {
		s.Union = func(f, g *Plain) error {
			before := f.count.Load()
			err := or(f, g)
			f.count.Store(before)
			return err
		}
	}, "stated rate", "items")
	of("union adds the counts", "union", func(s *conform.Subject[*Plain]) {
		s.Union = func(f, g *Plain) error {
			before := f.count.Load() + g.count.Load()
			if err := or(f, g); err != nil {
				return err
			}
			f.count.Store(before)
			return nil
		}
	}, "stated rate", "items")
	of("union takes the array of the other", "union", func(s *conform.Subject[*Plain]) {
		s.Union = func(f, g *Plain) error {
			if err := or(f, g); err != nil {
				return err
			}
			g.words = f.words
			g.recount()
			return nil
		}
	})
	of("union of any two shapes", "union", func(s *conform.Subject[*Plain]) {
		s.Union = func(f, g *Plain) error {
			for i := range f.words {
				f.words[i] |= g.words[i%len(g.words)]
			}
			f.recount()
			return nil
		}
	})
	of("intersection by union", "intersection", func(s *conform.Subject[*Plain]) { s.Intersect = or })
	of("intersection by difference", "intersection", func(s *conform.Subject[*Plain]) {
		s.Intersect = combine(func(a, b uint64) uint64 { return a &^ b })
	})
	of("intersection leaves out the last word", "intersection", func(s *conform.Subject[*Plain]) {
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
	of("the count stays after a reset", "reset", func(s *conform.Subject[*Plain]) { s.Reset = func(f *Plain) { clear(f.words) } })
	of("a reset leaves the last word", "reset", func(s *conform.Subject[*Plain]) {
		s.Reset = func(f *Plain) {
			clear(f.words[:len(f.words)-1])
			f.recount()
		}
	})
	of("a reset clears the count only", "reset", func(s *conform.Subject[*Plain]) { s.Reset = func(f *Plain) { f.count.Store(0) } })
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
	of("the rate is the share of set bits", "stated rate", func(s *conform.Subject[*Plain]) { s.Rate = (*Plain).share })
	of("the rate of an empty filter is 1", "stated rate", func(s *conform.Subject[*Plain]) {
		s.Rate = func(f *Plain) float64 {
			if f.count.Load() == 0 {
				return 1
			}
			return math.Pow(f.share(), float64(f.g.K))
		}
	})
	of("the rate to expect divides whole numbers", "stated rate", func(s *conform.Subject[*Plain]) {
		s.RateFor = func(m uint64, k int, n uint64) float64 {
			return math.Pow(-math.Expm1(-float64(uint64(k)*n/m)), float64(k))
		}
	})
	of("the rate to expect is the textbook's, far off in small filters", "stated rate", func(s *conform.Subject[*Plain]) {
		s.RateFor = func(m uint64, k int, n uint64) float64 {
			return math.Pow(-math.Expm1(-float64(k)*float64(n)/float64(m)), float64(k))
		}
	})
	of("the estimate has the logarithm to base 2", "items", func(s *conform.Subject[*Plain]) {
		s.Items = func(f *Plain) float64 { return items(f) / math.Ln2 }
	})
	of("the estimate is not divided by k", "items", func(s *conform.Subject[*Plain]) {
		s.Items = func(f *Plain) float64 { return items(f) * float64(f.g.K) }
	})
	of("the estimate is bits over k", "items", func(s *conform.Subject[*Plain]) {
		s.Items = func(f *Plain) float64 { return float64(f.count.Load()) / float64(f.g.K) }
	})
	of("the estimate of a full filter is no number", "items", func(s *conform.Subject[*Plain]) {
		s.Items = func(f *Plain) float64 {
			if e := items(f); !math.IsInf(e, 0) {
				return e
			}
			return math.NaN()
		}
	})
	of("sizes by ln 2 in place of its square", "sizing", func(s *conform.Subject[*Plain]) {
		s.Size = func(n uint64, rate float64) (uint64, int) {
			m, k := textbookSize(n, rate)
			return uint64(float64(m) * math.Ln2), k
		}
	})
	of("sizes of eight bits each", "sizing", func(s *conform.Subject[*Plain]) {
		s.Size = func(n uint64, rate float64) (uint64, int) {
			m, k := textbookSize(n, rate)
			return 8 * m, k
		}
	})
	of("sizes with no position at high rates", "sizing", func(s *conform.Subject[*Plain]) {
		s.Size = func(n uint64, rate float64) (uint64, int) {
			m, _ := textbookSize(n, rate)
			return m, int(float64(m/n) * math.Ln2)
		}
	})
	return all
}

// wrongHuge returns filters that are wrong only above 2^32 bits. Instead of an array, they keep the set of the indices
// of all set bits.
func wrongHuge() []Wrong {
	of := func(name string, position func(m, word uint64) uint64) Wrong {
		type bitset = map[uint64]bool
		sets := map[*Plain]bitset{}
		p := each(position)
		return Wrong{Name: name, Law: "rate", Shapes: []bloomproof.Geometry{{M: 64, K: 1}}, Huge: true, Subject: conform.Subject[*Plain]{
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
