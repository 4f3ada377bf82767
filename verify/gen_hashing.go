package verify

import (
	"maps"
	"slices"

	"github.com/bloomproof/bloomproof"
)

// hashings is what the generators know of each hashing: which m and k go together.
var hashings = map[bloomproof.Hashing]struct {
	manyPositions bool // k may be above m
	slices        bool // m is a multiple of k
}{
	bloomproof.Standard:    {manyPositions: true},
	bloomproof.Classic:     {},
	bloomproof.Partitioned: {slices: true},
}

// allHashings returns the hashings that are generated, in the order of their values.
func allHashings() []bloomproof.Hashing { return slices.Sorted(maps.Keys(hashings)) }
