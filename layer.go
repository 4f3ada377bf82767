package bloomproof

import "fmt"

// MaxLayers is the largest number of layers that a growing filter may have.
const MaxLayers = 64

// Layer is one filter of a growing filter, which is a chain of filters. Keys go to one layer at a
// time, the open one. It closes, and the next one opens, when a further key could leave more than
// Sigma bits set: when more than Sigma - k are. So a layer never has more than Sigma set bits,
// whatever its keys are, and the probability that it contains a key that was never added is at
// most (Sigma/m)^k, whatever its hashing.
type Layer struct {
	Geometry
	Sigma uint64 // most set bits, k to m
}

// Validate returns a ParamError unless the geometry is valid and without blocks, and
// k <= Sigma <= m. With blocks the number of set bits does not bound the rate: keys may crowd into
// few blocks.
func (l Layer) Validate() error {
	if err := l.Geometry.Validate(); err != nil {
		return err
	}
	switch {
	case l.Block != 0:
		return &ParamError{"block", l.Block, "0 in a layer of a growing filter"}
	case l.Sigma < uint64(l.K) || l.Sigma > l.M:
		return &ParamError{"sigma", l.Sigma, fmt.Sprintf("between k = %d and m = %d in a layer", l.K, l.M)}
	}
	return nil
}

// String returns, for example, "standard m=1024 k=7 sigma=512".
func (l Layer) String() string { return fmt.Sprintf("%v sigma=%d", l.Geometry, l.Sigma) }
