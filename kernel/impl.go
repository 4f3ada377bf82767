package kernel

import (
	"strings"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel/host"
)

// An impl is an implementation of the bit kernels. The zero value, auto, stands for the best implementation that this
// host can run. All implementations give the same results, but they differ in speed.
type impl uint8

// These constants have the same values as the corresponding constants of type host.Impl.
const (
	auto     impl = iota // the best of the others that this host can run
	portable             // Go
	popcnt               // amd64: scalar POPCNT
	avx2                 // amd64: 256-bit vectors
	avx512               // amd64: 512-bit vectors with VPOPCNTDQ
	neon                 // arm64: 128-bit vectors
)

// String returns the name of the implementation, such as "avx2". Options, environment variables and tests use this
// name.
func (im impl) String() string { return host.Impl(im).String() }

// Impls returns the names of implementations of the bit kernels. An implementation is included if BLOOMPROOF_CPU allows
// it and this host can run it for at least one operation. The best implementation is first. The last is "portable",
// which is Go code. On amd64 the others are "popcnt", "avx2" and "avx512". On arm64 the only other one is "neon". Each
// of these names can be the value of the field Impl in a filter's Options. Each operation of the filter then uses that
// implementation. If this CPU lacks an instruction that the operation needs, the operation uses the next lower
// implementation. The command `bloomproof cpu` lists such cases. All implementations give the same results, at
// different speeds.
// Cost: one allocation, for a slice of at most 4 strings.
func Impls() []string {
	var words []string
	for _, im := range host.Impls() {
		words = append(words, im.String())
	}
	return words
}

// Suppose that the implementation im is requested for the family f. The function "at" returns the implementation that
// is used.
func at(f host.Family, im impl) impl { return impl(host.At(f, host.Impl(im))) }

// The function "resolve" returns the implementation that its argument "word" names. If this argument is empty, it
// returns the best implementation. It returns a ParamError if no implementation has that name, if this host cannot run
// it, or if BLOOMPROOF_CPU forbids it.
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

// If im is auto, the method "best" returns the best implementation of this host. Otherwise it returns im.
func (im impl) best() impl {
	if im == auto {
		return impl(host.Impls()[0])
	}
	return im
}
