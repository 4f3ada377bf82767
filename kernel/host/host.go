package host

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/klauspost/cpuid/v2"
)

// Env is the name of an environment variable. Its value names the best implementation that may be used.
const Env = "BLOOMPROOF_CPU"

// An Impl is an implementation of the bit kernels. The zero value, Auto, stands for the best implementation that this
// host can run.
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

// String returns the name of im in options, environment variables and tests: "auto", "portable", "popcnt", "avx2",
// "avx512" or "neon".
func (im Impl) String() string {
	if int(im) < len(names) {
		return names[im]
	}
	return fmt.Sprintf("Impl(%d)", uint8(im))
}

// A Family is a group of operations. Within one implementation, all kernels of a family need the same CPU features. A
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

// A row describes one implementation of this architecture. It says which CPU features the kernels of each family need.
// If a family has no kernels in this implementation, it is not in the map.
type row struct {
	impl     Impl
	requires requirements
}

type requirements map[Family][]cpuid.FeatureID

// A row describes one implementation. The method "runs" reports whether the CPU can run its kernels of family f. It
// returns false if there are no such kernels.
func (r row) runs(f Family, supports func(...cpuid.FeatureID) bool) bool {
	needs, ok := r.requires[f]
	return ok && supports(needs...)
}

// A state says which implementation each family uses. It is determined when the program starts, and does not change
// after that.
type state struct {
	impls   []Impl               // the implementations of all families: best first, Portable last
	at      [families][last]Impl // at[f][im] is the implementation that runs for family f if im is requested
	forced  string               // the value of BLOOMPROOF_CPU that took effect, or ""
	problem string               // why the value of BLOOMPROOF_CPU had no effect, or ""
	checked string               // the result of Checked
	faults  []string             // the result of Faults
}

var now = start(kernels, os.Getenv(Env), os.Getenv(EnvCheck))

// The function "start" determines the state for this CPU, and checks the given kernels. It is called when this package
// is initialised. At that time, no package of this module except asm needs to be initialised.
func start(kernels []kernel, word, check string) state {
	s := decide(rows, cpuid.CPU.Supports, word)
	s.check(kernels, check, &startWork)
	return s
}

// The method "decide" finds out which implementations the CPU can run. The argument "word" is the name of an
// implementation. The method removes all implementations that are better than this one. This argument is the value of
// BLOOMPROOF_CPU.
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

// The function "available" returns the implementations in "rows" that the CPU supports. An implementation is supported
// if the CPU can run its kernels for one family or more.
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

// The argument "word" is the name of an implementation. The function "find" returns the index of this implementation in
// the list "has". If it is not in the list, the result "problem" says why.
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

// The function "choose" returns the first implementation in rows that meets three conditions. The CPU must be able to
// run the kernels that this implementation has for family f. The implementation must be in the list "allowed". It must
// be im or a lower implementation. If im is Auto, this last condition does not apply.
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

// Impls returns implementations of the bit kernels. An implementation is included if BLOOMPROOF_CPU allows it and this
// host can run it for at least one family. The best one is first, and Portable is last.
func Impls() []Impl { return slices.Clone(now.impls) }

// At returns the implementation that is used for family f if im is requested. The result is im if the CPU has all
// features that the kernels of im for this family need. Otherwise it is the next lower implementation whose features
// the CPU has. For Auto it is the best implementation. For an implementation of another architecture it is Portable.
func At(f Family, im Impl) Impl {
	if im >= last {
		return Portable
	}
	return now.at[f][im]
}

// Runs returns implementations of the bit kernels. An implementation is included if BLOOMPROOF_CPU allows it and this
// host can run it for family f. The best one is first, and Portable is last.
func Runs(f Family) []Impl {
	return slices.DeleteFunc(Impls(), func(im Impl) bool { return At(f, im) != im })
}

// Has reports whether im is in the list that Impls returns.
func Has(im Impl) bool { return slices.Contains(now.impls, im) }

// Forced returns the value of BLOOMPROOF_CPU if it had an effect, and otherwise "".
func Forced() string { return now.forced }

// Problem returns the reason why BLOOMPROOF_CPU or BLOOMPROOF_CHECK had no effect. It returns "" if neither variable
// has an invalid value.
func Problem() string { return now.problem }

// FastGather reports whether VPGATHERQQ is known to be faster on this CPU than 8 separate loads. VPGATHERQQ is a gather
// instruction, which reads 8 words from 8 addresses.
func FastGather() bool { return fastGather }

var fastGather = gathersFast(cpuid.CPU.VendorID, cpuid.CPU.Supports)

// gathersFast returns true for Intel's cores from Golden Cove on, which have the feature AVX-VNNI. In earlier cores by
// Intel, gather instructions are slow because of the countermeasure against Gather Data Sampling. AMD's cores execute
// gather instructions as separate loads.
func gathersFast(vendor cpuid.Vendor, supports func(...cpuid.FeatureID) bool) bool {
	return vendor == cpuid.Intel && supports(cpuid.AVXVNNI)
}

// PrefetchToL2 reports whether many words should be prefetched into the L2 cache (PREFETCHT1) and not into the L1
// cache. It returns true if this is known to be faster on this CPU. This is the case for AMD's cores. Their L2 cache
// can have more misses in flight than the L1 cache.
func PrefetchToL2() bool { return cpuid.CPU.VendorID == cpuid.AMD }

// L2 returns the size of the L2 cache of a core, in bytes. If the CPU does not report this size, the result is a small
// number.
func L2() int { return l2 }

// L3 returns the size in bytes of the L3 cache that a core shares with other cores. If the CPU does not report this
// size, the result is a small number.
func L3() int { return l3 }

var (
	l2 = sizeOr(cpuid.CPU.Cache.L2, leastL2)
	l3 = sizeOr(cpuid.CPU.Cache.L3, leastL3)
)

// These cache sizes are assumed if the CPU does not report the sizes of its caches. They are small for the following
// reason. If an assumed size is too large, a look-up waits for memory. If it is too small, a look-up only prefetches
// some words without need.
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

// Features returns the names of all CPU features that were found, in alphabetical order.
func Features() []string {
	f := cpuid.CPU.FeatureSet()
	slices.Sort(f)
	return f
}

// Requires returns the names of CPU features, in lower case. They are the features that the kernels of family f and
// implementation im need. The result "ok" is false if this build has no such kernels.
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
