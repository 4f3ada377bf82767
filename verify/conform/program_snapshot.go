package conform

import (
	"bytes"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// The method "snapshot" runs a step that takes, reads or overwrites a snapshot, and checks its result.
func (r *runner) snapshot(at int, s *step, f *held) *failure {
	x := r.x
	t := r.slots[s.slot]
	if s.op == opMarshal {
		if f.spec.unknown {
			r.skipped[at] = true
			return nil
		}
		x.programs.work += r.p.shape.size() / 128
		data, err := x.s.Marshal(f.f)
		if err != nil {
			return &failure{what: isRefused, got: err.Error(), want: "<nil>"}
		}
		t := &taken{data: data, kept: bytes.Clone(data), spec: f.spec}
		from := slices.Index(r.slots[:], f.read)
		r.slots[s.slot] = t
		if r.alone {
			for i := range probed.n {
				t.answers = append(t.answers, x.s.Contains(f.f, r.key(probed.first+i)))
			}
		}
		if x.s.OwnRate != nil {
			return nil
		}
		holds := f.spec
		if len(holds.sets) > 1 && r.hasNone(f) {
			holds.sets = []set{nil}
		}
		if len(holds.sets) == 1 && (holds.plain || !x.programs.counted[opMarshal]) {
			if g := r.of(holds.other, holds.sets[0]); g != nil {
				if want, _ := x.s.Marshal(g); !bytes.Equal(data, want) {
					return &failure{what: isOther, got: "false", want: "true", spec: holds, slot: -1}
				}
			}
		}
		if f.read != nil && from >= 0 && !bytes.Equal(data, f.read.kept) {
			return &failure{what: isOther, got: "false", want: "true", slot: from}
		}
		return nil
	}
	if t == nil || t.spec.unknown {
		r.skipped[at] = true
		return nil
	}
	if !bytes.Equal(t.data, t.kept) {
		return &failure{what: isTouched, got: "changed bytes", want: "those that were returned"}
	}
	switch s.op {
	case opOverwrite:
		for i := range t.data {
			t.data[i] ^= 0xa5
		}
		r.slots[s.slot] = nil
	case opUnmarshal:
		x.programs.work += r.p.shape.size() / 128
		if err := x.s.Unmarshal(f.f, t.data); err != nil {
			return &failure{what: isRefused, got: err.Error(), want: "<nil>"}
		}
		if !bytes.Equal(t.data, t.kept) {
			return &failure{what: isTouched, got: "changed bytes", want: "those that were given"}
		}
		f.spec, f.read = t.spec, t
		for i, want := range t.answers {
			if got := x.s.Contains(f.f, r.key(probed.first+uint32(i))); got != want {
				return &failure{what: isOther, key: uint32(i), got: strconv.FormatBool(got), want: strconv.FormatBool(want)}
			}
		}
	case opDamaged:
		bad := damage(t.kept, s.cut)
		if len(bad) == 0 {
			r.skipped[at] = true
			return nil
		}
		if x.s.Unmarshal(f.f, bad) == nil { // the law "corrupt snapshot" finds this
			f.spec.unknown = true
		}
	}
	return nil
}

// hasNone reports whether a filter states that none of its bits is set.
func (r *runner) hasNone(f *held) bool {
	switch s := &r.x.s; {
	case s.Words != nil:
		return !slices.ContainsFunc(s.Words(f.f), func(w uint64) bool { return w != 0 })
	case s.Bits != nil:
		return s.Bits(f.f) == 0
	}
	return false
}

// The function "damage" returns a copy of a snapshot in which the last byte is missing or changed. The header stays
// unchanged. With a wrong header, the subject might need much memory to read the snapshot.
func damage(data []byte, cut bool) []byte {
	bad := bytes.Clone(data)
	switch {
	case len(bad) == 0:
	case cut:
		bad = bad[:len(bad)-1]
	default:
		bad[len(bad)-1] ^= 1
	}
	return bad
}

// A filter can report some values about itself. These are the number of set bits, the words of the array, the number of
// keys and the rate. The method "number" compares such a value with an expected value. The expected value comes from a
// new filter with the same keys. If filters show their words, the expected number of set bits is counted in the words
// of new filters.
func (r *runner) number(at int, s *step, f *held) *failure {
	x := r.x
	differ := func(got, want any) *failure {
		return &failure{what: isOther, got: fmt.Sprint(got), want: fmt.Sprint(want)}
	}
	x.programs.work += r.p.shape.size() / 1024
	var all []filter
	for _, c := range f.spec.sets {
		g := r.of(f.spec.other, c)
		if g == nil {
			r.skipped[at] = true
			return nil
		}
		all = append(all, g)
	}
	if len(all) > 1 && x.s.Words == nil || len(all) > 1 && s.op > opWords || !f.spec.plain && x.programs.counted[s.op] {
		r.skipped[at] = true
		return nil
	}
	switch s.op {
	case opBits:
		got, want := x.s.Bits(f.f), x.s.Bits(all[0])
		if x.s.Words != nil {
			want = 0
			for _, w := range r.words(all) {
				want += uint64(bits.OnesCount64(w))
			}
		}
		if got != want {
			return differ(got, want)
		}
	case opWords:
		got, want := slices.Clone(x.s.Words(f.f)), r.words(all)
		if len(got) != len(want) {
			fail := differ(len(got), len(want))
			fail.index = -1
			return fail
		}
		for i := range got {
			if got[i] != want[i] {
				fail := differ(got[i], want[i])
				fail.index = i
				return fail
			}
		}
	case opItems:
		if got, want := x.s.Items(f.f), x.s.Items(all[0]); !equal(got, want) {
			return differ(got, want)
		}
	case opRate:
		if got, want := x.s.Rate(f.f), x.s.Rate(all[0]); !equal(got, want) {
			return differ(got, want)
		}
	}
	return nil
}

// The method "words" returns an array of words. A bit of the array is set if it is set in each of the given filters.
func (r *runner) words(all []filter) []uint64 {
	out := slices.Clone(r.x.s.Words(all[0]))
	for _, g := range all[1:] {
		for i, w := range r.x.s.Words(g) {
			if i < len(out) {
				out[i] &= w
			}
		}
	}
	return out
}

// The function "equal" reports whether two numbers are equal. Two NaNs count as equal.
func equal(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
