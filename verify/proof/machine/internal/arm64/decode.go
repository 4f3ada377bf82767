// Package arm64 reads and executes machine code for arm64. It uses two decoders, which must agree. A table defines
// the effect of each instruction that the kernels contain. The effects are computed with expressions of package term.
// Kind says whether an operand is a register, memory or something else.
package arm64

import (
	"encoding/binary"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Kind is the kind of an operand.
type Kind string

// These are the kinds of operands.
const (
	Register  Kind = "r" // a general-purpose register, or the stack pointer
	Vector    Kind = "v" // all lanes of a vector or, with Count, of several vectors
	Element   Kind = "e" // one lane of a vector
	Scalar    Kind = "s" // the lowest lane of a vector, used as a register
	Immediate Kind = "i"
	Memory    Kind = "m"
	Target    Kind = "t" // the target of a branch, or the value from which the address of a page is computed
	Condition Kind = "c"
	Hint      Kind = "h" // the purpose of a prefetch
)

// Operand is one operand of an instruction. The operands of an instruction are in the order of Arm's manual.
type Operand struct {
	Kind  Kind
	Width int  // bits of a register, or of a lane
	Reg   int  // the number of the register, or of the base of a memory operand; 31 is the zero register
	SP    bool // the register, or the base, is the stack pointer
	Lanes int  // of a vector
	Count int  // the number of vectors, from Reg on
	Lane  int  // of an element
	Value uint64
	// A register or an immediate can be shifted before it is used. Shift is this operation: lsl, lsr or sxtw. Amount is
	// the number of bits of the shift.
	Shift  string
	Amount int
	// These fields describe a memory operand. If Indexed is true, the address includes the register with the number
	// Index, shifted left by Amount. If the field Before is true, the access first adds the field Value to the base
	// register. The base register keeps the sum.
	Indexed bool
	Index   int
	Before  bool
	Name    string // of a condition or a hint
}

// Instruction is one instruction in the machine code of a function.
type Instruction struct {
	Address uint64
	Word    uint32
	Name    string
	Args    []Operand
	Text    string // the text by binutils
	// In a mutant, Cut is the number of the first head that is at this instruction in the original function, counted from 1,
	// or 0. Changed is set where the mutant differs from the original, and in the instruction after it.
	Cut     int
	Changed bool
}

// Next returns the address of the instruction that follows in memory.
func (in Instruction) Next() uint64 { return in.Address + 4 }

// Page returns the address of the 4 KiB page that an ADRP instruction encodes.
func (in Instruction) Page() uint64 {
	pages := uint64(in.Word>>29&3) | uint64(in.Word>>5&0x7ffff)<<2
	return in.Address&^0xfff + uint64(int64(pages<<43)>>43)<<12
}

// Form returns the instruction's name and the kinds of its operands. This text is the key of an entry of the table.
func (in Instruction) Form() string {
	s := in.Name
	for i, a := range in.Args {
		if s += ","; i == 0 {
			s = s[:len(s)-1] + " "
		}
		switch a.Kind {
		case Register:
			s += map[bool]string{true: "sp", false: map[int]string{64: "x", 32: "w"}[a.Width]}[a.SP]
		case Vector:
			s += fmt.Sprintf("v%dx%d", a.Lanes, a.Width)
			if a.Count > 0 {
				s += fmt.Sprintf("{%d}", a.Count)
			}
		case Element:
			s += fmt.Sprintf("v%d[]", a.Width)
		case Scalar:
			s += fmt.Sprintf("f%d", a.Width)
		case Memory:
			s += "m"
			if a.Indexed {
				s += "+x"
			}
			if a.Before {
				s += "!"
			}
		default:
			s += string(a.Kind)
		}
		if a.Shift != "" {
			s += "<" + a.Shift
		}
	}
	return s
}

// Objdump has the two possible names of the command objdump for arm64. One is its name in a cross toolchain, and the
// other is its name on an arm64 computer.
var Objdump = []string{"aarch64-linux-gnu-objdump", "objdump"}

// The function Both decodes n bytes of a linked program with two decoders. The two results must agree. The argument
// "path" is the path of the program. The argument "from" is the address of the first byte.
func Both(path string, from uint64, n int) ([]Instruction, error) {
	all, err := Many(path, []Span{{from, n}})
	if err != nil {
		return nil, err
	}
	return all[0].Code, all[0].Err
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
// in the order of their addresses.
func Many(path string, spans []Span) ([]Decoded, error) {
	first, last := spans[0], spans[len(spans)-1]
	window := []string{"--section=.text", fmt.Sprintf("--start-address=%d", first.From), fmt.Sprintf("--stop-address=%d", last.From+uint64(last.N)), path}
	var gnu string
	for _, name := range Objdump {
		if _, err := exec.LookPath(name); err == nil && gnu == "" {
			gnu = name
		}
	}
	if gnu == "" {
		return nil, fmt.Errorf("%s (Debian: apt-get install binutils-aarch64-linux-gnu) is missing", Objdump[0])
	}
	a, err := output(gnu, append([]string{"-d", "-w", "-z"}, window...)...)
	if err != nil {
		return nil, err
	}
	b, err := output("llvm-objdump", append([]string{"-d", "-z"}, window...)...)
	if err != nil {
		return nil, err
	}
	out := make([]Decoded, len(spans))
	for i, s := range spans {
		x, err := decoded(s, gnu, a)
		if err == nil {
			var y []Instruction
			if y, err = decoded(s, "llvm-objdump", b); err == nil {
				err = agree(x, y)
			}
		}
		out[i] = Decoded{x, err}
	}
	return out, nil
}

// The function "agree" returns an error unless the results of the decoders are equal.
func agree(a, b []Instruction) error {
	if len(a) != len(b) {
		return fmt.Errorf("binutils decodes %d instructions, LLVM %d", len(a), len(b))
	}
	for i := range a {
		x, y := a[i], b[i]
		if x.Address != y.Address || x.Word != y.Word || x.Name != y.Name || !slices.Equal(x.Args, y.Args) {
			return fmt.Errorf("%#x: binutils decodes %q, LLVM %q", x.Address, x.Text, y.Text)
		}
	}
	return nil
}

// The regular expression "line" matches an output line of a decoder. The decoder of LLVM prints the four bytes of an
// instruction separately. The decoder of binutils prints an instruction as one number.
var line = regexp.MustCompile(`^\s*([0-9a-f]+):\s+([0-9a-f]{2}(?: [0-9a-f]{2}){3}|[0-9a-f]{8})\s+(.*)$`)

// The function "output" runs the decoder with the given name. It returns the output lines about instructions by their
// addresses.
func output(name string, args ...string) (map[uint64][]string, error) {
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		return nil, fmt.Errorf("%s (Debian: apt-get install binutils-aarch64-linux-gnu llvm): %w", name, err)
	}
	all := map[uint64][]string{}
	for l := range strings.Lines(string(out)) {
		m := line.FindStringSubmatch(strings.TrimRight(strings.ReplaceAll(l, "\t", " "), " \n"))
		if m == nil {
			continue
		}
		address, err := strconv.ParseUint(m[1], 16, 64)
		if err != nil || all[address] != nil {
			return nil, fmt.Errorf("%s: two instructions at %s", name, m[1])
		}
		all[address] = m
	}
	return all, nil
}

// The function "decoded" returns the instructions of a span. The argument "lines" has the output of the decoder with the
// given name. There must be no gap between the instructions.
func decoded(s Span, name string, lines map[uint64][]string) (all []Instruction, err error) {
	for at := s.From; at < s.From+uint64(s.N); at += 4 {
		m := lines[at]
		if m == nil {
			return nil, fmt.Errorf("%s: no instruction at %#x", name, at)
		}
		word, err := strconv.ParseUint(strings.ReplaceAll(m[2], " ", ""), 16, 32)
		if err != nil {
			return nil, err
		}
		if strings.Contains(m[2], " ") {
			b := binary.BigEndian.AppendUint32(nil, uint32(word))
			word = uint64(binary.LittleEndian.Uint32(b))
		}
		in := Instruction{Address: at, Word: uint32(word), Text: strings.TrimSpace(m[3])}
		if err := in.Parse(); err != nil {
			return nil, fmt.Errorf("%s at %#x: %q: %w", name, at, in.Text, err)
		}
		all = append(all, in)
	}
	if s.N%4 != 0 {
		return nil, fmt.Errorf("%s: %d bytes are not whole instructions", name, s.N)
	}
	return all, nil
}

// The two decoders use different names for some instructions. The map "spellings" translates the names that one decoder
// uses into those of the other decoder.
var spellings = map[string]string{"b.cc": "b.lo", "b.cs": "b.hs"}

var (
	general  = regexp.MustCompile(`^([xw])([0-9]+|zr)$`)
	scalar   = regexp.MustCompile(`^([bhsdq])([0-9]+)$`)
	vector   = regexp.MustCompile(`^v([0-9]+)\.([0-9]*)([bhsd])(?:\[([0-9]+)\])?$`)
	shifted  = regexp.MustCompile(`^(lsl|lsr|asr|sxtw|uxtw)(?: #([0-9a-fx]+))?$`)
	hints    = regexp.MustCompile(`^p[ls][dti]l[1-3](keep|strm)$`)
	widths   = map[string]int{"b": 8, "h": 16, "s": 32, "d": 64, "q": 128, "w": 32, "x": 64}
	branches = regexp.MustCompile(`^(b|bl|b\..*|cbn?z|tbn?z|adrp)$`)
)

// Parse sets the instruction's name and operands, which it reads from its text.
func (in *Instruction) Parse() error {
	text, _, _ := strings.Cut(in.Text, "//")
	text, _, _ = strings.Cut(text, "<")
	text = strings.ToLower(strings.TrimSpace(strings.ReplaceAll(text, "\t", " ")))
	name, rest, _ := strings.Cut(text, " ")
	if name == "" {
		return fmt.Errorf("no instruction")
	}
	if in.Name = name; spellings[name] != "" {
		in.Name = spellings[name]
	}
	if in.Name == ".inst" || in.Name == "udf" { // not an executable instruction
		in.Name, in.Args = "udf", nil
		return nil
	}
	for _, o := range split(rest) {
		if m := shifted.FindStringSubmatch(o); m != nil && len(in.Args) > 0 {
			last := &in.Args[len(in.Args)-1]
			last.Shift = m[1]
			if m[2] != "" {
				v, err := strconv.ParseInt(m[2], 0, 8)
				if err != nil {
					return err
				}
				last.Amount = int(v)
			}
			continue
		}
		a, err := in.operand(o)
		if err != nil {
			return err
		}
		in.Args = append(in.Args, a)
	}
	// The decoders have different names for an instruction that loads a bit-pattern constant. In Arm's manual and in
	// the output of binutils, it is an OR with the zero register.
	if in.Name == "orr" && len(in.Args) == 3 && in.Args[1].Kind == Register && in.Args[1].Reg == 31 && in.Args[2].Kind == Immediate {
		in.Name, in.Args = "mov", []Operand{in.Args[0], in.Args[2]}
	}
	if in.Name == "mov" && in.Args[1].Kind == Element { // an alias that both decoders use for the manual's names
		if in.Name = "umov"; in.Args[0].Kind == Element {
			in.Name = "ins"
		}
	}
	if in.Args != nil && in.Args[0].Kind == Register && in.Args[0].Width == 32 {
		for i := range in.Args {
			if in.Args[i].Kind == Immediate { // one decoder writes a sign
				in.Args[i].Value &= 1<<32 - 1
			}
		}
	}
	return nil
}

// The function "split" splits a list of operands at its commas. Commas inside brackets do not count.
func split(s string) (out []string) {
	depth, from := 0, 0
	for i, c := range s + "," {
		switch c {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case ',':
			if depth == 0 {
				if o := strings.TrimSpace((s + ",")[from:i]); o != "" {
					out = append(out, o)
				}
				from = i + 1
			}
		}
	}
	return out
}

func number(s string, base int) (uint64, error) {
	s = strings.TrimPrefix(s, "#")
	if v, err := strconv.ParseUint(s, base, 64); err == nil {
		return v, nil
	}
	v, err := strconv.ParseInt(s, base, 64)
	return uint64(v), err
}

func (in *Instruction) operand(s string) (a Operand, err error) {
	if r, ok := register(s); ok {
		return r, nil
	}
	switch {
	case s[0] == '[':
		return in.place(s)
	case s[0] == '{':
		return list(s)
	case hints.MatchString(s):
		return Operand{Kind: Hint, Name: s}, nil
	case s[0] == '#':
		a.Kind = Immediate
		a.Value, err = number(s, 0)
		return a, err
	case branches.MatchString(in.Name):
		a.Kind = Target
		if a.Value, err = number(strings.TrimPrefix(s, "0x"), 16); err == nil {
			return a, nil
		}
	case slices.Contains(conditions, s):
		return Operand{Kind: Condition, Name: s}, nil
	}
	return a, fmt.Errorf("operand %q", s)
}

var conditions = strings.Fields("eq ne hs lo mi pl vs vc hi ls ge lt gt le")

func register(s string) (a Operand, ok bool) {
	if s == "sp" {
		return Operand{Kind: Register, Width: 64, Reg: 31, SP: true}, true
	}
	if m := general.FindStringSubmatch(s); m != nil {
		n := 31
		if m[2] != "zr" {
			n, _ = strconv.Atoi(m[2])
		}
		return Operand{Kind: Register, Width: widths[m[1]], Reg: n}, true
	}
	if m := scalar.FindStringSubmatch(s); m != nil {
		n, _ := strconv.Atoi(m[2])
		return Operand{Kind: Scalar, Width: widths[m[1]], Reg: n}, true
	}
	if m := vector.FindStringSubmatch(s); m != nil {
		a = Operand{Kind: Vector, Width: widths[m[3]]}
		a.Reg, _ = strconv.Atoi(m[1])
		if m[4] != "" {
			a.Kind = Element
			a.Lane, _ = strconv.Atoi(m[4])
			return a, true
		}
		a.Lanes, _ = strconv.Atoi(m[2])
		return a, a.Lanes > 0
	}
	return a, false
}

// The function "list" parses an operand that consists of vector registers with consecutive numbers. The output of LLVM
// lists all of these registers. The output of binutils names only the first and the last of these registers.
func list(s string) (a Operand, err error) {
	s = strings.Trim(s, "{ }")
	if from, to, ok := strings.Cut(s, "-"); ok {
		x, known := register(strings.TrimSpace(from))
		y, also := register(strings.TrimSpace(to))
		if !known || !also || x.Kind != Vector || y.Reg < x.Reg {
			return a, fmt.Errorf("vectors %q", s)
		}
		x.Count = y.Reg - x.Reg + 1
		return x, nil
	}
	for i, name := range strings.Split(s, ",") {
		x, known := register(strings.TrimSpace(name))
		if i == 0 {
			a = x
		}
		if !known || x.Kind != Vector || x.Reg != (a.Reg+i)%32 || x.Lanes != a.Lanes || x.Width != a.Width {
			return a, fmt.Errorf("vectors %q", s)
		}
		a.Count = i + 1
	}
	return a, nil
}

func (in *Instruction) place(s string) (a Operand, err error) {
	a.Kind = Memory
	if strings.HasSuffix(s, "!") {
		a.Before = true
		s = s[:len(s)-1]
	}
	for i, part := range split(strings.Trim(s, "[]")) {
		r, isReg := register(part)
		m := shifted.FindStringSubmatch(part)
		switch {
		case i == 0 && isReg:
			a.Reg, a.SP = r.Reg, r.SP
		case i == 1 && isReg && r.Width == 64:
			a.Indexed, a.Index = true, r.Reg
		case i == 2 && a.Indexed && m != nil && m[1] == "lsl":
			a.Amount, err = strconv.Atoi(m[2])
		case i == 1 && part[0] == '#':
			a.Value, err = number(part, 0)
		default:
			return a, fmt.Errorf("place %q", s)
		}
		if err != nil {
			return a, err
		}
	}
	return a, nil
}
