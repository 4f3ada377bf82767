package follow

import (
	"fmt"
	"maps"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/arm64"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// This file is about functions that have a stack frame. In the invariants, the line "stack N" says that such a function
// lowers the stack pointer by N bytes. It stores the return address and the frame pointer at the lower end of the frame,
// and 8 bytes below it. At the return it does not load the frame pointer, but computes it. For this it relies on Go's
// calling convention: the frame pointer of a function that calls another function is the stack pointer minus 8.

// The list "kept" has the numbers of the registers that a function must preserve. One of them is reserved by the
// platform. The other registers hold the goroutine, the frame pointer and the return address. The stack pointer must be
// preserved too.
var kept = []int{18, 28, 29, 30}

const framePointer = 29

// The method "held" returns the value that register n has where the function has lowered the stack pointer by some
// bytes. The register is one of the list "kept".
func (e *executor) held(n int, lowered uint64) *term.Term {
	if p := e.pool; n == framePointer && e.sec.stack > 0 {
		return p.Sub(p.Var("sp", 64), p.Value(64, lowered+8))
	}
	return e.pool.Var(fmt.Sprintf("x%d", n), 64)
}

// The method "lowered" returns the value of a stack pointer that was lowered by some bytes.
func (e *executor) lowered(bytes uint64) *term.Term {
	return e.pool.Sub(e.pool.Var("sp", 64), e.pool.Value(64, bytes))
}

// Let SP be the value of the stack pointer at the entry of the function. The method "slot" returns the distance from SP
// to the given address of some bytes. It also reports whether this distance is a constant. For an address in a local
// array, it reports that it is not: these arrays are a part of the memory. Bytes that lie only partly in a local array
// cannot be accessed. A local array can be accessed only where the stack pointer is not above it.
func (x *path) slot(at *term.Term, bytes uint64) (uint64, bool) {
	sp := x.m.Var("sp", 64)
	d := term.Linearize(at).Minus(term.Linearize(sp))
	for _, l := range x.e.twin.Locals {
		below := x.e.sec.locals[l.Name]
		from, size := d.Const+below, 8*l.Words
		switch known := len(d.Of) == 0; {
		case known && from < size && from+bytes <= size, !known && term.Linearize(at).Of[sp] == 1:
			if !x.reserved(-below) {
				arm64.Fail("an access of %s, which begins below the stack pointer", l.Name)
			}
			return 0, false
		case known && (from < size || -from < bytes):
			arm64.Fail("%d bytes at %d from the return address, partly in %s", bytes, int64(d.Const), l.Name)
		}
	}
	return d.Const, len(d.Of) == 0
}

// The method "saves" reports whether the word v may be stored at the distance d from SP. Such a place is in the frame and
// in no local array. The lowest two words of the frame are for the return address and the frame pointer, which other
// programs look for there.
func (x *path) saves(d uint64, v *term.Term) bool {
	stack := x.e.sec.stack
	switch {
	case stack == 0 || d%8 != 0:
		return false
	case -d == stack:
		return v == x.e.held(30, 0)
	case -d == stack+8:
		return v == x.e.held(framePointer, 0)
	}
	return -d >= 8 && -d < stack && x.reserved(d)
}

// The method "reserved" reports whether the stack pointer is now at most the place at the distance d from SP.
func (x *path) reserved(d uint64) bool {
	low := term.Linearize(x.m.SP).Minus(term.Linearize(x.m.Var("sp", 64)))
	return len(low.Of) == 0 && int64(low.Const) <= int64(d)
}

// The offset of the lowest address of the stack that a Go function may use without a check, in the structure of a
// goroutine, and the number of bytes that it may use below this address. Both are constants of Go.
const guardAt, small = 16, 128

// If the given address is that of the bound of the goroutine's stack, the method "guard" returns this bound. Otherwise it
// returns nil.
func (x *path) guard(at *term.Term) *term.Term {
	p := x.m.Pool
	if x.e.sec.stack == 0 || at != p.Add(p.Var("x28", 64), p.Value(64, guardAt)) {
		return nil
	}
	return p.Var("stackguard", 64)
}

// The method "room" claims that the stack has room for the frame, if the function asks for the bound of the stack. For
// the other functions, the linker checks it.
func (x *path) room() {
	if p := x.m.Pool; x.guarded {
		x.claim("the stack has room for the frame", x.given, p.Ult(p.Var("stackguard", 64), x.e.lowered(x.e.sec.stack-small)), false)
	}
}

// If the stack is too small for a function, the function calls the runtime, which enlarges the stack. Then the function
// begins again. The method "more" executes this call. The call needs the return address in register 3. Nothing else may
// have changed since the entry but registers that a function need not preserve.
func (e *executor) more(x *path, in arm64.Instruction) error {
	to := ""
	if e.link.Name != nil {
		to = e.link.Name(in.Args[0].Value)
	}
	next, ok := e.code[in.Next()]
	switch {
	case to != "runtime.morestack_noctxt":
		return fmt.Errorf("%#x: a call of %q", in.Address, to)
	case !ok || next.Name != "b" || next.Args[0].Value != e.entry:
		return fmt.Errorf("%#x: the function does not begin again after the call", in.Address)
	case e.from >= 0 || len(x.stored) > 0 || !maps.Equal(x.frame, x.arguments):
		return fmt.Errorf("%#x: the call comes after a store", in.Address)
	}
	x.claim("the return address of the call", x.given, e.pool.Eq(x.m.X[3], e.held(30, 0)), false)
	x.preserves(0, func(what string, c *term.Term) { x.claim(what, x.given, c, false) })
	e.proof.Paths++
	return nil
}

// The method "preserves" claims that the registers of the list "kept" have their values where the stack pointer has
// been lowered by some bytes.
func (x *path) preserves(lowered uint64, claim func(what string, c *term.Term)) {
	for _, n := range kept {
		claim(fmt.Sprintf("x%d", n), equal(x.m.Pool, x.m.X[n], x.e.held(n, lowered)))
	}
	claim("the stack pointer", equal(x.m.Pool, x.m.SP, x.e.lowered(lowered)))
}
