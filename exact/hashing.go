package exact

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/occupancy"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

// Each file hashing_NAME.go has the formulas for one way to draw the positions of an item. The file hashing_blocked.go
// has the formulas for blocks. All other files treat all hashings in the same way. The hashings are types that
// implement interfaces. Tables of functions could be used instead of interfaces. But they would cause an initialisation
// cycle. The reason is that some of the functions search for sizes, and a search uses the tables again.

// The interface "law" has the formulas for the false-positive rate f of filters with one hashing. All methods require a
// valid geometry. All methods except "full" also require n >= 1, and a geometry for which the method "full" returns
// false.
type law interface {
	// The method "filters" returns a name for the filters to which these formulas apply. Error messages use this name.
	filters() string
	// The method "full" reports whether every item sets every bit, so that the rate is 1.
	full(g bloomproof.Geometry) bool
	// The method "routes" lists the routes by which the rate can be computed. The first is the route that Auto takes.
	routes() []Route
	// The method "enclose" returns the rate, computed by the given route. This route must be one of the results of the
	// method "routes". The upper end of the result can exceed 1. In this case FPR reduces it to 1.
	enclose(g bloomproof.Geometry, n uint64, prec uint, route Route) (Enclosure, error)
	// The method "rational" returns the rate as an exact rational. The method rationalBits returns an approximation of
	// log2 of the rate's denominator before reduction. The method "rational" adds up some numbers. The method
	// rationalWork returns their approximate total length in bits.
	rational(g bloomproof.Geometry, n uint64) *big.Rat
	rationalBits(g bloomproof.Geometry, n uint64) float64
	rationalWork(g bloomproof.Geometry, n uint64) float64
	// The method "complement" returns 1-f, and the method logRate returns ln f. Both results have a relative width of
	// at most 2^-prec.
	complement(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error)
	logRate(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error)
}

// The interface fillLaw has the methods of the interface "law" and also the formulas for the number of set bits. Only
// filters for which the distribution of this number is known have a fillLaw.
type fillLaw interface {
	law

	// The method "bounds" lists kinds of bounds. For these kinds, the relation to the rate of this hashing is known.
	// The value of a kind can be a lower bound of the rate, an upper bound, an approximation, or the rate itself.
	bounds() []bloomproof.Bound
	// logUnset returns the logarithm of the probability that a given bit is unset after n insertions. The method
	// leastSet returns the smallest number of bits that one item can set. It also accepts geometries for which the
	// method "full" returns true.
	logUnset(g bloomproof.Geometry, n uint64, work uint) *interval.Interval
	leastSet(g bloomproof.Geometry) uint64
}

// The interface "hashing" has the formulas for filters without blocks. A method requires n >= 1 items, and a valid
// geometry for which the method "full" returns false. If a method has other requirements, its comment describes them.
type hashing interface {
	fillLaw

	is() bloomproof.Hashing
	// log2Lower considers a lower bound of the rate. It returns an approximation of the bound's binary logarithm.
	log2Lower(g bloomproof.Geometry, n uint64) float64
	// secondMoment returns the mean of r^2, where r is the random rate of one filter. If every item sets every bit, it
	// returns 1.
	secondMoment(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error)
	// The method "spared" returns the probability that an item sets none of j given bits, as a value of type sparing.
	spared(g bloomproof.Geometry, j uint64) sparing
	// In the formula f = sum over j of (-1)^j w_j q_j^n / den, the weights are w_0, w_1, ... The method "weights"
	// returns these weights and den. The number q_j in this formula is the probability that an item sets none of j
	// given bits.
	weights(g bloomproof.Geometry) (w []*big.Int, den *big.Int)

	// unsetSum returns (1-f)/q for a nearly full filter, where q is the probability that a given bit is unset.
	unsetSum(d *derivation, work uint) *interval.Interval
	// The method "excess" returns the value of Excess for one kind of bound. The method excessBits returns the
	// approximate number of bits that this computation loses by cancellation.
	excess(kind bloomproof.Bound, d *derivation, work uint) scaledValue
	excessBits(kind bloomproof.Bound, g bloomproof.Geometry, n uint64) float64
	// isUpper reports whether the rate always equals the value of BoundUpper.
	isUpper() bool
	// The method "missed" returns 1-f with a relative error of some units in the last place. CorrectRate uses it for
	// counting filters. The method "collides" reports whether two positions of an item can be equal.
	missed(g bloomproof.Geometry, n uint64, work uint) *interval.Interval
	collides() bool

	// The method "slices" returns the number of bits of each slice, and the number of independent slices. When n items
	// set bits in one slice, independent draws select these bits. Each draw selects one or more distinct bits. The
	// method "draws" returns two numbers. The result "size" is the number of bits that one draw selects. The result
	// "count" is the number of draws.
	slices(g bloomproof.Geometry) (bits uint64, count int)
	draws(g bloomproof.Geometry, n *big.Int) (size uint64, count *big.Int)
	// andRate returns the rate of the AND of several filters. The argument l is the distribution of the number of set
	// bits in one slice of the AND.
	andRate(g bloomproof.Geometry, l Distribution, prec uint) (Enclosure, error)
	// The method "alike" returns the distribution of the total number of set bits. If there are several slices, it
	// returns an approximation. The callers of this interface use it only for the guesses from which searches start.
	alike(g bloomproof.Geometry, n uint64) occupancy.Distribution
	// givenBits returns the rate of a filter with b set bits. If there are several slices, it returns the largest rate
	// that a filter with b set bits can have. The result grows with b.
	givenBits(g bloomproof.Geometry, b uint64) *big.Rat
	// compareBelow compares P[X <= b] with p, where X is the total number of set bits. It returns -1, 0 or +1 if P[X <=
	// b] is less than, equal to or greater than p.
	compareBelow(g bloomproof.Geometry, n, b uint64, p *big.Rat) (int, error)
	// For 1 <= b < m, likelihoodSlope compares P[X = b] after n+1 items with P[X = b] after n items. The result is the
	// sign of the first probability minus the second.
	likelihoodSlope(g bloomproof.Geometry, n, b uint64) (int, error)

	// The interface "sizes" has the methods that the searches for the best k, m and n need. These searches are in
	// ksearch.go, optimum.go and peak.go.
	sizes
}

// Searches for the best k, m and n use the methods of the interface "sizes". Types of hashings implement it.
type sizes interface {
	// The method "allows" reports whether a filter of m bits can have k positions for each item.
	allows(m uint64, k int) bool
	// stepM describes which numbers m of bits are permitted for k positions. These are the multiples of "step" that are
	// at least step*least. In a filter of step*least bits, every item sets every bit.
	stepM(k int) (step, least uint64)
	// For n = 1 item, oneItem returns the best k, and the largest k with the same rate. The result ok is false if these
	// two numbers can only be found by a search.
	oneItem(s *kSearch) (k, last int, ok bool)
	// The method "lower" returns a rangeBound, that is, a lower bound of the rates of all k in a range.
	lower(s *kSearch) rangeBound
	// sharpLower returns a lower bound of the rate that is tighter than the bound of the method "lower". It also
	// reports whether there is such a bound.
	sharpLower(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, bool)
	// The method "cost" estimates the time for computing a rate, in nanoseconds.
	cost(g bloomproof.Geometry, n uint64) float64
	// leastBitsAnyK returns the smallest m for which the rate with the best k is at most p.
	leastBitsAnyK(n uint64, p *big.Rat) (uint64, string, error)
	// fillGuess approximates the fill of a filter. The method excessGuess approximates log(f/p^k), where p is the fill.
	// The argument a is kn/m. This is the mean number of item positions per bit. The results of searches do not depend
	// on these two guesses.
	fillGuess(m, n float64, k int) float64
	excessGuess(m, a, p float64, k int) float64
	// The method "peak" returns the filter with the largest efficiency over all n and k for m bits. It does not set the
	// field for the efficiency.
	peak(m uint64) (Peak, error)
	// onePeak reports whether the efficiency, as a function of n, is known to have only one local maximum. If this is
	// not known, settlePeak tries to prove that the local maximum p is the largest efficiency.
	onePeak(g bloomproof.Geometry) bool
	settlePeak(g bloomproof.Geometry, p Peak) (Peak, error)
}

// The type "sparing" represents q_j, the probability that an item sets none of j given bits. If the boolean field
// "times" is set, q_j is the product q_(j-1) (num/den)^power. Otherwise q_j is (num/den)^power.
type sparing struct {
	num, den uint64
	power    int
	times    bool
}

// The variable "hashings" lists the hashings for which both the rate and the distribution of the set bits are known.
var hashings = []hashing{standardHashing{}, classicHashing{}, partitionedHashing{}}

// rateHashings holds the formulas of the hashings for which only the rate is known.
var rateHashings = map[bloomproof.Hashing]law{
	bloomproof.Double:            doubleLaw{bloomproof.Double, doubleHashing{nonzeroSteps}},
	bloomproof.DoubleZero:        doubleLaw{bloomproof.DoubleZero, doubleHashing{allSteps}},
	bloomproof.DoubleOdd:         doubleLaw{bloomproof.DoubleOdd, doubleHashing{oddSteps}},
	bloomproof.DoublePartitioned: doubleLaw{bloomproof.DoublePartitioned, doublePartitioned{}},
	bloomproof.EnhancedDouble:    pairedLaw{doubleLaw{bloomproof.EnhancedDouble, enhancedDouble}},
	bloomproof.Triple:            pairedLaw{doubleLaw{bloomproof.Triple, triple}},
}

// The function "named" returns the formulas of a hashing, or an error if this package has none.
func named(h bloomproof.Hashing) (hashing, error) {
	if i := slices.IndexFunc(hashings, func(x hashing) bool { return x.is() == h }); i >= 0 {
		return hashings[i], nil
	}
	var names []string
	for _, h := range hashings {
		names = append(names, h.is().String())
	}
	return nil, &bloomproof.ParamError{Param: "hashing", Value: h, Want: "one of " + strings.Join(names, ", ") + " in package exact"}
}

// The function "valid" returns an error if g is not a valid geometry.
func valid(g bloomproof.Geometry) error {
	if err := g.Validate(); err != nil {
		return err
	}
	return fault.Part()
}

// hashingOf returns the formulas for a geometry without blocks, or an error if this package has none.
func hashingOf(g bloomproof.Geometry) (hashing, error) {
	if err := valid(g); err != nil {
		return nil, err
	}
	if g.Block != 0 {
		return nil, &bloomproof.ParamError{Param: "block", Value: g.Block, Want: "0: there is no formula for blocks"}
	}
	return named(g.Hashing)
}

// If g has blocks, blocksIn returns the formulas for filters with blocks. In this case the result ok is true.
func blocksIn(g bloomproof.Geometry) (l blocked, ok bool) {
	h, err := named(g.Hashing)
	return blocked{h}, err == nil && g.Block != 0
}

// lawOf returns the formulas for the rate of a geometry, or an error if this package has none.
func lawOf(g bloomproof.Geometry) (law, error) {
	if l, ok := rateHashings[g.Hashing]; ok && g.Block == 0 {
		return l, valid(g)
	}
	return fillLawOf(g)
}

// fillLawOf returns the formulas for the rate and for the set bits of a geometry, or an error if this package has none.
func fillLawOf(g bloomproof.Geometry) (fillLaw, error) {
	if g.Block == 0 {
		return hashingOf(g)
	}
	if err := valid(g); err != nil {
		return nil, err
	}
	h, err := named(g.Hashing)
	if err != nil {
		return nil, err
	}
	return blocked{h}, nil
}

// sizerOf returns the value of type sizer for a geometry. It returns an error if the geometry has no such value, or if
// prec is not valid.
func sizerOf(g bloomproof.Geometry, prec uint) (sizer, error) {
	l, err := fillLawOf(g)
	if err != nil {
		return nil, err
	}
	if err := precision.Check(prec); err != nil {
		return nil, err
	}
	if l, ok := l.(blocked); ok {
		return blockedSizes{l, g.Block}, nil
	}
	return plain{l.(hashing)}, nil
}

// The function "checked" returns the formulas for a geometry without blocks. It returns an error if there are none, or
// if prec is not valid.
func checked(g bloomproof.Geometry, prec uint) (hashing, error) {
	h, err := hashingOf(g)
	if err != nil {
		return nil, err
	}
	return h, precision.Check(prec)
}

// tailsOf returns the functions of type tails for a filter with b set bits. These functions reject a number of items if
// a tail probability for this number is at most "half".
func tailsOf(l fillLaw, g bloomproof.Geometry, b uint64, half *big.Rat) tails {
	if l, ok := l.(blocked); ok {
		if blocks, block := split(g); blocks == 1 {
			return plainTails(l.in, block, b, half)
		}
		return l.tails(g, b, half)
	}
	return plainTails(l.(hashing), g, b, half)
}

// boundOf returns the value of a bound for n items. The argument "kind" must be one of the kinds that l.bounds() lists.
func boundOf(l fillLaw, kind bloomproof.Bound, g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	if l, ok := l.(blocked); ok {
		return l.bound(kind, g, n, prec)
	}
	return boundFormulas[kind](g.M, n, g.K, prec)
}

// refuseBound checks the argument "kind". If it is not an element of the list "among", the result is a ParamError.
func refuseBound(l law, kind bloomproof.Bound, among []bloomproof.Bound) error {
	if slices.Contains(among, kind) {
		return nil
	}
	var names []string
	for _, b := range among {
		names = append(names, string(b))
	}
	return &bloomproof.ParamError{Param: "bound", Value: kind, Want: fmt.Sprintf("one of %s for %s", strings.Join(names, ", "), l.filters())}
}
