package fnr

import (
	"errors"
	"fmt"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fault"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// The renewal model follows the arrivals of a cycle, j = 1, 2, ... (Dozier-FN, section 5). Let p_r be the probability
// of a repeat. Let q_i be the popularity of rank i. Let h_i(j) be the probability that the message at rank i is
// recorded after j arrivals. Let R(j) be the sum of q_i (1-h_i(j)) over i. By equations (18), (24) and (25), the
// probability that arrival j is an unrecorded message is
//
//	eta_j = 1-p_r + p_r R(j-1).
//
// The mean-field approximation in equation (19) assumes that this event is independent of the other arrivals. Let B be
// the joint distribution of the number of set bits and the number of arrivals. Then two simpler distributions determine
// B. The first is the distribution of S_j, the number of messages that are recorded after j arrivals. This number is a
// sum of independent indicators. The second is the distribution of the number of bits that n distinct messages set. It
// does not depend on the arrivals. Consider two sums:
//
//	W_n = sum over j of P[S_(j-1) = n],
//	X_n = sum over j of R(j-1) P[S_(j-1) = n].
//
// W_n is the mean number of arrivals that find n messages recorded, in a filter that never recycles. Suppose that all
// these arrivals were repeats. X_n is then the mean number of unrecorded messages among them. Let v_n be the
// probability that n messages fit. Let u_n be the probability that they fit and the next message sets a bit. The
// probability that n messages fit and the next message sets no bit is the product v_n gamma_n. Some equations of the
// paper are sums over the number of set bits and the arrivals. They are (16), (20) to (22) and (26). Two probabilities
// are summed. A_j is the probability that a cycle has a j-th arrival. C_j is the probability that this arrival is a
// false negative. The sums of these probabilities over j satisfy two equations:
//
//	sum over j of A_j = sum over n of v_n W_n,
//	sum over j of C_j = p_r times the sum over n of u_n X_n.
//
// So the arrivals have to be followed only once. For each arrival the model updates the distribution of the number of
// recorded messages. This takes two multiplications for each possible number of recorded messages. It need not update
// the distribution of the number of set bits. That would take k multiplications for each possible number of set bits.
// The mean number of false positives of a cycle is (1-p_r) times the sum of v_n gamma_n W_n. The mean number of its
// lucky arrivals is p_r times the sum of v_n gamma_n X_n. A lucky arrival is a repeat with two properties. Its message
// is unrecorded, and all positions of this message are set.
//
// In the model "renewal" the sums go up to sigma set bits. In the model "renewal-extended" the distribution B goes up
// to sigma+k set bits. Its numbers u_n are those of a filter with the bound sigma+k. As in the paper, the sum of C goes
// up to sigma+k set bits. Three sums go only up to sigma set bits: those of A, of the false positives and of the lucky
// arrivals. In filters that hold few messages the false-negative rate of this model exceeds 1. In the model
// "renewal-retaining" each cycle starts with one recorded message, the message that ended the cycle before. This
// message is at rank i with probability nu_i. The sums are over the arrivals after that message.
//
//	The probability h_i(0) is nu_i.
//	It is the sum over j of r(j-1) [p_r q_i (1-h_i(j-1)) + (1-p_r) zeta_i].
//
// Here r(j) is the sum of r_n P[S_j = n]. The number r_n is the probability that n messages fit and the next one ends
// the cycle. The number zeta_i is the probability that a new message enters at rank i. The second equation is a
// fixed-point equation for nu.
//
// The mean-field approximation causes an error of order 1/m. The approximation keeps the mean of S_j but makes its
// variance too large. So the computed cycles are longer than the true ones, and the computed false negatives are fewer
// (verify.TestRenewalIsNoBound). If no arrival is a repeat, there is no error.

// A value of the type "plain" holds the course (see the type "course") of a cycle that begins with no recorded message.
// All renewal models need it.
type plain struct {
	wide   *filling // with the bound sigma+k; for message-bounded filters, with their own bound
	course *course
}

// newPlain returns a value of the type "plain" for a filter. The course describes how the cycle ends if the filter has
// two phases or retains the triggering message.
func (c *System) newPlain() (*plain, error) {
	fill, err := c.filling()
	if err != nil {
		return nil, err
	}
	t, err := c.traffic()
	if err != nil {
		return nil, err
	}
	x := &plain{wide: fill}
	if r := c.r; r.Messages == 0 {
		r.Sigma = wideSigma(c.g, r.Sigma)
		if x.wide, err = newFilling(c.g, r); err != nil {
			return nil, err
		}
	}
	want := nothing
	switch {
	case c.r.TwoPhase:
		want = triggerAndOthers
	case c.r.Retain:
		want = trigger
	}
	x.course, err = newCourse(t, t.nothing(), 0, fill.rows, x.wide.rows, want, c.limit)
	return x, err
}

// wideSigma returns the bound sigma+k, but at most m-1. When all bits are set, every arrival is reported as a repeat.
// So a bound of m set bits gives the same false negatives as a bound of m-1 set bits.
func wideSigma(g bloomproof.Geometry, sigma uint64) uint64 {
	return sigma + min(uint64(g.K), g.M-1-min(sigma, g.M-1)) // the sum sigma+k can exceed the range of uint64
}

// A value of the type "renewal" is the renewal model of a filter.
type renewal struct {
	t *traffic
	c *course

	fill, wide *filling  // fill is up to sigma; wide is for false negatives, up to sigma+k if extended
	missed     []float64 // X_n; with two phases, for messages that are in neither array
	most       float64   // a bound of the probability R for these messages
	trigger    []float64 // two phases: X_n of the last message of the frozen cycle, if it is in neither array
	frozen     float64   // two phases: the probability that the frozen array matches by chance
	open       float64   // the probability that the frozen array does not match by chance
	stuck      float64   // if p_r = 1: the larger of the model's and the filter's probability that a cycle never ends
	triggers   float64   // retaining: a bound of the change of the distribution of triggers in a cycle
	least      float64   // retaining: the smallest 1-h at the beginning of a cycle
}

// The method "renewal" returns the forecast of a renewal model: ModelRenewal, modelRenewalExtended or
// ModelRenewalRetaining.
func (c *System) renewal(m Model) (Forecast, error) {
	if err := fault.Part(); err != nil {
		return Forecast{}, err
	}
	r := c.r
	r.Retain = m == ModelRenewalRetaining
	if err := r.Validate(c.g); err != nil {
		return Forecast{}, err
	}
	if m == modelRenewalExtended && r.Messages > 0 {
		return Forecast{}, &bloomproof.ParamError{Param: "messages", Value: r.Messages, Want: "0 (the bit-bounded rule) where sums go to sigma+k"}
	}
	f, stuck, err := c.renewalBy(m, r)
	if err != nil {
		return Forecast{}, err
	}
	valid, note := c.made(stuck)
	switch {
	case !valid:
	case r.Retain && !c.r.Retain:
		valid, note = false, "the model is made for filters that retain"
	case c.r.Retain && !r.Retain:
		valid, note = false, "the model is made for filters that do not retain"
	}
	f.Valid, f.Note = valid && f.Valid, join(note, f.Note)
	return f, nil
}

// renewalBy returns the forecast of a filter. It assumes that the filter retains the triggering message if and only if
// the model does. For a large filter or a long cycle the sum over all terms can take long. In these cases renewalBy
// uses the expansion. The result "stuck" is the probability that a cycle never ends.
func (c *System) renewalBy(m Model, r bloomproof.Recycling) (f Forecast, stuck float64, err error) {
	if c.isLarge() || c.isLong() {
		f, err = c.large(m)
		return f, 0, err
	}
	f, stuck, err = c.termByTerm(m, r)
	if errors.Is(err, refuse.ErrTooCostly) && roughMessages(c.g, c.r) >= 2*leastLarge {
		if f, e := c.large(m); e == nil {
			return f, 0, nil
		}
	}
	return f, stuck, err
}

// isLong reports whether two conditions hold. First, a cycle certainly has too many arrivals for newCourse. Second, the
// expansion can be used instead. A cycle has the fewest arrivals if new messages enter at the last rank.
func (c *System) isLong() bool {
	messages := roughMessages(c.g, c.r)
	if messages < 2*leastLarge {
		return false
	}
	w := c.w
	w.Arrivals, w.ArrivalWeights = bloomproof.ArrivalLast, nil
	s, err := newSteady(w)
	if err != nil {
		return false
	}
	return solve(s, 1-w.Repeat, messages, 0, fm.Inf())*(float64(comers(w.Popularity))+arrivalCost) > c.limit
}

// termByTerm computes the same results as renewalBy, but always by the sum over all terms.
func (c *System) termByTerm(m Model, r bloomproof.Recycling) (f Forecast, stuck float64, err error) {
	plain, err := c.plain()
	if err != nil {
		return Forecast{}, 0, err
	}
	fill, _ := c.filling()
	t, _ := c.traffic()
	x := &renewal{t: t, c: plain.course, fill: fill, wide: fill, open: 1}
	if m == modelRenewalExtended {
		x.wide = plain.wide
	}
	if r.Retain {
		if err := x.retain(r, c.limit); err != nil {
			return Forecast{}, 0, err
		}
	}
	x.missed, x.most = x.c.missed, 1
	x.stuck = max(x.c.never, c.endless(fill))
	if r.TwoPhase {
		x.freeze(r)
	}
	f, err = x.forecast()
	return f, x.stuck, err
}

// The method "retain" computes the stationary distribution of the message that ends a cycle and begins the next one. It
// iterates from cycle to cycle. If a cycle holds two or three messages, the distribution can oscillate. In this case
// the iteration changes the distribution by only half of each computed change.
//
// Let eta be the probability that an arrival is recorded. Suppose that the distribution changes. Let d be the distance
// between the old and the new distribution. The sum of all eta then changes by at most d, because no message is
// recorded more than once. Let e be the smallest eta. Then the mean number of arrivals of a cycle changes by at most
// d/e (see the method "bound").
func (x *renewal) retain(r bloomproof.Recycling, limit float64) error {
	rows := x.fill.rows
	want := trigger
	if r.TwoPhase {
		want = triggerAndOthers
	}
	nu, last := x.c.trigger, fm.Inf()
	if nu == nil {
		nu = append(append(nu, x.t.q...), 0) // the start may be any distribution
	}
	left := 4 * limit
	for range mostTriggers {
		g := x.t.without(nu)
		least := slices.Min(g)
		c, err := newCourse(x.t, g, 1, rows, rows, want, min(limit, left))
		if err != nil {
			return err
		}
		left -= c.cost
		distance := 0.0
		for i, p := range c.trigger {
			distance += fm.Abs(p - nu[i])
		}
		n := float64(len(c.missing))
		if distance <= triggerRest || n*float64(len(nu)) >= longCourse && distance <= triggerChange*c.least*n {
			x.c, x.triggers, x.least = c, 2*distance, least
			return nil
		}
		if distance > last/2 {
			for i, p := range nu {
				c.trigger[i] = (c.trigger[i] + p) / 2
			}
		}
		nu, last = c.trigger, distance
	}
	return fmt.Errorf("%w: the law of the message that ends a cycle is not found in %d cycles", refuse.ErrUndefined, mostTriggers)
}

// The method "freeze" adds the effect of the frozen array (equations (27) and (28) of Dozier-FN). It is for filters
// with copy-over and fresh positions. A message is in neither array if neither of two successive cycles recorded it.
// The letters are those of the comment at the top of this file. Let gF be the probability that all positions of such a
// message are set in the frozen array. Then equation (27) is
//
//	p_r (1-gF) [sum over j of C_j sum over j' of (A_j' - A_(j'+1)) R(j+j'-2)] / [sum over j of A_j].
//
// The message at rank i is unrecorded with probability g_i = 1-h_i. R(j+j'-2) is a linear function of these
// probabilities. To compute R(j+j'-2), start from the values of g_i after j'-1 arrivals, and update them for j-1
// further arrivals. So the mean of the g_i over j' can be computed before this update. Equation (27) ignores the
// arrival between the two cycles, which ends the cycle of the frozen array. The model includes it. For m = 38, k = 5,
// sigma = 19, 15 messages with q_i proportional to 0.9^i, p_r = 0.492 and freeze-before, this changes the rate from
// 0.2318 to 0.2424. The message of that arrival is not recorded before. The probability that this message has rank i is
//
//	(p_r q_i g_i + (1-p_r) zeta_i)/eta.
//
// So consider the probability that the message at rank i is in neither array. Let w be Z_<i g_(i-1) + Z_>i g_i. The
// product of this probability and eta is
//
//	p_r (R - q_i g_i) g_i + (1-p_r) w.
//
// Here Z_<i is the probability that a new message enters before rank i. Z_>i is the probability that it enters after
// rank i. This formula holds if the frozen array has recorded the triggering message. It also holds if the filter
// retains this message, because the active array has then recorded it. Otherwise the triggering message is in neither
// array. It is then known to have a clear position in the frozen array. Its next arrival adds at most about one false
// negative per cycle.
func (x *renewal) freeze(r bloomproof.Recycling) {
	x.open = 0
	for _, row := range x.fill.rows {
		if r.FreezeBefore {
			x.frozen += row.luckyBefore
			x.open += row.unluckyBefore
		} else {
			x.frozen += row.luckyAfter
			x.open += row.unluckyAfter
		}
	}
	all := x.frozen + x.open
	x.frozen /= all
	x.open /= all
	nu := append([]float64(nil), x.c.trigger[:len(x.t.q)]...)
	x.missed, x.most = x.c.again(x.t, append([]float64(nil), x.c.others...))
	if r.FreezeBefore && !r.Retain {
		var most float64
		x.trigger, most = x.c.again(x.t, nu)
		x.most = max(x.most, most)
	}
}

// The method "forecast" computes the forecast of the renewal model from sums over the number of recorded messages.
func (x *renewal) forecast() (Forecast, error) {
	t, rows := x.t, x.fill.rows
	if x.stuck > mostStuck {
		return Forecast{}, recyclesNoMore(float64(len(t.q)), fmt.Sprintf(", after some %.2g cycles", 1/x.stuck))
	}
	arrivals := sumRows(x.c.times, rows, rowFits)
	hits := sumRows(x.c.times, rows, rowLucky) + x.frozen*sumRows(x.c.times, rows, rowUnlucky)
	lucky := sumRows(x.missed, rows, rowLucky) + x.frozen*sumRows(x.missed, rows, rowUnlucky) + sumRows(x.trigger, rows, rowLucky)
	loud := x.open*sumRows(x.missed, x.wide.rows, rowUnlucky) + sumRows(x.trigger, x.wide.rows, rowUnlucky)
	missed := sumRows(x.missed, rows, rowFits) + sumRows(x.trigger, rows, rowFits)
	f := Forecast{
		FNR:       t.repeat * loud / arrivals,
		Lucky:     t.repeat * lucky / arrivals,
		FPR:       t.fresh * hits / arrivals,
		FPRPerNew: hits / arrivals,
		Cycle:     arrivals,
		Valid:     true,
	}
	if fresh := t.fresh + t.repeat*missed/arrivals; fresh > 0 {
		f.FPRPerCycleNew = (f.FPR + f.Lucky) / fresh
	}
	f.Bound = x.bound(arrivals, hits, lucky, loud)
	return f, nil
}

// The method "bound" returns a bound of the relative errors of the sums in the method "forecast". Its arguments are the
// values of these sums.
//
// Let eta be the probability that an arrival is recorded. Let R be the probability that a repeat is an unrecorded
// message. After J arrivals the error of R is the number that traffic.missingError returns. A second array adds the
// same error again. The probability eta has the same errors. Suppose that one eta changes by d. Then with probability
// d, the cycle has n+1 recorded messages in place of n. Each of these sums is a sum of products f_n W_n. Here W_n is
// the mean number of arrivals that find n messages recorded. W_n is at most 1/eta for the smallest eta. The change of
// the sum is at most d times the smaller of two numbers. For the first number, add up |f_i - f_(i+1)| over all i >= n.
// Then divide by the smallest eta. The second number is J times the largest f_n. If the terms have R as a factor, both
// numbers are multiplied by the largest R. The sum of all eta up to the end of the cycle is at most the number of rows.
// Each arrival adds rounding errors of 4u (u = 2^-53) to the distribution. This happens in the numerator and in the
// denominator of a rate. The final sums add rounding errors below u for each row, and further rounding errors below
// 100u.
//
// All terms are positive, so a second bound also holds. The relative error of the sums is at most the relative error of
// the distribution plus the relative error of R. For each arrival, take the larger of the relative errors of eta and of
// 1-eta. The relative error of the distribution is at most the sum of these. If R is small after the first arrivals,
// this second bound is smaller than the first one.
func (x *renewal) bound(arrivals, hits, lucky, loud float64) float64 {
	j, rows := float64(len(x.c.missing)), float64(len(x.c.times))
	each := x.t.missingError(j) * fm.Unit
	if x.frozen > 0 {
		each *= 2
	}
	change := each*rows + x.triggers
	loss := func(value, weight float64, fill []filled, f func(*filled) float64) float64 {
		if value == 0 {
			return 0
		}
		varies, most, share, last := 0.0, 0.0, 0.0, 0.0
		for n := len(fill) - 1; n >= 0; n-- {
			y := f(&fill[n])
			varies += fm.Abs(y - last)
			most, last = max(most, y), y
			if y > 0 {
				share = max(share, y/fill[n].fits)
			}
		}
		return weight * (change*min(varies/max(x.c.least, faint), j*most) + x.c.rest*share) / value
	}
	own := x.fill.rows
	worst := loss(hits, 1, own, rowLucky)
	if x.t.repeat > 0 {
		worst = max(worst, loss(lucky, x.most, own, rowLucky), loss(loud, x.most, x.wide.rows, rowUnlucky))
	}
	worst += loss(arrivals, 1, own, rowFits)
	forward := each + x.c.rest/arrivals
	for i, r := range x.c.missing {
		if i == 0 && x.c.first == 0 {
			continue // R = 1 has no error
		}
		err := x.t.missingError(float64(i)) * fm.Unit
		if x.triggers > 0 {
			err += x.triggers / max(x.least, faint)
		}
		forward += err * max(1, min(r/(1-r), 1/fm.Unit))
	}
	return 2*min(worst, forward) + 4*max(x.fill.err, x.wide.err) +
		(8*j*(1+x.c.never*j/arrivals)+2*rows+100)*fm.Unit
}
