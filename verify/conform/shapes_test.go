package conform_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/internal/mutant"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// sizedBy returns a sound filter that is made for n items at a rate alone, of which it takes no
// fewer than least.
func sizedBy(least uint64) conform.Subject[*mutant.Plain] {
	s := mutant.Sound(bloomproof.Standard, 0)
	open, size := s.New, s.Size
	s.Make = func(n uint64, rate float64) (*mutant.Plain, error) {
		if n < least {
			return nil, fmt.Errorf("%d items, must be %d at least", n, least)
		}
		return open(size(n, rate))
	}
	if !longtest.Enabled() { // TestSoundFiltersPass has batches
		s.AddBatch, s.ContainsBatch, s.TestAndAdd = nil, nil, nil
	}
	s.Shape = func(f *mutant.Plain) (uint64, int) { g := f.Geometry(); return g.M, g.K }
	s.New = nil
	return s
}

// A load says how a filter was made, and how many keys were added to it.
type load struct {
	items uint64
	rate  float64
	keys  int
}

// The function "watch" changes the functions Make and Add of s. They then record the filters that are made, and the
// keys that each filter gets. The function that "watch" returns reports whether a filter was made for a number of items
// at a rate, and got a number of keys that the function "keys" accepts.
func watch(s *conform.Subject[*mutant.Plain]) (got func(items uint64, rate float64, keys func(n int) bool) bool) {
	of := map[*mutant.Plain]*load{}
	build, add := s.Make, s.Add
	s.Make = func(n uint64, rate float64) (*mutant.Plain, error) {
		f, err := build(n, rate)
		if err == nil {
			of[f] = &load{items: n, rate: rate}
		}
		return f, err
	}
	s.Add = func(f *mutant.Plain, key []byte) {
		if l := of[f]; l != nil { // a filter read from a snapshot has no load
			l.keys++
		}
		add(f, key)
	}
	return func(items uint64, rate float64, keys func(n int) bool) bool {
		for _, l := range of {
			if l.items == items && l.rate == rate && keys(l.keys) {
				return true
			}
		}
		return false
	}
}

// A filter that is made for n items at a rate alone is examined at the shapes that it gets, by
// every law that it shows something of, though it refuses less than 1,000 items. Among these shapes are those that it
// gets for the fewest items, at every rate, with a quarter to twice this number of keys.
func TestOwnSizingAlone(t *testing.T) {
	for _, least := range []uint64{1000, 1} {
		if !longtest.Enabled() && least == 1 {
			continue
		}
		s := sizedBy(least)
		got := watch(&s)
		report, err := conform.Examine(s, conform.Options{Effort: 0.005, Laws: longtest.More(
			[]conform.Law{"no false negative", "rate", "set bits", "union"}, []conform.Law{"no false negative", "rate", "set bits", "batch", "union"})})
		if err != nil || report.Err() != nil || len(report.Untold) > 0 {
			t.Errorf("from %d items on: %v\n%v", least, err, report)
		}
		loads := []uint64{max(1, least/4), max(1, least/2), least, 2 * least}
		for _, rate := range []float64{1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6} {
			for _, n := range loads {
				if !got(least, rate, func(keys int) bool { return keys == int(n) }) {
					t.Errorf("from %d items on: no filter of %d items at a rate of %g got %d keys", least, least, rate, n)
				}
			}
		}
		if least == 1 {
			continue // the shapes below are made for more items
		}
		quiet := func(keys int) bool { return keys > 1 && !slices.Contains(loads, uint64(keys)) }
		if !got(least, 1e-5, quiet) {
			t.Errorf("from %d items on: no quiet cell of %d items", least, least)
		}
		for _, k := range []int{3, 4, 5, 7, 10, 13, 20} { // the positions of shapes with room for few items
			if !got(least, math.Ldexp(1, -k), func(keys int) bool { return keys > 0 }) {
				t.Errorf("from %d items on: no filter of %d items at a rate of 2^-%d got keys", least, least, k)
			}
		}
	}
	wrong := sizedBy(1000)
	wrong.Contains = func(*mutant.Plain, []byte) bool { return false }
	if report, err := conform.Examine(wrong, conform.Options{Effort: 0.005, Laws: longtest.More([]conform.Law{"no false negative", "rate"}, nil)}); err != nil || len(report.Findings) == 0 || report.Findings[0].Law != "no false negative" {
		t.Errorf("one that contains nothing: %v\n%v", err, report)
	}
	refuses := sizedBy(math.MaxUint64)
	if report, err := conform.Examine(refuses, conform.Options{Effort: 0.005}); err != nil || report.Err() == nil {
		t.Errorf("one that refuses everything passes: %v\n%v", err, report)
	}
}
