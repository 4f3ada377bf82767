package semantics

import (
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// scalarRows is a part of the table. Its instruction forms occur only in kernels that look up and add keys with
// general-purpose registers.
var scalarRows = []row{
	{"mov", "m8,r8 m8,i m64,i", "", "DEST := SRC", mov},
	{"movzx", "r64,m8 r32,m8", "", "DEST := SRC, zeros above", movzx},
	{"movups", "v128,m128 m128,v128", "", "DEST := SRC; the rest of a register stays", movups},
	{"lea", "r32,m", "", "DEST := EffectiveAddress(SRC)[31:0]", lea32},
	{"push", "r64", "", "RSP := RSP - 8; Memory[RSP] := SRC", push},
	{"pop", "r64", "", "DEST := Memory[RSP]; RSP := RSP + 8", pop},
	{"add", "m64,r64", "", "DEST := DEST + SRC", add},
	{"adc", "r64,i r32,r32", "", "DEST := DEST + SRC + CF", adc},
	{"sbb", "r64,i r64,r64", "", "DEST := DEST - (SRC + CF)", sbb},
	{"neg", "r64", "", "CF := SRC <> 0; DEST := -DEST", neg},
	{"cmp", "r64,m64 m64,i m8,i r8,i", "", "temp := SRC1 - SRC2; the flags as SUB", sub},
	{"xor", "r64,i", "", "DEST := DEST XOR SRC; CF, OF := 0", logic((*pool).BvXor)},
	{"mul", "r64 m64", "", "RDX:RAX := RAX * SRC; CF, OF := RDX <> 0; SF, ZF undefined", mul},
	{"imul", "r64,r64 r64,m64 r64,r64,i", "", "DEST := SRC1 * SRC2 mod 2^64; SF, ZF undefined, and here CF, OF too", imul},
	{"bt", "r64,r64", "", "CF := bit SRC AND 3FH of DEST; ZF stays; SF, OF undefined", bt},
	{"bts", "r64,r64", "", "CF := bit SRC AND 3FH of DEST, which becomes 1; ZF stays; SF, OF undefined", bt},
	{"sete", "r8", "", "DEST := ZF", set},
	{"setae", "r8", "", "DEST := NOT CF", set},
	{"setb", "m8", "", "DEST := CF", set},
	{"setne", "m8", "", "DEST := NOT ZF", set},
	{"cmove", "r64,r64 r64,m64", "", "temp := SRC; IF ZF THEN DEST := temp", cmov},
	{"popcnt", "r64,m64", "popcnt", "DEST := number of ones of SRC; ZF := SRC = 0, all others 0", popcnt},
	{"prefetcht0", "m8", "", "a hint: no result and no fault", prefetch},
	{"prefetcht1", "m8", "", "a hint: no result and no fault", prefetch},
	{"prefetchnta", "m8", "", "a hint: no result and no fault", prefetch},
}

func movzx(m *Machine, in decode.Instruction) {
	m.set(in.Args[0], m.Zext(m.get(in.Args[1], 0), in.Args[0].Width))
}

func movups(m *Machine, in decode.Instruction) {
	if dst, src := in.Args[0], m.words(in.Args[1]); dst.Kind == decode.Memory {
		m.Memory.Store(m, m.Address(dst), src)
	} else {
		copy(m.V[dst.Reg][:], src)
	}
}

func lea32(m *Machine, in decode.Instruction) {
	m.set(in.Args[0], m.Extract(m.Address(in.Args[1]), 0, 32))
}

func push(m *Machine, in decode.Instruction) {
	v := m.get(in.Args[0], 0)
	m.GP[4] = m.Sub(m.GP[4], m.Value(64, 8))
	m.Memory.Store(m, m.GP[4], []*term.Term{v})
}

func pop(m *Machine, in decode.Instruction) {
	v := m.Memory.Load(m, m.GP[4], 64)[0]
	m.GP[4] = m.Add(m.GP[4], m.Value(64, 8))
	m.set(in.Args[0], v)
}

// The method "carry" returns the flag CF as a number. The number is 0 or 1, and has the given width in bits.
func (m *Machine) carry(width int) *term.Term {
	return m.Ite(m.Condition("b"), m.Value(width, 1), m.Value(width, 0))
}

func adc(m *Machine, in decode.Instruction) {
	a := m.get(in.Args[0], 0)
	b := m.get(in.Args[1], a.Width)
	c := m.carry(a.Width)
	r := m.Add(m.Add(a, b), c)
	m.Flags.CF = m.Or(m.Ult(r, a), m.And(m.Flags.CF, m.Eq(r, a)))
	m.Flags.OF = m.Negative(m.BvAnd(m.BvXor(a, r), m.BvXor(b, r)))
	m.result(r)
	m.set(in.Args[0], r)
}

func sbb(m *Machine, in decode.Instruction) {
	a := m.get(in.Args[0], 0)
	b := m.get(in.Args[1], a.Width)
	c := m.carry(a.Width)
	r := m.Sub(m.Sub(a, b), c)
	m.Flags.CF = m.Or(m.Ult(a, b), m.And(m.Flags.CF, m.Eq(a, b)))
	m.Flags.OF = m.Negative(m.BvAnd(m.BvXor(a, b), m.BvXor(a, r)))
	m.result(r)
	m.set(in.Args[0], r)
}

func neg(m *Machine, in decode.Instruction) {
	a := m.get(in.Args[0], 0)
	r := m.Sub(m.Value(a.Width, 0), a)
	m.Flags.CF = m.Not(m.Eq(a, m.Value(a.Width, 0)))
	m.Flags.OF = m.Negative(m.BvAnd(a, r))
	m.result(r)
	m.set(in.Args[0], r)
}

func mul(m *Machine, in decode.Instruction) {
	a, b := m.GP[0], m.get(in.Args[0], 0)
	m.GP[0], m.GP[2] = m.Mul(a, b), m.MulHi(a, b)
	high := m.Not(m.Eq(m.GP[2], m.Value(64, 0)))
	m.Flags = Flags{CF: high, OF: high}
}

func imul(m *Machine, in decode.Instruction) {
	factors := in.Args
	if len(factors) == 3 {
		factors = factors[1:]
	}
	r := m.Mul(m.get(factors[0], 0), m.get(factors[1], in.Args[0].Width))
	m.Flags = Flags{}
	m.set(in.Args[0], r)
}

func bt(m *Machine, in decode.Instruction) {
	a := m.get(in.Args[0], 0)
	n := m.BvAnd(m.get(in.Args[1], 0), m.Value(64, 63))
	m.Flags = Flags{ZF: m.Flags.ZF, CF: m.Eq(m.Extract(m.Lshr(a, n), 0, 1), m.Value(1, 1))}
	one := m.Shl(m.Value(64, 1), n)
	switch in.Name {
	case "bts":
		m.set(in.Args[0], m.BvOr(a, one))
	case "btr":
		m.set(in.Args[0], m.BvAnd(a, m.BvNot(one)))
	case "btc":
		m.set(in.Args[0], m.BvXor(a, one))
	}
}

func set(m *Machine, in decode.Instruction) {
	m.set(in.Args[0], m.Ite(m.Condition(strings.TrimPrefix(in.Name, "set")), m.Value(8, 1), m.Value(8, 0)))
}

func prefetch(m *Machine, in decode.Instruction) { m.Address(in.Args[0]) }
