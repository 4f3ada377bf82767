package accuracy

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Climb searches for arguments at which a target has a large error. The error is measured as a share of its bound. It
// draws starting points, some of them with extreme arguments. From each of them it moves to better neighbouring points.
// The argument "budget" is the number of evaluations. Climb stops at the first error and returns it.
func Climb(t Target, seed uint64, budget int) (best float64, at Args, err error) {
	r := rand.New(rand.NewPCG(seed, 22))
	const everyKind = 100 // for so many evaluations of the budget, each kind is tried once in a corner
	for left := budget / everyKind; left > 0 && t.Kinds > 0; left-- {
		// Add a filter with extreme arguments. At the end of a cycle, the array has few set bits. Each key of this
		// filter has far more positions.
		a := Args{M: 50 + r.Uint64N(950), N: r.Uint64N(1000), Sigma: r.Uint64N(8), K: 40}
		for a.Which = range t.Kinds {
			s, err := t.Share(a)
			if budget--; s > best || err != nil {
				best, at = s, a
			}
			if err != nil {
				return best, at, fmt.Errorf("%s%v: %w", t.Name, a, err)
			}
		}
	}
	for budget > 0 {
		a := start(r, t.Small)
		here, err := t.Share(a)
		budget--
		for idle := 0; err == nil && idle < 8 && budget > 0; budget-- {
			next := neighbour(r, a, t.Small)
			var s float64
			if s, err = t.Share(next); err != nil || s > here {
				a, here, idle = next, s, 0
			} else {
				idle++
			}
		}
		if here > best || err != nil {
			best, at = here, a
		}
		if err != nil {
			return best, at, fmt.Errorf("%s%v: %w", t.Name, a, err)
		}
	}
	return best, at, nil
}

// The function "start" draws arguments. Arguments for large filters come from Draw, and arguments for small filters
// from DrawCycle.
func start(r *rand.Rand, small bool) Args {
	a := Args{Which: r.IntN(1 << 10)}
	if !small {
		p := draw(r.Uint64(), r.Uint64N(1000))
		a.M, a.N, a.K = p.M, p.N, min(p.K, mostK)
		if r.IntN(8) == 0 {
			a = nearlyFull(r, a)
		}
		return legal(a, small)
	}
	g, sigma := DrawCycle(r.Uint64(), r.Uint64N(1000), 40)
	a.M, a.K, a.Sigma, a.N = min(g.M, 1000), g.K, sigma, r.Uint64N(1<<(1+r.IntN(10)))
	return legal(a, small)
}

// The function "neighbour" changes one of the arguments. It adds or subtracts 1, multiplies the argument by a factor,
// or chooses an extreme value.
func neighbour(r *rand.Rand, a Args, small bool) Args {
	change := func(x uint64) uint64 {
		switch r.IntN(4) {
		case 0:
			return x + 1
		case 1:
			return x - min(x, 1)
		case 2:
			return uint64(min(float64(x)*(0.5+r.Float64()), 0x1p63))
		}
		return uint64(min(float64(x)*(1+0.02*(r.Float64()-0.5)), 0x1p63))
	}
	switch r.IntN(6) {
	case 0:
		a.M = change(a.M)
	case 1:
		a.N = change(a.N)
	case 2:
		a.K = int(change(uint64(a.K)))
	case 3:
		a.Sigma = change(a.Sigma)
	case 4:
		a.Which = r.IntN(1 << 10)
	default: // corners
		switch r.IntN(5) {
		case 0:
			a.M = uint64(a.K) + r.Uint64N(3)
		case 1:
			a.N = r.Uint64N(3) + 1
		case 2:
			a.Sigma = r.Uint64N(uint64(a.K) + 1)
		case 3:
			if a.M = math.MaxUint64 - r.Uint64N(3); small {
				a.M = 1000
			}
		case 4:
			a = nearlyFull(r, a)
		}
	}
	return legal(a, small)
}

// The function "nearlyFull" gives k and n new random values. Let f be the rate of a filter with these values. Then 1-f
// is subnormal or near the smallest normal float64. For other filters the function "legal" limits k, because package
// exact is slow for many positions.
func nearlyFull(r *rand.Rand, a Args) Args {
	a.K = 1 + r.IntN(mostNearlyFull)
	each := float64(a.K) / float64(a.M) // minus the logarithm of the probability that an item leaves a bit clear
	if independent := hashings[rateHashings[a.Which%len(rateHashings)]].independent; each < 1 && !independent {
		each = -math.Log1p(-each)
	}
	a.N = uint64(min(0x1p63, underflow(r, float64(a.K))/each))
	return a
}

// mostNearlyFull is the largest k of a nearly full filter. For other filters, the largest k is mostK.
const (
	mostNearlyFull = 80
	mostK          = 40
)

// The function "legal" replaces arguments that the tests cannot use. With the returned arguments, package exact needs
// little time. In a partitioned filter, the returned k divides the returned m.
func legal(a Args, small bool) Args {
	most := mostK
	if float64(a.N)*float64(a.K) > 600*float64(a.M) && !small {
		most = mostNearlyFull
	}
	a.K = min(max(a.K, 1), most)
	a.M = max(a.M, 1)
	if small {
		a.M = min(a.M, 1000)
	}
	a.Sigma = min(a.Sigma, a.M-1, 400)
	if a.Which%3 == 2 && a.M >= uint64(a.K) { // for partitioned filters
		a.M -= a.M % uint64(a.K)
	}
	a.Sigma = min(a.Sigma, a.M-1)
	return a
}
