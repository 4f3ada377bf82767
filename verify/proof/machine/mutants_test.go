package main

import (
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/arm64"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/changed"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/follow"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/object"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/solve"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/symbolic"
)

// sameClaims asserts that a mutant has the same claims if the paths that are the original's are left out, and if they are
// not. It returns how many of its beginnings are left out.
func sameClaims(t *testing.T, what string, o original, some, whole claims, err, wholeErr error) (left int) {
	t.Helper()
	if (err == nil) != (wholeErr == nil) {
		t.Errorf("%s: with the changed paths only: %v, with all: %v", what, err, wholeErr)
	}
	if err != nil || wholeErr != nil {
		return 0
	}
	_, got := o.all(some)
	_, want := o.all(whole)
	if solve.Hash(got) != solve.Hash(want) {
		t.Errorf("%s: with the changed paths only there are other claims", what)
	}
	for _, b := range some.beginnings {
		if b.Same {
			left++
		}
	}
	if slices.ContainsFunc(whole.beginnings, func(b changed.Beginning) bool { return b.Same }) {
		t.Errorf("%s: a path is left out although all instructions are changed", what)
	}
	return left
}

// TestChangedPaths changes each instruction of some kernels in two ways, and asserts that the claims about the changed
// paths and those of the original are the claims about all paths of the mutant.
func TestChangedPaths(t *testing.T) {
	longtest.Only(t, "it executes some hundreds of mutants symbolically: 10 seconds")
	for _, name := range []string{"objdump", "llvm-objdump"} {
		longtest.Program(t, name)
	}
	f, err := linked()
	if err != nil {
		t.Fatal(err)
	}
	none := func(symbolic.Proof) error { return nil }
	left := 0
	for _, name := range []string{"CountPopcnt", "ContainsPopcnt", "AddPairAtPopcnt"} {
		c, err := f.Function(name)
		if err != nil {
			t.Fatal(err)
		}
		code, err := decode.Both(f.Path, c.Address, len(c.Bytes))
		if err != nil {
			t.Fatal(err)
		}
		a := amd64{root: root, name: name, reader: reader[decode.Instruction]{f: f}, code: code}
		a.heads = a.loops()
		unchanged, err := a.claims(none, code)
		if err != nil {
			t.Fatal(err)
		}
		o := originalOf(name, unchanged, nil)
		for i := 1; i < len(code); i++ {
			deleted := slices.Clone(code)
			deleted[i-1].Bytes = slices.Concat(code[i-1].Bytes, code[i].Bytes)
			deleted = slices.Delete(deleted, i, i+1)
			other := slices.Clone(code)
			other[i].Name = map[string]string{"add": "sub", "jl": "jge", "jge": "jg", "je": "jne", "jne": "je", "jmp": "je"}[code[i].Name]
			if other[i].Name == "" {
				other[i].Name, other[i].Args = "nop", nil
			}
			for _, m := range [][]decode.Instruction{deleted, other} {
				m, err := decode.Cuts(code, m, a.heads)
				if err != nil {
					t.Fatal(err)
				}
				some, err := a.claims(none, m)
				for k := range m {
					m[k].Changed = true
				}
				whole, wholeErr := a.claims(none, m)
				left += sameClaims(t, name+": "+code[i].Text, o, some, whole, err, wholeErr)
			}
		}
	}
	if left < 50 {
		t.Errorf("only %d beginnings are left out", left)
	}
}

// TestChangedPathsARM64 is TestChangedPaths for arm64.
func TestChangedPathsARM64(t *testing.T) {
	longtest.Only(t, "it links a program for arm64, for which an empty cache has to compile the standard library: 20 seconds")
	longtest.Program(t, arm64.Objdump[0])
	longtest.Program(t, "llvm-objdump")
	f, err := object.Link(root, t.TempDir(), "arm64")
	if err != nil {
		t.Fatal(err)
	}
	left := 0
	for _, name := range []string{"AddNEON", "ContainsPairRingNEON"} {
		c, err := f.Function(name)
		if err != nil {
			t.Fatal(err)
		}
		code, err := arm64.Both(f.Path, c.Address, len(c.Bytes))
		if err != nil {
			t.Fatal(err)
		}
		link := follow.Link{Data: f.ReadOnly, Name: f.Name}
		p, err := claimsARM64(root, name, code, link)
		if err != nil {
			t.Fatal(err)
		}
		heads, o := headsOf(p, code), originalOf(name, claimsOf(p), nil)
		for i, in := range code {
			m := slices.Clone(code)
			if m[i].Name = map[string]string{"add": "sub", "b.lt": "b.ge", "b.ne": "b.eq", "cbz": "cbnz"}[in.Name]; m[i].Name == "" {
				continue
			}
			if m, err = arm64.Cuts(code, m, heads); err != nil {
				t.Fatal(err)
			}
			some, err := claimsARM64(root, name, m, link)
			for k := range m {
				m[k].Changed = true
			}
			whole, wholeErr := claimsARM64(root, name, m, link)
			left += sameClaims(t, name+": "+in.Text, o, claimsOf(some), claimsOf(whole), err, wholeErr)
		}
	}
	if left < 20 {
		t.Errorf("only %d beginnings are left out", left)
	}
}
