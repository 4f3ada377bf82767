package states

import "github.com/bloomproof/bloomproof/verify/conform"

type subject = conform.Subject[*Filter]

// The function "fault" returns a Fault. The argument "change" adds the fault to a copy of the correct subject.
func fault(kind, name string, change func(s *subject)) Fault {
	s := Sound()
	change(&s)
	return Fault{Name: name, Kind: kind, Subject: s}
}

// The function "alone" declares that goroutines may not share a filter.
func alone(s *subject) { s.ConcurrentReads, s.ConcurrentAdds = false, false }

// The function "few" removes all functions of a subject except New, Shape, Add and Contains. It also declares that the
// filter is for one goroutine.
func few(s *subject) {
	*s = subject{New: s.New, Shape: s.Shape, Add: s.Add, Contains: s.Contains}
}

// The function "singly" changes batches and TestAndAdd. They then call Add and Contains for single keys.
func singly(s *subject) {
	add, contains := s.Add, s.Contains
	s.AddBatch = func(f *Filter, keys [][]byte) {
		for _, key := range keys {
			add(f, key)
		}
	}
	s.ContainsBatch = func(f *Filter, keys [][]byte) []bool {
		answers := make([]bool, len(keys))
		for i, key := range keys {
			answers[i] = contains(f, key)
		}
		return answers
	}
	s.TestAndAdd = func(f *Filter, key []byte) bool {
		was := contains(f, key)
		add(f, key)
		return was
	}
}

// The type "calls" is a set of kinds of calls that change a filter.
type calls uint

const (
	onAdd calls = 1 << iota
	onBatch
	onTest
	onUnion
	onIntersect
	onReset
	onRead
	onAny = 1<<iota - 1
)

// The functions of a subject have kinds. The function "before" replaces each function of s that has a kind in c. The
// new function first calls the function "do", and then the old function.
func before(s *subject, c calls, do func(f *Filter)) { around(s, c, do, func(*Filter) {}) }

// The functions of a subject have kinds. The function "after" replaces each function of s that has a kind in c. The new
// function first calls the old function, and then the function "do".
func after(s *subject, c calls, do func(f *Filter)) { around(s, c, func(*Filter) {}, do) }

func around(s *subject, c calls, first, last func(f *Filter)) {
	old := *s
	if c&onAdd != 0 && old.Add != nil {
		s.Add = func(f *Filter, key []byte) { first(f); old.Add(f, key); last(f) }
	}
	if c&onBatch != 0 && old.AddBatch != nil {
		s.AddBatch = func(f *Filter, keys [][]byte) { first(f); old.AddBatch(f, keys); last(f) }
	}
	if c&onTest != 0 && old.TestAndAdd != nil {
		s.TestAndAdd = func(f *Filter, key []byte) bool {
			first(f)
			defer last(f)
			return old.TestAndAdd(f, key)
		}
	}
	pair := func(call func(f, g *Filter) error) func(f, g *Filter) error {
		return func(f, g *Filter) error {
			first(f)
			defer last(f)
			return call(f, g)
		}
	}
	if c&onUnion != 0 && old.Union != nil {
		s.Union = pair(old.Union)
	}
	if c&onIntersect != 0 && old.Intersect != nil {
		s.Intersect = pair(old.Intersect)
	}
	if c&onReset != 0 && old.Reset != nil {
		s.Reset = func(f *Filter) { first(f); old.Reset(f); last(f) }
	}
	if c&onRead != 0 && old.Unmarshal != nil {
		s.Unmarshal = func(f *Filter, data []byte) error {
			first(f)
			defer last(f)
			return old.Unmarshal(f, data)
		}
	}
}

func forget(f *Filter) { f.known = false }
