package exact

import (
	"errors"
	"fmt"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/outcomes"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// countCorrect returns the correct rate by filling real counters for every outcome of
// hashing n items with these frequencies.
func countCorrect(g bloomproof.Geometry, n int, inc bloomproof.Increment) *big.Rat {
	frequencies := []int{3, 1, 2, 5, 4}
	m, slice := int(g.M), int(g.M)/g.K
	var items [][]int // the positions of every equally likely outcome of one item
	var draw func(at []int)
	draw = func(at []int) {
		if len(at) == g.K {
			items = append(items, append([]int(nil), at...))
			return
		}
		for bit := range m {
			switch {
			case g.Hashing == bloomproof.Classic && len(at) > 0 && bit <= at[len(at)-1]:
			case g.Hashing == bloomproof.Partitioned && bit/slice != len(at):
			default:
				draw(append(at, bit))
			}
		}
	}
	draw(nil)
	correct, all := int64(0), int64(0)
	counters := make([]int, m)
	put := func(at []int, frequency int) {
		seen := uint64(0)
		for _, bit := range at {
			if inc == bloomproof.Literal || seen>>bit&1 == 0 {
				counters[bit] += frequency
			}
			seen |= 1 << bit
		}
	}
	var fill func(left int, first []int)
	fill = func(left int, first []int) {
		if left == n {
			least := counters[first[0]]
			for _, bit := range first {
				least = min(least, counters[bit])
			}
			if all++; least == frequencies[0] {
				correct++
			}
			return
		}
		for _, at := range items {
			put(at, frequencies[left])
			fill(left+1, first)
			put(at, -frequencies[left])
		}
	}
	for _, at := range items {
		put(at, frequencies[0])
		fill(1, at)
		put(at, -frequencies[0])
	}
	return big.NewRat(correct, all)
}

var increments = []bloomproof.Increment{bloomproof.Distinct, bloomproof.Literal}

// TestCorrectRateBrute compares both readings with counters, in rationals and by the
// sums in fixed point, and holds the bounds (26) to them.
func TestCorrectRateBrute(t *testing.T) {
	limit := longtest.Of(10_000.0, 40_000, 100_000)
	outcomes.EachShape(5, func(g bloomproof.Geometry) {
		outcomes := outcomes.Count(g)
		for n, cost := 1, outcomes; n <= 4 && cost <= limit; n, cost = n+1, cost*outcomes {
			for _, inc := range increments {
				want := countCorrect(g, n, inc)
				e, err := CorrectRate(g, uint64(n), inc, 70)
				if r, ok := e.Rat(); err != nil || !ok || r.Cmp(want) != 0 {
					t.Fatalf("CorrectRate(%v, n=%d, %v) = %v, %v; counters say %v", g, n, inc, e, err, want)
				}
				lower, upper, err := CorrectRateBounds(g, uint64(n), inc, 70)
				if err != nil {
					t.Fatal(err)
				}
				if lower != nil {
					if order, decided := lower.Cmp(e); decided && order > 0 {
						t.Errorf("%v n=%d %v: the lower bound %v exceeds %v", g, n, inc, lower, e)
					}
				}
				if upper != nil {
					if order, decided := upper.Cmp(e); decided && order < 0 {
						t.Errorf("%v n=%d %v: the upper bound %v is below %v", g, n, inc, upper, e)
					}
				}
				if n == 1 || g.M == 1 {
					continue
				}
				x := literalRate(g.M, integer.Product(uint64(n), g.K), g.K, 90)
				switch {
				case g.Hashing == bloomproof.Classic:
					if g.M == uint64(g.K) {
						continue
					}
					x = classicMiss(g, uint64(n-1), 90)
				case g.Hashing == bloomproof.Partitioned:
					continue
				case inc == bloomproof.Distinct:
					x = standardMiss(g.M, integer.Product(uint64(n-1), g.K), g.K, 90)
				}
				if !x.ContainsRat(want) || x.RelBits() < 60 {
					t.Errorf("%v n=%d %v: the sum is %v with %d bits, counters say %v", g, n, inc, around(x), x.RelBits(), want)
				}
			}
		}
	})
}

// TestCorrectRateLarge compares with the rates of which it is the complement, at sizes
// beyond rationals, and the literal one with its definition by singletons.
func TestCorrectRateLarge(t *testing.T) {
	for _, c := range []struct {
		g bloomproof.Geometry
		n uint64
	}{
		{bloomproof.Geometry{M: 1 << 30, K: 7}, 1e8},
		{bloomproof.Geometry{M: 1<<64 - 1, K: 64}, 1 << 60},
		{bloomproof.Geometry{M: 5000, K: 30}, 300_000}, // 1 - f is about e^-1800
		{bloomproof.Geometry{M: 100_003, K: 20, Hashing: bloomproof.Classic}, 30_000},
		{bloomproof.Geometry{M: 100_000, K: 20, Hashing: bloomproof.Partitioned}, 30_000},
		{bloomproof.Geometry{M: 7, K: 12}, 5000},
	} {
		for _, prec := range []uint{60, 3330} {
			e, err := CorrectRate(c.g, c.n, bloomproof.Distinct, prec)
			if err != nil || e.RelBits() < int(prec) {
				t.Errorf("CorrectRate(%v, n=%d) has %d bits, %v", c.g, c.n, e.RelBits(), err)
				continue
			}
			f, _, err := FPR(c.g, c.n-1, prec+4000, Auto)
			if err != nil {
				t.Fatal(err)
			}
			sum := f.interval().Add(e.interval(), f.interval())
			if !sum.ContainsRat(big.NewRat(1, 1)) {
				t.Errorf("%v n=%d: the rates sum to %v", c.g, c.n, around(sum))
			}
		}
	}
	for _, c := range []struct {
		m uint64
		k int
		n uint64
	}{{1000, 9, 500}, {64, 40, 3}, {1 << 50, 12, 1 << 47}, {30, 8, 100}} {
		g := bloomproof.Geometry{M: c.m, K: c.k}
		e, err := CorrectRate(g, c.n, bloomproof.Literal, 100)
		if err != nil {
			t.Fatal(err)
		}
		if want := bySingletons(c.m, c.k, integer.Product(c.n-1, g.K)); !e.Overlaps(want) || e.RelBits() < 100 {
			t.Errorf("CorrectRate(%v, n=%d, literal) = %v, by singletons %v", g, c.n, e, want)
		}
	}
}

// bySingletons returns the literal rate as the sum over the number s of the item's
// singleton counters of P[s] (1 - P[those s all hit by the other balls]), with
// P[s] = m^-k sum over j >= s of (-1)^(j-s) C(j,s) C(m,j) k!/(k-j)! (m-j)^(k-j).
func bySingletons(m uint64, k int, others *big.Int) Enclosure {
	f := field.Intervals(1000)
	last := int(min(uint64(k), m))
	p := f.Int(0)
	for s := 1; s <= last; s++ {
		ps, t := f.Int(0), f.Zero()
		for j := s; j <= last; j++ {
			t.Mul(f.Pow(f.Ratio(m-uint64(j), m), big.NewInt(int64(k-j))), t.SetInt(integer.Binomial(m, j)))
			t.Mul(t, f.Zero().SetInt(new(big.Int).MulRange(int64(k-j+1), int64(k))))
			t.Mul(t, f.Zero().SetInt(integer.Binomial(uint64(j), s)))
			t.Quo(t, f.PowInt(f.Uint(m), j))
			if (j-s)&1 == 1 {
				t.Neg(t)
			}
			ps.Add(ps, t)
		}
		missed := f.Int(0)
		for j := 1; j <= s; j++ {
			t.Mul(f.Pow(f.Ratio(m-uint64(j), m), others), f.Zero().SetInt(integer.Binomial(uint64(s), j)))
			if j&1 == 0 {
				t.Neg(t)
			}
			missed.Add(missed, t)
		}
		p.Add(p, ps.Mul(ps, missed))
	}
	return around(p)
}

func TestCorrectRateEdges(t *testing.T) {
	ok := bloomproof.Geometry{M: 64, K: 8}
	for _, c := range []struct {
		g     bloomproof.Geometry
		n     uint64
		inc   bloomproof.Increment
		prec  uint
		param string
	}{
		{bloomproof.Geometry{K: 1}, 1, 0, 50, "m"},
		{ok, 0, 0, 50, "n"},
		{ok, 1, 2, 50, "increment"},
		{ok, 1, 0, 0, "prec"},
	} {
		var p *bloomproof.ParamError
		if _, err := CorrectRate(c.g, c.n, c.inc, c.prec); !errors.As(err, &p) || p.Param != c.param {
			t.Errorf("CorrectRate(%v, %d, %v, %d): %v, want an error of %s", c.g, c.n, c.inc, c.prec, err, c.param)
		}
		if _, _, err := CorrectRateBounds(c.g, c.n, c.inc, c.prec); !errors.As(err, &p) || p.Param != c.param {
			t.Errorf("CorrectRateBounds(%v, %d, %v, %d): %v, want an error of %s", c.g, c.n, c.inc, c.prec, err, c.param)
		}
	}
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic, bloomproof.Partitioned} {
		g := bloomproof.Geometry{M: 64, K: 8, Hashing: h}
		if _, err := CorrectRate(g, 1<<64-1, bloomproof.Literal, 50); !errors.Is(err, bloomproof.ErrRange) {
			t.Errorf("%v full of items: %v", g, err)
		}
		if _, _, err := CorrectRateBounds(g, 1<<64-1, bloomproof.Distinct, 50); !errors.Is(err, bloomproof.ErrRange) {
			t.Errorf("bounds of %v full of items: %v", g, err)
		}
	}
	// Literal increments refute (25): the text's filter is correct half the time.
	e, err := CorrectRate(bloomproof.Geometry{M: 2, K: 2}, 1, bloomproof.Literal, 50)
	if r, _ := e.Rat(); err != nil || fmt.Sprint(r) != "1/2" {
		t.Errorf("m = 2, k = 2, n = 1, literal: %v, %v", r, err)
	}
}
