package semantics

import (
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// laneRows is a part of the table. It describes vector instructions. They occur only in kernels that hash or look up
// keys.
var laneRows = []row{
	{"vmovq", "v128,r64 v128,m64", "avx", "DEST[63:0] := SRC, the rest 0", vmovqTo},
	{"vpbroadcastq", "v256,v128 v256,m64", "avx2", "each word: DEST := SRC[63:0]", broadcast},
	{"vpbroadcastq", "v512,r64 v512,m64", "avx512f", "each word: DEST := SRC[63:0]", broadcast},
	{"vpbroadcastd", "v256,m32", "avx2", "each doubleword: DEST := SRC[31:0]", broadcast},
	{"vextracti128", "m128,v256,i", "avx2", "DEST := SRC[127:0] or, by IMM[0], SRC[255:128]", extract},
	{"vinserti128", "v256,v256,v128,i", "avx2", "DEST := SRC1; the half of DEST that IMM[0] names := SRC2", insert},
	{"vpblendd", "v256,v256,v256,i", "avx2", "doubleword j: DEST := IMM[j] ? SRC2 : SRC1", vpblendd},
	{"vpermq", "v256,v256,i", "avx2", "word j: DEST := word IMM >> 2j AND 3 of SRC", vpermqBy},
	{"vpermq", "v512,v512,v512 v512,v512,m512", "avx512f", "word j: DEST := word SRC1[j] AND 7 of SRC2", vpermq},
	{"vpunpcklqdq", "v256,v256,v256", "avx2", "in each 128 bits: DEST := the lower words of SRC1 and SRC2", unpack(0)},
	{"vpunpckhqdq", "v256,v256,v256", "avx2", "in each 128 bits: DEST := the upper words of SRC1 and SRC2", unpack(1)},
	{"vpunpcklqdq", "v512,v512,v512", "avx512f", "in each 128 bits: DEST := the lower words of SRC1 and SRC2", unpack(0)},
	{"vpunpckhqdq", "v512,v512,v512", "avx512f", "in each 128 bits: DEST := the upper words of SRC1 and SRC2", unpack(1)},
	{"vpmuludq", "v256,v256,v256", "avx2", "each word: DEST := SRC1[31:0] * SRC2[31:0]", lanes2(timesHalves)},
	{"vpmuludq", "v512,v512,v512", "avx512f", "each word: DEST := SRC1[31:0] * SRC2[31:0]", lanes2(timesHalves)},
	{"vpmullq", "v512,v512,v512", "avx512dq", "each word: DEST := SRC1 * SRC2 mod 2^64", lanes2((*pool).Mul)},
	{"vpsrlq", "v256,v256,i", "avx2", "each word: DEST := COUNT > 63 ? 0 : SRC >> COUNT", vpsrlq},
	{"vpsrlq", "v512,v512,i", "avx512f", "each word: DEST := COUNT > 63 ? 0 : SRC >> COUNT", vpsrlq},
	{"vpsrlvq", "v256,v256,v256 v256,v256,m256", "avx2", "each word: DEST := SRC2 > 63 ? 0 : SRC1 >> SRC2", lanes2((*pool).Lshr)},
	{"vpsrlvq", "v512,v512,m512", "avx512f", "each word: DEST := SRC2 > 63 ? 0 : SRC1 >> SRC2", lanes2((*pool).Lshr)},
	{"vpsllvq", "v256,v256,v256", "avx2", "each word: DEST := SRC2 > 63 ? 0 : SRC1 << SRC2", lanes2((*pool).Shl)},
	{"vpsllvd", "v256,v256,v256", "avx2", "each doubleword: DEST := SRC2 > 31 ? 0 : SRC1 << SRC2", lanes2(parts(32, (*pool).Shl))},
	{"vprorvq", "v512,v512,v512", "avx512f", "each word: DEST := SRC1 rotated right by SRC2 AND 3FH", lanes2(rotateRight)},
	{"vprolvq", "v512,v512,v512", "avx512f", "each word: DEST := SRC1 rotated left by SRC2 AND 3FH", lanes2(rotateLeft)},
	{"vpcmpeqd", "v256,v256,v256", "avx2", "each doubleword: DEST := SRC1 = SRC2 ? FFFFFFFFH : 0", lanes2(parts(32, equal))},
	{"vpcmpeqq", "v256,v256,v256", "avx2", "each word: DEST := SRC1 = SRC2 ? all ones : 0", lanes2(equal)},
	{"vpackssdw", "v256,v256,v256", "avx2", "in each 128 bits: the doublewords of SRC1, then of SRC2, to 16 bits with the nearest value", vpackssdw},
	{"vptest", "v256,v256", "avx", "ZF := DEST AND SRC = 0; CF := NOT DEST AND SRC = 0; SF, OF := 0", vptest},
	{"vptestnmq", "k64,v512,v512 k64,v512,m64{b}", "avx512f", "bit j: DEST := word j of SRC1 AND SRC2 = 0; bits 8 and up := 0", vptestnmq},
	{"vmovmskps", "r32,v256", "avx", "bit j: DEST := the highest of doubleword j; the rest 0", signs(32)},
	{"vmovmskpd", "r32,v256", "avx", "bit j: DEST := the highest of word j; the rest 0", signs(64)},
	{"vmovdqa32", "v512{k}{z},v512", "avx512f", "doubleword by doubleword under the mask: DEST := SRC", doublewords(func(j int) int { return j })},
	{"vpshufd", "v512{k},v512,i", "avx512f", "under the mask, doubleword j of each 128 bits: DEST := doubleword IMM >> 2j AND 3 of SRC there", vpshufdMasked},
	{"kmovw", "r32,k64", "avx512f", "DEST := SRC[15:0]", kmovwFrom},
	{"knotw", "k64,k64", "avx512f", "DEST[15:0] := NOT SRC[15:0], the rest 0", knotw},
	{"kshiftrw", "k64,k64,i", "avx512f", "DEST[15:0] := COUNT > 15 ? 0 : SRC[15:0] >> COUNT, the rest 0", kshiftrw},
	{"kortestw", "k64,k64", "avx512f", "temp := DEST[15:0] OR SRC[15:0]; ZF := temp = 0; CF := temp = FFFFH; SF, OF := 0", kortestw},
	{"shl", "r32,r8", "", "DEST := DEST * 2 as often as COUNT AND 1FH says", shift((*pool).Shl)},
	{"add", "r32,r32", "", "DEST := DEST + SRC", add},
	{"xor", "r32,i", "", "DEST := DEST XOR SRC; CF, OF := 0", logic((*pool).BvXor)},
	{"popcnt", "r32,r32", "popcnt", "DEST := number of ones of SRC; ZF := SRC = 0, all others 0", popcnt},
	{"bswap", "r32", "", "DEST := the bytes of DEST in the other order", bswap},
	{"sete", "m8", "", "DEST := ZF", set},
}

func vmovqTo(m *Machine, in decode.Instruction) {
	m.put(in.Args[0].Reg, []*term.Term{m.get(in.Args[1], 64), m.Value(64, 0)})
}

func broadcast(m *Machine, in decode.Instruction) {
	var v *term.Term
	if src := in.Args[1]; src.Kind == decode.Vector {
		v = m.V[src.Reg][0]
	} else if v = m.get(src, 64); v.Width == 32 {
		v = m.Concat(v, v)
	}
	m.put(in.Args[0].Reg, m.masked(in.Args[0], func(int) *term.Term { return v }))
}

// doublewordsOf splits lanes of 64 bits into doublewords of 32 bits.
func (m *Machine) doublewordsOf(lanes []*term.Term) []*term.Term {
	var out []*term.Term
	for _, w := range lanes {
		out = append(out, m.Split(w, 32)...)
	}
	return out
}

// The method "pairs" joins pairs of doublewords. The doublewords with the numbers 2*i and 2*i + 1 become lane i, which
// has 64 bits.
func (m *Machine) pairs(d []*term.Term) []*term.Term {
	out := make([]*term.Term, len(d)/2)
	for i := range out {
		out[i] = m.Concat(d[2*i+1], d[2*i])
	}
	return out
}

func vpblendd(m *Machine, in decode.Instruction) {
	out, other := m.doublewordsOf(m.words(in.Args[1])), m.doublewordsOf(m.words(in.Args[2]))
	for j := range out {
		if in.Args[3].Value>>j&1 == 1 {
			out[j] = other[j]
		}
	}
	m.put(in.Args[0].Reg, m.pairs(out))
}

// The function "doublewords" returns an operation that moves doublewords. For each j in the mask, it writes doubleword
// j of the destination. The written value is doubleword from(j) of the source.
func doublewords(from func(j int) int) func(*Machine, decode.Instruction) {
	return func(m *Machine, in decode.Instruction) {
		dst := in.Args[0]
		out, src := m.doublewordsOf(m.V[dst.Reg][:dst.Width/64]), m.doublewordsOf(m.words(in.Args[1]))
		for j := range out {
			if m.enabled(dst, j) {
				out[j] = src[from(j)]
			} else if dst.Zeroed {
				out[j] = m.Value(32, 0)
			}
		}
		m.put(dst.Reg, m.pairs(out))
	}
}

func vpshufdMasked(m *Machine, in decode.Instruction) {
	k := in.Args[2].Value
	doublewords(func(j int) int { return j&^3 | int(k>>(2*(j&3))&3) })(m, in)
}

func vpermqBy(m *Machine, in decode.Instruction) {
	src := m.words(in.Args[1])
	out := make([]*term.Term, len(src))
	for j := range out {
		out[j] = src[in.Args[2].Value>>(2*j)&3]
	}
	m.put(in.Args[0].Reg, out)
}

func vpermq(m *Machine, in decode.Instruction) {
	by, src := m.words(in.Args[1]), m.words(in.Args[2])
	out := make([]*term.Term, len(src))
	for j := range out {
		low := m.Extract(by[j], 0, 3)
		out[j] = src[7]
		for i := 6; i >= 0; i-- {
			out[j] = m.Ite(m.Eq(low, m.Value(3, uint64(i))), src[i], out[j])
		}
	}
	m.put(in.Args[0].Reg, out)
}

func unpack(half int) func(*Machine, decode.Instruction) {
	return func(m *Machine, in decode.Instruction) {
		a, b := m.words(in.Args[1]), m.words(in.Args[2])
		out := make([]*term.Term, len(a))
		for i := 0; i < len(a); i += 2 {
			out[i], out[i+1] = a[i+half], b[i+half]
		}
		m.put(in.Args[0].Reg, out)
	}
}

func timesHalves(p *pool, a, b *term.Term) *term.Term {
	return p.Mul(p.Zext(p.Extract(a, 0, 32), 64), p.Zext(p.Extract(b, 0, 32), 64))
}

func vpsrlq(m *Machine, in decode.Instruction) {
	out := m.words(in.Args[1])
	for i := range out {
		out[i] = m.Lshr(out[i], m.Value(64, in.Args[2].Value&0xff))
	}
	m.put(in.Args[0].Reg, out)
}

func rotateRight(p *pool, a, b *term.Term) *term.Term {
	n := p.BvAnd(b, p.Value(64, 63))
	return p.BvOr(p.Lshr(a, n), p.Shl(a, p.Sub(p.Value(64, 64), n)))
}

func rotateLeft(p *pool, a, b *term.Term) *term.Term {
	n := p.BvAnd(b, p.Value(64, 63))
	return p.BvOr(p.Shl(a, n), p.Lshr(a, p.Sub(p.Value(64, 64), n)))
}

// The function "parts" extends f to operations on two words. The returned operation splits both words into parts of the
// given width. Then it applies f to each pair of parts.
func parts(width int, f func(p *pool, a, b *term.Term) *term.Term) func(p *pool, a, b *term.Term) *term.Term {
	return func(p *pool, a, b *term.Term) *term.Term {
		x, y := p.Split(a, width), p.Split(b, width)
		for i := range x {
			x[i] = f(p, x[i], y[i])
		}
		return p.Join(x...)
	}
}

func equal(p *pool, a, b *term.Term) *term.Term {
	return p.Ite(p.Eq(a, b), p.Value(a.Width, term.Mask(a.Width)), p.Value(a.Width, 0))
}

func vpackssdw(m *Machine, in decode.Instruction) {
	a, b := m.words(in.Args[1]), m.words(in.Args[2])
	least, most := m.Value(32, 0xffff8000), m.Value(32, 0x7fff)
	narrow := func(lanes ...*term.Term) *term.Term {
		var out []*term.Term
		for _, d := range m.doublewordsOf(lanes) {
			d = m.Ite(m.Slt(d, least), least, m.Ite(m.Slt(most, d), most, d))
			out = append(out, m.Extract(d, 0, 16))
		}
		return m.Join(out...)
	}
	out := make([]*term.Term, len(a))
	for i := 0; i < len(a); i += 2 {
		out[i], out[i+1] = narrow(a[i], a[i+1]), narrow(b[i], b[i+1])
	}
	m.put(in.Args[0].Reg, out)
}

func vptest(m *Machine, in decode.Instruction) {
	a, b := m.words(in.Args[0]), m.words(in.Args[1])
	both, beyond := m.Value(64, 0), m.Value(64, 0)
	for i := range a {
		both = m.BvOr(both, m.BvAnd(a[i], b[i]))
		beyond = m.BvOr(beyond, m.BvAnd(m.BvNot(a[i]), b[i]))
	}
	zero, no := m.Value(64, 0), m.Bool(false)
	m.Flags = Flags{ZF: m.Eq(both, zero), CF: m.Eq(beyond, zero), SF: no, OF: no}
}

func vptestnmq(m *Machine, in decode.Instruction) {
	a, b := m.source(in.Args[1], 0), m.source(in.Args[2], 0)
	out := m.Value(64, 0)
	for i := range in.Args[1].Width / 64 {
		none := m.Eq(m.BvAnd(a(i), b(i)), m.Value(64, 0))
		out = m.BvOr(out, m.Ite(none, m.Value(64, 1<<i), m.Value(64, 0)))
	}
	m.K[in.Args[0].Reg] = out
}

func signs(width int) func(*Machine, decode.Instruction) {
	return func(m *Machine, in decode.Instruction) {
		out, j := m.Value(32, 0), 0
		for _, w := range m.words(in.Args[1]) {
			for _, d := range m.Split(w, width) {
				out = m.BvOr(out, m.Ite(m.Negative(d), m.Value(32, 1<<j), m.Value(32, 0)))
				j++
			}
		}
		m.set(in.Args[0], out)
	}
}

func kmovwFrom(m *Machine, in decode.Instruction) {
	m.set(in.Args[0], m.Zext(m.Extract(m.K[in.Args[1].Reg], 0, 16), 32))
}

func knotw(m *Machine, in decode.Instruction) {
	m.K[in.Args[0].Reg] = m.Zext(m.BvNot(m.Extract(m.K[in.Args[1].Reg], 0, 16)), 64)
}

func kshiftrw(m *Machine, in decode.Instruction) {
	v := m.Extract(m.K[in.Args[1].Reg], 0, 16)
	m.K[in.Args[0].Reg] = m.Zext(m.Lshr(v, m.Value(16, in.Args[2].Value&0xff)), 64)
}

func kortestw(m *Machine, in decode.Instruction) {
	v := m.BvOr(m.Extract(m.K[in.Args[0].Reg], 0, 16), m.Extract(m.K[in.Args[1].Reg], 0, 16))
	no := m.Bool(false)
	m.Flags = Flags{ZF: m.Eq(v, m.Value(16, 0)), CF: m.Eq(v, m.Value(16, 0xffff)), SF: no, OF: no}
}

func bswap(m *Machine, in decode.Instruction) {
	b := m.Split(m.get(in.Args[0], 0), 8)
	m.set(in.Args[0], m.Join(b[3], b[2], b[1], b[0]))
}
