package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/object"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/solve"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/symbolic"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// TestVectorMutants asserts that what is claimed of kernels on vectors is true of random values,
// and that with one of their instructions on vectors left out or reading a word too far, no
// claims can be made or one of them is false.
func TestVectorMutants(t *testing.T) {
	for _, name := range []string{"objdump", "llvm-objdump"} {
		longtest.Program(t, name)
	}
	f, err := linked()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		name, stem string
		step       int // one instruction in so many is changed
	}{
		{"AndCountAVX2", "popcount_avx2_amd64", 80},
		{"OrIntoAVX2", "popcount_avx2_amd64", 160},
		{"CountAVX512", "popcount_avx512_amd64", 20},
		{"AndNotIntoAVX512", "popcount_avx512_amd64", 40},
		{"HashWordsAVX2", "hash_avx2_amd64", 50},
		{"HashWordsAVX512", "hash_avx512_amd64", 60},
	} {
		vectorMutants(t, f, k.name, k.stem, longtest.More(3*k.step, k.step/2))
	}
}

// vectorMutants is TestVectorMutants of a kernel.
func vectorMutants(t *testing.T, f *object.File, name, stem string, step int) {
	c, err := f.Function(name)
	if err != nil {
		t.Fatal(err)
	}
	code, err := decode.Both(f.Path, c.Address, len(c.Bytes))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "kernel/asm", stem+".inv"))
	if err != nil {
		t.Fatal(err)
	}
	inv, err := symbolic.ParseInvariants(string(text))
	if err != nil {
		t.Fatal(err)
	}
	twin, err := symbolic.TwinOf(name)
	if err != nil {
		t.Fatal(err)
	}
	var hashes [2]string // what -changed relies on
	for i := range hashes {
		p, err := symbolic.Execute(twin, inv, code, f.ReadOnly)
		if err != nil {
			t.Fatal(err)
		}
		var scripts []string
		for _, o := range p.Obligations {
			scripts = append(scripts, o.Script())
		}
		hashes[i] = solve.Hash(scripts)
	}
	if hashes[0] != hashes[1] {
		t.Fatalf("%s: two executions claim different things", name)
	}
	r := rand.New(rand.NewPCG(21, 2))
	// refuted returns what is false of the claims, or why there are none.
	refuted := func(code []decode.Instruction, draws int) string {
		p, err := symbolic.Execute(twin, inv, code, f.ReadOnly)
		if err != nil {
			return err.Error()
		}
		claims := 0
		for _, o := range p.Obligations {
			if o.Claim.Is(1) {
				continue
			}
			claims++
			for range draws {
				leaf := draw(r, strings.HasPrefix(name, "HashWords"))
				given := true
				for _, g := range o.Given {
					given = given && term.Eval(g, leaf) == 1
				}
				if given && term.Eval(o.Claim, leaf) == 0 {
					return o.What
				}
			}
		}
		if claims < 10 {
			t.Fatalf("%d claims", claims)
		}
		return ""
	}
	if why := refuted(code, longtest.Of(3, 6, 20)); why != "" {
		t.Fatalf("%s: %s", name, why)
	}
	for i := r.IntN(step); i < len(code); i += step {
		in := code[i]
		vector := func(a decode.Operand) bool { return a.Kind == decode.Vector }
		if !slices.ContainsFunc(in.Args, vector) || in.Name == "vpsllq" && in.Args[2].Value == 0 { // which does nothing
			continue
		}
		changed := slices.Clone(code)
		m := &changed[i]
		last := len(in.Args) - 1
		if m.Args = slices.Clone(in.Args); m.Args[last].Kind == decode.Memory {
			m.Args[last].Value += 8
		} else {
			m.Name, m.Args = "nop", nil
		}
		why := refuted(changed, longtest.More(60, 200))
		t.Logf("%s: %s -> %s: %s", name, in.Text, m.Name, why)
		if why == "" {
			t.Errorf("%s: %s: nothing is false", name, in.Text)
		}
	}
}

// draw returns a value for every variable and function, with slices that both have n words, or
// the first twice as many.
func draw(r *rand.Rand, twice bool) func(t *term.Term, args []uint64) uint64 {
	seed, turns := r.Uint64(), r.Uint64()
	i := r.Uint64N([]uint64{1, 300}[r.IntN(2)])
	n := i + r.Uint64N(4<<r.IntN(7))
	if w := []uint64{0, 0, 8, 16}[r.IntN(4)]; w > 0 { // as in a loop of turns left to do, of w words at each place
		n = 65536 + r.Uint64N(400)
		turns = 1 + r.Uint64N(n>>5)
		i = w * (n>>5 - turns)
	}
	return func(t *term.Term, args []uint64) uint64 {
		switch t.Name {
		case "len0":
			if twice {
				return 2 * n
			}
			return n
		case "len1", "n":
			return n
		case "i":
			return i
		case "gp8":
			return turns
		case "base0", "base1":
			return 1 << 40 * uint64(t.Name[4]-'/')
		}
		if t.Name == "P" && args[0] == 0 {
			return 0
		}
		h := rand.NewPCG(seed, uint64(len(args)))
		v := uint64(0)
		for _, c := range t.Name {
			v = (v ^ h.Uint64() ^ uint64(c)) * 0x9e3779b97f4a7c15
		}
		for _, a := range args {
			v = (v ^ h.Uint64() ^ a) * 0x9e3779b97f4a7c15
		}
		return rand.NewPCG(v, seed).Uint64()
	}
}

// TestBlockMutants asserts that what is claimed of the kernels for one key in a block is true of random words, and
// that with one of their instructions left out no claims can be made or one of them is false.
func TestBlockMutants(t *testing.T) {
	for _, name := range []string{"objdump", "llvm-objdump"} {
		longtest.Program(t, name)
	}
	f, err := linked()
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(21, 11))
	for _, name := range f.Functions() {
		if _, ok := symbolic.BlockFile(name); !ok {
			continue
		}
		c, err := f.Function(name)
		if err != nil {
			t.Fatal(err)
		}
		code, err := decode.Both(f.Path, c.Address, len(c.Bytes))
		if err != nil {
			t.Fatal(err)
		}
		refuted := func(code []decode.Instruction) string {
			p, err := symbolic.ExecuteBlock(name, code, f.ReadOnly)
			if err != nil {
				return err.Error()
			}
			for range 200 {
				v := map[string]uint64{}
				leaf := func(t *term.Term, _ []uint64) uint64 {
					w, known := v[t.Name]
					if !known {
						w = r.Uint64() | r.Uint64() | r.Uint64()
						v[t.Name] = w
					}
					return w
				}
				for _, o := range p.Obligations {
					if term.Eval(o.Claim, leaf) == 0 {
						return o.What
					}
				}
			}
			return ""
		}
		if why := refuted(code); why != "" {
			t.Fatalf("%s: %s", name, why)
		}
		step := longtest.Of(9, 6, 2)
		for i := r.IntN(step); i < len(code); i += step {
			changed := slices.Clone(code)
			if changed[i].Name == "nop" {
				continue
			}
			changed[i].Name, changed[i].Args = "nop", nil
			if why := refuted(changed); why == "" {
				t.Errorf("%s: %s left out: nothing is false", name, code[i].Text)
			}
		}
	}
}
