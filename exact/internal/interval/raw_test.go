package interval

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The enclosures of points are looked at before they are rounded to a result's
// precision, since guard bits would hide an error bound that is missing: in a few bits,
// with so many points that some end next to a rounding.

// TestRawPoints compares each function with itself in many more bits.
func TestRawPoints(t *testing.T) {
	points := longtest.More(2000, 20000)
	r := rand.New(rand.NewPCG(3, 3))
	near := func(low, high int) float64 { // 1 to 2 times a power of two
		return math.Ldexp(1+r.Float64(), low+r.IntN(high-low+1))
	}
	for _, f := range []struct {
		name  string
		point func(*big.Float, uint) *Interval
		draw  func() float64
	}{
		{"exp", expPoint, func() float64 { return near(-12, 9) * float64(1-2*r.IntN(2)) }},
		{"log", logPoint, func() float64 { return near(-900, 900) }},
		{"log near 1", logPoint, func() float64 { return 1 + near(-40, -2)*float64(1-2*r.IntN(2)) }},
		{"log1p", log1pPoint, func() float64 { return near(-60, 3) }},
		{"log1p below 0", log1pPoint, func() float64 { return -near(-60, -2) }},
		{"expm1", expm1Point, func() float64 { return near(-60, 5) * float64(1-2*r.IntN(2)) }},
	} {
		for range points {
			x := big.NewFloat(f.draw())
			a, b := f.point(x, 12), f.point(x, 160)
			if a.bad || b.bad || a.lo.Cmp(&b.lo) > 0 || a.hi.Cmp(&b.hi) < 0 {
				t.Fatalf("%s(%v) in 12 bits is [%v, %v], in 160 [%v, %v]", f.name, x, a.Lo(), a.Hi(), b.Lo(), b.Hi())
			}
		}
	}
}

// TestLn2Fixed compares ln 2 at each scale with 200 more bits of it, from a cache that
// has them not.
func TestLn2Fixed(t *testing.T) {
	fine := ln2Fixed(1200)
	for scale := uint(1); scale <= 1000; scale++ {
		ln2Cache.Lock()
		ln2Cache.value = nil
		ln2Cache.Unlock()
		low := ln2Fixed(scale)
		floor := new(big.Int).Rsh(fine, 1200-scale) // ln 2 is irrational: floor < ln 2 2^scale
		if d := new(big.Int).Sub(floor, low); d.Sign() < 0 || d.Cmp(big.NewInt(1)) > 0 {
			t.Fatalf("at scale %d, %v is not in [%v, +2)", scale, floor, low)
		}
	}
	if f, _ := new(big.Float).SetMantExp(new(big.Float).SetInt(fine), -1200).Float64(); f != math.Ln2 {
		t.Errorf("ln 2 is %v", f)
	}
}

// TestSeries compares the sum of u^i/(2i+1) with rational partial sums, whose rest
// after 20 terms is below 2^-80.
func TestSeries(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	div := new(big.Int)
	above := 0
	cases := rounds(3000)
	for range cases {
		num := r.Int64N(1 << 20)
		u := new(big.Rat).SetFrac64(num, 1<<24)
		sum, power := new(big.Rat), big.NewRat(1, 1)
		for i := range int64(20) {
			sum.Add(sum, new(big.Rat).Mul(power, big.NewRat(1, 2*i+1)))
			power.Mul(power, u)
		}
		rest := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 80))
		e := series(New(40).SetRat(u), 8, func(power *big.Int, i int64) *big.Int {
			return new(big.Int).Quo(power, div.SetInt64(2*i+1))
		})
		if !e.ContainsRat(sum) || !e.ContainsRat(rest.Add(rest, sum)) {
			t.Fatalf("u = %v: %v is not in [%v, %v]", u, sum.FloatString(30), e.Lo(), e.Hi())
		}
		if low, _ := e.lo.Rat(nil); low.Cmp(sum) < 0 {
			above++
		}
	}
	if above < cases/3 {
		t.Errorf("in only %d of %d cases the lower end alone is too small", above, cases)
	}
}
