package exact

import (
	"errors"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// rationalRate is rationalOf by numbers.
func rationalRate(h bloomproof.Hashing, m, n, k int) *big.Rat {
	return rationalOf(bloomproof.Geometry{M: uint64(m), K: k, Hashing: h}, uint64(n))
}

// allowedK returns the k to try for m bits, far beyond the best.
func allowedK(h bloomproof.Hashing, m int) []int {
	var ks []int
	for k := 1; k <= m+3; k++ {
		if (bloomproof.Geometry{M: uint64(m), K: k, Hashing: h}).Validate() == nil {
			ks = append(ks, k)
		}
	}
	return ks
}

// bruteK returns all k of least rate.
func bruteK(t *testing.T, h bloomproof.Hashing, m, n int) (ks []int, least *big.Rat) {
	for _, k := range allowedK(h, m) {
		switch r := rationalRate(h, m, n, k); {
		case least == nil || r.Cmp(least) < 0:
			ks, least = []int{k}, r
		case r.Cmp(least) == 0:
			ks = append(ks, k)
		}
	}
	return ks, least
}

// TestOptimalK compares with the rational rates of all k on every small filter.
func TestOptimalK(t *testing.T) {
	most := longtest.Of(7, 10, 12)
	for _, h := range allHashings {
		for m := 2; m <= most; m++ {
			for n := 1; n <= 5; n++ {
				ks, least := bruteK(t, h, m, n)
				o, err := OptimalK(bloomproof.Geometry{M: uint64(m), Hashing: h}, uint64(n), 60)
				if err != nil || o.Geometry.K != ks[0] || o.Last != ks[len(ks)-1] || !o.Rate.Contains(least) || o.Assumes != "" {
					t.Errorf("%v m=%d n=%d: %d to %d, rate %v, %v, %v; want %v, %v", h, m, n, o.Geometry.K, o.Last, o.Rate, o.Assumes, err, ks, least)
				}
			}
		}
	}
}

// TestOptimalKKnown checks the optima that Burns prints, ties, limits and absurd sizes.
func TestOptimalKKnown(t *testing.T) {
	const most = 1<<64 - 1
	for _, c := range []struct {
		h       bloomproof.Hashing
		m, n    uint64
		k, last int
	}{
		{bloomproof.Standard, 64, 4, 10, 10},
		{bloomproof.Classic, 64, 4, 9, 9},
		{bloomproof.Standard, 1000, 20, 34, 34}, // Burns figure 7
		{bloomproof.Classic, 1000, 20, 33, 33},
		{bloomproof.Standard, 3, 1, 1, 2},
		{bloomproof.Classic, 3, 1, 1, 2},
		{bloomproof.Classic, most, 1, 4096, 4096},
		{bloomproof.Classic, 8191, 1, 4095, 4096},
		{bloomproof.Partitioned, 3, 1, 1, 1},
		{bloomproof.Standard, most, most, 1, 1},
		{bloomproof.Standard, 1, most, 1, 4096},
		{bloomproof.Classic, 1, 5, 1, 1},
		{bloomproof.Standard, most, 0, 1, 4096},
		{bloomproof.Partitioned, 720720, 1000, 495, 495},
	} {
		k, last, assumes, err := newKSearch(plain{namedHashing(t, c.h)}, c.m, c.n).best() // without the rate, which takes long for k = 4096
		if err != nil || k != c.k || last != c.last || assumes != "" {
			t.Errorf("%v m=%d n=%d: %d to %d, %v, %v; want %d to %d", c.h, c.m, c.n, k, last, assumes, err, c.k, c.last)
		}
	}
}

// TestSizing compares the largest n and the smallest m with a scan in rationals, for
// targets between the rates, at them, and next to them.
func TestSizing(t *testing.T) {
	mostM, mostN := longtest.Of(6, 8, 11), longtest.Of(4, 4, 5)
	for _, h := range allHashings {
		targets := []*big.Rat{big.NewRat(1, 2), big.NewRat(1, 10), big.NewRat(1, 100)}[longtest.More(1, 0):]
		tie := rationalRate(h, 4, 2, 2)
		tiny := new(big.Rat).SetFrac(integer.One, new(big.Int).Lsh(integer.One, 400))
		targets = append(targets, tie, new(big.Rat).Sub(tie, tiny), new(big.Rat).Add(tie, tiny))
		for _, p := range targets {
			for k := 0; k <= 3; k++ {
				least := func(m, n int) *big.Rat { // nil where no filter exists
					if k == 0 {
						_, r := bruteK(t, h, m, n)
						return r
					}
					if (bloomproof.Geometry{M: uint64(m), K: k, Hashing: h}).Validate() != nil {
						return nil
					}
					return rationalRate(h, m, n, k)
				}
				for m := 2; m <= mostM; m++ {
					want := 0
					for want < mostN && least(m, 1) != nil && least(m, want+1).Cmp(p) <= 0 {
						want++
					}
					o, err := MostItems(bloomproof.Geometry{M: uint64(m), K: k, Hashing: h}, p, 60)
					if least(m, 1) == nil {
						if err == nil {
							t.Errorf("%v m=%d k=%d: no error", h, m, k)
						}
						continue
					}
					if err != nil || o.N != uint64(want) && (want < mostN || o.N < uint64(want)) || o.Assumes != "" {
						t.Errorf("%v m=%d k=%d p=%s: n = %d, %v, %v; want %d", h, m, k, p.FloatString(20), o.N, o.Assumes, err, want)
					}
				}
				for n := 1; n <= mostN; n++ {
					want := 0
					for m := 1; m <= mostM && want == 0; m++ {
						if r := least(m, n); r != nil && r.Cmp(p) <= 0 {
							want = m
						}
					}
					o, err := LeastBits(bloomproof.Geometry{K: k, Hashing: h}, uint64(n), p, 60)
					if err != nil || want > 0 && o.Geometry.M != uint64(want) || want == 0 && o.Geometry.M <= uint64(mostM) || o.Assumes != "" {
						t.Errorf("%v n=%d k=%d p=%s: m = %d, %v, %v; want %d", h, n, k, p.FloatString(20), o.Geometry.M, o.Assumes, err, want)
					}
				}
			}
		}
	}
}

// TestSizingNear puts the target within 10^-150 of a large filter's rate, on either side.
func TestSizingNear(t *testing.T) {
	for _, h := range allHashings {
		g := bloomproof.Geometry{M: 5 << 38, K: 10, Hashing: h}
		const n = 90_000_000_000
		e, _, err := FPR(g, n, 500, Auto)
		if err != nil {
			t.Fatal(err)
		}
		above, _ := e.Hi().Rat(nil)
		below, _ := e.Lo().Rat(nil)
		for _, c := range []struct {
			p    *big.Rat
			n, m uint64
		}{{above, n, g.M}, {below, n - 1, 0}} {
			o, err := MostItems(bloomproof.Geometry{M: g.M, K: g.K, Hashing: h}, c.p, 60)
			if err != nil || o.N != c.n {
				t.Errorf("%v: n = %d, %v; want %d", h, o.N, err, c.n)
			}
			o, err = LeastBits(bloomproof.Geometry{K: g.K, Hashing: h}, n, c.p, 60)
			if err != nil || c.m != 0 && o.Geometry.M != c.m || o.Geometry.M < g.M || c.m == 0 && o.Geometry.M == g.M || o.Geometry.M > g.M+uint64(g.K) {
				t.Errorf("%v: m = %d, %v; want %d or the next", h, o.Geometry.M, err, g.M)
			}
		}
	}
}

// TestSizingMonotone: f falls with m and grows with n, strictly.
func TestSizingMonotone(t *testing.T) {
	most := 12
	if testing.Short() {
		most = 7
	}
	for _, h := range allHashings[:2] {
		for k := 1; k <= 6; k++ {
			for m := k; m <= most; m++ {
				for n := 1; n <= 5; n++ {
					f := rationalRate(h, m, n, k)
					if f.Cmp(rationalRate(h, m+1, n, k)) <= 0 {
						t.Errorf("%v: f(%d,%d,%d) does not fall with m", h, m, n, k)
					}
					if more := rationalRate(h, m, n+1, k); f.Cmp(more) > 0 || f.Cmp(more) == 0 && f.Cmp(big.NewRat(1, 1)) != 0 {
						t.Errorf("%v: f(%d,%d,%d) does not grow with n", h, m, n, k)
					}
				}
			}
		}
	}
}

// TestLogConcave checks what the proof at LeastBits that the rate falls with m rests on:
// that covers are log-concave, that h falls, and that f is the mean of h.
func TestLogConcave(t *testing.T) {
	for k := 1; k <= 4; k++ {
		for n := 1; n <= 4; n++ {
			covers, next := coverCounts(n, k), coverCounts(n+1, k)
			h := make([]*big.Rat, len(next)) // of b bits
			for b := k; b < len(next); b++ {
				if b+1 < len(covers) && b > k {
					square := new(big.Int).Mul(covers[b], covers[b])
					if square.Cmp(new(big.Int).Mul(covers[b-1], covers[b+1])) < 0 {
						t.Errorf("k=%d n=%d: the covers of %d are not log-concave: %v", k, n, b, covers)
					}
				}
				h[b] = new(big.Rat)
				if b < len(covers) {
					h[b].SetFrac(new(big.Int).Mul(covers[b], integer.Binomial(uint64(b), k)), next[b])
				}
				if b > k && h[b].Cmp(h[b-1]) > 0 {
					t.Errorf("k=%d n=%d: h(%d) = %v after %v", k, n, b, h[b], h[b-1])
				}
			}
			for m := k; m <= 9; m++ {
				mean := new(big.Rat)
				for b := k; b <= min(m, len(next)-1); b++ {
					p := new(big.Rat).SetInt(new(big.Int).Mul(next[b], integer.Binomial(uint64(m), b)))
					mean.Add(mean, p.Mul(p, h[b]))
				}
				mean.Quo(mean, new(big.Rat).SetInt(integer.Power(integer.Binomial(uint64(m), k), uint64(n+1))))
				if f := rationalRate(bloomproof.Classic, m, n, k); mean.Cmp(f) != 0 {
					t.Errorf("m=%d n=%d k=%d: the mean of h is %v, f = %v", m, n, k, mean, f)
				}
			}
		}
	}
}

// coverCounts returns, for b = 0..nk, in how many ways n k-subsets cover b bits.
func coverCounts(n, k int) []*big.Int {
	c := make([]*big.Int, n*k+1)
	for b := range c {
		c[b] = new(big.Int)
		for j := range b + 1 {
			x := integer.Power(integer.Binomial(uint64(j), k), uint64(n))
			x.Mul(x, integer.Binomial(uint64(b), j))
			if (b-j)&1 == 1 {
				x.Neg(x)
			}
			c[b].Add(c[b], x)
		}
	}
	return c
}

// TestSizingErrors lists bad arguments and answers out of range.
func TestSizingErrors(t *testing.T) {
	half := big.NewRat(1, 2)
	var param *bloomproof.ParamError
	for name, f := range map[string]func() error{
		"no target": func() error { _, err := MostItems(bloomproof.Geometry{M: 8, K: 1}, nil, 60); return err },
		"target 0":  func() error { _, err := LeastBits(bloomproof.Geometry{K: 1}, 8, new(big.Rat), 60); return err },
		"target 1":  func() error { _, err := LeastBits(bloomproof.Geometry{}, 8, big.NewRat(1, 1), 60); return err },
		"m":         func() error { _, err := MostItems(bloomproof.Geometry{M: 0, K: 1}, half, 60); return err },
		"k below":   func() error { _, err := MostItems(bloomproof.Geometry{M: 8, K: -1}, half, 60); return err },
		"k above":   func() error { _, err := LeastBits(bloomproof.Geometry{K: 4097}, 8, half, 60); return err },
		"k of m": func() error {
			_, err := MostItems(bloomproof.Geometry{M: 8, K: 9, Hashing: bloomproof.Classic}, half, 60)
			return err
		},
		"k divides m": func() error {
			_, err := MostItems(bloomproof.Geometry{M: 8, K: 3, Hashing: bloomproof.Partitioned}, half, 60)
			return err
		},
		"hashing":     func() error { _, err := OptimalK(bloomproof.Geometry{M: 8, Hashing: 9}, 3, 60); return err },
		"prec":        func() error { _, err := OptimalK(bloomproof.Geometry{M: 8}, 3, 0); return err },
		"m of best k": func() error { _, err := OptimalK(bloomproof.Geometry{M: 0}, 3, 60); return err },
	} {
		if err := f(); !errors.As(err, &param) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	near := new(big.Rat).SetFrac64(1<<62-1, 1<<62)
	tiny := new(big.Rat).SetFrac(integer.One, new(big.Int).Lsh(integer.One, 100))
	for _, h := range allHashings {
		if o, err := MostItems(bloomproof.Geometry{M: 1 << 63, K: 1, Hashing: h}, near, 60); !errors.Is(err, bloomproof.ErrRange) {
			t.Errorf("%v: n = %d, %v; want %v", h, o.N, err, bloomproof.ErrRange)
		}
		if o, err := LeastBits(bloomproof.Geometry{K: 1, Hashing: h}, 1<<40, tiny, 60); !errors.Is(err, bloomproof.ErrRange) {
			t.Errorf("%v: m = %d, %v; want %v", h, o.Geometry.M, err, bloomproof.ErrRange)
		}
	}
	// No item at all is the most for a rate that one exceeds, and needs the least filter.
	for _, h := range allHashings {
		o, err := MostItems(bloomproof.Geometry{M: 16, Hashing: h}, tiny, 60)
		if r, _ := o.Rate.Rat(); err != nil || o.N != 0 || r.Sign() != 0 {
			t.Errorf("%v: n = %d, rate %v, %v; want none", h, o.N, o.Rate, err)
		}
		o, err = LeastBits(bloomproof.Geometry{Hashing: h}, 0, tiny, 60)
		if err != nil || o.Geometry.M != 1 {
			t.Errorf("%v: m = %d, %v; want 1", h, o.Geometry.M, err)
		}
	}
}

// TestLastTrue tries every guess and every edge of small ranges.
func TestLastTrue(t *testing.T) {
	const lo, hi = 3, 40
	for want := uint64(lo); want <= hi; want++ {
		for guess := uint64(0); guess < 50; guess++ {
			got, err := lastTrue(lo, hi, guess, func(x uint64) (bool, error) {
				if x < lo || x > hi {
					t.Fatalf("asked for %d", x)
				}
				return x <= want, nil
			})
			if got != want || err != nil {
				t.Fatalf("from %d: %d, %v; want %d", guess, got, err, want)
			}
		}
	}
	for _, want := range []uint64{0, 1, 1 << 63, 1<<64 - 1} {
		for _, guess := range []uint64{0, 1, 1 << 63, 1<<64 - 1} {
			got, _ := lastTrue(0, 1<<64-1, guess, func(x uint64) (bool, error) { return x <= want, nil })
			if got != want {
				t.Errorf("from %d: %d, want %d", guess, got, want)
			}
		}
	}
}

// TestWindow checks, for every rate as the limit, that no excluded k reaches it, and that
// the window does not hold all k.
func TestWindow(t *testing.T) {
	narrow := 0
	for _, h := range allHashings {
		for m := 3; m <= 11; m++ {
			for n := 2; n <= 4; n += longtest.More(2, 1) {
				known := namedHashing(t, h)
				s := newKSearch(plain{known}, uint64(m), uint64(n))
				lower := known.lower(s)
				ks := allowedK(h, m)
				for _, j := range ks {
					limit := rationalRate(h, m, n, j)
					top := ratAround(limit, 64)
					below, above := s.window(lower, top.Log(top).Hi())
					if above-below < len(ks) {
						narrow++
					}
					for _, k := range ks {
						if (k <= below || k >= above) && rationalRate(h, m, n, k).Cmp(limit) <= 0 {
							t.Errorf("%v m=%d n=%d: k = %d is not above the rate of %d, window %d to %d", h, m, n, k, j, below, above)
						}
					}
				}
			}
		}
	}
	if narrow == 0 {
		t.Error("the window excludes nothing")
	}
}
