package bloom

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"strings"

	"github.com/bits-and-blooms/bitset"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel/compat/internal/array"
)

const name = "bloom" // the name in error messages

// A stored filter has a number m and a bit set. The length of the bit set may differ from m. If m is at most freeBits,
// a bit set of any length is accepted. If m is larger than freeBits, a bit set with fewer than m/2 bits is refused.
const freeBits = 1 << 16

// The function "made" returns the filter with the given m, k and bit set. If no filter can have these values, it
// returns an error that wraps kernel.ErrCorrupt.
func made(m, k uint64, b *bitset.BitSet) (*BloomFilter, error) {
	have := uint64(b.Len())
	switch {
	case m == 0 || m > math.MaxUint:
		return nil, array.Corrupt(name, "m = %d", m)
	case k == 0 || k > bloomproof.MaxK:
		return nil, array.Corrupt(name, "k = %d", k)
	case m > freeBits && m/2 > have:
		return nil, array.Corrupt(name, "m = %d, and %d bits", m, have)
	}
	return &BloomFilter{uint(m), uint(k), b}, nil
}

// readBits reads the number of bits, and then the words. The method bitset.BitSet.WriteTo writes this form. It uses the
// byte order for which package bitset is configured.
func readBits(r io.Reader) (*bitset.BitSet, int64, error) {
	head, done, err := array.Read(r, 1, bitset.BinaryOrder())
	if err != nil {
		return nil, done, array.Short(name, err)
	}
	length := head[0]
	if length > math.MaxInt {
		return nil, done, array.Corrupt(name, "%d bits", length)
	}
	words, n, err := array.Read(r, (length+63)/64, bitset.BinaryOrder())
	done += n
	if err != nil {
		return nil, done, array.Short(name, err)
	}
	if array.Count(words, length) != array.Count(words, uint64(len(words))*64) {
		return nil, done, array.Corrupt(name, "a bit from the last of %d bits on is set", length)
	}
	return bitset.FromWithLength(uint(length), words), done, nil
}

// WriteTo writes m and k, with 8 bytes each, in big-endian order. Then it writes the number of bits of the bit set,
// followed by the words of the bit set. These are big-endian too, unless package bitset is configured differently.
func (f *BloomFilter) WriteTo(stream io.Writer) (int64, error) {
	n, err := array.Write(stream, []uint64{uint64(f.m), uint64(f.k)}, binary.BigEndian)
	if err != nil {
		return n, err
	}
	b := f.b
	if b == nil {
		b = new(bitset.BitSet)
	}
	more, err := b.WriteTo(stream)
	return n + more, err
}

// ReadFrom reads what WriteTo has written, and no byte after it.
// Errors: the errors of the stream, and errors that wrap kernel.ErrCorrupt. After an error, f is unchanged.
func (f *BloomFilter) ReadFrom(stream io.Reader) (int64, error) {
	head, n, err := array.Read(stream, 2, binary.BigEndian)
	if err != nil {
		return n, array.Short(name, err)
	}
	b, more, err := readBits(stream)
	n += more
	if err != nil {
		return n, err
	}
	g, err := made(head[0], head[1], b)
	if err == nil {
		*f = *g
	}
	return n, err
}

// MarshalBinary returns the bytes that WriteTo writes.
func (f *BloomFilter) MarshalBinary() ([]byte, error) {
	var b bytes.Buffer
	_, err := f.WriteTo(&b)
	return b.Bytes(), err
}

// UnmarshalBinary replaces f by the filter that MarshalBinary has encoded in data.
// Errors: kernel.ErrCorrupt. If there is an error, f is not changed.
func (f *BloomFilter) UnmarshalBinary(data []byte) error {
	r, g := bytes.NewReader(data), new(BloomFilter)
	_, err := g.ReadFrom(r)
	if err == nil && r.Len() > 0 {
		err = array.Corrupt(name, "%d bytes follow", r.Len())
	}
	if err == nil {
		*f = *g
	}
	return err
}

// GobEncode does the same as MarshalBinary.
func (f *BloomFilter) GobEncode() ([]byte, error) { return f.MarshalBinary() }

// GobDecode does the same as UnmarshalBinary.
func (f *BloomFilter) GobDecode(data []byte) error { return f.UnmarshalBinary(data) }

// MarshalJSON returns a JSON object with m, k and "b". The method bitset.BitSet.WriteTo converts the bits to bytes. The
// value of "b" is the base64 encoding of these bytes. The encoding uses the base64 alphabet for URLs, unless package
// bitset is configured differently.
func (f BloomFilter) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		M uint           `json:"m"`
		K uint           `json:"k"`
		B *bitset.BitSet `json:"b"`
	}{f.m, f.k, f.b})
}

// UnmarshalJSON replaces f by the filter that MarshalJSON has encoded in data.
// Errors: errors that wrap kernel.ErrCorrupt; some of them also wrap an error of package json. If there is an error, f
// is not changed.
func (f *BloomFilter) UnmarshalJSON(data []byte) error {
	var j struct {
		M uint64 `json:"m"`
		K uint64 `json:"k"`
		B string `json:"b"`
	}
	if err := json.Unmarshal(data, &j); err != nil {
		return array.Corrupt(name, "%w", err)
	}
	text := strings.NewReplacer("+", "-", "/", "_").Replace(j.B)
	raw, err := base64.URLEncoding.DecodeString(text)
	if err != nil {
		return array.Corrupt(name, "%w", err)
	}
	r := bytes.NewReader(raw)
	b, _, err := readBits(r)
	if err != nil {
		return err
	}
	if r.Len() > 0 {
		return array.Corrupt(name, "%d bytes follow", r.Len())
	}
	g, err := made(j.M, j.K, b)
	if err == nil {
		*f = *g
	}
	return err
}
