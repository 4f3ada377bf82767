package simulate

import (
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/solve"
)

// TestCovers asserts that a function with a wrong result is proved if the assumptions of its twin contradict one
// another, and that the covers of this proof show it: no path is possible.
func TestCovers(t *testing.T) {
	for _, s := range solve.Solvers {
		longtest.Program(t, s[0])
	}
	var session solve.Session
	defer session.Close()
	for _, c := range []struct {
		assumed          string
		result           uint64
		proved, possible bool
	}{
		{"\tassume less(0, k)\n", 0, true, true},
		{"\tassume less(0, k)\n", 1, false, true},
		{"\tassume less(0, k)\n\tassume less(k, 1)\n", 1, true, false},
	} {
		all, err := parseTwins("twin Zero(k int) int\n" + c.assumed + "\treturn 0\n")
		if err != nil {
			t.Fatal(err)
		}
		twins["Zero"] = all["Zero"]
		defer delete(twins, "Zero")
		result := decode.Operand{Kind: decode.Memory, Width: 64, Reg: 4, Base: true, Value: 16}
		code := []decode.Instruction{
			{Bytes: make([]byte, 9), Name: "mov", Args: []decode.Operand{result, {Kind: decode.Immediate, Value: c.result}}},
			{Address: 9, Bytes: make([]byte, 1), Name: "ret"},
		}
		const source = "// func Zero(k int) int\nTEXT ·Zero(SB), NOSPLIT, $0-16\n"
		p, err := execute("Zero", source, section{twin: "Zero"}, code, Link{})
		if err != nil {
			t.Fatal(err)
		}
		if err := solve.All(p.Scripts()); (err == nil) != c.proved {
			t.Errorf("%q with the result %d: %v", c.assumed, c.result, err)
		}
		if len(p.Covers) != 2 {
			t.Fatalf("%d covers", len(p.Covers))
		}
		for _, v := range p.Covers {
			is, err := session.Possible(len(v.Paths), func(i int) string { return v.Paths[i].Script() })
			if err != nil || is != c.possible {
				t.Errorf("%q: %s: %v, %v", c.assumed, v.What, is, err)
			}
		}
	}
}

// TestNameless asserts that a function is not proved if it jumps to an address where no function begins, and its twin
// returns.
func TestNameless(t *testing.T) {
	for _, s := range solve.Solvers {
		longtest.Program(t, s[0])
	}
	all, err := parseTwins("twin Zero(k int)\n\treturn\n")
	if err != nil {
		t.Fatal(err)
	}
	twins["Zero"] = all["Zero"]
	defer delete(twins, "Zero")
	code := []decode.Instruction{{Bytes: make([]byte, 5), Name: "jmp", Args: []decode.Operand{{Kind: decode.Target, Value: 4096}}}}
	link := Link{Name: func(uint64) string { return "" }}
	p, err := execute("Zero", "// func Zero(k int)\nTEXT ·Zero(SB), NOSPLIT, $0-8\n", section{twin: "Zero"}, code, link)
	if err == nil {
		err = solve.All(p.Scripts())
	}
	if err == nil {
		t.Error("it is proved")
	}
}
