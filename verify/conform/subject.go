package conform

import (
	"errors"
	"fmt"

	"github.com/bloomproof/bloomproof"
)

// Subject describes a kind of filter that is examined: the functions that make and use it, and its declared properties.
// Leave a function nil if the filter does not have it. Only Add, Contains, and New or Make are required. All filters of
// a Subject have the same hash function, unless Seeded is set. The functions must not keep the keys: the caller
// overwrites them after each call.
type Subject[F any] struct {
	// Hashing says how the positions are drawn. If the filter has blocks, they are drawn within one block.
	Hashing bloomproof.Hashing
	// BlockBits is the size of the blocks of a blocked filter. It is 0 for other filters.
	BlockBits uint64
	// Shards is the number of equal parts of a filter, or 0 for a filter in one part. A key's hash selects the part.
	// All k positions of the key are in this part. The field Hashing says how they are drawn. For a filter with blocks,
	// set only BlockBits, and leave Shards 0.
	Shards uint64
	// Seeded is true if each filter draws its own hash function when it is made. Then only filters that were read from
	// the same snapshot are compared and combined.
	Seeded bool
	// OwnRate declares a filter that is not a Bloom filter, such as an exact set, a fuse filter or a cuckoo filter. It
	// returns the probability that f contains a new key, when n different keys were added to f. The value 0 means that
	// f has no false positives. The rate of f must be at most this value and at least half of it. So OwnRate may return
	// an upper bound of the rate, if this bound is at most twice the rate. The laws "set bits", "place", "dependence",
	// "items" and "sizing" are then not examined. The fields Hashing, BlockBits and Shards are ignored. The filter that
	// New makes for m bits and k positions per item must have room for m keys. If the subject has no function New, Make
	// is called for m keys at a rate of 2^-k.
	OwnRate func(f F, n uint64) float64

	// New returns an empty filter of m bits and k positions per item, or an error if there is no filter of this shape.
	New func(m uint64, k int) (F, error)
	// Make returns an empty filter for n items at a rate. The subject itself chooses the size of the filter. If there
	// is no such filter, Make returns an error.
	Make func(n uint64, rate float64) (F, error)
	// Shape returns how many bits and positions a filter actually has. A subject needs this function if New rounds m or
	// k.
	Shape func(f F) (m uint64, k int)
	// Add records a key.
	Add func(f F, key []byte)
	// Contains reports whether a key may have been recorded.
	Contains func(f F, key []byte) bool

	// AddBatch and ContainsBatch are Add and Contains for many keys. The caller owns the returned answers.
	AddBatch      func(f F, keys [][]byte)
	ContainsBatch func(f F, keys [][]byte) []bool
	// TestAndAdd records a key and reports whether it was contained before.
	TestAndAdd func(f F, key []byte) bool
	// Bits returns the number of set bits.
	Bits func(f F) uint64
	// Words returns the bits of the array. Bit i is bit i&63 of word i>>6. The bits may be in any fixed order.
	Words func(f F) []uint64
	// Union adds the content of g to f. Intersect removes from f what is not in g.
	Union, Intersect func(f, g F) error
	// Reset makes the filter empty.
	Reset func(f F)
	// Items estimates how many different keys were added.
	Items func(f F) float64
	// Rate returns the probability that a new key is contained, given the bits that are set.
	Rate func(f F) float64
	// RateFor returns the expected rate of a filter of m bits and k positions with n items.
	RateFor func(m uint64, k int, n uint64) float64
	// Size returns the m and the k that the library recommends for n items and the given rate. If it has no
	// recommendation, it returns 0 and 0.
	Size func(n uint64, rate float64) (m uint64, k int)
	// Marshal returns a snapshot of f. Unmarshal turns f into the filter that a snapshot describes.
	Marshal   func(f F) ([]byte, error)
	Unmarshal func(f F, data []byte) error
	// ConcurrentReads says that many goroutines may read the filter at the same time, if nothing changes it meanwhile.
	// The reading functions are Contains, ContainsBatch, Bits, Items, Rate and Marshal. ConcurrentAdds says that many
	// goroutines may call Add, AddBatch and TestAndAdd at the same time. If both are set, goroutines may call Contains
	// and ContainsBatch during additions. A key whose addition has returned must then be contained.
	ConcurrentReads, ConcurrentAdds bool

	// The function "many" looks up several keys in one call. It is set only for filters in another process.
	many func(f F, keys [][]byte) []bool
	// The field "piped" is true if the filters are behind a pipe. Programs are then printed as lines of the pipe's
	// protocol.
	piped bool
	// If the program behind the pipe ends, it is started again. This happens only a limited number of times. The
	// function "spent" reports whether this limit is reached.
	spent func() bool
	// The function "elsewhere" reads a snapshot in another process. It returns, for each key, whether the filter in
	// that process contains it.
	elsewhere func(data []byte, keys [][]byte) ([]bool, error)
}

// The method "check" returns a ParamError if the subject cannot be examined.
func (s Subject[F]) check() error {
	switch {
	case s.New == nil && s.Make == nil:
		return &bloomproof.ParamError{Param: "New", Value: nil, Want: "a function, or Make"}
	case s.New == nil && s.Shape == nil && s.OwnRate == nil:
		return &bloomproof.ParamError{Param: "Shape", Value: nil, Want: "a function, where Make sizes the filter"}
	case s.Shards > 0 && s.BlockBits > 0:
		return &bloomproof.ParamError{Param: "Shards", Value: s.Shards, Want: "0 where BlockBits is not"}
	case s.Shards > 1<<32:
		return &bloomproof.ParamError{Param: "Shards", Value: s.Shards, Want: "at most 2^32"}
	case s.Add == nil:
		return &bloomproof.ParamError{Param: "Add", Value: nil, Want: "a function"}
	case s.Contains == nil:
		return &bloomproof.ParamError{Param: "Contains", Value: nil, Want: "a function"}
	}
	return checkHashing(s.Hashing)
}

var errNoNew = errors.New("there is no New")

// The type "filter" is another name of Go's type any. It is the type of a subject's filters. So the same code examines
// filters of every type.
type filter = any

// The function "erase" converts s into a subject whose filters have the type any. Each function of the result calls the
// function of s with the same name.
func erase[F any](s Subject[F]) Subject[filter] {
	e := Subject[filter]{
		Hashing: s.Hashing, BlockBits: s.BlockBits, Shards: s.Shards, Seeded: s.Seeded,
		Add:      func(f filter, key []byte) { s.Add(f.(F), key) },
		Contains: func(f filter, key []byte) bool { return s.Contains(f.(F), key) },
		RateFor:  s.RateFor, Size: s.Size,
		ConcurrentReads: s.ConcurrentReads, ConcurrentAdds: s.ConcurrentAdds,
		piped: s.piped, spent: s.spent, elsewhere: s.elsewhere,
	}
	e.New = func(uint64, int) (filter, error) { return nil, errNoNew }
	if s.New != nil {
		e.New = func(m uint64, k int) (filter, error) { return s.New(m, k) }
	}
	if s.Make != nil {
		e.Make = func(n uint64, rate float64) (filter, error) { return s.Make(n, rate) }
	}
	if s.OwnRate != nil {
		e.OwnRate = func(f filter, n uint64) float64 { return s.OwnRate(f.(F), n) }
	}
	if s.many != nil {
		e.many = func(f filter, keys [][]byte) []bool { return s.many(f.(F), keys) }
	}
	if s.Shape != nil {
		e.Shape = func(f filter) (uint64, int) { return s.Shape(f.(F)) }
	}
	if s.AddBatch != nil {
		e.AddBatch = func(f filter, keys [][]byte) { s.AddBatch(f.(F), keys) }
	}
	if s.ContainsBatch != nil {
		e.ContainsBatch = func(f filter, keys [][]byte) []bool { return s.ContainsBatch(f.(F), keys) }
	}
	if s.TestAndAdd != nil {
		e.TestAndAdd = func(f filter, key []byte) bool { return s.TestAndAdd(f.(F), key) }
	}
	if s.Bits != nil {
		e.Bits = func(f filter) uint64 { return s.Bits(f.(F)) }
	}
	if s.Words != nil {
		e.Words = func(f filter) []uint64 { return s.Words(f.(F)) }
	}
	if s.Union != nil {
		e.Union = func(f, g filter) error { return s.Union(f.(F), g.(F)) }
	}
	if s.Intersect != nil {
		e.Intersect = func(f, g filter) error { return s.Intersect(f.(F), g.(F)) }
	}
	if s.Reset != nil {
		e.Reset = func(f filter) { s.Reset(f.(F)) }
	}
	if s.Items != nil {
		e.Items = func(f filter) float64 { return s.Items(f.(F)) }
	}
	if s.Rate != nil {
		e.Rate = func(f filter) float64 { return s.Rate(f.(F)) }
	}
	if s.Marshal != nil {
		e.Marshal = func(f filter) ([]byte, error) { return s.Marshal(f.(F)) }
	}
	if s.Unmarshal != nil {
		e.Unmarshal = func(f filter, data []byte) error { return s.Unmarshal(f.(F), data) }
	}
	return e
}

// The method "model" returns the model of the filter f. This filter was made for m bits and k positions. The model has
// the properties that the subject declares.
func (x *examination) model(f filter, m uint64, k int) (model, error) {
	if x.s.Shape != nil {
		m, k = x.s.Shape(f)
	}
	return x.modelOf(m, k)
}

// modelOf returns the model of a filter of m bits and k positions.
func (x *examination) modelOf(m uint64, k int) (model, error) {
	if x.s.OwnRate != nil { // the hashing of a Bloom filter does not matter
		return model{blocks: 1, g: bloomproof.Geometry{M: m, K: k}, own: true}, nil
	}
	d := model{blocks: max(1, x.s.Shards), g: bloomproof.Geometry{M: m, K: k, Hashing: x.s.Hashing}}
	if b := x.s.BlockBits; b > 0 {
		d.blocks = m / b
	}
	if d.blocks == 0 || m%d.blocks != 0 || x.s.BlockBits > 0 && m%x.s.BlockBits != 0 {
		unit := max(x.s.BlockBits, x.s.Shards)
		return d, fmt.Errorf("%d bits: %w", m, &bloomproof.ParamError{Param: "m", Value: m, Want: fmt.Sprintf("a multiple of %d", unit)})
	}
	d.g.M /= d.blocks
	return d, d.g.Validate()
}
