package asm_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/kernel/asm/asmtest"
	"github.com/bloomproof/bloomproof/kernel/internal/host"
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
			n, err := asmtest.RunProbe(r, asmtest.Options{Seed: *seed, Short: testing.Short()})
			if err != nil {
				t.Error(err)
			}
			t.Logf("%d cases, seed %d", n, *seed)
		})
	}
}

// TestProbeFar: positions that do not fit in 32 bits, in an array of which few pages are
// touched.
func TestProbeFar(t *testing.T) {
	if math.MaxInt>>31 == 0 {
		t.Skip("no array is that long on this system")
	}
	const span, k, n = 1<<32 + 12345, 3, 21
	array := make([]uint64, span/64+1)
	r := rand.New(rand.NewPCG(*seed, 6))
	h := make([]uint64, 2*n)
	for i := range h {
		h[i] = r.Uint64()
	}
	pos := make([]uint64, k*n)
	asm.PositionsPortable(pos, h, k, span, 0)
	for _, row := range asmtest.Select(asmtest.Probe(), runs(host.Probe)...) {
		if !row.Form.Has(asmtest.Hashes|asmtest.Answers) || row.Form.Has(asmtest.Pair) {
			continue
		}
		call := func(f asmtest.ProbeFunc) (out []uint8, sum int, after []uint64) {
			for i, p := range pos {
				array[p>>6] |= uint64(1-i/k%2) << (p & 63) // of every other key
			}
			out = make([]uint8, n)
			sum, _ = f(asmtest.ProbeCall{Out: out, Words: array, Keys: h, K: k, Span: span})
			for _, p := range pos {
				after = append(after, array[p>>6])
			}
			for _, p := range pos {
				array[p>>6] = 0
			}
			return out, sum, after
		}
		out, sum, after := call(row.Got)
		wantOut, wantSum, wantAfter := call(row.Want)
		if sum != wantSum || !bytes.Equal(out, wantOut) || !slices.Equal(after, wantAfter) {
			t.Errorf("%v: answers %v, result %d, want %v, %d; same bits: %v", row, out, sum, wantOut, wantSum, slices.Equal(after, wantAfter))
		}
	}
}
