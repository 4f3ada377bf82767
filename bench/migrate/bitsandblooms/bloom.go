// Package bloom has the names of github.com/bits-and-blooms/bloom/v3 over a kernel.Filter:
// change the import, and a program goes on as it was. What differs:
//
//   - Files. The snapshots of package kernel are written and read, in binary, gob and, as
//     base64, JSON. Those of the other library are refused with kernel.ErrCorrupt: its bits
//     stand at positions of its own, and no bits can be carried over. Refill the filter.
//   - Locations returns a hash, which serves every filter made by New, in place of k
//     numbers, and TestLocations takes that.
//   - BitSet, From and FromWithM, which share the bit array with the caller, are missing.
//     Filter().Bits, Filter().AppendWords and the snapshots take their place.
//   - EstimateFalsePositiveRate returns the expected rate within 1e-12, not a measurement.
//   - There are limits: k up to 4096 and m up to 2^48. New and its like, which return no
//     error, panic beyond them with a *bloomproof.ParamError. Where m and k come from
//     outside, use Of(kernel.New(g, options)), which returns the error.
package bloom

import (
	"bytes"
	"encoding/json"
	"io"
	"math"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/kernel"
)

// BloomFilter is a kernel.Filter. Its zero value is for reading a snapshot into.
type BloomFilter struct{ f *kernel.Filter }

// Of returns f as a BloomFilter, or err: made to be called with what kernel.New returns.
func Of(f *kernel.Filter, err error) (*BloomFilter, error) {
	if err != nil {
		return nil, err
	}
	return &BloomFilter{f}, nil
}

// Filter returns the filter itself, with all that package kernel can do.
func (f *BloomFilter) Filter() *kernel.Filter { return f.f }

// geometry returns that of a filter of m bits and k positions, both at least 1. It panics
// with a *bloomproof.ParamError above the limits.
func geometry(m, k uint) bloomproof.Geometry {
	if k > bloomproof.MaxK {
		panic(&bloomproof.ParamError{Param: "k", Value: k, Want: "at most 4096"})
	}
	return bloomproof.Geometry{M: max(1, uint64(m)), K: max(1, int(k))}
}

// New returns an empty filter of m bits with k positions a key, both taken as at least 1.
func New(m uint, k uint) *BloomFilter {
	f, err := Of(kernel.New(geometry(m, k), kernel.Options{}))
	if err != nil {
		panic(err)
	}
	return f
}

// NewWithEstimates returns a filter for n keys at a rate of about p, by EstimateParameters.
func NewWithEstimates(n uint, fp float64) *BloomFilter {
	m, k := EstimateParameters(n, fp)
	return New(m, k)
}

// EstimateParameters returns the textbook's m = ceil(n ln(1/p) / (ln 2)^2) and k =
// ceil(m/n ln 2): those of the library that it stands in for. approx.LeastBits returns the
// fewest bits that keep the rate.
// Domain: 0 < p <= 1; else it panics with a *bloomproof.ParamError. No keys need one bit.
func EstimateParameters(n uint, p float64) (m uint, k uint) {
	if !(p > 0 && p <= 1) {
		panic(&bloomproof.ParamError{Param: "p", Value: p, Want: "above 0 and at most 1"})
	}
	if n == 0 {
		return 1, 1
	}
	bits := math.Ceil(-1 * float64(n) * math.Log(p) / math.Pow(math.Log(2), 2))
	if bits > min(1<<48, math.MaxUint) { // kernel.New takes no more
		panic(&bloomproof.ParamError{Param: "n", Value: n, Want: "so few that 2^48 bits are enough"})
	}
	m = uint(bits)
	return m, uint(math.Ceil(math.Log(2) * float64(m) / float64(n)))
}

// EstimateFalsePositiveRate returns the expected rate of filters of m bits with k positions
// a key and n keys: approx.FPR.
func EstimateFalsePositiveRate(m, k, n uint) (fpRate float64) {
	rate, err := approx.FPR(geometry(m, k), uint64(n))
	if err != nil {
		panic(err)
	}
	return rate
}

// Locations returns the hash of data, for TestLocations of any filter made by New. It is
// the same for all k.
func Locations(data []byte, k uint) kernel.Hash { return hasher.Hasher().Bytes(data) }

var hasher = New(1, 1).f

// Cap returns m.
func (f *BloomFilter) Cap() uint { return uint(f.f.Geometry().M) }

// K returns k.
func (f *BloomFilter) K() uint { return uint(f.f.Geometry().K) }

// Add records data and returns f.
func (f *BloomFilter) Add(data []byte) *BloomFilter {
	f.f.Add(data)
	return f
}

// AddString is Add.
func (f *BloomFilter) AddString(data string) *BloomFilter { return f.Add([]byte(data)) }

// Test reports whether data may have been added; for data that was, it is true.
func (f *BloomFilter) Test(data []byte) bool { return f.f.Contains(data) }

// TestString is Test.
func (f *BloomFilter) TestString(data string) bool { return f.Test([]byte(data)) }

// TestLocations is Test for a hash that Locations returned. A filter of another seed or
// scheme (Of) knows only the hashes that its Filter().Hash returns.
func (f *BloomFilter) TestLocations(locs kernel.Hash) bool { return f.f.ContainsHash(locs) }

// TestAndAdd is Test and then Add, in one.
func (f *BloomFilter) TestAndAdd(data []byte) bool { return !f.f.Add(data) }

// TestAndAddString is TestAndAdd.
func (f *BloomFilter) TestAndAddString(data string) bool { return f.TestAndAdd([]byte(data)) }

// TestOrAdd is TestAndAdd: to add what is there changes nothing.
func (f *BloomFilter) TestOrAdd(data []byte) bool { return f.TestAndAdd(data) }

// TestOrAddString is TestOrAdd.
func (f *BloomFilter) TestOrAddString(data string) bool { return f.TestOrAdd([]byte(data)) }

// Merge adds to f all that g holds. It returns a *bloomproof.ParamError, and leaves f as it
// is, when m, k or the hash differ.
func (f *BloomFilter) Merge(g *BloomFilter) error { return f.f.Union(g.f) }

// Copy returns an independent copy.
func (f *BloomFilter) Copy() *BloomFilter { return &BloomFilter{f.f.Clone()} }

// ClearAll forgets everything, and returns f.
func (f *BloomFilter) ClearAll() *BloomFilter {
	f.f.Clear()
	return f
}

// Equal reports whether f and g have the same m, k, hash and bits.
func (f *BloomFilter) Equal(g *BloomFilter) bool {
	a, errA := f.f.MarshalBinary()
	b, errB := g.f.MarshalBinary() // of one state there is one snapshot
	return errA == nil && errB == nil && bytes.Equal(a, b)
}

// ApproximatedSize estimates how many distinct keys were added, rounded, from the set bits.
// When all are set there is no estimate, and the largest uint32 stands for it, as it does
// for more.
func (f *BloomFilter) ApproximatedSize() uint32 {
	n, bounded := f.f.Items()
	if !bounded || n >= math.MaxUint32 {
		return math.MaxUint32
	}
	return uint32(math.Round(n))
}

// WriteTo writes a snapshot.
func (f *BloomFilter) WriteTo(stream io.Writer) (int64, error) { return f.f.WriteTo(stream) }

// ReadFrom reads a snapshot, and no byte after it. After an error, which is of
// the stream or one of kernel.Filter.UnmarshalBinary, f is as it was.
func (f *BloomFilter) ReadFrom(stream io.Reader) (int64, error) {
	g := f.target()
	n, err := g.ReadFrom(stream)
	if err == nil {
		f.f = g
	}
	return n, err
}

// target returns what to read into, which is f where there is one: it may have a secret key.
func (f *BloomFilter) target() *kernel.Filter {
	if f.f == nil {
		return new(kernel.Filter)
	}
	return f.f
}

// MarshalBinary returns a snapshot.
func (f *BloomFilter) MarshalBinary() ([]byte, error) { return f.f.MarshalBinary() }

// UnmarshalBinary is ReadFrom for a whole snapshot.
func (f *BloomFilter) UnmarshalBinary(data []byte) error {
	g := f.target()
	if err := g.UnmarshalBinary(data); err != nil {
		return err
	}
	f.f = g
	return nil
}

// GobEncode is MarshalBinary.
func (f *BloomFilter) GobEncode() ([]byte, error) { return f.MarshalBinary() }

// GobDecode is UnmarshalBinary.
func (f *BloomFilter) GobDecode(data []byte) error { return f.UnmarshalBinary(data) }

type document struct {
	Snapshot []byte `json:"snapshot"`
}

// MarshalJSON returns {"snapshot": "..."}, the snapshot in base64.
func (f BloomFilter) MarshalJSON() ([]byte, error) {
	data, err := f.f.MarshalBinary()
	if err != nil {
		return nil, err
	}
	return json.Marshal(document{data})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (f *BloomFilter) UnmarshalJSON(data []byte) error {
	var d document
	if err := json.Unmarshal(data, &d); err != nil {
		return err
	}
	return f.UnmarshalBinary(d.Snapshot)
}
