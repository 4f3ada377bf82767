package kernel

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// mulLow32 returns the low 64 bits of a*b from three products of 32 bits.
func mulLow32(a, b uint64) uint64 {
	al, ah, bl, bh := a&0xffffffff, a>>32, b&0xffffffff, b>>32
	return al*bl + (al*bh+ah*bl)<<32
}

// mul52High returns the high 52 bits of the product of two numbers of 52 bits, as
// VPMADD52HUQ does.
func mul52High(x, s uint64) uint64 {
	hi, lo := bits.Mul64(x, s)
	return hi<<12 | lo>>52
}

// reduce32 is reduce for s < 2^32 from two products of 32 bits.
func reduce32(x, s uint64) uint64 { return (x>>32*s + x&0xffffffff*s>>32) >> 20 }

// reduce64 is reduce for s <= 2^48 from four products of 32 bits.
func reduce64(x, s uint64) uint64 {
	xl, xh, sl, sh := x&0xffffffff, x>>32, s&0xffffffff, s>>32
	mid := xl*sl>>32 + xh*sl&0xffffffff + xl*sh&0xffffffff // below 2^34
	return (xh*sl>>32+xl*sh>>32+xh*sh+mid>>32)<<12 | mid&0xffffffff>>20
}

func TestVectorForms(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func() uint64 { // every length, and the extremes of each
		w := r.Uint64() >> r.IntN(64)
		switch r.IntN(4) {
		case 0:
			return 1<<bits.Len64(w) - 1
		case 1:
			return 1 << (bits.Len64(w) & 63)
		}
		return w
	}
	for range 1_000_000 {
		a, b := word(), word()
		if mulLow32(a, b) != a*b {
			t.Fatalf("low product of %#x and %#x", a, b)
		}
		x, s := a>>12, min(b, maxM)
		want := reduce(x<<12, s)
		if got := mul52High(x, s); got != want {
			t.Fatalf("reduce(%#x, %#x) = %#x, 52-bit product %#x", x, s, want, got)
		}
		if got := reduce64(x, s); got != want {
			t.Fatalf("reduce(%#x, %#x) = %#x, four 32-bit products %#x", x, s, want, got)
		}
		if s < 1<<32 {
			if got := reduce32(x, s); got != want {
				t.Fatalf("reduce(%#x, %#x) = %#x, two 32-bit products %#x", x, s, want, got)
			}
		}
	}
}
