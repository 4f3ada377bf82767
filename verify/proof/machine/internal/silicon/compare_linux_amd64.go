package silicon

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"unsafe"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/semantics"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// These constants are the bits of the flags register that get random values. Package semantics models all of these
// flags except pf and af. The flags pf and af must not influence an instruction.
const (
	cf, pf, af, zf, sf, of = 1 << 0, 1 << 2, 1 << 4, 1 << 6, 1 << 7, 1 << 11
	df                     = 1 << 10
	always                 = 1<<1 | 1<<9 // bits that a program cannot clear
)

// roundToNearest is the value of MXCSR in a Go program. All exceptions are masked, and no exception flag is set.
const roundToNearest = 0x1f80

// The constant "exceptions" has the bits of the exception flags in MXCSR.
const exceptions = 0x3f

// Compare executes an instruction in two ways: on the processor, and by package semantics. It does this for random
// initial states. The argument "states" is the number of these states. It returns an error at the first difference. It
// also returns an error if package semantics has no entry for the instruction, or if this processor lacks the
// instruction.
func Compare(in decode.Instruction, states int, seed uint64) error {
	page, err := area()
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(seed, 21))
	for i := range states {
		if err := one(r, page, in); err != nil {
			return fmt.Errorf("%s, state %d of seed %d: %w", in.Text, i, seed, err)
		}
	}
	return nil
}

// The function "one" compares the results for a single random initial state.
func one(r *rand.Rand, page []byte, in decode.Instruction) error {
	start := uint64(uintptr(unsafe.Pointer(&page[0])))
	memory := page[areaAt:][:areaSize]
	for i := 0; i < len(memory); i += 8 {
		binary.LittleEndian.PutUint64(memory[i:], value(r))
	}
	from := draw(r)
	e, _ := semantics.Lookup(in.Form())
	if e.Rounds {
		for i := 0; i < len(memory); i += 8 {
			binary.LittleEndian.PutUint64(memory[i:], number(r))
		}
		for i := range from.V {
			for l := range from.V[i] {
				from.V[i][l] = number(r)
			}
		}
	}
	if in.Name == "div" { // no word is 0, wherever it begins
		for at := r.IntN(8); at < len(memory); at += 8 {
			memory[at] |= 1 << r.IntN(8)
		}
	}
	from.GP[4] = start + areaAt/2
	in, err := place(r, in, start, &from)
	if err != nil {
		return err
	}
	// A RET instruction jumps to the instruction under test. This RET reads its target from the stack. So the target is
	// stored in the 8 bytes below the stack pointer of the instruction.
	binary.LittleEndian.PutUint64(page[from.GP[4]-8-start:], start)
	model := machine(from, memory, start+areaAt)
	model.Direct = r.IntN(2) == 0
	jump := in.Name[0] == 'j'
	want := false
	if jump {
		c := model.Bool(true)
		if in.Name != "jmp" {
			c = model.Condition(in.Name[1:])
		}
		want = c.Is(1)
	} else if err := model.Step(in); err != nil {
		return err
	}
	got, jumped, err := execute(in.Bytes, from)
	if err != nil {
		return err
	}
	if jumped != want {
		return fmt.Errorf("jumps %v, by the semantics %v, from flags %#x", jumped, want, from.Flags)
	}
	if e.Rounds {
		got.MXCSR &^= exceptions
	}
	return differ(model, from, got, memory)
}

// The function "differ" compares the processor's registers and memory with the registers and memory of m. Package
// semantics computed the contents of m. It returns an error if they differ.
func differ(m *semantics.Machine, from, got registers, memory []byte) error {
	check := func(what string, t *term.Term, v, was uint64) error {
		if t.Op != term.Const {
			return fmt.Errorf("%s has no value", what)
		}
		if t.Value != v {
			return fmt.Errorf("%s was %#x and is %#x, by the semantics %#x", what, was, v, t.Value)
		}
		return nil
	}
	for i, t := range m.GP {
		if err := check(fmt.Sprintf("register %d", i), t, got.GP[i], from.GP[i]); err != nil {
			return err
		}
	}
	vectors, lanes := 16, 4
	if wide == 1 {
		vectors, lanes = 32, 8
		for i, t := range m.K {
			if err := check(fmt.Sprintf("k%d", i), t, got.K[i], from.K[i]); err != nil && i > 0 {
				return err
			}
		}
	}
	for i := range vectors {
		for l := range lanes {
			if err := check(fmt.Sprintf("word %d of vector %d", l, i), m.V[i][l], got.V[i][l], from.V[i][l]); err != nil {
				return err
			}
		}
	}
	for _, f := range []struct {
		name string
		t    *term.Term
		bit  uint64
	}{{"CF", m.Flags.CF, cf}, {"ZF", m.Flags.ZF, zf}, {"SF", m.Flags.SF, sf}, {"OF", m.Flags.OF, of}} {
		if f.t == nil { // undefined
			continue
		}
		is := uint64(0)
		if got.Flags&f.bit != 0 {
			is = 1
		}
		if err := check(f.name, f.t, is, from.Flags&f.bit); err != nil {
			return err
		}
	}
	if got.Flags&df != 0 {
		return fmt.Errorf("the direction flag is set")
	}
	if got.MXCSR != roundToNearest {
		return fmt.Errorf("MXCSR is %#x", got.MXCSR)
	}
	if !slices.Equal(m.Memory.(*bytes).is, memory) {
		return fmt.Errorf("the memory is not that of the semantics")
	}
	return nil
}

// The function "machine" returns a Machine. Its registers have the given values. Its memory has the given bytes,
// beginning at the given address.
func machine(from registers, memory []byte, address uint64) *semantics.Machine {
	p := term.NewPool()
	m := &semantics.Machine{Pool: p, Memory: &bytes{slices.Clone(memory), address}}
	for i, v := range from.GP {
		m.GP[i] = p.Value(64, v)
	}
	for i, v := range from.K {
		m.K[i] = p.Value(64, v)
	}
	for i := range from.V {
		for l, v := range from.V[i] {
			m.V[i][l] = p.Value(64, v)
		}
	}
	is := func(bit uint64) *term.Term { return p.Bool(from.Flags&bit != 0) }
	m.Flags = semantics.Flags{CF: is(cf), ZF: is(zf), SF: is(sf), OF: is(of)}
	return m
}

// The type "bytes" represents the memory of a Machine. It consists of some bytes. The first of these bytes has a given
// address.
type bytes struct {
	is      []byte
	address uint64
}

func (b *bytes) at(t *term.Term, n int) []byte {
	if t.Op != term.Const || t.Value < b.address || t.Value+uint64(n) > b.address+uint64(len(b.is)) {
		semantics.Fail("%d bytes at %#x are outside the memory", n, t.Value)
	}
	return b.is[t.Value-b.address:][:n]
}

// Load returns a value from memory, either as words of 64 bits or as one narrower value. The argument "width" is the
// number of bits of the value. The argument "at" is the address of the value.
func (b *bytes) Load(m *semantics.Machine, at *term.Term, width int) []*term.Term {
	lane := min(width, 64)
	raw := b.at(at, width/8)
	var out []*term.Term
	for i := 0; i < len(raw); i += lane / 8 {
		var word [8]byte
		copy(word[:], raw[i:i+lane/8])
		out = append(out, m.Value(lane, binary.LittleEndian.Uint64(word[:])))
	}
	return out
}

// Store stores the lanes one after the other. The argument "at" is the address of the first lane.
func (b *bytes) Store(_ *semantics.Machine, at *term.Term, lanes []*term.Term) {
	n := lanes[0].Width / 8
	raw := b.at(at, n*len(lanes))
	for i, t := range lanes {
		if t.Op != term.Const {
			semantics.Fail("a store of no value")
		}
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], t.Value)
		copy(raw[i*n:], word[:n])
	}
}

// Clear sets n bytes to 0, from the address "at" on.
func (b *bytes) Clear(_ *semantics.Machine, at, n *term.Term) { clear(b.at(at, int(n.Value))) }

// The function "place" changes an instruction so that it can run at the address "start". A memory operand must lie in
// the area that the instruction may access. If the operand has a base register, the function changes this register.
// Otherwise the address is relative to the instruction, and the function changes this distance. The target of a jump
// becomes the address 16 bytes after the jump. The code at this target returns. It runs if the jump is taken.
func place(r *rand.Rand, in decode.Instruction, start uint64, from *registers) (decode.Instruction, error) {
	in.Args, in.Bytes = slices.Clone(in.Args), slices.Clone(in.Bytes)
	shift := start - in.Address
	in.Address = start
	if in.Name[0] == 'j' {
		in.Args[0].Value = in.Next() + 16
		if len(in.Bytes) == 2 {
			in.Bytes[1] = 16
		} else {
			binary.LittleEndian.PutUint32(in.Bytes[len(in.Bytes)-4:], 16)
		}
		return in, nil
	}
	if in.Name == "push" || in.Name == "pop" {
		from.GP[4] = start + areaAt + areaSize/2 + uint64(r.IntN(areaSize/4))
	}
	if in.Name == "rep stos" { // what the table has of it
		from.GP[0] &^= 0xff
		from.GP[1] = uint64(r.IntN(areaSize / 4))
		from.GP[7] = start + areaAt + areaSize/4 + uint64(r.IntN(areaSize/4))
	}
	if in.Name == "div" { // what the table has of it, which never faults
		from.GP[2] = 0
		if in.Args[0].Kind == decode.Register {
			from.GP[in.Args[0].Reg] |= 1 << r.IntN(64)
		}
	}
	for i := range in.Args {
		a := &in.Args[i]
		if a.Kind != decode.Memory {
			continue
		}
		if in.Name == "lea" { // accesses no memory
			if !a.Base && a.Scale == 0 {
				a.Value += shift
			}
			continue
		}
		if a.Thread {
			return in, fmt.Errorf("the thread's storage cannot be drawn")
		}
		width := max(a.Width, 64) / 8
		target := start + areaAt + areaSize/4 + uint64(r.IntN(areaSize/2-width))
		if aligned := strings.HasPrefix(in.Name, "vmovdqa"); aligned || r.IntN(2) == 0 { // else those would fault
			target &^= 63
		}
		switch {
		case a.Indices > 0:
			for l := range from.V[a.Index] { // lanes of 32 or 64 bits, all small
				from.V[a.Index][l] = uint64(r.IntN(areaSize / 4 / 8))
			}
			from.GP[a.Reg] = target - a.Value
		case a.Base && a.Scale > 0 && a.Reg == a.Index:
			return in, fmt.Errorf("base and index are one register")
		case a.Base:
			from.GP[a.Reg] = target - a.Value
			if a.Scale > 0 {
				from.GP[a.Reg] -= from.GP[a.Index] * uint64(a.Scale)
			}
		case a.Scale > 0:
			return in, fmt.Errorf("an index without a base")
		default: // relative to the next instruction
			old := make([]byte, 4)
			binary.LittleEndian.PutUint32(old, uint32(a.Value+shift-in.Next()))
			at := strings.LastIndex(string(in.Bytes), string(old))
			if at < 0 {
				return in, fmt.Errorf("the distance %x is not in the instruction", old)
			}
			binary.LittleEndian.PutUint32(in.Bytes[at:], uint32(target-in.Next()))
			a.Value = target
		}
	}
	return in, nil
}

// The function "draw" returns registers with random contents.
func draw(r *rand.Rand) registers {
	var s registers
	for i := range s.GP {
		s.GP[i] = value(r)
	}
	for i := range s.K {
		s.K[i] = value(r)
	}
	for i := range s.V {
		for l := range s.V[i] {
			s.V[i][l] = value(r)
		}
		if r.IntN(4) == 0 { // two vectors that are equal
			s.V[i] = s.V[r.IntN(i+1)]
		}
	}
	if wide == 0 && !Runs("avx512f") {
		for i := range s.V {
			clear(s.V[i][4:])
		}
	}
	s.Flags, s.MXCSR = always, roundToNearest
	for _, bit := range []uint64{cf, pf, af, zf, sf, of} {
		s.Flags |= bit * uint64(r.IntN(2))
	}
	return s
}

// The function "value" returns a random word of 64 bits. The function first chooses a kind of word at random. Some
// words are uniformly distributed. Some have few ones or few zeros. Some are near a power of two, and some consist of
// bytes with extreme values.
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
			v = bits.RotateLeft64(v, 8)
		}
		return out
	}
	return v
}

// The function "number" returns the bits of a random float64. It is often a whole number times a power of two. So some
// sums of two such numbers are exact, and others are rounded. Some sums are halfway between two float64 numbers. It can
// be any word.
func number(r *rand.Rand) uint64 {
	switch r.IntN(6) {
	case 0:
		return value(r)
	case 1:
		return []uint64{0, 1 << 63, 1, 1<<52 - 1, 0x7fefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff0000000000001, 0x7ff8000000000002}[r.IntN(9)]
	}
	v := math.Float64bits(math.Ldexp(float64(r.Int64N(1<<(1+r.IntN(54)))), r.IntN(60)-60))
	return v | uint64(r.IntN(2))<<63
}
