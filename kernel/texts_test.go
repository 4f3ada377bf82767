package kernel_test

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

var updateFlag = flag.Bool("update", false, "write the texts of errors into the files of testdata")

// sameTexts compares texts of errors with those in the file of the test. A key says what is refused. So a refusal that
// another check makes is noticed too.
func sameTexts(t *testing.T, texts map[string]string) {
	t.Helper()
	name := filepath.Join("testdata", t.Name()+".txt")
	var all strings.Builder
	for _, what := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintf(&all, "%s: %s\n", what, texts[what])
	}
	if *updateFlag {
		if err := os.WriteFile(name, []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(all.String(), "\n")
	for i, line := range strings.Split(string(want), "\n") {
		if i >= len(got) || got[i] != line {
			t.Errorf("%s, line %d is %q, but the errors are\n%s", name, i+1, line, all.String())
			break
		}
	}
}
