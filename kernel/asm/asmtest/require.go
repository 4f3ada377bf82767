package asmtest

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// RequireEnv is the name of an environment variable. It lists the implementations, separated by commas, that a test run
// must include. Only tests read it.
const RequireEnv = "BLOOMPROOF_REQUIRE"

// Require returns an error if BLOOMPROOF_REQUIRE names an implementation that is not in the list have. So a test that
// could not run does not pass.
func Require(have []string) error { return require(os.Getenv(RequireEnv), have) }

func require(list string, have []string) error {
	for _, name := range strings.Split(list, ",") {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(have, name) {
			return fmt.Errorf("%s=%s: %s is not available, only %s", RequireEnv, list, name, strings.Join(have, ", "))
		}
	}
	return nil
}
