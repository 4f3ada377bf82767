package main

import (
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"strings"
)

// A mutant is one change of one function.
type mutant struct {
	file     *file
	function *ast.FuncDecl
	from, to int    // offsets of the changed text in the file
	now      string // the new text
	show     string // the text that is shown as the change; if empty, the field "now" is shown
	wide     [2]int // offsets of the expression or statement that is shown as changed
	number   int    // the number of the mutant in its unit, counted from 1
}

// The method "name" returns the function's name with its receiver's type, such as (*Interval).Add.
func (m *mutant) name() string { return functionName(m.function) }

func functionName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	t, star := f.Recv.List[0].Type, ""
	if s, ok := t.(*ast.StarExpr); ok {
		t, star = s.X, "*"
	}
	switch x := t.(type) {
	case *ast.IndexExpr:
		t = x.X
	case *ast.IndexListExpr:
		t = x.X
	}
	return fmt.Sprintf("(%s%s).%s", star, t.(*ast.Ident).Name, f.Name.Name)
}

// The list equivalent.txt names a mutant by four fields. These fields are the file, the function, the old text and the
// new text. The method "fields" returns them.
func (m *mutant) fields() []string {
	const around = 44 // bytes shown before and after the change
	from, to := m.wide[0], m.wide[1]
	before, after := "", ""
	if m.show == "" && m.from-from > around {
		from, before = m.from-around, "… "
	}
	if m.show == "" && to-m.to > around {
		to, after = m.to+around, " …"
	}
	text := string(m.file.text)
	now := m.show
	if now == "" {
		now = plain(before + text[from:m.from] + m.now + text[m.to:to] + after)
	}
	return []string{m.file.name, m.name(), plain(before + text[from:to] + after), now}
}

// The function "plain" replaces the line breaks of a text by spaces.
func plain(text string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
}

// String returns the mutant's name in the records.
func (m *mutant) String() string {
	f := m.fields()
	return fmt.Sprintf("%s %s: %s → %s", f[0], f[1], f[2], f[3])
}

// ID returns a hash of the text of the mutant's function and of its change.
func (m *mutant) ID() string {
	from, to := m.file.span(m.function)
	h := sha256.New()
	fmt.Fprintln(h, m.file.pkg.full, m.name(), m.from-from, m.to-from, m.now)
	h.Write(m.file.text[from:to])
	return fmt.Sprintf("%x", h.Sum(nil)[:12])
}

// The method "span" returns two offsets in the text of the file. The node n begins at the first offset, and ends before
// the second.
func (f *file) span(n ast.Node) (from, to int) {
	start := f.syntax.FileStart
	return int(n.Pos() - start), int(n.End() - start)
}

// concernsError reports whether the mutant may change an error bound. All bounds depend on the packages
// internal/interval and internal/fm. For mutants of these packages the result is true. It is also true if a name in the
// changed statement stands for an error (see errorName). It is also true if such a name stands for a direction of
// rounding.
func (m *mutant) concernsError() bool {
	if strings.HasSuffix(m.file.pkg.path, "internal/interval") || strings.HasSuffix(m.file.pkg.path, "internal/fm") {
		return true
	}
	for _, name := range word.FindAllString(string(m.file.text[m.wide[0]:m.wide[1]]), -1) {
		if errorName.MatchString(name) || directionName.MatchString(name) {
			return true
		}
	}
	return false
}

// The variable "word" matches an identifier.
var word = regexp.MustCompile(`[A-Za-z_]\w*`)

// directionName matches names of rounding directions, and names of functions that make an enclosure wider.
var directionName = regexp.MustCompile(`(?i)To(Nega|Posi)tiveInf|^(round)?(up|down)$|^nextafter|widen|round`)

// The method "room" returns the top folder of the mutant's package.
func (m *mutant) room() string {
	room, _, _ := strings.Cut(m.file.pkg.path, "/")
	return room
}

// The method "mutants" returns the changes of the functions of a file, in the order of the text.
func (f *file) mutants() (out []*mutant) {
	for _, d := range f.syntax.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && fn.Name.Name != "_" {
			c := changer{file: f, function: fn, idle: map[ast.Expr]bool{}}
			c.block(fn.Body)
			out = append(out, c.out...)
		}
	}
	return out
}

// A changer collects the changes of one function.
type changer struct {
	*file
	function *ast.FuncDecl
	results  []*types.Signature // the signatures of the enclosing function literals
	idle     map[ast.Expr]bool  // the values that are returned together with an error
	around   ast.Node           // the statement or condition that contains the expression
	out      []*mutant
}

// The method "add" adds a mutant. In this mutant, the argument "now" is the new text of the node n. A report of the
// mutant shows the argument "wide", which is a larger node around the change.
func (c *changer) add(n, wide ast.Node, now string) {
	from, to := c.span(n)
	c.at(from, to, wide, now, "")
}

func (c *changer) at(from, to int, wide ast.Node, now, show string) {
	m := &mutant{file: c.file, function: c.function, from: from, to: to, now: now, show: show}
	m.wide[0], m.wide[1] = c.span(wide)
	c.out = append(c.out, m)
}

func (c *changer) source(n ast.Node) string {
	from, to := c.span(n)
	return string(c.text[from:to])
}

func (c *changer) typeOf(e ast.Expr) types.Type { return c.pkg.info.TypeOf(e) }

// The expression e has a type. The method "is" reports whether this type has at least one of the given properties.
func (c *changer) is(e ast.Expr, properties types.BasicInfo) bool {
	t := c.typeOf(e)
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&properties != 0
}

// The variable "binary" maps an operator to the operators that replace it.
var binary = map[token.Token][]token.Token{
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
	token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.QUO},
	token.AND: {token.OR}, token.OR: {token.AND}, token.XOR: {token.AND}, token.AND_NOT: {token.AND},
	token.SHL: {token.SHR}, token.SHR: {token.SHL}, token.LAND: {token.LOR}, token.LOR: {token.LAND},
}

// The variable "assigned" maps an assignment operator to the operator that replaces it.
var assigned = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
	token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN, token.REM_ASSIGN: token.QUO_ASSIGN,
	token.AND_ASSIGN: token.OR_ASSIGN, token.OR_ASSIGN: token.AND_ASSIGN, token.XOR_ASSIGN: token.AND_ASSIGN,
	token.AND_NOT_ASSIGN: token.AND_ASSIGN, token.SHL_ASSIGN: token.SHR_ASSIGN, token.SHR_ASSIGN: token.SHL_ASSIGN,
}

// The map "partner" contains pairs of related names, such as "min" and "max". In a mutant, the related name replaces
// the original if both have the same type.
var partner = map[string]string{}

func init() {
	for _, p := range [][2]string{
		{"Add", "Sub"}, {"Mul", "Quo"}, {"Lo", "Hi"}, {"lo", "hi"}, {"Low", "High"}, {"low", "high"}, {"lower", "upper"},
		{"Lower", "Upper"}, {"down", "up"}, {"Min", "Max"}, {"min", "max"}, {"Floor", "Ceil"}, {"floor", "ceil"},
		{"And", "Or"}, {"ToNegativeInf", "ToPositiveInf"}, {"Lsh", "Rsh"}, {"Exp", "Expm1"}, {"Log", "Log1p"},
		{"true", "false"}, {"add", "sub"}, {"first", "last"},
	} {
		partner[p[0]], partner[p[1]] = p[1], p[0]
	}
	partner["Neg"] = "Set"
	partner["Copy"] = "Neg"
}

// The function "speaks" reports whether a call creates an error value or ends the program. The message texts in such
// calls are not changed.
func speaks(call *ast.CallExpr) bool {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name == "panic"
	case *ast.SelectorExpr:
		x, _ := f.X.(*ast.Ident)
		return x != nil && (x.Name == "fmt" && f.Sel.Name == "Errorf" || x.Name == "errors" && f.Sel.Name == "New")
	}
	return false
}

// The method "block" adds all mutants that change nodes below root in the syntax tree.
func (c *changer) block(root ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if speaks(n) {
				return false
			}
		case *ast.FuncLit:
			signature, _ := c.typeOf(n).(*types.Signature)
			c.results = append(c.results, signature)
			c.block(n.Body)
			c.results = c.results[:len(c.results)-1]
			return false
		case *ast.GenDecl:
			if n.Tok == token.CONST || n.Tok == token.TYPE {
				return false // the text also occurs in other functions of the file
			}
		}
		switch n := n.(type) {
		case nil:
		case ast.Expr:
			if c.around == nil || n.End() > c.around.End() || n.Pos() < c.around.Pos() {
				c.around = n
			}
			c.expression(n)
		case *ast.AssignStmt, *ast.ReturnStmt, *ast.ExprStmt, *ast.IncDecStmt, *ast.DeclStmt, *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt:
			c.around = n
			c.statement(n)
		default:
			c.around = nil
			c.statement(n)
		}
		return true
	})
}

func (c *changer) expression(e ast.Expr) {
	if _, ok := e.(*ast.CallExpr); c.idle[e] && !ok {
		return
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		at := int(e.OpPos - c.syntax.FileStart)
		if c.pkg.info.Types[e].Value != nil && c.pkg.info.Types[e].Value.Kind() == constant.String {
			return
		}
		for _, op := range binary[e.Op] {
			if op == token.SUB && !c.is(e, types.IsNumeric) {
				continue
			}
			c.at(at, at+len(e.Op.String()), e, op.String(), "")
		}
		if e.Op == token.ADD || e.Op == token.SUB {
			for _, x := range []ast.Expr{e.X, e.Y} {
				if inner, ok := ast.Unparen(x).(*ast.BinaryExpr); !ok || inner.Op != token.ADD && inner.Op != token.SUB {
					c.term(x, nil)
				}
			}
		}
		if e.Op == token.LAND || e.Op == token.LOR {
			c.add(e, e, c.source(e.X))
			c.add(e, e, c.source(e.Y))
		}
	case *ast.UnaryExpr:
		if e.Op == token.SUB || e.Op == token.NOT || e.Op == token.XOR {
			c.add(e, e, c.source(e.X))
		}
	case *ast.BasicLit:
		switch e.Kind {
		case token.INT:
			c.add(e, c.around, "("+e.Value+"+1)")
			if e.Value != "0" {
				c.add(e, c.around, "("+e.Value+"-1)")
			}
		case token.FLOAT:
			c.add(e, c.around, "("+e.Value+"+1)")
			c.add(e, c.around, "("+e.Value+"-1)")
		}
	case *ast.Ident:
		c.swap(e, c.around, nil)
	case *ast.SelectorExpr:
		c.swap(e.Sel, c.around, e)
	case *ast.CallExpr:
		c.arguments(e)
	case *ast.CompositeLit:
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				if field, ok := kv.Key.(*ast.Ident); ok {
					c.term(kv.Value, field)
				}
			}
		}
	}
}

// Some functions give the same result if their two arguments are exchanged. The variable "symmetric" has the names of
// these functions.
var symmetric = map[string]bool{"Add": true, "Mul": true, "And": true, "Or": true, "Xor": true, "Max": true, "Min": true, "Equal": true, "Mul64": true, "add": true, "mul": true}

// The method "arguments" adds the mutants in which two adjacent arguments of the same type are exchanged. It also adds
// the mutants in which an argument of the builtin max or min is halved.
func (c *changer) arguments(call *ast.CallExpr) {
	f := ast.Unparen(call.Fun)
	if c.pkg.info.Types[f].IsType() {
		return // a conversion
	}
	if id, ok := f.(*ast.Ident); ok && c.pkg.info.Types[f].IsBuiltin() {
		if id.Name == "max" || id.Name == "min" {
			for _, x := range call.Args {
				c.term(x, nil)
			}
			return // the order has no effect
		}
	}
	name := ""
	switch f := f.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	if len(call.Args) == 2 && symmetric[name] {
		return
	}
	for i := 1; i < len(call.Args); i++ {
		x, y := call.Args[i-1], call.Args[i]
		s, t := c.typeOf(x), c.typeOf(y)
		if s == nil || t == nil || !types.Identical(s, t) || c.source(x) == c.source(y) {
			continue
		}
		from, _ := c.span(x)
		_, to := c.span(y)
		c.at(from, to, c.around, c.source(y)+", "+c.source(x), "")
	}
}

// errorName matches the names of variables and fields that hold an error bound or a part of one. An integer is halved
// only if it is assigned to such a variable or field.
var errorName = regexp.MustCompile(`(?i)bound|slack|miss|wrong|remain|tail|guard|ulp|rest$|^off$|^err$`)

// The method "term" adds the mutant in which x is halved. If the argument "target" is not nil, the value x is assigned
// to this variable or field. Otherwise x is a part of a sum, an argument of max or min, or a returned value.
func (c *changer) term(x ast.Expr, target ast.Expr) {
	from, to := c.span(x)
	switch {
	case c.is(x, types.IsFloat):
		c.at(from, to, c.around, "(0.5*("+c.source(x)+"))", "")
	case c.is(x, types.IsInteger) && target != nil:
		switch t := target.(type) {
		case *ast.SelectorExpr:
			target = t.Sel
		case *ast.IndexExpr:
			target = t.X
		}
		if id, ok := target.(*ast.Ident); ok && errorName.MatchString(id.Name) {
			c.at(from, to, c.around, "(("+c.source(x)+")/2)", "")
		}
	}
}

// Some names have a partner. If a name and its partner have the same type, the method "swap" adds a mutant. In this
// mutant, the partner replaces the name. The argument "sel" is the selector that ends with the name, or nil.
func (c *changer) swap(id *ast.Ident, wide ast.Node, sel *ast.SelectorExpr) {
	to := partner[id.Name]
	was := c.pkg.info.Uses[id]
	if to == "" || was == nil {
		return
	}
	var is types.Object
	switch {
	case sel == nil:
		if _, member := was.(*types.Var); member && was.Parent() == nil {
			return // a field's name in a composite literal, or the end of a selector
		}
		if f, ok := was.(*types.Func); ok && f.Signature().Recv() != nil || was.Pkg() != nil && was.Pkg() != c.pkg.types {
			return // the end of a selector
		}
		scope := c.pkg.types.Scope().Innermost(id.Pos())
		if scope == nil {
			return
		}
		_, is = scope.LookupParent(to, id.Pos())
	case c.pkg.info.Selections[sel] != nil:
		is, _, _ = types.LookupFieldOrMethod(c.pkg.info.Selections[sel].Recv(), true, c.pkg.types, to)
	case was.Pkg() != nil:
		is = was.Pkg().Scope().Lookup(to)
	}
	if is == nil {
		return
	}
	_, builtin := was.(*types.Builtin)
	_, too := is.(*types.Builtin)
	if builtin != too || !builtin && !types.Identical(was.Type(), is.Type()) {
		return
	}
	c.add(id, wide, to)
}

// Reports show this text as the new statement if a mutant only removes a statement.
const deleted = "(deleted)"

func (c *changer) statement(n ast.Node) {
	switch n := n.(type) {
	case *ast.BlockStmt:
		c.deletions(n.List)
	case *ast.CaseClause:
		c.deletions(n.Body)
	case *ast.CommClause:
		c.deletions(n.Body)
	case *ast.AssignStmt:
		if len(n.Lhs) == len(n.Rhs) && (n.Tok == token.ASSIGN || n.Tok == token.DEFINE || n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN) {
			for i, x := range n.Rhs {
				c.term(x, n.Lhs[i])
			}
		}
		if op, ok := assigned[n.Tok]; ok && (op != token.SUB_ASSIGN || c.is(n.Lhs[0], types.IsNumeric)) {
			at := int(n.TokPos - c.syntax.FileStart)
			c.at(at, at+len(n.Tok.String()), n, op.String(), "")
		}
	case *ast.IncDecStmt:
		at, op := int(n.TokPos-c.syntax.FileStart), "++"
		if n.Tok == token.INC {
			op = "--"
		}
		c.at(at, at+2, n, op, "")
	case *ast.IfStmt:
		c.condition(n.Cond, "false && ", "true || ")
	case *ast.ForStmt:
		if n.Cond != nil {
			c.condition(n.Cond, "false && ")
		}
	case *ast.RangeStmt:
		if c.is(n.X, types.IsInteger) {
			c.add(n.X, n.X, "("+c.source(n.X)+")-1")
			c.add(n.X, n.X, "("+c.source(n.X)+")+1")
			return
		}
		at, _ := c.span(n.Body)
		c.at(at+1, at+1, n.X, " break;", "(nothing)")
	case *ast.ReturnStmt:
		c.returned(n)
	}
}

// The method "condition" adds one mutant for each of the decisions. A decision is a text. It consists of a constant,
// such as true, and an operator, such as ||. This text is put in front of the condition, and determines the value of
// the whole expression.
func (c *changer) condition(cond ast.Expr, decisions ...string) {
	for _, d := range decisions {
		c.add(cond, cond, d+"("+c.source(cond)+")")
	}
}

// The method "deletions" adds one mutant for each of the statements. In this mutant, the statement is left out.
func (c *changer) deletions(list []ast.Stmt) {
	for _, s := range list {
		from, to := c.span(s)
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				continue
			}
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok && speaks(call) {
				continue
			}
		case *ast.IncDecStmt, *ast.DeferStmt, *ast.GoStmt, *ast.SendStmt, *ast.BranchStmt:
		case *ast.ReturnStmt:
			if len(s.Results) > 0 {
				continue
			}
		default:
			continue
		}
		c.at(from, to, s, "", deleted)
	}
}

var errorType = types.Universe.Lookup("error").Type()

// The method "returned" adds mutants that return nil instead of an error. It also adds mutants that return the negation
// of a truth value. Other values that are returned together with an error have no meaning, so they are not changed.
func (c *changer) returned(n *ast.ReturnStmt) {
	signature, _ := c.pkg.info.Defs[c.function.Name].Type().(*types.Signature)
	if k := len(c.results); k > 0 {
		signature = c.results[k-1]
	}
	if signature == nil || signature.Results().Len() != len(n.Results) {
		return
	}
	if last := len(n.Results) - 1; last > 0 && types.Identical(signature.Results().At(last).Type(), errorType) && c.source(n.Results[last]) != "nil" {
		for _, e := range n.Results[:last] {
			c.idle[e] = true
		}
	}
	for i, e := range n.Results {
		if c.idle[e] {
			continue
		}
		c.term(e, nil)
		t := signature.Results().At(i).Type()
		if types.Identical(t, errorType) && c.source(e) != "nil" {
			c.add(e, n, "nil")
		} else if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsBoolean != 0 && c.pkg.info.Types[e].Value == nil {
			c.add(e, n, "!("+c.source(e)+")")
		}
	}
}
