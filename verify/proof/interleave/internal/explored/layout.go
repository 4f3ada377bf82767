package main

import "github.com/bloomproof/bloomproof"

// These variables are the geometries of the explored filters.
var (
	oneWord     = bloomproof.Geometry{M: 64, K: 2}
	twoWords    = bloomproof.Geometry{M: 128, K: 2}
	onePosition = bloomproof.Geometry{M: 64, K: 1}
	threeBits   = bloomproof.Geometry{M: 64, K: 3}
	classic     = bloomproof.Geometry{M: 64, K: 2, Hashing: bloomproof.Classic}
	partitioned = bloomproof.Geometry{M: 64, K: 2, Hashing: bloomproof.Partitioned}
	blocked     = bloomproof.Geometry{M: 128, K: 3, Block: 64}
	twoInBlock  = bloomproof.Geometry{M: 256, K: 2, Block: 128}
	oneBlock    = bloomproof.Geometry{M: 64, K: 2, Block: 64}
)
