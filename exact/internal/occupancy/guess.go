package occupancy

import (
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// Guess returns about the number of times n that b+shift set bits are z standard deviations
// from the mean, where o has the batches of one time: the moment estimate moved by float64
// differences.
func (o Distribution) Guess(b uint64, shift, z float64) uint64 {
	m := float64(o.M)
	batches, _ := new(big.Float).SetInt(o.N).Float64()
	each := batches * math.Log1p(-float64(o.K)/m)
	// Var X is about m q (1 - q (1 + l)), q the part of bits not set, l = -log q.
	left := float64(o.M - b)
	if left < 50 && z != 0 { // the number of bits not set is nearly Poisson's
		degrees := 2 * (left + 1)
		if z > 0 {
			degrees -= 2
		}
		c := max(0.05, 1-2/(9*degrees)-z*math.Sqrt(2/(9*degrees))) // Wilson and Hilferty
		n, _ := big.NewFloat(max(0, math.Log(degrees/2*c*c*c/m)/each)).Uint64()
		return n
	}
	moved := 0.0
	for range 8 {
		q := max(0.5, left-moved) / m
		v := m * q * max(0, 1-q*(1-math.Log(q)))
		moved = shift + z*math.Sqrt(v)
		moved = max(-float64(b), min(moved, 0.9*left))
	}
	const work = 96 // some more than a uint64 has
	e := interval.New(work)
	switch {
	case b >= o.M || b > 0 && b < uint64(o.K):
		return 0 // no estimate; any start serves
	case b > 0:
		per := LogSpares(o.M, uint64(o.K), work)
		per.Mul(per, interval.New(work).SetInt(o.N))
		e.Quo(LogSpares(o.M, b, work), per)
	}
	move := new(big.Float).SetPrec(work).SetFloat64(math.Log1p(-moved/left) / each)
	move.Add(move, e.Lo())
	if move.Sign() <= 0 {
		return 0
	}
	n, _ := move.Uint64() // 2^64-1 beyond
	return n
}

// NormalQuantile returns about the z > 0 that a normal variable exceeds with probability p.
func NormalQuantile(p *big.Rat) float64 {
	f, _ := p.Float64()
	if f < 1e-300 {
		return 37
	}
	return math.Sqrt2 * math.Erfcinv(2*f)
}

// LogEmpty returns log (1-1/m)^N, m >= 2: that of Fan (1), p' of a bit.
func LogEmpty(m uint64, n *big.Int, work uint) *interval.Interval {
	x := interval.New(work).SetUint64(m)
	x.Quo(interval.New(work).SetUint64(1), x)
	x.Neg(x)
	x.Log1p(x)
	return x.Mul(x, interval.New(work).SetInt(n))
}

// LogSpares returns log(1-b/m), b < m.
func LogSpares(m, b uint64, work uint) *interval.Interval {
	if x := interval.New(work).SetUint64(b); b < m-b {
		x.Quo(x, interval.New(work).SetUint64(m))
		x.Neg(x)
		return x.Log1p(x)
	}
	x := interval.New(work).SetUint64(m - b)
	x.Quo(x, interval.New(work).SetUint64(m))
	return x.Log(x)
}
