package decode

import (
	"slices"
	"testing"
)

// checked returns functions of three instructions with a check of the stack, for a small and for a large frame.
func checked(t *testing.T, large bool) []Instruction {
	t.Helper()
	texts := []string{"mov r14,QWORD PTR fs:0xfffffffffffffff8", "lea r12,[rsp-0x7a8]"}
	if large {
		texts = []string{texts[0], "mov r12,rsp", "sub r12,0x15c8", "jb 0x1009"}
	}
	texts = append(texts, "cmp r12,QWORD PTR [r14+0x10]", "jbe 0x1009", "nop", "nop", "ret")
	var out []Instruction
	for i, text := range append(texts, "call 0x2000", "jmp 0x1000") {
		in := Instruction{Address: 0x1000 + uint64(i), Bytes: []byte{0}, Text: text}
		if text == "call 0x2000" {
			in.Address = 0x1009
		}
		if err := in.Parse(); err != nil {
			t.Fatal(err)
		}
		out = append(out, in)
	}
	return out
}

// TestWithoutCheck asserts that the check of the stack is taken from a function, that a function without one stays as it
// is, and that no other instructions are taken for a check.
func TestWithoutCheck(t *testing.T) {
	name := func(address uint64) string { return map[uint64]string{0x2000: "runtime.morestack_noctxt"}[address] }
	for large, room := range map[bool]uint64{false: 0x7a8 + 128, true: 0x15c8 + 128} {
		code := checked(t, large)
		body, err := WithoutCheck(code, name)
		if err != nil || len(body) != 3 || body[0].Name != "nop" || body[0].Room != room || slices.ContainsFunc(code, func(in Instruction) bool { return in.Room != 0 }) {
			t.Fatalf("%v, %v", body, err)
		}
		if all, err := WithoutCheck(code[1:], name); err != nil || len(all) != len(code)-1 || all[0].Room != 0 {
			t.Fatalf("without a check: %v, %v", all, err)
		}
	}
	for what, fault := range map[string]func(code []Instruction){
		"another thread variable":     func(code []Instruction) { code[0].Args[1].Value -= 8 },
		"another register for it":     func(code []Instruction) { code[0].Args[0].Reg = 13 },
		"another instruction":         func(code []Instruction) { code[1].Name = "add" },
		"another register":            func(code []Instruction) { code[1].Args[0].Reg = 11 },
		"another stack":               func(code []Instruction) { code[1].Args[1].Reg = 5 },
		"a place above the frame":     func(code []Instruction) { code[1].Args[1].Value, code[2].Args[1].Value = 16, ^uint64(15) },
		"another end of the stack":    func(code []Instruction) { code[len(code)-7].Args[1].Value += 8 },
		"another comparison":          func(code []Instruction) { code[len(code)-7].Args[0].Reg = 11 },
		"another condition":           func(code []Instruction) { code[len(code)-6].Name = "jb" },
		"a jump past the call":        func(code []Instruction) { code[len(code)-6].Args[0].Value++ },
		"a call of another function":  func(code []Instruction) { code[len(code)-2].Args[0].Value++ },
		"another place to begin anew": func(code []Instruction) { code[len(code)-1].Args[0].Value++ },
		"no second start":             func(code []Instruction) { code[len(code)-1].Name, code[len(code)-1].Args = "ret", nil },
	} {
		for _, large := range []bool{false, true} {
			code := checked(t, large)
			for i := range code {
				code[i].Args = slices.Clone(code[i].Args)
			}
			fault(code)
			if body, err := WithoutCheck(code, name); err == nil {
				t.Errorf("%s, large %v: it is taken for a check: %v", what, large, body)
			}
		}
	}
	small, large := checked(t, false), checked(t, true)
	small[1].Args = slices.Clone(small[1].Args)
	small[1].Args[1].Value -= 0x1000
	large[3].Name = "jae"
	for _, code := range [][]Instruction{small, large} {
		if body, err := WithoutCheck(code, name); err == nil {
			t.Errorf("an overflow that is not handled: %v", body)
		}
	}
}
