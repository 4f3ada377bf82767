// Package recycling computes the long-run false-positive rates of recycling Bloom filters whose arrivals are all new.
// It gives the guarantees of package exact.
//
// A recycling filter clears itself when more than sigma bits are set (bit-bounded), or after N messages that set bits
// (message-bounded). A Cycle represents such a filter. It has these methods:
//
//   - FPR returns the false-positive rate.
//   - Capacity returns the mean length of a cycle.
//   - State returns the distribution of the number of set bits that an arrival finds.
//   - LengthAbove and LengthQuantile return the distribution of the length of a cycle.
//   - Frozen returns the distribution of the number of bits that freeze.
//
// The function Transition returns the probability that an arrival changes the number of set bits from i to j. All these
// methods depend on this probability.
//
// Source: Dozier et al., "Modeling average false positive rates of recycling Bloom filters", cited as Dozier-FP.
package recycling
