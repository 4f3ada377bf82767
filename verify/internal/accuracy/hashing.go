package accuracy

import (
	"math"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// The type "hashing" holds the properties of a hashing that are needed to compare approx with exact.
type hashing struct {
	// rateBound returns the relative error bound that approx.FPR states. The unit is 2^-53.
	rateBound func(k int) float64
	// setBits returns the distribution of the number of set bits. If the filter has slices, the bits of only one slice
	// are counted. The result ok is false if exact has no such distribution.
	setBits func(m, n, k uint64) (d exact.Distribution, slices uint64, ok bool, err error)
	// The field "independent" says whether the positions of a message are independent. The cost of computing a
	// recycling filter in package exact depends on this.
	independent bool
}

var hashings = map[bloomproof.Hashing]hashing{
	bloomproof.Standard: {
		rateBound: func(k int) float64 { return 125 + 70*math.Sqrt(float64(k)) },
		setBits: func(m, n, k uint64) (d exact.Distribution, slices uint64, ok bool, err error) {
			if n > math.MaxUint64/k { // exact takes fewer than 2^64 balls
				return d, 1, false, nil
			}
			d, err = exact.Union(m, []exact.Committees{{Size: 1, Count: n * k}})
			return d, 1, true, err
		},
		independent: true,
	},
	bloomproof.Classic: {
		rateBound: func(k int) float64 { return 100 + 7*float64(k) },
		setBits: func(m, n, k uint64) (exact.Distribution, uint64, bool, error) {
			d, err := exact.Union(m, []exact.Committees{{Size: k, Count: n}})
			return d, 1, true, err
		},
	},
	bloomproof.Partitioned: {
		rateBound: func(int) float64 { return 2 },
		setBits: func(m, n, k uint64) (exact.Distribution, uint64, bool, error) {
			d, err := exact.Union(m/k, []exact.Committees{{Size: 1, Count: n}})
			return d, k, true, err
		},
	},
}

// RateBound returns the error bound that approx.FPR states, divided by 2^-53 times the rate.
func RateBound(g bloomproof.Geometry) float64 { return hashings[g.Hashing].rateBound(g.K) }

// The list rateHashings has the hashings for which rates are known. The list cycleHashings has the hashings that
// recycling filters can have. The type Args has a field Which. This field selects a hashing from one of these lists.
var (
	rateHashings  = []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic, bloomproof.Partitioned}
	cycleHashings = []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic}
)
