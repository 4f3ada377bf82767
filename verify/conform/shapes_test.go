package conform_test

import (
	"fmt"
	"math"
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

// A filter that is made for n items at a rate alone is examined at the shapes that it gets, by
// every law that it shows something of, though it refuses less than 1,000 items.
func TestOwnSizingAlone(t *testing.T) {
	for _, least := range []uint64{1000, 1} {
		if !longtest.Enabled() && least == 1 {
			continue
		}
		report, err := conform.Examine(sizedBy(least), conform.Options{Effort: 0.005, Laws: longtest.More(
			[]conform.Law{"no false negative", "rate", "set bits", "union"}, []conform.Law{"no false negative", "rate", "set bits", "batch", "union"})})
		if err != nil || report.Err() != nil || len(report.Untold) > 0 {
			t.Errorf("from %d items on: %v\n%v", least, err, report)
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
