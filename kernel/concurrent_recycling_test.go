package kernel_test

import (
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/model"
)

// With one goroutine at a time a concurrent recycling filter is a RecyclingFilter, bit
// for bit, under every rule and hashing, whatever lanes were used before.
func TestConcurrentRecyclingStateMachine(t *testing.T) {
	t.Logf("seed %d", *seedFlag)
	manyProcs(t)
	tests := longtest.More(1, 4)
	for i, c := range []struct {
		g               bloomproof.Geometry
		sigma, messages uint64
	}{
		{bloomproof.Geometry{M: 17, K: 2, Hashing: bloomproof.Standard}, 9, 4},
		{bloomproof.Geometry{M: 70, K: 3, Hashing: bloomproof.Classic}, 30, 4},
		{bloomproof.Geometry{M: 24, K: 3, Hashing: bloomproof.Partitioned}, 12, 4},
		{bloomproof.Geometry{M: 500, K: 5, Hashing: bloomproof.Partitioned}, 100, 20},
		{bloomproof.Geometry{M: 2000, K: 70, Hashing: bloomproof.Classic}, 800, 9},
		{bloomproof.Geometry{M: 9, K: 1, Hashing: bloomproof.Standard}, 0, 1},
	} {
		for j, r := range model.Rules(c.sigma, c.messages) {
			if r.Validate(c.g) != nil || j%longtest.More(6, 1) != i%longtest.More(6, 1) {
				continue
			}
			t.Run(fmt.Sprintf("%v %v", c.g, r), func(t *testing.T) {
				var runs []*model.ConcurrentRecyclingRun
				o := optionSets[(i+j)%len(optionSets)]
				machine(t, tests, 40, func() run {
					run, err := model.NewConcurrentRecyclingRun(c.g, r, o)
					if err != nil {
						t.Fatal(err)
					}
					runs = append(runs, run)
					return run
				})
				most := uint64(0)
				for _, r := range runs {
					most = max(most, r.Cycle())
				}
				if most < 1 {
					t.Error("no recycle: the test does not test the rule")
				}
			})
		}
	}
}

// Its batches give the results of single calls to a RecyclingFilter in turn, with many
// recycles in a batch and few.
func TestConcurrentRecyclingBatchIsSingleCalls(t *testing.T) {
	t.Logf("seed %d", *seedFlag)
	manyProcs(t)
	for ci, c := range []struct {
		g               bloomproof.Geometry
		sigma, messages uint64
	}{
		{bloomproof.Geometry{M: 4096, K: 4}, 1900, 300},
		{bloomproof.Geometry{M: 5000, K: 7, Hashing: bloomproof.Classic}, 2500, 100},
		{bloomproof.Geometry{M: 4998, K: 7, Hashing: bloomproof.Partitioned}, 700, 100},
		{bloomproof.Geometry{M: 4096, K: 1}, 40, 64},
		{bloomproof.Geometry{M: 5000, K: 70, Hashing: bloomproof.Classic}, 1000, 50},
		{bloomproof.Geometry{M: 1 << 26, K: 6}, 1000, 200},
	} {
		most := uint64(0)
		for ri, r := range model.Rules(c.sigma, c.messages) {
			o := optionSets[(ci+ri)%len(optionSets)]
			if r.Validate(c.g) != nil || !longtest.Enabled() && ri%6 != ci%6 || c.g.M > 1<<20 && ri%longtest.More(20, 5) != longtest.More(5, 0) {
				continue
			}
			what := fmt.Sprintf("%v %v scheme=%v", c.g, r, kernel.SchemeOf(o))
			rng := rand.New(rand.NewPCG(uint64(*seedFlag), uint64(ci*100+ri)))
			single := mustNewRecycling(t, c.g, r, o)
			var ends [2][]kernel.CycleState
			single.OnRecycle = func(e kernel.CycleState) { ends[1] = append(ends[1], e) }
			shared := single.Clone().Concurrent()
			single.OnRecycle = func(e kernel.CycleState) { ends[0] = append(ends[0], e) }
			for _, n := range batchSizes {
				if n > 1000 || n > 129 && c.g.K > 64 {
					continue
				}
				b := newKeyBatch(rng, n, 500)
				for i, f := range observeForms(shared, single) {
					if n < 1000 || i == ri%3 {
						f.compare(t, what, b, same)
					}
				}
				for _, f := range containsForms(shared, single) {
					f.compare(t, what, b, same)
					f.compare(t, what, newKeyBatch(rng, n, 1000), same)
				}
			}
			if !slices.Equal(ends[0], ends[1]) || !shared.Filter().Equal(single) || shared.Rate() != single.Rate() {
				t.Fatalf("%s: %v, events %+v, from single calls %v, events %+v", what, shared, ends[1], single, ends[0])
			}
			most = max(most, shared.State().Cycle)
		}
		if most < 2 {
			t.Errorf("%v: at most %d recycles: the test does not test the rules", c.g, most)
		}
	}
}

// observer is what the examination of concurrent observers needs of a filter.
type observer interface {
	ObserveHash(kernel.Hash) kernel.Observation
	ContainsHash(kernel.Hash) bool
	State() kernel.CycleState
	Recount() uint64 // the set bits of the active array, counted at rest
}

// restingRecycling counts the bits of a concurrent recycling filter.
type restingRecycling struct{ *kernel.ConcurrentRecycling }

func (f restingRecycling) Recount() (n uint64) {
	copied := f.Filter()
	data, err := copied.MarshalBinary()
	if err != nil {
		panic(err)
	}
	for _, b := range data[kernel.HeaderSize:][:(copied.Geometry().M+63)/64*8] {
		n += uint64(bits.OnesCount8(b))
	}
	return n
}

func (f restingRecycling) ObserveHashBatch(dst []kernel.Observation, h []kernel.Hash) []kernel.Observation {
	return f.ObserveBatch(dst, kernel.KeysOf(h))
}

func (f restingRecycling) ContainsHashBatch(dst []bool, h []kernel.Hash) []bool {
	return f.ContainsBatch(dst, kernel.KeysOf(h))
}

// observerBatches is what it uses besides where there is such a thing.
type observerBatches interface {
	ObserveHashBatch(dst []kernel.Observation, h []kernel.Hash) []kernel.Observation
	ContainsHashBatch(dst []bool, h []kernel.Hash) []bool
}

// observed is a message that was recorded, or known, in the active array of a cycle.
type observed struct{ id, cycle uint64 }

// observing is an examination of goroutines that share one recycling filter.
type observing struct {
	f    observer
	g    bloomproof.Geometry
	r    bloomproof.Recycling
	keys uint64
	logs []*ledger[observed]

	mu    sync.Mutex
	seen  []kernel.Observation // all, in any order
	kept  uint64               // bits of the triggers, which a retaining filter sets again (fixed positions)
	ended []kernel.CycleState  // written by the callback, which runs alone
}

func (e *observing) onRecycle(end kernel.CycleState) { e.ended = append(e.ended, end) }

// examine lets workers with random programs observe messages by f, which is
// empty and calls e.onRecycle. It returns what they saw that no interleaving explains,
// and what of the rule the recycles broke.
func (e *observing) examine(workers, steps int, seed uint64) error {
	for range workers {
		e.logs = append(e.logs, newLedger[observed](steps))
	}
	errs := make(chan error, workers)
	for w := range workers {
		go func() { errs <- e.work(w, steps, rand.New(rand.NewPCG(seed, uint64(w)))) }()
	}
	var all []error
	for range workers {
		all = append(all, <-errs)
	}
	if err := errors.Join(all...); err != nil {
		return err
	}
	if n := e.f.Recount(); n != e.f.State().Bits {
		return fmt.Errorf("%d bits are set at rest, not %d", n, e.f.State().Bits)
	}
	// What remains of the cycle is brought to an end, so that all is in some event.
	// An observation that was noted last need not be the last that was made, so one is made.
	for id, recycled := uint64(1)<<40, false; !recycled; id++ {
		if id > 1<<40+1<<20 {
			return errors.New("the filter recycles no more")
		}
		o := e.f.ObserveHash(idHash(id))
		e.note([]uint64{id}, []kernel.Observation{o})
		recycled = o.Recycled
	}
	return e.atRest()
}

// note records what was observed of messages.
func (e *observing) note(ids []uint64, seen []kernel.Observation) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.seen = append(e.seen, seen...)
	for i, o := range seen {
		if o.Recycled {
			e.kept += uint64(len(distinctPositions(e.g, idHash(ids[i]))))
		}
	}
}

func (e *observing) work(w, steps int, r *rand.Rand) error {
	batches, batched := e.f.(observerBatches)
	var seen []kernel.Observation
	for range steps {
		ids := []uint64{r.Uint64N(e.keys)}
		if batched && r.IntN(8) == 0 {
			for range r.IntN(80) {
				ids = append(ids, r.Uint64N(e.keys))
			}
		}
		switch r.IntN(4) {
		case 0, 1:
			if seen = seen[:0]; len(ids) == 1 {
				seen = append(seen, e.f.ObserveHash(idHash(ids[0])))
			} else {
				seen = batches.ObserveHashBatch(seen, idHashes(ids))
			}
			e.note(ids, seen)
			for _, o := range seen {
				if err := e.possible(o); err != nil {
					return err
				}
			}
		case 2: // observe within one cycle, if it is one
			before := e.f.State().Cycle
			o := e.f.ObserveHash(idHash(ids[0]))
			after := e.f.State().Cycle
			e.note(ids[:1], []kernel.Observation{o})
			if o.Recycled && after == before {
				return fmt.Errorf("cycle %d after a recycle in it", after)
			}
			if before == after && !(o.Frozen && e.r.NoCopyOver) {
				e.logs[w].add(observed{ids[0], before})
			}
		case 3: // what anybody recorded is known as long as it must be
			x, ok := e.logs[r.IntN(len(e.logs))].pick(r)
			if !ok {
				continue
			}
			known := e.f.ContainsHash(idHash(x.id))
			if batched && r.IntN(2) == 0 {
				known = known && batches.ContainsHashBatch(nil, idHashes([]uint64{x.id}))[0]
			}
			lasts := x.cycle
			if e.r.TwoPhase {
				lasts++
			}
			if now := e.f.State().Cycle; !known && now <= lasts {
				return fmt.Errorf("message %d of cycle %d is unknown in cycle %d", x.id, x.cycle, now)
			}
		}
	}
	return nil
}

func idHashes(ids []uint64) (h []kernel.Hash) {
	for _, id := range ids {
		h = append(h, idHash(id))
	}
	return h
}

// possible returns an error unless an observation can be made at all.
func (e *observing) possible(o kernel.Observation) error {
	recorded := !o.Active && !(o.Frozen && e.r.NoCopyOver)
	if recorded != (o.NewBits > 0) || o.NewBits > uint64(e.g.K) || o.Recycled && !recorded ||
		o.Frozen && !e.r.TwoPhase {
		return fmt.Errorf("observed %+v under %v", o, e.r)
	}
	return nil
}

// atRest examines the accounts: the filter has just recycled.
func (e *observing) atRest() error {
	var recycles, newBits, recorded uint64
	for _, o := range e.seen {
		newBits += o.NewBits
		if o.NewBits > 0 {
			recorded++
		}
		if o.Recycled {
			recycles++
		}
	}
	var set, messages, arrivals uint64
	for i, end := range e.ended {
		if end.Cycle != uint64(i) {
			return fmt.Errorf("event %d is of cycle %d", i, end.Cycle)
		}
		switch {
		case e.r.Messages > 0 && end.Messages != e.r.Messages:
			return fmt.Errorf("cycle %d ended with %d messages, not %d", i, end.Messages, e.r.Messages)
		case e.r.Messages == 0 && (end.Bits <= e.r.Sigma || end.Bits > e.r.Sigma+uint64(e.g.K)):
			return fmt.Errorf("cycle %d ended with %d bits, sigma = %d, k = %d", i, end.Bits, e.r.Sigma, e.g.K)
		}
		set += end.Bits
		messages += end.Messages
		arrivals += end.Arrivals
	}
	if n := uint64(len(e.ended)); n != recycles || n != e.f.State().Cycle || n < 2 {
		return fmt.Errorf("%d events, %d triggers, cycle %d", n, recycles, e.f.State().Cycle)
	}
	if arrivals != uint64(len(e.seen)) {
		return fmt.Errorf("%d arrivals in the events, %d observations", arrivals, len(e.seen))
	}
	set += e.f.State().Bits
	messages += e.f.State().Messages
	if e.r.Retain {
		recorded += recycles
		if !e.r.FreshPositions {
			newBits += e.kept
		} else if set <= newBits || set > newBits+recycles*uint64(e.g.K) {
			return fmt.Errorf("%d bits in all, %d new ones and those of %d retained messages", set, newBits, recycles)
		} else {
			newBits = set
		}
	}
	if messages != recorded || set != newBits {
		return fmt.Errorf("%d messages with %d bits in all, %d with %d observed", messages, set, recorded, newBits)
	}
	return nil
}

// observingCases are rules with bounds that a run passes often.
func observingCases() (cases []*observing) {
	for _, c := range []struct {
		g               bloomproof.Geometry
		sigma, messages uint64
	}{
		{bloomproof.Geometry{M: 3000, K: 4, Hashing: bloomproof.Standard}, 800, 90},
		{bloomproof.Geometry{M: 3000, K: 5, Hashing: bloomproof.Classic}, 60, 3},
		{bloomproof.Geometry{M: 3000, K: 5, Hashing: bloomproof.Partitioned}, 1500, 300},
		{bloomproof.Geometry{M: 64, K: 1, Hashing: bloomproof.Standard}, 10, 10},
		{bloomproof.Geometry{M: 20_000, K: 70, Hashing: bloomproof.Standard}, 5000, 30},
	} {
		for _, r := range model.Rules(c.sigma, c.messages) {
			cases = append(cases, &observing{g: c.g, r: r, keys: 5000})
		}
	}
	return cases
}

// Many goroutines share a recycling filter: nothing recorded is forgotten within its
// cycle, each cycle ends by one trigger and exactly at the bound, each bit, message and
// arrival is counted in one cycle, and at rest the counts are those of the bits.
func TestConcurrentRecyclingManyObservers(t *testing.T) {
	t.Logf("seed %d", *seedFlag)
	manyProcs(t)
	for i, e := range observingCases() {
		if every := longtest.More(8, 1); i%every != i/every%every {
			continue
		}
		single := mustNewRecycling(t, e.g, e.r, kernel.Options{})
		single.OnRecycle = e.onRecycle
		f := single.Concurrent()
		e.f = restingRecycling{f}
		if err := e.examine(6, 1000, uint64(*seedFlag)); err != nil {
			t.Errorf("%v %v: %v", e.g, e.r, err)
			continue
		}
		// A snapshot is refused unless its counts are those of its bits; the rate tells of
		// the counts that are not in it.
		var restored kernel.RecyclingFilter
		data, err := f.Filter().MarshalBinary()
		if err == nil {
			err = restored.UnmarshalBinary(data)
		}
		if err != nil || restored.Rate() != f.Rate() || !restored.Equal(f.Filter()) {
			t.Errorf("%v %v: %v, restored %v, %v", e.g, e.r, f, &restored, err)
		}
	}
}

// Messages of one cycle leave the bits that they leave in a RecyclingFilter, in any
// order, whoever observes them.
func TestConcurrentRecyclingSameBits(t *testing.T) {
	manyProcs(t)
	const workers, each = 4, 1000
	for _, g := range addingGeometries[2:5] {
		for _, fresh := range []bool{false, true} {
			r := bloomproof.Recycling{Sigma: g.M / 2, TwoPhase: true, FreshPositions: fresh}
			want := mustNewRecycling(t, g, r, kernel.Options{})
			for id := uint64(1) << 40; want.State().Cycle < 2; id++ { // leave bits in both arrays
				want.ObserveHash(idHash(id))
			}
			f := want.Clone().Concurrent()
			var all sync.WaitGroup
			for w := range uint64(workers) {
				all.Add(1)
				go func() {
					defer all.Done()
					var h []kernel.Hash
					for i := range uint64(each) {
						if id := (w*each/2 + i) % 600; i%3 == 0 {
							f.ObserveHash(idHash(id))
						} else {
							h = append(h, idHash(id))
						}
						if len(h) == 50 {
							f.ObserveBatch(nil, kernel.KeysOf(h))
							h = h[:0]
						}
					}
				}()
			}
			all.Wait()
			for id := range uint64(600) {
				f.ObserveHash(idHash(id))
				want.ObserveHash(idHash(id))
			}
			if f.State().Cycle != 2 || f.State().Bits != want.State().Bits || f.State().FrozenBits != want.State().FrozenBits || f.Rate() != want.Rate() {
				t.Errorf("%v: %v, rate %v, want %v, rate %v", g, f, f.Rate(), want, want.Rate())
			}
			for id := range uint64(4000) {
				if h := idHash(id); f.ContainsHash(h) != want.ContainsHash(h) {
					t.Fatalf("%v: not the bits of the same messages", g)
				}
			}
		}
	}
}

// Goroutines that meet at one new message share its bits: each bit is new to one of
// them, whoever has none is told of a repeat, and somebody is told of a new message. (With
// many positions, so that they do meet.)
func TestConcurrentSameMessage(t *testing.T) {
	manyProcs(t)
	g := bloomproof.Geometry{M: 1 << 24, K: 2000}
	f := mustNewRecycling(t, g, bloomproof.Recycling{Sigma: 1 << 23}, kernel.Options{}).Concurrent()
	set := f.Filter()
	plain := mustNew(t, g, kernel.Options{}).Concurrent()
	const workers = 3
	rounds := longtest.Of[uint64](200, 400, 2000)
	met := 0
	for id := range rounds {
		want := set.ObserveHash(idHash(id))
		var seen [workers]kernel.Observation
		var added [workers]bool
		var all sync.WaitGroup
		for w := range workers {
			delay := (id * golden >> 50) * uint64(w)
			all.Add(1)
			go func() {
				defer all.Done()
				for range delay {
					_ = delay
				}
				seen[w] = f.ObserveHash(idHash(id))
				added[w] = plain.AddHash(idHash(id))
			}()
		}
		all.Wait()
		var bits, first uint64
		for _, o := range seen {
			bits += o.NewBits
			if o.NewBits > 0 {
				first++
			}
			if o.Active != (o.NewBits == 0) {
				t.Fatalf("message %d: observed %+v", id, seen)
			}
		}
		if bits != want.NewBits || first == 0 || !slices.Contains(added[:], true) {
			t.Fatalf("message %d with %d new bits: observed %+v, added %v", id, want.NewBits, seen, added)
		}
		if first > 1 {
			met++
		}
	}
	if f.State().Bits != set.State().Bits || plain.Bits() != set.State().Bits || plain.Recount() != set.State().Bits {
		t.Errorf("%d and %d bits, want %d", f.State().Bits, plain.Bits(), set.State().Bits)
	}
	t.Logf("%d of %d messages were new to several", met, rounds)
}

// Copying, clearing and asking for counts wait for nobody for ever, and see the state
// between two observations.
func TestConcurrentRecyclingWhileObserving(t *testing.T) {
	manyProcs(t)
	g := bloomproof.Geometry{M: 4000, K: 4, Hashing: bloomproof.Partitioned}
	r := bloomproof.Recycling{Messages: 100, Retain: true, TwoPhase: true}
	f := mustNewRecycling(t, g, r, kernel.Options{}).Concurrent()
	var stop atomic.Bool
	var all sync.WaitGroup
	for w := range uint64(4) {
		all.Add(1)
		go func() {
			defer all.Done()
			for id := w << 32; !stop.Load(); id++ {
				f.ObserveHash(idHash(id))
			}
		}()
	}
	for range longtest.More(60, 200) {
		c := f.Filter()
		var restored kernel.RecyclingFilter
		data, err := c.MarshalBinary()
		if err == nil {
			err = restored.UnmarshalBinary(data)
		}
		if err != nil || restored.Rate() != c.Rate() {
			t.Fatalf("a copy is no state of the filter: %v, %v", c, err)
		}
		if n := f.State().Messages; n >= r.Messages {
			t.Fatalf("%d messages, with a bound of %d", n, r.Messages)
		}
	}
	stop.Store(true)
	all.Wait()
}

// A panic in OnRecycle leaves the filter usable, and its bound in force.
func TestConcurrentRecyclingPanic(t *testing.T) {
	for _, r := range []bloomproof.Recycling{{Sigma: 10}, {Messages: 4}} {
		single := mustNewRecycling(t, bloomproof.Geometry{M: 1000, K: 3}, r, kernel.Options{})
		panics := 0
		single.OnRecycle = func(kernel.CycleState) {
			if panics++; panics < 3 {
				panic("of the callback")
			}
		}
		f := single.Concurrent()
		for id := range uint64(20) {
			func() {
				defer func() { _ = recover() }()
				f.ObserveHash(idHash(id))
			}()
			if f.State().Cycle > 0 {
				break
			}
		}
		if panics != 3 || f.State().Cycle != 1 || f.State().Bits != 0 {
			t.Errorf("%v after %d calls of OnRecycle", f, panics)
		}
	}
}
