package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const (
	module  = "github.com/bloomproof/bloomproof"
	shim    = module + "/internal/interleave"
	harness = module + "/verify/proof/interleave/internal/explored"
)

// The list "rewritten" has the packages whose memory accesses are observed. If the program is built without assembly, a
// filter executes code of these packages.
var rewritten = []string{module + "/kernel", module + "/kernel/asm"}

// The results of some functions of package kernel depend on the host. The map "replaced" has new bodies for these
// functions.
var replaced = map[string]string{
	"place": "{ return interleave.Place(n) }", // the original uses the address of the stack
	"parts": "{ return interleave.Parts() }",  // the original uses GOMAXPROCS
}

// The list "unexplored" has files that are not rewritten. They use constructs that the command cannot rewrite. The
// function "reached" checks that no concurrent filter can call a function of these files.
var unexplored = []string{"mapped.go", "growing.go", "growing_block.go", "snapshot_growing.go"}

// In some expressions, one operand may call a synchronising function, and another operand reads shared memory. The list
// "unordered" has the functions with such expressions. The results of these functions do not depend on the order of the
// operands' evaluation.
var unordered = []string{
	"Bits", "String", // what they read never changes: the count before the filter was shared, geometry, scheme
	"Stats",       // the function value that computes the rate does not synchronise
	"parseHeader", // not used by a concurrent filter
}

// The command "go list" prints a JSON object for each package. The type "listed" has some fields of this object.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
}

// The function "list" returns the packages to explore and the packages that they import. The compiler writes the types
// of each package to a file. The field Export has the path of this file.
func list(root string) (map[string]listed, error) {
	cmd := exec.Command("go", "list", "-export", "-deps", "-tags", "purego", "-json=ImportPath,Dir,Export,GoFiles", "./kernel", "./internal/interleave")
	cmd.Dir = root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, stderr.Bytes())
	}
	all := map[string]listed{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all[p.ImportPath] = p
	}
}

// The function "overlay" writes the rewritten files into dir. It also writes the file for the option -overlay of go
// build. It returns the path of that file.
func overlay(root, dir string) (string, error) {
	packages, err := list(root)
	if err != nil {
		return "", err
	}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(packages[path].Export) })
	files := map[string]string{}
	used := 0
	for _, path := range rewritten {
		p, ok := packages[path]
		if !ok {
			return "", fmt.Errorf("go list does not know %s", path)
		}
		n, err := rewritePackage(fset, imports, p, files)
		if err != nil {
			return "", err
		}
		used += n
	}
	changes := 0
	for _, v := range variants {
		changes += len(v.changes)
	}
	if used != changes {
		return "", fmt.Errorf("%d of %d changes of wrong variants are in the code", used, changes)
	}
	broken, err := brokenFilters(root)
	if err != nil {
		return "", err
	}
	files[filepath.Join(root, "verify/proof/interleave/internal/explored/broken.go")] = broken
	places := map[string]string{}
	for at, text := range files {
		name := filepath.Join(dir, strings.ReplaceAll(at[len(root)+1:], string(filepath.Separator), "_"))
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			return "", err
		}
		places[at] = name
	}
	data, err := json.Marshal(map[string]any{"Replace": places})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, data, 0o644)
}

// rewritePackage adds the rewritten files of a package to the map "files". It also adds code that is wrong on purpose
// (see variants.go). It returns the number of places that it changed to add this code.
func rewritePackage(fset *token.FileSet, imports types.Importer, p listed, files map[string]string) (used int, err error) {
	var parsed []*ast.File
	texts := map[*ast.File]string{}
	for _, name := range p.GoFiles {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return 0, err
		}
		with, n, err := addVariants(name, string(text))
		if err != nil {
			return 0, err
		}
		used += n
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), with, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return 0, err
		}
		parsed, texts[f] = append(parsed, f), with
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	if _, err := (&types.Config{Importer: imports, Sizes: types.SizesFor("gc", "amd64")}).Check(p.ImportPath, fset, parsed, info); err != nil {
		return 0, err
	}
	if err := reached(fset, info, parsed); err != nil {
		return 0, err
	}
	synchronise := synchronising(info, parsed)
	for _, f := range parsed {
		r := rewriter{fset: fset, info: info, text: texts[f], synchronise: synchronise}
		name := filepath.Base(fset.Position(f.Pos()).Filename)
		if slices.Contains(unexplored, name) {
			continue
		}
		r.file(f, replaced)
		if r.err != nil {
			return 0, r.err
		}
		for _, name := range r.unordered {
			if !slices.Contains(unordered, name) {
				return 0, fmt.Errorf("%s: in %s an operand may synchronise and another reads shared memory, in no order", fset.Position(f.Pos()).Filename, name)
			}
		}
		for _, i := range f.Imports {
			if path, _ := strconv.Unquote(i.Path.Value); path == "sync" || path == "sync/atomic" {
				r.replace(i, fmt.Sprintf("%s %q", filepath.Base(path), shim))
			}
		}
		keep := ""
		for _, i := range f.Imports { // remove imports that only replaced bodies used
			switch path, _ := strconv.Unquote(i.Path.Value); path {
			case "runtime":
				keep += "var _ = runtime.NumCPU\n"
			case "math/bits":
				keep += "var _ = bits.Len\n"
			}
		}
		files[fset.Position(f.Pos()).Filename] = r.apply([]byte(texts[f])) + keep
	}
	return used, nil
}

// A piece of code may synchronise if it uses package sync or sync/atomic, or if it calls a function value. It may also
// synchronise if it uses a function that may synchronise. The function "synchronising" returns a test for this
// property.
func synchronising(info *types.Info, files []*ast.File) func(ast.Node) bool {
	does := map[types.Object]bool{}
	may := func(n ast.Node) (yes bool) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				used := info.Uses[n]
				if f, ok := used.(*types.Func); ok {
					yes = yes || does[f.Origin()] || f.Pkg() != nil && (f.Pkg().Path() == "sync" || f.Pkg().Path() == "sync/atomic")
				}
			case *ast.CallExpr:
				if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok {
					_, variable := info.Uses[id].(*types.Var)
					yes = yes || variable
				} else if s, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && info.Selections[s] != nil {
					yes = yes || info.Selections[s].Kind() == types.FieldVal
				}
			}
			return !yes
		})
		return yes
	}
	for grown := true; grown; {
		grown = false
		for _, f := range files {
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if ok && fn.Body != nil && !does[info.Defs[fn.Name]] && may(fn.Body) {
					does[info.Defs[fn.Name]], grown = true, true
				}
			}
		}
	}
	return may
}

// The function "reached" examines the functions in files with concurrent filters. None of them may use a function of an
// unexplored file, directly or through other functions. Otherwise "reached" returns an error.
func reached(fset *token.FileSet, info *types.Info, files []*ast.File) error {
	bodies := map[types.Object]*ast.FuncDecl{}
	var todo []*ast.FuncDecl
	fileOf := func(d ast.Node) string { return filepath.Base(fset.Position(d.Pos()).Filename) }
	for _, f := range files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				bodies[info.Defs[fn.Name]] = fn
				if strings.HasPrefix(fileOf(fn), "concurrent") {
					todo = append(todo, fn)
				}
			}
		}
	}
	seen := map[*ast.FuncDecl]bool{}
	for len(todo) > 0 {
		fn := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[fn] {
			continue
		}
		seen[fn] = true
		if slices.Contains(unexplored, fileOf(fn)) {
			return fmt.Errorf("a concurrent filter reaches %s of %s, which is not explored", fn.Name.Name, fileOf(fn))
		}
		ast.Inspect(fn, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if used, ok := info.Uses[id].(*types.Func); ok {
					if body := bodies[used.Origin()]; body != nil {
						todo = append(todo, body)
					}
				}
			}
			return true
		})
	}
	return nil
}

// addVariants adds wrong variants of statements to a file, each next to the statement that it replaces. It also adds
// the import that the variants need. The program chooses between a statement and its variant when it runs.
func addVariants(name, text string) (with string, used int, err error) {
	for i, v := range variants {
		for _, c := range v.changes {
			if c.file != name {
				continue
			}
			in := c.in
			if in == "" {
				in = c.is
			}
			if n := strings.Count(text, in); n != 1 {
				return "", 0, fmt.Errorf("%s has %d times what the wrong variant %q replaces", name, n, v.what)
			}
			becomes := fmt.Sprintf("if interleave.Wrong(%d) { %s } else { %s }", i+1, c.wrong, c.is)
			if c.first != "" {
				becomes = fmt.Sprintf("if interleave.Wrong(%d) { %s }; %s", i+1, c.first, c.is)
			}
			if strings.HasSuffix(becomes, "\n }") {
				becomes += "\n"
			}
			text = strings.Replace(text, in, strings.Replace(in, c.is, becomes, 1), 1)
			used++
		}
	}
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.PackageClauseOnly)
	if err != nil {
		return "", 0, fmt.Errorf("with wrong variants: %w", err)
	}
	at := int(f.Name.End()) - 1
	return text[:at] + fmt.Sprintf("; import interleave %q", shim) + text[at:] + "\nvar _ = interleave.Wrong\n", used, nil
}

// The list "brokenFiles" has those test files of package kernel that contain the filters with faults.
var brokenFiles = []string{"kernel/concurrent_test.go", "kernel/concurrent_recycling_mutant_test.go"}

// The list "brokenNames" has the names of the declarations that are taken from these files. If a declaration is a
// type, its methods are taken too.
var brokenNames = []string{"fault", "brokenFilter", "brokenRecycling", "distinctPositions"}

// The tests of package kernel have filters with faults. The function brokenFilters returns the text of a Go file with
// copies of these filters. The command "explored" makes such filters by calling functions that are stored in variables.
// The file also sets these variables.
func brokenFilters(root string) (string, error) {
	out := fmt.Sprintf(`package main

import (
	"math/bits"
	"slices"

	"github.com/bloomproof/bloomproof"
	atomic %[1]q
	runtime %[1]q
	sync %[1]q
	"github.com/bloomproof/bloomproof/kernel"
)

`, shim)
	faults := map[string][]string{}
	taken := 0
	for _, name := range brokenFiles {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return "", err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return "", err
		}
		r := rewriter{fset: fset}
		for _, d := range f.Decls {
			if !wanted(d, faults, name) {
				continue
			}
			taken++
			r.edits = nil
			ast.Inspect(d, func(n ast.Node) bool {
				if s, ok := n.(*ast.GoStmt); ok {
					r.edits = append(r.edits, edit{r.offset(s.Go), len("go "), "runtime.Go("}, edit{r.offset(s.Call.Lparen), 2, ")"})
				}
				return true
			})
			// The edits apply to the text of the whole file. The declaration is then cut out of the edited text.
			whole := r.apply(text)
			grown := len(whole) - len(text)
			out += whole[r.offset(d.Pos()):r.offset(d.End())+grown] + "\n\n"
		}
	}
	if taken < 18 || len(faults[brokenFiles[0]]) < 5 || len(faults[brokenFiles[1]]) < 6 {
		return "", fmt.Errorf("%d declarations and %v faults in the tests of kernel", taken, faults)
	}
	out += "func init() {\n\tfilterFaults = []string{string(" + strings.Join(faults[brokenFiles[0]], "), string(") + ")}\n"
	out += "\trecyclingFaults = []string{string(" + strings.Join(faults[brokenFiles[1]], "), string(") + ")}\n"
	out += `	newBrokenFilter = func(f string, g bloomproof.Geometry) adder {
		return &brokenFilter{fault: fault(f), g: g, words: make([]atomic.Uint64, (g.M+63)/64)}
	}
	newBrokenRecycling = func(f string, g bloomproof.Geometry, most uint64, onRecycle func(kernel.CycleState)) observer {
		return &brokenRecycling{fault: fault(f), g: g, most: most, onRecycle: onRecycle, words: make([]atomic.Uint64, (g.M+63)/64)}
	}
}
`
	return out, nil
}

// The function "wanted" reports whether the declaration d is to be taken from a test file. It also adds the names of
// the faults in d to the map "faults".
func wanted(d ast.Decl, faults map[string][]string, file string) (take bool) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil {
			t := d.Recv.List[0].Type
			if p, ok := t.(*ast.StarExpr); ok {
				t = p.X
			}
			id, ok := t.(*ast.Ident)
			if !ok {
				return false
			}
			name = id.Name
		}
		return slices.Contains(brokenNames, name)
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				take = take || slices.Contains(brokenNames, s.Name.Name)
			case *ast.ValueSpec:
				if id, ok := s.Type.(*ast.Ident); ok && id.Name == "fault" {
					take = true
					if s.Names[0].Name != "faultless" {
						faults[file] = append(faults[file], s.Names[0].Name)
					}
				}
			}
		}
	}
	return take
}
