package model

import (
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

// blockOf returns the geometry of one block of g.
func blockOf(g bloomproof.Geometry) bloomproof.Geometry {
	return bloomproof.Geometry{M: g.Block, K: g.K, Hashing: g.Hashing}
}

// refuseCycles is for the case that g has blocks. If docs/format.md does not permit blocks with the rule r, it panics
// with a ParamError.
func refuseCycles(g bloomproof.Geometry, r bloomproof.Recycling) {
	if g.Block != 0 && (r.Messages == 0 || r.TwoPhase || r.Retain) {
		panic(&bloomproof.ParamError{Param: "block", Value: g.Block, Want: "0 for this rule"})
	}
}

// blockWord returns the word x(i) of a key. The page docs/format.md defines this word for blocks.
func blockWord(h kernel.Hash, i int) *big.Int {
	if i == 0 {
		return fromWord(h.H1)
	}
	step := new(big.Int).Or(fromWord(h.H0), one)
	return mix(add(fromWord(h.H1), mul(big.NewInt(int64(i)), step)), new(big.Int))
}

// blockPositions returns a function that computes the positions of a key. All these positions are in the block that the
// key chooses. The argument "in" has the functions that compute positions within one block.
func blockPositions(in hashing) func(bloomproof.Geometry, *words) []uint64 {
	return func(g bloomproof.Geometry, w *words) (pos []uint64) {
		number := new(big.Int).Mul(fromWord(w.h.H0), fromWord(g.M/g.Block))
		first := number.Rsh(number, 64).Uint64() * g.Block
		span, step := in.inBlock(blockOf(g))
		e := new(big.Int).SetUint64(span).BitLen() - 1
		each := 64
		if e > 0 {
			each = 64 / e
		}
		for j := range g.K {
			x := blockWord(w.h, j/each)
			x.Rsh(x, uint(j%each*e))
			x.Mod(x, fromWord(span))
			pos = append(pos, first+uint64(j)*step+x.Uint64())
		}
		return pos
	}
}

// blockRate returns a function that computes the rate of a filter with blocks. This rate is the mean of the rates of
// the blocks.
func blockRate(in hashing) func(bloomproof.Geometry, map[uint64]bool) *big.Rat {
	return func(g bloomproof.Geometry, set map[uint64]bool) *big.Rat {
		of := map[uint64]map[uint64]bool{} // the key is the number of the block
		for p := range set {
			if of[p/g.Block] == nil {
				of[p/g.Block] = map[uint64]bool{}
			}
			of[p/g.Block][p%g.Block] = true
		}
		sum := new(big.Rat)
		for _, bits := range of { // an empty block has rate 0
			sum.Add(sum, in.rate(blockOf(g), bits))
		}
		return sum.Quo(sum, new(big.Rat).SetInt(fromWord(g.M/g.Block)))
	}
}

// blockMiss returns a function that computes ln(1 - p/B). This is the logarithm of the probability that an item does
// not set a given bit. Let B be the number of blocks. An item selects the bit's block with probability 1/B. It then
// sets the bit with probability p.
func blockMiss(in hashing) func(bloomproof.Geometry) float64 {
	return func(g bloomproof.Geometry) float64 {
		inside := in.logMiss(blockOf(g))
		if g.M == g.Block {
			return inside
		}
		return math.Log1p(math.Expm1(inside) * float64(g.Block) / float64(g.M))
	}
}
