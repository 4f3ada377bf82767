package model

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

// CountingRun has a kernel.CountingFilter and its model. For merges it has a second filter and its model.
type CountingRun struct {
	pace
	g     bloomproof.Geometry
	c     Counters
	o     kernel.Options
	real  *kernel.CountingFilter
	model *Counting

	otherReal  *kernel.CountingFilter
	otherModel *Counting

	saturated, removed, refused bool
}

// NewCountingRun returns a run on empty filters.
//
// Errors: the same as for kernel.NewCounting.
func NewCountingRun(g bloomproof.Geometry, c Counters, o kernel.Options) (*CountingRun, error) {
	a, err := kernel.NewCounting(g, c.Width, c.Increment, o)
	if err != nil {
		return nil, err
	}
	b, err := kernel.NewCounting(g, c.Width, c.Increment, o)
	if err != nil {
		return nil, err
	}
	return &CountingRun{g: g, c: c, o: o, real: a, model: NewCounting(g, c), otherReal: b, otherModel: NewCounting(g, c)}, nil
}

// Reached reports which of three events have occurred. These are the saturation of a counter, the removal of a key, and
// a removal that the filter refused.
func (r *CountingRun) Reached() (saturated, removed, refused bool) {
	return r.saturated, r.removed, r.refused
}

// Apply executes op on the filter and on the model. It returns an error if their results differ. It also returns an
// error if the filter and the model can be told apart afterwards. Actions that only FilterRun has are replaced by
// Insert.
func (r *CountingRun) Apply(op Op) error {
	figures := r.due()
	if err := r.apply(op); err != nil {
		return fmt.Errorf("%v: %w", op, err)
	}
	if err := compareCounting(r.g, r.c, r.real, r.model, figures); err != nil {
		return fmt.Errorf("after %v: %w", op, err)
	}
	r.saturated = r.saturated || r.real.Saturated() > 0
	if !figures {
		return nil
	}
	if err := compareCounting(r.g, r.c, r.otherReal, r.otherModel, true); err != nil {
		return fmt.Errorf("after %v: second filter: %w", op, err)
	}
	return nil
}

func (r *CountingRun) apply(op Op) error {
	key, ready := keyBytes(op.Key), readyHash(op.Key)
	switch op.Action {
	case Insert:
		if got, want := r.real.Add(key), r.model.Add(r.real.Hasher().Bytes(key)); got != want {
			return fmt.Errorf("Add says %t, want %t", got, want)
		}
	case Probe:
		h := r.real.Hasher().Bytes(key)
		if got, want := r.real.Contains(key), r.model.Contains(h); got != want {
			return fmt.Errorf("Contains says %t, want %t", got, want)
		}
		n, full := r.real.Count(key)
		if want, wantFull := r.model.Count(h); n != want || full != wantFull {
			return fmt.Errorf("Count says %d, %t, want %d, %t", n, full, want, wantFull)
		}
	case ProbeBatch:
		b := batchOf(op.Key, r.g, r.real.Hasher())
		return compareBatch(r.real.ContainsBatch(nil, b.keys), b.hashes, r.model.Contains)
	case Remove:
		return r.remove(r.real.Hasher().Bytes(key), r.real.Remove(key))
	case RemoveH:
		return r.remove(ready, r.real.RemoveHash(ready))
	case InsertBatch:
		return r.batch(op.Key)
	case Clear:
		r.real.Clear()
		r.model.Clear()
	case Copy:
		old := r.real
		r.real = old.Clone()
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
		r.model.Merge(r.otherModel)
		return r.real.Merge(r.otherReal)
	default:
		if got, want := r.real.AddHash(ready), r.model.Add(ready); got != want {
			return fmt.Errorf("AddHash says %t, want %t", got, want)
		}
	}
	return nil
}

// The method "remove" removes h from the model. It compares the result with the argument "got", which is the result of
// the same removal from the filter.
func (r *CountingRun) remove(h kernel.Hash, got bool) error {
	keys, certain := r.model.Keys()
	there := keys[h] > 0
	want := r.model.Remove(h)
	if got != want {
		return fmt.Errorf("Remove says %t, want %t", got, want)
	}
	if there && certain && !got {
		return errors.New("a key that is there was not removed")
	}
	r.removed, r.refused = r.removed || got, r.refused || !got
	return nil
}

// The method "batch" adds some keys in one call, at least one of them twice. The keys are passed as byte strings, as
// words or as hashes.
func (r *CountingRun) batch(k uint8) error {
	keys := [][]byte{keyBytes(k), keyBytes(k + 1), keyBytes(k), keyBytes(k + 5)}
	var hashes []kernel.Hash
	for _, key := range keys {
		hashes = append(hashes, r.real.Hasher().Bytes(key))
	}
	known := []bool{true, false} // dst must keep these elements
	var got []bool
	switch k % 3 {
	case 0:
		got = r.real.AddBatch(known, kernel.KeysOf(keys))
	case 1:
		hashes = []kernel.Hash{readyHash(k), readyHash(k + 3), readyHash(k), readyHash(k)}
		got = r.real.AddBatch(known, kernel.KeysOf(hashes))
	case 2:
		words := []uint64{uint64(k), uint64(k) << 40, uint64(k)}
		hashes = hashes[:0]
		for _, word := range words {
			hashes = append(hashes, r.real.Hasher().Bytes(binary.LittleEndian.AppendUint64(nil, word)))
		}
		got = r.real.AddBatch(known, kernel.KeysOf(words))
	}
	want := slices.Clone(known)
	for _, h := range hashes {
		want = append(want, r.model.Add(h))
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("the batch says %t, want %t", got, want)
	}
	return nil
}

// The method "blank" returns a new filter, into which a snapshot will be read. The new filter has another shape than
// r's filter. If r's filter has a secret key, the returned filter has the same key.
func (r *CountingRun) blank() (*kernel.CountingFilter, error) {
	if !keyed(r.o) {
		return new(kernel.CountingFilter), nil
	}
	return kernel.NewCounting(bloomproof.Geometry{M: 3, K: 2}, 16, bloomproof.Distinct, r.o)
}

// compareCounting returns an error that describes the difference between f and its model. It compares figures, and the
// filter of the bits above 0, only if the argument "figures" is true.
func compareCounting(g bloomproof.Geometry, c Counters, f *kernel.CountingFilter, m *Counting, figures bool) error {
	if width, increment := f.Counting(); f.Geometry() != g || (Counters{width, increment}) != c {
		return fmt.Errorf("it is %v %d %v", f.Geometry(), width, increment)
	}
	got, err := snapshotWords(f)
	if want := m.Words(); err != nil || !slices.Equal(got, want) {
		return fmt.Errorf("words %#x, want %#x; %v", got, want, err)
	}
	type counts struct{ bits, saturated uint64 }
	if got, want := (counts{f.Bits(), f.Saturated()}), (counts{uint64(len(m.Counters())), m.Saturated()}); got != want {
		return fmt.Errorf("counts %+v, want %+v", got, want)
	}
	if sums, held := m.Sums(); held && !maps.Equal(sums, m.Counters()) {
		return fmt.Errorf("counters %v, but the keys sum up to %v", m.Counters(), sums)
	}
	if keys, certain := m.Keys(); certain {
		for h, n := range keys {
			if most, saturated := f.CountHash(h); !f.ContainsHash(h) || most < uint64(n) && !saturated {
				return fmt.Errorf("%#x is there %d times: contained %t, counted %d", h, n, f.ContainsHash(h), most)
			}
		}
	}
	var hashes []kernel.Hash
	var known []bool
	for k := range uint8(Keys) {
		h := readyHash(k)
		hashes, known = append(hashes, h), append(known, m.Contains(h))
		if f.ContainsHash(h) != known[k] {
			return fmt.Errorf("ContainsHash(%#x) is not %t", h, known[k])
		}
		n, full := f.CountHash(h)
		if want, wantFull := m.Count(h); n != want || full != wantFull {
			return fmt.Errorf("CountHash(%#x) is %d, %t, want %d, %t", h, n, full, want, wantFull)
		}
	}
	if got := f.ContainsBatch(nil, kernel.KeysOf(hashes)); !slices.Equal(got, known) {
		return fmt.Errorf("ContainsBatch says %t, want %t", got, known)
	}
	if !figures {
		return nil
	}
	if err := says(f, g, " bits=", len(m.Counters()), " saturated=", m.Saturated()); err != nil {
		return err
	}
	plain := f.Filter()
	if got, want := plain.AppendWords(nil), bitWords(g.M, m.Set()); !slices.Equal(got, want) {
		return fmt.Errorf("the filter of bits has words %#x, want %#x", got, want)
	}
	if plain.Rate() != f.Rate() || plain.Bits() != f.Bits() {
		return fmt.Errorf("the filter of bits has rate %v and %d bits, want %v and %d", plain.Rate(), plain.Bits(), f.Rate(), f.Bits())
	}
	stats := plain.Stats()
	stats.Bytes = (g.M*uint64(c.Width) + 63) / 64 * 8
	if got := f.Stats(); got != stats {
		return fmt.Errorf("figures %+v, want %+v", got, stats)
	}
	rate := m.Rate()
	return near("Rate", f.Rate(), rate, rate, rateError(g))
}
