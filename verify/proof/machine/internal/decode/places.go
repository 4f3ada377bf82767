package decode

import "regexp"

// Place is a general-purpose register, a mask register, or a 64-bit word in a vector register.
type Place struct {
	Kind Kind
	Reg  int
	Lane int // of a vector
}

var (
	maskName = regexp.MustCompile(`^k([1-7])$`)
	laneName = regexp.MustCompile(`^[vz]([0-9]|[12][0-9]|3[01])(?:_([0-7]))?$`)
)

// Invariants files contain names of registers and lanes. The function Places returns the registers or lanes that a name
// stands for. The name of a 64-bit register stands for that register. The name kR stands for the mask register with the
// number R. The other names stand for lanes of the vector register R. The name vR_L stands for its 64-bit lane L. The
// name vR stands for its lanes 0 to 3, and zR stands for all its lanes. For any other name the result is empty.
func Places(name string) []Place {
	if r, ok := RegisterNumber(name); ok {
		return []Place{{Kind: Register, Reg: r}}
	}
	if m := maskName.FindStringSubmatch(name); m != nil {
		return []Place{{Kind: Mask, Reg: int(m[1][0] - '0')}}
	}
	m := laneName.FindStringSubmatch(name)
	if m == nil {
		return nil
	}
	r := registers["zmm"+m[1]].Reg
	if m[2] != "" {
		return []Place{{Vector, r, int(m[2][0] - '0')}}
	}
	var out []Place
	for l := range map[byte]int{'v': 4, 'z': 8}[name[0]] {
		out = append(out, Place{Vector, r, l})
	}
	return out
}
