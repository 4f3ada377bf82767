// Package bloomfilter has the names of github.com/holiman/bloomfilter/v2 over a
// kernel.Filter: change the import, and a program goes on as it was. As there, any number
// of goroutines may use a filter, one at a time changing it. What differs:
//
//   - Files. A snapshot of package kernel is written, then N and a SHA-384 of all; with
//     gzip, and as base64 in JSON, where the other library does so. Its files are refused
//     with kernel.ErrCorrupt: its bits stand at positions of its own, and no bits can be
//     carried over. Refill the filter.
//   - Keys. A 64-bit hash is hashed again with a seed, random for New and NewOptimal and
//     made from the keys by NewWithKeys. Filters of equal m, k and keys are compatible, as
//     there; of k keys only their number and the seed are kept.
//   - FalsePosititveProbability returns the expected rate within 1e-12 for N keys that are
//     distinct, not an approximation.
//   - There are limits, with errors beyond them: k up to 4096 and m up to 2^48.
package bloomfilter

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"os"
	"sync"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/kernel"
)

// The least m and k, and the bytes of a word.
const (
	MMin        = 2
	KMin        = 1
	Uint64Bytes = 8
)

// Filter is a kernel.Filter with a lock, which counts what was added. Its zero value is
// for reading into.
type Filter struct {
	lock sync.RWMutex
	f    *kernel.Filter
	n    uint64
}

// OptimalK returns ceil(m/n ln 2), the textbook's best k for n keys in m bits.
// approx.OptimalK has the exact rates' best one.
// Domain: maxN at least 1; else it panics with a *bloomproof.ParamError.
func OptimalK(m, maxN uint64) uint64 {
	if maxN == 0 {
		panic(&bloomproof.ParamError{Param: "maxN", Value: maxN, Want: "at least 1"})
	}
	k := math.Ceil(float64(m) * math.Ln2 / float64(maxN))
	return uint64(min(k, 1<<63)) // m 2^63 or more
}

// OptimalM returns the textbook's ceil(n ln(1/p) / (ln 2)^2). approx.LeastBits has the
// fewest bits that keep the rate p.
// Domain: that of NewOptimal; else it panics with a *bloomproof.ParamError.
func OptimalM(maxN uint64, p float64) uint64 {
	m, err := optimalM(maxN, p)
	if err != nil {
		panic(err)
	}
	return m
}

func optimalM(maxN uint64, p float64) (uint64, error) {
	if !(p > 0 && p <= 1) {
		return 0, &bloomproof.ParamError{Param: "p", Value: p, Want: "above 0 and at most 1"}
	}
	m := math.Ceil(-float64(maxN) * math.Log(p) / (math.Ln2 * math.Ln2))
	if m > 1<<48 { // kernel.New takes no more
		return 0, &bloomproof.ParamError{Param: "maxN", Value: maxN, Want: "so few that 2^48 bits are enough"}
	}
	return uint64(m), nil
}

// New returns an empty filter of m bits with k positions a key and a random seed.
// Errors: *bloomproof.ParamError.
func New(m, k uint64) (*Filter, error) {
	var seed [8]byte
	rand.Read(seed[:]) // which ends the program where it cannot
	return newSeeded(m, k, binary.LittleEndian.Uint64(seed[:]))
}

func newSeeded(m, k, seed uint64) (*Filter, error) {
	switch {
	case m < MMin:
		return nil, &bloomproof.ParamError{Param: "m", Value: m, Want: "at least 2"}
	case k < KMin || k > bloomproof.MaxK:
		return nil, &bloomproof.ParamError{Param: "k", Value: k, Want: "between 1 and 4096"}
	}
	f, err := kernel.New(bloomproof.Geometry{M: m, K: int(k)}, kernel.Options{Seed: seed})
	if err != nil {
		return nil, err
	}
	return &Filter{f: f}, nil
}

// NewOptimal returns a filter for maxN keys at a rate of about p, by OptimalM and OptimalK.
// Domain: 1 <= maxN, 0 < p <= 1, at most 2^48 bits. Errors: *bloomproof.ParamError.
func NewOptimal(maxN uint64, p float64) (*Filter, error) {
	if maxN == 0 {
		return nil, &bloomproof.ParamError{Param: "maxN", Value: maxN, Want: "at least 1"}
	}
	m, err := optimalM(maxN, p)
	if err != nil {
		return nil, err
	}
	return New(m, OptimalK(m, maxN))
}

// NewWithKeys returns a filter with a position a key for each of the keys, which must be
// distinct. Filters with equal m and keys are compatible.
// Errors: *bloomproof.ParamError.
func NewWithKeys(m uint64, origKeys []uint64) (f *Filter, err error) {
	seen := make(map[uint64]bool, min(len(origKeys), bloomproof.MaxK))
	digest := sha256.New()
	for i, key := range origKeys {
		if i == bloomproof.MaxK {
			break // refused below
		}
		if seen[key] {
			return nil, &bloomproof.ParamError{Param: "origKeys", Value: fmt.Sprintf("one twice, at %d", i), Want: "distinct"}
		}
		seen[key] = true
		digest.Write(binary.LittleEndian.AppendUint64(nil, key))
	}
	return newSeeded(m, uint64(len(origKeys)), binary.LittleEndian.Uint64(digest.Sum(nil)))
}

// NewCompatible returns an empty filter that is compatible with f.
func (f *Filter) NewCompatible() (*Filter, error) {
	g, err := f.Copy()
	if err != nil {
		return nil, err
	}
	g.f.Clear()
	g.n = 0
	return g, nil
}

// Filter returns a copy as a kernel.Filter. A 64-bit hash that was added is in it as the
// key of its 8 bytes in little-endian order.
func (f *Filter) Filter() *kernel.Filter {
	f.lock.RLock()
	defer f.lock.RUnlock()
	return f.f.Clone()
}

// geometry returns m and k, which reading into f may change.
func (f *Filter) geometry() bloomproof.Geometry {
	f.lock.RLock()
	defer f.lock.RUnlock()
	return f.f.Geometry()
}

// M returns the number of bits.
func (f *Filter) M() uint64 { return f.geometry().M }

// K returns the number of positions a key.
func (f *Filter) K() uint64 { return uint64(f.geometry().K) }

// N returns how often a key was added.
func (f *Filter) N() uint64 {
	f.lock.RLock()
	defer f.lock.RUnlock()
	return f.n
}

// Add records v.Sum64().
func (f *Filter) Add(v hash.Hash64) { f.AddHash(v.Sum64()) }

// AddHash records a hash. It need not be a good one, so long as different keys have
// different ones.
func (f *Filter) AddHash(hash uint64) {
	var key [8]byte
	binary.LittleEndian.PutUint64(key[:], hash)
	f.lock.Lock()
	defer f.lock.Unlock()
	f.f.Add(key[:])
	f.n++
}

// Contains reports whether v.Sum64() may have been added; for one that was, it is true.
func (f *Filter) Contains(v hash.Hash64) bool { return f.ContainsHash(v.Sum64()) }

// ContainsHash reports whether hash may have been added; for one that was, it is true.
func (f *Filter) ContainsHash(hash uint64) bool {
	var key [8]byte
	binary.LittleEndian.PutUint64(key[:], hash)
	f.lock.RLock()
	defer f.lock.RUnlock()
	return f.f.Contains(key[:])
}

// Copy returns an independent copy. The error is always nil.
func (f *Filter) Copy() (*Filter, error) {
	f.lock.RLock()
	defer f.lock.RUnlock()
	return &Filter{f: f.f.Clone(), n: f.n}, nil
}

// IsCompatible reports whether f and f2 have the same m, k and keys, and can be united.
func (f *Filter) IsCompatible(f2 *Filter) bool {
	f.lock.RLock()
	g, h := f.f.Geometry(), f.f.Hasher().Bytes(nil) // by which seeds differ
	f.lock.RUnlock()
	f2.lock.RLock()
	defer f2.lock.RUnlock()
	return g == f2.f.Geometry() && h == f2.f.Hasher().Bytes(nil)
}

// UnionInPlace adds to f all that f2 holds. It copies f2, so that two goroutines may unite
// two filters both ways.
// Errors: *bloomproof.ParamError when they are not compatible; f is then unchanged.
func (f *Filter) UnionInPlace(f2 *Filter) error {
	g, err := f2.Copy()
	if err != nil {
		return err
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	if err := f.f.Union(g.f); err != nil {
		return err
	}
	f.n += g.n
	return nil
}

// Union returns a new filter that holds what f and f2 hold.
// Errors: *bloomproof.ParamError when they are not compatible.
func (f *Filter) Union(f2 *Filter) (out *Filter, err error) {
	if out, err = f.Copy(); err != nil {
		return nil, err
	}
	if err := out.UnionInPlace(f2); err != nil {
		return nil, err
	}
	return out, nil
}

// PreciseFilledRatio returns the share of the bits that are set.
func (f *Filter) PreciseFilledRatio() float64 {
	f.lock.RLock()
	defer f.lock.RUnlock()
	return float64(f.f.Bits()) / float64(f.f.Geometry().M)
}

// FalsePosititveProbability returns the expected rate of such filters with N distinct keys:
// approx.FPR. Filter().Rate() is that of this one as it is.
func (f *Filter) FalsePosititveProbability() float64 {
	f.lock.RLock()
	g, n := f.f.Geometry(), f.n
	f.lock.RUnlock()
	rate, err := approx.FPR(g, n)
	if err != nil {
		panic(err) // a filter has a valid geometry
	}
	return rate
}

// CountBitsUint64s returns the number of ones in b.
func CountBitsUint64s(b []uint64) int { return kernel.Count(b) }

// MarshallToWriter writes the filter and returns the bytes written and the SHA-384 that
// ends them. Its layout is a snapshot of package kernel, N in 8 bytes, little-endian, and
// the SHA-384 of both.
func (f *Filter) MarshallToWriter(out io.Writer) (int, [sha512.Size384]byte, error) {
	f.lock.RLock()
	defer f.lock.RUnlock()
	var sum [sha512.Size384]byte
	digest := sha512.New384()
	both := io.MultiWriter(out, digest)
	n, err := f.f.WriteTo(both)
	if err != nil {
		return int(n), sum, err
	}
	written, err := both.Write(binary.LittleEndian.AppendUint64(nil, f.n))
	if n += int64(written); err != nil {
		return int(n), sum, err
	}
	digest.Sum(sum[:0])
	written, err = out.Write(sum[:])
	return int(n) + written, sum, err
}

// UnmarshalFromReader reads what MarshallToWriter wrote, and nothing beyond it. After an
// error, which matches kernel.ErrCorrupt or is the reader's, f is as it was.
func (f *Filter) UnmarshalFromReader(input io.Reader) (n int64, err error) {
	g, digest := new(kernel.Filter), sha512.New384()
	read := io.TeeReader(input, digest)
	if n, err = g.ReadFrom(read); err != nil {
		return n, err
	}
	var rest [8 + sha512.Size384]byte
	took, err := io.ReadFull(read, rest[:8])
	n += int64(took)
	sum := digest.Sum(nil)
	if err == nil {
		took, err = io.ReadFull(input, rest[8:])
		n += int64(took)
	}
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return n, fmt.Errorf("bloomfilter: %w: cut short", kernel.ErrCorrupt)
	case err != nil:
		return n, err
	case !bytes.Equal(sum, rest[8:]):
		return n, fmt.Errorf("bloomfilter: %w: the SHA-384 is another", kernel.ErrCorrupt)
	case g.Geometry().Hashing != bloomproof.Standard || g.Geometry().M < MMin:
		return n, fmt.Errorf("bloomfilter: %w: no filter of this package", kernel.ErrCorrupt)
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	f.f, f.n = g, binary.LittleEndian.Uint64(rest[:8])
	return n, nil
}

// MarshalBinary returns what MarshallToWriter writes.
func (f *Filter) MarshalBinary() (data []byte, err error) {
	var b bytes.Buffer
	_, _, err = f.MarshallToWriter(&b)
	return b.Bytes(), err
}

// UnmarshalBinary is UnmarshalFromReader, and refuses bytes that follow.
func (f *Filter) UnmarshalBinary(data []byte) (err error) {
	g, r := new(Filter), bytes.NewReader(data)
	if _, err := g.UnmarshalFromReader(r); err != nil {
		return err
	}
	if r.Len() > 0 {
		return fmt.Errorf("bloomfilter: %w: %d bytes follow", kernel.ErrCorrupt, r.Len())
	}
	f.become(g)
	return nil
}

// become makes f what g is, which nobody else has.
func (f *Filter) become(g *Filter) {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.f, f.n = g.f, g.n
}

// GobEncode is MarshalBinary.
func (f *Filter) GobEncode() ([]byte, error) { return f.MarshalBinary() }

// GobDecode is UnmarshalBinary.
func (f *Filter) GobDecode(data []byte) error { return f.UnmarshalBinary(data) }

type document struct {
	Filter []byte `json:"filter"`
}

// MarshalJSON returns {"filter": "..."}, what MarshalBinary returns in base64.
func (f *Filter) MarshalJSON() ([]byte, error) {
	data, err := f.MarshalBinary()
	if err != nil {
		return nil, err
	}
	return json.Marshal(document{data})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (f *Filter) UnmarshalJSON(data []byte) error {
	var d document
	if err := json.Unmarshal(data, &d); err != nil {
		return err
	}
	return f.UnmarshalBinary(d.Filter)
}

// WriteTo writes the filter compressed by gzip, and returns the bytes before that.
func (f *Filter) WriteTo(w io.Writer) (n int64, err error) {
	z := gzip.NewWriter(w)
	written, _, err := f.MarshallToWriter(z)
	return int64(written), errors.Join(err, z.Close())
}

// ReadFrom reads what WriteTo wrote. After an error, with which it returns -1, f is as it
// was.
func (f *Filter) ReadFrom(r io.Reader) (n int64, err error) {
	g, n, err := ReadFrom(r)
	if err != nil {
		return -1, err
	}
	f.become(g)
	return n, nil
}

// ReadFrom returns the filter that WriteTo wrote, and the bytes uncompressed; or nil, -1
// and an error.
func ReadFrom(r io.Reader) (f *Filter, n int64, err error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, -1, err
	}
	defer z.Close()
	f = new(Filter)
	if n, err = f.UnmarshalFromReader(z); err != nil {
		return nil, -1, err
	}
	return f, n, nil
}

// ReadFile is ReadFrom a file.
func ReadFile(filename string) (f *Filter, n int64, err error) {
	r, err := os.Open(filename)
	if err != nil {
		return nil, -1, err
	}
	defer r.Close()
	return ReadFrom(r)
}

// WriteFile is WriteTo a file. It returns -1 with the error when the file cannot be made.
func (f *Filter) WriteFile(filename string) (n int64, err error) {
	w, err := os.Create(filename)
	if err != nil {
		return -1, err
	}
	n, err = f.WriteTo(w)
	return n, errors.Join(err, w.Close())
}
