package recycling

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/cycle"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
	"github.com/bloomproof/bloomproof/approx/internal/occupancy"
)

// lawError bounds the relative error of a mean over the frozen law of a weight that is
// proportional to rho, or to rho/(1-rho) if bare, given what the visits err by at the edge
// (see chainError and visitsAt). As the law sums to 1, an error counts only as far as the
// weight varies. The path of a cycle errs by so much besides, at the most.
func lawError(n *cycle.Numbers, g bloomproof.Geometry, sigma uint64, f cycle.Frozen, bare bool) float64 {
	k := float64(g.K)
	spread := 1/message.HitRatios(g, float64(f.Last()))(float64(f.First)) - 1
	if bare && f.Last() < g.M {
		spread = (spread+1)*message.Miss(g, f.First)/message.Miss(g, f.Last()) - 1
	}
	own := (20*k + 20) * fm.Unit
	if n.Visits == nil {
		p := cycle.Poles(g, sigma-min(sigma, uint64(g.K)))
		return own + 2*p*min(spread, 1e9)
	}
	path := (22*k + 20) * float64(sigma+1) * (1 + 2*float64(len(n.Enter.Law)))
	return own + fm.Unit*min(2*path, (10*k+6)*n.Arrivals*spread*2)
}

// A two-phase filter has an active array of b bits and a frozen one of f. An arrival is
// called a repeat when all of its positions are set in one of them. With copy-over the
// active array does what it does with one phase. With h(b,d) = C(b,d)/C(m,d), f1 the rate
// of the active array and phi = E[rho(f)],
//
//	fresh positions                 f2 = 1 - (1-f1)(1-phi)
//	fixed positions, not retaining  f2 = f1 + sum over d of P[D = d] (1 - E[h(b,d)]) E[h(f,d)]
//
// for what both know of a message are its positions among the bits of both, two random sets
// to each other. Retaining, both contain bits of the message that ended the last cycle:
// its s distinct positions in the active one, t of them in the frozen one. With y the
// frozen array's other bits, j positions of d among the t and e = d-j others,
//
//	sum over j < d of C(t,j) C(y,e)/C(m,d) (N_s - sum over b of V_s(b) C(b-s,e)/C(m-s,e))
//
// arrivals of a cycle are repeats to the frozen array alone, N_s its arrivals. In closed
// form the sum over b is c R_e of m-s bits and sigma-s (see closedNumbers).
//
// Without copy-over and with fresh positions what the frozen array knows leaves the active
// one as it is: a cycle has E[1/(1-rho(f))] times as many arrivals, and all that were left
// out were called repeats.

// addFrozen adds what the frozen array knows to the arrivals and false positives of a cycle.
func addFrozen(n *cycle.Numbers, g bloomproof.Geometry, r bloomproof.Recycling, f cycle.Frozen) error {
	bare := r.NoCopyOver
	switch {
	case r.Positions == bloomproof.Fresh:
		last := f.Last()
		ratio := message.HitRatios(g, float64(last))
		if bare {
			mean := f.Mean(func(b uint64) float64 { return ratio(float64(b)) / message.Miss(g, b) })
			left := message.HitAt(g, last).Times(fm.Double{Hi: n.Arrivals * mean})
			n.Positives = n.Positives.Add(left)
			n.Arrivals += left.Float64()
			break
		}
		phi := message.HitAt(g, last).Times(fm.Double{Hi: f.Mean(func(b uint64) float64 { return ratio(float64(b)) })})
		n.Positives = n.Positives.Add(phi.Times(fm.Double{Hi: n.Arrivals - n.Positives.Float64()}))
	case r.Retain:
		if err := addShared(n, g, r, n.Edge(g, r.Sigma)); err != nil {
			return err
		}
	default:
		most, law := distinctLaw(g, r.Sigma)
		var known []fm.Scaled // c R_d
		if n.Visits == nil {
			cf := cycle.NewClosedForm(g)
			for _, x := range cycle.HitSums(g.M, r.Sigma, most, len(law)) {
				known = append(known, x.Times(cf.Scale))
			}
		} else {
			for i := range law {
				known = append(known, hitsOf(g.M, n.Visits, most-i))
			}
		}
		for i, p := range law {
			at := bloomproof.Geometry{M: g.M, K: most - i, Hashing: bloomproof.Classic}
			ratio := message.HitRatios(at, float64(f.Last()))
			h := message.HitAt(at, f.Last()).Times(fm.Double{Hi: f.Mean(func(b uint64) float64 { return ratio(float64(b)) })})
			n.Positives = n.Positives.Add(h.Mul(p).Times(fm.Double{Hi: n.Arrivals - known[i].Float64()}))
		}
	}
	if r.Rule == bloomproof.MessageBounded { // the law errs as the sums do
		n.Err *= 2
	} else {
		n.Err += lawError(n, g, r.Sigma, f, bare)
	}
	n.Err += n.Err
	return nil
}

// distinctLaw returns P[D = most-i], i = 0, 1, ..., of the number of distinct positions of a
// message, for sums of its products with C(y,D)/C(m,D), y about sigma: what is left out is
// below 2^-75 of those.
func distinctLaw(g bloomproof.Geometry, sigma uint64) (most int, law []fm.Scaled) {
	if g.Hashing == bloomproof.Classic {
		return g.K, []fm.Scaled{fm.Whole(1).Scale()}
	}
	fill := fm.Whole(1)
	if k := uint64(g.K); g.M-sigma > k {
		fill = fm.Whole(sigma + k).Quo(fm.Whole(g.M))
	}
	row := occupancy.New(g.M, g.K, fill, 0)
	scale := row.Total
	for range g.K - row.Most {
		scale = scale.Times(fill)
	}
	for _, w := range row.W {
		law = append(law, scale.Times(fm.Double{Hi: w}))
		scale = scale.Times(fill)
	}
	return row.Most, law
}

// hitsOf returns the sum over b of v[b] C(b,d)/C(m,d).
func hitsOf(m uint64, v []float64, d int) fm.Scaled {
	if d >= len(v) {
		return fm.Scaled{}
	}
	g := bloomproof.Geometry{M: m, K: d, Hashing: bloomproof.Classic}
	_, hits := cycle.Sums(g, v)
	return message.HitAt(g, uint64(len(v)-1)).Times(fm.Double{Hi: hits})
}

// addShared adds what the frozen array alone knows, with fixed positions and retaining.
func addShared(n *cycle.Numbers, g bloomproof.Geometry, r bloomproof.Recycling, e cycle.Edge) error {
	most, law := distinctLaw(g, r.Sigma)
	enter := n.Enter
	if n.Visits == nil {
		enter = cycle.Entry{First: uint64(g.K), Law: []float64{1}}
		if g.Hashing != bloomproof.Classic {
			enter = cycle.NewClosedForm(g).Entry(r.Positions)
		}
	}
	for i := range enter.Law {
		s := enter.First + uint64(i)
		known, err := knownFrom(n, g, r.Sigma, s, most)
		if err != nil {
			return err
		}
		var p float64 // P[D = s]
		if at := most - int(s); at < len(law) {
			p = law[at].Float64()
		}
		ends := endsWith(g, r, e, int(s), p)
		for l, p := range law {
			n.Positives = n.Positives.Add(sharedHits(g.M, ends, most-l, p, known))
		}
	}
	return nil
}

// knownFrom returns N_s less the sum over b of V_s(b) C(b-s,e)/C(m-s,e) as a function of e,
// 1 <= e <= most.
func knownFrom(n *cycle.Numbers, g bloomproof.Geometry, sigma, s uint64, most int) (func(e int) float64, error) {
	if n.Visits == nil {
		f := cycle.NewClosedForm(g)
		arrivals := f.Scale.Mul(cycle.Harmonic(g.M-sigma, g.M-s)).AddFloat(f.Offset).Hi
		found := cycle.HitSums(g.M-s, sigma-s, most, most)
		return func(e int) float64 { return arrivals - found[most-e].Times(f.Scale).Float64() }, nil
	}
	v, err := cycle.Entry{First: s, Law: []float64{1}}.Visits(g, sigma)
	if err != nil {
		return nil, err
	}
	arrivals, _ := cycle.Sums(g, v)
	have := make(map[int]float64)
	return func(e int) float64 {
		if _, ok := have[e]; !ok {
			have[e] = arrivals - hitsOf(g.M-s, v[s:], e).Float64()
		}
		return have[e]
	}, nil
}

// an ending is how the frozen array comes to be with a cycle that begins with s positions.
type ending struct {
	first uint64      // least y
	p     [][]float64 // p[t][y-first]: probability of t of the s positions and y other bits
}

// endsWith returns the joint law of t and y for cycles that begin with s positions, which a
// message has with probability p. An arrival at the edge b of which x positions are new
// leaves b+x bits, with the s positions among them, or b, with s-x of them: in both cases
// y = b+x-s. All terms are positive: within (6k+20)u.
func endsWith(g bloomproof.Geometry, r bloomproof.Recycling, e cycle.Edge, s int, p float64) ending {
	out := ending{first: r.Sigma + 1 - uint64(s), p: make([][]float64, s+1)}
	for i, v := range e.Visits {
		b := e.First + uint64(i)
		room := int(r.Sigma - b)
		law := freshLaw(g.M, b, s)
		for x := room + 1; x <= s; x++ {
			t := s
			if r.Freeze == bloomproof.FreezeBefore {
				t = s - x
			}
			if out.p[t] == nil {
				out.p[t] = make([]float64, g.K)
			}
			out.p[t][x-room-1] += p * v * law[x]
		}
	}
	return out
}

// freshLaw returns the law of the number of fresh positions among d distinct ones where b
// bits are set: C(m-b,x) C(b,d-x)/C(m,d).
func freshLaw(m, b uint64, d int) []float64 {
	p := make([]float64, d+1)
	p[0] = 1
	for i := range d {
		left := float64(m - uint64(i))
		for x := i + 1; x >= 0; x-- {
			sum := 0.0
			if own := uint64(i - x); x <= i && b > own {
				sum = p[x] * (float64(b-own) / left)
			}
			if x > 0 && m-b >= uint64(x) {
				sum += p[x-1] * (float64(m-b-uint64(x-1)) / left)
			}
			p[x] = sum
		}
	}
	return p
}

// sharedHits returns the false positives of a cycle to the frozen array alone, of messages
// of d distinct positions, which have the probability p. A term is at most k^2/(y-d) times
// the one before.
func sharedHits(m uint64, ends ending, d int, p fm.Scaled, known func(e int) float64) fm.Scaled {
	var all fm.Scaled
	width := uint64(len(ends.p))
	steep := ends.first > 2*width*width+2*width
	for j := range d {
		e := d - j
		at := bloomproof.Geometry{M: m, K: e, Hashing: bloomproof.Classic}
		last := ends.first + 2*width // beyond the largest y, and e
		ratio := message.HitRatios(at, float64(last))
		var weights []float64
		sum := 0.0
		for t, law := range ends.p {
			if law == nil || t < j {
				continue
			}
			choose := 1.0 // C(t,j) d!/e! / ((m-e) ... (m-d+1))
			for i := range j {
				choose *= float64(t-i) / float64(i+1) * float64(d-i) / float64(m-uint64(e+i))
			}
			for i, q := range law {
				if len(weights) == i {
					weights = append(weights, ratio(float64(ends.first+uint64(i))))
				}
				sum += q * choose * weights[i]
			}
		}
		if sum == 0 {
			continue
		}
		term := message.HitAt(at, last).Mul(p).Times(fm.Double{Hi: sum * known(e)})
		all = all.Add(term)
		if steep && term.Quo(all) < 0x1p-60 {
			break
		}
	}
	return all
}
