package cycle

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
)

// An Edge describes the states First, First+1, ..., sigma from which a cycle can end. A state is a number of set bits.
// The field Visits has one number for each of these states. Consider the arrivals in a cycle that find the filter in
// this state. The number is the mean number of these arrivals.
type Edge struct {
	First  uint64
	Visits []float64
}

// Edge returns the Edge of a cycle that ends when more than sigma bits are set.
func (n *Numbers) Edge(g bloomproof.Geometry, sigma uint64) Edge {
	first := uint64(0)
	if k := uint64(g.K); sigma >= k {
		first = sigma + 1 - k
	}
	if n.Visits != nil {
		return Edge{first, n.Visits[first:]}
	}
	e := Edge{first, make([]float64, sigma+1-first)}
	scale := NewClosedForm(g).Scale.Hi
	for i := range e.Visits {
		e.Visits[i] = scale / float64(g.M-first-uint64(i))
	}
	return e
}

// A Frozen is the distribution of the number of set bits of an array when its cycle ends. It holds the probabilities of
// the numbers First, First+1, ...
type Frozen struct {
	First uint64
	Law   []float64
	Lost  float64 // for message-bounded cycles, the probability that was cut off at the upper end

	wide func() ([]fm.Scaled, error) // returns Law as numbers with exponents; nil if float64 suffices
}

// Divide a weighted mean over the states by the largest weight. The mean can be wrong if the quotient is below
// rareMean. There are two reasons. First, the probabilities of important states may be too small for a float64. Second,
// states with probabilities below 2^-900 are left out, although the mean may depend on them. The mean is then computed
// with numbers of the type fm.Scaled.
const rareMean = 0x1p-800

// Last returns the largest possible number of set bits at the end of a cycle.
func (f Frozen) Last() uint64 { return f.First + uint64(len(f.Law)) - 1 }

// The number b of set bits has the distribution f. The method "mean" returns the mean of w(b).
func (f Frozen) mean(w func(b uint64) float64) float64 {
	sum := 0.0
	for i, p := range f.Law {
		if p > 0 {
			sum += p * w(f.First+uint64(i))
		}
	}
	return sum
}

// Hits returns the mean of rho(b). Here b is the number of set bits, which has the distribution f. The number rho(b) is
// the probability that a message finds all its positions set. If bare is set, Hits returns the mean of
// rho(b)/(1-rho(b)) instead. The relative error is at most (6k+10)u (u = 2^-53).
func (f Frozen) Hits(g bloomproof.Geometry, bare bool) (fm.Scaled, error) {
	last := f.Last()
	at := message.HitAt(g, last)
	if at.Hi == 0 {
		return at, nil
	}
	over := func(b uint64) float64 {
		if bare {
			return message.Miss(g, b)
		}
		return 1
	}
	ratio := message.HitRatios(g, float64(last))
	mean := f.mean(func(b uint64) float64 { return ratio(float64(b)) / over(b) })
	if mean >= rareMean || f.wide == nil {
		return at.Times(fm.Double{Hi: mean}), nil
	}
	law, err := f.wide()
	var sum fm.Scaled
	for i, p := range law {
		b := f.First + uint64(i)
		sum = sum.Add(p.Mul(message.HitAt(g, b)).Times(fm.Whole(1).QuoFloat(over(b))))
	}
	return sum, err
}

// Negligible is the fraction of a sum that may be left out. The caller may multiply the terms of the sum by factors of
// up to 2^24. Then at most a fraction 2^-76 of the sum is left out.
const Negligible = 0x1p-100

// Found returns p[d] times the mean of C(b,d)/C(m,d), for each d >= 1. Here b is the number of set bits of the frozen
// array, and m is the total number of its bits. This mean is the probability that d distinct positions are all set.
// Each result has a relative error of at most (2d+10)u (u = 2^-53), unless it is negligible compared with the sum of
// all results.
func (f Frozen) Found(m uint64, p []fm.Scaled) ([]fm.Scaled, error) {
	last := f.Last()
	law := append([]float64(nil), f.Law...) // the probabilities times C(b,d)/C(last,d)
	at := fm.Whole(1).Scale()               // C(last,d)/C(m,d)
	found := make([]fm.Scaled, len(p))
	var sum, rare fm.Scaled
	for d := uint64(0); d < uint64(len(p)) && d <= last; d++ {
		mean := 0.0
		for i, x := range law {
			mean += x
			law[i] = 0
			if b := f.First + uint64(i); b > d {
				law[i] = x * (float64(b-d) / float64(last-d))
			}
		}
		if here := p[d].Mul(at); mean >= rareMean {
			found[d] = here.Times(fm.Double{Hi: mean})
			sum = sum.Add(found[d])
		} else {
			rare = rare.Add(here.Times(fm.Double{Hi: rareMean}))
		}
		if d < last {
			at = at.Times(fm.Whole(last - d).Quo(fm.Whole(m - d)))
		}
	}
	if f.wide != nil && rare.Hi > 0 && (sum.Hi == 0 || rare.Quo(sum) > Negligible) {
		return f.foundWide(m, p)
	}
	return found, nil
}

// foundWide computes the same results as Found, on numbers of the type fm.Scaled.
func (f Frozen) foundWide(m uint64, p []fm.Scaled) ([]fm.Scaled, error) {
	law, err := f.wide() // the probabilities times C(b,d)/C(m,d)
	if err != nil {
		return nil, err
	}
	found := make([]fm.Scaled, len(p))
	for d := uint64(0); d < uint64(len(p)) && d <= f.Last(); d++ {
		for i, x := range law {
			found[d] = found[d].Add(x.Mul(p[d]))
			law[i] = fm.Scaled{}
			if b := f.First + uint64(i); b > d {
				law[i] = x.Times(fm.Whole(b - d).Quo(fm.Whole(m - d)))
			}
		}
	}
	return found, nil
}

// Frozen returns the distribution of the number of set bits of an array when its cycle ends. If freezeBefore is true,
// the last arrival of the cycle is left out: its bits do not count. The probabilities have a relative error of at most
// (12k+4)u (u = 2^-53), in addition to the errors of the visits.
func (n *Numbers) Frozen(g bloomproof.Geometry, sigma uint64, freezeBefore bool) Frozen {
	e := n.Edge(g, sigma)
	f := Frozen{First: e.First, Law: e.ends(g, sigma, freezeBefore)}
	if !freezeBefore {
		f.First = sigma + 1
	}
	total := 0.0
	for _, x := range f.Law {
		total += x
	}
	for i := range f.Law {
		f.Law[i] /= total
	}
	if message.Avoids(g) && sigma < uint64(g.K) { // the first arrival ends the cycle
		for f.Law[0] == 0 {
			f.Law = f.Law[1:]
			f.First++
		}
		for f.Law[len(f.Law)-1] == 0 {
			f.Law = f.Law[:len(f.Law)-1]
		}
	} else if n.Visits != nil {
		f.wide = func() ([]fm.Scaled, error) { return n.Enter.ends(g, sigma, freezeBefore) }
	}
	return f
}

// The method "ends" returns the probability that a cycle ends with b set bits, for b = First, First+1, .... If the bits
// of the arrival that ends the cycle are included, First is sigma+1. Some arrivals find the filter in a state of e. The
// positions of these arrivals are processed one by one. With freezeBefore the recursion goes backwards from the last
// position.
func (e Edge) ends(g bloomproof.Geometry, sigma uint64, freezeBefore bool) []float64 {
	n := len(e.Visits)
	high := min(sigma+uint64(g.K), g.M)
	p := make([]float64, high-e.First+1)
	step := func(i int, q uint64) (set, free float64) { // returns the probabilities for state first+i
		b := e.First + uint64(i)
		left := float64(g.M - q)
		if b > q {
			set = float64(b-q) / left
		}
		return set, min(float64(g.M-b)/left, 1) // at most 1, for b < q, which is impossible
	}
	if !freezeBefore {
		copy(p, e.Visits)
		for q := range g.K {
			for i := len(p) - 1; i >= 0; i-- {
				set, _ := step(i, uint64(message.Taken(g, q)))
				p[i] *= set
				if i > 0 {
					_, free := step(i-1, uint64(message.Taken(g, q)))
					p[i] += p[i-1] * free
				}
			}
		}
		return p[n:]
	}
	for i := n; i < len(p); i++ {
		p[i] = 1
	}
	for q := g.K - 1; q >= 0; q-- {
		for i := range n {
			set, free := step(i, uint64(message.Taken(g, q)))
			p[i] = set*p[i] + free*p[i+1]
		}
	}
	for i, v := range e.Visits {
		p[i] *= v
	}
	return p[:n]
}

// The method "ends" computes the same distribution as Edge.ends, for cycles whose first state has the distribution e.
// It computes with numbers of the type fm.Scaled. It treats each state from which a cycle can end separately. Suppose
// that a contribution of such a state is too small for a float64. Then it is negligible compared with the other
// contributions of the same state.
func (e Entry) ends(g bloomproof.Geometry, sigma uint64, freezeBefore bool) ([]fm.Scaled, error) {
	_, visits, err := e.wide(g, sigma)
	if err != nil {
		return nil, err
	}
	edge := Edge{sigma + 1 - uint64(len(visits)), make([]float64, len(visits))}
	var law []fm.Scaled
	var total fm.Scaled
	for i, v := range visits {
		clear(edge.Visits)
		edge.Visits[i] = 1
		for j, p := range edge.ends(g, sigma, freezeBefore) {
			if len(law) == j {
				law = append(law, fm.Scaled{})
			}
			law[j] = law[j].Add(v.Times(fm.Double{Hi: p}))
			total = total.Add(v.Times(fm.Double{Hi: p}))
		}
	}
	for j := range law {
		law[j] = law[j].Times(fm.Whole(1).QuoFloat(total.Float64()))
	}
	return law, nil
}
