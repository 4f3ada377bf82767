package fuzz

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/asm/asmtest"
	"github.com/bloomproof/bloomproof/kernel/host"
)

// hashRows are the kernels that this host can run, each with its specification.
func hashRows() []asmtest.HashRow {
	return asmtest.Select(asmtest.Hash(), runs(host.Hash)...)
}

// FuzzHash: every implementation computes the hashes of its specification for any number of keys,
// writes to no other memory, and leaves the keys unchanged, wherever keys and hashes lie. Assembly
// gives the fuzzer no coverage, so numbers and places vary with single bytes.
func FuzzHash(f *testing.F) {
	rows := hashRows()
	f.Fuzz(func(t *testing.T, seed uint64, n, room, from, to uint8, data []byte) {
		words := make([]uint64, int(from)+int(n)+8)
		pattern := append(slices.Clone(data), make([]byte, -len(data)&7+8)...)
		for i := range words {
			words[i] = binary.LittleEndian.Uint64(pattern[8*i%len(pattern):]) ^ uint64(i)<<(room&63)
		}
		for _, r := range rows {
			var dst, keys [2][]uint64
			var done [2]int
			for i, hash := range []asmtest.HashFunc{r.Want, r.Got} {
				dst[i], keys[i] = slices.Repeat([]uint64{seed}, int(to)+2*int(n)+int(room)+8), slices.Clone(words)
				done[i] = hash(dst[i][to:][:int(n)+int(room)], keys[i][from:][:n], seed)
			}
			if done[0] != done[1] || !slices.Equal(dst[0], dst[1]) || !slices.Equal(keys[0], keys[1]) {
				t.Fatalf("%v: %d keys of %#x: got %d, %#x, want %d, %#x", r, n, words[from:][:n], done[1], dst[1], done[0], dst[0])
			}
		}
	})
}
