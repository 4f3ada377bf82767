package kernel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel/asm"
)

// probeArgs are the arguments of the probe operations.
type probeArgs struct {
	out          []bool
	sides        []uint8
	words, pair  []uint64
	h            []Hash
	s            shape
	dst, pos     []uint64
	slices       []uint64
	a, b, result int
}

// copyOf makes a a copy of b, in the memory that a has if it is large enough. If a has the bits of b already, they are not
// copied, which for large arrays costs most of the test.
func (a *probeArgs) copyOf(b *probeArgs, bits bool) {
	old := *a
	*a = *b
	a.out, a.sides = append(old.out[:0], b.out...), append(old.sides[:0], b.sides...)
	if a.words, a.pair = old.words, old.pair; bits {
		a.words, a.pair = append(old.words[:0], b.words...), append(old.pair[:0], b.pair...)
	}
	a.dst, a.slices = append(old.dst[:0], b.dst...), append(old.slices[:0], b.slices...)
}

// probeOps is the table of the probe operations: the dispatcher beside its
// specification. Both leave what they return in result, a and b.
var probeOps = []struct {
	name string
	sets bool // it writes to words, pair or slices
	got  func(im impl, a *probeArgs)
	want func(a *probeArgs)
}{
	{"positions", false, func(im impl, a *probeArgs) { positions(im, a.dst, a.h, a.s) },
		func(a *probeArgs) { asm.PositionsPortable(a.dst, hashWords(a.h), a.s.k, a.s.span, a.s.step) }},
	{"containsAll", false, func(im impl, a *probeArgs) { a.result = containsAll(im, a.out, a.words, a.h, a.s) },
		func(a *probeArgs) {
			a.result = asm.ContainsPortable(a.out, a.words, hashWords(a.h), a.s.k, a.s.span, a.s.step)
		}},
	{"addAll", true, func(im impl, a *probeArgs) { a.result = addAll(im, a.out, a.words, a.h, a.s) },
		func(a *probeArgs) {
			a.result = asm.AddPortable(a.out, a.words, hashWords(a.h), a.s.k, a.s.span, a.s.step)
		}},
	{"containsAt", false, func(im impl, a *probeArgs) { a.result = containsAt(im, a.out, a.words, a.pos, a.s.k) },
		func(a *probeArgs) { a.result = asm.ContainsAtPortable(a.out, a.words, a.pos, a.s.k) }},
	{"addAt", true, func(im impl, a *probeArgs) { a.result = addAt(im, a.out, a.words, a.pos, a.s.k) },
		func(a *probeArgs) { a.result = asm.AddAtPortable(a.out, a.words, a.pos, a.s.k) }},
	{"addSlicesAt", true, func(im impl, a *probeArgs) { a.result = addSlicesAt(im, a.out, a.words, a.pos, a.slices) },
		func(a *probeArgs) { a.result = asm.AddSlicesAtPortable(a.out, a.words, a.pos, a.slices) }},
	{"containsPair", false, func(im impl, a *probeArgs) { containsPair(im, a.sides, a.pair, a.h, a.s) },
		func(a *probeArgs) {
			asm.ContainsPairPortable(a.sides, a.pair, hashWords(a.h), a.s.k, a.s.span, a.s.step)
		}},
	{"containsPairAt", false, func(im impl, a *probeArgs) { containsPairAt(im, a.sides, a.pair, a.pos, a.s.k) },
		func(a *probeArgs) { asm.ContainsPairAtPortable(a.sides, a.pair, a.pos, a.s.k) }},
	{"addPairAt", true, func(im impl, a *probeArgs) { a.a, a.b = addPairAt(im, a.pair, a.pos, 1) },
		func(a *probeArgs) { a.a, a.b = asm.AddPairAtPortable(a.pair, a.pos, 1) }},
	{"addOne", true, func(im impl, a *probeArgs) {
		if len(a.h) > 0 && a.s.step == 0 {
			a.result = int(addOne(im, a.words, a.h[0], a.s))
		}
	}, func(a *probeArgs) {
		if a.s.step == 0 {
			a.result = asm.AddPortable(make([]bool, 1), a.words, hashWords(a.h), a.s.k, a.s.span, a.s.step)
		}
	}},
	{"containsOne", false, func(im impl, a *probeArgs) {
		for i, h := range a.h {
			a.out[i] = containsOne(im, a.words, h, a.s)
		}
	}, func(a *probeArgs) { asm.ContainsPortable(a.out, a.words, hashWords(a.h), a.s.k, a.s.span, a.s.step) }},
	{"prefetch", false, func(im impl, a *probeArgs) { prefetch(im, a.words, a.pos) }, func(*probeArgs) {}},
}

// TestProbeOps compares every probe operation with its twin, on every implementation and
// Auto, for arrays on both sides of each size at which another pipeline takes over.
func TestProbeOps(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var want, got probeArgs
	for _, m := range []uint64{63, 1 << 16, 1 << 20, 1<<23 + 64, 1 << 26} {
		for _, k := range []int{1, 7, 16, 20} {
			for _, hashing := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Partitioned} {
				for _, n := range []int{0, 1, 5, 33, 600} {
					if m/uint64(k) == 0 || m > 1<<20 && (k != 7 || n != 600 || hashing != bloomproof.Standard) {
						continue
					}
					a := randomProbe(r, bloomproof.Geometry{M: m / uint64(k) * uint64(k), K: k, Hashing: hashing}, n)
					wantOther, gotOther := true, true // than the bits of a
					for _, op := range probeOps {
						want.copyOf(a, wantOther)
						op.want(&want)
						wantOther = op.sets
						for _, im := range append(hostImpls(), auto) {
							got.copyOf(a, gotOther)
							op.got(im, &got)
							gotOther = op.sets
							if fmt.Sprint(got.result, got.a, got.b) != fmt.Sprint(want.result, want.a, want.b) ||
								!slices.Equal(got.out, want.out) || !slices.Equal(got.sides, want.sides) || !slices.Equal(got.dst, want.dst) ||
								!slices.Equal(got.words, want.words) || !slices.Equal(got.pair, want.pair) || !slices.Equal(got.slices, want.slices) {
								gotOther = true
								t.Errorf("%s/%v: m %d, k %d, %v, %d keys: not what the specification gives", op.name, im, m, k, hashing, n)
							}
						}
					}
				}
			}
		}
	}
}

// randomProbe returns arguments with n keys, about half of which are there.
func randomProbe(r *rand.Rand, g bloomproof.Geometry, n int) *probeArgs {
	words := int(g.M+63) / 64
	a := &probeArgs{
		out: make([]bool, n), sides: make([]uint8, n), words: make([]uint64, words), pair: make([]uint64, 2*words),
		h: make([]Hash, n), s: mustLayout(g).shape, dst: make([]uint64, n*g.K), pos: make([]uint64, n*g.K), slices: make([]uint64, g.K),
	}
	for i := range a.h {
		a.h[i] = Hash{r.Uint64(), r.Uint64()}
		if i > 0 && i%5 == 0 {
			a.h[i] = a.h[r.IntN(i)]
		}
	}
	asm.PositionsPortable(a.pos, hashWords(a.h), g.K, a.s.span, a.s.step)
	for i := range n {
		pos := a.pos[i*g.K : (i+1)*g.K]
		if r.Uint32()&1 != 0 {
			asm.AddAtPortable(make([]bool, 1), a.words, pos, g.K)
		}
		for side := range 2 {
			if r.Uint32()&1 != 0 {
				asm.AddPairAtPortable(a.pair, pos, side)
			}
		}
	}
	return a
}

// TestProbeNoAlloc holds every probe operation to no allocation, its arguments to the
// stack.
func TestProbeNoAlloc(t *testing.T) {
	s := shape{7, 64, 0}
	for _, im := range append(hostImpls(), auto) {
		n := testing.AllocsPerRun(10, func() {
			var words, pair [2]uint64
			var h [9]Hash
			var out [9]bool
			var sides [9]uint8
			var pos [63]uint64
			var parts [7]uint64
			positions(im, pos[:], h[:], s)
			prefetch(im, words[:], pos[:])
			sink += int(addOne(im, words[:], h[0], s))
			if containsOne(im, words[:], h[0], s) {
				sink++
			}
			sink += addAll(im, out[:], words[:], h[:], s) + containsAll(im, out[:], words[:], h[:], s) +
				addAt(im, out[:], words[:], pos[:], 7) + containsAt(im, out[:], words[:], pos[:], 7) + addSlicesAt(im, out[:], words[:], pos[:], parts[:])
			containsPair(im, sides[:], pair[:], h[:], s)
			containsPairAt(im, sides[:], pair[:], pos[:], 7)
			fresh, overlap := addPairAt(im, pair[:], pos[:], 0)
			sink += fresh + overlap
		})
		if n != 0 {
			t.Errorf("%v: %v allocations", im, n)
		}
	}
}

// TestChoosePipeline asserts the choices, and that their cases cover every value that the
// choosing functions can return.
func TestChoosePipeline(t *testing.T) {
	const l2, l3 = 1 << 20, 1 << 25
	intel, old, amd := machine{l2, l3, true, false}, machine{l2, l3, false, false}, machine{l2, l3, false, true}
	seen := map[pipeline]bool{}
	for _, c := range []struct {
		im             impl
		keys, words    int
		m              machine
		contains, pair pipeline
	}{
		{portable, 100, 1, old, byTwin, byTwin},
		{portable, 100, 1 << 30, intel, byTwin, byTwin},
		{popcnt, 100, 1, intel, byWord, byRing},
		{avx2, turn8Min - 1, 1, intel, byOne, byTwin},
		{avx2, turn8Min, 1, intel, by2x4, byTwin},
		{avx512, 15, 1, intel, by8, byTwin},
		{avx512, 16, 1, intel, byGather, byPositions},
		{avx2, 100, l2 / 8, intel, by2x4, byPositions},
		{avx2, 100, l2/8 + 1, old, by2x4, byRing},
		{avx2, 100, 4 * l2 / 8, amd, by2x4, byRingT1},
		{avx2, levelsMin, 4*l2/8 + 1, old, byLevels, byRing},
		{avx2, levelsMin - 1, 4*l2/8 + 1, old, by2x4, byRing},
		{avx2, turn8Min - 1, 4*l2/8 + 1, old, byOne, byTwin},
		{avx2, 100, 4*l2/8 + 1, amd, byLevels, byRingT1},
		{avx2, 100, l3/8 + 1, intel, byLevels, byRingNTA},
		{popcnt, 100, l2 / 8, amd, byWord, byRing},
		{popcnt, 100, l2/8 + 1, amd, byRingT1, byRingT1},
		{avx512, 100, 1, amd, by8, byPositions},
		{avx512, ringMin - 1, l2 / 8, old, by8, byTwin},
		{avx512, 100, l2 / 8, intel, byGather, byPositions},
		{avx512, 100, 4 * l2 / 8, old, by8, byRing},
		{avx512, 100, 4 * l2 / 8, intel, byGather, byRing},
		{avx512, ringMin - 1, 4*l2/8 + 1, intel, byWord, byTwin},
		{avx512, ringMin, 4*l2/8 + 1, intel, byRing8, byRing},
		{avx512, 100, l3/8 + 1, amd, byRing8T1, byRingT1},
		{avx512, 100, l3/8 + 1, intel, byRing8, byRingNTA},
		{neon, 100, 1, old, byWord, byRing},
		{neon, 100, l2/8 + 1, old, byRing, byRing},
		{neon, 100, l3/8 + 1, old, byRingNTA, byRingNTA},
	} {
		contains, pair := chooseContains(c.im, c.keys, c.words, c.m), choosePair(c.im, c.keys, c.words, 7, c.m)
		if contains != c.contains || pair != c.pair {
			t.Errorf("%v, %d keys, %d words, %+v: %d and for a pair %d, want %d and %d", c.im, c.keys, c.words, c.m, contains, pair, c.contains, c.pair)
		}
		seen[contains], seen[pair] = true, true
	}
	for _, c := range []struct {
		keys, words int
		m           machine
		want        pipeline
	}{
		{turn8Min - 1, 1, old, byOne},
		{turn8Min - 1, 1 << 30, amd, byOne},
		{turn8Min, l2 / 8, amd, by2x4},
		{turn8Min, l2/8 + 1, amd, byRingT1},
		{turn8Min, l2/8 + 1, old, byRingT1},
	} {
		if got := chooseAddAVX2(c.keys, c.words, c.m); got != c.want {
			t.Errorf("AVX2, additions of %d keys, %d words, %+v: %d, want %d", c.keys, c.words, c.m, got, c.want)
		}
	}
	for k, want := range map[int]pipeline{posBlock: byPositions, posBlock + 1: byRing} {
		if got := choosePair(avx512, 100, 1, k, amd); got != want {
			t.Errorf("k %d: %d for a pair, want %d", k, got, want)
		}
	}
	if len(seen) != int(lastPipeline) {
		t.Errorf("the cases cover %d of %d", len(seen), lastPipeline)
	}
}
