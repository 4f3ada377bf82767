package fnr

import (
	"fmt"

	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// biUniformModel has s messages of the high popularity p_h and D-s messages of the low popularity p_l. The recorded
// messages are drawn without replacement. If a of the s popular messages are among the i recorded ones, a repeat is a
// message that is not recorded with probability
//
//	W(i,a) = (s-a) p_h + (D-s-i+a) p_l
//
// The next recorded message is a popular one with probability (s-a) p_h/W. The paper Dozier-FN prints binomial sums in
// equations (8) and (9) that are not probabilities.
type biUniformModel struct {
	d, s   int
	ph, pl float64
	off    float64 // the field off of the traffic
	// high[i] is the probability that a given popular message is not among the first i recorded messages, and low[i] is
	// this probability for a given unpopular message.
	high, low []float64
	exact     bool // true if computed by urn, false if computed by moments
}

// slack bounds the relative error of the model. One step from a state to the next has seven roundings. The step divides
// by the popularities p_h and p_l, whose errors are added; p_l is a mean of popularities of single messages. Computing
// the results from the states adds the errors of p_h and p_l again.
func (x *biUniformModel) slack() float64 {
	steps := float64(len(x.high))
	return ((8+2*x.off)*steps + 3*x.off + 40) * fm.Unit
}

func (x *biUniformModel) alone(n int) ([]float64, error) {
	x.grow(n)
	fhat := make([]float64, n)
	h, l := float64(x.s)*x.ph, float64(x.d-x.s)*x.pl
	for i := range fhat {
		fhat[i] = h*x.high[i] + l*x.low[i]
	}
	return fhat, nil
}

func (x *biUniformModel) beside(w []float64, n int) ([]float64, error) {
	x.grow(max(n, len(w)))
	h, l := 0.0, 0.0
	for j, p := range w {
		h += p * x.high[j]
		l += p * x.low[j]
	}
	h *= float64(x.s) * x.ph
	l *= float64(x.d-x.s) * x.pl
	out := make([]float64, n)
	for i := range out {
		out[i] = h*x.high[i] + l*x.low[i]
	}
	return out, nil
}

func (x *biUniformModel) grow(n int) {
	if len(x.high) >= n {
		return
	}
	x.high, x.low = make([]float64, n), make([]float64, n)
	if x.exact {
		x.urn()
	} else {
		x.moments()
	}
}

// The method urn computes the distribution of the number a of popular messages among the recorded ones, after each
// recorded message. It ends when every message that can arrive is recorded. It keeps only the values of a whose
// probability is not negligible.
func (x *biUniformModel) urn() {
	s, others := float64(x.s), float64(x.d-x.s)
	law := lane{0, []float64{1}}
	for i := range x.high {
		drawn := float64(min(i, x.d))
		high, low, up := 0.0, 0.0, 0.0
		out := append(law.p, 0)
		for j, p := range law.p {
			a := float64(law.first) + float64(j)
			h := s - a              // the number of popular messages that are left
			l := others - drawn + a // the number of other messages that are left
			if x.pl == 0 {
				l = others
			}
			high += p * h
			low += p * l
			w := h*x.ph + l*x.pl
			rise, stay := 0.0, p
			if w > 0 {
				p /= w
				rise, stay = p*(h*x.ph), p*(l*x.pl)
			}
			out[j] = stay + up
			up = rise
		}
		out[len(out)-1] = up
		x.high[i], x.low[i] = high/s, low/others
		law.p = out
		law.trim(fillCut)
	}
}

// The method moments approximates the distribution of urn by its mean and its variance; a is the number of popular
// messages among the recorded ones. It follows the mean of h = s-a, the number of popular messages that are not
// recorded. Let w be the probability that the next recorded message is popular. For a fixed number of recorded
// messages, moments expands w in powers of h up to the second.
func (x *biUniformModel) moments() {
	s, d := float64(x.s), float64(x.d)
	h, v := s, 0.0
	c := x.ph - x.pl
	for i := range x.high {
		t := d - float64(i) // the number of messages left
		if h = max(0, min(h, t, s)); t <= 0 {
			break
		}
		x.high[i], x.low[i] = h/s, max(0, t-h)/(d-s)
		all := x.pl*t + c*h
		if all <= 0 {
			continue
		}
		inverse := 1 / all
		w := x.ph * h * inverse
		slope := x.ph * x.pl * t * inverse * inverse
		h -= min(1, max(0, w-slope*c*inverse*v))
		v = max(0, v*(1-slope)*(1-slope)+w*(1-w))
	}
}

// mostUrns limits the work of the search for s. The work is the number of states of a cycle times the number of values
// of s for which the method urn runs. The limit corresponds to some seconds.
const mostUrns = 1 << 28

// The forecast by moments is within a relative closeBy of the forecast by urn under four conditions. There are at least
// 150 messages (the constant many). At least 9 of them are popular (few). A popular message is at most 8 times as
// popular as another message (steep). A cycle holds at most 0.9 of all messages (mostHeld). This is assumed, and not
// proven: TestBiUniformSearch finds differences of 2e-4, a tenth of closeBy. The accuracy of moments is unknown if a
// cycle records all messages of one kind, so mostHeld is below 1. The differences were 8e-5 at mostHeld = 0.9 and
// 1.4e-4 at 0.99.
const (
	few      = 9
	many     = 150
	steep    = 8
	mostHeld = 0.9
	closeBy  = 2e-3
)

// biUniform is the model of section 4.2.4 of the paper Dozier-FN. It considers all bi-uniform popularities with p_h =
// q_(s-1) >= 1/D, where q_i is the popularity of rank i. The popularity Q majorizes all of them. Of these bi-uniform
// popularities, the model uses the one with the fewest false negatives for this filter and workload. (Appendix D states
// the direction of the majorization correctly, Lemma 1 does not.) For each s, it computes the forecast by the method
// moments if that approximation is accurate. It then recomputes, by the exact method urn, the forecasts whose
// false-negative rates are close to the least one.
func (c *System) biUniform() (Forecast, error) {
	t, err := c.traffic()
	if err != nil {
		return Forecast{}, err
	}
	f, err := c.filling()
	if err != nil {
		return Forecast{}, err
	}
	d := len(t.q)
	tried := 0
	for tried < d-1 && t.q[tried]*float64(d) > 1 {
		tried++
	}
	n, _ := c.states(f, t)
	held := 0.0 // the number of messages in a cycle
	for _, row := range f.rows {
		held += row.fits
	}
	moments := d >= many && held <= mostHeld*float64(d)
	if float64(tried)*float64(n) > mostUrns {
		return Forecast{}, fmt.Errorf("%w: %d bi-uniform popularities in %d states, at most 2^28 together", refuse.ErrTooCostly, tried, n)
	}
	best, err := c.markov(uniformModel{float64(d)})
	if err != nil {
		return Forecast{}, err
	}
	var guess []*biUniformModel
	var told []float64
	least := best.FNR
	for s := 1; s <= tried; s++ {
		model := biUniformOf(t, s)
		model.exact = !moments || s < few || model.ph > steep*model.pl
		x, err := c.markov(model)
		if err != nil {
			return Forecast{}, err
		}
		if least = min(least, x.FNR); !model.exact {
			model.high, model.low = nil, nil // these slices are as long as a cycle, for each s
			guess, told = append(guess, model), append(told, x.FNR)
		} else if x.FNR < best.FNR {
			best = x
		}
	}
	for i, model := range guess {
		if told[i] > least*(1+2*closeBy) || best.FNR == 0 {
			continue
		}
		x, err := c.markov(&biUniformModel{d: d, s: model.s, ph: model.ph, pl: model.pl, off: t.off, exact: true})
		if err != nil {
			return Forecast{}, err
		}
		if x.FNR < best.FNR {
			best = x
		}
	}
	return best, nil
}

// biUniformOf returns the model in which the s popular messages have the popularity p_h = q_(s-1) of rank s-1.
func biUniformOf(t *traffic, s int) *biUniformModel {
	d := len(t.q)
	x := &biUniformModel{d: d, s: s, ph: t.q[s-1], off: t.off}
	// The next lines compute 1 - s p_h without cancellation, as a sum of two numbers: the excess of the true
	// popularities of the s popular messages over p_h, and the popularity of all other messages.
	for j, q := range t.q {
		if j < s {
			q -= x.ph
		}
		x.pl += q
	}
	x.pl /= float64(d - s)
	return x
}
