package kernel

import (
	"strings"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel/internal/host"
)

// Impl names a family of bit kernels. The zero value, Auto, is the best one that
// this host can run. All give the same bits; they differ in speed.
type Impl = host.Impl

const (
	Auto     = host.Auto     // the best of the others that this host can run
	Portable = host.Portable // Go
	Popcnt   = host.Popcnt   // amd64: scalar POPCNT
	AVX2     = host.AVX2     // amd64: 256-bit vectors
	AVX512   = host.AVX512   // amd64: 512-bit vectors with VPOPCNTDQ
	NEON     = host.NEON     // arm64: 128-bit vectors
)

// Impls returns the implementations that this host can run and BLOOMPROOF_CPU
// allows, best first, Portable last. Cost: a copy of at most 4 bytes.
func Impls() []Impl { return host.Impls() }

// resolve returns im, or the best implementation for Auto, and a ParamError when
// this host cannot run im or BLOOMPROOF_CPU forbids it.
func resolve(im Impl) (Impl, error) {
	if im == Auto {
		return host.Best(), nil
	}
	if !host.Has(im) {
		return 0, &bloomproof.ParamError{Param: "impl", Value: im, Want: "auto or one of " + implNames()}
	}
	return im, nil
}

func implNames() string {
	var names []string
	for _, im := range host.Impls() {
		names = append(names, im.String())
	}
	return strings.Join(names, ", ")
}
