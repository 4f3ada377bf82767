package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	_ "embed"

	"github.com/bloomproof/bloomproof/kernel/host"
)

// The families of CPUs, by the vectors that the kernels of filters use.
const (
	avx512 = "AVX-512"
	avx2   = "AVX2"
	neon   = "NEON"
	none   = "no vectors"
)

// families are in the order of the results.
var families = []string{avx512, avx2, neon, none}

// family returns the family of this CPU, from its features alone.
func family() string {
	switch host.At(host.Probe, host.Auto) {
	case host.AVX512:
		return avx512
	case host.AVX2:
		return avx2
	case host.NEON:
		return neon
	}
	return none
}

// tried is what was done about goals that are missed, and what did not help.
//
//go:embed tried.md
var tried string

const (
	resultsTitle = "# Comparison with other filters\n\nBy families of CPUs; a run replaces the tables of its own family and no others.\n"
	markerBegin  = "<!-- family: "
	markerEnd    = " -->\n"
	markerTried  = "<!-- tried -->\n"
)

// withFamily returns the results with the tables of one family replaced by text.
func withFamily(results, name, text string) (string, error) {
	if !slices.Contains(families, name) {
		return "", fmt.Errorf("no family of CPUs is named %q", name)
	}
	tables := map[string]string{}
	results, _, _ = strings.Cut(results, markerTried)
	for i, part := range strings.Split(results, markerBegin) {
		if i == 0 {
			continue // the title
		}
		of, body, ok := strings.Cut(part, markerEnd)
		if !ok || !slices.Contains(families, of) {
			line, _, _ := strings.Cut(part, "\n")
			return "", fmt.Errorf("the results have tables of an unknown family: %q", line)
		}
		if tables[of] != "" {
			return "", fmt.Errorf("the results have two tables of %s", of)
		}
		tables[of] = body
	}
	tables[name] = text
	var b strings.Builder
	b.WriteString(resultsTitle)
	for _, of := range families {
		if tables[of] != "" {
			fmt.Fprintf(&b, "\n%s%s%s\n%s\n", markerBegin, of, markerEnd, strings.TrimSpace(tables[of]))
		}
	}
	b.WriteString("\n" + markerTried + tried)
	return b.String(), nil
}

// writeFamily replaces the tables of a family in a file, which it makes if there is none.
func writeFamily(path, name, text string) error {
	old, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	results, err := withFamily(string(old), name, text)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, []byte(results), 0o644)
}
