// Package bloomproof is the vocabulary of Bloomproof: values with validation and printing, and
// nothing else.
//
//   - Geometry with Hashing and MaxK: the shape of a Bloom filter, which every package takes
//   - Increment: what an item adds to the counters of a counting filter
//   - Recycling: the rule by which a filter forgets
//   - Workload with Popularity (Zipf, Uniform, BiUniform, Weights) and Arrivals: the traffic
//     that it sees
//   - Bound: the closed formulas that bound or approximate its rate, by name
//   - ParamError: the error that rejects a parameter
//
// A Hashing is read and written as text, for flags and configurations; MarshalText refuses a
// value that has no name.
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
