package like

import (
	"fmt"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/sim"
)

// A Rate is an answer about a false-positive rate. The field Law says whether the answer is proven or simulated.
// Exactly one of the fields Proven and Simulated is nil.
type Rate struct {
	Law       Law
	Proven    *exact.Enclosure // set for Exact and Enclosed; for Enclosed it can be wide
	Simulated *sim.Interval    // set for Simulated: the 99 % interval
	high      float64          // set for Simulated: the upper end with the confidence of one simulation in a search
}

// Bounds returns the two ends of the Rate in float64, rounded to the nearest.
func (r Rate) Bounds() (low, high float64) {
	if r.Proven == nil {
		return r.Simulated.Low, r.Simulated.High
	}
	low, _ = r.Proven.Lo().Float64()
	high, _ = r.Proven.Hi().Float64()
	return low, high
}

// The function "proven" returns a Rate that has been proven. The proven enclosure of the rate is the argument e.
func proven(law Law, e exact.Enclosure, err error) (Rate, error) {
	if err != nil {
		return Rate{}, err
	}
	return Rate{Law: law, Proven: &e}, nil
}

// Rate returns the false-positive rate of the filter with m bits and k positions after n keys. An Exact rate is an
// enclosure of relative width at most 2^-prec. An Enclosed rate has a proven lower and a proven upper bound. A
// Simulated rate is the 99 % interval of a simulation. Some Enclosed filters have wide bounds at small sizes. If the
// bounds are more than 5 % apart, the rate comes from a simulation. If a simulation is too costly, the wide bounds are
// returned.
//
// Domain: m and k as for the method Geometry; n < 2^64; prec from 1 to exact.MaxPrec.
// Cost: a few calls of exact.FPR; a simulation takes about a second.
// Errors: *bloomproof.ParamError; the errors of exact.FPR; bloomproof.ErrTooCostly. The error ErrTooCostly
// means that the filter is too large to simulate, or that the rate is too small to observe. Its text names the limit.
func (f *Filter) Rate(m uint64, k int, n uint64, prec uint) (Rate, error) {
	return f.drawn(m, k, n, prec, seed)
}

// The method "drawn" does what Rate does, with a given seed for the simulation.
func (f *Filter) drawn(m uint64, k int, n uint64, prec uint, seed uint64) (Rate, error) {
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
		return simulated(g, n, f.twin, seed)
	}
	law := f.Law
	e, err := f.rate(g, n, prec)
	if err == nil && e.RelBits() >= int(prec) {
		law = Exact
	}
	if f.twin == nil || err == nil && narrow(e) {
		return proven(law, e, err)
	}
	r, failed := simulated(g, n, f.twin, seed)
	if failed != nil && (err != nil || e.Lo().Sign() > 0 || e.Hi().Cmp(big.NewFloat(1)) < 0) {
		return proven(law, e, err)
	}
	return r, failed // bounds of 0 and 1 give no information
}

// The function "simulated" simulates filters. It returns a Rate with the result in the field Simulated.
func simulated(g bloomproof.Geometry, n uint64, of twin, seed uint64) (Rate, error) {
	d, err := draw(g, n, of, mostPositions, seed)
	if err != nil {
		return Rate{}, err
	}
	x, err := d.interval(confidence)
	if err != nil {
		return Rate{}, err
	}
	wide, err := d.interval(1 - (1-confidence)/mostLooks)
	return Rate{Law: Simulated, Simulated: &x, high: wide.High}, err
}

// The constant "widest" is the largest permitted ratio of the upper bound to the lower one. If the ratio is larger, a
// simulation replaces the bounds. The interval of a simulation is about 4 % wide.
const widest = 1.05

// The function "narrow" reports whether the enclosure e is narrow. This means that its upper end is at most the
// constant "widest" times its lower end.
func narrow(e exact.Enclosure) bool {
	lo := new(big.Float).SetPrec(64).Set(e.Lo())
	return e.Hi().Cmp(lo.Mul(lo, big.NewFloat(widest))) <= 0
}

// A key has k independent hashes of h bits. Each hash is reduced modulo m <= 2^h. The function "reduced" encloses the
// rate of such a filter. Let a = floor(2^h/m)/2^h and b = ceil(2^h/m)/2^h. Each position has one of the two
// probabilities a and b. Then
//
//	(m a)^k f_S(ceil(1/a), k, n) <= f <= (m b)^k f_S(floor(1/b), k, n).
//
// Here f_S(m,k,n) is the rate of standard hashing with m bits, k positions and n keys. Consider a choice of the queried
// key's positions. Its true probability is at most (m*b)^k times its probability for uniform positions. Given these
// positions, let P be the probability that all of them are set. Suppose that one of these positions becomes more
// probable. Then the positions that do not belong to the key become less probable. So P grows, because some draws that
// missed all of the key's positions now hit one. Suppose that each of these positions had probability b. Then P would
// be at least as large. Let m' = floor(1/b). Now suppose that the filter had only m' positions. Then each position
// would have the probability 1/m', which is at least b. So P would not be smaller. P falls as the number of distinct
// positions of the key grows. If the key's positions are drawn uniformly from m' <= m positions, fewer of them are
// distinct, and P is larger. The lower bound is proven in the same way, with a in place of b.
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
