// Package blind has filters with faults. Three authors wrote these filters. The authors knew the interface of package
// conform and its promises, but had not read its tests. For each filter, the file first.txt records the result of its
// first examination. This examination was made when the filter was added, and before the tests of package conform were
// changed. Of these filters, 213 are from the first two authors. Before the filters of the third author were added, the
// examination already found the faults of 208 filters.
package blind

import (
	_ "embed"
	"strings"

	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/internal/mutant/blind/chances"
	"github.com/bloomproof/bloomproof/verify/internal/mutant/blind/fresh"
	"github.com/bloomproof/bloomproof/verify/internal/mutant/blind/states"
)

// Fault describes a Bloom filter with one deliberate fault.
type Fault struct {
	Name, Kind string
	Examine    func(conform.Options) (conform.Report, error)
}

// All returns the faulty filters from the packages states, chances and fresh.
func All() []Fault {
	var all []Fault
	for _, f := range states.All() {
		all = append(all, Fault{f.Name, f.Kind, examination(f.Subject)})
	}
	for _, f := range chances.All() {
		all = append(all, Fault{f.Name, f.Kind, examination(f.Subject)})
	}
	for _, f := range fresh.All() {
		all = append(all, Fault{f.Name, f.Kind, examination(f.Subject)})
	}
	return all
}

func examination[F any](s conform.Subject[F]) func(conform.Options) (conform.Report, error) {
	return func(o conform.Options) (conform.Report, error) { return conform.Examine(s, o) }
}

//go:embed first.txt
var first string

// First returns one result for each fault, from the first time that this fault was examined. The result is "caught" or
// "missed". If the examination was cut off, the result is "ended".
func First() map[string]string {
	said := map[string]string{}
	for line := range strings.Lines(first) {
		if verdict, name, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			said[name] = verdict
		}
	}
	return said
}
