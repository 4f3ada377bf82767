package asmtest

import (
	"github.com/bloomproof/bloomproof/kernel/asm"
)

// A Func is an operation on one or two slices of words. An operation on one slice is called with b = nil.
type Func func(a, b []uint64) int

// A Shape says which arguments an operation reads and which it writes.
type Shape uint8

const (
	One  Shape = iota // reads a
	Two               // reads a and b
	Into              // reads a and b, writes a
)

// A Row is the row of one kernel in the table of the popcount family. It has the operation, the implementation and the
// specification of the kernel.
type Row struct {
	Op    string // such as "AndCount"
	Impl  string // such as "avx2"
	Shape Shape
	Got   Func // the kernel
	Want  Func // the specification: the portable twin, or a loop over bits for the twin itself
}

// String returns the names of the operation and the implementation, for example "AndCount/avx2".
func (r Row) String() string { return r.Op + "/" + r.Impl }

// Popcount returns one row for each kernel of the popcount family in this build. The first row of each operation is its
// portable twin, which is the same operation in Go. The twin is compared with a loop over single bits. The other rows
// of the operation are assembly kernels, which are compared with the twin. This CPU may be unable to run some of the
// kernels, so choose rows by their field Impl.
func Popcount() []Row {
	var rows []Row
	for _, f := range popcountFamily {
		rows = append(rows, Row{f.op, "portable", f.shape, f.portable, f.naive})
		for _, k := range popcountKernels(f.op) {
			rows = append(rows, Row{f.op, k.impl, f.shape, k.f, f.portable})
		}
	}
	return rows
}

func (r Row) impl() string { return r.Impl }

// Select returns the rows whose implementation is one of impls.
func Select[R interface{ impl() string }](rows []R, impls ...string) []R {
	var out []R
	for _, r := range rows {
		for _, im := range impls {
			if r.impl() == im {
				out = append(out, r)
			}
		}
	}
	return out
}

// The type "kernel" describes an assembly kernel of one operation.
type kernel struct {
	impl string
	f    Func
}

func one(f func([]uint64) int) Func { return func(a, _ []uint64) int { return f(a) } }

var popcountFamily = []struct {
	op       string
	shape    Shape
	portable Func
	naive    Func
}{
	{"Count", One, one(asm.CountPortable), one(naiveCount)},
	{"AndCount", Two, asm.AndCountPortable, bitwise(false, func(a, b bool) bool { return a && b })},
	{"OrCount", Two, asm.OrCountPortable, bitwise(false, func(a, b bool) bool { return a || b })},
	{"XorCount", Two, asm.XorCountPortable, bitwise(false, func(a, b bool) bool { return a != b })},
	{"AndNotCount", Two, asm.AndNotCountPortable, bitwise(false, func(a, b bool) bool { return a && !b })},
	{"AndInto", Into, asm.AndIntoPortable, bitwise(true, func(a, b bool) bool { return a && b })},
	{"OrInto", Into, asm.OrIntoPortable, bitwise(true, func(a, b bool) bool { return a || b })},
	{"AndNotInto", Into, asm.AndNotIntoPortable, bitwise(true, func(a, b bool) bool { return a && !b })},
}

// The function "bitwise" returns an operation on a and b. The operation combines them bit by bit with f, and counts the
// ones in the result. If store is true, the operation also stores the result in a. The portable twins are compared with
// this operation, so its code must stay simple and slow.
func bitwise(store bool, f func(a, b bool) bool) Func {
	return func(a, b []uint64) int {
		n := 0
		for i := 0; i < len(a) && i < len(b); i++ {
			w := uint64(0)
			for bit := uint64(1); bit != 0; bit <<= 1 {
				if f(a[i]&bit != 0, b[i]&bit != 0) {
					w |= bit
					n++
				}
			}
			if store {
				a[i] = w
			}
		}
		return n
	}
}

func naiveCount(a []uint64) int { return bitwise(false, func(a, _ bool) bool { return a })(a, a) }
