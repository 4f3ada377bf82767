package recycling

import (
	"errors"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// literal computes (4), (11), (15), (17), (18) and (22)-(26) as they are printed, in
// rationals, by their recursions: the rate of one phase and of two, and the capacity. With
// empty false the states begin at those of one message in an empty array, k with classic
// hashing (the text after (15)), the first of which (10) and (14) re-insert.
func literal(g bloomproof.Geometry, sigma int, empty bool) (one, two, capacity *big.Rat) {
	m, k := int64(g.M), g.K
	num := func(a, b int64) *big.Rat { return big.NewRat(a, b) }
	var tau func(h int, i, j int64) *big.Rat // (4), (11)
	memo := map[[3]int64]*big.Rat{}
	tau = func(h int, i, j int64) *big.Rat {
		if j < i || j > i+int64(h) || j > m {
			return new(big.Rat)
		}
		if h == 0 {
			return num(1, 1)
		}
		at := [3]int64{int64(h), i, j}
		if x := memo[at]; x != nil {
			return x
		}
		skip := int64(0)
		if g.Hashing == bloomproof.Classic {
			skip = int64(h - 1)
		}
		x := new(big.Rat).Mul(tau(h-1, i, j), num(max(j-skip, 0), m-skip))
		if j > 0 {
			x.Add(x, new(big.Rat).Mul(tau(h-1, i, j-1), num(m-j+1, m-skip)))
		}
		memo[at] = x
		return x
	}
	guess := make([]*big.Rat, sigma+1) // of pi_i
	sum := new(big.Rat)
	one, two = new(big.Rat), new(big.Rat)
	for i := range guess {
		x := new(big.Rat)
		switch {
		case empty && i == 0:
			x = num(1, 1)
		case !empty && i > 0:
			x.Set(tau(k, 0, int64(i)))
		}
		for j := max(0, i-k); j < i; j++ {
			x.Add(x, new(big.Rat).Mul(guess[j], tau(k, int64(j), int64(i))))
		}
		stay := tau(k, int64(i), int64(i))
		if i > 0 {
			x.Quo(x, new(big.Rat).Sub(num(1, 1), stay))
		}
		guess[i] = x
		sum.Add(sum, x)
		one.Add(one, new(big.Rat).Mul(x, stay)) // tau(i,i) = rho(i)
	}
	one.Quo(one, sum)
	all := new(big.Rat)
	for i := max(0, sigma-k+1); i <= sigma; i++ { // (24), (25)
		end := new(big.Rat)
		for j := sigma + 1; j <= i+k; j++ {
			end.Add(end, tau(k, int64(i), int64(j)))
		}
		end.Mul(end, guess[i])
		all.Add(all, end)
		two.Add(two, end.Mul(end, tau(k, int64(i), int64(i))))
	}
	two.Quo(two, all)
	two.Sub(num(1, 1), two)
	two.Mul(two, new(big.Rat).Sub(num(1, 1), one))
	two.Sub(num(1, 1), two) // (26)
	n := make([]*big.Rat, sigma+k+1)
	for b := sigma + k; b >= 0; b-- { // (22), (23)
		n[b] = new(big.Rat)
		if b >= sigma {
			continue
		}
		n[b].SetInt64(1)
		for j := 1; j <= k; j++ {
			n[b].Add(n[b], new(big.Rat).Mul(tau(k, int64(b), int64(b+j)), n[b+j]))
		}
		n[b].Quo(n[b], new(big.Rat).Sub(num(1, 1), tau(k, int64(b), int64(b))))
	}
	return one, two, n[0]
}

// The printed formulas are those that literal computes, by rationals and by intervals.
func TestPrinted(t *testing.T) {
	defined, undefined, wrong := 0, 0, 0
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		for _, s := range []struct{ m, k int }{{2, 1}, {5, 2}, {6, 3}, {9, 2}, {12, 4}} {
			g := bloomproof.Geometry{M: uint64(s.m), K: s.k, Hashing: h}
			for sigma := range s.m {
				for _, retain := range []bool{false, true} {
					for _, twoPhase := range []bool{false, true} {
						if retain && sigma < s.k {
							continue
						}
						c := &Cycle{g: known(t, g), r: bloomproof.Recycling{Sigma: uint64(sigma), Retain: retain, TwoPhase: twoPhase}, route: exact.Auto}
						f, err := c.FPRPrinted(80)
						capacity, capacityErr := c.CapacityPrinted(80)
						if capacityErr != nil {
							t.Fatal(capacityErr)
						}
						if retain && sigma < 2*s.k || h == bloomproof.Classic && sigma < s.k {
							undefined++
							if !errors.Is(err, bloomproof.ErrUndefined) {
								t.Errorf("%v %v: %v, %v, want ErrUndefined", g, c.r, f, err)
							}
							continue
						}
						if err != nil {
							t.Fatal(err)
						}
						defined++
						want, two, n := literal(g, sigma, !retain && h == bloomproof.Standard)
						if twoPhase {
							want = two
						}
						if r, ok := f.Rat(); !ok || r.Cmp(want) != 0 {
							t.Errorf("%v %v: printed rate %v, want %v", g, c.r, f, want)
						}
						if r, ok := capacity.Rat(); !ok || r.Cmp(n) != 0 {
							t.Errorf("%v %v: printed capacity %v, want %v", g, c.r, capacity, n)
						}
						chain, err := c.Via(exact.Recursive)
						if err != nil {
							t.Fatal(err)
						}
						if e, err := chain.FPRPrinted(200); err != nil || !e.Contains(want) || want.Sign() > 0 && e.RelBits() < 200 {
							t.Errorf("%v %v: printed rate by intervals %v, %v, want %v", g, c.r, e, err, want)
						}
						if e, err := chain.CapacityPrinted(200); err != nil || !e.Contains(n) {
							t.Errorf("%v %v: printed capacity by intervals %v, %v, want %v", g, c.r, e, err, n)
						}
						if !twoPhase {
							if true1, err := c.FPR(80); err != nil {
								t.Fatal(err)
							} else if r, ok := true1.Rat(); !ok || r.Cmp(want) != 0 {
								wrong++
							} else if retain && h == bloomproof.Standard && s.k > 1 {
								t.Errorf("%v %v: the printed rate is right", g, c.r)
							}
						}
					}
				}
			}
		}
	}
	if t.Logf("%d printed rates, %d of one phase not the true ones, %d undefined", defined, wrong, undefined); defined < 50 || wrong < 20 || undefined < 20 {
		t.Errorf("%d printed rates, %d of one phase not the true ones, %d undefined", defined, wrong, undefined)
	}
}

func TestPrintedErrors(t *testing.T) {
	c := &Cycle{g: known(t, bloomproof.Geometry{M: 10, K: 2}), r: bloomproof.Recycling{Messages: 3}, route: exact.Auto}
	var param *bloomproof.ParamError
	if _, err := c.FPRPrinted(64); !errors.As(err, &param) || param.Param != "messages" {
		t.Error(err)
	}
	c.r = bloomproof.Recycling{Sigma: 3}
	if _, err := c.CapacityPrinted(0); !errors.As(err, &param) || param.Param != "prec" {
		t.Error(err)
	}
}
