package follow

import (
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/arm64"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// This file has the twin of TransitionStepPortable in kernel/asm/transition_portable.go. The twin takes two states in a
// turn, as the kernel does. For the solvers, operations on float64 numbers are unknown functions. So the twin's numbers
// of set and clear bits are the sums of the kernel, in its order. They are those of the portable function because the
// sums are exact.

// The function "factors" returns the numbers of set and clear bits of the twin's lane 0 or 1 in state j. For lane 1, the
// state is one higher.
func factors(r *Run, j *term.Term, lane int) (sets, clears *term.Term) {
	x := arm64.FMul(r.Pool, arm64.FInt(r.Pool, j), r.Get("unit"))
	more := r.N(0) // the kernel adds 0 to lane 0
	if lane == 1 {
		more = r.Get("unit")
	}
	sets = arm64.FAdd(r.Pool, arm64.FAdd(r.Pool, r.Get("set"), x), more)
	return sets, arm64.FSub(r.Pool, arm64.FSub(r.Pool, r.Get("clear"), x), more)
}

// The function "weight" returns the new weight of state j. The arguments "sets" and "clears" are the numbers of set and
// clear bits in this state.
func weight(r *Run, j, sets, clears *term.Term) *term.Term {
	stays := arm64.FMul(r.Pool, r.Load("a", j), sets)
	rises := arm64.FMul(r.Pool, r.Load("b", j), clears)
	return arm64.FMul(r.Pool, arm64.FAdd(r.Pool, stays, rises), r.Get("scale"))
}

func init() {
	twins["TransitionStepNEON"] = Twin{
		Args: args(words("a", "b"), scalars("set", "clear", "unit", "scale")),
		Vars: map[string][]string{"turn": {"left", "t0", "t1", "u0", "u1"}, "last": {"left"}},
		Define: func(r *Run) {
			r.Define("n", r.Ite(r.Slt(r.Len("b"), r.Len("a")), r.Len("b"), r.Len("a")))
			r.Set("wide", arm64.FAdd(r.Pool, r.Get("unit"), r.Get("unit")))
		},
		Step: func(r *Run) {
			two := r.N(2)
			switch {
			case r.At == "entry" && r.If(r.Slt(r.Get("n"), two)):
				r.Set("left", r.Get("n"))
				r.Go("last")
			case r.At == "entry":
				r.Set("left", r.Sub(r.Get("n"), two))
				r.vars["t0"], r.vars["u0"] = factors(r, r.Get("left"), 0)
				r.vars["t1"], r.vars["u1"] = factors(r, r.Get("left"), 1)
				r.Go("turn")
			case r.At == "turn":
				left := r.Get("left")
				next := r.Add(left, r.N(1))
				v0, v1 := weight(r, left, r.Get("t0"), r.Get("u0")), weight(r, next, r.Get("t1"), r.Get("u1"))
				r.Store("a", left, v0)
				r.Store("a", next, v1)
				if r.If(r.Slt(left, two)) {
					r.Go("last")
					return
				}
				r.Set("left", r.Sub(left, two))
				for _, l := range []string{"0", "1"} {
					r.Set("t"+l, arm64.FSub(r.Pool, r.Get("t"+l), r.Get("wide")))
					r.Set("u"+l, arm64.FAdd(r.Pool, r.Get("u"+l), r.Get("wide")))
				}
				r.Go("turn")
			case r.If(r.Eq(r.Get("left"), r.N(0))):
				r.Return()
			default: // one state is left
				low := r.Sub(r.Get("left"), r.N(1))
				r.Store("a", low, weight(r, low, r.Get("set"), r.Get("clear")))
				r.Return()
			}
		},
	}
}
