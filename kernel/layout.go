package kernel

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
)

// A layout contains everything in a filter that depends on the hashing. The hashing is standard, classic or
// partitioned. The layout says where the k positions of a key lie. From the number of set bits, it also computes the
// false-positive rate and an estimate of the number of keys. The rest of the filters' code depends on the hashing only
// through the layout. The file layout_NAME.go has the layout of the hashing NAME.
//
// To add a hashing, write its file layout_NAME.go, and add its entry to the variable "layouts". The file
// layout_block.go has the code that the blocks of all hashings share. If the type "shape" cannot describe the draws of
// the new hashing, add a field to this type. Kernels take a shape as an argument, and so do loops over draws.
//
// A layout is a struct with data, and not an interface. A call through an interface or a function value would force the
// buffers of positions onto the heap. That would take longer than deriving a position (BenchmarkAdd,
// BenchmarkContains).
type layout struct {
	g bloomproof.Geometry

	// The shape says how the draws of a key are derived. The draws are k random positions, one from each of the first k
	// words of the key's stream. In most cases they are also the key's positions. But some hashings replace a draw that
	// equals another draw of the key.
	shape

	// The embedded struct "blocking" describes the blocks of the filter. It is the zero value in a filter without
	// blocks.
	blocking

	// The field "settled" is true if the positions of every key are equal to its draws. It is false if the hashing
	// replaces repeated draws. In that case a look-up of a key goes as follows. If the bit at a draw is clear, the key
	// is not contained. If the bits at all draws are set, the look-up must also read further bits. They lie at the
	// positions that replace repeated draws.
	settled bool

	// The field "whole" is true if the layout is settled and has no blocks. The positions of a key are then its draws,
	// and lie anywhere in the filter. Kernels for filters without blocks can derive such positions from the hash.
	whole bool

	// The field "coincide" says whether two positions of one key may be equal.
	coincide bool

	// The field "sliced" is the number of slices for which the set bits are counted separately. The field "step" is the
	// number of bits of a slice. The j-th position of a key lies in slice j, and does not depend on the other
	// positions. The field "sliced" is 0 if the set bits are counted for the whole filter only.
	sliced int

	// The function "rate" returns the probability that a new key is found in a filter of geometry g with b set bits. It
	// is nil if the filter has blocks, or if the field "sliced" is not 0. In such a filter the rate follows from the
	// share of set bits in each block or each slice.
	rate func(g bloomproof.Geometry, b uint64) float64

	// In a filter with blocks, consider a new key whose positions lie in the given block. The function rateIn returns
	// the probability that this key is found in the filter.
	rateIn func(l *layout, block []uint64) float64

	// The function "items" estimates the number of distinct keys in a filter with b set bits, for 0 < b < m. It uses
	// the method of moments. For classic hashing, equation Burns (46) gives the estimate.
	items func(l *layout, b uint64) float64
}

// The variable "layouts" has one entry for each hashing of this package. Each entry is defined in the file with the
// code of its hashing.
var layouts = []layoutEntry{standardLayout, classicLayout, partitionedLayout}

// layoutEntry describes one hashing. Its functions return the layout for a geometry that is valid for this hashing.
type layoutEntry struct {
	hashing bloomproof.Hashing
	of      func(bloomproof.Geometry) layout // without blocks
	// inBlocks returns the layout for a geometry with blocks. All fields of this layout are set, except the field
	// "blocking". The function inBlocks is nil if the hashing cannot have blocks.
	inBlocks func(bloomproof.Geometry) layout
}

// layoutOf returns the layout for the geometry g. It returns a ParamError if g is not valid, or has more bits than a
// filter may have. It also returns a ParamError if there is no layout for the hashing of g.
func layoutOf(g bloomproof.Geometry) (layout, error) {
	if err := g.Validate(); err != nil {
		return layout{}, err
	}
	if g.M > maxM {
		return layout{}, &bloomproof.ParamError{Param: "m", Value: g.M, Want: fmt.Sprintf("at most 2^48 = %d in a filter", uint64(maxM))}
	}
	for _, e := range layouts {
		if e.hashing != g.Hashing {
			continue
		}
		if g.Block != 0 {
			return blockLayoutOf(g, e)
		}
		l := e.of(g)
		l.whole = l.settled
		return l, nil
	}
	return layout{}, &bloomproof.ParamError{Param: "hashing", Value: g.Hashing, Want: "one that a filter can have"}
}

// A shape says how the draws of a key follow from its hash. The j-th draw is:
//
//	j*step + reduce(x_j, span).
//
// Here x_j is the j-th word of the stream that is computed from the hash. The function "reduce" maps this word to a
// number below span. In a filter with blocks, this sum is a position in one block, and the words x_j are computed in
// another way.
type shape struct {
	k          int
	span, step uint64
}

// The method "plain" reports whether the layout meets two conditions. First, the positions of a key are its draws from
// the whole filter. Second, the set bits are counted for the whole filter only. Kernels can then derive the positions
// from the hash, set the bits there, and count them.
func (l *layout) plain() bool { return l.whole && l.sliced == 0 }

// appendPositions appends the k positions of h to dst.
func (l *layout) appendPositions(dst []uint64, h Hash) []uint64 {
	if l.size != 0 {
		return l.appendInBlock(dst, h)
	}
	s := newStream(h)
	if !l.settled {
		return appendDistinct(dst, l.span, l.k, &s)
	}
	base := uint64(0)
	for range l.k {
		dst = append(dst, base+reduce(s.next(), l.span))
		base += l.step
	}
	return dst
}

// The method "derive" sets pos to the positions of the hashes h, with k positions for each hash. The number k must be
// at most scanK.
func (l *layout) derive(im impl, pos []uint64, h []Hash) {
	l.draw(im, pos, h)
	if !l.settled {
		l.replaceRepeats(pos, h)
	}
}

// The method "draw" sets pos to the draws of the hashes h, with k draws for each hash. The draws are the positions,
// except that some hashings replace draws that repeat.
func (l *layout) draw(im impl, pos []uint64, h []Hash) {
	if l.size != 0 {
		l.inBlocks(pos, h)
		return
	}
	positions(im, pos, h, l.shape)
}

// newCounts returns the counts of an empty array, which are all 0.
func (l *layout) newCounts() counts {
	if l.sliced == 0 {
		return counts{}
	}
	return counts{slices: make([]uint64, l.sliced)}
}

// rateOf returns the probability that the bits at all positions of a new key are set. It is for filters without blocks.
// The argument c says how many bits are set.
func (l *layout) rateOf(c *counts) float64 {
	if l.sliced == 0 {
		return l.rate(l.g, c.bits)
	}
	r := 1.0
	for _, s := range c.slices {
		r *= l.shareOf(s)
	}
	return r
}

// shareOf returns the share of set bits in a slice with b set bits. This is the probability that the bit at a new key's
// position in the slice is set.
func (l *layout) shareOf(b uint64) float64 { return float64(b) / float64(l.step) }

// itemsOf estimates how many distinct keys were added to a filter in which b bits are set. If all bits are set, the
// number of keys may be arbitrarily large. In that case the result "bounded" is false, and the result n is 0.
func (l *layout) itemsOf(b uint64) (n float64, bounded bool) {
	switch {
	case b == 0:
		return 0, true
	case b >= l.g.M:
		return 0, false
	}
	return l.items(l, b), true
}
