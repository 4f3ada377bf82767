package conform

import (
	"cmp"
	"slices"
)

// A spec describes the expected content of a filter. It is a list of sets of keys. Each set stands for a filter to
// which its keys were added. In the described filter, a bit is set if all these filters have it set. An addition of a
// key adds the key to each set. For an intersection, the list consists of the sets of both filters. A union of two
// filters combines every set of the first filter with every set of the second. The new list has the unions of these
// pairs of sets. This follows from the rule:
//
//	(A and B) or C = (A or C) and (B or C).
type spec struct {
	other   bool // true if the filter has the program's other shape
	sets    []set
	plain   bool // true if keys were only added, and none of them twice
	unknown bool // true if a damaged snapshot was read, so that the content is unknown
}

// mostSets is the largest number of sets that a spec may have.
const mostSets = 4

// The type "set" represents a set of keys by a list of spans, in increasing order. The spans are disjoint, and no two
// of them are adjacent.
type set []keySpan

func (s set) has(id uint32) bool {
	return slices.ContainsFunc(s, func(p keySpan) bool { return id-p.first < p.n })
}

// The method "join" returns the union of the sets s and o.
func (s set) join(o ...keySpan) set {
	all := slices.Concat(s, o)
	slices.SortFunc(all, func(a, b keySpan) int { return cmp.Compare(a.first, b.first) })
	var out set
	for _, p := range all {
		if last := len(out) - 1; p.n > 0 && last >= 0 && out[last].end() >= p.first {
			out[last].n = max(out[last].end(), p.end()) - out[last].first
		} else if p.n > 0 {
			out = append(out, p)
		}
	}
	return out
}

// The method "covers" reports whether all keys of the set o are in the set s.
func (s set) covers(o set) bool { return slices.Equal(s.join(o...), s) }

func (s spec) must(id uint32) bool {
	return !slices.ContainsFunc(s.sets, func(c set) bool { return !c.has(id) })
}

func (s spec) isEmpty() bool {
	return slices.ContainsFunc(s.sets, func(c set) bool { return len(c) == 0 })
}

// The method "count" returns the number of keys in the largest set of a spec.
func (s spec) count() (n uint64) {
	for _, c := range s.sets {
		var in uint64
		for _, p := range c {
			in += uint64(p.n)
		}
		n = max(n, in)
	}
	return n
}

// The method "with" adds keys to an expected content, and returns the result.
func (s spec) with(keys keySpan) spec {
	out := s
	out.sets = nil
	for _, c := range s.sets {
		if slices.ContainsFunc(c, func(p keySpan) bool { return p.first < keys.end() && keys.first < p.end() }) {
			out.plain = false // some filters count additions
		}
		out.sets = append(out.sets, c.join(keys))
	}
	return out.reduced()
}

func (s spec) union(o spec) spec {
	out := spec{other: s.other, unknown: s.unknown || o.unknown}
	for _, a := range s.sets {
		for _, b := range o.sets {
			out.sets = append(out.sets, a.join(b...))
		}
	}
	return out.reduced()
}

func (s spec) intersect(o spec) spec {
	return spec{other: s.other, unknown: s.unknown || o.unknown, sets: slices.Concat(s.sets, o.sets)}.reduced()
}

// The method "reduced" removes each set that contains another set. The filter of the larger set has all bits of the
// filter of the smaller set. So the larger set does not change the expected bits.
func (s spec) reduced() spec {
	var out []set
	for i, a := range s.sets {
		needless := false
		for j, b := range s.sets {
			if i != j && a.covers(b) && (!b.covers(a) || j < i) {
				needless = true
			}
		}
		if !needless {
			out = append(out, a)
		}
	}
	s.sets = out
	return s
}
