package decode

import (
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/object"
)

// TestDecodersAgree asserts that both decoders say the same of every function in assembly.
func TestDecodersAgree(t *testing.T) {
	longtest.Only(t, "it links a program and runs two decoders for each function")
	longtest.Program(t, "objdump")
	longtest.Program(t, "llvm-objdump")
	f, err := object.Link("../../../../..", t.TempDir(), "amd64")
	if err != nil {
		t.Fatal(err)
	}
	forms := map[string]int{}
	for _, name := range f.Functions() {
		c, err := f.Function(name)
		if err != nil {
			t.Fatal(err)
		}
		all, err := Both(f.Of(name).Path, c.Address, len(c.Bytes))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(all) == 0 {
			t.Errorf("%s: no instruction", name)
		}
		for _, in := range all {
			forms[in.Form()]++
		}
	}
	t.Log(len(forms), forms)
}

// TestPlaces asserts which operands in memory are read, and that an address of 32 bits is refused: the decoders show the
// prefix 67H by nothing else than the names of registers.
func TestPlaces(t *testing.T) {
	for text, want := range map[string]string{
		"mov    rdx,QWORD PTR [rbx]":         "mov r64,m64",
		"mov    rdx,QWORD PTR [rsi+r12*8]":   "mov r64,m64",
		"mov    rdx,QWORD PTR [ebx]":         "",
		"mov    QWORD PTR [esi+r12d*8],rdx":  "",
		"mov    QWORD PTR [rsi+r12d*8],rdx":  "",
		"lea    r11,[ebx+r10d*8]":            "",
		"mov    rdx,QWORD PTR gs:[rbx]":      "",
		"mov    rdx,QWORD PTR fs:[rbx]":      "mov r64,m64{fs}",
		"vmovdqu ymm1,YMMWORD PTR [eax+0x8]": "",
	} {
		in := Instruction{Bytes: make([]byte, 4), Text: text}
		if err := in.Parse(); (err == nil) != (want != "") || err == nil && in.Form() != want {
			t.Errorf("%s: %s, %v, want %q", text, in.Form(), err, want)
		}
	}
}
