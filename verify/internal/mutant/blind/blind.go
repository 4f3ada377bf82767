// Package blind has the wrong filters of three authors. They knew the interface of package conform and its promises,
// and had not read how it examines. The file first.txt records what the examination found of each filter when it was
// handed in, before the examination was changed. The filters of the third author came when the examination found 208 of
// the 213 of the first two.
package blind

import (
	_ "embed"
	"strings"

	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/internal/mutant/blind/chances"
	"github.com/bloomproof/bloomproof/verify/internal/mutant/blind/fresh"
	"github.com/bloomproof/bloomproof/verify/internal/mutant/blind/states"
)

// Fault is a filter with one fault.
type Fault struct {
	Name, Kind string
	Examine    func(conform.Options) (conform.Report, error)
}

// All returns the faults of the three authors.
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

// First returns what the first examination said of each fault: "caught", "missed", or "ended" where the examination
// itself did not finish.
func First() map[string]string {
	said := map[string]string{}
	for line := range strings.Lines(first) {
		if verdict, name, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			said[name] = verdict
		}
	}
	return said
}
