package exact

import (
	"errors"
	"math/big"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

func ratAround(x *big.Rat, prec uint) *interval.Interval { return interval.New(prec).SetRat(x) }

// excessOf returns the definition of Excess.
func excessOf(kind bloomproof.Bound, z, f, bloom, u *interval.Interval) *interval.Interval {
	if kind == bloomproof.BoundBloom {
		z.Quo(f, bloom)
	} else {
		z.Quo(u, f)
	}
	return z.Sub(z, interval.New(z.Prec()).SetUint64(1))
}

// TestComplementRational compares the complement, the logarithm and the excesses of every
// small filter, at all fills, with their definitions in rationals.
func TestComplementRational(t *testing.T) {
	const prec = 70
	mostM := longtest.Of(5, 6, 8)
	for _, h := range allHashings {
		for m := 1; m <= mostM; m++ {
			for k := 1; k <= 10; k++ {
				g := bloomproof.Geometry{M: uint64(m), K: k, Hashing: h}
				if g.Validate() != nil {
					continue
				}
				for _, n := range []int{0, 1, 2, 5, 30} {
					f := rationalOf(g, uint64(n))
					want := new(big.Rat).Sub(big.NewRat(1, 1), f)
					if e, err := Complement(g, uint64(n), prec); err != nil || !e.Contains(want) || e.RelBits() < prec {
						t.Errorf("%v, n=%d: 1-f is %v with %d bits, %v; want %v", g, n, e, e.RelBits(), err, want.FloatString(30))
					}
					l, err := LogFPR(g, uint64(n), prec)
					if n == 0 {
						if !errors.Is(err, bloomproof.ErrUndefined) {
							t.Errorf("%v: the logarithm of 0 is %v, %v", g, l, err)
						}
						continue
					}
					log := ratAround(f, prec+70)
					if err != nil || !l.Overlaps(around(log.Log(log))) || l.RelBits() < prec {
						t.Errorf("%v, n=%d: ln f is %v with %d bits, %v; want %v", g, n, l, l.RelBits(), err, around(log))
					}
					checkExcesses(t, g, n, f, prec)
				}
			}
		}
	}
}

// checkExcesses compares with the definitions, or wants the errors that Excess documents.
func checkExcesses(t *testing.T, g bloomproof.Geometry, n int, f *big.Rat, prec uint) {
	t.Helper()
	m, k := int(g.M), g.K
	one := big.NewRat(1, 1)
	for _, kind := range excessKinds {
		e, err := Excess(kind, g, uint64(n), prec)
		h, _ := hashingOf(g)
		var param *bloomproof.ParamError
		switch {
		case !slices.Contains(h.bounds(), kind):
			if !errors.As(err, &param) || param.Param != "bound" {
				t.Errorf("%v of %v: error %v", kind, g, err)
			}
			continue
		case kind == bloomproof.BoundUpper && k > m:
			if !errors.Is(err, bloomproof.ErrUndefined) {
				t.Errorf("%v of %v: error %v", kind, g, err)
			}
			continue
		}
		var want *big.Rat
		if kind == bloomproof.BoundBloom {
			want = new(big.Rat).Quo(f, ratPow(oneMinus(1, m, n*k), k))
		} else {
			want = new(big.Rat).Quo(ratPow(oneMinus(k, m, n), k), f)
		}
		if want.Sub(want, one); err != nil || !e.Contains(want) || e.RelBits() < int(prec) {
			t.Errorf("%v of %v, n=%d: %v with %d bits, %v; want %v", kind, g, n, e, e.RelBits(), err, want.FloatString(30))
		}
	}
}

// TestComplementGrid compares with plain subtraction of f, bloom and U at a precision
// beyond all cancellation, at 50 and at 1000 digits.
func TestComplementGrid(t *testing.T) {
	for i, c := range []struct {
		m, n   uint64
		k      int
		cancel uint
	}{
		{1 << 40, 3e10, 25, 200},           // the common case
		{1<<64 - 1, 1, 2, 400},             // nothing but the first order
		{1<<64 - 1, 1 << 60, 3, 400},       // the least variance
		{100, 250_000 / 8, 8, 8000},        // within 1e-1085 of 1
		{1 << 20, 1 << 30, 2, 7000},        // within 1e-889 of 1
		{1<<40 + 15, 41 * 1 << 36, 7, 300}, // 1-f near 1e-15
		{1<<16 + 1, 1 << 16, 20, 300},      // 1-f near 1e-8
		{97, 20, 96, 600},                  // k = m-1
		{128, 3, 30, 300},                  // f below 1e-9
		{60, 4, 60, 300},                   // k = m
	} {
		for _, h := range allHashings {
			g := bloomproof.Geometry{M: c.m, K: c.k, Hashing: h}
			if h == bloomproof.Partitioned {
				g.M -= g.M % uint64(c.k)
			}
			precs := []uint{PrecFor(50)}
			if longtest.Enabled() || !testing.Short() && i%4 == 0 && i%3 == int(h) {
				precs = append(precs, PrecFor(1000))
			}
			for _, prec := range precs {
				wide := prec + c.cancel
				f, _, err := FPR(g, c.n, wide, Auto)
				if err != nil {
					t.Fatal(err)
				}
				nw := func() *interval.Interval { return interval.New(f.interval().Prec() + 64) }
				check := func(what string, e Enclosure, err error, want *interval.Interval) {
					t.Helper()
					if err != nil || !e.Overlaps(around(want)) || e.RelBits() < int(prec) {
						t.Errorf("%v, n=%d: %v is %v with %d bits, %v; want %v", g, c.n, what, e, e.RelBits(), err, around(want))
					}
				}
				e, err := Complement(g, c.n, prec)
				check("1-f", e, err, nw().Sub(nw().SetUint64(1), f.interval()))
				e, err = LogFPR(g, c.n, prec)
				check("ln f", e, err, nw().Log(f.interval()))
				b, err := bloom(g.M, c.n, g.K, wide)
				if err != nil {
					t.Fatal(err)
				}
				u, err := upper(g.M, c.n, g.K, wide)
				if err != nil {
					t.Fatal(err)
				}
				k, _ := hashingOf(g)
				for _, kind := range excessKinds {
					if slices.Contains(k.bounds(), kind) {
						e, err := Excess(kind, g, c.n, prec)
						check(string(kind), e, err, excessOf(kind, nw(), f.interval(), b.interval(), u.interval()))
					}
				}
			}
		}
	}
}

// TestComplementRange goes where 1-f is beyond big.Float, which the terms of nearly full
// filters are not: the value is w times the chance that j bits are unset, nearly.
func TestComplementRange(t *testing.T) {
	const most = 1<<64 - 1
	for _, c := range []struct {
		g bloomproof.Geometry
		w float64
	}{
		{bloomproof.Geometry{M: 2, K: 2}, 1.5}, // k = 2 balls occupy 2 - 1/m urns on average
		{bloomproof.Geometry{M: 1000, K: 3, Hashing: bloomproof.Classic}, 3},
		{bloomproof.Geometry{M: 1000, K: 4, Hashing: bloomproof.Partitioned}, 4},
	} {
		for name, f := range map[string]func(bloomproof.Geometry, uint64, uint) (Enclosure, error){"Complement": Complement, "LogFPR": LogFPR, "Efficiency": Efficiency} {
			if _, err := f(c.g, most, 60); !errors.Is(err, bloomproof.ErrRange) {
				t.Errorf("%s of %v: error %v, want %v", name, c.g, err, bloomproof.ErrRange)
			}
		}
		h, _ := hashingOf(c.g)
		v := (&derivation{h: h, g: c.g, n: most}).complement(100)
		if got := v.x.Float64(); got < c.w*(1-1e-15) || got > c.w*(1+1e-15) || !v.shift.Overlaps(h.logUnset(c.g, most, 200)) {
			t.Errorf("%v: 1-f is %v e^%v, want the factor %v", c.g, got, around(v.shift), c.w)
		}
	}
	g := bloomproof.Geometry{M: 1000, K: 3}
	if e, err := Excess(bloomproof.BoundBloom, g, most, 60); !errors.Is(err, bloomproof.ErrRange) {
		t.Errorf("the excess over bloom there is %v, %v", e, err)
	}
}

// TestComplementOfLittle asserts that 1-f is below 1 where f is so small that it is not
// computed.
func TestComplementOfLittle(t *testing.T) {
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		e, err := Complement(bloomproof.Geometry{M: 1 << 40, K: 30, Hashing: h}, 1, 64) // f < 2^-1000
		if err != nil {
			t.Fatal(err)
		}
		one := big.NewFloat(1)
		gap := new(big.Float).Sub(one, e.Lo())
		if e.Lo().Cmp(one) >= 0 || e.Hi().Cmp(one) > 0 || gap.MantExp(nil) > -63 {
			t.Errorf("%v: 1-f in [%v, %v]", h, e.Lo(), e.Hi())
		}
	}
}
