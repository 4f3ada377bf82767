package approx

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// The approximation is within its gap of the rate, and the gap is not far too large where half of the bits are set.
func TestExponential(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 9))
	for range 2000 {
		m, n, k := drawLarge(r, 2)
		g := bloomproof.Geometry{M: m, K: k}
		if r.IntN(3) == 0 {
			g.Hashing = bloomproof.Partitioned
			g.M -= m % uint64(k)
		}
		rate, gap, err := Exponential(g, n)
		f, errRate := FPR(g, n)
		if err != nil || errRate != nil {
			t.Fatal(g, err, errRate)
		}
		if math.IsInf(gap, 1) {
			continue
		}
		if !(math.Abs(f-rate) <= (gap+1e-14)*rate) {
			t.Errorf("%+v, n=%d: the rate is %v, approximately %v, relative gap %v", g, n, f, rate, gap)
		}
	}
	rate, gap, err := Exponential(bloomproof.Geometry{M: 1e6, K: 7}, 1e5)
	f, _ := FPR(bloomproof.Geometry{M: 1e6, K: 7}, 1e5)
	if off := f/rate - 1; err != nil || !(off > 0 && off < gap && gap < 4*off) {
		t.Errorf("off by %v, gap %v, %v", off, gap, err)
	}
}

// Exponential says what it has no gap for.
func TestExponentialEdges(t *testing.T) {
	var p *bloomproof.ParamError
	if _, _, err := Exponential(bloomproof.Geometry{M: 64, K: 3, Hashing: bloomproof.Classic}, 5); !errors.As(err, &p) || p.Param != "hashing" {
		t.Errorf("classic: %v", err)
	}
	if _, _, err := Exponential(bloomproof.Geometry{M: 64, K: 3, Block: 32}, 5); !errors.As(err, &p) || p.Param != "block" {
		t.Errorf("blocks: %v", err)
	}
	if rate, gap, err := Exponential(bloomproof.Geometry{M: 64, K: 3}, 0); rate != 0 || gap != 0 || err != nil {
		t.Errorf("empty: %v, %v, %v", rate, gap, err)
	}
	if rate, gap, err := Exponential(bloomproof.Geometry{M: 1 << 60, K: 64}, 1); rate != 0 || !math.IsInf(gap, 1) || err != nil {
		t.Errorf("below the smallest float64: %v, %v, %v", rate, gap, err)
	}
	for _, k := range []int{8, 9} { // k >= m, where the rate is 1 after one item or nearly so
		rate, gap, err := Exponential(bloomproof.Geometry{M: 8, K: k}, 1)
		if f, _ := FPR(bloomproof.Geometry{M: 8, K: k}, 1); err != nil || math.Abs(f-rate) > gap*rate || gap > 1/rate {
			t.Errorf("k=%d: %v, %v, %v, the rate is %v", k, rate, gap, err, f)
		}
	}
}

func BenchmarkExponential(b *testing.B) {
	g := bloomproof.Geometry{M: 1e7, K: 7}
	for b.Loop() {
		sink, _, _ = Exponential(g, 1e6)
	}
}
