package recycling

import (
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/cycle"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// TestLostOfFrozen gives the frozen array a distribution from which a noticeable probability was cut off. It computes a
// second time what this adds to the error: that probability, times k, times the largest rate divided by the known rate.
func TestLostOfFrozen(t *testing.T) {
	g := bloomproof.Geometry{M: 100, K: 3}
	const lostPart, err = 0x1p-20, 0x1p-45
	for _, r := range []bloomproof.Recycling{
		{Messages: 10, TwoPhase: true, FreshPositions: true},
		{Messages: 10, TwoPhase: true, FreshPositions: true, FreezeBefore: true},
		{Messages: 33, TwoPhase: true, FreshPositions: true, NoCopyOver: true},
		{Messages: 34, TwoPhase: true, FreshPositions: true}, // can set all bits
		{Messages: 10, TwoPhase: true},
	} {
		most := float64(r.Messages) * 3
		if r.FreezeBefore {
			most -= 3
		}
		most = min(most, 100)
		f := cycle.Frozen{First: 20, Law: []float64{1}, Lost: lostPart}
		known, hit := 0.008, math.Pow(most/100, 3) // (20/100)^3
		want := hit / known * lostPart * 3
		if r.NoCopyOver {
			known /= 1 - 0.008
			want = hit / (1 - hit) / known * lostPart * 3
		}
		if got := lost(g, r, f, fm.Double{Hi: known}.Scale()); !(math.Abs(got/want-1) < 1e-12) {
			t.Errorf("%v: %v is lost, want %v", r, got, want)
		}
		n := cycle.Numbers{Recorded: 50, Arrivals: 50, Positives: fm.Double{Hi: 0.1}.Scale(), Err: err}
		if r.FreshPositions {
			if e := addFrozen(&n, g, r, f); e != nil {
				t.Fatal(e)
			}
			if want := 2 * (2*err + want); !(math.Abs(n.Err/want-1) < 1e-9) {
				t.Errorf("%v: the error is %v, want %v", r, n.Err, want)
			}
		}
	}
	if got := lost(g, bloomproof.Recycling{Messages: 10}, cycle.Frozen{}, fm.Double{Hi: 1}.Scale()); got != 0 {
		t.Errorf("nothing was cut off, and %v is lost", got)
	}
}
