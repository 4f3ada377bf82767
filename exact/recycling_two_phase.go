package exact

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// A two-phase filter has an active array A of b bits and a frozen one F of f. An arrival
// with the positions P is called a repeat when P is within A or within F, as they are before
// it is recorded; with h(b,d) = b(b-1)...(b-d+1)/(m(m-1)...(m-d+1)) and D positions in P,
//
//	P[P within A] = rho(b) = E[h(b,D)].
//
// With copy-over, what the active array does is what it does with one phase: V_b, the
// starts and the ends are those of recycling_start.go, and of an array at the end of its
// cycle the law is that of Frozen. Only what both arrays know is to be found:
//
//	fresh   P in A and P in F are independent, and the frozen array of the cycle:
//	        f2 = 1 - (1-f1)(1-phi), phi = E[rho(f)], which is (26)
//	fixed   P within the intersection of A and F. What A has from this cycle is a random
//	        set to F. Not retaining, f2 = f1 + phi - sum over d of
//	        P[D=d] [sum over b of pi_b h(b,d)] E[h(f,d)].
//
// Retaining, A begins with the s positions of the trigger, t of which are in F: all, if it
// froze with them (FreezeAfter), those that were not new otherwise. The d positions of P are
// all in both arrays when j are among those t, and the other e = d-j among the f-t others
// of F and also among the b-s that A has since:
//
//	sum over j of C(t,j) C(f-t,e)/C(m,d) h'(b-s,e),   h' as h with m-s for m.
//
// So the sums over a cycle are needed from each start s, and with them the joint law of
// f, t and s, which the trigger makes: its sums are the moments below.
//
// Without copy-over and with fresh positions, an arrival is left out with probability
// rho(f), whatever the active array holds. So a cycle is 1/(1-rho(f)) times as long, and
// what was left out was called a repeat:
//
//	f2 = (f1 + E[rho(f)/(1-rho(f))]) / E[1/(1-rho(f))].

// frozenLimit bounds the steps that the law of the frozen array takes beside the chain:
// k^3, or k^4 where it is to be joined with the start.
const frozenLimit = 1 << 25

// course is the sums over one cycle that begins with s bits.
type course[P any] struct {
	arrivals, repeats P   // one-phase: sum of V_b, of V_b rho(b)
	shared            []P // sum over b of V_b h'(b-s,e), e = 0..k: with fixed positions only
	edge              []P // expected arrivals at the states edges that may end the cycle
}

// longRun returns the expected repeats and arrivals of a cycle in the long run, of a filter
// whose active array does not depend on the frozen one but for what is left out. run gives
// the course from a start; edges are the states from which a cycle can end.
func longRun[T any, P number[T]](f field[T, P], c *Cycle, edges []uint64, run func(start uint64) (course[P], error)) (repeats, arrivals P, err error) {
	starts := c.starts()
	courses := make([]course[P], len(starts))
	for i, s := range starts {
		if courses[i], err = run(s); err != nil {
			return nil, nil, err
		}
	}
	distinct := transitions(f, c.g, 0, c.g.K) // the law of D
	var weights []P
	t := f.zero()
	switch {
	case len(starts) == 1:
		weights = []P{f.int(1)}
	case c.r.Positions == bloomproof.Fresh:
		for _, s := range starts {
			weights = append(weights, distinct[s])
		}
	default:
		next := make([][]P, len(starts))
		ends := make([][]P, len(edges))
		for i, b := range edges {
			ends[i] = make([]P, len(starts))
			for l, s := range starts {
				sum := f.int(0)
				for _, p := range triggers(f, c, b, s, distinct[s]) {
					sum.Add(sum, p)
				}
				ends[i][l] = sum
			}
		}
		for i := range starts {
			for l := range starts {
				p := f.int(0)
				for e := range edges {
					p.Add(p, t.Mul(courses[i].edge[e], ends[e][l]))
				}
				next[i] = append(next[i], p)
			}
		}
		weights = stationary(f, next)
		sum := f.int(0)
		for _, w := range weights {
			sum.Add(sum, w)
		}
		for _, w := range weights {
			w.Quo(w, sum)
		}
	}

	repeats, arrivals = f.int(0), f.int(0)
	edge := make([]P, len(edges))
	for i := range edge {
		edge[i] = f.int(0)
	}
	for i, w := range weights {
		repeats.Add(repeats, t.Mul(w, courses[i].repeats))
		arrivals.Add(arrivals, t.Mul(w, courses[i].arrivals))
		for e := range edge {
			edge[e].Add(edge[e], t.Mul(w, courses[i].edge[e]))
		}
	}
	switch {
	case c.r.Phases == bloomproof.OnePhase:
	case c.r.Positions == bloomproof.Fresh:
		freshFrozen(f, c, edges, edge, distinct, repeats, arrivals)
	default:
		for i, s := range starts {
			known := frozenMoments(f, c, edges, edge, distinct, s)
			l := courses[i]
			for d := 1; d < len(distinct); d++ {
				sum, choose := f.int(0), f.zero().SetInt(binomial(c.g.M, d))
				for j := range d { // j = d: in the active array anyway
					t.Sub(l.arrivals, l.shared[d-j])
					sum.Add(sum, t.Mul(t, known[j][d-j]))
				}
				repeats.Add(repeats, t.Mul(distinct[d], sum.Quo(sum, choose)))
			}
		}
	}
	return repeats, arrivals, nil
}

// freshFrozen adds to the repeats and the arrivals of a cycle what the frozen array knows,
// with fresh positions.
func freshFrozen[T any, P number[T]](f field[T, P], c *Cycle, edges []uint64, edge, distinct []P, repeats, arrivals P) {
	t := f.zero()
	first, law := frozenLaw(f, c, edges, edge)
	if !c.r.NoCopyOver { // repeats + phi (arrivals - repeats)
		phi := f.int(0)
		for i, p := range law {
			phi.Add(phi, t.Mul(p, transitions(f, c.g, first+uint64(i), 0)[0]))
		}
		repeats.Add(repeats, t.Mul(phi, t.Sub(arrivals, repeats)))
		return
	}
	left := f.int(0) // E[rho/(1-rho)]
	for i, p := range law {
		if first+uint64(i) == c.g.M {
			break // p = 0: else Absorbing
		}
		tau := transitions(f, c.g, first+uint64(i), c.g.K)
		out := f.int(0)
		for _, x := range tau[1:] {
			out.Add(out, x)
		}
		left.Add(left, t.Mul(p, t.Quo(tau[0], out)))
	}
	left.Mul(left, arrivals)
	repeats.Add(repeats, left)
	arrivals.Add(arrivals, left)
}

// ends reports whether an arrival that sets x bits beside b ends the cycle, b an edge.
func (c *Cycle) ends(b, x uint64) bool {
	if c.r.Rule == bloomproof.MessageBounded {
		return x > 0
	}
	return b+x > c.r.Sigma
}

// freezes returns the bits of the array that freezes at b bits with a trigger that sets x
// more.
func (c *Cycle) freezes(b, x uint64) uint64 {
	if c.r.Freeze == bloomproof.FreezeBefore {
		return b
	}
	return b + x
}

// triggers returns, for x = 0..d, the probability that an arrival at the edge b has d
// distinct positions, which has probability p, of which x are new, and ends the cycle:
//
//	p C(m-b,x) C(b,d-x)/C(m,d)   where it ends, 0 otherwise.
func triggers[T any, P number[T]](f field[T, P], c *Cycle, b, d uint64, p P) []P {
	ways := make([]P, d+1)
	all := f.zero().SetInt(chooseBig(c.g.M, d))
	for x := range d + 1 {
		w := f.int(0)
		if n := chooseBig(c.g.M-b, x); c.ends(b, x) && n.Sign() > 0 {
			w.SetInt(n.Mul(n, chooseBig(b, d-x)))
			w.Quo(w.Mul(w, p), all)
		}
		ways[x] = w
	}
	return ways
}

// frozenLaw returns the law of the bits of the frozen array, from first on.
func frozenLaw[T any, P number[T]](f field[T, P], c *Cycle, edges []uint64, edge []P) (first uint64, law []P) {
	first = edges[0]
	for range min(edges[len(edges)-1]+uint64(c.g.K), c.g.M) - first + 1 {
		law = append(law, f.int(0))
	}
	for i, b := range edges {
		for x, p := range transitions(f, c.g, b, c.g.K) {
			if c.ends(b, uint64(x)) {
				at := law[c.freezes(b, uint64(x))-first]
				at.Add(at, p.Mul(p, edge[i]))
			}
		}
	}
	return first, law
}

// frozenMoments returns, for cycles that begin with s bits, the sums over the bits n of the
// frozen array, and the number t of those s that are among them, of
//
//	P[n, t, s] C(t,j) C(n-t,e),   j, e = 0..k.
func frozenMoments[T any, P number[T]](f field[T, P], c *Cycle, edges []uint64, edge, distinct []P, s uint64) [][]P {
	k := c.g.K
	known := make([][]P, k+1)
	for j := range known {
		for range k + 1 {
			known[j] = append(known[j], f.int(0))
		}
	}
	v := f.zero()
	if !c.r.Retain {
		first, law := frozenLaw(f, c, edges, edge)
		for i, p := range law {
			for e, ways := range choices(f, first+uint64(i), k) {
				known[0][e].Add(known[0][e], v.Mul(p, ways))
			}
		}
		return known
	}
	others := make([][]P, s+1) // by x: sum of P[n, t, s] C(n-t,e)
	for x := range others {
		for range k + 1 {
			others[x] = append(others[x], f.int(0))
		}
	}
	for i, b := range edges {
		for x, p := range triggers(f, c, b, s, distinct[s]) {
			u := uint64(x)
			if !c.ends(b, u) {
				continue
			}
			p.Mul(p, edge[i])
			for e, ways := range choices(f, c.freezes(b, u)-min(c.freezes(b, u), c.shares(s, u)), k) {
				others[x][e].Add(others[x][e], v.Mul(p, ways))
			}
		}
	}
	for x := range others {
		for j, ways := range choices(f, c.shares(s, uint64(x)), k) {
			for e := range known[j] {
				known[j][e].Add(known[j][e], v.Mul(ways, others[x][e]))
			}
		}
	}
	return known
}

// shares returns how many of the s positions of a trigger that set x bits are in the array
// that freezes.
func (c *Cycle) shares(s, x uint64) uint64 {
	if c.r.Freeze == bloomproof.FreezeBefore {
		return s - x
	}
	return s
}

// choices returns C(n,e), e = 0..k.
func choices[T any, P number[T]](f field[T, P], n uint64, k int) []P {
	all := []P{f.int(1)}
	for e := range uint64(k) {
		p := f.uint(n - min(n, e))
		p.Mul(p, all[e])
		all = append(all, p.Quo(p, f.uint(e+1)))
	}
	return all
}

// rationalCourse returns a course as a rational.
func (c *Cycle) rationalCourse(start uint64, edges []uint64) (course[*big.Rat], error) {
	at := make([]uint64, 0, c.r.Sigma+1-start)
	for b := start; b <= c.r.Sigma; b++ {
		at = append(at, b)
	}
	s, err := c.runRational(start, at)
	if err != nil {
		return course[*big.Rat]{}, err
	}
	l := course[*big.Rat]{arrivals: s[total], repeats: s[repeats]}
	l.shared = sharedSums(rationals, c, start, at, s[visits:])
	for _, b := range edges {
		v := new(big.Rat)
		if b >= start {
			v = s[visits+b-start]
		}
		l.edge = append(l.edge, v)
	}
	return l, nil
}

// sharedSums returns sum over the states at of V_b h'(b-s,e), e = 0..k.
func sharedSums[T any, P number[T]](f field[T, P], c *Cycle, start uint64, at []uint64, v []P) []P {
	sums := make([]P, c.g.K+1)
	for e := range sums {
		sums[e] = f.int(0)
	}
	for i, b := range at {
		p := f.zero()
		p.Set(v[i])
		for e := range sums {
			sums[e].Add(sums[e], p)
			u := uint64(e)
			if b <= start+u {
				break
			}
			p.Mul(p, f.ratio(b-start-u, c.g.M-start-u))
		}
	}
	return sums
}

// hashedCourse returns a course by the chain of recycling_hashes.go.
func (c *Cycle) hashedCourse(start uint64, edges []uint64, work uint) (course[*interval.Interval], error) {
	s, err := c.runHashes(start, edges, work)
	if err != nil {
		return course[*interval.Interval]{}, err
	}
	l := course[*interval.Interval]{arrivals: s[total], repeats: s[repeats], edge: s[visits:]}
	if c.r.Phases == bloomproof.TwoPhase && c.r.Positions == bloomproof.Fixed {
		l.shared = c.hashedShared(start, work)
	}
	return l, nil
}

// hashedShared returns the shared sums of a course by the chain. As in runHashes, V_b is
// too small by at most 5k (b+1) m/(m-b) ulps; the weights h'(b-s,e)/h'(sigma-s,e) are
// products of e factors at most 1, each rounded down, and V_b at most m/(m-b).
func (c *Cycle) hashedShared(start uint64, work uint) []*interval.Interval {
	m, sigma := c.g.M, c.r.Sigma
	w := newHashChain(c.g, work)
	sums := make([]*big.Int, c.g.K+1)
	for e := range sums {
		sums[e] = new(big.Int)
	}
	weight, t := make(fixed, w.n+1), new(big.Int)
	reach := uint64(0)
	for b := start; b <= sigma; b++ {
		v := w.advance(b, b == start)
		reach += (m-1)/(m-b) + 1
		clear(weight)
		weight[w.n] = 1
		for e := range sums {
			sums[e].Add(sums[e], t.Mul(v, weight.int(&w.ws)))
			skip := start + uint64(e)
			if b <= skip {
				break
			}
			weight.muladd(weight, b-skip, nil, 0, sigma-skip, w.t)
		}
	}
	lost := u(5 * uint64(c.g.K))
	lost.Mul(lost, u(sigma+2)).Mul(lost, u(reach))
	lost.Lsh(lost, uint(64*w.n))
	shared := make([]*interval.Interval, len(sums))
	f := intervals(work)
	scale := f.int(1)
	for e, sum := range sums {
		shared[e] = f.zero().SetScaled(sum, t.Add(sum, lost), -128*w.n)
		shared[e].Mul(shared[e], scale)
		if skip := start + uint64(e); e < c.g.K {
			scale.Mul(scale, f.ratio(sigma-min(sigma, skip), m-min(m-1, skip)))
		}
	}
	return shared
}

// Absorbing reports whether the filter can come to a state in which it calls every arrival
// a repeat, records none, and so never recycles again. Since each cycle leads there with
// some probability, the long-run rate is then 1, and there is no capacity. It happens
//
//	without copy-over, when the frozen array can hold all m bits: FreezeAfter, sigma+k >= m
//
// and, standard or classic, in the cases of the message-bounded rule.
//
// Source: semantics alone; no paper states it for the bit-bounded rule.
// Domain: any cycle. Error: none. Cost: k steps. Errors: none.
func (c *Cycle) Absorbing() bool {
	return c.r.NoCopyOver && c.r.Freeze == bloomproof.FreezeAfter && c.canFreeze(c.g.M, c.r.Freeze)
}

// twoPhase returns the rate, or the arrivals of a cycle, by longRun.
func (c *Cycle) twoPhase(prec uint, rate bool) (Enclosure, error) {
	if err := checkPrec(prec); err != nil {
		return Enclosure{}, err
	}
	if rate && !c.reaches(1+placed(c.g, c.g.K-1)) && c.r.Freeze == bloomproof.FreezeBefore {
		return exactlyInt(0, prec), nil // no array ever holds enough
	}
	if c.Absorbing() {
		if rate {
			return exactlyInt(1, prec), nil
		}
		return Enclosure{}, undefined("capacity", "the filter can come to record nothing more, and a cycle never to end")
	}
	edges := c.edge()
	steps := math.Pow(float64(c.g.K), 3)
	if len(c.starts()) > 1 && c.r.Positions == bloomproof.Fixed {
		steps *= float64(c.g.K)
	}
	if steps > frozenLimit {
		return Enclosure{}, tooCostly("the law of the frozen array", steps, frozenLimit)
	}
	if c.short() {
		again, all, err := longRun(rationals, c, edges, func(s uint64) (course[*big.Rat], error) { return c.rationalCourse(s, edges) })
		if err != nil {
			return Enclosure{}, err
		}
		if rate {
			all = again.Quo(again, all)
		}
		return exactly(all, prec), nil
	}
	first := prec + c.guard(c.r.Sigma) + c.guard(edges[0]) + uint(bits.Len64(c.g.M)) + 16
	return zivErr(prec, first, func(work uint) (*interval.Interval, error) {
		again, all, err := longRun(intervals(work), c, edges, func(s uint64) (course[*interval.Interval], error) { return c.hashedCourse(s, edges, work) })
		if err != nil || !rate {
			return all, err
		}
		return again.Quo(again, all), nil
	})
}
