package parquet

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"

	"github.com/bloomproof/bloomproof/kernel/compat/internal/array"
)

// In a file, the header of a filter is the Thrift struct BloomFilterHeader, in Thrift's compact protocol. All bytes of
// the header are fixed, except the bytes of the length. Field 1 is numBytes. Fields 2 to 4 are unions. In each of these
// unions only field 1 is set, and its value is an empty struct. Field 2 says that the algorithm is BLOCK. Field 3 says
// that the hash is XXHASH. Field 4 says that the filter is not compressed (UNCOMPRESSED).
const (
	numBytes = 0x15 // a field of type i32, numbered one higher than the field before
	union    = 0x1c // a field of type struct, numbered one higher than the field before
	stop     = 0
)

var choices = slices.Concat(slices.Repeat([]byte{union, union, stop, stop}, 3), []byte{stop})

const name = "parquet" // the name in error messages

// AppendBinary appends the filter to dst in the form that it has in Parquet files. This form is the header
// BloomFilterHeader in Thrift's compact protocol, followed by the bitset.
// Error: *bloomproof.ParamError for the zero Filter, which has no binary form.
func (f *Filter) AppendBinary(dst []byte) ([]byte, error) {
	if f.bits == nil {
		return dst, array.NoBits()
	}
	dst = binary.AppendVarint(append(dst, numBytes), int64(f.Geometry().M/8))
	return f.AppendBitset(append(dst, choices...)), nil
}

// MarshalBinary returns the bytes that AppendBinary appends.
// Error: the same as for AppendBinary.
func (f *Filter) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// WriteTo writes to w the bytes that AppendBinary appends. It does so by a single call of Write.
// Errors: the error of AppendBinary or of w.
func (f *Filter) WriteTo(w io.Writer) (int64, error) {
	data, err := f.MarshalBinary()
	if err != nil {
		return 0, err
	}
	n, err := w.Write(data)
	return int64(n), err
}

// ReadFrom reads the header and the bitset of a filter from r, and replaces f by this filter. It reads no byte after
// the filter. In a Parquet file the filter begins at the offset bloom_filter_offset, which the metadata of a column
// contains. The memory that ReadFrom allocates is proportional to the number of bytes that it reads, whatever the
// header says. It refuses a header that is encrypted, and a header with fields that the format does not define.
// Errors: errors that wrap kernel.ErrCorrupt, and errors of r. If there is an error, f is not changed.
func (f *Filter) ReadFrom(r io.Reader) (int64, error) {
	in := &counted{r: r}
	g, err := in.filter()
	if err != nil {
		return in.n, array.Short(name, err)
	}
	*f = *g
	return in.n, nil
}

// The type "counted" is a reader that counts the bytes that were read from it.
type counted struct {
	r io.Reader
	n int64
}

// Read implements io.Reader.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// ReadByte implements io.ByteReader.
func (c *counted) ReadByte() (byte, error) {
	var b [1]byte
	_, err := io.ReadFull(c, b[:])
	return b[0], err
}

// The method "filter" reads the header and the bitset of a filter, and returns the filter.
func (c *counted) filter() (*Filter, error) {
	first, err := c.ReadByte()
	if err != nil {
		return nil, err
	}
	if first != numBytes {
		return nil, array.Corrupt(name, "a header that begins with %#x", first)
	}
	length, err := c.length()
	if err != nil {
		return nil, err
	}
	rest := make([]byte, len(choices))
	if _, err := io.ReadFull(c, rest); err != nil {
		return nil, err
	}
	if !bytes.Equal(rest, choices) {
		return nil, array.Corrupt(name, "an algorithm, hash or compression that is not BLOCK, XXHASH and UNCOMPRESSED")
	}
	words, _, err := array.Read(c, uint64(length/8), binary.LittleEndian)
	if err != nil {
		return nil, err
	}
	f, err := New(length)
	if err != nil {
		return nil, err
	}
	return f, f.bits.SetWords(words)
}

// The method "length" reads the value of numBytes. This value is encoded as a zigzag varint. The encoding has at most 5
// bytes, and must have no unnecessary byte.
func (c *counted) length() (int, error) {
	var b []byte
	for len(b) < binary.MaxVarintLen32 && (len(b) == 0 || b[len(b)-1] >= 0x80) {
		x, err := c.ReadByte()
		if err != nil {
			return 0, err
		}
		b = append(b, x)
	}
	n, read := binary.Varint(b)
	if read <= 0 || len(binary.AppendVarint(nil, n)) != len(b) {
		return 0, array.Corrupt(name, "a length of %x", b)
	}
	if n < blockBytes || n > maxBytes || n%blockBytes != 0 {
		return 0, array.Corrupt(name, "a bitset of %d bytes", n)
	}
	return int(n), nil
}

// UnmarshalBinary replaces f by the filter in data. The data must have one header, one bitset and nothing else.
// Errors: an error that wraps kernel.ErrCorrupt. After an error, f is unchanged.
func (f *Filter) UnmarshalBinary(data []byte) error {
	var g Filter
	n, err := g.ReadFrom(bytes.NewReader(data))
	if err != nil {
		return err
	}
	if n < int64(len(data)) {
		return array.Corrupt(name, "%d bytes follow", int64(len(data))-n)
	}
	*f = g
	return nil
}
