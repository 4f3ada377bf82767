package message

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/occupancy"
)

var standardHashing = hashing{
	is:     bloomproof.Standard,
	fewest: func(int) uint64 { return 1 },

	// If b of the m bits are set, a message finds all its positions set with probability rho(b) = (b/m)^k.
	hitAt: func(m, b uint64, k int) fm.Scaled {
		if b == 0 {
			return fm.Scaled{}
		}
		return fm.Whole(b).Quo(fm.Whole(m)).Scale().Pow(k)
	},
	ratios: func(at float64, k int) func(b float64) float64 {
		inverse := 1 / max(at, 1) // rho(0) = 0
		return func(b float64) float64 { return Power(b*inverse, k) }
	},
	clear: func(m float64, k int, j float64) float64 { return float64(k) * fm.Log1p(-j/m) },
	number: func(m uint64, k int) (most int, w []float64) {
		row := occupancy.New(m, k, fm.Whole(1), 0)
		return row.Most, row.W
	},
	allNumbers: occupancy.Distribution,
	closed: func(m uint64, k int) (scale fm.Double, offset float64) {
		return fm.Whole(m).Quo(fm.Whole(uint64(k))), (1 - 1/float64(k)) / 2
	},
	poles: func(uint64, int) (factor float64, known bool) { return 1, true },
}
