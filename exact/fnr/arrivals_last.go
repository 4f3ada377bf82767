package fnr

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// ofArrivalsLast returns the long-run rates of a one-phase filter with fresh positions. The filter must not retain the
// triggering message. New messages must enter at the last rank. The method works for any popularity of the messages,
// and for filters of any size.
//
// Notation: let q_j be the popularity of the message at rank j, for j from 0 to D-1. An arrival is a repeat with
// probability p_r, and a new message otherwise. So it repeats the message at rank j with probability p_r q_j. Let v_i
// be the probability that i messages fit into a cycle. Given that i messages fit, let gamma_i be the conditional
// probability that one more message sets no new bit. Let u_i be the probability that i messages fit and one more
// message sets a new bit. Let V be the mean number of arrivals in a cycle. Let f_p be the false-positive rate, and let
// f_n be the false-negative rate.
//
// Let the messages arrive at the times of a Poisson process of rate 1. Let N(t) be the number of messages that are
// recorded by the time t if the filter never recycles. N(t) is the sum of three independent variables, which the next
// list describes.
//
//   - for each rank j except the last, an indicator with probability 1-e^(-p_r q_j t);
//   - for the new messages, a Poisson variable with the mean (1-p_r)t;
//   - for the old message at the last rank, an indicator. This message arrives before the first new message or not at
//     all.
//
// Consider the event that the old message at the last rank has not arrived by the time t. Let E_n be the conditional
// probability of this event, given n new messages by that time. These formulas hold:
//
//	E_n = e^(-a) sum over j of (n/(n+j)) a^j/j!   for n >= 1,
//	E_0 = e^(-a).
//
// Here a = p_r q_(D-1) t.
//
// The distribution of the set bits depends only on the number N of recorded messages. So the rates follow from two
// integrals over t:
//
//	V = integral of E[v_N]   and   G = integral of E[v_N gamma_N].
//
// The rates are given by these formulas:
//
//	f_p V = (1-p_r) G   and   f_n V = sum of u_i - (1-p_r) (V-G).
//
// Each integral is split into panels of length H = n/2. Gauss's rule with n nodes computes the integral over a panel.
// The error of the rule is bounded by a derivative of the integrand. Consider the random process whose state is the set
// of messages that have arrived. The process leaves each state at a rate of at most 1. Messages are never removed from
// the set. The probability v_i that i messages fit falls as i grows. Let N = N(t) be the number of recorded messages.
// Let f_i be any numbers with 0 <= f_i <= v_i. Then the 2n-th derivative of E[f_N] with respect to t is at most 2^(2n)
// E[v_N]. The value of E[v_N] at the beginning of a panel is at most e^H times its value anywhere in the panel. So the
// error of both integrals has the following bound:
//
//	(2H)^(2n) (n!)^4/((2n+1) ((2n)!)^3) e^H V < 2^(-2.4n) V.
//
// Source: Dozier-FN, equations (16) to (26). The mean-field step of equation (19) is not used. The formulas are derived
// here.
// Domain: the filter must draw fresh positions, have one phase, and not retain the triggering message. New messages
// must enter at the last rank, and p_r must be less than 1.
// Error: the relative widths are at most 2^-prec.
// Cost: for each arrival of a cycle, the distribution of the number of recorded messages is computed at two points in
// time. Each distribution takes D products for each message that fits into a cycle. An example has (m, k, sigma) = (30,
// 3, 10), p_r = 0.5, and 10 messages with Zipf(1) popularities. For 17 digits the method takes 0.5 s in this example.
// Errors: *bloomproof.ParamError; ErrUndefined outside of the domain; ErrTooCostly above 2^27 products. ErrUndefined is
// also returned for a filter that can fill up and then never recycle.
func (c *System) ofArrivalsLast(prec uint) (*Rates, error) {
	if err := precision.Check(prec); err != nil {
		return nil, err
	}
	if c.r.TwoPhase || !c.r.FreshPositions || c.r.Retain || c.w.Repeat == 1 || !c.entersLast() {
		return nil, refuse.Undefined("rates with arrivals at the last rank", "they are for one phase, fresh positions, no retaining and p_r < 1")
	}
	d := c.w.Popularity.D
	if d > maxListed {
		return nil, refuse.TooCostly("a list of ranks", float64(d), maxListed)
	}
	for work := precision.First(prec, prec+subtractingBits); work < prec+precision.MaxGuard; work += prec + subtractingBits {
		f := field.Intervals(work)
		fresh := new(big.Rat).Sub(big.NewRat(1, 1), new(big.Rat).SetFloat64(c.w.Repeat))
		q := &grouped{f: f, c: c, last: 0, arrives: f.Zero().SetRat(fresh)}
		if err := q.fill(work); err != nil {
			return nil, err
		}
		v, g, err := q.arrivalsLast(work)
		if err != nil {
			return nil, err
		}
		s := &groupSums{v: v}
		for t := range s.tally {
			s.tally[t] = f.Int(0)
		}
		t := f.Zero()
		for i := range q.fits {
			s.tally[falseNegative].Add(s.tally[falseNegative], q.loud[i])
			s.tally[lucky].Add(s.tally[lucky], q.lucky[i])
		}
		possible := slices.ContainsFunc(q.lucky, func(x *interval.Interval) bool { return x.Hi().Sign() > 0 })
		if !possible {
			g = f.Int(0)
		}
		s.tally[falsePositive].Mul(g, q.arrives)
		s.tally[lucky].Sub(s.tally[lucky], s.tally[falsePositive])
		t.Sub(v, g)
		t.Mul(q.arrives, t)
		s.tally[falseNegative].Sub(s.tally[falseNegative], t)
		if c.w.Repeat == 0 {
			s.tally[lucky], s.tally[falseNegative] = f.Int(0), f.Int(0)
		}
		// If there is only one rank, the first new message takes the place of the old message. So the old message can
		// arrive only before the first new message. Until then, the filter has recorded nothing.
		if !possible || d == 1 {
			s.tally[lucky] = f.Int(0)
		}
		q.bound(s)
		m := q.perArrival([]*interval.Interval{f.Int(1)}, []*groupSums{s})
		if x, good := c.enclosed(m, f, prec); good {
			return x, nil
		}
	}
	return nil, fmt.Errorf("rates with arrivals at the last rank: %w", exact.ErrPrecision)
}

// At first, a panel of the integration rule has leastNodes nodes. Each further attempt adds nodesStep nodes, until the
// error is small enough. At each node, the method "newcomers" computes products for each number i of recorded messages.
// The constant newcomerSteps is the number of these products. Further products are computed by the method "oldcomers"
// and by the convolution in arrivalsLast.
const (
	leastNodes    = 16
	nodesStep     = 8
	newcomerSteps = 20
)

// arrivalsLast returns the integrals V and G that the comment of ofArrivalsLast defines. The integrals
// are sums over numbers of messages. They include only the numbers for which the list q.fits has an entry.
func (q *grouped) arrivalsLast(work uint) (v, g *interval.Interval, err error) {
	f, w := q.f, q.c.w
	nodes := leastNodes
	for gaussError(nodes) > -float64(work) {
		nodes += nodesStep
	}
	levels := len(q.fits)
	perNode := float64(levels) * float64(2*w.Popularity.D+newcomerSteps)
	if least := atPrecision(perNode*float64(nodes), work); least > repeatsLimit {
		return nil, nil, refuse.TooCostly("the integral over the distribution of the messages recorded", least, repeatsLimit)
	}
	at, weights, err := gaussLegendre(nodes, work)
	if err != nil {
		return nil, nil, err
	}
	length := int64(nodes / 2) // the length H of a panel
	panel := f.Int(length)
	rates, last := q.popularities(work)
	tails := make([]*interval.Interval, levels+1) // tails[i] is the sum of v_i and all later v
	tails[levels] = f.Int(0)
	for i := levels - 1; i >= 0; i-- {
		tails[i] = f.Zero().Add(tails[i+1], q.fits[i])
	}
	total, found := f.Int(0), f.Int(0)
	t, half, products := f.Zero(), f.Zero(), 0.0
	for start := int64(0); ; start += length {
		rest := f.Int(0)
		for n := range at {
			// The panel begins at the time in the variable "start", and has the length H. A node x in [-1,1] stands for
			// the time start + H*(1+x)/2.
			time := f.Zero().Add(at[n], f.Int(1))
			time.Mul(time, panel)
			time.MulPow2(time, -1)
			time.Add(time, f.Int(start))
			old, entered := q.oldcomers(time, rates), q.newcomers(time, last, levels)
			still, lucky, future := f.Int(0), f.Int(0), f.Int(0)
			for i := range old {
				p := f.Int(0)
				for j := 0; j <= min(i, len(rates)); j++ {
					p.Add(p, t.Mul(old[j], entered[i-j]))
				}
				still.Add(still, t.Mul(p, q.fits[i]))
				lucky.Add(lucky, t.Mul(p, q.lucky[i]))
				future.Add(future, t.Mul(p, tails[i]))
			}
			products += perNode
			if cost := atPrecision(products, work); cost > repeatsLimit {
				return nil, nil, refuse.TooCostly("the integral over the distribution of the messages recorded", cost, repeatsLimit)
			}
			half.Mul(weights[n], panel)
			half.MulPow2(half, -1)
			total.Add(total, t.Mul(half, still))
			found.Add(found, t.Mul(half, lucky))
			if n == 0 {
				rest = future
			}
		}
		// Let p_r be the probability of a repeat. At any time, the mean time until the next message is recorded is at
		// most 1/(1-p_r). Let i be the number of recorded messages at the panel's first node. Let s be the mean of v_i
		// + v_(i+1) + ... Then the integral beyond the panel is at most s/(1-p_r).
		rest.Quo(rest, q.arrives)
		if rest.Hi().Sign() == 0 || rest.Hi().MantExp(nil) < -precision.Cut(work) {
			off := new(big.Float).SetMantExp(big.NewFloat(1), 1-int(work))
			off.Mul(off, total.Hi())
			around := f.Zero().SetEnds(new(big.Float).Neg(off), off)
			around.Add(around, f.Zero().SetEnds(new(big.Float), rest.Hi()))
			total.Add(total, around)
			found.Add(found, around)
			return total, found, nil
		}
	}
}

// The method "popularities" returns, for each old message, the probability that an arrival is this message. The list
// "rates" has the probabilities for all ranks except the last. The result "last" is the probability for the last rank.
func (q *grouped) popularities(work uint) (rates []*interval.Interval, last *interval.Interval) {
	f, w := q.f, q.c.w
	weight := weightAt(w.Popularity, work)
	repeat := f.Zero().SetRat(new(big.Rat).SetFloat64(w.Repeat))
	sum := f.Int(0)
	for j := range w.Popularity.D {
		x := weight(j)
		rates = append(rates, x)
		sum.Add(sum, x)
	}
	for _, x := range rates {
		x.Quo(x, sum)
		x.Mul(x, repeat)
	}
	d := len(rates)
	return rates[:d-1], rates[d-1]
}

// Consider messages that arrive independently at the given rates. The method "oldcomers" returns the distribution of
// the number of messages that have arrived by the given time.
func (q *grouped) oldcomers(time *interval.Interval, rates []*interval.Interval) []*interval.Interval {
	f := q.f
	p := make([]*interval.Interval, len(q.fits))
	for i := range p {
		p[i] = f.Int(0)
	}
	p[0].SetUint64(1)
	t, come, stay := f.Zero(), f.Zero(), f.Zero()
	for j, rate := range rates {
		if rate.Sign() == 0 {
			break
		}
		stay.Mul(rate, time)
		stay.Neg(stay)
		stay.Exp(stay)
		come.Sub(f.Int(1), stay)
		for i := min(j+1, len(p)-1); i > 0; i-- {
			p[i].Mul(p[i], stay)
			p[i].Add(p[i], t.Mul(p[i-1], come))
		}
		p[0].Mul(p[0], stay)
	}
	return p
}

// The method "newcomers" returns the distribution of the number of new messages that have arrived by the given time.
// The old message at the last rank also counts as one of them.
func (q *grouped) newcomers(time, last *interval.Interval, levels int) []*interval.Interval {
	f := q.f
	a := f.Zero().Mul(last, time)
	mean := f.Zero().Mul(q.arrives, time)
	// The number of arrivals of the old message has a Poisson distribution with mean a. The loop computes terms e^(-a)
	// a^j/j! of this distribution. The loop omits the other terms of the distribution, which are negligible. Their sum
	// is at most twice the first omitted term.
	term := f.Zero().Exp(f.Zero().Neg(a))
	var terms []*interval.Interval
	for j := uint64(1); ; j++ {
		terms = append(terms, f.Zero().Set(term))
		term.Mul(term, a)
		term.Quo(term, f.Uint(j))
		if most, _ := a.Hi().Float64(); float64(j) > 2*most && (term.Sign() == 0 || term.Hi().MantExp(nil) < -precision.Cut(f.Zero().Prec())) {
			break
		}
	}
	rest := f.Zero().SetEnds(new(big.Float), term.MulPow2(term, 1).Hi())
	// The list "absent" has the probability E_n at index n (see ofArrivalsLast). This is the probability that the old
	// message at the last rank has not arrived, given n new messages. These probabilities satisfy E_n = 1 - a
	// E_(n+1)/(n+1), where a is the mean that is computed above. For n >= a, E_n is computed from E_(n+1), beginning
	// with the largest n. In this direction the errors shrink. For n < a, E_(n+1) is computed from E_n, beginning with
	// E_0.
	t, one := f.Zero(), f.Int(1)
	absent := make([]*interval.Interval, levels)
	far, _ := a.Hi().Float64()
	absent[levels-1] = f.Zero().Set(rest)
	for j, x := range terms {
		absent[levels-1].Add(absent[levels-1], t.Mul(x, f.Ratio(uint64(levels-1), uint64(max(levels-1+j, 1)))))
	}
	n := levels - 2
	for ; n >= 0 && float64(n) >= far; n-- {
		t.Mul(a, absent[n+1])
		t.Quo(t, f.Uint(uint64(n+1)))
		absent[n] = f.Zero().Sub(one, t)
	}
	if absent[0] == nil || levels == 1 {
		absent[0] = f.Zero().Set(terms[0])
	}
	for i := 1; i <= n; i++ {
		absent[i] = f.Zero().Sub(one, absent[i-1])
		absent[i].Mul(absent[i], f.Uint(uint64(i)))
		absent[i].Quo(absent[i], a)
	}
	law := make([]*interval.Interval, levels)
	for n := range law {
		law[n] = f.Int(0)
	}
	p := f.Zero().Exp(f.Zero().Neg(mean))
	for n := range law {
		if n > 0 {
			p.Mul(p, mean)
			p.Quo(p, f.Uint(uint64(n)))
		}
		law[n].Add(law[n], t.Mul(p, absent[n]))
		if n+1 < levels {
			t.Sub(one, absent[n])
			t.Mul(p, t)
			law[n+1].Add(law[n+1], t)
		}
	}
	return law
}

// gaussError bounds the error of Gauss's rule with n nodes, relative to the integral V. It returns log2 of the bound.
// The comment of ofArrivalsLast derives the bound.
func gaussError(n int) float64 {
	lg := func(x int) float64 { y, _ := math.Lgamma(float64(x + 1)); return y }
	x := float64(n)
	return (2*x*math.Log(x) + 4*lg(n) - 3*lg(2*n) - math.Log(2*x+1) + x/2) / math.Ln2
}

// In one step of Legendre's recursion, the width of an interval grows by at most a factor of 2^3 = 8. The exponent 3 is
// the constant "widened". Newton's method in float64 gives newtonBits correct bits of a node. Each further step at full
// precision doubles the number of correct bits. The number of steps is increased by newtonSpare, in case the starting
// value is inaccurate. Each node is computed to n+nodeBits more bits than required. The reason is that the weights
// contain P_(n-1), which has a slope of up to n^2/2 at the node.
const (
	widened     = 3
	newtonBits  = 40
	newtonSpare = 1
	nodeBits    = 32
)

// gaussLegendre returns the nodes and weights of Gauss's rule on [-1,1]. The nodes are the zeros of the Legendre
// polynomial P_n. Each node is enclosed between two points where P_n has different signs. The n enclosures are
// disjoint, so they contain all zeros. The nodes are symmetric about 0. The weights are 2(1-x^2)/(n P_(n-1)(x))^2.
func gaussLegendre(n int, work uint) (at, weights []*interval.Interval, err error) {
	if err := fault.Part(); err != nil {
		return nil, nil, err
	}
	wide := work + widened*uint(n) + subtractingBits
	new_ := func() *interval.Interval { return interval.New(wide) }
	numbers := make([]*interval.Interval, 2*n)
	for j := range numbers {
		numbers[j] = new_().SetUint64(uint64(j))
	}
	legendre := func(x *interval.Interval) (p, before *interval.Interval) {
		before, p = new_().SetUint64(1), new_().Set(x)
		for j := 1; j < n; j++ {
			next := new_().Mul(x, p)
			next.Mul(next, numbers[2*j+1])
			before.Mul(before, numbers[j])
			next.Sub(next, before)
			next.Quo(next, numbers[j+1])
			before, p = p, next
		}
		return p, before
	}
	point := func(x *big.Float) *interval.Interval { return new_().SetEnds(x, x) }
	at, weights = make([]*interval.Interval, n), make([]*interval.Interval, n)
	failed := fmt.Errorf("the nodes of Gauss's rule: %w", exact.ErrPrecision)
	for i := range (n + 1) / 2 { // the nodes from 1 down to 0
		x := new(big.Float).SetPrec(wide).SetFloat64(nearNode(n, i))
		for range newtonSpare + int(math.Log2(float64(wide)/newtonBits)) {
			p, before := legendre(point(x))
			// slope is the derivative of the Legendre polynomial, P_n'(x) = n (P_(n-1) - x P_n)/(1-x^2).
			slope := new_().Sub(before, new_().Mul(point(x), p))
			slope.Mul(slope, new_().SetUint64(uint64(n)))
			p.Mul(p, new_().Sub(new_().SetUint64(1), new_().Mul(point(x), point(x))))
			p.Quo(p, slope)
			x.Sub(x, p.Lo())
		}
		if 2*i+1 == n {
			x.SetInt64(0)
		}
		off := new(big.Float).SetPrec(wide).SetMantExp(big.NewFloat(1), -int(work)-n-nodeBits)
		low, high := new(big.Float).SetPrec(wide).Sub(x, off), new(big.Float).SetPrec(wide).Add(x, off)
		left, _ := legendre(point(low))
		right, _ := legendre(point(high))
		if left.Sign()*right.Sign() >= 0 || i > 0 && at[i-1].Lo().Cmp(high) <= 0 || 2*i+1 < n && low.Sign() <= 0 {
			return nil, nil, failed
		}
		node := new_().SetEnds(low, high)
		_, before := legendre(node)
		weight := new_().Sub(new_().SetUint64(1), new_().Mul(node, node))
		before.Mul(before, new_().SetUint64(uint64(n)))
		weight.MulPow2(weight, 1)
		before.Mul(before, before)
		weight.Quo(weight, before)
		at[i], weights[i] = interval.New(work).Set(node), interval.New(work).Set(weight)
		at[n-1-i], weights[n-1-i] = interval.New(work).Neg(at[i]), interval.New(work).Set(weight)
	}
	return at, weights, nil
}

// nearNode approximates the i-th largest zero of the Legendre polynomial of degree n.
func nearNode(n, i int) float64 {
	x := math.Cos(math.Pi * (float64(i) + 0.75) / (float64(n) + 0.5))
	for range newtonFloats {
		before, p := 1.0, x
		for j := 1; j < n; j++ {
			before, p = p, (float64(2*j+1)*x*p-float64(j)*before)/float64(j+1)
		}
		x -= p * (1 - x*x) / (float64(n) * (before - x*p))
	}
	return x
}

// newtonFloats is the number of steps of Newton's method that are computed in float64. The starting value has an error
// of about 1/n^2, where n is the number of nodes.
const newtonFloats = 5
