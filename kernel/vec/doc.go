// Package vec has operations on vectors of float64 numbers. Package approx uses them, and imports no other package of
// the kernel. The operations compute the effect of a message on a filter. Only the number of set bits of the filter is
// known.
//
// A state is the number of set bits of a filter of m bits, from 0 to m. A Message sets the bits at its k positions. The
// positions are either independent, or distinct. The function tau(i, d) is the probability that a message sets d more
// bits if i bits are set before it. Then i+d bits are set after it. Dozier et al. call this probability tau_k(i, i+d).
// It is in equations (4) and (11) of "Modeling Average False Positive Rates of Recycling Bloom Filters".
//
//   - [Message.Rows]: tau(i, d) for a run of states and every d
//   - [Message.Sums]: their sums over the states, with weights
//   - [Message.Advance]: a distribution over states, one message later
//   - [Message.Visits]: the expected number of arrivals that see each state, given the state in which a cycle begins
//
// All implementations (kernel.Impl) give the same results, bit for bit. Package kernel/host chooses the best one that
// the host can run. Builds with the tag purego, and builds with the race detector, use the portable implementation.
//
// # Errors
//
// In the following u is 2^-53. All terms of a sum are positive, so errors are given relative to the result. Each result
// is a value of tau, a probability, or an expected number of visits. The method Sums is an exception: its weights may
// be negative. The error of Sums is given relative to the sum of the absolute values of the terms. Numbers below
// 2^-1022 have an absolute error, which the comment of each function states. The method Visits replaces numbers below
// 2^-1000 by zero if there are more than 12 positions. The other methods do not replace small numbers by zero. Operations
// on numbers below 2^-1022 take about thirty times as long as operations on other numbers. So it is best to leave out
// states with such small probabilities at both ends of a distribution.
//
// # Misuse
//
// The caller must check the arguments. If a Message or a length is outside its domain, the function panics, because the
// caller has made a mistake. If an argument contains an infinity or a NaN, some unspecified results are infinite or
// NaN.
package vec
