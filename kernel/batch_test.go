package kernel_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
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

// batchSizes are given one after the other, so that blocks begin at any key.
var batchSizes = []int{0, 1, 2, 3, 4, 9, 63, 64, 65, 1000, 5, 127, 129, 4097}

// keyBatch is a batch of keys, in every form that a method takes.
type keyBatch struct {
	keys   [][]byte
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
		b.words = append(b.words, id*golden)
		b.hashes = append(b.hashes, kernel.Hash{H0: id * golden, H1: id})
	}
	return b
}

// forms are the methods for the three forms of keys, and for each a single call.
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

// adds is what filters offer for additions.
type adds interface {
	Add(key []byte) bool
	AddHash(h kernel.Hash) bool
	AddBatch(dst []bool, keys [][]byte) []bool
	AddUint64Batch(dst []bool, keys []uint64) []bool
	AddHashBatch(dst []bool, hashes []kernel.Hash) []bool
}

func addForms(batch, single adds) []form[bool] {
	return []form[bool]{
		{"AddBatch", func(dst []bool, b keyBatch) []bool { return batch.AddBatch(dst, b.keys) }, func(b keyBatch, i int) bool { return single.Add(b.keys[i]) }},
		{"AddUint64Batch", func(dst []bool, b keyBatch) []bool { return batch.AddUint64Batch(dst, b.words) }, func(b keyBatch, i int) bool { return single.Add(wordBytes(b.words[i])) }},
		{"AddHashBatch", func(dst []bool, b keyBatch) []bool { return batch.AddHashBatch(dst, b.hashes) }, func(b keyBatch, i int) bool { return single.AddHash(b.hashes[i]) }},
	}
}

// batched is what filters offer for look-ups.
type batched interface {
	Contains(key []byte) bool
	ContainsHash(kernel.Hash) bool
	ContainsBatch(dst []bool, keys [][]byte) []bool
	ContainsUint64Batch(dst []bool, keys []uint64) []bool
	ContainsHashBatch(dst []bool, hashes []kernel.Hash) []bool
}

func containsForms(batch, single batched) []form[bool] {
	return []form[bool]{
		{"ContainsBatch", func(dst []bool, b keyBatch) []bool { return batch.ContainsBatch(dst, b.keys) }, func(b keyBatch, i int) bool { return single.Contains(b.keys[i]) }},
		{"ContainsUint64Batch", func(dst []bool, b keyBatch) []bool { return batch.ContainsUint64Batch(dst, b.words) }, func(b keyBatch, i int) bool { return single.Contains(wordBytes(b.words[i])) }},
		{"ContainsHashBatch", func(dst []bool, b keyBatch) []bool { return batch.ContainsHashBatch(dst, b.hashes) }, func(b keyBatch, i int) bool { return single.ContainsHash(b.hashes[i]) }},
	}
}

// observes is what recycling filters offer for observations.
type observes interface {
	Observe(key []byte) kernel.Observation
	ObserveHash(h kernel.Hash) kernel.Observation
	ObserveBatch(dst []kernel.Observation, keys [][]byte) []kernel.Observation
	ObserveUint64Batch(dst []kernel.Observation, keys []uint64) []kernel.Observation
	ObserveHashBatch(dst []kernel.Observation, hashes []kernel.Hash) []kernel.Observation
}

func observeForms(batch, single observes) []form[kernel.Observation] {
	return []form[kernel.Observation]{
		{"ObserveBatch", func(dst []kernel.Observation, b keyBatch) []kernel.Observation {
			return batch.ObserveBatch(dst, b.keys)
		}, func(b keyBatch, i int) kernel.Observation { return single.Observe(b.keys[i]) }},
		{"ObserveUint64Batch", func(dst []kernel.Observation, b keyBatch) []kernel.Observation {
			return batch.ObserveUint64Batch(dst, b.words)
		}, func(b keyBatch, i int) kernel.Observation { return single.Observe(wordBytes(b.words[i])) }},
		{"ObserveHashBatch", func(dst []kernel.Observation, b keyBatch) []kernel.Observation {
			return batch.ObserveHashBatch(dst, b.hashes)
		}, func(b keyBatch, i int) kernel.Observation { return single.ObserveHash(b.hashes[i]) }},
	}
}

// A batch of additions or look-ups gives the results of single calls in turn, and
// leaves the same filter: every implementation, hashing, scheme and form of keys.
func TestFilterBatchIsSingleCalls(t *testing.T) {
	t.Logf("seed %d", *seedFlag)
	impls := kernel.Impls()
	for ii, im := range impls {
		for gi, g := range batchGeometries {
			if testing.Short() && gi%len(impls) != ii {
				continue
			}
			o := optionSets[gi%len(optionSets)]
			o.Impl = im
			what := fmt.Sprintf("%v %v scheme=%v", im, g, o.Scheme)
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
				for _, f := range containsForms(batch, single) {
					f.compare(t, what, b, same)
					f.compare(t, what, newKeyBatch(r, n, 4*span+9), same)
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
	end                    kernel.CycleEnd
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
				if r.Validate(c.g) != nil || testing.Short() && (ri+7*bi)%(4*len(impls)) != ii {
					continue
				}
				o := optionSets[(bi+ri)%len(optionSets)]
				o.Impl = im
				what := fmt.Sprintf("%v %v %v scheme=%v", im, c.g, r, o.Scheme)
				rng := rand.New(rand.NewPCG(uint64(*seedFlag), uint64(bi*100+ri)))
				batch, single := mustNewRecycling(t, c.g, r, o), mustNewRecycling(t, c.g, r, o)
				var events [2][]event
				for i, f := range []*kernel.RecyclingFilter{batch, single} {
					f.OnRecycle = func(e kernel.CycleEnd) {
						events[i] = append(events[i], event{e, f.Bits(), f.FrozenBits(), f.Messages(), f.Rate()})
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
				if !batch.Equal(single) || batch.String() != single.String() || batch.Rate() != single.Rate() || batch.Messages() != single.Messages() {
					t.Fatalf("%s: %v, rate %v, from single calls %v, rate %v", what, batch, batch.Rate(), single, single.Rate())
				}
				most = max(most, batch.Cycle())
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
	for _, h := range hashings {
		for _, k := range []int{1, 7, 64} {
			for _, o := range optionSets {
				g := bloomproof.Geometry{M: 64 * 64, K: k, Hashing: h}
				f := mustNew(t, bloomproof.Geometry{M: g.M / uint64(k) * uint64(k), K: k, Hashing: h}, o)
				filters := []*kernel.RecyclingFilter{}
				for _, r := range []bloomproof.Recycling{
					{Sigma: g.M / 2}, {Sigma: g.M / 2, Phases: bloomproof.TwoPhase, Freeze: bloomproof.FreezeBefore, NoCopyOver: true},
					{Rule: bloomproof.MessageBounded, Messages: 3, Retain: true, Phases: bloomproof.TwoPhase, Positions: bloomproof.Fresh},
				} {
					filters = append(filters, mustNewRecycling(t, f.Geometry(), r, o))
				}
				shared := f.Concurrent()
				sharedFilters := []*kernel.ConcurrentRecycling{}
				for _, f := range filters {
					sharedFilters = append(sharedFilters, f.Concurrent())
				}
				for _, n := range []int{1, 64, 300} {
					b := newKeyBatch(r, n, 100)
					bools := make([]bool, 0, 6*n)
					seen := make([]kernel.Observation, 0, 3*n)
					for what, op := range map[string]func(){
						"Add":      func() { f.AddHashBatch(f.AddUint64Batch(f.AddBatch(bools, b.keys), b.words), b.hashes) },
						"Contains": func() { f.ContainsHashBatch(f.ContainsUint64Batch(f.ContainsBatch(bools, b.keys), b.words), b.hashes) },
						"concurrent Observe": func() {
							for _, c := range sharedFilters {
								c.ObserveHashBatch(c.ObserveUint64Batch(c.ObserveBatch(seen, b.keys), b.words), b.hashes)
								c.ContainsHashBatch(c.ContainsUint64Batch(c.ContainsBatch(bools, b.keys), b.words), b.hashes)
							}
						},
						"concurrent Add": func() {
							shared.AddHashBatch(shared.AddUint64Batch(shared.AddBatch(bools, b.keys), b.words), b.hashes)
						},
						"concurrent Contains": func() {
							shared.ContainsHashBatch(shared.ContainsUint64Batch(shared.ContainsBatch(bools, b.keys), b.words), b.hashes)
						},
						"Observe": func() {
							for _, f := range filters {
								f.ObserveHashBatch(f.ObserveUint64Batch(f.ObserveBatch(seen, b.keys), b.words), b.hashes)
								f.ContainsHashBatch(f.ContainsUint64Batch(f.ContainsBatch(bools, b.keys), b.words), b.hashes)
							}
						},
					} {
						if allocs := testing.AllocsPerRun(5, op); allocs != 0 {
							t.Errorf("%v scheme=%v, %d keys: %s makes %v allocations", f.Geometry(), o.Scheme, n, what, allocs)
						}
					}
				}
			}
		}
	}
}
