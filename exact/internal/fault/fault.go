// Package fault lets parts of the computations of package exact and of its subpackages fail in tests. So a test can find
// a computation that ignores the error of one of its parts.
package fault

import (
	"errors"
	"runtime"
)

// ErrInjected is an error for Inject that no other error wraps.
var ErrInjected = errors.New("exact: a fault that a test injected")

// The function "fails" returns the error of a part. If no test injects faults, it is nil.
var fails func(calls []uintptr) error

// The argument of the function "fails" has at most maxCalls calls, namely the innermost ones.
const maxCalls = 64

// Part returns an error if a test lets this part of a computation fail. Otherwise it returns nil. A function that can
// return an error of its own calls Part once.
func Part() error {
	if fails == nil {
		return nil
	}
	var calls [maxCalls]uintptr
	return fails(calls[:runtime.Callers(2, calls[:])])
}

// Inject lets those parts of computations fail for which the function f returns an error. The argument "calls" has the
// calls that lead to the part, as runtime.Callers returns them. Before the call of Inject, the test must not compute
// anything else. Inject returns a function, which the test must call at the end. After this call, no part fails.
func Inject(f func(calls []uintptr) error) (end func()) {
	fails = f
	return func() { fails = nil }
}
