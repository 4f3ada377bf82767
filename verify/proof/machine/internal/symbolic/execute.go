package symbolic

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/changed"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/semantics"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// Obligation is a claim that must follow from given conditions.
type Obligation struct {
	What    string
	Given   []*term.Term
	Claim   *term.Term
	Bitwise bool // Ones means the number of ones, not an arbitrary function
	// If the obligation is not about bit-vectors, the field Text is its script in SMT-LIB. For other obligations, Text
	// is empty until the method Scripts has written the script.
	Text string
}

// Script returns the obligation as a script for solvers, in the language SMT-LIB. The script is unsatisfiable if and
// only if the obligation holds.
func (o Obligation) Script() string {
	if o.Text != "" {
		return o.Text
	}
	return term.Script(o.Given, o.Claim, o.Bitwise)
}

// Scripts returns the names of the obligations and their scripts for the solvers. It writes each script once.
func (p Proof) Scripts() (names, scripts []string) {
	for i := range p.Obligations {
		o := &p.Obligations[i]
		o.Text = o.Script()
		names, scripts = append(names, o.What), append(scripts, o.Text)
	}
	return names, scripts
}

// Proof has the claims that must be proved about a function, and other facts about its code.
type Proof struct {
	Obligations []Obligation
	Paths       int
	Features    []string // the CPU features that its instructions need, sorted
	Constants   []Constant
	Covers      []Cover
	Beginnings  []changed.Beginning // the entry and the loop heads, in this order
}

// The method Begins adds a beginning to p, and reports whether obligations about its paths are needed. The paths begin at
// the address "at", and end at the addresses of heads, and the argument "code" has the instructions.
func (p *Proof) Begins(code map[uint64]decode.Instruction, at uint64, heads map[uint64]int) bool {
	reached := decode.Reached(code, at, heads)
	p.Beginnings = append(p.Beginnings, changed.Beginning{First: len(p.Obligations), Same: !reached})
	return reached
}

// Cover has several paths, each as an obligation whose claim is false. At least one of them must be possible: its
// conditions must not contradict one another. Otherwise the claims about these paths say nothing.
type Cover struct {
	What  string
	Paths []Obligation
}

// Constant is read-only data of the program that a function loads.
type Constant struct {
	Address uint64
	Bytes   int
}

// The constant "longest" is an upper bound for the lengths of slices. The proofs assume that each slice has fewer
// words than this bound. They also assume that no slice extends beyond the end of the address space.
const longest = 1 << 48

type executor struct {
	twin   Twin
	inv    Invariants
	code   map[uint64]decode.Instruction
	heads  map[uint64]int // from the address to the index in inv.heads
	proof  *Proof
	pool   *term.Pool
	start  map[string]*term.Term     // i, n, S, first, second at the beginning of the path
	memory *term.Term                // M at the beginning of the path
	from   int                       // the head at the beginning of the path; -1 for the entry
	named  map[*term.Term]*term.Term // the terms that named lanes stand for
	loaded map[*term.Term]bool       // the words that the kernel loaded on its paths from this head
	data   Data
	prefix bool    // sums are expressed by P, see prefix
	covers []Cover // from the entry and each loop head, and then to the return and each loop head
}

// The type "path" represents the present state of an execution along a path. Where the path branches, the state is
// copied.
type path struct {
	m      semantics.Machine
	given  []*term.Term
	memory *term.Term
	result *term.Term
	e      *executor
	at     uint64 // the address of the present instruction, for messages
}

// Data is a function that returns n bytes of the program's read-only data. They begin at the given address.
type Data func(address uint64, n int) ([]byte, error)

// Execute returns the claims that must be proved about the kernel of the given twin.
func Execute(twin Twin, inv Invariants, code []decode.Instruction, data Data) (proof Proof, err error) {
	if err := frameless(code); err != nil {
		return proof, err
	}
	inv = inv.of(twin.Name)
	e := &executor{twin: twin, inv: inv, prefix: slices.Contains(inv.prefix, twin.Name), data: data, code: map[uint64]decode.Instruction{}, heads: map[uint64]int{}, proof: &proof}
	if err := e.read(code); err != nil {
		return proof, err
	}
	for e.from = -1; e.from < len(inv.heads); e.from++ {
		at := code[0].Address
		for a, h := range e.heads {
			if h == e.from {
				at = a
			}
		}
		if !proof.Begins(e.code, at, e.heads) {
			continue
		}
		x, err := e.begin()
		if err != nil {
			return proof, err
		}
		if err := e.run(x, at, true); err != nil {
			return proof, err
		}
	}
	proof.Covers = e.covers
	return proof, nil
}

// The path x ends at the loop head "to", or at the return if "to" is -1. The method "end" adds the path to two covers.
// Some path from its beginning has to be possible. Some path to its end has to be possible that begins elsewhere.
func (e *executor) end(x *path, to int) {
	e.proof.Paths++
	n := len(e.inv.heads) + 1
	if e.covers == nil {
		e.covers = make([]Cover, 2*n)
		for h := range n {
			e.covers[h].What, e.covers[n+h].What = "from "+e.name(h-1), "to "+e.name(h-1)
		}
		e.covers[n].What = "to the return"
	}
	o := Obligation{Given: x.given, Claim: e.pool.Bool(false)}
	e.covers[e.from+1].Paths = append(e.covers[e.from+1].Paths, o)
	if to < 0 || to != e.from {
		e.covers[n+to+1].Paths = append(e.covers[n+to+1].Paths, o)
	}
}

// The method "read" finds the loop heads of the function, and the CPU features that its instructions need.
func (e *executor) read(code []decode.Instruction) error {
	var heads []uint64
	for _, in := range code {
		e.code[in.Address] = in
		if in.Name[0] == 'j' && in.Args[0].Value <= in.Address && !slices.Contains(heads, in.Args[0].Value) {
			heads = append(heads, in.Args[0].Value)
		}
		if x, ok := semantics.Lookup(in.Form()); ok && x.Feature != "" && !slices.Contains(e.proof.Features, x.Feature) {
			e.proof.Features = append(e.proof.Features, x.Feature)
		}
	}
	heads, err := decode.Heads(code, heads)
	if err != nil {
		return err
	}
	slices.Sort(e.proof.Features)
	if len(heads) != len(e.inv.heads) {
		return fmt.Errorf("%d loop heads, %d invariants", len(heads), len(e.inv.heads))
	}
	for i, a := range heads {
		e.heads[a] = i
	}
	return nil
}

// The method "begin" returns the state in which paths begin. If e.from >= 0, they begin at the loop head e.from,
// and otherwise at the entry.
func (e *executor) begin() (*path, error) {
	p := term.NewPool()
	e.pool, e.named, e.loaded = p, map[*term.Term]*term.Term{}, map[*term.Term]bool{}
	x := &path{e: e, m: semantics.Machine{Pool: p}}
	for i := range x.m.GP {
		x.m.GP[i] = p.Var(fmt.Sprintf("gp%d", i), 64)
	}
	for i := range x.m.V {
		for l := range x.m.V[i] {
			x.m.V[i][l] = p.Var(fmt.Sprintf("v%d_%d", i, l), 64)
		}
	}
	for i := range x.m.K {
		x.m.K[i] = p.Var(fmt.Sprintf("k%d", i), 64)
	}
	e.memory = p.Var("M", term.Memory)
	x.memory = e.memory
	first, second := 0, 1
	if slices.Contains(e.inv.swapped, e.twin.Name) {
		first, second = 1, 0
	}
	n := p.Var("n", 64)
	e.start = map[string]*term.Term{"n": n, "first": p.Var(base(first), 64), "second": p.Var(base(second), 64)}
	limit := p.Value(64, longest)
	var least *term.Term
	steps := func(l *term.Term, s int) *term.Term { // the number of steps for which a slice has words
		return p.Lshr(l, p.Value(64, uint64(bits.Len64(e.twin.each(s))-1)))
	}
	for s := range e.twin.Slices {
		l := p.Var(length(s), 64)
		x.given = append(x.given, p.Ult(l, limit), p.Ult(p.Var(base(s), 64), p.Value(64, 1<<63)))
		if l = steps(l, s); s == 0 {
			least = l
		}
		least = p.Ite(p.Slt(l, least), l, least)
	}
	x.given = append(x.given, p.Eq(n, least))
	if e.prefix {
		x.given = append(x.given, p.Eq(p.Apply("P", 64, p.Value(64, 0)), p.Value(64, 0)))
	}
	if e.twin.names != nil {
		maps.Copy(e.start, e.twin.names(p))
	}
	if e.from < 0 {
		e.start["i"], e.start["S"] = p.Value(64, 0), p.Value(64, 0)
		return x, nil
	}
	if e.twin.step != nil {
		x.result = n
	}
	h := e.inv.heads[e.from]
	i := p.Var("i", 64)
	e.start["i"], e.start["S"] = i, p.Var("S", 64)
	if e.prefix {
		e.start["S"] = prefix(p, i)
	}
	before := x.m.State
	for _, q := range h.of(e.twin) {
		v, err := q.value(p, e.start, &before)
		if err != nil {
			return nil, err
		}
		*q.in(&x.m.State) = v
	}
	x.given = append(x.given, p.Ule(i, n), p.Ule(p.Value(64, h.least), p.Sub(n, i)))
	if e.twin.Stores && e.twin.step == nil {
		x.given = append(x.given, e.apart(h))
	}
	for _, f := range h.facts {
		c, err := f.value(p, e.start, &x.m.State)
		if err != nil {
			return nil, err
		}
		x.given = append(x.given, c)
	}
	x.m.Upper = h.upper
	return x, nil
}

// The kernel stores to the first of its two slices. The method "apart" returns a condition on the beginnings of the
// slices. The first slice must not begin 1 to h.apart bytes after the beginning of the second slice.
func (e *executor) apart(h head) *term.Term {
	p := e.pool
	ahead := p.Sub(p.Var(base(0), 64), p.Var(base(1), 64))
	return p.Not(p.Ult(p.Sub(ahead, p.Value(64, 1)), p.Value(64, h.apart)))
}

func (e *executor) name(h int) string {
	if h < 0 {
		return "entry"
	}
	return e.inv.heads[h].name
}

// The method "run" follows a path, and all paths that branch off from it, to their ends. The argument "at" is the
// address of the next instruction. The argument "first" is true if the path begins at this instruction.
func (e *executor) run(x *path, at uint64, first bool) error {
	for ; ; first = false {
		if h, ok := e.heads[at]; ok && (!first || e.from < 0) {
			return e.arrive(x, h)
		}
		in, ok := e.code[at]
		if !ok {
			return fmt.Errorf("%#x is not an instruction of the function", at)
		}
		x.at = at
		switch {
		case in.Name == "ret":
			return e.returned(x)
		case in.Name == "jmp":
			at = in.Args[0].Value
		case in.Name[0] == 'j':
			c, err := x.condition(in)
			if err != nil {
				return err
			}
			for _, g := range x.given { // an earlier jump on the same flags may have decided it
				if g == c {
					c = e.pool.Bool(true)
				} else if g == e.pool.Not(c) {
					c = e.pool.Bool(false)
				}
			}
			taken := *x
			taken.given = append(slices.Clone(x.given), c)
			x.given = append(slices.Clone(x.given), e.pool.Not(c))
			if !c.Is(0) {
				if err := e.run(&taken, in.Args[0].Value, false); err != nil {
					return err
				}
			}
			if c.Is(1) {
				return nil
			}
			at = in.Next()
		default:
			if c := e.inv.cases; c != nil && in.Name == "kmovw" && in.Args[1].Kind == decode.Register && x.m.GP[in.Args[1].Reg].Op != term.Const {
				return e.split(x, in, *c)
			}
			if err := x.step(in); err != nil {
				return fmt.Errorf("%#x: %s: %w", at, in.Text, err)
			}
			at = in.Next()
		}
	}
}

// The mask of the instruction depends on the unknown value of the register c.reg. The method "split" follows the
// path once for each possible value of this register.
func (e *executor) split(x *path, in decode.Instruction, c cases) error {
	p := e.pool
	was := x.m.GP[c.reg]
	some := p.Bool(false)
	for v := c.from; v <= c.to; v++ {
		value := p.Value(64, v)
		some = p.Or(some, p.Eq(was, value))
		y := *x
		y.given = append(slices.Clone(x.given), p.Eq(was, value))
		is := func(t *term.Term) *term.Term {
			return p.Rewrite(t, func(t *term.Term) *term.Term {
				if t == was {
					return value
				}
				return nil
			})
		}
		for i, t := range y.m.GP {
			y.m.GP[i] = is(t)
		}
		for _, f := range []**term.Term{&y.m.Flags.CF, &y.m.Flags.ZF, &y.m.Flags.SF, &y.m.Flags.OF} {
			if *f != nil {
				*f = is(*f)
			}
		}
		if y.m.GP[in.Args[1].Reg].Op != term.Const {
			return fmt.Errorf("%#x: %s: the mask does not depend on the register of cases alone", in.Address, in.Text)
		}
		if err := e.run(&y, in.Address, false); err != nil {
			return err
		}
	}
	x.claim("there is no other case", some)
	return nil
}

func (x *path) condition(in decode.Instruction) (c *term.Term, err error) {
	defer semantics.Recover(&err)
	return x.m.Condition(strings.TrimPrefix(in.Name, "j")), nil
}

func (x *path) claim(what string, c *term.Term) {
	x.lemma(what, x.given, c, false)
}

// The method "done" runs the twin from the beginning of the path, and returns the state that it reaches. The twin runs
// until it has stored as many words as the kernel. If the twin stores nothing, it runs up to the word at the address
// "first". It does not process this word.
func (e *executor) done(x *path, first *term.Term) (names map[string]*term.Term, memory *term.Term, err error) {
	p := e.pool
	names = map[string]*term.Term{}
	for k, v := range e.start {
		names[k] = v
	}
	memory = e.memory
	from := e.start["i"]
	if e.prefix {
		from = p.Value(64, 0)
	}
	words, ok := term.Linearize(first).Minus(term.Linearize(address(p, e.start["first"], from))).Over8()
	switch {
	case e.prefix && ok:
		names["i"] = p.Linear(words)
		names["S"] = prefix(p, names["i"])
		return names, memory, nil
	case e.twin.Stores:
		words = term.Linear{}
		for m := x.memory; m != memory; m = m.Args[0] {
			words.Const++
		}
		if words.Const%e.twin.each(0) != 0 {
			return nil, nil, fmt.Errorf("from %s at %#x: a step is not done", e.name(e.from), x.at)
		}
		words.Const /= e.twin.each(0)
	case !ok || len(words.Of) != 0 || words.Const > 512:
		return nil, nil, fmt.Errorf("from %s at %#x: the next word is at %s", e.name(e.from), x.at, first)
	}
	for range words.Const {
		ones, after := e.twin.word(p, x.read, memory, names["i"])
		memory = after
		names["S"] = p.Add(names["S"], ones)
		names["i"] = p.Add(names["i"], p.Value(64, 1))
	}
	return names, memory, nil
}

// A pointer into the first slice is in the same register in all invariants. The method "pointer" returns the number of
// this register.
func (e *executor) pointer() int { return e.inv.heads[0].lines[0].place.Reg }

// The path x ends at the loop head h. The method "arrive" makes the claims for this end. The claims say that the
// invariant of this loop head holds.
func (e *executor) arrive(x *path, h int) error {
	e.end(x, h)
	p, to := e.pool, e.inv.heads[h]
	names, memory, err := e.done(x, x.m.GP[e.pointer()])
	if err != nil {
		return err
	}
	for _, q := range to.of(e.twin) {
		v, err := q.value(p, names, &x.m.State)
		if err != nil {
			return err
		}
		if err := x.equal(to.name+": "+q.text, *q.in(&x.m.State), v); err != nil {
			return err
		}
	}
	i, n := names["i"], names["n"]
	x.claim(to.name+": the words left", p.And(p.Ule(i, n), p.Ule(p.Value(64, to.least), p.Sub(n, i))))
	if e.twin.Stores {
		x.same(to.name+": the memory", memory)
	}
	if e.twin.Stores && e.twin.step == nil {
		x.claim(to.name+": the slices are apart", e.apart(to))
	}
	if e.twin.step != nil {
		if x.result == nil {
			return fmt.Errorf("%s: no result is stored", to.name)
		}
		x.claim(to.name+": the result is the number of steps", p.Eq(x.result, names["n"]))
	}
	x.claim(to.name+": the stack pointer", p.Eq(x.m.GP[4], p.Var("gp4", 64)))
	x.claim(to.name+": the frame pointer", p.Eq(x.m.GP[5], p.Var("gp5", 64)))
	for _, f := range to.facts {
		c, err := f.value(p, names, &x.m.State)
		if err != nil {
			return err
		}
		x.claim(to.name+": "+f.text, c)
	}
	if x.m.Upper && !to.upper {
		return fmt.Errorf("%s: upper halves of vectors may be set", to.name)
	}
	// The function ends after a finite number of steps for two reasons. First, the invariants file lists the loop heads
	// in some order. The function must reach them in this order. Second, suppose that a path returns to the loop head
	// at which it began. Then one claim is that fewer words remain than before.
	switch {
	case h < e.from:
		return fmt.Errorf("from %s back to %s: no end is known", e.name(e.from), to.name)
	case h == e.from:
		x.claim(to.name+": an end", p.Ult(p.Sub(n, i), p.Sub(n, e.start["i"])))
	}
	return nil
}

// The method "returned" makes the claims that must hold at the end of the path x, where the function returns.
func (e *executor) returned(x *path) error {
	e.end(x, -1)
	p := e.pool
	names, memory, err := e.done(x, x.m.GP[e.pointer()])
	if err != nil {
		return err
	}
	if e.prefix {
		names["i"], names["S"] = names["n"], prefix(p, names["n"])
	}
	if x.result == nil {
		return fmt.Errorf("from %s: no result is stored", e.name(e.from))
	}
	x.claim("all words are done", p.Eq(names["i"], names["n"]))
	result := names["S"]
	if e.twin.step != nil {
		result = names["n"]
	}
	if err := x.equal("the result is the twin's", x.result, result); err != nil {
		return err
	}
	if e.twin.Stores {
		x.same("the memory is the twin's", memory)
	}
	x.claim("the stack pointer is the caller's", p.Eq(x.m.GP[4], p.Var("gp4", 64)))
	x.claim("the frame pointer is the caller's", p.Eq(x.m.GP[5], p.Var("gp5", 64)))
	if x.m.Upper {
		return fmt.Errorf("from %s: upper halves of vectors may be set at the return", e.name(e.from))
	}
	return nil
}
