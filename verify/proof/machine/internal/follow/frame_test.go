package follow

import (
	"testing"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/arm64"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// TestFrame asserts what a function may do in its frame. The frame has 64 bytes and an array of 4 words at its upper end.
// A store next to the array must not change a word of it, and a store between two words that were saved must not change
// them. Each of these stores was once permitted: the proof then knew the old values of the words.
func TestFrame(t *testing.T) {
	const stack, array = 64, 40
	twin := Twin{Locals: []Local{{"array", 4}}}
	e := &executor{twin: twin, sec: section{stack: stack, locals: map[string]uint64{"array": array}}, from: -1}
	try := func(lowered uint64, f func(x *path)) (err error) {
		x, err := e.begin()
		if err != nil {
			t.Fatal(err)
		}
		x.m.SP = e.lowered(lowered)
		defer arm64.Recover(&err)
		f(x)
		return nil
	}
	of := map[string]func() *term.Term{
		"a word": func() *term.Term { return e.pool.Var("word", 64) },
		"x29":    func() *term.Term { return e.held(framePointer, 0) },
		"x30":    func() *term.Term { return e.held(30, 0) },
	}
	for _, c := range []struct {
		what      string
		lowered   uint64 // the bytes by which the stack pointer is lowered
		below     uint64 // the distance of the place below the stack pointer at the entry
		permitted bool
	}{
		{"a word", stack, array, true},
		{"a word", stack, array - 24, true},
		{"a word", stack, array + 4, false}, // half of the array's first word
		{"a word", stack, array - 28, false},
		{"a word", stack, array - 32, true},
		{"a word", stack, array - 36, false},
		{"a word", stack, array + 8, true}, // saved between the array and the return address
		{"a word", stack, array + 12, false},
		{"a word", stack, array + 16, true},
		{"a word", stack, stack, false}, // where the return address is
		{"a word", stack, stack + 4, false},
		{"a word", stack, stack + 8, false}, // where the frame pointer is
		{"a word", stack, stack + 16, false},
		{"a word", array, array, true},
		{"a word", array - 8, array, false}, // below the stack pointer
		{"a word", array, array + 8, false},
		{"x30", 0, stack, true}, // as the assembler does before it lowers the stack pointer
		{"x29", 0, stack + 8, true},
		{"x29", 0, stack, false},
	} {
		err := try(c.lowered, func(x *path) { x.Store(&x.m, e.lowered(c.below), []*term.Term{of[c.what]()}) })
		if (err == nil) != c.permitted {
			t.Errorf("a store of %s %d bytes below SP, which is lowered by %d: %v", c.what, c.below, c.lowered, err)
		}
	}
	for lowered, permitted := range map[uint64]bool{stack: true, array + 8: true, array - 8: false} {
		err := try(stack, func(x *path) {
			x.Store(&x.m, e.lowered(array+8), []*term.Term{of["a word"]()})
			x.m.SP = e.lowered(lowered)
			x.Load(&x.m, e.lowered(array+8), 1, 64)
		})
		if (err == nil) != permitted {
			t.Errorf("a load of a saved word where SP is lowered by %d: %v", lowered, err)
		}
	}
	// An index that is not known does not matter: the array must be in the frame.
	for lowered, permitted := range map[uint64]bool{stack: true, array - 8: false} {
		err := try(lowered, func(x *path) {
			at := e.pool.Add(e.lowered(array), e.pool.Shl(e.pool.Var("index", 64), e.pool.Value(64, 3)))
			x.Store(&x.m, at, []*term.Term{of["a word"]()})
		})
		if (err == nil) != permitted {
			t.Errorf("a store in the array where SP is lowered by %d: %v", lowered, err)
		}
	}
	for at, permitted := range map[uint64]bool{array: true, 56: true, 52: false, stack: false, 24: false} {
		e.sec.locals["array"] = at
		if _, err := e.begin(); (err == nil) != permitted {
			t.Errorf("an array %d bytes below SP: %v", at, err)
		}
	}
}
