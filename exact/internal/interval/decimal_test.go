package interval

import (
	"math/big"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
)

// TestDecimalForms lists forms, roundings, straddled digits and powers of ten.
func TestDecimalForms(t *testing.T) {
	for _, c := range []struct {
		num, den    int64
		digits      int
		lo, mid, hi string
	}{
		{0, 1, 3, "0", "0", "0"},
		{5, 8, 3, "0.625", "0.625", "0.625"},
		{1, 2, 3, "0.500", "0.500", "0.500"},
		{2, 3, 3, "0.666", "0.667", "0.667"},
		{-2, 3, 3, "-0.667", "-0.667", "-0.666"},
		{61, 100000, 2, "0.00061", "0.00061", "0.00061"},
		{1, 30000000, 2, "3.3e-8", "3.3e-8", "3.4e-8"},
		{99999, 100000, 3, "0.999", "1.00", "1.000"},
		{123456, 1, 6, "123456", "123456", "123456"},
		{123456, 1, 3, "1.23e5", "1.23e5", "1.24e5"},
		{1, 1, 1, "1", "1", "1"},
	} {
		r := big.NewRat(c.num, c.den)
		lo, mid, hi, err := RatDecimal(r, c.digits)
		if err != nil || lo != c.lo || mid != c.mid || hi != c.hi {
			t.Errorf("RatDecimal(%v, %d) = %s, %s, %s, %v; want %s, %s, %s", r, c.digits, lo, mid, hi, err, c.lo, c.mid, c.hi)
		}
		if _, mid, _, err := New(80).SetRat(r).Decimal(c.digits); err != nil || mid != c.mid {
			t.Errorf("Decimal of %v at 80 bits has the middle %s, %v; want %s", r, mid, err, c.mid)
		}
	}
	// 1/10 is no binary fraction: 0.1 lies inside, so the ends need more digits.
	lo, mid, hi, err := New(80).SetRat(big.NewRat(1, 10)).Decimal(4)
	if lo != "0.09999999" || mid != "0.1000" || hi != "0.10000001" || err != nil {
		t.Errorf("0.1 at 80 bits prints as %s, %s, %s, %v", lo, mid, hi, err)
	}
}

// TestDecimalContract checks outwardness, the number of digits of mid and hi - lo at most
// one unit of it, on random numbers of all sizes, rational and rounded.
func TestDecimalContract(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range rounds(5000) {
		r := randRat(rng)
		if r.Sign() == 0 {
			continue
		}
		digits := 1 + rng.IntN(30)
		x := New(uint(4*digits + 10)).SetRat(r)
		for _, print := range []func() (lo, mid, hi string, err error){
			func() (lo, mid, hi string, err error) { return RatDecimal(r, digits) },
			func() (lo, mid, hi string, err error) { return x.Decimal(digits) },
		} {
			lo, mid, hi, err := print()
			if err != nil {
				t.Fatalf("%v at %d digits: %v", r, digits, err)
			}
			l, m, h := parse(t, lo), parse(t, mid), parse(t, hi)
			mant, _, _ := strings.Cut(strings.TrimPrefix(mid, "-"), "e")
			shown := strings.TrimLeft(strings.Replace(mant, ".", "", 1), "0")
			if len(shown) != digits {
				t.Fatalf("%s has %d digits, want %d", mid, len(shown), digits)
			}
			// One unit is at most |mid| 10^(1-digits).
			unit := new(big.Rat).SetFrac(one, new(big.Int).Exp(ten, big.NewInt(int64(digits-1)), nil))
			unit.Mul(unit, new(big.Rat).Abs(m))
			if l.Cmp(r) > 0 || r.Cmp(h) > 0 || l.Cmp(m) > 0 || m.Cmp(h) > 0 || new(big.Rat).Sub(h, l).Cmp(unit) > 0 {
				t.Fatalf("%v at %d digits prints as %s, %s, %s", r, digits, lo, mid, hi)
			}
		}
	}
}

// TestDecimalExtremes prints powers of two that big.Float.Text takes minutes for, in little
// memory, some tens of KiB where all digits of the least take 300, and checks them against their
// logarithms.
func TestDecimalExtremes(t *testing.T) {
	for exp, want := range map[int]string{
		-1048576:    "1.48342859128145778544e-315653",
		-2000000000: "",
		1 << 30:     "",
	} {
		x := New(100).SetUint64(1)
		x.MulPow2(x, exp)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		lo, mid, hi, err := x.Decimal(21)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 1<<17 {
			t.Errorf("printing 2^%d allocates %d bytes", exp, took)
		}
		if err != nil || want != "" && mid[:18] != want[:18] || lo == hi {
			t.Errorf("2^%d prints as %s, %s, %s, %v", exp, lo, mid, hi, err)
		}
		// The leading digits are 10^frac(exp log10 2).
		l := New(140).Log(New(8).SetUint64(2))
		l.Quo(l, New(140).Log(New(8).SetUint64(10))).Mul(l, New(140).SetInt(big.NewInt(int64(exp))))
		whole, _ := l.Lo().Int(nil)
		if l.Sign() < 0 {
			whole.Sub(whole, one)
		}
		l.Sub(l, New(140).SetInt(whole))
		digits := New(100).Exp(l.Mul(l, New(140).Log(New(8).SetUint64(10))))
		if _, lead, _, err := digits.Decimal(15); err != nil || lead[:14] != mid[:14] {
			t.Errorf("2^%d prints as %s, its logarithm gives %s, %v", exp, mid, lead, err)
		}
	}
}
