package bloomproof

import "fmt"

// MaxK is the largest number of positions per item that any part of this module
// accepts.
const MaxK = 4096

// Geometry is the shape of a Bloom filter: m bits and k positions per item. If Block is set, the m bits form m/Block
// blocks. An item chooses one block, and Hashing draws its k positions within that block. An example is the split-block
// filter of Parquet, which has Block 256, K 8 and Partitioned hashing.
type Geometry struct {
	M       uint64  // bits, 1 to 2^64-1
	K       int     // positions per item, 1 to MaxK
	Hashing Hashing // how the positions are drawn
	Block   uint64  // bits of a block, a divisor of M; 0 for a filter without blocks
}

// Validate returns nil if the geometry is valid, and otherwise a ParamError. In a valid geometry, M is at least 1, and
// K is from 1 to MaxK. Hashing is one of the named values. Block is 0 or divides M. The k positions must fit into the
// filter, or into a block if there are blocks. For Classic, K is at most the number of bits of the filter or block. For
// Partitioned, K divides this number.
func (g Geometry) Validate() error {
	if err := g.Hashing.check(); err != nil {
		return err
	}
	switch {
	case g.M < 1:
		return &ParamError{"m", g.M, "between 1 and 2^64-1"}
	case g.K < 1 || g.K > MaxK:
		return &ParamError{"k", g.K, fmt.Sprintf("between 1 and %d", MaxK)}
	case g.Block == 0:
		return hashingRules[g.Hashing].fits(g.K, g.M, "m")
	case g.M%g.Block != 0:
		return &ParamError{"block", g.Block, fmt.Sprintf("0 or a divisor of m = %d", g.M)}
	}
	return hashingRules[g.Hashing].fits(g.K, g.Block, "block")
}

// String returns text such as "standard m=1024 k=7". With blocks it returns text such as "partitioned m=1024 k=8
// block=256".
func (g Geometry) String() string {
	s := fmt.Sprintf("%v m=%d k=%d", g.Hashing, g.M, g.K)
	if g.Block != 0 {
		s += fmt.Sprintf(" block=%d", g.Block)
	}
	return s
}
