package simulate

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/semantics"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/symbolic"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// The constant "longest" is an upper bound for the lengths of slices. The proofs assume that each slice has fewer
// elements than this bound.
const longest = 1 << 48

type executor struct {
	twin  *Twin
	sec   section
	code  map[uint64]decode.Instruction
	heads map[uint64]int // from the address to the index in sec.heads
	proof *symbolic.Proof
	link  Link
	// The map "bounds" has a number for each slice in the Touches line of the assembly file. The function accesses only
	// elements of that slice with indices below this number.
	bounds   map[string]expression
	declared int64 // the size of the frame that the TEXT line declares, with the caller's frame pointer

	// The following fields belong to the paths that begin at one loop head, or at the entry.
	from  int // the head; -1 for the entry
	pool  *term.Pool
	in    inputs
	vars  map[string]*term.Term // the twin's variables at the beginning
	start *term.Term            // the memory at the beginning
	begun []*term.Term          // the measure at the beginning
	is    []uint64              // the values of the cases; nil for the entry
	// The function "known" replaces the expressions of the cases by their values.
	known func(*term.Term) *term.Term
	high  bool // the upper half of a product was bounded
	// The field "vectors" is true if the function uses vectors of 256 bits or more. Its terms are then compared in the
	// form that the method "normal" returns.
	vectors bool
	lemmas  map[string]bool // that obligations use
	// The function begins with a check of the stack. It may then use so many bytes below the return address. Without a
	// check the linker has added up the frames, and the number is 0.
	room uint64
	// Normal forms and leaves of terms that have been computed.
	normals map[*term.Term]*term.Term
	leaf    map[*term.Term][]*term.Term
	bounded []*term.Term         // the bounds of the twin's steps on the present path
	rounded *term.Term           // the address of the line "rounded"; nil without such a line
	caller  map[int64]*term.Term // the frame at the entry

	possible []way            // the paths from the present beginning
	ends     []symbolic.Cover // for the return, and for each loop head: the paths to it that begin elsewhere
}

// The type "path" represents the present state of an execution along a path. Where the path branches, the state is
// copied.
type path struct {
	e       *executor
	m       semantics.Machine
	at      uint64 // the address of the present instruction
	given   []*term.Term
	claims  []claim
	memory  symbols
	frame   map[int64]*term.Term        // 8 bytes each
	within  map[place]*term.Term        // the frame at places that are aligned
	under   bool                        // an access has to be inside only under a condition
	split   []int                       // the lines "split" at which "divide" divided it
	fold    func(*term.Term) *term.Term // replaces a term by its value on such a path; may be nil
	region  [2]int64                    // what of the frame these places, or records, can be in, from the return address
	puts    []put
	assumed []int // the indices in given of what is assumed about words of records
}

var (
	touches = regexp.MustCompile(`(?m)^// Touches  (.*(?:\n//           .*)*)$`)
	bounded = regexp.MustCompile(`(\w+)\[0:(\w+)\]`)
	factor  = regexp.MustCompile(`^([0-9]+)([a-z])`)
)

// An assembly file has a line that begins with Touches. The function Bounds reads this line. It maps each slice to a
// number. Only elements of that slice with indices below this number are accessed. For example, if the line contains
// a[0:n], the result maps "a" to "n".
func Bounds(source string) map[string]string {
	out := map[string]string{}
	if m := touches.FindStringSubmatch(source); m != nil {
		for _, b := range bounded.FindAllStringSubmatch(m[1], -1) {
			out[b[1]] = b[2]
		}
	}
	return out
}

// Execute returns the claims that must be proved about the function with the given name. The argument "source" is the
// text of the function's assembly file. In this text, the function must have the same signature as the twin. The
// header of the file states which indices of slices are accessed. The returned claims include these statements.
func Execute(name, source string, inv Invariants, code []decode.Instruction, data symbolic.Data) (proof symbolic.Proof, err error) {
	sec, ok := inv.of(name)
	if !ok {
		return proof, fmt.Errorf("no invariants of %s", name)
	}
	return execute(name, source, sec, code, Link{Data: data})
}

// The type Link has two functions that look up an address of the program. The function Data returns read-only bytes.
// The function Name returns the name of the function or variable at this address.
type Link struct {
	Data symbolic.Data
	Name func(uint64) string
}

// ExecuteStub returns the claims that must be proved about a stub. A stub is a function without loops that jumps to
// other functions.
func ExecuteStub(name, source string, code []decode.Instruction, link Link) (symbolic.Proof, error) {
	return execute(name, source, section{twin: name}, code, link)
}

func execute(name, source string, sec section, code []decode.Instruction, link Link) (proof symbolic.Proof, err error) {
	twin, err := sec.program()
	if err != nil {
		return proof, err
	}
	if line := "// func " + name + twin.Signature + "\n"; !strings.Contains(source, line) {
		return proof, fmt.Errorf("the file of assembly has no line %q", line)
	}
	declared, err := frameOf(name, source)
	if err != nil {
		return proof, err
	}
	bounds := map[string]expression{}
	for slice, bound := range Bounds(source) {
		if bounds[slice], err = parse(factor.ReplaceAllString(bound, "$1*$2")); err != nil {
			return proof, err
		}
	}
	twin = twin.fresh()
	e := &executor{twin: twin, sec: sec, link: link, bounds: bounds, declared: declared, code: map[uint64]decode.Instruction{}, heads: map[uint64]int{}, proof: &proof}
	if err := e.read(code); err != nil {
		return proof, err
	}
	if slices.ContainsFunc(twin.steps, func(s step) bool { return s.kind == "bound" }) {
		e.lemma("products of halves")
		e.lemma("products of 52 bits")
	}
	e.ends = endsOf(sec)
	for e.from = -1; e.from < len(sec.heads); e.from++ {
		at := code[0].Address
		for a, h := range e.heads {
			if h == e.from {
				at = a
			}
		}
		if !proof.Begins(e.code, at, e.heads) {
			continue
		}
		for e.is = e.first(); ; {
			x, err := e.begin()
			if err != nil {
				return proof, fmt.Errorf("from %s: %w", e.name(e.from), err)
			}
			// If a fact is false for these values, there is no such path.
			if !slices.ContainsFunc(x.given, func(g *term.Term) bool { return g.Is(0) }) {
				if err := e.run(x, at, e.from >= 0); err != nil {
					return proof, fmt.Errorf("from %s: %w", e.name(e.from), err)
				}
				e.cover()
			}
			if !e.next() {
				break
			}
		}
	}
	proof.Covers = append(proof.Covers, e.ends...)
	for _, name := range slices.Sorted(maps.Keys(e.lemmas)) {
		proof.Obligations = append(proof.Obligations, symbolic.Obligation{What: name, Text: lemmas[name]})
	}
	if e.high {
		proof.Obligations = append(proof.Obligations, symbolic.Obligation{What: "upper halves of products", Text: highLemma})
	}
	return proof, nil
}

func (e *executor) name(h int) string {
	if h < 0 {
		return "the entry"
	}
	out := e.sec.heads[h].name
	for i, v := range e.is {
		if h == e.from {
			out += fmt.Sprintf(" %s %s is %d", []string{"where", "and"}[min(i, 1)], e.cases()[i].text, v)
		}
	}
	return out
}

// The method "cases" returns the cases of the paths that begin at the loop head e.from. At the entry, there are none.
func (e *executor) cases() []cases {
	if e.from < 0 {
		return nil
	}
	return slices.Concat(e.sec.cases, e.sec.heads[e.from].cases)
}

// The method "first" returns the least value of the expression of each line "cases".
func (e *executor) first() (out []uint64) {
	for _, c := range e.cases() {
		out = append(out, c.from)
	}
	return out
}

// The method "next" changes e.is to the next combination of values. If there is none, it returns false.
func (e *executor) next() bool {
	for i, c := range e.cases() {
		if e.is[i]++; e.is[i] <= c.to {
			return true
		}
		e.is[i] = c.from
	}
	return false
}

// The method "read" finds the loop heads of the function, and the CPU features that its instructions need.
func (e *executor) read(code []decode.Instruction) error {
	var heads []uint64
	for _, in := range code {
		e.code[in.Address] = in
		e.vectors = e.vectors || slices.ContainsFunc(in.Args, func(a decode.Operand) bool { return a.Kind == decode.Vector && a.Width > 128 })
		if in.Name[0] == 'j' && in.Args[0].Value <= in.Address && in.Args[0].Value >= code[0].Address && !slices.Contains(heads, in.Args[0].Value) {
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
	e.room = code[0].Room
	if len(heads) != len(e.sec.heads) {
		return fmt.Errorf("%d loop heads, %d invariants", len(heads), len(e.sec.heads))
	}
	for i, a := range heads {
		e.heads[a] = i
	}
	return nil
}

// The method "begin" returns the state in which paths begin. If e.from >= 0, they begin at the loop head e.from,
// and otherwise at the entry.
func (e *executor) begin() (x *path, err error) {
	defer caught(&err)
	p := term.NewPool()
	e.pool, e.in, e.normals, e.leaf = p, e.twin.newInputs(p), map[*term.Term]*term.Term{}, map[*term.Term][]*term.Term{}
	e.start = p.Var("M", term.Memory)
	x = &path{e: e, m: semantics.Machine{Pool: p, Direct: true}, memory: symbols{p, e.start}, frame: map[int64]*term.Term{}, within: map[place]*term.Term{}}
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
	e.in.value["SP"], e.in.value["BP"] = p.Var("SP", 64), p.Var("BP", 64)
	for _, a := range e.twin.args {
		x.frame[a.at] = e.in.value[a.name]
		if a.size > 0 {
			x.frame[a.at+8] = e.in.value["len("+a.name+")"]
			x.frame[a.at+16] = p.Var("cap_"+a.name, 64)
		}
	}
	e.caller = maps.Clone(x.frame)
	for name := range e.in.slices {
		l := e.in.value["len("+name+")"]
		x.given = append(x.given, p.Ult(l, p.Value(64, longest)), p.Ult(e.in.value[name], p.Value(64, 1<<63)))
	}
	if e.rounded = nil; e.sec.rounded != nil {
		e.rounded = e.in.scope(nil, nil).word(*e.sec.rounded)
	}
	e.records(x)
	slices.SortFunc(x.given, func(a, b *term.Term) int { return strings.Compare(a.String(), b.String()) })
	x.m.GP[4], x.m.GP[5] = e.in.value["SP"], e.in.value["BP"]
	if e.from < 0 {
		e.vars, e.known = map[string]*term.Term{}, nil
		return x, nil
	}
	h := e.sec.heads[e.from]
	e.vars = map[string]*term.Term{}
	for _, n := range e.twin.names {
		e.vars[n] = p.Var("twin_"+n, 64)
	}
	before := x.m.State
	s := e.scope(e.vars, &before, x.frame)
	for _, depth := range h.slots {
		x.frame[-depth] = p.Var(fmt.Sprintf("at%d", depth), 64)
	}
	values := map[*term.Term]*term.Term{}
	for i, c := range e.cases() {
		of, is := s.word(c.of), p.Value(64, e.is[i])
		x.given = append(x.given, p.Eq(of, is))
		for v := c.from; v <= c.to; v++ {
			if v != e.is[i] {
				x.given = append(x.given, p.Not(p.Eq(of, p.Value(64, v))))
			}
		}
		values[of] = is
	}
	known := func(t *term.Term) *term.Term { return t }
	if len(values) > 0 {
		known = func(t *term.Term) *term.Term {
			return p.Rewrite(t, func(t *term.Term) *term.Term { return values[t] })
		}
		if e.sec.consts || len(h.cases) > 0 {
			known = replaced(p, values)
		}
	}
	e.known = known
	for _, q := range h.lines {
		if !q.holds(s, known) {
			continue
		}
		if v := known(s.word(q.is)); q.place.Kind != "" {
			*x.m.At(q.place) = v
		} else {
			x.frame[e.slot(q)] = v
		}
	}
	x.begin(h, s)
	for _, f := range h.facts {
		x.given = append(x.given, known(e.scope(e.vars, &x.m.State, x.frame).truth(f.is)))
	}
	if len(h.each) > 0 {
		now := e.scope(e.vars, &x.m.State, x.frame)
		numbers := []*term.Term{e.anyCell()}
		for _, t := range h.take {
			numbers = append(numbers, known(now.word(t)))
		}
		for _, c := range numbers {
			x.given = append(x.given, e.each(h, now, cells{e, e.start}, c)...)
		}
	}
	x.m.Upper = h.upper
	e.fill(h, s)
	e.begun = nil
	for _, m := range h.measure {
		e.begun = append(e.begun, s.word(m))
	}
	return x, nil
}

// The method "holds" reports whether the condition of a line "when" is true. Lines without condition hold. The function
// "known" replaces the expressions of cases by their values.
func (q equation) holds(s scope, known ...func(*term.Term) *term.Term) bool {
	if q.when == nil {
		return true
	}
	c := s.truth(*q.when)
	for _, f := range known {
		if f != nil {
			c = f(c)
		}
	}
	if c.Op != term.Const {
		fail("%s: it is not known when", q.text)
	}
	return c.Is(1)
}

// The method "scope" returns the values of the names that an invariant can contain. These are the twin's names,
// registers, lanes and masks, and names such as at16. The name at16 stands for the 8 bytes of the stack frame that
// begin 16 bytes below the return address.
func (e *executor) scope(vars map[string]*term.Term, state *semantics.State, frame map[int64]*term.Term) scope {
	s := e.in.scope(vars, nil)
	names := s.names
	s.names = func(name string) *term.Term {
		if places := decode.Places(name); len(places) == 1 {
			return *state.At(places[0])
		}
		if depth, ok := slotOf(name); ok {
			if frame[-depth] == nil {
				fail("%s: nothing is there", name)
			}
			return frame[-depth]
		}
		return names(name)
	}
	return s
}

// A line of the invariants file can be about a value in the stack frame. The argument q is such a line. The method
// "slot" returns the distance in bytes of this value from the return address.
func (e *executor) slot(q equation) int64 {
	if q.named == "" {
		return q.slot
	}
	i := slices.IndexFunc(e.twin.results, func(r argument) bool { return r.name == q.named })
	if i < 0 {
		fail("%s is no result", q.named)
	}
	return e.twin.results[i].at
}

// The method "run" follows a path, and all paths that branch off from it, to their ends. The argument "at" is the
// address of the next instruction. If the path begins at this instruction, and the instruction is a loop head, the
// argument "begun" is true.
func (e *executor) run(x *path, at uint64, begun bool) error {
	for ; ; begun = false {
		if h, ok := e.heads[at]; ok && !begun {
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
		case in.Name == "jmp" && e.code[in.Args[0].Value].Name == "" && e.link.Name != nil:
			return e.goneOn(x, e.link.Name(in.Args[0].Value))
		case in.Name == "jmp":
			at = in.Args[0].Value
		case in.Name[0] == 'j':
			c, err := x.condition(in)
			if err != nil {
				return fmt.Errorf("%#x: %s: %w", at, in.Text, err)
			}
			for _, g := range x.given {
				if c.Op == term.Const {
					break
				}
				switch { // no other term is made here, because the order of terms is part of the claims
				case g == c:
					c = e.pool.Bool(true)
				case g.Op == term.Not && g.Args[0] == c, c.Op == term.Not && c.Args[0] == g:
					c = e.pool.Bool(false)
				}
			}
			if !c.Is(0) {
				taken := *x
				taken.given = append(slices.Clone(x.given), c)
				taken.claims = slices.Clone(x.claims)
				taken.frame, taken.within = maps.Clone(x.frame), maps.Clone(x.within)
				if err := e.run(&taken, in.Args[0].Value, false); err != nil {
					return err
				}
			}
			if c.Is(1) {
				return nil
			}
			x.given = append(slices.Clone(x.given), e.pool.Not(c))
			at = in.Next()
		default:
			if s := slices.IndexFunc(e.sec.splits, func(c cases) bool { return c.begins(in) }); s >= 0 && !slices.Contains(x.split, s) {
				return e.divide(x, in, s)
			}
			x.m.Memory = x
			if err := x.m.Step(in); err != nil {
				return fmt.Errorf("%#x: %s: %w", at, in.Text, err)
			}
			if low, known := x.depth(x.m.GP[4]); e.room > 0 && (!known || low < -int64(e.room)) {
				return fmt.Errorf("%#x: %s: a frame that the check of the stack does not cover", at, in.Text)
			}
			at = in.Next()
		}
	}
}

// The method "begins" reports whether paths are divided from the given instruction on.
func (c cases) begins(in decode.Instruction) bool {
	if len(in.Args) == 0 || in.Args[0].Reg != c.reg {
		return false
	}
	if c.name != "" {
		return in.Name == c.name && in.Args[0].Kind == decode.Register
	}
	return len(in.Args) > 1 && in.Args[0].Kind == decode.Mask && in.Args[1].Kind == decode.Register
}

// The instruction "in" is the one of e.sec.splits[s]. The method "divide" follows the path from there once for each
// value of the expression of e.sec.splits[s]. It replaces the expression by the value in the registers.
func (e *executor) divide(x *path, in decode.Instruction, s int) (err error) {
	defer caught(&err)
	p, c := e.pool, e.sec.splits[s]
	of := e.scope(e.vars, &x.m.State, x.frame).word(c.of)
	l := term.Linearize(of) // if it is a term plus a constant, the term is replaced
	leaf, shift := of, uint64(0)
	for t, k := range l.Of {
		if len(l.Of) == 1 && k == 1 {
			leaf, shift = t, l.Const
		}
	}
	some := p.Bool(false)
	for v := c.from; v <= c.to; v++ {
		some = p.Or(some, p.Eq(of, p.Value(64, v)))
	}
	e.oblige(fmt.Sprintf("from %s: at %#x: there is no other case", e.name(e.from), in.Address), x.given, some)
	for v := c.from; v <= c.to; v++ {
		y := *x
		y.split = append(slices.Clone(x.split), s)
		y.given = append(slices.Clone(x.given), p.Eq(of, p.Value(64, v)))
		for w := c.from; w <= c.to; w++ {
			if w != v {
				y.given = append(y.given, p.Not(p.Eq(of, p.Value(64, w))))
			}
		}
		y.claims = slices.Clone(x.claims)
		y.frame, y.within = maps.Clone(x.frame), maps.Clone(x.within)
		for i, t := range x.m.GP {
			y.m.GP[i] = p.Known(t, leaf, 0, 64, v-shift)
		}
		if leaf != of || len(l.Of) == 1 {
			fold := func(t *term.Term) *term.Term {
				return p.Rewrite(t, func(t *term.Term) *term.Term {
					if t == leaf {
						return p.Value(64, v-shift)
					}
					return nil
				})
			}
			if e.sec.consts {
				fold = replaced(p, map[*term.Term]*term.Term{leaf: p.Value(64, v-shift)})
			}
			y.memory.m = fold(x.memory.m)
			y.fold = fold
			if before := x.fold; before != nil {
				y.fold = func(t *term.Term) *term.Term { return fold(before(t)) }
			}
		}
		y.m.Flags = semantics.Flags{} // no jump after this instruction reads earlier flags
		if err := e.run(&y, in.Address, false); err != nil {
			return err
		}
	}
	return nil
}

// The function "replaced" returns a function that replaces terms by the given values. It simplifies the result as the
// kernel's terms are simplified.
func replaced(p *term.Pool, values map[*term.Term]*term.Term) func(*term.Term) *term.Term {
	known := maps.Clone(values)
	var of func(t *term.Term) *term.Term
	of = func(t *term.Term) *term.Term {
		if r := known[t]; r != nil {
			return r
		}
		arg := func(i int) *term.Term { return of(t.Args[i]) }
		var r *term.Term
		switch t.Op {
		case term.Ite:
			if r = arg(0); r.Op == term.Const {
				r = arg(2 - int(r.Value))
			} else {
				r = p.Ite(r, arg(1), arg(2))
			}
		case term.Add:
			r = p.Add(arg(0), arg(1))
		case term.Sub:
			r = p.Sub(arg(0), arg(1))
		case term.Mul:
			r = p.Mul(arg(0), arg(1))
		case term.Eq:
			r = p.Eq(arg(0), arg(1))
		case term.Not:
			r = p.Not(arg(0))
		case term.And:
			r = p.And(arg(0), arg(1))
		case term.Or:
			r = p.Or(arg(0), arg(1))
		default:
			r = p.Rewrite(t, func(u *term.Term) *term.Term {
				if u == t {
					return nil
				}
				return of(u)
			})
		}
		known[t] = r
		return r
	}
	return of
}

func (x *path) condition(in decode.Instruction) (c *term.Term, err error) {
	defer semantics.Recover(&err)
	return x.m.Condition(strings.TrimPrefix(in.Name, "j")), nil
}
