package semantics

import (
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// wideRows is a part of the table. Its instruction forms occur in only two kinds of kernels. Kernels of the first kind
// derive positions in vector lanes. Kernels of the second kind look up or add keys in blocks.
var wideRows = []row{
	{"div", "r64", "", "RAX := RDX:RAX / SRC, RDX := the remainder; here only with RDX = 0; all flags undefined", div},
	{"setae", "m8", "", "DEST := NOT CF", set},
	{"vmovdqa", "v256,v256", "avx", "DEST := SRC; the rest of a register := 0", vmov},
	{"vmovdqa64", "v512,v512", "avx512f", "DEST := SRC", vmov},
	{"vmovdqa64", "m512,v512", "avx512f", "DEST := SRC; a place that is no multiple of 64 faults", vmovAligned},
	{"vmovq", "m64,v128", "avx", "DEST := SRC[63:0]", vmovq},
	{"vmovhps", "v128,v128,m64", "avx", "DEST := SRC1[63:0] below SRC2", vmovhps},
	{"vpextrq", "r64,v128,i m64,v128,i", "avx", "DEST := word IMM[0] of SRC", vpextrq},
	{"vpxor", "v128,v128,v128", "avx", "DEST := SRC1 XOR SRC2", lanes2((*pool).BvXor)},
	{"vpaddq", "v512,v512,m64{b}", "avx512f", "each word: DEST := SRC1 + SRC2", lanes2((*pool).Add)},
	{"vpandq", "v512,v512,m64{b}", "avx512f", "DEST := SRC1 AND SRC2", lanes2((*pool).BvAnd)},
	{"vporq", "v512,v512,m64{b}", "avx512f", "DEST := SRC1 OR SRC2", lanes2((*pool).BvOr)},
	{"vpsubq", "v256,v256,v256", "avx2", "each word: DEST := SRC1 - SRC2", lanes2((*pool).Sub)},
	{"vpsubq", "v512,v512,v512 v512,v512,m64{b}", "avx512f", "each word: DEST := SRC1 - SRC2", lanes2((*pool).Sub)},
	{"vpmullq", "v512,v512,m64{b}", "avx512dq", "each word: DEST := SRC1 * SRC2 mod 2^64", lanes2((*pool).Mul)},
	{"vpmadd52huq", "v512,v512,v512 v512,v512,m64{b}", "avx512ifma", "each word: DEST := DEST + (SRC1[51:0] * SRC2[51:0])[103:52]", vpmadd52huq},
	{"vpsllvq", "v256,v256,m256", "avx2", "each word: DEST := SRC2 > 63 ? 0 : SRC1 << SRC2", lanes2((*pool).Shl)},
	{"vpsllvq", "v512,v512,v512", "avx512f", "each word: DEST := SRC2 > 63 ? 0 : SRC1 << SRC2", lanes2((*pool).Shl)},
	{"vpsrlvq", "v512,v512,v512", "avx512f", "each word: DEST := SRC2 > 63 ? 0 : SRC1 >> SRC2", lanes2((*pool).Lshr)},
	{"vpsllq", "v512,v512,i", "avx512f", "each word: DEST := COUNT > 63 ? 0 : SRC << COUNT", vpsllq},
	{"vpsrlq", "v512{k}{z},v512,i", "avx512f", "each word under the mask: DEST := COUNT > 63 ? 0 : SRC >> COUNT", vpsrlqMasked},
	{"vpslld", "v256,v256,i", "avx2", "each doubleword: DEST := COUNT > 31 ? 0 : SRC << COUNT", moved((*pool).Shl)},
	{"vpsrld", "v256,v256,i", "avx2", "each doubleword: DEST := COUNT > 31 ? 0 : SRC >> COUNT", moved((*pool).Lshr)},
	{"vpsrldq", "v128,v128,i", "avx", "DEST := SRC >> 8*COUNT, 0 from COUNT = 16 on", vpsrldq},
	{"vpermd", "v256,v256,m256", "avx2", "doubleword j: DEST := doubleword SRC1[j] AND 7 of SRC2", vpermd},
	{"vblendvps", "v256,v256,v256,v256", "avx", "doubleword j: DEST := the highest bit of doubleword j of MASK ? SRC2 : SRC1", vblendvps},
	{"vpternlogq", "v512,v512,v512,i v512{k},v512,v512,i", "avx512f", "each bit under the mask: DEST := IMM[4 DEST + 2 SRC1 + SRC2]", vpternlogq},
	{"vpcmpltuq", "k64,v512,v512 k64,v512,m64{b}", "avx512f", "bit j: DEST := word j of SRC1 < that of SRC2; bits 8 and up := 0", compared(func(p *pool, a, b *term.Term) *term.Term { return p.Ult(a, b) })},
	{"vptestmq", "k64,v512,v512", "avx512f", "bit j: DEST := word j of SRC1 AND SRC2 <> 0; bits 8 and up := 0", compared(func(p *pool, a, b *term.Term) *term.Term {
		return p.Not(p.Eq(p.BvAnd(a, b), p.Value(64, 0)))
	})},
	{"vptestnmq", "k64{k},v512,m64{b}", "avx512f", "bit j under the mask: DEST := word j of SRC1 AND SRC2 = 0; others := 0", compared(func(p *pool, a, b *term.Term) *term.Term {
		return p.Eq(p.BvAnd(a, b), p.Value(64, 0))
	})},
	{"vpmovqb", "v128,v512", "avx512f", "byte j: DEST := word j of SRC, [7:0]; the rest 0", vpmovqb},
	{"vpmovqb", "m64,v512 m64{k},v512", "avx512f", "byte j under the mask: DEST := word j of SRC, [7:0]", vpmovqbStore},
	{"vpaddq", "v512{k},v512,v512", "avx512f", "each word under the mask: DEST := SRC1 + SRC2; others stay", vpaddqMerged},
	{"vpermi2q", "v512,v512,v512", "avx512f", "word j: DEST := word DEST[j] AND 7 of SRC1 or, by bit 3 of DEST[j], of SRC2", vpermi2q},
	{"vpermt2q", "v512,v512,v512", "avx512f", "word j: DEST := word SRC1[j] AND 7 of DEST or, by bit 3 of SRC1[j], of SRC2", vpermt2q},
	{"vpgatherqq", "v512{k},m[v512]", "avx512f", "each word under the mask: DEST := SRC at the index; others stay; the mask := 0", vpgatherqq},
	{"vpsadbw", "v128,v128,v128", "avx", "each word: DEST := sum of |SRC1 - SRC2| of its bytes", lanes2(sadBytes)},
	{"kmovw", "k64,m16", "avx512f", "DEST[15:0] := SRC[15:0], the rest 0", kmovwLoad},
	{"kmovb", "k64,r32", "avx512dq", "DEST[7:0] := SRC[7:0], the rest 0", kmovb},
	{"kxnorb", "k64,k64,k64", "avx512dq", "DEST[7:0] := SRC1[7:0] XNOR SRC2[7:0], the rest 0", kxnorb},
	{"korw", "k64,k64,k64", "avx512f", "DEST[15:0] := SRC1[15:0] OR SRC2[15:0], the rest 0", masks2((*pool).BvOr)},
	{"kxorw", "k64,k64,k64", "avx512f", "DEST[15:0] := SRC1[15:0] XOR SRC2[15:0], the rest 0", masks2((*pool).BvXor)},
}

// A Memory may also implement the interface Must. Its method Must is then called for each instruction that could fault.
// The argument is a condition that excludes the fault.
type Must interface {
	Must(what string, c *term.Term)
}

// The method "must" is called for an instruction that could fault. The condition c excludes the fault.
func (m *Machine) must(what string, c *term.Term) {
	if told, can := m.Memory.(Must); can {
		told.Must(what, c)
	} else if !c.Is(1) {
		Fail("not known: %s", what)
	}
}

func vmovAligned(m *Machine, in decode.Instruction) {
	for _, a := range in.Args {
		if a.Kind == decode.Memory {
			low := m.BvAnd(m.Address(a), m.Value(64, uint64(a.Width/8-1)))
			m.must("a place is aligned", m.Eq(low, m.Value(64, 0)))
		}
	}
	vmov(m, in)
}

func div(m *Machine, in decode.Instruction) {
	a, b := m.GP[0], m.get(in.Args[0], 0)
	if !m.GP[2].Is(0) {
		Fail("a division of 128 bits")
	}
	m.must("a divisor is not 0", m.Not(m.Eq(b, m.Value(64, 0))))
	m.GP[0], m.GP[2] = m.Div(a, b), m.Rem(a, b)
	m.Flags = Flags{}
}

func vmovhps(m *Machine, in decode.Instruction) {
	m.put(in.Args[0].Reg, []*term.Term{m.V[in.Args[1].Reg][0], m.get(in.Args[2], 64)})
}

func vpextrq(m *Machine, in decode.Instruction) {
	m.set(in.Args[0], m.V[in.Args[1].Reg][in.Args[2].Value&1])
}

func vpmadd52huq(m *Machine, in decode.Instruction) {
	dst := in.Args[0]
	a, b := m.source(in.Args[1], 0), m.source(in.Args[2], 0)
	m.put(dst.Reg, m.masked(dst, func(i int) *term.Term {
		low := m.Value(64, 1<<52-1)
		x, y := m.Shl(m.BvAnd(a(i), low), m.Value(64, 12)), m.BvAnd(b(i), low)
		return m.Add(m.V[dst.Reg][i], m.MulHi(x, y)) // (2^12 x y) >> 64 is (x y) >> 52
	}))
}

// The method "bit" returns a bit of a write mask as a truth value. It is the bit for the given lane of the operand a.
// Without a write mask, the result is true for every lane.
func (m *Machine) bit(a decode.Operand, lane int) *term.Term {
	if a.Mask == 0 {
		return m.Bool(true)
	}
	return m.Eq(m.Extract(m.K[a.Mask], lane, 1), m.Value(1, 1))
}

func vpsrlqMasked(m *Machine, in decode.Instruction) {
	dst := in.Args[0]
	out := m.words(in.Args[1])
	for i := range out {
		out[i] = m.Ite(m.bit(dst, i), m.Lshr(out[i], m.Value(64, in.Args[2].Value&0xff)), m.Value(64, 0))
	}
	m.put(dst.Reg, out)
}

// The function "moved" returns an operation that shifts each doubleword of 32 bits by a constant number of bits.
// The function f does the shift.
func moved(f func(p *pool, a, n *term.Term) *term.Term) func(*Machine, decode.Instruction) {
	return func(m *Machine, in decode.Instruction) {
		out := m.doublewordsOf(m.words(in.Args[1]))
		for j := range out {
			out[j] = f(m.Pool, out[j], m.Value(32, in.Args[2].Value&0xff))
		}
		m.put(in.Args[0].Reg, m.pairs(out))
	}
}

func vpsrldq(m *Machine, in decode.Instruction) {
	src := m.words(in.Args[1])
	all := append(m.Split(src[0], 8), m.Split(src[1], 8)...)
	for range 16 {
		all = append(all, m.Value(8, 0))
	}
	n := min(in.Args[2].Value&0xff, 16)
	all = all[n : n+16]
	m.put(in.Args[0].Reg, []*term.Term{m.Join(all[:8]...), m.Join(all[8:]...)})
}

func vpermd(m *Machine, in decode.Instruction) {
	by, src := m.doublewordsOf(m.words(in.Args[1])), m.doublewordsOf(m.words(in.Args[2]))
	out := make([]*term.Term, len(src))
	for j := range out {
		low := m.Extract(by[j], 0, 3)
		out[j] = src[7]
		for i := 6; i >= 0; i-- {
			out[j] = m.Ite(m.Eq(low, m.Value(3, uint64(i))), src[i], out[j])
		}
	}
	m.put(in.Args[0].Reg, m.pairs(out))
}

func vblendvps(m *Machine, in decode.Instruction) {
	out, other, by := m.doublewordsOf(m.words(in.Args[1])), m.doublewordsOf(m.words(in.Args[2])), m.doublewordsOf(m.words(in.Args[3]))
	for j := range out {
		out[j] = m.Ite(m.Negative(by[j]), other[j], out[j])
	}
	m.put(in.Args[0].Reg, m.pairs(out))
}

func vpternlogq(m *Machine, in decode.Instruction) {
	dst := in.Args[0]
	a, b, imm := m.words(in.Args[1]), m.words(in.Args[2]), in.Args[3].Value
	out := make([]*term.Term, len(a))
	for i := range out {
		was := m.V[dst.Reg][i]
		r := m.Value(64, 0)
		switch imm {
		case 0xff:
			r = m.Value(64, term.Mask(64))
		case 0xfe:
			r = m.BvOr(m.BvOr(was, a[i]), b[i])
		default:
			for k := range uint64(8) {
				if imm>>k&1 == 0 {
					continue
				}
				all := m.Value(64, term.Mask(64))
				for j, t := range []*term.Term{b[i], a[i], was} {
					if k>>j&1 == 0 {
						t = m.BvNot(t)
					}
					all = m.BvAnd(all, t)
				}
				r = m.BvOr(r, all)
			}
		}
		out[i] = m.Ite(m.bit(dst, i), r, was)
	}
	m.put(dst.Reg, out)
}

// The function "compared" returns an operation on two operands. The function f compares each word of one operand
// with the word in the same lane of the other. The results become the bits of a mask register. If a lane is not in the
// mask of the instruction, its bit becomes 0.
func compared(f func(p *pool, a, b *term.Term) *term.Term) func(*Machine, decode.Instruction) {
	return func(m *Machine, in decode.Instruction) {
		dst := in.Args[0]
		a, b := m.source(in.Args[1], 0), m.source(in.Args[2], 0)
		out := m.Value(64, 0)
		for i := range in.Args[1].Width / 64 {
			c := m.And(m.bit(dst, i), f(m.Pool, a(i), b(i)))
			out = m.BvOr(out, m.Ite(c, m.Value(64, 1<<i), m.Value(64, 0)))
		}
		m.K[dst.Reg] = out
	}
}

func vpmovqb(m *Machine, in decode.Instruction) {
	var parts []*term.Term
	for _, w := range m.words(in.Args[1]) {
		parts = append(parts, m.Extract(w, 0, 8))
	}
	m.put(in.Args[0].Reg, []*term.Term{m.Join(parts...), m.Value(64, 0)})
}

func vpmovqbStore(m *Machine, in decode.Instruction) {
	dst := in.Args[0]
	at := m.Address(dst)
	var parts []*term.Term
	for _, w := range m.words(in.Args[1]) {
		parts = append(parts, m.Extract(w, 0, 8))
	}
	if dst.Mask == 0 {
		m.Memory.Store(m, at, parts)
		return
	}
	for i, b := range parts {
		if m.enabled(dst, i) {
			m.Memory.Store(m, m.Add(at, m.Value(64, uint64(i))), []*term.Term{b})
		}
	}
}

func vpaddqMerged(m *Machine, in decode.Instruction) {
	dst := in.Args[0]
	a, b := m.words(in.Args[1]), m.words(in.Args[2])
	out := make([]*term.Term, len(a))
	for i := range out {
		out[i] = m.Ite(m.bit(dst, i), m.Add(a[i], b[i]), m.V[dst.Reg][i])
	}
	m.put(dst.Reg, out)
}

func vpermi2q(m *Machine, in decode.Instruction) {
	m.permute(in.Args[0].Reg, m.words(in.Args[0]), append(m.words(in.Args[1]), m.words(in.Args[2])...))
}

func vpermt2q(m *Machine, in decode.Instruction) {
	m.permute(in.Args[0].Reg, m.words(in.Args[1]), append(m.words(in.Args[0]), m.words(in.Args[2])...))
}

// The method "permute" sets each word of a vector register to one of 16 words. The list "by" has a word for each lane.
// The lowest 4 bits of this word select one of the 16 words.
func (m *Machine) permute(reg int, by, from []*term.Term) {
	out := make([]*term.Term, len(by))
	for j := range out {
		low := m.Extract(by[j], 0, 4)
		out[j] = from[15]
		for i := 14; i >= 0; i-- {
			out[j] = m.Ite(m.Eq(low, m.Value(4, uint64(i))), from[i], out[j])
		}
	}
	m.put(reg, out)
}

// vpgatherqq executes a gather. The bits of its mask must be constants.
func vpgatherqq(m *Machine, in decode.Instruction) {
	dst, src := in.Args[0], in.Args[1]
	if dst.Reg == src.Index || !src.Base || src.Thread {
		Fail("a gather whose destination is its index, or that has no base")
	}
	out := make([]*term.Term, 8)
	for i := range out {
		if out[i] = m.V[dst.Reg][i]; !m.enabled(dst, i) {
			continue
		}
		at := m.Add(m.GP[src.Reg], m.Add(m.Mul(m.V[src.Index][i], m.Value(64, uint64(src.Scale))), m.Value(64, src.Value)))
		out[i] = m.Memory.Load(m, at, 64)[0]
	}
	m.put(dst.Reg, out)
	m.K[dst.Mask] = m.Value(64, 0)
}

func kmovb(m *Machine, in decode.Instruction) {
	m.K[in.Args[0].Reg] = m.Zext(m.Extract(m.GP[in.Args[1].Reg], 0, 8), 64)
}

func kxnorb(m *Machine, in decode.Instruction) {
	a, b := m.K[in.Args[1].Reg], m.K[in.Args[2].Reg]
	m.K[in.Args[0].Reg] = m.Zext(m.BvNot(m.BvXor(m.Extract(a, 0, 8), m.Extract(b, 0, 8))), 64)
}

func kmovwLoad(m *Machine, in decode.Instruction) {
	m.K[in.Args[0].Reg] = m.Zext(m.get(in.Args[1], 64), 64)
}

// masks2 returns an operation that applies f to the lowest 16 bits of two mask registers.
func masks2(f func(p *pool, a, b *term.Term) *term.Term) func(*Machine, decode.Instruction) {
	return func(m *Machine, in decode.Instruction) {
		a, b := m.K[in.Args[1].Reg], m.K[in.Args[2].Reg]
		m.K[in.Args[0].Reg] = m.Zext(f(m.Pool, m.Extract(a, 0, 16), m.Extract(b, 0, 16)), 64)
	}
}
