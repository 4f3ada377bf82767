package bench

import "github.com/bloomproof/bloomproof/kernel/vec"

// Messages lists the numbers m of bits and k of positions of the filters for which the recursion of package vec is
// measured. The recursion computes how a message changes the number of set bits.
var Messages = []vec.Message{{M: 1_000_000, K: 8}, {M: 1 << 23, K: 7}}

// PlainRows computes the same as Rows of package vec in plain Go. It follows the recursion position by position.
// Invariant computations are moved out of the loops.
func PlainRows(x vec.Message, dst []float64, first uint64) {
	var t triangle
	n := len(dst) / (x.K + 1)
	for j := range n {
		t.follow(x, 1, first+uint64(j))
		for d := 0; d <= x.K; d++ {
			dst[d*n+j] = t.ways[d]
		}
	}
}

// PlainSums computes the same as Sums of package vec in plain Go.
func PlainSums(x vec.Message, dst, w []float64, first uint64) {
	var t triangle
	for j := range w {
		t.follow(x, w[j], first+uint64(j))
		for d := 0; d <= x.K; d++ {
			dst[d] += t.ways[d]
		}
	}
}

// triangle is the state of the recursion. The index d of its arrays is the number of bits that the positions so far
// have newly set. The case of d new bits has the weight ways[d]. In this case the share of set bits of the filter is
// set[d], and the share of free bits is free[d].
type triangle struct{ ways, set, free [16]float64 }

// The method named follow computes t for a message of weight w and a filter with the given number of set bits.
func (t *triangle) follow(x vec.Message, w float64, bits uint64) {
	inverse := 1 / float64(x.M)
	for d := 0; d <= x.K; d++ {
		t.set[d] = float64(bits+uint64(d)) * inverse
		t.free[d] = float64(x.M-bits-uint64(d)) * inverse
		t.ways[d] = 0
	}
	t.ways[0] = w
	for q := 0; q < x.K; q++ {
		for d := q + 1; d > 0; d-- {
			t.ways[d] = t.ways[d]*t.set[d] + t.ways[d-1]*t.free[d-1]
		}
		t.ways[0] *= t.set[0]
	}
}
