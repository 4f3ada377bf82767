package campaign

import (
	"fmt"
	"regexp"
	"strings"
)

// Equivalent is an entry of a list equivalent.txt: mutants that give the same results as the code, and why.
type Equivalent struct {
	Line   int
	Reason string
	fields []*regexp.Regexp
}

// ReadEquivalents reads the list. An entry is a line with the given number of fields, separated by bars; * matches any
// text. The comment above the entry is the reason. A bar that is part of a field is written ¦.
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
			f = strings.ReplaceAll(regexp.QuoteMeta(f), `\*`, ".*")
			e.fields = append(e.fields, regexp.MustCompile("^"+f+"$"))
		}
		if len(e.fields) != fields || reason == "" {
			return nil, fmt.Errorf("equivalent.txt:%d: not %d fields, or no reason above them", i+1, fields)
		}
		out = append(out, e)
	}
	return out, nil
}

// Covers reports whether the entry names the mutant with these fields.
func (e *Equivalent) Covers(fields []string) bool {
	for i := len(fields) - 1; i >= 0; i-- { // the last fields differ most often
		if !e.fields[i].MatchString(fields[i]) {
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
