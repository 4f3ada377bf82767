package kernel

import (
	"fmt"
	"math/bits"

	"github.com/bloomproof/bloomproof"
)

// In a layer with blocks, the number of set bits does not bound the false-positive rate. The reason is that the set
// bits may be concentrated in few blocks. This rate is bounded by another number, which is called the load of the
// layer. A block with b set bits has a weight w(b), and the load is the sum of the weights of all blocks. For B blocks
// of s bits, the weights and the limit of the load satisfy:
//
//	w(b) >= 2^63 (b/s)^k,
//	limit <= 2^63 B (Sigma/m)^k.
//
// A new key falls in each block with probability 1/B. Consider a block with b set bits. If the k positions of a key in
// this block are independent, the bits at all of them are set with probability (b/s)^k. If the key has one position in
// each of k slices of the block, this probability is at most (b/s)^k. The reason is that a geometric mean is at most
// the arithmetic mean. So the false-positive rate is at most load/(2^63 B). If the load is at most its limit, the rate
// is therefore at most (Sigma/m)^k. The weights and the limit are integers, and docs/format.md says how they are
// computed. So every implementation opens the next layer at the same key.

// blockLoad has the load of a layer with blocks, the limit of the load, and the weights w(b). The comment above defines
// them.
type blockLoad struct {
	weights []uint64 // w(0) to w(s)
	k       uint64
	limit   wide
	load    wide
	most    uint64 // the number of set bits of the fullest block
}

// The type "wide" is an integer of 128 bits.
type wide struct{ hi, lo uint64 }

func (x wide) plus(y uint64) wide {
	lo, carry := bits.Add64(x.lo, y, 0)
	return wide{x.hi + carry, lo}
}

func (x wide) exceeds(y wide) bool { return x.hi > y.hi || x.hi == y.hi && x.lo > y.lo }

// newBlockLoad returns the blockLoad of an empty layer. The load is 0, and the layer l determines the limit and the
// weights.
func newBlockLoad(l bloomproof.Layer) *blockLoad {
	b := &blockLoad{k: uint64(l.K), weights: make([]uint64, l.Block+1), limit: blockLimit(l)}
	for set := range b.weights {
		b.weights[set] = fixedPower(uint64(set), l.Block, l.K, 1)
	}
	return b
}

func blockLimit(l bloomproof.Layer) (limit wide) {
	limit.hi, limit.lo = bits.Mul64(fixedPower(l.Sigma, l.M, l.K, 0), l.M/l.Block)
	return limit
}

// checkBlockRoom returns a ParamError if the layer l has blocks and has no room for even one key.
func checkBlockRoom(l bloomproof.Layer) error {
	one := wide{}.plus(fixedPower(min(uint64(l.K), l.Block), l.Block, l.K, 1)).plus(2 * uint64(l.K))
	if !one.exceeds(blockLimit(l)) {
		return nil
	}
	return &bloomproof.ParamError{Param: "sigma", Value: l.Sigma,
		Want: fmt.Sprintf("so large that a key has room in the blocks: m/block (sigma/m)^k above (k/block)^k, and above k 2^-62, for %v", l.Geometry)}
}

// fixedPower returns an approximation of 2^63 (x/y)^k for x <= y < 2^63. It goes through the bits of k from the highest
// to the lowest. For each bit it squares the number computed so far. If the bit is 1, it then multiplies the square by
// x/y. If up is 1, each square and each product is rounded up to an integer. If up is 0, all squares and products are
// rounded down.
//
// Error: less than k, if k <= 4096. Suppose that the number computed so far has an error of e. Then its square has an
// error of at most 2e + 1 + e^2 2^-63. If the number itself is multiplied by x/y, the error of the product is at most e
// + 1. By induction, the result has an error of at most k - 1 + k^2 2^-38.
func fixedPower(x, y uint64, k int, up uint64) uint64 {
	const half = 63
	p := uint64(1) << half
	for i := bits.Len(uint(k)) - 1; i >= 0; i-- {
		hi, lo := bits.Mul64(p, p)
		p = hi<<1 | lo>>half
		if lo<<1 != 0 {
			p += up
		}
		if k>>i&1 == 0 {
			continue
		}
		hi, lo = bits.Mul64(p, x) // hi < y, as p x <= 2^63 y
		var rest uint64
		if p, rest = bits.Div64(hi, lo, y); rest != 0 {
			p += up
		}
	}
	return p
}

// The method "closed" reports whether one more key could bring the load above its limit. A key sets at most k bits, all
// in one block. If b of the s bits of this block are set, the load grows by at most:
//
//	w(min(b+k, s)) - w(b).
//
// Consider the blocks with at least k clear bits. Among them, the block with the most set bits gives the largest
// increase. Rounding increases each value of w by less than k. So 2*k is added to be safe.
func (b *blockLoad) closed() bool {
	s := uint64(len(b.weights) - 1)
	k := min(b.k, s)
	from := min(b.most, s-k)
	return b.load.plus(b.weights[from+k] - b.weights[from]).plus(2 * b.k).exceeds(b.limit)
}

// The method "over" reports whether the load is above its limit.
func (b *blockLoad) over() bool { return b.load.exceeds(b.limit) }

// The method "gained" updates the load after bits were set in one block. The argument "fresh" is the number of bits
// that changed from 0 to 1. The argument "set" is the number of set bits that the block now has.
func (b *blockLoad) gained(set, fresh uint64) {
	b.load = b.load.plus(b.weights[set] - b.weights[set-fresh])
	b.most = max(b.most, set)
}

// The method "recount" computes the load anew from the words of the layer.
func (b *blockLoad) recount(words []uint64) {
	b.load, b.most = wide{}, 0
	for n := (len(b.weights) - 1) / 64; len(words) > 0; words = words[n:] {
		set := onesOf(words[:n])
		b.load = b.load.plus(b.weights[set])
		b.most = max(b.most, set)
	}
}

// The method "clone" returns a copy of b, or nil if b is nil. The copy shares the slice of weights with b, because the
// weights never change.
func (b *blockLoad) clone() *blockLoad {
	if b == nil {
		return nil
	}
	c := *b
	return &c
}

func onesOf(words []uint64) (n uint64) {
	for _, w := range words {
		n += uint64(bits.OnesCount64(w))
	}
	return n
}

// blockOf returns the words of the block in which the key with hash h has its positions.
func (f *Filter) blockOf(h Hash) []uint64 {
	number, _ := bits.Mul64(h.H0, f.blocks)
	n := f.size / 64
	return f.words[number*n : (number+1)*n]
}

// addToBlock adds the key with hash h to a layer with blocks, as AddHash does, and updates the load of the layer.
func (l *growingLayer) addToBlock(h Hash) bool {
	before := l.bits
	set := l.AddHash(h)
	if set {
		l.load.gained(onesOf(l.blockOf(h)), l.bits-before)
	}
	return set
}

// addAllToBlocks adds keys with the hashes h to the open layer, which has blocks. It stops when this layer must close
// and there is a next layer. On entry out[i] says whether an earlier layer contains h[i]. Such keys are not added. On
// return out[i] is true if the filter did not contain h[i] before this key was processed. The result is the number of
// keys that were processed.
func (f *GrowingFilter) addAllToBlocks(out []bool, h []Hash, last int) int {
	open := f.layers[last]
	var ahead [hashBlock]uint64
	for i := range h {
		number, _ := bits.Mul64(h[i].inCycle(uint64(last)).H0, open.blocks)
		ahead[i] = number * open.size
	}
	prefetch(open.im, open.words, ahead[:len(h)])
	for i := range h {
		out[i] = !out[i] && open.addToBlock(h[i].inCycle(uint64(last)))
		if last+1 < len(f.plan) && open.load.closed() {
			return i + 1
		}
	}
	return len(h)
}
