package simulate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/semantics"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// A twin can have an array of its own. This array has several records, which are numbered from 0, and each record has
// the same number of words. At the beginning, the words have arbitrary values. In the kernel, the array is a region of
// the stack frame. No slice overlaps the frame. So the words of the array are part of the memory that is compared: the
// kernel and the twin store the same words at the same places of the array, in the same order.
//
// The twin can also say what holds for a word of a record, such as that it is a position inside the words. The claims
// imply that this holds for every word that was stored, by induction on the number of steps. It is claimed for a word
// at each place where the kernel stores one, from what is known there, before anything is stored or loaded later. So
// it may be assumed for a word that is loaded, if the word was stored before. That is claimed from what is known before
// the load. The line "filled" of a loop head says how
// many records, from the first one on, have been stored there. On a path from one loop head to another, a record
// becomes one of these only if the path stores each of its words about which the twin says something. A load may be of
// a word of a filled record, or of a word that the same path has stored. No other store changes the array: the values
// that the frame has elsewhere lie outside the region, and each access to the array is claimed to be inside it.
type records struct {
	name     string
	n, words int
	holds    map[int]expression // by the number of the word in its record; the name v stands for the word
}

// The type "put" is a store to a word of a record.
type put struct {
	word   int        // its number in the record
	offset *term.Term // of the record, in bytes from the first record
	value  *term.Term
	at     uint64       // the address of the instruction
	given  []*term.Term // the conditions that were known there
}

func (r *records) size() uint64 { return uint64(8 * r.words) }

// The method "names" returns the names of the variables in what the twin says about its records.
func (r *records) names() (out []string) {
	var of func(e expression)
	of = func(e expression) {
		if e.op == "name" && e.name != "v" {
			out = append(out, e.name)
		}
		for _, a := range e.of {
			of(a)
		}
	}
	for _, e := range r.holds {
		of(e)
	}
	return out
}

// The method "truth" returns what the twin says about a word, with the given value, of a record.
func (r *records) truth(word int, v *term.Term, s scope) *term.Term {
	names := s.names
	s.names = func(name string) *term.Term {
		if name == "v" {
			return v
		}
		return names(name)
	}
	return s.truth(r.holds[word])
}

// The method "records" gives a region of the frame to the twin's records. It begins so many bytes below the return
// address as the invariants file says.
func (e *executor) records(x *path) {
	r := e.twin.records
	if r == nil {
		return
	}
	if len(r.holds) > 0 && r.size()&(r.size()-1) != 0 { // a multiple of another size may be none modulo 2^64
		fail("the size of a record is no power of two")
	}
	e.in.value["len("+r.name+")"] = e.pool.Value(64, uint64(r.n*r.words))
	e.in.slices[r.name] = 8
	if e.rounded != nil {
		e.in.value[r.name] = e.pool.Add(e.rounded, e.pool.Value(64, e.sec.below))
		return
	}
	below := int64(e.sec.below)
	if n := int64(r.size()) * int64(r.n); below%8 != 0 || n > below {
		fail("%d bytes of records do not begin %d bytes below the return address", n, below)
	} else {
		x.region = [2]int64{-below, n - below}
	}
	e.in.value[r.name] = e.pool.Sub(e.in.value["SP"], e.pool.Value(64, e.sec.below))
}

// The method "recorded" reports whether n bytes at an address belong to a word of a record. If the address is not a
// constant distance from the return address, that is still to be claimed.
func (x *path) recorded(at *term.Term, n int) bool {
	r, l := x.e.twin.records, term.Linearize(at)
	if r == nil || l.Of[x.e.frame()] != 1 {
		return false
	}
	if x.e.rounded != nil {
		first, size := x.e.in.value[r.name], r.size()*uint64(r.n)
		l = l.Minus(term.Linearize(first))
		if len(l.Of) == 0 && (l.Const > size || l.Const+uint64(n) > size) {
			return false
		}
		x.aligned(first, int(size)) // which must be inside the frame, with no other value there
		return true
	}
	if d, known := x.depth(at); known && (d < x.region[0] || x.region[1] < d+int64(n)) {
		return false
	}
	if low, known := x.lowest(); !known || low > x.region[0] {
		semantics.Fail("the records lie outside the frame")
	}
	return true
}

// The method "part" returns the number of the word at an address in its record, and the distance in bytes of this
// record from the first one.
func (x *path) part(at *term.Term) (word int, offset *term.Term) {
	r := x.e.twin.records
	l := term.Linearize(at).Minus(term.Linearize(x.e.in.value[r.name]))
	for _, k := range l.Of {
		if k%r.size() != 0 {
			semantics.Fail("%s is an unknown word of a record", at)
		}
	}
	in := l.Const % r.size()
	if in%8 != 0 {
		semantics.Fail("%s is not the address of a word of a record", at)
	}
	l.Const -= in
	return int(in / 8), x.m.Linear(l)
}

// The method "loaded" handles the word v, which was loaded from a record. What the twin says about it is known from here
// on. It claims that the word was stored.
func (x *path) loaded(at, v *term.Term) {
	p, r := x.m.Pool, x.e.twin.records
	word, offset := x.part(at)
	if _, ok := r.holds[word]; !ok {
		return
	}
	if v.Width != 64 {
		semantics.Fail("a load of %d bits from a word of a record about which the twin says something", v.Width)
	}
	stored := p.Bool(false)
	if x.e.filled != nil {
		stored = p.Ult(offset, p.Mul(p.Value(64, r.size()), x.e.filled))
	}
	for _, s := range x.puts {
		if s.word == word {
			stored = p.Or(stored, p.Eq(offset, s.offset))
		}
	}
	x.claim("a record that is filled", stored)
	x.claims[len(x.claims)-1].before = true
	x.assumed = append(slices.Clip(x.assumed), len(x.given))
	x.given = append(slices.Clip(x.given), r.truth(word, v, x.e.in.scope(x.e.vars, nil)))
}

// The method "stored" handles the word v, which was stored in a record.
func (x *path) stored(at, v *term.Term) {
	if v.Width != 64 {
		semantics.Fail("a store of %d bits in a record", v.Width)
	}
	word, offset := x.part(at)
	x.puts = append(slices.Clip(x.puts), put{word, offset, v, x.at, slices.Clip(x.given)})
}

// Some conditions of a path are assumptions about words that were loaded from records. The method "until" returns the
// conditions without those assumptions that are not among the first n conditions.
func (x *path) until(n int) (out []*term.Term) {
	for i, g := range x.given {
		if i < n || !slices.Contains(x.assumed, i) {
			out = append(out, g)
		}
	}
	return out
}

// The steps of the twin to the state s do not end where the path x does. So the proof claims that the conditions
// contradict one another. They may contradict one another only because of an assumption about a word that was loaded
// from a record. So the method "dead" makes the claims that justify these assumptions.
func (e *executor) dead(x *path, where string, s state) {
	for _, c := range x.claims {
		if c.before && !c.is.Is(1) {
			e.oblige(fmt.Sprintf("from %s %s: %s", e.name(e.from), where, c.what), append(x.until(len(c.given)), s.given...), c.is)
		}
	}
	e.put(x, where, s)
}

// The path x ends where the text "where" says, and the twin is in the state s. The method "put" makes the claims about
// the words of records that were stored.
func (e *executor) put(x *path, where string, s state) {
	r := e.twin.records
	if r == nil {
		return
	}
	sc := e.in.scope(s.vars, nil)
	for _, name := range r.names() {
		if e.from >= 0 && e.vars[name] != s.vars[name] {
			fail("the twin changes %s, on which its records depend", name)
		}
	}
	for _, q := range x.puts {
		if _, ok := r.holds[q.word]; ok {
			what := fmt.Sprintf("from %s %s: at %#x: what holds for word %d of a record", e.name(e.from), where, q.at, q.word)
			given := q.given
			if s.dead != "" {
				given = x.until(len(given))
			}
			if c := r.truth(q.word, q.value, sc); !c.Is(1) {
				e.oblige(what, append(slices.Clone(given), s.given...), c)
			}
		}
	}
}

// The path x ends at the loop head "to", and the twin is in the state s. The method "kept" makes the claims about the
// records that are filled there.
func (e *executor) kept(x *path, to headOf, s state, claim func(string, *term.Term)) {
	p, r := e.pool, e.twin.records
	if r == nil {
		return
	}
	e.put(x, "to "+to.name, s)
	sc := e.in.scope(s.vars, nil)
	if to.filled == nil {
		return
	}
	filled, i, size := sc.word(*to.filled), p.Var("record", 64), p.Value(64, r.size())
	for word := range r.words {
		if _, ok := r.holds[word]; !ok || filled == e.filled {
			continue
		}
		was := p.Not(p.And(p.Ult(i, p.Value(64, uint64(r.n))), p.Ult(i, filled)))
		if e.filled != nil {
			was = p.Or(was, p.Ult(i, e.filled))
		}
		for _, q := range x.puts {
			if q.word == word {
				was = p.Or(was, p.Eq(p.Mul(size, i), q.offset))
			}
		}
		claim(fmt.Sprintf("filled records, word %d", word), was)
	}
}

// The method "readRecords" reads the lines of a twin about its records.
func (t *Twin) readRecords(line string) error {
	if strings.HasPrefix(line, "records ") {
		r := records{holds: map[int]expression{}}
		t.records = &r
		_, err := fmt.Sscanf(line, "records %s %d %d", &r.name, &r.n, &r.words)
		t.stores[r.name] = true
		return err
	}
	var word int
	left, right, _ := strings.Cut(line, ": ")
	if _, err := fmt.Sscanf(left, "holds %d", &word); err != nil || t.records == nil {
		return fmt.Errorf("%q", line)
	}
	e, err := parse(right)
	t.records.holds[word] = e
	return err
}
