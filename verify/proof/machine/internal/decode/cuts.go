package decode

import (
	"fmt"
	"slices"
)

// Heads returns the sorted addresses of the heads of loops, given the targets of the jumps back. In a mutant these are
// its cuts. A mutant may have no jump back to one of them, which costs nothing: what holds there is then proved too.
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

// Cuts marks where the loops of the original begin in a mutant, which has one statement changed. heads are the indices
// of their first instructions in the original. It returns a copy.
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

// alike reports whether instruction i is the same in two functions, apart from the addresses that it leads to.
func alike(a, b []Instruction, i int) bool {
	x, y := a[i], b[i]
	return x.Name == y.Name && slices.EqualFunc(x.Args, y.Args, func(v, w Operand) bool {
		if v.Kind == Target || v.Kind == Memory && !v.Base && v.Scale == 0 {
			v.Value, w.Value = 0, 0
		}
		return v == w
	})
}
