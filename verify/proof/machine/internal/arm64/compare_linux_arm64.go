package arm64

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// areaSize is the size in bytes of the memory that an instruction may access. The stack pointer points near byte spAt
// of this memory. The registers that serve as addresses point near its middle. Offsets in instructions are at most 2
// KiB, the size of a stack frame.
const (
	areaSize = 8192
	spAt     = 3072
)

// A processor executes one instruction with given contents of the registers and the memory.
type processor interface {
	// The method "write" writes the instruction into memory. The instruction will be executed from there. The first
	// result is the address of the instruction. If the instruction is a branch, the second result is the address to
	// which a taken branch leads.
	write(in Instruction) (at, taken uint64)
	memory() (bytes []byte, address uint64)
	execute(registers) (after registers, branched bool)
}

// The function "compare" executes an instruction in two ways: on the processor p, and by the table. It does this for
// random initial states. The argument "states" is the number of these states. It returns an error at the first
// difference.
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

// The state of m was computed from the table. The function "differ" compares the processor's registers and memory with
// this state. If there is a difference, the result is an error.
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
