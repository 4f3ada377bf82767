package recycling

import (
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// By numbers of two words and by longer ones the message-bounded rule has the same rate and
// capacity.
func TestMessagesOfTwoWords(t *testing.T) {
	for i, c := range []struct {
		g        bloomproof.Geometry
		messages uint64
	}{
		{bloomproof.Geometry{M: 50, K: 3}, 12},
		{bloomproof.Geometry{M: 40, K: 2, Hashing: bloomproof.Classic}, 20},
		{bloomproof.Geometry{M: 101, K: 1}, 100},
		{bloomproof.Geometry{M: 3000, K: 7}, 300},
	} {
		if i >= longtest.More(2, 4) {
			break
		}
		for _, r := range []bloomproof.Recycling{
			{}, {Retain: true}, {TwoPhase: true}, {TwoPhase: true, FreezeBefore: true}, {TwoPhase: true, Retain: true},
			{TwoPhase: true, FreshPositions: true, Retain: true}, {TwoPhase: true, FreshPositions: true, NoCopyOver: true, FreezeBefore: true},
		} {
			r.Messages = c.messages
			f, err := New(c.g, r)
			if err == nil {
				f, err = f.Via(exact.Recursive) // and no rational
			}
			if err != nil {
				t.Fatal(err)
			}
			for what, of := range map[string]func(uint) (exact.Enclosure, error){"rate": f.FPR, "capacity": f.Capacity} {
				short, err := of(60)
				if err != nil {
					t.Fatal(c, r, err)
				}
				long, err := of(130)
				if err != nil {
					t.Fatal(c, r, err)
				}
				if !short.Overlaps(long) || short.RelBits() < 60 {
					t.Errorf("%v %v: the %s is %v, by longer numbers %v", c.g, r, what, short, long)
				}
			}
			if len(f.kept.of) == 0 {
				t.Errorf("%v %v: numbers of two words were not used", c.g, r)
			}
		}
	}
}

// A filter of real size, whose rate is that of its cells of a fiftieth with an error of 1/m, or
// so: the two differ by as much as the next two.
func TestMessagesAtSize(t *testing.T) {
	longtest.Only(t, "it takes seconds; the other tests compare smaller filters with the same cells")
	rate := func(m, n uint64) float64 {
		f, err := New(bloomproof.Geometry{M: m, K: 8}, bloomproof.Recycling{Messages: n})
		if err != nil {
			t.Fatal(err)
		}
		x, err := f.FPR(65)
		if err != nil {
			t.Fatal(err)
		}
		return x.Float64()
	}
	large, middle, small := rate(1_000_000, 50_000), rate(100_000, 5000), rate(10_000, 500)
	if share := (large - middle) / (middle - small); share < 0.099 || share > 0.101 {
		t.Errorf("rates of %v, %v, %v: the differences do not shrink as 1/m", small, middle, large)
	}
}
