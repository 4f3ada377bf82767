package longtest

import (
	"os"
	"os/exec"
	"testing"
)

// Program returns the path of a program that .ci/run installs and that a contributor may not have. Without the program
// the test is skipped; if BLOOMPROOF_PROGRAMS is set, as in .ci/run, it fails.
func Program(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil && os.Getenv("BLOOMPROOF_PROGRAMS") != "" {
		t.Fatal(err)
	}
	if err != nil {
		t.Skipf("no %s here; .ci/run installs it", name)
	}
	return path
}
