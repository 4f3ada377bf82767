package fnr

import (
	"fmt"

	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

const (
	// The probability that a cycle never ends is ignored if it is at most stuckAtMost, because it is then at most the
	// error of the sums.
	stuckAtMost = 1e-12

	// The filling has one row for each number of messages. The number of terms of a Fourier transform is twice the
	// number of rows, plus the constant padding. The transform cannot distinguish values of N that differ by the number
	// of terms. This is harmless: only a fraction 2^-110 of the cycles go on beyond the last row, so nearly all cycles
	// end long before N reaches twice the number of rows.
	padding = 100

	// nextEnd is the factor between two successive guesses of the time at which a cycle ends.
	nextEnd = 1.25

	// The sum over y (see exactSmall) begins at y = firstY. There the time t is e^-36 = 2e-16 times the constant a of
	// exactSmall, and the weight of the term is smaller still. The step of y is stepY. The function 1/(1+e^-y) is
	// analytic for |Im y| < pi, so the relative error of the sum is e^(-2 pi^2/stepY) = e^-79.
	firstY = -36.0
	stepY  = 0.25

	// Values of the characteristic function of N whose logarithm is below faintTurn are negligible. The sum over y ends
	// at a time at which the cycle has ended, except with a probability below stillThere.
	faintTurn  = -60
	stillThere = 1e-16

	// smallSumError is the error of the sums of exactSmall, divided by the number of messages of a cycle. It is
	// estimated, and not proven (see Forecast.Estimated). It has three parts. The first part is the rounding error of
	// Fourier transforms of up to some thousand terms. The second part is the error of the trapezoidal sum over y at
	// early times, where the integrand grows fastest with the distance from the real line. The third part is an error
	// of the characteristic function. A few nodes represent the ranks of Zipf's law in blocks (see classes), and the
	// logarithm of the characteristic function is singular where the mean of e^(ixN) is 0. The tests
	// verify.TestExactModel and TestExactLargeIsSmall check the constant.
	smallSumError = 1e-12

	// mostBound is the largest relative error with which a false-negative rate is returned.
	mostBound = 0.25
)

// exactSmall returns the rates of a filter whose messages can be listed. Let N(t) be the number of messages recorded by
// the time t. The fields of the filling are functions f(i) of a number i of messages. Their means E[f(N)] are needed.
// Let F be the discrete Fourier transform of f, and let n exceed every N at which a message still fits. Then E[f(N)] =
// (1/n) sum over j of E[e^(i x_j N)] F_j with x_j = 2 pi j/n.
//
// The substitution t = a ln(1+e^y), with a constant a, turns the integral over t > 0 into an integral over all y. The
// new integrand vanishes at both ends, so the trapezoidal sum converges fast. At large y, equal steps of y are steps of
// equal length in t.
func (c *System) exactSmall(s *poisson) (Forecast, error) {
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
	n := 2*len(rows) + padding
	fits, hits := make([]complex128, n/2+1), make([]complex128, n/2+1)
	cos, sin := make([]float64, n), make([]float64, n)
	for j := range n {
		sin[j], cos[j] = fm.SincosAny(fm.TwoPi * float64(j) / float64(n))
	}
	mean, unlucky, luck := 0.0, 0.0, 0.0
	for _, row := range rows {
		mean += row.fits
		unlucky += row.unlucky
		luck += row.lucky
	}
	for j := range fits {
		for i, row := range rows {
			at := i * j % n
			turn := complex(cos[at], -sin[at])
			fits[j] += complex(row.fits, 0) * turn
			hits[j] += complex(row.lucky, 0) * turn
		}
	}
	// Find, up to a factor of nextEnd, the time at which the mean of N is half the mean number of messages in a cycle.
	// Choose the step for this time. The step is half of the result of the function step, because the functions f are
	// not bounded by 1.
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
	a := h / stepY
	w := s.wave()
	var v, g, terms float64
	for y := firstY; ; y += stepY {
		t, weight := a*softplus(y), h/(1+fm.Exp(-y))
		w.at(t)
		still, found := 0.0, 0.0
		for j := range fits {
			size, angle := 0.0, 0.0
			if j > 0 {
				terms += w.terms()
				if size, angle = w.log(fm.TwoPi * float64(j) / float64(n)); size < faintTurn {
					break
				}
			}
			sin, cos := fm.SincosAny(angle)
			r := fm.Exp(size)
			if j > 0 && 2*j < n {
				r *= 2
			}
			still += r * (cos*real(fits[j]) - sin*imag(fits[j]))
			found += r * (cos*real(hits[j]) - sin*imag(hits[j]))
		}
		v += weight * still / float64(n)
		g += weight * found / float64(n)
		if t > end && still/float64(n) < stillThere {
			break
		}
		// If a few messages are much more popular than the others, the number of arrivals of a cycle varies over many
		// powers of ten. The sum then has many short steps.
		if terms += w.terms(); terms > c.limit/termCost {
			return Forecast{}, c.termsTooMany(terms)
		}
	}
	lucky := luck - s.fresh*g
	missed := unlucky - s.fresh*(v-g)
	f := Forecast{
		FNR: missed / v, Lucky: lucky / v, FPR: s.fresh * g / v, FPRPerNew: g / v,
		FPRPerCycleNew: luck / mean, Cycle: v, Valid: true,
	}
	off := smallSumError + 4*fill.err
	scale := max(1, mean/missed, luck/max(lucky, leastNumber))
	f.Bound = off * scale
	f.assume(smallSumError*scale, ofTransforms)
	if !(f.Bound < mostBound) {
		return Forecast{}, fmt.Errorf("%w: false negatives are too rare beside the errors of the sums", refuse.ErrUndefined)
	}
	return f, nil
}

// The function softplus returns ln(1+e^y).
func softplus(y float64) float64 {
	if y > 0 {
		return y + fm.Log1p(fm.Exp(-y))
	}
	return fm.Log1p(fm.Exp(y))
}
