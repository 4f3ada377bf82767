package follow

import (
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/arm64"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// This file has the twins of ContainsPortable and ContainsPairPortable that have up to 64 keys in flight, as the kernels
// do. Each key is in a slot of the array "ring". A slot has four words: the position to be tested next, the state of the
// key's hash stream, the number of positions after this one, and the number of the key. Key i begins at h[2*i]. The
// variable "next" is the number of the next key that gets a slot. The slots 0 to used-1 are in use, and slot s is the
// present one.

const ringSlots = 64

// The type "ring" describes the look-up in a bit array or in a pair.
type ring struct {
	args, results []Arg
	begin         func(r *Run, key *term.Term)                     // before the first position of a key
	test          func(r *Run, p, rest, key *term.Term) *term.Term // tests position p; returns 0 if the key is decided
	totals        []string
}

// The method "holds" returns what is known of each slot. The variable "most" is only for the proof that the function
// ends. In a round, each key in flight has at most this number of positions to come. Where a slot has had its turn, the
// number is smaller.
func (q ring) holds(r *Run, j *term.Term, words []*term.Term) *term.Term {
	rest, key := words[2], words[3]
	known := r.And(r.Ult(rest, r.Get("k")), r.Ult(key, r.Get("n")))
	switch r.At {
	case "fill":
		return r.Or(r.Not(r.Ult(j, r.Get("s"))), known)
	case "turn", "ask":
		rest = r.Add(rest, truth(r, r.Ult(j, r.Get("s"))))
	}
	return r.Or(r.Not(r.Ult(j, r.Get("used"))), r.And(known, r.Ule(rest, r.Get("most"))))
}

// The function "ask" takes the key of slot s to its next position. The variable z is the state of its hash stream, and
// "rest" positions are to come.
func ask(r *Run, s, z, rest, key *term.Term) {
	r.Claim(r.Ult(key, r.Get("n")))
	gamma := r.BvOr(r.Load("h", r.Add(r.Mul(r.N(2), key), r.N(1))), r.N(1))
	z = r.Add(z, gamma)
	rest = r.Sub(rest, r.N(1))
	p := arm64.MulHigh(r.Pool, r.BvAnd(mix(r.Pool, z), r.N(^uint64(0xfff))), r.Get("span"))
	base := r.Sub(r.Get("top"), arm64.Mul(r.Pool, rest, r.Get("step")))
	r.PutSlot(s, r.Add(p, base), z, rest, key)
}

// The method "start" begins a key, and returns the state of its hash stream.
func (q ring) start(r *Run, key *term.Term) *term.Term {
	r.Claim(r.Ult(key, r.Get("n")))
	z := r.Load("h", r.Mul(r.N(2), key))
	q.begin(r, key)
	return z
}

func (q ring) twin() Twin {
	all := append([]string{"used", "next", "most"}, q.totals...)
	with := func(names ...string) []string { return append(names, all...) }
	finish := func(r *Run) {
		var out []*term.Term
		for _, v := range q.totals {
			out = append(out, r.Get(v))
		}
		r.Return(out...)
	}
	return Twin{
		Args: q.args, Results: q.results,
		Locals: []Local{{"ring", 4 * ringSlots}}, Slots: &Slots{"ring", 4, q.holds},
		Vars: map[string][]string{"fill": {"s", "used"}, "round": with(), "turn": with("s"), "ask": with("s", "z", "rest", "key")},
		Define: func(r *Run) {
			positive(r, "k")
			keys(r, "h", "out", nil)
			r.Define("top", arm64.Mul(r.Pool, r.Sub(r.Get("k"), r.N(1)), r.Get("step")))
		},
		Step: func(r *Run) {
			n := r.Get("n")
			further := func(s *term.Term) { // to the slot after s, or to the next round
				if s = r.Add(s, r.N(1)); !r.If(r.Eq(s, r.Get("used"))) {
					r.Set("s", s)
					r.Go("turn")
					return
				}
				r.Set("most", r.Sub(r.Get("most"), r.N(1)))
				r.Go("round")
			}
			switch r.At {
			case "entry":
				for _, v := range q.totals {
					r.Set(v, r.N(0))
				}
				if r.If(r.Eq(n, r.N(0))) {
					finish(r)
					return
				}
				r.Set("s", r.N(0))
				r.Set("used", r.Ite(r.Slt(n, r.N(ringSlots)), n, r.N(ringSlots)))
				r.Go("fill")
			case "fill":
				s := r.Get("s")
				ask(r, s, q.start(r, s), r.Get("k"), s)
				if r.Next("s"); !r.If(r.Eq(r.Get("s"), r.Get("used"))) {
					r.Go("fill")
					return
				}
				for _, v := range q.totals {
					r.Set(v, r.N(0))
				}
				r.Set("next", r.Get("used"))
				r.Set("most", r.Get("k"))
				r.Go("round")
			case "round":
				r.Set("s", r.N(0))
				r.Go("turn")
			case "turn":
				w := r.Slot(r.Get("s"))
				p, z, rest, key := w[0], w[1], w[2], w[3]
				r.Claim(r.Ult(key, n))
				switch more := q.test(r, p, rest, key); {
				case !r.If(r.Eq(more, r.N(0))) && !r.If(r.Eq(rest, r.N(0))):
				case !r.If(r.Eq(n, r.Get("next"))):
					key, rest = r.Get("next"), r.Get("k")
					z = q.start(r, key)
					r.Next("next")
					r.Set("most", r.Get("k"))
				default: // the last slot takes the place of this one
					last := r.Sub(r.Get("used"), r.N(1))
					r.PutSlot(r.Get("s"), r.Slot(last)...)
					r.Set("used", last)
					switch {
					case !r.If(r.Eq(last, r.Get("s"))):
						r.Go("turn")
					case !r.If(r.Eq(last, r.N(0))):
						r.Go("round")
					default:
						finish(r)
					}
					return
				}
				r.Set("z", z)
				r.Set("rest", rest)
				r.Set("key", key)
				r.Go("ask")
			case "ask":
				ask(r, r.Get("s"), r.Get("z"), r.Get("rest"), r.Get("key"))
				further(r.Get("s"))
			}
		},
	}
}

func init() {
	one := ring{
		args: args(octets("out"), words("words", "h"), scalars("k", "span", "step")), results: scalars("found"),
		begin: func(*Run, *term.Term) {}, totals: []string{"found"},
		test: func(r *Run, p, rest, key *term.Term) *term.Term {
			b := bit(r, p)
			r.Store("out", key, b)
			add(r, "found", r.Ite(r.Eq(rest, r.N(0)), b, r.N(0)))
			return b
		},
	}
	pair := ring{
		args:  args(octets("out"), words("pair", "h"), scalars("k", "span", "step")),
		begin: func(r *Run, key *term.Term) { r.Store("out", key, r.N(3)) },
		test: func(r *Run, p, rest, key *term.Term) *term.Term {
			// The answer so far has no bit above bit 1. So it does not matter that b has the bits after the position too.
			at := r.Mul(r.N(2), r.Lshr(p, r.N(6)))
			a, b := r.Lshr(r.Load("pair", at), low(r, p)), r.Lshr(r.Load("pair", r.Add(at, r.N(1))), low(r, p))
			both := r.BvAnd(r.Zext(r.Load("out", key), 64), r.Concat(r.Extract(b, 0, 63), r.Extract(a, 0, 1)))
			r.Store("out", key, both)
			return both
		},
	}
	for _, hint := range []string{"", "NTA"} {
		twins["ContainsRing"+hint+"NEON"] = one.twin()
		twins["ContainsPairRing"+hint+"NEON"] = pair.twin()
	}
}
