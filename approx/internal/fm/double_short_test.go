package fm

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof/approx/internal/ref"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The fast functions of two words keep the bounds of their comments, and give numbers in the range that they state.
func TestDoubleShort(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 1))
	words := func(lo, hi float64) (got, want *big.Float) {
		x := Double{-spread(r, lo, hi), 0x1p-45 * (2*r.Float64() - 1)}
		if r.IntN(2) == 0 {
			x.Lo = x.Hi * 0x1p-53 * (2*r.Float64() - 1)
		}
		if x.Hi > -0x1p-45 {
			x.Lo = 0
		}
		y, e := x.ExpWords()
		if !(y.Hi >= 0.99 && y.Hi <= 2.01 && math.Abs(y.Lo) <= 0x1p-52) {
			t.Errorf("ExpWords(%v) = %v 2^%d", x, y, e)
		}
		z := y.big()
		return z.SetMantExp(z, e), ref.Exp(x.big())
	}
	for _, f := range []struct {
		name  string
		bound float64 // log2 of it
		pair  func() (got, want *big.Float)
	}{
		{"ExpWords", -76, func() (a, b *big.Float) { return words(0x1p-60, 90) }},
		{"ExpWords (middle)", -76, func() (a, b *big.Float) { return words(0.01, 20) }},
		{"ExpWords (large)", -75, func() (a, b *big.Float) { return words(90, 700) }},
		{"LogMissShort", -84, func() (a, b *big.Float) {
			m := 2 + r.Uint64()>>r.IntN(63)
			c := min(m-1, 1+r.Uint64N(4096))
			if m > 16 && r.IntN(2) == 0 {
				c = 1 + uint64(min(0x1p52, float64(m/16-1)*math.Pow(r.Float64(), 4))) // up to the end of the series
			}
			return LogMissShort(c, m).big(), ref.Log(ref.Quo(ref.Uint(prec, m-c), ref.Uint(prec, m)))
		}},
		{"AtanhQuotient", -82, func() (a, b *big.Float) {
			c := float64(1+r.IntN(64)) / 2
			x := c * spread(r, 190, 1e38)
			d := fastSum(x, x*0x1p-53*(2*r.Float64()-1))
			s := ref.Quo(ref.Float(prec, c), d.big())
			one := ref.Float(prec, 1)
			return AtanhQuotient(c, d).big(), ref.Log(ref.Quo(ref.Add(one, s), ref.Sub(one, s)))
		}},
		{"ExactProduct", math.Inf(-1), func() (a, b *big.Float) {
			x, y := spread(r, 1e-60, 1e60), spread(r, 1e-60, 1e60)
			return ExactProduct(x, y).big(), ref.Mul(ref.Float(prec, x), ref.Float(prec, y))
		}},
		{"AddLoose", -106 + 6 + 2, func() (a, b *big.Float) {
			x, y := spread(r, 1e-10, 1e10), spread(r, 1e-10, 1e10)
			p, q := Double{x, 64 * x * 0x1p-53 * (2*r.Float64() - 1)}, Double{y, 64 * y * 0x1p-53 * (2*r.Float64() - 1)}
			return p.AddLoose(q).big(), ref.Add(p.big(), q.big())
		}},
	} {
		worst := math.Inf(-1)
		for range longtest.More(10, 20) * cases() {
			worst = max(worst, log2Error(f.pair()))
		}
		t.Logf("%-16s worst 2^%.2f of 2^%.2f", f.name, worst, f.bound)
		if !(worst <= f.bound) {
			t.Errorf("%s: error 2^%.2f, stated bound 2^%.2f", f.name, worst, f.bound)
		}
	}
}
