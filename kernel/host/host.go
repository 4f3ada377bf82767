package host

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/klauspost/cpuid/v2"
)

// Env is the name of the environment variable that can select a lower implementation.
const Env = "BLOOMPROOF_CPU"

// Impl names an implementation of the bit kernels. The zero value, Auto, means the best implementation that this host
// can run.
type Impl uint8

const (
	Auto     Impl = iota // the best implementation that this host can run
	Portable             // Go code, on every architecture
	Popcnt               // amd64: scalar POPCNT
	AVX2                 // amd64: 256-bit vectors
	AVX512               // amd64: 512-bit vectors with VPOPCNTDQ
	NEON                 // arm64: 128-bit vectors
	last
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

// Family is a group of operations. For a given implementation, all kernels of a family require the same CPU features. A
// CPU may have the features for the AVX-512 kernels of one family, but not for those of another family.
type Family uint8

const (
	Popcount   Family = iota // counts and combinations of words
	Probe                    // positions of keys, and bits at positions
	Transition               // float64 vectors
	Hash                     // XXH3-128 of keys of 8 bytes
	Block                    // bits at positions in the block of a key
	families
)

// row is an implementation of this architecture, with the CPU features that its kernels require for each family. A
// family that has no kernels for this implementation has no entry.
type row struct {
	impl     Impl
	requires requirements
}

type requirements map[Family][]cpuid.FeatureID

// The method runs reports whether the CPU has the features that the kernels of family f in this row require.
func (r row) runs(f Family, supports func(...cpuid.FeatureID) bool) bool {
	needs, ok := r.requires[f]
	return ok && supports(needs...)
}

// A state is the choice of implementations for each family. This choice is made when the program starts, and does not
// change afterwards.
type state struct {
	impls   []Impl               // the implementations of all families: best first, Portable last
	at      [families][last]Impl // at[f][im] is the implementation that runs for family f if im is requested
	forced  string               // the value of BLOOMPROOF_CPU that took effect, or ""
	problem string               // why the value of BLOOMPROOF_CPU had no effect, or ""
	checked string               // the result of Checked
	faults  []string             // the result of Faults
}

var now = start(kernels, os.Getenv(Env), os.Getenv(EnvCheck))

// start makes the choice for this CPU, and checks the given kernels. It runs when this package is initialised. Among the
// packages of this module, only package asm must be initialised earlier.
func start(kernels []kernel, word, check string) state {
	s := decide(rows, cpuid.CPU.Supports, word)
	s.check(kernels, check, &startWork)
	return s
}

// decide determines which implementations the CPU supports, and drops those that are better than the implementation
// that word, the value of BLOOMPROOF_CPU, names.
func decide(rows []row, supports func(...cpuid.FeatureID) bool, word string) (s state) {
	has := available(rows, supports)
	first := 0
	if word != "" {
		first, s.problem = find(has, word)
		if s.problem == "" {
			s.forced = word
		}
	}
	s.impls = has[first:]
	for f := range families {
		for im := range last {
			s.at[f][im] = choose(rows, supports, f, s.impls, im)
		}
	}
	return s
}

// available returns the implementations of rows that some family can run.
func available(rows []row, supports func(...cpuid.FeatureID) bool) []Impl {
	var impls []Impl
	for _, r := range rows {
		for f := range families {
			if r.runs(f, supports) {
				impls = append(impls, r.impl)
				break
			}
		}
	}
	return impls
}

// find returns the index in has of the implementation that word names. If there is no such implementation, the result
// problem is the reason.
func find(has []Impl, word string) (at int, problem string) {
	named := slices.Index(names, word)
	if named <= int(Auto) {
		return 0, fmt.Sprintf("%s=%q is none of %s; it changes nothing", Env, word, strings.Join(names[Portable:], ", "))
	}
	if at = slices.Index(has, Impl(named)); at < 0 {
		return 0, fmt.Sprintf("%s=%s is not available, only %v; it changes nothing", Env, word, has)
	}
	return at, ""
}

// choose returns the first implementation of rows that family f can run, that is in allowed, and that is im or a lower
// one. For Auto it may be any implementation.
func choose(rows []row, supports func(...cpuid.FeatureID) bool, f Family, allowed []Impl, im Impl) Impl {
	reached := im == Auto
	for _, r := range rows {
		reached = reached || r.impl == im
		if reached && slices.Contains(allowed, r.impl) && r.runs(f, supports) {
			return r.impl
		}
	}
	return Portable
}

// Impls returns the implementations that this host can run and that BLOOMPROOF_CPU permits, best first, Portable last.
func Impls() []Impl { return slices.Clone(now.impls) }

// At returns the implementation that runs operations of family f for a caller who asked for im. It is im itself, or the
// next lower implementation whose requirements this CPU meets. For Auto it is the best implementation, and for an Impl
// of another architecture it is Portable.
func At(f Family, im Impl) Impl {
	if im >= last {
		return Portable
	}
	return now.at[f][im]
}

// Runs returns the implementations whose kernels of family f this host can run and that BLOOMPROOF_CPU permits, best
// first, Portable last.
func Runs(f Family) []Impl {
	return slices.DeleteFunc(Impls(), func(im Impl) bool { return At(f, im) != im })
}

// Has reports whether im is one of Impls.
func Has(im Impl) bool { return slices.Contains(now.impls, im) }

// Forced returns the value of BLOOMPROOF_CPU that took effect, or "".
func Forced() string { return now.forced }

// Problem returns the reason why the value of BLOOMPROOF_CPU or BLOOMPROOF_CHECK had no effect, or "".
func Problem() string { return now.problem }

// FastGather reports whether a gather of 8 words from 8 addresses (VPGATHERQQ) is known to be faster than 8 separate
// loads.
func FastGather() bool { return fastGather }

var fastGather = gathersFast(cpuid.CPU.VendorID, cpuid.CPU.Supports)

// gathersFast returns true for Intel's cores from Golden Cove on, which are recognised by AVX-VNNI. Earlier Intel cores
// are slow because of the mitigation of Gather Data Sampling, and AMD's cores gather word by word.
func gathersFast(vendor cpuid.Vendor, supports func(...cpuid.FeatureID) bool) bool {
	return vendor == cpuid.Intel && supports(cpuid.AVXVNNI)
}

// PrefetchToL2 reports whether prefetching many words into L2 (PREFETCHT1) is known to be faster than prefetching them
// into L1. This is true for AMD's cores, whose L2 can have more outstanding misses.
func PrefetchToL2() bool { return cpuid.CPU.VendorID == cpuid.AMD }

// L2 returns the size in bytes of the second-level cache of a core. If the CPU does not report the size, L2 returns a
// small size.
func L2() int { return l2 }

// L3 returns the size in bytes of the third-level cache that a core shares. If the CPU does not report the size, L3
// returns a small size.
func L3() int { return l3 }

var (
	l2 = sizeOr(cpuid.CPU.Cache.L2, leastL2)
	l3 = sizeOr(cpuid.CPU.Cache.L3, leastL3)
)

// These sizes are assumed for a CPU that does not report the sizes of its caches. They are small, because too small a
// size costs only an unnecessary prefetch, and too large a size costs a wait for memory.
const (
	leastL2 = 256 << 10
	leastL3 = 4 << 20
)

func sizeOr(said, small int) int {
	if said > 0 {
		return said
	}
	return small
}

// Features returns the names of the CPU features found, sorted.
func Features() []string {
	f := cpuid.CPU.FeatureSet()
	slices.Sort(f)
	return f
}

// Requires returns the CPU features, in lower case, that the kernels of family f need for the implementation im. ok is
// false if this build has no such kernels.
func Requires(f Family, im Impl) (features []string, ok bool) {
	for _, r := range rows {
		if r.impl != im {
			continue
		}
		needs, ok := r.requires[f]
		for _, id := range needs {
			features = append(features, strings.ToLower(id.String()))
		}
		return features, ok
	}
	return nil, false
}
