package approx

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
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

// The gap is the formula in the comments of Exponential. For large m the roundings decide it, and for rates near 1 the
// gap between the rate and 1.
func TestExponentialGap(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	decides := map[string]int{}
	for range 500 {
		m, n, k := drawLarge(random, 2)
		if random.IntN(3) == 0 {
			m, n = 1+m%50, 1+n%50
		}
		rate, gap, err := Exponential(bloomproof.Geometry{M: m, K: k}, n)
		if err != nil {
			t.Fatal(err)
		}
		if math.IsInf(gap, 1) {
			continue
		}
		mf, nf, kf := float64(m), float64(n), float64(k)
		clear := math.Exp(-kf * nf / mf) // the share of clear bits
		lnRate := kf * math.Log1p(-clear)
		if clear > 0.5 {
			lnRate = kf * math.Log(-math.Expm1(-kf*nf/mf))
		}
		above, digits := math.Expm1(-lnRate), 4*fm.Unit // of 1/rate - 1
		if kf < mf {
			if d := nf * math.Pow(kf/mf, 2) / (2 * (1 - kf/mf)); math.Expm1(kf*d/math.Expm1(kf*nf/mf)) < above {
				above = math.Expm1(kf * d / math.Expm1(kf*nf/mf))
				digits = 0
				decides["D"]++
			} else {
				decides["1"]++
			}
		}
		rounding := 3 * (6 - (20+8*math.Log(kf))*lnRate) * fm.Unit * (1 + above)
		if rounding > above {
			decides["rounding"]++
		}
		if want := above + rounding; rate > 0 && !(math.Abs(gap-want*(1+0x1p-35)) < 1e-9*want+digits) {
			t.Errorf("m = %d, n = %d, k = %d: the gap is %.12g, computed again %.12g", m, n, k, gap, want)
		}
	}
	if decides["D"] < 20 || decides["1"] < 5 || decides["rounding"] < 20 {
		t.Errorf("the terms decided so often: %v", decides)
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
