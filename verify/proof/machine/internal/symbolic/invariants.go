package symbolic

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/semantics"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// The folder of the kernels has files with invariants. The type Invariants has the contents of such a file. These are
// the kinds of lines:
//
//	swap NAME...            functions in which the name first stands for the second slice, and second for the first
//	without NAME...         functions of the file that have no invariants
//	prefix NAME...          functions whose sums are expressed by P (see the function "prefix")
//	cases REGISTER A B      if a mask is unknown, a path is followed for each value of the register from A to B
//	head NAME               the next loop head in the order of addresses; the lines after this line hold there
//	only NAME...            only these functions have the loop head
//	least K                 n - i >= K
//	apart K                 the slice to which the function "stores" does not begin 1 to K bytes after the other
//	fact EXPRESSION         an unsigned comparison that holds
//	REGISTER = EXPRESSION   such as rcx = n - i - 4
//	vR_L = EXPRESSION       the 64-bit lane L of vector R; vR = EXPRESSION applies to lanes 0 to 3,
//	                        and zR = EXPRESSION to all lanes
//	kR = EXPRESSION         the mask R
//	upper                   vectors may have bits above 128.
//
// An expression is a Go expression whose values are words of 64 bits. Its operators are + - * >> and <<. A fact can
// also contain the operators == < <= >= and &&. An expression can contain the twin's variables i and n. It can also
// contain registers and lanes that have no line of their own. An expression can also contain the following names. S is
// the number of ones in the words with indices below i. The names `first` and `second` stand for the addresses of the
// slices. For an expression E, ones(E) is the number of ones in E. P(E) is the number of ones in the words with indices
// below E. For a vector register vR, lanes(vR) is the sum of all its lanes. Lines with the name `second` do not apply
// to functions that have only one slice.
type Invariants struct {
	swapped []string
	without []string
	prefix  []string
	cases   *cases
	heads   []head
}

// The type "cases" represents a range of values of a register. The paths for each of these values are followed
// separately.
type cases struct {
	reg      int
	from, to uint64
}

type head struct {
	name  string
	only  []string
	least uint64
	apart uint64
	upper bool
	lines []equation
	facts []equation
}

// The type "equation" describes one line of the invariants file. It gives the value of a register, or states a fact.
type equation struct {
	place decode.Place
	text  string
	is    ast.Expr
}

// ParseInvariants parses the text of an invariants file.
func ParseInvariants(text string) (inv Invariants, err error) {
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		if err := inv.line(f, strings.TrimSpace(line)); err != nil {
			return inv, fmt.Errorf("line %d: %q: %w", i+1, line, err)
		}
	}
	return inv, nil
}

func (inv *Invariants) line(f []string, text string) (err error) {
	bad := fmt.Errorf("not a line of invariants")
	switch {
	case f[0] == "swap":
		inv.swapped = append(inv.swapped, f[1:]...)
		return nil
	case f[0] == "without":
		inv.without = append(inv.without, f[1:]...)
		return nil
	case f[0] == "prefix":
		inv.prefix = append(inv.prefix, f[1:]...)
		return nil
	case f[0] == "cases" && len(f) == 4:
		r, known := decode.RegisterNumber(f[1])
		from, err := strconv.ParseUint(f[2], 10, 8)
		to, err2 := strconv.ParseUint(f[3], 10, 8)
		if !known || err != nil || err2 != nil {
			return bad
		}
		inv.cases = &cases{r, from, to}
		return nil
	case f[0] == "head" && len(f) == 2:
		inv.heads = append(inv.heads, head{name: f[1]})
		return nil
	case len(inv.heads) == 0:
		return bad
	}
	h := &inv.heads[len(inv.heads)-1]
	places := placesOf(f[0])
	switch {
	case f[0] == "only":
		h.only = append(h.only, f[1:]...)
	case f[0] == "upper" && len(f) == 1:
		h.upper = true
	case f[0] == "least" && len(f) == 2:
		h.least, err = strconv.ParseUint(f[1], 10, 32)
	case f[0] == "apart" && len(f) == 2:
		h.apart, err = strconv.ParseUint(f[1], 10, 32)
	case f[0] == "fact" && len(f) > 1:
		e := equation{text: text}
		e.is, err = parser.ParseExpr(strings.Join(f[1:], " "))
		h.facts = append(h.facts, e)
	case len(places) > 0 && len(f) > 2 && f[1] == "=":
		is, err := parser.ParseExpr(strings.Join(f[2:], " "))
		if err != nil {
			return err
		}
		for _, q := range places {
			q.text, q.is = text, is
			h.lines = append(h.lines, q)
		}
	default:
		return bad
	}
	return err
}

// The left side of a line can stand for one register, or for several lanes of a vector register. placesOf returns one
// equation for each of them.
func placesOf(name string) []equation {
	var out []equation
	for _, p := range decode.Places(name) {
		out = append(out, equation{place: p})
	}
	return out
}

// The line gives the value of a register or a lane. The method "in" returns a pointer to this register or lane in the
// state s.
func (e equation) in(s *semantics.State) **term.Term { return s.At(e.place) }

// Covers reports whether the file has invariants for the function with the given name.
func (inv Invariants) Covers(name string) bool { return !slices.Contains(inv.without, name) }

// The method "of" returns the invariants of one function. The argument "name" is the name of this function.
func (inv Invariants) of(name string) Invariants {
	inv.heads = slices.DeleteFunc(slices.Clone(inv.heads), func(h head) bool {
		return h.only != nil && !slices.Contains(h.only, name)
	})
	return inv
}

// Some lines of invariants give the value of a lane of a vector register. The method "vectors" reports whether there is
// such a line.
func (inv Invariants) vectors() bool {
	return slices.ContainsFunc(inv.heads, func(h head) bool {
		return slices.ContainsFunc(h.lines, func(e equation) bool { return e.place.Kind == decode.Vector })
	})
}

// A loop head has a list of lines. Some of these lines apply only to functions with two slices. The method "of" returns
// the lines that apply to the function with the twin t.
func (h head) of(t Twin) []equation {
	return slices.DeleteFunc(slices.Clone(h.lines), func(e equation) bool { return t.Slices == 1 && e.names("second") })
}

func (e equation) names(name string) bool {
	found := false
	ast.Inspect(e.is, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return true
	})
	return found
}

// A line has an expression on its right side. The method "value" computes the value of this expression. The map "names"
// has the values of the twin's variables. The argument "state" has the values of the registers.
func (e equation) value(p *term.Pool, names map[string]*term.Term, state *semantics.State) (t *term.Term, err error) {
	defer semantics.Recover(&err)
	bad := func(n ast.Expr) *term.Term {
		semantics.Fail("%s: %T is nothing", e.text, n)
		return nil
	}
	var of func(n ast.Expr) *term.Term
	of = func(n ast.Expr) *term.Term {
		switch n := n.(type) {
		case *ast.ParenExpr:
			return of(n.X)
		case *ast.BasicLit:
			if v, err := strconv.ParseUint(n.Value, 0, 64); err == nil {
				return p.Value(64, v)
			}
		case *ast.Ident:
			if v, ok := names[n.Name]; ok {
				return v
			}
			if from := placesOf(n.Name); len(from) == 1 {
				return *from[0].in(state)
			}
			semantics.Fail("%s: %s is nothing", e.text, n.Name)
		case *ast.CallExpr:
			f, ok := n.Fun.(*ast.Ident)
			if !ok || len(n.Args) != 1 {
				break
			}
			switch f.Name {
			case "ones":
				return p.Ones(of(n.Args[0]))
			case "P":
				return prefix(p, of(n.Args[0]))
			case "lanes":
				if r, ok := n.Args[0].(*ast.Ident); ok && len(placesOf(r.Name)) == 4 {
					return p.Sum(64, state.V[placesOf(r.Name)[0].place.Reg][:]...)
				}
			}
		case *ast.BinaryExpr:
			a, b := of(n.X), of(n.Y)
			switch n.Op {
			case token.ADD:
				return p.Add(a, b)
			case token.SUB:
				return p.Sub(a, b)
			case token.MUL:
				return p.Mul(a, b)
			case token.SHR:
				return p.Lshr(a, b)
			case token.SHL:
				return p.Shl(a, b)
			case token.EQL:
				return p.Eq(a, b)
			case token.LSS:
				return p.Ult(a, b)
			case token.LEQ:
				return p.Ule(a, b)
			case token.GEQ:
				return p.Ule(b, a)
			case token.LAND:
				return p.And(a, b)
			}
		}
		return bad(n)
	}
	return of(e.is), nil
}
