package kernel

// The filters use the following operations on slices of words, which are exported for other uses too. Each operation
// runs the best implementation for this host, and all implementations give the same bits.

// Count returns the number of ones of x.
// Cost: one read of x. On a CPU of 3 GHz a call takes some 3 ns, and reads a few dozen bytes a clock cycle if x is in
// the caches.
func Count(x []uint64) int { return countAuto(x) }

// AndCount returns the number of ones of a[i] & b[i], i < min(len(a), len(b)).
func AndCount(a, b []uint64) int { return andCountAuto(a, b) }

// OrCount returns the number of ones of a[i] | b[i], i < min(len(a), len(b)).
func OrCount(a, b []uint64) int { return orCountAuto(a, b) }

// XorCount returns the number of ones of a[i] ^ b[i], i < min(len(a), len(b)): the
// Hamming distance.
func XorCount(a, b []uint64) int { return xorCountAuto(a, b) }

// AndNotCount returns the number of ones of a[i] &^ b[i], i < min(len(a), len(b)).
func AndNotCount(a, b []uint64) int { return andNotCountAuto(a, b) }

// AndInto does dst[i] &= src[i] for i = 0, 1, ... < min(len(dst), len(src)) and returns the number of ones of the words
// it stored. Where the slices overlap, a word of src that has already been stored is read with its new value.
func AndInto(dst, src []uint64) int { return andIntoAuto(dst, src) }

// OrInto does dst[i] |= src[i], and otherwise works as AndInto does.
func OrInto(dst, src []uint64) int { return orIntoAuto(dst, src) }

// AndNotInto does dst[i] &^= src[i], and otherwise works as AndInto does. Clearing bits of a Bloom filter in this way
// makes it lose keys that were added.
func AndNotInto(dst, src []uint64) int { return andNotIntoAuto(dst, src) }
