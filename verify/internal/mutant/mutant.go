package mutant

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/sequential"
	"github.com/bloomproof/bloomproof/kernel"
)

// Filter is the interface that a test of rates needs. *kernel.Filter implements it.
type Filter interface {
	AddHash(kernel.Hash) bool      // records, and reports whether a bit was newly set
	ContainsHash(kernel.Hash) bool // reports whether all positions are set
	Bits() uint64                  // the number of set bits
	Clear()                        // forgets everything
}

// Positions is a function that appends positions to dst. They are those of the hash h in a filter of geometry g.
type Positions func(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64

// A Law names a quantity. A test compares this quantity with its exact value, which is the value for ideal positions.
// The samples of the quantity are scaled to [0, 1].
type Law string

const (
	// Rate is the fraction of false positives among new items after n additions.
	Rate Law = "rate"
	// SetBits is the share of the m bits that n additions set.
	SetBits Law = "set bits"
	// The law Place is about the mean of an item's positions. The positions are scaled so that the first possible
	// position is 0 and the last is 1.
	Place Law = "place"
	// Repeats is the fraction of equal pairs among all pairs of an item's positions.
	Repeats Law = "repeats"
	// Meetings compares two items. Each position of one item is compared with each position of the other item. The
	// quantity is the fraction of these comparisons in which the two positions are equal.
	Meetings Law = "meetings"
)

// Mutant is a standard filter with one fault.
type Mutant struct {
	Name      string
	Law       Law                // the law that it breaks most clearly
	Deviation sequential.Verdict // the direction of the deviation
	Positions Positions          // the positions of an item that is added
	Probes    Positions          // the positions of an item that is looked up; nil means Positions
}

// New returns an empty filter with the mutant's fault. It works for standard hashing only.
// Cost: m bytes.
// Errors: *bloomproof.ParamError.
func (m Mutant) New(g bloomproof.Geometry) (Filter, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	if g.Hashing != bloomproof.Standard {
		return nil, &bloomproof.ParamError{Param: "hashing", Value: g.Hashing, Want: "standard for a mutant"}
	}
	if g.M > 1<<30 {
		return nil, &bloomproof.ParamError{Param: "m", Value: g.M, Want: "at most 2^30 in a mutant"}
	}
	probes := m.Probes
	if probes == nil {
		probes = m.Positions
	}
	return &filter{g: g, add: m.Positions, probe: probes, set: make([]bool, g.M)}, nil
}

// All returns the mutants, each with the law that finds its fault.
func All() []Mutant {
	return []Mutant{
		{Name: "double hashing", Law: Rate, Deviation: sequential.Above, Positions: doubleHashing},
		{Name: "one probe too few", Law: Rate, Deviation: sequential.Above, Positions: ideal, Probes: shortProbe},
		{Name: "modulo of a short word", Law: Place, Deviation: sequential.Below, Positions: shortModulo},
		{Name: "same bit twice", Law: Repeats, Deviation: sequential.Above, Positions: sameTwice},
	}
}

// The type "filter" is the simplest possible filter. It stores each bit in a separate byte. So it needs no bit
// operations, which could have faults.
type filter struct {
	g          bloomproof.Geometry
	add, probe Positions
	set        []bool
	bits       uint64
	buf        []uint64
}

func (f *filter) AddHash(h kernel.Hash) bool {
	before := f.bits
	f.buf = f.add(f.buf[:0], f.g, h)
	for _, p := range f.buf {
		if !f.set[p] {
			f.set[p] = true
			f.bits++
		}
	}
	return f.bits > before
}

func (f *filter) ContainsHash(h kernel.Hash) bool {
	f.buf = f.probe(f.buf[:0], f.g, h)
	for _, p := range f.buf {
		if !f.set[p] {
			return false
		}
	}
	return true
}

func (f *filter) Bits() uint64 { return f.bits }

func (f *filter) Clear() {
	clear(f.set)
	f.bits = 0
}

// The function "ideal" appends to dst the positions that package kernel gives. The mutants change these positions. New
// has checked the geometry, so there is no error.
func ideal(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
	dst, err := kernel.AppendPositions(dst, g, h)
	if err != nil {
		panic("mutant: geometry was not checked: " + err.Error())
	}
	return dst
}

// doubleHashing is the scheme of Kirsch and Mitzenmacher (2006). Most Bloom filters use it. Position j is p_j = (h1 + j
// h2) mod m, where h1 and h2 are two hashes of the item. For large m its rate is right. For small m its rate is wrong.
// Two items share all k positions with probability about 1/m^2. Also, h2 may have a divisor in common with m.
func doubleHashing(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
	p, step := h.H0%g.M, h.H1%g.M
	for range g.K {
		dst = append(dst, p)
		p = (p + step) % g.M
	}
	return dst
}

// shortProbe returns only the first k-1 positions of an item, or one position if k = 1.
func shortProbe(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
	return ideal(dst, bloomproof.Geometry{M: g.M, K: max(1, g.K-1), Hashing: g.Hashing}, h)
}

// shortModulo takes words of b bits modulo m, where b is the smallest number with 2^b >= m. Let r = 2^b mod m. If m is
// not a power of two, each position p < r occurs for two words. Each position p >= r occurs for one word.
func shortModulo(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
	words := uint64(1)
	for words < g.M {
		words *= 2
	}
	start := len(dst)
	dst = ideal(dst, bloomproof.Geometry{M: words, K: g.K, Hashing: bloomproof.Standard}, h)
	for i := start; i < len(dst); i++ {
		dst[i] %= g.M
	}
	return dst
}

// sameTwice makes the last position equal to the position before it.
func sameTwice(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
	dst = ideal(dst, g, h)
	if g.K > 1 {
		dst[len(dst)-1] = dst[len(dst)-2]
	}
	return dst
}
