package asm

import "math/bits"

// The portable functions in this file specify the operations of the popcount family. They are compiled on every host.
// They process one word after the other, from the lowest address to the highest. So their results are defined even if
// the arguments overlap. Every assembly kernel gives the same results.

// CountPortable returns the number of ones in the words of x.
func CountPortable(x []uint64) int {
	n := 0
	for _, w := range x {
		n += bits.OnesCount64(w)
	}
	return n
}

// AndCountPortable returns the number of ones in the words a[i]&b[i] for all i < min(len(a), len(b)).
func AndCountPortable(a, b []uint64) int {
	a = a[:min(len(a), len(b))]
	n := 0
	for i, w := range a {
		n += bits.OnesCount64(w & b[i])
	}
	return n
}

// OrCountPortable returns the number of ones in the words a[i]|b[i] for all i < min(len(a), len(b)).
func OrCountPortable(a, b []uint64) int {
	a = a[:min(len(a), len(b))]
	n := 0
	for i, w := range a {
		n += bits.OnesCount64(w | b[i])
	}
	return n
}

// XorCountPortable returns the number of ones in the words a[i]^b[i] for all i < min(len(a), len(b)).
func XorCountPortable(a, b []uint64) int {
	a = a[:min(len(a), len(b))]
	n := 0
	for i, w := range a {
		n += bits.OnesCount64(w ^ b[i])
	}
	return n
}

// AndNotCountPortable returns the number of ones in the words a[i]&^b[i] for all i < min(len(a), len(b)).
func AndNotCountPortable(a, b []uint64) int {
	a = a[:min(len(a), len(b))]
	n := 0
	for i, w := range a {
		n += bits.OnesCount64(w &^ b[i])
	}
	return n
}

// AndIntoPortable sets dst[i] to dst[i]&src[i] for all i < min(len(dst), len(src)), in ascending order of i. It returns
// the number of ones in the new words. The slices may overlap. If src begins at a lower address than dst, some words of
// src are changed before they are read.
func AndIntoPortable(dst, src []uint64) int {
	dst = dst[:min(len(dst), len(src))]
	n := 0
	for i := range dst {
		w := dst[i] & src[i]
		dst[i] = w
		n += bits.OnesCount64(w)
	}
	return n
}

// OrIntoPortable sets dst[i] to dst[i]|src[i] for all i < min(len(dst), len(src)), in ascending order of i. It returns
// the number of ones in the new words. The slices may overlap. If src begins at a lower address than dst, some words of
// src are changed before they are read.
func OrIntoPortable(dst, src []uint64) int {
	dst = dst[:min(len(dst), len(src))]
	n := 0
	for i := range dst {
		w := dst[i] | src[i]
		dst[i] = w
		n += bits.OnesCount64(w)
	}
	return n
}

// AndNotIntoPortable sets dst[i] to dst[i]&^src[i] for all i < min(len(dst), len(src)), in ascending order of i. It
// returns the number of ones in the new words. The slices may overlap. If src begins at a lower address than dst, some
// words of src are changed before they are read.
func AndNotIntoPortable(dst, src []uint64) int {
	dst = dst[:min(len(dst), len(src))]
	n := 0
	for i := range dst {
		w := dst[i] &^ src[i]
		dst[i] = w
		n += bits.OnesCount64(w)
	}
	return n
}
