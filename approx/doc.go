// Package approx computes the numbers of a Bloom filter in float64, each function
// with a bound on its error. It is the fast witness beside package exact; neither
// knows the other, and package verify holds them together.
//
// # Errors
//
// Every function is defined for all counts m and n that a uint64 holds, k from 1 to
// 4096 and so up to 2^76 balls, unless its comment excludes a case, which returns
// bloomproof.ErrUndefined. It never returns NaN or an infinity.
//
// u = 2^-53. An error bound has the form (c1 + c2 |ln f|) u, relative to the value
// f: a rate is computed as the exponential of its logarithm, and an error of a few u
// of the logarithm is one of |ln f| times as much of the rate. The constants grow
// with ln k, because 1-(1-1/m)^(kn) is raised to the k-th power: where k times the
// probability q of a zero is about 1, q and with it t = -ln q are about ln k. The
// constants follow from those of package internal/fm; the derivation stands over
// the code, and verify.TestApprox holds them against package exact.
//
// FPR, Complement and LogFPR avoid the logarithm: what is raised to a power or grows with
// |ln f| has two words (fm.Double), so their bounds have no term in ln f.
//
// A result below 2^-1022 has besides an absolute error of at most 2^-1072; below
// 2^-1075 it may be 0.
//
// Recycling filters have packages of their own: approx/recycling for their false positives,
// approx/fnr for their false negatives.
//
// verify.TestApprox prints the worst errors that it met, and
// verify/internal/tools/sweep/summary.txt those of the sweep: below a quarter of the bounds on
// amd64.
//
// Where an answer is an integer (OptimalK, MostItems, LeastBits), it says itself whether the
// errors could change it.
package approx
