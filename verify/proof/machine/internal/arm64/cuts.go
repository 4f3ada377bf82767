package arm64

import (
	"fmt"
	"slices"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/changed"
)

// Cuts returns a copy of the code of a mutant. A mutant differs from the original code in one changed statement. The
// argument "heads" has the indices in the original code of the instructions at which heads are, in the order of the
// heads. The fields Cut and Changed are set in the copy.
func Cuts(original, mutant []Instruction, heads []int) ([]Instruction, error) {
	out := slices.Clone(mutant)
	marked, moved := changed.Mark(flows(original), flows(mutant), func(i, j int) bool { return alike(original, mutant, i, j) })
	for i := range out {
		out[i].Changed = marked[i]
	}
	for n, h := range heads {
		if h = moved(h); h < 0 || h >= len(out) {
			return nil, fmt.Errorf("the loop from instruction %d is gone", h)
		}
		if out[h].Cut == 0 {
			out[h].Cut = n + 1
		}
	}
	return out, nil
}

// The method "flow" returns what package changed has to know.
func (in Instruction) flow() changed.Instruction {
	out := changed.Instruction{Address: in.Address, Ends: in.Name == "b" || in.Name == "ret"}
	if IsBranch(in) {
		out.Jumps, out.Target = true, in.Args[len(in.Args)-1].Value
	}
	return out
}

func flows(code []Instruction) (out []changed.Instruction) {
	for _, in := range code {
		out = append(out, in.flow())
	}
	return out
}

// Reached reports whether the paths from an instruction to the next heads are other ones than in the original (see
// Reached of package changed). The argument "code" has the instructions by their addresses, and "heads" the heads. If no
// instruction has the field Changed, the code is no mutant from Cuts, and the result is true.
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

// The function "alike" compares instruction i of a with instruction j of b. It reports whether they are equal, except for
// addresses. An address is the target of a branch, or of an ADRP and the ADD after it.
func alike(a, b []Instruction, i, j int) bool {
	x, y := a[i], b[j]
	page := func(code []Instruction, at int) bool {
		return at > 0 && code[at-1].Name == "adrp" && code[at].Form() == "add x,x,i" && code[at].Args[1].Reg == code[at-1].Args[0].Reg
	}
	pages := page(a, i) && page(b, j)
	return x.Name == y.Name && slices.EqualFunc(x.Args, y.Args, func(v, w Operand) bool {
		if v.Kind == Target || pages && v.Kind == Immediate {
			v.Value, w.Value = 0, 0
		}
		return v == w
	})
}
