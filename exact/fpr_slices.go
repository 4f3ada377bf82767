package exact

import (
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

// FPRSlices returns the expected false-positive rate of a filter whose slices have these
// sizes in bits, with one position of an item in each, after n insertions:
//
//	product over i of (1 - (1-1/s_i)^n)
//
// Equal sizes give Fan (19). Where they differ, (19) with m = s_1 + ... + s_k is the
// rate of no filter: smaller than this at n = 1, and larger where there are more than
// about two items a bit of a slice.
//
// Source: Fan (16), (19) for one slice each, whose fills are independent.
// Domain: 1 to 4096 slices of 1 to 2^64-1 bits; 0 <= n < 2^64 items; prec 1 to MaxPrec.
// Error: relative width at most 2^-prec; the rational itself is computed where its
// denominator has fewer than 5000 digits.
// Cost: a logarithm and an exponential for each different size that follows another.
// Errors: *bloomproof.ParamError.
func FPRSlices(slices []uint64, n uint64, prec uint) (Enclosure, error) {
	if err := precision.Check(prec); err != nil {
		return Enclosure{}, err
	}
	k := len(slices)
	if k < 1 || k > bloomproof.MaxK {
		return Enclosure{}, &bloomproof.ParamError{Param: "slices", Value: k, Want: fmt.Sprintf("between 1 and %d sizes", bloomproof.MaxK)}
	}
	size, load := 0.0, 1.0
	for _, s := range slices {
		if s < 1 {
			return Enclosure{}, &bloomproof.ParamError{Param: "slices", Value: s, Want: "sizes of at least 1 bit"}
		}
		size += float64(n) * math.Log2(float64(s))
		load = max(load, float64(n)/float64(s))
	}
	switch {
	case n == 0:
		return exactlyInt(0, prec), nil
	case size < precision.RationalMost:
		return exactly(slicesRational(slices, n), prec), nil
	}
	// As in slices: expm1 multiplies a relative error of its argument by at most load.
	return probability(ziv(prec, prec+uint(math.Log2(load))+uint(math.Log2(float64(k)))+24, func(work uint) *interval.Interval {
		product := interval.New(work).SetUint64(1)
		var factor *interval.Interval
		for i, s := range slices {
			if s == 1 {
				continue
			}
			if i == 0 || s != slices[i-1] {
				factor = fill(s, new(big.Int).SetUint64(n), work)
			}
			product.Mul(product, factor)
		}
		return product
	}))
}

// slicesRational computes FPRSlices without checking the size.
func slicesRational(slices []uint64, n uint64) *big.Rat {
	num, den, t := big.NewInt(1), big.NewInt(1), new(big.Int)
	for _, s := range slices {
		all := integer.Power(t.SetUint64(s), n)
		num.Mul(num, t.Sub(all, integer.Power(t.SetUint64(s-1), n)))
		den.Mul(den, all)
	}
	return new(big.Rat).SetFrac(num, den)
}

// sliceRate returns (1 - (1-1/s)^n)^r for s >= 2, n >= 1.
func sliceRate(s, n uint64, r int, prec uint) (Enclosure, error) {
	const guard = 24 // some roundings, multiplied by r
	// n log1p(-1/s) has relative error 2^-work, which expm1 multiplies by at most its
	// argument's size where that is above 1, and by 1 below.
	size := math.Log2(max(1, float64(n)/float64(s)))
	return ziv(prec, prec+uint(size)+guard, func(work uint) *interval.Interval {
		x := fill(s, new(big.Int).SetUint64(n), work)
		return x.PowInt(x, big.NewInt(int64(r)))
	})
}
