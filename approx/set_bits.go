package approx

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// SetBitsMean returns the expected number of set bits of a filter of shape g that holds n items.
//
//	For standard hashing it is m (1 - (1-1/m)^(nk)).
//	For classic and partitioned hashing it is m (1 - (1-k/m)^n).
//
// For standard hashing it is the mean number of urns that nk balls occupy. For classic hashing it is the mean number of
// urns that n random sets of k balls occupy, if each set falls into k distinct urns.
//
// Source: Burns, equations (44) and (16).
// Domain: g is valid and has no blocks; 0 <= n < 2^64 items.
// Error: relative, at most 2u (u = 2^-53).
// Cost: half a microsecond.
// Errors: *bloomproof.ParamError.
func SetBitsMean(g bloomproof.Geometry, n uint64) (float64, error) {
	h, err := hashingOf(g)
	if err != nil {
		return 0, err
	}
	c := h.draws(g.M, n, g.K)
	if n == 0 || c.size == c.m {
		return float64(c.m) * min(1, float64(n)) * float64(c.slices), nil
	}
	t := c.count.Mul(fm.LogMiss(c.size, c.m))
	return fm.Whole(g.M).Mul(hit(t)).Hi, nil
}

// Let q = e^-t be the probability that a bit is clear. For t above noneClear, q is replaced by 0, because even q times
// 2^128 would be 0 as a float64.
const noneClear = 0x1p20

// The function "hit" returns 1 - e^t for t < 0. This is the probability that a bit is set. The probability that it is
// clear is e^t.
func hit(t fm.Double) fm.Double {
	if t.Hi < -noneClear {
		return fm.Whole(1)
	}
	return t.Expm1().Neg()
}

// SetBitsVariance returns the variance of the number of set bits of a filter of shape g that holds n items. A committee
// of k is a random set of k different bits. Let q = (1-k/m)^n.
//
//	For classic hashing the variance is m q (1 - m q + (m-1) (1-k/(m-1))^n).
//	For standard hashing it is the variance for nk committees of one bit each.
//	For partitioned hashing it is k times the variance for one slice.
//	A slice has m/k bits and n committees of one bit each.
//
// The result does not lose digits if almost no bit or almost every bit is set.
//
// Source: Burns, equation (45), and equation (43) with its misprint corrected.
// Domain: g is valid and has no blocks; 0 <= n < 2^64 items.
// Error: relative, at most 100u (u = 2^-53). A result below 2^-1022 has an additional absolute error of 2^-1074.
// Cost: half a microsecond.
// Errors: *bloomproof.ParamError.
func SetBitsVariance(g bloomproof.Geometry, n uint64) (float64, error) {
	h, err := hashingOf(g)
	if err != nil {
		return 0, err
	}
	c := h.draws(g.M, n, g.K)
	if c.count.Hi <= 1 || c.size == c.m {
		return 0, nil
	}
	return c.variance(), nil
}

// The type "committees" describes how items set bits. A filter has one or more slices of m bits. The field "count" is
// the number of committees that are drawn in each slice. A committee is a set of different bits. The field "size" is
// the number of these bits.
type committees struct {
	m, size, slices uint64
	count           fm.Double
}

// For t up to halfCancels, the method "variance" computes h by a formula with two functions, E and L. The comment of
// the method has this formula. In each sum of this formula, cancellation reduces the largest term by at most two
// thirds.
const halfCancels = 1

// The method "variance" considers n >= 2 items. Each item sets k < m bits, which are called a committee. Let V be the
// variance of the number of bits that they set in a slice of m bits. The method returns V times the number of slices.
//
// Let y = k/m, x = k/((m-1)(m-k)), d = n ln(1-x), t = -n ln(1-y) and q = e^-t. Then
//
//	V = m q h,  h = (1-q) + (m-1) q (e^d - 1).
//
// Consider the probability that two given urns stay empty, and the square of the probability that one given urn stays
// empty. Their quotient is e^d. For t > 1, V is computed in two words. These suffice, because cancellation enlarges
// relative errors by less than a factor of m. The two terms of h have opposite signs. For t <= 1 their sum is only
// about t/2 times the first term. Let E(z) = e^z-1-z and L(z) = ln(1+z)-z. Let R = t/n + (m-1) ln(1-x). The code then
// uses
//
//	h = q (E(t) + (m-1) E(d) + n R),
//	R = (m-1) L(-x) - L(-y) - y^2/(1-y).
//
// Here E(t) is about n^2 y^2/2 and n R is about -n y^2/2. For n >= 2 cancellation loses at most half of the sum in
// parentheses. In the sum for R, cancellation loses at most two thirds of the sum. Each value of E and of L has a
// relative error of 8u (u = 2^-53). So E(t) contributes 20u to the relative error of h, and R contributes 30u. For the
// smallest m, E(d) contributes 40u.
func (c committees) variance() float64 {
	t := c.count.Mul(fm.LogMiss(c.size, c.m)).Neg()
	if t.Hi > noneClear {
		return 0
	}
	tiny := t.Neg().Exp() // q may be subnormal where m q is not
	q := tiny.Unscaled()
	bits := c.m * c.slices               // at most g.M
	times := func(h fm.Double) float64 { // the slices' sum of m q h, which is rounded once
		return tiny.Times(fm.Whole(bits)).Times(h).Float64()
	}
	if c.m == c.size+1 { // two urns are never both missed, so h = 1 - m q
		return times(fm.Whole(c.m).Mul(q).Neg().AddFloat(1))
	}
	rest := fm.Whole(c.m - 1)
	x := fm.Whole(c.size).Quo(rest).Quo(fm.Whole(c.m - c.size))
	d := c.count.Mul(x.Neg().Log1p())
	if t.Hi > halfCancels {
		return times(hit(t.Neg()).Add(rest.Mul(q).Mul(d.Expm1())))
	}
	y := float64(c.size) / float64(c.m)
	r := rest.Hi*fm.Log1pMX(-x.Hi) - fm.Log1pMX(-y) - y*y*(float64(c.m)/float64(c.m-c.size))
	s := fm.Expm1MX(t.Hi) + rest.Hi*fm.Expm1MX(d.Hi) + c.count.Hi*r
	return float64(bits) * q.Hi * q.Hi * s
}
