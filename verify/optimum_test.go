package verify_test

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/internal/accuracy"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

var allHashings = []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic, bloomproof.Partitioned}

// Law: where approx is certain of an optimum it is the exact one, and where it names a
// rival one of the two is.
//
// Claims: none of a paper's: it is what package approx states of itself.
func TestOptima(t *testing.T) {
	cases := longtest.More(30, 150)
	r := rand.New(rand.NewPCG(9, 1))
	certain, rivals, unsure := 0, 0, 0
	hold := func(name string, a approx.Optimum, b exact.Optimum) {
		t.Helper()
		rival := a.Rival != 0 && (a.Geometry.K == b.Geometry.K || a.Rival == b.Geometry.K)
		same := a.Geometry.M == b.Geometry.M && a.N == b.N && (a.Geometry.K == b.Geometry.K && a.Geometry.K == b.Last || rival || a.N == 0 || a.Geometry.M == 1)
		switch {
		case a.Certain && !same:
			t.Errorf("%s: %+v is certain, but it is m=%d n=%d k=%d to %d", name, a, b.Geometry.M, b.N, b.Geometry.K, b.Last)
		case !a.Certain:
			unsure++
		case a.Rival != 0:
			rivals++
		default:
			certain++
		}
		if want := b.Rate.Float64(); math.Abs(a.Rate-want) > 1e-12*want {
			t.Errorf("%s: rate %v, want %v", name, a.Rate, want)
		}
	}
	for i := range cases {
		h := allHashings[i%3]
		m := 2 + r.Uint64()>>(1+r.IntN(62))
		load := math.Exp(5*r.Float64()) / 2 // bits an item
		n := 1 + uint64(float64(m)/load)
		a, err := approx.OptimalK(bloomproof.Geometry{M: m, Hashing: h}, n)
		b, errExact := exact.OptimalK(bloomproof.Geometry{M: m, Hashing: h}, n, 60)
		if err != nil || errExact != nil {
			t.Fatalf("OptimalK(%v, %d, %d): %v, %v", h, m, n, err, errExact)
		}
		hold("OptimalK", a, b)

		p := math.Exp(-30 * r.Float64())
		k := r.IntN(12)
		size := max(m, uint64(k)+1)
		if h == bloomproof.Partitioned && k > 0 {
			size = max(2, size/uint64(k)) * uint64(k)
		}
		a, err = approx.MostItems(bloomproof.Geometry{M: size, K: k, Hashing: h}, p)
		b, errExact = exact.MostItems(bloomproof.Geometry{M: size, K: k, Hashing: h}, new(big.Rat).SetFloat64(p), 60)
		if err != nil || errExact != nil {
			t.Fatalf("MostItems(%v, %d, %d, %v): %v, %v", h, size, k, p, err, errExact)
		}
		hold("MostItems", a, b)

		n = 1 + r.Uint64()>>(24+r.IntN(40))
		a, err = approx.LeastBits(bloomproof.Geometry{K: k, Hashing: h}, n, p)
		b, errExact = exact.LeastBits(bloomproof.Geometry{K: k, Hashing: h}, n, new(big.Rat).SetFloat64(p), 60)
		if errors.Is(err, bloomproof.ErrRange) && errors.Is(errExact, bloomproof.ErrRange) {
			continue
		}
		if err != nil || errExact != nil {
			t.Fatalf("LeastBits(%v, %d, %d, %v): %v, %v", h, n, k, p, err, errExact)
		}
		hold("LeastBits", a, b)
	}
	t.Logf("%d certain, %d with a rival besides, %d not certain", certain, rivals, unsure)
	if certain < cases {
		t.Error("too few answers were certain")
	}
}

// Law: with blocks, where approx is certain of an optimum it is the exact one; the rates and the
// estimates of items are within their bounds.
//
// Claims: none of a paper's: it is what package approx states of itself.
func TestBlockOptima(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 8))
	cases, certain := longtest.More(6, 400), 0
	hold := func(name string, g bloomproof.Geometry, a approx.Optimum, err error, b exact.Optimum, errExact error) {
		t.Helper()
		if err != nil || errExact != nil {
			t.Fatalf("%s(%v): %v, %v", name, g, err, errExact)
		}
		rival := a.Rival != 0 && (a.Geometry.K == b.Geometry.K || a.Rival == b.Geometry.K)
		same := a.Geometry.M == b.Geometry.M && a.N == b.N && (a.Geometry.K == b.Geometry.K && a.Geometry.K == b.Last || rival || a.N == 0)
		if a.Certain {
			certain++
		}
		if a.Certain && !same {
			t.Errorf("%s(%v): %+v is certain, but it is m=%d n=%d k=%d to %d", name, g, a, b.Geometry.M, b.N, b.Geometry.K, b.Last)
		}
		at := b.Geometry
		at.M, at.K = a.Geometry.M, a.Geometry.K
		want, _, err := exact.FPR(at, a.N, 60, exact.Auto)
		if off := math.Abs(a.Rate - want.Float64()); err != nil || !(off <= (accuracy.RateBound(at)+2)*0x1p-53*want.Float64()) {
			t.Errorf("%s(%v): %+v, the rate is %v, %v", name, g, a, want, err)
		}
	}
	for i := range cases {
		p := math.Exp(-16 * r.Float64())
		g := bloomproof.Geometry{K: 1 + r.IntN(12), Hashing: bloomproof.Hashing(i % 3)}
		g.Block = uint64(g.K) * (2 + r.Uint64N(80))
		if i%4 == 0 { // any k
			g.K = 0
		}
		n := 1 + r.Uint64()>>(20+r.IntN(44))
		a, err := approx.LeastBits(g, n, p)
		b, errExact := exact.LeastBits(g, n, new(big.Rat).SetFloat64(p), 60)
		hold("LeastBits", g, a, err, b, errExact)

		g.M = g.Block * (1 + r.Uint64()>>(14+r.IntN(50)))
		a, err = approx.MostItems(g, p)
		b, errExact = exact.MostItems(g, new(big.Rat).SetFloat64(p), 60)
		hold("MostItems", g, a, err, b, errExact)

		if i%4 == 0 {
			a, err = approx.OptimalK(g, n%(g.M/4+1)+1)
			b, errExact = exact.OptimalK(g, n%(g.M/4+1)+1, 60)
			hold("OptimalK", g, a, err, b, errExact)
			g.K = b.Geometry.K
		}
		set := uint64(g.K) + r.Uint64N(g.M-uint64(g.K)+1)
		items, err := approx.EstimateItems(g, set)
		want, errExact := exact.EstimateItems(g, set, 90)
		if set == g.M {
			if !errors.Is(err, bloomproof.ErrUndefined) || !errors.Is(errExact, bloomproof.ErrUndefined) {
				t.Errorf("EstimateItems(%v, all): %v, %v", g, err, errExact)
			}
		} else if u := errorInU(items, want); err != nil || errExact != nil || !(u <= 4) {
			t.Errorf("EstimateItems(%v, %d) = %v, %v; want %v, %v: %.3g u", g, set, items, err, want, errExact, u)
		}
	}
	t.Logf("%d certain", certain)
	if certain < cases {
		t.Error("too few answers were certain")
	}
	k := longtest.More(1, 8) // the table of rates takes as long as k squared
	if _, err := approx.LeastBits(bloomproof.Geometry{K: k, Block: 1 << 40}, 1<<40, 0.01); !errors.Is(err, bloomproof.ErrTooCostly) {
		t.Errorf("blocks of 2^40 bits: %v", err)
	}
}

// Law: the efficiency and its peak in float64 lie within their bounds of the exact ones.
//
// Claims: none of a paper's: it is what package approx states of itself.
func TestEfficiencies(t *testing.T) {
	drawn := longtest.More[uint64](100, 1500)
	checked, peaks := 0, 0
	worst, worstPeak := 0.0, 0.0
	for i := range drawn {
		p := accuracy.Draw(4, i)
		g := bloomproof.Geometry{M: p.M, K: p.K, Hashing: allHashings[i%3]}
		if p.N == 0 || g.Validate() != nil {
			continue
		}
		got, err := approx.Efficiency(g, p.N)
		want, errExact := exact.Efficiency(g, p.N, 70)
		if errors.Is(errExact, bloomproof.ErrRange) {
			continue
		}
		if err != nil || errExact != nil {
			t.Fatalf("Efficiency(%v, %d): %v, %v", g, p.N, err, errExact)
		}
		if want.Lo().Sign() != 0 && want.Float64() > 0x1p-1000 {
			checked++
			u := errorInU(got, want)
			worst = max(worst, u)
			if bound := 2*accuracy.RateBound(g) + 9; !(u <= bound) {
				t.Errorf("Efficiency(%v, %d) = %v, want %v: %.4g u of %.4g", g, p.N, got, want, u, bound)
			}
		}
		if i%15 > 2 || g.K > 64 {
			continue
		}
		peak, n, err := approx.PeakEfficiency(g)
		best, errExact := exact.PeakEfficiency(bloomproof.Geometry{M: g.M, K: g.K, Hashing: g.Hashing}, 70)
		if undefined := errors.Is(errExact, bloomproof.ErrUndefined) || g.M == 1; undefined || errors.Is(errExact, exact.ErrPrecision) {
			if undefined != errors.Is(err, bloomproof.ErrUndefined) && undefined {
				t.Errorf("PeakEfficiency(%v): %v, exact %v", g, err, errExact)
			}
			continue
		}
		if err != nil || errExact != nil {
			t.Fatalf("PeakEfficiency(%v): %v, %v", g, err, errExact)
		}
		peaks++
		u := errorInU(peak, best.Efficiency)
		worstPeak = max(worstPeak, u)
		if bound := 2*accuracy.RateBound(g) + 17; !(u <= bound) {
			t.Errorf("PeakEfficiency(%v) = %v at %d, want %v at %d: %.4g u of %.4g", g, peak, n, best.Efficiency, best.N, u, bound)
		}
	}
	t.Logf("%d efficiencies, worst %.1f u; %d peaks, worst %.1f u", checked, worst, peaks, worstPeak)
	if checked == 0 || peaks == 0 {
		t.Error("nothing was checked")
	}
}

// errorInU returns the error of got in units of 2^-53 of the value.
func errorInU(got float64, want exact.Enclosure) float64 {
	d := new(big.Float).SetPrec(2200).SetFloat64(got)
	d.Sub(d, want.Lo())
	u, _ := d.Quo(d, want.Lo()).Float64()
	return math.Abs(u) * 0x1p53
}
