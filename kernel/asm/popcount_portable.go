package asm

import "math/bits"

// The portable functions in this file are the specifications of the popcount family, and are compiled on every host.
// They process one word at a time, from low to high addresses, so their results are defined for any overlap of the
// arguments. Every assembly kernel gives the same result.

// CountPortable returns the number of ones of x[i] for i < len(x).
func CountPortable(x []uint64) int {
	n := 0
	for _, w := range x {
		n += bits.OnesCount64(w)
	}
	return n
}

// AndCountPortable returns the number of ones of a[i]&b[i] for i < min(len(a), len(b)).
func AndCountPortable(a, b []uint64) int {
	a = a[:min(len(a), len(b))]
	n := 0
	for i, w := range a {
		n += bits.OnesCount64(w & b[i])
	}
	return n
}

// OrCountPortable returns the number of ones of a[i]|b[i] for i < min(len(a), len(b)).
func OrCountPortable(a, b []uint64) int {
	a = a[:min(len(a), len(b))]
	n := 0
	for i, w := range a {
		n += bits.OnesCount64(w | b[i])
	}
	return n
}

// XorCountPortable returns the number of ones of a[i]^b[i] for i < min(len(a), len(b)).
func XorCountPortable(a, b []uint64) int {
	a = a[:min(len(a), len(b))]
	n := 0
	for i, w := range a {
		n += bits.OnesCount64(w ^ b[i])
	}
	return n
}

// AndNotCountPortable returns the number of ones of a[i]&^b[i] for i < min(len(a), len(b)).
func AndNotCountPortable(a, b []uint64) int {
	a = a[:min(len(a), len(b))]
	n := 0
	for i, w := range a {
		n += bits.OnesCount64(w &^ b[i])
	}
	return n
}

// AndIntoPortable does dst[i] &= src[i] for i = 0, 1, ... < min(len(dst), len(src)) and returns the number of ones of
// the words it stored. If src begins before dst in the same array, it reads words that it has already stored.
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

// OrIntoPortable does dst[i] |= src[i] for i = 0, 1, ... < min(len(dst), len(src)) and returns the number of ones of
// the words it stored. If src begins before dst in the same array, it reads words that it has already stored.
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

// AndNotIntoPortable does dst[i] &^= src[i] for i = 0, 1, ... < min(len(dst), len(src)) and returns the number of ones
// of the words it stored. If src begins before dst in the same array, it reads words that it has already stored.
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
