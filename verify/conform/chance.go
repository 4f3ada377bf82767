package conform

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/bloomproof/bloomproof/internal/sequential"
	"github.com/bloomproof/bloomproof/verify/conform/internal/families"
)

// The function cutOff returns a small probability. A sample is outside a certain range with at most this probability.
// The function "scaled" replaces such a sample by the nearer end of the range. The argument f is the approximate mean
// of the samples. The replacement changes the mean only a little. To allow for this change, the function "bet" widens
// the interval that is claimed for the mean.
func cutOff(f float64) float64 { return min(1e-5, max(1e-13, f/1000)) }

// A cell is one case in which the statistical laws are examined. All its filters are made in the same way. Each filter
// receives n keys of a family, for example random keys. Then q other keys of the family are looked up.
type cell struct {
	site
	n, q, filters uint64
	family        family
	one           bool // true if the cell is about the positions of a single key
}

// The method "laws" returns the three laws that a cell tests. The first law concerns the rate of the filters. The
// second law concerns the number of their set bits, and the third law concerns the positions of these bits.
func (c cell) laws() (rate, set, place Law) {
	switch {
	case c.family.Name != randomKeys.Name:
		return lawKeys, lawKeys, lawKeys
	case c.one:
		return lawDependence, lawSetBits, lawPlace
	}
	return lawRate, lawSetBits, lawPlace
}

// String returns, for example, "standard m=97 k=5, 11 random keys".
func (c cell) String() string { return fmt.Sprintf("%v, %d %s", c.d, c.n, c.family.Name) }

// Each of the partSizes is used by one test. The test divides the filter into parts of this size. It counts the pairs
// of positions of one key that lie in the same part. They are the sizes of a word, a cache line and a page, in bits.
// The last entry is 0. It stands for half of the filter. If there are too many such pairs, the positions of a key are
// too close together. If there are too few such pairs, the positions of a key are too evenly spread.
var partSizes = []uint64{64, 512, 1 << 15, 0}

// testsOfCell is the largest number of tests in a cell. The comment of the method "chance" lists seven tests. In
// addition there is one test of pairs for each of the four partSizes.
const testsOfCell = 7 + 4

// The method "chance" examines the statistical laws, and also the law "no false negative". A cell has at most
// testsOfCell tests. Two tests concern the rate. The first of them tests the mean rate of the filters. If there are few
// filters, it tests the rate of each filter. A rate also follows from the number of set bits. The second test compares
// the measured rate with this rate. Two tests concern the number of set bits: a betting test, and a test of the count
// itself. Three tests concern the positions of the set bits. The first tests all positions together, the second tests
// each bit by itself, and the third tests arithmetic progressions. In addition, there is one test for each entry of
// partSizes. It counts the pairs of positions of one key that lie in the same part. Three more kinds of tests are made
// outside the cells. The first kind tests the laws "stated rate" and "items". There are at most statedAsks tests of
// this kind. The second kind has one test for each kind of similar keys. The third kind tests filters with OwnRate.
func (x *examination) chance() {
	var all []cell
	if x.s.OwnRate == nil && slices.ContainsFunc(append([]Law{lawNoFalseNegative}, chanceLaws...), x.wants) {
		all = x.cells()
	}
	x.alpha = x.o.FalseAlarm / float64(testsOfCell*len(all)+statedAsks+len(neighbourKinds)+len(ownLoads)*(1+len(families.Structured())))
	if x.s.OwnRate != nil {
		x.ownRates()
		return
	}
	for i, c := range all {
		rate, set, place := c.laws()
		wanted := slices.DeleteFunc([]Law{rate, set, place, lawDependence, lawNoFalseNegative}, func(l Law) bool {
			return !x.wants(l) || l == lawDependence && !c.one
		})
		if len(wanted) > 0 { // a panic breaks the first of these laws
			x.guard(wanted[0], c.String(), func() { x.cell(c, uint64(i)) })
		}
	}
}

// The method "cell" examines one case. The argument "number" is the index of this case in the list of all cases. It
// makes filters until every test has an answer, or until the planned number of filters is reached.
func (x *examination) cell(c cell, number uint64) {
	n, q := c.n, c.q
	keys := &source{family: c.family, seed: mix(x.o.Seed ^ mix(number+1))}
	tests, err := x.newTests(c)
	if err != nil {
		x.note("%s: %v", x.where, err)
		return
	}
	for j := range c.filters {
		f, d, ok := x.filterOf(c.from)
		if !ok {
			return
		}
		if d != c.d {
			x.note("%s: the next filter is %v", x.where, d)
			return
		}
		if j == 0 {
			for range 20 {
				if x.s.Contains(f, keys.key(keys.take(1)%keys.Most)) {
					x.found(tests.rateLaw, "an empty filter contains a key")
				}
			}
			keys.next = 0
		}
		start := keys.take(n)
		x.fillWith(f, keys, start, n)
		if j < 8 || n < 64 {
			x.told[lawNoFalseNegative] = true
			x.asked(f, keys, start, n, func(i uint64, contained bool) bool {
				if !contained {
					x.found(lawNoFalseNegative, "key %d of %d, %q, is not contained", i+1, n, keys.key(start+i))
				}
				return contained
			})
		}
		tests.bits(f)
		hits, start := uint64(0), keys.take(q)
		x.asked(f, keys, start, q, func(_ uint64, contained bool) bool {
			if contained {
				hits++
			}
			return true
		})
		if tests.probes(hits) {
			break
		}
	}
	tests.end()
	tests.power()
}

// The type "tests" holds the tests of one cell while this cell is examined.
type tests struct {
	x                           *examination
	d                           model
	n, q                        uint64
	rateLaw, setLaw, placeLaw   Law
	fill, rate, cut, given, set between // ranges: bit probability, rate, its samples, rate given the bits, set bits
	distinct                    bool    // true if bySet tests whether a key's positions are distinct
	few                         bool    // true if there are few filters, so that each is tested separately
	byRate, bySet               *bets
	inOne, byBits, bySetCount   *sequential.CountTest
	present                     float64 // the rate given the counted bits; 0 if it is not known
	trials, expected            float64 // numbers of probes with known rate given the bits, and of expected hits
	byStep                      *bets
	stepMean                    float64
	regions                     []region
	parts                       []vicinity
	each                        []uint32 // for each bit, the number of filters in which it was set
	filters                     uint64   // the number of filters whose bits were tested
	asked                       uint64   // the number of filters in which keys were looked up
}

// The type "vicinity" has the data of a test. In this test, the array is divided into parts in one way. The field
// "size" is the number of bits of a part. Only the last part may have fewer bits. The test counts the pairs of
// positions of one key that lie in the same part. All pairs of different positions are equally likely. So the expected
// share of such pairs is known. It is the number of pairs of bits in the same part, divided by the number of all pairs
// of bits.
type vicinity struct {
	size uint64
	bet  *bets
}

// mostPaired is the largest k for which the pairs of a key's positions are counted.
const mostPaired = 64

// The method "paired" prepares the tests that count pairs of positions of one key. The two positions of a pair lie in
// the same part of the array.
func (t *tests) paired() error {
	m := t.d.m()
	if t.n > 1 || t.d.blocks > 1 || t.d.hashing().slices || t.d.g.K < 2 || t.d.g.K > mostPaired {
		return nil
	}
	for _, size := range partSizes {
		if size == 0 {
			size = m / 2
		}
		if size < 2 || size > m/2 || slices.ContainsFunc(t.parts, func(v vicinity) bool { return v.size == size }) {
			continue
		}
		whole, rest := float64(m/size), float64(m%size)
		mean := (whole*float64(size)*float64(size-1) + rest*max(0, rest-1)) / (float64(m) * float64(m-1))
		b, err := newBets(mean*(1-ulps), min(1, mean*(1+ulps)), t.x.alpha)
		if err != nil {
			return err
		}
		t.parts = append(t.parts, vicinity{size, b})
	}
	return nil
}

// A region is about half of the array. It has a test of the number of set bits in this half. A bit of the array belongs
// to the region if binary digit j of its index is 1. The lowest digit has j = 0.
type region struct {
	j     int
	size  float64
	count *sequential.CountTest
	bet   *bets
}

func (x *examination) newTests(c cell) (*tests, error) {
	d, n, q, filters := c.d, c.n, c.q, c.filters
	t := &tests{x: x, d: d, n: n, q: q, few: filters < 64}
	t.rateLaw, t.setLaw, t.placeLaw = c.laws()
	var err error
	if t.rate, err = d.rate(n); err != nil {
		return nil, err
	}
	tau := cutOff(t.rate.lo)
	level := tau
	if t.few {
		level = x.alpha / 2 / float64(filters)
	}
	if t.given, err = d.spread(n, level); err != nil {
		return nil, err
	}
	t.fill = d.fill(n)
	if t.set, err = d.setBits(n, cutOff(1)); err != nil {
		return nil, err
	}
	lo, hi, err := sequential.CountRange(float64(q), t.given.lo, t.given.hi, tau)
	if err != nil {
		return nil, err
	}
	t.cut = between{lo / float64(q), max(hi/float64(q), 1e-9)}
	if t.inOne, err = sequential.NewCountTest(x.alpha / 2); err != nil {
		return nil, err
	}
	if t.bySetCount, err = sequential.NewCountTest(x.alpha); err != nil {
		return nil, err
	}
	if t.byBits, err = sequential.NewCountTest(x.alpha); err != nil {
		return nil, err
	}
	if t.byRate, err = bet(t.rate, t.cut, 2*tau, x.alpha); err != nil {
		return nil, err
	}
	m := float64(d.m())
	mean := between{t.fill.lo * m, t.fill.hi * m}
	if n == 1 && d.hashing().coincide {
		// Each filter has one key. The test uses the number of filters in which all k positions of the key are
		// distinct. A test of the number of distinct positions of each key would find only larger faults.
		distinct := 1.0
		for i := range d.g.K {
			distinct *= max(0, 1-float64(i)/float64(d.g.M))
		}
		mean, t.set, t.distinct = near(distinct), between{0, 1}, true
	}
	if t.bySet, err = bet(mean, t.set, cutOff(1)*m, x.alpha); err != nil {
		return nil, err
	}
	if x.s.Words != nil {
		return t, t.places(filters)
	}
	return t, nil
}

// The function "bet" returns a test of the claim that the mean of the samples lies between mean.lo and mean.hi. The
// argument "cut" is a range. A sample outside this range is replaced by the nearer end of the range. This changes the
// mean by at most the value of the argument "moved". Then the samples are scaled to [0, 1]. The result is nil if the
// samples cannot vary.
func bet(mean, cut between, moved, alpha float64) (*bets, error) {
	width := cut.hi - cut.lo
	if !(width > 0) {
		return nil, nil
	}
	lo := max(0, (mean.lo-cut.lo-moved)/width)
	hi := min(1, (mean.hi-cut.lo+moved)/width)
	if lo >= 1 || hi <= 0 || lo > hi {
		return nil, nil
	}
	return newBets(lo, hi, alpha)
}

// The argument "cut" is a range. If a sample v is outside this range, the function "scaled" replaces it by the nearer
// end of the range. Then it maps the range linearly to [0, 1].
func scaled(v float64, cut between) float64 {
	return min(1, max(0, (v-cut.lo)/(cut.hi-cut.lo)))
}

// The method "places" prepares the tests of the positions of set bits. The argument "filters" is the planned number of
// filters.
func (t *tests) places(filters uint64) error {
	indices := bits.Len64(t.d.m() - 1)
	alpha := t.x.alpha / float64(max(1, indices))
	for j := range indices {
		r := region{j: j}
		pair := uint64(2) << j
		r.size = float64(t.d.m()/pair*(pair/2) + max(t.d.m()%pair, pair/2) - pair/2)
		var err error
		if t.d.blocks == 1 {
			r.count, err = sequential.NewCountTest(alpha)
		} else {
			r.bet, err = bet(t.fill, between{0, 1}, 0, alpha)
		}
		if err != nil {
			return err
		}
		t.regions = append(t.regions, r)
	}
	if t.d.m() <= 4096 && t.n > 1 {
		t.each = make([]uint32, t.d.m())
	}
	// This test counts keys with three positions that form an arithmetic progression modulo m. Three distinct positions
	// form such a progression if one of them is midway between the other two. This is equally likely for each of the
	// three. There are C(m,3) triples of positions. If neither 2 nor 3 divides m, then m(m-1)/2 of these triples form a
	// progression.
	g := t.d.g
	if m := float64(g.M); t.d.blocks == 1 && t.n == 1 && g.K >= 3 && !t.d.hashing().slices && g.M%2 == 1 && g.M%3 != 0 && g.M > 3 {
		t.stepMean = 3 / (m - 2)
		var err error
		if t.byStep, err = newBets(t.stepMean*(1-ulps), min(1, t.stepMean*(1+ulps)), t.x.alpha); err != nil {
			return err
		}
	}
	return t.paired()
}

// The method "bits" runs the tests of the set bits on one filter, after all its keys were added.
func (t *tests) bits(f filter) {
	x := t.x
	t.filters++
	var words []uint64
	if x.s.Words != nil {
		words = x.s.Words(f)
		x.told[t.placeLaw] = true
	}
	if x.s.Bits == nil && words == nil {
		return
	}
	x.told[t.setLaw] = true
	t.present = 0
	var set uint64
	for _, w := range words {
		set += uint64(bits.OnesCount64(w))
	}
	if x.s.Bits != nil {
		if b := x.s.Bits(f); words != nil && b != set {
			x.found(t.setLaw, "the filter counts %d set bits, its array has %d", b, set)
		} else {
			set = b
		}
	}
	if t.d.blocks == 1 && !t.d.hashing().slices {
		t.present = t.d.rateOf(float64(set))
	}
	least, most := t.d.possible(t.n)
	if v := float64(set); v < least || v > most {
		x.found(t.setLaw, "%d bits are set, and there must be %.0f to %.0f", set, least, most)
	} else {
		count, per := t.d.units()
		t.judge(t.setLaw, "set bits", t.bySetCount.Add(v/per, count, t.fill.lo, t.fill.hi), t.bySetCount)
		if what := "share of set bits, scaled"; t.bySet != nil {
			if t.distinct {
				what = "share of keys with distinct positions"
				v = max(0, v-most+1)
			}
			t.judge(t.setLaw, what, t.bySet.Add(scaled(v, t.set)), t.bySet)
		}
	}
	if words != nil {
		t.where(words)
	}
}

// The method "where" tests which bits of a filter are set. Some tests count the set bits in a region of the array.
// Others look at single bits. There are also tests of arithmetic progressions and of parts of the array.
func (t *tests) where(words []uint64) {
	for i := range t.regions {
		r := &t.regions[i]
		set := 0.0
		for w, word := range words {
			set += float64(bits.OnesCount64(word & stripe(r.j, w)))
		}
		what := fmt.Sprintf("bits of indices with 2^%d", r.j)
		if r.count != nil {
			t.judge(t.placeLaw, what, r.count.Add(set, r.size, t.fill.lo, t.fill.hi), r.count)
		} else if r.bet != nil {
			t.judge(t.placeLaw, what, r.bet.Add(set/r.size), r.bet)
		}
	}
	for w, word := range words {
		for ; word != 0 && t.each != nil; word &= word - 1 {
			if i := w*64 + bits.TrailingZeros64(word); i < len(t.each) {
				t.each[i]++
			}
		}
	}
	if t.byStep == nil && t.parts == nil {
		return
	}
	var p []uint64
	for w, word := range words {
		for ; word != 0; word &= word - 1 {
			p = append(p, uint64(w*64+bits.TrailingZeros64(word)))
		}
	}
	for _, part := range t.parts {
		pairs, near := len(p)*(len(p)-1)/2, 0
		for a := range p {
			for b := range a {
				if p[a]/part.size == p[b]/part.size {
					near++
				}
			}
		}
		if pairs > 0 {
			t.x.told[t.stepLaw()] = true
			t.judge(t.stepLaw(), fmt.Sprintf("share of pairs of positions in the same %d bits", part.size), part.bet.Add(float64(near)/float64(pairs)), part.bet)
		}
	}
	if d := len(p); t.byStep != nil && d >= 3 {
		found, m := 0, t.d.g.M
		for a := range p {
			for b := range a {
				for c := range b {
					u, v, w := p[a], p[b], p[c]
					if (u+v)%m == 2*w%m || (u+w)%m == 2*v%m || (v+w)%m == 2*u%m {
						found++
					}
				}
			}
		}
		t.x.told[lawDependence] = true
		t.judge(t.stepLaw(), "share of arithmetic progressions among three positions", t.byStep.Add(float64(found)/float64(d*(d-1)*(d-2)/6)), t.byStep)
	}
}

// stepLaw returns the law that is broken if the test of arithmetic progressions fails.
func (t *tests) stepLaw() Law {
	if t.rateLaw == lawKeys {
		return lawKeys
	}
	return lawDependence
}

// The function "stripe" returns a mask of 64 bits for word w of the array. Each bit of the array has an index. The mask
// selects each bit whose index has a 1 as binary digit j.
func stripe(j, w int) uint64 {
	if j >= 6 {
		return -uint64(w >> (j - 6) & 1)
	}
	return [...]uint64{0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000}[j]
}

// New keys were looked up in one filter. The method "probes" tests how many of these look-ups were hits. It returns
// true if no law of the cell needs further tests. A law needs none if it is already broken, or if the examination
// leaves it out.
func (t *tests) probes(hits uint64) bool {
	x := t.x
	x.told[t.rateLaw] = true
	t.asked++
	if t.few {
		t.judge(t.rateLaw, "probes that hit", t.inOne.Add(float64(hits), float64(t.q), t.given.lo, t.given.hi), t.inOne)
	} else if t.byRate != nil {
		share := float64(hits) / float64(t.q)
		if v := t.byRate.Add(scaled(share, t.cut)); v != sequential.Open {
			mean := t.cut.lo + t.byRate.Mean()*(t.cut.hi-t.cut.lo)
			x.found(t.rateLaw, "%v: a rate of %.6g in %d filters, want %.6g: %.4g times that", v, mean, t.byRate.N(), t.rate.lo, mean/t.rate.lo)
		}
	}
	if t.present > 0 {
		p := near(t.present)
		t.trials += float64(t.q)
		t.expected += float64(t.q) * p.hi
		t.judge(t.rateLaw, "probes that hit, given the set bits", t.byBits.Add(float64(hits), float64(t.q), p.lo, p.hi), t.byBits)
	}
	return !x.wants(t.rateLaw) && !x.wants(t.setLaw) && !x.wants(t.placeLaw)
}

func (t *tests) judge(l Law, what string, v sequential.Verdict, test fmt.Stringer) {
	if v != sequential.Open {
		t.x.found(l, "%s: %v", what, test)
	}
}

// The method "end" tests each bit separately, after the last filter. The filters are independent. The field "fill"
// contains the probability that a bit of a filter is set. For each bit several gamblers bet on the number of filters in
// which it was set. The test for a bit divides the initial stake evenly among these gamblers. So its fortune is the
// mean of their fortunes. This mean is at least the largest fortune divided by the number of gamblers. The test finds a
// fault if this quotient is large enough.
func (t *tests) end() {
	if t.each == nil || t.filters < 2 {
		return
	}
	n, p := float64(t.filters), (t.fill.lo+t.fill.hi)/2
	// If a bit is set with probability p, its odds are p/(1-p). The list has the factors of eight gamblers. Each of
	// them bets that the true odds are the claimed odds times the factor. A ninth gambler bets that the bit is always
	// set.
	odds := []float64{0, 0.25, 0.5, 0.75, 1.25, 1.5, 2, 4}
	bar := math.Log(float64(len(t.each)*(len(odds)+1)) / t.x.alpha)
	for i, c := range t.each {
		set := float64(c)
		best := math.Inf(-1)
		for _, o := range odds {
			gain := -n * math.Log1p(t.fill.hi*(o-1))
			if o < 1 {
				gain = -n * math.Log1p(t.fill.lo*(o-1))
			}
			if o > 0 {
				gain += set * math.Log(o)
			} else if set > 0 {
				gain = math.Inf(-1)
			}
			best = max(best, gain)
		}
		if c == uint32(t.filters) {
			best = max(best, -n*math.Log(t.fill.hi))
		}
		if best >= bar {
			t.x.found(t.placeLaw, "bit %d is set in %d of %d filters, want %.4g of them", i, c, t.filters, p*n)
			return
		}
	}
}
