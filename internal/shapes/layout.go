// Package shapes has the blocked filters that have kernels of their own, which the command, the
// figures and the benchmarks compare. They have no M yet.
package shapes

import "github.com/bloomproof/bloomproof"

// Line is a cache line with any number of positions anywhere in it.
func Line() bloomproof.Geometry { return bloomproof.Geometry{Block: 512} }

// Words is a block of 8 words of so many bits, with one position in each: half a line of 32 is
// Parquet's.
func Words(bits uint64) bloomproof.Geometry {
	return bloomproof.Geometry{Block: 8 * bits, K: 8, Hashing: bloomproof.Partitioned}
}
