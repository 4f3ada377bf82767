package fnr

import (
	"fmt"

	"github.com/bloomproof/bloomproof/approx/internal/fault"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// disablingModel computes one probability for each rank. This is the probability that the message at the rank is
// recorded. These probabilities change with each distinct message of a cycle.
type disablingModel struct {
	t     *traffic
	e     []float64 // 1-p_r + p_r fhat[s]
	least float64   // the smallest e
	below bool      // true if a probability was negative and was replaced by 0
}

// The method "disabling" computes the model of equations (42) and (43) of the paper Dozier-FN. The equations are
// corrected, because the printed formulas are not probabilities. Let p_r be the probability that an arrival is a
// repeat. Let q_i be the popularity of the old message i. Let Z_<i be the probability that a new message enters before
// rank i. Let Z_>i be the probability that it enters after rank i. Let g_i(s) be the probability that message i is not
// recorded after s distinct messages. Let F be the probability that the message of a repeat is unrecorded. The next
// arrival is an unrecorded message with probability e_s = 1-p_r + p_r F. Suppose that message i is not recorded, and
// that the next arrival is an unrecorded message. Then this arrival is message i with probability p_r q_i/e_s. This
// gives a recursion for g_i:
//
//	g_i(s+1) = [p_r g_i (F - q_i) + (1-p_r) (g_(i-1) Z_<i + g_i Z_>i)]/(1-p_r + p_r F).
//
// Here F is the sum of q_i g_i over i, which is the element fhat[s]. This is a mean-field approximation. The
// probability e_s is a mean over all states. The equation uses this mean even if message i is not recorded. The
// approximation yields negative probabilities if q_i > F. This happens if the largest popularity q_0 is more than about
// six times the mean popularity 1/D.
//
// With two arrays, the equation is applied to the probability that a message is in neither array. Its initial value is
// the probability that the message is not in the frozen array. The equation is the same, because it is linear in g.
func (c *System) disabling() (Forecast, error) {
	t, err := c.traffic()
	if err != nil {
		return Forecast{}, err
	}
	x := &disablingModel{t: t}
	f, err := c.markov(x)
	if err == nil && x.below {
		f.Valid, f.Note = false, "the popularity is too skewed for the model: its probabilities come out negative and are taken for 0"
	}
	return f, err
}

// The method "slack" bounds the relative error of the model. It adds up the errors of all steps. Each step has three
// errors. The first error comes from the update of the probabilities for one arrival. The second comes from the
// difference F - q_i. The third comes from the division by e_s.
func (x *disablingModel) slack() float64 {
	return ((x.t.each()+6)*float64(len(x.e))/x.least + float64(len(x.t.q))) * fm.Unit
}

// A probability counts as negative if it is below this constant. Rounding errors never change a probability of 0 to a
// number below this constant.
const negative = -1e-12

// The method "next" updates the model for the arrival of the s-th distinct message. For each i, it updates the
// probability g[i] that the message at rank i is unrecorded. Suppose that a repeat arrives just before the s-th
// distinct message. The method returns the probability that the message of this repeat is unrecorded. This probability
// is the sum of q[i]*g[i]. The first call for each s sets x.e[s].
func (x *disablingModel) next(g []float64, s int) (missing float64, err error) {
	if err := fault.Part(); err != nil {
		return 0, err
	}
	t := x.t
	for i, p := range g {
		missing += t.q[i] * p
	}
	if s == len(x.e) {
		e := t.fresh + t.repeat*missing
		if e <= 0 {
			return 0, fmt.Errorf("%w: after %d messages all have probability 0", refuse.ErrUndefined, s)
		}
		if s == 0 || e < x.least {
			x.least = e
		}
		x.e = append(x.e, e)
	}
	e := x.e[s]
	back := 1 - e // p_r (1-F)
	before := 0.0
	for i, p := range g {
		y := ((t.stay[i]-back)*p + t.move[i]*before) / e
		if y < faint {
			x.below = x.below || y < negative
			y = 0
		}
		g[i], before = y, p
	}
	return missing, nil
}

func (x *disablingModel) alone(n int) ([]float64, error) {
	if err := movable(float64(n), len(x.t.q)); err != nil {
		return nil, err
	}
	fhat := make([]float64, n)
	g := x.t.nothing()
	for s := range fhat {
		var err error
		if fhat[s], err = x.next(g, s); err != nil {
			return nil, err
		}
	}
	return fhat, nil
}

func (x *disablingModel) beside(w []float64, n int) ([]float64, error) {
	g := x.t.nothing()
	neither := make([]float64, len(g))
	for s, p := range w {
		if p > 0 {
			for i := range neither {
				neither[i] += p * g[i]
			}
		}
		if s+1 < len(w) {
			if _, err := x.next(g, s); err != nil {
				return nil, err
			}
		}
	}
	out := make([]float64, n)
	for s := range out {
		var err error
		if out[s], err = x.next(neither, s); err != nil {
			return nil, err
		}
	}
	return out, nil
}
