package kernel

import (
	"math/bits"
	"unsafe"

	"github.com/bloomproof/bloomproof"
)

// In a large filter, setting the bit at a position costs a cache miss and an address translation. Parallel reads do not
// avoid these two costs. A bulk load therefore sorts many positions before it sets the bits at these positions. It
// divides the filter into parts that fit in the L2 cache. It collects the positions of many keys in piles. There is one
// pile for each part of the filter. When a pile is full, the bits at its positions are set. Meanwhile the part of the
// filter that belongs to this pile stays in the cache.
//
// The following times were measured in a filter of 1 GiB on AMD Zen 4. Putting a position on its pile takes 2.4 to 3.2
// ns. Setting the bit at this position takes 1.7 ns. The 1.7 ns include the time to read the part of the filter from
// memory. In this measurement each cache line had four positions on average. If the distance between piles is a power
// of two, a position takes 1 ns more. The reason is that the ends of all piles then fall into the same few cache sets.
// Another version of the bulk load gathered whole cache lines in a separate buffer. It then wrote them with stores that
// bypass the cache. This version was no faster. These figures and the constants below come from BenchmarkAddBulk.

const (
	// Sorting the positions saves time if the filter has at least bulkFrom words of 64 bits. These words take 32 MiB.
	bulkFrom = 1 << 22
	// The constant partShift gives the usual size of a part of the filter: 1<<partShift bits, or 512 KiB.
	partShift = 22
	// bulkParts is the largest number of parts into which a filter is divided. Each new position is written at the end
	// of its pile. So the L2 cache must have room for one cache line for each pile. In a very large filter, the parts
	// are larger than usual, so that there are at most bulkParts of them.
	bulkParts = 1 << 12
	// bulkScratch is the largest number of positions that all piles together can hold. These positions take 1 GiB.
	bulkScratch = 1 << 28
	// lineBits is the number of bits in a cache line.
	lineBits = 512
	// If AddBulk does not sort the positions, it calls AddBatch. Each call gets bulkAnswers keys. AddBulk discards the
	// results. The number is large enough to make the cost of starting a batch negligible.
	bulkAnswers = 1 << 12
	// The constant pileSpare gives the spare room of a pile. If piles have N positions on average, a pile has room for
	// N + N/pileSpare positions. A pile may become full before all keys are added. Then the bits at its positions are
	// set before the remaining keys are processed. Its part of the filter is then read into the cache more than once.
	pileSpare = 8
	// pileMost limits the length of a pile. A pile belongs to a part of the filter. Its length is at most pileMost
	// times the number of cache lines of this part. With four positions for each line, 98 % of the lines have at least
	// one position. A larger number would therefore hardly reduce the reads from memory.
	pileMost = 4
	// A part of the filter is read into the cache as a whole only if its pile has enough positions. Let c be the number
	// of cache lines of the part. Then the pile needs at least c/linesFew positions. Suppose that it has one position
	// for every two lines. Then 39 % of the lines have at least one position. The other 61 % are read without need.
	// With fewer positions, this share would be larger.
	linesFew = 2
	// linePos is the number of positions that fit in a cache line. On a pile a position takes 4 bytes.
	linePos = 16
)

// A bulk load divides a filter into parts, and collects positions in piles. bulkPlan gives the sizes of the parts and
// of the piles.
type bulkPlan struct {
	shift uint // a part has 1<<shift bits
	parts int
	pile  int // positions that a pile holds, a multiple of linePos
}

// planBulk returns a plan for adding n keys to a filter with geometry g. The result "ok" is false if sorting the
// positions saves no time. It is false for small filters, for filters with blocks, and for k > scanK. It is also false
// if each pile would have too few positions. The smallest permitted number is half the number of cache lines in the
// pile's part of the filter.
func planBulk(g bloomproof.Geometry, n int) (p bulkPlan, ok bool) {
	if wordsFor(g.M) < bulkFrom || g.K > scanK || g.Block != 0 { // with blocks, a key causes one cache miss only
		return p, false
	}
	p.shift = max(partShift, uint(bits.Len64((g.M-1)/bulkParts)))
	p.parts = int((g.M-1)>>p.shift) + 1
	// A pile has room for the mean number of positions of a pile, plus some spare room. The spare room is needed
	// because some piles get more positions than others. But a pile has room for at most pileMost positions for each
	// cache line of its part of the filter.
	each := uint64(n) * uint64(g.K) / uint64(p.parts)
	pile := min(each+each/pileSpare, pileMost<<p.shift/lineBits, bulkScratch/uint64(p.parts))
	p.pile = int(pile) / linePos * linePos
	return p, pile >= 1<<p.shift/lineBits/linesFew
}

// AddBulk adds keys and returns the number of clear bits that it set. Afterwards the filter is the same as after
// AddBatch. AddBulk is faster than AddBatch if the filter is large and there are at least m/(1024*k) keys. The reason
// is that AddBulk sorts the positions of the keys before it sets the bits there. If possible, pass all keys in one
// call.
//
// Cost: O(k) for each key. If the filter has at least 32 MiB and k <= 64, AddBulk needs memory while it runs. This
// memory is at most 5*k bytes for each key. It is also at most about m/32 bytes, and at most about 1 GiB. If the host
// refuses that memory, AddBulk adds the keys without sorting.
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

// addSorted adds the keys according to the plan. If the host refuses the memory for the piles, addSorted does nothing
// and returns false.
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

// A loader is the state of a call of AddBulk that sorts positions.
type loader struct {
	f    *Filter
	plan bulkPlan
	// The field "stride" is the distance from the beginning of one pile to the beginning of the next, counted in
	// positions. It is chosen so that piles begin in different cache sets.
	stride int
	next   []uint64
	// The slice "piles" has the positions of all piles. The field "scratch" is the same memory, as words of 64 bits. A
	// pile has only the low 32 bits of each position. The pile of part i begins at piles[i*stride] and ends before
	// piles[next[i]].
	piles   []uint32
	scratch []uint64
}

// The method "sort" puts the positions on their piles. If a pile becomes full, the method sets the bits at the
// positions on this pile. It also lists the places where the next positions will be stored, so that the caller can
// prefetch these places. It writes this list to the array "soon". A place is the index of a bit of l.scratch. The
// result n is the length of this list.
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

// The method "set" empties the pile of the given part. It sets the bits at the positions that were on this pile, and
// counts the bits that were clear.
func (l *loader) set(part int) {
	from := part << (l.plan.shift - 6)
	words := l.f.words[from:min(len(l.f.words), (part+1)<<(l.plan.shift-6))]
	pile := l.piles[part*l.stride : l.next[part]]
	l.next[part] = uint64(part * l.stride)
	mask := uint32(1<<(l.plan.shift-6) - 1)
	if len(pile) < len(words)*64/lineBits/linesFew {
		// The few positions of this pile lie in few cache lines. So the part is not read into the cache as a whole.
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
