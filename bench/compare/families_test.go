package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/host"
)

// A run replaces the tables of its own family and keeps the others, in their order.
func TestWithFamily(t *testing.T) {
	results := ""
	for _, step := range []struct{ family, text string }{
		{avx2, "## b\ntables gone"}, {none, "## d"}, {avx512, "## a"}, {avx2, "## b\nsecond\n"},
	} {
		var err error
		if results, err = withFamily(results, step.family, step.text); err != nil {
			t.Fatal(err)
		}
	}
	again, err := withFamily(results, none, "## d")
	if err != nil || again != results {
		t.Errorf("the same tables again change the results: %v\n%s", err, again)
	}
	a, b, d := strings.Index(results, "## a"), strings.Index(results, "## b\nsecond\n"), strings.Index(results, "## d")
	if !(0 < a && a < b && b < d) || strings.Contains(results, "tables gone") || strings.Count(results, tried) != 1 {
		t.Errorf("got:\n%s", results)
	}
	lower := loweredMark + "by a word\n"
	if _, err := withFamily(results, avx2, lower); err == nil {
		t.Error("tables of a lowered CPU replace those of a CPU of the family")
	}
	results, err = withFamily(results, neon, lower)
	if err != nil {
		t.Error(err)
	}
	if results, err = withFamily(results, neon, lower+"again"); err != nil || !strings.Contains(results, "again") {
		t.Errorf("tables of a lowered CPU are not replaced by newer ones: %v", err)
	}
	if results, err = withFamily(results, neon, "## c"); err != nil || strings.Contains(results, loweredMark) {
		t.Errorf("a CPU of the family does not replace the tables of a lowered one: %v", err)
	}
	if _, err := withFamily("x\n<!-- family: unheard -->\n", avx2, ""); err == nil {
		t.Error("an unknown family in the results is not refused")
	}
	if _, err := withFamily("", "unheard", ""); err == nil {
		t.Error("an unknown family is not refused")
	}
}

// The kept results are as a run leaves them: known families, and what was tried at the end.
func TestResultsKept(t *testing.T) {
	kept, err := os.ReadFile("../RESULTS.md")
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, f := range families {
		_, rest, ok := strings.Cut(string(kept), markerBegin+f+markerEnd)
		if !ok {
			continue
		}
		found = true
		body, _, _ := strings.Cut(rest, "\n<!-- ")
		again, err := withFamily(string(kept), f, body)
		if err != nil || again != string(kept) {
			t.Errorf("%s: the tables put back change the results: %v", f, err)
		}
	}
	if !found {
		t.Error("no family has tables")
	}
}

// A CPU that a word of the environment puts into another family is said to be so, and C++ is
// compiled for that family.
func TestLowered(t *testing.T) {
	if os.Getenv("TEST_LOWERED") != "" {
		fmt.Println(family(), march(), loweredSaid())
		return
	}
	if loweredSaid() != "" || march() != "native" {
		t.Skip("BLOOMPROOF_CPU is set; this test needs it unset, and itself starts processes with each of its values")
	}
	if family() != avx512 {
		t.Skip("this CPU has no AVX-512, so no value of BLOOMPROOF_CPU can turn AVX-512 off")
	}
	for _, c := range []struct{ word, want string }{
		{"avx512", "AVX-512 native \n"},
		{"avx2", "AVX2 x86-64-v3 " + loweredMark + "a CPU with AVX-512 whose AVX-512 kernels were turned off by BLOOMPROOF_CPU=avx2. "},
		{"popcnt", "no vectors x86-64-v2 " + loweredMark},
		{"portable", "no vectors x86-64 " + loweredMark},
	} {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestLowered$")
		cmd.Env = append(os.Environ(), "TEST_LOWERED=1", host.Env+"="+c.word)
		if out, err := cmd.CombinedOutput(); err != nil || !strings.HasPrefix(string(out), c.want) {
			t.Errorf("%s: %v\n%s", c.word, err, out)
		}
	}
}

// Flags are refused by name.
func TestSettings(t *testing.T) {
	good := []string{"L1", "L1", "1e-2", "huge", "words"}
	for i, bad := range []string{"L9", "", "2", "large", "all"} {
		args := append([]string(nil), good...)
		args[i] = bad
		if _, err := settingsOf(2, args[0], args[1], args[2], 1, 1, args[3], args[4], ""); err == nil {
			t.Errorf("%q for argument %d is not refused", bad, i)
		}
	}
	if _, err := settingsOf(2, good[0], good[1], good[2], 1, 1, good[3], good[4], ""); err != nil {
		t.Error(err)
	}
	if _, err := settingsOf(1, good[0], good[1], good[2], 1, 1, good[3], good[4], ""); err == nil {
		t.Error("one round is not refused")
	}
	if _, err := settingsOf(2, good[0], good[1], good[2], 0, 1, good[3], good[4], ""); err == nil {
		t.Error("no positives are not refused")
	}
	if _, err := settingsOf(2, good[0], good[1], good[2], 1, 0, good[3], good[4], ""); err == nil {
		t.Error("no probes are not refused")
	}
}
