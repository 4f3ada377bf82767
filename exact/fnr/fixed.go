package fnr

import (
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/enclose"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// FixedRates holds the rates of filters with fixed positions. These rates are means over the hash functions. Each
// enclosure begins as the enclosure for fresh positions. The rate for fixed positions differs from the rate for fresh
// positions. The enclosure is widened by a bound of this difference.
type FixedRates struct {
	Rates

	// Let d be the false-negative rate of one filter minus the rate for fresh positions. Spread is an upper bound of
	// the root mean square of d. With some hash functions, the filter never stops recycling. The mean is over these
	// hash functions. Let y be a positive number. By Chebyshev's inequality, |d| >= y holds for at most a fraction
	// Spread^2/y^2 of these filters.
	Spread float64
}

// FixedRates returns the long-run rates of filters of practical size with fixed positions. The filters have one phase
// and do not retain messages, and nothing new arrives (p_r = 1). FixedRates first computes the rates for fresh
// positions by CycleRates. Then it widens each enclosure by a bound of a difference: the rate for fixed positions minus
// the rate for fresh positions.
//
// The bound is derived as follows.
//
// Let h be the positions of all D messages. Given h, the cycles are independent and identically distributed, because
// each begins with an empty array. If h is random, a single cycle has the distribution of a cycle with fresh positions.
// Let V be the number of arrivals of this cycle, and let X be the number of those arrivals that the rate counts. Let
// v(h) = E[V|h]. The rate of one filter is x(h) = E[X|h]/v(h). The rate for fresh positions is x = E[X]/E[V]. Let A(h)
// = E[X|h] - x v(h). The mean of A(h) is 0. Then
//
//	x(h) - x = A(h)/v(h)   and   E[x(h)] - x = -E[A (v-E[V])/v]/E[V].
//
// Let sd be the standard deviation. Let v0 be the least possible mean length v(h) of a cycle. The first formula gives a
// bound of the mean squared difference:
//
//	E[(x(h)-x)^2] <= sd(A)^2/v0^2.
//
// By the second formula and the Cauchy-Schwarz inequality, the mean difference is bounded too:
//
//	|E[x(h)] - x| <= sd(A) sd(v)/(E[V] v0).
//
// The hash functions h alone decide whether the array can hold all D messages. With probability v_D it can hold all of
// them. The filter then stops recycling. All means above are conditional on the opposite event.
//
// The terms of this bound are computed as follows.
//
// The first arrivals of the messages have a random order, which does not depend on h. The cycle ends with the L-th
// message in this order. By symmetry L is independent of the order, and P[L > l] = v_l, the probability that l messages
// fit. Let e_l be the probability that an arrival is none of the first l messages. Given h and the order, the mean of V
// is the sum of 1/e_l over l < L. A variance is convex. So for any quantity Y the variance of E[Y|h] is at most
// E[Var(Y|order)]. A variance is E[(Y-Y')^2]/2 for two independent copies Y and Y' of the variable. Now consider a sum
// over l < L for a given order. Let w_l be a bound of the absolute value of term l. Let W be the sum of w_l over l < L.
// It follows that the variance of the sum is at most the variance of W. Let spread(w) be the standard deviation of W.
// Let tail_l be the total popularity of all messages except the l most popular ones. Let top_l be the total popularity
// of all messages except the l least popular ones. Then tail_l <= e_l <= top_l. This gives a bound of sd(v):
//
//	sd(v) <= spread(1/tail_l).
//
// Suppose that X counts the L messages. Consider the maximum of |1 - x/e| over tail_l <= e <= top_l. Then the following
// bound holds:
//
//	sd(A) <= spread(max |1 - x/e|).
//
// In a cycle, let L be the number of distinct messages, and let Q be the number of messages that set no bit. The number
// X of false negatives of the cycle is L - Q. So sd(Q) is added to the last bound. The method quietSpread bounds sd(Q).
// The first sigma/k messages always fit. So the least mean length v0 can be taken as the sum of E[1/e_l] over l <=
// sigma/k. Each term E[1/e_l] is at least 1/E[e_l]. Let q_j be the popularities. The first l arrivals contain at most l
// distinct messages, so E[e_l] is at most the sum of q_j (1-q_j)^l.
//
// The following cases are not covered.
//
// With the message-bounded rule, the order in which messages arrive also decides whether all of them fit into one
// cycle. With new messages (p_r < 1) or with a retained message, the cycles are not independent. The reason is that the
// positions of some messages in a cycle influenced the length of the previous cycle. With two phases, the positions of
// a message decide in both arrays whether it matches.
//
// Source: derived here.
// Domain: the filter must be bit-bounded, with fixed positions and one phase. It must not retain the triggering
// message. The workload must have p_r = 1 and at most 2^16 messages.
// Error: the enclosures contain the means over all hash functions. For example, FNR is 0.4927 +- 0.0012 for (m, k,
// sigma) = (1000, 5, 500) and 1000 messages with Zipf(1) popularities.
// Cost: the same as for CycleRates with 9 digits.
// Errors: the errors of CycleRates. ErrUndefined is also returned outside the domain, and if the bound exceeds the
// rate.
func (c *System) FixedRates() (*FixedRates, error) {
	if c.r.FreshPositions || c.r.TwoPhase || c.r.Retain || c.r.Messages > 0 || c.w.Repeat < 1 {
		return nil, refuse.Undefined("rates of fixed positions at full size", "they are for one phase, the bit-bounded rule, no retaining and p_r = 1")
	}
	fresh := *c
	fresh.r.FreshPositions = true
	x, err := fresh.CycleRates(fixedBits, exact.Auto)
	if err != nil {
		return nil, err
	}
	return fresh.whenFixed(x)
}

// whenFixed returns the rates with fixed positions, given the rates x with fresh positions.
func (c *System) whenFixed(x *Rates) (*FixedRates, error) {
	o, err := c.orders()
	if err != nil {
		return nil, err
	}
	v, misses, hits := x.Cycle.Float64(), x.FNR.Float64(), x.Lucky.Float64()
	arrivals := o.spread(func(tail, _ float64) float64 { return 1 / tail })
	less := func(x float64) float64 { // bounds the standard deviation of L - x V
		return o.spread(func(tail, top float64) float64 { return max(math.Abs(1-x/tail), math.Abs(1-x/top)) })
	}
	missed := less(misses) + o.quiet // a bound of sd(A) for the false negatives
	// The function "around" returns an enclosure of a rate with fixed positions. The argument x is the rate with fresh
	// positions. The function widens x by a bound of the difference between the two rates. The argument "sd" is a bound
	// of the standard deviation of A. The comment of FixedRates defines A.
	around := func(x *interval.Interval, sd float64) *interval.Interval {
		off := big.NewFloat((sd*arrivals/(v*o.least) + o.stays) * (1 + slackSpare()))
		lo := positive(new(big.Float).Sub(x.Lo(), off))
		return interval.New(x.Prec()).SetEnds(lo, new(big.Float).Add(x.Hi(), off))
	}
	f := field.Intervals(fixedBits + spareBits)
	m := &means[*interval.Interval]{absorbing: f.Zero().SetEnds(new(big.Float), big.NewFloat(o.stays))}
	for t := range m.tally {
		m.tally[t], m.counted[t] = f.Int(0), tally(t) != falsePositive
	}
	m.tally[falseNegative] = around(enclose.Of(x.FNR), missed)
	m.tally[lucky] = around(enclose.Of(x.Lucky), o.quiet+hits*arrivals)
	m.tally[cycleNew] = around(f.Zero().Add(enclose.Of(x.FNR), enclose.Of(x.Lucky)), less(misses+hits))
	for _, t := range []tally{falseNegative, cycleNew} {
		if m.tally[t].Lo().Sign() == 0 {
			return nil, refuse.Undefined("rates of fixed positions at full size", "the bound of what they change is above the rate")
		}
	}
	// The comment of FixedRates defines v(h), V and v0. The mean number of cycles per arrival, E[1/v(h)], is at least
	// 1/E[V] and at most 1/v0.
	often := f.Zero().Quo(f.Int(1), enclose.Of(*x.Cycle))
	m.tally[recycles] = f.Zero().SetEnds(around(often, 0).Lo(), minimum(around(often, arrivals/v).Hi(), big.NewFloat((1+slackSpare())/o.least)))
	return &FixedRates{
		Rates:  *enclosed(f, m, 1, enclose.Interval),
		Spread: missed / o.least * (1 + slackSpare()),
	}, nil
}

// fixedBits is the precision, in bits, of the rates for fresh positions. The rates for fixed positions differ from
// these rates. The bound of this difference is far greater than 2^-fixedBits.
const fixedBits = 30

// The bound of FixedRates contains numbers that depend on the order of the messages. An orders value holds these
// numbers. The lists are indexed by the number l of messages that have arrived. All numbers are float64 sums of
// positive terms, and slackSpare covers their rounding errors.
type orders struct {
	tail, top  []float64 // bounds of e_l, the probability that an arrival is none of l messages
	runs, ends []float64 // P[L > l] and P[L <= l]
	beyond     float64   // bounds what the l that were not computed add to spread, for terms of at most 1/tail
	least      float64   // v0, the least mean number of arrivals of a cycle
	stays      float64   // v_D, the probability that all messages fit
	quiet      float64   // a bound of sd(Q), for the number Q of messages of a cycle that set no bit
}

// The method "orders" computes a value of the type "orders" for a filter with fresh positions.
func (c *System) orders() (*orders, error) {
	d := tracked(c.w)
	if d > maxListed {
		return nil, refuse.TooCostly("a list of ranks", float64(d), maxListed)
	}
	f := field.Intervals(fixedBits + spareBits)
	q := &grouped{f: f, c: c, last: -1, all: []peers{{n: d}}, arrives: f.Int(0)}
	if err := q.fill(fixedBits); err != nil {
		return nil, err
	}
	o := &orders{stays: top(q.ending), quiet: q.quietSpread()}
	weight := weightAt(c.w.Popularity, interval.DefaultPrec)
	p := make([]float64, d)
	for j := range p {
		p[j] = weight(uint64(j)).Float64()
	}
	// The entry first[l] is the total popularity of the l most popular messages. The entry last[l] is the total
	// popularity of the l least popular messages.
	first, last := make([]float64, d+1), make([]float64, d+1)
	for j := range d {
		first[j+1] = first[j] + p[j]
		last[j+1] = last[j] + p[d-1-j]
	}
	all := last[d]
	left := 0.0
	for l := range q.fits {
		o.tail = append(o.tail, last[d-uint64(l)]/all)
		o.top = append(o.top, first[d-uint64(l)]/all)
		o.runs = append(o.runs, top(q.fits[l])/(1-o.stays))
		o.ends = append(o.ends, left/(1-o.stays))
		left += top(q.ends[l])
	}
	rarest := p[d-1] / all
	o.beyond = 2 * float64(d) * top(q.rest) / (rarest * rarest)
	absent := make([]float64, d) // q_j (1-q_j)^l
	for j := range absent {
		p[j] /= all
		absent[j] = p[j]
	}
	for range c.r.Sigma/uint64(c.g.K) + 1 { // l = 0, ..., sigma/k, the numbers of messages that always fit
		sum := 0.0
		for j, x := range absent {
			sum += x
			absent[j] *= 1 - p[j]
		}
		o.least += 1 / sum
	}
	return o, nil
}

// Let L be the number of distinct messages of a cycle. Consider a sum over l < L whose terms have absolute values of at
// most w. The method "spread" bounds the standard deviation of the sum. Let p_l = P[L > l]. For i <= l, the covariance
// of two terms w_i and w_l is w_i w_l p_l (1-p_i).
func (o *orders) spread(w func(tail, top float64) float64) float64 {
	sum, before := o.beyond, 0.0
	for l, p := range o.runs {
		x := w(o.tail[l], o.top[l]) + slackSpare()/o.tail[l] // slackSpare covers the rounding error of the rate in w
		ends := x * o.ends[l]
		sum += x * p * (ends + 2*before)
		before += ends
	}
	return math.Sqrt(sum)
}

// Consider the messages of a cycle that set no bit. The method quietSpread bounds the standard deviation of their
// number. It assumes an unlimited supply of distinct messages. Suppose that b bits are set, and consider the number of
// further messages that set no bit. Its mean q_b satisfies:
//
//	q_b = (tau_0 + sum of tau_x q_(b+x))/(1-tau_0).
//
// Its variance s_b satisfies:
//
//	s_b = (tau_0 + sum of tau_x (s_(b+x) + (q_(b+x)-q_b)^2))/(1-tau_0).
//
// Here tau_x is the probability that a message sets x bits. The sums are over x > 0. For b above sigma, q_b and s_b are
// 0.
func (q *grouped) quietSpread() float64 {
	f := field.Intervals(fixedBits + spareBits)
	w := newFiller(f, q.c.g, q.c.r)
	k, sigma := uint64(q.c.g.K), q.c.r.Sigma
	mean, spread := make([]float64, sigma+k+1), make([]float64, sigma+k+1)
	for b := int(sigma); b >= 0; b-- {
		var tau []float64
		sets := 0.0
		for x, p := range w.taus(uint64(b)) {
			tau = append(tau, top(p))
			if x > 0 {
				sets += tau[x]
			}
		}
		mean[b] = tau[0]
		for x := 1; x < len(tau); x++ {
			mean[b] += tau[x] * mean[b+x]
		}
		mean[b] /= sets
		spread[b] = tau[0]
		for x := 1; x < len(tau); x++ {
			apart := mean[b+x] - mean[b]
			spread[b] += tau[x] * (spread[b+x] + apart*apart)
		}
		spread[b] /= sets
	}
	return math.Sqrt(spread[0] / (1 - top(q.ending)))
}

// The function "minimum" returns the smaller of x and y.
func minimum(x, y *big.Float) *big.Float {
	if x.Cmp(y) < 0 {
		return x
	}
	return y
}
