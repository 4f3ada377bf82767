package term

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"regexp"
	"slices"
)

// Swept is the result of the method Sweep, which divides a claim. The field Given has conditions, and the field Parts
// has claims. Suppose that these conditions imply each of these claims. Then the new claim, in the field Claim, implies
// the original claim.
type Swept struct {
	Given []*Term // those of the conditions that are about one variable
	Parts []*Term // equations
	Claim *Term
	named map[*Term]*Term
	p     *Pool
	same  map[*Term]*Term
	bound map[*Term]bool // whether a condition is about a variable of the term
}

// The constant "draws" is the number of random values that Sweep computes for each term. If two terms have the same
// values, Sweep guesses that they are equal.
const draws = 512

// Suppose that Sweep finds two equal terms. If they have at least this number of operations, Sweep writes a variable
// instead of each.
const large = 12

// A variable also replaces a smaller term that many operations share. The constant "least" is the smallest number of
// operations in such a term. The constant "shared" is the smallest number of operations that have this term as an
// argument.
const least, shared = 9, 8

// Sweep divides a claim into equations between its subterms, from the leaves up. It computes the subterms for random
// values of the variables. From the results it guesses which subterms are equal. Each guess is a part that must be
// proved. In the rest of the claim, one of the two subterms then replaces the other. If the two subterms are large, a
// new variable is written instead of both. So each part contains few operations, even if the claim contains many. If a
// guess is wrong, its part cannot be proved.
//
// Some of the given conditions contain only one variable. The random values of this variable satisfy these conditions.
// The parts assume these conditions. If a claim is false for most of the drawn values, it is not divided, and the
// result is nil. The result is also nil if a variable has the name of a new variable.
func (p *Pool) Sweep(given []*Term, claim *Term) *Swept {
	if slices.ContainsFunc(Leaves(append(given[:len(given):len(given)], claim)...), func(l *Term) bool { return isNew.MatchString(l.Name) }) {
		return nil
	}
	s := &Swept{p: p, same: map[*Term]*Term{}, named: map[*Term]*Term{}, bound: map[*Term]bool{}}
	claim = s.spread(claim)
	l := ListOf(claim)
	all := l.all
	about := map[*Term][]List{}
	for _, g := range conjuncts(given) {
		if l := Leaves(g); len(l) == 1 && l[0].Op == Var && slices.Contains(all, l[0]) {
			about[l[0]] = append(about[l[0]], ListOf(g))
			s.Given = append(s.Given, g)
		}
	}
	for _, g := range given {
		for _, l := range Leaves(g) {
			s.bound[l] = l.Op == Var
		}
	}
	kept := map[*Term][]uint64{}
	r := rand.New(rand.NewPCG(1, 2))
	for _, t := range all {
		if len(about[t]) > 0 {
			kept[t] = satisfying(r, t, about[t])
		}
	}
	values := make([][]uint64, len(all))
	near := neighbours(all)
	at := make(map[*Term]int, len(all))
	for i, t := range all {
		at[t], values[i] = i, make([]uint64, draws)
	}
	now := make([]uint64, len(all))
	for d := range draws {
		seed := r.Uint64()
		for i, t := range all {
			var v uint64
			switch t.Op {
			case Var:
				if v = drawn(r); len(kept[t]) > 0 {
					v = kept[t][r.IntN(len(kept[t]))]
				} else if seed>>2&3 == 0 && r.IntN(4) > 0 { // many are 0 at once
					v = 0
				}
				if o := near[t]; o != nil && seed>>4&3 == 0 {
					if w := (now[at[o]] + r.Uint64N(17) - 8) & Mask(t.Width); holds(about[t], w) {
						v = w
					}
				}
			case Apply:
				h := rand.NewPCG(seed, uint64(len(t.Name)))
				for _, c := range t.Name {
					h = rand.NewPCG(h.Uint64(), uint64(c))
				}
				for k, a := range t.Args {
					if a != nil {
						h = rand.NewPCG(h.Uint64(), now[l.args[i][k]])
					}
				}
				v = h.Uint64()
				for range seed & 3 { // with more ones than zeros
					v |= h.Uint64()
				}
			default:
				v = l.value(i, now)
			}
			if t.Width >= 0 {
				v &= Mask(t.Width)
			}
			now[i], values[i][d] = v, v
		}
	}
	true := 0
	for _, v := range values[len(all)-1] {
		true += int(v)
	}
	if true < draws/2 { // it needs the conditions
		return nil
	}
	above := map[*Term]int{}
	for _, t := range all {
		for _, a := range t.Args {
			above[a]++
		}
	}
	first := map[string]*Term{}
	for i, t := range all {
		n := s.rebuilt(t)
		s.same[t] = n
		if t.Op <= Var || t.Width == Memory || chained(n, values[i]) || !diverse(values[i]) {
			continue
		}
		key, not := make([]byte, 8*draws), make([]byte, 8*draws)
		for d, v := range values[i] {
			binary.LittleEndian.PutUint64(key[8*d:], v)
			binary.LittleEndian.PutUint64(not[8*d:], v^1)
		}
		old := first[string(key)]
		if old != nil {
			old = p.resized(old, t.Width)
		} else if o := first[string(not)]; o != nil && t.Width == 0 && o.Width == 0 {
			old = p.Not(o)
		}
		switch {
		case old == nil:
			first[string(key)] = n
		case old != n && !absorbs(n, old):
			of := root(old)
			s.Parts = append(s.Parts, p.Eq(s.name(n, n, of), s.name(old, n, of)))
			s.same[t] = old
			if of == old {
				s.cover(of, values[i], large)
			}
		}
		if above[t] >= shared {
			s.cover(s.same[t], values[i], least)
		}
	}
	s.Claim = s.name(s.same[claim])
	return s
}

// The names of new variables have this form.
var isNew = regexp.MustCompile(`^(part|any)\d+$`)

// The method "cover" replaces the term t by a variable on two conditions. Sweep was given some conditions. The
// variables of t must not occur in them. The argument "from" is the smallest number of operations that t must have. The
// new variable has just enough bits for the given random values of t. A further part claims that no value of t needs
// more bits than that.
func (s *Swept) cover(t *Term, values []uint64, from int) {
	if t.Width < 0 || s.named[t] != nil || s.isBound(t) || size(s.name(t, t)) < from || !diverse(values) {
		return
	}
	p, width := s.p, 0
	for _, v := range values {
		width = max(width, bits.Len64(v))
	}
	name := fmt.Sprintf("part%d", t.born) // see isNew
	if t.Width == 0 || width >= t.Width {
		s.named[t] = p.Var(name, t.Width)
		return
	}
	s.Parts = append(s.Parts, p.Eq(s.name(p.Extract(t, width, t.Width-width), t), p.Value(t.Width-width, 0)))
	s.named[t] = p.Zext(p.Var(name, width), t.Width)
}

// The function "size" returns the number of operations in a term. It does not count what is inside uninterpreted
// functions.
func size(t *Term) int {
	seen := map[*Term]bool{}
	var walk func(t *Term)
	walk = func(t *Term) {
		if t == nil || t.Op <= Apply || seen[t] {
			return
		}
		seen[t] = true
		for _, a := range t.Args {
			walk(a)
		}
	}
	walk(t)
	return len(seen)
}

func (s *Swept) isBound(t *Term) bool {
	b, known := s.bound[t]
	if !known {
		if t.Op != Apply {
			b = slices.ContainsFunc(t.Args[:], func(a *Term) bool { return a != nil && s.isBound(a) })
		}
		s.bound[t] = b
	}
	return b
}

// The function "absorbs" reports whether the term t combines the term "old" with another word by AND or OR. The other
// word is not a constant. The other word may hardly ever change a bit of "old". Then t and "old" have the same value
// for almost all inputs. Sweep would guess that the two terms are equal, and this guess would often be wrong.
func absorbs(t, old *Term) bool {
	if (t.Op != BvAnd && t.Op != BvOr) || t.Args[0].Op == Const || t.Args[1].Op == Const {
		return false
	}
	return t.Args[0] == old || t.Args[1] == old || absorbs(t.Args[0], old) || absorbs(t.Args[1], old)
}

// The function "chained" reports whether t is a quotient or a remainder. It also returns true if t combines two unknown
// conditions by AND or OR. With random values, it is rare that many such conditions are true at the same time. Suppose
// that a quotient is small for most values of its variables. Then random values hardly ever make the quotient large. So
// a guess about t would often be wrong.
func chained(t *Term, values []uint64) bool {
	switch t.Op {
	case And, Or, Div, Rem:
		return true
	case BvAnd, BvOr:
		return t.Args[0].Op != Const && t.Args[1].Op != Const && slices.Max(values) <= 1
	}
	return false
}

// The function "diverse" finds the most frequent of the values. It reports whether at least 16 values are different
// from this one. Suppose that a term almost always has the same value. Then a different term can have the same list of
// values by chance.
func diverse(values []uint64) bool {
	n := map[uint64]int{}
	most := 0
	for i, v := range values {
		n[v]++
		most = max(most, n[v])
		if i+1-most >= 16 { // further values do not make the difference smaller
			return true
		}
	}
	return false
}

// A condition in the given list may have the form "a AND b". The function "conjuncts" replaces such a condition by the
// two conditions a and b. It returns the new list.
func conjuncts(given []*Term) (out []*Term) {
	for _, g := range given {
		if g.Op == And {
			out = append(out, conjuncts(g.Args[:2])...)
		} else {
			out = append(out, g)
		}
	}
	return out
}

// In the claim, Sweep has replaced some terms. The method Of makes the same replacements in the condition t and returns
// the result.
func (s *Swept) Of(t *Term) *Term {
	t = s.p.Rewrite(t, func(t *Term) *Term { return s.same[t] })
	return s.name(t)
}

// The method "name" returns t with variables in place of large subterms. It does not replace the terms that are
// passed after t.
func (s *Swept) name(t *Term, but ...*Term) *Term {
	return s.p.Rewrite(t, func(t *Term) *Term {
		if slices.Contains(but, t) {
			return nil
		}
		return s.named[t]
	})
}

// For each argument of t, Sweep has chosen a term that replaces the argument. The method "rebuilt" returns the term t
// with these replacements.
func (s *Swept) rebuilt(t *Term) *Term {
	c := *t
	for i, a := range t.Args {
		if a != nil {
			c.Args[i] = s.same[a]
		}
	}
	if t.Op == Eq && c.Args[0] == c.Args[1] {
		return s.p.Bool(true)
	}
	if t.Op == Not {
		return s.p.Not(c.Args[0])
	}
	return s.p.get(c)
}

// The method "resized" returns t, extended or cut to the given width. A truth value counts as a term with the value
// 0 or 1.
func (p *Pool) resized(t *Term, width int) *Term {
	switch {
	case t.Width == width:
		return t
	case t.Width == 0:
		return p.Ite(t, p.Value(width, 1), p.Value(width, 0))
	case width == 0:
		return p.Not(p.Eq(t, p.Value(t.Width, 0)))
	case t.Width > width:
		return p.Extract(t, 0, width)
	}
	return p.Zext(t, width)
}

// The function "resized" changes the width of a term. If t looks like the result of such a change, the function "root"
// returns the original term.
func root(t *Term) *Term {
	switch {
	case t.Op == Zext, t.Op == Extract && t.Lo == 0:
		return t.Args[0]
	case t.Op == Ite && t.Args[1].Is(1) && t.Args[2].Is(0):
		return t.Args[0]
	case t.Op == Not && t.Args[0].Op == Eq && t.Args[0].Args[1].Is(0):
		return t.Args[0].Args[0]
	case t.Op == Not:
		return t.Args[0]
	}
	return t
}

// The function "drawn" returns a random word of 64 bits. Most words are uniformly distributed; the others are of
// special kinds, such as small numbers.
func drawn(r *rand.Rand) (v uint64) {
	switch r.IntN(8) {
	case 0: // a small number
		v = r.Uint64() & Mask(1+r.IntN(64))
	case 1: // zeros and ones in fields of one width
		w := 1 + r.IntN(16)
		for at := 0; at < 64; at += w {
			v |= -(r.Uint64() & 1) & Mask(w) << at
		}
	case 2: // more ones than zeros
		v = r.Uint64() | r.Uint64() | r.Uint64()
	default:
		v = r.Uint64()
	}
	return v
}

// The argument of the function "neighbours" is a list of terms. The returned map contains pairs of a variable x and a
// variable y. The variable y comes before x in the list, and both occur in the operands of one comparison. Independent
// random values of x and y hardly ever lie close together. With such values, x < y and x + 1 < y almost always have the
// same truth value. So Sweep would guess that they are equal, and this guess is wrong.
func neighbours(all []*Term) map[*Term]*Term {
	out := map[*Term]*Term{}
	for _, t := range all {
		if (t.Op != Ult && t.Op != Slt) || t.Args[0].Width != 64 {
			continue
		}
		var of []*Term
		for _, a := range t.Args[:2] {
			for v := range Linearize(a).Of {
				if v.Op == Var {
					of = append(of, v)
				}
			}
		}
		slices.SortFunc(of, func(a, b *Term) int { return slices.Index(all, a) - slices.Index(all, b) })
		if of = slices.Compact(of); len(of) > 1 {
			out[of[len(of)-1]] = of[0]
		}
	}
	return out
}

// All conditions in the list "about" contain the same variable, and no other. The function "holds" reports whether they
// all hold if this variable has the value v.
func holds(about []List, v uint64) bool {
	return !slices.ContainsFunc(about, func(l List) bool {
		values := make([]uint64, 0, 64)
		for i, t := range l.all {
			if t.Op == Var {
				values = append(values, v)
			} else {
				values = append(values, l.value(i, values))
			}
		}
		return values[len(values)-1] == 0
	})
}

// The list "about" has conditions on the variable t. The function "satisfying" returns up to 128 random values of t for
// which all conditions hold. If it finds none, the result is empty.
func satisfying(r *rand.Rand, t *Term, about []List) (out []uint64) {
	for range 20000 {
		v := drawn(r) & Mask(t.Width)
		if holds(about, v) {
			if out = append(out, v); len(out) == 128 {
				break
			}
		}
	}
	return out
}

// The function "ordered" returns the term t and all its subterms, each once. Each term comes after its arguments.
func ordered(t *Term) (out []*Term) {
	walked([]*Term{t}, func(t *Term) { out = append(out, t) })
	return out
}

// Size returns the number of different subterms of t, including t itself.
func Size(t *Term) (n int) {
	walked([]*Term{t}, func(*Term) { n++ })
	return n
}

// The method "spread" rewrites the term t. It writes each condition x|y = 0 as the conjunction of x = 0 and y = 0.
// Concat may have joined a word x from parts. Then the condition x = 0 is written as a conjunction: all parts are 0. A
// further part of the claim says that both forms are equal, for arbitrary words.
func (s *Swept) spread(t *Term) *Term {
	p := s.p
	known := map[*Term]*Term{}
	for _, t := range ordered(t) {
		n := t
		if t.Op != Const && t.Op != Var {
			c := *t
			for i, a := range t.Args {
				if a != nil {
					c.Args[i] = known[a]
				}
			}
			n = p.get(c)
		}
		if n.Op == Eq && n.Args[1].Is(0) && n.Args[1].Op == Const && n.Args[0].Width > 0 {
			if zeros := s.zeros(n.Args[0]); len(zeros) > 1 {
				var all []*Term
				for _, z := range zeros {
					all = append(all, p.Eq(z, p.Value(z.Width, 0)))
				}
				and := p.And(all...)
				s.Parts = append(s.Parts, p.Rewrite(p.Eq(n, and), func(t *Term) *Term {
					switch t.Op {
					case Eq, And, BvOr, BvAnd, BvNot, Concat, Zext, Const, Extract:
						return nil
					}
					return p.Var(fmt.Sprintf("any%d", t.born), t.Width)
				}))
				n = and
			}
		}
		known[t] = n
	}
	return known[t]
}

// The method "zeros" returns a list of terms. All of these terms are 0 if and only if t is 0.
func (s *Swept) zeros(t *Term) []*Term {
	a, b := t.Args[0], t.Args[1]
	switch t.Op {
	case BvOr, Concat:
		return append(s.zeros(a), s.zeros(b)...)
	case Zext:
		return s.zeros(a)
	case BvAnd:
		for _, x := range []*Term{a, b} {
			if x.Op == BvNot {
				x = x.Args[0]
			}
			if x.Op == Concat {
				w := x.Args[1].Width
				return append(s.zeros(s.p.BvAnd(s.cut(a, w, t.Width), s.cut(b, w, t.Width))), s.zeros(s.p.BvAnd(s.cut(a, 0, w), s.cut(b, 0, w)))...)
			}
		}
	}
	if t.Is(0) && t.Op == Const {
		return nil
	}
	return []*Term{t}
}

// The method "cut" returns a part of t: the bits with numbers i, where from <= i < to.
func (s *Swept) cut(t *Term, from, to int) *Term {
	if t.Op == BvNot {
		return s.p.BvNot(s.cut(t.Args[0], from, to))
	}
	return s.p.Extract(t, from, to-from)
}
