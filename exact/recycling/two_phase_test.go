package recycling

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestLongRunBruteForce compares the rate and the capacity of every rule with the chain
// over real bit sets, in rationals and by every route.
func TestLongRunBruteForce(t *testing.T) {
	compared := 0
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		for m := uint64(1); m <= longtest.More[uint64](3, 4); m++ {
			for k := 1; k <= 3; k++ {
				g := bloomproof.Geometry{M: m, K: k, Hashing: h}
				if g.Validate() != nil || m == 4 && k > 2 && !longtest.Enabled() {
					continue
				}
				for _, r := range bruteRules(g, 4) {
					cycle, err := New(g, r)
					if err != nil {
						continue
					}
					want, err := newBrute(g, r).solve()
					if err != nil {
						t.Fatalf("%v %v: %v", g, r, err)
					}
					compared++
					checkCycle(t, cycle, want)
				}
			}
		}
	}
	t.Logf("%d filters", compared)
}

func checkCycle(t *testing.T, cycle *Cycle, want bruteCycle) {
	t.Helper()
	check := func(name string, e exact.Enclosure, err error, want *big.Rat, exact bool) {
		x, ok := e.Rat()
		switch {
		case err != nil || !e.Contains(want) || e.RelBits() < 80:
		case exact && (!ok || x.Cmp(want) != 0):
		default:
			return
		}
		t.Errorf("%v %v: %s = %v (%v), %v; the bit sets give %v = %v", cycle.g, cycle.r, name, e, x, err, want, want.FloatString(20))
	}
	by := []*Cycle{cycle}
	for _, route := range cycle.Routes() {
		c, err := cycle.Via(route)
		if err != nil {
			t.Fatal(err)
		}
		by = append(by, c)
	}
	if cycle.Absorbing() != (want.absorbing || want.mixed) {
		t.Errorf("%v %v: Absorbing is %t, the bit sets say %t, or by chance %t", cycle.g, cycle.r, cycle.Absorbing(), want.absorbing, want.mixed)
	}
	for i, c := range by {
		e, err := c.FPR(80)
		if want.mixed {
			if !errors.Is(err, bloomproof.ErrUndefined) {
				t.Errorf("%v %v: the rate is %v, %v; the bit sets leave it to chance", cycle.g, cycle.r, e, err)
			}
			continue
		}
		check("FPR by "+string(c.route), e, err, want.rate, i == 0)
		if want.absorbing {
			continue
		}
		e, err = c.Capacity(80)
		check("Capacity by "+string(c.route), e, err, want.capacity, i == 0)
	}
}

// TestLongRunRoutes compares the rationals with the chains at sizes beyond enumeration, to
// 1000 digits.
func TestLongRunRoutes(t *testing.T) {
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		for _, c := range []struct {
			m, sigma uint64
			k        int
		}{{longtest.More[uint64](30, 60), longtest.More[uint64](15, 30), 4}, {20, 19, 3}, {20, 6, 4}, {20, 3, 4}, {17, 0, 5}} {
			g := bloomproof.Geometry{M: c.m, K: c.k, Hashing: h}
			for i, r := range bruteRules(g, 6) {
				if !longtest.Enabled() && c.m > 17 && i%5 != int(h) {
					continue // the rules are many, and their parts few
				}
				messages := r.Messages > 0
				if r.NoCopyOver && !r.FreshPositions {
					continue // TestNoCopyOver
				}
				if messages && r.Messages != 6 && r.Messages != 2 || !messages && (r.Sigma != c.sigma || !r.TwoPhase) {
					continue
				}
				cycle, err := New(g, r)
				if err != nil {
					continue
				}
				for _, route := range cycle.Routes() {
					by, err := cycle.Via(route)
					if err != nil {
						t.Fatal(err)
					}
					for _, prec := range []uint{60, exact.PrecFor(1000)} {
						if prec > 60 && !longtest.Enabled() {
							break
						}
						for name, f := range map[string]func(*Cycle, uint) (exact.Enclosure, error){"FPR": (*Cycle).FPR, "Capacity": (*Cycle).Capacity} {
							a, err := f(cycle, prec)
							if name == "Capacity" && cycle.Absorbing() {
								if !errors.Is(err, bloomproof.ErrUndefined) {
									t.Errorf("%v %v: the capacity is %v, %v", g, r, a, err)
								}
								continue
							}
							want, ok := a.Rat()
							b, err2 := f(by, prec)
							if err != nil || err2 != nil || !ok || !b.Contains(want) || b.RelBits() < int(prec) {
								t.Errorf("%v %v: %s is %v, %v; by %v %v, %v", g, r, name, a, err, route, b, err2)
							}
						}
					}
				}
			}
		}
	}
}

// The shared sums allow for every ulp that the chain loses, at one word of fraction too.
func TestSharedLosses(t *testing.T) {
	for _, g := range []bloomproof.Geometry{{M: 150, K: 2}, {M: 40, K: 7}, {M: 150, K: 3, Hashing: bloomproof.Classic}} {
		c, err := New(g, bloomproof.Recycling{Sigma: g.M - 2, TwoPhase: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, start := range []uint64{0, uint64(g.K)} {
			want, err := c.rationalCourse(start)
			if err != nil {
				t.Fatal(err)
			}
			for e, x := range c.hashedShared(start, 64) {
				if !x.ContainsRat(want.shared[e]) || x.RelBits() < 30 {
					t.Errorf("%v from %d: sum %d is in [%v, %v], not %s", g, start, e, x.Lo(), x.Hi(), want.shared[e].FloatString(25))
				}
			}
		}
	}
}

// The shared sums in closed form are those of the states, from every start.
func TestSharedClosed(t *testing.T) {
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		for _, p := range [][3]uint64{{2, 1, 1}, {4, 2, 3}, {9, 4, 4}, {12, 6, 11}, {60, 3, 5}, {60, 7, 58}, {200, 10, 100}, {500, 2, 30}} {
			g := bloomproof.Geometry{M: p[0], K: int(p[1]), Hashing: h}
			c, err := New(g, bloomproof.Recycling{Sigma: p[2], TwoPhase: true})
			if err != nil {
				t.Fatal(err)
			}
			if !longtest.Enabled() && g.M > 12 {
				break
			}
			s, err := c.newClosed(400)
			if err != nil {
				t.Fatal(err)
			}
			for start := range p[1] + 1 {
				want, err := c.rationalCourse(start)
				if err != nil {
					t.Fatal(err)
				}
				for e, x := range s.shared(start) {
					if w := want.shared[e]; !x.ContainsRat(w) || w.Sign() > 0 && x.RelBits() < 60 {
						t.Errorf("%v, sigma %d, from %d: sum %d is in [%v, %v], not %s", g, p[2], start, e, x.Lo(), x.Hi(), w.FloatString(25))
					}
				}
			}
		}
	}
}

// The rates of large filters are those of the chain where it can follow them, in closed form
// at any size.
func TestTwoPhaseLarge(t *testing.T) {
	follow := longtest.More[uint64](1<<12, 1<<14) // bits of a chain
	for _, m := range []uint64{follow, 1 << 40, 1<<64 - 1} {
		for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
			for _, retain := range []bool{false, true} {
				g := bloomproof.Geometry{M: m, K: 5, Hashing: h}
				c, err := New(g, bloomproof.Recycling{Sigma: m / 3, TwoPhase: true, Retain: retain})
				if err != nil {
					t.Fatal(err)
				}
				got, err := c.FPR(100)
				if err != nil {
					t.Fatal(err)
				}
				if m > follow { // the fluid limit: s = sigma/m, and the arrays as if independent
					s := float64(m/3) / float64(m)
					l, part := -math.Log1p(-s), 0.0
					for j := 1; j <= 5; j++ {
						part += math.Pow(s, float64(j)) / float64(j)
					}
					one, frozen := 1-part/l, math.Pow(s, 5)
					if f, want := got.Float64(), one+frozen-one*frozen; math.Abs(f-want) > 1e-9*want {
						t.Errorf("%v, retain %t: %v, about %v", g, retain, f, want)
					}
					continue
				}
				chain, err := c.Via(exact.Recursive)
				if err != nil {
					t.Fatal(err)
				}
				want, err := chain.FPR(100)
				if err != nil || !got.Overlaps(want) {
					t.Errorf("%v, retain %t: %v in closed form, %v by the chain, %v", g, retain, got, want, err)
				}
			}
		}
	}
}
