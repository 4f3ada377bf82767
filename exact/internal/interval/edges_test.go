package interval

import (
	"errors"
	"math"
	"math/big"
	"testing"
)

// pow2 returns 2^exp.
func pow2(exp int) *big.Float { return new(big.Float).SetMantExp(big.NewFloat(1), exp) }

// from returns [lo, hi] in 80 bits.
func from(lo, hi *big.Float) *Interval { return New(80).SetEnds(lo, hi) }

func between(lo, hi float64) *Interval { return from(big.NewFloat(lo), big.NewFloat(hi)) }

// isEnds fails unless z is [lo, hi] exactly.
func isEnds(t *testing.T, what string, z *Interval, lo, hi *big.Float) {
	t.Helper()
	if !z.Valid() || z.lo.Cmp(lo) != 0 || z.hi.Cmp(hi) != 0 {
		t.Errorf("%s = %s, want [%s, %s]", what, ends(z), lo.Text('p', 20), hi.Text('p', 20))
	}
}

// TestUndefinedOperands gives every operation an operand without a finite enclosure, in each place. It also gives
// them intervals for which only one end of the result exists.
func TestUndefinedOperands(t *testing.T) {
	bad := New(80).spoil(80)
	two, zero := between(2, 2), between(0, 0)
	huge, negHuge := pow2(big.MaxExp-1), new(big.Float).Neg(pow2(big.MaxExp-1))
	big40 := new(big.Int).Lsh(one, 40)
	odd40 := new(big.Int).Add(big40, one)
	c, s := New(80), New(80)
	for name, z := range map[string]*Interval{
		"2 + bad": New(80).Add(two, bad), "bad + 2": New(80).Add(bad, two), "2 - bad": New(80).Sub(two, bad), "bad - 2": New(80).Sub(bad, two),
		"2 bad": New(80).Mul(two, bad), "bad 2": New(80).Mul(bad, two), "2/bad": New(80).Quo(two, bad), "bad/2": New(80).Quo(bad, two),
		"bad^0": New(80).PowInt(bad, new(big.Int)), "pow(bad, 2)": New(80).Pow(bad, two), "pow(2, bad)": New(80).Pow(two, bad),
		"pow(0, bad)": New(80).Pow(zero, bad), "hull(bad, 2)": New(80).hull(bad, two), "hull(2, bad)": New(80).hull(two, bad),
		"log bad": New(80).Log(bad), "sqrt [-1, 4]": New(80).Sqrt(between(-1, 4)), "log1p [-2, 1]": New(80).Log1p(between(-2, 1)),
		"pow([-1, 0], 2)": New(80).Pow(between(-1, 0), two), "pow([-1, 2], 2)": New(80).Pow(between(-1, 2), two),
		"pow([0, 1], [-1, 1])": New(80).Pow(between(0, 1), between(-1, 1)), "pow([0, 1], [0, 1])": New(80).Pow(between(0, 1), between(0, 1)),
		"pow([0, 1], -1)": New(80).Pow(between(0, 1), between(-1, -1)), "exp [1, 2e9]": New(80).Exp(between(1, 2e9)),
		"[-huge, huge]^2": New(80).Mul(from(negHuge, huge), from(negHuge, huge)), "[-huge, 1] huge": New(80).Mul(from(negHuge, big.NewFloat(1)), from(huge, huge)),
		"[-huge, -1] [1, huge]": New(80).Mul(from(negHuge, big.NewFloat(-1)), from(big.NewFloat(1), huge)), "[1, huge] huge": New(80).Mul(from(big.NewFloat(1), huge), from(huge, huge)), "[-huge, 1]/2^-9": New(80).Quo(from(negHuge, big.NewFloat(1)), from(pow2(-9), pow2(-9))),
		"[-huge, 1]^2^40": New(80).PowInt(from(negHuge, big.NewFloat(1)), big40), "[-1, huge]^2^40": New(80).PowInt(from(big.NewFloat(-1), huge), big40),
		"[-huge, 1]^odd": New(80).PowInt(from(negHuge, big.NewFloat(1)), odd40), "[-1, huge]^odd": New(80).PowInt(from(big.NewFloat(-1), huge), odd40),
		"atan bad": New(80).atanSmall(bad), "atan [-1/2, 0]": New(80).atanSmall(between(-0.5, 0)), "atan [0, 1/2]": New(80).atanSmall(between(0, 0.5)),
		"[1, 3/2] over [-1, 1]": New(80).Quo(between(1, 1.5), between(-1, 1)),
	} {
		if z.Valid() || z.IsPoint() {
			t.Errorf("%s = %s", name, ends(z))
		}
	}
	for name, x := range map[string]*Interval{"bad": bad, "[-2^300, 0]": from(new(big.Float).Neg(pow2(300)), new(big.Float)), "[0, 2^300]": from(new(big.Float), pow2(300)), "2^257": from(pow2(256), pow2(256))} {
		if sinCos(c, s, x); c.Valid() || s.Valid() {
			t.Errorf("sinCos %s is valid", name)
		}
	}
	if sinCos(c, s, from(pow2(255), pow2(255))); !c.Valid() || !s.Valid() {
		t.Error("sinCos 2^255 is not valid")
	}
	if sinCos(c, s, from(new(big.Float).Neg(pow2(255)), new(big.Float).Neg(pow2(255)))); !c.Valid() || !s.Valid() {
		t.Error("sinCos -2^255 is not valid")
	}
	if !New(80).Exp(between(expLimit, expLimit)).Valid() {
		t.Error("exp of the largest argument is not valid")
	}
	if bad.Contains(zero) || zero.Contains(bad) || bad.Contains(two) || two.Contains(bad) || bad.ContainsRat(new(big.Rat)) || bad.ContainsRat(big.NewRat(2, 1)) {
		t.Error("bad contains, or is contained")
	}
	for _, pair := range [][2]*Interval{{two, bad}, {bad, two}, {zero, bad}, {bad, zero}, {bad, bad}} {
		if _, decided := pair[0].Cmp(pair[1]); decided {
			t.Errorf("%s and %s are compared", ends(pair[0]), ends(pair[1]))
		}
	}
	if _, decided := bad.CmpRat(new(big.Rat)); decided {
		t.Error("bad is compared with 0")
	}
	half := NewComplex(80)
	if half.Re.spoil(80); half.Valid() {
		t.Error("a complex number with a bad real part is valid")
	}
	if half = NewComplex(80); !half.Valid() {
		t.Error("0 is not valid")
	}
	if half.Im.spoil(80); half.Valid() {
		t.Error("a complex number with a bad imaginary part is valid")
	}
}

// TestComparisons has comparisons of intervals that touch, contain each other or are points.
func TestComparisons(t *testing.T) {
	for _, c := range []struct {
		x, y          *Interval
		order         int
		decided, over bool
	}{
		{between(2, 2), between(2, 3), 0, false, true}, {between(2, 2), between(1, 3), 0, false, true}, {between(1, 3), between(2, 2), 0, false, true},
		{between(2, 2), between(2, 2), 0, true, true}, {between(1, 2), between(3, 4), -1, true, false}, {between(3, 4), between(1, 2), 1, true, false},
		{between(2, 2), between(3, 3), -1, true, false}, {between(3, 3), between(2, 2), 1, true, false},
	} {
		if order, decided := c.x.Cmp(c.y); decided != c.decided || decided && order != c.order {
			t.Errorf("%s against %s: %d, %v", ends(c.x), ends(c.y), order, decided)
		}
		if c.x.Overlaps(c.y) != c.over {
			t.Errorf("%s overlaps %s: %v", ends(c.x), ends(c.y), !c.over)
		}
	}
	for _, c := range []struct {
		x       *Interval
		num     int64
		order   int
		decided bool
		has     bool
	}{
		{between(1, 2), 3, -1, true, false}, {between(1, 2), 2, 0, false, true}, {between(1, 2), 1, 0, false, true}, {between(1, 2), 0, 1, true, false},
		{between(2, 2), 2, 0, true, true}, {between(0, 0), 0, 0, true, true}, {between(-2, -1), 0, -1, true, false}, {between(-2, -1), -3, 1, true, false},
		{between(3, 4), 2, 1, true, false}, {between(0, 1), 0, 0, false, true},
	} {
		r := big.NewRat(c.num, 1)
		if order, decided := c.x.CmpRat(r); decided != c.decided || decided && order != c.order {
			t.Errorf("%s against %d: %d, %v", ends(c.x), c.num, order, decided)
		}
		if c.x.ContainsRat(r) != c.has {
			t.Errorf("%s contains %d: %v", ends(c.x), c.num, !c.has)
		}
	}
	for _, c := range []struct {
		x, y *Interval
		has  bool
	}{
		{between(1, 4), between(2, 3), true}, {between(1, 4), between(1, 4), true}, {between(1, 4), between(2, 5), false}, {between(1, 4), between(0, 3), false},
		{between(2, 3), between(1, 4), false}, {between(1, 4), between(5, 6), false},
	} {
		if c.x.Contains(c.y) != c.has {
			t.Errorf("%s contains %s: %v", ends(c.x), ends(c.y), !c.has)
		}
	}
	for _, c := range []struct {
		x    *Interval
		sign int
	}{{between(1, 2), 1}, {between(-2, -1), -1}, {between(0, 1), 0}, {between(-1, 0), 0}, {between(-1, 1), 0}, {between(0, 0), 0}} {
		if c.x.Sign() != c.sign {
			t.Errorf("the sign of %s is %d", ends(c.x), c.x.Sign())
		}
	}
	for _, c := range []struct {
		a, b   *Interval
		lo, hi float64
	}{
		{between(1, 3), between(2, 4), 1, 4}, {between(2, 4), between(1, 3), 1, 4}, {between(1, 4), between(2, 3), 1, 4}, {between(2, 3), between(1, 4), 1, 4},
		{between(1, 2), between(3, 4), 1, 4}, {between(3, 4), between(1, 2), 1, 4},
	} {
		isEnds(t, "hull", New(80).hull(c.a, c.b), big.NewFloat(c.lo), big.NewFloat(c.hi))
	}
	if f := between(1, 4).Float64(); f != 2.5 {
		t.Errorf("the middle of [1, 4] is %v", f)
	}
	if f := New(1).SetEnds(big.NewFloat(1), big.NewFloat(2)).Float64(); f != 1.5 {
		t.Errorf("the middle of [1, 2] in one bit is %v", f)
	}
}

// TestPrecisionOfResults checks that a receiver without a precision takes the largest of its operands, or the default.
func TestPrecisionOfResults(t *testing.T) {
	x, y := New(100).SetUint64(3), New(50).SetUint64(2)
	c, s := new(Interval), new(Interval)
	sinCos(c, s, x)
	for name, z := range map[string]*Interval{
		"Add": new(Interval).Add(x, y), "Add 2": new(Interval).Add(y, x), "PowInt": new(Interval).PowInt(x, two), "Pow": new(Interval).Pow(x, y),
		"Pow of an interval": new(Interval).Pow(New(100).SetEnds(big.NewFloat(1), big.NewFloat(2)), y), "cos": c, "sin": s,
		"Pow from 0": new(Interval).Pow(New(100).SetEnds(new(big.Float), big.NewFloat(2)), y), "Sqrt": new(Interval).Sqrt(x), "Exp": new(Interval).Exp(x),
	} {
		if z.Prec() != 100 || z.lo.Prec() > 100 || z.hi.Prec() > 100 {
			t.Errorf("%s has %d bits, and ends of %d and %d", name, z.Prec(), z.lo.Prec(), z.hi.Prec())
		}
	}
	if z := new(Interval).SetUint64(3); z.Prec() != DefaultPrec {
		t.Errorf("without a precision there are %d bits", z.Prec())
	}
}

// TestExactResults checks that numbers which fit are not widened, and that a zero operand costs nothing.
func TestExactResults(t *testing.T) {
	far := from(pow2(300), pow2(300))
	isEnds(t, "0 + 2^300", New(80).Add(between(0, 0), far), pow2(300), pow2(300))
	isEnds(t, "2^300 + 0", New(80).Add(far, between(0, 0)), pow2(300), pow2(300))
	isEnds(t, "2^300 - 0", New(80).Sub(far, between(0, 0)), pow2(300), pow2(300))
	isEnds(t, "sqrt 4", New(80).Sqrt(between(4, 4)), big.NewFloat(2), big.NewFloat(2))
	isEnds(t, "sqrt 0", New(80).Sqrt(between(0, 0)), new(big.Float), new(big.Float))
	isEnds(t, "pow(0, 2)", New(80).Pow(between(0, 0), between(2, 2)), new(big.Float), new(big.Float))
	isEnds(t, "12/8", New(80).SetScaled(big.NewInt(12), big.NewInt(12), -3), big.NewFloat(1.5), big.NewFloat(1.5))
	least := new(big.Float).SetMantExp(big.NewFloat(0.5), big.MinExp)
	isEnds(t, "2^MinExp^2", New(80).Mul(from(pow2(-1e9), pow2(-1e9)), from(pow2(-2e9), pow2(-2e9))), new(big.Float), least)
	// Of both ends only the upper one, or only the lower one, underflows.
	isEnds(t, "[-1, 2^-1e9] 2^-2e9", New(80).Mul(from(big.NewFloat(-1), pow2(-1e9)), from(pow2(-2e9), pow2(-2e9))), new(big.Float).Neg(pow2(-2e9)), least)
	isEnds(t, "[-2^-1e9, 1] 2^-2e9", New(80).Mul(from(new(big.Float).Neg(pow2(-1e9)), big.NewFloat(1)), from(pow2(-2e9), pow2(-2e9))), new(big.Float).Neg(least), pow2(-2e9))
	// Below the limit of Exp there is one bound for all.
	limit := New(80).Exp(between(-expLimit, -expLimit))
	isEnds(t, "exp(-2^40)", New(80).Exp(between(-1<<40, -1<<40)), new(big.Float), limit.Hi())
	isEnds(t, "exp [-2^40, 0]", New(80).Exp(between(-1<<40, 0)), new(big.Float), big.NewFloat(1))
	if low := New(80).Exp(between(-expLimit, 0)).Lo(); limit.Lo().Sign() <= 0 || low.Cmp(limit.Lo()) != 0 {
		t.Errorf("exp [-1.4e9, 0] begins at %v", low.Text('p', 20))
	}
	// Real numbers remain real.
	x := NewComplex(80).SetReal(between(3, 4))
	dirty := NewComplex(80)
	dirty.Im.SetUint64(7)
	if !dirty.SetReal(between(1, 2)).IsReal() {
		t.Error("SetReal leaves an imaginary part")
	}
	if e := NewComplex(80).Exp(x); !e.IsReal() || !same(&e.Re, New(80).Exp(between(3, 4))) {
		t.Errorf("e^[3, 4] = %s + %s i", ends(&e.Re), ends(&e.Im))
	}
	if l := NewComplex(80).Log(x); !l.IsReal() {
		t.Errorf("log [3, 4] has the imaginary part %s", ends(&l.Im))
	}
	isEnds(t, "atan 0", New(80).atanSmall(between(0, 0)), new(big.Float), new(big.Float))
	if z := New(80).atanSmall(between(0, 0x1p-9)); !z.Valid() || z.lo.Sign() > 0 || z.hi.Cmp(big.NewFloat(math.Atan(0x1p-9)*(1-0x1p-50))) < 0 {
		t.Errorf("atan [0, 2^-9] = %s", ends(z))
	}
}

// TestArgWide asks for the argument of rectangles on both sides of the positive axis, and of numbers beyond the range
// of float64.
func TestArgWide(t *testing.T) {
	z := NewComplex(80)
	z.Re.Set(between(1, 1.001))
	z.Im.Set(between(-0.001, 0.001))
	if a := z.arg(60); !a.Valid() || a.lo.Cmp(big.NewFloat(-0.0009999)) > 0 || a.hi.Cmp(big.NewFloat(0.0009999)) < 0 {
		t.Errorf("the argument of 1 +- 0.001 i is %s", ends(a))
	}
	for _, exp := range []int{5000, -5000} {
		z.Re.Set(from(pow2(exp), pow2(exp)))
		z.Im.Set(from(pow2(exp+2), pow2(exp+2)))
		if a := z.arg(60); !a.Valid() || math.Abs(a.Float64()-math.Atan(4)) > 1e-15 {
			t.Errorf("the argument of 2^%d (1 + 4i) is %s", exp, ends(a))
		}
	}
}

// TestFloorFixed lists floors, also of numbers that are less than one unit.
func TestFloorFixed(t *testing.T) {
	for _, c := range []struct {
		x     *big.Float
		scale uint
		want  int64
	}{
		{big.NewFloat(1.75), 2, 7}, {big.NewFloat(1.75), 1, 3}, {big.NewFloat(1.75), 0, 1}, {big.NewFloat(-1.75), 0, -2}, {big.NewFloat(-1.75), 1, -4},
		{pow2(-300), 5, 0}, {new(big.Float).Neg(pow2(-300)), 5, -1}, {big.NewFloat(-0.75), 0, -1}, {big.NewFloat(0.75), 0, 0}, {big.NewFloat(6), 0, 6},
		{new(big.Float), 9, 0}, {pow2(40), 3, 1 << 43},
	} {
		if got := floorFixed(c.x, c.scale); got.Cmp(big.NewInt(c.want)) != 0 {
			t.Errorf("floor(%v 2^%d) = %v, want %d", c.x, c.scale, got, c.want)
		}
	}
}

// TestDecimalEdges lists ties, powers of ten, widths next to the limit, intervals around 0, forms next to the limits of
// the plain form, and exponents for which the power of ten is an enclosure.
func TestDecimalEdges(t *testing.T) {
	point := func(x *big.Float) *Interval { return New(x.MinPrec()+1).SetEnds(x, x) }
	ten := func(exp int64) *big.Float {
		i := new(big.Int).Exp(big.NewInt(10), big.NewInt(exp), nil)
		return new(big.Float).SetPrec(uint(i.BitLen())).SetInt(i)
	}
	for _, c := range []struct {
		x           *Interval
		digits      int
		lo, mid, hi string
	}{
		{between(0.25, 0.25), 1, "0.2", "0.3", "0.3"}, {between(0.625, 0.625), 3, "0.625", "0.625", "0.625"}, {between(0.125, 0.125), 1, "0.1", "0.1", "0.2"},
		{between(1000, 1000), 3, "1.00e3", "1.00e3", "1.00e3"}, {between(1000, 1000.25), 3, "1.00e3", "1.00e3", "1.01e3"},
		{between(1.5, 2.5), 1, "1.500", "2", "2.500"}, {between(5, 5), 1, "5", "5", "5"}, {between(-0.25, -0.25), 1, "-0.3", "-0.3", "-0.2"},
		{point(ten(20)), 21, "100000000000000000000", "100000000000000000000", "100000000000000000000"},
		{point(ten(21)), 22, "1.000000000000000000000e21", "1.000000000000000000000e21", "1.000000000000000000000e21"},
		{point(ten(21)), 1, "1e21", "1e21", "1e21"}, {point(ten(1600)), 1, "1e1600", "1e1600", "1e1600"}, {point(ten(1600)), 3, "1.00e1600", "1.00e1600", "1.00e1600"},
	} {
		if lo, mid, hi, err := c.x.Decimal(c.digits); err != nil || lo != c.lo || mid != c.mid || hi != c.hi {
			t.Errorf("%s in %d digits: %s, %s, %s, %v, want %s, %s, %s", ends(c.x), c.digits, lo, mid, hi, err, c.lo, c.mid, c.hi)
		}
	}
	for _, c := range []struct {
		num, den    string
		digits      int
		lo, mid, hi string
	}{
		{"1", "4", 1, "0.2", "0.3", "0.3"}, {"1000", "1", 3, "1.00e3", "1.00e3", "1.00e3"}, {"-1", "4", 1, "-0.3", "-0.3", "-0.2"},
		{"1", "10000000", 1, "0.0000001", "0.0000001", "0.0000001"}, {"15", "100000000", 2, "0.00000015", "0.00000015", "0.00000015"}, {"1", "100000000", 1, "1e-8", "1e-8", "1e-8"},
		{"15", "1", 2, "15", "15", "15"}, {"123000000000000000000", "1", 21, "123000000000000000000", "123000000000000000000", "123000000000000000000"},
		{"1230000000000000000000", "1", 22, "1.230000000000000000000e21", "1.230000000000000000000e21", "1.230000000000000000000e21"},
		{"1230000000000000000005", "10", 22, "123000000000000000000.5", "123000000000000000000.5", "123000000000000000000.5"},
	} {
		r, _ := new(big.Rat).SetString(c.num + "/" + c.den)
		lo, mid, hi, err := RatDecimal(r, c.digits)
		if err != nil || lo != c.lo || mid != c.mid || hi != c.hi {
			t.Errorf("%v in %d digits: %s, %s, %s, %v, want %s, %s, %s", r, c.digits, lo, mid, hi, err, c.lo, c.mid, c.hi)
		}
	}
	wide := []*Interval{between(-1, 1), between(0, 1), between(-1, 0), between(1.5, 2.5+0x1p-20), between(1, 9), New(80).spoil(80)}
	for _, x := range wide {
		if lo, mid, hi, err := x.Decimal(1); !errors.Is(err, ErrWide) {
			t.Errorf("%s prints as %s, %s, %s, %v", ends(x), lo, mid, hi, err)
		}
	}
	if _, _, _, err := between(1, 1).Decimal(0); !errors.Is(err, ErrWide) {
		t.Errorf("in no digits: %v", err)
	}
	if _, _, _, err := RatDecimal(big.NewRat(1, 1), 0); !errors.Is(err, ErrWide) {
		t.Errorf("in no digits: %v", err)
	}
	// An enclosure of the power of ten is outward too, and has as many bits as the digits need.
	for _, exp := range []int64{1600, -1600} {
		r := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(1600), nil))
		if exp < 0 {
			r.Inv(r)
		}
		for _, digits := range []int{3, 12} {
			x := New(200).SetRat(r)
			lo, mid, hi, err := x.Decimal(digits)
			if err != nil {
				t.Fatalf("1e%d: %v", exp, err)
			}
			low, high := parse(t, lo), parse(t, hi)
			if m := parse(t, mid); low.Cmp(ratOf(&x.lo)) > 0 || high.Cmp(ratOf(&x.hi)) < 0 || low.Cmp(m) > 0 || high.Cmp(m) < 0 {
				t.Errorf("1e%d in %d digits prints as %s, %s, %s", exp, digits, lo, mid, hi)
			}
		}
	}
	for _, exp := range []int{-20000, 20000} {
		if lo, mid, hi, err := point(pow2(exp)).Decimal(100); err != nil || lo == hi || len(mid) < 100 {
			t.Errorf("2^%d in 100 digits: %s, %s, %s, %v", exp, lo, mid, hi, err)
		}
	}
	for _, c := range []struct {
		x    *Interval
		want string
	}{
		{between(0.5, 0.5), "0.50000000000000000"}, {between(0, 0), "0"}, {between(1.5, 2.5), "2"}, {New(80).SetRat(big.NewRat(1, 3)), "0.33333333333333333"},
		{between(-1, 1.25), "[-1, 1.25]"}, {between(1, 1000000), "[1, 1e+06]"}, {between(-1.234567, 9.876543), "[-1.2346, 9.8765]"}, {between(1, 1.25), "1"},
	} {
		if got := c.x.String(); got != c.want {
			t.Errorf("%s prints as %s, want %s", ends(c.x), got, c.want)
		}
	}
}
