package starved

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Compare compares a text with the recorded text in a file. It reports the lines that only one of them has. The flag
// -update writes the text into the file instead.
func Compare(t *testing.T, name, found string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(found), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	recorded, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if found == string(recorded) {
		return
	}
	t.Errorf("%s has other lines", name)
	now, then := strings.Split(found, "\n"), strings.Split(string(recorded), "\n")
	for _, line := range now {
		if !slices.Contains(then, line) {
			t.Errorf("now:      %s", line)
		}
	}
	for _, line := range then {
		if !slices.Contains(now, line) {
			t.Errorf("recorded: %s", line)
		}
	}
}
