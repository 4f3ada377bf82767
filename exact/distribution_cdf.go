package exact

import (
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/occupancy"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// If all committees have the same size, the method "alike" converts the distribution to the form of package occupancy.
// The distribution of the number of set bits has this form for standard and classic filters of any size.
func (l Distribution) alike() (occupancy.Distribution, bool) {
	groups, ok := l.union()
	if !ok || len(groups) != 1 || groups[0].size >= l.m || groups[0].size > math.MaxInt32 {
		return occupancy.Distribution{}, false
	}
	return occupancy.Distribution{M: l.m, N: groups[0].count, K: int(groups[0].size)}, true
}

// Consider two groups of balls, where an urn is occupied exactly when both groups hit it. The method "pair" converts
// such a distribution to the form of package occupancy. The distribution of the number of set bits in the AND of two
// filters has this form.
func (l Distribution) pair() (o occupancy.Pair, ok bool) {
	const mostPerUrn = 100 // with more balls per urn, nearly all urns are hit
	if len(l.departments) != 2 || len(l.shared) != 0 || l.m < 2 {
		return occupancy.Pair{}, false
	}
	o.M = l.m
	for i, d := range l.departments {
		if len(d) != 1 || d[0].size != 1 || !d[0].count.IsUint64() || d[0].count.Uint64()/mostPerUrn > l.m {
			return occupancy.Pair{}, false
		}
		o.N[i] = d[0].count.Uint64()
	}
	return o, true
}

// CDF returns P[X <= i].
//
// Routes: CDF computes an integral for a union whose committees all have the same size. A ball is treated as a
// committee of size 1. There is no limit for the size of the numbers. This integral is the inclusion-exclusion sum for
// the probability that at least m-i urns are empty (see package occupancy). For large intersections of two groups of
// balls, CDF computes a sum over the number of urns that one group hits. Each term of the sum needs two such integrals
// (see occupancy.Pair). For other distributions it adds up the probabilities that PMFs returns. This is possible if
// there are not too many of them.
//
// Source: Burns (3), (14). No paper states P[X <= i] as a sum.
// Domain: any i.
// Error: relative width at most 2^-prec. The result is exactly 0 if i is below Range, and exactly 1 if i is at least
// the upper end of Range.
// Cost: an integral at 50 bits needs about 50 evaluations of the logarithm of a product, whatever m is. Each evaluation
// uses the Euler-Maclaurin formula. In some cases CDF adds up the results of the method PMFs. Then CDF has the same
// cost as PMFs. A large intersection takes three seconds at 17 digits. The time grows with the square of the number of
// digits. If both groups hit nearly all urns, it takes even longer.
// Errors: *bloomproof.ParamError; ErrTooCostly; ErrPrecision for tails below about 2^-8000. For some unions of
// committees of different sizes, the probabilities cannot be listed. Then CDF returns ErrTooCostly. CDF also returns
// ErrTooCostly for an intersection of two groups of balls that needs more than 1024 terms. An example is an
// intersection in which each of the two groups leaves one urn in a thousand empty. It is also returned for other
// intersections whose probabilities cannot be listed.
func (l Distribution) CDF(i uint64, prec uint) (Enclosure, error) {
	if err := l.check(prec); err != nil {
		return Enclosure{}, err
	}
	least, most := l.Range()
	switch {
	case i < least:
		return exactlyInt(0, prec), nil
	case i >= most:
		return exactlyInt(1, prec), nil
	}
	if o, ok := l.alike(); ok {
		// The method "Below" guarantees the absolute width of its enclosure, but CDF guarantees a relative width.
		return probability(precisionRaised(prec, prec+resultGuard, func(bits uint) (*interval.Interval, error) { return o.Below(i, bits) }))
	}
	if err := l.listable(); err != nil {
		if o, ok := l.pair(); ok {
			return probability(precisionRaised(prec, prec+resultGuard, func(bits uint) (*interval.Interval, error) { return o.Below(i, bits) }))
		}
		return Enclosure{}, err
	}
	count, den := l.counts()
	sum := new(big.Int)
	for _, x := range count[:i+1] {
		sum.Add(sum, x)
	}
	if l.small() {
		return exactly(new(big.Rat).SetFrac(sum, den), prec), nil
	}
	p := interval.New(prec + resultGuard).SetInt(sum)
	return around(p.Quo(p, interval.New(prec+resultGuard).SetInt(den))), nil
}

// precisionRaised takes a function f that returns an enclosure of a number with an absolute width of 2^-bits. It calls
// f with increasing numbers of bits, starting with the argument "first", until the relative width is at most 2^-prec.
func precisionRaised(prec, first uint, f func(bits uint) (*interval.Interval, error)) (Enclosure, error) {
	const tries, least = 8, 64
	for bits := first; ; {
		x, err := f(bits)
		if err != nil {
			return Enclosure{}, err
		}
		if x.RelBits() >= int(prec) {
			return around(x), nil
		}
		if bits > least<<tries {
			return Enclosure{}, fmt.Errorf("a probability below 2^-%d: %w", bits, refuse.ErrPrecision)
		}
		if lo := x.Lo(); lo.Sign() > 0 {
			bits = first + uint(max(0, -lo.MantExp(nil)))
			continue
		}
		bits *= 2
	}
}

// Quantile returns the smallest number i with P[X <= i] >= p.
//
// Source, Cost: as for CDF; Quantile calls CDF about ten times.
// Domain: 0 < p < 1.
// Error: none. Enclosures of P[X <= i] and P[X <= i-1] prove that i is the smallest such number.
// Errors: *bloomproof.ParamError; ErrTooCostly as for CDF; ErrPrecision. ErrPrecision is returned if P[X <= i] agrees
// with p to 300 bits, and if both numbers are long rationals.
func (l Distribution) Quantile(p *big.Rat) (uint64, error) {
	if err := l.check(1); err != nil {
		return 0, err
	}
	if p == nil || p.Sign() <= 0 || p.Cmp(big.NewRat(1, 1)) >= 0 {
		return 0, &bloomproof.ParamError{Param: "confidence", Value: p, Want: "above 0 and below 1"}
	}
	least, most := l.Range()
	if o, ok := l.alike(); ok && least < most {
		return o.Quantile(p)
	}
	if least == most {
		return least, nil
	}
	if err := l.listable(); err != nil {
		if o, ok := l.pair(); ok {
			return o.Quantile(p)
		}
		return 0, err
	}
	count, den := l.counts()
	sum, t := new(big.Int), new(big.Int)
	want := t.Mul(den, p.Num())
	for i, x := range count {
		if sum.Add(sum, x); new(big.Int).Mul(sum, p.Denom()).Cmp(want) >= 0 {
			return uint64(i), nil
		}
	}
	return most, nil
}
