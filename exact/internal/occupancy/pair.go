package occupancy

import (
	"fmt"
	"math"
	"math/big"
	mathbits "math/bits"

	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// Two groups of balls fall into M urns. Pair is the distribution of the number X of urns that are hit by both groups.
// The groups have N[0] and N[1] balls. The number of set bits of the AND of two filters has this distribution. An urn
// is hit by neither group, by one of them, or by both. Let a = e^u-1 and b = e^v-1. Then
//
//	P[X = x] = N[0]!N[1]! m^-(N[0]+N[1]) [u^N[0] v^N[1]] C(m,x) (ab)^x (1+a+b)^(m-x).
//
// Here m is M, and [u^n v^l] stands for the coefficient of u^n v^l. This coefficient is a double integral. The variable
// u runs over a circle of radius r, and v runs over a circle of radius s. The trapezoidal rule computes the integral.
// The method Below computes the distribution function. Consider the event that the first group hits every urn of the
// second group. The method Within computes the probability of this event.
//
// The errors are bounded as follows. The power series of the integrand in u and v has no negative coefficient. Let J be
// the number of nodes in u, and N = N[0]. The mean over the nodes is the coefficient of u^N plus some coefficients of
// other powers of u. These other coefficients are called aliases. Let f(r) be the value of the integrand at the radius
// r. The aliases of lower powers contribute at most (R/r)^(J-N) f(R) for any R < r. The aliases of higher powers
// contribute at most (r/R)^(J+N) f(R) for any R > r. The same bounds hold for v.
//
// Let the integrand be divided by its value at (r,s). A node is omitted if a bound of this quotient is below a limit.
// The contribution of all omitted nodes together is at most equal to this limit. This bound follows from the triangle
// inequality |1+a+b| <= 1+|a|+|b|. Here |a| falls as the angle of u grows (see Slices).
type Pair struct {
	M uint64
	N [2]uint64
}

// These constants affect the running time only, and not the results.
const (
	pairRounds  = 60      // rounds of the search for the radii; each round bisects
	pairNodes   = 9       // least number of nodes, which must be odd
	pairTries   = 14      // number of tries; 1.5^14 is 290 times the first number of nodes
	pairSpare   = 9       // extra bits, besides the requested bits and the bits of the mean: see narrow
	mostPairs   = 1 << 17 // largest number of nodes, which take about ten seconds
	leastRadius = 1e-300
	mostRadius  = 300 // the search for a radius ends at the number of balls per urn plus mostRadius
)

// A pairFunction is the integrand f. It is a product of powers, and the base of each power is a function of a and b.
// The comment of Pair defines a, b, u and v.
type pairFunction interface {
	// The method "powers" approximates two logarithmic derivatives at the radii r: d log f / d log u and d log f / d
	// log v.
	powers(r [2]float64) [2]float64
	// The difference e^v - b is a constant, either 1 or 0. The method "less" returns it.
	less() uint64
	factors(a, b *interval.Complex, work uint) []pairFactor
}

// A pairFactor is a factor of the integrand: a number raised to a power.
type pairFactor struct {
	base  *interval.Complex
	power uint64
}

// A pairSum computes the integral of one function, with a limit on the number of nodes.
type pairSum struct {
	Pair
	pairFunction
	most   int
	radius [2]float64
	curve  [2]float64
}

// hitTwice is the integrand for the probability that exactly x urns are hit by both groups.
type hitTwice struct {
	m, x uint64
}

func (f hitTwice) powers(r [2]float64) (d [2]float64) {
	m, x := float64(f.m), float64(f.x)
	a, b := math.Expm1(r[0]), math.Expm1(r[1])
	d[0] = r[0] * math.Exp(r[0]) * (x/a + (m-x)/(1+a+b))
	d[1] = r[1] * math.Exp(r[1]) * (x/b + (m-x)/(1+a+b))
	return d
}

// The method "saddle" computes radii near the saddle point of the integrand. It also computes the curvatures of the
// logarithm of the integrand at these radii.
func (p *pairSum) saddle() {
	want := [2]float64{float64(p.N[0]), float64(p.N[1])}
	r := [2]float64{want[0] / float64(p.M), want[1] / float64(p.M)}
	for range pairRounds {
		for i := range r {
			lo, hi := -float64(sliceRange), math.Log(want[i]/float64(p.M)+mostRadius)
			for range searchSteps {
				mid := (lo + hi) / 2
				next := r
				if next[i] = math.Exp(mid); p.powers(next)[i] < want[i] {
					lo = mid
				} else {
					hi = mid
				}
			}
			r[i] = max(math.Exp(hi), leastRadius)
		}
	}
	const d = derivativeStep
	for i := range r {
		up, down := r, r
		up[i] *= math.Exp(d)
		down[i] *= math.Exp(-d)
		p.curve[i] = max(leastCurvature, (p.powers(up)[i]-p.powers(down)[i])/(2*d))
	}
	p.radius = r
}

func (hitTwice) less() uint64 { return 1 }

func (f hitTwice) factors(a, b *interval.Complex, work uint) []pairFactor {
	none := interval.NewComplex(work).Add(a, b)
	none.Re.Add(&none.Re, interval.New(work).SetUint64(1))
	return []pairFactor{{none, f.m - f.x}, {interval.NewComplex(work).Mul(a, b), f.x}}
}

// logAbs returns log |f|, where f is the integrand at the node with the values a and b. The method "log" returns log f.
func (p *pairSum) logAbs(a, b *interval.Complex, work uint) *interval.Interval {
	sum := interval.New(work)
	for _, f := range p.factors(a, b, work) {
		x := f.base.Abs()
		x.Log(x)
		sum.Add(sum, x.Mul(x, interval.New(work).SetUint64(f.power)))
	}
	return sum
}

func (p *pairSum) log(a, b *interval.Complex, work uint) *interval.Complex {
	sum := interval.NewComplex(work)
	for _, f := range p.factors(a, b, work) {
		sum.Add(sum, f.base.Log(f.base).Scale(f.base, interval.New(work).SetUint64(f.power)))
	}
	return sum
}

// The method "parts" returns the numbers a and b at u = r[0] and v = r[1]. The comment of Pair defines a and b.
func (p *pairSum) parts(r [2]*interval.Interval, work uint) (a, b *interval.Complex) {
	y := interval.New(work).Expm1(r[1])
	if p.less() == 0 {
		y.Exp(r[1])
	}
	return interval.NewComplex(work).SetReal(interval.New(work).Expm1(r[0])), interval.NewComplex(work).SetReal(y)
}

// logOf returns log f at u = r[0] and v = r[1], where f is the integrand.
func (p *pairSum) logOf(r [2]*interval.Interval, work uint) *interval.Interval {
	a, b := p.parts(r, work)
	return p.logAbs(a, b, work)
}

// The type "circle" holds numbers for the nodes in the upper half plane. The nodes are values of one of the variables u
// and v, which the comment of Pair defines. For each node, the type holds a, |a|, the phase (r/u)^N, and a bound of
// |a|. Here r is the radius. The bound of |a| also holds at all nodes beyond this node.
type circle struct {
	a, phase    []*interval.Complex
	abs, beyond []*interval.Interval
}

// The method "circle" computes a value of the type "circle". The argument i chooses the variable: 0 for u and 1 for v.
// The method stops at the first node at which the function "small" reports that the bound is negligible.
func (p *pairSum) circle(i int, nodes uint64, work uint, small func(beyond *interval.Interval) bool) (*circle, error) {
	if err := fault.Part(); err != nil {
		return nil, err
	}
	c := &circle{}
	step := interval.Angle(interval.New(work+workSpare), nodes)
	r := interval.New(work).SetEnds(big.NewFloat(p.radius[i]), big.NewFloat(p.radius[i]))
	logR := interval.New(work).Log(r)
	less := uint64(1)
	if i == 1 {
		less = p.less()
	}
	for l := uint64(0); l <= nodes/2; l++ {
		if l > mostNodes {
			return nil, refuse.TooCostly("the set bits of an intersection", float64(l), mostNodes)
		}
		e, phase := interval.NewComplex(work), interval.NewComplex(work)
		angle := interval.New(work+workSpare).Mul(step, interval.New(work).SetUint64(l))
		e.SetReal(logR)
		e.Im.Set(angle)
		e.Exp(e)
		e.Exp(e).Re.Sub(&e.Re, interval.New(work).SetUint64(less))
		if l == 0 && less == 1 {
			e.SetReal(interval.New(work).Expm1(r))
		}
		phase.Im.Mul(angle, interval.New(work).SetUint64(p.N[i]))
		phase.Im.Neg(&phase.Im)
		phase.Exp(phase)
		abs := e.Abs()
		beyond := interval.New(work).Set(abs)
		if two := interval.New(work).SetUint64(2); less == 1 && p.radius[i] > belowPi && abs.Hi().Cmp(two.Lo()) < 0 {
			beyond = two
		}
		if l > 0 && small(beyond) {
			break
		}
		c.a, c.phase = append(c.a, e), append(c.phase, phase)
		c.abs, c.beyond = append(c.abs, abs), append(c.beyond, beyond)
	}
	return c, nil
}

// The function "conj" returns the conjugate of z if lower is true. Otherwise it returns z.
func conj(z *interval.Complex, lower bool, work uint) *interval.Complex {
	if !lower {
		return z
	}
	x := interval.NewComplex(work).Set(z)
	x.Im.Neg(&x.Im)
	return x
}

// Exactly returns P[X = x], the probability that both groups hit exactly x common urns, with a relative width of at
// most 2^-bits. The argument x must be at least 1. It must be less than each of M, N[0] and N[1]. M must be at least 2.
func (o Pair) Exactly(x uint64, bits uint) (*interval.Interval, error) {
	p := &pairSum{Pair: o, pairFunction: hitTwice{o.M, x}, most: mostPairs}
	return p.narrow(bits, func(work uint) *interval.Interval {
		c := logFalling(o.M, x, work)
		return c.Sub(c, logFalling(x, x, work))
	})
}

// The method "narrow" returns the integral times e^x, with a relative width of at most 2^-bits. The function "factor"
// returns x.
func (p *pairSum) narrow(bits uint, factor func(work uint) *interval.Interval) (*interval.Interval, error) {
	p.saddle()
	if c := p.curve[0] * p.curve[1]; math.IsNaN(c) || math.IsInf(c, 1) {
		return nil, fmt.Errorf("more balls per urn than float64 radii allow: %w", refuse.ErrPrecision)
	}
	// Let the integrand be divided by its value at the radii. Let c and d be the two curvatures. The mean of this
	// quotient over the nodes is about 1/(2 pi sqrt(c d)).
	asked := precision.First(bits, bits+pairSpare+uint(max(0, math.Log2(p.curve[0]*p.curve[1])/2)))
	for range askTries {
		y, err := p.integral(asked, factor)
		if err != nil {
			return nil, err
		}
		if have := y.RelBits(); have >= int(bits) {
			return y, nil
		}
		asked += boundBits / 2
	}
	return nil, fmt.Errorf("the integral is not enclosed to %d bits: %w", bits, refuse.ErrPrecision)
}

// The function "factor" returns a number x. The method "integral" returns the product of the integral and e^x. The
// error is about 2^-goal times the value of the integrand at the radii.
func (p *pairSum) integral(goal uint, factor func(work uint) *interval.Interval) (*interval.Interval, error) {
	work := goal + uint(mathbits.Len64(p.M)+mathbits.Len64(max(p.N[0], p.N[1]))) + workSpare
	w := func() *interval.Interval { return interval.New(work) }
	var r [2]*interval.Interval
	for i := range r {
		r[i] = w().SetEnds(big.NewFloat(p.radius[i]), big.NewFloat(p.radius[i]))
	}
	top := p.logOf(r, work)
	// The variable "scale" is the logarithm of a factor. The mean of the relative integrand is multiplied by this
	// factor.
	scale := w().Add(top, factor(work))
	logM := w().Log(w().SetUint64(p.M))
	for i, n := range p.N {
		items := w().SetUint64(n)
		scale.Sub(scale, w().Mul(w().Log(r[i]), items))
		scale.Add(scale, logFalling(n, n, work))
		scale.Sub(scale, items.Mul(logM, items))
	}
	nats := float64(goal) * math.Ln2
	limit := new(big.Float).SetMantExp(big.NewFloat(1), -int(goal))
	slack := interval.New(boundBits).SetEnds(new(big.Float), limit) // bounds the omitted nodes
	var nodes [2]uint64
	for i := range nodes {
		nodes[i] = 2*uint64(math.Sqrt(p.curve[i])*math.Sqrt(2*nats)/2) + pairNodes
		for tries := 0; ; tries++ {
			alias := interval.New(boundBits)
			reach := min(float64(nodes[i])/p.curve[i], windowBell)
			for _, sign := range []float64{-1, 1} {
				shift := w().SetEnds(big.NewFloat(sign*reach), big.NewFloat(sign*reach))
				moved := r
				moved[i] = w().Mul(r[i], w().Exp(shift))
				t := p.logOf(moved, work)
				t.Sub(t, top)
				t.Sub(t, w().Mul(shift, w().SetUint64(p.N[i])))
				t.Sub(t, w().Mul(w().SetEnds(big.NewFloat(reach), big.NewFloat(reach)), w().SetUint64(nodes[i])))
				alias.Add(alias, t.Exp(t))
			}
			if alias.Valid() && alias.Hi().Cmp(limit) <= 0 {
				slack.Add(slack, alias)
				break
			}
			if tries == pairTries {
				return nil, fmt.Errorf("the set bits of an intersection: %w", refuse.ErrPrecision)
			}
			nodes[i] = 2*(nodes[i]*3/4) + 1
		}
	}
	sum, err := p.mean(nodes, r, top, limit, work)
	if err != nil {
		return nil, err
	}
	hi := slack.Hi()
	sum.Add(sum, interval.New(boundBits).SetEnds(new(big.Float).Neg(hi), hi))
	y := w().Mul(sum, w().Exp(scale))
	if !y.Valid() {
		return nil, fmt.Errorf("the set bits of an intersection: %w", refuse.ErrPrecision)
	}
	return y, nil
}

// Let the integrand be divided by its value at the radii. The method "mean" returns the mean of this quotient over the
// nodes. It omits nodes at which a bound of the quotient is below the argument "limit".
func (p *pairSum) mean(nodes [2]uint64, r [2]*interval.Interval, top *interval.Interval, limit *big.Float, work uint) (*interval.Interval, error) {
	w := func() *interval.Interval { return interval.New(work) }
	most := interval.New(boundBits).Log(interval.New(boundBits).SetEnds(limit, limit))
	most.Add(most, top)
	below := func(log *interval.Interval) bool { return log.Valid() && log.Hi().Cmp(most.Lo()) <= 0 }
	small := func(a, b *interval.Interval) bool { // bounds the integrand by the triangle inequality
		return below(p.logAbs(interval.NewComplex(boundBits).SetReal(a), interval.NewComplex(boundBits).SetReal(b), boundBits))
	}
	top0, top1 := p.parts(r, work)
	u, err := p.circle(0, nodes[0], work, func(a *interval.Interval) bool { return small(a, &top1.Re) })
	if err != nil {
		return nil, err
	}
	v, err := p.circle(1, nodes[1], work, func(b *interval.Interval) bool { return small(&top0.Re, b) })
	if err != nil {
		return nil, err
	}
	total, count := w(), 0
	for i, a := range u.a {
		for _, lower := range []bool{false, true} {
			for j := range v.a {
				if lower && j == 0 {
					continue
				}
				if small(u.abs[i], v.beyond[j]) {
					break
				}
				if count++; count > p.most {
					return nil, refuse.TooCostly("the set bits of an intersection", float64(count), float64(p.most))
				}
				b := conj(v.a[j], lower, work)
				if below(p.logAbs(a, b, boundBits)) {
					continue
				}
				c := p.log(a, b, work)
				c.Re.Sub(&c.Re, top)
				t := c.Exp(c)
				t.Mul(t, u.phase[i])
				t.Mul(t, conj(v.phase[j], lower, work))
				if i > 0 { // adds the conjugates of all nodes of this row
					t.Re.MulPow2(&t.Re, 1)
				}
				total.Add(total, &t.Re)
			}
		}
	}
	for _, n := range nodes {
		total.Quo(total, w().SetUint64(n))
	}
	return total, nil
}
