package mutant

import (
	"bytes"
	"slices"

	"github.com/bloomproof/bloomproof/verify/conform"
)

// The type "memory" is additional state that only filters with faults have.
type memory struct {
	known    bool // whether the number of set bits is known
	bits     uint64
	asked    bool // whether key and the answer about it are set
	key      string
	answer   bool
	snapshot []byte
	touched  []uint64 // the words that Add wrote
	others   []*Plain // the filters that were united
	rate     float64
	answers  []bool
	united   bool
}

// The function "steps" returns a correct subject. Goroutines may not share its filters. It lacks the functions Rate,
// RateFor, Items and Size. Filters with faults in their state are made from this subject.
func steps() conform.Subject[*Plain] {
	s := onlyBasic(subject(fair, fair))
	s.ConcurrentReads, s.ConcurrentAdds = false, false
	return s
}

// The type "after" has a function for each kind of operation that changes a filter. This function runs after such an
// operation, and updates the additional memory of the filter.
type after struct{ add, batch, testAndAdd, union, intersect, reset, unmarshal func(m *memory) }

// The type "after" has a function for each kind of change. The function "forget" returns a value of this type. For the
// kinds in the list "except", this value has a function that does nothing. For each other kind, this value has the
// function "do".
func forget(do func(m *memory), except ...string) after {
	of := func(name string) func(m *memory) {
		if slices.Contains(except, name) {
			return func(*memory) {}
		}
		return do
	}
	return after{of("add"), of("batch"), of("test and set"), of("union"), of("intersection"), of("reset"), of("reading")}
}

// The function "remember" replaces the functions of s that change a filter. For each kind of change, the argument a
// contains one function. Each new function first changes the filter, and then calls the corresponding function of the
// argument a.
func remember(s *conform.Subject[*Plain], a after) {
	plain := *s
	s.Add = func(f *Plain, key []byte) {
		plain.Add(f, key)
		a.add(&f.memory)
	}
	s.AddBatch = func(f *Plain, keys [][]byte) {
		plain.AddBatch(f, keys)
		a.batch(&f.memory)
	}
	s.TestAndAdd = func(f *Plain, key []byte) bool {
		defer a.testAndAdd(&f.memory)
		return plain.TestAndAdd(f, key)
	}
	s.Union = func(f, g *Plain) error {
		defer a.union(&f.memory)
		return plain.Union(f, g)
	}
	s.Intersect = func(f, g *Plain) error {
		defer a.intersect(&f.memory)
		return plain.Intersect(f, g)
	}
	s.Reset = func(f *Plain) {
		plain.Reset(f)
		a.reset(&f.memory)
	}
	s.Unmarshal = func(f *Plain, data []byte) error {
		defer a.unmarshal(&f.memory)
		return plain.Unmarshal(f, data)
	}
}

// wrongStates returns filters that keep outdated data in their memory. A change of the filter should have removed these
// data.
func wrongStates() []Wrong {
	var all []Wrong
	of := func(name string, law conform.Law, change func(s *conform.Subject[*Plain]), also ...conform.Law) {
		s := steps()
		change(&s)
		all = append(all, Wrong{Name: name, Law: law, Also: also, Subject: s})
	}
	noBits := func(m *memory) { m.known = false }
	for _, c := range []struct {
		change string
		law    conform.Law
	}{{"batch", "batch"}, {"test and set", "test and set"}, {"union", "union"}, {"intersection", "intersection"}, {"reset", "reset"}, {"reading", "snapshot"}} {
		of("the number of set bits is remembered, which no "+c.change+" changes", c.law, func(s *conform.Subject[*Plain]) {
			remember(s, forget(noBits, c.change))
			s.Bits = func(f *Plain) uint64 {
				if !f.memory.known {
					f.memory.known, f.memory.bits = true, uint64(f.count.Load())
				}
				return f.memory.bits
			}
		})
	}
	noAnswer := func(m *memory) { m.asked = false }
	for _, c := range []struct {
		change string
		law    conform.Law
	}{{"add", "no false negative"}, {"batch", "batch"}, {"reset", "reset"}, {"union", "union"}, {"reading", "snapshot"}} {
		of("the last answer is remembered, which no "+c.change+" changes", c.law, func(s *conform.Subject[*Plain]) {
			contains := s.Contains
			remember(s, forget(noAnswer, c.change))
			s.Contains = func(f *Plain, key []byte) bool {
				m := &f.memory
				if !m.asked || m.key != string(key) {
					m.asked, m.key, m.answer = true, string(key), contains(f, key)
				}
				return m.answer
			}
			if c.change == "add" {
				s.AddBatch, s.TestAndAdd = nil, nil
			}
		})
	}
	noSnapshot := func(m *memory) { m.snapshot = nil }
	for _, change := range []string{"add", "union", "reset"} {
		of("the last snapshot is remembered, which no "+change+" changes", "snapshot", func(s *conform.Subject[*Plain]) {
			remember(s, forget(noSnapshot, change))
			s.Marshal = func(f *Plain) ([]byte, error) {
				if f.memory.snapshot == nil {
					f.memory.snapshot = f.marshal()
				}
				return bytes.Clone(f.memory.snapshot), nil
			}
		})
	}
	of("a reset clears the words that single additions wrote", "reset", func(s *conform.Subject[*Plain]) {
		add := s.Add
		s.Add = func(f *Plain, key []byte) {
			f.memory.touched = append(f.memory.touched, fair(nil, f, key)...)
			add(f, key)
		}
		s.Reset = func(f *Plain) {
			for _, p := range f.memory.touched {
				f.words[p>>6] = 0
			}
			f.memory.touched = nil
			f.recount()
		}
	})
	of("a union into an empty filter takes the other's array", "union", func(s *conform.Subject[*Plain]) {
		union := s.Union
		s.Union = func(f, g *Plain) error {
			if f.count.Load() > 0 || f.alike(g) != nil {
				return union(f, g)
			}
			f.words = g.words
			f.recount()
			return nil
		}
	})
	of("a union asks the other filter from then on", "union", func(s *conform.Subject[*Plain]) {
		contains := s.Contains
		*s = conform.Subject[*Plain]{New: s.New, Add: s.Add, Reset: func(f *Plain) {
			clear(f.words)
			f.memory.others = nil
		}}
		s.Union = func(f, g *Plain) error {
			if err := f.alike(g); err != nil {
				return err
			}
			f.memory.others = append(f.memory.others, g)
			return nil
		}
		s.Contains = func(f *Plain, key []byte) bool {
			return contains(f, key) || slices.ContainsFunc(f.memory.others, func(g *Plain) bool { return contains(g, key) })
		}
	})
	of("a second union does nothing", "union", func(s *conform.Subject[*Plain]) {
		union := s.Union
		s.Union = func(f, g *Plain) error {
			if f.memory.united && f.alike(g) == nil {
				return nil
			}
			f.memory.united = true
			return union(f, g)
		}
	})
	of("a union of a filter with itself empties it", "union", func(s *conform.Subject[*Plain]) {
		union := s.Union
		s.Union = func(f, g *Plain) error {
			if f == g {
				clear(f.words)
				f.recount()
			}
			return union(f, g)
		}
	})
	of("a union that is refused has begun", "union", func(s *conform.Subject[*Plain]) {
		union := s.Union
		s.Union = func(f, g *Plain) error {
			for i := range min(len(f.words), len(g.words)) {
				f.words[i] |= g.words[i]
			}
			f.recount()
			return union(f, g)
		}
	})
	of("an intersection with a part of the filter takes its array", "intersection", func(s *conform.Subject[*Plain]) {
		and := s.Intersect
		s.Intersect = func(f, g *Plain) error {
			err := and(f, g)
			if err == nil && slices.Equal(f.words, g.words) {
				f.words = g.words
			}
			return err
		}
	})
	of("reading adds to a filter that has keys", "snapshot", func(s *conform.Subject[*Plain]) {
		read := s.Unmarshal
		s.Unmarshal = func(f *Plain, data []byte) error {
			before := f.words
			err := read(f, data)
			if err == nil && len(before) == len(f.words) {
				for i, w := range before {
					f.words[i] |= w
				}
				f.recount()
			}
			return err
		}
	})
	of("filters that were read from equal snapshots in turn have one array", "snapshot", func(s *conform.Subject[*Plain]) {
		var data []byte
		var words []uint64
		read := s.Unmarshal
		s.Unmarshal = func(f *Plain, d []byte) error {
			err := read(f, d)
			if err == nil && bytes.Equal(d, data) {
				f.words = words
				f.recount()
			} else if err == nil {
				data, words = bytes.Clone(d), f.words
			}
			return err
		}
	})
	of("a snapshot is in the room of the last", "snapshot", func(s *conform.Subject[*Plain]) {
		s.Marshal = func(f *Plain) ([]byte, error) {
			f.memory.snapshot = append(f.memory.snapshot[:0], f.marshal()...)
			return f.memory.snapshot, nil
		}
	}, "hostile snapshot")
	of("test and set knows the last key, though the filter was reset", "test and set", func(s *conform.Subject[*Plain]) {
		test := s.TestAndAdd
		s.TestAndAdd = func(f *Plain, key []byte) bool {
			if f.memory.asked && f.memory.key == string(key) {
				return true
			}
			f.memory.asked, f.memory.key = true, string(key)
			return test(f, key)
		}
	})
	of("the rate is remembered, which no addition changes", "stated rate", func(s *conform.Subject[*Plain]) {
		rate := subject(fair, fair).Rate
		remember(s, forget(func(m *memory) { m.rate = 0 }, "add"))
		s.AddBatch, s.TestAndAdd = nil, nil
		s.Rate = func(f *Plain) float64 {
			if f.memory.rate == 0 {
				f.memory.rate = rate(f)
			}
			return f.memory.rate
		}
	})
	return all
}

// wrongLoops returns filters whose fault appears only for certain sizes of a batch or an array.
func wrongLoops() []Wrong {
	var all []Wrong
	of := func(name string, law conform.Law, change func(s *conform.Subject[*Plain]), also ...conform.Law) {
		s := steps()
		change(&s)
		all = append(all, Wrong{Name: name, Law: law, Also: also, Subject: s})
	}
	addBatch, ask := subject(fair, fair).AddBatch, subject(fair, fair).ContainsBatch
	of("a batch is its first 1,024 keys", "batch", func(s *conform.Subject[*Plain]) {
		s.AddBatch = func(f *Plain, keys [][]byte) { addBatch(f, keys[:min(len(keys), 1024)]) }
	})
	of("a batch has its length in a byte", "batch", func(s *conform.Subject[*Plain]) {
		s.AddBatch = func(f *Plain, keys [][]byte) { addBatch(f, keys[:uint8(len(keys))]) }
	})
	of("a batch sorts the caller's keys", "batch", func(s *conform.Subject[*Plain]) {
		s.AddBatch = func(f *Plain, keys [][]byte) {
			slices.SortFunc(keys, bytes.Compare)
			addBatch(f, keys)
		}
	})
	of("a batch of more than 512 look-ups answers the first half twice", "batch", func(s *conform.Subject[*Plain]) {
		s.ContainsBatch = func(f *Plain, keys [][]byte) []bool {
			out := ask(f, keys)
			if half := len(keys) / 2; half > 256 {
				copy(out[half:], out[:half])
			}
			return out
		}
	})
	of("a batch without keys has the answers of the last", "batch", func(s *conform.Subject[*Plain]) {
		s.ContainsBatch = func(f *Plain, keys [][]byte) []bool {
			if len(keys) > 0 {
				f.memory.answers = ask(f, keys)
			}
			return f.memory.answers
		}
	})
	of("a batch of look-ups goes by 16 positions at most", "batch", func(s *conform.Subject[*Plain]) {
		s.ContainsBatch = func(f *Plain, keys [][]byte) []bool {
			out := make([]bool, len(keys))
			for i, key := range keys {
				at := fair(nil, f, key)
				out[i] = !slices.ContainsFunc(at[:min(16, len(at))], func(p uint64) bool { return !f.has(p) })
			}
			return out
		}
	})
	of("a union goes by four words and leaves the rest", "union", func(s *conform.Subject[*Plain]) {
		s.Union = func(f, g *Plain) error {
			err := f.alike(g)
			for i := 0; err == nil && i+4 <= len(f.words); i++ {
				f.words[i] |= g.words[i]
				f.words[i+1] |= g.words[i+1]
				f.words[i+2] |= g.words[i+2]
				f.words[i+3] |= g.words[i+3]
			}
			f.recount()
			return err
		}
	})
	of("an intersection counts words in 16 bits", "intersection", func(s *conform.Subject[*Plain]) {
		s.Intersect = func(f, g *Plain) error {
			err := f.alike(g)
			for i := uint16(0); err == nil && i < uint16(len(f.words)); i++ {
				f.words[i] &= g.words[i]
			}
			f.recount()
			return err
		}
	})
	of("a reset clears 65,536 words", "reset", func(s *conform.Subject[*Plain]) {
		s.Reset = func(f *Plain) {
			clear(f.words[:min(len(f.words), 1<<16)])
			f.recount()
		}
	})
	of("a snapshot has 65,536 words", "snapshot", func(s *conform.Subject[*Plain]) {
		s.Marshal = func(f *Plain) ([]byte, error) {
			g := &Plain{g: f.g, words: slices.Clone(f.words)}
			if len(g.words) > 1<<16 {
				clear(g.words[1<<16:])
			}
			return g.marshal(), nil
		}
	})
	return all
}
