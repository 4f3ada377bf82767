package silicon

import (
	"encoding/hex"
	"testing"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
)

// TestCompareTells asserts that an instruction is what it is said to be, and that every other
// one is told apart from it.
func TestCompareTells(t *testing.T) {
	for _, group := range [][][2]string{
		{{"4801c8", "add rax,rcx"}, {"4829c8", "sub rax,rcx"}, {"4821c8", "and rax,rcx"}, {"4831c8", "xor rax,rcx"}, {"4839c8", "cmp rax,rcx"}, {"4885c8", "test rax,rcx"}},
		{{"48ffc0", "inc rax"}, {"48ffc8", "dec rax"}, {"48f7d0", "not rax"}, {"90", "nop"}},
		{{"48d3e0", "shl rax,cl"}, {"48c1e003", "shl rax,0x3"}, {"48c1e803", "shr rax,0x3"}},
		{{"488b4608", "mov rax,QWORD PTR [rsi+0x8]"}, {"488b4610", "mov rax,QWORD PTR [rsi+0x10]"}, {"48894608", "mov QWORD PTR [rsi+0x8],rax"}},
		{{"480fa3c8", "bt rax,rcx"}, {"480fabc8", "bts rax,rcx"}, {"4819c8", "sbb rax,rcx"}, {"480fafc1", "imul rax,rcx"}, {"48f7e1", "mul rcx"}},
		{{"0f94c0", "sete al"}, {"0f93c0", "setae al"}},
		{{"51", "push rcx"}, {"59", "pop rcx"}},
		{{"89c8", "mov eax,ecx"}, {"4889c8", "mov rax,rcx"}},
		{{"7210", "jb 0x12"}, {"7610", "jbe 0x12"}, {"7c10", "jl 0x12"}, {"7e10", "jle 0x12"}, {"eb10", "jmp 0x12"}},
	} {
		for _, bytes := range group {
			for _, text := range group {
				raw, err := hex.DecodeString(bytes[0])
				if err != nil {
					t.Fatal(err)
				}
				in := decode.Instruction{Bytes: raw, Text: text[1]}
				if err := in.Parse(); err != nil {
					t.Fatal(err)
				}
				if err := Compare(in, 200, 1); (err == nil) != (bytes == text) {
					t.Errorf("%s, said to be %s: %v", bytes[1], text[1], err)
				}
			}
		}
	}
}
