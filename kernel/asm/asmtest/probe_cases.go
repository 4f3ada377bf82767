package asmtest

import (
	"github.com/bloomproof/bloomproof/kernel/asm"
)

// The method "all" runs all cases, small ones first.
func (r *probeRunner) all(o Options) {
	if r.row.Impl == "portable" {
		o.Short = true // it has no blocks, and its oracle is slow
	}
	_ = r.grid(o) && r.extremes() && r.spans() && r.blocked(o) && r.edges(o) && r.nothing() && r.alone() && r.singles(o) && r.repeats(o) &&
		r.places() && r.large() && r.long() && r.far(o) && r.claims() && r.endless()
}

// The method "positions" returns the positions of key i of c. Their number is the field K of c.
func (r *probeRunner) positions(c *probeCase, i int) []uint64 {
	if !r.row.Form.Has(Hashes) {
		n := r.row.Form.group(c.ProbeCall)
		return c.Keys[i*n : (i+1)*n]
	}
	pos := make([]uint64, c.K)
	if r.row.Form.Has(Blocked) {
		blocks := uint64(len(c.Words)) / (c.Block / 64)
		asm.BlockPositionsPortable(pos, c.Keys[2*i:2*i+2], c.K, c.Span, c.Step, c.Block, blocks)
		return pos
	}
	asm.PositionsPortable(pos, c.Keys[2*i:2*i+2], c.K, c.Span, c.Step)
	return pos
}

// The method "shaped" returns a case with n random keys and with room for their answers. Each key has k positions, and
// the j-th of them lies in the j-th range of bits. The argument "span" is the length of a range in bits. The argument
// "step" is the distance from the beginning of one range to the beginning of the next. The array has as many words as
// the positions need. All words are zero.
func (r *probeRunner) shaped(n, k int, span, step uint64) probeCase {
	c := r.shapedKeys(n, k, span, step)
	switch {
	case r.row.Form.Has(Derives):
	case r.row.Form.Has(Blocked):
		size := c.Block / 64
		c.Words = make([]uint64, c.Blocks*size+r.rand.Uint64N(2)*r.rand.Uint64N(size))
	default:
		c.Words = make([]uint64, r.wordsFor(c.need()))
	}
	return c
}

// shapedKeys returns the same case as the method "shaped", but without an array.
func (r *probeRunner) shapedKeys(n, k int, span, step uint64) probeCase {
	form := r.row.Form
	c := probeCase{ProbeCall: ProbeCall{K: k, Span: span, Step: step}}
	if form.Has(Blocked) {
		r.divide(&c, n)
	}
	k = c.K
	if form.Has(Answers) {
		c.Out = make([]uint8, n)
		for i := range c.Out {
			c.Out[i] = uint8(r.rand.Uint32()) | 4 // a value that no kernel writes
		}
	}
	if form.Has(Derives) {
		c.Dst = RandomWords(r.rand, n*k)
	}
	if form.Has(Slices) {
		c.Slices = RandomWords(r.rand, k)
	}
	if form.Has(Sided) {
		c.Side = int(r.rand.Uint32() & 1)
	}
	c.Keys = make([]uint64, n*form.group(c.ProbeCall))
	for i := range c.Keys {
		c.Keys[i] = r.rand.Uint64()
		if !form.Has(Hashes) {
			c.Keys[i] = uint64(i%k)*step + c.Keys[i]%span
		}
	}
	for i := range arrays {
		c.rear[i] = r.rand.Uint32()&1 != 0
	}
	return c
}

// wordsFor returns the number of words for an array with the given number of bits. If the operation works on a pair of
// arrays, the result is the number of words of both arrays together.
func (r *probeRunner) wordsFor(bits uint64) int {
	n := int((bits + 63) / 64)
	if r.row.Form.Has(Pair) {
		n *= 2
	}
	return n
}

// The method "set" changes the bits at the positions pos in one array of c. It sets these bits if the last argument is
// true, and clears them otherwise. The argument "side" is 0 for the first array and 1 for the second.
func (r *probeRunner) set(c *probeCase, side int, pos []uint64, to bool) {
	for _, p := range pos {
		i := p >> 6
		if r.row.Form.Has(Pair) {
			i = 2*i + uint64(side)
		}
		if to {
			c.Words[i] |= 1 << (p & 63)
		} else {
			c.Words[i] &^= 1 << (p & 63)
		}
	}
}

// The method "fill" sets the words of each array of c. For each array it chooses one of six kinds of contents at
// random. Three of the kinds are zeros only, ones only, and random words. The other three kinds depend on some of the
// keys. In one of these kinds only the bits of these keys are set. In another kind, the bits of these keys and some
// random bits are set. In the last kind all bits are set except one bit of each of these keys.
func (r *probeRunner) fill(c *probeCase) {
	if r.row.Form.Has(Derives) {
		return
	}
	n := len(c.Keys) / r.row.Form.group(c.ProbeCall)
	sides := 1
	if r.row.Form.Has(Pair) {
		sides = 2
	}
	for s := range sides {
		kind := r.rand.Uint32() % 6
		for i := s; i < len(c.Words); i += sides {
			switch kind {
			case 1, 4:
				c.Words[i] = ^uint64(0)
			case 2:
				c.Words[i] = RandomWord(r.rand)
			case 5:
				c.Words[i] = r.rand.Uint64() & r.rand.Uint64()
			}
		}
		for i := range n {
			if kind >= 3 && r.rand.Uint32()&1 != 0 {
				pos := r.positions(c, i)
				if kind == 4 {
					pos = pos[r.rand.IntN(len(pos)):][:1]
				}
				r.set(c, s, pos, kind != 4)
			}
		}
	}
}

// The method "hash" returns a random word, which becomes one of the two words of a hash. The word is uniformly
// distributed, has a random share of ones, or is an extreme value.
func (r *probeRunner) hash() uint64 {
	switch r.rand.Uint32() & 3 {
	case 0:
		return RandomWord(r.rand)
	case 1:
		return Extremes[r.rand.IntN(len(Extremes))]
	}
	return r.rand.Uint64()
}

// The method "random" returns a case with n keys of k positions. Everything else in it is random.
func (r *probeRunner) random(n, k int) probeCase {
	span := []uint64{1, 2, 3, 63, 64, 65, 127, 128, 129, 1 + r.rand.Uint64N(5000), 1 + r.rand.Uint64N(100)}[r.rand.IntN(11)]
	if span*uint64(k) > 1<<16 {
		span = 1 + r.rand.Uint64N(64)
	}
	step := span * uint64(r.rand.Uint32()&1)
	c := r.shaped(n, k, span, step)
	form := r.row.Form
	group := form.group(c.ProbeCall)
	if form.Has(Hashes) && r.rand.Uint32()&1 != 0 {
		for i := range c.Keys {
			c.Keys[i] = r.hash()
		}
	}
	if r.rand.Uint32()&1 != 0 { // repeat some keys, most of them after a short distance
		for i := 1; i < n; i++ {
			if r.rand.Uint32()&3 == 0 {
				from := max(i-1-r.rand.IntN(i)%(1+r.rand.IntN(16)), 0)
				copy(c.Keys[i*group:(i+1)*group], c.Keys[from*group:])
			}
		}
	}
	r.fill(&c)
	switch r.rand.Uint32() & 7 { // make the lengths disagree
	case 0:
		c.Keys = c.Keys[:max(len(c.Keys)-1, 0)]
	case 1:
		c.Keys = append(c.Keys, c.Keys[:min(len(c.Keys), r.rand.IntN(3*group))]...)
	case 2:
		c.Out, c.Dst = c.Out[:max(len(c.Out)-1, 0)], c.Dst[:max(len(c.Dst)-1, 0)]
	case 3:
		c.Out, c.Dst = c.Out[:len(c.Out)/2], c.Dst[:len(c.Dst)/2]
	}
	for i := range arrays {
		if r.rand.Uint32()&1 != 0 {
			c.off[i] = r.rand.IntN(64)
		}
	}
	return c
}

// A key has k positions. The function probeKs returns the values of k that are tested. The function probeNs returns the
// numbers of keys that are tested. For an assembly kernel, a full run combines each k with each number of keys.
func (r *probeRunner) probeKs() []int {
	if r.row.Form.lone() {
		return []int{1}
	}
	ks := make([]int, 20)
	for i := range ks {
		ks[i] = i + 1
	}
	return ks
}

// probeNs returns a list of numbers. Each is the number of keys in a test. All small numbers are tested. A kernel
// processes a fixed number of keys at a time. So numbers of keys close to multiples of this number are tested too. The
// kernel with the narrowest vector processes 4 keys at a time. The kernel with the longest ring of keys processes 96
// keys at a time.
func probeNs() []int {
	var ns []int
	for n := range 41 {
		ns = append(ns, n)
	}
	for _, n := range []int{48, 56, 64, 72, 96, 128, 192} {
		ns = append(ns, n-1, n, n+1)
	}
	return ns
}

// The method "grid" tests combinations of a number of positions and a number of keys. These numbers come from
// probeKs and probeNs. Everything else in these cases is random.
func (r *probeRunner) grid(o Options) bool {
	rounds := 4
	if o.Short {
		rounds = 1
	}
	for _, n := range probeNs() {
		for _, k := range r.probeKs() {
			if (r.row.Impl == "portable" || o.Short && n > 64) && (n+k)%5 != 0 {
				continue
			}
			for range rounds {
				if !r.try(r.random(n, k)) {
					return false
				}
			}
		}
	}
	return true
}

// The method "extremes" tests keys whose hash consists of two extreme words. One case has all pairs of such words.
// For operations that take positions instead of hashes, it tests positions at both ends of an array.
func (r *probeRunner) extremes() bool {
	var h []uint64
	set := append([]uint64{2, 3, ^uint64(1)}, Extremes...)
	combinations(2, set, func(w []uint64) bool { h = append(h, w...); return true })
	for _, k := range []int{1, 2, 5, 8, 9} {
		for _, span := range []uint64{1, 2, 64, 65, 4095, 4096} {
			for _, step := range []uint64{0, span} {
				c := r.shaped(len(h)/2, k, span, step)
				for i := range c.Keys {
					if r.row.Form.Has(Hashes) {
						c.Keys[i] = h[i]
					} else {
						c.Keys[i] = uint64(i%k)*step + h[i%len(h)]&1*(span-1)
					}
				}
				r.fill(&c)
				if !r.try(c) {
					return false
				}
			}
		}
	}
	return true
}

// A span is the number of bits from which a position is chosen. The method "spans" tests spans that are a power of
// two or close to a power of two. The largest span is 2^48 for operations without an array, and 2^19 for other
// operations.
func (r *probeRunner) spans() bool {
	if !r.row.Form.Has(Hashes) || r.row.Form.Has(Blocked) {
		return true
	}
	for e := range 49 {
		for _, span := range []uint64{1<<e - 1, 1 << e, 1<<e + 1, 1<<e + r.rand.Uint64N(1<<e)} {
			span = min(span, 1<<48)
			if !r.row.Form.Has(Derives) && (span == 0 || span > 1<<19) {
				continue
			}
			for _, k := range []int{1, 3, 4, 9} { // for k = 9, j*step also exceeds 32 bits at j = 8
				if k == 9 && !r.row.Form.Has(Derives) {
					break
				}
				c := r.shaped(9, k, span, span*uint64(r.rand.Uint32()&1))
				r.fill(&c)
				if !r.try(c) {
					return false
				}
			}
		}
	}
	return true
}

// For each position of each key, the method "singles" tests an array in which the bit at this position is clear. It
// chooses at random between two kinds of such arrays. In the first kind all other bits are set. In the second kind,
// only the bits at the other positions of the keys are set. It detects a kernel that omits a position, uses a position
// twice, or reads the wrong bit of a word.
func (r *probeRunner) singles(o Options) bool {
	if r.row.Form.Has(Derives) {
		return true
	}
	ns := []int{1, 7, 8, 9, 16, 17, 33, 65}
	if o.Short {
		ns = []int{1, 9, 17}
	}
	for _, n := range ns {
		for _, k := range []int{1, 2, 3, 7, 8, 9, 16, 17} {
			if r.row.Form.lone() && k > 1 {
				continue
			}
			for i := range n {
				for j := range k {
					if (i+j)%5 != 0 && o.Short {
						continue
					}
					span := uint64(4099)
					c := r.shaped(n, k, span/uint64(k), span/uint64(k)*uint64((i+j)&1))
					if j >= c.K {
						break
					}
					side := int(r.rand.Uint32() & 1)
					p := r.positions(&c, i)[j : j+1]
					if r.rand.Uint32()&1 != 0 {
						for w := range c.Words {
							c.Words[w] = ^uint64(0)
						}
					} else {
						for i := range n {
							r.set(&c, side, r.positions(&c, i), true)
						}
					}
					r.set(&c, side, p, false)
					if !r.try(c) {
						return false
					}
				}
			}
		}
	}
	return true
}

// The method "repeats" tests keys that are not in the array. One of the keys occurs twice in the list of keys. All
// distances between its two occurrences are tested. It also tests pairs of keys that have one position in common.
func (r *probeRunner) repeats(o Options) bool {
	const n = 41
	for _, k := range []int{1, 3, 7, 8, 9, 16} {
		if r.row.Form.lone() && k > 1 {
			continue
		}
		for d := 1; d < n; d++ {
			if o.Short && (d+k)%3 != 0 && d > 9 {
				continue
			}
			c := r.shaped(n, k, 1<<13, 0)
			group := r.row.Form.group(c.ProbeCall)
			at := r.rand.IntN(n - d)
			copy(c.Keys[(at+d)*group:(at+d+1)*group], c.Keys[at*group:])
			if r.row.Form.Has(Answers|Sets) && !r.row.Form.Has(Hashes) {
				other := r.rand.IntN(n) * group
				c.Keys[other+r.rand.IntN(k)] = c.Keys[at*group+r.rand.IntN(k)]
			}
			if !r.try(c) {
				return false
			}
		}
	}
	return true
}

// The method "places" tests arrays that begin shortly after a forbidden page, and arrays that end shortly before a
// forbidden page. The distance from the page is 0 to 63 bytes.
func (r *probeRunner) places() bool {
	for _, n := range []int{1, 8, 19} {
		for off := range 64 {
			for i := range arrays {
				for _, rear := range []bool{false, true} {
					k := 3
					if r.row.Form.lone() {
						k = 1
					}
					c := r.shaped(n, k, 700, 0)
					if off > 0 && len(c.bytes()[i]) == 0 {
						continue // the operation has no such array
					}
					r.fill(&c)
					c.off[i], c.rear[i] = off, rear
					if !r.try(c) {
						return false
					}
				}
			}
		}
	}
	return true
}

// The method "large" tests keys with many positions, up to the largest number that a geometry may have.
func (r *probeRunner) large() bool {
	if r.row.Form.lone() {
		return true
	}
	for _, k := range []int{31, 32, 33, 63, 64, 65, 4096} {
		for _, n := range []int{1, 2, 7, 9, 17} {
			if k == 4096 && n > 2 {
				break
			}
			if !r.try(r.random(n, k)) {
				return false
			}
		}
	}
	return true
}

// The method "long" tests thousands of keys in one call. The array contains some of them.
func (r *probeRunner) long() bool {
	ks := []int{1, 7}
	if r.row.Form.lone() {
		ks = ks[:1]
	}
	for _, k := range ks {
		c := r.shaped(2100, k, 1<<17/uint64(k), 0)
		r.fill(&c)
		if !r.try(c) {
			return false
		}
	}
	return true
}
