package claims

import (
	"fmt"
	"math"
	"math/big"
	"testing"
)

// The chain of occupied agrees with the enumeration of union, and the means of both
// with sums over all outcomes written out by hand.
func TestLaws(t *testing.T) {
	for m := 1; m <= 6; m++ {
		for _, sizes := range everyUrn.table {
			if largest(sizes) > m {
				continue
			}
			l, err := union(m, sizes...)
			if err != nil {
				t.Fatal(err)
			}
			chain := occupied(m, sizes...)
			if err := eachPMF(l, func(i int) (*big.Rat, error) { return chain[i], nil }); err != nil {
				t.Errorf("m=%d, sizes %v: %v", m, sizes, err)
			}
		}
	}
	// Two balls in two urns: {1,1}, {1,2}, {2,1}, {2,2}.
	l, err := union(2, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(l.count, l.total, l.pmf(), variance(l.pmf())); got != "[0 1 1 2] 4 [0/1 1/2 1/2] 1/4" {
		t.Error(got)
	}
	if got := fmt.Sprint(standardRate(2, 1, 2), classicRate(4, 1, 2)); got != "5/8 1/6" {
		t.Error(got)
	}
	if _, err := union(17, 1); err == nil {
		t.Error("17 urns enumerated")
	}
	if _, err := union(16, repeat(8, 6)...); err == nil {
		t.Error("12870^6 outcomes enumerated")
	}
}

// ln encloses what math.Log gives, is less than 2^-200 wide, and turns products into
// sums.
func TestLn(t *testing.T) {
	width := quo(whole(1), ipow(2, 200))
	for _, x := range []*big.Rat{rat(1, 1), rat(2, 1), rat(1, 2), rat(3, 4), rat(4, 3), rat(1, 3), rat(999, 1000), ipow(10, 300), quo(whole(1), ipow(10, 300)), rat(1<<30+1, 1<<30)} {
		lo, hi := ln(x)
		f, _ := x.Float64()
		mid, _ := lo.Float64()
		if want := math.Log(f); math.Abs(mid-want) > 1e-15*max(1, math.Abs(want)) {
			t.Errorf("ln %v = %v, want %v", f, mid, want)
		}
		if sub(hi, lo).Cmp(width) > 0 || lo.Cmp(hi) >= 0 {
			t.Errorf("ln %v in [%v, %v]", f, lo.FloatString(70), hi.FloatString(70))
		}
		lo2, hi2 := ln(mul(x, rat(7, 5)))
		lo3, hi3 := ln(rat(7, 5))
		if add(lo, lo3).Cmp(hi2) > 0 || lo2.Cmp(add(hi, hi3)) > 0 {
			t.Errorf("ln(7/5 x) is not ln 7/5 + ln x at %v", f)
		}
	}
	// ln 2 to 60 digits: https://oeis.org/A002162
	want, _ := new(big.Rat).SetString("0.693147180559945309417232121458176568075500134360255254120680")
	lo, hi := ln(whole(2))
	if hi.Cmp(want) < 0 || lo.Cmp(add(want, quo(whole(1), ipow(10, 60)))) > 0 {
		t.Errorf("ln 2 in [%s, %s]", lo.FloatString(70), hi.FloatString(70))
	}
}

func TestRounds(t *testing.T) {
	for _, c := range []struct {
		x    *big.Rat
		want string
		ok   bool
	}{
		{rat(15, 100), "0.1", true}, {rat(15, 100), "0.2", true}, {rat(151, 1000), "0.1", false}, {rat(149, 1000), "0.2", false},
		{rat(123456, 1), "1.23e5", true}, {rat(123999, 1), "1.23e5", false}, {rat(459, 1000000), "4.59e-4", true}, {rat(-1, 4), "-0.25", true}, {rat(7, 1), "7", true}, {rat(8, 1), "7", false},
	} {
		if err := roundsRat(c.x, c.want); (err == nil) != c.ok {
			t.Errorf("%v to %s: %v", c.x, c.want, err)
		}
	}
}

// The sums over k agree with the sums over set bits.
func TestRates(t *testing.T) {
	for m := 1; m <= 9; m++ {
		for n := 0; n <= 3; n++ {
			for k := 1; k <= m; k++ {
				if err := first(same(rateS(m, n, k), standardRate(m, n, k)), same(rateC(m, n, k), classicRate(m, n, k))); err != nil {
					t.Errorf("m=%d n=%d k=%d: %v", m, n, k, err)
				}
			}
		}
	}
}
