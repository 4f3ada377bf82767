package exact

import (
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/occupancy"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

// With classicHashing, an item has k distinct positions. So n items correspond to n committees of k people, chosen from
// m people.
type classicHashing struct{}

func (classicHashing) is() bloomproof.Hashing { return bloomproof.Classic }
func (h classicHashing) filters() string      { return h.is().String() + " hashing" }

func (classicHashing) full(g bloomproof.Geometry) bool { return uint64(g.K) == g.M }
func (classicHashing) isUpper() bool                   { return false }
func (classicHashing) collides() bool                  { return false }

func (classicHashing) bounds() []bloomproof.Bound {
	return []bloomproof.Bound{
		bloomproof.BoundLower, bloomproof.BoundLowerSimple, bloomproof.BoundLowerClassic,
		bloomproof.BoundUpper, bloomproof.BoundPartitioned,
	}
}

func (classicHashing) routes() []Route {
	return []Route{routeDifference, Recursive, routeHypergeometric}
}

func (h classicHashing) enclose(g bloomproof.Geometry, n uint64, prec uint, route Route) (Enclosure, error) {
	if route == routeDifference {
		if integralCost(g.M, integer.Product(n, g.K), prec) < h.costOf(g, n, prec) {
			if e, ok := classicIntegral(g.M, n, g.K, prec); ok {
				return e, nil
			}
		}
		return classicKSum(g.M, n, g.K, prec)
	}
	return published(h, g, n, prec, route, func(work uint) *interval.Interval {
		return classicPublished(field.Intervals(work), route, g, n)
	})
}

// classicPublished evaluates one of the published formulas of the rate, in the arithmetic of f.
func classicPublished[T any, P field.Number[T]](f field.Of[T, P], r Route, g bloomproof.Geometry, n uint64) P {
	if r == routeHypergeometric {
		return hypergeometricSum(f, g.M, n, g.K)
	}
	return classicRecursion(f, g.M, n, g.K)
}

func (classicHashing) log2Lower(g bloomproof.Geometry, n uint64) float64 {
	return classicLog2(g.M, n, g.K)
}

func (classicHashing) rational(g bloomproof.Geometry, n uint64) *big.Rat {
	return classicRational(g.M, n, g.K)
}

func (classicHashing) rationalBits(g bloomproof.Geometry, n uint64) float64 {
	const differenceDigits = 1e6 // for larger m, a difference of log-gammas has no correct digits, and k log2 m is used
	m, k, items := float64(g.M), float64(g.K), float64(n)
	if m > differenceDigits {
		return items * k * math.Log2(m)
	}
	lg := func(x float64) float64 { v, _ := math.Lgamma(x + 1); return v / math.Ln2 }
	return items * (lg(m) - lg(k) - lg(m-k))
}

func (h classicHashing) rationalWork(g bloomproof.Geometry, n uint64) float64 {
	return h.rationalBits(g, n) * float64(g.K+1)
}

func (classicHashing) weights(g bloomproof.Geometry) (w []*big.Int, den *big.Int) {
	return integer.BinomialRow(g.K), integer.One
}

func (classicHashing) spared(g bloomproof.Geometry, j uint64) sparing {
	k := uint64(g.K)
	switch left := g.M - j + 1; {
	case j == 0:
		return sparing{num: 1, den: 1, power: 1}
	case left <= k: // an item sets k bits, so it cannot avoid j given bits
		return sparing{num: 0, den: 1, power: 1}
	default:
		return sparing{num: left - k, den: left, power: 1, times: true}
	}
}

func (h classicHashing) complement(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	return complementOf(h, g, n, prec)
}

func (h classicHashing) logRate(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	return logRateOf(h, g, n, prec)
}

func (classicHashing) secondMoment(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	last := int(min(2*uint64(g.K), g.M))
	return classicMoment(g.M, n, g.K, last, 2*classicLog2(g.M, n, g.K), prec, func() ([]*big.Int, *big.Int) {
		return unionWeights(g.M, g.K, last)
	})
}

func (classicHashing) logUnset(g bloomproof.Geometry, n uint64, work uint) *interval.Interval {
	return logCommitteesUnset(g, n, work)
}

func (classicHashing) unsetSum(d *derivation, work uint) *interval.Interval {
	nw := func() *interval.Interval { return interval.New(work) }
	n := nw().SetUint64(d.n)
	m, k := d.g.M, uint64(d.g.K)
	c, q := nw().SetUint64(1), nw().SetUint64(1)
	return alternating(int(min(k, m-k)), work, func(j int) *interval.Interval {
		u := uint64(j)
		c.Mul(c, nw().SetUint64(k-u+1))
		c.Quo(c, nw().SetUint64(u))
		if j > 1 { // q_j/q_(j-1) = ((m-k-j+1)/(m-j+1))^n
			f := nw().SetRat(new(big.Rat).SetFrac(big.NewInt(-int64(k)), new(big.Int).SetUint64(m-u+1)))
			f.Log1p(f)
			f.Mul(f, n)
			q.Mul(q, nw().Exp(f))
		}
		return nw().Mul(c, q)
	})
}

// The method "excess" returns U/f - 1, where f is the rate, and U is the value of the function "upper". U is at least
// f.
func (h classicHashing) excess(_ bloomproof.Bound, d *derivation, work uint) scaledValue {
	if d.nearlyFull() {
		v := h.belowUpperFull(d, work)
		v.x.Quo(v.x, d.rate(work))
		return v
	}
	x := d.upper(work)
	x.Sub(x, d.rate(work))
	return scaledValue{x: x.Quo(x, d.rate(work))}
}

// excessBits computes its estimate from the leading term of (U - f)/U for large m. Let a = nk/m, q = e^-a and p = 1-q.
// To leading order,
//
//	(U - f)/U = C(k,2) q^2 a/(m p^2).
func (classicHashing) excessBits(_ bloomproof.Bound, g bloomproof.Geometry, n uint64) float64 {
	a := float64(n) / float64(g.M) * float64(g.K)
	p := -math.Expm1(-a)
	return excessBits(g, p, max(1-p, 0.25/float64(g.K))*a)
}

// belowUpperFull returns U - f for a nearly full filter with k < m. Let q_j be the probability that j given bits are
// unset. Let a = q_1 = (1-k/m)^n. Then U is the sum over j of (-1)^j C(k,j) a^j, and f is the same sum with q_j in
// place of a^j. The terms for j = 0 and j = 1 are equal in both sums. So the difference of the sums begins with j = 2:
//
//	U - f = sum over j >= 2 of (-1)^j C(k,j) (a^j - q_j).
func (h classicHashing) belowUpperFull(d *derivation, work uint) scaledValue {
	nw := func() *interval.Interval { return interval.New(work) }
	m, k := d.g.M, uint64(d.g.K)
	n := nw().SetUint64(d.n)
	la := h.logUnset(d.g, d.n, work)
	a := nw().Exp(la)
	c := nw().SetUint64(k) // C(k,j) a^(j-2), first for j = 2
	logs, sum := nw(), nw()
	for j := uint64(2); j <= k; j++ {
		c.Mul(c, nw().SetUint64(k-j+1))
		c.Quo(c, nw().SetUint64(j))
		if j > 2 {
			c.Mul(c, a)
		}
		if sum.Sign() > 0 && c.Hi().MantExp(nil) < sum.Lo().MantExp(nil)-precision.Cut(work) {
			rest := nw().SetEnds(new(big.Float).Neg(c.Hi()), c.Hi())
			sum.Add(sum, rest)
			break
		}
		x := nw().Set(c)
		if i := j - 1; i < m-k {
			// For i = j-1, the quotient q_j/q_(j-1) is the product of a and (1 - ik/((m-i)(m-k)))^n.
			f := new(big.Int).Mul(new(big.Int).SetUint64(m-i), new(big.Int).SetUint64(m-k))
			l := nw().SetRat(new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(-int64(k)), new(big.Int).SetUint64(i)), f))
			l.Log1p(l)
			logs.Add(logs, l)
			l.Mul(logs, n)
			l.Expm1(l)
			l.Neg(l)
			x.Mul(x, l)
		}
		if j&1 == 0 {
			sum.Add(sum, x)
		} else {
			sum.Sub(sum, x)
		}
	}
	return scaledValue{sum, la.MulPow2(la, 1)}
}

func (classicHashing) missed(g bloomproof.Geometry, n uint64, work uint) *interval.Interval {
	return classicMiss(g, n, work)
}

func (classicHashing) leastSet(g bloomproof.Geometry) uint64      { return uint64(g.K) }
func (classicHashing) slices(g bloomproof.Geometry) (uint64, int) { return g.M, 1 }
func (classicHashing) allows(m uint64, k int) bool                { return uint64(k) <= m }
func (classicHashing) stepM(k int) (step, least uint64)           { return 1, uint64(k) }
func (classicHashing) onePeak(g bloomproof.Geometry) bool         { return g.K == 1 }

func (classicHashing) draws(g bloomproof.Geometry, n *big.Int) (size uint64, count *big.Int) {
	return uint64(g.K), new(big.Int).Set(n)
}

// andRate returns E[C(X,k)]/C(m,k), where the number X of set bits has the distribution l.
func (classicHashing) andRate(g bloomproof.Geometry, l Distribution, prec uint) (Enclosure, error) {
	return l.hit(g.K, prec, routeDifference)
}

func (classicHashing) alike(g bloomproof.Geometry, n uint64) occupancy.Distribution {
	return occupancy.Distribution{M: g.M, N: integer.Uint(n), K: g.K}
}

// givenBits returns C(b,k)/C(m,k), the rate of a classic filter with b set bits.
func (classicHashing) givenBits(g bloomproof.Geometry, b uint64) *big.Rat {
	return new(big.Rat).SetFrac(integer.Binomial(b, g.K), integer.Binomial(g.M, g.K))
}

func (h classicHashing) compareBelow(g bloomproof.Geometry, n, b uint64, p *big.Rat) (int, error) {
	return h.alike(g, n).Compare(b, p)
}

func (h classicHashing) likelihoodSlope(g bloomproof.Geometry, n, b uint64) (int, error) {
	return h.alike(g, n).Slope(b, 1)
}

// oneItem returns the permitted k that is nearest to m/2. The rate with one item is 1/C(m,k), and C(m,k) is largest at
// k = m/2. Theorems classic_one_item and choices_rise of verify/proof/theorems/means.v prove this.
func (classicHashing) oneItem(s *kSearch) (k, last int, ok bool) {
	if s.n != 1 {
		return 0, 0, false
	}
	most := s.ks[len(s.ks)-1]
	k = min(most, int(min(s.m/2, math.MaxInt32)))
	if s.m&1 == 1 && k < most && uint64(k) == s.m/2 {
		return k, k + 1, true
	}
	return k, k, true
}

// The method "lower" returns a lower bound of the rates of all k in a range. The bound follows from the value of the
// function "upper" for n-1 items. This value is a lower bound of the rate for n items.
func (classicHashing) lower(s *kSearch) rangeBound { return s.upper(s.n - 1) }

// sharpLower returns C(mu',k)/C(m,k), where mu' is the mean number of set bits. Theorem classic_sharp of
// verify/proof/theorems/means.v proves that this is a lower bound of the rate.
func (classicHashing) sharpLower(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, bool) {
	e, err := lowerClassic(g.M, n, g.K, prec)
	return e, err == nil
}

func (h classicHashing) cost(g bloomproof.Geometry, n uint64) float64 {
	return h.costOf(g, n, searchPrec)
}

// costOf estimates the time of classicKSum in nanoseconds.
func (classicHashing) costOf(g bloomproof.Geometry, n uint64, prec uint) float64 {
	const guard = 64
	words := (float64(prec) - classicLog2(g.M, n, g.K) + float64(g.K) + guard) / wordBits
	return float64(g.K) * float64(itemBits(n)) * (productCost(words) + wordCost*words)
}

func (h classicHashing) leastBitsAnyK(n uint64, p *big.Rat) (m uint64, assumes string, err error) {
	return climbLeastBits(plain{h}, n, plain{h}.guessHashes(n, p), p)
}

func (classicHashing) fillGuess(m, n float64, k int) float64 { return committeesFillGuess(m, n, k) }

func (classicHashing) excessGuess(m, a, p float64, k int) float64 {
	q := 1 - p
	return -pairsPerBit(m, k) * a * q * q / (p * p)
}

// Up to exhaustivePeak bits, the efficiencies for all n and k are computed and compared. If m is larger, the efficiency
// of a filter with one item is computed as log2(C(m,k))/m. If this efficiency is at least severalItems, n = 1 is best.
const exhaustivePeak = 32

// severalItems is an upper bound of the efficiency of every classic filter with n >= 2 items. Let x = 1-k/m. The mean
// number of set bits is mu = m(1-x^n). The rate f_C has three lower bounds. The first of them follows from Jensen's
// inequality:
//
//	f_C >= C(mu,k)/C(m,k) = product over i < k of (mu-i)/(m-i) >= ((mu-k+1)/(m-k+1))^k
//	    >= (1-x^(n-1))^k.
//
// For n >= 3 let j = n-1. By the last of these bounds, the efficiency is at most:
//
//	n (1-x) log2(1/(1-x^j)).
//
// The maximum of this expression over x is 0.89520 for j = 2, and 0.83266 for j = 3.
//
// For j >= 4 let y = x^j. Because 1-x <= -ln x, the expression is at most (n/j) ln(y) ln(1-y)/ln 2. This number is at
// most (5/4) ln 2 = 0.86644.
//
// For n = 2 the quotient (m-i)/(mu-i) grows with i. Let I be the integral of log((m-i)/(mu-i)) over i from 0 to k. Then
// the logarithm of the product of (mu-i)/(m-i) is at least -I. Let p = k/m. The integral I is m times the following
// expression:
//
//	-(1-p) ln(1-p) - p(2-p) ln(p(2-p)) + p(1-p) ln(p(1-p)).
//
// So the efficiency for n = 2 is at most 2/ln 2 times the maximum of this expression over p. This bound is 0.76638.
// TestSeveralItems encloses the maxima for j = 2, for j = 3 and for n = 2.
const severalItems = 0.896

func (h classicHashing) peak(m uint64) (Peak, error) {
	if m <= exhaustivePeak {
		return peakOverK(h, m)
	}
	k := int(min(m/2, bloomproof.MaxK))
	one := interval.New(floatWork).SetInt(integer.Binomial(m, k)) // the efficiency with one item is log2 C(m,k)/m
	one.Log(one)
	one.Quo(one, interval.New(floatWork).SetUint64(m))
	one.Quo(one, ln2Interval(floatWork))
	p, err := Peak{N: 1, K: k, LeastN: 1, MostN: mostN}, error(nil)
	if one.Lo().Cmp(big.NewFloat(severalItems)) < 0 {
		p, err = h.peakUpTo(m, bloomproof.MaxK)
	}
	p.LargerK = m/2 > bloomproof.MaxK
	return p, err
}

// peakUpTo returns the largest efficiency over all n and all k up to the number "most". This number is below m/2.
// Suppose that the best k equals the limit "most". By equation (77) of Burns, the best number of items is then (m/most
// - 1) ln 2. The method peakUpTo tries only numbers of items near this one. For each of these numbers, it searches for
// the best k that does not exceed the limit "most". It is not proved that no other number of items is better.
// TestPeakUpTo compares the result with the efficiencies for all n and k.
func (h classicHashing) peakUpTo(m uint64, most int) (Peak, error) {
	x := ln2Times(new(big.Rat).SetFrac(new(big.Int).SetUint64(m-uint64(most)), big.NewInt(int64(most))), guessWork)
	full, _ := x.Lo().Uint64()
	least, last := max(full, 2)-1, full+2
	var best Peak
	for n := least; n <= last; n++ {
		k := most // the best k for one item, because C(m,k) grows with k up to m/2
		if n > 1 {
			s := newKSearch(plain{h}, m, n)
			s.ks = s.ks[:most]
			at, err := s.localMin(s.nearest(plain{h}.guessK(s)) - 1)
			if err != nil {
				return Peak{}, err
			}
			k = s.ks[at]
		}
		var err error
		p := Peak{N: n, K: k, LeastN: least, MostN: last, Assumes: assumesNearby}
		if best, err = best.or(h, m, p); err != nil {
			return Peak{}, err
		}
	}
	return best, nil
}

// If m is small, settlePeak tries to prove that p has the largest efficiency. It compares the efficiency of p with the
// efficiencies for all n up to a number n_0. For n >= n_0 it uses the following bound of the efficiency:
//
//	(n/m) log2(1/f) <= (2nk/m) (1-k/m)^n.
//
// The bound is correct if k (1-k/m)^n <= 1/2, because 1-f <= k (1-k/m)^n. For n > m/k the bound falls as n grows. The
// number n_0 satisfies three conditions. First, k (1-k/m)^n_0 <= 1/2. Second, n_0 > m/k. Third, the bound for n_0 is
// below the efficiency of the peak p. Each condition must hold with a safety factor of 2, which covers the rounding
// errors.
func (h classicHashing) settlePeak(g bloomproof.Geometry, p Peak) (Peak, error) {
	if g.M > exhaustivePeak {
		return p, nil
	}
	e, err := efficiencyOf(h, g, p.N, searchPrec)
	if err != nil {
		return Peak{}, err
	}
	least, m, k := e.Float64(), float64(g.M), float64(g.K)
	best := p
	for n := uint64(1); ; n++ {
		empty := k * math.Pow(1-k/m, float64(n))
		if float64(n) > 2*m/k && empty <= 0.25 && 2*float64(n)/m*empty < least/2 {
			best.Assumes = ""
			best.LeastN, best.MostN = 1, mostN
			return best, nil
		}
		if best, err = best.or(h, g.M, Peak{N: n, K: g.K, LeastN: p.LeastN, MostN: p.MostN, MostK: p.MostK}); err != nil {
			return Peak{}, err
		}
	}
}

// classicMiss returns 1 - f for n >= 1 items and m > k, where f is the classic rate. It divides the terms for j >= 1 in
// equation (60) of Burns by (1-k/m)^n, and adds them up. Then it multiplies the sum by (1-k/m)^n.
func classicMiss(g bloomproof.Geometry, n uint64, work uint) *interval.Interval {
	k := g.K
	var s altSum
	none, w, f := new(big.Int), big.NewInt(int64(k)), new(big.Int)
	classicPowers(g.M-1, new(big.Int).SetUint64(n), k, k-1, work, func(i int, q, missed *big.Int) {
		s.add(i, w, none, q, missed)
		f.SetInt64(int64(k - i - 1))
		w.Mul(w, f)
		f.SetInt64(int64(i + 2))
		w.Quo(w, f) // now C(k, i+2)
	})
	x := s.enclosure(work, work)
	return x.Mul(x, interval.New(work).Exp(logCommitteesUnset(g, n, work)))
}

// logCommitteesUnset returns n log(1-k/m) for m > k. This is the logarithm of the probability that n items of a classic
// or a partitioned filter leave a given bit unset.
func logCommitteesUnset(g bloomproof.Geometry, n uint64, work uint) *interval.Interval {
	x := interval.New(work).SetRat(new(big.Rat).SetFrac(big.NewInt(int64(-g.K)), new(big.Int).SetUint64(g.M)))
	x.Log1p(x)
	return x.Mul(x, interval.New(work).SetUint64(n))
}

// committeesFillGuess returns the mean fill 1-(1-k/m)^n of a classic or partitioned filter, computed in float64.
func committeesFillGuess(m, n float64, k int) float64 {
	return -math.Expm1(n * math.Log1p(-float64(k)/m))
}
