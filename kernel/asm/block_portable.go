package asm

import (
	"math"
	"math/bits"
)

// The portable functions in this file are the specifications of the block family, and are compiled on every host.
//
// An array of words is divided into whole blocks. The argument block is the number of bits of each, a power of two and
// at least 64. Words that do not fill a block are not used. Key i is given by its hash, h0 = h[2i] and h1 = h[2i+1].
// The hash determines a block and k positions in this block:
//
//	number of the block   hi(h0 * blocks)
//	j-th position in it   j*step + (x(j/t) >> (j%t * e)) & (span-1)
//
// where hi is the high word of the product of 128 bits, span = 2^e is a power of two of at most block, and the words of
// the key's stream are
//
//	x(0) = h1
//	x(i) = mix(h1 + i*(h0|1))   i = 1, 2, ...
//
// Each word x(i) gives t = 64/e positions of e bits, from its lowest bits upwards. For e = 0 one word gives all
// positions, which are 0. Independent positions have span = block and step = 0. One position in each of k slices of a
// block has span = step = block/k.
//
// # Why these bits
//
// The block depends on h0 alone, and almost only on the highest log2(blocks) of its 64 bits. For each h0, each word
// x(i) is a bijective function of h1. So if hashes are uniform, every position is exactly uniform, whatever block was
// chosen and for any number of blocks. As long as k*e <= 64 all positions together are uniform too, because they are
// then bits of h1 alone. With more positions, the words of the stream depend on all 128 bits of the hash. They depend
// on each other in the same way as the outputs of SplitMix64. The number of the block is not exactly uniform: the
// relative difference of its probabilities from 1/blocks is at most blocks/2^64. That is 1 in 10^9 for 10^12 keys in
// 2*10^10 blocks of 512 bits.
//
// A key takes log2(blocks) bits of h0 for its block and k*e bits for its positions. For its positions, that is 9k bits
// for k independent positions in 512 bits, 48 bits for one position in each of 8 words of 64 bits, and 40 bits for one
// position in each of 8 words of 32 bits. Two keys in one block may have the same 48 or 40 bits by chance; the
// distribution of the positions accounts for that. It does not account for two keys with equal hashes. With n keys,
// equal hashes add n/2^128 to the false-positive rate, which is 3e-27 for 10^12 keys.

// BlockWord returns x(i), word i of the stream of the hash h0, h1. The bits of this word determine positions in a
// block.
func BlockWord(h0, h1 uint64, i int) uint64 {
	if i == 0 {
		return h1
	}
	return mix(h1 + uint64(i)*(h0|1))
}

// BlockDraws returns the number of bits of a position below span, and the number of positions that a word of the stream
// gives.
func BlockDraws(span uint64) (e, each int) {
	e = bits.TrailingZeros64(span)
	return e, 64 / max(e, 1)
}

// BlockPositionsPortable sets dst[i*k+j] to the j-th position of key i in an array of the given number of blocks. It
// does so for as many keys of h as dst has room for, and returns their number: n = min(len(h)/2, len(dst)/k).
// Domain: k >= 1; span and block powers of two, block >= 64; (k-1)*step + span <= block; blocks*block <= 2^48.
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

// BlockContainsPortable sets out[i] to whether all k positions of key i are set in words, for the first n =
// min(len(out), len(h)/2) keys. It returns the number of keys with all positions set. If words does not fill a block,
// it does nothing.
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

// BlockAddPortable sets the bits of words at the k positions of each key of h, key by key, for the first n =
// min(len(out), len(h)/2) keys. It sets out[i] to whether one of the bits of key i was clear, so it recognises a key
// that repeats within the call. It returns the number of bits that were clear. If words does not fill a block, it does
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

// The shapes below have their own kernels. The argument ahead says how many keys in advance the words of a block are
// prefetched. It changes no result, and the portable functions ignore it.

// A BlockArray is an array of blocks in the form that the kernels for one key take. It includes numbers that are
// derived from the shape.
type BlockArray struct {
	words  *uint64 // the first word
	blocks uint64
	k      uint64
	more   uint64 // the number of words of a key's stream before the last one; each has 7 positions
	mask   uint64 // bit j is set if the last word has a j-th position
	fill   uint64 // bits of the last word that belong to no position
}

// NewBlockArray returns words as an array of blocks for keys of k positions. The argument block is the number of bits
// of a block.
// Domain: at least one whole block; k >= 1.
func NewBlockArray(words []uint64, k int, block uint64) BlockArray {
	last := (uint64(k)-1)%7 + 1
	return BlockArray{
		words: &words[0], blocks: uint64(len(words)) >> (bits.TrailingZeros64(block) - 6), k: uint64(k),
		more: (uint64(k) - 1) / 7, mask: 1<<last - 1, fill: math.MaxUint64 << (9 * last),
	}
}

// line returns the 8 words, 512 bits, of the block that h0 chooses. It requires len(words) >= 8.
func line(words []uint64, h0 uint64) *[8]uint64 {
	number, _ := bits.Mul64(h0, uint64(len(words)/8))
	return (*[8]uint64)(words[number*8:])
}

// BlockContains512Portable does the same as BlockContainsPortable for k independent positions in 512 bits:
// span = block = 512 and step = 0.
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

// BlockAdd512Portable does the same as BlockAddPortable, for the shape of BlockContains512Portable.
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

// BlockContains8x64Portable does the same as BlockContainsPortable for one position in each of the 8 words of 512 bits:
// k = 8, span = step = 64, block = 512.
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

// BlockAdd8x64Portable does the same as BlockAddPortable, for the shape of BlockContains8x64Portable.
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

// BlockContains8x32Portable does the same as BlockContainsPortable for one position in each of the 8 words of 32 bits
// of a block of 256 bits: k = 8, span = step = 32, block = 256.
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

// BlockAdd8x32Portable does the same as BlockAddPortable, for the shape of BlockContains8x32Portable.
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
