package follow

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/arm64"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// The folder of the kernels has files with invariants. The type Invariants has the contents of such a file. These are
// the kinds of lines:
//
//	of NAME...             the lines up to the next line "of" apply to these functions
//	head NAME LOCATION     the next loop head in the order of addresses, and the twin's location there;
//	                       the lines after this line hold at this loop head
//	REGISTER = SUM         such as x3 = n - i; v16_1 is the higher word of a vector
//	frame RESULT = SUM     the result has already been stored, and its value is the sum
//	keeps REGISTER MASK X  the bits that MASK selects are the same in the register and in X
//	tops VECTOR NAME...    the highest bits of the vector's lanes of 16 bits are the lowest bits
//	                       of these eight variables
//	head NAME LOCATION at N  the head is not that of a loop, but the instruction N bytes after the function's first one
//	table FROM TO          (before the first head) the range of the index of read-only data
//	positions              (before the first head) claims about a position in the word x of the hash stream are split
//	                       by the byte of the block that the position is in
//	holds SUM < SUM        an unsigned comparison that holds; <= and = are also permitted
//	measure SUM, SUM, ...  becomes smaller from loop head to loop head; the first sum that changes decides
//	turns K                from here, the twin makes at least K steps (without this line, 1 step)
//	                       before it stops at the location of the next loop head
//	stack N                (before the first head) the function lowers the stack pointer by N bytes
//	local NAME N           (before the first head) the twin's local array begins N bytes below the stack pointer
//	                       that the function had at the entry
//	head NAME LOCATION also  the previous head can also be reached from another location of the twin; the lines after
//	                       this line hold then
//	cases NAME FROM TO     the paths from here are followed separately for each value of the variable or argument
//	apart                  on a path from here, the twin loads no word that it has stored on this path;
//	                       this is a claim about each pair of a load and a store.
//
// A sum consists of numbers and names, and a name may have a factor. A name can be a variable or an argument of the
// twin. It can also be a register for which the loop head has no line. The name of a slice stands for the address of
// its first element, and len(NAME) stands for the length of the slice.
type Invariants struct {
	sections []section
}

type section struct {
	of    []string
	table []int // the least and the largest index into read-only data; nil for none
	heads []head
	// If the field "positions" is true, a claim about a position is proved for each byte of the block separately.
	positions bool
	stack     uint64            // 0 for a function without a frame
	locals    map[string]uint64 // the distance below the stack pointer at the entry, for each local array
}

type head struct {
	name, location string
	offset         int  // 0 for the head of a loop
	also           bool // at the same place as the previous head
	cases          *cases
	turns          int
	apart          bool
	equations      []equation
	tops           []tops
	holds          []relation
	measure        []sum
}

type cases struct {
	name     string
	from, to uint64
}

type equation struct {
	register string // a register or a result
	frame    bool
	mask     uint64 // the other bits may have any value
	sum      sum
	text     string
}

type tops struct {
	vector int
	bits   []string
	text   string
}

type relation struct {
	a, b sum
	op   string
	text string
}

type sum []summand

type summand struct {
	factor uint64
	name   string // "" for a constant
}

var registerName = regexp.MustCompile(`^(x([0-9]|[12][0-9]|30)|v([0-9]|[12][0-9]|3[01])_[01])$`)

// ParseInvariants parses the text of an invariants file.
func ParseInvariants(text string) (inv Invariants, err error) {
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		if err := inv.line(f); err != nil {
			return inv, fmt.Errorf("line %d: %q: %w", i+1, strings.TrimSpace(line), err)
		}
	}
	return inv, nil
}

func (inv *Invariants) line(f []string) error {
	text := strings.Join(f, " ")
	if f[0] == "of" {
		inv.sections = append(inv.sections, section{of: f[1:]})
		return nil
	}
	if len(inv.sections) == 0 {
		return fmt.Errorf("no functions")
	}
	s := &inv.sections[len(inv.sections)-1]
	var err error
	if f[0] == "head" && (len(f) == 3 || len(f) == 5 && f[3] == "at") {
		h := head{name: f[1], location: f[2], turns: 1}
		if len(f) == 5 {
			h.offset, err = strconv.Atoi(f[4])
		}
		s.heads = append(s.heads, h)
		return err
	}
	if f[0] == "head" && len(f) == 4 && f[3] == "also" {
		s.heads = append(s.heads, head{name: f[1], location: f[2], turns: 1, also: true})
		return nil
	}
	if len(s.heads) == 0 && f[0] == "stack" && len(f) == 2 {
		s.stack, err = strconv.ParseUint(f[1], 10, 64)
		return err
	}
	if len(s.heads) == 0 && f[0] == "local" && len(f) == 3 {
		if s.locals == nil {
			s.locals = map[string]uint64{}
		}
		s.locals[f[1]], err = strconv.ParseUint(f[2], 10, 64)
		return err
	}
	if len(s.heads) == 0 && text == "positions" {
		s.positions = true
		return nil
	}
	if len(s.heads) == 0 && f[0] == "table" && len(f) == 3 {
		s.table = make([]int, 2)
		_, err = fmt.Sscan(f[1]+" "+f[2], &s.table[0], &s.table[1])
		return err
	}
	if len(s.heads) == 0 {
		return fmt.Errorf("no head")
	}
	h := &s.heads[len(s.heads)-1]
	switch {
	case f[0] == "turns" && len(f) == 2:
		h.turns, err = strconv.Atoi(f[1])
	case f[0] == "cases" && len(f) == 4:
		h.cases = &cases{name: f[1]}
		_, err = fmt.Sscan(f[2]+" "+f[3], &h.cases.from, &h.cases.to)
	case f[0] == "apart" && len(f) == 1:
		h.apart = true
	case f[0] == "measure":
		for _, part := range strings.Split(strings.Join(f[1:], " "), ",") {
			s, e := parseSum(strings.Fields(part))
			if e != nil {
				err = e
			}
			h.measure = append(h.measure, s)
		}
	case f[0] == "holds":
		at := slices.IndexFunc(f, func(w string) bool { return w == "<" || w == "<=" || w == "=" })
		if at < 0 {
			return fmt.Errorf("no relation")
		}
		r := relation{op: f[at], text: text}
		if r.a, err = parseSum(f[1:at]); err == nil {
			r.b, err = parseSum(f[at+1:])
		}
		h.holds = append(h.holds, r)
	case len(f) > 2 && f[1] == "=" && registerName.MatchString(f[0]):
		q := equation{register: f[0], mask: ^uint64(0), text: text}
		q.sum, err = parseSum(f[2:])
		h.equations = append(h.equations, q)
	case f[0] == "keeps" && len(f) == 4 && registerName.MatchString(f[1]):
		q := equation{register: f[1], text: text}
		if q.mask, err = strconv.ParseUint(f[2], 0, 64); err == nil {
			q.sum, err = parseSum(f[3:])
		}
		h.equations = append(h.equations, q)
	case f[0] == "tops" && len(f) == 10 && registerName.MatchString(f[1]+"_0"):
		q := tops{bits: f[2:], text: text}
		q.vector, err = strconv.Atoi(f[1][1:])
		h.tops = append(h.tops, q)
	case f[0] == "frame" && len(f) > 3 && f[2] == "=":
		q := equation{register: f[1], frame: true, text: text}
		q.sum, err = parseSum(f[3:])
		h.equations = append(h.equations, q)
	default:
		return fmt.Errorf("nothing is known of that")
	}
	return err
}

func parseSum(words []string) (out sum, err error) {
	sign := uint64(1)
	for i, w := range words {
		if i%2 == 1 {
			switch w {
			case "+":
				sign = 1
			case "-":
				sign = ^uint64(0)
			default:
				return nil, fmt.Errorf("%q is no sign", w)
			}
			continue
		}
		s := summand{sign, w}
		k, name, product := strings.Cut(w, "*")
		if v, err := strconv.ParseUint(k, 0, 64); err == nil {
			s = summand{sign * v, name}
		} else if product {
			return nil, err
		}
		out = append(out, s)
	}
	if len(words)%2 == 0 {
		return nil, fmt.Errorf("no sum")
	}
	return out, nil
}

// The method "of" returns the section for the function with the given name. If the file has no invariants for this
// function, the second result is false.
func (inv Invariants) of(name string) (section, bool) {
	for _, s := range inv.sections {
		if slices.Contains(s.of, name) {
			return s, true
		}
	}
	return section{}, false
}

// Covers reports whether the file has invariants for the function with the given name.
func (inv Invariants) Covers(name string) bool {
	_, ok := inv.of(name)
	return ok
}

// The state s contains registers. The function "register" returns a pointer to one of them. The argument "name" is the
// name of this register.
func register(s *arm64.State, name string) **term.Term {
	if v, lane, ok := strings.Cut(name[1:], "_"); ok {
		i, _ := strconv.Atoi(v)
		return &s.V[i][lane[0]-'0']
	}
	i, _ := strconv.Atoi(name[1:])
	return &s.X[i]
}

// The method "value" returns the value of the sum s. A name in s stands for its value in the map "names". Every other
// name stands for a register.
func (s sum) value(p *term.Pool, names map[string]*term.Term, state *arm64.State) (*term.Term, error) {
	out := p.Value(64, 0)
	for _, t := range s {
		v := p.Value(64, 1)
		if t.name != "" {
			var known bool
			if v, known = names[t.name]; !known {
				if !registerName.MatchString(t.name) {
					return nil, fmt.Errorf("%s is nothing", t.name)
				}
				v = *register(state, t.name)
			}
		}
		out = p.Add(out, p.Mul(p.Value(64, t.factor), v))
	}
	return out, nil
}

func (r relation) value(p *term.Pool, names map[string]*term.Term, state *arm64.State) (*term.Term, error) {
	a, err := r.a.value(p, names, state)
	if err != nil {
		return nil, err
	}
	b, err := r.b.value(p, names, state)
	if err != nil {
		return nil, err
	}
	switch r.op {
	case "<":
		return p.Ult(a, b), nil
	case "<=":
		return p.Ule(a, b), nil
	}
	return p.Eq(a, b), nil
}

// The function "partly" returns the word t with some bits replaced. Where a bit of "mask" is 1, the result has the
// corresponding bit of the constant "bits".
func partly(p *term.Pool, t *term.Term, mask, bits uint64) *term.Term {
	var parts []*term.Term
	for lo := 0; lo < 64; {
		n := 1
		for lo+n < 64 && mask>>(lo+n)&1 == mask>>lo&1 {
			n++
		}
		if mask>>lo&1 == 1 {
			parts = append(parts, p.Value(n, bits>>lo))
		} else {
			parts = append(parts, p.Extract(t, lo, n))
		}
		lo += n
	}
	return p.Join(parts...)
}
