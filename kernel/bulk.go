package kernel

import (
	"math/bits"
	"unsafe"

	"github.com/bloomproof/bloomproof"
)

// A large filter costs a position a miss of the cache and a translation of its address,
// however many are under way. A bulk load sorts positions before it sets them: it lays
// those of many keys on piles, one for each part of the filter that fits in L2, and when
// a pile is full sets it, with its part in the cache.
//
// What it costs a position (AMD Zen 4, 1 GiB): 2.4 to 3.2 ns to lay it on its pile, and 1.7
// to set it, the reading of the part included when there are four for each of its cache
// lines. Piles that begin a power of two apart cost 1 ns more, as their ends then share
// sets of the cache. What gained nothing: lines gathered beside the piles and stored past
// the cache. The sizes are from BenchmarkAddBulk.

const (
	// bulkFrom is the least size in words (32 MiB) of a filter for which sorting pays.
	bulkFrom = 1 << 22
	// partShift is the number of address bits of a part: 512 KiB.
	partShift = 22
	// bulkParts is the most parts: the ends of all piles, a cache line each, must be in L2.
	// Parts of larger filters are larger.
	bulkParts = 1 << 12
	// bulkScratch is the most positions on all piles: 1 GiB.
	bulkScratch = 1 << 28
	// lineBits is the number of bits in a cache line.
	lineBits = 512
	// bulkAnswers is the number of answers of AddBatch, which nobody wants, that are made
	// at a time: as many as hide the start of a batch.
	bulkAnswers = 1 << 12
	// pileSpare is the part of the mean pile, an eighth, that piles have room for besides: a
	// pile that overflows is set early, which brings its part near once more.
	pileSpare = 8
	// pileMost is the most positions for a cache line of a part that a pile has room for:
	// of four for each, 98 % of the lines have one, and more would not save reading.
	pileMost = 4
	// linesFew is the most cache lines of a part for each position at which the whole part is
	// read: of one position for two lines, 39 % of the lines have one, and with fewer most
	// would be read for nothing.
	linesFew = 2
	// linePos is the number of positions in a cache line of a pile.
	linePos = 16
)

// bulkPlan says how positions are sorted.
type bulkPlan struct {
	shift uint // a part has 1<<shift bits
	parts int
	pile  int // positions that a pile holds, a multiple of linePos
}

// planBulk returns the plan by which to add n keys; ok is false when to sort them does
// not pay: in small filters, and when there are fewer than two positions for four cache
// lines.
func planBulk(g bloomproof.Geometry, n int) (p bulkPlan, ok bool) {
	if wordsFor(g.M) < bulkFrom || g.K > scanK || g.Block != 0 { // a key of a block misses once
		return p, false
	}
	p.shift = max(partShift, uint(bits.Len64((g.M-1)/bulkParts)))
	p.parts = int((g.M-1)>>p.shift) + 1
	// All on their piles at once, some of which get more than others; at most four for a
	// cache line.
	each := uint64(n) * uint64(g.K) / uint64(p.parts)
	pile := min(each+each/pileSpare, pileMost<<p.shift/lineBits, bulkScratch/uint64(p.parts))
	p.pile = int(pile) / linePos * linePos
	return p, pile >= 1<<p.shift/lineBits/linesFew
}

// AddBulk adds keys and returns the number of bits that they found clear. It leaves the
// filter as AddBatch does, and is faster where the filter is large and the keys are many,
// at least m/1024k of them: their positions are sorted before they are set. Give it as
// many as there are.
//
// Cost: O(k) a key. Memory, for filters of at least 32 MiB with k <= 64, while it runs: at
// most 5k bytes a key, m/32 bytes, and 1 GiB. It does without when the host refuses that.
func (f *Filter) AddBulk(keys Keys) (fresh uint64) {
	f.mustBeMade()
	before := f.bits
	if plan, ok := planBulk(f.g, keys.n); !ok || !f.addSorted(keys, plan) {
		var out [bulkAnswers]bool
		for keys.n > 0 {
			front := keys.first(len(out))
			f.AddBatch(out[:0], front)
			keys = keys.after(front.n)
		}
	}
	return f.bits - before
}

// addSorted adds the keys by a plan. It returns false, and does nothing, when the host
// refuses the memory.
func (f *Filter) addSorted(keys Keys, plan bulkPlan) bool {
	l := loader{f: f, plan: plan, stride: plan.pile + linePos, next: make([]uint64, plan.parts)}
	var err error
	if l.scratch, err = newWords(f.g.M, uint64(plan.parts)*uint64(l.stride)/2); err != nil {
		return false
	}
	l.piles = unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(l.scratch))), 2*len(l.scratch))
	for part := range l.next {
		l.next[part] = uint64(part * l.stride)
	}
	var pos [posBlock]uint64
	var soon [posBlock]uint64
	var buf [posBlock]Hash
	for keys.n > 0 {
		h := keys.hash(&f.hash, f.im, buf[:posBlock/f.k])
		at := pos[:len(h)*f.k]
		f.derive(f.im, at, h)
		prefetch(f.im, l.scratch, soon[:l.sort(at, &soon)])
		keys = keys.after(len(h))
	}
	for part := range l.next {
		l.set(part)
	}
	return true
}

// loader is a bulk load under way.
type loader struct {
	f      *Filter
	plan   bulkPlan
	stride int // from pile to pile: they begin in different sets of the cache
	next   []uint64
	// The piles, and the same memory as words: the low 32 bits of positions, those of part
	// i from piles[i*stride] up to, not including, piles[next[i]].
	piles   []uint32
	scratch []uint64
}

// sort lays the positions on their piles, and sets those that get full. It returns the
// number of bits of l.scratch that it listed in soon: those where it will write before
// long.
func (l *loader) sort(pos []uint64, soon *[posBlock]uint64) (n int) {
	next, piles, shift := l.next, l.piles, l.plan.shift&63
	for _, p := range pos {
		part := int(p >> shift)
		at := next[part]
		piles[at] = uint32(p)
		at++
		next[part] = at
		if at%linePos == 0 { // the next position begins a cache line
			if at == uint64(part*l.stride+l.plan.pile) {
				l.set(part)
				at = next[part]
			}
			soon[n] = (at + linePos) * 32 // the line after that one
			n++
		}
	}
	return n
}

// set sets the positions on the pile of a part, counts the bits, and clears the pile.
func (l *loader) set(part int) {
	from := part << (l.plan.shift - 6)
	words := l.f.words[from:min(len(l.f.words), (part+1)<<(l.plan.shift-6))]
	pile := l.piles[part*l.stride : l.next[part]]
	l.next[part] = uint64(part * l.stride)
	mask := uint32(1<<(l.plan.shift-6) - 1)
	if len(pile) < len(words)*64/lineBits/linesFew {
		// A few leave most of the part as it is: it is not read for them.
		for _, p := range pile {
			bit := setBit(words, uint64(p&(mask<<6|63)))
			l.f.bits += bit
			if l.f.slices != nil {
				at := uint64(part)<<l.plan.shift | uint64(p&(mask<<6|63))
				l.f.slices[at/l.f.step] += bit
			}
		}
		return
	}
	l.f.tally(l.f.im, &l.f.layout, words, from, -1) // which brings them near
	for _, p := range pile {
		words[p>>6&mask] |= 1 << (p & 63)
	}
	l.f.tally(l.f.im, &l.f.layout, words, from, 1)
}
