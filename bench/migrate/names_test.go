package migrate

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The packages have every exported name of the libraries with the same signature, and those of their own
// that are listed here.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		ours, theirs string
		own          []string
	}{
		{"bitsandblooms", "github.com/bits-and-blooms/bloom/v3", []string{
			"(*BloomFilter).AddBatch", "(*BloomFilter).ContainsBatch", "(*BloomFilter).Geometry",
			"(*BloomFilter).Bits", "(*BloomFilter).Rate", "(*BloomFilter).Items",
		}},
		{"holiman", "github.com/holiman/bloomfilter/v2", []string{
			"(*Filter).AddBatch", "(*Filter).ContainsBatch", "(*Filter).Geometry",
			"(*Filter).Bits", "(*Filter).Rate", "(*Filter).Items",
		}},
	} {
		want := exported(t, library(t, c.theirs))
		got := exported(t, filepath.Join("../../kernel/compat", c.ours))
		if len(want) < 20 {
			t.Errorf("%s: only %d names found", c.theirs, len(want))
		}
		row := fmt.Sprintf("| `%s` | `kernel/compat/%s` | %d of %[3]d |", strings.TrimPrefix(c.theirs, "github.com/"), c.ours, len(want))
		if !strings.Contains(docs(t), row) {
			t.Errorf("docs/migration.md lacks %q", row)
		}
		for _, name := range c.own {
			if got[name] == "" || want[name] != "" {
				t.Errorf("%s: %s is not its own", c.ours, name)
			}
			want[name] = got[name]
		}
		names := maps.Clone(want)
		maps.Copy(names, got)
		for _, name := range slices.Sorted(maps.Keys(names)) {
			if got[name] != want[name] {
				t.Errorf("%s: %s is %q, want %q", c.ours, name, got[name], want[name])
			}
		}
	}
}

// library returns the folder of a library's source.
func library(t *testing.T, path string) string {
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(dir))
}

func docs(t *testing.T) string {
	page, err := os.ReadFile("../../docs/migration.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// exported returns the exported names of the package in dir: functions and methods with
// their signatures, others with their kind.
func exported(t *testing.T, dir string) map[string]string {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				name := d.Name.Name
				if !d.Name.IsExported() {
					continue
				}
				if d.Recv != nil {
					if !ast.IsExported(strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*")) {
						continue
					}
					name = fmt.Sprintf("(%s).%s", types.ExprString(d.Recv.List[0].Type), name)
				}
				plain := *d.Type
				plain.Params, plain.Results = unnamed(d.Type.Params), unnamed(d.Type.Results)
				names[name] = types.ExprString(&plain)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						if s.Name.IsExported() {
							names[s.Name.Name] = "type"
						}
					case *ast.ValueSpec:
						for i, n := range s.Names {
							if n.IsExported() {
								names[n.Name] = d.Tok.String() + " " + types.ExprString(s.Values[i])
							}
						}
					}
				}
			}
		}
	}
	return names
}

// unnamed returns the types of the list, one each.
func unnamed(list *ast.FieldList) *ast.FieldList {
	if list == nil {
		return nil
	}
	out := new(ast.FieldList)
	for _, f := range list.List {
		for range max(1, len(f.Names)) {
			out.List = append(out.List, &ast.Field{Type: f.Type})
		}
	}
	return out
}

// docs/migration.md shows the body of the example.
func TestPage(t *testing.T) {
	page := docs(t)
	source, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(source), "func Example() {\n")
	body = strings.ReplaceAll("\n"+strings.TrimSuffix(body, "}\n"), "\n\t", "\n")
	if body = strings.TrimSpace(body); body == "" || !strings.Contains(page, "```go\n"+body+"\n```") {
		t.Error("docs/migration.md does not show the body of Example")
	}
}
