package fnr

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

const mostRanks = 1 << 22 // ranks that are listed: 32 MiB a list

// faint is what probabilities are cut off below, long before they are subnormal numbers,
// which cost thirty times as much.
const faint = 0x1p-700

// A traffic is a workload by rank. Ranks that nothing asks for are left out at the end: what
// is there never comes up again.
//
// With g_i = 1-h_i the probability that the message at rank i is recorded nowhere and came
// before, an arrival makes of it, by (24),
//
//	g_i' = [p_r (1-q_i) + (1-p_r) Z_>i] g_i + (1-p_r) Z_<i g_(i-1),
//
// Z_<i and Z_>i being the probabilities that a new message enters before and after rank i,
// and R = sum of q_i g_i is the probability that a repeat arrival finds its message
// unrecorded. All terms are positive. With w for weightError, in u:
//
//   - q = weight/largest/sum errs by 2w+3: w and a rounding each, w of the sum, and a rounding
//     of that;
//   - Z by one more, 1-p_r by 1, so that keep and move err by 3 more, 1-q, at most 1/2 being
//     taken off, or as the sum of the others, by 1 more, and stay, a sum of two products, by 4
//     more: traffic.off+4;
//   - g errs by a product and a sum more after each arrival: traffic.each;
//   - R after J arrivals by J of these, by traffic.off, a product and D-1 sums.
type traffic struct {
	off float64 // q errs by at most so many u

	repeat float64   // p_r
	fresh  float64   // 1-p_r
	q      []float64 // popularity
	zeta   []float64 // where new messages enter
	beyond float64   // where nothing asks for them
	keep   []float64 // (1-p_r) Z_>i
	stay   []float64 // factor of g_i
	move   []float64 // factor of g_(i-1)
}

// each returns by how many u each arrival adds to the error of g, at the most.
func (t *traffic) each() float64 { return t.off + 6 }

// missingError bounds the error of R after so many arrivals, in u.
func (t *traffic) missingError(arrivals float64) float64 {
	return t.each()*arrivals + t.off + 9 + float64(len(t.q))
}

// weightError bounds the relative error of p.Weight, in u. math.Pow multiplies the squares of
// x for the whole part n of alpha, the nearest to it: n roundings, as x^(2^i) errs by 2^i - 1.
// For the rest r, |r| <= 1/2, it takes e^(r ln x), x <= 2^22: |r ln x| < 7.7 errs by 3u of
// itself (fm.Log), and Exp by 4u. The inverse is one more.
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
			return whole + 1
		}
		return whole + rest + 1
	}
	return 1
}

// newTraffic returns the workload by rank.
func newTraffic(w bloomproof.Workload) (*traffic, error) {
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
	var above, others fm.Double // Z_>i; the sum of q_i, i > 0
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

// comers returns how many messages can come: those whose popularity is not cut off.
func comers(p bloomproof.Popularity) uint64 {
	most := p.Weight(0)
	low, high := uint64(0), p.D // low can come, high cannot
	for high-low > 1 {
		if mid := low + (high-low)/2; p.Weight(mid) > faint*most {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// entryLaw returns where new messages enter, q being the popularity.
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

// normalized returns n weights scaled to the sum 1.
func normalized(n uint64, weight func(uint64) float64) []float64 {
	p := make([]float64, n)
	most := 0.0
	for i := range p {
		p[i] = weight(uint64(i))
		most = max(most, p[i])
	}
	var sum fm.Double
	for i := range p {
		p[i] /= most // neither the sum nor its parts overflow
		sum = sum.AddFloat(p[i])
	}
	for i := range p {
		if p[i] /= sum.Hi; p[i] < faint {
			p[i] = 0
		}
	}
	return p
}

// nothing returns g where nothing is recorded.
func (t *traffic) nothing() []float64 {
	g := make([]float64, len(t.q))
	for i := range g {
		g[i] = 1
	}
	return g
}

// without returns g where one message is recorded, at rank i with probability nu_i, and
// where nothing asks for it with the last one.
func (t *traffic) without(nu []float64) []float64 {
	g := t.nothing()
	for i := range g {
		if g[i] -= nu[i]; g[i] < 0.5 {
			g[i] = 0 // the sum of the others
			for l, p := range nu {
				if l != i {
					g[i] += p
				}
			}
		}
	}
	return g
}

// arrival makes of g what an arrival makes of it, (24), and returns R before it.
func (t *traffic) arrival(g []float64) (missing float64) {
	for len(g) > 0 && g[0] == 0 {
		g = g[1:] // zeros at the beginning stay
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

// arrivals is arrival four times, in one pass: that is twice as fast.
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
