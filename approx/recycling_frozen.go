package approx

import "github.com/bloomproof/bloomproof"

// An edge is the states from which a cycle can end, first, first+1, ..., sigma, with how many
// arrivals of a cycle find them.
type edge struct {
	first  uint64
	visits []float64
}

func (n *cycleNumbers) edge(g bloomproof.Geometry, sigma uint64) edge {
	first := uint64(0)
	if k := uint64(g.K); sigma >= k {
		first = sigma + 1 - k
	}
	if n.visits != nil {
		return edge{first, n.visits[first:]}
	}
	e := edge{first, make([]float64, sigma+1-first)}
	scale := newClosedForm(g).scale.Hi
	for i := range e.visits {
		e.visits[i] = scale / float64(g.M-first-uint64(i))
	}
	return e
}

// A frozen is the law of the number of set bits of an array when its cycle ends:
// probabilities of first, first+1, ...
type frozen struct {
	first uint64
	law   []float64
}

func (f frozen) last() uint64 { return f.first + uint64(len(f.law)) - 1 }

// mean returns the mean of w.
func (f frozen) mean(w func(b uint64) float64) float64 {
	sum := 0.0
	for i, p := range f.law {
		if p > 0 {
			sum += p * w(f.first+uint64(i))
		}
	}
	return sum
}

// frozenOf returns that law, with the bits of the arrival that ends the cycle or without,
// within (12k+4)u besides the errors of the visits. The arrivals at the edge are followed
// position by position; for FreezeBefore their ends are followed back.
func frozenOf(g bloomproof.Geometry, sigma uint64, e edge, freeze bloomproof.Freeze) frozen {
	n := len(e.visits)
	high := min(sigma+uint64(g.K), g.M)
	p := make([]float64, high-e.first+1)
	step := func(i int, q uint64) (set, free float64) { // of state first+i
		b := e.first + uint64(i)
		left := float64(g.M - q)
		if b > q {
			set = float64(b-q) / left
		}
		return set, min(float64(g.M-b)/left, 1) // 1 where b < q, which cannot be
	}
	f := frozen{first: sigma + 1}
	if freeze == bloomproof.FreezeAfter {
		copy(p, e.visits)
		for q := range g.K {
			for i := len(p) - 1; i >= 0; i-- {
				set, _ := step(i, uint64(taken(g, q)))
				p[i] *= set
				if i > 0 {
					_, free := step(i-1, uint64(taken(g, q)))
					p[i] += p[i-1] * free
				}
			}
		}
		f.law = p[n:]
	} else {
		f.first = e.first
		for i := n; i < len(p); i++ {
			p[i] = 1
		}
		for q := g.K - 1; q >= 0; q-- {
			for i := range n {
				set, free := step(i, uint64(taken(g, q)))
				p[i] = set*p[i] + free*p[i+1]
			}
		}
		f.law = p[:n]
		for i := range f.law {
			f.law[i] *= e.visits[i]
		}
	}
	total := 0.0
	for _, x := range f.law {
		total += x
	}
	for i := range f.law {
		f.law[i] /= total
	}
	return f
}

// Frozen returns the probability that i bits of an array are set when its cycle ends, not
// counting what the arrival that ends it sets (FreezeBefore), or counting it (FreezeAfter).
//
// Source: Dozier-FP, equations (24) and (25), which are FreezeBefore.
// Domain: 0 <= i <= m; the bit-bounded rule.
// Error: relative, at most (22k+20)u (sigma+1) by the chain, Bound() sigma/(k(k+1)) by the
// closed form, and (12k+4)u; a probability below 2^-900 may be 0. The tests meet 1e-13.
// Cost: 2k^2 steps beyond NewCycle.
// Errors: *bloomproof.ParamError.
func (c *Cycle) Frozen(i uint64, freeze bloomproof.Freeze) (float64, error) {
	if err := freeze.Validate(); err != nil {
		return 0, err
	}
	if c.r.Rule != bloomproof.BitBounded {
		return 0, &bloomproof.ParamError{Param: "rule", Value: c.r.Rule, Want: "bit-bounded"}
	}
	if i > c.g.M {
		return 0, &bloomproof.ParamError{Param: "i", Value: i, Want: "at most m"}
	}
	f := frozenOf(c.g, c.r.Sigma, c.n.edge(c.g, c.r.Sigma), freeze)
	if i < f.first || i > f.last() {
		return 0, nil
	}
	return f.law[i-f.first], nil
}

// miss returns 1 - rho(b), b < m, within 3k u.
func miss(g bloomproof.Geometry, b uint64) float64 {
	stay, sum := 1.0, 0.0
	for q := range g.K {
		t := uint64(taken(g, q))
		left := float64(g.M - t)
		sum += stay * (float64(g.M-b) / left)
		if b <= t {
			return min(sum, 1)
		}
		stay *= float64(b-t) / left
	}
	return sum
}

// lawError bounds the relative error of a mean over the frozen law of a weight that is
// proportional to rho, or to rho/(1-rho) if bare, given what the visits err by at the edge
// (see chainError and visitsAt). As the law sums to 1, an error counts only as far as the
// weight varies. The path of a cycle errs by so much besides, at the most.
func lawError(n *cycleNumbers, g bloomproof.Geometry, sigma uint64, f frozen, bare bool) float64 {
	k := float64(g.K)
	spread := 1/hitRatios(g, float64(f.last()))(float64(f.first)) - 1
	if bare && f.last() < g.M {
		spread = (spread+1)*miss(g, f.first)/miss(g, f.last()) - 1
	}
	own := (20*k + 20) * unit
	if n.visits == nil {
		p := poles(g, sigma-min(sigma, uint64(g.K)))
		return own + 2*p*min(spread, 1e9)
	}
	path := (22*k + 20) * float64(sigma+1) * (1 + 2*float64(len(n.enter.law)))
	return own + unit*min(2*path, (10*k+6)*n.arrivals*spread*2)
}
