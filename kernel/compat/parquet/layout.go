package parquet

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

const (
	blockBytes = 32
	// maxBytes is the size of the largest bitset, in bytes. There is a limit because the header stores the size as a
	// signed 32-bit integer.
	maxBytes = 1<<31 - blockBytes
)

// The array "salt" has one factor for each word of a block. The specification of the format defines these factors.
var salt = [8]uint32{
	0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31,
}

// hashOf returns a hash for the key whose XXH64 hash is x. With the returned hash, a kernel.Filter uses the block and
// the bits that the format prescribes for the key. A kernel.Filter with B blocks multiplies the first word of the hash
// by B. The high word of the product is the number of the block. In the second word of the hash, bits 5i to 5i+4 are
// the position of the key in word i of the block.
func hashOf(x uint64) kernel.Hash {
	var at uint64
	for i, s := range salt {
		at |= uint64(uint32(x)*s>>27) << (5 * i)
	}
	return kernel.Hash{H0: x &^ (1<<32 - 1), H1: at}
}

// The function "geometry" returns the geometry of a filter whose bitset has the given number of bytes.
func geometry(bytes int) bloomproof.Geometry {
	return bloomproof.Geometry{M: 8 * uint64(bytes), K: len(salt), Hashing: bloomproof.Partitioned, Block: 8 * blockBytes}
}
