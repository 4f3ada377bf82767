package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"io/fs"
	"slices"
)

// The type "source" has the parsed functions and constants of package fm.
type source struct {
	funcs  map[string]*ast.FuncDecl
	consts map[string]ast.Expr
}

// The command interprets functions in some files of package fm. The list "files" has the names of these files.
var files = []string{"exp.go", "log.go", "angle.go", "elementary.go", "tables.go"}

// The function "read" parses the files of a folder.
func read(dir fs.FS) (*source, error) {
	s := &source{map[string]*ast.FuncDecl{}, map[string]ast.Expr{}}
	for _, name := range files {
		text, err := fs.ReadFile(dir, name)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					s.funcs[d.Name.Name] = d
				}
			case *ast.GenDecl:
				if d.Tok != token.CONST {
					continue
				}
				for _, spec := range d.Specs {
					for i, v := range spec.(*ast.ValueSpec).Values {
						s.consts[spec.(*ast.ValueSpec).Names[i].Name] = v
					}
				}
			}
		}
	}
	return s, nil
}

// The method "value" returns the value of the constant expression e, computed with unlimited precision as Go does. If e
// is not constant, it returns nil.
func (s *source) value(e ast.Expr) constant.Value {
	switch e := e.(type) {
	case *ast.BasicLit:
		return constant.MakeFromLiteral(e.Value, e.Kind, 0)
	case *ast.ParenExpr:
		return s.value(e.X)
	case *ast.Ident:
		if c, ok := s.consts[e.Name]; ok {
			return s.value(c)
		}
	case *ast.UnaryExpr:
		if x := s.value(e.X); x != nil && e.Op == token.SUB {
			return constant.UnaryOp(e.Op, x, 0)
		}
	case *ast.BinaryExpr:
		x, y := s.value(e.X), s.value(e.Y)
		if x == nil || y == nil {
			return nil
		}
		if e.Op == token.QUO && x.Kind() == constant.Int && y.Kind() == constant.Int {
			panic("a quotient of whole constants, which Go rounds down")
		}
		if slices.Contains([]token.Token{token.ADD, token.SUB, token.MUL, token.QUO}, e.Op) {
			return constant.BinaryOp(x, e.Op, y)
		}
	}
	return nil
}

// Go rounds the constant with the given name to a float64. The method "number" returns this float64.
func (s *source) number(name string) float64 {
	f, _ := constant.Float64Val(s.value(ast.NewIdent(name)))
	return f
}

// An arithmetic defines the operations of Go's float64 for values of type T.
type arithmetic[T any] interface {
	number(float64) T
	add(x, y T) T
	mul(x, y T) T
	quo(x, y T) T
	neg(x T) T
	sum(x, y T) (hi, lo T) // the function "sum" of fm: two words whose sum is x + y
}

// The type "run" interprets one function. The parameter T is the type of the values, such as polynomials or ranges of
// numbers.
type run[T any] struct {
	source *source
	arithmetic[T]
	// The map "given" has the values of the variables that the run does not compute. They are arguments, table entries,
	// and numbers that are made by selecting bits. The run skips assignments to these variables. The two results of the
	// function "sum" are separate variables.
	given map[string]T
	// The list "taken" has truth values for the conditions of branches. They are in the order of the source text. The
	// run assumes that each condition has its value in this list. If the list is shorter, the run assumes that the
	// remaining conditions are false.
	taken []bool
	// The run ends at the return statement of the function. It also ends after an assignment to the variable with the
	// name "until".
	until string
}

// A panic with a value of the type "stop" means that the source text is not understood. The value names the part of the
// text.
type stop string

func (r *run[T]) refuse(format string, a ...any) { panic(stop(fmt.Sprintf(format, a...))) }

// The method "follow" interprets one function of the source text. The argument "name" is the name of this function. The
// result is the value that the function returns. If r.until names a variable, the result is the value of this variable.
// If the method does not understand the function, it panics with a value of the type "stop".
func (r *run[T]) follow(name string) T {
	f := r.source.funcs[name]
	if f == nil {
		r.refuse("no function %s", name)
	}
	v, done := r.block(f.Body.List, map[string]T{})
	if !done {
		r.refuse("%s does not come to an end", name)
	}
	return v
}

func (r *run[T]) block(list []ast.Stmt, env map[string]T) (v T, done bool) {
	for _, st := range list {
		switch st := st.(type) {
		case *ast.AssignStmt:
			r.assign(st, env)
			for _, l := range st.Lhs {
				if id, ok := l.(*ast.Ident); ok && id.Name == r.until && r.until != "" {
					return env[r.until], true
				}
			}
		case *ast.IfStmt:
			take := false
			if len(r.taken) > 0 {
				take, r.taken = r.taken[0], r.taken[1:]
			}
			if st.Init != nil {
				r.assign(st.Init.(*ast.AssignStmt), env)
			}
			if take {
				return r.block(st.Body.List, env)
			}
		case *ast.ReturnStmt:
			if len(st.Results) != 1 {
				r.refuse("several results")
			}
			return r.eval(st.Results[0], env), true
		default:
			r.refuse("a statement %T", st)
		}
	}
	return v, false
}

func (r *run[T]) assign(st *ast.AssignStmt, env map[string]T) {
	if st.Tok != token.DEFINE {
		r.refuse("an assignment that defines nothing")
	}
	if len(st.Rhs) != 1 {
		r.refuse("several values are assigned")
	}
	if len(st.Lhs) > 1 { // the results of a function: all of them are given, or not used
		for _, l := range st.Lhs {
			name := l.(*ast.Ident).Name
			v, ok := r.given[name]
			if !ok && name != "_" {
				r.refuse("several values are assigned")
			}
			env[name] = v
		}
		return
	}
	name := st.Lhs[0].(*ast.Ident).Name
	if _, ok := r.source.consts[name]; ok {
		r.refuse("%s hides a constant", name)
	}
	if v, ok := r.given[name]; ok {
		env[name] = v
		return
	}
	if _, ok := r.given[name+".hi"]; ok { // an entry of a table
		return
	}
	if c, ok := st.Rhs[0].(*ast.CallExpr); ok {
		if id, ok := c.Fun.(*ast.Ident); ok && id.Name == "sum" {
			env[name+".Hi"], env[name+".Lo"] = r.sum(r.eval(c.Args[0], env), r.eval(c.Args[1], env))
			return
		}
	}
	env[name] = r.eval(st.Rhs[0], env)
}

// The method "eval" returns the value of an expression. If neither factor of a product is a constant, the product must
// be converted to float64 at once. Otherwise Go may fuse it with a sum.
func (r *run[T]) eval(e ast.Expr, env map[string]T) T {
	if c := r.source.value(e); c != nil {
		f, _ := constant.Float64Val(c)
		return r.number(f)
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return r.eval(e.X, env)
	case *ast.Ident:
		if v, ok := env[e.Name]; ok {
			return v
		}
		if v, ok := r.given[e.Name]; ok {
			return v
		}
		r.refuse("%s has no value", e.Name)
	case *ast.SelectorExpr:
		name := e.X.(*ast.Ident).Name + "." + e.Sel.Name
		if v, ok := env[name]; ok {
			return v
		}
		if v, ok := r.given[name]; ok {
			return v
		}
		r.refuse("%s has no value", name)
	case *ast.UnaryExpr:
		if e.Op == token.SUB {
			return r.neg(r.eval(e.X, env))
		}
	case *ast.BinaryExpr:
		switch x, y := e.X, e.Y; e.Op {
		case token.ADD:
			return r.add(r.eval(x, env), r.eval(y, env))
		case token.SUB:
			return r.add(r.eval(x, env), r.neg(r.eval(y, env)))
		case token.QUO:
			return r.quo(r.eval(x, env), r.eval(y, env))
		case token.MUL:
			r.refuse("a product may be fused: it is not converted to float64")
		}
	case *ast.CallExpr:
		id, ok := e.Fun.(*ast.Ident)
		if !ok {
			break
		}
		if id.Name == "float64" {
			if m, ok := e.Args[0].(*ast.BinaryExpr); ok && m.Op == token.MUL {
				return r.mul(r.eval(m.X, env), r.eval(m.Y, env))
			}
			return r.eval(e.Args[0], env)
		}
		f := r.source.funcs[id.Name]
		if f == nil {
			r.refuse("no function %s", id.Name)
		}
		inner := &run[T]{source: r.source, arithmetic: r.arithmetic}
		own, i := map[string]T{}, 0
		for _, p := range f.Type.Params.List {
			for _, n := range p.Names {
				if _, ok := r.source.consts[n.Name]; ok {
					r.refuse("%s hides a constant", n.Name)
				}
				own[n.Name] = r.eval(e.Args[i], env)
				i++
			}
		}
		v, done := inner.block(f.Body.List, own)
		if !done {
			r.refuse("%s does not come to an end", id.Name)
		}
		return v
	}
	r.refuse("an expression %T", e)
	panic("")
}
