package verify_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// make race leaves out packages in whose tests no goroutine starts, which .ci/race finds by lines
// that begin with a go statement. So every go statement of the module begins a line, and packages
// whose filters, simulations and examinations run goroutines are on its list.
func TestRaceList(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("it reads the sources, which are the same everywhere")
	}
	statements := 0
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
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		lines := strings.Split(string(text), "\n")
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.GoStmt); ok {
				statements++
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
