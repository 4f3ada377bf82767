package exact

import "math/bits"

// Precisions in bits that have nothing to do with the one asked, and what is added to it.
const (
	floatWork   = 64  // of what is only compared with a float64, or becomes one
	guessWork   = 128 // of guesses of a uint64, which has 64 bits, and of its square
	searchPrec  = 24  // of a rate that is first compared: most rates differ by more
	resultGuard = 8   // more than asked: a product or two of enclosures that have as many
	sumGuard    = 32  // more than cancel: the roundings of a sum of some thousand terms
	wordBits    = 64  // of a word of math/big, in estimates of costs
)

// Where the rational itself is computed, in milliseconds.
const (
	rationalUrns  = 512 // set bits at most
	rationalOrder = 64  // of a moment at most
)

// itemBits returns the bits of n, for exponents that multiply a relative error by n.
func itemBits(n uint64) uint { return uint(bits.Len64(n)) }
