package exact

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// The type "ratios" represents a sequence of numbers in [0, 1]. The i-th number differs from v[i]/den by at most
// missed/den. If scale is 0, the numbers are exact. Otherwise den is 2^scale and the numbers are rounded.
type ratios struct {
	v           []*big.Int
	missed, den *big.Int
	scale       uint
}

// The function "vacancies" returns the probabilities q_0..q_last. Let j of the m urns be given. Then q_j is the
// probability that all j urns stay empty:
//
//	q_j = product over the committees of C(m-j,k)/C(m,k).
//
// Here k is the size of a committee. The values are exact for scale = 0.
func vacancies(m uint64, groups []group, last int, scale uint) ratios {
	q := ratios{v: make([]*big.Int, last+1), missed: new(big.Int), den: new(big.Int).Lsh(integer.One, scale), scale: scale}
	for j := range q.v {
		q.v[j] = new(big.Int).Set(q.den)
	}
	for _, g := range groups {
		if scale == 0 {
			g.timesCounts(m, q.v)
		} else {
			g.timesRounded(m, &q)
		}
	}
	q.den.Set(q.v[0])
	return q
}

// There are C(m-j,k)^n ways to choose n committees of size k that leave j given urns empty. The method timesCounts
// multiplies each v[j] by this number.
func (g group) timesCounts(m uint64, v []*big.Int) {
	most := min(g.size, m-g.size) // because C(m,k) = C(m,m-k)
	c, f := integer.Binomial(m, int(most)), new(big.Int)
	for j, x := range v {
		x.Mul(x, f.Exp(c, g.count, nil))
		if u := uint64(j); u < m {
			// C(m-j-1,k) = C(m-j,k) (m-j-k)/(m-j)
			c.Mul(c, f.SetUint64(m-u-min(g.size, m-u)))
			c.Quo(c, f.SetUint64(m-u))
		}
	}
}

// timesRounded multiplies each q_j by the factor c_j = [C(m-j,k)/C(m,k)]^n. It computes the factors one after the
// other, by c_(j+1) = c_j ((m-j-k)/(m-j))^n.
//
// All q_j and c_j are at most 1. Therefore the error of a product is at most the sum of the errors of its two factors.
// Rounding adds at most one unit in the last place.
func (g group) timesRounded(m uint64, q *ratios) {
	c, missing := new(big.Int).Set(q.den), new(big.Int)
	for j, x := range q.v {
		x.Mul(x, c)
		x.Rsh(x, q.scale)
		u := uint64(j)
		if m-u <= g.size {
			for _, x := range q.v[j+1:] {
				x.SetInt64(0)
			}
			break
		}
		if j+1 < len(q.v) {
			p, missP := powFixed(m-u-g.size, m-u, g.count, q.scale)
			c.Mul(c, p)
			c.Rsh(c, q.scale)
			missing.Add(missing, missP).Add(missing, integer.One)
		}
	}
	q.missed.Add(q.missed, missing).Add(q.missed, integer.One)
}

// The method "differences" replaces each number q_i by a difference of order i, called rho_i:
//
//	rho_i = sum over j <= i of (-1)^j C(i,j) q_j.
//
// After it has computed the differences of order i, it calls row(i, d). Here d[i+s] is the sum over j of (-1)^j C(i,j)
// q_(s+j). The field "missed" bounds the error of each number q_j. The error of a difference is at most 2^last
// times this bound.
func (q *ratios) differences(row func(i int, d []*big.Int)) {
	last := len(q.v) - 1
	q.missed.Lsh(q.missed, uint(last))
	for i := 0; ; i++ {
		if row != nil {
			row(i, q.v)
		}
		if i == last {
			return
		}
		for s := last; s > i; s-- {
			q.v[s].Sub(q.v[s-1], q.v[s])
		}
	}
}

// The method "difference" computes only one difference, the one of the highest order r. In the result, this difference
// has the index 0:
//
//	rho_r = sum over j of (-1)^j C(r,j) q_j.
//
// The method needs r products. Repeated differences would instead need r^2/2 subtractions. The field "missed"
// bounds the error of each number q_j. The error of the result is at most 2^r times this bound.
func (q ratios) difference() ratios {
	last := len(q.v) - 1
	sum, t := new(big.Int), new(big.Int)
	choose := newBinomials(uint64(last))
	for j, v := range q.v {
		if t.Mul(v, choose.next()); j&1 == 0 {
			sum.Add(sum, t)
		} else {
			sum.Sub(sum, t)
		}
	}
	return ratios{[]*big.Int{sum}, new(big.Int).Lsh(q.missed, uint(last)), q.den, q.scale}
}

// For each index i, the method "mul" multiplies the i-th number of q by the i-th number of x. Either q and x are both
// exact, or both are rounded to the same scale.
//
// Let a and b be numbers from 0 to 1. Let a' be an approximation of a with the error e, and let b' be an approximation
// of b with the error f. Then |ab - a'b'| <= e + f + ef.
func (q *ratios) mul(x ratios) {
	t := new(big.Int)
	missed := new(big.Int).Mul(q.missed, x.missed)
	missed.Add(missed, t.Mul(q.missed, x.den))
	q.missed = missed.Add(missed, t.Mul(x.missed, q.den))
	for i, v := range q.v {
		q.v[i] = v.Mul(v, x.v[i])
	}
	if q.scale == 0 {
		q.den = t.Mul(q.den, x.den)
		return
	}
	for _, v := range q.v {
		v.Rsh(v, q.scale)
	}
	missed.Rsh(missed, q.scale).Add(missed, big.NewInt(2))
}

// differenceAt returns the probability that r given urns are all occupied, by the route "difference". It does not
// return the probabilities for fewer urns.
func (l Distribution) differenceAt(r int, scale uint) ratios {
	if len(l.shared) > 0 {
		p := l.hits(r, scale)
		p.v = p.v[r:]
		return p
	}
	p := ratios{}
	for i, groups := range l.departments {
		rho := vacancies(l.m, groups, r, scale).difference()
		if i == 0 {
			p = rho
		} else {
			p.mul(rho)
		}
	}
	return p
}

// The method "hits" returns p_0..p_last, where p_r is the probability that r given urns are all occupied.
//
// An urn is occupied in two cases. In the first case, it is in a shared committee. In the second case, each department
// has a committee of its own that contains the urn. Let q_j be the probability that the shared committees leave j given
// urns empty. Let
//
//	D^i q(s) = sum_j (-1)^j C(i,j) q_(s+j).
//
// Let i urns and s other urns be given. The difference D^i q(s) is the probability that the shared committees hit all i
// urns and none of the s other urns. In each department, consider only the committees that are not shared. Let r urns
// be given. Then rho_r is the probability that in every department these committees hit all r urns. Then
//
//	p_r = sum over i of C(r,i) D^i q(r-i) rho_(r-i).
func (l Distribution) hits(last int, scale uint) ratios {
	p := ratios{}
	for i, groups := range l.departments {
		rho := vacancies(l.m, groups, last, scale)
		rho.differences(nil)
		if i == 0 {
			p = rho
		} else {
			p.mul(rho)
		}
	}
	if len(l.shared) == 0 {
		return p
	}
	// No term of the sum for p_r is negative, and the factors C(r,i) D^i q(r-i) add up to 1. Therefore the error of p_r
	// is at most the sum of two numbers. The first number is the largest error of any rho_i. The second is 2^r times
	// the largest error of any difference D^i q.
	rho := p
	q := vacancies(l.m, l.shared, last, scale)
	p = ratios{v: make([]*big.Int, last+1), missed: new(big.Int), den: new(big.Int).Mul(q.den, rho.den), scale: scale}
	for r := range p.v {
		p.v[r] = new(big.Int)
	}
	t := new(big.Int)
	choose := make([]*big.Int, last+1) // C(i+s, i)
	q.differences(func(i int, d []*big.Int) {
		for s := range last - i + 1 {
			switch {
			case i == 0:
				choose[s] = big.NewInt(1)
			case s > 0:
				choose[s].Add(choose[s], choose[s-1])
			}
			t.Mul(choose[s], d[i+s])
			p.v[i+s].Add(p.v[i+s], t.Mul(t, rho.v[s]))
		}
	})
	p.missed.Lsh(q.missed, uint(last)).Add(p.missed, rho.missed)
	if scale == 0 {
		return p
	}
	p.den.Set(q.den)
	for _, v := range p.v {
		v.Rsh(v, scale)
	}
	p.missed.Lsh(p.missed, 1).Add(p.missed, integer.One)
	return p
}

// The method "enclosure" returns an enclosure of the i-th number of the sequence, with ends of prec bits.
func (q ratios) enclosure(i int, prec uint) *interval.Interval {
	lo := new(big.Int).Sub(q.v[i], q.missed)
	hi := new(big.Int).Add(q.v[i], q.missed)
	if lo.Sign() < 0 {
		lo.SetInt64(0) // a probability is at least 0
	}
	if q.scale > 0 {
		return interval.New(prec).SetScaled(lo, hi, -int(q.scale))
	}
	x := interval.New(prec).SetInt(q.v[i])
	return x.Quo(x, interval.New(prec).SetInt(q.den))
}

// maxMoment is the largest order of the moments that this package computes. The computation of a filter's rate needs
// the moment of order k.
const maxMoment = bloomproof.MaxK

// hitsLimit is the longest estimated time that the method "hits" may take, in nanoseconds. A computation with a longer
// estimated time is refused.
const hitsLimit = 1 << 32

// hitsCost estimates the time of the method "hits" in nanoseconds. The method computes r powers for each committee
// size. It also takes r^2/2 subtractions. If departments share committees, it also computes r^2 products.
func (l Distribution) hitsCost(r int, scale uint) float64 {
	words, terms := float64(scale)/wordBits, float64(r)
	cost := terms*float64(l.powerSteps())*productCost(words) + terms*terms/2*(callCost+words/2)
	if len(l.shared) > 0 {
		cost += terms * terms * productCost(words)
	}
	return cost
}

func (l Distribution) checkOrder(r, most int, prec uint) error {
	if err := l.check(prec); err != nil {
		return err
	}
	if r < 0 || r > most {
		return &bloomproof.ParamError{Param: "r", Value: r, Want: fmt.Sprintf("between 0 and %d", most)}
	}
	return nil
}

// The method "hits" computes the probability p_r with a certain working precision. hitBits returns the number of bits
// of working precision that are needed to obtain prec correct bits.
func (l Distribution) hitBits(r int, prec uint) uint {
	cancel := uint(math.Ceil(-l.hitLog2(uint64(r)))) + uint(r)
	if len(l.shared) > 0 {
		cancel += uint(r) // differences have weights of up to 2^r
	}
	return prec + cancel + uint(l.countBits()+2*bits.Len(uint(r))) + 16
}

// The method "affordable" returns an error if the probability p_r would take too long to compute by the given
// route.
func (l Distribution) affordable(r int, prec uint, route Route) error {
	if cost := float64(r) * float64(r); route != routeDifference && cost > recursionLimit {
		return refuse.TooCostly("route "+string(route), cost, recursionLimit)
	}
	if cost := l.hitsCost(r, l.hitBits(r, prec)); cost > hitsLimit {
		return refuse.TooCostly("the sum of differences", cost, hitsLimit)
	}
	return fault.Part()
}

// The method "small" reports whether the probabilities of the distribution are computed as exact rationals. This is
// the case if their common denominator, the number of outcomes, has at most RationalMost bits.
func (l Distribution) small() bool { return l.logOutcomes() <= precision.RationalMost }

// The method "hit" returns p_r, the probability that r given urns are all occupied. This probability equals
// E[C(X,r)]/C(m,r), and also E[(X)_r]/(m)_r, where (X)_r and (m)_r are falling factorials.
//
// For one department, p_r is:
//
//	nabla^r [product of C(x,k)] at m / product of C(m,k).
//
// For an intersection, p_r is the product of this formula over all departments.
//
// Routes: "difference" (the default). The routes "hypergeometric" and "recursive" exist if no committees are shared.
// The method hitRoutes lists the routes.
//
// Source: Burns. Equations (2), (3) and (7) hold for all distributions. Equations (8) and (10) are for balls, and (15)
// is for committees. Equations (19) and (21) are for unions, and (32), (36), (39) and (41) are for intersections.
// Equations (23) and (25) give the route "hypergeometric", and (22) gives the route "recursive".
// Domain: 0 <= r <= 4096; r > m gives 0, because C(X,r) is then 0.
// Error: relative width at most 2^-prec. The result is an exact rational if the number of outcomes has at most 5000
// digits.
// Cost: r powers are computed for each committee size. Let n be the number of committees. The precision of the powers
// is prec + r + log2(1/p_r) + log2 n bits.
// Measured for balls and 50 digits: 0.1 ms for r = 10, 0.1 s for r = 1000, 2 s for r = 4096.
// Errors: *bloomproof.ParamError; ErrTooCostly if r and the number of committee sizes are large.
func (l Distribution) hit(r int, prec uint, route Route) (Enclosure, error) {
	if err := l.checkOrder(r, maxMoment, prec); err != nil {
		return Enclosure{}, err
	}
	route, err := refuse.Among(route, Auto, l.hitRoutes(), "the moments of this distribution")
	if err != nil {
		return Enclosure{}, err
	}
	switch _, most := l.Range(); {
	case r == 0:
		return exactlyInt(1, prec), nil
	case uint64(r) > most:
		return exactlyInt(0, prec), nil
	}
	if err := l.affordable(r, prec, route); err != nil {
		return Enclosure{}, err
	}
	if route != routeDifference {
		return probability(ziv(prec, l.hitBits(r, prec), func(work uint) *interval.Interval {
			f := field.Intervals(work)
			return hitIn(f, route, l, r)
		}))
	}
	if l.small() {
		p := l.differenceAt(r, 0)
		return exactly(new(big.Rat).SetFrac(p.v[0], p.den), prec), nil
	}
	return probability(ziv(prec, l.hitBits(r, prec), func(work uint) *interval.Interval {
		return l.differenceAt(r, work).enclosure(0, prec+8)
	}))
}

// FactorialMoment returns E[X(X-1)...(X-r+1)] = m(m-1)...(m-r+1) p_r. Here p_r is the probability that r given urns are
// all occupied.
//
// For a union, p_r is:
//
//	nabla^r [product of C(x,k)] at m / product of C(m,k).
//
// For an intersection, p_r is the product of this formula over the departments.
//
// The products of the formula run over the committees. Here k is the size of a committee, and nabla is the backward
// difference in x.
//
// Routes: "difference" (the default), "hypergeometric" and "recursive". The route "closed" evaluates Burns (32), and
// exists if each department has one committee.
//
// Source: Burns (2), (3), (7), (10), (15), (36). Equations (23) and (25) give the route "hypergeometric", and (22)
// gives the route "recursive".
// Domain: r is from 0 to 4096, and prec is 1 to MaxPrec. For r > m the result is 0.
// Error: relative width at most 2^-prec. The result is an exact rational if the number of outcomes has at most 5000
// digits.
// Cost: r powers are computed for each committee size. Let n be the number of committees. The precision of the powers
// is prec + r + log2(1/p_r) + log2 n bits.
// Measured for balls and 50 digits: 0.1 ms for r = 10, 0.1 s for r = 1000, 2 s for r = 4096.
// Errors: *bloomproof.ParamError; ErrTooCostly if r and the number of committee sizes are large.
func (l Distribution) FactorialMoment(r int, prec uint, route Route) (Enclosure, error) {
	return l.scaledHit(r, prec, route, func() *big.Int { return fallingFactorial(l.m, r) })
}

// BinomialMoment returns E[C(X,r)] = C(m,r) p_r.
//
// Source: Burns (10), (15), (19), (25), (32), (39), (41).
// Domain, Error, Cost, Errors: these are the same as for FactorialMoment.
func (l Distribution) BinomialMoment(r int, prec uint, route Route) (Enclosure, error) {
	return l.scaledHit(r, prec, route, func() *big.Int { return integer.Binomial(l.m, r) })
}

func (l Distribution) scaledHit(r int, prec uint, route Route, factor func() *big.Int) (Enclosure, error) {
	if err := l.checkOrder(r, maxMoment, prec); err != nil {
		return Enclosure{}, err
	}
	e, err := l.hit(r, prec+2, route)
	if err != nil {
		return e, err
	}
	if p, ok := e.Rat(); ok {
		return exactly(p.Mul(p, new(big.Rat).SetInt(factor())), prec), nil
	}
	x := interval.New(prec + 8).SetInt(factor())
	return around(x.Mul(x, e.interval())), nil
}

// fallingFactorial returns x(x-1)...(x-r+1).
func fallingFactorial(x uint64, r int) *big.Int {
	z, f := big.NewInt(1), new(big.Int)
	for i := range uint64(r) {
		if i > x {
			return z.SetInt64(0)
		}
		z.Mul(z, f.SetUint64(x-i))
	}
	return z
}
