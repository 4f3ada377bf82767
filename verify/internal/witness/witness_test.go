package witness

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/ALTree/bigfloat"
)

// off returns the relative difference of x from y as a power of two, rounded up: -100 says that
// it is at most 2^-100.
func off(x, y *big.Float) int {
	d := new(big.Float).SetPrec(4*MaxPrec).Sub(x, y)
	if d.Sign() == 0 {
		return math.MinInt32
	}
	return d.Quo(d, y).MantExp(nil)
}

func float(v float64) *big.Float { return big.NewFloat(v) }

// Each function has the error that it states, compared with itself at a much higher precision and
// with identities that lead through others.
func TestWitnessErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	worst := map[string]int{}
	check := func(name string, prec uint, got, want *big.Float, err error) {
		t.Helper()
		if err != nil {
			t.Errorf("%s at %d bits: %v", name, prec, err)
			return
		}
		beyond := off(got, want) + int(prec)
		if beyond > 0 {
			t.Errorf("%s at %d bits: %.30g, want %.30g", name, prec, got, want)
		}
		if before, ok := worst[name]; !ok || beyond > before {
			worst[name] = beyond
		}
	}
	const deep = 1400
	for range 12 {
		for _, prec := range []uint{1, 24, 53, 64, 200, 1100} {
			x := float((2*r.Float64() - 1) * math.Exp2(float64(r.IntN(80))-70))
			if v, _ := x.Float64(); math.Abs(v) <= maxExponent {
				got, err := Exp(x, prec)
				want, _ := Exp(x, deep)
				check("exp", prec, got, want, err)
				inverse, err := Log(want, prec)
				check("log of exp", prec, inverse, x, err)
			}
			tiny := float((2*r.Float64() - 1) * math.Exp2(-float64(r.IntN(1000))))
			got, err := Log1p(tiny, prec)
			want, _ := Log1p(tiny, deep)
			check("log1p", prec, got, want, err)

			base := float(1 - math.Exp2(-1-51*r.Float64()))
			ln, _ := Log(base, 64)
			l, _ := ln.Float64()
			y := float(math.Round(math.Min(-r.Float64()*maxExponent/l, 0x1p64)))
			got, err = Pow(base, y, prec)
			want, _ = Log(base, deep+100)
			want, _ = Exp(want.Mul(want, y), deep)
			check("pow", prec, got, want, err)
		}
	}
	// ln 2 to 60 digits, from OEIS A002162.
	ln2, _, err := big.ParseFloat("0.693147180559945309417232121458176568075500134360255254120680", 10, 200, big.ToNearestEven)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Log(float(2), 190)
	check("log 2", 190, got, ln2, err)
	t.Logf("largest errors as exponents of two above the stated ones: %v", worst)
}

// Outside the domains bigfloat is wrong, which is why there are domains, and there are errors.
func TestWitnessDomains(t *testing.T) {
	near := func(want, got *big.Float) int { return -off(got, want) }
	// The guess for e^-740 is a subnormal float64.
	e, err := Exp(float(-370), 200)
	if err != nil {
		t.Fatal(err)
	}
	if bits := near(e.Mul(e, e), bigfloat.Exp(float(-740).SetPrec(53))); bits > 45 {
		t.Errorf("exp(-740) has %d good bits of 53: the domain may be larger", bits)
	}
	// The logarithm of 1 - 2^-100 at 128 bits.
	x := new(big.Float).SetPrec(128).Sub(float(1), new(big.Float).SetMantExp(float(1), -100))
	want, err := Log(x, 200)
	if err != nil {
		t.Fatal(err)
	}
	if bits := near(want, bigfloat.Log(x)); bits > 120 {
		t.Errorf("log(1-2^-100) has %d good bits of 128: no bits are lost near 1", bits)
	}
	one, huge := float(1), new(big.Float).SetMantExp(float(1), 2000)
	for name, f := range map[string]func() (*big.Float, error){
		"exp beyond 700":    func() (*big.Float, error) { return Exp(float(701), 64) },
		"exp of infinity":   func() (*big.Float, error) { return Exp(float(math.Inf(-1)), 64) },
		"exp, precision":    func() (*big.Float, error) { return Exp(one, MaxPrec+1) },
		"log of 1":          func() (*big.Float, error) { return Log(one, 64) },
		"log of 0":          func() (*big.Float, error) { return Log(float(0), 64) },
		"log of -1":         func() (*big.Float, error) { return Log(float(-1), 64) },
		"log of much":       func() (*big.Float, error) { return Log(huge, 64) },
		"log, precision":    func() (*big.Float, error) { return Log(float(2), 0) },
		"log1p of 0":        func() (*big.Float, error) { return Log1p(float(0), 64) },
		"log1p of -1":       func() (*big.Float, error) { return Log1p(float(-1), 64) },
		"log1p of much":     func() (*big.Float, error) { return Log1p(huge, 64) },
		"pow beyond e^-700": func() (*big.Float, error) { return Pow(float(0.5), float(1100), 64) },
		"pow beyond e^700":  func() (*big.Float, error) { return Pow(float(2), float(1100), 64) },
		"pow of 1":          func() (*big.Float, error) { return Pow(one, float(2), 64) },
		"pow by much":       func() (*big.Float, error) { return Pow(float(2), huge, 64) },
	} {
		if v, err := f(); !errors.Is(err, ErrDomain) {
			t.Errorf("%s is %v, %v", name, v, err)
		}
	}
}

// Goroutines may share the witness: bigfloat's cache of pi is written above 1024 bits.
func TestWitnessConcurrently(t *testing.T) {
	want, err := Log(float(3), 1500)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			if got, err := Log(float(3), 1500+uint(i)); err != nil || off(got, want) > -1499 {
				t.Error(got, err)
			}
		}()
	}
	all.Wait()
}
