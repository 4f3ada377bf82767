//go:build gc && !purego

package asm

// CountNEON computes the same as CountPortable, for every length and alignment.
//
//go:noescape
func CountNEON(x []uint64) int

// AndCountNEON computes the same as AndCountPortable, for every length, alignment and overlap.
//
//go:noescape
func AndCountNEON(a, b []uint64) int

// OrCountNEON computes the same as OrCountPortable, for every length, alignment and overlap.
//
//go:noescape
func OrCountNEON(a, b []uint64) int

// XorCountNEON computes the same as XorCountPortable, for every length, alignment and overlap.
//
//go:noescape
func XorCountNEON(a, b []uint64) int

// AndNotCountNEON computes the same as AndNotCountPortable, for every length, alignment and overlap.
//
//go:noescape
func AndNotCountNEON(a, b []uint64) int

// AndIntoNEON computes the same as AndIntoPortable, for every length, alignment and overlap.
//
//go:noescape
func AndIntoNEON(dst, src []uint64) int

// OrIntoNEON computes the same as OrIntoPortable, for every length, alignment and overlap.
//
//go:noescape
func OrIntoNEON(dst, src []uint64) int

// AndNotIntoNEON computes the same as AndNotIntoPortable, for every length, alignment and overlap.
//
//go:noescape
func AndNotIntoNEON(dst, src []uint64) int
