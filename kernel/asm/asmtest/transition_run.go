package asmtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"unsafe"
)

// A transitionCase has the arguments for one call of a kernel, and the places of its arrays in memory.
type transitionCase struct {
	TransitionCall
	lag   int // -1 for separate arrays; otherwise a is A[lag:] and b begins at the front of A
	off   [2]int
	rear  [2]bool // true: off words before the rear guard page; false: off words after the front guard page
	claim [2]int  // the false length of the argument; 0 for its true length
}

// A TransitionFailure is a case in which a kernel of the transition family gives a wrong result.
type TransitionFailure struct {
	Row  TransitionRow
	Seed uint64
	What string // the disagreement
	c    transitionCase
}

// Error returns a text that describes the failed case. The text names the implementation and the seed. It also shows
// the arguments, their places in memory, and the contents of the arrays. The arguments and the arrays were made as
// small as possible.
func (f *TransitionFailure) Error() string {
	var b strings.Builder
	c := f.c
	fmt.Fprintf(&b, "%v: %s (seed %d)\n  k %d, stride %d, set %g, clear %g, unit %g, scale %g\n",
		f.Row, f.What, f.Seed, c.K, c.Stride, c.Set, c.Clear, c.Unit, c.Scale)
	for i, v := range [][]float64{c.A, c.B} {
		side := "after the front guard"
		if c.rear[i] {
			side = "before the rear guard"
		}
		if i == 1 && c.lag >= 0 {
			fmt.Fprintf(&b, "  argument b is the front of it, a begins %d elements later\n", c.lag)
			break
		}
		fmt.Fprintf(&b, "  argument %c: length %d, %d words %s", 'a'+rune(i), len(v), c.off[i], side)
		if c.claim[i] > 0 {
			fmt.Fprintf(&b, ", said to be of length %d", c.claim[i])
		}
		b.WriteByte(':')
		for j, x := range v {
			if j == 40 {
				fmt.Fprintf(&b, " and %d more", len(v)-j)
				break
			}
			fmt.Fprintf(&b, " %g", x)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// A transitionRunner runs the cases on one kernel.
type transitionRunner struct {
	row   TransitionRow
	rand  *rand.Rand
	seed  uint64
	arena [2]arena
	cases int
	fail  *TransitionFailure
}

// transitionMost is a limit. In every case, each array has at most this number of elements.
const transitionMost = 1 << 16

// RunTransition tests the kernel in the given row with all cases. It returns the number of cases. If any bit of a
// result of the kernel is wrong, err is a *TransitionFailure. It describes the first such case, which RunTransition has
// made as small as possible. The same options give the same cases.
//
// Cost: about 0.05 s for each row, or 0.02 s in a short run, on a CPU of 3 GHz. A portable twin takes 0.2 s. It is
// checked by slow code, whose time grows exponentially with k. If a case fails, making it smaller takes up to a second
// more.
func RunTransition(row TransitionRow, o Options) (cases int, err error) {
	r := &transitionRunner{row: row, seed: o.Seed, rand: rand.New(rand.NewPCG(o.Seed, 0x7472616e73))}
	for i := range r.arena {
		r.arena[i] = takeArena(transitionMost + 2*margin)
		defer giveBack(r.arena[i], transitionMost+2*margin)
	}
	r.all(o)
	if r.fail != nil {
		return r.cases, r.fail
	}
	return r.cases, nil
}

// The method "try" runs the case c, and reports whether further cases should be run. If c is the first case that fails,
// the method makes c smaller.
func (r *transitionRunner) try(c transitionCase) bool {
	r.cases++
	if what := r.run(c); what != "" {
		c, what = r.minimise(c, what)
		r.fail = &TransitionFailure{Row: r.row, Seed: r.seed, What: what, c: c}
	}
	return r.fail == nil
}

// wordsOf returns the bits of the elements of v as words. There is one word for each element.
func wordsOf(v []float64) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(v))), len(v))
}

// The method "arrays" returns the arrays of c. There are one or two.
func (c transitionCase) arrays() [][]float64 {
	if c.lag < 0 {
		return [][]float64{c.A, c.B}
	}
	return [][]float64{c.A}
}

// The method "on" returns a TransitionCall with the arguments of the case c. The slices of this TransitionCall lie in
// the given arrays.
func (c transitionCase) on(arrays [][]float64) TransitionCall {
	call := c.TransitionCall
	if c.lag < 0 {
		call.A, call.B = saying(arrays[0], c.claim[0]), saying(arrays[1], c.claim[1])
	} else {
		call.A, call.B = arrays[0][c.lag:], arrays[0][:len(c.A)-c.lag]
	}
	return call
}

// The method "run" runs the case c. If the case fails, the result describes the failure. Otherwise the result is "".
func (r *transitionRunner) run(c transitionCase) string {
	var model, args [][]float64
	var at [2]int
	for i, v := range c.arrays() {
		model = append(model, slices.Clone(v))
		at[i] = r.arena[i].put(bytesOf(wordsOf(v)), 8*c.off[i], c.rear[i])
		p := unsafe.SliceData(r.arena[i].at(at[i], len(v)))
		args = append(args, unsafe.Slice((*float64)(unsafe.Pointer(p)), len(v)+margin)[:len(v)])
	}
	r.row.Want(c.on(model))
	if err := guarded(func() { r.row.Got(c.on(args)) }); err != nil {
		return err.Error()
	}
	for i, v := range model {
		j, bad := r.arena[i].changed(bytesOf(wordsOf(v)), at[i])
		if !bad {
			continue
		}
		j >>= 3
		got := math.Float64frombits(r.arena[i].words[at[i]/8+j])
		if j < 0 || j >= len(v) {
			return fmt.Sprintf("wrote element %d of %d of argument %c", j, len(v), 'a'+rune(i))
		}
		return fmt.Sprintf("element %d of argument %c became %g (%#016x), want %g (%#016x)",
			j, 'a'+rune(i), got, math.Float64bits(got), v[j], math.Float64bits(v[j]))
	}
	return ""
}

// The method "minimise" makes the case c smaller. It keeps only changes after which the case still fails. It tries
// fewer states, fewer positions and offsets of 0. Then it sets elements to 0 or 1.
func (r *transitionRunner) minimise(c transitionCase, what string) (transitionCase, string) {
	budget := 1 << 22 // the number of elements to compare
	shrunk := func(d transitionCase) bool {
		if budget -= len(d.A) + len(d.B) + margin; budget < 0 {
			return false
		}
		w := r.run(d)
		if w != "" {
			c, what = d, w
		}
		return w != ""
	}
	for by := 1 << 12; by > 0; by /= 2 {
		for c.states(r.row.Form) > by && shrunk(c.withStates(r.row.Form, c.states(r.row.Form)-by)) {
		}
	}
	for c.K > 0 && r.row.Form != Step && shrunk(c.withK(r.row.Form, c.K-1)) {
	}
	for i := range c.off {
		if d := c; d.off[i] != 0 {
			d.off[i] = 0
			shrunk(d)
		}
	}
	for i := range 2 {
		for j := range []int{len(c.A), len(c.B)}[i] {
			if !shrunk(c.with(i, j, 0)) {
				shrunk(c.with(i, j, 1))
			}
		}
	}
	return c, what
}

// The method "states" returns the number of states for which the arguments of c have room.
func (c transitionCase) states(form TransitionForm) int {
	switch form {
	case Rows:
		return len(c.A) - c.K*c.Stride
	case Sums:
		return len(c.B)
	}
	if c.lag >= 0 {
		return len(c.A) - c.lag
	}
	return min(len(c.A), len(c.B))
}

// withStates returns a copy of c with only the first n states.
func (c transitionCase) withStates(form TransitionForm, n int) transitionCase {
	switch form {
	case Rows:
		c.A = c.A[:c.K*c.Stride+n]
	case Sums:
		c.B = c.B[:n]
	case Step:
		if c.lag >= 0 {
			c.A = c.A[:c.lag+n]
		} else {
			c.A, c.B = c.A[:n], c.B[:n]
		}
	}
	return c
}

// withK returns a copy of c in which a message has k positions. The number k must be less than c.K.
func (c transitionCase) withK(form TransitionForm, k int) transitionCase {
	if form == Rows {
		c.A = c.A[:min(max(len(c.A)-(c.K-k)*c.Stride, 0), len(c.A))]
	}
	c.K = k
	return c
}

// The method c.with returns a copy of c in which one element has the value v. This is element j of A if i is 0, and
// element j of B if i is 1.
func (c transitionCase) with(i, j int, v float64) transitionCase {
	p := []*[]float64{&c.A, &c.B}[i]
	*p = slices.Clone(*p)
	(*p)[j] = v
	return c
}
