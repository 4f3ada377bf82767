package fnr

import (
	"fmt"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// The renewal model follows the arrivals of a cycle, j = 1, 2, ... (Dozier-FN, section 5).
// Arrival j is one of a message that is not recorded with probability
//
//	eta_j = 1-p_r + p_r R(j-1),   R(j) = sum of q_i (1-h_i(j))                (18), (24), (25)
//
// and its mean-field step (19) is that it is so independently of what the others were. Then
// B factors: the number S of messages recorded is a sum of independent indicators, and what
// n distinct messages make of the bits does not depend on the arrivals. With
//
//	W_n = sum over j of P[S_(j-1) = n],   X_n = sum over j of R(j-1) P[S_(j-1) = n],
//
// the mean number of arrivals that find n messages recorded in a filter without a bound, and
// of those of them that would repeat one that is not, if they were repeats, the sums of (16),
// (20)-(22) and (26) over bits and arrivals are
//
//	sum of A_j = sum of v_n W_n,   sum of C_j = p_r sum of u_n X_n.
//
// So the workload is followed once, with as many terms as messages are likely recorded
// instead of bits likely set, each in two products instead of k. The false positives are
// (1-p_r) sum of v_n gamma_n W_n, the lucky arrivals p_r sum of v_n gamma_n X_n.
//
// renewal sums to sigma. renewal-extended carries B to sigma+k, which is u of a filter with
// that bound, and sums C to sigma+k as printed, but A, like false positives and lucky
// arrivals, to sigma; in filters of few messages it exceeds 1. renewal-retaining begins with
// the message recorded that ended the cycle before, at rank i with probability nu_i, and sums
// over the arrivals after it:
//
//	h_i(0) = nu_i,   nu_i = sum over j of r(j-1) [p_r q_i (1-h_i(j-1)) + (1-p_r) zeta_i],
//
// r(j) = sum of r_n P[S_j = n], which is a fixed point.
//
// What the mean-field step costs is of order 1/m: it leaves the mean of S right and makes its
// variance too large, so that cycles seem longer than they are and false negatives fewer
// (verify.TestRenewalIsNoBound). Nothing is lost where nothing repeats.

// A plain is the course of cycles that begin with nothing recorded, which all models need.
type plain struct {
	wide   *filling // with the bound sigma+k; that of the filter itself if message-bounded
	course *course
}

// newPlain returns it, with how cycles end.
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
		// Where all bits are set no arrival is missed.
		r.Sigma = min(r.Sigma+uint64(c.g.K), c.g.M-1)
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

// A renewal is the model of a filter.
type renewal struct {
	t *traffic
	c *course

	fill, wide *filling  // to sigma; for false negatives, to sigma+k if extended
	missed     []float64 // X_n, two phases: of messages that are in neither array
	most       float64   // bounds their R
	trigger    []float64 // two phases: that of the message that ended the frozen array's cycle, if it is in neither
	frozen     float64   // two phases: probability that the frozen array takes a message that is not in it for a repeat
	open       float64   // that it does not
	stuck      float64   // p_r = 1: probability that a cycle never ends, the larger of the model's and the filter's
	triggers   float64   // retaining: how far the law of triggers is from that of the cycle before, at the most
	least      float64   // and the least 1-h with which a cycle begins
}

// renewal returns what a renewal model says: ModelRenewal, modelRenewalExtended or
// ModelRenewalRetaining.
func (c *System) renewal(m Model) (Forecast, error) {
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
	case note == "":
		note = f.Note
	}
	f.Valid, f.Note = valid, note
	return f, nil
}

// renewalBy is renewal of a filter that retains as the model does, by the expansion for large
// filters where the terms would take long. stuck is the probability that a cycle never ends.
func (c *System) renewalBy(m Model, r bloomproof.Recycling) (f Forecast, stuck float64, err error) {
	if c.isLarge() {
		f, err = c.large(m)
		return f, 0, err
	}
	return c.termByTerm(m, r)
}

// termByTerm is renewalBy by all terms.
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

// retain finds the law of the message that ends a cycle that begins with it. Where a cycle
// holds two or three messages the law can swing from one cycle to the next; then half of the
// change is taken.
//
// A law of distance d changes the sum of all eta by d at most, as no message is recorded
// more than once, and so the arrivals of a cycle by d/least (see forecast).
func (x *renewal) retain(r bloomproof.Recycling, limit float64) error {
	rows := x.fill.rows
	want := trigger
	if r.TwoPhase {
		want = triggerAndOthers
	}
	nu, last := x.c.trigger, fm.Inf()
	if nu == nil {
		nu = append(append(nu, x.t.q...), 0) // of a filter that does not retain: as good as another
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

// freeze adds the frozen array, (27) and (28) with copy-over and fresh positions. A message
// is in neither array if it is in none of two courses, one after the other: (27) is
//
//	p_r (1-gF) sum over j of C_j sum over j' of (A_j' - A_(j'+1)) R(j+j'-2) / sum of A_j,
//
// where R(j+j'-2), linear in 1-h, is what j-1 more arrivals make of 1-h after j'-1, of which
// the mean can be taken first. Between the two is the arrival that ends the frozen array's
// cycle, which (27) passes over. It is of a message that is not recorded: of rank i with
// probability p_r q_i g_i + (1-p_r) zeta_i to eta, so that
//
//	p_r (R - q_i g_i) g_i + (1-p_r) (Z_<i g_(i-1) + Z_>i g_i)   to eta
//
// are in neither array, at j, if its bits stay in the frozen array or, retaining, begin the
// active one. Otherwise it is itself in neither, and known not to be lucky in the frozen
// array: about one false negative a cycle more, as far as it comes again.
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

// forecast returns what the sums say.
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
	}
	if fresh := t.fresh + t.repeat*missed/arrivals; fresh > 0 {
		f.FPRPerCycleNew = (f.FPR + f.Lucky) / fresh
	}
	f.Bound = x.bound(arrivals, hits, lucky, loud)
	return f, nil
}

// bound bounds the relative errors of the sums, given their values.
//
// After J arrivals R errs by traffic.missingError, and by as much again in a second array, and
// with it eta. A change d of one eta lets n+1 messages be recorded instead of n with probability d,
// which changes sums of f_n by the sum of |f_i - f_(i+1)| over the i to come, times the mean
// time at i, at most 1/least; or by J max f at most; and R times that where it is a factor.
// All eta together, while the cycle goes on, are at most the number of rows. The law's own
// roundings are 4u an arrival, of numerator and denominator; those of the sums at the end are
// below a row each and 100u.
//
// All terms being positive, the sums err by no more than the law and R do, relative, and the
// law by what all eta and 1-eta do, which is better where R is small but for the first
// arrivals.
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
			continue // R = 1 does not err
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
