package recycling

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/outcomes"
)

// bruteState is a recycling filter over real bit sets.
type bruteState struct {
	active, frozen uint32
	messages       uint64 // that set a bit in this cycle
}

// bruteCycle is the truth about a recycling filter under all-new traffic. An arrival is
// classified against both arrays as they are before it is recorded, the trigger too, which
// belongs to the cycle that it ends.
type bruteCycle struct {
	absorbing bool             // a state that calls every arrival a repeat for ever will be reached
	mixed     bool             // or may be: chance decides
	rate      *big.Rat         // long-run fraction of arrivals called repeats; 1 if absorbing
	capacity  *big.Rat         // arrivals a cycle; nil if absorbing
	seen      map[int]*big.Rat // fraction of arrivals that see so many bits in the active array
	frozen    map[int]*big.Rat // fraction of cycles with so many bits in the frozen array
}

// outcome is what one arrival may hash to: its positions as the active and as the frozen
// array see them, and how many of all equally likely hashings give them.
type outcome struct {
	active, frozen uint32
	count          int64
}

// brute walks through all hash outcomes of all arrivals of a cycle, from each state in
// which a cycle can start, and solves the chain of these starts. Starts that differ by the
// names of the positions only are taken together: hashing does not know names.
type brute struct {
	g        bloomproof.Geometry
	r        bloomproof.Recycling
	outcomes []outcome
	all      int64
	masks    map[uint32]int64 // the outcomes of one array
}

func newBrute(g bloomproof.Geometry, r bloomproof.Recycling) *brute {
	b := &brute{g: g, r: r, masks: map[uint32]int64{}}
	for _, mask := range outcomes.Masks(g) {
		b.masks[mask]++
	}
	for a, n := range b.masks {
		if !r.FreshPositions || !r.TwoPhase {
			b.outcomes = append(b.outcomes, outcome{a, a, n})
			continue
		}
		for f, l := range b.masks {
			b.outcomes = append(b.outcomes, outcome{a, f, n * l})
		}
	}
	for _, o := range b.outcomes {
		b.all += o.count
	}
	return b
}

// observe is one arrival: whether it is called a repeat, the state after it was recorded,
// and whether the filter recycles.
func (b *brute) observe(s bruteState, o outcome) (repeat bool, next bruteState, recycle bool) {
	inActive := o.active&^s.active == 0
	inFrozen := b.r.TwoPhase && o.frozen&^s.frozen == 0
	next = s
	if inActive || inFrozen && b.r.NoCopyOver {
		return true, next, false
	}
	next.active |= o.active
	next.messages++
	if b.r.Messages > 0 {
		recycle = next.messages == b.r.Messages
	} else {
		recycle = uint64(popcount(next.active)) > b.r.Sigma
	}
	return inFrozen, next, recycle
}

// recycled returns the states after the recycle that o triggered in s, with their weights.
func (b *brute) recycled(s bruteState, o outcome) map[bruteState]int64 {
	var next bruteState
	if b.r.TwoPhase {
		next.frozen = s.active
		if !b.r.FreezeBefore {
			next.frozen |= o.active
		}
	}
	if !b.r.Retain {
		return map[bruteState]int64{next: 1}
	}
	next.messages = 1
	positions := b.masks
	if !b.r.FreshPositions {
		positions = map[uint32]int64{o.active: 1}
	}
	states := map[bruteState]int64{}
	for mask, n := range positions {
		next.active = mask
		states[next] += n
	}
	return states
}

// renamed returns the start of a cycle that is s but for the names of the positions.
func (b *brute) renamed(s bruteState) bruteState {
	both, f := popcount(s.active&s.frozen), popcount(s.frozen)
	s.active = 1<<both - 1 | (1<<(popcount(s.active)-both)-1)<<f
	s.frozen = 1<<f - 1
	return s
}

func popcount(x uint32) int {
	n := 0
	for ; x != 0; x &= x - 1 {
		n++
	}
	return n
}

// walk follows a cycle from its start: expected arrivals by set bits, expected repeats,
// and where the next cycle starts. It reports false where the cycle may never end.
func (b *brute) walk(start bruteState) (seen map[int]*big.Rat, repeats *big.Rat, ends map[bruteState]*big.Rat, ok bool) {
	seen, repeats, ends, ok = map[int]*big.Rat{}, new(big.Rat), map[bruteState]*big.Rat{}, true
	inflow := map[bruteState]*big.Rat{start: big.NewRat(1, 1)}
	for len(inflow) > 0 {
		var s bruteState // the least set of bits: none that is left leads to it
		first := true
		for t := range inflow {
			if first || t.active < s.active {
				s, first = t, false
			}
		}
		in := inflow[s]
		delete(inflow, s)
		var stay, called int64
		onward, recycles := map[bruteState]int64{}, map[bruteState]*big.Rat{}
		for _, o := range b.outcomes {
			repeat, next, recycle := b.observe(s, o)
			if repeat {
				called += o.count
			}
			switch {
			case recycle:
				states := b.recycled(s, o)
				total := int64(0)
				for _, n := range states {
					total += n
				}
				for t, n := range states {
					add(recycles, b.renamed(t), new(big.Rat).SetFrac64(o.count*n, total))
				}
			case next == s:
				stay += o.count
			default:
				onward[next] += o.count
			}
		}
		if stay == b.all {
			ok = false
			continue
		}
		// visits times all: each visit is an arrival
		visits := new(big.Rat).Mul(in, new(big.Rat).SetFrac64(1, b.all-stay))
		for t, n := range onward {
			add(inflow, t, new(big.Rat).Mul(visits, new(big.Rat).SetInt64(n)))
		}
		for t, n := range recycles {
			add(ends, t, n.Mul(n, visits))
		}
		repeats.Add(repeats, new(big.Rat).Mul(visits, new(big.Rat).SetInt64(called)))
		add(seen, popcount(s.active), visits.Mul(visits, new(big.Rat).SetInt64(b.all)))
	}
	return seen, repeats, ends, ok
}

// solve returns the truth.
func (b *brute) solve() (bruteCycle, error) {
	starts := []bruteState{{}}
	index := map[bruteState]int{{}: 0}
	type row struct {
		seen    map[int]*big.Rat
		repeats *big.Rat
		ends    map[bruteState]*big.Rat
	}
	var rows []row
	var stuck []bool // the cycle may never end, or a cycle to which it leads
	for i := 0; i < len(starts); i++ {
		seen, repeats, ends, ok := b.walk(starts[i])
		stuck = append(stuck, !ok)
		for s := range ends {
			if _, met := index[s]; !met {
				index[s] = len(starts)
				starts = append(starts, s)
			}
		}
		rows = append(rows, row{seen, repeats, ends})
	}
	if slices.Contains(stuck, true) {
		for range starts {
			for i := range starts {
				for s := range rows[i].ends {
					stuck[i] = stuck[i] || stuck[index[s]]
				}
			}
		}
		return bruteCycle{absorbing: !slices.Contains(stuck, false), mixed: slices.Contains(stuck, false), rate: big.NewRat(1, 1)}, nil
	}
	chain := make([][]*big.Rat, len(starts))
	for i := range chain {
		chain[i] = slices.Repeat([]*big.Rat{new(big.Rat)}, len(starts))
		for s, p := range rows[i].ends {
			chain[i][index[s]] = p
		}
	}
	law, err := bruteStationary(chain)
	if err != nil {
		return bruteCycle{}, err
	}
	c := bruteCycle{capacity: new(big.Rat), seen: map[int]*big.Rat{}, frozen: map[int]*big.Rat{}}
	repeats := new(big.Rat)
	for i, p := range law {
		add(c.frozen, popcount(starts[i].frozen), p)
		repeats.Add(repeats, new(big.Rat).Mul(p, rows[i].repeats))
		for bits, n := range rows[i].seen {
			n := new(big.Rat).Mul(p, n)
			add(c.seen, bits, n)
			c.capacity.Add(c.capacity, n)
		}
	}
	c.rate = repeats.Quo(repeats, c.capacity)
	for _, n := range c.seen {
		n.Quo(n, c.capacity)
	}
	return c, nil
}

// bruteStationary solves p = p chain, sum p = 1, by elimination.
func bruteStationary(chain [][]*big.Rat) ([]*big.Rat, error) {
	n := len(chain)
	// Row i of a: sum over j of p_j chain[j][i] - p_i = 0; the last one is the sum.
	a := make([][]*big.Rat, n)
	for i := range a {
		a[i] = make([]*big.Rat, n+1)
		for j := range n {
			a[i][j] = new(big.Rat).Set(chain[j][i])
			if i == j {
				a[i][j].Sub(a[i][j], big.NewRat(1, 1))
			}
			if i == n-1 {
				a[i][j].SetInt64(1)
			}
		}
		a[i][n] = new(big.Rat)
	}
	a[n-1][n].SetInt64(1)
	t := new(big.Rat)
	for c := range n {
		p := slices.IndexFunc(a[c:], func(row []*big.Rat) bool { return row[c].Sign() != 0 })
		if p < 0 {
			return nil, fmt.Errorf("the starts have several recurrent classes")
		}
		a[c], a[c+p] = a[c+p], a[c]
		for i := range n {
			if i == c || a[i][c].Sign() == 0 {
				continue
			}
			q := new(big.Rat).Quo(a[i][c], a[c][c])
			for j := c; j <= n; j++ {
				if a[c][j].Sign() != 0 {
					a[i][j].Sub(a[i][j], t.Mul(q, a[c][j]))
				}
			}
		}
	}
	law := make([]*big.Rat, n)
	for i := range law {
		law[i] = new(big.Rat).Quo(a[i][n], a[i][i])
	}
	return law, nil
}

// bruteRules returns every rule that a filter of shape g can have, with at most the given
// messages a cycle: all combinations of bound, retaining, phases, freeze, copy-over and
// positions.
func bruteRules(g bloomproof.Geometry, messages uint64) []bloomproof.Recycling {
	var rules []bloomproof.Recycling
	for bound := range g.M + messages {
		for i := range 32 {
			bit := func(n int) uint8 { return uint8(i >> n & 1) }
			r := bloomproof.Recycling{
				Sigma:          bound,
				Retain:         bit(0) == 1,
				FreshPositions: bit(1) == 1,
				TwoPhase:       bit(2) == 1,
				FreezeBefore:   bit(3) == 1,
				NoCopyOver:     bit(4) == 1,
			}
			if bound >= g.M {
				r.Sigma, r.Messages = 0, bound-g.M+1
			}
			if r.Validate(g) == nil {
				rules = append(rules, r)
			}
		}
	}
	return rules
}

// TestBruteCycle compares the enumeration with cycles that were counted by hand.
func TestBruteCycle(t *testing.T) {
	two := bloomproof.Recycling{TwoPhase: true}
	with := func(r bloomproof.Recycling, f func(*bloomproof.Recycling)) bloomproof.Recycling {
		f(&r)
		return r
	}
	for _, c := range []struct {
		m, k      uint64
		h         bloomproof.Hashing
		r         bloomproof.Recycling
		rate, cap string // "" for the capacity of an absorbing filter
	}{
		// One bit, none of which may stay: each arrival finds it clear and recycles.
		{1, 1, bloomproof.Standard, bloomproof.Recycling{}, "0", "1"},
		// The frozen array keeps it: each arrival is a repeat, and still ends a cycle.
		{1, 1, bloomproof.Standard, two, "1", "1"},
		{1, 1, bloomproof.Standard, with(two, func(r *bloomproof.Recycling) { r.FreezeBefore = true }), "0", "1"},
		// ... unless it is not copied over: then it ends none.
		{1, 1, bloomproof.Standard, with(two, func(r *bloomproof.Recycling) { r.NoCopyOver = true }), "1", ""},
		// Two bits, at most one: 1 arrival, then one repeat (1/2 + 1/4 + ... = 1 on average)
		// and the trigger.
		{2, 1, bloomproof.Standard, bloomproof.Recycling{Sigma: 1}, "1/3", "3"},
		// The one retained leaves out the first of them.
		{2, 1, bloomproof.Standard, bloomproof.Recycling{Sigma: 1, Retain: true}, "1/2", "2"},
		// Half of the messages set both bits at once. The others leave one, which 1/4 of
		// the messages do not pass: 1 + 1/2 4/3 arrivals, 1/2 4/3 1/4 repeats.
		{2, 2, bloomproof.Standard, bloomproof.Recycling{Sigma: 1}, "1/10", "5/3"},
		{2, 2, bloomproof.Classic, bloomproof.Recycling{Sigma: 1}, "0", "1"},
		// Three messages that set a bit fit two bits never.
		{2, 1, bloomproof.Standard, bloomproof.Recycling{Messages: 3}, "1", ""},
		{2, 1, bloomproof.Standard, bloomproof.Recycling{Messages: 2}, "1/3", "3"},
	} {
		g := bloomproof.Geometry{M: c.m, K: int(c.k), Hashing: c.h}
		if err := c.r.Validate(g); err != nil {
			t.Fatal(err)
		}
		got, err := newBrute(g, c.r).solve()
		if err != nil {
			t.Fatalf("%v %v: %v", g, c.r, err)
		}
		text := ""
		if !got.absorbing {
			text = got.capacity.RatString()
		}
		if got.rate.RatString() != c.rate || text != c.cap {
			t.Errorf("%v %v: rate %v, capacity %q; by hand %v, %q", g, c.r, got.rate.RatString(), text, c.rate, c.cap)
		}
	}
}
