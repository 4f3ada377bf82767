package stat_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/internal/sequential"
	"github.com/bloomproof/bloomproof/verify/stat"
)

func TestClopperPearsonCoverage(t *testing.T) {
	for _, n := range []uint64{1, 2, 5, 20, 60} {
		for _, confidence := range []float64{0.5, 0.9, 0.99} {
			lo, hi := make([]float64, n+1), make([]float64, n+1)
			for h := range n + 1 {
				var err error
				if lo[h], hi[h], err = stat.ClopperPearson(h, n, confidence); err != nil {
					t.Fatal(err)
				}
			}
			grid := append([]float64{0, 1, 1e-9, 1 - 1e-9}, lo...)
			grid = append(grid, hi...) // coverage is least at the intervals' ends
			for i := 1; i < 200; i++ {
				grid = append(grid, float64(i)/200)
			}
			for _, p := range grid {
				covered := 0.0
				for h := range n + 1 {
					if lo[h] <= p && p <= hi[h] {
						ways, _ := new(big.Float).SetInt(new(big.Int).Binomial(int64(n), int64(h))).Float64()
						covered += ways * math.Pow(p, float64(h)) * math.Pow(1-p, float64(n-h))
					}
				}
				if covered < confidence-1e-9 {
					t.Errorf("n=%d confidence=%v: p=%v is covered with probability %v only", n, confidence, p, covered)
				}
			}
		}
	}
}

func TestClopperPearsonClosedForms(t *testing.T) {
	for _, n := range []uint64{1, 10, 1000, 1e6, 1e12} {
		for _, confidence := range []float64{0.9, 0.999} {
			lo, hi, err := stat.ClopperPearson(0, n, confidence)
			want := -math.Expm1(math.Log((1-confidence)/2) / float64(n))
			if err != nil || lo != 0 || math.Abs(hi/want-1) > 1e-9 {
				t.Errorf("0 of %d at %v: [%v, %v], %v; want upper end %v", n, confidence, lo, hi, err, want)
			}
			lo, hi, err = stat.ClopperPearson(n, n, confidence)
			if err != nil || hi != 1 || math.Abs((1-lo)/want-1) > 1e-3 { // 1-lo has lost digits at 1e12
				t.Errorf("%d of %d at %v: [%v, %v], %v", n, n, confidence, lo, hi, err)
			}
		}
	}
	// At large n the interval is the normal one to O(1/sqrt n).
	n, confidence := uint64(1)<<38, 0.99
	const z = 2.5758293035489004 // Abramowitz and Stegun, table 26.5
	lo, hi, err := stat.ClopperPearson(n/4, n, confidence)
	half := z * math.Sqrt(0.25*0.75/float64(n))
	if err != nil || math.Abs((hi-lo)/(2*half)-1) > 1e-4 || lo >= 0.25 || hi <= 0.25 {
		t.Errorf("large n: [%v, %v], %v; normal half width %v", lo, hi, err, half)
	}
}

// run plays one test to its end on draws shifted by chance: with probability shift a
// sample is replaced by 1.
func run(t *testing.T, s sequential.Sequence, alpha float64, first, last uint64, shift float64, r *rand.Rand) *stat.MeanTest {
	m, err := stat.NewMeanTest(s.Law, alpha, first, last)
	if err != nil {
		t.Fatal(err)
	}
	for m.Verdict() == stat.Open {
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
	if testing.Short() {
		runs /= 5
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range sequential.Sequences() {
		for _, alpha := range []float64{0.05, 0.01} {
			var alarms uint64
			for range runs {
				if run(t, s, alpha, 64, 512, 0, r).Verdict() != stat.Kept {
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
		up := stat.Law{Mean: s.Law.Mean, Variance: s.Law.Variance}
		// Tested against a law that is off by shift, on either side.
		for _, side := range []struct {
			want stat.Verdict
			mean float64
		}{{stat.Above, s.Law.Mean - shift}, {stat.Below, s.Law.Mean + shift}} {
			wrong := s
			wrong.Law = stat.Law{Mean: side.mean, Variance: min(up.Variance, side.mean*(1-side.mean))}
			found, draws := 0, uint64(0)
			for range runs {
				m := run(t, wrong, 1e-6, 64, last, 0, r)
				draws += m.N()
				switch m.Verdict() {
				case side.want:
					found++
				case stat.Kept:
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
	if m := run(t, sequential.Bernoulli(0.1), 1e-6, 64, 1<<30, 0.9, r); m.Verdict() != stat.Above || m.N() != 64 {
		t.Errorf("gross shift: %v", m)
	}
}

func TestMeanTestOddSamples(t *testing.T) {
	law := stat.Law{Mean: 0.5, Variance: 0.25}
	for _, row := range []struct {
		sample float64
		want   stat.Verdict
	}{{-1e-9, stat.Below}, {1.1, stat.Above}, {math.NaN(), stat.Above}, {math.Inf(1), stat.Above}, {0, stat.Open}, {1, stat.Open}} {
		m, err := stat.NewMeanTest(law, 1e-3, 10, 1000)
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
		m, err := stat.NewMeanTest(stat.Law{Mean: 0.5, Variance: 0.25}, 1e-3, row.first, row.last)
		if err != nil || m.Looks() != row.looks {
			t.Errorf("%d to %d: %d looks, %v; want %d", row.first, row.last, m.Looks(), err, row.looks)
		}
	}
	m, err := stat.NewMeanTest(stat.Law{Mean: 0.5, Variance: 0.25}, 1e-3, 10, 41)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 41 {
		if m.Verdict() != stat.Open {
			t.Fatalf("%v after %d samples", m, i)
		}
		m.Add(float64(i & 1))
	}
	if m.Verdict() != stat.Kept || m.N() != 41 {
		t.Errorf("after 41 samples: %v", m)
	}
}

func TestErrors(t *testing.T) {
	law := stat.Law{Mean: 0.5, Variance: 0.25}
	mean := func(l stat.Law, alpha float64, first, last uint64) error {
		_, err := stat.NewMeanTest(l, alpha, first, last)
		return err
	}
	pearson := func(h, n uint64, c float64) error { _, _, err := stat.ClopperPearson(h, n, c); return err }
	ratio := func(c float64, pairs ...[2]float64) error { _, _, _, err := stat.RatioInterval(pairs, c); return err }
	nan := math.NaN()
	for _, row := range []struct {
		param string
		err   error
	}{
		{"mean", mean(stat.Law{Mean: 0, Variance: 0.1}, 0.1, 1, 2)},
		{"mean", mean(stat.Law{Mean: nan, Variance: 0.1}, 0.1, 1, 2)},
		{"variance", mean(stat.Law{Mean: 0.5, Variance: 0.2501}, 0.1, 1, 2)},
		{"variance", mean(stat.Law{Mean: 0.5}, 0.1, 1, 2)},
		{"alpha", mean(law, 0, 1, 2)}, {"alpha", mean(law, 1, 1, 2)}, {"alpha", mean(law, nan, 1, 2)},
		{"first", mean(law, 0.1, 0, 2)}, {"last", mean(law, 0.1, 3, 2)},
		{"n", ratio(0.9, [2]float64{1, 1})}, {"y", ratio(0.9, [2]float64{1, 0}, [2]float64{2, 0})},
		{"confidence", ratio(1, [2]float64{1, 1}, [2]float64{2, 1})},
		{"n", pearson(0, 0, 0.9)}, {"n", pearson(0, 1<<40, 0.9)}, {"hits", pearson(3, 2, 0.9)},
		{"confidence", pearson(1, 2, 1)}, {"confidence", pearson(1, 2, 0)},
	} {
		var p *bloomproof.ParamError
		if !errors.As(row.err, &p) || p.Param != row.param {
			t.Errorf("error %v, want one about %s", row.err, row.param)
		}
	}
}

func BenchmarkClopperPearson(b *testing.B) {
	for _, n := range []uint64{1e3, 1e6, 1e9, 1 << 39} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := stat.ClopperPearson(n/50, n, 0.99); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func ExampleClopperPearson() {
	// 20 false positives in 1000 probes: which rates are consistent with that?
	lo, hi, err := stat.ClopperPearson(20, 1000, 0.99)
	fmt.Printf("%.5f %.5f %v\n", lo, hi, err)
	// Output: 0.01040 0.03441 <nil>
}

func ExampleRatioInterval() {
	// Three cycles of a filter: false positives of arrivals.
	cycles := [][2]float64{{3, 1000}, {5, 1100}, {4, 900}}
	mean, low, high, err := stat.RatioInterval(cycles, 0.9)
	fmt.Printf("%.4f %.4f %.4f %v\n", mean, low, high, err)
	// Output: 0.0040 0.0025 0.0055 <nil>
}

func ExampleMeanTest() {
	// A coin that shows heads in 3 of 5 throws is not fair.
	fair := stat.Law{Mean: 0.5, Variance: 0.25}
	test, err := stat.NewMeanTest(fair, 1e-6, 64, 1<<20)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := 0; test.Verdict() == stat.Open; i++ {
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
	for _, law := range []stat.Law{{Mean: 0.5, Variance: 0.25}, {Mean: 0.5, Variance: 1.0 / 12}, {Mean: 0.1, Variance: 0.02}, {Mean: 0.9, Variance: 0.05}} {
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
					m, err := stat.NewMeanTest(law, alpha, n, n)
					if err != nil {
						t.Fatal(err)
					}
					for range n {
						m.Add(law.Mean + sign*row.d)
					}
					want := stat.Kept
					if row.reject {
						want = stat.Below
						if up {
							want = stat.Above
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
