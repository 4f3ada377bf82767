package bloomfilter

import (
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"os"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel/compat/internal/array"
)

const (
	name    = "bloomfilter" // the name in error messages
	version = "v02\n"
	magic   = "\x00\x00\x00\x00\x00\x00\x00\x00" + version
)

// MarshallToWriter writes the filter to out. It writes a magic number of 12 bytes, followed by k, N, m, the keys and
// the words of the bits. Each number after the magic number takes 8 bytes, the lowest byte first. At the end it writes
// the SHA-384 hash of all these bytes. It returns the number of bytes that it wrote, and the SHA-384 hash.
func (f *Filter) MarshallToWriter(out io.Writer) (int, [sha512.Size384]byte, error) {
	f.lock.RLock()
	defer f.lock.RUnlock()
	digest := sha512.New384()
	both := io.MultiWriter(out, digest)
	var sum [sha512.Size384]byte
	n, err := io.WriteString(both, magic)
	done := int64(n)
	for _, words := range [][]uint64{{uint64(len(f.keys)), f.n, f.mod.M}, f.keys, f.bits} {
		if err != nil {
			break
		}
		var more int64
		more, err = array.Write(both, words, binary.LittleEndian)
		done += more
	}
	if err != nil {
		return int(done), sum, err
	}
	digest.Sum(sum[:0])
	n, err = out.Write(sum[:])
	return int(done) + n, sum, err
}

// UnmarshalFromReader reads what MarshallToWriter has written, and no byte after it.
// Errors: the errors of the reader, and errors that wrap kernel.ErrCorrupt. After an error, f is unchanged.
func (f *Filter) UnmarshalFromReader(input io.Reader) (n int64, err error) {
	s, n, err := read(input)
	if err == nil {
		f.become(s)
	}
	return n, err
}

// The method "become" replaces the state of f by the state s.
func (f *Filter) become(s *state) {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.state = *s
}

// The function "made" returns the state of a filter with m bits and the given keys and words. The argument n is the
// number of additions to the filter. If no filter can have these values, it returns an error that wraps
// kernel.ErrCorrupt.
func made(n, m uint64, keys, words []uint64) (*state, error) {
	if err := check(m, keys); err != nil {
		return nil, array.Corrupt(name, "%w", err)
	}
	if uint64(len(words)) != wordsOf(m) {
		return nil, array.Corrupt(name, "m = %d, and %d words", m, len(words))
	}
	if used := m % 64; used != 0 && words[len(words)-1]>>used != 0 {
		return nil, array.Corrupt(name, "a bit from m on is set")
	}
	return &state{bits: words, keys: keys, mod: array.By(m), n: n}, nil
}

// The function "read" reads a filter from input. It reads no byte after the filter.
func read(input io.Reader) (s *state, done int64, err error) {
	digest := sha512.New384()
	r := io.TeeReader(input, digest)
	var head [len(magic)]byte
	got, err := io.ReadFull(r, head[:])
	done = int64(got)
	if err != nil {
		return nil, done, array.Short(name, err)
	}
	if string(head[:]) != magic {
		return nil, done, array.Corrupt(name, "it begins with %x", head)
	}
	var parts [3][]uint64 // k, n and m; the keys; the bits
	for i, words := range []func() uint64{
		func() uint64 { return 3 }, func() uint64 { return parts[0][0] }, func() uint64 { return wordsOf(parts[0][2]) },
	} {
		var n int64
		parts[i], n, err = array.Read(r, words(), binary.LittleEndian)
		if done += n; err != nil {
			return nil, done, array.Short(name, err)
		}
		if i == 0 && (parts[0][0] > bloomproof.MaxK || parts[0][2] > maxM) {
			return nil, done, array.Corrupt(name, "k = %d, m = %d", parts[0][0], parts[0][2])
		}
	}
	sum := digest.Sum(nil)
	var want [sha512.Size384]byte
	got, err = io.ReadFull(input, want[:])
	if done += int64(got); err != nil {
		return nil, done, array.Short(name, err)
	}
	if !bytes.Equal(sum, want[:]) {
		return nil, done, array.Corrupt(name, "the SHA-384 is another")
	}
	s, err = made(parts[0][1], parts[0][2], parts[1], parts[2])
	return s, done, err
}

// MarshalBinary returns the bytes that MarshallToWriter writes.
func (f *Filter) MarshalBinary() (data []byte, err error) {
	var b bytes.Buffer
	_, _, err = f.MarshallToWriter(&b)
	return b.Bytes(), err
}

// UnmarshalBinary replaces f by the filter that MarshalBinary has encoded in data.
// Errors: kernel.ErrCorrupt. After an error, f is unchanged.
func (f *Filter) UnmarshalBinary(data []byte) (err error) {
	r := bytes.NewReader(data)
	s, _, err := read(r)
	if err == nil && r.Len() > 0 {
		err = array.Corrupt(name, "%d bytes follow", r.Len())
	}
	if err == nil {
		f.become(s)
	}
	return err
}

// GobEncode does the same as MarshalBinary.
func (f *Filter) GobEncode() ([]byte, error) { return f.MarshalBinary() }

// GobDecode does the same as UnmarshalBinary.
func (f *Filter) GobDecode(data []byte) error { return f.UnmarshalBinary(data) }

// A document has the fields of a filter in JSON. This encoding has no checksum.
type document struct {
	Version string   `json:"version"`
	Bits    []uint64 `json:"bits"`
	Keys    []uint64 `json:"keys"`
	M       uint64   `json:"m"`
	N       uint64   `json:"n"`
}

// MarshalJSON returns a JSON object. Its fields are the version of the format, the words with the bits, the keys, m and
// N.
func (f *Filter) MarshalJSON() ([]byte, error) {
	f.lock.RLock()
	defer f.lock.RUnlock()
	return json.Marshal(document{version, f.bits, f.keys, f.mod.M, f.n})
}

// UnmarshalJSON replaces f by the filter that MarshalJSON has encoded in data.
// Errors: errors that wrap kernel.ErrCorrupt; some of them also wrap an error of package json. After an error f is
// unchanged.
func (f *Filter) UnmarshalJSON(data []byte) error {
	var d document
	if err := json.Unmarshal(data, &d); err != nil {
		return array.Corrupt(name, "%w", err)
	}
	if d.Version != version {
		return array.Corrupt(name, "version %q", d.Version)
	}
	s, err := made(d.N, d.M, d.Keys, d.Bits)
	if err == nil {
		f.become(s)
	}
	return err
}

// WriteTo writes the filter to w, compressed by gzip. It returns the number of bytes before compression.
func (f *Filter) WriteTo(w io.Writer) (n int64, err error) {
	z := gzip.NewWriter(w)
	written, _, err := f.MarshallToWriter(z)
	return int64(written), errors.Join(err, z.Close())
}

// ReadFrom reads what WriteTo has written. After an error it returns -1, and f is unchanged. The memory that it
// allocates is proportional to the number of bytes after decompression.
func (f *Filter) ReadFrom(r io.Reader) (n int64, err error) {
	g, n, err := ReadFrom(r)
	if err != nil {
		return -1, err
	}
	f.become(&g.state)
	return n, nil
}

// ReadFrom reads what WriteTo has written. It returns the filter, and the number of bytes after decompression. After an
// error it returns nil and -1. The error comes from the reader or from package gzip, or it wraps kernel.ErrCorrupt.
func ReadFrom(r io.Reader) (f *Filter, n int64, err error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, -1, err
	}
	defer z.Close()
	s, n, err := read(z)
	if err != nil {
		return nil, -1, err
	}
	return &Filter{state: *s}, n, nil
}

// ReadFile does the same as the function ReadFrom, for the file with the given name.
func ReadFile(filename string) (f *Filter, n int64, err error) {
	r, err := os.Open(filename)
	if err != nil {
		return nil, -1, err
	}
	defer r.Close()
	return ReadFrom(r)
}

// WriteFile does the same as WriteTo, for the file with the given name. If it cannot create the file, it returns -1 and
// the error.
func (f *Filter) WriteFile(filename string) (n int64, err error) {
	w, err := os.Create(filename)
	if err != nil {
		return -1, err
	}
	n, err = f.WriteTo(w)
	return n, errors.Join(err, w.Close())
}
