package solve

import (
	"fmt"
	"os/exec"
	"strings"
)

// OneByOne is a variant of All for scripts that probably cannot be proved. It asks about one script at a time, with a
// time limit in seconds for each solver, and stops at the first script for which a solver does not answer unsat.
func OneByOne(names, scripts []string, seconds int) error {
	for i, s := range scripts {
		if answered[s] {
			continue
		}
		for _, solver := range [][]string{
			{"z3", "-in", fmt.Sprintf("-T:%d", seconds)},
			{"cvc5", "--lang=smt2", fmt.Sprintf("--tlimit=%d000", seconds), "-"},
		} {
			cmd := exec.Command(solver[0], solver[1:]...)
			cmd.Stdin = strings.NewReader(s)
			out, err := cmd.CombinedOutput()
			if got := strings.TrimSpace(string(out)); got != "unsat" {
				return fmt.Errorf("%s: %s says %.80s (%v)", names[i], solver[0], strings.ReplaceAll(got, "\n", " "), err)
			}
		}
		answered[s] = true
	}
	return nil
}
