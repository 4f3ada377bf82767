package occupancy

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/bloomproof/bloomproof/exact/internal/falling"
	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// Precisions is a list of absolute precisions in bits. A tail probability is computed with these precisions when it is
// compared with another probability. The precisions are used one after the other until the comparison is decided. A
// search for a quantile mostly tries numbers that are about a standard deviation apart. The first precision is enough
// for nearly all of these numbers. The second precision is enough for nearly all adjacent numbers in large filters. If
// the last precision does not decide the comparison, most callers compare the probabilities as rationals. If these
// rationals have too many digits, the callers return an error.
var Precisions = [...]uint{14, 28, 45, 120, 300}

// The function "compared" compares a tail probability with p. It encloses the tail probability with each precision of
// the list Precisions in turn. It stops when the comparison is decided.
func compared(below func(b uint64, bits uint) (*interval.Interval, error), b uint64, p *big.Rat) (order int, decided bool, err error) {
	for _, bits := range Precisions {
		x, err := below(b, bits)
		if err != nil {
			return 0, false, err
		}
		if order, decided := x.CmpRat(p); decided {
			return order, true, nil
		}
	}
	return 0, false, nil
}

// A comparison of P[X <= b] with p can remain undecided. The function "agree" returns the error for this case. Here P[X
// <= b] is a distribution function at b.
func agree(b uint64, p *big.Rat) error {
	about, _ := p.Float64()
	return fmt.Errorf("P[X <= %d] agrees with %.6g in %d bits: %w", b, about, Precisions[len(Precisions)-1], refuse.ErrPrecision)
}

// The method "rough" encloses P[X <= b], the distribution function at b, by Chernoff bounds. Let mu = E[X], t = mu-b
// and s = b+1-mu. For t >= 0 one bound holds:
//
//	P[X <= b] <= e^(-t^2/(2 mu)).
//
// For s >= 0 another bound holds:
//
//	P[X > b] <= e^(-3s^2/(6 mu+2s)).
//
// The bounds hold for X because the indicators of the m events "urn i is occupied" are negatively associated. Dubhashi
// and Ranjan (1998, Balls and bins) prove this for balls. The indicators are also negatively associated for batches.
// The reason is that batches are independent. A random permutation of the urns decides which urns a batch hits.
func (o Distribution) rough(b uint64) *interval.Interval {
	const work = guessBits
	one := func() *interval.Interval { return interval.New(work).SetUint64(1) }
	mu := LogSpares(o.M, uint64(o.K), work)
	mu.Mul(mu, interval.New(work).SetInt(o.N))
	mu.Expm1(mu)
	mu.Neg(mu)
	mu.Mul(mu, interval.New(work).SetUint64(o.counted()))
	bound := func(t, below *interval.Interval) *interval.Interval { // returns e^(-t^2/below)
		x := interval.New(work).Mul(t, t)
		x.Quo(x, below)
		x.Neg(x)
		return x.Exp(x)
	}
	t := interval.New(work).Sub(mu, interval.New(work).SetUint64(b))
	if t.Sign() > 0 {
		x := bound(t, interval.New(work).MulPow2(mu, 1))
		return x.SetEnds(new(big.Float), x.Hi())
	}
	t.Sub(one(), t)
	if t.Sign() > 0 {
		t6 := interval.New(work).Mul(mu, interval.New(work).SetUint64(3))
		t6.Add(t6, t)
		t6.MulPow2(t6, 1)
		t6.Quo(t6, interval.New(work).SetUint64(3))
		x := bound(t, t6)
		x.Sub(one(), x)
		return x.SetEnds(x.Lo(), big.NewFloat(1))
	}
	return one().SetEnds(new(big.Float), big.NewFloat(1))
}

// Compare compares the probabilities P[X <= b] and p. It returns -1 if P[X <= b] < p, 0 if P[X <= b] = p, and 1 if P[X
// <= b] > p.
func (o Distribution) Compare(b uint64, p *big.Rat) (int, error) {
	if err := fault.Part(); err != nil {
		return 0, err
	}
	if _, trivial := o.Trivial(b); !trivial && uint64(o.K) < o.M {
		if order, decided := o.rough(b).CmpRat(p); decided {
			return order, nil
		}
	}
	order, decided, err := compared(o.Below, b, p)
	switch {
	case decided || err != nil:
		return order, err
	case o.RationalBits(b) > mostRationalBits:
		return 0, agree(b, p)
	}
	return o.BelowRational(b).Cmp(p), nil
}

// The method "rough" encloses P[X <= b], the distribution function at b, by Bernstein's inequality. The slices must
// have more than one bit. The comment in pair_below.go derives this inequality.
func (x Slices) rough(b uint64) *interval.Interval {
	one := hitsOf(x.S, x.S, x.N)
	k := interval.New(momentBits).SetUint64(uint64(x.K))
	all := hits{one.mean.Mul(one.mean, k), one.variance.Mul(one.variance, k)}
	p := interval.New(momentBits).SetEnds(new(big.Float), big.NewFloat(1))
	if most, above := all.beyond(b); !above {
		return p.SetEnds(new(big.Float), most.Hi())
	}
	if most, above := all.beyond(b + 1); above {
		return p.SetEnds(most.Sub(interval.New(momentBits).SetUint64(1), most).Lo(), big.NewFloat(1))
	}
	return p
}

// Compare compares the probabilities P[X <= b] and p. It returns -1 if P[X <= b] < p, 0 if P[X <= b] = p, and 1 if P[X
// <= b] > p.
func (x Slices) Compare(b uint64, p *big.Rat) (int, error) {
	if err := fault.Part(); err != nil {
		return 0, err
	}
	if x.S > 1 && b < x.S*uint64(x.K) {
		if order, decided := x.rough(b).CmpRat(p); decided {
			return order, nil
		}
	}
	order, decided, err := compared(x.Below, b, p)
	if err == nil && !decided {
		err = agree(b, p)
	}
	return order, err
}

// The sign that Slope returns is first computed with leastSignBits bits. Sums use up to mostSumBits bits. This
// precision decides every sign that is not 0. Integrals take longer and use up to mostIntegralBits bits.
const (
	leastSignBits    = 64
	mostSumBits      = 1 << 12
	mostIntegralBits = 600
)

// Slope compares the probabilities that b urns are occupied after n batches and after n+steps batches. The number n is
// o.N. Slope returns the sign of a difference: P[X = b] for n+steps batches minus P[X = b] for n batches. Slope
// requires 1 <= b < m and n*k >= b. The value X = b must be possible after n batches.
func (o Distribution) Slope(b uint64, steps int) (int, error) {
	if err := fault.Part(); err != nil {
		return 0, err
	}
	more := Distribution{M: o.M, N: new(big.Int).Add(o.N, big.NewInt(int64(steps))), K: o.K}
	if o.K == 1 && steps == 1 && o.N.Cmp(integer.Uint(b)) == 0 {
		// Here the number of balls increases from b to b+1, and the number of urns is m. The two probabilities can be
		// equal at any size. So the sign of S(b+1,b) - m*S(b,b) is computed exactly. The Stirling numbers are S(b+1,b)
		// = C(b+1,2) and S(b,b) = 1.
		c := new(big.Int).Mul(integer.Uint(b), more.N)
		c.Rsh(c, 1)
		return c.Cmp(integer.Uint(o.M)), nil
	}
	if o.Crowded() {
		for bits := uint(leastSignBits); bits <= mostSumBits; bits *= 2 {
			if s := o.EmptiesSum(b, true, steps, bits).Sign(); s != 0 {
				return s, nil
			}
		}
	} else if b > sumsFrom {
		if s, err := more.slopeIntegral(b, steps); s != 0 || err != nil {
			return s, err
		}
	}
	if more.RationalBits(b) <= mostRationalBits {
		return more.ExactlyRational(b).Cmp(o.ExactlyRational(b)), nil
	}
	return 0, fmt.Errorf("P[X = %d] agrees after %d and %d batches: %w", b, o.N, more.N, refuse.ErrPrecision)
}

// slopeIntegral computes Slope by an integral. The file integral.go defines the functions F and g. The receiver o has
// the larger number of batches. The other number is o.N - steps. The integrand is F (1 - 1/g^steps), where F is the
// function for o.N batches. The result is 0 if the sign could not be decided.
func (o Distribution) slopeIntegral(b uint64, steps int) (int, error) {
	f := &contour{Distribution: o, b: b}
	gain := func(z *interval.Complex, work uint) *interval.Complex {
		x := falling.Log(z, uint64(o.K), work)
		x.Re.Sub(&x.Re, logFalling(o.M, uint64(o.K), work))
		x.Scale(x, interval.New(work).SetInt(big.NewInt(int64(-steps))))
		return x.Exp(x)
	}
	w := weight{
		value: func(z *interval.Complex, work uint) *interval.Complex {
			one := interval.NewComplex(work).SetReal(interval.New(work).SetUint64(1))
			return one.Sub(one, gain(z, work))
		},
		bound: func(z *interval.Complex, work uint) *interval.Interval {
			x := gain(z, work).Abs()
			return x.Add(x, interval.New(work).SetUint64(1))
		},
	}
	for bits := uint(leastSignBits); bits <= mostIntegralBits; bits += bits / 2 {
		sums, _, err := f.integrals([]weight{w}, bits)
		if errors.Is(err, errContour) {
			break
		}
		if err != nil {
			return 0, err
		}
		if s := sums[0].Sign(); s != 0 {
			return s, nil
		}
	}
	return 0, nil
}

// FullRatio returns the quotient of two integrals for X = m, where all urns are occupied. The denominator is the first
// integral of integral.go. The integrand of the numerator has an additional factor z. The unbiased estimate of the
// number of urns follows from this quotient (exact.EstimateUrns).
func (o Distribution) FullRatio(work uint) (*interval.Interval, error) {
	one := weight{
		value: func(_ *interval.Complex, work uint) *interval.Complex {
			return interval.NewComplex(work).SetReal(interval.New(work).SetUint64(1))
		},
		bound: func(_ *interval.Complex, work uint) *interval.Interval { return interval.New(work).SetUint64(1) },
	}
	place := weight{
		value: func(z *interval.Complex, _ uint) *interval.Complex { return z },
		bound: func(z *interval.Complex, _ uint) *interval.Interval { return z.Abs() },
	}
	f := &contour{Distribution: o, b: o.M}
	sums, _, err := f.integrals([]weight{place, one}, work)
	if err != nil {
		return nil, err
	}
	return sums[0].Quo(sums[0], sums[1]), nil
}
