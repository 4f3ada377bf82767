package fnr

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/elimination"
	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// This file builds the Markov chain of a tiny filter: all its possible situations, and the transitions that each
// arrival causes. The probability of each outcome of the hash functions is a rational number. The probabilities of
// arrivals depend on the workload. So each event has a number, and a transition stores this number instead of a
// probability.

// These constants limit the numbers of situations, moves, draws and positions of a chain.
const (
	maxSituations = 1 << 13
	maxMoves      = 1 << 17
	maxDraws      = 1 << 20
	maxPositions  = 256 // the largest number of positions of a message
	messageBits   = 16  // the bits of a number of messages; a chain with more messages exceeds maxSituations
)

// An event identifies a kind of arrival by a number. The first events are the repeats: one event for the message at
// each rank. The next events are the new messages: one event for each rank at which a new message can enter. The last
// event is a new message that is never repeated.
type event int

// A tally is a class of arrivals whose long-run frequency is computed.
type tally int

const (
	falseNegative tally = iota // the message arrived before, is recorded in no array, and is reported as new
	lucky                      // the message arrived before, is recorded in no array, and is reported as a repeat
	falsePositive              // the message is new and is reported as a repeat
	cycleNew                   // the message is recorded in no array, whether it is new or not
	recycles
	tallies = iota
)

// A move is a transition from one situation to another. With probability p, the event e leads to the situation whose
// number is in the field "to".
type move struct {
	to int
	e  event
	p  *big.Rat
}

// A gain belongs to a situation, an event e and a tally t. Suppose that the event e happens in this situation. Then the
// tally t counts the arrival with probability p.
type gain struct {
	t tally
	e event
	p *big.Rat
}

// A chain is the Markov chain of all situations that an empty filter can reach. The situation of the empty filter has
// the number 0.
type chain struct {
	ranks    int
	moves    [][]move
	gains    [][]gain
	progress []uint64       // bits and messages of the active array, which only grow during a cycle
	recycles []map[int]bool // for each situation, the situations that follow it if the filter recycles
}

// The method "events" returns the number of events.
func (c *chain) events() int { return 2*c.ranks + 1 }

// chainOf finds all situations that an empty filter can reach by the possible events.
func chainOf(g shape, r bloomproof.Recycling, tracked int, possible func(event) bool) (*chain, error) {
	if g.M > maxSituations {
		return nil, refuse.TooCostly("the chain of a tiny filter's situations", float64(g.M), maxSituations)
	}
	if g.K > maxPositions {
		return nil, refuse.TooCostly("the chain of a tiny filter with many positions", float64(g.K), maxPositions)
	}
	f := &mover{g: g, r: r, ranks: tracked, chances: g.chances(g.M, g.K), clear: board{{0, uint32(g.M)}}, budget: maxDraws}
	c := &chain{ranks: tracked}
	number := map[string]int{}
	var list []situation
	at := func(s situation) int {
		k := s.key()
		n, met := number[k]
		if !met {
			n = len(list)
			number[k] = n
			list = append(list, s)
		}
		return n
	}
	at(f.start())
	total := 0
	for n := 0; n < len(list); n++ {
		s := list[n]
		sums := map[[2]int]*big.Rat{}
		gains := map[[2]int]*big.Rat{}
		ends := map[int]bool{}
		add := func(m map[[2]int]*big.Rat, k [2]int, p *big.Rat) {
			if m[k] == nil {
				m[k] = new(big.Rat)
			}
			m[k].Add(m[k], p)
		}
		for e := range event(c.events()) {
			if !possible(e) {
				continue
			}
			j, enters, isNew := int(e), 0, int(e) >= tracked
			if isNew {
				j, enters = tracked, int(e)-tracked
			}
			for _, o := range f.arrive(s, j, enters) {
				to := at(o.to)
				if to != n {
					add(sums, [2]int{to, int(e)}, o.p)
				}
				count := func(t tally, is bool) {
					if is {
						add(gains, [2]int{int(t), int(e)}, o.p)
					}
				}
				count(falseNegative, !isNew && !o.recorded && !o.repeat)
				count(lucky, !isNew && !o.recorded && o.repeat)
				count(falsePositive, isNew && o.repeat)
				count(cycleNew, !o.recorded)
				count(recycles, o.recycled)
				if o.recycled {
					ends[to] = true
				}
			}
		}
		var moves []move
		for k, p := range sums {
			moves = append(moves, move{k[0], event(k[1]), p})
		}
		slices.SortFunc(moves, func(x, y move) int { return (x.to-y.to)*c.events() + int(x.e-y.e) })
		var counted []gain
		for k, p := range gains {
			counted = append(counted, gain{tally(k[0]), event(k[1]), p})
		}
		slices.SortFunc(counted, func(x, y gain) int { return int(x.t-y.t)*c.events() + int(x.e-y.e) })
		c.moves, c.gains, c.recycles = append(c.moves, moves), append(c.gains, counted), append(c.recycles, ends)
		c.progress = append(c.progress, s.boards[0].count(inActive)<<messageBits+s.messages)
		switch total += len(moves); {
		case len(list) > maxSituations:
			return nil, fmt.Errorf("the chain of a tiny filter has more than %d situations: %w", maxSituations, refuse.ErrTooCostly)
		case total > maxMoves:
			return nil, fmt.Errorf("the chain of a tiny filter has more than %d moves, from the first %d of at least %d situations: %w",
				maxMoves, n+1, len(list), refuse.ErrTooCostly)
		case f.budget < 0:
			return nil, fmt.Errorf("the chain of a tiny filter has more than %d outcomes of drawing positions, in the first %d of at least %d situations: %w",
				maxDraws, n+1, len(list), refuse.ErrTooCostly)
		}
	}
	return c, nil
}

// The method "affordable" returns ErrTooCostly if the chain has too many moves, or if the elimination takes too many
// products. It takes the working precision into account.
func (c *chain) affordable(products int, work uint) error {
	total := 0
	for _, moves := range c.moves {
		total += len(moves)
	}
	for _, part := range []struct {
		what  string
		steps int
	}{{"moves", total}, {"products of its elimination", products}} {
		if cost := atPrecision(float64(part.steps), work); cost > eliminationLimit {
			return fmt.Errorf("the chain of a tiny filter has %d situations; the %s take at least %.3g steps at %d bits, at most %d are allowed: %w",
				len(c.moves), part.what, cost, work, eliminationLimit, refuse.ErrTooCostly)
		}
	}
	return fault.Part()
}

// The method "products" returns the number of multiplications in the largest elimination that the function "solve"
// does. If this number exceeds the argument "limit", the result is some number above "limit".
func (c *chain) products(limit int) int {
	most := 0
	ends := c.lastClasses()
	for _, class := range ends {
		most = max(most, c.classProducts(class, limit))
	}
	if len(ends) == 1 || most > limit {
		return most
	}
	n := len(c.moves)
	p := elimination.NewPattern(n + len(ends))
	end := make([]int, n)
	for i, class := range ends {
		for _, v := range class {
			end[v] = n + i
		}
	}
	var before []int
	for v, moves := range c.moves {
		if end[v] != 0 {
			continue
		}
		if v != 0 {
			before = append(before, v)
		}
		for _, m := range moves {
			p.Add(v, max(m.to, end[m.to]))
		}
	}
	return max(most, p.Products(c.byProgress(before), limit))
}

// classProducts returns the number of multiplications for eliminating all situations of a class except the first one.
func (c *chain) classProducts(class []int, limit int) int {
	p := elimination.NewPattern(len(c.moves))
	for _, v := range class {
		for _, m := range c.moves[v] {
			if _, in := slices.BinarySearch(class, m.to); in {
				p.Add(v, m.to)
			}
		}
	}
	return p.Products(c.byProgress(class)[1:], limit)
}

// The method "classes" returns the strongly connected components of the chain. Each component is sorted. The components
// are in the order of Tarjan's algorithm: every move leads to the same component or to an earlier one.
func (c *chain) classes() [][]int {
	n := len(c.moves)
	index, low, onStack := make([]int, n), make([]int, n), make([]bool, n)
	var stack []int
	var all [][]int
	type frame struct{ v, next int }
	count := 0
	for root := range n {
		if index[root] != 0 {
			continue
		}
		work := []frame{{root, 0}}
		for len(work) > 0 {
			f := &work[len(work)-1]
			v := f.v
			if f.next == 0 {
				count++
				index[v], low[v], onStack[v] = count, count, true
				stack = append(stack, v)
			}
			if f.next < len(c.moves[v]) {
				to := c.moves[v][f.next].to
				f.next++
				if index[to] == 0 {
					work = append(work, frame{to, 0})
				} else if onStack[to] {
					low[v] = min(low[v], index[to])
				}
				continue
			}
			work = work[:len(work)-1]
			if len(work) > 0 {
				up := work[len(work)-1].v
				low[up] = min(low[up], low[v])
			}
			if low[v] != index[v] {
				continue
			}
			at := slices.Index(stack, v)
			class := slices.Clone(stack[at:])
			stack = stack[:at]
			for _, s := range class {
				onStack[s] = false
			}
			slices.Sort(class)
			all = append(all, class)
		}
	}
	return all
}

// lastClasses returns the classes that the chain cannot leave.
func (c *chain) lastClasses() [][]int {
	var last [][]int
	for _, class := range c.classes() {
		if !slices.ContainsFunc(class, func(v int) bool {
			return slices.ContainsFunc(c.moves[v], func(m move) bool {
				_, in := slices.BinarySearch(class, m.to)
				return !in
			})
		}) {
			last = append(last, class)
		}
	}
	return last
}

// The tally t counts some of the arrivals. The method "counts" reports whether any of these arrivals can happen in a
// situation of the class.
func (c *chain) counts(class []int, t tally) bool {
	return slices.ContainsFunc(class, func(v int) bool {
		return slices.ContainsFunc(c.gains[v], func(g gain) bool { return g.t == t })
	})
}

// recyclesWithin reports whether the filter can recycle again and again without leaving the class.
func (c *chain) recyclesWithin(class []int) bool {
	return slices.ContainsFunc(class, func(v int) bool {
		return slices.ContainsFunc(slices.Collect(maps.Keys(c.recycles[v])), func(to int) bool {
			_, in := slices.BinarySearch(class, to)
			return in
		})
	})
}

// byProgress returns the situations of a class in the order in which a cycle reaches them. If the last situations of
// this order are eliminated first, the elimination adds few new moves.
func (c *chain) byProgress(class []int) []int {
	order := slices.Clone(class)
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(c.progress[x], c.progress[y]) })
	return order
}
