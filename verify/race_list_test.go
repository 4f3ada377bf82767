package verify_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

// mayStart matches the text of every file that has a go statement, and of some others.
var mayStart = regexp.MustCompile(`\bgo\s`)

// make race leaves out packages in whose tests no goroutine starts, which .ci/race finds by lines
// that begin with a go statement. So every go statement of the module begins a line, and packages
// whose filters, simulations and examinations run goroutines are on its list.
func TestRaceList(t *testing.T) {
	longtest.Only(t, "it holds a list that make race reads")
	if runtime.GOOS == "windows" {
		t.Skip("it reads the sources, which are the same everywhere")
	}
	script, err := os.ReadFile("../.ci/race")
	if err != nil {
		t.Fatal(err)
	}
	only := map[string]*regexp.Regexp{} // which tests of a directory run, if not all
	for _, m := range regexp.MustCompile(`(?m)^  \[\$module/(.+)\]='(.+)'$`).FindAllStringSubmatch(string(script), -1) {
		only[filepath.Join("..", filepath.FromSlash(m[1]))] = regexp.MustCompile(m[2])
	}
	if len(only) == 0 {
		t.Fatal("the names of tests in .ci/race are not found")
	}
	statements := 0
	err = filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || path == "../bench" || strings.HasPrefix(d.Name(), ".") && path != ".."):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !mayStart.Match(text) {
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		lines := strings.Split(string(text), "\n")
		isTest := regexp.MustCompile(`^(Test|Example)`)
		runs, function := only[filepath.Dir(path)], ""
		ast.Inspect(file, func(n ast.Node) bool {
			switch s := n.(type) {
			case *ast.FuncDecl:
				function = s.Name.Name
			case *ast.GoStmt:
				statements++
				if strings.HasSuffix(path, "_test.go") && runs != nil && isTest.MatchString(function) && !runs.MatchString(function) {
					t.Errorf("%s: .ci/race leaves out %s, which has a go statement", path, function)
				}
				if at := files.Position(s.Go); !strings.HasPrefix(strings.TrimSpace(lines[at.Line-1]), "go ") {
					t.Errorf("%v: .ci/race does not see a go statement that begins no line", at)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || statements < 10 {
		t.Fatalf("%d go statements, %v", statements, err)
	}
	out, err := exec.Command("bash", "../.ci/race", "-list").Output()
	if err != nil {
		t.Fatal(err)
	}
	listed := strings.Fields(string(out))
	const module = "github.com/bloomproof/bloomproof/"
	for _, path := range []string{"kernel", "verify", "verify/conform", "verify/claims", "verify/sim", "verify/model", "verify/internal/mutant", "cmd/bloomproof", "fuzz"} {
		if !slices.Contains(listed, module+path) {
			t.Errorf("make race leaves out %s", path)
		}
	}
	if slices.Contains(listed, module+"exact") {
		t.Error("make race runs exact, in whose tests no goroutine starts")
	}
}

// make test-long has every package whose tests ask longtest how much to do, and make purego every package that has
// files for one value of the tag alone; both leave out what is the same as in make test.
func TestOnlyList(t *testing.T) {
	longtest.Only(t, "it lists all packages three times")
	const module = "github.com/bloomproof/bloomproof"
	uses := map[string][]string{"long": nil, "purego": nil} // packages
	tools := regexp.MustCompile(`^` + module + `/verify/(proof|internal/tools)/`)
	asks, tagged := regexp.MustCompile(`(?m)^\t"`+module+`/verify/longtest"$`), regexp.MustCompile(`(?m)^//go:build .*\bpurego\b`)
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || path == "../bench" || strings.HasPrefix(d.Name(), ".") && path != ".."):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(module+"/"+strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "../"), "/..")
		if asks.Match(text) && strings.HasSuffix(path, "_test.go") && !tools.MatchString(name) { // make test-tools-long has the tools
			uses["long"] = append(uses["long"], name)
		}
		if tests, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*_test.go")); err == nil && len(tests) > 0 && tagged.Match(text) {
			uses["purego"] = append(uses["purego"], name)
		}
		return nil
	})
	if err != nil || len(uses["long"]) < 60 || len(uses["purego"]) < 5 {
		t.Fatalf("%v, %v", err, uses)
	}
	for kind, other := range map[string]string{"long": "approx/internal/ref", "purego": "exact"} {
		out, err := exec.Command("bash", "../.ci/only", kind, "-list").Output()
		if err != nil {
			t.Fatal(err)
		}
		listed := strings.Fields(string(out))
		for _, name := range uses[kind] {
			if !slices.Contains(listed, name) {
				t.Errorf(".ci/only %s leaves out %s", kind, name)
			}
		}
		if slices.Contains(listed, module+"/"+other) {
			t.Errorf(".ci/only %s has %s, which has nothing of that kind", kind, other)
		}
	}
}
