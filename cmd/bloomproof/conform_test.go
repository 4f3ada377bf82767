package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The programs of docs, a filter each in C and in Python, keep the laws; where there are no
// such tools nothing is known of them.
func TestConformPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("other languages")
	}
	if cc, err := exec.LookPath("cc"); err != nil {
		t.Log("no C compiler here")
	} else {
		program := filepath.Join(t.TempDir(), "pipe")
		if out, err := exec.Command(cc, "-O1", "-Wall", "-Werror", "-o", program, "../../docs/pipe.c").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		status, out, stderr := try(nil, "conform", "-effort", "1", "-json", "--", program)
		checkJSON(t, out)
		var r conformReport
		if err := json.Unmarshal([]byte(out), &r); err != nil || status != statusOK || len(r.Kept) != 5 || len(r.Findings) > 0 || r.FalseAlarm != "1e-06" {
			t.Errorf("status %d, %v\n%s%s", status, err, out, stderr)
		}
	}
	if python, err := exec.LookPath("python3"); err != nil {
		t.Log("no Python here")
	} else {
		status, out, stderr := try(nil, "conform", "-effort", "1", "--", python, "../../docs/pipe.py")
		if status != statusOK || !strings.Contains(out, "union, reset") {
			t.Errorf("status %d\n%s%s", status, out, stderr)
		}
	}
}

// A program that answers wrongly breaks a law; one that ends, or is none, is an error.
func TestConformFailures(t *testing.T) {
	if shell, err := exec.LookPath("sh"); err == nil {
		const yes = `read x; echo ok standard 0; while read c i m k; do case $c in new) echo ok $m $k;; has) for w in $m $k; do printf 1; done; echo;; *) echo ok;; esac; done`
		status, out, stderr := try(nil, "conform", "-effort", "1", "--", shell, "-c", yes)
		if status != statusFailed || !strings.Contains(out, "an empty filter contains a key") {
			t.Errorf("a filter that contains everything: status %d\n%s%s", status, out, stderr)
		}
		status, _, stderr = try(nil, "conform", "--", shell, "-c", "exit 7")
		if status != statusIO || stderr == "" {
			t.Errorf("a program that ends: status %d, %s", status, stderr)
		}
	}
	if status, _, stderr := try(nil, "conform", "--", filepath.Join(t.TempDir(), "none")); status != statusIO || stderr == "" {
		t.Errorf("no program: status %d, %s", status, stderr)
	}
}
