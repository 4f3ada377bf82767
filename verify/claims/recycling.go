package claims

import (
	"fmt"
	"math/big"

	"github.com/bloomproof/bloomproof"
)

// This file follows recycling filters of a few bits through every outcome of the hash functions, on real sets of bits.
// It solves the long run in rationals. It uses no formula of the paper.

// chance is one outcome of a step of a random process. The field gains has what the outcome adds to the counts.
type chance[S comparable] struct {
	to    S
	p     *big.Rat
	gains [gainCount]int
}

// These are the events that the processes of this package count.
const (
	falsePositives = iota // arrivals that are new in the cycle and are called repeats
	arrivals              // arrivals that are new in the cycle
	recycles
	gainFree // gainFree and gainFree2 are for counts that only one claim needs
	gainFree2
	gainCount
)

// longRun is the behaviour of a process in the long run. It has the share of steps that begin in each state, and the
// mean gains of a step.
type longRun[S comparable] struct {
	share map[S]*big.Rat
	gains [gainCount]*big.Rat
	step  func(S) []chance[S]
}

// inTheLongRun returns the long run of the process that starts at start. It returns an error if the long run depends on
// chance, because the process can end in different sets of states.
func inTheLongRun[S comparable](start S, step func(S) []chance[S]) (longRun[S], error) {
	index, states := map[S]int{start: 0}, []S{start}
	var rows [][]chance[S]
	for i := 0; i < len(states); i++ {
		row := step(states[i])
		rows = append(rows, row)
		for _, c := range row {
			if _, known := index[c.to]; !known {
				index[c.to] = len(states)
				states = append(states, c.to)
			}
		}
	}
	class := recurrent(len(states), func(i int) []int {
		var next []int
		for _, c := range rows[i] {
			next = append(next, index[c.to])
		}
		return next
	})
	if class == nil {
		return longRun[S]{}, fmt.Errorf("the long run depends on chance")
	}
	place := map[int]int{}
	for at, i := range class {
		place[i] = at
	}
	matrix := make([][]*big.Rat, len(class))
	for at, i := range class {
		matrix[at] = make([]*big.Rat, len(class))
		for j := range matrix[at] {
			matrix[at][j] = new(big.Rat)
		}
		for _, c := range rows[i] {
			cell := matrix[at][place[index[c.to]]]
			cell.Add(cell, c.p)
		}
	}
	out := longRun[S]{share: map[S]*big.Rat{}, step: step}
	for g := range out.gains {
		out.gains[g] = new(big.Rat)
	}
	for at, p := range stationary(matrix) {
		i := class[at]
		out.share[states[i]] = p
		for _, c := range rows[i] {
			for g, n := range c.gains {
				if n != 0 {
					out.gains[g].Add(out.gains[g], mul(mul(p, c.p), whole(n)))
				}
			}
		}
	}
	return out, nil
}

// recurrent returns the set of states that a process never leaves. If there are several such sets, it returns nil.
func recurrent(n int, next func(i int) []int) []int {
	reach := make([]map[int]bool, n)
	for i := range reach {
		reach[i] = map[int]bool{i: true}
		for queue := []int{i}; len(queue) > 0; queue = queue[1:] {
			for _, j := range next(queue[0]) {
				if !reach[i][j] {
					reach[i][j] = true
					queue = append(queue, j)
				}
			}
		}
	}
	var class []int
	for i := range n {
		stays := true
		for j := range reach[i] {
			stays = stays && reach[j][i]
		}
		if !stays {
			continue
		}
		if class != nil && !reach[i][class[0]] {
			return nil
		}
		class = append(class, i)
	}
	return class
}

// stationary returns the stationary distribution of an irreducible chain, and overwrites p. It removes the states one
// after another. After each removal, it watches the chain only while the chain is in the remaining states.
func stationary(p [][]*big.Rat) []*big.Rat {
	var t big.Rat
	for n := len(p) - 1; n > 0; n-- {
		out := sum(0, n-1, func(j int) *big.Rat { return p[n][j] })
		for i := range n {
			if p[i][n].Sign() == 0 {
				continue
			}
			p[i][n].Quo(p[i][n], out)
			for j := range n {
				if p[n][j].Sign() != 0 {
					p[i][j].Add(p[i][j], t.Mul(p[i][n], p[n][j]))
				}
			}
		}
	}
	law, total := []*big.Rat{whole(1)}, whole(1)
	for n := 1; n < len(p); n++ {
		law = append(law, sum(0, n-1, func(i int) *big.Rat { return mul(law[i], p[i][n]) }))
		total.Add(total, law[n])
	}
	for i := range law {
		law[i].Quo(law[i], total)
	}
	return law
}

// recycler is a recycling filter that is small enough to be followed bit by bit.
type recycler struct {
	m, k     int
	distinct bool // non-colliding: a message has k distinct positions
	bloomproof.Recycling
}

func (f recycler) geometry() bloomproof.Geometry {
	return bloomproof.Geometry{M: uint64(f.m), K: f.k, Hashing: hashingOf(f.distinct)}
}

func (f recycler) valid() bool { return f.Validate(f.geometry()) == nil }

// arrays is the state of a filter. The masks active and frozen are its arrays. The mask current has the positions of
// the message that may come again, if there is one. The field settled is the number of messages that have set a bit in
// this cycle, which the message-bounded rule counts.
type arrays struct{ active, frozen, current, settled int }

// canonical renames the positions so that positions with the same bits in the three masks are neighbours. The
// distribution of a filter's states does not depend on the names.
func (s arrays) canonical() arrays {
	out := arrays{settled: s.settled}
	at := 0
	for kind := 7; kind > 0; kind-- {
		for i := 0; s.active>>i|s.frozen>>i|s.current>>i != 0; i++ {
			if (s.active>>i&1)<<2|(s.frozen>>i&1)<<1|s.current>>i&1 == kind {
				out.active |= kind >> 2 << at
				out.frozen |= (kind >> 1 & 1) << at
				out.current |= (kind & 1) << at
				at++
			}
		}
	}
	return out
}

// positions returns the distribution of the set of positions of a message.
func (f recycler) positions() setLaw {
	sizes := repeat(1, f.k)
	if f.distinct {
		sizes = []int{f.k}
	}
	l, err := union(f.m, sizes...)
	if err != nil {
		panic(err) // cannot happen: the domains here keep m and k small
	}
	return l
}

// each calls visit with every set of positions whose probability is not 0.
func (l setLaw) each(visit func(set int, p *big.Rat)) {
	for set, c := range l.count {
		if c > 0 {
			visit(set, l.share(c))
		}
	}
}

// arrive returns the effect of a message. The argument at has its positions in the active array, and atFrozen has them
// in the frozen array. The argument again has its positions in the next array, if it is retained.
func (f recycler) arrive(s arrays, at, atFrozen, again int) (next arrays, positive, recycled bool) {
	two := f.TwoPhase
	old := two && atFrozen&^s.frozen == 0
	positive = at&^s.active == 0 || old
	next = s
	if !(f.NoCopyOver && old) {
		next.active |= at
	}
	sets := next.active != s.active
	if sets && f.Messages > 0 {
		next.settled++
	}
	recycled = ones(next.active) > int(f.Sigma)
	if f.Messages > 0 {
		recycled = sets && next.settled == int(f.Messages)
	}
	if !recycled {
		if ones(next.active) == f.m { // the filter stays full for ever, so the rest of its state no longer matters
			next = arrays{active: next.active}
		}
		return next, positive, false
	}
	if two {
		next.frozen = next.active
		if f.FreezeBefore {
			next.frozen = s.active
		}
	}
	next.active, next.settled = 0, 0
	if f.Retain {
		next.active = again
		if f.Messages > 0 {
			next.settled = 1
		}
	}
	return next, positive, true
}

// step returns the possible outcomes of one new message.
func (f recycler) step(s arrays) []chance[arrays] {
	l := f.positions()
	var out []chance[arrays]
	visit := func(at, atFrozen, again int, p *big.Rat) {
		next, positive, recycled := f.arrive(s, at, atFrozen, again)
		c := chance[arrays]{to: next.canonical(), p: p}
		c.gains[arrivals] = 1
		c.gains[falsePositives] = count(positive)
		c.gains[recycles] = count(recycled)
		out = append(out, c)
	}
	l.each(func(at int, p *big.Rat) {
		if !f.FreshPositions || !f.TwoPhase && !f.Retain {
			visit(at, at, at, p)
			return
		}
		l.each(func(atFrozen int, q *big.Rat) {
			l.each(func(again int, r *big.Rat) { visit(at, atFrozen, again, mul(mul(p, q), r)) })
		})
	})
	return out
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// average returns the long-run behaviour of the filter under traffic in which every message is new.
func (f recycler) average() (longRun[arrays], error) {
	if !f.valid() {
		return longRun[arrays]{}, errOutside
	}
	return inTheLongRun(arrays{}, f.step)
}

// rate returns the share of new arrivals that the filter calls repeats.
func (a longRun[S]) rate() *big.Rat { return quo(a.gains[falsePositives], a.gains[arrivals]) }

// capacity returns the mean number of new arrivals in a cycle, including the last one.
func (a longRun[S]) capacity() *big.Rat { return quo(a.gains[arrivals], a.gains[recycles]) }

// setBits returns, for i = 0 to m, the probability that an arrival sees i bits of the active array set.
func setBits(a longRun[arrays], m int) []*big.Rat {
	law := make([]*big.Rat, m+1)
	for i := range law {
		law[i] = new(big.Rat)
	}
	for s, p := range a.share {
		law[ones(s.active)].Add(law[ones(s.active)], p)
	}
	return law
}

// frozenBits returns the probability that an array freezes with i bits set.
func frozenBits(a longRun[arrays], m int) []*big.Rat {
	law := make([]*big.Rat, m+1)
	for i := range law {
		law[i] = new(big.Rat)
	}
	for s, p := range a.share {
		for _, c := range a.step(s) {
			if c.gains[recycles] == 1 {
				i := ones(c.to.frozen)
				law[i].Add(law[i], quo(mul(p, c.p), a.gains[recycles]))
			}
		}
	}
	return law
}

// next returns the probabilities of 0 to m set bits after a message arrives at a one-phase filter with i bits set.
func (f recycler) next(i int) []*big.Rat {
	law := make([]*big.Rat, f.m+1)
	for j := range law {
		law[j] = new(big.Rat)
	}
	for _, c := range f.step(arrays{active: 1<<i - 1}) {
		j := ones(c.to.active)
		law[j].Add(law[j], c.p)
	}
	return law
}

// match returns rho(i), the probability that all positions of a message are among i set bits.
func (f recycler) match(i int) *big.Rat {
	return f.positions().prob(func(set int) bool { return set&^(1<<i-1) == 0 })
}

// bitBounded returns the one-phase filter that recycles as soon as more than sigma bits are set.
func bitBounded(m, k, sigma int, distinct, retain bool) recycler {
	return recycler{m, k, distinct, bloomproof.Recycling{Sigma: uint64(sigma), Retain: retain}}
}

// messageBounded returns the one-phase filter that recycles at the n-th message that sets a bit.
func messageBounded(m, k, n int, distinct, retain bool) recycler {
	return recycler{m, k, distinct, bloomproof.Recycling{Messages: uint64(n), Retain: retain}}
}
