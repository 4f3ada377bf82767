package verify

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/internal/mutant"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/model"
)

// tiny is the geometry of the clauses: two positions of 16.
var tiny = bloomproof.Geometry{M: 16, K: 2}

// at names a message by its positions in cycle 0 and, when positions are fresh, in
// cycle 1.
type at [2][2]uint64

// hashesFound saves the search for a hash by its positions; the second are 0 when fixed.
var hashesFound = map[at]kernel.Hash{}

// hash returns a hash whose positions are those, found by trying.
func (a at) hash(t *testing.T, fresh bool) kernel.Hash {
	t.Helper()
	if h, found := hashesFound[a]; found {
		return h
	}
	rng := rand.New(rand.NewPCG(a[0][0]<<8|a[0][1], a[1][0]<<8|a[1][1]))
	for range 4 << 20 {
		h := kernel.Hash{H0: rng.Uint64(), H1: rng.Uint64()}
		if on(t, h) == a[0] && (!fresh || on(t, model.Cycle(h, 1)) == a[1]) {
			hashesFound[a] = h
			return h
		}
	}
	t.Fatalf("no hash for %v", a)
	return kernel.Hash{}
}

func on(t *testing.T, h kernel.Hash) [2]uint64 {
	t.Helper()
	pos, err := kernel.AppendPositions(nil, tiny, h)
	if err != nil {
		t.Fatal(err)
	}
	return [2]uint64(pos)
}

// step is an arrival with what must be found of it.
type step struct {
	message at
	want    kernel.Observation
}

// seen are the figures of a filter.
type seen struct{ bits, frozen, messages, cycle uint64 }

func seenOf(s kernel.CycleState) seen { return seen{s.Bits, s.FrozenBits, s.Messages, s.Cycle} }

// clause is a history that pins one clause of the semantics: what is found of each
// arrival, the figures afterwards, and what was reported at the recycles.
type clause struct {
	text  string
	rule  bloomproof.Recycling
	steps []step
	after seen
	ends  []kernel.CycleState
}

// What is found of an arrival.
func sets(n uint64) kernel.Observation     { return kernel.Observation{NewBits: n} }
func recycles(n uint64) kernel.Observation { return kernel.Observation{NewBits: n, Recycled: true} }
func copied(n uint64) kernel.Observation   { return kernel.Observation{Frozen: true, NewBits: n} }

var (
	active = kernel.Observation{Active: true}
	frozen = kernel.Observation{Frozen: true}
	both   = kernel.Observation{Active: true, Frozen: true}
)

// bits and messages are rules.
func bitsBound(sigma uint64, change ...func(*bloomproof.Recycling)) bloomproof.Recycling {
	r := bloomproof.Recycling{Sigma: sigma}
	for _, c := range change {
		c(&r)
	}
	return r
}

func messagesBound(n uint64, change ...func(*bloomproof.Recycling)) bloomproof.Recycling {
	r := bloomproof.Recycling{Messages: n}
	for _, c := range change {
		c(&r)
	}
	return r
}

func retain(r *bloomproof.Recycling) { r.Retain = true }
func two(r *bloomproof.Recycling)    { r.TwoPhase = true }
func noCopy(r *bloomproof.Recycling) { r.NoCopyOver = true }
func before(r *bloomproof.Recycling) { r.FreezeBefore = true }
func fresh(r *bloomproof.Recycling)  { r.FreshPositions = true }
func fixedAt(p, q uint64) at         { return at{{p, q}} }
func freshAt(p, q, p1, q1 uint64) at { return at{{p, q}, {p1, q1}} }

// clauses are the semantics of math and papers, worked out by hand.
func clauses() []clause {
	a, b, c, d, e := fixedAt(1, 2), fixedAt(2, 3), fixedAt(4, 5), fixedAt(6, 6), fixedAt(6, 7)
	return []clause{
		{"sigma bits do not recycle, one more does; a message is judged before its bits are set, and the trigger forgotten",
			bitsBound(4), []step{{a, sets(2)}, {a, active}, {c, sets(2)}, {a, active}, {d, recycles(1)}, {d, sets(1)}},
			seen{1, 0, 1, 1}, []kernel.CycleState{{Cycle: 0, Bits: 5, Messages: 3, Arrivals: 5}}},
		{"the trigger that is retained has the same positions in the cleared array, and is its first message",
			bitsBound(4, retain), []step{{a, sets(2)}, {c, sets(2)}, {e, recycles(2)}, {e, active}, {a, sets(2)}},
			seen{4, 0, 2, 1}, []kernel.CycleState{{Cycle: 0, Bits: 6, Messages: 3, Arrivals: 3}}},
		{"the N-th message that sets a bit recycles; those that set none do not count, and an arrival belongs to one cycle",
			messagesBound(2), []step{{a, sets(2)}, {a, active}, {a, active}, {b, recycles(1)}, {a, sets(2)}, {c, recycles(2)}},
			seen{0, 0, 0, 2}, []kernel.CycleState{{Cycle: 0, Bits: 3, Messages: 2, Arrivals: 4}, {Cycle: 1, Bits: 4, Messages: 2, Arrivals: 2}}},
		{"the retained message counts for the bound on messages",
			messagesBound(2, retain), []step{{a, sets(2)}, {c, recycles(2)}, {e, recycles(2)}, {e, active}},
			seen{2, 0, 1, 2}, []kernel.CycleState{{Cycle: 0, Bits: 4, Messages: 2, Arrivals: 2}, {Cycle: 1, Bits: 4, Messages: 2, Arrivals: 1}}},
		{"fresh positions are those of the cycle, the retained message's too",
			messagesBound(2, retain, fresh), []step{
				{freshAt(1, 2, 8, 9), sets(2)}, {freshAt(4, 5, 10, 11), recycles(2)},
				{freshAt(0, 0, 10, 11), active}, {freshAt(10, 11, 4, 5), recycles(2)}},
			seen{2, 0, 1, 2}, []kernel.CycleState{{Cycle: 0, Bits: 4, Messages: 2, Arrivals: 2}, {Cycle: 1, Bits: 4, Messages: 2, Arrivals: 2}}},
		{"freeze after: the trigger's bits are in the array that freezes",
			bitsBound(3, two), []step{{a, sets(2)}, {b, sets(1)}, {c, recycles(2)}, {c, copied(2)}, {c, both}},
			seen{2, 5, 1, 1}, []kernel.CycleState{{Cycle: 0, Bits: 5, Messages: 3, Arrivals: 3}}},
		{"freeze before: the bits that the trigger set are not, those that it found set are",
			bitsBound(3, two, before), []step{{a, sets(2)}, {b, sets(1)}, {fixedAt(3, 4), recycles(1)}, {b, copied(2)}, {fixedAt(3, 4), sets(1)}},
			seen{3, 3, 2, 1}, []kernel.CycleState{{Cycle: 0, Bits: 4, Messages: 3, Arrivals: 3}}},
		{"freeze before and retain: the trigger is in the active array alone",
			bitsBound(3, two, before, retain), []step{{a, sets(2)}, {e, recycles(2)}, {e, active}, {a, kernel.Observation{Frozen: true, NewBits: 2, Recycled: true}}},
			seen{2, 2, 1, 2}, []kernel.CycleState{{Cycle: 0, Bits: 4, Messages: 2, Arrivals: 2}, {Cycle: 1, Bits: 4, Messages: 2, Arrivals: 2}}},
		{"a recycle clears the frozen array, which becomes active, and freezes the active one",
			messagesBound(1, two), []step{{a, recycles(2)}, {c, recycles(2)}, {a, recycles(2)}, {c, recycles(2)}, {c, kernel.Observation{Frozen: true, NewBits: 2, Recycled: true}}},
			seen{0, 2, 0, 5}, []kernel.CycleState{{Cycle: 0, Bits: 2, Messages: 1, Arrivals: 1}, {Cycle: 1, Bits: 2, Messages: 1, Arrivals: 1}, {Cycle: 2, Bits: 2, Messages: 1, Arrivals: 1}, {Cycle: 3, Bits: 2, Messages: 1, Arrivals: 1}, {Cycle: 4, Bits: 2, Messages: 1, Arrivals: 1}}},
		{"copy-over: what the frozen array knows is recorded again and outlives it",
			messagesBound(2, two), []step{{a, sets(2)}, {c, recycles(2)}, {a, copied(2)}, {e, recycles(2)}, {a, copied(2)}},
			seen{2, 4, 1, 2}, []kernel.CycleState{{Cycle: 0, Bits: 4, Messages: 2, Arrivals: 2}, {Cycle: 1, Bits: 4, Messages: 2, Arrivals: 2}}},
		{"no copy-over: it is not, and goes with the array; what the active array knows stays there",
			messagesBound(2, two, noCopy), []step{{a, sets(2)}, {c, recycles(2)}, {a, frozen}, {e, sets(2)}, {e, active}, {fixedAt(6, 1), recycles(1)}, {a, sets(2)}},
			seen{2, 3, 1, 2}, []kernel.CycleState{{Cycle: 0, Bits: 4, Messages: 2, Arrivals: 2}, {Cycle: 1, Bits: 3, Messages: 2, Arrivals: 4}}},
		{"a repeat has all its positions in one array",
			messagesBound(2, two), []step{{a, sets(2)}, {b, recycles(1)}, {c, sets(2)}, {fixedAt(1, 4), recycles(1)}},
			seen{0, 3, 0, 2}, []kernel.CycleState{{Cycle: 0, Bits: 3, Messages: 2, Arrivals: 2}, {Cycle: 1, Bits: 3, Messages: 2, Arrivals: 2}}},
		{"fresh: the frozen array is asked for the positions of its own cycle",
			messagesBound(1, two, fresh), []step{{freshAt(1, 2, 8, 9), recycles(2)}, {freshAt(1, 2, 10, 11), kernel.Observation{Frozen: true, NewBits: 2, Recycled: true}}},
			seen{0, 2, 0, 2}, []kernel.CycleState{{Cycle: 0, Bits: 2, Messages: 1, Arrivals: 1}, {Cycle: 1, Bits: 2, Messages: 1, Arrivals: 1}}},
		{"fresh: and not for those of the present one",
			messagesBound(1, two, fresh), []step{{freshAt(1, 2, 8, 9), recycles(2)}, {freshAt(10, 11, 1, 2), recycles(2)}},
			seen{0, 2, 0, 2}, []kernel.CycleState{{Cycle: 0, Bits: 2, Messages: 1, Arrivals: 1}, {Cycle: 1, Bits: 2, Messages: 1, Arrivals: 1}}},
	}
}

// follows returns an error unless the filter that open makes keeps the clause.
func (c clause) follows(t *testing.T, open func(onRecycle func(kernel.CycleState)) (mutant.Recycler, func([]kernel.Hash) []kernel.Observation)) error {
	t.Helper()
	var ends []kernel.CycleState
	f, observe := open(func(e kernel.CycleState) {
		e.FrozenBits = 0 // the clauses say what they are afterwards
		ends = append(ends, e)
	})
	var hashes []kernel.Hash
	for _, s := range c.steps {
		hashes = append(hashes, s.message.hash(t, c.rule.FreshPositions))
	}
	for i, got := range observe(hashes) {
		if want := c.steps[i].want; got != want {
			return fmt.Errorf("%s: arrival %d, %v: %+v, want %+v", c.text, i, c.steps[i].message, got, want)
		}
	}
	if got := seenOf(f.State()); got != c.after {
		return fmt.Errorf("%s: afterwards %+v, want %+v", c.text, got, c.after)
	}
	if !slices.Equal(ends, c.ends) {
		return fmt.Errorf("%s: recycles %+v, want %+v", c.text, ends, c.ends)
	}
	return nil
}

// single observes hashes one by one.
func single(f mutant.Recycler) func([]kernel.Hash) []kernel.Observation {
	return func(hashes []kernel.Hash) (found []kernel.Observation) {
		for _, h := range hashes {
			found = append(found, f.ObserveHash(h))
		}
		return found
	}
}

// The real filter follows every clause, in its single and its batch form, and so does the
// concurrent one.
func TestRecyclingSemantics(t *testing.T) {
	for _, c := range clauses() {
		for name, form := range map[string]func(*kernel.RecyclingFilter) func([]kernel.Hash) []kernel.Observation{
			"single": func(f *kernel.RecyclingFilter) func([]kernel.Hash) []kernel.Observation { return single(f) },
			"batch": func(f *kernel.RecyclingFilter) func([]kernel.Hash) []kernel.Observation {
				return func(h []kernel.Hash) []kernel.Observation { return f.ObserveBatch(nil, kernel.KeysOf(h)) }
			},
		} {
			err := c.follows(t, func(onRecycle func(kernel.CycleState)) (mutant.Recycler, func([]kernel.Hash) []kernel.Observation) {
				f, err := kernel.NewRecycling(tiny, c.rule, kernel.Options{})
				if err != nil {
					t.Fatal(err)
				}
				f.OnRecycle = onRecycle
				return f, form(f)
			})
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		err := c.follows(t, func(onRecycle func(kernel.CycleState)) (mutant.Recycler, func([]kernel.Hash) []kernel.Observation) {
			f, err := kernel.NewRecycling(tiny, c.rule, kernel.Options{})
			if err != nil {
				t.Fatal(err)
			}
			f.OnRecycle = onRecycle
			shared := f.Concurrent()
			return shared, single(shared)
		})
		if err != nil {
			t.Errorf("concurrent: %v", err)
		}
	}
}

// A clause that no wrong filter breaks would pin nothing: the plain filter keeps all, each
// fault breaks one at least, and each clause is broken by some fault.
func TestRecyclingMutantsBreakClauses(t *testing.T) {
	broken := map[string]bool{}
	for _, fault := range append(mutant.Faults(), mutant.Faultless) {
		var errs []error
		for _, c := range clauses() {
			err := c.follows(t, func(onRecycle func(kernel.CycleState)) (mutant.Recycler, func([]kernel.Hash) []kernel.Observation) {
				f, err := mutant.NewRecycling(tiny, c.rule, fault, onRecycle)
				if err != nil {
					t.Fatal(err)
				}
				return f, single(f)
			})
			if err != nil {
				errs = append(errs, err)
				broken[c.text] = true
			}
		}
		if (len(errs) > 0) != (fault != mutant.Faultless) {
			t.Errorf("%q breaks %d clauses: %v", fault, len(errs), errs)
		}
		if len(errs) > 0 {
			t.Logf("%q breaks %d clauses, first %v", fault, len(errs), errs[0])
		}
	}
	for _, c := range clauses() {
		if !broken[c.text] {
			t.Errorf("no fault breaks %q", c.text)
		}
	}
}

// The state machine's model tells every fault too, by random arrivals under the rules for
// which it matters; the plain filter agrees with it under all of them.
func TestRecyclingMutantsAreToldFromModel(t *testing.T) {
	g := bloomproof.Geometry{M: 24, K: 2}
	for _, fault := range append(mutant.Faults(), mutant.Faultless) {
		told := 0
		arrivals := longtest.More(60, 150)
		for i, r := range model.Rules(9, 4) {
			var ends []kernel.CycleState
			f, err := mutant.NewRecycling(g, r, fault, func(e kernel.CycleState) { ends = append(ends, e) })
			if err != nil {
				t.Fatal(err)
			}
			m := model.NewRecycling(g, r)
			rng := rand.New(rand.NewPCG(1, uint64(i)))
			for range arrivals {
				h := kernel.Hash{H0: uint64(rng.IntN(40)), H1: 77}
				ends = nil
				got := f.ObserveHash(h)
				want, end := m.Observe(h)
				var wantEnds []kernel.CycleState
				if end != nil {
					wantEnds = append(wantEnds, *end)
				}
				same := got == want && slices.Equal(ends, wantEnds) &&
					f.State() == m.State()
				if !same {
					told++
					break
				}
			}
		}
		if (told > 0) != (fault != mutant.Faultless) {
			t.Errorf("%q is told from the model under %d of 40 rules", fault, told)
		}
		t.Logf("%q: told under %d of 40 rules", fault, told)
	}
}
