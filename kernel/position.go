package kernel

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/bloomproof/bloomproof"
)

// Hash is the 128-bit hash value of a key, from which all its positions follow.
// Ready-made values must look uniform and independent from key to key in all bits.
type Hash struct {
	H0, H1 uint64
}

// Cycle returns the hash from which a message's positions in the given cycle follow
// when positions are fresh (derive(h, c) of docs/format.md). Cycle 0 returns h.
func (h Hash) Cycle(cycle uint64) Hash {
	if cycle == 0 {
		return h
	}
	return Hash{mix(h.H0 + cycle*0x9e3779b97f4a7c15), mix(h.H1 + cycle*0xd1342543de82ef95)}
}

// AppendPositions appends the k positions of the hash h to dst and returns the
// extended slice: the derivation of docs/format.md, in its order. Each position is below m; they
// are distinct for Classic, and the j-th is in slice j for Partitioned.
// Domain: a valid g with m <= 2^48. Cost: O(k) for Standard and Partitioned; expected
// O(k) for Classic up to k = m/2, O(k log k) as k nears m, never more than O(k^2).
// Errors: *bloomproof.ParamError; dst is then returned as it was.
func AppendPositions(dst []uint64, g bloomproof.Geometry, h Hash) ([]uint64, error) {
	if err := checkGeometry(g); err != nil {
		return dst, err
	}
	return appendPositions(dst, g, h), nil
}

// MaxM is the largest number of bits that a filter may have, on a host with the
// memory for it.
const MaxM = 1 << 48

func checkGeometry(g bloomproof.Geometry) error {
	if err := g.Validate(); err != nil {
		return err
	}
	if g.M > MaxM {
		return &bloomproof.ParamError{Param: "m", Value: g.M, Want: fmt.Sprintf("at most 2^48 = %d in a filter", uint64(MaxM))}
	}
	return nil
}

// The derivation of docs/format.md was chosen for its vector forms, which TestVectorForms
// holds to it.
// A position takes two low products by a constant, of 64 bits, and one high product of
// 52 bits by s:
//
//	AVX-512  8 keys a step: VPMULLQ twice, VPMADD52HUQ once
//	AVX2     4 keys a step: a low product is three VPMULUDQ; the high one two for
//	         s < 2^32, ((x>>32)*s + ((x&(2^32-1))*s >> 32)) >> 20, and four beyond
//	NEON     no 64-bit products: MUL and UMULH on general registers, several keys in turn

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// stream yields x_0, x_1, ... shifted left by 12, which reduce undoes.
type stream struct{ state, gamma uint64 }

func newStream(h Hash) stream { return stream{h.H0, h.H1 | 1} }

func (s *stream) next() uint64 {
	s.state += s.gamma
	return word(s.state)
}

// word returns the word of the stream for a state. Loops that set bits keep the state and
// the increment in variables of their own, which stay in registers: each store for them
// would take a place in the store queue from the bits, which miss the cache in large
// filters.
func word(state uint64) uint64 { return mix(state) &^ 0xfff }

// reduce maps x < 2^52, given as x<<12, to floor(x*s/2^52): the high word of the
// product of x<<12 and s.
func reduce(x12, s uint64) uint64 {
	hi, _ := bits.Mul64(x12, s)
	return hi
}

func appendPositions(dst []uint64, g bloomproof.Geometry, h Hash) []uint64 {
	s := newStream(h)
	switch g.Hashing {
	case bloomproof.Classic:
		return appendDistinct(dst, g.M, g.K, &s)
	case bloomproof.Partitioned:
		slice := g.M / uint64(g.K)
		for j := range uint64(g.K) {
			dst = append(dst, j*slice+reduce(s.next(), slice))
		}
	default:
		for range g.K {
			dst = append(dst, reduce(s.next(), g.M))
		}
	}
	return dst
}

// Classic hashing finds repeats among k <= scanK positions by a linear scan, among
// k <= smallK in a small table on the stack, and in a large one beyond: clearing the
// table must not cost more than drawing the positions.
const (
	scanK  = 64
	smallK = 512
)

// draws is the number of words of the stream that classic hashing draws before it
// falls back to ranks.
func draws(k int) int { return 8*k + 64 }

// appendDistinct appends k distinct positions below m.
func appendDistinct(dst []uint64, m uint64, k int, s *stream) []uint64 {
	start := len(dst)
	switch {
	case k <= scanK:
		seen := uint64(0) // the low 6 bits of those before
		for left := draws(k); left > 0 && len(dst)-start < k; left-- {
			p := reduce(s.next(), m)
			if seen>>(p&63)&1 == 0 || !slices.Contains(dst[start:], p) {
				dst = append(dst, p)
				seen |= 1 << (p & 63)
			}
		}
	case k <= smallK:
		var table [4 * smallK]uint64
		dst = drawDistinct(dst, table[:], m, k, s)
	default:
		var table [4 * bloomproof.MaxK]uint64
		dst = drawDistinct(dst, table[:], m, k, s)
	}
	if len(dst)-start < k {
		dst = appendByRank(dst, start, m, k, s)
	}
	return dst
}

// drawDistinct appends the distinct positions of the first draws(k) words, at most k.
// The table is zero, and a power of two and at least 2k in length.
func drawDistinct(dst, table []uint64, m uint64, k int, s *stream) []uint64 {
	mask := uint64(len(table) - 1)
	found := 0
	for left := draws(k); left > 0 && found < k; left-- {
		p := reduce(s.next(), m)
		slot := (p * 0x9e3779b97f4a7c15) >> 40 & mask
		for table[slot] != 0 && table[slot] != p+1 { // p+1, as 0 is an empty slot
			slot = (slot + 1) & mask
		}
		if table[slot] == 0 {
			table[slot] = p + 1
			dst = append(dst, p)
			found++
		}
	}
	return dst
}

// appendByRank completes dst[start:] to k distinct positions below m by the
// fallback of classic hashing.
func appendByRank(dst []uint64, start int, m uint64, k int, s *stream) []uint64 {
	taken := slices.Clone(dst[start:])
	slices.Sort(taken)
	for len(taken) < k {
		p := reduce(s.next(), m-uint64(len(taken)))
		// Each taken position at or below p moves it up by one.
		at := 0
		for at < len(taken) && taken[at] <= p {
			p++
			at++
		}
		taken = slices.Insert(taken, at, p)
		dst = append(dst, p)
	}
	return dst
}
