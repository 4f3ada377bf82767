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

// edgeKey returns a hash whose j-th position within span, at least 2, comes from a word
// next to the least one that leads to it: the last bits of the word decide.
func (r *probeRunner) edgeKey(j int, span uint64) (h0, h1 uint64) {
	at := 1 + r.rand.Uint64N(span-1)
	least, rest := bits.Div64(at, 0, span) // of the words x with hi(x*span) = at
	if rest > 0 {
		least++
	}
	const used = ^uint64(0xfff)
	x := [5]uint64{(least + 0xfff) & used, (least+0xfff)&used - 1, (least - 1) & used, least&used | 0xfff, least}[r.rand.IntN(5)]
	h1 = r.hash()
	return unmix(x) - uint64(j+1)*(h1|1), h1
}

// edges: hashes of which every bit of a word of the stream decides a position.
func (r *probeRunner) edges(o Options) bool {
	if !r.row.Form.Has(Hashes) {
		return true
	}
	rounds := 6
	if o.Short {
		rounds = 2
	}
	for _, k := range []int{1, 2, 3, 7, 8, 9, 17} {
		for _, span := range []uint64{2, 3, 64, 777, 1 << 12, 1<<14 - 1} {
			for range rounds {
				c := r.shaped(37, k, span, span*uint64(r.rand.Uint32()&1))
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
