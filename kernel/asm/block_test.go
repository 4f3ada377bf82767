package asm_test

import (
	"testing"

	"github.com/bloomproof/bloomproof/kernel/asm/asmtest"
	"github.com/bloomproof/bloomproof/kernel/host"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestBlock is the block family's table: every kernel of this build that the host can run,
// through every case.
func TestBlock(t *testing.T) {
	if n := len(asmtest.Select(asmtest.Blocks(), "portable")); n != 9 {
		t.Errorf("%d operations, want 9", n)
	}
	for _, r := range asmtest.Select(asmtest.Blocks(), runs(host.Block)...) {
		t.Run("op="+r.Op+"/impl="+r.Impl, func(t *testing.T) {
			n, err := asmtest.RunProbe(r, asmtest.Options{Seed: *seed, Short: !longtest.Enabled()})
			if err != nil {
				t.Error(err)
			}
			t.Logf("%d cases, seed %d", n, *seed)
		})
	}
}
