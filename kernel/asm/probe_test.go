package asm_test

import (
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/asm/asmtest"
	"github.com/bloomproof/bloomproof/kernel/host"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestProbe is the probe family's table: every kernel of this build that the host can
// run, through every case.
func TestProbe(t *testing.T) {
	rows := asmtest.Select(asmtest.Probe(), runs(host.Probe)...)
	portable := asmtest.Select(asmtest.Probe(), "portable")
	if len(portable) != 9 {
		t.Errorf("%d operations, want 9", len(portable))
	}
	for _, r := range rows {
		t.Run("op="+r.Op+"/impl="+r.Impl, func(t *testing.T) {
			n, err := asmtest.RunProbe(r, asmtest.Options{Seed: *seed, Short: !longtest.Enabled()})
			if err != nil {
				t.Error(err)
			}
			t.Logf("%d cases, seed %d", n, *seed)
		})
	}
}

// TestOperation asserts that each form of an operation is known as one of it.
func TestOperation(t *testing.T) {
	for _, r := range append(asmtest.Probe(), asmtest.Blocks()...) {
		want := r.Op
		for _, form := range []string{"One", "Gather", "RingT1", "RingNTA", "Ring", "Ahead", "Levels", "T1", "512", "8x64", "8x32"} {
			want = strings.TrimSuffix(want, form)
		}
		if got := r.Operation(); got != want {
			t.Errorf("%v does %s, want %s", r, got, want)
		}
	}
}
