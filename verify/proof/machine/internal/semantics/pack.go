package semantics

import (
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// packRows is a part of the table. Its instruction forms occur only in kernels that have keys in flight in the lanes of
// vectors. In their terms, each bit of a mask is a truth value (see Bits).
var packRows = []row{
	{"rep stos", "", "", "Memory[RDI], ..., Memory[RDI + RCX - 1] := AL; RDI := RDI + RCX; RCX := 0, as DF = 0", stos},
	{"cmovg", "r64,r64", "", "IF NOT ZF AND SF = OF THEN DEST := SRC", cmov},
	{"vmovdqa64", "v512{k},v512", "avx512f", "each word under the mask: DEST := SRC; others stay", packed(func(p *pool, c, src, old []*term.Term) []*term.Term {
		out := make([]*term.Term, len(src))
		for i := range out {
			out[i] = p.Ite(c[i], src[i], old[i])
		}
		return out
	})},
	{"vpcompressq", "v512{k},v512", "avx512f", "the first words of DEST := the words of SRC in the mask; others stay", packed(Pack)},
	{"vpexpandq", "v512{k},v512", "avx512f", "the words of DEST in the mask := the first words of SRC; others stay", packed(Spread)},
	{"vprorvq", "v512,v512,m512", "avx512f", "each word: DEST := SRC1 rotated right by SRC2 AND 3FH", lanes2(rotateRight)},
	{"vptestmq", "k64{k},v512,v512", "avx512f", "bit j under the mask: DEST := word j of SRC1 AND SRC2 <> 0; others := 0", comparedBits(func(p *pool, a, b *term.Term) *term.Term {
		return p.Not(p.Eq(p.BvAnd(a, b), p.Value(64, 0)))
	})},
	{"vptestnmq", "k64{k},v512,v512", "avx512f", "bit j under the mask: DEST := word j of SRC1 AND SRC2 = 0; others := 0", comparedBits(func(p *pool, a, b *term.Term) *term.Term {
		return p.Eq(p.BvAnd(a, b), p.Value(64, 0))
	})},
	{"vpcmpltuq", "k64{k},v512,v512", "avx512f", "bit j under the mask: DEST := word j of SRC1 < that of SRC2; others := 0", comparedBits(func(p *pool, a, b *term.Term) *term.Term { return p.Ult(a, b) })},
	{"knotb", "k64,k64", "avx512dq", "DEST[7:0] := NOT SRC[7:0], the rest 0", knotb},
	{"ktestb", "k64,k64", "avx512dq", "ZF := DEST[7:0] AND SRC[7:0] = 0; SF, OF := 0, and here CF is undefined", ktestb},
	{"kmovb", "r32,k64", "avx512dq", "DEST := SRC[7:0]", kmovbFrom},
}

// A Memory may also implement the interface Clear. The method Clear sets n bytes to 0. The argument "at" is the address
// of the first byte.
type Clear interface {
	Clear(m *Machine, at, n *term.Term)
}

func stos(m *Machine, _ decode.Instruction) {
	memory, can := m.Memory.(Clear)
	if !can || !m.Extract(m.GP[0], 0, 8).Is(0) {
		Fail("the bytes that are stored are not 0, or cannot be stored")
	}
	memory.Clear(m, m.GP[7], m.GP[1])
	m.GP[7], m.GP[1] = m.Add(m.GP[7], m.GP[1]), m.Value(64, 0)
}

// Bits returns the lowest n bits of a word as truth values. If the word was made from truth values, by the instructions
// above, it returns these.
func Bits(p *term.Pool, t *term.Term, n int) []*term.Term {
	out := make([]*term.Term, n)
	for i := range out {
		out[i] = bitOf(p, t, i)
	}
	return out
}

func bitOf(p *term.Pool, t *term.Term, i int) *term.Term {
	switch {
	case t.Op == term.Const:
		return p.Bool(t.Value>>i&1 == 1)
	case t.Op == term.Ite && t.Args[1].Op == term.Const && t.Args[2].Is(0):
		if t.Args[1].Value>>i&1 == 0 {
			return p.Bool(false)
		}
		return t.Args[0]
	case t.Op == term.BvOr:
		return p.Or(bitOf(p, t.Args[0], i), bitOf(p, t.Args[1], i))
	case t.Op == term.BvNot:
		return p.Not(bitOf(p, t.Args[0], i))
	case t.Op == term.Zext && i >= t.Args[0].Width:
		return p.Bool(false)
	case t.Op == term.Zext:
		return bitOf(p, t.Args[0], i)
	case t.Op == term.Extract:
		return bitOf(p, t.Args[0], t.Lo+i)
	}
	return p.Eq(p.Extract(t, i, 1), p.Value(1, 1))
}

// Word returns the word of the given width whose lowest bits are the given truth values. All other bits are 0.
func Word(p *term.Pool, width int, bits []*term.Term) *term.Term {
	out := p.Value(width, 0)
	for i, c := range bits {
		out = p.BvOr(out, p.Ite(c, p.Value(width, 1<<i), p.Value(width, 0)))
	}
	return out
}

// The function "before" returns, for each of the given truth values, how many of those before it are true.
func before(p *term.Pool, c []*term.Term) []*term.Term {
	out := []*term.Term{p.Value(4, 0)}
	for i := range c[1:] {
		out = append(out, p.Add(out[i], p.Ite(c[i], p.Value(4, 1), p.Value(4, 0))))
	}
	return out
}

// Pack returns those words of the list src whose condition in the list c is true, in their order. The further words of
// the result are the words of the list "old" in the same lanes.
func Pack(p *term.Pool, c, src, old []*term.Term) []*term.Term {
	rank, out := before(p, c), make([]*term.Term, len(src))
	for j := range out {
		out[j] = old[j]
		for i := j; i < len(src); i++ {
			out[j] = p.Ite(p.And(c[i], p.Eq(rank[i], p.Value(4, uint64(j)))), src[i], out[j])
		}
	}
	return out
}

// Spread returns a list of words. In the lanes whose condition in the list c is true, it has the first words of the list
// src, in their order. In the other lanes it has the words of the list "old".
func Spread(p *term.Pool, c, src, old []*term.Term) []*term.Term {
	rank, out := before(p, c), make([]*term.Term, len(src))
	for i := range out {
		from := src[0]
		for j := 1; j <= i; j++ {
			from = p.Ite(p.Eq(rank[i], p.Value(4, uint64(j))), src[j], from)
		}
		out[i] = p.Ite(c[i], from, old[i])
	}
	return out
}

// The function "packed" returns an operation on words under a mask. The function f has these arguments: the bits of the
// mask, the words of the source, and the earlier words of the destination.
func packed(f func(p *pool, c, src, old []*term.Term) []*term.Term) func(*Machine, decode.Instruction) {
	return func(m *Machine, in decode.Instruction) {
		dst := in.Args[0]
		m.put(dst.Reg, f(m.Pool, Bits(m.Pool, m.K[dst.Mask], 8), m.words(in.Args[1]), append([]*term.Term(nil), m.V[dst.Reg][:]...)))
	}
}

// The function comparedBits returns the same operation as "compared". If the instruction has a mask, its bits are those
// of Bits.
func comparedBits(f func(p *pool, a, b *term.Term) *term.Term) func(*Machine, decode.Instruction) {
	return func(m *Machine, in decode.Instruction) {
		c, a, b := Bits(m.Pool, m.K[in.Args[0].Mask], 8), m.words(in.Args[1]), m.words(in.Args[2])
		for i := range c {
			c[i] = m.And(c[i], f(m.Pool, a[i], b[i]))
		}
		m.K[in.Args[0].Reg] = Word(m.Pool, 64, c)
	}
}

func knotb(m *Machine, in decode.Instruction) {
	c := Bits(m.Pool, m.K[in.Args[1].Reg], 8)
	for i := range c {
		c[i] = m.Not(c[i])
	}
	m.K[in.Args[0].Reg] = Word(m.Pool, 64, c)
}

func ktestb(m *Machine, in decode.Instruction) {
	a, b := Bits(m.Pool, m.K[in.Args[0].Reg], 8), Bits(m.Pool, m.K[in.Args[1].Reg], 8)
	some, no := m.Bool(false), m.Bool(false)
	for i := range a {
		if a[i] == b[i] {
			some = m.Or(some, a[i])
		} else {
			some = m.Or(some, m.And(a[i], b[i]))
		}
	}
	m.Flags = Flags{ZF: m.Not(some), SF: no, OF: no}
}

func kmovbFrom(m *Machine, in decode.Instruction) {
	m.set(in.Args[0], Word(m.Pool, 32, Bits(m.Pool, m.K[in.Args[1].Reg], 8)))
}
