package asm_test

import (
	"testing"

	"github.com/bloomproof/bloomproof/kernel/asm/asmtest"
	"github.com/bloomproof/bloomproof/kernel/host"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestHash is the hash family's table: every kernel of this build that the host can run,
// through every case.
func TestHash(t *testing.T) {
	rows := asmtest.Select(asmtest.Hash(), runs(host.Hash)...)
	if want := len(host.Runs(host.Hash)); len(rows) != want {
		t.Errorf("%d kernels on %v, want %d", len(rows), host.Runs(host.Hash), want)
	}
	for _, r := range rows {
		t.Run("op="+r.Op+"/impl="+r.Impl, func(t *testing.T) {
			n, err := asmtest.RunHash(r, asmtest.Options{Seed: *seed, Short: !longtest.Enabled()})
			if err != nil {
				t.Error(err)
			}
			t.Logf("%d cases, seed %d", n, *seed)
		})
	}
}
