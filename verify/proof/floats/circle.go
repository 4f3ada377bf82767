package main

import (
	"fmt"
	"math"
)

// A span is a range of real numbers.
type span struct{ lo, hi float64 }

// The constant "slack" is larger than the relative rounding error of any bound. A bound is computed from positive terms
// with a few hundred roundings.
const slack = 1e-11

// The comment of the method "circles" defines the geometric variables of a circle. The type "poles" describes a group
// of these variables. It has the number of variables in the group, and the range of x = l/R. Here l is the pole, and R
// is the radius.
type poles struct {
	number, x span
}

// The type "zeros" describes a group of the Bernoulli variables of a circle. The field p is the range of their
// probabilities. The field "weight" is the weight of the group. This weight is the group's share of the sum of p over
// all Bernoulli variables.
type zeros struct{ weight, p span }

// The type "circle" describes a set of circles of integration for the classic rate (see the method "circles"). The
// field "mean" is the sum of the probabilities p of all Bernoulli variables. The field "variance" is the sum of the
// variances of these variables. If the list "zeros" is nil, nothing else is known about these variables. The mean of
// the circle's probability distribution is near 0. The field "off" is a bound of the absolute value of this mean. The
// field "geometric" is the largest mean of a geometric variable.
type circle struct {
	poles          []poles
	zeros          []zeros
	mean, variance span
	off, geometric float64
}

// The method "ratio" divides the angles that contribute most to the integral into pieces. The constant "nodes" is the
// number of these pieces. Beyond these angles, the end of each piece is 1.25 times its beginning.
const nodes = 60

// The method "ratio" returns a bound of a quotient. It is the sum of |e^Phi|, divided by the sum of Re e^Phi. Both sums
// are over the nodes of the trapezoidal rule. The comment of contourClassic in approx/hashing_classic.go defines Phi.
//
// The angle theta goes from 0 to pi, in pieces. Let x = tan(theta/4) and s = sin^2(theta/2). As theta grows, x and s
// increase, and |e^Phi| decreases. So within a piece, |e^Phi| lies between its bounds at the two ends. The phase of
// e^Phi in a piece is at most its bound at the end of the piece. The derivative of the phase has a bound in each piece.
// The integral of these bounds is the bound of the phase.
//
// Let V be the variance of the distribution. Let g be 1 plus the largest mean of a geometric variable. By the comment
// of contourClassic.mass, the steps of the trapezoidal rule are at most
//
//	h = 2 pi/(45 g + sqrt((45 g)^2 + 90 V)).
//
// Let f = |e^Phi| = e^-D. The second derivative of f is f2 = (D'^2 - D2) f, where D2 is the second derivative of D.
// Choose any angle. Up to this angle, the trapezoidal sum may exceed the integral of f. Take the integral of the
// positive part of f2. The excess is at most h^2/8 times this integral. Beyond this angle f decreases, so the sum
// exceeds the integral by at most h f/2. Here f is the value at the last node before the angle.
func (c circle) ratio() float64 {
	before := c.at(0)
	v := (before.pull.lo + before.push.lo) / 2
	if !(v > 0.2) {
		return math.Inf(1)
	}
	g := 45 * (1 + c.geometric)
	h := 2 * math.Pi / (g + math.Sqrt(g*g+90*v)) * (1 + slack)
	end := min(0.8, 1.1/math.Sqrt(v))
	xs := make([]float64, nodes+1)
	for i := range xs {
		xs[i] = end * float64(i) / nodes
	}
	for x := end; x < 1; {
		x = min(1, x*1.25)
		xs = append(xs, x)
	}
	phase, wrong, size, curved := 0.0, 0.0, 0.0, 0.0
	for i := 1; i < len(xs); i++ {
		a, b := xs[i-1], xs[i]
		root := 2 * b / (1 + b*b)
		after := c.at(min(1, root*root))
		t := (b - a) / (1 + a*b)
		most, least := 4*t, 4*(t-t*t*t/3) // of the difference of theta
		if phase < 4 {
			phase += most * (c.off + max(after.poles.hi-min(before.zeros.lo, after.zeros.lo), max(before.zeros.hi, after.zeros.hi)-before.poles.lo))
		}
		loss := 2.0
		if phase < 4 { // 1 - cos is below the first three terms of its series
			z := phase * phase
			loss = min(2, z/2-z*z/24+z*z*z/720)
		}
		f := expNeg(before.decay.lo).hi
		wrong += most * f * loss
		size += least * expNeg(after.decay.hi).lo
		if i <= nodes {
			pull := before.pull.hi + after.push.hi
			curved += most * f * (root*root*(pull*pull+before.bend) + pull*max(0, root*root-0.5))
		}
		before = after
	}
	early := max(0, end-h*(1+end*end)/4*1.01)
	root := 2 * early / (1 + early*early)
	more := h*h/8*curved + h/2*expNeg(c.at(root*root).decay.lo).hi
	if !(wrong < size) {
		return math.Inf(1)
	}
	return (1 + more/size) / (1 - wrong/size) * (1 + slack)
}

// The fields of the type "place" bound the following quantities at one angle. The field "decay" is D = -ln |e^Phi|. The
// derivative of D with respect to s has two parts. The field "pull" is the part of the geometric variables (the poles).
// The field "push" is the part of the Bernoulli variables (the zeros). As s grows, "pull" decreases and "push"
// increases. Let pull' be the derivative of the field "pull" with respect to s. The field "bend" is |pull'|. As s
// grows, "bend" decreases. The derivative of the phase with respect to the angle is the difference of two parts. The
// fields "poles" and "zeros" have these parts. Let w = x/(1-x)^2 and v = p(1-p). D is half the difference of two sums:
//
//	D = (sum over poles of ln(1+4ws) - sum over zeros of ln(1-4vs))/2.
//
// The derivative of the phase is also a difference of two sums:
//
//	phase' = sum over poles of 2ws (1+x)/(1-x)/(1+4ws) - sum over zeros of 2vs (1-2p)/(1-4vs).
type place struct {
	decay, pull, push, poles, zeros span
	bend                            float64
}

func (c circle) at(s float64) (r place) {
	for _, g := range c.poles {
		f := func(x float64) (ln span, slope float64) {
			w := x / (1 - x) / (1 - x)
			return log1p(4 * w * s), 2 * w * (1 + x) / (1 - x) * s / (1 + 4*w*s)
		}
		lo, a := f(g.x.lo)
		hi, b := f(g.x.hi)
		r.decay.lo += g.number.lo * lo.lo / 2
		r.decay.hi += g.number.hi * hi.hi / 2
		r.poles.lo += g.number.lo * a
		r.poles.hi += g.number.hi * b
		w := g.x.lo / (1 - g.x.lo) / (1 - g.x.lo)
		r.pull.lo += g.number.lo * 2 * w / (1 + 4*w*s)
		w = g.x.hi / (1 - g.x.hi) / (1 - g.x.hi)
		r.pull.hi += g.number.hi * 2 * w / (1 + 4*w*s)
		r.bend += g.number.hi * 8 * w * w / (1 + 4*w*s) / (1 + 4*w*s)
	}
	most := 1e300 // of |1-2p|/(1-4vs) for all p: 1 up to s = 1/2, and then 1/sin(theta)
	if s <= 0.5 {
		most = 1
	} else if s < 1 {
		most = 0.5 / math.Sqrt(s*(1-s)) * (1 + slack)
	}
	far := 1e300
	if s < 1 {
		far = 1 / (1 - s) * (1 + slack)
	}
	if c.zeros == nil {
		top := min(1e300, 2*c.variance.hi*s*most)
		r.zeros = span{-top, top}
		r.decay.lo += 2 * c.variance.lo * s
		r.decay.hi += min(1e300, 2*c.variance.hi*s*far)
		r.push = span{2 * c.variance.lo, min(1e150, 2*c.variance.hi*far)}
		return r
	}
	var weight, decay, push, slope span
	for _, z := range c.zeros {
		lo, hi := z.p.lo, z.p.hi
		weight.lo += z.weight.lo
		weight.hi += z.weight.hi
		least, top := min(lo*(1-lo), hi*(1-hi)), max(lo*(1-lo), hi*(1-hi))
		if lo < 0.5 && hi > 0.5 {
			top = 0.25
		}
		x, y := 4*least*s, 4*top*s
		over := far // 1/(1-y)
		if y < 1 {
			over = 1 / (1 - y)
		}
		decay.lo += z.weight.lo * 4 * (1 - hi) * s * (1 + x/2 + x*x/3)
		decay.hi += z.weight.hi * 4 * (1 - lo) * s * (1 + y/2 + y*y/3*over)
		push.lo += z.weight.lo * 2 * (1 - hi)
		push.hi += z.weight.hi * 2 * (1 - lo) * over
		turn := func(p float64) float64 { return 2 * (1 - p) * (1 - 2*p) * s } // times 1/(1-4vs), 1 to over
		f := span{min(turn(lo), turn(hi)), max(turn(lo), turn(hi))}
		if lo < 0.75 && hi > 0.75 {
			f.lo = turn(0.75)
		}
		limit := 2 * (1 - lo) * s * most
		f = span{max(f.lo*pick(f.lo < 0, over, 1/(1-x)), -limit), min(f.hi*pick(f.hi > 0, over, 1/(1-x)), limit)}
		slope.lo += f.lo * pick(f.lo < 0, z.weight.hi, z.weight.lo)
		slope.hi += f.hi * pick(f.hi > 0, z.weight.hi, z.weight.lo)
	}
	// The fields "zeros", "decay" and "push" contain sums over all Bernoulli variables. Each such sum is the product of
	// two factors. The first factor is the sum of the probabilities p of all these variables. The second factor is the
	// weighted average of the values t/p. Here t is the term of a variable in the sum, and p is the weight of the
	// variable.
	few, many := c.mean.lo/weight.hi, c.mean.hi/weight.lo
	r.zeros = span{slope.lo * pick(slope.lo < 0, many, few), slope.hi * pick(slope.hi > 0, many, few)}
	r.decay.lo += few * decay.lo / 2
	r.decay.hi += min(1e300, many*decay.hi/2)
	r.push = span{few * push.lo, min(1e150, many*push.hi)}
	return r
}

func pick(b bool, x, y float64) float64 {
	if b {
		return x
	}
	return y
}

// log1p returns ln(1+z), for z >= 0. It takes square roots of 1+z until the result y is close to 1. For y > 1, ln y
// lies between 2(y-1)/(y+1) and (y-1)/sqrt(y).
func log1p(z float64) span {
	if z < 1e-4 {
		return span{z - z*z/2, z}
	}
	y, n := 1+z, 1.0
	for y > 1.001 {
		y, n = math.Sqrt(y), n*2
	}
	return span{n * 2 * (y - 1) / (y + 1) * (1 - slack), n * (y - 1) / math.Sqrt(y) * (1 + slack)}
}

// expNeg returns e^-z, for z >= 0. It computes the series of e^z, whose terms are positive.
func expNeg(z float64) span {
	if z > 600 {
		return span{0, 0x1p-800}
	}
	halved := 0
	for z > 0.25 {
		z /= 2
		halved++
	}
	e := 1 + z*(1+z/2*(1+z/3*(1+z/4*(1+z/5*(1+z/6*(1+z/7*(1+z/8)))))))
	r := span{1 / (e * (1 + 1e-11)), 1 / e} // z^9/9! < 1e-11
	for range halved {
		r.lo *= r.lo
		r.hi *= r.hi
	}
	return span{r.lo * (1 - slack), r.hi * (1 + slack)}
}

// The function polesOf divides the poles into groups. The constant "parts" is the number of groups. Suppose that the
// number of poles is known exactly and is at most this constant. Then each pole is a group.
const parts = 40

// polesOf returns groups of the poles l = 1, ..., top. The groups are valid for all values of top in [k1, k2], if top/R
// is in the range a.
func polesOf(k1, k2 int, a span) (p []poles) {
	if k1 == k2 && k1 <= parts {
		for l := 1; l <= k1; l++ {
			y := float64(l) / float64(k1)
			p = append(p, poles{span{1, 1}, span{y * a.lo, y * a.hi}})
		}
		return p
	}
	// Let y = l/top. The poles with y from y1 to y2 are a group. The number of poles in this group is replaced by
	// top*(y2-y1). So a sum over l is replaced by an integral over y, times top. For an increasing function, the sum is
	// at least this integral. The sum exceeds the integral by at most the value of the function at y = 1. Therefore
	// polesOf appends a group at y = 1. The field "number" of this group is the range from 0 to 1.
	gap := 1 - a.hi
	y := 0.0
	for i := 1; i <= parts; i++ {
		next := (1 - math.Pow(gap, float64(i)/parts)) / a.hi
		if i == parts {
			next = 1
		}
		p = append(p, poles{span{float64(k1) * (next - y) * (1 - slack), float64(k2) * (next - y) * (1 + slack)}, span{y * a.lo, next * a.hi}})
		y = next
	}
	return append(p, poles{span{0, 1}, span{a.hi, a.hi}})
}

// Take the sum of x/(1-x) over the poles, and add top. meanOf returns bounds of this result. The bounds hold for all
// values of top in [k1, k2].
func meanOf(k1, k2 int, p []poles) span {
	m := span{float64(k1), float64(k2)}
	for _, g := range p {
		m.lo += g.number.lo * g.x.lo / (1 - g.x.lo)
		m.hi += g.number.hi * g.x.hi / (1 - g.x.hi)
	}
	return span{m.lo * (1 - slack), m.hi * (1 + slack)}
}

// zerosOf returns groups of the Bernoulli variables. The groups are valid for k in [k1, k2] under two conditions.
// First, the ratio k/R must lie in the range a. Second, the ratio R/(R+base) must lie in the range rho. Let y = i/k for
// 0 <= i < k. Variable i is 1 with probability 1/(1/rho + y*a). The weights in the result are divided by rho. The
// result "least" is a lower bound of the average probability.
func zerosOf(k1, k2 int, a, rho span) (z []zeros, least float64) {
	add := func(y1, y2 float64, number span) {
		weight := span{number.lo / (1 + rho.hi*y2*a.hi) * (1 - slack), number.hi / (1 + rho.lo*y1*a.lo) * (1 + slack)}
		z = append(z, zeros{weight, span{rho.lo / (1 + rho.lo*y2*a.hi) * (1 - slack), min(1, rho.hi/(1+rho.hi*y1*a.lo)*(1+slack))}})
		least += number.lo * z[len(z)-1].p.lo
	}
	if k1 == k2 && k1 <= parts {
		for i := range k1 {
			y := float64(i) / float64(k1)
			add(y, y, span{1 / float64(k1), 1 / float64(k1)})
		}
		return z, least
	}
	const n = 5
	for i := range n { // there are between k/n-1 and k/n+1 of the variables in a part
		add(float64(i)/n, float64(i+1)/n, span{1.0/n - 1/float64(k1), 1.0/n + 1/float64(k1)})
	}
	return z, least
}

// offOf returns a bound of |mu|, where mu is the mean of the circle's distribution. At the exact radius this mean would
// be 0. To find the radius, newContourClassic approximates the sums of 1/(R-l) and n/(R+e) by integrals. The mean is at
// most R times the errors of these integrals. The integral over l has two errors. First, the function's mean in an
// interval differs from the function's value in the middle. This gives an error of at most 1/(18(R-top)^2). Second, the
// ends of the integral are 0.51 and 0.49 away from the last poles, not 0.5. This gives an error of at most
//
//	0.01 k/((R-top)(R+k-top)).
//
// The error of the integral over e is at most 1/(11R^3) times the sum of the probabilities p. The bisection causes a
// relative error of 2^-30 in R. This error changes the mean by 2^-30 times the variance.
func offOf(top int, a float64, mean, variance float64) float64 {
	t := float64(top)
	return 0.02*(a/(1-a)) + a/(t*(1-a)*(1-a))/8 + mean*a*a/(t*t)/8 + 0x1p-29*(mean+variance)
}

// The error bound of contourClassic assumes that the method "ratio" returns at most mostRatio.
const mostRatio = 1.3

// A box is a rectangle: the range a contains one coordinate of its points, and the range b contains the other. The
// function "cover" divides it into smaller boxes. The argument "try" is a function that returns a bound for a box. If
// this bound is at most mostRatio, the box is not divided further. The argument "depth" limits how often a box is
// divided. The function "cover" adds the bounds of all undivided boxes to res.
func cover(res *result, a, b span, depth int, try func(a, b span) (bound float64, empty bool), text string) {
	bound, empty := try(a, b)
	if empty {
		return
	}
	if bound <= mostRatio || depth == 0 {
		res.add(bound, text+", %.4g..%.4g and %.4g..%.4g", a.lo, a.hi, b.lo, b.hi)
		return
	}
	x, y := (a.lo+a.hi)/2, (b.lo+b.hi)/2
	for _, a := range []span{{a.lo, x}, {x, a.hi}} {
		for _, b := range []span{{b.lo, y}, {y, b.hi}} {
			cover(res, a, b, depth-1, try, text)
		}
	}
}

// The function "tall" divides the numbers k up to 4096 into ranges [k1, k2]. It calls the function "try" for these
// ranges. Each k up to 64 is a range by itself. In the other ranges, k2 is at most k1 + k1/24.
func tall(from, stride int, try func(k1, k2 int)) {
	n := 0
	for k1 := from; k1 <= 4096; {
		k2 := k1
		if k1 > 64 {
			k2 = min(4096, k1+k1/24)
		}
		if n%stride == 0 {
			try(k1, k2)
		}
		n++
		k1 = k2 + 1
	}
}

// toOne maps numbers u in [0, 1] to numbers a in [least, most]. For a range of u, it returns the range of a. The
// logarithm of 1-a is a linear function of u.
func toOne(least, most float64, u span) span {
	at := func(u float64) float64 {
		return 1 - (1-least)*math.Pow((1-most)/(1-least), u)
	}
	return span{max(0, at(u.lo)*(1-slack)), at(u.hi) * (1 + slack)}
}

// These constants are lower bounds of quantities that depend on the circle. For m >= 2k, the constant "gap" is a lower
// bound of R-top. For m < 2k, gapFull is a lower bound of R-top. The constants leastTop and leastShare are then lower
// bounds of top and top/R.
const (
	gap        = 11
	gapFull    = 9
	leastTop   = 40
	leastShare = 0.45
)

// The error bound of contourClassic in approx/hashing_classic.go has the factor 1.3. For 2 <= k <= 4096, the method
// "circles" proves that this factor is right. For k = 1 no circle is used. Each circle has a probability distribution.
// It is the distribution of the difference of two sums. The first sum is over Bernoulli variables, which are 1 with the
// probabilities p = R/(R+e). The second sum is over the poles l. Let x = l/R. The term for the pole l is 1 + G, where G
// is a geometric variable with the mean x/(1-x). The mean of the distribution is near 0, and n >= 2. The comment of
// contourClassic defines R, e, l, top and base.
//
// Let q = (1-k/m)^n. A circle is used only if k ln((1+q)/(1-q)) > 24. This means that q > tanh(12/k).
//
// For m >= 2k, top = k and base = m-2k+1. The numbers e are base+i for 0 <= i < k. Let d = R-k. The
// sum of 1/(R-l) over all l is at least ln(1+k/d). It is equal to n times the sum of 1/(R+e) over all e. This product
// has an upper bound:
//
//	n ln((m+d)/(m-k+d)) <= n ln(m/(m-k)) = -ln q.
//
// So 1+k/d < coth(12/k), and d > k(e^(24/k)-1)/2 > 12. The circle is determined by the three numbers k, top/R and
// R/(R+base). Since n >= 2, the sum of p over i < k is at most half of the sum of all p.
//
// For m < 2k, top = m-k+1. The values of e are the integers from 0 to k-1. There are k - top poles with l < 0. For each
// of them, -l is one of the values of e. There are n factors for this value of e. The pole cancels one of these
// factors. Then q = ((top-1)/m)^n with n >= 2. For k < 40, tanh(12/k) > 1/4 > q. So no circle is used for these k. For
// other k, tanh(12/k) > 11.6/k. So k (top-1)^2/m^2 > 11.6. The left side is at most (top-1)/4. Hence top > 40. Let d =
// R-top, and let C be the sum of the cancelled terms 1/(R+i). As above, ln(1+top/d) <= -ln q - C. The right side has an
// upper bound:
//
//	ln coth(12/k) - ln((R+k-top+1)/(R+1)).
//
// Assume d < 10. Since coth(12/k) <= k/12 + 4/k, this would give top/10 < top/d <= (top-1)/12. This is a contradiction.
// So d is at least 10. The sum of all p is top plus the sum of x/(1-x). It has these lower bounds:
//
//	(k+top) R/(R+k) >= 2 top R/(R+top).
//
// This gives a lower bound of top/R. For the Bernoulli variables, only the sum of their variances is used. It is at
// most the sum of all p.
//
// R differs from the exact radius (see offOf). This difference changes the bounds above a little. The constants gap,
// gapFull, leastTop and leastShare are smaller than these bounds. The margin is larger than this change.
func (p *prover) circles() []result {
	stride := p.stride
	half := result{name: "circle", domain: "m >= 2k, 2 <= k <= 4096", stated: mostRatio, ratio: true}
	tall(2, stride, func(k1, k2 int) {
		most := float64(k2) / float64(k2+gap)
		for i := range 8 {
			for j := range 8 {
				u, rho := span{float64(i) / 8, float64(i+1) / 8}, span{float64(j) / 8, float64(j+1) / 8}
				cover(&half, u, rho, 6, func(u, rho span) (float64, bool) {
					a := toOne(0, most, u)
					p := polesOf(k1, k2, a)
					mean := meanOf(k1, k2, p)
					z, least := zerosOf(k1, k2, a, rho)
					off := offOf(k1, a.hi, mean.hi, varianceOf(p)+mean.hi)
					mean = span{mean.lo - off, mean.hi + off}
					if mean.hi < 2*float64(k1)*least { // n < 2
						return 0, true
					}
					return circle{poles: p, zeros: z, mean: mean, off: off, geometric: a.lo / (1 - a.lo)}.ratio(), false
				}, fmt.Sprintf("k = %d..%d, place of k/R and R/(R+base) in", k1, k2))
			}
		}
	})
	full := result{name: "circle", domain: "k < m < 2k, k <= 4096", stated: mostRatio, ratio: true}
	edge := polesOf(leastTop, leastTop, span{leastShare, leastShare})
	if m := meanOf(leastTop, leastTop, edge).hi; !(m+0.1 < 2*leastTop/(1+leastShare)) {
		full.add(math.Inf(1), "top/R = %v is not excluded", leastShare)
	}
	tall(leastTop, stride, func(t1, t2 int) {
		most := float64(t2) / float64(t2+gapFull)
		for i := range 8 {
			for j := range 8 {
				u, share := span{float64(i) / 8, float64(i+1) / 8}, span{float64(j) / 8, float64(j+1) / 8}
				cover(&full, u, share, 6, func(u, share span) (float64, bool) {
					a := toOne(leastShare, most, u)
					p := polesOf(t1, t2, a)
					mean := meanOf(t1, t2, p)
					off := offOf(t1, a.hi, mean.hi, varianceOf(p)+mean.hi) + 0.02
					return circle{poles: p, variance: span{share.lo * mean.lo, share.hi * mean.hi}, off: off, geometric: a.lo / (1 - a.lo)}.ratio(), false
				}, fmt.Sprintf("top = %d..%d, place of top/R and variance of the zeros by their mean in", t1, t2))
			}
		}
	})
	return []result{half, full}
}

// varianceOf returns an upper bound of the sum of x/(1-x)^2 over the poles. This sum is the sum of the variances of the
// geometric variables.
func varianceOf(p []poles) (v float64) {
	for _, g := range p {
		v += g.number.hi * g.x.hi / (1 - g.x.hi) / (1 - g.x.hi)
	}
	return v * (1 + slack)
}
