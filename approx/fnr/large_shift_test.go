package fnr

import (
	"math/cmplx"
	"testing"
)

// TestFraction asserts that the periodic rest of a fraction makes a periodic one exact, and
// that the fraction of a power series converges where the series does not.
func TestFraction(t *testing.T) {
	for _, z := range []complex128{0.3, 2, -0.2, 1 + 2i, -3 + 0.5i, -0.2 - 4i} {
		for _, c := range []complex128{1, 0.25, 0.5 - 0.1i} {
			// w = 1 + c z/w, of the two roots the one with Re (2w-1) > 0.
			want := 3 / ((1 + cmplx.Sqrt(1+4*c*z)) / 2)
			if got := (fraction{3, c, c, c}).at(z); cmplx.Abs(got/want-1) > 1e-14 {
				t.Errorf("c = %v, z = %v: got %v, want %v", c, z, got, want)
			}
		}
	}
	series := make([]complex128, 25) // of log(1+z)/z
	for i := range series {
		series[i] = complex(1-2*float64(i%2), 0) / complex(float64(i+1), 0)
	}
	d := newFraction(series)
	for _, z := range []complex128{0.1, 0.9, 2, -0.5, 1 + 1i, 3 - 2i} {
		want := cmplx.Log(1+z) / z
		if got := d.at(z); cmplx.Abs(got/want-1) > 1e-9 {
			t.Errorf("log(1+z)/z at %v: got %v, want %v", z, got, want)
		}
	}
}
