package exact

import "math/bits"

// The constants floatWork, guessWork and searchPrec are precisions, in bits, that do not depend on the requested
// precision. The constants resultGuard and sumGuard are numbers of bits that are added to the requested precision.
const (
	floatWork   = 64  // for a number that is only compared with a float64 or converted to a float64
	guessWork   = 128 // for guesses of a uint64, which has 64 bits, and of its square
	searchPrec  = 24  // for the first comparison of two rates; most rates differ by more than 2^-24
	resultGuard = 8   // added for one or two products of enclosures
	sumGuard    = 32  // added for the rounding errors of a sum of some thousand terms, and not for cancellation
	wordBits    = 64  // bits of a word of math/big, in estimates of costs
)

// A result within these limits is computed as an exact rational, because this takes only milliseconds.
const (
	rationalUrns  = 512 // the largest number of set bits
	rationalOrder = 64  // the largest order of a moment
)

// itemBits returns the number of bits of n. A power with exponent n loses this many bits of precision.
func itemBits(n uint64) uint { return uint(bits.Len64(n)) }
