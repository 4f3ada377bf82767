package exact

import (
	"cmp"
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

// The type doubleLaw computes the rate of a hashing that uses few random numbers. Such a hashing derives all k
// positions of an item from these numbers, for example from a start and a step. Each combination of values of the
// random numbers is an outcome. All outcomes are equally likely. They can be counted, because there are not too many.
// Consider a query whose set of positions is D. The probability that the filter contains all of D follows by inclusion
// and exclusion. The probability is:
//
//	sum over the subsets J of D of (-1)^|J| q_J^n.
//
// Here q_J is the fraction of the outcomes of an item that hit no position in J. The rate f is the mean of this sum
// over all queries. Each query has up to 2^k subsets J, but many subsets have equal terms. The method "terms" lists the
// different terms.
type doubleLaw struct {
	hashing bloomproof.Hashing
	draws
}

// The interface "draws" has the methods that differ between the hashings of type doubleLaw.
type draws interface {
	// The method "full" reports whether every item sets every bit.
	full(g bloomproof.Geometry) bool
	// The method "terms" returns the different terms of the sum for the rate. The method "check" returns an error if
	// finding these terms would take too long.
	terms(g bloomproof.Geometry) ([]term, error)
	check(g bloomproof.Geometry) error
	// The method "queries" returns the number of queries over which the terms are summed. The method "outcomes" returns
	// the number of outcomes of an item. The method "hits" returns the number of outcomes that hit a given position.
	queries(g bloomproof.Geometry) *big.Int
	outcomes(g bloomproof.Geometry) *big.Int
	hits(g bloomproof.Geometry) *big.Int
}

// The type "term" represents one term of the sum for the rate. The value of the term is the product of (-1)^size,
// weight and (missed/outcomes)^n.
type term struct {
	size           int
	missed, weight *big.Int
}

func smallFirst(a, b term) int { return cmp.Or(cmp.Compare(a.size, b.size), a.missed.Cmp(b.missed)) }

// doubleLimit is in nanoseconds. It limits the estimated time for computing a rate.
const doubleLimit = 1 << 33

// mostPositions is the largest permitted number of positions of a query. It limits the memory that a computation needs.
const mostPositions = 24

func (l doubleLaw) filters() string { return l.hashing.String() + " hashing" }
func (doubleLaw) routes() []Route   { return []Route{routeDifference} }

func (l doubleLaw) enclose(g bloomproof.Geometry, n uint64, prec uint, _ Route) (Enclosure, error) {
	return l.sum(g, n, prec, l.cancels(g, n), 0)
}

// The method "cancels" returns the approximate number of bits that the sum loses by cancellation. This number is
// log2(1/f) + min(k,m), because the positions of a query have at most 2^min(k,m) subsets. The estimate of f is the
// larger of two numbers. One is the rate for k independent positions. The other is the probability that some item has
// the same outcome as the query.
func (l doubleLaw) cancels(g bloomproof.Geometry, n uint64) uint {
	m, k := float64(g.M), float64(g.K)
	unlike := -k * math.Log2(-math.Expm1(-k*float64(n)/m))
	same := max(0, float64(l.outcomes(g).BitLen())-math.Log2(float64(n)))
	return uint(min(unlike, same) + min(k, m))
}

// The argument "from" is 0 or 1. The method "sum" adds up the terms of all sets J that have at least "from" positions.
// The result has a relative width of at most 2^-prec. The sign of the result is chosen so that the terms of the
// smallest sets are positive.
func (l doubleLaw) sum(g bloomproof.Geometry, n uint64, prec, cancels uint, from int) (Enclosure, error) {
	terms, err := l.terms(g)
	if err != nil {
		return Enclosure{}, err
	}
	return sumTerms(g, terms, l.outcomes(g), l.queries(g), n, prec, cancels, from)
}

// sumTerms adds up the terms of all sets J that have at least a given number of positions. The argument "from" is this
// number. The function then divides the sum by the number of queries.
func sumTerms(g bloomproof.Geometry, terms []term, outcomes, queries *big.Int, n uint64, prec, cancels uint, from int) (Enclosure, error) {
	const guard = 32 // extra bits for all rounding errors except those of the powers
	first := prec + cancels + itemBits(n) + guard
	if cost := float64(len(terms)) * float64(itemBits(n)) * (callCost + productCost(float64(first)/wordBits)); cost > doubleLimit {
		return Enclosure{}, refuse.TooCostly(fmt.Sprintf("the rate of %v", g), cost, doubleLimit)
	}
	return ziv(prec, first, func(work uint) *interval.Interval {
		f := field.Intervals(work)
		items, all := integer.Uint(n), f.Zero().SetInt(outcomes)
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
		return sum.Quo(sum, f.Zero().SetInt(queries))
	})
}

// The method "rational" returns the rate as an exact rational. It adds up the numerators of the terms over a common
// denominator.
func (l doubleLaw) rational(g bloomproof.Geometry, n uint64) *big.Rat {
	terms, err := l.terms(g)
	if err != nil { // cannot occur: rationalBits has refused such a geometry
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
	all := integer.Power(l.outcomes(g), n)
	return new(big.Rat).SetFrac(sum, all.Mul(all, l.queries(g)))
}

// rationalBits returns infinity if finding the terms would take too long.
func (l doubleLaw) rationalBits(g bloomproof.Geometry, n uint64) float64 {
	if l.check(g) != nil {
		return math.Inf(1)
	}
	return float64(n)*float64(l.outcomes(g).BitLen()) + float64(l.queries(g).BitLen())
}

func (l doubleLaw) rationalWork(g bloomproof.Geometry, n uint64) float64 {
	return l.rationalBits(g, n) * math.Exp2(min(float64(g.K), float64(g.M)))
}

// complement returns 1-f. This number is the negative of the sum over the nonempty sets J. It is at least the
// probability that n items leave one given position unset. No term of a query is larger than this probability.
func (l doubleLaw) complement(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	if l.rationalBits(g, n) < precision.RationalMost {
		one := big.NewRat(1, 1)
		return exactly(one.Sub(one, l.rational(g, n)), prec), nil
	}
	if err := l.check(g); err != nil {
		return Enclosure{}, err
	}
	const name = "the complement of the rate"
	// The variable "unset" becomes the logarithm of the probability that n items leave a given bit unset.
	unset := interval.New(floatWork).SetRat(new(big.Rat).SetFrac(l.hits(g), l.outcomes(g)))
	unset.Log1p(unset.Neg(unset))
	unset.Mul(unset, interval.New(floatWork).SetUint64(n))
	if noFloat(unset) {
		return Enclosure{}, outOfRange(name)
	}
	return l.sum(g, n, prec, uint(min(uint64(g.K), g.M)), 1)
}

func (l doubleLaw) logRate(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	return logOfRate(l, g, n, prec)
}
