package claims

import "math"

// This file computes the Markov models of Dozier-FN by their formulas, (5)-(11), in float64 sums of positive terms.
// Where a claim repairs a formula, this file has the repaired formula. Each formula is computed independently of the
// others.

// markov returns the false-negative rate of the Markov model of section 4.1, for a filter that retains or does not
// retain. fhat[i] is the probability that a repeat arrival meets a message that is not among i recorded ones. p_r is
// the probability of a repeat, and v_i the probability that i messages fit. gamma(i) is the probability that the next
// message then sets no bit. The rate is the sum of Pi_i p_r fhat[i] (1-gamma(i)), where Pi_i is proportional to v_i/(1
// - p_r + p_r fhat[i]).
func (f fnrFilter) markov(w visitors, fhat func(i int) float64) float64 {
	from, to := f.levels(w)
	rate, total := 0.0, 0.0
	for i := from; i < to; i++ {
		leaves := 1 - w.repeat + w.repeat*fhat(i)
		if leaves == 0 {
			return 0 // the filter never leaves this state
		}
		total += f.v[i] / leaves
		rate += f.unlucky[i] / leaves * w.repeat * fhat(i)
	}
	return rate / total
}

// tail returns the total probability of all messages except the i most popular.
func (w visitors) tail(i int) float64 {
	x := 0.0
	for j := len(w.q) - 1; j >= i; j-- {
		x += w.q[j]
	}
	return x
}

// replaced returns the value of Dozier-FN (6): the probability that a draw is none of i draws with replacement.
func (w visitors) replaced(i int) float64 {
	x := 0.0
	for _, q := range w.q {
		x += q * math.Pow(1-q, float64(i))
	}
	return x
}

// even returns the value of Dozier-FN (7), which is 0 for i beyond the number D of messages.
func (w visitors) even(i int) float64 {
	return max(0, 1-float64(i)/float64(len(w.q)))
}

// sampled returns, for i = 0 to D, the probability that one more draw from Q is none of the i distinct messages drawn
// before. It follows the probabilities of all sets of drawn messages.
func (w visitors) sampled() []float64 {
	fhat := make([]float64, len(w.q)+1)
	law := make([]float64, 1<<len(w.q))
	law[0] = 1
	for set, p := range law { // all subsets of a set come before the set
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

// biuniform returns fhat[i], the probability that a repeat is none of i recorded messages, for the bi-uniform
// distribution. In it, s messages have probability ph and d-s messages have probability pl. The function follows the
// number of recorded messages of the first kind.
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

// pins returns the probability Dozier-FN (11) that a repeat is unrecorded if i messages are recorded. It takes the
// whole number l of draws at which the mean number of distinct messages is nearest to i. If there is a tie, it takes
// the smallest such l.
func (w visitors) pins(mean func(l int) float64) func(i int) float64 {
	return func(i int) float64 {
		l := 0
		for l < 1e6 && math.Abs(mean(l+1)-float64(i)) < math.Abs(mean(l)-float64(i)) {
			l++
		}
		return w.replaced(l)
	}
}
