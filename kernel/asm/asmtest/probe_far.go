package asmtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
)

// These constants are sizes of arrays, in bits. The method "far" and similar methods use arrays of these sizes.
// Positions in the smaller array have up to 34 bits, and positions in the larger array up to 47 bits. A position is
// computed from the product of a word and the number of bits of the array. Both 32-bit halves of this number are
// different from 0, and the highest bit of the low half is 1. So a kernel that ignores one of the halves computes wrong
// positions. A kernel that reads the low half as a signed number also computes wrong positions.
const (
	farBits      = 3<<32 + 5<<29 + 77
	farthestBits = 93<<40 + farBits
)

// No kernel has room on the stack for manyPositions positions. AddAheadAVX2 has the most room: its ring has room for
// 128 positions.
const manyPositions = 130

// farSize returns the number of bits of the arrays that the method "far" tests. Emulators keep a record of every page.
// So the number is smaller in short runs. It is also smaller on architectures other than amd64. Tests for these
// architectures often run in an emulator.
func farSize(short bool) uint64 {
	if short || runtime.GOARCH != "amd64" {
		return farBits
	}
	return farthestBits
}

// Short runs use the array sharedFar. Each page that is touched for the first time costs a page fault, and the kernels
// of one form touch the same pages. So all rows of a process use one array in turn.
var sharedFar struct {
	sync.Mutex
	arena arena
}

// farArray returns an array of n words that are 0. At the end the caller calls the function "back". Normally all words
// are 0 again at this time, and the caller passes true. After a failure some words may not be 0. Then the caller passes
// false, so that the array is not used again.
func farArray(n uint64, short bool) (array []uint64, back func(clean bool), ok bool) {
	if !short {
		a, ok := newSparse(n)
		return a.words, func(bool) { a.free() }, ok
	}
	sharedFar.Lock()
	if sharedFar.arena.words == nil {
		if sharedFar.arena, ok = newSparse(2 * ((farSize(true) + 63) / 64)); !ok { // for the words of a pair

			sharedFar.arena = arena{}
			sharedFar.Unlock()
			return nil, nil, false
		}
	}
	a := sharedFar.arena
	return a.words[uint64(len(a.words))-n:], func(clean bool) {
		if !clean {
			a.free()
			sharedFar.arena = arena{}
		}
		sharedFar.Unlock()
	}, true // the forbidden page lies after the last word
}

// The method "far" tests positions above 2^32. Almost all words of the array are never written, so they need no
// memory. After a call, the test checks only the words that contain the bits at the positions of the keys.
func (r *probeRunner) far(o Options) bool {
	form := r.row.Form
	if form.Has(Derives) || r.row.Impl == "portable" && form.Has(Pair) {
		return true // the function "spans" tests these; the oracle of pairs would read all words
	}
	size := farSize(o.Short)
	n := (size + 63) / 64
	if form.Has(Pair) {
		n *= 2
	}
	array, back, ok := farArray(n, o.Short)
	if !ok {
		return true
	}
	defer func() { back(r.fail == nil) }()
	r.rand = rand.New(rand.NewPCG(o.Seed, 0x666172)) // rows of one form then touch the same pages
	counts := []int{1, 70, 3 * ring}
	if o.Short { // each position is a new page: enough keys for every lane of two vectors, and for a ring that fills, turns and drains
		counts = []int{1, 19, ring + ring/4}
	}
	for _, k := range []int{1, 3, 8, 9, 13, manyPositions} {
		if form.lone() && k > 1 {
			continue
		}
		part := size / uint64(k)
		for _, keys := range counts {
			if keys > ring && k != 3 && !form.lone() || keys > 1 && k == manyPositions {
				continue
			}
			for i, c := range []probeCase{
				r.farCase(keys, k, size, 0), r.farCase(keys, k, part, part),
				r.farCase(keys, k, size&^math.MaxUint32, 0), // the low half is 0
				r.farCase(keys, k, 1<<32-1<<10, 0),          // the high half is 0, and the low half has its sign bit set
				r.farCase(keys, k, 1<<32+1<<20, 0),          // the high half is 1
			} {
				if o.Short && i > 1 && (keys > ring || keys > 1 && k > 3 || k == manyPositions) {
					continue // for these spans fewer keys and positions are enough
				}
				if !r.tryFar(c, array) {
					return false
				}
			}
		}
	}
	return true
}

// farCase calls shapedKeys to make a case, and returns this case. If step is 0 and the keys are given by their
// positions, farCase changes some of these positions. The new positions lie at both ends of the array and next to 2^32.
func (r *probeRunner) farCase(n, k int, span, step uint64) probeCase {
	c := r.shapedKeys(n, k, span, step)
	if !r.row.Form.Has(Hashes) { // positions at the ends of the array, and next to 2^32
		for i, p := range []uint64{span - 1, 1<<32 - 1, 1 << 32, 0} {
			if at := i * 5; at < len(c.Keys) && step == 0 {
				c.Keys[at] = p
			}
		}
	}
	return c
}

// tryFar runs the case c with the given array, and reports whether further cases should be run. At the call all bits of
// the array are clear. Afterwards all bits of the array are clear again. If the case fails, one key alone may be enough
// for the failure. tryFar looks for such a key, and keeps only this key.
func (r *probeRunner) tryFar(c probeCase, array []uint64) bool {
	r.cases++
	what := r.runFar(c, array)
	if what == "" {
		return true
	}
	group := r.row.Form.group(c.ProbeCall)
	for i := 0; i+group <= len(c.Keys); i += group {
		d := c
		d.Keys = c.Keys[i : i+group]
		d.Out = c.Out[:min(len(c.Out), 1)]
		if w := r.runFar(d, array); w != "" {
			c, what = d, w
			break
		}
	}
	what = fmt.Sprintf("in an array of %d words: %s", len(array), what)
	r.fail = &ProbeFailure{Row: r.row, Seed: r.seed, What: what, c: c}
	return false
}

// runFar runs the case c. If the case fails, the result describes the failure. Otherwise the result is "". Before the
// call the array contains every second key.
func (r *probeRunner) runFar(c probeCase, array []uint64) string {
	var used []uint64 // the words that may change
	n := len(c.Keys) / r.row.Form.group(c.ProbeCall)
	c.Words = array
	for i := range n {
		pos := r.positions(&c, i)
		for _, p := range pos {
			if used = append(used, p>>6); r.row.Form.Has(Pair) {
				used[len(used)-1] *= 2
				used = append(used, p>>6<<1|1)
			}
		}
	}
	defer func() {
		for _, i := range used {
			array[i] = 0
		}
	}()
	run := func(f ProbeFunc) (results [2]int, out []uint8, at, slice []uint64, err error) {
		for _, i := range used {
			array[i] = 0
		}
		for i := 0; i < n; i += 2 {
			r.set(&c, i>>1&1, r.positions(&c, i), true)
		}
		d := c.ProbeCall
		d.Out, d.Slices = slices.Clone(c.Out), slices.Clone(c.Slices)
		err = guarded(func() { results[0], results[1] = f(d) })
		for _, i := range used {
			at = append(at, array[i])
		}
		return results, d.Out, at, d.Slices, err
	}
	want, wantOut, wantAt, wantSlices, _ := run(r.row.Want)
	got, gotOut, gotAt, gotSlices, err := run(r.row.Got)
	switch {
	case err != nil:
		return err.Error()
	case got != want:
		return fmt.Sprintf("got %v, want %v", got, want)
	case !slices.Equal(gotOut, wantOut):
		return fmt.Sprintf("out became %v, want %v", gotOut, wantOut)
	case !slices.Equal(gotSlices, wantSlices):
		return fmt.Sprintf("slices became %v, want %v", gotSlices, wantSlices)
	}
	for i, w := range gotAt {
		if w != wantAt[i] {
			return fmt.Sprintf("word %d became %#x, want %#x", used[i], w, wantAt[i])
		}
	}
	return ""
}
