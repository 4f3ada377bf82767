package kernel

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// TestHashBatch asserts that keys are hashed together as they are alone: by every
// implementation and scheme, any number of them, of 8 bytes and of other lengths mixed.
func TestHashBatch(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, o := range []Options{{}, {Seed: 0x0123_4567_89ab_cdef}, Keyed([]byte{1, 15: 0})} {
		h := newHasher(o)
		for _, im := range hostImpls() {
			for n := range 2*hashBlock + 3 {
				other := []int{0, 1, 2, 40}[n%4] // every so many keys are not of 8 bytes, or none
				keys, words := make([][]byte, n), make([]uint64, n)
				for i := range keys {
					words[i] = r.Uint64()
					keys[i] = binary.LittleEndian.AppendUint64(make([]byte, 0, 16), words[i])
					if other > 0 && r.IntN(other) == 0 {
						keys[i] = keys[i][:16][:r.IntN(17)]
					}
				}
				got := make([]Hash, n)
				h.hashKeys(im, got, keys)
				for i, key := range keys {
					if want := h.Bytes(key); got[i] != want {
						t.Fatalf("%v, %v: key %d of %d, %x: %#x, want %#x", SchemeOf(o), im, i, n, key, got[i], want)
					}
				}
				text := make([]string, n)
				for i, key := range keys {
					text[i] = string(key)
				}
				strings := KeysOf(text)
				for i, got := range strings.hash(&h, im, make([]Hash, n)) {
					if want := h.String(text[i]); got != want || want != h.Bytes(keys[i]) {
						t.Fatalf("%v, %v: string %d of %d, %x: %#x, want %#x", SchemeOf(o), im, i, n, keys[i], got, want)
					}
				}
				h.hashWords(im, got, words)
				for i, word := range words {
					if want := h.Uint64(word); got[i] != want {
						t.Fatalf("%v, %v: word %d of %d, %#x: %#x, want %#x", SchemeOf(o), im, i, n, word, got[i], want)
					}
				}
			}
		}
	}
}
