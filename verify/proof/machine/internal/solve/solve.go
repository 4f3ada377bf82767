// Package solve runs two solvers, z3 and cvc5. A script is proved if both answer unsat.
package solve

import (
	"crypto/sha256"
	"fmt"
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
	for some := range slices.Chunk(open(scripts), atOnce) {
		for _, solver := range Solvers {
			if err := ask(solver, names, scripts, some); err != nil {
				return err
			}
		}
		for _, i := range some {
			if err := put(scripts[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// The function "open" returns the indices of the scripts that are not yet proved. Of identical scripts, it returns one.
func open(scripts []string) (out []int) {
	seen := map[string]bool{}
	for i, s := range scripts {
		if !seen[s] && !isAnswered(s) {
			out = append(out, i)
		}
		seen[s] = true
	}
	return out
}

// The function "ask" runs a solver on the scripts that have the given indices. The solver must answer unsat to each
// script. Otherwise the function returns an error.
func ask(solver, names, scripts []string, indices []int) error {
	var text strings.Builder
	for _, i := range indices {
		text.WriteString("(reset)\n" + scripts[i])
	}
	cmd := exec.Command(solver[0], solver[1:]...)
	cmd.Stdin = strings.NewReader(text.String())
	out, err := cmd.CombinedOutput()
	answers := strings.Fields(string(out))
	for k, i := range indices {
		if k >= len(answers) || answers[k] != "unsat" {
			got := fmt.Sprintf("nothing (%v)", err)
			if k < len(answers) {
				got = strings.Join(answers[k:min(k+12, len(answers))], " ")
			}
			return fmt.Errorf("%s: %s says %s", names[i], solver[0], got)
		}
	}
	if len(answers) != len(indices) {
		return fmt.Errorf("%s says more than it was asked: %s", solver[0], strings.Join(answers[len(indices):], " "))
	}
	return nil
}
