package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

// Completion offers for a flag the words that its error lists, and for a route and a
// hashing those that the command can have at all.
func TestFlagWords(t *testing.T) {
	lists := 0
	for _, cmd := range commands() {
		for _, f := range cmd.flags {
			offered := f.words()
			if len(offered) == 0 || f.arg == "true|false" {
				continue
			}
			lists++
			flags := valid[cmd.name]
			if f.name == "increment" {
				flags = valid["counting"]
			}
			if cmd.name == "recycle" && f.name == "model" {
				flags = []string{"-m", "64", "-target", "0.1", "-trace", "-"}
			}
			args := append([]string{cmd.name}, append(slices.Clone(flags), "-"+f.name, "none")...)
			_, _, stderr := try(strings.NewReader(""), args...)
			_, list, ok := strings.Cut(stderr, ": -"+f.name+": must be one of ")
			if !ok {
				t.Fatalf("%v: %s", args, stderr)
			}
			list, _, _ = strings.Cut(list, ", got ")
			taken := strings.Split(list, ", ")
			switch f.name {
			case "model":
				taken = append(taken, "all", "best", "gaps")
			case "route", "hashing":
				taken = slices.DeleteFunc(taken, func(w string) bool { return !slices.Contains(offered, w) })
			}
			for _, w := range offered {
				if !slices.Contains(taken, w) {
					t.Errorf("completion offers %s for %s -%s, which takes %q", w, cmd.name, f.name, taken)
				}
			}
			if f.name != "model" && len(offered) != len(taken) {
				t.Errorf("completion offers %q for %s -%s, which takes %q", offered, cmd.name, f.name, taken)
			}
		}
	}
	if lists < 25 {
		t.Errorf("only %d flags take words", lists)
	}
}

// The scripts complete in the shells themselves: what follows the last space is completed. One process of each shell
// completes all lines; the words of a line end with ::, and so do the answers.
func TestCompletion(t *testing.T) {
	drivers := map[string]string{
		"bash": `source "$1"; shift; compopt() { echo FILES; }
while (($#)); do
  COMP_WORDS=() COMPREPLY=()
  while [[ $1 != :: ]]; do COMP_WORDS+=("$1"); shift; done
  shift; COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _bloomproof; printf '%s\n' "${COMPREPLY[@]}" ::
done`,
		"zsh": `_describe() { local c; for c in "${(@P)2}"; do c=${c%%:*}; [[ $c = $PREFIX* ]] && print -r -- "$c"; done }
_files() { print FILES }; _message() { : }
source "$1"; shift
while (($#)); do
  words=()
  while [[ $1 != :: ]]; do words+=("$1"); shift; done
  shift; CURRENT=$#words; PREFIX=$words[CURRENT]; _bloomproof; print ::
done`,
		"fish": `source $argv[1]; set -l words
for word in $argv[2..-1]
  if test "$word" = ::
    complete -C (string join ' ' -- $words) | string replace -r '\t.*' ''; echo ::; set words
  else
    set -a words $word
  end
end`,
	}
	lines := []struct{ line, has, lacks string }{
		{"bloomproof ", "fpr", "-m"},
		{"bloomproof si", "size simulate", "fpr"},
		{"bloomproof fpr -", "-m -k -n -hashing -bounds -json", "-sigma"},
		{"bloomproof fpr -hash", "-hashing", "-m"},
		{"bloomproof fpr -m 64 -hashing ", "standard classic partitioned", "-m"},
		{"bloomproof fpr -m 64 -hashing c", "classic", "standard"},
		{"bloomproof occupancy -stat ", "mean pmf factorial-moment", "the or default"},
		{"bloomproof fnr -model renewal-", "renewal-extended renewal-retaining", "pins"},
		{"bloomproof fpr -m ", "", "-m -k standard"},
		{"bloomproof completion ", "bash zsh fish powershell", "fpr"},
		{"bloomproof help w", "workloads", "fpr"},
		{"bloomproof replay -trace ", "FILES", "-m"},
	}
	for shell, driver := range drivers {
		t.Run(shell, func(t *testing.T) {
			if _, err := exec.LookPath(shell); err != nil && shell == "bash" && runtime.GOOS == "linux" {
				t.Fatal(err)
			}
			longtest.Program(t, shell)
			_, script, _ := try(nil, "completion", shell)
			file := filepath.Join(t.TempDir(), "script")
			if err := os.WriteFile(file, []byte(script), 0o644); err != nil {
				t.Fatal(err)
			}
			args := []string{"-c", driver}
			if shell != "fish" {
				args = append(args, shell) // its $0
			}
			args = append(args, file)
			for _, c := range lines {
				args = append(append(args, strings.Split(c.line, " ")...), "::")
			}
			cmd := exec.Command(shell, args...)
			cmd.Dir = t.TempDir()
			if err := os.WriteFile(filepath.Join(cmd.Dir, "FILES"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			answers := strings.Split(string(out), "::\n")
			if err != nil || stderr.Len() > 0 || len(answers) != len(lines)+1 {
				t.Fatalf("%v, %d answers\n%s", err, len(answers)-1, stderr.Bytes())
			}
			for i, c := range lines {
				got := strings.Fields(answers[i])
				for _, w := range strings.Fields(c.has) {
					if !slices.Contains(got, w) {
						t.Errorf("%q lacks %s: %q", c.line, w, got)
					}
				}
				for _, w := range strings.Fields(c.lacks) {
					if slices.Contains(got, w) {
						t.Errorf("%q has %s: %q", c.line, w, got)
					}
				}
			}
		})
	}
}

// PowerShell is on few machines: its script names every command, flag and word in
// balanced quotes and brackets.
func TestCompletionPowerShell(t *testing.T) {
	_, script, _ := try(nil, "completion", "powershell")
	for _, o := range operandsOfAll() {
		for _, f := range o.flags {
			if !strings.Contains(script, "'-"+f.name+"'") {
				t.Errorf("no -%s", f.name)
			}
			if words := f.words(); len(words) > 0 && !strings.Contains(script, "'"+o.name+" -"+f.name+"' = @('"+strings.Join(words, "', '")+"')\n") {
				t.Errorf("no words of %s -%s", o.name, f.name)
			}
		}
	}
	for _, pair := range []string{"()", "{}", "[]"} {
		if strings.Count(script, pair[:1]) != strings.Count(script, pair[1:]) {
			t.Errorf("%s do not balance", pair)
		}
	}
	if strings.Count(script, "'")%2 != 0 {
		t.Error("a quote is open")
	}
}
