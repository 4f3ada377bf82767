package sequential_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/sequential"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/stat"
)

// calibrate counts the alarms of many runs at alpha, whose exact 99.99% interval must reach
// down to alpha.
func calibrate(t *testing.T, name string, alpha float64, runs uint64, alarm func() bool) {
	t.Helper()
	var alarms uint64
	for range runs {
		if alarm() {
			alarms++
		}
	}
	lo, hi, err := stat.ClopperPearson(alarms, runs, 0.9999)
	if err != nil || lo > alpha {
		t.Errorf("%s: alpha %v, but %d alarms in %d runs, [%.5f, %.5f], %v", name, alpha, alarms, runs, lo, hi, err)
	}
	t.Logf("%s: alpha %v, %d alarms in %d runs", name, alpha, alarms, runs)
}

func calibrationRuns() uint64 {
	if !longtest.Enabled() {
		return 500
	}
	return 3000
}

// The mean of the samples is the claim's, and the test is asked after each of 400.
func TestBetTestCalibration(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range sequential.Sequences() {
		for _, alpha := range []float64{1e-2, 1e-3} {
			calibrate(t, s.Name, alpha, calibrationRuns(), func() bool {
				test, err := sequential.NewBetTest(s.Law.Mean, s.Law.Mean, alpha)
				if err != nil {
					t.Fatal(err)
				}
				for range 400 {
					if test.Add(s.Draw(r)) != sequential.Open {
						return true
					}
				}
				return false
			})
		}
	}
}

// Counts of trials, and of urns that balls occupy: of all of them, and of a part.
func TestCountTestCalibration(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const urns, balls, part = 16, 11, 5
	p := -math.Expm1(balls * math.Log1p(-1.0/urns))
	occupied := func(of int) float64 {
		var mask uint32
		for range balls {
			mask |= 1 << r.IntN(urns)
		}
		n := 0
		for i := range of {
			n += int(mask >> i & 1)
		}
		return float64(n)
	}
	binomial := func(n int, p float64) (x float64) {
		for range n {
			if r.Float64() < p {
				x++
			}
		}
		return x
	}
	for _, c := range []struct {
		name   string
		trials int
		p      float64
		draw   func() float64
	}{
		{"one rare trial", 1, 0.003, func() float64 { return binomial(1, 0.003) }},
		{"20 trials", 20, 0.4, func() float64 { return binomial(20, 0.4) }},
		{"urns", urns, p, func() float64 { return occupied(urns) }},
		{"some of the urns", part, p, func() float64 { return occupied(part) }},
	} {
		for _, alpha := range []float64{1e-2, 1e-3} {
			calibrate(t, c.name, alpha, calibrationRuns(), func() bool {
				test, err := sequential.NewCountTest(alpha)
				if err != nil {
					t.Fatal(err)
				}
				for range 40 {
					if test.Add(c.draw(), float64(c.trials), c.p, c.p) != sequential.Open {
						return true
					}
				}
				return false
			})
		}
	}
}

// At alpha = 1e-8 a shift of 9 standard deviations of the mean of all samples is found in
// at least 75 of 100 runs on either side, a gross one at once.
func TestBetTestPower(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const last, runs, alpha = 1 << 13, 100, 1e-8
	for _, s := range sequential.Sequences()[1:] {
		shift := 9 * math.Sqrt(s.Law.Variance/last)
		for _, side := range []struct {
			want sequential.Verdict
			mean float64
		}{{sequential.Above, s.Law.Mean - shift}, {sequential.Below, s.Law.Mean + shift}} {
			found := 0
			for range runs {
				test, err := sequential.NewBetTest(side.mean, side.mean, alpha)
				if err != nil {
					t.Fatal(err)
				}
				for range last {
					if test.Add(s.Draw(r)) != sequential.Open {
						break
					}
				}
				if test.Verdict() == side.want {
					found++
				}
			}
			if found < 75 {
				t.Errorf("%s: a shift of %v to %v was found in %d of %d runs only", s.Name, shift, side.want, found, runs)
			}
		}
	}
	test, err := sequential.NewBetTest(1e-15, 1e-15, alpha)
	if err != nil || test.Add(0.001) != sequential.Above {
		t.Errorf("what hardly ever happens: %v, %v", test, err)
	}
}

func TestCountTestPower(t *testing.T) {
	for _, c := range []struct {
		x, trials, lo, hi float64
		want              sequential.Verdict
	}{
		{5e5 + 4000, 1e6, 0.5, 0.5, sequential.Above}, // 8 standard deviations
		{5e5 - 4000, 1e6, 0.5, 0.5, sequential.Below},
		{5e5 + 1500, 1e6, 0.5, 0.5, sequential.Open}, // 3
		{5e5 + 4000, 1e6, 0.5, 0.504, sequential.Open},
		{30, 1e9, 1e-9, 1e-9, sequential.Above},
		{0, 1e9, 1e-6, 1e-6, sequential.Below},
		{1, 5, 0, 0, sequential.Open}, // p = 0 makes it impossible, but the odds of the gamblers are finite
		{6, 5, 0.5, 0.5, sequential.Above},
		{-1, 5, 0.5, 0.5, sequential.Below},
		{math.NaN(), 5, 0.5, 0.5, sequential.Above},
	} {
		test, err := sequential.NewCountTest(1e-8)
		if err != nil || test.Add(c.x, c.trials, c.lo, c.hi) != c.want {
			t.Errorf("%v of %v at %v to %v: %v, %v, want %v", c.x, c.trials, c.lo, c.hi, test, err, c.want)
		}
	}
}

// The range holds its level exactly: the tails of binomial variables, summed.
func TestCountRange(t *testing.T) {
	for _, n := range []int{1, 7, 60, 400} {
		for _, p := range []float64{0.003, 0.2, 0.5, 0.97} {
			for _, alpha := range []float64{0.1, 1e-3, 1e-9} {
				a, b, err := sequential.CountRange(float64(n), p, p, alpha)
				if err != nil {
					t.Fatal(err)
				}
				lower, upper := 0.0, 0.0
				for x := range n + 1 {
					all, _ := math.Lgamma(float64(n + 1))
					in, _ := math.Lgamma(float64(x + 1))
					out, _ := math.Lgamma(float64(n - x + 1))
					mass := math.Exp(all - in - out + float64(x)*math.Log(p) + float64(n-x)*math.Log1p(-p))
					if float64(x) < a {
						lower += mass
					}
					if float64(x) > b {
						upper += mass
					}
				}
				if lower > alpha/2 || upper > alpha/2 {
					t.Errorf("n=%d p=%v alpha=%v: [%v, %v] is left with probabilities %v, %v", n, p, alpha, a, b, lower, upper)
				}
				wide := math.Sqrt(2*float64(n)*p*(1-p)*math.Log(2/alpha)) + math.Log(2/alpha)
				if a < float64(n)*p-wide || b > float64(n)*p+wide {
					t.Errorf("n=%d p=%v alpha=%v: [%v, %v] is wider than Bernstein's", n, p, alpha, a, b)
				}
			}
		}
	}
	if a, b, err := sequential.CountRange(10, 0, 1, 0.1); a != 0 || b != 10 || err != nil {
		t.Errorf("any p: [%v, %v], %v", a, b, err)
	}
	if a, b, err := sequential.CountRange(10, 0, 0, 0.1); a != 0 || b > 1e-7 || err != nil {
		t.Errorf("p = 0: [%v, %v], %v", a, b, err)
	}
}

func TestBetErrors(t *testing.T) {
	bet := func(lo, hi, alpha float64) error { _, err := sequential.NewBetTest(lo, hi, alpha); return err }
	count := func(alpha float64) error { _, err := sequential.NewCountTest(alpha); return err }
	between := func(n, lo, hi, alpha float64) error { _, _, err := sequential.CountRange(n, lo, hi, alpha); return err }
	for _, row := range []struct {
		param string
		err   error
	}{
		{"lo", bet(-0.1, 0.5, 0.1)}, {"lo", bet(1, 1, 0.1)}, {"lo", bet(math.NaN(), 1, 0.1)},
		{"hi", bet(0, 0, 0.1)}, {"hi", bet(0.5, 0.4, 0.1)}, {"hi", bet(0.5, 1.1, 0.1)}, {"hi", bet(0.5, math.NaN(), 0.1)},
		{"alpha", bet(0.5, 0.5, 0)}, {"alpha", bet(0.5, 0.5, 1)}, {"alpha", count(math.NaN())}, {"alpha", count(1e-101)},
		{"trials", between(-1, 0, 1, 0.1)}, {"trials", between(math.NaN(), 0, 1, 0.1)}, {"lo", between(1, 0.5, 0.4, 0.1)},
		{"lo", between(1, -1, 0.4, 0.1)}, {"lo", between(1, 0.5, 1.4, 0.1)}, {"alpha", between(1, 0.5, 0.5, 0)},
	} {
		var p *bloomproof.ParamError
		if !errors.As(row.err, &p) || p.Param != row.param {
			t.Errorf("error %v, want one about %s", row.err, row.param)
		}
	}
}

func ExampleBetTest() {
	// A coin that is said to be fair shows three heads in four throws.
	test, err := sequential.NewBetTest(0.5, 0.5, 1e-6)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := 0; test.Verdict() == sequential.Open; i++ {
		head := 1.0
		if i%4 == 3 {
			head = 0
		}
		test.Add(head)
	}
	fmt.Println(test)
	// Output: above: mean 0.753846 of 130 samples, claimed 0.5
}

func ExampleCountRange() {
	// How many of 1000 throws of a fair coin may be heads?
	a, b, err := sequential.CountRange(1000, 0.5, 0.5, 1e-6)
	fmt.Printf("%.0f to %.0f %v\n", a, b, err)
	// Output: 415 to 585 <nil>
}
