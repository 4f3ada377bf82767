package cycle

import (
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// Truncation and Poles are what their comments derive, computed a second time. The arrays have few and many set bits, so
// that each of the bounds decides in some cases.
func TestTruncationFormula(t *testing.T) {
	decides := map[string]int{}
	for _, m := range []uint64{2, 8, 100, 1000, 1 << 14, 1 << 30, 1 << 50} {
		for _, k := range []int{1, 2, 3, 4, 7, 12, 13, 64} {
			for _, g := range []bloomproof.Geometry{{M: m, K: k}, {M: m, K: k, Hashing: bloomproof.Classic}} {
				if g.Validate() != nil {
					continue
				}
				kf, mf := float64(k), float64(m)
				for s := kf; s < mf; s = math.Floor(s*1.3) + 1 {
					for _, retain := range []bool{false, true} {
						first := 0.0
						many, few := 0.0, 0.0 // B and B_0
						all := 0.0
						for r := 1.0; r < kf; r++ {
							h := 2 * math.Pow(math.Sin(math.Pi*r/kf), 2)
							size := 1.2 * math.Exp(math.Pow(kf, 3)/(30*mf))
							at := size * math.Exp(-h*math.Pow(s-kf, 2)/(2*mf))
							all += at
							if r <= kf/2 {
								many += 2. / 3 * at / r
								few += 2. / 3 * size / r
							}
						}
						// The distinct positions: at most (3e/2)^k times the bound for d = k. With classic hashing d is k.
						classes := 4.1
						if g.Hashing == bloomproof.Classic {
							classes = 1
						}
						boundary := 2 * (1 + math.Log(kf)) * math.Pow(classes*kf/3, kf) * kf / 3 / (s + 1)
						for i := 0.0; i < kf; i++ {
							boundary *= (i + 2) / (s - i)
						}
						if retain {
							boundary *= 42
						}
						if s < 4*kf || mf < 2*kf*kf {
							boundary = math.Inf(1)
						}
						h1 := 2 * math.Pow(math.Sin(math.Pi/kf), 2)
						if h1*s*s >= 5*kf*mf {
							first = 5 * many * kf * (kf + 1) / s
						} else {
							first = 3 * few * kf * (kf + 1) / s
						}
						want := first + boundary
						if k == 1 {
							want, all = 0, 0
						} else if mf < 2*kf*kf {
							all = math.Inf(1)
						}
						switch {
						case k == 1 || math.IsInf(want, 1):
						case boundary > first:
							decides["boundary"]++
						case h1*s*s >= 5*kf*mf:
							decides["many"]++
						default:
							decides["few"]++
						}
						got := Truncation(g, uint64(s), retain)
						if got != want && !(math.Abs(got/want-1) < 1e-9) {
							t.Errorf("%v, sigma = %v, retain = %v: %.12g, computed again %.12g", g, s, retain, got, want)
						}
						if got := Poles(g, uint64(s)); got != all && !(math.Abs(got/all-1) < 1e-9) {
							t.Errorf("%v, %v bits: the poles are %.12g, computed again %.12g", g, s, got, all)
						}
					}
				}
			}
		}
	}
	if len(decides) != 3 {
		t.Errorf("the bounds decided so often: %v", decides)
	}
}
