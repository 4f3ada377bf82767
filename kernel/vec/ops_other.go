//go:build !gc || purego || race || (!amd64 && !arm64)

package vec

import (
	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/kernel/host"
)

// This build has no assembly. Builds with the race detector use no assembly, because the detector does not see the
// memory accesses of assembly.

func transitionRows(_ host.Impl, dst []float64, stride, k int, set, clear, unit, scale float64) {
	asm.TransitionRowsPortable(dst, stride, k, set, clear, unit, scale)
}

func transitionSums(_ host.Impl, part, w []float64, k int, set, clear, unit, scale float64) {
	asm.TransitionSumsPortable(part, w, k, set, clear, unit, scale)
}

func transitionStep(_ host.Impl, a, b []float64, set, clear, unit, scale float64) {
	asm.TransitionStepPortable(a, b, set, clear, unit, scale)
}
