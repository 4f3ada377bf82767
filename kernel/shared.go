package kernel

import (
	"math/bits"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/bloomproof/bloomproof/kernel/asm"
)

// What follows is for words in which other goroutines may set bits at the same time.
// All access is by sync/atomic, in Go: so the race detector sees it, and on amd64 and
// arm64 a load costs what a plain one does. Assembly gets no such words. Between two
// clearings bits are only ever set, so that a load is never wrong about a bit that was
// set before it.

// getShared returns bit i of its word w.
func getShared(w *uint64, i uint64) uint64 { return atomic.LoadUint64(w) >> (i & 63) & 1 }

// setShared sets bit i of its word w and returns 1 if it was clear, 0 if not: of all who
// set a bit, one gets the 1. A bit that is set is only read, which leaves the cache line
// with all that read it.
func setShared(w *uint64, i uint64) uint64 {
	bit := uint64(1) << (i & 63)
	if atomic.LoadUint64(w)&bit != 0 {
		return 0
	}
	return ^atomic.OrUint64(w, bit) >> (i & 63) & 1
}

// touch reads the words of the bits at pos in c. An atomic write waits for what comes before
// it and holds up what comes after: without this, every write into a large filter would
// miss the cache on its own.
func touch(c column, pos []uint64) {
	for _, p := range pos {
		atomic.LoadUint64(c.word(p))
	}
}

// clearShared is what several goroutines found clear: positions to set. To find them all and
// then set them has one branch that cannot be foreseen, at the end, and not one for each bit.
type clearShared struct {
	pos [shortK]uint64
	n   int
}

// find adds p if its bit is clear. There must be room for it.
func (c *clearShared) find(words []uint64, p uint64) {
	c.pos[c.n&(shortK-1)] = p
	c.n += int(getShared(&words[p>>6], p) ^ 1)
}

// set sets the bits and returns how many it was the first to set.
func (c *clearShared) set(words []uint64) (fresh uint64) {
	for _, p := range c.pos[:c.n] {
		fresh += ^atomic.OrUint64(&words[p>>6], 1<<(p&63)) >> (p & 63) & 1
	}
	return fresh
}

// setAllShared sets the bits at pos and returns how many it was the first to set.
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

// setDrawsShared sets the bits at the draws of h and returns how many it was the first to
// set.
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

// containsAllShared reports whether the bits at pos in c are all set. It reads them all,
// which is quicker than to find out how many to read.
func containsAllShared(c column, pos []uint64) bool {
	all := uint64(1)
	for _, p := range pos {
		all &= getShared(c.word(p), p)
	}
	return all != 0
}

// containsShared is array.contains for shared words.
func containsShared(c column, l *layout, h Hash) bool {
	if l.size != 0 {
		return blockShared(c, l, h)
	}
	all := drawsShared(c, l.shape, h)
	if l.settled { // asked first: no branch on the answer
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

// blockShared is containsShared for blocks.
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

// lineWords are the words of a cache line.
const lineWords = 8

// setBlockShared sets the bits at the positions of h, with blocks, and returns how many it was
// the first to set. In a block of at most a cache line that is one write for each word that
// has a bit to set.
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
	var todo [lineWords]uint8 // words with a bit to set, as in clearShared
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

// positionsShared is containsShared by way of the positions.
func positionsShared(c column, l *layout, h Hash) bool {
	if l.k <= shortK {
		var buf [shortK]uint64
		return containsAllShared(c, l.appendPositions(buf[:0], h))
	}
	var buf [scanK]uint64
	return containsAllShared(c, l.appendPositions(buf[:0], h))
}

// lookUpWords is the size of a filter up to which it costs more to find out which
// positions to read than to read them all: with 4 MiB, 18 ns a key against 39 for hits and
// 14 for misses.
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
	if k > scanK { // one key is a batch of positions
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

// farBlock is the most keys that lookUpFar takes: the bits of the word that it keeps them in.
const farBlock = 64

// lookUpFar sets out[i] to whether the bits at pos[i*k:(i+1)*k] are all set in c, for at
// most farBlock keys. It looks at one position of each key in a round, and at the next only of
// those whose bit was set: the reads of a round are under way together, and no branch
// waits for them.
func lookUpFar(out []bool, c column, pos []uint64, k int) {
	left := ^uint64(0) >> (farBlock - len(out)) // bit i: key i has passed all rounds
	var at [farBlock]uint64
	for j := range k {
		// A list first: the instruction that finds the next bit waits for what its register
		// held before, which could be a word on its way.
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

// orShared sets in dst the bits of src, of equal length, and returns how many it was the
// first to set. Both may be shared.
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

// copyShared copies of src, which may be shared, as many words as dst has, which is not.
func copyShared(dst, src []uint64) {
	for i := range dst {
		dst[i] = atomic.LoadUint64(&src[i])
	}
}

// A tally is a number that many goroutines add to at the same time, each mostly to its
// own part: one place for all would be passed from core to core at every addition.
type tally []tallyPart

type tallyPart struct {
	n atomic.Uint64
	_ [linePair - 8]byte
}

// linePair is the distance at which two cores do not disturb each other: two cache
// lines, as some processors fetch lines in pairs.
const linePair = 128

// A processor has more than one part, as places are chosen by chance: of two goroutines that
// run at the same time and share a part, each waits for the other.
func newTally() tally { return make(tally, min(maxParts, 8*parts())) }

// maxParts is the most parts for goroutines to spread over. They take 8 KiB of a filter; of
// more processors than that some share a part.
const maxParts = 64

// parts returns a number of parts for goroutines to spread over: the processors that Go
// uses, raised to a power of two, and at most maxParts.
func parts() int { return 1 << bits.Len(uint(min(runtime.GOMAXPROCS(0), maxParts)-1)) }

// place returns a number below n, a power of two, that tends to differ between
// goroutines that run at the same time: it comes from the stack on which it is called.
func place(n int) int {
	var here byte
	stack := uint64(uintptr(unsafe.Pointer(&here))) >> 11 // the least stack is 2 KiB
	return int(spread(stack)) & (n - 1)
}

func (t tally) add(n uint64) {
	if n > 0 {
		t[place(len(t))].n.Add(n)
	}
}

// sum returns what was added by all calls of add that ended before it, and of those that
// did not some.
func (t tally) sum() (n uint64) {
	for i := range t {
		n += t[i].n.Load()
	}
	return n
}
