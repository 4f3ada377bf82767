// Package exact computes false-positive rates, sizes and other numbers of Bloom filters with guaranteed accuracy. Every
// result is an [Enclosure], that is, a lower and an upper bound of the true value. The caller chooses how close
// together the two bounds must be. If the true value was computed as a rational, the Enclosure also holds that
// rational.
//
// # What an Enclosure guarantees
//
// Lo() <= true value <= Hi() always holds. In most computations every step rounds outward (package internal/interval).
// For the other computations, a comment next to the code derives a bound of the error. The code widens the Enclosure by
// this bound. A function with the parameter "prec" returns an enclosure whose relative width (hi-lo)/lo is at most
// 2^-prec, or it returns an error. Values of exactly 0 and exactly 1 have width 0. This guarantee depends on the
// correctness of the Go package math/big and of the proofs in the comments. For small filters, the tests compare the
// results with an enumeration of all hash outcomes. For larger filters, they compare the results with independent
// formulas.
//
//	Enclosure          the result: Lo, Hi and Rat return it, Decimal, Float64 and String print it
//	Cmp, Contains      compare enclosures and numbers, as Overlaps and Sign do; RelBits gives the relative width
//	NewEnclosure       an enclosure of a number computed elsewhere; NewRational an enclosure of a given rational
//	PrecFor, MaxPrec   the bits needed for a number of digits, and the most bits that a function accepts
//	ErrPrecision       the enclosure is wider than asked; bloomproof.ErrRange and others report other failures
//
// # Rates and routes
//
// Several formulas for the expected false-positive rate have been published. Each of them is a [Route] of [FPR]. A
// route evaluates its formula as printed, except that misprints are corrected. Therefore the results of different
// routes check one another. [Auto] takes the cheapest route. For most filters the cheapest route is a sum of k+1 terms,
// (56) or (60) of Burns. For nearly empty standard filters, this sum is rewritten as a sum of positive terms.
// Partitioned filters have a closed form. In a filter with blocks (Geometry.Block), each block has a rate that depends
// on its number of items. The rate of the filter is the mean of these rates.
//
//	FPR               the rate of a filter after n insertions
//	GrowingFPR        the rate of a filter that grows
//	MeanFPR           the mean of the rate while the items arrive
//	Route, Routes     the formulas by name; Auto, Recursive, ClosedForm are routes of recycling too
//	SecondMoment      how the rates of filters of one shape vary
//	Complement        1-f; LogFPR is ln f, Excess is f/bloom - 1 or U/f - 1; all without cancellation
//	Bound, Bounds     the formulas that bound or approximate the rate, one and all
//	IntersectionFPR   the rate of the AND of filters; their OR is the filter of all their items
//	CorrectRate       how often a counting filter's estimate is correct; CorrectRateBounds bounds it
//
// The formulas of a hashing are in hashing_NAME.go, and the formulas for filters with blocks are in hashing_blocked.go.
// Every function refuses a hashing or a block for which it has no formula.
//
// # Set bits
//
//	SetBits           mean and variance of the set bits; IntersectionBits the same for an AND
//	EntropyPerBit     entropy of one bit, as published; ArrayEntropy is the entropy of the whole array
//	Distribution      distribution of the number of occupied urns, by Union or Intersection of Committees
//	PMF, PMFs         the probability of one number, and of all numbers
//	Range             the numbers whose probability is positive
//	CDF, Quantile     the probability of at most a number, and the least number with a given CDF
//	Mean, Variance    and Moment, FactorialMoment, BinomialMoment, which have Routes
//
// False-positive rates are moments of these distributions.
//
// # Sizes and efficiencies
//
//	OptimalK, MostItems, LeastBits   the best k, n, m by the exact rate; the Optimum states why it is
//	                                 the best
//	TextbookK, TextbookN, TextbookM  the best k, n, m by the textbook formulas
//	RateQuantile                     the rate that a filter does not exceed with a given probability
//	SureK, SureItems, SureBits       the best k, n, m by RateQuantile instead of the mean rate FPR
//	Growing                          the layers of a filter that grows and keeps its rate below a limit
//	Efficiency                       Burns, section 4; PeakEfficiency finds the largest, and states
//	                                 which filters it searched
//
// # Items from set bits
//
//	EstimateItems          the items from the mean number of set bits; for an OR, the items of the union
//	LikelyItems            the number of items that makes the observed set bits most probable
//	ItemsInterval          the numbers of items that are consistent with the set bits
//	EstimateIntersection   the number of items that two sets share
//	RatioItems             the items from the set bits of several filters
//	EstimateUrns           the number of all urns from the number of occupied ones
//
// Package internal/occupancy encloses the distribution of the set bits for filters of any size.
//
// # Recycling filters
//
// Package exact/recycling has the false-positive rates of filters that clear themselves. Package exact/fnr has the
// false-negative rates of such filters.
//
// Papers: Burns, "On occupancy moments and Bloom filter efficiency"; Fan et al., "On
// the evolutionary of Bloom filter false positives"; Dozier et al., "Modeling average false
// positive rates of recycling Bloom filters", and "Analysis of false negative rates for
// recycling Bloom filters".
package exact
