package mutant_test

import (
	"testing"

	"github.com/bloomproof/bloomproof/verify/internal/mutant/blind"
)

// The first score is of all faults, each with a name of its own.
func TestFirstScore(t *testing.T) {
	said, seen, count := blind.First(), map[string]bool{}, map[string]int{}
	for _, f := range blind.All() {
		if seen[f.Name] {
			t.Errorf("two faults have the name %q", f.Name)
		}
		seen[f.Name] = true
		switch verdict := said[f.Name]; verdict {
		case "caught", "missed", "ended":
			count[verdict]++
		default:
			t.Errorf("%q: first.txt says %q", f.Name, verdict)
		}
	}
	if len(said) != len(seen) {
		t.Errorf("first.txt has %d faults, there are %d", len(said), len(seen))
	}
	t.Logf("%v", count)
}
