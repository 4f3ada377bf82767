package verify_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The target that docs/fuzzing.md prints works in another module: it passes a filter that
// is sound, and fails one that forgets.
func TestFuzzFilterOutside(t *testing.T) {
	longtest.Only(t, "it compiles the packages another time; TestGoBlocks compiles the target, and FuzzOurFilter and TestUnexaminedFails run such targets")
	page, err := os.ReadFile("../docs/fuzzing.md")
	if err != nil {
		t.Fatal(err)
	}
	_, target, _ := strings.Cut(string(page), "```go\npackage")
	target, _, found := strings.Cut("package"+target, "```\n")
	sum, err := os.ReadFile("../go.sum")
	if err != nil || !found {
		t.Fatal(err, "no target in docs/fuzzing.md")
	}
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	own := strings.Replace(string(mod), "module github.com/bloomproof/bloomproof", "module example.com/mine", 1) +
		"\nrequire github.com/bloomproof/bloomproof v0.0.0\nreplace github.com/bloomproof/bloomproof => " + root + "\n"
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": own, "go.sum": string(sum), "mine_test.go": target,
		"mine.go": `package mine

import "os"

type Filter struct{ keys map[string]bool }

func New(m uint64, k int) (*Filter, error) { return &Filter{map[string]bool{}}, nil }

func (f *Filter) Add(key []byte) {
	if os.Getenv("MINE") != "forgets" || len(key) != 2 {
		f.keys[string(key)] = true
	}
}

func (f *Filter) Contains(key []byte) bool { return f.keys[string(key)] }
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(dir, "mine.test")
	build := exec.Command("go", "test", "-c", "-vet=off", "-mod=mod", "-ldflags=-s -w", "-o", program)
	build.Dir = dir
	build.Env = append(os.Environ(), "GOPROXY=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, fault := range []string{"", "forgets"} {
		run := exec.Command(program)
		run.Dir = dir
		run.Env = append(os.Environ(), "MINE="+fault)
		out, err := run.CombinedOutput()
		if (err != nil) != (fault != "") || fault != "" && !strings.Contains(string(out), "got false, want true") {
			t.Errorf("fault %q: %v\n%s", fault, err, out)
		}
	}
}
