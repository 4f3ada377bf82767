package kernel

import (
	"math/rand/v2"

	"github.com/bloomproof/bloomproof"
)

// Unexported parts that the tests of positions, estimates and snapshots need.

const (
	HeaderSize = headerSize
	ChunkWords = chunkWords
	HugeBytes  = hugeBytes
	MaxM       = maxM
)

// Draws is the number of words that classic hashing draws before it falls back.
func Draws(k int) int { return draws(k) }

// AppendByRank completes dst to k positions below m by the fallback of classic
// hashing, with the words of the stream whose state and increment are given.
func AppendByRank(dst []uint64, m uint64, k int, state, gamma uint64) []uint64 {
	return appendByRank(dst, 0, m, k, &stream{state, gamma})
}

// Reduce is reduce(x, s) of the derivation.
func Reduce(x, s uint64) uint64 { return reduce(x<<12, s) }

// ItemsFrom is the estimate of items from b set bits.
func ItemsFrom(g bloomproof.Geometry, b uint64) (float64, bool) {
	l := mustLayout(g)
	return l.itemsOf(b)
}

// RateFrom is the rate given the set bits, in all and of each slice.
func RateFrom(g bloomproof.Geometry, b uint64, slices []uint64) float64 {
	l := mustLayout(g)
	return l.rateOf(&counts{b, slices})
}

// mustLayout returns the layout of g, which has one.
func mustLayout(g bloomproof.Geometry) layout {
	l, err := layoutOf(g)
	if err != nil {
		panic(err)
	}
	return l
}

// MakeWords is the allocation of arrays.
func MakeWords(n int) []uint64 { return makeWords(n) }

// SchemeOf names the hash function of filters with options o.
func SchemeOf(o Options) string { return newHasher(o).scheme.String() }

// HashWord is the hash of the 8 little-endian bytes of key by XXH3 with a seed.
func HashWord(key, seed uint64) Hash { return xxh3Word(key, seed) }

// FillRandom sets a quarter of the bits at random.
func (f *Filter) FillRandom(r *rand.Rand) {
	for i := range f.g.M / 64 {
		f.words[i] = r.Uint64() & r.Uint64()
	}
	f.recount(&f.layout, f.im)
}

// FillRandom sets a quarter of the bits of the active array at random, and half of those
// of the frozen one: the middle of a cycle that ends at half of the bits.
func (f *RecyclingFilter) FillRandom(r *rand.Rand) {
	active, frozen := f.columns()
	for i := range f.g.M / 64 {
		*active.word(64 * i) = r.Uint64() & r.Uint64()
	}
	if frozen.len() > 0 {
		for i := range f.g.M / 64 {
			*frozen.word(64 * i) = r.Uint64()
		}
	}
	if f.pair != nil {
		f.recountPair()
		return
	}
	f.active.recount(&f.layout, f.im)
	f.frozen.recount(&f.layout, f.im)
}

// AddSaturating adds the counters of two words.
func AddSaturating(width int, a, b uint64) uint64 { return packingOf(width).addSaturating(a, b) }

// NonZero and Topped return the highest bits of the counters of a word that are not 0, and
// that are full.
func NonZero(width int, w uint64) uint64 { return packingOf(width).nonZero(w) }
func Topped(width int, w uint64) uint64  { return packingOf(width).topped(w) }

// ReadFilter is MapFilter where there is no mmap.
func ReadFilter(path string, o Options) (*MappedFilter, error) { return openMapped(path, o, readWords) }

// PlanBulk is the plan of AddBulk for n keys: the address bits of a part, the number of
// parts, and the positions of a pile.
func PlanBulk(g bloomproof.Geometry, n int) (shift uint, parts, pile int, ok bool) {
	p, ok := planBulk(g, n)
	return p.shift, p.parts, p.pile, ok
}

// AddSorted is AddBulk by a plan with parts of 1<<shift bits.
func (f *Filter) AddSorted(hashes []Hash, shift uint, pile int) bool {
	return f.addSorted(KeysOf(hashes), bulkPlan{shift, int((f.g.M-1)>>shift) + 1, pile})
}

// Cycle is the hash from which positions in a cycle follow.
func (h Hash) Cycle(cycle uint64) Hash { return h.inCycle(cycle) }

// Recount is the number of set bits counted anew.
func (f *ConcurrentFilter) Recount() uint64 { return rangeCountShared(f.f.words, 0, f.f.g.M) }

// Recount is the number of counters that are not 0, and of saturated ones, counted anew.
func (f *CountingFilter) Recount() (bits, saturated uint64) { return f.tally(0, f.g.M) }

// AppendWords appends the words of the counters.
func (f *CountingFilter) AppendWords(dst []uint64) []uint64 { return append(dst, f.words...) }

// AppendWords appends the words in the file.
func (m *MappedFilter) AppendWords(dst []uint64) []uint64 { return m.open().AppendWords(dst) }

// OnSaveStep has SaveFile call f before each step, until undo is called.
func OnSaveStep(f func(step string) error) (undo func()) {
	before := saveStep
	saveStep = f
	return func() { saveStep = before }
}
