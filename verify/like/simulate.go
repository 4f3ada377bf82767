package like

import (
	"fmt"
	"math/rand/v2"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/verify/sim"
	"github.com/bloomproof/bloomproof/verify/stat"
)

// A twin is a reference implementation of a library's derivation. When it is called, it returns a second function, for
// one filter with m bits. The second function appends the k positions of a new key to dst. Random numbers from the
// generator rng take the place of hashes, as with an ideal hash function.
type twin func(rng *rand.Rand, m uint64, k int) func(dst []uint64) []uint64

// The function "each" returns the twin of a library. The filters of this library have no parameters other than m and k.
func each(positions func(dst []uint64, rng *rand.Rand, m uint64, k int) []uint64) twin {
	return func(rng *rand.Rand, m uint64, k int) func([]uint64) []uint64 {
		return func(dst []uint64) []uint64 { return positions(dst, rng, m, k) }
	}
}

// These constants limit the size of a simulation. The last two constants are the usual confidence and the usual seed of
// a simulation.
const (
	mostPositions = 200_000_000 // the limit for all filters together, which take some seconds
	mostBits      = 1 << 30     // the limit for one filter
	fewestFilters = 10          // enough to compute an interval
	mostFilters   = 4000
	mostQueries   = 1 << 22 // the limit for one filter
	wantedHits    = 20_000  // enough for an interval of about +-1.8 %
	fewestHits    = 100
	confidence    = 0.99
	seed          = 1
)

// The type "draws" represents the result of a simulation. For each filter it has the number of positive look-ups and
// the number of all look-ups.
type draws struct {
	pairs [][2]float64
	all   float64 // the number of all look-ups
}

// The method "interval" returns the confidence interval of Student's t for the rate. Each filter is one sample.
func (d draws) interval(confidence float64) (sim.Interval, error) {
	if d.pairs == nil {
		return sim.Interval{}, nil // the rate without keys is 0
	}
	mean, low, high, err := stat.RatioInterval(d.pairs, confidence)
	if err != nil {
		return sim.Interval{}, err
	}
	// If the rates of all filters were equal, the interval would have no width. So the distance from the mean to each
	// end is at least 0.5/d.all. Here d.all is the number of all look-ups. After this, the interval is limited to the
	// range from 0 to 1.
	half := 0.5 / d.all
	return sim.Interval{Mean: mean, Low: max(0, min(low, mean-half)), High: min(1, max(high, mean+half))}, nil
}

// The function "simulate" calls the function "draw", with the constant "seed". It returns the 99 % interval for
// the rate.
func simulate(g bloomproof.Geometry, n uint64, of twin, most uint64) (sim.Interval, error) {
	d, err := draw(g, n, of, most, seed)
	if err != nil {
		return sim.Interval{}, err
	}
	return d.interval(confidence)
}

// The function "draw" fills filters with random keys and looks up other keys. The argument "most" is the largest
// number of positions that it computes in total. The same parameters give the same result.
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
	// Half of the positions are for filling, and half for look-ups. A look-up of a new key in a real filter needs about
	// two positions. In this simulation, a look-up derives all positions of the key.
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

// tooCostly returns the error for a simulation that would be too large.
func tooCostly(format string, a ...any) error {
	return fmt.Errorf("no simulation, as "+format+": %w", append(a, bloomproof.ErrTooCostly)...)
}
