package campaign

import (
	"fmt"
	"strings"
)

// Equivalent is an entry of a list equivalent.txt. It names mutants that give the same results as the original code. It
// also gives a reason for this.
type Equivalent struct {
	Line   int
	Reason string
	fields []pattern
}

// ReadEquivalents reads the list. An entry is a line with the given number of fields, separated by bars. A star in a
// field matches any text. The comment above an entry explains why the mutant is equivalent. A bar that is part of a
// field is written ¦.
func ReadEquivalents(text string, fields int) (out []Equivalent, err error) {
	reason, open := "", false
	for i, line := range strings.Split(text, "\n") {
		if comment, ok := strings.CutPrefix(line, "#"); ok {
			if !open {
				reason, open = "", true
			}
			reason = strings.TrimSpace(reason + " " + strings.TrimSpace(comment))
			continue
		}
		open = false
		if strings.TrimSpace(line) == "" {
			reason = ""
			continue
		}
		e := Equivalent{Line: i + 1, Reason: reason}
		for _, f := range strings.Split(line, "|") {
			f = strings.ReplaceAll(strings.Join(strings.Fields(f), " "), "¦", "|")
			e.fields = append(e.fields, strings.Split(f, "*"))
		}
		if len(e.fields) != fields || reason == "" {
			return nil, fmt.Errorf("equivalent.txt:%d: not %d fields, or no reason above them", i+1, fields)
		}
		out = append(out, e)
	}
	return out, nil
}

// An entry names mutants by patterns. The method Covers reports whether the fields of a mutant match these patterns.
func (e *Equivalent) Covers(fields []string) bool {
	for i := len(fields) - 1; i >= 0; i-- { // the last fields differ most often
		if !e.fields[i].matches(fields[i]) {
			return false
		}
	}
	return true
}

// Listed returns the first entry that names the mutant with these fields, or nil.
func Listed(list []Equivalent, fields []string) *Equivalent {
	for i := range list {
		if list[i].Covers(fields) {
			return &list[i]
		}
	}
	return nil
}

// A field of an entry can contain stars, and each star stands for any text. The type "pattern" has the texts before,
// between and after the stars.
type pattern []string

// The method "matches" reports whether s matches the pattern. It is true if s contains the texts of the pattern in the
// same order. In place of each star, s can have any text.
func (p pattern) matches(s string) bool {
	first, last := p[0], p[len(p)-1]
	if len(p) == 1 {
		return s == first
	}
	s, found := strings.CutPrefix(s, first)
	for _, text := range p[1 : len(p)-1] {
		if found {
			_, s, found = strings.Cut(s, text)
		}
	}
	return found && strings.HasSuffix(s, last)
}
