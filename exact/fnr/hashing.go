package fnr

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/fault"
)

// A value of type hashing describes how the k positions of a message are drawn. Each hashing is defined in a file
// hashing_NAME.go. No other file depends on which hashing a filter has.
type hashing struct {
	is bloomproof.Hashing

	// The field "avoided" is 1 if a position avoids the earlier positions of the same message. Otherwise it is 0.
	avoided uint64
	// The function "chances" returns one probability for each d = 0..k. It is the probability that the positions of a
	// message are exactly a given set of d bits.
	chances func(m uint64, k int) []*big.Rat
}

// The variable "hashings" lists the hashings that this package knows.
var hashings = []*hashing{&standardHashing, &classicHashing}

// A value of type "shape" is a geometry together with the data of its hashing.
type shape struct {
	bloomproof.Geometry
	*hashing
}

// shapeOf returns the shape of a geometry. It returns an error for a hashing that this package does not know, and for
// blocks.
func shapeOf(g bloomproof.Geometry) (shape, error) {
	if err := g.Validate(); err != nil {
		return shape{}, err
	}
	if g.Block != 0 {
		return shape{}, &bloomproof.ParamError{Param: "block", Value: g.Block, Want: "0 for a recycling filter's models"}
	}
	if i := slices.IndexFunc(hashings, func(h *hashing) bool { return h.is == g.Hashing }); i >= 0 {
		return shape{g, hashings[i]}, fault.Part()
	}
	var names []string
	for _, h := range hashings {
		names = append(names, h.is.String())
	}
	return shape{}, &bloomproof.ParamError{Param: "hashing", Value: g.Hashing, Want: fmt.Sprintf("%s for a recycling filter's models", strings.Join(names, " or "))}
}

// Suppose that t positions of a message were drawn. The method "placed" returns the number of bits that cannot be the
// next position of the message.
func (s shape) placed(t uint64) uint64 { return s.avoided * t }
