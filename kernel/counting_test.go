package kernel_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/model"
)

var (
	widths     = []int{4, 8, 16, 32}
	increments = []bloomproof.Increment{bloomproof.Distinct, bloomproof.Literal}
)

// countings are all widths and rules.
var countings = func() (all []model.Counters) {
	for _, width := range widths {
		for _, i := range increments {
			all = append(all, model.Counters{Width: width, Increment: i})
		}
	}
	return all
}()

func mustNewCounting(tb testing.TB, g bloomproof.Geometry, c model.Counters, o kernel.Options) *kernel.CountingFilter {
	tb.Helper()
	f, err := kernel.NewCounting(g, c.Width, c.Increment, o)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

func TestCountingStateMachine(t *testing.T) {
	t.Logf("seed %d", *seedFlag)
	tests := longtest.More(1, 6)
	var saturated, removed, refused bool
	for gi, g := range geometries {
		for ci, c := range countings {
			if (gi+ci+2)%longtest.More(4, 1) != 0 {
				continue
			}
			t.Run(fmt.Sprintf("%v %v", g, c), func(t *testing.T) {
				var runs []*model.CountingRun
				machineOf(t, model.CountingActionOf, tests, 60, func() run {
					r, err := model.NewCountingRun(g, c, optionSets[(gi+ci)%len(optionSets)])
					if err != nil {
						t.Fatal(err)
					}
					runs = append(runs, r)
					return r
				})
				for _, r := range runs {
					s, a, b := r.Reached()
					saturated, removed, refused = saturated || s, removed || a, refused || b
				}
			})
		}
	}
	if !saturated || !removed || !refused {
		t.Errorf("saturated %t, removed %t, refused %t: the test does not test them", saturated, removed, refused)
	}
}

func TestCountingStateMachineEveryImplementation(t *testing.T) {
	for _, im := range kernel.Impls() {
		for _, g := range []bloomproof.Geometry{{M: 1100, K: 4, Hashing: bloomproof.Partitioned}, {M: 30, K: 7}} {
			t.Run(fmt.Sprintf("%v %v", im, g), func(t *testing.T) {
				machineOf(t, model.CountingActionOf, longtest.More(1, 5), 60, func() run {
					r, err := model.NewCountingRun(g, model.Counters{Width: 4}, kernel.Options{Impl: im})
					if err != nil {
						t.Fatal(err)
					}
					return r
				})
			})
		}
	}
}

func TestNewCountingRefusesBadParameters(t *testing.T) {
	g := bloomproof.Geometry{M: 64, K: 2}
	for _, width := range []int{-4, 0, 1, 2, 3, 5, 7, 12, 24, 33, 64, 1 << 30} {
		f, err := kernel.NewCounting(g, width, bloomproof.Distinct, kernel.Options{})
		paramError(t, fmt.Sprintf("width %d", width), err, "width")
		if f != nil {
			t.Errorf("width %d: a filter beside the error", width)
		}
	}
	_, err := kernel.NewCounting(g, 4, 2, kernel.Options{})
	paramError(t, "increment 2", err, "increment")
}

// The operations on the counters of a word, against a loop over them.
func TestCountersOfAWord(t *testing.T) {
	rng := rand.New(rand.NewPCG(uint64(*seedFlag), 4))
	for _, width := range widths {
		full := uint64(1)<<width - 1
		extremes := []uint64{0, 1, full, full - 1, full >> 1, full>>1 + 1}
		word := func() (w uint64) {
			for at := 0; at < 64; at += width {
				v := rng.Uint64() & full
				if rng.IntN(4) > 0 {
					v = extremes[rng.IntN(len(extremes))]
				}
				w |= v << at
			}
			return w
		}
		for range 20_000 {
			a, b := word(), word()
			var sum, nonZero, topped uint64
			for at := 0; at < 64; at += width {
				x, y := a>>at&full, b>>at&full
				sum |= min(x+y, full) << at
				if x != 0 {
					nonZero |= 1 << (at + width - 1)
				}
				if x == full {
					topped |= 1 << (at + width - 1)
				}
			}
			if got := kernel.AddSaturating(width, a, b); got != sum {
				t.Fatalf("width %d: %#x + %#x = %#x, want %#x", width, a, b, got, sum)
			}
			if got := kernel.NonZero(width, a); got != nonZero {
				t.Fatalf("width %d: not 0 in %#x: %#x, want %#x", width, a, got, nonZero)
			}
			if got := kernel.Topped(width, a); got != topped {
				t.Fatalf("width %d: full in %#x: %#x, want %#x", width, a, got, topped)
			}
		}
	}
}

// raise adds h the given number of times, by doubling where that is many.
func raise(t *testing.T, f *kernel.CountingFilter, h kernel.Hash, times uint64) {
	t.Helper()
	width, increment := f.Counting()
	unit := mustNewCounting(t, f.Geometry(), model.Counters{Width: width, Increment: increment}, kernel.Options{})
	unit.AddHash(h)
	for ; times > 0; times >>= 1 {
		if times&1 != 0 {
			if err := f.Merge(unit); err != nil {
				t.Fatal(err)
			}
		}
		if err := unit.Merge(unit.Clone()); err != nil {
			t.Fatal(err)
		}
	}
}

// Counters of every width hold all values below the largest, at which they stay for
// ever: one less can be taken back, and the largest cannot.
func TestCountingSaturates(t *testing.T) {
	for _, width := range widths {
		for _, h := range hashings {
			full := uint64(1)<<width - 1
			g := bloomproof.Geometry{M: 60, K: 3, Hashing: h}
			f := mustNewCounting(t, g, model.Counters{Width: width}, kernel.Options{})
			key := kernel.Hash{H0: 3, H1: 9}
			check := func(what string, n, saturated uint64) {
				t.Helper()
				got, none := f.CountHash(key)
				if got != n || none != (saturated > 0) || f.Saturated() != saturated {
					t.Errorf("width %d, %v, %s: counted %d, %t, with %d saturated, want %d and %d", width, h, what, got, none, f.Saturated(), n, saturated)
				}
			}
			raise(t, f, key, full-1)
			check("one below full", full-1, 0)
			f.RemoveHash(key)
			check("two below full", full-2, 0)
			f.AddHash(key)
			f.AddHash(key)
			check("full", full, f.Bits())
			f.AddHash(key)
			check("added beyond", full, f.Bits())
			for range 3 {
				if !f.RemoveHash(key) {
					t.Errorf("width %d: a saturated key was not removed", width)
				}
			}
			check("removed", full, f.Bits())
			before := f.Clone()
			other := kernel.Hash{H0: 4}
			f.AddHash(other)
			f.RemoveHash(other)
			if !f.Equal(before) || f.String() != before.String() {
				t.Errorf("width %d: adding and removing another key beside saturated counters left %v of %v", width, f, before)
			}
			if f.Clear(); f.Bits() != 0 || f.Saturated() != 0 || f.ContainsHash(key) {
				t.Errorf("width %d: after Clear %v", width, f)
			}
		}
	}
}

// A key that hits a counter twice adds two to it, or one, by the rule.
func TestCountingRules(t *testing.T) {
	g := bloomproof.Geometry{M: 5, K: 9}
	for i := range uint64(200) {
		h := kernel.Hash{H0: i * golden, H1: i}
		pos, err := kernel.AppendPositions(nil, g, h)
		if err != nil {
			t.Fatal(err)
		}
		var hits [5]uint64
		for _, p := range pos {
			hits[p]++
		}
		for _, rule := range increments {
			f := mustNewCounting(t, g, model.Counters{Width: 8, Increment: rule}, kernel.Options{})
			for range 7 {
				f.AddHash(h)
			}
			word := f.AppendWords(nil)[0]
			for p, n := range hits {
				if rule == bloomproof.Distinct {
					n = min(n, 1)
				}
				if got := word >> (8 * p) & 0xff; got != 7*n {
					t.Fatalf("%v: counter %d is %d after 7 times %v", rule, p, got, pos)
				}
			}
			if n, saturated := f.CountHash(h); n != 7 || saturated {
				t.Fatalf("%v: counted %d, %t, want 7", rule, n, saturated)
			}
		}
	}
}

// What is removed in any order leaves the filter as it was, where nothing saturated.
func TestCountingRemoveRestores(t *testing.T) {
	rng := rand.New(rand.NewPCG(uint64(*seedFlag), 5))
	for _, g := range geometries {
		for _, c := range countings {
			if c.Width < 16 {
				continue
			}
			f := mustNewCounting(t, g, c, kernel.Options{})
			hash := func() kernel.Hash { return kernel.Hash{H0: rng.Uint64N(50), H1: 1} }
			for range 20 {
				f.AddHash(hash())
			}
			before := f.Clone()
			var added []kernel.Hash
			for range 100 {
				h := hash()
				f.AddHash(h)
				added = append(added, h)
			}
			rng.Shuffle(len(added), func(i, j int) { added[i], added[j] = added[j], added[i] })
			for _, h := range added {
				if !f.RemoveHash(h) {
					t.Fatalf("%v %v: %v was not removed", g, c, h)
				}
			}
			if !f.Equal(before) || f.String() != before.String() || f.Rate() != before.Rate() {
				t.Errorf("%v %v: %v, and it was %v", g, c, f, before)
			}
		}
	}
}

// A batch gives the results of single calls in turn, and leaves the same filter.
func TestCountingBatchIsSingleCalls(t *testing.T) {
	shapes := append(slices.Clone(batchGeometries),
		// With counters of 32 bits these look keys up in blocks, as all do with k <= 64 and
		// more words than closeWords.
		bloomproof.Geometry{M: 300_000, K: 7, Hashing: bloomproof.Standard},
		bloomproof.Geometry{M: 300_000, K: 1, Hashing: bloomproof.Classic},
		bloomproof.Geometry{M: 300_000, K: 40, Hashing: bloomproof.Classic},
		bloomproof.Geometry{M: 300_000, K: 2, Hashing: bloomproof.Partitioned},
		bloomproof.Geometry{M: 300_000, K: 5, Hashing: bloomproof.Partitioned})
	for gi, g := range shapes {
		for ci, c := range countings {
			if (gi+ci)%longtest.More(8, 1) != 0 {
				continue
			}
			o := optionSets[(gi+ci)%len(optionSets)]
			what := fmt.Sprintf("%v %v scheme=%v", g, c, kernel.SchemeOf(o))
			rng := rand.New(rand.NewPCG(uint64(*seedFlag), uint64(gi)))
			batch, single := mustNewCounting(t, g, c, o), mustNewCounting(t, g, c, o)
			for _, n := range batchSizes {
				if g.K > 64 {
					n = min(n, 130)
				}
				b := newKeyBatch(rng, n, 3000)
				for i, form := range append(containsForms(batch, single), addForms(batch, single)...) {
					if longtest.Enabled() || n < 1000 || i%4 == gi%4 {
						form.compare(t, what, b, same)
					}
				}
				if !batch.Equal(single) || batch.String() != single.String() {
					t.Fatalf("%s: after %d keys the batch left %v, single calls %v", what, n, batch, single)
				}
			}
		}
	}
}

func TestCountingMakesNoGarbage(t *testing.T) {
	for gi, g := range batchGeometries {
		if 2*uint64(g.K) > g.M {
			continue // the fallback of classic hashing
		}
		for i, c := range countings {
			if (gi+i)%longtest.More(8, 1) != 0 {
				continue
			}
			f := mustNewCounting(t, g, c, optionSets[i%len(optionSets)])
			other := f.Clone()
			b := newKeyBatch(rand.New(rand.NewPCG(1, 2)), 300, 200)
			bools := make([]bool, 0, 3*len(b.keys))
			for what, op := range map[string]func(){
				"single": func() {
					for i, key := range b.keys[:50] {
						f.Add(key)
						f.Contains(key)
						f.Count(key)
						f.Remove(key)
						f.AddHash(b.hashes[i])
						f.RemoveHash(b.hashes[i])
					}
				},
				"batch": func() {
					f.AddBatch(f.AddBatch(f.AddBatch(bools, kernel.KeysOf(b.keys)), kernel.KeysOf(b.words)), kernel.KeysOf(b.hashes))
					f.ContainsBatch(f.ContainsBatch(f.ContainsBatch(bools, kernel.KeysOf(b.keys)), kernel.KeysOf(b.words)), kernel.KeysOf(b.hashes))
				},
				"merge": func() {
					if err := f.Merge(other); err != nil {
						t.Error(err)
					}
				},
			} {
				if allocs := testing.AllocsPerRun(3, op); allocs != 0 {
					t.Errorf("%v %v: %s makes %v allocations", g, c, what, allocs)
				}
			}
		}
	}
}

func TestCountingMergeRefusesOthers(t *testing.T) {
	g := bloomproof.Geometry{M: 64, K: 4}
	keyed := kernel.Keyed(sipKey[:])
	for param, pair := range map[string][2]*kernel.CountingFilter{
		"geometry":  {mustNewCounting(t, g, model.Counters{Width: 4}, kernel.Options{}), mustNewCounting(t, bloomproof.Geometry{M: 64, K: 5}, model.Counters{Width: 4}, kernel.Options{})},
		"width":     {mustNewCounting(t, g, model.Counters{Width: 4}, kernel.Options{}), mustNewCounting(t, g, model.Counters{Width: 8}, kernel.Options{})},
		"increment": {mustNewCounting(t, g, model.Counters{Width: 4}, kernel.Options{}), mustNewCounting(t, g, model.Counters{Width: 4, Increment: bloomproof.Literal}, kernel.Options{})},
		"scheme":    {mustNewCounting(t, g, model.Counters{Width: 4}, kernel.Options{}), mustNewCounting(t, g, model.Counters{Width: 4}, keyed)},
		"seed":      {mustNewCounting(t, g, model.Counters{Width: 4}, kernel.Options{}), mustNewCounting(t, g, model.Counters{Width: 4}, kernel.Options{Seed: 1})},
		"key":       {mustNewCounting(t, g, model.Counters{Width: 4}, keyed), mustNewCounting(t, g, model.Counters{Width: 4}, kernel.Keyed([]byte{9, 15: 0}))},
	} {
		for i := range 2 {
			f, other := pair[i], pair[1-i]
			f.AddHash(kernel.Hash{H0: 1})
			other.AddHash(kernel.Hash{H0: 2})
			before := f.Clone()
			err := f.Merge(other)
			paramError(t, "Merge", err, param)
			if bad := new(bloomproof.ParamError); param == "seed" && (!errors.As(err, &bad) || bad.Value != uint64(1-i)) {
				t.Errorf("Merge: %v, want the seed %d of the other filter", err, 1-i)
			}
			if !f.Equal(before) {
				t.Errorf("%s: Merge changed the filter", param)
			}
			if f.Equal(other) {
				t.Errorf("%s: filters that differ in it are equal", param)
			}
		}
	}
}

// Sums of keys do not depend on how they are split over filters.
func TestCountingMergeIsTheFilterOfBoth(t *testing.T) {
	for _, g := range geometries {
		for _, c := range countings {
			both, a, b := mustNewCounting(t, g, c, kernel.Options{}), mustNewCounting(t, g, c, kernel.Options{}), mustNewCounting(t, g, c, kernel.Options{})
			for i := range uint64(60) {
				h := kernel.Hash{H0: i % 40 * golden, H1: i % 40}
				both.AddHash(h)
				[]*kernel.CountingFilter{a, b}[i%2].AddHash(h)
			}
			if err := a.Merge(b); err != nil {
				t.Fatal(err)
			}
			if !a.Equal(both) || a.String() != both.String() || !slices.Equal(a.AppendWords(nil), both.AppendWords(nil)) {
				t.Errorf("%v %v: merged %v, want %v", g, c, a, both)
			}
		}
	}
}

// In classic hashing a key whose draws repeat has positions beyond the first k draws:
// with one of those alone at 0 it is absent, in a batch of look-ups too.
func TestCountingBatchLooksAtDistinctPositions(t *testing.T) {
	g := bloomproof.Geometry{M: 300_000, K: 40, Hashing: bloomproof.Classic}
	draws := bloomproof.Geometry{M: g.M, K: g.K}
	f := mustNewCounting(t, g, model.Counters{Width: 32}, kernel.Options{})
	for i := range uint64(100_000) {
		h := kernel.Hash{H0: i * golden, H1: i}
		pos, err := kernel.AppendPositions(nil, g, h)
		if err != nil {
			t.Fatal(err)
		}
		first, err := kernel.AppendPositions(nil, draws, h)
		if err != nil {
			t.Fatal(err)
		}
		last := pos[g.K-1]
		if slices.Contains(first, last) {
			continue
		}
		f.AddHash(h)
		data := forge(mustMarshal(t, f), func(b []byte) {
			clear(b[kernel.HeaderSize+4*last:][:4])
			put(40, f.Bits()-1)(b)
		})
		if err := f.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		if f.ContainsHash(h) || f.ContainsBatch(nil, kernel.KeysOf([]kernel.Hash{h}))[0] {
			t.Errorf("%v is contained with a counter at 0", h)
		}
		return
	}
	t.Fatal("no hash has a repeat among its first draws")
}
