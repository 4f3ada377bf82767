package fnr

import (
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
)

// The method "kind" says whether the false-negative rate of the model is exact, a bound or an approximation. It returns
// lowerBound and upperBound only where they are proven for every size. Package verify/claims compares these statements
// with exact rates. It uses all the tiny filters in a grid of parameters. Stronger statements are false. That package
// also has counterexamples to them. Their claims are dozier-fn.eq5.lower, dozier-fn.eq6.upper, dozier-fn.eq7.upper,
// dozier-fn.4.2.4.tightest and dozier-fn.5.1.upper.
//
// With fresh positions and one array, the number of bits that the recorded messages set depends only on their number i.
// It does not matter which messages they are. Let v_i be the probability that i messages fit. Let u_i be the
// probability that they fit and the next message sets a bit. Let p_r be the probability of a repeat. Let T_i be the
// mean number of arrivals at which exactly i messages are recorded. Then the false-negative rate is
//
//	f_n = (sum u_i - (1-p_r) sum u_i T_i)/(sum v_i T_i).
//
// This rate decreases if any T_i increases. A model replaces T_i by 1/e_i. Here e_i is the model's probability that an
// arrival is recorded, given that i messages are recorded already.
//
//   - lower: T_i <= 1/(1-p_r + p_r tail_i), because i recorded messages are at most as popular as the i most popular
//     ones. This holds for every workload, with and without retaining, for the bit-bounded and the message-bounded
//     rule.
//   - replacement, uniform, if nothing new arrives and cycles start empty: the i recorded messages are the first i
//     distinct ones. So T_i = E[1/(1-q(S_i))] >= 1/E[1-q(S_i)] by Jensen. fhat[i] of both models is at least
//     E[1-q(S_i)]. For replacement the reason is that the first i draws are among the draws that it takes until i
//     messages are distinct. For uniform it is Theorem 5.
//   - biuniform, in the same settings: let messages arrive at the times of a Poisson process. Then sum v_i T_i is the
//     integral of E[v_N(t)], where N(t) is a sum of independent indicators with probabilities 1-exp(-q_j t). Making two
//     popularities more equal makes N(t) stochastically larger. So the f_n of Q is at most the f_n of every popularity
//     that Q majorizes. The latter is at most the rate of the model, again by Jensen.
//
// Suppose that nothing new arrives and that all messages are equally popular. Then T_i = 1/(1-i/D) for every set of i
// recorded messages. The models lower, uniform, biuniform and disabling all use this value, so they are exact in this
// case.
//
// With new messages the upper bounds fail, some by a factor of ten. Consider filters that retain the triggering
// message. For them, no counterexample to the upper bounds of the models "replacement" and "uniform" is known.
// Counterexamples to the upper bound of the model "biuniform" are known. If p_r = 1, the renewal models give rates
// below the true rate. The reason is that the mean-field approximation in equation (19) of Dozier-FN then makes a
// variance too large. For p_r < 1 these rates are above the true rate. The sums of one of these models go up to
// sigma+k. If the popularity Q is steep, even the rate of this model is below the true rate.
func (c *System) kind(m Model) string {
	if m == ModelExact && (c.recycles() || c.holdsAll()) {
		return exactRate
	}
	if c.r.TwoPhase || !c.r.FreshPositions || !c.recycles() {
		return approximation
	}
	if c.w.Repeat == 1 && c.equal() {
		switch m {
		case modelLower, modelUniform, modelBiUniform, modelDisabling:
			return exactRate
		}
	}
	switch m {
	case modelLower:
		return lowerBound
	case modelReplacement, modelUniform, modelBiUniform:
		if c.w.Repeat == 1 && !c.r.Retain {
			return upperBound
		}
	}
	return approximation
}

// The method "equal" reports whether all messages that can arrive are equally popular.
func (c *System) equal() bool {
	p := c.w.Popularity
	return p.Weight(0) == p.Weight(comers(p)-1)
}

// The method "recycles" reports whether the filter is practically certain to recycle for ever. The probability of a
// stop is then below the rounding errors. There are two ways in which a filter can stop recycling. If all arrivals are
// repeats (p_r = 1), a filter can eventually hold all messages. A message-bounded filter can have all its bits set
// before the N-th message of a cycle. In both cases the long-run false-negative rate is then 0.
func (c *System) recycles() bool {
	if c.r.Messages > 0 && message.Fills(c.g, c.r.Messages) {
		return false
	}
	if c.w.Repeat < 1 || c.overflows(comers(c.w.Popularity)) {
		return true
	}
	if c.fitsAll() { // needs no filling
		return false
	}
	f, err := c.filling()
	return err == nil && c.endless(f) < fm.Unit
}

// holdsAll reports whether it is nearly certain that the filter will soon hold all messages. The false-negative rate of
// the filter is then 0, and no model describes the cycles before that.
func (c *System) holdsAll() bool {
	if c.w.Repeat < 1 || c.overflows(comers(c.w.Popularity)) {
		return false
	}
	p, err := c.Absorbing()
	if err == nil {
		return p > mostStuck
	}
	x := c.asLarge()
	l, err := x.load()
	return err == nil && l.messages >= leastLarge && l.beyond(float64(comers(c.w.Popularity))) < mostlyFit
}

const (
	meanError     = 0x1p-40 // a bound of the relative error of the mean number of set bits
	belowRounding = 38      // exp(-belowRounding) is below u = 2^-53
)

// The method "overflows" reports whether d messages are practically certain to set more than sigma bits. This means
// that the probability of at most sigma set bits is below the rounding errors. It does not compute a filling, because
// that takes long for a large filter. Each message changes the number of set bits by at most k. Let t be any positive
// number. Consider the probability that this number is at most its mean minus t. By McDiarmid's inequality, it is at
// most exp(-2t^2/(d k^2)).
func (c *System) overflows(d uint64) bool {
	least, err := c.expected(d)
	if err != nil || c.r.Messages > 0 {
		return false
	}
	t := least - float64(c.r.Sigma)
	return t > 0 && 2*t*t > belowRounding*float64(d)*float64(c.g.K)*float64(c.g.K)
}

// The method "expected" returns a lower bound of the mean number of bits that d messages set.
func (c *System) expected(d uint64) (float64, error) {
	mean, err := approx.SetBitsMean(c.g, d)
	return mean * (1 - meanError), err
}
