package solve

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
			got, err := s.ask(0, script(i), steps)
			if err != nil || got == "sat" {
				return got == "sat", err
			}
			refuted[i] = got == "unsat"
		}
	}
	return false, nil
}
