// Package decode reads machine code. It uses two decoders: the objdump of binutils, and llvm-objdump. They must agree
// on every instruction. It converts the output of both decoders to a common form. The map [spellings] lists the names
// that differ between the two decoders.
package decode

import (
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Kind says whether an operand is a register, memory or something else.
type Kind string

// These are the kinds of operands. The width of a register operand is the number of bits in the register. The width of
// a memory operand is the width of the value that is loaded or stored.
const (
	Register  Kind = "r" // a general-purpose register
	Vector    Kind = "v"
	Mask      Kind = "k"
	Immediate Kind = "i"
	Memory    Kind = "m"
	Target    Kind = "t" // the target of a jump
)

// Operand is one operand of an instruction. The operands of an instruction are in the order of Intel's manual.
type Operand struct {
	Kind  Kind
	Width int    // in bits; 0 for an immediate and a target
	Reg   int    // the number of the register, or of the base of a memory operand
	Index int    // the index register of a memory operand
	Scale int    // the factor of the index; 0 without an index
	Value uint64 // the value of an immediate or a target; the displacement of a memory operand
	// Suppose that the encoded address of a memory operand is relative to the next instruction. Then Base is false.
	// Value is then the operand's absolute address.
	Base   bool
	Mask   int  // the number of the write mask register; 0 for none
	Zeroed bool // lanes outside the mask become 0
	// These fields describe a memory operand. Broadcast is true if one value is copied to all lanes. Thread is true if
	// the address is in thread-local storage. If the index register is a vector register, the field Indices is the
	// width of this register. If it is a general-purpose register, the field Indices is 0.
	Broadcast, Thread bool
	Indices           int
}

// Instruction is one instruction in the machine code of a function.
type Instruction struct {
	Address uint64
	Bytes   []byte
	Name    string
	Args    []Operand
	Text    string // the text by binutils
	// Cut is set in a mutant if a loop of the original function begins at this instruction.
	Cut bool
	// Changed is set in a mutant where it differs from the original function (see Cuts), and in the instruction after it.
	Changed bool
	// Room is set in the first instruction after a check of the stack (see WithoutCheck). So many bytes below the return
	// address belong to the function then.
	Room uint64
}

// Next returns the address of the next instruction.
func (in Instruction) Next() uint64 { return in.Address + uint64(len(in.Bytes)) }

// Form returns the instruction's name and the kinds of its operands. This text is the key of an entry of package
// semantics.
func (in Instruction) Form() string {
	s := in.Name
	for i, a := range in.Args {
		sep := ","
		if i == 0 {
			sep = " "
		}
		s += sep + string(a.Kind)
		if a.Width > 0 {
			s += strconv.Itoa(a.Width)
		}
		if a.Mask > 0 {
			s += "{k}"
		}
		if a.Zeroed {
			s += "{z}"
		}
		if a.Broadcast {
			s += "{b}"
		}
		if a.Thread {
			s += "{fs}"
		}
		if a.Indices > 0 {
			s += "[v" + strconv.Itoa(a.Indices) + "]"
		}
	}
	return s
}

// The function Both decodes n bytes of the linked program at path. The argument "from" is the address of the first
// byte. It uses both decoders, which must agree.
func Both(path string, from uint64, n int) ([]Instruction, error) {
	all, err := Many(path, []Span{{from, n}})
	if err != nil {
		return nil, err
	}
	return all[0].Code, all[0].Err
}

// The function "agree" returns an error unless the results of the decoders are equal.
func agree(a, b []Instruction) error {
	if len(a) != len(b) {
		return fmt.Errorf("binutils decodes %d instructions, LLVM %d", len(a), len(b))
	}
	for i := range a {
		x, y := a[i], b[i]
		if x.Address != y.Address || !slices.Equal(x.Bytes, y.Bytes) || x.Name != y.Name || !slices.Equal(x.Args, y.Args) {
			return fmt.Errorf("%#x: binutils decodes %q, LLVM %q", x.Address, x.Text, y.Text)
		}
	}
	return nil
}

// The type Span is a range of bytes in a program. The field From is its first address, and the field N is its length.
type Span struct {
	From uint64
	N    int
}

// Decoded has the instructions of a span, or the error that occurred when the span was decoded.
type Decoded struct {
	Code []Instruction
	Err  error
}

// The function Many decodes several spans in the same way as Both, but runs each decoder only once. The spans must be
// in the order of their addresses, with only padding between them.
func Many(path string, spans []Span) ([]Decoded, error) {
	first, last := spans[0], spans[len(spans)-1]
	n := int(last.From-first.From) + last.N
	a, err := output(binutils, path, first.From, n)
	if err != nil {
		return nil, err
	}
	b, err := output(llvm, path, first.From, n)
	if err != nil {
		return nil, err
	}
	out := make([]Decoded, len(spans))
	var a0, b0 []string
	for i, s := range spans {
		a0, a = within(a, s)
		b0, b = within(b, s)
		x, err := parse(a0, s.From, s.N, binutils[0])
		if err == nil {
			var y []Instruction
			if y, err = parse(b0, s.From, s.N, llvm[0]); err == nil {
				err = agree(x, y)
			}
		}
		out[i] = Decoded{x, err}
	}
	return out, nil
}

// The argument "lines" is the output of a decoder. The function "within" returns two parts of this output. The first
// result has the lines about instructions in the span s. The second result has the lines after them.
func within(lines []string, s Span) (of, rest []string) {
	for i, l := range lines {
		at, ok := strings.CutSuffix(strings.Fields(l)[0], ":")
		address, err := strconv.ParseUint(at, 16, 64)
		switch {
		case !ok || err != nil || address < s.From:
		case address >= s.From+uint64(s.N):
			return of, lines[i:]
		default:
			of = append(of, l)
		}
	}
	return of, nil
}

// These are the commands of the two decoders.
var (
	binutils = []string{"objdump", "-d", "-w", "-M", "intel", "--section=.text"}
	llvm     = []string{"llvm-objdump", "-d", "--x86-asm-syntax=intel", "--section=.text"}
)

var line = regexp.MustCompile(`^\s*([0-9a-f]+):\s+((?:[0-9a-f]{2} )+)\s*(.*)$`)

// The function "output" runs a decoder on n bytes, and returns those output lines that describe instructions. The
// argument "from" is the address of the first byte.
func output(decoder []string, path string, from uint64, n int) ([]string, error) {
	args := append(slices.Clone(decoder[1:]), fmt.Sprintf("--start-address=%d", from), fmt.Sprintf("--stop-address=%d", from+uint64(n)), path)
	out, err := exec.Command(decoder[0], args...).Output()
	if err != nil {
		return nil, fmt.Errorf("%s (Debian: apt-get install binutils llvm): %w", decoder[0], err)
	}
	var all []string
	for l := range strings.Lines(string(out)) {
		if l = strings.TrimRight(strings.ReplaceAll(l, "\t", " "), " \n"); line.MatchString(l) {
			all = append(all, l)
		}
	}
	return all, nil
}

// The function "parse" reads output lines of a decoder, and returns the instructions that these lines describe. The
// instructions must fill n bytes without a gap. The argument "from" is the address of the first byte.
func parse(lines []string, from uint64, n int, name string) ([]Instruction, error) {
	var all []Instruction
	at := from
	for _, l := range lines {
		m := line.FindStringSubmatch(l)
		address, err := strconv.ParseUint(m[1], 16, 64)
		if err != nil || address != at {
			return nil, fmt.Errorf("%s: instruction at %s, not at %#x", name, m[1], at)
		}
		in := Instruction{Address: address, Text: strings.TrimSpace(m[3])}
		for _, b := range strings.Fields(m[2]) {
			v, err := strconv.ParseUint(b, 16, 8)
			if err != nil {
				return nil, err
			}
			in.Bytes = append(in.Bytes, byte(v))
		}
		at += uint64(len(in.Bytes))
		if err := in.Parse(); err != nil {
			return nil, fmt.Errorf("%s at %#x: %q: %w", name, address, in.Text, err)
		}
		all = append(all, in)
	}
	if at != from+uint64(n) {
		return nil, fmt.Errorf("%s stops at %#x, not at %#x", name, at, from+uint64(n))
	}
	return all, nil
}
