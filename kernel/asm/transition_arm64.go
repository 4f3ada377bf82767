//go:build gc && !purego

package asm

// TransitionRowsNEON computes the same as TransitionRowsPortable.
//
//go:noescape
func TransitionRowsNEON(dst []float64, stride, k int, set, clear, unit, scale float64)

// TransitionSumsNEON computes the same as TransitionSumsPortable.
//
//go:noescape
func TransitionSumsNEON(part, w []float64, k int, set, clear, unit, scale float64)

// TransitionStepNEON computes the same as TransitionStepPortable. The arguments may have any length and alignment. They
// may overlap if b does not begin after a.
//
//go:noescape
func TransitionStepNEON(a, b []float64, set, clear, unit, scale float64)
