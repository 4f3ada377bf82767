package exact

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// enhancedDouble draws a start a and a step b from 0..m-1 for the positions
//
//	a + ib + (i^3-i)/6 mod m, 0 <= i < k,
//
// (Dillinger and Manolios, Bloom Filters in Probabilistic Verification, 2004). The cubic term is not
// multiplied by a unit when the step is, so the steps of a query differ: the outcomes of an item are
// counted for each of them, by the positions of the query that they hit. A step of an item hits
// position j of the query by its own position i from one start, so this takes k^2 m^2 operations.
// A sum over subsets then gives how many outcomes miss each set J.
type enhancedDouble struct{}

// mostEnhanced limits k^2 m^2, and mostSubsets m 2^k.
const (
	mostEnhanced = 1 << 31
	mostSubsets  = 1 << 25
)

func (enhancedDouble) queries(g bloomproof.Geometry) *big.Int { return integer.Uint(g.M) }
func (enhancedDouble) outcomes(g bloomproof.Geometry) *big.Int {
	return integer.Power(integer.Uint(g.M), 2)
}

func (enhancedDouble) check(g bloomproof.Geometry) error {
	m, k := float64(g.M), float64(g.K)
	name := fmt.Sprintf("the rate of %v", g)
	if cost := k * k * m * m; cost > mostEnhanced {
		return refuse.TooCostly(name, cost, mostEnhanced)
	}
	if cost := m * math.Exp2(min(m, k)); cost > mostSubsets {
		return refuse.TooCostly(name, cost, mostSubsets)
	}
	return nil
}

// positions appends the distinct positions of the start 0 and a step to dst.
func (enhancedDouble) positions(dst []uint64, g bloomproof.Geometry, step uint64) []uint64 {
	p := uint64(0)
	for i := range uint64(g.K) {
		if !slices.Contains(dst, p) {
			dst = append(dst, p)
		}
		p = (p + step) % g.M // to position i+1, and the step grows by i+1
		step = (step + i + 1) % g.M
	}
	return dst
}

func (h enhancedDouble) hits(g bloomproof.Geometry) *big.Int {
	sum := uint64(0)
	for step := range g.M {
		sum += uint64(len(h.positions(nil, g, step)))
	}
	return integer.Uint(sum)
}

// full: m <= k <= MaxK, so this is no long loop.
func (h enhancedDouble) full(g bloomproof.Geometry) bool {
	return uint64(g.K) >= g.M && h.hits(g).Cmp(h.outcomes(g)) == 0
}

func (h enhancedDouble) terms(g bloomproof.Geometry) ([]term, error) {
	if err := h.check(g); err != nil {
		return nil, err
	}
	var items [][]uint64
	for step := range g.M {
		items = append(items, h.positions(nil, g, step))
	}
	type class struct {
		size   int
		missed uint64
	}
	weights := map[class]uint64{}
	hit := make([]uint32, g.M) // the positions of the query that an item with this start hits
	for _, query := range items {
		within := make([]uint64, 1<<len(query)) // the outcomes that hit these positions and no others
		for _, item := range items {
			for j, p := range query {
				for _, x := range item {
					hit[wrap(p, x, g.M)] |= 1 << j
				}
			}
			for _, p := range query {
				for _, x := range item {
					if a := wrap(p, x, g.M); hit[a] != 0 {
						within[hit[a]]++
						hit[a] = 0
					}
				}
			}
		}
		all := uint64(0)
		for _, count := range within {
			all += count
		}
		within[0] = g.M*g.M - all
		for j := range query { // now those that hit some of these positions, or none, and no others
			for set := range within {
				if set>>j&1 == 1 {
					within[set] += within[set&^(1<<j)]
				}
			}
		}
		for set := range within { // an item misses set if it hits positions outside it
			weights[class{bits.OnesCount(uint(set)), within[len(within)-1-set]}]++
		}
	}
	var terms []term
	for c, w := range weights {
		terms = append(terms, term{c.size, integer.Uint(c.missed), integer.Uint(w)})
	}
	slices.SortFunc(terms, smallFirst)
	return terms, nil
}

// wrap returns p-x mod m, for p, x < m.
func wrap(p, x, m uint64) uint64 {
	if p < x {
		p += m
	}
	return p - x
}
