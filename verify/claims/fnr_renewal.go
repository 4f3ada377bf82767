package claims

import "math"

// This file computes the renewal model of Dozier-FN by its formulas, (16)-(28). For comparison, it also follows the
// filter itself arrival by arrival.

// disable returns h after one more arrival, by Dozier-FN (24). Here h_i is the probability that the message at rank i
// was recorded in this cycle.
func (w visitors) disable(h []float64) []float64 {
	next := make([]float64, len(h))
	before, all := 0.0, 0.0
	for _, z := range w.zeta {
		all += z
	}
	for i, x := range h {
		shifted := w.zeta[i] + x*max(0, all-before-w.zeta[i])
		if i > 0 {
			shifted += h[i-1] * before
		}
		next[i] = w.repeat*(x+(1-x)*w.q[i]) + (1-w.repeat)*shifted
		before += w.zeta[i]
	}
	return next
}

// enabled returns R = sum q_i (1-h_i), the probability that a message drawn from Q is not recorded.
func (w visitors) enabled(h []float64) float64 {
	x := 0.0
	for i, q := range w.q {
		x += q * (1 - h[i])
	}
	return x
}

// renewed has the results of the renewal model for j = 1, 2, ...:
//   - alive is the probability that the cycle has a j-th arrival, Dozier-FN (20).
//   - sets is the probability that, up to the bound of renewal, the cycle has a j-th arrival and a message not recorded
//     then sets a bit.
//   - absent is the probability R that a message drawn from Q is not recorded then.
type renewed struct {
	alive, sets, absent []float64
	ends                bool      // the mean number of arrivals in a cycle is finite
	last                []float64 // h after the last arrival that was followed
}

// renewal returns the model of section 5. It follows a cycle while at most bound bits are set. The field alive counts
// the cycles with at most sigma bits set. The field sets counts all cycles that are followed. If nu is not nil, the
// array starts with one retained message, whose rank has the distribution nu. Otherwise the array starts empty.
func (f fnrFilter) renewal(w visitors, bound int, nu []float64) renewed {
	h := make([]float64, len(w.q))
	bits := []float64{1}
	if nu != nil {
		copy(h, nu)
		bits = f.next(bits, bound, 1)
	}
	var out renewed
	for j := 1; j < 1e5; j++ {
		alive, sets := 0.0, 0.0
		for l, p := range bits {
			if l <= f.sigma {
				alive += p
			}
			sets += p * (1 - f.tau[l][0])
		}
		r := w.enabled(h)
		out.alive, out.sets, out.absent = append(out.alive, alive), append(out.sets, sets), append(out.absent, r)
		eta := 1 - w.repeat + w.repeat*r // (25)
		if alive < 1e-16 && sets < 1e-16 {
			out.ends, out.last = true, w.disable(h)
			return out
		}
		if eta < 1e-15 {
			return out
		}
		bits = f.next(bits, bound, eta)
		h = w.disable(h)
	}
	return out
}

// rate returns a ratio of two sums over j <= m: the sum of Dozier-FN (26) divided by the sum of (20). If m = 0, the
// sums are over all j.
func (x renewed) rate(w visitors, m int) float64 {
	if m == 0 {
		if !x.ends {
			return 0 // the sum of alive is infinite
		}
		m = len(x.alive)
	}
	negatives, arrivals := 0.0, 0.0
	for j := range min(m, len(x.alive)) {
		negatives += w.repeat * x.absent[j] * x.sets[j]
		arrivals += x.alive[j]
	}
	return negatives / arrivals
}

// retainedRank returns the distribution of the rank of the message with which a retaining filter starts a cycle. In the
// renewal model this is also the distribution of the rank of the message that ends a cycle.
func (f fnrFilter) retainedRank(w visitors) []float64 {
	nu := make([]float64, len(w.q))
	for i := range nu {
		nu[i] = 1 / float64(len(nu))
	}
	for range 60 {
		change := 0.0
		x := f.renewal(w, f.sigma, nu)
		h, next, total := nu, make([]float64, len(nu)), 0.0
		for j := 0; j+1 < len(x.alive); j++ {
			ends := x.alive[j] - x.alive[j+1]
			eta := 1 - w.repeat + w.repeat*x.absent[j]
			for i := range next {
				p := ends * (w.repeat*w.q[i]*(1-h[i]) + (1-w.repeat)*w.zeta[i]) / eta
				next[i] += p
				total += p
			}
			h = w.disable(h)
		}
		for i := range next {
			next[i] /= total
			change += math.Abs(next[i] - nu[i])
		}
		nu = next
		if change < 1e-13 {
			break
		}
	}
	return nu
}

// followed has the results of following a filter that does not retain, arrival by arrival, for j = 1, 2, ...:
//   - alive and absent are the exact values of what renewed computes by the model.
//   - negatives is the probability that the cycle has a j-th arrival and that this arrival is a false negative.
//   - recorded is the distribution of the number of recorded messages after j-1 arrivals at an array without a bound.
type followed struct {
	alive, negatives, absent []float64
	recorded                 [][]float64
}

// follow follows a cycle for the given number of arrivals.
func (f fnrFilter) follow(w visitors, arrivals int) followed {
	var out followed
	d := len(w.q)
	at := [][]float64{make([]float64, 1<<d)} // at[i][set]: i messages are recorded, and set has their ranks
	at[0][0] = 1
	for range arrivals {
		var alive, negatives, absent float64
		next := make([][]float64, len(at)+1)
		for i := range next {
			next[i] = make([]float64, 1<<d)
		}
		numbers := make([]float64, len(at))
		for i, law := range at {
			fits, unlucky := 0.0, 0.0
			if i < len(f.v) {
				fits, unlucky = f.v[i], f.unlucky[i]
			}
			for set, p := range law {
				if p == 0 {
					continue
				}
				missing := w.missing(set)
				numbers[i] += p
				alive += fits * p
				absent += p * missing
				negatives += unlucky * p * w.repeat * missing
				next[i][set] += p * w.repeat * (1 - missing)
				for j, q := range w.q {
					if set>>j&1 == 0 {
						next[i+1][set|1<<j] += p * w.repeat * q
					}
					if w.repeat < 1 {
						next[i+1][w.makeRoom(set, j)|1<<j] += p * (1 - w.repeat) * w.zeta[j]
					}
				}
			}
		}
		out.alive, out.negatives, out.absent = append(out.alive, alive), append(out.negatives, negatives), append(out.absent, absent)
		out.recorded = append(out.recorded, numbers)
		at = next
	}
	return out
}

// counted returns the mean-field distribution of the number of recorded messages after j-1 arrivals. In the mean-field
// model this number is a sum of independent indicators that have the probabilities eta.
func counted(eta []float64) []float64 {
	law := []float64{1}
	for _, p := range eta {
		next := make([]float64, len(law)+1)
		for n, x := range law {
			next[n] += x * (1 - p)
			next[n+1] += x * p
		}
		law = next
	}
	return law
}

// spread returns the mean and the variance of a number that has the given distribution.
func spread(law []float64) (mu, variance float64) {
	for n, p := range law {
		mu += p * float64(n)
	}
	for n, p := range law {
		variance += p * (float64(n) - mu) * (float64(n) - mu)
	}
	return mu, variance
}

// twoArrays returns the rate Dozier-FN (27) without retaining, as printed or repaired. In the repaired form, the same
// message must be missing from both arrays, after j-1 and j'-1 arrivals. The frozen array lacks the bits of the message
// that ended its cycle.
func (f fnrFilter) twoArrays(w visitors, printed bool) float64 {
	x := f.renewal(w, f.sigma, nil)
	if !x.ends {
		return 0
	}
	n := len(x.alive)
	absent := append([]float64(nil), x.absent...)
	for h := x.last; len(absent) < 2*n+2; h = w.disable(h) {
		absent = append(absent, w.enabled(h))
	}
	kept, ends := 0.0, 0.0 // kept is 1-gF after the division below
	for i := range f.ends {
		kept += f.keptBefore[i]
		ends += f.ends[i]
	}
	kept /= ends
	rate, arrivals := 0.0, 0.0
	for j := 1; j <= n; j++ {
		arrivals += x.alive[j-1]
		inner := 0.0
		for froze := 1; froze < n; froze++ {
			if printed {
				eta := 1 - w.repeat + w.repeat*absent[j+froze-1] // P(eta_{j+j'} = 1)
				inner += (x.sets[froze-1] - x.sets[froze]) * eta
			} else {
				inner += (x.alive[froze-1] - x.alive[froze]) * kept * absent[j+froze-2]
			}
		}
		rate += w.repeat * x.sets[j-1] * inner
	}
	return rate / arrivals
}
