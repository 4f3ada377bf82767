package exact

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/starved"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The functions twoOf and threeOf make one answer of several results.
func twoOf[A, B any](a A, b B, err error) (any, error) { return []any{a, b}, err }

func threeOf[A, B, C any](a A, b B, c C, err error) (any, error) { return []any{a, b, c}, err }

// The function "forms" returns 2 if a search for the best k is tried too, and otherwise 1. In the long form it always is.
// The argument says whether it is tried in the usual form.
func forms(usual bool) int {
	if usual || longtest.Enabled() {
		return 2
	}
	return 1
}

// faultyComputations returns computations of small filters, for each exported function that can fail.
func faultyComputations() (all []starved.Fallible) {
	add := func(name string, of func(prec uint) (any, error)) {
		all = append(all, starved.Fallible{Name: name, Of: of})
	}
	fixed := func(name string, of func(uint) (any, error)) {
		all = append(all, starved.Fallible{Name: name, Of: of, Fixed: true})
	}
	half, third := big.NewRat(1, 2), big.NewRat(1, 3)
	for _, g := range []bloomproof.Geometry{
		{M: 16, K: 2}, {M: 16, K: 2, Hashing: bloomproof.Classic}, {M: 16, K: 2, Hashing: bloomproof.Partitioned},
		{M: 64, K: 2, Block: 16}, {M: 64, K: 2, Block: 16, Hashing: bloomproof.Classic}, {M: 64, K: 2, Block: 16, Hashing: bloomproof.Partitioned},
	} {
		const n = 3
		at := fmt.Sprintf(" of %v", g)
		routes, _ := Routes(g)
		for _, r := range append(routes, Auto) {
			add("FPR by "+string(r)+at, func(prec uint) (any, error) { return twoOf(FPR(g, n, prec, r)) })
		}
		kinds := []bloomproof.Bound{
			bloomproof.BoundBloom, bloomproof.BoundExponential, bloomproof.BoundTaylor, bloomproof.BoundLower,
			bloomproof.BoundLowerSimple, bloomproof.BoundLowerClassic, bloomproof.BoundUpper, bloomproof.BoundPartitioned, bloomproof.BoundBose,
		}
		for _, kind := range kinds {
			if _, err := Bound(kind, g, n, 20); err == nil {
				add("Bound "+string(kind)+at, func(prec uint) (any, error) { return Bound(kind, g, n, prec) })
				add("Excess over "+string(kind)+at, func(prec uint) (any, error) { return Excess(kind, g, n, prec) })
			}
		}
		for name, of := range map[string]func(bloomproof.Geometry, uint64, uint) (Enclosure, error){
			"Complement": Complement, "LogFPR": LogFPR, "Efficiency": Efficiency, "EntropyPerBit": EntropyPerBit, "EstimateItems": EstimateItems,
			"MeanFPR": MeanFPR, "SecondMoment": SecondMoment, "ArrayEntropy": ArrayEntropy,
		} {
			add(name+at, func(prec uint) (any, error) { return of(g, n, prec) })
		}
		for _, inc := range []bloomproof.Increment{bloomproof.Distinct, bloomproof.Literal} {
			add("CorrectRate "+inc.String()+at, func(prec uint) (any, error) { return CorrectRate(g, n, inc, prec) })
			add("CorrectRateBounds "+inc.String()+at, func(prec uint) (any, error) {
				lower, upper, err := CorrectRateBounds(g, n, inc, prec)
				if err != nil || lower == nil || upper == nil {
					return lower == nil, err
				}
				return []any{*lower, *upper}, nil
			})
		}
		add("Bounds"+at, func(prec uint) (any, error) { return Bounds(g, n, prec) })
		add("SetBits"+at, func(prec uint) (any, error) { return twoOf(SetBits(g, n, prec)) })
		add("OptimalK"+at, func(prec uint) (any, error) { return OptimalK(g, n, prec) })
		add("RateQuantile"+at, func(prec uint) (any, error) { return RateQuantile(g, n, half, prec) })
		add("SureK"+at, func(prec uint) (any, error) { return twoOf(SureK(g, n, half, prec)) })
		for _, k := range []int{g.K, 0}[:forms(g.Block == 0 || g.Hashing == bloomproof.Standard)] {
			g := g
			g.K = k
			at := fmt.Sprintf(" of %v", g)
			add("LeastBits"+at, func(prec uint) (any, error) { return LeastBits(g, n, third, prec) })
			add("MostItems"+at, func(prec uint) (any, error) { return MostItems(g, half, prec) })
			if k > 0 || g.Hashing != bloomproof.Classic || longtest.Enabled() { // a tenth of a second
				add("PeakEfficiency"+at, func(prec uint) (any, error) { return PeakEfficiency(g, prec) })
			}
			add("SureBits"+at, func(prec uint) (any, error) { return twoOf(SureBits(g, n, third, half, prec)) })
			add("SureItems"+at, func(prec uint) (any, error) { return twoOf(SureItems(g, half, half, prec)) })
		}
		fixed("Routes"+at, func(uint) (any, error) { return Routes(g) })
		fixed("TextbookK"+at, func(uint) (any, error) { return TextbookK(g, n) })
		fixed("LikelyItems"+at, func(uint) (any, error) { return twoOf(LikelyItems(g, 5)) })
		fixed("ItemsInterval"+at, func(uint) (any, error) { return threeOf(ItemsInterval(g, 5, third)) })
		add("RatioItems"+at, func(prec uint) (any, error) { return RatioItems(g, []uint64{5, 6}, 1, prec) })
		add("EstimateIntersection"+at, func(prec uint) (any, error) { return EstimateIntersection(g, 8, 7, 4, prec) })
		add("IntersectionBits"+at, func(prec uint) (any, error) { return twoOf(IntersectionBits(g, []uint64{5, 4}, 2, prec)) })
		add("IntersectionFPR"+at, func(prec uint) (any, error) { return IntersectionFPR(g, []uint64{5, 4}, 2, prec) })
	}
	paired := bloomproof.Geometry{M: 1009, K: 3, Hashing: bloomproof.EnhancedDouble}
	add("LeastBits for a low rate", func(prec uint) (any, error) { return LeastBits(paired, 9, big.NewRat(1, 10), prec) })
	add("MostItems for a low rate", func(prec uint) (any, error) { return MostItems(paired, big.NewRat(1, 1000), prec) })
	for _, h := range []bloomproof.Hashing{bloomproof.Double, bloomproof.DoubleZero, bloomproof.DoubleOdd, bloomproof.DoublePartitioned, bloomproof.EnhancedDouble, bloomproof.Triple} {
		g := bloomproof.Geometry{M: 16, K: 2, Hashing: h}
		add("FPR of "+h.String(), func(prec uint) (any, error) { return twoOf(FPR(g, 3, prec, Auto)) })
		add("Bounds of "+h.String(), func(prec uint) (any, error) { return Bounds(g, 3, prec) })
		add("CorrectRate of "+h.String(), func(prec uint) (any, error) { return CorrectRate(g, 3, bloomproof.Distinct, prec) })
		add("MeanFPR of "+h.String(), func(prec uint) (any, error) { return MeanFPR(g, 3, prec) })
		add("Complement of "+h.String(), func(prec uint) (any, error) { return Complement(g, 900, prec) })
		add("LogFPR of "+h.String(), func(prec uint) (any, error) { return LogFPR(g, 3, prec) })
		for _, k := range []int{g.K, 0}[:forms(h == bloomproof.Double)] {
			g := g
			g.K = k
			add("LeastBits of "+g.String(), func(prec uint) (any, error) { return LeastBits(g, 3, third, prec) })
			add("MostItems of "+g.String(), func(prec uint) (any, error) { return MostItems(g, half, prec) })
		}
		if h == bloomproof.Triple && !longtest.Enabled() {
			continue // a tenth of a second
		}
		add("OptimalK of "+h.String(), func(prec uint) (any, error) { return OptimalK(g, 3, prec) })
	}
	for _, x := range []struct{ m, k, n, at uint64 }{{16, 2, 3, 5}, {5000, 4, 9000, 4990}} {
		l, err := Union(x.m, []Committees{{Size: x.k, Count: x.n}})
		if err != nil {
			panic(err)
		}
		at := fmt.Sprintf(" of %d bits, k=%d, n=%d", x.m, x.k, x.n)
		add("CDF"+at, func(prec uint) (any, error) { return l.CDF(x.at, prec) })
		add("PMF"+at, func(prec uint) (any, error) { return l.PMF(x.at, prec, Auto) })
		fixed("Union"+at, func(uint) (any, error) { return Union(x.m, []Committees{{Size: x.k, Count: x.n}}) })
		add("PMF of many bits"+at, func(prec uint) (any, error) { return l.PMF(x.at/2, prec, Auto) })
		add("PMFs"+at, func(prec uint) (any, error) { return l.PMFs(prec) })
		add("Mean"+at, func(prec uint) (any, error) { return l.Mean(prec) })
		add("Variance"+at, func(prec uint) (any, error) { return l.Variance(prec) })
		add("Moment"+at, func(prec uint) (any, error) { return l.Moment(3, prec, Auto) })
		add("BinomialMoment"+at, func(prec uint) (any, error) { return l.BinomialMoment(5, prec, Auto) })
		add("FactorialMoment"+at, func(prec uint) (any, error) { return l.FactorialMoment(5, prec, Auto) })
		fixed("Quantile"+at, func(uint) (any, error) { return l.Quantile(half) })
	}
	for _, x := range []struct {
		g bloomproof.Geometry
		n uint64
	}{{bloomproof.Geometry{M: 5000, K: 4}, 300}, {bloomproof.Geometry{M: 96, K: 4, Hashing: bloomproof.Double}, 3000}} {
		g, n := x.g, x.n // too many items for rationals
		at := fmt.Sprintf(" of %v, n=%d", g, n)
		add("FPR"+at, func(prec uint) (any, error) { return twoOf(FPR(g, n, prec, Auto)) })
		add("Complement"+at, func(prec uint) (any, error) { return Complement(g, n, prec) })
		add("LogFPR"+at, func(prec uint) (any, error) { return LogFPR(g, n, prec) })
	}
	layers := []bloomproof.Layer{{Geometry: bloomproof.Geometry{M: 16, K: 2}, Sigma: 8}, {Geometry: bloomproof.Geometry{M: 32, K: 3}, Sigma: 20}}
	add("GrowingBound", func(prec uint) (any, error) { return GrowingBound(layers, prec) })
	fixed("GrowingFPR", func(uint) (any, error) { return GrowingFPR(layers, 9) })
	fixed("Layers", func(uint) (any, error) {
		return Growing{Items: 10, Rate: third, Growth: 2, Tighten: half}.Layers()
	})
	fixed("TextbookM", func(uint) (any, error) { return TextbookM(3, third) })
	fixed("TextbookN", func(uint) (any, error) { return TextbookN(16, third) })
	add("EstimateUrns", func(prec uint) (any, error) { return twoOf(EstimateUrns(9000, 4, 4990, prec)) })
	add("ArrayEntropy of a larger array", func(prec uint) (any, error) { return ArrayEntropy(bloomproof.Geometry{M: 997, K: 3}, 5, prec) })
	if longtest.Enabled() { // a second each
		g := bloomproof.Geometry{M: 600, K: 3, Hashing: bloomproof.Partitioned}
		fixed("LikelyItems of slices", func(uint) (any, error) { return twoOf(LikelyItems(g, 300)) })
		fixed("LikelyItems of many bits", func(uint) (any, error) { return twoOf(LikelyItems(bloomproof.Geometry{M: 5000, K: 4}, 2600)) })
		prime := bloomproof.Geometry{M: 5003, K: 1, Hashing: bloomproof.Partitioned} // no other k divides m
		add("OptimalK of a prime", func(prec uint) (any, error) { return OptimalK(prime, 900, prec) })
		balls, err := occupancyOf(5000, 9000)
		if err != nil {
			panic(err)
		}
		add("Variance to many bits", func(prec uint) (any, error) { return balls.Variance(1000 * prec) })
		fixed("Layers with blocks", func(uint) (any, error) {
			return Growing{Items: 10, Rate: third, Growth: 2, Tighten: half, Block: 64}.Layers()
		})
	}
	return all
}

// TestFaults lets one of the numbers fail from which an answer is computed. Then the answer must be an error too.
func TestFaults(t *testing.T) {
	faulty := starved.Faulty{Most: longtest.More(1, 6), Record: longtest.More("testdata/costly.txt", "")}
	if n := faulty.Check(t, faultyComputations()); n < 150 {
		t.Errorf("only %d faults", n)
	}
}
