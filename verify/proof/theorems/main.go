// Command theorems has Coq check the theorems of this folder, and prints a line for each:
//
//	go run ./verify/proof/theorems         check
//	go run ./verify/proof/theorems -table  the table of README.md, unchecked
//
// A theorem is accepted when Coq compiles its file and prints for it "Closed under the global context": it rests on
// its hypotheses and on no axiom. An unfinished proof is an axiom to Coq, and is refused. It needs Coq 8.16 and the
// Mathematical Components library, Debian's packages coq and libcoq-mathcomp, and runs from the module's folder.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// folder has the files, seen from the module's.
const folder = "verify/proof/theorems"

// files are those that Coq compiles, each after what it requires.
var files = []string{"standard.v", "partitioned.v", "classic.v", "blocked.v"}

// closed is what Coq prints for a theorem without axioms.
const closed = "Closed under the global context"

// theorem is what a file states under a name.
type theorem struct{ name, file, says string }

var statement = regexp.MustCompile(`(?s)\(\* ([^*]*?) \*\)\n(?:Lemma [^\n]*\n(?:[^\n]+\n)*?Qed\.\n\n)?Theorem (\w+)`)

// theoremsOf returns the theorems of a file's text, with the comment before each.
// Error: for a theorem without a comment.
func theoremsOf(file, text string) ([]theorem, error) {
	var all []theorem
	for _, s := range statement.FindAllStringSubmatch(text, -1) {
		all = append(all, theorem{s[2], file, strings.Join(strings.Fields(s[1]), " ")})
	}
	if n := strings.Count(text, "\nTheorem "); n != len(all) {
		return nil, fmt.Errorf("%s: %d of %d theorems have a comment that says what they state", file, len(all), n)
	}
	return all, nil
}

// check compiles a file of text in dir, which has the compiled files before it, and asks for the axioms of each of its
// theorems. Errors: that of Coq, with what it printed, or one that names a theorem and its axioms.
func check(dir, file, text string) ([]theorem, error) {
	all, err := theoremsOf(file, text)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
		return nil, err
	}
	if out, err := coqc(dir, file); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", file, err, out)
	}
	module := strings.TrimSuffix(file, ".v")
	for _, th := range all {
		ask := fmt.Sprintf("From Bloomproof Require %s.\nPrint Assumptions %s.%s.\n", module, module, th.name)
		if err := os.WriteFile(filepath.Join(dir, "ask.v"), []byte(ask), 0o644); err != nil {
			return nil, err
		}
		out, err := coqc(dir, "ask.v")
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w\n%s", file, th.name, err, out)
		}
		if strings.TrimSpace(out) != closed {
			return nil, fmt.Errorf("%s: %s rests on axioms:\n%s", file, th.name, out)
		}
	}
	return all, nil
}

// coqc compiles a file of dir, where files know one another as Bloomproof, and returns what it printed. Its warnings,
// which are about the notations of the library, are left out.
func coqc(dir, file string) (string, error) {
	cmd := exec.Command("coqc", "-q", "-w", "none", "-Q", ".", "Bloomproof", file)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// table returns the table of README.md.
func table(root string) (string, error) {
	var b strings.Builder
	b.WriteString("| theorem | file | states |\n| --- | --- | --- |\n")
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(root, folder, file))
		if err != nil {
			return "", err
		}
		all, err := theoremsOf(file, string(text))
		if err != nil {
			return "", err
		}
		for _, th := range all {
			fmt.Fprintf(&b, "| `%s` | `%s` | %s |\n", th.name, th.file, th.says)
		}
	}
	return b.String(), nil
}

// run checks all files in dir, an empty folder.
func run(root, dir string) error {
	fmt.Println("seconds | theorems of | lines | without axioms")
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(root, folder, file))
		if err != nil {
			return err
		}
		start := time.Now()
		all, err := check(dir, file, string(text))
		if err != nil {
			return err
		}
		var names []string
		for _, th := range all {
			names = append(names, th.name)
		}
		fmt.Printf("%7.1f | %s | %d | %s\n", time.Since(start).Seconds(), file, strings.Count(string(text), "\n"), strings.Join(names, ", "))
	}
	return nil
}

func main() {
	show := flag.Bool("table", false, "print the table of README.md, and check nothing")
	flag.Parse()
	err := func() error {
		if *show {
			t, err := table(".")
			fmt.Print(t)
			return err
		}
		dir, err := os.MkdirTemp("", "theorems")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		return run(".", dir)
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
