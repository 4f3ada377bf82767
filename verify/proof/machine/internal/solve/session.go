package solve

import (
	"bufio"
	"cmp"
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

// Refute sends all scripts that are not yet proved to the solvers. A solver must answer unsat to each script within the
// time limit. Otherwise Refute stops, and returns an error with the name of the script. If some of the scripts probably
// cannot be proved, call Refute instead of the function All.
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
	for k := range s.solvers {
		rest := open
		for round, steps := range interactive[k].steps {
			var later []int
			for _, i := range rest {
				got, err := s.ask(k, scripts[i], steps)
				switch {
				case err != nil:
					return fmt.Errorf("%s: %w", names[i], err)
				case got == "unsat":
				case got == "sat" || round == 1:
					return fmt.Errorf("%s: %s says %.80s", names[i], interactive[k].command[0], got)
				default:
					if k == 0 && round == 0 {
						if err := s.narrow(scripts[i], steps); err != nil {
							return fmt.Errorf("%s: %w", names[i], err)
						}
					}
					later = append(later, i)
				}
			}
			rest = later
		}
	}
	for _, i := range open {
		if err := put(scripts[i]); err != nil {
			return err
		}
	}
	return nil
}

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
