package verify

import (
	"maps"
	"slices"

	"github.com/bloomproof/bloomproof"
)

// For each hashing, the map "hashings" says which pairs of m and k are valid.
var hashings = map[bloomproof.Hashing]struct {
	manyPositions bool // k may be above m
	slices        bool // m must be a multiple of k
}{
	bloomproof.Standard:    {manyPositions: true},
	bloomproof.Classic:     {},
	bloomproof.Partitioned: {slices: true},
}

// allHashings returns the hashings that are generated, in the order of their values.
func allHashings() []bloomproof.Hashing { return slices.Sorted(maps.Keys(hashings)) }
