package asmtest

import "math"

// hashBlock is the largest number of keys that a kernel of the hash family processes in one loop iteration.
const hashBlock = 8

// The method "all" runs all cases, small ones first.
func (r *hashRunner) all(o Options) {
	_ = r.extremes() && r.lengths(o) && r.claims() && r.places(o) && r.long()
}

// If the seed is 0, XXH3-128 first combines a key with hashSecret by exclusive or. Then it multiplies the result.
const hashSecret = uint64(0xdb979083e96dd4de ^ 0x1f67b3b7a4a44072)

// hashSeeds are the tested seeds. Some have a single 1-bit, and some have 1-bits in only one half. The other two seeds
// are 0 and 2^64-1.
var hashSeeds = []uint64{0, 1, 1 << 31, 1 << 32, 1 << 63, 0x0102_0304, 0xffff_ffff, 0xffff_ffff << 32, ^uint64(0)}

// The method "apart" returns a case with n keys and with an array for their hashes. The argument "room" is the number
// of words of this array. Each of the two arrays lies directly next to one of the two forbidden pages of its arena.
// This page is chosen at random.
func (r *hashRunner) apart(room, n int) hashCase {
	c := hashCase{dst: RandomWords(r.rand, room), keys: make([]uint64, n), seed: r.rand.Uint64()}
	for i := range c.keys {
		c.keys[i] = r.rand.Uint64()
	}
	side := r.rand.Uint32()
	c.rear = [2]bool{side&1 != 0, side&2 != 0}
	return c
}

// The method "extremes" tests the multiplication in the hash. It chooses keys for which one factor of the product is a
// special word. Some of these words have a single 1-bit, and some cause a carry at a given bit. The others consist of
// two extreme halves of 32 bits. An extreme half has one of four values: all bits are 0, all bits are 1, only the
// lowest bit is 1, or only the highest bit is 1. Each key is tested in every lane of a vector.
func (r *hashRunner) extremes() bool {
	var factors []uint64
	for _, low := range []uint64{0, 1, 1 << 31, 1<<32 - 1} {
		for _, high := range []uint64{0, 1, 1 << 31, 1<<32 - 1} {
			factors = append(factors, high<<32|low)
		}
	}
	for bit := range 64 {
		factors = append(factors, 1<<bit, ^uint64(0)>>bit)
	}
	for _, x := range factors {
		c := r.apart(2*(hashBlock+3), hashBlock+3)
		c.seed = 0
		for i := range c.keys {
			c.keys[i] = x ^ hashSecret
		}
		if !r.try(c) {
			return false
		}
	}
	return true
}

// The method "lengths" tests every small number of keys. The array for the hashes has exactly the necessary length, or
// it is shorter or longer. In some cases there is room for only one of the two words of the last hash.
func (r *hashRunner) lengths(o Options) bool {
	for n := range 3*hashBlock + 4 {
		for side := range 4 {
			for _, room := range []int{2 * n, 2*n + 1, max(2*n-1, 0), max(2*n-2, 0), 2*n + 2, r.rand.IntN(4*hashBlock + 2*n)} {
				for _, seed := range append(hashSeeds[:len(hashSeeds):len(hashSeeds)], r.rand.Uint64()) {
					if o.Short && r.rand.Uint32()&3 != 0 {
						continue
					}
					c := r.apart(room, n)
					c.seed = seed
					c.rear = [2]bool{side&1 != 0, side&2 != 0}
					if !r.try(c) {
						return false
					}
				}
			}
		}
	}
	return true
}

// The method "claims" tests calls in which the length of one argument is wrong. The wrong length is at least 2^32
// words. The true length of the other argument limits what a kernel may access. The wrong length is the correct length
// for 2^32 + x keys. The number x is 0, 2^31, or one less than the true number of keys. A kernel with signed 32-bit
// lengths would interpret 2^31 as a negative number. So a kernel that uses only the low 32 bits of lengths fails,
// unless the other argument is empty.
func (r *hashRunner) claims() bool {
	if math.MaxInt == math.MaxInt32 {
		return true
	}
	for _, n := range []int{0, 1, 2, 9, hashBlock + 5} {
		for i := range 2 {
			for _, low := range []uint64{0, uint64(max(n-1, 0)), 1 << 31} {
				c := r.apart(2*n, n)
				huge := (1<<32 + low) << (1 - i)
				c.claim[i] = int(huge)
				if !r.try(c) {
					return false
				}
			}
		}
	}
	return true
}

// The method "places" tests different addresses of both arrays. The distance of each array from a multiple of 64 is 0
// to 63 bytes, and all pairs of distances are tested. A short run tests fewer pairs, but it still tests every distance
// of each array.
func (r *hashRunner) places(o Options) bool {
	for _, n := range []int{1, 3, hashBlock - 1, hashBlock, 2*hashBlock + 5} {
		for off := range 64 * 64 {
			a, b := off&63, off>>6
			if o.Short && b != (5*a+n)&63 {
				continue
			}
			c := r.apart(2*n, n)
			c.off = [2]int{a, b}
			if !r.try(c) {
				return false
			}
		}
	}
	return true
}

// The method "long" tests so many keys that the loop of a kernel makes many iterations.
func (r *hashRunner) long() bool {
	for _, n := range []int{500, 1027, hashMost} {
		if !r.try(r.apart(2*n, n)) {
			return false
		}
	}
	return true
}
