// Package bloomproof defines the types that all packages of Bloomproof share. The package validates and prints values
// of these types, and computes nothing.
//
// # Types
//
//   - [Geometry] {M, K, Hashing, Block}: the shape of a Bloom filter, which every package takes
//   - [Hashing]: how the k positions are drawn. The papers compare Standard, Classic and Partitioned. For [Double],
//     [DoubleZero], [DoubleOdd], [DoublePartitioned], [EnhancedDouble] and [Triple] the module knows little more than
//     the rate. MarshalText and UnmarshalText write and read a Hashing in a configuration file
//   - [MaxK]: the largest K, for a program that does its own search for k
//   - [Increment]: [Distinct] or [Literal], what an item adds to the counters of a counting filter
//   - [Recycling] {Sigma, Messages, Retain, TwoPhase, NoCopyOver, FreezeBefore, FreshPositions}: the rule by which a
//     filter clears itself, with one field for each choice that Dozier et al. describe
//   - [Workload] {Popularity, Arrivals, ArrivalWeights, Repeat}: the traffic that such a filter sees
//   - [Popularity] {D, Alpha, S, PH, Weights}: which message is repeated; [Uniform], [Zipf], [BiUniform] and [Weights]
//     construct one, and the method Weight returns the weight of one message
//   - [Arrivals]: [ArrivalPopularity], [ArrivalUniform], [ArrivalLast] or [ArrivalFirst], the popularity rank at which
//     a new message enters. The false-negative rate depends on it, but the paper does not specify it
//   - [Bound]: the names of the closed formulas for the rate, which one function evaluates. The approximations are
//     [BoundBloom], [BoundExponential] and [BoundTaylor]; the lower bounds are [BoundLower], [BoundLowerSimple] and
//     [BoundLowerClassic]; the upper bounds are [BoundUpper] and [BoundBose]; [BoundPartitioned] is the rate of a
//     partitioned filter
//   - [ParamError] {Param, Value, Want}: the error that rejects a parameter; from its fields a program can make its own
//     message
//   - [ErrUndefined], [ErrTooCostly], [ErrRange]: the reasons why exact and approx may have no answer for valid
//     parameters
//
// Geometry, Recycling and Workload each have the methods Validate and String. Validate checks the value before any work
// is done, and String is for reports.
//
// # Packages
//
// Other packages do the work:
//
//   - [github.com/bloomproof/bloomproof/kernel]: the filters, built on SIMD bit kernels (kernel/asm)
//   - [github.com/bloomproof/bloomproof/exact]: every number as a guaranteed enclosure, to any precision
//   - [github.com/bloomproof/bloomproof/approx]: the same numbers in float64, each with an error bound
//   - [github.com/bloomproof/bloomproof/verify]: a conformance suite for any Bloom filter, the claims of the papers,
//     simulators, and the tests that check the other packages against their documentation
//   - [github.com/bloomproof/bloomproof/fuzz]: fuzz targets
//   - [github.com/bloomproof/bloomproof/cmd/bloomproof]: the command line
//
// README.md says what the module is for. The index of the module's pages is docs/README.md.
//
// # Words
//
// A filter has m bits and gives each of its n items k positions. Its rate f is the expected false-positive rate: the
// probability that a new item finds all its positions set. A recycling filter clears itself by one of two rules. Under
// the first rule, it does so when more than sigma bits are set. The second rule counts the messages that set at least
// one clear bit. The filter clears itself after N such messages in a cycle. Each arrival of a workload is a repeat with
// probability p_r. The message of a repeat is chosen at random. The distribution of this choice is the popularity Q.
package bloomproof
