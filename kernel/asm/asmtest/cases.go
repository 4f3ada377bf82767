package asmtest

import (
	"fmt"
	"math"
	"slices"
)

// vector is the number of bytes of the widest vector.
const vector = 64

// The method named all runs every case, the short lengths first.
func (r *runner) all(o Options) {
	_ = r.extremes() && r.lengths(o) && r.claims() && r.hollow() && r.places(o) && r.singles(o) && r.full(o) && r.twos(o) && r.contained(o) && r.overlaps(o) && r.long(o) && r.vast(o)
}

// The method disjoint returns a case of two separate arrays. Each lies directly next to one of its two guard pages,
// chosen at random.
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

// The method extremes tests all combinations of the words in Extremes, up to 3 words for one argument and up to 2 words
// for two arguments. For two arguments it also tests all combinations of up to 4 words that have no ones or only ones.
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

// The function short returns short lengths of an array. A block is the constant Block, in words. The lengths are all
// from 0 to 3 blocks + 3 words, and then the multiples of a block up to 16 blocks, with their neighbours.
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

// The method lengths tests every short length next to the front and the rear guard page, with second arguments of
// equal, smaller and greater length.
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

// The method claims tests one argument with a false length of more than 32 bits, so that kernels fail that use only the
// low 32 bits of a length. The low 32 bits of this length are less than the length of the other argument.
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

// The method hollow tests arguments with a length of more than 32 bits. Only their first page exists. A correct kernel
// reaches a missing page. A kernel that uses only a part of the length ends earlier. The first argument begins where
// the second begins, or a few words after it. Kernels that store then proceed word by word.
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

// The method places tests arguments at every distance in bytes from an address that is a multiple of 64. The ends of a
// page are such addresses. For two arguments it tests every pair of such distances. A short run tests fewer pairs, in
// which each argument still has all distances.
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

// The method singles tests one full word among empty words, and one empty word among full words, at each place. It
// detects a kernel that drops a word or counts it twice.
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

// The method named full tests full words at every short length. It detects a kernel whose counters have too few bits.
func (r *runner) full(Options) bool {
	for _, n := range short() {
		w := fill(n, ^uint64(0))
		if !r.try(r.disjoint(w, w)) || !r.try(r.disjoint(w, fill(n, 0))) {
			return false
		}
	}
	return true
}

// The method twos tests two full words among empty words, at every distance within a block. It detects a kernel in
// which two words cancel each other.
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

// The method named contained tests an argument a that is a subset of b, and then an argument a with one bit outside b,
// at each place. It detects an operation that ends early and misses such a bit.
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

// The method overlaps tests two arguments in one array. It tests every distance in words up to more than a block, and
// every distance in bytes up to two vectors.
func (r *runner) overlaps(o Options) bool {
	if r.row.Shape == One {
		return true
	}
	overlap := func(n, d int) bool { // b begins d bytes after a
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

// The method named long tests arrays whose length is the constant longest, with full words, with full and empty words,
// and with random words. It also tests the lengths at which kernels begin to use their longest loops.
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

// The method vast tests a large number of full words: the number of ones, and even half of it, exceeds what 32 bits can
// hold. The memory is a few words, mapped many times. Operations that store must store the same values again.
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
		return true // one case is enough
	}
	return true
}
