package asmtest

import "math/big"

// The following functions are oracles: the portable twins are compared with them. They compute positions as the
// comments of package kernel specify, but with integers of arbitrary size. For example, they use divisions in place of
// the shifts in the twins. Their code must stay simple and slow.

var (
	two64 = new(big.Int).Lsh(big.NewInt(1), 64)
	low64 = new(big.Int).SetUint64(1<<64 - 1)
	mulA  = new(big.Int).SetUint64(0xbf58476d1ce4e5b9)
	mulB  = new(big.Int).SetUint64(0x94d049bb133111eb)
)

// The type "naive" has the big integers with which positions are computed. They are used again for each position.
type naive struct{ z, fold, w big.Int }

// The method "mixed" returns mix(start + i*(by|1)), where mix is the mixing function of SplitMix64. The next call
// overwrites the returned integer.
func (n *naive) mixed(start, by uint64, i int) *big.Int {
	z := n.z.Mul(n.w.SetUint64(by-by%2+1), n.fold.SetInt64(int64(i)))
	z.Add(z, n.w.SetUint64(start)).And(z, low64)
	z.Xor(z, n.fold.Rsh(z, 30)).Mul(z, mulA).And(z, low64)
	z.Xor(z, n.fold.Rsh(z, 27)).Mul(z, mulB).And(z, low64)
	return z.Xor(z, n.fold.Rsh(z, 31))
}

// The method "position" returns:
//
//	j*step + floor(floor(z / 2^12) * span / 2^52).
//
// Here z is mix(h0 + (j+1)*(h1|1)), where mix is the mixing function of SplitMix64.
func (n *naive) position(h0, h1 uint64, j int, span, step uint64) uint64 {
	z := n.mixed(h0, h1, j+1)
	z.Rsh(z, 12).Mul(z, n.w.SetUint64(span)).Rsh(z, 52)
	return z.Add(z, n.fold.Mul(n.w.SetInt64(int64(j)), n.fold.SetUint64(step))).Uint64()
}

// The function "derived" returns the positions of each key of c. It omits the last key if only one of the two words
// of its hash is present.
func derived(c ProbeCall) (keys [][]uint64) {
	var n naive
	for i := 0; 2*i+1 < len(c.Keys); i++ {
		var pos []uint64
		for j := range c.K {
			pos = append(pos, n.position(c.Keys[2*i], c.Keys[2*i+1], j, c.Span, c.Step))
		}
		keys = append(keys, pos)
	}
	return keys
}

// The field c.Keys has the positions of all keys. The function "ready" returns one slice of positions for each key. It
// omits the last key if some of its positions are missing.
func ready(c ProbeCall) (keys [][]uint64) {
	for i := 0; (i+1)*c.K <= len(c.Keys); i++ {
		keys = append(keys, c.Keys[i*c.K:(i+1)*c.K])
	}
	return keys
}

// The function "first" returns the beginning of the list "keys". The argument "room" is the largest number of keys that
// it returns.
func first(keys [][]uint64, room int) [][]uint64 { return keys[:min(room, len(keys))] }

func naiveBit(words []uint64, p uint64) bool { return words[p/64]/(1<<(p%64))%2 == 1 }

// naiveSet sets bit p of the array "words", and reports whether it was clear.
func naiveSet(words []uint64, p uint64) bool {
	if naiveBit(words, p) {
		return false
	}
	words[p/64] += 1 << (p % 64)
	return true
}

func naivePositions(c ProbeCall) (int, int) { return naivePositionsBy(derived)(c) }

func naivePositionsBy(positions func(ProbeCall) [][]uint64) ProbeFunc {
	return func(c ProbeCall) (n, _ int) {
		for i, pos := range first(positions(c), len(c.Dst)/c.K) {
			copy(c.Dst[i*c.K:], pos)
			n++
		}
		return n, 0
	}
}

func naiveContains(positions func(ProbeCall) [][]uint64) ProbeFunc {
	return func(c ProbeCall) (found, _ int) {
		for i, pos := range first(positions(c), len(c.Out)) {
			c.Out[i] = 1
			for _, p := range pos {
				if !naiveBit(c.Words, p) {
					c.Out[i] = 0
				}
			}
			found += int(c.Out[i])
		}
		return found, 0
	}
}

func naiveAdd(positions func(ProbeCall) [][]uint64) ProbeFunc {
	return func(c ProbeCall) (fresh, _ int) {
		for i, pos := range first(positions(c), len(c.Out)) {
			c.Out[i] = 0
			for j, p := range pos {
				if naiveSet(c.Words, p) {
					c.Out[i] = 1
					fresh++
					if len(c.Slices) > 0 {
						c.Slices[j]++
					}
				}
			}
		}
		return fresh, 0
	}
}

// naiveSides returns copies of the two arrays of a pair. The words of the two arrays alternate in the pair.
func naiveSides(pair []uint64) (side [2][]uint64) {
	for i, w := range pair {
		side[i%2] = append(side[i%2], w)
	}
	return side
}

func naiveContainsPair(positions func(ProbeCall) [][]uint64) ProbeFunc {
	return func(c ProbeCall) (int, int) {
		sides := naiveSides(c.Words)
		for i, pos := range first(positions(c), len(c.Out)) {
			in := [2]uint8{1, 1}
			for _, p := range pos {
				for s := range in {
					if !naiveBit(sides[s], p) {
						in[s] = 0
					}
				}
			}
			c.Out[i] = in[0] + 2*in[1]
		}
		return 0, 0
	}
}

func naiveAddPair(c ProbeCall) (fresh, overlap int) {
	sides := naiveSides(c.Words)
	for _, p := range c.Keys {
		if naiveSet(sides[c.Side], p) {
			fresh++
			if naiveBit(sides[1-c.Side], p) {
				overlap++
			}
		}
	}
	for i := range c.Words {
		c.Words[i] = sides[i%2][i/2]
	}
	return fresh, overlap
}
