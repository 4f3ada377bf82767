package interval

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

// randRat returns a rational of either sign whose size is spread over many binades.
func randRat(rng *rand.Rand) *big.Rat {
	r := big.NewRat(rng.Int64N(1<<40)-1<<39, rng.Int64N(1<<rng.IntN(40)+1)+1)
	scale := new(big.Rat).SetInt(new(big.Int).Lsh(one, uint(rng.IntN(100))))
	if rng.IntN(2) == 0 {
		scale.Inv(scale)
	}
	if rng.IntN(20) == 0 {
		return new(big.Rat).SetInt64(rng.Int64N(3) - 1)
	}
	return r.Mul(r, scale)
}

// around returns an interval of the given precision around r: a rounded point or a wider
// one with r strictly inside.
func around(rng *rand.Rand, r *big.Rat, prec uint) *Interval {
	z := New(prec).SetRat(r)
	if rng.IntN(2) == 0 {
		w := New(prec).SetRat(new(big.Rat).SetFrac64(1, 1+rng.Int64N(1000)))
		z = New(prec).SetEnds(New(prec).Sub(z, w).Lo(), New(prec).Add(z, w).Hi())
	}
	return z
}

// ops are the binary operations with their meaning on rationals; nil means undefined.
var ops = []struct {
	name string
	op   func(z, x, y *Interval) *Interval
	rat  func(x, y *big.Rat) *big.Rat
}{
	{"Add", (*Interval).Add, func(x, y *big.Rat) *big.Rat { return new(big.Rat).Add(x, y) }},
	{"Sub", (*Interval).Sub, func(x, y *big.Rat) *big.Rat { return new(big.Rat).Sub(x, y) }},
	{"Mul", (*Interval).Mul, func(x, y *big.Rat) *big.Rat { return new(big.Rat).Mul(x, y) }},
	{"Quo", (*Interval).Quo, func(x, y *big.Rat) *big.Rat {
		if y.Sign() == 0 {
			return nil
		}
		return new(big.Rat).Quo(x, y)
	}},
}

func dirty(prec uint) *Interval {
	return New(prec).SetRat(big.NewRat(-355, 113))
}

func same(x, y *Interval) bool {
	return x.bad == y.bad && x.prec == y.prec && x.lo.Cmp(&y.lo) == 0 && x.hi.Cmp(&y.hi) == 0
}

// TestRationalOps checks containment against rationals, aliasing and dirty receivers for
// the four binary operations.
func TestRationalOps(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range rounds(20000) {
		prec := uint(1 + rng.IntN(130))
		a, b := randRat(rng), randRat(rng)
		x, y := around(rng, a, prec), around(rng, b, prec)
		for _, o := range ops {
			z := o.op(New(prec), x, y)
			want := o.rat(a, b)
			if want == nil || !z.Valid() {
				if z.Valid() || o.name != "Quo" || y.Sign() != 0 {
					t.Fatalf("%s(%v, %v): valid is %v", o.name, a, b, z.Valid())
				}
				continue
			}
			if !z.ContainsRat(want) {
				t.Fatalf("%s(%v, %v) at %d bits = %s, not %v", o.name, a, b, prec, ends(z), want)
			}
			for _, end := range []*big.Float{z.Lo(), z.Hi()} {
				if end.Prec() != prec || end.IsInf() {
					t.Fatalf("%s: end %v has %d bits, want %d", o.name, end, end.Prec(), prec)
				}
			}
			if got := o.op(dirty(prec), x, y); !same(got, z) {
				t.Fatalf("%s: a dirty receiver changes the result", o.name)
			}
			if got := New(prec).Set(x); !same(o.op(got, got, y), z) {
				t.Fatalf("%s: z = x changes the result", o.name)
			}
			if got := New(prec).Set(y); !same(o.op(got, x, got), z) {
				t.Fatalf("%s: z = y changes the result", o.name)
			}
			twice := o.op(New(prec), x, x)
			if got := New(prec).Set(x); !same(o.op(got, got, got), twice) {
				t.Fatalf("%s: z = x = y changes the result", o.name)
			}
			// A narrower receiver rounds once, outward.
			if got := o.op(New(5), x, y); !got.ContainsRat(want) {
				t.Fatalf("%s at 5 bits loses %v: %s op %s -> %s", o.name, want, ends(x), ends(y), ends(got))
			}
		}
	}
}

// TestPointsAreTight checks that an operation on points is at most one unit wide, so
// that [-inf, inf] would not pass for an implementation.
func TestPointsAreTight(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range rounds(5000) {
		prec := uint(2 + rng.IntN(130))
		a, b := new(big.Rat).SetFloat64(rng.NormFloat64()), new(big.Rat).SetFloat64(rng.NormFloat64())
		x, y := New(60).SetRat(a), New(60).SetRat(b)
		for _, o := range ops {
			if z := o.op(New(prec), x, y); z.Sign() != 0 && z.RelBits() < int(prec)-2 {
				t.Fatalf("%s(%v, %v) at %d bits has %d good bits", o.name, a, b, prec, z.RelBits())
			}
		}
	}
}

// unary are the elementary functions, each with the domain of a random argument and its
// inverse where there is one.
var unary = []struct {
	name string
	op   func(z, x *Interval) *Interval
	arg  func(rng *rand.Rand) *big.Float
}{
	{"Exp", (*Interval).Exp, func(rng *rand.Rand) *big.Float { return spread(rng, -200, 20, true) }},
	{"Expm1", (*Interval).Expm1, func(rng *rand.Rand) *big.Float { return spread(rng, -300, 10, true) }},
	{"Log", (*Interval).Log, func(rng *rand.Rand) *big.Float {
		x := spread(rng, -300, 300, false)
		if rng.IntN(2) == 0 { // near 1
			x.SetPrec(400).Add(spread(rng, -150, -1, true), big.NewFloat(1))
		}
		return x
	}},
	{"Log1p", (*Interval).Log1p, func(rng *rand.Rand) *big.Float {
		if rng.IntN(2) == 0 { // near -1
			return new(big.Float).SetPrec(400).Sub(spread(rng, -150, -1, false), big.NewFloat(1))
		}
		return spread(rng, -300, 300, false)
	}},
	{"Sqrt", (*Interval).Sqrt, func(rng *rand.Rand) *big.Float { return spread(rng, -300, 300, false) }},
	{"Neg", (*Interval).Neg, func(rng *rand.Rand) *big.Float { return spread(rng, -300, 300, true) }},
	{"Set", (*Interval).Set, func(rng *rand.Rand) *big.Float { return spread(rng, -300, 300, true) }},
}

// spread returns a float64 with a random exponent, lo <= exponent <= hi.
func spread(rng *rand.Rand, lo, hi int, signed bool) *big.Float {
	x := big.NewFloat(0.5 + rng.Float64()/2)
	x.SetMantExp(x, lo+rng.IntN(hi-lo+1))
	if signed && rng.IntN(2) == 0 {
		x.Neg(x)
	}
	return x
}

func rounds(n int) int { return n / longtest.More(10, 1) }

// TestElementary asks of every function: is the result tight; does it contain the
// result at more than twice the precision; do a dirty receiver and an alias change
// nothing; is it monotone over a wider argument.
func TestElementary(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, u := range unary {
		for range rounds(1500) {
			prec := uint(2 + rng.IntN(300))
			arg := u.arg(rng)
			x := New(arg.MinPrec()).SetEnds(arg, arg)
			z := u.op(New(prec), x)
			if !z.Valid() || !z.IsPoint() && z.RelBits() < int(prec)-3 {
				t.Fatalf("%s(%v) at %d bits = %s: %d good bits", u.name, arg, prec, ends(z), z.RelBits())
			}
			fine := u.op(New(2*prec+100), x)
			if !z.Contains(fine) {
				t.Fatalf("%s(%v) at %d bits = %s does not contain %s", u.name, arg, prec, ends(z), ends(fine))
			}
			if got := u.op(dirty(prec), x); !same(got, z) {
				t.Fatalf("%s: a dirty receiver changes the result", u.name)
			}
			if p := max(prec, arg.MinPrec()); true { // z = x, where x fits z
				got := New(p).Set(x)
				if !same(u.op(got, got), u.op(New(p), x)) {
					t.Fatalf("%s: z = x changes the result", u.name)
				}
			}
			wide := New(arg.MinPrec()+60).SetEnds(arg, arg)
			wide.Mul(wide, New(60).SetRat(big.NewRat(1023, 1024))).hull(wide, x)
			if got := u.op(New(prec), wide); got.Valid() && !got.Contains(fine) {
				t.Fatalf("%s of a wider argument loses %s(%v)", u.name, u.name, arg)
			}
		}
	}
}

// TestIdentities checks the functions against each other, by independent algorithms:
// exp log x = x, expm1 against exp, log1p against log, sqrt squared, pow against PowInt.
func TestIdentities(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range rounds(1000) {
		prec := uint(20 + rng.IntN(300))
		a := spread(rng, -40, 40, false)
		r, _ := a.Rat(nil)
		x := New(60).SetRat(r)
		if z := New(prec).Exp(New(prec).Log(x)); !z.ContainsRat(r) {
			t.Fatalf("exp log %v = %s", a, ends(z))
		}
		if z := New(prec).Sqrt(x); !z.Mul(z, z).ContainsRat(r) {
			t.Fatalf("sqrt^2 %v = %s", a, ends(z))
		}
		one := New(prec).SetUint64(1)
		small := New(60).Quo(x, New(60).SetUint64(1<<45))
		if !overlap(New(prec).Expm1(small), New(prec).Sub(New(prec).Exp(small), one)) {
			t.Fatalf("expm1 and exp - 1 disagree at %v", small.Lo())
		}
		if !overlap(New(prec).Log1p(x), New(prec).Log(New(prec).Add(x, one))) {
			t.Fatalf("log1p and log(1+x) disagree at %v", a)
		}
		n := int64(rng.IntN(40))
		exact := New(prec).PowInt(x, big.NewInt(n))
		if !overlap(exact, New(prec).Pow(x, New(prec).SetInt(big.NewInt(n)))) {
			t.Fatalf("Pow and PowInt disagree at %v^%d", a, n)
		}
	}
}

func overlap(x, y *Interval) bool {
	order, _ := x.Cmp(y)
	return x.Valid() && y.Valid() && order == 0
}

// TestConstants compares with digits from tables (OEIS A002162, A001113, A002193).
func TestConstants(t *testing.T) {
	for _, c := range []struct {
		name string
		x    *Interval
		want string
	}{
		{"ln 2", New(340).Log(New(10).SetUint64(2)), "0.69314718055994530941723212145817656807550013436025525412068000949339362196969471560586332699641868754"},
		{"e", New(340).Exp(New(10).SetUint64(1)), "2.71828182845904523536028747135266249775724709369995957496696762772407663035354759457138217852516642742"},
		{"sqrt 2", New(340).Sqrt(New(10).SetUint64(2)), "1.41421356237309504880168872420969807856967187537694807317667973799073247846210703885038753432764157273"},
	} {
		digits := len(c.want) - 2
		if c.want[0] != '0' {
			digits++
		}
		lo, _, hi, err := c.x.Decimal(digits)
		if err != nil || lo > c.want || hi < c.want {
			t.Errorf("%s is in [%s, %s], %v; want %s", c.name, lo, hi, err, c.want)
		}
	}
}

// TestPowInt checks powers against rationals, with both signs and intervals around 0.
func TestPowInt(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range rounds(4000) {
		prec := uint(1 + rng.IntN(100))
		a := randRat(rng)
		x := around(rng, a, prec)
		n := rng.IntN(12)
		want := big.NewRat(1, 1)
		for range n {
			want.Mul(want, a)
		}
		z := New(prec).PowInt(x, big.NewInt(int64(n)))
		if !z.ContainsRat(want) {
			t.Fatalf("(%v)^%d at %d bits = %s", a, n, prec, ends(z))
		}
		if got := New(prec).Set(x); !same(got.PowInt(got, big.NewInt(int64(n))), z) || !same(dirty(prec).PowInt(x, big.NewInt(int64(n))), z) {
			t.Fatalf("PowInt: z = x or a dirty receiver changes the result")
		}
	}
	// A huge exponent stays tight.
	n := new(big.Int).Lsh(one, 128)
	x := New(200).SetRat(new(big.Rat).SetFrac(new(big.Int).Sub(n, one), n))
	z := New(53).PowInt(x, n) // (1 - 2^-128)^(2^128), just below 1/e
	inv := New(80).Exp(New(80).SetInt(big.NewInt(-1)))
	if d := New(53).Sub(inv, z); z.RelBits() < 50 || d.Lo().Cmp(big.NewFloat(-1e-15)) < 0 || d.Hi().Cmp(big.NewFloat(1e-15)) > 0 {
		t.Errorf("(1-2^-128)^(2^128) = %s", ends(z))
	}
}

// TestPowAliases covers the method with two operands of its own.
func TestPowAliases(t *testing.T) {
	x, y := New(80).SetRat(big.NewRat(22, 7)), New(80).SetRat(big.NewRat(-3, 11))
	z := New(80).Pow(x, y)
	if got := New(80).Set(x); !same(got.Pow(got, y), z) {
		t.Error("z = x changes the result")
	}
	if got := New(80).Set(y); !same(got.Pow(x, got), z) || !same(dirty(80).Pow(x, y), z) {
		t.Error("z = y or a dirty receiver changes the result")
	}
	// From 0 on there is no logarithm at one end.
	fromZero, two := New(80).SetEnds(new(big.Float), big.NewFloat(3)), New(80).SetUint64(2)
	if got := New(80).Pow(fromZero, two); !got.ContainsRat(new(big.Rat)) || !got.ContainsRat(big.NewRat(9, 1)) || got.ContainsRat(big.NewRat(10, 1)) {
		t.Errorf("[0, 3]^2 = %s", ends(got))
	}
	if want := math.Pow(22.0/7, -3.0/11); math.Abs(mid(z)-want) > 1e-14 {
		t.Errorf("(22/7)^(-3/11) = %v, want %v", mid(z), want)
	}
}

func mid(z *Interval) float64 {
	lo, _ := z.lo.Float64()
	return lo
}

// TestUndefined lists what has no finite enclosure; everything computed from it has none.
func TestUndefined(t *testing.T) {
	zero, neg, wide := New(20), New(20).SetInt(big.NewInt(-1)), New(20).SetEnds(big.NewFloat(-1), big.NewFloat(1))
	huge := New(20).SetUint64(1)
	huge.MulPow2(huge, big.MaxExp-1)
	for name, z := range map[string]*Interval{
		"1/0":          New(20).Quo(neg, zero),
		"1/[-1,1]":     New(20).Quo(neg, wide),
		"log 0":        New(20).Log(zero),
		"log -1":       New(20).Log(neg),
		"log1p -1":     New(20).Log1p(neg),
		"sqrt -1":      New(20).Sqrt(neg),
		"exp 2^2^31":   New(20).Exp(huge),
		"expm1 to it":  New(20).Expm1(New(20).SetEnds(big.NewFloat(1), huge.Hi())),
		"huge^2":       New(20).Mul(huge, huge),
		"huge^2^128":   New(20).PowInt(huge, new(big.Int).Lsh(one, 128)),
		"x^-1":         New(20).PowInt(neg, big.NewInt(-1)),
		"pow -1":       New(20).Pow(neg, neg),
		"pow 0^-1":     New(20).Pow(zero, neg),
		"[1, -1]":      New(20).SetEnds(big.NewFloat(1), big.NewFloat(-1)),
		"[inf, inf]":   New(20).SetEnds(new(big.Float).SetInf(false), new(big.Float).SetInf(false)),
		"scaled [1,0]": New(20).SetScaled(one, new(big.Int), 0),
	} {
		if z.Valid() {
			t.Errorf("%s = %s", name, ends(z))
		}
		x := New(20).SetUint64(2)
		for i, got := range []*Interval{
			New(20).Add(z, x), New(20).Sub(x, z), New(20).Mul(z, x), New(20).Quo(x, z), New(20).PowInt(z, one),
			New(20).Pow(x, z), New(20).Exp(z), New(20).Expm1(z), New(20).Log(z), New(20).Log1p(z), New(20).Sqrt(z),
			New(20).Neg(z), New(20).Set(z), New(20).MulPow2(z, 1),
		} {
			if got.Valid() {
				t.Errorf("operation %d on %s is valid", i, name)
			}
		}
		if _, decided := z.Cmp(x); decided || z.RelBits() != 0 || z.Sign() != 0 || z.ContainsRat(new(big.Rat)) || z.Contains(z) {
			t.Errorf("%s takes part in comparisons", name)
		}
		if _, _, _, err := z.Decimal(5); err == nil {
			t.Errorf("%s prints", name)
		}
	}
}

// TestUnderflow checks that no bound underflows through 0.
func TestUnderflow(t *testing.T) {
	tiny := New(20).SetUint64(1)
	tiny.MulPow2(tiny, big.MinExp+10)
	third := New(20).SetRat(big.NewRat(1, 3))
	if z := New(20).Mul(tiny, New(20).Neg(tiny)); !z.Valid() || z.lo.Sign() >= 0 || z.hi.Sign() != 0 {
		t.Errorf("tiny (-tiny) = %s, want [< 0, 0]", ends(z))
	}
	for name, z := range map[string]*Interval{
		"tiny^2":      New(20).Mul(tiny, tiny),
		"tiny/huge":   New(20).Quo(tiny, New(20).MulPow2(third, 100)),
		"(1/3)^2^128": New(20).PowInt(third, new(big.Int).Lsh(one, 128)),
		"tiny scaled": New(20).MulPow2(tiny, -100),
		"exp(-2^40)":  New(20).Exp(New(20).SetInt(new(big.Int).Lsh(big.NewInt(-1), 40))),
	} {
		if !z.Valid() || z.lo.Sign() != 0 || z.hi.Sign() <= 0 {
			t.Errorf("%s = %s, want [0, > 0]", name, ends(z))
		}
		if n := New(20).Mul(z, New(20).SetInt(big.NewInt(-1))); n.hi.Sign() != 0 || n.lo.Sign() >= 0 {
			t.Errorf("-%s = %s, want [< 0, 0]", name, ends(n))
		}
	}
}

// TestCmp lists the three answers, and equality of points.
func TestCmp(t *testing.T) {
	at := func(lo, hi float64) *Interval { return New(53).SetEnds(big.NewFloat(lo), big.NewFloat(hi)) }
	for _, c := range []struct {
		x, y    *Interval
		order   int
		decided bool
	}{
		{at(1, 2), at(3, 4), -1, true},
		{at(3, 4), at(1, 2), 1, true},
		{at(1, 2), at(2, 3), 0, false},
		{at(1, 3), at(2, 2), 0, false},
		{at(2, 2), at(2, 2), 0, true},
		{at(1, 2), at(1, 2), 0, false},
	} {
		if order, decided := c.x.Cmp(c.y); order != c.order || decided != c.decided {
			t.Errorf("%s against %s: %d, %v", ends(c.x), ends(c.y), order, decided)
		}
	}
	if w := at(1, 3).Width(); w.Cmp(big.NewFloat(2)) != 0 {
		t.Errorf("width of [1,3] is %v", w)
	}
	if b := at(1, 1.25).RelBits(); b > 2 || b < 1 {
		t.Errorf("[1, 1.25] has %d good bits", b)
	}
}

// ends prints the ends in binary: decimal text of extreme exponents takes minutes.
func ends(z *Interval) string { return "[" + z.lo.Text('p', 20) + ", " + z.hi.Text('p', 20) + "]" }

// TestFarApart adds numbers of extreme ratio: aligned bit by bit they would fill the
// memory, and rounded carelessly they would lose the small one.
func TestFarApart(t *testing.T) {
	tiny := New(20).SetUint64(1)
	tiny.MulPow2(tiny, -2_000_000_000)
	one := New(20).SetUint64(1)
	for name, z := range map[string]*Interval{"1+tiny": New(20).Add(one, tiny), "tiny+1": New(20).Add(tiny, one)} {
		if z.lo.Cmp(&one.lo) != 0 || z.hi.Cmp(&one.lo) <= 0 || z.RelBits() < 18 {
			t.Errorf("%s = %s", name, ends(z))
		}
	}
	for name, z := range map[string]*Interval{"1-tiny": New(20).Sub(one, tiny), "-(tiny-1)": New(20).Neg(New(20).Sub(tiny, one))} {
		if z.hi.Cmp(&one.lo) != 0 || z.lo.Cmp(&one.lo) >= 0 || z.RelBits() < 18 {
			t.Errorf("%s = %s", name, ends(z))
		}
	}
	if one.ContainsRat(big.NewRat(2, 1)) || tiny.ContainsRat(big.NewRat(1, 1<<60)) {
		t.Error("a rational far away is contained")
	}
	if order, decided := tiny.CmpRat(big.NewRat(1, 1<<60)); order != -1 || !decided {
		t.Error("a tiny number is not below 2^-60")
	}
}
