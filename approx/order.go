package approx

import "github.com/bloomproof/bloomproof/approx/internal/fm"

// The bounds satisfy exponential <= bloom <= upper. The rate of a standard filter lies between "bloom" and "upper". The
// rate of a classic filter lies below "upper", and the rate of a partitioned filter equals "upper". The computed values
// keep this order. The function closedRate computes each bound as (1-q)^k in two words, and rounds at the end. Here q
// is the probability of a zero bit. This method preserves the order, for the following reasons. Let t = -ln q. Each
// bound has its own q and its own t. If two bounds differ, the larger t divided by the smaller t is at least 1 + 2^-66.
// The reason is as follows. Here k >= 2 and m < 2^64. There are three possible values of ln q. The first value is
// -kn/m. The other two values are:
//
//	ln (1-1/m)^(kn) = -kn (1/m + 1/(2m^2) + ...),
//	ln (1-k/m)^n = -n (k/m + k^2/(2m^2) + ...).
//
// If kq > 1/2, then t < ln 2k < 9.1. Each of the two bounds has its own t and its own 1-q. Let d be the relative
// difference of the values of t. Then the values of 1-q have a relative difference of at least d t/(e^t-1). The factor
// t/(e^t-1) is above 2^-10. The k-th powers of the values of 1-q have a relative difference of at least k 2^-76. Their
// relative errors are at most k 2^-96. Otherwise t >= ln 2. Then consider 1 minus each bound. These complements have a
// relative difference of at least 2^-67. Their relative error is 2^-94. If a computed rate lies on the wrong side of a
// bound, it is replaced by the bound. The replacement does not increase the error of the rate, because the bound has a
// smaller error than the rate.

// closedRate returns (1-e^-t)^k for t > 0, with a relative error of at most 2u (u = 2^-53). The argument "ln" is the
// number -t, as the sum of two words.
func closedRate(ln fm.Double, k int) rate {
	q := ln.Exp()
	if float64(k)*q.Float64() > nearlyFull {
		return below1(ln.Expm1().Neg().Scale().Pow(k))
	}
	if q.Float64() < noSquare {
		return besides(q.Times(fm.Whole(uint64(k))))
	}
	c := q.Unscaled().Neg().Log1p().MulFloat(float64(k)).Expm1().Neg()
	return besides(c.Scale())
}

// If q < noSquare, the number kq replaces the complement 1-(1-q)^k. The relative error is below kq/2 < 2^-188.
const noSquare = 0x1p-200

// Consider the mean number of clear bits among the bits that an item hits. If this number is at most nearlyFull, the
// rate is at least e^-0.7 and is computed from its complement. Otherwise the rate is at most e^-0.5.
const nearlyFull = 0.5

// bloomRate, exponentialRate and upperRate return the bounds "bloom", "exponential" and "upper" as values of type rate,
// for n >= 1. The function upperRate requires k <= m.
func bloomRate(m, n uint64, k int) rate {
	if m == 1 {
		return near1(0)
	}
	return closedRate(fm.WholeProduct(n, uint64(k)).Mul(fm.LogMiss(1, m)), k)
}

func exponentialRate(m, n uint64, k int) rate {
	return closedRate(fm.WholeProduct(n, uint64(k)).Quo(fm.Whole(m)).Neg(), k)
}

func upperRate(m, n uint64, k int) rate {
	if uint64(k) == m {
		return near1(0)
	}
	return closedRate(fm.Whole(n).Mul(fm.LogMiss(uint64(k), m)), k)
}

// lnError bounds the sum of three relative errors of logarithms. The functions bloomLn and upperLn have an error of (8t
// + 18)u, where u = 2^-53 (see hitLn). The number t is below 745 if e^-t is not 0. The error of rate.ln is 6u. The
// functions bloomRate and upperRate have the third error.
const lnError = 0x1p-40

// atLeast returns the larger of r and a lower bound. The function "bound" computes the lower bound, and ln is
// approximately its logarithm. If ln shows that r is larger than the bound, the method does not call the function
// "bound".
func (r rate) atLeast(ln float64, bound func(m, n uint64, k int) rate, m, n uint64, k int) rate {
	if own := r.ln(); own < ln-lnError*(own+ln) {
		if b := bound(m, n, k); !b.atMost(r) {
			return b
		}
	}
	return r
}

// The method "cut" returns the smaller of r and an upper bound. The function "bound" computes the upper bound. The
// argument "ln" is an approximate logarithm of the upper bound. If this logarithm shows that r is smaller, the method
// does not call the function "bound".
func (r rate) cut(ln float64, bound func(m, n uint64, k int) rate, m, n uint64, k int) rate {
	if own := r.ln(); own > ln+lnError*(own+ln) {
		if b := bound(m, n, k); !r.atMost(b) {
			return b
		}
	}
	return r
}
