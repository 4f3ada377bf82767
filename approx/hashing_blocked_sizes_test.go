package approx

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// The rates of the searches are within their error of FPR's, and the lower bounds of the rate
// are below it.
func TestBlockSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 17))
	worst, tabled := 0.0, 0
	for i := range 200 {
		k := 1 + r.IntN(24)
		in := hashings[i%len(hashings)]
		bits := uint64(k) * (1 + r.Uint64N(1<<(1+r.IntN(7))))
		blocks := 2 + r.Uint64()>>(8+r.IntN(56))
		if blocks > 1<<62/bits {
			continue
		}
		n := 1 + uint64(40*r.Float64()*r.Float64()*float64(blocks))
		g := bloomproof.Geometry{M: blocks * bits, K: k, Hashing: in.is, Block: bits}
		want, err := FPR(g, n)
		if err != nil {
			t.Fatalf("%v n=%d: %v", g, n, err)
		}
		b := blockedHashing(in, bits).blocks
		got := b.rate(g.M, n, k).float64()
		bound := b.rateError(k) + in.rateError(k) + 2*0x1p-53
		if want >= leastTabled {
			off := math.Abs(got/want - 1)
			if want < mostTabled {
				tabled++
				worst = max(worst, off/bound)
			}
			if !(off <= bound) {
				t.Errorf("%v n=%d: %v, want %v: off by %.2g, stated are %.2g", g, n, got, want, off, bound)
			}
		}
		ln, _ := LogFPR(g, n)
		for _, lower := range b.lowersLn(g.M, n, k) {
			if bits > 1 && !(lower <= ln) {
				t.Errorf("%v n=%d: ln f = %v is below %v", g, n, ln, lower)
			}
		}
	}
	t.Logf("the largest error is %.2g of its bound, of %d rates", worst, tabled)
	if tabled < 50 {
		t.Error("too few rates were of tables")
	}
}

// An Optimum of one block has the block, so that its Geometry makes the filter that was asked for.
func TestOneBlock(t *testing.T) {
	for _, search := range []func() (Optimum, error){
		func() (Optimum, error) { return OptimalK(bloomproof.Geometry{M: 512, Block: 512}, 427) },
		func() (Optimum, error) { return LeastBits(bloomproof.Geometry{Block: 512}, 427, .9) },
		func() (Optimum, error) { return LeastBits(bloomproof.Geometry{K: 1, Block: 512}, 427, .9) },
		func() (Optimum, error) { return MostItems(bloomproof.Geometry{M: 512, Block: 512}, .5) },
	} {
		o, err := search()
		if err != nil || o.Geometry.M != 512 || o.Geometry.Block != 512 {
			t.Errorf("%+v, %v", o, err)
		}
	}
}
