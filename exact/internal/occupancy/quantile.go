package occupancy

import (
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof/exact/internal/search"
)

// Quantile returns the least number b with P[X <= b] >= p, for 0 < p < 1. P[X <= b] is the distribution function at b.
func (o Distribution) Quantile(p *big.Rat) (uint64, error) {
	b, _, err := search.FirstTrue(0, o.QuantileGuess(p), func(b uint64) (bool, error) {
		order, err := o.Compare(b, p)
		return order >= 0, err
	})
	return b, err
}

// The function Deviate returns an approximate p-quantile of the standard normal distribution.
func Deviate(p *big.Rat) float64 {
	rest := new(big.Rat).Sub(big.NewRat(1, 1), p)
	if p.Cmp(rest) < 0 {
		return -NormalQuantile(p)
	}
	return NormalQuantile(rest)
}

// QuantileGuess returns an approximate p-quantile of the number of occupied urns. It uses a normal distribution with
// approximately the same mean and variance.
func (o Distribution) QuantileGuess(p *big.Rat) uint64 {
	urns, empty := float64(o.counted()), o.Empties()
	q := max(empty/urns, leastTail) // the fraction of urns that are empty
	balls := -math.Log(q)           // the number of balls per urn
	v := empty * max(0, 1-q*(1+balls*urns/float64(o.M)))
	guess := urns - empty + Deviate(p)*math.Sqrt(v)
	return uint64(min(max(guess, 0), 0x1p63))
}
