package decode

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// The two decoders use different names. The map "spellings" translates names of one decoder into names of the other.
var spellings = map[string]string{
	"movabs": "mov", // binutils, for a constant of 64 bits
	"jz":     "je", "jnz": "jne", "jc": "jb", "jnc": "jae", "jnb": "jae",
	"shl": "shl", "sal": "shl",
}

// The map "registers" maps the name of a general-purpose register to an operand. This operand has the number and the
// width of the register.
var registers = func() map[string]Operand {
	out := map[string]Operand{}
	for i, name := range strings.Fields("ax cx dx bx sp bp si di") {
		out["r"+name] = Operand{Kind: Register, Width: 64, Reg: i}
		out["e"+name] = Operand{Kind: Register, Width: 32, Reg: i}
		out[name] = Operand{Kind: Register, Width: 16, Reg: i}
	}
	for i, name := range strings.Fields("al cl dl bl spl bpl sil dil") {
		out[name] = Operand{Kind: Register, Width: 8, Reg: i}
	}
	for i := 8; i < 16; i++ {
		for suffix, width := range map[string]int{"": 64, "d": 32, "w": 16, "b": 8} {
			out[fmt.Sprintf("r%d%s", i, suffix)] = Operand{Kind: Register, Width: width, Reg: i}
		}
	}
	for i := range 32 {
		for prefix, width := range map[string]int{"x": 128, "y": 256, "z": 512} {
			out[fmt.Sprintf("%smm%d", prefix, i)] = Operand{Kind: Vector, Width: width, Reg: i}
		}
	}
	for i := range 8 {
		out[fmt.Sprintf("k%d", i)] = Operand{Kind: Mask, Width: 64, Reg: i}
	}
	return out
}()

var sizes = map[string]int{"byte": 8, "word": 16, "dword": 32, "qword": 64, "xmmword": 128, "ymmword": 256, "zmmword": 512}

var (
	place  = regexp.MustCompile(`^(?:([a-z]+) (ptr|bcst) )?(?:[cd]s:|(fs:))?\[?([^\]]*)\]?$`)
	suffix = regexp.MustCompile(`\{(k[1-7]|z|1to[0-9]+)\}`)
	part   = regexp.MustCompile(`([+-]?)([^+-]+)`)
)

// Parse sets the instruction's name and operands, which it reads from its text.
func (in *Instruction) Parse() error {
	text, _, _ := strings.Cut(in.Text, "#")
	text, _, _ = strings.Cut(text, "<")
	fields := strings.Fields(strings.ToLower(text))
	if len(fields) == 0 {
		return fmt.Errorf("no instruction")
	}
	// The prefixes "cs" and "data16" occur only in front of a nop instruction, to make this instruction longer. The
	// operands of a nop are ignored, because the decoders spell them differently.
	for len(fields) > 1 && (fields[0] == "cs" || fields[0] == "data16") {
		fields = fields[1:]
	}
	in.Name = fields[0]
	if s, ok := spellings[in.Name]; ok {
		in.Name = s
	}
	if in.Name == "nop" || in.Name == "xchg" && strings.Join(fields[1:], "") == "ax,ax" {
		in.Name = "nop"
		return nil
	}
	if in.Name == "rep" && len(fields) > 1 { // the operands of string instructions are always the same
		in.Name += " " + strings.TrimSuffix(fields[1], "b")
		return nil
	}
	rest := strings.Join(fields[1:], " ")
	if rest == "" {
		return nil
	}
	for _, o := range strings.Split(rest, ",") {
		a, err := in.operand(strings.TrimSpace(o))
		if err != nil {
			return err
		}
		in.Args = append(in.Args, a)
	}
	if (in.Name == "shr" || in.Name == "shl" || in.Name == "sar") && len(in.Args) == 1 { // LLVM leaves out the 1
		in.Args = append(in.Args, Operand{Kind: Immediate, Value: 1})
	}
	for i := range in.Args {
		a := &in.Args[i]
		if a.Kind == Immediate && in.Args[0].Kind == Register && in.Args[0].Width < 64 { // LLVM writes a sign
			a.Value &= 1<<in.Args[0].Width - 1
		}
		if a.Indices > 0 { // binutils writes the width of a lane, LLVM that of all lanes
			a.Width = 0
		}
	}
	return nil
}

func (in *Instruction) operand(s string) (a Operand, err error) {
	masks := suffix.FindAllStringSubmatch(s, -1)
	s = strings.TrimSpace(suffix.ReplaceAllString(s, ""))
	if r, ok := registers[s]; ok {
		a = r
	} else if m := place.FindStringSubmatch(s); strings.ContainsAny(s, "[:") && m != nil {
		if a, err = in.place(m[1], m[4]); err != nil {
			return a, err
		}
		a.Broadcast, a.Thread = m[2] == "bcst", m[3] != ""
	} else {
		base := 0
		if strings.HasPrefix(in.Name, "j") || in.Name == "call" {
			a.Kind = Target
			if !strings.HasPrefix(s, "0x") {
				base = 16
			}
		} else {
			a.Kind = Immediate
		}
		if v, err := strconv.ParseUint(s, base, 64); err == nil {
			a.Value = v
		} else if v, err := strconv.ParseInt(s, base, 64); err == nil {
			a.Value = uint64(v)
		} else {
			return a, fmt.Errorf("operand %q", s)
		}
	}
	for _, m := range masks {
		switch {
		case m[1] == "z":
			a.Zeroed = true
		case m[1][0] == '1': // LLVM's {1to8}
			a.Broadcast = true
		default:
			a.Mask = int(m[1][1] - '0')
		}
	}
	return a, nil
}

func (in *Instruction) place(size, inside string) (a Operand, err error) {
	a.Kind = Memory
	if size != "" {
		if a.Width = sizes[size]; a.Width == 0 {
			return a, fmt.Errorf("size %q", size)
		}
	}
	for _, m := range part.FindAllStringSubmatch(strings.ReplaceAll(inside, " ", ""), -1) {
		name, scale, scaled := strings.Cut(m[2], "*")
		if _, known := registers[scale]; known { // LLVM writes the factor first
			name, scale = scale, name
		}
		r, known := registers[name]
		switch {
		case name == "rip":
			a.Value += in.Next()
		case known && r.Kind == Register && r.Width != 64: // with the prefix 67H, an address has 32 bits
			return a, fmt.Errorf("place %q has a register of %d bits", inside, r.Width)
		case known && (scaled || a.Base):
			a.Index, a.Scale = r.Reg, 1
			if r.Kind == Vector {
				a.Indices = r.Width
			}
			if scaled {
				if a.Scale, err = strconv.Atoi(scale); err != nil {
					return a, err
				}
			}
		case known:
			a.Reg, a.Base = r.Reg, true
		default:
			v, err := strconv.ParseUint(name, 0, 64)
			if err != nil {
				return a, fmt.Errorf("place %q", inside)
			}
			if m[1] == "-" {
				v = -v
			}
			a.Value += v
		}
	}
	return a, nil
}

// RegisterNumber returns the number of a general-purpose register, given its 64-bit name.
func RegisterNumber(name string) (int, bool) {
	r, ok := registers[name]
	return r.Reg, ok && r.Kind == Register && r.Width == 64
}
