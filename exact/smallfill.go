package exact

import (
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

// Consider a nearly empty filter whose items have a large number r of positions. Let p be its fill. The terms of the
// alternating sum in equation (56) of Burns then cancel almost completely, because their sum f is only about p^r. This
// sum is a moment. By equation (9) of Burns, the moment is also a sum of positive terms:
//
//	E[(X/m)^r] = m^-r sum over i of S(r,i) m(m-1)...(m-i+1) P_i.
//
// Here S(r,i) is a Stirling number of the second kind, and P_i is the probability that i given urns are all occupied.
// P_i is the i-th backward difference of x^N at x = m, divided by m^N. Equation (56) expands this difference with
// alternating signs. The difference is also the i-th forward difference at x = m-i. Let t be the number of balls that
// fall into the i urns. Then P_i is the following sum of positive terms:
//
//	P_i = i! m^-N sum over t = i..N of S(t,i) C(N,t) (m-i)^(N-t).
//
// Let d = t-i. For each i let g_i be this number:
//
//	g_i = i! m(m-1)...(m-i+1) / m^(r+i).
//
// For each i and d let h_i(d) be this number:
//
//	h_i(d) = S(i+d,i) C(N,i+d) (m-i)^-d.
//
// Then the moment f is this double sum:
//
//	f = sum over i = 1..min(r,N) of [S(r,i) g_i (1-i/m)^(N-i) * sum over d of h_i(d)].
//
// The working precision depends only on r and the requested precision. The sum of h_i(d) over d is called the series
// for i. It converges fast if there are few balls per urn. For d above i*N/(2m), its terms decrease like the tail of a
// Poisson distribution.
//
// One recurrence gives both Stirling numbers S(r,i) and S(i+d,i): S(i+d,i) = i S(i+d-1,i) + S(i-1+d,i-1). The outer
// loop is over d, and the inner loop over i. The number S(r,i) occurs at d = r-i.
//
// The errors are bounded as follows. All numbers are sums and products of positive floats. Each result has w bits and
// is rounded toward 0. Consider a computed value v. Every path through the operations from an input to v has a number
// of roundings. Let c be the largest of these numbers. Then the true value lies between v and v (1-u)^-c, where u =
// 2^(1-w). For S(i+d,i), c is 2d+i by the recurrence. For (m-i)^-d, c is 2d. For the binomial coefficient, c is 2(i+d).
// So c is 6d+3i+2 for h_i(d). For the sum of h_i(d) up to d = D, c is at most 7D+3i+3. If cu <= 1/2, then (1-u)^-c <=
// 1+2cu.
//
// The omitted terms are bounded as follows. S(i+d,i) is the complete homogeneous symmetric polynomial H_d of 1, ..., i.
// The difference H_d^2 - H_(d+1) H_(d-1) is a Schur polynomial by the formula of Jacobi and Trudi. Its value for these
// positive numbers is not negative. Therefore H_(d+1)/H_d does not increase with d. The ratio C(N,i+d+1)/C(N,i+d) does
// not increase with d either. So the ratio h_i(d+1)/h_i(d) does not increase with d. In the following, the index i of
// h_i is omitted. If q = h(d)/h(d-1), the terms after h(d) add up to at most h(d) q/(1-q). For q <= 15/16 this is at
// most 15 h(d). The function "negligible" takes account of the rounding errors.

// The type fillSeries holds the state of the summation of h_i(d) over d, for one i. The comment at the top of this file
// defines h_i(d).
type fillSeries struct {
	number     big.Float // S(i+d,i)
	base, pow  big.Float // 1/(m-i) and its d-th power
	sum, last  big.Float // sum of h up to d, and h(d)
	weight     big.Float // S(r,i), set when d = r-i
	step       big.Float // i
	negligible bool      // the omitted part of the series is negligible
}

// fillSums returns lower bounds of S(r,i) and of the sum of h_i(d) over d, for i = 1..last. The comment at the top of
// this file defines these numbers. The second result is the largest d that is used. The omitted part of each series is
// at most 2^-work times its sum. The comment at the top of this file bounds the rounding errors. The function fillSums
// requires last < m and last <= N.
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
		float(&s.number).SetUint64(uint64(min(i, 1))) // S(i,i) is 1; the entry for i = 0 is 0, its value for d > 0
		s.step.SetUint64(uint64(i))
	}
	choose := []*big.Float{float(new(big.Float)).SetUint64(1)} // C(N, t)
	left := new(big.Float).SetInt(n)                           // N-t, exact because its precision is the length of N
	t, u := float(new(big.Float)), float(new(big.Float))
	for open := last; ; depth++ {
		for open > 0 && series[open].negligible {
			open--
		}
		// The sums with i <= open are not complete yet. They still need numbers S(i+d,i). The weights S(r,i) need these
		// numbers for i <= r-d.
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

// The function "negligible" reports whether the sum of all terms after the given term is certainly at most sum*2^-work.
// The argument "before" is the preceding term of the series. The function requires that the ratios of consecutive true
// terms do not increase.
//
// The relative error of a computed term is far below 1/15, because momentSmallFill ensures that cu < 2^-8. The exact
// value of a computed term is called the true term. So if the ratio of the computed terms is at most 7/8, the ratio of
// the true terms is at most 15/16. In that case the sum of the later terms is at most 15 times the true term. This is
// less than 2^5 times the computed term.
func negligible(term, before, sum *big.Float, work uint) bool {
	if term.Sign() == 0 {
		return true // C(N, t) = 0 for t > N, so the series has ended
	}
	if sum.MantExp(nil)-term.MantExp(nil) < precision.Cut(work)+6 {
		return false
	}
	limit := new(big.Float).SetPrec(floatWork).SetMode(big.ToZero)
	return term.Cmp(limit.Mul(before, big.NewFloat(0.875))) <= 0
}

// momentSmallFill computes E[(X/m)^r] as a sum of positive terms, where X is the number of urns that N balls occupy. It
// requires r >= 1, N >= 1 and min(r, N) < m. The fill should not be close to 1, because the series have more than r N/m
// terms.
func momentSmallFill(m uint64, n *big.Int, r int, prec uint) (Enclosure, error) {
	return ziv(prec, smallFillBits(r, prec), func(work uint) *interval.Interval {
		return smallFillSum(m, n, r, work)
	})
}

// smallFillSum computes the result of momentSmallFill with a working precision of work bits. If so few bits are not
// enough, the method Valid of the result returns false.
func smallFillSum(m uint64, n *big.Int, r int, work uint) *interval.Interval {
	last := lastFill(n, r)
	series, depth := fillSums(m, n, r, last, work)
	// Each summand contains the factor S(r,i). This factor causes at most 2D+i roundings. The series for i has further
	// roundings. Here D is the variable "depth".
	c := 9*int64(depth) + 4*int64(last) + 3
	if uint(bits.Len64(uint64(c)))+9 > work {
		return new(interval.Interval).SetEnds(big.NewFloat(1), new(big.Float)) // not Valid
	}
	// The computed sum is too small, for two reasons. The operations round toward 0. A part of each series is omitted.
	// The variable "missed" encloses the factor that corrects this. The factor is at most 1+2cu, plus a small number
	// for the omitted parts.
	units := big.NewInt(4 * c)
	whole := new(big.Int).Lsh(integer.One, work)
	missed := interval.New(work).SetScaled(whole, new(big.Int).Add(whole, units.Add(units, precision.Ulps(work))), -int(work))

	float := func() *interval.Interval { return interval.New(work) }
	urns := float().SetUint64(m)
	g := float().Quo(float().SetUint64(1), urns)
	g.PowInt(g, big.NewInt(int64(r)))
	// The relative error of the power is N times the relative error of its base.
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

// smallFillBits returns the working precision, in bits, of momentSmallFill. This precision is enough for 2^6 (r + D)
// roundings, where D is the largest d that is used. The number D is not known in advance.
func smallFillBits(r int, prec uint) uint { return prec + 2*uint(bits.Len(uint(r))) + sumGuard }

// lastFill returns min(r, N). There are two groups of balls, with r and N balls. The smaller group can occupy at most
// min(r, N) urns.
func lastFill(n *big.Int, r int) int {
	if n.IsInt64() {
		return int(min(n.Int64(), int64(r)))
	}
	return r
}
