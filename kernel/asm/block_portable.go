package asm

import (
	"math"
	"math/bits"
)

// The portable functions in this file specify the operations of the block family. They are compiled on every host.
//
// An array of words is divided into blocks. The argument "block" is the number of bits of a block. It is a power of two
// and at least 64. If the last words of the array do not fill a block, they are not used. Key i has the hash h0 =
// h[2i], h1 = h[2i+1]. The number of the key's block is hi(h0 * blocks), which is the high word of the 128-bit product.
// The j-th position of the key in this block is:
//
//	j*step + ((x(j/t) >> (j%t * e)) & (span-1)).
//
// The number span = 2^e is a power of two and at most block.
//
// Each key has a stream of words x(i). The first word is x(0) = h1. For i >= 1, x(i) = mix(h1 + i*(h0|1)). A word gives
// t = floor(64/e) positions. Each of these positions takes e bits of the word, beginning with the lowest bits. For e =
// 0 the j-th position is j*step. For k independent positions, span = block and step = 0. A block may instead be divided
// into k slices, with one position in each slice. Then span = step = block/k.
//
// The block of a key depends only on h0. If there are B blocks, the highest log2(B) bits of h0 determine the block
// almost completely. For a fixed h0, each word x(i) is a bijective function of h1. So if hashes are uniformly
// distributed, each position in a given block is exactly uniformly distributed. This holds for any number of blocks. If
// k*e <= 64, the positions of a key consist of different bits of h1. So they are also jointly uniformly distributed. If
// k*e > 64, the further words of the stream depend on all 128 bits of the hash. These words depend on one another in
// the same way as successive outputs of SplitMix64. The number of the block is not exactly uniformly distributed. The
// probability of each number is close to 1/blocks: the relative difference is at most blocks/2^64. For 10^12 keys in
// 2*10^10 blocks of 512 bits, this difference is about 10^-9.
//
// The number of a key's block uses log2(blocks) bits of h0. The positions of the key use k*e bits. For k independent
// positions in 512 bits, k*e is 9*k. If a block has 8 words, it may have one position in each word. The 8 positions
// then use 48 bits for words of 64 bits, and 40 bits for words of 32 bits. By chance, two keys in one block may have
// the same 48 or 40 bits. The formulas for the false-positive rate take such pairs of keys into account. But they
// ignore pairs of keys with equal hashes. With n keys, equal hashes add n/2^128 to the false-positive rate. For 10^12
// keys this is 3e-27.

// BlockWord returns the word x(i) of the stream that belongs to the hash h0, h1. Groups of bits of this word are
// positions in the block.
func BlockWord(h0, h1 uint64, i int) uint64 {
	if i == 0 {
		return h1
	}
	return mix(h1 + uint64(i)*(h0|1))
}

// BlockDraws returns two numbers for positions below span. The first is e, the number of bits of a position. The second
// is the number of positions that each word of the stream gives.
func BlockDraws(span uint64) (e, each int) {
	e = bits.TrailingZeros64(span)
	return e, 64 / max(e, 1)
}

// BlockPositionsPortable sets dst[i*k+j] to the j-th position of key i, in an array with the given number of blocks. It
// does so for the first n = min(len(h)/2, len(dst)/k) keys of h, and returns n.
// Domain: k >= 1; span and block are powers of two; block >= 64; (k-1)*step + span <= block; blocks*block <= 2^48.
func BlockPositionsPortable(dst, h []uint64, k int, span, step, block, blocks uint64) int {
	n := min(len(h)/2, len(dst)/k)
	e, each := BlockDraws(span)
	for i := range n {
		number, _ := bits.Mul64(h[2*i], blocks)
		base := number * block
		for j := 0; j < k; j += each {
			x := BlockWord(h[2*i], h[2*i+1], j/each)
			for l := range min(each, k-j) {
				dst[i*k+j+l] = base + x&(span-1)
				x >>= e
				base += step
			}
		}
	}
	return n
}

// BlockContainsPortable looks up the first n = min(len(out), len(h)/2) keys of h in the array "words". It sets out[i]
// to true if the bits at all k positions of key i are set, otherwise to false. It returns the number of keys for which
// it set out[i] to true. If the slice "words" is smaller than a block, the function does nothing.
// Domain: the same as for BlockPositionsPortable.
func BlockContainsPortable(out []bool, words, h []uint64, k int, span, step, block uint64) (found int) {
	size := block / 64
	blocks := uint64(len(words)) / size
	if blocks == 0 {
		return 0
	}
	n := min(len(out), len(h)/2)
	e, each := BlockDraws(span)
	for i := range n {
		number, _ := bits.Mul64(h[2*i], blocks)
		of := words[number*size:][:size]
		all, base := uint64(1), uint64(0)
		for j := 0; all != 0 && j < k; j += each {
			x := BlockWord(h[2*i], h[2*i+1], j/each)
			for range min(each, k-j) {
				all &= bit(of, base+x&(span-1))
				x >>= e
				base += step
			}
		}
		out[i] = all != 0
		found += int(all)
	}
	return found
}

// BlockAddPortable adds the first n = min(len(out), len(h)/2) keys of h to the array "words", one key after the other.
// It sets the bits at the k positions of each key. It sets out[i] to true if one of the bits of key i was clear before,
// otherwise to false. So if a key occurs twice in h, the element of out for its second occurrence is false. The result
// is the number of bits that were clear before. If the slice "words" is smaller than a block, the function does
// nothing.
// Domain: the same as for BlockPositionsPortable.
func BlockAddPortable(out []bool, words, h []uint64, k int, span, step, block uint64) (fresh int) {
	size := block / 64
	blocks := uint64(len(words)) / size
	if blocks == 0 {
		return 0
	}
	n := min(len(out), len(h)/2)
	e, each := BlockDraws(span)
	for i := range n {
		number, _ := bits.Mul64(h[2*i], blocks)
		of := words[number*size:][:size]
		var found, base uint64
		for j := 0; j < k; j += each {
			x := BlockWord(h[2*i], h[2*i+1], j/each)
			for range min(each, k-j) {
				found += set(of, base+x&(span-1))
				x >>= e
				base += step
			}
		}
		out[i] = found != 0
		fresh += int(found)
	}
	return fresh
}

// There are separate kernels for each of the following kinds of blocks. The words of a block are prefetched some keys
// before they are needed. The argument "ahead" is this number of keys. It has no effect on the results, and the
// portable functions do not use it.

// A BlockArray is an array of blocks, in the form that the kernels for one key need. It also stores numbers that are
// computed from k and the size of a block.
type BlockArray struct {
	words  *uint64 // the first word
	blocks uint64
	k      uint64
	more   uint64 // the number of words of a key's stream before the last one; each has 7 positions
	mask   uint64 // bit j is set if the last word has a j-th position
	fill   uint64 // bits of the last word that belong to no position
}

// NewBlockArray returns the array with the given words. Its keys have k positions, and its blocks have the given number
// of bits.
// Domain: the slice "words" has at least one whole block; k >= 1.
func NewBlockArray(words []uint64, k int, block uint64) BlockArray {
	last := (uint64(k)-1)%7 + 1
	return BlockArray{
		words: &words[0], blocks: uint64(len(words)) >> (bits.TrailingZeros64(block) - 6), k: uint64(k),
		more: (uint64(k) - 1) / 7, mask: 1<<last - 1, fill: math.MaxUint64 << (9 * last),
	}
}

// The function "line" returns the block of 512 bits that belongs to the word h0 of a hash. The result is the 8
// words of the block. It requires len(words) >= 8.
func line(words []uint64, h0 uint64) *[8]uint64 {
	number, _ := bits.Mul64(h0, uint64(len(words)/8))
	return (*[8]uint64)(words[number*8:])
}

// BlockContains512Portable does the same as BlockContainsPortable, for keys with k independent positions in blocks of
// 512 bits. So span = block = 512, and step = 0.
func BlockContains512Portable(out []bool, words, h []uint64, k, ahead int) (found int) {
	if len(words) < 8 {
		return 0
	}
	for i := range min(len(out), len(h)/2) {
		h0, h1 := h[2*i], h[2*i+1]
		of := line(words, h0)
		all := uint64(1)
		for j := 0; all != 0 && j < k; j += 7 {
			x := BlockWord(h0, h1, j/7)
			for range min(7, k-j) {
				all &= of[x>>6&7] >> (x & 63)
				x >>= 9
			}
		}
		out[i] = all != 0
		found += int(all)
	}
	return found
}

// BlockAdd512Portable adds keys to blocks of 512 bits, as BlockAddPortable does for blocks of any size. The blocks are
// those of BlockContains512Portable.
func BlockAdd512Portable(out []bool, words, h []uint64, k, ahead int) (fresh int) {
	if len(words) < 8 {
		return 0
	}
	for i := range min(len(out), len(h)/2) {
		h0, h1 := h[2*i], h[2*i+1]
		of := line(words, h0)
		found := uint64(0)
		for j := 0; j < k; j += 7 {
			x := BlockWord(h0, h1, j/7)
			for range min(7, k-j) {
				old := of[x>>6&7]
				of[x>>6&7] = old | 1<<(x&63)
				found += ^old >> (x & 63) & 1
				x >>= 9
			}
		}
		out[i] = found != 0
		fresh += int(found)
	}
	return fresh
}

// BlockContains8x64Portable does the same as BlockContainsPortable, for blocks of 512 bits. A key has one position in
// each of the 8 words of its block. So k = 8, span = step = 64, and block = 512.
func BlockContains8x64Portable(out []bool, words, h []uint64, ahead int) (found int) {
	if len(words) < 8 {
		return 0
	}
	for i := range min(len(out), len(h)/2) {
		of, x := line(words, h[2*i]), h[2*i+1]
		all := of[0] >> (x & 63) & (of[1] >> (x >> 6 & 63)) & (of[2] >> (x >> 12 & 63)) & (of[3] >> (x >> 18 & 63)) &
			(of[4] >> (x >> 24 & 63)) & (of[5] >> (x >> 30 & 63)) & (of[6] >> (x >> 36 & 63)) & (of[7] >> (x >> 42 & 63)) & 1
		out[i] = all != 0
		found += int(all)
	}
	return found
}

// BlockAdd8x64Portable does the same as BlockAddPortable, for the same kind of blocks as BlockContains8x64Portable.
func BlockAdd8x64Portable(out []bool, words, h []uint64, ahead int) (fresh int) {
	if len(words) < 8 {
		return 0
	}
	for i := range min(len(out), len(h)/2) {
		of, x := line(words, h[2*i]), h[2*i+1]
		found := uint64(0)
		for j, old := range of {
			of[j] = old | 1<<(x&63)
			found += ^old >> (x & 63) & 1
			x >>= 6
		}
		out[i] = found != 0
		fresh += int(found)
	}
	return fresh
}

// BlockContains8x32Portable does the same as BlockContainsPortable, for blocks of 256 bits. A block has 8 words of 32
// bits, and a key has one position in each of these words. So k = 8, span = step = 32, and block = 256.
func BlockContains8x32Portable(out []bool, words, h []uint64, ahead int) (found int) {
	if len(words) < 4 {
		return 0
	}
	for i := range min(len(out), len(h)/2) {
		number, _ := bits.Mul64(h[2*i], uint64(len(words)/4))
		of, x := (*[4]uint64)(words[number*4:]), h[2*i+1]
		all := of[0] >> (x & 31) & (of[0] >> 32 >> (x >> 5 & 31)) & (of[1] >> (x >> 10 & 31)) & (of[1] >> 32 >> (x >> 15 & 31)) &
			(of[2] >> (x >> 20 & 31)) & (of[2] >> 32 >> (x >> 25 & 31)) & (of[3] >> (x >> 30 & 31)) & (of[3] >> 32 >> (x >> 35 & 31)) & 1
		out[i] = all != 0
		found += int(all)
	}
	return found
}

// BlockAdd8x32Portable does the same as BlockAddPortable, for the same kind of blocks as BlockContains8x32Portable.
func BlockAdd8x32Portable(out []bool, words, h []uint64, ahead int) (fresh int) {
	if len(words) < 4 {
		return 0
	}
	for i := range min(len(out), len(h)/2) {
		number, _ := bits.Mul64(h[2*i], uint64(len(words)/4))
		of, x := (*[4]uint64)(words[number*4:]), h[2*i+1]
		found := 0
		for j, old := range of {
			set := uint64(1)<<(x&31) | 1<<(x>>5&31)<<32
			of[j] = old | set
			found += bits.OnesCount64(set &^ old)
			x >>= 10
		}
		out[i] = found != 0
		fresh += found
	}
	return fresh
}
