package simulate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/semantics"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// A twin can have arrays of its own. Such an array has several records, which are numbered from 0, and each record has
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
//
// What holds for the words of a loose array need not hold for a word that is stored in a record, if the record is not
// filled at the end of the path. No path loads a word of a loose array that has stored one before.
type records struct {
	name     string
	n, words int
	loose    bool
	holds    map[int]expression // by the number of the word in its record; the name v stands for the word

	// The following fields belong to an execution of the kernel.
	base   *term.Term // the term from which the address of the array has a constant distance
	from   int64      // this distance
	filled *term.Term // the number of records that are filled at the beginning of the path; nil if there are none
}

// The type "put" is a store to a word of a record.
type put struct {
	of     *records
	word   int        // its number in the record
	offset *term.Term // of the record, in bytes from the first record
	value  *term.Term
	at     uint64       // the address of the instruction
	given  []*term.Term // the conditions that were known there
}

// The type "named" is a line of the invariants file about the records with a name.
type named struct {
	name string
	is   expression
}

func (r *records) size() uint64 { return uint64(8 * r.words) }

func (r *records) bytes() int64 { return int64(8 * r.words * r.n) }

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

// The method "records" gives regions of the frame to the twin's arrays, at the addresses in the invariants file.
func (e *executor) records(x *path) {
	p := e.pool
	for _, r := range e.twin.records {
		if len(r.holds) > 0 && r.size()&(r.size()-1) != 0 { // a multiple of another size may be none modulo 2^64
			fail("the size of a record is no power of two")
		}
		r.filled = nil
		e.in.value["len("+r.name+")"] = p.Value(64, uint64(r.n*r.words))
		e.in.slices[r.name] = 8
	}
	switch r := e.twin.only(); {
	case len(e.sec.places) > 0 && e.rounded != nil:
		fail("names of records, and a line rounded")
	case len(e.sec.places) > 0:
		e.regions(x)
	case r == nil && e.several():
		fail("no addresses of the records")
	case r == nil:
	case e.rounded != nil:
		e.in.value[r.name] = p.Add(e.rounded, p.Value(64, e.sec.below))
	default:
		below := int64(e.sec.below)
		if below%8 != 0 || r.bytes() > below {
			fail("%d bytes of records do not begin %d bytes below the return address", r.bytes(), below)
		}
		x.region = [2]int64{-below, r.bytes() - below}
		r.base, r.from = e.in.value["SP"], -below
		e.in.value[r.name] = p.Sub(r.base, p.Value(64, e.sec.below))
	}
}

// The method "regions" gives the regions of the lines "records" with names to the twin's arrays. Such an address has a
// constant distance from the return address, or it has one after it was rounded to a multiple of a power of two. If it is
// rounded, the stack must lie below the address 2^63, as the slices do.
func (e *executor) regions(x *path) {
	p := e.pool
	stack := e.in.value["SP"]
	for i, r := range e.twin.records {
		k := slices.IndexFunc(e.sec.places, func(q named) bool { return q.name == r.name })
		if k < 0 {
			fail("no address of the records %s", r.name)
		}
		address := e.scope(nil, &x.m.State, x.frame).word(e.sec.places[k].is)
		l := term.Linearize(address)
		r.base, r.from = nil, int64(l.Const)
		for t, k := range l.Of {
			if r.base = t; k != 1 || len(l.Of) > 1 {
				fail("the address of the records %s is no sum of a term and a constant", r.name)
			}
		}
		top, down := int64(0), int64(0)
		if r.base == nil {
			fail("the records %s have a constant address", r.name)
		} else if r.base != stack {
			if r.base.Op != term.BvAnd || r.base.Args[1].Op != term.Const {
				fail("the address of the records %s is not rounded", r.name)
			}
			d, known := x.depth(r.base.Args[0])
			if down = int64(-r.base.Args[1].Value) - 1; !known || down < 0 || down&(down+1) != 0 {
				fail("the address of the records %s is not rounded", r.name)
			}
			top = d
		}
		region := [2]int64{top - down + r.from, top + r.from + r.bytes()}
		if region[1] > 0 || r.from%8 != 0 {
			fail("the records %s lie above the return address", r.name)
		}
		if i == 0 {
			x.region = region
		} else if last := e.twin.records[i-1]; last.base != r.base || last.from+last.bytes() > r.from {
			fail("the records %s and %s are not in order", last.name, r.name)
		}
		x.region = [2]int64{min(x.region[0], region[0]), max(x.region[1], region[1])}
		e.in.value[r.name] = address
	}
	if len(e.twin.records) > 0 && e.twin.records[0].base != stack {
		x.given = append(x.given, p.Ult(stack, p.Value(64, 1<<63)), p.Ule(p.Value(64, uint64(-x.region[0])), stack))
	}
}

// The method "recorded" returns the array to which n bytes at an address belong, or nil if they belong to none. If the
// address is not a constant distance from the return address, it is still to be claimed that it is inside the array.
func (x *path) recorded(at *term.Term, n int) *records {
	l := term.Linearize(at)
	if r := x.e.twin.only(); r != nil && x.e.rounded != nil {
		if l.Of[x.e.rounded] != 1 {
			return nil
		}
		first, size := x.e.in.value[r.name], r.size()*uint64(r.n)
		l = l.Minus(term.Linearize(first))
		if len(l.Of) == 0 && (l.Const > size || l.Const+uint64(n) > size) {
			return nil
		}
		x.aligned(first, int(size)) // which must be inside the frame, with no other value there
		return r
	}
	var of *records
	for _, r := range x.e.twin.records {
		if l.Of[r.base] == 1 && (of == nil || r.from <= int64(l.Const)) {
			of = r
		}
	}
	if of == nil {
		return nil
	}
	if d, known := x.depth(at); known && (d < x.region[0] || x.region[1] < d+int64(n)) {
		return nil
	}
	if low, known := x.lowest(); !known || low > x.region[0] {
		semantics.Fail("the records lie outside the frame")
	}
	return of
}

// The method "part" returns the number of the word at an address in its record, and the distance in bytes of this
// record from the first one.
func (x *path) part(r *records, at *term.Term) (word int, offset *term.Term) {
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
func (x *path) loaded(r *records, at, v *term.Term) {
	p := x.m.Pool
	word, offset := x.part(r, at)
	if _, ok := r.holds[word]; !ok {
		return
	}
	if v.Width != 64 {
		semantics.Fail("a load of %d bits from a word of a record about which the twin says something", v.Width)
	}
	if x.under { // where nothing is loaded, nothing is known of the word
		semantics.Fail("a load under a mask from a word of a record about which the twin says something")
	}
	stored := p.Bool(false)
	if r.filled != nil {
		stored = p.Ult(offset, p.Mul(p.Value(64, r.size()), r.filled))
	}
	for _, s := range x.puts {
		if s.of == r && r.loose {
			semantics.Fail("a load from %s after a store", r.name)
		}
		if s.of == r && s.word == word {
			stored = p.Or(stored, p.Eq(offset, s.offset))
		}
	}
	x.claim("a record that is filled", stored)
	x.claims[len(x.claims)-1].before = true
	x.assumed = append(slices.Clip(x.assumed), len(x.given))
	x.given = append(slices.Clip(x.given), r.truth(word, v, x.e.in.scope(x.e.vars, nil)))
}

// The method "stored" handles the word v, which was stored in a record.
func (x *path) stored(r *records, at, v *term.Term) {
	if v.Width != 64 {
		semantics.Fail("a store of %d bits in a record", v.Width)
	}
	word, offset := x.part(r, at)
	x.puts = append(slices.Clip(x.puts), put{r, word, offset, v, x.at, slices.Clip(x.given)})
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
// from a record. So the method "dead" makes the claims that justify these assumptions. If the twin has several arrays,
// they are proved only from what is known before, as on a path that the twin's steps correspond to.
func (e *executor) dead(x *path, where string, s state) {
	for _, c := range x.claims {
		if !c.before || c.is.Is(1) {
			continue
		}
		given := append(x.until(len(c.given)), s.given...)
		if e.several() {
			given = e.about(c.is, c.given, false)
		}
		e.oblige(fmt.Sprintf("from %s %s: %s", e.name(e.from), where, c.what), given, c.is)
	}
	e.put(x, where, headOf{}, s)
}

// The path x ends where the text "where" says, and the twin is in the state s. The method "put" makes the claims about
// the words of records that were stored. If the path ends at a loop head, this is "to". If the twin has several arrays,
// these claims do not depend on where the path goes after the store, so that they are the same for many paths.
func (e *executor) put(x *path, where string, to headOf, s state) {
	p, sc := e.pool, e.in.scope(s.vars, nil)
	for _, r := range e.twin.records {
		for _, name := range r.names() {
			if e.from >= 0 && e.vars[name] != s.vars[name] {
				fail("the twin changes %s, on which its records depend", name)
			}
		}
	}
	for _, q := range x.puts {
		r := q.of
		if _, ok := r.holds[q.word]; !ok {
			continue
		}
		what := fmt.Sprintf("from %s %s: at %#x: what holds for word %d of a record", e.name(e.from), where, q.at, q.word)
		c := r.truth(q.word, q.value, sc)
		if r.loose {
			c = p.Or(c, p.Ule(p.Mul(p.Value(64, r.size()), to.full(r, sc)), q.offset))
		}
		if e.several() {
			if c = e.normal(c); !c.Is(1) {
				e.owe(what, append(slices.Clone(q.given), s.assumed...), c)
			}
			continue
		}
		given := q.given
		if s.dead != "" {
			given = x.until(len(given))
		}
		if !c.Is(1) {
			e.oblige(what, append(slices.Clone(given), s.given...), c)
		}
	}
}

// The method "fill" sets the number of the records that are filled at the loop head h, where the path begins. The scope s
// has the values of the names.
func (e *executor) fill(h headOf, s scope) {
	for _, f := range h.filled {
		i := slices.IndexFunc(e.twin.records, func(r *records) bool { return r.name == f.name })
		if i < 0 {
			fail("%s are no records", f.name)
		}
		e.twin.records[i].filled = s.word(f.is)
	}
}

// The method "full" returns the number of the records r that are filled at the loop head. The scope s has the values of
// the names.
func (h headOf) full(r *records, s scope) *term.Term {
	for _, f := range h.filled {
		if f.name == r.name {
			return s.word(f.is)
		}
	}
	return s.Value(64, 0)
}

// The path x ends at the loop head "to", and the twin is in the state s. The method "kept" makes the claims about the
// records that are filled there.
func (e *executor) kept(x *path, to headOf, s state, claim func(string, *term.Term)) {
	p, sc := e.pool, e.in.scope(s.vars, nil)
	e.put(x, "to "+to.name, to, s)
	for _, r := range e.twin.records {
		filled, i, size := to.full(r, sc), p.Var("record", 64), p.Value(64, r.size())
		if r.loose { // so that the size of the filled records has no overflow
			claim("filled "+r.name, p.Ule(filled, p.Value(64, uint64(r.n))))
		}
		for word := range r.words {
			if _, ok := r.holds[word]; !ok || filled == r.filled || filled.Is(0) {
				continue
			}
			was := p.Not(p.And(p.Ult(i, p.Value(64, uint64(r.n))), p.Ult(i, filled)))
			if r.filled != nil {
				was = p.Or(was, p.Ult(i, r.filled))
			}
			for _, q := range x.puts {
				if q.of == r && q.word == word {
					was = p.Or(was, p.Eq(p.Mul(size, i), q.offset))
				}
			}
			claim(fmt.Sprintf("filled %s, word %d", r.name, word), was)
		}
	}
}

// The method "fresh" returns a copy of the twin, whose records have no addresses yet.
func (t *Twin) fresh() *Twin {
	out := *t
	out.records = nil
	for _, r := range t.records {
		c := *r
		out.records = append(out.records, &c)
	}
	return &out
}

// The method "only" returns the array of the twin, or nil if it has none or several.
func (t *Twin) only() *records {
	if len(t.records) == 1 {
		return t.records[0]
	}
	return nil
}

// The method "several" reports whether the twin has several arrays.
func (e *executor) several() bool { return len(e.twin.records) > 1 }

// The method isRecords reports whether an array of the twin has the given name.
func (t *Twin) isRecords(name string) bool {
	return slices.ContainsFunc(t.records, func(r *records) bool { return r.name == name })
}

// The method "readRecords" reads the lines of a twin about its records.
func (t *Twin) readRecords(line string) error {
	if strings.HasPrefix(line, "records ") {
		r := records{holds: map[int]expression{}}
		line, r.loose = strings.CutSuffix(line, " loose")
		t.records = append(t.records, &r)
		_, err := fmt.Sscanf(line, "records %s %d %d", &r.name, &r.n, &r.words)
		t.stores[r.name] = true
		return err
	}
	var name string
	var word int
	left, right, _ := strings.Cut(line, ": ")
	_, err := fmt.Sscanf(left, "holds %s %d", &name, &word)
	i := slices.IndexFunc(t.records, func(r *records) bool { return r.name == name })
	if err != nil || i < 0 {
		return fmt.Errorf("%q", line)
	}
	t.records[i].holds[word], err = parse(right)
	return err
}
