package exact

import (
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/occupancy"
)

// With standardHashing, an item has k independent positions. So n items correspond to nk balls that fall into m urns.
type standardHashing struct{}

func (standardHashing) is() bloomproof.Hashing { return bloomproof.Standard }
func (h standardHashing) filters() string      { return h.is().String() + " hashing" }

func (standardHashing) full(g bloomproof.Geometry) bool { return g.M == 1 }
func (standardHashing) isUpper() bool                   { return false }
func (standardHashing) collides() bool                  { return true }

func (standardHashing) bounds() []bloomproof.Bound {
	return []bloomproof.Bound{
		bloomproof.BoundBloom, bloomproof.BoundExponential, bloomproof.BoundTaylor, bloomproof.BoundLower,
		bloomproof.BoundLowerSimple, bloomproof.BoundUpper, bloomproof.BoundPartitioned, bloomproof.BoundBose,
	}
}

func (standardHashing) routes() []Route {
	return []Route{routeDifference, routeStirling, Recursive, routeChristensen, routeGrandi}
}

func (h standardHashing) enclose(g bloomproof.Geometry, n uint64, prec uint, route Route) (Enclosure, error) {
	if route == routeDifference {
		return moment(g.M, integer.Product(n, g.K), g.K, prec)
	}
	return published(h, g, n, prec, route, func(work uint) *interval.Interval {
		return standardPublished(field.Intervals(work), route, g, n)
	})
}

// standardPublished evaluates one of the published formulas of the rate, in the arithmetic of f.
func standardPublished[T any, P field.Number[T]](f field.Of[T, P], r Route, g bloomproof.Geometry, n uint64) P {
	nk := integer.Product(n, g.K)
	switch r {
	case routeStirling:
		return stirlingSum(f, g.M, int(nk.Int64()), g.K)
	case routeChristensen:
		return christensenSum(f, g.M, nk, g.K)
	case routeGrandi:
		return grandiSum(f, g.M, nk, g.K)
	}
	return standardRecursion(f, g.M, nk, g.K)
}

// log2Lower approximates the logarithm of the value of BoundBloom to base 2. This value is a lower bound of the rate.
func (standardHashing) log2Lower(g bloomproof.Geometry, n uint64) float64 {
	nk := float64(n) * float64(g.K)
	return float64(g.K) * math.Log2(-math.Expm1(nk*math.Log1p(-1/float64(g.M))))
}

func (standardHashing) rational(g bloomproof.Geometry, n uint64) *big.Rat {
	return momentRational(g.M, g.K*int(n), g.K)
}

func (standardHashing) rationalBits(g bloomproof.Geometry, n uint64) float64 {
	return (float64(n) + 1) * float64(g.K) * math.Log2(float64(g.M))
}

func (h standardHashing) rationalWork(g bloomproof.Geometry, n uint64) float64 {
	return h.rationalBits(g, n) * float64(g.K+1)
}

func (standardHashing) weights(g bloomproof.Geometry) (w []*big.Int, den *big.Int) {
	w, _ = momentWeights(g.M, g.K, 0, 0)
	return w, integer.Power(integer.Uint(g.M), uint64(g.K))
}

func (standardHashing) spared(g bloomproof.Geometry, j uint64) sparing {
	return sparing{num: g.M - j, den: g.M, power: g.K}
}

func (h standardHashing) complement(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	return complementOf(h, g, n, prec)
}

func (h standardHashing) logRate(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	return logRateOf(h, g, n, prec)
}

func (standardHashing) secondMoment(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	return moment(g.M, integer.Product(n, g.K), 2*g.K, prec)
}

func (standardHashing) logUnset(g bloomproof.Geometry, n uint64, work uint) *interval.Interval {
	return occupancy.LogEmpty(g.M, integer.Product(n, g.K), work)
}

func (h standardHashing) unsetSum(d *derivation, work uint) *interval.Interval {
	nw := func() *interval.Interval { return interval.New(work) }
	m, k := d.g.M, uint64(d.g.K)
	nk := nw().SetInt(integer.Product(d.n, d.g.K))
	w := subsetWeights(m, d.g.K, h.unsetTerms(d, work), work)
	least := nw()
	return alternating(int(min(k, m-1)), work, func(j int) *interval.Interval {
		switch {
		case j == 1:
			least.SetEnds(new(big.Float), w[1].Hi())
			return w[1]
		case j >= len(w): // the sum needs more terms than expected; the omitted terms decrease
			return least
		}
		// The number f is used to compute q_j/q_1 = ((m-j)/(m-1))^(nk). Here q_j is the probability that j given bits
		// are unset.
		f := nw().SetRat(new(big.Rat).SetFrac(big.NewInt(int64(1-j)), new(big.Int).SetUint64(m-1)))
		f.Log1p(f)
		f.Mul(f, nk)
		x := nw().Mul(w[j], nw().Exp(f))
		least.SetEnds(new(big.Float), x.Hi())
		return x
	})
}

// The method unsetSum adds up the first terms of a sum. The function unsetTerms returns how many terms it must add up.
// All further terms are below 2^-work times the first term. The reason is as follows. Let q be the probability that a
// given bit is unset, and let y = kq. Then y <= 1/2, and term j+1 is at most y^j/j! times the first term. The sum has
// at most min(k, m-1) terms.
func (h standardHashing) unsetTerms(d *derivation, work uint) int {
	const spare = 8 // extra bits for the rounding errors of this estimate
	least := min(uint64(d.g.K), d.g.M-1)
	y, _ := h.logUnset(d.g, d.n, floatWork).Hi().Float64()
	perTerm := -(y + math.Log(float64(d.g.K))) / math.Ln2
	j := 1
	for sum := 0.0; uint64(j) < least && sum < float64(work)+spare; j++ {
		sum += perTerm + math.Log2(float64(j+1))
	}
	return j
}

// The method "excess" returns the relative difference between the rate f and the value of a bound. The value of
// BoundBloom is at most f, and the value U of BoundUpper is at least f. Let X be the number of set bits, let mu be its
// mean, and let u = X/mu. Let bloom be the value of BoundBloom. Then f - bloom is at least (k-1) bloom Var X/mu^2. This
// follows from an inequality for u:
//
//	u^k - 1 - k(u-1) = (u-1)^2 sum over i <= k-2 of (k-1-i) u^i >= (k-1)(u-1)^2.
func (h standardHashing) excess(kind bloomproof.Bound, d *derivation, work uint) scaledValue {
	nw := func() *interval.Interval { return interval.New(work) }
	nearly := d.nearlyFull()
	if kind == bloomproof.BoundBloom {
		bloom := d.bloom(work)
		if !nearly {
			x := d.rate(work)
			x.Sub(x, bloom)
			return scaledValue{x: x.Quo(x, bloom)}
		}
		x := powerSum(d.g.K, h.logUnset(d.g, d.n, work), work) // (1-bloom)/q
		x.Sub(x, h.unsetSum(d, work))
		return scaledValue{x.Quo(x, bloom), h.logUnset(d.g, d.n, work)}
	}
	switch {
	case uint64(d.g.K) == d.g.M: // here U = 1
		v := d.complement(work)
		v.x.Quo(v.x, d.rate(work))
		return v
	case !nearly:
		x := d.upper(work)
		x.Sub(x, d.rate(work))
		return scaledValue{x: x.Quo(x, d.rate(work))}
	}
	x := powerSum(d.g.K, logCommitteesUnset(d.g, d.n, work), work) // (1-U) divided by (1-k/m)^n
	x.Mul(x, nw().Exp(d.logUnsetRatio(work)))
	x.Sub(h.unsetSum(d, work), x)
	return scaledValue{x.Quo(x, d.rate(work)), h.logUnset(d.g, d.n, work)}
}

// excessBits computes its estimate from the leading term of the relative difference for large m. Let a = nk/m, q = e^-a
// and p = 1-q. To leading order, the relative difference for BoundBloom is:
//
//	(f - bloom)/bloom = C(k,2) q (1-(1+a)q)/(m p^2).
//
// For BoundUpper it is:
//
//	(U - f)/U = C(k,2) q (a-1+q)/(m p^2).
func (standardHashing) excessBits(kind bloomproof.Bound, g bloomproof.Geometry, n uint64) float64 {
	const small = 0.01 // for a below this, 1-(1+a)q and a-1+q are both nearly a^2/2
	a := float64(n) / float64(g.M) * float64(g.K)
	p := -math.Expm1(-a)
	part := a * a / 2
	switch {
	case a > small && kind == bloomproof.BoundBloom:
		part = 1 - (1+a)*math.Exp(-a)
	case a > small:
		part = a - p
	}
	return excessBits(g, p, part)
}

func (standardHashing) missed(g bloomproof.Geometry, n uint64, work uint) *interval.Interval {
	return standardMiss(g.M, integer.Product(n, g.K), g.K, work)
}

func (standardHashing) leastSet(bloomproof.Geometry) uint64        { return 1 }
func (standardHashing) slices(g bloomproof.Geometry) (uint64, int) { return g.M, 1 }
func (standardHashing) allows(uint64, int) bool                    { return true }
func (standardHashing) stepM(int) (step, least uint64)             { return 1, 1 }
func (standardHashing) oneItem(*kSearch) (k, last int, ok bool)    { return 0, 0, false }
func (standardHashing) onePeak(g bloomproof.Geometry) bool         { return g.K == 1 }
func (standardHashing) lower(s *kSearch) rangeBound                { return s.bloom() }

func (standardHashing) sharpLower(bloomproof.Geometry, uint64, uint) (Enclosure, bool) {
	return Enclosure{}, false
}

func (standardHashing) draws(g bloomproof.Geometry, n *big.Int) (size uint64, count *big.Int) {
	return 1, new(big.Int).Mul(n, big.NewInt(int64(g.K)))
}

// andRate returns E[(X/m)^k], where the number X of set bits has the distribution l.
func (standardHashing) andRate(g bloomproof.Geometry, l Distribution, prec uint) (Enclosure, error) {
	return l.scaledMoment(g.K, prec, routeDifference)
}

func (standardHashing) alike(g bloomproof.Geometry, n uint64) occupancy.Distribution {
	return occupancy.Distribution{M: g.M, N: integer.Product(n, g.K), K: 1}
}

// givenBits returns (b/m)^k, the rate of a standard filter with b set bits.
func (standardHashing) givenBits(g bloomproof.Geometry, b uint64) *big.Rat {
	k := uint64(g.K)
	return new(big.Rat).SetFrac(integer.Power(integer.Uint(b), k), integer.Power(integer.Uint(g.M), k))
}

func (h standardHashing) compareBelow(g bloomproof.Geometry, n, b uint64, p *big.Rat) (int, error) {
	return h.alike(g, n).Compare(b, p)
}

func (h standardHashing) likelihoodSlope(g bloomproof.Geometry, n, b uint64) (int, error) {
	return h.alike(g, n).Slope(b, g.K)
}

func (standardHashing) cost(g bloomproof.Geometry, n uint64) float64 {
	return momentCost(g.M, integer.Product(n, g.K), g.K, searchPrec)
}

func (h standardHashing) leastBitsAnyK(n uint64, p *big.Rat) (m uint64, assumes string, err error) {
	return climbLeastBits(plain{h}, n, plain{h}.guessHashes(n, p), p)
}

func (standardHashing) fillGuess(m, n float64, k int) float64 {
	return -math.Expm1(n * float64(k) * math.Log1p(-1/m))
}

func (standardHashing) excessGuess(m, a, p float64, k int) float64 {
	if pairsPerBit(m, k) > 1 {
		return logMomentGuess(m, a, k) - float64(k)*math.Log(p)
	}
	q := 1 - p
	return pairsPerBit(m, k) * q * max(1-(1+a)*q, 0) / (p * p)
}

// The method "peak" returns the most efficient filter with k = 1. By Theorem 26 of Burns, every other filter with the
// same nk is less efficient.
func (h standardHashing) peak(m uint64) (Peak, error) {
	return peakOverItems(h, bloomproof.Geometry{M: m, K: 1, Hashing: h.is()})
}

// settlePeak compares the peak p with filters that have another number n of items. The comparison is by efficiency.
// Most n are excluded by the value f_bloom of BoundBloom, because this value is a lower bound of the rate. If few
// enough values of n remain, their efficiencies are computed and compared.
func (h standardHashing) settlePeak(g bloomproof.Geometry, p Peak) (Peak, error) {
	const most = 400 // the largest number of rates, which take some seconds
	e, err := efficiencyOf(h, g, p.N, searchPrec)
	if err != nil {
		return Peak{}, err
	}
	// The efficiency that is computed from f_bloom is an upper bound of the true efficiency. As n grows, this upper
	// bound rises up to one peak, and falls after the peak. So beyond the peak, if the upper bound excludes n, it also
	// excludes every larger n.
	excludes := func(n uint64) *interval.Interval {
		l := h.logUnset(g, n, floatWork)
		l.Exp(l)
		l.Neg(l)
		l.Log1p(l)
		share := new(big.Rat).SetFrac(integer.Product(n, g.K), new(big.Int).SetUint64(g.M))
		l.Neg(l)
		l.Quo(l, ln2Interval(floatWork))
		return l.Mul(l, interval.New(floatWork).SetRat(share))
	}
	below := func(a, b *interval.Interval) bool {
		order, decided := a.Cmp(b)
		return decided && order < 0
	}
	low, high := p.N, p.N
	for step := uint64(1); low > 0; step *= 2 {
		low -= min(step, low)
		if low == 0 || below(excludes(low), e.interval()) && below(excludes(low), excludes(low+1)) {
			break
		}
	}
	for step := uint64(1); high-low <= 2*most; step *= 2 {
		high += step
		if below(excludes(high), e.interval()) && below(excludes(high), excludes(high-1)) {
			break
		}
	}
	if high-low > 2*most {
		return p, nil
	}
	best := p.N
	for n := low + 1; n < high; n++ {
		if below(excludes(n), e.interval()) || n == best {
			continue
		}
		order, err := cmpEfficiency(h, g, n, g, best)
		if err != nil {
			return Peak{}, err
		}
		if order > 0 || order == 0 && n < best {
			best = n
		}
	}
	p.N, p.Assumes = best, ""
	p.LeastN, p.MostN = 1, mostN
	return p, nil
}

// standardMiss returns 1 - E[(X/m)^k]. Here X is the number of occupied urns after N >= 1 balls fell into m >= 2 urns.
// It uses the terms with j >= 1 of equation (56) of Burns. It divides each term by (1-1/m)^N and adds the quotients.
// Then it multiplies the sum by (1-1/m)^N.
func standardMiss(m uint64, n *big.Int, k int, work uint) *interval.Interval {
	w := cutWeights(m, k, work)
	var s altSum
	// For i = j-1, the quotient of (1-j/m)^N and (1-1/m)^N is (1-i/(m-1))^N.
	standardPowers(m-1, n, len(w.c)-2, work, func(i int, q, missQ *big.Int) {
		s.add(i, w.c[i+1], w.missed, q, missQ)
	})
	x := w.over(m, k, s.enclosure(work, work+w.scale))
	return x.Mul(x, interval.New(work).Exp(occupancy.LogEmpty(m, n, work)))
}

// Some bits cancel when the relative difference between the rate and a bound is computed. The function excessBits
// returns the approximate number of these bits. It assumes that the difference is C(k,2)*q*part/(m p^2), where q = 1-p.
// If q is below 1/(4k), excessBits uses 1/(4k) in place of q. The reason is that such a small q is represented as a
// separate factor (see scaledValue).
func excessBits(g bloomproof.Geometry, p, part float64) float64 {
	k, m := float64(g.K), float64(g.M)
	full := max(1-p, 0.25/k)
	return math.Log2(m*p*p/(k*(k-1)/2)) - math.Log2(part*full)
}

// pairsPerBit returns C(k,2)/m. This is the number of pairs of positions of one item, divided by the number of bits.
func pairsPerBit(m float64, k int) float64 { return float64(k) * float64(k-1) / 2 / m }
