package fnr

import "math"

// This file bounds the probability that the number D_u of distinct messages after u arrivals is far from its mean. The
// bounds are as narrow as the corresponding bounds for independent messages. For any number x, the file bounds E[e^(x
// D_u)]. It computes the coefficients a(i) and b of a random variable W_s:
//
//	W_s = e^(x D_s + sum of a(i) + b).
//
// The sum is over the ranks i of the messages that are not among the first s arrivals. The coefficients depend on s.
// For s = u, all coefficients are 0. The coefficients for s are computed from the coefficients for s+1, down to s = 0.
// Let D be the number of ranks, and let a(i) be monotone in i, with a(D) = 0. Suppose that a new message enters at rank
// z. Consider the ranks i >= z. If the message at rank i did not arrive, add a(i+1) - a(i) to a sum. Let y be this sum.
// Then the new message multiplies W by e^(x+y). The number y lies between -a(z) and 0. Because e^y is convex, it has
// this bound:
//
//	e^y <= 1 + y c(z).
//
// Here c(z) is the number (1-e^-a(z))/a(z). So on average an arrival multiplies W by at most 1+X. Here X is linear in
// the indicators of the messages that did not arrive. For any constant X0 > -1 the following inequality holds:
//
//	1+X <= (1+X0) e^((X-X0)/(1+X0)).
//
// So W is a supermartingale under the following condition. Let a(i) and b be the coefficients for s+1. Then the
// coefficient a(i) for s has this lower bound:
//
//	a(i) + (R_i (e^(x-a(i)) - 1) + e^x (a(i+1)-a(i)) sum over z <= i of E_z c(z))/(1+X0).
//
// The coefficient b for s has this lower bound:
//
//	b + log(1+X0) + ((1-p_r)(e^x-1) - X0)/(1+X0).
//
// Here R_i is the probability that the message at rank i arrives next. With probability E_z an arrival is a new message
// and enters at rank z. Larger numbers are also valid, so a(i) and b may be rounded up. Some a(i) may also be enlarged
// to make a(i) monotone in i. X0 is chosen near the mean of X for cycles of mean length. At the beginning of a cycle no
// message has arrived. So for x > 0 the following bound holds:
//
//	P[D_u >= j] <= e^((sum of all a) + b - x j).
//
// For x < 0 the following bound holds:
//
//	P[D_u < j] <= e^((sum of all a) + b - x (j-1)).
//
// The inequality (d-j)^2 <= (2/(e x))^2 e^(x(d-j)) holds for x > 0 and d >= j. So a bound of E[e^(x D_u)] also gives a
// bound of E[(D_u-j)^2; D_u >= j]. A negative x gives the corresponding bound for D_u < j. Near the mean, Chebyshev's
// one-sided inequality is sharper.

// A value of the type "tails" holds upper bounds of the means E[e^(x D_u)]. Here D_u is the number of distinct messages
// after u arrivals.
type tails struct {
	up, down []exponent
}

// The type "exponent" holds a number x. For each u, it also holds a bound of E[e^(x D_u)]. The bounds are stored as
// logarithms. Here D_u is the number of distinct messages after u arrivals.
type exponent struct {
	x      float64
	logs   []float64
	square float64 // the logarithm of (2/(e x))^2
}

// The code computes bounds of E[e^(x D_u)] for several values of x. The constant tailRates is the number of positive
// values. There are as many negative values. Let n be the number of messages of a cycle. The smallest positive value is
// leastRate/sqrt(n). Each further value is rateRatio times the previous one, up to mostRate.
const (
	tailRates = 14
	leastRate = 0.5
	rateRatio = 1.3
	mostRate  = 4
)

// The method "tails" returns bounds of E[e^(x D_u)]. It computes them for every number u of arrivals that the path p
// covers.
func (r *traffic) tails(l *levels, p *path) *tails {
	t := &tails{}
	x := leastRate / math.Sqrt(l.mean)
	for range tailRates {
		x = min(x, mostRate)
		t.up = append(t.up, r.exponent(x, p))
		t.down = append(t.down, r.exponent(-x, p))
		x *= rateRatio
	}
	return t
}

// The method "exponent" bounds E[e^(x D_u)] for one number x. The number u of arrivals takes all values that the path
// covers.
func (r *traffic) exponent(x float64, p *path) exponent {
	d := len(r.repeats)
	e := exponent{x, make([]float64, len(p.mean)), 2 * math.Log(2/(math.E*math.Abs(x)))}
	a, change := make([]float64, d+1), make([]float64, d)
	grow, more := math.Exp(x), math.Expm1(x)
	// In a step, each a(i) gets an error of less than (4*d + 128)*unit, where d is the number of messages. This error
	// is relative to the terms that are added to a(i).
	size := math.Exp(math.Abs(x))
	slack := float64(d+1) * (4*float64(d) + 128) * size * size * (1 + math.Abs(x)) * unit()
	b := 0.0
	for u := 1; u < len(p.mean); u++ {
		at := p.kept[max(p.half-u, 0)/keepEvery]
		mean, entered := float64(r.arrives*more), 0.0
		for i := range d {
			less, c := 0.0, 1.0 // less becomes e^-a - 1
			if a[i] != 0 {
				less = math.Expm1(-a[i])
				c = -less / a[i]
			}
			entered += float64(r.enters[i] * c)
			change[i] = float64(r.repeats[i]*(float64(grow*less)+more)) + float64(grow*entered*(a[i+1]-a[i]))
			mean += float64(at[i] * change[i])
		}
		mean = min(max(mean, -math.Abs(more)), math.Abs(more))
		whole := 1 + mean
		b += math.Log1p(mean) + (r.arrives*more-mean)/whole + slack
		for i, y := range change {
			a[i] += y / whole
		}
		if x > 0 {
			for i := d - 1; i >= 0; i-- {
				a[i] = max(a[i], a[i+1])
			}
		} else {
			for i := 1; i < d; i++ {
				a[i] = max(a[i], a[i-1])
			}
			if a[d-1] > 0 { // a is not monotone with a(D) = 0, so there are no bounds for this and all larger u
				for ; u < len(e.logs); u++ {
					e.logs[u] = math.Inf(1)
				}
				return e
			}
		}
		sum := b
		for _, y := range a {
			sum += y
		}
		e.logs[u] = sum
	}
	return e
}

// The method "at" returns bounds for D_u, the number of distinct messages after u arrivals. If the argument "up" is
// true, it bounds P[D_u >= j] and E[(D_u-j)^2; D_u >= j]. Otherwise it bounds P[D_u < j] and E[(D_u-j)^2; D_u < j]. The
// argument m holds the moments of D_u.
func (t *tails) at(u, j int, up bool, m moments) (p, square float64) {
	list, bound, away := t.down, j-1, m.mean-float64(j-1)
	if up {
		list, bound, away = t.up, j, float64(j)-m.mean
	}
	far := m.mean - float64(j)
	varD := m.varD + m.offVarD
	square = (varD + far*far + 2*math.Abs(far)*m.offMean + m.offMean*m.offMean) * (1 + roundingSpare())
	logP, logSquare := 0.0, math.Log(square)
	for _, e := range list {
		logP = min(logP, e.logs[u]-e.x*float64(bound))
		logSquare = min(logSquare, e.logs[u]-e.x*float64(j)+e.square)
	}
	p = math.Exp(logP + roundingSpare())
	if away -= m.offMean; away > 0 {
		p = min(p, varD/(varD+away*away)*(1+roundingSpare()))
	}
	return min(p, 1), math.Exp(logSquare + roundingSpare())
}
