package claims

import "math"

// This file follows recycling filters of thousands of bits in float64. All sums have only positive terms, so relative
// errors stay below 10^-11. The claims compare far larger differences.

// floatKernel returns the probabilities that a message sets d = 0, ..., k new bits when i = 0, ..., m bits are set. It
// adds one hash function after another.
func floatKernel(m, k int, distinct bool) [][]float64 {
	tau := make([][]float64, m+1)
	for i := range tau {
		row := make([]float64, k+1)
		row[0] = 1
		for h := range k {
			drawn := 0
			if distinct {
				drawn = h
			}
			free := float64(m - drawn)
			for d := min(h+1, m-i); d >= 0; d-- {
				x := row[d] * float64(max(i+d-drawn, 0)) / free
				if d > 0 {
					x += row[d-1] * float64(m-i-d+1) / free
				}
				row[d] = x
			}
		}
		tau[i] = row
	}
	return tau
}

// floatRho returns rho(b), the probability that a new message finds all its positions among b set bits.
func floatRho(m, k, b int, distinct bool) float64 {
	x := 1.0
	for i := range k {
		if distinct {
			x *= float64(max(b-i, 0)) / float64(m-i)
		} else {
			x *= float64(b) / float64(m)
		}
	}
	return x
}

// floatChain describes the non-retaining filters with given m and k, for every sigma < m.
type floatChain struct {
	m, k     int
	tau      [][]float64
	rho      []float64
	visits   []float64 // mean number of arrivals in a cycle that see b bits set, for any sigma >= b
	capacity []float64 // mean number of arrivals in a cycle, by sigma
	rate     []float64 // number of false positives per arrival, by sigma
}

func newFloatChain(m, k int, distinct bool) floatChain {
	c := floatChain{m: m, k: k, tau: floatKernel(m, k, distinct)}
	for b := 0; b <= m; b++ {
		c.rho = append(c.rho, floatRho(m, k, b, distinct))
	}
	arrivals, positives := 0.0, 0.0
	for b := range m {
		into := 0.0
		for d := 1; d <= min(k, b); d++ {
			into += c.visits[b-d] * c.tau[b-d][d]
		}
		if b == 0 {
			into = 1
		}
		v := into / (1 - c.tau[b][0])
		arrivals += v
		positives += v * c.rho[b]
		c.visits = append(c.visits, v)
		c.capacity = append(c.capacity, arrivals)
		c.rate = append(c.rate, positives/arrivals)
	}
	return c
}

// frozenRate returns the sum of F_i rho(i) in Dozier-FP (26): the rate of a frozen array. F is the distribution of the
// number of set bits when an array freezes. If after is true, the frozen array includes the last message's bits.
func (c floatChain) frozenRate(sigma int, after bool) float64 {
	total, matched := 0.0, 0.0
	for i := max(0, sigma-c.k+1); i <= sigma; i++ {
		for d := sigma + 1 - i; d <= c.k && i+d <= c.m; d++ {
			x := c.visits[i] * c.tau[i][d]
			total += x
			if after {
				matched += x * c.rho[i+d]
			} else {
				matched += x * c.rho[i]
			}
		}
	}
	return matched / total
}

// sized is a filter that meets a target rate. It has the filter's threshold, capacity and rate.
type sized struct {
	k, sigma int
	capacity float64
	rate     float64
}

// onePhase returns the filter with the largest sigma such that its average rate is at most target.
func (c floatChain) onePhase(target float64) sized {
	out := sized{k: c.k, sigma: -1}
	for sigma, rate := range c.rate {
		if rate > target {
			break
		}
		out = sized{c.k, sigma, c.capacity[sigma], rate}
	}
	return out
}

// twoPhase returns the same for two arrays of m bits each, by Dozier-FP (26). The capacity is the capacity of one
// array.
func (c floatChain) twoPhase(target float64, after bool) sized {
	out := sized{k: c.k, sigma: -1}
	for sigma := range c.m {
		rate := 1 - (1-c.rate[sigma])*(1-c.frozenRate(sigma, after))
		if rate > target {
			break
		}
		out = sized{c.k, sigma, c.capacity[sigma], rate}
	}
	return out
}

// enoughHashes returns a k above the best k for a rate F. The best filter is about half full, and a half-full filter
// needs k = log2(1/F).
func enoughHashes(target float64) int { return 4 + int(-1.2*math.Log2(target)) }

// sizes computes the filters of each m, and keeps the filters of the last m that was asked for.
type sizes struct {
	distinct bool
	m        int
	known    []floatChain
}

// of returns the filters of m bits, for as many values of k as the target rate needs.
func (s *sizes) of(m int, target float64) []floatChain {
	if s.m != m {
		s.m, s.known = m, nil
	}
	for last := enoughHashes(target); len(s.known) < last; {
		s.known = append(s.known, newFloatChain(m, len(s.known)+1, s.distinct))
	}
	return s.known
}

// best returns the largest filter of m bits that meets a rate, over all k.
func (s *sizes) best(m int, target float64) sized {
	return largestOf(s.of(m, target), func(c floatChain) sized { return c.onePhase(target) })
}

// largestOf returns the filter with the largest capacity, over all k.
func largestOf(all []floatChain, size func(c floatChain) sized) sized {
	var out sized
	for _, c := range all {
		if s := size(c); s.capacity > out.capacity {
			out = s
		}
	}
	return out
}

// worstFloat returns the value of Dozier-FP (1), the rate after n messages.
func worstFloat(m, k, n int) float64 {
	return math.Pow(-math.Expm1(float64(k*n)*math.Log1p(-1/float64(m))), float64(k))
}

// worstN returns the largest N with f_w(N) at most target, and actualN returns the largest N with f_a(N) at most
// target. Both estimates come from the rate Dozier-FP (1): f_w takes the rate after N messages. f_a combines the rates
// that the messages i = 1 to N see, each after the i-1 messages before.
func worstN(m, k int, target float64) int {
	n := 0
	for worstFloat(m, k, n+1) <= target {
		n++
	}
	return n
}

func actualN(m, k int, target float64) int {
	positives, n := 0.0, 0
	for {
		f := worstFloat(m, k, n)
		positives += f / (1 - f)
		if positives > target*(float64(n+1)+positives) {
			return n
		}
		n++
	}
}

// actualFloat returns f_a(N) by Dozier-FP (3), the estimate of the average rate.
func actualFloat(m, k, n int) float64 {
	positives := 0.0
	for i := range n {
		f := worstFloat(m, k, i)
		positives += f / (1 - f)
	}
	return positives / (float64(n) + positives)
}

// bestN returns the largest N over all k, and the k that allows it. If there is a tie, it returns the smallest k.
func bestN(m int, target float64, size func(m, k int, target float64) int) (k, n int) {
	for h := 1; h <= enoughHashes(target); h++ {
		if s := size(m, h, target); s > n {
			k, n = h, s
		}
	}
	return k, n
}

func bestActual(m int, target float64) (k, n int) { return bestN(m, target, actualN) }
