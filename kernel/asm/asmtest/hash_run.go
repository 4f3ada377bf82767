package asmtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A hashCase has the arguments for one call of a kernel, and the places of its arrays in memory.
type hashCase struct {
	dst, keys []uint64 // dst has the values before the call
	seed      uint64
	off       [2]int  // bytes between each array and a guard page
	rear      [2]bool // true for the guard page after the array, false for the page before it
	claim     [2]int  // the false length of the argument; 0 for its true length
}

// A HashFailure is a case in which a kernel of the hash family gives a wrong result.
type HashFailure struct {
	Row  HashRow
	Seed uint64
	What string // the disagreement
	c    hashCase
}

// Error returns a text that describes the failed case. The text has the implementation, the lengths and places of the
// arrays, the seeds and the arguments. The arguments were made as small as possible.
func (f *HashFailure) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v: %s (seed %d)\n  hashes of seed %#x\n", f.Row, f.What, f.Seed, f.c.seed)
	for i, w := range [][]uint64{f.c.dst, f.c.keys} {
		side := "after the front guard"
		if f.c.rear[i] {
			side = "before the rear guard"
		}
		fmt.Fprintf(&b, "  argument %s: length %d, %d bytes %s", []string{"dst", "keys"}[i], len(w), f.c.off[i], side)
		if f.c.claim[i] > 0 {
			fmt.Fprintf(&b, ", said to be of length %d", f.c.claim[i])
		}
		printWords(&b, w)
	}
	return b.String()
}

// A hashRunner runs the cases on one kernel.
type hashRunner struct {
	row   HashRow
	rand  *rand.Rand
	seed  uint64
	arena [2]arena
	cases int
	fail  *HashFailure
}

// hashMost is the largest number of keys in a case.
const hashMost = 1<<12 + 5

// RunHash runs all cases on the kernel of row, and returns the number of cases. If a result of the kernel is wrong, err
// is a *HashFailure. It describes the first such case, which RunHash has made as small as possible. The same options
// give the same cases.
//
// Cost: about 0.05 s for each row, or 0.01 s in a short run, on a CPU of 3 GHz. If a case fails, making it smaller
// takes up to a second more.
func RunHash(row HashRow, o Options) (cases int, err error) {
	r := &hashRunner{row: row, seed: o.Seed, rand: rand.New(rand.NewPCG(o.Seed, 0x68617368))}
	for i := range r.arena {
		r.arena[i] = takeArena(2*hashMost + 2*margin)
		defer giveBack(r.arena[i], 2*hashMost+2*margin)
	}
	r.all(o)
	if r.fail != nil {
		return r.cases, r.fail
	}
	return r.cases, nil
}

// The method "try" runs the case c, and reports whether further cases should be run. If c is the first case that fails,
// the method makes c smaller.
func (r *hashRunner) try(c hashCase) bool {
	r.cases++
	if what := r.run(c); what != "" {
		c, what = r.minimise(c, what)
		r.fail = &HashFailure{Row: r.row, Seed: r.seed, What: what, c: c}
	}
	return r.fail == nil
}

// The method "run" runs the case c. If the case fails, the result describes the failure. Otherwise the result is "".
func (r *hashRunner) run(c hashCase) string {
	var args [2][]uint64
	var at [2]int
	after := [2][]uint64{slices.Clone(c.dst), c.keys} // the expected values after the call
	for i, w := range [][]uint64{c.dst, c.keys} {
		if !unaligned {
			c.off[i] &^= 7
		}
		at[i] = r.arena[i].put(bytesOf(w), c.off[i], c.rear[i])
		args[i] = saying(r.arena[i].at(at[i], len(w)), c.claim[i])
	}
	want, got := r.row.Want(after[0], after[1], c.seed), 0
	if err := guarded(func() { got = r.row.Got(args[0], args[1], c.seed) }); err != nil {
		return err.Error()
	}
	if got != want {
		return fmt.Sprintf("got %d, want %d", got, want)
	}
	for i, name := range []string{"dst", "keys"} {
		if j, bad := r.arena[i].changed(bytesOf(after[i]), at[i]); bad {
			if j < 0 || j >= 8*len(after[i]) {
				return fmt.Sprintf("argument %s: wrote byte %d of %d words", name, j, len(after[i]))
			}
			j >>= 3
			return fmt.Sprintf("argument %s: word %d (of %d) became %#016x, want %#016x", name, j, len(after[i]), r.arena[i].at(at[i], len(after[i]))[j], after[i][j])
		}
	}
	return ""
}

// The method "minimise" makes the case c smaller. It keeps only changes after which the case still fails. It removes
// keys at both ends. It also makes the array for the hashes shorter. Then it sets the seed and the offsets to 0, and at
// last it sets words to 0.
func (r *hashRunner) minimise(c hashCase, what string) (hashCase, string) {
	budget := 1 << 21 // the number of words to compare
	shrunk := func(d hashCase) bool {
		if budget -= len(d.dst) + len(d.keys) + margin; budget < 0 {
			return false
		}
		w := r.run(d)
		if w != "" {
			c, what = d, w
		}
		return w != ""
	}
	for by := hashMost; by > 0; by /= 2 {
		for _, cut := range []func(d *hashCase){
			func(d *hashCase) { d.keys, d.dst = d.keys[by:], d.dst[min(2*by, len(d.dst)):] },
			func(d *hashCase) { d.keys, d.dst = d.keys[:len(d.keys)-by], d.dst[:max(len(d.dst)-2*by, 0)] },
		} {
			for len(c.keys) >= by {
				d := c
				if cut(&d); !shrunk(d) {
					break
				}
			}
		}
	}
	for len(c.dst) > 2*len(c.keys) {
		d := c
		if d.dst = d.dst[:len(d.dst)-1]; !shrunk(d) {
			break
		}
	}
	for _, seed := range []uint64{0, 1} {
		if d := c; c.seed > seed {
			d.seed = seed
			if shrunk(d) {
				break
			}
		}
	}
	for i := range c.off {
		if d := c; d.off[i] != 0 {
			d.off[i] = 0
			shrunk(d)
		}
	}
	for i, w := range [][]uint64{c.dst, c.keys} {
		for j := range w {
			d := c
			p := []*[]uint64{&d.dst, &d.keys}[i]
			*p = slices.Clone(*p)
			if (*p)[j] = 0; w[j] != 0 {
				shrunk(d)
			}
		}
	}
	return c, what
}
