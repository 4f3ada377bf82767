package exact

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

// FPR returns the expected false-positive rate of a filter of shape g after n
// insertions of distinct items with ideal hashing, and the route that was taken:
//
//	standard     E[(X/m)^k], X = number of set bits       (Burns (53), k > m is legal)
//	classic      E[C(X,k)/C(m,k)]                         (Burns (59))
//	partitioned  (1 - (1 - k/m)^n)^k                      (Fan (19))
//
// Source: Burns (54)-(56), (60)-(63); Fan (7), (8), (19); with the corrections of the
// functions that compute them.
// Domain: g valid; n any number of items; prec 1 to MaxPrec bits.
// Error: relative width at most 2^-prec. n = 0 gives exactly 0 and m = 1 exactly 1
// (for n >= 1). With Auto, Difference or ClosedForm the rational itself is computed
// (Enclosure.Rat) where numerator and denominator together have fewer than 10,000
// digits before reduction.
// Cost: for standard hashing, Auto and Difference take the cheaper of two expansions of
// the differences in Burns (9), by an estimate. With signs it is (56): k+1 powers with
// exponent nk and k^2/2 additions, at prec + log2(1/f) + k + log2(nk) bits. In positive
// terms, for filters nearly empty: k(k+D) steps at prec + 32 + 2 log2 k bits, D about
// k^2 n/(2m) and somewhat more. Measured for 50 digits: 0.2 ms for (m, n, k) =
// (2^40, 3*10^10, 40), at most 0.2 s for k = 1000 and 4 s for k = 4096 at any fill.
// Classic hashing has (60) alone, powers with exponent n at prec + log2(1/f) + k + log2 n
// bits: 1 s for (2^64-1, 2^20, 1000), 35 s for (2^64-1, 2^20, 4096), where f < 2^-131000.
// The other routes are for small filters. Their limits: Stirling
// nk min(m,nk) <= 2^21; Christensen and Grandi min(m,nk)^2 <= 2^17, and nk log2 m <= 2^30
// for Christensen; Recursive and Hypergeometric k^2 <= 2^18.
// Errors: *bloomproof.ParamError; ErrTooCostly beyond a route's limit.
func FPR(g bloomproof.Geometry, n uint64, prec uint, route Route) (Enclosure, Route, error) {
	if err := valid(g); err != nil {
		return Enclosure{}, 0, err
	}
	if err := precision.Check(prec); err != nil {
		return Enclosure{}, 0, err
	}
	route, err := route.resolve(g.Hashing)
	if err != nil {
		return Enclosure{}, 0, err
	}
	switch {
	case n == 0:
		return exactlyInt(0, prec), route, nil
	case g.M == 1:
		return exactlyInt(1, prec), route, nil
	}
	var e Enclosure
	switch route {
	case Difference, ClosedForm:
		e, err = rate(g, n, prec)
	default:
		e, err = witness(g, n, prec, route)
	}
	e, err = probability(e, err)
	return e, route, err
}

// rate is FPR for valid arguments, n >= 1 and m >= 2, by the cheapest route.
func rate(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	if rationalBits(g, n) < precision.RationalMost {
		return exactly(rational(g, n), prec), nil
	}
	switch g.Hashing {
	case bloomproof.Standard:
		return moment(g.M, integer.Product(n, g.K), g.K, prec)
	case bloomproof.Classic:
		return classicKSum(g.M, n, g.K, prec)
	}
	return partitioned(g, n, prec)
}
