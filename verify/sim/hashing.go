package sim

import (
	"math/rand/v2"
	"slices"

	"github.com/bloomproof/bloomproof"
)

// drawPositions appends the k positions of one message among m bits to dst, which is empty. The positions are uniform,
// and as independent as the hashing permits.
type drawPositions func(dst []uint64, rng *rand.ChaCha8, m, k uint64) []uint64

// drawsOf has one function for each hashing. The function draws the positions in an ideal filter with this hashing.
// Nothing else in this package depends on the hashing.
var drawsOf = map[bloomproof.Hashing]drawPositions{
	bloomproof.Standard:    drawStandard,
	bloomproof.Classic:     drawClassic,
	bloomproof.Partitioned: drawPartitioned,
	bloomproof.Double:      doubleBy(func(rng *rand.ChaCha8, m uint64) uint64 { return 1 + below(rng, m-1) }),
	bloomproof.DoubleZero:  doubleBy(below),
	bloomproof.DoubleOdd:   doubleBy(func(rng *rand.ChaCha8, m uint64) uint64 { return 1 + 2*below(rng, m/2) }),

	bloomproof.DoublePartitioned: drawDoublePartitioned,
	bloomproof.EnhancedDouble:    drawEnhancedDouble,
	bloomproof.Triple:            drawTriple,
}

// drawOf returns the function that draws positions of g, or a ParamError if this package has none for its hashing.
func drawOf(g bloomproof.Geometry) (drawPositions, error) {
	draw, ok := drawsOf[g.Hashing]
	if !ok {
		return nil, &bloomproof.ParamError{Param: "hashing", Value: g.Hashing, Want: "one that has ideal positions"}
	}
	if g.Block != 0 {
		return inBlock(draw, g.Block), nil
	}
	return draw, nil
}

// inBlock returns a function that draws a block of the given number of bits. This function then calls the function
// "draw" to draw positions in the block.
func inBlock(draw drawPositions, bits uint64) drawPositions {
	return func(dst []uint64, rng *rand.ChaCha8, m, k uint64) []uint64 {
		start := bits * below(rng, m/bits)
		dst = draw(dst, rng, bits, k)
		for i := range dst {
			dst[i] += start
		}
		return dst
	}
}

func drawStandard(dst []uint64, rng *rand.ChaCha8, m, k uint64) []uint64 {
	for range k {
		dst = append(dst, below(rng, m))
	}
	return dst
}

// drawClassic draws a uniform k-subset by Floyd's method, with O(k^2) comparisons.
func drawClassic(dst []uint64, rng *rand.ChaCha8, m, k uint64) []uint64 {
	for top := m - k; top < m; top++ {
		p := below(rng, top+1)
		if slices.Contains(dst, p) {
			p = top
		}
		dst = append(dst, p)
	}
	return dst
}

func drawPartitioned(dst []uint64, rng *rand.ChaCha8, m, k uint64) []uint64 {
	for j := range k {
		dst = append(dst, j*(m/k)+below(rng, m/k))
	}
	return dst
}

// drawDoublePartitioned draws a start and a step within a slice. Position i of the message is in slice i.
func drawDoublePartitioned(dst []uint64, rng *rand.ChaCha8, m, k uint64) []uint64 {
	s := m / k
	p, by := below(rng, s), below(rng, s)
	for j := range k {
		dst = append(dst, j*s+p)
		p = (p + by) % s
	}
	return dst
}

// drawEnhancedDouble draws a start and a step. After each use the step grows, first by 1, then by 2, and so on.
func drawEnhancedDouble(dst []uint64, rng *rand.ChaCha8, m, k uint64) []uint64 {
	p, by := below(rng, m), below(rng, m)
	for i := range k {
		dst = append(dst, p)
		p = (p + by) % m
		by = (by + i + 1) % m
	}
	return dst
}

// drawTriple draws a start, a step, and the growth of the step.
func drawTriple(dst []uint64, rng *rand.ChaCha8, m, k uint64) []uint64 {
	p, by, more := below(rng, m), below(rng, m), below(rng, m)
	for range k {
		dst = append(dst, p)
		p = (p + by) % m
		by = (by + more) % m
	}
	return dst
}

// doubleBy returns a function for double hashing. That function draws a uniform start. It calls the function "step" to
// draw a step. Ideal filters have at most 2^34 bits, so no sum of two positions overflows.
func doubleBy(step func(rng *rand.ChaCha8, m uint64) uint64) drawPositions {
	return func(dst []uint64, rng *rand.ChaCha8, m, k uint64) []uint64 {
		p, by := below(rng, m), step(rng, m)
		for range k {
			dst = append(dst, p)
			p = (p + by) % m
		}
		return dst
	}
}
