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

// boundFormulas are the formulas of the bounds, for m >= 1, any n and k and a valid prec. They
// return ErrUndefined where a bound does not exist.
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

// Bound returns a closed formula that approximates or bounds the rate f of a filter of shape
// g after n insertions. In the formulas, mu = m (1-(1-1/m)^(kn)) is the mean number of set bits of a
// standard filter, and mu' = m (1-(1-k/m)^n) is that of a classic filter.
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
// The following table has the relation of each formula to the rate f, and the hashings for which the relation holds:
//
//	exponential <= bloom <= f       standard, partitioned
//	lower_simple <= lower <= f      standard, classic, partitioned, where mu > k-1
//	lower_classic <= f              classic, partitioned
//	f <= upper                      all, k <= m
//	f = partitioned                 partitioned; an upper bound for the other hashings
//	f about taylor                  standard; taylor is no bound and can exceed 1
//	f <= bose_upper                 standard, for large m; TestBoseUpper checks that the
//	                                constant 1 suffices, and no proof is known
//
// With blocks of s bits, each block has a rate f_i that depends on its number of items i. The number i of items in the
// block of the query has the distribution Bin(n, s/m), and the rate f is the mean of f_i over i. Bound then returns the
// mean over i of the formula for s bits and i items. A relation that holds for every f_i also holds for f. Bound has
// the kinds bloom, exponential, lower, lower_classic, upper and partitioned with blocks, for the same hashings as
// without. The other kinds bound nothing with blocks, or do not exist for every i. With standard hashing, none of the
// formulas bloom, lower and upper, computed for all m bits, bounds the rate of every filter with blocks. With
// partitioned hashing, the formula upper for all m bits is a lower bound of the rate. It shows that blocks never lower
// a partitioned rate:
//
//	(1 - (1-k/m)^n)^k <= f          partitioned with blocks: f_i = p_i^k, the mean of p_i is
//	                                1 - (1-k/m)^n, and x^k is convex (Jensen)
//
// Source: see bloomproof.Bound; the functions in bounds.go, lower.go, lower_binomial.go and
// taylor.go say what each formula bounds, and where.
// Domain: g valid; 0 <= n < 2^64; prec 1 to MaxPrec bits. lower, lower_classic, upper and partitioned are undefined for
// k > m. partitioned is also undefined where k does not divide m, lower_simple for k > m or mu < k-1, and bose_upper
// for n = 0 or t >= 1. With blocks, these conditions hold with s in place of m.
// Error: relative width at most 2^-prec; exactly 0 for n = 0; a value of exactly 1 is returned as such.
// Cost: a few logarithms and exponentials; lower costs as much as FPR; lower_simple and lower_classic take 2k products.
// With blocks every kind costs as much as the route difference of FPR.
// Errors: *bloomproof.ParamError, also where the kind has no known relation to the rate of the hashing;
// ErrUndefined; with blocks ErrTooCostly as FPR.
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

// Bounds returns the values of all formulas of Bound that are defined for a filter of shape g after n insertions, and
// whose relation to the rate of that filter is known.
//
// Domain, Error, Cost: as Bound.
// Errors: *bloomproof.ParamError; with blocks ErrTooCostly as FPR.
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

// powerGuard is the number of extra bits for the roundings in the fill of a bound: a few logarithms and exponentials.
// The k-th power multiplies a relative error by k; the bits for this factor are added separately.
const powerGuard = 16

// fill returns E[X]/m = 1 - (1-1/m)^N for m >= 2, with a relative error of a few units in the last place. Expm1 turns a
// relative error d of its argument -a into a e^-a d / (1-e^-a) <= d. Fan (1) is the complement of the fill.
func fill(m uint64, n *big.Int, work uint) *interval.Interval {
	x := occupancy.LogEmpty(m, n, work)
	x.Expm1(x)
	return x.Neg(x)
}

// bloom returns f_bloom, the rate that a filter with the mean number of set bits has:
//
//	(1 - (1-1/m)^(kn))^k
//
// Source: Burns (57), where it is called M; Fan (2).
// Domain: 1 <= m < 2^64 bits; 1 <= k <= 4096, k > m allowed; 0 <= n < 2^64; prec 1 to MaxPrec. In the whole domain it
// is at most the standard rate (Jensen), with equality only for n = 0, m = 1 or k = 1. It is also at most the
// partitioned rate. It does not bound the classic rate for k > 1: at m = 4, n = 1, k = 2 it is 49/256, and the rate is
// 1/6.
// Error: relative width at most 2^-prec.
// Cost: one logarithm, one exponential, log2 k products.
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

// exponential returns the textbook approximation
//
//	(1 - e^(-kn/m))^k
//
// Source: Burns (58), where it is called E; Fan (2), (22). By (21) and (23), bloom, upper and the rate converge to it
// as m grows at the same kn/m.
// Domain: as bloom. It is at most bloom, since 1-1/m < e^(-1/m), and so at most the
// standard and the partitioned rate.
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

// committeeFill returns 1 - (1-k/m)^n for k <= m, n >= 1.
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

// upper returns U, the approximation of the classic rate that Bloom gave:
//
//	(1 - (1-k/m)^n)^k = (mu_C/m)^k
//
// Source: Burns (65); Fan (17), (18), (20).
// Domain: 1 <= k <= m, otherwise as bloom. The paper states the bound for k <= (m-1)/2, but U is at least the classic
// and the standard rate for all k <= m. The printed proofs use Theorem 15 with r <= k only, and for such r the theorem
// needs only k <= m (see lower). Equality holds with both rates for k = 1, and with the classic rate for k = m. For k >
// m U bounds nothing: at m = 1, n = 2, k = 2 it is 0, and the rate is 1. TestOrder and TestTheorem15 check all these
// statements on every filter up to m = 14, k = m+2, n = 8.
// Error: relative width at most 2^-prec; exactly 1 for k = m, n >= 1.
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

// partitioned returns the rate of a partitioned filter, which equals upper where k divides m.
//
// Source: Fan (19).
// Domain: k divides m, otherwise as bloom. If the slices have unequal sizes, no filter has this formula as its rate.
// Error, Cost: as upper.
// Errors: ErrUndefined when k does not divide m.
func partitioned(m, n uint64, k int, prec uint) (Enclosure, error) {
	if m%uint64(k) != 0 {
		return Enclosure{}, refuse.Undefined("partitioned", "k does not divide m")
	}
	return upper(m, n, k, prec)
}

// bose returns Bose's upper bound with the constant 1:
//
//	f_bloom (1 + t),   t = (k/p) sqrt((ln m - k ln p)/m),   p = 1 - (1-1/m)^(kn)
//
// Source: Fan (5), which has O(t) in place of t, and (6).
// Domain: n >= 1 and t < 1, which is condition (6) with any constant below 1; otherwise as bloom. The published bound
// is asymptotic. TestBoseUpper checks that the constant 1 suffices; this is not proven.
// Error: relative width at most 2^-prec.
// Cost: two logarithms, one exponential, one root.
// Errors: ErrUndefined outside the condition.
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
			return t.Sub(t, one) // contains 0, so ziv tries a higher precision
		}
		one.Add(one, t)
		return one.Mul(one, t.PowInt(fill(m, nk, work), big.NewInt(int64(k))))
	})
	if outside {
		return Enclosure{}, refuse.Undefined("bose_upper", "condition (6) does not hold")
	}
	return e, err
}

// boseGuard is the number of extra bits for the roundings of two logarithms, a root and a quotient, in addition to
// those of the power.
const boseGuard = 24

// boseTerm returns the number t in the formula of bose.
func boseTerm(m uint64, nk *big.Int, k int, work uint) *interval.Interval {
	nw := func() *interval.Interval { return interval.New(work) }
	p := fill(m, nk, work)
	lnp := nw().Exp(occupancy.LogEmpty(m, nk, work)) // log p = log1p(-(1-1/m)^N), accurate near p = 1
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
