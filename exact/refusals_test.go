package exact

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/starved"
)

// TestRefusals gives each exported function arguments at the limits of its domain, and arguments just outside of them.
// It compares the texts of all errors with recorded texts.
func TestRefusals(t *testing.T) {
	r := starved.Refusals{}
	refusedFilters(r)
	refusedSizes(r)
	refusedCounts(r)
	refusedLaws(r)
	refusedLayers(r)
	refusedNumbers(r)
	starved.Compare(t, "testdata/refusals.txt", r.String())
}

// refusedFilters asks for numbers of filters with n items.
func refusedFilters(r starved.Refusals) {
	type function = func(g bloomproof.Geometry, n uint64, prec uint) (any, error)
	type number struct {
		name string
		of   function
	}
	one := func(of func(bloomproof.Geometry, uint64, uint) (Enclosure, error)) function {
		return func(g bloomproof.Geometry, n uint64, prec uint) (any, error) { return of(g, n, prec) }
	}
	half := big.NewRat(1, 2)
	all := []number{
		{"FPR", func(g bloomproof.Geometry, n uint64, prec uint) (any, error) { return twoOf(FPR(g, n, prec, Auto)) }},
		{"FPR by an unknown route", func(g bloomproof.Geometry, n uint64, prec uint) (any, error) {
			return twoOf(FPR(g, n, prec, "none"))
		}},
		{"Bounds", func(g bloomproof.Geometry, n uint64, prec uint) (any, error) { return Bounds(g, n, prec) }},
		{"SetBits", func(g bloomproof.Geometry, n uint64, prec uint) (any, error) { return twoOf(SetBits(g, n, prec)) }},
		{"Complement", one(Complement)},
		{"LogFPR", one(LogFPR)},
		{"Efficiency", one(Efficiency)},
		{"EntropyPerBit", one(EntropyPerBit)},
		{"ArrayEntropy", one(ArrayEntropy)},
		{"MeanFPR", one(MeanFPR)},
		{"SecondMoment", one(SecondMoment)},
		{"OptimalK", func(g bloomproof.Geometry, n uint64, prec uint) (any, error) { return OptimalK(g, n, prec) }},
		{"RateQuantile", func(g bloomproof.Geometry, n uint64, prec uint) (any, error) {
			return RateQuantile(g, n, half, prec)
		}},
		{"SureK", func(g bloomproof.Geometry, n uint64, prec uint) (any, error) { return twoOf(SureK(g, n, half, prec)) }},
		{"TextbookK", func(g bloomproof.Geometry, n uint64, _ uint) (any, error) { return TextbookK(g, n) }},
		{"Routes", func(g bloomproof.Geometry, _ uint64, _ uint) (any, error) { return Routes(g) }},
		{"IntersectionBits", func(g bloomproof.Geometry, n uint64, prec uint) (any, error) {
			return twoOf(IntersectionBits(g, []uint64{n, 5}, 0, prec))
		}},
		{"IntersectionFPR", func(g bloomproof.Geometry, n uint64, prec uint) (any, error) {
			return IntersectionFPR(g, []uint64{n, 5}, 0, prec)
		}},
	}
	for _, inc := range []bloomproof.Increment{bloomproof.Distinct, bloomproof.Literal, bloomproof.Literal + 1} {
		of := fmt.Sprint(" ", uint(inc))
		all = append(all, number{"CorrectRate" + of, func(g bloomproof.Geometry, n uint64, prec uint) (any, error) {
			return CorrectRate(g, n, inc, prec)
		}}, number{"CorrectRateBounds" + of, func(g bloomproof.Geometry, n uint64, prec uint) (any, error) {
			return twoOf(CorrectRateBounds(g, n, inc, prec))
		}})
	}
	kinds := []bloomproof.Bound{
		bloomproof.BoundBloom, bloomproof.BoundExponential, bloomproof.BoundTaylor, bloomproof.BoundLower,
		bloomproof.BoundLowerSimple,
		bloomproof.BoundLowerClassic, bloomproof.BoundUpper, bloomproof.BoundPartitioned, bloomproof.BoundBose, "none",
	}
	for _, kind := range kinds {
		all = append(all, number{"Bound " + string(kind), func(g bloomproof.Geometry, n uint64, prec uint) (any, error) {
			return Bound(kind, g, n, prec)
		}}, number{"Excess over " + string(kind), func(g bloomproof.Geometry, n uint64, prec uint) (any, error) {
			return Excess(kind, g, n, prec)
		}})
	}
	const n = 3
	for _, x := range all {
		for _, h := range allHashings {
			for _, g := range []bloomproof.Geometry{
				{M: 0, K: 2}, {M: 12, K: 0}, {M: 12, K: 5}, {M: 12, K: 12}, {M: 12, K: 13},
				{M: 24, K: 3, Block: 12}, {M: 24, K: 3, Block: 5},
			} {
				g.Hashing = h
				r.Add(fmt.Sprintf("%s of %v, n=%d", x.name, g, n), func() (any, error) { return x.of(g, n, 20) })
			}
			g := bloomproof.Geometry{M: 12, K: 2, Hashing: h}
			r.Add(fmt.Sprintf("%s of %v, n=0", x.name, g), func() (any, error) { return x.of(g, 0, 20) })
			for _, prec := range []uint{0, 1, precision.Max + 1} {
				if h != bloomproof.Standard && prec > 0 {
					continue // no hashing has a limit of its own
				}
				r.Add(fmt.Sprintf("%s of %v, n=%d, prec=%d", x.name, g, n, prec), func() (any, error) { return x.of(g, n, prec) })
			}
		}
		for _, g := range []bloomproof.Geometry{
			{M: 12, K: bloomproof.MaxK + 1}, {M: 12, K: 2, Hashing: bloomproof.Double},
			{M: 12, K: 2, Hashing: bloomproof.Triple},
			{M: 24, K: 2, Hashing: bloomproof.Double, Block: 12}, {M: 12, K: 2, Hashing: 99},
		} {
			r.Add(fmt.Sprintf("%s of %v, n=%d", x.name, g, n), func() (any, error) { return x.of(g, n, 20) })
		}
	}
}

// refusedSizes asks for sizes of filters.
func refusedSizes(r starved.Refusals) {
	half, third := big.NewRat(1, 2), big.NewRat(1, 3)
	shares := []*big.Rat{
		nil, new(big.Rat), big.NewRat(1, math.MaxInt64), big.NewRat(1, 1), big.NewRat(3, 2), big.NewRat(-1, 2),
	}
	for _, share := range shares {
		g := bloomproof.Geometry{M: 16, K: 2}
		say := func(name string) string { return fmt.Sprintf("%s for %v", name, share) }
		r.Add(say("LeastBits"), func() (any, error) { return LeastBits(g, 3, share, 20) })
		r.Add(say("MostItems"), func() (any, error) { return MostItems(g, share, 20) })
		r.Add(say("SureBits with the rate"), func() (any, error) { return twoOf(SureBits(g, 3, share, half, 20)) })
		r.Add(say("SureItems with the rate"), func() (any, error) { return twoOf(SureItems(g, share, half, 20)) })
		if share == nil || share.Cmp(big.NewRat(1, 1000)) < 0 && share.Sign() > 0 {
			continue // below, a share is a confidence
		}
		r.Add(say("SureBits with the confidence"), func() (any, error) { return twoOf(SureBits(g, 3, third, share, 20)) })
		r.Add(say("SureItems with the confidence"), func() (any, error) { return twoOf(SureItems(g, third, share, 20)) })
		r.Add(say("SureK with the confidence"), func() (any, error) { return twoOf(SureK(g, 3, share, 20)) })
		r.Add(say("RateQuantile with the confidence"), func() (any, error) { return RateQuantile(g, 3, share, 20) })
		r.Add(say("ItemsInterval"), func() (any, error) { return threeOf(ItemsInterval(g, 5, share)) })
		r.Add(say("TextbookM"), func() (any, error) { return TextbookM(3, share) })
		r.Add(say("TextbookN"), func() (any, error) { return TextbookN(16, share) })
	}
	for _, g := range []bloomproof.Geometry{
		{M: 0, K: 2}, {M: 1, K: 0}, {M: 16, K: -1}, {M: 16, K: bloomproof.MaxK + 1},
		{M: 8, K: 9, Hashing: bloomproof.Classic},
		{M: 8, K: 3, Hashing: bloomproof.Partitioned}, {M: 64, K: 2, Block: 15},
		{M: 64, K: 17, Block: 16, Hashing: bloomproof.Classic}, {M: 16, K: 2, Hashing: 99},
		{M: 1 << 63, K: 1}, {M: 1 << 63, K: 1, Hashing: bloomproof.Classic}, {M: 1 << 63, K: 1, Block: 64},
	} {
		for _, n := range []uint64{0, 3, 1<<64 - 1} {
			r.Add(fmt.Sprintf("LeastBits of %v, n=%d", g, n), func() (any, error) { return LeastBits(g, n, half, 20) })
			r.Add(fmt.Sprintf("SureBits of %v, n=%d", g, n), func() (any, error) {
				return twoOf(SureBits(g, n, half, half, 20))
			})
		}
		near := new(big.Rat).Sub(big.NewRat(1, 1), new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 90)))
		for _, p := range []*big.Rat{half, near} {
			if p == half && g.M > 16 {
				continue // these answers take long
			}
			r.Add(fmt.Sprintf("MostItems of %v, %v", g, p), func() (any, error) { return MostItems(g, p, 20) })
			r.Add(fmt.Sprintf("SureItems of %v, %v", g, p), func() (any, error) { return twoOf(SureItems(g, p, half, 20)) })
		}
		r.Add(fmt.Sprintf("PeakEfficiency of %v", g), func() (any, error) { return PeakEfficiency(g, 20) })
	}
	for _, n := range []uint64{0, 1, 1<<64 - 1} {
		g := bloomproof.Geometry{M: 16, K: 2}
		r.Add(fmt.Sprintf("TextbookK for n=%d", n), func() (any, error) { return TextbookK(g, n) })
		for _, p := range []*big.Rat{big.NewRat(1, math.MaxInt64), big.NewRat(math.MaxInt64-1, math.MaxInt64)} {
			r.Add(fmt.Sprintf("TextbookM for n=%d, p=%v", n, p), func() (any, error) { return TextbookM(n, p) })
			r.Add(fmt.Sprintf("TextbookN for m=%d, p=%v", n, p), func() (any, error) { return TextbookN(n, p) })
		}
	}
	for _, h := range []bloomproof.Hashing{bloomproof.Double, bloomproof.Triple} {
		for _, prec := range []uint{0, 1, precision.Max + 1} {
			g := bloomproof.Geometry{M: 16, K: 2, Hashing: h}
			r.Add(fmt.Sprintf("LeastBits of %v, prec=%d", g, prec), func() (any, error) { return LeastBits(g, 3, half, prec) })
			r.Add(fmt.Sprintf("MostItems of %v, prec=%d", g, prec), func() (any, error) { return MostItems(g, half, prec) })
		}
		for _, g := range []bloomproof.Geometry{
			{M: 0, K: 2}, {M: 16, K: -1}, {M: 16, K: bloomproof.MaxK + 1}, {M: 32, K: 2, Block: 16}, {M: 1, K: 0},
		} {
			g.Hashing = h
			r.Add(fmt.Sprintf("LeastBits of %v", g), func() (any, error) { return LeastBits(g, 3, half, 20) })
			r.Add(fmt.Sprintf("MostItems of %v", g), func() (any, error) { return MostItems(g, half, 20) })
		}
	}
}

// refusedCounts asks for estimates from numbers of set bits.
func refusedCounts(r starved.Refusals) {
	third := big.NewRat(1, 3)
	for _, g := range []bloomproof.Geometry{
		{M: 16, K: 4}, {M: 16, K: 4, Hashing: bloomproof.Classic}, {M: 16, K: 4, Hashing: bloomproof.Partitioned},
		{M: 16, K: 4, Block: 8},
		{M: 16, K: 0}, {M: 16, K: 4, Hashing: bloomproof.Double},
	} {
		for _, b := range []uint64{0, 1, 3, 4, 15, 16, 17} {
			say := func(name string) string { return fmt.Sprintf("%s of %v, b=%d", name, g, b) }
			r.Add(say("EstimateItems"), func() (any, error) { return EstimateItems(g, b, 20) })
			r.Add(say("LikelyItems"), func() (any, error) { return twoOf(LikelyItems(g, b)) })
			r.Add(say("ItemsInterval"), func() (any, error) { return threeOf(ItemsInterval(g, b, third)) })
			r.Add(say("EstimateIntersection with the first number"), func() (any, error) {
				return EstimateIntersection(g, b, 5, 1, 20)
			})
			r.Add(say("EstimateIntersection with the second number"), func() (any, error) {
				return EstimateIntersection(g, 5, b, 1, 20)
			})
			r.Add(say("EstimateIntersection with the AND"), func() (any, error) {
				return EstimateIntersection(g, 12, 15, b, 20)
			})
			r.Add(say("RatioItems"), func() (any, error) { return RatioItems(g, []uint64{5, b}, 1, 20) })
		}
		for _, ratios := range []int{0, 1, 11, 12, 13, 64, 65} {
			r.Add(fmt.Sprintf("RatioItems of %v, %d ratios", g, ratios), func() (any, error) {
				return RatioItems(g, []uint64{4}, ratios, 20)
			})
			r.Add(fmt.Sprintf("RatioItems of %v, %d ratios of an empty filter", g, ratios), func() (any, error) {
				return RatioItems(g, []uint64{0}, ratios, 20)
			})
		}
		r.Add(fmt.Sprintf("RatioItems of %v without a number", g), func() (any, error) { return RatioItems(g, nil, 1, 20) })
		for _, prec := range []uint{0, precision.Max + 1} {
			say := func(name string) string { return fmt.Sprintf("%s of %v, prec=%d", name, g, prec) }
			r.Add(say("EstimateItems"), func() (any, error) { return EstimateItems(g, 5, prec) })
			r.Add(say("EstimateIntersection"), func() (any, error) { return EstimateIntersection(g, 5, 5, 1, prec) })
			r.Add(say("RatioItems"), func() (any, error) { return RatioItems(g, []uint64{5}, 1, prec) })
		}
		for _, items := range [][]uint64{nil, {3}, {3, 0}, make([]uint64, maxGroups), make([]uint64, maxGroups+1)} {
			for _, shared := range []uint64{0, 3, 4} {
				say := func(name string) string {
					return fmt.Sprintf("%s of %v, %d sets, %d shared", name, g, len(items), shared)
				}
				r.Add(say("IntersectionBits"), func() (any, error) { return twoOf(IntersectionBits(g, items, shared, 20)) })
				r.Add(say("IntersectionFPR"), func() (any, error) { return IntersectionFPR(g, items, shared, 20) })
			}
		}
	}
	for _, x := range []struct {
		n    uint64
		k    int
		b    uint64
		prec uint
	}{
		{0, 2, 2, 20}, {1, 0, 2, 20}, {1, 1, 1, 20}, {2, bloomproof.MaxK, 2 * bloomproof.MaxK, 20},
		{2, bloomproof.MaxK + 1, bloomproof.MaxK + 2, 20},
		{3, 2, 1, 20}, {3, 2, 2, 20}, {3, 2, 6, 20}, {3, 2, 7, 20}, {3, 2, 4, 0}, {3, 2, 4, 1}, {3, 2, 4, 4096},
		{3, 2, 4, 4097},
		{128, 1, 127, 20}, {256, 1, 256, 20}, {1 << 63, 1, 20, 20}, {3, 4096, 4096, 20}, {3, 4096, 4097, 20},
	} {
		r.Add(fmt.Sprintf("EstimateUrns of n=%d, k=%d, b=%d, prec=%d", x.n, x.k, x.b, x.prec), func() (any, error) {
			return twoOf(EstimateUrns(x.n, x.k, x.b, x.prec))
		})
	}
}

// refusedLaws asks for distributions of numbers of occupied urns.
func refusedLaws(r starved.Refusals) {
	many := make([]Committees, maxGroups)
	for i := range many {
		many[i] = Committees{Size: 1, Count: 1}
	}
	for _, m := range []uint64{0, 1, 5} {
		for _, departments := range [][][]Committees{
			nil, {nil}, {{{0, 1}}}, {{{1, 0}}}, {{{5, 2}}}, {{{6, 1}}}, {{{2, 3}}, {{7, 1}}}, {many},
			{many, many[:maxGroups-2]}, {many, many[:maxGroups-1]},
		} {
			sizes := fmt.Sprint(departments)
			if len(sizes) > 100 {
				sizes = fmt.Sprint(len(departments), " departments, the last has ", len(departments[len(departments)-1]))
			}
			r.Add(fmt.Sprintf("Union of m=%d, %s", m, sizes), func() (any, error) { return Union(m, departments...) })
			r.Add(fmt.Sprintf("Intersection of m=%d, %s", m, sizes), func() (any, error) {
				return Intersection(m, departments...)
			})
		}
	}
	law := func(l Distribution, err error) Distribution {
		if err != nil {
			panic(err)
		}
		return l
	}
	halves := []Committees{{1, 1 << 29}, {1, 1 << 28}, {1, 1 << 27}}
	half, balls := big.NewRat(1, 2), law(occupancyOf(16, 9))
	for _, x := range []struct {
		name string
		l    Distribution
	}{
		{"the zero distribution", Distribution{}}, {"balls", balls}, {"committees", law(committeeOf(16, 3, 4))},
		{"many balls", law(occupancyOf(1<<20, 1<<19))},
		{"2^39 balls", law(occupancyOf(1<<40, 1<<39))},
		{"sizes", law(Union(1<<40, []Committees{{1, 1 << 30}, {1 << 20, 1 << 15}}))},
		{"an intersection", law(Intersection(1<<20, []Committees{{3, 1 << 19}, {1, 4}}, []Committees{{3, 1 << 18}}))},
		{"one committee each", law(Intersection(1<<20, []Committees{{1 << 15, 1}}, []Committees{{1 << 16, 1}}))},
		{"three groups of balls", law(Intersection(1<<30, halves[:1], halves[1:2], halves[2:]))},
	} {
		say := func(text string, values ...any) string { return fmt.Sprintf(text, values...) + " of " + x.name }
		routes := []Route{Auto, routeDifference, routeStirling, Recursive, routeHypergeometric, "none"}
		least, most := x.l.Range()
		for _, i := range []uint64{0, 5, 4000, least, most, 1<<64 - 1} {
			r.Add(say("CDF at %d", i), func() (any, error) { return x.l.CDF(i, 20) })
			for _, route := range routes {
				if least <= i && i <= most && x.l.m > 16 && route != "none" {
					continue // these answers take long
				}
				r.Add(say("PMF at %d by %s", i, route), func() (any, error) { return x.l.PMF(i, 20, route) })
			}
		}
		for _, order := range []int{-1, 0, 1, maxMoment, maxMoment + 1} {
			for _, route := range routes {
				if order == maxMoment && route != "none" {
					continue // these answers take long
				}
				r.Add(say("Moment %d by %s", order, route), func() (any, error) { return x.l.Moment(order, 20, route) })
				r.Add(say("BinomialMoment %d by %s", order, route), func() (any, error) {
					return x.l.BinomialMoment(order, 20, route)
				})
				r.Add(say("FactorialMoment %d by %s", order, route), func() (any, error) {
					return x.l.FactorialMoment(order, 20, route)
				})
			}
		}
		for _, prec := range []uint{0, 1, precision.Max + 1} {
			r.Add(say("CDF with prec=%d", prec), func() (any, error) { return x.l.CDF(5, prec) })
			r.Add(say("PMF with prec=%d", prec), func() (any, error) { return x.l.PMF(5, prec, Auto) })
			r.Add(say("PMFs with prec=%d", prec), func() (any, error) { return x.l.PMFs(prec) })
			r.Add(say("Mean with prec=%d", prec), func() (any, error) { return x.l.Mean(prec) })
			r.Add(say("Variance with prec=%d", prec), func() (any, error) { return x.l.Variance(prec) })
			r.Add(say("Moment with prec=%d", prec), func() (any, error) { return x.l.Moment(2, prec, Auto) })
			r.Add(say("BinomialMoment with prec=%d", prec), func() (any, error) { return x.l.BinomialMoment(2, prec, Auto) })
			r.Add(say("FactorialMoment with prec=%d", prec), func() (any, error) { return x.l.FactorialMoment(2, prec, Auto) })
		}
		for _, p := range []*big.Rat{nil, new(big.Rat), half, big.NewRat(1, 1), big.NewRat(-1, 2)} {
			if p == half && x.l.m > 16 {
				continue // these answers take long
			}
			r.Add(say("Quantile %v", p), func() (any, error) { return x.l.Quantile(p) })
		}
	}
	pair := law(Intersection(1<<40, halves[:1], halves[1:2])) // the integral of a pair is for the numbers between the ends
	for _, i := range []uint64{0, 1 << 28, 1<<28 + 1} {
		r.Add(fmt.Sprintf("PMF at %d of a pair", i), func() (any, error) { return pair.PMF(i, 20, Auto) })
	}
	full := law(occupancyOf(1<<40, 1<<56))
	r.Add("Variance with too many bits", func() (any, error) { return full.Variance(1<<16 + 1) })
}

// refusedLayers asks for growing filters.
func refusedLayers(r starved.Refusals) {
	half := big.NewRat(1, 2)
	for _, h := range append(allHashings, bloomproof.Double, 99) {
		for _, block := range []uint64{0, 32, 64, 96, 4096, 8192} {
			d := Growing{Hashing: h, Items: 10, Rate: half, Growth: 1 << 16, Tighten: half, Block: block}
			r.Add(fmt.Sprintf("check of %v, block=%d", h, block), func() (any, error) { return nil, d.check() })
		}
	}
	for _, items := range []uint64{0, 1, 1 << 46, 1 << 47, 1 << 48, 1<<48 + 1} {
		d := Growing{Items: items, Rate: half, Growth: 1 << 16, Tighten: half}
		r.Add(fmt.Sprintf("Layers for %d items", items), func() (any, error) { return d.Layers() })
	}
	for _, growth := range []uint64{0, 1, 1 << 16, 1<<16 + 1} {
		d := Growing{Items: 1 << 40, Rate: half, Growth: growth, Tighten: half}
		r.Add(fmt.Sprintf("Layers for a growth of %d", growth), func() (any, error) { return d.Layers() })
	}
	for _, share := range []*big.Rat{nil, new(big.Rat), big.NewRat(1, 1), big.NewRat(3, 2), big.NewRat(-1, 2)} {
		rate := Growing{Items: 10, Rate: share, Growth: 2, Tighten: half}
		tighten := Growing{Items: 10, Rate: half, Growth: 2, Tighten: share}
		r.Add(fmt.Sprintf("Layers for a rate of %v", share), func() (any, error) { return rate.Layers() })
		r.Add(fmt.Sprintf("Layers for a ratio of %v", share), func() (any, error) { return tighten.Layers() })
	}
	one := bloomproof.Layer{Geometry: bloomproof.Geometry{M: 16, K: 2}, Sigma: 8}
	for _, n := range []int{0, 1, bloomproof.MaxLayers, bloomproof.MaxLayers + 1} {
		layers := make([]bloomproof.Layer, n)
		for i := range layers {
			layers[i] = one
		}
		r.Add(fmt.Sprintf("GrowingBound of %d layers", n), func() (any, error) { return GrowingBound(layers, 20) })
		r.Add(fmt.Sprintf("GrowingFPR of %d layers", n), func() (any, error) { return GrowingFPR(layers, 9) })
	}
	for _, l := range []bloomproof.Layer{
		{Geometry: bloomproof.Geometry{M: 16, K: 2}, Sigma: 1}, {Geometry: bloomproof.Geometry{M: 16, K: 2}, Sigma: 17},
		{Geometry: bloomproof.Geometry{M: 16, K: 2, Hashing: bloomproof.Double}, Sigma: 8},
		{Geometry: bloomproof.Geometry{M: 16, K: 0}, Sigma: 8},
		{Geometry: bloomproof.Geometry{M: 128, K: 2, Block: 64}, Sigma: 8},
		{Geometry: bloomproof.Geometry{M: 1 << 50, K: 40}, Sigma: 1 << 49},
		{Geometry: bloomproof.Geometry{M: 1 << 50, K: 2, Hashing: bloomproof.Partitioned}, Sigma: 1 << 49},
	} {
		layers := []bloomproof.Layer{one, l}
		r.Add(fmt.Sprintf("GrowingBound of %v", l), func() (any, error) { return GrowingBound(layers, 20) })
		for _, n := range []uint64{0, 1, 1 << 40} {
			r.Add(fmt.Sprintf("GrowingFPR of %v, n=%d", l, n), func() (any, error) { return GrowingFPR(layers, n) })
		}
	}
	for _, prec := range []uint{0, 1, precision.Max + 1} {
		r.Add(fmt.Sprintf("GrowingBound with prec=%d", prec), func() (any, error) {
			return GrowingBound([]bloomproof.Layer{one}, prec)
		})
	}
	for _, ns := range [][]uint64{nil, {0}, {2, 2}, {3, 2}} {
		r.Add(fmt.Sprintf("GrowingFPRs of %v", ns), func() (any, error) { return GrowingFPRs([]bloomproof.Layer{one}, ns) })
	}
}

// refusedNumbers asks for enclosures, and for their digits.
func refusedNumbers(r starved.Refusals) {
	ends := []*big.Float{nil, big.NewFloat(1), big.NewFloat(2), new(big.Float).SetInf(true), new(big.Float).SetInf(false)}
	for _, lo := range ends {
		for _, hi := range ends {
			r.Add(fmt.Sprintf("NewEnclosure of %v, %v", lo, hi), func() (any, error) { return NewEnclosure(lo, hi) })
		}
	}
	for _, prec := range []uint{0, 1, precision.Max, precision.Max + 1} {
		r.Add(fmt.Sprintf("NewRational with prec=%d", prec), func() (any, error) {
			return NewRational(big.NewRat(1, 3), prec)
		})
	}
	r.Add("NewRational of nothing", func() (any, error) { return NewRational(nil, 20) })
	wide, _ := NewEnclosure(big.NewFloat(1), big.NewFloat(1.001))
	third, _ := NewRational(big.NewRat(1, 3), 20)
	for _, digits := range []int{-1, 0, 1, 2, 3, 4, 30} {
		r.Add(fmt.Sprintf("%d digits of a wide enclosure", digits), func() (any, error) {
			return threeOf(wide.Decimal(digits))
		})
		r.Add(fmt.Sprintf("%d digits of a third", digits), func() (any, error) { return threeOf(third.Decimal(digits)) })
	}
}
