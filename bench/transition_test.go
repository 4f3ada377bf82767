package bench

import (
	"math"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/vec"
)

// The plain recursion gives what vec gives, or its speed would mean nothing.
func TestPlainTransition(t *testing.T) {
	for _, x := range []vec.Message{{M: 1000, K: 8}, {M: 1000, K: 7}, {M: 64, K: 1}} {
		n := int(x.M)/2 + 1
		w := make([]float64, n)
		for j := range w {
			w[j] = 1 / float64(j+1)
		}
		for _, c := range [][2]func(dst []float64){
			{func(dst []float64) { PlainRows(x, dst[:n*(x.K+1)], 3) }, func(dst []float64) { x.Rows(dst[:n*(x.K+1)], 3) }},
			{func(dst []float64) { PlainSums(x, dst[:x.K+1], w, 3) }, func(dst []float64) { x.Sums(dst[:x.K+1], w, 3) }},
		} {
			a, b := make([]float64, n*(x.K+1)), make([]float64, n*(x.K+1))
			c[0](a)
			c[1](b)
			for i := range a {
				if math.Abs(a[i]-b[i]) > 1e-12*b[i] {
					t.Fatalf("%+v: value %d is %g, vec gives %g", x, i, a[i], b[i])
				}
			}
		}
	}
}
