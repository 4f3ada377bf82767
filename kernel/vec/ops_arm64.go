//go:build gc && !purego && !race

package vec

import (
	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/kernel/host"
)

func transitionRows(im host.Impl, dst []float64, stride, k int, set, clear, unit, scale float64) {
	switch host.At(host.Transition, im) {
	case host.NEON:
		asm.TransitionRowsNEON(dst, stride, k, set, clear, unit, scale)
	default:
		asm.TransitionRowsPortable(dst, stride, k, set, clear, unit, scale)
	}
}

func transitionSums(im host.Impl, part, w []float64, k int, set, clear, unit, scale float64) {
	switch host.At(host.Transition, im) {
	case host.NEON:
		asm.TransitionSumsNEON(part, w, k, set, clear, unit, scale)
	default:
		asm.TransitionSumsPortable(part, w, k, set, clear, unit, scale)
	}
}

func transitionStep(im host.Impl, a, b []float64, set, clear, unit, scale float64) {
	switch host.At(host.Transition, im) {
	case host.NEON:
		asm.TransitionStepNEON(a, b, set, clear, unit, scale)
	default:
		asm.TransitionStepPortable(a, b, set, clear, unit, scale)
	}
}
