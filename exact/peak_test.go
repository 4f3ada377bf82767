package exact

import (
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestSeveralItems encloses the three functions of severalItems from above, on a grid
// between whose points each factor is monotone.
func TestSeveralItems(t *testing.T) {
	const work, steps = 64, 1 << 13
	every := longtest.More(16, 1) // only a long run takes all; the others take a sample of the steps of the proof
	at := func(i int) *interval.Interval { return interval.New(work).SetRat(big.NewRat(int64(i), steps)) }
	nw := func() *interval.Interval { return interval.New(work) }
	one, ln2 := nw().SetUint64(1), ln2Interval(work)
	below := func(x *interval.Interval, limit float64) bool {
		return x.Valid() && x.Hi().Cmp(big.NewFloat(limit)) < 0
	}
	// n (1-x) log2(1/(1-x^j)): the first factor falls, the second rises. For x above 1-1/64,
	// 1-x^j >= 1-x and -y log2 y < 6/64 for y < 1/64.
	for _, c := range []struct {
		n     uint64
		limit float64
	}{{3, 0.896}, {4, 0.834}} {
		last := steps - steps/64
		for i := 0; i < last; i += every {
			y := nw().PowInt(at(i+1), big.NewInt(int64(c.n-1)))
			x := nw().Sub(one, at(i))
			x.Mul(x, y.Quo(y.Log(y.Sub(one, y)), ln2))
			if x.Mul(x.Neg(x), nw().SetUint64(c.n)); !below(x, c.limit) {
				t.Fatalf("n = %d: %v between %d/%d and the next", c.n, around(x), i, steps)
			}
		}
		if edge := float64(c.n) * 6 / 64; edge >= c.limit {
			t.Errorf("n = %d: %v near x = 1", c.n, edge)
		}
	}
	if x := nw().MulPow2(nw().Mul(ln2, nw().SetUint64(5)), -2); !below(x, 0.867) {
		t.Errorf("5/4 ln 2 = %v", around(x))
	}
	// The integral of ln((1-t)/(u-t)) over t = 0..p, u = p(2-p), is at most that over 0..b with
	// u at a for p in [a,b], since u grows with p; and at most p ln(1/p), its last value times p,
	// which is below 0.066 for p < 1/64 and below 0.216 for p > 3/4.
	xlogx := func(x *interval.Interval) *interval.Interval { return nw().Mul(x, nw().Log(x)) }
	for i := steps / 64; i < 3*steps/4; i += every {
		a, b := at(i), at(i+1)
		u := nw().Mul(a, nw().Sub(nw().SetUint64(2), a))
		g := xlogx(nw().Sub(u, b))
		g.Sub(g, xlogx(u))
		g.Sub(g, xlogx(nw().Sub(one, b)))
		g.MulPow2(g.Quo(g, ln2), 1)
		if !below(g, 0.768) {
			t.Fatalf("n = 2: %v between %d/%d and the next", around(g), i, steps)
		}
	}
	if edge := nw().MulPow2(nw().Quo(nw().SetRat(big.NewRat(216, 1000)), ln2), 1); !below(edge, severalItems) {
		t.Errorf("n = 2: %v near p = 1", around(edge))
	}
	// The bound itself, for small filters.
	for m := uint64(2); m <= 24; m += longtest.More[uint64](3, 1) {
		for k := 1; uint64(k) < m; k++ {
			for n := uint64(2); n <= 6; n++ {
				e, err := Efficiency(bloomproof.Geometry{M: m, K: k, Hashing: bloomproof.Classic}, n, 30)
				if err != nil || e.Hi().Cmp(big.NewFloat(severalItems)) >= 0 {
					t.Errorf("m=%d k=%d n=%d: efficiency %v, %v", m, k, n, e, err)
				}
			}
		}
	}
}

// TestPeakSearched checks what a peak says of its search: all n where it is proven, the
// neighbours where one peak is assumed, and few n where k ends before the best one.
func TestPeakSearched(t *testing.T) {
	const all = 1<<64 - 1
	type searched struct {
		leastN, mostN uint64
		mostK         int
		largerK       bool
	}
	for _, c := range []struct {
		h    bloomproof.Hashing
		m    uint64
		k    int
		want searched
	}{
		{bloomproof.Standard, 100, 0, searched{1, all, 4096, false}},
		{bloomproof.Standard, 100, 3, searched{1, all, 3, false}},
		{bloomproof.Partitioned, 100, 0, searched{1, all, 100, false}},
		{bloomproof.Classic, 20, 3, searched{1, all, 3, false}},
		{bloomproof.Classic, 100, 3, searched{21, 23, 3, false}},
		{bloomproof.Classic, 100, 0, searched{1, all, 100, false}},
		{bloomproof.Classic, 8193, 0, searched{1, all, 4096, false}},
		{bloomproof.Classic, 9000, 0, searched{1, all, 4096, true}},
		{bloomproof.Classic, 14000, 0, searched{1, 3, 4096, true}},
	} {
		if !longtest.Enabled() && c.m > 10000 {
			continue
		}
		p, err := PeakEfficiency(bloomproof.Geometry{M: c.m, K: c.k, Hashing: c.h}, 60)
		if got := (searched{p.LeastN, p.MostN, p.MostK, p.LargerK}); err != nil || got != c.want {
			t.Errorf("%v m=%d k=%d: %+v, %v; want %+v", c.h, c.m, c.k, got, err, c.want)
		}
		if p.N < p.LeastN || p.N > p.MostN || p.K > p.MostK || c.k != 0 && p.K != c.k {
			t.Errorf("%v m=%d k=%d: the peak n=%d k=%d is outside of %+v", c.h, c.m, c.k, p.N, p.K, c.want)
		}
		if proven := p.Assumes == ""; proven != (p.LeastN == 1 && p.MostN == all) {
			t.Errorf("%v m=%d k=%d: assumes %q with %+v", c.h, c.m, c.k, p.Assumes, c.want)
		}
	}
}
