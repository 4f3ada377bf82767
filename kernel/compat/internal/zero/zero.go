// Package zero tests the zero values of the filters of package compat.
package zero

import (
	"encoding"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// Filter has the methods that all filters of package compat have.
type Filter[F any] interface {
	encoding.BinaryMarshaler
	Geometry() bloomproof.Geometry
	Add(key []byte) bool
	Contains(key []byte) bool
	AddBatch(dst []bool, keys [][]byte) []bool
	ContainsBatch(dst []bool, keys [][]byte) []bool
	Bits() uint64
	Rate() float64
	Items() (n float64, bounded bool)
	Clear()
	Clone() F
	Equal(F) bool
	Union(F) error
}

// Test checks the properties of the zero filter f. A zero filter has no bits. Its look-ups find every key, as if all
// bits of a filter were set. No method changes it. It has no binary form, because the methods that read filters would
// refuse such a form. The argument "some" must be a filter that a constructor made.
func Test[F Filter[F]](t *testing.T, f, some F) {
	keys := [][]byte{nil, []byte("key")}
	if f.Add(keys[1]) || !f.Contains(keys[1]) || f.Bits() != 0 || f.Geometry().M != 0 || f.Rate() != 1 {
		t.Errorf("it has %d bits of %d, rate %v", f.Bits(), f.Geometry().M, f.Rate())
	}
	if got := f.AddBatch(nil, keys); !slices.Equal(got, []bool{false, false}) {
		t.Errorf("AddBatch: %v", got)
	}
	if got := f.ContainsBatch(nil, keys); !slices.Equal(got, []bool{true, true}) {
		t.Errorf("ContainsBatch: %v", got)
	}
	if n, bounded := f.Items(); n != 0 || !bounded {
		t.Errorf("%v keys, bounded: %t", n, bounded)
	}
	f.Clear()
	if err := f.Union(f.Clone()); err != nil || !f.Equal(f.Clone()) {
		t.Errorf("a union of two of them: %v", err)
	}
	var param *bloomproof.ParamError
	if err := f.Union(some); !errors.As(err, &param) {
		t.Errorf("a union with another filter: %v", err)
	}
	if err := some.Union(f); !errors.As(err, &param) || f.Equal(some) || some.Equal(f) {
		t.Errorf("another filter's union with it: %v", err)
	}
	if data, err := f.MarshalBinary(); !errors.As(err, &param) || param.Param != "m" || len(data) > 0 {
		t.Errorf("marshalled: %x, %v", data, err)
	}
	if w, ok := any(f).(io.WriterTo); ok {
		if n, err := w.WriteTo(io.Discard); n != 0 || !errors.As(err, &param) {
			t.Errorf("written: %d bytes, %v", n, err)
		}
	}
}
