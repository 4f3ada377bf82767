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

// Impl names an implementation of the bit kernels. The zero value, Auto, is the best one that this host can run.
type Impl uint8

const (
	Auto     Impl = iota // the best of the others that this host can run
	Portable             // Go
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

// Family is a group of operations whose kernels require the same CPU features at each implementation. A CPU may have
// what the AVX-512 kernels of one family need and lack what those of another family need.
type Family uint8

const (
	Popcount   Family = iota // counts and combinations of words
	Probe                    // positions of keys, and bits at positions
	Transition               // float64 vectors
	Hash                     // XXH3-128 of keys of 8 bytes
	Block                    // bits at positions in the block of a key
	families
)

// row is an implementation of this architecture with the CPU features that its kernels of each family require. A family
// without kernels at this implementation has no entry.
type row struct {
	impl     Impl
	requires requirements
}

type requirements map[Family][]cpuid.FeatureID

// runs reports whether the CPU has what the row's kernels of family f require.
func (r row) runs(f Family, supports func(...cpuid.FeatureID) bool) bool {
	needs, ok := r.requires[f]
	return ok && supports(needs...)
}

// state is the choice made at start; it never changes afterwards.
type state struct {
	impls   []Impl               // of any family: best first, Portable last
	at      [families][last]Impl // what runs for a family when an Impl is asked for
	forced  string               // the word of BLOOMPROOF_CPU that was obeyed, or ""
	problem string               // why a word of BLOOMPROOF_CPU was not obeyed, or ""
	checked string               // what Checked says
	faults  []string             // what Faults says
}

var now = start(kernels, os.Getenv(Env), os.Getenv(EnvCheck))

// start makes the choice for this CPU, and checks the given kernels. It runs when this package is initialised, which
// requires package asm to be initialised, and no other.
func start(kernels []kernel, word, check string) state {
	s := decide(rows, cpuid.CPU.Supports, word)
	s.check(kernels, check, &startWork)
	return s
}

// decide finds what the CPU supports, and drops the implementations that are better than the one that word names.
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

// find returns the index in has of the implementation that word names, or why there is none.
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

// choose returns the first row that family f can run, that is allowed, and that is no better than im (Auto: any).
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

// Impls returns the implementations that this host can run and BLOOMPROOF_CPU
// allows, best first, Portable last.
func Impls() []Impl { return slices.Clone(now.impls) }

// At returns the implementation that runs operations of family f for a caller who asked for im. It is im itself, or the
// next lower one whose requirements this CPU meets. For Auto it is the best one, and for an Impl of another
// architecture it is Portable.
func At(f Family, im Impl) Impl {
	if im >= last {
		return Portable
	}
	return now.at[f][im]
}

// Runs returns the implementations whose kernels of family f this host can run and
// BLOOMPROOF_CPU allows, best first, Portable last.
func Runs(f Family) []Impl {
	return slices.DeleteFunc(Impls(), func(im Impl) bool { return At(f, im) != im })
}

// Has reports whether im is one of Impls.
func Has(im Impl) bool { return slices.Contains(now.impls, im) }

// Forced returns the word of BLOOMPROOF_CPU that was obeyed, or "".
func Forced() string { return now.forced }

// Problem says why BLOOMPROOF_CPU or BLOOMPROOF_CHECK was not obeyed, or "".
func Problem() string { return now.problem }

// FastGather reports whether one load of 8 words from 8 places (VPGATHERQQ) is known to
// be faster than 8 loads.
func FastGather() bool { return fastGather }

var fastGather = gathersFast(cpuid.CPU.VendorID, cpuid.CPU.Supports)

// gathersFast is true for Intel's cores from Golden Cove on, which are recognised by AVX-VNNI. The mitigation of Gather
// Data Sampling slows earlier Intel cores down, and AMD's cores gather word by word.
func gathersFast(vendor cpuid.Vendor, supports func(...cpuid.FeatureID) bool) bool {
	return vendor == cpuid.Intel && supports(cpuid.AVXVNNI)
}

// PrefetchToL2 reports whether many words from beyond L2 are known to come faster when they are prefetched into L2
// (PREFETCHT1) than into L1. This is so on AMD's cores, whose L2 has more misses under way.
func PrefetchToL2() bool { return cpuid.CPU.VendorID == cpuid.AMD }

// L2 returns the size in bytes of a core's second-level cache. If the CPU does not say, it is that of a small one.
func L2() int { return l2 }

// L3 returns the same for the third-level cache that a core shares.
func L3() int { return l3 }

var (
	l2 = sizeOr(cpuid.CPU.Cache.L2, leastL2)
	l3 = sizeOr(cpuid.CPU.Cache.L3, leastL3)
)

// The cache sizes assumed of a CPU that does not say how large its caches are. They are small: a size assumed too small
// costs a prefetch that was not needed, and one assumed too large costs a wait for memory.
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

// Requires returns the CPU features that the kernels of family f need at im, in lower
// case; ok is false when this build has no such kernels.
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
