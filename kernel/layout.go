package kernel

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
)

// A layout has all that this package knows about a hashing (standard, classic or partitioned): where the k positions of
// a key lie in a given filter, and which rate and number of keys follow from the bits that are set. The filters use
// only the layout and do not depend on the hashing; layout_NAME.go has the layout of one hashing.
//
// To add a hashing, add its file and its entry in layouts; layout_block.go has what blocks of any hashing share. If a
// shape cannot describe the draws of a hashing, add a field to the type shape. The kernels and the loops over draws
// take a shape as their argument.
//
// A layout is data that say where the positions lie, and not an interface with a method that returns them. A call
// through an interface or a function value would move the buffers of positions to the heap. That would cost more than
// deriving a position (BenchmarkAdd, BenchmarkContains).
type layout struct {
	g bloomproof.Geometry

	// The shape says how the draws of a key, its positions before repeats are replaced, are derived: one draw from each
	// of the first k words of the key's stream.
	shape

	// blocking describes the blocks in which the draws lie. It is zero for a filter without blocks.
	blocking

	// settled says whether a key's positions are always its draws. Otherwise a draw that repeats is replaced. In that
	// case a key with a draw whose bit is clear is not contained, but a key whose draws are all set may still have a
	// position that is clear.
	settled bool

	// whole says whether the positions are the draws and lie in the whole filter. It is true if the layout is settled
	// and has no blocks. Kernels for filters without blocks then derive the positions from the hash.
	whole bool

	// coincide says whether two positions of one key may be equal.
	coincide bool

	// sliced is the number of slices whose set bits are counted separately. A slice has step bits. The j-th position of
	// a key is in slice j and independent of the others. sliced is 0 if a single count of the filter's set bits
	// suffices.
	sliced int

	// rate returns the probability that a new key is contained, given that b bits are set. It is nil with blocks, and
	// when the set bits of each slice are counted: the rate then follows from the share of set bits in each slice or
	// block.
	rate func(g bloomproof.Geometry, b uint64) float64

	// With blocks, rateIn returns the probability that a new key is contained, given that its block has these words.
	rateIn func(l *layout, block []uint64) float64

	// items returns the estimate of the number of distinct keys by the method of moments (Burns 46), given that b bits
	// are set and 0 < b < m.
	items func(l *layout, b uint64) float64
}

// The variable layouts has an entry for each hashing of this package, each from its own file.
var layouts = []layoutEntry{standardLayout, classicLayout, partitionedLayout}

// layoutEntry gives the layout of one hashing, for any geometry that is valid for this hashing.
type layoutEntry struct {
	hashing bloomproof.Hashing
	of      func(bloomproof.Geometry) layout // without blocks
	// inBlocks returns the layout with blocks, but does not set the field blocking. It is nil if the hashing has no
	// blocks.
	inBlocks func(bloomproof.Geometry) layout
}

// layoutOf returns the layout of g. It returns a ParamError when g is not valid, has more bits than a filter may have,
// or has a hashing without a layout.
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

// shape says how a hash becomes draws: the j-th draw is j*step + reduce(x_j, span). Here x_j is the j-th word of the
// stream that follows from the hash, and reduce maps it to a number below span. With blocks the shape is that of one
// block, and the words x_j are derived in another way.
type shape struct {
	k          int
	span, step uint64
}

// plain reports whether a key's positions are its draws from the whole filter, and one count of set bits suffices.
// Kernels can then set the bits from the hash and count them.
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

// derive sets pos to the positions of the hashes h, k for each hash. It requires k <= scanK.
func (l *layout) derive(im impl, pos []uint64, h []Hash) {
	l.draw(im, pos, h)
	if !l.settled {
		l.replaceRepeats(pos, h)
	}
}

// The method draw sets pos to the draws of the hashes h, k for each hash. The draws are the positions before repeats
// are replaced.
func (l *layout) draw(im impl, pos []uint64, h []Hash) {
	if l.size != 0 {
		l.inBlocks(pos, h)
		return
	}
	positions(im, pos, h, l.shape)
}

// newCounts returns the counts of an empty array.
func (l *layout) newCounts() counts {
	if l.sliced == 0 {
		return counts{}
	}
	return counts{slices: make([]uint64, l.sliced)}
}

// rateOf returns the probability that all positions of a new key are among the counted set bits, in a filter without
// blocks.
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

// shareOf returns the probability that the position of a new key in a slice with b set bits is set.
func (l *layout) shareOf(b uint64) float64 { return float64(b) / float64(l.step) }

// itemsOf estimates how many distinct keys set b bits. When all bits are set the estimate has no bound: bounded is then
// false and n is 0.
func (l *layout) itemsOf(b uint64) (n float64, bounded bool) {
	switch {
	case b == 0:
		return 0, true
	case b >= l.g.M:
		return 0, false
	}
	return l.items(l, b), true
}
