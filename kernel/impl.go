package kernel

import (
	"strings"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel/host"
)

// Impl names an implementation of the bit kernels. The zero value, Auto, is the best one
// that this host can run. All give the same bits; they differ in speed.
type Impl uint8

// The implementations, with the values of host.Impl.
const (
	Auto     Impl = iota // the best of the others that this host can run
	Portable             // Go
	Popcnt               // amd64: scalar POPCNT
	AVX2                 // amd64: 256-bit vectors
	AVX512               // amd64: 512-bit vectors with VPOPCNTDQ
	NEON                 // arm64: 128-bit vectors
)

// String returns the word that names im everywhere: "auto", "portable", "popcnt",
// "avx2", "avx512" or "neon".
func (im Impl) String() string { return host.Impl(im).String() }

// Impls returns the implementations that this host can run for some operation and
// BLOOMPROOF_CPU allows, best first, Portable last. A filter takes any of them: each
// operation then uses it or, where this CPU lacks what that operation's kernel needs, the
// next lower one (the command `bloomproof cpu` lists them). Cost: a copy of at most 4
// bytes.
func Impls() []Impl { return impls(host.Impls()) }

func impls(from []host.Impl) []Impl {
	list := make([]Impl, len(from))
	for i, im := range from {
		list[i] = Impl(im)
	}
	return list
}

// at returns the implementation that runs operations of family f for a caller who asked
// for im.
func at(f host.Family, im Impl) Impl { return Impl(host.At(f, host.Impl(im))) }

// resolve returns im, or the best implementation for Auto, and a ParamError when
// this host cannot run im or BLOOMPROOF_CPU forbids it.
func resolve(im Impl) (Impl, error) {
	if im == Auto {
		return Impl(host.Impls()[0]), nil
	}
	if !host.Has(host.Impl(im)) {
		return 0, &bloomproof.ParamError{Param: "impl", Value: im, Want: "auto or one of " + strings.Join(names(Impls()), ", ")}
	}
	return im, nil
}

func names(impls []Impl) (list []string) {
	for _, im := range impls {
		list = append(list, im.String())
	}
	return list
}
