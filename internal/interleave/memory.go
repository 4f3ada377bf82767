package interleave

import (
	"fmt"
	"iter"
	"math/bits"
	"reflect"
	"unsafe"
)

// The type "class" distinguishes four kinds of memory accesses.
type class uint8

const (
	plainRead class = iota
	plainWrite
	atomicRead
	atomicWrite
	classes
)

var classNames = [classes]string{"read", "write", "atomic read", "atomic write"}

// For each class of accesses, the variable "conflicts" lists the classes that conflict with it. If two accesses to the
// same location have conflicting classes, they must be ordered.
var conflicts = [classes][]class{
	plainRead:   {plainWrite, atomicWrite},
	plainWrite:  {plainRead, plainWrite, atomicRead, atomicWrite},
	atomicRead:  {plainWrite},
	atomicWrite: {plainRead, plainWrite},
}

// The explorer keeps a value of the type "cell" for each memory location. The method "cell" returns the value for the
// location p. The map of these values contains the pointer p. So the memory at p is not freed, and not used for
// anything else in this schedule.
func (x *explorer) cell(p unsafe.Pointer) *cell {
	c := x.cells[p]
	if c == nil {
		if len(x.cells) == len(x.pool) {
			x.pool = append(x.pool, &cell{})
		}
		c = x.pool[len(x.cells)]
		*c = cell{events: c.events[:0]}
		x.cells[p] = c
	}
	return c
}

// The method "access" records an access of the running goroutine. It fails if the access is part of a data race.
func (x *explorer) access(c *cell, as class) {
	g := x.current
	for _, other := range conflicts[as] {
		for q, at := range &c.last[other] {
			if q != g.id && at > g.sync[q] {
				x.fail(fmt.Errorf("%w: %s by goroutine %c at %s, and %s by goroutine %c", ErrRace, classNames[as], 'A'+g.id, caller(), classNames[other], 'A'+q))
			}
		}
	}
	c.last[as][g.id] = g.sync[g.id]
}

// For each type that is longer than a word, the variable "leaves" has the offsets of its words.
var leaves = map[reflect.Type][]uintptr{}

func leavesOf(t reflect.Type) []uintptr {
	if all, ok := leaves[t]; ok {
		return all
	}
	var all []uintptr
	var walk func(t reflect.Type, at uintptr)
	walk = func(t reflect.Type, at uintptr) {
		switch t.Kind() {
		case reflect.Struct:
			for i := range t.NumField() {
				if f := t.Field(i); f.Name != "_" {
					walk(f.Type, at+f.Offset)
				}
			}
		case reflect.Array:
			for i := range t.Len() {
				walk(t.Elem(), at+uintptr(i)*t.Elem().Size())
			}
		default:
			for w := uintptr(0); w < t.Size(); w += bits.UintSize / 8 {
				all = append(all, at+w)
			}
		}
	}
	walk(t, 0)
	leaves[t] = all
	return all
}

// The function "touch" records accesses of the given classes to every word of *p.
func touch[T any](p *T, as ...class) {
	x := active
	if x == nil || x.current == nil || x.abandoned || p == nil {
		return
	}
	if unsafe.Sizeof(*p) <= bits.UintSize/8 {
		if t := reflect.TypeFor[T](); t.Kind() != reflect.Struct && t.Kind() != reflect.Array {
			c := x.cell(unsafe.Pointer(p))
			for _, a := range as {
				x.access(c, a)
			}
			return
		}
	}
	for _, at := range leavesOf(reflect.TypeFor[T]()) {
		c := x.cell(unsafe.Add(unsafe.Pointer(p), at))
		for _, a := range as {
			x.access(c, a)
		}
	}
}

// R records a plain read of *p, and returns p. W does the same for a write. RW does the same for a read and a write.
func R[T any](p *T) *T {
	touch(p, plainRead)
	return p
}

// W records a plain write of *p, and returns p.
func W[T any](p *T) *T {
	touch(p, plainWrite)
	return p
}

// RW records a plain read and a plain write of *p, and returns p.
func RW[T any](p *T) *T {
	touch(p, plainRead, plainWrite)
	return p
}

// Range iterates over a slice. In each iteration it records that one element is read.
func Range[S ~[]E, E any](s S) iter.Seq2[int, E] {
	return func(yield func(int, E) bool) {
		for i := range s {
			if !yield(i, *R(&s[i])) {
				return
			}
		}
	}
}

// Read tells the explorer that every element of s is read, and returns s.
func Read[S ~[]E, E any](s S) S {
	for i := range s {
		R(&s[i])
	}
	return s
}

// Clear replaces the built-in function clear, for slices.
func Clear[S ~[]E, E any](s S) {
	for i := range s {
		W(&s[i])
	}
	clear(s)
}

// Copy replaces the built-in function copy, for slices.
func Copy[D ~[]E, S ~[]E, E any](dst D, src S) int {
	n := min(len(dst), len(src))
	Read(src[:n])
	for i := range dst[:n] {
		W(&dst[i])
	}
	return copy(dst, src)
}

// Append replaces the built-in function append. It records a read for each copied element, and a write for each
// appended element.
func Append[S ~[]E, E any](s S, more ...E) S {
	if len(s)+len(more) > cap(s) {
		Read(s)
	}
	s = append(s, more...)
	for i := len(s) - len(more); i < len(s); i++ {
		W(&s[i])
	}
	return s
}

// AppendAll replaces append(s, more...).
func AppendAll[S ~[]E, E any](s S, more []E) S {
	Read(more)
	return Append(s, more...)
}
