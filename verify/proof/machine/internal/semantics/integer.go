package semantics

import (
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

type pool = term.Pool

func mov(m *Machine, in decode.Instruction) {
	width := in.Args[0].Width
	m.set(in.Args[0], m.get(in.Args[1], width))
}

func lea(m *Machine, in decode.Instruction) { m.set(in.Args[0], m.Address(in.Args[1])) }

// The term r is the result of an instruction. The method "result" sets the flags ZF and SF as that instruction does.
func (m *Machine) result(r *term.Term) {
	m.Flags.ZF = m.Eq(r, m.Value(r.Width, 0))
	m.Flags.SF = m.Negative(r)
}

func add(m *Machine, in decode.Instruction) {
	a := m.get(in.Args[0], 0)
	b := m.get(in.Args[1], a.Width)
	r := m.Add(a, b)
	m.Flags.CF = m.Ult(r, a)
	// An addition overflows in one case: the operands have the same sign, and the result has the other sign.
	m.Flags.OF = m.Negative(m.BvAnd(m.BvXor(a, r), m.BvXor(b, r)))
	m.result(r)
	m.set(in.Args[0], r)
}

func sub(m *Machine, in decode.Instruction) {
	a := m.get(in.Args[0], 0)
	b := m.get(in.Args[1], a.Width)
	r := m.Sub(a, b)
	m.Flags.CF = m.Ult(a, b)
	m.Flags.OF = m.Negative(m.BvAnd(m.BvXor(a, b), m.BvXor(a, r)))
	m.result(r)
	if m.Direct {
		m.Flags.ZF = m.Eq(a, b)
		m.Flags.OF = m.Not(m.Eq(m.Flags.SF, m.Slt(a, b))) // Condition recognises this form
	}
	if in.Name == "sub" {
		m.set(in.Args[0], r)
	}
}

func inc(m *Machine, in decode.Instruction) {
	a := m.get(in.Args[0], 0)
	r := m.Add(a, m.Value(a.Width, 1))
	m.Flags.OF = m.Eq(a, m.Value(a.Width, term.Mask(a.Width)>>1))
	m.result(r)
	m.set(in.Args[0], r)
}

func dec(m *Machine, in decode.Instruction) {
	a := m.get(in.Args[0], 0)
	r := m.Sub(a, m.Value(a.Width, 1))
	m.Flags.OF = m.Eq(r, m.Value(a.Width, term.Mask(a.Width)>>1))
	m.result(r)
	m.set(in.Args[0], r)
}

// testLow executes an instruction TEST with the lower half of a register. If bit 31 of the immediate operand is 0, the
// result is computed from the whole register. The reason is that the twins also compare whole words.
func testLow(m *Machine, in decode.Instruction) {
	if v := in.Args[1].Value & (1<<32 - 1); v>>31 == 0 {
		m.Flags.CF, m.Flags.OF = m.Bool(false), m.Bool(false)
		m.result(m.BvAnd(m.GP[in.Args[0].Reg], m.Value(64, v)))
		return
	}
	logic((*pool).BvAnd)(m, in)
}

func logic(f func(*pool, *term.Term, *term.Term) *term.Term) func(*Machine, decode.Instruction) {
	return func(m *Machine, in decode.Instruction) {
		a := m.get(in.Args[0], 0)
		r := f(m.Pool, a, m.get(in.Args[1], a.Width))
		m.Flags.CF, m.Flags.OF = m.Bool(false), m.Bool(false)
		m.result(r)
		if in.Name != "test" {
			m.set(in.Args[0], r)
		}
	}
}

func not(m *Machine, in decode.Instruction) { m.set(in.Args[0], m.BvNot(m.get(in.Args[0], 0))) }

// The function "shift" returns an operation that shifts its operand. The function f computes the result of the shift.
// The operation leaves the flags CF and OF undefined, so no instruction may read them afterwards. According to the
// manual, CF is defined if the shift count is not 0. OF is defined if the shift count is 1. The proofs do not need
// these two facts. If the count is 0, all flags keep their values.
func shift(f func(*pool, *term.Term, *term.Term) *term.Term) func(*Machine, decode.Instruction) {
	return func(m *Machine, in decode.Instruction) {
		a := m.get(in.Args[0], 0)
		n := m.BvAnd(m.Zext(m.get(in.Args[1], 64), 64), m.Value(64, uint64(max(a.Width, 32)-1)))
		r := f(m.Pool, a, m.Extract(n, 0, a.Width))
		none, was := m.Eq(n, m.Value(64, 0)), m.Flags
		m.Flags = Flags{}
		m.result(r)
		if was.ZF != nil && was.SF != nil {
			m.Flags.ZF, m.Flags.SF = m.Ite(none, was.ZF, m.Flags.ZF), m.Ite(none, was.SF, m.Flags.SF)
		} else if !none.Is(0) {
			m.Flags = Flags{}
		}
		m.set(in.Args[0], r)
	}
}

func popcnt(m *Machine, in decode.Instruction) {
	a := m.get(in.Args[1], 0)
	no := m.Bool(false)
	m.Flags = Flags{CF: no, SF: no, OF: no, ZF: m.Eq(a, m.Value(a.Width, 0))}
	m.set(in.Args[0], m.Ones(a))
}

func cmov(m *Machine, in decode.Instruction) {
	c := m.Condition(strings.TrimPrefix(in.Name, "cmov"))
	m.set(in.Args[0], m.Ite(c, m.get(in.Args[1], 0), m.get(in.Args[0], 0)))
}
