package model

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

// FilterRun has a kernel.Filter and its model. For operations on two sets it has a second filter and its model.
type FilterRun struct {
	pace
	g     bloomproof.Geometry
	o     kernel.Options
	real  *kernel.Filter
	model *Filter

	otherReal  *kernel.Filter
	otherModel *Filter
}

// NewFilterRun returns a new FilterRun. The filters of this run are empty at first.
//
// Errors: the same as for kernel.New.
func NewFilterRun(g bloomproof.Geometry, o kernel.Options) (*FilterRun, error) {
	a, err := kernel.New(g, o)
	if err != nil {
		return nil, err
	}
	b, err := kernel.New(g, o)
	if err != nil {
		return nil, err
	}
	return &FilterRun{g: g, o: o, real: a, model: NewFilter(g), otherReal: b, otherModel: NewFilter(g)}, nil
}

// Apply executes the operation op on the filter and on the model. It returns an error if their results differ. It also
// returns an error if the filter and the model can be told apart afterwards.
func (r *FilterRun) Apply(op Op) error { return r.step(op, r.due()) }

// The method "step" is Apply. It compares figures and the second filter only if the argument "figures" is true.
func (r *FilterRun) step(op Op, figures bool) error {
	if err := r.apply(op); err != nil {
		return fmt.Errorf("%v: %w", op, err)
	}
	if err := compareFilter(r.g, r.real, r.model, figures); err != nil {
		return fmt.Errorf("after %v: %w", op, err)
	}
	if !figures {
		return nil
	}
	if err := compareFilter(r.g, r.otherReal, r.otherModel, true); err != nil {
		return fmt.Errorf("after %v: second filter: %w", op, err)
	}
	return nil
}

func (r *FilterRun) apply(op Op) error {
	key, ready := keyBytes(op.Key), readyHash(op.Key)
	switch op.Action {
	case Insert:
		if got, want := r.real.Add(key), r.model.Add(r.real.Hasher().Bytes(key)); got != want {
			return fmt.Errorf("Add says %t, want %t", got, want)
		}
	case InsertH:
		if got, want := r.real.AddHash(ready), r.model.Add(ready); got != want {
			return fmt.Errorf("AddHash says %t, want %t", got, want)
		}
	case Probe:
		if got, want := r.real.Contains(key), r.model.Contains(r.real.Hasher().Bytes(key)); got != want {
			return fmt.Errorf("Contains says %t, want %t", got, want)
		}
	case InsertBatch:
		b := batchOf(op.Key, r.g, r.real.Hasher())
		return compareBatch(r.real.AddBatch(nil, b.keys), b.hashes, r.model.Add)
	case ProbeBatch:
		b := batchOf(op.Key, r.g, r.real.Hasher())
		return compareBatch(r.real.ContainsBatch(nil, b.keys), b.hashes, r.model.Contains)
	case InsertBulk:
		b := batchOf(op.Key, r.g, r.real.Hasher())
		before := r.model.Bits()
		for _, h := range b.hashes {
			r.model.Add(h)
		}
		if got, want := r.real.AddBulk(kernel.KeysOf(b.hashes)), r.model.Bits()-before; got != want {
			return fmt.Errorf("AddBulk found %d bits clear, want %d", got, want)
		}
	case Map:
		return r.mapped(op.Key)
	case Clear:
		r.real.Clear()
		r.model.Clear()
	case Copy:
		old := r.real
		r.real = old.Clone()
		r.real.Clear()
		if err := r.real.SetWords(old.AppendWords(nil)); err != nil {
			return err
		}
		old.AddHash(ready) // must not change the clone
		old.Clear()
	case Snapshot:
		fresh, err := r.blank()
		if err != nil {
			return err
		}
		if fresh.Equal(r.real) {
			return errors.New("a filter of another shape is equal")
		}
		if err := restore(r.real, fresh, false); err != nil {
			return err
		}
		if !same(fresh, r.real) || !fresh.Equal(r.real) {
			return errors.New("the snapshot restores another filter")
		}
		r.real = fresh
	case Reload:
		before := r.real.Clone()
		r.real.AddHash(ready)
		return restore(before, r.real, true)
	case Swap:
		r.real, r.otherReal = r.otherReal, r.real
		r.model, r.otherModel = r.otherModel, r.model
	case Unite:
		r.model.Union(r.otherModel)
		return r.real.Union(r.otherReal)
	case Meet:
		r.model.Intersect(r.otherModel)
		return r.real.Intersect(r.otherReal)
	case Estimate:
		return r.estimate()
	}
	return nil
}

// The method "blank" returns a new filter. Its shape differs from the shape of r's filter. A snapshot will be read into
// this filter. If r's filter has a secret key, the returned filter has the same key.
func (r *FilterRun) blank() (*kernel.Filter, error) {
	if !keyed(r.o) {
		return new(kernel.Filter), nil
	}
	return kernel.New(bloomproof.Geometry{M: 3, K: 2}, r.o)
}

// The function "keyed" reports whether options have a secret key.
func keyed(o kernel.Options) bool { return o != kernel.Options{Seed: o.Seed, Impl: o.Impl} }

// The method "mapped" writes a snapshot of the filter to a file, and maps this file into memory as a filter. It
// compares the mapped filter with the original filter. For the keys that k encodes, it also compares the mapped
// filter with the model.
func (r *FilterRun) mapped(k uint8) error {
	file, err := os.CreateTemp("", "bloomproof-model-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	_, err = r.real.WriteTo(file)
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	m, err := kernel.MapFilter(file.Name(), r.o)
	if err != nil {
		return err
	}
	type seen struct {
		text string
		g    bloomproof.Geometry
		hash kernel.Hash
		rate float64
	}
	key := keyBytes(k)
	got := seen{text: m.String(), g: m.Geometry(), hash: m.Hasher().Bytes(key), rate: m.Rate()}
	want := seen{text: r.real.String(), g: r.real.Geometry(), hash: r.real.Hasher().Bytes(key), rate: r.real.Rate()}
	b := batchOf(k, r.g, r.real.Hasher())
	switch {
	case got != want:
		err = fmt.Errorf("mapped: %+v, want %+v", got, want)
	case m.Stats() != r.real.Stats():
		err = fmt.Errorf("mapped: Stats %+v, want %+v", m.Stats(), r.real.Stats())
	case m.Contains(key) != r.model.Contains(r.real.Hasher().Bytes(key)) || m.ContainsHash(readyHash(k)) != r.model.Contains(readyHash(k)):
		err = errors.New("mapped: Contains or ContainsHash differs")
	default:
		err = compareBatch(m.ContainsBatch(nil, b.keys), b.hashes, r.model.Contains)
	}
	return errors.Join(err, m.Err(), m.Verify(), m.Close(), m.Err(), m.Close())
}

// The method "estimate" checks the result of IntersectionItems for the two filters. The method calls Items for both
// filters and for their union. From these three numbers it computes the right result.
func (r *FilterRun) estimate() error {
	u := r.real.Clone()
	if err := u.Union(r.otherReal); err != nil {
		return err
	}
	want, wantBounded := u.Items()
	if wantBounded {
		a, _ := r.real.Items()
		b, _ := r.otherReal.Items()
		want = a + b - want
	}
	got, bounded, err := r.real.IntersectionItems(r.otherReal)
	if err != nil || got != want || bounded != wantBounded {
		return fmt.Errorf("IntersectionItems %v, %t, %v, want %v, %t", got, bounded, err, want, wantBounded)
	}
	return nil
}

// compareFilter returns an error that describes the difference between f and its model. It compares figures only if the
// argument "figures" is true.
func compareFilter(g bloomproof.Geometry, f *kernel.Filter, m *Filter, figures bool) error {
	if f.Geometry() != g {
		return fmt.Errorf("geometry %v", f.Geometry())
	}
	if got, want := f.AppendWords(nil), m.Words(); !slices.Equal(got, want) {
		return fmt.Errorf("words %#x, want %#x", got, want)
	}
	if got, want := f.Bits(), m.Bits(); got != want {
		return fmt.Errorf("Bits %d, want %d", got, want)
	}
	if got := f.Recount(); got != m.Bits() {
		return fmt.Errorf("a recount gives %d, want %d", got, m.Bits())
	}
	for _, h := range m.Keys() {
		if !f.ContainsHash(h) {
			return fmt.Errorf("false negative: %#x", h)
		}
	}
	for k := range uint8(Keys) {
		if h := readyHash(k); f.ContainsHash(h) != m.Contains(h) {
			return fmt.Errorf("ContainsHash(%#x) is not %t", h, m.Contains(h))
		}
	}
	if !figures {
		return nil
	}
	if err := says(f, g, " bits=", m.Bits()); err != nil {
		return err
	}
	rate := m.Rate()
	if err := near("Rate", f.Rate(), rate, rate, rateError(g)); err != nil {
		return err
	}
	items, bounded := f.Items()
	if err := checkItems(items, bounded, g, m.Bits()); err != nil {
		return err
	}
	want := kernel.Stats{
		M: g.M, K: g.K, Bits: m.Bits(), Fill: float64(m.Bits()) / float64(g.M), Items: items, Bounded: bounded,
		Rate: f.Rate(), Bytes: (g.M + 63) / 64 * 8,
	}
	if got := f.Stats(); got != want {
		return fmt.Errorf("figures %+v, want %+v", got, want)
	}
	return nil
}

// rateError returns the bound of the relative error that kernel.Filter.Rate states for geometry g.
func rateError(g bloomproof.Geometry) float64 {
	units := 2 * float64(g.K)
	if g.Block != 0 {
		units += 4
	}
	return units * 0x1p-53
}

// The function "says" checks the text of f. It returns an error if this text does not begin with the geometry g. It
// also returns an error if the given words are missing.
func says(f interface{ String() string }, g bloomproof.Geometry, words ...any) error {
	text := f.String() + " "
	if !strings.HasPrefix(text, g.String()+" ") || !strings.Contains(text, fmt.Sprint(words...)+" ") {
		return fmt.Errorf("it says %q, which lacks %q", text, fmt.Sprint(words...))
	}
	return nil
}

// A filter estimates its number of items from its number of set bits. The arguments n and "bounded" are such an
// estimate. The function checkItems computes the estimate a second time. It returns an error if the two differ.
func checkItems(n float64, bounded bool, g bloomproof.Geometry, set uint64) error {
	want := 0.0
	if set < g.M && set > 0 {
		want = math.Log1p(-float64(set)/float64(g.M)) / hashingOf(g).logMiss(g)
	}
	if bounded != (set < g.M) || !(math.Abs(n-want) <= 1e-12*want) {
		return fmt.Errorf("estimate of items %v, %t with %d bits set, want %v", n, bounded, set, want)
	}
	return nil
}
