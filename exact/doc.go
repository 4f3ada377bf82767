// Package exact computes false-positive rates, sizes and other numbers of Bloom filters with guaranteed accuracy. Every
// result is an [Enclosure], that is, a lower and an upper bound of the true value. The caller chooses how close
// together the two bounds must be. If the true value was computed as a rational, the Enclosure also holds that
// rational.
//
// # What an Enclosure guarantees
//
// The true value is always at least Lo() and at most Hi(). In most computations every step rounds outward (package
// internal/interval). For the other computations, a comment next to the code derives a bound of the error. The code
// widens the Enclosure by this bound. A function with the parameter "prec" returns an enclosure whose relative width
// (hi-lo)/lo is at most 2^-prec, or it returns an error. Values of exactly 0 and exactly 1 have width 0. This guarantee
// depends on the correctness of the Go package math/big and of the proofs in the comments. For small filters, the tests
// compare the results with an enumeration of all hash outcomes. For larger filters, they compare the results with
// independent formulas.
//
//   - An [Enclosure] is the result of a function. Its methods Lo, Hi and Rat return the numbers, and Decimal, Float64
//     and String print them.
//   - The methods Cmp and Contains compare enclosures and numbers, and so do Overlaps and Sign. RelBits returns the
//     relative width.
//   - [NewEnclosure] makes an enclosure of a number that was computed elsewhere. [NewRational] encloses a given
//     rational.
//   - [PrecFor] returns the number of bits that a number of digits needs. [MaxPrec] is the largest number of bits that
//     a function accepts.
//   - [ErrPrecision] reports that an enclosure is wider than requested. Other errors, such as bloomproof.ErrRange,
//     report other failures.
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
//   - [FPR] returns the rate of a filter after n insertions.
//   - [GrowingFPR] returns the rate of a filter that grows.
//   - [MeanFPR] returns the mean of the rate while the items arrive.
//   - A [Route] names a formula, and [Routes] lists the routes. Auto, Recursive and ClosedForm are also routes for
//     recycling filters.
//   - [SecondMoment] shows how the rates of filters of one shape vary.
//   - [Complement] returns 1-f, and [LogFPR] returns ln f. [Excess] returns the relative difference between f and a
//     bound. All three compute without cancellation.
//   - [Bound] evaluates one formula that bounds or approximates the rate. [Bounds] evaluates all of them.
//   - [IntersectionFPR] returns the rate of the AND of filters. Their OR is the filter of all their items.
//   - [CorrectRate] returns how often the estimate of a counting filter is correct. [CorrectRateBounds] returns bounds
//     of this rate.
//
// The formulas of a hashing are in hashing_NAME.go, and the formulas for filters with blocks are in hashing_blocked.go.
// Every function refuses a hashing or a block for which it has no formula.
//
// # Set bits
//
//   - [SetBits] returns the mean and the variance of the number of set bits. [IntersectionBits] does the same for an
//     AND.
//   - [EntropyPerBit] returns the entropy of one bit, as published. [ArrayEntropy] returns the entropy of the whole
//     array.
//   - A [Distribution] is the distribution of the number of occupied urns. It is a Union or an Intersection of
//     [Committees].
//   - The method PMF returns the probability of one number. The method PMFs returns the probabilities of all numbers.
//   - The method Range returns the numbers whose probability is positive.
//   - The method CDF returns the probability that X is at most a given number. The method Quantile returns the least
//     number with a given CDF.
//   - The methods Mean, Variance, Moment, FactorialMoment and BinomialMoment return moments. The last three have a
//     Route.
//
// False-positive rates are moments of these distributions.
//
// # Sizes and efficiencies
//
//   - [OptimalK], [MostItems] and [LeastBits] return the best k, n or m for the exact rate. The [Optimum] states why it
//     is the best.
//   - [TextbookK], [TextbookN] and [TextbookM] return the best k, n or m by the textbook formulas.
//   - [RateQuantile] returns the rate that a filter does not exceed with a given probability.
//   - [SureK], [SureItems] and [SureBits] return the best k, n or m for RateQuantile instead of the mean rate FPR.
//   - A [Growing] describes the layers of a filter that grows and keeps its rate below a limit.
//   - [Efficiency] returns the efficiency that section 4 of Burns defines. [PeakEfficiency] finds the largest
//     efficiency, and states which filters it searched.
//
// # Items from set bits
//
//   - [EstimateItems] estimates the number of items from the mean number of set bits. For an OR, these are the items of
//     the union.
//   - [LikelyItems] returns the number of items for which the observed number of set bits is most probable.
//   - [ItemsInterval] returns the numbers of items that are consistent with the set bits.
//   - [EstimateIntersection] estimates the number of items that two sets share.
//   - [RatioItems] estimates the number of items from the set bits of several filters.
//   - [EstimateUrns] estimates the number of all urns from the number of occupied urns.
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
