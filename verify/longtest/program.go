package longtest

import (
	"os"
	"os/exec"
	"slices"
	"testing"
)

// The list "programs" has the names of the programs that tests may ask for. The script .ci/run installs these programs.
// The command "make test" runs the script .ci/missing. This script prints which of the programs are missing.
var programs = []string{
	"aarch64-linux-gnu-objdump", "bash", "cc", "chromium", "coqc", "cvc5", "fish", "java", "llvm-objdump", "node", "objdump", "python3", "rustc", "z3", "zsh",
}

// Program finds another program on this host, and returns the path of that program. The script .ci/run installs this
// program, but some contributors do not have it. If the program is missing, the test is skipped. If BLOOMPROOF_PROGRAMS
// is set, as in .ci/run, the test fails instead.
func Program(t testing.TB, name string) string {
	t.Helper()
	if !slices.Contains(programs, name) {
		t.Fatalf("%s is not in the list of programs of verify/longtest", name)
	}
	path, err := exec.LookPath(name)
	if err != nil && os.Getenv("BLOOMPROOF_PROGRAMS") != "" {
		t.Fatal(err)
	}
	if err != nil {
		t.Skipf("no %s here; .ci/run installs it", name)
	}
	return path
}
