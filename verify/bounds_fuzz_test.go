package verify_test

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof/verify/internal/accuracy"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// FuzzBounds checks the orders that the claims state, each in its domain, with certified numbers
// for filters of any size.
func FuzzBounds(f *testing.F) {
	laws := orderings()
	f.Fuzz(func(t *testing.T, mBits, k, nBits, edge uint8, data []byte) {
		p := fuzzedPoint(mBits, k, nBits, edge, data)
		part := longtest.Part(4, slices.Concat(data, []byte{mBits, k, nBits, edge})...)
		for i, o := range laws {
			if !part(i % 4) {
				continue
			}
			if err := o.check(p); err != nil {
				t.Errorf("%s at %v: %v", o.law, p, err)
			}
		}
	})
}

// fuzzedPoint decodes the arguments of a fuzz target: numbers of so many bits, whose high
// bytes are the first of data, or a point at one of the edges.
func fuzzedPoint(mBits, k, nBits, edge uint8, data []byte) accuracy.Point {
	word := func(n uint8) (v uint64) { // of n bits: its high ones are the first bytes
		var b [8]byte
		data = data[copy(b[:], data):]
		if n %= 65; n == 0 {
			return 0
		}
		return (binary.BigEndian.Uint64(b[:])>>1 | 1<<63) >> (64 - n)
	}
	p := accuracy.Point{M: max(1, word(mBits)), N: word(nBits), K: int(k)%64 + 1}
	switch edge % 4 {
	case 1: // k divides m
		p.M = max(1, p.M/uint64(p.K)) * uint64(p.K)
	case 2: // k is about m
		p.M = max(1, uint64(p.K)+uint64(edge>>2)%8-4)
	case 3: // items for about half of the bits
		hi, lo := bits.Mul64(p.M, uint64(edge>>2)+1)
		p.N, _ = bits.Div64(hi%64, lo, 64)
		p.N /= uint64(p.K)
	}
	return p
}
