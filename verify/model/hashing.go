package model

import (
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
)

// The type "hashing" has the functions that depend on the hashing. They are written from the specification alone.
type hashing struct {
	// The function "positions" returns the k positions of a key from its words.
	positions func(g bloomproof.Geometry, w *words) []uint64
	// The function "rate" returns the probability that all positions of a random key are in "set".
	rate func(g bloomproof.Geometry, set map[uint64]bool) *big.Rat
	// logMiss returns the logarithm of the probability that an item does not set a given bit.
	logMiss func(g bloomproof.Geometry) float64
	// inBlock describes how positions are drawn in a block. The argument g is the geometry of one block. Each draw is a
	// number from 0 to span-1. The number "span" is the first result. The positions of draw i begin at i times the
	// result "step". The field inBlock is nil if the specification has no blocks for this hashing.
	inBlock func(g bloomproof.Geometry) (span, step uint64)
}

var hashings = map[bloomproof.Hashing]hashing{
	bloomproof.Standard:    {standardPositions, standardRate, standardMiss, func(g bloomproof.Geometry) (span, step uint64) { return g.M, 0 }},
	bloomproof.Classic:     {classicPositions, classicRate, distinctMiss, nil},
	bloomproof.Partitioned: {partitionedPositions, partitionedRate, distinctMiss, func(g bloomproof.Geometry) (span, step uint64) { return g.M / uint64(g.K), g.M / uint64(g.K) }},
}

// hashingOf returns the hashing of g. If the model does not implement this hashing, the function panics with a
// ParamError. The reason is that a test without a model would compare nothing.
func hashingOf(g bloomproof.Geometry) hashing {
	h, ok := hashings[g.Hashing]
	switch {
	case !ok:
		panic(&bloomproof.ParamError{Param: "hashing", Value: g.Hashing, Want: "one that the model has"})
	case g.Block == 0:
		return h
	case h.inBlock == nil || g.Block < 64 || g.Block > 4096 || g.Block&(g.Block-1) != 0:
		panic(&bloomproof.ParamError{Param: "block", Value: g.Block, Want: "0 for the model, or what docs/format.md specifies"})
	}
	return hashing{blockPositions(h), blockRate(h), blockMiss(h), nil}
}

// The function "rate" returns the probability that all positions of a random key are in "set", for the geometry g.
func rate(g bloomproof.Geometry, set map[uint64]bool) *big.Rat { return hashingOf(g).rate(g, set) }

func standardPositions(g bloomproof.Geometry, w *words) (pos []uint64) {
	for range g.K {
		pos = append(pos, w.draw(g.M))
	}
	return pos
}

// standardRate is (b/m)^k, where b is the number of set bits.
func standardRate(g bloomproof.Geometry, set map[uint64]bool) *big.Rat {
	k := big.NewInt(int64(g.K))
	num := new(big.Int).Exp(big.NewInt(int64(len(set))), k, nil)
	den := new(big.Int).Exp(fromWord(g.M), k, nil)
	return new(big.Rat).SetFrac(num, den)
}

func classicPositions(g bloomproof.Geometry, w *words) (pos []uint64) {
	taken := map[uint64]bool{}
	for j := 0; j < 8*g.K+64 && len(pos) < g.K; j++ {
		if p := w.draw(g.M); !taken[p] {
			taken[p] = true
			pos = append(pos, p)
		}
	}
	for len(pos) < g.K {
		pos = append(pos, untaken(pos, w.draw(g.M-uint64(len(pos)))))
	}
	return pos
}

// classicRate is C(b,k)/C(m,k), where b is the number of set bits.
func classicRate(g bloomproof.Geometry, set map[uint64]bool) *big.Rat {
	var num, den big.Int
	num.Binomial(int64(len(set)), int64(g.K))
	den.Binomial(int64(g.M), int64(g.K))
	return new(big.Rat).SetFrac(&num, &den)
}

func partitionedPositions(g bloomproof.Geometry, w *words) (pos []uint64) {
	s := g.M / uint64(g.K)
	for j := range uint64(g.K) {
		pos = append(pos, j*s+w.draw(s))
	}
	return pos
}

// partitionedRate is the product of the fill ratios of the slices.
func partitionedRate(g bloomproof.Geometry, set map[uint64]bool) *big.Rat {
	size := g.M / uint64(g.K)
	in := make([]int64, g.K)
	for p := range set {
		in[p/size]++
	}
	r := big.NewRat(1, 1)
	for _, n := range in {
		r.Mul(r, big.NewRat(n, int64(size)))
	}
	return r
}

func standardMiss(g bloomproof.Geometry) float64 {
	return float64(g.K) * math.Log1p(-1/float64(g.M))
}

// distinctMiss is the function logMiss for hashings that give each item k distinct positions.
func distinctMiss(g bloomproof.Geometry) float64 {
	return math.Log1p(-float64(g.K) / float64(g.M))
}
