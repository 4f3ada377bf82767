// Package like describes the Bloom filters of other libraries and formats. It says how these filters derive the
// positions of a key, and which m and k they can have. It says how they choose m and k for a number of keys and a rate.
// It also computes the true rate for the chosen m and k.
//
// The [Law] of an answer says whether the rate is exact, lies between proven bounds, or comes from a simulation.
// Filter.Assumes names the assumptions. All answers assume an ideal hash function. Some filters need further
// assumptions, such as the independence of hashes with different seeds.
//
// To add a filter, write its file and add it to table.go. CONTRIBUTING.md has the other steps.
package like

import (
	"fmt"
	"strings"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// A Law says how well the rate of a filter is known.
type Law string

const (
	Exact     Law = "exact"     // a proven enclosure of the rate, with the requested width
	Enclosed  Law = "enclosed"  // two proven numbers, between which the rate lies
	Simulated Law = "simulated" // the 99 % interval of a simulation of the library's derivation
)

// A Filter describes the Bloom filter of a library or of a format.
type Filter struct {
	Name      string
	Version   string // the version whose source was read
	Source    string // the file that was read
	Hash      string // the hash function and its bits
	Positions string // how positions are derived
	Sizing    string // how the library or its user chooses m and k
	Assumes   string // the assumptions of the answers
	Finding   string // what a user should know, in one sentence
	Law       Law    // the law of the answers; Rate says when a single answer has another law
	Unproven  string // why no exact rate and no enclosure is known, for a Simulated filter

	bits   width
	k      span
	slices bool                // true if m must be a multiple of k
	ideal  bloomproof.Geometry // the same filter with independent positions; its M and K are not used

	rate rate  // nil for an Exact filter that has the rate of ideal, and for a Simulated filter
	twin twin  // set for a Simulated filter, and if the enclosure by rate is wide
	own  sizes // nil if the library has no rule that begins with a rate

	known []size // known results of own, which were published or worked out by hand from the library's formulas
}

// The type "size" records a known result of a library's sizing rule. The library chooses m and k for n keys and a rate.
// If the library refuses, m and k are 0.
type size struct {
	n    uint64
	rate float64
	m    uint64
	k    int
}

// The type "rate" is for functions that enclose the false-positive rate of a filter. The filter has the shape g and n
// keys.
type rate func(g bloomproof.Geometry, n uint64, prec uint) (exact.Enclosure, error)

// A function of the type "sizes" computes m and k by a library's own rule. Its arguments are the number of keys and the
// wanted rate.
type sizes func(n uint64, rate float64) (m uint64, k int)

// A library permits only some numbers of bits for a filter. The type "width" describes these numbers. They are lo,
// lo+step, and so on, up to hi. If the field "power" is true, only the powers of two among these numbers are permitted.
type width struct {
	step, lo, hi uint64
	power        bool
}

// A span says how many positions a filter can have: at least lo and at most hi.
type span struct{ lo, hi int }

// String returns a text that describes b.
func (b width) String() string {
	switch {
	case b.lo == b.hi:
		return fmt.Sprint(b.lo)
	case b.power:
		return fmt.Sprintf("a power of two from %d to %d", b.lo, b.hi)
	case b.lo%b.step != 0:
		return fmt.Sprintf("%d and a multiple of %d, at most %d", b.lo, b.step, b.hi)
	case b.step > 1:
		return fmt.Sprintf("a multiple of %d from %d to %d", b.step, b.lo, b.hi)
	}
	return fmt.Sprintf("between %d and %d", b.lo, b.hi)
}

// The method "up" returns the smallest permitted number of bits that is at least m. It returns false if there is
// none.
func (b width) up(m uint64) (uint64, bool) {
	m = max(m, b.lo)
	if m > b.hi {
		return 0, false
	}
	if b.power {
		p := b.lo
		for p < m {
			p *= 2
		}
		return p, true
	}
	if beyond := (m - b.lo) % b.step; beyond != 0 {
		m += b.step - beyond
	}
	return m, m <= b.hi
}

// String returns a text that describes s.
func (s span) String() string {
	if s.lo == s.hi {
		return fmt.Sprint(s.lo)
	}
	return fmt.Sprintf("between %d and %d", s.lo, s.hi)
}

// Find returns the filter with the given name.
//
// Errors: *bloomproof.ParamError if no filter has this name. The error proposes the filter with the most similar name.
func Find(name string) (*Filter, error) {
	const most = 64 // only the first letters are compared
	given := strings.ToLower(name[:min(len(name), most)])
	nearest, least := "", 0
	for _, f := range table {
		if f.Name == name {
			return f.copy(), nil
		}
		if d := distance(given, f.Name); nearest == "" || d < least {
			nearest, least = f.Name, d
		}
	}
	return nil, &bloomproof.ParamError{Param: "like", Value: name, Want: fmt.Sprintf("a filter that bloomproof like lists, such as %s", nearest)}
}

// All returns the filters in the order of the table.
func All() []*Filter {
	var all []*Filter
	for _, f := range table {
		all = append(all, f.copy())
	}
	return all
}

// The method "copy" returns a copy of f. A caller can change the copy without changing the table.
func (f *Filter) copy() *Filter {
	c := *f
	return &c
}

// The function "distance" returns how many letters must be changed, added or dropped to turn a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// Geometry returns the shape with the given m and k and with independent positions. An Exact filter has the rate of
// this shape, unless its field "rate" is set. The argument k may be 0 if the library permits only one k. Then the shape
// has this k.
//
// Errors: *bloomproof.ParamError if the library does not permit this m or this k.
func (f *Filter) Geometry(m uint64, k int) (bloomproof.Geometry, error) {
	g := f.ideal
	if up, ok := f.bits.up(m); !ok || up != m {
		return g, &bloomproof.ParamError{Param: "m", Value: m, Want: f.bits.String() + " for " + f.Name}
	}
	if k == 0 && f.k.lo == f.k.hi {
		k = f.k.lo
	}
	if k < f.k.lo || k > f.k.hi {
		return g, &bloomproof.ParamError{Param: "k", Value: k, Want: f.k.String() + " for " + f.Name}
	}
	g.M, g.K = m, k
	return g, g.Validate()
}

// Independent compares f with the shape that f.Geometry returns. It reports whether both have exactly the same rate.
// The positions of this shape are independent.
func (f *Filter) Independent() bool { return f.rate == nil && f.twin == nil }

// Estimates reports whether the usual estimate of the number of keys can be used. This estimate follows from the number
// of set bits. It assumes that all positions are independent. If the filter is not Independent, this estimate is only
// approximately right.
func (f *Filter) Estimates() bool { return f.Independent() || f.Law == Enclosed && f.twin == nil }

// Own returns the m and k that the library chooses for n keys and a rate. The result ok is false if the library has no
// rule for this choice, or if it refuses the arguments.
//
// Domain: n >= 1, 0 < rate < 1.
// Error: the rule computes in float64 as the library does. If the rule rounds to an integer, the last bit of a
// logarithm can decide the result. Mathematical libraries differ in this bit.
func (f *Filter) Own(n uint64, rate float64) (m uint64, k int, ok bool) {
	if f.own == nil {
		return 0, 0, false
	}
	m, k = f.own(n, rate)
	return m, k, m > 0 && k > 0
}
