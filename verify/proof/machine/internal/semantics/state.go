// Package semantics defines the effect of the instructions of the kernels. It has a table with an entry for each form
// of an instruction (see [Lookup]). Each entry describes the effect of an instruction by expressions of package term.
// Package silicon compares each entry with a processor.
//
// The modelled flags are CF, ZF, SF and OF. No instruction of the table reads any other flag. No instruction of the
// table changes DF or a segment register. Instructions that compute with float64 numbers can change the exception flags
// of MXCSR. The other bits of MXCSR never change.
package semantics

import (
	"fmt"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// Flags has the flags of the processor, as truth values. If the manual leaves a flag undefined after an instruction,
// the flag is nil.
type Flags struct{ CF, ZF, SF, OF *term.Term }

// State has the contents of a processor's registers and flags.
type State struct {
	GP    [16]*term.Term    // in the order of their encoding: AX CX DX BX SP BP SI DI R8 ...
	V     [32][8]*term.Term // words of 64 bits, the lowest first
	K     [8]*term.Term
	Flags Flags
	Upper bool // bits of a vector above the lowest 128 may have been set
}

// The place p stands for a part of the state. The method At returns a pointer to this part.
func (s *State) At(p decode.Place) **term.Term {
	switch p.Kind {
	case decode.Register:
		return &s.GP[p.Reg]
	case decode.Mask:
		return &s.K[p.Reg]
	}
	return &s.V[p.Reg][p.Lane]
}

// A Machine accesses its memory through the interface Memory. Each access is in lanes of at most 64 bits. The method
// Load returns the lanes that it has read. The method Store gets the lanes that it must write.
type Memory interface {
	Load(m *Machine, address *term.Term, bits int) []*term.Term
	Store(m *Machine, address *term.Term, lanes []*term.Term)
}

// Machine is a processor state together with a memory.
type Machine struct {
	*term.Pool
	State
	Memory Memory
	// If Direct is set, the flags of a subtraction a - b have simple terms. The term for the flag ZF is "a = b". The
	// term for the flag OF is "SF xor (a < b)", where < compares signed numbers. The values are the same, but in this
	// form solvers prove conditions faster.
	Direct bool
}

// Fault says why an instruction cannot be executed.
type Fault struct{ Why string }

// Error returns the reason, which is f.Why.
func (f Fault) Error() string { return f.Why }

// Fail panics with a Fault, so that Step returns an error.
func Fail(format string, a ...any) { panic(Fault{fmt.Sprintf(format, a...)}) }

// Step executes one instruction, which must be neither a jump nor a return.
func (m *Machine) Step(in decode.Instruction) (err error) {
	e, ok := Lookup(in.Form())
	if !ok {
		return Fault{"no semantics of " + in.Form()}
	}
	defer Recover(&err)
	e.do(m, in)
	return nil
}

// Recover must be called by a defer statement. It turns the panic of Fail into an error, and stores this error in *err.
func Recover(err *error) {
	switch r := recover().(type) {
	case nil:
	case Fault:
		*err = r
	default:
		panic(r)
	}
}

// Address returns the address of the memory operand a.
func (m *Machine) Address(a decode.Operand) *term.Term {
	if a.Thread || a.Indices > 0 {
		Fail("places in the thread's storage or of a vector of indices are not in the table")
	}
	t := m.Value(64, a.Value)
	if a.Scale > 0 {
		t = m.Add(m.Mul(m.GP[a.Index], m.Value(64, uint64(a.Scale))), t)
	}
	if a.Base {
		t = m.Add(m.GP[a.Reg], t)
	}
	return t
}

// The method "get" returns the value of the operand a, whose width is at most 64 bits.
func (m *Machine) get(a decode.Operand, width int) *term.Term {
	switch a.Kind {
	case decode.Register:
		return m.Extract(m.GP[a.Reg], 0, a.Width)
	case decode.Immediate:
		return m.Value(width, a.Value)
	case decode.Memory:
		return m.Memory.Load(m, m.Address(a), a.Width)[0]
	}
	Fail("operand of kind %s", a.Kind)
	return nil
}

// The method "set" stores v in the operand a, which is in memory or a general-purpose register. If a value of 32 bits
// is stored in a register, the upper half of the register becomes 0. A narrower value leaves the bits above it
// unchanged.
func (m *Machine) set(a decode.Operand, v *term.Term) {
	switch {
	case a.Kind == decode.Memory:
		m.Memory.Store(m, m.Address(a), []*term.Term{v})
	case v.Width >= 32:
		m.GP[a.Reg] = m.Zext(v, 64)
	default:
		m.GP[a.Reg] = m.Concat(m.Extract(m.GP[a.Reg], v.Width, 64-v.Width), v)
	}
}

// The method "words" returns the 64-bit words of the operand a, whose width is 128 bits or more.
func (m *Machine) words(a decode.Operand) []*term.Term {
	if a.Kind == decode.Memory {
		return m.Memory.Load(m, m.Address(a), a.Width)
	}
	return append([]*term.Term(nil), m.V[a.Reg][:a.Width/64]...)
}

// The method "put" sets the lowest lanes of a vector register to the given lanes. It clears the other lanes of the
// register. All instructions in the table that write vector registers do so.
func (m *Machine) put(reg int, lanes []*term.Term) {
	for i := range m.V[reg] {
		m.V[reg][i] = m.Value(64, 0)
		if i < len(lanes) {
			m.V[reg][i] = lanes[i]
		}
	}
	m.Upper = m.Upper || len(lanes) > 2 && reg < 16 // VZEROUPPER clears these registers
}

// The operand a may have a write mask. The method "enabled" reports whether the instruction writes the given lane. The
// bits of the mask must be constants.
func (m *Machine) enabled(a decode.Operand, lane int) bool {
	if a.Mask == 0 {
		return true
	}
	bit := m.Extract(m.K[a.Mask], lane, 1)
	if bit.Op != term.Const {
		Fail("bit %d of mask k%d is not known", lane, a.Mask)
	}
	return bit.Value == 1
}

// A jump or a conditional move has a condition. The method Condition returns a term for the value of this condition.
// The name of such an instruction begins with j or cmov. The argument "cc" is the rest of the name.
func (m *Machine) Condition(cc string) *term.Term {
	need := func(f *term.Term, name string) *term.Term {
		if f == nil {
			Fail("%s depends on %s, which is undefined", cc, name)
		}
		return f
	}
	f := m.Flags
	less := func() *term.Term {
		sf, of := need(f.SF, "SF"), need(f.OF, "OF")
		if m.Direct && of.Op == term.Not && of.Args[0].Op == term.Eq && of.Args[0].Args[0] == sf { // SF xor (SF xor less)
			return of.Args[0].Args[1]
		}
		return m.Not(m.Eq(sf, of))
	}
	switch cc {
	case "e":
		return need(f.ZF, "ZF")
	case "ne":
		return m.Not(need(f.ZF, "ZF"))
	case "b":
		return need(f.CF, "CF")
	case "ae":
		return m.Not(need(f.CF, "CF"))
	case "be":
		return m.Or(need(f.CF, "CF"), need(f.ZF, "ZF"))
	case "a":
		return m.Not(m.Or(need(f.CF, "CF"), need(f.ZF, "ZF")))
	case "l":
		return less()
	case "ge":
		return m.Not(less())
	case "le":
		return m.Or(need(f.ZF, "ZF"), less())
	case "g":
		return m.Not(m.Or(need(f.ZF, "ZF"), less()))
	}
	Fail("condition %q is not in the table", cc)
	return nil
}
