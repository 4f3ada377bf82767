package main

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/arm64"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/object"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/solve"
)

// TestSemanticsARM64 asserts that the record has every form of the table, and repeats part of
// the comparison where programs for arm64 run.
func TestSemanticsARM64(t *testing.T) {
	text, err := os.ReadFile("silicon_arm64.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := arm64.ParseRecord(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if arm64.Format(rows) != string(text) {
		t.Error("the record is not written as it is read")
	}
	n := longtest.Of(3, 20, 1000)
	recorded := map[string]bool{}
	for i, r := range rows {
		form := r.In.Form()
		recorded[form] = recorded[form] || r.States >= states
		if _, ok := arm64.Lookup(form); !ok && !arm64.IsBranch(r.In) {
			t.Errorf("%s is in the record and has no semantics", form)
			continue
		}
		if !arm64.Runs {
			continue
		}
		if err := arm64.Compare(r.In, n, uint64(1000+i)); err != nil {
			t.Errorf("%s: %v", form, err)
		}
	}
	for _, form := range arm64.Forms() {
		if !recorded[form] {
			t.Errorf("nothing has confirmed %s: go run ./verify/proof/machine -validate -arch arm64", form)
		}
	}
}

// TestReportIsOfTheseBytesARM64 asserts that the report has every function in assembly for arm64
// with the bytes that are linked now.
func TestReportIsOfTheseBytesARM64(t *testing.T) {
	longtest.Only(t, "it links a program for arm64, for which an empty cache has to compile the standard library: 20 seconds")
	text, err := os.ReadFile("report.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := parseReport(string(text))
	if err != nil {
		t.Fatal(err)
	}
	rows = of(rows, "arm64")
	f, err := object.Link(root, t.TempDir(), "arm64")
	if err != nil {
		t.Fatal(err)
	}
	names := f.Functions()
	for _, r := range rows {
		if !slices.Contains(names, r.name) {
			t.Errorf("%s is in the report and not in the program", r.name)
		}
	}
	for _, n := range names {
		i := slices.IndexFunc(rows, func(r result) bool { return r.name == n })
		if i < 0 {
			t.Errorf("%s is not in the report", n)
			continue
		}
		c, err := f.Function(n)
		if err != nil {
			t.Fatal(err)
		}
		of := func(data func(uint64, int) ([]byte, error)) string {
			h, err := hashARM64(c, rows[i].distances, data)
			if err != nil {
				t.Fatal(err)
			}
			return h
		}
		if of(f.ReadOnly) != rows[i].hash {
			t.Errorf("%s has changed since it was examined: go run ./verify/proof/machine -arch arm64 -changed -write", n)
		}
		if strings.HasPrefix(rows[i].verdict, proved) && len(rows[i].distances) > 0 {
			other := func(address uint64, n int) ([]byte, error) {
				b, err := f.ReadOnly(address, n)
				return append(b[:n-1:n-1], b[n-1]^1), err
			}
			if of(other) == rows[i].hash {
				t.Errorf("%s: a changed constant has the hash", n)
			}
		}
		c.Bytes[0] ^= 1
		if of(f.ReadOnly) == rows[i].hash {
			t.Errorf("%s: a changed byte has the hash", n)
		}
	}
}

// TestStartsCanBeARM64 asserts that no proof begins with what cannot be: some state has all that
// is given at the entry, and at each head.
func TestStartsCanBeARM64(t *testing.T) {
	longtest.Only(t, "a solver runs")
	for _, name := range []string{arm64.Objdump[0], "llvm-objdump", "z3"} {
		longtest.Program(t, name)
	}
	f, err := object.Link(root, t.TempDir(), "arm64")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range f.Functions() {
		c, err := f.Function(name)
		if err != nil {
			t.Fatal(err)
		}
		code, err := arm64.Both(f.Path, c.Address, len(c.Bytes))
		if err != nil {
			t.Fatal(err)
		}
		p, err := claimsARM64(root, name, code, f.ReadOnly)
		if errors.Is(err, errNotBegun) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range p.Starts {
			if err := solve.All([]string{o.What}, []string{o.Script()}); err == nil || !strings.Contains(err.Error(), "z3 says sat") {
				t.Errorf("%s: from %s: %v", name, o.What, err)
			}
		}
	}
}

// TestMutantsRejectedARM64 asserts of two functions that z3 alone proves them, and does
// not with one instruction left out or with another number in it.
func TestMutantsRejectedARM64(t *testing.T) {
	longtest.Only(t, "solvers run")
	for _, name := range []string{arm64.Objdump[0], "llvm-objdump", "z3", "cvc5"} {
		longtest.Program(t, name)
	}
	f, err := object.Link(root, t.TempDir(), "arm64")
	if err != nil {
		t.Fatal(err)
	}
	both := solve.Solvers
	defer func() { solve.Solvers = both }()
	solve.Solvers = both[:1]
	for _, name := range []string{"AddAtNEON", "BlockAdd512OneNEON"} {
		c, err := f.Function(name)
		if err != nil {
			t.Fatal(err)
		}
		code, err := arm64.Both(f.Path, c.Address, len(c.Bytes))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := proveARM64(root, name, code, f.ReadOnly); errors.Is(err, errNotBegun) {
			t.Logf("%s: %v", name, err)
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		for i, in := range code {
			if in.Name == "nop" || in.Name == "ret" || in.Name == "udf" || in.Name == "prfm" {
				continue
			}
			changed := slices.Clone(code)
			m := &changed[i]
			m.Args = slices.Clone(in.Args)
			last := len(in.Args) - 1
			switch kind := in.Args[last].Kind; {
			case arm64.IsBranch(in): // to the next instruction, as if it were not there
				m.Args[last].Value = in.Next()
			case kind == arm64.Memory && !in.Args[last].Indexed:
				m.Args[last].Value += 8 // one word too far
			case kind == arm64.Immediate && in.Name != "movi":
				m.Args[last].Value++
			default:
				m.Name, m.Args = "nop", nil
			}
			_, err := proveARM64(root, name, changed, f.ReadOnly)
			t.Logf("%s: %s -> %s: %v", name, in.Plain(), m.Form(), err)
			if err == nil {
				t.Errorf("%s: %#x: %s: still proved", name, in.Address, in.Text)
			}
		}
	}
}
