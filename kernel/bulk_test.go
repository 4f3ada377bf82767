package kernel_test

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// A bulk load leaves the filter that additions one by one leave, whatever the parts and
// piles: piles that fill up and piles of few, parts that slices cross, one key over and
// over.
func TestBulkIsSingleCalls(t *testing.T) {
	t.Logf("seed %d", *seedFlag)
	impls := kernel.Impls()
	for ii, im := range impls {
		for gi, g := range []bloomproof.Geometry{
			{M: 64, K: 1},
			{M: 100_000, K: 7},
			{M: 100_003, K: 7, Hashing: bloomproof.Classic},
			{M: 70, K: 9, Hashing: bloomproof.Classic}, // most draws repeat
			{M: 7 * 9001, K: 7, Hashing: bloomproof.Partitioned},
			{M: 64 * 100, K: 64, Hashing: bloomproof.Partitioned},
		} {
			for si, shift := range []uint{6, 9, 12, 20} {
				for pi, pile := range []int{16, 48, 1024} {
					if !longtest.Enabled() && (gi+si+pi)%len(impls) != ii {
						continue
					}
					for _, n := range []int{0, 1, 100, 3000} {
						if n == 3000 && (testing.Short() || shift == 6 && pile > 16) {
							continue
						}
						r := rand.New(rand.NewPCG(uint64(*seedFlag), uint64(gi)))
						bulk := mustNew(t, g, kernel.Options{Impl: im})
						for range r.IntN(100) {
							bulk.AddHash(kernel.Hash{H0: r.Uint64(), H1: r.Uint64()})
						}
						single := bulk.Clone()
						hashes := make([]kernel.Hash, n)
						for i := range hashes {
							if hashes[i] = (kernel.Hash{H0: r.Uint64(), H1: r.Uint64()}); r.IntN(3) == 0 {
								hashes[i] = kernel.Hash{H0: 7}
							}
							single.AddHash(hashes[i])
						}
						what := fmt.Sprintf("%v %v, parts of 2^%d bits, piles of %d, %d keys", im, g, shift, pile, n)
						if !bulk.AddSorted(hashes, shift, pile) {
							t.Fatalf("%s: no memory", what)
						}
						if !bulk.Equal(single) || bulk.Bits() != single.Bits() || bulk.Recount() != bulk.Bits() || bulk.Rate() != single.Rate() {
							t.Fatalf("%s: %v, rate %v, from single calls %v, rate %v", what, bulk, bulk.Rate(), single, single.Rate())
						}
						if fresh := single.Clone().AddBulk(kernel.KeysOf(hashes)); fresh != 0 {
							t.Fatalf("%s: a second load sets %d bits", what, fresh)
						}
					}
				}
			}
		}
	}
}

// AddBulk counts the bits that it sets, in a filter that has some.
func TestBulkCounts(t *testing.T) {
	for _, h := range hashings {
		f := mustNew(t, bloomproof.Geometry{M: 6000, K: 4, Hashing: h}, kernel.Options{})
		single := f.Clone()
		for n := range uint64(3) {
			hashes := make([]kernel.Hash, 300*n)
			for i := range hashes {
				hashes[i] = kernel.Hash{H0: (n*100 + uint64(i)) * golden, H1: n}
				single.AddHash(hashes[i])
			}
			before := f.Bits()
			if fresh := f.AddBulk(kernel.KeysOf(hashes)); fresh != single.Bits()-before || !f.Equal(single) || f.Bits() != single.Bits() {
				t.Errorf("%v: %d bits are new, %v, want %v", h, fresh, f, single)
			}
		}
	}
}

// The plan sorts where there are enough positions for the parts, within its bounds of
// memory, and in parts that fit its piles.
func TestBulkPlan(t *testing.T) {
	const mib, gib = 1 << 23, 1 << 33
	geometry := func(m uint64) bloomproof.Geometry { return bloomproof.Geometry{M: m, K: 7} }
	for _, c := range []struct {
		g           bloomproof.Geometry
		n           int
		shift       uint
		parts, pile int
		ok          bool
	}{
		{geometry(32*mib - 64), 1 << 30, 0, 0, 0, false}, // the filter is too small
		{geometry(32 * mib), 1 << 30, 22, 64, 32768, true},
		{geometry(64 * mib), 1 << 20, 22, 128, 32768, true},
		{geometry(64*mib + 1), 1 << 20, 22, 129, 32768, true},
		{geometry(gib), 1 << 30, 22, 2048, 32768, true},
		{geometry(gib), 2 << 20, 22, 2048, 8064, true},
		{geometry(gib), 1 << 20, 22, 2048, 4032, false}, // the keys are too few
		{geometry(2*gib + 1), 1 << 26, 23, 2049, 65536, true},
		{geometry(8 * gib), 1 << 30, 24, 4096, 65536, true}, // 1 GiB of piles
		{geometry(32 * gib), 1 << 30, 26, 4096, 65536, true},
		{geometry(64 * gib), 1 << 30, 27, 4096, 65536, false}, // too few for the parts
		{geometry(1 << 48), 1 << 30, 36, 4096, 65536, false},
		{bloomproof.Geometry{M: gib, K: 65}, 1 << 30, 0, 0, 0, false},
	} {
		shift, parts, pile, ok := kernel.PlanBulk(c.g, c.n)
		if ok != c.ok || shift != c.shift || parts != c.parts || pile != c.pile {
			t.Errorf("%v, %d keys: parts of 2^%d bits, %d of them, piles of %d, %t, want %+v", c.g, c.n, shift, parts, pile, ok, c)
		}
		if ok && (uint64(parts)<<shift < c.g.M || shift > 32 || pile%16 != 0) {
			t.Errorf("%v, %d keys: the plan does not cover the filter", c.g, c.n)
		}
	}
}

// A filter above the least size for sorting, by AddBulk itself.
func TestBulkSorts(t *testing.T) {
	if testing.Short() {
		t.Skip("short: six filters of 35 MiB; parts and piles of all kinds are tested on small ones")
	}
	for _, h := range hashings {
		if !longtest.Enabled() && h != bloomproof.Standard {
			continue // what sorts is the same
		}
		g := bloomproof.Geometry{M: 7 * (5 << 23), K: 7, Hashing: h}
		hashes := make([]kernel.Hash, 1<<20)
		for i := range hashes {
			hashes[i] = kernel.Hash{H0: uint64(i) * golden, H1: uint64(i)}
		}
		if _, _, _, ok := kernel.PlanBulk(g, len(hashes)); !ok {
			t.Fatalf("%v: %d keys are not sorted", g, len(hashes))
		}
		bulk, batch := mustNew(t, g, kernel.Options{}), mustNew(t, g, kernel.Options{})
		fresh := bulk.AddBulk(kernel.KeysOf(hashes))
		batch.AddBatch(nil, kernel.KeysOf(hashes))
		if !bulk.Equal(batch) || fresh != batch.Bits() || bulk.Rate() != batch.Rate() || bulk.Recount() != fresh {
			t.Errorf("%v: %d bits, %v, want %v", g, fresh, bulk, batch)
		}
	}
}

// Memory that the host refuses leaves the filter as it was.
func TestBulkWithoutMemory(t *testing.T) {
	f := mustNew(t, bloomproof.Geometry{M: 640, K: 3}, kernel.Options{})
	pile := math.MaxInt >> 2 // of 4 bytes, and there are two
	if bits.UintSize == 64 {
		pile >>= 15 // no more than 2^49 bytes, as no host has them and the sum must not overflow
	}
	if f.AddSorted([]kernel.Hash{{H0: 1}}, 9, pile) || f.Bits() != 0 {
		t.Errorf("two piles of %d: %v", pile, f)
	}
}
