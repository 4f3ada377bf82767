package decode

import (
	"fmt"
	"slices"
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
// argument "heads" has the indices of these instructions in the original code.
func Cuts(original, mutant []Instruction, heads []int) ([]Instruction, error) {
	out := slices.Clone(mutant)
	same := 0
	for same < len(original) && same < len(mutant) && alike(original, mutant, same) {
		same++
	}
	for _, h := range heads {
		if h > same {
			h += len(mutant) - len(original)
		}
		if h < 0 || h >= len(out) {
			return nil, fmt.Errorf("the loop from instruction %d is gone", h)
		}
		out[h].Cut = true
	}
	return out, nil
}

// The function "alike" compares the instructions a[i] and b[i]. It reports whether they are equal, except for absolute
// addresses in their operands.
func alike(a, b []Instruction, i int) bool {
	x, y := a[i], b[i]
	return x.Name == y.Name && slices.EqualFunc(x.Args, y.Args, func(v, w Operand) bool {
		if v.Kind == Target || v.Kind == Memory && !v.Base && v.Scale == 0 {
			v.Value, w.Value = 0, 0
		}
		return v == w
	})
}
