package accuracy

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/exact"
)

// SetBits returns a group for the number of set bits in a filter. The group has the mean and the variance of this
// number.
func SetBits(h bloomproof.Hashing) Group {
	return Group{
		Names: []string{"SetBitsMean " + h.String(), "SetBitsVariance " + h.String()},
		Check: func(p Point, prec uint) ([]Result, error) {
			r, err := checkSetBits(bloomproof.Geometry{M: p.M, K: p.K, Hashing: h}, p.N, prec)
			if err != nil {
				err = fmt.Errorf("%v%v: %w", h, p, err)
			}
			return r[:], err
		},
	}
}

func checkSetBits(g bloomproof.Geometry, n uint64, prec uint) (r [2]Result, err error) {
	mean, err := approx.SetBitsMean(g, n)
	variance, errVariance := approx.SetBitsVariance(g, n)
	var invalid *bloomproof.ParamError
	if g.Validate() != nil {
		if !errors.As(err, &invalid) || !errors.As(errVariance, &invalid) {
			return r, fmt.Errorf("invalid, but %v, %v", err, errVariance)
		}
		return r, nil
	}
	if err != nil || errVariance != nil {
		return r, fmt.Errorf("%v, %v", err, errVariance)
	}
	law, slices, ok, err := hashings[g.Hashing].setBits(g.M, n, uint64(g.K))
	if err != nil || !ok {
		return r, err
	}
	for i, x := range []struct {
		got   float64
		want  func(prec uint) (exact.Enclosure, error)
		bound float64
	}{{mean, law.Mean, 2}, {variance, law.Variance, 100}} {
		want, err := x.want(prec)
		if errors.Is(err, bloomproof.ErrRange) { // too small for big.Float
			if x.got != 0 {
				return r, fmt.Errorf("got %v, want nearly 0", x.got)
			}
			continue
		}
		if err != nil {
			return r, err
		}
		if want.Lo().Sign() == 0 {
			if x.got != 0 {
				return r, fmt.Errorf("got %v, want 0", x.got)
			}
			r[i].Defined = true
			continue
		}
		if r[i], err = withinTimes(x.got, want, slices, fourSteps, x.bound); err != nil {
			return r, err
		}
	}
	return r, nil
}

// withinTimes returns the error of the value "got". The true value is the argument "want", multiplied by the argument
// "times". The error may be at most bound*u times this product, where u = 2^-53. If the product is below 2^-1022, the
// error may be larger by tiny*2^-1074.
func withinTimes(got float64, want exact.Enclosure, times uint64, tiny, bound float64) (Result, error) {
	scale := func(x *big.Float) *big.Float { return wide(0).Mul(x, new(big.Float).SetUint64(times)) }
	return between(got, scale(want.Lo()), scale(want.Hi()), tiny, bound)
}
