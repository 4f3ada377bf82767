package kernel

import (
	"math/bits"

	"github.com/bloomproof/bloomproof"
)

// A Hash is the 128-bit value of a hash function for one key. All positions of the key are derived from it. A Hash that
// the caller computes must look random in all its bits, and independent of the hashes of other keys.
type Hash struct {
	H0, H1 uint64
}

// inCycle is used if keys get new positions in each cycle. It returns the hash from which the positions of h in the
// given cycle are derived. The page docs/format.md calls it derive(h, c). For cycle 0 the result is h itself.
func (h Hash) inCycle(cycle uint64) Hash {
	if cycle == 0 {
		return h
	}
	return Hash{mix(h.H0 + cycle*golden), mix(h.H1 + cycle*0xd1342543de82ef95)}
}

// AppendPositions appends the k positions of the hash h to dst and returns the extended slice. The derivation of the
// positions, and their order, are specified in docs/format.md. Each position is below m. With classic hashing the
// positions are distinct. With partitioned hashing the j-th position is in slice j. If g has blocks, all positions are
// in one block. With partitioned hashing the slices are then slices of this block.
// Domain: the same as for New.
// Cost: O(k) with standard and partitioned hashing. With classic hashing the average cost is O(k) if k is at most m/2.
// If k is close to m, it is O(k log k). The cost is never more than O(k^2).
// Errors: *bloomproof.ParamError if g is outside the domain; dst is then returned unchanged.
func AppendPositions(dst []uint64, g bloomproof.Geometry, h Hash) ([]uint64, error) {
	l, err := layoutOf(g)
	if err != nil {
		return dst, err
	}
	return l.appendPositions(dst, h), nil
}

// maxM is the largest number of bits of a filter. The host must have enough memory for them.
const maxM = 1 << 48

// The derivation of positions in docs/format.md was designed so that vector instructions can compute it.
// TestVectorForms compares the formulas below with the definition. Computing a position takes two multiplications of
// 64-bit numbers by a constant. Only the low halves of these products are needed. A third multiplication has two
// factors: a 52-bit number and s. Here s is the number of bits from which the position is chosen. Only the high part of
// this product is needed.
//
// With AVX-512 a step processes 8 keys. It executes the instruction VPMULLQ twice, and the instruction VPMADD52HUQ
// once. With AVX2 a step processes 4 keys. Computing a low product takes three VPMULUDQ instructions. Computing the
// high product takes two such instructions if s < 2^32. The formula is then:
//
//	((x>>32)*s + ((x&(2^32-1))*s >> 32)) >> 20.
//
// If s is larger, the high product takes VPMULUDQ four times. NEON has no products of 64-bit numbers. On arm64 the
// instructions MUL and UMULH are used instead, for several keys in turn.

// The constant "golden" is 2^64 divided by the golden ratio, rounded to an odd number. Its multiples modulo 2^64 are
// evenly spread.
const golden = 0x9e3779b97f4a7c15

// The function "spread" returns 32 bits that depend on x. They differ for nearby values of x, as in Knuth's
// multiplicative hashing. It is used to choose slots of tables, parts of a tally, and lanes. No file format depends on
// it.
func spread(x uint64) uint64 { return x * golden >> 32 }

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// A stream yields the words x_0, x_1, ... of a hash. The page docs/format.md says how they are computed. Each word is
// shifted left by 12 bits. The function "reduce" shifts it back.
type stream struct{ state, gamma uint64 }

func newStream(h Hash) stream { return stream{h.H0, h.H1 | 1} }

func (s *stream) next() uint64 {
	s.state += s.gamma
	return word(s.state)
}

// The function "word" returns the word that a stream yields when it has the given state. Loops that set bits do not use
// a stream. They keep the state and the increment gamma in local variables, so that both stay in registers. In memory
// they would take up entries of the processor's store queue. In large filters, the writes that set bits miss the cache,
// and need these entries.
func word(state uint64) uint64 { return mix(state) &^ 0xfff }

// The function "reduce" returns floor(x*s/2^52) for x < 2^52. The argument x12 is x<<12, so the result is the high word
// of the product x12*s.
func reduce(x12, s uint64) uint64 {
	hi, _ := bits.Mul64(x12, s)
	return hi
}
