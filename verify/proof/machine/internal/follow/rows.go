package follow

import (
	"fmt"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/arm64"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// This file has the twins of TransitionRowsPortable and TransitionSumsPortable in kernel/asm/transition_portable.go.
// They take two states in a turn, in the two lanes of a vector, as the kernels do. If one state is left in the last
// turn, the row of each number of fresh bits goes to the array "few" first, which the kernels have in the frame. Then
// its lane 0 is copied from there.

// The list "states" has the variables with the numbers of set and clear bits: s0 and s1 are those of set bits in the
// lanes 0 and 1, c0 and c1 are those of clear bits.
var states = []string{"s0", "s1", "c0", "c1"}

const mostRows = 13 // for k = 12

// The type "lanes" has the values of both lanes.
type lanes [2]*term.Term

func each(f func(l int) *term.Term) lanes { return lanes{f(0), f(1)} }

// The function "begins" sets the variables for the states of the first turn.
func begins(r *Run) {
	for l, more := range []*term.Term{r.N(0), r.Get("unit")} { // the kernel adds 0 to lane 0
		r.Set(fmt.Sprint("s", l), arm64.FAdd(r.Pool, r.Get("set"), more))
		r.Set(fmt.Sprint("c", l), arm64.FSub(r.Pool, r.Get("clear"), more))
	}
}

// The function "turn" computes the rows of both states of a turn. It calls "row" for each number d of fresh bits, with
// the values of both lanes. The argument "fresh" has the factors of these values for d = 0. Then it sets the variables
// for the states of the next turn. As in the kernels, k is known, a key of k positions enters the triangle at degree k,
// and every row is one degree lower.
func turn(r *Run, fresh lanes, row func(d uint64, v lanes)) {
	p, k := r.Pool, r.Get("k").Value
	sets := each(func(l int) *term.Term { return r.Get(fmt.Sprint("s", l)) })
	clears := each(func(l int) *term.Term { return r.Get(fmt.Sprint("c", l)) })
	h := make([]lanes, k+1) // the polynomials of degree 1 to k
	for i := uint64(1); i <= k; i++ {
		h[i] = each(func(l int) *term.Term {
			if i == 1 {
				return sets[l]
			}
			return arm64.FMul(p, h[i-1][l], sets[l])
		})
	}
	for d := range k {
		degree := k - d
		row(d, each(func(l int) *term.Term { return arm64.FMul(p, h[degree][l], fresh[l]) }))
		for l := range fresh {
			fresh[l] = arm64.FMul(p, fresh[l], clears[l])
			sets[l] = arm64.FAdd(p, sets[l], r.Get("unit"))
			clears[l] = arm64.FSub(p, clears[l], r.Get("unit"))
			for i := uint64(1); i < degree; i++ {
				more := sets[l]
				if i > 1 {
					more = arm64.FMul(p, h[i-1][l], sets[l])
				}
				h[i][l] = arm64.FAdd(p, h[i][l], more)
			}
		}
	}
	row(k, fresh)
	for l := range fresh {
		s, c := fmt.Sprint("s", l), fmt.Sprint("c", l)
		r.Set(s, arm64.FAdd(p, r.Get(s), r.Get("wide")))
		r.Set(c, arm64.FSub(p, r.Get(c), r.Get("wide")))
	}
}

// The function "put" stores both lanes in a slice or a local array, from index i on.
func put(r *Run, slice string, i *term.Term, v lanes) {
	for l := range v {
		r.Store(slice, r.Add(i, r.N(uint64(l))), v[l])
	}
}

// The function "get" loads both lanes.
func get(r *Run, slice string, i *term.Term) lanes {
	return each(func(l int) *term.Term { return r.Load(slice, r.Add(i, r.N(uint64(l)))) })
}

// The function "further" goes on to the location "begin" with two states fewer, or returns if none is left. The function
// "next" sets the other variables for the next turn.
func further(r *Run, next func()) {
	left := r.Get("left")
	if !r.If(r.Slt(r.N(2), left)) {
		r.Return()
		return
	}
	r.Set("left", r.Sub(left, r.N(2)))
	next()
	r.Go("begin")
}

// The function "copies" goes on to a location for the next row, or does the step "end" after the last row. The variable
// "row" counts the rows.
func copies(r *Run, location string, end func()) {
	if !r.If(r.Slt(r.Get("row"), r.Get("k"))) {
		end()
		return
	}
	r.Next("row")
	r.Go(location)
}

// The function "product" returns k*stride. The kernel computes it where k is at most 12 and the stride is less than
// "longest". For the solvers, this product is an unknown function. So the twin assumes that the product is small. A lemma
// for each such number of positions says that this is true.
func product(r *Run) *term.Term {
	all := arm64.Mul(r.Pool, r.Get("k"), r.Get("stride"))
	small := func(factor, product *term.Term) *term.Term {
		return r.Or(r.Not(r.Ult(factor, r.N(longest))), r.Ult(product, r.N(mostRows*longest)))
	}
	factor := r.Var("factor", 64)
	for k := range uint64(mostRows) {
		r.Lemma(small(factor, r.Mul(r.N(k), factor)))
	}
	r.Assume(r.Or(r.Not(r.Ult(r.Get("k"), r.N(mostRows))), small(r.Get("stride"), all)))
	return all
}

func scales(r *Run) lanes { return lanes{r.Get("scale"), r.Get("scale")} }

func init() {
	few := []Local{{"few", 2 * mostRows}}
	numbers := scalars("set", "clear", "unit", "scale")
	with := func(names ...string) []string { return append(names, states...) }
	twins["TransitionRowsNEON"] = Twin{
		Args: args(words("dst"), scalars("stride", "k"), numbers), Locals: few,
		Vars: map[string][]string{"begin": with("base", "left"), "copy": {"to", "row"}},
		Define: func(r *Run) {
			r.Define("n", r.Sub(r.Len("dst"), arm64.Mul(r.Pool, r.Get("k"), r.Get("stride"))))
			r.Set("wide", arm64.FAdd(r.Pool, r.Get("unit"), r.Get("unit")))
		},
		Step: func(r *Run) {
			stride := r.Get("stride")
			switch {
			case r.At == "entry":
				all := product(r)
				if r.Less(r.N(mostRows-1), r.Get("k")) || r.Less(r.Len("dst"), stride) ||
					!r.If(r.Slt(all, r.Len("dst"))) || r.If(r.Slt(stride, r.Sub(r.Len("dst"), all))) {
					r.Return()
					return
				}
				begins(r)
				r.Set("base", r.N(0))
				r.Set("left", r.Get("n"))
				r.Go("begin")
			case r.At == "copy":
				r.Store("dst", r.Get("to"), r.Load("few", r.Mul(r.N(2), r.Get("row"))))
				copies(r, "copy", func() { r.Return() })
				r.Set("to", r.Add(r.Get("to"), stride))
			case r.If(r.Slt(r.Get("left"), r.N(2))):
				turn(r, scales(r), func(d uint64, v lanes) { put(r, "few", r.N(2*d), v) })
				r.Set("to", r.Get("base"))
				r.Set("row", r.N(0))
				r.Go("copy")
			default:
				turn(r, scales(r), func(d uint64, v lanes) {
					put(r, "dst", r.Add(r.Get("base"), r.Mul(r.N(d), stride)), v)
				})
				further(r, func() { r.Set("base", r.Add(r.Get("base"), r.N(2))) })
			}
		},
	}
	twins["TransitionSumsNEON"] = Twin{
		Args: args(words("part", "w"), scalars("k"), numbers), Locals: few,
		Vars: map[string][]string{
			"begin": with("base", "left", "lane"), "turn": with("base", "left", "lane", "f0", "f1"),
			"fetch": with("base", "lane", "row"), "last": with("lane", "f0"), "copy": {"lane", "row"},
		},
		Define: func(r *Run) {
			r.Set("n", r.Len("w"))
			r.Set("wide", arm64.FAdd(r.Pool, r.Get("unit"), r.Get("unit")))
		},
		Step: func(r *Run) {
			// Lane 0 of a row d of this turn is added to the sum with this index.
			sum := func(d *term.Term) *term.Term { return r.Add(r.Get("lane"), r.Mul(r.N(8), d)) }
			weigh := func(f ...*term.Term) lanes {
				return each(func(l int) *term.Term { return arm64.FMul(r.Pool, f[l], r.Get("scale")) })
			}
			adds := func(slice string, at func(d uint64) *term.Term) func(d uint64, v lanes) {
				return func(d uint64, v lanes) {
					old := get(r, slice, at(d))
					put(r, slice, at(d), each(func(l int) *term.Term { return arm64.FAdd(r.Pool, old[l], v[l]) }))
				}
			}
			switch r.At {
			case "entry":
				if r.Less(r.N(mostRows-1), r.Get("k")) || !r.If(r.Slt(r.Get("k"), r.Lshr(r.Len("part"), r.N(3)))) || r.If(r.Eq(r.Get("n"), r.N(0))) {
					r.Return()
					return
				}
				begins(r)
				for _, v := range []string{"base", "lane"} {
					r.Set(v, r.N(0))
				}
				r.Set("left", r.Get("n"))
				r.Go("begin")
			case "begin":
				if r.If(r.Slt(r.Get("left"), r.N(2))) {
					r.Set("row", r.N(0))
					r.Go("fetch")
					return
				}
				w := get(r, "w", r.Get("base"))
				r.Set("f0", w[0])
				r.Set("f1", w[1])
				r.Set("base", r.Add(r.Get("base"), r.N(2)))
				r.Go("turn")
			case "turn":
				turn(r, weigh(r.Get("f0"), r.Get("f1")), adds("part", func(d uint64) *term.Term { return sum(r.N(d)) }))
				further(r, func() { r.Set("lane", r.BvAnd(r.Add(r.Get("lane"), r.N(2)), r.N(6))) })
			case "fetch":
				r.Store("few", r.Mul(r.N(2), r.Get("row")), r.Load("part", sum(r.Get("row"))))
				copies(r, "fetch", func() {
					r.Set("f0", r.Load("w", r.Get("base")))
					r.Go("last")
				})
			case "last":
				turn(r, weigh(r.Get("f0"), r.N(0)), adds("few", func(d uint64) *term.Term { return r.N(2 * d) }))
				r.Set("row", r.N(0))
				r.Go("copy")
			case "copy":
				r.Store("part", sum(r.Get("row")), r.Load("few", r.Mul(r.N(2), r.Get("row"))))
				copies(r, "copy", func() { r.Return() })
			}
		},
	}
}
