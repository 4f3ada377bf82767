package asmtest

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// RequireEnv is the name of an environment variable. Its value is a list of implementations that a test run must test.
// The names in the list are separated by commas. Only tests read it.
const RequireEnv = "BLOOMPROOF_REQUIRE"

// Require returns an error if the environment variable BLOOMPROOF_REQUIRE names an implementation that is missing in
// the slice "have". A test that cannot test this implementation then fails.
func Require(have []string) error { return require(os.Getenv(RequireEnv), have) }

func require(list string, have []string) error {
	for _, name := range strings.Split(list, ",") {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(have, name) {
			return fmt.Errorf("%s=%s: %s is not available, only %s", RequireEnv, list, name, strings.Join(have, ", "))
		}
	}
	return nil
}
