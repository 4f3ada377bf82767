package fuzz

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

// declared returns the targets of the module, each as its name and its directory.
func declared(t *testing.T) []string {
	found := map[string]bool{}
	top := os.DirFS("..")
	err := fs.WalkDir(top, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && name != "." {
			if _, err := fs.Stat(top, path.Join(name, "go.mod")); err == nil || strings.HasPrefix(entry.Name(), ".") {
				return fs.SkipDir // another module, or no package
			}
		}
		if !strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := fs.ReadFile(top, name)
		for _, m := range regexp.MustCompile(`(?m)^func (Fuzz\w*)\(\w+ \*testing\.F\)`).FindAllSubmatch(text, -1) {
			if string(m[1]) != "FuzzUnexamined" { // a broken subject that a test runs
				found[string(m[1])+" "+path.Dir(name)] = true
			}
		}
		return err
	})
	if err != nil || len(found) == 0 {
		t.Fatalf("%d targets, %v", len(found), err)
	}
	return slices.Sorted(maps.Keys(found))
}

// .ci/fuzz finds every target. A shard that is left without any has nothing to do and is no
// failure; a name that is no target's is one.
func TestShards(t *testing.T) {
	longtest.Only(t, "it runs .ci/fuzz four times, which lists all packages each time; that each target has its row is tested in short runs")
	if runtime.GOOS == "windows" {
		t.Skip("no bash, as on Windows")
	}
	run := func(args ...string) (string, error) {
		text, err := exec.Command("bash", append([]string{"../.ci/fuzz"}, args...)...).CombinedOutput()
		return string(text), err
	}
	all := declared(t)
	text, err := run("-list")
	var listed []string
	for line := range strings.Lines(text) {
		dir, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
		listed = append(listed, name+" "+strings.TrimPrefix(dir, "github.com/bloomproof/bloomproof/"))
	}
	slices.Sort(listed)
	if err != nil || !slices.Equal(listed, all) {
		t.Fatalf("%v, -list gives %q, there are %q", err, listed, all)
	}
	n := len(all) + 1
	if text, err := run("-shard", fmt.Sprintf("%d/%d", n, n)); err != nil || !strings.HasPrefix(text, "fuzz: nothing to do") {
		t.Errorf("a shard without targets: %v, %s", err, text)
	}
	if text, err := run("-list", "-shard", fmt.Sprintf("%d/%d", n-1, n)); err != nil || strings.Count(text, "\tFuzz") != 1 {
		t.Errorf("the last shard with a target: %v, %s", err, text)
	}
	if text, err := run("-list", "FuzzVec", "FuzzNone"); err == nil || !strings.Contains(text, "FuzzNone") {
		t.Errorf("a name that is no target's: %v, %s", err, text)
	}
}

// Every target has a row in the table of docs/fuzzing.md, and every row a target.
func TestTable(t *testing.T) {
	text, err := os.ReadFile("../docs/fuzzing.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "<!-- table by .ci/fuzz -table -->")
	table, _, _ = strings.Cut(table, "<!-- end of the table -->")
	var rows []string
	for _, m := range regexp.MustCompile("(?m)^\\| `(\\w+)` (\\S+) \\|").FindAllStringSubmatch(table, -1) {
		rows = append(rows, m[1]+" "+m[2])
	}
	slices.Sort(rows)
	if all := declared(t); !slices.Equal(rows, all) {
		t.Errorf("rows %q, targets %q: run .ci/fuzz -table", rows, all)
	}
}
