package claims

import "math"

// The models of Dozier-FN by their formulas, in float64 sums of positive terms. They are
// those of the text, as corrected by the claims that use them; none uses another's shortcut.

// markov returns the false-negative rate of the Markov model of section 4.1 (non-retaining,
// or retaining) from the probabilities fhat[i] that a repeat arrival meets a message that is
// not among i recorded ones: sum of Pi_i p_r fhat[i] (1-gamma(i)), Pi_i in proportion to
// v_i/(1 - p_r + p_r fhat[i]).
func (f forgetter) markov(w visitors, fhat func(i int) float64) float64 {
	from, to := f.levels(w)
	rate, total := 0.0, 0.0
	for i := from; i < to; i++ {
		leaves := 1 - w.repeat + w.repeat*fhat(i)
		if leaves == 0 {
			return 0 // the state is never left
		}
		total += f.v[i] / leaves
		rate += f.unlucky[i] / leaves * w.repeat * fhat(i)
	}
	return rate / total
}

// tail returns the probability of all messages but the i most popular.
func (w visitors) tail(i int) float64 {
	x := 0.0
	for j := len(w.q) - 1; j >= i; j-- {
		x += w.q[j]
	}
	return x
}

// replaced returns (6).
func (w visitors) replaced(i int) float64 {
	x := 0.0
	for _, q := range w.q {
		x += q * math.Pow(1-q, float64(i))
	}
	return x
}

// even returns (7), which is 0 beyond D.
func (w visitors) even(i int) float64 {
	return max(0, 1-float64(i)/float64(len(w.q)))
}

// sampled returns the probability that one more draw from Q is none of i distinct messages
// drawn before, for i = 0 to D: sets are followed.
func (w visitors) sampled() []float64 {
	fhat := make([]float64, len(w.q)+1)
	law := make([]float64, 1<<len(w.q))
	law[0] = 1
	for set, p := range law { // all subsets of a set come before it
		out := w.missing(set)
		fhat[ones(set)] += p * out
		for j, q := range w.q {
			if set>>j&1 == 0 && out > 0 {
				law[set|1<<j] += p * q / out
			}
		}
	}
	return fhat
}

// biuniform returns fhat[i] of the bi-uniform distribution with s messages of probability
// ph and d-s of probability pl, by the numbers of recorded messages of the first kind.
func biuniform(s, d int, ph, pl float64) func(i int) float64 {
	fhat := make([]float64, d+1)
	law := []float64{1}
	for i := range d {
		next := make([]float64, s+1)
		for a, p := range law {
			high, low := float64(s-a)*ph, float64(d-s-i+a)*pl
			if a > s || i-a > d-s || p == 0 {
				continue
			}
			fhat[i] += p * (high + low)
			if high+low > 0 {
				next[min(a+1, s)] += p * high / (high + low)
				next[a] += p * low / (high + low)
			}
		}
		law = next
	}
	return func(i int) float64 {
		if i >= d {
			return 0
		}
		return fhat[i]
	}
}

// drawn returns the mean number of distinct messages among l draws.
func (w visitors) drawn(l int) float64 {
	x := 0.0
	for _, q := range w.q {
		x += 1 - math.Pow(1-q, float64(l))
	}
	return x
}

// printedDrawn returns (10) as it is printed.
func (w visitors) printedDrawn(l int) float64 {
	x := 0.0
	for _, q := range w.q {
		if q == 1 {
			x += float64(l)
		} else {
			x += q * (1 - math.Pow(q, float64(l))) / (1 - q)
		}
	}
	return x
}

// pins returns (11) with the whole number l at which the mean is nearest to i, the smallest
// for a tie.
func (w visitors) pins(mean func(l int) float64) func(i int) float64 {
	return func(i int) float64 {
		l := 0
		for l < 1e6 && math.Abs(mean(l+1)-float64(i)) < math.Abs(mean(l)-float64(i)) {
			l++
		}
		return w.replaced(l)
	}
}

// disable returns h after one more arrival, (24): h_i is the probability that the message at
// rank i was recorded in this cycle.
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

// enabled returns R = sum q_i (1-h_i).
func (w visitors) enabled(h []float64) float64 {
	x := 0.0
	for i, q := range w.q {
		x += q * (1 - h[i])
	}
	return x
}

// renewed is the renewal model: for j = 1, 2, ... the probability that the cycle has a j-th
// arrival (20), that a message not recorded sets a bit then, and that the j-th arrival of
// the popularity's messages finds one not recorded, R.
type renewed struct {
	alive, sets, absent []float64
	ends                bool // the arrivals of a cycle have a finite mean
}

// renewal follows section 5: bits are kept up to bound, and those up to bound count in sets;
// alive counts those up to sigma. Non-retaining; retained, it starts with one message whose
// rank has the law nu.
func (f forgetter) renewal(w visitors, bound int, nu []float64) renewed {
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
			out.ends = true
			return out
		}
		if eta < 1e-17 {
			return out
		}
		bits = f.next(bits, bound, eta)
		h = w.disable(h)
	}
	return out
}

// rate returns the ratio of the sums of (26) and (20) up to j = m, all for m = 0.
func (x renewed) rate(w visitors, m int) float64 {
	if m == 0 {
		if !x.ends {
			return 0 // the sum of the alive has no end
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

// retainedRank returns the law of the rank of the message that a retaining filter starts a
// cycle with, as the renewal model has it: that of the message that ends one.
func (f forgetter) retainedRank(w visitors) []float64 {
	nu := make([]float64, len(w.q))
	for i := range nu {
		nu[i] = 1 / float64(len(nu))
	}
	for range 60 {
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
		}
		nu = next
	}
	return nu
}
