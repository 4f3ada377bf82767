// Package longtest says how much a test run is to do. There are three sizes, and every test of
// the module chooses by them:
//
//	go test -short               for emulated processors, the race detector and other tags
//	go test                      make test: minutes of processor time
//	BLOOMPROOF_LONG=1 go test    make test-long: all that the tests can do; .ci/run runs it
//
// What is left out without BLOOMPROOF_LONG is more of the same: finer grids, more draws, larger
// filters.
package longtest

import (
	"os"
	"testing"
)

// Env is the environment variable that asks for long tests.
const Env = "BLOOMPROOF_LONG"

// Enabled reports whether tests are to do all that they can: Env is set, and -short is not.
func Enabled() bool { return os.Getenv(Env) != "" && !testing.Short() }

// Only skips a test that says little more than others unless tests are long.
func Only(t testing.TB, why string) {
	t.Helper()
	if !Enabled() {
		t.Skipf("%s: %s=1 (make test-long) runs it", why, Env)
	}
}

// Of returns the size of a test: that of a short, of an ordinary or of a long run.
func Of[T any](short, usual, long T) T {
	switch {
	case testing.Short():
		return short
	case Enabled():
		return long
	}
	return usual
}
