package fnr

import (
	"fmt"

	"github.com/bloomproof/bloomproof/approx/internal/fault"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

const (
	// With p_r = 1 a cycle never ends if all messages are recorded and fit. Let P be the probability that this happens.
	// If P is at most stuckAtMost, the exact rates of a slightly different filter are returned. That filter also
	// recycles when all messages are recorded.
	stuckAtMost = 1e-12

	// The filling has one row for each number of messages. A Fourier transform has two terms for each row. The constant
	// "padding" is the number of further terms. The transform cannot distinguish two values of N if their difference is
	// the number of terms. This is harmless. Only a fraction 2^-110 of the cycles go on beyond the last row. So nearly
	// all cycles end long before N reaches twice the number of rows.
	padding = 100

	// nextEnd is the factor between two successive guesses of the time at which a cycle ends.
	nextEnd = 1.25

	// The sum over y (see exactSmall) begins at y = firstY. At y = firstY the time t is e^-36 = 2e-16 times the
	// constant a of exactSmall. The weight of this term is even smaller. The step of y is stepY, unless the bound of
	// its error is too large (see exact_small_error.go).
	firstY = -36.0
	stepY  = 0.25

	// A value of the characteristic function of N is skipped if an upper bound of its absolute value is below
	// e^faintTurn. For each y, the code computes the probability that the cycle has not ended. The sum over y ends
	// where this probability is below stillThere.
	faintTurn  = -60
	stillThere = 1e-16

	// mostBound is the largest relative error with which a false-negative rate is returned.
	mostBound = 0.25
)

// The type "ends" says where the sums of exactSmall end. The variable usualEnds has the constants above. Tests let the
// sums end early. What the sums leave out then decides the error bounds.
type ends struct {
	first   float64 // the first y
	faint   float64 // see faintTurn
	still   float64 // see stillThere
	padding int     // the number of terms of the Fourier transform, minus twice the number of rows
}

var usualEnds = ends{firstY, faintTurn, stillThere, padding}

// exactSmall returns the rates of a filter whose messages can be listed. Let N(t) be the number of messages recorded by
// the time t. The filling has several functions f(i) of a number i of messages. The means E[f(N)] of these functions
// are needed. Let F be the discrete Fourier transform of f. Let n be larger than every N at which a message still fits.
// Let x_j = 2 pi j/n. Then
//
//	E[f(N)] = (1/n) sum over j of E[e^(i x_j N)] F_j.
//
// The substitution t = a ln(1+e^y), with a constant a, turns the integral over t > 0 into an integral over all y. The
// new integrand vanishes at both ends, so the trapezoidal sum converges fast. For large y, t is close to the product of
// a and y. So equal steps of y then correspond to nearly equal steps of t.
func (c *System) exactSmall(s *poisson) (Forecast, error) { return c.exactSmallTo(s, usualEnds) }

// The method exactSmallTo returns the result of exactSmall for sums that end at the given ends.
func (c *System) exactSmallTo(s *poisson, ends ends) (Forecast, error) {
	if err := fault.Part(); err != nil {
		return Forecast{}, err
	}
	fill, err := c.filling()
	if err != nil {
		return Forecast{}, err
	}
	rows := fill.rows
	if stuck := c.endless(fill); stuck > stuckAtMost {
		return Forecast{}, fmt.Errorf("%w: with p_r = 1 all messages fit with probability %.2g, and then the filter recycles no more", refuse.ErrUndefined, stuck)
	}
	if d := comers(c.w.Popularity); s.fresh == 0 && d < uint64(len(rows)) {
		rows = rows[:d]
	}
	n := 2*len(rows) + ends.padding
	fits, hits := make([]complex128, n/2+1), make([]complex128, n/2+1)
	cos, sin := turns(n)
	mean, unlucky, luck := 0.0, 0.0, 0.0
	for _, row := range rows {
		mean += row.fits
		unlucky += row.unlucky
		luck += row.lucky
	}
	for j := range fits {
		var f, g [2]fm.Double
		for i, row := range rows {
			at := i * j % n
			f[0], f[1] = f[0].AddFloat(row.fits*cos[at]), f[1].AddFloat(-row.fits*sin[at])
			g[0], g[1] = g[0].AddFloat(row.lucky*cos[at]), g[1].AddFloat(-row.lucky*sin[at])
		}
		fits[j], hits[j] = complex(f[0].Hi, f[1].Hi), complex(g[0].Hi, g[1].Hi)
	}
	// At a certain time, the mean of N is half the mean number of messages in a cycle. The next lines find this time.
	// The result "end" is 1 if this time is at most 1. Otherwise the quotient of "end" and this time is between 1 and
	// nextEnd. The step of the sum over t is chosen for this time. The functions f are not bounded by 1. So the step is
	// half of the result of the function "step".
	end := 1.0
	for {
		if m, _, _, _ := s.moments(end); m >= mean/2 || end > mostArrivals {
			break
		}
		end *= nextEnd
	}
	if end > mostArrivals {
		return Forecast{}, fmt.Errorf("%w: more than 1e200 arrivals in a cycle", refuse.ErrUndefined)
	}
	_, _, _, bend := s.moments(end)
	h := step(bend) / 2
	w := newSmallWave(c.w.Popularity, s)
	w.faint = ends.faint
	// To derive the limit, consider the steps of y from ends.first to 0. In the first half of these steps, nearly all
	// angles are evaluated.
	if least := -ends.first / (2 * stepY) * float64(n/2) * s.wave().terms(); least > c.limit/termCost {
		return Forecast{}, c.termsTooMany(least)
	}
	sums := newSmallSum(c, w, rows, fill)
	stride, a := stepY, h/stepY
	ruleV, ruleG, ruleRest, ok := sums.trapezoid(a, stride, end, c.limit/termCost)
	// A state lasts for at least one arrival. So the variable "mean" is a lower bound of V, and the variable "luck" is
	// a lower bound of G.
	for ok && (a*ruleV > coarseStep*mean || a*ruleG > coarseStep*luck || ruleRest*sums.most > coarseStep) && stride > leastStep {
		stride /= 2
		a = h / stride
		ruleV, ruleG, ruleRest, ok = sums.trapezoid(a, stride, end, c.limit/termCost)
	}
	if !ok {
		return Forecast{}, c.termsTooMany(sums.terms)
	}
	var v, g fm.Double
	var offV, offG, last, left float64
	terms := sums.terms
	for y := ends.first; ; y += stride {
		t, weight := a*softplus(y), h/(1+fm.Exp(-y))
		w.at(t)
		var still, found fm.Double
		var offStill, offFound float64
		for j := range fits {
			r, angle, off := 1.0, 0.0, 0.0
			if j > 0 {
				terms += w.terms()
				x := fm.TwoPi * float64(j) / float64(n)
				if w.skips(x) {
					break
				}
				r, angle, off = w.value(x)
			}
			sin, cos := fm.SincosAny(angle)
			share := 1 / float64(n)
			if j > 0 && 2*j < n {
				share *= 2
			}
			still = still.AddFloat(share * r * (cos*real(fits[j]) - sin*imag(fits[j])))
			found = found.AddFloat(share * r * (cos*real(hits[j]) - sin*imag(hits[j])))
			offStill += share * (off*abs(fits[j]) + 7*fm.Unit*r*mean)
			offFound += share * (off*abs(hits[j]) + 7*fm.Unit*r*luck)
		}
		v, g = v.AddFloat(weight*still.Hi), g.AddFloat(weight*found.Hi)
		offV, offG = offV+weight*offStill, offG+weight*offFound
		// The computed sum can stay above ends.still because of rounding errors. At later times N exceeds the number of
		// terms. The Fourier transform cannot distinguish such an N from a smaller number. The variable "later" is an
		// upper bound that does not use the transform. The sum also ends when this bound is below
		// ends.still.
		if t > end {
			if later := sums.later(t); still.Hi < ends.still || later < ends.still {
				last, left = t, min(later, max(still.Hi, 0)+offStill)
				break
			}
		}
		// Suppose that a few messages are much more popular than the others. Then the number of arrivals of a cycle
		// varies over many powers of ten. The sum then has many short steps.
		if terms += w.terms(); terms > c.limit/termCost {
			return Forecast{}, c.termsTooMany(terms)
		}
	}
	laterV, laterG, never := sums.remaining()
	grow := fm.Exp(stride)
	beyond, skipped := (last+h)*sums.beyond(n, last), (last+h)*fm.Exp(ends.faint)
	tiny := 32*fm.Unit + float64(c.w.Popularity.D)*last*faint
	offV += a*ruleV + ruleRest*(v.Hi+laterV) + a*fm.Exp(ends.first) + grow*left*laterV + beyond + skipped*mean + never + tiny*v.Hi
	offG += a*ruleG + ruleRest*(g.Hi+sums.most*(v.Hi+laterV)) + a*fm.Exp(ends.first)*sums.most + grow*left*laterG + beyond*sums.most + skipped*luck + never + tiny*g.Hi
	if luck == 0 {
		offG = 0 // no message that fits finds all its positions set
	}
	lucky := luck - s.fresh*g.Hi
	missed := unlucky - s.fresh*(v.Hi-g.Hi)
	f := Forecast{
		FNR: missed / v.Hi, Lucky: lucky / v.Hi, FPR: s.fresh * g.Hi / v.Hi, FPRPerNew: g.Hi / v.Hi,
		FPRPerCycleNew: luck / mean, Cycle: v.Hi, Valid: true,
	}
	scale := max(1, mean/missed, luck/max(lucky, leastNumber))
	off := max(s.fresh*(offV+offG)/missed, s.fresh*offG/max(lucky, leastNumber), offG/max(g.Hi, leastNumber))
	f.Bound = offV/v.Hi + off + (16*fm.Unit+4*fill.err)*scale
	f.Bound /= 1 - min(f.Bound, 0.5)
	if !(f.Bound < mostBound) || !(missed > 0) {
		return Forecast{}, fmt.Errorf("%w: false negatives are too rare beside the errors of the sums", refuse.ErrUndefined)
	}
	return f, nil
}

// The function "softplus" returns ln(1+e^y).
func softplus(y float64) float64 {
	if y > 0 {
		return y + fm.Log1p(fm.Exp(-y))
	}
	return fm.Log1p(fm.Exp(y))
}
