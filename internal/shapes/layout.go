// Package shapes describes those shapes of blocks for which there are special kernels. The command, the figures and the
// benchmarks compare filters with these shapes. The field M of a shape is 0.
package shapes

import "github.com/bloomproof/bloomproof"

// Line returns the shape of a block that is one cache line. The caller sets the number of positions, and each can lie
// anywhere in the block.
func Line() bloomproof.Geometry { return bloomproof.Geometry{Block: 512} }

// Words returns the shape of a block of 8 words, with one position in each word. The argument is the number of bits of
// a word. With words of 32 bits the block is half a cache line, as in Parquet.
func Words(bits uint64) bloomproof.Geometry {
	return bloomproof.Geometry{Block: 8 * bits, K: 8, Hashing: bloomproof.Partitioned}
}
