package exact

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/occupancy"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

// With partitionedHashing, an item has one position in each of k slices of m/k bits. In each slice, n items correspond
// to n balls that fall into m/k urns. The slices are independent of each other.
type partitionedHashing struct{}

func (partitionedHashing) is() bloomproof.Hashing { return bloomproof.Partitioned }
func (h partitionedHashing) filters() string      { return h.is().String() + " hashing" }

func (partitionedHashing) full(g bloomproof.Geometry) bool { return uint64(g.K) == g.M }
func (partitionedHashing) isUpper() bool                   { return true }
func (partitionedHashing) collides() bool                  { return false }

func (partitionedHashing) bounds() []bloomproof.Bound {
	return []bloomproof.Bound{
		bloomproof.BoundBloom, bloomproof.BoundExponential, bloomproof.BoundLower, bloomproof.BoundLowerSimple,
		bloomproof.BoundLowerClassic, bloomproof.BoundUpper, bloomproof.BoundPartitioned,
	}
}

func (partitionedHashing) routes() []Route { return []Route{ClosedForm} }

func (h partitionedHashing) enclose(g bloomproof.Geometry, n uint64, prec uint, _ Route) (Enclosure, error) {
	const guard = 24 // extra bits for the rounding errors, not counting the factor k by which the power multiplies them
	s, k := h.slices(g)
	// The argument n log1p(-1/s) of Expm1 has a relative error of 2^-work. Expm1 multiplies this error by at most
	// max(1, |n log1p(-1/s)|).
	size := math.Log2(max(1, float64(n)/float64(s)))
	return ziv(prec, prec+uint(size)+guard, func(work uint) *interval.Interval {
		x := fill(s, new(big.Int).SetUint64(n), work)
		return x.PowInt(x, big.NewInt(int64(k)))
	})
}

// log2Lower approximates log2 of the exact rate. It does not use a lower bound.
func (partitionedHashing) log2Lower(g bloomproof.Geometry, n uint64) float64 {
	return float64(g.K) * math.Log2(committeesFillGuess(float64(g.M), float64(n), g.K))
}

func (h partitionedHashing) rational(g bloomproof.Geometry, n uint64) *big.Rat {
	bits, k := h.slices(g)
	s := new(big.Int).SetUint64(bits)
	all := integer.Power(s, n)
	p := new(big.Int).Sub(all, integer.Power(new(big.Int).Sub(s, integer.One), n))
	return new(big.Rat).SetFrac(integer.Power(p, uint64(k)), integer.Power(all, uint64(k)))
}

func (partitionedHashing) rationalBits(g bloomproof.Geometry, n uint64) float64 {
	return float64(n) * float64(g.K) * math.Log2(float64(g.M)/float64(g.K))
}

func (h partitionedHashing) rationalWork(g bloomproof.Geometry, n uint64) float64 {
	return h.rationalBits(g, n)
}

func (partitionedHashing) weights(g bloomproof.Geometry) (w []*big.Int, den *big.Int) {
	return integer.BinomialRow(g.K), integer.One
}

// Let j bits in j different slices be given. The method "spared" returns the probability that an item sets none of
// them.
func (h partitionedHashing) spared(g bloomproof.Geometry, j uint64) sparing {
	if j == 0 {
		return sparing{num: 1, den: 1, power: 1}
	}
	s, _ := h.slices(g)
	return sparing{num: s - 1, den: s, power: 1, times: true}
}

func (h partitionedHashing) complement(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	return complementOf(h, g, n, prec)
}

func (h partitionedHashing) logRate(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	return logRateOf(h, g, n, prec)
}

// secondMoment returns E[(Y/s)^2]^k, where s is the number of bits of a slice. Y is the number of urns that n balls
// occupy among s urns.
func (h partitionedHashing) secondMoment(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	const guard = 16 // extra bits, not counting log2 k for the power, which multiplies a relative error by k
	s, k := h.slices(g)
	return zivErr(prec, prec+uint(math.Log2(float64(k)))+guard, func(work uint) (*interval.Interval, error) {
		e, err := moment(s, new(big.Int).SetUint64(n), 2, work)
		if err != nil {
			return nil, err
		}
		return interval.New(work).PowInt(e.interval(), big.NewInt(int64(k))), nil
	})
}

func (partitionedHashing) logUnset(g bloomproof.Geometry, n uint64, work uint) *interval.Interval {
	return logCommitteesUnset(g, n, work)
}

func (h partitionedHashing) unsetSum(d *derivation, work uint) *interval.Interval {
	return powerSum(d.g.K, h.logUnset(d.g, d.n, work), work)
}

// The method "excess" returns the relative difference between the rate f and the value of BoundBloom. The rate equals
// U, the value of BoundUpper. The method "excess" also accepts filters in which every item sets every bit. For these
// filters U = 1. Let a = (1-k/m)^n and b = (1-1/m)^(kn). A given bit is unset with probability a in a partitioned
// filter, and with probability b in a standard filter. Then U/bloom = ((1-a)/(1-b))^k, where bloom is the value of
// BoundBloom. The difference b-a equals -b expm1(log(a/b)).
func (h partitionedHashing) excess(_ bloomproof.Bound, d *derivation, work uint) scaledValue {
	nw := func() *interval.Interval { return interval.New(work) }
	k := nw().SetUint64(uint64(d.g.K))
	lb := occupancy.LogEmpty(d.g.M, integer.Product(d.n, d.g.K), work)
	x := nw().SetUint64(1) // becomes (b-a)/b
	if !h.full(d.g) {
		x.Expm1(d.logUnsetRatio(work))
		x.Neg(x)
	}
	if lb.Lo().Cmp(big.NewFloat(-4*float64(work))) < 0 {
		// Let x = (b-a)/b. Here b is below 2^(-5 work). So (1 + b x/(1-b))^k - 1 lies between kbx and kbx (1 + 2kb).
		more := nw().SetScaled(new(big.Int), integer.One, -4*int(work))
		more.Add(more, nw().SetUint64(1))
		x.Mul(x, k)
		return scaledValue{x.Mul(x, more), lb}
	}
	b := nw().Exp(lb)
	x.Mul(x, b)
	b.Expm1(lb)
	b.Neg(b)
	x.Quo(x, b)
	x.Log1p(x)
	x.Mul(x, k)
	return scaledValue{x: x.Expm1(x)}
}

// excessBits returns 0, because the method "excess" loses no bits by cancellation.
func (partitionedHashing) excessBits(bloomproof.Bound, bloomproof.Geometry, uint64) float64 { return 0 }

func (h partitionedHashing) missed(g bloomproof.Geometry, n uint64, work uint) *interval.Interval {
	return oneMinusPower(h.logUnset(g, n, work), g.K, work)
}

func (partitionedHashing) leastSet(g bloomproof.Geometry) uint64 { return uint64(g.K) }
func (partitionedHashing) allows(m uint64, k int) bool           { return m%uint64(k) == 0 }
func (partitionedHashing) stepM(k int) (step, least uint64)      { return uint64(k), 1 }
func (partitionedHashing) onePeak(bloomproof.Geometry) bool      { return true }

func (partitionedHashing) oneItem(*kSearch) (k, last int, ok bool) { return 0, 0, false }

// The method "lower" returns a lower bound of the rates of all k in a range. The bound follows from the value of the
// function "upper", which equals the rate.
func (partitionedHashing) lower(s *kSearch) rangeBound { return s.upper(s.n) }

func (partitionedHashing) sharpLower(bloomproof.Geometry, uint64, uint) (Enclosure, bool) {
	return Enclosure{}, false
}

func (partitionedHashing) slices(g bloomproof.Geometry) (uint64, int) {
	return g.M / uint64(g.K), g.K
}

func (partitionedHashing) draws(_ bloomproof.Geometry, n *big.Int) (size uint64, count *big.Int) {
	return 1, new(big.Int).Set(n)
}

// andRate returns p_1^k, where p_1 is the probability that a given bit of one slice is set.
func (partitionedHashing) andRate(g bloomproof.Geometry, l Distribution, prec uint) (Enclosure, error) {
	const guard = 4
	k := uint64(g.K)
	p, err := l.hit(1, prec+uint(bits.Len64(k))+guard, routeDifference)
	if err != nil {
		return Enclosure{}, err
	}
	if r, ok := p.Rat(); ok && float64(k)*l.logOutcomes() <= precision.RationalMost {
		return exactly(new(big.Rat).SetFrac(integer.Power(r.Num(), k), integer.Power(r.Denom(), k)), prec), nil
	}
	return around(interval.New(prec+resultGuard).PowInt(p.interval(), integer.Uint(k))), nil
}

// The method "alike" returns the distribution of the number of set bits for classic hashing. Its mean is the same as
// for partitioned hashing.
func (partitionedHashing) alike(g bloomproof.Geometry, n uint64) occupancy.Distribution {
	return occupancy.Distribution{M: g.M, N: integer.Uint(n), K: g.K}
}

func (h partitionedHashing) all(g bloomproof.Geometry, n uint64) occupancy.Slices {
	s, k := h.slices(g)
	return occupancy.Slices{S: s, N: n, K: k}
}

// givenBits returns (b/m)^k. Consider a filter with b set bits. If all its slices have equally many set bits, this is
// its rate.
func (partitionedHashing) givenBits(g bloomproof.Geometry, b uint64) *big.Rat {
	return standardHashing{}.givenBits(g, b)
}

func (h partitionedHashing) compareBelow(g bloomproof.Geometry, n, b uint64, p *big.Rat) (int, error) {
	return h.all(g, n).Compare(b, p)
}

func (h partitionedHashing) likelihoodSlope(g bloomproof.Geometry, n, b uint64) (int, error) {
	return h.all(g, n).Slope(b)
}

// The method "cost" returns 0, because the time for computing a rate is negligible.
func (partitionedHashing) cost(bloomproof.Geometry, uint64) float64 { return 0 }

// leastBitsAnyK finds the smallest number m of bits with which some k satisfies the requirement. It first computes the
// smallest permitted number m of bits for one k. The method "window" then returns two numbers. Only a k between these
// two numbers can need fewer than m bits. For each of these k, leastBitsAnyK computes the smallest number of bits. For
// every other k, fewer than m bits are not enough. The reason is that the function "upper" then returns a value above
// p.
func (h partitionedHashing) leastBitsAnyK(n uint64, p *big.Rat) (m uint64, assumes string, err error) {
	k := hashesFor(p)
	m, err = leastBits(plain{h}, n, k, p)
	if err != nil {
		return 0, "", err
	}
	s := newKSearch(plain{classicHashing{}}, m-1, n) // classic hashing, because k need not divide m-1
	below, above := s.window(s.upper(n), logTarget(p, floatWork).Hi())
	for k := below + 1; k < above; k++ {
		less, err := leastBits(plain{h}, n, k, p)
		if err != nil {
			return 0, "", err
		}
		m = min(m, less)
	}
	return m, "", nil
}

func (partitionedHashing) fillGuess(m, n float64, k int) float64 {
	return committeesFillGuess(m, n, k)
}

func (partitionedHashing) excessGuess(m, a, p float64, k int) float64 { return 0 }

func (h partitionedHashing) peak(m uint64) (Peak, error) { return peakOverK(h, m) }

// settlePeak is never called for this hashing, because onePeak returns true.
func (partitionedHashing) settlePeak(_ bloomproof.Geometry, p Peak) (Peak, error) { return p, nil }
