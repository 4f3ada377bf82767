package asmtest

import (
	"math"
	"math/bits"
)

// unmix is the inverse of the mixing function of SplitMix64. It returns the word that the mixing function maps to z.
func unmix(z uint64) uint64 {
	z ^= z>>31 ^ z>>62
	z *= 0x319642b2d24d8ec3 // the inverse of 0x94d049bb133111eb modulo 2^64
	z ^= z>>27 ^ z>>54
	z *= 0x96de1b173f119089 // the inverse of 0xbf58476d1ce4e5b9 modulo 2^64
	return z ^ z>>30 ^ z>>60
}

// leastWord returns the smallest word that gives a certain position. The argument "at" is this position. The position
// that a word x gives is the high word of the 128-bit product x*span. The function requires 1 <= at < span.
func leastWord(at, span uint64) uint64 {
	least, rest := bits.Div64(at, 0, span)
	if rest > 0 {
		least++
	}
	return least
}

// edgeKey returns a hash whose j-th word lies at the edge between two positions. Let w be the smallest word that gives
// the higher position. The j-th word is equal to w or close to w. So the lowest bits of the j-th word decide between
// the two positions. The argument "span" must be at least 2.
func (r *probeRunner) edgeKey(j int, span uint64) (h0, h1 uint64) {
	least := leastWord(1+r.rand.Uint64N(span-1), span)
	const used = ^uint64(0xfff)
	x := [5]uint64{(least + 0xfff) & used, (least+0xfff)&used - 1, (least - 1) & used, least&used | 0xfff, least}[r.rand.IntN(5)]
	return r.leading(j, x)
}

// The method "leading" returns a random hash whose j-th word is x.
func (r *probeRunner) leading(j int, x uint64) (h0, h1 uint64) {
	h1 = r.hash()
	return unmix(x) - uint64(j+1)*(h1|1), h1
}

// lowestBits returns hashes for keys with k positions below span. In each hash, one word has a single 1-bit among the
// low bits that a kernel must ignore. A kernel that does not ignore this bit computes a position that is larger by 1.
// Each position has a smallest word that gives this position. lowestBits uses this word if exactly one of its low bits
// is 1.
func (r *probeRunner) lowestBits(k int, span uint64) (keys []uint64) {
	for at := uint64(1); at < span; at++ {
		if x := leastWord(at, span); bits.OnesCount64(x&0xfff) == 1 {
			h0, h1 := r.leading(r.rand.IntN(k), x)
			keys = append(keys, h0, h1)
		}
	}
	return keys
}

// The constant "ring" is the largest number of keys that a kernel holds in its ring.
const ring = 96

// The method "edges" tests hashes with a word at the edge between two positions. Let w be the smallest word that gives
// the higher position. The tested word is equal to w or close to w. The lowest bits that a kernel must use then
// determine the position. The position would change if a kernel also used the low bits that it must ignore.
func (r *probeRunner) edges(o Options) bool {
	if !r.row.Form.Has(Hashes) || r.row.Form.Has(Blocked) {
		return true
	}
	rounds := 6
	if o.Short {
		rounds = 2
	}
	for _, k := range []int{1, 2, 3, 4, 9, manyPositions} {
		const span = 1<<14 - 1
		lowest := r.lowestBits(k, span)
		n := len(lowest)/2 + ring
		c := r.shaped(2*n+len(lowest)/2, k, span, 0)
		copy(c.Keys, lowest)       // these keys come while a ring fills
		copy(c.Keys[2*n:], lowest) // these keys come while the ring is full
		copy(c.Keys[4*n:], lowest) // these keys come while the ring drains
		r.fill(&c)
		if !r.try(c) {
			return false
		}
	}
	for _, k := range []int{1, 2, 3, 7, 8, 9, 17} {
		for _, span := range []uint64{2, 3, 64, 777, 1 << 12, 1<<14 - 1} {
			for i := range rounds {
				n := 37
				if i&1 != 0 {
					n = 3 * ring // enough keys that the ring is full for a time
				}
				c := r.shaped(n, k, span, span*uint64(r.rand.Uint32()&1))
				for i := 0; i < len(c.Keys); i += 2 {
					c.Keys[i], c.Keys[i+1] = r.edgeKey(r.rand.IntN(k), span)
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

// The method "claims" tests calls in which the keys, or the answers, have a false length of at least 2^32 elements. The
// true length of the other argument limits what a kernel may access. The false length is the length that this argument
// has for 2^32 + x keys. The number x is 0, 2^31, or one less than the true number of keys. A kernel with signed 32-bit
// lengths would interpret 2^31 as a negative number. So a kernel that uses only the low 32 bits of lengths fails,
// unless the other argument is empty.
func (r *probeRunner) claims() bool {
	form := r.row.Form
	if form.lone() || math.MaxInt == math.MaxInt32 {
		return true
	}
	for _, n := range []int{1, 2, 9, 67} {
		for _, i := range []int{written, keys} {
			for _, low := range []uint64{0, uint64(n - 1), 1 << 31} {
				const k = 3
				c := r.shaped(n, k, 777, 0)
				r.fill(&c)
				each := uint64(form.group(c.ProbeCall))
				if i == written {
					each = 1
					if form.Has(Derives) {
						each = k
					}
				}
				huge := each * (1<<32 + low)
				c.claim[i] = int(huge)
				if !r.try(c) {
					return false
				}
			}
		}
	}
	return true
}

// The method "endless" tests a call for 2^32 keys, with room for 2^32 answers. In fact the array of keys ends after
// three keys. A correct kernel continues until an access to a forbidden page stops it.
func (r *probeRunner) endless() bool {
	form := r.row.Form
	if math.MaxInt == math.MaxInt32 || !Guarded() {
		return true
	}
	k := 3
	if form.lone() {
		k = 1
	}
	c := r.shaped(3, k, 777, 0)
	c.rear = [arrays]bool{true, true, true, true}
	most := uint64(1 << 32)
	c.claim[keys] = int(most * uint64(form.group(c.ProbeCall)))
	switch {
	case form.Has(Answers):
		c.claim[written] = int(most)
	case form.Has(Derives):
		c.claim[written] = int(most * uint64(k))
	}
	r.cases++
	args, _ := r.place(c)
	if guarded(func() { r.row.Got(args) }) == nil {
		r.fail = &ProbeFailure{Row: r.row, Seed: r.seed, What: "returned before the last of 2^32 keys", c: c}
	}
	return r.fail == nil
}

// The method "nothing" tests calls with no keys and with arrays of no words.
func (r *probeRunner) nothing() bool {
	for _, k := range []int{1, 9} {
		c := r.shapedKeys(0, k, 777, 0)
		c.rear = [arrays]bool{true, true, true, true}
		if !r.try(c) {
			return false
		}
	}
	return true
}

// The method "alone" tests many keys with an array in which only bits of one key are set. These are the bits at all
// positions of this key, or at all its positions except the last. All other bits of the array are clear. So a kernel
// that processes several keys in a vector finds no set bit in most vectors.
func (r *probeRunner) alone() bool {
	if r.row.Form.Has(Derives) || r.row.Form.lone() {
		return true
	}
	const n = 17
	for _, k := range []int{9, 17} {
		for i := range 2 * n {
			c := r.shaped(n, k, 1<<14, 0)
			pos := r.positions(&c, i/2)
			for side := range 2 {
				r.set(&c, side, pos, true)
				r.set(&c, side, pos[len(pos)-1:], i&1 == 0)
			}
			if !r.try(c) {
				return false
			}
		}
	}
	return true
}
