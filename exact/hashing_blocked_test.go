package exact

import (
	"errors"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/outcomes"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// blocksOf returns the shape of so many blocks.
func blocksOf(blocks uint64, block bloomproof.Geometry) bloomproof.Geometry {
	return bloomproof.Geometry{M: blocks * block.M, K: block.K, Hashing: block.Hashing, Block: block.M}
}

// enumerateBlocked returns the rate by walking through all choices of blocks and outcomes
// of hashing.
func enumerateBlocked(g bloomproof.Geometry, n int) *big.Rat {
	blocks, block := split(g)
	masks := outcomes.Masks(block)
	states := make([]uint32, blocks)
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

// Both routes, the sums in rationals and in intervals, the complement and the logarithm, against
// all outcomes.
func TestBlocksBruteForce(t *testing.T) {
	limit := longtest.Of(4_000, 12_000, 40_000)
	cases := 0
	outcomes.EachShape(6, func(block bloomproof.Geometry) {
		for blocks := uint64(1); blocks <= 4; blocks++ {
			g := blocksOf(blocks, block)
			each := int(blocks) * int(outcomes.Count(block))
			for n, outcomes := 0, each; n <= 5 && outcomes <= limit; n, outcomes = n+1, outcomes*each {
				cases++
				checkBlocks(t, g, uint64(n), enumerateBlocked(g, n))
			}
		}
	})
	t.Logf("%d cases", cases)
}

func checkBlocks(t *testing.T, g bloomproof.Geometry, n uint64, want *big.Rat) {
	t.Helper()
	const prec = 80
	check := func(what string, want *big.Rat, e Enclosure, err error) {
		t.Helper()
		if r, ok := e.Rat(); err != nil || !e.Contains(want) || e.RelBits() < prec || ok && r.Cmp(want) != 0 {
			t.Fatalf("%s of %v, n=%d: %v, %v; enumeration gives %v", what, g, n, e, err, want)
		}
	}
	for _, route := range []Route{Auto, routeDifference, routeMixture} {
		e, _, err := FPR(g, n, prec, route)
		check(string(route), want, e, err)
	}
	if r := rationalOf(g, n); r.Cmp(want) != 0 {
		t.Fatalf("the rational rate of %v, n=%d is %v; enumeration gives %v", g, n, r, want)
	}
	rest := new(big.Rat).Sub(big.NewRat(1, 1), want)
	e, err := Complement(g, n, prec)
	check("the complement", rest, e, err)
	if n == 0 {
		return
	}
	e, err = LogFPR(g, n, prec)
	if log := ratAround(want, 300); err != nil || !e.Overlaps(around(log.Log(log))) || e.RelBits() < prec {
		t.Fatalf("the logarithm of %v, n=%d is %v, %v; want %v", g, n, e, err, around(log))
	}
	l, err := lawOf(g)
	if err != nil {
		t.Fatal(err)
	}
	if l.full(g) {
		return
	}
	e, err = l.enclose(g, n, prec, routeDifference)
	check("the sum in intervals", want, e, err)
	e, err = l.(blocked).differences(g, n, prec, uint(g.K), func(work uint) *interval.Interval {
		f := field.Intervals(work)
		return blockedSum(f, seriesOf(f, l.(blocked).in, g), g, n, 1)
	})
	check("the complement in intervals", rest, e, err)
}

// The two routes share no formula: they meet at sizes that cannot be enumerated, and one
// block is a filter that is not blocked.
func TestBlocksRoutesMeet(t *testing.T) {
	for _, h := range allHashings {
		for _, c := range []struct {
			blocks, s uint64
			k         int
			n         uint64
		}{
			{2, 64, 8, 1}, {3, 512, 8, 90}, {64, 512, 8, 3000}, {1 << 20, 256, 8, 20 << 20}, {1 << 40, 512, 16, 5 << 40},
			{1<<55 - 1, 512, 8, 1000}, {4, 1 << 40, 16, 64}, {7, 16, 16, 200}, {5, 8, 8, 60},
		} {
			block := bloomproof.Geometry{M: c.s, K: c.k, Hashing: h}
			g := blocksOf(c.blocks, block)
			x, _, err := FPR(g, c.n, 100, routeMixture)
			if err != nil {
				t.Fatalf("%v, n=%d: %v", g, c.n, err)
			}
			y, _, err := FPR(g, c.n, 100, routeDifference)
			if err != nil || !x.Overlaps(y) || y.RelBits() < 100 || x.RelBits() < 100 {
				t.Errorf("%v, n=%d: mixture %v, difference %v, %v", g, c.n, x, y, err)
			}
			one, _, err := FPR(blocksOf(1, block), c.n, 100, Auto)
			if err != nil {
				t.Fatal(err)
			}
			plain, _, err := FPR(block, c.n, 100, Auto)
			if err != nil || !one.Overlaps(plain) {
				t.Errorf("one block of %v, n=%d: %v, unblocked %v, %v", block, c.n, one, plain, err)
			}
			z, err := Complement(g, c.n, 100)
			if sum := interval.New(300).Add(z.interval(), y.interval()); err != nil || z.RelBits() < 100 || !sum.ContainsRat(big.NewRat(1, 1)) {
				t.Errorf("%v, n=%d: f + (1-f) = %v, %v", g, c.n, around(sum), err)
			}
			w, err := LogFPR(g, c.n, 100)
			if log := interval.New(300).Log(y.interval()); err != nil || w.RelBits() < 100 || !w.Overlaps(around(log)) {
				t.Errorf("%v, n=%d: ln f = %v, %v; want %v", g, c.n, w, err, around(log))
			}
			// Blocks cost accuracy; beyond any use, where nearly all bits are set, they gain some.
			whole := g
			if whole.Block = 0; c.n > 1 && c.n*uint64(c.k) <= g.M && g.Hashing == bloomproof.Standard && c.blocks > 1 {
				plain, _, err := FPR(whole, c.n, 100, Auto)
				if order, decided := x.Cmp(plain); err != nil || !decided || order <= 0 {
					t.Errorf("%v, n=%d: %v is not above the %v of %v, %v", g, c.n, x, plain, whole, err)
				}
			}
		}
	}
}

func TestBlocksErrors(t *testing.T) {
	ok := bloomproof.Geometry{M: 512, K: 8}
	for _, c := range []struct {
		g     bloomproof.Geometry
		prec  uint
		route Route
		param string
	}{
		{bloomproof.Geometry{M: 0, K: 8, Block: 512}, 50, Auto, "m"},
		{bloomproof.Geometry{M: 1000, K: 8, Block: 512}, 50, Auto, "block"},
		{blocksOf(4, bloomproof.Geometry{M: 8, K: 9, Hashing: bloomproof.Classic}), 50, Auto, "k"},
		{blocksOf(4, ok), 0, Auto, "prec"},
		{blocksOf(4, ok), 50, routeStirling, "route"},
	} {
		var p *bloomproof.ParamError
		if _, _, err := FPR(c.g, 5, c.prec, c.route); !errors.As(err, &p) || p.Param != c.param {
			t.Errorf("%v: error %v, want one about %s", c.g, err, c.param)
		}
	}
	for _, c := range []struct {
		g     bloomproof.Geometry
		n     uint64
		route Route
	}{
		{blocksOf(2, ok), 1 << 40, routeMixture},
		{blocksOf(2, bloomproof.Geometry{M: 1 << 63 / 2, K: bloomproof.MaxK}), 1<<64 - 1, routeDifference},
	} {
		if _, _, err := FPR(c.g, c.n, 50, c.route); !errors.Is(err, bloomproof.ErrTooCostly) {
			t.Errorf("%v, n=%d: error %v, want bloomproof.ErrTooCostly", c.g, c.n, err)
		}
	}
}

// TestBlocksRefused asks everything that has no formula for blocks.
func TestBlocksRefused(t *testing.T) {
	g := bloomproof.Geometry{M: 1024, K: 8, Block: 512}
	for name, f := range map[string]func() error{
		"Excess":            func() error { _, err := Excess(bloomproof.BoundUpper, g, 10, 50); return err },
		"EntropyPerBit":     func() error { _, err := EntropyPerBit(g, 10, 50); return err },
		"ArrayEntropy":      func() error { _, err := ArrayEntropy(g, 10, 50); return err },
		"SecondMoment":      func() error { _, err := SecondMoment(g, 10, 50); return err },
		"PeakEfficiency":    func() error { _, err := PeakEfficiency(g, 50); return err },
		"TextbookK":         func() error { _, err := TextbookK(g, 10); return err },
		"LikelyItems":       func() error { _, _, err := LikelyItems(g, 100); return err },
		"SetBits":           func() error { _, _, err := SetBits(g, 5, 50); return err },
		"IntersectionFPR":   func() error { _, err := IntersectionFPR(g, []uint64{5}, 0, 50); return err },
		"IntersectionBits":  func() error { _, _, err := IntersectionBits(g, []uint64{5}, 0, 50); return err },
		"CorrectRateBounds": func() error { _, _, err := CorrectRateBounds(g, 10, bloomproof.Distinct, 50); return err },
	} {
		var p *bloomproof.ParamError
		if err := f(); !errors.As(err, &p) || p.Param != "block" {
			t.Errorf("%s: error %v, want one about block", name, err)
		}
	}
}
