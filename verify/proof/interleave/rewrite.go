package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A rewriter turns the plain memory accesses of a file into calls of package interleave. Each read of a location that
// other goroutines could reach becomes *interleave.R(&location). Writes and updates are rewritten in the same way.
// Local variables are not rewritten, because no rewritten function starts a goroutine. Composite literals are not
// rewritten either, because their memory is new.
//
// The accesses of a statement are made in the order of the inserted calls. Sometimes the language leaves open whether
// an access comes before or after a synchronising operation of the same statement. The rewriter has two rules for these
// cases. The first rule is for assignments whose right side may contain a synchronising operation. Then the left side
// is accessed twice: before and after the right side is evaluated. The second rule is for operations with an operand
// that may synchronise. Then the other operands must not read memory that other goroutines could reach. The exceptions
// are the functions in the list "unordered".
type rewriter struct {
	fset        *token.FileSet
	info        *types.Info
	text        string
	synchronise func(ast.Node) bool // whether the evaluated code may synchronise
	edits       []edit
	unordered   []string // functions with operands whose order is open
	in          string   // the function that is being rewritten
	err         error
}

// The type "edit" describes a replacement in a file. The new text replaces n bytes, beginning at the offset "at".
type edit struct {
	at, n int
	text  string
}

func (r *rewriter) refuse(n ast.Node, why string) {
	if r.err == nil {
		r.err = fmt.Errorf("%v: %s is not rewritten", r.fset.Position(n.Pos()), why)
	}
}

func (r *rewriter) offset(p token.Pos) int { return r.fset.Position(p).Offset }

func (r *rewriter) insert(p token.Pos, text string) {
	r.edits = append(r.edits, edit{r.offset(p), 0, text})
}

func (r *rewriter) replace(n ast.Node, text string) {
	r.edits = append(r.edits, edit{r.offset(n.Pos()), int(n.End() - n.Pos()), text})
}

// The method "around" inserts one text in front of the expression e and another text behind it. The list
// r.edits[first:] has the edits that lie within e.
func (r *rewriter) around(e ast.Expr, first int, before, after string) {
	r.edits = slices.Insert(r.edits, first, edit{r.offset(e.Pos()), 0, before})
	r.insert(e.End(), after)
}

// The method "apply" makes the edits in a copy of the text and returns the copy. Edits at the same offset keep
// their order.
func (r *rewriter) apply(text []byte) string {
	slices.SortStableFunc(r.edits, func(a, b edit) int { return a.at - b.at })
	var b strings.Builder
	done := 0
	for _, e := range r.edits {
		b.Write(text[done:e.at])
		b.WriteString(e.text)
		done = e.at + e.n
	}
	b.Write(text[done:])
	return b.String()
}

// The method "file" rewrites the bodies of all functions of the file f. The map "replaced" has new bodies for some
// functions. Each of these functions gets its new body.
func (r *rewriter) file(f *ast.File, replaced map[string]string) {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		if body, ok := replaced[fn.Name.Name]; ok && fn.Recv == nil {
			r.replace(fn.Body, body)
			continue
		}
		r.in = fn.Name.Name
		r.stmt(fn.Body)
	}
}

// For some operations, the language leaves open in which order the operands are evaluated. The method "siblings" is
// called with the operands of such an operation. Suppose that one operand may synchronise, and another operand reads
// memory that other goroutines could reach. Then this method adds a name to r.unordered. It is the name of the function
// that contains the operation.
func (r *rewriter) siblings(operands ...ast.Expr) {
	for i, a := range operands {
		if a == nil || !r.synchronise(a) {
			continue
		}
		for j, b := range operands {
			if i == j || b == nil {
				continue
			}
			probe := rewriter{fset: r.fset, info: r.info, synchronise: func(ast.Node) bool { return false }}
			probe.expr(b)
			if len(probe.edits) > 0 && !slices.Contains(r.unordered, r.in) {
				r.unordered = append(r.unordered, r.in)
			}
		}
	}
}

// The method "again" handles an assignment whose right side may synchronise. The left sides of such an assignment are
// accessed twice. The method returns the calls for the second access. They must be placed after the assignment. For any
// other statement it returns nil.
func (r *rewriter) again(of ast.Stmt) (calls []string) {
	s, ok := of.(*ast.AssignStmt)
	if !ok || s.Tok == token.DEFINE || !slices.ContainsFunc(s.Rhs, func(e ast.Expr) bool { return r.synchronise(e) }) {
		return nil
	}
	function := "RW"
	if s.Tok == token.ASSIGN {
		function = "W"
	}
	for _, e := range s.Lhs {
		probe := rewriter{fset: r.fset, info: r.info, synchronise: func(ast.Node) bool { return false }}
		probe.store(e, function)
		if len(probe.edits) == 0 {
			continue
		}
		from, to := r.offset(e.Pos()), r.offset(e.End())
		for i := range probe.edits {
			probe.edits[i].at -= from
		}
		calls = append(calls, strings.TrimPrefix(probe.apply([]byte(r.text[from:to])), "(*"))
		calls[len(calls)-1] = strings.TrimSuffix(calls[len(calls)-1], ")")
	}
	return calls
}

func (r *rewriter) typeOf(e ast.Expr) types.Type { return r.info.TypeOf(e).Underlying() }

func isPointer(t types.Type) bool {
	_, ok := t.(*types.Pointer)
	return ok
}

// The method "path" rewrites the parts of the expression e. This expression denotes a memory location. The method
// "path" does not rewrite the access to this location. It reports whether other goroutines could reach the location.
func (r *rewriter) path(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return r.path(e.X)
	case *ast.Ident:
		v, ok := r.info.Uses[e].(*types.Var)
		return ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
	case *ast.SelectorExpr:
		s := r.info.Selections[e]
		if s == nil || s.Kind() != types.FieldVal { // a variable of another package; a method value
			r.expr(e)
			return false
		}
		if r.embedded(e, s) {
			return true
		}
		if isPointer(r.typeOf(e.X)) {
			r.expr(e.X)
			return true
		}
		return r.path(e.X)
	case *ast.IndexExpr:
		var reached bool
		switch r.typeOf(e.X).(type) {
		case *types.Array:
			reached = r.path(e.X)
		case *types.Slice, *types.Pointer:
			r.expr(e.X)
			reached = true
		default: // a map, a string, a generic function
			r.expr(e.X)
		}
		r.expr(e.Index)
		return reached
	case *ast.StarExpr:
		r.expr(e.X)
		return true
	}
	r.expr(e)
	return false
}

// The method "embedded" handles a field or method that is reached through an embedded pointer. It rewrites the
// operand in front of the dot, and adds a read of that pointer. It reports whether there is such a pointer.
func (r *rewriter) embedded(e *ast.SelectorExpr, s *types.Selection) bool {
	path, names, pointers := "", "", 0 // names leads to the pointer
	t := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		f := t.Underlying().(*types.Struct).Field(i)
		t = f.Type()
		path += "." + f.Name()
		if isPointer(t.Underlying()) {
			names = path
			pointers++
		}
	}
	if pointers == 0 {
		return false
	}
	if pointers > 1 {
		r.refuse(e, "an embedded pointer in another")
	}
	first := len(r.edits)
	if isPointer(r.typeOf(e.X)) {
		r.expr(e.X)
	} else if !r.path(e.X) {
		return true
	}
	r.around(e.X, first, "(*interleave.R(&", names+"))")
	return true
}

// The method "access" rewrites the expression e, which denotes a memory location. If other goroutines could reach the
// location, the access becomes a call of the given function of package interleave.
func (r *rewriter) access(e ast.Expr, function string) {
	first := len(r.edits)
	if r.path(e) {
		r.around(e, first, "(*interleave."+function+"(&", "))")
	}
}

// The method "expr" rewrites an expression whose value is used.
func (r *rewriter) expr(e ast.Expr) {
	if e == nil {
		return
	}
	if tv := r.info.Types[e]; tv.Value != nil || tv.IsType() || tv.IsBuiltin() || tv.IsNil() {
		return
	}
	switch e := e.(type) {
	case *ast.Ident, *ast.StarExpr:
		r.access(e, "R")
	case *ast.ParenExpr:
		r.expr(e.X)
	case *ast.SelectorExpr:
		switch s := r.info.Selections[e]; {
		case s == nil:
		case s.Kind() == types.FieldVal:
			r.access(e, "R")
		default:
			r.method(e, s)
		}
	case *ast.IndexExpr:
		switch t := r.typeOf(e.X).(type) {
		case *types.Map:
			r.expr(e.X)
			r.expr(e.Index)
		case *types.Basic: // a string
			r.expr(e.X)
			r.expr(e.Index)
		case *types.Signature:
		default:
			_ = t
			r.access(e, "R")
		}
	case *ast.SliceExpr:
		if _, ok := r.typeOf(e.X).(*types.Array); ok {
			r.path(e.X)
		} else {
			r.expr(e.X)
		}
		r.expr(e.Low)
		r.expr(e.High)
		r.expr(e.Max)
	case *ast.UnaryExpr:
		switch e.Op {
		case token.AND:
			r.path(e.X)
		case token.ARROW:
			r.refuse(e, "a receive")
		default:
			r.expr(e.X)
		}
	case *ast.BinaryExpr:
		if e.Op != token.LAND && e.Op != token.LOR {
			r.siblings(e.X, e.Y)
		}
		r.expr(e.X)
		r.expr(e.Y)
	case *ast.CallExpr:
		r.call(e)
	case *ast.CompositeLit:
		_, fields := r.typeOf(e).(*types.Struct)
		r.siblings(e.Elts...)
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				if !fields {
					r.expr(kv.Key)
				}
				x = kv.Value
			}
			r.expr(x)
		}
	case *ast.KeyValueExpr: // in a composite literal, as a sibling
		r.expr(e.Value)
	case *ast.FuncLit:
		r.stmt(e.Body)
	case *ast.TypeAssertExpr:
		r.expr(e.X)
	case *ast.IndexListExpr:
	default:
		r.refuse(e, fmt.Sprintf("%T", e))
	}
}

// This method rewrites the receiver of a method call. If the method has a pointer receiver, the call takes the address
// of the operand. If it has a value receiver, the call reads the operand.
func (r *rewriter) method(e *ast.SelectorExpr, s *types.Selection) {
	recv := s.Obj().(*types.Func).Signature().Recv().Type().Underlying()
	if _, ok := recv.(*types.Interface); ok || isPointer(recv) {
		if r.embedded(e, s) {
			return
		}
		if isPointer(r.typeOf(e.X)) || ok {
			r.expr(e.X)
		} else {
			r.path(e.X)
		}
		return
	}
	first, reached := len(r.edits), true
	if r.embedded(e, s) {
		r.refuse(e, "a method of values of an embedded pointer")
		return
	}
	if isPointer(r.typeOf(e.X)) {
		r.expr(e.X)
	} else {
		reached = r.path(e.X)
	}
	if !reached {
		return
	}
	names, t := "", s.Recv() // the names of the embedded field that has the method
	for _, i := range s.Index()[:len(s.Index())-1] {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		field := t.Underlying().(*types.Struct).Field(i)
		names, t = names+"."+field.Name(), field.Type()
	}
	switch {
	case names == "" && isPointer(r.typeOf(e.X)):
		r.around(e.X, first, "(*interleave.R(", "))")
	default:
		r.around(e.X, first, "(*interleave.R(&", names+"))")
	}
}

// The list "readers" has functions of other packages that read all elements of their slice arguments.
var readers = []string{"slices.Clone", "slices.Equal", "slices.Contains", "slices.Index"}

func (r *rewriter) call(e *ast.CallExpr) {
	if tv := r.info.Types[e.Fun]; tv.IsType() { // a conversion
		r.expr(e.Args[0])
		return
	} else if tv.IsBuiltin() {
		r.builtin(e)
		return
	}
	name := ""
	if s, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && r.info.Selections[s] == nil {
		name = s.X.(*ast.Ident).Name + "." + s.Sel.Name
	} else {
		r.expr(e.Fun)
	}
	r.siblings(e.Args...)
	for _, a := range e.Args {
		first := len(r.edits)
		r.expr(a)
		if _, ok := r.typeOf(a).(*types.Slice); ok && slices.Contains(readers, name) {
			r.around(a, first, "interleave.Read(", ")")
		}
	}
}

func (r *rewriter) builtin(e *ast.CallExpr) {
	name := ""
	switch f := ast.Unparen(e.Fun).(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr: // of unsafe
		name = "unsafe." + f.Sel.Name
	}
	args := e.Args
	isSlice := func(e ast.Expr) bool {
		_, ok := r.typeOf(e).(*types.Slice)
		return ok
	}
	switch name {
	case "append":
		switch {
		case e.Ellipsis == token.NoPos:
			r.replace(e.Fun, "interleave.Append")
		case isSlice(args[1]):
			r.replace(e.Fun, "interleave.AppendAll")
			defer func() { r.edits = append(r.edits, edit{r.offset(e.Ellipsis), 3, ""}) }()
		}
	case "copy":
		if isSlice(args[1]) {
			r.replace(e.Fun, "interleave.Copy")
		}
	case "clear":
		if isSlice(args[0]) {
			r.replace(e.Fun, "interleave.Clear")
		}
	case "len", "cap":
		if _, ok := r.typeOf(args[0]).(*types.Array); ok {
			r.path(args[0])
			return
		}
	}
	r.siblings(args...)
	for _, a := range args {
		r.expr(a)
	}
}

// The method "store" rewrites the expression e, which is a left side of an assignment. In the new text, a call replaces
// the access to e. The argument "function" names the called function, which is in package interleave.
func (r *rewriter) store(e ast.Expr, function string) {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		if x.Name == "_" {
			return
		}
	case *ast.IndexExpr:
		if _, ok := r.typeOf(x.X).(*types.Map); ok {
			r.expr(x.X)
			r.expr(x.Index)
			return
		}
	}
	r.access(e, function)
}

func (r *rewriter) stmts(list []ast.Stmt) {
	for _, s := range list {
		r.stmt(s)
		for _, call := range r.again(s) {
			r.insert(s.End(), "; "+call)
		}
	}
}

func (r *rewriter) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case nil, *ast.EmptyStmt, *ast.BranchStmt:
	case *ast.BlockStmt:
		if s != nil {
			r.stmts(s.List)
		}
	case *ast.ExprStmt:
		r.expr(s.X)
	case *ast.IncDecStmt:
		r.store(s.X, "RW")
	case *ast.AssignStmt:
		r.siblings(s.Rhs...)
		for _, e := range s.Lhs {
			switch s.Tok {
			case token.DEFINE:
			case token.ASSIGN:
				r.store(e, "W")
			default:
				r.store(e, "RW")
			}
		}
		for _, e := range s.Rhs {
			r.expr(e)
		}
	case *ast.DeclStmt:
		for _, spec := range s.Decl.(*ast.GenDecl).Specs {
			if v, ok := spec.(*ast.ValueSpec); ok {
				for _, e := range v.Values {
					r.expr(e)
				}
			}
		}
	case *ast.ReturnStmt:
		r.siblings(s.Results...)
		for _, e := range s.Results {
			r.expr(e)
		}
	case *ast.DeferStmt:
		r.call(s.Call)
	case *ast.IfStmt:
		r.stmt(s.Init)
		first := len(r.edits)
		r.expr(s.Cond)
		for _, call := range r.again(s.Init) {
			r.around(s.Cond, first, call+" != nil && (", ")")
		}
		r.stmt(s.Body)
		r.stmt(s.Else)
	case *ast.ForStmt:
		if r.again(s.Init) != nil || r.again(s.Post) != nil {
			r.refuse(s, "a loop's assignment that may synchronise")
		}
		r.stmt(s.Init)
		r.expr(s.Cond)
		r.stmt(s.Post)
		r.stmt(s.Body)
	case *ast.RangeStmt:
		r.ranges(s)
	case *ast.SwitchStmt:
		if r.again(s.Init) != nil {
			r.refuse(s, "a switch's assignment that may synchronise")
		}
		r.stmt(s.Init)
		r.expr(s.Tag)
		r.stmt(s.Body)
	case *ast.TypeSwitchStmt:
		r.stmt(s.Init)
		r.stmt(s.Assign)
		r.stmt(s.Body)
	case *ast.CaseClause:
		for _, e := range s.List {
			r.expr(e)
		}
		r.stmts(s.Body)
	case *ast.LabeledStmt:
		r.stmt(s.Stmt)
	default:
		r.refuse(s, fmt.Sprintf("%T", s))
	}
}

func (r *rewriter) ranges(s *ast.RangeStmt) {
	if s.Tok == token.ASSIGN {
		for _, e := range []ast.Expr{s.Key, s.Value} {
			if e != nil {
				r.store(e, "W")
			}
		}
	}
	first := len(r.edits)
	values := s.Value != nil
	if id, ok := s.Value.(*ast.Ident); ok && id.Name == "_" {
		values = false
	}
	switch r.typeOf(s.X).(type) {
	case *types.Slice:
		r.expr(s.X)
		if values {
			r.around(s.X, first, "interleave.Range(", ")")
		}
	case *types.Array:
		if values {
			r.expr(s.X)
		} else {
			r.path(s.X)
		}
	case *types.Pointer:
		r.expr(s.X)
		if values {
			r.around(s.X, first, "interleave.Range((", ")[:])")
		}
	default:
		r.expr(s.X)
	}
	r.stmt(s.Body)
}
