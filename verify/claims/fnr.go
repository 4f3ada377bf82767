package claims

import (
	"github.com/bloomproof/bloomproof"
)

// This file computes exact false-negative rates. It follows a filter with fresh positions under traffic that repeats.
// The number of bits that i distinct messages set does not depend on which messages they are. Therefore bits and
// messages are followed separately. A filling follows the bits, by i. The set of ranks whose messages are recorded is
// followed from each i to the next. All sums have only positive terms, so their relative errors stay below 1e-11 for
// the sizes here. Package exact follows bits and sets together, in rationals. Both agree (fnr_test.go).

// slack is the relative margin by which one float64 must exceed another for a comparison to count as clear.
const slack = 1e-9

// filling describes how a bit-bounded array fills, by the number i of messages in it. It has the quantities of (1)-(4)
// of Dozier-FN, in float64. All fields except tau are lists of probabilities, with an entry for each i.
type filling struct {
	m, k, sigma int
	tau         [][]float64 // tau[l][d]: with l bits set, one message sets d new bits
	v           []float64   // v: i messages fit
	unlucky     []float64   // u: i messages fit, and one more sets a bit
	ends        []float64   // r: i messages fit, and one more does not
	keptBefore  []float64   // the event of r, and then a further message finds an unset bit among the bits of the i messages
	keptAfter   []float64   // the event of r, and then a further message finds an unset bit among the bits of the i+1 messages
}

// newFilling follows i = 0, 1, ... messages. It stops when the remaining terms contribute less than 1e-16 to any sum.
func newFilling(m, k, sigma int, distinct bool) filling {
	f := filling{m: m, k: k, sigma: sigma, tau: floatKernel(m, k, distinct)}
	stay := f.tau[sigma][0]
	for psi := append([]float64{1}, make([]float64, sigma)...); ; psi = f.next(psi, sigma, 1) {
		var v, u, r, before, after float64
		for l, p := range psi {
			v += p
			for d := 1; d <= min(k, m-l); d++ {
				x := p * f.tau[l][d]
				u += x
				if l+d > sigma {
					r += x
					before += x * (1 - f.tau[l][0])
					after += x * (1 - f.tau[l+d][0])
				}
			}
		}
		f.v, f.unlucky, f.ends = append(f.v, v), append(f.unlucky, u), append(f.ends, r)
		f.keptBefore, f.keptAfter = append(f.keptBefore, before), append(f.keptAfter, after)
		if v < 1e-17*(1-stay) {
			return f
		}
	}
}

// next returns the distribution of the number of set bits, up to bound, after one more arrival. The arrival is
// recorded, and so can set bits, with probability eta.
func (f filling) next(law []float64, bound int, eta float64) []float64 {
	out := make([]float64, bound+1)
	for l, p := range law {
		if p == 0 {
			continue
		}
		out[l] += p * (1 - eta)
		for d := 0; d <= min(f.k, bound-l); d++ {
			out[l+d] += p * eta * f.tau[l][d]
		}
	}
	return out
}

// gamma returns gamma(i), the probability that one more message sets no bit, given that i messages fit.
func (f filling) gamma(i int) float64 { return 1 - f.unlucky[i]/f.v[i] }

// visitors is the arrival process of Dozier-FN, section 3.1.
type visitors struct {
	q, zeta []float64
	repeat  float64 // p_r, the probability that an arrival is a repeat
}

// newVisitors returns the arrival process for the given weights. The largest weight comes first.
func newVisitors(weights []int, law bloomproof.Arrivals, repeat float64) visitors {
	w := visitors{repeat: repeat}
	total := 0
	for _, x := range weights {
		total += x
	}
	for j, x := range weights {
		w.q = append(w.q, float64(x)/float64(total))
		switch law {
		case bloomproof.ArrivalPopularity:
			w.zeta = append(w.zeta, w.q[j])
		case bloomproof.ArrivalUniform:
			w.zeta = append(w.zeta, 1/float64(len(weights)))
		case bloomproof.ArrivalLast:
			w.zeta = append(w.zeta, float64(count(j == len(weights)-1)))
		case bloomproof.ArrivalFirst:
			w.zeta = append(w.zeta, float64(count(j == 0)))
		}
	}
	return w
}

// missing returns the total probability of the messages that are not in the set.
func (w visitors) missing(set int) float64 {
	x := 0.0
	for j, q := range w.q {
		if set>>j&1 == 0 {
			x += q
		}
	}
	return x
}

// makeRoom returns the ranks of a set's messages after a new message has entered at rank r.
func (w visitors) makeRoom(set, r int) int {
	below := 1<<r - 1
	return (set&below | set&^below<<1) & (1<<len(w.q) - 1)
}

// watched is a distribution of the sets of ranks whose messages are recorded. The low half of an index has the ranks in
// the active array, and the high half has the ranks in the frozen array. The field plain has the probability of each
// index. The field kept has the joint probability of the index and this event: a message recorded in neither array
// finds a clear bit in the frozen array.
type watched struct{ plain, kept []float64 }

func newWatched(n int) watched { return watched{make([]float64, n), make([]float64, n)} }

// add adds to the probabilities of one index.
func (a watched) add(set int, plain, kept float64) {
	a.plain[set] += plain
	a.kept[set] += kept
}

// level has mean numbers of arrivals while the active array holds a given number of messages.
type level struct {
	time              float64 // all arrivals
	absent, heard     float64 // repeats of messages recorded in no array: absent counts all, heard only repeats that find a clear bit in the frozen array
	fresh, freshHeard float64 // new messages, counted in the same two ways
	tried             float64 // repeats of messages recorded only in the frozen array, in the cases that heard leaves out
}

// pass follows one level. For each way to end the level it calls record. The arguments of record are the active and
// frozen sets before the message that ends the level, and the rank of that message.
func (w visitors) pass(at watched, record func(active, frozen, rank int, plain, kept float64)) level {
	var l level
	d := len(w.q)
	for s, p := range at.plain {
		if p == 0 {
			continue
		}
		active, frozen := s&(1<<d-1), s>>d
		stays := 1 - w.repeat + w.repeat*w.missing(active)
		p /= stays
		kept := at.kept[s] / stays
		l.time += p
		l.absent += p * w.repeat * w.missing(active|frozen)
		l.heard += kept * w.repeat * w.missing(active|frozen)
		l.tried += (p - kept) * w.repeat * (w.missing(active) - w.missing(active|frozen))
		l.fresh += p * (1 - w.repeat)
		l.freshHeard += kept * (1 - w.repeat)
		for j, q := range w.q {
			if x := w.repeat * q; active>>j&1 == 0 && x > 0 {
				record(active, frozen, j, p*x, kept*x)
			}
			if x := (1 - w.repeat) * w.zeta[j]; x > 0 {
				record(w.makeRoom(active, j), w.makeRoom(frozen, j), j, p*x, kept*x)
			}
		}
	}
	return l
}

// fnrRates has the long-run rates of a filter per arrival, and the mean number of arrivals in a cycle.
type fnrRates struct{ fnr, lucky, fpr, cycle float64 }

// fnrFilter is a bit-bounded filter with fresh positions. If it has two arrays, it copies over.
type fnrFilter struct {
	filling
	retain, two, before bool // before: the frozen array lacks the bits of the trigger
}

// newFNRFilter returns the filter with one array and the given parameters.
func newFNRFilter(m, k, sigma int, distinct, retain bool) fnrFilter {
	return fnrFilter{filling: newFilling(m, k, sigma, distinct), retain: retain}
}

// levels returns the range of the numbers of recorded messages through which a cycle passes. If no messages are new, a
// cycle either ends before all messages are recorded, or it never ends.
func (f fnrFilter) levels(w visitors) (from, to int) {
	to = len(f.v)
	if w.repeat == 1 {
		to = min(to, w.popular())
	}
	return count(f.retain), to
}

// popular returns the number of messages that can repeat.
func (w visitors) popular() int {
	n := 0
	for _, q := range w.q {
		n += count(q > 0)
	}
	return n
}

// endless returns the probability that a cycle never ends.
func (f fnrFilter) endless(w visitors) float64 {
	if _, to := f.levels(w); w.repeat == 1 && to < len(f.v) {
		return f.v[to]
	}
	return 0
}

// cycle follows one cycle from its start. The result then is the distribution at the start of the next cycle. The
// result trigger is the same distribution, except that the frozen set has only the message that ended the cycle.
func (f fnrFilter) cycle(w visitors, at watched) (total fnrRates, tried float64, then, trigger watched) {
	d := len(w.q)
	size := 1 << d
	if f.two {
		size = 1 << (2 * d)
	}
	then, trigger = newWatched(size), newWatched(size)
	from, to := f.levels(w)
	for i := from; i < to; i++ {
		next := newWatched(len(at.plain))
		kept := f.keptAfter[i]
		if f.before {
			kept = f.keptBefore[i]
		}
		l := w.pass(at, func(active, frozen, rank int, p, heard float64) {
			next.add(active|1<<rank|frozen<<d, p, heard)
			begins, freezes := 0, active
			if f.retain {
				begins = 1 << rank
			}
			if !f.before {
				freezes |= 1 << rank
			}
			if !f.two {
				then.add(begins, f.ends[i]*p, kept*p)
				return
			}
			then.add(begins|freezes<<d, f.ends[i]*p, kept*p)
			trigger.add(begins|1<<(rank+d), f.ends[i]*p, kept*p)
		})
		tried += f.unlucky[i] * l.tried
		total.fnr += f.unlucky[i] * l.heard
		total.lucky += f.v[i]*l.absent - f.unlucky[i]*l.heard
		total.fpr += f.v[i]*l.fresh - f.unlucky[i]*l.freshHeard
		total.cycle += f.v[i] * l.time
		at = next
	}
	return total, tried, then, trigger
}

// run follows the filter in the long run. Without new messages some cycles never end, with the probability that endless
// returns. The rates are then over the cycles that end.
func (f fnrFilter) run(w visitors) fnrRates {
	d := len(w.q)
	starts := []int{0}
	if f.retain {
		starts = nil
		for j := range d {
			starts = append(starts, 1<<j)
		}
	}
	moves := make([][]float64, len(starts))
	then, trigger := make([]watched, len(starts)), make([]watched, len(starts))
	for i, s := range starts {
		at := newWatched(1 << d)
		at.add(s, 1, 1)
		_, _, then[i], trigger[i] = f.cycle(w, at)
		moves[i] = make([]float64, len(starts))
		for set, p := range then[i].plain {
			for j, t := range starts {
				if set&(1<<d-1) == t {
					moves[i][j] += p
				}
			}
		}
	}
	begin, known := newWatched(len(then[0].plain)), newWatched(len(then[0].plain))
	for i, p := range floatStationary(moves) {
		if !f.two {
			begin.add(starts[i], p, p)
			continue
		}
		for set := range begin.plain {
			begin.add(set, p*then[i].plain[set], p*then[i].kept[set])
			known.add(set, p*trigger[i].plain[set], p*trigger[i].kept[set])
		}
	}
	x, _, _, _ := f.cycle(w, begin)
	if f.two && f.before && !f.retain {
		// Here the message that ended the last cycle is in no array. It cannot be found in the frozen array by chance,
		// because the frozen array lacks a bit that the message set.
		_, tried, _, _ := f.cycle(w, known)
		x.fnr += tried
		x.lucky -= tried
	}
	return fnrRates{x.fnr / x.cycle, x.lucky / x.cycle, x.fpr / x.cycle, x.cycle}
}

// floatStationary returns the stationary distribution of a chain, and overwrites p. A row may sum to less than 1: with
// the remaining probability the chain stays in its state.
func floatStationary(p [][]float64) []float64 {
	for n := len(p) - 1; n > 0; n-- {
		out := 0.0
		for j := range n {
			out += p[n][j]
		}
		for i := range n {
			p[i][n] /= out
			for j := range n {
				p[i][j] += p[i][n] * p[n][j]
			}
		}
	}
	law, total := []float64{1}, 1.0
	for n := 1; n < len(p); n++ {
		x := 0.0
		for i := range n {
			x += law[i] * p[i][n]
		}
		law = append(law, x)
		total += x
	}
	for i := range law {
		law[i] /= total
	}
	return law
}
