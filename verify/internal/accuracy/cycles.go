package accuracy

import (
	"math"
	"math/rand/v2"

	"github.com/bloomproof/bloomproof"
)

// Rules returns every way to recycle that approx serves, without sigma and messages: each
// combination of rule, retaining, phases, freezing, copy-over and positions.
func Rules() []bloomproof.Recycling {
	var out []bloomproof.Recycling
	for _, rule := range []bloomproof.Rule{bloomproof.BitBounded, bloomproof.MessageBounded} {
		for _, retain := range []bool{false, true} {
			for _, positions := range []bloomproof.Positions{bloomproof.Fixed, bloomproof.Fresh} {
				r := bloomproof.Recycling{Rule: rule, Retain: retain, Positions: positions}
				out = append(out, r)
				if rule == bloomproof.MessageBounded && retain && positions == bloomproof.Fixed {
					continue
				}
				r.Phases = bloomproof.TwoPhase
				for _, freeze := range []bloomproof.Freeze{bloomproof.FreezeAfter, bloomproof.FreezeBefore} {
					r.Freeze = freeze
					out = append(out, r)
					if positions == bloomproof.Fresh {
						bare := r
						bare.NoCopyOver = true
						out = append(out, bare)
					}
				}
			}
		}
	}
	return out
}

// DrawCycle draws the i-th shape of a seed, k <= most, with the threshold of a recycling filter
// that is hard: sigma below k, between k and 2k, next to m; m next to k and 2k.
func DrawCycle(seed, i uint64, most int) (g bloomproof.Geometry, sigma uint64) {
	r := rand.New(rand.NewPCG(seed, i))
	exp := func(lo, hi float64) uint64 {
		return uint64(math.Exp(math.Log(lo) + r.Float64()*(math.Log(hi+1)-math.Log(lo))))
	}
	k := exp(1, float64(most))
	m := exp(1, 900)
	switch r.IntN(8) {
	case 0:
		m = k + r.Uint64N(6)
	case 1:
		m = max(1, 2*k+r.Uint64N(7)-3)
	case 2:
		m = exp(1, 1e15)
	case 3:
		k = uint64(most) - r.Uint64N(uint64(most+1)/2)
	}
	limit := min(m-1, 400)
	switch r.IntN(6) {
	case 0:
		sigma = r.Uint64N(min(limit, k) + 1)
	case 1:
		sigma = k + r.Uint64N(k+2)
	case 2:
		sigma = m - 1 - min(m-1, r.Uint64N(4))
	case 3:
		sigma = r.Uint64N(9)
	default:
		sigma = r.Uint64N(limit + 1)
	}
	return bloomproof.Geometry{M: m, K: int(k)}, min(sigma, m-1, 500)
}

// WithThreshold returns the rule r with the threshold sigma, or with the number of messages
// that fill about as many bits of a shape g.
func WithThreshold(r bloomproof.Recycling, g bloomproof.Geometry, sigma uint64) bloomproof.Recycling {
	if r.Rule == bloomproof.BitBounded {
		r.Sigma = sigma
	} else {
		r.Messages = 1 + sigma/uint64(g.K)
	}
	return r
}
