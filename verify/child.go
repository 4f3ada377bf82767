package verify

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// testEnv is the environment variable that tells a child process which examination it runs. Its value is the name of
// the test, followed by a number. Each call of Child in that test has its own number.
const testEnv = "BLOOMPROOF_TEST"

var children = struct {
	sync.Mutex
	of map[*testing.T]int
}{of: map[*testing.T]int{}}

// Child returns the function that conform.Options.Child needs, for use in a test. The command that this function
// returns starts the test binary again. The child process runs only this test. The test calls conform.Examine, and
// passes the function as the option Child. The child process ends when this call has finished its examination. So the
// child process repeats everything that the test does before the examination. In the child, the flag -test.short has
// the same value as in this process. The child also gets the flags that are set in this process, except those whose
// names begin with "test.". So the child writes neither profiles nor coverage data.
//
//	verify.Conformance(t, subject, conform.Options{Child: verify.Child(t)})
func Child(t *testing.T) func() *exec.Cmd {
	t.Helper()
	children.Lock()
	defer children.Unlock()
	if children.of[t] == 0 {
		t.Cleanup(func() {
			children.Lock()
			defer children.Unlock()
			delete(children.of, t)
		})
	}
	children.of[t]++
	name := fmt.Sprintf("%s %d", t.Name(), children.of[t])
	return func() *exec.Cmd {
		if meant, is := os.LookupEnv(testEnv); is && meant != name {
			return nil
		}
		path := strings.Split(t.Name(), "/")
		for i, p := range path {
			path[i] = "^" + regexp.QuoteMeta(p) + "$"
		}
		args := []string{"-test.run=" + strings.Join(path, "/"), "-test.timeout=0", fmt.Sprintf("-test.short=%t", testing.Short())}
		flag.Visit(func(f *flag.Flag) {
			if !strings.HasPrefix(f.Name, "test.") {
				args = append(args, fmt.Sprintf("-%s=%s", f.Name, f.Value))
			}
		})
		cmd := exec.Command(os.Args[0], append(append(args, "--"), flag.Args()...)...)
		cmd.Env = append(os.Environ(), testEnv+"="+name)
		return cmd
	}
}
