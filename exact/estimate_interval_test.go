package exact

import (
	"errors"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/outcomes"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestItemsBrute compares intervals and likeliest numbers with the definition, by the
// chain, for every number of set bits of small filters.
func TestItemsBrute(t *testing.T) {
	most := longtest.More(40, 60) // above all ends of intervals
	alpha := big.NewRat(1, 10)
	half := big.NewRat(1, 20)
	for _, g := range []bloomproof.Geometry{
		{M: 2, K: 1}, {M: 6, K: 1}, {M: 6, K: 3}, {M: 10, K: 2}, {M: 15, K: 4}, {M: 3, K: 5},
		{M: 6, K: 2, Hashing: bloomproof.Classic}, {M: 15, K: 3, Hashing: bloomproof.Classic}, {M: 20, K: 11, Hashing: bloomproof.Classic},
		{M: 3, K: 3, Hashing: bloomproof.Partitioned}, {M: 8, K: 2, Hashing: bloomproof.Partitioned},
	} {
		if testing.Short() && g.M == 8 {
			continue
		}
		laws := make([][]*big.Rat, most)
		laws[0] = outcomes.Chain(int(g.M), 0, 1)
		for n := 1; n < most; n++ {
			switch g.Hashing {
			case bloomproof.Classic:
				laws[n] = outcomes.ChainFrom(laws[n-1], 1, g.K)
			case bloomproof.Standard:
				laws[n] = outcomes.ChainFrom(laws[n-1], g.K, 1)
			default:
				laws[n] = outcomes.SliceChain(int(g.M)/g.K, n, g.K)
			}
		}
		below, above := make([][]*big.Rat, most), make([][]*big.Rat, most)
		for n, p := range laws {
			below[n], above[n] = tailSums(p)
		}
		for b := range g.M + 1 {
			if _, err := checkSetBits(g, b); err != nil {
				continue
			}
			var low, high, likely = -1, -1, 0
			tie := false
			for n, p := range laws {
				if above[n][b].Cmp(half) > 0 && low < 0 {
					low = n
				}
				if below[n][b].Cmp(half) > 0 {
					high = n
				}
				switch p[b].Cmp(laws[likely][b]) {
				case 1:
					likely, tie = n, false
				case 0:
					tie = tie || n > likely && p[b].Sign() > 0
				}
			}
			from, to, unbounded, err := ItemsInterval(g, b, alpha)
			if err != nil || unbounded != (b == g.M) || from != uint64(low) || !unbounded && to != uint64(high) {
				t.Errorf("ItemsInterval(%v, %d) = %d, %d, %v, %v; the chain gives %d to %d", g, b, from, to, unbounded, err, low, high)
			}
			n, tied, err := LikelyItems(g, b)
			if b == g.M {
				if !errors.Is(err, bloomproof.ErrUndefined) {
					t.Errorf("LikelyItems(%v, %d) = %v, %v", g, b, n, err)
				}
				continue
			}
			if err != nil || n != uint64(likely) || tied != tie {
				t.Errorf("LikelyItems(%v, %d) = %d, %v, %v; the chain gives %d, %v", g, b, n, tied, err, likely, tie)
			}
		}
	}
}

// TestItemsTie finds a tail that is alpha/2 exactly, which refutes: two balls in one of 40
// urns have the probability 1/40.
func TestItemsTie(t *testing.T) {
	low, high, _, err := ItemsInterval(bloomproof.Geometry{M: 40, K: 1}, 1, big.NewRat(1, 20))
	if err != nil || low != 1 || high != 1 {
		t.Errorf("one of 40 bits set: %d to %d, %v, want 1 to 1", low, high, err)
	}
}

// TestLikelyPeak looks for a second peak of the likelihood, in float64, in all partitioned
// filters up to 60 bits: none of them has one.
func TestLikelyPeak(t *testing.T) {
	const mostBits, mostItems, mostSlices = 60, 150, 20
	for s := 2; 2*s <= mostBits; s++ {
		law := make([]float64, s+1) // of a slice, for n balls
		law[0] = 1
		var before [mostSlices + 1][]float64 // P[X = b] for n-1, by the number of slices
		var falls [mostSlices + 1][]bool
		for n := range mostItems {
			if n > 0 {
				for i := s; i >= 1; i-- {
					law[i] = law[i]*float64(i)/float64(s) + law[i-1]*float64(s-i+1)/float64(s)
				}
				law[0] = 0
			}
			p := []float64{1}
			for k := 1; k <= mostSlices && k*s <= mostBits; k++ {
				next := make([]float64, len(p)+s)
				for i, a := range p {
					for j, c := range law {
						next[i+j] += a * c
					}
				}
				p = next
				if falls[k] == nil {
					falls[k] = make([]bool, len(p))
				}
				for b := range len(p) - 1 { // not all bits
					if n == 0 || p[b] < 1e-280 {
						continue
					}
					const margin = 1e-12 // of the roundings
					switch last := before[k][b]; {
					case p[b] < last*(1-margin):
						falls[k][b] = true
					case p[b] > last*(1+margin) && falls[k][b]:
						t.Fatalf("the likelihood of n for %d slices of %d bits, %d set, grows again at n = %d", k, s, b, n)
					}
				}
				before[k] = p
			}
		}
	}
}

// tailSums returns the probabilities of at most and of at least b set bits, for every b.
func tailSums(p []*big.Rat) (below, above []*big.Rat) {
	below, above = make([]*big.Rat, len(p)), make([]*big.Rat, len(p))
	sum := new(big.Rat)
	for b := range p {
		above[b] = new(big.Rat).Sub(big.NewRat(1, 1), sum)
		below[b] = new(big.Rat).Set(sum.Add(sum, p[b]))
	}
	return below, above
}
