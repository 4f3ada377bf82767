package exact

import (
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/field"
)

// allHashings are those of the vocabulary.
var allHashings = []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic, bloomproof.Partitioned}

// occupancyOf is the distribution of the number of occupied of m urns after so many balls.
func occupancyOf(m, balls uint64) (Distribution, error) { return committeeOf(m, 1, balls) }

// committeeOf is that of the members of n committees of k of m people.
func committeeOf(m, k, n uint64) (Distribution, error) { return Union(m, []Committees{{k, n}}) }

// publishedRational evaluates a published route in rationals.
func publishedRational(r Route, g bloomproof.Geometry, n uint64) *big.Rat {
	if g.Hashing == bloomproof.Classic {
		return classicPublished(field.Rationals, r, g, n)
	}
	return standardPublished(field.Rationals, r, g, n)
}

// filterOf is the key of the rates that rationalOf has computed.
type filterOf struct {
	bloomproof.Geometry
	n uint64
}

var rationalRates = map[filterOf]*big.Rat{}

// rationalOf returns the rate of a small filter as a rational, whatever FPR takes. The caller must not change it: many
// tests ask for the rates of the same filters, and each is computed once.
func rationalOf(g bloomproof.Geometry, n uint64) *big.Rat {
	at := filterOf{g, n}
	r, ok := rationalRates[at]
	if !ok {
		if len(rationalRates) > 1<<15 {
			clear(rationalRates)
		}
		r = computeRational(g, n)
		rationalRates[at] = r
	}
	return r
}

func computeRational(g bloomproof.Geometry, n uint64) *big.Rat {
	l, err := lawOf(g)
	switch {
	case err != nil:
		panic(err)
	case n == 0:
		return new(big.Rat)
	case l.full(g):
		return big.NewRat(1, 1)
	}
	return l.rational(g, n)
}

func namedHashing(t *testing.T, h bloomproof.Hashing) hashing {
	t.Helper()
	known, err := named(h)
	if err != nil {
		t.Fatal(err)
	}
	return known
}
