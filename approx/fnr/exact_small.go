package fnr

import (
	"fmt"

	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// exactSmall returns the rates of a filter whose messages can be listed: v_i and v_i gamma_i are those
// of the filling, and E[f(N)] = (1/n) sum over j of E[e^(i x_j N)] F_j, x_j = 2 pi j/n, F the discrete
// transform of f, where n is more than N can be while something still fits.
//
// The time t = a ln(1+e^y) makes of the integral over t > 0 one over all y, whose trapezoidal sum
// is as good as it is for functions that vanish at both ends, and at large y has even steps.
func (c *System) exactSmall(s *poisson) (Forecast, error) {
	fill, err := c.filling()
	if err != nil {
		return Forecast{}, err
	}
	rows := fill.rows
	if stuck := c.endless(fill); stuck > 1e-12 {
		return Forecast{}, fmt.Errorf("%w: with p_r = 1 all messages fit with probability %.2g, and then the filter recycles no more", approx.ErrUndefined, stuck)
	}
	if d := comers(c.w.Popularity); s.fresh == 0 && d < uint64(len(rows)) {
		rows = rows[:d]
	}
	n := 2*len(rows) + 100
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
	// The least time at which the mean is c, and from there on the steps, which are half as long
	// to be sure of f that are not bounded by 1 beside what counts.
	end := 1.0
	for {
		if m, _, _, _ := s.moments(end); m >= mean/2 || end > 1e200 {
			break
		}
		end *= 1.25
	}
	if end > 1e200 {
		return Forecast{}, fmt.Errorf("%w: more than 1e200 arrivals in a cycle", approx.ErrUndefined)
	}
	_, _, _, bend := s.moments(end)
	h := step(bend) / 2
	const dy = 0.25
	a := h / dy
	w := s.wave()
	var v, g, terms float64
	for y := -36.0; ; y += dy {
		t, weight := a*softplus(y), h/(1+fm.Exp(-y))
		w.at(t)
		still, found := 0.0, 0.0
		for j := range fits {
			size, angle := 0.0, 0.0
			if j > 0 {
				terms += w.terms()
				if size, angle = w.log(fm.TwoPi * float64(j) / float64(n)); size < -60 {
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
		if t > end && still/float64(n) < 1e-16 {
			break
		}
		// Of a steep popularity the arrivals of a cycle spread over many powers of ten, and the
		// steps are as even as the first are short.
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
	off := 1e-12 + 4*fill.err
	f.Bound = off * max(1, mean/missed, luck/max(lucky, 1e-300))
	if !(f.Bound < 0.25) {
		return Forecast{}, fmt.Errorf("%w: false negatives are too rare beside the errors of the sums", approx.ErrUndefined)
	}
	return f, nil
}

// softplus returns ln(1+e^y).
func softplus(y float64) float64 {
	if y > 0 {
		return y + fm.Log1p(fm.Exp(-y))
	}
	return fm.Log1p(fm.Exp(y))
}
