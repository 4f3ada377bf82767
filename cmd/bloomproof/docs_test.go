package main

import (
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

// Every block of a page between lines of ``` is held by a test. It is of one of these kinds:
//
//	(none)  calls, each after "$ " and followed by what it prints, of this program, which is
//	        run, or of those in notRun; or without a call what the first command of the sh
//	        block before it prints
//	sh      commands, one a line: those of this program are run, others are in notRun
//	go      the body of an Example, or a file whose functions are all in a test
//	        (TestGoBlocks of the root package)
//	text    no command
//	yaml    steps of GitHub Actions, with commands after run:, held as those of sh
//	        (TestWorkflow of bench/beam/manifest reads it as YAML)
//	diff    an edit in the reader's module; files of ours that it names exist
//
// and every command that stands in a line of text is a command, too.

// notRun says why commands that a page shows are only looked at: what they name must exist.
var notRun = map[string]string{
	"ssh-keygen":         "needs a maintainer's key",
	"sha256sum":          "checks the files of a release",
	"make":               "takes minutes to hours, or writes files; .ci/run runs those that a change must pass",
	"go test":            "would run within a test; the packages that are named have their own",
	"go run":             "programs of the repository that take minutes, write files or need tools; each has its own test",
	"go generate":        "writes files; TestPage of verify/claims holds docs/claims.md to what it writes",
	"go get":             "changes go.mod",
	"go install":         "installs",
	"go build":           "leaves a program behind; the tests build what they need",
	"go doc":             "prints what the compiler sees",
	"bloomproof conform": "TestConformPrograms runs the programs of docs with less effort",
	"cc":                 "TestConformPrograms compiles it",
	"python3":            "the tests of package kernel run docs/format.py, and TestConformPrograms docs/pipe.py",
	"node":               "TestConformPrograms runs it",
	"java":               "TestConformPrograms runs it",
	"rustc":              "TestConformPrograms runs it",
	"git":                "needs the network",
	"cd":                 "goes to a directory that must exist",
	"kubectl":            "needs a cluster",
	"sbatch":             "needs a cluster",
	"docker":             "needs a daemon and the network",

	"docs/scale/run.sh":   "TestScaleRuns runs it",
	"docs/scale/merge.sh": "TestScaleRuns runs it",
}

// slow are calls that pages show and that take half a second to seconds each. Only a long run makes them; an ordinary
// one makes calls of the same commands that take less. A sample of them stays: one of each kind of answer.
var slow = []string{
	"size -n 1000 -fpr 0.001 -confidence 0.999 -hashing partitioned",
	"size -n 1000 -fpr 0.001 -confidence 0.999",
	"size -like rocksdb-legacy -n 1000 -fpr 0.001",
	"growing -n 1e6 -fpr 1% -block 512 -layers 3 -digits 6",
	"growing -n 1000 -fpr 1% -digits 6 -after 1000,2000,5000", // TestGolden makes it
	"fnr -model exact -positions fixed -m 1000 -k 5 -sigma 500 -repeat 1 -popularity zipf:1:1000",
	"replay -trace cmd/bloomproof/testdata/kjv-words.txt.gz -m 16Ki -target 0.001 -phases 2",
	"replay -trace cmd/bloomproof/testdata/kjv-words.txt.gz -m 64Ki -target 0.01 -phases 2",
	"replay -trace cmd/bloomproof/testdata/kjv-words.txt.gz -m 65536 -k 7 -sigma 32768",
	"fpr -like rocksdb -m 512000 -k 12 -n 20000",
	"fpr -like rocksdb-legacy -m 512512 -k 16 -n 20000",
	"fpr -hashing double-zero -m 1024 -k 16 -n 10 -digits 6",
}

// pages are the pages of documentation, from the top of the repository.
func pages(t *testing.T) []string {
	t.Helper()
	t.Chdir("../..")
	var found []string
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && p != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if filepath.Ext(p) == ".md" {
			found = append(found, filepath.ToSlash(p))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// split splits a page at the lines of ```: what has an odd index is a block, which begins
// with its kind.
func split(page, text string) ([]string, error) {
	blocks := strings.Split("\n"+text, "\n```")
	if len(blocks)%2 == 0 {
		return nil, fmt.Errorf("%s: a block does not end", page)
	}
	return blocks, nil
}

// With -update what is shown becomes what is printed.
func TestDocs(t *testing.T) {
	least := map[string]int{"README.md": 4, "docs/recycling.md": 6, "docs/sizing.md": 8} // calls shown
	met := map[string]bool{}                                                             // slow calls
	later := func(args []string) bool {
		line := strings.Join(args, " ")
		if !slices.Contains(slow, line) {
			return false
		}
		met[line] = true
		return !longtest.Enabled() && !*update
	}
	defer func() {
		for _, line := range slow {
			if !met[line] && longtest.Enabled() {
				t.Errorf("no page shows %q any more: it is not among the slow calls", line)
			}
		}
	}()
	for _, page := range pages(t) {
		if !longtest.Enabled() && !*update && page != "README.md" && page != "docs/tutorial.md" {
			continue // a few seconds of exact rates
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		blocks, err := split(page, string(text))
		if err != nil {
			t.Fatal(err)
		}
		shown := 0
		// prints is what the call prints, if that differs from what is shown.
		prints := func(call, want string) string {
			shown++
			args, ok := ourArgs(call)
			if why := notRun[program(strings.Fields(call))]; !ok && why != "" {
				t.Logf("%s: %s is not run: %s", page, call, why)
				return want
			}
			if !ok {
				t.Fatalf("%s: cannot check what %q prints", page, call)
			}
			if later(args) {
				return want
			}
			status, got, stderr := try(nil, args...)
			if status == statusOK && portable(strings.TrimSpace(got)) == portable(strings.TrimSpace(want)) {
				return want
			}
			if !*update || status != statusOK {
				t.Errorf("%s: %s: status %d, %s\n%s\nwant\n%s", page, call, status, stderr, got, want)
			}
			return got
		}
		before := "" // the first command of an sh block just before
		for i := 1; i < len(blocks); i += 2 {
			kind, body, _ := strings.Cut(blocks[i], "\n")
			first := before
			before = ""
			switch kind {
			case "":
				calls := strings.Split("\n"+body, "\n$ ")
				if len(calls) == 1 {
					if _, ok := ourArgs(first); !ok {
						t.Errorf("%s: nothing says what prints\n%s", page, body)
						continue
					}
					blocks[i] = "\n" + strings.TrimRight(prints(first, body), "\n")
					continue
				}
				if calls[0] != "" {
					t.Errorf("%s: a block begins with %q, not with a call", page, calls[0])
				}
				for j, call := range calls[1:] {
					line, want, _ := strings.Cut(call, "\n")
					if got := prints(line, want); got != want {
						calls[j+1] = line + "\n" + got
					}
				}
				blocks[i] = strings.TrimRight(strings.Join(calls, "\n$ "), "\n")
			case "sh":
				lines := shellLines(body)
				before = lines[0]
				for n, line := range lines {
					shownNext := n == 0 && i+2 < len(blocks) && strings.HasPrefix(blocks[i+2], "\n") && !strings.HasPrefix(blocks[i+2], "\n$ ")
					if args, ok := ourArgs(line); ok && !shownNext && notRun["bloomproof "+args[0]] == "" && !later(args) {
						if status, _, stderr := try(nil, args...); status != statusOK {
							t.Errorf("%s: %s: status %d, %s", page, line, status, stderr)
						}
					}
				}
			case "go", "text", "diff", "yaml":
			default:
				t.Errorf("%s: nothing holds a block of %q", page, kind)
			}
		}
		if shown < least[page] {
			t.Errorf("%s shows what %d calls print, want at least %d", page, shown, least[page])
		}
		if changed := strings.Join(blocks, "\n```")[1:]; *update && changed != string(text) {
			if err := os.WriteFile(page, []byte(changed), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// shellLines returns the commands of a block of sh, without what follows # and with lines
// joined that end in a backslash.
func shellLines(body string) (all []string) {
	body = strings.ReplaceAll(body, "\\\n", " ")
	for _, line := range strings.Split(body, "\n") {
		line, _, _ = strings.Cut(line, " # ")
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			all = append(all, line)
		}
	}
	return all
}

// ourArgs returns the arguments of a call of this program.
func ourArgs(line string) ([]string, bool) {
	rest, ok := strings.CutPrefix(line, "go run ./cmd/bloomproof ")
	if !ok {
		rest, ok = strings.CutPrefix(line, "bloomproof ")
	}
	return strings.Fields(rest), ok && !strings.ContainsAny(rest, "|&;<>")
}

// Every command of a page, in a block or in the text, names commands, flags, targets and
// files that are there.
func TestDocsCommands(t *testing.T) {
	inText := regexp.MustCompile("`((?:make|go (?:run|test|generate)|bloomproof|python3) [^`]+)`")
	checked := 0
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		blocks, err := split(page, string(text))
		if err != nil {
			t.Fatal(err)
		}
		for i, block := range blocks {
			var all []string
			if i%2 == 0 {
				if strings.Contains(block, "\n$ ") {
					t.Errorf("%s: a call outside a block", page)
				}
				for _, m := range inText.FindAllStringSubmatch(strings.ReplaceAll(block, "\n", " "), -1) {
					all = append(all, m[1])
				}
			} else if kind, body, _ := strings.Cut(block, "\n"); kind == "sh" {
				all = shellLines(body)
			} else if kind == "yaml" {
				for _, m := range runStep.FindAllStringSubmatch(body, -1) {
					all = append(all, m[1])
				}
			} else if kind == "" {
				for _, call := range strings.Split("\n"+body, "\n$ ")[1:] {
					line, _, _ := strings.Cut(call, "\n")
					all = append(all, line)
				}
			} else if kind == "diff" {
				for _, word := range strings.Fields(body) {
					if _, err := os.Stat(word); err != nil && ourPath.MatchString(word) {
						t.Errorf("%s: there is no %s", page, word)
					}
				}
			} else if kind == "text" && strings.Contains(body, "\n$ ") {
				t.Errorf("%s: a command in a block of text", page)
			}
			dir := "."
			if strings.HasPrefix(page, "bench/") {
				dir = "bench"
			}
			for _, line := range all {
				at := dir
				for _, c := range regexp.MustCompile(`&&|\|\||[|;]`).Split(line, -1) {
					checked++
					if err := checkCommand(&at, strings.Fields(quoted.ReplaceAllStringFunc(c, joined)), i%2 == 1); err != nil {
						t.Errorf("%s: %s: %v", page, line, err)
					}
				}
			}
		}
	}
	if checked < 60 {
		t.Errorf("only %d commands were found", checked)
	}
}

var (
	ourPath    = regexp.MustCompile(`^(\./)?[a-z_]+(/[\w.-]+)+$|^[\w-]+\.(py|c|js|java|rs|json|md|yaml|go|txt)$`)
	assignment = regexp.MustCompile(`^([A-Z_0-9]+)=`)
	quoted     = regexp.MustCompile(`'[^']* [^']*'`)
	runStep    = regexp.MustCompile(`(?m)^ +-? *run: (.*)$`)
)

// joined returns words that are quoted as one.
func joined(words string) string { return strings.ReplaceAll(words, " ", "_") }

// checkCommand checks a command in the directory *at, which cd changes. In a block a command
// must be of this program or in notRun.
func checkCommand(at *string, words []string, block bool) error {
	for len(words) > 0 && assignment.MatchString(words[0]) {
		words = words[1:]
	}
	if len(words) == 0 {
		return errors.New("no command")
	}
	exists := func(name string) error {
		for _, dir := range []string{*at, "."} { // pages of bench name files from the top, too
			if found, err := filepath.Glob(filepath.Join(dir, strings.TrimSuffix(name, "/..."))); err == nil && len(found) > 0 {
				return nil
			}
		}
		return fmt.Errorf("there is no %s in %s", name, *at)
	}
	key, args := program(words), words[1:]
	if key == "go run" && words[2] == "./cmd/bloomproof" {
		key, args = "bloomproof", words[3:]
	}
	if key == "go run" && strings.HasPrefix(words[2], released) {
		key, args = "bloomproof", words[3:]
		changes, err := os.ReadFile("CHANGELOG.md")
		version := strings.TrimPrefix(words[2], released)
		if err != nil || !strings.Contains(string(changes), "\n## "+version+" - ") {
			return fmt.Errorf("CHANGELOG.md has no released version %s, %v", version, err)
		}
	}
	if key == "bloomproof" {
		return checkOurs(args)
	}
	if block && notRun[key] == "" {
		return fmt.Errorf("%s is not in notRun", key)
	}
	switch key {
	case "cd":
		*at = path.Join(*at, args[0])
		return exists(".")
	case "make":
		return checkMake(args)
	case "cc":
		return exists(args[len(args)-1])
	}
	for i, a := range args {
		if i > 0 && args[i-1] == "-o" || i > 0 && args[i-1] == "-out" {
			continue // a file that it writes
		}
		if ourPath.MatchString(a) && !strings.Contains(a, "github.com") {
			if err := exists(a); err != nil {
				return err
			}
		}
		if key == "go test" && (a == "-run" && args[i+1] != "NONE" || a == "-bench") {
			if err := testExists(*at, args, args[i+1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// released is how this program is run without a clone, before its version.
const released = "github.com/bloomproof/bloomproof/cmd/bloomproof@v"

// program returns what notRun calls the program of a command.
func program(words []string) string {
	if len(words) > 1 && words[0] == "go" {
		return "go " + words[1]
	}
	return words[0]
}

// checkOurs checks the command and the flags of a call of this program; values may be
// words such as FILE, and in a line of text absent.
func checkOurs(args []string) error {
	if len(args) == 0 || isHelp(args[0]) || strings.HasPrefix(args[0], "COMMAND") {
		return nil
	}
	c, ok := find(args[0])
	if !ok {
		return fmt.Errorf("%s is no command", args[0])
	}
	args = args[1:]
	for i, a := range args {
		if a == "--" {
			args = args[:i]
			break
		}
	}
	if i := slices.IndexFunc(args, func(a string) bool { return slices.Contains(c.words, a) }); i >= 0 {
		args = slices.Delete(slices.Clone(args), i, i+1)
	}
	_, err := parse(c.allFlags(), args)
	if err != nil && strings.HasSuffix(err.Error(), "needs a value") || errors.Is(err, flag.ErrHelp) {
		return nil
	}
	return err
}

// checkMake checks that the Makefile has the targets, and uses the variables.
func checkMake(args []string) error {
	text, err := os.ReadFile("Makefile")
	if err != nil {
		return err
	}
	quoted := false // within the value of a variable
	for _, a := range args {
		pattern := `(?m)^` + regexp.QuoteMeta(a) + `:`
		if m := assignment.FindStringSubmatch(a); m != nil {
			pattern = `(?m)^` + m[1] + ` \?=`
		}
		if !quoted && !regexp.MustCompile(pattern).Match(text) {
			return fmt.Errorf("the Makefile has no %s", a)
		}
		quoted = quoted != (strings.Count(a, `"`)%2 == 1)
	}
	return nil
}

// testExists reports an error unless a test or benchmark of the packages among args matches the pattern.
func testExists(at string, args []string, pattern string) error {
	re, err := regexp.Compile(strings.Trim(pattern, `'"`))
	if err != nil {
		return err
	}
	for _, a := range args {
		if !strings.HasPrefix(a, ".") {
			continue
		}
		files, err := filepath.Glob(filepath.Join(at, a, "*_test.go"))
		if err != nil {
			return err
		}
		for _, name := range files {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && re.MatchString(f.Name.Name) {
					return nil
				}
			}
		}
	}
	return fmt.Errorf("no test matches %s", pattern)
}
