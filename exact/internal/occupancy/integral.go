// Package occupancy computes the distribution of the number of occupied urns, for any size. The number of set bits of a
// Bloom filter has this distribution. The package uses sums for few urns and integrals for many.
package occupancy

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof/exact/internal/falling"
	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// This file computes the distribution of the number X of occupied urns for any size. There are m urns and n batches.
// Each batch hits k urns. Let g be this polynomial:
//
//	g(x) = x(x-1)...(x-k+1) / m(m-1)...(m-k+1).
//
// By equation (14) of Burns, P[X = b] is a forward difference of g(x)^n. This difference equals a contour integral. The
// contour encloses the points 0..b. So
//
//	P[X = b] = 1/(2 pi i) ∮ F(z) dz/z.
//
// Such an integral is called a Nörlund-Rice integral. Another contour integral gives the distribution function:
//
//	P[X <= b] = 1/(2 pi i) ∮ F(z) (m-b)/(m-z) dz/z.
//
// The function F is:
//
//	F(z) = z g(z)^n [m(m-1)...(m-b+1)] / [z(z-1)...(z-b)].
//
// The contour is a circle around 0. Its radius is above b for the first integral, and between b and m for the second.
// The second integral is the sum over x <= b of the residues C(m,x) C(m-x-1,b-x) (-1)^(b-x) g(x)^n. By inclusion and
// exclusion, this sum is the probability that at least m-b urns are empty. For k = 1, n is the number of balls, and the
// first integral is equation (4) of Burns.
//
// Now suppose that s of the m urns are excluded from the count. So X is the number of occupied urns among the other m-s
// urns. Let a = m-s. Let x of the m-s urns be given. With probability g(s+x)^n, every occupied urn is one of these x
// urns or one of the s excluded urns. So g(s+z) replaces g(z), but the definition of g stays the same. In all other
// places, the number a replaces m.
//
// The cost of sums over b grows with the size of the filter. The integral needs few nodes of the trapezoidal rule: only
// about as many as the result has digits. The reason is that on the circle through the saddle point, the integrand has
// the shape of a narrow bell.
//
// The errors are bounded as follows.
//
// First consider how the modulus of the integrand varies along a circle of radius r. Let the angle of z grow from 0 to
// pi. For k = 1, the numerator has a constant modulus. All factors |z-i| and |m-z| of the denominator grow. So the
// modulus of the integrand falls. For k > 1, the factors |z-i| with i < k in the numerator grow too. Let phi(i) =
// r*i/|z-i|^2. Then d log|z-i| / d angle = phi(i) sin(angle). For i < r, phi(i) grows with i. As the angle grows, each
// phi(i) falls from its largest value at the angle 0 to its smallest value at the angle pi. Let S_0 be the sum over i <
// k of phi(i) at the angle 0. Let S_pi be the sum over i = k..b of phi(i) at the angle pi. The modulus falls if n S_0
// <= S_pi. The following condition is simpler and suffices:
//
//	n k(k-1) (r+b)^2 <= (b(b+1) - k(k-1)) (r-k+1)^2.
//
// The simpler condition holds unless an item sets a large part of all bits. Suppose that s urns are not counted. The
// function g(s+z) has factors |z+s-i|. For i <= s, these factors fall as the angle grows. The other factors grow no
// faster than the factors of g(z).
//
// Two bounds follow. Suppose that the modulus at a node is t. Then all nodes beyond it together contribute at most t to
// the mean. The mean over M nodes on a circle of radius c approximates the required Laurent coefficient. The following
// number is an upper bound of the error:
//
//	G(r2) (c/r2)^M/(1-(c/r2)^M) + G(r1) (r1/c)^M/(1-(r1/c)^M)   for r1 < c < r2.
//
// Here G(r) is the integrand at the angle 0 on the circle of radius r. It is the maximum of the modulus of the
// integrand on this circle. No pole may lie between the circles of the radii r1 and r2.

// Searches in float64 find the circles and the numbers of nodes. Errors of these searches do not make results wrong.
// Interval arithmetic bounds the error for the circle and the nodes that a search finds. If the error is too large, the
// computation is repeated with more nodes.
const (
	nodeSpare      = 8                    // extra nats for the choice of the first number of nodes
	nodeGrowth     = 1.6                  // factor of the number of nodes from one try to the next
	nodeTries      = 6                    // number of tries; 1.6^6 is 17 times the first number of nodes
	innerPart      = 0.6                  // fraction of the distance to b where the error bound is expected to be least
	innerMost      = 0.9                  // largest fraction of the distance to b; beyond it the bound grows again
	outerPart      = 0.8                  // the same, of the distance to the pole at m
	leastCurvature = 0.25                 // used if the bell is so wide that its estimated curvature is not positive
	searchRange    = 100                  // range of the logarithm of the distance in which a saddle point is searched
	searchSteps    = 100                  // number of bisections, more than the bits of a float64
	nearZero       = 1e-4                 // below this ratio, a series of two terms has full float64 precision
	fallsMargin    = 1.001                // factor that covers the rounding errors of the condition in float64
	mostWork       = 1 << 14              // largest number of bits; computing with more would take more than seconds
	mostNodes      = 1 << 13              // largest number of computed nodes, which take some seconds
	mostAllNodes   = 1 << 60              // largest number of nodes on the circle
	workSpare      = 64                   // extra bits for the rounding errors of a logarithm and an exponential
	roundSpare     = 16                   // extra bits for the argument of the exponential, besides those for its size
	boundBits      = interval.DefaultPrec // precision of a bound, for which the order of magnitude is enough
)

// The integrand is also bounded on two outer circles around the circle of the nodes. If there is a pole, let d be the
// distance from the circle of the nodes to the pole. The outer circles then have the distances poleNear*d and poleFar*d
// from the circle of the nodes. If there is no pole, the larger distance is chosen so that the error bound is probably
// as small as possible. The smaller distance is halfBell times the larger distance. The larger radius is limited to
// e^farBell times the radius of the circle of the nodes.
const (
	poleNear = 0.6
	poleFar  = 0.85
	halfBell = 0.5
	farBell  = 3
)

// If the enclosure of a probability is not narrow enough, more bits are requested. This is done up to askTries times.
const askTries = 4

// errContour reports that the integral cannot be used. The reason is one of these: the filter has too few bits, or an
// item sets too many bits.
var errContour = errors.New("exact: no contour serves")

// A Distribution describes the number X of occupied urns after N batches. Each batch hits K of M urns. Of the M urns,
// Out urns are not counted in X. So X is the number of occupied urns among the other M-Out urns. If Out is positive,
// only some methods may be used. They are Below, Compare, Exactly, Hit, Trivial, and the methods for sums of few terms.
type Distribution struct {
	M   uint64
	N   *big.Int
	K   int
	Out uint64
}

// X counts the occupied urns among M-Out urns. The method "counted" returns this number of urns.
func (o Distribution) counted() uint64 { return o.M - o.Out }

// A contour represents the integrand F for one number b of occupied urns, where b+1 >= k and n*k > b. The comment at
// the top of this file defines F.
type contour struct {
	Distribution
	b uint64
}

// Some integrands are products of two factors. The first factor is the function F, which the comment at the top of this
// file defines. The second factor is described by a value of the type "weight". Its function "value" returns the factor
// at a node. Its function "bound" returns a bound of the modulus at this node and at all nodes beyond it. This bound
// must not grow with the angle, unless F falls fast enough to compensate.
type weight struct {
	pole  bool // whether the weight has a pole at m, as in the second integral
	value func(z *interval.Complex, work uint) *interval.Complex
	bound func(z *interval.Complex, work uint) *interval.Interval
}

// The method "log" returns log F(z) without the constant factors of F. The method "scale" returns the logarithm of
// these factors. The comment at the top of this file defines F.
func (f *contour) log(z *interval.Complex, work uint) *interval.Complex {
	y := z
	if f.Out != 0 {
		y = interval.NewComplex(work).SetReal(interval.New(work).SetUint64(f.Out))
		y.Add(y, z)
	}
	x := falling.Log(y, uint64(f.K), work)
	x.Scale(x, interval.New(work).SetInt(f.N))
	x.Sub(x, falling.Log(z, f.b, work))
	// The next lines compute log z - log(z-b).
	far := interval.NewComplex(work).SetReal(interval.New(work).SetUint64(f.b))
	far.Sub(z, far)
	far.Inv(far)
	far.Mul(far, z)
	far.Log(far)
	return x.Add(x, far)
}

// The method "scale" returns the logarithm of the constant factors of the function F. The comment at the top of this
// file defines F.
func (f *contour) scale(work uint) *interval.Interval {
	x := logFalling(f.M, uint64(f.K), work)
	x.Mul(x, interval.New(work).SetInt(f.N))
	return x.Sub(logFalling(f.counted(), f.b, work), x)
}

// logFalling returns the logarithm of the falling factorial m(m-1)...(m-j+1).
func logFalling(m, j uint64, work uint) *interval.Interval {
	z := interval.NewComplex(work).SetReal(interval.New(work).SetUint64(m))
	return &falling.Log(z, j, work).Re
}

// Consider the modulus of the integrand on the circle of radius r. The method "falls" reports whether this modulus
// falls as the angle grows. It uses the condition that the comment at the top of this file derives. A weight may
// contain further factors g. Therefore the condition is checked for n+2 batches instead of n.
func (f *contour) falls(r float64) bool {
	if f.K == 1 || f.Out >= uint64(f.K-1) {
		return true
	}
	n, _ := new(big.Float).SetInt(f.N).Float64()
	k, b := float64(f.K), float64(f.b)
	return fallsMargin*(n+2)*k*(k-1)*(r+b)*(r+b) <= (b*(b+1)-k*(k-1))*(r-k+1)*(r-k+1)
}

// The method "saddle" searches for the saddle point c of the function F, with or without the pole at m. It returns c-b.
// The comment at the top of this file defines F. It also returns the distance of the pole from c, and the curvature of
// log F along the circle at c. It searches in float64, and no result depends on its accuracy.
func (f *contour) saddle(pole bool) (u, beyond, curvature float64) {
	b, k := float64(f.b), float64(f.K)
	nk := new(big.Int).Mul(f.N, big.NewInt(int64(f.K)))
	nk.Sub(nk, new(big.Int).SetUint64(f.b))
	extra, _ := new(big.Float).SetInt(nk).Float64() // becomes nk - b
	n, _ := new(big.Float).SetInt(f.N).Float64()
	room, out := float64(f.counted()-f.b), float64(f.Out)
	sums := func(u float64) (first, second float64) { // sums of i/(c-i) and of ci/(c-i)^2 over i = 0..b
		c := b + u
		if b < nearZero*c {
			q := b / c
			return q * (b + 1) / 2 * (1 + 2*q/3), q * (b + 1) / 2 * (1 + 4*q/3)
		}
		p0, p1 := polygamma(u)
		q0, q1 := polygamma(c + 1)
		s1, s2 := q0-p0, p1-q1
		return c*s1 - (b + 1), c * (c*s2 - s1)
	}
	// Let c = b+u. Let s be the number of urns that are not counted in X. The function "own" returns n times the sum of
	// (i-s)/(c+s-i) over i < k. It also returns n times the sum of c(i-s)/(c+s-i)^2 over i < k.
	own := func(u float64) (first, second float64) {
		c := b + u
		d := c + out - k/2
		return n * k * ((k-1)/2 - out) / d, n * k * ((k-1)/2 - out) * c / (d * d)
	}
	// The function "slope" returns the logarithmic derivative d log F / d log z of the integrand at the point z = b+u.
	slope := func(u, v float64) float64 { // v is the distance to the pole
		s, _ := sums(u)
		o, _ := own(u)
		d := extra + o - s
		if pole {
			d += (b + u) / v
		}
		return d
	}
	// The bisection varies a number t. From t, the function "split" computes u = c-b and the distance v to the pole. If
	// the integrand has no pole, u = e^t. If it has a pole, two equations determine u and v. They are u/v = e^t and u+v
	// = room.
	split := func(t float64) (u, v float64) {
		if !pole {
			return math.Exp(t), math.Inf(1)
		}
		return room / (1 + math.Exp(-t)), room / (1 + math.Exp(t))
	}
	lo, hi := -float64(searchRange), float64(searchRange)
	for range searchSteps {
		if mid := (lo + hi) / 2; slope(split(mid)) < 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	u, beyond = split(hi)
	_, s := sums(u)
	_, o := own(u)
	curvature = s - o
	if pole {
		curvature += (b + u) * float64(f.counted()) / (beyond * beyond)
	}
	return u, beyond, max(curvature, leastCurvature)
}

// For x >= stirlingFrom, three terms of the series in polygamma suffice for full float64 precision.
const stirlingFrom = 12

// polygamma returns approximations of the digamma function psi(x) and its derivative psi'(x) for x > 0.
func polygamma(x float64) (zero, one float64) {
	for ; x < stirlingFrom; x++ {
		zero -= 1 / x
		one += 1 / (x * x)
	}
	y := 1 / (x * x)
	zero += math.Log(x) - 0.5/x - y*(1./12-y*(1./120-y/252))
	one += 1/x + y/2 + y/x*(1./6-y*(1./30-y/42))
	return zero, one
}

// The method "integrals" returns one integral for each of the weights. Its integrand is F times the weight, divided by
// F at the saddle point. The comment at the top of this file defines F. It also returns log F at the saddle point. The
// width of each enclosure is about 2^-bits times the integrand at the saddle point.
func (f *contour) integrals(ws []weight, bits uint) (sums []*interval.Interval, logF *interval.Interval, err error) {
	if err := fault.Part(); err != nil {
		return nil, nil, err
	}
	pole := false
	for _, w := range ws {
		pole = pole || w.pole
	}
	u, beyond, curvature := f.saddle(pole)
	gap, c := u, float64(f.b)+u
	nats := float64(bits)*math.Ln2 + nodeSpare
	s := math.Sqrt(curvature)
	nodes := max(s*math.Sqrt(2*nats), nats/math.Log1p(innerPart*gap/(c-innerPart*gap)))
	if pole {
		nodes = max(nodes, nats/math.Log1p(outerPart*beyond/c))
	}
	work := bits + uint(f.N.BitLen()+roundSpare) + workSpare
	if work > mostWork || !(nodes < mostAllNodes) {
		return nil, nil, errContour
	}
	at := func(d float64) *interval.Complex { // returns the point b + d on the real axis
		x := interval.New(work).SetUint64(f.b)
		dd := big.NewFloat(d)
		x.Add(x, interval.New(boundBits).SetEnds(dd, dd))
		return interval.NewComplex(work).SetReal(x)
	}
	center := at(u)
	logF = &f.log(center, work).Re
	value := func(z *interval.Complex) (v *interval.Complex, modulus *interval.Interval) {
		v = f.log(z, work)
		v.Re.Sub(&v.Re, logF)
		v.Exp(v)
		return v, v.Abs()
	}
	for range nodeTries {
		m := 2*uint64(nodes/2) + 3 // an odd number, so that no node is on the negative axis
		sums, err := f.mean(ws, center, m, bits, work, value)
		if err != nil {
			return nil, nil, err
		}
		enough := true
		for i, w := range ws {
			bound := interval.New(boundBits)
			outer := beyond
			if !w.pole {
				outer = math.Inf(1)
			}
			bell := float64(m) / curvature // log of r/c for the radius r at which the bound is expected to be least
			inner := func(x float64) float64 { return max(-innerMost*gap, c*math.Expm1(-x)) }
			for _, side := range [][]float64{{inner(bell), inner(bell / 2)}, f.outward(outer, c, bell)} {
				best := interval.New(boundBits)
				best.Quo(best, best) // 0/0 is not Valid, because no bound is known yet
				for _, d := range side {
					z := at(u + d)
					if room := interval.New(work).SetUint64(f.counted()); !f.falls(c+d) || w.pole && room.Sub(room, &z.Re).Sign() <= 0 {
						continue
					}
					_, g := value(z)
					g.Mul(g, w.bound(z, work))
					// The variable q becomes (c/r2)^M or (r1/c)^M. These powers occur in the error bound in the comment
					// at the top of this file.
					q := interval.New(boundBits).Quo(&center.Re, &z.Re)
					if d < 0 {
						q.Quo(&z.Re, &center.Re)
					}
					q.PowInt(q, new(big.Int).SetUint64(m))
					g.Mul(g, q)
					q.Sub(interval.New(boundBits).SetUint64(1), q)
					g.Quo(g, q)
					if g.Valid() && (!best.Valid() || g.Hi().Cmp(best.Hi()) < 0) {
						best = g
					}
				}
				bound.Add(bound, best)
			}
			scale := w.bound(center, work)
			limit := scale.MulPow2(scale, -int(bits)).Lo()
			if !bound.Valid() || bound.Hi().Cmp(limit) > 0 {
				enough = false
				break
			}
			hi := bound.Hi()
			sums[i].Add(sums[i], bound.SetEnds(new(big.Float).Neg(hi), hi))
		}
		if enough {
			return sums, logF, nil
		}
		nodes *= nodeGrowth
	}
	return nil, nil, errContour
}

// The integrand is bounded on some outer circles. The method "outward" returns their distances from the circle of
// radius c. If there is a pole, all these circles lie between c and the pole.
func (f *contour) outward(beyond, c, bell float64) []float64 {
	if !math.IsInf(beyond, 1) {
		return []float64{poleNear * beyond, poleFar * beyond}
	}
	x := math.Expm1(min(bell, farBell))
	return []float64{halfBell * c * x, c * x}
}

// For each of the weights, the method "mean" returns the mean over m nodes of F times this weight. The comment at the
// top of this file defines F. It evaluates only the nodes whose contributions are not negligible. The modulus at the
// last of these nodes bounds the contribution of the nodes beyond it.
func (f *contour) mean(ws []weight, center *interval.Complex, m uint64, bits, work uint,
	value func(z *interval.Complex) (v *interval.Complex, modulus *interval.Interval)) (sums []*interval.Interval, err error) {
	if err := fault.Part(); err != nil {
		return nil, err
	}
	if !f.falls(mid64(&center.Re)) {
		return nil, errContour
	}
	sums = make([]*interval.Interval, len(ws))
	limits := make([]*big.Float, len(ws))
	for i, w := range ws {
		sums[i] = interval.New(work)
		scale := w.bound(center, work)
		limits[i] = scale.MulPow2(scale, -int(bits)).Lo()
	}
	step := interval.Angle(interval.New(work+workSpare), m)
	z := interval.NewComplex(work)
	for l := uint64(0); l <= m/2; l++ {
		if l > mostNodes {
			return nil, errContour
		}
		z.Set(center)
		if l > 0 {
			turn := interval.NewComplex(work)
			turn.Im.Mul(step, interval.New(work).SetUint64(l))
			turn.Exp(turn)
			z.Mul(z, turn)
		}
		v, modulus := value(z)
		if !v.Valid() {
			return nil, errContour
		}
		last := true
		for i, w := range ws {
			rest := interval.New(work).Mul(modulus, w.bound(z, work))
			if hi := rest.Hi(); hi.Cmp(limits[i]) > 0 {
				last = false
				break
			}
		}
		if last { // all remaining nodes together contribute at most this amount
			for i, w := range ws {
				rest := interval.New(work).Mul(modulus, w.bound(z, work))
				hi := rest.Hi()
				sums[i].Quo(sums[i], interval.New(work).SetUint64(m))
				sums[i].Add(sums[i], rest.SetEnds(new(big.Float).Neg(hi), hi))
			}
			return sums, nil
		}
		for i, w := range ws {
			t := interval.NewComplex(work).Mul(v, w.value(z, work))
			if l > 0 {
				t.Re.MulPow2(&t.Re, 1) // adds the value at the conjugate node
			}
			sums[i].Add(sums[i], &t.Re)
		}
	}
	for i := range sums {
		sums[i].Quo(sums[i], interval.New(work).SetUint64(m))
	}
	return sums, nil
}

// mid64 returns the upper end of x, rounded to a float64.
func mid64(x *interval.Interval) float64 { f, _ := x.Hi().Float64(); return f }

// belowWeight returns the factor (m-b)/(m-z). The integrand for P[X <= b], the distribution function at b, has this
// factor in addition to F.
func (f *contour) belowWeight() weight {
	value := func(z *interval.Complex, work uint) *interval.Complex {
		v := interval.NewComplex(work).SetReal(interval.New(work).SetUint64(f.counted()))
		v.Sub(v, z)
		v.Inv(v)
		return v.Scale(v, interval.New(work).SetUint64(f.counted()-f.b))
	}
	return weight{
		pole:  true,
		value: value,
		bound: func(z *interval.Complex, work uint) *interval.Interval { return value(z, work).Abs() },
	}
}

// Below returns P[X <= b], the distribution function at b, with an absolute width of at most 2^-bits.
func (o Distribution) Below(b uint64, bits uint) (*interval.Interval, error) {
	if p, ok := o.Trivial(b); ok {
		return interval.New(boundBits).SetUint64(p), nil
	}
	if uint64(o.K) < o.M {
		if p := o.rough(b); p.Width().Cmp(new(big.Float).SetMantExp(big.NewFloat(1), -int(bits))) <= 0 {
			return p, nil
		}
	}
	sum := o.belowSum
	if nearlyFull := o.Empties() <= mostEmpties; nearlyFull {
		sum = func(b uint64, bits uint) *interval.Interval { return o.EmptiesSum(b, false, 0, bits) }
	} else if b > sumsFrom {
		p, err := o.belowIntegral(b, bits)
		if !errors.Is(err, errContour) {
			return p, err
		}
		if b > sumsTo {
			return nil, refuse.TooCostly("the tail of the number of set bits", float64(b), sumsTo)
		}
	}
	return narrowed(b, bits, bits, func(asked uint) (*interval.Interval, error) { return sum(b, asked), nil })
}

// The function "narrowed" returns an interval that contains the probability P[X <= b]. The width of this interval is at
// most 2^-bits. It first calls the function "below", with the accuracy that the argument "asked" gives in bits. If the
// result is too wide, narrowed adds the missing bits and calls this function again.
func narrowed(b uint64, asked, bits uint, below func(asked uint) (*interval.Interval, error)) (*interval.Interval, error) {
	if err := fault.Part(); err != nil {
		return nil, err
	}
	for range askTries {
		p, err := below(asked)
		if err != nil {
			return nil, err
		}
		short, ok := lacks(p, bits)
		if ok {
			return p, nil
		}
		asked += short
	}
	return nil, fmt.Errorf("P[X <= %d] is not enclosed to 2^-%d: %w", b, bits, refuse.ErrPrecision)
}

// The function "lacks" checks whether the width of p is at most 2^-bits. If so, the result "ok" is true. If p is wider,
// the result "short" is about the number of missing bits.
func lacks(p *interval.Interval, bits uint) (short uint, ok bool) {
	if !p.Valid() {
		return bits + boundBits, false
	}
	w := p.Width()
	lack := w.MantExp(nil) + int(bits)
	if w.Sign() == 0 || lack <= 0 {
		return 0, true
	}
	return uint(lack) + 2, false
}

// belowIntegral returns P[X <= b], the distribution function at b. It uses the second integral in the comment at the
// top of this file.
func (o Distribution) belowIntegral(b uint64, bits uint) (*interval.Interval, error) {
	f := &contour{Distribution: o, b: b}
	return narrowed(b, f.needed(bits), bits, func(asked uint) (*interval.Interval, error) {
		sums, logF, err := f.integrals([]weight{f.belowWeight()}, asked)
		if err != nil {
			return nil, err
		}
		p := interval.New(bits + workSpare/2)
		logF.Add(logF, f.scale(logF.Prec()))
		p.Exp(logF)
		return p.Mul(p, sums[0]), nil
	})
}

// The method "needed" ignores some factors of the integral. Extra bits of precision cover these factors. The constant
// neededSpare is the number of these bits. The constant neededMost is larger than the number of bits that mostWork
// permits.
const (
	neededSpare = 4
	neededMost  = 1 << 13
)

// The method "needed" returns the number of bits that must be requested from the method "integrals". With this number,
// the second integral has an absolute width of 2^-bits. This number can be much larger than the argument "bits". The
// reason is that the integrand at the saddle point can be far above 1.
func (f *contour) needed(bits uint) uint {
	u, beyond, _ := f.saddle(true)
	work := uint(f.N.BitLen()) + 2*workSpare
	b, d := interval.New(work).SetUint64(f.b), big.NewFloat(u)
	b.Add(b, interval.New(boundBits).SetEnds(d, d))
	z := interval.NewComplex(work).SetReal(b)
	top := f.log(z, work).Re
	top.Add(&top, f.scale(work))
	log := mid64(&top)/math.Ln2 + math.Log2(float64(f.counted()-f.b)/beyond)
	return bits + neededSpare + uint(min(max(0, log), neededMost))
}

// Trivial reports whether P[X <= b], the distribution function at b, is certainly 0 or certainly 1. If so, it also
// returns this value. After one or more batches, at least k urns are occupied, so X is at least k-Out. On the other
// hand, X is at most n*k, and at most M-Out.
func (o Distribution) Trivial(b uint64) (p uint64, ok bool) {
	nk := new(big.Int).Mul(o.N, big.NewInt(int64(o.K)))
	switch {
	case b >= o.counted() || nk.Cmp(new(big.Int).SetUint64(b)) <= 0:
		return 1, true
	case b+o.Out < uint64(o.K): // here n >= 1, because n = 0 would give nk <= b
		return 0, true
	}
	return 0, false
}
