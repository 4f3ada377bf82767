package occupancy

import (
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof/exact/internal/falling"
	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// Slices describes the number X of set bits of a partitioned filter. The filter has K slices of S bits. N balls fall
// into each slice. The type Distribution uses an integral, but no such integral is known for X. There are generating
// functions for the numbers of set bits and of balls. Let Y be the number of set bits of one slice. Let k, s and n
// stand for K, S and N. The generating function of Y is:
//
//	G(w) = E[w^Y] = n!/s^n 1/(2 pi i) ∮ (1 + w(e^y-1))^s y^-n dy/y.
//
// For |w| < 1 the distribution function of X follows:
//
//	P[X <= b] = 1/(2 pi i) ∮ G(w)^k w^-b/(1-w) dw/w.
//
// The errors are bounded as follows. The power series of (1+w(e^y-1))^s in w and y has no negative coefficient, and 0
// <= P[X <= b] <= 1. Consider circles of radius rho for w and r for y, with M nodes each. The mean over the nodes is
// the required coefficient plus some other coefficients, which are called aliases. The sum of the aliases is at most
// the sum of a geometric series. This series contains the value of the integrand at another positive radius. For w, the
// mean over all nodes is too large by at most rho^M/(1-rho^M).
//
// If r <= pi, |e^y-1| falls as the angle of y on its circle grows from 0 to pi. Proof: with y = x + iv, the derivative
// of |e^y-1|^2 with respect to the angle is 2e^x (v cos v + x sin v - v e^x). For x >= 0 this is at most 2e^x v (cos v
// - 1), because e^x >= 1+x. For x < 0 and v <= pi, consider v e^x - x sin v as a function of x. Its minimum is at least
// sin v (1 + log(v/sin v)), which is at least v cos v. For r > pi, |e^y-1| falls until the angle reaches pi/2, and is
// at most 2 for larger angles. If t is a bound of |e^y-1| at the omitted nodes y, these nodes contribute at most (1 +
// rho t)^s.
//
// The modulus |G(w)| falls as the angle of w grows, because the polynomial G has only real roots. Proof: one more ball
// changes G to wG + w(1-w)G'/s. Let H(w) = G (1-w)^-s. Then the new polynomial is H'(w) w(1-w)^(s+1)/s. By Rolle's
// theorem the derivative H' has a root between any two adjacent roots of G, and one more root beyond them.
type Slices struct {
	S, N uint64
	K    int
}

// These constants affect only the running time, because interval arithmetic bounds the errors.
const (
	sliceRange     = 40      // range of the logarithm in which the saddle point is searched
	derivativeStep = 1e-5    // step of a numerical derivative, about the cube root of the precision of a float64
	sliceNodes     = 9       // least number of nodes of the inner integral, which must be odd
	outerNodes     = 5       // least number of nodes of the outer integral
	sliceTries     = 12      // number of tries; 1.5^12 is 130 times the first number of nodes
	leastVariance  = 0.05    // smallest variance that is assumed for the number of set bits
	mostDecay      = 20      // largest -log of the outer radius
	sliceWork      = 160     // extra bits for the rounding errors of both integrals
	innerSpare     = 24      // extra bits of the inner integral, because its k-th power is needed
	belowSpare     = 12      // extra bits of P[X <= b]; also the extra nats in the number of outer nodes
	roughBits      = 8       // precision of a bound in bits
	spreadSpare    = 200     // extra bits for the logarithms of n factors of 64 bits each
	mostOuter      = 1 << 14 // largest number of nodes of both integrals, which take some seconds
)

// belowPi is slightly less than pi. Let y run over a circle around 0 with a radius of at most pi. Then |e^y-1| falls as
// the angle of y grows (see Slices).
const belowPi = 3.14

// kBits is the number of bits of the largest permitted number k of slices.
const kBits = 13

// These constants limit the sums. The method emptiesSum is used if the mean number of unset bits is at most
// mostSliceEmpties. Several balls can fall into the same urn. The method "meetings" is used under three conditions. The
// number of balls that fell into an already occupied urn is at most the constant mostMet. The method takes at most
// mostMeetings steps. A slice has fewer than mostBalls balls. The method emptiesSum computes a generating function up
// to some degree. This degree is at least leastDegrees above the lowest degree that the sum uses. The method increases
// the degree only while it is below mostDegrees.
const (
	mostSliceEmpties = 64
	mostMet          = 256
	mostMeetings     = 1 << 18
	mostBalls        = 1 << 32
	leastDegrees     = 8
	mostDegrees      = 1e5
)

// The method Slope uses rationals if the array and the denominators are small enough. The limits are mostSlopeArray and
// mostSlopeBits bits. Otherwise Slope uses enclosures to find the sign. Their precision increases from leastSlope to
// mostSlope bits.
const (
	mostSlopeArray = 64
	mostSlopeBits  = 2048
	leastSlope     = 40
	mostSlope      = 400
)

// A slicePower computes the generating function G(w) of Slices for |w| = rho, by the inner integral.
type slicePower struct {
	Slices
	rho   *interval.Interval
	e, y  []*interval.Complex // e^y - 1 and (y/r)^-n at the nodes of the upper half plane
	top   *interval.Interval  // s log(1+rho(e^r-1)), where r is the radius for y
	logR  *interval.Interval  // log r
	nodes uint64
	slack *interval.Interval // error of the mean, relative to the integrand at rho and r
	work  uint
}

// The method "saddle" approximates the radius r that solves this equation:
//
//	n = s*rho*r*e^r/(1 + rho*(e^r-1)).
//
// It also approximates the curvature of the logarithm of the integrand at this radius.
func (x Slices) saddle(rho float64) (r, curvature float64) {
	n, s := float64(x.N), float64(x.S)
	lo, hi := math.Log(n/s)-sliceRange, math.Log(n/s+2)+math.Log(2/rho)
	mean := func(t float64) float64 {
		r := math.Exp(t)
		return s * r / (1 + math.Exp(-r)*(1/rho-1))
	}
	for range 2 * searchSteps {
		if mid := (lo + hi) / 2; mean(mid) < n {
			lo = mid
		} else {
			hi = mid
		}
	}
	const d = derivativeStep
	return math.Exp(hi), max(leastCurvature, (mean(hi+d)-mean(hi-d))/(2*d))
}

// The method "at" prepares the computation of the generating function G(w) of Slices for |w| = rho. The error is about
// 2^-bits times G(rho).
func (x Slices) at(rho *interval.Interval, bits, work uint) (*slicePower, error) {
	if err := fault.Part(); err != nil {
		return nil, err
	}
	f, _ := rho.Lo().Float64()
	r, curvature := x.saddle(f)
	p := &slicePower{Slices: x, rho: rho, work: work}
	// The mean of the integrand is about 0.4/sqrt(curvature) times its maximum.
	goal := bits + uint(math.Log2(curvature+1)/2) + restBits
	nats := float64(goal) * math.Ln2
	radius := interval.New(work).SetEnds(big.NewFloat(r), big.NewFloat(r))
	grown := func(radius *interval.Interval) *interval.Interval { // returns s log(1+rho(e^r-1)) for a radius r
		t := interval.New(work).Expm1(radius)
		t.Mul(t, rho)
		t.Log1p(t)
		return t.Mul(t, interval.New(work).SetUint64(x.S))
	}
	p.top = grown(radius)
	p.logR = interval.New(work).Log(radius)
	items := interval.New(work).SetUint64(x.N)
	limit := new(big.Float).SetMantExp(big.NewFloat(1), -precision.Cut(goal))
	p.nodes = 2*uint64(math.Sqrt(curvature)*math.Sqrt(2*nats)/2) + sliceNodes
	for tries := 0; ; tries++ {
		p.slack = interval.New(boundBits)
		reach := min(float64(p.nodes)/curvature, windowBell)
		for _, sign := range []float64{-1, 1} {
			shift := interval.New(work).SetEnds(big.NewFloat(sign*reach), big.NewFloat(sign*reach))
			// Let R be another radius. The variable "shift" is log(R/r), and "reach" is |shift|. Let M be the number of
			// nodes, and let q = e^(-M*reach). Let v be the integrand at r e^shift, divided by the integrand at r. The
			// variable t becomes v*q/(1-q).
			t := grown(interval.New(work).Mul(radius, interval.New(work).Exp(shift)))
			t.Sub(t, p.top)
			t.Sub(t, interval.New(work).Mul(items, shift))
			q := interval.New(boundBits).SetUint64(p.nodes)
			q.Mul(q, interval.New(boundBits).SetEnds(big.NewFloat(-reach), big.NewFloat(-reach)))
			q.Exp(q)
			t.Exp(t)
			t.Mul(t, q)
			q.Sub(interval.New(boundBits).SetUint64(1), q)
			t.Quo(t, q)
			p.slack.Add(p.slack, t)
		}
		if p.slack.Valid() && p.slack.Hi().Cmp(limit) <= 0 {
			break
		}
		if tries == sliceTries {
			return nil, fmt.Errorf("the distribution of a slice: %w", refuse.ErrPrecision)
		}
		p.nodes = 2*(p.nodes*3/4) + 1
	}
	step := interval.Angle(interval.New(work+workSpare), p.nodes)
	for l := uint64(0); l <= p.nodes/2; l++ {
		if l > mostNodes {
			return nil, refuse.TooCostly("the distribution of a slice", float64(l), mostNodes)
		}
		y, e := interval.NewComplex(work), interval.NewComplex(work)
		e.SetReal(p.logR)
		y.Im.Mul(step, interval.New(work).SetUint64(l))
		e.Im.Set(&y.Im)
		e.Exp(e)
		e.Exp(e).Re.Sub(&e.Re, interval.New(work).SetUint64(1)) // e becomes e^y - 1
		if l == 0 {
			e.SetReal(interval.New(work).Expm1(radius))
		}
		t := e.Abs()
		if two := interval.New(work).SetUint64(2); r > belowPi && t.Hi().Cmp(two.Lo()) < 0 {
			t = two
		}
		t.Mul(t, rho)
		t.Log1p(t)
		t.Mul(t, interval.New(work).SetUint64(x.S))
		t.Sub(t, p.top)
		t.Exp(t)
		if t.Hi().Cmp(limit) <= 0 {
			p.slack.Add(p.slack, t)
			break
		}
		p.e = append(p.e, e)
		y.Im.Mul(&y.Im, items)
		y.Im.Neg(&y.Im)
		y.Exp(y)
		p.y = append(p.y, y)
	}
	hi := p.slack.Hi()
	p.slack.SetEnds(new(big.Float).Neg(hi), hi)
	return p, nil
}

// The method "mean" returns the inner integral at w, where |w| = rho. The result is divided by the value of the
// integrand at the radii rho and r.
func (p *slicePower) mean(w *interval.Complex) *interval.Complex {
	sum := interval.NewComplex(p.work)
	one := interval.NewComplex(p.work).SetReal(interval.New(p.work).SetUint64(1))
	s := interval.New(p.work).SetUint64(p.S)
	t, conj := interval.NewComplex(p.work), interval.NewComplex(p.work)
	for l, e := range p.e {
		for _, lower := range []bool{false, true} {
			y := p.y[l]
			if conj.Set(e); lower {
				if l == 0 {
					break
				}
				conj.Im.Neg(&conj.Im)
				y = interval.NewComplex(p.work).Set(y)
				y.Im.Neg(&y.Im)
			}
			t.Mul(w, conj)
			t.Add(t, one)
			t.Log(t)
			t.Scale(t, s)
			t.Re.Sub(&t.Re, p.top)
			t.Exp(t)
			t.Mul(t, y)
			sum.Add(sum, t)
			if w.IsReal() && l > 0 { // for a real w, the value at the conjugate node is the conjugate
				sum.Re.Add(&sum.Re, &t.Re)
				sum.Im.SetUint64(0)
				break
			}
		}
	}
	n := interval.New(p.work).SetUint64(p.nodes)
	sum.Re.Quo(&sum.Re, n)
	sum.Re.Add(&sum.Re, p.slack)
	if !w.IsReal() {
		sum.Im.Quo(&sum.Im, n)
		sum.Im.Add(&sum.Im, p.slack)
	}
	return sum
}

// logReal returns log G(rho), where G is the generating function of Slices.
func (p *slicePower) logReal() *interval.Interval {
	x := p.mean(interval.NewComplex(p.work).SetReal(p.rho))
	logG := interval.New(p.work).Log(&x.Re)
	logG.Add(logG, p.top)
	z := interval.NewComplex(p.work).SetReal(interval.New(p.work).SetUint64(p.N))
	logG.Add(logG, &falling.Log(z, p.N, p.work).Re) // adds log n!
	rs := interval.New(p.work).SetUint64(p.S)
	rs.Log(rs)
	rs.Add(rs, p.logR)
	rs.Mul(rs, interval.New(p.work).SetUint64(p.N))
	return logG.Sub(logG, rs)
}

// Below returns P[X <= b], the distribution function at b, with an absolute width of at most 2^-bits.
func (x Slices) Below(b uint64, bits uint) (*interval.Interval, error) {
	nk := new(big.Int).Mul(integer.Uint(x.N), big.NewInt(int64(x.K)))
	switch k := uint64(x.K); {
	case b >= x.S*k || nk.Cmp(integer.Uint(b)) <= 0:
		return interval.New(boundBits).SetUint64(1), nil
	case b < k || x.S == 1:
		return interval.New(boundBits).SetUint64(0), nil
	}
	return narrowed(b, bits+belowSpare, bits, func(asked uint) (*interval.Interval, error) { return x.probability(b, false, asked) })
}

// The method "probability" returns P[X <= b], the probability that at most b bits are set. If the argument "exactly" is
// true, it returns P[X = b] instead. The absolute width is about 2^-bits. If very few balls fell into an occupied urn,
// it calls the method "meetings". If nearly all bits are set, it calls emptiesSum, and otherwise "integral".
func (x Slices) probability(b uint64, exactly bool, bits uint) (*interval.Interval, error) {
	if met := x.N*uint64(x.K) - b; x.N < mostBalls && met <= mostMet && x.N*met <= mostMeetings {
		return x.meetings(met, exactly, bits), nil
	}
	if mean := x.empties(); mean > mostSliceEmpties {
		return x.integral(b, exactly, bits)
	} else if e := x.S*uint64(x.K) - b; nothing(e, mean) {
		return interval.New(boundBits).SetEnds(new(big.Float), new(big.Float).SetMantExp(big.NewFloat(1), -nothingBits)), nil
	}
	return x.emptiesSum(b, exactly, bits), nil
}

// The method "integral" returns P[X <= b], the probability that at most b bits are set. If the argument "exactly" is
// true, it returns P[X = b] instead. The absolute width is about 2^-bits. It requires k <= b < m, b < n*k and s > 1. It
// computes the outer integral. If the argument "exactly" is true, the integrand does not have the factor 1/(1-w).
func (x Slices) integral(b uint64, exactly bool, bits uint) (*interval.Interval, error) {
	m := float64(x.S) * float64(x.K)
	l := float64(x.N) / float64(x.S)
	q := math.Exp(-l)
	variance := max(m*q*(1-q*(1+l)), leastVariance)
	away := m*(1-q) - float64(b)
	// Suppose that the number X of set bits were normally distributed. Then the integrand with the factor 1/(1-w) would
	// have its saddle point at e^-a.
	a := min((away+math.Sqrt(away*away+4*variance))/(2*variance), mostDecay)
	work := bits + uint(math.Ilogb(m))*2 + sliceWork
	nats := float64(bits)*math.Ln2 + belowSpare
	nodes := 2*uint64(max(nats/a, math.Sqrt(variance*2*nats))/2) + outerNodes
	decay := big.NewFloat(-a)
	logRho := interval.New(work).SetEnds(decay, decay)
	rho := interval.New(work).Exp(logRho)
	k := interval.New(work).SetUint64(uint64(x.K))
	inner, err := x.at(rho, bits+innerSpare+uint(math.Ilogb(float64(x.K))), work)
	if err != nil {
		return nil, err
	}
	bb := interval.New(work).SetUint64(b)
	logTop := func(p *slicePower, logRho *interval.Interval) *interval.Interval { // returns the logarithm of G^k rho^-b
		t := p.logReal()
		t.Mul(t, k)
		return t.Sub(t, interval.New(work).Mul(bb, logRho))
	}
	top := logTop(inner, logRho)
	// With M nodes, rho^M/(1-rho^M) bounds the aliases of higher powers. To bound the aliases of lower powers, the
	// integrand is evaluated at a smaller radius.
	one := interval.New(work).SetUint64(1)
	limit := new(big.Float).SetMantExp(big.NewFloat(1), -int(bits))
	var slack *interval.Interval
	for tries := 0; ; tries++ {
		less := big.NewFloat(-a - min(float64(nodes)/variance, windowBell))
		logLess := interval.New(work).SetEnds(less, less)
		small, err := x.at(interval.New(work).Exp(logLess), roughBits, work)
		if err != nil {
			return nil, err
		}
		series := func(logQ, logF *interval.Interval) *interval.Interval { // returns e^logF q^M/(1-q^M)
			q := interval.New(work).SetUint64(nodes)
			q.Mul(q, logQ)
			f := interval.New(work).Exp(interval.New(work).Add(q, logF))
			q.Exp(q)
			q.Sub(one, q)
			return f.Quo(f, q)
		}
		slack = series(logRho, interval.New(work))
		down := series(interval.New(work).Sub(logLess, logRho), logTop(small, logLess))
		down.Quo(down, interval.New(work).Sub(one, small.rho))
		slack.Add(slack, down)
		if slack.Valid() && slack.Hi().Cmp(limit) <= 0 {
			break
		}
		if tries == sliceTries {
			return nil, fmt.Errorf("the distribution of the slices: %w", refuse.ErrPrecision)
		}
		nodes = 2*(nodes*3/4) + 1
	}
	count := interval.New(work).SetUint64(nodes)
	sum := interval.New(work)
	step := interval.Angle(interval.New(work+workSpare), nodes)
	first := &inner.mean(interval.NewComplex(work).SetReal(rho)).Re
	for l := uint64(0); l <= nodes/2; l++ {
		if cost := float64(l+1) * float64(len(inner.e)); cost > mostOuter {
			return nil, refuse.TooCostly("the distribution of the slices", cost, mostOuter)
		}
		turn := interval.NewComplex(work)
		turn.Im.Mul(step, interval.New(work).SetUint64(l))
		w := interval.NewComplex(work).Set(turn)
		w.Exp(w)
		w.Scale(w, rho)
		g := inner.mean(w)
		g.Scale(g, interval.New(work).Quo(one, first)) // g becomes G(w)/G(rho)
		term := complexPower(g, x.K, work)
		if !exactly {
			away := interval.NewComplex(work).SetReal(one)
			away.Sub(away, w)
			away.Inv(away)
			term.Mul(term, away)
		}
		weight := term.Abs()
		if weight.Mul(weight, interval.New(work).Exp(top)); weight.Hi().Cmp(limit) <= 0 {
			slack.Add(slack, weight)
			break
		}
		turn.Im.Mul(&turn.Im, bb)
		turn.Im.Neg(&turn.Im)
		turn.Exp(turn)
		term.Mul(term, turn)
		if l > 0 {
			term.Re.MulPow2(&term.Re, 1)
		}
		sum.Add(sum, &term.Re)
	}
	sum.Quo(sum, count)
	top.Exp(top)
	sum.Mul(sum, top)
	hi := slack.Hi()
	return sum.Add(sum, slack.SetEnds(new(big.Float).Neg(hi), hi)), nil
}

// complexPower returns z^k for k >= 1.
func complexPower(z *interval.Complex, k int, work uint) *interval.Complex {
	p := interval.NewComplex(work).SetReal(interval.New(work).SetUint64(1))
	for i := kBits - 1; i >= 0; i-- {
		if p.Mul(p, p); k>>i&1 == 1 {
			p.Mul(p, z)
		}
	}
	return p
}

// Slope compares the probability that b bits are set for n and for n+1 balls in each slice. It returns the sign of a
// difference: the probability for n+1 balls minus the probability for n balls. It requires k <= b < m and n*k >= b.
func (x Slices) Slope(b uint64) (int, error) {
	more := x
	more.N++
	if x.S*uint64(x.K) <= mostSlopeArray && float64(more.N)*math.Log2(float64(x.S)) <= mostSlopeBits {
		return more.rational(b).Cmp(x.rational(b)), nil
	}
	for bits := uint(leastSlope); bits <= mostSlope; bits *= 2 {
		p, err := more.probability(b, true, bits)
		if err != nil {
			return 0, err
		}
		var q *interval.Interval
		if nk := new(big.Int).Mul(integer.Uint(x.N), big.NewInt(int64(x.K))); nk.Cmp(integer.Uint(b)) > 0 {
			if q, err = x.probability(b, true, bits); err != nil {
				return 0, err
			}
		} else { // no two balls of a slice fell on the same bit
			q = x.spread(bits)
		}
		if s := q.Sub(p, q).Sign(); s != 0 {
			return s, nil
		}
	}
	return 0, fmt.Errorf("the likelihoods of %d and %d items agree: %w", x.N, more.N, refuse.ErrPrecision)
}

// The method "spread" returns the probability that no two balls fall on the same bit, for n <= s. This is P[X = n*k] =
// (s(s-1)...(s-n+1)/s^n)^k.
func (x Slices) spread(bits uint) *interval.Interval {
	work := bits + spreadSpare
	z := interval.New(work).SetUint64(x.S)
	p := &falling.Log(interval.NewComplex(work).SetReal(z), x.N, work).Re
	z.Log(z)
	z.Mul(z, interval.New(work).SetUint64(x.N))
	p.Sub(p, z)
	p.Mul(p, interval.New(work).SetUint64(uint64(x.K)))
	return p.Exp(p)
}
