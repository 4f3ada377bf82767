package exact

import (
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// For a nearly empty filter with many positions the alternating sum (56) loses all its digits:
// its terms cancel down to f, which is about p^r at the fill p. The same moment is a sum
// of positive terms. Burns (9) is
//
//	E[(X/m)^r] = m^-r sum over i of S(r,i) m(m-1)...(m-i+1) P_i,
//
// with S the Stirling numbers of the second kind and P_i the probability that i given urns
// are all occupied. P_i is the i-th backward difference of x^N at x = m, over m^N, which (56)
// expands with its signs. It is also the forward difference at m-i. Counting
// the t balls that fall into the i urns expands it without signs:
//
//	P_i = m^-N sum over t = i..N of C(N,t) (m-i)^(N-t) i! S(t,i).
//
// With d = t-i, the moment is
//
//	f = sum over i = 1..min(r,N) of S(r,i) g_i (1-i/m)^(N-i) sum over d of h_i(d)
//	g_i = i! m(m-1)...(m-i+1) / m^(r+i),   h_i(d) = S(i+d,i) C(N,i+d) (m-i)^-d.
//
// The working bits depend on the precision alone. The series over d converges fast where there
// are few balls an urn: its terms beyond d = i N/m / 2 fall off like a Poisson tail.
//
// One recurrence gives both kinds of Stirling numbers, S(i+d,i) = i S(i+d-1,i) + S(i-1+d,i-1).
// The outer loop is over d, with one element for each i; S(r,i) occurs at d = r-i.
//
// # Errors
//
// All numbers are sums and products of positive floats, each rounded toward 0 at w bits. A computed
// value v with c roundings on its longest path has v <= true <= v (1-u)^-c, u = 2^(1-w).
// The counts are 2d+i for S(i+d,i) (from max(c+2, c'+1)), 2d for (m-i)^-d, and 2(i+d) for the
// binomial coefficient. Hence they are 6d+3i+2 for h_i(d), and at most c = 7D+3i+3 for the sum up to
// d = D. (1-u)^-c <= 1+2cu while cu <= 1/2.
//
// # Truncation
//
// S(i+d,i) is the complete homogeneous symmetric polynomial H_d of 1, ..., i, for which
// H_d^2 - H_(d+1) H_(d-1) is a Schur polynomial, so not negative (Jacobi-Trudi). Therefore
// H_(d+1)/H_d does not increase with d. C(N,i+d+1)/C(N,i+d) does not increase either, so nor does
// q = h(d+1)/h(d). So the terms after h(d) sum to at most h(d) q/(1-q), q = h(d)/h(d-1); for
// q <= 15/16 this is at most 15 h(d). The test below allows for the roundings.

// fillSeries is the state of the series over d of one i.
type fillSeries struct {
	number     big.Float // S(i+d,i)
	base, pow  big.Float // 1/(m-i) and its d-th power
	sum, last  big.Float // of h up to d, and h(d)
	weight     big.Float // S(r,i), once d = r-i
	step       big.Float // i
	negligible bool      // what is left of the series
}

// fillSums returns, for i = 1..last, S(r,i) and the sum of h_i as lower bounds, and the
// last d. The part of the series that is left out is at most 2^-work of its sum. The
// bound for the roundings is above. It requires last < m, last <= N.
func fillSums(m uint64, n *big.Int, r, last int, work uint) (series []fillSeries, depth int) {
	float := func(z *big.Float) *big.Float { return z.SetPrec(work).SetMode(big.ToZero) }
	series = make([]fillSeries, last+1)
	for i := range series {
		s := &series[i]
		float(&s.weight)
		float(&s.sum)
		float(&s.last)
		float(&s.base).Quo(big.NewFloat(1), new(big.Float).SetUint64(m-uint64(i)))
		float(&s.pow).SetUint64(1)
		float(&s.number).SetUint64(uint64(min(i, 1))) // S(i,i); none for i = 0, d > 0
		s.step.SetUint64(uint64(i))
	}
	choose := []*big.Float{float(new(big.Float)).SetUint64(1)} // C(N, t)
	left := new(big.Float).SetInt(n)                           // N-t: exact, it takes the length of N
	t, u := float(new(big.Float)), float(new(big.Float))
	for open := last; ; depth++ {
		for open > 0 && series[open].negligible {
			open--
		}
		// Below open, series still need numbers; S(r,i) is due up to i = r-d.
		high := max(open, min(last, r-depth))
		if high < 1 {
			return series, depth
		}
		for len(choose) <= high+depth {
			at := len(choose)
			c := float(new(big.Float))
			t.Mul(choose[at-1], left)
			choose = append(choose, c.Quo(t, u.SetUint64(uint64(at))))
			if left.Sign() > 0 {
				left.Sub(left, big.NewFloat(1))
			}
		}
		for i := 1; i <= high; i++ {
			s := &series[i]
			if depth > 0 {
				t.Mul(&s.number, &s.step)
				s.number.Add(t, &series[i-1].number)
			}
			if i+depth == r {
				s.weight.Set(&s.number)
			}
			if s.negligible {
				continue
			}
			if depth > 0 {
				s.pow.Set(t.Mul(&s.pow, &s.base))
			}
			t.Mul(&s.pow, choose[i+depth])
			u.Mul(t, &s.number)
			s.sum.Set(t.Add(&s.sum, u))
			s.negligible = negligible(u, &s.last, &s.sum, work)
			s.last.Set(u)
		}
	}
}

// negligible reports whether the sum of all terms after term is certainly at most sum 2^-work,
// given the term before it. It uses that true ratios of terms do not increase.
//
// term <= 7/8 before makes the true ratio at most 15/16, since computed terms lack far
// less than 1/15 (cu < 2^-8, which momentSmallFill ensures). The rest is then at most 15 true terms, less than
// 2^5 term.
func negligible(term, before, sum *big.Float, work uint) bool {
	if term.Sign() == 0 {
		return true // C(N, t) for t > N: the series is finite
	}
	if sum.MantExp(nil)-term.MantExp(nil) < int(work)+6 {
		return false
	}
	limit := new(big.Float).SetPrec(floatWork).SetMode(big.ToZero)
	return term.Cmp(limit.Mul(before, big.NewFloat(0.875))) <= 0
}

// momentSmallFill returns E[(X/m)^r], X occupied of N balls, r >= 1, N >= 1,
// min(r, N) < m, from sums of positive terms. It is for fills that are not near 1, since the
// series have more than r N/m terms.
func momentSmallFill(m uint64, n *big.Int, r int, prec uint) (Enclosure, error) {
	return ziv(prec, smallFillBits(r, prec), func(work uint) *interval.Interval {
		return smallFillSum(m, n, r, work)
	})
}

// smallFillSum is momentSmallFill in work bits. Its result is not Valid where work is
// too small.
func smallFillSum(m uint64, n *big.Int, r int, work uint) *interval.Interval {
	last := lastFill(n, r)
	series, depth := fillSums(m, n, r, last, work)
	// S(r,i) has its own roundings, 2D+i at most, in addition to those of the series.
	c := 9*int64(depth) + 4*int64(last) + 3
	if uint(bits.Len64(uint64(c)))+9 > work {
		return new(interval.Interval).SetEnds(big.NewFloat(1), new(big.Float)) // not Valid
	}
	// The factor covers 1+2cu and the rest of the series.
	whole := new(big.Int).Lsh(integer.One, work)
	missed := interval.New(work).SetScaled(whole, new(big.Int).Add(whole, big.NewInt(4*c+1)), -int(work))

	float := func() *interval.Interval { return interval.New(work) }
	urns := float().SetUint64(m)
	g := float().Quo(float().SetUint64(1), urns)
	g.PowInt(g, big.NewInt(int64(r)))
	// A power's relative error is N times that of its base.
	wide := work + uint(n.BitLen()) + 8
	all, base := interval.New(wide).SetUint64(m), interval.New(wide)
	exponent := new(big.Int)
	sum, t := float(), float()
	for i := 1; i <= last; i++ {
		rest := m - uint64(i)
		g.Mul(g, t.SetUint64(rest+1))
		g.Mul(g, t.SetUint64(uint64(i)))
		g.Quo(g, urns)
		base.SetUint64(rest)
		base.Quo(base, all)
		t.PowInt(base, exponent.Sub(n, big.NewInt(int64(i))))
		s := &series[i]
		t.Mul(t, g)
		t.Mul(t, float().SetEnds(&s.weight, &s.weight))
		t.Mul(t, float().SetEnds(&s.sum, &s.sum))
		sum.Add(sum, t)
	}
	return sum.Mul(sum, missed)
}

// smallFillBits is the working precision. There are fewer than 2^6 (r + D) roundings, and
// D is not known yet.
func smallFillBits(r int, prec uint) uint { return prec + 2*uint(bits.Len(uint(r))) + sumGuard }

// lastFill returns min(r, N).
func lastFill(n *big.Int, r int) int {
	if n.IsInt64() {
		return int(min(n.Int64(), int64(r)))
	}
	return r
}
