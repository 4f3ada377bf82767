package fuzz

import (
	"bytes"
	"encoding"
	"encoding/binary"
	"errors"
	"io"
	"runtime"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/zeebo/xxh3"
)

// header is the size of a snapshot's header, and the place of the two checksums in it.
const (
	header     = 128
	payloadSum = 112
	headerSum  = 120
)

// snapshotKey is the key of the keyed seeds.
var snapshotKey = []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

// FuzzSnapshot reads data as a snapshot of each kind, as it is or with its checksums corrected: bad
// data is refused and leaves the receiver unchanged, accepted data is the only encoding of the
// filter that it gives, and memory stays in proportion to the length of the data, whatever the data
// claims. A filter read must work: it is used and written again.
func FuzzSnapshot(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte, sum bool) {
		if sum {
			data = summed(data)
		}
		o := kernel.Keyed(snapshotKey)
		g := bloomproof.Geometry{M: 70, K: 3}
		single, err := kernel.New(g, o)
		if err != nil {
			t.Fatal(err)
		}
		single.AddHash(kernel.Hash{})
		before := single.Clone()
		if readSnapshot(t, data, single, single.Clone()) {
			h := kernel.Hash{H0: 3, H1: 4}
			single.AddHash(h)
			if !single.ContainsHash(h) {
				t.Fatal("a filter read from a snapshot forgets")
			}
			again(t, single, new(kernel.Filter), o)
		} else if !sameState(single, before) {
			t.Fatal("the filter changed with an error")
		}

		recycling, err := kernel.NewRecycling(g, bloomproof.Recycling{Sigma: 60}, o)
		if err != nil {
			t.Fatal(err)
		}
		recycling.ObserveHash(kernel.Hash{})
		was := recycling.Clone()
		if readSnapshot(t, data, recycling, recycling.Clone()) {
			for i := range uint64(8) {
				recycling.ObserveHash(kernel.Hash{H0: i, H1: i})
				again(t, recycling, new(kernel.RecyclingFilter), o)
			}
		} else if !sameState(recycling, was) {
			t.Fatal("the recycling filter changed with an error")
		}

		counting, err := kernel.NewCounting(g, 4, bloomproof.Distinct, o)
		if err != nil {
			t.Fatal(err)
		}
		counting.AddHash(kernel.Hash{})
		old := counting.Clone()
		if readSnapshot(t, data, counting, counting.Clone()) {
			for i := range uint64(4) {
				h := kernel.Hash{H0: i, H1: i}
				counting.AddHash(h)
				if n, _ := counting.CountHash(h); n == 0 || !counting.ContainsHash(h) || !counting.RemoveHash(h) {
					t.Fatal("a counting filter read from a snapshot forgets")
				}
				again(t, counting, new(kernel.CountingFilter), o)
			}
		} else if !sameState(counting, old) {
			t.Fatal("the counting filter changed with an error")
		}

		growing, err := kernel.NewGrowing([]bloomproof.Layer{{Geometry: g, Sigma: 30}, {Geometry: g, Sigma: 40}}, o)
		if err != nil {
			t.Fatal(err)
		}
		growing.AddHash(kernel.Hash{})
		young := growing.Clone()
		if readSnapshot(t, data, growing, growing.Clone()) {
			for i := range uint64(8) {
				h := kernel.Hash{H0: i, H1: i}
				growing.AddHash(h)
				if !growing.ContainsHash(h) {
					t.Fatal("a growing filter read from a snapshot forgets")
				}
			}
			again(t, growing, new(kernel.GrowingFilter), o)
		} else if !sameState(growing, young) {
			t.Fatal("the growing filter changed with an error")
		}
	})
}

// summed returns data with the checksums that a snapshot of it would have.
func summed(data []byte) []byte {
	if len(data) < header {
		return data
	}
	data = slices.Clone(data)
	binary.LittleEndian.PutUint64(data[payloadSum:], xxh3.Hash(data[header:]))
	binary.LittleEndian.PutUint64(data[headerSum:], xxh3.Hash(data[:headerSum]))
	return data
}

// coded is what all filters offer to be read and written.
type coded interface {
	MarshalBinary() ([]byte, error)
	UnmarshalBinary([]byte) error
	io.ReaderFrom
}

// readSnapshot reports whether f accepted data, as a whole; streamed is a copy of f, which
// reads it from a stream of unknown length.
func readSnapshot(t *testing.T, data []byte, f, streamed coded) bool {
	t.Helper()
	var err, errStream error
	var n int64
	bounded(t, data, func() { err = f.UnmarshalBinary(data) })
	bounded(t, data, func() { n, errStream = streamed.ReadFrom(struct{ io.Reader }{bytes.NewReader(data)}) })
	if (err == nil) != (errStream == nil && n == int64(len(data))) || errStream == nil && n > int64(len(data)) {
		t.Fatalf("UnmarshalBinary: %v, ReadFrom: %d bytes, %v", err, n, errStream)
	}
	if err != nil {
		if !errors.Is(err, kernel.ErrCorrupt) && !ofKey(err) {
			t.Fatalf("error %v is neither ErrCorrupt nor of the key", err)
		}
		return false
	}
	out, err := f.MarshalBinary()
	if err != nil || !bytes.Equal(out, data) {
		t.Fatalf("read\n%x\nand wrote\n%x\n%v", data, out, err)
	}
	return true
}

// ofKey reports whether err refuses a snapshot since its key is another.
func ofKey(err error) bool {
	var p *bloomproof.ParamError
	return errors.As(err, &p) && p.Param == "key"
}

// bounded runs read, whose memory must be in proportion to data: two buffers of 32 KiB, words
// that double as they grow, and the counts of slices, of a growing filter in up to 64 layers; the rest
// is for what the fuzzer itself does meanwhile.
func bounded(t *testing.T, data []byte, read func()) {
	t.Helper()
	var start, end runtime.MemStats
	runtime.ReadMemStats(&start)
	read()
	runtime.ReadMemStats(&end)
	if n, most := end.TotalAlloc-start.TotalAlloc, uint64(8*len(data)+3<<20); n > most {
		t.Fatalf("%d bytes of memory to read %d, more than %d", n, len(data), most)
	}
}

// again writes f and reads it into to, or into a keyed filter should it have a key.
func again(t *testing.T, f, to coded, o kernel.Options) {
	t.Helper()
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	err = to.UnmarshalBinary(data)
	if ofKey(err) {
		// Only the key of this target can have been accepted.
		g := bloomproof.Geometry{M: 1, K: 1}
		switch to.(type) {
		case *kernel.Filter:
			to, err = kernel.New(g, o)
		case *kernel.CountingFilter:
			to, err = kernel.NewCounting(g, 4, bloomproof.Distinct, o)
		case *kernel.GrowingFilter:
			to, err = kernel.NewGrowing([]bloomproof.Layer{{Geometry: g, Sigma: 1}}, o)
		default:
			to, err = kernel.NewRecycling(g, bloomproof.Recycling{}, o)
		}
		if err == nil {
			err = to.UnmarshalBinary(data)
		}
	}
	if err != nil {
		t.Fatalf("a filter's own snapshot is refused: %v\n%x", err, data)
	}
}

// sameState reports whether two filters are in one state, of which there is one snapshot.
func sameState(a, b encoding.BinaryMarshaler) bool {
	x, errX := a.MarshalBinary()
	y, errY := b.MarshalBinary()
	return errX == nil && errY == nil && bytes.Equal(x, y)
}
