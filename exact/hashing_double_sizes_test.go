package exact

import (
	"errors"
	"fmt"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestRateSizes compares the sizes with those of a search through all m, all n and all k.
func TestRateSizes(t *testing.T) {
	const mostItems, mostK = 12, 4
	mostM := longtest.More(40, 90)
	proven := 0
	for _, h := range []bloomproof.Hashing{bloomproof.Double, bloomproof.DoubleZero, bloomproof.DoubleOdd, bloomproof.DoublePartitioned, bloomproof.EnhancedDouble, bloomproof.Triple} {
		most := uint64(mostM)
		if h == bloomproof.Triple {
			most = 20
		}
		known := map[[3]uint64]*big.Rat{}                  // by m, k and n
		rate := func(m uint64, k int, n uint64) *big.Rat { // nil where no filter exists
			at := [3]uint64{m, uint64(k), n}
			r, ok := known[at]
			if g := (bloomproof.Geometry{M: m, K: k, Hashing: h}); !ok && g.Validate() == nil {
				r = rationalOf(g, n)
			}
			known[at] = r
			return r
		}
		for k := 1; k <= mostK; k++ {
			for n := uint64(1); n <= uint64(longtest.More(3, 11)); n += 2 {
				for _, p := range []*big.Rat{big.NewRat(1, 2), big.NewRat(1, 11), big.NewRat(1, 100)} {
					want := uint64(0)
					for m := uint64(1); m <= most && want == 0; m++ {
						if r := rate(m, k, n); r != nil && r.Cmp(p) <= 0 {
							want = m
						}
					}
					if want == 0 {
						continue
					}
					o, err := LeastBits(bloomproof.Geometry{K: k, Hashing: h}, n, p, 53)
					if err != nil {
						t.Fatal(err)
					}
					if o.Geometry.M != want && (o.Assumes == "" || o.Geometry.M < want) {
						t.Errorf("%v k=%d n=%d p=%v: m is %d, assumes %q; a search gives %d", h, k, n, p, o.Geometry.M, o.Assumes, want)
					}
					if o.Assumes == "" {
						proven++
					}
				}
			}
			for m := uint64(2); m <= most; m += 7 {
				if rate(m, k, 1) == nil {
					continue
				}
				p, want := big.NewRat(1, 3), uint64(0)
				for want < mostItems && rate(m, k, want+1).Cmp(p) <= 0 {
					want++
				}
				o, err := MostItems(bloomproof.Geometry{M: m, K: k, Hashing: h}, p, 53)
				if err != nil {
					t.Fatal(err)
				}
				if o.N != want && want < mostItems || o.Assumes != "" {
					t.Errorf("%v m=%d k=%d p=%v: n is %d, assumes %q; a search gives %d", h, m, k, p, o.N, o.Assumes, want)
				}
			}
		}
		for m := uint64(2); m <= most; m += longtest.More[uint64](14, 7) {
			const n = 9
			o, err := OptimalK(bloomproof.Geometry{M: m, Hashing: h}, n, 53)
			var pe *bloomproof.ParamError
			if errors.As(err, &pe) && rate(m, 1, n) == nil {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			f := rationalOf(o.Geometry, n)
			for k := 1; k <= mostK; k++ {
				r := rate(m, k, n)
				if r != nil && (f.Cmp(r) > 0 || k >= o.Geometry.K && k <= o.Last && f.Cmp(r) != 0) {
					t.Errorf("%v m=%d n=%d: k is %d to %d; k=%d has %v against %v", h, m, n, o.Geometry.K, o.Last, k, r, f)
				}
			}
		}
	}
	if t.Logf("%d proven", proven); proven < 20 {
		t.Error("too few sizes are proven")
	}
}

// TestLeastBitsOfManySizes looks for the least m where there are too many sizes to try them all. The answer says which
// sizes were not tried, and the rate exceeds p at all sizes in between.
func TestLeastBitsOfManySizes(t *testing.T) {
	longtest.Only(t, "it takes a fifth of a second; other tests try all sizes")
	g, n, p := bloomproof.Geometry{K: 16, Hashing: bloomproof.Double}, uint64(2), big.NewRat(1, 50)
	o, err := LeastBits(g, n, p, 20)
	if err != nil {
		t.Fatal(err)
	}
	var from, to uint64
	if _, err := fmt.Sscanf(o.Assumes, "the rate is missed from m = %d to %d", &from, &to); err != nil || from > to {
		t.Fatalf("m is %d, assumes %q: %v", o.Geometry.M, o.Assumes, err)
	}
	for g.M = to + 1; g.M <= o.Geometry.M; g.M++ {
		e, _, err := FPR(g, n, 20, Auto)
		if err != nil {
			t.Fatal(err)
		}
		if x := e.Float64(); x <= 1.0/50 != (g.M == o.Geometry.M) {
			t.Errorf("m is %d, assumes %q, but the rate with %d bits is %v", o.Geometry.M, o.Assumes, g.M, x)
		}
	}
}

// TestSearchBegins checks that the number of bits at which a search begins does not depend on the guess, and that it is
// the least number that the lower bound does not exclude.
func TestSearchBegins(t *testing.T) {
	s := rateSizes{g: bloomproof.Geometry{K: 3, Hashing: bloomproof.Double}, n: 40, p: big.NewRat(1, 50)}
	want, err := s.from(1)
	if err != nil || want < 100 {
		t.Fatalf("from 1: %d, %v", want, err)
	}
	for _, guess := range []uint64{want / 2, want - 1, want, want + 1, 3 * want, 1 << 40} {
		if m, err := s.from(guess); err != nil || m != want {
			t.Errorf("from %d: %d, %v, want %d", guess, m, err, want)
		}
	}
}
