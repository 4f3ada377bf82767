package kernel

import (
	"strings"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel/host"
)

// impl is an implementation of the bit kernels. The zero value, auto, is the best one that this host can run. All
// implementations give the same bits; they differ in speed.
type impl uint8

// The implementations have the same values as in host.Impl.
const (
	auto     impl = iota // the best of the others that this host can run
	portable             // Go
	popcnt               // amd64: scalar POPCNT
	avx2                 // amd64: 256-bit vectors
	avx512               // amd64: 512-bit vectors with VPOPCNTDQ
	neon                 // arm64: 128-bit vectors
)

// String returns the word that names im in options, environment variables and tests, such as "avx2".
func (im impl) String() string { return host.Impl(im).String() }

// Impls returns the words for the implementations of the bit kernels that this host can run for some operation and that
// BLOOMPROOF_CPU allows. The best comes first, and "portable", which is Go, last. The others are "popcnt", "avx2" and
// "avx512" on amd64 and "neon" on arm64. A filter takes any of them (Options.Impl). Each operation then uses that
// implementation, or the next lower one if this CPU lacks an instruction that the operation's kernel needs; the command
// `bloomproof cpu` lists them. All implementations give the same bits; they differ in speed.
// Cost: one allocation, of a slice of at most 4 strings.
func Impls() []string {
	var words []string
	for _, im := range host.Impls() {
		words = append(words, im.String())
	}
	return words
}

// The function named at returns the implementation that runs operations of family f for a caller who asked for im.
func at(f host.Family, im impl) impl { return impl(host.At(f, host.Impl(im))) }

// resolve returns the implementation that word names, or the best one for the empty word. It returns a ParamError when
// no implementation has that word, when this host cannot run it, or when BLOOMPROOF_CPU forbids it.
func resolve(word string) (impl, error) {
	if word == "" {
		return auto.best(), nil
	}
	for _, im := range host.Impls() {
		if word == im.String() {
			return impl(im), nil
		}
	}
	return 0, &bloomproof.ParamError{Param: "impl", Value: word, Want: "empty, for the best, or one of " + strings.Join(Impls(), ", ")}
}

// The method named best returns im, or the best implementation of this host for auto.
func (im impl) best() impl {
	if im == auto {
		return impl(host.Impls()[0])
	}
	return im
}
