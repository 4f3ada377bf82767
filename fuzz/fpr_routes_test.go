package fuzz

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// FuzzFPRRoutes computes one rate by every route, each at a precision of its own: the enclosures
// must overlap, keep the precision asked, stay in [0, 1] and obey the bounds, and no input may
// panic. A route may refuse for its cost only.
func FuzzFPRRoutes(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 20 {
			return
		}
		// Sizes by number of bits first, so that small ones occur as often as large ones.
		m := binary.LittleEndian.Uint64(data) >> (data[16] & 63)
		n := binary.LittleEndian.Uint64(data[8:]) >> (data[17] & 63)
		g := bloomproof.Geometry{M: m, K: int(data[18])%48 + 1, Hashing: bloomproof.Hashing(data[19] % 3)}
		if g.Hashing == bloomproof.Partitioned {
			g.M -= g.M % uint64(g.K)
		}
		// Between the small filters and those that the sums over set bits refuse, they take
		// too long for a fuzz target.
		nk := float64(g.K) * float64(n)
		most := min(float64(g.M), nk)
		if steps := nk * most; steps > 1<<13 && steps < 1<<22 || most > 60 && most < 400 {
			n &= 1
		}
		first, _, err := exact.FPR(g, n, 60, exact.Auto)
		if invalid := g.Validate(); (err != nil) != (invalid != nil) {
			t.Fatalf("FPR(%v, n=%d): error %v, geometry %v", g, n, err, invalid)
		} else if invalid != nil {
			return
		}
		if f := first.Float64(); f < 0 || f > 1 || (n == 0) != (first.Hi().Sign() == 0) {
			t.Fatalf("FPR(%v, n=%d) = %v", g, n, first)
		}
		routes, err := exact.Routes(g)
		if err != nil {
			t.Fatal(err)
		}
		for i, route := range routes {
			prec := uint(40 + 25*i)
			e, used, err := exact.FPR(g, n, prec, route)
			switch {
			case errors.Is(err, bloomproof.ErrTooCostly):
				continue
			case err != nil || used != route:
				t.Fatalf("FPR(%v, n=%d, %v): %v, %v", g, n, route, used, err)
			case e.RelBits() < int(prec) && n > 0:
				t.Fatalf("FPR(%v, n=%d, %v) has %d bits, %d asked", g, n, route, e.RelBits(), prec)
			case !e.Overlaps(first):
				t.Fatalf("FPR(%v, n=%d): %v by %v, %v by auto", g, n, e, route, first)
			}
		}
		bounds, err := exact.Bounds(g, n, 60)
		if err != nil {
			t.Fatalf("Bounds(%v, n=%d): %v", g, n, err)
		}
		for kind, b := range bounds {
			sign := -1
			switch kind {
			case bloomproof.BoundTaylor:
				continue // bounds nothing
			case bloomproof.BoundUpper, bloomproof.BoundPartitioned, bloomproof.BoundBose:
				sign = 1
			}
			if order, decided := b.Cmp(first); decided && order*sign < 0 {
				t.Fatalf("%v n=%d: %v = %v is on the wrong side of the rate %v", g, n, kind, b, first)
			}
			if one, err := exact.Bound(kind, g, n, 60); err != nil || !one.Overlaps(b) {
				t.Fatalf("%v n=%d: %v is %v, %v by itself and %v among all", g, n, kind, one, err, b)
			}
		}
	})
}
