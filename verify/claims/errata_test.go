package claims

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// docs/errata.md names every claim that is refuted or a misprint, by its id or by the
// beginning of it, and no claim that stands as printed.
func TestErrata(t *testing.T) {
	text, err := os.ReadFile("../../docs/errata.md")
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	for _, m := range regexp.MustCompile("`((?:burns|fan|dozier-f[pn])\\.[a-z0-9.-]+)`").FindAllStringSubmatch(string(text), -1) {
		named = append(named, m[1])
	}
	of := func(c Claim) (names []string) {
		for _, id := range named {
			if c.ID == id || strings.HasPrefix(c.ID, id+".") {
				names = append(names, id)
			}
		}
		return names
	}
	right := map[string]bool{} // whether an id that is named has anything to correct
	for _, c := range All() {
		wrong := c.Verdict == Refuted || c.Verdict == Misprint
		names := of(c)
		if wrong && len(names) == 0 {
			t.Errorf("%s is %v and not in docs/errata.md", c.ID, c.Verdict)
		}
		for _, id := range names {
			right[id] = right[id] || wrong || c.Verdict == Conditional
		}
	}
	for _, id := range named {
		if !right[id] {
			t.Errorf("docs/errata.md names %s, which stands as printed or is no claim", id)
		}
	}
}
