package model

import (
	"errors"
	"fmt"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

// ConcurrentFilterRun is a FilterRun that also runs a kernel.ConcurrentFilter. Several goroutines use this second
// filter, but only one at a time. So it must equal the filter of the FilterRun bit for bit.
type ConcurrentFilterRun struct {
	*FilterRun
	shared, otherShared *kernel.ConcurrentFilter
}

// NewConcurrentFilterRun returns a run on empty filters.
//
// Errors: the same as for kernel.New.
func NewConcurrentFilterRun(g bloomproof.Geometry, o kernel.Options) (*ConcurrentFilterRun, error) {
	run, err := NewFilterRun(g, o)
	if err != nil {
		return nil, err
	}
	return &ConcurrentFilterRun{run, run.real.Clone().Concurrent(), run.otherReal.Clone().Concurrent()}, nil
}

// Apply executes op on the filters and on the model. A separate goroutine executes op on the concurrent filter. Apply
// returns an error if the filters and the model differ in the result of op, or in anything that can be observed
// afterwards.
func (r *ConcurrentFilterRun) Apply(op Op) error {
	result := make(chan error)
	go func() { result <- r.applyShared(op) }()
	if err := <-result; err != nil {
		return fmt.Errorf("%v: concurrent filter: %w", op, err)
	}
	figures := r.due()
	if err := r.step(op, figures); err != nil {
		return err
	}
	if err := compareShared(r.shared, r.real, figures); err != nil {
		return fmt.Errorf("after %v: concurrent filter: %w", op, err)
	}
	return nil
}

// applyShared executes op on the concurrent filter. It is called before op is executed on the other filters.
func (r *ConcurrentFilterRun) applyShared(op Op) error {
	key, ready := keyBytes(op.Key), readyHash(op.Key)
	switch op.Action {
	case Insert:
		if got, want := r.shared.Add(key), !r.model.Contains(r.shared.Hasher().Bytes(key)); got != want {
			return fmt.Errorf("Add says %t, want %t", got, want)
		}
	case InsertH:
		if got, want := r.shared.AddHash(ready), !r.model.Contains(ready); got != want {
			return fmt.Errorf("AddHash says %t, want %t", got, want)
		}
	case Probe:
		if got, want := r.shared.Contains(key), r.model.Contains(r.shared.Hasher().Bytes(key)); got != want {
			return fmt.Errorf("Contains says %t, want %t", got, want)
		}
	case InsertBatch:
		b := batchOf(op.Key, r.g, r.shared.Hasher())
		return compareBatch(r.shared.AddBatch(nil, b.keys), b.hashes, r.real.Clone().AddHash)
	case InsertBulk: // a concurrent filter has no AddBulk
		r.shared.AddBatch(nil, kernel.KeysOf(batchOf(op.Key, r.g, r.shared.Hasher()).hashes))
	case ProbeBatch:
		b := batchOf(op.Key, r.g, r.shared.Hasher())
		return compareBatch(r.shared.ContainsBatch(nil, b.keys), b.hashes, r.model.Contains)
	case Clear:
		f := r.shared.Filter()
		f.Clear()
		r.shared = f.Concurrent()
	case Copy:
		old := r.shared
		r.shared = old.Filter().Concurrent()
		old.AddHash(ready) // must not change the copy
	case Snapshot, Reload:
		fresh, err := r.blank()
		if err != nil {
			return err
		}
		if err := restore(r.shared.Filter(), fresh, op.Action == Reload); err != nil {
			return err
		}
		r.shared = fresh.Concurrent()
	case Swap:
		r.shared, r.otherShared = r.otherShared, r.shared
	case Unite:
		return r.shared.Union(r.otherShared.Filter())
	case Meet: // done on a copy, like all operations that clear single bits
		f := r.shared.Filter()
		if err := f.Intersect(r.otherShared.Filter()); err != nil {
			return err
		}
		r.shared = f.Concurrent()
	}
	return nil
}

// compareShared returns an error that describes the difference between c and f, or nil if they are equal. It compares
// figures only if the argument "figures" is true.
func compareShared(c *kernel.ConcurrentFilter, f *kernel.Filter, figures bool) error {
	if copied := c.Filter(); !same(copied, f) || copied.Bits() != f.Bits() {
		return errors.New("the bits differ")
	}
	if got, want := c.Bits(), f.Bits(); got != want {
		return fmt.Errorf("its Bits %d, want %d", got, want)
	}
	for k := range uint8(Keys) {
		if h := readyHash(k); c.ContainsHash(h) != f.ContainsHash(h) {
			return fmt.Errorf("its ContainsHash(%#x) is not %t", h, f.ContainsHash(h))
		}
	}
	if !figures {
		return nil
	}
	if c.String() != f.String() {
		return fmt.Errorf("it is %v, want %v", c, f)
	}
	if got, want := c.Rate(), f.Rate(); got != want {
		return fmt.Errorf("its Rate %v, want %v", got, want)
	}
	if got, want := c.Stats(), f.Stats(); got != want {
		return fmt.Errorf("its Stats %+v, want %+v", got, want)
	}
	return nil
}

// ConcurrentRecyclingRun is a RecyclingRun that also runs a kernel.ConcurrentRecycling. Several goroutines use this
// second filter, but only one at a time. So it must equal the filter of the RecyclingRun bit for bit.
type ConcurrentRecyclingRun struct {
	*RecyclingRun
	shared *kernel.ConcurrentRecycling
	seen   []kernel.CycleState // the reports of its OnRecycle during the operation
}

// NewConcurrentRecyclingRun returns a run on empty filters.
//
// Errors: the same as for kernel.NewRecycling.
func NewConcurrentRecyclingRun(g bloomproof.Geometry, r bloomproof.Recycling, o kernel.Options) (*ConcurrentRecyclingRun, error) {
	run, err := NewRecyclingRun(g, r, o)
	if err != nil {
		return nil, err
	}
	twin := &ConcurrentRecyclingRun{RecyclingRun: run}
	twin.use(run.real.Clone())
	return twin, nil
}

// The method "use" makes a concurrent filter from f. The concurrent filter takes over the memory of f.
func (r *ConcurrentRecyclingRun) use(f *kernel.RecyclingFilter) {
	f.OnRecycle = func(e kernel.CycleState) { r.seen = append(r.seen, e) }
	r.shared = f.Concurrent()
}

// Apply executes op on the filters and on the model. A separate goroutine executes op on the concurrent filter. Apply
// returns an error if the filters and the model differ in the result of op, or in anything that can be observed
// afterwards.
func (r *ConcurrentRecyclingRun) Apply(op Op) error {
	result := make(chan error)
	go func() { result <- r.applyShared(op) }()
	if err := <-result; err != nil {
		return fmt.Errorf("%v: concurrent filter: %w", op, err)
	}
	figures := r.due()
	if err := r.step(op, figures); err != nil {
		return err
	}
	if err := r.compareShared(figures); err != nil {
		return fmt.Errorf("after %v: concurrent filter: %w", op, err)
	}
	return nil
}

// applyShared executes op on the concurrent filter. It is called before op is executed on the other filters.
func (r *ConcurrentRecyclingRun) applyShared(op Op) error {
	key, ready := keyBytes(op.Key), readyHash(op.Key)
	switch op.Action {
	case Insert:
		return r.observed([]kernel.Hash{r.shared.Hasher().Bytes(key)}, func() []kernel.Observation {
			return []kernel.Observation{r.shared.Observe(key)}
		})
	case InsertBatch:
		b := batchOf(op.Key, r.g, r.shared.Hasher())
		return r.observed(b.hashes, func() []kernel.Observation { return r.shared.ObserveBatch(nil, b.keys) })
	case Probe:
		if got, want := r.shared.Contains(key), r.model.Contains(r.shared.Hasher().Bytes(key)); got != want {
			return fmt.Errorf("Contains says %t, want %t", got, want)
		}
	case ProbeBatch:
		b := batchOf(op.Key, r.g, r.shared.Hasher())
		return compareBatch(r.shared.ContainsBatch(nil, b.keys), b.hashes, r.model.Contains)
	case Clear: // done on a copy: the filter itself is cleared only by a recycle
		f := r.shared.Filter()
		f.Clear()
		r.use(f)
	case Copy:
		old := r.shared
		next := old.Filter()
		if next.OnRecycle == nil {
			return errors.New("a copy lost OnRecycle")
		}
		r.use(next)
		old.ObserveHash(ready) // must not change the copy
	case Snapshot, Reload:
		fresh, err := r.blank()
		if err != nil {
			return err
		}
		if err := restore(r.shared.Filter(), fresh, op.Action == Reload); err != nil {
			return err
		}
		r.use(fresh)
	default:
		return r.observed([]kernel.Hash{ready}, func() []kernel.Observation {
			return []kernel.Observation{r.shared.ObserveHash(ready)}
		})
	}
	return nil
}

// The method "observed" compares two filters. One is the concurrent filter, and the other is a copy of the
// RecyclingFilter of this run. Their observations and events must be equal.
func (r *ConcurrentRecyclingRun) observed(h []kernel.Hash, observe func() []kernel.Observation) error {
	r.seen = nil
	got := observe()
	var ends []kernel.CycleState
	twin := r.real.Clone()
	twin.OnRecycle = func(e kernel.CycleState) { ends = append(ends, e) }
	if err := compareBatch(got, h, twin.ObserveHash); err != nil {
		return err
	}
	if !slices.Equal(r.seen, ends) {
		return fmt.Errorf("recycle events %+v, want %+v", r.seen, ends)
	}
	return nil
}

// compareShared returns an error that describes the difference between the concurrent filter and the other one. It
// compares figures only if the argument "figures" is true.
func (r *ConcurrentRecyclingRun) compareShared(figures bool) error {
	c, f := r.shared, r.real
	if copied := c.Filter(); !same(copied, f) || figures && copied.Rate() != f.Rate() {
		return fmt.Errorf("its copy is %v, want %v", copied, f)
	}
	if c.State() != f.State() || figures && (c.String() != f.String() || c.Rate() != f.Rate() || c.Stats() != f.Stats()) {
		return fmt.Errorf("it is %v, %+v, rate %v, %+v, want %v, %+v, rate %v, %+v", c, c.State(), c.Rate(), c.Stats(), f, f.State(), f.Rate(), f.Stats())
	}
	for k := range uint8(Keys) {
		if h := readyHash(k); c.ContainsHash(h) != f.ContainsHash(h) {
			return fmt.Errorf("its ContainsHash(%#x) is not %t", h, f.ContainsHash(h))
		}
	}
	return nil
}
