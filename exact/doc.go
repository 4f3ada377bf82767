// Package exact computes the numbers of a Bloom filter with a guarantee. Every result is an [Enclosure]: two bounds
// that certainly have the true value between them, as close together as the caller asked. If the true value was
// computed as a rational, the Enclosure also holds that rational.
//
// # What an Enclosure guarantees
//
// Lo() <= true value <= Hi(), by outward rounding at every step (package internal/interval) or by error bounds counted
// in integers next to the code. A function that takes prec returns a relative width (hi-lo)/lo of at most 2^-prec, or
// an error; it never returns a wider enclosure. Exactly 0 and exactly 1 are returned as points. The guarantee rests on
// the Go implementation of math/big and on the proofs in the comments. The tests compare the results with brute-force
// enumeration of all hash outcomes for small filters, and with independent formulas for larger ones.
//
//	Enclosure       the answer: Lo, Hi, Rat, and Decimal, Float64, String to print it
//	Cmp, Contains   Overlaps and Sign compare it, RelBits gives its relative width
//	NewEnclosure    an enclosure of a number computed elsewhere; NewRational to compare with a number
//	PrecFor, MaxPrec   the bits for a number of digits, and the most bits that a function accepts
//	ErrPrecision    no enclosure so narrow; bloomproof.ErrRange and others: no answer for other reasons
//
// # Rates and routes
//
// The expected false-positive rate has several published formulas. Each is a [Route] of [FPR]. Its formula is computed
// as printed, with misprints corrected, so that the routes check one another. [Auto] takes the cheapest route. For most
// filters this is the sum of k+1 terms of Burns (56) and (60). For nearly empty standard filters the same differences
// are expanded in positive terms, and partitioned filters have a closed form. The rate of a filter with blocks
// (Geometry.Block) is the mean of the rates of one block over its number of items.
//
//	FPR               the rate of a filter after n insertions
//	GrowingFPR        the rate of a filter that grows
//	MeanFPR           the mean of the rate while the items arrive
//	Route, Routes     its formulas by name; Auto, Recursive, ClosedForm are routes of recycling too
//	SecondMoment      how the rates of filters of one shape vary
//	Complement        1-f, LogFPR ln f and Excess f-bloom and U-f, all without cancellation
//	Bound, Bounds     the formulas that bound or approximate the rate, one and all
//	IntersectionFPR   the rate of the AND of filters; their OR is the filter of all their items
//	CorrectRate       how often a counting filter's estimate is correct; CorrectRateBounds bounds it
//
// The formulas of a hashing are in hashing_NAME.go, and those of blocks in
// hashing_blocked.go. A hashing or a block without a formula is refused.
//
// # Set bits
//
//	SetBits           mean and variance of the set bits, IntersectionBits those of an AND
//	EntropyPerBit     entropy of one bit, as published; ArrayEntropy that of the array, which bounds every code
//	Distribution      distribution of the number of occupied urns, by Union or Intersection of Committees
//	PMF, PMFs, Range  its probabilities, one and all, and the numbers where they are positive
//	CDF, Quantile     their sums, at any size, and the least number with a given sum
//	Mean, Variance    and Moment, FactorialMoment, BinomialMoment, which have Routes
//
// The false-positive rates are moments of such distributions.
//
// # Sizes and efficiencies
//
//	OptimalK, MostItems, LeastBits   the best k, n, m by the exact rate; the Optimum says what
//	                                 proves it
//	TextbookK, TextbookN, TextbookM  the textbook's answers
//	RateQuantile                     the rate that one filter keeps with a probability
//	SureK, SureItems, SureBits       the best k, n, m by RateQuantile; FPR is the mean of all filters
//	Growing                          the layers of a filter that grows and always keeps a rate
//	Efficiency                       Burns, section 4; PeakEfficiency finds its Peak, and says
//	                                 which filters it searched
//
// # Items from set bits
//
//	EstimateItems          the items from the mean number of set bits; for an OR, the items of the union
//	LikelyItems            the number of items that makes the set bits likeliest
//	ItemsInterval          the numbers of items that are consistent with the set bits
//	EstimateIntersection   the items that two filters share
//	RatioItems             the items from the set bits of several filters
//	EstimateUrns           the number of all urns from the number of occupied ones
//
// Package internal/occupancy encloses the distribution of the set bits at any size.
//
// # Recycling filters
//
// Package exact/recycling has the false-positive rates of filters that clear themselves, and
// package exact/fnr their false-negative rates.
//
// Papers: Burns, "On occupancy moments and Bloom filter efficiency"; Fan et al., "On
// the evolutionary of Bloom filter false positives"; Dozier et al., "Modeling average false
// positive rates of recycling Bloom filters", and "Analysis of false negative rates for
// recycling Bloom filters".
package exact
