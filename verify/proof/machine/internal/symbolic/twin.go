// Package symbolic executes a kernel on expressions and says what is to be proved of it.
//
// A path runs from the entry or a loop head to the next head or the return. At a head
// stands an invariant (see [Invariants]): what the registers hold when the portable twin
// has done i words, its sum is S and the memory is M. A path that ends is compared with
// the twin, which does on expressions the words that the path did. Memory is what the
// functions load and store, of which nothing is assumed, make of M: so slices may overlap
// as they like, but none may overlap the arguments on the stack.
package symbolic

import (
	"fmt"
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// Twin is the portable function that a kernel of popcount has to equal, restated from
// kernel/asm/popcount_portable.go.
type Twin struct {
	Name   string // of the kernel
	Slices int    // arguments
	Stores bool   // into the first
	fold   func(p *term.Pool, a, b *term.Term) *term.Term
}

var folds = map[string]func(p *term.Pool, a, b *term.Term) *term.Term{
	"Count":  func(p *term.Pool, a, _ *term.Term) *term.Term { return a },
	"And":    (*term.Pool).BvAnd,
	"Or":     (*term.Pool).BvOr,
	"Xor":    (*term.Pool).BvXor,
	"AndNot": func(p *term.Pool, a, b *term.Term) *term.Term { return p.BvAnd(p.BvNot(b), a) },
}

// TwinOf returns the twin of a kernel by the kernel's name.
func TwinOf(kernel string) (Twin, error) {
	for _, impl := range []string{"Popcnt", "AVX2", "AVX512"} {
		name, ok := strings.CutSuffix(kernel, impl)
		if !ok {
			continue
		}
		if name == "Count" {
			return Twin{kernel, 1, false, folds[name]}, nil
		}
		for _, kind := range []string{"Count", "Into"} {
			if op, ok := strings.CutSuffix(name, kind); ok && op != "" && folds[op] != nil {
				return Twin{kernel, 2, kind == "Into", folds[op]}, nil
			}
		}
	}
	return Twin{}, fmt.Errorf("no twin is written down")
}

// result is where the frame has the result, from the return address on.
func (t Twin) result() uint64 { return 8 + 24*uint64(t.Slices) }

func load(p *term.Pool, memory, at *term.Term) *term.Term { return p.Apply("load", 64, memory, at) }

func store(p *term.Pool, memory, at, w *term.Term) *term.Term {
	return p.Apply("store", term.Memory, memory, at, w)
}

// word does the twin's word i: it returns the word's ones and the memory afterwards.
func (t Twin) word(p *term.Pool, memory, i *term.Term) (ones, after *term.Term) {
	at := func(slice int) *term.Term { return address(p, p.Var(base(slice), 64), i) }
	a := load(p, memory, at(0))
	var b *term.Term
	if t.Slices == 2 {
		b = load(p, memory, at(1))
	}
	w := t.fold(p, a, b)
	if t.Stores {
		memory = store(p, memory, at(0), w)
	}
	return p.Ones(w), memory
}

// address returns from + 8*i, written as all addresses are.
func address(p *term.Pool, from, i *term.Term) *term.Term {
	return p.Linear(term.Linearize(p.Add(from, p.Mul(p.Value(64, 8), i))))
}

func base(slice int) string   { return fmt.Sprintf("base%d", slice) }
func length(slice int) string { return fmt.Sprintf("len%d", slice) }
