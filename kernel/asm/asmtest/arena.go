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

// The constant "margin" is a number of words on each side of an argument. The tests check that a kernel does not change
// these words. They take 128 bytes on each side, which is the size of two of the widest vectors.
const margin = 16

// marginBytes is the size in bytes of the margin on each side of an argument.
const marginBytes = 8 * margin

// An arena is memory for the arguments of kernels. It is an array of words between two forbidden pages. A forbidden
// page cannot be read or written. An access to a forbidden page is a fault.
type arena struct {
	words []uint64
	free  func()
}

// Mapping memory and touching it for the first time takes longer than most rows need for their cases. So rows use arenas
// of earlier rows again. The map "spare" has the arenas that no row uses, by the number of words that was asked for.
var spare = struct {
	sync.Mutex
	arenas map[int][]arena
}{arenas: map[int][]arena{}}

// takeArena returns an arena with at least n words, which may have any contents. At the end the caller passes it to
// giveBack, with the same n.
func takeArena(n int) arena {
	spare.Lock()
	defer spare.Unlock()
	if list := spare.arenas[n]; len(list) > 0 {
		spare.arenas[n] = list[:len(list)-1]
		return list[len(list)-1]
	}
	return newArena(n)
}

func giveBack(a arena, n int) {
	spare.Lock()
	defer spare.Unlock()
	spare.arenas[n] = append(spare.arenas[n], a)
}

// Guarded reports whether this operating system supports forbidden pages around the arguments. If it does not, the
// tests do not detect reads outside the arguments.
func Guarded() bool {
	a := newArena(1)
	defer a.free()
	return touch(&a.words[0], -1) != nil && touch(&a.words[len(a.words)-1], 1) != nil
}

// The function "touch" reads one word. The word lies 8*off bytes after p, and off may be negative. It returns an error
// if the read causes a fault.
func touch(p *uint64, off int) error {
	_, err := call(func(_, _ []uint64) int {
		return int(*(*uint64)(unsafe.Add(unsafe.Pointer(p), 8*off)) >> 1)
	}, nil, nil)
	return err
}

// The function "call" calls f(a, b) and returns the result. It returns an error if f accesses forbidden memory or
// panics.
func call(f Func, a, b []uint64) (n int, err error) {
	err = guarded(func() { n = f(a, b) })
	return n, err
}

// The function "guarded" calls f. It returns an error if f accesses forbidden memory or panics.
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

// The variable "hollow" holds the arena that all calls of the function inHollow use. A process creates this arena only
// once, because creating it takes long in an emulator.
var hollow struct {
	sync.Mutex
	made bool
	arena
}

// A hollow arena has more than 2^32 words, but only its first and last pages exist. The function inHollow calls f with
// a hollow arena and returns the result of f. In this arena, the words of the two pages are zero. If this host cannot
// create such an arena, inHollow returns true without calling f.
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

// Some pages of the arena a do not exist. The method "met" reports whether the error err is a fault at such a page.
func (a *arena) met(err error) bool {
	fault, ok := err.(interface{ Addr() uintptr })
	if !ok {
		return false
	}
	at, page := fault.Addr()-uintptr(unsafe.Pointer(&a.words[0])), uintptr(os.Getpagesize())
	return at >= page && at < 8*uintptr(len(a.words))-page
}

// The constant "unaligned" is true if this CPU can read words at addresses that are not multiples of 8.
const unaligned = runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64" || runtime.GOARCH == "386"

// The method "at" returns n words of the arena. The argument "at" is the byte offset of the first word. The capacity of
// the slice is larger than n, but a kernel must not access words beyond the first n.
func (a *arena) at(at, n int) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Add(unsafe.Pointer(&a.words[0]), at)), n+margin)[:n]
}

// wordsAt returns n words of the memory of w. The argument "at" is the byte offset of the first word.
func wordsAt(w []uint64, at, n int) []uint64 {
	if n == 0 {
		return nil // a word that starts here could end outside w
	}
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(bytesOf(w)[at:]))), n)
}

// The function "saying" returns a slice with the same address as w, but with the false length n. If n is 0, it returns
// w itself. In a test, one argument of a kernel may have a false length. The length of the other argument then limits
// what a kernel may access.
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

// A canary is a byte outside the arguments that a kernel must not change. Canaries get their values before a kernel is
// called. If byte i of an arena is a canary, the function "canary" returns its value.
func canary(i int) byte {
	return byte((0xc5c5_5c5c_a3a3_3a3a ^ uint64(i>>3)*0x9e37_79b9_7f4a_7c15) >> (i & 7 * 8))
}

// bytesOf returns the bytes of w.
func bytesOf(w []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(w))), 8*len(w))
}

// The method "put" copies b into the arena. It sets the bytes around the copy to the values of canaries. It returns the
// byte offset of the copy. If "rear" is false, the argument "off" is this offset. If "rear" is true, "off" is the
// number of bytes after the copy.
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

// The method "changed" compares the arena with the expected contents. These are the bytes b, and the canaries that the
// method "put" wrote around them. The argument "at" is the byte offset that the method "put" returned. The result i is
// the position of the first byte that differs, counted from the first byte of b. If no byte differs, the result "ok" is
// false.
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
