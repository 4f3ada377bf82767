package bloomproof_test

import (
	"go/ast"
	"go/token"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// pages returns the pages of documentation by their path from the top.
func pages(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && p != "." && strings.HasPrefix(d.Name(), ".") {
			return filepath.SkipDir
		}
		if filepath.Ext(p) == ".md" {
			all[filepath.ToSlash(p)] = read(t, p)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 10 {
		t.Fatalf("%d pages", len(all))
	}
	return all
}

var (
	block    = regexp.MustCompile("(?ms)^```.*?^```")
	code     = regexp.MustCompile("`[^`]*`")
	linkTo   = regexp.MustCompile(`\]\(([^()\s]+)\)|(?m)^\[[^\]]+\]:\s*(\S+)`)
	heading  = regexp.MustCompile(`(?m)^#+ +(.*?)\s*$`)
	absolute = regexp.MustCompile(`(?m)(?:^|[\s"'(=])(/(?:work|tmp|home|root|Users|mnt)/\S*)`)
)

// links returns the targets of a page's links and images, which code may not hold.
func links(text string) (to []string) {
	text = code.ReplaceAllString(block.ReplaceAllString(text, ""), "`")
	for _, m := range linkTo.FindAllStringSubmatch(text, -1) {
		to = append(to, m[1]+m[2])
	}
	return to
}

// anchors returns the names by which a page's headings can be linked to, as the usual
// renderers form them.
func anchors(text string) map[string]bool {
	all := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(block.ReplaceAllString(text, ""), -1) {
		name := strings.Map(func(r rune) rune {
			switch {
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			case r == ' ':
				return '-'
			}
			return -1
		}, regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(m[1], "$1"))
		all[name] = true
	}
	return all
}

// Every link leads somewhere: relative to its page, to a file or folder of the repository,
// and to a heading that is there. No page has a path of somebody's machine.
func TestLinks(t *testing.T) {
	all := pages(t)
	checked := 0
	for page, text := range all {
		for _, to := range links(text) {
			u, err := url.Parse(to)
			if err != nil {
				t.Errorf("%s: %s: %v", page, to, err)
				continue
			}
			if u.Scheme != "" {
				if u.Scheme != "https" && u.Scheme != "mailto" {
					t.Errorf("%s: %s is neither relative nor https", page, to)
				}
				continue
			}
			checked++
			target := page
			if u.Path != "" {
				target = path.Join(path.Dir(page), u.Path)
			}
			if _, err := os.Stat(target); err != nil || path.IsAbs(u.Path) || strings.HasPrefix(target, "..") {
				t.Errorf("%s: the link to %s leads nowhere", page, to)
			} else if u.Fragment != "" && !anchors(all[target])[u.Fragment] {
				t.Errorf("%s: %s has no heading for %s", page, target, to)
			}
		}
		if m := absolute.FindStringSubmatch(text); m != nil {
			t.Errorf("%s names a path of one machine: %s", page, m[1])
		}
	}
	if checked < 50 {
		t.Errorf("only %d links were found", checked)
	}
}

// From docs/README.md every page and file of docs can be reached: by links, by a name such as
// figures/fan-*.csv in code, and the data beside a figure with the figure.
func TestDocsAreReached(t *testing.T) {
	all := pages(t)
	reached := map[string]bool{"docs/README.md": true}
	queue := []string{"docs/README.md"}
	reach := func(name string) {
		if _, err := os.Stat(name); err == nil && !reached[name] {
			reached[name] = true
			queue = append(queue, name)
		}
	}
	for len(queue) > 0 {
		page := queue[0]
		queue = queue[1:]
		dir, text := path.Dir(page), all[page]
		if !strings.HasPrefix(page, "docs/") {
			continue // from another folder a file of docs is not reached by way of its index
		}
		if figure, ok := strings.CutSuffix(page, ".svg"); ok {
			reach(figure + ".csv")
		}
		for _, to := range links(text) {
			to, _, _ = strings.Cut(to, "#")
			reach(path.Join(dir, to))
		}
		for _, name := range code.FindAllString(block.ReplaceAllString(text, ""), -1) {
			name = strings.Trim(name, "`")
			for _, from := range []string{dir, "."} {
				if found, err := filepath.Glob(path.Join(from, name)); err == nil && !strings.ContainsAny(name, " ") {
					for _, f := range found {
						reach(filepath.ToSlash(f))
					}
				}
			}
		}
	}
	files := 0
	err := filepath.WalkDir("docs", func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files++
			if p = filepath.ToSlash(p); !reached[p] {
				t.Errorf("nothing leads from docs/README.md to %s", p)
			}
		}
		return err
	})
	if err != nil || files < 10 {
		t.Errorf("%d files in docs, %v", files, err)
	}
}

// A comment that names a file of the repository by its path names one that is there.
func TestCommentsNameFiles(t *testing.T) {
	name := regexp.MustCompile(`(?:^|[\s("])((?:docs|bench|verify|cmd|fuzz|kernel|exact|approx)/[\w./*-]*\.(?:md|go|s|h|txt|csv|svg|json|py|c|gz|jsonl|smt2|yaml))\b`)
	checked := 0
	sources(t, ".", func(at string, file *ast.File, fset *token.FileSet) {
		for _, group := range file.Comments {
			text := group.Text()
			if !strings.Contains(text, "/") {
				continue
			}
			for _, m := range name.FindAllStringSubmatch(text, -1) {
				checked++
				from := []string{".", filepath.Dir(at)}
				if !slices.ContainsFunc(from, func(dir string) bool {
					found, err := filepath.Glob(filepath.Join(dir, m[1]))
					return err == nil && len(found) > 0
				}) {
					t.Errorf("%s names %s, which is not there", fset.Position(group.Pos()), m[1])
				}
			}
		}
	})
	if checked < 20 {
		t.Errorf("only %d files are named in comments", checked)
	}
}

// A name such as LeastBits in a package's overview is one of the code, a kernel's without its
// implementation, or of another world.
func TestOverviewsNameThings(t *testing.T) {
	known := map[string]bool{
		"SplitMix64": true, "BinaryMarshaler": true, "BinaryAppender": true, "BinaryUnmarshaler": true,
		"FromWithM": true, // of a library that is stood in for
		"SipHash":   true, "MurmurHash3": true, "MurmurHash64A": true, "RedisBloom": true,
		"KiB": true, "MiB": true, "GiB": true,
	}
	overviews := map[string]string{}
	sources(t, ".", func(at string, file *ast.File, _ *token.FileSet) {
		if file.Doc != nil {
			overviews[filepath.ToSlash(at)] = file.Doc.Text()
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if x, ok := n.(*ast.Ident); ok {
				known[x.Name] = true
			}
			return true
		})
	})
	checked := 0
	for at, text := range overviews {
		for _, name := range regexp.MustCompile(`\b[A-Z][a-z]+[A-Z]\w*\b`).FindAllString(text, -1) {
			checked++
			if !slices.ContainsFunc([]string{"", "Portable", "Popcnt", "AVX2", "AVX512", "NEON"}, func(impl string) bool { return known[name+impl] }) {
				t.Errorf("%s speaks of %s, which is not there", at, name)
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d names are in overviews", checked)
	}
}

// The README is read in five minutes: what does not fit has a page in docs.
func TestREADMEIsShort(t *testing.T) {
	const lines = 180
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n > lines {
		t.Errorf("the README has %d lines, of at most %d", n, lines)
	}
}

// The page of dependencies has a row for each module of go.mod, with its version, and no other.
func TestDependencies(t *testing.T) {
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, required := range regexp.MustCompile(`(?m)^(?:require )?\s*(\S+\.\S+/\S+) (v\S+)`).FindAllSubmatch(mod, -1) {
		want = append(want, string(required[1])+" "+string(required[2]))
	}
	for _, row := range regexp.MustCompile(`(?m)^\| (\S+/\S+) \| (v\S+) \|`).FindAllSubmatch(page, -1) {
		got = append(got, string(row[1])+" "+string(row[2]))
	}
	slices.Sort(want)
	slices.Sort(got)
	if len(want) < 5 || !slices.Equal(got, want) {
		t.Errorf("docs/dependencies.md has %q, go.mod %q", got, want)
	}
}
