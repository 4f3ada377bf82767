package arm64

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// registers is what the processor holds, in the layout that run_linux_arm64.s has.
type registers struct {
	X    [31]uint64
	SP   uint64
	NZCV uint64
	FPCR uint64
	V    [32][2]uint64
}

// The memory that an instruction may touch, and where in it the stack pointer and the places of
// operands are: none reaches further than a frame of 2 KiB.
const (
	areaSize = 8192
	spAt     = 3072
)

// processor runs an instruction from a state.
type processor interface {
	// write has an instruction ready, from where it runs: a branch goes to taken.
	write(in Instruction) (at, taken uint64)
	memory() (bytes []byte, address uint64)
	execute(registers) (after registers, branched bool)
}

// compare runs an instruction from a number of states, on a processor and by the table, and returns
// an error at the first difference.
func compare(p processor, in Instruction, states int, seed uint64) error {
	at, taken := p.write(in)
	in.Args = slices.Clone(in.Args)
	if n := len(in.Args); n > 0 && in.Args[n-1].Kind == Target {
		t := &in.Args[n-1].Value
		if *t = taken; in.Name == "adrp" {
			*t = Instruction{Address: at, Word: in.Word}.Page()
		}
	}
	in.Address = at
	r := rand.New(rand.NewPCG(seed, 64))
	memory, _ := p.memory()
	for i := range memory {
		memory[i] = byte(r.Uint32())
	}
	for i := range states {
		if err := one(p, r, in); err != nil {
			return fmt.Errorf("%s, state %d of seed %d: %w", in.Text, i, seed, err)
		}
	}
	return nil
}

func one(p processor, r *rand.Rand, in Instruction) error {
	memory, start := p.memory()
	from := draw(r)
	from.SP = start + spAt + 16*uint64(r.IntN(32))
	for _, a := range in.Args {
		if a.Kind != Memory || in.Name == "prfm" {
			continue
		}
		at := areaSize/2 + r.IntN(1024)
		if r.IntN(2) == 0 {
			at &^= 63
		}
		for i := range 64 / 8 {
			binary.LittleEndian.PutUint64(memory[at+8*i:], value(r))
		}
		if a.SP {
			for i := range 64 / 8 {
				binary.LittleEndian.PutUint64(memory[from.SP+a.Value-start+uint64(8*i):], value(r))
			}
			continue
		}
		from.X[a.Reg] = start + uint64(at) - a.Value
		if a.Indexed {
			if a.Index == a.Reg {
				return fmt.Errorf("base and index are one register")
			}
			from.X[a.Reg] -= from.X[a.Index] << a.Amount
		}
	}
	model := machine(from, slices.Clone(memory), start)
	want := false
	taken, _, branch, err := model.Branch(in)
	if err == nil && !branch {
		err = model.Step(in)
	}
	if err != nil {
		return err
	}
	if branch {
		want = taken.Is(1)
	}
	got, branched := p.execute(from)
	if branched != want {
		return fmt.Errorf("branches %v, by the semantics %v, from flags %#x", branched, want, from.NZCV)
	}
	return differ(model, from, got, memory)
}

// differ returns an error unless the processor's state is that of the semantics.
func differ(m *Machine, from, got registers, memory []byte) error {
	check := func(what string, t *term.Term, v, was uint64) error {
		if t.Op != term.Const {
			return fmt.Errorf("%s has no value", what)
		}
		if t.Value != v {
			return fmt.Errorf("%s was %#x and is %#x, by the semantics %#x", what, was, v, t.Value)
		}
		return nil
	}
	for i, t := range m.X {
		if err := check(fmt.Sprintf("X%d", i), t, got.X[i], from.X[i]); err != nil {
			return err
		}
	}
	if err := check("SP", m.SP, got.SP, from.SP); err != nil {
		return err
	}
	for i := range m.V {
		for l, t := range m.V[i] {
			if err := check(fmt.Sprintf("word %d of V%d", l, i), t, got.V[i][l], from.V[i][l]); err != nil {
				return err
			}
		}
	}
	for i, t := range []*term.Term{m.F, m.C, m.Z, m.N} {
		if err := check("flag "+"VCZN"[i:i+1], t, got.NZCV>>(28+i)&1, from.NZCV>>(28+i)&1); err != nil {
			return err
		}
	}
	if got.FPCR != 0 {
		return fmt.Errorf("FPCR is %#x", got.FPCR)
	}
	if !slices.Equal(m.Memory.(*area).is, memory) {
		return fmt.Errorf("the memory is not that of the semantics")
	}
	return nil
}

// machine is a state of the semantics with constants only.
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

// area is a memory at an address.
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

// Load returns lanes, one after the other.
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

// Store puts lanes one after the other.
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

// draw returns a state.
func draw(r *rand.Rand) registers {
	var s registers
	for i := range s.X {
		s.X[i] = value(r)
		if r.IntN(4) == 0 { // two registers that are equal, or close
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

// value draws a word: any, few ones or zeros, near a power of two, bytes at their ends.
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
