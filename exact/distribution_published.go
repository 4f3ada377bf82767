package exact

import (
	"math"
	"math/big"
	"math/bits"
	"slices"

	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// The functions in this file evaluate formulas as they were published. They check the results of the route
// "difference", which uses other formulas. The arithmetic is a parameter of each function, so that tests can use
// rationals.

// hitRoutes lists the routes of the methods "hit", FactorialMoment and BinomialMoment. The default route is the first.
// The route "closed" evaluates Burns (32). It exists if each department has one committee.
func (l Distribution) hitRoutes() []Route {
	if len(l.shared) > 0 {
		return []Route{routeDifference}
	}
	routes := []Route{routeDifference, routeHypergeometric, Recursive}
	if _, ok := l.single(); ok {
		routes = append(routes, ClosedForm)
	}
	return routes
}

// momentRoutes lists the routes of Moment. The first route is the default. If the distribution is not for balls, it is
// the only route.
func (l Distribution) momentRoutes() []Route {
	if _, ok := l.classic(); ok {
		return []Route{routeDifference, routeStirling, Recursive}
	}
	return []Route{routeDifference}
}

// pmfRoutes lists the routes of PMF. The default route is the first.
func (l Distribution) pmfRoutes() []Route {
	if _, ok := l.classic(); ok {
		return []Route{routeDifference, routeHypergeometric, routeStirling, Recursive}
	}
	if _, ok := l.union(); ok {
		return []Route{routeDifference, routeHypergeometric}
	}
	if _, ok := l.single(); ok {
		return []Route{routeDifference, routeHypergeometric, Recursive}
	}
	return []Route{routeDifference}
}

// hitIn computes the result of the method "hit". The argument "route" can be any route except "difference". The
// argument f provides the arithmetic. The argument r must not exceed the upper end of Range.
func hitIn[T any, P field.Number[T]](f field.Of[T, P], route Route, l Distribution, r int) P {
	if sizes, ok := l.single(); ok && route == ClosedForm {
		return singleHit(f, l.m, sizes, r)
	}
	p := f.Int(1)
	for _, d := range l.departments {
		if route == routeHypergeometric {
			p.Mul(p, hypergeometricHit(f, l.m, d, r))
		} else {
			p.Mul(p, recursiveHit(f, l.m, d, r))
		}
	}
	return p
}

// vacantRatio returns the product of ((s-k)/s)^n over the groups. A group has n committees of size k, and s must be at
// least the largest k. For s = m-j, the result is q_(j+1)/q_j. Here q_j is the probability that j given urns stay
// empty.
func vacantRatio[T any, P field.Number[T]](f field.Of[T, P], s uint64, groups []group) P {
	x := f.Int(1)
	for _, g := range groups {
		x.Mul(x, f.Pow(f.Ratio(s-g.size, s), g.count))
	}
	return x
}

// The function "largest" returns the size of the largest committee of the groups, or 0 if there are none.
func largest(groups []group) uint64 {
	if len(groups) == 0 {
		return 0
	}
	return groups[len(groups)-1].size
}

// recursiveHit evaluates the recursion of Burns (22). The recursion is:
//
//	rho(r,s) = rho(r-1,s) - [product of 1-k/s] rho(r-1,s-1),   rho(0,.) = 1.
//
// The product runs over the committees, and k is the size of a committee. The product is 0 where s equals the largest
// k, so the recursion needs no smaller s.
func recursiveHit[T any, P field.Number[T]](f field.Of[T, P], m uint64, groups []group, r int) P {
	depth := int(min(uint64(r), m-largest(groups)))
	rho, factor := make([]P, depth+1), make([]P, depth+1)
	for d := range rho {
		rho[d], factor[d] = f.Int(1), f.Int(0)
		if s := m - uint64(d); s > 0 {
			factor[d] = vacantRatio(f, s, groups)
		}
	}
	t := f.Zero()
	for h := 1; h <= r; h++ {
		for d := 0; d <= min(r-h, depth-1); d++ {
			rho[d].Sub(rho[d], t.Mul(factor[d], rho[d+1]))
		}
	}
	return rho[0]
}

// hypergeometricHit evaluates the series (23) of Burns:
//
//	(n+1)F(n)[-r, k_1-m, ..., k_n-m; -m, ..., -m; 1].
//
// The ratio of consecutive terms has a product over the committees:
//
//	t_(j+1)/t_j = (j-r)/(j+1) times the product of (m-j-k)/(m-j).
func hypergeometricHit[T any, P field.Number[T]](f field.Of[T, P], m uint64, groups []group, r int) P {
	sum, term, t := f.Int(1), f.Int(1), f.Zero()
	for j := range r {
		s := m - uint64(j)
		if s <= largest(groups) {
			break // the upper parameter k-m+j is 0, so the series ends
		}
		ratio := vacantRatio(f, s, groups)
		ratio.Mul(ratio, t.Quo(f.Int(int64(j-r)), f.Int(int64(j+1))))
		term.Mul(term, ratio)
		sum.Add(sum, term)
	}
	return sum
}

// singleHit evaluates Burns (32) by this recursion:
//
//	p_(r+1) = p_r * product over the committees of (k-r)/(m-r).
//
// It is the recursion of Corollary 12 without its first factor.
func singleHit[T any, P field.Number[T]](f field.Of[T, P], m uint64, sizes []uint64, r int) P {
	p := f.Int(1)
	for i := range uint64(r) {
		for _, k := range sizes {
			p.Mul(p, f.Ratio(k-i, m-i))
		}
	}
	return p
}

// pmfWitness computes P[X = i] by the given route in interval arithmetic. It does not provide the route "difference".
// The number i must lie in Range, and Range must contain more than one number.
func (l Distribution) pmfWitness(i uint64, prec uint, route Route) (Enclosure, error) {
	balls, _ := l.classic()
	sizes, single := l.single()
	var cost, limit, cancel float64
	switch {
	case route == routeStirling || route == Recursive && balls != nil:
		n, _ := new(big.Float).SetInt(balls).Float64()
		cost, limit = n*float64(i), stirlingLimit
	case route == Recursive:
		cost, limit = float64(slices.Min(sizes))*math.Pow(float64(len(sizes)), 3), setBitsLimit
	case single:
		cost, limit = float64(slices.Min(sizes))*float64(len(sizes)), setBitsLimit
	default:
		cost, limit = float64(i)*float64(i), recursionLimit
	}
	if cost > limit {
		return Enclosure{}, refuse.TooCostly("route "+string(route), cost, limit)
	}
	switch {
	case route == routeHypergeometric && single:
		mean := float64(l.m) * math.Exp2(l.hitLog2(1))
		cancel = 3 * mean
	case route == routeHypergeometric:
		inside := Distribution{m: i, departments: l.departments}
		cancel = float64(inside.hitBits(int(i), 0))
	case route == Recursive && single:
		cancel = 2 * float64(slices.Min(sizes))
	}
	first := prec + uint(cancel) + uint(l.countBits()+2*bits.Len64(i)) + sumGuard
	return ziv(prec, first, func(work uint) *interval.Interval {
		f := field.Intervals(work)
		return pmfIn(f, route, l, i)
	})
}

// pmfIn evaluates P[X = i] by the given route. It does not provide the route "difference". The argument f provides the
// arithmetic. The number i must lie in Range.
func pmfIn[T any, P field.Number[T]](f field.Of[T, P], route Route, l Distribution, i uint64) P {
	if balls, ok := l.classic(); ok {
		switch route {
		case routeStirling:
			return stirlingPMF(f, l.m, int(balls.Int64()), int(i))
		case Recursive:
			return princePMF(f, l.m, int(balls.Int64()), int(i))
		}
	}
	if groups, ok := l.union(); ok {
		return hypergeometricPMF(f, l.m, groups, i)
	}
	sizes, _ := l.single()
	if route == routeHypergeometric {
		return singlePMF(f, l.m, sizes, i)
	}
	return kempPMF(f, l.m, sizes, i)
}

// stirlingPMF evaluates Burns (4): S(n,i) m(m-1)...(m-i+1) / m^n.
func stirlingPMF[T any, P field.Number[T]](f field.Of[T, P], m uint64, n, i int) P {
	p := stirlingNumbers(f, n, i)[i]
	for j := range uint64(i) {
		p.Mul(p, f.Uint(m-j))
	}
	return p.Quo(p, f.PowInt(f.Uint(m), n))
}

// stirlingNumbers returns the Stirling numbers of the second kind S(n,0)..S(n,last).
func stirlingNumbers[T any, P field.Number[T]](f field.Of[T, P], n, last int) []P {
	s := make([]P, last+1)
	for i := range s {
		s[i] = f.Int(0)
	}
	s[0] = f.Int(1)
	t := f.Zero()
	for step := 1; step <= n; step++ {
		for i := min(step, last); i >= 1; i-- {
			s[i].Add(t.Mul(f.Int(int64(i)), s[i]), s[i-1])
		}
		s[0] = f.Int(0)
	}
	return s
}

// princePMF evaluates the recursion of Burns (12), which adds one ball at a time.
//
//	P[X = i+1 | n+1] = (m-i)/m P[X = i | n] + (i+1)/m P[X = i+1 | n].
func princePMF[T any, P field.Number[T]](f field.Of[T, P], m uint64, n, i int) P {
	p, stay, gain := make([]P, i+1), make([]P, i+1), make([]P, i+1)
	for x := range p {
		p[x], stay[x], gain[x] = f.Int(0), f.Ratio(uint64(x), m), f.Zero()
		if x > 0 {
			gain[x] = f.Ratio(m-uint64(x)+1, m)
		}
	}
	p[0] = f.Int(1)
	t := f.Zero()
	for ball := 1; ball <= n; ball++ {
		for x := min(ball, i); x >= 1; x-- {
			p[x].Mul(p[x], stay[x])
			p[x].Add(p[x], t.Mul(gain[x], p[x-1]))
		}
		p[0] = f.Int(0)
	}
	return p[i]
}

// hypergeometricPMF evaluates Burns (24):
//
//	C(m,i) [product of C(i,k)/C(m,k)] nF(n-1)[k_1-i, ..., k_n-i; -i, ..., -i; 1].
//
// The number i must be at least the largest k. The series in Burns (23) has one more parameter in each of its two
// lists. For r = i these two parameters are both -i, so they cancel.
func hypergeometricPMF[T any, P field.Number[T]](f field.Of[T, P], m uint64, groups []group, i uint64) P {
	p := hypergeometricHit(f, i, groups, int(i))
	for _, g := range groups {
		c := f.Int(1)
		for j := range g.size {
			c.Mul(c, f.Ratio(i-j, m-j))
		}
		p.Mul(p, f.Pow(c, g.count))
	}
	return p.Mul(p, f.Zero().SetInt(integer.Binomial(m, int(i))))
}

// singlePMF evaluates Burns (31):
//
//	C(m,i)^(1-c) [product of C(k,i)] cF(c-1)[i-k_1, ..., i-k_c; i-m, ..., i-m; 1].
//
// This equation holds for c departments that have one committee each. The ratio of consecutive terms of the series is
// -[product of k-i-j] / [(m-i-j)^(c-1) (j+1)].
func singlePMF[T any, P field.Number[T]](f field.Of[T, P], m uint64, sizes []uint64, i uint64) P {
	all := f.Zero().SetInt(integer.Binomial(m, int(i)))
	p := f.Int(1)
	for d, k := range sizes {
		if p.Mul(p, f.Zero().SetInt(integer.Binomial(k, int(i)))); d > 0 {
			p.Quo(p, all)
		}
	}
	least := slices.Min(sizes)
	sum, term := f.Int(1), f.Int(1)
	for j := uint64(0); i+j < least; j++ {
		term.Quo(term, f.Int(-int64(j)-1))
		for d, k := range sizes {
			if term.Mul(term, f.Uint(k-i-j)); d > 0 {
				term.Quo(term, f.Uint(m-i-j))
			}
		}
		sum.Add(sum, term)
	}
	return p.Mul(p, sum)
}

// kempPMF evaluates the recursion of Burns (34), for one committee in each of c departments. If i is the smallest
// committee size, equation (34) would divide by 0. In this case kempPMF evaluates (31) of Burns. For smaller i it uses
// a recursion:
//
//	P[X = i] = sum over j = 1..c-1 of (-1)^j C(i+j,j) Q(i,j) P[X = i+j].
func kempPMF[T any, P field.Number[T]](f field.Of[T, P], m uint64, sizes []uint64, i uint64) P {
	c, top := len(sizes), slices.Min(sizes)
	q := newKemp(m, sizes)
	after := []P{singlePMF(f, m, sizes, top)} // P[X = at+1], P[X = at+2], ...
	t := f.Zero()
	for at := top; at > i; {
		at--
		p := f.Int(0)
		for j := 1; j < c && j <= len(after); j++ {
			t.SetInt(q.numerator(at, j))
			if t.Mul(t, after[j-1]); j&1 == 0 {
				p.Add(p, t)
			} else {
				p.Sub(p, t)
			}
		}
		for _, k := range sizes {
			p.Quo(p, f.Int(-int64(k-at)))
		}
		after = append([]P{p}, after[:min(len(after), c-1)]...)
	}
	return after[0]
}

// The type "kemp" holds numbers from which all coefficients of the recursion (34) of Burns are computed.
type kemp struct {
	stirling  [][]*big.Int // stirling[u][v] = S(u,v), a Stirling number
	elements  []*big.Int   // elements[s] = e_s(k_1, ..., k_c), an elementary symmetric polynomial
	powers    []*big.Int   // powers[s] = (m+1)^s
	factorial []*big.Int
}

func newKemp(m uint64, sizes []uint64) kemp {
	c := len(sizes)
	var q kemp
	t := new(big.Int)
	for u := range c + 1 {
		row := make([]*big.Int, c+1)
		for v := range row {
			row[v] = new(big.Int)
			switch {
			case u == 0 && v == 0:
				row[v].SetInt64(1)
			case u > 0 && v > 0:
				row[v].Mul(t.SetInt64(int64(v)), q.stirling[u-1][v]).Add(row[v], q.stirling[u-1][v-1])
			}
		}
		q.stirling = append(q.stirling, row)
		q.elements = append(q.elements, new(big.Int))
		q.factorial = append(q.factorial, new(big.Int).MulRange(1, int64(u)))
		base := new(big.Int).SetUint64(m)
		q.powers = append(q.powers, base.Exp(base.Add(base, integer.One), big.NewInt(int64(u)), nil))
	}
	q.elements[0].SetInt64(1)
	for d, k := range sizes {
		for s := d + 1; s >= 1; s-- {
			t.SetUint64(k)
			q.elements[s].Add(q.elements[s], t.Mul(t, q.elements[s-1]))
		}
	}
	return q
}

// The method "numerator" returns the numerator of the factor C(i+j,j) Q(i,j) in the recursion of kempPMF. The
// denominator of this factor is the product of i-k over the committee sizes k. The numerator is
//
//	C(i+j,j) sum over u = j..c of (-1)^(c-u) sum over v = j..u of S(u,v) C(i,v-j) (v-1)!
//	         [j C(c-1,u-1) (m+1)^(c-u) - v e_(c-u)]
func (q kemp) numerator(i uint64, j int) *big.Int {
	c := len(q.stirling) - 1
	sum, t, x := new(big.Int), new(big.Int), new(big.Int)
	for u := j; u <= c; u++ {
		for v := j; v <= u; v++ {
			x.Mul(integer.Binomial(uint64(c-1), u-1), q.powers[c-u])
			x.Mul(x, t.SetInt64(int64(j)))
			x.Sub(x, t.Mul(t.SetInt64(int64(v)), q.elements[c-u]))
			x.Mul(x, q.stirling[u][v])
			x.Mul(x, integer.Binomial(i, v-j))
			x.Mul(x, q.factorial[v-1])
			if (c-u)&1 == 1 {
				x.Neg(x)
			}
			sum.Add(sum, x)
		}
	}
	return sum.Mul(sum, integer.Binomial(i+uint64(j), j))
}
