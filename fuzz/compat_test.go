package fuzz

import (
	"bytes"
	"encoding"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/kernel/compat/bip37"
	"github.com/bloomproof/bloomproof/kernel/compat/guava"
	"github.com/bloomproof/bloomproof/kernel/compat/parquet"
	"github.com/bloomproof/bloomproof/kernel/compat/redisbloom"
)

// compatible is a filter of another library.
type compatible interface {
	Add(key []byte) bool
	Contains(key []byte) bool
	Bits() uint64
	Rate() float64
	Items() (float64, bool)
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// readForm reads data, as a whole, into f, and reports whether it was taken: it is then the one form of the
// filter, which works and is a probability to its rate, and otherwise f is as it was.
func readForm(t *testing.T, data []byte, f compatible) bool {
	t.Helper()
	before := form(t, f)
	var err error
	bounded(t, data, func() { err = f.UnmarshalBinary(data) })
	if err != nil {
		if !errors.Is(err, kernel.ErrCorrupt) {
			t.Fatalf("error %v is not ErrCorrupt", err)
		}
		if !bytes.Equal(form(t, f), before) {
			t.Fatal("the filter changed with an error")
		}
		return false
	}
	if out := form(t, f); !bytes.Equal(out, data) {
		t.Fatalf("read\n%x\nand wrote\n%x", data, out)
	}
	bits, was := f.Bits(), f.Contains([]byte("a"))
	if rate := f.Rate(); !(rate >= 0 && rate <= 1) {
		t.Fatalf("a rate of %v", rate)
	}
	if n, _ := f.Items(); !(n >= 0) {
		t.Fatalf("%v items", n)
	}
	if f.Add([]byte("a")) == was || f.Add([]byte("a")) || !f.Contains([]byte("a")) || (f.Bits() == bits) != was {
		t.Fatal("an addition to the filter that was read went wrong")
	}
	return true
}

// form returns what f is stored as.
func form(t *testing.T, f encoding.BinaryMarshaler) []byte {
	t.Helper()
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// streamed is a filter that is read from a stream, too.
type streamed interface {
	compatible
	io.ReaderFrom
}

// readStream holds what f reads of data as a stream to what it reads of all of it.
func readStream(t *testing.T, data []byte, taken bool, f streamed) {
	t.Helper()
	before := form(t, f)
	var n int64
	var err error
	bounded(t, data, func() { n, err = f.ReadFrom(struct{ io.Reader }{bytes.NewReader(data)}) })
	switch {
	case n > int64(len(data)), taken && err != nil, !taken && err == nil && n == int64(len(data)):
		t.Fatalf("%t as a whole; as a stream %d of %d bytes, %v", taken, n, len(data), err)
	case err == nil && !bytes.Equal(form(t, f), data[:n]):
		t.Fatal("the stream's filter is another")
	case err != nil && (!errors.Is(err, kernel.ErrCorrupt) || !bytes.Equal(form(t, f), before)):
		t.Fatalf("a stream that was refused changed the filter, or %v", err)
	}
}

// FuzzGuava reads data as the serial form of a filter of Guava, as a whole and as a stream: bad
// data is refused and leaves the filter unchanged, accepted data is the only form of the filter
// that it gives, and memory stays in proportion to the length of the data.
func FuzzGuava(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := guava.New(128, 3, guava.Mitz64)
		if err != nil {
			t.Fatal(err)
		}
		g.Add([]byte("b"))
		readStream(t, data, readForm(t, data, g.Clone()), g)
	})
}

// FuzzParquet reads data as a filter of a Parquet file, header and bitset, as a whole and as a
// stream: bad data is refused and leaves the filter unchanged, accepted data is the only form of
// the filter that it gives, and memory stays in proportion to the length of the data.
func FuzzParquet(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := parquet.New(64)
		if err != nil {
			t.Fatal(err)
		}
		g.Add([]byte("b"))
		readStream(t, data, readForm(t, data, g.Clone()), g)
	})
}

// FuzzBIP37 reads data as the body of a filterload message: bad data is refused and leaves the
// filter unchanged, accepted data is the only body of the filter that it gives, and memory stays in
// proportion to the length of the data.
func FuzzBIP37(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := bip37.New(72, 3, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		g.Add([]byte("b"))
		readForm(t, data, g)
	})
}

// FuzzRedisBloom reads a header and bits, cut into chunks of one length, as a dump of RedisBloom: a
// bad dump is refused, an accepted dump is the only dump of the filter that it gives except for the
// cuts, and memory stays in proportion to the length of the dump.
func FuzzRedisBloom(f *testing.F) {
	f.Fuzz(func(t *testing.T, header, bits []byte, cut int, shift int64) {
		chunks := []redisbloom.Chunk{{Iterator: 1, Data: header}}
		at := int64(1)
		for rest := bits; len(rest) > 0; {
			n := len(rest)
			if cut > 0 {
				n = min(n, cut)
			}
			at += int64(n)
			chunks = append(chunks, redisbloom.Chunk{Iterator: at + shift, Data: rest[:n]})
			rest = rest[n:]
		}
		var g *redisbloom.Filter
		var err error
		bounded(t, slices.Concat(header, bits), func() { g, err = redisbloom.Load(chunks) })
		if err != nil {
			if !errors.Is(err, kernel.ErrCorrupt) || g != nil {
				t.Fatalf("error %v is not ErrCorrupt, or there is a filter", err)
			}
			return
		}
		written := g.Chunks()
		var data []byte
		for _, c := range written[1:] {
			data = append(data, c.Data...)
		}
		if !bytes.Equal(written[0].Data, header) || !bytes.Equal(data, bits) {
			t.Fatalf("read\n%x %x\nand wrote\n%x %x", header, bits, written[0].Data, data)
		}
		if rate := g.Rate(); !(rate >= 0 && rate <= 1) {
			t.Fatalf("a rate of %v", rate)
		}
		layers := g.Layers()
		if last := layers[len(layers)-1]; last.Count < last.Capacity {
			n, was := g.Count(), g.Contains([]byte("a"))
			fresh, err := g.Add([]byte("a"))
			if err != nil || fresh == was || !g.Contains([]byte("a")) || g.Count() == n != was {
				t.Fatalf("an addition to the filter that was read: %t, %v", fresh, err)
			}
		}
	})
}
