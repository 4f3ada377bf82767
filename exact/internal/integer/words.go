package integer

import (
	"math/big"
	"math/bits"
)

// SetWords sets z to the number whose 64-bit words are the elements of w, the least significant word first. It returns
// z.
func SetWords(z *big.Int, w []uint64) *big.Int {
	parts := z.Bits()[:0]
	for at := 0; at < 64*len(w); at += bits.UintSize {
		parts = append(parts, big.Word(w[at/64]>>(at%64)))
	}
	return z.SetBits(parts)
}

// PutWords stores z modulo 2^(64 len(w)) in w, as 64-bit words, the least significant word first. So a negative z
// becomes its two's complement.
func PutWords(w []uint64, z *big.Int) {
	clear(w)
	for i, part := range z.Bits() {
		at := i * bits.UintSize
		if at/64 == len(w) {
			break
		}
		w[at/64] |= uint64(part) << (at % 64)
	}
	if z.Sign() < 0 { // -z is the complement of z, plus 1
		carry := uint64(1)
		for i := range w {
			w[i], carry = bits.Add64(^w[i], 0, carry)
		}
	}
}
