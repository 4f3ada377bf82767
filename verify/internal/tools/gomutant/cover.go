package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/bloomproof/bloomproof/verify/internal/tools/campaign"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The type "test" holds a test, an example, or the seeds of a fuzz target.
type test struct {
	Name    string
	Seconds float64 // CPU seconds without a mutant
	Covers  []int   // the numbers of the executed blocks
	pkg     *testPackage
}

// String returns the test's name in the records.
func (t *test) String() string { return t.pkg.path + " " + t.Name }

// The type "coverage" says which blocks each test of a package executes.
type coverage struct {
	Key    string // a hash of all files from which the tests are built
	Blocks []string
	Tests  []*test
	Failed []string // tests that fail without a mutant; they are not used
}

// A span is a part of a file, from one line and column to another.
type span struct{ fromLine, fromColumn, toLine, toColumn int }

// The method "examine" returns the coverage of the module's code by the tests of one package. If nothing has changed,
// it reads the result of an earlier run.
func (m *module) examine(p *testPackage, cache string, long bool, workers int) (*coverage, error) {
	c := &coverage{}
	var err error
	if c.Key, err = m.made(p); err != nil {
		return nil, err
	}
	if m.names != nil && m.names.String() != "" {
		c.Key += " " + m.names.String()
	}
	if m.usual {
		c.Key += " usual"
	}
	name := filepath.Join(cache, fmt.Sprintf("cover_%s_%v.json", strings.ReplaceAll(p.path, "/", "_"), long))
	if text, err := os.ReadFile(name); err == nil {
		old := &coverage{}
		if json.Unmarshal(text, old) == nil && old.Key == c.Key {
			c = old
			for _, t := range c.Tests {
				t.pkg = p
			}
			return c, nil
		}
	}
	dir, err := os.MkdirTemp("", "gomutant")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "cover.test")
	args := []string{"test", "-c", "-vet=off", "-cover", "-coverpkg", "./...", "-o", binary, "./" + p.path}
	if out, err := m.command("go", args...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", p.path, err, out)
	}
	names, err := testNames(binary, p)
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return m.names != nil && !m.names.MatchString(name) })
	var mu sync.Mutex
	number := map[string]int{}
	err = campaign.Each(workers, names, func(name string) error {
		profile := filepath.Join(dir, name+".cover")
		env := append(sized(long), "GOMAXPROCS=2", envEntry+"=0")
		args := append([]string{binary, "-test.coverprofile", profile}, m.flags(long, name)...)
		out, used, err := campaign.Run(p.dir, env, 1200, args...)
		if o, err := campaign.Judge(err); err != nil {
			return err
		} else if o != campaign.Survived {
			fmt.Fprintf(os.Stderr, "%s %s does not pass as it is: %s\n%.500s\n", p.path, name, o, out)
			mu.Lock()
			c.Failed = append(c.Failed, name)
			mu.Unlock()
			return nil
		}
		blocks, counts, err := readProfile(profile)
		if err != nil {
			return err
		}
		_ = os.Remove(profile)
		t := &test{Name: name, Seconds: float64(used/time.Millisecond) / 1000, pkg: p}
		mu.Lock()
		defer mu.Unlock()
		for j, b := range blocks {
			i, ok := number[b]
			if !ok {
				i = len(c.Blocks)
				number[b] = i
				c.Blocks = append(c.Blocks, b)
			}
			if counts[j] {
				t.Covers = append(t.Covers, i)
			}
		}
		c.Tests = append(c.Tests, t)
		return nil
	})
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	return c, os.WriteFile(name, text, 0o644)
}

// The method "flags" returns flags for a test binary. With these flags, the binary runs the named tests, one after the
// other.
func (m *module) flags(long bool, names ...string) []string {
	return []string{"-test.run", "^(" + strings.Join(names, "|") + ")$", "-test.timeout", "0", "-test.parallel", "1",
		"-test.failfast", fmt.Sprintf("-test.short=%v", !long && !m.usual)}
}

// The function "sized" returns environment variables for a test binary. They select the long or the short form of the
// tests.
func sized(long bool) []string {
	if long {
		return []string{longtest.Env + "=1"}
	}
	return nil
}

// testNames returns the tests of a binary.
func testNames(binary string, p *testPackage) ([]string, error) {
	out, _, err := campaign.Run(p.dir, nil, 60, binary, "-test.list", "^(Test|Example|Fuzz)")
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", p.path, err, out)
	}
	return testNamed.FindAllString(out, -1), err
}

var testNamed = regexp.MustCompile(`(?m)^(Test|Example|Fuzz)\w*$`)

// readProfile returns the blocks of a profile, and says for each block whether it was executed.
func readProfile(profile string) (blocks []string, executed []bool, err error) {
	f, err := os.Open(profile)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if fields := strings.Fields(lines.Text()); len(fields) == 3 && fields[0] != "mode:" {
			blocks = append(blocks, fields[0])
			executed = append(executed, fields[2] != "0")
		}
	}
	return blocks, executed, lines.Err()
}

// The tests of a package are built from some files of the module. The method "made" returns a hash of these files.
func (m *module) made(p *testPackage) (string, error) {
	cmd := m.command("go", "list", "-deps", "-test", "-f", "{{if .Module}}{{if .Module.Main}}{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}\n{{end}}{{range .EmbedFiles}}{{$d}}/{{.}}\n{{end}}{{end}}{{end}}", "./"+p.path)
	out, err := cmd.Output()
	if err != nil {
		return "", err
	}
	names := strings.Fields(string(out))
	for _, name := range p.files {
		names = append(names, filepath.Join(p.dir, name))
	}
	slices.Sort(names)
	h := sha256.New()
	for _, name := range slices.Compact(names) {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // a file that go test writes
		}
		fmt.Fprintln(h, strings.TrimPrefix(name, m.root), len(text))
		h.Write(text)
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

var blockForm = regexp.MustCompile(`^(.*):(\d+)\.(\d+),(\d+)\.(\d+)$`)

// The function "parse" reads a block of a profile.
func parse(block string) (file string, s span) {
	f := blockForm.FindStringSubmatch(block)
	if f == nil {
		return "", s
	}
	n := func(i int) int { v, _ := strconv.Atoi(f[i]); return v }
	return f[1], span{n(2), n(3), n(4), n(5)}
}

func (s span) has(p token.Position) bool {
	after := p.Line > s.fromLine || p.Line == s.fromLine && p.Column >= s.fromColumn
	before := p.Line < s.toLine || p.Line == s.toLine && p.Column < s.toColumn
	return after && before
}

// The method "begins" reports whether the span s begins before the span o.
func (s span) begins(o span) bool {
	return s.fromLine < o.fromLine || s.fromLine == o.fromLine && s.fromColumn < o.fromColumn
}

// For each mutant, the method "reach" finds the tests that execute the changed place. It returns them in a map. Some
// places, such as the condition of a case, are in no block of the coverage profile. Such a place counts as executed if
// its function is executed.
func (m *module) reach(all []*coverage, mutants []*mutant) map[*mutant][]*test {
	out := map[*mutant][]*test{}
	for _, c := range all {
		byFile := map[string][]int{}
		spans := make([]span, len(c.Blocks))
		for i, b := range c.Blocks {
			var name string
			name, spans[i] = parse(b)
			byFile[name] = append(byFile[name], i)
		}
		by := make([][]*test, len(c.Blocks))
		for _, t := range c.Tests {
			for _, i := range t.Covers {
				by[i] = append(by[i], t)
			}
		}
		for _, mu := range mutants {
			blocks := byFile[mu.file.pkg.full+"/"+filepath.Base(mu.file.name)]
			at := m.fset.Position(mu.file.syntax.FileStart + token.Pos(mu.from))
			from, to := m.fset.Position(mu.function.Body.Pos()), m.fset.Position(mu.function.End())
			body := span{from.Line, from.Column, to.Line, to.Column}
			own, first := -1, -1
			for _, i := range blocks {
				s := spans[i]
				if s.has(at) && (own < 0 || spans[own].begins(s)) {
					own = i // the innermost block
				}
				if body.has(token.Position{Line: s.fromLine, Column: s.fromColumn}) && (first < 0 || s.begins(spans[first])) {
					first = i
				}
			}
			if own < 0 {
				own = first
			}
			if own >= 0 {
				out[mu] = append(out[mu], by[own]...)
			}
		}
	}
	return out
}
