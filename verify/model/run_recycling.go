package model

import (
	"errors"
	"fmt"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

// RecyclingRun is a kernel.RecyclingFilter with its model.
type RecyclingRun struct {
	pace
	g     bloomproof.Geometry
	r     bloomproof.Recycling
	o     kernel.Options
	real  *kernel.RecyclingFilter
	model *Recycling
	ends  []kernel.CycleState // the reports of OnRecycle during the operation
}

// NewRecyclingRun returns a run on an empty filter.
//
// Errors: the same as for kernel.NewRecycling.
func NewRecyclingRun(g bloomproof.Geometry, r bloomproof.Recycling, o kernel.Options) (*RecyclingRun, error) {
	f, err := kernel.NewRecycling(g, r, o)
	if err != nil {
		return nil, err
	}
	run := &RecyclingRun{g: g, r: r, o: o, real: f, model: NewRecycling(g, r)}
	f.OnRecycle = run.onRecycle
	return run, nil
}

func (r *RecyclingRun) onRecycle(e kernel.CycleState) { r.ends = append(r.ends, e) }

// Cycle returns the number of recycles so far.
func (r *RecyclingRun) Cycle() uint64 { return r.real.State().Cycle }

// Apply executes op on the filter and on the model. It returns an error if the two differ in the result of op or in
// anything that can be observed afterwards. Actions that need two sets are replaced by Insert.
func (r *RecyclingRun) Apply(op Op) error { return r.step(op, r.due()) }

// The method "step" is Apply. It compares figures only if the argument "figures" is true.
func (r *RecyclingRun) step(op Op, figures bool) error {
	r.ends = nil
	if err := r.apply(op); err != nil {
		return fmt.Errorf("%v: %w", op, err)
	}
	if err := r.compare(figures); err != nil {
		return fmt.Errorf("after %v: %w", op, err)
	}
	return nil
}

func (r *RecyclingRun) apply(op Op) error {
	key, ready := keyBytes(op.Key), readyHash(op.Key)
	switch op.Action {
	case Insert:
		return r.observe(r.real.Hasher().Bytes(key), func() kernel.Observation { return r.real.Observe(key) })
	case Probe:
		if got, want := r.real.Contains(key), r.model.Contains(r.real.Hasher().Bytes(key)); got != want {
			return fmt.Errorf("Contains says %t, want %t", got, want)
		}
	case InsertBatch:
		b := batchOf(op.Key, r.g, r.real.Hasher())
		got := r.real.ObserveBatch(nil, b.keys)
		var ends []kernel.CycleState
		err := compareBatch(got, b.hashes, func(h kernel.Hash) kernel.Observation {
			o, end := r.model.Observe(h)
			if end != nil {
				ends = append(ends, *end)
			}
			return o
		})
		if err == nil && !slices.Equal(r.ends, ends) {
			err = fmt.Errorf("recycle events %+v, want %+v", r.ends, ends)
		}
		return err
	case ProbeBatch:
		b := batchOf(op.Key, r.g, r.real.Hasher())
		return compareBatch(r.real.ContainsBatch(nil, b.keys), b.hashes, r.model.Contains)
	case Clear:
		r.real.Clear()
		r.model.Clear()
	case Copy:
		old := r.real
		r.real = old.Clone()
		if !same(r.real, old) {
			return errors.New("a clone is not equal")
		}
		old.ObserveHash(ready) // must not change the clone
		old.Clear()
		r.ends = nil
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
		if fresh.OnRecycle == nil {
			return errors.New("reading a snapshot lost OnRecycle")
		}
		r.real = fresh
	case Reload:
		before := r.real.Clone()
		r.real.ObserveHash(ready)
		r.ends = nil
		return restore(before, r.real, true)
	default:
		return r.observe(ready, func() kernel.Observation { return r.real.ObserveHash(ready) })
	}
	return nil
}

// The method "observe" passes one arrival to the filter and to the model. It compares their observations and their
// recycle events. Before the arrival, it calls Contains, and compares the result with the observations.
func (r *RecyclingRun) observe(h kernel.Hash, observe func() kernel.Observation) error {
	known := r.real.ContainsHash(h)
	got := observe()
	want, end := r.model.Observe(h)
	if got != want {
		return fmt.Errorf("observed %+v, want %+v", got, want)
	}
	if known != want.Repeat() || got.Repeat() != want.Repeat() {
		return fmt.Errorf("Contains said %t, Observe %t, want %t", known, got.Repeat(), want.Repeat())
	}
	var ends []kernel.CycleState
	if end != nil {
		ends = append(ends, *end)
	}
	if !slices.Equal(r.ends, ends) {
		return fmt.Errorf("recycle events %+v, want %+v", r.ends, ends)
	}
	return nil
}

// The method "blank" returns a filter of another shape. A snapshot will be read into this filter. If r's filter has a
// secret key, the returned filter has the same key.
func (r *RecyclingRun) blank() (*kernel.RecyclingFilter, error) {
	f := new(kernel.RecyclingFilter)
	if keyed(r.o) {
		var err error
		if f, err = kernel.NewRecycling(bloomproof.Geometry{M: 3, K: 2}, bloomproof.Recycling{}, r.o); err != nil {
			return nil, err
		}
	}
	f.OnRecycle = r.onRecycle
	return f, nil
}

// The method "compare" returns an error that describes the difference between the filter and its model. It compares
// figures only if the argument "figures" is true.
func (r *RecyclingRun) compare(figures bool) error {
	f, m := r.real, r.model
	a, b := m.Active(), m.Frozen()
	if f.Geometry() != r.g || f.Recycling() != r.r {
		return fmt.Errorf("it is %v %v", f.Geometry(), f.Recycling())
	}
	words, err := snapshotWords(f)
	if want := m.words(a, b); err != nil || !slices.Equal(words, want) {
		return fmt.Errorf("words %#x, want %#x; %v", words, want, err)
	}
	got, want := f.State(), m.state(a, b)
	if got != want {
		return fmt.Errorf("state %+v, want %+v", got, want)
	}
	for _, h := range m.Recorded() {
		if !f.ContainsHash(h) {
			return fmt.Errorf("false negative: %#x", h)
		}
	}
	for k := range uint8(Keys) {
		if h := readyHash(k); f.ContainsHash(h) != m.contains(a, b, h) {
			return fmt.Errorf("ContainsHash(%#x) is not %t", h, m.contains(a, b, h))
		}
	}
	if !figures {
		return nil
	}
	if err := says(f, r.g, " cycle=", want.Cycle, " bits=", want.Bits, " frozen=", want.FrozenBits); err != nil {
		return err
	}
	stats := f.Stats()
	if err := checkItems(stats.Items, stats.Bounded, r.g, want.Bits); err != nil {
		return err
	}
	phases := uint64(1)
	if r.r.TwoPhase {
		phases = 2
	}
	if want := (kernel.Stats{
		M: r.g.M, K: r.g.K, Bits: want.Bits, Fill: float64(want.Bits) / float64(r.g.M), Items: stats.Items, Bounded: stats.Bounded,
		Rate: f.Rate(), Bytes: phases * ((r.g.M + 63) / 64 * 8),
	}); stats != want {
		return fmt.Errorf("figures %+v, want %+v", stats, want)
	}
	active, frozen := m.Parts()
	return near("Rate", f.Rate(), m.Rate(), active.Add(active, frozen), rateError(r.g)+3*0x1p-53)
}
