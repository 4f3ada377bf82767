package decode

import (
	"fmt"
	"slices"
)

// A Go function whose frame is large begins with a check. The check compares the stack pointer with the end of the
// stack. If the stack is too short, the function calls the runtime, which moves the stack to a larger place, and then
// begins anew. The constant "small" is the number of bytes that every function may use below the end that the check
// knows. A frame of less than "page" bytes has a check that does not handle overflows.
const (
	small = 128  // StackSmall in package internal/abi of Go
	page  = 4096 // StackBig
)

// WithoutCheck returns the instructions of a function without the check of the stack. If the function has no check, it
// returns all instructions. In the result, the field Room of the first instruction is set. The check consists of four or
// six instructions at the beginning and two at the end. They must be exactly those that the Go assembler writes. They
// change no memory and no registers except R12, R14 and the flags. The argument "name" is a function that returns the
// name of the function at an address.
func WithoutCheck(code []Instruction, name func(uint64) string) ([]Instruction, error) {
	if len(code) < 9 || len(code[0].Args) < 2 || !code[0].Args[1].Thread {
		return code, nil
	}
	call, again := code[len(code)-2], code[len(code)-1]
	word := func(r int) Operand { return Operand{Kind: Register, Width: 64, Reg: r} }
	want := []Instruction{{Name: "mov", Args: []Operand{word(14), {Kind: Memory, Width: 64, Value: ^uint64(7), Thread: true}}}}
	var room uint64
	if low := code[1]; low.Name == "lea" && len(low.Args) == 2 {
		room = -low.Args[1].Value
		want = append(want, Instruction{Name: "lea", Args: []Operand{word(12), {Kind: Memory, Width: low.Args[1].Width, Reg: 4, Base: true, Value: -room}}})
		if room >= page-small {
			return nil, fmt.Errorf("%#x: %s: a large frame whose check does not handle overflows", low.Address, low.Text)
		}
	} else if low = code[2]; len(low.Args) == 2 {
		room = low.Args[1].Value
		want = append(want, Instruction{Name: "mov", Args: []Operand{word(12), word(4)}},
			Instruction{Name: "sub", Args: []Operand{word(12), {Kind: Immediate, Value: room}}},
			Instruction{Name: "jb", Args: []Operand{{Kind: Target, Value: call.Address}}})
	}
	want = append(want, Instruction{Name: "cmp", Args: []Operand{word(12), {Kind: Memory, Width: 64, Reg: 14, Base: true, Value: 16}}},
		Instruction{Name: "jbe", Args: []Operand{{Kind: Target, Value: call.Address}}})
	end := []Instruction{{Name: "call", Args: call.Args}, {Name: "jmp", Args: []Operand{{Kind: Target, Value: code[0].Address}}}}
	same := func(a, b Instruction) bool { return a.Name == b.Name && slices.Equal(a.Args, b.Args) }
	if !slices.EqualFunc(code[:len(want)], want, same) || !slices.EqualFunc([]Instruction{call, again}, end, same) ||
		int64(room) <= 0 || len(call.Args) != 1 || call.Args[0].Kind != Target || name(call.Args[0].Value) != "runtime.morestack_noctxt" {
		return nil, fmt.Errorf("%#x: the check of the stack is not the one that the assembler writes", code[0].Address)
	}
	out := slices.Clone(code[len(want) : len(code)-2])
	out[0].Room = room + small
	return out, nil
}
