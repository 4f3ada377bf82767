package message

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

var classicHashing = hashing{
	is:      bloomproof.Classic,
	avoided: 1,
	fewest:  func(k int) uint64 { return uint64(k) },

	// If b of the m bits are set, a message finds all its positions set with probability rho(b) = C(b,k)/C(m,k).
	hitAt: func(m, b uint64, k int) fm.Scaled {
		if b < uint64(k) {
			return fm.Scaled{}
		}
		p := fm.Whole(1).Scale()
		for t := range uint64(k) {
			p = p.Times(fm.Whole(b - t).Quo(fm.Whole(m - t)))
		}
		return p
	},
	ratios: func(at float64, k int) func(b float64) float64 {
		inverse := make([]float64, k)
		for t := range inverse {
			if at > float64(t) {
				inverse[t] = 1 / (at - float64(t))
			}
		}
		least := float64(k)
		return func(b float64) float64 {
			if b < least {
				return 0
			}
			h := 1.0
			for _, x := range inverse {
				h *= b * x
				b--
			}
			return h
		}
	},
	clear: func(m float64, k int, j float64) float64 {
		sum := 0.0
		for t := range k {
			sum += fm.Log1p(-j / (m - float64(t)))
		}
		return sum
	},
	number: func(_ uint64, k int) (most int, w []float64) { return k, []float64{1} },
	allNumbers: func(_ uint64, k int) []fm.Scaled {
		p := make([]fm.Scaled, k+1)
		p[k] = fm.Whole(1).Scale()
		return p
	},
	closed: func(m uint64, k int) (scale fm.Double, offset float64) {
		kk := uint64(k)
		e := fm.Harmonic(m-kk+1, m)
		squares := 0.0
		for i := range kk {
			x := 1 / float64(m-i)
			squares += x * x
		}
		return fm.Whole(1).Quo(e), (1 - squares/(e.Hi*e.Hi)) / 2
	},
	poles: func(m uint64, k int) (factor float64, known bool) {
		return max(1, 2./3*PoleFactor(m, k)), fewPositions(m, k)
	},
}
