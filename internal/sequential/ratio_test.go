package sequential_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/numeric"
	"github.com/bloomproof/bloomproof/internal/sequential"
)

// pairs runs a test of the ratio 0.3 on normal pairs whose true ratio is shifted.
func pairs(t *testing.T, rng *rand.Rand, alpha, shift float64) *sequential.RatioTest {
	t.Helper()
	test, err := sequential.NewRatioTest(0.3, alpha, 8, 32)
	if err != nil {
		t.Fatal(err)
	}
	for test.Verdict() == sequential.Open {
		y := 2 + 0.5*rng.NormFloat64()
		test.Add((0.3+shift)*y+0.1*rng.NormFloat64(), y)
	}
	return test
}

// A true claim is rejected at most as often as stated, and not far less; a false one in
// its own direction, at the first look when it is grossly false.
func TestRatioTestCalibration(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const trials = 4000
	rejected := 0
	for range trials {
		if v := pairs(t, rng, 0.05, 0).Verdict(); v != sequential.Kept {
			rejected++
		}
	}
	// At most 5 %, and at least 5/3 % by the look at which most remain; 5 deviations.
	if p := float64(rejected) / trials; p > 0.05+0.018 || p < 0.05/3-0.01 {
		t.Errorf("a true claim is rejected with probability %v, want about 0.04", p)
	}
	for _, row := range []struct {
		shift float64
		want  sequential.Verdict
	}{{0.3, sequential.Above}, {-0.3, sequential.Below}} {
		if test := pairs(t, rng, 0.01, row.shift); test.Verdict() != row.want || test.N() != 8 {
			t.Errorf("shift %v: %v", row.shift, test)
		}
	}
	if test := pairs(t, rng, 1e-4, 0.05); test.Verdict() != sequential.Above || test.N() == 8 {
		t.Errorf("a small shift: %v", test)
	}
}

// Where a look rejects: sums of -1 and 1 about the claim, then one more on a side.
func TestRatioTestByHand(t *testing.T) {
	bar, err := numeric.StudentT(0.99, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, sign := range []float64{1, -1} {
		broken := sequential.Above
		if sign < 0 {
			broken = sequential.Below
		}
		for factor, want := range map[float64]sequential.Verdict{1 - 1e-9: sequential.Kept, 1 + 1e-9: broken} {
			// Residuals -1, -1, 1, 1 moved by d: mean d, variance 4/3, standard error 1/sqrt 3.
			d := sign * factor * bar / math.Sqrt(3)
			test, err := sequential.NewRatioTest(2, 0.01, 4, 4)
			if err != nil {
				t.Fatal(err)
			}
			for i, r := range []float64{-1, -1, 1, 1} {
				test.Add(2*float64(i)+r+d, float64(i))
			}
			if test.Verdict() != want || test.Add(100, 1) != want || test.N() != 4 {
				t.Errorf("d=%v: %v, want %v", d, test, want)
			}
		}
	}
}

func TestRatioTestErrors(t *testing.T) {
	open := func(ratio, alpha float64, first, last uint64) error {
		_, err := sequential.NewRatioTest(ratio, alpha, first, last)
		return err
	}
	for _, row := range []struct {
		param string
		err   error
	}{
		{"ratio", open(math.NaN(), 0.1, 2, 3)}, {"ratio", open(math.Inf(1), 0.1, 2, 3)},
		{"alpha", open(1, 0, 2, 3)}, {"alpha", open(1, 1, 2, 3)}, {"alpha", open(1, math.NaN(), 2, 3)},
		{"first", open(1, 0.1, 1, 3)}, {"last", open(1, 0.1, 4, 3)}, {"last", open(1, 0.1, 4, 1<<41)},
	} {
		var p *bloomproof.ParamError
		if !errors.As(row.err, &p) || p.Param != row.param {
			t.Errorf("error %v, want one about %s", row.err, row.param)
		}
	}
}

func ExampleRatioTest() {
	// Runs of a filter: do they hit once in ten trials?
	test, err := sequential.NewRatioTest(0.1, 1e-6, 16, 64)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := 0; test.Verdict() == sequential.Open; i++ {
		test.Add(float64(11+i%3), 100)
	}
	fmt.Println(test)
	// Output: above: ratio 0.119375 of 16 pairs, claimed 0.1, +9.08 standard errors
}
