package accuracy

import (
	"math"
	"math/rand/v2"

	"github.com/bloomproof/bloomproof"
)

// Rules returns every recycling rule that approx supports. These are the valid combinations of the fields of
// bloomproof.Recycling. The returned rules have no threshold yet: the field Sigma is 0. The field Messages is 1 for
// message-bounded rules. The caller replaces it by the number of messages that it wants.
func Rules() []bloomproof.Recycling {
	var out []bloomproof.Recycling
	for _, messages := range []uint64{0, 1} {
		for _, retain := range []bool{false, true} {
			for _, fresh := range []bool{false, true} {
				r := bloomproof.Recycling{Messages: messages, Retain: retain, FreshPositions: fresh}
				out = append(out, r)
				if messages > 0 && retain && !fresh {
					continue
				}
				r.TwoPhase = true
				for _, freezeBefore := range []bool{false, true} {
					r.FreezeBefore = freezeBefore
					out = append(out, r)
					if fresh {
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

// DrawCycle draws the i-th recycling filter for a seed. It returns the filter's shape g and a threshold sigma. The
// number k of positions is at most the argument "most". Many of the thresholds are difficult: they are below k, between
// k and 2k, or close to m. Sometimes m itself is close to k or 2k.
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

// WithThreshold returns the rule r with the threshold sigma. If r is message-bounded, the function changes the number
// of messages instead. This number of messages sets about sigma bits of a filter of shape g.
func WithThreshold(r bloomproof.Recycling, g bloomproof.Geometry, sigma uint64) bloomproof.Recycling {
	if r.Messages == 0 {
		r.Sigma = sigma
	} else {
		r.Messages = 1 + sigma/uint64(g.K)
	}
	return r
}
