package asmtest

import (
	"fmt"
	"runtime/debug"
	"unsafe"
)

// margin is the number of words on each side of an argument that must keep their
// value: two vectors of the widest kernel.
const margin = 16

// arena is a run of words between two pages that may not be touched.
type arena struct {
	words []uint64
	free  func()
}

// Guarded reports whether this system puts forbidden pages around the arguments. If
// not, reads outside them go unseen.
func Guarded() bool {
	a := newArena(1)
	defer a.free()
	return touch(&a.words[0], -1) != nil && touch(&a.words[len(a.words)-1], 1) != nil
}

// touch reads the word that is off words from p, and returns the fault if any.
func touch(p *uint64, off int) error {
	_, err := call(func(_, _ []uint64) int {
		return int(*(*uint64)(unsafe.Add(unsafe.Pointer(p), 8*off)) >> 1)
	}, nil, nil)
	return err
}

// call returns f(a, b), or an error when f touches forbidden memory or panics.
func call(f Func, a, b []uint64) (n int, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return f(a, b), nil
}

// canary is the value of word i of an arena outside the arguments.
func canary(i int) uint64 { return 0xc5c5_5c5c_a3a3_3a3a ^ uint64(i)*0x9e37_79b9_7f4a_7c15 }

// put copies w into the arena so that it starts off words after its front, or ends
// off words before its rear, with canaries around it, and returns its place.
func (a *arena) put(w []uint64, off int, rear bool) (at int) {
	at = off
	if rear {
		at = len(a.words) - off - len(w)
	}
	for i := max(at-margin, 0); i < at; i++ {
		a.words[i] = canary(i)
	}
	copy(a.words[at:], w)
	for i := at + len(w); i < min(at+len(w)+margin, len(a.words)); i++ {
		a.words[i] = canary(i)
	}
	return at
}

// changed returns an error when the arena holds anything but w at place at, or a
// canary beside it was overwritten.
func (a *arena) changed(w []uint64, at int) error {
	for i := max(at-margin, 0); i < min(at+len(w)+margin, len(a.words)); i++ {
		want := canary(i)
		if i >= at && i < at+len(w) {
			want = w[i-at]
		}
		if a.words[i] != want {
			return fmt.Errorf("word %d (of %d) became %#016x, want %#016x", i-at, len(w), a.words[i], want)
		}
	}
	return nil
}
