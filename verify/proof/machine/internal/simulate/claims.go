package simulate

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

type claim struct {
	what string
	is   *term.Term
	// The next two fields are set only in a claim about a memory access. The field "slice" has the name of the accessed
	// slice. The field "end" has the offset of the first byte after the access. It is counted from the beginning of the
	// slice.
	slice string
	end   *term.Term
	// The field "given" has the conditions that were known where the access was made. If "unless" is not nil, nothing is
	// accessed where it is true.
	given  []*term.Term
	unless *term.Term
	before bool // the claim has to follow from the conditions in "given", even if further ones become known later
	// The fields "at" and "bytes" have the address of the instruction and the size of the access. The field "from" is the
	// offset of its first byte in the slice.
	at    uint64
	bytes uint64
	from  *term.Term
}

// The method "of" returns the condition t, which must hold where something is accessed.
func (c claim) of(p *term.Pool, t *term.Term) *term.Term {
	if c.unless != nil {
		return p.Or(c.unless, t)
	}
	return t
}

func (x *path) claim(what string, c *term.Term) {
	x.claims = append(x.claims, claim{what: fmt.Sprintf("at %#x: %s", x.at, what), is: c, given: slices.Clip(x.given)})
}

// If the condition c is false, the present instruction causes a fault. The method Must adds the claim that c holds.
func (x *path) Must(what string, c *term.Term) { x.claim(what, c) }

// The path x ends at the loop head h. The method "arrive" makes the claims for this end. The claims say that the
// invariant of this loop head holds.
func (e *executor) arrive(x *path, h int) error {
	to := e.sec.heads[h]
	idle := to.idle || e.from >= 0 && e.sec.heads[e.from].waits
	return e.ways(x, "to "+to.name, h, to.label, to.never, idle, to.upper, func(s state, claim func(string, *term.Term)) {
		p := e.pool
		sc := e.scope(s.vars, &x.m.State, x.frame)
		placed := map[int]bool{}
		if e.sec.consts { // with the values of cases, so that products with them are products with constants
			plain := claim
			claim = func(what string, c *term.Term) {
				for _, f := range []func(*term.Term) *term.Term{e.known, x.fold} {
					if f != nil {
						c = f(c)
					}
				}
				plain(what, c)
			}
		}
		for _, c := range slices.Concat(e.sec.cases, to.cases) {
			v := sc.word(c.of)
			claim("there is no other case", p.And(p.Ule(p.Value(64, c.from), v), p.Ule(v, p.Value(64, c.to))))
		}
		for _, q := range to.lines {
			if !q.holds(sc, e.known, x.fold) {
				continue
			}
			v := sc.word(q.is)
			if q.place.Kind != "" {
				if q.place.Kind == decode.Register {
					placed[q.place.Reg] = true
				}
				claim(q.text, p.Eq(*x.m.At(q.place), v))
				continue
			}
			has := x.frame[e.slot(q)]
			if has == nil {
				fail("%s: nothing is there", q.text)
			}
			c := p.Eq(has, v)
			if e.sec.early && e.several() && q.named != "" && !e.normal(c).Is(1) { // which way the path goes may matter
				e.owe(fmt.Sprintf("from %s to %s: %s", e.name(e.from), to.name, q.text), slices.Concat(x.given, s.given), e.normal(c))
				continue
			}
			claim(q.text, c)
		}
		x.end(to, sc, claim)
		for r, name := range map[int]string{4: "SP", 5: "BP"} {
			if !placed[r] {
				claim("the caller's "+name, p.Eq(x.m.GP[r], e.in.value[name]))
			}
		}
		for _, f := range to.facts {
			claim(f.text, sc.truth(f.is))
		}
		if len(to.each) > 0 {
			for i, c := range e.each(to, sc, cells{e, x.memory.m}, e.anyCell()) {
				claim(to.each[i].text, c)
			}
		}
		e.kept(x, to, s, claim)
		if e.sec.ends && e.from >= 0 && idle {
			fail("%s: the twin makes no step, but its end is that of the function", to.name)
		}
		if e.from >= 0 && !e.sec.ends {
			if len(to.measure) == 0 || len(to.measure) != len(e.begun) {
				fail("%s and %s have measures of %d and %d parts", e.name(e.from), to.name, len(e.begun), len(to.measure))
			}
			less := p.Bool(false)
			for i := len(to.measure) - 1; i >= 0; i-- {
				m := sc.word(to.measure[i])
				less = p.Or(p.Ult(m, e.begun[i]), p.And(p.Eq(m, e.begun[i]), less))
			}
			claim("an end", less)
		}
		if len(to.each) > 0 {
			for i, c := range e.eachInside(to, sc, e.anyCell()) {
				claim(to.each[i].text+": its words", c)
			}
			for _, n := range (cells{e, x.memory.m}).numbers() {
				claim("the number of a stored word", p.Ult(n, e.in.value["len("+e.twin.only().name+")"]))
			}
		}
	})
}

// The method "returned" makes the claims that must hold at the end of the path x, where the function returns.
func (e *executor) returned(x *path) error {
	return e.ways(x, "to the return", -1, "", nil, false, false, func(s state, claim func(string, *term.Term)) {
		p := e.pool
		if s.tail != "" {
			claim("the twin goes on to "+s.tail, p.Bool(false))
			return
		}
		e.put(x, "to the return", headOf{}, s)
		for i, r := range e.twin.results {
			has := x.frame[r.at]
			if has == nil {
				fail("no %s is stored", r.name)
			}
			claim(r.name, p.Eq(p.Zext(has, 64), s.results[i]))
		}
		claim("the caller's SP", p.Eq(x.m.GP[4], e.in.value["SP"]))
		claim("the caller's BP", p.Eq(x.m.GP[5], e.in.value["BP"]))
	})
}

// At the end of the path x, the function jumps to another function. The method goneOn makes the claims for this end.
// The argument "to" has the name of the other function.
func (e *executor) goneOn(x *path, to string) error {
	return e.ways(x, "to "+to, -1, "", nil, false, false, func(s state, claim func(string, *term.Term)) {
		p := e.pool
		if s.tail != to || to == "" {
			claim(fmt.Sprintf("the twin goes on to %q", s.tail), p.Bool(false))
			return
		}
		e.put(x, "to "+to, headOf{}, s)
		for i, a := range e.twin.args {
			want := e.in.value[a.name]
			if len(s.results) > 0 {
				want = s.results[i]
			}
			claim("argument "+a.name, p.Eq(x.frame[a.at], want))
			if a.size > 0 {
				claim("the length of "+a.name, p.Eq(x.frame[a.at+8], e.in.value["len("+a.name+")"]))
			}
		}
		claim("the caller's SP", p.Eq(x.m.GP[4], e.in.value["SP"]))
		claim("the caller's BP", p.Eq(x.m.GP[5], e.in.value["BP"]))
	})
}

// The twin can reach a label by several sequences of steps. The method "ways" compares a path of the kernel with each
// of these sequences. The path ends at the loop head with the number "to", or at the return or in another function if
// "to" is -1.
func (e *executor) ways(x *path, where string, to int, label string, never []string, idle, upper bool, claims func(s state, claim func(string, *term.Term))) error {
	e.proof.Paths++
	if x.m.Upper && !upper {
		return fmt.Errorf("%s: upper halves of vectors may be set", where)
	}
	p := e.pool
	from := state{vars: e.vars, memory: &symbols{p, e.start}}
	if e.from >= 0 {
		from.label = e.sec.heads[e.from].label
		at, ok := e.twin.labels[from.label]
		if !ok {
			return fmt.Errorf("the twin has no label %s", from.label)
		}
		from.at = at + 1
	}
	if _, ok := e.twin.labels[label]; label != "" && !ok {
		return fmt.Errorf("the twin has no label %s", label)
	}
	fold := x.fold
	if e.from >= 0 && len(e.sec.heads[e.from].cases) > 0 {
		if fold = e.known; x.fold != nil {
			fold = func(t *term.Term) *term.Term { return x.fold(e.known(t)) }
		}
	}
	if fold != nil {
		from.vars = maps.Clone(e.vars)
		for n, v := range e.vars {
			from.vars[n] = fold(v)
		}
	}
	var fault error
	err := e.twin.run(e.in, from, walk{fold: fold, target: label, stay: idle, known: x.given, never: never, fork: forkSymbols, end: func(s state) {
		given := append(slices.Clone(x.given), s.given...)
		e.bounded = s.bounds
		claim := func(what string, c *term.Term) {
			if !c.Is(1) {
				e.oblige(fmt.Sprintf("from %s %s: %s", e.name(e.from), where, what), given, c)
			}
			if e.sec.near {
				given = append(given, c)
			}
		}
		if s.dead != "" {
			e.dead(x, where, s)
			claim(s.dead, p.Bool(false))
			return
		}
		e.possible = append(e.possible, way{fmt.Sprintf("path %d %s", e.proof.Paths, where), to, given})
		for _, c := range x.claims {
			claim := claim
			if e.sec.early {
				claim = func(what string, is *term.Term) {
					if !is.Is(1) {
						e.oblige(fmt.Sprintf("from %s: %s", e.name(e.from), what), e.about(is, slices.Concat(c.given, e.further(s)), false), is)
					}
				}
			}
			if given := append(slices.Clone(c.given), s.given...); c.before && !e.sec.early {
				claim = func(what string, is *term.Term) {
					if !is.Is(1) {
						e.oblige(fmt.Sprintf("from %s %s: %s", e.name(e.from), where, what), given, is)
					}
				}
			}
			claim(c.what, c.of(p, c.is))
			if b, ok := e.bounds[c.slice]; ok {
				end := p.Mul(e.in.scope(s.vars, nil).word(b), p.Value(64, uint64(e.in.slices[c.slice])))
				claim(c.what+" as the header says", c.of(p, p.Ule(c.end, end)))
			}
		}
		memory := claim
		if e.sec.early && e.several() { // which way the path goes may matter
			memory = func(what string, c *term.Term) {
				if c = e.normal(c); !c.Is(1) {
					e.owe(fmt.Sprintf("from %s %s: %s", e.name(e.from), where, what), given, c)
				}
			}
		}
		e.same(x.memory.m, s.memory.(*symbols).m, memory)
		fault = func() (err error) {
			defer caught(&err)
			claims(s, claim)
			return nil
		}()
		if fault != nil {
			fail("%s: %v", where, fault)
		}
	}})
	return err
}

// The method "further" returns what an access is proved from besides the conditions that are known where it is made, if
// the invariants file has the line "early". If the twin has several arrays, that is nothing.
func (e *executor) further(s state) []*term.Term {
	if e.several() {
		return nil
	}
	return slices.Concat(s.assumed, s.bounds)
}

// The function "about" returns those of the given conditions that have a variable of the claim c. If the twin has several
// arrays, conditions say how their variables are related. So it also returns the conditions that have a variable of one of
// these. In each case it also returns the conditions that have only one variable, if this variable is in one of the former
// conditions. With the argument "near", it returns all conditions whose variables are all in one of the former conditions.
func (e *executor) about(c *term.Term, given []*term.Term, near bool) []*term.Term {
	of := map[*term.Term]bool{}
	add := func(t *term.Term) {
		for _, v := range e.leaves(t) {
			of[v] = v.Op == term.Var
		}
	}
	keep := make([]bool, len(given))
	more := func(most int) { // the conditions that have at most so many variables, one of them in "of"
		for i, g := range given {
			l := e.leaves(g)
			keep[i] = keep[i] || len(l) <= most && slices.ContainsFunc(l, func(v *term.Term) bool { return of[v] })
		}
	}
	only := func() { // the conditions whose variables are all in "of"
		for i, g := range given {
			keep[i] = keep[i] || !slices.ContainsFunc(e.leaves(g), func(v *term.Term) bool { return v.Op == term.Var && !of[v] })
		}
	}
	add(c)
	rounds := 1
	if e.several() {
		rounds = 2
	}
	for range rounds {
		more(math.MaxInt)
		for i, g := range given {
			if keep[i] {
				add(g)
			}
		}
	}
	if more(1); near {
		only()
	}
	var out []*term.Term
	for i, g := range given {
		if keep[i] {
			out = append(out, g)
		}
	}
	return out
}

// The method "same" adds the claim that the kernel's memory is equal to the twin's memory. For a function with vectors,
// the method replaces this claim. The new claim is that the same words are stored to the same places in the same order.
func (e *executor) same(is, twin *term.Term, claim func(string, *term.Term)) {
	p := e.pool
	for e.vectors && is.Op == term.Apply && twin.Op == term.Apply && is.Name == twin.Name {
		claim("the place of a store", p.Eq(is.Args[1], twin.Args[1]))
		claim("what is stored", p.Eq(is.Args[2], twin.Args[2]))
		is, twin = is.Args[0], twin.Args[0]
	}
	claim("the memory", p.Eq(is, twin))
}

// The method "normal" returns the normal form of a term. Terms of functions with vectors are compared in this form.
func (e *executor) normal(t *term.Term) *term.Term {
	n, ok := e.normals[t]
	if !ok {
		n = e.normalForm(t)
		e.normals[t] = n
	}
	return n
}

func (e *executor) normalForm(t *term.Term) *term.Term {
	if e.sec.multiples {
		t = multiples(e.pool, t)
	}
	if e.sec.halves {
		e.lemma("halves")
		e.lemma("products of halves")
		if t.Op == term.Eq {
			return e.pool.Eq(e.pool.Halves(t.Args[0]), e.pool.Halves(t.Args[1]))
		}
		return e.pool.Halves(t)
	}
	return e.pool.Canonical(t)
}

// The method "leaves" returns the variables and the values of unknown functions in a term.
func (e *executor) leaves(t *term.Term) []*term.Term {
	l, ok := e.leaf[t]
	if !ok {
		l = term.Leaves(t)
		e.leaf[t] = l
	}
	return l
}

// The method "solved" returns the claim c with some variables replaced by sums. By the equations in the argument
// "given", each sum is equal to the variable that it replaces. If the result is the constant true, the claim follows
// from arithmetic with sums modulo 2^64. Then no solver is needed.
func (e *executor) solved(given []*term.Term, c *term.Term) *term.Term {
	p := e.pool
	type value struct{ of, is *term.Term }
	var values []value
	put := func(t *term.Term) *term.Term {
		for _, v := range values {
			t = e.normal(p.Rewrite(e.normal(t), func(t *term.Term) *term.Term { return map[*term.Term]*term.Term{v.of: v.is}[t] }))
		}
		return t
	}
	for _, g := range given {
		if g.Op != term.Eq || g.Args[0].Width != 64 {
			continue
		}
		l := term.Linearize(put(g.Args[0])).Minus(term.Linearize(put(g.Args[1])))
		var key *term.Term
		for t, k := range l.Of {
			if t.Op == term.Var && (k == 1 || k == ^uint64(0)) && (key == nil || p.Born(t) > p.Born(key)) {
				key = t
			}
		}
		if key == nil {
			continue
		}
		is := p.Add(key, p.Linear(l))
		if l.Of[key] == 1 {
			is = p.Sub(key, p.Linear(l))
		}
		values = append(values, value{key, e.normal(is)})
	}
	return put(c)
}

// The method "lemma" records that obligations use the lemma with the given name.
func (e *executor) lemma(name string) {
	if e.lemmas == nil {
		e.lemmas = map[string]bool{}
	}
	e.lemmas[name] = true
}

// The method "oblige" adds the obligation that c follows from the given conditions. In one case, the method divides
// this obligation into parts, and adds the parts. In this case the claim c has many operations, and the invariants file
// contains the line "parts".
func (e *executor) oblige(what string, given []*term.Term, c *term.Term) {
	if e.vectors {
		c = e.normal(c)
		if c.Is(1) || slices.ContainsFunc(given, func(g *term.Term) bool { return e.normal(g) == c }) {
			return
		}
		if e.normal(e.solved(given, c)).Is(1) {
			return
		}
	}
	if e.sec.near && !c.Is(0) {
		given = e.about(c, given, true)
	}
	if e.sec.early && !c.Is(0) { // without large conditions, which decide which way a path goes
		given = slices.DeleteFunc(slices.Clone(given), func(g *term.Term) bool {
			if slices.Contains(e.bounded, g) {
				return !e.has(c, g)
			}
			return term.Size(g) >= divided
		})
	}
	e.owe(what, given, c)
}

// The method "owe" does the same as "oblige", but always with all given conditions, and it does not try to prove c.
func (e *executor) owe(what string, given []*term.Term, c *term.Term) {
	p := e.pool
	if e.sec.parts && c.Is(0) {
		given, c = e.contradiction(given)
	}
	if !e.sec.parts || term.Size(c) < divided {
		e.emit(what, given, c)
		return
	}
	given = slices.Clone(given)
	for i, g := range given {
		given[i] = e.normal(g)
	}
	s := p.Sweep(given, c)
	if s == nil {
		e.emit(what, given, c)
		return
	}
	for _, q := range s.Parts {
		e.emit(what+": a part", s.Given, q)
	}
	for i, g := range given {
		given[i] = s.Of(g)
	}
	e.emit(what, given, s.Claim)
}

// The method "contradiction" divides the given conditions into small and large ones, by the sizes of their terms. The
// first result is the list of the small conditions. The second result is a claim c. It says that at least one of the
// large conditions is false. The given conditions contradict one another if and only if c follows from the small
// conditions. The prover can divide the claim c into smaller claims. By contrast, the claim "false" has no parts.
func (e *executor) contradiction(given []*term.Term) (small []*term.Term, c *term.Term) {
	p := e.pool
	c = p.Bool(true)
	for _, g := range given {
		if n := e.normal(g); term.Size(n) >= divided {
			c = p.And(c, n)
		} else {
			small = append(small, g)
		}
	}
	return small, p.Not(c)
}

// A claim with at least this number of different terms is proved in parts. Smaller claims are proved as a whole.
const divided = 60
