package elimination

import "math/bits"

// Pattern records which weights of a sparse chain are not 0. The methods of Pattern compute in advance how much it
// costs to eliminate states of the chain.
type Pattern struct {
	to, from []bitset // to[v] has the states to which v leads, and from[v] the states that lead to v
	Words    int      // number of words combined so far, which measures the time
}

// A bitset is a set of states: state v is bit v&63 of word v>>6.
type bitset []uint64

func (b bitset) has(v int) bool { return b[v>>6]>>(v&63)&1 != 0 }
func (b bitset) set(v int)      { b[v>>6] |= 1 << (v & 63) }
func (b bitset) clear(v int)    { b[v>>6] &^= 1 << (v & 63) }

// The method "each" calls f for every state in b.
func (b bitset) each(f func(v int)) {
	for i, w := range b {
		for ; w != 0; w &= w - 1 {
			f(i<<6 + bits.TrailingZeros64(w))
		}
	}
}

// The method "count" returns the number of states in b.
func (b bitset) count() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// NewPattern returns the pattern of a chain in which all weights are 0.
func NewPattern(states int) *Pattern {
	p := &Pattern{to: make([]bitset, states), from: make([]bitset, states)}
	for v := range states {
		p.to[v], p.from[v] = make(bitset, (states+63)/64), make(bitset, (states+63)/64)
	}
	return p
}

// Add marks the transition from i to j as one with a weight other than 0. It ignores loops, as Chain.Add does.
func (p *Pattern) Add(i, j int) {
	if i != j {
		p.to[i].set(j)
		p.from[j].set(i)
	}
}

// Suppose that Chain.Eliminate eliminates the states of the list "order", from the last to the first. Products returns
// the number of products that this takes. If the count exceeds the argument "limit", the method stops and returns a
// number above "limit". The method represents the rows and columns of the pattern by bits, so that one word operation
// handles 64 states.
func (p *Pattern) Products(order []int, limit int) int {
	total := 0
	for i := len(order) - 1; i >= 0 && total <= limit; i-- {
		total += p.eliminate(order[i])
	}
	return total
}

// The method "eliminate" removes v from the pattern. It returns the number of products that Chain.Eliminate computes
// when it removes v. This is one product for each path i -> v -> j with i != j.
func (p *Pattern) eliminate(v int) int {
	out, before := p.to[v], p.from[v]
	products := before.count() * out.count()
	before.each(func(i int) {
		p.to[i].clear(v)
		for w, x := range out {
			p.to[i][w] |= x
		}
		if p.Words += len(out); out.has(i) {
			p.to[i].clear(i)
			products--
		}
	})
	out.each(func(j int) {
		p.from[j].clear(v)
		for w, x := range before {
			p.from[j][w] |= x
		}
		if p.Words += len(before); before.has(j) {
			p.from[j].clear(j)
		}
	})
	p.to[v], p.from[v] = nil, nil
	return products
}
