//go:build gc && !purego

package asm

// CountNEON is CountPortable for every length and alignment.
//
//go:noescape
func CountNEON(x []uint64) int

// AndCountNEON is AndCountPortable for every length, alignment and overlap.
//
//go:noescape
func AndCountNEON(a, b []uint64) int

// OrCountNEON is OrCountPortable for every length, alignment and overlap.
//
//go:noescape
func OrCountNEON(a, b []uint64) int

// XorCountNEON is XorCountPortable for every length, alignment and overlap.
//
//go:noescape
func XorCountNEON(a, b []uint64) int

// AndNotCountNEON is AndNotCountPortable for every length, alignment and overlap.
//
//go:noescape
func AndNotCountNEON(a, b []uint64) int

// AndIntoNEON is AndIntoPortable for every length, alignment and overlap.
//
//go:noescape
func AndIntoNEON(dst, src []uint64) int

// OrIntoNEON is OrIntoPortable for every length, alignment and overlap.
//
//go:noescape
func OrIntoNEON(dst, src []uint64) int

// AndNotIntoNEON is AndNotIntoPortable for every length, alignment and overlap.
//
//go:noescape
func AndNotIntoNEON(dst, src []uint64) int
