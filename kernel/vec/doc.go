// Package vec holds the float64 vector primitives that package approx uses. approx imports no other package of the
// kernel. Package vec computes the effect of one message on a filter if only the number of set bits is known.
//
// A state is a number of set bits, 0 to m. A Message sets the bits at its k positions, which are independent or
// distinct. tau(i, d) is the probability that a message sets d more bits if i bits are set before it, so that i+d bits
// are set after it. Dozier et al. write this probability as tau_k(i, i+d) in (4) and (11) of "Modeling Average False
// Positive Rates of Recycling Bloom Filters".
//
//	Rows     tau(i, d) for a run of states and every d
//	Sums     their sums over the states, with weights
//	Advance  a distribution over states, one message later
//	Visits   expected number of arrivals that see each state, given the state in which a cycle begins
//
// Every implementation (kernel.Impl) gives the same bits. kernel/host chooses the best one that the host can run.
// Builds with the tag purego and race builds take the portable one.
//
// # Errors
//
// u = 2^-53. All terms are positive, except that the weights of Sums may have any sign. So the bounds are relative to
// the result, which is tau, a probability or a number of visits. The bound of Sums is relative to the sum of the
// absolute values of the terms. Numbers below 2^-1022 are kept (nothing is flushed to zero), with the absolute error
// that the comment of the function states. Operations on such numbers take about thirty times as long, so it is best to
// cut off the small ends of a distribution.
//
// # Misuse
//
// The caller must check arguments. A Message or a length outside its domain is a mistake in the program, like an index
// out of range, and panics. NaN and infinities among the numbers give NaN and infinities in unspecified places.
package vec
