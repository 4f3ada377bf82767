package stat_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
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

func TestErrors(t *testing.T) {
	pearson := func(h, n uint64, c float64) error { _, _, err := stat.ClopperPearson(h, n, c); return err }
	ratio := func(c float64, pairs ...[2]float64) error { _, _, _, err := stat.RatioInterval(pairs, c); return err }
	for _, row := range []struct {
		param string
		err   error
	}{
		{"n", ratio(0.9, [2]float64{1, 1})}, {"y", ratio(0.9, [2]float64{1, 0}, [2]float64{2, 0})},
		{"confidence", ratio(1, [2]float64{1, 1}, [2]float64{2, 1})},
		{"pairs", ratio(0.9, [2]float64{math.NaN(), 1}, [2]float64{1, 0})}, {"pairs", ratio(0.9, [2]float64{1, 1}, [2]float64{1, math.Inf(1)})},
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
