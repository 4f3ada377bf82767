package solve

import (
	"crypto/sha256"
	"slices"
	"strings"
)

// The map "decided" has the answers sat and unsat that z3 gave to the scripts of Possible. Functions that differ only in
// a hint for the cache have the same paths.
var decided = map[[sha256.Size]byte]string{}

// Possible reports whether z3 answers sat to one of n scripts. Each script has the conditions of a path of a program, so
// a path whose script is satisfiable is possible. The argument "script" is a function that returns the script with a
// given index. Short scripts are tried first: z3 takes a second for them, and can take ten seconds for long ones, whatever
// its limit. Scripts of about the same length are tried with the first limit of a session, and then with the second limit.
func (s *Session) Possible(n int, script func(i int) string) (bool, error) {
	lengths, order := make([]int, n), make([]int, n)
	for i := range n {
		text := script(i)
		if err := formed(text); err != nil {
			return false, err
		}
		lengths[i], order[i] = len(text), i
	}
	slices.SortStableFunc(order, func(i, j int) int { return lengths[i] - lengths[j] })
	for len(order) > 0 {
		alike := slices.IndexFunc(order, func(i int) bool { return lengths[i] > lengths[order[0]]*5/4 })
		if alike < 0 {
			alike = len(order)
		}
		is, err := s.possible(order[:alike], script)
		if is || err != nil {
			return is, err
		}
		order = order[alike:]
	}
	return false, nil
}

// The method "possible" does this for scripts of about the same length, whose indices are given.
func (s *Session) possible(indices []int, script func(i int) string) (bool, error) {
	refuted := map[int]bool{}
	for _, steps := range interactive[0].steps {
		for _, i := range indices {
			if refuted[i] {
				continue
			}
			text := script(i)
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
