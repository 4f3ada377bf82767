package exact

import (
	"errors"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// quantityOf sets z to the definition of q, from f, bloom and U, in rationals or intervals.
func quantityOf[T any, P field.Number[T]](z P, q Quantity, f, bloom, u P) P {
	unit := P(new(T)).SetInt(big.NewInt(1))
	switch q {
	case Rate:
		return z.Set(f)
	case Complement:
		return z.Sub(unit, f)
	case AboveBloom:
		return z.Sub(f, bloom)
	case BelowUpper:
		return z.Sub(u, f)
	case BloomRatio:
		return z.Quo(f, bloom)
	case UpperRatio:
		return z.Quo(u, f)
	case BloomExcess:
		return z.Sub(z.Quo(f, bloom), unit)
	}
	return z.Sub(z.Quo(u, f), unit)
}

func quantityRational(q Quantity, f, bloom, u *big.Rat) *big.Rat {
	return quantityOf(new(big.Rat), q, f, bloom, u)
}

// checkLog checks 2^l = x, for the logarithm l of x.
func checkLog(t *testing.T, name string, l Enclosure, x *big.Rat) {
	t.Helper()
	two := exactlyInt(2, 300).interval()
	power := ratAround(x, 300)
	power.Log(power)
	power.Quo(power, two.Log(two))
	if !l.Overlaps(around(power)) {
		t.Errorf("%s: logarithm %v, want %v", name, l, around(power))
	}
}

// TestDerivedRational compares every quantity of every small filter, at all fills, with
// its definition in rationals.
func TestDerivedRational(t *testing.T) {
	const prec = 70
	mostM := 8
	if testing.Short() {
		mostM = 5
	}
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic, bloomproof.Partitioned} {
		for m := 1; m <= mostM; m++ {
			for k := 1; k <= 10; k++ {
				g := bloomproof.Geometry{M: uint64(m), K: k, Hashing: h}
				if g.Validate() != nil {
					continue
				}
				for _, n := range []int{0, 1, 2, 5, 30} {
					f, err := FPRRat(g, uint64(n))
					if err != nil {
						t.Fatal(err)
					}
					bloom := ratPow(oneMinus(1, m, n*k), k)
					var u *big.Rat
					if k <= m {
						u = ratPow(oneMinus(k, m, n), k)
					}
					for _, q := range Quantities() {
						name := q.String() + " of " + g.String()
						withU, ratio := q == BelowUpper || q >= UpperRatio && q != BloomExcess, q >= BloomRatio
						e, err := Derived(q, g, uint64(n), prec)
						l, logErr := Log2(q, g, uint64(n), prec)
						if withU && u == nil || ratio && n == 0 {
							if !errors.Is(err, ErrUndefined) || !errors.Is(logErr, ErrUndefined) {
								t.Errorf("%s, n=%d: errors %v, %v", name, n, err, logErr)
							}
							continue
						}
						want := quantityRational(q, f, bloom, u)
						if err != nil || !e.Contains(want) || e.RelBits() < prec {
							t.Errorf("%s, n=%d: %v with %d bits, %v; want %v", name, n, e, e.RelBits(), err, want.FloatString(30))
							continue
						}
						if want.Sign() <= 0 {
							if !errors.Is(logErr, ErrUndefined) {
								t.Errorf("%s, n=%d: logarithm %v of a number that is not positive, %v", name, n, l, logErr)
							}
							continue
						}
						if logErr != nil || l.RelBits() < prec {
							t.Errorf("%s, n=%d: logarithm with %d bits, %v", name, n, l.RelBits(), logErr)
							continue
						}
						checkLog(t, name, l, want)
					}
				}
			}
		}
	}
}

func ratAround(x *big.Rat, prec uint) *interval.Interval { return interval.New(prec).SetRat(x) }

// TestDerivedGrid compares with plain subtraction of f, bloom and U at a precision
// beyond all cancellation, at 50 and at 1000 digits.
func TestDerivedGrid(t *testing.T) {
	precs := []uint{PrecFor(50)}
	if longtest.Enabled() {
		precs = append(precs, PrecFor(1000))
	}
	for _, c := range []struct {
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
		for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic, bloomproof.Partitioned} {
			g := bloomproof.Geometry{M: c.m, K: c.k, Hashing: h}
			if h == bloomproof.Partitioned {
				g.M -= g.M % uint64(c.k)
			}
			for _, prec := range precs {
				wide := prec + c.cancel
				f, _, err := FPR(g, c.n, wide, Auto)
				if err != nil {
					t.Fatal(err)
				}
				b, err := Bloom(g.M, c.n, g.K, wide)
				if err != nil {
					t.Fatal(err)
				}
				u, err := Upper(g.M, c.n, g.K, wide)
				if err != nil {
					t.Fatal(err)
				}
				for _, q := range Quantities() {
					want := quantityOf(interval.New(f.interval().Prec()+64), q, f.interval(), b.interval(), u.interval())
					e, err := Derived(q, g, c.n, prec)
					if err != nil || !e.Overlaps(around(want)) || e.RelBits() < int(prec) {
						t.Errorf("%v, n=%d: %v is %v with %d bits, %v; want %v", g, c.n, q, e, e.RelBits(), err, around(want))
					}
					if want.Sign() <= 0 || prec > precs[0] || q == UpperRatio && h == bloomproof.Partitioned {
						continue
					}
					// Only the reference is known to fewer bits where the logarithm is near 0.
					l, err := Log10(q, g, c.n, prec)
					log := interval.New(wide).Log(want)
					log.Quo(log, interval.New(wide).Log(interval.New(8).SetUint64(10)))
					if err != nil || !l.Overlaps(around(log)) || l.RelBits() < int(prec) || around(log).RelBits() < int(prec) {
						t.Errorf("%v, n=%d: log10 of %v is %v with %d bits, %v; want %v", g, c.n, q, l, l.RelBits(), err, around(log))
					}
				}
			}
		}
	}
}

// TestDerivedRange goes where the values are beyond big.Float and only logarithms exist.
func TestDerivedRange(t *testing.T) {
	const most = 1<<64 - 1
	for _, c := range []struct {
		q    Quantity
		g    bloomproof.Geometry
		w, j int64 // the value is w times the chance that j bits are unset, nearly
	}{
		// k = 2 balls occupy 2 - 1/m urns on average; bloom counts 2.
		{Complement, bloomproof.Geometry{M: 2, K: 2}, 3, 1},
		{AboveBloom, bloomproof.Geometry{M: 2, K: 2}, 1, 1},
		{Complement, bloomproof.Geometry{M: 1000, K: 3, Hashing: bloomproof.Classic}, 6, 1},
		{BelowUpper, bloomproof.Geometry{M: 1000, K: 3, Hashing: bloomproof.Classic}, 6, 2},
		{Complement, bloomproof.Geometry{M: 1000, K: 4, Hashing: bloomproof.Partitioned}, 8, 1},
	} {
		if _, err := Derived(c.q, c.g, most, 60); !errors.Is(err, ErrRange) {
			t.Errorf("%v of %v: error %v, want %v", c.q, c.g, err, ErrRange)
		}
		got, err := Log2(c.q, c.g, most, 200)
		// log2 (w/2 (1-p)^(jn)), p = 1/m or k/m
		p := big.NewRat(-1, int64(c.g.M))
		n := integer.Product(most, c.g.K)
		if c.g.Hashing != bloomproof.Standard {
			p = big.NewRat(int64(-c.g.K), int64(c.g.M))
			n = new(big.Int).SetUint64(most)
		}
		nw := func() *interval.Interval { return interval.New(300) }
		l := nw().SetRat(p)
		l.Mul(l.Log1p(l), nw().SetInt(n.Mul(n, big.NewInt(c.j))))
		ln2 := nw().Log(nw().SetUint64(2))
		want := nw().Add(l, nw().Sub(nw().Log(nw().SetUint64(uint64(c.w))), ln2))
		want.Quo(want, ln2)
		if err != nil || got.RelBits() < 200 || !got.Overlaps(around(want)) {
			t.Errorf("log2 of %v of %v is %v, %v; want %v", c.q, c.g, got, err, around(want))
		}
	}
	g := bloomproof.Geometry{M: 1000, K: 3}
	if _, err := Log2(Rate, g, most, 60); !errors.Is(err, ErrRange) {
		t.Errorf("log2 of a rate within e^-10^16 of 1: error %v, want %v", err, ErrRange)
	}
	if e, err := Derived(BloomRatio, g, most, 60); err != nil || e.RelBits() < 60 || !e.Contains(big.NewRat(1, 1)) {
		t.Errorf("the ratio to bloom there is %v, %v, want 1", e, err)
	}
}

// TestComplementOfLittle asserts that 1-f is below 1 where f is so small that it is not
// computed.
func TestComplementOfLittle(t *testing.T) {
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		e, err := Derived(Complement, bloomproof.Geometry{M: 1 << 40, K: 30, Hashing: h}, 1, 64) // f < 2^-1000
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
