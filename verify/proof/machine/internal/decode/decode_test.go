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
