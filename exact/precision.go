package exact

import "math/bits"

// Precisions in bits that do not depend on the requested precision, and numbers of bits that are added to it.
const (
	floatWork   = 64  // for a number that is only compared with a float64 or converted to one
	guessWork   = 128 // for guesses of a uint64, which has 64 bits, and of its square
	searchPrec  = 24  // for a rate in a first comparison; most rates differ by more
	resultGuard = 8   // added for one or two products of enclosures
	sumGuard    = 32  // added to the bits that cancel, for the roundings of a sum of some thousand terms
	wordBits    = 64  // bits of a word of math/big, in estimates of costs
)

// Limits up to which a result is computed as a rational, which then takes milliseconds.
const (
	rationalUrns  = 512 // most set bits
	rationalOrder = 64  // largest order of a moment
)

// itemBits returns the number of bits of n. A power with exponent n loses that many bits.
func itemBits(n uint64) uint { return uint(bits.Len64(n)) }
