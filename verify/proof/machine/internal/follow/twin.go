package follow

import (
	"fmt"
	"slices"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// Twin represents a portable function as a sequence of steps. Each step goes from one location to the next. A location
// is a named point of the function. A step may load, store, branch and assume conditions. It may assume conditions that
// Go checks in the portable function, such as an index in range. It may also assume conditions that the function's
// documentation requires, but no others.
type Twin struct {
	Args    []Arg
	Results []Arg
	// The function Define sets those variables of the twin that depend only on the arguments. It is nil if the twin has
	// no such variables.
	Define func(r *Run)
	// The list Locals has the twin's arrays of words. The kernel has these arrays in its stack frame.
	Locals []Local
	// The type Slots describes what a local array has in its slots. It is nil if nothing need be known of it.
	Slots *Slots
	// For each location except the entry, Vars names the variables that have values there.
	Vars map[string][]string
	// The function Step executes one step. The step begins at the location r.At. It ends at the next location, or it
	// returns from the twin.
	Step func(r *Run)
}

// Arg is an argument or a result of a function. Bytes is the size of the argument in bytes. If the argument is a
// slice, Bytes is the size of an element.
type Arg struct {
	Name  string
	Slice bool
	Bytes int
}

// Local is an array of 64-bit words in the stack frame. Words is its length.
type Local struct {
	Name  string
	Words uint64
}

func words(names ...string) (out []Arg) {
	for _, n := range names {
		out = append(out, Arg{n, true, 8})
	}
	return out
}

func octets(name string) []Arg { return []Arg{{name, true, 1}} }

func scalars(names ...string) (out []Arg) {
	for _, n := range names {
		out = append(out, Arg{n, false, 8})
	}
	return out
}

func args(all ...[]Arg) (out []Arg) {
	for _, a := range all {
		out = append(out, a...)
	}
	return out
}

// The method "arg" returns the slice argument or the local array with the given name. The second result says whether it
// is a local array.
func (t Twin) arg(name string) (a Arg, local bool) {
	for _, a := range t.Args {
		if a.Name == name && a.Slice {
			return a, false
		}
	}
	for _, l := range t.Locals {
		if l.Name == name {
			return Arg{name, true, 8}, true
		}
	}
	panic("no slice " + name)
}

// The method "frame" calls f for each argument and each result of the twin. The parameter a of f is this argument or
// result. The parameter "at" is the place in the stack frame: the distance in bytes from the first argument. The
// parameter "result" says whether a is a result.
func (t Twin) frame(f func(a Arg, at uint64, result bool)) {
	at := uint64(0)
	for _, a := range t.Args {
		f(a, at, false)
		if at += 8; a.Slice {
			at += 16
		}
	}
	for _, a := range t.Results {
		f(a, at, true)
		at += 8
	}
}

// The result with the given name lies in the stack frame. The method "result" returns its distance in bytes from the
// return address.
func (t Twin) result(name string) (at uint64) {
	t.frame(func(a Arg, d uint64, is bool) {
		if is && a.Name == name {
			at = 8 + d
		}
	})
	return at
}

// The type Run represents one execution of a twin. It has the present state of the twin. The values of its variables
// are expressions.
type Run struct {
	*term.Pool
	At string // where the step begins

	twin     Twin
	vars     map[string]*term.Term
	memory   memory
	choices  []bool // the choices at branches: those made so far, then those to be made
	asked    int
	path     []*term.Term // the conditions given on the kernel's path
	given    []*term.Term
	claims   []promise
	accesses []access
	leaves   []*term.Term
	next     string // "return" at the end
	first    *Run   // the twin where the path begins; nil at the entry
	bare     bool   // whether it does not assume that indices are in range
	slots    []slot // those that were stored
}

// A promise is a condition that must hold in the twin. It must follow from the conditions that the twin had assumed
// before. If it is a lemma, it must hold without any condition.
type promise struct {
	given int // the number of these conditions
	lemma bool
	is    *term.Term
}

// An access is a load from memory or a store to memory.
type access struct {
	at     *term.Term
	bytes  int
	stores bool
}

// A memory executes loads and stores: those in the steps of a twin, or those of the instructions on a path.
type memory interface {
	load(r *Run, at *term.Term, bytes int) *term.Term
	store(r *Run, at, value *term.Term)
}

// Get returns the value of the variable or argument with the given name.
func (r *Run) Get(name string) *term.Term {
	if v, ok := r.vars[name]; ok {
		return v
	}
	panic("no variable " + name)
}

// Set assigns the value v to the variable with the given name.
func (r *Run) Set(name string, v *term.Term) { r.vars[name] = v }

// Len returns the length of the slice argument with the given name.
func (r *Run) Len(slice string) *term.Term { return r.Get("len(" + slice + ")") }

// N returns the constant v as an expression of 64 bits.
func (r *Run) N(v uint64) *term.Term { return r.Value(64, v) }

// Define defines a variable that depends only on the arguments. Its value is v.
func (r *Run) Define(name string, v *term.Term) {
	if v.Op != term.Const {
		named := r.Var("d_"+name, v.Width)
		r.Assume(r.Eq(named, v))
		v = named
	}
	r.Set(name, v)
}

// Next adds 1 to the variable with the given name.
func (r *Run) Next(name string) { r.Set(name, r.Add(r.Get(name), r.N(1))) }

// Assume adds the condition c to the conditions that the claims may use.
func (r *Run) Assume(c *term.Term) { r.given = append(r.given, c) }

// Claim adds the condition c to the conditions that must be proved. A condition that follows from the way in which the
// twin works must be claimed, not assumed.
func (r *Run) Claim(c *term.Term) { r.claims = append(r.claims, promise{len(r.given), false, c}) }

// Lemma adds the condition c to the conditions that must be proved. It holds for all values of the variables in it.
func (r *Run) Lemma(c *term.Term) { r.claims = append(r.claims, promise{0, true, c}) }

// A twin calls the method If at a branch. The argument c is the condition of this branch. If c holds in this run of the
// twin, the method returns true. Otherwise it returns false. The value of c is known if c is a constant, or if c or its
// negation is a given condition. Otherwise the proof runs the step twice, once for each answer.
func (r *Run) If(c *term.Term) bool {
	if c.Op == term.Const {
		return c.Value == 1
	}
	for _, all := range [][]*term.Term{r.path, r.given} {
		for _, g := range all {
			if g == c || g == r.Not(c) {
				return g == c
			}
		}
	}
	if r.asked == len(r.choices) {
		r.choices = append(r.choices, true)
	}
	taken := r.choices[r.asked]
	if r.asked++; !taken {
		c = r.Not(c)
	}
	r.Assume(c)
	return taken
}

// The method Less calls the method If with the condition a < b, where a and b are unsigned numbers.
func (r *Run) Less(a, b *term.Term) bool { return r.If(r.Ult(a, b)) }

// The method "place" returns the address and the size in bytes of element i of a slice. It assumes that the index i is
// in range, unless no claim needs this. If the slice is a local array, it claims this: the portable function does not
// have this array.
func (r *Run) place(slice string, i *term.Term, stores bool) (at *term.Term, bytes int) {
	a, local := r.twin.arg(slice)
	if c := r.Ult(i, r.Len(slice)); local {
		r.Claim(c)
	} else if !r.bare {
		r.Assume(c)
	}
	at = canonical(r.Pool, r.Add(r.Get(slice), r.Mul(r.N(uint64(a.Bytes)), i)))
	r.accesses = append(r.accesses, access{at, a.Bytes, stores})
	return at, a.Bytes
}

// Load returns element i of a slice. The argument "slice" is the name of this slice.
func (r *Run) Load(slice string, i *term.Term) *term.Term {
	at, bytes := r.place(slice, i, false)
	return r.memory.load(r, at, bytes)
}

// Store stores v in element i of a slice. The argument "slice" is the name of this slice.
func (r *Run) Store(slice string, i, v *term.Term) {
	at, bytes := r.place(slice, i, true)
	r.memory.store(r, at, r.Extract(v, 0, 8*bytes))
}

// Leaf records the word w, and returns it. The answer of a look-up combines the lowest bits of the recorded words.
func (r *Run) Leaf(w *term.Term) *term.Term {
	r.leaves = append(r.leaves, w)
	return w
}

// After a call of the method Go, the step ends at the given location.
func (r *Run) Go(location string) { r.next = location }

// A step calls the method Return if the portable function returns at the end of this step. The given values are the
// results of the function.
func (r *Run) Return(values ...*term.Term) {
	for i, v := range values {
		r.vars["result "+r.twin.Results[i].Name] = v
	}
	r.next = "return"
}

// The function "canonical" returns t in a form such that two equal sums become the same term.
func canonical(p *term.Pool, t *term.Term) *term.Term { return p.Linear(term.Linearize(t)) }

// The type "symbolic" represents a memory with unknown content. An unknown function gives the value of each load. Its
// arguments are the address and the memory. The field "now" is the present memory. It is an expression of the initial
// memory and all stores so far. So slices may overlap in any way.
type symbolic struct {
	now   *term.Term
	apart func(a, b *term.Term) bool // whether words do not overlap, claimed if need be; nil: unknown
}

var loaded, stores = map[int]string{8: "load", 1: "load8"}, map[int]string{8: "store", 1: "store8"}

func (s *symbolic) load(r *Run, at *term.Term, bytes int) *term.Term {
	return s.read(r.Pool, at, bytes)
}

func (s *symbolic) read(p *term.Pool, at *term.Term, bytes int) *term.Term {
	m, unknown := s.now, false
	for m.Op == term.Apply && bytes == 8 && m.Name == stores[8] {
		if m.Args[1] == at && unknown {
			panic("a word is loaded that was stored before a word that is apart")
		}
		if m.Args[1] == at {
			return m.Args[2]
		}
		d := term.Linearize(at).Minus(term.Linearize(m.Args[1]))
		switch known := len(d.Of) == 0; {
		case known && d.Const >= 8 && -d.Const >= 8:
		case !known && s.apart != nil && s.apart(at, m.Args[1]):
			unknown = true
		default:
			return p.Apply(loaded[bytes], 8*bytes, m, at)
		}
		m = m.Args[0]
	}
	return p.Apply(loaded[bytes], 8*bytes, m, at)
}

// The function "loads" reports whether a term has a value that was loaded from memory.
func loads(t *term.Term) bool {
	seen := map[*term.Term]bool{}
	var has func(t *term.Term) bool
	has = func(t *term.Term) bool {
		if t == nil || seen[t] {
			return false
		}
		seen[t] = true
		return t.Width == term.Memory || slices.ContainsFunc(t.Args[:], has)
	}
	return has(t)
}

func (s *symbolic) store(r *Run, at, v *term.Term) { s.write(r.Pool, at, v) }

func (s *symbolic) write(p *term.Pool, at, v *term.Term) {
	s.now = p.Apply(stores[v.Width/8], term.Memory, s.now, at, v)
}

// TwinOf returns the twin of the kernel with the given name.
func TwinOf(name string) (Twin, error) {
	if t, ok := twins[name]; ok {
		return t, nil
	}
	return Twin{}, fmt.Errorf("no twin is written down")
}
