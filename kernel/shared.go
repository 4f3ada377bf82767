package kernel

import (
	"math/bits"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/bloomproof/bloomproof/kernel/asm"
)

// The functions below are for words in which other goroutines may set bits at the same time. All accesses use
// sync/atomic in Go code. So the race detector sees them, and on amd64 and arm64 an atomic load costs no more than a
// plain load. These words are never passed to assembly. Between two clearings bits are set and never cleared, so a load
// sees every bit that was set before the load.

// getShared returns bit i of an array; w is the word that has it.
func getShared(w *uint64, i uint64) uint64 { return atomic.LoadUint64(w) >> (i & 63) & 1 }

// setShared sets bit i of an array, where w is the word that has it. It returns 1 if the bit was clear, 0 if not. Of
// all calls that set the same bit, exactly one returns 1. A bit that is already set is only read, so its cache line
// stays in the caches of all cores that read it.
func setShared(w *uint64, i uint64) uint64 {
	bit := uint64(1) << (i & 63)
	if atomic.LoadUint64(w)&bit != 0 {
		return 0
	}
	return ^atomic.OrUint64(w, bit) >> (i & 63) & 1
}

// touch reads the words of the bits at pos in c. An atomic write waits for earlier memory accesses and holds up later
// ones. Without touch, the writes into a large filter would wait for the memory one after the other.
func touch(c column, pos []uint64) {
	for _, p := range pos {
		atomic.LoadUint64(c.word(p))
	}
}

// clearShared lists the positions whose bits were found clear and must be set. Finding all of them first and then
// setting them needs one unpredictable branch in all, instead of one for each bit.
type clearShared struct {
	pos [shortK]uint64
	n   int
}

// find adds p to the list if its bit is clear. The list must have room for p.
func (c *clearShared) find(words []uint64, p uint64) {
	c.pos[c.n&(shortK-1)] = p
	c.n += int(getShared(&words[p>>6], p) ^ 1)
}

// The method set sets the listed bits and returns how many of them this call was the first to set.
func (c *clearShared) set(words []uint64) (fresh uint64) {
	for _, p := range c.pos[:c.n] {
		fresh += ^atomic.OrUint64(&words[p>>6], 1<<(p&63)) >> (p & 63) & 1
	}
	return fresh
}

// setAllShared sets the bits at pos and returns how many of them this call was the first to set.
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

// setDrawsShared sets the bits at the draws of h and returns how many of them this call was the first to set.
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

// containsAllShared reports whether the bits at pos in c are all set. It reads all of them, which is quicker than
// stopping at the first clear bit.
func containsAllShared(c column, pos []uint64) bool {
	all := uint64(1)
	for _, p := range pos {
		all &= getShared(c.word(p), p)
	}
	return all != 0
}

// containsShared does the same as array.contains, for shared words.
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

// drawsShared reports whether the bits at the draws of h are all set in c.
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

// touchBlocks reads the first word of the block of each key, as touch does.
func touchBlocks(c column, l *layout, h []Hash) {
	for i := range h {
		number, _ := bits.Mul64(h[i].H0, l.blocks)
		atomic.LoadUint64(c.word(number * l.size))
	}
}

// lineWords is the number of words in a cache line.
const lineWords = 8

// setBlockShared sets the bits at the positions of h, in a filter with blocks. It returns how many of them this call
// was the first to set. In a block of at most one cache line it makes one write for each word that needs a bit set.
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

// positionsShared does the same as containsShared, but derives all positions first.
func positionsShared(c column, l *layout, h Hash) bool {
	if l.k <= shortK {
		var buf [shortK]uint64
		return containsAllShared(c, l.appendPositions(buf[:0], h))
	}
	var buf [scanK]uint64
	return containsAllShared(c, l.appendPositions(buf[:0], h))
}

// lookUpWords is the largest size of a filter, in words, for which reading all positions costs less than finding out
// which ones to read. At 4 MiB, reading all takes 18 ns a key. Reading only those needed takes 39 ns for hits and 14 ns
// for misses.
const lookUpWords = 1 << 19

// lookUpAllShared sets out[i] to whether all positions of h[i] are set in c.
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

// farBlock is the largest number of keys that lookUpFar takes. The number is 64 because lookUpFar keeps one bit of a
// word for each key.
const farBlock = 64

// lookUpFar sets out[i] to whether the bits at pos[i*k:(i+1)*k] are all set in c, for at most farBlock keys. In each
// round it looks at one position of each key, and only keys whose bit was set go on to the next round. The reads of a
// round are in flight at the same time, and no branch waits for them.
func lookUpFar(out []bool, c column, pos []uint64, k int) {
	left := ^uint64(0) >> (farBlock - len(out)) // bit i is set while key i has passed all rounds so far
	var at [farBlock]uint64
	for j := range k {
		// The keys that are left are listed before their words are read. The instruction that finds the next bit
		// depends on the old value of its destination register, and that register could be waiting for a word from
		// memory.
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

// orShared sets in dst all bits that are set in src, and returns how many of them this call was the first to set. dst
// and src have equal length, and both may be shared.
func orShared(dst, src []uint64) (fresh uint64) {
	for i := range src {
		if w := atomic.LoadUint64(&src[i]); w != 0 {
			fresh += uint64(bits.OnesCount64(w &^ atomic.OrUint64(&dst[i], w)))
		}
	}
	return fresh
}

// rangeCountShared returns the number of ones among the bits lo <= i < hi of words.
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

// copyShared fills dst, which is not shared, with words of src, which may be shared.
func copyShared(dst, src []uint64) {
	for i := range dst {
		dst[i] = atomic.LoadUint64(&src[i])
	}
}

// A tally is a number that many goroutines add to at the same time. Each goroutine mostly adds to its own part. A
// single counter would move from core to core at every addition.
type tally []tallyPart

type tallyPart struct {
	n atomic.Uint64
	_ [linePair - 8]byte
}

// linePair is the distance in bytes at which writes of two cores do not slow each other down. It is two cache lines,
// because some processors fetch lines in pairs.
const linePair = 128

// A tally has several parts for each processor, because goroutines choose parts by chance. If two goroutines that run
// at the same time share a part, each waits for the other.
func newTally() tally { return make(tally, min(maxParts, 8*parts())) }

// maxParts is the largest number of parts. 64 parts take 8 KiB of a filter. If there are more processors than parts,
// some processors share a part.
const maxParts = 64

// parts returns the number of parts over which goroutines are spread: the number of processors that Go uses, rounded up
// to a power of two, and at most maxParts.
func parts() int { return 1 << bits.Len(uint(min(runtime.GOMAXPROCS(0), maxParts)-1)) }

// The function place returns a number below n, which must be a power of two. The number tends to differ between
// goroutines that run at the same time. It is derived from the address of the stack on which it is called.
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

// sum returns the total added by all calls of add that returned before sum was called. It may include additions of
// calls that are still running.
func (t tally) sum() (n uint64) {
	for i := range t {
		n += t[i].n.Load()
	}
	return n
}
