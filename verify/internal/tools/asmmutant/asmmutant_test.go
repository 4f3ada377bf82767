package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bloomproof/bloomproof/verify/internal/tools/campaign"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/selftest"
)

// root is the module's folder.
const root = "../../../.."

const (
	sourceText = `//go:build gc && !purego

#include "textflag.h"

// A comment with #define in it. /* and this */

DATA ones<>+0(SB)/8, $0x0302020102010100
GLOBL ones<>(SB), RODATA|NOPTR, $8

#define first SI // next word
#define twice(x, y) \
	ADDQ x, x; \
	ADDQ y, y
#define MOVE MOVQ
#define next first

#define FOLD(at, w) ANDQ at(next), w
TEXT ·AndAVX2(SB), NOSPLIT, $0-32
	MOVE ones<>(SB), AX; MOVQ x_base+0(FP), first
#include "loop.h"
	RET
TEXT ·CountAVX2(SB), NOSPLIT, $0-32
#include "loop.h"
#ifndef GOARCH_amd64
	NONSENSE
#else
	RET
#endif
`
	loopText = `#ifdef FOLD
again: FOLD(8*1, BX)
#undef FOLD
#else
#ifdef NEVER
	NONSENSE
#endif
again:
#endif
	twice(CX, first)
	JNE again // again
`
)

func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestReadSource asserts that macros, conditions and files are expanded, that aliases keep
// their names until the assembler gets the text, and that lines are known.
func TestReadSource(t *testing.T) {
	dir := write(t, map[string]string{"x_amd64.s": sourceText, "loop.h": loopText})
	s, err := readSource(filepath.Join(dir, "x_amd64.s"), "amd64")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range s.functions {
		got = append(got, f.head)
		for _, st := range f.body {
			got = append(got, st.String()+" = "+st.code())
		}
	}
	want := []string{
		"TEXT ·AndAVX2(SB), NOSPLIT, $0-32",
		"MOVQ ones<>(SB), AX = MOVQ ones<>(SB), AX",
		"MOVQ x_base+0(FP), first = MOVQ x_base+0(FP), SI",
		"again: = again:",
		"ANDQ 8*1(next), BX = ANDQ 8*1(SI), BX",
		"ADDQ CX, CX = ADDQ CX, CX",
		"ADDQ first, first = ADDQ SI, SI",
		"JNE again = JNE again",
		"RET = RET",
		"TEXT ·CountAVX2(SB), NOSPLIT, $0-32",
		"again: = again:",
		"ADDQ CX, CX = ADDQ CX, CX",
		"ADDQ first, first = ADDQ SI, SI",
		"JNE again = JNE again",
		"RET = RET",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	last := s.functions[1].body[3]
	if last.file != "loop.h" || last.line != 11 || len(s.data) != 2 || s.data[0].line != 7 {
		t.Errorf("the last jump is at %s:%d, data %v", last.file, last.line, s.data)
	}
}

// TestReadSourceErrors asserts that what cannot be read is an error.
func TestReadSourceErrors(t *testing.T) {
	for text, want := range map[string]string{
		"#else\n":                     "#else without #ifdef",
		"#pragma x\n":                 "unknown directive",
		"#define F(x) x\nF(1, 2)\n":   "takes 1 arguments, not 2",
		"#define F(x) x\nF(1\n":       "do not close",
		"#define LOOP LOOP x\nLOOP\n": "never ends",
		"\tRET\n":                     "before the first TEXT",
	} {
		dir := write(t, map[string]string{"x_amd64.s": text})
		_, err := readSource(filepath.Join(dir, "x_amd64.s"), "amd64")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

// TestChanges asserts what can stand in place of some statements.
func TestChanges(t *testing.T) {
	dir := write(t, map[string]string{"x_amd64.s": `
#define sum AX
TEXT ·XAVX2(SB), NOSPLIT, $0-32
	MOVQ x_len+8(FP), sum
	VPANDNQ.Z 8(SI)(R8*8), Z1, K1, Z2
	VPADDQ Y1, Y2, Y3
	CMPQ sum, $0x10
	JLT done
	VPXOR Y1, Y1, Y1
	PREFETCHT0 64(SI)
done:
	VZEROUPPER
	RET
DATA ones<>+0(SB)/8, $-1
`})
	s, err := readSource(filepath.Join(dir, "x_amd64.s"), "amd64")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, m := range s.mutants() {
		was := m.was().String()
		got[was] = append(got[was], m.now)
	}
	for was, want := range map[string][]string{
		"MOVQ x_len+8(FP), sum": {
			deleted, "MOVQ x_len+16(FP), sum", "MOVQ x_len+0(FP), sum", "MOVQ x_len+8(FP), SI", "MOVQ sum, x_len+8(FP)",
		},
		"VPANDNQ.Z 8(SI)(R8*8), Z1, K1, Z2": {
			deleted, "VPANDQ.Z 8(SI)(R8*8), Z1, K1, Z2", "VPORQ.Z 8(SI)(R8*8), Z1, K1, Z2", "VPXORQ.Z 8(SI)(R8*8), Z1, K1, Z2",
			"VPANDNQ 8(SI)(R8*8), Z1, K1, Z2",
			"VPANDNQ.Z 16(SI)(R8*8), Z1, K1, Z2", "VPANDNQ.Z 0(SI)(R8*8), Z1, K1, Z2", "VPANDNQ.Z 8(R8)(R8*8), Z1, K1, Z2",
			"VPANDNQ.Z 8(SI)(sum*8), Z1, K1, Z2", "VPANDNQ.Z 8(SI)(R8*1), Z1, K1, Z2", "VPANDNQ.Z 8(SI)(R8*4), Z1, K1, Z2",
			"VPANDNQ.Z 8(SI)(R8*8), Z2, K1, Z2", "VPANDNQ.Z 8(SI)(R8*8), Z1, K1, Z1",
			"VPANDNQ.Z Z1, 8(SI)(R8*8), K1, Z2", "VPANDNQ.Z 8(SI)(R8*8), K1, Z1, Z2", "VPANDNQ.Z 8(SI)(R8*8), Z1, Z2, K1",
		},
		"VPADDQ Y1, Y2, Y3": {
			deleted, "VPSUBQ Y1, Y2, Y3", "VPADDD Y1, Y2, Y3", "VPADDQ Y2, Y2, Y3", "VPADDQ Y1, Y3, Y3", "VPADDQ Y1, Y2, Y1", "VPADDQ Y1, Y3, Y2",
		},
		"CMPQ sum, $0x10": {
			deleted, "CMPL sum, $0x10", "TESTQ sum, $0x10", "CMPQ SI, $0x10",
			"CMPQ sum, $0x11", "CMPQ sum, $0xf", "CMPQ sum, $0x0", "CMPQ sum, $0x20", "CMPQ $0x10, sum",
		},
		"JLT done":         {deleted, "JGE done", "JLE done", "JMP done"},
		"VPXOR Y1, Y1, Y1": {deleted, "VPAND Y1, Y1, Y1", "VPOR Y1, Y1, Y1", "VPXOR Y2, Y1, Y1", "VPXOR Y1, Y2, Y1", "VPXOR Y1, Y1, Y2"},
	} {
		slices.Sort(want)
		slices.Sort(got[was])
		if !slices.Equal(got[was], want) {
			t.Errorf("%s:\ngot  %q\nwant %q", was, got[was], want)
		}
		delete(got, was)
	}
	if len(got) != 0 {
		t.Errorf("changes of what is better left alone: %v", got)
	}
}

// TestConstants asserts that constants of every kind have neighbours.
func TestConstants(t *testing.T) {
	for was, want := range map[string][]string{
		"$1":                  {"$2", "$0"},
		"$-4096":              {"$-4095", "$-4097", "$0", "$-8192"},
		"$0x0f":               {"$0x10", "$0xe", "$0x0", "$0x1e"},
		"$SIZE":               {"$(SIZE+1)", "$(SIZE-1)", "$0", "$(SIZE*2)"},
		"$table<>(SB)":        nil,
		"$0.5":                nil,
		"$(1.0)":              nil,
		"$0xffffffffffffffff": {"$0x0", "$0xfffffffffffffffe"},
	} {
		if got := constants(was); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", was, got, want)
		}
	}
}

// all returns every mutant of the module's assembly.
func all(t *testing.T) []*mutant {
	t.Helper()
	mutants, err := readOnce()
	if err != nil {
		t.Fatal(err)
	}
	return mutants
}

// readOnce reads the mutants once for all tests.
var readOnce = sync.OnceValues(func() (out []*mutant, err error) {
	for _, goarch := range []string{"amd64", "arm64"} {
		mutants, err := readAll(root, goarch)
		if err != nil {
			return nil, err
		}
		out = append(out, mutants...)
	}
	return out, nil
})

// TestEquivalents asserts that the list speaks of mutants that there are, and that no entry
// has only mutants that the present prover has proved: proofs.txt takes its place.
func TestEquivalents(t *testing.T) {
	list, err := campaign.ReadEquivalents(equivalentText, 5)
	if err != nil {
		t.Fatal(err)
	}
	records, err := readProofs(proofsText)
	if err != nil {
		t.Fatal(err)
	}
	provers := map[string]string{}
	covered, open := make([]bool, len(list)), make([]bool, len(list))
	for _, m := range all(t) {
		if path := m.source.path; provers[path] == "" {
			if provers[path], err = hashProver(root, path); err != nil {
				t.Fatal(err)
			}
		}
		fields := m.fields()
		for i := range list {
			if !(covered[i] && open[i]) && list[i].Covers(fields) {
				covered[i] = true
				open[i] = open[i] || records.of(m).prover == "" || records.of(m).prover != provers[m.source.path]
			}
		}
	}
	for i, e := range list {
		switch {
		case !covered[i]:
			t.Errorf("equivalent.txt:%d: there is no such mutant", e.Line)
		case !open[i]:
			t.Errorf("equivalent.txt:%d: all such mutants are proved, so the line can go", e.Line)
		}
	}
}

// TestRecords asserts that proofs.txt has mutants that there are, of functions that are
// proved, and that it is written as it is read.
func TestRecords(t *testing.T) {
	records, err := readProofs(proofsText)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(proofsText, records.String()) {
		t.Error("the records of proofs.txt are not written as they are read")
	}
	functions, err := provedFunctions(root)
	if err != nil {
		t.Fatal(err)
	}
	left := map[string]int{}
	for function, mutants := range records {
		left[function] = len(mutants)
		if !functions[function] {
			t.Errorf("proofs.txt: %s is not proved itself", function)
		}
	}
	seen := map[string]bool{}
	for _, m := range all(t) {
		if h := m.function.name + m.hash(); records.of(m).prover != "" && !seen[h] {
			seen[h] = true
			left[m.function.name]--
		}
	}
	for function, n := range left {
		if n != 0 {
			t.Errorf("proofs.txt: %d mutants of %s that there are not: run make prove-mutants again", n, function)
		}
	}
	for _, text := range []string{"a | b\n", "a | b | c | d\n"} {
		if _, err := readProofs(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
	p, err := readProofs("# of | a | b\nfile  rejected 3\nF | aa | 01 02:0f\nG | bb | 01\n")
	if want := "F | aa | 01 02:0f\nG | bb | 01\n"; err != nil || p.String() != want {
		t.Errorf("got %q, %v, want %q", p, err, want)
	}
}

// TestUpdate asserts that a run changes the records of the mutants that it was about, and no others.
func TestUpdate(t *testing.T) {
	mutants := all(t)[:4]
	name, path := mutants[0].function.name, mutants[0].source.path
	c := mutation{tests: map[string]string{path: "now"}, records: proofs{}, out: &bytes.Buffer{}}
	var err error
	if c.record, err = campaign.Open[result](""); err != nil {
		t.Fatal(err)
	}
	for _, m := range mutants[1:] {
		c.records.put(name, m.hash(), proof{"before", "old"})
	}
	c.records.put(name, "000000000000", proof{"before", ""}) // of a mutant that is gone
	for i, o := range []campaign.Outcome{proved, proved, rejected} {
		if err := c.put(mutants[i], o, "", "new"); err != nil {
			t.Fatal(err)
		}
	}
	c.update(mutants)
	want := proofs{name: {mutants[0].hash(): {"now", "new"}, mutants[1].hash(): {"now", "new"}, mutants[3].hash(): {"before", "old"}}}
	if !maps.EqualFunc(c.records, want, maps.Equal) {
		t.Errorf("got %v, want %v", c.records, want)
	}
}

// TestHashTests asserts that results are lost when the tests of their family, or what all
// families use, have changed, and not for the tests of another.
func TestHashTests(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) {
		path := filepath.Join(dir, "kernel", "asm", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	hashes := func() map[string]string {
		out := map[string]string{}
		for _, f := range []string{"one", "two", "guest"} {
			h, err := hashTests(dir, f)
			if err != nil {
				t.Fatal(err)
			}
			out[f] = h
		}
		return out
	}
	for _, name := range []string{"one_amd64.s", "two_amd64.s", "guest_amd64.s", "one_test.go", "asmtest/one.go", "asmtest/two.go", "asmtest/run.go"} {
		put(name, "")
	}
	before := hashes()
	for _, row := range []struct {
		name string
		lost []string
	}{
		{"one_test.go", []string{"one", "guest"}},
		{"asmtest/two_cases.go", []string{"two", "guest"}},
		{"asmtest/run.go", []string{"one", "two", "guest"}},
		{"guest_portable.go", []string{"one", "two", "guest"}},
		{"one_amd64.s", nil}, // the mutants' own text
	} {
		put(row.name, "changed")
		after := hashes()
		for f := range after {
			if lost := after[f] != before[f]; lost != slices.Contains(row.lost, f) {
				t.Errorf("%s changed: results of %s lost: %v", row.name, f, lost)
			}
		}
		before = after
	}
}

// TestReport asserts that a survivor that is not listed, an entry whose mutants are all
// caught, and a run of nothing are errors, and that a listed survivor is none.
func TestReport(t *testing.T) {
	mutants := all(t)[:3]
	entry := func(m *mutant) string {
		return "# why\n" + strings.Join([]string{m.was().file, m.function.name, m.label, m.was().String(), m.now}, " | ") + "\n"
	}
	prover, err := hashProver(root, mutants[0].source.path)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		list     string
		outcomes []campaign.Outcome
		prover   string // that has proved the second mutant
		want     string // "" for no error
	}{
		{"", []campaign.Outcome{campaign.Failed, campaign.Crashed, campaign.Overtime}, "", ""},
		{"", []campaign.Outcome{campaign.Refused, campaign.Failed}, "", ""},
		{"", []campaign.Outcome{campaign.Failed, campaign.Survived}, "", "1 survivors, 0 faults"},
		{entry(mutants[1]), []campaign.Outcome{campaign.Failed, campaign.Survived}, "", ""},
		{entry(mutants[1]), []campaign.Outcome{campaign.Failed, campaign.Failed}, "", "0 survivors, 1 faults"},
		{entry(mutants[1]), []campaign.Outcome{campaign.Failed}, "", ""}, // the entry's mutant did not run
		{"# why\nno | such | mutant | there | is\n", []campaign.Outcome{campaign.Failed}, "", "0 survivors, 1 faults"},
		{"", nil, "", "no mutant ran"},
		{"", []campaign.Outcome{campaign.Failed, campaign.Survived}, prover, ""},
		{"", []campaign.Outcome{campaign.Failed, campaign.Survived}, "other", "0 survivors, 1 faults"},
		{entry(mutants[1]), []campaign.Outcome{campaign.Failed, campaign.Survived}, "other", ""},
		{"", []campaign.Outcome{campaign.Failed, campaign.Failed}, prover, "0 survivors, 1 faults"},
	} {
		list, err := campaign.ReadEquivalents(row.list, 5)
		if err != nil {
			t.Fatal(err)
		}
		c := mutation{root: root, out: &bytes.Buffer{}, list: list, records: proofs{}}
		if row.prover != "" {
			c.records.put(mutants[1].function.name, mutants[1].hash(), proof{row.prover, ""})
		}
		if c.record, err = campaign.Open[result](""); err != nil {
			t.Fatal(err)
		}
		for i, o := range row.outcomes {
			if err := c.put(mutants[i], o, "", "new"); err != nil {
				t.Fatal(err)
			}
		}
		err = c.report(mutants, mutants)
		if row.want == "" && err != nil || row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)) {
			t.Errorf("%v with %q: got %v, want %q", row.outcomes, row.list, err, row.want)
		}
	}
}

// TestSample runs some mutants of every implementation that the host has, the same each
// time: all are caught or listed. A second run finds the results of the first.
func TestSample(t *testing.T) {
	longtest.Only(t, "mutants are built and run, all of them by make mutate")
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the sample is of amd64 on Linux")
	}
	const sample = 15
	for _, impl := range selftest.Kernels()["Count"] {
		if impl == "portable" {
			continue
		}
		t.Run(impl, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "results")
			for _, again := range []bool{false, true} {
				var out bytes.Buffer
				c := mutation{selection: selection{impl: impl, shard: campaign.Shard{I: 1, N: 1}, sample: sample, seed: 1}, workers: 2, out: &out}
				if err := c.run(file); err != nil {
					t.Errorf("%v\n%s", err, &out)
				}
				if again {
					continue
				}
				lines, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				counts := map[string]int{}
				for _, o := range []campaign.Outcome{campaign.Failed, campaign.Crashed, campaign.Overtime, campaign.Refused, campaign.Survived} {
					counts[string(o)] = strings.Count(string(lines), `"`+string(o)+`"`)
				}
				t.Logf("%v", counts)
				if counts["failed"] < sample*2/3 {
					t.Errorf("of %d mutants only %d failed", sample, counts["failed"])
				}
				// Nothing is left to run.
				if err := os.WriteFile(file, lines, 0o444); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestProofs asserts that of a sample of mutants of AddPopcnt none is proved that the tests
// kill, and that most are rejected.
func TestProofs(t *testing.T) {
	longtest.Only(t, "it runs solvers for seconds to minutes")
	for _, name := range []string{"objdump", "llvm-objdump", "z3", "cvc5"} {
		longtest.Program(t, name)
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the sample is of amd64 on Linux")
	}
	const sample = 12
	file := filepath.Join(t.TempDir(), "results")
	var out bytes.Buffer
	c := mutation{selection: selection{function: "AddPopcnt", shard: campaign.Shard{I: 1, N: 1}, sample: sample, seed: 1}, workers: 1, proofs: true, out: &out}
	if err := c.run(file); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	lines, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(lines), `"`+string(rejected)+`"`); n < sample*2/3 {
		t.Errorf("of %d mutants only %d are rejected\n%s", sample, n, &out)
	}
}

// TestKnown asserts that the records of CountPopcnt by the present prover are proved again without the solvers, by the
// hashes of their claims.
func TestKnown(t *testing.T) {
	longtest.Only(t, "mutants are built")
	for _, name := range []string{"objdump", "llvm-objdump"} {
		longtest.Program(t, name)
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the records are of amd64 on Linux")
	}
	var out bytes.Buffer
	c := mutation{selection: selection{function: "CountPopcnt", equivalent: true, shard: campaign.Shard{I: 1, N: 1}}, workers: 1, proofs: true, known: true, out: &out}
	file := filepath.Join(t.TempDir(), "results")
	if err := c.run(file); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	lines, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	records, err := readProofs(proofsText)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all(t) {
		of := records.of(m)
		if m.function.name != "CountPopcnt" || of.prover == "" {
			continue
		}
		if prover, err := hashProver(root, m.source.path); err != nil {
			t.Fatal(err)
		} else if of.prover != prover {
			continue
		}
		if want := fmt.Sprintf(`"outcome":"proved","mutant":%q,"claims":%q`, m, of.claims); !strings.Contains(strings.ReplaceAll(string(lines), `\u003e`, ">"), want) {
			t.Errorf("%v is not proved again\n%s", m, lines)
		}
	}
}

// TestSummary asserts that summary.txt is of the mutants that there are now, and of no
// survivor that is not listed.
func TestSummary(t *testing.T) {
	text, err := os.ReadFile("summary.txt")
	if err != nil {
		t.Fatal(err)
	}
	ran := map[string]int{}
	for line := range strings.Lines(string(text)) {
		var file string
		var failed, crashed, overtime, equivalent, survived, refused int
		n, _ := fmt.Sscanf(line, "%s failed %d, crashed %d, overtime %d, equivalent %d, SURVIVED %d; not assembled %d",
			&file, &failed, &crashed, &overtime, &equivalent, &survived, &refused)
		if n == 7 {
			ran[file] = failed + crashed + overtime + equivalent + survived + refused
		}
		if survived != 0 || strings.HasPrefix(line, "not run") {
			t.Errorf("summary.txt: %s", line)
		}
	}
	are := map[string]int{}
	for _, goarch := range []string{"amd64", "arm64"} {
		mutants, err := readAll(root, goarch)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range mutants {
			are[filepath.Base(m.source.path)]++
		}
	}
	if !maps.Equal(ran, are) {
		t.Errorf("summary.txt has %v mutants, the assembly %v: run make mutate again", ran, are)
	}
}
