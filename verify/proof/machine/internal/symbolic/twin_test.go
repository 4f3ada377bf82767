package symbolic

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// TestTwinIsPortable asserts that each twin, word after word, gives what the portable function
// gives and stores: for all operands of two bits, and for random slices that overlap.
func TestTwinIsPortable(t *testing.T) {
	one := func(f func(x []uint64) int) func(a, _ []uint64) int {
		return func(a, _ []uint64) int { return f(a) }
	}
	r := rand.New(rand.NewPCG(21, 3))
	for name, portable := range map[string]func(a, b []uint64) int{
		"CountAVX2": one(asm.CountPortable), "AndCountAVX2": asm.AndCountPortable, "OrCountAVX2": asm.OrCountPortable,
		"XorCountAVX2": asm.XorCountPortable, "AndNotCountAVX2": asm.AndNotCountPortable,
		"AndIntoAVX2": asm.AndIntoPortable, "OrIntoAVX2": asm.OrIntoPortable, "AndNotIntoAVX2": asm.AndNotIntoPortable,
	} {
		twin, err := TwinOf(name)
		if err != nil {
			t.Fatal(err)
		}
		compare := func(memory []uint64, a, b, n int) {
			t.Helper()
			want := slices.Clone(memory)
			ones := portable(want[a:a+n], want[b:b+n])
			got, sum := run(t, twin, memory, a, b, n)
			if sum != uint64(ones) || !slices.Equal(got, want) {
				t.Fatalf("%s: %d ones, of the portable function %d, of %x from %d and %d, %d words", name, sum, ones, memory, a, b, n)
			}
		}
		for v := range uint64(16) {
			compare([]uint64{v & 3, v >> 2}, 0, 1, 1)
		}
		for range 300 {
			memory := make([]uint64, 16)
			for i := range memory {
				memory[i] = r.Uint64() & (r.Uint64() | -uint64(r.IntN(2)))
			}
			n := r.IntN(10)
			compare(memory, r.IntN(17-n), r.IntN(17-n), n)
		}
	}
}

// TestHashTwinIsPortable asserts that the twin of HashWords stores the hash of its key in two words, and
// nothing else, for random and extreme keys and seeds.
func TestHashTwinIsPortable(t *testing.T) {
	twin, err := TwinOf("HashWordsAVX2")
	if err != nil {
		t.Fatal(err)
	}
	p := term.NewPool()
	m := p.Var("M", term.Memory)
	after := twin.step(p, func(memory, at *term.Term) *term.Term { return load(p, memory, at) }, m, p.Var("i", 64))
	high := after
	low := high.Args[0]
	if high.Name != "store" || low.Name != "store" || low.Args[0] != m {
		t.Fatalf("not two stores: %s", after)
	}
	r := rand.New(rand.NewPCG(21, 9))
	word := func() uint64 {
		return []uint64{0, ^uint64(0), 1, 1 << 63, 1<<32 - 1, 1 << 32, r.Uint64(), r.Uint64()}[r.IntN(8)]
	}
	for range 5000 {
		key, seed, i := word(), word(), r.Uint64N(1<<40)
		leaf := func(t *term.Term, args []uint64) uint64 {
			switch t.Name {
			case "i":
				return i
			case "seed":
				return seed
			case base(0):
				return 1 << 45
			case "load":
				if args[1] != 1<<50+8*i {
					return 0
				}
				return key
			}
			return 1 << 50
		}
		lo, hi := asm.HashWord(key, seed)
		for w, s := range map[uint64]*term.Term{lo: low, hi: high} {
			at := 1<<45 + 16*i
			if s == high {
				at += 8
			}
			if got := term.Eval(s.Args[2], leaf); got != w || term.Eval(s.Args[1], leaf) != at {
				t.Fatalf("key %#x, seed %#x: %#x at %#x, of the portable function %#x", key, seed, got, term.Eval(s.Args[1], leaf), w)
			}
		}
	}
}

// run does a twin on words of a memory, of which the slices begin at a and b.
func run(t *testing.T, twin Twin, memory []uint64, a, b, n int) (after []uint64, sum uint64) {
	memory = slices.Clone(memory)
	const start = 1 << 20
	p := term.NewPool()
	var i uint64
	leaf := func(t *term.Term, args []uint64) uint64 {
		switch t.Name {
		case "i":
			return i
		case base(0):
			return start + 8*uint64(a)
		case base(1):
			return start + 8*uint64(b)
		case "load":
			return memory[(args[1]-start)/8]
		}
		return 0
	}
	m := p.Var("M", term.Memory)
	ones, stored := twin.word(p, func(memory, at *term.Term) *term.Term { return load(p, memory, at) }, m, p.Var("i", 64))
	for i = range uint64(n) {
		sum += term.Eval(ones, leaf)
		if !twin.Stores {
			continue
		}
		if stored.Name != "store" || stored.Args[0] != m {
			t.Fatalf("not one store: %s", stored)
		}
		at, w := term.Eval(stored.Args[1], leaf), term.Eval(stored.Args[2], leaf)
		memory[(at-start)/8] = w
	}
	if !twin.Stores && stored != m {
		t.Fatalf("the memory changes: %s", stored)
	}
	return memory, sum
}
