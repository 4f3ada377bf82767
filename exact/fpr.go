package exact

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// FPR returns the expected false-positive rate of a filter of shape g after n insertions of distinct items with ideal
// hashing. It also returns the route by which it computed the rate. Let X be the number of set bits. The rate is given
// by these formulas:
//
//   - For standard hashing it is E[(X/m)^k] by Burns (53), also for k > m.
//   - For classic hashing it is E[C(X,k)/C(m,k)] by Burns (59).
//   - For partitioned hashing it is (1 - (1 - k/m)^n)^k by Fan (19).
//   - For double hashing it is a sum over the steps of the query and over the sets J of its positions. Each term is
//     (-1)^|J| q_J^n, where q_J is the probability that an item hits no position in J (see doubleLaw).
//   - With blocks of s bits it is the mean of the rate of one block. This mean is over the number of items in the block
//     of the query, which has the distribution Bin(n, s/m).
//
// Source: Burns (54)-(56), (60)-(63); Fan (7), (8), (19). Misprints are corrected. The comments of the functions that
// evaluate these formulas name the corrections. For blocks, the formula is the mixture of Putze, Sanders and Singler,
// Cache-, Hash- and Space-Efficient Bloom Filters (2007). This package uses the binomial distribution in place of the
// Poisson distribution, and exact rates of the blocks. For double hashing, the comments in hashing_double.go derive the
// formulas. For small m, an enumeration of all outcomes gives the same rates.
// Domain: g must be valid. Any number n of items is permitted, and prec is 1 to MaxPrec bits.
// Error: relative width at most 2^-prec, except for the route "pairs". The rate is exactly 0 for n = 0. If every item
// sets every bit, the rate is exactly 1 for n >= 1. The routes "auto", "difference" and "closed" compute the rate as a
// rational (Enclosure.Rat) if it has few digits. Before reduction, the numerator and the denominator together must have
// fewer than 10,000 digits.
// Cost: For standard hashing, there are three ways to compute the differences in (9) of Burns. The routes "auto" and
// "difference" choose the way with the lowest estimated cost.
//
//   - The alternating sum (56) of Burns takes k^2/2 additions for the weights, and k+1 powers with exponent nk, at
//     prec + log2(1/f) + k + log2(nk) bits. For large m, the powers come from one series (see standardPowers). For
//     (m, n, k) = (2^40, 3*10^10, 40) and 50 digits this takes 0.1 ms.
//   - For nearly empty filters, a sum of positive terms takes k(k+D) steps at prec + 32 + 2 log2 k bits, where D is
//     somewhat more than k^2 n/(2m). At any fill, the cheaper one of these two sums takes at most 0.2 s for k = 1000
//     and 6 s for k = 4096, for 50 digits.
//   - For hundreds of positions and up to some hundred bits, the differences are computed as integrals. The cost hardly
//     depends on m, n and k. For (m, n, k) = (2^40, 2*10^8, 4096) and 50 digits it is 0.1 s. For thousands of
//     positions, a single integral over two circles is used if kn is between m/8 and 256 m. For (m, n, k) = (15032, 3,
//     3121) and 64 bits it takes 0.4 s.
//
// For classic hashing, FPR computes the k+1 powers with exponent n in (60) of Burns, or it computes integrals. The
// powers are computed at prec + log2(1/f) + k + log2 n bits. The other routes are for small filters. The route
// "stirling" requires nk min(m,nk) <= 2^21. The routes "christensen" and "grandi" require min(m,nk)^2 <= 2^17. The
// route "christensen" also requires nk log2 m <= 2^30. The routes "recursive" and "hypergeometric" require k^2 <= 2^18.
//
// With blocks, the route "difference" computes k+1 powers with exponent n. They are computed at prec + log2(1/f) + k +
// log2 n bits. The route "mixture" computes about nb + 12 sqrt(nb) rates of a block at 64 bits. Here nb is the mean
// number of items of a block. If a number of items is very improbable, its rate is not computed. For blocks of 512
// bits, k = 8, nb = 50 and 50 digits, the route "difference" takes 0.3 ms. The route "mixture" takes 40 ms for the same
// filter. The route "difference" is refused if its estimated time exceeds 2^32 ns. The route "mixture" is refused if it
// needs more than 4096 rates.
//
// For double hashing, the comments of hashing_double.go define 2^(k-1) sets J. The computation takes about k^2 steps
// for each set J. It also takes one power with exponent n for each different value of the probability q_J. For k = 7
// there are 29 different values of q_J. For k = 16 and a prime m there are 3321 different values. The time depends on
// k. At a precision of 64 bits it is 1 ms for k = 9, 0.1 s for k = 16 and 0.3 s for k = 18. These times were measured
// for m near 2^20 and for m near 2^64. If m is not prime, the possible second hash values are of several kinds. This
// cost arises for each kind. For m = 2^40 and k = 16, all kinds together take 0.8 s. The estimated time may be at most
// 2^33 ns. This allows k up to about 20 for a prime m. For most other m it allows k up to 16 or more. If m has a
// thousand divisors, k must be less than 16. For partitioned double hashing the limit is k = 24. Partitioned double
// hashing has no limit of k if m/k has no divisor from 2 to k-1.
//
// For enhanced double hashing and triple hashing, FPR counts all outcomes. For a prime m it looks up k^5 m/2 positions
// with enhanced double hashing, and k^5 m^2/4 positions with triple hashing. Enhanced double hashing with m = 1024 and
// k = 7 takes 0.1 s. Triple hashing with m = 64 and k = 7 takes the same time. For k = 7 and enhanced double hashing,
// the estimated time reaches the limit of 2^33 ns at m = 170,000. For k = 7 and triple hashing, it reaches this limit
// at m = 600. In any case m may be at most 2^21.
//
// These two hashings also have the route "pairs". It takes milliseconds, but its enclosure is wider than prec requires.
// It accepts k up to 20 and every m above a minimum. The minimum depends on k. It is a few hundred. For smaller m it
// returns ErrUndefined. The following relative widths of its enclosure are for a fill of 1/2 and k = 7. For m = 2^20
// the width is 1.4e-5 with enhanced double hashing, and 8e-5 with triple hashing. If m is the largest prime below 2^20,
// the width with triple hashing is 1.3e-8. In general the width is proportional to 1/m. But for triple hashing and a
// prime m it is proportional to 1/m^2.
// Errors: *bloomproof.ParamError; ErrTooCostly if the computation exceeds the limit of the route.
func FPR(g bloomproof.Geometry, n uint64, prec uint, route Route) (Enclosure, Route, error) {
	l, err := lawOf(g)
	if err != nil {
		return Enclosure{}, "", err
	}
	if err := precision.Check(prec); err != nil {
		return Enclosure{}, "", err
	}
	if route, err = refuse.Among(route, Auto, l.routes(), l.filters()); err != nil {
		return Enclosure{}, "", err
	}
	if n == 0 || l.full(g) || route == l.routes()[0] {
		e, err := rateAt(l, g, n, prec)
		return e, route, err
	}
	e, err := probability(l.enclose(g, n, prec, route))
	return e, route, err
}

// rateAt returns the false-positive rate. It uses the first route in the list l.routes().
func rateAt(l law, g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	switch {
	case n == 0:
		return exactlyInt(0, prec), nil
	case l.full(g):
		return exactlyInt(1, prec), nil
	}
	return probability(rateOf(l, g, n, prec))
}

// rateOf returns the same rate as rateAt. It requires n >= 1 and a filter for which the method "full" returns false.
// The result is a rational if its numerator and denominator have few digits. The upper end of the enclosure can exceed
// 1.
func rateOf(l law, g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	if err := fault.Part(); err != nil {
		return Enclosure{}, err
	}
	if l.rationalBits(g, n) < precision.RationalMost {
		return exactly(l.rational(g, n), prec), nil
	}
	return l.enclose(g, n, prec, l.routes()[0])
}
