package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

var root = os.DirFS(filepath.Join("..", "..", "..", ".."))

// docs/assurance.md is what the command makes of the overview and of the records.
func TestPage(t *testing.T) {
	want, err := page(root)
	if err != nil {
		t.Fatal(err)
	}
	got, err := fs.ReadFile(root, "docs/assurance.md")
	if err != nil {
		t.Fatal(err)
	}
	if strings.ReplaceAll(string(got), "\r\n", "\n") != want {
		t.Error("docs/assurance.md is not what is made of verify/doc.go and the records: run make assurance")
	}
	for i, line := range strings.Split(want, "\n") {
		if len(line) > width && !strings.HasPrefix(line, "|") {
			t.Errorf("line %d has %d characters", i+1, len(line))
		}
	}
}

// Every word of the overview from its title on is on the page.
func TestPageHasTheOverview(t *testing.T) {
	source, err := fs.ReadFile(root, "verify/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	text, err := page(root)
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]bool{}
	for _, w := range regexp.MustCompile(`[A-Za-z0-9]+`).FindAllString(text, -1) {
		words[w] = true
	}
	_, overview, found := strings.Cut(string(source), "# What is known, and how")
	overview, _, ok := strings.Cut(overview, "\npackage verify")
	if !found || !ok {
		t.Fatal("verify/doc.go has no such overview")
	}
	for _, w := range regexp.MustCompile(`[A-Za-z0-9]+`).FindAllString(overview, -1) {
		if !words[w] {
			t.Errorf("%q is not on the page", w)
		}
	}
}

// A figure is the one of its record, and a record that cannot be read is an error.
func TestFigures(t *testing.T) {
	files := func() fstest.MapFS {
		return fstest.MapFS{
			"verify/doc.go": {Data: []byte("// Package verify is.\n//\n// # What is known, and how\n//\n// Words.\n//\n// # Every implementation gives the same bits\n//\n" +
				"// Proved: this, which\n// goes on. Assumed: so.\n// Tested: that.\n//\n// # A float64 result is within its stated bound\n//\n// A.\n//\n" +
				"// # A filter that keeps the laws is not accused\n//\n// B.\n//\n// # What the papers claim\n//\n// C.\npackage verify\n")},
			assemblyRecord: {Data: []byte("a.s   failed 7, crashed 0, overtime 0, equivalent 3, SURVIVED 0; not assembled 5\n" +
				"b.s   failed 7, crashed 0, overtime 0, equivalent 4, SURVIVED 1; not assembled 5\n18 mutants ran, 1 survived that are not listed as equivalent\n")},
			proofRecord: {Data: []byte("# head\na.s of those that tests kill: rejected 7 (2 without claims), PROVED 0; of those listed as equivalent: proved 5, not proved 3 (1 without claims); not assembled 0\n" +
				"b.s of those that tests kill: rejected 2 (0 without claims), PROVED 1; of those listed as equivalent: proved 4, not proved 0 (0 without claims); not assembled 1\n")},
			goRecord: {Data: []byte("run: mutants of code that bounds errors of functions that match a; the tests\nexact/internal/interval         400   100     98        2         0          0       0   98.0 %   93.0 to 99.8 %\n\nsurvivors:\n\n" +
				"run: mutants\n                             there are   ran killed survived not run equivalent  refused   score, 95 % interval\n" +
				"approx                          100    50     49        1         0          1       0   98.0 %   89.4 to 99.9 %\n" +
				"approx/...                     4000   100     98        2         0          1       0   98.0 %   92.9 to 99.8 %\n" +
				"exact/internal/interval         400     0      0        0         0          0       0\n\n100 of 100 chosen mutants have a result; survivors:\n")},
			sweepRecord: {Data: []byte("Bloom                     1000000    987990    1162.92    1.3e-13  {7, 2, 20}               20.32%  {9, 12, 31}\n" +
				"LogFPR classic            1000000    718217       3.97    4.4e-16  {10, 413, 137}    31.42%  {52, 36, 2}\n")},
			soakRecord: {Data: []byte("sound filters under all laws, false-alarm probability 1e-06: 9 seeds at effort 1, 0 accused\n\nfaults at m = 8, k = 2\n\n" +
				"rate +5 %, bits counted                           0.1       0/9  0.000 to 0.445  2.6e+04   0.0025\n" +
				"rate +5 %, bits counted                             1       9/9  0.555 to 1.000  1.7e+05    0.015\n")},
			coverageRecord:             {Data: []byte("approx   200   150\nexact    100   100\n")},
			"verify/proof/smt/a.smt2":  {Data: []byte("(check-sat) ; unsat: claim\n(check-sat) ; sat\n(check-sat) ; sat, broken: how\n")},
			"verify/proof/smt/b.smt2":  {Data: []byte("(check-sat) ; unsat: claim\n")},
			"verify/proof/smt/doc.txt": {Data: []byte("(check-sat) ; unsat: claim\n")},
		}
	}
	text, err := page(files())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"- *Proved:* this, which goes on. Assumed: so. - *Tested:* that. -",
		"18 mutants of the 2 files of assembly were tested. 7 of them change nothing that a caller can see, and are listed with the reason. 1 others survive",
		"Of 10 mutants that the tests kill, it rejects 9, and proves 1. For 2 of those", "Of 12 mutants that the list of equivalent mutants or a record names, it proves 9.", "the claims for 1 of them",
		"2 quantities were compared at 2000000 points, and 1706207 of these points are in the domains. The error that comes closest to its bound is an error of LogFPR classic: 31 % of the bound",
		"| `exact/internal/interval`, bounds of errors, some functions | 400 | 100 | 98 | 98.0 % (93.0 to 99.8) |", "| `approx` | 4000 | 100 | 98 | 98.0 % (92.9 to 99.8) |",
		"z3 proves the 2 claims of 2 obligations, and refutes 1 claims that",
		"9 seeds at effort 1, 0 accused",
		"| rate +5 %, bits counted | 0.000 to 0.445 in 0.0025 s | 0.555 to 1.000 in 0.015 s |",
		"| `approx` | 200 | 75.0 % |", "| all | 300 | 83.3 % |",
	} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
			t.Errorf("%q is not on the page", want)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
	for _, name := range []string{"verify/doc.go", assemblyRecord, proofRecord, goRecord, sweepRecord, soakRecord, coverageRecord, "verify/proof/smt/a.smt2"} {
		bad := files()
		if name == "verify/proof/smt/a.smt2" {
			delete(bad, "verify/proof/smt/b.smt2")
			delete(bad, name)
		} else {
			bad[name] = &fstest.MapFile{Data: []byte("package verify\n")}
		}
		if text, err := page(bad); err == nil {
			t.Errorf("without %s the page is\n%s", name, text)
		}
	}
}

// A block that one test reaches and another does not is reached, and counts once.
func TestCoverage(t *testing.T) {
	got, err := coverage("mode: set\n" + prefix + "/geometry.go:1.2,3.4 5 0\n" + prefix + "/exact/a.go:1.2,3.4 3 0\n" + prefix + "/exact/a.go:5.2,6.4 4 0\n" +
		prefix + "/exact/a.go:1.2,3.4 3 1\n" + prefix + "/exact/a.go:1.2,3.4 3 0\n")
	if err != nil {
		t.Fatal(err)
	}
	if want := "7      3"; !regexp.MustCompile(`(?m)^\. +5 +0\nexact +7 +3\n$`).MatchString(got) {
		t.Errorf("%q, want %s", got, want)
	}
	for _, bad := range []string{"", "mode: set\nnonsense", "a.go:1.2,3.4 3 1"} {
		if got, err := coverage(bad); err == nil {
			t.Errorf("%q is %q", bad, got)
		}
	}
}
