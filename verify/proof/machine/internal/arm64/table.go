package arm64

import (
	"maps"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

type (
	pool = term.Pool
	bv   = *term.Term
)

// Entry is the table's entry for one instruction form. The form consists of an instruction's name and the kinds of its
// operands.
type Entry struct {
	Form   string // as returned by Instruction.Form
	Manual string // the operation, in the pseudocode of the Arm Architecture Reference Manual
	do     func(*Machine, Instruction)
}

// Lookup returns the table's entry for the given form, and whether there is one.
func Lookup(form string) (Entry, bool) {
	e, ok := table[form]
	return e, ok
}

// Forms returns the sorted list of the forms that have entries in the table.
func Forms() []string { return slices.Sorted(maps.Keys(table)) }

// A row has the name of an instruction, and the kinds of operands of its forms. It also has the operation that all
// these forms perform.
type row struct {
	name, operands, manual string
	do                     func(*Machine, Instruction)
}

// The list "rows" is the first part of the table. [Machine.Branch] executes branches, and package follow executes the
// return.
var rows = []row{
	{"mov", "x,x sp,x x,i", "X[d] = X[n], or imm", func(m *Machine, in Instruction) { m.set(in.Args[0], m.get(in.Args[1])) }},
	{"movk", "x,i<lsl", "X[d]<pos+15:pos> = imm16", movk},
	{"adrp", "x,t", "X[d] = PC with bits 11:0 clear + imm", func(m *Machine, in Instruction) { m.set(in.Args[0], m.Value(64, in.Args[1].Value)) }},
	{"add", "x,x,x x,x,i x,sp,i sp,sp,i w,w,i x,x,x<lsl x,x,w<sxtw f64,f64,f64", "X[d] = X[n] + operand2", plain((*pool).Add)},
	{"sub", "x,x,x x,x,i x,sp,i x,x,x<lsl", "X[d] = X[n] - operand2", plain((*pool).Sub)},
	{"adds", "x,x,i", "(X[d], NZCV) = AddWithCarry(X[n], operand2, 0)", func(m *Machine, in Instruction) { m.sums(in, 1, true) }},
	{"cmn", "x,i w,i", "NZCV = flags of AddWithCarry(X[n], operand2, 0)", func(m *Machine, in Instruction) { m.sums(in, 0, true) }},
	{"subs", "x,x,x x,x,i", "(X[d], NZCV) = AddWithCarry(X[n], NOT operand2, 1)", func(m *Machine, in Instruction) { m.sums(in, 1, false) }},
	{"cmp", "x,x x,i", "NZCV = flags of AddWithCarry(X[n], NOT operand2, 1)", func(m *Machine, in Instruction) { m.sums(in, 0, false) }},
	{"and", "x,x,x x,x,i", "X[d] = X[n] AND operand2", plain((*pool).BvAnd)},
	{"orr", "x,x,x x,x,i", "X[d] = X[n] OR operand2", plain((*pool).BvOr)},
	{"eor", "x,x,x x,x,i x,x,x<lsr", "X[d] = X[n] EOR operand2", plain((*pool).BvXor)},
	{"tst", "x,x", "result = X[n] AND X[m]; NZCV = result<63>, IsZeroBit(result), 0, 0", tst},
	{"lsl", "x,x,x x,x,i", "X[d] = LSL(X[n], operand2 MOD 64)", shift((*pool).Shl)},
	{"lsr", "x,x,x x,x,i", "X[d] = LSR(X[n], operand2 MOD 64)", shift((*pool).Lshr)},
	{"bfi", "x,x,i,i", "X[d]<lsb+width-1:lsb> = X[n]<width-1:0>", bfi},
	{"ubfx", "x,x,i,i", "X[d] = ZeroExtend(X[n]<lsb+width-1:lsb>)", ubfx},
	{"mul", "x,x,x", "X[d] = (X[n] * X[m])<63:0>", func(m *Machine, in Instruction) {
		m.set(in.Args[0], Mul(m.Pool, m.get(in.Args[1]), m.get(in.Args[2])))
	}},
	{"msub", "x,x,x,x", "X[d] = (X[a] - X[n] * X[m])<63:0>", func(m *Machine, in Instruction) {
		m.set(in.Args[0], m.Sub(m.get(in.Args[3]), Mul(m.Pool, m.get(in.Args[1]), m.get(in.Args[2]))))
	}},
	{"umulh", "x,x,x", "X[d] = (UInt(X[n]) * UInt(X[m]))<127:64>", func(m *Machine, in Instruction) {
		m.set(in.Args[0], MulHigh(m.Pool, m.get(in.Args[1]), m.get(in.Args[2])))
	}},
	{"udiv", "x,x,x", "X[d] = X[m] is zero ? 0 : RoundTowardsZero(UInt(X[n]) / UInt(X[m]))", func(m *Machine, in Instruction) {
		m.set(in.Args[0], Quotient(m.Pool, m.get(in.Args[1]), m.get(in.Args[2])))
	}},
	{"csel", "x,x,x,c", "X[d] = ConditionHolds(cond) ? X[n] : X[m]", func(m *Machine, in Instruction) {
		m.set(in.Args[0], m.Ite(m.Condition(in.Args[3].Name), m.get(in.Args[1]), m.get(in.Args[2])))
	}},
	{"cset", "x,c", "X[d] = ConditionHolds(cond) ? 1 : 0", func(m *Machine, in Instruction) {
		m.set(in.Args[0], m.Ite(m.Condition(in.Args[1].Name), m.Value(64, 1), m.Value(64, 0)))
	}},
	{"cinc", "x,x,c", "X[d] = ConditionHolds(cond) ? X[n] + 1 : X[n]", func(m *Machine, in Instruction) {
		a := m.get(in.Args[1])
		m.set(in.Args[0], m.Ite(m.Condition(in.Args[2].Name), m.Add(a, m.Value(64, 1)), a))
	}},
	{"nop", "", "nothing", func(*Machine, Instruction) {}},
	{"prfm", "h,m", "nothing that a program can see, and no fault", func(*Machine, Instruction) {}},

	{"ldr", "x,m x,m+x x,m,i f64,m", "data = Mem[address, 8]", load(64)},
	{"ldur", "f64,m", "data = Mem[address, 8]", load(64)},
	{"ldrb", "w,m+x", "X[t] = ZeroExtend(Mem[address, 1])", load(8)},
	{"ldp", "x,x,m x,x,m,i", "X[t] = Mem[address, 8]; X[t2] = Mem[address + 8, 8]", func(m *Machine, in Instruction) {
		w := m.Memory.Load(m, m.place(in, 2), 2, 64)
		m.set(in.Args[0], w[0])
		m.set(in.Args[1], w[1])
	}},
	{"str", "x,m x,m+x x,m,i x,m! f64,m", "Mem[address, 8] = data", store(64)},
	{"stur", "x,m f64,m", "Mem[address, 8] = data", store(64)},
	{"strb", "w,m w,m+x w,m,i", "Mem[address, 1] = X[t]<7:0>", store(8)},
	{"stp", "x,x,m", "Mem[address, 8] = X[t]; Mem[address + 8, 8] = X[t2]", func(m *Machine, in Instruction) {
		a, b := m.get(in.Args[0]), m.get(in.Args[1])
		m.Memory.Store(m, m.place(in, 2), []bv{a, b})
	}},

	{"ld1", "v16x8{1},m v16x8{2},m v16x8{3},m v16x8{4},m v16x8{4},m,i v2x64{1},m v2x64{1},m,i v8x8{1},m,i",
		"for each register, then each lane: Elem[V[t], e] = Mem[address + offs, ebytes]", ld1},
	{"st1", "v16x8{2},m v16x8{4},m v2x64{1},m v2x64{1},m,x v8x8{1},m",
		"for each register, then each lane: Mem[address + offs, ebytes] = Elem[V[t], e]", st1},
	{"mov", "v16x8,v16x8", "V[d] = V[n]", func(m *Machine, in Instruction) { m.put(in.Args[0], m.lanes(in.Args[1])) }},
	{"movi", "v16x8,i", "each byte: Elem[V[d], e] = imm8", func(m *Machine, in Instruction) { m.all(in.Args[0], m.Value(8, in.Args[1].Value)) }},
	{"dup", "v2x64,x v2x64,v64[] v4x32,w", "each lane: Elem[V[d], e] = element", func(m *Machine, in Instruction) { m.all(in.Args[0], m.get(in.Args[1])) }},
	{"ins", "v64[],v64[]", "Elem[V[d], index] = element", func(m *Machine, in Instruction) { m.V[in.Args[0].Reg][in.Args[0].Lane] = m.get(in.Args[1]) }},
	{"umov", "x,v64[] w,v16[]", "X[d] = ZeroExtend(Elem[V[n], index])", func(m *Machine, in Instruction) { m.set(in.Args[0], m.Zext(m.get(in.Args[1]), 64)) }},
	{"fmov", "f64,x x,f64 w,f32", "the bits as they are", func(m *Machine, in Instruction) { m.set(in.Args[0], m.get(in.Args[1])) }},
	{"and", "v16x8,v16x8,v16x8 v8x8,v8x8,v8x8", "V[d] = V[n] AND V[m]", words((*pool).BvAnd)},
	{"orr", "v16x8,v16x8,v16x8 v8x8,v8x8,v8x8", "V[d] = V[n] OR V[m]", words((*pool).BvOr)},
	{"eor", "v16x8,v16x8,v16x8 v8x8,v8x8,v8x8", "V[d] = V[n] EOR V[m]", words((*pool).BvXor)},
	{"bic", "v16x8,v16x8,v16x8", "V[d] = V[n] AND NOT V[m]", words(func(p *pool, a, b bv) bv { return p.BvAnd(a, p.BvNot(b)) })},
	{"add", "v16x8,v16x8,v16x8 v4x32,v4x32,v4x32 v2x64,v2x64,v2x64", "each lane: Elem[V[d], e] = Elem[V[n], e] + Elem[V[m], e]", each((*pool).Add)},
	{"addp", "v2x64,v2x64,v2x64", "lanes of V[m]:V[n], two by two, added up", addp},
	{"addv", "f32,v4x32", "V[d] = Reduce(ReduceOp_ADD, V[n], esize)", reduce((*pool).Add)},
	{"smaxv", "f16,v8x16", "V[d] = the greatest of the lanes of V[n] with sign", reduce(func(p *pool, a, b bv) bv { return p.Ite(p.Slt(a, b), b, a) })},
	{"uaddlv", "f16,v16x8 f16,v8x8", "V[d] = the sum of UInt(lanes of V[n]) in 2*esize bits", uaddlv},
	{"cnt", "v16x8,v16x8 v8x8,v8x8", "each byte: Elem[V[d], e] = BitCount(Elem[V[n], e])", func(m *Machine, in Instruction) { m.one(in, m.Ones) }},
	{"cmtst", "v4x32,v4x32,v4x32 v2x64,v2x64,v2x64", "each lane: (Elem[V[n], e] AND Elem[V[m], e]) is zero ? Zeros : Ones", each(cmtst)},
	{"ushl", "v8x16,v8x16,v8x16 v4x32,v4x32,v4x32 v2x64,v2x64,v2x64", "each lane: by s = SInt(Elem[V[m], e]<7:0>), LSL(Elem[V[n], e], s) or LSR(Elem[V[n], e], -s)", each(ushl)},
	{"ushr", "v8x16,v8x16,i v4x32,v4x32,i v2x64,v2x64,i", "each lane: Elem[V[d], e] = LSR(Elem[V[n], e], imm)", func(m *Machine, in Instruction) {
		m.one(in, func(a bv) bv { return m.over(a, int(in.Args[2].Value)) })
	}},
	{"sri", "v8x16,v8x16,i", "each lane: the bits of LSR(Elem[V[n], e], imm) below esize - imm, the rest of Elem[V[d], e] stays", sri},
	{"tbl", "v16x8,v16x8{1},v16x8 v16x8,v16x8{2},v16x8 v16x8,v16x8{4},v16x8", "each byte: i = UInt(Elem[V[m], e]); i < 16*regs ? Elem[table, i] : 0", tbl},
	{"fadd", "f64,f64,f64", "V[d] = FPAdd(V[n], V[m], FPCR)", scalarFP(FAdd)},
	{"fsub", "f64,f64,f64", "V[d] = FPSub(V[n], V[m], FPCR)", scalarFP(FSub)},
	{"fmul", "f64,f64,f64", "V[d] = FPMul(V[n], V[m], FPCR)", scalarFP(FMul)},
	{"fadd", "v2x64,v2x64,v2x64", "each lane: FPAdd(Elem[V[n], e], Elem[V[m], e], FPCR)", each(FAdd)},
	{"fsub", "v2x64,v2x64,v2x64", "each lane: FPSub(Elem[V[n], e], Elem[V[m], e], FPCR)", each(FSub)},
	{"fmul", "v2x64,v2x64,v2x64", "each lane: FPMul(Elem[V[n], e], Elem[V[m], e], FPCR)", each(FMul)},
	{"scvtf", "f64,x", "V[d] = FixedToFP(X[n], 0, FALSE, FPCR)", func(m *Machine, in Instruction) { m.set(in.Args[0], FInt(m.Pool, m.get(in.Args[1]))) }},
}

var table = func() map[string]Entry {
	out := map[string]Entry{}
	for _, r := range slices.Concat(rows, mutantRows) {
		operands := strings.Fields(r.operands)
		if r.operands == "" {
			operands = []string{""}
		}
		for _, o := range operands {
			form := strings.TrimSpace(r.name + " " + o)
			if _, twice := out[form]; twice {
				panic("two entries of " + form)
			}
			out[form] = Entry{form, r.manual, r.do}
		}
	}
	return out
}()

func movk(m *Machine, in Instruction) {
	a, at := m.get(in.Args[0]), uint64(in.Args[1].Amount)
	keep := m.BvAnd(a, m.Value(64, ^(uint64(0xffff)<<at)))
	if keep.Op == term.BvAnd && a.Op == term.Const {
		keep = m.Value(64, a.Value&^(0xffff<<at))
	}
	v := m.Value(64, in.Args[1].Value<<at)
	if keep.Op == term.Const {
		m.set(in.Args[0], m.Value(64, keep.Value|v.Value))
		return
	}
	m.set(in.Args[0], m.BvOr(keep, v))
}

func plain(f func(*pool, bv, bv) bv) func(*Machine, Instruction) {
	return func(m *Machine, in Instruction) {
		a := m.get(in.Args[1])
		m.set(in.Args[0], f(m.Pool, a, m.Extract(m.get(in.Args[2]), 0, a.Width)))
	}
}

// If "plus" is true, the method "sums" adds two operands. Otherwise it subtracts the second operand from the first.
// It also sets the flags. The first operand is in.Args[from]. The result is stored only if "from" is above 0.
func (m *Machine) sums(in Instruction, from int, plus bool) {
	a := m.get(in.Args[from])
	b := m.Extract(m.get(in.Args[from+1]), 0, a.Width)
	var r bv
	if m.Compared = [2]bv{a, b}; plus {
		m.Compared = [2]bv{}
		r = m.Pool.Add(a, b)
		m.C = m.Ult(r, a)
		m.F = m.Negative(m.BvAnd(m.BvXor(a, r), m.BvXor(b, r)))
	} else {
		r = m.Sub(a, b)
		m.C = m.Ule(b, a)
		m.F = m.Negative(m.BvAnd(m.BvXor(a, b), m.BvXor(a, r)))
	}
	m.N, m.Z = m.Negative(r), m.Eq(r, m.Value(r.Width, 0))
	if !plus {
		m.Z = m.Eq(a, b)
	}
	if from > 0 {
		m.set(in.Args[0], r)
	}
}

func tst(m *Machine, in Instruction) {
	r := m.BvAnd(m.get(in.Args[0]), m.get(in.Args[1]))
	m.N, m.Z, m.C, m.F = m.Negative(r), m.Eq(r, m.Value(64, 0)), m.Bool(false), m.Bool(false)
	m.Compared = [2]bv{}
}

func shift(f func(*pool, bv, bv) bv) func(*Machine, Instruction) {
	return func(m *Machine, in Instruction) {
		m.set(in.Args[0], f(m.Pool, m.get(in.Args[1]), m.BvAnd(m.get(in.Args[2]), m.Value(64, 63))))
	}
}

func bfi(m *Machine, in Instruction) {
	lsb, width := int(in.Args[2].Value), int(in.Args[3].Value)
	old, v := m.get(in.Args[0]), m.Extract(m.get(in.Args[1]), 0, width)
	if lsb > 0 {
		v = m.Concat(v, m.Extract(old, 0, lsb))
	}
	if lsb+width < 64 {
		v = m.Concat(m.Extract(old, lsb+width, 64-lsb-width), v)
	}
	m.set(in.Args[0], v)
}

func ubfx(m *Machine, in Instruction) {
	m.set(in.Args[0], m.Zext(m.Extract(m.get(in.Args[1]), int(in.Args[2].Value), int(in.Args[3].Value)), 64))
}

func load(width int) func(*Machine, Instruction) {
	return func(m *Machine, in Instruction) { m.set(in.Args[0], m.Memory.Load(m, m.place(in, 1), 1, width)[0]) }
}

func store(width int) func(*Machine, Instruction) {
	return func(m *Machine, in Instruction) {
		v := m.Extract(m.get(in.Args[0]), 0, width)
		m.Memory.Store(m, m.place(in, 1), []bv{v})
	}
}

// ld1 executes the instruction LD1 as a load of words of 64 bits. If the instruction loads bytes, the result is the
// same. The reason is that 8 bytes in the order of memory have the same bits as one little-endian word.
func ld1(m *Machine, in Instruction) {
	a := in.Args[0]
	each := a.Lanes * a.Width / 64
	w := m.Memory.Load(m, m.place(in, 1), each*a.Count, 64)
	for i := range a.Count {
		v := [2]bv{m.Value(64, 0), m.Value(64, 0)}
		copy(v[:], w[i*each:][:each])
		m.V[(a.Reg+i)%32] = v
	}
}

func st1(m *Machine, in Instruction) {
	a := in.Args[0]
	var w []bv
	for i := range a.Count {
		w = append(w, m.V[(a.Reg+i)%32][:a.Lanes*a.Width/64]...)
	}
	m.Memory.Store(m, m.place(in, 1), w)
}

// The method "all" sets all lanes of the vector operand a to the value v.
func (m *Machine) all(a Operand, v bv) {
	out := make([]bv, a.Lanes)
	for i := range out {
		out[i] = v
	}
	m.put(a, out)
}

// The function "words" returns an operation on two vectors. This operation applies f to each pair of 64-bit words. It
// is used for operations that treat each bit separately.
func words(f func(*pool, bv, bv) bv) func(*Machine, Instruction) {
	return func(m *Machine, in Instruction) {
		out := [2]bv{m.Value(64, 0), m.Value(64, 0)}
		for i := range in.Args[0].Lanes * in.Args[0].Width / 64 {
			out[i] = f(m.Pool, m.V[in.Args[1].Reg][i], m.V[in.Args[2].Reg][i])
		}
		m.V[in.Args[0].Reg] = out
	}
}

// The function "each" returns an operation that applies f to every pair of lanes of two vectors.
func each(f func(*pool, bv, bv) bv) func(*Machine, Instruction) {
	return func(m *Machine, in Instruction) {
		a, b := m.lanes(in.Args[1]), m.lanes(in.Args[2])
		out := make([]bv, len(a))
		for i := range out {
			out[i] = f(m.Pool, a[i], b[i])
		}
		m.put(in.Args[0], out)
	}
}

// The method "one" applies f to each lane of the second operand and puts the results into the first operand.
func (m *Machine) one(in Instruction, f func(bv) bv) {
	a := m.lanes(in.Args[1])
	for i := range a {
		a[i] = f(a[i])
	}
	m.put(in.Args[0], a)
}

func addp(m *Machine, in Instruction) {
	l := append(m.lanes(in.Args[1]), m.lanes(in.Args[2])...)
	var out []bv
	for i := 0; i < len(l); i += 2 {
		out = append(out, m.Pool.Add(l[i], l[i+1]))
	}
	m.put(in.Args[0], out)
}

func reduce(f func(*pool, bv, bv) bv) func(*Machine, Instruction) {
	return func(m *Machine, in Instruction) {
		l := m.lanes(in.Args[1])
		out := l[0]
		for _, a := range l[1:] {
			out = f(m.Pool, out, a)
		}
		m.set(in.Args[0], out)
	}
}

func uaddlv(m *Machine, in Instruction) {
	width := in.Args[0].Width
	out := m.Value(width, 0)
	for _, a := range m.lanes(in.Args[1]) {
		out = m.Pool.Add(out, m.Zext(a, width))
	}
	m.set(in.Args[0], out)
}

func cmtst(p *pool, a, b bv) bv {
	zero := p.Value(a.Width, 0)
	return p.Ite(p.Eq(p.BvAnd(a, b), zero), zero, p.Value(a.Width, term.Mask(a.Width)))
}

func ushl(p *pool, a, b bv) bv {
	by := p.Extract(b, 0, 8)
	back := p.Sub(p.Value(8, 0), by)
	return p.Ite(p.Negative(by), p.Lshr(a, p.Zext(back, a.Width)), p.Shl(a, p.Zext(by, a.Width)))
}

// The method "over" returns the argument a, shifted right by n bits. If n is the width of a, the result is 0.
func (m *Machine) over(a bv, n int) bv {
	if n >= a.Width {
		return m.Value(a.Width, 0)
	}
	return m.Zext(m.Extract(a, n, a.Width-n), a.Width)
}

func sri(m *Machine, in Instruction) {
	n := int(in.Args[2].Value)
	old, a := m.lanes(in.Args[0]), m.lanes(in.Args[1])
	for i := range a {
		if n < a[i].Width {
			old[i] = m.Concat(m.Extract(old[i], a[i].Width-n, n), m.Extract(a[i], n, a[i].Width-n))
		}
	}
	m.put(in.Args[0], old)
}

func tbl(m *Machine, in Instruction) {
	t := in.Args[1]
	var from []bv
	for i := range t.Count {
		from = append(from, m.lanes(Operand{Reg: (t.Reg + i) % 32, Lanes: 16, Width: 8})...)
	}
	out := m.lanes(in.Args[2])
	for i, at := range out {
		if at.Op == term.Const {
			if out[i] = m.Value(8, 0); at.Value < uint64(len(from)) {
				out[i] = from[at.Value]
			}
			continue
		}
		out[i] = m.choose(at, from)
	}
	m.put(in.Args[0], out)
}

// The method "choose" returns the element of a list with the given index. If the list has no such element, it returns
// 0. It halves the list by the lowest bit of the index, then by the next bit, and so on.
func (m *Machine) choose(at bv, from []bv) bv {
	zero := m.Value(8, 0)
	level := from
	bit := 0
	for len(level) > 1 {
		c := m.Eq(m.Extract(at, bit, 1), m.Value(1, 1))
		var next []bv
		for i := 0; i < len(level); i += 2 {
			next = append(next, m.Ite(c, level[i+1], level[i]))
		}
		level = next
		bit++
	}
	return m.Ite(m.Ult(at, m.Value(8, uint64(len(from)))), level[0], zero)
}
