package exact

import (
	"errors"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// TestRoutesOverlap compares all routes, at precisions of their own, on filters too large
// for brute force, at the hard places: k > m, m near 2^63, nearly full, nearly empty.
func TestRoutesOverlap(t *testing.T) {
	for _, c := range []struct {
		g bloomproof.Geometry
		n uint64
	}{
		{bloomproof.Geometry{M: 64, K: 10}, 4},
		{bloomproof.Geometry{M: 64, K: 9, Hashing: bloomproof.Classic}, 4},
		{bloomproof.Geometry{M: 20, K: 33}, 40},
		{bloomproof.Geometry{M: 100, K: 5}, 1 << 40},
		{bloomproof.Geometry{M: 1<<63 + 5, K: 13}, 9},
		{bloomproof.Geometry{M: 1<<63 + 5, K: 40, Hashing: bloomproof.Classic}, 1 << 60},
		{bloomproof.Geometry{M: 1 << 40, K: 40}, 3e10},
		{bloomproof.Geometry{M: 1 << 20, K: 300}, 1000},
		{bloomproof.Geometry{M: 1000, K: 1000, Hashing: bloomproof.Classic}, 3},
	} {
		routes, err := Routes(c.g)
		if err != nil {
			t.Fatal(err)
		}
		first, used, err := FPR(c.g, c.n, 200, Auto)
		if err != nil || used != routes[0] || first.RelBits() < 200 {
			t.Errorf("FPR(%v, n=%d) by %v has %d bits, %v", c.g, c.n, used, first.RelBits(), err)
		}
		for i, route := range routes {
			e, _, err := FPR(c.g, c.n, uint(30+50*i), route)
			if errors.Is(err, bloomproof.ErrTooCostly) {
				continue
			}
			if err != nil || !e.Overlaps(first) || e.RelBits() < 30+50*i {
				t.Errorf("FPR(%v, n=%d, %v) = %v with %d bits, %v; auto gives %v", c.g, c.n, route, e, e.RelBits(), err, first)
			}
		}
	}
}

// TestExtremes asks for rates below 1e-1000 and within 1e-1000 of 1.
func TestExtremes(t *testing.T) {
	low, _, err := FPR(bloomproof.Geometry{M: 1 << 60, K: 128}, 1000, PrecFor(20), Auto)
	if err != nil || low.Hi().MantExp(nil) > -3400 || low.RelBits() < int(PrecFor(20)) {
		t.Errorf("low rate %v, %v", low, err)
	}
	high, _, err := FPR(bloomproof.Geometry{M: 64, K: 8}, 30000, PrecFor(20), Auto)
	if order, decided := high.Cmp(exactlyInt(1, 10)); err != nil || decided && order > 0 || high.Lo().Cmp(big.NewFloat(1-1e-15)) < 0 {
		t.Errorf("high rate %v, %v", high, err)
	}
}

// TestZivRetries feeds the loop with first tries that must fail, and with a computation
// that never gets better.
func TestZivRetries(t *testing.T) {
	tries := 0
	// 1 - (1 - 2^-300): no bit is right before 300 are worked with.
	e, err := ziv(50, 53, func(work uint) *interval.Interval {
		tries++
		third := interval.New(work).SetRat(big.NewRat(1, 3))
		tiny := interval.New(work).MulPow2(third, -300)
		return tiny.Sub(tiny.Add(third, tiny), third)
	})
	if err != nil || e.RelBits() < 50 || tries < 3 {
		t.Errorf("after %d tries %v with %d bits, %v", tries, e, e.RelBits(), err)
	}
	if want := new(big.Rat).SetFrac(integer.One, new(big.Int).Mul(big.NewInt(3), new(big.Int).Lsh(integer.One, 300))); !e.Contains(want) {
		t.Errorf("%v is not 2^-300/3", e)
	}
	_, err = ziv(50, 53, func(uint) *interval.Interval { return interval.New(40).SetRat(big.NewRat(1, 3)) })
	if !errors.Is(err, ErrPrecision) {
		t.Errorf("a computation that never gets better returns %v", err)
	}
}

// TestCertain holds the filters whose bits are all set by one item to the rate 1, also
// where nk overflows an integer.
func TestCertain(t *testing.T) {
	one := big.NewRat(1, 1)
	for _, g := range []bloomproof.Geometry{
		{M: 1, K: 1}, {M: 1, K: 2}, {M: 1, K: 4096},
		{M: 1, K: 1, Hashing: bloomproof.Classic}, {M: 4, K: 4, Hashing: bloomproof.Classic},
		{M: 1, K: 1, Hashing: bloomproof.Partitioned}, {M: 4096, K: 4096, Hashing: bloomproof.Partitioned},
	} {
		for _, n := range []uint64{1, 2, 1 << 52, 1 << 62, 1 << 63, 1<<64 - 1} {
			e, _, err := FPR(g, n, 50, Auto)
			if r, ok := e.Rat(); err != nil || !ok || r.Cmp(one) != 0 {
				t.Errorf("FPR(%v, n=%d) = %v, %v", g, n, e, err)
			}
		}
	}
}

// TestErrors lists what must be refused, and how.
func TestErrors(t *testing.T) {
	ok := bloomproof.Geometry{M: 64, K: 8}
	for _, c := range []struct {
		g     bloomproof.Geometry
		prec  uint
		route Route
		param string
	}{
		{bloomproof.Geometry{M: 0, K: 1}, 50, Auto, "m"},
		{bloomproof.Geometry{M: 9, K: 0}, 50, Auto, "k"},
		{bloomproof.Geometry{M: 9, K: 2, Hashing: bloomproof.Partitioned}, 50, Auto, "k"},
		{ok, 0, Auto, "prec"},
		{ok, MaxPrec + 1, Auto, "prec"},
		{ok, 50, ClosedForm, "route"},
		{ok, 50, routeHypergeometric, "route"},
		{ok, 50, "none", "route"},
		{ok, 50, "", "route"},
	} {
		var p *bloomproof.ParamError
		if _, _, err := FPR(c.g, 4, c.prec, c.route); !errors.As(err, &p) || p.Param != c.param {
			t.Errorf("FPR(%v, prec %d, %v): %v, want an error of %s", c.g, c.prec, c.route, err, c.param)
		}
	}
	for _, route := range []Route{routeStirling, routeChristensen, routeGrandi} {
		if _, _, err := FPR(bloomproof.Geometry{M: 1 << 40, K: 7}, 1<<36, 50, route); !errors.Is(err, bloomproof.ErrTooCostly) {
			t.Errorf("%v of a large filter: %v", route, err)
		}
	}
}
