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

// run plays one test to its end on draws shifted by chance: with probability shift a
// sample is replaced by 1.
func run(t *testing.T, s sequential.Sequence, alpha float64, first, last uint64, shift float64, r *rand.Rand) *sequential.MeanTest {
	m, err := sequential.NewMeanTest(s.Law, alpha, first, last)
	if err != nil {
		t.Fatal(err)
	}
	for m.Verdict() == sequential.Open {
		x := s.Draw(r)
		if shift > 0 && r.Float64() < shift {
			x = 1
		}
		m.Add(x)
	}
	return m
}

// The false-alarm probability is measured at alpha = 0.05 and 0.01: its exact 99.99%
// interval must reach down to alpha. That the test alarms at all is in TestMeanTestPower.
func TestMeanTestCalibration(t *testing.T) {
	runs := uint64(10000)
	if !longtest.Enabled() {
		runs /= 5
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range sequential.Sequences() {
		for _, alpha := range []float64{0.05, 0.01} {
			var alarms uint64
			for range runs {
				if run(t, s, alpha, 64, 512, 0, r).Verdict() != sequential.Kept {
					alarms++
				}
			}
			lo, hi, err := stat.ClopperPearson(alarms, runs, 0.9999)
			if err != nil || lo > alpha {
				t.Errorf("%s: alpha %v, but %d alarms in %d runs, [%.4f, %.4f], %v", s.Name, alpha, alarms, runs, lo, hi, err)
			}
			t.Logf("%s: alpha %v, %d alarms in %d runs", s.Name, alpha, alarms, runs)
		}
	}
}

// A shift of 7.5 standard deviations at the last look is found at alpha = 1e-6 in at
// least 85 of 100 runs in each direction. The normal test with its 9 looks would find
// half of the shifts of 5.3, Bennett's bound half of those of 5.8.
func TestMeanTestPower(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const last, runs = 1 << 14, 100
	for _, s := range sequential.Sequences()[1:] {
		shift := 7.5 * math.Sqrt(s.Law.Variance/last)
		up := sequential.Law{Mean: s.Law.Mean, Variance: s.Law.Variance}
		// Tested against a law that is off by shift, on either side.
		for _, side := range []struct {
			want sequential.Verdict
			mean float64
		}{{sequential.Above, s.Law.Mean - shift}, {sequential.Below, s.Law.Mean + shift}} {
			wrong := s
			wrong.Law = sequential.Law{Mean: side.mean, Variance: min(up.Variance, side.mean*(1-side.mean))}
			found, draws := 0, uint64(0)
			for range runs {
				m := run(t, wrong, 1e-6, 64, last, 0, r)
				draws += m.N()
				switch m.Verdict() {
				case side.want:
					found++
				case sequential.Kept:
				default:
					t.Errorf("%s: %v, want %v", s.Name, m, side.want)
				}
			}
			if found < 85 {
				t.Errorf("%s: a shift of %v to %v was found in %d of %d runs only", s.Name, shift, side.want, found, runs)
			}
		}
	}
	// A gross shift is found at an early look.
	if m := run(t, sequential.Bernoulli(0.1), 1e-6, 64, 1<<30, 0.9, r); m.Verdict() != sequential.Above || m.N() != 64 {
		t.Errorf("gross shift: %v", m)
	}
}

func TestMeanTestOddSamples(t *testing.T) {
	law := sequential.Law{Mean: 0.5, Variance: 0.25}
	for _, row := range []struct {
		sample float64
		want   sequential.Verdict
	}{{-1e-9, sequential.Below}, {1.1, sequential.Above}, {math.NaN(), sequential.Above}, {math.Inf(1), sequential.Above}, {0, sequential.Open}, {1, sequential.Open}} {
		m, err := sequential.NewMeanTest(law, 1e-3, 10, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Add(row.sample); got != row.want {
			t.Errorf("sample %v: %v, want %v", row.sample, got, row.want)
		}
	}
}

func TestMeanTestLooks(t *testing.T) {
	for _, row := range []struct {
		first, last uint64
		looks       int
	}{{1, 1, 1}, {1, 2, 2}, {10, 40, 3}, {10, 41, 4}, {1, math.MaxUint64, 65}, {5, 9, 2}} {
		m, err := sequential.NewMeanTest(sequential.Law{Mean: 0.5, Variance: 0.25}, 1e-3, row.first, row.last)
		if err != nil || m.Looks() != row.looks {
			t.Errorf("%d to %d: %d looks, %v; want %d", row.first, row.last, m.Looks(), err, row.looks)
		}
	}
	m, err := sequential.NewMeanTest(sequential.Law{Mean: 0.5, Variance: 0.25}, 1e-3, 10, 41)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 41 {
		if m.Verdict() != sequential.Open {
			t.Fatalf("%v after %d samples", m, i)
		}
		m.Add(float64(i & 1))
	}
	if m.Verdict() != sequential.Kept || m.N() != 41 {
		t.Errorf("after 41 samples: %v", m)
	}
}

func TestMeanTestErrors(t *testing.T) {
	law := sequential.Law{Mean: 0.5, Variance: 0.25}
	mean := func(l sequential.Law, alpha float64, first, last uint64) error {
		_, err := sequential.NewMeanTest(l, alpha, first, last)
		return err
	}
	nan := math.NaN()
	for _, row := range []struct {
		param string
		err   error
	}{
		{"mean", mean(sequential.Law{Mean: 0, Variance: 0.1}, 0.1, 1, 2)},
		{"mean", mean(sequential.Law{Mean: nan, Variance: 0.1}, 0.1, 1, 2)},
		{"variance", mean(sequential.Law{Mean: 0.5, Variance: 0.2501}, 0.1, 1, 2)},
		{"variance", mean(sequential.Law{Mean: 0.5}, 0.1, 1, 2)},
		{"alpha", mean(law, 0, 1, 2)}, {"alpha", mean(law, 1, 1, 2)}, {"alpha", mean(law, nan, 1, 2)},
		{"first", mean(law, 0.1, 0, 2)}, {"last", mean(law, 0.1, 3, 2)},
	} {
		var p *bloomproof.ParamError
		if !errors.As(row.err, &p) || p.Param != row.param {
			t.Errorf("error %v, want one about %s", row.err, row.param)
		}
	}
}

func ExampleMeanTest() {
	// A coin that shows heads in 3 of 5 throws is not fair.
	fair := sequential.Law{Mean: 0.5, Variance: 0.25}
	test, err := sequential.NewMeanTest(fair, 1e-6, 64, 1<<20)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := 0; test.Verdict() == sequential.Open; i++ {
		heads := 0.0
		if i%5 < 3 {
			heads = 1
		}
		test.Add(heads)
	}
	fmt.Println(test)
	// Output: above: mean 0.600586 of 1024 samples, law 0.5, +6.44 standard deviations
}

// TestMeanTestRejectsAtBennett finds where a look begins to reject and compares it with
// the inequality as printed, so that neither side of the bound is left to simulation,
// which its slack would satisfy with a bar that is too low.
func TestMeanTestRejectsAtBennett(t *testing.T) {
	const n = 400
	for _, law := range []sequential.Law{{Mean: 0.5, Variance: 0.25}, {Mean: 0.5, Variance: 1.0 / 12}, {Mean: 0.1, Variance: 0.02}, {Mean: 0.9, Variance: 0.05}} {
		for _, alpha := range []float64{1e-2, 1e-6} {
			for _, up := range []bool{true, false} {
				b, sign := law.Mean, -1.0
				if up {
					b, sign = 1-law.Mean, 1.0
				}
				// One look, two sides: exp(-n v/b^2 h(b d/v)) = alpha/2 at the edge.
				bound := func(d float64) float64 {
					u := b * d / law.Variance
					return math.Exp(-n * law.Variance / (b * b) * ((1+u)*math.Log(1+u) - u))
				}
				low, high := 0.0, b
				for range 60 {
					if d := (low + high) / 2; bound(d) > alpha/2 {
						low = d
					} else {
						high = d
					}
				}
				for _, row := range []struct {
					d      float64
					reject bool
				}{{low * (1 - 1e-6), false}, {low * (1 + 1e-6), true}} {
					m, err := sequential.NewMeanTest(law, alpha, n, n)
					if err != nil {
						t.Fatal(err)
					}
					for range n {
						m.Add(law.Mean + sign*row.d)
					}
					want := sequential.Kept
					if row.reject {
						want = sequential.Below
						if up {
							want = sequential.Above
						}
					}
					if m.Verdict() != want {
						t.Errorf("%v alpha=%g up=%t: at a deviation of %v the verdict is %v, not %v", law, alpha, up, row.d, m.Verdict(), want)
					}
				}
			}
		}
	}
}
