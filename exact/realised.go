package exact

import (
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/occupancy"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
	"github.com/bloomproof/bloomproof/exact/internal/search"
)

// FPR returns the mean rate of all filters of one shape with n items. The functions in this file are about the rate of
// one filter. This rate depends on the number X of bits that the items of the filter have set. The rate of one filter
// is (X/m)^k for standard hashing and C(X,k)/C(m,k) for classic hashing. It grows with X. So the rate is at most a
// given number r if and only if X is at most some number b. Package occupancy encloses the probability that X <= b for
// filters of any size.

// The type "realised" represents a requirement: the rate of one filter must be at most f with probability c or more.
type realised struct {
	h    hashing
	f, c *big.Rat
}

// realisedOf returns a value of type realised for filters of shape g. It returns an error if there are no formulas for
// the rate of one filter of this shape.
func realisedOf(g bloomproof.Geometry, f, c *big.Rat) (realised, error) {
	h, err := hashingOf(g)
	if err != nil {
		return realised{}, err
	}
	return realised{h, f, c}, checkConfidence(c)
}

// checkConfidence returns an error if c is not above 0 and below 1.
func checkConfidence(c *big.Rat) error {
	if c == nil || c.Sign() <= 0 || c.Cmp(big.NewRat(1, 1)) >= 0 {
		return &bloomproof.ParamError{Param: "confidence", Value: c, Want: "above 0 and below 1"}
	}
	return fault.Part()
}

// RateQuantile returns a quantile of the rate of one filter after n insertions. This is the smallest number r such that
// the rate is at most r with probability c or more. For a partitioned filter with k > 1, r is computed as if all slices
// had the same number of set bits. With blocks, r is computed from a bound, and may be larger than the smallest such
// number. Without blocks, let b be the least number with P[X <= b] >= c, where X is the number of set bits. Then r is
// the rate of a filter with b set bits.
//
// Source: Burns (4) and (14) for the distribution of X; Burns (51) and (52) for the rate given X. No paper states the
// quantile.
// Domain: any number n of items is permitted. The number c must be between 0 and 1, and prec is 1 to MaxPrec.
// Error: the relative width of r is at most 2^-prec; r is a rational for k up to 64. The rate r is computed from a
// number b of set bits, and this b is certain. For a partitioned filter r is too large. The relative excess is of order
// k^2/m. For filters with blocks, r is an upper bound of the quantile. This bound follows from Chernoff's inequality
// for the rates of the blocks. The inequality applies because the numbers of items of the blocks are negatively
// associated. For 100 blocks of 64 bits with a rate of 0.035 and c = 0.9, r is about 17 % above the true quantile.
// Cost: about ten tail probabilities as in ItemsInterval.
// Errors: *bloomproof.ParamError; ErrTooCostly as for ItemsInterval.
func RateQuantile(g bloomproof.Geometry, n uint64, c *big.Rat, prec uint) (Enclosure, error) {
	if l, ok := blocksIn(g); ok {
		if err := checkConfidence(c); err != nil {
			return Enclosure{}, err
		}
		return l.rateQuantile(g, n, c, prec)
	}
	s, err := realisedOf(g, nil, c)
	if err == nil {
		err = precision.Check(prec)
	}
	if err != nil {
		return Enclosure{}, err
	}
	r, err := s.quantile(g, n)
	if err != nil {
		return Enclosure{}, err
	}
	return s.enclosed(g, r, prec), nil
}

// The method "enclosed" returns an enclosure of the quantile r.
func (s realised) enclosed(g bloomproof.Geometry, r *big.Rat, prec uint) Enclosure {
	if g.K <= rationalOrder {
		return exactly(r, prec)
	}
	return around(interval.New(prec + resultGuard).SetRat(r))
}

// The method "quantile" returns the number r that RateQuantile encloses, as an exact rational.
func (s realised) quantile(g bloomproof.Geometry, n uint64) (*big.Rat, error) {
	if n == 0 {
		return new(big.Rat), nil
	}
	b, _, err := search.FirstTrue(0, s.h.alike(g, n).QuantileGuess(s.c), func(b uint64) (bool, error) { return s.within(g, n, b) })
	return s.h.givenBits(g, b), err
}

// mostSet returns the largest number of set bits for which the rate is at most f.
func (s realised) mostSet(g bloomproof.Geometry) (uint64, error) {
	x := logTarget(s.f, guessWork)
	x.Quo(x, interval.New(guessWork).SetUint64(uint64(g.K)))
	x.Exp(x)
	x.Mul(x, interval.New(guessWork).SetUint64(g.M))
	guess, _ := x.Lo().Uint64()
	return lastTrue(0, g.M, guess, func(b uint64) (bool, error) {
		return s.h.givenBits(g, b).Cmp(s.f) <= 0, nil
	})
}

// The method "within" reports whether P[X <= b] >= c, where X is the number of set bits of a filter after n insertions.
func (s realised) within(g bloomproof.Geometry, n, b uint64) (bool, error) {
	order, err := s.h.compareBelow(g, n, b, s.c)
	return order >= 0, err
}

// The method "holds" reports whether the rate of one filter is at most f with probability c or more.
func (s realised) holds(g bloomproof.Geometry, n uint64) (bool, error) {
	b, err := s.mostSet(g)
	if err != nil {
		return false, err
	}
	return s.within(g, n, b)
}

// Each of these texts states an assumption about the result of a search. Suppose that the search for k compares
// quantiles. Then the next smaller k and the next larger k are certainly worse than the result. The assumption is that
// no other k is better. If the search does not compare quantiles, it returns the best k for the mean rate. If a filter
// has several slices, the result is computed from the total number of set bits only. In that case the filter in the
// result satisfies the requirement, but a smaller filter may satisfy it too.
const (
	assumesNearbyK = "one best k"
	assumesMeanK   = "the k of the least mean rate"
	assumesEven    = "slices equally full, the worst case"
)

// The method "sliced" reports whether filters with this hashing and k > 1 have several slices.
func (s realised) sliced() bool { return s.several(bloomproof.Geometry{M: 2, K: 2}) }

// The method "several" reports whether filters of shape g have several slices.
func (s realised) several(g bloomproof.Geometry) bool {
	_, slices := s.h.slices(g)
	return slices > 1
}

// SureK returns the k for which the result of RateQuantile is smallest. It also returns this result. OptimalK does the
// same for the mean rate.
//
// Source: none; see RateQuantile.
// Domain: as for RateQuantile; k has the same limits as in OptimalK.
// Error: k is certainly better than the next smaller and the next larger k; it is assumed that no other k is better.
// For partitioned hashing and for blocks, k is the result of OptimalK.
// Cost: a few calls of RateQuantile.
// Errors: as for RateQuantile, and as for OptimalK.
func SureK(g bloomproof.Geometry, n uint64, c *big.Rat, prec uint) (o Optimum, rate Enclosure, err error) {
	if l, ok := blocksIn(g); ok {
		if err := checkConfidence(c); err != nil {
			return Optimum{}, Enclosure{}, err
		}
		return l.sureK(g, n, c, prec)
	}
	g.K = 1
	s, err := realisedOf(g, nil, c)
	if err == nil {
		err = precision.Check(prec)
	}
	if err != nil {
		return Optimum{}, Enclosure{}, err
	}
	if mean, err := OptimalK(g, n, prec); err != nil {
		return Optimum{}, Enclosure{}, err
	} else if s.several(mean.Geometry) {
		return s.answer(mean.Geometry, n, nil, prec, assumesMeanK)
	}
	ks := newKSearch(plain{s.h}, g.M, n)
	if n > 0 && g.M > 1 {
		g.K = plain{s.h}.guessK(ks)
	}
	return s.bestK(g, n, prec)
}

// bestK starts from the k of g and changes k until it is better than the next smaller and the next larger k.
func (s realised) bestK(g bloomproof.Geometry, n uint64, prec uint) (Optimum, Enclosure, error) {
	least, err := s.quantile(g, n)
	if err != nil {
		return Optimum{}, Enclosure{}, err
	}
	for dir := range [2]int{} {
		for moved := n > 0; moved; {
			next := g
			next.K += 2*dir - 1
			moved = false
			if next.K < 1 || next.K > bloomproof.MaxK || !s.h.allows(g.M, next.K) {
				continue
			}
			r, err := s.quantile(next, n)
			if err != nil {
				return Optimum{}, Enclosure{}, err
			}
			if r.Cmp(least) < 0 {
				g, least, moved = next, r, true
			}
		}
	}
	return s.answer(g, n, least, prec, assumesNearbyK)
}

// The method "answer" returns the geometry g and its mean rate as an Optimum. The argument r is the quantile of the
// rate. If r is nil, the method computes the quantile itself. The result "rate" is an enclosure of this quantile.
func (s realised) answer(g bloomproof.Geometry, n uint64, r *big.Rat, prec uint, assumes string) (o Optimum, rate Enclosure, err error) {
	if s.several(g) {
		if assumes != "" {
			assumes += ", "
		}
		assumes += assumesEven
	}
	o = Optimum{Geometry: g, N: n, Last: g.K, Assumes: assumes}
	if r == nil {
		r, err = s.quantile(g, n)
	}
	if err == nil {
		o.Rate, err = rateAt(plain{s.h}, g, n, prec)
	}
	if err != nil {
		return Optimum{}, Enclosure{}, err
	}
	return o, s.enclosed(g, r, prec), nil
}

// SureItems returns the largest n for which one filter of shape g has a rate of at most f with probability c or more.
// It also returns the value of RateQuantile for that n. MostItems does the same for the mean rate. If g.K is 0,
// SureItems uses the best k. Let X be the number of set bits. A filter with b set bits has a certain rate. Let b be the
// largest number for which this rate is at most f. SureItems returns the largest n with P[X <= b] >= c.
//
// Source: none; see RateQuantile.
// Domain: as for RateQuantile; 1 <= m < 2^64; 0 < f < 1. The answer is 0 if even one item is too many.
// Error: the number n is certain for the returned k, because the number of set bits grows with n. The comment of SureK
// says how certain the best k is. A partitioned filter, or a filter with blocks, may hold more items than n. For such a
// filter, k is the result of MostItems.
// Cost: about twenty tail probabilities for each k.
// Errors: as for RateQuantile, and as for MostItems.
func SureItems(g bloomproof.Geometry, f, c *big.Rat, prec uint) (o Optimum, rate Enclosure, err error) {
	if g.M < 1 {
		return Optimum{}, Enclosure{}, &bloomproof.ParamError{Param: "m", Value: g.M, Want: "between 1 and 2^64-1"}
	}
	if l, ok := blocksIn(g); ok {
		if err := checkConfidence(c); err != nil {
			return Optimum{}, Enclosure{}, err
		}
		return l.sureItems(g, f, c, prec)
	}
	s, anyK, err := sureSizing(&g, f, c, prec)
	if err != nil {
		return Optimum{}, Enclosure{}, err
	}
	assumes := ""
	if anyK && s.sliced() {
		mean, err := MostItems(bloomproof.Geometry{M: g.M, Hashing: g.Hashing}, f, prec)
		if err != nil {
			return Optimum{}, Enclosure{}, err
		}
		g, anyK, assumes = mean.Geometry, false, assumesMeanK
	}
	most := uint64(0)
	if most, err = s.mostItems(g); err != nil {
		return Optimum{}, Enclosure{}, err
	}
	if !anyK {
		return s.answer(g, most, nil, prec, assumes)
	}
	g, err = s.climb(g, func(next bloomproof.Geometry) (bool, error) {
		n, err := s.mostItems(next)
		if n > most {
			most = n
			return true, err
		}
		return false, err
	})
	if err != nil {
		return Optimum{}, Enclosure{}, err
	}
	return s.bestK(g, most, prec)
}

// sureSizing checks the arguments of SureItems and SureBits. If g.K is 0, it returns anyK = true. It also sets g.K to
// the k from which the search starts.
func sureSizing(g *bloomproof.Geometry, f, c *big.Rat, prec uint) (s realised, anyK bool, err error) {
	of, err := checkSizing(*g, f, prec)
	if err != nil {
		return realised{}, false, err
	}
	if anyK = g.K == 0; anyK {
		g.K = hashesFor(f)
		if g.M > 0 {
			g.K = newKSearch(of, g.M, 1).nearest(g.K)
		}
	}
	shape := *g
	shape.M = max(shape.M, uint64(shape.K))
	s, err = realisedOf(shape, f, c)
	return s, anyK, err
}

// The method "climb" changes the number k of g in steps of 1. It lowers k as long as the function "better" returns true
// for the next smaller k. Then it raises k in the same way.
func (s realised) climb(g bloomproof.Geometry, better func(bloomproof.Geometry) (bool, error)) (bloomproof.Geometry, error) {
	for _, dir := range []int{-1, 1} {
		for {
			next := g
			if next.K += dir; next.K < 1 || next.K > bloomproof.MaxK || g.M > 0 && !s.h.allows(g.M, next.K) {
				break
			}
			ok, err := better(next)
			if err != nil {
				return g, err
			}
			if !ok {
				break
			}
			g = next
		}
	}
	return g, nil
}

// mostItems returns the largest n for which the method "holds" returns true.
func (s realised) mostItems(g bloomproof.Geometry) (uint64, error) {
	const between = 0.5 // continuity correction: the tail of the approximating normal variable begins half a bit from b
	b, err := s.mostSet(g)
	if err != nil || s.h.full(g) {
		return 0, err
	}
	n, err := lastTrue(0, mostN, s.h.alike(g, 1).Guess(b, between, -occupancy.Deviate(s.c)), func(n uint64) (bool, error) {
		if n == 0 {
			return true, nil
		}
		return s.within(g, n, b)
	})
	if err == nil && n == mostN {
		err = fmt.Errorf("n is 2^64-1 or more: %w", refuse.ErrRange)
	}
	return n, err
}

// SureBits returns the smallest m for which one filter with n items has a rate of at most f with probability c or more.
// It also returns the value of RateQuantile for that m. LeastBits does the same for the mean rate. If g.K is 0,
// SureBits uses the best k. The M of g is ignored.
//
// A filter with a few more bits than m can fail to meet the requirement. Its rate then exceeds f with a probability
// larger than 1-c. Let b be the largest number of set bits for which the rate is at most f. If m grows by 1, the number
// X of set bits grows stochastically. But the number b does not always grow with m. To check such a filter, use
// RateQuantile.
//
// For the k of the answer, no smaller m suffices. The proof is as follows. X grows stochastically with m (see
// LeastBits). The number b does not fall as m grows. Let m_1 < m_2. Let X be the number of set bits of a filter with
// m_1 bits. Let b_2 be the number b of a filter with m_2 bits. If P[X <= b_2] < c, then no m from m_1 to m_2 suffices.
//
// Source: none; see RateQuantile.
// Domain: as for RateQuantile; 0 < f < 1.
// Error: the returned m is certainly the smallest number of bits for the returned k. The comment of SureK says how
// certain this k is. A partitioned filter with k > 1, or a filter with blocks, may need fewer bits than m. For such a
// filter, k is the result of LeastBits.
// Cost: about a hundred tail probabilities for each k, or about ten for partitioned hashing.
// Errors: the errors of RateQuantile and the errors of LeastBits.
func SureBits(g bloomproof.Geometry, n uint64, f, c *big.Rat, prec uint) (o Optimum, rate Enclosure, err error) {
	if l, ok := blocksIn(g); ok {
		if err := checkConfidence(c); err != nil {
			return Optimum{}, Enclosure{}, err
		}
		return l.sureBits(g, n, f, c, prec)
	}
	g.M = 0
	s, anyK, err := sureSizing(&g, f, c, prec)
	if err != nil {
		return Optimum{}, Enclosure{}, err
	}
	if n == 0 {
		step, least := s.h.stepM(g.K)
		g.M = max(least, 1) * step
		return s.answer(g, 0, nil, prec, "")
	}
	assumes := ""
	if anyK && s.sliced() {
		mean, err := LeastBits(bloomproof.Geometry{Hashing: g.Hashing}, n, f, prec)
		if err != nil {
			return Optimum{}, Enclosure{}, err
		}
		g.K, anyK, assumes = mean.Geometry.K, false, assumesMeanK
	}
	m, err := s.leastBits(n, g.K)
	if err != nil {
		return Optimum{}, Enclosure{}, err
	}
	if anyK {
		g, err = s.climb(g, func(next bloomproof.Geometry) (bool, error) {
			less, err := s.bitsBelow(n, next.K, m)
			if less < m {
				m = less
				return true, err
			}
			return false, err
		})
		if err != nil {
			return Optimum{}, Enclosure{}, err
		}
	}
	if g.M = m; !anyK {
		return s.answer(g, n, nil, prec, assumes)
	}
	return s.bestK(g, n, prec)
}

// leastBits returns the smallest m for which a filter with n items satisfies the requirement s. With several slices,
// the filter with the returned m meets the requirement s. The filter with one bit fewer in each slice does not meet it.
func (s realised) leastBits(n uint64, k int) (uint64, error) {
	of := plain{s.h}
	step, least := s.h.stepM(k)
	most := (1<<64 - 2) / step
	u, err := lastTrue(least, most, s.guessBits(n, k)/step, func(u uint64) (bool, error) {
		if u == least { // with so few bits, every item sets all bits
			return true, nil
		}
		ok, err := s.holds(of.shape(u*step, k), n)
		return !ok, err
	})
	if err == nil && u == most {
		err = fmt.Errorf("m is 2^64-1 or more: %w", refuse.ErrRange)
	}
	if err != nil || step > 1 {
		return (u + 1) * step, err
	}
	return s.bitsBelow(n, k, u+1)
}

// guessBits approximates the smallest m that satisfies the requirement s. It starts from the m at which the mean rate
// is f. It corrects this m for the deviation of the number X of set bits from its mean. Let a = nk/m and p = f^(1/k).
// One more bit raises the permitted number of set bits by about p, and it raises E[X] by 1-(1+a)e^-a.
func (s realised) guessBits(n uint64, k int) uint64 {
	of := plain{s.h}
	m := max(of.guessBits(n, k, s.f), uint64(k)+1)
	x, _ := logTarget(s.f, floatWork).Lo().Float64()
	p := math.Exp(x / float64(k))
	a := -math.Log1p(-p)
	sd := math.Sqrt(float64(m) * (1 - p) * max(0, p-a*(1-p)))
	more := occupancy.Deviate(s.c) * sd / (p - (1 - (1+a)*math.Exp(-a)))
	if more < 0 {
		return m - uint64(min(-more, float64(m)/2))
	}
	return m + uint64(min(more, float64(mostN-m)/2))
}

// Consider the numbers m below "top" that satisfy the requirement s. bitsBelow returns the smallest of these numbers.
// If there is no such number, it returns "top". It divides the numbers below "top" into ranges, and begins with the
// largest numbers. For each range it tries to prove that no m in the range satisfies s (see SureBits). Until a proof
// fails, the widths of the ranges are 1, 1, 2, 4, 8 and so on. If the proof fails, the range is halved. From then on,
// the width of a range stays proportional to m.
func (s realised) bitsBelow(n uint64, k int, top uint64) (uint64, error) {
	of := plain{s.h}
	_, least := s.h.stepM(k)
	best, width, halved := top, uint64(1), false
	for at := top; at > least+1; {
		low, high := at-min(max(1, width), at-least-1), at-1
		b, err := s.mostSet(of.shape(high, k))
		if err != nil {
			return 0, err
		}
		ok, err := s.within(of.shape(low, k), n, b)
		switch {
		case err != nil:
			return 0, err
		case !ok:
			if width = best - low; halved {
				width = uint64(float64(low) * (float64(high-low+1) / float64(at)))
			}
			at = low
		case low == high:
			best, at, width, halved = low, low, 1, false
		default:
			width, halved = (high-low+1)/2, true
		}
	}
	return best, nil
}
