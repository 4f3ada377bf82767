package fnr

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// In a biUniformModel, s of the D old messages have the high popularity p_h. The other old messages have the low
// popularity p_l. The recorded messages are drawn without replacement. Let a be the number of popular messages among
// the i recorded messages. Consider the next repeat. The probability that its message is unrecorded is
//
//	W(i,a) = (s-a) p_h + (D-s-i+a) p_l.
//
// The probability that the next recorded message is popular is (s-a) p_h/W(i,a). In equations (8) and (9), the paper
// Dozier-FN prints binomial sums that are not probabilities.
type biUniformModel struct {
	d, s   int
	ph, pl float64
	off    float64 // the value of the field "off" in the traffic
	// The number high[i] is the probability that a given popular message is not among the first i recorded messages.
	// The number low[i] is the same probability for a given unpopular message.
	high, low []float64
	under     bool // true if high and low are those of the method "least", false if those of the method urn
}

// The method "slack" returns a bound of the relative error of the model. The step from i recorded messages to i+1 has
// seven roundings. This step divides by the popularities p_h and p_l. So it also adds the errors of p_h and p_l. The
// popularity p_l is a mean of popularities of single messages. The distributions are multiplied by p_h and p_l to
// compute the results. So the errors of p_h and p_l enter the results a second time.
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
	if x.under {
		x.least()
	} else {
		x.urn()
	}
}

// The method "urn" computes a distribution after each recorded message. It is the distribution of the number a of
// popular messages among the recorded messages. The computation ends when every message that can arrive is recorded.
// Values of a with negligible probabilities are left out.
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

// Let h = s-a be the number of popular messages that are not recorded. The method "least" replaces the mean of h by
// a lower bound. Let t be the number of messages that are not recorded. Among them, h are popular. The next recorded
// message is popular with probability w(h) = h p_h/((t-h) p_l + h p_h).
//
// This probability is concave in h, because p_h >= p_l. Let W be the function that is equal to w at the integers and
// linear between them. W is concave too, so h - W(h) is convex. Since W(1)-W(0) <= 1, it does not decrease. Let l be a
// lower bound of the mean of h before the next message. By Jensen's inequality, the mean of h after this message is at
// least l - W(l). For l >= 1 the method takes the smaller number l - w(l) instead. This number does not decrease as l
// grows, because its derivative is at least 1-1/l.
//
// In a filter with one array, a repeat is unrecorded with probability fhat = (t-h) p_l + h p_h. This probability
// increases with the mean of h. The false-negative rate increases with every fhat[i]. Its numerator is a sum of u_i p_r
// fhat[i]/e_i, and its denominator is a sum of v_i/e_i. The top of markov.go defines u_i, v_i and e_i. So the
// false-negative rate computed from these lower bounds is at most the rate that the method "urn" gives.
//
// The rounding error of l - w(l) is at most 3u l + 8u w(l). Here u = 2^-53 and w(l) <= l. The method also subtracts l
// times the constant downBy, so the computed values are lower bounds too.
func (x *biUniformModel) least() {
	const downBy = 12 * fm.Unit
	s, d := float64(x.s), float64(x.d)
	l := s
	for i := range x.high {
		t := d - float64(i) // the number of messages left
		if t <= 0 {
			break
		}
		x.high[i], x.low[i] = l/s, (t-l)/(d-s)
		at := max(l, 1)
		w := at * x.ph / ((t-at)*x.pl + at*x.ph)
		l = max(0, l-min(l, 1)*w-downBy*l)
	}
}

// These constants limit the work of the search for the number s of popular messages. The constant mostTried limits a
// product: the number of states of a cycle times the number of values of s. The constant mostUrns is the largest number
// of steps of the method "urn". A search at these limits takes some seconds.
const (
	mostTried = 1 << 28
	mostUrns  = 1 << 30
)

// urnSteps estimates the number of steps of the method "urn" for n states and s popular messages. In each state, the
// number of popular messages is random. The standard deviation of this number is at most sqrt(n)/2. The distribution is
// cut off at 9.8 standard deviations from its mean.
func urnSteps(n, s int) float64 {
	return float64(n) * min(9.8*fm.Sqrt(float64(n)), float64(n), float64(s))
}

func urnsTooMany(steps float64) error {
	return fmt.Errorf("%w: %.2g steps and more of bi-uniform popularities, at most 2^30", refuse.ErrTooCostly, steps)
}

// biUniform is the model of section 4.2.4 of the paper Dozier-FN. It considers all bi-uniform popularities (see
// biUniformModel) with p_h = q_(s-1) >= 1/D. Here q_i is the popularity of rank i. The true popularity Q of the
// workload majorizes all of these popularities. Among these bi-uniform popularities, the model uses the popularity with
// the fewest false negatives for this filter and workload. Appendix D of the paper states correctly which of two
// popularities majorizes the other. Lemma 1 of the paper states the opposite.
//
// With one phase, the model first computes a lower bound of the false-negative rate for each s (see the method "least"
// of biUniformModel). The function "tightest" then omits most forecasts. With two phases it computes the forecasts for
// all s.
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
	n, _ := c.states(f, t)
	best, err := c.markov(uniformModel{float64(d)})
	if err != nil {
		return Forecast{}, err
	}
	var all []candidate
	tried, steps := 0, 0.0
	for tried < d-1 && t.q[tried]*float64(d) > 1 {
		tried++
		steps += urnSteps(n, tried)
	}
	switch {
	case float64(tried)*float64(n) > mostTried:
		return Forecast{}, fmt.Errorf("%w: %d bi-uniform popularities in %d states, at most 2^28 together", refuse.ErrTooCostly, tried, n)
	case c.r.TwoPhase && steps > mostUrns:
		return Forecast{}, urnsTooMany(steps)
	}
	for s := 1; s <= tried; s++ {
		x := candidate{s: s}
		if model := biUniformOf(t, s); !c.r.TwoPhase && model.ph >= model.pl {
			model.under = true
			if x.under, err = c.markov(model); err != nil {
				return Forecast{}, err
			}
		}
		all = append(all, x)
	}
	steps = 0
	return tightest(best, all, func(s int) (Forecast, error) {
		if steps += urnSteps(n, s); steps > mostUrns {
			return Forecast{}, urnsTooMany(steps)
		}
		return c.markov(biUniformOf(t, s))
	})
}

// A candidate is a number s of popular messages. The false-negative rate of its bi-uniform popularity is at least that
// of the forecast "under".
type candidate struct {
	s     int
	under Forecast
}

// The method "least" returns a lower bound of the rate. It takes into account the error of the forecast "under".
func (x candidate) least() float64 { return x.under.FNR * (1 - x.under.Bound) }

// The function "tightest" returns the forecast with the least false-negative rate: the forecast "best", or that of a
// candidate. It computes the forecasts in increasing order of their lower bounds. It stops at the first lower bound that
// is above the least rate found before.
func tightest(best Forecast, all []candidate, forecast func(s int) (Forecast, error)) (Forecast, error) {
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.least(), b.least()) })
	for _, x := range all {
		if x.least() > best.FNR*(1+best.Bound) || best.FNR == 0 {
			break
		}
		f, err := forecast(x.s)
		if err != nil {
			return Forecast{}, err
		}
		if f.FNR < best.FNR {
			best = f
		}
	}
	return best, nil
}

// biUniformOf returns the model with s popular messages. They have the popularity p_h = q_(s-1) of rank s-1.
func biUniformOf(t *traffic, s int) *biUniformModel {
	d := len(t.q)
	x := &biUniformModel{d: d, s: s, ph: t.q[s-1], off: t.off}
	// The next lines compute 1 - s p_h without cancellation, as a sum of two numbers. The first number is a sum over
	// the s popular messages. It adds up the amounts by which their true popularities exceed p_h. The second is the
	// total popularity of all other messages.
	for j, q := range t.q {
		if j < s {
			q -= x.ph
		}
		x.pl += q
	}
	x.pl /= float64(d - s)
	return x
}
