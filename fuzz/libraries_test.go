package fuzz

import (
	"bytes"
	"crypto/sha512"
	"encoding"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"github.com/bloomproof/bloomproof/kernel"
	bloom "github.com/bloomproof/bloomproof/kernel/compat/bitsandblooms"
	bloomfilter "github.com/bloomproof/bloomproof/kernel/compat/holiman"
)

// stored is a filter of another library's forms.
type stored interface {
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
	json.Marshaler
	json.Unmarshaler
}

// readStored reads data as the binary form and as JSON, into filters that made returns, and from a stream.
// Whatever data is, the filter stays as it was, or is one that works and that is written as it was read.
func readStored[F stored](t *testing.T, data []byte, made func() F, stream func(f F, r io.Reader) (int64, error), works func(f F) bool) {
	old := form(t, made())
	var err, errStream, errJSON error
	var n int64
	f, streamed, text := made(), made(), made()
	bounded(t, data, func() { err = f.UnmarshalBinary(data) })
	bounded(t, data, func() { n, errStream = stream(streamed, struct{ io.Reader }{bytes.NewReader(data)}) })
	bounded(t, data, func() { errJSON = text.UnmarshalJSON(data) })
	if (err == nil) != (errStream == nil && n == int64(len(data))) || errStream == nil && n > int64(len(data)) {
		t.Fatalf("UnmarshalBinary: %v, a stream: %d bytes, %v", err, n, errStream)
	}
	if err != nil && !errors.Is(err, kernel.ErrCorrupt) {
		t.Fatalf("%v is not ErrCorrupt", err)
	}
	if err == nil && !bytes.Equal(form(t, f), data) {
		t.Fatalf("read\n%x\nand wrote\n%x", data, form(t, f))
	}
	for what, read := range map[string]struct {
		f   F
		err error
	}{"binary": {f, err}, "stream": {streamed, errStream}, "JSON": {text, errJSON}} {
		if read.err != nil {
			if !bytes.Equal(form(t, read.f), old) {
				t.Fatalf("%s: the filter changed with an error", what)
			}
			continue
		}
		again, fromText := made(), made()
		document, err := json.Marshal(read.f)
		if err := errors.Join(err, again.UnmarshalBinary(form(t, read.f)), fromText.UnmarshalJSON(document)); err != nil {
			t.Fatalf("%s: what was written is refused: %v", what, err)
		}
		if whole := form(t, read.f); !bytes.Equal(form(t, again), whole) || !bytes.Equal(form(t, fromText), whole) {
			t.Fatalf("%s: what was written is another filter", what)
		}
		bounded(t, data, func() {
			if !works(read.f) {
				t.Fatalf("%s: a filter that was read forgets", what)
			}
		})
	}
}

// FuzzBitsAndBlooms reads data as the forms of bits-and-blooms' filter: bad data is refused and
// leaves the receiver unchanged, accepted data gives a filter that works and is written as it was
// read, and memory stays in proportion to the length of the data, whatever the data claims.
func FuzzBitsAndBlooms(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		readStored(t, data, func() *bloom.BloomFilter { return bloom.New(70, 3).AddString("old") }, (*bloom.BloomFilter).ReadFrom, func(f *bloom.BloomFilter) bool {
			f.AddString("a").AddBatch(nil, [][]byte{{1}})
			return f.TestString("a") && f.ContainsBatch(nil, [][]byte{{1}})[0] && f.Copy().TestString("a") && f.Bits() > 0
		})
	})
}

// FuzzHoliman reads data as the forms of holiman's filter, as it is or with its SHA-384 corrected,
// and demands what FuzzBitsAndBlooms demands.
func FuzzHoliman(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte, sum bool) {
		if at := len(data) - sha512.Size384; sum && at >= 0 {
			right := sha512.Sum384(data[:at])
			data = append(bytes.Clone(data[:at]), right[:]...)
		}
		readStored(t, data, func() *bloomfilter.Filter {
			f, err := bloomfilter.NewWithKeys(70, []uint64{1, 2, 3})
			if err != nil {
				t.Fatal(err)
			}
			f.AddHash(4)
			return f
		}, (*bloomfilter.Filter).UnmarshalFromReader, func(f *bloomfilter.Filter) bool {
			f.AddHash(5)
			f.AddBatch(nil, []uint64{6})
			c, err := f.Copy()
			return err == nil && c.ContainsHash(5) && f.ContainsBatch(nil, []uint64{6})[0] && f.IsCompatible(c) && f.UnionInPlace(c) == nil
		})
	})
}
