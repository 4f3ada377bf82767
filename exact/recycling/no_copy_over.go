package recycling

import (
	"cmp"
	"errors"
	"maps"
	"math"
	mathbits "math/bits"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/enclose"
	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// This file computes the rates of two-phase filters with fixed positions and without copy-over. Let F be the frozen
// array and A the active array. An arrival that F matches is not recorded, so the bits of A are not independent of F.
// But the positions of a new arrival are independent of both arrays. So only three numbers matter: f, x and y. Here f
// bits are set in F, x bits are set in both A and F, and y bits are set in A but not in F. Suppose that an arrival is
// recorded. It sets j new bits inside F and n new bits outside F. Let b = x+y and q = j+n. This outcome has the
// following probability:
//
//	P[j, n, recorded] = C(f-x,j) C(m-f-y,n) [w(b,q) - [n = 0] w(x,j)].
//
// Here w(b,q) is tau(b,b+q)/C(m-b,q). The number tau(b,b+q) is the probability that an arrival changes the number of
// set bits from b to b+q. Choose any q of the m-b unset bits. Then w(b,q) is the probability that two events both
// happen. First, the positions of an arrival include all these q bits. Second, its other positions are among the b set
// bits. For n = 0 the probability that all positions are in F is subtracted. Let rho(b) be the rate of an array with b
// set bits. An arrival is reported as a repeat with probability rho(f) + rho(b) - rho(x). Let a triggering message have
// d distinct positions. Let P[q, recorded | d] be the probability that it is recorded and sets q new bits. Then
//
//	P[q, recorded | d] = [C(m-b,q) C(b,d-q) - C(f-x,q) C(x,d-q)]/C(m,d).
//
// The next cycle depends on the previous cycle only through a few numbers. One of them is f. With retaining, two more
// numbers matter. One is the number s of positions of the triggering message. The other is the number t of these
// positions that are in F. For bit-bounded filters that do not retain the triggering message, no_copy_over_hashes.go
// follows the chain position by position. The smallest filters are an exception.

// jointLimit is the limit for a product of two numbers. The first is the number of states of all cycles. The second is
// the number of jumps from each state. A jump takes 2 us.
const jointLimit = 1 << 23

// The subtractions are assumed to lose this number of bits:
//
//	2 log2(m) min(k, jointLossy) + jointSpare.
//
// The constants were found by observation. A run whose precision is too low is repeated with a higher precision.
const (
	jointLossy = 8
	jointSpare = 64
)

// jointSteps returns an upper bound of the number of steps for c.
func (c *Cycle) jointSteps() float64 {
	k := float64(c.g.K)
	most, starts, levels := float64(c.r.Sigma)+1, k, 1.0
	if c.r.Messages > 0 {
		most = float64(c.mostBits(c.r.Messages-1)) + 1
		starts, levels = most+k, float64(c.r.Messages)
	}
	if c.r.Retain {
		starts *= k + 1 - float64(c.g.least())
	}
	if c.r.Retain && c.r.FreezeBefore {
		starts *= k
	}
	return most * most / 2 * levels * starts * (k + 1) * (k + 2) / 2
}

// A jointStart describes the beginning of a cycle: the numbers of bits in the frozen array, in the active array, and in
// both.
type jointStart struct{ frozen, active, both uint64 }

// A jointChain computes the expected numbers of arrivals and repeats for the cycles that this file is about.
type jointChain[T any, P field.Number[T]] struct {
	field.Of[T, P]
	c        *Cycle
	w        map[uint64][]P // for each b, the numbers w(b,q) for q = 0..k
	choose   map[uint64][]P // for each n, the numbers C(n,e) for e = 0..k
	distinct []P
}

// A jointCycle holds two expected numbers for a cycle with a given start: the number of repeats and the number of
// arrivals. It also holds the probability of each possible start of the next cycle.
type jointCycle[P any] struct {
	repeats, arrivals P
	ends              map[jointStart]P
	stuck             bool // whether the cycle can reach a state in which nothing more is recorded
}

func newJointChain[T any, P field.Number[T]](f field.Of[T, P], c *Cycle) *jointChain[T, P] {
	return &jointChain[T, P]{Of: f, c: c, w: map[uint64][]P{}, choose: map[uint64][]P{}, distinct: transitions(f, c.g, 0, c.g.K)}
}

// The method "ways" returns w(b,q). This is the probability that two events both happen. First, the positions of the
// arrival include q given bits that are unset. Second, all its other positions are among b set bits.
func (a *jointChain[T, P]) ways(b, q uint64) P {
	w, known := a.w[b]
	if !known {
		w = transitions(a.Of, a.c.g, b, a.c.g.K)
		for q, choose := range choices(a.Of, a.c.g.M-b, len(w)-1) {
			w[q].Quo(w[q], choose)
		}
		a.w[b] = w
	}
	return w[q]
}

// The method "choices" returns the binomial coefficients C(n,e) for e = 0..k.
func (a *jointChain[T, P]) choices(n uint64) []P {
	all, known := a.choose[n]
	if !known {
		all = choices(a.Of, n, a.c.g.K)
		a.choose[n] = all
	}
	return all
}

// The type "jump" describes one possible outcome of a recorded arrival. The arrival sets j+n new bits. Of these, j bits
// are set in the frozen array, and n bits are not.
type jump[P any] struct {
	j, n uint64
	p    P
}

// jumpsFrom returns all jumps from the state (x, y). In this state, x bits are set in both arrays, and y bits are set
// only in the active array. The argument f is the number of bits of the frozen array.
func (a *jointChain[T, P]) jumpsFrom(f, x, y uint64) []jump[P] {
	k, m := uint64(a.c.g.K), a.c.g.M
	b := x + y
	inside, outside := a.choices(f-x), a.choices(m-f-y)
	var all []jump[P]
	for j := range min(k, f-x) + 1 {
		for n := range min(k-j, m-f-y) + 1 {
			q := j + n
			if q == 0 || !canMove(a.c.g, b, b+q) || n == 0 && (y == 0 || q == k) {
				continue
			}
			p := a.Zero()
			if p.Set(a.ways(b, q)); n == 0 {
				p.Sub(p, a.ways(x, j))
			}
			p.Mul(p, inside[j])
			all = append(all, jump[P]{j, n, p.Mul(p, outside[n])})
		}
	}
	return all
}

// The method "follow" computes the jointCycle for the given start.
func (a *jointChain[T, P]) follow(start jointStart) (jointCycle[P], error) {
	if err := fault.Part(); err != nil {
		return jointCycle[P]{}, err
	}
	c, f := a.c, start.frozen
	s := jointCycle[P]{a.Int(0), a.Int(0), map[jointStart]P{}, false}
	type state struct{ x, y uint64 }
	level := map[state]P{{start.both, start.active - start.both}: a.Int(1)}
	caught := transitions(a.Of, c.g, f, 0)[0] // caught is rho(f), the probability that the frozen array matches
	bit, last := c.r.Messages == 0, c.r.Messages-1
	for n := c.counted(); ; n++ {
		next := map[state]P{}
		into := next
		if bit {
			into = level // the states of a level are visited in ascending order
		}
		for b := start.active; b <= c.g.M && len(level) > 0; b++ {
			for x := min(b, f) + 1; x > 0; x-- {
				at := state{x - 1, b - (x - 1)}
				in := level[at]
				if in == nil {
					continue
				}
				delete(level, at)
				out := a.Int(0)
				jumps := a.jumpsFrom(f, at.x, at.y)
				for _, to := range jumps {
					out.Add(out, to.p)
				}
				if len(jumps) == 0 {
					s.stuck = true
					continue
				}
				v := a.Zero()
				v.Quo(in, out)
				s.arrivals.Add(s.arrivals, v)
				t := a.Zero()
				t.Sub(a.ways(b, 0), a.ways(at.x, 0))
				t.Add(t, caught)
				t.Mul(t, v)
				s.repeats.Add(s.repeats, t)
				if bit || n == last {
					a.end(s.ends, f, at.x, at.y, v, jumps)
				}
				for _, l := range jumps {
					if bit && b+l.j+l.n > c.r.Sigma {
						continue
					}
					to := state{at.x + l.j, at.y + l.n}
					if into[to] == nil {
						into[to] = a.Int(0)
					}
					into[to].Add(into[to], t.Mul(l.p, v))
				}
			}
		}
		if bit || n == last {
			return s, nil
		}
		level = next
	}
}

// Let v be the expected number of arrivals in the state (x, y). Such an arrival can end the cycle. The next cycle then
// begins with some start. For each possible start, the method "end" computes the probability of this outcome. It adds
// the result to the map "ends".
func (a *jointChain[T, P]) end(ends map[jointStart]P, f, x, y uint64, v P, jumps []jump[P]) {
	c, b := a.c, x+y
	add := func(next jointStart, p P) {
		if ends[next] == nil {
			ends[next] = a.Int(0)
		}
		ends[next].Add(ends[next], a.Zero().Mul(p, v))
	}
	if !c.r.Retain {
		for _, l := range jumps {
			if c.ends(b, l.j+l.n) {
				add(jointStart{frozen: c.freezes(b, l.j+l.n)}, l.p)
			}
		}
		return
	}
	for d := int(c.g.least()); d < len(a.distinct); d++ {
		u := uint64(d)
		for q := uint64(1); q <= min(u, c.g.M-b); q++ {
			if !c.ends(b, q) {
				continue
			}
			ways, inside := chooseBig(c.g.M-b, q), chooseBig(f-x, q)
			ways.Mul(ways, chooseBig(b, u-q))
			inside.Mul(inside, chooseBig(x, u-q))
			ways.Sub(ways, inside)
			if ways.Sign() == 0 {
				continue
			}
			p := a.Zero()
			p.SetInt(ways)
			p.Mul(p, a.distinct[d])
			p.Quo(p, a.Zero().SetInt(chooseBig(c.g.M, u)))
			add(jointStart{c.freezes(b, q), u, c.shares(u, q)}, p)
		}
	}
}

// errStuck reports that the filter certainly reaches a state in which it records nothing more.
var errStuck = errors.New("exact: stuck")

// longRun returns two long-run means for a cycle: the number of repeats, and the number of arrivals. It may return
// errStuck instead.
func (a *jointChain[T, P]) longRun() (repeats, arrivals P, err error) {
	starts := []jointStart{{}}
	index := map[jointStart]int{{}: 0}
	var cycles []jointCycle[P]
	stuck := false
	for i := 0; i < len(starts); i++ {
		s, err := a.follow(starts[i])
		if err != nil {
			return nil, nil, err
		}
		stuck = stuck || s.stuck
		cycles = append(cycles, s)
		for _, next := range sortedStarts(s.ends) {
			if _, met := index[next]; !met {
				index[next] = len(starts)
				starts = append(starts, next)
			}
		}
	}
	// A cycle can begin in several states. The argument "reached" marks some of these states. The function "leads"
	// reports whether a marked state can be reached from every other state.
	leads := func(reached []bool) bool {
		for grown := true; grown; {
			grown = false
			for i := range starts {
				for next := range cycles[i].ends {
					if reached[index[next]] && !reached[i] {
						reached[i], grown = true, true
					}
				}
			}
		}
		return !slices.Contains(reached, false)
	}
	if stuck {
		ends := make([]bool, len(starts))
		for i, s := range cycles {
			ends[i] = s.stuck
		}
		if leads(ends) {
			return nil, nil, errStuck
		}
		return nil, nil, refuse.Undefined("the long run", "chance decides in the first cycles whether the filter comes to record nothing more, or never does")
	}
	// The elimination begins with one start of a cycle. It must be possible to reach this start from all other starts.
	first := 0
	for ; ; first++ {
		reached := make([]bool, len(starts))
		if reached[first] = true; leads(reached) {
			break
		}
	}
	starts[0], starts[first] = starts[first], starts[0]
	cycles[0], cycles[first] = cycles[first], cycles[0]
	for i, s := range starts {
		index[s] = i
	}
	chain := make([][]P, len(starts))
	for i := range chain {
		for range starts {
			chain[i] = append(chain[i], a.Int(0))
		}
		for next, p := range cycles[i].ends {
			chain[i][index[next]] = p
		}
	}
	repeats, arrivals = a.Int(0), a.Int(0)
	t := a.Zero()
	law := stationary(a.Of, chain)
	sum := a.Int(0)
	for i, p := range law {
		sum.Add(sum, p)
		repeats.Add(repeats, t.Mul(p, cycles[i].repeats))
		arrivals.Add(arrivals, t.Mul(p, cycles[i].arrivals))
	}
	return repeats.Quo(repeats, sum), arrivals.Quo(arrivals, sum), nil
}

// sortedStarts returns the keys of the map "ends" in ascending order.
func sortedStarts[P any](ends map[jointStart]P) []jointStart {
	return slices.SortedFunc(maps.Keys(ends), func(a, b jointStart) int {
		return cmp.Or(cmp.Compare(a.frozen, b.frozen), cmp.Compare(a.active, b.active), cmp.Compare(a.both, b.both))
	})
}

// The method "dependent" reports whether the bits of the active array depend on the frozen array.
func (c *Cycle) dependent() bool {
	return c.r.NoCopyOver && !c.r.FreshPositions
}

// ownDistribution returns an error unless the active array behaves like the array of a one-phase filter.
func (c *Cycle) ownDistribution() error {
	if c.dependent() {
		return &bloomproof.ParamError{Param: "copy", Value: false, Want: "true with fixed positions: otherwise the frozen array matters"}
	}
	if c.r.NoCopyOver && c.Absorbing() {
		return refuse.Undefined("law of a cycle", "the filter comes to record nothing more, and a cycle never to end")
	}
	return c.bitBounded()
}

// jointlyStuck returns true if k = 1 and every bit can become set in one of the two arrays. In this case no further
// arrival is recorded. Except for the bit of a retained message, a cycle sets only bits that are not set in the frozen
// array.
func (c *Cycle) jointlyStuck() bool {
	if !c.dependent() || c.g.K > 1 {
		return false
	}
	frozen, active := c.r.Sigma, c.r.Sigma+1 // the number of bits that freeze, and the number of bits that ends a cycle
	if c.r.Messages > 0 {
		frozen, active = c.r.Messages-1, c.r.Messages
	}
	if !c.r.FreezeBefore {
		frozen++
		if c.r.Retain { // the bit of the retained message is in the frozen array too
			active--
		}
	}
	return active > c.g.M-min(frozen, c.g.M)
}

// jointRun returns the rate of c if the argument "rate" is true, and otherwise the mean number of arrivals of a cycle.
func (c *Cycle) jointRun(prec uint, rate bool) (exact.Enclosure, error) {
	e, err := c.jointQuotient(prec, rate)
	if errors.Is(err, errStuck) {
		return c.stuck(prec, rate)
	}
	return e, err
}

func (c *Cycle) jointQuotient(prec uint, rate bool) (exact.Enclosure, error) {
	of := c.mostFrozenBits()
	if size := float64(of) * float64(of) * float64(c.g.K) * math.Log2(float64(c.g.M)+1); c.route == exact.Auto && size <= shortBits {
		again, all, err := newJointChain(field.Rationals, c).longRun()
		if err != nil {
			return exact.Enclosure{}, err
		}
		if rate {
			all.Quo(again, all)
		}
		return enclose.Rational(all, prec), nil
	}
	if c.hashedJoint() {
		steps, work := c.jointHashSteps(prec)
		if steps > jointHashLimit {
			return exact.Enclosure{}, refuse.TooCostly("the chain of both arrays", steps, jointHashLimit)
		}
		return enclose.Ziv(prec, work, func(work uint) *interval.Interval {
			again, all := c.jointHashRun(work)
			if !rate {
				return all
			}
			return again.Quo(again, all)
		})
	}
	if steps := c.jointSteps(); steps > jointLimit {
		return exact.Enclosure{}, refuse.TooCostly("the chain of both arrays", steps, jointLimit)
	}
	// The subtractions lose many bits if few of the set bits are outside the frozen array. They also lose many bits if
	// messages rarely end a cycle.
	first := prec + 2*uint(mathbits.Len64(c.g.M))*uint(min(c.g.K, jointLossy)) + jointSpare
	return enclose.ZivErr(prec, first, func(work uint) (*interval.Interval, error) {
		again, all, err := newJointChain(field.Intervals(work), c).longRun()
		if err != nil || !rate {
			return all, err
		}
		return again.Quo(again, all), nil
	})
}

// mostFrozenBits returns the largest number of bits that a frozen array can hold.
func (c *Cycle) mostFrozenBits() uint64 {
	if c.r.Messages > 0 {
		return c.mostFrozen()
	}
	if c.r.FreezeBefore {
		return c.r.Sigma
	}
	return c.r.Sigma + min(uint64(c.g.K), c.g.M-c.r.Sigma)
}
