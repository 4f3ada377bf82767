// Package texts compares the texts of errors with recorded texts. It is for tests. A test that only asks for an error of
// a certain kind does not notice if another check returns it.
package texts

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the texts of errors into the files of testdata")

// Same compares texts with those in the file of the test, which is in the folder testdata. A key of the map says what is
// refused, and the value is the text of the error. The flag -update writes the file instead.
func Same(t *testing.T, found map[string]string) {
	t.Helper()
	name := filepath.Join("testdata", t.Name()+".txt")
	if *update {
		var all strings.Builder
		for _, what := range slices.Sorted(maps.Keys(found)) {
			fmt.Fprintf(&all, "%s: %s\n", what, found[what])
		}
		if err := os.WriteFile(name, []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	recorded := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for what, text := range found {
		if line := what + ": " + text; !slices.Contains(recorded, line) {
			t.Errorf("%s has no line %q", name, line)
		}
	}
	if len(recorded) != len(found) {
		t.Errorf("%s has %d lines, and there are %d errors", name, len(recorded), len(found))
	}
}
