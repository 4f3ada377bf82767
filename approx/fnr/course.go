package fnr

import (
	"fmt"

	"github.com/bloomproof/bloomproof/approx/internal/fault"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// mostCourse is the largest number of multiplications for one course (see the type "course"). That many multiplications
// take about a second. Each arrival has a cost in addition to its multiplications. The constant arrivalCost expresses
// this cost as a number of multiplications. This cost includes the allocation of memory.
const (
	mostCourse  = 1 << 30
	arrivalCost = 512
)

// A course leaves out the last arrivals of a cycle. Their expected number, divided by the expected number of arrivals
// in the cycle, is at most courseRest. This quotient is below the bounds of the rounding errors.
const courseRest = 0x1p-46

// overEvery is the number of arrivals between two calls of the method "over". This method checks whether the
// remaining arrivals are negligible. The constant overEvery must be a multiple of 4. A check takes as long as the
// computation of one arrival.
const overEvery = 32

// The distribution of the message that triggers recycling is computed by an iteration from cycle to cycle. The change
// of the distribution is the sum of the absolute changes of its probabilities. Consider a course (see the type
// "course") of at least longCourse multiplications. Let n be its number of arrivals. Each arrival of the course is
// recorded with some probability. Let p be the smallest of these probabilities. The iteration stops when the change is
// at most triggerChange*p*n. One more iteration would reduce the error of the distribution by a factor of 100 or more.
// But each iteration over such a long course is costly.
const (
	triggerChange = 0x1p-26
	longCourse    = 1 << 18
)

// For courses of every length, the iteration stops when the change of the distribution is at most triggerRest. The
// constant triggerRest is below the rounding errors of the distribution.
const triggerRest = 0x1p-44

// The iteration for the distribution of the triggering message computes at most mostTriggers cycles.
const mostTriggers = 100

// The distribution of the number of recorded messages is cut off where its probabilities are below crowdCut. The field
// "dropped" of the type "crowd" is the sum of the probabilities that are cut off. In a cycle of fewer than 2^50
// arrivals this sum is negligible compared with courseRest.
const crowdCut = 0x1p-100

// If the probability that a cycle ends at a given arrival is below endCut, this possibility is ignored. This affects
// the distribution of the cycle's last message. But the sum of the ignored probabilities is less than the rounding
// errors of this distribution.
const endCut = 0x1p-60

// A value of the type "crowd" is the distribution of the number of recorded messages. For low <= n < high, p[n] is the
// probability that n messages are recorded.
type crowd struct {
	p         []float64 // the probabilities, up to the largest number that matters
	low, high int
	dropped   float64 // the probability that was cut off so far
}

// newCrowd returns the distribution in which the number of recorded messages is n with probability 1.
func newCrowd(n, most int) *crowd {
	c := &crowd{p: make([]float64, most+1), low: n, high: n + 1}
	c.p[n] = 1
	return c
}

// The method "arrival" updates the distribution c for one arriving message. The argument "missing" is the probability R
// that a repeat is an unrecorded message. Before the update, the method adds each probability p[n] to times[n], and
// share*p[n] to missed[n]. In calls from newCourse, the arguments "share" and "missing" are equal.
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

// The method "mean" returns the mean of f[n], where n is the random number of recorded messages.
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

// A course describes how the arrivals of a cycle increase the number of recorded messages.
type course struct {
	first   int       // the number of messages recorded when the cycle begins
	missing []float64 // R(0), R(1), ...; the length is a multiple of 4
	times   []float64 // W_n; if no new messages arrive, it leaves out the cycles that never end
	missed  []float64 // X_n
	others  []float64 // if requested: the means of the probabilities 1-h after the arrival that ends the cycle
	trigger []float64 // if requested: nu, the distribution of its message's rank; last, the ranks left out
	squares []float64 // needed to compute others

	cost  float64 // the number of products
	never float64 // if p_r = 1, the probability that the cycle does not end
	least float64 // the smallest probability eta that an arrival is recorded
	rest  float64 // a bound of what sums of W_n f_n and X_n f_n leave out, for f_n <= v_n
}

// The type "endings" selects what a course computes about the end of a cycle.
type endings uint8

const (
	nothing endings = iota
	trigger
	triggerAndOthers
)

// newCourse follows the arrivals of a cycle until the remaining ones are negligible. The number of multiplications is
// at most the argument "limit". The element g[i] is the probability that the message at rank i is not recorded before
// the first arrival. The function overwrites g.
//
// Let p_r be the probability of a repeat. Let v_n be the probability that n messages fit into the array. Let W_n be the
// mean number of arrivals that find n messages recorded. Let S_J be the number of messages recorded after J arrivals.
// Suppose that the computation stops after J arrivals. Each W_n is at most 1/(1-p_r). So the computed sum of v_n W_n is
// too small. An upper bound of the missing part is the following sum over n.
//
//	The term for n is P[S_J = n] (v_n + v_(n+1) + ...)/(1-p_r).
//
// Let q_i be the popularity of rank i. Suppose that p_r = 1. Consider the further arrivals until the message of this
// rank is recorded. The mean number of these arrivals is at most g_i/q_i. A cycle that never ends must not contribute
// to the sum of v_n W_n. So for p_r = 1, newCourse subtracts a product from W_n. The factors of this product are J and
// P[S_J = n]. This causes an error of at most J times the mean number of messages that are still unrecorded.
func newCourse(t *traffic, g []float64, first int, rows, wide []filled, want endings, limit float64) (*course, error) {
	if err := fault.Part(); err != nil {
		return nil, err
	}
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
	before := make([]float64, len(g)) // the values of 1-h four arrivals ago
	ended, entered := 0.0, 0.0
	for over := false; !over; {
		if want != nothing {
			copy(before, g)
		}
		missing := t.arrivals(g)
		var end [4]float64 // the probability that an arrival ends the cycle, if it is recorded
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
		if len(c.missing)%overEvery == 0 {
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

// The method "ending" adds the contributions of the next four arrivals to three fields: "trigger", "others" and
// "squares". If the message of arrival j is recorded, it ends the cycle with probability end[j]. Suppose that arrival j
// is a repeat. Then missing[j] is the probability R that its message is unrecorded. The element g[i] is the probability
// that the message at rank i is not recorded before the first of the four arrivals.
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
	return fmt.Errorf("%w: %.2g products and more for the arrivals of a cycle, at most %.2g", refuse.ErrTooCostly, cost, limit)
}

// The method "over" reports whether the remaining arrivals are negligible. It also sets c.rest. Let v_n be the
// probability that n messages fit, and let f_n be any numbers with f_n <= v_n. Then c.rest bounds the amounts that the
// remaining arrivals would add to two sums. These are the sums of W_n f_n and of X_n f_n over n. The comment at the top
// of renewal.go defines W_n and X_n.
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

// The method "again" recomputes the field "missed" of the course c from a different slice g. At the beginning of the
// course, the message at rank i is unrecorded with probability g[i]. For each arrival, the method computes the
// probability that a repeated message is unrecorded. The result "most" is the largest of these probabilities. The
// method overwrites g.
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

// sumRows returns the sum of w[n]*f(&rows[n]) over all n.
func sumRows(w []float64, rows []filled, f func(*filled) float64) (sum float64) {
	for n := range min(len(w), len(rows)) {
		sum += w[n] * f(&rows[n])
	}
	return sum
}

func rowFits(x *filled) float64 { return x.fits }

func rowLucky(x *filled) float64 { return x.lucky }

func rowUnlucky(x *filled) float64 { return x.unlucky }
