package symbolic

import (
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
)

// TestFrameless asserts that functions with a frame are refused, by Execute and by ExecuteBlock.
func TestFrameless(t *testing.T) {
	register := func(n int) decode.Operand { return decode.Operand{Kind: decode.Register, Width: 64, Reg: n} }
	eight := decode.Operand{Kind: decode.Immediate, Value: 8}
	ret := decode.Instruction{Name: "ret"}
	for _, c := range []struct {
		refused string
		code    []decode.Instruction
	}{
		{"a check of the stack", []decode.Instruction{{Name: "nop", Room: 136}, ret}},
		{"the stack pointer is changed", []decode.Instruction{{Name: "sub", Args: []decode.Operand{register(4), eight}}, ret}},
		{"the stack pointer is changed", []decode.Instruction{{Name: "mov", Args: []decode.Operand{register(4), register(0)}}, ret}},
		{"the stack pointer is changed", []decode.Instruction{{Name: "push", Args: []decode.Operand{register(2)}}, ret}},
		{"the stack pointer is changed", []decode.Instruction{{Name: "pop", Args: []decode.Operand{register(2)}}, ret}},
		{"", []decode.Instruction{{Name: "sub", Args: []decode.Operand{register(0), register(4)}}, ret}},
	} {
		if err := frameless(c.code); (err == nil) != (c.refused == "") {
			t.Errorf("%s: %v", c.code[0].Name, err)
		}
		if c.refused == "" {
			continue
		}
		_, loops := Execute(Twin{}, Invariants{}, c.code, nil)
		_, block := ExecuteBlock("BlockAdd8x64OneAVX2", c.code, nil)
		for _, err := range []error{loops, block} {
			if err == nil || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%s: %v, want %q", c.code[0].Name, err, c.refused)
			}
		}
	}
}
