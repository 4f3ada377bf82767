package exact

import (
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// The type "blocked" has the formulas for filters of B blocks of s bits. The field "in" is the hashing that draws the
// positions of an item within its block. Let f_i be the rate of one block after i insertions. Let N be the number of
// items in the block that a query reads. It has the binomial distribution Bin(n, 1/B). The rate of the filter is the
// mean E[f_N]. The route "mixture" uses this formula:
//
//	E[f_N] = sum over i of C(n,i) (1/B)^i (1-1/B)^(n-i) f_i.
//
// The route "difference" uses a second formula:
//
//	E[f_N] = sum over j of (-1)^j w_j (1 - (1-q_j)/B)^n.
//
// The second formula holds for two reasons. First, f_i = sum over j of (-1)^j w_j q_j^i. Second, E[q^N] = (1 -
// (1-q)/B)^n. The methods "weights" and "spared" of the interface "hashing" return w_j and q_j.
type blocked struct{ in hashing }

// These limits keep the time of each route below a few seconds.
const (
	blockedLimit = 1 << 32 // largest estimated time of the route "difference", in nanoseconds
	mixtureTerms = 1 << 12 // largest number of rates of a block in the route "mixture"
)

func (blocked) filters() string { return "a blocked filter" }

// The function "split" returns the number of blocks and the geometry of one block.
func split(g bloomproof.Geometry) (blocks uint64, block bloomproof.Geometry) {
	return g.M / g.Block, bloomproof.Geometry{M: g.Block, K: g.K, Hashing: g.Hashing}
}

// The method "full" reports whether every item sets every bit. With two or more blocks the result is false, because an
// item sets bits in only one block.
func (l blocked) full(g bloomproof.Geometry) bool {
	blocks, block := split(g)
	return blocks == 1 && l.in.full(block)
}

func (blocked) routes() []Route { return []Route{routeDifference, routeMixture} }

func (l blocked) enclose(g bloomproof.Geometry, n uint64, prec uint, route Route) (Enclosure, error) {
	if blocks, block := split(g); blocks == 1 {
		return l.in.enclose(block, n, prec, l.in.routes()[0])
	}
	if route == routeMixture {
		return l.mixture(g, n, prec)
	}
	return l.differences(g, n, prec, l.cancels(g, n), func(work uint) *interval.Interval {
		f := field.Intervals(work)
		return blockedSum(f, seriesOf(f, l.in, g), g, n, 0)
	})
}

func (l blocked) rational(g bloomproof.Geometry, n uint64) *big.Rat {
	if blocks, block := split(g); blocks == 1 {
		return l.in.rational(block, n)
	}
	return l.rationalSum(g, n, 0)
}

// rationalSum computes the same sum as blockedSum, but as one fraction. Let B be the number of blocks, and let D be the
// common denominator of all q_j. Then the result is:
//
//	sum over j of (-1)^j w_j (D (B-1) + D q_j)^n / ((D B)^n den)
func (l blocked) rationalSum(g bloomproof.Geometry, n uint64, from int) *big.Rat {
	blocks, block := split(g)
	w, den := l.in.weights(block)
	q := make([]*big.Rat, len(w))
	common := big.NewInt(1)
	for j := range w {
		s := l.in.spared(block, uint64(j))
		num := integer.Power(integer.Uint(s.num), uint64(s.power))
		q[j] = new(big.Rat).SetFrac(num, integer.Power(integer.Uint(s.den), uint64(s.power)))
		if s.times && j > 0 {
			q[j].Mul(q[j], q[j-1])
		}
		shared := new(big.Int).GCD(nil, nil, common, q[j].Denom())
		common.Mul(common, shared.Quo(q[j].Denom(), shared))
	}
	others := new(big.Int).Mul(common, integer.Uint(blocks-1))
	sum := new(big.Int)
	for j := from; j < len(w); j++ {
		x := new(big.Int).Quo(common, q[j].Denom())
		x.Mul(x, q[j].Num())
		x.Add(x, others)
		x = integer.Power(x, n)
		x.Mul(x, w[j])
		if (j-from)&1 == 0 {
			sum.Add(sum, x)
		} else {
			sum.Sub(sum, x)
		}
	}
	all := integer.Power(common.Mul(common, integer.Uint(blocks)), n)
	return new(big.Rat).SetFrac(sum, all.Mul(all, den))
}

func (l blocked) rationalBits(g bloomproof.Geometry, n uint64) float64 {
	blocks, block := split(g)
	if blocks == 1 {
		return l.in.rationalBits(block, n)
	}
	item := l.in.rationalBits(block, 1) // an upper bound of the bits that one item needs; the query needs as many again
	return float64(n)*(math.Log2(float64(blocks))+item) + float64(g.K)*math.Log2(float64(block.M)+1)
}

func (l blocked) rationalWork(g bloomproof.Geometry, n uint64) float64 {
	return l.rationalBits(g, n) * float64(g.K+1)
}

// The method "cancels" returns the approximate number of bits that the route "difference" loses by cancellation. This
// number is log2(1/f) + k, because the weights add up to at most about 2^k.
func (l blocked) cancels(g bloomproof.Geometry, n uint64) uint {
	blocks, block := split(g)
	k := float64(g.K)
	load := max(1, float64(n)/float64(blocks)) * k
	cancel := -k * math.Log2(-math.Expm1(load*math.Log1p(-1/(float64(block.M)+1)))) // a first approximation
	return uint(cancel + max(0, math.Log2(float64(blocks)/float64(n))) + k)
}

// The method "differences" returns an enclosure of a sum, with a relative width of at most 2^-prec. The argument "sum"
// is a function that computes this sum with a working precision of work bits. The argument "cancels" is the number of
// bits that the sum loses by cancellation.
func (l blocked) differences(g bloomproof.Geometry, n uint64, prec, cancels uint, sum func(work uint) *interval.Interval) (Enclosure, error) {
	const guard = 32 // extra bits for all rounding errors except those of the powers
	first := prec + cancels + itemBits(n) + guard
	cost := l.differencesCost(g, n, first)
	if cost > blockedLimit {
		return Enclosure{}, refuse.TooCostly(fmt.Sprintf("the rate of %v", g), cost, blockedLimit)
	}
	return ziv(prec, first, sum)
}

// differencesCost estimates the time of blockedSum in nanoseconds.
func (l blocked) differencesCost(g bloomproof.Geometry, n uint64, work uint) float64 {
	words, k := float64(work)/wordBits, float64(g.K)
	cost := k * float64(itemBits(n)) * productCost(words)
	if l.in.collides() { // the time that momentWeights takes for the weights
		cost += k * k / 2 * (termCost + wordCost/2*k*math.Log2(float64(g.Block)+1)/wordBits)
	}
	return cost
}

// The type "series" represents a function of the number i of items in a block. This function is the sum over j of
// (-1)^j w_j q_j^i / den, with weights w_j and probabilities q_j.
type series[P any] struct {
	w   []*big.Int
	den *big.Int
	q   func(j uint64, before P) P // returns q_j, given q_(j-1), or given 1 for j = 0
}

// seriesOf returns the rate of a block in the form of a series. This rate is a function of the number of items of the
// block.
func seriesOf[T any, P field.Number[T]](f field.Of[T, P], h hashing, g bloomproof.Geometry) series[P] {
	_, block := split(g)
	w, den := h.weights(block)
	return series[P]{w, den, func(j uint64, before P) P {
		s := h.spared(block, j)
		x := f.PowInt(f.Ratio(s.num, s.den), s.power)
		if s.times {
			x.Mul(x, before)
		}
		return x
	}}
}

// blockedSum returns the mean of a series over the random number of items in a block. It uses the formula of the route
// "difference". The argument f determines the arithmetic. The argument "from" is the index of the first term of the
// sum. This index is 0 for the rate, and 1 for the complement of the rate.
func blockedSum[T any, P field.Number[T]](f field.Of[T, P], s series[P], g bloomproof.Geometry, n uint64, from int) P {
	items := new(big.Int).SetUint64(n)
	return blockedTerms(f, s, g, from, func(_ int, x P) P { return f.Pow(x, items) })
}

// blockedTerms computes the same sum as blockedSum, but with term(j, x) in place of x^n. Here x = 1 - (1-q_j)/B.
func blockedTerms[T any, P field.Number[T]](f field.Of[T, P], s series[P], g bloomproof.Geometry, from int, term func(j int, x P) P) P {
	blocks, _ := split(g)
	sum, q := f.Zero(), f.Int(1)
	all, others := f.Uint(blocks), f.Uint(blocks-1)
	for j, weight := range s.w {
		x := s.q(uint64(j), q)
		q.Set(x)
		if j < from {
			continue
		}
		x.Add(x, others)
		x.Quo(x, all)
		t := f.Zero().Mul(term(j, x), f.Zero().SetInt(weight))
		if (j-from)&1 == 0 {
			sum.Add(sum, t)
		} else {
			sum.Sub(sum, t)
		}
	}
	return sum.Quo(sum, f.Zero().SetInt(s.den))
}

// complement returns 1-f. Consider the terms with j >= 1 in the formula of the route "difference". Their sum is f-1, so
// 1-f is the negative of this sum. It is at least the probability that the bit at one given position of the query is
// unset. Each term is at most 2^k times this probability, so at most k bits cancel.
func (l blocked) complement(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	if blocks, block := split(g); blocks == 1 {
		return l.in.complement(block, n, prec)
	}
	if l.rationalBits(g, n) < precision.RationalMost {
		return exactly(l.rationalSum(g, n, 1), prec), nil
	}
	const name = "the complement of the rate"
	if x := l.logUnset(g, n, floatWork); x.Lo().Cmp(big.NewFloat(leastExponent)) < 0 {
		return Enclosure{}, outOfRange(name)
	}
	return l.differences(g, n, prec, uint(g.K), func(work uint) *interval.Interval {
		f := field.Intervals(work)
		return blockedSum(f, seriesOf(f, l.in, g), g, n, 1)
	})
}

// logUnset returns n log(1 - c/B), where c is the probability that an item in a block sets a given bit of that block.
func (l blocked) logUnset(g bloomproof.Geometry, n uint64, work uint) *interval.Interval {
	blocks, block := split(g)
	if blocks == 1 {
		return l.in.logUnset(block, n, work)
	}
	x := l.in.logUnset(block, 1, work)
	if l.in.full(block) { // here c = 1
		x.SetUint64(1)
		x.Neg(x)
	} else {
		x.Expm1(x)
	}
	x.Quo(x, interval.New(work).SetUint64(blocks))
	x.Log1p(x)
	return x.Mul(x, interval.New(work).SetUint64(n))
}

func (l blocked) leastSet(g bloomproof.Geometry) uint64 {
	_, block := split(g)
	return l.in.leastSet(block)
}

func (l blocked) logRate(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	if blocks, block := split(g); blocks == 1 {
		return l.in.logRate(block, n, prec)
	}
	return logOfRate(l, g, n, prec)
}

// The method "mixture" computes the rate of the filter as the mean of f_i. Here i is the random number of items in a
// block, and f_i is the rate of a block with i items.
func (l blocked) mixture(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	_, block := split(g)
	return mixtureOf(g, n, prec, func(i uint64, work uint) (*interval.Interval, error) {
		return l.blockRate(block, i, work)
	})
}

// mixtureOf returns the mean of a function over the number i of items in a block. The argument "of" is this function.
// Its values must be at most 1, and its value for i = 0 must be 0. The summation ends when the remaining terms together
// are less than 2^-(prec+8) times the sum. A geometric series gives an upper bound of these terms.
func mixtureOf(g bloomproof.Geometry, n uint64, prec uint, of func(i uint64, work uint) (*interval.Interval, error)) (Enclosure, error) {
	const guard, spare = 32, 8 // extra bits for the rounding errors, and for the omitted terms
	blocks, _ := split(g)
	if mean := float64(n) / float64(blocks); mean > mixtureTerms {
		return Enclosure{}, refuse.TooCostly("the mixture over the items of a block", mean, mixtureTerms)
	}
	return zivErr(prec, prec+itemBits(n)+guard, func(work uint) (*interval.Interval, error) {
		f := field.Intervals(work)
		p := f.Pow(f.Ratio(blocks-1, blocks), integer.Uint(n)) // P[N = i], here for i = 0
		sum := f.Zero()
		for i := uint64(0); i < n; {
			// The ratio of two successive probabilities, P[N = i+1]/P[N = i], falls as i grows.
			ratio := f.Ratio(n-i, i+1)
			ratio.Quo(ratio, f.Uint(blocks-1))
			if tail := f.Int(1); i > 0 && ratio.Hi().Cmp(big.NewFloat(1)) < 0 {
				tail.Sub(tail, ratio)
				tail.Quo(f.Zero().Mul(p, ratio), tail)
				if enough := f.Zero().MulPow2(sum, -precision.Cut(prec+spare)); tail.Hi().Cmp(enough.Lo()) <= 0 {
					tail.SetEnds(new(big.Float), tail.Hi())
					return sum.Add(sum, tail), nil
				}
			}
			if i++; i > mixtureTerms {
				return nil, refuse.TooCostly("the mixture over the items of a block", float64(i), mixtureTerms)
			}
			p.Mul(p, ratio)
			t, err := of(i, work)
			if err != nil {
				return nil, err
			}
			t.Mul(t, p)
			sum.Add(sum, t)
		}
		return sum, nil
	})
}

// blockRate returns f_i, the rate of one block after i insertions.
func (l blocked) blockRate(block bloomproof.Geometry, i uint64, work uint) (*interval.Interval, error) {
	if l.in.full(block) {
		return interval.New(work).SetUint64(1), nil
	}
	e, err := rateOf(l.in, block, i, work)
	return interval.New(work).Set(e.interval()), err
}
