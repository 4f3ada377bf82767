// With package longtest, a test finds out how much work it should do. A test run has one of three sizes. The command
// selects the size.
//
//	go test -short               for emulated processors, the race detector and other tags
//	go test                      make test: minutes of processor time
//	BLOOMPROOF_LONG=1 go test    make test-long and make test-tools-long: all that the tests can do.
//
// BLOOMPROOF_LONG adds no new kinds of tests, only finer grids, more random draws and larger filters.
package longtest

import (
	"os"
	"testing"
)

// Env is the environment variable that turns on long tests.
const Env = "BLOOMPROOF_LONG"

// Enabled reports whether this is a long test run: Env is set, and -short is not.
func Enabled() bool { return os.Getenv(Env) != "" && !testing.Short() }

// The function "Only" restricts a test to long runs. In every other run, it skips the test. Such a test rarely finds a
// fault that the other tests miss.
func Only(t testing.TB, why string) {
	t.Helper()
	if !Enabled() {
		t.Skipf("%s: %s=1 (make test-long) runs it", why, Env)
	}
}

// The function "More" returns its second argument in a long run. In any other run it returns the first argument.
func More[T any](usual, long T) T { return Of(usual, usual, long) }

// The function "Of" returns its first argument in a short run. In an ordinary run it returns the second argument, and
// in a long run the third.
func Of[T any](short, usual, long T) T {
	switch {
	case testing.Short():
		return short
	case Enabled():
		return long
	}
	return usual
}
