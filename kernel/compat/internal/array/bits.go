package array

import (
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

// Bits is an array of m bits, for keys with k positions. It also stores the number of its set bits. In the last word of
// the array, all bits beyond the m bits are zero.
type Bits struct {
	g     bloomproof.Geometry
	words []uint64
	set   uint64 // the number of set bits
}

// An array of "large" bits takes 64 MiB. For arrays of at least this size, New asks package kernel whether the host has
// enough memory. Without this check, the function "make" would end the program if there were too little memory.
const large = 1 << 29

// New returns an array for the geometry g. All bits of this array are clear. The geometry must be valid and have
// standard hashing.
// Errors: *bloomproof.ParamError if the host has too little memory for m bits.
func New(g bloomproof.Geometry) (Bits, error) {
	if g.M >= large {
		if _, err := kernel.New(g, kernel.Options{}); err != nil {
			return Bits{}, err
		}
	}
	return Bits{g: g, words: make([]uint64, (g.M+63)/64)}, nil
}

// Of returns an array for the geometry g. It uses the given words for its bits, and does not copy them. The number of
// words must be the same as for New. In the last word, all bits beyond the m bits must be zero.
func Of(g bloomproof.Geometry, words []uint64) Bits {
	a := Bits{g: g, words: words}
	a.recount()
	return a
}

func (a *Bits) recount() { a.set = uint64(kernel.Count(a.words)) }

// Geometry returns the geometry, with the values m and k of the array.
func (a *Bits) Geometry() bloomproof.Geometry { return a.g }

// Words returns the words of the array. They are not a copy.
func (a *Bits) Words() []uint64 { return a.words }

// Set sets bit i and reports whether it was clear.
func (a *Bits) Set(i uint64) bool {
	old := a.words[i>>6]
	a.words[i>>6] = old | 1<<(i&63)
	fresh := ^old >> (i & 63) & 1
	a.set += fresh
	return fresh != 0
}

// AddAll adds keys to the array. The slice "at" begins with the k positions of the first key. Those of the other keys
// follow in the same order as the keys. For each key in turn it sets the bits at the positions of the key. It appends
// true to dst if one of these bits was clear, otherwise false. All positions must be less than m.
func (a *Bits) AddAll(dst []bool, at []uint64) []bool {
	for k := a.g.K; len(at) >= k; at = at[k:] {
		fresh := uint64(0)
		for _, i := range at[:k] {
			old := a.words[i>>6]
			a.words[i>>6] = old | 1<<(i&63)
			fresh += ^old >> (i & 63) & 1
		}
		a.set += fresh
		dst = append(dst, fresh != 0)
	}
	return dst
}

// Has reports whether bit i is set.
func (a *Bits) Has(i uint64) bool { return a.words[i>>6]>>(i&63)&1 != 0 }

// Bits returns the number of set bits.
func (a *Bits) Bits() uint64 { return a.set }

// Clear clears all bits.
func (a *Bits) Clear() {
	clear(a.words)
	a.set = 0
}

// Clone returns a copy that is independent of a.
func (a *Bits) Clone() Bits {
	c := *a
	c.words = slices.Clone(a.words)
	return c
}

// Equal reports whether a and b have the same m, k and bits.
func (a *Bits) Equal(b *Bits) bool { return a.g == b.g && slices.Equal(a.words, b.words) }

// Union changes a: it sets every bit of a that is set in b.
// Errors: *bloomproof.ParamError if a and b differ in m or k.
func (a *Bits) Union(b *Bits) error {
	if a.g != b.g {
		return &bloomproof.ParamError{Param: "geometry", Value: b.g, Want: a.g.String()}
	}
	kernel.OrInto(a.words, b.words)
	a.recount()
	return nil
}

// Rate returns (b/m)^k, where b is the number of set bits.
func (a *Bits) Rate() float64 { return Rate(a.set, a.g.M, uint64(a.g.K)) }

// Items returns the results of the function Items for this array.
func (a *Bits) Items() (n float64, bounded bool) { return Items(a.set, a.g.M, uint64(a.g.K)) }

// The function Each calls do(key) for each of the keys in turn, and appends the results to dst.
func Each(dst []bool, keys [][]byte, do func(key []byte) bool) []bool {
	for _, key := range keys {
		dst = append(dst, do(key))
	}
	return dst
}
