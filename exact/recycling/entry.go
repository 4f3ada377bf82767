package recycling

import (
	"math"

	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// startsLimit is the largest permitted value of k^3. Let D be the number of distinct positions of an item. Computing
// the distribution of D takes k^3 products.
const startsLimit = 1 << 24

// The method "starts" returns all possible numbers of set bits at the beginning of a cycle. Without retaining, a cycle
// begins with 0 set bits. With retaining, a cycle begins with the positions of the arrival that ended the previous
// cycle. The number of set bits is then the number of distinct positions of this arrival, and is at least 1 (equation
// (9) of Dozier-FP).
func (c *Cycle) starts() []uint64 {
	if !c.r.Retain {
		return []uint64{0}
	}
	var all []uint64
	for s := c.g.least(); s <= uint64(c.g.K); s++ {
		all = append(all, s)
	}
	return all
}

// The method "reaches" reports whether an arrival can find b bits set. No arrival finds more than sigma bits set,
// because the filter recycles before the next arrival.
func (c *Cycle) reaches(b uint64) bool {
	if b == 0 {
		return !c.r.Retain
	}
	return c.g.least() <= b && b <= c.r.Sigma
}

// The method "edge" returns all numbers of set bits at which an arrival can end the cycle. In the notation of equations
// (5) and (12) of Dozier-FP, these are the numbers b with tau(b,0) > 0. For sigma < k these numbers include 0, and
// equation (7) does not hold.
func (c *Cycle) edge() []uint64 {
	last := c.r.Sigma
	first := last + 1 - min(last+1, uint64(c.g.K))
	states := make([]uint64, 0, last-first+1)
	for b := first; b <= last; b++ {
		states = append(states, b)
	}
	return states
}

// overCycle returns a list of expected numbers per cycle. These are long-run means over many cycles. The comment of the
// type "sums" describes the list. A cycle can begin with several numbers of set bits. For each of these numbers,
// overCycle calls the function "run". It then takes the mean over the distribution of this number.
func overCycle[T any, P field.Number[T]](f field.Of[T, P], c *Cycle, at []uint64, run sums[P]) ([]P, error) {
	if starts := c.starts(); len(starts) == 1 {
		return run(starts[0], at)
	}
	each, weights, err := overStarts(f, c, at, run)
	if err != nil {
		return nil, err
	}
	mean := make([]P, visits+len(at))
	t := f.Zero()
	for i := range mean {
		mean[i] = f.Int(0)
		for s, weight := range weights {
			mean[i].Add(mean[i], t.Mul(weight, each[s][i]))
		}
	}
	return mean, nil
}

// A cycle begins with a number of set bits, which is called the start. For each possible start, overStarts calls the
// function "run" and returns the resulting list. It also returns the probabilities of all possible starts. Suppose that
// the filter retains the triggering message, with standard hashing. Then the start is the number D of distinct
// positions of this message. The numbers D of successive cycles form a Markov chain. The following sum is the
// transition probability from s to d:
//
//	sum over b of V_b(s) P[D = d, the arrival ends the cycle | b bits set].
//
// Here V_b(s) is the expected number of arrivals that find b bits set in a cycle that begins with s bits. An arrival
// has a certain number of distinct positions. With fresh positions, the start has the same distribution as this number.
func overStarts[T any, P field.Number[T]](f field.Of[T, P], c *Cycle, at []uint64, run sums[P]) (each [][]P, law []P, err error) {
	starts := c.starts()
	if cost := math.Pow(float64(c.g.K), 3); cost > startsLimit {
		return nil, nil, refuse.TooCostly("the distribution of the retained positions", cost, startsLimit)
	}
	fresh := c.r.FreshPositions
	var edge []uint64
	if !fresh {
		edge = c.edge()
	}
	asked := append(append([]uint64{}, at...), edge...)
	next := make([][]P, len(starts))
	t := f.Zero()
	var ends [][]P
	for s, start := range starts {
		sums, err := run(start, asked)
		if err != nil {
			return nil, nil, err
		}
		each = append(each, sums)
		if s == 0 {
			ends = endings(f, c, edge)
		}
		for d := range starts {
			p := f.Int(0)
			for i := range edge {
				p.Add(p, t.Mul(sums[visits+len(at)+i], ends[i][d]))
			}
			next[s] = append(next[s], p)
		}
	}
	if fresh {
		return each, transitions(f, c.g, 0, c.g.K)[1:], nil
	}
	law = stationary(f, next)
	all := f.Int(0)
	for _, p := range law {
		all.Add(all, p)
	}
	for _, p := range law {
		p.Quo(p, all)
	}
	return each, law, nil
}

// The argument "edge" is a list of numbers b of set bits. Suppose that an arrival finds b bits set, and let d be from 1
// to k. Consider the event that the arrival has D = d distinct positions and ends the cycle. The function "endings"
// returns the probability of this event for each b and d. Given D = d, the number x of new bits among the d positions
// has a hypergeometric distribution. So the probability is the following sum:
//
//	tau(0,d) * [sum over x > sigma-b of C(m-b,x) C(b,d-x)/C(m,d)].
//
// Equation (10) of Dozier-FP has tau(b,0) tau(0,d) instead. That product would be correct if a different message were
// inserted into the empty array.
func endings[T any, P field.Number[T]](f field.Of[T, P], c *Cycle, edge []uint64) [][]P {
	m, k := c.g.M, uint64(c.g.K)
	distinct := transitions(f, c.g, 0, c.g.K)
	all := make([][]P, len(edge))
	for i, b := range edge {
		for d := uint64(1); d <= k; d++ {
			// The variable "most" is the largest possible number x of new bits. Let x = most. If d <= m-b, all d
			// positions are new. Otherwise, every unset bit is one of the d positions.
			most, of := min(d, m-b), max(d, m-b)
			p := f.Int(1)
			for l := range most {
				p.Mul(p, f.Ratio(of-l, m-l))
			}
			sum := f.Int(0)
			for x := most; x > c.r.Sigma-b; x-- {
				sum.Add(sum, p)
				if d-x >= b {
					break // for smaller x, more than b of the d positions would be set bits
				}
				p.Mul(p, f.Ratio(x, m-b-x+1))
				p.Mul(p, f.Ratio(b-(d-x), d-x+1))
			}
			sum.Mul(sum, distinct[d])
			all[i] = append(all[i], sum)
		}
	}
	return all
}

// The function "stationary" returns the stationary distribution of a Markov chain, up to a common factor. The argument
// p has the transition probabilities. All entries of p must be positive. The function overwrites p. It uses the
// elimination of Grassmann, Taksar and Heyman, which needs no subtraction.
func stationary[T any, P field.Number[T]](f field.Of[T, P], p [][]P) []P {
	t := f.Zero()
	for j := len(p) - 1; j > 0; j-- {
		out := f.Int(0)
		for _, x := range p[j][:j] {
			out.Add(out, x)
		}
		for i := range j {
			p[i][j].Quo(p[i][j], out)
			for l := range j {
				p[i][l].Add(p[i][l], t.Mul(p[i][j], p[j][l]))
			}
		}
	}
	law := []P{f.Int(1)}
	for j := 1; j < len(p); j++ {
		x := f.Int(0)
		for i := range j {
			x.Add(x, t.Mul(law[i], p[i][j]))
		}
		law = append(law, x)
	}
	return law
}
