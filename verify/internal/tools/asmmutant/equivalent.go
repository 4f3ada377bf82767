package main

import (
	_ "embed"
	"fmt"
	"path/filepath"
)

//go:embed equivalent.txt
var equivalentText string

// The list equivalent.txt names a mutant by five fields: the file, the function, the label, the statement and the
// change. The method "fields" returns these fields.
func (m *mutant) fields() []string {
	return []string{m.was().file, m.function.name, m.label, m.was().String(), m.now}
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
