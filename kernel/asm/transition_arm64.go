//go:build gc && !purego

package asm

// TransitionRowsNEON is TransitionRowsPortable.
//
//go:noescape
func TransitionRowsNEON(dst []float64, stride, k int, set, clear, unit, scale float64)

// TransitionSumsNEON is TransitionSumsPortable.
//
//go:noescape
func TransitionSumsNEON(part, w []float64, k int, set, clear, unit, scale float64)

// TransitionStepNEON is TransitionStepPortable for every length and alignment, and for
// every overlap in which b does not begin after a.
//
//go:noescape
func TransitionStepNEON(a, b []float64, set, clear, unit, scale float64)
