package occupancy

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// Exactly returns an enclosure of P[X = b], the probability that b urns are occupied. The relative width is at most
// 2^-bits. The number b must be at least 1, at most n*k for n batches, and at most M-Out (see Distribution).
func (o Distribution) Exactly(b uint64, bits uint) (*interval.Interval, error) {
	if o.K == 1 || b >= uint64(o.K) { // the contour exists only in these cases
		p, err := o.exactlyIntegral(b, nil, bits)
		if !errors.Is(err, errContour) {
			return p, err
		}
	}
	if o.Empties() <= mostEmpties {
		for asked, tries := bits, 0; tries < askTries; tries++ {
			p := o.EmptiesSum(b, true, 0, asked)
			have := p.RelBits()
			if have >= int(bits) {
				return p, nil
			}
			asked += uint(int(bits)-have) + restBits
		}
	}
	return nil, refuse.TooCostly("a probability of the number of set bits", float64(b), sumsTo)
}

// Hit returns a sum over c. Its terms are weights[c] times the probability that b-c given urns are all occupied. The
// relative width is at most 2^-bits. Hit requires b >= len(weights) >= 1. Let n be the number of batches. Then b must
// be at most n*k. No weight may be negative. Hit ignores the field Out.
//
// The integrals for all c use the same nodes. Let s = m-b+c. Each c has its own integrand, whose variable z is shifted.
// After the shift, the integrand for c = 0 is multiplied by the following number:
//
//	product over i < c of (z-i)/(b-i).
//
// This product cancels the first c factors of the denominator of F (see integral.go). So the modulus of the integrand
// still falls as the angle of z grows.
func (o Distribution) Hit(b uint64, weights []*interval.Interval, bits uint) (*interval.Interval, error) {
	o.Out = o.M - b
	p, err := o.exactlyIntegral(b, weights, bits)
	if errors.Is(err, errContour) {
		err = refuse.TooCostly("the probability that given bits are set", float64(b), sumsTo)
	}
	return p, err
}

// exactlyIntegral computes the result of Exactly by the first integral of integral.go. If there are weights, it
// computes the result of Hit.
func (o Distribution) exactlyIntegral(b uint64, weights []*interval.Interval, bits uint) (*interval.Interval, error) {
	f := &contour{Distribution: o, b: b}
	nk := new(big.Int).Mul(o.N, big.NewInt(int64(o.K)))
	if weights == nil && nk.Cmp(integer.Uint(b)) == 0 { // no urn is hit twice, so the integral is 1
		return narrow(f.scale(bits+uint(o.N.BitLen())+workSpare+roundSpare), b, bits)
	}
	w := f.hitWeight(weights)
	for asked, tries := bits+neededSpare, 0; tries < askTries; tries++ {
		sums, logF, err := f.integrals([]weight{w}, asked)
		if err != nil {
			return nil, err
		}
		if sums[0].Sign() > 0 {
			logF.Add(logF, f.scale(logF.Prec()))
			p := interval.New(logF.Prec()).Exp(logF)
			p.Mul(p, sums[0])
			if p.Sign() == 0 {
				return nil, fmt.Errorf("P[X = %d] is below e^-1.3e9: %w", b, refuse.ErrRange)
			}
			have := p.RelBits()
			if have >= int(bits) {
				return p, nil
			}
			asked += uint(int(bits)-have) + 2
			continue
		}
		asked += boundBits
	}
	return nil, errContour
}

// The argument x is the logarithm of the probability P[X = b]. The function "narrow" returns this probability, e^x. If
// the relative width of e^x exceeds 2^-bits, it returns an error.
func narrow(x *interval.Interval, b uint64, bits uint) (*interval.Interval, error) {
	p := interval.New(x.Prec()).Exp(x)
	switch {
	case p.Sign() == 0:
		return nil, fmt.Errorf("P[X = %d] is below e^-1.3e9: %w", b, refuse.ErrRange)
	case p.RelBits() < int(bits):
		return nil, errContour
	}
	return p, nil
}

// hitWeight returns the weight of the integrand of Hit. This weight is the sum over c of weights[c] times the product
// in the comment of Hit. If the list "weights" is empty, the weight of the integrand is 1.
func (f *contour) hitWeight(weights []*interval.Interval) weight {
	last := len(weights) - 1
	per := func(i int, work uint) *interval.Interval {
		return interval.New(work).SetUint64(f.b - uint64(i))
	}
	return weight{
		value: func(z *interval.Complex, work uint) *interval.Complex {
			v := interval.NewComplex(work).SetReal(interval.New(work).SetUint64(1))
			if last < 0 {
				return v
			}
			v.SetReal(weights[last])
			for i := last - 1; i >= 0; i-- {
				t := interval.NewComplex(work).SetReal(interval.New(work).SetUint64(uint64(i)))
				t.Sub(z, t)
				v.Mul(v, t)
				v.Re.Quo(&v.Re, per(i, work))
				v.Im.Quo(&v.Im, per(i, work))
				v.Re.Add(&v.Re, weights[i])
			}
			return v
		},
		bound: func(z *interval.Complex, work uint) *interval.Interval {
			v := interval.New(work).SetUint64(1)
			if last < 0 {
				return v
			}
			v.Set(weights[last])
			for i := last - 1; i >= 0; i-- {
				t := interval.NewComplex(work).SetReal(interval.New(work).SetUint64(uint64(i)))
				v.Mul(v, t.Sub(z, t).Abs())
				v.Quo(v, per(i, work))
				v.Add(v, weights[i])
			}
			return v
		},
	}
}
