package sequential

import (
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof"
)

// Law is the claim that a MeanTest tests. The claim says that the samples are independent and lie in [0, 1]. It also
// gives their mean and their variance. A variance that is too large only makes the test less sensitive. A variance that
// is too small makes the test wrong.
type Law struct {
	Mean, Variance float64
}

// Verdict is the result of a test so far.
type Verdict uint8

const (
	// Open is the verdict that no deviation was found so far. More samples can be drawn.
	Open Verdict = iota
	// Kept is the verdict that no deviation was found. All samples have been drawn.
	Kept
	// Above is the verdict that the samples have a larger mean than the tested Law.
	Above
	// Below is the verdict that the samples have a smaller mean than the tested Law.
	Below
)

// String returns "open", "kept", "above" or "below".
func (v Verdict) String() string {
	if int(v) < 4 {
		return [...]string{"open", "kept", "above", "below"}[v]
	}
	return fmt.Sprintf("Verdict(%d)", uint8(v))
}

// MeanTest is a sequential test. It examines whether samples agree with a Law. It looks at the samples only at these
// sample sizes:
//
//	first, 2*first, 4*first, ..., last.
//
// The numbers "first" and "last" are arguments of NewMeanTest. The test stops at the first look that shows a deviation.
//
// Let x be the mean of the first n samples. The test uses Bennett's bound:
//
//	P[x - mean >= d] <= exp(-n v/b^2 h(b d/v)).
//
// Here h(u) is (1+u) ln(1+u) - u, and v is the variance. The number b is 1 - mean: no sample can exceed the mean by
// more than this. Let L be the number of times that the test looks at the samples. The verdict is Above if this bound
// is at most alpha/(2 L) for d = x - mean. The verdict is Below under the same condition, with d = mean - x and b =
// mean. The bound holds for every n and every distribution on [0, 1]. The test uses no normal approximation. At a tail
// probability of 1e-6, such an approximation can be wrong by many times 1e-6. If n*v is large, Bennett's bound reaches
// 1e-6 at about 5.3 standard deviations. The tail of the normal distribution reaches 1e-6 at 4.8 standard deviations.
// So this test needs about a quarter more samples than a test with the normal approximation.
type MeanTest struct {
	law      Law
	bar      float64 // ln(2 looks/alpha)
	looks    int
	n, last  uint64
	next     uint64  // size of the next look
	sum, low float64 // sum of sample - mean, and its compensation (Kahan)
	verdict  Verdict
}

// NewMeanTest returns the test of law with false-alarm probability at most alpha. The test looks at the samples only at
// these sample sizes:
//
//	first, 2*first, 4*first, ..., last.
//
// Source: Bennett, JASA 57 (1962), inequality (8b). A union bound covers all looks and both directions of a deviation.
// Domain: 0 < law.Mean < 1; 0 < law.Variance <= law.Mean*(1-law.Mean); 1e-100 <= alpha < 1; 1 <= first <= last. The
// bound of law.Variance is the largest possible variance.
// Error: the false-alarm probability is at most alpha. The test TestMeanTestCalibration measures it.
// Cost: O(1) for each sample, without allocation.
// Errors: *bloomproof.ParamError.
func NewMeanTest(law Law, alpha float64, first, last uint64) (*MeanTest, error) {
	// The caller may have computed the variance as mean*(1-mean) with different rounding errors. The relative slack of
	// 1e-12 admits such a variance.
	most := law.Mean * (1 - law.Mean) * (1 + 1e-12)
	switch {
	case !(law.Mean > 0 && law.Mean < 1):
		return nil, &bloomproof.ParamError{Param: "mean", Value: law.Mean, Want: "between 0 and 1, both excluded"}
	case !(law.Variance > 0 && law.Variance <= most):
		return nil, &bloomproof.ParamError{Param: "variance", Value: law.Variance, Want: fmt.Sprintf("positive and at most mean (1-mean) = %v", most)}
	case !(alpha >= 1e-100 && alpha < 1):
		return nil, &bloomproof.ParamError{Param: "alpha", Value: alpha, Want: "between 1e-100 and 1, 1 excluded"}
	case first < 1:
		return nil, &bloomproof.ParamError{Param: "first", Value: first, Want: "at least 1"}
	case last < first:
		return nil, &bloomproof.ParamError{Param: "last", Value: last, Want: fmt.Sprintf("at least first = %d", first)}
	}
	looks := 1
	for size := first; size < last; size = after(size, last) {
		looks++
	}
	return &MeanTest{law: law, bar: math.Log(2 * float64(looks) / alpha), looks: looks, next: first, last: last}, nil
}

// The test looks at the mean only at certain numbers of samples. If the argument "size" is one of these numbers, the
// function "after" returns the next of them.
func after(size, last uint64) uint64 {
	if size > last/2 {
		return last
	}
	return 2 * size
}

// Add gives the test one sample in [0, 1] and returns the verdict. Once the verdict is not Open, further samples are
// ignored. A sample outside [0, 1], or NaN, contradicts the law. The verdict is then Above or Below at once. For NaN it
// is Above.
func (t *MeanTest) Add(sample float64) Verdict {
	if t.verdict != Open {
		return t.verdict
	}
	if !(sample >= 0 && sample <= 1) {
		t.verdict = Above
		if sample < 0 {
			t.verdict = Below
		}
		return t.verdict
	}
	y := sample - t.law.Mean - t.low
	s := t.sum + y
	t.low = float64(s-t.sum) - y
	t.sum = s
	t.n++
	if t.n == t.next {
		t.look()
	}
	return t.verdict
}

func (t *MeanTest) look() {
	d := t.sum / float64(t.n)
	switch {
	case t.exponent(d) < t.bar:
	case d > 0:
		t.verdict = Above
	default:
		t.verdict = Below
	}
	if t.verdict == Open && t.n == t.last {
		t.verdict = Kept
	}
	t.next = after(t.next, t.last)
}

// The method "exponent" returns the number x = (n v/b^2) h(b |d|/v). The comment of MeanTest defines the letters of
// this formula. Bennett's bound for the deviation d is e^(-x).
func (t *MeanTest) exponent(d float64) float64 {
	b := t.law.Mean
	if d > 0 {
		b = 1 - b
	}
	u := b * math.Abs(d) / t.law.Variance
	h := u * u / (2 * (1 + u/3)) // at most h(u): Bernstein's form, equal up to u^4/36
	if u > 1e-4 {
		h = (1+u)*math.Log1p(u) - u
	}
	return float64(t.n) * t.law.Variance / (b * b) * h
}

// Verdict returns the verdict on the samples taken so far.
func (t *MeanTest) Verdict() Verdict { return t.verdict }

// The method "deviation" returns two numbers. The number d is the mean of the samples minus the mean of the law. The
// number z is d divided by the standard deviation of the mean of the samples. Both are 0 before the first sample.
func (t *MeanTest) deviation() (d, z float64) {
	if t.n == 0 {
		return 0, 0
	}
	d = t.sum / float64(t.n)
	return d, d / math.Sqrt(t.law.Variance/float64(t.n))
}

// String returns the verdict and the figures behind it, for example:
//
//	above: mean 0.0213 of 4096 samples, law 0.0200, 5.94 standard deviations
func (t *MeanTest) String() string {
	d, z := t.deviation()
	return fmt.Sprintf("%v: mean %.6g of %d samples, law %.6g, %+.2f standard deviations", t.verdict, t.law.Mean+d, t.n, t.law.Mean, z)
}
