package exact

import (
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// first2 is what mean and variance need of a random set of urns that is exchangeable:
// the probabilities that a given urn is in it and is not, and by how much two given urns
// depend on each other,
//
//	defect = P[one in]^2 - P[two in] = P[one out]^2 - P[two out] >= 0.
//
// So |set| has the mean m in and the variance m [in out - (m-1) defect], and everything is
// had from positive terms but this one difference. It loses at most about 2 log2 m bits,
// a non-degenerate variance being at least of the order of in out/m.
type first2 struct{ in, out, defect *interval.Interval }

// pair returns the first2 of the urns of m that the groups hit. With q = P[one out] =
// product of (1-k/m)^n,
//
//	P[two out]/q^2 = product of (1 - k/((m-k)(m-1)))^n,
//
// both through logarithms, so that in and the defect are as accurate as q.
func pair(m uint64, groups []group, work uint) first2 {
	float := func() *interval.Interval { return interval.New(work) }
	if largest(groups) == m {
		return first2{float().SetUint64(1), float(), float()}
	}
	wide := work + 80 // the counts are below 2^76: their products with logarithms
	single, double := interval.New(wide), interval.New(wide)
	t := interval.New(wide)
	apart := false // no two urns can be out together
	for _, g := range groups {
		n := interval.New(wide).SetInt(g.count)
		t.Log1p(t.Neg(t.Quo(t.SetUint64(g.size), interval.New(wide).SetUint64(m))))
		single.Add(single, t.Mul(t, n))
		if g.size == m-1 {
			apart = true
			continue
		}
		rest := new(big.Int).SetUint64(m - g.size)
		rest.Mul(rest, new(big.Int).SetUint64(m-1))
		t.Log1p(t.Neg(t.Quo(t.SetUint64(g.size), interval.New(wide).SetInt(rest))))
		double.Add(double, t.Mul(t, n))
	}
	x := first2{in: float().Expm1(single), out: float().Exp(single), defect: float()}
	x.in.Neg(x.in)
	if x.defect.SetUint64(1); !apart {
		x.defect.Neg(x.defect.Expm1(double))
	}
	x.defect.Mul(x.defect, x.out)
	x.defect.Mul(x.defect, x.out)
	return x
}

// and returns the first2 of the intersection of two independent sets: the probabilities
// to be in multiply,
//
//	a^2 b^2 - (a^2-d)(b^2-e) = d b^2 + e (a^2-d).
func (x first2) and(y first2) first2 {
	work := x.in.Prec()
	float := func() *interval.Interval { return interval.New(work) }
	z := first2{in: float().Mul(x.in, y.in), out: float(), defect: float()}
	z.out.Add(x.out, z.out.Mul(x.in, y.out))
	both := float().Mul(x.in, x.in)
	both.Sub(both, x.defect)
	both.Mul(both, y.defect)
	z.defect.Mul(x.defect, z.defect.Mul(y.in, y.in))
	z.defect.Add(z.defect, both)
	return z
}

// not returns the first2 of the complement.
func (x first2) not() first2 { return first2{x.out, x.in, x.defect} }

// first2 returns that of the occupied urns.
func (l Law) first2(work uint) first2 {
	all := pair(l.m, l.departments[0], work)
	for _, d := range l.departments[1:] {
		all = all.and(pair(l.m, d, work))
	}
	if len(l.shared) > 0 {
		all = all.not().and(pair(l.m, l.shared, work).not()).not()
	}
	return all
}

// Mean returns E[X] = m p_1.
//
//	balls         m (1 - (1-1/m)^n)
//	committees    m (1 - (1-k/m)^n)
//	departments   m (1 - product of (1-k/m)^n); for intersections the product over the departments
//
// Source: Burns (16), (42), (44), (49).
// Domain: every law.
// Error: relative width at most 2^-prec; the rational itself where the number of outcomes
// has at most 5000 digits.
// Cost: one power for each committee size, at prec + log2 m + log2 n bits.
// Errors: *bloomproof.ParamError; ErrTooCostly for thousands of committee sizes at a large
// prec.
func (l Law) Mean(prec uint) (Enclosure, error) { return l.BinomialMoment(1, prec, Difference) }

// Variance returns the variance of X, m p_1 + m(m-1) p_2 - (m p_1)^2. For one
// department, with q = product of (1-k/m)^n,
//
//	m q [1 - m q + (m-1) product of (1 - k/(m-1))^n]
//
// Source: Burns (43), whose first factor 1-q is a misprint for q (as q of balls, (45)
// shows it), and (50) by way of p_1 and p_2, with +1 for its (-1)^c and its last term
// subtracted.
// Domain: every law; m = 1 has no m-1 and needs none.
// Error: relative width at most 2^-prec, also when nearly no or nearly all urns are
// occupied; the rational itself where the number of outcomes has at most 5000 digits.
// Cost: two logarithms for each committee size at prec + 4 log2 m + log2 n bits, or beyond
// 4096 bits, if the cancellation allows, two powers for each at about as many.
// Errors: *bloomproof.ParamError; ErrRange; ErrTooCostly for more than 2^16 bits of a
// variance so small that only logarithms give it, or for thousands of committee sizes at
// a large prec.
func (l Law) Variance(prec uint) (Enclosure, error) {
	if err := l.check(prec); err != nil {
		return Enclosure{}, err
	}
	least, most := l.Range()
	switch {
	case least == most:
		return exactlyInt(0, prec), nil
	case l.small():
		return exactly(l.varianceRational(), prec), nil
	case prec <= 1<<12:
		return l.varianceByLogs(prec)
	}
	e, err := l.varianceByLogs(64)
	if err != nil {
		return Enclosure{}, err
	}
	// Three terms of up to m^2 make the variance.
	lost := 2*bits.Len64(l.m) - e.interval().Lo().MantExp(nil) + l.countBits() + 16
	if lost > int(prec) && prec > 1<<16 {
		return Enclosure{}, tooCostly("the variance by logarithms", float64(prec), 1<<16)
	}
	if lost > int(prec) {
		return l.varianceByLogs(prec)
	}
	first := prec + uint(max(0, lost))
	if cost := l.hitsCost(2, first); cost > hitsLimit {
		return Enclosure{}, tooCostly("the variance", cost, hitsLimit)
	}
	return ziv(prec, first, func(work uint) *interval.Interval { return l.varianceByHits(work) })
}

// varianceByLogs returns m [in out - (m-1) defect]: see first2.
func (l Law) varianceByLogs(prec uint) (Enclosure, error) {
	urns, others := new(big.Int).SetUint64(l.m), new(big.Int).SetUint64(l.m-1)
	return ziv(prec, prec+4*uint(bits.Len64(l.m))+uint(l.countBits())+32, func(work uint) *interval.Interval {
		x := l.first2(work)
		x.in.Mul(x.in, x.out)
		x.defect.Mul(x.defect, interval.New(work).SetInt(others))
		x.in.Sub(x.in, x.defect)
		return x.in.Mul(x.in, interval.New(work).SetInt(urns))
	})
}

// varianceByHits returns m(m-1) p_2 + m p_1 - (m p_1)^2.
func (l Law) varianceByHits(work uint) *interval.Interval {
	p := l.hits(2, work)
	mean := interval.New(work).SetUint64(l.m)
	mean.Mul(mean, p.enclosure(1, work))
	v := interval.New(work).SetInt(fallingFactorial(l.m, 2))
	v.Mul(v, p.enclosure(2, work))
	v.Add(v, mean)
	return v.Sub(v, mean.Mul(mean, mean))
}

// varianceRational returns 2 E[C(X,2)] + E[X] - E[X]^2.
func (l Law) varianceRational() *big.Rat {
	p := l.hits(2, 0)
	moment := func(r int) *big.Rat {
		x := new(big.Rat).SetFrac(p.v[r], p.den)
		return x.Mul(x, new(big.Rat).SetInt(fallingFactorial(l.m, r)))
	}
	mean := moment(1)
	v := moment(2)
	v.Add(v, mean)
	return v.Sub(v, mean.Mul(mean, mean))
}
