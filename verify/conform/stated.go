package conform

import (
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof"
)

// The constant "tolerance" is the relative error that a filter's own rate, estimate and sizes may have. Errors from
// rounding are far smaller than 5 %. An error of 5 % does not mislead users who choose the size of a filter.
const tolerance = 0.05

// A filter may state numbers about itself, such as its rate. These numbers are examined for filters of the shapes in
// statedShapes. Each shape has two fills (shares of set bits). The numbers of a filter are examined when its share of
// set bits is near one of these two fills. Most of the filters are large, so that their numbers vary little by chance.
// For the smallest filter, one of the two fills is near 1.
var statedShapes = []struct {
	g     bloomproof.Geometry
	fills []float64
}{
	{bloomproof.Geometry{M: 1 << 14, K: 3}, []float64{0.1, 0.99}},
	{bloomproof.Geometry{M: 1 << 16, K: 3}, []float64{0.27, 0.79}},
	{bloomproof.Geometry{M: 1 << 18, K: 7}, []float64{0.1, 0.57}},
	{bloomproof.Geometry{M: 1 << 24, K: 3}, []float64{0.01, 0.2}}, // here more than 2^20 items are added
}

// largeEffort is the least effort for which filters of more than 2^20 bits are included. The examination of these
// filters takes a second.
const largeEffort = 0.5

// statedAsks is the number of statistical tests of the laws "stated rate" and "items". There is one test for each
// combination of the two laws, four shapes and five loads. The first two loads are 1 item and 10 items. For each of the
// next two loads, keys are added until a given share of the bits is set. The last load is the content of a union of two
// filters.
const statedAsks = 2 * 4 * 5

// The method "loaded" fills filters. Their shapes are those of the list statedShapes. It calls the function "use" with
// a filter and the filter's number of distinct keys. For each shape, the first calls are for an empty filter, for a
// filter with one key, and for filters with more keys. The next call is for a filter in which some keys were added four
// times. The last call is for the union of this filter and another one. If the function "use" returns false, the method
// ends early.
func (x *examination) loaded(salt uint64, use func(f filter, d model, n uint64) bool) {
	for i, s := range statedShapes {
		if s.g.M > 1<<20 && x.o.Effort < largeEffort {
			continue
		}
		f, d, ok := x.open(s.g.M, s.g.K)
		if !ok {
			continue
		}
		x.where = fmt.Sprintf("%v, empty", d)
		if !use(f, d, 0) {
			return
		}
		loads := []uint64{1, 10}
		for _, fill := range s.fills {
			n := uint64(-math.Log1p(-fill) * float64(d.m()) / float64(d.g.K))
			loads = append(loads, max(11, min(n, d.m())))
		}
		keys := x.random(salt + uint64(i))
		for _, n := range loads {
			x.fillWith(f, keys, keys.next, n-keys.next)
			keys.next = n
			if x.where = fmt.Sprintf("%v, %d random keys", d, n); !use(f, d, n) {
				return
			}
		}
		n, again := loads[2], min(1000, loads[2])
		if f, _, ok = x.open(s.g.M, s.g.K); !ok {
			return
		}
		x.fillWith(f, keys, 0, n)
		for range 3 {
			x.fillWith(f, keys, 0, again)
		}
		if x.where = fmt.Sprintf("%v, %d random keys, %d of them added four times", d, n, again); !use(f, d, n) {
			return
		}
		if x.s.Union == nil || x.s.Seeded || d.own {
			continue
		}
		g, _, ok := x.open(s.g.M, s.g.K)
		if !ok {
			return
		}
		x.fillWith(g, keys, n, n)
		if x.s.Union(f, g) != nil {
			continue // the law "union" finds this fault
		}
		if x.where = fmt.Sprintf("%v, the union of two filters of %d random keys", d, n); !use(f, d, 2*n) {
			return
		}
	}
}

// rateShapes are the shapes for which RateFor is called. The shapes with m above 2^32 reveal implementations that store
// the number of bits in 32 bits.
var rateShapes = []bloomproof.Geometry{
	{M: 32, K: 10}, {M: 64, K: 3}, {M: 1024, K: 4}, {M: 1 << 16, K: 7}, {M: 1 << 23, K: 10}, {M: 1 << 20, K: 64},
	{M: 1 << 33, K: 7}, {M: 1 << 34, K: 1}, {M: 1 << 36, K: 30}, {M: 1 << 38, K: 7},
}

// statedRate makes two comparisons. It compares the subject's RateFor with the exact rate. It compares the subject's
// Rate with a range of rates. This range follows from the possible numbers of set bits, or from the declared rate.
func (x *examination) statedRate(l Law) {
	if x.s.RateFor != nil && x.s.OwnRate == nil {
		x.rateFor(l)
	}
	if x.s.Rate == nil || !x.wants(l) {
		return
	}
	x.loaded(0x5a7e, func(f filter, d model, n uint64) bool {
		x.told[l] = true
		got := x.s.Rate(f)
		if n == 0 && !d.own {
			if !(got >= 0 && got <= 1e-12) {
				x.found(l, "a rate of %v is stated", got)
			}
			return x.wants(l)
		}
		var may between
		var err error
		if d.own {
			may.lo, _ = x.declared(l, f, n)
			may.hi = may.lo
		} else if may, err = d.spread(n, x.alpha); err != nil {
			x.note("%v", err)
			return true
		}
		if !(got >= may.lo*(1-tolerance) && got <= may.hi*(1+tolerance)) {
			x.found(l, "a rate of %.6g is stated, it is %.6g to %.6g", got, may.lo, may.hi)
		}
		return x.wants(l)
	})
}

// sparseFill is a low fill (share of set bits). At this fill and for large k, a formula that ignores coinciding
// positions is very wrong. The rate itself is then too low to be measured.
const sparseFill = 0.08

// rateFor examines the results of RateFor. For this it uses small shapes that the subject can make. It also uses large
// shapes, if the subject can make smaller filters with the same k.
func (x *examination) rateFor(l Law) {
	const largest = 1 << 23 // the largest filter that is made
	for _, s := range rateShapes {
		_, d, ok := x.open(min(s.M, largest), s.K)
		if !ok {
			continue
		}
		if s.M > largest {
			var err error
			if d, err = x.modelOf(x.rounded(s.M, d.g.K), d.g.K); err != nil {
				x.note("%v", err)
				continue
			}
		}
		sparse := d.load(math.Pow(sparseFill, float64(d.g.K)))
		for _, n := range []uint64{0, 1, sparse, d.load(1e-3), d.load(0.01), d.load(0.3), d.load(0.9)} {
			x.where = fmt.Sprintf("%v, %d items", d, n)
			want, err := d.rate(n)
			if err != nil {
				x.note("%v", err)
				continue
			}
			x.told[l] = true
			if got := x.s.RateFor(d.m(), d.g.K, n); !(got >= want.lo*(1-tolerance) && got <= want.hi*(1+tolerance)+1e-12) {
				x.found(l, "a rate of %.6g is expected, it is %.6g", got, want.lo)
				return
			}
		}
	}
}

// The method "items" compares a filter's own estimate of its number of keys with the true number. The number of set
// bits limits the precision of this comparison. The estimate may be rounded to a whole number.
func (x *examination) items(l Law) {
	if x.s.Items == nil || x.s.OwnRate != nil {
		return
	}
	x.loaded(0x17e5, func(f filter, d model, n uint64) bool {
		x.told[l] = true
		got := x.s.Items(f)
		if n == 0 {
			if !(math.Abs(got) < 0.5) {
				x.found(l, "%v items are estimated", got)
			}
			return x.wants(l)
		}
		// The estimate must be near the number of items that corresponds to the fill (the share of set bits). The fill
		// is near the probability p that a bit is set.
		set, err := d.setBits(n, x.alpha)
		if err != nil {
			x.note("%v", err)
			return true
		}
		m, p := float64(d.m()), d.fill(n)
		atMost := float64(n) * math.Log1p(-set.hi/m) / math.Log1p(-p.hi)
		atLeast := float64(n) * math.Log1p(-set.lo/m) / math.Log1p(-p.lo)
		if !(got >= atLeast*(1-tolerance)-1 && got <= atMost*(1+tolerance)+1) {
			x.found(l, "%.6g items are estimated; the bits may tell of %.6g to %.6g", got, atLeast, atMost)
		}
		return x.wants(l)
	})
	if f, d, ok := x.open(64, 3); ok && x.wants(l) {
		keys := x.random(0xf111)
		x.fillWith(f, keys, 0, 1000)
		x.where = fmt.Sprintf("%v, 1000 random keys", d)
		if e := x.s.Items(f); !(e >= 0) {
			x.found(l, "%v items are estimated, though all bits are set", e)
		}
	}
}

// sizedItems and sizedRates are the numbers of items and the rates for which Size is called. Common values come first,
// then extreme ones. For 2^27 or more items, the number of bits or the number of items can be too large for 32 bits.
var (
	sizedItems = []uint64{10, 1000, 1 << 20, 1, 2, 1 << 27, 1 << 28, 1e9, 1 << 31, 1<<32 + 1, 1e10}
	sizedRates = []float64{0.3, 0.01, 1e-6, 0.5, 0.8, 1e-9, 1e-15}
)

const (
	// mostSizedItems is the largest number of items for which a filter of the advised size is made.
	mostSizedItems = 1 << 20
	// leastUsualRate is the least rate for which a subject must advise a size. Some subjects have an upper limit for k.
	// At low rates, their filters then need more bits. For rates below leastUsualRate, the examination takes this into
	// account.
	leastUsualRate = 1e-6
	// The number of bits that Size advises may be at most sizeWaste times the number of bits of the best filter. For
	// filters with blocks or shards, the constant blockWaste takes the place of sizeWaste. At low rates, filters with
	// blocks or shards need more bits than other filters.
	sizeWaste, blockWaste = 1.5, 3
	// sizeRoom is the number of bits by which the advised size may exceed these limits. This allows a size of a whole
	// cache line even for few items.
	sizeRoom = 512
)

// The method "sizing" examines the size that the subject's function Size advises. It compares the exact rate at this
// size with the rate that was asked for. It also compares this size with the size of the best possible filter, in bits:
//
//	n*log2(1/rate)/ln(2).
func (x *examination) sizing(l Law) {
	if x.s.Size == nil || x.s.OwnRate != nil {
		return
	}
	for _, n := range sizedItems {
		for _, rate := range sizedRates {
			x.where = fmt.Sprintf("%d items at a rate of %g", n, rate)
			if x.oneSize(l, n, rate); !x.wants(l) {
				return
			}
		}
	}
}

// oneSize asks the subject for a size, and examines the answer. The arguments are the number n of items and the rate.
func (x *examination) oneSize(l Law, n uint64, rate float64) {
	usual := n >= 10 && n <= mostSizedItems && rate >= leastUsualRate && rate < 0.5
	m, k := x.s.Size(n, rate)
	best, most := -float64(n)*math.Log2(rate)/math.Ln2, sizeWaste
	if x.s.BlockBits > 0 || x.s.Shards > 0 {
		most = blockWaste
	}
	room := sizeRoom + float64(x.s.BlockBits) + 64*float64(x.s.Shards)
	if k >= 1 && rate < leastUsualRate {
		best = max(best, -float64(n)*float64(k)/math.Log1p(-math.Pow(rate, 1/float64(k))))
	}
	switch {
	case m == 0 && k == 0 && !usual:
		x.note("no advice for %s", x.where)
		return
	case m < 1 || k < 1:
		x.found(l, "m=%d k=%d is advised", m, k)
		return
	case k > 1000 || (x.s.BlockBits == 0 || rate >= leastUsualRate) && float64(m) > most*best+room:
		x.found(l, "m=%d k=%d is advised, which is wasteful: %.0f bits do", m, k, best)
		return
	}
	d, err := x.modelOf(x.rounded(m, k), k)
	if n <= mostSizedItems {
		_, d, err = x.make(m, k)
	}
	if err != nil {
		x.note("m=%d k=%d %v", m, k, err)
		x.found(l, "m=%d k=%d is advised, which New refuses", m, k)
		return
	}
	got, err := d.rate(n)
	if err != nil {
		x.note("%v", err)
		return
	}
	x.told[l] = true
	if got.lo > rate*(1+tolerance) {
		x.found(l, "m=%d k=%d is advised, whose rate is %.4g", m, k, got.lo)
	}
}
