package verify

import (
	"math"
	"math/rand"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/leanovate/gopter"
)

// GenRecycling generates the recycling rules that are valid for a valid geometry g. Some thresholds Sigma are close to
// k, to 2k or to an end of their range. For the other thresholds and the numbers of messages, GenRecycling draws
// numbers in the same way as GenSize. The generator shrinks towards the zero value of bloomproof.Recycling. It first
// shrinks sigma or the number of messages. If the geometry is also generated, use gopter's FlatMap.
func GenRecycling(g bloomproof.Geometry) gopter.Gen {
	return generator(
		func(r *rand.Rand) bloomproof.Recycling { return drawRecycling(r, g) },
		smallerRecyclings,
		func(c bloomproof.Recycling) error { return c.Validate(g) },
	)
}

func drawRecycling(r *rand.Rand, g bloomproof.Geometry) bloomproof.Recycling {
	c := bloomproof.Recycling{FreshPositions: r.Intn(2) == 1, Retain: r.Intn(2) == 1}
	// A bit-bounded filter that retains the last message of a cycle needs a threshold sigma with k <= sigma < m. If
	// there is no such threshold, the rule is message-bounded.
	if byBits := !(c.Retain && uint64(g.K) >= g.M) && r.Intn(2) == 0; byBits {
		least := uint64(0)
		if c.Retain {
			least = uint64(g.K)
		}
		switch r.Intn(4) {
		case 0: // sigma at and next to the ends of its range
			c.Sigma = least + min(uint64(r.Intn(2)), g.M-1-least)
			if r.Intn(2) == 0 {
				c.Sigma = g.M - 1 - min(uint64(r.Intn(2)), g.M-1-least)
			}
		case 1: // sigma around k and 2k, where the models change form
			c.Sigma = min(max(least, uint64(g.K*(1+r.Intn(2)))+uint64(r.Intn(3))-1), g.M-1)
		default:
			c.Sigma = drawSize(r, least, g.M-1)
		}
	} else {
		least := uint64(1)
		if c.Retain {
			least = 2
		}
		c.Messages = drawSize(r, least, 1<<32)
		if r.Intn(20) == 0 {
			c.Messages = 1<<64 - 1
		}
	}
	if c.TwoPhase = r.Intn(2) == 1; c.TwoPhase {
		c.NoCopyOver = r.Intn(2) == 1
		c.FreezeBefore = r.Intn(2) == 1
	}
	return c
}

func smallerRecyclings(c bloomproof.Recycling) []bloomproof.Recycling {
	var out []bloomproof.Recycling
	with := func(change func(*bloomproof.Recycling)) {
		s := c
		change(&s)
		out = append(out, s)
	}
	for _, sigma := range smallerSizes(c.Sigma, 0) {
		with(func(s *bloomproof.Recycling) { s.Sigma = sigma })
	}
	for _, n := range smallerSizes(c.Messages, min(1, c.Messages)) {
		with(func(s *bloomproof.Recycling) { s.Messages = n })
	}
	if c.Retain {
		with(func(s *bloomproof.Recycling) { s.Retain = false })
	}
	if c.NoCopyOver {
		with(func(s *bloomproof.Recycling) { s.NoCopyOver = false })
	}
	if c.FreezeBefore {
		with(func(s *bloomproof.Recycling) { s.FreezeBefore = false })
	}
	if c.FreshPositions {
		with(func(s *bloomproof.Recycling) { s.FreshPositions = false })
	}
	if c.TwoPhase {
		with(func(s *bloomproof.Recycling) { s.TwoPhase = false })
	}
	if c.Messages > 0 {
		with(func(s *bloomproof.Recycling) { s.Messages = 0 })
	}
	return out
}

// maxList is the longest list of explicit weights that is generated.
const maxList = 64

// GenPopularity generates valid popularities of at most maxD messages, where maxD is between 1 and 2^40. It generates
// every kind of popularity. The number D of messages has a random binary exponent. The Zipf exponent alpha can be 0. It
// can also be so large that the last weights underflow. Explicit weights are in descending order, and can be equal,
// random or zero. GenPopularity shrinks towards Uniform(1). If maxD is not between 1 and 2^40, the limit is 2^40
// messages.
func GenPopularity(maxD uint64) gopter.Gen {
	maxD = messages(maxD)
	return generator(
		func(r *rand.Rand) bloomproof.Popularity { return drawPopularity(r, maxD) },
		smallerPopularities,
		validPopularity,
	)
}

func validPopularity(p bloomproof.Popularity) error {
	return bloomproof.Workload{Popularity: p}.Validate()
}

// A popularity distribution has at most maxMessages messages.
const maxMessages = 1 << 40

func messages(maxD uint64) uint64 {
	if maxD < 1 || maxD > maxMessages {
		return maxMessages
	}
	return maxD
}

func drawPopularity(r *rand.Rand, maxD uint64) bloomproof.Popularity {
	d := drawSize(r, 1, maxD)
	switch r.Intn(4) {
	case 2:
		return bloomproof.Zipf(drawAlpha(r), d)
	case 3:
		if d < 2 {
			return bloomproof.Uniform(d)
		}
		s := drawSize(r, 1, d-1)
		low, high := 1/float64(d), 1/float64(s)
		first := low + r.Float64()*(high-low)
		switch r.Intn(8) {
		case 0:
			first = low
		case 1:
			first = high
		}
		for _, ph := range []float64{first, low + (high-low)/2, high, low} {
			if p := bloomproof.BiUniform(s, ph, d); validPopularity(p) == nil { // rounding can make BiUniform refuse an end of the range
				return p
			}
		}
		return bloomproof.Uniform(d)
	case 0:
		w := drawWeights(r, int(min(d, maxList)))
		slices.Sort(w)
		slices.Reverse(w)
		return bloomproof.Weights(w)
	}
	return bloomproof.Uniform(d)
}

// drawAlpha returns an exponent of the Zipf distribution. Some exponents are special values, such as 0 or the largest
// float64. Others are multiples of 0.01 up to 3, or multiples of 1/8 up to 125. A large exponent gives one message
// nearly all the weight.
func drawAlpha(r *rand.Rand) float64 {
	switch r.Intn(4) {
	case 0:
		return []float64{0, 1, 2, 0.5, math.SmallestNonzeroFloat64, math.MaxFloat64}[r.Intn(6)]
	case 1:
		return float64(1+r.Intn(1000)) / 8
	}
	return float64(r.Intn(301)) / 100
}

// drawWeights returns n weights with a positive sum. There are four kinds of lists. In the first kind all weights are
// 1. In the second kind the weights are uniformly distributed in [0, 1). In the third kind they are reciprocals of
// random integers below 2^63. In the fourth kind they are random integers from 0 to 2.
func drawWeights(r *rand.Rand, n int) []float64 {
	w := make([]float64, n)
	shape := r.Intn(4)
	for i := range w {
		switch shape {
		case 0:
			w[i] = 1
		case 1:
			w[i] = r.Float64()
		case 2:
			w[i] = 1 / (1 + float64(r.Int63()))
		case 3:
			w[i] = float64(r.Intn(3))
		}
	}
	if slices.Max(w) == 0 {
		w[0] = 1
	}
	return w
}

func smallerPopularities(p bloomproof.Popularity) []bloomproof.Popularity {
	var out []bloomproof.Popularity
	if p.Weights != nil || p.S > 0 || p.Alpha > 0 {
		out = append(out, bloomproof.Uniform(p.D))
	}
	switch {
	case p.Weights != nil:
		for _, w := range smallerWeights(p.Weights) {
			out = append(out, bloomproof.Weights(w))
		}
		return out
	case p.Alpha > 0:
		for _, alpha := range smallerFloats(p.Alpha) {
			out = append(out, bloomproof.Zipf(alpha, p.D))
		}
	case p.S > 0:
		for _, s := range smallerSizes(p.S, 1) {
			out = append(out, bloomproof.BiUniform(s, p.PH, p.D))
		}
	}
	for _, d := range smallerSizes(p.D, 1) {
		p.D = d
		out = append(out, p)
	}
	return out
}

// smallerFloats returns candidates that are below x. The candidates are 0, 1, 2 and the integer part of x. It needs x
// >= 0.
func smallerFloats(x float64) []float64 {
	var out []float64
	for _, c := range []float64{0, 1, 2} {
		if c < x {
			out = append(out, c)
		}
	}
	if c := float64(int(x)); c < x && c > 2 {
		out = append(out, c)
	}
	return out
}

// smallerWeights returns simpler lists of weights than w. The result begins with lists that have fewer weights than w.
// The other lists have as many weights as w. Each of them is a copy of w in which one weight is replaced by 1.
func smallerWeights(w []float64) [][]float64 {
	var out [][]float64
	for _, n := range smallerSizes(uint64(len(w)), 1) {
		out = append(out, slices.Clone(w[:n]))
	}
	for i := range w {
		// In each candidate, one weight is replaced by 1. In a valid list, no weight is greater than the weight before
		// it. The generator skips candidates that are not valid. Each step makes one more weight equal to 1, so
		// shrinking ends.
		if w[i] != 1 {
			c := slices.Clone(w)
			c[i] = 1
			out = append(out, c)
		}
	}
	return out
}

// drawArrivals draws a distribution of arrivals for w. It can be of any kind. But it has explicit weights only if there
// are at most maxList messages.
func drawArrivals(r *rand.Rand, w *bloomproof.Workload) {
	const byWeights = 4
	kinds := byWeights + 1
	if w.Popularity.D > maxList {
		kinds = byWeights
	}
	if kind := r.Intn(kinds); kind == byWeights {
		w.ArrivalWeights = drawWeights(r, int(w.Popularity.D))
	} else {
		w.Arrivals = bloomproof.Arrivals(kind)
	}
}

// smallerArrivals returns copies of w. Each copy has a simpler distribution of arrivals.
func smallerArrivals(w bloomproof.Workload) []bloomproof.Workload {
	var out []bloomproof.Workload
	least := w.Arrivals
	if w.ArrivalWeights != nil {
		least = bloomproof.ArrivalFirst + 1
	}
	for law := range least {
		s := w
		s.Arrivals, s.ArrivalWeights = law, nil
		out = append(out, s)
	}
	for _, weights := range smallerWeights(w.ArrivalWeights) {
		if len(weights) == len(w.ArrivalWeights) {
			s := w
			s.ArrivalWeights = weights
			out = append(out, s)
		}
	}
	return out
}

// GenWorkload generates valid workloads of at most maxD messages. The comment of GenPopularity describes the argument
// maxD. The probability p_r of a repeat lies between 0 and 1. Some draws give exactly 0, exactly 1, or a number near 1.
// If a workload fails a test, shrinking tries simpler workloads. The simplest workload has the popularity Uniform(1)
// and no repeats (p_r = 0). Its messages arrive by popularity.
func GenWorkload(maxD uint64) gopter.Gen {
	maxD = messages(maxD)
	return generator(
		func(r *rand.Rand) bloomproof.Workload {
			p := drawPopularity(r, maxD)
			w := bloomproof.Workload{Popularity: p}
			drawArrivals(r, &w)
			switch r.Intn(4) {
			case 0:
				w.Repeat = float64(r.Intn(2))
			case 1:
				w.Repeat = 1 - 1/(1+float64(drawSize(r, 1, 1<<40)))
			default:
				w.Repeat = float64(r.Intn(1001)) / 1000
			}
			return w
		},
		func(w bloomproof.Workload) []bloomproof.Workload {
			var out []bloomproof.Workload
			for _, p := range smallerPopularities(w.Popularity) {
				s := w
				s.Popularity = p
				if s.ArrivalWeights != nil && p.D < uint64(len(s.ArrivalWeights)) {
					s.ArrivalWeights = s.ArrivalWeights[:p.D]
				}
				out = append(out, s)
			}
			out = append(out, smallerArrivals(w)...)
			for _, repeat := range []float64{0, 0.5} {
				if repeat < w.Repeat {
					s := w
					s.Repeat = repeat
					out = append(out, s)
				}
			}
			return out
		},
		bloomproof.Workload.Validate,
	)
}
