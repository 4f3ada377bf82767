package approx

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fault"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// A value of the type "hashing" contains the formulas for one way to draw the k positions of an item. Each hashing is
// defined in a file hashing_NAME.go of its own. Code in other files does not depend on which hashing a filter has. All
// functions take valid geometries.
type hashing struct {
	is bloomproof.Hashing

	rate      func(m, n uint64, k int) rate // the rate, for m >= 2 and n >= 1
	rateError func(k int) float64           // bounds the relative error of rate

	// The function "draws" returns a description of how n items draw the bits that they set.
	draws func(m, n uint64, k int) committees

	// The function "literal" returns the correct rate of a counting filter with literal increments, for n >= 1. If no
	// item can hit a counter twice, the field "literal" is nil. The rate is then the same as for distinct increments.
	literal func(m, n uint64, k int) float64

	// Let q be the probability that a bit is clear. The function "clear" returns t = -ln q, with a relative error of at
	// most 8u (u = 2^-53). The field "clear" is nil if there is no formula for the entropy of a bit.
	clear func(m, n uint64, k int) float64

	bounds []bloomproof.Bound // the kinds of bounds that are defined for this hashing

	// The searches use the following fields. For given m, k must be at most mostK(m). If kDividesM is set, k must also
	// divide m. For given k, m must be at least leastM(k).
	mostK     func(m uint64) uint64
	kDividesM bool
	leastM    func(k int) uint64
	startK    func(m, n uint64) float64 // a number near the k of least rate, for n >= 1
	// lowerLn returns a lower bound of the logarithm of the rate, for n >= 1. The relative error of the result is at
	// most 2^-44. As a function of k this bound has only one minimum.
	lowerLn func(m, n uint64, k int) float64

	blocks *blockSearch // nil without blocks
}

// The variable "hashings" lists the hashings that this package knows.
var hashings = []*hashing{&standardHashing, &classicHashing, &partitionedHashing}

// The function "named" returns the formulas for g.Hashing. If g has blocks or an unknown hashing, the function returns
// an error. It ignores M and K.
func named(g bloomproof.Geometry) (*hashing, error) {
	if err := fault.Part(); err != nil {
		return nil, err
	}
	if g.Block != 0 {
		return nil, &bloomproof.ParamError{Param: "block", Value: g.Block, Want: "0: package approx has this for filters without blocks"}
	}
	if i := slices.IndexFunc(hashings, func(h *hashing) bool { return h.is == g.Hashing }); i >= 0 {
		return hashings[i], nil
	}
	var names []string
	for _, h := range hashings {
		names = append(names, h.is.String())
	}
	return nil, &bloomproof.ParamError{Param: "hashing", Value: g.Hashing, Want: "one of " + strings.Join(names, ", ") + " in package approx"}
}

// hashingOf returns the formulas for a geometry without blocks. It returns an error if the geometry is not valid or has
// no formulas.
func hashingOf(g bloomproof.Geometry) (*hashing, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	return named(g)
}

// The function "searched" returns the formulas that the searches need for a geometry. It returns an error if there are
// none.
func searched(g bloomproof.Geometry) (*hashing, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	block := g.Block
	g.Block = 0
	h, err := named(g)
	if err != nil || block == 0 {
		return h, err
	}
	return blockedHashing(h, block), nil
}

// The method "refuse" returns a ParamError unless the kind of bound is defined for the hashing.
func (h *hashing) refuse(kind bloomproof.Bound) error {
	if slices.Contains(h.bounds, kind) {
		return nil
	}
	var names []string
	for _, b := range h.bounds {
		names = append(names, string(b))
	}
	return &bloomproof.ParamError{Param: "bound", Value: kind, Want: fmt.Sprintf("one of %s for %v hashing", strings.Join(names, ", "), h.is)}
}

// everyK is the value of the field mostK for hashings that permit every k.
func everyK(uint64) uint64 { return bloomproof.MaxK }

// upToM is the value of the field mostK for hashings that permit all k <= m.
func upToM(m uint64) uint64 { return min(m, bloomproof.MaxK) }

// The function halfFull returns the real number k with which n items set about half of the m bits.
func halfFull(m, n uint64) float64 { return float64(m) / float64(n) * fm.Ln2 }
