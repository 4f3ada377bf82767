// Package vec holds the float64 vector primitives that package approx stands on, and is
// all of the kernel that approx imports: what one message does to a filter of which only
// the number of set bits is known.
//
// A state is a number of set bits, 0 to m. A Message sets the bits at its k positions,
// drawn independently or distinct; tau(i, d) is the probability that a message which
// finds i bits set sets d fresh ones, i+d in the end. Dozier et al. write it tau_k(i, i+d)
// in (4) and (11) of "Modeling Average False Positive Rates of Recycling Bloom Filters".
//
//	Rows     tau(i, d) for a run of states and every d
//	Sums     their sums over the states, with weights
//	Advance  a distribution over states, one message later
//	Visits   expected arrivals that see each state, from where a cycle begins on
//
// Every implementation (kernel.Impl) gives the same bits; the best one that the host can
// run is taken, by kernel/host. Builds with the tag purego and race builds take
// the portable one.
//
// # Errors
//
// u = 2^-53. All terms are positive, so the bounds are relative: to tau, to the sum of
// the terms' absolute values, to the probability, to the number of visits. Numbers below
// 2^-1022 are kept (nothing is flushed to zero), with the absolute error that is stated;
// they cost about thirty times as much, so a distribution is best cut where it gets small.
//
// # Misuse
//
// Arguments are checked by those who call; a Message or a length outside its domain is a
// mistake in the program, as an index out of range is, and panics. NaN and infinities
// among the numbers give NaN and infinities, in no promised place.
package vec
