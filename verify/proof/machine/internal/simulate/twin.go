// Package simulate proves that an assembly function (a kernel) has the same effect as its twin, step by step. The twin
// is the portable Go function, restated as a small program with labels ([Twin]).
//
// The kernel is cut at its loop heads. Each loop head has an invariant ([Invariants]). When the kernel is at the loop
// head, the twin is at a label. The invariant has the name of this label. It also says what the registers and the stack
// contain. These contents are expressions in the twin's variables. It also states facts. A path leads from one loop
// head to the next, or to the return. The twin takes steps from the label of the first loop head to the label of the
// next. The path is compared with these steps. Sometimes the conditions of the path allow both directions of a branch
// in the twin. Then both directions are followed. If one direction ends at another label, the proof claims that this
// direction is impossible. The memory at a loop head has unknown contents. After that, memory is represented by these
// contents and the list of stores since then. Suppose that two programs load and store the same values at the same
// places in the same order. Then they have the same memory, even if slices overlap. No slice may overlap the frame or
// the arguments on the stack. No slice may end beyond the address 2^63.
//
// The proof makes the following claims about each path. If the path ends at a loop head, the invariant of that loop
// head holds. If the path ends at the return, the results and the memory are the same as those of the twin. Every
// access is inside a slice, the caller's arguments or the frame. The TEXT line declares the size of the frame. A store
// changes results, the frame, or a slice to which the twin also stores. It changes nothing else. The invariant defines a
// measure, and this measure becomes smaller on the path. At the return the stack and frame pointers have the caller's
// values.
package simulate

import (
	_ "embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

//go:embed twins.txt
var twinsText string

// Twin is a portable function, restated as a small program with labels.
type Twin struct {
	Name      string
	Signature string // the signature, from the first parenthesis on
	args      []argument
	results   []argument
	steps     []step
	labels    map[string]int // the index of the step after the label
	names     []string       // the names of variables
	stores    map[string]bool
	records   []*records // its own arrays, in the order of their addresses
	theorem   string     // this theorem of verify/proof/theorems says that it ends; "" if none does
	tails     bool       // it jumps to other functions, whose arguments are in the place of its own
}

// The type "argument" describes an argument or a result of a function. Both lie in the stack frame.
type argument struct {
	name string
	size int   // the size of an element in bytes, for a slice; otherwise 0
	bits int   // the width of a result
	at   int64 // the offset in the frame, from the return address
	of   string
}

type step struct {
	kind   string // "set", "store", "assume", "bound", "branch", "goto", "return", "label", "slice"
	name   string // the name of the variable, slice or label
	index  expression
	values []expression
	text   string
}

type field struct {
	name string
	at   uint64
	bits int
}

// The map "structs" has the struct fields that kernels read through a pointer. The key is the type of the pointer.
var structs = map[string][]field{
	"*BlockArray": {{"words", 0, 64}, {"blocks", 8, 64}, {"k", 16, 64}, {"more", 24, 64}, {"mask", 32, 64}, {"fill", 40, 64}},
	"*Filter":     {{"flip", 48, 64}, {"short", 56, 8}, {"way", 57, 8}},
}

// The list "globals" has the names of the variables of package kernel that its stubs read. Each variable has one byte.
var globals = []string{"best"}

var twins = func() map[string]*Twin {
	text := twinsText + transitions() + addRings()
	for _, op := range []string{"count", "andCount", "orCount", "xorCount", "andNotCount", "andInto", "orInto", "andNotInto"} {
		args, first := "a, b []uint64", "a"
		switch {
		case op == "count":
			args, first = "x []uint64", "x"
		case strings.HasSuffix(op, "Into"):
			args, first = "dst, src []uint64", "dst"
		}
		text += strings.NewReplacer("FIRST", first, "ARGS", args, "NAME", strings.ToUpper(op[:1])+op[1:], "OP", op).Replace(auto)
	}
	out, err := parseTwins(unrolled(text))
	if err != nil {
		panic(err)
	}
	return out
}()

var repeated = regexp.MustCompile(`(?m)^\t?repeat ([0-9]+)\n((?:.*\n)*?)\t?end\n`)

// The function "unrolled" returns a changed text. In it, the lines between "repeat N" and "end" are repeated N times.
// In each repetition, the character $ is replaced by the number of the repetition, 0 to N-1.
func unrolled(text string) string {
	return repeated.ReplaceAllStringFunc(text, func(all string) string {
		m := repeated.FindStringSubmatch(all)
		n, _ := strconv.Atoi(m[1])
		out := ""
		for i := range n {
			out += strings.ReplaceAll(m[2], "$", strconv.Itoa(i))
		}
		return out
	})
}

// The constant "auto" is a template. The twins of all functions in kernel/bits_amd64.s are made from it. Each of these
// functions is an operation on words. The twin chooses the same implementation as kernel/ops_amd64.go chooses for Auto.
// The variable "best" is the number of the best implementation that the processor can run.
const auto = `
twin OPAuto(ARGS) int
	if 1 << 17 < len(FIRST) goto rest
	if best == 4 goto avx512
	if best == 3 goto avx2
	if best == 2 goto popcnt
rest:
	tail kernel.OPRest
avx512:
	tail kernel/asm.NAMEAVX512
avx2:
	if less(len(FIRST), 16) goto popcnt
	tail kernel/asm.NAMEAVX2
popcnt:
	tail kernel/asm.NAMEPopcnt
`

var (
	head   = regexp.MustCompile(`^twin (\w+)(\(.*)$`)
	label  = regexp.MustCompile(`^(\w+):$`)
	branch = regexp.MustCompile(`^if (.*) goto (\w+)$`)
	stored = regexp.MustCompile(`^([\w.]+)\[(.*)\] = (.*)$`)
	set    = regexp.MustCompile(`^(\w+) = (.*)$`)
	tail   = regexp.MustCompile(`^tail ([\w./]+)(?:\((.*)\))?$`)
	sliced = regexp.MustCompile(`^slice ([\w.]+) of (.*)$`)
)

func parseTwins(text string) (map[string]*Twin, error) {
	out := map[string]*Twin{}
	var t *Twin
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if m := head.FindStringSubmatch(line); m != nil {
			t = &Twin{Name: m[1], Signature: m[2], labels: map[string]int{}, stores: map[string]bool{}}
			if out[t.Name] != nil {
				return nil, fmt.Errorf("two twins %s", t.Name)
			}
			out[t.Name] = t
			if err := t.frame(); err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
			continue
		}
		if t == nil {
			return nil, fmt.Errorf("line %d: %q before a twin", i+1, line)
		}
		if err := t.read(line); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	for _, t := range out {
		for _, s := range t.steps {
			if _, ok := t.labels[s.name]; !ok && (s.kind == "goto" || s.kind == "branch") {
				return nil, fmt.Errorf("%s has no label %s", t.Name, s.name)
			}
		}
	}
	return out, nil
}

var lists = regexp.MustCompile(`^\(([^()]*)\)\s*(?:\(([^()]*)\)|(\w+))?$`)

// The method "frame" sets the offsets of the arguments and results in the stack frame, as the Go assembler does.
func (t *Twin) frame() error {
	m := lists.FindStringSubmatch(t.Signature)
	if m == nil {
		return fmt.Errorf("signature %q", t.Signature)
	}
	if m[3] != "" {
		m[2] = "result " + m[3]
	}
	at := int64(8)
	for i, list := range m[1:3] {
		var open []string // names whose type has not been read yet
		for _, p := range strings.Split(list, ",") {
			f := strings.Fields(p)
			if len(f) == 0 {
				continue
			}
			if open = append(open, f[0]); len(f) == 1 {
				continue
			}
			for _, name := range open {
				a := argument{name: name, at: at, bits: 64, of: f[1]}
				switch f[1] {
				case "[]uint64", "[]float64":
					a.size = 8
				case "[]bool", "[]uint8":
					a.size = 1
				case "bool":
					a.bits = 8
				case "int", "uint64", "float64", "*BlockArray", "*Filter", "*byte":
				default:
					return fmt.Errorf("type %s", f[1])
				}
				if at += 8; a.size > 0 {
					at += 16
				}
				if i == 0 {
					t.args = append(t.args, a)
				} else {
					t.results = append(t.results, a)
				}
			}
			open = nil
		}
	}
	return nil
}

func (t *Twin) read(line string) error {
	s := step{text: line}
	var err error
	one := func(text string) {
		var e expression
		if e, err = parse(text); err == nil {
			s.values = []expression{e}
		}
	}
	if strings.HasPrefix(line, "records ") || strings.HasPrefix(line, "holds ") {
		return t.readRecords(line)
	} else if rest, ok := strings.CutPrefix(line, "ends "); ok {
		t.theorem = rest
		return nil
	} else if m := label.FindStringSubmatch(line); m != nil {
		s.kind, s.name = "label", m[1]
		t.labels[s.name] = len(t.steps)
	} else if rest, ok := strings.CutPrefix(line, "assume "); ok {
		s.kind = "assume"
		one(rest)
	} else if rest, ok := strings.CutPrefix(line, "bound "); ok {
		s.kind = "bound"
		if one(rest); err == nil && !slices.Contains([]string{"scale", "scale32", "wide", "wider"}, s.values[0].name) {
			err = fmt.Errorf("%q", line)
		}
	} else if m := branch.FindStringSubmatch(line); m != nil {
		s.kind, s.name = "branch", m[2]
		one(m[1])
	} else if rest, ok := strings.CutPrefix(line, "clear "); ok {
		s.kind = "clear"
		s.name, rest, _ = strings.Cut(rest, " ")
		t.stores[s.name] = true
		one(rest)
	} else if rest, ok := strings.CutPrefix(line, "goto "); ok {
		s.kind, s.name = "goto", rest
	} else if m := tail.FindStringSubmatch(line); m != nil {
		s.kind, s.name = "tail", m[1]
		if s.values, err = parseList(m[2]); err == nil && m[2] != "" && len(s.values) != len(t.args) {
			err = fmt.Errorf("%d arguments", len(s.values))
		}
		t.tails = true
	} else if rest, ok := strings.CutPrefix(line, "return"); ok {
		s.kind = "return"
		if s.values, err = parseList(rest); err == nil && len(s.values) != len(t.results) {
			err = fmt.Errorf("%d results", len(s.values))
		}
	} else if m := sliced.FindStringSubmatch(line); m != nil {
		s.kind, s.name = "slice", m[1]
		one(m[2])
	} else if m := stored.FindStringSubmatch(line); m != nil {
		s.kind, s.name = "store", m[1]
		t.stores[s.name] = true
		if one(m[3]); err == nil {
			s.index, err = parse(m[2])
		}
	} else if m := set.FindStringSubmatch(line); m != nil {
		s.kind, s.name = "set", m[1]
		if one(m[2]); !slices.Contains(t.names, s.name) {
			t.names = append(t.names, s.name)
		}
	} else {
		err = fmt.Errorf("%q", line)
	}
	t.steps = append(t.steps, s)
	return err
}

// The type "state" describes a twin during its execution.
type state struct {
	at      int // the index in steps
	label   string
	vars    map[string]*term.Term
	memory  memory
	given   []*term.Term // the conditions of the branches taken, the assumptions and the bounds
	assumed []*term.Term // the assumptions among them
	bounds  []*term.Term // the bounds among them
	results []*term.Term
	tail    string // the function that it jumps to; results are its arguments; if none, the old ones are kept
	// The kernel may have no execution that corresponds to these steps of the twin. The field "dead" then has the
	// reason. Otherwise this field is empty.
	dead string
}

// The type "inputs" describes the arguments of a twin. It has their values, the lengths of the slices, and the size in
// bytes of each slice's elements.
type inputs struct {
	*term.Pool
	value  map[string]*term.Term
	slices map[string]int
}

// newInputs returns inputs. The value of each argument in these inputs is a symbolic variable.
func (t *Twin) newInputs(p *term.Pool) inputs {
	in := inputs{p, map[string]*term.Term{}, map[string]int{}}
	for _, a := range t.args {
		in.value[a.name] = p.Var(a.name, 64)
		if a.size > 0 {
			in.slices[a.name] = a.size
			in.value["len("+a.name+")"] = p.Var("len_"+a.name, 64)
		}
		for _, f := range structs[a.of] {
			in.value[a.name+"."+f.name] = p.Zext(p.Var(a.name+"_"+f.name, f.bits), 64)
		}
	}
	for _, g := range globals {
		in.value[g] = p.Zext(p.Var("global_"+g, 8), 64)
	}
	for _, s := range t.steps {
		if s.kind == "slice" {
			in.slices[s.name] = 8
			in.value["len("+s.name+")"] = in.scope(nil, nil).word(s.values[0])
		}
	}
	return in
}

func (in inputs) scope(vars map[string]*term.Term, m memory) scope {
	return scope{in.Pool, func(name string) *term.Term {
		if v := vars[name]; v != nil {
			return v
		}
		return in.value[name]
	}, in.slices, m}
}

// The twin is executed until it reaches a label. The type "walk" describes such an execution. It also has the
// conditions that are known to hold.
type walk struct {
	target string // a label, or "" for the return
	stay   bool   // a twin that is at the target at the beginning has arrived
	loops  bool   // it may pass a label twice before it reaches the target
	known  []*term.Term
	never  []string            // labels that it cannot pass before it reaches the target
	fork   func(memory) memory // copies the memory at a branch that known does not decide
	end    func(state)
	// The function "fold" replaces a term by its value for the present case; nil if there are no cases.
	fold func(*term.Term) *term.Term
}

// The method "run" executes the twin from the state s. It follows every sequence of branches, except sequences that are
// known to be impossible. At the end of each sequence it calls w.end with the state.
func (t *Twin) run(in inputs, s state, w walk) (err error) {
	defer caught(&err)
	sure := map[*term.Term]bool{}
	for _, k := range w.known {
		sure[k] = true
	}
	s.vars = maps.Clone(s.vars)
	target, end := w.target, w.end
	seen := map[string]bool{}
	if s.label != "" {
		if w.stay && s.label == target {
			end(s)
			return nil
		}
		seen[s.label] = s.label != target
	}
	var follow func(s state, seen map[string]bool)
	follow = func(s state, seen map[string]bool) {
		for {
			if s.at == len(t.steps) {
				fail("%s runs beyond its end", t.Name)
			}
			st := t.steps[s.at]
			sc := in.scope(s.vars, s.memory)
			s.at++
			switch st.kind {
			case "label":
				if st.name == target {
					s.label = target
					end(s)
					return
				}
				if slices.Contains(w.never, st.name) {
					s.dead = "the twin is at " + st.name
					end(s)
					return
				}
				if seen[st.name] && !w.loops {
					s.dead = "the twin is at " + st.name + " again"
					end(s)
					return
				}
				seen[st.name] = true
			case "set":
				v := sc.word(st.values[0])
				if w.fold != nil {
					v = w.fold(v)
				}
				s.vars[st.name] = v
			case "slice": // newInputs has processed it
			case "store":
				v := sc.word(st.values[0])
				at, bits := sc.place(st.name, st.index)
				s.memory.store(at, in.Extract(v, 0, bits))
			case "clear":
				n, size := sc.word(st.values[0]), in.Value(64, uint64(in.slices[st.name]))
				s.memory.clear(canonical(in.Pool, in.value[st.name]), in.Mul(size, n))
			case "assume":
				a := sc.truth(st.values[0])
				s.given, s.assumed = append(slices.Clone(s.given), a), append(slices.Clone(s.assumed), a)
			case "bound":
				b := sc.bound(st.values[0])
				s.given, s.bounds = append(slices.Clone(s.given), b), append(slices.Clone(s.bounds), b)
			case "goto":
				s.at = t.labels[st.name]
			case "branch":
				c := sc.truth(st.values[0])
				if w.fold != nil {
					c = w.fold(c)
				}
				not := in.Not(c)
				has := func(c *term.Term) bool { return c.Is(1) || sure[c] || slices.Contains(s.given, c) }
				switch {
				case has(c):
					s.at = t.labels[st.name]
				case has(not):
				default:
					o := s
					o.vars = maps.Clone(s.vars)
					o.memory = w.fork(s.memory)
					o.given = append(slices.Clone(s.given), c)
					o.at = t.labels[st.name]
					follow(o, maps.Clone(seen))
					s.given = append(slices.Clone(s.given), not)
				}
			case "return", "tail":
				if st.kind == "tail" {
					s.tail = st.name
				}
				for _, v := range st.values {
					s.results = append(s.results, sc.word(v))
				}
				if target != "" {
					s.dead = "the twin returns"
				}
				s.label = ""
				end(s)
				return
			}
		}
	}
	follow(s, seen)
	return nil
}

// The type "symbols" implements a memory. The contents of this memory are represented by an expression.
type symbols struct {
	p *term.Pool
	m *term.Term
}

// The method "load" returns the value at an address. It goes back through the stores, the latest first. It skips a
// store on two conditions. The store lies at a constant distance from the address, and it does not overlap the loaded
// bytes. It stops at the first store that does not satisfy both conditions.
func (s *symbols) load(at *term.Term, bits int) *term.Term {
	m := s.m
	for m.Op == term.Apply {
		v := m.Args[2]
		d := term.Linearize(at).Minus(term.Linearize(m.Args[1]))
		if m.Name != cleared && len(d.Of) == 0 && d.Const == 0 && v.Width == bits {
			return v
		}
		if m.Name == cleared || len(d.Of) > 0 || d.Const < uint64(v.Width/8) || -d.Const < uint64(bits/8) {
			break
		}
		m = m.Args[0]
	}
	return s.p.Apply(fmt.Sprintf("load%d", bits), bits, m, at)
}

func (s *symbols) store(at, v *term.Term) {
	s.m = s.p.Apply(fmt.Sprintf("store%d", v.Width), term.Memory, s.m, at, v)
}

// The constant "cleared" is the name of the function that sets bytes of a memory to 0.
const cleared = "clear8"

func (s *symbols) clear(at, n *term.Term) { s.m = s.p.Apply(cleared, term.Memory, s.m, at, n) }

func forkSymbols(m memory) memory {
	c := *m.(*symbols)
	return &c
}
