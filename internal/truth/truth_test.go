package truth

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/model"
)

// sets is the ground truth by brute force: the messages that each array records.
type sets struct {
	rule            bloomproof.Recycling
	seen            map[int]bool
	active, frozen  map[int]bool
	recycles        uint64
	copied, dropped int // how often the rules of copy-over and freeze mattered
}

func newSets(rule bloomproof.Recycling) *sets {
	return &sets{rule: rule, seen: map[int]bool{}, active: map[int]bool{}, frozen: map[int]bool{}}
}

func (s *sets) recorded(key int) bool { return s.active[key] || s.frozen[key] }

func (s *sets) class(key int) Class {
	switch {
	case s.recorded(key):
		return Recorded
	case s.seen[key]:
		return Forgotten
	}
	return New
}

func (s *sets) observe(key int, o kernel.Observation) {
	s.seen[key] = true
	if o.Active || !o.Frozen {
		s.active[key] = true
	} else if s.copied++; !s.rule.NoCopyOver {
		s.active[key] = true
	}
	if !o.Recycled {
		return
	}
	s.recycles++
	if s.rule.FreezeBefore {
		s.dropped++
		delete(s.active, key)
	}
	s.frozen = map[int]bool{}
	if s.rule.TwoPhase {
		s.frozen = s.active
	}
	s.active = map[int]bool{}
	if s.rule.Retain {
		s.active[key] = true
	}
}

// The classes of Truth are those of the sets that each array records, the filter never
// misses what they record, and the counts add up, for every rule and hashing.
func TestTruthAgainstSets(t *testing.T) {
	arrivals := 6000
	if !longtest.Enabled() {
		arrivals = 1500
	}
	const keys = 60
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic, bloomproof.Partitioned} {
		g := bloomproof.Geometry{M: 48, K: 3, Hashing: h}
		all := model.Rules(g.M/2, 10)
		if len(all) != 40 { // 2 rules x 2 retain x 2 positions, x (1 + 4 with two phases)
			t.Fatalf("%d valid rules, want 40", len(all))
		}
		for i, rule := range all {
			t.Run(fmt.Sprintf("%v/%v", h, rule), func(t *testing.T) {
				f, err := kernel.NewRecycling(g, rule, kernel.Options{Seed: uint64(i)})
				if err != nil {
					t.Fatal(err)
				}
				hashes := make([]kernel.Hash, keys)
				for k := range hashes {
					hashes[k] = f.Hasher().Bytes([]byte(fmt.Sprint(k)))
				}
				truth, sets := Of(rule), newSets(rule)
				var counts, want Counts
				var classes [3]int
				rng := rand.New(rand.NewPCG(1, uint64(i)))
				for at := range arrivals {
					key := rng.IntN(keys)
					if at%5 == 0 { // an ever larger choice, so that new messages keep coming
						key = keys + int(rng.Uint32()%uint32(1+at/4))
					}
					wantClass := sets.class(key)
					o := f.Observe([]byte(fmt.Sprint(key)))
					class := truth.Observe(uint64(key), o)
					sets.observe(key, o)
					if class != wantClass {
						t.Fatalf("arrival %d of %d: %v, want %v (%+v)", at, key, class, wantClass, o)
					}
					if class == Recorded && !o.Repeat() {
						t.Fatalf("arrival %d: recorded message %d called new (%+v)", at, key, o)
					}
					for k, h := range hashes {
						if sets.recorded(k) && !f.ContainsHash(h) {
							t.Fatalf("after arrival %d of %d (%+v): the filter misses recorded message %d", at, key, o, k)
						}
					}
					classes[class]++
					counts.Add(class, o)
					count(&want, wantClass, o)
				}
				if counts != want {
					t.Errorf("counts %+v, want %+v", counts, want)
				}
				n := counts
				if sum := n.TruePositives + n.FalsePositives + n.TrueNegatives + n.FalseNegatives + n.InCycle; sum != n.Arrivals || n.Arrivals != uint64(arrivals) {
					t.Errorf("counts add up to %d of %d arrivals", sum, arrivals)
				}
				if n.New() != uint64(classes[New]) || n.CycleNew() != uint64(classes[New]+classes[Forgotten]) {
					t.Errorf("new %d, cycle-new %d, want %v", n.New(), n.CycleNew(), classes)
				}
				if truth.Distinct() != uint64(len(sets.seen)) || n.New() != truth.Distinct() {
					t.Errorf("distinct %d, new %d, want %d", truth.Distinct(), n.New(), len(sets.seen))
				}
				if (truth.clock.now-firstCycle) != f.State().Cycle || sets.recycles != f.State().Cycle || n.Recycles != f.State().Cycle {
					t.Errorf("cycles %d, %d, %d, filter %d", (truth.clock.now - firstCycle), sets.recycles, n.Recycles, f.State().Cycle)
				}
				// The stream must have met every case, or the test says nothing.
				if classes[New] == 0 || classes[Forgotten] == 0 || classes[Recorded] == 0 || n.Lucky == 0 || n.FalsePositives == 0 || n.FalseNegatives == 0 {
					t.Errorf("a case never occurred: %v, %+v", classes, n)
				}
				if rule.TwoPhase && sets.copied == 0 || rule.FreezeBefore && sets.dropped == 0 {
					t.Error("no message matched the frozen array, or no trigger was dropped")
				}
			})
		}
	}
}

// count is Counts.Add written as the definitions of its fields.
func count(n *Counts, c Class, o kernel.Observation) {
	add := func(field *uint64, when bool) {
		if when {
			*field++
		}
	}
	repeat := o.Active || o.Frozen
	add(&n.Arrivals, true)
	add(&n.Recycles, o.Recycled)
	add(&n.TruePositives, c != New && repeat)
	add(&n.FalsePositives, c == New && repeat)
	add(&n.TrueNegatives, c == New && !repeat)
	add(&n.FalseNegatives, c == Forgotten && !repeat)
	add(&n.InCycle, c == Recorded && !repeat)
	add(&n.Lucky, c == Forgotten && repeat)
}

func TestCountsRejectNoClass(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Counts.Add took a value that is no Class")
		}
	}()
	new(Counts).Add(Class(3), kernel.Observation{})
}

func TestClassString(t *testing.T) {
	for c, want := range map[Class]string{New: "new", Forgotten: "forgotten", Recorded: "recorded", 9: "Class(9)"} {
		if got := c.String(); got != want {
			t.Errorf("Class(%d) = %q, want %q", uint8(c), got, want)
		}
	}
}
