package approx

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// Efficiency compares the filter of shape g with an ideal data structure. The ideal structure needs the least number of
// bits that is possible for n items at the same false-positive rate. The result is this least number, divided by the
// number m of bits of the filter:
//
//	n/m log2(1/FPR(g, n)).
//
// Source: Burns, equations (69) and (70).
// Domain: g is valid; 1 <= n < 2^64 items.
// Error: relative, at most the error of LogFPR plus 5u (u = 2^-53). A result below 2^-1022 has an additional absolute
// error of 2^-1075. With blocks this error is the larger of 2^-1075 and 2^-1074 n/m.
// Cost: the same as for FPR.
// Errors: the same as for FPR; ErrUndefined for n = 0.
func Efficiency(g bloomproof.Geometry, n uint64) (float64, error) {
	r, err := rateOf(g, n)
	if err != nil {
		return 0, err
	}
	if n == 0 {
		return 0, refuse.ErrUndefined
	}
	return efficiencyOf(r, g.M, n), nil
}

// efficiencyOf returns n/m log2(1/f) for the rate f.
func efficiencyOf(f rate, m, n uint64) float64 {
	e := f.lnSize()
	e.Hi = float64(n) / float64(m) * (e.Hi / fm.Ln2)
	return e.Float64()
}

// PeakEfficiency returns the largest efficiency of a shape over all numbers of items. It also returns a number n of
// items at which the efficiency is largest. The peak is
//
//	max over n of n/m log2(1/FPR(g, n)).
//
// The efficiency is flat near its peak. Suppose that the peak is at n items, and let eps be small. Then the efficiency
// is at least 1-eps times the peak in a range of about n sqrt(eps) items.
//
// Source: Burns, before Corollary 25, "peak efficiency".
// Domain: g is valid and has no blocks; m >= 2; k < m for classic hashing; slices of at least two bits for partitioned
// hashing. The efficiency is assumed to rise up to its peak and to fall after it.
// Error: the efficiency differs from the peak by at most the error of LogFPR plus 2^-50. The result n is the number
// whose computed efficiency is largest.
// Cost: computing about 4 log2 m rates, which takes 1 ms for m = 2^40 and k <= 64.
// Errors: *bloomproof.ParamError; ErrUndefined where every rate is 1, so that there is no peak.
func PeakEfficiency(g bloomproof.Geometry) (efficiency float64, n uint64, err error) {
	h, err := hashingOf(g)
	if err != nil {
		return 0, 0, err
	}
	if c := h.draws(g.M, 1, g.K); c.size == c.m {
		return 0, 0, refuse.ErrUndefined
	}
	at := func(n uint64) float64 { return efficiencyOf(h.rateOf(g.M, n, g.K), g.M, n) } // n >= 1
	// The peak is at about m ln 2/k for large filters. By doubling and halving n, the search first finds two numbers,
	// low and high. The peak lies between them.
	n = max(1, uint64(float64(g.M)*fm.Ln2/float64(g.K)))
	low, high := n, n
	for low > 1 && at(low/2) >= at(low) {
		low /= 2
	}
	low = max(1, low/2)
	for high < 1<<62 && at(2*high) >= at(high) {
		high *= 2
	}
	if high < 1<<63 {
		high *= 2
	} else {
		high = 1<<64 - 1
	}
	for high-low > 2 { // divide the bracket into thirds
		third := (high - low) / 3
		if at(low+third) < at(high-third) {
			low += third
		} else {
			high -= third
		}
	}
	n = low
	for x := low; x < high; {
		if x++; at(x) > at(n) {
			n = x
		}
	}
	return at(n), n, nil
}
