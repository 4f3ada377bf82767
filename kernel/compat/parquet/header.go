package parquet

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"

	"github.com/bloomproof/bloomproof/kernel/compat/internal/array"
)

// The header of a filter in a file is Thrift's struct BloomFilterHeader in the compact protocol. Everything in it is
// fixed except the length. Field 1 is numBytes. Fields 2 to 4 are unions in which field 1, an empty struct, is chosen:
// the algorithm BLOCK, the hash XXHASH, the compression UNCOMPRESSED.
const (
	numBytes = 0x15 // the next field but 0, of type i32
	union    = 0x1c // the next field but 0, of type struct
	stop     = 0
)

var choices = slices.Concat(slices.Repeat([]byte{union, union, stop, stop}, 3), []byte{stop})

const name = "parquet" // in errors

// AppendBinary appends the filter to dst in the form that files have: the header BloomFilterHeader in Thrift's compact
// protocol, and the bitset.
// Error: *bloomproof.ParamError for the zero Filter, which no file has.
func (f *Filter) AppendBinary(dst []byte) ([]byte, error) {
	if f.bits == nil {
		return dst, array.NoBits()
	}
	dst = binary.AppendVarint(append(dst, numBytes), int64(f.Geometry().M/8))
	return f.AppendBitset(append(dst, choices...)), nil
}

// MarshalBinary returns what AppendBinary appends.
// Error: that of AppendBinary.
func (f *Filter) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// WriteTo writes the filter to w in the form that files have, by a single call of Write.
// Errors: that of AppendBinary, or that of w.
func (f *Filter) WriteTo(w io.Writer) (int64, error) {
	data, err := f.MarshalBinary()
	if err != nil {
		return 0, err
	}
	n, err := w.Write(data)
	return int64(n), err
}

// ReadFrom replaces f by the filter that r begins with, header and bitset, and reads no further. In a file the filter
// is at bloom_filter_offset of the column's metadata. Memory grows with the bytes read, not with what the header says.
// A header with other fields, which the format does not have so far, is refused, and so is an encrypted one.
// Errors: one that matches kernel.ErrCorrupt, or that of r; f is then unchanged.
func (f *Filter) ReadFrom(r io.Reader) (int64, error) {
	in := &counted{r: r}
	g, err := in.filter()
	if err != nil {
		return in.n, array.Short(name, err)
	}
	*f = *g
	return in.n, nil
}

// counted is a reader that counts the bytes read.
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

// filter reads a filter.
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

// length reads numBytes: a zigzag varint of at most 5 bytes, in its shortest form.
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

// UnmarshalBinary replaces f by the filter whose header and bitset are all of data.
// Errors: one that matches kernel.ErrCorrupt; f is then unchanged.
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
