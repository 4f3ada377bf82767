package like

import (
	"errors"
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// wrappedSteps returns the rate function for the positions (a + i*b) mod m. The sum a + i*b is computed in words, and
// may overflow. Suppose that m is a power of two and the words are unsigned. Then the number of possible words is a
// multiple of m. In this case, the rate is the rate of double hashing modulo m.
func wrappedSteps(w word) rate {
	return func(g bloomproof.Geometry, n uint64, prec uint) (exact.Enclosure, error) {
		if !w.signed && bits.OnesCount64(g.M) == 1 && uint(bits.Len64(g.M-1)) <= w.bits {
			if e, err := uniformSteps(g, bloomproof.DoubleZero, n, prec); !errors.Is(err, bloomproof.ErrTooCostly) {
				return e, err
			}
		}
		return stepped(w, g.M).enclose(g, n)
	}
}

// uniformSteps returns the rate of a filter. In this filter, the start and the step of a key are independent. Both are
// uniform from 0 to m-1. The second argument is the kind of hashing.
func uniformSteps(g bloomproof.Geometry, of bloomproof.Hashing, n uint64, prec uint) (exact.Enclosure, error) {
	g.Hashing = of
	e, _, err := exact.FPR(g, n, prec, exact.Auto)
	return e, err
}

// The function "sums" returns the rate function for the positions (a + i*b) mod m. The numbers a and b are remainders
// mod m of hashes of h bits.
func sums(h uint) rate { return reducedSteps(bloomproof.DoubleZero, h, 1) }

// growingSums returns the rate function for enhanced double hashing. The start a and the step b are remainders mod m of
// hashes of h bits. The function "reductions" gives bounds of the probabilities of these remainders. After each use b
// grows, first by 1, then by 2, and so on.
func growingSums(h uint, parts int64) rate {
	return reducedSteps(bloomproof.EnhancedDouble, h, parts)
}

// mostSteps and mostUneven are limits of reducedSteps. The first limits the product m*k. Up to this limit, the exact
// rate is computed by a sum over all steps. For some keys, the start and the step are not drawn uniformly. The second
// limit is for the mean number of these keys.
const (
	mostSteps  = 8192
	mostUneven = 0.25
	negligible = 1e-12 // the part of a sum that may be left out, relative to the rate
)

// reducedSteps encloses a rate. The first argument is the kind of hashing. The start and the step of a key are hashes
// of h bits, reduced modulo m. The function "reductions" gives bounds of the probabilities of these remainders. A pair
// of a start and a step has a probability between low/m^2 and high/m^2. A draw of a pair is called uniform if all m^2
// pairs are equally likely. Let f be the true rate. Suppose that the pair of each key is a uniform draw, including the
// pair of the queried key. Let F(n) be the rate for n such keys. Let N be the number of successes in n draws with the
// success probability "low". Let N' be the number of draws until the n-th success, if the success probability is
// 1/high. Then
//
//	low E[F(N)] <= f <= high E[F(N')].
//
// For the lower bound, write the distribution of a key's pair as a mixture of two distributions. The first of these is
// uniform, and its share in the mixture is "low". The second is the rest of the distribution. Then leave out each key
// that was drawn from the rest of the distribution. For the upper bound, draw pairs uniformly, one after another. Let p
// be the true probability of a pair. Accept each drawn pair with the probability p*m^2/high. The n accepted pairs are
// the keys. The other draws only add bits. The factors low and high in the inequality come from the queried key. In a
// uniform draw, each pair has the probability 1/m^2. The true probability of the queried key's pair is between low/m^2
// and high/m^2. Since F grows with n, E[F(N')] is at most the following sum.
//
//	F(n) + sum over 0 < j < t of P(N' >= n+j) (F(n+j) - F(n+j-1)) + P(N' >= n+t).
//
// In the same way, E[F(N)] is at least the following difference.
//
//	F(n) - sum over 0 < j < t of P(N <= n-j) (F(n-j+1) - F(n-j)) - P(N <= n-t).
//
// If N' >= n+j, at least j of the first n+j-1 draws fail. So P(N' >= n+j) <= C(n+j-1, j) (1-1/high)^j. In the same way,
// P(N <= n-j) <= C(n,j) (1-low)^j.
func reducedSteps(of bloomproof.Hashing, h uint, parts int64) rate {
	return func(g bloomproof.Geometry, n uint64, prec uint) (exact.Enclosure, error) {
		if n == 0 {
			return exact.Enclosure{}, nil
		}
		low, high := reductions(g.M, h, parts)
		one := big.NewRat(1, 1)
		for _, x := range []*big.Rat{low, high} {
			x.Mul(x, new(big.Rat).SetInt(integer(g.M)))
			x.Mul(x, x)
		}
		fewer, more := new(big.Rat).Sub(one, low), new(big.Rat).Sub(one, new(big.Rat).Inv(high))
		if uneven, _ := new(big.Rat).Add(fewer, more).Float64(); uneven*float64(n) > mostUneven || of == bloomproof.EnhancedDouble && g.M > mostSteps/uint64(g.K) {
			return residues(g.M, h, parts).enclose(g, n)
		}
		if fewer.Sign() == 0 && more.Sign() == 0 {
			return uniformSteps(g, of, n, prec)
		}
		var err error
		even := func(n uint64) (lo, hi *big.Float) { // F(n)
			e, failed := uniformSteps(g, of, n, prec+8)
			err = errors.Join(err, failed)
			return e.Lo(), up(new(big.Rat)).Set(e.Hi())
		}
		first, above := even(n)
		down := new(big.Float).SetPrec(upBits).SetMode(big.ToNegativeInf).Set(first)
		end := product(above, upTo(negligible))
		tail, most, before := upTo(1), upTo(0).Set(above), first
		for j := uint64(1); err == nil && fewer.Sign() > 0 && j <= n; j++ {
			tail = product(tail, up(new(big.Rat).Mul(fewer, new(big.Rat).SetFrac(integer(n-j+1), integer(j)))))
			if tail.Cmp(end) < 0 {
				down.Sub(down, tail)
				break
			}
			least, next := even(n - j)
			down.Sub(down, product(tail, upTo(0).Sub(most, least)))
			most = next
		}
		tail = upTo(1)
		for j := uint64(1); err == nil && more.Sign() > 0; j++ {
			tail = product(tail, up(new(big.Rat).Mul(more, new(big.Rat).SetFrac(new(big.Int).Add(integer(n), integer(j-1)), integer(j)))))
			if tail.Cmp(end) < 0 {
				above.Add(above, tail)
				break
			}
			least, most := even(n + j)
			above.Add(above, product(tail, upTo(0).Sub(most, before)))
			before = least
		}
		if err != nil {
			return exact.Enclosure{}, err
		}
		down.Mul(down, new(big.Float).SetPrec(upBits).SetMode(big.ToNegativeInf).SetRat(low))
		if down.Sign() < 0 {
			down.SetInt64(0)
		}
		return exact.NewEnclosure(down, capped(product(above, up(high)), upTo(0)))
	}
}
