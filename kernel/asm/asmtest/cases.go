package asmtest

import (
	"fmt"
	"math"
	"slices"
)

// The constant "vector" is the size of the widest vector in bytes.
const vector = 64

// The method "all" runs all cases, those with short arguments first.
func (r *runner) all(o Options) {
	_ = r.extremes() && r.lengths(o) && r.claims() && r.hollow() && r.places(o) && r.singles(o) && r.full(o) && r.twos(o) && r.contained(o) && r.overlaps(o) && r.long(o) && r.vast(o)
}

// The method "brief" reports whether this is a short run on a portable twin. A twin has no vectors, its accesses are
// checked by Go, and the loop over single bits that checks it is slow. So in a short run it gets fewer cases of the kinds
// that are there for vectors, for unrolled loops and for addresses.
func (r *runner) brief(o Options) bool { return o.Short && r.row.Impl == "portable" }

// The method "disjoint" returns a case with two arguments a and b in separate arenas. Each argument lies directly
// next to one of the two forbidden pages of its arena. This page is chosen at random.
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

// The method "extremes" tests arguments whose words are in the list Extremes. For one argument, it tests all
// combinations of up to 3 such words. For two arguments, it tests all combinations of up to 2 such words in each
// argument. It also tests two arguments with 3 or 4 words each. Each of these words is 0 or has only ones. It tests all
// such arguments.
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

// The function "short" returns a list of short lengths, in words. It has all lengths from 0 to 3*Block + 3. It also
// has the multiples of Block from 4*Block to 16*Block, and their neighbours.
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

// The method "lengths" tests every short length of the first argument. This argument lies next to the first or the last
// forbidden page. The second argument has the same length, or is shorter, or is longer.
func (r *runner) lengths(o Options) bool {
	rounds := 3
	if o.Short {
		rounds = 1
	}
	for _, n := range short() {
		for range rounds {
			for side := range 4 {
				if r.brief(o) && side != n&3 {
					continue
				}
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

// The method "claims" tests two arguments. For one of them, the kernel gets a wrong length of at least 2^32 words. The
// length n of the other argument is correct. The kernel may access at most n words of each argument. The low 32 bits of
// the wrong length are 0, 2^31 or n-1. A kernel with signed 32-bit lengths would interpret 2^31 as a negative number. A
// kernel that uses only these 32 bits fails the test, unless the other argument is empty.
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

// The method "hollow" tests arguments of more than 2^31 words. Only the first page of such an argument exists. A
// correct kernel continues until it reaches a missing page. A kernel that uses only a part of the length ends before
// that page. The first argument begins at the same word as the second argument, or one word later. If it begins one
// word later, a kernel that stores results must process the words one by one.
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

// The method "places" tests arguments at all distances of 0 to 63 bytes from an address. This address is a multiple of
// 64, such as the beginning of a page. For two arguments it tests all pairs of distances. A short run tests fewer
// pairs. Even a short run tests each of the 64 distances of each argument at least once.
func (r *runner) places(o Options) bool {
	for _, n := range []int{1, 7, 8, 15, 16, Block - 1, Block, Block + 9, 2*Block + 5, 3*Block + 3} {
		if r.brief(o) && n > 8 {
			break
		}
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

// The method "singles" tests arguments in which one word differs from all others. Either this word has only ones
// and the others are 0, or this word is 0 and the others have only ones. The method tests each index of this word. It
// detects a kernel that omits a word or counts it twice.
func (r *runner) singles(o Options) bool {
	for n := 1; n <= 3*Block+3; n++ {
		if o.Short && n%Block > 3 && n != 11 && n != 29 || r.brief(o) && n > Block+3 {
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

// The method "full" tests arguments of every short length. All bits of these arguments are set. It detects a kernel
// whose counters have too few bits.
func (r *runner) full(Options) bool {
	for _, n := range short() {
		w := fill(n, ^uint64(0))
		if !r.try(r.disjoint(w, w)) || !r.try(r.disjoint(w, fill(n, 0))) {
			return false
		}
	}
	return true
}

// The method "twos" tests arguments in which all bits of two words are 1. All other words are 0. It tests all distances
// between these two words, up to Block - 1. It detects a kernel in which the two words cancel each other.
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

// The method "contained" tests arguments a and b with a special property: every bit that is set in a is also set in b.
// Then it chooses a bit that is clear in b, and sets this bit in a word of a. It tests this for each word of a. It
// detects a kernel that ends early and misses this bit.
func (r *runner) contained(o Options) bool {
	if r.row.Shape == One {
		return true
	}
	for _, n := range short() {
		if r.brief(o) && n > Block+3 {
			break
		}
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

// The method "overlaps" tests two arguments that overlap in memory. It tests all distances of whole words up to Block +
// 8 words. It also tests all distances in bytes up to the size of two vectors.
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

// The method "long" tests three pairs of arguments. The constant "longest" is the number of words of each argument, except
// in a short run on a portable twin.
// In the first pair all bits of both arguments are set. In the second pair all bits of one argument are set, and all
// bits of the other are clear. In the third pair all words are random. The method also tests the lengths at which
// kernels begin to use their longest loops.
func (r *runner) long(o Options) bool {
	most := longest
	if r.brief(o) {
		most = 1<<11 + 5 // with more than 2^16 ones
	}
	w := fill(most, ^uint64(0))
	if !r.try(r.disjoint(w, w)) || !r.try(r.disjoint(w, fill(most, 0))) {
		return false
	}
	lengths := []int{most, 1<<16 - 1, 1 << 16, 1<<16 + Block - 1, 1<<16 + Block}
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

// The method "vast" tests arguments for which all bits of the result are ones. The result has more than 2^33 bits. So
// the number of ones exceeds 2^32, even after a division by 2. Their memory is only a few words, which are mapped to
// many addresses. So an operation that stores its results must not change any of these words.
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
