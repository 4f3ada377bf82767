package exact

import (
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/occupancy"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// BloomPeak returns the number of items, a real number, at which the efficiency of Bloom
// peaks, and that peak:
//
//	n = ln 2/(k ln(m/(m-1))),   epsilon = ln 2/(m ln(m/(m-1))) = 1/(m log2(m/(m-1)))
//
// The peak does not depend on k. For k = 1 it is that of the standard filter, and the
// largest for any n and k (integer n reach it only nearly).
//
// Source: Burns, after Corollary 25 (n*_M, epsilon*_M); (74), Corollary 27.
// Domain: 2 <= m < 2^64, 1 <= k <= 4096, prec 1 to MaxPrec.
// Error: relative widths at most 2^-prec.
// Cost: two logarithms.
// Errors: *bloomproof.ParamError; ErrUndefined for m = 1.
func BloomPeak(m uint64, k int, prec uint) (n, efficiency Enclosure, err error) {
	if err := checkShape(m, k, prec); err != nil {
		return n, n, err
	}
	if m == 1 {
		return n, n, refuse.Undefined("peak", "every item sets all bits")
	}
	per := func(count *big.Int) (Enclosure, error) {
		return ziv(prec, prec+8, func(work uint) *interval.Interval {
			x := occupancy.LogEmpty(m, count, work)
			return x.Quo(ln2Interval(work), x.Neg(x))
		})
	}
	if n, err = per(big.NewInt(int64(k))); err != nil {
		return n, n, err
	}
	efficiency, err = per(new(big.Int).SetUint64(m))
	return n, efficiency, err
}

// ExponentialPeak returns the same as BloomPeak for the exponential approximation:
//
//	n = (m/k) ln 2,   epsilon = ln 2
//
// Source: Burns, after Corollary 25 (n*_E, epsilon*_E).
// Domain: 1 <= m < 2^64, 1 <= k <= 4096, prec 1 to MaxPrec.
// Error: relative widths at most 2^-prec.
// Cost: one logarithm.
// Errors: *bloomproof.ParamError.
func ExponentialPeak(m uint64, k int, prec uint) (n, efficiency Enclosure, err error) {
	if err := checkShape(m, k, prec); err != nil {
		return n, n, err
	}
	if n, err = BloomBestK(m, uint64(k), prec); err != nil {
		return n, n, err
	}
	efficiency, err = BloomBestK(1, 1, prec)
	return n, efficiency, err
}

// ClassicPeakItems returns Burns' empirical number of items at the peak of a classic
// filter:
//
//	n = (m/k - 1) ln 2
//
// Source: Burns (76).
// Domain: 1 <= k <= m, otherwise as BloomPeak; an approximation, see PeakEfficiency.
// Error: relative width at most 2^-prec; exactly 0 for k = m.
// Cost: one logarithm.
// Errors: *bloomproof.ParamError; ErrUndefined for k > m.
func ClassicPeakItems(m uint64, k int, prec uint) (Enclosure, error) {
	if err := checkShape(m, k, prec); err != nil {
		return Enclosure{}, err
	}
	if uint64(k) > m {
		return Enclosure{}, refuse.Undefined("peak", "k exceeds m")
	}
	if uint64(k) == m {
		return exactlyInt(0, prec), nil
	}
	return BloomBestK(m-uint64(k), uint64(k), prec)
}

// ClassicPeakK returns Burns' empirical number of positions at the peak of a classic filter
// with n items:
//
//	k = m ln 2/(n + ln 2)
//
// Source: Burns (77).
// Domain: 1 <= m < 2^64, 0 <= n < 2^64, prec 1 to MaxPrec; an approximation.
// Error: relative width at most 2^-prec.
// Cost: one logarithm.
// Errors: *bloomproof.ParamError.
func ClassicPeakK(m, n uint64, prec uint) (Enclosure, error) {
	if err := checkCounts(m, 1, prec); err != nil {
		return Enclosure{}, err
	}
	return ziv(prec, prec+8, func(work uint) *interval.Interval {
		l := ln2Interval(work)
		x := interval.New(work).Add(interval.New(work).SetUint64(n), l)
		return x.Quo(l.Mul(l, interval.New(work).SetUint64(m)), x)
	})
}

// ClassicMaximum returns the efficiency of a classic filter with one item of half its bits,
// which Conjecture 28 says is the highest:
//
//	(1/m) log2 C(m, floor(m/2))
//
// Source: Burns (75), there for even m.
// Domain: 1 <= m < 2^64, prec 1 to MaxPrec. The filter itself has k = floor(m/2), so it
// can be built for m <= 8193.
// Error: relative width at most 2^-prec; exactly 0 for m = 1.
// Cost: a logarithm of a binomial coefficient by Stirling's series: below a second for 1000 digits.
// Errors: *bloomproof.ParamError; ErrTooCostly for prec above 2^13.
func ClassicMaximum(m uint64, prec uint) (Enclosure, error) {
	if err := checkCounts(m, 1, prec); err != nil {
		return Enclosure{}, err
	}
	const most = 1 << 13
	switch {
	case prec > most:
		return Enclosure{}, refuse.TooCostly("Stirling's series", float64(prec), most)
	case m == 1:
		return exactlyInt(0, prec), nil
	}
	return ziv(prec, prec+24, func(work uint) *interval.Interval {
		x := log2Choose(m, m/2, work)
		return x.Quo(x, interval.New(work).SetUint64(m))
	})
}

// EfficiencyLimit returns the limit of the highest efficiency for many bits:
//
//	standard and partitioned  ln 2
//	classic                   1
//
// Source: Burns, Corollary 30; the partitioned peak (k/m) ln 2/ln(m/(m-k)) has its limit.
// The classic one rests on (75) as a lower bound, and on Walker's bound of 1 for any filter,
// not on Conjecture 28.
// Domain: prec 1 to MaxPrec.
// Error: relative width at most 2^-prec; exactly 1 for classic.
// Cost: one logarithm.
// Errors: *bloomproof.ParamError.
func EfficiencyLimit(h bloomproof.Hashing, prec uint) (Enclosure, error) {
	if err := valid(bloomproof.Geometry{M: 1, K: 1, Hashing: h}); err != nil {
		return Enclosure{}, err
	}
	if h == bloomproof.Classic {
		if err := precision.Check(prec); err != nil {
			return Enclosure{}, err
		}
		return exactlyInt(1, prec), nil
	}
	return BloomBestK(1, 1, prec)
}

// ValleyPoint returns the items a bit, x > 0, at which k and k+1 positions an item have the
// same exponential rate,
//
//	(1 - e^(-kx))^k = (1 - e^(-(k+1)x))^(k+1),   x = ln z, z^(k+1) = z + 1
//
// which is z = (1 + (1 + (1 + ...)^(1/(k+1)))^(1/(k+1)))^(1/(k+1)), and that rate,
// z^(-k(k+1)).
//
// Source: Burns (78), (79), Theorem 31.
// Domain: 1 <= k <= 4096, prec 1 to MaxPrec.
// Error: relative widths at most 2^-prec. x is the only zero above 0 of (k+1)x - ln(1+e^x),
// which grows with x; Newton's method on intervals keeps it inside.
// Cost: a few logarithms and exponentials.
// Errors: *bloomproof.ParamError.
func ValleyPoint(k int, prec uint) (x, rate Enclosure, err error) {
	if err := checkShape(1, k, prec); err != nil {
		return x, x, err
	}
	first := prec + uint(2*bits.Len(uint(k))) + 16
	x, err = ziv(prec, first, func(work uint) *interval.Interval { return valley(k, work) })
	if err != nil {
		return x, x, err
	}
	rate, err = ziv(prec, first+uint(2*bits.Len(uint(k))), func(work uint) *interval.Interval {
		l := valley(k, work)
		l.Mul(l, interval.New(work).SetUint64(uint64(k)*uint64(k+1)))
		return l.Exp(l.Neg(l))
	})
	return x, rate, err
}

// valley returns x of ValleyPoint. Since ln 2 <= ln(1+e^x) <= ln 2 + x, it is between
// ln 2/(k+1) and ln 2/k.
func valley(k int, work uint) *interval.Interval {
	nw := func() *interval.Interval { return interval.New(work) }
	up, one := nw().SetUint64(uint64(k)+1), nw().SetUint64(1)
	ln2 := ln2Interval(work)
	x, steps := nw().SetEnds(nw().Quo(ln2, up).Lo(), nw().Quo(ln2, nw().SetUint64(uint64(k))).Hi()), 12
	if work > 128 { // each step doubles the bits
		x, steps = nw().Set(valley(k, work/2+16)), 2
	}
	for range steps {
		middle := new(big.Float).SetPrec(work).Add(x.Lo(), x.Hi())
		middle.SetMantExp(middle, -1)
		at := nw().SetEnds(middle, middle)
		g := nw().Mul(up, at)
		g.Sub(g, nw().Log1p(nw().Exp(at)))
		slope := nw().Exp(nw().Neg(x)) // k+1 - 1/(1+e^-x)
		slope.Sub(up, slope.Quo(one, slope.Add(slope, one)))
		next := nw().Sub(at, g.Quo(g, slope))
		lo, hi := next.Lo(), next.Hi()
		if x.Lo().Cmp(lo) > 0 {
			lo = x.Lo()
		}
		if x.Hi().Cmp(hi) < 0 {
			hi = x.Hi()
		}
		x.SetEnds(lo, hi)
	}
	return x
}
