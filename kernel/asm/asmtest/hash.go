package asmtest

import (
	"encoding/binary"
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof/kernel/asm"
)

// A HashFunc is an operation of the hash family. It hashes keys, writes the hashes to dst, and returns the number of
// keys that it hashed.
type HashFunc func(dst, keys []uint64, seed uint64) int

// A HashRow is the row of one kernel in the table of the hash family.
type HashRow struct {
	Op   string   // such as "HashWords"
	Impl string   // such as "avx2"
	Got  HashFunc // the kernel
	Want HashFunc // the specification: the portable twin, or a slower oracle for the twin itself
}

// String returns the names of the operation and the implementation, for example "HashWords/avx2".
func (r HashRow) String() string { return r.Op + "/" + r.Impl }

func (r HashRow) impl() string { return r.Impl }

// Hash returns one row for each kernel of the hash family in this build. The first row is the portable twin, which is
// the same operation in Go. The tests compare the twin with slow code that follows the definition of XXH3-128. This
// code computes with integers of arbitrary size. The other rows are assembly kernels, which are compared with the twin.
// Some of the kernels may need instructions that this CPU lacks. So run only rows whose implementation this CPU
// supports. The field Impl names the implementation of a row.
func Hash() []HashRow {
	rows := []HashRow{{"HashWords", "portable", asm.HashWordsPortable, naiveHashWords}}
	for _, k := range hashKernels {
		rows = append(rows, HashRow{"HashWords", k.impl, k.f, asm.HashWordsPortable})
	}
	return rows
}

// A hashKernel is an assembly kernel of the hash family.
type hashKernel struct {
	impl string
	f    HashFunc
}

func naiveHashWords(dst, keys []uint64, seed uint64) (n int) {
	for n < len(keys) && 2*n+1 < len(dst) {
		var key [8]byte
		binary.LittleEndian.PutUint64(key[:], keys[n])
		dst[2*n], dst[2*n+1] = naiveHash(key[:], seed)
		n++
	}
	return n
}

// naiveHash returns the XXH3-128 hash of a key of 4 to 8 bytes. It follows the function XXH3_len_4to8_128b of the
// specification, with bytes 16 to 31 of the default secret.
func naiveHash(key []byte, seed uint64) (lo, hi uint64) {
	secret := []byte{
		0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
	}
	const prime = 0x9e3779b185ebca87 // XXH_PRIME64_1
	seed ^= uint64(bits.ReverseBytes32(uint32(seed))) << 32
	first := binary.LittleEndian.Uint32(key)
	last := binary.LittleEndian.Uint32(key[len(key)-4:])
	flip := (binary.LittleEndian.Uint64(secret) ^ binary.LittleEndian.Uint64(secret[8:])) + seed
	keyed := (uint64(first) + uint64(last)<<32) ^ flip
	product := new(big.Int).SetUint64(keyed)
	product.Mul(product, new(big.Int).SetUint64(prime+uint64(len(key))<<2))
	word := func(shift uint) uint64 {
		w := new(big.Int).Rsh(product, shift)
		return w.And(w, new(big.Int).SetUint64(^uint64(0))).Uint64()
	}
	lo, hi = word(0), word(64)
	hi += lo << 1
	lo ^= hi >> 3
	lo ^= lo >> 35
	lo *= 0x9fb21c651e98df25
	lo ^= lo >> 28
	hi ^= hi >> 37 // XXH3_avalanche
	hi *= 0x165667919e3779f9
	hi ^= hi >> 32
	return lo, hi
}
