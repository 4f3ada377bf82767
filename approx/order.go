package approx

import "github.com/bloomproof/bloomproof/approx/internal/fm"

// exponential <= bloom <= upper, and between the last two lies the rate of a standard filter,
// below upper that of a classic one; that of a partitioned filter is upper. The same holds of
// what this package returns. The three bounds are closedRate, in two words up to the last
// rounding, which keeps the order: two of them that differ have t = -ln q with a quotient of
// 1 + 2^-66 at least, for
//
//	ln (1-1/m)^(kn) = -kn (1/m + 1/(2m^2) + ...),  ln (1-k/m)^n = -n (k/m + k^2/(2m^2) + ...),
//
// k >= 2, m < 2^64. Where kq > 1/2, t < ln 2k < 9.1 and the values of 1-q differ by at least
// t/(e^t-1) > 2^-10 times as much, k of them by k times 2^-76; they err by k 2^-96. Elsewhere
// t >= ln 2 and the complements differ by 2^-67 at least, and err by 2^-94. A rate is moved
// to the bound beyond which it lies: it errs more than the bound does, and not more than before.

// closedRate returns (1-e^-t)^k within 2u, given -t in two words, t > 0.
func closedRate(ln fm.Double, k int) rate {
	q := ln.Exp()
	if float64(k)*q.Float64() > nearlyFull {
		return below1(ln.Expm1().Neg().Scale().Pow(k))
	}
	if q.Float64() == 0 {
		return near1(0)
	}
	c := q.Unscaled().Neg().Log1p().MulFloat(float64(k)).Expm1().Neg()
	return rate{complement: c, near1: true}
}

// nearlyFull is the mean number of clear bits, among those that an item hits, up to which a
// rate is taken from its complement: there the rate is at least e^-0.7, and above it is at most
// e^-0.5.
const nearlyFull = 0.5

// bloomRate, exponentialRate and upperRate are the rates that the bounds give, for n >= 1, k <= m
// for the last.
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

// lnError bounds the relative errors of bloomLn and upperLn, (8t + 18)u with t below 745 where
// e^-t is no 0 (see hitLn), together with that of rate.ln, 6u, and those of the bounds.
const lnError = 0x1p-40

// atLeast returns r, or a bound of logarithm ln below which it lies. The bound is computed where
// the logarithms leave that open.
func (r rate) atLeast(ln float64, bound func(m, n uint64, k int) rate, m, n uint64, k int) rate {
	if own := r.ln(); own < ln-lnError*(own+ln) {
		if b := bound(m, n, k); !b.atMost(r) {
			return b
		}
	}
	return r
}

// cut returns r, or a bound of logarithm ln above which it lies, as atLeast does.
func (r rate) cut(ln float64, bound func(m, n uint64, k int) rate, m, n uint64, k int) rate {
	if own := r.ln(); own > ln+lnError*(own+ln) {
		if b := bound(m, n, k); !r.atMost(b) {
			return b
		}
	}
	return r
}
