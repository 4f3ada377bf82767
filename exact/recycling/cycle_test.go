package recycling

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/outcomes"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// bitSets is a one-phase filter whose state is the set of its bits, every hash outcome
// enumerated: the distribution of the set that an arrival finds, by linear equations.
type bitSets struct {
	g     bloomproof.Geometry
	r     bloomproof.Recycling
	masks []uint32
	pi    []*big.Rat // of each set
}

// next returns what an arrival makes of set, and what was in the array when it recycled.
func (s bitSets) next(set, mask uint32) (next, full uint32) {
	if full = set | mask; uint64(bits.OnesCount32(full)) <= s.r.Sigma {
		return full, 0
	}
	if s.r.Retain {
		return mask, full
	}
	return 0, full
}

func newBitSets(g bloomproof.Geometry, r bloomproof.Recycling) bitSets {
	s := bitSets{g: g, r: r, masks: outcomes.Masks(g)}
	p := new(big.Rat).SetFrac64(1, int64(len(s.masks)))
	// pi P - pi = 0 for all sets but the last that occurs, and the sum of pi is 1.
	index := map[uint32]int{}
	var sets []uint32
	see := func(set uint32) {
		if _, ok := index[set]; !ok {
			index[set] = len(sets)
			sets = append(sets, set)
		}
	}
	start := uint32(0)
	if r.Retain {
		start = s.masks[0]
	}
	see(start)
	for i := 0; i < len(sets); i++ {
		for _, mask := range s.masks {
			next, _ := s.next(sets[i], mask)
			see(next)
		}
	}
	n := len(sets)
	rows := make([][]*big.Rat, n)
	for i := range rows {
		rows[i] = make([]*big.Rat, n+1)
		for j := range rows[i] {
			rows[i][j] = new(big.Rat)
		}
		rows[i][i].SetInt64(-1)
	}
	for i, set := range sets {
		for _, mask := range s.masks {
			next, _ := s.next(set, mask)
			x := rows[index[next]][i]
			x.Add(x, p)
		}
	}
	for j := range n + 1 {
		rows[n-1][j].SetInt64(1)
	}
	s.pi = make([]*big.Rat, 1<<g.M)
	for set := range s.pi {
		s.pi[set] = new(big.Rat)
	}
	for i, x := range solveRational(rows) {
		s.pi[sets[i]] = x
	}
	return s
}

// solveRational solves the equations whose rows end with the right side.
func solveRational(rows [][]*big.Rat) []*big.Rat {
	t := new(big.Rat)
	for i := range rows {
		for rows[i][i].Sign() == 0 {
			for j := i + 1; j < len(rows); j++ {
				if rows[j][i].Sign() != 0 {
					rows[i], rows[j] = rows[j], rows[i]
					break
				}
			}
		}
		pivot := new(big.Rat).Set(rows[i][i])
		for j := range rows[i] {
			rows[i][j].Quo(rows[i][j], pivot)
		}
		for l := range rows {
			if l == i || rows[l][i].Sign() == 0 {
				continue
			}
			factor := new(big.Rat).Set(rows[l][i])
			for j := i; j < len(rows[i]); j++ {
				rows[l][j].Sub(rows[l][j], t.Mul(factor, rows[i][j]))
			}
		}
	}
	x := make([]*big.Rat, len(rows))
	for i := range rows {
		x[i] = rows[i][len(rows)]
	}
	return x
}

// mean returns the long-term average over arrivals of f(set found, its own positions).
func (s bitSets) mean(f func(set, mask uint32) bool) *big.Rat {
	sum, t := new(big.Rat), new(big.Rat)
	for set, p := range s.pi {
		hits := int64(0)
		for _, mask := range s.masks {
			if f(uint32(set), mask) {
				hits++
			}
		}
		sum.Add(sum, t.Mul(p, t.SetFrac64(hits, int64(len(s.masks)))))
	}
	return sum
}

// messages returns the expected number of arrivals from a set to the end of the cycle.
func (s bitSets) messages(set uint32, known map[uint32]*big.Rat) *big.Rat {
	if x, ok := known[set]; ok {
		return x
	}
	sum, stay := big.NewRat(1, 1), int64(0)
	p := new(big.Rat).SetFrac64(1, int64(len(s.masks)))
	for _, mask := range s.masks {
		switch next, full := s.next(set, mask); {
		case full != 0:
		case next == set:
			stay++
		default:
			sum.Add(sum, new(big.Rat).Mul(p, s.messages(next, known)))
		}
	}
	leave := new(big.Rat).SetFrac64(int64(len(s.masks))-stay, int64(len(s.masks)))
	known[set] = sum.Quo(sum, leave)
	return known[set]
}

// eachCycle calls f for the one-phase bit-bounded filters of every hashing that has them,
// every sigma, retaining and not.
func eachCycle(most int, f func(g bloomproof.Geometry, r bloomproof.Recycling)) {
	outcomes.EachShape(most, func(g bloomproof.Geometry) {
		for sigma := range g.M {
			for _, retain := range []bool{false, true} {
				r := bloomproof.Recycling{Sigma: sigma, Retain: retain}
				if g.Hashing != bloomproof.Partitioned && r.Validate(g) == nil {
					f(g, r)
				}
			}
		}
	})
}

// TestCycleBruteForce compares every number of a cycle with the chain over bit sets, and
// the chain hash by hash with both.
func TestCycleBruteForce(t *testing.T) {
	most := 4
	if testing.Short() {
		most = 3
	}
	checked := 0
	eachCycle(most, func(g bloomproof.Geometry, r bloomproof.Recycling) {
		if g.M == 4 && g.K > longtest.More(3, 5) {
			return
		}
		s := newBitSets(g, r)
		cycle, err := New(g, r)
		if err != nil {
			t.Fatal(err)
		}
		full := func(set, mask uint32) (b int, ends bool) {
			_, full := s.next(set, mask)
			return bits.OnesCount32(full), full != 0
		}
		ends := s.mean(func(set, mask uint32) bool { _, ends := full(set, mask); return ends })
		check := func(name string, want *big.Rat, f func(c *Cycle) (exact.Enclosure, error)) {
			checked++
			got, err := f(cycle)
			if x, ok := got.Rat(); err != nil || !ok || x.Cmp(want) != 0 {
				t.Errorf("%v, %v: %s = %v, %v; the bit sets give %v", g, r, name, x, err, want)
			}
			for _, route := range cycle.Routes() {
				c, err := cycle.Via(route)
				if err != nil {
					t.Fatal(err)
				}
				if got, err = f(c); err != nil || !got.Contains(want) || got.RelBits() < 70 {
					t.Errorf("%v, %v: %s by %v = %v with %d bits, %v; the bit sets give %v", g, r, name, route, got, got.RelBits(), err, want)
				}
			}
		}
		check("FPR", s.mean(func(set, mask uint32) bool { return mask&^set == 0 }),
			func(c *Cycle) (exact.Enclosure, error) { return c.FPR(70) })
		check("Capacity", new(big.Rat).Inv(ends),
			func(c *Cycle) (exact.Enclosure, error) { return c.Capacity(70) })
		known := map[uint32]*big.Rat{}
		for b := range g.M + 1 {
			check(fmt.Sprintf("State(%d)", b), s.mean(func(set, _ uint32) bool { return bits.OnesCount32(set) == int(b) }),
				func(c *Cycle) (exact.Enclosure, error) { return c.State(b, 70) })
			from := new(big.Rat)
			if b <= r.Sigma {
				from = s.messages(1<<b-1, known)
			}
			check(fmt.Sprintf("MessagesFrom(%d)", b), from,
				func(c *Cycle) (exact.Enclosure, error) { return c.MessagesFrom(b, 70) })
			before := s.mean(func(set, mask uint32) bool {
				_, ends := full(set, mask)
				return ends && bits.OnesCount32(set) == int(b)
			})
			check(fmt.Sprintf("Frozen(%d, before)", b), before.Quo(before, ends),
				func(c *Cycle) (exact.Enclosure, error) { return c.Frozen(b, true, 70) })
			after := s.mean(func(set, mask uint32) bool { x, ends := full(set, mask); return ends && x == int(b) })
			check(fmt.Sprintf("Frozen(%d, after)", b), after.Quo(after, ends),
				func(c *Cycle) (exact.Enclosure, error) { return c.Frozen(b, false, 70) })
		}
	})
	if checked == 0 {
		t.Error("nothing was compared")
	}
}

// TestTransition compares tau with all hash outcomes and its two routes with each other.
func TestTransition(t *testing.T) {
	outcomes.EachShape(4, func(g bloomproof.Geometry) {
		if g.Hashing == bloomproof.Partitioned || g.M == 4 && g.K > longtest.More(3, 5) {
			return
		}
		masks := outcomes.Masks(g)
		for i := range g.M + 1 {
			for j := range g.M + 2 {
				hits := int64(0)
				for _, mask := range masks {
					if set := uint32(1<<i - 1); uint64(bits.OnesCount32(set|mask)) == j {
						hits++
					}
				}
				want := new(big.Rat).SetFrac64(hits, int64(len(masks)))
				for _, route := range []exact.Route{exact.Auto, exact.Recursive, exact.ClosedForm} {
					e, err := Transition(g, i, j, 70, route)
					if got, ok := e.Rat(); err != nil || !ok || got.Cmp(want) != 0 {
						t.Errorf("Transition(%v, %d, %d, %v) = %v, %v; all outcomes give %v", g, i, j, route, e, err, want)
					}
				}
			}
		}
	})
	cases := []struct {
		g    bloomproof.Geometry
		i, j uint64
	}{
		{bloomproof.Geometry{M: 1<<64 - 1, K: 100}, 1<<64 - 9, 1<<64 - 2},
		{bloomproof.Geometry{M: 1<<64 - 1, K: 100, Hashing: bloomproof.Classic}, 3, 101},
		{bloomproof.Geometry{M: 1 << 40, K: 200}, 1 << 39, 1<<39 + 100},
		{bloomproof.Geometry{M: 1 << 20, K: 300, Hashing: bloomproof.Classic}, 1 << 19, 1<<19 + 140},
		{bloomproof.Geometry{M: 100, K: 1000}, 3, 97},
	}
	for _, c := range cases[:longtest.More(2, len(cases))] {
		a, err := Transition(c.g, c.i, c.j, 400, exact.Recursive)
		b, err2 := Transition(c.g, c.i, c.j, 300, exact.ClosedForm)
		if err != nil || err2 != nil || !a.Overlaps(b) || a.RelBits() < 400 || b.RelBits() < 300 {
			t.Errorf("Transition(%v, %d, %d) = %v, %v by positions, %v, %v by the closed form", c.g, c.i, c.j, a, err, b, err2)
		}
	}
	var param *bloomproof.ParamError
	for _, g := range []bloomproof.Geometry{{}, {M: 9, K: 3, Hashing: bloomproof.Partitioned}} {
		if _, err := Transition(g, 0, 1, 70, exact.Auto); !errors.As(err, &param) {
			t.Errorf("Transition of %v: %v", g, err)
		}
	}
	if _, err := Transition(bloomproof.Geometry{M: 1 << 40, K: 4096}, 0, 4096, exact.MaxPrec, exact.Auto); !errors.Is(err, bloomproof.ErrTooCostly) {
		t.Errorf("a transition of 4096 positions at 2^20 bits: %v", err)
	}
}

func TestCycleErrors(t *testing.T) {
	var param *bloomproof.ParamError
	for _, c := range []struct {
		g bloomproof.Geometry
		r bloomproof.Recycling
	}{
		{bloomproof.Geometry{M: 10}, bloomproof.Recycling{Sigma: 5}},
		{bloomproof.Geometry{M: 10, K: 2}, bloomproof.Recycling{Sigma: 10}},
		{bloomproof.Geometry{M: 10, K: 2}, bloomproof.Recycling{Sigma: 1, Retain: true}},
		{bloomproof.Geometry{M: 10, K: 2, Hashing: bloomproof.Partitioned}, bloomproof.Recycling{Sigma: 5}},
	} {
		if _, err := New(c.g, c.r); !errors.As(err, &param) {
			t.Errorf("New(%v, %v): %v", c.g, c.r, err)
		}
	}
	c, err := New(bloomproof.Geometry{M: 10, K: 2}, bloomproof.Recycling{Sigma: 5})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Via("grandi"); !errors.As(err, &param) {
		t.Errorf("a route that there is not: %v", err)
	}
	for name, f := range map[string]func(prec uint) (exact.Enclosure, error){
		"FPR": c.FPR, "Capacity": c.Capacity,
		"State":        func(prec uint) (exact.Enclosure, error) { return c.State(9, prec) },
		"MessagesFrom": func(prec uint) (exact.Enclosure, error) { return c.MessagesFrom(9, prec) },
		"Frozen":       func(prec uint) (exact.Enclosure, error) { return c.Frozen(9, false, prec) },
	} {
		for _, prec := range []uint{0, exact.MaxPrec + 1} {
			if _, err := f(prec); !errors.As(err, &param) {
				t.Errorf("%s at %d bits: %v", name, prec, err)
			}
		}
	}
	for _, huge := range []struct {
		g      bloomproof.Geometry
		sigma  uint64
		retain bool
		route  exact.Route
		prec   uint
	}{
		{bloomproof.Geometry{M: 1<<64 - 1, K: 7, Hashing: bloomproof.Classic}, 1 << 63, false, exact.Recursive, 53},
		{bloomproof.Geometry{M: 1 << 40, K: 4096, Hashing: bloomproof.Classic}, 5000, false, exact.Auto, exact.MaxPrec},
		{bloomproof.Geometry{M: 1<<64 - 1, K: 4096}, 1<<64 - 2, true, exact.Auto, 53},
		{bloomproof.Geometry{M: 1 << 14, K: 4096}, 5000, true, exact.Auto, 53},
		{bloomproof.Geometry{M: 1 << 40, K: 7}, 1 << 39, true, exact.ClosedForm, exact.MaxPrec},
	} {
		c, err := New(huge.g, bloomproof.Recycling{Sigma: huge.sigma, Retain: huge.retain})
		if err != nil {
			t.Fatal(err)
		}
		if c, err = c.Via(huge.route); err != nil {
			t.Fatal(err)
		}
		if _, err := c.FPR(huge.prec); !errors.Is(err, bloomproof.ErrTooCostly) {
			t.Errorf("FPR of %v at %d bits: %v", huge.g, huge.prec, err)
		}
		if _, err := c.Frozen(huge.sigma, true, huge.prec); !errors.Is(err, bloomproof.ErrTooCostly) {
			t.Errorf("Frozen of %v at %d bits: %v", huge.g, huge.prec, err)
		}
	}
}

// TestCycleRoutes compares the closed form with the chain where both serve: below k and 2k,
// around the square root of m, at half, one below m; and retaining.
func TestCycleRoutes(t *testing.T) {
	most := longtest.More[uint64](1<<8, 1<<10)
	root, few, some := longtest.More[uint64](16, 32), longtest.More[uint64](1<<5, 1<<7), longtest.More[uint64](200, 1000)
	for _, x := range []struct {
		g     bloomproof.Geometry
		sigma []uint64
		prec  uint
	}{
		{bloomproof.Geometry{M: most, K: 1}, []uint64{1, most / 2, most - 1}, 70},
		{bloomproof.Geometry{M: most, K: 2}, []uint64{1, 3, most - 1}, 400},
		{bloomproof.Geometry{M: most, K: 7}, []uint64{3, 13, root, most / 2}, 60},
		{bloomproof.Geometry{M: few, K: 2}, []uint64{few / 2}, 3400},
		{bloomproof.Geometry{M: 1000003, K: 4}, []uint64{2, 6, some}, 90},
		{bloomproof.Geometry{M: 1<<64 - 1, K: 3}, []uint64{2, 5, 30}, 60},
		{bloomproof.Geometry{M: 30, K: 9}, []uint64{2, 9, 29}, 60},
		{bloomproof.Geometry{M: 5, K: 12}, []uint64{1, 4}, 60},
		{bloomproof.Geometry{M: most, K: 1, Hashing: bloomproof.Classic}, []uint64{most / 2}, 70},
		{bloomproof.Geometry{M: most, K: 2, Hashing: bloomproof.Classic}, []uint64{3, most - 1}, 400},
		{bloomproof.Geometry{M: most, K: 7, Hashing: bloomproof.Classic}, []uint64{7, 13, root, most / 2}, 60},
		{bloomproof.Geometry{M: 1000003, K: 4, Hashing: bloomproof.Classic}, []uint64{6, some}, 90},
		{bloomproof.Geometry{M: 24, K: 12, Hashing: bloomproof.Classic}, []uint64{13, 23}, 60},
	} {
		for i, sigma := range x.sigma {
			for _, retain := range []bool{false, true} {
				if !longtest.Enabled() && retain != (i%2 == int(x.g.Hashing)) {
					continue
				}
				g, r := x.g, bloomproof.Recycling{Sigma: sigma, Retain: retain}
				c, err := New(g, r)
				if err != nil {
					continue // sigma < k when retaining
				}
				chain, err := c.Via(exact.Recursive)
				if err != nil {
					t.Fatal(err)
				}
				closed, err := c.Via(exact.ClosedForm)
				if err != nil {
					t.Fatal(err)
				}
				for name, f := range map[string]func(c *Cycle, prec uint) (exact.Enclosure, error){
					"FPR":          (*Cycle).FPR,
					"Capacity":     (*Cycle).Capacity,
					"State":        func(c *Cycle, prec uint) (exact.Enclosure, error) { return c.State((sigma+1)/2, prec) },
					"MessagesFrom": func(c *Cycle, prec uint) (exact.Enclosure, error) { return c.MessagesFrom(sigma/3, prec) },
					"Frozen": func(c *Cycle, prec uint) (exact.Enclosure, error) {
						return c.Frozen(sigma, true, prec)
					},
				} {
					a, err := f(chain, x.prec)
					b, err2 := f(closed, x.prec+50)
					if err != nil || err2 != nil || !a.Overlaps(b) || a.RelBits() < int(x.prec) || b.RelBits() < int(x.prec+50) {
						t.Errorf("%v, %v: %s = %v with %d bits by the chain, %v; %v with %d bits in closed form, %v",
							g, r, name, a, a.RelBits(), err, b, b.RelBits(), err2)
					}
				}
			}
		}
	}
}

// TestCycleLarge asks for filters that only the closed form reaches: the rate near its limit
// for large m, (sum over j > k of s^j/j)/-ln(1-s), s = sigma/m, and k = 1 exactly.
func TestCycleLarge(t *testing.T) {
	for _, k := range longtest.More([]int{1, 2, 7}, []int{1, 2, 7, 16}) {
		for i, m := range []uint64{1 << 40, 1<<64 - 1, 1<<64 - 1} {
			g := bloomproof.Geometry{M: m, K: k, Hashing: bloomproof.Hashing(i / 2)}
			c, err := New(g, bloomproof.Recycling{Sigma: m / 2, Retain: i == 2})
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.FPR(100)
			want := 0.0
			for j := k + 1; j < k+60; j++ {
				want += math.Ldexp(1/float64(j), -j) / math.Ln2
			}
			if f := got.Float64(); err != nil || math.Abs(f-want) > 1e-10*want {
				t.Errorf("%v: %v, %v; the limit is %v", g, got, err, want)
			}
		}
	}
	// Dozier-FP (19): 1 - (sigma+1)/(m (H_m - H_(m-sigma-1))).
	const m = 1 << 50
	sigma := longtest.More[uint64](100, 1000)
	c, err := New(bloomproof.Geometry{M: m, K: 1}, bloomproof.Recycling{Sigma: sigma})
	if err != nil {
		t.Fatal(err)
	}
	sum := new(big.Rat)
	for b := range sigma + 1 {
		sum.Add(sum, new(big.Rat).SetFrac(integer.Uint(m), integer.Uint(m-b)))
	}
	want := new(big.Rat).Quo(new(big.Rat).SetUint64(sigma+1), sum)
	want.Sub(big.NewRat(1, 1), want)
	for _, route := range c.Routes() {
		if c, err = c.Via(route); err != nil {
			t.Fatal(err)
		}
		got, err := c.FPR(300)
		if err != nil || !got.Contains(want) {
			t.Errorf("k=1 by %v: %v, %v", route, got, err)
		}
		capacity, err := c.Capacity(300)
		if err != nil || !capacity.Contains(sum) {
			t.Errorf("k=1 by %v: capacity %v, %v", route, capacity, err)
		}
	}
}

// TestCycleIdentities holds the two identities of Cycle exactly.
func TestCycleIdentities(t *testing.T) {
	for _, g := range []bloomproof.Geometry{{M: 20, K: 1}, {M: 20, K: 3}, {M: 11, K: 5}} {
		g.Hashing = bloomproof.Classic
		for sigma := uint64(g.K); sigma < g.M; sigma++ {
			var rate, capacity [2]*big.Rat
			var empty *big.Rat
			for i, retain := range []bool{false, true} {
				c, err := New(g, bloomproof.Recycling{Sigma: sigma, Retain: retain})
				if err != nil {
					t.Fatal(err)
				}
				f, _ := c.FPR(60)
				n, _ := c.Capacity(60)
				p, _ := c.State(0, 60)
				rate[i], _ = f.Rat()
				capacity[i], _ = n.Rat()
				if i == 0 {
					empty, _ = p.Rat()
				}
			}
			left := new(big.Rat).Sub(big.NewRat(1, 1), empty)
			if left.Quo(rate[0], left).Cmp(rate[1]) != 0 || left.Sub(capacity[0], capacity[1]).Cmp(big.NewRat(1, 1)) != 0 {
				t.Errorf("%v sigma=%d: rates %v and %v, capacities %v and %v", g, sigma, rate[0], rate[1], capacity[0], capacity[1])
			}
		}
	}
}

// TestCycleExtremes calls every method at the ends of its domain.
func TestCycleExtremes(t *testing.T) {
	const most = 1<<64 - 1
	for _, g := range []bloomproof.Geometry{
		{M: 1, K: 1}, {M: 1, K: 4096}, {M: 2, K: 30}, {M: most, K: 1}, {M: most, K: longtest.More(5, 9)},
	} {
		for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
			g.Hashing = h
			for i, sigma := range []uint64{0, 1, g.M - 1} {
				for _, retain := range []bool{false, true} {
					r := bloomproof.Recycling{Sigma: sigma, Retain: retain}
					if r.Validate(g) != nil {
						continue
					}
					if !longtest.Enabled() && g.M == most && retain != (i%2 == int(h)) {
						continue
					}
					c, err := New(g, r)
					if err != nil {
						t.Fatal(err)
					}
					for name, f := range map[string]func() (exact.Enclosure, error){
						"FPR":          func() (exact.Enclosure, error) { return c.FPR(53) },
						"Capacity":     func() (exact.Enclosure, error) { return c.Capacity(53) },
						"State":        func() (exact.Enclosure, error) { return c.State(sigma, 53) },
						"MessagesFrom": func() (exact.Enclosure, error) { return c.MessagesFrom(sigma, 53) },
						"Frozen":       func() (exact.Enclosure, error) { return c.Frozen(sigma, true, 53) },
						"Frozen after": func() (exact.Enclosure, error) { return c.Frozen(most, false, 53) },
						"LengthAbove":  func() (exact.Enclosure, error) { return c.LengthAbove(most, 53) },
						"LengthPMF":    func() (exact.Enclosure, error) { return c.LengthPMF(1, 53) },
					} {
						e, err := f()
						switch {
						case err == nil && e.RelBits() >= 53 && e.Lo().Sign() >= 0:
						case errors.Is(err, bloomproof.ErrTooCostly), errors.Is(err, exact.ErrPrecision), errors.Is(err, bloomproof.ErrRange):
						default:
							t.Errorf("%v, %v: %s = %v, %v", g, r, name, e, err)
						}
					}
				}
			}
		}
	}
}

// TestChainLosses takes the chain at one word of fraction, where every lost ulp shows, and
// holds its bounds to the rationals.
func TestChainLosses(t *testing.T) {
	for _, g := range []bloomproof.Geometry{{M: 150, K: 2}, {M: 40, K: 7}, {M: 150, K: 3, Hashing: bloomproof.Classic}} {
		c, err := New(g, bloomproof.Recycling{Sigma: g.M - 2})
		if err != nil {
			t.Fatal(err)
		}
		at := []uint64{20, g.M / 2, g.M - 2}
		got, err := c.runHashes(0, at, 64)
		want, err2 := c.runRational(0, at)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		for i, x := range got {
			if !x.ContainsRat(want[i]) || x.RelBits() < 30 {
				t.Errorf("%v: sum %d is in [%v, %v], not %s", g, i, x.Lo(), x.Hi(), want[i].FloatString(25))
			}
		}
		for _, b := range at {
			x, err := c.remaining(b, 64)
			if want := c.messagesRational(b); err != nil || !x.ContainsRat(want) || x.RelBits() < 30 {
				t.Errorf("%v: E[N_%d] is in [%v, %v], not %s", g, b, x.Lo(), x.Hi(), want.FloatString(25))
			}
		}
	}
}
