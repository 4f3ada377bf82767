package main

import (
	"os"
	"strings"
	"testing"
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
