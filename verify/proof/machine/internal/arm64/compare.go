package arm64

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// The type "registers" holds the contents of the processor's registers, in the layout that run_linux_arm64.s uses.
type registers struct {
	X    [31]uint64
	SP   uint64
	NZCV uint64
	FPCR uint64
	V    [32][2]uint64
}

// The function "machine" returns a Machine. Its registers have the given values. Its memory has the given bytes,
// beginning at the given address.
func machine(from registers, memory []byte, address uint64) *Machine {
	p := term.NewPool()
	m := &Machine{Pool: p, Memory: &area{memory, address}}
	for i, v := range from.X {
		m.X[i] = p.Value(64, v)
	}
	m.SP = p.Value(64, from.SP)
	for i := range from.V {
		for l, v := range from.V[i] {
			m.V[i][l] = p.Value(64, v)
		}
	}
	flag := func(bit int) *term.Term { return p.Bool(from.NZCV>>bit&1 != 0) }
	m.N, m.Z, m.C, m.F = flag(31), flag(30), flag(29), flag(28)
	return m
}

// The type "area" describes the memory of a Machine. The slice "is" has the bytes of this memory. The field "address"
// is the address of the first byte.
type area struct {
	is      []byte
	address uint64
}

func (b *area) at(t *term.Term, n int) []byte {
	if t.Op != term.Const || t.Value < b.address || t.Value+uint64(n) > b.address+uint64(len(b.is)) {
		Fail("%d bytes at %#x are outside the memory", n, t.Value)
	}
	return b.is[t.Value-b.address:][:n]
}

// Load returns consecutive lanes of the given width in bits from memory. The argument "at" is the address of the first
// lane.
func (b *area) Load(m *Machine, at *term.Term, lanes, width int) []*term.Term {
	raw := b.at(at, lanes*width/8)
	out := make([]*term.Term, lanes)
	for i := range out {
		var word [8]byte
		copy(word[:], raw[i*width/8:][:width/8])
		out[i] = m.Value(width, binary.LittleEndian.Uint64(word[:]))
	}
	return out
}

// Store stores the lanes one after the other. The argument "at" is the address of the first lane.
func (b *area) Store(_ *Machine, at *term.Term, lanes []*term.Term) {
	n := lanes[0].Width / 8
	raw := b.at(at, n*len(lanes))
	for i, t := range lanes {
		if t.Op != term.Const {
			Fail("a store of no value")
		}
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], t.Value)
		copy(raw[i*n:], word[:n])
	}
}

// The function "draw" returns registers with random contents.
func draw(r *rand.Rand) registers {
	var s registers
	for i := range s.X {
		s.X[i] = value(r)
		if r.IntN(4) == 0 { // two registers with equal or close values
			s.X[i] = s.X[r.IntN(i+1)] + uint64(r.IntN(3)) - 1
		}
	}
	for i := range s.V {
		s.V[i] = [2]uint64{value(r), value(r)}
		if r.IntN(4) == 0 {
			s.V[i] = s.V[r.IntN(i+1)]
		}
	}
	s.NZCV = r.Uint64N(16) << 28
	return s
}

// The function "value" returns a random word of 64 bits. The function first chooses a kind of word at random. Some
// words are uniformly distributed. Some have only a few bits that are 1, or only a few bits that are 0. Some are near a
// power of two, and some consist of bytes with extreme values.
func value(r *rand.Rand) uint64 {
	v := r.Uint64()
	switch r.IntN(9) {
	case 0:
		return 0
	case 1:
		return ^uint64(0)
	case 2:
		return 1 << (v % 64)
	case 3:
		return 1<<(v%64) - 1
	case 4:
		return ^(uint64(1) << (v % 64))
	case 5:
		return v % 130
	case 6:
		out := uint64(0)
		for range 8 {
			out = out<<8 | []uint64{0, 1, 0x7f, 0x80, 0xff, v & 0xff}[r.IntN(6)]
			v = v<<8 | v>>56
		}
		return out
	}
	return v
}
