package fnr

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fault"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

const mostRanks = 1 << 22 // the largest number of ranks of a list, which then takes 32 MiB

// The constant "faint" is the value below which probabilities are replaced by 0. It is far above the subnormal numbers.
// The reason is that operations on subnormal numbers take thirty times as long as on normal numbers.
const faint = 0x1p-700

// A value of the type "traffic" holds the probabilities of a workload for each rank. Ranks at the end with popularity 0
// are left out, because a message there is never repeated.
//
// Let h_i be the probability that the message at rank i is recorded, and g_i = 1-h_i. Let p_r be the probability of a
// repeat. Let q_i be the popularity of rank i. One more arrival changes g_i to g_i'. Equation (24) of Dozier-FN gives
// the new value:
//
//	g_i' = [p_r (1-q_i) + (1-p_r) Z_>i] g_i + (1-p_r) Z_<i g_(i-1).
//
// Here Z_<i is the probability that a new message enters before rank i. Z_>i is the probability that it enters after
// rank i. The probability that a repeat is unrecorded is R = sum of q_i g_i. All terms are positive. Let w be the value
// of weightError. Let Z be the distribution of the rank at which a new message enters. The relative errors, in units of
// u = 2^-53, are:
//
//   - q = weight/largest/sum has an error of 2w+3: w from the weight, w from the sum, and three roundings;
//   - Z has one more than q. 1-p_r has 1, so keep and move have 3 more. 1-q subtracts at most 1/2 or is computed as the
//     sum of the others, so it has 1 more. stay is a sum of two products and has 4 more: traffic.off+4;
//   - g has a further product and sum after each arrival: traffic.each;
//   - R after J arrivals has J times traffic.each, plus traffic.off, a product and D-1 sums.
type traffic struct {
	off float64 // a bound of the error of q, in u

	repeat float64   // p_r
	fresh  float64   // 1-p_r
	q      []float64 // popularity
	zeta   []float64 // the distribution of the rank at which new messages enter
	beyond float64   // the probability that a new message enters at a rank that is left out
	keep   []float64 // (1-p_r) Z_>i
	stay   []float64 // the factor of g_i
	move   []float64 // the factor of g_(i-1)
}

// The method "each" bounds the relative error that one arrival adds to the probabilities g[i] that messages are
// unrecorded. The unit of the bound is u = 2^-53.
func (t *traffic) each() float64 { return t.off + 6 }

// The method missingError bounds the relative error of R after the given number of arrivals. R is the probability that
// a repeat is unrecorded. The unit of the bound is u = 2^-53.
func (t *traffic) missingError(arrivals float64) float64 {
	return t.each()*arrivals + t.off + 9 + float64(len(t.q))
}

// The function weightError bounds the relative error of p.Weight. The unit of the bound is u = 2^-53. For Zipf's law
// p.Weight computes x^-alpha. Here x <= 2^22 is a rank counted from 1. Let n be the integer nearest to alpha. For the
// power x^n, math.Pow multiplies repeated squares of x. This power has n roundings, because x^(2^i) has 2^i - 1
// roundings. The rest of the exponent is r = alpha - n with |r| <= 1/2. For this rest, math.Pow computes e^(r ln x).
// The absolute value of r ln x is below 7.7. The product r ln x has a relative error of 3u (fm.Log), and Exp adds 4u.
// The inverse 1/x^alpha adds one more rounding. The bound is the same for all alpha above steepAlpha. There all weights
// except the first are below 2^-steepAlpha.
func weightError(p bloomproof.Popularity) float64 {
	const rest = 28 // 3 * 7.7 + 4, rounded up
	switch {
	case p.Weights != nil:
		return 0
	case p.S > 0:
		return 2 // (1 - s p_h) in one rounding, and a quotient
	case p.Alpha > 0:
		whole := fm.Floor(p.Alpha + 0.5)
		if whole == p.Alpha {
			return min(whole, steepAlpha) + 1
		}
		return min(whole, steepAlpha) + rest + 1
	}
	return 1
}

// newTraffic returns the traffic of a workload.
func newTraffic(w bloomproof.Workload) (*traffic, error) {
	if err := fault.Part(); err != nil {
		return nil, err
	}
	if w.Popularity.D > mostRanks {
		return nil, fmt.Errorf("%w: a list of D = %d messages, at most 2^22", refuse.ErrTooCostly, w.Popularity.D)
	}
	q := normalized(w.Popularity.D, w.Popularity.Weight)
	n := len(q)
	for q[n-1] == 0 {
		n--
	}
	zeta := entryLaw(w, q)
	t := &traffic{
		off:    2*weightError(w.Popularity) + 3,
		repeat: w.Repeat, fresh: 1 - w.Repeat,
		q: q[:n], zeta: zeta[:n],
		keep: make([]float64, n), stay: make([]float64, n), move: make([]float64, n),
	}
	var above, others fm.Double // Z_>i, and the sum of q_i over i > 0
	for i := len(zeta) - 1; i >= 0; i-- {
		if i < n {
			t.keep[i] = t.fresh * above.Hi
		}
		above = above.AddFloat(zeta[i])
		if i == n {
			t.beyond = above.Hi
		}
	}
	for i := n - 1; i > 0; i-- {
		t.stay[i] = t.keep[i] + t.repeat*(1-q[i])
		others = others.AddFloat(q[i])
	}
	t.stay[0] = t.keep[0] + t.repeat*others.Hi
	var below fm.Double
	for i := range n {
		t.move[i] = t.fresh * below.Hi
		below = below.AddFloat(zeta[i])
	}
	return t, nil
}

// The function "comers" returns the number of messages that can arrive. These are the messages whose popularity is not
// replaced by 0.
func comers(p bloomproof.Popularity) uint64 {
	most := p.Weight(0)
	low, high := uint64(0), p.D // low is possible, high is not
	for high-low > 1 {
		if mid := low + (high-low)/2; p.Weight(mid) > faint*most {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// entryLaw returns the distribution of the rank at which new messages enter, given the popularity q.
func entryLaw(w bloomproof.Workload, q []float64) []float64 {
	if w.ArrivalWeights != nil {
		return normalized(w.Popularity.D, func(i uint64) float64 { return w.ArrivalWeights[i] })
	}
	zeta := make([]float64, len(q))
	switch w.Arrivals {
	case bloomproof.ArrivalPopularity:
		return q
	case bloomproof.ArrivalUniform:
		for i := range zeta {
			zeta[i] = 1 / float64(len(q))
		}
	case bloomproof.ArrivalLast:
		zeta[len(q)-1] = 1
	case bloomproof.ArrivalFirst:
		zeta[0] = 1
	}
	return zeta
}

// The function "normalized" returns n values of the function "weight", scaled so that their sum is 1.
func normalized(n uint64, weight func(uint64) float64) []float64 {
	p := make([]float64, n)
	most := 0.0
	for i := range p {
		p[i] = weight(uint64(i))
		most = max(most, p[i])
	}
	var sum fm.Double
	for i := range p {
		p[i] /= most // so that neither the sum nor its parts overflow
		sum = sum.AddFloat(p[i])
	}
	for i := range p {
		if p[i] /= sum.Hi; p[i] < faint {
			p[i] = 0
		}
	}
	return p
}

// The method "nothing" returns g for the state in which no message is recorded. Then g[i], the probability that the
// message at rank i is unrecorded, is 1 for all i.
func (t *traffic) nothing() []float64 {
	g := make([]float64, len(t.q))
	for i := range g {
		g[i] = 1
	}
	return g
}

// The method "without" returns g for the state in which one message is recorded. Here g[i] is the probability that the
// message at rank i is unrecorded. The recorded message is at rank i with probability nu[i]. The traffic can leave out
// some ranks. The last entry of nu is the probability that the recorded message is at such a rank.
func (t *traffic) without(nu []float64) []float64 {
	g := t.nothing()
	for i := range g {
		if g[i] -= nu[i]; g[i] < 0.5 {
			g[i] = 0 // add up the others: the subtraction loses digits
			for l, p := range nu {
				if l != i {
					g[i] += p
				}
			}
		}
	}
	return g
}

// The method "arrival" updates the probabilities g[i] that the messages are unrecorded. It does this for one arrival,
// by equation (24) of Dozier-FN. Suppose that a repeat came just before this arrival. The result "missing" is the
// probability that the message of this repeat would be unrecorded.
func (t *traffic) arrival(g []float64) (missing float64) {
	for len(g) > 0 && g[0] == 0 {
		g = g[1:] // zeros at the beginning remain zeros
	}
	first := len(t.q) - len(g)
	q, stay, move := t.q[first:], t.stay[first:], t.move[first:]
	q, stay, move = q[:len(g)], stay[:len(g)], move[:len(g)]
	var even, odd, before float64
	for i, x := range g {
		even, odd = odd, even+q[i]*x
		y := stay[i]*x + move[i]*before
		if y < faint {
			y = 0
		}
		g[i], before = y, x
	}
	return even + odd
}

// The method "arrivals" does the work of four calls of the method "arrival" in one pass. This is twice as fast.
func (t *traffic) arrivals(g []float64) (missing [4]float64) {
	for len(g) > 0 && g[0] == 0 {
		g = g[1:]
	}
	first := len(t.q) - len(g)
	q, stay, move := t.q[first:], t.stay[first:], t.move[first:]
	q, stay, move = q[:len(g)], stay[:len(g)], move[:len(g)]
	var r0, r1, r2, r3, b0, b1, b2, b3 float64
	for i, x := range g {
		p, s, m := q[i], stay[i], move[i]
		r0 += p * x
		x, b0 = s*x+m*b0, x
		r1 += p * x
		x, b1 = s*x+m*b1, x
		r2 += p * x
		x, b2 = s*x+m*b2, x
		r3 += p * x
		x, b3 = s*x+m*b3, x
		if x < faint {
			x = 0
		}
		g[i] = x
	}
	return [4]float64{r0, r1, r2, r3}
}
