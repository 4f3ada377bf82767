package asmtest

import (
	"fmt"
	"math"
	"slices"
)

// vector is the most bytes of a vector.
const vector = 64

// all runs the cases, the short lengths first.
func (r *runner) all(o Options) {
	_ = r.extremes() && r.lengths(o) && r.claims() && r.hollow() && r.places(o) && r.singles(o) && r.full(o) && r.twos(o) && r.contained(o) && r.overlaps(o) && r.long(o) && r.vast(o)
}

// disjoint returns the case of two arrays, each flush against a random guard page.
func (r *runner) disjoint(a, b []uint64) testCase {
	if r.row.Shape == One {
		b = nil
	}
	side := r.rand.Uint32()
	return testCase{
		words: [2][]uint64{a, b},
		arg:   [2]span{{0, len(a)}, {0, len(b)}},
		rear:  [2]bool{side&1 != 0, side&2 != 0},
	}
}

// extremes: the extreme words in all combinations, to 3 words for one argument, to 2
// for two arguments and there to 4 words of empty and full.
func (r *runner) extremes() bool {
	if r.row.Shape == One {
		for n := range 4 {
			if !combinations(n, Extremes, func(w []uint64) bool { return r.try(r.disjoint(w, nil)) }) {
				return false
			}
		}
		return true
	}
	for n := range 5 {
		set := Extremes
		if n > 2 {
			set = Extremes[:2]
		}
		if !combinations(2*n, set, func(w []uint64) bool { return r.try(r.disjoint(w[:n], w[n:])) }) {
			return false
		}
	}
	return true
}

// short returns the lengths 0 to 3 blocks + 3, then the multiples of a block to 16
// blocks with their neighbours.
func short() []int {
	var n []int
	for i := range 3*Block + 4 {
		n = append(n, i)
	}
	for i := 4; i <= 16; i++ {
		n = append(n, i*Block-1, i*Block, i*Block+1)
	}
	return n
}

// lengths: every short length, against the front and the rear guard, with equal,
// shorter and longer second arguments.
func (r *runner) lengths(o Options) bool {
	rounds := 3
	if o.Short {
		rounds = 1
	}
	for _, n := range short() {
		for range rounds {
			for side := range 4 {
				for _, m := range []int{n, n + 1, max(n-1, 0), r.rand.IntN(n + Block)} {
					c := r.disjoint(RandomWords(r.rand, n), RandomWords(r.rand, m))
					c.rear = [2]bool{side&1 != 0, side&2 != 0}
					if !r.try(c) {
						return false
					}
					if r.row.Shape == One {
						break
					}
				}
			}
		}
	}
	return true
}

// claims: one argument says that it is longer than 32 bits can tell, so that no length is
// cut short: in its low 32 bits it is shorter than the other.
func (r *runner) claims() bool {
	if r.row.Shape == One || math.MaxInt == math.MaxInt32 {
		return true
	}
	for _, n := range []int{0, 1, 2, 9, Block + 5} {
		for i := range 2 {
			for _, low := range []uint64{0, uint64(max(n-1, 0)), 1 << 31} {
				c := r.disjoint(RandomWords(r.rand, n), RandomWords(r.rand, n))
				huge := 1<<32 + low
				c.claim[i] = int(huge)
				if !r.try(c) {
					return false
				}
			}
		}
	}
	return true
}

// hollow: arguments longer than 32 bits can tell, of which only the first page is there. A
// kernel that goes as far as it must meets the others; one that takes a part of the length
// for the whole ends before. The first argument begins where the second does, or so little
// after it that kernels that store go word by word.
func (r *runner) hollow() bool {
	return inHollow(func(array *arena) bool {
		for _, n := range []uint64{1<<31 + 9, 1 << 32, 1<<32 + 1, 1<<32 + 9, 1<<32 + Block + 5, 1<<32 + 200} {
			for lead := range 2 {
				r.cases++
				if _, err := call(r.row.Got, array.words[lead:][:n], array.words[:n]); !array.met(err) {
					what := fmt.Sprintf("%d words, of which one page is there, ended with %v, not at a page that is not there", n, err)
					r.fail = &Failure{Row: r.row, Seed: r.seed, What: what}
					return false
				}
			}
		}
		return true
	})
}

// places: every offset from 64-byte alignment in bytes (a page's ends are aligned), and
// of two arguments every pair of them; when short, pairs in which both have all offsets.
func (r *runner) places(o Options) bool {
	for _, n := range []int{1, 7, 8, 15, 16, Block - 1, Block, Block + 9, 2*Block + 5, 3*Block + 3} {
		for off := range 64 * 64 {
			a, b := off&63, off>>6
			if r.row.Shape == One && b > 0 || o.Short && b != (5*a+n)&63 && r.row.Shape != One {
				continue
			}
			c := r.disjoint(RandomWords(r.rand, n), RandomWords(r.rand, n))
			c.off = [2]int{a, b}
			if !r.try(c) {
				return false
			}
		}
	}
	return true
}

// singles: one full word among empty ones, and one empty word among full ones, at
// each place, so that no word is dropped or counted twice.
func (r *runner) singles(o Options) bool {
	for n := 1; n <= 3*Block+3; n++ {
		if o.Short && n%Block > 3 && n != 11 && n != 29 {
			continue
		}
		for i := range n {
			for _, v := range []uint64{0, ^uint64(0)} {
				a, b := fill(n, v), fill(n, ^v)
				a[i] = ^v
				if !r.try(r.disjoint(a, b)) {
					return false
				}
				if r.row.Shape != One && !(r.try(r.disjoint(b, a)) && r.try(r.disjoint(a, a))) {
					return false
				}
			}
		}
	}
	return true
}

// full: full words at every short length, so that no counter is too narrow.
func (r *runner) full(Options) bool {
	for _, n := range short() {
		w := fill(n, ^uint64(0))
		if !r.try(r.disjoint(w, w)) || !r.try(r.disjoint(w, fill(n, 0))) {
			return false
		}
	}
	return true
}

// twos: two full words among empty ones, at every distance within a block, so that no two
// words cancel.
func (r *runner) twos(o Options) bool {
	const n = Block + 9
	for i := range n {
		for j := i + 1; j < min(n, i+Block); j++ {
			if o.Short && (j-i)%4 != 0 {
				continue
			}
			a := fill(n, 0)
			a[i], a[j] = ^uint64(0), ^uint64(0)
			if !r.try(r.disjoint(a, fill(n, 0))) {
				return false
			}
		}
	}
	return true
}

// contained: a within b, then one bit of a outside it at each place, of which an
// operation that ends early must miss none.
func (r *runner) contained(o Options) bool {
	if r.row.Shape == One {
		return true
	}
	for _, n := range short() {
		a, b := RandomWords(r.rand, n), RandomWords(r.rand, n)
		for i := range a {
			a[i] &= b[i]
		}
		if !r.try(r.disjoint(a, b)) {
			return false
		}
		for i := range n {
			if (o.Short || n > 3*Block) && n > Block && i%Block > 1 && i < n-1 {
				continue
			}
			c := r.disjoint(slices.Clone(a), slices.Clone(b))
			bit := uint64(1) << r.rand.IntN(64)
			c.words[0][i] |= bit
			c.words[1][i] &^= bit
			if !r.try(c) {
				return false
			}
		}
	}
	return true
}

// overlaps: both arguments in one array at any byte: every distance in words to a block
// and more, and every distance in bytes to two vectors.
func (r *runner) overlaps(o Options) bool {
	if r.row.Shape == One {
		return true
	}
	overlap := func(n, d int) bool { // d: bytes by which b lies after a
		at, bt := max(0, -d), max(0, d)
		w := RandomWords(r.rand, n+(max(at, bt)+7)/8)
		return r.try(testCase{
			words: [2][]uint64{w, nil}, overlap: true,
			arg:  [2]span{{at, n}, {bt, n}},
			off:  [2]int{r.rand.IntN(64), 0},
			rear: [2]bool{r.rand.Uint32()&1 != 0, false},
		})
	}
	lengths := []int{0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 75, 99, 130}
	inBytes := []int{0, 1, 2, 8, 17, 35, 75}
	if o.Short {
		lengths = []int{0, 1, 9, 33, 75}
		inBytes = []int{35}
	}
	for _, n := range lengths {
		for d := -(Block + 8); d <= Block+8; d++ {
			if !overlap(n, 8*d) {
				return false
			}
		}
	}
	for _, n := range inBytes {
		for d := -2 * vector; d <= 2*vector; d++ {
			if !overlap(n, d) {
				return false
			}
		}
	}
	return true
}

// long: the longest length, full, full against empty, and random; and the lengths at
// which the longest loops begin.
func (r *runner) long(o Options) bool {
	w := fill(longest, ^uint64(0))
	if !r.try(r.disjoint(w, w)) || !r.try(r.disjoint(w, fill(longest, 0))) {
		return false
	}
	lengths := []int{longest, 1<<16 - 1, 1 << 16, 1<<16 + Block - 1, 1<<16 + Block}
	if o.Short {
		lengths = lengths[:1]
	}
	for _, n := range lengths {
		if !r.try(r.disjoint(RandomWords(r.rand, n), RandomWords(r.rand, n))) {
			return false
		}
	}
	return true
}

// vast: so many full words that 32 bits cannot tell the ones, nor half of them; they are a
// few, mapped many times. What is stored is what was there.
func (r *runner) vast(o Options) bool {
	if o.Short {
		return true
	}
	const n = 1<<27 + Block + 5
	for _, v := range Extremes[:2] {
		want := r.row.Want([]uint64{^uint64(0)}, []uint64{v})
		if want != 64 {
			continue
		}
		var arrays [2]arena
		for i, w := range []uint64{^uint64(0), v} {
			a, ok := newRepeated(n, w)
			if !ok {
				return true
			}
			defer a.free()
			arrays[i] = a
		}
		r.cases++
		got, err := call(r.row.Got, arrays[0].words, arrays[1].words)
		if uint64(got) != 64*n || err != nil {
			what := fmt.Sprintf("%d full words with %#x: got %d, %v, want %d", n, v, got, err, uint64(64*n))
			r.fail = &Failure{Row: r.row, Seed: r.seed, What: what}
			return false
		}
		return true // one is enough
	}
	return true
}
