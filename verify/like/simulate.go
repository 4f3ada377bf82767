package like

import (
	"fmt"
	"math/rand/v2"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/verify/sim"
	"github.com/bloomproof/bloomproof/verify/stat"
)

// A twin returns what a library computes for each key of one filter: a function that appends to dst the k
// positions in m bits of a new key. rng stands for an ideal hash function.
type twin func(rng *rand.Rand, m uint64, k int) func(dst []uint64) []uint64

// each is the twin of a library whose filters have no parameters other than m and k.
func each(positions func(dst []uint64, rng *rand.Rand, m uint64, k int) []uint64) twin {
	return func(rng *rand.Rand, m uint64, k int) func([]uint64) []uint64 {
		return func(dst []uint64) []uint64 { return positions(dst, rng, m, k) }
	}
}

// The sizes of a simulation.
const (
	mostPositions = 200_000_000 // computed in all: some seconds
	mostBits      = 1 << 30     // of a filter
	fewestFilters = 10          // whose rates are compared
	mostFilters   = 4000
	mostQueries   = 1 << 22 // of a filter
	wantedHits    = 20_000  // so that the interval is about 1.8 % to either side
	fewestHits    = 100
	confidence    = 0.99
	seed          = 1
)

// draws is the result of a simulation: the number of positive look-ups and of all look-ups, for each filter.
type draws struct {
	pairs [][2]float64
	all   float64 // look-ups
}

// interval returns the interval of Student's t over the filters.
func (d draws) interval(confidence float64) (sim.Interval, error) {
	if d.pairs == nil {
		return sim.Interval{}, nil // no keys
	}
	mean, low, high, err := stat.RatioInterval(d.pairs, confidence)
	if err != nil {
		return sim.Interval{}, err
	}
	// If all filters are equal the interval has no width; half a look-up is added on either side.
	half := 0.5 / d.all
	return sim.Interval{Mean: mean, Low: max(0, min(low, mean-half)), High: min(1, max(high, mean+half))}, nil
}

// simulate returns the 99 % interval of draw with the first seed.
func simulate(g bloomproof.Geometry, n uint64, of twin, most uint64) (sim.Interval, error) {
	d, err := draw(g, n, of, most, seed)
	if err != nil {
		return sim.Interval{}, err
	}
	return d.interval(confidence)
}

// draw fills filters with random keys and looks other keys up. It computes at most the given number of positions in
// all. The same parameters give the same result.
func draw(g bloomproof.Geometry, n uint64, of twin, most, seed uint64) (draws, error) {
	none := draws{}
	if n == 0 {
		return none, nil
	}
	k := uint64(g.K)
	if g.M > mostBits {
		return none, tooCostly("m is above %d bits", mostBits)
	}
	if n > most/fewestFilters/k {
		return none, tooCostly("n is above %d for k = %d", most/fewestFilters/k, k)
	}
	about, err := approx.FPR(g, n)
	if err != nil {
		return none, err
	}
	// Half of the work fills filters, and half looks keys up. A look-up of a new key ends after about two
	// positions, but a twin derives all of them.
	filters := min(mostFilters, max(fewestFilters, most/2/k/n))
	queries := min(mostQueries, most/2/k/filters, 1+uint64(wantedHits/about)/filters)
	if about*float64(filters*queries) < 1 {
		return none, tooCostly("a rate near %.1e is too low to be seen in %d look-ups", about, filters*queries)
	}
	rng := rand.New(rand.NewPCG(seed, n))
	words := make([]uint64, (g.M+63)/64)
	pos := make([]uint64, 0, g.K)
	pairs := make([][2]float64, filters)
	var all uint64
	for i := range pairs {
		clear(words)
		positions := of(rng, g.M, g.K)
		for range n {
			pos = positions(pos[:0])
			for _, p := range pos {
				words[p>>6] |= 1 << (p & 63)
			}
		}
		hits := uint64(0)
		for range queries {
			pos = positions(pos[:0])
			hits++
			for _, p := range pos {
				if words[p>>6]>>(p&63)&1 == 0 {
					hits--
					break
				}
			}
		}
		all += hits
		pairs[i] = [2]float64{float64(hits), float64(queries)}
	}
	if all < fewestHits {
		return none, tooCostly("a rate near %.1e is too low to be seen in %d look-ups", about, filters*queries)
	}
	return draws{pairs, float64(filters * queries)}, nil
}

// tooCostly is the error of a simulation that would be too large.
func tooCostly(format string, a ...any) error {
	return fmt.Errorf("no simulation, as "+format+": %w", append(a, bloomproof.ErrTooCostly)...)
}
