package exact

import (
	"errors"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/outcomes"
)

// enumerateBlocked returns the rate by walking through all choices of blocks and outcomes
// of hashing.
func enumerateBlocked(b Blocked, n int) *big.Rat {
	masks := outcomes.Masks(b.Block)
	states := make([]uint32, b.Blocks)
	var hits, queries int64
	var insert func(left int)
	insert = func(left int) {
		if left == 0 {
			for _, s := range states {
				for _, mask := range masks {
					if queries++; mask&^s == 0 {
						hits++
					}
				}
			}
			return
		}
		for i, old := range states {
			for _, mask := range masks {
				states[i] = old | mask
				insert(left - 1)
			}
			states[i] = old
		}
	}
	insert(n)
	return big.NewRat(hits, queries)
}

// Both routes, and the difference in rationals and in intervals, against all outcomes.
func TestFPRBlockedBruteForce(t *testing.T) {
	limit := 40_000
	if testing.Short() {
		limit = 4_000
	}
	cases := 0
	outcomes.EachShape(6, func(g bloomproof.Geometry) {
		for blocks := uint64(1); blocks <= 4; blocks++ {
			b := Blocked{Blocks: blocks, Block: g}
			each := int(blocks) * len(outcomes.Masks(g))
			for n, outcomes := 0, each; n <= 5 && outcomes <= limit; n, outcomes = n+1, outcomes*each {
				cases++
				want := enumerateBlocked(b, n)
				for _, route := range []Route{Auto, Difference, Mixture} {
					e, _, err := FPRBlocked(b, uint64(n), 80, route)
					if r, ok := e.Rat(); err != nil || !e.Contains(want) || e.RelBits() < 80 || ok && r.Cmp(want) != 0 {
						t.Fatalf("FPRBlocked(%v, n=%d, %v) = %v, %v; enumeration gives %v", b, n, route, e, err, want)
					}
				}
				if n > 0 {
					if e, err := b.difference(uint64(n), 80); err != nil || !e.Contains(want) {
						t.Fatalf("the difference of %v, n=%d = %v, %v; enumeration gives %v", b, n, e, err, want)
					}
				}
			}
		}
	})
	t.Logf("%d cases", cases)
}

// The two routes share no formula: they meet at sizes that cannot be enumerated, and one
// block is a filter that is not blocked.
func TestFPRBlockedRoutesMeet(t *testing.T) {
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic, bloomproof.Partitioned} {
		for _, c := range []struct {
			blocks, s uint64
			k         int
			n         uint64
		}{
			{2, 64, 8, 1}, {3, 512, 8, 90}, {64, 512, 8, 3000}, {1 << 20, 256, 8, 20 << 20}, {1 << 40, 512, 16, 5 << 40},
			{1<<64 - 1, 512, 8, 1000}, {4, 1 << 40, 16, 64}, {7, 16, 16, 200}, {5, 8, 8, 60},
		} {
			b := Blocked{Blocks: c.blocks, Block: bloomproof.Geometry{M: c.s, K: c.k, Hashing: h}}
			x, _, err := FPRBlocked(b, c.n, 100, Mixture)
			if err != nil {
				t.Fatalf("%v, n=%d: %v", b, c.n, err)
			}
			y, _, err := FPRBlocked(b, c.n, 100, Difference)
			if err != nil || !x.Overlaps(y) || y.RelBits() < 100 || x.RelBits() < 100 {
				t.Errorf("%v, n=%d: mixture %v, difference %v, %v", b, c.n, x, y, err)
			}
			whole := b.Block
			one, _, err := FPRBlocked(Blocked{Blocks: 1, Block: whole}, c.n, 100, Auto)
			if err != nil {
				t.Fatal(err)
			}
			plain, _, err := FPR(whole, c.n, 100, Auto)
			if err != nil || !one.Overlaps(plain) {
				t.Errorf("one block of %v, n=%d: %v, unblocked %v, %v", whole, c.n, one, plain, err)
			}
			// Blocks cost accuracy; beyond any use, where nearly all bits are set, they gain some.
			g := whole
			if g.M *= c.blocks; c.n > 1 && g.M/c.blocks == c.s && c.n*uint64(c.k) <= g.M && g.Hashing == bloomproof.Standard {
				plain, _, err := FPR(g, c.n, 100, Auto)
				if order, decided := x.Cmp(plain); err != nil || !decided || order <= 0 {
					t.Errorf("%v, n=%d: %v is not above the %v of %v, %v", b, c.n, x, plain, g, err)
				}
			}
		}
	}
}

func TestFPRBlockedErrors(t *testing.T) {
	ok := bloomproof.Geometry{M: 512, K: 8}
	for _, c := range []struct {
		b     Blocked
		prec  uint
		route Route
		param string
	}{
		{Blocked{0, ok}, 50, Auto, "blocks"},
		{Blocked{4, bloomproof.Geometry{}}, 50, Auto, "m"},
		{Blocked{4, bloomproof.Geometry{M: 8, K: 9, Hashing: bloomproof.Classic}}, 50, Auto, "k"},
		{Blocked{4, ok}, 0, Auto, "prec"},
		{Blocked{4, ok}, 50, Stirling, "route"},
	} {
		var p *bloomproof.ParamError
		if _, _, err := FPRBlocked(c.b, 5, c.prec, c.route); !errors.As(err, &p) || p.Param != c.param {
			t.Errorf("%v: error %v, want one about %s", c.b, err, c.param)
		}
	}
	for _, c := range []struct {
		b     Blocked
		n     uint64
		route Route
	}{
		{Blocked{2, ok}, 1 << 40, Mixture},
		{Blocked{1 << 30, bloomproof.Geometry{M: 1<<64 - 1, K: bloomproof.MaxK}}, 1<<64 - 1, Difference},
	} {
		if _, _, err := FPRBlocked(c.b, c.n, 50, c.route); !errors.Is(err, ErrTooCostly) {
			t.Errorf("%v, n=%d: error %v, want ErrTooCostly", c.b, c.n, err)
		}
	}
}
