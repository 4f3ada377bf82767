package approx

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// A hashing is what this package knows about one way to draw the k positions of an item. It
// stands in the file hashing_NAME.go; no other file asks which hashing a filter has. All
// functions take valid geometries.
type hashing struct {
	is bloomproof.Hashing

	rate      func(m, n uint64, k int) rate // m >= 2, n >= 1
	rateError func(k int) float64           // bounds the relative error of rate

	// draws returns the draws of n items, by which bits become set.
	draws func(m, n uint64, k int) committees

	// literal returns the correct rate of a counting filter with literal increments, n >= 1;
	// nil where no item hits a counter twice, so that it is that of distinct increments.
	literal func(m, n uint64, k int) float64

	// clear returns t, e^-t being the probability that a bit is clear, within 8u; nil where
	// there is no formula for its entropy.
	clear func(m, n uint64, k int) float64

	bounds []bloomproof.Bound // those that say something of the rate

	// For the searches. A geometry has a k of mostK(m) at most, and one that divides m if
	// kDividesM. The least m for k is leastM(k).
	mostK     func(m uint64) uint64
	kDividesM bool
	leastM    func(k int) uint64
	startK    func(m, n uint64) float64        // near the k of least rate; n >= 1
	lowerLn   func(m, n uint64, k int) float64 // at most ln f, within 2^-44 of itself, with one minimum in k; n >= 1

	blocks *blockSearch // nil without blocks
}

// hashings is the look-up.
var hashings = []*hashing{&standardHashing, &classicHashing, &partitionedHashing}

// named returns what is known about the hashing and the blocks of g, whose M and K do not
// count, or refuses them.
func named(g bloomproof.Geometry) (*hashing, error) {
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

// hashingOf returns what is known about a geometry, or refuses it.
func hashingOf(g bloomproof.Geometry) (*hashing, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	return named(g)
}

// searched returns what the searches know of a geometry, or refuses it.
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

// refuse returns a ParamError unless kind is a bound of the hashing's rate.
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

// everyK is mostK where there are geometries of every k.
func everyK(uint64) uint64 { return bloomproof.MaxK }

// upToM is mostK where there are geometries of k <= m.
func upToM(m uint64) uint64 { return min(m, bloomproof.MaxK) }

// halfFull returns the k that sets half of the bits.
func halfFull(m, n uint64) float64 { return float64(m) / float64(n) * fm.Ln2 }
