// Package follow proves that an assembly function (a kernel) agrees with a portable Go function. The twin is this
// portable function, restated as steps. If the kernel follows the twin, it stores and returns the same values as the
// portable function, in the same order. It also accesses only words of the slices that the portable function accesses.
//
// The kernel is executed symbolically: its values are expressions. A path begins at the entry or at a loop head, and
// ends at the next loop head or at the return. At each loop head an invariant holds. The twin is executed from the
// location that the invariant names, and the proof follows all branches of the twin. If a branch does not end where the
// path ends, the proof claims that this branch is impossible. The claims may use the twin's assumptions. So the proof
// covers all calls except those in which the portable function would panic.
//
// The contents of memory are also represented by an expression. This expression consists of the memory before the first
// instruction, and of all stores since then. There is only one assumption about memory. A store does not change words
// that it does not overlap. So slices may overlap one another in any way. But no slice may overlap the arguments on the
// stack, or the frame of the kernel. Some kernels have an array in the frame, whose elements depend on the loop. Their
// twins have the same array, and load and store the same elements.
package follow

import (
	"fmt"
	"maps"
	"slices"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/arm64"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/changed"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// Obligation is a claim that must follow from given conditions.
type Obligation struct {
	What    string
	Given   []*term.Term
	Claim   *term.Term
	Bitwise bool // Ones means the number of ones, not an arbitrary function
}

// Script returns the obligation as a script for solvers, in the language SMT-LIB. The script is unsatisfiable if and
// only if the obligation holds.
func (o Obligation) Script() string { return term.Script(o.Given, o.Claim, o.Bitwise) }

// Proof has the claims that must be proved about a function, and other facts about its code.
type Proof struct {
	Obligations []Obligation
	Paths       int
	Constants   []Constant
	// For the entry, and for each loop head with each of its cases, there is a cover with the paths from there. The last
	// covers are for the return, and for each loop head, with the paths to there that begin elsewhere.
	Covers     []Cover
	Heads      []uint64            // the addresses of the heads
	Beginnings []changed.Beginning // the entry and the heads, in this order
}

// Constant describes read-only data of the program. A function of the program loads these data.
type Constant struct {
	Address uint64
	Bytes   int
}

// The constant "longest" is a bound of the lengths of slices. The proofs assume that each slice has fewer elements than
// this. They also assume that it ends in the lower half of the address space.
const longest = 1 << 48

// Link has two functions of the linked program. Data returns n bytes of the program's read-only data, which begin at the
// given address. Name returns the name of the function that begins at an address.
type Link struct {
	Data func(address uint64, n int) ([]byte, error)
	Name func(address uint64) string
}

type executor struct {
	twin  Twin
	heads []head
	code  map[uint64]arm64.Instruction
	at    map[uint64]int // the indices of heads, by address
	entry uint64         // the address of the first instruction
	proof *Proof
	link  Link
	sec   section // the invariants

	pool  *term.Pool
	from  int                   // the head at which the path begins; -1 for the entry
	value uint64                // see the line "cases"
	start map[string]*term.Term // the twin's variables at that head
	// The field "state" has the contents of the processor's registers at the beginning of the path.
	state arm64.State
	first *term.Term   // the memory at that head
	given []*term.Term // the conditions given at that head
	ends  []Cover      // of the return and of each head
}

// The type "path" represents the present state of an execution along a path. Where the path branches, the state is
// copied.
type path struct {
	e        *executor
	m        arm64.Machine
	given    []*term.Term
	memory   symbolic
	stored   []write
	accesses []access
	frame    map[uint64]*term.Term // the key is the distance from the stack pointer at the entry
	// The field "arguments" is the frame at the beginning of the path.
	arguments map[uint64]*term.Term
	guarded   bool         // whether the path has loaded the bound of the stack
	at        uint64       // the address of the present instruction, for messages
	lanes     []*term.Term // the lanes that SMAXV has combined
}

type write struct{ at, value *term.Term }

// Execute returns the claims that must be proved about the kernel with the given name. Together these claims prove that
// the kernel follows the twin.
func Execute(name string, twin Twin, inv Invariants, code []arm64.Instruction, link Link) (proof Proof, err error) {
	sec, ok := inv.of(name)
	if !ok {
		return proof, fmt.Errorf("no invariants of %s", name)
	}
	heads := sec.heads
	e := &executor{twin: twin, heads: heads, sec: sec, link: link, entry: code[0].Address, code: map[uint64]arm64.Instruction{}, at: map[uint64]int{}, proof: &proof, ends: endsOf(heads)}
	places, err := e.places(code)
	if err != nil {
		return proof, err
	}
	proof.Heads = places
	for e.from = -1; e.from < len(heads); e.from++ {
		at := code[0].Address
		if e.from >= 0 {
			at = places[e.from]
		}
		reached := arm64.Reached(e.code, at, e.at)
		proof.Beginnings = append(proof.Beginnings, changed.Beginning{First: len(proof.Obligations), Same: !reached})
		if !reached {
			continue
		}
		for _, e.value = range e.values() {
			x, err := e.begin()
			if err == nil {
				proof.Covers = append(proof.Covers, Cover{What: "from " + e.where()})
				err = e.run(x, at, true)
			}
			if err != nil {
				return proof, fmt.Errorf("from %s: %w", e.where(), err)
			}
		}
	}
	proof.Covers = append(proof.Covers, e.ends...)
	return proof, nil
}

func (e *executor) where() string {
	if e.from < 0 {
		return "entry"
	}
	h := e.heads[e.from]
	if h.cases != nil {
		return fmt.Sprintf("%s with %s = %d", h.name, h.cases.name, e.value)
	}
	return h.name
}

// The method "values" returns the values for which the paths from the present head are followed separately. If the head
// has no line "cases", it returns one value without a meaning.
func (e *executor) values() []uint64 {
	if e.from < 0 || e.heads[e.from].cases == nil {
		return []uint64{0}
	}
	var out []uint64
	for c := e.heads[e.from].cases; uint64(len(out)) <= c.to-c.from; {
		out = append(out, c.from+uint64(len(out)))
	}
	return out
}

// The method "begin" returns the state at the point where the paths begin. If e.from >= 0, this point is the loop head
// e.from. Otherwise it is the entry.
func (e *executor) begin() (*path, error) {
	p := term.NewPool()
	e.pool, e.start = p, map[string]*term.Term{}
	x := &path{e: e, m: arm64.Machine{Pool: p}, frame: map[uint64]*term.Term{}}
	s := &x.m.State
	for i := range s.X {
		s.X[i] = p.Var(fmt.Sprintf("x%d", i), 64)
	}
	s.SP = p.Var("sp", 64)
	for i := range s.V {
		for l := range s.V[i] {
			s.V[i][l] = p.Var(fmt.Sprintf("v%d_%d", i, l), 64)
		}
	}
	s.N, s.Z, s.C, s.F = p.Var("flagN", 0), p.Var("flagZ", 0), p.Var("flagC", 0), p.Var("flagV", 0)
	e.first = p.Var("memory", term.Memory)
	x.memory.now = e.first
	e.twin.frame(func(a Arg, at uint64, result bool) {
		if result {
			return
		}
		v := p.Var("a_"+a.Name, 64)
		e.start[a.Name] = v
		x.frame[8+at] = v
		if a.Slice {
			n := p.Var("l_"+a.Name, 64)
			e.start["len("+a.Name+")"] = n
			x.frame[16+at] = n
			end := p.Add(v, p.Mul(p.Value(64, uint64(a.Bytes)), n))
			x.given = append(x.given, p.Ult(n, p.Value(64, longest)), p.Ult(v, p.Value(64, 1<<63)), p.Ult(end, p.Value(64, 1<<63)))
		}
	})
	for _, l := range e.twin.Locals {
		at, ok := e.sec.locals[l.Name]
		if !ok {
			return nil, fmt.Errorf("no line says where %s is", l.Name)
		}
		if at%8 != 0 || at+8 > e.sec.stack || at < 8*l.Words { // the lowest word is for the return address
			return nil, fmt.Errorf("%s is not in the frame", l.Name)
		}
		e.start[l.Name], e.start["len("+l.Name+")"] = e.lowered(at), p.Value(64, l.Words)
	}
	x.arguments = maps.Clone(x.frame)
	s.X[framePointer] = e.held(framePointer, 0)
	if e.from >= 0 {
		s.SP, s.X[framePointer] = e.lowered(e.sec.stack), e.held(framePointer, e.sec.stack)
		if c := e.heads[e.from].cases; c != nil {
			e.start[c.name] = p.Value(64, e.value)
		}
	}
	if e.twin.Define != nil {
		r := &Run{Pool: p, twin: e.twin, vars: e.start}
		e.twin.Define(r)
		x.given = append(x.given, r.given...)
	}
	if e.from >= 0 {
		h := e.heads[e.from]
		vars, ok := e.twin.Vars[h.location]
		if !ok {
			return nil, fmt.Errorf("the twin has no location %s", h.location)
		}
		for _, name := range vars {
			if h.cases == nil || h.cases.name != name {
				e.start[name] = p.Var("t_"+name, 64)
			}
		}
		before := *s
		for _, q := range h.equations {
			v, err := q.sum.value(p, e.start, &before)
			if err != nil {
				return nil, err
			}
			if q.frame {
				x.frame[e.twin.result(q.register)] = v
				continue
			}
			if q.mask != ^uint64(0) {
				v = partly(p, *register(s, q.register), q.mask, v.Value)
			}
			*register(s, q.register) = v
		}
		for _, q := range h.tops {
			v := &s.V[q.vector]
			for i := range v {
				lanes := p.Split(v[i], 16)
				for l := range lanes {
					lanes[l] = p.Concat(p.Extract(e.start[q.bits[4*i+l]], 0, 1), p.Extract(lanes[l], 0, 15))
				}
				v[i] = p.Join(lanes...)
			}
		}
		for _, q := range h.holds {
			c, err := q.value(p, e.start, s)
			if err != nil {
				return nil, err
			}
			x.given = append(x.given, c)
		}
	}
	e.state, e.given = *s, x.given
	return x, nil
}

// The method "run" follows a path, and all paths that branch off from it, to their ends. The argument "at" is the
// address of the next instruction. The argument "first" is true if the path begins at this instruction.
func (e *executor) run(x *path, at uint64, first bool) error {
	for ; ; first = false {
		if h, ok := e.at[at]; ok && (!first || e.from < 0) {
			return e.arrive(x, h)
		}
		if at == e.entry && !first {
			return fmt.Errorf("%#x: the function begins again", x.at)
		}
		in, ok := e.code[at]
		if !ok {
			return fmt.Errorf("%#x is not an instruction of the function", at)
		}
		x.at = at
		x.m.Memory = x
		if in.Name == "ret" && len(in.Args) == 0 {
			return e.arrive(x, -1)
		}
		if in.Name == "bl" {
			return e.more(x, in)
		}
		if in.Name == "smaxv" {
			x.look(in)
		}
		taken, to, branch, err := x.m.Branch(in)
		if err == nil && !branch {
			switch err = x.m.Step(in); {
			case err == nil && (in.Name == "uaddlv" || in.Form() == "addv f8,v8x8"):
				x.sumBytes(in)
			case err == nil && in.Name == "eor":
				x.andNot(in)
			}
		}
		if err != nil {
			return fmt.Errorf("%#x: %s: %w", at, in.Text, err)
		}
		if !branch {
			at = in.Next()
			continue
		}
		if slices.Contains(x.given, e.pool.Not(taken)) && e.sec.stack > 0 {
			at = in.Next()
			continue
		}
		if !taken.Is(0) {
			other := *x
			other.given = append(slices.Clone(x.given), taken)
			other.frame = maps.Clone(x.frame)
			other.stored, other.accesses = slices.Clone(x.stored), slices.Clone(x.accesses)
			if err := e.run(&other, to, false); err != nil {
				return err
			}
		}
		if taken.Is(1) || slices.Contains(x.given, taken) && e.sec.stack > 0 {
			return nil
		}
		x.given = append(slices.Clone(x.given), e.pool.Not(taken))
		at = in.Next()
	}
}

func (x *path) claim(what string, given []*term.Term, c *term.Term, bitwise bool) {
	e := x.e
	e.proof.Obligations = append(e.proof.Obligations, Obligation{fmt.Sprintf("from %s at %#x: %s", e.where(), x.at, what), given, c, bitwise})
}

// The method "arrive" is called where a path ends: at loop head h, or at the return if h is -1. It runs the twin to
// the same point, once for every sequence of branches that the twin can take.
func (e *executor) arrive(x *path, h int) error {
	e.proof.Paths++
	x.room()
	turns, begin := 1, "entry"
	targets := map[string]int{"return": -1} // the heads at the place where the path ends, by the twin's location there
	if h >= 0 {
		targets = map[string]int{e.heads[h].location: h}
		for h++; h < len(e.heads) && e.heads[h].also; h++ {
			targets[e.heads[h].location] = h
		}
	}
	if e.from >= 0 {
		turns, begin = e.heads[e.from].turns, e.heads[e.from].location
	}
	// Each list of choices is one sequence of branches of the twin. To make the next sequence, the last "true" in the
	// list is changed to "false". All later choices are dropped.
	var choices []bool
	elsewhere := e.pool.Bool(true) // none of the twin's ways that end at other points is possible
	for {
		r := &Run{Pool: e.pool, twin: e.twin, vars: maps.Clone(e.start), choices: choices, path: x.given, At: begin, bare: len(e.twin.Locals) > 0}
		m := &symbolic{now: e.first}
		var apart []*term.Term
		r.memory = m
		if e.from >= 0 && e.heads[e.from].apart {
			m.apart = func(a, b *term.Term) bool {
				p := e.pool
				d, least := p.Sub(a, b), p.Value(64, 8)
				apart = append(apart, p.And(p.Ule(least, d), p.Ule(least, p.Sub(p.Value(64, 0), d))))
				return true
			}
		}
		if e.from >= 0 {
			r.first = &Run{Pool: e.pool, twin: e.twin, vars: e.start, At: begin}
		}
		r.next = begin
		// The line "turns" of the invariants file gives a number of steps. If the file has no such line, this number is
		// 1. The twin first makes this number of steps. From then on it must not visit a location twice before it
		// reaches the location where the path ends. If the twin has local arrays, it makes no other steps. So everything
		// that it claims is claimed on a path that begins at the location of this step.
		seen := map[string]bool{}
		lost := false
		for n := 0; !lost; n++ {
			if _, there := targets[r.next]; there && n >= turns {
				break
			}
			if lost = r.next == "return" || seen[r.next] || n >= turns && len(e.twin.Locals) > 0; lost {
				break
			}
			seen[r.next] = n >= turns
			r.At, r.next = r.next, ""
			e.twin.Step(r)
		}
		given := append(slices.Clone(x.given), r.given...)
		for _, c := range r.claims {
			if c.lemma {
				x.claim("a lemma", nil, c.is, false)
				continue
			}
			x.claim("what the twin claims", given[:len(x.given)+c.given], c.is, false)
		}
		if lost {
			elsewhere = e.pool.And(elsewhere, e.pool.Not(e.pool.And(r.given...)))
			if len(apart) > 0 && slices.ContainsFunc(r.given, loads) {
				return fmt.Errorf("at %#x: a branch of the twin depends on words that are apart only on other branches", x.at)
			}
			apart = nil
		} else if err := e.compare(x, r, m, targets[r.next], given); err != nil {
			return err
		}
		for _, c := range apart {
			x.claim("words are apart", e.given, c, false)
		}
		choices = slices.Clone(r.choices[:r.asked])
		for len(choices) > 0 && !choices[len(choices)-1] {
			choices = choices[:len(choices)-1]
		}
		if len(choices) == 0 {
			x.claim("the twin does not go elsewhere", slices.Clone(x.given), elsewhere, false)
			return nil
		}
		choices[len(choices)-1] = false
	}
}

// The method "compare" adds the claim that the path and the twin's run had the same effect. If h >= 0, it also adds
// the claim that the invariant of loop head h holds.
func (e *executor) compare(x *path, r *Run, m *symbolic, h int, given []*term.Term) error {
	p, s := e.pool, &x.m.State
	to := "the return"
	e.possible(x, h, given)
	one := func(what string, c *term.Term) {
		if c, free := x.free(c); free {
			x.claim(to+": "+what, nil, c, false)
		} else {
			x.claim(to+": "+what, given, c, false)
		}
	}
	// The function "position" makes a claim about position j of the present word of the hash stream.
	position := func(what string, c *term.Term, j int) {
		if word, ok := e.start["x"]; ok && j >= 0 && e.sec.positions {
			for _, c := range x.cases(c, word, j) {
				one(what, c)
			}
			return
		}
		one(what, c)
	}
	claim := func(what string, c *term.Term) {
		for _, part := range x.cut(c, r.leaves) {
			position(what, part.claim, part.word-1) // the first word is not about a position
		}
	}
	if h >= 0 {
		to = e.heads[h].name
	}
	// The kernel and the twin must make the same stores in the same order. The claims say that the addresses and the
	// values of these stores are equal.
	var twin []write
	for t := m.now; t != e.first; t = t.Args[0] {
		twin = append(twin, write{t.Args[1], t.Args[2]})
	}
	slices.Reverse(twin)
	if len(twin) != len(x.stored) {
		claim(fmt.Sprintf("%d stores and of the twin %d", len(x.stored), len(twin)), p.Bool(false))
		return nil
	}
	for i, w := range x.stored {
		claim("where is stored", equal(p, w.at, twin[i].at))
		claim("what is stored", equal(p, w.value, twin[i].value))
	}
	// The kernel may make loads that the twin does not make. These claims say that each of these loads lies inside a
	// slice.
	for _, a := range x.accesses {
		if slices.ContainsFunc(r.accesses, func(b access) bool {
			return a.bytes == b.bytes && (!a.stores || b.stores) && equal(p, a.at, b.at).Is(1)
		}) {
			continue
		}
		if a.stores { // already compared above with the twin's store
			continue
		}
		c, err := e.inside(a)
		if err != nil {
			return fmt.Errorf("at %#x: %w", x.at, err)
		}
		claim("a load is inside", c)
	}
	// A caller relies on some registers. These claims say that the function does not change these registers.
	lowered := e.sec.stack
	if h < 0 {
		lowered = 0
	}
	x.preserves(lowered, claim)
	if h < 0 {
		var err error
		e.twin.frame(func(a Arg, at uint64, result bool) {
			if !result {
				return
			}
			v, ok := x.frame[8+at]
			if !ok {
				err = fmt.Errorf("at %#x: no %s is stored", x.at, a.Name)
				return
			}
			claim("the result "+a.Name, equal(p, v, p.Extract(r.Get("result "+a.Name), 0, 8*a.Bytes)))
		})
		return err
	}
	for _, q := range e.heads[h].equations {
		v, err := q.sum.value(p, r.vars, s)
		if err != nil {
			return err
		}
		var is *term.Term
		if q.frame {
			if is = x.frame[e.twin.result(q.register)]; is == nil {
				return fmt.Errorf("at %#x: no %s is stored", x.at, q.register)
			}
		} else {
			if is = *register(s, q.register); q.mask != ^uint64(0) {
				is = p.BvAnd(is, p.Value(64, q.mask))
			}
		}
		claim(q.text, equal(p, is, v))
	}
	for _, q := range e.heads[h].tops {
		for i, name := range q.bits {
			w := s.V[q.vector][i/4]
			position(q.text, p.Eq(p.Extract(w, i%4*16+15, 1), p.Extract(r.Get(name), 0, 1)), slices.Index(seen, name))
		}
	}
	for _, q := range e.heads[h].holds {
		c, err := q.value(p, r.vars, s)
		if err != nil {
			return err
		}
		claim(q.text, c)
	}
	if c := e.heads[h].cases; c != nil {
		v := r.Get(c.name)
		claim("there is no other case", p.And(p.Ule(p.Value(64, c.from), v), p.Ule(v, p.Value(64, c.to))))
	}
	x.slots(r, h, given, to)
	if e.from < 0 {
		return nil
	}
	c := p.Bool(false)
	before, after := e.heads[e.from].measure, e.heads[h].measure
	if len(before) != len(after) || len(after) == 0 {
		return fmt.Errorf("%s and %s have measures of %d and %d sums", e.where(), to, len(before), len(after))
	}
	for i := len(after) - 1; i >= 0; i-- {
		a, err := before[i].value(p, e.start, &e.state)
		if err != nil {
			return err
		}
		b, err := after[i].value(p, r.vars, s)
		if err != nil {
			return err
		}
		c = p.Or(p.Ult(b, a), p.And(equal(p, b, a), c))
	}
	claim("an end", c)
	return nil
}
