package asmtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Block is the largest number of words in one loop iteration, among all kernels of the popcount family.
const Block = 32

// Options says which cases the function Run runs.
type Options struct {
	Seed  uint64 // the seed of random words, lengths and places
	Short bool   // run about a fifth of the random cases, which still cover every property
}

// A span is a part of an array. The field n is the number of its words. The field "at" is the byte offset of the first
// word.
type span struct{ at, n int }

// A testCase has the arguments for one call of a kernel. They lie in two arrays, or in two parts of one array. These
// parts may overlap. The testCase also says where in memory the arrays are placed.
type testCase struct {
	words   [2][]uint64
	arg     [2]span
	overlap bool    // both arguments lie in words[0]
	off     [2]int  // bytes between each array and a guard page
	rear    [2]bool // true for the guard page after the array, false for the page before it
	claim   [2]int  // the false length of the argument; 0 for its true length
}

// A Failure is a case in which a kernel gives a wrong result.
type Failure struct {
	Row  Row
	Seed uint64
	What string // the disagreement
	c    testCase
}

// Error returns a text that describes the failed case. The text has the implementation, the lengths and places of the
// arguments, the seed and the words of the arguments. The arguments were made as small as possible.
func (f *Failure) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v: %s (seed %d)\n", f.Row, f.What, f.Seed)
	args := 2
	if f.Row.Shape == One {
		args = 1
	}
	for i := range args {
		w := f.c.words[i]
		if f.c.overlap {
			w = f.c.words[0]
		}
		side := "after the front guard"
		if f.c.rear[i] {
			side = "before the rear guard"
		}
		fmt.Fprintf(&b, "  argument %c: length %d, from byte %d of %d words that lie %d bytes %s", 'a'+rune(i),
			f.c.arg[i].n, f.c.arg[i].at, len(w), f.c.off[i], side)
		if f.c.claim[i] > 0 {
			fmt.Fprintf(&b, ", said to be of length %d", f.c.claim[i])
		}
		if i == 1 && f.c.overlap {
			b.WriteString(": the same array\n")
			continue
		}
		printWords(&b, w)
	}
	return b.String()
}

// A runner runs the cases on one kernel.
type runner struct {
	row   Row
	rand  *rand.Rand
	seed  uint64
	arena [2]arena
	cases int
	fail  *Failure
}

// Run runs all cases on the kernel of row, and returns the number of cases. If a result of the kernel is wrong, err is
// a *Failure. It describes the first such case, which Run has made as small as possible. The same options give the same
// cases.
//
// Cost: about 0.3 s for each row, or 0.05 s in a short run, on a CPU of 3 GHz. A portable implementation takes five times as
// long, because a loop over single bits checks it. If a case fails, Run then
// spends up to one second on making it smaller.
func Run(row Row, o Options) (cases int, err error) {
	const most = longest + 2*margin
	r := &runner{
		row: row, seed: o.Seed, rand: rand.New(rand.NewPCG(o.Seed, 0x6b65726e656c)),
		arena: [2]arena{takeArena(most), takeArena(most)},
	}
	defer giveBack(r.arena[0], most)
	defer giveBack(r.arena[1], most)
	r.all(o)
	if r.fail != nil {
		return r.cases, r.fail
	}
	return r.cases, nil
}

// The constant "longest" is the number of words of the longest arguments that are usually tested. It is larger than the
// number of words that any loop processes in one iteration. It is more than 65,536, so it does not fit in 16 bits.
// Kernels also prefetch if there are more than 65,536 words.
const longest = 1<<16 + 101

// The method "try" runs the case c, and reports whether further cases should be run. If c is the first case that fails,
// the method makes c smaller.
func (r *runner) try(c testCase) bool {
	r.cases++
	if what := r.run(c); what != "" {
		c, what = r.minimise(c, what)
		r.fail = &Failure{Row: r.row, Seed: r.seed, What: what, c: c}
	}
	return r.fail == nil
}

// The method "run" runs the case c. If the case fails, the result describes the failure. Otherwise the result is "".
func (r *runner) run(c testCase) string {
	var model, args [2][]uint64 // the arguments of the specification and of the kernel
	var copies [2][]uint64
	var place [2]int
	for i := range 2 {
		k := i
		if c.overlap {
			k = 0
		}
		if !unaligned {
			c.off[i] &^= 7
			c.arg[i].at &^= 7
		}
		if k == i {
			copies[k] = append([]uint64{}, c.words[k]...)
			place[k] = r.arena[k].put(bytesOf(c.words[k]), c.off[k], c.rear[k])
		}
		at, n := c.arg[i].at, c.arg[i].n
		model[i] = wordsAt(copies[k], at, n)
		args[i] = saying(r.arena[k].at(place[k]+at, n), c.claim[i])
	}
	want := r.row.Want(model[0], model[1])
	got, err := call(r.row.Got, args[0], args[1])
	if err != nil {
		return err.Error()
	}
	if got != want {
		return fmt.Sprintf("got %d, want %d", got, want)
	}
	for k := range 2 {
		if k == 1 && c.overlap {
			break
		}
		j, bad := r.arena[k].changed(bytesOf(copies[k]), place[k])
		switch n := len(copies[k]); {
		case bad && j>>3 >= 0 && j>>3 < n:
			return fmt.Sprintf("argument %c: word %d (of %d) became %#016x, want %#016x", 'a'+rune(k), j>>3, n, r.arena[k].at(place[k], n)[j>>3], copies[k][j>>3])
		case bad:
			return fmt.Sprintf("argument %c: wrote byte %d of %d words", 'a'+rune(k), j, n)
		}
	}
	return ""
}

// The case c has failed. The method "minimise" looks for a smaller case that also fails. It removes words at both ends
// of the arguments. It sets words to 0. It clears all bits of a word except one. Finally it sets the offsets to 0. It
// stops after about a second.
func (r *runner) minimise(c testCase, what string) (testCase, string) {
	budget := 1 << 23 // the number of words to compare
	shrunk := func(d testCase) bool {
		if budget -= len(d.words[0]) + len(d.words[1]) + margin; budget < 0 {
			return false
		}
		w := r.run(d)
		if w != "" {
			c, what = d, w
		}
		return w != ""
	}
	for i := range 2 {
		for by := 1 << 17; by > 0 && !c.overlap; by /= 2 {
			for c.arg[i].n >= by && (shrunk(c.cut(i, 0, by)) || shrunk(c.cut(i, by, 0))) {
			}
		}
		for by := 1 << 17; by > 0; by /= 2 {
			for j := 0; j < len(c.words[i]) && budget > 0; j += by {
				k := min(j+by, len(c.words[i]))
				if slices.ContainsFunc(c.words[i][j:k], func(v uint64) bool { return v != 0 }) {
					shrunk(c.set(i, j, k, 0))
				}
			}
		}
		for j, v := range c.words[i] {
			if v != 0 && budget > 0 && !shrunk(c.set(i, j, j+1, 1)) {
				shrunk(c.set(i, j, j+1, v&-v))
			}
		}
		for _, least := range []int{63, 7} { // first without an offset, then with an offset of whole words
			if d := c; d.off[i]&least != 0 {
				d.off[i] &^= least
				if shrunk(d) {
					break
				}
			}
		}
	}
	return c, what
}

// The method "cut" returns a copy of c in which argument i is shorter. The argument "front" is the number of words that
// are removed at the beginning. The argument "rear" is the number of words that are removed at the end.
func (c testCase) cut(i, front, rear int) testCase {
	c.words[i] = c.words[i][front : len(c.words[i])-rear]
	c.arg[i].n -= front + rear
	return c
}

// The method "set" returns a copy of c in which some words of array i have the value v. These are the words j to
// k-1.
func (c testCase) set(i, j, k int, v uint64) testCase {
	c.words[i] = slices.Clone(c.words[i])
	for ; j < k; j++ {
		c.words[i][j] = v
	}
	return c
}
