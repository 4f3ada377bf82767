package bloomproof

import "fmt"

// MaxLayers is the largest number of layers that a growing filter may have.
const MaxLayers = 64

// Layer is one filter of a growing filter, which is a chain of filters. Only one layer is open at a time, and keys are
// added to it. The open layer closes when a further key could raise its false-positive probability above (Sigma/m)^k.
// Then the next layer opens. The bound (Sigma/m)^k holds for every hashing, whatever the keys of the layer are. Without
// blocks a layer closes when more than Sigma - k of its bits are set. So it never has more than Sigma set bits. With
// blocks, many keys may choose the same few blocks. So the rule counts the set bits of each block (docs/format.md). The
// total number of set bits is then at most Sigma too.
type Layer struct {
	Geometry
	Sigma uint64 // the largest number of set bits, k to m
}

// Validate returns a ParamError unless the geometry is valid and k <= Sigma <= m.
func (l Layer) Validate() error {
	if err := l.Geometry.Validate(); err != nil {
		return err
	}
	if l.Sigma < uint64(l.K) || l.Sigma > l.M {
		return &ParamError{"sigma", l.Sigma, fmt.Sprintf("between k = %d and m = %d in a layer", l.K, l.M)}
	}
	return nil
}

// String returns, for example, "standard m=1024 k=7 sigma=512".
func (l Layer) String() string { return fmt.Sprintf("%v sigma=%d", l.Geometry, l.Sigma) }
