package kernel_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/model"
)

// With one goroutine at a time a concurrent filter is a Filter, bit for bit.
func TestConcurrentFilterStateMachine(t *testing.T) {
	t.Logf("seed %d", *seedFlag)
	for i, g := range append(slices.Clone(geometries), blockGeometries...) {
		o := optionSets[i%len(optionSets)]
		t.Run(fmt.Sprint(g), func(t *testing.T) {
			machine(t, longtest.More(1, 4), 40, func() run {
				r, err := model.NewConcurrentFilterRun(g, o)
				if err != nil {
					t.Fatal(err)
				}
				return r
			})
		})
	}
}

// Its batches give the results of single calls to a Filter in turn, for filters near
// and far and either number of positions.
func TestConcurrentFilterBatchIsSingleCalls(t *testing.T) {
	t.Logf("seed %d", *seedFlag)
	far := []bloomproof.Geometry{
		{M: 1 << 26, K: 7, Hashing: bloomproof.Standard},
		{M: 1 << 26, K: 40, Hashing: bloomproof.Classic},
		{M: 1 << 26, K: 64, Hashing: bloomproof.Partitioned},
	}
	for gi, g := range slices.Concat(far, batchGeometries, blockBatchGeometries) {
		if !longtest.Enabled() && g.M == 1<<26 && gi >= len(far) && g.Block != 2048 {
			continue // far filters as those before; TestFilterBatchIsSingleCalls has these shapes
		}
		o := optionSets[gi%len(optionSets)]
		what := fmt.Sprintf("%v scheme=%v", g, kernel.SchemeOf(o))
		r := rand.New(rand.NewPCG(uint64(*seedFlag), uint64(gi)))
		single := mustNew(t, g, o)
		shared := single.Clone().Concurrent()
		for _, n := range batchSizes {
			if n > 1000 || n > 129 && g.K > 8 {
				continue
			}
			span := min(2*int(g.M)/g.K, 4000)
			b := newKeyBatch(r, n, span+9)
			for i, f := range addForms(shared, single) {
				if n < 1000 || i == gi%3 {
					f.compare(t, what, b, same)
				}
			}
			for i, f := range containsForms(shared, single) {
				if longtest.Enabled() || n < 1000 || i == gi%4 {
					f.compare(t, what, b, same)
					f.compare(t, what, newKeyBatch(r, n, 4*span+9), same)
				}
			}
		}
		if err := equalAtRest(shared, single); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// equalAtRest returns an error unless c, to which nobody adds, is f.
func equalAtRest(c *kernel.ConcurrentFilter, f *kernel.Filter) error {
	if !c.Filter().Equal(f) || c.Bits() != f.Bits() || c.Recount() != f.Bits() || c.Rate() != f.Rate() {
		return fmt.Errorf("%v, recount %d, rate %v, want %v, rate %v; equal bits: %t",
			c, c.Recount(), c.Rate(), f, f.Rate(), c.Filter().Equal(f))
	}
	return nil
}

// adder is what the examination of concurrent adders needs of a filter.
type adder interface {
	AddHash(kernel.Hash) bool
	AddHashBatch(dst []bool, h []kernel.Hash) []bool
	ContainsHash(kernel.Hash) bool
	ContainsHashBatch(dst []bool, h []kernel.Hash) []bool
	Bits() uint64
	AppendWords(dst []uint64) []uint64 // at rest
}

// restingFilter gives the words of a concurrent filter.
type restingFilter struct{ *kernel.ConcurrentFilter }

func (f restingFilter) AddHashBatch(dst []bool, h []kernel.Hash) []bool {
	return f.AddBatch(dst, kernel.KeysOf(h))
}

func (f restingFilter) ContainsHashBatch(dst []bool, h []kernel.Hash) []bool {
	return f.ContainsBatch(dst, kernel.KeysOf(h))
}

func (f restingFilter) AppendWords(dst []uint64) []uint64 { return f.Filter().AppendWords(dst) }

// ledger is a list that one goroutine extends and others read.
type ledger[T any] struct {
	items []T
	n     atomic.Int64
}

func newLedger[T any](most int) *ledger[T] { return &ledger[T]{items: make([]T, most)} }

func (l *ledger[T]) add(x T) {
	n := l.n.Load()
	l.items[n] = x
	l.n.Store(n + 1)
}

// pick returns an item whose add returned before; ok is false if there is none.
func (l *ledger[T]) pick(r *rand.Rand) (x T, ok bool) {
	if n := l.n.Load(); n > 0 {
		return l.items[r.Int64N(n)], true
	}
	return x, false
}

func (l *ledger[T]) all() []T { return l.items[:l.n.Load()] }

// idHash returns ready-made hash id.
func idHash(id uint64) kernel.Hash { return kernel.Hash{H0: id * golden, H1: id * 0xd1342543de82ef95} }

// added is an addition and its answer.
type added struct {
	id    uint64
	fresh bool
}

// adding is an examination of goroutines that add to one filter.
type adding struct {
	f     adder
	g     bloomproof.Geometry
	keys  uint64 // how many there are: all use the same
	logs  []*ledger[added]
	fresh atomic.Uint64 // additions that were told true, when they had returned
}

// examineAdding lets workers with random programs add to f, which is empty, probe it
// and count its bits. It returns what they saw that no interleaving explains, or in what
// f then differs from a Filter with the same keys.
func examineAdding(f adder, g bloomproof.Geometry, workers, steps int, keys, seed uint64) error {
	a := adding{f: f, g: g, keys: keys}
	for range workers {
		a.logs = append(a.logs, newLedger[added](64*steps))
	}
	errs := make(chan error, workers)
	for w := range workers {
		go func() { errs <- a.work(w, steps, rand.New(rand.NewPCG(seed, uint64(w)))) }()
	}
	var all []error
	for range workers {
		all = append(all, <-errs)
	}
	if err := errors.Join(all...); err != nil {
		return err
	}
	return a.atRest()
}

func (a *adding) work(w, steps int, r *rand.Rand) error {
	var ids []uint64
	var h []kernel.Hash
	var out []bool
	bits := uint64(0)
	for range steps {
		n := 1
		if r.IntN(4) == 0 {
			n += r.IntN(60)
		}
		ids, h = ids[:0], h[:0]
		for range n {
			ids = append(ids, r.Uint64N(a.keys))
			h = append(h, idHash(ids[len(ids)-1]))
		}
		switch r.IntN(4) {
		case 0, 1: // add, and see that it was
			if out = out[:0]; n == 1 {
				out = append(out, a.f.AddHash(h[0]))
			} else {
				out = a.f.AddHashBatch(out, h)
			}
			for i, fresh := range out {
				if fresh {
					a.fresh.Add(1)
				}
				a.logs[w].add(added{ids[i], fresh})
			}
		case 2: // what anybody added is there
			h = h[:0]
			for range n {
				if x, ok := a.logs[r.IntN(len(a.logs))].pick(r); ok {
					h = append(h, idHash(x.id))
				}
			}
		case 3:
			least := max(bits, a.fresh.Load())
			if bits = a.f.Bits(); bits < least || bits > a.g.M {
				return fmt.Errorf("%d bits after %d were seen or set", bits, least)
			}
			continue
		}
		if out = out[:0]; len(h) == 1 {
			out = append(out, a.f.ContainsHash(h[0]))
		} else {
			out = a.f.ContainsHashBatch(out, h)
		}
		if slices.Contains(out, false) {
			return errors.New("a key is not contained that was added before")
		}
	}
	return nil
}

// atRest examines the filter when all have added.
func (a *adding) atRest() error {
	want, err := kernel.New(a.g, kernel.Options{})
	if err != nil {
		return err
	}
	told := map[uint64]int{} // additions of a key that were told true
	for _, l := range a.logs {
		for _, x := range l.all() {
			want.AddHash(idHash(x.id))
			told[x.id] += 0
			if x.fresh {
				told[x.id]++
			}
		}
	}
	owners := map[uint64]int{} // keys that have a position
	for id := range told {
		for _, p := range distinctPositions(a.g, idHash(id)) {
			owners[p]++
		}
	}
	if uint64(len(owners)) != want.Bits() {
		return errors.New("the examination is wrong about positions")
	}
	if !slices.Equal(a.f.AppendWords(nil), want.AppendWords(nil)) {
		return errors.New("the bits are not those of a Filter with the same keys")
	}
	if a.f.Bits() != want.Bits() {
		return fmt.Errorf("Bits is %d at rest, want %d", a.f.Bits(), want.Bits())
	}
	// Each bit has one that set it first, who was told true.
	total := a.fresh.Load()
	if total > want.Bits() || a.g.K == 1 && total != want.Bits() {
		return fmt.Errorf("%d additions were told true, of %d bits and k = %d", total, want.Bits(), a.g.K)
	}
	for id, n := range told {
		own := slices.ContainsFunc(distinctPositions(a.g, idHash(id)), func(p uint64) bool { return owners[p] == 1 })
		if own && n == 0 {
			return fmt.Errorf("key %d has a bit of its own, and no addition of it was told true", id)
		}
		if n > a.g.K {
			return fmt.Errorf("%d additions of key %d were told true, with k = %d", n, id, a.g.K)
		}
	}
	return nil
}

// distinctPositions returns the positions of h without repeats.
func distinctPositions(g bloomproof.Geometry, h kernel.Hash) []uint64 {
	pos, err := kernel.AppendPositions(nil, g, h)
	if err != nil {
		panic(err)
	}
	slices.Sort(pos)
	return slices.Compact(pos)
}

// addingGeometries have words that many keys share, and words enough for all.
var addingGeometries = []bloomproof.Geometry{
	{M: 2000, K: 1, Hashing: bloomproof.Standard},
	{M: 64, K: 1, Hashing: bloomproof.Classic},
	{M: 10_000, K: 5, Hashing: bloomproof.Standard},
	{M: 10_000, K: 5, Hashing: bloomproof.Classic},
	{M: 10_000, K: 5, Hashing: bloomproof.Partitioned},
	{M: 40_000, K: 70, Hashing: bloomproof.Standard},
	{M: 1 << 26, K: 6, Hashing: bloomproof.Standard}, // beyond the caches
}

// manyProcs gives the test more processors of Go than the host may have, so that
// goroutines are interrupted anywhere.
func manyProcs(t *testing.T) {
	was := runtime.GOMAXPROCS(8)
	t.Cleanup(func() { runtime.GOMAXPROCS(was) })
}

// Many goroutines lose no bit, count each once, and contradict no order of events.
func TestConcurrentFilterManyAdders(t *testing.T) {
	t.Logf("seed %d", *seedFlag)
	manyProcs(t)
	rounds := longtest.Of[uint64](2, 5, 20)
	for round := range rounds {
		for _, g := range addingGeometries {
			if !longtest.Enabled() && round > 0 && g.M == 1<<26 {
				continue // goroutines meet less in a large filter, and its memory costs the most
			}
			f := mustNew(t, g, kernel.Options{}).Concurrent()
			if err := examineAdding(restingFilter{f}, g, 6, 300, 1500, uint64(*seedFlag)+round); err != nil {
				t.Fatalf("%v, round %d: %v", g, round, err)
			}
		}
	}
}

// fault is what is wrong with a filter of this test.
type fault string

const (
	faultless  fault = ""
	lostBits   fault = "a bit is set by reading a word and writing it"
	lostCounts fault = "bits are counted by reading the count and writing it"
	checkFirst fault = "Add looks first, and answers what it saw"
	setLater   fault = "Add returns before its last bit is set"
	countTwice fault = "who comes second counts the bit too"
)

// brokenFilter is a concurrent filter with a fault. All its memory is accessed by
// sync/atomic, so the race detector finds nothing wrong with it.
type brokenFilter struct {
	fault fault
	g     bloomproof.Geometry
	words []atomic.Uint64
	bits  atomic.Uint64
	later sync.WaitGroup
}

func (f *brokenFilter) set(p uint64) (fresh uint64) {
	w, bit := &f.words[p>>6], uint64(1)<<(p&63)
	old := w.Load()
	switch f.fault {
	case lostBits:
		runtime.Gosched()
		w.Store(old | bit)
	case countTwice:
		runtime.Gosched()
		w.Or(bit)
	default:
		old = w.Or(bit)
	}
	if old&bit != 0 {
		return 0
	}
	return 1
}

func (f *brokenFilter) AddHash(h kernel.Hash) bool {
	pos := distinctPositions(f.g, h)
	known := f.fault == checkFirst && f.ContainsHash(h)
	if f.fault == checkFirst {
		runtime.Gosched()
	}
	var fresh uint64
	for i, p := range pos {
		if f.fault == setLater && i == len(pos)-1 {
			f.later.Add(1)
			go func() {
				defer f.later.Done()
				f.bits.Add(f.set(p))
			}()
		} else {
			fresh += f.set(p)
		}
	}
	if n := f.bits.Load(); f.fault == lostCounts {
		runtime.Gosched()
		f.bits.Store(n + fresh)
	} else {
		f.bits.Add(fresh)
	}
	if f.fault == checkFirst {
		return !known
	}
	return fresh > 0
}

func (f *brokenFilter) ContainsHash(h kernel.Hash) bool {
	for _, p := range distinctPositions(f.g, h) {
		if f.words[p>>6].Load()>>(p&63)&1 == 0 {
			return false
		}
	}
	return true
}

func (f *brokenFilter) AddHashBatch(dst []bool, h []kernel.Hash) []bool {
	for i := range h {
		dst = append(dst, f.AddHash(h[i]))
	}
	return dst
}

func (f *brokenFilter) ContainsHashBatch(dst []bool, h []kernel.Hash) []bool {
	for i := range h {
		dst = append(dst, f.ContainsHash(h[i]))
	}
	return dst
}

func (f *brokenFilter) Bits() uint64 { return f.bits.Load() }

func (f *brokenFilter) AppendWords(dst []uint64) []uint64 {
	f.later.Wait()
	for i := range f.words {
		dst = append(dst, f.words[i].Load())
	}
	return dst
}

// The examination catches every fault, though the race detector finds none, and only
// faults.
func TestConcurrentFilterMutants(t *testing.T) {
	manyProcs(t)
	for _, fault := range []fault{faultless, lostBits, lostCounts, checkFirst, setLater, countTwice} {
		rounds := uint64(40)
		if fault == faultless {
			rounds = 5
		}
		caught := error(nil)
		for round := uint64(0); round < rounds && caught == nil; round++ {
			g := addingGeometries[round%5]
			f := &brokenFilter{fault: fault, g: g, words: make([]atomic.Uint64, (g.M+63)/64)}
			caught = examineAdding(f, g, 6, 200, 1500, round)
			f.later.Wait()
		}
		if (caught != nil) != (fault != faultless) {
			t.Errorf("fault %q: the examination says %v", fault, caught)
		}
	}
}

// Copies and unions that are made while others add hold all that was added before, and
// nothing else.
func TestConcurrentFilterCopiesWhileAdding(t *testing.T) {
	manyProcs(t)
	const workers, each = 4, 2000
	for _, g := range addingGeometries[2:5] {
		f := mustNew(t, g, kernel.Options{}).Concurrent()
		var all sync.WaitGroup
		var logs []*ledger[uint64]
		for w := range uint64(workers) {
			log := newLedger[uint64](each)
			logs = append(logs, log)
			all.Add(1)
			go func() {
				defer all.Done()
				for i := range uint64(each) {
					f.AddHash(idHash(w + workers*i))
					log.add(w + workers*i)
				}
			}()
		}
		union := mustNew(t, g, kernel.Options{}).Concurrent()
		before := mustNew(t, g, kernel.Options{})
		for range 50 {
			var ids []uint64
			for _, log := range logs {
				ids = append(ids, log.all()...)
			}
			c := f.Filter()
			if err := union.Union(f.Filter()); err != nil {
				t.Fatal(err)
			}
			later := f.Filter()
			for what, pair := range map[string][2]*kernel.Filter{
				"a copy after one":   {before, c},
				"a union after one":  {c, union.Filter()},
				"a copy after union": {union.Filter(), later},
			} {
				if both := pair[1].Clone(); both.Union(pair[0]) != nil || !both.Equal(pair[1]) || both.Recount() != pair[1].Bits() {
					t.Fatalf("%v: %s lacks bits, or counts wrong", g, what)
				}
			}
			for _, id := range ids {
				if !c.ContainsHash(idHash(id)) {
					t.Fatalf("%v: a copy lacks a key that was added before", g)
				}
			}
			if union.Bits() != union.Recount() {
				t.Fatalf("%v: the union has %d bits and counts %d", g, union.Recount(), union.Bits())
			}
			before = later
		}
		all.Wait()
		want := mustNew(t, g, kernel.Options{})
		for id := range uint64(workers * each) {
			want.AddHash(idHash(id))
		}
		if err := equalAtRest(f, want); err != nil {
			t.Errorf("%v: %v", g, err)
		}
	}
}

func TestConcurrentFilterRefusals(t *testing.T) {
	g := bloomproof.Geometry{M: 64, K: 2}
	f := mustNew(t, g, kernel.Options{}).Concurrent()
	f.Add(nil)
	was := f.Filter()
	for param, o := range map[string]*kernel.Filter{
		"geometry": mustNew(t, bloomproof.Geometry{M: 65, K: 2}, kernel.Options{}),
		"seed":     mustNew(t, g, kernel.Options{Seed: 1}),
		"scheme":   mustNew(t, g, kernel.Keyed(sipKey[:])),
	} {
		o.AddHash(kernel.Hash{H0: 1})
		paramError(t, "Union", f.Union(o), param)
	}
	if err := equalAtRest(f, was); err != nil {
		t.Errorf("after errors: %v", err)
	}
}
