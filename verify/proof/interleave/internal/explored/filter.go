package main

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/interleave"
	"github.com/bloomproof/bloomproof/kernel"
)

// Goroutines add keys to a filter. The interface "adder" has the methods of such a filter.
type adder interface {
	AddHash(kernel.Hash) bool
	ContainsHash(kernel.Hash) bool
	Bits() uint64
	AppendWords(dst []uint64) []uint64 // called when no goroutine adds
}

// The type sharedFilter is for the shipped type kernel.ConcurrentFilter.
type sharedFilter struct{ *kernel.ConcurrentFilter }

// AppendWords appends the words of the filter's bit array to dst.
func (f sharedFilter) AppendWords(dst []uint64) []uint64 { return f.Filter().AppendWords(dst) }

// filterFaults lists the faults of the faulty filters in the tests of package kernel. The function newBrokenFilter
// makes a filter with one of these faults. Both variables are set by a file that the command interleave writes.
var (
	filterFaults    []string
	newBrokenFilter func(fault string, g bloomproof.Geometry) adder
)

// A filterCase describes a filter, and the programs of the goroutines that share it.
type filterCase struct {
	name     string
	long     bool
	g        bloomproof.Geometry
	before   string // keys that the filter has from the beginning
	programs []string
	places   int
	lanes    int
}

// The method "subject" returns the case as a program to explore. The goroutines share the shipped filter. If the
// argument "broken" is true, they share a filter with the given fault instead. This filter comes from the tests of
// package kernel.
func (c filterCase) subject(fault string, broken bool) subject {
	keys := keysOf(c.g, func(h kernel.Hash) []uint64 { return positionsOf(c.g, h) })
	var steps [][]step
	for _, p := range c.programs {
		steps = append(steps, parse(p))
	}
	empty, err := kernel.New(c.g, kernel.Options{})
	if err != nil {
		panic(err)
	}
	start := empty.Clone()
	for _, l := range parse("add " + c.before)[0].keys {
		start.AddHash(keys[l])
	}
	first := wordString(start.AppendWords(nil))
	known := verdicts{}
	return subject{c.name, c.long, interleave.Options{Places: c.places, Lanes: max(1, c.lanes)}, func() interleave.Program {
		var f adder
		if broken {
			f = newBrokenFilter(fault, c.g)
		} else {
			f = sharedFilter{start.Clone().Concurrent()}
		}
		j := &journal{}
		var p interleave.Program
		for g := range steps {
			p.Goroutines = append(p.Goroutines, func() {
				j.run(g, steps[g], func(s step) { filterStep(f, j, g, s, &keys, empty) })
			})
		}
		p.Check = func() error {
			end := f.AppendWords(nil)
			n := uint64(0)
			for _, w := range end {
				n += uint64(bits.OnesCount64(w))
			}
			if f.Bits() != n {
				return fmt.Errorf("%d bits are counted at rest, and %d are set", f.Bits(), n)
			}
			last := wordString(end)
			return known.of(j, last, func(h history) error { return judgeFilter(h, c.g, &keys, first, last) })
		}
		return p
	}}
}

// filterStep executes the step s of goroutine g on the filter f, and records the results in j.
func filterStep(f adder, j *journal, g int, s step, keys *[len(letters)]kernel.Hash, empty *kernel.Filter) {
	real, _ := f.(sharedFilter)
	var h []kernel.Hash
	for _, k := range s.keys {
		h = append(h, keys[k])
	}
	each := func(do string, yes []bool) {
		for i, y := range yes {
			j.note(g, entry{do: do, key: s.keys[i], yes: y})
		}
	}
	switch s.do {
	case "add":
		each("add", []bool{f.AddHash(h[0])})
	case "addbatch":
		each("add", real.AddBatch(nil, kernel.KeysOf(h)))
	case "has":
		each("has", []bool{f.ContainsHash(h[0])})
	case "hasbatch":
		each("has", real.ContainsBatch(nil, kernel.KeysOf(h)))
	case "bits":
		j.note(g, entry{do: "bits", n: f.Bits()})
	case "union":
		other := empty.Clone()
		for _, h := range h {
			other.AddHash(h)
		}
		if err := real.Union(other); err != nil {
			panic(err)
		}
		for _, k := range s.keys {
			j.note(g, entry{do: "union", key: k})
		}
	case "copy":
		c := real.Filter()
		if c.Bits() != c.Recount() {
			panic(fmt.Sprintf("a copy with %d bits counts %d", c.Recount(), c.Bits()))
		}
		j.note(g, entry{do: "copy", words: wordString(c.AppendWords(nil))})
	case "stats":
		st := real.Stats()
		if st.Fill != float64(st.Bits)/float64(st.M) || st.Rate < 0 || st.Rate > 1 {
			panic(fmt.Sprintf("%+v do not belong together", st))
		}
		j.note(g, entry{do: "stats", n: st.Bits})
	case "rate":
		if r := real.Rate(); r < 0 || r > 1 {
			panic(fmt.Sprintf("a rate of %v", r))
		}
	default:
		panic("no step " + s.do)
	}
}

// positionsOf returns the sorted bit positions of the key with the hash h, each position once.
func positionsOf(g bloomproof.Geometry, h kernel.Hash) []uint64 {
	pos, err := kernel.AppendPositions(nil, g, h)
	if err != nil {
		panic(err)
	}
	slices.Sort(pos)
	return slices.Compact(pos)
}

// judgeFilter checks the history h against the documentation of kernel.ConcurrentFilter. If the history contradicts the
// documentation, judgeFilter returns an error that describes the contradiction. The argument "first" has the words of
// the filter before all operations. The argument "last" has the words of the filter after all operations.
func judgeFilter(h history, g bloomproof.Geometry, keys *[len(letters)]kernel.Hash, first, last string) error {
	var pos [len(letters)][]uint64
	for i, k := range keys {
		pos[i] = positionsOf(g, k)
	}
	all := func(words string, key int) bool {
		return !slices.ContainsFunc(pos[key], func(p uint64) bool { return !hasBit(words, p) })
	}
	// The variable "want" has the bits that must be set at the end. They are the bits that were set at the beginning,
	// and the bits of all keys that were added.
	want := []byte(first)
	for _, e := range h.entries {
		if e.do == "add" || e.do == "union" {
			for _, p := range pos[e.key] {
				want[p/8] |= 1 << (p % 8)
			}
		}
	}
	if string(want) != last {
		return errors.New("the bits at rest are not those of a Filter with the same keys")
	}
	// The list "fresh" has all bits that entries of the history can set. The map "setters" has a list of entries for
	// each of these bits. Each entry in the list could be the one that changed the bit from 0 to 1.
	var fresh []uint64
	setters := map[uint64][]int{}
	for i, e := range h.entries {
		switch e.do {
		case "add", "union":
			for _, p := range pos[e.key] {
				if hasBit(first, p) {
					continue
				}
				if setters[p] == nil {
					fresh = append(fresh, p)
				}
				after := false // an entry that sets the bit happens before this one
				for _, s := range setters[p] {
					after = after || h.before[s][i]
				}
				if !after {
					setters[p] = append(setters[p], i)
				}
			}
		case "has":
			if e.yes && !all(last, e.key) {
				return fmt.Errorf("key %c is contained, and its bits are not set at rest", letters[e.key])
			}
		case "copy":
			for p := range uint64(8 * len(last)) {
				if hasBit(e.words, p) && !hasBit(last, p) || hasBit(first, p) && !hasBit(e.words, p) {
					return errors.New("a copy has a bit that nobody set, or lacks one")
				}
			}
		}
	}
	// In a list of the map "setters", the entries are sorted by goroutine and not by time. Suppose that an entry
	// happens after another entry of the same list. Then it cannot have changed the bit from 0 to 1, and is removed.
	for p, list := range setters {
		setters[p] = slices.DeleteFunc(slices.Clone(list), func(i int) bool {
			return slices.ContainsFunc(list, func(s int) bool { return h.before[s][i] })
		})
	}
	for i, e := range h.entries {
		for s, a := range h.entries {
			if a.do != "add" && a.do != "union" || !h.before[s][i] {
				continue
			}
			switch {
			case e.do == "has" && e.key == a.key && !e.yes:
				return fmt.Errorf("key %c is not contained after it was added", letters[e.key])
			case e.do == "add" && e.key == a.key && e.yes:
				return fmt.Errorf("an addition of key %c after another is told true", letters[e.key])
			case e.do == "copy" && !all(e.words, a.key):
				return fmt.Errorf("a copy lacks key %c, which was added before", letters[a.key])
			}
		}
	}
	// For each bit, exactly one entry changed it from 0 to 1. So some choice of these entries must explain what Add and
	// Bits returned.
	if !assign(h, g, first, fresh, setters, map[uint64]int{}) {
		return fmt.Errorf("no choice of a first setter for each bit explains what Add, Bits and Stats returned: %+v", h.entries)
	}
	return nil
}

// Some bits in the list "fresh" are not yet in the map "chosen". For each such bit, the function "assign" chooses an
// entry. It assumes that this entry changed the bit from 0 to 1. It reports whether some choice explains the results of
// the methods Add and Bits.
func assign(h history, g bloomproof.Geometry, first string, fresh []uint64, setters map[uint64][]int, chosen map[uint64]int) bool {
	if len(chosen) < len(fresh) {
		p := fresh[len(chosen)]
		for _, s := range setters[p] {
			chosen[p] = s
			if assign(h, g, first, fresh, setters, chosen) {
				return true
			}
			delete(chosen, p)
		}
		return false
	}
	told := map[int]int{}
	for _, s := range chosen {
		told[s]++
	}
	start := uint64(0)
	for p := range g.M {
		if hasBit(first, p) {
			start++
		}
	}
	for i, e := range h.entries {
		switch e.do {
		case "add":
			if e.yes != (told[i] > 0) {
				return false
			}
		case "bits", "stats":
			least, most := start, start
			for _, s := range chosen {
				if h.before[s][i] {
					least++
				}
				if !h.before[i][s] {
					most++
				}
			}
			for b, before := range h.entries { // counts never fall
				if before.do == "bits" && e.do == "bits" && h.before[b][i] {
					least = max(least, before.n)
				}
			}
			if e.n < least || e.n > most {
				return false
			}
		}
	}
	return true
}

var filterCases = []filterCase{
	{name: "one new key, added by three", g: oneWord, programs: []string{"add x", "add x", "add x"}},
	{name: "one position, added by three", g: onePosition, programs: []string{"add x", "add x", "add x, add y"}},
	{name: "keys that share a position", g: oneWord, programs: []string{"add x", "add y", "add w"}},
	{name: "keys that share a position, two words", g: twoWords, programs: []string{"add x", "add y", "add w"}},
	{name: "keys without a common position in one word", g: oneWord, programs: []string{"add x", "add z", "add x"}},
	{name: "an addition, published", g: oneWord, programs: []string{"add x, raise", "await, has x, add x", "add y"}},
	{name: "an addition, published; counts", g: oneWord, programs: []string{"add x, raise", "await, bits", "add x"}},
	{name: "look-ups while others add", g: oneWord, programs: []string{"add x", "has x, has w", "add y"}},
	{name: "counts while others add", g: onePosition, programs: []string{"add x", "bits, bits", "add y"}, places: 2},
	{name: "counts while others add, in one place", g: onePosition, programs: []string{"add x", "bits", "add y"}, places: 1},
	{name: "a union, published", g: oneWord, programs: []string{"union xy, raise", "await, has x, has y", "add y"}},
	{name: "two unions and an addition", g: oneWord, programs: []string{"union xy", "union yz", "add y"}},
	{name: "copies while others add", g: twoWords, programs: []string{"add x, raise", "await, copy", "add y"}},
	{name: "classic", g: classic, programs: []string{"add x, raise", "await, has x", "add y, add x"}},
	{name: "partitioned", g: partitioned, programs: []string{"add x, raise", "await, has x, rate", "add y"}},
	{name: "figures while others add", g: onePosition, programs: []string{"add x, raise", "await, stats, stats", "add y"}},
	{name: "figures, partitioned", g: partitioned, programs: []string{"add x, raise", "await, stats", "add y"}},
	{name: "figures, blocks", g: blocked, programs: []string{"add x, raise", "await, stats", "add y"}},
	{name: "blocks of a word", g: blocked, programs: []string{"add x, raise", "await, has x, add x", "add y"}},
	{name: "blocks of two words", g: twoInBlock, programs: []string{"add x", "add y", "add x, raise"}},
	{name: "batches", g: oneWord, programs: []string{"addbatch xy, raise", "await, hasbatch xyz", "add y"}},
	{name: "batches in blocks", g: blocked, programs: []string{"addbatch xy, raise", "await, hasbatch xyz", "add y"}},
	{name: "a filter with keys", g: oneWord, before: "y", programs: []string{"add x", "bits", "add x, has y"}},

	{name: "three positions, two keys each by two", long: true, g: threeBits, programs: []string{"add x, add y", "add y, add x"}},
	{name: "three and two keys by two", long: true, g: oneWord, programs: []string{"add x, add y, add w", "add w, add x"}},
	{name: "two keys and one each, two words", long: true, g: twoWords, programs: []string{"add x, add y", "add z", "add y"}},
	{name: "counts while others add three keys", long: true, g: onePosition, programs: []string{"add x", "bits, bits", "add y, add x"}, places: 2},
	{name: "batches by three", long: true, g: oneWord, programs: []string{"addbatch xy", "add y", "hasbatch xy"}},
	{name: "copies, unions, additions", long: true, g: twoWords, programs: []string{"add x, raise", "await, copy, union z", "add y, copy"}},
}

func filterSubjects() (all []subject) {
	for _, c := range filterCases {
		all = append(all, c.subject("", false))
	}
	return all
}

// brokenFilterSubjects returns the programs to explore for the filter with the given fault. This filter has no
// operations on batches, no copies and no unions.
func brokenFilterSubjects(fault string) (all []subject) {
	for _, c := range []filterCase{
		{name: "an addition, published", g: oneWord, programs: []string{"add x, raise", "await, has x, add x"}},
		{name: "counts", g: onePosition, programs: []string{"add x", "bits, add y"}},
		{name: "one position, added by two", g: onePosition, programs: []string{"add x", "add x"}},
		{name: "one new key, added by two", g: oneWord, programs: []string{"add x", "add x"}},
	} {
		all = append(all, c.subject(fault, true))
	}
	return all
}
