package recycling

import (
	"fmt"
	"math"
	"math/big"
	mathbits "math/bits"

	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/enclose"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/fraction"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// A two-phase filter has an active array A with b set bits and a frozen array F with f set bits. Let P be the set of
// positions of an arrival. The arrival is reported as a repeat if P is contained in A or in F before the arrival is
// recorded. Let D be the number of distinct positions in P. Let h(b,d) = b(b-1)...(b-d+1)/(m(m-1)...(m-d+1)) be the
// probability that d given bits are among b random bits. Then P is contained in A with this probability:
//
//	rho(b) = E[h(b,D)].
//
// With copy-over, the active array behaves like the array of a filter with one phase. So the starts and ends of cycles
// are the same as in entry.go. The same is true of V_b, the expected number of arrivals that find b bits set. The
// number of bits of an array at the end of its cycle has the distribution that Frozen returns. Let f1 be the rate of
// the active array alone, and let f2 be the rate of the filter. It remains to find the probability that both arrays
// match:
//
//   - With fresh positions, A matches and F matches independently, and the arrays are independent too. So f2 = 1 -
//     (1-f1)(1-phi), where phi = E[rho(f)]. This is equation (26).
//   - With fixed positions, P must be within the intersection of A and F. The bits that A has from this cycle are
//     independent of F. Without retaining, f2 = f1 + phi - sum over d of P[D=d] [sum over b of pi_b h(b,d)] E[h(f,d)].
//
// With retaining, A begins with the s positions of the triggering message. Let t be the number of these positions that
// are in F. With freeze-after, t = s. With freeze-before, F contains only some of the s positions: the positions that
// were not new. Suppose that j of the d positions of P are among these t positions. Let e = d-j be the number of the
// other positions of P. P is in both arrays under two conditions. First, these e positions are among the f-t other bits
// of F. Second, they are among the b-s bits of A that the present cycle has set. Both conditions hold with the
// following probability:
//
//	sum over j of [C(t,j) C(f-t,e)/C(m,d)] h'(b-s,e).
//
// Here h' is h with m-s in place of m. For each start s and each e, a sum over b is needed. Its terms are V_b
// h'(b-s,e). The joint distribution of f, t and s is also needed. The triggering message determines these three
// numbers. The function frozenMoments returns the sums over this joint distribution.
//
// Consider fresh positions without copy-over. The frozen array then matches an arrival with probability rho(f),
// independently of the active array. Such an arrival is not recorded. So the mean length of a cycle is 1/(1-rho(f))
// times its mean length with one phase. The additional arrivals are all reported as repeats. Therefore the rate is:
//
//	f2 = (f1 + E[rho(f)/(1-rho(f))]) / E[1/(1-rho(f))].

// frozenLimit is the largest number of steps that are needed in addition to the chain. These steps compute the changes
// of the set bits and, with two phases, the distribution of the frozen array. The number of these steps is k^3. If the
// joint distribution of the frozen array and the start of a cycle is needed, the number is k^4.
const frozenLimit = 1 << 25

// The type "course" describes one cycle that begins with s set bits. Its main fields are two expected numbers: of
// arrivals, and of repeats.
type course[P any] struct {
	arrivals, repeats P   // with one phase: the sums of V_b, and of V_b rho(b)
	shared            []P // the sums over b of V_b h'(b-s,e) for e = 0..k; only with fixed positions
	edge              []P // the expected arrivals at from, from+1, ... set bits, where the cycle can end
	from              uint64
	slack             P // bounds the probability of ends that edge leaves out; nil if there are none
}

// longRun returns two long-run means for a cycle: the number of repeats, and the number of arrivals. The frozen array
// may decide which arrivals are recorded. It must not influence the active array in any other way. The argument "run"
// is a function. For a given start of a cycle, it returns the expected numbers of this cycle.
func longRun[T any, P field.Number[T]](f field.Of[T, P], c *Cycle, run func(start uint64) (course[P], error)) (repeats, arrivals P, err error) {
	starts := c.starts()
	courses := make([]course[P], len(starts))
	for i, s := range starts {
		if courses[i], err = run(s); err != nil {
			return nil, nil, err
		}
	}
	distinct := transitions(f, c.g, 0, c.g.K) // the distribution of D
	var weights []P
	t := f.Zero()
	switch {
	case len(starts) == 1:
		weights = []P{f.Int(1)}
	case c.r.FreshPositions:
		for _, s := range starts {
			weights = append(weights, distinct[s])
		}
	default:
		next := make([][]P, len(starts))
		for i, l := range courses {
			for _, d := range starts {
				next[i] = append(next[i], nextStart(f, c, l, d, distinct[d]))
			}
		}
		weights = stationary(f, next)
		sum := f.Int(0)
		for _, w := range weights {
			sum.Add(sum, w)
		}
		for _, w := range weights {
			w.Quo(w, sum)
		}
	}

	all := courses[0]
	if len(starts) > 1 {
		all = meanCourse(f, courses, weights)
	}
	switch {
	case !c.r.TwoPhase:
	case c.r.FreshPositions:
		freshFrozen(f, c, all)
	default:
		for i, s := range starts {
			known := frozenMoments(f, c, all, distinct, s)
			l := courses[i]
			for d := 1; d < len(distinct); d++ {
				sum, choose := f.Int(0), f.Zero().SetInt(integer.Binomial(c.g.M, d))
				for j := range d { // for j = d all positions are in the active array, which is counted already
					t.Sub(l.arrivals, l.shared[d-j])
					t.Mul(t, known[j][d-j])
					sum.Add(sum, t)
				}
				sum.Quo(sum, choose)
				all.repeats.Add(all.repeats, t.Mul(distinct[d], sum))
			}
		}
	}
	return all.repeats, all.arrivals, nil
}

// nextStart returns the probability that the next cycle begins with d positions. The argument l has the expected
// numbers of the present cycle. The argument p is the probability that an arrival has d distinct positions.
func nextStart[T any, P field.Number[T]](f field.Of[T, P], c *Cycle, l course[P], d uint64, p P) P {
	sum, t := f.Int(0), f.Zero()
	if l.slack != nil {
		sum.Set(l.slack)
	}
	for i, v := range l.edge {
		for _, p := range triggers(f, c, l.from+uint64(i), d, p) {
			sum.Add(sum, t.Mul(p, v))
		}
	}
	return sum
}

// meanCourse returns the weighted mean of several values of the type "course". It does not set the field "shared".
func meanCourse[T any, P field.Number[T]](f field.Of[T, P], courses []course[P], weights []P) course[P] {
	t := f.Zero()
	from, to := courses[0].from, uint64(0)
	for _, l := range courses {
		from, to = min(from, l.from), max(to, l.from+uint64(len(l.edge)))
	}
	mean := course[P]{arrivals: f.Int(0), repeats: f.Int(0), from: from}
	for range to - from {
		mean.edge = append(mean.edge, f.Int(0))
	}
	for i, w := range weights {
		l := courses[i]
		mean.repeats.Add(mean.repeats, t.Mul(w, l.repeats))
		mean.arrivals.Add(mean.arrivals, t.Mul(w, l.arrivals))
		for e, v := range l.edge {
			at := mean.edge[l.from-from+uint64(e)]
			at.Add(at, t.Mul(w, v))
		}
		if l.slack != nil {
			if mean.slack == nil {
				mean.slack = f.Int(0)
			}
			mean.slack.Add(mean.slack, t.Mul(w, l.slack))
		}
	}
	return mean
}

// For fresh positions, the frozen array causes additional arrivals, which are all repeats. The function freshFrozen
// adds them to the expected numbers of arrivals and repeats of a cycle.
func freshFrozen[T any, P field.Number[T]](f field.Of[T, P], c *Cycle, l course[P]) {
	t := f.Zero()
	law := frozenDistribution(f, c, l)
	if !c.r.NoCopyOver { // the repeats become repeats + phi (arrivals - repeats)
		phi := f.Int(0)
		for _, n := range law {
			phi.Add(phi, t.Mul(n.p, transitions(f, c.g, n.bits, 0)[0]))
		}
		t.Sub(l.arrivals, l.repeats)
		t.Mul(phi, t)
		l.repeats.Add(l.repeats, t)
		return
	}
	left := f.Int(0) // becomes E[rho/(1-rho)]
	for _, n := range law {
		if n.bits == c.g.M {
			continue // n.p is 0, because otherwise Absorbing would return true
		}
		tau := transitions(f, c.g, n.bits, c.g.K)
		out := f.Int(0)
		for _, x := range tau[1:] {
			out.Add(out, x)
		}
		t.Quo(tau[0], out)
		t.Mul(n.p, t)
		left.Add(left, t)
	}
	left.Mul(left, l.arrivals)
	l.repeats.Add(l.repeats, left)
	l.arrivals.Add(l.arrivals, left)
}

// Suppose that an arrival finds b bits set and sets x more bits. The method "ends" reports whether it ends the
// cycle. The number b must be one of the numbers that the method "edge" returns.
func (c *Cycle) ends(b, x uint64) bool {
	if c.r.Messages > 0 {
		return x > 0
	}
	return b+x > c.r.Sigma
}

// Suppose that b bits of an array are set, and that the triggering message sets x more bits. The method "freezes"
// returns the number of bits that are set in the frozen array.
func (c *Cycle) freezes(b, x uint64) uint64 {
	if c.r.FreezeBefore {
		return b
	}
	return b + x
}

// Consider an arrival that finds b bits set. For x = 0..d, the function "triggers" returns the probability that the
// arrival has d distinct positions, sets x new bits and ends the cycle. The argument p is the probability that an
// arrival has d distinct positions. If the arrival ends the cycle, the result for x is p C(m-b,x) C(b,d-x)/C(m,d).
// Otherwise it is 0.
func triggers[T any, P field.Number[T]](f field.Of[T, P], c *Cycle, b, d uint64, p P) []P {
	ways := make([]P, d+1)
	all := f.Zero().SetInt(chooseBig(c.g.M, d))
	for x := range d + 1 {
		w := f.Int(0)
		if n := chooseBig(c.g.M-b, x); c.ends(b, x) && n.Sign() > 0 {
			n.Mul(n, chooseBig(b, d-x))
			w.SetInt(n)
			w.Mul(w, p)
			w.Quo(w, all)
		}
		ways[x] = w
	}
	return ways
}

// A frozenBits value is a possible number of bits of the frozen array, and its probability.
type frozenBits[P any] struct {
	bits uint64
	p    P
}

// frozenDistribution returns the distribution of the number of bits of the frozen array. The probabilities in the
// argument l can add up to less than 1. The function frozenDistribution assigns the missing probability to the largest
// possible number of bits. Consider an increasing function of the number of frozen bits. Under the returned
// distribution, its mean is therefore never too small.
func frozenDistribution[T any, P field.Number[T]](f field.Of[T, P], c *Cycle, l course[P]) []frozenBits[P] {
	var law []frozenBits[P]
	for b := l.from; b < l.from+uint64(len(l.edge)+c.g.K) && b <= c.g.M; b++ {
		law = append(law, frozenBits[P]{b, f.Int(0)})
	}
	for i, v := range l.edge {
		b := l.from + uint64(i)
		for x, p := range transitions(f, c.g, b, c.g.K) {
			if c.ends(b, uint64(x)) {
				at := law[c.freezes(b, uint64(x))-l.from].p
				p.Mul(p, v)
				at.Add(at, p)
			}
		}
	}
	if l.slack != nil {
		law = append(law, frozenBits[P]{c.mostFrozen(), l.slack})
	}
	return law
}

// frozenMoments considers cycles that begin with s bits. Let n be the number of set bits of the frozen array. Let t be
// the number of the s bits that are also set in the frozen array. For all j and e from 0 to k, the function returns
// this sum:
//
//	sum over n and t of P[n, t, s] C(t,j) C(n-t,e).
func frozenMoments[T any, P field.Number[T]](f field.Of[T, P], c *Cycle, l course[P], distinct []P, s uint64) [][]P {
	k := c.g.K
	known := make([][]P, k+1)
	for j := range known {
		for range k + 1 {
			known[j] = append(known[j], f.Int(0))
		}
	}
	v := f.Zero()
	if !c.r.Retain {
		for _, n := range frozenDistribution(f, c, l) {
			for e, ways := range choices(f, n.bits, k) {
				known[0][e].Add(known[0][e], v.Mul(n.p, ways))
			}
		}
		return known
	}
	others := make([][]P, s+1) // others[x][e]: sum of P[n, t, s] C(n-t,e), if the triggering message sets x bits
	for x := range others {
		for range k + 1 {
			others[x] = append(others[x], f.Int(0))
		}
	}
	for i, weight := range l.edge {
		b := l.from + uint64(i)
		for x, p := range triggers(f, c, b, s, distinct[s]) {
			u := uint64(x)
			if !c.ends(b, u) {
				continue
			}
			p.Mul(p, weight)
			for e, ways := range choices(f, c.freezes(b, u)-min(c.freezes(b, u), c.shares(s, u)), k) {
				others[x][e].Add(others[x][e], v.Mul(p, ways))
			}
		}
	}
	for x := range others {
		for j, ways := range choices(f, c.shares(s, uint64(x)), k) {
			for e := range known[j] {
				known[j][e].Add(known[j][e], v.Mul(ways, others[x][e]))
			}
		}
	}
	if l.slack != nil {
		most := choices(f, c.mostFrozen(), k)
		for j, ways := range choices(f, s, k) {
			for e := range known[j] {
				v.Mul(l.slack, ways)
				v.Mul(v, most[e])
				known[j][e].Add(known[j][e], v)
			}
		}
	}
	return known
}

// A triggering message has s distinct positions, and has set x new bits. Some of the s positions are in the frozen
// array. The method "shares" returns the number of these positions.
func (c *Cycle) shares(s, x uint64) uint64 {
	if c.r.FreezeBefore {
		return s - x
	}
	return s
}

// The function "choices" returns the binomial coefficients C(n,e) for e = 0..k.
func choices[T any, P field.Number[T]](f field.Of[T, P], n uint64, k int) []P {
	all := []P{f.Int(1)}
	for e := range uint64(k) {
		p := f.Uint(n - min(n, e))
		p.Mul(p, all[e])
		p.Quo(p, f.Uint(e+1))
		all = append(all, p)
	}
	return all
}

// rationalCourse returns the course of a bit-bounded cycle in rationals. A course holds expected numbers for the cycle,
// such as the number of arrivals and the number of repeats.
func (c *Cycle) rationalCourse(start uint64) (course[*big.Rat], error) {
	var at []uint64
	for b := range c.r.Sigma + 1 {
		at = append(at, b)
	}
	s, err := c.runRational(start, at)
	if err != nil {
		return course[*big.Rat]{}, err
	}
	from := c.edge()[0]
	l := course[*big.Rat]{arrivals: s[total], repeats: s[repeats], from: from, edge: s[visits+from:]}
	l.shared = sharedSums(field.Rationals, c, start, 0, s[visits:])
	return l, nil
}

// The method "course" computes the same expected numbers as rationalCourse. It computes with intervals, and it uses the
// route of c.
func (c *Cycle) course(start uint64, work uint) (course[*interval.Interval], error) {
	if c.r.Sigma < uint64(c.g.K) { // there are few states, and the closed form does not serve m = 1
		c = &Cycle{g: c.g, r: c.r, route: exact.Recursive}
	}
	s, err := c.runAt(work)(start, c.edge())
	if err != nil {
		return course[*interval.Interval]{}, err
	}
	l := course[*interval.Interval]{arrivals: s[total], repeats: s[repeats], from: c.edge()[0], edge: s[visits:]}
	if c.r.TwoPhase && !c.r.FreshPositions {
		l.shared, err = c.shared(start, work)
	}
	return l, err
}

// The method "shared" computes the sums for the field "shared" of a course. It uses the route of c.
func (c *Cycle) shared(start uint64, work uint) ([]*interval.Interval, error) {
	if c = c.chosen(c.r.Sigma, work); c.route == exact.ClosedForm && c.g.M/2 >= uint64(c.g.K) {
		s, err := c.newClosed(work)
		if err != nil {
			return nil, err
		}
		return s.shared(start), nil
	}
	if err := c.affordable(start, work); err != nil {
		return nil, err
	}
	return c.hashedShared(start, work), nil
}

// Let s be the argument "start". For e = 0..k, the function sharedSums returns the sum of V_b h'(b-s,e) over b = from,
// from+1, ... The argument v has the numbers V_b. V_b is the expected number of arrivals that find b bits set. The
// comment at the top of this file defines h'.
func sharedSums[T any, P field.Number[T]](f field.Of[T, P], c *Cycle, start, from uint64, v []P) []P {
	sums := make([]P, c.g.K+1)
	for e := range sums {
		sums[e] = f.Int(0)
	}
	for i := range v {
		p, b := f.Zero(), from+uint64(i)
		p.Set(v[i])
		for e := range sums {
			sums[e].Add(sums[e], p)
			u := uint64(e)
			if b <= start+u {
				break
			}
			p.Mul(p, f.Ratio(b-start-u, c.g.M-start-u))
		}
	}
	return sums
}

// The type "course" has a field "shared", which holds several sums. hashedShared computes these sums. It uses the
// Markov chain of chain.go. Let V_b be the expected number of arrivals that find b bits set. As in runHashes, the
// computed V_b is too small by at most 5k (b+1) m/(m-b) ulps, and is at most m/(m-b). The weight of V_b is
// h'(b-s,e)/h'(sigma-s,e). The comment at the top of this file defines h'. This weight is a product of e factors that
// are at most 1. Each factor is rounded down.
func (c *Cycle) hashedShared(start uint64, work uint) []*interval.Interval {
	m, sigma := c.g.M, c.r.Sigma
	w := newHashChain(c.g, work)
	sums := make([]*big.Int, c.g.K+1)
	for e := range sums {
		sums[e] = new(big.Int)
	}
	weight, t := make(fixed, w.n+1), new(big.Int)
	reach := uint64(0)
	for b := start; b <= sigma; b++ {
		v := w.advance(b, b == start)
		reach += (m-1)/(m-b) + 1
		clear(weight)
		weight[w.n] = 1
		for e := range sums {
			sums[e].Add(sums[e], t.Mul(v, weight.int(&w.ws)))
			skip := start + uint64(e)
			if b <= skip {
				break
			}
			weight.muladd(weight, b-skip, nil, 0, sigma-skip, w.t)
		}
	}
	lost := integer.Uint(chainUlps * uint64(c.g.K))
	lost.Mul(lost, integer.Uint(sigma+2)).Mul(lost, integer.Uint(reach))
	lost.Lsh(lost, uint(wordBits*w.n))
	shared := make([]*interval.Interval, len(sums))
	f := field.Intervals(work)
	scale := f.Int(1)
	for e, sum := range sums {
		shared[e] = f.Zero().SetScaled(sum, t.Add(sum, lost), -2*wordBits*w.n)
		shared[e].Mul(shared[e], scale)
		if skip := start + uint64(e); e < c.g.K {
			scale.Mul(scale, f.Ratio(sigma-min(sigma, skip), m-min(m-1, skip)))
		}
	}
	return shared
}

// longRun returns the long-run rate if the argument "rate" is true, and otherwise the mean number of arrivals of a
// cycle.
func (c *Cycle) longRun(prec uint, rate bool) (exact.Enclosure, error) {
	if err := precision.Check(prec); err != nil {
		return exact.Enclosure{}, err
	}
	switch {
	case c.Absorbing() && (!c.dependent() || c.g.K == 1):
		return c.stuck(prec, rate)
	case rate && c.neverRepeats():
		return enclose.Int(0, prec), nil
	case c.dependent():
		return c.jointRun(prec, rate)
	}
	power := 3
	if len(c.starts()) > 1 && !c.r.FreshPositions {
		power++
	}
	if math.Pow(float64(c.g.K), float64(power)) > frozenLimit {
		what := "the distribution of the set bits"
		if c.r.TwoPhase {
			what = "the distribution of the frozen array"
		}
		most := math.Floor(math.Pow(frozenLimit, 1/float64(power)))
		return exact.Enclosure{}, refuse.Costly("k", c.g.K, fmt.Sprintf("at most %.0f: %s takes k^%d steps", most, what, power))
	}
	bits := c.r.Messages == 0
	if bits && c.short() || !bits && c.shortMessages() {
		run := c.rationalCourse
		if !bits {
			run = c.rationalMessages
		}
		again, all, err := longRun(field.Rationals, c, run)
		if err != nil {
			return exact.Enclosure{}, err
		}
		if rate {
			all.Quo(again, all)
		}
		return enclose.Rational(all, prec), nil
	}
	run, first := c.course, prec+c.guardMessages()
	if bits {
		first = prec + c.guard(c.r.Sigma) + c.guard(c.edge()[0]) + uint(mathbits.Len64(c.g.M)) + precision.Spare
	} else if run = c.messages; prec+wordsSpare <= fraction.Bits && precision.Fixed() {
		first = fraction.Bits
	}
	return enclose.ZivErr(prec, first, func(work uint) (*interval.Interval, error) {
		again, all, err := longRun(field.Intervals(work), c, func(start uint64) (course[*interval.Interval], error) { return run(start, work) })
		if err != nil || !rate {
			return all, err
		}
		return again.Quo(again, all), nil
	})
}

// The method "stuck" is for a filter that eventually records nothing more. If the argument "rate" is true, it returns
// the rate, which is 1. Otherwise it returns an error, because the mean number of arrivals of a cycle does not exist.
func (c *Cycle) stuck(prec uint, rate bool) (exact.Enclosure, error) {
	if !rate {
		return exact.Enclosure{}, refuse.Undefined("capacity", "the filter comes to record nothing more, and a cycle never to end")
	}
	return enclose.Int(1, prec), nil
}

// neverRepeats returns true if no arrival can be reported as a repeat. In such a filter, each cycle ends before an
// arrival can find all its positions set in an array.
func (c *Cycle) neverRepeats() bool {
	if c.r.TwoPhase && !c.r.FreezeBefore {
		return false
	}
	if c.r.Messages > 0 {
		return c.r.Messages == 1
	}
	return !c.reaches(1 + c.g.placed(c.g.K-1))
}
