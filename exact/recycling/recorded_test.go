package recycling

import (
	"fmt"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/starved"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestRecordedBounds compares the widths of sums in fixed point with recorded widths. Such a width is the bound of the
// rounding errors, which are far below the width of an answer. Other tests check that the sums hold. This test shows a
// bound that changes by mistake.
func TestRecordedBounds(t *testing.T) {
	record := starved.OpenWidths(t, "testdata/bounds.txt", longtest.Enabled())
	const work = 60 // bits; one word
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		for _, before := range []bool{false, true} {
			c, err := New(bloomproof.Geometry{M: 60, K: 4, Hashing: h}, bloomproof.Recycling{Sigma: 15, FreshPositions: true, TwoPhase: true, NoCopyOver: true, FreezeBefore: before})
			if err != nil {
				t.Fatal(err)
			}
			repeats, arrivals := c.jointHashRun(work)
			for name, x := range map[string]*interval.Interval{"repeats": repeats, "arrivals": arrivals} {
				record.Width(fmt.Sprintf("%s, %v, freeze before %t", name, h, before), "width", x)
			}
		}
	}
	record.End()
}
