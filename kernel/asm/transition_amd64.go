//go:build gc && !purego

package asm

// TransitionRowsAVX2 computes the same as TransitionRowsPortable. Requires avx2.
//
//go:noescape
func TransitionRowsAVX2(dst []float64, stride, k int, set, clear, unit, scale float64)

// TransitionSumsAVX2 computes the same as TransitionSumsPortable. Requires avx2.
//
//go:noescape
func TransitionSumsAVX2(part, w []float64, k int, set, clear, unit, scale float64)

// TransitionStepAVX2 computes the same as TransitionStepPortable. The arguments may have any length and alignment. They
// may overlap if b does not begin after a. Requires avx2.
//
//go:noescape
func TransitionStepAVX2(a, b []float64, set, clear, unit, scale float64)

// TransitionRowsAVX512 computes the same as TransitionRowsPortable. Requires avx2, avx512f.
//
//go:noescape
func TransitionRowsAVX512(dst []float64, stride, k int, set, clear, unit, scale float64)

// TransitionSumsAVX512 computes the same as TransitionSumsPortable. Requires avx2, avx512f.
//
//go:noescape
func TransitionSumsAVX512(part, w []float64, k int, set, clear, unit, scale float64)

// TransitionStepAVX512 computes the same as TransitionStepPortable. The arguments may have any length and alignment.
// They may overlap if b does not begin after a. Requires avx2, avx512f.
//
//go:noescape
func TransitionStepAVX512(a, b []float64, set, clear, unit, scale float64)
