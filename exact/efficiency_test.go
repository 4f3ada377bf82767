package exact

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// bitsOfRat returns share log2(1/f) from the rational f.
func bitsOfRat(f, share *big.Rat) Enclosure {
	x := ratAround(f, 400)
	x.Quo(x.Log(x), ln2Interval(400))
	return around(x.Mul(x.Neg(x), ratAround(share, 400)))
}

// TestEfficiency compares with logarithms of rational rates.
func TestEfficiency(t *testing.T) {
	for _, h := range allHashings {
		for m := 2; m <= 7; m++ {
			for _, k := range allowedK(h, m) {
				for _, n := range []int{1, 2, 5, 40} {
					g := bloomproof.Geometry{M: uint64(m), K: k, Hashing: h}
					f := rationalRate(h, m, n, k)
					e, err := Efficiency(g, uint64(n), 80)
					want := bitsOfRat(f, big.NewRat(int64(n), int64(m)))
					if err != nil || e.RelBits() < 80 || !e.Overlaps(want) {
						t.Errorf("%v n=%d: %v, %v; want %v", g, n, e, err, want)
					}
				}
			}
		}
	}
	g := bloomproof.Geometry{M: 1000, K: 3}
	if _, err := Efficiency(g, 0, 60); !errors.Is(err, bloomproof.ErrUndefined) {
		t.Errorf("no items: error %v", err)
	}
	if _, err := Efficiency(g, 1<<63, 60); !errors.Is(err, bloomproof.ErrRange) {
		t.Errorf("2^63 items: error %v", err)
	}
}

// brutePeak returns the least n of highest efficiency, up to most items, in rationals.
func brutePeak(t *testing.T, h bloomproof.Hashing, m, k, most int) (n int, rate *big.Rat) {
	for i := 1; i <= most; i++ {
		f := rationalRate(h, m, i, k)
		if n == 0 || ratPow(f, i).Cmp(ratPow(rate, n)) < 0 {
			n, rate = i, f
		}
	}
	return n, rate
}

// TestPeakEfficiency compares with all n, and all n and k, in rationals.
func TestPeakEfficiency(t *testing.T) {
	most := longtest.Of(6, 8, 10)
	for _, h := range allHashings {
		for m := 2; m <= most; m++ {
			bestN, bestK := 0, 0
			var best *big.Rat
			for _, k := range allowedK(h, m) {
				if h != bloomproof.Standard && k == m {
					continue
				}
				n, f := brutePeak(t, h, m, k, m+2)
				if best == nil || ratPow(f, n).Cmp(ratPow(best, bestN)) < 0 {
					bestN, bestK, best = n, k, f
				}
				p, err := PeakEfficiency(bloomproof.Geometry{M: uint64(m), K: k, Hashing: h}, 60)
				if err != nil || p.N != uint64(n) || p.K != k || !p.Efficiency.Overlaps(bitsOfRat(f, big.NewRat(int64(n), int64(m)))) {
					t.Errorf("%v m=%d k=%d: %+v, %v; want n = %d", h, m, k, p, err, n)
				}
				if p.Assumes != "" {
					t.Errorf("%v m=%d k=%d: assumes %s", h, m, k, p.Assumes)
				}
			}
			p, err := PeakEfficiency(bloomproof.Geometry{M: uint64(m), Hashing: h}, 60)
			if err != nil || p.N != uint64(bestN) || p.K != bestK {
				t.Errorf("%v m=%d: n = %d, k = %d, %v; want %d, %d", h, m, p.N, p.K, err, bestN, bestK)
			}
		}
	}
}

// TestPeakUpTo compares the peak with a limit on k, which is 4096 outside this test, with
// all n and k, and shows that the peak over n does not always grow with k.
func TestPeakUpTo(t *testing.T) {
	most := longtest.More[uint64](16, 40)
	for m := longtest.More[uint64](16, 20); m <= most; m += 8 {
		for limit := 3; limit < int(m/2); limit++ {
			p, err := classicHashing{}.peakUpTo(m, limit)
			if err != nil {
				t.Fatal(err)
			}
			at, err := Efficiency(bloomproof.Geometry{M: m, K: p.K, Hashing: bloomproof.Classic}, p.N, 60)
			if err != nil {
				t.Fatal(err)
			}
			for k := 1; k <= limit; k++ {
				for n := uint64(1); n <= 2*m/uint64(k); n++ {
					e, err := Efficiency(bloomproof.Geometry{M: m, K: k, Hashing: bloomproof.Classic}, n, 40)
					if order, decided := e.Cmp(at); err != nil || order > 0 && decided {
						t.Fatalf("m=%d, k to %d: n = %d, k = %d is above n = %d, k = %d", m, limit, n, k, p.N, p.K)
					}
				}
			}
		}
	}
	one, err1 := PeakEfficiency(bloomproof.Geometry{M: 9, K: 1, Hashing: bloomproof.Classic}, 60)
	two, err2 := PeakEfficiency(bloomproof.Geometry{M: 9, K: 2, Hashing: bloomproof.Classic}, 60)
	if order, decided := one.Efficiency.Cmp(two.Efficiency); err1 != nil || err2 != nil || !decided || order <= 0 || one.N != 6 || two.N != 2 {
		t.Errorf("m=9: %+v, %+v", one, two)
	}
}

// TestPeaksKnown checks figures 9 and 10 of Burns, and large filters.
func TestPeaksKnown(t *testing.T) {
	for _, c := range []struct {
		h     bloomproof.Hashing
		m     uint64
		n     uint64
		k     int
		least float64
	}{
		{bloomproof.Standard, 100, 69, 1, 0.6896},
		{bloomproof.Classic, 100, 1, 50, 0.9634},
		{bloomproof.Classic, 13000, 1, 4096, 0.89840},
		{bloomproof.Standard, 1 << 40, 762123384785, 1, 0.6931471805},
		{bloomproof.Partitioned, 1 << 40, 762123384785, 1, 0.6931471805},
		{bloomproof.Standard, 1<<64 - 1, 12786308645202655659, 1, 0.6931471805},
	} {
		p, err := PeakEfficiency(bloomproof.Geometry{M: c.m, Hashing: c.h}, 60)
		if err != nil || p.N != c.n || p.K != c.k || p.Assumes != "" || math.Abs(p.Efficiency.Float64()-c.least) > 1e-4 {
			t.Errorf("%v m=%d: %+v, %v; want n = %d, k = %d", c.h, c.m, p, err, c.n, c.k)
		}
	}
	for _, h := range allHashings {
		if _, err := PeakEfficiency(bloomproof.Geometry{M: 1, Hashing: h}, 60); !errors.Is(err, bloomproof.ErrUndefined) {
			t.Errorf("%v m=1: error %v", h, err)
		}
		p, err := PeakEfficiency(bloomproof.Geometry{M: 1 << 40, K: 16, Hashing: h}, 60)
		if err != nil || p.Efficiency.Float64() < 0.693 || math.Abs(float64(p.N)-math.Ln2*(1<<36)) > 2 {
			t.Errorf("%v: %+v, %v", h, p, err)
		}
		// The neighbours are below.
		g := bloomproof.Geometry{M: 1 << 40, K: 16, Hashing: h}
		for _, n := range []uint64{p.N - 1, p.N + 1} {
			e, err := Efficiency(g, n, 300)
			top, topErr := Efficiency(g, p.N, 300)
			if order, decided := e.Cmp(top); err != nil || topErr != nil || !decided || order > 0 {
				t.Errorf("%v: n = %d is not below the peak at %d", h, n, p.N)
			}
		}
	}
	// Figure 10: half the bits for one item, which (75) has in closed form.
	for m := uint64(2); m <= 12; m += 2 {
		p, err := PeakEfficiency(bloomproof.Geometry{M: m, Hashing: bloomproof.Classic}, 60)
		if err != nil {
			t.Fatal(err)
		}
		c := around(interval.New(100).Quo(log2Choose(m, m/2, 100), interval.New(100).SetUint64(m)))
		if p.K != int(m/2) || p.N != 1 || !c.Overlaps(p.Efficiency) {
			t.Errorf("m=%d: %+v, (75) is %v", m, p, c)
		}
	}
}

// TestTextbook checks Burns' examples and random arguments against float64, and the real k
// against the integers around them.
func TestTextbook(t *testing.T) {
	million := big.NewRat(1, 1_000_000)
	if k, err := TextbookK(bloomproof.Geometry{M: 64}, 4); k != 11 || err != nil {
		t.Errorf("k(64, 4) = %d, %v", k, err)
	}
	if k, err := TextbookK(bloomproof.Geometry{M: 1024}, 5); k != 142 || err != nil {
		t.Errorf("k(1024, 5) = %d, %v", k, err)
	}
	if k, err := TextbookK(bloomproof.Geometry{M: 1}, 1<<64-1); k != 1 || err != nil {
		t.Errorf("k(1, 2^64-1) = %d, %v", k, err)
	}
	if m, err := TextbookM(1e9, million); m != 28755175133 || err != nil {
		t.Errorf("m(10^9, 10^-6) = %d, %v", m, err)
	}
	if n, err := TextbookN(28755175133, million); n != 1e9 || err != nil {
		t.Errorf("n(28755175133, 10^-6) = %d, %v", n, err)
	}
	if _, err := TextbookM(1<<63, million); !errors.Is(err, bloomproof.ErrRange) {
		t.Errorf("m(2^63, 10^-6): error %v", err)
	}
	if _, err := TextbookN(1<<63, new(big.Rat).SetFrac64(1<<40-1, 1<<40)); !errors.Is(err, bloomproof.ErrRange) {
		t.Errorf("n(2^63, 1-2^-40): error %v", err)
	}
}
