package follow

import (
	"fmt"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/arm64"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// This file has the twins of functions in kernel/asm/block_portable.go. There are twins only for blocks of the shapes
// that have kernels. The package comment says what a twin is. In a twin, the hash of key i begins at h[at], where the
// variable "at" is 2*i. The blocks have indices, and the variable "number" is the index of the key's block.

// The type "shape" describes blocks in which a key has one position in each of 8 parts. A part has 2^bits bits. The
// field "size" is the number of 64-bit words in a block.
type shape struct{ size, bits uint64 }

var shape64, shape32 = shape{8, 6}, shape{4, 5}

// The hash word h0 selects a block. The method "line" sets the variable "number" to the index of this block. It is a
// variable of the twin. The twin describes the portable function by terms. The method assumes that the block lies
// inside the slice "words".
func (s shape) line(r *Run, h0 *term.Term) {
	number := arm64.MulHigh(r.Pool, h0, r.Get("blocks"))
	first := r.Mul(r.N(s.size), number)
	r.Assume(r.Ule(first, r.Len("words")))
	r.Assume(r.Ule(r.N(s.size), r.Sub(r.Len("words"), first)))
	r.Set("number", number)
}

// The method "word" handles word j of the current key's block. It returns the index of this word in the slice "words".
func (s shape) word(r *Run, j *term.Term) *term.Term {
	return r.Add(r.Mul(r.N(s.size), r.Get("number")), j)
}

// The method "define" returns a function that defines a variable of the twin. The variable is called "blocks", and
// its value is the number of whole blocks in the slice "words". If "many" is true, this function also defines the
// variable n as the number of keys.
func (s shape) define(many bool) func(r *Run) {
	return func(r *Run) {
		by := map[uint64]uint64{8: 3, 4: 2}[s.size]
		if r.Set("blocks", r.Lshr(r.Len("words"), r.N(by))); many {
			keys(r, "h", "out", nil)
		}
	}
}

// The method "places" returns the positions that the hash word x selects, one for each part of the block. For each
// position, the first result has the index of a word in the block. The second result has the number of the bit in that
// word.
func (s shape) places(r *Run, x *term.Term) (word []uint64, bit []*term.Term) {
	for j := range uint64(8) {
		b := r.BvAnd(r.Lshr(x, r.N(j*s.bits)), r.N(1<<s.bits-1))
		if s.bits == 5 {
			word = append(word, j/2)
			b = r.Add(b, r.N(j%2*32))
		} else {
			word = append(word, j)
		}
		bit = append(bit, b)
	}
	return word, bit
}

// The method "contains" returns 1 if the bits at all positions of a key are set, and 0 if not. The key's hash
// consists of the words h0 and h1.
func (s shape) contains(r *Run, h0, h1 *term.Term) *term.Term {
	s.line(r, h0)
	var of []*term.Term
	for j := range s.size {
		of = append(of, r.Load("words", s.word(r, r.N(j))))
	}
	word, bit := s.places(r, h1)
	all := r.N(1)
	for j := range word {
		all = r.BvAnd(all, r.Leaf(r.Lshr(of[word[j]], bit[j])))
	}
	return all
}

// The method "add" sets the bits at the positions of a key, and returns how many of them were clear. The key's hash
// consists of the words h0 and h1.
func (s shape) add(r *Run, h0, h1 *term.Term) *term.Term {
	s.line(r, h0)
	word, bit := s.places(r, h1)
	fresh := r.N(0)
	for w := range s.size {
		old := r.Load("words", s.word(r, r.N(w)))
		new := old
		for j := range word {
			if word[j] == w {
				new = r.BvOr(new, r.Shl(r.N(1), bit[j]))
				fresh = r.Add(fresh, r.BvAnd(r.Lshr(r.BvNot(old), bit[j]), r.N(1)))
			}
		}
		r.Store("words", s.word(r, r.N(w)), new)
	}
	return fresh
}

// The method "loop" returns the twin of a function that processes many keys. The twin calls f for each key. Its
// result is the sum of the results of f. Its answer for a key is true if f returns a number other than 0 for this key.
func (s shape) loop(result string, f func(r *Run, h0, h1 *term.Term) *term.Term) Twin {
	return Twin{
		Args: args(octets("out"), words("words", "h"), scalars("ahead")), Results: scalars(result),
		Vars: map[string][]string{"key": {"i", "at", result}}, Define: s.define(true),
		Step: func(r *Run) {
			switch {
			case r.At == "entry":
				for _, v := range []string{"i", "at", result} {
					r.Set(v, r.N(0))
				}
				if r.If(r.Eq(r.Get("blocks"), r.N(0))) {
					r.Return(r.N(0))
					return
				}
				r.Go("key")
			case r.Less(r.Get("i"), r.Get("n")):
				at := r.Get("at")
				v := f(r, r.Load("h", at), r.Load("h", r.Add(at, r.N(1))))
				r.Store("out", r.Get("i"), truth(r, r.Not(r.Eq(v, r.N(0)))))
				add(r, result, v)
				r.Next("i")
				r.Set("at", r.Add(at, r.N(2)))
				r.Go("key")
			default:
				r.Return(r.Get(result))
			}
		},
	}
}

// The method "one" returns the twin of a function for one key. The argument f defines how the twin processes this key.
func (s shape) one(result Arg, f func(r *Run, h0, h1 *term.Term) *term.Term) Twin {
	return Twin{
		Args: args(words("words"), scalars("h0", "h1")), Results: []Arg{result}, Define: s.define(false),
		Step: func(r *Run) {
			if r.If(r.Eq(r.Get("blocks"), r.N(0))) {
				r.Return(r.N(0))
				return
			}
			r.Return(f(r, r.Get("h0"), r.Get("h1")))
		},
	}
}

func init() {
	for name, s := range map[string]shape{"8x64": shape64, "8x32": shape32} {
		twins["BlockContains"+name+"NEON"] = s.loop("found", s.contains)
		twins["BlockAdd"+name+"NEON"] = s.loop("fresh", s.add)
		twins["BlockContains"+name+"OneNEON"] = s.one(Arg{Name: "found", Bytes: 1}, s.contains)
		twins["BlockAdd"+name+"OneNEON"] = s.one(Arg{Name: "fresh", Bytes: 8}, s.add)
	}
}

// The function "numbered" returns n names. They consist of the given name and the numbers 0, 1 and so on.
func numbered(name string, n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprint(name, i))
	}
	return out
}

// The following twin looks up k independent positions in a block of 512 bits. A word of the key's hash stream gives 7
// positions. The twin reads the 8 words of the block only once, into the variables w0 to w7. The portable function
// reads a word for each position. Both have the same result, because nothing is stored in between. The twin has read
// some words of the hash stream so far. Consider the first position from each of these words. Bit 0 of the variable a0
// is 1 if the filter's bits are set at all these positions. In the same way, the variables a1 to a6 stand for the
// second to the seventh positions.
var seen, line = numbered("a", 7), numbered("w", 8)

// bits512 returns seven words, one for each position that the present word of the hash stream gives. The lowest bit of
// a returned word is the filter's bit at that position.
func bits512(r *Run) (out []*term.Term) {
	x := r.Get("x")
	for j := range uint64(7) {
		at := r.Extract(x, int(9*j+6), 3)
		w := r.Get("w7")
		for k := range uint64(7) {
			w = r.Ite(r.Eq(at, r.Value(3, k)), r.Get(line[k]), w)
		}
		out = append(out, r.Lshr(w, r.BvAnd(r.Lshr(x, r.N(9*j)), r.N(63))))
	}
	return out
}

// begins512 starts the look-up of a key in a block of 512 bits, and sets the twin's variables for it.
func begins512(r *Run, h0, h1 *term.Term) {
	shape64.line(r, h0)
	for j, w := range line {
		r.Set(w, r.Load("words", shape64.word(r, r.N(uint64(j)))))
	}
	for _, a := range seen {
		r.Set(a, r.N(1))
	}
	r.Set("gamma", r.BvOr(h0, r.N(1)))
	r.Set("x", h1)
	r.Set("z", h1)
	r.Go("word")
}

// whole512 processes a word of the hash stream. All 7 positions of this word belong to the key. It then computes the
// next word of the stream.
func whole512(r *Run) {
	for j, b := range bits512(r) {
		r.Set(seen[j], r.BvAnd(r.Get(seen[j]), r.BvAnd(b, r.N(1))))
	}
	r.Set("z", r.Add(r.Get("z"), r.Get("gamma")))
	r.Set("x", mix(r.Pool, r.Get("z")))
	r.Go("word")
}

// last512 processes the last word of the key's hash stream. Only the first positions that this word gives belong to the
// key. The number of these positions is the argument "most" plus 1. It returns 1 if the bits at all positions of the
// key are set, and 0 if not.
func last512(r *Run, most *term.Term) *term.Term {
	all := r.BvAnd(r.Leaf(r.Get("a0")), r.N(1))
	for j, b := range bits512(r) {
		if j > 0 {
			b = r.BvOr(b, r.Ite(r.Ult(most, r.N(uint64(j))), r.N(1), r.N(0)))
		}
		all = r.BvAnd(all, r.Leaf(r.BvAnd(r.Get(seen[j]), b)))
	}
	return all
}

var words512 = append(append([]string{"x", "z", "gamma"}, seen...), line...)

// contains512 returns the twin that looks up many keys in blocks of 512 bits. The positions of a key come from several
// words of its hash stream. In the twin, the variable "more" counts all of these words except the last one. The last
// word gives 1 to 7 positions of the key, and the variable "last" is their number.
func contains512() Twin {
	t := shape64.loop("found", nil)
	t.Args = args(octets("out"), words("words", "h"), scalars("k", "ahead"))
	t.Vars["word"] = append([]string{"i", "at", "found", "c"}, words512...)
	t.Define = func(r *Run) {
		positive(r, "k")
		shape64.define(true)(r)
		first := r.Sub(r.Get("k"), r.N(1))
		more := arm64.Quotient(r.Pool, first, r.N(7))
		r.Define("rest", canonical(r.Pool, r.Sub(first, arm64.Mul(r.Pool, more, r.N(7)))))
		rest := r.Get("rest")
		r.Assume(r.Ult(rest, r.N(7))) // a remainder is less than the divisor
		r.Set("more", more)
		r.Set("last", r.Add(rest, r.N(1)))
		for i := range 2 {
			var lanes []*term.Term // the top bit is 1 in lanes that have no position of the last word
			for l := range 4 {
				lane := r.Ite(r.Ult(rest, r.N(uint64(4*i+l))), r.Value(16, 0x8000), r.Value(16, 0))
				if 4*i+l == 0 {
					lane = r.Value(16, 0)
				} else if 4*i+l == 7 {
					lane = r.Value(16, 0x8000)
				}
				lanes = append(lanes, lane)
			}
			r.Set(fmt.Sprint("part", i), r.Join(lanes...))
		}
	}
	entry := t.Step
	t.Step = func(r *Run) {
		switch {
		case r.At == "entry" || r.At == "key" && !r.Less(r.Get("i"), r.Get("n")):
			entry(r)
		case r.At == "key":
			r.Set("c", r.Get("more"))
			begins512(r, r.Load("h", r.Get("at")), r.Load("h", r.Add(r.Get("at"), r.N(1))))
		case !r.If(r.Eq(r.Get("c"), r.N(0))):
			r.Set("c", r.Sub(r.Get("c"), r.N(1)))
			whole512(r)
		default:
			all := last512(r, r.Sub(r.Get("last"), r.N(1)))
			r.Store("out", r.Get("i"), all)
			add(r, "found", all)
			r.Next("i")
			r.Set("at", r.Add(r.Get("at"), r.N(2)))
			r.Go("key")
		}
	}
	return t
}

// begin512 starts the addition of a key to a block of 512 bits, and sets the twin's variables for it.
func begin512(r *Run, h0, h1 *term.Term) {
	shape64.line(r, h0)
	r.Set("gamma", r.BvOr(h0, r.N(1)))
	r.Set("x", h1)
	r.Set("z", h1)
	r.Set("left", r.Get("k"))
	r.Set("new", r.N(0))
	r.Go("word")
}

// add512 does one step of the addition of a key. The step begins at one of two locations, "word" or "set". The result
// reports whether the addition of the key is finished.
func add512(r *Run) (done bool) {
	left, x := r.Get("left"), r.Get("x")
	if r.At == "word" {
		turns := r.Ite(r.Slt(left, r.N(7)), left, r.N(7))
		r.Set("turns", turns)
		r.Set("left", r.Sub(left, turns))
		r.Go("set")
		return false
	}
	at := shape64.word(r, r.Zext(r.Extract(x, 6, 3), 64))
	bit := r.BvAnd(x, r.N(63))
	old := r.Load("words", at)
	r.Store("words", at, r.BvOr(old, r.Shl(r.N(1), bit)))
	add(r, "new", r.BvAnd(r.Lshr(r.BvNot(old), bit), r.N(1)))
	r.Set("x", r.Lshr(x, r.N(9)))
	r.Set("turns", r.Sub(r.Get("turns"), r.N(1)))
	switch {
	case !r.If(r.Eq(r.Get("turns"), r.N(0))):
		r.Go("set")
	case !r.If(r.Eq(left, r.N(0))):
		r.Set("z", r.Add(r.Get("z"), r.Get("gamma")))
		r.Set("x", mix(r.Pool, r.Get("z")))
		r.Go("word")
	default:
		return true
	}
	return false
}

var vars512 = []string{"number", "gamma", "x", "z", "left", "new"}

func init() {
	twins["BlockContains512NEON"] = contains512()
	twins["BlockContains512OneNEON"] = Twin{
		Args: args(words("words"), scalars("h0", "h1", "k")), Results: []Arg{{Name: "found", Bytes: 1}},
		Vars: map[string][]string{"word": append([]string{"left"}, words512...)},
		Define: func(r *Run) {
			positive(r, "k")
			shape64.define(false)(r)
		},
		Step: func(r *Run) {
			left := r.vars["left"]
			switch {
			case r.At == "entry" && r.If(r.Eq(r.Get("blocks"), r.N(0))):
				r.Return(r.N(0))
			case r.At == "entry":
				r.Set("left", r.Get("k"))
				begins512(r, r.Get("h0"), r.Get("h1"))
			case r.Less(r.N(7), left):
				r.Set("left", r.Sub(left, r.N(7)))
				whole512(r)
			default:
				r.Return(last512(r, r.Sub(left, r.N(1))))
			}
		},
	}
	many := shape64.loop("fresh", nil)
	entry := many.Step
	many.Args = args(octets("out"), words("words", "h"), scalars("k", "ahead"))
	many.Vars["word"] = append([]string{"i", "at", "fresh"}, vars512...)
	many.Vars["set"] = append([]string{"turns"}, many.Vars["word"]...)
	many.Define = func(r *Run) {
		positive(r, "k")
		shape64.define(true)(r)
	}
	many.Step = func(r *Run) {
		switch {
		case r.At == "entry" || r.At == "key" && !r.Less(r.Get("i"), r.Get("n")):
			entry(r)
		case r.At == "key":
			begin512(r, r.Load("h", r.Get("at")), r.Load("h", r.Add(r.Get("at"), r.N(1))))
		case add512(r):
			r.Store("out", r.Get("i"), truth(r, r.Not(r.Eq(r.Get("new"), r.N(0)))))
			add(r, "fresh", r.Get("new"))
			r.Next("i")
			r.Set("at", r.Add(r.Get("at"), r.N(2)))
			r.Go("key")
		}
	}
	twins["BlockAdd512NEON"] = many
	twins["BlockAdd512OneNEON"] = Twin{
		Args: args(words("words"), scalars("h0", "h1", "k")), Results: scalars("fresh"),
		Vars: map[string][]string{"word": vars512, "set": append([]string{"turns"}, vars512...)},
		Define: func(r *Run) {
			positive(r, "k")
			shape64.define(false)(r)
		},
		Step: func(r *Run) {
			switch {
			case r.At == "entry" && r.If(r.Eq(r.Get("blocks"), r.N(0))):
				r.Return(r.N(0))
			case r.At == "entry":
				begin512(r, r.Get("h0"), r.Get("h1"))
			case add512(r):
				r.Return(r.Get("new"))
			}
		},
	}
}
