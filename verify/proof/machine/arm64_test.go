package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/arm64"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/follow"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/object"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/solve"
)

// TestSemanticsARM64 asserts that the record has every form of the table, and repeats part of
// the comparison where programs for arm64 run.
func TestSemanticsARM64(t *testing.T) {
	text, err := os.ReadFile("silicon_arm64.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := arm64.ParseRecord(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if arm64.Format(rows) != string(text) {
		t.Error("the record is not written as it is read")
	}
	n := longtest.Of(3, 20, 1000)
	recorded := map[string]bool{}
	for i, r := range rows {
		form := r.In.Form()
		recorded[form] = recorded[form] || r.States >= states
		if _, ok := arm64.Lookup(form); !ok && !arm64.IsBranch(r.In) {
			t.Errorf("%s is in the record and has no semantics", form)
			continue
		}
		if !arm64.Runs {
			continue
		}
		if err := arm64.Compare(r.In, n, uint64(1000+i)); err != nil {
			t.Errorf("%s: %v", form, err)
		}
	}
	for _, form := range arm64.Forms() {
		if !recorded[form] {
			t.Errorf("nothing has confirmed %s: go run ./verify/proof/machine -validate -arch arm64", form)
		}
	}
}

// TestReportIsOfTheseBytesARM64 asserts that the report has every function in assembly for arm64
// with the bytes that are linked now.
func TestReportIsOfTheseBytesARM64(t *testing.T) {
	longtest.Only(t, "it links a program for arm64, for which an empty cache has to compile the standard library: 20 seconds")
	text, err := os.ReadFile("report.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := parseReport(string(text))
	if err != nil {
		t.Fatal(err)
	}
	rows = of(rows, "arm64")
	f, err := object.Link(root, t.TempDir(), "arm64")
	if err != nil {
		t.Fatal(err)
	}
	names := f.Functions()
	for _, r := range rows {
		if !slices.Contains(names, r.name) {
			t.Errorf("%s is in the report and not in the program", r.name)
		}
	}
	for _, n := range names {
		i := slices.IndexFunc(rows, func(r result) bool { return r.name == n })
		if i < 0 {
			t.Errorf("%s is not in the report", n)
			continue
		}
		c, err := f.Function(n)
		if err != nil {
			t.Fatal(err)
		}
		of := func(data func(uint64, int) ([]byte, error)) string {
			h, err := hashARM64(c, rows[i].distances, data)
			if err != nil {
				t.Fatal(err)
			}
			return h
		}
		for _, d := range rows[i].distances {
			if !isCall(c.Bytes[d.at:]) {
				continue
			}
			if to := f.Name(calledARM64(c, d)); to != d.to {
				t.Errorf("%s at byte %d calls %s, and was examined with %s", n, d.at, to, d.to)
			}
		}
		if of(f.ReadOnly) != rows[i].hash {
			t.Errorf("%s has changed since it was examined: go run ./verify/proof/machine -arch arm64 -changed -write", n)
		}
		if strings.HasPrefix(rows[i].verdict, proved) && slices.ContainsFunc(rows[i].distances, func(d distance) bool { return d.bytes > 0 }) {
			other := func(address uint64, n int) ([]byte, error) {
				b, err := f.ReadOnly(address, n)
				return append(b[:n-1:n-1], b[n-1]^1), err
			}
			if of(other) == rows[i].hash {
				t.Errorf("%s: a changed constant has the hash", n)
			}
		}
		c.Bytes[0] ^= 1
		if of(f.ReadOnly) == rows[i].hash {
			t.Errorf("%s: a changed byte has the hash", n)
		}
	}
}

// TestCoversARM64 asserts that no proof is about paths that cannot be: some path from the entry and from each loop head with
// each of its cases, and some path to the return and to each loop head.
func TestCoversARM64(t *testing.T) {
	longtest.Only(t, "a solver runs")
	for _, name := range []string{arm64.Objdump[0], "llvm-objdump", "z3"} {
		longtest.Program(t, name)
	}
	f, err := object.Link(root, t.TempDir(), "arm64")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range f.Functions() {
		c, err := f.Function(name)
		if err != nil {
			t.Fatal(err)
		}
		code, err := arm64.Both(f.Path, c.Address, len(c.Bytes))
		if err != nil {
			t.Fatal(err)
		}
		p, err := claimsARM64(root, name, code, follow.Link{Data: f.ReadOnly, Name: f.Name})
		if errors.Is(err, errNotBegun) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := covered(coversOf(p)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNoCoversARM64 asserts that a proof is refused whose twin has assumptions that contradict one another.
func TestNoCoversARM64(t *testing.T) {
	longtest.Only(t, "a solver runs")
	for _, name := range []string{arm64.Objdump[0], "llvm-objdump", "z3"} {
		longtest.Program(t, name)
	}
	f, err := object.Link(root, t.TempDir(), "arm64")
	if err != nil {
		t.Fatal(err)
	}
	const name = "ContainsAtNEON"
	c, err := f.Function(name)
	if err != nil {
		t.Fatal(err)
	}
	code, err := arm64.Both(f.Path, c.Address, len(c.Bytes))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "kernel/asm/probe_neon_arm64.inv"))
	if err != nil {
		t.Fatal(err)
	}
	inv, err := follow.ParseInvariants(string(text))
	if err != nil {
		t.Fatal(err)
	}
	twin, err := follow.TwinOf(name)
	if err != nil {
		t.Fatal(err)
	}
	define := twin.Define
	for _, possible := range []bool{true, false} {
		twin.Define = func(r *follow.Run) {
			if define != nil {
				define(r)
			}
			if k := r.Get("k"); !possible {
				r.Assume(r.Ult(k, r.N(5)))
				r.Assume(r.Ult(r.N(7), k))
			}
		}
		p, err := follow.Execute(name, twin, inv, code, follow.Link{Data: f.ReadOnly, Name: f.Name})
		if err != nil {
			t.Fatal(err)
		}
		if err := covered(coversOf(p)); (err == nil) != possible {
			t.Errorf("assumptions that can hold: %v: %v", possible, err)
		}
	}
}

// TestMutantsRejectedARM64 asserts of two functions that z3 alone proves them, and does
// not with one instruction left out or with another number in it.
func TestMutantsRejectedARM64(t *testing.T) {
	longtest.Only(t, "it runs solvers for seconds to minutes")
	for _, name := range []string{arm64.Objdump[0], "llvm-objdump", "z3", "cvc5"} {
		longtest.Program(t, name)
	}
	f, err := object.Link(root, t.TempDir(), "arm64")
	if err != nil {
		t.Fatal(err)
	}
	both := solve.Solvers
	defer func() { solve.Solvers = both }()
	solve.Solvers = both[:1]
	for _, name := range []string{"AddAtNEON", "BlockAdd512OneNEON"} {
		c, err := f.Function(name)
		if err != nil {
			t.Fatal(err)
		}
		code, err := arm64.Both(f.Path, c.Address, len(c.Bytes))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := proveARM64(root, name, code, follow.Link{Data: f.ReadOnly, Name: f.Name}); errors.Is(err, errNotBegun) {
			t.Logf("%s: %v", name, err)
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		for i, in := range code {
			if in.Name == "nop" || in.Name == "ret" || in.Name == "udf" || in.Name == "prfm" {
				continue
			}
			changed := slices.Clone(code)
			m := &changed[i]
			m.Args = slices.Clone(in.Args)
			last := len(in.Args) - 1
			switch kind := in.Args[last].Kind; {
			case arm64.IsBranch(in): // to the next instruction, as if it were not there
				m.Args[last].Value = in.Next()
			case kind == arm64.Memory && !in.Args[last].Indexed:
				m.Args[last].Value += 8 // one word too far
			case kind == arm64.Immediate && in.Name != "movi":
				m.Args[last].Value++
			default:
				m.Name, m.Args = "nop", nil
			}
			_, err := proveARM64(root, name, changed, follow.Link{Data: f.ReadOnly, Name: f.Name})
			t.Logf("%s: %s -> %s: %v", name, in.Plain(), m.Form(), err)
			if err == nil {
				t.Errorf("%s: %#x: %s: still proved", name, in.Address, in.Text)
			}
		}
	}
}

// TestFaultsRejectedARM64 asserts that z3 alone proves look-ups in blocks of 512 bits, the family Transition and the rings. It also
// asserts that z3 finds values for which a claim about them is false if there is a fault in the code or in the invariants.
func TestFaultsRejectedARM64(t *testing.T) {
	longtest.Only(t, "it runs solvers for seconds to minutes")
	for _, name := range []string{arm64.Objdump[0], "llvm-objdump", "z3", "cvc5"} {
		longtest.Program(t, name)
	}
	f, err := object.Link(root, t.TempDir(), "arm64")
	if err != nil {
		t.Fatal(err)
	}
	both := solve.Solvers
	defer func() { solve.Solvers = both }()
	solve.Solvers = both[:1]
	var session solve.Session
	defer session.Close()
	codes := map[string][]arm64.Instruction{}
	now := t // the test of the present fault
	// try sends the claims to the given function, solve.All or session.Refute, which does not ask again what All has.
	try := func(name, text string, code []arm64.Instruction, ask func(names, scripts []string) error) error {
		twin, err := follow.TwinOf(name)
		if err != nil {
			now.Fatal(err)
		}
		inv, err := follow.ParseInvariants(text)
		if err != nil {
			now.Fatal(err)
		}
		p, err := follow.Execute(name, twin, inv, code, follow.Link{Data: f.ReadOnly, Name: f.Name})
		if err != nil {
			return err
		}
		return ask(asked(p))
	}
	// of returns the first instruction with the given name for which the function is, if there is one, returns true.
	of := func(code []arm64.Instruction, name string, is func(in arm64.Instruction) bool) *arm64.Instruction {
		for i, in := range code {
			if in.Name == name && (is == nil || is(in)) {
				code[i].Args = slices.Clone(in.Args)
				return &code[i]
			}
		}
		now.Fatalf("no instruction %s", name)
		return nil
	}
	to := func(n int) func(in arm64.Instruction) bool {
		return func(in arm64.Instruction) bool { return in.Args[0].Reg == n }
	}
	part := func(in arm64.Instruction) bool { return in.Args[1].Reg == 28 || in.Args[2].Reg == 28 }
	nop := func(in *arm64.Instruction) { in.Name, in.Args = "nop", nil }
	// replace changes a text after the line that begins the section of a function.
	replace := func(text *string, name, old, new string) {
		i := strings.Index(*text, "\nof "+name+"\n")
		if i < 0 || !strings.Contains((*text)[i:], old) {
			now.Fatalf("no %q of %s", old, name)
		}
		*text = (*text)[:i] + strings.Replace((*text)[i:], old, new, 1)
	}
	// text returns a condition for an instruction: the decoder's text of it.
	text := func(s string) func(in arm64.Instruction) bool {
		return func(in arm64.Instruction) bool { return in.Plain() == s }
	}
	const one, many, move = "BlockContains512OneNEON", "BlockContains512NEON", "TransitionStepNEON"
	const rows, sums = "TransitionRowsNEON", "TransitionSumsNEON"
	const ring, pair = "ContainsRingNEON", "ContainsPairRingNEON"
	for _, c := range []struct {
		name, fault string
		make        func(inv *string, code []arm64.Instruction)
	}{
		{one, "none", func(*string, []arm64.Instruction) {}},
		{one, "the number of a byte shifted by one bit too many", func(_ *string, code []arm64.Instruction) { of(code, "sri", nil).Args[2].Value++ }},
		{one, "positions of the last word that the key does not have", func(_ *string, code []arm64.Instruction) { nop(of(code, "orr", part)) }},
		{one, "eight positions of a word", func(_ *string, code []arm64.Instruction) { of(code, "cmp", nil).Args[1].Value++ }},
		{one, "the bits of the words before forgotten", func(_ *string, code []arm64.Instruction) { nop(of(code, "and", to(3))) }},
		{one, "two positions exchanged in an invariant", func(inv *string, _ []arm64.Instruction) {
			replace(inv, one, "tops v3 a0 a1 a2", "tops v3 a0 a2 a1")
		}},
		{many, "none", func(*string, []arm64.Instruction) {}},
		{many, "the number of a bit of the wrong sign", func(_ *string, code []arm64.Instruction) { nop(of(code, "bic", nil)) }},
		{many, "the bits of the words before forgotten", func(_ *string, code []arm64.Instruction) { nop(of(code, "and", to(3))) }},
		{many, "a key not counted", func(_ *string, code []arm64.Instruction) {
			nop(of(code, "add", to(7)))
		}},
		{many, "a word of the stream too few", func(_ *string, code []arm64.Instruction) {
			of(code, "subs", to(11)).Args[2].Value++
		}},
		{many, "a table of one row too few", func(inv *string, _ []arm64.Instruction) { replace(inv, many, "table 1 7", "table 1 6") }},
		{move, "none", func(*string, []arm64.Instruction) {}},
		{move, "a store of a word too far", func(_ *string, code []arm64.Instruction) { of(code, "st1", nil).Args[1].Value += 8 }},
		{move, "the second product left out", func(_ *string, code []arm64.Instruction) { nop(of(code, "fadd", to(1))) }},
		{move, "the second lane of the state of the first", func(_ *string, code []arm64.Instruction) { nop(of(code, "ins", nil)) }},
		{move, "the lowest state forgotten", func(_ *string, code []arm64.Instruction) { nop(of(code, "stur", nil)) }},
		{move, "a wrong lane of an invariant", func(inv *string, _ []arm64.Instruction) {
			replace(inv, move, "v16_1 = t1", "v16_1 = t0")
		}},
		{rows, "none", func(*string, []arm64.Instruction) {}},
		{rows, "one position too many", func(_ *string, code []arm64.Instruction) { of(code, "cmp", nil).Args[1].Value++ }},
		{rows, "a store of a word too far", func(_ *string, code []arm64.Instruction) {
			of(code, "st1", text("st1 {v18.2d}, [x1]")).Args[1].Value += 8
		}},
		{rows, "the polynomial of degree 1 not grown", func(_ *string, code []arm64.Instruction) { nop(of(code, "fadd", to(1))) }},
		{rows, "the clear bits of the first turn in the next", func(_ *string, code []arm64.Instruction) {
			nop(of(code, "fsub", text("fsub v23.2d, v23.2d, v21.2d")))
		}},
		{rows, "the distance of rows lost", func(_ *string, code []arm64.Instruction) { nop(of(code, "mov", text("mov x7, x3"))) }},
		{rows, "every second row copied", func(_ *string, code []arm64.Instruction) { of(code, "subs", to(4)).Args[2].Value++ }},
		{sums, "none", func(*string, []arm64.Instruction) {}},
		{sums, "lanes of a turn modulo 4", func(_ *string, code []arm64.Instruction) { of(code, "and", to(6)).Args[2].Value = 0x10 }},
		{sums, "the old sums not fetched", func(_ *string, code []arm64.Instruction) { nop(of(code, "str", text("str d19, [x7]"))) }},
		{sums, "the last sums at the distance of the others", func(_ *string, code []arm64.Instruction) {
			nop(of(code, "mov", func(in arm64.Instruction) bool { return in.Args[0].Reg == 3 && in.Args[1].Value == 16 }))
		}},
		{sums, "the weight of another state", func(_ *string, code []arm64.Instruction) {
			of(code, "ldr", text("ldr d18, [x5]")).Args[1].Value += 8
		}},
		{sums, "a weight in both lanes of an invariant", func(inv *string, _ []arm64.Instruction) {
			replace(inv, sums, "v18_1 = 0", "v18_1 = f0")
		}},
		{ring, "none", func(*string, []arm64.Instruction) {}},
		{ring, "the bits above the position's", func(_ *string, code []arm64.Instruction) {
			nop(of(code, "and", text("and x17, x17, #0x1")))
		}},
		{ring, "a key counted before its last position", func(_ *string, code []arm64.Instruction) { nop(of(code, "csel", to(19))) }},
		{ring, "one slot too many", func(_ *string, code []arm64.Instruction) {
			of(code, "mov", func(in arm64.Instruction) bool { return in.Args[0].Reg == 11 }).Args[1].Value++
		}},
		{ring, "the hash of another key", func(_ *string, code []arm64.Instruction) {
			of(code, "ldr", text("ldr x17, [x17, #8]")).Args[1].Value += 16
		}},
		{ring, "the number of the moved key lost", func(_ *string, code []arm64.Instruction) {
			nop(of(code, "ldp", text("ldp x14, x13, [x11, #16]")))
		}},
		{ring, "positions to come not counted", func(_ *string, code []arm64.Instruction) { nop(of(code, "sub", to(14))) }},
		{ring, "a stack too small for the frame", func(_ *string, code []arm64.Instruction) { of(code, "sub", to(17)).Args[2].Value -= 16 }},
		{ring, "no return address for the runtime", func(_ *string, code []arm64.Instruction) { nop(of(code, "mov", text("mov x3, x30"))) }},
		{ring, "a new key without its number of positions", func(_ *string, code []arm64.Instruction) {
			nop(&code[slices.IndexFunc(code, func(in arm64.Instruction) bool { return in.Name == "ldr" && in.Plain() == "ldr x15, [x17]" })-2])
		}},
		{ring, "a slot too many in an invariant", func(inv *string, _ []arm64.Instruction) {
			replace(inv, ring+" ContainsRingNTANEON", "holds s < used", "holds s <= used")
		}},
		{pair, "none", func(*string, []arm64.Instruction) {}},
		{pair, "array 0 alone", func(_ *string, code []arm64.Instruction) { nop(of(code, "bfi", nil)) }},
		{pair, "the positions before forgotten", func(_ *string, code []arm64.Instruction) { nop(of(code, "and", to(21))) }},
		{pair, "words of the next pair", func(_ *string, code []arm64.Instruction) { of(code, "ldp", to(17)).Args[2].Value += 16 }},
		{pair, "an answer of array 0 alone at the start", func(_ *string, code []arm64.Instruction) {
			of(code, "mov", to(21)).Args[1].Value = 1
		}},
		{pair, "a key given up when array 1 has it", func(_ *string, code []arm64.Instruction) {
			nop(of(code, "mov", text("mov x17, x21")))
		}},
	} {
		t.Run(c.name+" with "+c.fault, func(t *testing.T) {
			now = t
			if codes[c.name] == nil {
				kernel, err := f.Function(c.name)
				if err != nil {
					t.Fatal(err)
				}
				if codes[c.name], err = arm64.Both(f.Path, kernel.Address, len(kernel.Bytes)); err != nil {
					t.Fatal(err)
				}
			}
			stem := filesARM64[slices.IndexFunc(filesARM64, func(f file) bool { return f.names.MatchString(c.name) })].stem
			b, err := os.ReadFile(filepath.Join(root, "kernel/asm", stem+".inv"))
			if err != nil {
				t.Fatal(err)
			}
			text, code := string(b), slices.Clone(codes[c.name])
			c.make(&text, code)
			ask := session.Refute
			if c.fault == "none" {
				ask = solve.All
			}
			err = try(c.name, text, code, ask)
			t.Logf("%s with %s: %v", c.name, c.fault, err)
			switch {
			case c.fault == "none" && err != nil:
				t.Errorf("%s is not proved: %v", c.name, err)
			case c.fault != "none" && (err == nil || !strings.Contains(err.Error(), "z3 says sat")):
				t.Errorf("%s with %s is not refuted: %v", c.name, c.fault, err)
			}
		})
	}
}
