//go:build gc && !purego && !race && (amd64 || arm64)

package kernel

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// TestProbeOpsElsewhere compares the probe operations with their reference implementations, as on hosts with other
// caches and other instructions for prefetching. Each pipeline for large arrays then runs.
func TestProbeOpsElsewhere(t *testing.T) {
	defer func(m machine) { here = m }(here)
	r := rand.New(rand.NewPCG(3, 4))
	a := randomProbe(r, bloomproof.Geometry{M: 7 << 12, K: 7}, 100)
	var want, got probeArgs
	for _, m := range []machine{{1 << 7, 1 << 8, false, false}, {1 << 7, 1 << 20, false, false}, {1 << 7, 1 << 8, false, true}, {1 << 20, 1 << 20, true, false}} {
		if m.toL2 && runtime.GOARCH != "amd64" {
			continue // only look-ups for amd64 have such pipelines, and host.PrefetchToL2 is false elsewhere
		}
		here = m
		for _, op := range probeOps {
			want.copyOf(a, true)
			op.want(&want)
			for _, im := range hostImpls() {
				got.copyOf(a, true)
				op.got(im, &got)
				if got.result != want.result || got.a != want.a || got.b != want.b ||
					!slices.Equal(got.out, want.out) || !slices.Equal(got.sides, want.sides) || !slices.Equal(got.dst, want.dst) ||
					!slices.Equal(got.words, want.words) || !slices.Equal(got.pair, want.pair) || !slices.Equal(got.slices, want.slices) {
					t.Errorf("%s/%v on %+v: not what the specification gives", op.name, im, m)
				}
			}
		}
	}
}

// TestBlockOpsElsewhere does the same for blocks, and passes more hashes than one call of a kernel takes.
func TestBlockOpsElsewhere(t *testing.T) {
	defer func(m machine) { here = m }(here)
	r := rand.New(rand.NewPCG(3, 5))
	h := make([]Hash, handoverReads+5)
	for i := range h {
		h[i] = Hash{r.Uint64(), r.Uint64()}
	}
	for _, g := range []bloomproof.Geometry{
		{M: 1 << 19, K: 7, Block: 512}, {M: 1 << 19, K: 8, Block: 512, Hashing: bloomproof.Partitioned},
		{M: 1 << 19, K: 8, Block: 256, Hashing: bloomproof.Partitioned}, {M: 1 << 19, K: 3, Block: 128},
	} {
		l := mustLayout(g)
		few := slices.Repeat([]uint64{0}, int(g.M/64))
		addInBlocksPortable(make([]bool, 20_000), few, h[:20_000], &l)
		words, in, fresh := slices.Clone(few), make([]bool, len(h)), make([]bool, len(h))
		found, added := containsInBlocksPortable(in, few, h, &l), addInBlocksPortable(fresh, words, h, &l)
		for _, m := range []machine{{1 << 7, 1 << 8, false, false}, {1 << 7, 1 << 8, false, true}, {1 << 20, 1 << 20, false, true}} {
			if m.toL2 && runtime.GOARCH != "amd64" {
				continue // only amd64 has such pipelines
			}
			here = m
			for _, im := range hostImpls() {
				out, got := make([]bool, len(h)), slices.Clone(few)
				if n := containsAllInBlocks(im, out, got, h, &l); n != found || !slices.Equal(out, in) || !slices.Equal(got, few) {
					t.Errorf("%v/%v on %+v: %d of %d hashes are found, want %d", g, im, m, n, len(h), found)
				}
				if n := addAllInBlocks(im, out, got, h, &l); n != added || !slices.Equal(out, fresh) || !slices.Equal(got, words) {
					t.Errorf("%v/%v on %+v: %d of %d hashes are new, want %d", g, im, m, n, len(h), added)
				}
			}
		}
	}
}

// TestBlockReads asserts when blocks are prefetched, and into which cache.
func TestBlockReads(t *testing.T) {
	defer func(m machine) { here = m }(here)
	const near = 1 << 16 // words of the second level
	for _, c := range []struct {
		words int
		toL2  bool
		ahead int
		far   bool
	}{
		{1, true, 0, false}, {blockNear, true, 0, false}, {blockNear + 1, true, 24, false},
		{near, true, 24, false}, {near + 1, true, 64, true}, {near + 1, false, 24, false},
	} {
		here = machine{8 * near, 16 * near, false, c.toL2}
		if ahead, far := blockReads(make([]uint64, c.words)); ahead != c.ahead || far != c.far {
			t.Errorf("%+v: %d keys ahead, far %t", c, ahead, far)
		}
	}
}

// TestAddsAhead asserts the choice on both sides of each of its bounds.
func TestAddsAhead(t *testing.T) {
	near := here.l2 / 8
	for _, c := range []struct {
		im             impl
		keys, words, k int
		want           bool
	}{
		{portable, 100, near + 1, 7, false},
		{popcnt, 1000, near, 7, false},
		{popcnt, ringMin, near + 1, 7, true},
		{popcnt, ringMin - 1, near + 1, 7, false},
		{neon, 1000, near, 7, false},
		{neon, ringMin, near + 1, 7, true},
		{avx512, deriveMin, near, 7, true},
		{avx512, deriveMin - 1, near, 7, false},
		{avx512, deriveMin, 1, ahead, true},
		{avx512, deriveMin, 1, ahead + 1, false},
		{avx512, ringMin, near + 1, ahead, true},
		{avx512, ringMin, near + 1, ahead + 1, false},
	} {
		if got := addsAhead(c.im, c.keys, c.words, c.k); got != c.want {
			t.Errorf("%v, %d keys, %d words, k %d: %v", c.im, c.keys, c.words, c.k, got)
		}
	}
}
