package recycling

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// A hashing has the formulas for one way to draw the k positions of an item. Each hashing is defined in a file
// hashing_NAME.go. No other file depends on which hashing a filter has.
type hashing struct {
	is bloomproof.Hashing

	// The field "avoided" is 1 if each position avoids the earlier positions of the same item. Otherwise it is 0.
	avoided uint64
	// The function "fewest" returns the least number of distinct positions of an item.
	fewest func(k int) uint64
	// The function "batches" returns how the k positions of an item are divided into batches. The result "count" is the
	// number of batches, and "size" is the number of distinct positions in each batch.
	batches func(k int) (count int64, size int)
	// Equation (1) of Dozier-FP gives the rate at the mean number of set bits. The field meanRate is true if, for this
	// hashing, the exact rate is never below the value of this equation.
	meanRate bool

	// The function "closed" reports whether the closed form exists. Let rho(b) be the rate of an array with b set bits.
	// The function "poles" computes the poles and the coefficients of 1-rho. It reports whether it found all poles. The
	// number poleSteps is an additional cost for each pole and each position, in units of a complex product.
	closed    func(m uint64, k int) bool
	poles     func(s *closed) bool
	poleSteps float64

	// These functions compute tau(i,j) in closed form. It is the probability that an item changes the number of set
	// bits from i to j. The functions require i <= j <= min(i+k, m).
	transitionRat      func(m uint64, k int, i, j uint64) *big.Rat
	transitionInterval func(m uint64, k int, i, j uint64, work uint) *interval.Interval
}

// The variable "hashings" lists the hashings that this package knows.
var hashings = []*hashing{&standardHashing, &classicHashing}

// A shape is a geometry together with the formulas of its hashing.
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
		return shape{}, &bloomproof.ParamError{Param: "block", Value: g.Block, Want: "0: with blocks the number of set bits does not tell what an item will set; exact.MeanFPR has the first arrivals of a message-bounded cycle"}
	}
	if i := slices.IndexFunc(hashings, func(h *hashing) bool { return h.is == g.Hashing }); i >= 0 {
		return shape{g, hashings[i]}, fault.Part()
	}
	var names []string
	for _, h := range hashings {
		names = append(names, h.is.String())
	}
	return shape{}, &bloomproof.ParamError{Param: "hashing", Value: g.Hashing, Want: fmt.Sprintf("%s: a recycling filter's set bits have no known distribution with another", strings.Join(names, " or "))}
}

// Suppose that h positions of an item are placed. The method "placed" returns the number of bits that cannot be the
// next position of the item.
func (s shape) placed(h int) uint64 { return s.avoided * uint64(h) }

// The method "least" returns the least number of distinct positions of an item.
func (s shape) least() uint64 { return s.fewest(s.K) }
