package cycle

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
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

// TestHitSums compares the sums R_d with plain sums of their terms.
func TestHitSums(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 53))
	few, none := 0, 0
	for range longtest.More(300, 3000) {
		m := 3 + r.Uint64N(1<<(2+r.IntN(12)))
		sigma, most := r.Uint64N(m), 1+r.IntN(8)
		most = min(most, int(m))
		got := HitSums(m, sigma, most, 1+r.IntN(most))
		for j, x := range got {
			d, want, product := most-j, 0.0, 1.0
			for i := uint64(1); i <= sigma+1; i++ {
				product *= float64(sigma+2-i) / float64(m+1-i) // r_i
				if i > uint64(d) {
					want += product / float64(i)
				}
				if i == uint64(most) && product < littleLeft {
					few++
				}
			}
			if want == 0 {
				none++
			}
			if f := x.Float64(); f != want && !(math.Abs(f/want-1) < 1e-12) {
				t.Errorf("m = %d, sigma = %d: R_%d is %v, want %v", m, sigma, d, f, want)
			}
		}
	}
	if few < 20 || none < 10 {
		t.Errorf("%d sums are computed by their terms, and %d have none", few, none)
	}
}

// TestOf checks which method computes a cycle, and the error bound of the closed form.
func TestOf(t *testing.T) {
	chains := 0
	for _, sigma := range []uint64{60, 120, 200, 280, 340, 420} {
		g, r := bloomproof.Geometry{M: 2000, K: 3}, bloomproof.Recycling{Sigma: sigma}
		n, err := Of(g, r)
		if err != nil {
			t.Fatal(err)
		}
		truncation := Truncation(g, sigma, false)
		if (n.Visits != nil) != (truncation > ClosedEnough) {
			t.Errorf("sigma = %d, with the truncation %g: the chain was computed: %t", sigma, truncation, n.Visits != nil)
		}
		if truncation > ClosedEnough && truncation < closedUseful {
			chains++
		}
		for _, x := range []float64{0, 1e-15, 1e-4} {
			if err := closedNumbers(g, r, x).Err; !(math.Abs(err/(x+30*fm.Unit)-1) < 1e-12) {
				t.Errorf("with the truncation %g the error bound is %g", x, err)
			}
		}
	}
	if chains == 0 {
		t.Error("the closed form was never useful")
	}
}

// TestCheckSizing checks that each argument of a search is validated.
func TestCheckSizing(t *testing.T) {
	for _, x := range []struct {
		g     bloomproof.Geometry
		r     bloomproof.Recycling
		p     float64
		param string
	}{
		{bloomproof.Geometry{M: 100, K: 3}, bloomproof.Recycling{}, 0.1, ""},
		{bloomproof.Geometry{M: 100}, bloomproof.Recycling{Retain: true}, 0.1, ""},
		{bloomproof.Geometry{K: 3}, bloomproof.Recycling{}, 0.1, "m"},
		{bloomproof.Geometry{M: 100, K: 3, Hashing: bloomproof.Partitioned}, bloomproof.Recycling{}, 0.1, "hashing"},
		{bloomproof.Geometry{M: 128, K: 3, Block: 64}, bloomproof.Recycling{}, 0.1, "block"},
		{bloomproof.Geometry{M: 100, K: -1}, bloomproof.Recycling{}, 0.1, "k"},
		{bloomproof.Geometry{M: 100, K: 3}, bloomproof.Recycling{}, 1, "p"},
		{bloomproof.Geometry{M: 100, K: 3}, bloomproof.Recycling{Sigma: 5}, 0.1, "recycling"},
		{bloomproof.Geometry{M: 100, K: 3}, bloomproof.Recycling{Messages: 5}, 0.1, "recycling"},
		{bloomproof.Geometry{M: 3, K: 3}, bloomproof.Recycling{Retain: true}, 0.1, "m"},
	} {
		err := CheckSizing(x.g, x.r, x.p)
		var param *bloomproof.ParamError
		if (err == nil) != (x.param == "") || err != nil && (!errors.As(err, &param) || param.Param != x.param) {
			t.Errorf("%v, %v, %v: %v, want an error of %q", x.g, x.r, x.p, err, x.param)
		}
	}
}
