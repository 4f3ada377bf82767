package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/bloomproof/bloomproof/verify/internal/tools/campaign"
)

// A unit is a set of mutants in the same test binaries. Mutants that do not compile are left out. Each changed function
// begins with a choice between the original code and its changed copies. The choice depends on an environment variable
// that is read when the binary starts.
type unit struct {
	*module
	mutants []*mutant // those that compile
	refused []*mutant // those that do not
	overlay string
}

// These environment variables control a test binary with mutants.
const (
	envEntry   = "GOMUTANT_ENTRY"
	envSeconds = "GOMUTANT_SECONDS" // CPU seconds after which the system kills the process
)

// The function "chooser" returns the text of the Go file that is added to a package with mutants.
func chooser(name string) string {
	return "package " + name + "\n\nimport (\n\t\"os\"\n\t\"strconv\"\n\t\"syscall\"\n)\n\n" +
		"// The variable is set before those that call functions which ask for it.\n" +
		"var gomutantEntry = func() int {\n\tn, _ := strconv.Atoi(os.Getenv(\"" + envEntry + "\"))\n\treturn n\n}()\n\n" +
		"func init() {\n\t" + campaign.Limit(envSeconds) + "\n}\n"
}

// The function "build" writes the files of a unit into the folder dir. It leaves out mutants that do not compile.
func build(m *module, dir string, mutants []*mutant) (*unit, error) {
	u := &unit{module: m}
	for i, mu := range mutants {
		mu.number = i + 1
	}
	replace := map[string]string{}
	for _, p := range m.packages {
		mine := []*mutant{}
		for _, mu := range mutants {
			if mu.file.pkg == p {
				mine = append(mine, mu)
			}
		}
		if len(mine) == 0 {
			continue
		}
		mine, files, err := u.compiling(p, mine)
		if err != nil {
			return nil, err
		}
		u.mutants = append(u.mutants, mine...)
		files["gomutant_chooser.go"] = chooser(p.types.Name())
		for name, text := range files {
			path := filepath.Join(dir, strings.ReplaceAll(p.path, "/", "_")+"_"+name)
			replace[filepath.Join(p.dir, name)] = path
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				return nil, err
			}
		}
	}
	var err error
	u.overlay, err = campaign.Overlay(dir, replace)
	return u, err
}

// The method "compiling" returns those mutants of a package that compile. It also returns the package's files with
// these mutants in them.
func (u *unit) compiling(p *pkg, mutants []*mutant) ([]*mutant, map[string]string, error) {
	for range 20 {
		fset := token.NewFileSet()
		files, owner := map[string]string{}, map[string]map[int]*mutant{}
		var syntax []*ast.File
		bad := map[*mutant]bool{}
		var complaint error
		complain := func(at token.Position, err error) {
			if m := owner[at.Filename][at.Line]; m != nil {
				bad[m] = true
			} else if complaint == nil {
				complaint = err
			}
		}
		for _, f := range p.files {
			name := filepath.Base(f.name)
			text, lines := f.with(mutants)
			owner[name] = lines
			parsed, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution|parser.AllErrors)
			var list scanner.ErrorList
			if errors.As(err, &list) {
				for _, e := range list {
					complain(e.Pos, e)
				}
			}
			syntax = append(syntax, parsed)
			if text != string(f.text) {
				files[name] = text
			}
		}
		if len(bad) == 0 {
			text, err := parser.ParseFile(fset, "gomutant_chooser.go", chooser(p.types.Name()), 0)
			if err != nil {
				return nil, nil, err
			}
			config := u.config(func(err error) {
				var e types.Error
				if errors.As(err, &e) {
					complain(fset.Position(e.Pos), err)
				}
			})
			_, _ = config.Check(p.full, fset, append(syntax, text), nil) // errors are collected by complain
		}
		if len(bad) == 0 {
			return mutants, files, complaint
		}
		for m := range bad {
			u.refused = append(u.refused, m)
		}
		mutants = slices.DeleteFunc(mutants, func(m *mutant) bool { return bad[m] })
	}
	return nil, nil, fmt.Errorf("%s: the compiler never agrees", p.path)
}

// The method "with" adds all given mutants of a file to the text of this file. It returns the new text. The new text
// includes the changed code of the mutants. For each line of changed code, the map "lines" gives the mutant.
func (f *file) with(mutants []*mutant) (text string, lines map[int]*mutant) {
	type edit struct {
		from, to int
		now      string
	}
	var edits []edit
	var copies strings.Builder
	lines = map[int]*mutant{}
	of := map[*ast.FuncDecl][]*mutant{}
	for _, m := range mutants {
		if m.file == f {
			of[m.function] = append(of[m.function], m)
		}
	}
	line := strings.Count(string(f.text), "\n") + 1
	for _, d := range f.syntax.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || len(of[fn]) == 0 {
			continue
		}
		at := func(n ast.Node) int { from, _ := f.span(n); return from }
		// Every parameter gets a name, so that it can be passed on.
		var args []string
		give := func(list *ast.FieldList) {
			if list == nil {
				return
			}
			for _, field := range list.List {
				more := ""
				if _, ok := field.Type.(*ast.Ellipsis); ok {
					more = "..."
				}
				for _, id := range field.Names {
					name := id.Name
					if name == "_" {
						name = fmt.Sprintf("gomutantArg%d", len(edits))
						edits = append(edits, edit{at(id), at(id) + 1, name})
					}
					args = append(args, name+more)
				}
				if len(field.Names) == 0 {
					name := fmt.Sprintf("gomutantArg%d", len(edits))
					edits = append(edits, edit{at(field.Type), at(field.Type), name + " "})
					args = append(args, name+more)
				}
			}
		}
		prefix := ""
		give(fn.Recv)
		if fn.Recv != nil {
			prefix, args = args[0]+".", nil
		}
		give(fn.Type.Params)
		generic := ""
		if fn.Type.TypeParams != nil {
			var names []string
			for _, field := range fn.Type.TypeParams.List {
				for _, id := range field.Names {
					names = append(names, id.Name)
				}
			}
			generic = "[" + strings.Join(names, ", ") + "]"
		}
		var choice strings.Builder
		choice.WriteString(" switch gomutantEntry {")
		from, to := f.span(fn)
		name := at(fn.Name)
		for _, m := range of[fn] {
			symbol := fn.Name.Name + "_gomutant" + strconv.Itoa(m.number)
			call := fmt.Sprintf("%s%s%s(%s)", prefix, symbol, generic, strings.Join(args, ", "))
			if fn.Type.Results != nil {
				fmt.Fprintf(&choice, " case %d: return %s;", m.number, call)
			} else {
				fmt.Fprintf(&choice, " case %d: %s; return;", m.number, call)
			}
			copied := string(f.text[from:name]) + symbol + string(f.text[name+len(fn.Name.Name):m.from]) + m.now + string(f.text[m.to:to])
			copies.WriteString("\n" + copied)
			for range strings.Count(copied, "\n") + 1 {
				line++
				lines[line] = m
			}
		}
		choice.WriteString(" }; ")
		body := at(fn.Body) + 1
		edits = append(edits, edit{body, body, choice.String()})
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	var b strings.Builder
	last := 0
	for _, e := range edits {
		b.Write(f.text[last:e.from])
		b.WriteString(e.now)
		last = e.to
	}
	b.Write(f.text[last:])
	b.WriteString(copies.String())
	return b.String(), lines
}
