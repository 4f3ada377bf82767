package sequential

import (
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/numeric"
)

// RatioTest is a sequential test of the claim that E[x] = ratio*E[y]. The pairs (x, y) are independent and identically
// distributed. For example, x and y are the hits and the trials in one replication of a simulation. The test looks at
// the pairs only after certain numbers of pairs: first, 2*first, 4*first, ..., and last. These two numbers, first and
// last, are arguments of NewRatioTest. The test stops at the first look where the interval of stat.RatioInterval does
// not contain the claimed ratio. The confidence of this interval is 1 - alpha/L, where L is the number of looks.
//
// Unlike MeanTest, this test knows nothing about the distribution of the pairs. Suppose that the mean of the residuals
// x - ratio*y is normally distributed at the first look. Then the false-alarm probability is exactly as stated. This
// mean is nearly normal if each replication sums over many cycles.
type RatioTest struct {
	ratio   float64
	bars    []float64 // Student's t of each look
	sums    numeric.Sums
	next    uint64
	last    uint64
	verdict Verdict
}

// NewRatioTest returns a test of the given ratio. The false-alarm probability of this test is alpha. The test looks at
// the pairs only at certain numbers of pairs. These numbers are first, 2*first, 4*first and so on, and last.
//
// Source: stat.RatioInterval for each look at the pairs, and a union bound over all looks.
// Domain: ratio finite; 1e-11 <= alpha < 1; 2 <= first <= last <= 2^40.
// Error: the false-alarm probability is exact for normal residuals (TestRatioTestCalibration).
// Cost: O(1) for each pair, without allocation. NewRatioTest calls StudentT once for each look.
// Errors: *bloomproof.ParamError.
func NewRatioTest(ratio, alpha float64, first, last uint64) (*RatioTest, error) {
	switch {
	case math.IsNaN(ratio) || math.IsInf(ratio, 0):
		return nil, &bloomproof.ParamError{Param: "ratio", Value: ratio, Want: "finite"}
	case !(alpha >= 1e-11 && alpha < 1):
		return nil, &bloomproof.ParamError{Param: "alpha", Value: alpha, Want: "between 1e-11 and 1, 1 excluded"}
	case first < 2:
		return nil, &bloomproof.ParamError{Param: "first", Value: first, Want: "at least 2"}
	case last < first || last > numeric.MaxBeta:
		return nil, &bloomproof.ParamError{Param: "last", Value: last, Want: fmt.Sprintf("between first = %d and 2^40", first)}
	}
	sizes := []uint64{first}
	for size := first; size < last; {
		size = after(size, last)
		sizes = append(sizes, size)
	}
	t := &RatioTest{ratio: ratio, next: first, last: last}
	for _, size := range sizes {
		bar, err := numeric.StudentT(1-alpha/float64(len(sizes)), size-1)
		if err != nil {
			return nil, err
		}
		t.bars = append(t.bars, bar)
	}
	return t, nil
}

// Add gives the test a pair and returns the verdict. Once the verdict is not Open, further pairs are ignored.
func (t *RatioTest) Add(x, y float64) Verdict {
	if t.verdict != Open {
		return t.verdict
	}
	t.sums.Add(x-t.ratio*y, y)
	if t.sums.N() == t.next {
		t.look()
	}
	return t.verdict
}

func (t *RatioTest) look() {
	residual, deviation := t.sums.Residual()
	bar := t.bars[0] * deviation
	t.bars = t.bars[1:]
	switch {
	case residual > bar:
		t.verdict = Above
	case residual < -bar:
		t.verdict = Below
	case t.sums.N() == t.last:
		t.verdict = Kept
	}
	t.next = after(t.next, t.last)
}

// Verdict returns the verdict on the pairs taken so far.
func (t *RatioTest) Verdict() Verdict { return t.verdict }

// N returns the number of pairs taken.
func (t *RatioTest) N() uint64 { return t.sums.N() }

// String returns the verdict with its figures, such as
// "above: ratio 0.0213 of 128 pairs, claimed 0.0200, 5.94 standard errors".
func (t *RatioTest) String() string {
	residual, deviation := t.sums.Residual()
	return fmt.Sprintf("%v: ratio %.6g of %d pairs, claimed %.6g, %+.2f standard errors", t.verdict, t.ratio+residual/t.sums.MeanY(), t.sums.N(), t.ratio, residual/deviation)
}
