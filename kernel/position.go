package kernel

import (
	"math/bits"

	"github.com/bloomproof/bloomproof"
)

// Hash is the 128-bit hash value of a key, from which all its positions follow. A Hash that the caller computes must
// look uniform in all bits, and independent of the hashes of other keys.
type Hash struct {
	H0, H1 uint64
}

// inCycle returns the hash from which a message's positions in the given cycle follow
// when positions are fresh (derive(h, c) of docs/format.md). inCycle(0) returns h.
func (h Hash) inCycle(cycle uint64) Hash {
	if cycle == 0 {
		return h
	}
	return Hash{mix(h.H0 + cycle*golden), mix(h.H1 + cycle*0xd1342543de82ef95)}
}

// AppendPositions appends the k positions of the hash h to dst and returns the extended slice. It derives the positions
// as docs/format.md specifies, and in that order. Each position is below m. For Classic the positions are distinct. For
// Partitioned the j-th position is in slice j. With blocks all positions are in one block, and the slices are those of
// the block.
// Domain: the same as for New.
// Cost: O(k) for Standard and Partitioned. For Classic the cost is O(k) on average up to k = m/2, O(k log k) as k
// approaches m, and never more than O(k^2).
// Errors: *bloomproof.ParamError; dst is then returned as it was.
func AppendPositions(dst []uint64, g bloomproof.Geometry, h Hash) ([]uint64, error) {
	l, err := layoutOf(g)
	if err != nil {
		return dst, err
	}
	return l.appendPositions(dst, h), nil
}

// maxM is the largest number of bits that a filter may have, on a host with the memory for it.
const maxM = 1 << 48

// The derivation of docs/format.md was chosen because vector instructions can compute it. TestVectorForms compares the
// vector forms below with the definition. A position takes two multiplications of 64-bit numbers by a constant, and
// only the low halves of these products are needed. It also takes one multiplication of a 52-bit number by s, the
// number of bits to choose from, and only the high part of this product is needed:
//
//	AVX-512  8 keys a step: VPMULLQ twice, VPMADD52HUQ once
//	AVX2     4 keys a step: a low product is three VPMULUDQ; the high one two for
//	         s < 2^32, ((x>>32)*s + ((x&(2^32-1))*s >> 32)) >> 20, and four beyond
//	NEON     no 64-bit products: MUL and UMULH on general registers, several keys in turn

// golden is 2^64 divided by the golden ratio, rounded to an odd number; its multiples modulo 2^64 are spread evenly.
const golden = 0x9e3779b97f4a7c15

// spread returns 32 bits of x that differ for nearby values of x (Knuth's multiplicative hashing). It is used to choose
// slots of tables and places in memory, and is not part of any file format.
func spread(x uint64) uint64 { return x * golden >> 32 }

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// stream yields the words x_0, x_1, ... that follow from a hash (docs/format.md), each shifted left by 12 bits; reduce
// undoes the shift.
type stream struct{ state, gamma uint64 }

func newStream(h Hash) stream { return stream{h.H0, h.H1 | 1} }

func (s *stream) next() uint64 {
	s.state += s.gamma
	return word(s.state)
}

// The function word returns the word that a stream yields in the given state. Loops that set bits keep the state and
// the increment in local variables, which stay in registers. Storing them to memory would take slots of the store
// queue. The stores of bits need these slots, because they miss the cache in large filters.
func word(state uint64) uint64 { return mix(state) &^ 0xfff }

// reduce maps x < 2^52, given as x<<12, to floor(x*s/2^52): the high word of the
// product of x<<12 and s.
func reduce(x12, s uint64) uint64 {
	hi, _ := bits.Mul64(x12, s)
	return hi
}
