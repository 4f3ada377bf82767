package kernel

import (
	"fmt"
	"math/bits"

	"github.com/bloomproof/bloomproof"
)

// The number of set bits does not bound the rate of a layer with blocks, because keys may crowd into few blocks. A
// number called the load of the layer bounds it. The load is the sum of w(b) over the blocks, where b is the number of
// set bits of a block. The weights w(b) and the limit of the load satisfy
//
//	w(b) >= 2^63 (b/s)^k,    limit <= 2^63 B (Sigma/m)^k
//
// for B blocks of s bits. A new key chooses each block with probability 1/B. A block with b set bits contains it with
// probability (b/s)^k. With one position in each of k slices the probability is at most (b/s)^k, because the geometric
// mean is at most the arithmetic mean. So the rate is at most load/(2^63 B), and at most (Sigma/m)^k while the load is
// within the limit. The weights and the limit are integers, computed as docs/format.md says, so that every
// implementation opens the next layer at the same key.

// blockLoad holds the load of a layer with blocks, its limit, and the weights of blocks, all of which the comment above
// defines.
type blockLoad struct {
	weights []uint64 // w(0) to w(s)
	k       uint64
	limit   wide
	load    wide
	most    uint64 // the number of set bits of the fullest block
}

// wide is an integer of 128 bits.
type wide struct{ hi, lo uint64 }

func (x wide) plus(y uint64) wide {
	lo, carry := bits.Add64(x.lo, y, 0)
	return wide{x.hi + carry, lo}
}

func (x wide) exceeds(y wide) bool { return x.hi > y.hi || x.hi == y.hi && x.lo > y.lo }

// newBlockLoad returns the load of an empty layer with blocks, which is 0, with its limit and the weights.
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

// checkBlockRoom returns a ParamError for a layer with blocks that would have to close before the first key is added.
func checkBlockRoom(l bloomproof.Layer) error {
	one := wide{}.plus(fixedPower(min(uint64(l.K), l.Block), l.Block, l.K, 1)).plus(2 * uint64(l.K))
	if !one.exceeds(blockLimit(l)) {
		return nil
	}
	return &bloomproof.ParamError{Param: "sigma", Value: l.Sigma,
		Want: fmt.Sprintf("so large that a key has room in the blocks: m/block (sigma/m)^k above (k/block)^k, and above k 2^-62, for %v", l.Geometry)}
}

// fixedPower approximates 2^63 (x/y)^k, for x <= y < 2^63, by squaring and multiplying, from the highest bit of k down.
// Each square and product is rounded up if up is 1 and down if up is 0.
//
// Error: less than k, for k <= 4096. If a factor has an error of e, its square has an error of at most 2e + 1 + e^2
// 2^-63, and its product with x/y an error of at most e + 1. By induction the error of the result is at most k - 1 +
// k^2 2^-38.
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

// closed reports whether a further key could bring the load above the limit. A key adds at most k bits to one block. A
// block of s bits with b set bits has the weight w(b), and the load then grows by w(min(b+k, s)) - w(b). This is
// largest for the fullest block that has room for k more bits. Each value of w is too high by less than k.
func (b *blockLoad) closed() bool {
	s := uint64(len(b.weights) - 1)
	k := min(b.k, s)
	from := min(b.most, s-k)
	return b.load.plus(b.weights[from+k] - b.weights[from]).plus(2 * b.k).exceeds(b.limit)
}

// The method named over reports whether the load is above the limit.
func (b *blockLoad) over() bool { return b.load.exceeds(b.limit) }

// gained updates the load after the number fresh of bits was set in a block. The argument set is the block's number of
// set bits, including these.
func (b *blockLoad) gained(set, fresh uint64) {
	b.load = b.load.plus(b.weights[set] - b.weights[set-fresh])
	b.most = max(b.most, set)
}

// recount computes the load anew from the words of a layer.
func (b *blockLoad) recount(words []uint64) {
	b.load, b.most = wide{}, 0
	for n := (len(b.weights) - 1) / 64; len(words) > 0; words = words[n:] {
		set := onesOf(words[:n])
		b.load = b.load.plus(b.weights[set])
		b.most = max(b.most, set)
	}
}

// clone returns a copy of b, or nil if b is nil. The copy shares the weights, which never change.
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

// blockOf returns the words of the block that the hash h chooses.
func (f *Filter) blockOf(h Hash) []uint64 {
	number, _ := bits.Mul64(h.H0, f.blocks)
	n := f.size / 64
	return f.words[number*n : (number+1)*n]
}

// addToBlock adds a hash to a layer with blocks, as AddHash does, and updates the layer's load.
func (l *growingLayer) addToBlock(h Hash) bool {
	before := l.bits
	set := l.AddHash(h)
	if set {
		l.load.gained(onesOf(l.blockOf(h)), l.bits-before)
	}
	return set
}

// addAllToBlocks adds hashes to the open layer, which has blocks, until it closes. On entry out[i] says whether an
// earlier layer contains h[i]; addAllToBlocks skips the hashes for which this is so. It sets the elements of out as
// addAll does, and returns how many hashes it has processed.
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
