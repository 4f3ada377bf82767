package asmtest

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"unsafe"
)

// margin is a number of words: a kernel must not change the margin words before an argument, nor those after it. They
// are as large as two vectors of the widest kernel.
const margin = 16

// marginBytes is the size of the margin in bytes.
const marginBytes = 8 * margin

// arena is a run of words between two forbidden pages. An access to a forbidden page is a fault.
type arena struct {
	words []uint64
	free  func()
}

// Guarded reports whether this system supports forbidden pages around the arguments. If not, reads outside the
// arguments are not detected.
func Guarded() bool {
	a := newArena(1)
	defer a.free()
	return touch(&a.words[0], -1) != nil && touch(&a.words[len(a.words)-1], 1) != nil
}

// touch reads the word whose index, counted from p, is the number off. It returns an error if the read causes a fault.
func touch(p *uint64, off int) error {
	_, err := call(func(_, _ []uint64) int {
		return int(*(*uint64)(unsafe.Add(unsafe.Pointer(p), 8*off)) >> 1)
	}, nil, nil)
	return err
}

// call returns f(a, b), or an error if f accesses forbidden memory or panics.
func call(f Func, a, b []uint64) (n int, err error) {
	err = guarded(func() { n = f(a, b) })
	return n, err
}

// guarded calls f. It returns an error if f accesses forbidden memory or panics.
func guarded(f func()) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch r := recover().(type) {
		case nil:
		case error:
			err = r
		default:
			err = fmt.Errorf("%v", r)
		}
	}()
	f()
	return nil
}

// The variable hollow holds the arena that inHollow describes. The process creates only one, because an emulator takes
// long to create it.
var hollow struct {
	sync.Mutex
	made bool
	arena
}

// inHollow calls f with a hollow arena: its length does not fit in 32 bits, and only its first and last pages exist and
// hold zeros. It returns true if this host cannot create such an arena.
func inHollow(f func(a *arena) bool) bool {
	hollow.Lock()
	defer hollow.Unlock()
	if !hollow.made {
		hollow.arena, hollow.made = newHollow(1<<32+1<<10), true
	}
	w := hollow.words
	if w == nil {
		return true
	}
	page := os.Getpagesize() / 8
	clear(w[:page])
	clear(w[len(w)-page:])
	return f(&hollow.arena)
}

// met reports whether err is a fault at a page that does not exist in the hollow arena a.
func (a *arena) met(err error) bool {
	fault, ok := err.(interface{ Addr() uintptr })
	if !ok {
		return false
	}
	at, page := fault.Addr()-uintptr(unsafe.Pointer(&a.words[0])), uintptr(os.Getpagesize())
	return at >= page && at < 8*uintptr(len(a.words))-page
}

// unaligned is true if this CPU can read words at addresses that are not multiples of their size.
const unaligned = runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64" || runtime.GOARCH == "386"

// The method named at returns the n words of the arena that begin at the given byte offset. The capacity of the slice
// is greater than n. A kernel must not access the words beyond the length.
func (a *arena) at(at, n int) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Add(unsafe.Pointer(&a.words[0]), at)), n+margin)[:n]
}

// wordsAt returns the n words that begin at the given byte offset in w.
func wordsAt(w []uint64, at, n int) []uint64 {
	if n == 0 {
		return nil // a word that starts here could end outside w
	}
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(bytesOf(w)[at:]))), n)
}

// If n > 0, saying returns w with n as a false length. A kernel may then access only as many elements as the length of
// another argument permits.
func saying[T any](w []T, n int) []T {
	if n == 0 {
		return w
	}
	header := struct {
		data     *T
		len, cap int
	}{unsafe.SliceData(w), n, n}
	return *(*[]T)(unsafe.Pointer(&header))
}

// canary returns the value that byte i of an arena has if it belongs to no argument.
func canary(i int) byte {
	return byte((0xc5c5_5c5c_a3a3_3a3a ^ uint64(i>>3)*0x9e37_79b9_7f4a_7c15) >> (i & 7 * 8))
}

// bytesOf returns the bytes of w.
func bytesOf(w []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(w))), 8*len(w))
}

// The method named put copies b into the arena, with canaries around it, and returns its byte offset. The number off is
// the distance in bytes between the front of the arena and the start of the copy. If rear is true, it is the distance
// between the end of the copy and the rear of the arena.
func (a *arena) put(b []byte, off int, rear bool) (at int) {
	mem := bytesOf(a.words)
	at = off
	if rear {
		at = len(mem) - off - len(b)
	}
	for i := max(at-marginBytes, 0); i < at; i++ {
		mem[i] = canary(i)
	}
	copy(mem[at:], b)
	for i := at + len(b); i < min(at+len(b)+marginBytes, len(mem)); i++ {
		mem[i] = canary(i)
	}
	return at
}

// changed compares the arena with what it should hold: a copy of b that begins at the byte offset given by the argument
// at, and the canaries around this copy. It returns the offset of the first different byte, relative to the start of
// the copy. The result ok is false if all bytes are the same.
func (a *arena) changed(b []byte, at int) (i int, ok bool) {
	mem := bytesOf(a.words)
	for i := max(at-marginBytes, 0); i < at; i++ {
		if mem[i] != canary(i) {
			return i - at, true
		}
	}
	if !bytes.Equal(mem[at:at+len(b)], b) {
		for i := range b {
			if mem[at+i] != b[i] {
				return i, true
			}
		}
	}
	for i := at + len(b); i < min(at+len(b)+marginBytes, len(mem)); i++ {
		if mem[i] != canary(i) {
			return i - at, true
		}
	}
	return 0, false
}
