package exact

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// Moment returns the moment E[X^r], with 0^0 = 1. It computes
//
//	sum over i of S(r,i) m(m-1)...(m-i+1) p_i.
//
// Here S(r,i) is a Stirling number of the second kind. The number p_i is the probability that i given urns are all
// occupied.
//
// Routes: difference is the default. For balls there are two more routes. The route "stirling" computes a sum over the
// probabilities P[X = i]. The route "recursive" uses E[X^(r+1) | m] = m (E[X^r | m] - (1-1/m)^n E[X^r | m-1]).
//
// Source: Burns (6), (9), (11). The sums in these equations start at i = 0. Equation (5) gives the route "stirling",
// and (13) gives the route "recursive".
// Domain: 0 <= r <= 4096; prec is from 1 to MaxPrec.
// Error: relative width at most 2^-prec. The result is an exact rational if the number of outcomes has at most 5000
// digits and r is at most 64.
// Cost: for balls, the cost is that of FPR with k = r. For other distributions, the cost is that of FactorialMoment at
// a higher precision. The precision is higher by about r log2(m/E[X]) bits. The Stirling numbers take r^2/2 additions.
// Errors: *bloomproof.ParamError; ErrTooCostly if the computation exceeds the limit of its route.
func (l Distribution) Moment(r int, prec uint, route Route) (Enclosure, error) {
	const guard = 2 // for one product
	if err := l.checkOrder(r, maxMoment, prec); err != nil {
		return Enclosure{}, err
	}
	e, err := l.scaledMoment(r, prec+guard, route)
	if err != nil {
		return e, err
	}
	all := integer.Power(new(big.Int).SetUint64(l.m), uint64(r))
	if p, ok := e.Rat(); ok {
		return exactly(p.Mul(p, new(big.Rat).SetInt(all)), prec), nil
	}
	x := interval.New(prec + resultGuard).SetInt(all)
	return around(x.Mul(x, e.interval())), nil
}

// scaledMoment returns E[(X/m)^r]. The caller has checked the distribution, r and the precision.
func (l Distribution) scaledMoment(r int, prec uint, route Route) (Enclosure, error) {
	route, err := refuse.Among(route, Auto, l.momentRoutes(), "the raw moments of this distribution")
	if err != nil {
		return Enclosure{}, err
	}
	least, most := l.Range()
	balls, classic := l.classic()
	switch {
	case r == 0:
		return exactlyInt(1, prec), nil
	case least == most:
		x := new(big.Rat).SetFrac(new(big.Int).SetUint64(most), new(big.Int).SetUint64(l.m))
		return exactly(x.SetFrac(integer.Power(x.Num(), uint64(r)), integer.Power(x.Denom(), uint64(r))), prec), nil
	case r <= rationalOrder && l.small() && route == routeDifference:
		return exactly(l.momentRational(r), prec), nil
	case classic && route == routeDifference:
		return probability(moment(l.m, balls, r, prec))
	case classic:
		return probability(l.momentWitness(balls, r, prec, route))
	}
	last := int(min(uint64(r), most))
	mean := l.hitLog2(1)
	if err := l.affordable(last, prec, routeDifference); err != nil {
		return Enclosure{}, err
	}
	// In the sum, p_i has the weight S(r,i) (m)_i. These weights add up to m^r. Therefore the error of the sum, divided
	// by m^r, is at most the largest error of any p_i.
	first := prec + uint(math.Ceil(-mean*float64(r))) + uint(2*last+l.countBits()+2*bits.Len(uint(r))) + 16
	stirling := stirlingRow(r, last)
	return probability(ziv(prec, first, func(work uint) *interval.Interval {
		p := l.hits(last, work)
		sum, t := interval.New(prec+16), interval.New(prec+16)
		weight := interval.New(prec + 16).SetUint64(1) // (m)_i/m^i
		urns := interval.New(prec + 16).SetUint64(l.m)
		for i := range last + 1 {
			// The term for index i is the product of p_i, S(r,i), m^(i-r) and the variable "weight".
			t.PowInt(urns, big.NewInt(int64(r-i)))
			t.Quo(interval.New(prec+16).SetInt(stirling[i]), t)
			t.Mul(t, weight)
			t.Mul(t, p.enclosure(i, prec+16))
			sum.Add(sum, t)
			weight.Mul(weight, t.SetUint64(l.m-uint64(i)))
			weight.Quo(weight, urns)
		}
		return sum
	}))
}

// momentRational returns E[(X/m)^r] as an exact rational.
func (l Distribution) momentRational(r int) *big.Rat {
	_, most := l.Range()
	last := int(min(uint64(r), most))
	p := l.hits(last, 0)
	sum, t := new(big.Int), new(big.Int)
	for i, s := range stirlingRow(r, last) {
		t.Mul(s, p.v[i])
		t.Mul(t, fallingFactorial(l.m, i))
		sum.Add(sum, t)
	}
	return new(big.Rat).SetFrac(sum, t.Mul(p.den, integer.Power(t.SetUint64(l.m), uint64(r))))
}

// stirlingRow returns the Stirling numbers of the second kind S(n,0)..S(n,last).
func stirlingRow(n, last int) []*big.Int {
	s := make([]*big.Int, last+1)
	for i := range s {
		s[i] = new(big.Int)
	}
	s[0].SetInt64(1)
	t := new(big.Int)
	for step := 1; step <= n; step++ {
		for i := min(step, last); i >= 1; i-- {
			s[i].Add(s[i-1], s[i].Mul(s[i], t.SetInt64(int64(i))))
		}
		s[0].SetInt64(0)
	}
	return s
}

// momentWitness returns E[(X/m)^r] for r >= 1. Here X is the number of urns that the given number of balls occupy. It
// uses equation (5) of Burns for the route "stirling", and equation (13) for the route "recursive".
func (l Distribution) momentWitness(balls *big.Int, r int, prec uint, route Route) (Enclosure, error) {
	n, _ := new(big.Float).SetInt(balls).Float64()
	cost, limit := float64(r)*float64(r), float64(recursionLimit)
	cancel := float64(r) - float64(r)*l.hitLog2(1)
	if route == routeStirling {
		cost, limit, cancel = n*min(n, float64(l.m)), stirlingLimit, 0
	}
	if cost > limit {
		return Enclosure{}, refuse.TooCostly("route "+string(route), cost, limit)
	}
	first := prec + uint(cancel) + uint(balls.BitLen()+2*bits.Len(uint(r))) + sumGuard
	return ziv(prec, first, func(work uint) *interval.Interval {
		f := field.Intervals(work)
		return momentIn(f, route, l, r)
	})
}

// momentIn evaluates E[(X/m)^r] in the arithmetic that f provides. It uses a route other than "difference".
func momentIn[T any, P field.Number[T]](f field.Of[T, P], route Route, l Distribution, r int) P {
	balls, _ := l.classic()
	if route == routeStirling {
		return stirlingSum(f, l.m, int(balls.Int64()), r)
	}
	return recursiveMoment(f, l.m, balls, r)
}

// recursiveMoment evaluates Burns (13) for increasing r. For every m the recursion begins with E[X^0 | m] = 1. Each
// step uses this formula:
//
//	E[X^(r+1) | m] = m (E[X^r | m] - (1-1/m)^n E[X^r | m-1]).
//
// For m = 1 the factor (1-1/m)^n is 0 if n >= 1, and 1 if n = 0. Moment does not call recursiveMoment if there are no
// balls.
func recursiveMoment[T any, P field.Number[T]](f field.Of[T, P], m uint64, n *big.Int, r int) P {
	depth := int(min(uint64(r), m-1))
	moments, factor := make([]P, depth+1), make([]P, depth+1)
	for d := range moments {
		s := m - uint64(d)
		moments[d], factor[d] = f.Int(1), f.Pow(f.Ratio(s-1, s), n)
	}
	t := f.Zero()
	for h := 1; h <= r; h++ {
		for d := 0; d <= min(r-h, depth); d++ {
			if d < depth {
				moments[d].Sub(moments[d], t.Mul(factor[d], moments[d+1]))
			}
			moments[d].Mul(moments[d], f.Uint(m-uint64(d)))
		}
	}
	return moments[0].Quo(moments[0], f.PowInt(f.Uint(m), r))
}
