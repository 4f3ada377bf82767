// Package symbolic executes an assembly function (a kernel) with expressions as values. It returns the claims that must
// be proved about the kernel.
//
// A path goes from the entry or a loop head to the next loop head or to the return. Each loop head has an invariant
// (see [Invariants]). The twin is the portable Go function. At the loop head, the twin has processed i words, and its
// sum is S. The memory is then M. The invariant gives the contents of the registers. At the end of a path, the twin is
// also executed symbolically, for the same words. Then the results are compared. Memory is represented by M and the
// list of stores made since the start of the path. Nothing is assumed about the contents of M. So slices may overlap in
// any way, but none may overlap the arguments on the stack.
package symbolic

import (
	"fmt"
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// Twin restates a portable function. A kernel must have the same effect as this function. Most twins restate functions
// of kernel/asm/popcount_portable.go, which count ones.
type Twin struct {
	Name   string // the name of the kernel
	Slices int    // the number of slice arguments
	Stores bool   // stores into the first slice
	fold   func(p *term.Pool, a, b *term.Term) *term.Term

	// A twin that does not count ones has the following fields instead of the field "fold". The function "step"
	// executes one step. The function "names" returns the values of further names that can occur in invariants. The
	// field "per" has a number for each slice. It is the number of words that one step uses. The result of such a twin
	// is n, the number of steps. Its slices do not overlap. Its arguments after the slices are words. The field "words"
	// has the names of these arguments.
	step  func(p *term.Pool, load loader, memory, i *term.Term) *term.Term
	names func(p *term.Pool) map[string]*term.Term
	per   []uint64
	words []string
}

// The method "each" returns the number of words of a slice that one step of the twin processes.
func (t Twin) each(slice int) uint64 {
	if t.per == nil {
		return 1
	}
	return t.per[slice]
}

var folds = map[string]func(p *term.Pool, a, b *term.Term) *term.Term{
	"Count":  func(p *term.Pool, a, _ *term.Term) *term.Term { return a },
	"And":    (*term.Pool).BvAnd,
	"Or":     (*term.Pool).BvOr,
	"Xor":    (*term.Pool).BvXor,
	"AndNot": func(p *term.Pool, a, b *term.Term) *term.Term { return p.BvAnd(p.BvNot(b), a) },
}

// TwinOf returns the twin of the kernel with the given name.
func TwinOf(kernel string) (Twin, error) {
	for _, impl := range []string{"Popcnt", "AVX2", "AVX512"} {
		name, ok := strings.CutSuffix(kernel, impl)
		if !ok {
			continue
		}
		if name == "Count" {
			return Twin{Name: kernel, Slices: 1, fold: folds[name]}, nil
		}
		for _, kind := range []string{"Count", "Into"} {
			if op, ok := strings.CutSuffix(name, kind); ok && op != "" && folds[op] != nil {
				return Twin{Name: kernel, Slices: 2, Stores: kind == "Into", fold: folds[op]}, nil
			}
		}
	}
	if t, ok := hashTwin(kernel); ok {
		return t, nil
	}
	return Twin{}, fmt.Errorf("no twin is written down")
}

// The stack frame has the return address and the function's result. The method "result" returns the distance in bytes
// from the return address to the result.
func (t Twin) result() uint64 { return 8 + 24*uint64(t.Slices) + 8*uint64(len(t.words)) }

func load(p *term.Pool, memory, at *term.Term) *term.Term { return p.Apply("load", 64, memory, at) }

// A loader returns the word at a given address of a memory.
type loader func(memory, at *term.Term) *term.Term

func store(p *term.Pool, memory, at, w *term.Term) *term.Term {
	return p.Apply("store", term.Memory, memory, at, w)
}

// The method "word" executes the twin's step i. The step computes a word. The method returns the number of ones in this
// word, and the memory after the step. If the twin does not count ones, the number is 0.
func (t Twin) word(p *term.Pool, load loader, memory, i *term.Term) (ones, after *term.Term) {
	if t.step != nil {
		return p.Value(64, 0), t.step(p, load, memory, i)
	}
	at := func(slice int) *term.Term { return address(p, p.Var(base(slice), 64), i) }
	a := load(memory, at(0))
	var b *term.Term
	if t.Slices == 2 {
		b = load(memory, at(1))
	}
	w := t.fold(p, a, b)
	if t.Stores {
		memory = store(p, memory, at(0), w)
	}
	return p.Ones(w), memory
}

// The function "prefix" returns P(i), the number of ones in the twin's words with indices below i. Only two properties
// of P are used. The first is P(0) = 0, and the second is that P(j+1) - P(j) is the number of ones in word j. P is used
// only for twins that do not change the memory. So each word of a slice contributes one such difference to the number
// of ones. For the solvers, P is an arbitrary function.
func prefix(p *term.Pool, i *term.Term) *term.Term {
	if i = p.Canonical(i); i.Is(0) {
		return i
	}
	return p.Apply("P", 64, i)
}

// The sum l contains popcounts of words of the twin. The method "prefixes" replaces the popcount of word j by P(j+1) -
// P(j). The comment of the function "prefix" explains P.
func (t Twin) prefixes(p *term.Pool, memory *term.Term, l term.Linear) term.Linear {
	sum := p.Linear(l)
	return term.Linearize(p.Rewrite(sum, func(ones *term.Term) *term.Term {
		if ones.Op != term.Ones || ones.Width != 64 {
			return nil
		}
		for _, leaf := range term.Leaves(ones) {
			if leaf.Name != "load" {
				continue
			}
			i, ok := term.Linearize(leaf.Args[1]).Minus(term.Linearize(p.Var(base(0), 64))).Over8()
			if !ok {
				continue
			}
			at := p.Linear(i)
			is, _ := t.word(p, func(memory, at *term.Term) *term.Term { return load(p, memory, at) }, memory, at)
			if is == ones {
				return p.Sub(prefix(p, p.Add(at, p.Value(64, 1))), prefix(p, at))
			}
		}
		return nil
	}))
}

// The function "address" returns the address of word i after the address "from". The result is in the canonical form of
// addresses.
func address(p *term.Pool, from, i *term.Term) *term.Term {
	return p.Linear(term.Linearize(p.Add(from, p.Mul(p.Value(64, 8), i))))
}

func base(slice int) string   { return fmt.Sprintf("base%d", slice) }
func length(slice int) string { return fmt.Sprintf("len%d", slice) }
