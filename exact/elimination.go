package exact

import (
	"maps"
	"slices"
)

// A sparse is a Markov chain without its loops: weights[i][j] is that of going from i to
// j. A state's weights may be scaled, as long as its mean stay is not asked for.
//
// Its states are eliminated one by one (Grassmann, Taksar and Heyman): the chain watched
// only outside of v goes from i to j with the weight w_ij + w_iv w_vj/(sum of w_v). Nothing
// is subtracted, so that in intervals each result keeps its relative precision, and
// rationals stay exact.
type sparse[T any, P number[T]] struct {
	f       field[T, P]
	weights []map[int]P
	from    []map[int]bool // the states with a weight to this one
	steps   int            // products so far: tests compare it with fillPattern.products
	killed  []P            // weights of leaving all states, nil for none
}

func newSparse[T any, P number[T]](f field[T, P], n int) *sparse[T, P] {
	c := &sparse[T, P]{f: f, weights: make([]map[int]P, n), from: make([]map[int]bool, n)}
	for i := range n {
		c.weights[i], c.from[i] = map[int]P{}, map[int]bool{}
	}
	return c
}

// add adds w to the weight from i to j; loops are left out.
func (c *sparse[T, P]) add(i, j int, w P) {
	if i == j {
		return
	}
	if c.weights[i][j] == nil {
		c.weights[i][j] = c.f.int(0)
		c.from[j][i] = true
	}
	c.weights[i][j].Add(c.weights[i][j], w)
}

// eliminate takes v out of the chain; sum is the weight of leaving it. It returns the states before v with their mean
// number of visits to v between visits of other states, the factor of the stationary law:
// x_v = sum of x_i times it, up to the scale of v's weights.
func (c *sparse[T, P]) eliminate(v int) (sum P, before []int, visits []P) {
	out := slices.Sorted(maps.Keys(c.weights[v]))
	sum = c.f.int(0)
	for _, j := range out {
		sum.Add(sum, c.weights[v][j])
		delete(c.from[j], v)
	}
	if c.killed != nil {
		sum.Add(sum, c.killed[v])
	}
	before = slices.Sorted(maps.Keys(c.from[v]))
	t := c.f.zero()
	for _, i := range before {
		w := c.weights[i][v]
		delete(c.weights[i], v)
		w.Quo(w, sum)
		visits = append(visits, w)
		if c.killed != nil {
			c.killed[i].Add(c.killed[i], t.Mul(w, c.killed[v]))
		}
		for _, j := range out {
			if i != j {
				c.add(i, j, t.Mul(w, c.weights[v][j]))
				c.steps++
			}
		}
	}
	c.weights[v], c.from[v] = nil, nil
	return sum, before, visits
}

// stationary returns x with x P = x, x[order[0]] = 1, for the states of order, which must
// be one class and whose weights are probabilities; killed, where it is given, is part of
// the stay. The last of order is eliminated first. It gives up, and returns nil, when fits
// says no to the weight of leaving a state. fillPattern.products tells the cost beforehand.
func (c *sparse[T, P]) stationary(order []int, fits func(sum P) bool) map[int]P {
	type gone struct {
		v      int
		before []int
		visits []P
	}
	var all []gone
	for _, v := range slices.Backward(order[1:]) {
		sum, before, visits := c.eliminate(v)
		if fits != nil && !fits(sum) {
			return nil
		}
		all = append(all, gone{v, before, visits})
	}
	x := map[int]P{order[0]: c.f.int(1)}
	t := c.f.zero()
	for _, g := range slices.Backward(all) {
		sum := c.f.int(0)
		for n, i := range g.before {
			sum.Add(sum, t.Mul(x[i], g.visits[n]))
		}
		x[g.v] = sum
	}
	return x
}
