// Package recycling computes the false-positive rates of recycling Bloom filters in the long
// run, when every arrival is new, with the guarantees of package exact.
//
// A recycling filter clears itself when more than sigma bits are set (bit-bounded), or after N messages that set bits
// (message-bounded). The methods of a Cycle return its rate (FPR), the mean length of a cycle (Capacity), the
// distribution of the number of set bits that an arrival finds (State), the distribution of the length of a cycle
// (LengthAbove, LengthQuantile), and the distribution of the number of bits that freeze (Frozen). Transition returns
// the probability tau(i,j) that an arrival changes the number of set bits from i to j, on which all of these depend.
//
// Source: Dozier et al., "Modeling average false positive rates of recycling Bloom filters", cited as Dozier-FP.
package recycling
