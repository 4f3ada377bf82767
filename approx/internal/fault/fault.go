// Package fault lets parts of the computations of package approx, and of the packages below it, fail. It is for tests.
// So a test can find a computation that ignores the error of one of its parts.
package fault

import (
	"errors"
	"fmt"
)

// Err is the error of a part that a test lets fail. No other error wraps it.
var Err = errors.New("approx: a fault that a test injected")

// The variable "injected" points to the number of the part that fails, counted from 1. No part fails if the number is 0.
// If the variable is nil, no test is running, and parts are not counted.
var injected *int

// The variable "counted" is the number of calls of Part since the test began.
var counted int

// Part returns Err if a test lets this part of a computation fail. Otherwise it returns nil. Each part of a computation
// that can fail calls it once.
func Part() error {
	if injected == nil {
		return nil
	}
	return count()
}

func count() error {
	if counted++; counted != *injected {
		return nil
	}
	return Err
}

// A Case is one computation. The field Of returns an answer that fmt can print, or an error. It must not use stored
// results of earlier calls.
type Case struct {
	Name string
	Of   func() (answer any, err error)
	// A part can be a shortcut that another computation replaces, or its error can mean that a condition does not hold.
	// The field Spared is the number of these parts. If one of them fails, the answer is the same as without the fault.
	Spared int
}

// The interface T has the methods of *testing.T that Each needs.
type T interface {
	Helper()
	Errorf(format string, args ...any)
}

// Each lets one part of each computation fail after the other. The computation must then fail with the error Err, apart
// from the parts that are spared. The argument "most" limits how many parts of a computation fail. They are spread
// evenly. If some parts do not fail, the number of spared parts is not checked. The result is the number of faults.
func Each(t T, most int, all []Case) (faults int) {
	t.Helper()
	run := func(c Case, part int) (answer any, err error) {
		injected, counted = &part, 0
		defer func() {
			injected = nil
			switch r := recover().(type) { // a computation may panic with the error of a part that never fails
			case error:
				answer, err = nil, r
			case any:
				panic(r)
			}
		}()
		return c.Of()
	}
	for _, c := range all {
		want, err := run(c, 0)
		if err != nil {
			t.Errorf("%s: %v, without a fault", c.Name, err)
			continue
		}
		parts, spared := counted, 0
		step := 1 + (parts-1)/most
		for i := parts; i >= 1; i -= step {
			got, err := run(c, i)
			faults++
			switch {
			case err != nil && !errors.Is(err, Err):
				t.Errorf("%s: part %d of %d fails, but the error is %v", c.Name, i, parts, err)
			case err == nil && fmt.Sprint(got) != fmt.Sprint(want):
				t.Errorf("%s: part %d of %d fails, but the answer is %v, and without this fault %v", c.Name, i, parts, got, want)
			case err == nil:
				spared++
			}
		}
		if step == 1 && spared != c.Spared {
			t.Errorf("%s: %d of %d parts can fail without an error, want %d", c.Name, spared, parts, c.Spared)
		}
	}
	return faults
}
