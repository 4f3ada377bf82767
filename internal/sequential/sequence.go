package sequential

import (
	"fmt"
	"math/rand/v2"
)

// Sequence is a distribution from which the calibrations of the tests draw samples.
type Sequence struct {
	Name string
	Law  Law
	Draw func(*rand.Rand) float64
}

// Bernoulli returns the Sequence whose samples are 1 with probability f, and otherwise 0.
func Bernoulli(f float64) Sequence {
	return Sequence{fmt.Sprintf("bernoulli %v", f), Law{Mean: f, Variance: f * (1 - f)}, func(r *rand.Rand) float64 {
		if r.Float64() < f {
			return 1
		}
		return 0
	}}
}

// Sequences returns three sequences: Bernoulli trials, uniform numbers, and a mixture of distributions.
func Sequences() []Sequence {
	uniform := Sequence{"uniform", Law{Mean: 0.5, Variance: 1.0 / 12}, func(r *rand.Rand) float64 { return r.Float64() }}
	// The mixture imitates q look-ups in a random filter. One sample is the number of hits divided by q. First the rate
	// of the filter is drawn. Then the look-ups are drawn. Each look-up is a hit with a probability equal to this rate.
	const q = 8 // probes; rate uniform on [0, 0.2]
	f, s := 0.1, 0.04/3
	mixture := Sequence{"filters", Law{Mean: f, Variance: (f-s)/q + s - f*f}, func(r *rand.Rand) float64 {
		rate, hits := 0.2*r.Float64(), 0.0
		for range q {
			if r.Float64() < rate {
				hits++
			}
		}
		return hits / q
	}}
	return []Sequence{Bernoulli(0.002), Bernoulli(0.5), Bernoulli(0.97), uniform, mixture}
}
