package solve

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Session sends scripts first to the solver z3, and then to the solver cvc5. One process of each solver runs until
// Close is called, so no program has to be started for each script.
type Session struct {
	// If Known is true, no solver is asked. If a script is not yet proved, Refute then returns the error ErrOpen.
	Known bool
	// Refute asks nothing about scripts that are known to be proved.
	Proved map[string]bool
	// Narrow has values of variables. If z3 does not decide a script within the first limit, Refute asks z3 for values that
	// refute the claim and agree with one of these maps. Values of the narrower question are values of the question. So
	// Narrow makes no claim true, but z3 refutes a wrong one with fewer steps. Short scripts are then tried first.
	Narrow  []map[string]uint64
	solvers [2]*process
	failed  map[[sha256.Size]byte]error  // the reasons why scripts are not proved
	cores   map[[sha256.Size]byte]string // what z3 needs of the scripts that it has proved
}

// ErrOpen says that a script is not yet proved.
var ErrOpen = errors.New("the solvers have not proved it")

// The array "interactive" has an element for each solver. A session runs the command in this element. One option of
// the solver limits the number of its steps. The element has the text of this option, and two values for it: the limits. All scripts are
// tried with the first limit, which is enough for most of them. Then the remaining scripts are tried with the second
// limit. So a script that cannot be proved is found sooner. The second limit of z3 corresponds to about two seconds of
// processor time. For cvc5, the second limit allows more work, because cvc5 only sees scripts that z3 has proved. All
// limits count steps of the solver, so an answer does not depend on the load of the machine.
var interactive = [2]struct {
	command []string
	limit   string
	steps   [2]int
}{
	{[]string{"z3", "-in"}, "(set-option :rlimit %d)\n", [2]int{1_000_000, 8_000_000}},
	{[]string{"cvc5", "--lang=smt2", "-"}, "(set-option :rlimit-per %d)\n", [2]int{3_000, 60_000}},
}

type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out chan string // its lines
}

// Some solvers ignore the time limit. They are stopped after tooLong.
const tooLong = 5 * time.Minute

// Refute sends all scripts that are not yet proved to the solvers. Both solvers must answer unsat to each script within
// the limits. Otherwise Refute stops, and returns an error with the name of the script. If some of the scripts probably
// cannot be proved, call Refute instead of the function All. The solver that proves a script first says which conditions
// it needs, and the other solver gets the script with these conditions only. The solver cvc5 is first for scripts that
// z3 does not decide. A session asks about a script only once: it keeps the answers, also those that are not unsat.
func (s *Session) Refute(names, scripts []string) error {
	open, err := open(names, scripts)
	if err != nil {
		return err
	}
	open = slices.DeleteFunc(open, func(i int) bool { return s.Proved[scripts[i]] })
	if s.Narrow != nil {
		slices.SortStableFunc(open, func(i, j int) int { return cmp.Compare(len(scripts[i]), len(scripts[j])) })
	}
	if s.Known && len(open) > 0 {
		return fmt.Errorf("%s and %d others: %w", names[open[0]], len(open)-1, ErrOpen)
	}
	for _, i := range open {
		if err := s.failed[sha256.Sum256([]byte(scripts[i]))]; err != nil {
			return fmt.Errorf("%s: %w", names[i], err)
		}
	}
	if s.cores == nil {
		s.failed, s.cores = map[[sha256.Size]byte]error{}, map[[sha256.Size]byte]string{}
	}
	i, err := s.decide(scripts, open)
	if err != nil {
		s.failed[sha256.Sum256([]byte(scripts[i]))] = err
		return fmt.Errorf("%s: %w", names[i], err)
	}
	return nil
}

// The method "decide" asks both solvers about the scripts with the given indices. If one of them is not proved, it
// returns its index and the reason.
func (s *Session) decide(scripts []string, indices []int) (int, error) {
	said := map[int]error{} // what z3 said last, where it has not proved the script
	todo := indices
	for round := range interactive[0].steps {
		var later []int
		for _, i := range todo {
			key := sha256.Sum256([]byte(scripts[i]))
			if s.cores[key] != "" {
				continue
			}
			core, err := s.proves(0, round, scripts[i], named)
			if isUndecided(err) && round == 0 {
				if err := s.narrow(scripts[i], interactive[0].steps[0]); err != nil {
					return i, err
				}
			}
			switch {
			case isUndecided(err):
				later, said[i] = append(later, i), err
			case err != nil:
				return i, err
			default:
				s.cores[key] = core
				delete(said, i)
			}
		}
		todo = later
	}
	last := todo
	todo = slices.DeleteFunc(slices.Clone(indices), func(i int) bool { return said[i] != nil })
	for _, try := range []struct {
		round int
		form  func(string) string
	}{{0, asItIs}, {1, asIntegers}, {1, asItIs}} {
		var later []int
		for _, i := range todo {
			core := s.cores[sha256.Sum256([]byte(scripts[i]))]
			if !shortened[shortTo(1, core)] {
				_, err := s.proves(1, try.round, core, try.form)
				if isUndecided(err) {
					later, said[i] = append(later, i), err
					continue
				}
				if err != nil {
					return i, err
				}
				shortened[shortTo(1, core)] = true
			}
			if err := put(scripts[i]); err != nil {
				return i, err
			}
		}
		todo = later
	}
	if len(todo) > 0 {
		return todo[0], said[todo[0]]
	}
	for _, i := range last {
		core, err := s.proves(1, 1, scripts[i], named)
		if err == nil {
			_, err = s.proves(0, 1, core, asItIs)
		}
		if isUndecided(err) {
			err = said[i]
		}
		if err == nil {
			err = put(scripts[i])
		}
		if err != nil {
			return i, err
		}
	}
	return 0, nil
}

// The method "proves" asks solver k about a script, with its limit for the given round. The function "form" returns what
// the solver gets, or "" if it is not asked. If the solver answers unsat, the result is the script with the conditions
// that it needs, or the whole script if the solver does not say which. Otherwise there is an error: of type undecided,
// unless the solver says sat or does not answer.
func (s *Session) proves(k, round int, script string, form func(string) string) (string, error) {
	text := script
	if !strings.HasPrefix(script, ofIntegers) {
		text = form(script)
	}
	if text == "" {
		return "", undecided("not asked")
	}
	got, err := s.ask(k, text, interactive[k].steps[round])
	if err != nil {
		return "", err
	}
	if core, ok := unsat(got); ok && core == "" {
		return script, nil
	} else if ok {
		return only(script, core), nil
	}
	solver := interactive[k].command[0]
	if strings.HasPrefix(got, "sat") {
		return "", fmt.Errorf("%s says sat", solver)
	}
	return "", undecided(fmt.Sprintf("%s says %.80s", solver, got))
}

// The function asItIs returns the script.
func asItIs(script string) string { return script }

// If a script only compares sums, the function asIntegers returns a script in which cvc5 computes with integers. Otherwise
// it returns "".
func asIntegers(script string) string {
	if !sums(script) {
		return ""
	}
	return integers + script
}

// The type "undecided" is an error with the answer of a solver that did not decide a script.
type undecided string

// Error returns the answer, with the name of the solver.
func (u undecided) Error() string { return string(u) }

// The function isUndecided reports whether an error says that a solver did not decide a script.
func isUndecided(err error) bool { return errors.As(err, new(undecided)) }

var declared = regexp.MustCompile(`(?m)^\(declare-const (\w+) \(_ BitVec 64\)\)$`)

// The method "narrow" asks z3 for values that refute a claim and agree with one of the maps s.Narrow, if they concern
// variables of the script. It returns an error if there are such values.
func (s *Session) narrow(script string, steps int) error {
	asked := map[string]bool{}
	for _, values := range s.Narrow {
		narrower := ""
		for _, m := range declared.FindAllStringSubmatch(script, -1) {
			if v, ok := values[m[1]]; ok {
				narrower += fmt.Sprintf("(assert (= %s (_ bv%d 64)))\n", m[1], v)
			}
		}
		if narrower == "" || asked[narrower] {
			continue
		}
		asked[narrower] = true
		got, err := s.ask(0, strings.Replace(script, "(check-sat)\n", narrower+"(check-sat)\n", 1), steps)
		if err == nil && got == "sat" {
			err = fmt.Errorf("z3 says sat, also with %s", strings.Join(strings.Fields(narrower), " "))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// The constant "end" is the text that a solver prints after its answer to a script.
const end = "end-of-script"

// The method "ask" returns the answer of solver k to a script. The answer is "unknown" if the solver needs more than
// the given number of steps.
func (s *Session) ask(k int, script string, steps int) (string, error) {
	p := s.solvers[k]
	if p == nil {
		var err error
		if p, err = start(interactive[k].command); err != nil {
			return "", err
		}
		s.solvers[k] = p
	}
	text := "(reset)\n" + fmt.Sprintf(interactive[k].limit, steps) + script + "(echo \"" + end + "\")\n"
	go io.WriteString(p.in, text) // a solver that has ended does not read: its lines then end too
	late := time.After(tooLong)
	var said []string
	for {
		select {
		case line, ok := <-p.out:
			if !ok {
				s.stop(k)
				return strings.Join(append(said, "nothing"), " "), nil
			}
			if strings.Trim(line, "\"") == end {
				return strings.Join(said, " "), nil
			}
			said = append(said, line)
		case <-late: // it ignores its limit
			s.stop(k)
			return "unknown", nil
		}
	}
}

func start(solver []string) (*process, error) {
	p := &process{cmd: command(solver), out: make(chan string, 16)}
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(p.out)
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			p.out <- strings.TrimSpace(lines.Text())
		}
	}()
	return p, nil
}

// The method "stop" ends the process of solver k. The next call of the method "ask" starts the solver again.
func (s *Session) stop(k int) {
	p := s.solvers[k]
	if p == nil {
		return
	}
	s.solvers[k] = nil
	p.in.Close()
	p.cmd.Process.Kill()
	for range p.out { // so that its reader ends
	}
	p.cmd.Wait()
}

// Close ends the processes of the solvers.
func (s *Session) Close() {
	for k := range s.solvers {
		s.stop(k)
	}
}
