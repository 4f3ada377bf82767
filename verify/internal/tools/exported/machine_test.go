package exported

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/kernel"
)

const kernelPath = "github.com/bloomproof/bloomproof/kernel"

// filters are the filters of package kernel.
var filters = []reflect.Type{
	reflect.TypeFor[*kernel.Filter](), reflect.TypeFor[*kernel.CountingFilter](), reflect.TypeFor[*kernel.RecyclingFilter](),
	reflect.TypeFor[*kernel.ConcurrentFilter](), reflect.TypeFor[*kernel.ConcurrentRecycling](), reflect.TypeFor[*kernel.MappedFilter](),
}

// modelled are filters that have a model in a test of package kernel instead, with its name.
var modelled = map[string]string{"GrowingFilter": "TestGrowingModel"}

// exempt are methods that no machine calls, with the reason.
var exempt = map[string]string{}

// fakes imports package kernel, of which the bodies are left out, and for any other path
// a package without a name in it: what needs those is an error, and no matter here.
type fakes struct{ kernel *types.Package }

func (f fakes) Import(name string) (*types.Package, error) {
	if name == kernelPath {
		return f.kernel, nil
	}
	p := types.NewPackage(name, path.Base(name))
	p.MarkComplete()
	return p, nil
}

// typed parses a package of the module and finds what its names mean, as far as it can.
func typed(t *testing.T, name, dir string, in types.Importer, bodies bool) (*types.Package, []*ast.File, *types.Info) {
	t.Helper()
	list, err := build.ImportDir(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, file := range list.GoFiles {
		f, err := parser.ParseFile(set, filepath.Join(dir, file), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	config := types.Config{Importer: in, IgnoreFuncBodies: !bodies, Error: func(error) {}}
	p, _ := config.Check(name, set, files, info) // its errors are those of the fakes
	return p, files, info
}

// called returns the methods of the filters that the code of package model calls, as
// Filter.Add: on a filter, or on an interface that a filter is passed as.
func called(t *testing.T) map[string]bool {
	t.Helper()
	k, _, _ := typed(t, kernelPath, root+"kernel", fakes{}, false)
	_, files, info := typed(t, "model", root+"verify/model", fakes{k}, true)
	filter := func(typ types.Type) string {
		if p, ok := typ.(*types.Pointer); ok {
			if n, ok := p.Elem().(*types.Named); ok && n.Obj().Pkg() == k {
				return n.Obj().Name()
			}
		}
		return ""
	}
	calls := map[string]bool{}
	through := map[types.Type]map[string]bool{} // interface to the methods that are called on it
	passed := map[types.Type]map[string]bool{}  // and the filters that are passed as it
	note := func(m map[types.Type]map[string]bool, typ types.Type, name string) {
		if m[typ] == nil {
			m[typ] = map[string]bool{}
		}
		m[typ][name] = true
	}
	for sel, s := range info.Selections {
		if s.Kind() == types.FieldVal {
			continue
		}
		if name := filter(s.Recv()); name != "" {
			calls[name+"."+sel.Sel.Name] = true
		} else if types.IsInterface(s.Recv()) {
			note(through, s.Recv(), sel.Sel.Name)
		}
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sig, ok := info.TypeOf(call.Fun).(*types.Signature)
			for i, arg := range call.Args {
				if !ok || i >= sig.Params().Len() {
					break
				}
				if name := filter(info.TypeOf(arg)); name != "" && types.IsInterface(sig.Params().At(i).Type()) {
					note(passed, sig.Params().At(i).Type(), name)
				}
			}
			return true
		})
	}
	for typ, names := range passed {
		for name := range names {
			for method := range through[typ] {
				calls[name+"."+method] = true
			}
		}
	}
	return calls
}

// Every exported method of every filter is called by one of the runs, which compare what
// it says with the model, and no filter is without one.
func TestRunsCallEveryMethod(t *testing.T) {
	calls := called(t)
	methods := 0
	for _, f := range filters {
		for i := range f.NumMethod() {
			name := f.Elem().Name() + "." + f.Method(i).Name
			methods++
			switch {
			case !calls[name] && exempt[name] == "":
				t.Errorf("no run calls %s", name)
			case calls[name] && exempt[name] != "":
				t.Errorf("%s is exempt, and called", name)
			}
			delete(calls, name)
		}
	}
	for name := range calls {
		if f, _, _ := strings.Cut(name, "."); slices.ContainsFunc(filters, func(t reflect.Type) bool { return t.Elem().Name() == f }) {
			t.Errorf("the runs call %s, which is no method", name)
		}
	}
	if methods < 100 {
		t.Errorf("%d methods: where are the others?", methods)
	}
	// What looks keys up is a filter.
	k, _, _ := typed(t, kernelPath, root+"kernel", fakes{}, false)
	for _, name := range k.Scope().Names() {
		obj, ok := k.Scope().Lookup(name).(*types.TypeName)
		if !ok || !obj.Exported() || types.IsInterface(obj.Type()) {
			continue
		}
		found := types.NewMethodSet(types.NewPointer(obj.Type())).Lookup(k, "Contains") != nil
		listed := slices.ContainsFunc(filters, func(t reflect.Type) bool { return t.Elem().Name() == name })
		if found != (listed || modelled[name] != "") {
			t.Errorf("%s has Contains: %t, is listed here: %t", name, found, listed)
		}
	}
}
