package asm_test

import (
	_ "embed"
	"flag"
	"regexp"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/asm/asmtest"
	"github.com/bloomproof/bloomproof/kernel/host"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

//go:embed popcount_portable.go
var portable string

var seed = flag.Uint64("seed", 1, "seed of the random words")

// runs returns the names of the implementations whose kernels of family f this host can
// run.
func runs(f host.Family) []string {
	var names []string
	for _, im := range host.Runs(f) {
		names = append(names, im.String())
	}
	return names
}

// TestRequired fails when an implementation that must be tested cannot be.
func TestRequired(t *testing.T) {
	t.Logf("available: %v, guard pages: %v", runs(host.Popcount), asmtest.Guarded())
	if err := asmtest.Require(runs(host.Popcount)); err != nil {
		t.Error(err)
	}
}

// TestPopcount is the one table: every kernel of this build that the host can run,
// through every case.
func TestPopcount(t *testing.T) {
	rows := asmtest.Select(asmtest.Popcount(), runs(host.Popcount)...)
	twins := regexp.MustCompile(`(?m)^func (\w+)Portable\(`).FindAllStringSubmatch(portable, -1)
	for _, twin := range twins {
		if !slices.ContainsFunc(rows, func(r asmtest.Row) bool { return r.Op == twin[1] && r.Impl == "portable" }) {
			t.Errorf("%s is not in the table", twin[1])
		}
	}
	if want, operations := len(twins)*len(runs(host.Popcount)), len(twins); len(rows) != want {
		t.Errorf("%d kernels for %d operations on %v, want %d", len(rows), operations, runs(host.Popcount), want)
	}
	for _, r := range rows {
		t.Run("op="+r.Op+"/impl="+r.Impl, func(t *testing.T) {
			n, err := asmtest.Run(r, asmtest.Options{Seed: *seed, Short: !longtest.Enabled()})
			if err != nil {
				t.Error(err)
			}
			t.Logf("%d cases, seed %d", n, *seed)
		})
	}
}
