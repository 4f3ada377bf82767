package kernel

import "iter"

// A pair consists of two arrays of the same length, array 0 and array 1, in one slice of words. The words of the two
// arrays alternate: bit p of array s is bit p&63 of pair[2*(p>>6)+s]. So bit p of array 0 and bit p of array 1 are in
// the same cache line.

// A column is an array of bits. It may be one of the two arrays of a pair. The method word(p) points to the word that
// contains bit p. Within the word, it is bit p&63. The field "stride" is the distance between successive words of the
// array. To find word i of the array, i is multiplied by this distance. A multiplication is faster than a shift by a
// variable number of bits. Use the function "whole" or the function "half" to make a column.
type column struct {
	words  []uint64 // begins with the first word of the array
	stride uint64   // 2 for an array of a pair, otherwise 1
}

func whole(words []uint64) column { return column{words, 1} }

func half(pair []uint64, side int) column { return column{pair[side:], 2} }

func (c column) word(p uint64) *uint64 { return &c.words[p>>6*c.stride] }

// The method "len" returns the number of words of the array.
func (c column) len() int {
	if c.stride == 2 {
		return (len(c.words) + 1) / 2
	}
	return len(c.words)
}

// The method "read" copies consecutive words of the array to dst until dst is full. The argument "from" is the number
// of the first of these words.
func (c column) read(dst []uint64, from int) {
	if c.stride == 1 {
		copy(dst, c.words[from:])
		return
	}
	src := c.words[2*from:]
	for i := range dst {
		dst[i] = src[2*i]
	}
}

// The method "chunks" yields the words of the array, at most len(buf) at a time. If the array is one of a pair, the
// method "chunks" copies its words to buf.
func (c column) chunks(buf []uint64) iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) {
		for from, n := 0, c.len(); from < n; from += len(buf) {
			chunk := buf[:min(len(buf), n-from)]
			if c.stride == 1 {
				chunk = c.words[from : from+len(chunk)]
			} else {
				c.read(chunk, from)
			}
			if !yield(chunk) {
				return
			}
		}
	}
}

// The method "equal" reports whether c and o have the same bits.
func (c column) equal(o column) bool {
	if c.len() != o.len() {
		return false
	}
	for i := range uint64(c.len()) {
		if *c.word(64 * i) != *o.word(64 * i) {
			return false
		}
	}
	return true
}

// The method "clear" clears all bits of the array.
func (c column) clear() {
	if c.stride == 1 {
		clear(c.words)
		return
	}
	for i := 0; i < len(c.words); i += 2 {
		c.words[i] = 0
	}
}

// The method "tally" counts the set bits of words. If the argument "times" is 1, it adds the numbers to the counts c.
// If this argument is -1, it subtracts them. The words are a part of an array of layout l. The argument "from" says at
// which word of this array they begin.
func (c *counts) tally(im impl, l *layout, words []uint64, from, times int) {
	c.bits += uint64(times * count(im, words))
	if c.slices == nil {
		return
	}
	slice := l.step
	lo, hi := 64*uint64(from), min(l.g.M, 64*uint64(from+len(words)))
	for j := lo / slice; j*slice < hi; j++ {
		c.slices[j] += uint64(times) * rangeCount(im, words, max(j*slice, lo)-lo, (j+1)*slice-lo)
	}
}

// recountPair counts the set bits of the active array and of the frozen array. It also counts the bits that are set in
// both arrays. It stores these numbers in the fields of the filter.
func (f *RecyclingFilter) recountPair() {
	f.active.counts, f.frozen.counts, f.overlap = f.newCounts(), f.newCounts(), f.newCounts()
	active, frozen := f.columns()
	chunk := chunkOf(uint64(active.len()))
	buf := make([]uint64, 2*chunk)
	for from, n := 0, active.len(); from < n; from += chunk {
		size := min(chunk, n-from)
		a, b := buf[:size], buf[chunk:][:size]
		active.read(a, from)
		frozen.read(b, from)
		f.active.tally(f.im, &f.layout, a, from, 1)
		f.frozen.tally(f.im, &f.layout, b, from, 1)
		andInto(f.im, a, b)
		f.overlap.tally(f.im, &f.layout, a, from, 1)
	}
}

// pairBits returns bit p of both arrays of a pair. Bit s of the result is bit p of array s.
func pairBits(pair []uint64, p uint64) uint64 {
	w := pair[p>>6<<1:][:2]
	return w[0]>>(p&63)&1 | w[1]>>(p&63)&1<<1
}

// pairHas examines the bits at the positions of h in both arrays of a pair. Bit s of the result is 1 if these bits are
// all set in array s.
func pairHas(pair []uint64, l *layout, h Hash) uint64 {
	all := uint64(3)
	s, sh := newStream(h), l.shape
	for j := uint64(0); j < uint64(sh.k); j++ {
		if all &= pairBits(pair, j*sh.step+reduce(s.next(), sh.span)); all == 0 {
			return 0
		}
	}
	if !l.settled {
		var buf [scanK]uint64
		for _, p := range l.appendPositions(buf[:0], h) {
			all &= pairBits(pair, p)
		}
	}
	return all
}

// A pairCount consists of three counts. The counts describe an operation on one of the two arrays of a pair. This
// operation sets the bits at some positions. The low 16 bits count the positions where the bit was clear in this array
// before the operation. The next 16 bits count the positions where the bit was clear in this array and is set in the
// other array. The remaining bits hold the third count. It is the number of all positions where the bit is clear in the
// other array. The three counts are in one word because loops over positions have few free registers. The number of
// positions is at most MaxK, which is less than 2^16.
type pairCount uint64

func (c pairCount) fresh() uint64   { return uint64(c) & 0xffff }
func (c pairCount) overlap() uint64 { return uint64(c) >> 16 & 0xffff }
func (c pairCount) known() bool     { return c>>32 == 0 } // in the other array no position has a clear bit

// pairSet sets bit p in one array of a pair, and returns the counts for this position. The argument "side" is the
// number of the array, 0 or 1.
func pairSet(pair []uint64, side, p uint64) pairCount {
	i := p>>6<<1 | side
	old := pair[i]
	pair[i] = old | 1<<(p&63)
	clear := ^old >> (p & 63) & 1
	other := pair[i^1] >> (p & 63) & 1
	return pairCount(clear + (clear&other)<<16 + (other^1)<<32)
}

// pairInsert sets the bits at the positions of h in the active array of the pair. It returns the counts for these
// positions.
func (f *RecyclingFilter) pairInsert(h Hash) (c pairCount) {
	switch {
	case f.plain():
		c = pairSetAll(f.pair, uint64(f.side), h, f.span, f.k)
	case f.settled:
		s, slice := newStream(h), f.step
		for j := range uint64(f.k) {
			one := pairSet(f.pair, uint64(f.side), j*slice+reduce(s.next(), slice))
			f.active.slices[j] += one.fresh()
			f.overlap.slices[j] += one.overlap()
			c += one
		}
	default:
		var buf [scanK]uint64
		return f.pairInsertAt(f.appendPositions(buf[:0], h))
	}
	f.active.bits += c.fresh()
	f.overlap.bits += c.overlap()
	return c
}

// pairSetAll does the same as setAll, in one array of a pair. The argument "side" is the number of the array, 0 or 1.
func pairSetAll(pair []uint64, side uint64, h Hash, m uint64, k int) (c pairCount) {
	state, gamma := h.H0, h.H1|1
	for ; k > 0; k-- {
		state += gamma
		c += pairSet(pair, side, reduce(word(state), m))
	}
	return c
}

// pairInsertAt does the same as pairInsert, for the positions in the slice pos.
func (f *RecyclingFilter) pairInsertAt(pos []uint64) (c pairCount) {
	for j, p := range pos {
		one := pairSet(f.pair, uint64(f.side), p)
		if f.active.slices != nil {
			f.active.slices[j] += one.fresh()
			f.overlap.slices[j] += one.overlap()
		}
		c += one
	}
	f.active.bits += c.fresh()
	f.overlap.bits += c.overlap()
	return c
}
