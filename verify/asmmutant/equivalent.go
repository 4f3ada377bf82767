package main

import (
	_ "embed"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed equivalent.txt
var equivalentText string

// equivalent is an entry of equivalent.txt: mutants that give what the function gives,
// and why.
type equivalent struct {
	line   int
	reason string
	fields []*regexp.Regexp // file, function, label, statement, change
}

// readEquivalents reads the list: an entry is a line of five fields between bars, in which
// * stands for any text; the comment above it is the reason.
func readEquivalents(text string) (out []equivalent, err error) {
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
		e := equivalent{line: i + 1, reason: reason}
		for _, f := range strings.Split(line, "|") {
			f = strings.ReplaceAll(regexp.QuoteMeta(strings.Join(strings.Fields(f), " ")), `\*`, ".*")
			e.fields = append(e.fields, regexp.MustCompile("^"+f+"$"))
		}
		if len(e.fields) != 5 || reason == "" {
			return nil, fmt.Errorf("equivalent.txt:%d: not five fields, or no reason above them", i+1)
		}
		out = append(out, e)
	}
	return out, nil
}

// covers reports whether the entry names m.
func (e *equivalent) covers(m *mutant) bool {
	return e.fields[4].MatchString(m.now) && e.fields[2].MatchString(m.label) && e.fields[0].MatchString(m.was().file) &&
		e.fields[1].MatchString(m.function.name) && e.fields[3].MatchString(m.was().String())
}

// listed returns the first entry that names m, or nil.
func listed(list []equivalent, m *mutant) *equivalent {
	for i := range list {
		if list[i].covers(m) {
			return &list[i]
		}
	}
	return nil
}

// readAll returns the mutants of the assembly of an architecture.
func readAll(root, goarch string) (out []*mutant, err error) {
	paths, err := filepath.Glob(filepath.Join(root, "kernel", "asm", "*_"+goarch+".s"))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("no assembly for %s: %v", goarch, err)
	}
	for _, p := range paths {
		s, err := readSource(p, goarch)
		if err != nil {
			return nil, err
		}
		out = append(out, s.mutants()...)
	}
	return out, nil
}
