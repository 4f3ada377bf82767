package exact

import (
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// TestCycleBruteForceAll compares the rate and the capacity of every rule with the chain
// over real bit sets, in rationals and by every route.
func TestCycleBruteForceAll(t *testing.T) {
	compared := 0
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		for m := uint64(1); m <= 4; m++ {
			for k := 1; k <= 3; k++ {
				g := bloomproof.Geometry{M: m, K: k, Hashing: h}
				if g.Validate() != nil || m == 4 && k > 2 && testing.Short() {
					continue
				}
				for _, r := range bruteRules(g, 4) {
					cycle, err := NewCycle(g, r)
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
	check := func(name string, e Enclosure, err error, want *big.Rat, exact bool) {
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
	for i, c := range by {
		e, err := c.FPR(80)
		check("FPR by "+c.route.String(), e, err, want.rate, i == 0)
		if want.absorbing {
			continue
		}
		e, err = c.Capacity(80)
		check("Capacity by "+c.route.String(), e, err, want.capacity, i == 0)
	}
}
