package main

import (
	"go/ast"
	"go/doc"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/internal/accuracy"
)

// unattacked are the exported functions that state an error and have no target, and why.
var unattacked = map[string]string{
	"recycling.Cycle.Bound": "it is the bound; verify.TestCycleBoundsDerivedTwice computes it again",
	"recycling.Cycle.Fluid": "its error is an order, without a factor: approx/recycling.TestFluid",
	"fnr.Least":             "its rate is that of Predict, for the filter that it finds",
	"fnr.LeastBits":         "its rate is that of Predict, for the filter that it finds",
}

// TestEveryErrorHasATarget finds every exported function and method of approx and the packages below it whose comment
// states an error, and demands a target for it and a row of shares.txt.
func TestEveryErrorHasATarget(t *testing.T) {
	if testing.Short() {
		return // go list may compile packages
	}
	targets := map[string]bool{}
	for _, x := range accuracy.Targets() {
		targets[x.Name] = true
	}
	known, err := records()
	if err != nil {
		t.Fatal(err)
	}
	list, err := exec.Command("go", "list", "-deps", "-export", "-f", "{{.ImportPath}} {{.Export}}", "../../../../approx/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	compiled := map[string]string{}
	for line := range strings.Lines(string(list)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		compiled[path] = file
	}
	load := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(compiled[path]) })
	found := 0
	for _, dir := range []string{"", "/recycling", "/fnr"} {
		for _, name := range statesError(t, load, "github.com/bloomproof/bloomproof/approx"+dir, "../../../../approx"+dir) {
			found++
			if _, excused := unattacked[name]; excused {
				continue
			}
			if !targets[name] {
				t.Errorf("%s states an error, but no target attacks it", name)
			}
			if _, ok := known[name]; !ok {
				t.Errorf("shares.txt has no row for %s: go run ./verify/internal/tools/sweep -attack 2000", name)
			}
			delete(targets, name)
		}
	}
	for name := range targets {
		t.Errorf("%s is a target, but states no error", name)
	}
	if found < 25 {
		t.Errorf("only %d functions were found", found)
	}
}

// statesError returns the exported functions and methods of a package whose comments have a label Error that is not
// "none". The names come from the type checker, the comments from the source.
func statesError(t *testing.T, load types.Importer, path, dir string) (names []string) {
	t.Helper()
	files := token.NewFileSet()
	packages, err := parser.ParseDir(files, dir, func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	comments := map[string]string{}
	for _, p := range packages {
		var all []*ast.File
		for _, f := range p.Files {
			all = append(all, f)
		}
		d, err := doc.NewFromFiles(files, all, path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range d.Funcs {
			comments[f.Name] = f.Doc
		}
		for _, x := range d.Types {
			for _, f := range x.Funcs {
				comments[f.Name] = f.Doc
			}
			for _, f := range x.Methods {
				comments[x.Name+"."+f.Name] = f.Doc
			}
		}
	}
	checked, err := load.Import(path)
	if err != nil {
		t.Fatal(err)
	}
	label := regexp.MustCompile(`(?m)^Error(, Cost)?: (.*)`)
	add := func(name string) {
		if m := label.FindStringSubmatch(comments[name]); m != nil && !strings.HasPrefix(m[2], "none") {
			names = append(names, checked.Name()+"."+name)
		}
	}
	for _, name := range checked.Scope().Names() {
		switch x := checked.Scope().Lookup(name).(type) {
		case *types.Func:
			if x.Exported() {
				add(name)
			}
		case *types.TypeName:
			methods := types.NewMethodSet(types.NewPointer(x.Type()))
			for i := range methods.Len() {
				if f := methods.At(i).Obj(); x.Exported() && f.Exported() {
					add(name + "." + f.Name())
				}
			}
		}
	}
	return names
}

// Where a share of shares.txt was found it is found again: a share that moves by a fifth is a change of the error or of
// the bound that somebody must have meant.
func TestShares(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("Go may fuse products and sums on other architectures")
	}
	known, err := records()
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range accuracy.Targets() {
		r := known[x.Name]
		share, err := x.Share(r.at)
		if err != nil || !(math.Abs(share-r.share) <= r.share/5) {
			t.Errorf("%s%v: the share is %.4f, %v; shares.txt has %.4f", x.Name, r.at, share, err, r.share)
		}
	}
}

// A short search finds no share above 1, and none that exceeds the one of shares.txt by a fifth.
func TestAttack(t *testing.T) {
	known, err := records()
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range accuracy.Targets() {
		budget := 200
		if x.Small {
			budget = 12
		}
		if testing.Short() {
			budget /= 4
		}
		share, at, err := accuracy.Climb(x, 2, budget)
		if err != nil || runtime.GOARCH == "amd64" && share > 1.2*known[x.Name].share {
			t.Errorf("%s%v: a share of %.4f, %v; shares.txt has %.4f", x.Name, at, share, err, known[x.Name].share)
		}
	}
}
