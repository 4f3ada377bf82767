package approx

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The sums for filters with few items agree with the contour integrals.
func TestSparse(t *testing.T) {
	cases := 2000
	if longtest.Enabled() {
		cases = 50000
	}
	r := rand.New(rand.NewPCG(31, 9))
	var worst [2]float64
	var defined [2]int
	for range cases {
		k := 2 + r.IntN(40)
		n := 2 + uint64(r.IntN(40))
		m := 4*n*uint64(k) + r.Uint64()>>(2+r.IntN(62))
		if r.IntN(2) == 0 {
			m = 4*n*uint64(k) + r.Uint64N(5)
		}
		within := func(method int, got, want fm.Scaled, bound float64) {
			defined[method]++
			share := math.Abs(got.Quo(want)-1) / (bound * fm.Unit)
			worst[method] = max(worst[method], share)
			if !(share <= 1) {
				t.Errorf("m=%d n=%d k=%d, method %d: off by %.3g of the bound", m, n, k, method, share)
			}
		}
		kf, nf := float64(k), float64(n)
		if f, ok := standardSparse(m, n, k); ok {
			within(0, f, newContourStandard(m, fm.WholeProduct(n, uint64(k)), k).value(), 170+2*kf)
		} else if n*uint64(k) <= 64 {
			t.Errorf("m=%d n=%d k=%d: standardSparse gives no number", m, n, k)
		}
		if f, ok := classicSparse(m, n, k); ok {
			within(1, f, newContourClassic(m, n, k).value(), 3*nf+5*kf+2)
		} else if n*uint64(k) <= 64 && k <= mostSparseK && m <= 1<<53 {
			t.Errorf("m=%d n=%d k=%d: classicSparse gives no number", m, n, k)
		}
	}
	t.Logf("worst of the bounds %.3g; defined for %d", worst, defined)
	if defined[0] < cases/8 || defined[1] < cases/8 {
		t.Errorf("defined for %d of %d", defined, cases)
	}
}
