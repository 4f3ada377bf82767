package falling

import (
	"math"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestLogFalling compares with the product of all factors.
func TestLogFalling(t *testing.T) {
	for _, work := range []uint{100, 230, 1000} {
		if testing.Short() && work > 100 {
			break
		}
		for _, j := range []uint64{0, 1, 7, 200, 1000, 5000} {
			if !longtest.Enabled() && (j == 5000 && work > 100 || j == 1000 && work > 230) {
				continue // seconds for the product
			}
			for _, radius := range []float64{0.25, 3, 400, 1e6} {
				if !longtest.Enabled() && j == 5000 && radius > 3 {
					continue
				}
				for _, angle := range []float64{0, 1e-3, 0.3, 1.6, 3.1} {
					z := interval.NewComplex(work + 40)
					re, im := big.NewFloat((float64(j)+radius)*math.Cos(angle)), big.NewFloat((float64(j)+radius)*math.Sin(angle))
					if j < 1000 && angle != 0 {
						continue // the segment is near, and there is nothing to sum
					}
					z.Re.SetEnds(re, re)
					z.Im.SetEnds(im, im)
					got := Log(z, j, work)
					if !got.Valid() {
						t.Errorf("log of %v factors at %v, %v has no value", j, re, im)
						continue
					}
					product, factor := interval.NewComplex(work+40), interval.NewComplex(work+40)
					product.SetReal(interval.New(work).SetUint64(1))
					for i := range j {
						product.Mul(product, factor.Sub(z, factor.SetReal(interval.New(work).SetUint64(i))))
					}
					product.Log(product)
					if !got.Re.Overlaps(&product.Re) {
						t.Errorf("log |product| of %v factors at %v, %v: %v, want %v", j, re, im, &got.Re, &product.Re)
					}
					turns := interval.New(work).Sub(&got.Im, &product.Im)
					f, _ := turns.Lo().Float64()
					if f /= 2 * math.Pi; math.Abs(f-math.Round(f)) > 1e-9 {
						t.Errorf("argument of %v factors at %v, %v is off by %v turns", j, re, im, f)
					}
					for _, part := range []*interval.Interval{&got.Re, &got.Im} {
						if w, _ := part.Width().Float64(); w > math.Ldexp(float64(j)+radius, 20-int(work)) {
							t.Errorf("log of %v factors at %v, %v is %v wide at %d bits", j, re, im, w, work)
						}
					}
				}
			}
		}
	}
	if b := BernoulliTerm(6); b.Cmp(big.NewRat(-691, 2730*12*11)) != 0 {
		t.Errorf("B_12/132 = %v", b)
	}
}

// TestStirlingRest lets the sum of Bernoulli terms end early. The width of the result is then the bound of the remainder:
// 2 pi |B_2q|/(2q) d^(1-2q) for the last term q, where d is the distance of the segment from 0.
func TestStirlingRest(t *testing.T) {
	const work, cut = 100, 10
	defer precision.Starve(precision.Starving{Guard: -1, Cut: cut})()
	for _, d := range []float64{1, 2, 3.5, 6} {
		x := interval.New(work).SetUint64(20)
		far := interval.NewComplex(work).SetReal(interval.New(work).SetEnds(big.NewFloat(d), big.NewFloat(d)))
		z := interval.NewComplex(work).SetReal(interval.New(work).SetEnds(big.NewFloat(d+20), big.NewFloat(d+20)))
		got, _ := stirlingTail(z, far, x, work).Re.Width().Float64()
		want := math.Inf(1)
		for q := 1; q <= MostTerms(work); q++ {
			b, _ := BernoulliTerm(q).Float64()
			want = abovePi * math.Abs(b) * float64(2*q-1) * math.Pow(d, float64(1-2*q))
			if math.Log2(want) < -cut+restBits-1 {
				break
			}
		}
		if math.Abs(got/(2*want)-1) > 0.01 {
			t.Errorf("distance %v: a width of %v, want %v", d, got, 2*want)
		}
	}
}
