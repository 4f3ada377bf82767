package like

import (
	"fmt"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/sim"
)

// A Rate is what is known of a false-positive rate, as its Law says: one of the other two is nil.
type Rate struct {
	Law       Law
	Proven    *exact.Enclosure // Exact, or Enclosed, where it can be wide
	Simulated *sim.Interval    // Simulated: 99 %
}

// Bounds returns the ends of what is known in float64, rounded to the nearest.
func (r Rate) Bounds() (low, high float64) {
	if r.Proven == nil {
		return r.Simulated.Low, r.Simulated.High
	}
	low, _ = r.Proven.Lo().Float64()
	high, _ = r.Proven.Hi().Float64()
	return low, high
}

// proven returns the Rate of an enclosure.
func proven(law Law, e exact.Enclosure, err error) (Rate, error) {
	if err != nil {
		return Rate{}, err
	}
	return Rate{Law: law, Proven: &e}, nil
}

// Rate returns the false-positive rate of the filter with m bits and k positions after n keys: Exact with a
// relative width of at most 2^-prec, Enclosed between two proven numbers, or Simulated with the 99 % interval.
// The bounds of some Enclosed filters are wide at small sizes. Where they are more than 5 % apart the
// rate is Simulated, unless that is too costly.
//
// Domain: the m and k of Geometry, n < 2^64, prec 1 to exact.MaxPrec.
// Cost: that of exact.FPR, some times; a simulation takes about a second.
// Errors: *bloomproof.ParamError; those of exact.FPR; bloomproof.ErrTooCostly, naming the limit, for
// what is too large to simulate or too rare to be seen.
func (f *Filter) Rate(m uint64, k int, n uint64, prec uint) (Rate, error) {
	g, err := f.Geometry(m, k)
	if err != nil {
		return Rate{}, err
	}
	if prec < 1 || prec > exact.MaxPrec {
		return Rate{}, &bloomproof.ParamError{Param: "prec", Value: prec, Want: fmt.Sprintf("between 1 and %d bits", exact.MaxPrec)}
	}
	if f.Independent() {
		e, _, err := exact.FPR(g, n, prec, exact.Auto)
		return proven(f.Law, e, err)
	}
	if f.rate == nil {
		return simulated(g, n, f.twin)
	}
	law := f.Law
	e, err := f.rate(g, n, prec)
	if err == nil && e.RelBits() >= int(prec) {
		law = Exact
	}
	if f.twin == nil || err == nil && narrow(e) {
		return proven(law, e, err)
	}
	r, failed := simulated(g, n, f.twin)
	if failed != nil && (err != nil || e.Lo().Sign() > 0 || e.Hi().Cmp(big.NewFloat(1)) < 0) {
		return proven(law, e, err)
	}
	return r, failed // bounds of 0 and 1 say nothing
}

// simulated returns the Rate of a simulation.
func simulated(g bloomproof.Geometry, n uint64, of twin) (Rate, error) {
	x, err := simulate(g, n, of, mostPositions)
	if err != nil {
		return Rate{}, err
	}
	return Rate{Law: Simulated, Simulated: &x}, nil
}

// widest is the most by which the upper bound is above the lower one where there is a simulation, which is
// about 4 % wide.
const widest = 1.05

// narrow reports whether the ends of e are near each other.
func narrow(e exact.Enclosure) bool {
	lo := new(big.Float).SetPrec(64).Set(e.Lo())
	return e.Hi().Cmp(lo.Mul(lo, big.NewFloat(widest))) <= 0
}

// reduced encloses the rate of k independent hashes of h bits, each reduced modulo m <= 2^h. A
// position then has a probability between a = floor(2^h/m)/2^h and b = ceil(2^h/m)/2^h.
//
//	(m a)^k f_S(ceil(1/a), k, n) <= f <= (m b)^k f_S(floor(1/b), k, n)
//
// The probability of each choice of positions of the key looked up is at most (m b)^k times that of
// uniform ones. Given these positions, the probability that all of them are set grows with the
// probability of each of them, where the others give way: a draw that missed them all then hits
// one. So it is at most that of positions with probability b each, and at most that of 1/m' each
// with m' = floor(1/b). It falls with their number of different ones, which is smaller for positions
// uniform among m' <= m. The lower bound is the same with a.
func reduced(h uint) rate {
	return func(g bloomproof.Geometry, n uint64, prec uint) (exact.Enclosure, error) {
		return rateReduced(g, n, uint64(1)<<h, prec)
	}
}

func rateReduced(g bloomproof.Geometry, n, all uint64, prec uint) (exact.Enclosure, error) {
	a, b := all/g.M, (all-1)/g.M+1
	side := func(m uint64, share uint64, end func(exact.Enclosure) *big.Float) (*big.Rat, error) {
		e, _, err := exact.FPR(bloomproof.Geometry{M: m, K: g.K}, n, prec, exact.Auto)
		if err != nil {
			return nil, err
		}
		x, _ := end(e).Rat(nil)
		r := new(big.Rat).SetFrac(new(big.Int).Mul(new(big.Int).SetUint64(g.M), new(big.Int).SetUint64(share)), new(big.Int).SetUint64(all))
		for range g.K {
			x.Mul(x, r)
		}
		return x, nil
	}
	lo, err := side((all-1)/a+1, a, exact.Enclosure.Lo)
	if err != nil {
		return exact.Enclosure{}, err
	}
	hi, err := side(all/b, b, exact.Enclosure.Hi)
	if err != nil {
		return exact.Enclosure{}, err
	}
	if one := big.NewRat(1, 1); hi.Cmp(one) > 0 {
		hi = one
	}
	down := new(big.Float).SetPrec(prec).SetMode(big.ToNegativeInf).SetRat(lo)
	up := new(big.Float).SetPrec(prec).SetMode(big.ToPositiveInf).SetRat(hi)
	return exact.NewEnclosure(down, up)
}

// A Size is an answer of Filter.LeastBits, BestK and MostItems.
type Size struct {
	M    uint64
	K    int
	N    uint64
	Rate Rate
	// Assumes says what the choice takes for granted, and is empty where it is proven.
	Assumes string
}

// What a choice takes for granted besides what exact says.
const (
	assumesIndependent = "m and k are those of independent positions"
	missesRate         = ", and miss the rate here"
	farApart           = "; the bounds of its rate are far apart, and a better answer may exist"
	assumesFalls       = "the rate falls with m, and k is that of independent positions"
	assumesUpper       = "the rate is as high as its upper bound"
	assumesBounded     = "the rate is as high as its upper bound and falls with m, and k is that of independent positions"
	assumesCap         = "the largest k of the library is its best"
)

// withK returns g with the k to be searched for: 0 for the best.
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

// within returns the choice of k with the library's cap.
func (f *Filter) within(o exact.Optimum) (k int, assumes string) {
	switch {
	case o.Geometry.K > f.k.hi:
		return f.k.hi, assumesCap
	case o.Geometry.K < f.k.lo:
		return f.k.lo, assumesCap
	}
	return o.Geometry.K, o.Assumes
}

// BestK returns the k of least rate for m bits and n keys, or k where it is not 0. For a Simulated
// filter it is the k of independent positions. Domain, cost and errors: those of exact.OptimalK.
func (f *Filter) BestK(m uint64, k int, n uint64, prec uint) (Size, error) {
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
	return f.rated(s, prec)
}

// rated returns s with its rate.
func (f *Filter) rated(s Size, prec uint) (Size, error) {
	var err error
	s.Rate, err = f.Rate(s.M, s.K, s.N, prec)
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

// LeastBits returns the least m that the library can have with a rate of at most p for n keys, with
// the best k, or with k where it is not 0. For an Enclosed filter the upper bound keeps the rate. Where the
// rate is Simulated, m and k are those of independent positions.
//
// The rate falls with m, so that the least m of the library is that of independent positions, rounded
// up to one that it can have.
//
// Domain, cost and errors: those of exact.LeastBits; bloomproof.ErrRange where the library has no such m.
func (f *Filter) LeastBits(n uint64, p *big.Rat, k int, prec uint) (Size, error) {
	g, err := f.withK(k)
	if err != nil {
		return Size{}, err
	}
	o, err := exact.LeastBits(g, n, p, prec)
	if err != nil {
		return Size{}, err
	}
	capped := o.Assumes
	if k, assumes := f.within(o); k != o.Geometry.K {
		g.K, capped = k, assumes
		if o, err = exact.LeastBits(g, n, p, prec); err != nil {
			return Size{}, err
		}
	}
	step := f.bits.step
	if f.slices {
		g.K = o.Geometry.K
		step *= uint64(g.K)
	}
	at := func(beyond uint64) (Size, bool, error) {
		m, ok := f.bits.up(o.Geometry.M)
		if ok && beyond <= (f.bits.hi-m)/step {
			m, ok = f.bits.up(m + beyond*step)
		} else {
			ok = false
		}
		if !ok {
			return Size{}, false, fmt.Errorf("the largest %s filter has %d bits, which do not keep the rate: %w", f.Name, f.bits.hi, bloomproof.ErrRange)
		}
		s, err := f.BestK(m, g.K, n, prec)
		s.Assumes = either(s.Assumes, capped)
		return s, err == nil && (f.rate == nil || atMost(s.Rate, p)), err
	}
	s, err := first(at)
	return s.missing(p), err
}

// missing returns s with what its choice takes for granted, where the simulated rate is above p for certain.
func (s Size) missing(p *big.Rat) Size {
	if x := s.Rate.Simulated; x != nil && new(big.Rat).SetFloat64(x.Low).Cmp(p) > 0 {
		s.Assumes = assumesIndependent + missesRate
	}
	return s
}

// first returns what at has for the least argument for which it reports true, as it then does for all
// larger ones.
func first(at func(uint64) (Size, bool, error)) (Size, error) {
	below, above := uint64(0), uint64(0) // above: the first known
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

// atMost reports whether a proven rate is at most p for certain, or is not proven.
func atMost(r Rate, p *big.Rat) bool {
	if r.Proven == nil {
		return true
	}
	hi, _ := r.Proven.Hi().Rat(nil)
	return hi.Cmp(p) <= 0
}

// MostItems returns the most keys with a rate of at most p in m bits, with the best k, or with k where
// it is not 0; 0 keys where even one is too many. Enclosed and Simulated filters: as LeastBits.
//
// Domain, cost and errors: those of exact.MostItems.
func (f *Filter) MostItems(m uint64, p *big.Rat, k int, prec uint) (Size, error) {
	g, err := f.withK(k)
	if err != nil {
		return Size{}, err
	}
	if _, err := f.Geometry(m, max(g.K, f.k.lo)); err != nil {
		return Size{}, err
	}
	g.M = m
	o, err := exact.MostItems(g, p, prec)
	if err != nil {
		return Size{}, err
	}
	if k, _ := f.within(o); k != o.Geometry.K {
		g.K = k
		if o, err = exact.MostItems(g, p, prec); err != nil {
			return Size{}, err
		}
	}
	s, err := first(func(fewer uint64) (Size, bool, error) {
		s, err := f.rated(Size{M: m, K: o.Geometry.K, N: o.N - min(o.N, fewer), Assumes: o.Assumes}, prec)
		return s, err == nil && (f.rate == nil || s.N == 0 || atMost(s.Rate, p)), err
	})
	return s.missing(p), err
}
