package exact

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/occupancy"
	"github.com/bloomproof/bloomproof/exact/internal/outcomes"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestEstimateItems puts the estimate back into the mean number of set bits.
func TestEstimateItems(t *testing.T) {
	for _, g := range []bloomproof.Geometry{
		{M: 2, K: 1}, {M: 10, K: 12}, {M: 1000, K: 7}, {M: 1<<64 - 1, K: 64},
		{M: 10, K: 3, Hashing: bloomproof.Classic}, {M: 1 << 50, K: 4096, Hashing: bloomproof.Classic}, {M: 30, K: 5, Hashing: bloomproof.Partitioned},
	} {
		for _, b := range []uint64{0, 1, uint64(g.K), g.M / 2, g.M - 1} {
			if _, err := checkSetBits(g, b); err != nil {
				continue
			}
			for _, prec := range []uint{60, longtest.More[uint](1000, 3400)} {
				e, err := EstimateItems(g, b, prec)
				if err != nil || e.RelBits() < int(prec) {
					t.Errorf("EstimateItems(%v, %d) = %v, %v", g, b, e, err)
					continue
				}
				// m (1 - q^n), q the probability that an item spares a bit
				x := logCommitteesUnset(g, 1, prec+90)
				if g.Hashing == bloomproof.Standard {
					x = occupancy.LogEmpty(g.M, big.NewInt(int64(g.K)), prec+90)
				}
				x.Expm1(x.Mul(x, interval.New(prec+90).Set(e.interval())))
				x.Mul(x.Neg(x), interval.New(prec+90).SetUint64(g.M))
				if !x.ContainsRat(new(big.Rat).SetInt(integer.Uint(b))) {
					t.Errorf("EstimateItems(%v, %d) = %v, at which the mean is %v", g, b, e, around(x))
				}
			}
		}
		if _, err := EstimateItems(g, g.M, 60); !errors.Is(err, bloomproof.ErrUndefined) {
			t.Errorf("EstimateItems(%v) with all bits set: %v", g, err)
		}
	}
}

// TestEstimateUrns compares rationals with the two cases of (48), checks that the
// estimate is unbiased exactly up to m = nk by summing over its distribution, and the integrals
// with the rationals.
func TestEstimateUrns(t *testing.T) {
	stirling := func(n, i int64) *big.Int { // of the second kind
		if i < 0 || i > n {
			return new(big.Int)
		}
		sum, term := new(big.Int), new(big.Int)
		for j := int64(0); j <= i; j++ {
			term.Exp(big.NewInt(j), big.NewInt(n), nil)
			term.Mul(term, new(big.Int).Binomial(i, j))
			if (i-j)&1 == 0 {
				sum.Add(sum, term)
			} else {
				sum.Sub(sum, term)
			}
		}
		return sum.Quo(sum, new(big.Int).MulRange(1, i))
	}
	for n := int64(1); n <= 12; n++ {
		for b := int64(1); b <= n; b++ {
			e, unbiased, err := EstimateUrns(uint64(n), 1, uint64(b), 60)
			got, _ := e.Rat()
			first := new(big.Rat).SetFrac(stirling(n, b-1), stirling(n, b))
			first.Add(first, big.NewRat(b, 1))
			second := new(big.Rat).SetFrac(stirling(n+1, b), stirling(n, b))
			if err != nil || got.Cmp(first) != 0 || got.Cmp(second) != 0 || unbiased.Int64() != n {
				t.Errorf("EstimateUrns(%d, 1, %d) = %v, %v; (48) gives %v and %v", n, b, got, err, first, second)
			}
		}
	}
	for _, c := range []struct{ n, k int }{{1, 1}, {4, 1}, {7, 1}, {3, 2}, {2, 4}, {5, 3}, {1, 6}} {
		for m := c.k; m <= c.n*c.k+4; m++ {
			mean := new(big.Rat)
			pmf := outcomes.Chain(m, c.n, c.k)
			for b, p := range pmf {
				if p.Sign() > 0 {
					e, _, err := EstimateUrns(uint64(c.n), c.k, uint64(b), 60)
					if err != nil {
						t.Fatal(err)
					}
					r, _ := e.Rat()
					mean.Add(mean, r.Mul(r, p))
				}
			}
			want := big.NewRat(int64(m), 1)
			if nk := c.n * c.k; m > nk {
				want.Sub(want, new(big.Rat).Mul(big.NewRat(int64(m-nk), 1), pmf[nk]))
			}
			if mean.Cmp(want) != 0 {
				t.Errorf("the mean estimate of %d urns from %v is %v, want %v", m, c, mean, want)
			}
		}
	}
	for i, c := range []struct {
		n uint64
		k int
		b uint64
	}{{500, 1, 300}, {500, 1, 499}, {500, 1, 30}, {500, 1, 100}, {90, 5, 110}, {90, 5, 60}, {100, 5, 300}, {100, 5, 499}} {
		want := urnsRational(c.n, c.k, c.b)
		for _, prec := range []uint{40, 180} {
			if prec > 40 && (testing.Short() || !longtest.Enabled() && i%2 > 0) {
				break
			}
			e, _, err := EstimateUrns(c.n, c.k, c.b, prec)
			if all := (occupancy.Distribution{M: c.b, N: integer.Uint(c.n), K: c.k}); all.Crowded() {
				e, err = crowded(all, prec) // also where the rational would do
			}
			if err != nil || !e.Contains(want) || e.RelBits() < int(prec) {
				t.Errorf("EstimateUrns(%v) = %v, %v, want %v", c, e, err, want.FloatString(20))
			}
		}
	}
	// As many urns as make b their mean, nearly, at sizes beyond sums.
	for _, n := range []uint64{1e6, 1 << 40, 1 << 62} {
		const m = 1.7
		b := -m * float64(n) * math.Expm1(-1/m)
		e, _, err := EstimateUrns(n, 1, uint64(b), 60)
		if err != nil || math.Abs(e.Float64()/(m*float64(n))-1) > 1e-5 {
			t.Errorf("EstimateUrns(%d, 1, %.0f) = %v, %v", n, b, e, err)
		}
	}
	for _, c := range []struct {
		n    uint64
		k    int
		b    uint64
		want float64
	}{{1<<64 - 1, 1, 1, 1}, {1<<64 - 1, 1, 5, 5}, {1<<64 - 1, 4096, 4096, 4096}, {1<<64 - 1, 4096, 1e6, 1e6}, {1<<64 - 1, 1, 1 << 57, 1 << 57}, {1 << 40, 1, 1 << 35, 1 << 35}} {
		e, _, err := EstimateUrns(c.n, c.k, c.b, 60)
		if err != nil || math.Abs(e.Float64()/c.want-1) > 1e-9 {
			t.Errorf("EstimateUrns(%v) = %v, %v", c, e, err)
		}
	}
	var p *bloomproof.ParamError
	for _, c := range []struct {
		n    uint64
		k    int
		b    uint64
		prec uint
	}{{0, 1, 1, 50}, {5, 0, 1, 50}, {5, 4097, 4100, 50}, {5, 2, 1, 50}, {5, 2, 11, 50}, {5, 2, 5, 0}, {5, 2, 5, 4097}} {
		if _, _, err := EstimateUrns(c.n, c.k, c.b, c.prec); !errors.As(err, &p) {
			t.Errorf("EstimateUrns(%v): %v", c, err)
		}
	}
}

// TestEstimateUrnsBeyond asks for estimates that neither differences nor integrals enclose.
func TestEstimateUrnsBeyond(t *testing.T) {
	for _, c := range []struct {
		n uint64
		k int
		b uint64
	}{{4, 4000, 10_000}, {10, 4096, 25_000}} {
		if m, _, err := EstimateUrns(c.n, c.k, c.b, 60); !errors.Is(err, bloomproof.ErrTooCostly) {
			t.Errorf("%d batches of %d that leave %d occupied: %v, %v; want bloomproof.ErrTooCostly", c.n, c.k, c.b, m, err)
		}
	}
}

// TestEstimateIntersection compares with its definition, and finds it unmoved by what is
// exactly expected of disjoint sets.
func TestEstimateIntersection(t *testing.T) {
	for _, g := range []bloomproof.Geometry{{M: 1000, K: 7}, {M: 1000, K: 8, Hashing: bloomproof.Classic}, {M: 1000, K: 8, Hashing: bloomproof.Partitioned}, {M: 1<<64 - 1, K: 3}} {
		part := g.M / 1000
		for _, c := range []struct{ a, b, and uint64 }{{300, 200, 100}, {300, 200, 60}, {300, 200, 10}, {300, 300, 300}, {0, 200, 0}, {900, 200, 150}} {
			a, b, and := c.a*part, c.b*part, c.and*part
			e, err := EstimateIntersection(g, a, b, and, 100)
			if err != nil {
				t.Fatal(err)
			}
			sum := interval.New(400)
			for i, x := range []uint64{a, b, a + (b - and)} {
				n, err := EstimateItems(g, x, 390)
				if err != nil {
					t.Fatal(err)
				}
				if i < 2 {
					sum.Add(sum, n.interval())
				} else {
					sum.Sub(sum, n.interval())
				}
			}
			if !e.Overlaps(around(sum)) || e.RelBits() < 100 {
				t.Errorf("EstimateIntersection(%v, %v) = %v, by three estimates %v", g, c, e, around(sum))
			}
		}
	}
	g := bloomproof.Geometry{M: 1000, K: 7}
	if e, err := EstimateIntersection(g, 300, 200, 60, 50); err != nil || e.Sign() != 0 {
		t.Errorf("300 and 200 of 1000 bits with 60 in common: %v, %v", e, err)
	}
	if _, err := EstimateIntersection(g, 600, 500, 100, 50); !errors.Is(err, bloomproof.ErrUndefined) {
		t.Errorf("the or is full: %v", err)
	}
	var p *bloomproof.ParamError
	for _, c := range []struct{ a, b, and uint64 }{{300, 200, 201}, {600, 500, 99}, {1001, 1, 1}} {
		if _, err := EstimateIntersection(g, c.a, c.b, c.and, 50); !errors.As(err, &p) {
			t.Errorf("EstimateIntersection %v: %v", c, err)
		}
	}
}

// TestRatioItems recovers n from filters whose set bits follow the distribution exactly: a sample
// in which every outcome is as frequent as it is probable has the true moments.
func TestRatioItems(t *testing.T) {
	for _, c := range []struct {
		g bloomproof.Geometry
		n int
	}{{bloomproof.Geometry{M: 6, K: 2}, 2}, {bloomproof.Geometry{M: 6, K: 1}, 4}, {bloomproof.Geometry{M: 7, K: 2, Hashing: bloomproof.Classic}, 2}} {
		steps, k := c.n, c.g.K
		if c.g.Hashing == bloomproof.Standard {
			steps, k = c.n*c.g.K, 1
		}
		pmf := outcomes.Chain(int(c.g.M), steps, k)
		all := new(big.Int).Exp(integer.Binomial(c.g.M, k), big.NewInt(int64(steps)), nil)
		var set []uint64
		for b, p := range pmf {
			times := new(big.Rat).Mul(p, new(big.Rat).SetInt(all))
			for range times.Num().Int64() / times.Denom().Int64() {
				set = append(set, uint64(b))
			}
		}
		for ratios := 1; ratios <= 2; ratios++ {
			e, err := RatioItems(c.g, set, ratios, 80)
			if err != nil || !e.Contains(big.NewRat(int64(c.n), 1)) || e.RelBits() < 80 {
				t.Errorf("RatioItems(%v) of %d filters, %d ratios = %v, %v, want %d", c.g, len(set), ratios, e, err, c.n)
			}
		}
	}
	g := bloomproof.Geometry{M: 1000, K: 7}
	one, err := RatioItems(g, []uint64{300}, 1, 80)
	if err != nil {
		t.Fatal(err)
	}
	if want, _ := EstimateItems(g, 300, 80); !one.Overlaps(want) {
		t.Errorf("one ratio of one filter gives %v, the moment estimate %v", one, want)
	}
	if _, err := RatioItems(g, []uint64{1000}, 1, 50); !errors.Is(err, bloomproof.ErrUndefined) {
		t.Errorf("all bits set: %v", err)
	}
	if e, err := RatioItems(g, []uint64{0, 0}, 3, 50); err != nil || e.Sign() != 0 {
		t.Errorf("no bit set: %v, %v", e, err)
	}
	var p *bloomproof.ParamError
	for _, bad := range []func() error{
		func() error { _, err := RatioItems(g, nil, 1, 50); return err },
		func() error { _, err := RatioItems(g, []uint64{5}, 0, 50); return err },
		func() error { _, err := RatioItems(g, []uint64{5}, 65, 50); return err },
		func() error { _, err := RatioItems(g, []uint64{1001}, 1, 50); return err },
		func() error {
			_, err := RatioItems(bloomproof.Geometry{M: 8, K: 4, Hashing: bloomproof.Partitioned}, []uint64{5}, 1, 50)
			return err
		},
	} {
		if err := bad(); !errors.As(err, &p) {
			t.Errorf("%v is no ParamError", err)
		}
	}
}
