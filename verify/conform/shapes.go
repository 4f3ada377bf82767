package conform

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/conform/internal/families"
)

// The list "shapes" has the shapes of the default grid. Some sizes are primes. Others are powers of two, or differ from
// a power of two by 1. Others are three quarters of a power of two. The remainders of short random words are
// distributed most unevenly if the size is three quarters of a power of two.
var shapes = []bloomproof.Geometry{
	{M: 47, K: 3}, {M: 64, K: 4}, {M: 96, K: 2}, {M: 97, K: 5}, {M: 127, K: 7}, {M: 128, K: 1}, {M: 129, K: 10}, {M: 257, K: 13}, {M: 1021, K: 7}, {M: 1024, K: 4}, {M: 1024, K: 20},
	{M: 1025, K: 3}, {M: 4093, K: 2}, {M: 49152, K: 3}, {M: 65536, K: 7}, {M: 65537, K: 10}, {M: 1<<20 - 3, K: 5}, {M: 1 << 20, K: 3}, {M: 1<<23 - 15, K: 10}, {M: 1 << 23, K: 7}, {M: 1<<18 + 3, K: 1},
}

// ownItems and ownRates are the numbers of items and the rates for which the subject's own sizing is tested. In
// addition, this sizing is tested for the smallest number of items that the subject accepts.
var (
	ownItems = []uint64{1000, 1e5, 1e6}
	ownRates = []float64{1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6}
)

// These constants are numbers of operations at effort 1. An operation is an addition or a look-up. The comment after
// each constant says what these operations are for.
const (
	usualWork  = 3e5  // for a cell of the grid
	quietWork  = 4e7  // for all quiet cells of the grid together
	sizedWork  = 5e7  // for the quiet cell of a size that the subject chose
	largeWork  = 12e6 // for a filter of 2^28 bits
	exactWork  = 6e6  // for the rate near half fill, and with k = 2, to find a missing probe
	deepWork   = 2e7  // for dependence among ten positions of a key
	familyWork = 12e5 // for the quiet cell of a family of keys; enough keys to detect a hash of 32 bits
)

// quietHits is the largest number of hits that the model expects in a quiet cell. If such a cell has nine hits, the
// test finds a fault at the usual significance level. Double hashing is most likely to be detected if quietHits is 0.2.
// If quietHits were 2, the additional hits from double hashing would be hard to detect among the other hits. The
// additional hits come from pairs of keys with the same start and the same step. If quietHits were 0.02, there would be
// too few such pairs.
const quietHits = 0.2

// leastItems are numbers of items. They are tried in turn until the subject's own sizing accepts one, because some
// libraries refuse small numbers.
var leastItems = []uint64{1, 10, 100, 1000, 10000}

// A value of the type "sizing" says how the subject makes a filter. The subject's function New makes filters from a
// shape. The subject's function Make makes filters from a number of items and a rate. The type "order" holds these two.
// If the shape comes from the subject's function Size, the order holds the arguments of Size.
type sizing struct {
	shape bloomproof.Geometry
	order order
	made  bool // true if the filters are made by Make
}

// The type "site" says how filters are made, and holds the model of these filters.
type site struct {
	from sizing
	d    model
}

// The type "order" holds a number of items and a rate. These are the arguments of the subject's function Make.
type order struct {
	items uint64
	rate  float64
}

// The method "fresh" returns a new filter of m bits and k positions. If the subject has no function New, the method
// calls Make for m ln 2/k items and the rate 2^-k. Such a filter is half full. If Make refuses these arguments, it is
// called again with the fewest items that it accepts. Shape then returns the real shape. If the shape is known from an
// earlier order, the same order is used again.
func (x *examination) fresh(m uint64, k int) (filter, error) {
	f, err := x.s.New(m, k)
	if !errors.Is(err, errNoNew) {
		return f, err
	}
	if o, ok := x.ordered[bloomproof.Geometry{M: m, K: k}]; ok {
		return x.s.Make(o.items, o.rate)
	}
	o := order{max(1, uint64(float64(m)*math.Ln2/float64(k))), math.Ldexp(1, -k)}
	if x.s.OwnRate != nil {
		o.items = m
	}
	f, err = x.s.Make(o.items, o.rate)
	if err != nil {
		err = fmt.Errorf("%d items at a rate of %.3g: %w", o.items, o.rate, err)
	}
	for _, items := range leastItems {
		if err != nil && items > o.items {
			if g, e := x.s.Make(items, o.rate); e == nil {
				f, err, o.items = g, nil, items
			}
		}
	}
	if err == nil && x.s.Shape != nil {
		x.remember(f, o)
	}
	return f, err
}

// The filter f was made with the arguments in the order o. The method "remember" records that these arguments gave the
// shape of f.
func (x *examination) remember(f filter, o order) {
	m, k := x.s.Shape(f)
	if x.ordered == nil {
		x.ordered = map[bloomproof.Geometry]order{}
	}
	if shape := (bloomproof.Geometry{M: m, K: k}); x.ordered[shape].items == 0 {
		x.ordered[shape] = o
	}
}

// filterOf returns a new filter and its model. If the subject refuses, it returns false and writes a note.
func (x *examination) filterOf(s sizing) (filter, model, bool) {
	if !s.made {
		return x.open(s.shape.M, s.shape.K)
	}
	f, err := x.s.Make(s.order.items, s.order.rate)
	var d model
	if err == nil {
		if d, err = x.model(f, 0, 0); err == nil {
			return f, d, true
		}
	}
	x.note("%d items at a rate of %g: %v", s.order.items, s.order.rate, err)
	return nil, d, false
}

// A planner plans the cells. The subject may round different shapes to the same shape. So the planner plans only one
// cell for each combination of model, load and family.
type planner struct {
	x     *examination
	cells []cell
	seen  map[string]bool
	left  []cell // the cells left out because they would take too much work
}

// The argument s says how filters are made. The method "site" makes one such filter and determines its model. If the
// subject refuses the shape, the method tries larger sizes, which are powers of two. It uses the first size that the
// subject accepts.
func (p *planner) site(s sizing) (site, bool) {
	_, d, ok := p.x.filterOf(s)
	if !ok && !s.made && len(p.x.ks) > 0 {
		for m := uint64(1); m <= 1<<16 && !ok; m *= 2 {
			if m > s.shape.M {
				if _, least, err := p.x.make(m, p.x.nearest(s.shape.K)); err == nil {
					d, ok, s.shape = least, true, bloomproof.Geometry{M: m, K: least.g.K}
				}
			}
		}
	}
	return site{s, d}, ok
}

// The method "add" adds a cell to the plan, unless the plan already has an equivalent cell.
func (p *planner) add(c cell) {
	name := fmt.Sprint(c, c.one, c.q, c.filters)
	if !p.seen[name] {
		p.seen[name] = true
		p.cells = append(p.cells, c)
	}
}

// The method "usual" plans the filters and the look-ups of one cell. The argument "work" limits the number of filters.
// About half of the operations are additions, and the others are look-ups.
func (p *planner) usual(s site, n uint64, f family, work float64) {
	q := min(max(n, 200), 1<<14)
	if n > 1<<14 {
		q = n
	}
	work *= p.x.o.Effort
	each := float64(2*n + q + s.d.m()/256)
	c := cell{site: s, n: n, q: q, family: f}
	c.filters = min(max(uint64(work/each), 1), 1<<16, f.Most/(n+q))
	if each > 30*work || c.filters == 0 {
		p.left = append(p.left, c)
		return
	}
	p.add(c)
}

// The method "own" plans one cell, which shows faults in the positions of single keys. Faults that concern only a few
// keys are hard to see in other cells.
func (p *planner) own(s site, f family) {
	const q = 500
	each := float64(2 + q + s.d.m()/256)
	filters := uint64(4 * usualWork * p.x.o.Effort / each)
	p.add(cell{site: s, n: 1, q: q, filters: min(max(filters, 1), 1<<16, f.Most/(1+q)), family: f, one: true})
}

// The method "exact" plans a cell with many look-ups, so that small deviations of the rate show. There are 16 look-ups
// for each key of a filter.
func (p *planner) exact(s site, n uint64, work float64) {
	q := min(max(16*n, 200), uint64(work*p.x.o.Effort))
	filters := uint64(work * p.x.o.Effort / float64(2*n+q+s.d.m()/256))
	if filters == 0 || q == 0 {
		p.left = append(p.left, cell{site: s, n: n, family: randomKeys})
		return
	}
	p.add(cell{site: s, n: n, q: q, filters: min(filters, 1<<16), family: randomKeys})
}

// The method "quiet" plans one cell, in which few look-ups of new keys are hits. It chooses the largest permitted load.
// A load is permitted if the expected number of hits among all look-ups is at most the constant quietHits. Because few
// hits are expected, a few additional hits are enough to show a fault. Examples of such faults are positions that
// depend on one another, a short hash, and look-ups that do not test all positions. If the argument "work" is large
// enough, the look-ups can detect two small increases of the rate. Double hashing increases the rate by at least n/m^2.
// The reason is that some keys have the same start and step as another key. A hash of only h bits increases the rate by
// n/2^h.
func (p *planner) quiet(s site, work float64, f family) {
	d, m := s.d, float64(s.d.m())
	probes := work * p.x.o.Effort
	if d.m() > 1<<21 {
		probes /= 3
	}
	n := uint64(0)
	for range 4 { // n falls a little as the probes get fewer
		if n = d.quietLoad(probes, p.x.countsBits()); n < 2 {
			return
		}
		probes = min(probes, foundHits*m*m/float64(n))
	}
	if d.m() > 1<<21 {
		n = min(n, uint64(probes))
	}
	if probes < 1000 || float64(n) > 2*probes {
		p.left = append(p.left, cell{site: s, n: n, family: f})
		return
	}
	filters := min(max(uint64(probes)/(64*n), 1), 32)
	p.add(cell{site: s, n: n, q: uint64(probes) / filters, filters: filters, family: f})
}

// deepRate is the false-positive rate in one of the cells. The filters of this cell have ten positions and 2^24 bits.
// If another position determines the ninth position, the rate is 3.5 % higher. Two other effects are smaller. The
// number of set bits varies, which can change the rate by 1.3 %. Not every filter states this number. Chance can change
// it by 0.3 %.
const deepRate = 0.01

// If the expected number of hits is foundHits, then at least nine hits occur with probability at least 0.99
// (powerProbability). This follows from Chernoff's bound for a Poisson variable with mean 20.
const foundHits = 20

// A test allows for a range of numbers of set bits. The constant quietLevel is approximately the probability of a
// number outside this range. It is only used to choose loads, so it need not depend on FalseAlarm.
const quietLevel = 1e-10

// quietLoad returns the largest permitted number n of keys. A number n is permitted if the expected number of hits is
// at most the constant quietHits. The argument "probes" is the number of look-ups. The result is 0 if there is no such
// n.
func (d model) quietLoad(probes float64, counts bool) uint64 {
	rate := func(n uint64) float64 {
		if counts && d.blocks == 1 && !d.hashing().slices {
			return d.rateOf(d.fill(n).hi * float64(d.m()))
		}
		may, err := d.spread(n, quietLevel)
		if err != nil {
			return 1
		}
		return may.hi
	}
	lo, hi := uint64(0), d.load(0.5)+1
	for hi-lo > 1 {
		if n := lo + (hi-lo)/2; probes*rate(n) <= quietHits {
			lo = n
		} else {
			hi = n
		}
	}
	return lo
}

// countsBits reports whether the subject shows the number of set bits.
func (x *examination) countsBits() bool { return x.s.Bits != nil || x.s.Words != nil }

// The subject can choose the size of a filter itself. The method "own" returns the ways to make such filters. The
// subject chooses the size by its own constructor Make. If the subject has no such constructor, the size is the result
// of the subject's function Size. In the result, the ways for the smallest number of items come first.
func (x *examination) own() (all []sizing) {
	of := func(items uint64, rate float64) (s sizing, ok bool) {
		if x.s.Make != nil {
			_, err := x.s.Make(items, rate)
			return sizing{order: order{items, rate}, made: true}, err == nil
		}
		m, k := x.s.Size(items, rate)
		return sizing{shape: bloomproof.Geometry{M: m, K: k}, order: order{items, rate}}, m > 0 && m <= 1<<32 && k > 0 && k <= bloomproof.MaxK
	}
	if x.s.OwnRate != nil || (x.s.Make == nil || x.s.Shape == nil) && (x.s.Size == nil || x.report.broken(lawSizing)) {
		return nil
	}
	from := uint64(0)
	for _, items := range leastItems {
		if _, ok := of(items, 0.01); ok {
			from = items
			break
		}
	}
	if from == 0 {
		return nil
	}
	for _, items := range append([]uint64{from}, ownItems...) {
		if items == from && len(all) > 0 || items < from {
			continue
		}
		for _, rate := range ownRates {
			if s, ok := of(items, rate); ok {
				all = append(all, s)
			}
		}
	}
	return all
}

// The method "cells" returns the cases of the statistical laws. Cases about a single key come first. Cheaper cases come
// before more expensive ones. The number of cases is fixed before the first test, so that each test has its share of
// the false-alarm probability.
func (x *examination) cells() []cell {
	p := &planner{x: x, seen: map[string]bool{}}
	grid := x.o.Shapes
	if grid == nil {
		grid = shapes
	}
	var sites []site
	for _, s := range grid {
		if s, ok := p.site(sizing{shape: s}); ok {
			sites = append(sites, s)
		}
	}
	for _, s := range sites {
		if s.d.g.K >= 3 && s.d.m() <= 1<<20 {
			p.own(s, randomKeys)
		}
	}
	for i, s := range sites {
		loads := []float64{0.04, 0.4}
		switch {
		case s.d.m() > 1<<21 && i%2 == 0:
			loads = []float64{1e-6}
		case s.d.m() > 1<<21:
			loads = []float64{0.02}
		case i%3 == 0:
			loads = append(loads, 0.9)
		}
		for _, target := range loads {
			p.usual(s, s.d.load(target), randomKeys, usualWork)
		}
	}
	if q := uint64(deepWork * x.o.Effort); x.o.Shapes == nil {
		if s, ok := p.site(sizing{shape: bloomproof.Geometry{M: 1 << 24, K: 10}}); ok && q >= 2*s.d.load(deepRate) {
			p.add(cell{site: s, n: s.d.load(deepRate), q: q, filters: 1, family: randomKeys})
		}
	}
	long, ok := p.site(sizing{shape: bloomproof.Geometry{M: 1 << 23, K: 10}})
	for _, f := range families.Structured() {
		if ok && x.o.Shapes == nil && f.Most > 1<<32 {
			p.quiet(long, familyWork, f)
		}
		if s, ok := p.site(sizing{shape: bloomproof.Geometry{M: 257, K: 7}}); ok {
			p.own(s, f)
		}
		if s, ok := p.site(sizing{shape: bloomproof.Geometry{M: 1024, K: 4}}); ok {
			p.usual(s, s.d.load(0.3), f, usualWork)
		}
		if f.Most > 1<<32 {
			if s, ok := p.site(sizing{shape: bloomproof.Geometry{M: 1 << 16, K: 7}}); ok {
				p.usual(s, s.d.load(0.05), f, usualWork)
			}
		}
	}
	p.exactSites(sites)
	for _, s := range sites {
		p.quiet(s, quietWork/float64(len(sites)), randomKeys)
	}
	if x.o.Shapes == nil && len(sites) > 0 {
		p.ownSites()
		bits := uint64(min(1, max(0x1p-6, x.o.Effort))*0x1p28) &^ 63 // a whole number of words
		if s, ok := p.site(sizing{shape: bloomproof.Geometry{M: bits, K: 11}}); ok {
			p.quiet(s, largeWork, randomKeys)
		}
	}
	if x.o.Huge {
		if s, ok := p.site(sizing{shape: bloomproof.Geometry{M: 1 << 33, K: 1}}); ok {
			p.add(cell{site: s, n: s.d.load(0x1p-14), q: 1 << 21, filters: 1, family: randomKeys})
		}
	}
	if len(p.left) > 0 {
		least := slices.MinFunc(p.left, func(a, b cell) int { return cmp.Compare(a.n, b.n) })
		x.note("left out at effort %g: %d cases, the smallest %v", x.o.Effort, len(p.left), least)
	}
	slices.SortStableFunc(p.cells, func(a, b cell) int { return a.octave(x.o.Effort) - b.octave(x.o.Effort) })
	return p.cells
}

// The method "octave" compares the number of operations of a cell with the usual number. The effort determines the
// usual number. Divide the number of operations of the cell by eight times the usual number. The method returns
// approximately the binary logarithm of this quotient, or 0 if the quotient is small.
func (c cell) octave(effort float64) int {
	work := float64(c.filters) * float64(2*c.n+c.q)
	return max(0, int(math.Log2(work/(8*usualWork*effort))))
}

// exactSites plans two cells that show small deviations. In the filters of the first cell, half of the bits are set.
// From the values of k that the sites have, the value nearest to 4 is chosen. For the second cell, the least available
// k above 1 is chosen. With this k, a filter shows most clearly if some look-ups test one position too few. If this
// happens for a share s of all keys, the rate rises by about s*fill^(k-1). If few bits are set, about 1/s^2 look-ups
// are enough to detect this increase.
func (p *planner) exactSites(sites []site) {
	sites = slices.DeleteFunc(slices.Clone(sites), func(s site) bool { return s.d.g.K < 2 || s.d.m() > 1<<16 })
	if len(sites) == 0 {
		return
	}
	by := func(better func(s site) int) site {
		return slices.MinFunc(sites, func(a, b site) int { return better(a) - better(b) })
	}
	// Take the site whose number of positions is closest to 4. Several sites may be equally close. Then take the first
	// of these with at least 1024 bits. If all are smaller, take the largest.
	half := by(func(s site) int { return max(s.d.g.K-4, 4-s.d.g.K)<<20 + max(0, 1024-int(s.d.m())) })
	p.exact(half, half.d.load(math.Ldexp(1, -half.d.g.K)), exactWork/3)
	few := by(func(s site) int { return s.d.g.K<<20 - int(s.d.m()) })
	k := float64(few.d.g.K)
	fill := max(1.0/32, (k-2)/(k-1)) // the maximum of fill^(k-2) (1-fill)
	p.exact(few, few.d.load(math.Pow(fill, k)), exactWork)
	if filters := uint64(distinctFilters * p.x.o.Effort); filters > 1 {
		p.add(cell{site: few, n: 1, q: 1, filters: min(filters, 1<<16), family: randomKeys, one: true})
	}
}

// At effort 1, the examination makes distinctFilters filters with one key each. It counts the set bits of each of these
// filters. Suppose that one key in 256 has one position too few. With distinctFilters filters, the examination detects
// this fault.
const distinctFilters = 1 << 13

// ownSites plans cells for filters. The subject chooses the sizes of these filters. The subject makes a filter for a
// stated number of items. In some of the cells, about this number of items is added. The other cells are like those of
// the methods "quiet" and exactSites.
func (p *planner) ownSites() {
	all := p.x.own()
	for i, s := range all {
		at, ok := p.site(s)
		if !ok {
			continue
		}
		n, rate := s.order.items, s.order.rate
		loads := []uint64{n, 2 * n}
		switch {
		case n == all[0].order.items:
			loads = []uint64{max(1, n/4), max(1, n/2), n, 2 * n}
		case i%2 == 0:
			loads[1] = n / 4
		}
		for _, load := range loads {
			p.usual(at, load, randomKeys, usualWork)
		}
		switch {
		case n == max(1000, all[0].order.items) && rate == 1e-5:
			p.quiet(at, sizedWork, randomKeys)
		case n == max(1000, all[0].order.items) && rate == 1e-3:
			p.exact(at, n, exactWork/3)
		case n == 1e5 && rate == 1e-5:
			p.quiet(at, sizedWork/25, randomKeys)
		}
	}
}
