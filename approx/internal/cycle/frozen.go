package cycle

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/message"
)

// An Edge is the states from which a cycle can end, first, first+1, ..., sigma, with how many
// arrivals of a cycle find them.
type Edge struct {
	First  uint64
	Visits []float64
}

// Edge returns the states from which a cycle of threshold sigma can end.
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

// A Frozen is the law of the number of set bits of an array when its cycle ends:
// probabilities of first, first+1, ...
type Frozen struct {
	First uint64
	Law   []float64
}

// Last returns the most bits that can be set when a cycle ends.
func (f Frozen) Last() uint64 { return f.First + uint64(len(f.Law)) - 1 }

// Mean returns the mean of w.
func (f Frozen) Mean(w func(b uint64) float64) float64 {
	sum := 0.0
	for i, p := range f.Law {
		if p > 0 {
			sum += p * w(f.First+uint64(i))
		}
	}
	return sum
}

// FrozenOf returns that law, with the bits of the arrival that ends the cycle or without,
// within (12k+4)u besides the errors of the visits. The arrivals at the edge are followed
// position by position; for FreezeBefore their ends are followed back.
func FrozenOf(g bloomproof.Geometry, sigma uint64, e Edge, freeze bloomproof.Freeze) Frozen {
	n := len(e.Visits)
	high := min(sigma+uint64(g.K), g.M)
	p := make([]float64, high-e.First+1)
	step := func(i int, q uint64) (set, free float64) { // of state first+i
		b := e.First + uint64(i)
		left := float64(g.M - q)
		if b > q {
			set = float64(b-q) / left
		}
		return set, min(float64(g.M-b)/left, 1) // 1 where b < q, which cannot be
	}
	f := Frozen{First: sigma + 1}
	if freeze == bloomproof.FreezeAfter {
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
		f.Law = p[n:]
	} else {
		f.First = e.First
		for i := n; i < len(p); i++ {
			p[i] = 1
		}
		for q := g.K - 1; q >= 0; q-- {
			for i := range n {
				set, free := step(i, uint64(message.Taken(g, q)))
				p[i] = set*p[i] + free*p[i+1]
			}
		}
		f.Law = p[:n]
		for i := range f.Law {
			f.Law[i] *= e.Visits[i]
		}
	}
	total := 0.0
	for _, x := range f.Law {
		total += x
	}
	for i := range f.Law {
		f.Law[i] /= total
	}
	return f
}
