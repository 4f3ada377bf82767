package claims

import (
	"fmt"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// construction is one of the two filters that Burns compares. In the standard filter, an item takes k urns one by one.
// In the classic filter, which is Bloom's own, an item takes k distinct urns.
type construction struct {
	hashing    bloomproof.Hashing
	enumerable domain                     // filters that are small enough to find the rate by enumeration
	batches    func(n, k int) []int       // the sizes of the batches of distinct urns that n items take
	rate       func(m, n, k int) *big.Rat // the rate by a sum over k
}

var (
	standardFilter = construction{bloomproof.Standard, enumerable, func(n, k int) []int { return repeat(1, n*k) }, rateS}
	classicFilter  = construction{bloomproof.Classic, classicEnumerable, func(n, k int) []int { return repeat(k, n) }, rateC}
)

// constructions has both filters, in the order of the codes of burnsHashings.
var constructions = [...]construction{standardFilter, classicFilter}

// burnsHashings is the choice between the standard and the classic filter.
var burnsHashings = either("hashing", "standard", "classic")

// hashingOf returns the hashing of a filter in Dozier's papers: colliding, or with distinct positions.
func hashingOf(distinct bool) bloomproof.Hashing { return constructions[count(distinct)].hashing }

// enumerable is the domain of the filters whose rate is found by enumeration.
var enumerable = domain{number("m", 1).by(5, 7).upTo(9), number("n", 0).by(3, 4).upTo(5), number("k", 1).by(3, 4).upTo(5)}

// classicEnumerable is the domain of the enumerable filters with k distinct positions.
var classicEnumerable = domain{enumerable[0], enumerable[1], number("k", 1).under("m").by(3, 4).upTo(6)}

// enumerated returns the probability that a further item finds all its positions set. It enumerates the sets of
// positions that n items leave set, and the positions of the further item.
func (c construction) enumerated(m, n, k int) (*big.Rat, error) {
	state, err := union(m, c.batches(n, k)...)
	if err != nil {
		return nil, err
	}
	item, err := union(m, c.batches(1, k)...)
	if err != nil {
		return nil, err
	}
	f := new(big.Rat)
	for b, ways := range state.count {
		if ways == 0 {
			continue
		}
		hit := item.prob(func(mask int) bool { return mask&^b == 0 })
		f.Add(f, mul(state.share(ways), hit))
	}
	return f, nil
}

// rates turns a law on the enumerated rate into a law on points.
func (c construction) rates(law func(m, n, k int, rate *big.Rat) error) func(p point) error {
	return func(p point) error {
		m, n, k := p.int(0), p.int(1), p.int(2)
		f, err := c.enumerated(m, n, k)
		if err != nil {
			return err
		}
		return law(m, n, k, f)
	}
}

// enclosed returns package exact's enclosure of the rate.
func (c construction) enclosed(m, n uint64, k int) (exact.Enclosure, error) {
	e, _, err := exact.FPR(bloomproof.Geometry{M: m, K: k, Hashing: c.hashing}, n, exact.PrecFor(30), exact.Auto)
	return e, err
}

// bestIs returns an error unless the rate at k is certainly the least of the rates at lo to hi.
func (c construction) bestIs(m, n uint64, lo, hi, k int) error {
	f, err := c.enclosed(m, n, k)
	if err != nil {
		return err
	}
	for other := lo; other <= hi; other++ {
		if other == k {
			continue
		}
		g, err := c.enclosed(m, n, other)
		if err != nil {
			return err
		}
		if order, decided := f.Cmp(g); !decided || order >= 0 {
			return fmt.Errorf("k=%d: rate %v, k=%d: %v", k, f, other, g)
		}
	}
	return nil
}
