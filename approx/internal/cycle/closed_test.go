package cycle

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestHitTailEnds compares the sums of hitTail with a second computation. They end so early that the last term and the
// bound of the rest show.
func TestHitTailEnds(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 47))
	early := 0
	for range longtest.More(400, 4000) {
		m := 2 + r.Uint64N(1<<r.IntN(20))
		sigma := r.Uint64N(m)
		d := r.IntN(9)
		end := math.Exp(-30 * r.Float64())
		want, product, terms := 0.0, 1.0, 0
		for i := uint64(d); i <= sigma; i++ {
			product *= float64(sigma-i+1) / float64(m-i)
			term := product / float64(i+1)
			want += term
			terms++
			if term*float64(m)/float64(m-sigma) < end*want {
				if i < sigma {
					early++
				}
				break
			}
		}
		if got := hitTail(m, sigma, d, end).Hi; got != want && !(math.Abs(got/want-1) < 1e-13) {
			t.Errorf("m = %d, sigma = %d, d = %d, end %g: the sum is %.17g, of %d terms %.17g", m, sigma, d, end, got, terms, want)
		}
	}
	if early < 100 {
		t.Errorf("%d sums ended early", early)
	}
}
