package bench

import (
	"encoding/binary"
	"math"
	"math/rand/v2"

	"github.com/bloomproof/bloomproof/kernel"
	"github.com/zeebo/xxh3"
)

// K is the number of positions per item in every comparison.
const K = 7

// Size is a filter size of the comparison.
type Size struct {
	Name string
	M    uint64 // the number of bits
}

// Sizes are the filter sizes of the comparison. They are chosen for the caches of typical servers.
var Sizes = []Size{{"L1", 32 << 13}, {"L2", 1 << 23}, {"L3", 64 << 23}, {"DRAM", 1 << 33}}

// Items returns the number n = m*ln(2)/K of items that sets about half of the m bits of a filter.
func Items(m uint64) uint64 { return uint64(float64(m) * math.Ln2 / K) }

// FirstMiss is the number of the first key that is never added.
const FirstMiss = 1 << 40

// Chunk is the number of keys that one call of a method of Filter takes. The keys are created before the clock starts,
// and fit into the L2 cache.
const Chunk = 4096

// Keys holds Chunk keys (see the constant Chunk), each in every form that a filter accepts.
type Keys struct {
	Short   [][]byte      // keys of 8 bytes
	Long    [][]byte      // keys of 30 bytes
	Words   []uint64      // the keys of Short as little-endian integers
	Hashes  []kernel.Hash // the XXH3-128 hashes of the keys of Short
	backing []byte
}

const longKey = 30

// NewKeys returns a value of the type Keys whose exported slices have the length Chunk.
func NewKeys() *Keys {
	k := &Keys{
		Short: make([][]byte, Chunk), Long: make([][]byte, Chunk),
		Words: make([]uint64, Chunk), Hashes: make([]kernel.Hash, Chunk),
		backing: make([]byte, Chunk*longKey),
	}
	for i := range Chunk {
		key := k.backing[i*longKey : (i+1)*longKey : (i+1)*longKey]
		copy(key[8:], "/of-a-longer-key/......")
		k.Short[i], k.Long[i] = key[:8:8], key
	}
	return k
}

// Fill sets key i to the key whose number is of(i). Keys with different numbers are different.
func (k *Keys) Fill(of func(i uint64) uint64) {
	for i := range uint64(Chunk) {
		w := wordOf(of(i))
		binary.LittleEndian.PutUint64(k.Short[i], w)
		k.Words[i] = w
		h := xxh3.Hash128(k.Short[i])
		k.Hashes[i] = kernel.Hash{H0: h.Lo, H1: h.Hi}
	}
}

// FillShort does the same as Fill, but only for the field Short.
func (k *Keys) FillShort(of func(i uint64) uint64) {
	for i := range uint64(Chunk) {
		binary.LittleEndian.PutUint64(k.Short[i], wordOf(of(i)))
	}
}

// wordOf returns the key that belongs to a number.
func wordOf(number uint64) uint64 { return number * 0x9e3779b97f4a7c15 }

// Half sets each bit of words with probability 1/2.
func Half(words []uint64) {
	r := rand.NewPCG(1, 2)
	for i := range words {
		words[i] = r.Uint64()
	}
}
