package arm64

import (
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestCompareTells asserts that an instruction is what it is said to be, and that every other
// one is told apart from it.
func TestCompareTells(t *testing.T) {
	if !Runs {
		t.Skip("it runs instructions for arm64")
	}
	type coded struct {
		word uint32
		text string
	}
	for _, group := range [][]coded{
		{{0x8b010000, "add x0, x0, x1"}, {0xcb010000, "sub x0, x0, x1"}, {0xeb010000, "subs x0, x0, x1"}, {0xeb01001f, "cmp x0, x1"}, {0xea01001f, "tst x0, x1"}, {0xab01001f, "cmn x0, x1"}},
		{{0x9b017c00, "mul x0, x0, x1"}, {0x9bc17c00, "umulh x0, x0, x1"}, {0x9b417c00, "smulh x0, x0, x1"}, {0x9ac10800, "udiv x0, x0, x1"}},
		{{0x9ac12000, "lsl x0, x0, x1"}, {0x9ac12400, "lsr x0, x0, x1"}, {0x9ac12800, "asr x0, x0, x1"}, {0x9ac12c00, "ror x0, x0, x1"}},
		{{0x8a010000, "and x0, x0, x1"}, {0x8a210000, "bic x0, x0, x1"}},
		{{0xf84104a8, "ldr x8, [x5], #16"}, {0xf84084a8, "ldr x8, [x5], #8"}, {0xf94000a8, "ldr x8, [x5]"}},
		{{0x4e218400, "add v0.16b, v0.16b, v1.16b"}, {0x4e211c00, "and v0.16b, v0.16b, v1.16b"}, {0x4e611c00, "bic v0.16b, v0.16b, v1.16b"}},
		{{0x54ffff61, "b.ne 10"}, {0x54ffff60, "b.eq 10"}, {0x54ffff6a, "b.ge 10"}, {0x54ffff6b, "b.lt 10"}, {0x54ffff6c, "b.gt 10"}, {0x54ffff68, "b.hi 10"}, {0x54ffff69, "b.ls 10"}},
	} {
		for _, is := range group {
			for _, said := range group {
				in := Instruction{Word: is.word, Text: said.text}
				if err := in.Parse(); err != nil {
					t.Fatal(err)
				}
				if err := Compare(in, longtest.Of(15, 100, 100), 1); (err == nil) != (is == said) {
					t.Errorf("%s, said to be %s: %v", is.text, said.text, err)
				}
			}
		}
	}
}
