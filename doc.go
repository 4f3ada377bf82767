// Package bloomproof is the vocabulary of Bloomproof: values with validation and printing, and
// nothing else.
//
//   - Geometry {M, K, Hashing, Block}: the shape of a Bloom filter, which every package takes
//   - Hashing: Standard, Classic and Partitioned, the three laws of the k positions that the
//     papers compare, and Double, DoubleZero, DoubleOdd, DoublePartitioned, EnhancedDouble and Triple, of
//     which little more than the rate is known; MarshalText and UnmarshalText put a Geometry into a
//     configuration
//   - MaxK: the largest K, for a program that searches k itself
//   - Increment: Distinct or Literal, what an item adds to the counters of a counting filter
//   - Recycling {Sigma, Messages, Retain, TwoPhase, NoCopyOver, FreezeBefore, FreshPositions}:
//     the rule by which a filter forgets, with one field for each choice that Dozier et al. make
//   - Workload {Popularity, Arrivals, ArrivalWeights, Repeat}: the traffic that such a filter sees
//   - Popularity {D, Alpha, S, PH, Weights}: which message is repeated; Uniform, Zipf, BiUniform
//     and Weights make one, and its Weight is that of one message
//   - Arrivals: ArrivalPopularity, ArrivalUniform, ArrivalLast or ArrivalFirst, where a new
//     message enters; the false negatives depend on it, and the paper leaves it unsaid
//   - Bound: the closed formulas for the rate by name, so that one call serves them all:
//     BoundBloom, BoundExponential and BoundTaylor, the approximations; BoundLower,
//     BoundLowerSimple and BoundLowerClassic, the lower bounds; BoundUpper and BoundBose, the
//     upper ones; BoundPartitioned, the rate where k divides m
//   - ParamError {Param, Value, Want}: the error that rejects a parameter, in parts, for a
//     program that says it in its own words
//   - ErrUndefined, ErrTooCostly, ErrRange: why exact and approx have no answer for valid parameters
//
// Validate of a Geometry, Recycling or Workload says what is refused before any work, and each
// prints itself by String, for reports.
//
// The work is done elsewhere:
//
//   - kernel: the filters, on SIMD bit kernels (kernel/asm)
//   - exact: every number as a guaranteed enclosure, to any precision
//   - approx: the same numbers in float64, each with an error bound
//   - verify: a conformance suite for anybody's filter, what the papers claim, simulators
//     and the tests that hold the others to their word
//   - fuzz: fuzz targets; cmd/bloomproof: the command line
//
// README.md begins with what the module is for, docs/README.md is the index of its pages.
//
// # Words
//
// A filter has m bits and gives each of its n items k positions. Its rate f is the
// expected false-positive rate: the probability that a new item finds all its
// positions set. A recycling filter clears itself when more than sigma bits are
// set, or at its N-th bit-setting message. A workload repeats messages with
// probability p_r by their popularity Q.
package bloomproof
