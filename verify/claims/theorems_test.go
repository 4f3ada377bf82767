package claims

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every theorem that a claim names stands in its file, and in the table of what Coq checks; every name belongs to a
// claim. That the table is what Coq checks is tested beside it.
func TestTheorems(t *testing.T) {
	root := filepath.Join("..", "..")
	table, err := os.ReadFile(filepath.Join(root, "verify", "proof", "theorems", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	form := regexp.MustCompile(`^(\w+) \((verify/proof/theorems/(\w+\.v))\)$`)
	named := 0
	for _, c := range All() {
		if c.Theorem == "" {
			continue
		}
		named++
		part := form.FindStringSubmatch(c.Theorem)
		if part == nil {
			t.Errorf("%s: %q is no name and file", c.ID, c.Theorem)
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(part[2])))
		if err != nil {
			t.Error(err)
			continue
		}
		if !regexp.MustCompile(`(?m)^Theorem ` + part[1] + `\b`).Match(text) {
			t.Errorf("%s: %s has no theorem %s", c.ID, part[2], part[1])
		}
		if !bytes.Contains(table, []byte("| `"+part[1]+"` | `"+part[3]+"` |")) {
			t.Errorf("%s: Coq is not asked for %s of %s", c.ID, part[1], part[3])
		}
		if c.Verdict == Open {
			t.Errorf("%s is open and has a theorem", c.ID)
		}
	}
	const most = 27 // confirmed claims without a theorem: it may fall
	confirmed, without := 0, 0
	for _, c := range All() {
		if c.Verdict == Confirmed {
			confirmed++
			if c.Theorem == "" {
				without++
			}
		}
	}
	t.Logf("%d of %d confirmed claims have no theorem", without, confirmed)
	if without > most {
		t.Errorf("%d confirmed claims have no theorem, at most %d had none", without, most)
	}
	if named != len(theorems) {
		t.Errorf("%d claims have a theorem, %d names are given", named, len(theorems))
	}
	var page strings.Builder
	if err := writePage(&page, All()); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(page.String(), "\n- theorem: "); n != named {
		t.Errorf("the page names %d theorems, %d claims have one", n, named)
	}
}
