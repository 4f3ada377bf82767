package occupancy

import (
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// These are the constants of Guess. No result depends on them, because the guess is only the start of a search.
const (
	poissonMost = 50   // up to this number of unset bits, their number is treated as Poisson distributed
	leastCube   = 0.05 // limits deviations outside the range of the Wilson-Hilferty approximation
	guessSteps  = 8    // number of steps; each step gives half as many correct digits again
	leastLeft   = 0.5  // smallest assumed number of unset bits, between one and none
	mostMoved   = 0.9  // a deviation reduces the unset bits by at most this fraction
	guessBits   = 96   // precision in bits, which exceeds the 64 bits of a uint64
)

// If the fraction of empty urns is smaller than leastTail, a guess uses leastTail instead. The function math.Erfcinv
// computes Erfcinv(x) as Erfinv(1-x), which loses all digits near x = 1e-16. So for x below leastErfcinv, the inverse
// is computed in tailSteps steps. They use the asymptotic series of the tail of the normal distribution.
const (
	leastTail    = 1e-300
	leastErfcinv = 1e-10
	tailSteps    = 6
)

// Guess returns an approximate factor. Suppose that the number of batches of o is multiplied by this factor. Then the
// number b+shift is z standard deviations away from the mean number of set bits. The result is the sum of two terms.
// With the first term as the factor, the mean is b. The second term corrects this for "shift" and z. It is computed in
// float64.
func (o Distribution) Guess(b uint64, shift, z float64) uint64 {
	m := float64(o.M)
	batches, _ := new(big.Float).SetInt(o.N).Float64()
	each := batches * math.Log1p(-float64(o.K)/m)
	// The variance of the number of set bits among m bits is about m*q*(1 - q*(1+l)). Here q is the fraction of unset
	// bits, and l = -log q.
	left := float64(o.M - b)
	if left < poissonMost && z != 0 { // the number of unset bits has nearly a Poisson distribution
		degrees := 2 * (left + 1)
		if z > 0 {
			degrees -= 2
		}
		spread := 2 / (9 * degrees)
		c := max(leastCube, 1-spread-z*math.Sqrt(spread)) // Wilson and Hilferty
		n, _ := big.NewFloat(max(0, math.Log(degrees/2*c*c*c/m)/each)).Uint64()
		return n
	}
	moved := 0.0
	for range guessSteps {
		q := max(leastLeft, left-moved) / m
		v := m * q * max(0, 1-q*(1-math.Log(q)))
		moved = shift + z*math.Sqrt(v)
		moved = max(-float64(b), min(moved, mostMoved*left))
	}
	const work = guessBits
	e := interval.New(work)
	switch {
	case b >= o.M || b > 0 && b < uint64(o.K):
		return 0 // there is no estimate, and the search can start anywhere
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
	n, _ := move.Uint64() // gives 2^64-1 if move is larger
	return n
}

// NormalQuantile returns approximately the number z > 0 that a standard normal variable exceeds with probability p.
func NormalQuantile(p *big.Rat) float64 {
	if f, _ := p.Float64(); f >= leastErfcinv {
		return math.Sqrt2 * math.Erfcinv(2*f)
	}
	mantissa := new(big.Float)
	exponent := new(big.Float).SetRat(p).MantExp(mantissa)
	f, _ := mantissa.Float64()
	l := -2 * (math.Log(f) + float64(exponent)*math.Ln2)
	z := math.Sqrt(l)
	for range tailSteps { // solves p = e^(-z^2/2) (1 - 1/z^2 + ...)/(z sqrt(2 pi))
		z = math.Sqrt(l - 2*math.Log(z) - math.Log(2*math.Pi) + 2*math.Log1p(-1/(z*z)))
	}
	return z
}

// LogEmpty returns the logarithm of (1-1/m)^n, for m >= 2. This power is called p' in equation (1) of Fan.
func LogEmpty(m uint64, n *big.Int, work uint) *interval.Interval {
	x := interval.New(work).SetUint64(m)
	x.Quo(interval.New(work).SetUint64(1), x)
	x.Neg(x)
	x.Log1p(x)
	return x.Mul(x, interval.New(work).SetInt(n))
}

// LogSpares returns log(1-b/m) for b < m. If b of m urns are removed, this is the logarithm of the remaining fraction.
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
