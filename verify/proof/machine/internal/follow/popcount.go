package follow

import "github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"

var twins = map[string]Twin{}

// The function "popcount" returns the twin of a function in kernel/asm/popcount_portable.go. The twin's variable i is
// the number of words processed so far. The variable "sum" counts the ones in these words.
func popcount(binary, into bool, fold func(p *term.Pool, a, b *term.Term) *term.Term) Twin {
	t := Twin{Args: words("a"), Results: scalars("sum"), Vars: map[string][]string{"word": {"i", "sum"}}}
	if binary {
		t.Args = words("a", "b")
	}
	t.Define = func(r *Run) {
		n := r.Len("a")
		if binary {
			n = r.Ite(r.Slt(r.Len("b"), n), r.Len("b"), n)
		}
		r.Define("n", n)
	}
	t.Step = func(r *Run) {
		if r.At == "entry" {
			r.Set("i", r.N(0))
			r.Set("sum", r.N(0))
			r.Go("word")
			return
		}
		i := r.Get("i")
		if !r.Less(i, r.Get("n")) {
			r.Return(r.Get("sum"))
			return
		}
		w := r.Load("a", i)
		if binary {
			w = fold(r.Pool, w, r.Load("b", i))
		}
		if into {
			r.Store("a", i, w)
		}
		r.Set("sum", r.Add(r.Get("sum"), r.Ones(w)))
		r.Next("i")
		r.Go("word")
	}
	return t
}

func init() {
	type fold = func(p *term.Pool, a, b *term.Term) *term.Term
	andNot := func(p *term.Pool, a, b *term.Term) *term.Term { return p.BvAnd(a, p.BvNot(b)) }
	twins["CountNEON"] = popcount(false, false, nil)
	for op, f := range map[string]fold{"And": (*term.Pool).BvAnd, "Or": (*term.Pool).BvOr, "Xor": (*term.Pool).BvXor, "AndNot": andNot} {
		twins[op+"CountNEON"] = popcount(true, false, f)
		if op != "Xor" {
			twins[op+"IntoNEON"] = popcount(true, true, f)
		}
	}
}
