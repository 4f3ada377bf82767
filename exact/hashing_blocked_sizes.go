package exact

import (
	"math"
	"math/big"
	"sort"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// The type blockedSizes searches for the best sizes of filters with blocks. The number of bits of a block is given. The
// rate of a filter grows as the number n of items grows. It falls as the number B of blocks grows. The reason is as
// follows. Let f_i be the rate of one block with i items. The rate of the filter is the mean of f_i over i, and i has
// the binomial distribution Bin(n, 1/B). The rate f_i grows with i. As n grows, i grows stochastically. As B grows, i
// falls stochastically.
type blockedSizes struct {
	blocked
	bits uint64
}

func (b blockedSizes) shape(m uint64, k int) bloomproof.Geometry {
	return bloomproof.Geometry{M: m, K: k, Hashing: b.in.is(), Block: b.bits}
}

func (b blockedSizes) allows(_ uint64, k int) bool { return b.in.allows(b.bits, k) }

func (b blockedSizes) stepM(int) (step, least uint64) { return b.bits, 0 }

func (b blockedSizes) leastBitsAnyK(n uint64, p *big.Rat) (m uint64, assumes string, err error) {
	return climbLeastBits(b, n, newKSearch(b, b.bits, n).nearest(hashesFor(p)), p)
}

// bestK compares the rates for all k, except those that a bound proves not to be the best. The bound is f >= P[N >= i]
// f_i for every i. Here f is the rate of the filter, and N is the random number of items in a block. The rate of a
// block with i items is f_i.
func (b blockedSizes) bestK(s *kSearch) (k, last int, assumes string, err error) {
	blocks := s.m / b.bits
	if blocks == 1 {
		return newKSearch(plain{b.in}, b.bits, s.n).best()
	}
	switch {
	case b.bits == 1: // an item sets the only bit of its block for every k
		return 1, s.ks[len(s.ks)-1], "", nil
	case len(s.ks) == 1 || b.mostlySet(s):
		return 1, 1, "", nil
	}
	at, err := s.localMin(max(0, sort.SearchInts(s.ks, s.nearest(b.guessK(s)))))
	if err != nil {
		return 0, 0, "", err
	}
	k = s.ks[at]
	limit, err := s.rate(k, searchPrec)
	if err != nil {
		return 0, 0, "", err
	}
	top := interval.New(floatWork).Set(limit.interval())
	top.Log(top)
	below, above := 0, s.ks[len(s.ks)-1]+1
	for _, x := range likelyLoads(s.n, blocks) {
		one := newKSearch(plain{b.in}, b.bits, x.items)
		if _, _, known := b.in.oneItem(one); known {
			continue // for this number of items the best k is known, and no bound is computed
		}
		low, high := s.window(b.lowerAt(x, one), top.Hi())
		below, above = max(below, low), min(above, high)
	}
	var left []int
	cost := 0.0
	for i, j := range s.ks {
		if j <= below || j >= above || j == k {
			continue
		}
		left = append(left, i)
		if cost += b.cost(s.geometry(j), s.n); cost >= mostKSearch {
			return s.withTies([]int{at + 1}, k, assumesUnimodal)
		}
	}
	return s.withTies(left, k, "")
}

// If nearly all bits are set, k = 1 is the best. The method mostlySet reports whether this is certain. Let u_k be the
// probability that a given bit is unset if items have k positions. Then 1-f is u_1 for k = 1, and it is at most k u_k
// for other k. The number u_k falls as k grows. Let k be the second smallest permitted number of positions. If MaxK*u_k
// < u_1 for this k, then k = 1 is the best. Theorem blocked_union of verify/proof/theorems/search_blocked.v proves
// this.
func (b blockedSizes) mostlySet(s *kSearch) bool {
	x := b.logUnset(s.geometry(s.ks[1]), s.n, floatWork)
	x.Sub(x, b.logUnset(s.geometry(1), s.n, floatWork))
	most := interval.New(floatWork).SetUint64(bloomproof.MaxK)
	most.Log(most)
	x.Add(x, most)
	return x.Hi().Sign() < 0
}

// The type "load" holds a possible number of items of a block. Let P be the probability that a block has at least this
// number of items. The field logP is the logarithm of a lower bound of P.
type load struct {
	items uint64
	logP  *interval.Interval
}

// likelyLoads returns values of type load for several numbers of items near the mean n/B, where B is the number of
// blocks. The differences between these numbers and the mean are 0 or powers of two. If the mean is large, likelyLoads
// returns only the mean rounded down, which is at most the median. If the mean is small, likelyLoads also returns the
// value for a block with one item. The reason is that for large k one item already sets nearly all bits of its block.
// Therefore the rate is close to P[N >= 1], where N is the number of items in a block.
func likelyLoads(n, blocks uint64) []load {
	const (
		fewItems = 1024 // up to this mean, P[N = i] is computed for each i from P[N = i-1]
		above    = 64   // distance of the last load from the mean
	)
	nw := func() *interval.Interval { return interval.New(floatWork) }
	mean := n / blocks
	if mean > fewItems {
		return []load{{mean, nw().Neg(ln2Interval(floatWork))}}
	}
	var all []load
	// P[N = 0] = (1-1/B)^n, and P[N = i+1]/P[N = i] = (n-i)/((i+1)(B-1)).
	logP := nw().SetRat(new(big.Rat).SetFrac(big.NewInt(-1), new(big.Int).SetUint64(blocks)))
	logP.Log1p(logP)
	logP.Mul(logP, nw().SetUint64(n))
	p, rest := nw().Exp(logP), nw().Expm1(logP)
	rest.Neg(rest) // P[N >= i], here for i = 1
	near := func(i uint64) bool {
		apart := max(i, mean) - min(i, mean)
		return apart&(apart-1) == 0
	}
	for i := uint64(1); i <= n && i <= mean+above; i++ {
		ratio := nw().SetUint64(n - i + 1)
		under := nw().SetUint64(i)
		under.Mul(under, nw().SetUint64(blocks-1))
		ratio.Quo(ratio, under)
		p.Mul(p, ratio)
		if i == 1 || near(i) {
			x := nw().Set(p)
			if rest.Lo().Cmp(p.Lo()) > 0 { // the rounding errors of the subtractions left a bound above P[N = i]
				x.Set(rest)
			}
			all = append(all, load{i, x.Log(x)})
		}
		rest.Sub(rest, p)
	}
	return all
}

// lowerAt returns a lower bound of the rate. The bound is valid for all k in a range. This bound is the product of two
// numbers. The first is the bound for a filter that consists of one block with x.items items. The second is e^(x.logP).
// The number e^(x.logP) is a lower bound of the probability that a block has x.items or more items. Theorem
// blocked_loads of verify/proof/theorems/search_blocked.v proves that the product is a lower bound.
func (b blockedSizes) lowerAt(x load, one *kSearch) rangeBound {
	lower := b.in.lower(one)
	lower.factor = x.logP
	return lower
}

// The method "cost" estimates the time for computing a rate, in nanoseconds.
func (b blockedSizes) cost(g bloomproof.Geometry, n uint64) float64 {
	return b.differencesCost(g, n, searchPrec+b.cancels(g, n)+itemBits(n))
}

// The following functions compute, in floating point, the guesses from which the searches start.

// guessRate approximates the rate, given the mean number of items of a block. It assumes that the number of items of a
// block has a Poisson distribution.
func (b blockedSizes) guessRate(mean float64, k int) float64 {
	const (
		spread = 8   // number of standard deviations on each side of the mean
		points = 512 // largest number of points of the sum, which are evenly spaced
	)
	s, sum := float64(b.bits), 0.0
	reach := spread * math.Sqrt(mean+1)
	step := math.Ceil(2 * reach / points)
	for i := math.Max(1, math.Floor(mean-reach)); i <= mean+reach; i += step {
		lg, _ := math.Lgamma(i + 1)
		sum += math.Exp(i*math.Log(mean)-mean-lg) * math.Pow(b.in.fillGuess(s, i, k), float64(k))
	}
	return sum * step
}

// guessLoad approximates the mean number of items of a block at which the rate equals p.
func (b blockedSizes) guessLoad(k int, p *big.Rat) float64 {
	const bisections = 48
	x, _ := p.Float64()
	// Consider the logarithm of the mean number of items in a block. The variables low and high are its bounds.
	low, high := math.Log(math.SmallestNonzeroFloat64), math.Log(4*float64(b.bits))
	for range bisections {
		if mid := (low + high) / 2; b.guessRate(math.Exp(mid), k) > x {
			high = mid
		} else {
			low = mid
		}
	}
	return math.Exp(low)
}

func (b blockedSizes) guessItems(g bloomproof.Geometry, p *big.Rat) uint64 {
	return wholeGuess(b.guessLoad(g.K, p) * float64(g.M/g.Block))
}

func (b blockedSizes) guessBits(n uint64, k int, p *big.Rat) uint64 {
	return wholeGuess(float64(n) / b.guessLoad(k, p) * float64(b.bits))
}

// guessK returns the smallest permitted k with the following property. The value of guessRate for k is lower than the
// value for the next permitted k.
func (b blockedSizes) guessK(s *kSearch) int {
	mean := float64(s.n) / float64(s.m/b.bits)
	last := math.Inf(1)
	for i, k := range s.ks {
		rate := b.guessRate(mean, k)
		if rate > last {
			return s.ks[i-1]
		}
		last = rate
	}
	return s.ks[len(s.ks)-1]
}

// wholeGuess rounds the guess x down to a uint64.
func wholeGuess(x float64) uint64 {
	if x >= 1<<64 {
		return math.MaxUint64
	}
	return uint64(max(0, x))
}
