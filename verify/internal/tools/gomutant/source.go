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
	"regexp"
	"slices"
	"strings"
)

// The type pkg describes a package with code that the command changes.
type pkg struct {
	path  string // relative to the module, such as exact/internal/interval
	full  string // the import path
	dir   string
	files []*file
	other []string // Go files that this host does not build
	types *types.Package
	info  *types.Info
}

// The type "file" describes a Go file of a package.
type file struct {
	pkg    *pkg
	name   string // relative to the module, such as exact/ksum.go
	text   []byte
	syntax *ast.File
}

// The type "module" has the packages of the module.
type module struct {
	root     string
	path     string
	fset     *token.FileSet
	packages []*pkg
	tested   []testPackage
	names    *regexp.Regexp    // matches the names of the tests that are used; nil for all
	usual    bool              // true if tests run as in make test, not in their short form
	exports  map[string]string // the files with the types of packages, by import path
}

// testPackage is a package with tests.
type testPackage struct {
	path  string // the path relative to the module
	dir   string
	files []string // the files with tests
}

// The command "go list" prints a JSON object for each package. The type "listed" has some fields of this object.
type listed struct {
	ImportPath, Dir, Export, Name                      string
	DepOnly                                            bool
	Module                                             *struct{ Path string }
	GoFiles, IgnoredGoFiles, TestGoFiles, XTestGoFiles []string
}

// The argument "root" is the folder of the module. The function "load" reads those packages of the module that match
// the patterns, and their types. It also finds all packages that have tests.
func load(root string, patterns []string) (*module, error) {
	m := &module{root: root, fset: token.NewFileSet(), exports: map[string]string{}}
	all, err := m.list("./...", "os", "strconv", "syscall") // chooser needs the last two
	if err != nil {
		return nil, err
	}
	wanted := map[string]bool{}
	some, err := m.list(patterns...)
	if err != nil {
		return nil, err
	}
	for _, p := range some {
		wanted[p.ImportPath] = !p.DepOnly
	}
	for _, p := range all {
		m.exports[p.ImportPath] = p.Export
		if p.DepOnly || p.Module == nil {
			continue
		}
		m.path = p.Module.Path
		below := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, m.path), "/")
		if tests := append(p.TestGoFiles, p.XTestGoFiles...); len(tests) > 0 {
			m.tested = append(m.tested, testPackage{below, p.Dir, tests})
		}
		if !wanted[p.ImportPath] {
			continue
		}
		one := &pkg{path: below, full: p.ImportPath, dir: p.Dir, other: p.IgnoredGoFiles}
		for _, name := range p.GoFiles {
			path := filepath.Join(p.Dir, name)
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			f := &file{pkg: one, name: filepath.ToSlash(filepath.Join(below, name)), text: text}
			if f.syntax, err = parser.ParseFile(m.fset, path, text, parser.ParseComments|parser.SkipObjectResolution); err != nil {
				return nil, err
			}
			one.files = append(one.files, f)
		}
		one.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
		var syntax []*ast.File
		for _, f := range one.files {
			syntax = append(syntax, f.syntax)
		}
		one.types, err = m.config(nil).Check(one.full, m.fset, syntax, one.info)
		if err != nil {
			return nil, err
		}
		m.packages = append(m.packages, one)
	}
	if len(m.packages) == 0 {
		return nil, fmt.Errorf("no package matches %q", patterns)
	}
	return m, nil
}

// The method "limit" removes tests from m. The package of each remaining test matches one of the patterns. The name of
// each remaining test matches the regular expression in the argument "names".
func (m *module) limit(patterns []string, names *regexp.Regexp) error {
	m.names = names
	some, err := m.list(patterns...)
	if err != nil {
		return err
	}
	wanted := map[string]bool{}
	for _, p := range some {
		wanted[p.Dir] = !p.DepOnly
	}
	m.tested = slices.DeleteFunc(m.tested, func(p testPackage) bool { return !wanted[p.dir] })
	return nil
}

// The method "config" returns the configuration of the type checker. The function "complain" is called for each error.
// If it is nil, only the first error is reported.
func (m *module) config(complain func(error)) *types.Config {
	return &types.Config{Error: complain, Importer: importer.ForCompiler(m.fset, "gc", func(path string) (io.ReadCloser, error) {
		if m.exports[path] == "" {
			return nil, fmt.Errorf("no types of %s", path)
		}
		return os.Open(m.exports[path])
	})}
}

func (m *module) list(patterns ...string) (out []listed, err error) {
	args := append([]string{"list", "-deps", "-export", "-json=ImportPath,Dir,Export,Name,DepOnly,Module,GoFiles,IgnoredGoFiles,TestGoFiles,XTestGoFiles"}, patterns...)
	text, err := m.command("go", args...).Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("go list: %w\n%s", err, exit.Stderr)
		}
		return nil, err
	}
	for dec := json.NewDecoder(bytes.NewReader(text)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
}

func (m *module) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = m.root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	return cmd
}
