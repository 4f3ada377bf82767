package approx

import (
	"fmt"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fault"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

const (
	// The remaining terms of a sum are left out if they are below blockedEnd times the sum.
	blockedEnd = 0x1p-60

	// blockedFloor is the logarithm of a number that is below every positive float64. Terms of the rate or of its
	// complement that are smaller than this number are left out.
	blockedFloor = -760

	// The rates of one block may take at most mostBlocked microseconds to compute. The function rateCost estimates this
	// time.
	mostBlocked = 1e7

	// If a block has at least 100 items on average, blockedMean adds at least leastLoads*sqrt(mean) terms. N has a
	// standard deviation of at least 0.7 sqrt(mean). The terms left out on either side are below 2^-60 of the sum.
	leastLoads = 10
)

// blockedRate returns the rate of a filter of B = m/Block blocks. The block of a new item holds N items. The number N
// has the distribution Bin(n, 1/B). Let f_j be the rate of a block with j items. Let w_j = P[N = j]. Then
//
//	f = (sum over j of w_j f_j)/(sum over j of w_j),
//	w_(j+1)/w_j = (n-j)/((j+1)(B-1)).
//
// The sum begins at the largest w_j and continues in both directions. All terms are positive. The weights are computed
// in two words. Each step adds a relative error of 2^-90, and there are fewer than 2^20 steps. The rates f_j grow with
// j. On both sides of the largest w_j the weights fall faster than a geometric series. Let j be the last index of the
// sum in one direction. Let r be the quotient of the next weight and w_j. On the side of larger j, the omitted terms
// add up to at most w_j r/(1-r). On the side of smaller j, the omitted terms add up to at most f_j w_j r/(1-r). The
// complement is the mean of 1-f_j. For the complement, the two sides are exchanged. Let u = 2^-53. The relative error
// of f is at most the relative error of the f_j, plus 2u. In the same way, the relative error of 1-f is at most the
// relative error of the 1-f_j, plus 2u.
func blockedRate(g bloomproof.Geometry, n uint64) (rate, error) {
	block := g
	block.M, block.Block = g.Block, 0
	h, err := hashingOf(block)
	if err != nil {
		return rate{}, err
	}
	// Consider the probability that j items leave a given bit of the block clear. The complement 1-f_j is at most k
	// times this probability. So the mean 1-f is at most k times the probability that n items leave a given bit of the
	// filter clear.
	if unset, all := blockedHashing(h, g.Block).logUnset(g.M, g.K); !all && float64(n)*unset.Hi+fm.Log(float64(g.K)) < 2*blockedFloor {
		return near1(0), nil
	}
	return blockedMean(g, n, func(j uint64) rate { return h.rateOf(g.Block, j, g.K) })
}

// blockedMean returns the mean of a quantity over the random number j of items of a block. The argument "of" is a
// function that returns this quantity for j items. The quantity must increase with j, as the rate of a block does.
func blockedMean(g bloomproof.Geometry, n uint64, of func(j uint64) rate) (rate, error) {
	if err := fault.Part(); err != nil {
		return rate{}, err
	}
	blocks := g.M / g.Block
	if n == 0 || blocks == 1 {
		return of(n), nil
	}
	mean := float64(n) / float64(blocks)
	if cost := leastLoads * fm.Sqrt(mean) * rateCost(g.K); cost > mostBlocked {
		return rate{}, blockedTooCostly(mean, g.K)
	}
	s := blockedSum{of: of, k: g.K}
	others, start := fm.Whole(blocks-1), n/blocks
	s.add(start, fm.Whole(1).Scale())
	for _, up := range []bool{true, false} {
		w := fm.Whole(1).Scale()
		for j := start; ; {
			var r fm.Double
			if up {
				if j == n {
					break
				}
				r = fm.Whole(n - j).Quo(fm.Whole(j + 1).Mul(others))
				j++
			} else {
				if j == 0 {
					break
				}
				r = fm.Whole(j).Mul(others).Quo(fm.Whole(n - j).AddFloat(1))
				j--
			}
			w = w.Times(r)
			if s.over(w, r.Hi, up) {
				break
			}
			s.add(j, w)
			if s.spent > mostBlocked {
				return rate{}, blockedTooCostly(mean, g.K)
			}
		}
	}
	inverse := fm.Whole(1).Quo(s.all)
	if c := s.misses.Times(inverse); c.Float64() <= 0.5 {
		return besides(c), nil
	}
	return below1(s.hits.Times(inverse)), nil
}

func blockedTooCostly(mean float64, k int) error {
	return fmt.Errorf("%w: the rates of a block of k = %d around %.3g items, at most 10 s", refuse.ErrTooCostly, k, mean)
}

// blockedSum holds the sums of blockedMean while terms are added.
type blockedSum struct {
	of           func(j uint64) rate
	k            int
	all          fm.Double // sum of the weights
	hits, misses fm.Scaled // sums of the weights times f_j and times 1-f_j
	last         rate
	spent        float64
}

// The method "add" adds the term for a block with j items, whose weight is w.
func (s *blockedSum) add(j uint64, w fm.Scaled) {
	s.last = s.of(j)
	s.spent += rateCost(s.k)
	s.all = s.all.Add(w.Unscaled())
	s.hits = s.hits.Add(w.Mul(s.last.scaled()))
	s.misses = s.misses.Add(w.Mul(s.last.complement))
}

// The method "over" reports whether the remaining terms are negligible. If the argument "up" is true, these terms have
// larger values of j. If it is false, they have smaller values of j. The first of the remaining terms has the weight w.
// The number r is the quotient of w and the weight before it.
func (s *blockedSum) over(w fm.Scaled, r float64, up bool) bool {
	if !(r < 1) {
		return false
	}
	hits := w.Times(fm.Double{Hi: 1 / (1 - r)}) // the remaining terms sum to at most this
	misses := hits
	if up {
		misses = misses.Mul(s.last.complement)
	} else {
		hits = hits.Mul(s.last.scaled())
	}
	return s.tiny(hits, s.hits) && s.tiny(misses, s.misses)
}

// The method "tiny" reports whether x is negligible compared with sum, or compared with the sum of the weights.
func (s *blockedSum) tiny(x, sum fm.Scaled) bool {
	return x.Hi == 0 || sum.Hi > 0 && x.Quo(sum) <= blockedEnd || x.Mul(fm.Whole(1).Quo(s.all).Scale()).Ln() <= blockedFloor
}

// blockedBounds are the kinds of bounds that are defined for a block with any number j of items. Suppose that a formula
// bounds the rate f_j of a block for every j. Then the mean of the formula over j bounds the mean of f_j.
var blockedBounds = []bloomproof.Bound{
	bloomproof.BoundBloom, bloomproof.BoundExponential, bloomproof.BoundLower,
	bloomproof.BoundLowerClassic, bloomproof.BoundUpper, bloomproof.BoundPartitioned,
}

// blockedBound computes the result of Bound for filters with blocks. Let f_j be the value of the formula for a block
// with j items. Let w_j be the probability of j items, and let f be the mean of f_j. Suppose that the error bound of
// f_j has a term in |ln f_j|. Replace |ln f_j| by |ln f| in this bound. The result is an error bound of f. The reason
// is Jensen's inequality: the mean of ln 1/f_j, weighted by w_j f_j/f, is at most ln 1/f.
func blockedBound(kind bloomproof.Bound, g bloomproof.Geometry, n uint64) (float64, error) {
	block := g
	block.M, block.Block = g.Block, 0
	h, err := hashingOf(block)
	if err != nil {
		return 0, err
	}
	only := *h
	only.bounds = slices.DeleteFunc(slices.Clone(h.bounds), func(b bloomproof.Bound) bool { return !slices.Contains(blockedBounds, b) })
	if err := only.refuse(kind); err != nil {
		return 0, err
	}
	formula := boundFormulas[kind]
	if _, err := formula(g.Block, n, g.K); err != nil { // undefined bounds are undefined for every number of items
		return 0, err
	}
	r, err := blockedMean(g, n, func(j uint64) rate {
		switch f, _ := formula(g.Block, j, g.K); {
		case f == 0:
			return near1(1)
		case f < nearHalf:
			return below1(fm.Double{Hi: f}.Scale())
		default:
			return near1(1 - f)
		}
	})
	return r.float64(), err
}
