package exact

import (
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// Let phi(x) = (x/m)^k, and let X be the number of set bits. The function "taylor" approximates E[phi(X)], the rate of
// standard hashing. It expands phi around the mean mu of X, up to the second order. The mean of this expansion is
//
//	phi(mu) + phi''(mu) Var X / 2 = (mu/m)^k (1 + k(k-1)/2 Var X / mu^2).
//
// Source: Burns, the formula before (57), which follows Grandi. The variance is Var X = m q + m(m-1) q_2 - (m q)^2 with
// q = (1-1/m)^(kn) and q_2 = (1-2/m)^(kn).
// Domain: the same as for the function "bloom". The value is an approximation and not a bound: it can exceed 1.
// Error: relative width at most 2^-prec; the result is exactly 0 for n = 0, and exactly 1 for m = 1 and n >= 1.
// Cost: two logarithms, three exponentials.
func taylor(m, n uint64, k int, prec uint) (Enclosure, error) {
	switch {
	case n == 0:
		return exactlyInt(0, prec), nil
	case m == 1:
		return exactlyInt(1, prec), nil
	case k == 1:
		return bloom(m, n, k, prec) // because phi'' = 0
	}
	nk := integer.Product(n, k)
	// Var X/m^2 is a difference of terms near 1. The permitted error of Var X/m^2 is about k^-2 mu^2/m^2, where mu >=
	// 1.
	guard := uint(2*bits.Len64(m)+2*bits.Len(uint(k))) + uint(nk.BitLen()) + 16
	return ziv(prec, prec+guard, func(work uint) *interval.Interval {
		nw := func() *interval.Interval { return interval.New(work) }
		one := nw().SetUint64(1)
		perBit := nw().Quo(one, nw().SetUint64(m))
		q := nw().PowInt(nw().Sub(one, perBit), nk)
		q2 := nw().Sub(one, nw().MulPow2(perBit, 1)) // 1-2/m, which is 0 for m = 2
		q2.PowInt(q2, nk)
		// The next lines set v to Var X/m^2, which equals q2 - q^2 + (q - q2)/m.
		v := nw().Sub(q2, nw().Mul(q, q))
		v.Add(v, nw().Mul(perBit, nw().Sub(q, q2)))
		mu := fill(m, nk, work) // this is mu/m
		v.Quo(v, nw().Mul(mu, mu))
		v.Mul(v, nw().SetUint64(uint64(k)*uint64(k-1)/2))
		v.Add(v, one)
		mu.PowInt(mu, big.NewInt(int64(k)))
		return v.Mul(v, mu)
	})
}
