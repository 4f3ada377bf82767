package host

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/klauspost/cpuid/v2"
)

// Env is the environment variable that lowers the choice.
const Env = "BLOOMPROOF_CPU"

// Impl names a family of bit kernels. The zero value, Auto, is the best one that
// this host can run.
type Impl uint8

const (
	Auto     Impl = iota // the best of the others that this host can run
	Portable             // Go
	Popcnt               // amd64: scalar POPCNT
	AVX2                 // amd64: 256-bit vectors
	AVX512               // amd64: 512-bit vectors with VPOPCNTDQ
	NEON                 // arm64: 128-bit vectors
)

var names = []string{"auto", "portable", "popcnt", "avx2", "avx512", "neon"}

// String returns the word that names im everywhere: "auto", "portable", "popcnt",
// "avx2", "avx512" or "neon".
func (im Impl) String() string {
	if int(im) < len(names) {
		return names[im]
	}
	return fmt.Sprintf("Impl(%d)", uint8(im))
}

// row is an implementation of this architecture and what it requires of the CPU.
type row struct {
	impl     Impl
	requires []cpuid.FeatureID
}

// state is what was decided at start; it never changes afterwards.
type state struct {
	impls   []Impl // best first, Portable last
	forced  string // the word of BLOOMPROOF_CPU that was obeyed, or ""
	problem string // why a word of BLOOMPROOF_CPU was not obeyed, or ""
}

var now = decide(available(rows, cpuid.CPU.Supports), os.Getenv(Env))

// available returns the implementations of rows whose requirements are all met.
func available(rows []row, supports func(...cpuid.FeatureID) bool) []Impl {
	var impls []Impl
	for _, r := range rows {
		if supports(r.requires...) {
			impls = append(impls, r.impl)
		}
	}
	return impls
}

// decide drops from has (best first) what is better than word names.
func decide(has []Impl, word string) state {
	if word == "" {
		return state{impls: has}
	}
	named := slices.Index(names, word)
	if named <= int(Auto) {
		return state{impls: has, problem: fmt.Sprintf("%s=%q is none of %s; it changes nothing",
			Env, word, strings.Join(names[Portable:], ", "))}
	}
	at := slices.Index(has, Impl(named))
	if at < 0 {
		return state{impls: has, problem: fmt.Sprintf("%s=%s is not available, only %v; it changes nothing",
			Env, word, has)}
	}
	return state{impls: has[at:], forced: word}
}

// Impls returns the implementations that this host can run and BLOOMPROOF_CPU
// allows, best first, Portable last.
func Impls() []Impl { return slices.Clone(now.impls) }

// Best returns the first of Impls.
func Best() Impl { return now.impls[0] }

// Has reports whether im is one of Impls.
func Has(im Impl) bool { return slices.Contains(now.impls, im) }

// Forced returns the word of BLOOMPROOF_CPU that was obeyed, or "".
func Forced() string { return now.forced }

// Problem says why BLOOMPROOF_CPU was not obeyed, or "" when it was or is unset.
func Problem() string { return now.problem }

// Features returns the names of the CPU features found, sorted.
func Features() []string {
	f := cpuid.CPU.FeatureSet()
	slices.Sort(f)
	return f
}

// Requires returns the CPU features that im needs, in lower case; ok is false when
// this build has no such implementation.
func Requires(im Impl) (features []string, ok bool) {
	for _, r := range rows {
		if r.impl == im {
			for _, f := range r.requires {
				features = append(features, strings.ToLower(f.String()))
			}
			return features, true
		}
	}
	return nil, false
}
