package asm_test

import (
	"testing"

	"github.com/bloomproof/bloomproof/kernel/asm/asmtest"
	"github.com/bloomproof/bloomproof/kernel/host"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestTransition is the transition family's table: every kernel of this build that the
// host can run, through every case.
func TestTransition(t *testing.T) {
	rows := asmtest.Select(asmtest.Transition(), runs(host.Transition)...)
	if want := 3 * len(host.Runs(host.Transition)); len(rows) != want {
		t.Errorf("%d kernels for 3 operations on %v, want %d", len(rows), host.Runs(host.Transition), want)
	}
	for _, r := range rows {
		t.Run("op="+r.Op+"/impl="+r.Impl, func(t *testing.T) {
			n, err := asmtest.RunTransition(r, asmtest.Options{Seed: *seed, Short: !longtest.Enabled()})
			if err != nil {
				t.Error(err)
			}
			t.Logf("%d cases, seed %d", n, *seed)
		})
	}
}
