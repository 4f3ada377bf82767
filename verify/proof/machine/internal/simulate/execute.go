package simulate

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/bits"
	"regexp"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/semantics"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/symbolic"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// longest is an assumption about slices: they are shorter than this.
const longest = 1 << 48

type executor struct {
	twin  *Twin
	sec   section
	code  map[uint64]decode.Instruction
	heads map[uint64]int // from the address to the index in sec.heads
	proof *symbolic.Proof
	link  Link
	// bounds has the ends of slices that the file's header states.
	bounds map[string]expression

	// The following fields are for the paths from one head or from the entry.
	from  int // the head; -1 for the entry
	pool  *term.Pool
	in    inputs
	vars  map[string]*term.Term // the twin's variables at the beginning
	start *term.Term            // the memory at the beginning
	begun []*term.Term          // the measure at the beginning
	high  bool                  // the upper half of a product was bounded
}

// path is the state of a path. It is copied at a branch.
type path struct {
	e      *executor
	m      semantics.Machine
	at     uint64 // the address of the present instruction
	given  []*term.Term
	claims []claim
	memory symbols
	frame  map[int64]*term.Term // 8 bytes each
}

type claim struct {
	what string
	is   *term.Term
	// These are for an access: the slice, and the offset in it of the first byte after the access.
	slice string
	end   *term.Term
}

var (
	touches = regexp.MustCompile(`(?m)^// Touches  (.*(?:\n//           .*)*)$`)
	bounded = regexp.MustCompile(`(\w+)\[0:(\w+)\]`)
	factor  = regexp.MustCompile(`^([0-9]+)([a-z])`)
)

// Bounds returns the ends of slices from the Touches line of an assembly file: "n" for a[0:n].
func Bounds(source string) map[string]string {
	out := map[string]string{}
	if m := touches.FindStringSubmatch(source); m != nil {
		for _, b := range bounded.FindAllStringSubmatch(m[1], -1) {
			out[b[1]] = b[2]
		}
	}
	return out
}

// Execute returns the claims that must be proved about a function. source is its assembly file. The file must have the
// signature of the twin. The bounds of slices in its header are claimed.
func Execute(name, source string, inv Invariants, code []decode.Instruction) (proof symbolic.Proof, err error) {
	sec, ok := inv.of(name)
	if !ok {
		return proof, fmt.Errorf("no invariants of %s", name)
	}
	return execute(name, source, sec, code, Link{})
}

// Link looks up addresses of the program: it returns read-only bytes, and the name of a function or variable.
type Link struct {
	Data symbolic.Data
	Name func(uint64) string
}

// ExecuteStub returns the claims that must be proved about a function without loops that jumps to other functions.
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
	bounds := map[string]expression{}
	for slice, bound := range Bounds(source) {
		if bounds[slice], err = parse(factor.ReplaceAllString(bound, "$1*$2")); err != nil {
			return proof, err
		}
	}
	e := &executor{twin: twin, sec: sec, link: link, bounds: bounds, code: map[uint64]decode.Instruction{}, heads: map[uint64]int{}, proof: &proof}
	if err := e.read(code); err != nil {
		return proof, err
	}
	for e.from = -1; e.from < len(sec.heads); e.from++ {
		at := code[0].Address
		for a, h := range e.heads {
			if h == e.from {
				at = a
			}
		}
		x, err := e.begin()
		if err != nil {
			return proof, fmt.Errorf("from %s: %w", e.name(e.from), err)
		}
		if err := e.run(x, at, e.from >= 0); err != nil {
			return proof, fmt.Errorf("from %s: %w", e.name(e.from), err)
		}
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
	return e.sec.heads[h].name
}

// read finds the loop heads and the CPU features.
func (e *executor) read(code []decode.Instruction) error {
	var heads []uint64
	for _, in := range code {
		e.code[in.Address] = in
		if in.Name[0] == 'j' && in.Args[0].Value <= in.Address && in.Args[0].Value >= code[0].Address && !slices.Contains(heads, in.Args[0].Value) {
			heads = append(heads, in.Args[0].Value)
		}
		if x, ok := semantics.Lookup(in.Form()); ok && x.Feature != "" && !slices.Contains(e.proof.Features, x.Feature) {
			e.proof.Features = append(e.proof.Features, x.Feature)
		}
	}
	slices.Sort(heads)
	slices.Sort(e.proof.Features)
	if len(heads) != len(e.sec.heads) {
		return fmt.Errorf("%d loop heads, %d invariants", len(heads), len(e.sec.heads))
	}
	for i, a := range heads {
		e.heads[a] = i
	}
	return nil
}

// begin returns a state at the entry or at the head e.from.
func (e *executor) begin() (x *path, err error) {
	defer caught(&err)
	p := term.NewPool()
	e.pool, e.in = p, e.twin.newInputs(p)
	e.start = p.Var("M", term.Memory)
	x = &path{e: e, m: semantics.Machine{Pool: p, Direct: true}, memory: symbols{p, e.start}, frame: map[int64]*term.Term{}}
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
		}
	}
	for name := range e.in.slices {
		l := e.in.value["len("+name+")"]
		x.given = append(x.given, p.Ult(l, p.Value(64, longest)), p.Ult(e.in.value[name], p.Value(64, 1<<63)))
	}
	slices.SortFunc(x.given, func(a, b *term.Term) int { return strings.Compare(a.String(), b.String()) })
	x.m.GP[4], x.m.GP[5] = e.in.value["SP"], e.in.value["BP"]
	if e.from < 0 {
		e.vars = map[string]*term.Term{}
		return x, nil
	}
	h := e.sec.heads[e.from]
	e.vars = map[string]*term.Term{}
	for _, n := range e.twin.names {
		e.vars[n] = p.Var("twin_"+n, 64)
	}
	before := x.m.GP
	s := e.scope(e.vars, &before)
	for _, q := range h.lines {
		if v := s.word(q.is); q.reg >= 0 {
			x.m.GP[q.reg] = v
		} else {
			x.frame[e.slot(q)] = v
		}
	}
	for _, f := range h.facts {
		x.given = append(x.given, s.truth(f.is))
	}
	e.begun = nil
	for _, m := range h.measure {
		e.begun = append(e.begun, s.word(m))
	}
	return x, nil
}

// scope returns the scope of an invariant: the twin's names and the registers.
func (e *executor) scope(vars map[string]*term.Term, gp *[16]*term.Term) scope {
	s := e.in.scope(vars, nil)
	names := s.names
	s.names = func(name string) *term.Term {
		if r, ok := decode.RegisterNumber(name); ok {
			return gp[r]
		}
		return names(name)
	}
	return s
}

// slot returns the place in the frame that a line of the invariants is about.
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

// run follows a path, and all paths that branch off from it, to their ends. begun says whether the path begins at a
// head.
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
			if !c.Is(0) {
				taken := *x
				taken.given = append(slices.Clone(x.given), c)
				taken.claims = slices.Clone(x.claims)
				taken.frame = maps.Clone(x.frame)
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
			x.m.Memory = x
			if err := x.m.Step(in); err != nil {
				return fmt.Errorf("%#x: %s: %w", at, in.Text, err)
			}
			at = in.Next()
		}
	}
}

func (x *path) condition(in decode.Instruction) (c *term.Term, err error) {
	defer semantics.Recover(&err)
	return x.m.Condition(strings.TrimPrefix(in.Name, "j")), nil
}

func (x *path) claim(what string, c *term.Term) {
	x.claims = append(x.claims, claim{what: fmt.Sprintf("at %#x: %s", x.at, what), is: c})
}

// depth returns the distance of an address above the return address, if this is a constant.
func (x *path) depth(at *term.Term) (int64, bool) {
	d := term.Linearize(at).Minus(term.Linearize(x.e.in.value["SP"]))
	return int64(d.Const), len(d.Of) == 0
}

// inside claims that the bytes at an address belong to a slice, and returns the name of the slice.
func (x *path) inside(at *term.Term, n int) string {
	p, e := x.m.Pool, x.e
	l := term.Linearize(at)
	var name string
	for s := range e.in.slices {
		if k := l.Of[e.in.value[s]]; k == 1 && name == "" {
			name = s
		} else if k != 0 {
			semantics.Fail("an address of two slices: %s", at)
		}
	}
	if name == "" {
		semantics.Fail("an address outside all slices: %s", at)
	}
	from := e.in.value[name]
	size := p.Mul(e.in.value["len("+name+")"], p.Value(64, uint64(e.in.slices[name])))
	distance := p.Linear(l.Minus(term.Linearize(from)))
	bytes := p.Value(64, uint64(n))
	x.claim("an access inside "+name, p.And(p.Ule(bytes, size), p.Ule(distance, p.Sub(size, bytes))))
	c := &x.claims[len(x.claims)-1]
	c.slice, c.end = name, p.Add(distance, bytes)
	return name
}

// field returns the field at an address in a struct that an argument points to.
func (x *path) field(at *term.Term) *term.Term {
	for _, a := range x.e.twin.args {
		d := term.Linearize(at).Minus(term.Linearize(x.e.in.value[a.name]))
		for _, f := range structs[a.of] {
			if len(d.Of) == 0 && d.Const == f.at {
				return x.m.Pool.Var(a.name+"_"+f.name, f.bits)
			}
		}
	}
	return nil
}

// Load returns an argument, a value in the frame, or elements of a slice.
func (x *path) Load(m *semantics.Machine, at *term.Term, width int) []*term.Term {
	if d, ok := x.depth(at); ok {
		t := x.frame[d]
		if t == nil || width != 64 {
			semantics.Fail("a load of %d bits at %d from the return address", width, d)
		}
		return []*term.Term{t}
	}
	if t := x.field(at); t != nil && width == t.Width {
		return []*term.Term{t}
	}
	if at.Op == term.Const && x.e.link.Name != nil {
		return []*term.Term{x.fixed(at.Value, width)}
	}
	x.inside(at, width/8)
	lane := min(width, 64)
	out := make([]*term.Term, width/lane)
	for i := range out {
		out[i] = x.memory.load(canonical(m.Pool, m.Add(at, m.Value(64, uint64(i*lane/8)))), lane)
	}
	return out
}

// fixed returns a constant of the program or a global variable.
func (x *path) fixed(at uint64, width int) *term.Term {
	if g, ok := strings.CutPrefix(x.e.link.Name(at), "kernel."); ok && width == 8 && slices.Contains(globals, g) {
		return x.m.Pool.Var("global_"+g, 8)
	}
	b, err := x.e.link.Data(at, width/8)
	if err != nil {
		semantics.Fail("%v", err)
	}
	x.e.proof.Constants = append(x.e.proof.Constants, symbolic.Constant{Address: at, Bytes: width / 8})
	var w [8]byte
	copy(w[:], b)
	return x.m.Value(width, binary.LittleEndian.Uint64(w[:]))
}

// Store changes this function's frame, a result, or elements of a slice. The twin must also store to that slice.
func (x *path) Store(m *semantics.Machine, at *term.Term, lanes []*term.Term) {
	if d, ok := x.depth(at); ok {
		result := slices.ContainsFunc(x.e.twin.results, func(r argument) bool { return r.at == d })
		argument := x.e.twin.tails && slices.ContainsFunc(x.e.twin.args, func(a argument) bool { return a.size == 0 && a.at == d })
		low, known := x.depth(x.m.GP[4])
		local := d%8 == 0 && d < 0 && known && d >= low
		if len(lanes) != 1 || lanes[0].Width != 64 || !result && !local && !argument {
			semantics.Fail("a store of %d bits at %d from the return address", len(lanes)*lanes[0].Width, d)
		}
		x.frame[d] = lanes[0]
		return
	}
	if name := x.inside(at, len(lanes)*lanes[0].Width/8); !x.e.twin.stores[name] {
		semantics.Fail("a store into %s, which is only read: %s", name, at)
	}
	for i, w := range lanes {
		x.memory.store(canonical(m.Pool, m.Add(at, m.Value(64, uint64(i*w.Width/8)))), w)
	}
}

// arrive claims the invariant of a head.
func (e *executor) arrive(x *path, h int) error {
	to := e.sec.heads[h]
	return e.ways(x, "to "+to.name, to.label, to.idle, func(s state, claim func(string, *term.Term)) {
		p := e.pool
		sc := e.scope(s.vars, &x.m.GP)
		placed := map[int]bool{}
		for _, q := range to.lines {
			v := sc.word(q.is)
			if q.reg >= 0 {
				placed[q.reg] = true
				claim(q.text, p.Eq(x.m.GP[q.reg], v))
				continue
			}
			has := x.frame[e.slot(q)]
			if has == nil {
				fail("%s: nothing is there", q.text)
			}
			claim(q.text, p.Eq(has, v))
		}
		for r, name := range map[int]string{4: "SP", 5: "BP"} {
			if !placed[r] {
				claim("the caller's "+name, p.Eq(x.m.GP[r], e.in.value[name]))
			}
		}
		for _, f := range to.facts {
			claim(f.text, sc.truth(f.is))
		}
		if e.from >= 0 {
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
	})
}

// returned makes the claims for the return.
func (e *executor) returned(x *path) error {
	return e.ways(x, "to the return", "", false, func(s state, claim func(string, *term.Term)) {
		p := e.pool
		if s.tail != "" {
			claim("the twin goes on to "+s.tail, p.Bool(false))
			return
		}
		for i, r := range e.twin.results {
			has := x.frame[r.at]
			if has == nil {
				fail("no %s is stored", r.name)
			}
			claim(r.name, p.Eq(has, s.results[i]))
		}
		claim("the caller's SP", p.Eq(x.m.GP[4], e.in.value["SP"]))
		claim("the caller's BP", p.Eq(x.m.GP[5], e.in.value["BP"]))
	})
}

// goneOn makes the claims for a jump to another function.
func (e *executor) goneOn(x *path, to string) error {
	return e.ways(x, "to "+to, "", false, func(s state, claim func(string, *term.Term)) {
		p := e.pool
		if s.tail != to {
			claim(fmt.Sprintf("the twin goes on to %q", s.tail), p.Bool(false))
			return
		}
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

// ways compares a path with all ways of the twin to a label.
func (e *executor) ways(x *path, where, label string, idle bool, claims func(s state, claim func(string, *term.Term))) error {
	e.proof.Paths++
	if x.m.Upper {
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
	var fault error
	err := e.twin.run(e.in, from, walk{target: label, stay: idle, known: x.given, fork: forkSymbols, end: func(s state) {
		given := append(slices.Clone(x.given), s.given...)
		claim := func(what string, c *term.Term) {
			if !c.Is(1) {
				e.oblige(fmt.Sprintf("from %s %s: %s", e.name(e.from), where, what), given, c)
			}
		}
		if s.dead != "" {
			claim(s.dead, p.Bool(false))
			return
		}
		for _, c := range x.claims {
			claim(c.what, c.is)
			if b, ok := e.bounds[c.slice]; ok {
				end := p.Mul(e.in.scope(s.vars, nil).word(b), p.Value(64, uint64(e.in.slices[c.slice])))
				claim(c.what+" as the header says", p.Ule(c.end, end))
			}
		}
		claim("the memory", p.Eq(x.memory.m, s.memory.(*symbols).m))
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

// oblige adds an obligation. In it, a product is an arbitrary function of its factors, except for one property: its
// upper half is less than each factor that is not 0 (see highLemma).
func (e *executor) oblige(what string, given []*term.Term, c *term.Term) {
	p := e.pool
	known := map[*term.Term]*term.Term{}
	var bounds []*term.Term
	var cut func(t *term.Term) *term.Term
	cut = func(t *term.Term) *term.Term {
		return p.Rewrite(t, func(t *term.Term) *term.Term {
			if t.Op != term.MulHi && !(t.Op == term.Mul && !simple(t.Args[0]) && !simple(t.Args[1])) {
				return nil
			}
			if n := known[t]; n != nil {
				return n
			}
			a, b := cut(t.Args[0]), cut(t.Args[1])
			n := p.Apply("product", 64, a, b)
			if t.Op == term.MulHi {
				n = p.Apply("high", 64, a, b)
				for _, f := range []*term.Term{a, b} {
					bounds = append(bounds, p.Or(p.Eq(f, p.Value(64, 0)), p.Ult(n, f)))
				}
			}
			known[t] = n
			return n
		})
	}
	out := symbolic.Obligation{What: what, Claim: cut(c)}
	for _, g := range given {
		out.Given = append(out.Given, cut(g))
	}
	if out.Given = append(out.Given, bounds...); len(bounds) > 0 {
		e.high = true
	}
	e.proof.Obligations = append(e.proof.Obligations, out)
}

// highLemma states that the upper half of a product is less than each factor that is not 0: for a, b < 2^64 and a*b =
// high*2^64 + low with low < 2^64, high < b if b > 0.
const highLemma = `(set-logic QF_NIA)
(declare-const a Int)
(declare-const b Int)
(declare-const high Int)
(declare-const low Int)
(assert (and (<= 0 a) (< a 18446744073709551616) (< 0 b) (< b 18446744073709551616)))
(assert (and (= (* a b) (+ (* 18446744073709551616 high) low)) (<= 0 low) (< low 18446744073709551616)))
(assert (not (< high b)))
(check-sat)
`

// simple reports whether a product with the factor t is a real product for the solvers: t is a constant with at most
// two ones, or the negation of such a constant.
func simple(t *term.Term) bool {
	return t.Op == term.Const && min(bits.OnesCount64(t.Value), bits.OnesCount64(-t.Value)) <= 2
}
