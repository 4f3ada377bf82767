package starved

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/bloomproof/bloomproof/exact/internal/fault"
)

// TestFaulty gives a Faulty computations whose parts wrap their errors. One of them has another answer if a part is too
// costly, and one has the same answer.
func TestFaulty(t *testing.T) {
	part := func() error {
		if err := fault.Part(); err != nil {
			return fmt.Errorf("a part: %w", err)
		}
		return nil
	}
	whole := Fallible{Name: "whole", Fixed: true, Of: func(uint) (any, error) { return 1, part() }}
	instead := Fallible{Name: "instead", Fixed: true, Of: func(uint) (any, error) {
		if err := part(); err != nil {
			return 1, nil
		}
		return 1, nil
	}}
	name := filepath.Join(t.TempDir(), "costly.txt")
	if err := os.WriteFile(name, []byte(heading+"instead: 1 shortcuts, 1 equal answers, 0 others\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if n := (Faulty{Most: 1, Record: name}).Check(t, []Fallible{whole, instead}); n != 2 {
		t.Errorf("%d faults", n)
	}
}
