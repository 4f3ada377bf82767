package semantics

import (
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

func vzeroupper(m *Machine, _ decode.Instruction) {
	for i := range 16 {
		m.put(i, []*term.Term{m.V[i][0], m.V[i][1]})
	}
	m.Upper = false
}

// The method "masked" returns the lanes of a result for the destination dst. It calls f for each lane in the write
// mask of dst; the other lanes are 0.
func (m *Machine) masked(dst decode.Operand, f func(lane int) *term.Term) []*term.Term {
	out := make([]*term.Term, dst.Width/64)
	for i := range out {
		if out[i] = m.Value(64, 0); m.enabled(dst, i) {
			out[i] = f(i)
		}
	}
	return out
}

// The method "source" returns a function for the operand a. This function returns the lane with a given number. The
// argument "mask" may be the number of a mask register. If there is a mask and the operand is in memory, only the lanes
// in this mask are accessed.
func (m *Machine) source(a decode.Operand, mask int) func(lane int) *term.Term {
	if a.Broadcast {
		w := m.Memory.Load(m, m.Address(a), a.Width)[0]
		return func(int) *term.Term { return w }
	}
	if a.Kind == decode.Memory && mask != 0 {
		at := m.Address(a)
		return func(i int) *term.Term {
			return m.Memory.Load(m, m.Add(at, m.Value(64, uint64(8*i))), 64)[0]
		}
	}
	all := m.words(a)
	return func(i int) *term.Term { return all[i] }
}

func vmov(m *Machine, in decode.Instruction) {
	dst, src := in.Args[0], in.Args[1]
	switch {
	case dst.Kind == decode.Vector && dst.Zeroed && src.Kind == decode.Memory && !m.known(dst):
		m.put(dst.Reg, m.loadedUnder(dst, m.Address(src)))
	case dst.Kind == decode.Vector:
		m.put(dst.Reg, m.masked(dst, m.source(src, dst.Mask)))
	case dst.Mask == 0:
		m.Memory.Store(m, m.Address(dst), m.words(src))
	default:
		at := m.Address(dst)
		for i, w := range m.words(src) {
			if m.enabled(dst, i) {
				m.Memory.Store(m, m.Add(at, m.Value(64, uint64(8*i))), []*term.Term{w})
			}
		}
	}
}

// A Memory may also implement the interface Under. If the condition c does not hold, the loads and stores of the
// function f have no effect.
type Under interface {
	Under(c *term.Term, f func())
}

// The operand a may have a write mask. The method "known" reports whether the bits of this mask are constants.
func (m *Machine) known(a decode.Operand) bool {
	return a.Mask == 0 || m.Extract(m.K[a.Mask], 0, a.Width/64).Op == term.Const
}

// The method loadedUnder loads words from memory. The first word is at the given address, and the others follow it. If
// a word is not in the write mask of dst, the result has 0 instead of this word.
func (m *Machine) loadedUnder(dst decode.Operand, at *term.Term) []*term.Term {
	memory, can := m.Memory.(Under)
	if !can {
		Fail("the bits of mask k%d are not known", dst.Mask)
	}
	out := make([]*term.Term, dst.Width/64)
	for i := range out {
		c := m.bit(dst, i)
		memory.Under(c, func() {
			w := m.Memory.Load(m, m.Add(at, m.Value(64, uint64(8*i))), 64)[0]
			out[i] = m.Ite(c, w, m.Value(64, 0))
		})
	}
	return out
}

func vmovq(m *Machine, in decode.Instruction) { m.set(in.Args[0], m.V[in.Args[1].Reg][0]) }

// lanes2 returns the operation that applies f to each pair of words of two sources.
func lanes2(f func(p *pool, a, b *term.Term) *term.Term) func(*Machine, decode.Instruction) {
	return func(m *Machine, in decode.Instruction) {
		dst := in.Args[0]
		a, b := m.source(in.Args[1], dst.Mask), m.source(in.Args[2], dst.Mask)
		m.put(dst.Reg, m.masked(dst, func(i int) *term.Term { return f(m.Pool, a(i), b(i)) }))
	}
}

func andNot(p *pool, a, b *term.Term) *term.Term { return p.BvAnd(p.BvNot(a), b) }

func addBytes(p *pool, a, b *term.Term) *term.Term {
	x, y := p.Split(a, 8), p.Split(b, 8)
	for i := range x {
		x[i] = p.Add(x[i], y[i])
	}
	return p.Join(x...)
}

func sadBytes(p *pool, a, b *term.Term) *term.Term {
	x, y := p.Split(a, 8), p.Split(b, 8)
	sum := p.Value(64, 0)
	for i := range x {
		sum = p.Add(sum, p.Zext(p.Ite(p.Ult(x[i], y[i]), p.Sub(y[i], x[i]), p.Sub(x[i], y[i])), 64))
	}
	return sum
}

func vpshufb(m *Machine, in decode.Instruction) {
	from, by := m.words(in.Args[1]), m.words(in.Args[2])
	out := make([]*term.Term, len(by))
	for l := range by {
		bytes := append(m.Split(from[l&^1], 8), m.Split(from[l|1], 8)...)
		var parts []*term.Term
		for _, b := range m.Split(by[l], 8) {
			low := m.Extract(b, 0, 4)
			v := bytes[15]
			for i := 14; i >= 0; i-- {
				v = m.Ite(m.Eq(low, m.Value(4, uint64(i))), bytes[i], v)
			}
			parts = append(parts, m.Ite(m.Negative(b), m.Value(8, 0), v))
		}
		out[l] = m.Join(parts...)
	}
	m.put(in.Args[0].Reg, out)
}

func vpshufd(m *Machine, in decode.Instruction) {
	src := m.words(in.Args[1])
	all := append(m.Split(src[0], 32), m.Split(src[1], 32)...)
	k := in.Args[2].Value
	pick := func(i int) *term.Term { return all[k>>(2*i)&3] }
	m.put(in.Args[0].Reg, []*term.Term{m.Concat(pick(1), pick(0)), m.Concat(pick(3), pick(2))})
}

func vpsrlw(m *Machine, in decode.Instruction) {
	k := in.Args[2].Value & 0xff
	out := m.words(in.Args[1])
	for i, w := range out {
		parts := m.Split(w, 16)
		for j := range parts {
			parts[j] = m.Lshr(parts[j], m.Value(16, k))
		}
		out[i] = m.Join(parts...)
	}
	m.put(in.Args[0].Reg, out)
}

func vpsllq(m *Machine, in decode.Instruction) {
	out := m.words(in.Args[1])
	for i := range out {
		out[i] = m.Shl(out[i], m.Value(64, in.Args[2].Value&0xff))
	}
	m.put(in.Args[0].Reg, out)
}

func vpopcntq(m *Machine, in decode.Instruction) {
	dst := in.Args[0]
	a := m.source(in.Args[1], dst.Mask)
	m.put(dst.Reg, m.masked(dst, func(i int) *term.Term { return m.Ones(a(i)) }))
}

func extract(m *Machine, in decode.Instruction) {
	all := m.words(in.Args[1])
	n := len(all) / 2
	half := int(in.Args[2].Value & 1)
	if out := all[half*n : (half+1)*n]; in.Args[0].Kind == decode.Memory {
		m.Memory.Store(m, m.Address(in.Args[0]), out)
	} else {
		m.put(in.Args[0].Reg, out)
	}
}

func insert(m *Machine, in decode.Instruction) {
	all := m.words(in.Args[1])
	n := len(all) / 2
	copy(all[int(in.Args[3].Value&1)*n:], m.words(in.Args[2]))
	m.put(in.Args[0].Reg, all)
}

func kmovw(m *Machine, in decode.Instruction) {
	m.K[in.Args[0].Reg] = m.Zext(m.Extract(m.GP[in.Args[1].Reg], 0, 16), 64)
}
