package changed

import (
	"slices"
	"testing"
)

// The function "code" makes instructions of one byte each. A letter is an instruction, and a digit is a conditional jump
// to the instruction with this number. A full stop is a return.
func code(text string) (out []Instruction) {
	for i, c := range text {
		in := Instruction{Address: uint64(100 + i), Ends: c == '.'}
		if c >= '0' && c <= '9' {
			in.Jumps, in.Target = true, 100+uint64(c-'0')
		}
		out = append(out, in)
	}
	return out
}

// TestMark asserts which instructions of a mutant count as changed, and where the last instruction of the original is.
func TestMark(t *testing.T) {
	for _, c := range []struct {
		original, mutant string
		want             []int
	}{
		{"abcd.", "abxd.", []int{2, 3}},
		{"abcd.", "abd.", []int{2}},
		{"abcd.", "abxcd.", []int{2, 3}},
		{"abcd.", "abcd.", []int{0, 1, 2, 3, 4}}, // in data alone
		{"abbc.", "abc.", []int{2}},              // either of two equal ones may be the deleted one
		{"ab3cd0.", "ab3d0.", []int{3}},          // a jump to the deleted instruction goes to the next one
		{"ab5cd.", "ab4c.", []int{4}},            // the same place after a deleted instruction
		{"ab5cd.", "ab5c.", []int{2, 4}},
		{"ab6cdef.", "ab5xdef.", []int{2, 3, 4}}, // a jump to another place
	} {
		marked, moved := Mark(code(c.original), code(c.mutant), func(i, j int) bool {
			x, y := c.original[i], c.mutant[j]
			return x == y || x >= '0' && x <= '9' && y >= '0' && y <= '9'
		})
		var got []int
		for i, m := range marked {
			if m {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s -> %s: got %v, want %v", c.original, c.mutant, got, c.want)
		}
		if at := moved(len(c.original) - 1); at != len(c.mutant)-1 {
			t.Errorf("%s -> %s: the return is at %d", c.original, c.mutant, at)
		}
	}
}

// TestReached asserts that a changed instruction is found on each path to the next head, at its end too, and not after it.
func TestReached(t *testing.T) {
	const text = "ab6cd2e1." // heads at 1 and 6
	for _, c := range []struct {
		changed int
		from    []uint64 // the heads from which it is found; 100 is the entry
	}{
		{0, []uint64{100}}, {1, []uint64{100, 101, 106}}, {3, []uint64{101}}, {5, []uint64{101}}, {6, []uint64{101, 106}}, {8, []uint64{106}}, {9, nil},
	} {
		for _, from := range []uint64{100, 101, 106} {
			all := code(text)
			got := Reached(from, func(at uint64) (Instruction, uint64, bool, bool) {
				if at-100 >= uint64(len(all)) {
					return Instruction{}, 0, false, false
				}
				return all[at-100], at + 1, int(at-100) == c.changed, true
			}, func(at uint64) bool { return at == 101 || at == 106 })
			if want := slices.Contains(c.from, from); got != want {
				t.Errorf("%d changed, from %d: %v", c.changed, from, got)
			}
		}
	}
	if !Reached(100, func(uint64) (Instruction, uint64, bool, bool) { return Instruction{}, 0, false, false }, nil) {
		t.Error("a path that leaves the function is not found")
	}
}
