package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

func simulateJSON(t *testing.T, flags string) map[string]any {
	t.Helper()
	status, stdout, stderr := try(nil, strings.Fields("simulate -json "+flags)...)
	if status != statusOK {
		t.Fatalf("%s: status %d: %s", flags, status, stderr)
	}
	return checkJSON(t, stdout)
}

// Intervals contain the proven numbers, at a level of 99 % for each with a fixed
// seed.
func TestSimulateContainsExact(t *testing.T) {
	for _, row := range []struct {
		flags, path string
		want        float64
	}{
		{"-m 64 -k 10 -n 4 -cycles 3000", "fpr.per_new", 0.00061540932869713228},
		{longtest.More("-m 64 -k 10 -n 4 -cycles 2000 -ideal", "-m 64 -k 10 -n 4 -cycles 3000 -ideal"), "fpr.per_new", 0.00061540932869713228},
		{"-m 4 -k 2 -n 2 -increment literal -cycles 1000", "correct", 21. / 32},
		// k = 1: the closed form of Dozier-FP (19), and E[N_0] = sum m/(m-b).
		{"-m 100 -k 1 -sigma 50 -cycles 1000", "fpr.per_cycle_new", 0.2798361543985356},
		{"-m 100 -k 1 -sigma 50 -cycles 1000", "capacity", 70.81721793101953},
	} {
		o := simulateJSON(t, row.flags)
		low, high := field(t, o, row.path+".low"), field(t, o, row.path+".high")
		if row.want < low || row.want > high || high-low > 0.2*row.want {
			t.Errorf("%s: %s in [%v, %v], want %v", row.flags, row.path, low, high, row.want)
		}
	}
}

// SPECs that say the same give the same run, and files say it too.
func TestSimulateSpecs(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return "file:" + path
	}
	weights := file("weights", "0.5\n0.3\n 0.2\n")
	zeta := file("zeta.gz", string(compress(t, "1\n0\n3\n")))
	run := func(spec string) string {
		o := simulateJSON(t, "-m 256 -k 3 -sigma 100 -phases 2 -repeat 0.8 -runs 3 -cycles 5 "+spec)
		return fmt.Sprint(o["fpr"], o["fnr"], o["arrivals"])
	}
	for _, same := range [][]string{
		{"-popularity list:0.5,0.3,0.2", "-popularity list:5,3,2", "-popularity " + weights, "-popularity " + weights + " -arrivals popularity", "-popularity " + weights + " -positions fresh"},
		{"-popularity uniform:3 -arrivals uniform", "-popularity uniform:3"},
		{"-popularity zipf:1:3 -arrivals " + zeta},
		{"-popularity zipf:1:3 -arrivals last"},
		{"-popularity zipf:1:3 -arrivals first"},
		{"-popularity zipf:1:3"},
		{"-popularity biuniform:1:0.5:3"},
		{"-popularity uniform:3 -positions fixed"},
	} {
		for _, other := range same[1:] {
			if a, b := run(same[0]), run(other); a != b {
				t.Errorf("%s: %s\n%s: %s", same[0], a, other, b)
			}
		}
		if a, b := run(same[0]), run("-popularity list:0.7,0.2,0.1"); a == b {
			t.Errorf("%s does not matter", same[0])
		}
	}
}

// An interrupt ends a simulation that would go on for ever.
func TestSimulateInterrupt(t *testing.T) {
	for _, flags := range []string{"-m 64 -k 4 -sigma 32 -cycles 2^60", "-m 64 -k 4 -n 10 -cycles 2^60"} {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		var stdout, stderr bytes.Buffer
		status := run(ctx, append([]string{"simulate"}, strings.Fields(flags)...), nil, &stdout, &stderr)
		if status != statusIO || stdout.Len() > 0 || !strings.HasPrefix(stderr.String(), "bloomproof simulate: interrupted after ") {
			t.Errorf("status %d, stdout %q, stderr %q", status, stdout.String(), stderr.String())
		}
	}
}
