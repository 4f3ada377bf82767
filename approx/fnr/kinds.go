package fnr

import (
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
)

// kind says what the model's false-negative rate is to that of the filter: lowerBound and
// upperBound only where that is proven, for every size. Package verify/claims holds the same
// statements against exact rates of tiny filters, exhaustively on a grid, and has the
// counterexamples that forbid more (claims dozier-fn.eq5.lower, dozier-fn.eq6.upper,
// dozier-fn.eq7.upper, dozier-fn.4.2.4.tightest, dozier-fn.5.1.upper).
//
// With fresh positions and one array, how many bits i recorded messages set does not depend
// on which they are, so that with T_i the mean number of arrivals of a cycle that find i
// messages recorded
//
//	f_n = (sum u_i - (1-p_r) sum u_i T_i)/(sum v_i T_i),
//
// which falls as any T_i grows; a model puts 1/e_i in the place of T_i.
//
//   - lower: T_i <= 1/(1-p_r + p_r tail_i), because i recorded messages have at most the i
//     highest ranks. Every workload, retaining or not, both rules.
//   - replacement, uniform, where nothing new arrives and cycles start empty: the i recorded
//     messages are the first i distinct ones, T_i = E[1/(1-q(S_i))] >= 1/E[1-q(S_i)] by
//     Jensen, and both models' fhat[i] is at least E[1-q(S_i)]: i draws are among those until
//     i are distinct, and (7) is Theorem 5.
//   - biuniform, there too: with arrivals at the times of a Poisson process sum v_i T_i is
//     the integral of E[v_N(t)], N(t) a sum of independent indicators of 1-exp(-q_j t). To
//     even out two popularities makes N(t) larger in law, so that f_n of Q is at most that of
//     every popularity that Q majorizes, and that is at most the model's, by Jensen again.
//
// Where nothing new arrives and all messages are equally popular, T_i = 1/(1-i/D) whichever
// are recorded, which lower, uniform, biuniform and disabling all say: they are exact.
//
// With new messages the upper bounds fail, some by a factor of ten; retaining, no
// counterexample is known for replacement and uniform, and biuniform has some. The renewal
// models are below the rate for p_r = 1, where (19) inflates a variance, and beyond it
// elsewhere; carried to sigma+k they are still below it for a steep Q.
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

// equal reports whether all messages that come are equally popular.
func (c *System) equal() bool {
	p := c.w.Popularity
	return p.Weight(0) == p.Weight(comers(p)-1)
}

// recycles reports whether the filter goes on recycling but for a probability below rounding:
// with p_r = 1 it can come to hold all messages, and a message-bounded one can be full before
// its N-th message; its long-run rate is 0 then.
func (c *System) recycles() bool {
	if c.r.Messages > 0 && message.Fills(c.g, c.r.Messages) {
		return false
	}
	if c.w.Repeat < 1 || c.overflows(comers(c.w.Popularity)) {
		return true
	}
	f, err := c.filling()
	return err == nil && c.endless(f) < fm.Unit
}

// holdsAll reports whether the filter comes to hold all messages so soon that no model
// speaks of the cycles before: its rate is 0.
func (c *System) holdsAll() bool {
	if c.w.Repeat < 1 || c.overflows(comers(c.w.Popularity)) {
		return false
	}
	p, err := c.Absorbing()
	return err == nil && p > mostStuck
}

const (
	meanError     = 0x1p-40 // more than the mean number of set bits errs by
	belowRounding = 38      // exp(-38) < u
)

// overflows reports whether d messages set more than sigma bits but for a probability below
// rounding, without the filling, which takes long for a large filter: each of them changes the
// number of set bits by at most k, so that it is t or more below its mean with a probability of
// at most exp(-2t^2/(d k^2)) (McDiarmid).
func (c *System) overflows(d uint64) bool {
	mean, err := approx.SetBitsMean(c.g, d)
	if err != nil || c.r.Messages > 0 {
		return false
	}
	t := mean*(1-meanError) - float64(c.r.Sigma)
	return t > 0 && 2*t*t > belowRounding*float64(d)*float64(c.g.K)*float64(c.g.K)
}
