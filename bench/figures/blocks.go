package main

import (
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/internal/shapes"
)

// blockShape is a shape of blocks in the figures about the cost of blocks.
type blockShape struct {
	bloomproof.Geometry
	column string
	color  shade
}

// blockShapes are the shapes that have their own kernels. K = 0 means the best k.
var blockShapes = []blockShape{
	{shapes.Line(), "block_512", blue},
	{shapes.Words(64), "block_512_words", orange},
	{shapes.Words(32), "block_256_words", green},
}

const (
	blockItems   = 1_000_000_000 // so many that one block more or less is not visible
	blockDecades = 8
	perDecade    = 4
)

// The function blocks draws the cost of blocks as a function of the rate of the standard filter. It draws two costs:
// the additional bits that give the same rate, and the increase of the rate with the same number of bits.
func blocks(to plan) error {
	bits := chart{
		title:   "What blocks cost: bits at equal rate",
		xColumn: "rate", x: "false-positive rate", y: "bits a key",
		logX: true, logY: true, yMin: 4, yMax: 200,
	}
	excess := chart{
		title:   "What blocks cost: rate at equal bits",
		xColumn: "rate", x: "false-positive rate of the standard filter", y: "rate of the filter with blocks over it",
		logX: true, logY: true, yMin: 1, yMax: 1e4,
	}
	standard := series{column: "standard", name: "standard", color: gray}
	lines := make([][2]series, len(blockShapes))
	for i, s := range blockShapes {
		for j := range lines[i] {
			lines[i][j] = series{column: s.column, name: fmt.Sprintf("blocks of %d bits%s", s.Block, inWords(s)), color: s.color}
		}
	}
	for e := blockDecades * perDecade; e >= perDecade; e-- {
		target := math.Pow(10, -float64(e)/perDecade)
		p := new(big.Rat).SetFloat64(target)
		flat, err := exact.LeastBits(bloomproof.Geometry{}, blockItems, p, 53)
		if err != nil {
			return err
		}
		bits.at, excess.at = append(bits.at, target), append(excess.at, target)
		standard.y = append(standard.y, float64(flat.Geometry.M)/blockItems)
		for i, s := range blockShapes {
			o, err := exact.LeastBits(s.Geometry, blockItems, p, 53)
			if err != nil {
				return err
			}
			lines[i][0].y = append(lines[i][0].y, float64(o.Geometry.M)/blockItems)
			f, err := rateInBlocks(s.Geometry, flat.Geometry.M)
			if err != nil {
				return err
			}
			lines[i][1].y = append(lines[i][1].y, f/flat.Rate.Float64())
		}
	}
	bits.series = append(bits.series, standard)
	for _, l := range lines {
		bits.series, excess.series = append(bits.series, l[0]), append(excess.series, l[1])
	}
	if err := bits.save(to.base("blocks-bits")); err != nil {
		return err
	}
	return excess.save(to.base("blocks-rate"))
}

// rateInBlocks returns the least rate of a shape, with as many whole blocks as fit into m bits.
func rateInBlocks(g bloomproof.Geometry, m uint64) (float64, error) {
	g.M = m / g.Block * g.Block
	if g.K > 0 {
		e, _, err := exact.FPR(g, blockItems, 53, exact.Auto)
		return e.Float64(), err
	}
	o, err := exact.OptimalK(g, blockItems, 53)
	return o.Rate.Float64(), err
}

// inWords returns text about the parts of a block. Each part has one position of a key.
func inWords(s blockShape) string {
	if s.K == 0 {
		return ", any positions"
	}
	return fmt.Sprintf(", one position in each %d", s.Block/uint64(s.K))
}
