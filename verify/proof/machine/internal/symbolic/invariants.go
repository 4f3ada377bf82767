package symbolic

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/semantics"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// Invariants are those of a file beside the kernels, one line each:
//
//	swap NAME...            functions whose first is their second argument
//	head NAME               the next loop head by address; the lines after it hold there
//	least K                 n - i >= K
//	REGISTER = SUM          such as rcx = n - i - 4
//	without NAME...         functions of the file of which nothing is said
//	vR_L = SUM              lane L, of 64 bits, of vector R; vR = SUM says it of lanes 0 to 3
//	upper                   vectors may have bits above 128
//
// A sum has the names i, n, S (the ones of words below i), first and second (where the
// slices begin), registers and lanes of which no line says more, and ones(LANE). Lines with
// second do not concern a function of one slice.
type Invariants struct {
	swapped []string
	without []string
	heads   []head
}

type head struct {
	name  string
	least uint64
	upper bool
	lines []equation
}

type equation struct {
	reg  int // of general purpose, or a vector's
	lane int // -1 of a register of general purpose
	text string
	sum  []summand
}

type summand struct {
	factor uint64
	name   string // "" for a constant
}

// ParseInvariants reads a file.
func ParseInvariants(text string) (inv Invariants, err error) {
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		bad := fmt.Errorf("line %d: %q", i+1, line)
		switch {
		case f[0] == "swap":
			inv.swapped = append(inv.swapped, f[1:]...)
			continue
		case f[0] == "without":
			inv.without = append(inv.without, f[1:]...)
			continue
		case f[0] == "head" && len(f) == 2:
			inv.heads = append(inv.heads, head{name: f[1]})
			continue
		case len(inv.heads) == 0:
			return inv, bad
		}
		h := &inv.heads[len(inv.heads)-1]
		places := placesOf(f[0])
		switch {
		case f[0] == "upper" && len(f) == 1:
			h.upper = true
		case f[0] == "least" && len(f) == 2:
			if h.least, err = strconv.ParseUint(f[1], 10, 32); err != nil {
				return inv, bad
			}
		case len(places) > 0 && len(f) > 2 && f[1] == "=":
			sum, err := parseSum(f[2:])
			if err != nil {
				return inv, fmt.Errorf("%w: %w", bad, err)
			}
			for _, q := range places {
				q.text, q.sum = strings.TrimSpace(line), sum
				h.lines = append(h.lines, q)
			}
		default:
			return inv, bad
		}
	}
	return inv, nil
}

func parseSum(words []string) (out []summand, err error) {
	sign := uint64(1)
	for _, w := range words {
		switch w {
		case "+":
			sign = 1
			continue
		case "-":
			sign = ^uint64(0)
			continue
		}
		s := summand{sign, w}
		if k, name, ok := strings.Cut(w, "*"); ok {
			v, err := strconv.ParseUint(k, 10, 64)
			if err != nil {
				return nil, err
			}
			s = summand{sign * v, name}
		} else if v, err := strconv.ParseUint(w, 0, 64); err == nil {
			s = summand{sign * v, ""}
		}
		out = append(out, s)
	}
	return out, nil
}

// placesOf returns what stands on the left of a line: one register, or lanes.
func placesOf(name string) []equation {
	if r, ok := decode.RegisterNumber(name); ok {
		return []equation{{reg: r, lane: -1}}
	}
	m := laneName.FindStringSubmatch(name)
	if m == nil {
		return nil
	}
	r, _ := strconv.Atoi(m[1])
	if m[2] != "" {
		l, _ := strconv.Atoi(m[2])
		return []equation{{reg: r, lane: l}}
	}
	return []equation{{reg: r, lane: 0}, {reg: r, lane: 1}, {reg: r, lane: 2}, {reg: r, lane: 3}}
}

var laneName = regexp.MustCompile(`^v([0-9]|[12][0-9]|3[01])(?:_([0-7]))?$`)

// in returns where a state has what the line is of.
func (e equation) in(s *semantics.State) **term.Term {
	if e.lane < 0 {
		return &s.GP[e.reg]
	}
	return &s.V[e.reg][e.lane]
}

// Covers reports whether the file says something of a function.
func (inv Invariants) Covers(name string) bool { return !slices.Contains(inv.without, name) }

// vectors reports whether a line is of a lane.
func (inv Invariants) vectors() bool {
	return slices.ContainsFunc(inv.heads, func(h head) bool {
		return slices.ContainsFunc(h.lines, func(e equation) bool { return e.lane >= 0 })
	})
}

// of returns the lines that concern a function.
func (h head) of(t Twin) []equation {
	return slices.DeleteFunc(slices.Clone(h.lines), func(e equation) bool {
		return t.Slices == 1 && slices.ContainsFunc(e.sum, func(s summand) bool { return s.name == "second" })
	})
}

// value returns a sum, with the values of its names.
func (e equation) value(p *term.Pool, names map[string]*term.Term, state *semantics.State) (*term.Term, error) {
	out := p.Value(64, 0)
	for _, s := range e.sum {
		v := p.Value(64, 1)
		if s.name != "" {
			var known bool
			if v, known = names[s.name]; !known {
				inside, ones := strings.CutPrefix(strings.TrimSuffix(s.name, ")"), "ones(")
				from := placesOf(inside)
				if len(from) != 1 {
					return nil, fmt.Errorf("%s: %s is nothing", e.text, s.name)
				}
				if v = *from[0].in(state); ones {
					v = p.Ones(v)
				}
			}
		}
		out = p.Add(out, p.Mul(p.Value(64, s.factor), v))
	}
	return out, nil
}
