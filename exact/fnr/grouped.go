package fnr

import (
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/elimination"
	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// groupedLimit is the largest permitted number of states in byGroups. It limits the total over all numbers of recorded
// messages.
const groupedLimit = 1 << 18

// Each state is identified by a number from 0 to maxStride. At most groupedLimit of these numbers belong to states that
// a cycle can reach.
const maxStride = 1 << 40

// byGroups returns the long-run rates of a one-phase filter of practical size with fresh positions. It uses states that
// only say how many messages of each popularity are recorded. It proceeds by levels, where a level is the number i of
// recorded messages. The distribution of the set bits depends only on i. Let v_i be the probability that i messages
// fit. Let gamma(i) be the probability that one more message then sets no new bit. Let u_i be the probability of two
// events: i messages fit, and one more message then sets a new bit. For a filter that never recycles, let T_i be the
// mean number of arrivals at level i. Let n_i be the probability that level i ends with a new message. Let V be the
// mean number of arrivals of a cycle. Let f_p be the false-positive rate, and f_n the false-negative rate. Three sums
// over i determine the rates:
//
//	V = sum of v_i T_i,
//	f_p V = sum of v_i gamma(i) n_i,
//	f_n V = sum of u_i (1 - n_i).
//
// The rate f_n also satisfies a second formula:
//
//	f_n = (sum of u_i)/V - (1-p_r) + f_p.
//
// Here p_r is the probability that an arrival is a repeat. If the triggering message is retained, the sums depend on
// the message that is recorded when the cycle begins. These sums are averaged over this message. The retained messages
// of successive cycles form a Markov chain.
//
// New messages must enter at the last rank. Then the messages at the other D-1 ranks never change, and the last rank is
// a group of its own. With p_r = 1 nothing new arrives, so it does not matter at which ranks new messages would enter.
// With probability v_D, a cycle records all D messages before it ends. Then the cycle never ends. So the rates for p_r
// = 1 are means over the cycles that end. The quasi-stationary rates of Lasting differ from these rates by about v_D.
//
// Source: Dozier-FN, section 4; derived here.
// Domain: the filter must have fresh positions and one phase. Either p_r = 1, or new messages enter at the last rank.
// The number of states must not be too large. With uniform or bi-uniform popularity, any D is permitted. With other
// popularities, D can be at most about 16.
// Error: the relative widths are at most 2^-prec.
// Cost: for each message that fits into a cycle, the type "filler" computes one more distribution of the set bits. In
// addition, each state takes one product for each group. If the triggering message is retained, the number of products
// is multiplied by the number of groups.
// Errors: *bloomproof.ParamError. The error is ErrUndefined outside the domain. It is also ErrUndefined if the filter
// does not recycle, or if v_D is about 2^-prec or more. The error is ErrTooCostly in two cases. The computation needs
// more than 2^18 states, or a value of the type "filler" needs more than 2^25 steps.
func (c *System) byGroups(prec uint) (*Rates, error) {
	if err := precision.Check(prec); err != nil {
		return nil, err
	}
	switch {
	case c.r.TwoPhase || !c.r.FreshPositions:
		return nil, refuse.Undefined("rates by groups", "they are for one phase and fresh positions")
	case c.w.Repeat < 1 && !c.entersLast():
		return nil, refuse.Undefined("rates by groups", "new messages change the ranks of others")
	}
	for work := precision.First(prec, prec+spareBits); work < prec+precision.MaxGuard; work += prec + spareBits {
		f := field.Intervals(work)
		q, err := c.groups(f, work)
		if err != nil {
			return nil, err
		}
		m, err := q.means()
		if err != nil {
			return nil, err
		}
		if x, good := c.enclosed(m, f, prec); good {
			return x, nil
		}
		if q.fitsAll(prec) {
			return nil, errFitsAll
		}
	}
	return nil, fmt.Errorf("rates by groups: %w", exact.ErrPrecision)
}

// A cycle can be endless with some probability. The method fitsAll reports whether this probability makes the
// enclosures too wide for prec bits.
func (q *grouped) fitsAll(prec uint) bool {
	return q.ending != nil && q.ending.Sign() > 0 && q.ending.Lo().MantExp(nil) > -int(prec)-spareBits
}

var errFitsAll = refuse.Undefined("rates over the cycles that end", "all messages can fit with a probability that counts; Lasting is for that")

// entersLast reports whether new messages enter only at the last rank.
func (c *System) entersLast() bool {
	d := c.w.Popularity.D
	switch {
	case c.w.Arrivals == bloomproof.ArrivalLast:
		return true
	case c.w.ArrivalWeights != nil:
		return !slices.ContainsFunc(c.w.ArrivalWeights[:d-1], func(x float64) bool { return x > 0 })
	}
	return d == 1
}

// The type "peers" describes n messages that have the same popularity.
type peers struct {
	n      uint64
	p      *interval.Interval // the probability that an arrival is a given message of the group
	stride uint64             // added to the number of a state for each recorded message of the group
}

// A grouped value describes a filter whose messages are divided into groups of equal popularity.
type grouped struct {
	f       field.Of[interval.Interval, *interval.Interval]
	c       *System
	all     []peers
	last    int                // for p_r < 1, the group of the last rank, where new messages enter
	arrives *interval.Interval // 1 - p_r, the probability of a new message

	// These lists are indexed by the number i of messages, up to the last number that matters. The entry fits[i] is the
	// probability that i messages fit.
	fits, lucky, loud, ends []*interval.Interval
	matched                 []*interval.Interval // for two phases, the results of filler.matched
	ending                  *interval.Interval   // for p_r = 1, the probability v_D that a cycle never ends
	rest                    *interval.Interval   // bounds the sum of v_i over the i that were not computed
	states                  float64
}

func (c *System) groups(f field.Of[interval.Interval, *interval.Interval], work uint) (*grouped, error) {
	w := c.w
	d := tracked(w)
	q := &grouped{f: f, c: c, last: -1}
	repeat := new(big.Rat).SetFloat64(w.Repeat)
	q.arrives = f.Zero().SetRat(new(big.Rat).Sub(big.NewRat(1, 1), repeat))
	weight := weightAt(w.Popularity, work)
	add := func(n uint64, j uint64) {
		if n > 0 {
			q.all = append(q.all, peers{n: n, p: weight(j)})
		}
	}
	static := d
	if w.Repeat < 1 {
		static = min(d, w.Popularity.D-1)
	}
	switch p := w.Popularity; {
	case p.Weights == nil && p.S == 0 && p.Alpha == 0:
		add(static, 0)
	case p.S > 0:
		add(min(static, p.S), 0)
		add(static-min(static, p.S), p.S)
	case static > maxListed:
		return nil, refuse.TooCostly("a list of ranks", float64(static), maxListed)
	default:
		for j := uint64(0); j < static; {
			n := uint64(1)
			for j+n < static && p.Weight(j+n) == p.Weight(j) {
				n++
			}
			add(n, j)
			j += n
		}
	}
	if w.Repeat < 1 {
		q.last = len(q.all)
		add(1, w.Popularity.D-1)
	}
	sum := f.Int(0)
	for _, g := range q.all {
		sum.Add(sum, f.Zero().Mul(g.p, f.Uint(g.n)))
	}
	stride := uint64(1)
	for i := range q.all {
		g := &q.all[i]
		if g.p.Mul(g.p, f.Zero().SetRat(repeat)); w.Repeat > 0 {
			g.p.Quo(g.p, sum)
		}
		g.stride = stride
		if stride > maxStride/(g.n+1) {
			return nil, refuse.TooCostly("a chain of groups", float64(stride)*float64(g.n+1), groupedLimit)
		}
		stride *= g.n + 1
	}
	return q, q.fill(work)
}

// The method "fill" computes those lists in q that depend on the set bits. A list has an entry for each
// number of messages, from 0 up to all of them. It ends earlier if the probability that so many messages fit is
// negligible.
func (q *grouped) fill(work uint) error {
	if err := fault.Part(); err != nil {
		return err
	}
	all := uint64(0)
	for _, g := range q.all {
		all += g.n
	}
	finite := q.last < 0
	// The variable "bits" is the largest number of bits that can be set while the cycle lasts. So a message sets a bit
	// with probability at least 1 - (bits/m)^k. The cycle ends after a bounded number of messages that set a bit.
	g, r := q.c.g, q.c.r
	most, bits := r.Sigma, new(big.Int).SetUint64(r.Sigma)
	if r.Messages > 0 {
		most = r.Messages
		bits.Mul(new(big.Int).SetUint64(r.Messages-1), big.NewInt(int64(g.K)))
	}
	full := q.f.Zero().SetRat(new(big.Rat).SetFrac(bits, new(big.Int).SetUint64(g.M)))
	quiet := q.f.Int(1)
	full.PowInt(full, big.NewInt(int64(g.K)))
	quiet.Sub(quiet, full)
	sets := quiet.Sign() > 0
	matches, size := q.f.Int(0), 0 // the sum of lucky, and its exponent; the omitted rest is far smaller than the sum
	if !sets && !finite {
		return refuse.Undefined("rates by groups", "the filter can fill up and never recycle")
	}
	w := newFiller(q.f, g, r)
	for i := uint64(0); ; i++ {
		steps := atPrecision((&states{g, r}).steps(i), work)
		if steps > fillLimit {
			return refuse.TooCostly(fmt.Sprintf("the bits of %d messages", i), steps, fillLimit)
		}
		v := q.f.Int(0)
		for _, row := range w.rows {
			for _, x := range row {
				v.Add(v, x)
			}
		}
		v.Quo(v, w.scale)
		switch {
		case finite && i == all:
			if v.Hi().Cmp(big.NewFloat(1)) >= 0 {
				return refuse.Undefined("rates by groups", "the filter does not recycle")
			}
			q.ending, q.rest = v, q.f.Int(0)
			return nil
		case sets && (v.Hi().Sign() == 0 || v.Hi().MantExp(nil) < size-precision.Cut(work+spareBits)):
			rest := q.f.Zero().Quo(q.f.Uint(most+1), quiet)
			zero := new(big.Float)
			if finite {
				q.ending = q.f.Zero().SetEnds(zero, v.Hi())
			}
			q.rest = q.f.Zero().SetEnds(zero, rest.Mul(rest, v).Hi())
			return nil
		}
		q.fits = append(q.fits, v)
		if r.TwoPhase {
			q.matched = append(q.matched, w.matched())
		}
		quiet, loud, over := w.next()
		for _, x := range []*interval.Interval{quiet, loud, over} {
			x.Quo(x, w.scale)
		}
		q.lucky, q.loud, q.ends = append(q.lucky, quiet), append(q.loud, loud), append(q.ends, over)
		if matches.Add(matches, quiet); matches.Sign() > 0 {
			size = min(0, matches.Lo().MantExp(nil))
		}
	}
}

// The type groupSums holds the mean number of arrivals in a cycle. Each tally counts some of these arrivals. For each
// tally, the type also holds the mean number of arrivals that this tally counts.
type groupSums struct {
	v     *interval.Interval
	tally [tallies]*interval.Interval
	next  []*interval.Interval // the probability that the triggering message is in each group
}

// The method "cycle" returns the mean numbers of arrivals of a cycle. When the cycle begins, one message of the group
// with the number "start" is recorded. If "start" is -1, no message is recorded.
func (q *grouped) cycle(start int) (*groupSums, error) {
	if err := fault.Part(); err != nil {
		return nil, err
	}
	f := q.f
	s := &groupSums{v: f.Int(0), next: make([]*interval.Interval, len(q.all))}
	for t := range s.tally {
		s.tally[t] = f.Int(0)
	}
	for g := range s.next {
		s.next[g] = f.Int(0)
	}
	level := map[uint64]*interval.Interval{0: f.Int(1)}
	first := 0
	if start >= 0 {
		level, first = map[uint64]*interval.Interval{q.all[start].stride: f.Int(1)}, 1
	}
	t := f.Zero()
	rates := make([]*interval.Interval, len(q.all))
	for i := first; i < len(q.fits); i++ {
		// The variable "running" becomes the probability that i messages fit and the cycle ends at some later time.
		running := f.Zero().Set(q.fits[i])
		if q.ending != nil {
			running.Sub(running, q.ending)
		}
		next := map[uint64]*interval.Interval{}
		for _, state := range slices.Sorted(maps.Keys(level)) {
			p := level[state]
			q.states++
			if cost := atPrecision(q.states, f.Zero().Prec()); cost > groupedLimit {
				return nil, refuse.TooCostly("a chain of groups", cost, groupedLimit)
			}
			stale := f.Int(0) // the probability that an arrival is a repeat that is not recorded
			for n, g := range q.all {
				rates[n] = f.Zero().Mul(g.p, f.Uint(g.n-state/g.stride%(g.n+1)))
				stale.Add(stale, rates[n])
			}
			if q.last >= 0 {
				rates[q.last].Add(rates[q.last], q.arrives)
			}
			p.Quo(p, f.Zero().Add(stale, q.arrives)) // the mean number of arrivals in this state
			s.v.Add(s.v, t.Mul(p, running))
			fresh := f.Zero().Mul(p, q.arrives)
			stale.Mul(stale, p)
			count := func(tally tally, p, by *interval.Interval) { s.tally[tally].Add(s.tally[tally], t.Mul(p, by)) }
			count(falsePositive, fresh, q.lucky[i])
			count(lucky, stale, q.lucky[i])
			count(falseNegative, stale, q.loud[i])
			for n, g := range q.all {
				if rates[n].Sign() == 0 {
					continue
				}
				x := f.Zero().Mul(p, rates[n])
				s.next[n].Add(s.next[n], t.Mul(x, q.ends[i]))
				to := state
				if state/g.stride%(g.n+1) < g.n {
					to += g.stride
				}
				if next[to] == nil {
					next[to] = x
				} else {
					next[to].Add(next[to], x)
				}
			}
		}
		level = next
	}
	q.bound(s)
	return s, nil
}

// The method "bound" widens the sums to allow for two omitted parts: the levels beyond the last one, and the cycles
// that never end.
func (q *grouped) bound(s *groupSums) {
	zero := new(big.Float)
	slowest := q.arrives // the least probability that an arrival is not recorded
	if q.last < 0 {
		slowest = q.all[len(q.all)-1].p
	}
	beyond := q.f.Zero().Quo(q.rest, slowest)
	beyond.SetEnds(zero, beyond.Hi())
	s.v.Add(s.v, beyond)
	q.widen(s)
}

// The method "widen" widens all intervals except the number of arrivals. This number is widened by another method,
// "bound".
func (q *grouped) widen(s *groupSums) {
	stay := q.f.Int(0)
	if q.ending != nil {
		stay.Mul(q.ending, q.f.Uint(uint64(len(q.fits))))
	}
	around := q.f.Zero().SetEnds(stay.Neg(stay).Lo(), q.rest.Hi())
	for _, x := range append(s.tally[:], s.next...) {
		if x.Hi().Sign() > 0 { // a sum of exactly 0 stays 0, because there are no such arrivals
			x.Add(x, around)
		}
	}
}

// The method "means" returns long-run frequencies per arrival. It returns the frequency of recycles. For each tally, it
// also returns the fraction of arrivals that the tally counts.
func (q *grouped) means() (*means[*interval.Interval], error) {
	f := q.f
	weights := []*interval.Interval{f.Int(1)}
	var cycles []*groupSums
	if q.c.r.Retain {
		var starts []int
		chain := elimination.New(f, len(q.all))
		for g := range q.all {
			s, err := q.cycle(g)
			if err != nil {
				return nil, err
			}
			cycles, starts = append(cycles, s), append(starts, g)
			for to, p := range s.next {
				if p.Sign() > 0 {
					chain.Add(g, to, p)
				}
			}
		}
		weights = make([]*interval.Interval, len(q.all))
		for g, x := range chain.Stationary(starts, nil) {
			weights[g] = x
		}
	} else {
		s, err := q.cycle(-1)
		if err != nil {
			return nil, err
		}
		cycles = []*groupSums{s}
	}
	return q.perArrival(weights, cycles), nil
}

// If there are several kinds of cycles, perArrival returns the long-run means per arrival. The argument "cycles" has
// one element for each kind. The element holds the mean numbers of arrivals in a cycle of this kind. For each kind, the
// argument "weights" has a number that is proportional to the frequency of the kind.
func (q *grouped) perArrival(weights []*interval.Interval, cycles []*groupSums) *means[*interval.Interval] {
	f := q.f
	v, recycled := f.Int(0), f.Int(0)
	m := &means[*interval.Interval]{absorbing: f.Int(0)}
	for t := range m.tally {
		m.tally[t] = f.Int(0)
	}
	for i, s := range cycles {
		v.Add(v, f.Zero().Mul(weights[i], s.v))
		recycled.Add(recycled, weights[i])
		for t := range m.tally {
			m.tally[t].Add(m.tally[t], f.Zero().Mul(weights[i], s.tally[t]))
		}
	}
	for t, x := range m.tally {
		x.Quo(x, v)
		m.counted[t] = x.Hi().Sign() > 0
	}
	if q.ending != nil {
		recycled.Sub(recycled, f.Zero().Mul(recycled, q.ending))
	}
	m.tally[recycles].Quo(recycled, v)
	m.counted[recycles] = true
	m.tally[cycleNew].Add(m.tally[falseNegative], m.tally[lucky])
	m.tally[cycleNew].Add(m.tally[cycleNew], q.arrives)
	m.counted[cycleNew] = m.tally[cycleNew].Hi().Sign() > 0
	return m
}
