package kernel

// The filters use the following operations on slices of words. The operations are exported because they have other uses
// too. Each operation runs the best implementation for this host, and all implementations give the same results.

// Count returns the number of ones in the words of x.
// Cost: one read of x. On a CPU of 3 GHz a call takes about 3 ns. In addition it takes one clock cycle for every few
// dozen bytes of x, if x is in the caches.
func Count(x []uint64) int { return countAuto(x) }

// AndCount returns the number of ones in the words a[i] & b[i] for all i < min(len(a), len(b)).
func AndCount(a, b []uint64) int { return andCountAuto(a, b) }

// OrCount returns the number of ones in the words a[i] | b[i] for all i < min(len(a), len(b)).
func OrCount(a, b []uint64) int { return orCountAuto(a, b) }

// XorCount returns the number of ones in the words a[i] ^ b[i] for all i < min(len(a), len(b)). This number is the
// Hamming distance of the two slices.
func XorCount(a, b []uint64) int { return xorCountAuto(a, b) }

// AndNotCount returns the number of ones in the words a[i] &^ b[i] for all i < min(len(a), len(b)).
func AndNotCount(a, b []uint64) int { return andNotCountAuto(a, b) }

// AndInto sets dst[i] to dst[i] & src[i] for all i < min(len(dst), len(src)), in ascending order of i. It returns the
// number of ones in the new words. If the slices overlap, AndInto may change a word of src before it reads this word.
// It then uses the changed word.
func AndInto(dst, src []uint64) int { return andIntoAuto(dst, src) }

// OrInto sets dst[i] to dst[i] | src[i], and otherwise works as AndInto does.
func OrInto(dst, src []uint64) int { return orIntoAuto(dst, src) }

// AndNotInto sets dst[i] to dst[i] &^ src[i], and otherwise works as AndInto does. A Bloom filter in which bits are
// cleared in this way no longer contains all keys that were added.
func AndNotInto(dst, src []uint64) int { return andNotIntoAuto(dst, src) }
