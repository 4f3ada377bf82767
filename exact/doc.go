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
// # Routes
//
// The expected false-positive rate has several published formulas; each is a Route of
// FPR, computed as printed (misprints corrected), so that they can witness for one
// another. Auto takes the cheapest: the sum of k+1 terms of Burns (56) and (60), for
// nearly empty standard filters the same differences expanded in positive terms, or the
// closed form of a partitioned filter. The rate of a filter with blocks (Geometry.Block) mixes
// those of one block.
//
// What the package knows of a hashing stands in hashing_NAME.go, and what it knows of blocks in
// hashing_blocked.go. A hashing or a block without a formula is refused.
//
// # Distributions
//
// A Distribution is that of a number of occupied urns: of balls, of committees, of
// unions and intersections of departments; its probabilities and moments have Routes too.
// The false-positive rates are its moments, and those of the AND and OR of filters
// (IntersectionFPR, UnionFPR) come from it.
//
// # Sizes and efficiencies
//
//	Bound, Bounds                  the formulas that bound or approach the rate
//	Complement, LogFPR, Excess     1-f, ln f, f-bloom and U-f, without cancellation
//	OptimalK, MostItems, LeastBits the best k, n, m by the exact rate, with what proves them
//	Efficiency, PeakEfficiency     Burns, section 4
//	TextbookK, TextbookM, TextbookN what the textbook says instead
//
// # What a filter tells of its items
//
// EstimateItems, LikelyItems and ItemsInterval go from the set bits to the number of items
// (from those of the or of two filters, to the items of the union), EstimateIntersection
// from those of two filters to the items they share, RatioItems from those of several;
// EstimateUrns from occupied urns to all. The distribution of the set bits in its tails
// is enclosed at any size: internal/occupancy. ArrayEntropy is what a code of the
// array cannot beat, CorrectRate what a counting filter's estimates are worth.
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
