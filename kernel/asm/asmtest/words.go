package asmtest

import "math/rand/v2"

// Extremes are words that are likely to reveal errors. Cases with few words test all combinations of these words.
var Extremes = []uint64{0, ^uint64(0), 1, 1 << 63, 0x5555_5555_5555_5555, 0x00ff_00ff_00ff_00ff}

// RandomWord returns a random word with a random share of ones. A quarter of the words are 0 or consist only of ones.
// All other words combine one to six uniformly distributed words, either by bitwise AND or by bitwise OR. A uniformly
// distributed word nearly always has about 32 ones. But the words of a Bloom filter often have far fewer than 32 ones,
// or far more.
func RandomWord(r *rand.Rand) uint64 {
	kind := r.Uint32()
	switch kind & 7 {
	case 0:
		return 0
	case 1:
		return ^uint64(0)
	}
	w := r.Uint64()
	for range (kind >> 4) % 6 {
		if kind&8 == 0 {
			w &= r.Uint64()
		} else {
			w |= r.Uint64()
		}
	}
	return w
}

// RandomWords returns n words, each of them a result of RandomWord.
func RandomWords(r *rand.Rand, n int) []uint64 {
	w := make([]uint64, n)
	for i := range w {
		w[i] = RandomWord(r)
	}
	return w
}

// The function "fill" returns n words that are all equal to v.
func fill(n int, v uint64) []uint64 {
	w := make([]uint64, n)
	for i := range w {
		w[i] = v
	}
	return w
}

// The function "combinations" forms all sequences of n words, where each word is an element of the slice "set". It
// calls the function "yield" with each sequence. It stops when yield returns false. All calls get the same slice, with
// new contents.
func combinations(n int, set []uint64, yield func([]uint64) bool) bool {
	w := make([]uint64, n)
	var rec func(i int) bool
	rec = func(i int) bool {
		if i == n {
			return yield(w)
		}
		for _, v := range set {
			w[i] = v
			if !rec(i + 1) {
				return false
			}
		}
		return true
	}
	return rec(0)
}
