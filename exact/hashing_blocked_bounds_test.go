package exact

import (
	"errors"
	"fmt"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/outcomes"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// ratBound is a bound of m bits as a rational, or nil where there is none.
func ratBound(kind bloomproof.Bound, m, n, k int) *big.Rat {
	p := pointAt(m, n, k)
	switch kind {
	case bloomproof.BoundBloom:
		return p.bloom
	case bloomproof.BoundLower:
		return p.lower
	case bloomproof.BoundLowerClassic:
		return p.lowerClassic
	case bloomproof.BoundUpper:
		if k <= m {
			return p.upper
		}
	case bloomproof.BoundPartitioned:
		if m%k == 0 {
			return p.upper
		}
	}
	return nil
}

// meanOverItems returns the mean of a number that depends on the items of a block.
func meanOverItems(blocks, n int, of func(i int) *big.Rat) *big.Rat {
	sum := new(big.Rat)
	for i := 1; i <= n; i++ {
		x := new(big.Rat).SetInt(integer.Binomial(uint64(n), i))
		x.Mul(x, ratPow(big.NewRat(1, int64(blocks)), i))
		x.Mul(x, ratPow(big.NewRat(int64(blocks-1), int64(blocks)), n-i))
		sum.Add(sum, x.Mul(x, of(i)))
	}
	return sum
}

// TestBlockBounds compares the bounds with the means of those of a block in rationals, and their
// sides with the rate, which TestBlocksBruteForce has from all outcomes.
func TestBlockBounds(t *testing.T) {
	const prec = 70
	eachBlocked(longtest.More(3, 6), func(g bloomproof.Geometry, n int) {
		blocks, block := split(g)
		rate := rationalOf(g, uint64(n))
		all, err := Bounds(g, uint64(n), prec)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range blockedBounds {
			e, err := Bound(kind, g, uint64(n), prec)
			if x, listed := all[kind]; listed != (err == nil) || listed && !x.Overlaps(e) {
				t.Errorf("Bounds has %v of %v, n=%d: %v, %v", kind, g, n, x, err)
			}
			var p *bloomproof.ParamError
			of := func(i int) *big.Rat { return ratBound(kind, int(block.M), i, g.K) }
			switch {
			case errors.As(err, &p) && p.Param == "bound": // of another hashing
			case kind == bloomproof.BoundExponential:
				if order, decided := e.Cmp(all[bloomproof.BoundBloom]); err != nil || decided && order > 0 {
					t.Errorf("%v of %v, n=%d: %v is not below bloom, %v", kind, g, n, e, err)
				}
			case of(1) == nil:
				if !errors.Is(err, bloomproof.ErrUndefined) {
					t.Errorf("%v of %v, n=%d: %v, %v", kind, g, n, e, err)
				}
			default:
				want := meanOverItems(int(blocks), n, of)
				if err != nil || !e.Contains(want) || n > 0 && e.RelBits() < prec {
					t.Errorf("%v of %v, n=%d: %v, %v, want %v", kind, g, n, e, err, want)
				}
				isUpper := kind == bloomproof.BoundUpper || kind == bloomproof.BoundPartitioned
				if c := want.Cmp(rate); isUpper && c < 0 || !isUpper && c > 0 {
					t.Errorf("%v of %v, n=%d is %v, the rate %v", kind, g, n, want, rate)
				}
			}
		}
	})
}

// eachBlocked calls f for filters of up to 3 blocks of up to so many bits.
func eachBlocked(most int, f func(g bloomproof.Geometry, n int)) {
	outcomes.EachShape(most, func(block bloomproof.Geometry) {
		for blocks := uint64(1); blocks <= 3; blocks++ {
			for _, n := range []int{0, 1, 2, 4, 9} {
				f(blocksOf(blocks, block), n)
			}
		}
	})
}

// TestWholeBounds asks which formulas for all bits bound the rate with two blocks or more: the
// partitioned one is at least upper, and the standard one is on neither side of any. The first
// filters beyond are recorded.
func TestWholeBounds(t *testing.T) {
	found := map[string]string{}
	eachBlocked(4, func(g bloomproof.Geometry, n int) {
		if n == 0 || g.M == g.Block {
			return
		}
		rate := rationalOf(g, uint64(n))
		for _, kind := range []bloomproof.Bound{bloomproof.BoundBloom, bloomproof.BoundLower, bloomproof.BoundUpper} {
			if whole := ratBound(kind, int(g.M), n, g.K); whole != nil {
				side := []string{"<", "=", ">"}[1+rate.Cmp(whole)]
				name := fmt.Sprintf("%v rate %s %v", g.Hashing, side, kind)
				if found[name] == "" {
					found[name] = fmt.Sprintf("m=%d k=%d block=%d n=%d", g.M, g.K, g.Block, n)
				}
			}
		}
	})
	for name, want := range map[string]string{
		"standard rate < bloom": "m=2 k=2 block=1 n=1", "standard rate > bloom": "m=3 k=2 block=1 n=1",
		"standard rate < lower": "m=2 k=2 block=1 n=2", "standard rate > lower": "m=3 k=2 block=1 n=1",
		"standard rate < upper": "m=2 k=2 block=1 n=1", "standard rate > upper": "m=4 k=2 block=2 n=1",
		"partitioned rate < bloom": "", "partitioned rate < lower": "", "partitioned rate < upper": "",
		"partitioned rate > upper": "m=4 k=2 block=2 n=1",
	} {
		if found[name] != want {
			t.Errorf("%s: the first is %q, want %q", name, found[name], want)
		}
	}
}

// TestBlockBoundsRoutes meets the differences with the mixture, which shares no formula, at sizes
// that cannot be enumerated.
func TestBlockBoundsRoutes(t *testing.T) {
	const prec = 80
	for _, h := range allHashings {
		for _, c := range []struct {
			blocks, s uint64
			k         int
			n         uint64
		}{{3, 512, 8, 90}, {1<<55 - 1, 512, 8, 1000}, {7, 16, 16, 200}, {1 << 20, 256, 8, 20 << 20}}[:longtest.More(3, 4)] {
			g := blocksOf(c.blocks, bloomproof.Geometry{M: c.s, K: c.k, Hashing: h})
			all, err := Bounds(g, c.n, prec)
			if err != nil || len(all) < 4 {
				t.Fatalf("%v, n=%d: %v, %v", g, c.n, all, err)
			}
			for kind, x := range all {
				y, err := mixtureOf(g, c.n, prec, func(i uint64, work uint) (*interval.Interval, error) {
					e, err := boundFormulas[kind](c.s, i, c.k, work)
					return interval.New(work).Set(e.interval()), err
				})
				if err != nil || !x.Overlaps(y) || x.RelBits() < prec || y.RelBits() < prec {
					t.Errorf("%v of %v, n=%d: difference %v, mixture %v, %v", kind, g, c.n, x, y, err)
				}
			}
		}
	}
}
