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

// doubleHashing is what is known of the rate of double hashing: an item draws a start a from
// 0..m-1 and a step b from a set B of steps, uniform and independent, and has the positions
//
//	a + ib mod m, 0 <= i < k.
//
// Let S = {0, b, ..., (k-1)b} for a step b. An item with this step hits a set J of positions if
// its start is in J - S, the set of all differences. So it misses J with the probability
//
//	q_J = 1 - (1/(m|B|)) sum over b in B of |J - S|.
//
// The rate is by inclusion and exclusion over the distinct positions D of the query, which can
// start at 0 as q_J does not change when J is shifted:
//
//	f = (1/|B|) sum over the steps of the query, sum over J in D of (-1)^|J| q_J^n.
//
// There are 2^k terms for each step. hashing_double_terms.go finds the few that differ, in a time
// that does not depend on m.
type doubleHashing struct {
	hashing bloomproof.Hashing
	steps   stepSet
}

// doubleLimit is the most time of a rate, in nanoseconds by its estimate.
const doubleLimit = 1 << 33

func (h doubleHashing) filters() string { return h.hashing.String() + " hashing" }
func (doubleHashing) routes() []Route   { return []Route{routeDifference} }

// full: the positions of every step must be all of them. Positions repeat after m/gcd(b,m).
func (h doubleHashing) full(g bloomproof.Geometry) bool {
	return uint64(g.K) >= g.M && (g.M == 1 || h.steps == oddSteps || h.steps == nonzeroSteps && integer.Uint(g.M).ProbablyPrime(0))
}

func (h doubleHashing) enclose(g bloomproof.Geometry, n uint64, prec uint, _ Route) (Enclosure, error) {
	return h.sum(g, n, prec, h.cancels(g, n), 0)
}

// cancels returns about the bits that cancel in the sum: those of 1/f, and the weights. The rate
// is near that of k independent positions, but at least the probability that an item has the
// start and the step of the query.
func (h doubleHashing) cancels(g bloomproof.Geometry, n uint64) uint {
	m, k := float64(g.M), float64(g.K)
	unlike := -k * math.Log2(-math.Expm1(-k*float64(n)/m))
	same := max(0, math.Log2(m)+math.Log2(h.steps.size(m))-math.Log2(float64(n)))
	return uint(min(unlike, same) + min(k, m))
}

// sum returns the sum over the sets J of at least from positions, 0 or 1, with the sign of its
// first terms positive, to a relative width of 2^-prec.
func (h doubleHashing) sum(g bloomproof.Geometry, n uint64, prec, cancels uint, from int) (Enclosure, error) {
	const guard = 32 // for the roundings beside those of the powers
	terms, err := h.terms(g)
	if err != nil {
		return Enclosure{}, err
	}
	first := prec + cancels + itemBits(n) + guard
	if cost := float64(len(terms)) * float64(itemBits(n)) * (callCost + productCost(float64(first)/wordBits)); cost > doubleLimit {
		return Enclosure{}, refuse.TooCostly(fmt.Sprintf("the rate of %v", g), cost, doubleLimit)
	}
	return ziv(prec, first, func(work uint) *interval.Interval {
		f := field.Intervals(work)
		items, all := integer.Uint(n), f.Zero().SetInt(h.outcomes(g.M))
		sum := f.Zero()
		for _, t := range terms {
			if t.size < from {
				continue
			}
			x := f.Zero().SetInt(t.missed)
			x = f.Pow(x.Quo(x, all), items)
			x.Mul(x, f.Zero().SetInt(t.weight))
			if (t.size-from)&1 == 0 {
				sum.Add(sum, x)
			} else {
				sum.Sub(sum, x)
			}
		}
		return sum.Quo(sum, f.Zero().SetInt(h.steps.count(g.M)))
	})
}

// rational is the sum over the common denominator |B| (m|B|)^n.
func (h doubleHashing) rational(g bloomproof.Geometry, n uint64) *big.Rat {
	terms, err := h.terms(g)
	if err != nil { // rationalBits has refused it
		panic(err)
	}
	sum := new(big.Int)
	for _, t := range terms {
		x := integer.Power(t.missed, n)
		x.Mul(x, t.weight)
		if t.size&1 == 0 {
			sum.Add(sum, x)
		} else {
			sum.Sub(sum, x)
		}
	}
	all := integer.Power(h.outcomes(g.M), n)
	return new(big.Rat).SetFrac(sum, all.Mul(all, h.steps.count(g.M)))
}

// rationalBits is infinite where the terms would take too long.
func (h doubleHashing) rationalBits(g bloomproof.Geometry, n uint64) float64 {
	if _, err := h.kinds(g); err != nil {
		return math.Inf(1)
	}
	m := float64(g.M)
	return float64(n)*math.Log2(m) + float64(n+1)*math.Log2(h.steps.size(m))
}

func (h doubleHashing) rationalWork(g bloomproof.Geometry, n uint64) float64 {
	return h.rationalBits(g, n) * math.Exp2(min(float64(g.K), float64(g.M)))
}

// complement is the sum without its first term, with its sign changed. It is at least the
// probability that the items miss one position, and no term of a query is above that.
func (h doubleHashing) complement(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	if h.rationalBits(g, n) < precision.RationalMost {
		one := big.NewRat(1, 1)
		return exactly(one.Sub(one, h.rational(g, n)), prec), nil
	}
	const name = "the complement of the rate"
	kinds, err := h.kinds(g)
	switch {
	case err != nil:
		return Enclosure{}, err
	case noFloat(h.logUnset(g, n, kinds)):
		return Enclosure{}, outOfRange(name)
	}
	return h.sum(g, n, prec, uint(min(uint64(g.K), g.M)), 1)
}

// logUnset returns the logarithm of the probability that n items miss a position: one with the
// step b has min(k, m/gcd(b,m)) positions, and each is the given one for one start.
func (h doubleHashing) logUnset(g bloomproof.Geometry, n uint64, kinds []queryKind) *interval.Interval {
	hit := new(big.Int)
	for _, x := range kinds {
		t := integer.Uint(x.count)
		hit.Add(hit, t.Mul(t, integer.Uint(min(uint64(g.K), g.M/x.g))))
	}
	x := interval.New(floatWork).SetRat(new(big.Rat).SetFrac(hit.Neg(hit), h.outcomes(g.M)))
	x.Log1p(x)
	return x.Mul(x, interval.New(floatWork).SetUint64(n))
}

// outcomes returns m|B|.
func (h doubleHashing) outcomes(m uint64) *big.Int {
	x := h.steps.count(m)
	return x.Mul(x, integer.Uint(m))
}

func (h doubleHashing) logRate(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	return logOfRate(h, g, n, prec)
}

// stepSet is a set of steps.
type stepSet uint8

const (
	allSteps     stepSet = iota // 0..m-1
	nonzeroSteps                // 1..m-1
	oddSteps                    // the odd ones of a power of two
)

// count returns the number of steps, and size the same as a float.
func (s stepSet) count(m uint64) *big.Int {
	switch s {
	case nonzeroSteps:
		return integer.Uint(m - 1)
	case oddSteps:
		return integer.Uint(m / 2)
	}
	return integer.Uint(m)
}

func (s stepSet) size(m float64) float64 {
	switch s {
	case nonzeroSteps:
		return max(1, m-1)
	case oddSteps:
		return m / 2
	}
	return m
}

// has reports whether b < m is a step.
func (s stepSet) has(b uint64) bool {
	return s == allSteps || s == nonzeroSteps && b != 0 || b&1 == 1 && s == oddSteps
}
