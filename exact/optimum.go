package exact

import (
	"cmp"
	"fmt"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// The type Optimum describes a filter in which one parameter has its best value.
type Optimum struct {
	Geometry bloomproof.Geometry // the filter; its K is the least of all k with the same rate
	N        uint64              // number of items
	Last     int                 // all allowed k from K to Last have the same rate, and no other k has a smaller rate
	Rate     Enclosure

	// Assumes is the text of the unproven assumption on which the choice of K rests. It is empty if the choice is
	// proven, that is, if all other k were compared or excluded by a bound. For most hashings the choice of N or M
	// needs no assumption. The reason is that the rate grows as N grows, and falls as M grows. For all forms of double
	// hashing and for triple hashing, it is not known whether the rate falls as M grows. For these hashings, Assumes
	// also states the assumption about M.
	Assumes string
}

// These texts state the possible assumptions. An assumption is needed only for parameters whose rates were not
// compared. The result of every comparison is certain.
const (
	// The best k was compared with the next smaller and the next larger k. The assumption is that the rate, as a
	// function of k, has a single local minimum. This is not proven for standard and classic hashing.
	assumesUnimodal = "one minimum in k"
	// The best n was compared with n-1 and n+1. The assumption is that, as n grows, the efficiency rises up to one peak
	// and falls after it.
	assumesOnePeak = "one peak in n"
	// There are two assumptions. One assumption is that no n outside the searched range is better, whatever k is. The
	// other assumption is that, for each n in the range, the rate has only one local minimum in k.
	assumesNearby = "no better n outside of those searched, and one best k for each n"
)

// OptimalK returns the number k of positions with the lowest rate, for n items and the m bits of g. It searches all k
// up to 4096. For classic hashing k must also be at most m, and for partitioned hashing k must divide m. With blocks, m
// stands for the number of bits of a block in these two conditions. The K of g is ignored. Let f be the rate. Then the
// result is:
//
//	k* = argmin over k of f(m, n, k).
//
// For each other k, either a bound excludes it, or its rate is compared with the rate for the best k. Coq checks the
// theorems from which the bounds follow (verify/proof/theorems). Let f_S, f_C and f_P be the standard, classic and
// partitioned rates. Let mu_C be the mean number of set bits of a classic filter, and let x = (1-1/m)^n. Then, for all
// k from a to b:
//
//   - If x <= 1/2, then k = 1 is best, because 1-f <= k x^k <= x.
//   - f_S(k) >= (1-x^k)^k >= (1-x^a)^b.
//   - f_C(k) >= (1-(1-k/m)^(n-1))^k >= (1-(1-a/m)^(n-1))^b.
//   - f_P(k) = (1-(1-k/m)^n)^k >= (1-(1-a/m)^n)^b.
//   - f_C(k) >= C(mu_C,k)/C(m,k). For one item, f_C(k) = 1/C(m,k).
//
// With blocks, the rate f is the mean over i of the rates f_i of a block with i items. In this case the bounds above
// are bounds of f_i. Let N be the number of items of a block. Then f >= P[N >= i] f_i. So a lower bound of f follows
// from a lower bound of f_i. OptimalK uses several i. Let q_k be the probability that a given bit is unset if items
// have k positions. Because 1-f <= k q_k, k = 1 is best if k q_k < q_1 for all other k.
//
// For all forms of double hashing and for triple hashing, the search ends when three consecutive k are worse than the
// best k so far. The field Assumes of the result states this.
//
// Source: Burns (67), with argmin in place of min.
// Domain: 1 <= m < 2^64, 0 <= n < 2^64, prec is from 1 to MaxPrec. For n = 0 and for m = 1 all k have the same rate.
// Error: if Assumes is empty, k is certain; the relative width of the rate is at most 2^-prec.
// Cost: about 10 rates are computed. One more rate is computed for each k that the bounds do not exclude. The number of
// these additional rates is about 1.4 k/sqrt(n). If these rates would take more than about a second, OptimalK does not
// compute them. It then assumes that the rate has only one local minimum in k. The measured time is 1 ms for (m, n) =
// (2^40, 3*10^10), and about 0.1 s with blocks of 512 bits.
// Errors: *bloomproof.ParamError; ErrPrecision; ErrTooCostly. ErrTooCostly is returned only with blocks, if a rate
// exceeds the limits of FPR. ErrPrecision is returned if two rates agree to thousands of bits and their rationals are
// too large to compare.
func OptimalK(g bloomproof.Geometry, n uint64, prec uint) (Optimum, error) {
	if l, ok := ratesOf(g); ok {
		return optimalKByRate(l, g, n, prec)
	}
	g.K = 1
	of, err := sizerOf(g, prec)
	if err != nil {
		return Optimum{}, err
	}
	return optimalK(of, g.M, n, prec)
}

func optimalK(of sizer, m, n uint64, prec uint) (Optimum, error) {
	s := newKSearch(of, m, n)
	k, last, assumes, err := s.best()
	if err != nil {
		return Optimum{}, err
	}
	o := Optimum{Geometry: s.geometry(k), N: n, Last: last, Assumes: assumes}
	o.Rate, err = rateAt(of, o.Geometry, n, prec)
	return o, err
}

// checkSizing checks the arguments of MostItems and LeastBits. These functions search among many filters. The result,
// which has the type sizer, represents these filters. LeastBits passes a geometry g whose field M is 0.
func checkSizing(g bloomproof.Geometry, p *big.Rat, prec uint) (sizer, error) {
	if g.K < 0 || g.K > bloomproof.MaxK {
		return nil, &bloomproof.ParamError{Param: "k", Value: g.K, Want: fmt.Sprintf("between 1 and %d, or 0 for the best", bloomproof.MaxK)}
	}
	g.K = max(1, g.K)
	if g.M == 0 {
		g.M = uint64(g.K)
		if g.Block != 0 {
			g.M = g.Block
		}
	}
	of, err := sizerOf(g, prec)
	if err != nil {
		return nil, err
	}
	return of, checkTarget(p)
}

// MostItems returns the largest n for which a filter of shape g has a rate of at most p. If g.K is 0, it uses the best
// k for each n. Then the result is n_max:
//
//	n_max = max {n : min over k of f(m, n, k) <= p}.
//
// Source: Burns 3.4, before (66). The paper gives the smallest n whose rate is above p.
// Domain: 1 <= m < 2^64, 0 < p < 1, prec is from 1 to MaxPrec. The answer is 0 if even one item is too many. More
// insertions set more bits, so the rate f grows with n. The minimum of f over k grows with n too. Therefore two facts
// prove that the answer is n: f <= p for n items, and f > p for n+1 items. Coq checks this theorem, also for filters
// with blocks: see LeastBits.
// Error: n is certain; K is as certain as in OptimalK; the relative width of the rate is at most 2^-prec. For enhanced
// double hashing and triple hashing, computing the exact rate can take too long. In that case MostItems uses the upper
// bound that FPR returns for the route "pairs". The field Assumes states this. The field Rate is then the enclosure
// that this route returns. This enclosure is wider.
// Cost: if k is given, about 4 rates are computed. If g.K is 0, the cost is about three times the cost of
// OptimalK.
// Errors: *bloomproof.ParamError; ErrRange; ErrPrecision; ErrTooCostly. ErrRange is returned where the answer is 2^64-1
// or more. The conditions for ErrPrecision and ErrTooCostly are the same as for OptimalK.
func MostItems(g bloomproof.Geometry, p *big.Rat, prec uint) (Optimum, error) {
	if g.M < 1 {
		return Optimum{}, &bloomproof.ParamError{Param: "m", Value: g.M, Want: "between 1 and 2^64-1"}
	}
	if l, ok := ratesOf(g); ok {
		return mostItemsByRate(l, g, p, prec)
	}
	of, err := checkSizing(g, p, prec)
	switch {
	case err != nil:
		return Optimum{}, err
	case g.K > 0:
		n, err := mostItems(of, g, p)
		if err != nil {
			return Optimum{}, err
		}
		return fixedK(of, g, n, prec)
	case g.M == 1: // the rate is 1 after any item
		return optimalK(of, g.M, 0, prec)
	}
	n, assumes := uint64(0), ""
	for at := (newKSearch(of, g.M, 1).nearest(hashesFor(p))); ; {
		g.K = at
		more, err := mostItems(of, g, p)
		if err != nil {
			return Optimum{}, err
		}
		n = max(n, more)
		s := newKSearch(of, g.M, n+1)
		var beyond string
		if at, _, beyond, err = s.best(); err != nil {
			return Optimum{}, err
		}
		order, err := cmpRate(of, s.geometry(at), n+1, p)
		if err != nil {
			return Optimum{}, err
		}
		if order > 0 {
			assumes = cmp.Or(assumes, beyond)
			break
		}
	}
	o, err := optimalK(of, g.M, n, prec)
	o.Assumes = cmp.Or(o.Assumes, assumes)
	return o, err
}

// fixedK returns an Optimum for the geometry g with n items. The number k of positions is given in g.
func fixedK(of sizer, g bloomproof.Geometry, n uint64, prec uint) (Optimum, error) {
	e, err := rateAt(of, g, n, prec)
	return Optimum{Geometry: g, N: n, Last: g.K, Rate: e}, err
}

// mostItems returns the largest n for which the rate f of a filter of shape g is at most p.
func mostItems(of sizer, g bloomproof.Geometry, p *big.Rat) (uint64, error) {
	if of.full(g) {
		return 0, nil
	}
	n, err := lastTrue(0, mostN, of.guessItems(g, p), func(n uint64) (bool, error) {
		order, err := cmpRate(of, g, n, p)
		return order <= 0, err
	})
	if err == nil && n == mostN {
		err = fmt.Errorf("n is 2^64-1 or more: %w", refuse.ErrRange)
	}
	return n, err
}

// LeastBits returns the smallest number m of bits for which the rate of a filter with n items is at most p. The filter
// has the K and the hashing of g. If g.K is 0, it uses the best k for each m. The M of g is ignored. For partitioned
// hashing m is a multiple of k. With blocks m is a multiple of Block, and k has the same limits as in OptimalK. If g.K
// is 0, the result is m_min:
//
//	m_min = min {m : min over k of f(m, n, k) <= p}.
//
// The answer is certain, because the rate f grows as n grows, and falls as m grows. With blocks, f falls as the number
// of blocks grows. Coq checks these theorems, in size.v and size_blocked.v of verify/proof/theorems. The idea of the
// proof is as follows. Let X be the number of bits that the n items and the queried item occupy together. Then f =
// E[h(X)] for a function h. X grows stochastically with m. Let b be a value of X. Two numbers are log-concave functions
// of b, and therefore h decreases. One number is b!*S(N,b), where S(N,b) is a Stirling number of the second kind. The
// other number is the number of ways in which n committees of size k can cover b people.
//
// For all forms of double hashing and for triple hashing, it is not known whether f falls as m grows. For a given k,
// small m are excluded by a lower bound of f. This bound falls as m grows. All larger m up to the answer are tried if
// there are not too many of them. The limit is 2048 for k <= 9, and smaller for larger k (see hashing_double_sizes.go).
// Otherwise the field Assumes names the m that were not tried. If g.K is 0, Assumes also states the assumption about K.
//
// Source: Burns 3.4, before (66). The paper gives the largest m whose rate is above p.
// Domain: 0 <= n < 2^64, 0 < p < 1, prec is from 1 to MaxPrec.
// Error, Cost: as for MostItems.
// Errors: *bloomproof.ParamError; ErrRange; ErrPrecision; ErrTooCostly. ErrRange is returned where the answer is above
// 2^64-1. The conditions for ErrPrecision and ErrTooCostly are the same as for OptimalK.
func LeastBits(g bloomproof.Geometry, n uint64, p *big.Rat, prec uint) (Optimum, error) {
	if l, ok := ratesOf(g); ok {
		return leastBitsByRate(l, g, n, p, prec)
	}
	g.M = 0
	of, err := checkSizing(g, p, prec)
	switch {
	case err != nil:
		return Optimum{}, err
	case g.K > 0:
		if g.M, err = leastBits(of, n, g.K, p); err != nil {
			return Optimum{}, err
		}
		return fixedK(of, g, n, prec)
	case n == 0:
		step, least := of.stepM(1)
		return optimalK(of, max(least, 1)*step, 0, prec)
	}
	m, assumes, err := of.leastBitsAnyK(n, p)
	if err != nil {
		return Optimum{}, err
	}
	o, err := optimalK(of, m, n, prec)
	o.Assumes = cmp.Or(o.Assumes, assumes)
	return o, err
}

// climbLeastBits finds the smallest m for the best k. It first computes the smallest m for the given k. It then looks
// at the next smaller number of bits. If the best k for this number has a rate of at most p, climbLeastBits repeats the
// computation with this k.
func climbLeastBits(of sizer, n uint64, k int, p *big.Rat) (m uint64, assumes string, err error) {
	m, err = leastBits(of, n, k, p)
	if err != nil {
		return 0, "", err
	}
	step, _ := of.stepM(1)
	for m > step {
		s := newKSearch(of, m-step, n)
		k, _, assumes, err := s.best()
		if err != nil {
			return 0, assumes, err
		}
		order, err := cmpRate(of, s.geometry(k), n, p)
		if err != nil || order > 0 {
			return m, assumes, err
		}
		if m, err = leastBits(of, n, k, p); err != nil {
			return 0, assumes, err
		}
	}
	return m, "", nil
}

// leastBits returns the smallest m for which the rate f with n items and k positions is at most p.
func leastBits(of sizer, n uint64, k int, p *big.Rat) (uint64, error) {
	const mostM = 1<<64 - 1
	step, least := of.stepM(k)
	if n == 0 {
		return max(least, 1) * step, nil
	}
	// The search for x begins at the value of the variable "least". For this x, either the rate is 1, or there is no
	// filter with x*step bits.
	x, err := lastTrue(least, mostM/step, of.guessBits(n, k, p)/step, func(x uint64) (bool, error) {
		order, err := cmpRate(of, of.shape(x*step, k), n, p)
		return order > 0, err
	})
	if err == nil && x == mostM/step {
		err = fmt.Errorf("m is above 2^64-1: %w", refuse.ErrRange)
	}
	return (x + 1) * step, err
}

// logTarget returns ln p, where p is the target rate.
func logTarget(p *big.Rat, work uint) *interval.Interval {
	if p.Cmp(big.NewRat(1, 2)) < 0 {
		return interval.New(work).Log(interval.New(work).SetRat(p))
	}
	x := interval.New(work).SetRat(new(big.Rat).Sub(p, big.NewRat(1, 1)))
	return x.Log1p(x)
}
