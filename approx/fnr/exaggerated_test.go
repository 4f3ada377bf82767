package fnr

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// An error bound is a sum of terms, or the largest of some terms. In usual filters one term is far above the others. A
// test that compares such a bound with its formula, or with an error, does not notice that another term is missing. The
// tests of the files exaggerated_NAME_test.go therefore exaggerate what causes the errors. They choose the error of a
// curve, of a load or of a filling. Each of these numbers is 0 or is drawn from many powers of ten. The tests compute
// the bounds a second time, term by term, from the formulas in the comments. The two values must agree in their first
// digits, as far as float64 permits. A ledger checks that each term was visible in its sum in some of the cases.

// A ledger records the terms of sums. For each term it holds the largest share of the sum that the term had in any
// case.
type ledger map[string]float64

// A term is a part of the sum with the name "of".
type term struct {
	name  string
	value float64
}

// The method "sum" returns the sum of the terms, and records their shares. All terms must be at least 0.
func (l ledger) sum(of string, terms ...term) (sum float64) {
	for _, x := range terms {
		sum += x.value
	}
	for _, x := range terms {
		share := 0.0
		if sum > 0 && sum < math.Inf(1) {
			share = x.value / sum
		}
		l[of+": "+x.name] = max(l[of+": "+x.name], share)
	}
	return sum
}

// The method "largest" returns the largest of the terms. It records which of them was the largest in any case.
func (l ledger) largest(of string, terms ...term) (most float64) {
	for _, x := range terms {
		most = max(most, x.value)
	}
	for _, x := range terms {
		share := 0.0
		if x.value == most && most > 0 && most < math.Inf(1) {
			share = 1
		}
		l[of+": "+x.name] = max(l[of+": "+x.name], share)
	}
	return most
}

// In some case each term must be at least leastShare of its sum. The two values of a bound agree to sameDigits, so the
// test then sees whether the term is right.
const (
	leastShare = 1e-6
	sameDigits = 1e-10
)

// The method "check" fails if a term never was leastShare of its sum.
func (l ledger) check(t *testing.T) {
	t.Helper()
	for name, share := range l {
		if !(share >= leastShare) {
			t.Errorf("%s: at most %.2g of the sum in all cases: the test does not show this term", name, share)
		}
	}
}

// The type "sources" draws the causes of errors.
type sources struct{ *rand.Rand }

func newSources(t *testing.T, seed uint64) sources {
	if testing.Short() {
		t.Skip("-short leaves this test out, because it takes seconds under an emulator; make test runs it")
	}
	return sources{rand.New(rand.NewPCG(seed, 1))}
}

// The method "between" returns a number from low to high. Its logarithm is uniformly distributed.
func (s sources) between(low, high float64) float64 {
	return low * math.Exp(s.Float64()*math.Log(high/low))
}

// The method "off" returns 0 in one of three cases, and otherwise a relative error from 10^-16 to 1/100.
func (s sources) off() float64 {
	if s.IntN(3) == 0 {
		return 0
	}
	return s.between(1e-16, 1e-2)
}

// A loud curve is a curve whose errors are chosen by a test.
type loud struct {
	curve
	off       float64 // the error for few arrivals
	scale     float64 // the number of arrivals at which the error has doubled
	low, high float64
}

func (x loud) err(n float64) float64            { return x.off * (1 + n/x.scale) }
func (x loud) kept(_, _ float64) (_, _ float64) { return x.low, x.high }
func (s sources) loud(m curve, scale float64) loud {
	high := s.off() * 100
	return loud{m, s.off(), scale, high * s.Float64(), high}
}

// The method curveOf returns the curve of the system c for about n arrivals. A steady curve gets drawn errors. The
// function "other" makes the curve if there is no steady one.
func (s sources) curveOf(t *testing.T, c *System, n float64, other func(*traffic) curve) curve {
	t.Helper()
	steady, err := newSteady(c.w)
	if err != nil {
		t.Fatal(err)
	}
	if steady != nil {
		return s.loud(steady, n)
	}
	traffic, err := c.traffic()
	if err != nil {
		t.Fatal(err)
	}
	return other(traffic)
}

// agree fails unless two values of a forecast are the same up to rounding.
func agree(t *testing.T, what any, got, want Forecast) {
	t.Helper()
	numbers := func(f Forecast) map[string]float64 {
		return map[string]float64{"FNR": f.FNR, "Lucky": f.Lucky, "FPR": f.FPR, "FPRPerNew": f.FPRPerNew,
			"FPRPerCycleNew": f.FPRPerCycleNew, "Cycle": f.Cycle, "Bound": f.Bound, "Estimated": f.Estimated}
	}
	others := numbers(want)
	for name, x := range numbers(got) {
		y := others[name]
		scale := math.Abs(y)
		if name == "Estimated" {
			scale = max(scale, 1e-3*want.Bound) // it is a difference
		}
		if !(math.Abs(x-y) <= sameDigits*scale) {
			t.Errorf("%+v: %s is %.15g, computed again %.15g", what, name, x, y)
		}
	}
	if got.Valid != want.Valid || got.Note != want.Note || got.Assumes != want.Assumes {
		t.Errorf("%+v: %v %q %q, again %v %q %q", what, got.Valid, got.Note, got.Assumes, want.Valid, want.Note, want.Assumes)
	}
}

// exaggeratedWorkloads returns workloads with steady and with shifting curves.
func exaggeratedWorkloads() []bloomproof.Workload {
	return []bloomproof.Workload{
		lastOf(bloomproof.Zipf(1, 1000), 0.9), lastOf(bloomproof.Uniform(1<<40), 0.5),
		{Popularity: bloomproof.BiUniform(1<<10, 0x1p-11, 1<<40), Repeat: 1},
		{Popularity: bloomproof.Zipf(1, 12), Repeat: 0.7, Arrivals: bloomproof.ArrivalPopularity},
	}
}
