package kernel

import (
	"math/bits"
	"unsafe"

	"github.com/bloomproof/bloomproof"
)

// In a large filter each position costs a cache miss and an address translation, however many reads are under way. A
// bulk load therefore sorts positions before it sets the bits there. It divides the filter into parts that fit in the
// L2 cache, and puts the positions of many keys on piles, one pile for each part. When a pile is full, the bits at its
// positions are set while its part of the filter is in the cache.
//
// On AMD Zen 4, in a filter of 1 GiB, it takes 2.4 to 3.2 ns to put a position on its pile and 1.7 ns to set its bit.
// The 1.7 ns include reading the part from memory, if the pile has four positions for each cache line of the part. If
// the distance between piles is a power of two, a position costs 1 ns more, because the ends of all piles then fall
// into the same few cache sets. Gathering whole cache lines in a separate buffer, and writing them with stores that
// bypass the cache, gained nothing. The figures and the constants below come from BenchmarkAddBulk.

const (
	// bulkFrom is the size of the smallest filter, in words of 64 bits, for which sorting positions pays. It amounts to
	// 32 MiB.
	bulkFrom = 1 << 22
	// The constant partShift gives the size of a part of the filter: 1<<partShift bits, which is 512 KiB.
	partShift = 22
	// bulkParts is the largest number of parts into which a filter is divided. The end of each pile takes a cache line,
	// and all these lines must fit in the L2 cache. Larger filters have larger parts.
	bulkParts = 1 << 12
	// bulkScratch is the largest number of positions that all piles together have room for. The piles then take 1 GiB.
	bulkScratch = 1 << 28
	// lineBits is the number of bits in a cache line.
	lineBits = 512
	// bulkAnswers is the number of keys that are passed to AddBatch at a time; its answers are discarded. The number is
	// large enough to hide the cost of starting a batch.
	bulkAnswers = 1 << 12
	// A pile has room for the mean number of positions in a pile, and for 1/pileSpare of this number in addition. The
	// bits at the positions of a pile that becomes full are set early, so its part of the filter is brought into the
	// cache once more.
	pileSpare = 8
	// pileMost is the largest number of positions that a pile holds for each cache line of its part. With four for each
	// line, 98 % of the lines have at least one position, so a larger number would not reduce the reads from memory.
	pileMost = 4
	// A whole part of the filter is read into the cache only if it has at most linesFew cache lines for each position
	// on its pile. With one position for two lines, 39 % of the lines have a position. With fewer positions, still more
	// of the lines would be read for nothing.
	linesFew = 2
	// linePos is the number of positions, of 4 bytes each, that a cache line of a pile holds.
	linePos = 16
)

// bulkPlan says into which parts a bulk load divides a filter, and how many positions each pile can hold.
type bulkPlan struct {
	shift uint // a part has 1<<shift bits
	parts int
	pile  int // positions that a pile holds, a multiple of linePos
}

// planBulk returns the plan by which to add n keys to a filter of geometry g. The result ok is false when sorting their
// positions does not pay: in small filters, in filters with blocks, for k > scanK, and when a pile would have fewer
// than two positions for every four cache lines of its part.
func planBulk(g bloomproof.Geometry, n int) (p bulkPlan, ok bool) {
	if wordsFor(g.M) < bulkFrom || g.K > scanK || g.Block != 0 { // with blocks, a key causes one cache miss only
		return p, false
	}
	p.shift = max(partShift, uint(bits.Len64((g.M-1)/bulkParts)))
	p.parts = int((g.M-1)>>p.shift) + 1
	// A pile has room for the mean number of positions in a pile, and spare room, because some piles get more positions
	// than others. It has room for at most pileMost positions for each cache line of its part.
	each := uint64(n) * uint64(g.K) / uint64(p.parts)
	pile := min(each+each/pileSpare, pileMost<<p.shift/lineBits, bulkScratch/uint64(p.parts))
	p.pile = int(pile) / linePos * linePos
	return p, pile >= 1<<p.shift/lineBits/linesFew
}

// AddBulk adds keys and returns how many bits it set that were clear before. The filter is then the same as after
// AddBatch. AddBulk is faster than AddBatch if the filter is large and there are at least m/(1024 k) keys, because it
// sorts the positions before it sets them. Pass all keys in one call if possible.
//
// Cost: O(k) a key. For filters of at least 32 MiB with k <= 64 it needs memory while it runs: at most the smallest of
// 5k bytes for each key, m/32 bytes, and 1 GiB. If the host refuses that memory, AddBulk adds the keys without sorting.
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

// addSorted adds the keys by the given plan. It returns false, and does nothing, when the host refuses the memory for
// the piles.
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

// A loader is the state of one call of AddBulk that sorts positions.
type loader struct {
	f    *Filter
	plan bulkPlan
	// stride is the distance, in positions, from the beginning of one pile to the beginning of the next. It is chosen
	// so that piles begin in different cache sets.
	stride int
	next   []uint64
	// The slice piles holds all piles, and scratch is the same memory, seen as words of 64 bits. A pile holds the low
	// 32 bits of each of its positions. The pile of part i begins at piles[i*stride] and ends before piles[next[i]].
	piles   []uint32
	scratch []uint64
}

// sort puts the positions on their piles. If a pile becomes full, it sets the bits at the positions of this pile. It
// lists in soon the places in l.scratch where it will write next, each as the number of a bit of l.scratch, so that the
// caller can prefetch them. It returns the length of this list.
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
			soon[n] = (at + linePos) * 32 // the cache line after the one that begins here
			n++
		}
	}
	return n
}

// The method set sets the bits at the positions on the pile of a part, counts the bits that were clear, and empties the
// pile.
func (l *loader) set(part int) {
	from := part << (l.plan.shift - 6)
	words := l.f.words[from:min(len(l.f.words), (part+1)<<(l.plan.shift-6))]
	pile := l.piles[part*l.stride : l.next[part]]
	l.next[part] = uint64(part * l.stride)
	mask := uint32(1<<(l.plan.shift-6) - 1)
	if len(pile) < len(words)*64/lineBits/linesFew {
		// A few positions touch only a small share of the part, so the whole part is not read for them.
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
	l.f.tally(l.f.im, &l.f.layout, words, from, -1) // this also brings the words into the cache
	for _, p := range pile {
		words[p>>6&mask] |= 1 << (p & 63)
	}
	l.f.tally(l.f.im, &l.f.layout, words, from, 1)
}
