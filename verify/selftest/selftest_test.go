package selftest

import (
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/asm/asmtest"
	"github.com/bloomproof/bloomproof/kernel/host"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// operations returns how many operations of a family have a portable form.
func operations() map[host.Family][]string {
	ops := map[host.Family][]string{}
	for _, r := range asmtest.Select(asmtest.Popcount(), "portable") {
		ops[host.Popcount] = append(ops[host.Popcount], r.Op)
	}
	for _, r := range asmtest.Select(asmtest.Transition(), "portable") {
		ops[host.Transition] = append(ops[host.Transition], r.Op)
	}
	for _, r := range asmtest.Select(asmtest.Hash(), "portable") {
		ops[host.Hash] = append(ops[host.Hash], r.Op)
	}
	return ops
}

func TestRun(t *testing.T) {
	longtest.Only(t, "the kernels have tests of their own")
	r := Run(1)
	want := 0
	for f, ops := range operations() {
		want += len(ops) * len(host.Runs(f))
	}
	for _, im := range host.Runs(host.Probe) {
		want += len(asmtest.Select(asmtest.Probe(), im.String()))
	}
	for _, im := range host.Runs(host.Block) {
		want += len(asmtest.Select(asmtest.Blocks(), im.String()))
	}
	if len(r.Kernels) != want || len(r.Failures) != 0 {
		t.Errorf("want %d passed: %+v", want, r)
	}
	if r.Cases < 1000*len(r.Kernels)/2 {
		t.Errorf("only %d cases", r.Cases)
	}
	if r.Guarded != asmtest.Guarded() {
		t.Errorf("guarded %v", r.Guarded)
	}
}

// TestFails asserts that a wrong kernel is counted, named and described.
func TestFails(t *testing.T) {
	row := asmtest.Select(asmtest.Popcount(), "portable")[0]
	right := row.Got
	row.Impl, row.Got = "wrong", func(a, b []uint64) int { return right(a[:len(a)&^1], b) }
	var r Report
	n, err := asmtest.Run(row, asmtest.Options{Seed: 1, Short: true})
	r.add(row.String(), n, err)
	if len(r.Kernels) != 1 || len(r.Failures) != 1 || !strings.Contains(r.Failures[0], "Count/wrong: got 0, want 1") {
		t.Errorf("got %+v", r)
	}
}

func TestKernels(t *testing.T) {
	kernels := Kernels()
	for f, ops := range operations() {
		for _, op := range ops {
			if got := kernels[op]; !slices.Equal(got, runs(f)) {
				t.Errorf("%s: %q, want %v", op, got, runs(f))
			}
		}
	}
	for _, r := range asmtest.Select(append(asmtest.Probe(), asmtest.Blocks()...), "portable") {
		if impls := kernels[r.Op]; len(impls) == 0 || impls[len(impls)-1] != "portable" {
			t.Errorf("%s: %q", r.Op, impls)
		}
	}
}

// symbols returns the names of the symbols of a program. (The command go tool nm prints them too, but the go command
// compiles it first.)
func symbols(program string) (names []string, err error) {
	if f, err := elf.Open(program); err == nil {
		defer f.Close()
		all, err := f.Symbols()
		for _, s := range all {
			names = append(names, s.Name)
		}
		return names, err
	}
	if f, err := macho.Open(program); err == nil {
		defer f.Close()
		for _, s := range f.Symtab.Syms {
			names = append(names, s.Name)
		}
		return names, nil
	}
	f, err := pe.Open(program)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for _, s := range f.Symbols {
		names = append(names, s.Name)
	}
	return names, nil
}

// TestProgram asserts that a program that uses a filter has none of the test harness in it.
func TestProgram(t *testing.T) {
	program := filepath.Join(t.TempDir(), "program")
	if out, err := exec.Command("go", "build", "-o", program, "testdata/program.go").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	names, err := symbols(program)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(names, func(s string) bool { return strings.Contains(s, "bloomproof/kernel.") }) {
		t.Error("no symbols of package kernel: the test looks at the wrong names")
	}
	for _, name := range names {
		if strings.Contains(name, "/asmtest.") || strings.HasPrefix(name, "testing.") || strings.HasPrefix(name, "_testing.") {
			t.Errorf("linked: %s", name)
		}
	}
}
