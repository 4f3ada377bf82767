package exact

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestPoissonPowers compares the powers from the Poisson series with rationals, for urns and balls with which
// coefficients of either sign, rows of different lengths and few terms occur.
func TestPoissonPowers(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	missing, series := 0, 0
	for range longtest.More(800, 1500) {
		m := 16 + r.Uint64N(1<<(4+r.IntN(16)))
		if r.IntN(3) == 0 {
			m = 1 << (5 + r.IntN(14))
		}
		n := new(big.Int).SetUint64(1 + r.Uint64N(200))
		last, scale := 1+r.IntN(12), uint(1+r.IntN(300))
		if !poissonMay(m, n, last) {
			continue
		}
		series++
		poissonPowers(m, n, last, scale, func(j int, q, missed *big.Int) {
			x := ratPow(new(big.Rat).SetFrac64(int64(m)-int64(j), int64(m)), int(n.Int64()))
			ok, _ := within(x, scale, q, missed)
			if !ok {
				t.Fatalf("(1-%d/%d)^%v at scale %d: [%v, +%v]", j, m, n, scale, q, missed)
			}
			if floor, _ := units(x, scale); floor.Cmp(q) > 0 {
				missing++
			}
		})
	}
	if missing < 100 || series < longtest.More(250, 500) {
		t.Errorf("%d filters, only %d cases miss a whole unit", series, missing)
	}
}

// TestPoissonSeries holds the polynomial against rationals before guard bits hide its error.
func TestPoissonSeries(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	series, missing := 0, 0
	for range longtest.More(300, 600) {
		m := 16 + r.Uint64N(1<<(4+r.IntN(12)))
		n := int64(1 + r.Uint64N(90))
		last := 1 + r.IntN(12)
		if !poissonMay(m, big.NewInt(n), last) {
			continue
		}
		series++
		s := newPoissonSeries(m, big.NewInt(n), last, uint(1+r.IntN(200)))
		for j := range last + 1 {
			// F(j/m) = (1-j/m)^n e^(n j/m) lies between the products of the power with an enclosure of e^(n j/m).
			low, high := ratExp(new(big.Rat).SetFrac64(n*int64(j), int64(m)), s.w+32)
			power := ratPow(new(big.Rat).SetFrac64(int64(m)-int64(j), int64(m)), int(n))
			f := s.at(new(big.Int), j)
			least, _ := units(low.Mul(low, power), s.w)
			most, _ := units(high.Mul(high, power), s.w)
			if new(big.Int).Add(f, s.miss).Cmp(least) < 0 || new(big.Int).Sub(f, s.miss).Cmp(most) > 0 {
				t.Fatalf("F(%d/%d) with %d balls is between %v and %v units, got %v +- %v", j, m, n, least, most, f, s.miss)
			}
			if f.Cmp(least) < 0 || f.Cmp(most) > 0 {
				missing++
			}
		}
	}
	if series < longtest.More(100, 200) || missing < 100 {
		t.Errorf("%d filters, only %d cases with an error", series, missing)
	}
}

// ratExp returns bounds of e^x, for x >= 0, that differ by at most about 2^-prec e^x.
func ratExp(x *big.Rat, prec uint) (low, high *big.Rat) {
	scale := 2*prec + 200
	term, sum := new(big.Int).Lsh(integer.One, scale), new(big.Int)
	i := int64(1)
	for ; term.Sign() > 0; i++ {
		sum.Add(sum, term)
		term.Mul(term, x.Num())
		term.Quo(term, new(big.Int).Mul(x.Denom(), big.NewInt(i)))
	}
	// Each of the i terms is too small by at most e^x units, and the rest of the series is less than that.
	slack := new(big.Int).Lsh(big.NewInt(i+1), 200)
	one := new(big.Int).Lsh(integer.One, scale)
	return new(big.Rat).SetFrac(sum, one), new(big.Rat).SetFrac(slack.Add(slack, sum), one)
}

// TestStandardPowersLong compares the two ways to compute the powers, for urns and balls of up to 64 and 76 bits, and
// for as many positions as a filter can have.
func TestStandardPowersLong(t *testing.T) {
	balls := func(n uint64, k int) *big.Int { return integer.Product(n, k) }
	for _, c := range []struct {
		m     uint64
		n     *big.Int
		last  int
		scale uint
	}{
		{1 << 40, balls(3e10, 40), 40, 222},
		{1 << 40, balls(3e10, 40), 40, 3440},
		{1<<64 - 1, balls(1<<60, 4096), 4096, 100},
		{1<<64 - 1, balls(1<<64-1, 1000), 1000, 500},
		{1 << 63, balls(1<<50, 4095), 4095, 64},
		{1<<23 + 9, balls(8e5, 7), 7, 1000},
	} {
		if !poissonMay(c.m, c.n, c.last) {
			t.Fatalf("%v: no series", c)
		}
		every := 1 + c.last/20
		poissonPowers(c.m, c.n, c.last, c.scale, func(j int, q, missed *big.Int) {
			if j%every != 0 && j != c.last {
				return
			}
			v, missV := powFixed(c.m-uint64(j), c.m, c.n, c.scale+90)
			v.Rsh(v, 90)
			missV.Rsh(missV, 90)
			missV.Add(missV, big.NewInt(2))
			if missed.BitLen() > c.n.BitLen()+2 {
				t.Errorf("%v: the power %d has an error of %v units", c, j, missed)
			}
			if missed.Add(missed, q).Cmp(v) < 0 || missV.Add(missV, v).Cmp(q) < 0 {
				t.Errorf("%v: the power %d is at least %v and %v, and at most %v and %v", c, j, q, v, missed, missV)
			}
		})
	}
	if poissonMay(1<<20, balls(1<<40, 7), 7) || poissonMay(15, balls(1, 1), 3) {
		t.Error("the series is used where it converges badly")
	}
}

// TestWords compares the products of words with math/big.
func TestWords(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	random := func(n int) []uint64 {
		w := make([]uint64, n)
		for i := range w {
			if w[i] = r.Uint64() >> r.IntN(65); r.IntN(4) == 0 {
				w[i] = 1<<64 - 1
			}
		}
		return w
	}
	number := func(w []uint64) *big.Int { return integer.SetWords(new(big.Int), w) }
	signed := func(w []uint64) *big.Int {
		x := number(w)
		if int64(w[len(w)-1]) < 0 {
			x.Sub(x, new(big.Int).Lsh(integer.One, uint(64*len(w))))
		}
		return x
	}
	for range longtest.More(8000, 20000) {
		n := 1 + r.IntN(7)
		x, z, y := random(n), random(n), r.Uint64()>>r.IntN(64)
		square := make([]uint64, 2*n)
		squareWords(square, x)
		if want := number(x); number(square).Cmp(want.Mul(want, want)) != 0 {
			t.Fatalf("the square of %x is %x", x, square)
		}
		// A step of Horner's rule, without overflow.
		a, b := append([]uint64{}, x...), append([]uint64{}, z...)
		a[n-1], b[n-1] = uint64(int64(a[n-1])>>2), uint64(int64(b[n-1])>>2)
		want := signed(a)
		want.Mul(want, integer.Uint(y)).Rsh(want, 64)
		want.Add(want, signed(b))
		hornerStep(a, b, y)
		if signed(a).Cmp(want) != 0 {
			t.Fatalf("a step of Horner's rule with %x and %x gives %x, want %x", b, y, a, want)
		}
		// A step of the weights, without overflow.
		a, b = append([]uint64{}, x...), append([]uint64{}, z...)
		a[n-1], b[n-1] = a[n-1]>>1, b[n-1]>>1
		want = number(a)
		want.Add(want, number(b)).Mul(want, integer.Uint(y)).Rsh(want, 64)
		addMulWords(a, b, y)
		if number(a).Cmp(want) != 0 {
			t.Fatalf("a step of the weights with %x and %x gives %x, want %x", b, y, a, want)
		}
		if divisor := y | 1; divisor > 1 {
			top := r.Uint64N(divisor)
			want := number(append(append([]uint64{}, x...), top))
			quoWords(z, x, top, divisor)
			if want.Quo(want, integer.Uint(divisor)); number(z).Cmp(want) != 0 {
				t.Fatalf("%x with %x above, divided by %x, is %x", x, top, divisor, z)
			}
		}
	}
}

// TestOverPower compares with the fractions of math/big.
func TestOverPower(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 10))
	for range longtest.More(1000, 2000) {
		m, n := 1+r.Uint64N(40), r.Uint64N(9)
		x := new(big.Int).SetUint64((1 + r.Uint64N(1000)) << r.IntN(40))
		want := new(big.Rat).SetFrac(x, integer.Power(integer.Uint(m), n))
		if got := overPower(new(big.Int).Set(x), m, n); got.Cmp(want) != 0 || got.Denom().Cmp(want.Denom()) != 0 {
			t.Fatalf("%v/%d^%d = %v, want %v", x, m, n, got, want)
		}
	}
}
