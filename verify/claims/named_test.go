package claims

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// idText finds what looks like an id of a claim, or like the beginning of some.
var idText = regexp.MustCompile(`\b(burns|fan|dozier-fp|dozier-fn)\.[a-z0-9]+([.-][a-z0-9]+)*`)

// named returns the ids and beginnings of ids in text, and those that the registry does not
// have.
func named(text string) (ids, unknown []string) {
	for _, id := range idText.FindAllString(text, -1) {
		switch {
		case slices.ContainsFunc(registered, func(c string) bool { return c == id }):
			ids = append(ids, id)
		case !slices.ContainsFunc(registered, func(c string) bool { return strings.HasPrefix(c, id) }):
			unknown = append(unknown, id)
		}
	}
	return ids, unknown
}

var registered = func() (ids []string) {
	for _, c := range All() {
		ids = append(ids, c.ID)
	}
	return ids
}()

// anyName finds files in which idText may find something.
var anyName = regexp.MustCompile(`(burns|fan|dozier-fp|dozier-fn)\.`)

// looksAsked reports whether TestTestsNameTheirClaims looks at a file.
func looksAsked(path string) bool {
	dir := filepath.ToSlash(filepath.Dir(path))
	return strings.HasSuffix(path, "_test.go") && (dir == "../../verify" || dir == "../../verify/claims")
}

// source is one parsed file of the module.
type source struct {
	path string
	file *ast.File
}

func sources(t *testing.T) []source {
	t.Helper()
	all, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var parsed = sync.OnceValues(func() (all []source, err error) {
	root := filepath.Join("..", "..")
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && path != root && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")) {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || !looksAsked(path) && !anyName.Match(text) {
			return err // neither test looks at it, and parsing takes longer than both
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ParseComments|parser.SkipObjectResolution)
		all = append(all, source{path, f})
		return err
	})
	return all, err
})

// Claims that the module's comments and tests name are in the registry.
func TestNamedClaimsExist(t *testing.T) {
	found := 0
	for _, s := range sources(t) {
		check := func(text string) {
			ids, unknown := named(text)
			found += len(ids)
			for _, id := range unknown {
				t.Errorf("%s: no claim %s", s.path, id)
			}
		}
		for _, c := range s.file.Comments {
			check(c.Text())
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && !strings.Contains(l.Value, "no such") {
				check(l.Value)
			}
			return true
		})
	}
	if found < 500 {
		t.Errorf("%d names of claims found", found)
	}
}

// A test of package verify or of this one that runs a property, or asks for numbers of exact
// or approx, names the claims that it checks: in ids that it is given, or after "Claims:" at
// the end of its comment, which says why where it is none. Every claim has a check of its
// own besides, which TestRegistry demands and TestClaims runs.
func TestTestsNameTheirClaims(t *testing.T) {
	tests := 0
	held := map[string]bool{}
	for _, s := range sources(t) {
		if !looksAsked(s.path) {
			continue
		}
		for _, decl := range s.file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(f.Name.Name, "Test") {
				continue
			}
			var ids []string
			asks := false
			ast.Inspect(f.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BasicLit:
					some, _ := named(n.Value)
					ids = append(ids, some...)
				case *ast.SelectorExpr:
					x, ok := n.X.(*ast.Ident)
					if ok && (strings.HasPrefix(x.Name, "exact") || strings.HasPrefix(x.Name, "approx") || x.Name == "prop") {
						asks = true
					}
				case *ast.CallExpr:
					if g, ok := n.Fun.(*ast.Ident); ok && g.Name == "examine" {
						asks = true
					}
				}
				return true
			})
			_, after, said := strings.Cut(f.Doc.Text(), "Claims: ")
			if said {
				some, _ := named(after)
				if ids = append(ids, some...); len(some) == 0 && (!strings.HasPrefix(after, "none") || len(after) < 12) {
					t.Errorf("%s: %s says %q after Claims:, which is neither ids nor none and why", s.path, f.Name.Name, after)
				}
			}
			if !asks {
				continue
			}
			if tests++; len(ids) == 0 && !said {
				t.Errorf("%s: %s checks numbers and names no claim", s.path, f.Name.Name)
			}
			for _, id := range ids {
				held[id] = true
			}
		}
	}
	t.Logf("%d tests name %d of %d claims", tests, len(held), len(registered))
	if tests < 30 || len(held) < 50 {
		t.Errorf("%d tests name %d claims", tests, len(held))
	}
}

// What looks like an id and is none is told from one, and from the beginning of some.
func TestNamedTells(t *testing.T) {
	ids, unknown := named("burns.thm15.upper, burns.thm15 and " + "burns." + "eq999, see fan.thm2.")
	if !slices.Equal(ids, []string{"burns.thm15.upper", "fan.thm2"}) || !slices.Equal(unknown, []string{"burns." + "eq999"}) {
		t.Errorf("%v, %v", ids, unknown)
	}
}
