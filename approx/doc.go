// Package approx computes the rates, sizes and other numbers that describe a Bloom filter, in float64. Each function
// states a bound of its error. The package is fast, and independent of package exact, which computes guaranteed
// enclosures. Neither package imports the other, and package verify compares their results.
//
// # Errors
//
// Every function is defined for k from 1 to 4096 and for all counts m and n that a uint64 holds. So the products kn are
// at most 2^76. If the comment of a function excludes a case, the function returns bloomproof.ErrUndefined in this
// case. No function returns NaN. Only [Exponential] can return an infinity. If the rate is below 2^-1022, the result
// "gap" of [Exponential] is +Inf.
//
// In the comments u is 2^-53. An error bound has the form (c1 + c2 |ln f|) u, relative to the value f. The reason is
// that a rate is computed as the exponential of its logarithm. A relative error of a few u in the logarithm becomes a
// relative error of a few |ln f| u in the rate. Let q = (1-1/m)^(kn) be the probability of a zero bit. The constants
// grow with ln k, because the fraction 1-q of set bits is raised to the k-th power. If kq is about 1, the number -ln q
// is about ln k. The constants follow from the error bounds of package internal/fm. Comments in the code derive them,
// and verify.TestApprox checks them against package exact.
//
// For [FPR], [Complement] and [LogFPR] the bounds are smaller. These functions compute the bases of powers in two words
// (fm.Double). They do the same for quantities that grow with |ln f|. So their bounds have no term in ln f.
//
// A result below 2^-1022 has an additional absolute error of at most 2^-1072. The comments of some functions state a
// smaller bound. A result below 2^-1075 may be 0.
//
// # Measured errors
//
// The test verify.TestApprox prints the largest errors that it finds. The file verify/internal/tools/sweep/summary.txt
// lists the largest errors in a sweep of millions of arguments. On amd64 these largest errors are at most half of the
// bounds.
//
// # Integers
//
// If the answer is an integer ([OptimalK], [MostItems], [LeastBits]), the function also reports whether the errors
// could change the answer.
//
// # Recycling filters
//
// Package [github.com/bloomproof/bloomproof/approx/recycling] computes the false positives of recycling filters.
// Package [github.com/bloomproof/bloomproof/approx/fnr] computes the false negatives of these filters.
package approx
