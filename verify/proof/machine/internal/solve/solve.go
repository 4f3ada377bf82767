// Package solve runs two solvers, z3 and cvc5. A script is proved if both answer unsat.
package solve

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// Solvers has the commands of the solvers. Each run of a solver has several scripts (see atOnce), and may take an hour.
// This limit only stops runs that would never end. For functions that can be proved, the solvers take seconds to
// minutes of processor time.
var Solvers = [][]string{
	{"z3", "-in", "-T:3600"},
	{"cvc5", "--lang=smt2", "--tlimit=3600000", "-"},
}

// Known holds the hashes (see Hash) of some sets of scripts. For these sets, the solvers answered unsat in an earlier
// run. The function All does not ask the solvers about these sets again.
var Known = map[string]bool{}

// Hash returns a hash of a set of scripts. It does not depend on their order or on repetitions.
func Hash(scripts []string) string {
	h := sha256.New()
	sorted := slices.Sorted(slices.Values(scripts))
	for _, s := range slices.Compact(sorted) {
		fmt.Fprintf(h, "%d\n%s", len(s), s)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// The constant "atOnce" is the number of scripts that a solver gets at a time. When it has answered them, the answers
// are recorded (see Keep). So a run that was stopped can be continued.
const atOnce = 50

// The function All runs the solvers on all scripts. It returns an error if a solver does not answer unsat to a script.
// The error begins with the name of the first such script. While the program runs, identical scripts are sent to the
// solvers only once.
func All(names, scripts []string) error {
	if Known[Hash(scripts)] {
		for _, s := range scripts {
			answered[answerTo(s)] = true
		}
		return nil
	}
	todo, err := open(names, scripts)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(todo, atOnce) {
		if err := prove(names, scripts, some); err != nil {
			return err
		}
		for _, i := range some {
			if err := put(scripts[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// The map "shortened" has the scripts with fewer conditions that a solver was asked about and has proved. Claims about
// different paths often need the same conditions.
var shortened = map[[sha256.Size]byte]bool{}

func shortTo(n int, text string) [sha256.Size]byte {
	return sha256.Sum256([]byte(fmt.Sprint(Solvers[n]) + text))
}

// Scripts that have more bytes than this are tried by cvc5 first. The 48 scripts of today that do take z3 3 to 6 s
// each, and from the conditions that cvc5 needs most take it 0.1 s.
const long = 40_000

// The function "prove" runs the solvers on the scripts that have the given indices. The solver that proves a script
// first says which of the conditions it needs. The other solver gets the script with these conditions only, because
// this takes less time. At first, z3 is asked about integers (see linear), which is enough for five of six scripts and
// takes some 10 ms; with more steps if it does not know. For the other scripts, most take z3 a few milliseconds. Those
// that are long or that take z3 longer are tried by cvc5 first. If integers have all operations that a proved script
// needs, cvc5 first tries to prove it with integers. Scripts that term.Integers wrote, and all scripts that are not
// proved, are given to each solver as a whole at last.
func prove(names, scripts []string, some []int) error {
	texts := make([]string, len(some)) // the scripts with the conditions that are needed
	proved := make([][2]bool, len(some))
	said := make([]string, len(some)) // the last answers
	try := func(n, steps, atOnce int, form func(k int) string) error {
		var ks []int
		var tries []string
		asked := map[string]bool{}
		for k, i := range some {
			if proved[k][n] || strings.HasPrefix(scripts[i], ofIntegers) || shortened[shortTo(n, texts[k])] {
				continue
			}
			if text := form(k); text != "" && text != scripts[i] && !asked[text] { // whole scripts are for the end
				asked[text] = true
				ks, tries = append(ks, k), append(tries, fmt.Sprintf(interactive[n].limit, steps)+text)
			}
		}
		var answers []string
		for chunk := range slices.Chunk(tries, atOnce) {
			got, err := ask(Solvers[n], chunk)
			if err != nil {
				return err
			}
			answers = append(answers, got...)
		}
		for j, k := range ks {
			first, _, _ := strings.Cut(answers[j], "\n")
			said[k] = first
			if first == "sat" && texts[k] == scripts[some[k]] {
				return fmt.Errorf("%s: %s says sat", names[some[k]], Solvers[n][0])
			}
			if core, ok := unsat(answers[j]); ok {
				shortened[shortTo(n, texts[k])] = true
				proved[k][n], texts[k] = true, only(texts[k], core)
			}
		}
		for k := range some {
			proved[k][n] = proved[k][n] || shortened[shortTo(n, texts[k])]
		}
		return nil
	}
	type attempt struct {
		solver, steps, atOnce int
		form                  func(k int) string
	}
	for _, a := range []attempt{
		{0, 300_000, atOnce, func(k int) string {
			texts[k] = linear(scripts[some[k]])
			if is := integral(texts[k]); is != "" {
				return simplex + named(is)
			}
			return ""
		}},
		{0, 3_000_000, atOnce, func(k int) string {
			if said[k] == "unknown" {
				return patient + named(integral(texts[k]))
			}
			return ""
		}},
		// These steps are enough for all of 24 random scripts for which 2 million were too few. They take z3 1.1 s on
		// average, and the conditions that it needs then take cvc5 less time than the whole script, which takes it 1.2 s.
		{0, 16_000_000, atOnce, func(k int) string {
			texts[k] = scripts[some[k]]
			if len(Solvers) > 1 && len(texts[k]) > long {
				return ""
			}
			return named(texts[k])
		}},
		{1, 20_000, atOnce, func(k int) string {
			if proved[k][0] && integral(texts[k]) != "" {
				return integers + texts[k]
			}
			return ""
		}},
		{1, 2_000_000, 1, func(k int) string { return named(texts[k]) }},
		{0, 8_000_000, atOnce, func(k int) string { return strings.Replace(texts[k], "(check-sat)", lazily, 1) }},
	} {
		if a.solver >= len(Solvers) {
			continue
		}
		if err := try(a.solver, a.steps, a.atOnce, a.form); err != nil {
			return err
		}
	}
	for n := range Solvers {
		var rest []int
		for k, i := range some {
			if !proved[k][n] {
				rest = append(rest, i)
			}
		}
		if err := askAgain(Solvers[n], names, scripts, rest); err != nil {
			return err
		}
	}
	return nil
}

// The function "open" returns the indices of the scripts that are not yet proved. Of identical scripts, it returns one.
// It returns an error if one of these scripts may not be sent to the solvers.
func open(names, scripts []string) (out []int, err error) {
	seen := map[string]bool{}
	for i, s := range scripts {
		if !seen[s] && !isAnswered(s) {
			if err := formed(s); err != nil {
				return nil, fmt.Errorf("%s: %w", names[i], err)
			}
			out = append(out, i)
		}
		seen[s] = true
	}
	return out, nil
}

// The function askAgain runs a solver on the scripts that have the given indices. The solver must answer unsat to each
// script. Otherwise the function returns an error.
func askAgain(solver, names, scripts []string, indices []int) error {
	texts := make([]string, len(indices))
	for k, i := range indices {
		texts[k] = scripts[i]
	}
	answers, err := ask(solver, texts)
	if err != nil {
		return err
	}
	for k, i := range indices {
		if answers[k] != "unsat" {
			return fmt.Errorf("%s: %s says %.200s", names[i], solver[0], answers[k])
		}
	}
	return nil
}

// The function "command" returns the command of a solver. Where the C library has these variables, it does not give
// memory back to the system, which z3 otherwise does after each script, and takes again: a sixth of its time.
func command(solver []string) *exec.Cmd {
	cmd := exec.Command(solver[0], solver[1:]...)
	cmd.Env = append(os.Environ(),
		"MALLOC_TRIM_THRESHOLD_=1000000000", "MALLOC_MMAP_THRESHOLD_=1000000000", "MALLOC_TOP_PAD_=33554432")
	return cmd
}

// The function "ask" runs a solver on scripts, and returns its answers. The solver cvc5 ends when it is asked for names of
// conditions and has not answered unsat. Then the next run begins with the next script. If a solver ends without an
// answer, the answer is "nothing", with the reason.
func ask(solver, scripts []string) ([]string, error) {
	var answers []string
	for len(answers) < len(scripts) {
		more, said, err := run(solver, scripts[len(answers):])
		answers = append(answers, more...)
		switch {
		case len(answers) > len(scripts):
			return nil, fmt.Errorf("%s answers more than it was asked: %s", solver[0], answers[len(scripts)])
		case len(answers) < len(scripts):
			answers = append(answers, strings.TrimSpace(fmt.Sprintf("%s nothing (%v)", said, err)))
		}
	}
	return answers, nil
}

// The function "run" runs a solver once. It returns the answers, what the solver said after the last of them, and why it
// ended.
func run(solver, scripts []string) (answers []string, rest string, err error) {
	var text strings.Builder
	for _, s := range scripts {
		text.WriteString("(reset)\n" + s + "(echo \"" + end + "\")\n")
	}
	cmd := command(solver)
	cmd.Stdin = strings.NewReader(text.String())
	out, err := cmd.CombinedOutput()
	var said []string
	for line := range strings.Lines(string(out)) {
		if line = strings.TrimSpace(line); strings.Trim(line, "\"") == end {
			answers, said = append(answers, strings.Join(said, "\n")), nil
		} else {
			said = append(said, line)
		}
	}
	return answers, strings.Join(said, " "), err
}
