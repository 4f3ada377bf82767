package fm

import (
	"math"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof/approx/internal/ref"
)

// equal reports whether x and y are the same float64, or both not a number.
func equal(x, y float64) bool {
	return math.Float64bits(x) == math.Float64bits(y) || math.IsNaN(x) && math.IsNaN(y)
}

// TestOutside checks the values at the ends of the domains and beyond them.
func TestOutside(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, p := range [][2]float64{{0, 0}, {inf, 1}, {1, inf}, {-inf, 1}, {1, -inf}, {inf, inf}, {nan, 1}, {1, nan}, {0, -1}, {0, 1}, {math.MaxFloat64, math.MaxFloat64}} {
		if got, want := Atan2(p[0], p[1]), math.Atan2(p[0], p[1]); !equal(got, want) && !(math.Abs(got-want) < 1e-15) {
			t.Errorf("the angle of %v is %v, want %v", p, got, want)
		}
	}
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"ln 0", Log(0), -inf}, {"ln -1", Log(-1), nan}, {"ln -2^-1030", Log(-0x1p-1030), nan}, {"ln -max", Log(-math.MaxFloat64), nan}, {"ln inf", Log(inf), inf}, {"ln nan", Log(nan), nan}, {"ln -inf", Log(-inf), nan},
		{"ln(1-1)", Log1p(-1), -inf}, {"ln(1-1.5)", Log1p(-1.5), nan}, {"ln(1-3)", Log1p(-3), nan}, {"ln(1+inf)", Log1p(inf), inf}, {"ln(1+nan)", Log1p(nan), nan},
		{"e^inf", Exp(inf), inf}, {"e^-inf", Exp(-inf), 0}, {"e^nan", Exp(nan), nan}, {"e^-2^30", Double{-0x1p30, 0}.Exp().Hi, 0},
	} {
		if !equal(c.got, c.want) {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
	if !IsInf(inf) || !IsInf(-inf) || IsInf(0) || IsInf(nan) || IsInf(math.MaxFloat64) {
		t.Error("IsInf")
	}
	// Next to 2^-1022 the result is subnormal, although its exponent is computed as -1022.
	for _, d := range []float64{-1e-3, -1e-6, -1e-9, 1e-6} {
		x := -1022*Ln2 + d
		got, want := Exp(x), ref.Exp(ref.Float(prec, x))
		if e := ref.Sub(ref.Float(prec, got), want); e.Sign() != 0 && e.MantExp(nil) > -1074 {
			t.Errorf("e^%v = %v, off by %v", x, got, e)
		}
	}
}

// TestScaledRange checks that a result whose exponents are far apart keeps its larger part, and that the Double of a
// result lies between 2^-400 and 2^400.
func TestScaledRange(t *testing.T) {
	one := Whole(1).Scale()
	far, zero := Scaled{Whole(1), 2000}, Scaled{Double{}, 2000}
	for name, c := range map[string]struct {
		got  Scaled
		want Scaled
	}{
		"2^2000 + 1": {far.Add(one), far}, "1 + 2^2000": {one.Add(far), far}, "0 2^2000 + 1": {zero.Add(one), one}, "1 + 0 2^2000": {one.Add(zero), one},
		"3 times 5": {Whole(3).Scale().Times(Whole(5)), Whole(15).Scale()}, "2^2000 times 3": {far.Times(Whole(3)), Scaled{Whole(3), 2000}},
	} {
		if c.got.big().Cmp(c.want.big()) != 0 {
			t.Errorf("%s = %v", name, c.got)
		}
	}
	for _, a := range []Double{{0x1p500, 0}, {0x1p500, 1}, {0x1p-500, 0}, {0x1p-500, 0x1p-600}, {-0x1p500, 1}, {0x1p401, 0}, {0x1p-401, 0}} {
		s := a.Scale()
		if h := math.Abs(s.Hi); h < 1/mostScaled || h > mostScaled || s.big().Cmp(Scaled{a, 0}.big()) != 0 {
			t.Errorf("%v scaled is %v", a, s)
		}
	}
}

// TestDoubleCancels checks sums whose larger parts cancel, so that the last word of the result counts.
func TestDoubleCancels(t *testing.T) {
	a, b := Double{1, 0x1p-54}, Double{-1, 0x1p-108}
	for _, got := range []Double{a.Add(b), b.Add(a)} {
		if got != (Double{0x1p-54, 0x1p-108}) {
			t.Errorf("%v + %v = %v", a, b, got)
		}
	}
}

// TestLogMissFar checks ln(1 - c/m) where 1 - c/m is small, and logFrom with a start that is off by 2^-51, so that the
// square of the correction counts.
func TestLogMissFar(t *testing.T) {
	for _, m := range []uint64{1 << 60, 1<<60 + 1, 3, 1000} {
		for _, miss := range []uint64{1, 2, m/2 - 1, m / 2} {
			if miss == 0 || miss >= m {
				continue
			}
			want := ref.Log(ref.Quo(bigOf(miss), bigOf(m)))
			if e := log2Error(LogMiss(m-miss, m).big(), want); e > -97 {
				t.Errorf("ln(1 - %d/%d) is off by 2^%v", m-miss, m, e)
			}
		}
	}
	three := Whole(3)
	want := ref.Log(ref.Float(prec, 3))
	for _, off := range []float64{0, 0x1p-51, -0x1p-51} {
		if e := log2Error(three.logFrom(Log(3)+off).big(), want); e > -97 {
			t.Errorf("ln 3 from a start that is off by %v: 2^%v", off, e)
		}
	}
}

func bigOf(m uint64) *big.Float { return new(big.Float).SetPrec(prec).SetUint64(m) }

// TestHarmonicShort checks sums of few terms. The formula for long sums would be too inexact for them.
func TestHarmonicShort(t *testing.T) {
	for _, c := range [][2]uint64{{64, 64}, {64, 65}, {65, 65}, {70, 90}, {63, 64}, {1, 64}, {64, 127}, {64, 128}} {
		want := ref.Float(prec, 0)
		for j := c[0]; j <= c[1]; j++ {
			want = ref.Add(want, ref.Quo(ref.Float(prec, 1), bigOf(j)))
		}
		if e := log2Error(Harmonic(c[0], c[1]).big(), want); e > -85 {
			t.Errorf("the sum of 1/j from %d to %d is off by 2^%v", c[0], c[1], e)
		}
	}
	if h := Harmonic(1<<62, 1<<62+100_000_000_000); math.Abs(h.Hi/math.Log1p(1e11/0x1p62)-1) > 1e-9 {
		t.Errorf("the sum of 10^11 terms is %v", h)
	}
}

// TestProductBits checks products whose last bit decides the rounding.
func TestProductBits(t *testing.T) {
	for _, c := range [][2]uint64{{1<<32 + 1, 1<<33 + 1}, {1 << 63, 3}, {1<<53 + 1, 1<<53 + 1}, {math.MaxUint64, math.MaxUint64}, {0x100000000000_0801, 0x100000001}, {1<<53 + 1, 1<<40 + 0}, {(1<<54 + 2) >> 1, 1<<60 + 1<<7}} {
		want, _ := new(big.Float).SetInt(new(big.Int).Mul(new(big.Int).SetUint64(c[0]), new(big.Int).SetUint64(c[1]))).Float64()
		if got := Product(c[0], c[1]); got != want {
			t.Errorf("%d * %d = %v, want %v", c[0], c[1], got, want)
		}
	}
	// 2^53+1 halfway between two float64, times 2^20, and one more: only the bit below the top 64 is set.
	a := new(big.Int).Lsh(big.NewInt(1), 117)
	a.Add(a, new(big.Int).Lsh(big.NewInt(1), 64))
	for x := uint64(1) << 58; x < 1<<58+4000; x++ {
		q, r := new(big.Int).DivMod(a, new(big.Int).SetUint64(x), new(big.Int))
		if r.Sign() == 0 || !q.IsUint64() {
			continue
		}
		y := q.Uint64() + 1
		want, _ := new(big.Float).SetInt(new(big.Int).Mul(new(big.Int).SetUint64(x), new(big.Int).SetUint64(y))).Float64()
		if got := Product(x, y); got != want {
			t.Fatalf("%d * %d = %v, want %v", x, y, got, want)
		}
	}
}
