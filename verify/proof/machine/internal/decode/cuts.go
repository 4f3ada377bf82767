package decode

import (
	"fmt"
	"slices"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/changed"
)

// Heads returns the sorted addresses of the first instructions of loops. These addresses are the targets of all
// backward jumps, which the argument "back" lists. In a mutant, some instructions can have the field Cut set. If there
// are such instructions, Heads returns their addresses instead. Sometimes the mutant has no backward jump to such an
// instruction. Even so, the prover proves that the invariant of the original loop holds there.
func Heads(code []Instruction, back []uint64) ([]uint64, error) {
	var cuts []uint64
	for _, in := range code {
		if in.Cut {
			cuts = append(cuts, in.Address)
		}
	}
	if cuts == nil {
		cuts = back
	}
	for _, a := range back {
		if !slices.Contains(cuts, a) {
			return nil, fmt.Errorf("a loop from %#x, where the original has none", a)
		}
	}
	slices.Sort(cuts)
	return cuts, nil
}

// Cuts returns a copy of the code of a mutant. A mutant differs from the original code in one changed statement. The
// loops of the original begin at certain instructions. In the copy, the field Cut of these instructions is set. The
// argument "heads" has the indices of these instructions in the original code. The field Changed is set of the
// instructions that Mark of package changed returns.
func Cuts(original, mutant []Instruction, heads []int) ([]Instruction, error) {
	out := slices.Clone(mutant)
	marked, moved := changed.Mark(flows(original), flows(mutant), func(i, j int) bool { return alike(original[i], mutant[j]) })
	for i := range out {
		out[i].Changed = marked[i]
	}
	for _, h := range heads {
		if h = moved(h); h < 0 || h >= len(out) {
			return nil, fmt.Errorf("the loop from instruction %d is gone", h)
		}
		out[h].Cut = true
	}
	return out, nil
}

// The method "flow" returns what package changed has to know.
func (in Instruction) flow() changed.Instruction {
	out := changed.Instruction{Address: in.Address, Ends: in.Name == "jmp" || in.Name == "ret"}
	if in.Name[0] == 'j' {
		out.Jumps, out.Target = true, in.Args[0].Value
	}
	return out
}

func flows(code []Instruction) (out []changed.Instruction) {
	for _, in := range code {
		out = append(out, in.flow())
	}
	return out
}

// Reached reports whether the paths from an instruction to the next loop heads are other ones than in the original (see
// Reached of package changed). The argument "code" has the instructions by their addresses, and "heads" the loop heads. If
// no instruction has the field Changed, the code is no mutant from Cuts, and the result is true.
func Reached(code map[uint64]Instruction, from uint64, heads map[uint64]int) bool {
	for _, in := range code {
		if in.Changed {
			return changed.Reached(from, func(at uint64) (changed.Instruction, uint64, bool, bool) {
				in, ok := code[at]
				if !ok {
					return changed.Instruction{}, 0, false, false
				}
				return in.flow(), in.Next(), in.Changed, true
			}, func(at uint64) bool { _, ok := heads[at]; return ok })
		}
	}
	return true
}

// The function "alike" compares two instructions. It reports whether they are equal, except for absolute addresses in
// their operands.
func alike(x, y Instruction) bool {
	return x.Name == y.Name && slices.EqualFunc(x.Args, y.Args, func(v, w Operand) bool {
		if v.Kind == Target || v.Kind == Memory && !v.Base && v.Scale == 0 {
			v.Value, w.Value = 0, 0
		}
		return v == w
	})
}
