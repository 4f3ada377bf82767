// Package changed finds the instructions that differ in a mutant of a function, and the paths that they are on. It knows
// nothing about the instructions of a platform.
package changed

// Instruction is what the package has to know of an instruction.
type Instruction struct {
	Address uint64
	Jumps   bool   // it is a jump
	Target  uint64 // where to
	Ends    bool   // the instruction after it in memory is not executed after it: it is a return, or always jumps
}

// Mark returns the instructions of a mutant that are changed. A mutant differs from the original in one changed
// statement. Changed instructions are those that the original does not have, and the instruction after them. Jumps to
// another place than in the original are changed too. If the mutant differs only in what the function "alike" ignores,
// all instructions are changed. This function compares instruction i of the original with instruction j of the mutant.
// It must ignore addresses, which can differ because the two functions are at different places of the program.
//
// The function "moved" returns the index in the mutant that an instruction of the original has.
func Mark(original, mutant []Instruction, alike func(i, j int) bool) (marked []bool, moved func(int) int) {
	n, m := len(original), len(mutant)
	same, rest := 0, 0
	for same < min(n, m) && alike(same, same) {
		same++
	}
	for rest < min(n, m)-same && alike(n-1-rest, m-1-rest) {
		rest++
	}
	marked = make([]bool, m)
	from := same
	if same == n && same == m {
		from = 0
	}
	for i := from; i < min(m-rest+1, m); i++ {
		marked[i] = true
	}
	moved = func(i int) int {
		if i > same {
			return i + m - n
		}
		return i
	}
	for i, in := range original {
		j := moved(i)
		if !in.Jumps || j < 0 || j >= m || marked[j] {
			continue
		}
		was, is := index(original, in.Target), index(mutant, mutant[j].Target)
		marked[j] = is != moved(was) && (was < 0 || is < 0 || !marked[is])
	}
	return marked, moved
}

// The function "index" returns the index of the instruction at an address, or -1 if there is none.
func index(code []Instruction, address uint64) int {
	for i, in := range code {
		if in.Address == address {
			return i
		}
	}
	return -1
}

// Reached reports whether the paths from an instruction to the next loop heads have a changed instruction, or end at one.
// If not, the mutant does the same on these paths as the original. The argument "from" is the address of the first
// instruction. The function "look" returns the instruction at an address, the address of the next one, and whether it is
// changed. Its last result is false if there is no instruction. The function "head" reports whether a loop head is at an
// address.
func Reached(from uint64, look func(uint64) (in Instruction, next uint64, marked, ok bool), head func(uint64) bool) bool {
	seen := map[uint64]bool{}
	var reaches func(at uint64) bool
	reaches = func(at uint64) bool {
		in, next, marked, ok := look(at)
		switch {
		case !ok || marked:
			return true
		case seen[at] || len(seen) > 0 && head(at):
			return false
		}
		seen[at] = true
		return in.Jumps && reaches(in.Target) || !in.Ends && reaches(next)
	}
	return reaches(from)
}

// A Beginning is the entry of a function or one of its loop heads. The obligation with the number First is the first one
// about the paths from there. If Same is true, the paths of a mutant are those of the original function. Then the proof
// of the mutant has no obligations about them.
type Beginning struct {
	First int
	Same  bool
}
