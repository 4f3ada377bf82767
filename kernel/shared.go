package kernel

import (
	"math/bits"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/bloomproof/bloomproof/kernel/asm"
)

// The functions below are for shared words: other goroutines may set bits of these words at the same time. Only Go code
// accesses shared words, by means of sync/atomic, so the race detector sees all accesses. Shared words are never passed
// to assembly. On amd64 and arm64 an atomic load costs no more than a plain load. Bits are cleared only while no other
// goroutine uses the words. At all other times bits are only set, so a load sees every bit that was set before the
// load.

// getShared returns bit i of an array. The argument w points to the word that contains this bit.
func getShared(w *uint64, i uint64) uint64 { return atomic.LoadUint64(w) >> (i & 63) & 1 }

// setShared sets bit i of an array. The argument w points to the word that contains this bit. The result is 1 if the
// bit was clear, and otherwise 0. If several goroutines set the same bit, exactly one call returns 1. If the bit is
// already set, setShared only reads the word. The cache line of the word can then stay in the caches of several cores.
func setShared(w *uint64, i uint64) uint64 {
	bit := uint64(1) << (i & 63)
	if atomic.LoadUint64(w)&bit != 0 {
		return 0
	}
	return ^atomic.OrUint64(w, bit) >> (i & 63) & 1
}

// The function "touch" reads the words of c that have the bits at the positions pos. So these words are in the cache
// when they are written. An atomic write waits until earlier memory accesses are complete, and delays later ones.
// Without the function "touch", the writes to a large filter would therefore wait for memory one after the other.
func touch(c column, pos []uint64) {
	for _, p := range pos {
		atomic.LoadUint64(c.word(p))
	}
}

// The type clearShared is a list of positions. The bits at these positions were found clear and are to be set. All bits
// are read first, and the clear ones are set afterwards. So only the branch at the end of the list is hard to predict.
// If each bit were set at once, the branch for each bit would be hard to predict.
type clearShared struct {
	pos [shortK]uint64
	n   int
}

// The method "find" adds the position p to the list if the bit there is clear. The list must have room for p.
func (c *clearShared) find(words []uint64, p uint64) {
	c.pos[c.n&(shortK-1)] = p
	c.n += int(getShared(&words[p>>6], p) ^ 1)
}

// The method "set" sets the bits at the listed positions. It returns the number of bits that were clear before this
// call set them.
func (c *clearShared) set(words []uint64) (fresh uint64) {
	for _, p := range c.pos[:c.n] {
		fresh += ^atomic.OrUint64(&words[p>>6], 1<<(p&63)) >> (p & 63) & 1
	}
	return fresh
}

// setAllShared sets the bits at the positions pos. It returns the number of bits that were clear before this call set
// them.
func setAllShared(words, pos []uint64) (fresh uint64) {
	for len(pos) > 0 {
		n := min(len(pos), shortK)
		var found clearShared
		for _, p := range pos[:n] {
			found.find(words, p)
		}
		fresh += found.set(words)
		pos = pos[n:]
	}
	return fresh
}

// setDrawsShared sets the bits at the positions that are drawn from the hash h. The shape sh determines how they are
// drawn. It returns the number of bits that were clear before this call set them.
func setDrawsShared(words []uint64, sh shape, h Hash) (fresh uint64) {
	s := newStream(h)
	for j := uint64(0); j < uint64(sh.k); {
		var found clearShared
		for end := min(uint64(sh.k), j+shortK); j < end; j++ {
			found.find(words, j*sh.step+reduce(s.next(), sh.span))
		}
		fresh += found.set(words)
	}
	return fresh
}

// containsAllShared reports whether the bits at all positions pos are set in c. It reads all these bits, which takes
// less time than stopping at the first clear bit.
func containsAllShared(c column, pos []uint64) bool {
	all := uint64(1)
	for _, p := range pos {
		all &= getShared(c.word(p), p)
	}
	return all != 0
}

// containsShared does the same as array.contains. It is for words that goroutines share.
func containsShared(c column, l *layout, h Hash) bool {
	if l.size != 0 {
		return blockShared(c, l, h)
	}
	all := drawsShared(c, l.shape, h)
	if l.settled { // tested first, so that there is no branch on the answer
		return all
	}
	return all && (!l.mayRepeat(h) || positionsShared(c, l, h))
}

// drawsShared reports whether the bits at all positions that are drawn from the hash h are set in c. The shape sh
// determines how they are drawn.
func drawsShared(c column, sh shape, h Hash) bool {
	s := newStream(h)
	all := uint64(1)
	for j := range uint64(sh.k) {
		p := j*sh.step + reduce(s.next(), sh.span)
		all &= getShared(c.word(p), p)
	}
	return all != 0
}

// blockShared does the same as containsShared, in a filter with blocks.
func blockShared(c column, l *layout, h Hash) bool {
	number, _ := bits.Mul64(h.H0, l.blocks)
	e, each := asm.BlockDraws(l.span)
	all, base := uint64(1), number*l.size
	for j := 0; j < l.k; j += each {
		x := asm.BlockWord(h.H0, h.H1, j/each)
		for range min(each, l.k-j) {
			p := base + x&(l.span-1)
			all &= getShared(c.word(p), p)
			x >>= e & 63
			base += l.step
		}
	}
	return all != 0
}

// touchBlocks reads the first word of the block of each key in h. These reads bring words into the cache before the
// words are written. The function "touch" has the same purpose.
func touchBlocks(c column, l *layout, h []Hash) {
	for i := range h {
		number, _ := bits.Mul64(h[i].H0, l.blocks)
		atomic.LoadUint64(c.word(number * l.size))
	}
}

// lineWords is the number of words in a cache line.
const lineWords = 8

// setBlockShared sets the bits at the positions of h, in a filter with blocks. It returns the number of bits that were
// clear before this call set them. If blocks are not larger than a cache line, it writes each word at most once. It
// then writes only words in which a bit was clear.
func setBlockShared(words []uint64, l *layout, h Hash) (fresh uint64) {
	if l.size > lineWords*64 {
		var buf [scanK]uint64
		return setAllShared(words, l.appendPositions(buf[:0], h))
	}
	number, _ := bits.Mul64(h.H0, l.blocks)
	of := words[number*(l.size/64):][:l.size/64]
	e, each := asm.BlockDraws(l.span)
	var set [lineWords]uint64
	base := uint64(0)
	for j := 0; j < l.k; j += each {
		x := asm.BlockWord(h.H0, h.H1, j/each)
		for range min(each, l.k-j) {
			p := base + x&(l.span-1)
			set[p>>6&(lineWords-1)] |= 1 << (p & 63)
			x >>= e & 63
			base += l.step
		}
	}
	var todo [lineWords]uint8 // the words that need a bit set, listed as in clearShared
	n := 0
	for i := range of {
		todo[n&(lineWords-1)] = uint8(i)
		left := set[i&(lineWords-1)] &^ atomic.LoadUint64(&of[i])
		n += int((left | -left) >> 63)
	}
	for _, i := range todo[:n] {
		bit := set[i&(lineWords-1)]
		fresh += uint64(bits.OnesCount64(bit &^ atomic.OrUint64(&of[i], bit)))
	}
	return fresh
}

// positionsShared does the same as containsShared, but it derives all positions first.
func positionsShared(c column, l *layout, h Hash) bool {
	if l.k <= shortK {
		var buf [shortK]uint64
		return containsAllShared(c, l.appendPositions(buf[:0], h))
	}
	var buf [scanK]uint64
	return containsAllShared(c, l.appendPositions(buf[:0], h))
}

// In a filter of at most lookUpWords words, a look-up reads the bits at all positions. This takes less time than
// finding out which bits are needed. The following times are for a filter of 4 MiB. A look-up that reads all bits takes
// 18 ns. A look-up that reads only the needed bits takes 39 ns for a key in the filter, and 14 ns for an absent key.
const lookUpWords = 1 << 19

// lookUpAllShared sets out[i] to true if the bits at all positions of h[i] are set in c, otherwise to false.
func lookUpAllShared(im impl, out []bool, c column, l *layout, h []Hash) {
	if l.size != 0 {
		for len(h) > 0 {
			n := min(len(h), farBlock)
			touchBlocks(c, l, h[:n])
			for i := range n {
				out[i] = blockShared(c, l, h[i])
			}
			out, h = out[n:], h[n:]
		}
		return
	}
	k := l.k
	if k > scanK { // the positions of one key are processed as a batch
		for i := range h {
			out[i] = containsShared(c, l, h[i])
		}
		return
	}
	var buf [posBlock]uint64
	for len(h) > 0 {
		n := min(len(h), farBlock, posBlock/k)
		pos := buf[:n*k]
		l.draw(im, pos, h[:n])
		if len(c.words) > lookUpWords {
			lookUpFar(out[:n], c, pos, k)
		} else {
			for i := range n {
				out[i] = containsAllShared(c, pos[i*k:(i+1)*k])
			}
		}
		if !l.settled {
			for i := range n {
				out[i] = out[i] && (!repeats(pos[i*k:(i+1)*k]) || positionsShared(c, l, h[i]))
			}
		}
		out, h = out[n:], h[n:]
	}
}

// farBlock is the largest number of keys that lookUpFar can process. It is 64 because lookUpFar has a word with one bit
// for each key.
const farBlock = 64

// lookUpFar sets out[i] to true if the bits at all positions pos[i*k:(i+1)*k] are set in c, otherwise to false. The
// number of keys may be at most farBlock. In the first of the k rounds all keys take part. For each key that takes
// part, a round reads the bit at one position. A key takes part in the next round only if this bit is set. The reads of
// a round are in flight at the same time, and no branch waits for them.
func lookUpFar(out []bool, c column, pos []uint64, k int) {
	left := ^uint64(0) >> (farBlock - len(out)) // bit i is set while key i has passed all rounds so far
	var at [farBlock]uint64
	for j := range k {
		// The positions of the keys in this round are listed before any word is read. The reason is a false dependency
		// of the instruction that finds the next bit of l. It waits for the old value of its destination register. The
		// old value may depend on a word that is still being read from memory.
		n := 0
		for l := left; l != 0; l &= l - 1 {
			at[n&(farBlock-1)] = pos[bits.TrailingZeros64(l)*k+j]
			n++
		}
		touch(c, at[:n])
		passed := uint64(0)
		for _, p := range at[:n] {
			passed |= getShared(c.word(p), p) * (left & -left)
			left &= left - 1
		}
		left = passed
	}
	for i := range out {
		out[i] = left>>(i&63)&1 != 0
	}
}

// orShared sets in dst all bits that are set in src. It returns the number of bits of dst that this call was the first
// to set. The slices dst and src have the same length, and both may be shared.
func orShared(dst, src []uint64) (fresh uint64) {
	for i := range src {
		if w := atomic.LoadUint64(&src[i]); w != 0 {
			fresh += uint64(bits.OnesCount64(w &^ atomic.OrUint64(&dst[i], w)))
		}
	}
	return fresh
}

// rangeCountShared counts the set bits of the slice "words" from bit lo to bit hi-1.
func rangeCountShared(words []uint64, lo, hi uint64) (n uint64) {
	first, last := lo>>6, (hi-1)>>6
	for i := first; i <= last; i++ {
		w := atomic.LoadUint64(&words[i])
		if i == first {
			w &= ^uint64(0) << (lo & 63)
		}
		if i == last {
			w &= ^uint64(0) >> (63 - (hi-1)&63)
		}
		n += uint64(bits.OnesCount64(w))
	}
	return n
}

// copyShared copies words from src to dst until dst is full. Other goroutines may use the words of src during the call,
// but not the words of dst.
func copyShared(dst, src []uint64) {
	for i := range dst {
		dst[i] = atomic.LoadUint64(&src[i])
	}
}

// A tally is a number to which many goroutines may add at the same time. It has several parts, and a goroutine usually
// adds to the same part each time. If there were only one part, its cache line would move from core to core with every
// addition.
type tally []tallyPart

type tallyPart struct {
	n atomic.Uint64
	_ [linePair - 8]byte
}

// Writes by different cores do not slow each other down if their addresses differ by at least linePair bytes. This
// distance is two cache lines, because some processors read lines in pairs.
const linePair = 128

// Each goroutine adds to a part that is chosen at random. If two running goroutines add to the same part, one has to
// wait for the other. To make this rare, a tally has several parts for each processor.
func newTally() tally { return make(tally, min(maxParts, 8*parts())) }

// maxParts is the largest number of parts of a tally. A tally with maxParts parts takes 8 KiB. If there are more
// processors than parts, some processors share a part.
const maxParts = 64

// Go uses a certain number of processors. The function "parts" rounds this number up to a power of two. It returns the
// result, or maxParts if the result is larger.
func parts() int { return 1 << bits.Len(uint(min(runtime.GOMAXPROCS(0), maxParts)-1)) }

// The function "place" returns a number from 0 to n-1. The argument n must be a power of two. For two goroutines
// that run at the same time, the numbers usually differ. The reason is that the number is computed from the address of
// the goroutine's stack.
func place(n int) int {
	var here byte
	stack := uint64(uintptr(unsafe.Pointer(&here))) >> 11 // a stack has at least 2 KiB
	return int(spread(stack)) & (n - 1)
}

func (t tally) add(n uint64) {
	if n > 0 {
		t[place(len(t))].n.Add(n)
	}
}

// The method "sum" returns the sum of the added numbers. The sum includes every number whose call of "add" had returned
// when "sum" was called. It may also include numbers from calls of "add" that have not returned yet.
func (t tally) sum() (n uint64) {
	for i := range t {
		n += t[i].n.Load()
	}
	return n
}
