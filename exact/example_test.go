package exact_test

import (
	"fmt"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// The smallest rates for 64 bits and 4 items (Burns, section 3.4).
func ExampleFPR() {
	for _, g := range []bloomproof.Geometry{
		{M: 64, K: 10},
		{M: 64, K: 9, Hashing: bloomproof.Classic},
	} {
		rate, route, err := exact.FPR(g, 4, exact.PrecFor(12), exact.Auto)
		if err != nil {
			fmt.Println(err)
			return
		}
		lo, _, hi, _ := rate.Decimal(12)
		fmt.Printf("%v by %v: %s to %s\n", g, route, lo, hi)
	}
	// Output:
	// standard m=64 k=10 by difference: 0.000615409328697 to 0.000615409328698
	// classic m=64 k=9 by difference: 0.000455012123041 to 0.000455012123042
}

func ExampleBounds() {
	b, err := exact.Bounds(bloomproof.Geometry{M: 1024, K: 7}, 100, exact.PrecFor(10))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, kind := range []bloomproof.Bound{bloomproof.BoundLower, bloomproof.BoundBloom, bloomproof.BoundUpper} {
		_, mid, _, _ := b[kind].Decimal(6)
		fmt.Println(kind, mid)
	}
	_, defined := b[bloomproof.BoundPartitioned] // 7 does not divide 1024
	fmt.Println(defined)
	// Output:
	// lower 0.00721354
	// bloom 0.00731984
	// upper 0.00742546
	// false
}

// A filter of 1000 bits that took 10,000 items: its rate is a hair below 1, and how far
// below would be lost by subtracting.
func ExampleComplement() {
	missing, err := exact.Complement(bloomproof.Geometry{M: 1000, K: 7}, 10_000, 60)
	fmt.Println(missing, err)
	// Output: 2.6789906194098284e-30 <nil>
}

// How many of 1000 urns do 700 balls occupy?
func ExampleUnion() {
	law, err := exact.Union(1000, []exact.Committees{{Size: 1, Count: 700}})
	if err != nil {
		fmt.Println(err)
		return
	}
	mean, _ := law.Mean(exact.PrecFor(10))
	variance, _ := law.Variance(exact.PrecFor(10))
	p, _ := law.PMF(503, exact.PrecFor(10), exact.Auto)
	for _, e := range []exact.Enclosure{mean, variance, p} {
		_, mid, _, _ := e.Decimal(10)
		fmt.Println(mid)
	}
	// Output:
	// 503.5885866
	// 77.37790324
	// 0.04522491683
}

// Two departments of 20 people choose committees; how many people serve both?
func ExampleIntersection() {
	law, err := exact.Intersection(20,
		[]exact.Committees{{Size: 3, Count: 2}},
		[]exact.Committees{{Size: 4, Count: 1}, {Size: 5, Count: 1}},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	least, most := law.Range()
	none, _ := law.PMF(0, 60, exact.Auto)
	nobody, _ := none.Rat()
	mean, _ := law.Mean(exact.PrecFor(10))
	fmt.Println(least, most, nobody.FloatString(10), mean)
	// Output:
	// 0 6 0.0403501863 2.2200000000000000
}

// Two filters of 2^20 bits hold 50,000 and 80,000 items, 30,000 of them the same. How
// often does their AND call an item that is in neither a member of both?
func ExampleIntersectionFPR() {
	g := bloomproof.Geometry{M: 1 << 20, K: 7}
	items, shared := []uint64{50_000, 80_000}, uint64(30_000)
	both, err := exact.IntersectionFPR(g, items, shared, exact.PrecFor(6))
	if err != nil {
		fmt.Println(err)
		return
	}
	either, _, _ := exact.FPR(g, 50_000+80_000-shared, exact.PrecFor(6), exact.Auto) // of their OR
	common, _, _ := exact.FPR(g, shared, exact.PrecFor(6), exact.Auto)
	for _, e := range []exact.Enclosure{both, common, either} {
		_, mid, _, _ := e.Decimal(6)
		fmt.Println(mid)
	}
	// Output:
	// 0.0000183282
	// 0.00000648635
	// 0.00650134
}

// Whoever finds half of the bits set knows how many items there are to within 1 in 1800.
func ExampleItemsInterval() {
	g := bloomproof.Geometry{M: 8 << 20, K: 7}
	estimate, err := exact.EstimateItems(g, g.M/2, exact.PrecFor(10))
	if err != nil {
		fmt.Println(err)
		return
	}
	likeliest, _, err := exact.LikelyItems(g, g.M/2)
	if err != nil {
		fmt.Println(err)
		return
	}
	low, high, _, err := exact.ItemsInterval(g, g.M/2, big.NewRat(1, 20)) // 95 %
	_, mid, _, _ := estimate.Decimal(10)
	fmt.Println(mid, likeliest, low, high, err)
	// Output: 830648.5196 830648 830200 831098 <nil>
}

// Two filters of 1000 bits with 300 and 200 bits set have 60 in common by chance.
func ExampleEstimateIntersection() {
	g := bloomproof.Geometry{M: 1000, K: 7}
	for _, and := range []uint64{60, 100} {
		shared, err := exact.EstimateIntersection(g, 300, 200, and, exact.PrecFor(6))
		fmt.Println(shared, err)
	}
	// Output:
	// 0 <nil>
	// 9.85119561 <nil>
}

// 7 of 8 balls, thrown 2 at a time, found an empty urn.
func ExampleEstimateUrns() {
	m, unbiased, err := exact.EstimateUrns(4, 2, 7, exact.PrecFor(6))
	r, _ := m.Rat()
	fmt.Println(r, unbiased, err)
	// Output: 89/6 8 <nil>
}

// A counting filter of a million counters, and the same filter where an item can count
// twice in one counter.
func ExampleCorrectRate() {
	g := bloomproof.Geometry{M: 1 << 20, K: 7}
	for _, inc := range []bloomproof.Increment{bloomproof.Distinct, bloomproof.Literal} {
		rate, err := exact.CorrectRate(g, 100_000, inc, exact.PrecFor(12))
		if err != nil {
			fmt.Println(err)
			return
		}
		_, mid, _, _ := rate.Decimal(12)
		fmt.Println(inc, mid)
	}
	// Output:
	// distinct 0.993498979063
	// literal 0.993498697518
}

// A filter that is half as full as is best for its size compresses.
func ExampleArrayEntropy() {
	g := bloomproof.Geometry{M: 2000, K: 4}
	h, err := exact.ArrayEntropy(g, 140, exact.PrecFor(8))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, bits, _, err := h.Decimal(8)
	fmt.Println(bits, err)
	// Output: 1603.3071 <nil>
}

// How many bits do 10^9 keys need at a rate of 10^-6? The textbook's m = -n log2 p/ln 2 is
// 100,000 bits short.
func ExampleLeastBits() {
	p := big.NewRat(1, 1_000_000)
	best, err := exact.LeastBits(bloomproof.Geometry{}, 1_000_000_000, p, 60)
	if err != nil {
		panic(err)
	}
	textbook, err := exact.TextbookM(1_000_000_000, p)
	if err != nil {
		panic(err)
	}
	fmt.Println(best.Geometry.M, best.Geometry.K, best.Rate, best.Assumes == "")
	fmt.Println(textbook)
	// Output:
	// 28755278682 20 0.00000099999999997243330 true
	// 28755175133
}

// The filter of Burns' figure 7, for which the ln 2 rule says 35.
func ExampleOptimalK() {
	best, err := exact.OptimalK(bloomproof.Geometry{M: 1000}, 20, 60)
	if err != nil {
		panic(err)
	}
	fmt.Println(best.Geometry.K, best.Rate)
	// Output: 34 4.4459418809447487e-11
}

func ExampleMostItems() {
	best, err := exact.MostItems(bloomproof.Geometry{M: 1 << 23, Hashing: bloomproof.Classic}, big.NewRat(1, 1000), 60)
	if err != nil {
		panic(err)
	}
	fmt.Println(best.N, best.Geometry.K)
	// Output: 583448 10
}

// Burns, figure 9.
func ExamplePeakEfficiency() {
	peak, err := exact.PeakEfficiency(bloomproof.Geometry{M: 100}, 60)
	if err != nil {
		panic(err)
	}
	fmt.Println(peak.N, peak.K, peak.Efficiency, peak.Assumes == "")
	// Output: 69 1 0.68967559257023098 true
}

// Ten bits and seven positions an item, all in one cache line: the price of that is known
// before the filter is built.
func ExampleFPR_blocks() {
	g := bloomproof.Geometry{M: 128 * 512, K: 7, Block: 512}
	blocked, route, err := exact.FPR(g, 6553, 60, exact.Auto)
	if err != nil {
		fmt.Println(err)
		return
	}
	plain, _, err := exact.FPR(bloomproof.Geometry{M: g.M, K: 7}, 6553, 60, exact.Auto)
	fmt.Printf("%v: %.6f by %v, without blocks %.6f %v\n", g, blocked.Float64(), route, plain.Float64(), err)
	// Output:
	// standard m=65536 k=7 block=512: 0.009671 by difference, without blocks 0.008191 <nil>
}

// By how much does a filter with blocks of a cache line err more often than the standard filter of
// as many bits? The quotient of two enclosures ends at the quotients of opposite ends.
func ExampleOptimalK_excess() {
	const m, n = 512 * 18_720, 1_000_000 // 9.58 bits a key
	standard, err := exact.OptimalK(bloomproof.Geometry{M: m}, n, 60)
	if err != nil {
		fmt.Println(err)
		return
	}
	blocks, err := exact.OptimalK(bloomproof.Geometry{M: m, Block: 512}, n, 60)
	if err != nil {
		fmt.Println(err)
		return
	}
	lo := new(big.Float).SetMode(big.ToNegativeInf).Quo(blocks.Rate.Lo(), standard.Rate.Hi())
	hi := new(big.Float).SetMode(big.ToPositiveInf).Quo(blocks.Rate.Hi(), standard.Rate.Lo())
	times, err := exact.NewEnclosure(lo, hi)
	if err != nil {
		fmt.Println(err)
		return
	}
	low, _, high, _ := times.Decimal(12)
	fmt.Printf("k = %d and %d: %s to %s times\n", standard.Geometry.K, blocks.Geometry.K, low, high)
	// Output: k = 7 and 6: 1.14633721300 to 1.14633721301 times
}

// How many more bits do blocks take for the same rate? Both numbers of bits are certain.
func ExampleLeastBits_blocks() {
	const n = 1_000_000
	for _, p := range []*big.Rat{big.NewRat(1, 100), big.NewRat(1, 10_000)} {
		standard, err := exact.LeastBits(bloomproof.Geometry{}, n, p, 60)
		if err != nil {
			fmt.Println(err)
			return
		}
		blocks, err := exact.LeastBits(bloomproof.Geometry{Block: 512}, n, p, 60)
		if err != nil {
			fmt.Println(err)
			return
		}
		more := float64(blocks.Geometry.M)/float64(standard.Geometry.M) - 1
		fmt.Printf("%s: %d bits instead of %d, %.1f %% more\n", p.FloatString(4), blocks.Geometry.M, standard.Geometry.M, 100*more)
	}
	// Output:
	// 0.0100: 9918464 bits instead of 9592957, 3.4 % more
	// 0.0001: 22030336 bits instead of 19172958, 14.9 % more
}

// Layers of a filter that is made for 1000 keys at first, doubles, and keeps a rate of 1 % for ever.
func ExampleGrowing() {
	layers, err := exact.Growing{Items: 1000, Rate: big.NewRat(1, 100), Growth: 2, Tighten: big.NewRat(1, 2)}.Layers()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, l := range layers[:3] {
		fmt.Println(l)
	}
	last := layers[len(layers)-1]
	fmt.Printf("%d layers, the last of %d bits and %d positions\n", len(layers), last.M, last.K)
	// Output:
	// standard m=11056 k=8 sigma=5701
	// standard m=24975 k=9 sigma=12834
	// standard m=55700 k=10 sigma=28546
	// 32 layers, the last of 119728087633518 bits and 39 positions
}

// The rate to expect of a filter that has grown: 400 keys came, and its first layer was made for 100.
func ExampleGrowingFPR() {
	layers, err := exact.Growing{Items: 100, Rate: big.NewRat(1, 100), Growth: 2, Tighten: big.NewRat(1, 2)}.Layers()
	if err != nil {
		fmt.Println(err)
		return
	}
	rate, err := exact.GrowingFPR(layers, 400)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.5f\n", rate.Float64())
	// Output:
	// 0.00707
}
