package follow

import (
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/arm64"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// This file has the twins of kernel/asm/probe_portable.go and positions_portable.go. In a twin, the hash of key i
// begins at h[at], where the variable "at" is 2*i. Some functions get positions instead of hashes. The k positions of
// key i then begin at pos[i*k]. The variable j is the number of this key's positions that are already processed. A twin
// loads the hash of a key once. The portable function loads it for each position. This makes no difference if no store
// of the function overlaps the slice h.

// The function "keys" defines the twin's variable n as the number of keys to process. The arguments "slice" and "room"
// are names of slices. The value of n is the smaller of two numbers. One is the number of keys in the first slice, and
// the other is the length of the second slice. All keys have the same number of words. The argument "of" is this
// number. If this argument is nil, a key has two words.
func keys(r *Run, slice, room string, of *term.Term) {
	n := r.Len(slice)
	if of == nil {
		n = r.Lshr(n, r.N(1))
	} else {
		n = arm64.Quotient(r.Pool, n, of)
	}
	to := r.Len(room)
	r.Define("n", r.Ite(r.Slt(n, to), n, to))
}

// The functions require that the argument "k" is at least 1. The function "positive" assumes this.
func positive(r *Run, k string) { r.Assume(r.Slt(r.N(0), r.Get(k))) }

// The function "mix" returns what the function "mix" of package kernel/asm returns for z.
func mix(p *term.Pool, z *term.Term) *term.Term {
	fold := func(z *term.Term, by uint64) *term.Term { return p.BvXor(z, p.Lshr(z, p.Value(64, by))) }
	z = arm64.Mul(p, fold(z, 30), p.Value(64, 0xbf58476d1ce4e5b9))
	z = arm64.Mul(p, fold(z, 27), p.Value(64, 0x94d049bb133111eb))
	return fold(z, 31)
}

// The function "begin" sets the twin's variables for the beginning of a key's hash stream.
func begin(r *Run) {
	at := r.Get("at")
	r.Set("z", r.Load("h", at))
	r.Set("gamma", r.BvOr(r.Load("h", r.Add(at, r.N(1))), r.N(1)))
	r.Set("base", r.N(0))
	r.Set("j", r.N(0))
}

// The function "position" computes and returns the next position of the key from its hash stream.
func position(r *Run) *term.Term {
	z := r.Add(r.Get("z"), r.Get("gamma"))
	r.Set("z", z)
	p := arm64.MulHigh(r.Pool, r.BvAnd(mix(r.Pool, z), r.N(^uint64(0xfff))), r.Get("span"))
	p = r.Add(p, r.Get("base"))
	r.Set("base", r.Add(r.Get("base"), r.Get("step")))
	return p
}

// Some functions get the positions as an argument. For these, the function "given" loads and returns the next position
// of the key.
func given(r *Run) *term.Term {
	p := r.Load("pos", r.Get("at"))
	r.Next("at")
	return p
}

func low(r *Run, p *term.Term) *term.Term { return r.BvAnd(p, r.N(63)) }

// The function "bit" returns bit p of the slice "words".
func bit(r *Run, p *term.Term) *term.Term {
	w := r.Load("words", r.Lshr(p, r.N(6)))
	return r.BvAnd(r.Lshr(w, low(r, p)), r.N(1))
}

// The function "set" sets bit p of the slice "words". It returns 1 if the bit was clear, and 0 if not.
func set(r *Run, p *term.Term) *term.Term {
	at := r.Lshr(p, r.N(6))
	old := r.Load("words", at)
	r.Store("words", at, r.BvOr(old, r.Shl(r.N(1), low(r, p))))
	return r.BvAnd(r.Lshr(r.BvNot(old), low(r, p)), r.N(1))
}

// bits2 returns bit p of both bit arrays of a pair. Bit 0 of the result is the bit of array 0, and bit 1 is the bit of
// array 1.
func bits2(r *Run, p *term.Term) *term.Term {
	at := r.Mul(r.N(2), r.Lshr(p, r.N(6)))
	one := func(w *term.Term) *term.Term { return r.BvAnd(r.Lshr(w, low(r, p)), r.N(1)) }
	a, b := r.Load("pair", at), r.Load("pair", r.Add(at, r.N(1)))
	return r.BvOr(one(a), r.Shl(one(b), r.N(1)))
}

func truth(r *Run, c *term.Term) *term.Term { return r.Ite(c, r.N(1), r.N(0)) }

// The type "probes" describes a twin with two loops. The outer loop is over keys, and the inner loop is over positions.
type probes struct {
	slice, room, k string // the names of: the slice of keys, the slice of answers, the number of positions
	args, results  []Arg
	each           func(r *Run) *term.Term // the next position
	do             func(r *Run, p *term.Term)
	early          func(r *Run) *term.Term // when a key is decided before its last position; nil: never
	vars           map[string]uint64       // the variables for a key, with their initial values
	totals         []string                // the variables for all keys
	answer         func(r *Run)            // after a key
	finish         func(r *Run) []*term.Term
}

func (q probes) twin() Twin {
	hashed := q.slice == "h"
	t := Twin{Args: q.args, Results: q.results, Vars: map[string][]string{
		"key": append([]string{"i", "at"}, q.totals...), "position": append([]string{"i", "at", "j"}, q.totals...),
	}}
	for v := range q.vars {
		t.Vars["position"] = append(t.Vars["position"], v)
	}
	if hashed {
		t.Vars["position"] = append(t.Vars["position"], "z", "gamma", "base")
	}
	t.Define = func(r *Run) {
		if q.k == "k" {
			positive(r, "k")
		} else {
			r.Set("k", r.Len("slices"))
			r.Assume(r.Ult(r.N(0), r.Get("k")))
		}
		switch {
		case q.room == "dst": // n = min(len(h)/2, len(dst)/k)
			n, to := r.Lshr(r.Len("h"), r.N(1)), arm64.Quotient(r.Pool, r.Len("dst"), r.Get("k"))
			r.Define("n", r.Ite(r.Slt(n, to), n, to))
		case hashed:
			keys(r, q.slice, q.room, nil)
		default:
			keys(r, q.slice, q.room, r.Get("k"))
		}
	}
	t.Step = func(r *Run) {
		switch r.At {
		case "entry":
			for _, v := range append([]string{"i", "at"}, q.totals...) {
				r.Set(v, r.N(0))
			}
			r.Go("key")
		case "key":
			if !r.Less(r.Get("i"), r.Get("n")) {
				r.Return(q.finish(r)...)
				return
			}
			if r.Set("j", r.N(0)); hashed {
				begin(r)
			}
			for v, n := range q.vars {
				r.Set(v, r.N(n))
			}
			r.Go("position")
		case "position":
			more := r.Less(r.Get("j"), r.Get("k"))
			if more && q.early != nil {
				more = !r.If(q.early(r))
			}
			if more {
				q.do(r, q.each(r))
				r.Next("j")
				r.Go("position")
				return
			}
			q.answer(r)
			if r.Next("i"); hashed {
				r.Set("at", r.Add(r.Get("at"), r.N(2)))
			}
			r.Go("key")
		}
	}
	return t
}

func sumOf(name string) func(r *Run) []*term.Term {
	return func(r *Run) []*term.Term { return []*term.Term{r.Get(name)} }
}

func add(r *Run, name string, v *term.Term) { r.Set(name, r.Add(r.Get(name), v)) }

func init() {
	derived := scalars("k", "span", "step")
	zero := func(name string) func(r *Run) *term.Term {
		return func(r *Run) *term.Term { return r.Eq(r.Get(name), r.N(0)) }
	}
	and := func(f func(*Run, *term.Term) *term.Term) func(*Run, *term.Term) {
		return func(r *Run, p *term.Term) { r.Set("all", r.BvAnd(r.Get("all"), f(r, p))) }
	}
	found := func(r *Run) {
		all := truth(r, r.Not(r.Eq(r.Get("all"), r.N(0))))
		r.Store("out", r.Get("i"), all)
		add(r, "found", r.Get("all"))
	}
	fresh := func(r *Run) {
		r.Store("out", r.Get("i"), truth(r, r.Not(r.Eq(r.Get("new"), r.N(0)))))
		add(r, "fresh", r.Get("new"))
	}
	adds := func(r *Run, p *term.Term) { add(r, "new", set(r, p)) }
	both := func(r *Run) { r.Store("out", r.Get("i"), r.Get("all")) }
	none := func(*Run) []*term.Term { return nil }

	twins["PositionsNEON"] = probes{
		slice: "h", room: "dst", k: "k", args: args(words("dst", "h"), derived), results: scalars("n"),
		each: position,
		do: func(r *Run, p *term.Term) {
			r.Store("dst", r.Get("to"), p)
			r.Next("to")
		},
		totals: []string{"to"}, // i*k+j
		answer: func(*Run) {}, finish: sumOf("n"),
	}.twin()
	twins["ContainsNEON"] = probes{
		slice: "h", room: "out", k: "k", args: args(octets("out"), words("words", "h"), derived), results: scalars("found"),
		each: position, do: and(bit), early: zero("all"), vars: map[string]uint64{"all": 1},
		totals: []string{"found"}, answer: found, finish: sumOf("found"),
	}.twin()
	twins["AddNEON"] = probes{
		slice: "h", room: "out", k: "k", args: args(octets("out"), words("words", "h"), derived), results: scalars("fresh"),
		each: position, do: adds, vars: map[string]uint64{"new": 0},
		totals: []string{"fresh"}, answer: fresh, finish: sumOf("fresh"),
	}.twin()
	twins["ContainsAtNEON"] = probes{
		slice: "pos", room: "out", k: "k", args: args(octets("out"), words("words", "pos"), scalars("k")), results: scalars("found"),
		each: given, do: and(bit), vars: map[string]uint64{"all": 1},
		totals: []string{"found"}, answer: found, finish: sumOf("found"),
	}.twin()
	twins["AddAtNEON"] = probes{
		slice: "pos", room: "out", k: "k", args: args(octets("out"), words("words", "pos"), scalars("k")), results: scalars("fresh"),
		each: given, do: adds, vars: map[string]uint64{"new": 0},
		totals: []string{"fresh"}, answer: fresh, finish: sumOf("fresh"),
	}.twin()
	twins["AddSlicesAtNEON"] = probes{
		slice: "pos", room: "out", k: "len(slices)", args: args(octets("out"), words("words", "pos", "slices")), results: scalars("fresh"),
		each: given,
		do: func(r *Run, p *term.Term) {
			b := set(r, p)
			j := r.Get("j")
			r.Store("slices", j, r.Add(r.Load("slices", j), b))
			add(r, "new", b)
		},
		vars: map[string]uint64{"new": 0}, totals: []string{"fresh"}, answer: fresh, finish: sumOf("fresh"),
	}.twin()
	twins["ContainsPairNEON"] = probes{
		slice: "h", room: "out", k: "k", args: args(octets("out"), words("pair", "h"), derived),
		each: position, do: and(bits2), early: zero("all"), vars: map[string]uint64{"all": 3}, answer: both, finish: none,
	}.twin()
	twins["ContainsPairAtNEON"] = probes{
		slice: "pos", room: "out", k: "k", args: args(octets("out"), words("pair", "pos"), scalars("k")),
		each: given, do: and(bits2), vars: map[string]uint64{"all": 3}, answer: both, finish: none,
	}.twin()
	twins["AddPairAtNEON"] = Twin{
		Args: args(words("pair", "pos"), scalars("side")), Results: scalars("fresh", "overlap"),
		Vars:   map[string][]string{"position": {"at", "fresh", "overlap"}},
		Define: func(r *Run) { r.Assume(r.Ult(r.Get("side"), r.N(2))) },
		Step: func(r *Run) {
			if r.At == "entry" {
				for _, v := range []string{"at", "fresh", "overlap"} {
					r.Set(v, r.N(0))
				}
				r.Go("position")
				return
			}
			if !r.Less(r.Get("at"), r.Len("pos")) {
				r.Return(r.Get("fresh"), r.Get("overlap"))
				return
			}
			p, side := given(r), r.Get("side")
			at := r.Mul(r.N(2), r.Lshr(p, r.N(6)))
			mine, other := r.Add(at, side), r.Add(at, r.BvXor(side, r.N(1)))
			old := r.Load("pair", mine)
			new := r.BvAnd(r.Lshr(r.BvNot(old), low(r, p)), r.N(1))
			r.Store("pair", mine, r.BvOr(old, r.Shl(r.N(1), low(r, p))))
			add(r, "fresh", new)
			add(r, "overlap", r.BvAnd(new, r.Lshr(r.Load("pair", other), low(r, p))))
			r.Go("position")
		},
	}
	twins["PrefetchNEON"] = Twin{
		Args: words("words", "pos"), Vars: map[string][]string{"position": {"at"}},
		Step: func(r *Run) {
			if r.At == "entry" {
				r.Set("at", r.N(0))
				r.Go("position")
				return
			}
			if r.Less(r.Get("at"), r.Len("pos")) {
				r.Next("at")
				r.Go("position")
				return
			}
			r.Return()
		},
	}
}
