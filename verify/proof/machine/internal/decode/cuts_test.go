package decode

import (
	"slices"
	"testing"
)

// instructions returns one instruction of one byte for each text.
func instructions(t *testing.T, texts ...string) (out []Instruction) {
	t.Helper()
	for i, text := range texts {
		in := Instruction{Address: uint64(0x100 + i), Bytes: []byte{0}, Text: text}
		if err := in.Parse(); err != nil {
			t.Fatal(err)
		}
		out = append(out, in)
	}
	return out
}

// TestCuts asserts that the loops of the original are found in a mutant that has another
// length, and has lost a jump back, and that a loop that the original has not is an error.
func TestCuts(t *testing.T) {
	original := instructions(t, "xor eax,eax", "add rax,rcx", "dec rcx", "jne 101", "inc rax", "dec rdx", "jne 104", "ret")
	for _, c := range []struct {
		name   string
		mutant []Instruction
		want   []uint64
	}{
		{"the same", original, []uint64{0x101, 0x104}},
		{"one deleted before", instructions(t, "add rax,rcx", "dec rcx", "jne 100", "inc rax", "dec rdx", "jne 103", "ret"), []uint64{0x100, 0x103}},
		{"a jump back deleted", instructions(t, "xor eax,eax", "add rax,rcx", "dec rcx", "inc rax", "dec rdx", "jne 103", "ret"), []uint64{0x101, 0x103}},
		{"the head deleted", instructions(t, "xor eax,eax", "dec rcx", "jne 101", "inc rax", "dec rdx", "jne 103", "ret"), []uint64{0x101, 0x103}},
		{"one more", instructions(t, "xor eax,eax", "add rax,rcx", "nop", "dec rcx", "jne 101", "inc rax", "dec rdx", "jne 105", "ret"), []uint64{0x101, 0x105}},
	} {
		code, err := Cuts(original, c.mutant, []int{1, 4})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got, err := Heads(code, []uint64{c.want[0]}); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: got %#x, %v, want %#x", c.name, got, err, c.want)
		}
		if _, err := Heads(code, []uint64{0x102}); err == nil {
			t.Errorf("%s: a loop from the third instruction is accepted", c.name)
		}
	}
	if got, err := Heads(original, []uint64{0x104, 0x101}); err != nil || !slices.Equal(got, []uint64{0x101, 0x104}) {
		t.Errorf("without cuts: got %#x, %v", got, err)
	}
}

// TestMany asserts that the lines of decoders go to the spans that they are about, and that
// padding is left out.
func TestMany(t *testing.T) {
	lines := []string{" 100: 90 nop", " 101: cc int3", " 102: 90 nop", " 103: 90 nop", " 104: cc int3"}
	first, rest := within(lines, Span{0x100, 1})
	second, rest := within(rest, Span{0x102, 2})
	if len(first) != 1 || !slices.Equal(second, lines[2:4]) || len(rest) != 1 {
		t.Errorf("got %q, %q, %q", first, second, rest)
	}
	if in, err := parse(second, 0x102, 2, "test"); err != nil || len(in) != 2 || in[1].Address != 0x103 {
		t.Errorf("got %v, %v", in, err)
	}
	for _, s := range []Span{{0x102, 3}, {0x101, 3}} {
		if _, err := parse(second, s.From, s.N, "test"); err == nil {
			t.Errorf("%v: a gap is accepted", s)
		}
	}
}
