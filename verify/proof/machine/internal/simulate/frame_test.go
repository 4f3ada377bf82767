package simulate

import (
	"strings"
	"testing"
)

// TestFrame asserts which bytes below the return address a function may use.
func TestFrame(t *testing.T) {
	const source = "TEXT ·A(SB), NOSPLIT, $192-104\n\tRET\nTEXT ·B(SB), 0, $0-8\n// TEXT ·C(SB), NOSPLIT, $8-8\n"
	for name, want := range map[string]int64{"A": 200, "B": 0} {
		if got, err := frameOf(name, source); got != want || err != nil {
			t.Errorf("%s: %d, %v, want %d", name, got, err, want)
		}
	}
	for _, name := range []string{"C", "D"} {
		if _, err := frameOf(name, source); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
