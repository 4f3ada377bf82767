package arm64

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// State is the state of a processor: the registers and memory that a program can see. The state has no system registers
// such as FPCR or FPSR, because no instruction in the table changes them.
type State struct {
	X          [31]*term.Term
	SP         *term.Term
	V          [32][2]*term.Term // words of 64 bits, the lower first
	N, Z, C, F *term.Term        // the flags; F is the manual's V
	// If the flags come from a subtraction a-b, the elements of the array Compared are a and b. Conditions are then
	// expressed as comparisons of a and b.
	Compared [2]*term.Term
}

// Store is the memory of a machine. An access loads or stores several lanes. They all have the same width, which is at
// most 64 bits.
type Store interface {
	Load(m *Machine, address *term.Term, lanes, width int) []*term.Term
	Store(m *Machine, address *term.Term, lanes []*term.Term)
}

// Machine is the state of a processor together with its memory.
type Machine struct {
	*term.Pool
	State
	Memory Store
}

// Fault says why an instruction cannot be executed.
type Fault struct{ Why string }

// Error returns the reason, which is f.Why.
func (f Fault) Error() string { return f.Why }

// Fail panics with a Fault, so that Step returns an error.
func Fail(format string, a ...any) { panic(Fault{fmt.Sprintf(format, a...)}) }

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

// Step executes one instruction, which must be neither a branch nor a return.
func (m *Machine) Step(in Instruction) (err error) {
	e, ok := Lookup(in.Form())
	if !ok || e.do == nil {
		return Fault{"no semantics of " + in.Form()}
	}
	defer Recover(&err)
	e.do(m, in)
	return nil
}

// Branch handles the branch instructions b, b.cond, cbz, cbnz and tbz. It returns the condition under which the branch
// is taken, and its target address.
func (m *Machine) Branch(in Instruction) (taken *term.Term, to uint64, ok bool, err error) {
	defer Recover(&err)
	if !IsBranch(in) {
		return nil, 0, false, nil
	}
	to = in.Args[len(in.Args)-1].Value
	name, cond, conditional := strings.Cut(in.Name, ".")
	switch {
	case conditional:
		return m.Condition(cond), to, true, nil
	case name == "b":
		return m.Bool(true), to, true, nil
	case name == "cbz" || name == "cbnz":
		a := m.get(in.Args[0])
		taken = m.Eq(a, m.Value(a.Width, 0))
	case name == "tbz" || name == "tbnz":
		taken = m.Eq(m.Extract(m.get(in.Args[0]), int(in.Args[1].Value), 1), m.Value(1, 0))
	}
	if strings.HasSuffix(name, "nz") {
		taken = m.Not(taken)
	}
	return taken, to, true, nil
}

// IsBranch reports whether an instruction is a branch within a function.
func IsBranch(in Instruction) bool {
	name, _, _ := strings.Cut(in.Name, ".")
	switch name {
	case "b", "cbz", "cbnz", "tbz", "tbnz":
		return true
	}
	return false
}

// Condition evaluates a condition with the present values of the flags, and returns its truth value. The argument "cc"
// is the name of the condition, such as "eq" or "lo". Arm's manual calls this function ConditionHolds.
func (m *Machine) Condition(cc string) *term.Term {
	if a, b := m.Compared[0], m.Compared[1]; a != nil {
		switch cc {
		case "hi":
			return m.Ult(b, a)
		case "ls":
			return m.Ule(a, b)
		case "ge":
			return m.Not(m.Slt(a, b))
		case "lt":
			return m.Slt(a, b)
		case "gt":
			return m.Slt(b, a)
		case "le":
			return m.Not(m.Slt(b, a))
		}
	}
	switch cc {
	case "eq":
		return m.Z
	case "ne":
		return m.Not(m.Z)
	case "hs":
		return m.C
	case "lo":
		return m.Not(m.C)
	case "hi":
		return m.And(m.C, m.Not(m.Z))
	case "ls":
		return m.Not(m.And(m.C, m.Not(m.Z)))
	case "ge":
		return m.Eq(m.N, m.F)
	case "lt":
		return m.Not(m.Eq(m.N, m.F))
	case "gt":
		return m.And(m.Not(m.Z), m.Eq(m.N, m.F))
	case "le":
		return m.Not(m.And(m.Not(m.Z), m.Eq(m.N, m.F)))
	}
	Fail("condition %q is not in the table", cc)
	return nil
}

// If the argument "sp" is true, the method "general" returns the value of the stack pointer. Otherwise it returns the
// value of general-purpose register n. In the second case, register 31 is the constant 0.
func (m *Machine) general(n int, sp bool) *term.Term {
	switch {
	case sp:
		return m.SP
	case n == 31:
		return m.Value(64, 0)
	}
	return m.X[n]
}

// The method "get" returns the value of the operand a, which is a register or an immediate. The value is shifted as
// the operand says.
func (m *Machine) get(a Operand) *term.Term {
	var t *term.Term
	switch a.Kind {
	case Register:
		t = m.Extract(m.general(a.Reg, a.SP), 0, a.Width)
	case Immediate:
		t = m.Value(64, a.Value)
	case Scalar:
		t = m.Extract(m.V[a.Reg][0], 0, a.Width)
	case Element:
		t = m.Extract(m.V[a.Reg][a.Lane*a.Width/64], a.Lane*a.Width%64, a.Width)
	default:
		Fail("operand of kind %s", a.Kind)
	}
	n := m.Value(t.Width, uint64(a.Amount))
	switch a.Shift {
	case "":
	case "lsl":
		t = m.Shl(t, n)
	case "lsr":
		t = m.Lshr(t, n)
	case "sxtw":
		t = m.Shl(m.signed(t, 64), m.Value(64, uint64(a.Amount)))
	default:
		Fail("shift %s", a.Shift)
	}
	return t
}

// The method "signed" extends the term t to the given width by copies of its sign bit.
func (m *Machine) signed(t *term.Term, width int) *term.Term {
	high := m.Value(width, 1<<(t.Width-1))
	return m.Sub(m.BvXor(m.Zext(t, width), high), high)
}

// The method "set" puts v into the register of the operand a. The other bits of the register become 0.
func (m *Machine) set(a Operand, v *term.Term) {
	switch {
	case a.Kind == Scalar:
		m.V[a.Reg] = [2]*term.Term{m.Zext(v, 64), m.Value(64, 0)}
	case a.Kind != Register:
		Fail("a result in an operand of kind %s", a.Kind)
	case a.SP:
		m.SP = v
	case a.Reg < 31:
		m.X[a.Reg] = m.Zext(v, 64)
	}
}

// The method "lanes" returns the values of all lanes of the vector operand a.
func (m *Machine) lanes(a Operand) []*term.Term {
	var out []*term.Term
	for _, w := range m.V[a.Reg][:a.Lanes*a.Width/64] {
		out = append(out, m.Split(w, a.Width)...)
	}
	return out
}

// The method "put" sets all lanes of the vector operand a. If the operand covers only half of the register's lanes,
// the other half is cleared.
func (m *Machine) put(a Operand, lanes []*term.Term) {
	m.V[a.Reg] = [2]*term.Term{m.Value(64, 0), m.Value(64, 0)}
	each := 64 / a.Width
	for i := range a.Lanes / each {
		m.V[a.Reg][i] = m.Join(lanes[i*each:][:each]...)
	}
}

// The method "place" returns the address of the memory operand with the index i. The operand or the next operand may
// require an update of the base register. The method then makes this update.
func (m *Machine) place(in Instruction, i int) *term.Term {
	a := in.Args[i]
	at := m.general(a.Reg, a.SP)
	if a.Indexed {
		at = m.Add(at, m.Shl(m.general(a.Index, false), m.Value(64, uint64(a.Amount))))
	}
	at = m.Add(at, m.Value(64, a.Value))
	after := at
	if i+1 < len(in.Args) {
		after = m.Add(at, m.get(in.Args[i+1]))
	}
	if a.Before || i+1 < len(in.Args) {
		m.set(Operand{Kind: Register, Width: 64, Reg: a.Reg, SP: a.SP}, after)
	}
	return at
}

// For the solvers, a 64-bit product or quotient is an unknown function. They know only that equal operands give equal
// results. If the operands are constants, the result is computed.

// Mul returns the low 64 bits of the product of a and b.
func Mul(p *term.Pool, a, b *term.Term) *term.Term {
	if a.Op == term.Const && b.Op == term.Const {
		return p.Value(64, a.Value*b.Value)
	}
	return p.Apply("mul", 64, ordered(p, a, b)...)
}

// MulHigh returns the high 64 bits of the unsigned product of a and b.
func MulHigh(p *term.Pool, a, b *term.Term) *term.Term {
	if a.Op == term.Const && b.Op == term.Const {
		hi, _ := bits.Mul64(a.Value, b.Value)
		return p.Value(64, hi)
	}
	return p.Apply("mulhigh", 64, ordered(p, a, b)...)
}

// Quotient returns the unsigned quotient a/b, rounded down, or 0 if b = 0.
func Quotient(p *term.Pool, a, b *term.Term) *term.Term {
	if a.Op == term.Const && b.Op == term.Const {
		if b.Value == 0 {
			return p.Value(64, 0)
		}
		return p.Value(64, a.Value/b.Value)
	}
	return p.Apply("quotient", 64, a, b)
}

// The function "ordered" returns the two factors of a product in a fixed order. The result is the same if a and b
// are exchanged. So a*b and b*a become the same expression.
func ordered(p *term.Pool, a, b *term.Term) []*term.Term {
	if a.Op == term.Const || b.Op != term.Const && p.Born(b) < p.Born(a) {
		a, b = b, a
	}
	return []*term.Term{a, b}
}
