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
//   - keys: "rate", "set bits" and "dependence" hold for similar keys. These are integers that differ in their low or
//     in their high bytes, keys with long common prefixes and suffixes, bytes from 0x80 on, all lengths, URLs, UUIDs,
//     numbers and words. A filter of one key contains similar keys no more often than any other key. Similar keys
//     differ from the key in one byte (of up to 262,145 bytes, or 65,537 through a pipe), in length, or in the order of
//     the bytes. Others differ in ways that a normaliser of text removes.
//   - batch: a batch has the same effect as single calls in turn, and reads keys as they do.
//   - test and set: TestAndAdd answers as Contains would have before the call, and changes the filter as Add does.
//   - union: the union contains what the filter of all the keys contains.
//   - intersection: the intersection contains what both filters contain.
//   - reset: a filter that was reset is like a new one.
//   - stated rate: the rate that the filter states is the exact one, within 5 %.
//   - items: the estimated number of items is right within 5 % or one item; a key that is added again counts once.
//   - sizing: the sizes that the filter advises keep the rate that was asked for, and are not much larger than
//     necessary.
//   - snapshot: reading a snapshot gives the same filter, and each state has exactly one encoding.
//   - corrupt snapshot: a snapshot that was cut, lengthened or changed is refused.
//   - hostile snapshot: no snapshot makes reading panic, take over 10 seconds, or allocate more than 1 MiB plus 64
//     times its size. A refused snapshot leaves the filter as it was.
//   - concurrent reads: many goroutines at once get the same answers as one.
//   - concurrent adds: when many goroutines add at once, no key is lost, neither during the additions nor afterwards.
//     The filter then equals one that a single goroutine fills.
//
// If a program fails, exactly one law counts as broken. First, all steps that are not needed for the failure are
// removed. A step that is a batch belongs to the law "batch". The laws "test and set", "union", "intersection", "reset"
// and "snapshot" also have such steps. If the program has several such steps, the last of them determines the broken
// law. A snapshot at the end of a program is often not the cause of a fault, but makes the fault visible. So such a
// snapshot is ignored if two conditions hold. First, the program has no other snapshot. Second, it has another step
// that belongs to one of these laws. Some programs have no such step. If such a program loses a key, the broken law is
// "no false negative". If another answer is wrong, the broken law is "rate". In all other cases the program breaks one
// of the laws "set bits", "items" and "stated rate". Some programs need a step that belongs to a certain law. If that
// law is already broken, these programs are not run.
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

// Finding describes a broken law, and the smallest case in which the law was seen to be broken.
type Finding struct {
	Law  Law    `json:"law"`
	Case string `json:"case"` // the filter and its keys
	Text string `json:"text"` // what was seen, and what should have been seen
	// Program is the shortest program that shows the fault, as Go code or as lines for the pipe. It is "" if there is
	// no program.
	Program string `json:"program,omitempty"`
}

// Report.Power states the size of a fault. A fault of this size is found with probability powerProbability. This
// probability is high enough to be useful, and low enough to be checked by some hundred runs.
const powerProbability = 0.99

// Power states how large a fault of one kind must be for an examination to find it. The examination finds a fault of
// this size with probability at least 0.99.
type Power struct {
	Law   Law     `json:"law"`
	Case  string  `json:"case"`  // the filters and their keys
	M     uint64  `json:"m"`     // the bits of these filters
	Fault string  `json:"fault"` // the kind of fault, such as "rate above the model"
	Least float64 `json:"least"` // the least size of the fault: an excess, or a share of keys; 0.03 means 3 %
}

// String returns, for example, "rate: standard m=97 k=5, 11 random keys: above: ...".
func (f Finding) String() string { return fmt.Sprintf("%s: %s: %s", f.Law, f.Case, f.Text) }

// Report is the result of an examination.
type Report struct {
	Seed       uint64    `json:"seed"`         // the same seed repeats the examination
	FalseAlarm float64   `json:"false_alarm"`  // a filter that keeps its laws is accused with at most this probability
	Findings   []Finding `json:"findings"`     // at most one for each law
	Power      []Power   `json:"power"`        // the faults that would have been found
	Kept       []Law     `json:"kept"`         // laws that were examined and not found broken
	Untold     []Law     `json:"not_examined"` // laws that were not examined
	Notes      []string  `json:"notes"`        // remarks, such as shapes that were refused
}

// The method "broken" reports whether the report has a finding about the law l.
func (r Report) broken(l Law) bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Law == l })
}

// Err returns nil if the filter passed. It returns an error if a law is broken, or if nothing was examined. It also
// returns an error if the law "no false negative" was to be examined but was not. Without this rule, a subject that
// refuses all shapes of the examination would pass. For such a subject, set Options.Shapes to shapes that it accepts.
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

// String returns a line about the power, a line for each finding, and the laws that were examined.
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
