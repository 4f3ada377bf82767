package exact

import (
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// first2 describes the size of a random set of urns. Its numbers determine the mean and the variance of this size. The
// random set must be exchangeable, that is, all sets of the same size must be equally probable. The field "in" is the
// probability that a given urn is in the set. The field "out" is the probability that a given urn is outside the set.
// The field "variance" is the variance of the size. The field "defect" measures how two given urns depend on each
// other. P[one in] is the field "in", and P[one out] is the field "out". P[two in] is the probability that two given
// urns are in the set. P[two out] is the probability that two given urns are outside the set. The fields satisfy these
// equations:
//
//	defect   = P[one in]^2 - P[two in] = P[one out]^2 - P[two out] >= 0,
//	variance = m [in*out - (m-1) defect].
type first2 struct{ in, out, defect, variance *interval.Interval }

// Among m urns, the groups hit a random set of urns. The function "pair" returns a first2 value that describes this
// set. Let q = P[one out] be the probability that a given urn is not hit. It is the product of (1-k/m)^n over the
// groups. For two given urns,
//
//	P[two out]/q^2 = product of (1 - k/((m-k)(m-1)))^n.
//
// The logarithms of both probabilities are computed. Therefore the fields "in" and "defect" have the same relative
// accuracy as q. Only the field "variance" is computed as a difference, where bits can cancel. The variance is 0 for a
// single committee. For two or more committees, let Q be the sum of (1-x)/x over the committees, where x = 1-k/m. Then
// the variance has this lower bound:
//
//	variance/(m q) >= 1 - q - q Q.
//
// The right side of this inequality is a probability. Consider independent events, one for each committee, with the
// probabilities 1-x. The right side is the probability that at least two of these events occur. This probability is at
// least 1/m^2, so the computation of the variance loses at most 2 log2 m bits.
func pair(m uint64, groups []group, work uint) first2 {
	float := func() *interval.Interval { return interval.New(work) }
	if largest(groups) == m {
		return first2{float().SetUint64(1), float(), float(), float()}
	}
	wide := work + 80 // extra bits, because the products of logarithms and counts reach 2^76
	single, double := interval.New(wide), interval.New(wide)
	t := interval.New(wide)
	apart := false // set if two urns cannot both be outside the set
	for _, g := range groups {
		n := interval.New(wide).SetInt(g.count)
		t.SetUint64(g.size)
		t.Quo(t, interval.New(wide).SetUint64(m))
		t.Neg(t)
		t.Log1p(t)
		t.Mul(t, n)
		single.Add(single, t)
		if g.size == m-1 {
			apart = true
			continue
		}
		rest := new(big.Int).SetUint64(m - g.size)
		rest.Mul(rest, new(big.Int).SetUint64(m-1))
		t.SetUint64(g.size)
		t.Quo(t, interval.New(wide).SetInt(rest))
		t.Neg(t)
		t.Log1p(t)
		t.Mul(t, n)
		double.Add(double, t)
	}
	x := first2{float().Expm1(single), float().Exp(single), float(), float()}
	x.in.Neg(x.in)
	if x.defect.SetUint64(1); !apart {
		x.defect.Neg(x.defect.Expm1(double))
	}
	x.defect.Mul(x.defect, x.out)
	x.defect.Mul(x.defect, x.out)
	if least, most := span(m, groups); least < most {
		x.variance.Mul(x.defect, float().SetUint64(m-1))
		x.variance.Sub(float().Mul(x.in, x.out), x.variance)
		x.variance.Mul(x.variance, float().SetUint64(m))
	}
	return x
}

// Let x and y be two independent sets of urns, among m urns. The arguments of the method "and" are the values of type
// first2 for these sets. Its result is the value of type first2 for the intersection of the two sets. Let a be the
// probability that a given urn is in x, and let b be the probability that it is in y. Then ab is the probability that
// it is in the intersection. Let d and e be the defects of x and y. Then the defect of the intersection is
//
//	a^2 b^2 - (a^2-d)(b^2-e) = d b^2 + e (a^2-d).
//
// Let the sets x and y have the given sizes s and t. Then the size of the intersection has a hypergeometric
// distribution. Its mean is st/m, and its variance is s(m-s) t(m-t)/(m^2 (m-1)). For random s and t the variance is:
//
//	(m-1) (in*out + defect) (in'*out' + defect') + V V'/m^2 + V in'^2 + V' in^2.
//
// All its terms are positive. The sum follows from the mean of s(m-s), which is:
//
//	m(m-1) (in*out + defect).
//
// Names without a prime are the fields of x, and names with a prime are the fields of y. V and V' are the variances of
// s and t.
func (x first2) and(y first2, m uint64) first2 {
	work := x.in.Prec()
	float := func() *interval.Interval { return interval.New(work) }
	z := first2{float().Mul(x.in, y.in), float(), float(), float()}
	z.out.Add(x.out, z.out.Mul(x.in, y.out))
	xx, yy, t := float().Mul(x.in, x.in), float().Mul(y.in, y.in), float()
	t.Sub(xx, x.defect)
	t.Mul(t, y.defect)
	z.defect.Add(z.defect.Mul(x.defect, yy), t)

	apart := func(x first2) *interval.Interval {
		t.Mul(x.in, x.out)
		return t.Add(t, x.defect)
	}
	z.variance.Mul(float().Set(apart(x)), apart(y))
	z.variance.Mul(z.variance, t.SetUint64(m-1))
	z.variance.Add(z.variance, t.Mul(x.variance, yy))
	z.variance.Add(z.variance, t.Mul(y.variance, xx))
	t.Mul(x.variance, y.variance)
	t.Quo(t, float().SetUint64(m))
	t.Quo(t, float().SetUint64(m))
	z.variance.Add(z.variance, t)
	return z
}

// The method "not" returns a first2 value for the complement of the set, that is, for the urns outside the set.
func (x first2) not() first2 { return first2{x.out, x.in, x.defect, x.variance} }

// The method first2 returns a value of the type first2. This value describes the set of occupied urns.
func (l Distribution) first2(work uint) first2 {
	all := pair(l.m, l.departments[0], work)
	for _, d := range l.departments[1:] {
		all = all.and(pair(l.m, d, work), l.m)
	}
	if len(l.shared) > 0 {
		all = all.not().and(pair(l.m, l.shared, work).not(), l.m).not()
	}
	return all
}

// Mean returns E[X] = m p_1.
//
//	For balls it is m (1 - (1-1/m)^n), and for committees it is m (1 - (1-k/m)^n).
//	For one department it is m (1 - product of (1-k/m)^n).
//	For intersections it is m times the product of one factor for each department.
//	The factor of a department is 1 - product of (1-k/m)^n.
//
// Source: Burns (16), (42), (44), (49).
// Domain: every distribution.
// Error: relative width at most 2^-prec. The result is an exact rational if the number of outcomes has at most 5000
// digits.
// Cost: one power for each committee size, at prec + log2 m + log2 n bits, where n is the number of committees.
// Errors: *bloomproof.ParamError; ErrTooCostly for thousands of committee sizes at a large prec.
func (l Distribution) Mean(prec uint) (Enclosure, error) {
	return l.BinomialMoment(1, prec, routeDifference)
}

// Variance returns the variance of X, which is m p_1 + m(m-1) p_2 - (m p_1)^2. Here p_r is the probability that r given
// urns are all occupied. For one department the variance is:
//
//	m q [1 - m q + (m-1) product of (1 - k/(m-1))^n],   q = product of (1-k/m)^n.
//
// Source: Burns (43) and (50), and for balls (45). Equations (43) and (50) both have misprints. In (43) the first
// factor must be q instead of 1-q. In (45) this factor is printed correctly. Equation (50) is written with p_1 and p_2.
// In equation (50), (-1)^c must be +1, and the last term must be subtracted.
// Domain: every distribution, including m = 1.
// Error: the relative width is at most 2^-prec. This also holds where nearly all urns are occupied, and where nearly
// all are empty. The result is an exact rational if the number of outcomes has at most 5000 digits.
// Cost: two logarithms are computed for each committee size. Their precision is prec + 4 log2 m + log2 n bits. Above
// 4096 bits, Variance can compute powers instead of logarithms. It does so if few bits are lost by cancellation. It
// then needs two powers for each committee size, at a similar precision.
// Errors: *bloomproof.ParamError; ErrRange; ErrTooCostly. ErrTooCostly is returned where the variance is so small that
// logarithms of more than 2^16 bits would be needed. It is also returned if there are thousands of committee sizes and
// prec is large.
func (l Distribution) Variance(prec uint) (Enclosure, error) {
	if err := l.check(prec); err != nil {
		return Enclosure{}, err
	}
	const (
		alwaysLogs = 1 << 12 // with at most this many bits, the logarithms take milliseconds
		mostLogs   = 1 << 16 // with at most this many bits, the logarithms take seconds
	)
	least, most := l.Range()
	switch {
	case least == most:
		return exactlyInt(0, prec), nil
	case l.small():
		return exactly(l.varianceRational(), prec), nil
	case prec <= alwaysLogs:
		return l.varianceByLogs(prec)
	}
	e, err := l.varianceByLogs(floatWork)
	if err != nil {
		return Enclosure{}, err
	}
	// The variance is a sum of three terms, each at most m^2 in absolute value.
	lost := 2*bits.Len64(l.m) - e.interval().Lo().MantExp(nil) + l.countBits() + 16
	if lost > int(prec) && prec > mostLogs {
		return Enclosure{}, refuse.TooCostly("the variance by logarithms", float64(prec), mostLogs)
	}
	if lost > int(prec) {
		return l.varianceByLogs(prec)
	}
	first := prec + uint(max(0, lost))
	if cost := l.hitsCost(2, first); cost > hitsLimit {
		return Enclosure{}, refuse.TooCostly("the variance", cost, hitsLimit)
	}
	return ziv(prec, first, func(work uint) *interval.Interval { return l.varianceByHits(work) })
}

// varianceByLogs returns the variance of X, which the method first2 computes by logarithms.
func (l Distribution) varianceByLogs(prec uint) (Enclosure, error) {
	return ziv(prec, prec+4*uint(bits.Len64(l.m))+uint(l.countBits())+sumGuard, func(work uint) *interval.Interval {
		return l.first2(work).variance
	})
}

// varianceByHits returns the variance of X as m(m-1) p_2 + m p_1 - (m p_1)^2. Here p_r is the probability that r given
// urns are all occupied.
func (l Distribution) varianceByHits(work uint) *interval.Interval {
	p := l.hits(2, work)
	mean := interval.New(work).SetUint64(l.m)
	mean.Mul(mean, p.enclosure(1, work))
	v := interval.New(work).SetInt(fallingFactorial(l.m, 2))
	v.Mul(v, p.enclosure(2, work))
	v.Add(v, mean)
	mean.Mul(mean, mean)
	return v.Sub(v, mean)
}

// varianceRational returns the variance of X, 2 E[C(X,2)] + E[X] - E[X]^2, as an exact rational.
func (l Distribution) varianceRational() *big.Rat {
	p := l.hits(2, 0)
	moment := func(r int) *big.Rat {
		x := new(big.Rat).SetFrac(p.v[r], p.den)
		return x.Mul(x, new(big.Rat).SetInt(fallingFactorial(l.m, r)))
	}
	mean := moment(1)
	v := moment(2)
	v.Add(v, mean)
	mean.Mul(mean, mean)
	return v.Sub(v, mean)
}
