package starved

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// A Reporter reports what is wrong. It has the methods of testing.T for this.
type Reporter interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
}

// Compare compares a text with the recorded text in a file. It reports the lines that only one of them has. The flag
// -update writes the text into the file instead.
func Compare(t Reporter, name, found string) {
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

// Refusals counts how often an exported function returns an error with a certain text.
type Refusals map[string]int

// Add calls a function. The first word of the argument "call" is its name.
func (r Refusals) Add(call string, of func() (any, error)) {
	if _, err := of(); err != nil {
		name, _, _ := strings.Cut(call, " ")
		r[fmt.Sprintf("%s: %v", name, err)]++
	}
}

// String returns a line for each text.
func (r Refusals) String() string {
	var all strings.Builder
	for _, text := range slices.Sorted(maps.Keys(r)) {
		fmt.Fprintf(&all, "%s (%d)\n", text, r[text])
	}
	return all.String()
}
