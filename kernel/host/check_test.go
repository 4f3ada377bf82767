package host

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/cpuid/v2"

	"github.com/bloomproof/bloomproof/kernel/asm"
)

// portables are the reference implementations of the operations.
var portables = []kernel{
	{Popcount, Portable, "Count", asm.CountPortable, count},
	{Popcount, Portable, "AndCount", asm.AndCountPortable, andCount},
	{Popcount, Portable, "OrCount", asm.OrCountPortable, orCount},
	{Popcount, Portable, "XorCount", asm.XorCountPortable, xorCount},
	{Popcount, Portable, "AndNotCount", asm.AndNotCountPortable, andNotCount},
	{Popcount, Portable, "AndInto", asm.AndIntoPortable, andInto},
	{Popcount, Portable, "OrInto", asm.OrIntoPortable, orInto},
	{Popcount, Portable, "AndNotInto", asm.AndNotIntoPortable, andNotInto},
	{Probe, Portable, "Positions", asm.PositionsPortable, positions},
	{Probe, Portable, "Contains", asm.ContainsPortable, contains},
	{Probe, Portable, "ContainsOne", func(words []uint64, h0, h1 uint64, k int, span, step uint64) bool {
		return asm.ContainsPortable(make([]bool, 1), words, []uint64{h0, h1}, k, span, step) == 1
	}, containsOne},
	{Probe, Portable, "ContainsAt", asm.ContainsAtPortable, containsAt},
	{Probe, Portable, "ContainsPair", asm.ContainsPairPortable, containsPair},
	{Probe, Portable, "ContainsPairAt", asm.ContainsPairAtPortable, containsPairAt},
	{Probe, Portable, "Add", asm.AddPortable, add},
	{Probe, Portable, "AddOne", func(words []uint64, h0, h1 uint64, k int, span, step uint64) int {
		return asm.AddPortable(make([]bool, 1), words, []uint64{h0, h1}, k, span, step)
	}, addOne},
	{Probe, Portable, "AddAt", asm.AddAtPortable, addAt},
	{Probe, Portable, "AddSlicesAt", asm.AddSlicesAtPortable, addSlicesAt},
	{Probe, Portable, "AddPairAt", asm.AddPairAtPortable, addPairAt},
	{Probe, Portable, "Prefetch", func(words, pos []uint64) {}, prefetch},
	{Hash, Portable, "HashWords", asm.HashWordsPortable, hashWords},
	{Block, Portable, "BlockContains512", asm.BlockContains512Portable, blockContains512},
	{Block, Portable, "BlockContains512One", func(words []uint64, h0, h1 uint64, k int) bool {
		return asm.BlockContains512Portable(make([]bool, 1), words, []uint64{h0, h1}, k, 0) == 1
	}, blockContains512One},
	{Block, Portable, "BlockContains8x64", asm.BlockContains8x64Portable, blockContains8x64},
	{Block, Portable, "BlockContains8x64One", func(words []uint64, h0, h1 uint64) bool {
		return asm.BlockContains8x64Portable(make([]bool, 1), words, []uint64{h0, h1}, 0) == 1
	}, blockContains8x64One},
	{Block, Portable, "BlockContains8x32", asm.BlockContains8x32Portable, blockContains8x32},
	{Block, Portable, "BlockContains8x32One", func(words []uint64, h0, h1 uint64) bool {
		return asm.BlockContains8x32Portable(make([]bool, 1), words, []uint64{h0, h1}, 0) == 1
	}, blockContains8x32One},
	{Block, Portable, "BlockAdd512", asm.BlockAdd512Portable, blockAdd512},
	{Block, Portable, "BlockAdd512One", func(words []uint64, h0, h1 uint64, k int) int {
		return asm.BlockAdd512Portable(make([]bool, 1), words, []uint64{h0, h1}, k, 0)
	}, blockAdd512One},
	{Block, Portable, "BlockAdd8x64", asm.BlockAdd8x64Portable, blockAdd8x64},
	{Block, Portable, "BlockAdd8x64One", func(words []uint64, h0, h1 uint64) int {
		return asm.BlockAdd8x64Portable(make([]bool, 1), words, []uint64{h0, h1}, 0)
	}, blockAdd8x64One},
	{Block, Portable, "BlockAdd8x32", asm.BlockAdd8x32Portable, blockAdd8x32},
	{Block, Portable, "BlockAdd8x32One", func(words []uint64, h0, h1 uint64) int {
		return asm.BlockAdd8x32Portable(make([]bool, 1), words, []uint64{h0, h1}, 0)
	}, blockAdd8x32One},
	{Transition, Portable, "TransitionRows", asm.TransitionRowsPortable, transitionRows},
	{Transition, Portable, "TransitionSums", asm.TransitionSumsPortable, transitionSums},
	{Transition, Portable, "TransitionStep", asm.TransitionStepPortable, transitionStep},
}

// The known answers are those of the reference implementations: on every architecture, and
// different for any two operations but those on one key, whose answers are compared with theirs.
func TestKnownAnswers(t *testing.T) {
	var w work
	var text strings.Builder
	seen := map[uint64]string{}
	for i, k := range portables {
		if int(k.op) != i {
			t.Fatalf("%s is operation %d, at %d", k.name, k.op, i)
		}
		w = startSeed
		d := k.answer(&w)
		fmt.Fprintf(&text, "\t%#016x, // %s\n", d, k.name)
		if d == 0 || d != known[k.op] {
			t.Errorf("%s gives %#016x, known is %#016x", k.name, d, known[k.op])
		}
		if other := seen[d]; other != "" {
			t.Errorf("%s and %s have one answer: the input does not tell them apart", k.name, other)
		}
		seen[d] = k.name
	}
	if len(portables) != int(operations) {
		t.Errorf("%d operations, %d reference implementations", operations, len(portables))
	}
	if t.Failed() {
		t.Logf("known.go must be\n%s", text.String())
	}
}

// All kernels of package asm are checked, by the names under which they are declared.
func TestEveryKernelIsChecked(t *testing.T) {
	var declared, checked []string
	files, err := filepath.Glob("../asm/*_" + runtime.GOARCH + ".go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^func (\w+)\(`).FindAllStringSubmatch(string(text), -1) {
			declared = append(declared, m[1])
		}
	}
	for _, k := range kernels {
		name := runtime.FuncForPC(pcOf(k.call)).Name()
		if !strings.HasSuffix(name, "."+k.name) {
			t.Errorf("%s calls %s", k.name, name)
		}
		if !strings.HasSuffix(strings.ToLower(k.name), k.impl.String()) {
			t.Errorf("%s is said to be of %v", k.name, k.impl)
		}
		if _, ok := Requires(k.family, k.impl); !ok {
			t.Errorf("%s is said to be of a family that has no %v", k.name, k.impl)
		}
		checked = append(checked, k.name)
	}
	slices.Sort(declared)
	slices.Sort(checked)
	if len(kernels) > 0 && !slices.Equal(declared, checked) {
		t.Errorf("declared %v, checked %v", declared, checked)
	}
}

// This host's kernels give the known answers.
func TestKernelsPassTheCheck(t *testing.T) {
	if Checked() == "failed" || len(Faults()) > 0 {
		t.Errorf("%s: %v", Checked(), Faults())
	}
	s := start(kernels, "", "")
	if want := map[bool]string{true: "passed", false: "none"}[len(s.impls) > 1]; s.checked != want {
		t.Errorf("checked %s, want %s", s.checked, want)
	}
}

// wrongs are kernels with one fault each, in place of a sound one of the same operation.
var wrongs = map[string]func() kernel{
	"a count drops the last word": func() kernel {
		return kernel{Popcount, AVX2, "CountWrong", func(x []uint64) int { return asm.CountPortable(x[:len(x)-1]) }, count}
	},
	"a combination stores one word too few": func() kernel {
		return kernel{Popcount, AVX2, "OrIntoWrong", func(dst, src []uint64) int {
			last := dst[len(dst)-1]
			n := asm.OrIntoPortable(dst, src)
			dst[len(dst)-1] = last
			return n
		}, orInto}
	},
	"a count writes": func() kernel {
		return kernel{Popcount, AVX2, "AndCountWrong", func(a, b []uint64) int {
			n := asm.AndCountPortable(a, b)
			b[7] ^= 1 << 40
			return n
		}, andCount}
	},
	"a position is off by one": func() kernel {
		return kernel{Probe, AVX512, "PositionsWrong", func(dst, h []uint64, k int, span, step uint64) int {
			n := asm.PositionsPortable(dst, h, k, span, step)
			dst[17]++
			return n
		}, positions}
	},
	"a look-up asks for one position less": func() kernel {
		return kernel{Probe, AVX512, "ContainsWrong", func(out []bool, words, h []uint64, k int, span, step uint64) int {
			return asm.ContainsPortable(out, words, h, k-1, span, step)
		}, contains}
	},
	"an addition says false where it set a bit": func() kernel {
		return kernel{Block, AVX2, "BlockAdd512Wrong", func(out []bool, words, h []uint64, k, ahead int) int {
			n := asm.BlockAdd512Portable(out, words, h, k, ahead)
			out[3] = !out[3]
			return n
		}, blockAdd512}
	},
	"the array is never stored to": func() kernel {
		return kernel{Probe, Popcnt, "AddWrong", func(out []bool, words, h []uint64, k int, span, step uint64) int {
			return asm.AddPortable(out, slices.Clone(words), h, k, span, step)
		}, add}
	},
	"a hash takes the wrong seed": func() kernel {
		return kernel{Hash, AVX2, "HashWordsWrong", func(dst, keys []uint64, seed uint64) int { return asm.HashWordsPortable(dst, keys, seed+1) }, hashWords}
	},
	"a number is rounded otherwise": func() kernel {
		return kernel{Transition, AVX2, "TransitionStepWrong", func(a, b []float64, set, clear, unit, scale float64) {
			asm.TransitionStepPortable(a, b, set, clear, unit, scale)
			a[30] *= 1 + 1.0/(1<<52)
		}, transitionStep}
	},
	"a call of an unknown type": func() kernel {
		return kernel{Probe, AVX2, "UnknownWrong", func() {}, contains}
	},
}

// A wrong kernel makes its family portable, whichever implementation is asked for, and no other
// family; with the check off it is chosen, as it was before.
func TestWrongKernelFallsBack(t *testing.T) {
	full := have(cpuid.POPCNT, cpuid.AVX2, cpuid.AVX512F, cpuid.AVX512VPOPCNTDQ, cpuid.AVX512IFMA)
	var w work
	for _, what := range slices.Sorted(maps.Keys(wrongs)) {
		bad := wrongs[what]()
		var all []kernel
		for _, p := range portables { // sound kernels at every level
			for _, im := range []Impl{AVX512, AVX2, Popcnt} {
				p.impl = im
				all = append(all, p)
			}
		}
		rows := slices.Clone(table)
		for i := range rows { // so that each family has each level
			rows[i].requires = requirements{Popcount: nil, Probe: nil, Transition: nil, Hash: nil, Block: nil}
		}
		before := decide(rows, full, "")
		s := before
		s.check(all, "", &w)
		if s.checked != "passed" || s.faults != nil || s.at != before.at {
			t.Fatalf("sound kernels: %s, %v", s.checked, s.faults)
		}
		all = append(all, bad)
		s = before
		if s.check(all, "", &w); s.checked != "failed" || len(s.faults) != 1 || !strings.Contains(s.faults[0], bad.name) {
			t.Errorf("%s: %s, %v", what, s.checked, s.faults)
		}
		for f := range families {
			for im := range last {
				if want := map[bool]Impl{true: Portable, false: before.at[f][im]}[f == bad.family]; s.at[f][im] != want {
					t.Errorf("%s: family %d has %v for %v, want %v", what, f, s.at[f][im], im, want)
				}
			}
		}
		s = before
		if s.check(all, "off", &w); s.checked != "off" || s.faults != nil || s.at != before.at {
			t.Errorf("%s: the check is off, and says %s, %v", what, s.checked, s.faults)
		}
		s = decide(rows, full, "portable")
		if s.check(all, "", &w); s.checked != "none" || s.faults != nil {
			t.Errorf("%s: it cannot be chosen, and the check says %s, %v", what, s.checked, s.faults)
		}
	}
}

// A word that is not "off" leaves the check on and is reported, with what was wrong before.
func TestCheckWord(t *testing.T) {
	for _, word := range []string{"no", "OFF", "0"} {
		s := start(kernels, "fast", word)
		if s.checked == "off" || !strings.Contains(s.problem, `BLOOMPROOF_CHECK="`+word+`" is not off; it changes nothing`) || !strings.Contains(s.problem, `BLOOMPROOF_CPU="fast"`) {
			t.Errorf("%q: %s, %q", word, s.checked, s.problem)
		}
	}
}

// The check of a sound host allocates nothing.
func TestCheckDoesNotAllocate(t *testing.T) {
	s := decide(rows, cpuid.CPU.Supports, "")
	var w work
	if n := testing.AllocsPerRun(5, func() { s.check(kernels, "", &w) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkCheck is what every program pays at its start.
func BenchmarkCheck(b *testing.B) {
	s := decide(rows, cpuid.CPU.Supports, "")
	b.ReportAllocs()
	for range b.N {
		s.check(kernels, "", &startWork)
	}
	b.ReportMetric(float64(len(kernels)), "kernels")
}

// pcOf returns the address of the code of a function.
func pcOf(f any) uintptr { return reflect.ValueOf(f).Pointer() }
