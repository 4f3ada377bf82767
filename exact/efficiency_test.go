package exact

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// bitsOfRat returns share log2(1/f) from the rational f.
func bitsOfRat(f, share *big.Rat) Enclosure {
	x := ratAround(f, 400)
	x.Quo(x.Log(x), ln2Interval(400))
	return around(x.Mul(x.Neg(x), ratAround(share, 400)))
}

// TestEfficiency compares with logarithms of rational rates, in both ways to count items.
func TestEfficiency(t *testing.T) {
	for _, h := range hashings {
		for m := 2; m <= 7; m++ {
			for _, k := range allowedK(h, m) {
				for _, n := range []int{1, 2, 5, 40} {
					g := bloomproof.Geometry{M: uint64(m), K: k, Hashing: h}
					f := rationalRate(t, h, m, n, k)
					e, err := Efficiency(g, uint64(n), 80)
					want := bitsOfRat(f, big.NewRat(int64(n), int64(m)))
					if err != nil || e.RelBits() < 80 || !e.Overlaps(want) {
						t.Errorf("%v n=%d: %v, %v; want %v", g, n, e, err, want)
					}
					if h != bloomproof.Standard {
						continue
					}
					b, err := EfficiencyOfBalls(uint64(m), uint64(n*k), k, 80)
					if err != nil || b.RelBits() < 80 || !b.Overlaps(want) {
						t.Errorf("%v, %d balls: %v, %v; want %v", g, n*k, b, err, want)
					}
				}
			}
		}
	}
	// Theorem 26, for balls that k does not divide too.
	for _, m := range []uint64{2, 10, 1 << 40} {
		for _, balls := range []uint64{2, 7, 1000} {
			last := Enclosure{}
			for k := 1; k <= 6; k++ {
				e, err := EfficiencyOfBalls(m, balls, k, 400)
				if err != nil {
					t.Fatal(err)
				}
				if order, decided := e.Cmp(last); k > 1 && (!decided || order >= 0) {
					t.Errorf("m=%d balls=%d: %v for k = %d after %v", m, balls, e, k, last)
				}
				last = e
			}
		}
	}
	g := bloomproof.Geometry{M: 1000, K: 3}
	if _, err := Efficiency(g, 0, 60); !errors.Is(err, ErrUndefined) {
		t.Errorf("no items: error %v", err)
	}
	if _, err := Efficiency(g, 1<<63, 60); !errors.Is(err, ErrRange) {
		t.Errorf("2^63 items: error %v", err)
	}
	// The same in a full filter, with balls that are no items.
	a, errA := EfficiencyOfBalls(1000, 3<<30, 3, 60)
	b, errB := Efficiency(g, 1<<30, 60)
	if errA != nil || errB != nil || !a.Overlaps(b) || a.RelBits() < 60 {
		t.Errorf("a full filter: %v, %v; %v, %v", a, errA, b, errB)
	}
	if _, err := EfficiencyOfBalls(1000, 1<<64-1, 3, 60); !errors.Is(err, ErrRange) {
		t.Errorf("2^64-1 balls: error %v", err)
	}
	if _, err := EfficiencyOfBalls(10, 0, 3, 60); !errors.Is(err, ErrUndefined) {
		t.Errorf("no balls: error %v", err)
	}
}

// brutePeak returns the least n of highest efficiency, up to most items, in rationals.
func brutePeak(t *testing.T, h bloomproof.Hashing, m, k, most int) (n int, rate *big.Rat) {
	for i := 1; i <= most; i++ {
		f := rationalRate(t, h, m, i, k)
		if n == 0 || ratPow(f, i).Cmp(ratPow(rate, n)) < 0 {
			n, rate = i, f
		}
	}
	return n, rate
}

// TestPeakEfficiency compares with all n, and all n and k, in rationals.
func TestPeakEfficiency(t *testing.T) {
	most := 10
	if testing.Short() {
		most = 6
	}
	for _, h := range hashings {
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
				p, err := PeakEfficiency(h, uint64(m), k, 60)
				if err != nil || p.N != uint64(n) || p.K != k || !p.Efficiency.Overlaps(bitsOfRat(f, big.NewRat(int64(n), int64(m)))) {
					t.Errorf("%v m=%d k=%d: %+v, %v; want n = %d", h, m, k, p, err, n)
				}
				if p.Proof != PeakProven {
					t.Errorf("%v m=%d k=%d: %v", h, m, k, p.Proof)
				}
			}
			p, err := PeakEfficiency(h, uint64(m), 0, 60)
			if err != nil || p.N != uint64(bestN) || p.K != bestK {
				t.Errorf("%v m=%d: n = %d, k = %d, %v; want %d, %d", h, m, p.N, p.K, err, bestN, bestK)
			}
		}
	}
}

// TestPeakUpTo compares the peak with a limit on k, which is 4096 outside this test, with
// all n and k, and shows that the peak over n does not always grow with k.
func TestPeakUpTo(t *testing.T) {
	most := uint64(40)
	if testing.Short() {
		most = 20
	}
	for m := uint64(20); m <= most; m += 8 {
		for limit := 3; limit < int(m/2); limit++ {
			p, err := peakUpTo(m, limit)
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
	one, err1 := PeakEfficiency(bloomproof.Classic, 9, 1, 60)
	two, err2 := PeakEfficiency(bloomproof.Classic, 9, 2, 60)
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
		proof PeakProof
	}{
		{bloomproof.Standard, 100, 69, 1, 0.6896, PeakProven},
		{bloomproof.Classic, 100, 1, 50, 0.9634, PeakProven},
		{bloomproof.Classic, 13000, 1, 4096, 0.89840, PeakProven},
		{bloomproof.Standard, 1 << 40, 762123384785, 1, 0.6931471805, PeakProven},
		{bloomproof.Partitioned, 1 << 40, 762123384785, 1, 0.6931471805, PeakProven},
		{bloomproof.Standard, 1<<64 - 1, 12786308645202655659, 1, 0.6931471805, PeakProven},
	} {
		p, err := PeakEfficiency(c.h, c.m, 0, 60)
		if err != nil || p.N != c.n || p.K != c.k || p.Proof != c.proof || math.Abs(p.Efficiency.Float64()-c.least) > 1e-4 {
			t.Errorf("%v m=%d: %+v, %v; want n = %d, k = %d", c.h, c.m, p, err, c.n, c.k)
		}
	}
	for _, h := range hashings {
		if _, err := PeakEfficiency(h, 1, 0, 60); !errors.Is(err, ErrUndefined) {
			t.Errorf("%v m=1: error %v", h, err)
		}
		p, err := PeakEfficiency(h, 1<<40, 16, 60)
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
		p, err := PeakEfficiency(bloomproof.Classic, m, 0, 60)
		if err != nil {
			t.Fatal(err)
		}
		if c, err := ClassicMaximum(m, 60); err != nil || p.K != int(m/2) || p.N != 1 || !c.Overlaps(p.Efficiency) {
			t.Errorf("m=%d: %+v, (75) is %v, %v", m, p, c, err)
		}
	}
}

// TestPeakFormulas compares the closed forms with what they are the peaks of.
func TestPeakFormulas(t *testing.T) {
	for _, m := range []uint64{2, 3, 100, 1 << 40} {
		n, peak, err := BloomPeak(m, 3, 100)
		if err != nil {
			t.Fatal(err)
		}
		// At n the fill is 1/2, and k n/m = epsilon = -(nk/m) log2(1/2).
		x := interval.New(200).Set(n.interval())
		x.Mul(x, interval.New(8).SetUint64(3))
		one := interval.New(200).SetUint64(1)
		l := interval.New(200).Quo(one, interval.New(200).SetUint64(m))
		l.Log1p(l.Neg(l))
		if y := interval.New(200).Exp(l.Mul(l, x)); !y.ContainsRat(big.NewRat(1, 2)) {
			t.Errorf("m=%d: n = %v leaves %v unset", m, n, around(y))
		}
		if x.Quo(x, interval.New(200).SetUint64(m)); !around(x).Overlaps(peak) || peak.RelBits() < 100 {
			t.Errorf("m=%d: peak %v, kn/m = %v", m, peak, around(x))
		}
		limit, err := EfficiencyLimit(bloomproof.Standard, 100)
		if order, decided := peak.Cmp(limit); err != nil || m > 1 && (!decided || order >= 0) {
			t.Errorf("m=%d: %v is not below the limit %v", m, peak, limit)
		}
	}
	n, peak, err := ExponentialPeak(100, 7, 60)
	if err != nil || math.Abs(n.Float64()-100*math.Ln2/7) > 1e-12 || math.Abs(peak.Float64()-math.Ln2) > 1e-15 {
		t.Errorf("exponential peak at %v of %v, %v", n, peak, err)
	}
	if n, err := ClassicPeakItems(100, 7, 60); err != nil || math.Abs(n.Float64()-93*math.Ln2/7) > 1e-12 {
		t.Errorf("(76) is %v, %v", n, err)
	}
	if k, err := ClassicPeakK(100, 7, 60); err != nil || math.Abs(k.Float64()-100*math.Ln2/(7+math.Ln2)) > 1e-12 {
		t.Errorf("(77) is %v, %v", k, err)
	}
	for _, m := range []int64{2, 3, 7, 64, 1001} {
		x := interval.New(300).SetInt(new(big.Int).Binomial(m, m/2))
		x.Quo(x.Log(x), ln2Interval(300))
		x.Quo(x, interval.New(300).SetUint64(uint64(m)))
		if c, err := ClassicMaximum(uint64(m), 200); err != nil || c.RelBits() < 200 || !c.Overlaps(around(x)) {
			t.Errorf("(75) at %d is %v, %v; want %v", m, c, err, around(x))
		}
	}
	// Corollary 30: 1 - (75) is about log2(pi m/2)/(2m).
	if c, err := ClassicMaximum(1<<16, 60); err != nil || math.Abs((1-c.Float64())-math.Log2(math.Pi*(1<<15))/(1<<17)) > 1e-9 {
		t.Errorf("(75) at 2^16 is %v, %v", c, err)
	}
}

// TestValleyPoint checks (78) on both sides and (79) by its nested roots.
func TestValleyPoint(t *testing.T) {
	for _, k := range []int{1, 2, 3, 10, 100, 4096} {
		for _, prec := range []uint{10, 100, 1000} {
			x, rate, err := ValleyPoint(k, prec)
			if err != nil || x.RelBits() < int(prec) || rate.RelBits() < int(prec) {
				t.Fatalf("k=%d at %d bits: %v, %v, %v", k, prec, x, rate, err)
			}
			for _, k := range []int{k, k + 1} {
				y := interval.New(prec + 40).Set(x.interval())
				y.Mul(y, interval.New(prec+40).SetUint64(uint64(k)))
				y.Neg(y.Expm1(y.Neg(y)))
				if y.PowInt(y, big.NewInt(int64(k))); !around(y).Overlaps(rate) {
					t.Errorf("k=%d at %d bits: the rate is %v, want %v", k, prec, around(y), rate)
				}
			}
			z := 1.0
			for range 200 {
				z = math.Pow(1+z, 1/float64(k+1))
			}
			if prec >= 60 && math.Abs(x.Float64()-math.Log(z)) > 1e-15 {
				t.Errorf("k=%d: x = %v, nested roots give %v", k, x, math.Log(z))
			}
		}
	}
}

// TestTextbook checks Burns' examples and random arguments against float64, and the real k
// against the integers around them.
func TestTextbook(t *testing.T) {
	million := big.NewRat(1, 1_000_000)
	if k, err := TextbookK(64, 4); k != 11 || err != nil {
		t.Errorf("k(64, 4) = %d, %v", k, err)
	}
	if k, err := TextbookK(1024, 5); k != 142 || err != nil {
		t.Errorf("k(1024, 5) = %d, %v", k, err)
	}
	if k, err := TextbookK(1, 1<<64-1); k != 1 || err != nil {
		t.Errorf("k(1, 2^64-1) = %d, %v", k, err)
	}
	if m, err := TextbookM(1e9, million); m != 28755175133 || err != nil {
		t.Errorf("m(10^9, 10^-6) = %d, %v", m, err)
	}
	if n, err := TextbookN(28755175133, million); n != 1e9 || err != nil {
		t.Errorf("n(28755175133, 10^-6) = %d, %v", n, err)
	}
	if _, err := TextbookM(1<<63, million); !errors.Is(err, ErrRange) {
		t.Errorf("m(2^63, 10^-6): error %v", err)
	}
	if _, err := TextbookN(1<<63, new(big.Rat).SetFrac64(1<<40-1, 1<<40)); !errors.Is(err, ErrRange) {
		t.Errorf("n(2^63, 1-2^-40): error %v", err)
	}
	for _, c := range []struct{ m, n uint64 }{{100, 1}, {1000, 7}, {1 << 40, 3e10}, {64, 64}} {
		m, n := float64(c.m), float64(c.n)
		b, err := BloomBestK(c.m, c.n, 60)
		if err != nil || math.Abs(b.Float64()/(m/n*math.Ln2)-1) > 1e-14 {
			t.Errorf("(9) at %v is %v, %v", c, b, err)
		}
		e, err := EntropyBestK(c.m, c.n, 60)
		if err != nil || math.Abs(e.Float64()/(-math.Ln2/n/math.Log1p(-1/m))-1) > 1e-14 {
			t.Errorf("(15) at %v is %v, %v", c, e, err)
		}
		// Where U is least, it is above its minimum at the neighbouring reals.
		u, err := UpperBestK(c.m, c.n, 300)
		if err != nil || u.RelBits() < 300 {
			t.Fatal(err)
		}
		rate := func(k float64) float64 { return k * math.Log1p(-math.Exp(n*math.Log1p(-k/m))) }
		best := u.Float64()
		if rate(best) > rate(best*1.0001) || rate(best) > rate(best*0.9999) {
			t.Errorf("the best k of U at %v is %v", c, u)
		}
	}
	// U with one item is (k/m)^k, least at k = m/e.
	u, err := UpperBestK(1000, 1, 200)
	inverse := interval.New(300).Exp(interval.New(300).SetRat(big.NewRat(-1, 1)))
	if err != nil || !u.Overlaps(around(inverse.Mul(inverse, interval.New(300).SetUint64(1000)))) {
		t.Errorf("the best k of U at (1000, 1) is %v, %v", u, err)
	}
}

// TestErrorRatio compares with subtraction at a precision beyond the cancellation.
func TestErrorRatio(t *testing.T) {
	for _, c := range []struct {
		m, n uint64
		k    int
	}{{1000, 100, 7}, {1 << 40, 3e10, 25}, {1<<64 - 1, 1, 2}, {10, 3, 10}, {500_000_000, 50_000_000, 6}, {1000, 100_000, 7}} {
		const wide = 1200
		e, err := ErrorRatio(c.m, c.n, c.k, 100)
		b, bloomErr := Bloom(c.m, c.n, c.k, wide)
		u, upperErr := Upper(c.m, c.n, c.k, wide)
		if err != nil || bloomErr != nil || upperErr != nil {
			t.Fatal(err, bloomErr, upperErr)
		}
		ratio := func(u Enclosure) Enclosure {
			x := interval.New(wide).Quo(u.interval(), b.interval())
			return around(x.Sub(x, interval.New(8).SetUint64(1)))
		}
		if want := ratio(u); e.RelBits() < 100 || !e.Overlaps(want) {
			t.Errorf("%v: %v, want %v", c, e, want)
		}
		u, err = BoseUpper(c.m, c.n, c.k, wide)
		e, ratioErr := BoseErrorRatio(c.m, c.n, c.k, 100)
		if errors.Is(err, ErrUndefined) && errors.Is(ratioErr, ErrUndefined) {
			continue
		}
		if want := ratio(u); err != nil || ratioErr != nil || e.RelBits() < 100 || !e.Overlaps(want) {
			t.Errorf("Bose at %v: %v, %v, %v; want %v", c, e, err, ratioErr, want)
		}
	}
	if e, err := ErrorRatio(9, 3, 1, 60); err != nil || e.Float64() != 0 {
		t.Errorf("k = 1: %v, %v", e, err)
	}
	for _, c := range []struct {
		m, n uint64
		k    int
		want error
	}{{3, 1, 4, ErrUndefined}, {3, 0, 2, ErrUndefined}, {1000, 1 << 62, 2, ErrRange}} {
		if _, err := ErrorRatio(c.m, c.n, c.k, 60); !errors.Is(err, c.want) {
			t.Errorf("%v: error %v", c, err)
		}
	}
}

// TestFormulasAbsurd gives every formula of sizes and efficiencies absurd arguments: an
// error or a result of the width asked for, at once.
func TestFormulasAbsurd(t *testing.T) {
	const most = 1<<64 - 1
	ms, ks := []uint64{0, 1, 2, 3, 1 << 40, most}, []int{-1, 0, 1, 2, 4096, 4097, math.MaxInt}
	if testing.Short() {
		ms, ks = []uint64{0, 1, 3, most}, []int{0, 1, 4096, 4097}
	}
	pair := func(a, b Enclosure, err error) (Enclosure, error) {
		if err == nil && b.RelBits() < a.RelBits() {
			a = b
		}
		return a, err
	}
	for name, f := range map[string]func(m, n uint64, k int, prec uint) (Enclosure, error){
		"BloomBestK":       func(m, n uint64, k int, prec uint) (Enclosure, error) { return BloomBestK(m, n, prec) },
		"EntropyBestK":     func(m, n uint64, k int, prec uint) (Enclosure, error) { return EntropyBestK(m, n, prec) },
		"UpperBestK":       func(m, n uint64, k int, prec uint) (Enclosure, error) { return UpperBestK(m, n, prec) },
		"ErrorRatio":       ErrorRatio,
		"BoseErrorRatio":   BoseErrorRatio,
		"BloomPeak":        func(m, n uint64, k int, prec uint) (Enclosure, error) { return pair(BloomPeak(m, k, prec)) },
		"ExponentialPeak":  func(m, n uint64, k int, prec uint) (Enclosure, error) { return pair(ExponentialPeak(m, k, prec)) },
		"ClassicPeakItems": func(m, n uint64, k int, prec uint) (Enclosure, error) { return ClassicPeakItems(m, k, prec) },
		"ClassicPeakK":     func(m, n uint64, k int, prec uint) (Enclosure, error) { return ClassicPeakK(m, n, prec) },
		"ClassicMaximum":   func(m, n uint64, k int, prec uint) (Enclosure, error) { return ClassicMaximum(m, prec) },
		"ValleyPoint":      func(m, n uint64, k int, prec uint) (Enclosure, error) { return pair(ValleyPoint(k, prec)) },
		"EfficiencyOfBalls": func(m, n uint64, k int, prec uint) (Enclosure, error) {
			return EfficiencyOfBalls(m, n, min(k, 40), prec)
		},
	} {
		for _, m := range ms {
			for _, n := range []uint64{0, 1, most} {
				for _, k := range ks {
					for _, prec := range []uint{0, 1, 53, MaxPrec + 1} {
						e, err := f(m, n, k, prec)
						var param *bloomproof.ParamError
						switch {
						case err == nil && (prec > MaxPrec || e.RelBits() < int(prec)):
							t.Errorf("%s(%d, %d, %d, %d): %v has %d bits", name, m, n, k, prec, e, e.RelBits())
						case err == nil, errors.As(err, &param), errors.Is(err, ErrUndefined), errors.Is(err, ErrRange), errors.Is(err, ErrTooCostly):
						default:
							t.Errorf("%s(%d, %d, %d, %d): error %v", name, m, n, k, prec, err)
						}
						if (prec == 0 || prec > MaxPrec) && err == nil {
							t.Errorf("%s(%d, %d, %d, %d): no error", name, m, n, k, prec)
						}
					}
				}
			}
		}
	}
}
