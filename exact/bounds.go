package exact

import (
	"errors"
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/occupancy"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// boundFormulas maps each kind of bound to the function that computes its formula. The functions accept m >= 1, any n
// and k, and a valid prec. They return ErrUndefined where the formula has no value.
var boundFormulas = map[bloomproof.Bound]func(m, n uint64, k int, prec uint) (Enclosure, error){
	bloomproof.BoundBloom:        bloom,
	bloomproof.BoundExponential:  exponential,
	bloomproof.BoundTaylor:       taylor,
	bloomproof.BoundLower:        lower,
	bloomproof.BoundLowerSimple:  lowerSimple,
	bloomproof.BoundLowerClassic: lowerClassic,
	bloomproof.BoundUpper:        upper,
	bloomproof.BoundPartitioned:  partitioned,
	bloomproof.BoundBose:         bose,
}

// Bound returns the value of a closed formula. It bounds or approximates the false-positive rate f of a filter of shape
// g after n insertions. In the formulas, C(a,b) is a binomial coefficient, and nabla is the backward difference in x. X
// is the number of set bits of a standard filter. Its mean is mu = m (1-(1-1/m)^(kn)). For a classic filter, the mean
// number of set bits is mu' = m (1-(1-k/m)^n).
//
//	kind          formula
//	bloom         (1 - (1-1/m)^(kn))^k
//	exponential   (1 - e^(-kn/m))^k
//	taylor        (mu/m)^k (1 + k(k-1)/2 Var X / mu^2)
//	lower         nabla^k [x^(nk)] at m / m^(nk) = sum_j (-1)^j C(k,j) (1-j/m)^(nk)
//	lower_simple  C(mu,k)/C(m,k)
//	lower_classic C(mu',k)/C(m,k)
//	upper         (1 - (1-k/m)^n)^k
//	partitioned   upper, the rate of a partitioned filter
//	bose_upper    p^k (1 + t), p = mu/m, t = (k/p) sqrt((ln m - k ln p)/m)
//
// The next list states how each formula compares with f, and for which hashings.
//
//   - For standard and partitioned hashing, exponential <= bloom <= f.
//   - For standard, classic and partitioned hashing, lower_simple <= lower <= f where mu > k-1.
//   - For classic and partitioned hashing, lower_classic <= f.
//   - For all hashings, f <= upper if k <= m.
//   - For partitioned hashing, f equals "partitioned". For the other hashings, "partitioned" is an upper bound of f.
//   - For standard hashing, f is about "taylor". This value is not a bound, and it can exceed 1.
//   - For standard hashing and large m, f <= bose_upper. TestBoseUpper checks that the constant 1 suffices. No proof is
//     known.
//
// In a filter with blocks of s bits, each block has its own rate f_i. This rate depends on the number i of items in the
// block. The block that a query reads has a random number i of items. This number has the binomial distribution Bin(n,
// s/m), and f is the mean of f_i over i. For each i, Bound evaluates the formula for a block of s bits with i items. It
// returns the mean of these values over i. If the values are upper bounds of f_i for every i, their mean is an upper
// bound of f. The same is true for lower bounds. With blocks, Bound accepts the kinds "bloom", "exponential", "lower",
// lower_classic, "upper" and "partitioned", for the same hashings as without blocks. The other kinds are not bounds in
// this case, or are undefined for some i.
//
// For a filter with blocks, a formula could also be evaluated only once, with the m and n of the whole filter. With
// standard hashing, the values of the kinds "bloom", "lower" and "upper" are then not always bounds of the rate. With
// partitioned hashing, the value of the kind "upper" is then a lower bound of the rate. Blocks therefore never lower
// the rate of a partitioned filter.
//
// For partitioned hashing with blocks, f_i is p_i^k, and the mean of p_i over i is 1 - (1-k/m)^n. The function x^k is
// convex. So Jensen's inequality gives this lower bound:
//
//	(1 - (1-k/m)^n)^k <= f.
//
// Source: see bloomproof.Bound. The comments in bounds.go, lower.go, lower_binomial.go and taylor.go name the equation
// of each formula.
// Domain: g is valid; 0 <= n < 2^64; prec is from 1 to MaxPrec bits. The kinds "lower", lower_classic, "upper" and
// "partitioned" are undefined for k > m. The kind "partitioned" is also undefined where k does not divide m. The kind
// lower_simple is undefined for k > m or mu < k-1. The kind bose_upper is undefined for n = 0 or t >= 1. With blocks of
// s bits, these conditions hold with s in place of m.
// Error: relative width at most 2^-prec. A value of exactly 0 (for n = 0) or exactly 1 has width 0.
// Cost: a few logarithms and exponentials. The kind "lower" costs as much as FPR. The kinds lower_simple and
// lower_classic take 2k products. With blocks, every kind costs as much as FPR by the route "difference".
// Errors: *bloomproof.ParamError; ErrUndefined; with blocks ErrTooCostly under the same conditions as FPR. Bound also
// returns a ParamError if no relation between the formula and the rate is known for this hashing.
func Bound(kind bloomproof.Bound, g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	l, err := checkedFillLaw(g, prec)
	if err != nil {
		return Enclosure{}, err
	}
	if err := refuseBound(l, kind, l.bounds()); err != nil {
		return Enclosure{}, err
	}
	return boundOf(l, kind, g, n, prec)
}

// Bounds returns the values of all formulas of Bound that apply to a filter of shape g after n insertions. A formula
// applies if it is defined for this filter and its relation to the rate of the filter is known.
//
// Domain, Error, Cost: as for Bound.
// Errors: *bloomproof.ParamError; with blocks ErrTooCostly under the same conditions as FPR.
func Bounds(g bloomproof.Geometry, n uint64, prec uint) (map[bloomproof.Bound]Enclosure, error) {
	l, err := checkedFillLaw(g, prec)
	if err != nil {
		return nil, err
	}
	all := map[bloomproof.Bound]Enclosure{}
	for _, kind := range l.bounds() {
		switch e, err := boundOf(l, kind, g, n, prec); {
		case err == nil:
			all[kind] = e
		case !errors.Is(err, refuse.ErrUndefined):
			return nil, err
		}
	}
	return all, nil
}

// powerGuard is a number of extra bits of working precision. These bits cover the rounding errors of the logarithms and
// exponentials from which the fill is computed. Raising the fill to the k-th power multiplies its relative error by k.
// For this factor, the callers add further bits to the working precision.
const powerGuard = 16

// The function "fill" returns the mean fill of a filter of m >= 2 bits after N random positions. The mean fill is
// E[X]/m = 1 - (1-1/m)^N. The fill is computed as 1 - e^-a with the exponent a = -N log(1-1/m). The relative error of
// the fill is a few units in the last place. If the exponent has the relative error d, the fill has the relative error
// d*a*e^-a/(1-e^-a), which is at most d. Equation (1) of Fan gives 1 minus the fill.
func fill(m uint64, n *big.Int, work uint) *interval.Interval {
	x := occupancy.LogEmpty(m, n, work)
	x.Expm1(x)
	return x.Neg(x)
}

// The function "bloom" returns f_bloom. This would be the rate if the number of set bits were exactly the mean number:
//
//	(1 - (1-1/m)^(kn))^k.
//
// Source: Burns (57), where f_bloom is called M; Fan, equation (2).
// Domain: m is from 1 to 2^64-1, k is from 1 to 4096, and n is from 0 to 2^64-1. The number k may exceed m. The
// argument "prec" is 1 to MaxPrec. Everywhere in this domain f_bloom is at most the standard rate, by Jensen's
// inequality. The two are equal only for n = 0, m = 1 or k = 1. The rate f_bloom is also at most the partitioned rate.
// But for k > 1, f_bloom is not always a lower bound of the classic rate. At m = 4, n = 1, k = 2, f_bloom is 49/256,
// and the classic rate is 1/6.
// Error: relative width at most 2^-prec.
// Cost: the function computes one logarithm, one exponential and log2(k) products.
func bloom(m, n uint64, k int, prec uint) (Enclosure, error) {
	switch {
	case n == 0:
		return exactlyInt(0, prec), nil
	case m == 1:
		return exactlyInt(1, prec), nil
	}
	nk := integer.Product(n, k)
	return probability(ziv(prec, prec+uint(bits.Len(uint(k)))+powerGuard, func(work uint) *interval.Interval {
		return interval.New(work).PowInt(fill(m, nk, work), big.NewInt(int64(k)))
	}))
}

// The function "exponential" returns the textbook approximation
//
//	(1 - e^(-kn/m))^k.
//
// Source: Burns (58); Fan (2), (22). Burns calls this approximation E. Suppose that m grows while kn/m stays the same.
// Then the false-positive rate converges to this approximation, by (21) and (23) of Fan. The values of the functions
// "bloom" and "upper" converge to it too.
// Domain: as for bloom. Since 1-1/m < e^(-1/m), the approximation is at most f_bloom. So it is at most the standard and
// the partitioned rate.
// Error: relative width at most 2^-prec.
// Cost: one exponential.
func exponential(m, n uint64, k int, prec uint) (Enclosure, error) {
	if n == 0 {
		return exactlyInt(0, prec), nil
	}
	x := new(big.Rat).SetFrac(integer.Product(n, k), new(big.Int).SetUint64(m))
	x.Neg(x)
	return probability(ziv(prec, prec+uint(bits.Len(uint(k)))+powerGuard, func(work uint) *interval.Interval {
		p := interval.New(work).SetRat(x)
		p.Expm1(p)
		p.Neg(p)
		return p.PowInt(p, big.NewInt(int64(k)))
	}))
}

// committeeFill returns 1 - (1-k/m)^n for k <= m and n >= 1. This is the mean fill of a classic filter, whose items
// each set k distinct bits.
func committeeFill(m, n uint64, k int, work uint) *interval.Interval {
	x := interval.New(work)
	if uint64(k) == m {
		return x.SetUint64(1)
	}
	x.SetRat(new(big.Rat).SetFrac(big.NewInt(int64(-k)), new(big.Int).SetUint64(m)))
	x.Log1p(x)
	x.Mul(x, interval.New(work).SetUint64(n))
	x.Expm1(x)
	return x.Neg(x)
}

// The function "upper" returns U, Bloom's approximation of the classic rate:
//
//	(1 - (1-k/m)^n)^k = (mu_C/m)^k.
//
// Source: Burns (65); Fan (17), (18), (20).
// Domain: 1 <= k <= m, otherwise as for the function "bloom". Burns states the bound for k <= (m-1)/2. In fact U is at
// least the classic rate and the standard rate for all k <= m. The reason is as follows. The printed proofs use Theorem
// 15 of Burns, but only for moments of order r <= k. For these orders the theorem needs only k <= m (see the function
// "lower"). U equals both rates for k = 1, and equals the classic rate for k = m. For k > m, U is not a bound. For
// example, at m = 1, n = 2, k = 2, U is 0, but the rate is 1. TestOrder and TestTheorem15 check these statements on
// every filter up to m = 14, k = m+2, n = 8.
// Error: the relative width is at most 2^-prec. The result is exactly 1 if k = m and n >= 1.
// Cost: one logarithm, one exponential.
// Errors: ErrUndefined for k > m.
func upper(m, n uint64, k int, prec uint) (Enclosure, error) {
	switch {
	case uint64(k) > m:
		return Enclosure{}, refuse.Undefined("upper", "k exceeds m")
	case n == 0:
		return exactlyInt(0, prec), nil
	case uint64(k) == m:
		return exactlyInt(1, prec), nil
	}
	return probability(ziv(prec, prec+uint(bits.Len(uint(k)))+powerGuard, func(work uint) *interval.Interval {
		p := committeeFill(m, n, k, work)
		return p.PowInt(p, big.NewInt(int64(k)))
	}))
}

// The function "partitioned" returns the rate of a partitioned filter. Where k divides m, this rate equals the
// value of the function "upper".
//
// Source: Fan (19).
// Domain: k divides m, otherwise as for the function "bloom". If k does not divide m, the slices have unequal sizes,
// and the formula is not the rate of any filter.
// Error, Cost: as for upper.
// Errors: ErrUndefined when k does not divide m.
func partitioned(m, n uint64, k int, prec uint) (Enclosure, error) {
	if m%uint64(k) != 0 {
		return Enclosure{}, refuse.Undefined("partitioned", "k does not divide m")
	}
	return upper(m, n, k, prec)
}

// The function "bose" returns Bose's upper bound with the constant 1. Let p = 1 - (1-1/m)^(kn). Then the bound is
// f_bloom (1 + t), where t is this number:
//
//	t = (k/p) sqrt((ln m - k ln p)/m).
//
// Source: Fan (5), (6). Equation (5) has O(t) in place of t.
// Domain: n >= 1 and t < 1, otherwise as for the function "bloom". If condition (6) of Fan holds with any constant
// below 1, then t is less than 1. The published bound is asymptotic. TestBoseUpper checks that the constant 1 suffices;
// no proof is known.
// Error: relative width at most 2^-prec.
// Cost: two logarithms, one exponential, one root.
// Errors: ErrUndefined outside the domain.
func bose(m, n uint64, k int, prec uint) (Enclosure, error) {
	switch {
	case n == 0:
		return Enclosure{}, refuse.Undefined("bose_upper", "no bit is set")
	case m == 1:
		return exactlyInt(1, prec), nil
	}
	nk := integer.Product(n, k)
	outside := false
	e, err := ziv(prec, prec+uint(2*bits.Len(uint(k)))+boseGuard, func(work uint) *interval.Interval {
		t := boseTerm(m, nk, k, work)
		one := interval.New(work).SetUint64(1)
		if order, decided := t.Cmp(one); decided && order >= 0 {
			outside = true
			return one
		} else if !decided {
			return t.Sub(t, one) // the enclosure contains 0, so ziv tries a higher precision
		}
		one.Add(one, t)
		return one.Mul(one, t.PowInt(fill(m, nk, work), big.NewInt(int64(k))))
	})
	if outside {
		return Enclosure{}, refuse.Undefined("bose_upper", "condition (6) does not hold")
	}
	return e, err
}

// boseGuard is a number of extra bits of working precision. These bits cover the rounding errors of two logarithms, a
// root and a quotient. The bits that the k-th power loses are added separately.
const boseGuard = 24

// boseTerm returns the number t that the comment of the function "bose" defines.
func boseTerm(m uint64, nk *big.Int, k int, work uint) *interval.Interval {
	nw := func() *interval.Interval { return interval.New(work) }
	p := fill(m, nk, work)
	lnp := nw().Exp(occupancy.LogEmpty(m, nk, work)) // log p = log1p(-(1-1/m)^N), which is accurate for p near 1
	if lnp.Neg(lnp); lnp.Hi().Cmp(big.NewFloat(-0.5)) < 0 {
		lnp.Log(p)
	} else {
		lnp.Log1p(lnp)
	}
	kk := nw().SetUint64(uint64(k))
	t := nw().Log(nw().SetUint64(m))
	lnp.Mul(lnp, kk)
	t.Sub(t, lnp)
	t.Quo(t, nw().SetUint64(m))
	t.Sqrt(t)
	kk.Quo(kk, p)
	return t.Mul(t, kk)
}
