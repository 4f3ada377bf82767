package claims

import (
	"github.com/bloomproof/bloomproof"
)

// Exact false-negative rates: filters followed under traffic that repeats, with fresh positions.
// How many bits i distinct messages set does not depend on which messages they are, so the
// two are followed apart: the bits by i (filling), and level by level of i the set of ranks
// whose messages are recorded. All sums have positive terms only: their relative errors
// stay below 1e-11 for the sizes here. Package exact, which does the same over bits and sets
// together in rationals, agrees (fnr_test.go).

// slack is the relative margin by which a float64 comparison must be clear.
const slack = 1e-9

// filling is how a bit-bounded array fills, by the number i of messages in it: what (1)-(4)
// of Dozier-FN say, in float64.
type filling struct {
	m, k, sigma int
	tau         [][]float64 // tau[l][d]: one message sets d new bits
	v           []float64   // i messages fit
	unlucky     []float64   // u: they fit, and one more sets a bit
	ends        []float64   // r: they fit, and one more does not
	keptBefore  []float64   // r, and one more finds an unset bit in the array as it was before
	keptAfter   []float64   // r, and one more finds an unset bit among the bits of i+1
}

// newFilling follows i = 0, 1, ... messages until those that still fit weigh less than
// 1e-16 in any sum.
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

// next returns the law of the set bits, up to bound, after one more message, which sets bits
// with probability eta.
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

// gamma returns gamma(i).
func (f filling) gamma(i int) float64 { return 1 - f.unlucky[i]/f.v[i] }

// visitors is the arrival process of Dozier-FN, section 3.1.
type visitors struct {
	q, zeta []float64
	repeat  float64 // p_r
}

// newVisitors returns the process of the given weights, the largest first.
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

// missing returns the probability of the messages that are not in the set.
func (w visitors) missing(set int) float64 {
	x := 0.0
	for j, q := range w.q {
		if set>>j&1 == 0 {
			x += q
		}
	}
	return x
}

// makeRoom returns the ranks of a set's messages after a new one entered at rank r.
func (w visitors) makeRoom(set, r int) int {
	below := 1<<r - 1
	return (set&below | set&^below<<1) & (1<<len(w.q) - 1)
}

// watched is a law of the sets of ranks whose messages are recorded: those in the active array are
// the low half of the index, those in the frozen one the high half. plain has the probability of
// each. kept has that of the set and that, besides, a message recorded in neither array does not
// find all its positions set in the frozen one.
type watched struct{ plain, kept []float64 }

func newWatched(n int) watched { return watched{make([]float64, n), make([]float64, n)} }

// add adds a part of the law.
func (a watched) add(set int, plain, kept float64) {
	a.plain[set] += plain
	a.kept[set] += kept
}

// level is what happens while the active array holds one number of messages.
type level struct {
	time              float64 // arrivals
	absent, heard     float64 // of them, of messages that came before and are recorded in no array; all, and those kept
	fresh, freshHeard float64 // of them, new messages
	tried             float64 // of them, of messages in the frozen set alone, as far as it would not keep them
}

// pass follows one level. It calls record for each way to end it, with the active and the
// frozen set before the message that does, and the message's rank.
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

// fnrRates are the rates of a filter in the long run, per arrival, and the arrivals of a cycle.
type fnrRates struct{ fnr, lucky, fpr, cycle float64 }

// fnrFilter is a bit-bounded filter with fresh positions; two arrays copy over.
type fnrFilter struct {
	filling
	retain, two, before bool // before: the trigger's bits are not in the frozen array
}

// newFNRFilter returns the one-phase filter.
func newFNRFilter(m, k, sigma int, distinct, retain bool) fnrFilter {
	return fnrFilter{filling: newFilling(m, k, sigma, distinct), retain: retain}
}

// levels returns the numbers of messages that a cycle passes. Without new messages a cycle
// ends before all are recorded, or never.
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

// cycle follows one cycle from its start. It returns in then the law at the start of the next
// cycle, and in trigger the same law with the message that ended the cycle as the only frozen
// one.
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

// run follows the filter in the long run. With p_r = 1 the rates are those of the cycles that
// end, which is all but the share endless.
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
		// The message that ended the last cycle is in no array, and the frozen one does not
		// keep it by luck: it set a bit there that was taken back.
		_, tried, _, _ := f.cycle(w, known)
		x.fnr += tried
		x.lucky -= tried
	}
	return fnrRates{x.fnr / x.cycle, x.lucky / x.cycle, x.fpr / x.cycle, x.cycle}
}

// floatStationary returns the stationary law of a chain; it overwrites p. A row may sum to less
// than 1: what is missing stays in its state.
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
