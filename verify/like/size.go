package like

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/exact"
)

// A Size is an answer of the methods LeastBits, BestK and MostItems of a Filter.
type Size struct {
	M    uint64
	K    int
	N    uint64
	Rate Rate
	// Assumes has the assumptions behind the choice of m or k. It is empty if this choice is proven, or if the field
	// Tried is not 0.
	Assumes string
	// Tried is the number of sizes that were simulated to find this one. It is 0 if no simulation was needed.
	Tried int
}

// The choice of m or k may rest on assumptions. These texts name them. Package exact names further assumptions.
const (
	assumesIndependent = "k is that of independent positions"
	farApart           = "; the bounds of its rate are far apart, and a better answer may exist"
	assumesFewer       = "k is less than that of independent positions, which is too many here; a smaller m may keep the rate"
	assumesOwn         = "it is the library's own; a smaller m may keep the rate"
	assumesFalls       = "the rate falls with m, and k is that of independent positions"
	assumesUpper       = "the rate is as high as its upper bound"
	assumesBounded     = "the rate is as high as its upper bound and falls with m, and k is that of independent positions"
	assumesCap         = "the largest k of the library is its best"
)

// withK returns the geometry with independent positions and the given k. If k is 0, a search with this geometry finds
// the best k.
func (f *Filter) withK(k int) (bloomproof.Geometry, error) {
	if k == 0 && f.k.lo == f.k.hi {
		k = f.k.lo
	}
	if k != 0 && (k < f.k.lo || k > f.k.hi) {
		return f.ideal, &bloomproof.ParamError{Param: "k", Value: k, Want: f.k.String() + " for " + f.Name}
	}
	g := f.ideal
	g.K = k
	return g, nil
}

// The method "within" returns a k, and the assumptions of this choice. The optimum o has a number k of positions. If
// the library permits this k, the method chooses it. Otherwise it chooses the nearest k that the library permits.
func (f *Filter) within(o exact.Optimum) (k int, assumes string) {
	switch {
	case o.Geometry.K > f.k.hi:
		return f.k.hi, assumesCap
	case o.Geometry.K < f.k.lo:
		return f.k.lo, assumesCap
	}
	return o.Geometry.K, o.Assumes
}

// BestK returns the k with the lowest rate for m bits and n keys, or the given k if it is not 0. For a Simulated filter
// it returns the best k for independent positions. Domain, cost and errors: as for exact.OptimalK.
func (f *Filter) BestK(m uint64, k int, n uint64, prec uint) (Size, error) {
	return f.bestK(m, k, n, prec, seed)
}

// bestK does what BestK does, with a given seed for the simulation.
func (f *Filter) bestK(m uint64, k int, n uint64, prec uint, seed uint64) (Size, error) {
	g, err := f.withK(k)
	if err != nil {
		return Size{}, err
	}
	s := Size{M: m, K: g.K, N: n}
	if g.K == 0 {
		g.M = m
		o, err := exact.OptimalK(g, n, prec)
		if err != nil {
			return Size{}, err
		}
		s.K, s.Assumes = f.within(o)
	}
	return f.looked(s, prec, seed)
}

// The method "rated" computes or simulates the rate of the size s, and returns s with this rate.
func (f *Filter) rated(s Size, prec uint) (Size, error) { return f.looked(s, prec, seed) }

// The methods "looked" and "rated" do the same, but "looked" also has an argument for the seed of the simulation.
func (f *Filter) looked(s Size, prec uint, seed uint64) (Size, error) {
	var err error
	s.Rate, err = f.drawn(s.M, s.K, s.N, prec, seed)
	switch {
	case s.Rate.Law == Simulated:
		s.Assumes = assumesIndependent
	case f.twin != nil:
		s.Assumes = assumesBounded
		if s.Rate.Proven != nil && !narrow(*s.Rate.Proven) {
			s.Assumes += farApart
		}
	case f.Law == Enclosed:
		s.Assumes = either(s.Assumes, assumesUpper)
	case f.rate != nil:
		s.Assumes = either(s.Assumes, assumesFalls)
	}
	return s, err
}

// LeastBits returns the least m for which the rate for n keys is at most p. It considers only values of m that the
// library can have. It uses the best k, or the given k if it is not 0. For an Enclosed filter, the upper bound is at
// most p. If the rate is Simulated, the comment of the method "search" explains the meaning of the answer.
//
// As m grows, the rate falls. So with independent positions the answer is the least m, rounded up to an m that the
// library can have. For other derivations, the best k of independent positions may be too large. So log2(1/p) positions
// are tried too. The library's own choice for n and p is also tried. If the library's choice has a rate of at most p,
// the answer has no more bits than this choice.
//
// Domain, cost and errors: the same as for exact.LeastBits; bloomproof.ErrRange if the library has no such m.
func (f *Filter) LeastBits(n uint64, p *big.Rat, k int, prec uint) (Size, error) {
	s, err := f.leastBits(n, p, k, prec)
	tooMany := err == nil && s.Rate.Law != Simulated || errors.Is(err, bloomproof.ErrTooCostly)
	if k != 0 || f.Independent() || err != nil && !tooMany {
		return s, err
	}
	rate, _ := p.Float64()
	if few := min(max(f.k.lo, int(math.Ceil(-math.Log2(rate)))), f.k.hi); tooMany && (err != nil || few < s.K) {
		t, errFew := f.leastBits(n, p, few, prec)
		if t.Assumes = assumesFewer; errFew == nil && (err != nil || t.Rate.Law != Simulated && t.better(s)) {
			s, err = t, nil
		}
	}
	m, own, ok := f.Own(n, rate)
	if !ok || err == nil && m > s.M || f.k.lo > own || f.k.hi < own {
		return s, err
	}
	t, errOwn := f.looked(Size{M: m, K: own, N: n}, prec, seed+mostLooks)
	t.Assumes = assumesOwn
	if errOwn == nil && atMost(t.Rate, p) && (err != nil || t.better(s)) {
		if t.Rate.Law == Simulated {
			t.Tried = s.Tried + 1
		}
		return t, nil
	}
	return s, err
}

// The method "better" reports whether the size s is better than the size t. A size with a smaller m is better. If both
// have the same m, the size with the lower upper bound of the rate is better.
func (s Size) better(t Size) bool {
	_, a := s.Rate.Bounds()
	_, b := t.Rate.Bounds()
	return s.M < t.M || s.M == t.M && a < b
}

// leastBits does what LeastBits does, but always uses the best k for independent positions. If the given k is not 0, it
// uses that k.
func (f *Filter) leastBits(n uint64, p *big.Rat, k int, prec uint) (Size, error) {
	g, err := f.withK(k)
	if err != nil {
		return Size{}, err
	}
	o, capped, err := f.independentBits(&g, n, p, prec)
	if err != nil {
		return Size{}, err
	}
	step := f.bits.step
	if f.slices {
		g.K = o.Geometry.K
		step *= uint64(g.K)
	}
	none := fmt.Errorf("the largest %s filter has %d bits, which do not keep the rate: %w", f.Name, f.bits.hi, bloomproof.ErrRange)
	at := func(beyond uint64) (Size, bool, error) {
		m, ok := f.bits.up(o.Geometry.M)
		if ok && beyond <= (f.bits.hi-m)/step {
			m, ok = f.bits.up(m + beyond*step)
		} else {
			ok = false
		}
		if !ok {
			return Size{}, false, none
		}
		s, err := f.BestK(m, g.K, n, prec)
		s.Assumes = either(s.Assumes, capped)
		return s, err == nil && (f.Independent() || atMost(s.Rate, p)), err
	}
	s, ok, err := at(0)
	if err != nil || ok && s.Rate.Law != Simulated {
		return s, err
	}
	if s.Rate.Law != Simulated {
		multiple, err := f.multiple(s)
		if err != nil {
			return Size{}, err
		}
		if g.K > 0 || multiple < fewerFrom {
			return first(at)
		}
	}
	kept, failed, err := f.search(s, p, mostLooks-1, k == 0, func(last Size, want *big.Rat, fewer bool, seed uint64) (Size, error) {
		g := g
		if fewer {
			g.K = max(f.k.lo, last.K-1-last.K/8)
		}
		o, _, err := f.independentBits(&g, n, want, prec)
		if err != nil {
			return Size{}, err
		}
		least := last.M + 1
		if last.K != o.Geometry.K {
			least = 0
		}
		m, ok := f.bits.up(max(o.Geometry.M, least))
		if !ok {
			return Size{}, none
		}
		s, err := f.bestK(m, g.K, n, prec, seed)
		if g.K > 0 && k == 0 {
			s.Assumes = assumesFewer
		}
		return s, err
	})
	if err != nil {
		return Size{}, err
	}
	return f.closer(kept, failed, p, prec).proven(), nil
}

// The method "multiple" divides one rate by another. Both rates are for the size s. The numerator is the upper end of
// the filter's rate. The denominator is the rate that independent positions would have.
func (f *Filter) multiple(s Size) (float64, error) {
	g, err := f.Geometry(s.M, s.K)
	if err != nil {
		return 0, err
	}
	independent, err := approx.FPR(g, s.N)
	high := s.Rate.high
	if s.Rate.Proven != nil {
		_, high = s.Rate.Bounds()
	}
	return high / independent, err
}

// independentBits returns the least m for independent positions. The number k of positions must be one that the library
// permits. If the library does not permit the best k, independentBits sets k in g.
func (f *Filter) independentBits(g *bloomproof.Geometry, n uint64, p *big.Rat, prec uint) (o exact.Optimum, assumes string, err error) {
	o, err = exact.LeastBits(*g, n, p, prec)
	if err != nil {
		return o, "", err
	}
	assumes = o.Assumes
	if k, capped := f.within(o); k != o.Geometry.K {
		g.K, assumes = k, capped
		o, err = exact.LeastBits(*g, n, p, prec)
	}
	return o, assumes, err
}

// The method "search" uses these limits.
const (
	mostLooks   = 8    // the number of simulated sizes, including the library's own choice
	margin      = 0.01 // relative to the rate; it is more than the upper ends of simulations vary
	closeEnough = 20   // a size that keeps the rate should be at most 1/20 above one that does not
	fewerFrom   = 1.5  // if the rate is this multiple of the rate of independent positions, use fewer positions
)

// The method "search" simulates several sizes, beginning with the size for independent positions. It returns the first
// size whose rate is at most p. This is right with the confidence of the simulations. The function "next" returns the
// next size to try. Its argument "want" is the rate that independent positions should have at that size. If the
// argument "fewer" is true, it returns a size with fewer positions.
//
// Each size is simulated with its own random keys. The interval of each simulation is right with a confidence of 1 -
// 0.01/8. This holds for any results of earlier simulations. So with at most mostLooks simulations, all intervals
// together are right with 99 % confidence. LeastBits also simulates the size that the library itself would choose. This
// simulation also counts toward the limit mostLooks.
//
// The next size is chosen so that its expected rate is below p by a certain margin. Divide the rate by the rate of
// independent positions. The choice assumes that this ratio does not change. The upper end of an interval is about 2 %
// above the rate. Suppose that p is at most 0.01. With 0.6 % more bits, a filter has a lower rate. The rate falls by at
// least the sum of this distance and the margin. So if the ratio is about the same at both sizes, the answer is within
// 0.6 % of the least size. A large ratio comes from keys with few distinct positions. In this case the next size has
// fewer positions.
func (f *Filter) search(s Size, p *big.Rat, looks int, free bool, next func(last Size, want *big.Rat, fewer bool, seed uint64) (Size, error)) (kept, failed Size, err error) {
	want := p
	for tried := 1; ; tried++ {
		if s.Tried = tried; atMost(s.Rate, p) {
			return s, failed, nil
		}
		if tried == looks {
			return Size{}, s, fmt.Errorf("%d sizes were tried, and none keeps the rate: %w", tried, bloomproof.ErrTooCostly)
		}
		multiple, err := f.multiple(s)
		if err != nil {
			return Size{}, s, err
		}
		x := new(big.Rat).SetFloat64((1 - margin) / multiple)
		least := new(big.Rat).Mul(want, big.NewRat(99, 100)) // a smaller rate, so that the next size differs
		if x.Mul(x, p).Cmp(least) > 0 {
			x = least
		}
		want, failed = x, s
		if s, err = next(s, want, free && multiple >= fewerFrom, seed+uint64(tried)); err != nil {
			return Size{}, failed, fmt.Errorf("none of %d sizes that were tried keeps the rate, and of the next: %w", tried, err)
		}
	}
}

// The method "closer" gets two sizes. A filter of the size "kept" has a rate of at most p. The size "failed" has fewer
// bits. For this size, the test for a rate of at most p failed. The method repeatedly tries a size in the gap between
// the two, and so narrows the gap. It stops when the gap is small. It returns the smallest tried size whose rate is at
// most p. If there is none, it returns the size "kept".
func (f *Filter) closer(kept, failed Size, p *big.Rat, prec uint) Size {
	below := failed.M
	for tried := kept.Tried; below > 0 && kept.M > below && kept.M-below > below/closeEnough && tried < mostLooks-1; {
		m, ok := f.bits.up(uint64(math.Sqrt(float64(below) * float64(kept.M))))
		if !ok || m <= below || m >= kept.M {
			break
		}
		s := kept
		var err error
		if s.Rate, err = f.drawn(m, s.K, s.N, prec, seed+uint64(tried)); err != nil {
			break // the answer remains the size in the variable kept
		}
		tried++
		if s.M = m; atMost(s.Rate, p) {
			kept = s
		} else {
			below = m
		}
		kept.Tried = tried
	}
	return kept
}

// The method "proven" returns s. If no simulation was needed, it sets Tried to 0 in the result.
func (s Size) proven() Size {
	if s.Rate.Law != Simulated {
		s.Tried = 0
	}
	return s
}

// Let x be the least argument for which the function "at" reports true. The function "first" returns the value
// at x. The function "at" must also report true for all larger arguments.
func first(at func(uint64) (Size, bool, error)) (Size, error) {
	below, above := uint64(0), uint64(0) // above is the least argument known to be true
	best, ok, err := at(0)
	for step := uint64(1); err == nil && !ok; step *= 2 {
		below, above = above, above+step
		best, ok, err = at(above)
	}
	for err == nil && above-below > 1 {
		middle := below + (above-below)/2
		var s Size
		if s, ok, err = at(middle); ok {
			best, above = s, middle
		} else {
			below = middle
		}
	}
	return best, err
}

func either(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// atMost reports whether a rate is at most p. If the rate is proven, this answer is certain. Otherwise a simulation
// gives the answer. Then the answer is right only with a certain confidence. The comment of the method "search" states
// this confidence.
func atMost(r Rate, p *big.Rat) bool {
	high := new(big.Rat)
	if r.Proven == nil {
		high.SetFloat64(r.high)
	} else {
		r.Proven.Hi().Rat(high)
	}
	return high.Cmp(p) <= 0
}

// MostItems returns the largest number of keys such that the rate in m bits is at most p. It uses the best k, or the
// given k if it is not 0. It returns 0 if even one key is too many. For Enclosed and Simulated filters see LeastBits.
//
// Domain, cost and errors: the same as for exact.MostItems.
func (f *Filter) MostItems(m uint64, p *big.Rat, k int, prec uint) (Size, error) {
	g, err := f.withK(k)
	if err != nil {
		return Size{}, err
	}
	if _, err := f.Geometry(m, max(g.K, f.k.lo)); err != nil {
		return Size{}, err
	}
	g.M = m
	most := func(p *big.Rat) (exact.Optimum, error) {
		o, err := exact.MostItems(g, p, prec)
		if err != nil {
			return o, err
		}
		if k, _ := f.within(o); k != o.Geometry.K {
			g := g
			g.K = k
			return exact.MostItems(g, p, prec)
		}
		return o, nil
	}
	o, err := most(p)
	if err != nil {
		return Size{}, err
	}
	at := func(fewer uint64) (Size, bool, error) {
		s, err := f.rated(Size{M: m, K: o.Geometry.K, N: o.N - min(o.N, fewer), Assumes: o.Assumes}, prec)
		return s, err == nil && (f.Independent() || s.N == 0 || atMost(s.Rate, p)), err
	}
	s, ok, err := at(0)
	if err == nil && s.Rate.Law == Simulated {
		s, _, err := f.search(s, p, mostLooks, false, func(last Size, want *big.Rat, _ bool, seed uint64) (Size, error) {
			o, err := most(want)
			if err != nil {
				return Size{}, err
			}
			s := Size{M: m, K: o.Geometry.K, N: min(o.N, last.N-1), Assumes: o.Assumes}
			return f.looked(s, prec, seed)
		})
		return s.proven(), err
	}
	if err != nil || ok {
		return s, err
	}
	return first(at)
}
