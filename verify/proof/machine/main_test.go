package main

import (
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
)

// TestMutantsRejected asserts that CountPopcnt is proved, and not with one instruction
// changed.
func TestMutantsRejected(t *testing.T) {
	longtest.Only(t, "it runs solvers for seconds to minutes")
	for _, name := range []string{"objdump", "llvm-objdump", "z3", "cvc5"} {
		longtest.Program(t, name)
	}
	f, err := linked()
	if err != nil {
		t.Fatal(err)
	}
	c, err := f.Function("CountPopcnt")
	if err != nil {
		t.Fatal(err)
	}
	code, err := decode.Both(f.Path, c.Address, len(c.Bytes))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := prove(root, c.Name, code, f.ReadOnly); err != nil {
		t.Fatal(err)
	}
	for i, in := range code {
		changed := slices.Clone(code)
		m := &changed[i]
		m.Args = slices.Clone(in.Args)
		switch {
		case in.Name == "nop" || in.Name == "ret" || in.Name == "jmp":
			continue
		// Not jle and jg: they move 4 words into the loop of single words, which is proved.
		case in.Name == "jl":
			m.Name = "jge"
		case in.Name == "jge":
			m.Name = "jl"
		case len(in.Args) == 2 && in.Args[1].Kind == decode.Memory:
			m.Args[1].Value += 8 // one word too far
		case len(in.Args) == 2 && in.Args[1].Kind == decode.Immediate:
			m.Args[1].Value++
		default:
			m.Name, m.Args = "nop", nil
		}
		_, err := prove(root, c.Name, changed, f.ReadOnly)
		t.Logf("%s -> %s: %v", in.Text, m.Name, err)
		if err == nil {
			t.Errorf("%s: still proved", in.Text)
		}
	}
}

// TestSufficient asserts that a feature that is not in the Requires line is an error.
func TestSufficient(t *testing.T) {
	for source, want := range map[string]bool{
		"// Requires  avx2, popcnt.\n": true, "// Requires  avx2.\n": false, "// Requires  popcnt.\n": false, "": false,
	} {
		if got := sufficient(source, []string{"avx", "popcnt"}) == nil; got != want {
			t.Errorf("%q: %v", source, got)
		}
	}
}
