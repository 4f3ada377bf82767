package solve

import (
	"crypto/sha256"
	"strings"
)

// The map "decided" has the answers sat and unsat that z3 gave to the scripts of Possible. Functions that differ only in
// a hint for the cache have the same paths.
var decided = map[[sha256.Size]byte]string{}

// Possible reports whether z3 answers sat to one of n scripts. Each script has the conditions of a path of a program, so
// a path whose script is satisfiable is possible. The argument "script" is a function that returns the script with a
// given index. All scripts are tried with the first limit of a session, and then with the second limit.
func (s *Session) Possible(n int, script func(i int) string) (bool, error) {
	refuted := make([]bool, n)
	for _, steps := range interactive[0].steps {
		for i := range n {
			if refuted[i] {
				continue
			}
			text := script(i)
			if err := formed(text); err != nil {
				return false, err
			}
			key := sha256.Sum256([]byte(text))
			got, ok := decided[key]
			if !ok {
				var err error
				if got, err = s.ask(0, strings.Replace(text, "(check-sat)", lazily, 1), steps); err != nil {
					return false, err
				}
				if got == "sat" || got == "unsat" {
					decided[key] = got
				}
			}
			if got == "sat" {
				return true, nil
			}
			refuted[i] = got == "unsat"
		}
	}
	return false, nil
}

// This command asks z3 for an answer without first writing words as single bits. For conditions of long paths, z3 then
// takes a second, and with the command check-sat minutes, for which no limit of its steps holds.
const lazily = "(check-sat-using smt)"
