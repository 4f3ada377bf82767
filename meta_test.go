package bloomproof_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/bloomproof/bloomproof"

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// field returns the value of a top-level key of CITATION.cff.
func field(t *testing.T, cff, key string) string {
	t.Helper()
	m := regexp.MustCompile(`(?m)^` + key + `: (.+)$`).FindStringSubmatch(cff)
	if m == nil {
		t.Fatalf("CITATION.cff has no %s", key)
	}
	return strings.Trim(m[1], `"`)
}

// The citation names the version and the date that head the changelog, the licence of LICENSE, and
// the four papers, and has what CFF 1.2.0 requires.
func TestCitation(t *testing.T) {
	cff := read(t, "CITATION.cff")
	for key, pattern := range map[string]string{
		"cff-version":     `^1\.2\.0$`,
		"message":         `.`,
		"title":           `^Bloomproof$`,
		"type":            `^software$`,
		"license":         `^BSD-3-Clause$`,
		"repository-code": `^https://`,
	} {
		if v := field(t, cff, key); !regexp.MustCompile(pattern).MatchString(v) {
			t.Errorf("%s: %q does not match %s", key, v, pattern)
		}
	}
	if !strings.HasPrefix(read(t, "LICENSE"), "BSD 3-Clause License\n\nCopyright (c) 2026, The Bloomproof Authors\n") {
		t.Error("LICENSE does not begin as the BSD 3-Clause License of The Bloomproof Authors")
	}

	version := field(t, cff, "version")
	heading := regexp.MustCompile(`(?m)^## (.*)$`).FindStringSubmatch(read(t, "CHANGELOG.md"))
	if heading == nil {
		t.Fatal("CHANGELOG.md has no heading of a version")
	}
	want := "Unreleased (" + version + ")"
	if !strings.HasSuffix(version, "-dev") {
		want = version + " - " + field(t, cff, "date-released")
	}
	if heading[1] != want {
		t.Errorf("CHANGELOG.md begins with %q, by CITATION.cff it is %q", heading[1], want)
	}

	software, references, ok := strings.Cut(cff, "\nreferences:\n")
	if !ok || !strings.Contains(software, "\nauthors:\n  - ") {
		t.Fatal("CITATION.cff lacks authors or references")
	}
	papers := strings.Split("\n"+references, "\n  - type: ")[1:]
	if len(papers) != 4 {
		t.Fatalf("CITATION.cff has %d references, want the four papers", len(papers))
	}
	for i, first := range []string{"Burns", "Fan", "Dozier", "Dozier"} {
		p := papers[i]
		if !strings.HasPrefix(p, "article\n") || !strings.Contains(p, "\n    title: ") ||
			!strings.Contains(p, "\n    authors:\n      - family-names: "+first+"\n") {
			t.Errorf("reference %d is not an article by %s with a title:\n%s", i+1, first, p)
		}
	}
}

// The README says whether the version of CITATION.cff is in development. The workflow in docs/pipe.md runs the newest
// release in CHANGELOG.md. (A test of the command compares what it prints, and .ci/release names the files by it.)
func TestVersionOfPages(t *testing.T) {
	version := field(t, read(t, "CITATION.cff"), "version")
	number, dev := strings.CutSuffix(version, "-dev")
	if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(number) {
		t.Errorf("version %s", version)
	}
	said := regexp.MustCompile(`\bVersion (\S+) is in development\b`).FindStringSubmatch(read(t, "README.md"))
	if (said != nil) != dev || dev && said[1] != number {
		t.Errorf("the version is %s, the README says %q", version, said)
	}
	released := regexp.MustCompile(`(?m)^## (\d+\.\d+\.\d+) - `).FindStringSubmatch(read(t, "CHANGELOG.md"))
	if released == nil {
		t.Fatal("CHANGELOG.md has no released version")
	}
	if page := "cmd/bloomproof@v" + released[1] + " "; !strings.Contains(read(t, "docs/pipe.md"), page) {
		t.Errorf("docs/pipe.md does not run %s", page)
	}
}

// source is a Go file; every test reads the whole module, which is parsed once.
type source struct {
	file *ast.File
	fset *token.FileSet
}

var parsed = map[string]source{}

// sources calls f for every Go file below dir.
func sources(t *testing.T, dir string, f func(path string, file *ast.File, fset *token.FileSet)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		s, ok := parsed[path]
		if !ok {
			s.fset = token.NewFileSet()
			if s.file, err = parser.ParseFile(s.fset, path, nil, parser.ParseComments|parser.SkipObjectResolution); err != nil {
				return err
			}
			parsed[path] = s
		}
		f(path, s.file, s.fset)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// formulaRooms are the packages of formulas. Others import a package of two names by both of
// them: approx/recycling as approxrecycling.
var formulaRooms = []string{"exact", "approx", "approx/recycling", "approx/fnr"}

// Every formula of exact and approx says where it comes from, where it holds, how far
// it errs, what it costs and which errors it returns; one line may serve several
// labels, as in "Error, Cost: as Upper."
func TestFormulasAreDocumented(t *testing.T) {
	labels := regexp.MustCompile(`(?m)^((?:[A-Z][a-z]+, )*[A-Z][a-z]+): `)
	checked := 0
	for _, dir := range formulaRooms {
		sources(t, dir, func(path string, file *ast.File, fset *token.FileSet) {
			if strings.HasSuffix(path, "_test.go") || filepath.Dir(path) != dir {
				return
			}
			for _, d := range file.Decls {
				f, ok := d.(*ast.FuncDecl)
				if !ok || f.Recv != nil || !f.Name.IsExported() || !isNumeric(f.Type) {
					continue
				}
				checked++
				var has []string
				for _, m := range labels.FindAllStringSubmatch(f.Doc.Text(), -1) {
					has = append(has, strings.Split(m[1], ", ")...)
				}
				for _, label := range []string{"Source", "Domain", "Error", "Cost", "Errors"} {
					if !slices.Contains(has, label) {
						t.Errorf("%s: the comment of %s has no line %q", fset.Position(f.Pos()), f.Name, label+": ...")
					}
				}
			}
		})
	}
	if checked == 0 {
		t.Error("no formula found")
	}
}

// Every formula of exact and approx is called by a test, or by the table of verify/internal/accuracy
// that tests go through: an example does not count.
func TestFormulasAreTested(t *testing.T) {
	formulas := map[string]bool{} // such as approx.Bound or approxrecycling.MostMessages
	for _, dir := range formulaRooms {
		sources(t, dir, func(path string, file *ast.File, _ *token.FileSet) {
			if strings.HasSuffix(path, "_test.go") || filepath.Dir(path) != dir {
				return
			}
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.IsExported() && isNumeric(f.Type) {
					formulas[strings.ReplaceAll(dir, "/", "")+"."+f.Name.Name] = true
				}
			}
		})
	}
	if len(formulas) < 30 { // nothing was found, or a room moved
		t.Fatalf("%d formulas", len(formulas))
	}
	for _, dir := range []string{"exact", "approx", "verify", "fuzz"} {
		sources(t, dir, func(path string, file *ast.File, _ *token.FileSet) {
			if !strings.HasSuffix(path, "_test.go") && filepath.Dir(path) != filepath.Join("verify", "internal", "accuracy") {
				return
			}
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(f.Name.Name, "Example") {
					continue
				}
				room := strings.ReplaceAll(filepath.ToSlash(filepath.Dir(path)), "/", "")
				ast.Inspect(d, func(n ast.Node) bool {
					switch n := n.(type) {
					case *ast.SelectorExpr:
						if x, ok := n.X.(*ast.Ident); ok {
							delete(formulas, x.Name+"."+n.Sel.Name)
						}
					case *ast.Ident:
						if !strings.HasSuffix(file.Name.Name, "_test") {
							delete(formulas, room+"."+n.Name)
						}
					}
					return true
				})
			}
		})
	}
	for name := range formulas {
		t.Errorf("no test calls %s", name)
	}
}

// isNumeric reports whether a function returns a number or an enclosure first.
func isNumeric(f *ast.FuncType) bool {
	if f.Results == nil {
		return false
	}
	id, ok := f.Results.List[0].Type.(*ast.Ident)
	return ok && (id.Name == "Enclosure" || id.Name == "float64")
}

// Every package says what it is for, and every exported name what it is.
func TestDocComments(t *testing.T) {
	packages := map[string]bool{}
	sources(t, ".", func(path string, file *ast.File, fset *token.FileSet) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		dir := filepath.ToSlash(filepath.Dir(path))
		packages[dir] = packages[dir] || file.Doc != nil
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && exportedReceiver(d) && d.Doc == nil && d.Body != nil {
					t.Errorf("%s: %s has no comment", fset.Position(d.Pos()), d.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if ts, ok := s.(*ast.TypeSpec); ok && ts.Name.IsExported() && d.Doc == nil && ts.Doc == nil {
						t.Errorf("%s: %s has no comment", fset.Position(ts.Pos()), ts.Name)
					}
				}
			}
		}
	})
	for dir, documented := range packages {
		if !documented {
			t.Errorf("package %s has no package comment", dir)
		}
	}
}

func exportedReceiver(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return true
	}
	x := f.Recv.List[0].Type
	for {
		switch y := x.(type) {
		case *ast.StarExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.Ident:
			return y.IsExported()
		default:
			return true
		}
	}
}

// Every go block of a page is the body of an Example, so it compiles and prints what it
// says; or it is a file, and the body of each of its functions is that of one in a test.
func TestGoBlocks(t *testing.T) {
	examples, functions := map[string]bool{}, map[string]bool{}
	bodies := func(file *ast.File, fset *token.FileSet, src string, each func(name, body string)) {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				from, to := fset.Position(f.Body.Lbrace).Offset+1, fset.Position(f.Body.Rbrace).Offset
				each(f.Name.Name, squeeze(src[from:to]))
			}
		}
	}
	sources(t, ".", func(path string, file *ast.File, fset *token.FileSet) {
		if strings.HasSuffix(path, "_test.go") {
			bodies(file, fset, read(t, path), func(name, body string) {
				functions[body] = true
				if strings.HasPrefix(name, "Example") {
					examples[body] = true
				}
			})
		}
	})
	shown := 0
	for page, text := range pages(t) {
		for _, b := range regexp.MustCompile("(?s)\n```go\n(.*?)```").FindAllStringSubmatch(text, -1) {
			shown++
			if !strings.HasPrefix(b[1], "package ") {
				if !examples[squeeze(b[1])] {
					t.Errorf("this block of %s is not the body of an Example:\n%s", page, b[1])
				}
				continue
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, page, b[1], 0)
			if err != nil {
				t.Errorf("%s: %v", page, err)
				continue
			}
			bodies(file, fset, b[1], func(name, body string) {
				if !functions[body] {
					t.Errorf("%s: no test has the body of %s:\n%s", page, name, body)
				}
			})
		}
	}
	if shown < 4 {
		t.Errorf("the pages show %d blocks of Go", shown)
	}
}

// squeeze drops the indentation of every line and empty lines around.
func squeeze(src string) string {
	lines := strings.Split(strings.TrimSpace(src), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "\n")
}

// Every numbered equation of the papers is named where it is computed, in a comment ("Burns (54)",
// "Burns (9), (10)", "Fan (21)-(23)", "Dozier-FP (18)"), or where it is decided, in the place that a
// claim gives.
func TestEquationsAreNamed(t *testing.T) {
	word := regexp.MustCompile(`\b(Burns|Fan|Dozier-FP|Dozier-FN)\b|\((\d+)\)(?:-\((\d+)\))?`)
	named := map[string]map[int]bool{"Burns": {}, "Fan": {}, "Dozier-FP": {}, "Dozier-FN": {}}
	mark := func(paper, text string) {
		for _, m := range word.FindAllStringSubmatch(text, -1) {
			if m[1] != "" {
				paper = m[1]
				continue
			}
			first, _ := strconv.Atoi(m[2])
			last := first
			if m[3] != "" {
				last, _ = strconv.Atoi(m[3])
			}
			for n := first; n <= last && paper != ""; n++ {
				named[paper][n] = true
			}
		}
	}
	for _, dir := range []string{"exact", "approx", "kernel", "verify"} {
		sources(t, dir, func(path string, file *ast.File, _ *token.FileSet) {
			if strings.HasSuffix(path, "_test.go") {
				return
			}
			for _, group := range file.Comments {
				mark("", group.Text())
			}
		})
	}
	near := regexp.MustCompile(`(after|before) \(\d+\)`)
	for paper, files := range map[string]string{"Burns": "burns_", "Fan": "fan_", "Dozier-FP": "dozier_fp_", "Dozier-FN": "dozier_fn_"} {
		sources(t, "verify/claims", func(path string, file *ast.File, _ *token.FileSet) {
			if !strings.HasPrefix(filepath.Base(path), files) {
				return
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if pair, ok := n.(*ast.KeyValueExpr); ok {
					if key, ok := pair.Key.(*ast.Ident); ok && key.Name == "Ref" {
						if place, ok := pair.Value.(*ast.BasicLit); ok {
							mark(paper, near.ReplaceAllString(place.Value, ""))
						}
					}
				}
				return true
			})
		})
	}
	for paper, last := range map[string]int{"Burns": 79, "Fan": 26, "Dozier-FP": 26, "Dozier-FN": 43} {
		for n := 1; n <= last; n++ {
			if !named[paper][n] {
				t.Errorf("no comment and no claim names %s (%d)", paper, n)
			}
		}
	}
}

// What is known of one hashing stands in files of the name hashing or layout. Elsewhere the three
// are named in known answers, in tables of figures and of subjects, and where a formula is that of
// one of them: in fewer lines than mostMentions.
func TestHashingsHaveTheirRooms(t *testing.T) {
	const mostMentions = 40
	room := regexp.MustCompile(`(^|_)(hashing|hashings|layout)(_\w+)?\.go$|_test\.go$`)
	name := regexp.MustCompile(`\bbloomproof\.(Standard|Classic|Partitioned)\b`)
	var lines []string
	sources(t, ".", func(path string, _ *ast.File, _ *token.FileSet) {
		if room.MatchString(filepath.Base(path)) {
			return
		}
		text := read(t, path)
		if !strings.Contains(text, "bloomproof.") { // as most files: a pass by the expression takes longer
			return
		}
		for i, line := range strings.Split(text, "\n") {
			if strings.Contains(line, "bloomproof.") && name.MatchString(line) {
				lines = append(lines, path+":"+strconv.Itoa(i+1))
			}
		}
	})
	if len(lines) >= mostMentions {
		t.Errorf("%d lines name a hashing:\n%s", len(lines), strings.Join(lines, "\n"))
	}
}

// What is known of blocks stands in files of the name block, blocked or layout. CONTRIBUTING.md
// lists the others that ask for the Block of a Geometry.
func TestBlocksHaveTheirRooms(t *testing.T) {
	_, section, ok := strings.Cut(read(t, "CONTRIBUTING.md"), "\n## Blocks\n")
	if !ok {
		t.Fatal("CONTRIBUTING.md has no section on blocks")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	listed := map[string]bool{}
	for _, span := range regexp.MustCompile("`([\\w/]+\\.go)`").FindAllStringSubmatch(section, -1) {
		listed[span[1]] = true
	}
	room := regexp.MustCompile(`(^|_)(block|blocked|layout)(_\w+)?\.go$|_test\.go$`)
	another := regexp.MustCompile(`^(bench|kernel/asm|kernel/host|verify/internal/tools)/`) // where it is another word, or a table
	sources(t, ".", func(path string, file *ast.File, _ *token.FileSet) {
		if room.MatchString(filepath.Base(path)) || another.MatchString(path) {
			return
		}
		asks := false
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				of, _ := n.X.(*ast.Ident)
				asks = asks || n.Sel.Name == "Block" && (of == nil || of.Name != "host")
			case *ast.KeyValueExpr:
				key, _ := n.Key.(*ast.Ident)
				asks = asks || key != nil && key.Name == "Block"
			}
			return true
		})
		if !asks {
			return
		}
		if !listed[path] {
			t.Errorf("%s asks for Block, and CONTRIBUTING.md does not list it", path)
		}
		delete(listed, path)
	})
	for path := range listed {
		t.Errorf("CONTRIBUTING.md lists %s, which does not ask for Block", path)
	}
}

// A link in a package comment, such as [Geometry] or [Filter.Add], leads to what docs/api.txt lists of the package, or to
// a package of the module. The comments of the main packages have chapters and links.
func TestPackageLinks(t *testing.T) {
	known, packages, at := map[string]bool{}, map[string]bool{}, ""
	declared := regexp.MustCompile(`^\t(?:(?:func|type|const|var) (\w+)|method \(\*?(\w+)[^)]*\) (\w+))`)
	for line := range strings.Lines(read(t, "docs/api.txt")) {
		if m := declared.FindStringSubmatch(line); m != nil {
			known[at+" "+m[1]+m[2]] = true
			known[at+" "+m[2]+"."+m[3]] = true
		} else if line != "\n" && line[0] != '\t' {
			at = strings.TrimSpace(line)
			packages[at] = true
		}
	}
	link := regexp.MustCompile(`\[(` + module + `[\w/]*|[A-Z]\w*(?:\.[A-Z]\w*)?)\]`)
	links, headings := map[string]int{}, map[string]int{}
	sources(t, ".", func(path string, file *ast.File, _ *token.FileSet) {
		if file.Doc == nil || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "bench") {
			return
		}
		name := strings.TrimSuffix(module+"/"+filepath.ToSlash(filepath.Dir(path)), "/.")
		if !packages[name] {
			return
		}
		text := file.Doc.Text()
		headings[name] += strings.Count(text, "\n# ")
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			links[name]++
			dir := "." + strings.TrimPrefix(m[1], module)
			if _, err := os.Stat(dir); strings.HasPrefix(m[1], module) && err == nil {
				continue
			}
			if !known[name+" "+m[1]] {
				t.Errorf("%s: the package comment links to [%s]", path, m[1])
			}
		}
	})
	for _, name := range []string{"", "/kernel", "/exact", "/approx", "/verify/conform"} {
		if links[module+name] < 3 || headings[module+name] < 3 {
			t.Errorf("the comment of %s has %d chapters and %d links", module+name, headings[module+name], links[module+name])
		}
	}
	if len(packages) < 10 {
		t.Errorf("docs/api.txt has %d packages", len(packages))
	}
}
