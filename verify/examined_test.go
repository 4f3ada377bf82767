package verify_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify"
	"github.com/bloomproof/bloomproof/verify/conform"
)

// unexaminedEnv names the filter that TestUnexamined and FuzzUnexamined examine. They do
// nothing without it: TestUnexaminedFails runs them.
const unexaminedEnv = "BLOOMPROOF_UNEXAMINED"

// unexamined returns a filter that contains nothing, and whose New refuses all shapes, or all
// but those with 8 positions.
func unexamined(kind string) conform.Subject[struct{}] {
	return conform.Subject[struct{}]{
		New: func(_ uint64, k int) (struct{}, error) {
			if kind == "eight" && k == 8 {
				return struct{}{}, nil
			}
			return struct{}{}, errors.New("no such shape")
		},
		Add:      func(struct{}, []byte) {},
		Contains: func(struct{}, []byte) bool { return false },
	}
}

func TestUnexamined(t *testing.T) {
	if kind := os.Getenv(unexaminedEnv); kind != "" {
		verify.Conformance(t, unexamined(kind), conform.Options{Effort: 0.01})
	}
}

func FuzzUnexamined(f *testing.F) {
	if kind := os.Getenv(unexaminedEnv); kind != "" {
		verify.FuzzFilter(f, unexamined(kind))
		return
	}
	f.Fuzz(func(*testing.T, []byte) {})
}

// A filter of which too little was seen fails, and one that contains nothing, although there is
// none but with 8 positions, which no shape of the default grid has.
func TestUnexaminedFails(t *testing.T) {
	if testing.Short() {
		t.Skip("short, as under an emulator, which cannot start the test binary again")
	}
	for _, c := range []struct{ kind, test, want string }{
		{"eight", "TestUnexamined", "is not contained"},
		{"none", "TestUnexamined", `"no false negative" was not examined`},
		{"eight", "FuzzUnexamined", "got false, want true"}, // programs ask for 8 positions, too
		{"none", "FuzzUnexamined", `"no false negative" was not examined`},
	} {
		run := exec.Command(os.Args[0], "-test.run=^"+c.test+"$")
		run.Env = append(os.Environ(), unexaminedEnv+"="+c.kind)
		out, err := run.CombinedOutput()
		var failed *exec.ExitError
		if !errors.As(err, &failed) || !strings.Contains(string(out), c.want) {
			t.Errorf("%s of %s: %v, want a failure with %q\n%s", c.test, c.kind, err, c.want, out)
		}
	}
}
