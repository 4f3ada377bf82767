package kernel

import (
	"math/bits"
	"runtime"
	"sync/atomic"
	"unsafe"
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

// setAllShared sets the bits at pos in c and returns how many it was the first to set.
func setAllShared(c column, pos []uint64) (fresh uint64) {
	for _, p := range pos {
		fresh += setShared(c.word(p), p)
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
	if l.size == 0 {
		all := drawsShared(c, l.shape, h)
		if !all || l.settled || !l.mayRepeat(h) {
			return all
		}
	}
	return positionsShared(c, l, h)
}

// drawsShared reports whether the bits at the draws of h are all set in c.
func drawsShared(c column, sh shape, h Hash) bool {
	s := newStream(h)
	for j := range uint64(sh.k) {
		p := j*sh.step + reduce(s.next(), sh.span)
		if getShared(c.word(p), p) == 0 {
			return false
		}
	}
	return true
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

func newTally() tally { return make(tally, parts()) }

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
