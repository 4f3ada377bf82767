package asmtest

import (
	"math"
	"math/bits"
)

// unmix returns the word that the mixing function of the derivation takes to z.
func unmix(z uint64) uint64 {
	z ^= z>>31 ^ z>>62
	z *= 0x319642b2d24d8ec3 // times 0x94d049bb133111eb it is 1 modulo 2^64
	z ^= z>>27 ^ z>>54
	z *= 0x96de1b173f119089 // and this is the inverse of 0xbf58476d1ce4e5b9
	return z ^ z>>30 ^ z>>60
}

// leastWord returns the least word x with hi(x*span) = at, for 1 <= at < span.
func leastWord(at, span uint64) uint64 {
	least, rest := bits.Div64(at, 0, span)
	if rest > 0 {
		least++
	}
	return least
}

// edgeKey returns a hash whose j-th position within span, at least 2, comes from a word
// next to the least one that leads to it: the last bits of the word decide.
func (r *probeRunner) edgeKey(j int, span uint64) (h0, h1 uint64) {
	least := leastWord(1+r.rand.Uint64N(span-1), span)
	const used = ^uint64(0xfff)
	x := [5]uint64{(least + 0xfff) & used, (least+0xfff)&used - 1, (least - 1) & used, least&used | 0xfff, least}[r.rand.IntN(5)]
	return r.leading(j, x)
}

// leading returns a hash whose j-th word is x.
func (r *probeRunner) leading(j int, x uint64) (h0, h1 uint64) {
	h1 = r.hash()
	return unmix(x) - uint64(j+1)*(h1|1), h1
}

// lowestBits returns hashes of k positions within span, one of which a single bit among
// those of its word that are not used would make the next: every such word with one bit.
func (r *probeRunner) lowestBits(k int, span uint64) (keys []uint64) {
	for at := uint64(1); at < span; at++ {
		if x := leastWord(at, span); bits.OnesCount64(x&0xfff) == 1 {
			h0, h1 := r.leading(r.rand.IntN(k), x)
			keys = append(keys, h0, h1)
		}
	}
	return keys
}

// ring is the number of keys that a ring with keys coming and going has in flight.
const ring = 96

// edges: hashes of which every bit of a word of the stream decides a position, those that
// are not used by being there.
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
		copy(c.Keys, lowest)       // while a ring fills,
		copy(c.Keys[2*n:], lowest) // while keys come and go,
		copy(c.Keys[4*n:], lowest) // and while it drains
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
					n = 3 * ring // so that keys come and go
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

// claims: keys, or room for answers, of which there are more than 32 bits can tell, so
// that no length is cut short: in its low 32 bits it is less than the other.
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

// endless: 2^32 keys with room for all, of which the first three alone are in memory. A
// kernel that knows how many there are goes on until forbidden memory stops it.
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

// nothing: no key, and no word of an array.
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

// alone: a batch of which one key is there, or has all but its last position, in an array
// with no bit but its own, so that next to it whole vectors of words are empty.
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
