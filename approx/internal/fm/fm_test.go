package fm

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof/approx/internal/ref"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

const prec = 400

func cases() int { return longtest.More(20, 200) }

// spread returns a number of [lo, hi], 0 < lo < hi, its logarithm uniform.
func spread(r *rand.Rand, lo, hi float64) float64 {
	return math.Exp(math.Log(lo) + r.Float64()*(math.Log(hi)-math.Log(lo)))
}

func signed(r *rand.Rand, x float64) float64 {
	if r.IntN(2) == 0 {
		return -x
	}
	return x
}

// elementary is a function of one number with its bound, from lo to hi and, when signed,
// from -hi to -lo.
type elementary struct {
	name   string
	bound  float64 // in u
	lo, hi float64
	signed bool
	edges  []float64
	got    func(float64) float64
	want   func(float64) *big.Float
}

func elementaries() []elementary {
	one := ref.Float(prec, 1)
	exp := func(x float64) *big.Float { return ref.Exp(ref.Float(prec, x)) }
	log1p := func(x float64) *big.Float { return ref.Log(ref.Add(one, ref.Float(prec, x))) }
	return []elementary{
		{"Exp", 1.02, 1e-18, 700, true,
			[]float64{-708, 700, -Ln2}, Exp, exp},
		{"Expm1", 1.1, 1e-18, 700, true,
			[]float64{-1e-30, -708, 0.25, -0.25}, Expm1,
			func(x float64) *big.Float { return ref.Sub(exp(x), one) }},
		{"Log", 1.02, 1e-300, 1e300, false,
			[]float64{1 - 0x1p-53, 1 + 0x1p-52, 0.75, 2}, Log,
			func(x float64) *big.Float { return ref.Log(ref.Float(prec, x)) }},
		{"Log1p", 1.02, 1e-20, 0.9999, true,
			[]float64{-1 + 0x1p-53, -0.5, 1e17, 1e-30}, Log1p, log1p},
		{"Log1mExp", 3, 1e-22, 700, false,
			[]float64{Ln2, math.Nextafter(Ln2, 1), 1e-300, 36.8}, Log1mExp,
			func(x float64) *big.Float {
				// 1500 bits: 1-e^-700 needs 1010 of them to hold 400 of its logarithm.
				e := ref.Exp(ref.Float(1500, -x))
				return ref.Log(ref.Sub(ref.Float(1500, 1), e))
			}},
		{"Log1pMX", 4.4, 1e-20, 0.5, true,
			[]float64{-0.5, 0.5, 1, 0.9, 0}, Log1pMX,
			func(x float64) *big.Float { return ref.Sub(log1p(x), ref.Float(prec, x)) }},
		{"Expm1MX", 4.6, 1e-20, 1, true,
			[]float64{-1, 1, 0}, Expm1MX,
			func(x float64) *big.Float { return ref.Sub(ref.Sub(exp(x), one), ref.Float(prec, x)) }},
		{"XMinusSin to 1", 4.6, 1e-20, 1, false,
			[]float64{0, 1}, XMinusSin,
			func(x float64) *big.Float { return ref.Sub(ref.Float(prec, x), ref.Sin(ref.Float(prec, x))) }},
		{"XMinusSin", 9.3, 1e-20, math.Pi, false,
			[]float64{0, 1, math.Nextafter(1, 2), math.Pi}, XMinusSin,
			func(x float64) *big.Float { return ref.Sub(ref.Float(prec, x), ref.Sin(ref.Float(prec, x))) }},
		{"Sincos (sine)", 2, 1e-20, math.Pi / 2, false,
			[]float64{math.Pi / 2}, func(x float64) float64 { s, _ := Sincos(x); return s },
			func(x float64) *big.Float { return ref.Sin(ref.Float(prec, x)) }},
	}
}

// Every function keeps the bound of its comment over its domain.
func TestBounds(t *testing.T) {
	for _, f := range elementaries() {
		r := rand.New(rand.NewPCG(1, uint64(len(f.name))))
		worst, at := 0.0, 0.0
		for i := range cases() + len(f.edges) {
			x := spread(r, f.lo, f.hi)
			if f.signed {
				x = signed(r, x)
			}
			if i < len(f.edges) {
				x = f.edges[i]
			}
			if e := ref.ErrorInU(f.got(x), f.want(x)); !(e <= worst) {
				worst, at = e, x
			}
		}
		t.Logf("%-14s worst %.2f u of %g, at %v", f.name, worst, f.bound, at)
		if !(worst <= f.bound) {
			t.Errorf("%s(%v): error %g u, stated bound %g u", f.name, at, worst, f.bound)
		}
	}
}

// Atan2 returns the angle whose sine and cosine are in the ratio asked.
func TestAtan2(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range cases() {
		y, x := spread(r, 1e-18, 1), signed(r, spread(r, 1e-18, 1))
		a := Atan2(y, x)
		s, c := ref.Sin(ref.Float(prec, a)), ref.Cos(ref.Float(prec, a))
		// y cos a - x sin a = hypot(x,y) sin(angle - a)
		d := ref.Sub(ref.Mul(c, ref.Float(prec, y)), ref.Mul(s, ref.Float(prec, x)))
		off, _ := d.Quo(d, ref.Float(prec, math.Hypot(x, y)*a)).Float64()
		if e := math.Abs(off) * 0x1p53; e > 2.5 {
			t.Errorf("Atan2(%v, %v): error %g u", y, x, e)
		}
	}
}

// Product is the exact product rounded once.
func TestProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	words := []uint64{0, 1, 2, 3, 1<<53 - 1, 1 << 53, 1<<53 + 1, 1<<63 + 1, 1<<64 - 1}
	for range cases() {
		words = append(words, r.Uint64()>>r.IntN(64))
	}
	for _, a := range words {
		for _, b := range []uint64{0, 1, 7, 4095, 4096, 1<<53 + 1, 1<<64 - 1} {
			exact := new(big.Int).Mul(new(big.Int).SetUint64(a), new(big.Int).SetUint64(b))
			want, _ := new(big.Float).SetInt(exact).Float64()
			if got := Product(a, b); got != want {
				t.Errorf("Product(%d, %d) = %b, want %b", a, b, got, want)
			}
		}
	}
}

// StirlingError agrees with the logarithm of the factorial itself.
func TestStirlingError(t *testing.T) {
	// ln pi = 2 ln(4 atan 1) by Machin's formula would do; sin gives it to any
	// precision: one Newton step from math.Pi triples the digits, three make 400 bits.
	pi := ref.Float(prec, math.Pi)
	for range 4 {
		pi = ref.Add(pi, ref.Sin(pi))
	}
	lnTurn := ref.Log(ref.Mul(ref.Float(prec, 2), pi))
	ln := ref.Float(prec, 0) // ln x!
	for x := 1; x <= longtest.More(60, 300); x++ {
		b := ref.Float(prec, float64(x))
		lnX := ref.Log(b)
		ln = ref.Add(ln, lnX)
		half := ref.Quo(ref.Add(lnTurn, lnX), ref.Float(prec, 2))
		want := ref.Sub(ref.Add(ln, b), ref.Add(half, ref.Mul(b, lnX)))
		d, _ := ref.Sub(ref.Float(prec, StirlingError(float64(x))), want).Float64()
		if math.Abs(d) > 0x1p-53 {
			t.Errorf("StirlingError(%d): off by %g", x, d)
		}
	}
}
