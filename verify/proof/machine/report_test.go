package main

import (
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/object"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/semantics"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/silicon"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/symbolic"
)

const root = "../../.."

// programs is the folder of the programs that linked opens.
var programs string

func TestMain(m *testing.M) {
	var err error
	if programs, err = os.MkdirTemp("", "machine"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(programs)
	os.Exit(code)
}

// linked returns the programs that have the kernels for amd64. All tests share them.
var linked = sync.OnceValues(func() (*object.File, error) { return object.Link(root, programs, "amd64") })

// TestReportIsOfTheseBytes asserts that the report has every function in assembly with the
// bytes that are linked now: who changes a kernel proves it anew.
func TestReportIsOfTheseBytes(t *testing.T) {
	text, err := os.ReadFile("report.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := parseReport(string(text))
	if err != nil {
		t.Fatal(err)
	}
	rows = of(rows, "amd64")
	f, err := linked()
	if err != nil {
		t.Fatal(err)
	}
	names := f.Functions()
	texts, err := object.Texts(root, f.GOARCH)
	if err != nil {
		t.Fatal(err)
	}
	for folder, functions := range texts {
		for _, n := range functions {
			switch folder {
			case "verify/proof/machine/internal/silicon", "kernel/asm/asmtest": // of tests alone
				continue
			case "kernel":
				n = "kernel." + n
			}
			if !slices.Contains(names, n) {
				t.Errorf("%s of %s is not in the program", n, folder)
			}
		}
	}
	for _, r := range rows {
		if !slices.Contains(names, r.name) {
			t.Errorf("%s is in the report and not in the program", r.name)
		}
	}
	for _, n := range names {
		i := slices.IndexFunc(rows, func(r result) bool { return r.name == n && r.goarch == f.GOARCH })
		if i < 0 {
			t.Errorf("%s is not in the report", n)
			continue
		}
		c, err := f.Function(n)
		if err != nil {
			t.Fatal(err)
		}
		f := f.Of(n)
		hashOf := func(c object.Code, data symbolic.Data) string {
			h, err := hash(c, rows[i].distances, data)
			if err != nil {
				t.Fatal(err)
			}
			return h
		}
		for _, d := range rows[i].distances {
			if to := f.Name(d.target(c)); d.to != "" && to != d.to {
				t.Errorf("%s at byte %d leads to %s, and was examined with %s", n, d.at, to, d.to)
			}
		}
		if hashOf(c, f.ReadOnly) != rows[i].hash {
			t.Errorf("%s has changed since it was examined: go run ./verify/proof/machine -changed -write", n)
		}
		if constant := func(d distance) bool { return d.bytes > 0 }; rows[i].verdict == proved && slices.ContainsFunc(rows[i].distances, constant) {
			other := func(address uint64, n int) ([]byte, error) {
				b, err := f.ReadOnly(address, n)
				return append(b[:n-1:n-1], b[n-1]^1), err
			}
			if hashOf(c, other) == rows[i].hash {
				t.Errorf("%s: a changed constant has the hash", n)
			}
		}
		c.Bytes[0] ^= 1
		if hashOf(c, f.ReadOnly) == rows[i].hash {
			t.Errorf("%s: a changed byte has the hash", n)
		}
	}
}

// TestSemanticsOnSilicon asserts that the record has every form of the table, and repeats part
// of the comparison where this processor can.
func TestSemanticsOnSilicon(t *testing.T) {
	text, err := os.ReadFile("silicon.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := silicon.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if silicon.Format(rows) != string(text) {
		t.Error("the record is not written as it is read")
	}
	n := longtest.More(5, 2000)
	recorded := map[string]bool{}
	for i, r := range rows {
		form := r.In.Form()
		recorded[form] = recorded[form] || r.States >= states
		e, ok := semantics.Lookup(form)
		if !ok && !jump(form) {
			t.Errorf("%s is in the record and has no semantics", form)
			continue
		}
		if !silicon.Runs(e.Feature) {
			continue
		}
		if err := silicon.Compare(r.In, n, uint64(1000+i)); err != nil {
			t.Errorf("%s: %v", form, err)
		}
	}
	for _, form := range semantics.Forms() {
		if !recorded[form] {
			t.Errorf("no processor has confirmed %s: go run ./verify/proof/machine -validate", form)
		}
	}
}
