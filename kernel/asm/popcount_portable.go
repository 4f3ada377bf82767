package asm

import "math/bits"

// These are the specifications of the popcount family, compiled everywhere. They go upwards one word at a time, so they
// are defined for any overlap of their arguments. Every assembly kernel gives the same result.

// CountPortable returns the ones of x[i], i < len(x).
func CountPortable(x []uint64) int {
	n := 0
	for _, w := range x {
		n += bits.OnesCount64(w)
	}
	return n
}

// AndCountPortable returns the ones of a[i]&b[i], i < min(len(a), len(b)).
func AndCountPortable(a, b []uint64) int {
	a = a[:min(len(a), len(b))]
	n := 0
	for i, w := range a {
		n += bits.OnesCount64(w & b[i])
	}
	return n
}

// OrCountPortable returns the ones of a[i]|b[i], i < min(len(a), len(b)).
func OrCountPortable(a, b []uint64) int {
	a = a[:min(len(a), len(b))]
	n := 0
	for i, w := range a {
		n += bits.OnesCount64(w | b[i])
	}
	return n
}

// XorCountPortable returns the ones of a[i]^b[i], i < min(len(a), len(b)).
func XorCountPortable(a, b []uint64) int {
	a = a[:min(len(a), len(b))]
	n := 0
	for i, w := range a {
		n += bits.OnesCount64(w ^ b[i])
	}
	return n
}

// AndNotCountPortable returns the ones of a[i]&^b[i], i < min(len(a), len(b)).
func AndNotCountPortable(a, b []uint64) int {
	a = a[:min(len(a), len(b))]
	n := 0
	for i, w := range a {
		n += bits.OnesCount64(w &^ b[i])
	}
	return n
}

// AndIntoPortable does dst[i] &= src[i] for i = 0, 1, ... < min(len(dst), len(src))
// and returns the ones of the words it stored. Where src trails dst in one array,
// it reads words that it has already stored.
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

// OrIntoPortable does dst[i] |= src[i] for i = 0, 1, ... < min(len(dst), len(src))
// and returns the ones of the words it stored. Where src trails dst in one array,
// it reads words that it has already stored.
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

// AndNotIntoPortable does dst[i] &^= src[i] for i = 0, 1, ... < min(len(dst), len(src))
// and returns the ones of the words it stored. Where src trails dst in one array,
// it reads words that it has already stored.
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
