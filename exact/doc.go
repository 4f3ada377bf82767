// Package exact computes the numbers of a Bloom filter with a guarantee: every result
// is an Enclosure, two bounds between which the true value certainly lies, as close
// as the caller asked, together with the rational itself where it was computed.
//
// # What an Enclosure guarantees
//
// Lo() <= true value <= Hi(), by outward rounding at every step (package
// internal/interval) or by error bounds counted in integers beside the code. A
// function that takes prec returns a relative width (hi-lo)/lo of at most 2^-prec, or
// an error; never a wider enclosure. Exactly 0 and exactly 1 are returned as points.
// What the guarantee rests on: the Go implementation of math/big and the proofs in
// the comments; the tests compare with brute-force enumeration of all hash outcomes
// for small filters and with independent formulas beyond.
//
//	Enclosure       the answer: Lo, Hi, Rat, and Decimal, Float64, String to print it
//	Cmp, Contains   Overlaps and Sign compare it, RelBits says how well it is known
//	NewEnclosure    one from elsewhere; NewRational to compare an answer with a number
//	PrecFor, MaxPrec   the bits for so many digits, and the most that a function takes
//	ErrPrecision    no answer so narrow; bloomproof.ErrRange and its kin: none for other reasons
//
// # Rates and routes
//
// The expected false-positive rate has several published formulas; each is a Route of
// FPR, computed as printed (misprints corrected), so that they can witness for one
// another. Auto takes the cheapest: the sum of k+1 terms of Burns (56) and (60), for
// nearly empty standard filters the same differences expanded in positive terms, or the
// closed form of a partitioned filter. The rate of a filter with blocks (Geometry.Block) mixes
// those of one block.
//
//	FPR               the rate of a filter after n insertions
//	GrowingFPR        that of a filter that grows
//	MeanFPR           the mean of it while the items come
//	Route, Routes     its formulas by name; Auto, Recursive, ClosedForm are those of recycling too
//	SecondMoment      how the rates of filters of one shape vary
//	Complement        1-f, LogFPR ln f and Excess f-bloom and U-f, all without cancellation
//	Bound, Bounds     the formulas that bound or approach the rate, one and all
//	IntersectionFPR   the rate of the AND of filters; their OR is the filter of all their items
//	CorrectRate       what a counting filter's estimates are worth; CorrectRateBounds bounds it
//
// What the package knows of a hashing stands in hashing_NAME.go, and what it knows of blocks in
// hashing_blocked.go. A hashing or a block without a formula is refused.
//
// # Set bits
//
//	SetBits           mean and variance of the set bits, IntersectionBits those of an AND
//	EntropyPerBit     of one bit, as published; ArrayEntropy what no code of the array can beat
//	Distribution      that of a number of occupied urns, by Union or Intersection of Committees
//	PMF, PMFs, Range  its probabilities, one and all, and where they are
//	CDF, Quantile     their sums, at any size, and the least number that has a sum
//	Mean, Variance    and Moment, FactorialMoment, BinomialMoment, which have Routes
//
// The false-positive rates are moments of such distributions.
//
// # Sizes and efficiencies
//
//	OptimalK, MostItems, LeastBits   the best k, n, m by the exact rate; the Optimum says what
//	                                 proves it
//	TextbookK, TextbookN, TextbookM  what the textbook says instead
//	RateQuantile                     the rate that one filter keeps with a probability
//	SureK, SureItems, SureBits       the best k, n, m by it: FPR is the mean of all filters
//	Growing                          the layers of a filter that grows, and keeps a rate for ever
//	Efficiency                       Burns, section 4; PeakEfficiency finds its Peak, and says
//	                                 where it was looked for
//
// # What a filter tells of its items
//
//	EstimateItems          the items by the mean number of set bits; of an OR, those of the union
//	LikelyItems            the items that make the set bits likeliest
//	ItemsInterval          the items that the set bits are consistent with
//	EstimateIntersection   the items that two filters share
//	RatioItems             the items by the set bits of several filters
//	EstimateUrns           all urns by those that are occupied
//
// The distribution of the set bits is enclosed at any size: internal/occupancy.
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
