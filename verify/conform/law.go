package conform

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Law is the name of a law that a filter must keep. These are the laws, in the order of examination:
//
//   - no false negative: a key that was added is contained, even after the caller has overwritten its bytes.
//   - rate: new keys are contained as often as the exact model of the declared hashing says, and never in an empty
//     filter.
//   - set bits: the number of set bits follows the occupancy distribution, and Bits equals the number of bits set in
//     the array.
//   - place: every bit is set as often as any other.
//   - dependence: a key's positions are independent of one another. A filter of one key contains other keys as rarely
//     as it should, and its bits do not form arithmetic progressions more often than by chance.
//   - keys: "rate", "set bits" and "dependence" hold for keys that resemble one another: integers that
//     differ in their low or in their high bytes, long common prefixes and suffixes, bytes from
//     0x80 on, all lengths, URLs, UUIDs, numbers and words. A filter of one key contains no key that
//     differs from it in one byte, up to 262,145 bytes (65,537 through a pipe), in length, in the
//     order of its bytes, or in what normalisers of text change, more often than any other key.
//   - batch: a batch does what single calls in turn do, and reads keys as they do.
//   - test and set: it answers as Contains does before the call, and changes the filter as Add does.
//   - union: the union contains what the filter of all the keys contains.
//   - intersection: the intersection contains what both filters contain.
//   - reset: the filter is then as a new one.
//   - stated rate: the rate that the filter states is the exact one, within 5 %.
//   - items: the estimated number of items is right within 5 % or one item; a key that is added again counts once.
//   - sizing: the sizes that the filter advises keep the rate that was asked for, without waste.
//   - snapshot: a snapshot is read back as the same filter, and each state has one encoding.
//   - corrupt snapshot: a snapshot that was cut, lengthened or changed is refused.
//   - hostile snapshot: no snapshot makes reading panic, take over 10 seconds, or allocate more than 1 MiB plus 64
//     times its size. A refused snapshot leaves the filter as it was.
//   - concurrent reads: many goroutines at once get the same answers as one.
//   - concurrent adds: when many goroutines add at once, no key is lost, neither meanwhile nor afterwards, and the
//     filter equals the one that a single goroutine fills.
//
// A program that fails accuses one law. All steps that the failure does not need are left out first. Of the remaining
// steps, those that are a batch, a test and set, a union, an intersection, a reset or a snapshot have a law of their
// own; the last of them is accused. A snapshot at the end only shows what is wrong, so it counts only if there is
// another snapshot or no other such step. Without such a step, the program accuses "no false negative" if a key is
// lost, "rate" if another answer is wrong, or "set bits", "items" or "stated rate". Programs that need a step of a law
// that is already broken are not run.
type Law string

const (
	lawNoFalseNegative Law = "no false negative"
	lawRate            Law = "rate"
	lawSetBits         Law = "set bits"
	lawPlace           Law = "place"
	lawDependence      Law = "dependence"
	lawKeys            Law = "keys"
	lawBatch           Law = "batch"
	lawTestAndSet      Law = "test and set"
	lawUnion           Law = "union"
	lawIntersection    Law = "intersection"
	lawReset           Law = "reset"
	lawStatedRate      Law = "stated rate"
	lawItems           Law = "items"
	lawSizing          Law = "sizing"
	lawSnapshot        Law = "snapshot"
	lawCorrupt         Law = "corrupt snapshot"
	lawHostile         Law = "hostile snapshot"
	lawConcurrentReads Law = "concurrent reads"
	lawConcurrentAdds  Law = "concurrent adds"
)

// Laws returns all laws, in the order of examination.
func Laws() []Law {
	return []Law{
		lawNoFalseNegative, lawRate, lawSetBits, lawPlace, lawDependence, lawKeys, lawBatch, lawTestAndSet, lawUnion, lawIntersection, lawReset,
		lawStatedRate, lawItems, lawSizing, lawSnapshot, lawCorrupt, lawHostile, lawConcurrentReads, lawConcurrentAdds,
	}
}

// Finding is a law that is broken, in the smallest case in which it was seen.
type Finding struct {
	Law  Law    `json:"law"`
	Case string `json:"case"` // the filter and its keys
	Text string `json:"text"` // what was seen, and what should have been seen
	// Program is the shortest program that shows it, to be pasted: Go, or lines for the pipe; "" if there is no
	// program.
	Program string `json:"program,omitempty"`
}

// powerProbability is the probability with which a fault of the size that Power states is found. It is high enough to
// rely on, and low enough to be checked by counting in some hundred runs.
const powerProbability = 0.99

// Power is what an examination would have found with probability 0.99 at least.
type Power struct {
	Law   Law     `json:"law"`
	Case  string  `json:"case"`  // the filters and their keys
	M     uint64  `json:"m"`     // the bits of these filters
	Fault string  `json:"fault"` // the kind of fault, such as "rate above the model"
	Least float64 `json:"least"` // the least size at which it is found: an excess, or a share of keys; 0.03 for 3 %
}

// String returns, for example, "rate: standard m=97 k=5, 11 random keys: above: ...".
func (f Finding) String() string { return fmt.Sprintf("%s: %s: %s", f.Law, f.Case, f.Text) }

// Report is the result of an examination.
type Report struct {
	Seed       uint64    `json:"seed"`         // repeats it
	FalseAlarm float64   `json:"false_alarm"`  // a filter that keeps its laws is accused with at most this probability
	Findings   []Finding `json:"findings"`     // at most one for each law
	Power      []Power   `json:"power"`        // what would have been found
	Kept       []Law     `json:"kept"`         // laws that were examined and not found broken
	Untold     []Law     `json:"not_examined"` // laws that were not examined
	Notes      []string  `json:"notes"`        // shapes that were refused, and the like
}

// broken reports whether there is a finding about the law.
func (r Report) broken(l Law) bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Law == l })
}

// Err returns nil for a filter that passed. It returns an error if a law is broken, if nothing was examined, or if "no
// false negative" was to be examined and was not. Otherwise a subject that refuses all shapes of the examination would
// pass. Options.Shapes can ask for shapes that such a subject has.
func (r Report) Err() error {
	why := ""
	if len(r.Notes) > 0 {
		why = ": " + r.Notes[0]
	}
	switch {
	case len(r.Findings) > 0:
		texts := make([]string, len(r.Findings))
		for i, f := range r.Findings {
			texts[i] = f.String()
		}
		return errors.New(strings.Join(texts, "; "))
	case slices.Contains(r.Untold, lawNoFalseNegative):
		return fmt.Errorf("%q was not examined%s", lawNoFalseNegative, why)
	case len(r.Kept) == 0:
		return errors.New("nothing was examined" + why)
	}
	return nil
}

// String returns a line about the power, one for each finding, and what was examined.
func (r Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s; not examined: %s\n", r.powerLine(), list(r.Untold))
	for _, f := range r.Findings {
		fmt.Fprintln(&b, f)
		if f.Program != "" {
			fmt.Fprintf(&b, "\t%s\n", strings.ReplaceAll(f.Program, "\n", "\n\t"))
		}
	}
	fmt.Fprintf(&b, "kept: %s\n", list(r.Kept))
	for _, n := range r.Notes {
		fmt.Fprintln(&b, n)
	}
	fmt.Fprintf(&b, "seed %d, false-alarm probability at most %g\n", r.Seed, r.FalseAlarm)
	return b.String()
}

func list(laws []Law) string {
	if len(laws) == 0 {
		return "nothing"
	}
	names := make([]string, len(laws))
	for i, l := range laws {
		names[i] = string(l)
	}
	return strings.Join(names, ", ")
}
