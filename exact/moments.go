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

// MomentStandard returns E[(X/m)^r], X the number of occupied urns after the balls
// fell independently and uniformly into m urns.
//
// Source: Burns (9), by the sum of (56) or in positive terms: see FPR.
// Domain: 1 <= m; any number of balls; 0 <= r <= 2*4096; prec 1 to MaxPrec bits.
// Error: relative width at most 2^-prec; exactly 0 for no balls and r >= 1, exactly 1
// for r = 0 or m = 1.
// Cost: as FPR with r in place of k; to 50 digits at most 25 s for r = 8192.
// Errors: *bloomproof.ParamError.
func MomentStandard(m, balls uint64, r int, prec uint) (Enclosure, error) {
	if err := precision.Check(prec); err != nil {
		return Enclosure{}, err
	}
	if m < 1 {
		return Enclosure{}, &bloomproof.ParamError{Param: "m", Value: m, Want: "between 1 and 2^64-1"}
	}
	if r < 0 || r > 2*bloomproof.MaxK {
		return Enclosure{}, &bloomproof.ParamError{Param: "r", Value: r, Want: fmt.Sprintf("between 0 and %d", 2*bloomproof.MaxK)}
	}
	switch {
	case r == 0:
		return exactlyInt(1, prec), nil
	case balls == 0:
		return exactlyInt(0, prec), nil
	case m == 1:
		return exactlyInt(1, prec), nil
	}
	return probability(moment(m, new(big.Int).SetUint64(balls), r, prec))
}

// SecondMoment returns E[rate^2], where rate is the false-positive rate of the filter
// in the state that n insertions left it in: (X/m)^k for standard, C(X,k)/C(m,k) for
// classic, the product over the slices of their fill for partitioned hashing. Together
// with FPR it gives the variance of the rate among filters.
//
//	standard     E[(X/m)^(2k)], (9) with 2k in place of k, nk balls
//	classic      sum over i of g_i rho(i), g_i = C(i,k) C(k,i-k) C(m,i)/C(m,k)^2 the
//	             probability that two k-subsets have a union of i elements, rho(i) =
//	             E[C(X,i)]/C(m,i) from Burns (15)
//	partitioned  E[(Y/s)^2]^k, Y the occupancy of n balls in a slice of s = m/k bits
//
// Source: Burns (9), (15), as above; no paper states it.
// Domain, Error, Errors: as FPR.
// Cost: as MomentStandard with r = 2k; for classic 2k+1 powers and 2k^2 additions of
// numbers of up to 2k log2 m bits.
func SecondMoment(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	if err := valid(g); err != nil {
		return Enclosure{}, err
	}
	if err := precision.Check(prec); err != nil {
		return Enclosure{}, err
	}
	switch {
	case n == 0:
		return exactlyInt(0, prec), nil
	case g.M == 1:
		return exactlyInt(1, prec), nil
	}
	switch g.Hashing {
	case bloomproof.Standard:
		return probability(moment(g.M, integer.Product(n, g.K), 2*g.K, prec))
	case bloomproof.Classic:
		last := int(min(2*uint64(g.K), g.M))
		return probability(classicMoment(g.M, n, g.K, last, 2*classicLog2(g.M, n, g.K), prec, func() ([]*big.Int, *big.Int) {
			return unionWeights(g.M, g.K, last)
		}))
	}
	s := g.M / uint64(g.K)
	if s == 1 {
		return exactlyInt(1, prec), nil
	}
	return probability(ziv(prec, prec+uint(math.Log2(float64(g.K)))+16, func(work uint) *interval.Interval {
		e, err := moment(s, new(big.Int).SetUint64(n), 2, work)
		if err != nil {
			return new(interval.Interval).SetEnds(big.NewFloat(1), new(big.Float)) // not Valid
		}
		return interval.New(work).PowInt(e.interval(), big.NewInt(int64(g.K)))
	}))
}

// unionWeights returns w_l = sum_i G_i C(i,l), G_i = C(i,k) C(k,i-k) C(m,i), l = 0..last,
// and C(m,k)^2: the coefficients, up to sign, of the polynomial sum G_i x^i in powers
// of 1-x, by repeated synthetic division.
func unionWeights(m uint64, k, last int) (w []*big.Int, den *big.Int) {
	w = make([]*big.Int, last+1)
	for i := range w {
		w[i] = new(big.Int)
		if i >= k {
			w[i].Mul(integer.Binomial(uint64(i), k), integer.Binomial(uint64(k), i-k))
			w[i].Mul(w[i], integer.Binomial(m, i))
		}
	}
	for l := range last {
		for i := last - 1; i >= l; i-- {
			w[i].Add(w[i], w[i+1])
		}
	}
	den = integer.Binomial(m, k)
	return w, den.Mul(den, den)
}
