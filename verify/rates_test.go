package verify_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify"
	"github.com/leanovate/gopter/prop"
)

// rateBound is the bound of approx.FPR in units of 2^-53 of the rate.
func rateBound(g bloomproof.Geometry) float64 {
	switch g.Hashing {
	case bloomproof.Standard:
		return 100 + 65*math.Sqrt(float64(g.K))
	case bloomproof.Classic:
		return 100 + 7*float64(g.K)
	}
	return 8
}

// errorInU returns |got - want| in units of 2^-53 |want|.
func errorInU(got float64, want *big.Float) float64 {
	wide := func() *big.Float { return new(big.Float).SetPrec(2200) }
	d := wide().Sub(wide().SetFloat64(got), want)
	if d.Sign() == 0 {
		return 0
	}
	u, _ := d.Quo(d, want).Float64()
	return math.Abs(u) * 0x1p53
}

// rateWorst collects the largest errors.
type rateWorst struct {
	points            int
	rate, complement  float64 // in u
	log               float64 // in u
	atRate, atMissing string
}

// checkRate holds FPR, Complement and LogFPR to their bounds.
func (w *rateWorst) check(g bloomproof.Geometry, n uint64) error {
	name := fmt.Sprintf("{%v n=%d}", g, n)
	got, err := approx.FPR(g, n)
	if invalid := g.Validate(); invalid != nil || err != nil {
		if (invalid == nil) != (err == nil) {
			return fmt.Errorf("%s: error %v, geometry %v", name, err, invalid)
		}
		return nil
	}
	miss, _ := approx.Complement(g, n)
	ln, errLn := approx.LogFPR(g, n)
	if n == 0 {
		if got != 0 || miss != 1 || !errors.Is(errLn, approx.ErrUndefined) {
			return fmt.Errorf("%s: %v, %v, %v", name, got, miss, errLn)
		}
		return nil
	}
	const prec = 120
	want, _, err := exact.FPR(g, n, prec, exact.Auto)
	if err != nil {
		return fmt.Errorf("%s: %v", name, err)
	}
	one := big.NewFloat(1)
	for need := uint(prec); ; need *= 2 { // 1-f to prec bits
		left := new(big.Float).SetPrec(4000).Sub(one, want.Hi())
		if left.Sign() > 0 && -left.MantExp(nil)+prec <= int(need) || need > 2000 || got < 0.5 {
			break
		}
		if want, _, err = exact.FPR(g, n, 2*need, exact.Auto); err != nil {
			return fmt.Errorf("%s: %v", name, err)
		}
	}
	w.points++
	bound := rateBound(g)
	lo := want.Lo()
	lnWant := lnAbs(lo)
	if lnWant > -708 {
		if u := errorInU(got, lo); !(u <= bound) {
			return fmt.Errorf("%s: rate %v, want %v: error %.4g u of %.4g", name, got, want, u, bound)
		} else if u > w.rate {
			w.rate, w.atRate = u, name
		}
	} else if got > 0x1p-1021 {
		return fmt.Errorf("%s: rate %v, want e^%v", name, got, lnWant)
	}
	left := new(big.Float).SetPrec(4000).Sub(one, lo)
	if left.Cmp(big.NewFloat(0x1p-1000)) > 0 {
		if u := errorInU(miss, left); !(u <= 1.6*bound+40) {
			return fmt.Errorf("%s: complement %v, want %.20g: error %.4g u of %.4g", name, miss, left, u, 1.6*bound+40)
		} else if u > w.complement {
			w.complement, w.atMissing = u, name
		}
	} else if miss > 0x1p-999 {
		return fmt.Errorf("%s: complement %v, want %.20g", name, miss, left)
	}
	if x, _ := left.Float64(); x < 0.5 {
		lnWant = math.Log1p(-x)
	}
	if lnWant < -0x1p-1000 {
		u := math.Abs(ln-lnWant) / -lnWant * 0x1p53
		if !(u <= 2*bound+16) {
			return fmt.Errorf("%s: log %v, want %v", name, ln, lnWant)
		}
		w.log = max(w.log, u)
	}
	return nil
}

// Law: the rate, its complement and its logarithm in float64 lie within their bounds of
// the exact ones, from the smallest float64 to the largest below 1 and beyond.
func TestRates(t *testing.T) {
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic, bloomproof.Partitioned} {
		t.Run(h.String(), func(t *testing.T) {
			var w rateWorst
			shape := func(m uint64, k int) bloomproof.Geometry {
				if h == bloomproof.Partitioned {
					m = max(1, m/uint64(k)) * uint64(k)
				}
				return bloomproof.Geometry{M: m, K: k, Hashing: h}
			}
			for _, p := range approxCorners() {
				if p.k > 64 {
					continue
				}
				if err := w.check(shape(p.m, p.k), p.n); err != nil {
					t.Error(err)
				}
			}
			// Small filters, all of them: k > m, ties, the smallest circles.
			most := uint64(9)
			if testing.Short() {
				most = 5
			}
			for m := uint64(1); m <= most; m++ {
				for k := 1; k <= 9; k++ {
					for n := range uint64(14) {
						if err := w.check(shape(m, k), n); err != nil {
							t.Error(err)
						}
					}
				}
			}
			if !testing.Short() { // k beyond the table
				for _, p := range []point{{1000, 1, 65}, {706, 1, 378}, {130, 2, 65}, {256, 3, 128}, {1 << 40, 2, 200},
					{1 << 40, 1 << 33, 128}, {1 << 20, 2000, 300}, {700, 3, 300}, {1<<64 - 1, 1 << 57, 80}} {
					if err := w.check(shape(p.m, p.k), p.n); err != nil {
						t.Error(err)
					}
				}
			}
			verify.Check(t, "approx.FPR is within its bound of exact", prop.ForAll(
				func(m, k, raw uint64, load uint64) (bool, error) {
					g := shape(m, int(k))
					err := w.check(g, spreadItems(m, k, raw, load))
					return err == nil, err
				},
				verify.GenSize(1, math.MaxUint64), verify.GenSize(1, 64),
				verify.GenSize(0, math.MaxUint64), verify.GenSize(0, 255),
			))
			cases := 300
			if testing.Short() {
				cases = 60
			}
			r := rand.New(rand.NewPCG(5, uint64(h)))
			for range cases { // loads of all sizes, so that most rates lie within float64
				m, k := 2+r.Uint64()>>(1+r.IntN(62)), 1+r.IntN(64)
				n := 1 + uint64(min(0x1p62, float64(m)/float64(k)*math.Exp(14*r.Float64()-8)))
				if err := w.check(shape(m, k), n); err != nil {
					t.Error(err)
				}
			}
			t.Logf("%d points; worst: rate %.1f u at %s, complement %.1f u at %s, log %.1f u",
				w.points, w.rate, w.atRate, w.complement, w.atMissing, w.log)
			if w.points == 0 {
				t.Error("no point: the test shows nothing")
			}
		})
	}
}
