// Package elimination solves Markov chains by the elimination method of Grassmann, Taksar and Heyman. This method needs
// no subtraction.
package elimination

import (
	"maps"
	"slices"

	"github.com/bloomproof/bloomproof/exact/internal/field"
)

// A Chain is a sparse Markov chain without loops. The number weights[i][j] is the weight of the transition from i to j.
// The weights of a state are its transition probabilities times a factor. This factor can be chosen freely for each
// state. But the factor of a state must be 1 if the mean time in this state is to be computed.
//
// The states are eliminated one by one (Grassmann, Taksar and Heyman). After a state v is eliminated, the chain is
// observed only while it is in other states. Let w_ij be the weight from i to j. Then the new weight from i to j is
// w_ij + w_iv w_vj/(sum of w_vl over all l). Nothing is subtracted, so intervals keep their relative precision.
type Chain[T any, P field.Number[T]] struct {
	f       field.Of[T, P]
	Weights []map[int]P
	from    []map[int]bool // from[j] has the states i with a weight from i to j
	Steps   int            // number of products so far; tests compare it with Pattern.Products
	Killed  []P            // for each state, the weight of leaving the chain; nil if the chain is never left
}

// New returns a chain of n states in which all weights are 0.
func New[T any, P field.Number[T]](f field.Of[T, P], n int) *Chain[T, P] {
	c := &Chain[T, P]{f: f, Weights: make([]map[int]P, n), from: make([]map[int]bool, n)}
	for i := range n {
		c.Weights[i], c.from[i] = map[int]P{}, map[int]bool{}
	}
	return c
}

// Add adds w to the weight from i to j. It ignores loops.
func (c *Chain[T, P]) Add(i, j int, w P) {
	if i == j {
		return
	}
	if c.Weights[i][j] == nil {
		c.Weights[i][j] = c.f.Int(0)
		c.from[j][i] = true
	}
	c.Weights[i][j].Add(c.Weights[i][j], w)
}

// Eliminate removes v from the chain, and returns the sum of the weights of the transitions from v. It also returns the
// list of the states that lead to v. Start the chain in a state i of this list. Then visits_i is the mean number of
// visits to v before the chain enters any state other than v. Suppose that the weights of the chain are transition
// probabilities. Then these mean numbers determine the entry x_v of the stationary distribution x. The entry x_v is the
// sum of the products x_i visits_i over the states i that lead to v.
func (c *Chain[T, P]) Eliminate(v int) (sum P, before []int, visits []P) {
	out := slices.Sorted(maps.Keys(c.Weights[v]))
	sum = c.f.Int(0)
	for _, j := range out {
		sum.Add(sum, c.Weights[v][j])
		delete(c.from[j], v)
	}
	if c.Killed != nil {
		sum.Add(sum, c.Killed[v])
	}
	before = slices.Sorted(maps.Keys(c.from[v]))
	t := c.f.Zero()
	for _, i := range before {
		w := c.Weights[i][v]
		delete(c.Weights[i], v)
		w.Quo(w, sum)
		visits = append(visits, w)
		if c.Killed != nil {
			c.Killed[i].Add(c.Killed[i], t.Mul(w, c.Killed[v]))
		}
		for _, j := range out {
			if i != j {
				c.Add(i, j, t.Mul(w, c.Weights[v][j]))
				c.Steps++
			}
		}
	}
	c.Weights[v], c.from[v] = nil, nil
	return sum, before, visits
}

// Stationary returns the vector x with x P = x and x[order[0]] = 1. Here P is the matrix of the weights between the
// states of the list "order". These states must form one class, and their weights must be transition probabilities. The
// field Killed can give each state one more weight, for a transition out of the chain. The sum of the weights from a
// state includes this weight. Stationary eliminates the states of the list "order" from the last to the second. For
// each state, Stationary adds up the weights from this state. If the function "fits" returns false for a sum,
// Stationary gives up and returns nil. Pattern.Products computes the cost in advance.
func (c *Chain[T, P]) Stationary(order []int, fits func(sum P) bool) map[int]P {
	type gone struct {
		v      int
		before []int
		visits []P
	}
	var all []gone
	for _, v := range slices.Backward(order[1:]) {
		sum, before, visits := c.Eliminate(v)
		if fits != nil && !fits(sum) {
			return nil
		}
		all = append(all, gone{v, before, visits})
	}
	x := map[int]P{order[0]: c.f.Int(1)}
	t := c.f.Zero()
	for _, g := range slices.Backward(all) {
		sum := c.f.Int(0)
		for n, i := range g.before {
			sum.Add(sum, t.Mul(x[i], g.visits[n]))
		}
		x[g.v] = sum
	}
	return x
}
