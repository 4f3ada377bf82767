package asm

// Bit p of an array "words" is bit p&63 of words[p>>6]. A pair consists of two arrays, array 0 and array 1. The words
// of the two arrays alternate. So bit p of array s is bit p&63 of the word pair[2*(p>>6)+s].

func bit(words []uint64, p uint64) uint64 { return words[p>>6] >> (p & 63) & 1 }

// The function "set" sets bit p of the array "words". The result is 1 if the bit was clear, and otherwise 0.
func set(words []uint64, p uint64) uint64 {
	old := words[p>>6]
	words[p>>6] = old | 1<<(p&63)
	return ^old >> (p & 63) & 1
}

// ContainsPortable looks up the first n = min(len(out), len(h)/2) keys of h in the array "words". It sets out[i] to
// true if the bits at all k positions of key i are set, otherwise to false. It returns the number of keys for which it
// set out[i] to true.
// Domain: the same as for PositionsPortable; the slice "words" has a bit for every position.
func ContainsPortable(out []bool, words, h []uint64, k int, span, step uint64) (found int) {
	n := min(len(out), len(h)/2)
	for i := range n {
		all := true
		for j := 0; all && j < k; j++ {
			all = bit(words, position(h[2*i], h[2*i+1], j, span, step)) != 0
		}
		out[i] = all
		if all {
			found++
		}
	}
	return found
}

// AddPortable adds the first n = min(len(out), len(h)/2) keys of h to the array "words", one key after the other. It
// sets the bits at the k positions of each key. It sets out[i] to true if one of the bits of key i was clear before,
// otherwise to false. So if a key occurs twice in h, the element of out for its second occurrence is false. The result
// is the number of bits that were clear before.
// Domain: the same as for ContainsPortable.
func AddPortable(out []bool, words, h []uint64, k int, span, step uint64) (fresh int) {
	n := min(len(out), len(h)/2)
	for i := range n {
		var found uint64
		for j := range k {
			found += set(words, position(h[2*i], h[2*i+1], j, span, step))
		}
		out[i] = found != 0
		fresh += int(found)
	}
	return fresh
}

// ContainsAtPortable does the same as ContainsPortable, but the positions of key i are pos[i*k:(i+1)*k]. It looks up
// the first n = min(len(out), len(pos)/k) keys. It returns the number of keys for which it set out[i] to true.
// Domain: k >= 1; the slice "words" has a bit for every position.
func ContainsAtPortable(out []bool, words, pos []uint64, k int) (found int) {
	n := min(len(out), len(pos)/k)
	for i := range n {
		all := uint64(1)
		for _, p := range pos[i*k : (i+1)*k] {
			all &= bit(words, p)
		}
		out[i] = all != 0
		found += int(all)
	}
	return found
}

// AddAtPortable does the same as AddPortable, but the positions of key i are pos[i*k:(i+1)*k]. It adds the first n =
// min(len(out), len(pos)/k) keys. The result is the number of bits that were clear before.
// Domain: the same as for ContainsAtPortable.
func AddAtPortable(out []bool, words, pos []uint64, k int) (fresh int) {
	n := min(len(out), len(pos)/k)
	for i := range n {
		var found uint64
		for _, p := range pos[i*k : (i+1)*k] {
			found += set(words, p)
		}
		out[i] = found != 0
		fresh += int(found)
	}
	return fresh
}

// AddSlicesAtPortable does the same as AddAtPortable, with k = len(slices). For each j it also counts the keys whose
// bit at the j-th position was clear. It adds their number to slices[j].
func AddSlicesAtPortable(out []bool, words, pos, slices []uint64) (fresh int) {
	k := len(slices)
	n := min(len(out), len(pos)/k)
	for i := range n {
		var found uint64
		for j, p := range pos[i*k : (i+1)*k] {
			b := set(words, p)
			slices[j] += b
			found += b
		}
		out[i] = found != 0
		fresh += int(found)
	}
	return fresh
}

// ContainsPairPortable does the same as ContainsPortable, in both arrays of a pair. Bit s of out[i] is 1 if the bits at
// all positions of key i are set in array s. All bits of out[i] except bits 0 and 1 are 0.
func ContainsPairPortable(out []uint8, pair, h []uint64, k int, span, step uint64) {
	n := min(len(out), len(h)/2)
	for i := range n {
		all := uint64(3)
		for j := 0; all != 0 && j < k; j++ {
			all &= bits2(pair, position(h[2*i], h[2*i+1], j, span, step))
		}
		out[i] = uint8(all)
	}
}

// ContainsPairAtPortable does the same as ContainsPairPortable, but the positions of key i are pos[i*k:(i+1)*k]. It
// looks up the first n = min(len(out), len(pos)/k) keys.
func ContainsPairAtPortable(out []uint8, pair, pos []uint64, k int) {
	n := min(len(out), len(pos)/k)
	for i := range n {
		all := uint64(3)
		for _, p := range pos[i*k : (i+1)*k] {
			all &= bits2(pair, p)
		}
		out[i] = uint8(all)
	}
}

// bits2 returns bit p of both arrays of a pair. Bit s of the result is bit p of array s.
func bits2(pair []uint64, p uint64) uint64 {
	w := pair[p>>6<<1:]
	return w[0]>>(p&63)&1 | w[1]>>(p&63)&1<<1
}

// AddPairAtPortable sets the bits at the positions pos in one array of a pair. The argument "side" is the number of
// this array. The result "fresh" is the number of bits that were clear before. The result "overlap" is the number of
// these bits that are set in the other array.
// Domain: side is 0 or 1; the arrays have a bit for every position.
func AddPairAtPortable(pair, pos []uint64, side int) (fresh, overlap int) {
	for _, p := range pos {
		i := p>>6<<1 | uint64(side)
		found := ^pair[i] >> (p & 63) & 1
		pair[i] |= 1 << (p & 63)
		fresh += int(found)
		overlap += int(found & (pair[i^1] >> (p & 63)))
	}
	return fresh, overlap
}
