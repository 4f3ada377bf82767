package fnr

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// This file bounds the errors of the sums of exactSmall. N(t) is the number of messages recorded by the time t. N0(t)
// counts the same messages, except the old message at the last rank. P_i(t) is the probability of N(t) = i. Let v_i be
// the probability that i messages fit, and let h_i = v_i gamma_i. The letter f stands for v or for h. The sums
// approximate V and G, the integrals of E[v_N(t)] and E[h_N(t)]. The following five parts bound the errors of these
// sums.
//
// The first part bounds the error of the trapezoidal rule. Let t = a ln(1+e^y) and w = dt/dy. The integrand F(y) = w
// E[f(N(t))] is analytic for |Im y| < pi. So the sum over all y with the step s has an error of at most
//
//	2/(e^(2 pi c/s)-1) times the integral of |F(y+ic)|.
//
// Here c = pi/2. At the point y+ic, let u = e^y and t = T+iY. Then T = (a/2) ln(1+u^2), Y = a atan u and |w| = a
// u/sqrt(1+u^2). All three increase with y. A message with rate p contributes the factor e^(-pt) + z (1-e^(-pt)) to the
// generating function of N(t). Let x = pT. Then
//
//	|1-e^(-pt)|^2 = (1-e^(-x))^2 + 4 e^(-x) sin^2(pY/2).
//
// The quantity |e^(-pt)| + z |1-e^(-pt)| has three upper bounds.
//
//	The first bound is 1 + (z-1)(1-e^(-x)) + z p^2 Y^2/(2 (e^x-1)).
//	The second bound is 1 + z p |t|.
//	The third bound is e^(-x) + z (1+e^(-x)).
//
// Since x/(e^x-1) <= e^(-x/2), the sum of p^2/(e^x-1) is at most
//
//	b(T) = (1/T) sum of p e^(-pT/2).
//
// A Poisson part with rate l contributes at most the factor e^(l (z|t|-T)), and |t|-T <= Y^2/(2T). Such a part has the
// same effect as many messages with small rates. So the first two of the three bounds hold for it. The old message at
// the last rank is recorded if it arrives before the first new message. To compute the factor of this old message,
// integrate over the arrival time of that new message. The path of integration is the line from 0 to t. This factor is
// at most z e^(z p Y^2/(2T)), and at most e^(z p |t|). Now let z >= 1. Then the sum of z^i |P_i(t)| over i is at most
// e^E. Here E is a sum over the messages:
//
//	E = sum of min((z-1) (1-e^(-x)) + z p Y^2 e^(-x/2)/(2T), z p |t|, ln(e^(-x) + z (1+e^(-x)))).
//
// For the message at the last rank, ln z + z p Y^2/(2T) replaces the first of the three terms. For a block of ranks,
// each of the three terms is summed over the block. The least of the three sums is used. If f_i <= C z^i for all i,
// |E[f(N(t))]| is at most C e^E. For f = v this holds with z = C = 1. For complex t the P_i(t) also add up to 1. So
// |E[v_N]| <= 1 + Q, where Q is the bound for f = 1-v. For small i, the numbers 1-v_i are tiny. To bound E[h_N], let
// rho be the probability that a message misses a given set of positions. For T >= 0 the number rho + (1-rho) e^(-pt) is
// in the unit disk. So |E[rho^N(t)]| <= 1. If there is a message at the last rank, this bound is 3 instead of 1. The
// reason is that the factor of this message is 1 - p(1-rho)(1-e^(-Bt))/B with B = l rho + p. Suppose for a moment that
// the filter never recycles. Then, by inclusion and exclusion, gamma_i is a sum of 2^k such powers of rho with the
// signs + or -. The product v_i gamma_i differs from this sum by at most 1-v_i. So |E[h_N]| <= 3*2^k + Q. These bounds
// are added up over intervals of y. In each interval, each quantity is replaced by one of the values at the two ends.
// The value that makes the bound larger is used.
//
// Let T be the value at which exactSmall ends its search for a step. From this T on, |E[v_N(t)]| <= e^(Y^2 b/2)
// E[v_N0(T)]. Here b includes p/T for the last rank. The reason is as follows. Distinguish the two cases of the last
// rank. In each case there is a random number R that is larger than N0. Let S be a set of numbers i. The sum of |P_i|
// over all i in S is at most:
//
//	e^(Y^2 b/2) P[R in S].
//
// Where u >= 1, |w| is at most sqrt(2) dT/dy. Consider a filter that does not record the message at the last rank. To
// end a cycle, that filter needs at most one further message. So the mean length of its cycles is larger by at most M.
// Here M is the maximum of the numbers M_i. The second part defines these numbers. So the rest of the integral is at
// most sqrt(2) e^((a pi/2)^2 b/2) (V + M). In the bound for h, G + (V+M) max h_i replaces V + M. To see this, consider
// the maximum of h_j over j >= i. If this maximum is not h_i, it is still at most the maximum over all j.
//
// The second part bounds the errors at the ends of the sum. The terms before firstY add up to at most a e^firstY. At
// the last t, two bounds of E[v_N(t)] hold. The first bound holds for each z < 1. Let r be the total of the rows that
// are left out. Let W be the largest of the values v_i z^(-i). Then the first bound is
//
//	W e^(-(1-z) E[N0(t)]) + r.
//
// The second bound is the computed value plus its error. Suppose that i messages fit and are recorded. Then the mean
// time until the cycle ends is at most M_i = 1/R_i + (v_(i+1)/v_i) M_(i+1).
//
// Here R_i is 1-p_r plus the rates of all messages except the i most popular messages. The bound of E[v_N(t)] is
// multiplied by e^s M. The terms after t add up to at most this product. For G, the term 1/R_i is multiplied by the
// largest h_j/v_i with j >= i.
//
// The third part bounds the errors of the Fourier transform. A sum over n angles cannot distinguish N from N+n. Let z =
// n/E[N0(t)]. By Markov's inequality P[N(t) >= n] is at most z^(1-n) e^((z-1) E[N0(t)]). Let dip = 1-cos x. Consider
// the recorded messages that belong to classes. Let Var be the variance of the number of these messages. At the angle
// x, the values of the characteristic function are left out if the following inequality holds:
//
//	dip Var + l t min(1, dip) - ln(1+lt) > 60.
//
// The values at all larger x are then negligible too.
//
//	For the classes, |1-c(1-e^(ix))|^2 = 1 - 2c(1-c) dip.
//	This is at most e^(-2c(1-c) dip).
//
// The Poisson part and the last rank have a joint characteristic function. It is a mixture of characteristic functions
// over the arrival time of the first new message.
//
// The fourth part bounds the errors from the nodes that represent a block of ranks (see the function "classes"). Let q
// be the rate of a message, and let w = qt. Let D = 1-(1-e^(-w))(1-e^(ix)) be the factor of the message. The function
// ln D is singular where D = 0. Let Q be the largest q of the block. All other q of the block are at least Q/2.
// Consider the ellipse whose half axes add up to 4.5. In this ellipse |q| <= 3.3 Q, Re q >= 0.31 Q, and the angle of q
// is at most 50 degrees (TestEllipse).
//   - If Qt <= troubleFrom, |D| >= 1-2|w| >= 0.14, because |1-e^(-w)| <= |w|.
//   - If Qt >= troubleTo, |D| >= 1-2 e^(-Re w) >= 0.1.
//   - Otherwise, for x <= pi/2, |D| >= 0.085 (TestEllipse has a certificate for all w and x). If the
//     block has more than mostNamed ranks, larger x are skipped: c(1-c) >= 0.0589 for each rank, so Var is above 60.
//     Smaller blocks are not represented by nodes. Instead, their ranks are listed.
//
// So inside the ellipse, |ln D| has the upper bound
//
//	(3.3/0.085) 2 sin(x/2) min(Qt, 1).
//
// For each rank, the errors of the Chebyshev series and of Gauss's rule are together below 2^-67 times this bound. Let
// n be the number of ranks of the block. Then n min(Qt,1) <= E[N0]/0.39. So these errors change the logarithm of the
// characteristic function by less than u E[N0]/64 (u = 2^-53).
//
// The fifth part bounds the rounding errors. All products q t have a relative error of at most e = (12 alpha + 32)u.
// This error changes the logarithm by at most
//
//	2e sin(x/2) (lt + sum of w e^(-w)/|D|).
//
// The reason is that |dD/dw| <= 2 sin(x/2) e^(-w). If dip <= 3/2, then |D| >= 1/2. If dip > 3/2, a node still has |D|
// >= 0.085. But D may be 0 for a single message. In that case the change of D is at most 2e w e^(-w) < e. Suppose that
// M such messages have |D| < 1/2. Then the product of their factors changes by at most M 2^(1-M) e <= e. The rounding
// errors of D are at most 30u, and the same argument holds for them. Now let n be the number of nodes with |D| < 1/2.
// In the argument above, n replaces M. Then n |D|^n is at most 0.54, and 0.54*30/0.085 is below 200. If |D| >= 1/2, the
// relative rounding error of ln|D| is below 50u. The reason is that -ln|D| is half of -ln(1-y). Here y < 3/4 has a
// relative error of at most 11u. The rounding errors of the angle of D are below 95u times the angle. The reason is
// that the angle is at least Im D. The error of Re D is at most 17u, and the error of Im D is at most 10u. The sums are
// computed in two words. The angle x has a relative error of 3u. So the logarithm changes by at most (3u/|D|) x E[N0].
// The factor of the last rank is 1 - p(1-e^(ix)) I. Here B is l e^(ix)+p, and I is (1-e^(-Bt))/B. The product of this
// factor and e^(-lt dip) has rounding errors below 160u. The errors of l, p and t change this product by less than 5e.
// The reason is that p|I| e^(-lt dip) <= 2. Moreover, the derivatives with respect to ln p, ln l and ln t are at most
// 2, 1.1 and 0.8. Each cosine and sine has an error of at most 3.3u. So the transforms of f have errors below 7u times
// the sum of f.

const (
	// A block of at most mostNamed ranks can be listed rank by rank. It is listed if the product qt of its first rank
	// lies between troubleFrom and troubleTo.
	troubleFrom = 0.13
	troubleTo   = 2.6
	mostNamed   = 1 << 10

	// If the variance of N is above listedVariance, all angles above pi/2 are skipped.
	listedVariance = 61

	// If the bound of the error of the trapezoidal rule is above coarseStep, the step is halved. No step is below
	// leastStep.
	coarseStep = 1e-13
	leastStep  = 1. / 64

	slack = 1e-9 // for the roundings of bounds

	// For each value of z, the method "trapezoid" computes one product or logarithm for each unit. The constant
	// tiltCost is the cost of these computations. The unit is the cost of one term in the method "value".
	tiltCost = 0.5
)

// A value of the type "block" describes a block of Zipf's law. The field "at" is the place of the block in the list of
// classes. The field "first" is the first rank of the block, counted from 1. The field n is the number of ranks.
type block struct {
	at       int
	first, n uint64
}

// The function zipfClasses represents some blocks of ranks by gramNodes classes each. The function "blocks" lists these
// blocks. The argument "classes" is the number of all classes.
func blocks(alpha float64, d uint64, classes int) (all []block) {
	grow := fm.Exp(fm.Ln2/max(alpha, 1)) - 1
	at := 0
	for first := uint64(1); first <= d && at < classes; {
		n := min(uint64(float64(first)*grow), d-first+1)
		if n <= 2*gramNodes {
			n = 1
			at++
		} else {
			all = append(all, block{at, first, n})
			at += gramNodes
		}
		first += n
	}
	return all
}

// A value of the type smallWave evaluates the characteristic function of N, and bounds the errors of its values.
type smallWave struct {
	s      *poisson
	alpha  float64
	blocks []block
	listed [][]class // the ranks of the blocks that have at most mostNamed ranks
	faint  float64   // see faintTurn

	t                    float64
	n, come, stay        []float64
	mean, variance, move float64 // E[N0], the variance without the Poisson part, the sum of q t e^(-qt)
}

func newSmallWave(p bloomproof.Popularity, s *poisson) *smallWave {
	w := &smallWave{s: s, faint: faintTurn}
	if p.Weights != nil || p.S > 0 || p.Alpha == 0 {
		return w
	}
	w.alpha = min(p.Alpha, steepAlpha)
	d := p.D
	if s.fresh > 0 {
		d--
	}
	w.blocks = blocks(p.Alpha, d, len(s.all))
	w.listed = make([][]class, len(w.blocks))
	for i, b := range w.blocks {
		if b.n <= mostNamed {
			for j := range b.n {
				w.listed[i] = append(w.listed[i], class{1, power(float64(b.first+j), p.Alpha) * s.all[0].q})
			}
		}
	}
	return w
}

// The method "top" returns p_r times the popularity of the first rank of a block.
func (w *smallWave) top(b block) float64 { return power(float64(b.first), w.alpha) * w.s.all[0].q }

// The method "at" sets the time t.
func (w *smallWave) at(t float64) {
	w.t = t
	w.set(false)
	if w.variance < listedVariance && len(w.blocks) > 0 {
		w.set(true)
	}
}

func (w *smallWave) set(list bool) {
	w.n, w.come, w.stay = w.n[:0], w.come[:0], w.stay[:0]
	w.mean, w.variance, w.move = w.s.fresh*w.t, 0, 0
	add := func(all []class) {
		for _, c := range all {
			x := c.q * w.t
			come, stay := -fm.Expm1(-x), gone(-x)
			w.n, w.come, w.stay = append(w.n, c.n), append(w.come, come), append(w.stay, stay)
			w.mean += c.n * come
			w.variance += c.n * come * stay
			w.move += c.n * x * stay
		}
	}
	from := 0
	for i, b := range w.blocks {
		if top := w.top(b) * w.t; list && w.listed[i] != nil && top > troubleFrom && top < troubleTo {
			add(w.s.all[from:b.at])
			add(w.listed[i])
			from = b.at + gramNodes
		}
	}
	add(w.s.all[from:])
}

// The method "terms" returns the number of terms that one call of the method "value" computes. Each term costs
// termCost.
func (w *smallWave) terms() float64 { return float64(len(w.n) + 2) }

// The method "skips" reports whether the values at x and at all larger angles are negligible.
func (w *smallWave) skips(x float64) bool {
	half, _ := fm.SincosAny(x / 2)
	dip, lt := 2*half*half, w.s.fresh*w.t
	return fm.Log1p(lt)-dip*(w.variance-slack*w.mean)-lt*min(1, dip) < w.faint
}

// The method "value" returns the absolute value and the angle of the characteristic function at x. It also returns a
// bound of the error of this complex number.
func (w *smallWave) value(x float64) (r, turn, off float64) {
	half, quarter := fm.SincosAny(x / 2) // sine and cosine of x/2
	sin, dip := 2*half*quarter, 2*half*half
	var size, angle fm.Double
	for i, n := range w.n {
		come := w.come[i]
		re, im := 1-come*dip, come*sin
		if y := 2 * come * w.stay[i] * dip; y < 0.75 {
			size = size.AddFloat(n / 2 * fm.Log1p(-y))
		} else {
			size = size.AddFloat(n / 2 * fm.Log(max(re*re+im*im, leastNumber)))
		}
		angle = angle.AddFloat(n * fm.Atan2(im, re))
	}
	e := (12*w.alpha + 32) * fm.Unit
	l, p := w.s.fresh, w.s.last
	lt := l * w.t
	if p > 0 {
		off = (5*e + 160*fm.Unit) * fm.Exp(min(size.Hi, 0))
	}
	worse := 2.0
	if dip > 1.5 {
		off += e + 200*fm.Unit
		worse = 12
	}
	size, angle = size.AddFloat(-lt*dip), angle.AddFloat(lt*sin)
	sizes, angles := -size.Hi, angle.Hi
	if p > 0 {
		b := complex(l*(1-dip)+p, l*sin)
		j := 1 - complex(p, 0)*complex(dip, -sin)*fading(b, w.t)
		length, turn := fm.Log(max(abs(j), leastNumber)), fm.Atan2(imag(j), real(j))
		size, angle = size.AddFloat(length), angle.AddFloat(turn)
		sizes, angles = sizes+fm.Abs(length), angles+fm.Abs(turn)
	}
	r = fm.Exp(size.Hi)
	off += r * (e*2*half*(worse*w.move+lt) + fm.Unit*(54*sizes+99*angles+(3*worse*x+1./64)*w.mean+16))
	return r, angle.Hi, off
}

// The function "fading" returns (1-e^(-bt))/b.
func fading(b complex128, t float64) complex128 {
	if b == 0 {
		return complex(t, 0)
	}
	return -expm1(complex(-real(b)*t, -imag(b)*t)) / b
}

// A value of the type smallSum holds the numbers that the error bounds need. They come from the rows of a filling.
type smallSum struct {
	s       *poisson
	v, h    []float64 // fits and lucky
	short   []float64 // bounds of 1-v_i, and 1 after the last row
	most    float64   // the largest h_i
	rest    float64   // the sum of v_i over the rows that are left out
	signs   float64   // 3*2^k
	slack   float64   // slack, and the errors of the rows
	perhaps []tilt    // for z > 1
	less    []tilt    // for z < 1
	units   []unit
	terms   float64 // the cost of the method "trapezoid" so far, as a number of terms of the method "value"
}

// A value of the type "unit" represents either a single class, or all classes of one block of ranks. It stands for n
// messages. The field "least" is a lower bound of their rates. The field "weight" is the sum of their rates.
type unit struct {
	classes          []class
	n, weight, least float64
}

// The method "units" returns all blocks of ranks, and all classes outside these blocks.
func (w *smallWave) units() (all []unit) {
	at := 0
	add := func(end int, u unit) {
		u.classes = w.s.all[at:end]
		for _, c := range u.classes {
			u.weight += c.n * c.q
		}
		all, at = append(all, u), end
	}
	for _, b := range append(w.blocks, block{at: len(w.s.all)}) {
		for at < b.at {
			c := w.s.all[at]
			add(at+1, unit{n: c.n, least: c.q})
		}
		if b.n > 0 {
			add(at+gramNodes, unit{n: float64(b.n), least: w.top(b) / 2.1})
		}
	}
	return all
}

// A value of the type "tilt" holds a number z and four logarithms. The first is ln z. Each of the other three is the
// logarithm of the maximum of a function of i. The functions are short_i z^-i, h_i z^-i and v_i z^-i.
type tilt struct{ z, ln, short, lucky, fits float64 }

func newSmallSum(c *System, w *smallWave, rows []filled, fill *filling) *smallSum {
	x := &smallSum{s: w.s, units: w.units(), rest: fill.rest, slack: slack + 2*fill.err}
	x.signs = 3 * fm.Exp(fm.Ln2*min(float64(c.g.K), 1000))
	if len(rows) < len(fill.rows) {
		x.rest = 0
	}
	fit := c.r.Sigma / uint64(c.g.K)
	if c.r.Messages > 0 {
		fit = c.r.Messages - 1
	}
	ended := float64(len(rows)) * 4 * fillCut // what the rows cut off
	for i, row := range rows {
		x.v, x.h = append(x.v, row.fits), append(x.h, row.lucky)
		x.most = max(x.most, row.lucky)
		short := 0.0
		if uint64(i) > fit {
			short = min(1, (1+x.slack)*ended)
		}
		x.short = append(x.short, short)
		ended += row.ends
	}
	x.short = append(x.short, 1)
	for i := range 33 {
		x.perhaps = append(x.perhaps, x.tilt(1+fm.Exp(float64(i)/3-6)))
	}
	for i := range 48 {
		x.less = append(x.less, x.tilt(1-fm.Exp(-fm.Ln2/4*float64(i+1))))
	}
	return x
}

func (x *smallSum) tilt(z float64) tilt {
	ln := fm.Log(z)
	t := tilt{z, ln, -fm.Inf(), -fm.Inf(), -fm.Inf()}
	at := func(most *float64, value float64, i int) {
		if value > 0 {
			*most = max(*most, fm.Log(value)-float64(i)*ln+x.slack)
		}
	}
	for i, short := range x.short {
		at(&t.short, short, i)
		if i < len(x.v) {
			at(&t.lucky, x.h[i], i)
			at(&t.fits, x.v[i], i)
		}
	}
	return t
}

// The method "mean" returns E[N0(t)]. The number N0(t) counts the recorded messages, except the message at the last
// rank.
func (s *poisson) mean(t float64) float64 {
	sum := s.fresh * t
	for _, c := range s.all {
		sum -= c.n * fm.Expm1(-c.q*t)
	}
	return sum
}

// The method "slopes" returns the sum b(t) that the comment at the top of this file defines.
func (s *poisson) slopes(t float64) float64 {
	sum := s.fresh + s.last + 0x1p-58
	for _, c := range s.all {
		sum += c.n * c.q * gone(-c.q*t/2)
	}
	return (1 + slack) * sum / t
}

// The method "trapezoid" bounds the errors of V and of G that come from the trapezoidal rule. The results errV and errG
// are these bounds, divided by the argument a. They cover the integrals only up to the time "end". The missing part of
// each integral, divided by the integral, is at most the result "rest". The method stops if its cost would exceed
// "limit". The result "ok" is then false.
func (x *smallSum) trapezoid(a, step, end, limit float64) (errV, errG, rest float64, ok bool) {
	factor := 2 / fm.Expm1(fm.TwoPi/2*fm.TwoPi/2/step)
	type part struct{ total, mean, spread, n, still float64 }
	parts := make([]part, len(x.units))
	fresh, last := x.s.fresh, x.s.last
	most := func(t1, y, t float64) (v, g float64) {
		size := fm.Sqrt(t*t + y*y)
		spread := y * y / (2 * t1)
		for i, u := range x.units {
			p := part{total: u.weight * size, n: u.n, still: fm.Exp(-min(u.least*t1, 700))}
			for _, c := range u.classes {
				p.mean -= c.n * fm.Expm1(-c.q*t)
				p.spread += c.n * c.q * spread * gone(-c.q*t1/2)
			}
			p.spread += u.weight * spread * 0x1p-58
			parts[i] = p
		}
		exponent := func(z, ln float64) float64 {
			sum := min(z*fresh*size, fresh*((z-1)*t+z*spread))
			if last > 0 {
				sum += min(z*last*size, ln+z*last*spread)
			}
			for _, p := range parts {
				e := min(z*p.total, (z-1)*p.mean+z*p.spread)
				if e > p.n*ln { // otherwise the logarithm is larger
					e = min(e, p.n*fm.Log(p.still+z*(1+p.still)))
				}
				sum += e
			}
			return (1+slack)*sum + slack
		}
		v = fm.Exp(min(exponent(1, 0), 700))
		g = v * x.most
		for _, p := range x.perhaps {
			e := exponent(p.z, p.ln)
			short := fm.Exp(min(e+p.short, 700))
			v = min(v, 1+short)
			g = min(g, fm.Exp(min(e+p.lucky, 700)), x.signs+short)
		}
		return v, g
	}
	first := -40 - max(fm.Log(a)-39, 0) // |t| is at most 1/e before
	errV = 3 * fm.Exp(first)
	errG = errV * x.most
	for y := first; ; y += step {
		low, high := fm.Exp(y), fm.Exp(y+step)
		t1, t2 := a/2*fm.Log1p(low*low), a/2*fm.Log1p(high*high)
		if t1 > end && low >= 1 {
			across := a * fm.TwoPi / 4
			rest = fm.Sqrt(2) * fm.Exp(min(across*across*x.s.slopes(t1)/2, 700))
			break
		}
		if x.terms += float64(len(x.units)+2) * tiltCost * float64(len(x.perhaps)); x.terms > limit {
			return 0, 0, 0, false
		}
		v, g := most(t1, a*fm.Atan2(high, 1), t2)
		wide := step * high / fm.Sqrt(1+high*high)
		errV += wide * v
		errG += wide * g
	}
	return factor * errV * (1 + slack), factor * errG * (1 + slack), factor * rest * (1 + slack), true
}

// The method "later" bounds E[v_N(t)].
func (x *smallSum) later(t float64) float64 {
	mean := (1 - slack) * x.s.mean(t)
	least := 1.0
	for _, p := range x.less {
		least = min(least, fm.Exp(min(p.fits-(1-p.z)*mean+slack, 0)))
	}
	return least + x.rest
}

// The method "beyond" bounds P[N(t) >= n].
func (x *smallSum) beyond(n int, t float64) float64 {
	mean, size := (1+slack)*x.s.mean(t), float64(n)
	messages := 0.0
	for _, u := range x.units {
		messages += u.n
	}
	if x.s.fresh == 0 && messages < size-1 {
		return 0
	}
	if mean >= size {
		return 1
	}
	return fm.Exp(min((1+slack)*(size-mean)-(size-1)*fm.Log(size/mean), 0))
}

// The method "remaining" returns bounds for the rest of a cycle. The result v bounds the mean number of arrivals until
// the cycle ends. Some of these arrivals find all their positions set. The result g bounds their mean number. Both hold
// for any number of recorded messages that fit. Some states are left out. The result "never" is a bound for the time in
// these states.
func (x *smallSum) remaining() (v, g, never float64) {
	units := x.units
	after := make([]float64, len(units)+1)
	for i := len(units) - 1; i >= 0; i-- {
		after[i] = after[i+1] + units[i].weight
	}
	rates := make([]float64, len(x.v))
	i, begin := 0, 0.0
	for j := range rates {
		for i < len(units) && begin+units[i].n <= float64(j) {
			begin += units[i].n
			i++
		}
		rate := x.s.fresh
		if i < len(units) {
			rate += after[i+1] + min((begin+units[i].n-float64(j))*units[i].least, units[i].weight)
		}
		rates[j] = (1 - slack) * rate
	}
	least := x.s.fresh
	if len(units) > 0 && least == 0 {
		least = units[len(units)-1].least
	}
	never = x.rest / least
	if x.rest == 0 {
		never = 0
	}
	timeV, timeG, most := 0.0, 0.0, 0.0
	for j := len(x.v) - 1; j >= 0; j-- {
		if x.v[j] == 0 {
			continue
		}
		share := 0.0
		if j+1 < len(x.v) {
			share = min(1, x.v[j+1]/x.v[j]*(1+x.slack))
		}
		timeV = 1/rates[j] + share*timeV
		most = max(most, x.h[j])
		timeG = most/x.v[j]/rates[j] + share*timeG
		v, g = max(v, timeV), max(g, timeG)
	}
	return (1 + x.slack) * v, (1 + x.slack) * g, (1 + slack) * never
}

// The function "turns" returns the cosines and sines of 2 pi j/n for all j < n. Each has an error of at most 3.3u. Each
// angle is written as the nearest multiple of pi/2, plus an angle of at most pi/4.
func turns(n int) (cos, sin []float64) {
	cos, sin = make([]float64, n), make([]float64, n)
	for j := range n {
		right := (4*j + n/2) / n
		s, c := fm.SincosAny(fm.TwoPi / 4 * float64(4*j-right*n) / float64(n))
		for range right % 4 {
			s, c = c, -s
		}
		cos[j], sin[j] = c, s
	}
	return cos, sin
}
