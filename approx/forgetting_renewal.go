package approx

import (
	"fmt"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
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

// mostCourse is how many products a course may cost, about a second; arrivalCost is for
// what an arrival costs besides, memory too.
const (
	mostCourse  = 1 << 30
	arrivalCost = 512
)

// courseRest is the part of a cycle that may be left out at its end.
const courseRest = 0x1p-46

// triggerChange is the part of a long course by which the law of the message that ends a
// cycle may change it from one cycle to the next: there each further one is costly, and
// brings the law nearer by a factor of 100 and more.
const (
	triggerChange = 0x1p-26
	longCourse    = 1 << 18 // products
)

// mostTriggers is after how many cycles the law of the message that ends one must be found.
const mostTriggers = 100

// crowdCut is what the law of the number of recorded messages is cut off below.
const crowdCut = 0x1p-100

// endCut is what the probability that a cycle ends at an arrival counts from.
const endCut = 0x1p-60

// A crowd is the law of the number of messages recorded: p[n] for low <= n < high.
type crowd struct {
	p         []float64 // up to the most that count
	low, high int
	dropped   float64 // cut off so far
}

// newCrowd returns the law of one that is certain.
func newCrowd(n, most int) *crowd {
	c := &crowd{p: make([]float64, most+1), low: n, high: n + 1}
	c.p[n] = 1
	return c
}

// arrival counts an arrival, and it times share, in times and missed, and lets it come. R is
// missing.
func (c *crowd) arrival(t *traffic, missing, share float64, times, missed []float64) {
	eta, same := t.fresh+t.repeat*missing, t.repeat*(1-missing)
	p := c.p[c.low:c.high]
	times, missed = times[c.low:c.high], missed[c.low:c.high]
	before := 0.0
	for i, x := range p {
		times[i] += x
		missed[i] += share * x
		p[i] = same*x + eta*before
		before = x
	}
	if c.high < len(c.p) {
		c.p[c.high] = eta * before
		c.high++
	}
	for c.low < c.high && c.p[c.low] < crowdCut {
		c.dropped += c.p[c.low]
		c.low++
	}
	for c.low < c.high && c.p[c.high-1] < crowdCut {
		c.high--
		c.dropped += c.p[c.high]
		c.p[c.high] = 0
	}
}

// mean returns the sum of f_n over the law.
func (c *crowd) mean(f []float64) (sum float64) {
	if c.low >= len(f) {
		return 0
	}
	f = f[c.low:min(c.high, len(f))]
	for i, x := range c.p[c.low:][:len(f)] {
		sum += x * f[i]
	}
	return sum
}

// A course is how the workload goes on in a cycle.
type course struct {
	first   int       // messages recorded when it begins
	missing []float64 // R(0), R(1), ..., a multiple of 4
	times   []float64 // W_n, without what is left at the end if nothing new ever arrives
	missed  []float64 // X_n
	others  []float64 // if asked for: the mean of 1-h after the arrival that ends the cycle, with its message recorded
	trigger []float64 // if asked for: the law of the rank at which that message is: nu, and the rest
	squares []float64 // for others

	cost  float64 // products
	never float64 // p_r = 1: the probability that the cycle does not end
	least float64 // the least eta
	rest  float64 // bounds what sums of W_n f_n and X_n f_n leave out, f_n <= v_n
}

// endings are what is asked of how cycles end.
type endings uint8

const (
	nothing endings = iota
	trigger
	triggerAndOthers
)

// newCourse follows arrivals until those that are left out do not count, at the cost of that
// many products at most. g is 1-h at first and is overwritten.
//
// The sums of v_n W_n are short of at most the sum of P[S_J = n] (v_n + v_(n+1) + ...)/(1-p_r)
// after J arrivals, the mean time at each number of messages being at most 1/(1-p_r). With
// p_r = 1, rank i is still to be missing in g_i/q_i arrivals at most. The mass that stays for
// ever is taken off all J arrivals, which errs by J times the messages that are still to be
// recorded.
func newCourse(t *traffic, g []float64, first int, rows, wide []filled, want endings, limit float64) (*course, error) {
	levels := len(wide)
	if cost := float64(len(g)) * float64(levels); cost > limit {
		return nil, courseTooCostly(cost, limit)
	}
	c := &course{
		first: first, times: make([]float64, levels), missed: make([]float64, levels),
		least: 1,
	}
	if want != nothing {
		c.trigger = make([]float64, len(g)+1)
	}
	if want == triggerAndOthers {
		c.others, c.squares = make([]float64, len(g)), make([]float64, len(g))
	}
	var ends []float64
	for _, row := range rows {
		ends = append(ends, row.ends)
	}
	tails := make([]float64, levels+1) // v_n + v_(n+1) + ...
	for n := levels - 1; n >= 0; n-- {
		tails[n] = tails[n+1] + wide[n].fits
	}
	law := newCrowd(first, levels-1)
	before := make([]float64, len(g)) // 1-h before four arrivals
	ended, entered := 0.0, 0.0
	for over := false; !over; {
		if want != nothing {
			copy(before, g)
		}
		missing := t.arrivals(g)
		var end [4]float64 // probability to end the cycle, if recorded
		some := false
		for i := range missing {
			missing[i] = min(missing[i], 1)
			if first == 0 && len(c.missing) == 0 {
				missing[i] = 1
			}
			eta := t.fresh + t.repeat*missing[i]
			if want != nothing {
				if end[i] = law.mean(ends); end[i] <= endCut {
					end[i] = 0
				}
				ended += end[i] * eta
				entered += end[i]
				some = some || end[i] > 0
			}
			law.arrival(t, missing[i], missing[i], c.times, c.missed)
			c.missing = append(c.missing, missing[i])
			c.least = min(c.least, eta)
		}
		if some {
			c.ending(t, before, end, missing)
		}
		if len(c.missing)%32 == 0 {
			over = c.over(t, g, law, tails)
		}
		if c.cost += 4 * (float64(len(g)+law.high-law.low) + arrivalCost); c.cost > limit {
			return nil, courseTooCostly(c.cost, limit)
		}
	}
	if t.fresh == 0 {
		c.never = sumRows(law.p, rows, rowFits)
		for n := law.low; n < law.high; n++ {
			c.times[n] -= law.p[n] * float64(len(c.missing))
		}
	}
	if ended > 0 {
		before := 0.0
		for i, x := range c.trigger[:len(g)] {
			if want == triggerAndOthers {
				stay := t.repeat * max(0, c.others[i]-t.q[i]*c.squares[i])
				c.others[i] = (stay + t.keep[i]*x + t.move[i]*before) / ended
			}
			c.trigger[i] = (t.repeat*t.q[i]*x + t.fresh*t.zeta[i]*entered) / ended
			before = x
		}
		c.trigger[len(g)] = t.fresh * t.beyond * entered / ended
	}
	return c, nil
}

// ending adds four arrivals that end the cycle with probability end if they are recorded, of
// which those are missing, 1-h being g before the first.
func (c *course) ending(t *traffic, g []float64, end, missing [4]float64) {
	n := len(g)
	stay, move, trigger := t.stay[:n], t.move[:n], c.trigger[:n]
	var b0, b1, b2 float64
	if c.others == nil {
		for i, x := range g {
			s, m := stay[i], move[i]
			y := end[0] * x
			x, b0 = s*x+m*b0, x
			y += end[1] * x
			x, b1 = s*x+m*b1, x
			y += end[2] * x
			x, b2 = s*x+m*b2, x
			trigger[i] += y + end[3]*x
		}
		return
	}
	others, squares := c.others[:n], c.squares[:n]
	for i, x := range g {
		s, m := stay[i], move[i]
		y := end[0] * x
		all, other, square := y, missing[0]*y, x*y
		x, b0 = s*x+m*b0, x
		y = end[1] * x
		all, other, square = all+y, other+missing[1]*y, square+x*y
		x, b1 = s*x+m*b1, x
		y = end[2] * x
		all, other, square = all+y, other+missing[2]*y, square+x*y
		x, b2 = s*x+m*b2, x
		y = end[3] * x
		trigger[i] += all + y
		others[i] += other + missing[3]*y
		squares[i] += square + x*y
	}
}

func courseTooCostly(cost, limit float64) error {
	return fmt.Errorf("%w: %.2g products and more for the arrivals of a cycle, at most %.2g", ErrTooCostly, cost, limit)
}

// over reports whether the arrivals to come do not count, and bounds what they would add.
func (c *course) over(t *traffic, g []float64, law *crowd, tails []float64) bool {
	alive, future, each := 0.0, 0.0, 0.0
	for n := law.low; n < law.high; n++ {
		alive += law.p[n] * (tails[n] - tails[n+1])
		future += law.p[n] * tails[n]
	}
	if t.fresh > 0 {
		future /= t.fresh
		each = tails[0] / t.fresh
	} else {
		rest := 0.0
		for i, x := range g {
			each += x / t.q[i]
			rest += x
		}
		each += float64(len(c.missing)) * rest
		future = alive * each
	}
	c.rest = future + law.dropped*each
	return future <= courseRest*tails[0]
}

// again returns X_n for another g, which is overwritten, at the numbers of messages of c, and
// the largest R.
func (c *course) again(t *traffic, g []float64) (missed []float64, most float64) {
	law := newCrowd(c.first, len(c.times)-1)
	missed = make([]float64, len(c.times))
	scratch := make([]float64, len(c.times))
	for j := 0; j < len(c.missing); j += 4 {
		for i, share := range t.arrivals(g) {
			missing := c.missing[j+i]
			share = min(share, missing)
			law.arrival(t, missing, share, scratch, missed)
			most = max(most, share)
		}
	}
	return missed, most
}

// sumRows returns the sum of w_n f_n.
func sumRows(w []float64, rows []filled, f func(*filled) float64) (sum float64) {
	for n := range min(len(w), len(rows)) {
		sum += w[n] * f(&rows[n])
	}
	return sum
}

func rowFits(x *filled) float64    { return x.fits }
func rowLucky(x *filled) float64   { return x.lucky }
func rowUnlucky(x *filled) float64 { return x.unlucky }

// A plain is the course of cycles that begin with nothing recorded, which all models need.
type plain struct {
	wide   *filling // with the bound sigma+k; that of the filter itself if message-bounded
	course *course
}

// newPlain returns it, with how cycles end.
func (c *Forgetting) newPlain() (*plain, error) {
	fill, err := c.filling()
	if err != nil {
		return nil, err
	}
	t, err := c.traffic()
	if err != nil {
		return nil, err
	}
	x := &plain{wide: fill}
	if r := c.r; r.Rule == bloomproof.BitBounded {
		// Where all bits are set no arrival is missed.
		r.Sigma = min(r.Sigma+uint64(c.g.K), c.g.M-1)
		if x.wide, err = newFilling(c.g, r); err != nil {
			return nil, err
		}
	}
	want := nothing
	switch {
	case c.r.Phases == bloomproof.TwoPhase:
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

// renewal returns what a renewal model says: ModelRenewal, ModelRenewalExtended or
// ModelRenewalRetaining.
func (c *Forgetting) renewal(m Model) (Forecast, error) {
	r := c.r
	r.Retain = m == ModelRenewalRetaining
	if err := r.Validate(c.g); err != nil {
		return Forecast{}, err
	}
	if m == ModelRenewalExtended && r.Rule != bloomproof.BitBounded {
		return Forecast{}, &bloomproof.ParamError{Param: "rule", Value: r.Rule, Want: "bit-bounded where sums go to sigma+k"}
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
func (c *Forgetting) renewalBy(m Model, r bloomproof.Recycling) (f Forecast, stuck float64, err error) {
	if c.isLarge() {
		f, err = c.large(m)
		return f, 0, err
	}
	return c.termByTerm(m, r)
}

// termByTerm is renewalBy by all terms.
func (c *Forgetting) termByTerm(m Model, r bloomproof.Recycling) (f Forecast, stuck float64, err error) {
	plain, err := c.plain()
	if err != nil {
		return Forecast{}, 0, err
	}
	fill, _ := c.filling()
	t, _ := c.traffic()
	x := &renewal{t: t, c: plain.course, fill: fill, wide: fill, open: 1}
	if m == ModelRenewalExtended {
		x.wide = plain.wide
	}
	if r.Retain {
		if err := x.retain(r, c.limit); err != nil {
			return Forecast{}, 0, err
		}
	}
	x.missed, x.most = x.c.missed, 1
	x.stuck = max(x.c.never, c.endless(fill))
	if r.Phases == bloomproof.TwoPhase {
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
	if r.Phases == bloomproof.TwoPhase {
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
		if distance <= 0x1p-44 || n*float64(len(nu)) >= longCourse && distance <= triggerChange*c.least*n {
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
	return fmt.Errorf("%w: the law of the message that ends a cycle is not found in %d cycles", ErrUndefined, mostTriggers)
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
		if r.Freeze == bloomproof.FreezeBefore {
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
	if r.Freeze == bloomproof.FreezeBefore && !r.Retain {
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
// After J arrivals R errs by (87J+90+D)u, and by as much again in a second array, and with it
// eta. A change d of one eta lets n+1 messages be recorded instead of n with probability d,
// which changes sums of f_n by the sum of |f_i - f_(i+1)| over the i to come, times the mean
// time at i, at most 1/least; or by J max f at most; and R times that where it is a factor.
// All eta together, while the cycle goes on, are at most the number of rows. The law's own
// roundings are 4u an arrival.
//
// All terms being positive, the sums err by no more than the law and R do, relative, and the
// law by what all eta and 1-eta do, which is better where R is small but for the first
// arrivals.
func (x *renewal) bound(arrivals, hits, lucky, loud float64) float64 {
	j, rows, ranks := float64(len(x.c.missing)), float64(len(x.c.times)), float64(len(x.t.q))
	each := (87*j + 90 + ranks) * unit
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
		err := (87*float64(i) + 90 + ranks) * unit
		if x.triggers > 0 {
			err += x.triggers / max(x.least, faint)
		}
		forward += err * max(1, min(r/(1-r), 1/unit))
	}
	return 2*min(worst, forward) + 4*max(x.fill.err, x.wide.err) +
		(8*j*(1+x.c.never*j/arrivals)+2*rows+100)*unit
}
