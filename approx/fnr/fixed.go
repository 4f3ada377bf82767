package fnr

import (
	"fmt"

	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// This file records what simulations found about fixed positions. The models assume positions that are drawn anew in
// each cycle. Fixed positions change the false-negative rate. With one phase they make the cycles of a filter depend on
// each other. If p_r = 1 and the filter does not retain the triggering message, exact/fnr.System.FixedRates bounds the
// change. The terms of the bound fall like 1/m. Suppose that a filter has two phases, and that a message finds all its
// positions set in one array. Then it becomes more likely that all these positions are set in the other array too. This
// holds for every m.
//
// The constants describe the filters and workloads of the grid that was simulated. The page docs/fnr.md has the figures
// of this grid, and verify.TestFixedPositions simulates a part of it again.
const (
	// In the simulations, an array recorded at least about fixedMessages messages in each cycle. With one phase, the
	// fraction of set bits at the end of a cycle was at most fixedFull. With two phases it was at most twoFixedFull.
	fixedMessages = 40
	fixedFull     = 0.9
	twoFixedFull  = 0.75

	// With two phases, filters with k below twoFixedK are excluded. The reason is that for k = 1 the rate changed by up
	// to 40 %.
	twoFixedK = 2

	// Consider the share of the most popular message among all repeats. In the simulations this share was at most
	// fixedShare. The share is about 0.62 for Zipf's law with exponent 2. In the simulations the share of repeats among
	// all arrivals was at least fixedRepeats.
	fixedShare   = 0.62
	fixedRepeats = 0.1

	// In the simulations, fixed positions caused a relative change of the false-negative rate. With one phase this
	// change was at most fixedApart. The fraction fixedApart does not include the confidence intervals of the
	// simulations. With two phases the relative change was at most fixedApart + twoFixedApart (sigma/m)^(2k). Here
	// (sigma/m)^k is the false-positive rate of an array with sigma set bits.
	fixedApart    = 0.01
	twoFixedApart = 1.5
)

// Fixed positions changed the false-negative rate in simulations. The method "apart" returns the largest relative
// change. The result ok is false for filters and workloads outside the grid.
func (c *System) apart() (off float64, ok bool) {
	m, k := float64(c.g.M), float64(c.g.K)
	full := float64(c.r.Sigma) / m
	messages := -m * fm.Log1p(-full) / k
	if c.r.Messages > 0 {
		messages = float64(c.r.Messages)
		full = -fm.Expm1(-k * messages / m)
	}
	q, err := classes(c.w.Popularity, c.w.Popularity.D)
	if err != nil || q[0].q > fixedShare || c.w.Repeat < fixedRepeats || messages < fixedMessages {
		return 0, false
	}
	if !c.r.TwoPhase {
		return fixedApart, full <= fixedFull
	}
	return fixedApart + twoFixedApart*fm.Exp(2*k*fm.Log(full)), full <= twoFixedFull && c.g.K >= twoFixedK
}

// The method "fixed" adapts a forecast that was computed for fresh positions. It changes the fields Kind, Note and
// Apart to the values for fixed positions.
func (c *System) fixed(f *Forecast) {
	if !f.Valid {
		return
	}
	const fresh = "computed for fresh positions; "
	off, ok := c.apart()
	if !ok {
		f.Valid, f.Note = false, fresh+"how far fixed ones are from it was not measured for such filters (docs/fnr.md)"
		return
	}
	note := fmt.Sprintf("%sin simulations the rate with fixed ones was within %.2g %% of it (docs/fnr.md)", fresh, 100*off)
	if f.Note != "" {
		note = f.Note + "; " + note
	}
	f.Apart, f.Note = off, note
}
