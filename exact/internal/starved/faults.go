package starved

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// The type Fallible describes one computation. Its field Of returns an answer that fmt can print, or an error. If the
// field Fixed is true, the computation ignores the precision.
type Fallible struct {
	Name  string
	Of    func(prec uint) (answer any, err error)
	Fixed bool
}

// faultPrec is the precision, in bits, of the numbers that a Faulty asks for.
const faultPrec = 20

// The type Faulty lets parts of computations fail, one at a time (see package fault).
//
// First the parts fail with the error fault.ErrInjected. Then the computation must fail with this error. A part can also
// be a shortcut that another computation replaces. Then the answer must be the answer without the fault. A computation
// that ignores the error of a part gives another answer.
//
// Then the parts fail with the error refuse.ErrTooCostly. Some computations take another route after this error. Their
// answers can be other ones, for example because a search tries fewer candidates. For each computation, the file Record
// has the number of shortcuts and the number of these answers. If these numbers change on purpose, the flag -update
// writes them.
//
// An error is passed on at every place in the code that leads to the failing part. A place is a line of a function. So a
// part fails only if one of these places has passed on fewer than Most faults.
type Faulty struct {
	Most   int
	Record string // a file with the numbers of answers, or empty
}

// The type "places" has the number of faults that each place has passed on. The field "of" has the place of each call.
type places struct {
	faults map[string]int
	of     map[uintptr]string
}

func newPlaces() places { return places{map[string]int{}, map[uintptr]string{}} }

// The method "run" runs the computation c. The result "found" is true if c has a part whose fault is new. If the argument
// "with" is not nil, the first such part fails with this error.
func (p places) run(c Fallible, most int, with error) (found bool, answer any, err error) {
	defer fault.Inject(func(calls []uintptr) error {
		if found || !slices.ContainsFunc(calls, func(call uintptr) bool { return p.faults[p.at(call)] < most }) {
			return nil
		}
		if found = true; with != nil {
			for _, call := range calls {
				p.faults[p.at(call)]++
			}
		}
		return with
	})()
	defer precision.Starve(precision.Starving{Guard: -1})() // answers may be too wide
	defer func() {
		if x := recover(); x != nil && with != nil && strings.Contains(fmt.Sprint(x), with.Error()) {
			err = with // the code panics because this part cannot fail
		} else if x != nil {
			panic(x)
		}
	}()
	answer, err = c.Of(faultPrec)
	return found, answer, err
}

// The method "at" returns the place of a call.
func (p places) at(call uintptr) string {
	place, ok := p.of[call]
	if !ok {
		frame, _ := runtime.CallersFrames([]uintptr{call}).Next()
		place = fmt.Sprint(frame.Function, " ", frame.Line)
		p.of[call] = place
	}
	return place
}

// Check runs the computations. A precision of 0 must be an error too. The result is the number of faults.
func (f Faulty) Check(t Reporter, all []Fallible) (faults int) {
	t.Helper()
	failing, costly := newPlaces(), newPlaces()
	var others strings.Builder
	for _, c := range all {
		found, want, err := failing.run(c, f.Most, nil)
		if err != nil {
			continue // there is no such number
		}
		if _, err := c.Of(0); err == nil && !c.Fixed {
			t.Errorf("%s: there is an answer with a precision of 0 bits", c.Name)
		}
		if !found {
			continue
		}
		shortcuts, same, other := 0, 0, 0
		for {
			found, got, err := failing.run(c, f.Most, fault.ErrInjected)
			if !found {
				break
			}
			switch faults++; {
			case errors.Is(err, fault.ErrInjected):
			case err != nil || fmt.Sprint(got) != fmt.Sprint(want):
				t.Errorf("%s: a part fails, but the answer is %v, %v, and without this fault %v", c.Name, got, err, want)
			default:
				shortcuts++
			}
		}
		for {
			found, got, err := costly.run(c, f.Most, refuse.ErrTooCostly)
			switch {
			case !found:
			case errors.Is(err, refuse.ErrTooCostly):
				continue
			case err != nil:
				other++
				continue
			case fmt.Sprint(got) == fmt.Sprint(want):
				same++
				continue
			default:
				other++
				continue
			}
			break
		}
		if shortcuts+same+other > 0 {
			fmt.Fprintf(&others, "%s: %d shortcuts, %d equal answers, %d others\n", c.Name, shortcuts, same, other)
		}
	}
	f.compare(t, others.String())
	return faults
}

// The constant "heading" is the first line of the file Record.
const heading = "# Shortcuts, and answers although a part is too costly (TestFaults; -update writes this file).\n"

// The method "compare" compares the text "found" with the file Record.
func (f Faulty) compare(t Reporter, found string) {
	t.Helper()
	if f.Record != "" {
		Compare(t, f.Record, heading+found)
	}
}
