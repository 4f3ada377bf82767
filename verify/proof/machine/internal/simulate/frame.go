package simulate

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/semantics"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// The method "frame" returns the term from which addresses of the twin's records are counted: the stack pointer at the
// entry, or the address of the line "rounded" of the invariants file.
func (e *executor) frame() *term.Term {
	if e.rounded != nil {
		return e.rounded
	}
	return e.in.value["SP"]
}

// Two terms may round the same address. The method "inRegion" returns the address "at" with the term of the line
// "rounded" instead of another such term.
func (x *path) inRegion(at *term.Term) *term.Term {
	e := x.e
	if e.rounded == nil {
		return at
	}
	l := term.Linearize(at)
	for t, k := range l.Of {
		if t == e.rounded || t.Op != term.BvAnd || t.Args[1] != e.rounded.Args[1] || !same(t.Args[0], e.rounded.Args[0]) {
			continue
		}
		delete(l.Of, t)
		l.Of[e.rounded] += k
		return x.m.Pool.Linear(l)
	}
	return at
}

// The method "place" returns the place that lies n bytes above the address of the line "rounded". A single word must not
// be a word of a record.
func (x *path) place(n int64, bytes int) (pl place) {
	e := x.e
	if e.rounded == nil {
		fail("there is no line rounded")
	}
	var ok bool
	err := func() (err error) {
		defer semantics.Recover(&err)
		pl, ok = x.aligned(e.pool.Add(e.rounded, e.pool.Value(64, uint64(n))), bytes)
		return nil
	}()
	if r := e.twin.only(); err != nil || !ok || r != nil && bytes == 8 && uint64(n)-e.sec.below < r.size()*uint64(r.n) {
		fail("%d bytes at %d in the frame: %v", bytes, n, err)
	}
	return pl
}

// The method "begin" sets the values that the invariant h has for the region of the line "rounded". The scope s has the
// names of the invariant.
func (x *path) begin(h headOf, s scope) {
	if r := x.e.twin.only(); r != nil && x.e.rounded != nil {
		x.place(int64(x.e.sec.below), int(r.size())*r.n)
	}
	for _, q := range h.rounded {
		x.within[x.place(q.slot, 8)] = x.e.known(s.word(q.is))
	}
}

// The method "end" claims that the frame is as the invariant "to" says, and that the function has changed none of its
// arguments but those that the invariant has a line for.
func (x *path) end(to headOf, s scope, claim func(string, *term.Term)) {
	p, e := x.e.pool, x.e
	for _, q := range to.rounded {
		has := x.within[x.place(q.slot, 8)]
		if has == nil {
			fail("%s: nothing is there", q.text)
		}
		claim(q.text, p.Eq(has, s.word(q.is)))
	}
	named := func(at int64) bool {
		return slices.ContainsFunc(to.lines, func(q equation) bool { return q.place.Kind == "" && e.slot(q) == at })
	}
	for _, a := range e.twin.args {
		for at := a.at; at == a.at || a.size > 0 && at <= a.at+16; at += 8 {
			if has, was := x.frame[at], e.caller[at]; has != was && !named(at) {
				claim("the argument "+a.name, p.Eq(has, was))
			}
		}
	}
}

// The linker checks that the stack has room for the frame that a TEXT line declares. The function frameOf returns the
// size of the frame of the function with the given name, in bytes. If there is a frame, the assembler adds 8 bytes for
// the caller's frame pointer.
func frameOf(name, source string) (int64, error) {
	m := regexp.MustCompile(`(?m)^TEXT ·` + name + `\(SB\), [A-Z0-9|]+, \$([0-9]+)-`).FindStringSubmatch(source)
	if m == nil {
		return 0, fmt.Errorf("the file of assembly has no line TEXT that declares the frame of %s", name)
	}
	n, err := strconv.ParseInt(m[1], 10, 32)
	if n > 0 {
		n += 8
	}
	return n, err
}
