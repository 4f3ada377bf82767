package numeric

import (
	"math"
	"math/big"
	"testing"
)

// The values of Abramowitz and Stegun's table 26.8 (percentage points, six digits), and
// sums in high precision where the tail is far.
func TestChiSquareTail(t *testing.T) {
	for _, c := range []struct {
		x    float64
		df   uint64
		want float64
	}{
		{3.84146, 1, 0.05}, {10.8276, 1, 0.001}, {5.99146, 2, 0.05}, {7.81473, 3, 0.05}, {18.3070, 10, 0.05},
		{29.5883, 10, 0.001}, {23.2093, 10, 0.01}, {49.8022, 29, 0.0095}, {43.7730, 30, 0.05}, {124.342, 100, 0.05}, {55.3285 / 1, 76, 0.9644},
	} {
		got, err := ChiSquareTail(c.x, c.df)
		if err != nil || math.Abs(got/c.want-1) > 5e-3 {
			t.Errorf("P[chi-square_%d > %v] = %v, %v, want about %v", c.df, c.x, got, err, c.want)
		}
	}
	for _, df := range []uint64{2, 4, 62, 64, 200, 2000} {
		for _, x := range []float64{1e-6, 0.5, 3, 60, 190, 1234.5, 1900} {
			got, err := ChiSquareTail(x, df)
			if err != nil {
				t.Fatal(err)
			}
			// e^-y in float64 is good enough: y is below 1000, and the sum is exact to 200 bits.
			sum, term, y := new(big.Float).SetPrec(200), big.NewFloat(1).SetPrec(200), big.NewFloat(x/2).SetPrec(200)
			for i := uint64(0); i < df/2; i++ {
				sum.Add(sum, term)
				term.Mul(term, y)
				term.Quo(term, new(big.Float).SetUint64(i+1))
			}
			exponent := sum.MantExp(sum)
			m, _ := sum.Float64()
			want := m * math.Exp(float64(exponent)*math.Ln2-x/2)
			if want > 1e-300 && math.Abs(got/want-1) > 1e-11*(10+x+float64(df)) {
				t.Errorf("P[chi-square_%d > %v] = %v, want %v", df, x, got, want)
			}
		}
	}
	// Odd degrees lie between their even neighbours.
	for df := uint64(3); df < 400; df += 2 {
		for _, x := range []float64{0.1, 1, float64(df), 3 * float64(df)} {
			below, _ := ChiSquareTail(x, df-1)
			at, _ := ChiSquareTail(x, df)
			above, _ := ChiSquareTail(x, df+1)
			if !(below < at && at < above || at > 1-1e-12) {
				t.Errorf("P[chi-square > %v] at %d, %d, %d degrees: %v, %v, %v", x, df-1, df, df+1, below, at, above)
			}
		}
	}
	for _, c := range []struct {
		x  float64
		df uint64
	}{{-1, 3}, {math.NaN(), 3}, {math.Inf(1), 3}, {1, 0}, {1, maxFreedom + 1}} {
		if p, err := ChiSquareTail(c.x, c.df); err == nil {
			t.Errorf("ChiSquareTail(%v, %d) = %v", c.x, c.df, p)
		}
	}
}
