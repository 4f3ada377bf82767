package kernel_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/model"
	"github.com/zeebo/xxh3"
)

// batchGeometries are small, so that keys meet, and beyond them k above that for which
// positions have a block of their own, repeats among the draws of nearly every key, and
// of hardly any.
var batchGeometries = append(slices.Clone(geometries),
	bloomproof.Geometry{M: 5000, K: 7, Hashing: bloomproof.Standard},
	bloomproof.Geometry{M: 5000, K: 7, Hashing: bloomproof.Classic},
	bloomproof.Geometry{M: 4998, K: 7, Hashing: bloomproof.Partitioned},
	bloomproof.Geometry{M: 9, K: 8, Hashing: bloomproof.Classic},
	bloomproof.Geometry{M: 1 << 20, K: 64, Hashing: bloomproof.Classic},
	bloomproof.Geometry{M: 1 << 20, K: 65, Hashing: bloomproof.Classic},
	bloomproof.Geometry{M: 1 << 16, K: 64, Hashing: bloomproof.Partitioned},
	bloomproof.Geometry{M: 65 * 1000, K: 65, Hashing: bloomproof.Partitioned},
	bloomproof.Geometry{M: 1 << 16, K: 600, Hashing: bloomproof.Standard},
)

// blockBatchGeometries are those with blocks: beyond the small ones a thousand blocks, and as
// many as no cache of the second level holds.
var blockBatchGeometries = append(slices.Clone(blockGeometries),
	bloomproof.Geometry{M: 512 * 1000, K: 7, Block: 512},
	bloomproof.Geometry{M: 512 * 1000, K: 8, Block: 512, Hashing: bloomproof.Partitioned},
	bloomproof.Geometry{M: 256 * 1000, K: 8, Block: 256, Hashing: bloomproof.Partitioned},
	bloomproof.Geometry{M: 1 << 26, K: 15, Block: 512},
	bloomproof.Geometry{M: 1 << 26, K: 8, Block: 512, Hashing: bloomproof.Partitioned},
	bloomproof.Geometry{M: 1 << 26, K: 8, Block: 256, Hashing: bloomproof.Partitioned},
	bloomproof.Geometry{M: 1 << 26, K: 6, Block: 2048},
)

// batchSizes are given one after the other, so that blocks begin at any key.
var batchSizes = []int{0, 1, 2, 3, 4, 9, 63, 64, 65, 1000, 5, 127, 129, 4097}

// keyBatch is a batch of keys, in every form that a method takes.
type keyBatch struct {
	keys   [][]byte
	texts  []string // the same
	words  []uint64
	hashes []kernel.Hash
}

// newKeyBatch returns n keys of which every other one repeats, in the batch or from
// those before. The bytes are of 0 to 40 and often 8; the words are other keys.
func newKeyBatch(r *rand.Rand, n, span int) (b keyBatch) {
	for range n {
		id := r.Uint64N(uint64(span))
		if r.IntN(2) == 0 {
			id = r.Uint64N(8)
		}
		key := binary.LittleEndian.AppendUint64(nil, id*golden)
		switch id % 5 {
		case 0:
			key = key[:id%8]
		case 1:
			key = append(key, make([]byte, id%33)...)
		}
		b.keys = append(b.keys, key)
		b.texts = append(b.texts, string(key))
		b.words = append(b.words, id*golden)
		b.hashes = append(b.hashes, kernel.Hash{H0: id * golden, H1: id})
	}
	return b
}

// form is a method with one form of keys, and a single call.
type form[R any] struct {
	name   string
	batch  func([]R, keyBatch) []R
	single func(keyBatch, int) R
}

func wordBytes(w uint64) []byte { return binary.LittleEndian.AppendUint64(nil, w) }

// compare gives the batch to f, and its keys in turn to the filter of the single calls,
// and compares the results, which f must have appended.
func (f form[R]) compare(t *testing.T, what string, b keyBatch, equal func(x, y R) bool) {
	t.Helper()
	head := make([]R, 3, 3+len(b.keys)/2*3)
	got := f.batch(head, b)
	if len(got) != len(head)+len(b.keys) {
		t.Fatalf("%s: %s of %d keys appended %d results", what, f.name, len(b.keys), len(got)-len(head))
	}
	if len(b.keys) > 0 && cap(head) >= len(got) && &got[0] != &head[0] {
		t.Fatalf("%s: %s did not use the room of dst", what, f.name)
	}
	for i := range b.keys {
		if want := f.single(b, i); !equal(got[len(head)+i], want) {
			t.Fatalf("%s: %s of %d keys: result %d is %v, the single call's %v", what, f.name, len(b.keys), i, got[len(head)+i], want)
		}
	}
}

func same[R comparable](x, y R) bool { return x == y }

// filled is what all filters offer.
type filled interface {
	Contains(key []byte) bool
	ContainsHash(kernel.Hash) bool
	ContainsBatch(dst []bool, keys kernel.Keys) []bool
	Hasher() kernel.Hasher
	Rate() float64
	String() string
}

var _ = []filled{
	(*kernel.Filter)(nil), (*kernel.RecyclingFilter)(nil), (*kernel.CountingFilter)(nil), (*kernel.MappedFilter)(nil),
	(*kernel.ConcurrentFilter)(nil), (*kernel.ConcurrentRecycling)(nil),
}

// adds is what filters offer for additions.
type adds interface {
	filled
	Add(key []byte) bool
	AddHash(h kernel.Hash) bool
	AddBatch(dst []bool, keys kernel.Keys) []bool
}

// forms returns a batch method with every form of keys, beside the single calls.
func forms[R any](method string, h kernel.Hasher, batch func([]R, kernel.Keys) []R, single func([]byte) R, singleHash func(kernel.Hash) R) []form[R] {
	return []form[R]{
		{method + " of bytes", func(dst []R, b keyBatch) []R { return batch(dst, kernel.KeysOf(b.keys)) }, func(b keyBatch, i int) R { return single(b.keys[i]) }},
		{method + " of words", func(dst []R, b keyBatch) []R { return batch(dst, kernel.KeysOf(b.words)) }, func(b keyBatch, i int) R { return single(wordBytes(b.words[i])) }},
		{method + " of hashes", func(dst []R, b keyBatch) []R { return batch(dst, kernel.KeysOf(b.hashes)) }, func(b keyBatch, i int) R { return singleHash(b.hashes[i]) }},
		{method + " of strings", func(dst []R, b keyBatch) []R { return batch(dst, kernel.KeysOf(b.texts)) }, func(b keyBatch, i int) R { return singleHash(h.String(b.texts[i])) }},
	}
}

func addForms(batch, single adds) []form[bool] {
	return forms("AddBatch", single.Hasher(), batch.AddBatch, single.Add, single.AddHash)
}

func containsForms(batch, single filled) []form[bool] {
	return forms("ContainsBatch", single.Hasher(), batch.ContainsBatch, single.Contains, single.ContainsHash)
}

// observes is what recycling filters offer for observations.
type observes interface {
	filled
	Observe(key []byte) kernel.Observation
	ObserveHash(h kernel.Hash) kernel.Observation
	ObserveBatch(dst []kernel.Observation, keys kernel.Keys) []kernel.Observation
}

func observeForms(batch, single observes) []form[kernel.Observation] {
	return forms("ObserveBatch", single.Hasher(), batch.ObserveBatch, single.Observe, single.ObserveHash)
}

// A batch of additions or look-ups gives the results of single calls in turn, and
// leaves the same filter: every implementation, hashing, scheme and form of keys.
func TestFilterBatchIsSingleCalls(t *testing.T) {
	t.Logf("seed %d", *seedFlag)
	impls := kernel.Impls()
	for ii, im := range impls {
		for gi, g := range append(slices.Clone(batchGeometries), blockBatchGeometries...) {
			if every := longtest.More(len(impls), 1); gi%every != ii%every {
				continue
			}
			o := optionSets[gi%len(optionSets)]
			o.Impl = im
			what := fmt.Sprintf("%v %v scheme=%v", im, g, kernel.SchemeOf(o))
			r := rand.New(rand.NewPCG(uint64(*seedFlag), uint64(gi)))
			batch, single := mustNew(t, g, o), mustNew(t, g, o)
			for _, n := range batchSizes {
				if n > 1000 && g.K > 8 {
					continue
				}
				// Half of the keys of a look-up were added, whatever the size of the filter.
				span := 2 * int(g.M) / g.K
				b := newKeyBatch(r, n, span+9)
				for i, f := range addForms(batch, single) {
					if n < 1000 || i == gi%3 { // which do not fill it three times
						f.compare(t, what, b, same)
					}
				}
				for i, f := range containsForms(batch, single) {
					if longtest.Enabled() || n < 1000 || i == gi%4 {
						f.compare(t, what, b, same)
						f.compare(t, what, newKeyBatch(r, n, 4*span+9), same)
					}
				}
			}
			if !batch.Equal(single) || batch.Bits() != single.Bits() || batch.Recount() != batch.Bits() || batch.Rate() != single.Rate() {
				t.Errorf("%s: %v, rate %v, from single calls %v, rate %v", what, batch, batch.Rate(), single, single.Rate())
			}
		}
	}
}

// event is a recycle as its callback sees it: what it is told, and the filter.
type event struct {
	end                    kernel.CycleState
	bits, frozen, messages uint64
	rate                   float64
}

// A batch of arrivals gives the observations and events of single calls in turn, and
// leaves the same filter: every implementation, rule, hashing and form of keys, with
// many recycles in a batch and few.
func TestRecyclingBatchIsSingleCalls(t *testing.T) {
	t.Logf("seed %d", *seedFlag)
	type bound struct {
		g               bloomproof.Geometry
		sigma, messages uint64
	}
	bounds := []bound{
		{bloomproof.Geometry{M: 1, K: 1}, 0, 1},
		{bloomproof.Geometry{M: 70, K: 3, Hashing: bloomproof.Classic}, 3, 2},
		{bloomproof.Geometry{M: 4096, K: 4}, 1900, 900},
		{bloomproof.Geometry{M: 5000, K: 7, Hashing: bloomproof.Classic}, 2500, 300},
		{bloomproof.Geometry{M: 4998, K: 7, Hashing: bloomproof.Partitioned}, 700, 100},
		{bloomproof.Geometry{M: 4096, K: 1}, 40, 64},
		{bloomproof.Geometry{M: 65 * 64, K: 65, Hashing: bloomproof.Partitioned}, 500, 9},
		{bloomproof.Geometry{M: 5000, K: 70, Hashing: bloomproof.Classic}, 1000, 50},
		{bloomproof.Geometry{M: 5000, K: 600}, 1000, 3},
	}
	impls := kernel.Impls()
	for ii, im := range impls {
		most := uint64(0)
		for bi, c := range bounds {
			for ri, r := range model.Rules(c.sigma, c.messages) {
				if r.Validate(c.g) != nil || !longtest.Enabled() && (ri+7*bi)%longtest.More(8*len(impls), 1) != ii {
					continue
				}
				o := optionSets[(bi+ri)%len(optionSets)]
				o.Impl = im
				what := fmt.Sprintf("%v %v %v scheme=%v", im, c.g, r, kernel.SchemeOf(o))
				rng := rand.New(rand.NewPCG(uint64(*seedFlag), uint64(bi*100+ri)))
				batch, single := mustNewRecycling(t, c.g, r, o), mustNewRecycling(t, c.g, r, o)
				var events [2][]event
				for i, f := range []*kernel.RecyclingFilter{batch, single} {
					f.OnRecycle = func(e kernel.CycleState) {
						events[i] = append(events[i], event{e, f.State().Bits, f.State().FrozenBits, f.State().Messages, f.Rate()})
					}
				}
				for _, n := range batchSizes {
					if n > 1000 || n > 129 && ((ri+bi)%5 > 0 || c.g.K > 64) {
						continue
					}
					b := newKeyBatch(rng, n, 500)
					for i, f := range observeForms(batch, single) {
						if n < 1000 || i == ri%3 {
							f.compare(t, what, b, same)
						}
					}
					for i, f := range containsForms(batch, single) {
						if n < 64 || i == ri%3 {
							f.compare(t, what, newKeyBatch(rng, n, 1000), same)
						}
					}
				}
				if !slices.Equal(events[0], events[1]) {
					t.Fatalf("%s: events\n%+v\nfrom single calls\n%+v", what, events[0], events[1])
				}
				if !batch.Equal(single) || batch.String() != single.String() || batch.Rate() != single.Rate() || batch.State().Messages != single.State().Messages {
					t.Fatalf("%s: %v, rate %v, from single calls %v, rate %v", what, batch, batch.Rate(), single, single.Rate())
				}
				most = max(most, batch.State().Cycle)
			}
		}
		if most < 100 {
			t.Errorf("%v: at most %d recycles: the test does not test the rules", im, most)
		}
	}
}

// Keys of 8 bytes hash as the library hashes them, by Hash and in batches.
func TestHashOfWords(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(*seedFlag), 1))
	edge := []uint64{0, 1, 1 << 31, 1<<32 - 1, 1 << 32, 1 << 63, 1<<64 - 1, 0x00000000ffffffff, 0xffffffff00000000}
	values := slices.Clone(edge)
	for range 300 {
		values = append(values, r.Uint64(), r.Uint64()>>r.UintN(64))
	}
	for _, seed := range values {
		for _, key := range append(slices.Clone(edge), r.Uint64(), values[r.IntN(len(values))]) {
			x := xxh3.Hash128Seed(wordBytes(key), seed)
			if got := kernel.HashWord(key, seed); got.H0 != x.Lo || got.H1 != x.Hi {
				t.Fatalf("key %#x, seed %#x: %#x, want %#x", key, seed, got, x)
			}
		}
	}
}

// No batch allocates when dst has room, whatever hashing, scheme or rule.
func TestBatchesDoNotAllocate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for hi, h := range hashings {
		for ki, k := range []int{1, 7, 64} {
			for oi, o := range optionSets {
				if !longtest.Enabled() && (hi+ki+oi)%3 != 0 {
					continue
				}
				g := bloomproof.Geometry{M: 64 * 64, K: k, Hashing: h}
				f := mustNew(t, bloomproof.Geometry{M: g.M / uint64(k) * uint64(k), K: k, Hashing: h}, o)
				filters := []*kernel.RecyclingFilter{}
				for _, r := range []bloomproof.Recycling{
					{Sigma: g.M / 2}, {Sigma: g.M / 2, TwoPhase: true, FreezeBefore: true, NoCopyOver: true},
					{Messages: 3, Retain: true, TwoPhase: true, FreshPositions: true},
				} {
					filters = append(filters, mustNewRecycling(t, f.Geometry(), r, o))
				}
				shared := f.Clone().Concurrent()
				sharedFilters := []*kernel.ConcurrentRecycling{}
				for _, f := range filters {
					sharedFilters = append(sharedFilters, f.Clone().Concurrent())
				}
				for _, n := range []int{1, 64, 300} {
					b := newKeyBatch(r, n, 100)
					bools := make([]bool, 0, n)
					seen := make([]kernel.Observation, 0, n)
					each := func(do func(kernel.Keys)) {
						do(kernel.KeysOf(b.keys))
						do(kernel.KeysOf(b.texts))
						do(kernel.KeysOf(b.words))
						do(kernel.KeysOf(b.hashes))
					}
					hasher := f.Hasher()
					for what, op := range map[string]func(){
						"Add":                 func() { each(func(k kernel.Keys) { f.AddBatch(bools, k) }) },
						"Contains":            func() { each(func(k kernel.Keys) { f.ContainsBatch(bools, k) }) },
						"concurrent Add":      func() { each(func(k kernel.Keys) { shared.AddBatch(bools, k) }) },
						"concurrent Contains": func() { each(func(k kernel.Keys) { shared.ContainsBatch(bools, k) }) },
						"single": func() {
							for i := range b.keys {
								f.AddHash(hasher.String(b.texts[i]))
								f.ContainsHash(hasher.Uint64(b.words[i]))
								shared.ContainsHash(hasher.Bytes(b.keys[i]))
							}
						},
						"keys on the stack": func() {
							var out [5]bool
							words, texts := [...]uint64{1, 2, 3, 4, 5}, [...]string{"a", "b", "c", "d", "e"}
							f.AddBatch(out[:0], kernel.KeysOf(words[:]))
							f.ContainsBatch(out[:0], kernel.KeysOf(texts[:]))
							f.AddBulk(kernel.KeysOf(words[:]))
							shared.AddBatch(out[:0], kernel.KeysOf(words[:]))
							shared.ContainsBatch(out[:0], kernel.KeysOf(texts[:]))
						},
						"concurrent Observe": func() {
							for _, c := range sharedFilters {
								each(func(k kernel.Keys) { c.ObserveBatch(seen, k); c.ContainsBatch(bools, k) })
							}
						},
						"Observe": func() {
							for _, f := range filters {
								each(func(k kernel.Keys) { f.ObserveBatch(seen, k); f.ContainsBatch(bools, k) })
							}
						},
					} {
						if allocs := testing.AllocsPerRun(longtest.More(2, 5), op); allocs != 0 {
							t.Errorf("%v scheme=%v, %d keys: %s makes %v allocations", f.Geometry(), kernel.SchemeOf(o), n, what, allocs)
						}
					}
				}
			}
		}
	}
}
