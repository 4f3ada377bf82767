package kernel

import (
	"encoding/binary"
	"slices"
	"testing"
)

// FuzzOps compares the operations on words that the filters call, in every implementation at the
// lengths near which the code changes, with loops over words, and compares the counts and copies of
// ranges of bits, shared and not shared, with loops over bits.
func FuzzOps(f *testing.F) {
	impls := append(hostImpls(), auto)
	f.Fuzz(func(t *testing.T, n, m, from, lo, hi uint8, data []byte) {
		pattern := append(slices.Clone(data), make([]byte, 8-len(data)%8)...)
		words := func(n int, turn uint8) []uint64 {
			w := make([]uint64, n)
			for i := range w {
				w[i] = binary.LittleEndian.Uint64(pattern[8*(i+int(turn))%len(pattern):])
			}
			return w
		}
		x, y := words(int(n)+int(from&7), 0)[from&7:], words(int(m), from>>3)
		for _, op := range ops {
			wantX, wantY := slices.Clone(x), slices.Clone(y)
			want := op.want(wantX, wantY)
			for _, im := range impls {
				gotX, gotY := slices.Clone(x), slices.Clone(y)
				if got := op.got(im, gotX, gotY); got != want || !slices.Equal(gotX, wantX) || !slices.Equal(gotY, wantY) {
					t.Fatalf("%s by %v of %#x and %#x: %d, want %d; %#x and %#x", op.name, im, x, y, got, want, gotX, gotY)
				}
			}
		}
		first, end := uint64(lo)*uint64(n)/4, uint64(hi)*uint64(n)/3 // before and behind the end as well
		want := uint64(0)
		for i := first; i < min(end, 64*uint64(len(x))); i++ {
			if getBit(x, i) {
				want++
			}
		}
		for _, im := range impls {
			if got := rangeCount(im, x, first, end); got != want {
				t.Fatalf("by %v %d ones in bits %d to %d of %#x, want %d", im, got, first, end, x, want)
			}
		}
		if end <= 64*uint64(len(x)) && first < end {
			if got := rangeCountShared(x, first, end); got != want {
				t.Fatalf("shared: %d ones in bits %d to %d of %#x, want %d", got, first, end, x, want)
			}
		}
		a, b := x[:min(len(x), len(y))], y[:min(len(x), len(y))]
		dst := make([]uint64, len(a))
		copyShared(dst, a)
		fresh := orShared(dst, b)
		wantFresh := 0
		for i := range dst {
			wantFresh += countOnes(b[i] &^ a[i])
			if dst[i] != a[i]|b[i] {
				t.Fatalf("word %d of the union of %#x and %#x is %#x", i, a, b, dst[i])
			}
		}
		if fresh != uint64(wantFresh) {
			t.Fatalf("%d fresh bits of %#x in %#x, want %d", fresh, b, a, wantFresh)
		}
	})
}

// countOnes counts bit by bit.
func countOnes(w uint64) (n int) {
	for ; w != 0; w &= w - 1 {
		n++
	}
	return n
}
