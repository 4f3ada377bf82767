package exported

import (
	"flag"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
)

var update = flag.Bool("update", false, "write docs/api.txt")

// frozen are the packages whose exported names a user may rely on: all that can be
// imported but those that serve the module itself.
var frozen = []string{".", "approx", "approx/fnr", "approx/recycling", "exact", "exact/fnr", "exact/recycling", "kernel", "kernel/compat/bip37", "kernel/compat/bitsandblooms", "kernel/compat/guava", "kernel/compat/holiman", "kernel/compat/parquet", "kernel/compat/redisbloom", "verify", "verify/claims", "verify/conform", "verify/like", "verify/selftest", "verify/sim", "verify/stat", "verify/trace"}

// ownUse are packages that can be imported, since others of the module do, and promise
// nothing.
var ownUse = []string{"kernel/asm", "kernel/asm/asmtest", "kernel/host", "kernel/vec", "verify/longtest", "verify/model"}

const apiHeading = `# The exported names of the packages that users build on. A test holds this list to the code;
# after a change that is meant, write it anew: go test ./verify/internal/tools/exported -run TestAPI -update
# Not on it, and free to change in any release: ` + "%s.\n"

const module = "github.com/bloomproof/bloomproof"

// root is the folder of the module, seen from this one.
const root = "../../../../"

// The function "importable" returns the import paths of the packages that users can import, and a function that returns
// their types from what the compiler exported. The go command runs twice for all tests. It compiles no program.
func importable() ([]string, func(path string) (*types.Package, error), error) {
	paths, err := listImportable()
	if err != nil {
		return nil, nil, err
	}
	exports, err := listExports()
	if err != nil {
		return nil, nil, err
	}
	load := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	return paths, load.Import, nil
}

var listImportable = sync.OnceValues(func() (paths []string, err error) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{.Name}}", module+"/...").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for line := range strings.Lines(string(out)) {
		path, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name != "main" && !strings.Contains(path+"/", "/internal/") {
			paths = append(paths, path)
		}
	}
	return paths, nil
})

var listExports = sync.OnceValues(func() (map[string]string, error) {
	paths, err := listImportable()
	if err != nil {
		return nil, err
	}
	out, err := exec.Command("go", append([]string{"list", "-deps", "-export", "-f", "{{.ImportPath}} {{.Export}}"}, paths...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("go list -export: %w", err)
	}
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		exports[path] = file
	}
	return exports, nil
})

// TestAPI holds docs/api.txt to what the packages export, as the compiler sees it.
func TestAPI(t *testing.T) {
	packages, load, err := importable()
	if err != nil {
		t.Fatal(err)
	}
	for _, importPath := range packages {
		path := strings.TrimPrefix(strings.TrimPrefix(importPath, module), "/")
		if path == "" {
			path = "."
		}
		if path != "fuzz" && slices.Contains(frozen, path) == slices.Contains(ownUse, path) {
			t.Errorf("package %s can be imported: it belongs into one of frozen and ownUse", path)
		}
	}
	text := fmt.Sprintf(apiHeading, strings.Join(ownUse, ", "))
	for _, path := range frozen {
		pkg, err := load(strings.TrimSuffix(module+"/"+path, "/."))
		if err != nil {
			t.Fatal(err)
		}
		text += "\n" + pkg.Path() + "\n" + strings.Join(api(pkg), "\n") + "\n"
	}
	const page = root + "docs/api.txt"
	if *update {
		if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	listed, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.ReplaceAll(string(listed), "\r\n", "\n"), "\n")
	got := strings.Split(text, "\n")
	if slices.Equal(got, want) {
		return
	}
	for _, line := range got {
		if !slices.Contains(want, line) {
			t.Errorf("not in %s: %s", page, line)
		}
	}
	for _, line := range want {
		if !slices.Contains(got, line) {
			t.Errorf("no longer so: %s", line)
		}
	}
	t.Errorf("%s is not what is exported. Is each new name needed outside its package? Then: go test ./verify/internal/tools/exported -run TestAPI -update", page)
}

// api returns one line for every exported constant, variable, function, type, field and
// method of a package, promoted ones included, sorted by the name they belong to.
func api(pkg *types.Package) []string {
	short := func(p *types.Package) string {
		if p == pkg {
			return ""
		}
		return p.Name()
	}
	var out []string
	add := func(format string, args ...any) { out = append(out, "\t"+fmt.Sprintf(format, args...)) }
	for _, name := range pkg.Scope().Names() { // sorted
		o := pkg.Scope().Lookup(name)
		if !o.Exported() {
			continue
		}
		switch o := o.(type) {
		case *types.Const:
			add("const %s %s = %s", name, types.TypeString(o.Type(), short), o.Val())
		case *types.TypeName:
			members(o, short, add)
		default:
			add("%s", types.ObjectString(o, short))
		}
	}
	return out
}

// members adds a type with its exported fields and methods.
func members(o *types.TypeName, short types.Qualifier, add func(string, ...any)) {
	name := types.TypeString(o.Type(), short) // with its type parameters
	if o.IsAlias() {
		add("type %s = %s", name, types.TypeString(types.Unalias(o.Type()), short))
		return
	}
	switch u := o.Type().Underlying().(type) {
	case *types.Struct:
		add("type %s struct", name)
		for f := range u.Fields() {
			switch {
			case f.Exported() && f.Embedded():
				add("type %s struct, embedded %s", name, types.TypeString(f.Type(), short))
			case f.Exported():
				add("type %s struct, %s %s", name, f.Name(), types.TypeString(f.Type(), short))
			}
		}
	case *types.Interface:
		sealed := ""
		for m := range u.Methods() {
			if !m.Exported() {
				sealed = ", sealed"
			}
		}
		add("type %s interface%s", name, sealed)
		for m := range u.Methods() {
			if m.Exported() {
				add("type %s interface, %s%s", name, m.Name(), signature(m, short))
			}
		}
		return
	default:
		add("type %s %s", name, types.TypeString(u, short))
	}
	values := types.NewMethodSet(o.Type())
	for s := range types.NewMethodSet(types.NewPointer(o.Type())).Methods() {
		if !s.Obj().Exported() {
			continue
		}
		of := name
		if values.Lookup(nil, s.Obj().Name()) == nil {
			of = "*" + name
		}
		add("method (%s) %s%s", of, s.Obj().Name(), signature(s.Obj(), short))
	}
}

func signature(o types.Object, short types.Qualifier) string {
	return strings.TrimPrefix(types.TypeString(o.Type(), short), "func")
}
