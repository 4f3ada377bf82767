package fnr

import (
	"errors"
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// Where the frozen array is always full, where nothing repeats, and where the exponent of Zipf's law is as large as a
// float64 can be, an infinite relative error is not multiplied by 0.
func TestFluidEdges(t *testing.T) {
	steep := bloomproof.Zipf(math.MaxFloat64, 2)
	for _, w := range []bloomproof.Workload{
		{Popularity: bloomproof.Uniform(1)},
		{Popularity: steep},
		{Popularity: steep, Repeat: 0.083},
	} {
		for _, two := range []bool{false, true} {
			c, err := New(bloomproof.Geometry{M: 1, K: 1}, bloomproof.Recycling{TwoPhase: two}, w)
			if err != nil {
				t.Fatal(err)
			}
			f, err := c.Predict(modelFluid)
			if err == nil && !(f.Bound >= 0 && f.Bound <= 1 && f.Estimated <= f.Bound) {
				t.Errorf("%v, two phases %t: the bound is %v, and its estimated part is %v", w, two, f.Bound, f.Estimated)
			}
		}
	}
}

// TestFluidFull checks the number of messages that fill an array in the fluid model, and its error bound. Of the first y
// messages of a message-bounded filter, N set a bit on average. The others are counted by Simpson's rule.
func TestFluidFull(t *testing.T) {
	for _, g := range []bloomproof.Geometry{{M: 1000, K: 3}, {M: 64, K: 1}, {M: 1 << 20, K: 7}, {M: 300, K: 12, Hashing: bloomproof.Classic}} {
		clear := float64(g.K) * math.Log1p(-1/float64(g.M))
		if g.Hashing == bloomproof.Classic {
			clear = math.Log1p(-float64(g.K) / float64(g.M))
		}
		match := func(y float64) float64 { return math.Pow(-math.Expm1(y*clear), float64(g.K)) }
		for _, load := range []float64{0.3, 0.7, 0.9} {
			n := max(1, uint64(load*float64(g.M)/float64(g.K)))
			c := large{g: g, r: bloomproof.Recycling{Messages: n}}
			y, off, err := c.full()
			if err != nil {
				t.Fatalf("%v, %d messages: %v", g, n, err)
			}
			const panels = 1 << 12
			lucky := 0.0
			for i := range panels {
				from, to := y*float64(i)/panels, y*float64(i+1)/panels
				lucky += (to - from) / 6 * (match(from) + 4*match((from+to)/2) + match(to))
			}
			if math.Abs(y-lucky-float64(n)) > 1e-11*y {
				t.Errorf("%v: of %v messages %v set a bit, want %d", g, y, y-lucky, n)
			}
			parts := (panelError + (16*float64(g.K)+64)*fm.Unit) * lucky / y // the errors of the lucky messages
			if want := (parts + fullDigits) / (1 - match(y)); math.Abs(off/want-1) > 1e-6 {
				t.Errorf("%v, %d messages: the stated error is %v, the parts are %v", g, n, off, want)
			}
			sigma := uint64(load * float64(g.M))
			c.r = bloomproof.Recycling{Sigma: sigma}
			y, off, err = c.full()
			if want := math.Log1p(-float64(sigma)/float64(g.M)) / clear; err != nil || math.Abs(y/want-1) > 1e-14 || off != 12*fm.Unit {
				t.Errorf("%v, sigma %d: %v messages with the error %v, %v, want %v", g, sigma, y, off, err, want)
			}
		}
	}
	c := large{g: bloomproof.Geometry{M: 4, K: 2}, r: bloomproof.Recycling{Messages: 3}}
	if y, _, err := c.full(); !errors.Is(err, bloomproof.ErrUndefined) {
		t.Errorf("3 messages on 4 bits: %v, %v", y, err)
	}
}
