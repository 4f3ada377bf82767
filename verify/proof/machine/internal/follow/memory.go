package follow

import (
	"fmt"
	"slices"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/arm64"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// This file has the loads and stores of a path. It also claims that each of them lies within a slice.

// Load returns lanes of the given width in bits. The argument "at" is the address of the first lane. The lanes are
// words of the stack frame, elements of slices, or constants of the program.
func (x *path) Load(m *arm64.Machine, at *term.Term, lanes, width int) []*term.Term {
	out := make([]*term.Term, lanes)
	bytes := uint64(width / 8)
	for i := range out {
		here := canonical(m.Pool, m.Add(at, m.Value(64, uint64(i)*bytes)))
		d, frame := x.slot(here, bytes)
		guard := x.guard(here)
		switch {
		case frame:
			v, ok := x.frame[d]
			if !ok || v.Width != width || int64(d) < 0 && !x.reserved(d+8) { // the frame pointer is below the frame
				arm64.Fail("a load of %d bits at %d from the return address", width, int64(d))
			}
			out[i] = v
		case guard != nil && width == 64:
			out[i], x.guarded = guard, true
		case here.Op == term.Const:
			out[i] = x.constant(here.Value, width)
		case x.e.sec.table != nil && term.Linearize(here).Const != 0 && !x.e.based(here):
			out[i] = x.indexed(here, width)
		default:
			x.accesses = append(x.accesses, access{here, width / 8, false})
			out[i] = x.memory.read(m.Pool, here, width/8)
		}
	}
	return out
}

// The method "based" reports whether an address is computed from the address of a slice.
func (e *executor) based(at *term.Term) bool {
	l := term.Linearize(at)
	return slices.ContainsFunc(e.twin.Args, func(a Arg) bool { return a.Slice && l.Of[e.start[a.Name]] != 0 })
}

// The method "indexed" returns the lane at an address in a read-only table. The address is a constant minus twice an
// index. The invariants give a range for the table. The function also claims that the index is in this range.
func (x *path) indexed(at *term.Term, width int) *term.Term {
	p := x.m.Pool
	// The address depends on the linker's layout. So the claims contain only the index.
	l := term.Linearize(at)
	from := l.Const
	l.Const = 0
	for t, c := range l.Of {
		if c%2 != 0 {
			arm64.Fail("the address %s is not a constant minus twice an index", at)
		}
		l.Of[t] = -uint64(int64(c) / 2)
	}
	index := p.Linear(l)
	var out *term.Term
	any := p.Bool(false)
	for k := uint64(x.e.sec.table[1]); ; k-- {
		is := p.Eq(index, p.Value(64, k))
		any = p.Or(is, any)
		if v := x.constant(from-2*k, width); out == nil {
			out = v
		} else {
			out = p.Ite(is, v, out)
		}
		if k == uint64(x.e.sec.table[0]) {
			break
		}
	}
	x.claim("the index is in the table", slices.Clone(x.given), any, false)
	return out
}

// The method "constant" returns a lane of the program's read-only data. It has the given address, and the given width
// in bits.
func (x *path) constant(at uint64, width int) *term.Term {
	b, err := x.e.link.Data(at, width/8)
	if err != nil {
		arm64.Fail("%v", err)
	}
	x.e.proof.Constants = append(x.e.proof.Constants, Constant{at, len(b)})
	v := uint64(0)
	for k, c := range b {
		v |= uint64(c) << (8 * k)
	}
	return x.m.Value(width, v)
}

// Store stores lanes. The argument "at" is the address of the first lane. In the stack frame, it permits only stores to
// the function's results and to the places of saved registers, and keeps the stored values. All other stores are to
// elements of slices and of local arrays.
func (x *path) Store(m *arm64.Machine, at *term.Term, lanes []*term.Term) {
	bytes := uint64(lanes[0].Width / 8)
	for i, v := range lanes {
		here := canonical(m.Pool, m.Add(at, m.Value(64, uint64(i)*bytes)))
		d, frame := x.slot(here, bytes)
		if !frame {
			x.accesses = append(x.accesses, access{here, int(bytes), true})
			x.stored = append(x.stored, write{here, v})
			x.memory.write(m.Pool, here, v)
			continue
		}
		permitted := bytes == 8 && x.saves(d, v)
		x.e.twin.frame(func(a Arg, at uint64, is bool) {
			permitted = permitted || is && d == 8+at && uint64(a.Bytes) == bytes
		})
		if !permitted {
			arm64.Fail("a store at %d from the return address", int64(d))
		}
		x.frame[d] = v
	}
}

// A memory access has an address, which is a sum. One of its summands is the address of a slice. The method "inside"
// returns the claim that the access lies within this slice.
func (e *executor) inside(a access) (*term.Term, error) {
	p := e.pool
	l := term.Linearize(a.at)
	for _, s := range e.twin.Args {
		from := e.start[s.Name]
		if !s.Slice || l.Of[from] != 1 {
			continue
		}
		d := p.Linear(l.Minus(term.Linearize(from)))
		size := p.Mul(p.Value(64, uint64(s.Bytes)), e.start["len("+s.Name+")"])
		return p.And(p.Ult(d, size), p.Ule(p.Add(d, p.Value(64, uint64(a.bytes))), size)), nil
	}
	return nil, fmt.Errorf("an address outside all slices: %s", a.at)
}

// The function "equal" returns the term a = b. The terms a and b are written as sums. If the difference of these sums
// is a constant, the result is the constant true or false.
func equal(p *term.Pool, a, b *term.Term) *term.Term {
	if a.Width != b.Width {
		return p.Bool(false)
	}
	if a.Width == 64 {
		if d := term.Linearize(a).Minus(term.Linearize(b)); len(d.Of) == 0 {
			return p.Bool(d.Const == 0)
		}
	}
	return p.Eq(a, b)
}
