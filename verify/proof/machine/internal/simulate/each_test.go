package simulate

import (
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/solve"
)

// TestEach asserts that a line "each" is proved for the words that a function stores, also if it computes their addresses
// from numbers that are larger by 2^61. The function returns 1. The twin returns whether word 1 was below 8 before the last
// store. So they agree if the function stores 7, and not if it stores 9 more than once.
func TestEach(t *testing.T) {
	for _, s := range solve.Solvers {
		longtest.Program(t, s[0])
	}
	for _, c := range []struct {
		number, stored string
		value          uint64
		proved         bool
	}{
		{"1", "7", 7, true}, {"1", "9", 9, false}, {"0x2000000000000001", "9", 9, false},
	} {
		all, err := parseTwins(`twin Celled(k, x int) int
	records ring 2 1
	assume k != 0 && x == ` + c.number + `
	ring[0] = 7
	ring[1] = 7
	j = k
loop:
	last = ring[1] < 8
	ring[1] = ` + c.stored + `
	j = j - 1
	if j != 0 goto loop
	return last
`)
		if err != nil {
			t.Fatal(err)
		}
		twins["Celled"] = all["Celled"]
		defer delete(twins, "Celled")
		inv, err := ParseInvariants(`func Celled
records 16
head loop at loop
rsp = SP - 16
rcx = j
rdx = x
each cell >= 2 || ring[cell] < 8
take 1
fact j != 0
fact x == ` + c.number + `
measure j
`)
		if err != nil {
			t.Fatal(err)
		}
		register := func(n int) decode.Operand { return decode.Operand{Kind: decode.Register, Width: 64, Reg: n} }
		number := func(v uint64) decode.Operand { return decode.Operand{Kind: decode.Immediate, Value: v} }
		at := func(d uint64) decode.Operand {
			return decode.Operand{Kind: decode.Memory, Width: 64, Reg: 4, Base: true, Value: d}
		}
		indexed := at(0)
		indexed.Index, indexed.Scale = 2, 8
		code := []decode.Instruction{
			{Name: "sub", Args: []decode.Operand{register(4), number(16)}},
			{Name: "mov", Args: []decode.Operand{at(0), number(7)}},
			{Name: "mov", Args: []decode.Operand{at(8), number(7)}},
			{Name: "mov", Args: []decode.Operand{register(1), at(24)}},
			{Name: "mov", Args: []decode.Operand{register(2), at(32)}},
			{Name: "mov", Args: []decode.Operand{indexed, number(c.value)}},
			{Name: "dec", Args: []decode.Operand{register(1)}},
			{Name: "jne", Args: []decode.Operand{{Kind: decode.Target, Value: 5}}},
			{Name: "add", Args: []decode.Operand{register(4), number(16)}},
			{Name: "mov", Args: []decode.Operand{at(24), number(1)}},
			{Name: "ret"},
		}
		for i := range code {
			code[i].Address, code[i].Bytes = uint64(i), make([]byte, 1)
		}
		p, err := Execute("Celled", "// func Celled(k, x int) int\nTEXT ·Celled(SB), NOSPLIT, $8-24\n", inv, code, nil)
		if err == nil {
			err = solve.All(p.Scripts())
		}
		if (err == nil) != c.proved {
			t.Errorf("word %s is %s: %v", c.number, c.stored, err)
		}
		t.Logf("word %s is %s: %v", c.number, c.stored, err)
	}
}
