package kernel

import (
	"math/bits"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/bloomproof/bloomproof"
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

// touch reads the words of the bits at pos. An atomic write waits for what comes before
// it and holds up what comes after: without this, every write into a large filter would
// miss the cache on its own.
func touch(words, pos []uint64) {
	for _, p := range pos {
		atomic.LoadUint64(&words[p>>6])
	}
}

// setAllShared sets the bits at pos and returns how many it was the first to set.
func setAllShared(words, pos []uint64) (fresh uint64) {
	for _, p := range pos {
		fresh += setShared(&words[p>>6], p)
	}
	return fresh
}

// containsAllShared reports whether the bits at pos are all set.
func containsAllShared(words, pos []uint64) bool {
	for _, p := range pos {
		if getShared(&words[p>>6], p) == 0 {
			return false
		}
	}
	return true
}

// containsShared is array.contains for shared words.
func containsShared(words []uint64, g bloomproof.Geometry, h Hash) bool {
	s, sh := newStream(h), shapeOf(g)
	for j := range uint64(g.K) {
		p := j*sh.step + reduce(s.next(), sh.span)
		if getShared(&words[p>>6], p) == 0 {
			return false
		}
	}
	if g.Hashing != bloomproof.Classic {
		return true
	}
	var buf [scanK]uint64 // the first k draws may repeat
	return containsAllShared(words, appendPositions(buf[:0], g, h))
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

// copyShared copies src, which may be shared, to dst, of equal length, which is not.
func copyShared(dst, src []uint64) {
	for i := range src {
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

// parts returns a number of parts for goroutines to spread over: the processors that Go
// uses, raised to a power of two, and at most 64.
func parts() int { return 1 << bits.Len(uint(min(runtime.GOMAXPROCS(0), 64)-1)) }

// place returns a number below n, a power of two, that tends to differ between
// goroutines that run at the same time: it comes from the stack on which it is called.
func place(n int) int {
	var here byte
	stack := uint64(uintptr(unsafe.Pointer(&here))) >> 11 // the least stack is 2 KiB
	return int(stack*0x9e3779b97f4a7c15>>32) & (n - 1)
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

func (t tally) clear() {
	for i := range t {
		t[i].n.Store(0)
	}
}
