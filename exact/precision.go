package exact

import "math/bits"

// Precisions in bits that do not depend on the precision asked, and numbers of bits that are added to it.
const (
	floatWork   = 64  // of a number that is only compared with a float64, or becomes one
	guessWork   = 128 // of guesses of a uint64, which has 64 bits, and of its square
	searchPrec  = 24  // of a rate in a first comparison: most rates differ by more
	resultGuard = 8   // added for a product or two of enclosures that have as many bits
	sumGuard    = 32  // added to the bits that cancel: the roundings of a sum of some thousand terms
	wordBits    = 64  // of a word of math/big, in estimates of costs
)

// Where the rational itself is computed, in milliseconds.
const (
	rationalUrns  = 512 // set bits at most
	rationalOrder = 64  // of a moment at most
)

// itemBits returns the bits of n, for exponents that multiply a relative error by n.
func itemBits(n uint64) uint { return uint(bits.Len64(n)) }
