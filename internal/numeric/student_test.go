package numeric_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/numeric"
)

// studentTail is P[|T| > t] by the finite sums of Abramowitz and Stegun 26.7.3 and
// 26.7.4, which cancel: fit for tails well above 1e-16.
func studentTail(t float64, df int) float64 {
	theta := math.Atan(t / math.Sqrt(float64(df)))
	sin, cos := math.Sincos(theta)
	sum, term := 0.0, 1.0
	if df%2 == 0 {
		for j := 0; j <= df-2; j += 2 {
			sum += term
			term *= cos * cos * float64(j+1) / float64(j+2)
		}
		return 1 - sin*sum
	}
	term = cos
	for j := 1; j <= df-2; j += 2 {
		sum += term
		term *= cos * cos * float64(j+1) / float64(j+2)
	}
	return 1 - 2/math.Pi*(theta+sin*sum)
}

func TestStudentT(t *testing.T) {
	for _, df := range []int{1, 2, 3, 4, 5, 9, 19, 20, 99, 100, 999, 1000} {
		for _, confidence := range []float64{1e-3, 0.1, 0.5, 0.9, 0.99, 0.999, 1 - 1e-4} {
			x, err := numeric.StudentT(confidence, uint64(df))
			if err != nil {
				t.Fatal(err)
			}
			want := 1 - confidence
			if got := studentTail(x, df); math.Abs(got-want) > 1e-10*want+1e-14*float64(df) {
				t.Errorf("df=%d confidence=%v: t=%v leaves %.15g, want %.15g", df, confidence, x, got, want)
			}
		}
	}
	// Printed tables, and the limit: the normal law.
	for _, row := range []struct {
		df         uint64
		confidence float64
		want       float64
	}{{1, 0.99, 63.65674}, {2, 0.99, 9.924843}, {19, 0.99, 2.860935}, {30, 0.95, 2.042272}, {1 << 40, 0.99, 2.575829}, {1 << 40, 1 - 1e-9, 6.109410}} {
		if got, err := numeric.StudentT(row.confidence, row.df); err != nil || math.Abs(got/row.want-1) > 1e-6 {
			t.Errorf("df=%d confidence=%v: %v, %v; want %v", row.df, row.confidence, got, err, row.want)
		}
	}
}

// The interval of a mean and of a ratio covers the truth as often as it says, here over
// many samples of five pairs with nearly normal residuals.
func TestRatioCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	const trials, pairs = 5000, 5
	for _, dependent := range []bool{false, true} {
		missed := 0
		for range trials {
			var s numeric.Sums
			for range pairs {
				y := 1.0
				if dependent {
					y = 1 + 0.05*rng.NormFloat64()
				}
				s.Add(0.3*y+0.1*rng.NormFloat64(), y)
			}
			_, lo, hi, err := s.Ratio(0.95)
			if err != nil {
				t.Fatal(err)
			}
			if lo > 0.3 || hi < 0.3 {
				missed++
			}
		}
		// 5 %, 6 standard deviations of 0.31 % each.
		if p := float64(missed) / trials; math.Abs(p-0.05) > 0.0186 {
			t.Errorf("dependent=%t: an interval of 95 %% misses in %.2f %%", dependent, 100*p)
		}
	}
}

func TestRatioByHand(t *testing.T) {
	var s numeric.Sums
	for _, pair := range [][2]float64{{1, 2}, {2, 2}, {3, 8}} {
		s.Add(pair[0], pair[1])
	}
	// r = 6/12; residuals 0, 1, -1: variance 1; t of 2 degrees at 50 %: sqrt(2/3).
	mean, lo, hi, err := s.Ratio(0.5)
	d := math.Sqrt(2.0/3) / (4 * math.Sqrt(3))
	if err != nil || mean != 0.5 || math.Abs(lo-0.5+d) > 1e-12 || math.Abs(hi-0.5-d) > 1e-12 || s.N() != 3 {
		t.Errorf("%v [%v, %v], %v; want 0.5 +- %v", mean, lo, hi, err, d)
	}
}

func TestStudentErrors(t *testing.T) {
	var one, zero numeric.Sums
	one.Add(1, 1)
	zero.Add(1, 0)
	zero.Add(2, 0)
	ratio := func(s numeric.Sums, c float64) error { _, _, _, err := s.Ratio(c); return err }
	student := func(c float64, df uint64) error { _, err := numeric.StudentT(c, df); return err }
	ok := zero
	ok.Add(1, 1)
	for _, row := range []struct {
		param string
		err   error
	}{
		{"df", student(0.5, 0)}, {"df", student(0.5, 1<<41)},
		{"confidence", student(0, 1)}, {"confidence", student(1, 1)}, {"confidence", student(math.NaN(), 1)},
		{"n", ratio(one, 0.9)}, {"y", ratio(zero, 0.9)}, {"confidence", ratio(ok, 1)},
	} {
		var p *bloomproof.ParamError
		if !errors.As(row.err, &p) || p.Param != row.param {
			t.Errorf("error %v, want one about %s", row.err, row.param)
		}
	}
}
