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
	is    *uint64               // the case, or nil
	high  bool                  // the upper half of a product was bounded
	// vectors says that the function has vectors of 256 bits or more. Its terms are then compared in another form, see
	// normal.
	vectors bool
	lemmas  map[string]bool // that obligations use
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
	within map[place]*term.Term // the frame at places that are aligned
	region [2]int64             // what of the frame these places can be in, from the return address
}

// place is a distance from an address in the frame that was made a multiple of a power of two.
type place struct {
	from *term.Term
	at   int64
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
func Execute(name, source string, inv Invariants, code []decode.Instruction, data symbolic.Data) (proof symbolic.Proof, err error) {
	sec, ok := inv.of(name)
	if !ok {
		return proof, fmt.Errorf("no invariants of %s", name)
	}
	return execute(name, source, sec, code, Link{Data: data})
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
		from, to := uint64(0), uint64(0)
		if sec.cases != nil && e.from >= 0 {
			from, to = sec.cases.from, sec.cases.to
		}
		for c := from; c <= to; c++ {
			if e.is = nil; sec.cases != nil && e.from >= 0 {
				e.is = &c
			}
			x, err := e.begin()
			if err != nil {
				return proof, fmt.Errorf("from %s: %w", e.name(e.from), err)
			}
			if err := e.run(x, at, e.from >= 0); err != nil {
				return proof, fmt.Errorf("from %s: %w", e.name(e.from), err)
			}
		}
	}
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
	if e.is != nil && h == e.from {
		return fmt.Sprintf("%s where %s is %d", e.sec.heads[h].name, e.sec.cases.text, *e.is)
	}
	return e.sec.heads[h].name
}

// read finds the loop heads and the CPU features.
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
	before := x.m.State
	s := e.scope(e.vars, &before)
	known := func(t *term.Term) *term.Term { return t }
	if e.is != nil {
		of, is := s.word(e.sec.cases.of), p.Value(64, *e.is)
		x.given = append(x.given, p.Eq(of, is))
		for v := e.sec.cases.from; v <= e.sec.cases.to; v++ {
			if v != *e.is {
				x.given = append(x.given, p.Not(p.Eq(of, p.Value(64, v))))
			}
		}
		known = func(t *term.Term) *term.Term {
			return p.Rewrite(t, func(t *term.Term) *term.Term { return map[*term.Term]*term.Term{of: is}[t] })
		}
	}
	for _, q := range h.lines {
		if v := known(s.word(q.is)); q.place.Kind != "" {
			*x.m.At(q.place) = v
		} else {
			x.frame[e.slot(q)] = v
		}
	}
	for _, f := range h.facts {
		x.given = append(x.given, known(e.scope(e.vars, &x.m.State).truth(f.is)))
	}
	x.m.Upper = h.upper
	e.begun = nil
	for _, m := range h.measure {
		e.begun = append(e.begun, s.word(m))
	}
	return x, nil
}

// scope returns the scope of an invariant: the twin's names, the registers, lanes and masks.
func (e *executor) scope(vars map[string]*term.Term, state *semantics.State) scope {
	s := e.in.scope(vars, nil)
	names := s.names
	s.names = func(name string) *term.Term {
		if places := decode.Places(name); len(places) == 1 {
			return *state.At(places[0])
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
		if t == nil || width != 64 || x.meets(d, 8) {
			semantics.Fail("a load of %d bits at %d from the return address", width, d)
		}
		return []*term.Term{t}
	}
	if t := x.field(at); t != nil && width <= t.Width {
		return []*term.Term{m.Extract(t, 0, width)}
	}
	if at.Op == term.Const && x.e.link.Data != nil {
		return x.fixed(at.Value, width)
	}
	if from, index, size := x.table(at); index != nil {
		return x.row(from, index, size, width)
	}
	if from, ok := x.aligned(at, width/8); ok {
		out := make([]*term.Term, width/64)
		for i := range out {
			if out[i] = x.within[place{from.from, from.at + int64(8*i)}]; out[i] == nil {
				semantics.Fail("a load at %s, where nothing is", at)
			}
		}
		return out
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
func (x *path) fixed(at uint64, width int) []*term.Term {
	if name := x.e.link.Name; name != nil {
		if g, ok := strings.CutPrefix(name(at), "kernel."); ok && width == 8 && slices.Contains(globals, g) {
			return []*term.Term{x.m.Pool.Var("global_"+g, 8)}
		}
	}
	b, err := x.e.link.Data(at, width/8)
	if err != nil {
		semantics.Fail("%v", err)
	}
	x.e.proof.Constants = append(x.e.proof.Constants, symbolic.Constant{Address: at, Bytes: width / 8})
	lane := min(width, 64)
	out := make([]*term.Term, width/lane)
	for i := range out {
		var w [8]byte
		copy(w[:], b[i*8:][:lane/8])
		out[i] = x.m.Value(lane, binary.LittleEndian.Uint64(w[:]))
	}
	return out
}

// table returns the beginning of a table of constants, an index that is not known, and the bytes of a row, if an
// address is that of a row.
func (x *path) table(at *term.Term) (from uint64, index *term.Term, size uint64) {
	l := term.Linearize(at)
	if x.e.sec.rows == 0 || len(l.Of) != 1 || l.Const == 0 {
		return 0, nil, 0
	}
	for t, k := range l.Of {
		index, size = t, k
	}
	return l.Const, index, size
}

// row returns a row of a table. It claims that the table has the row.
func (x *path) row(from uint64, index *term.Term, size uint64, width int) []*term.Term {
	p := x.m.Pool
	x.claim("a row of a table", p.Ult(index, p.Value(64, x.e.sec.rows)))
	var out []*term.Term
	for i := x.e.sec.rows; i > 0; i-- {
		row := x.fixed(from+(i-1)*size, width)
		for l := range row {
			if out == nil {
				break
			}
			row[l] = p.Ite(p.Eq(index, p.Value(64, i-1)), row[l], out[l])
		}
		out = row
	}
	return out
}

// aligned returns a place in the frame whose address was made a multiple of a power of two, if this is one. No other
// place of the frame that is used may be where it can lie.
func (x *path) aligned(at *term.Term, n int) (pl place, ok bool) {
	l := term.Linearize(at)
	for t, k := range l.Of {
		if k == 1 && t.Op == term.BvAnd && t.Args[1].Op == term.Const {
			pl.from = t
		}
	}
	if pl.from == nil || len(l.Of) != 1 {
		return pl, false
	}
	pl.at = int64(l.Const)
	top, isFrame := x.depth(pl.from.Args[0])
	low, known := x.depth(x.m.GP[4])
	size := int64(-pl.from.Args[1].Value) // of a mask -2^s
	if !isFrame || !known || size <= 0 || size > 4096 || size&(size-1) != 0 || pl.at%8 != 0 || n%8 != 0 {
		return pl, false
	}
	from, to := top-size+1+pl.at, top+pl.at+int64(n)
	if from < low || to > 0 {
		semantics.Fail("%d bytes at %s may lie outside the frame", n, at)
	}
	if x.region == [2]int64{} {
		x.region = [2]int64{from, to}
	}
	x.region = [2]int64{min(x.region[0], from), max(x.region[1], to)}
	for d := range x.frame {
		if x.meets(d, 8) {
			semantics.Fail("%d bytes at %s may be those at %d from the return address", n, at, d)
		}
	}
	for other := range x.within {
		if other.from != pl.from {
			semantics.Fail("two places that are aligned in different ways")
		}
	}
	return pl, true
}

// meets reports whether n bytes of the frame may be where places are that are aligned.
func (x *path) meets(d, n int64) bool { return d < x.region[1] && x.region[0] < d+n }

// Must claims what must hold for an instruction not to fault.
func (x *path) Must(what string, c *term.Term) { x.claim(what, c) }

// Store changes this function's frame, a result, or elements of a slice. The twin must also store to that slice.
func (x *path) Store(m *semantics.Machine, at *term.Term, lanes []*term.Term) {
	if d, ok := x.depth(at); ok {
		result := slices.ContainsFunc(x.e.twin.results, func(r argument) bool { return r.at == d })
		argument := x.e.twin.tails && slices.ContainsFunc(x.e.twin.args, func(a argument) bool { return a.size == 0 && a.at == d })
		low, known := x.depth(x.m.GP[4])
		local := d%8 == 0 && d < 0 && known && d >= low && !x.meets(d, 8)
		width := 64
		for _, r := range x.e.twin.results {
			if r.at == d {
				width = r.bits
			}
		}
		if len(lanes) != 1 || lanes[0].Width != width || !result && !local && !argument {
			semantics.Fail("a store of %d bits at %d from the return address", len(lanes)*lanes[0].Width, d)
		}
		x.frame[d] = lanes[0]
		return
	}
	if to, ok := x.aligned(at, len(lanes)*lanes[0].Width/8); ok && lanes[0].Width == 64 {
		for i, w := range lanes {
			x.within[place{to.from, to.at + int64(8*i)}] = w
		}
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
	idle := to.idle || e.from >= 0 && e.sec.heads[e.from].waits
	return e.ways(x, "to "+to.name, to.label, idle, to.upper, func(s state, claim func(string, *term.Term)) {
		p := e.pool
		sc := e.scope(s.vars, &x.m.State)
		placed := map[int]bool{}
		if c := e.sec.cases; c != nil {
			v := sc.word(c.of)
			claim("there is no other case", p.And(p.Ule(p.Value(64, c.from), v), p.Ule(v, p.Value(64, c.to))))
		}
		for _, q := range to.lines {
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
	return e.ways(x, "to the return", "", false, false, func(s state, claim func(string, *term.Term)) {
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
			claim(r.name, p.Eq(p.Zext(has, 64), s.results[i]))
		}
		claim("the caller's SP", p.Eq(x.m.GP[4], e.in.value["SP"]))
		claim("the caller's BP", p.Eq(x.m.GP[5], e.in.value["BP"]))
	})
}

// goneOn makes the claims for a jump to another function.
func (e *executor) goneOn(x *path, to string) error {
	return e.ways(x, "to "+to, "", false, false, func(s state, claim func(string, *term.Term)) {
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
func (e *executor) ways(x *path, where, label string, idle, upper bool, claims func(s state, claim func(string, *term.Term))) error {
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
		e.same(x.memory.m, s.memory.(*symbols).m, claim)
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

// same claims that the memory equals the twin's. With vectors the claims are that the same words are stored to the same
// places in the same order.
func (e *executor) same(is, twin *term.Term, claim func(string, *term.Term)) {
	p := e.pool
	for e.vectors && is.Op == term.Apply && twin.Op == term.Apply && is.Name == twin.Name {
		claim("the place of a store", p.Eq(is.Args[1], twin.Args[1]))
		claim("what is stored", p.Eq(is.Args[2], twin.Args[2]))
		is, twin = is.Args[0], twin.Args[0]
	}
	claim("the memory", p.Eq(is, twin))
}

// normal returns a term in the form in which terms of functions with vectors are compared.
func (e *executor) normal(t *term.Term) *term.Term {
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

// solved returns a claim after substituting terms for which the equations of a path give a value as a sum. What is then
// true follows by sums modulo 2^64.
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

// lemma notes that obligations use a lemma.
func (e *executor) lemma(name string) {
	if e.lemmas == nil {
		e.lemmas = map[string]bool{}
	}
	e.lemmas[name] = true
}

// oblige adds an obligation. In it, a product is an arbitrary function of its factors, except for one property: its
// upper half is less than each factor that is not 0 (see highLemma). With vectors, the order of the factors does not matter and a product
// is 0 if a factor is, the ones of a word are an arbitrary function up to 64, quotients and remainders are arbitrary but for lemmas, and fits has those.
func (e *executor) oblige(what string, given []*term.Term, c *term.Term) {
	p := e.pool
	if e.vectors {
		c = e.normal(c)
		if c.Is(1) || slices.ContainsFunc(given, func(g *term.Term) bool { return e.normal(g) == c }) {
			return
		}
		if e.normal(e.solved(given, c)).Is(1) {
			return
		}
	}
	known := map[*term.Term]*term.Term{}
	var bounds []*term.Term
	zero, one := p.Value(64, 0), p.Value(64, 1)
	var cut func(t *term.Term) *term.Term
	cut = func(t *term.Term) *term.Term {
		return p.Rewrite(t, func(t *term.Term) *term.Term {
			if e.vectors && (t.Op == term.Add || t.Op == term.Mul && (simple(t.Args[0]) || simple(t.Args[1]))) {
				return plain(p, t.Op, cut(t.Args[0]), cut(t.Args[1]))
			}
			if e.vectors && t.Op == term.Ones && t.Width == 64 {
				n := known[t]
				if n == nil {
					n = p.Apply("ones", 64, cut(t.Args[0]))
					bounds = append(bounds, p.Ule(n, p.Value(64, 64)))
					known[t] = n
					e.lemma("ones of a word")
				}
				return n
			}
			product := t.Op == term.Mul && !simple(t.Args[0]) && !simple(t.Args[1])
			divided := e.vectors && (t.Op == term.Div || t.Op == term.Rem)
			if t.Op != term.MulHi && !product && !divided && !(t.Op == term.Apply && t.Name == "fits") {
				return nil
			}
			if n := known[t]; n != nil {
				return n
			}
			a, b := cut(t.Args[0]), cut(t.Args[1])
			if e.vectors && !divided && t.Op != term.Apply && p.Born(a) > p.Born(b) {
				a, b = b, a
			}
			var n *term.Term
			switch t.Op {
			case term.MulHi:
				n = p.Apply("high", 64, a, b)
				for _, f := range []*term.Term{a, b} {
					bounds = append(bounds, p.Or(p.Eq(f, zero), p.Ult(n, f)))
				}
				e.high = true
			case term.Div:
				n = p.Apply("quotient", 64, a, b)
				bounds = append(bounds, p.Or(p.Eq(b, zero), p.Ule(n, a)))
				e.lemma("remainders")
			case term.Rem:
				n = p.Apply("remainder", 64, a, b)
				bounds = append(bounds, p.Or(p.Eq(b, zero), p.Ult(n, b)))
				e.lemma("remainders")
			case term.Apply:
				r := cut(t.Args[2])
				n = p.Apply("fits", 0, a, b, r)
				less := p.Apply("fits", 0, e.normal(p.Sub(a, one)), b, e.normal(p.Sub(r, b)))
				bounds = append(bounds, p.Or(p.Not(n), p.Or(p.Eq(a, zero), p.And(p.Ule(b, r), less))))
				bounds = append(bounds, p.Or(n, p.Or(p.Eq(b, zero), p.Ult(p.Apply("quotient", 64, r, b), a))))
				e.lemma("fits a quotient")
				e.lemma("fits one less")
			default:
				n = p.Apply("product", 64, a, b)
				if e.vectors && a.Op != term.Const && b.Op != term.Const {
					bounds = append(bounds, p.Eq(n, p.Apply("product", 64, b, a)))
					for _, f := range []*term.Term{a, b} {
						bounds = append(bounds, p.Or(p.Not(p.Eq(f, zero)), p.Eq(n, zero)))
					}
				}
			}
			known[t] = n
			return n
		})
	}
	out := symbolic.Obligation{What: what, Claim: cut(c), Bitwise: true}
	for _, g := range given {
		if e.vectors {
			g = e.normal(g)
		}
		if g = cut(g); !g.Is(1) {
			out.Given = append(out.Given, g)
		}
	}
	out.Given = append(out.Given, bounds...)
	e.proof.Obligations = append(e.proof.Obligations, out)
}

// plain returns a sum, or a product with a constant, with shifts and differences in the place of products with powers of
// two and their negations: solvers take long for those.
func plain(p *term.Pool, op term.Op, a, b *term.Term) *term.Term {
	if op == term.Add {
		negated := func(t *term.Term) bool { return t.Op == term.Sub && t.Args[0].Is(0) }
		switch {
		case negated(b):
			return p.Sub(a, b.Args[1])
		case negated(a):
			return p.Sub(b, a.Args[1])
		}
		return p.Add(a, b)
	}
	if a.Op != term.Const {
		a, b = b, a
	}
	shift := func(v uint64) *term.Term { return p.Shl(b, p.Value(64, uint64(bits.TrailingZeros64(v)))) }
	switch v := a.Value; {
	case b.Width == 64 && bits.OnesCount64(v) == 1:
		return shift(v)
	case b.Width == 64 && bits.OnesCount64(-v) == 1:
		return p.Sub(p.Value(64, 0), shift(-v))
	}
	return p.Mul(a, b)
}

// highLemma says that the upper half of a product is less than a factor that is not 0: for
// a, b < 2^64 and a*b = high*2^64 + low with low < 2^64, high < b if b > 0.
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
