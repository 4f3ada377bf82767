package main

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The constant "prefix" is the common prefix of the package names in a coverage profile.
const prefix = "github.com/bloomproof/bloomproof"

var block = regexp.MustCompile(`^(\S+)/[^/\s]+\.go:\S+ (\d+) (\d+)$`)

// The function "coverage" returns the record of a coverage profile. The record has one line for each package. The line
// has the number of its statements and the number of executed statements. In a profile of several tests a block occurs
// once for each test.
func coverage(profile string) (string, error) {
	lines := strings.Split(strings.TrimSpace(profile), "\n")
	if !strings.HasPrefix(lines[0], "mode: ") {
		return "", fmt.Errorf("no coverage profile: %q", lines[0])
	}
	statements := map[string]int{} // the statements of each block
	reached := map[string]bool{}
	for _, line := range lines[1:] {
		m := block.FindStringSubmatch(line)
		if m == nil {
			return "", fmt.Errorf("no line of a coverage profile: %q", line)
		}
		n, err := strconv.Atoi(m[2])
		if err != nil {
			return "", err
		}
		key := strings.Join(strings.Fields(line)[:1], "")
		statements[key] = n
		reached[key] = reached[key] || m[3] != "0"
	}
	total, hit := map[string]int{}, map[string]int{}
	var packages []string
	for key, n := range statements {
		name := strings.TrimPrefix(path.Dir(key[:strings.Index(key, ".go:")]), prefix)
		name = strings.TrimPrefix(name, "/")
		if name == "" {
			name = "."
		}
		if total[name] == 0 {
			packages = append(packages, name)
		}
		total[name] += n
		if reached[key] {
			hit[name] += n
		}
	}
	slices.Sort(packages)
	packages = slices.Compact(packages)
	var b strings.Builder
	for _, p := range packages {
		fmt.Fprintf(&b, "%-28s %6d %6d\n", p, total[p], hit[p])
	}
	return b.String(), nil
}
