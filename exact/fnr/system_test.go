package fnr

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/outcomes"
	"github.com/bloomproof/bloomproof/exact/recycling"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// allRules returns every rule there is with these bounds.
func allRules(sigma, messages uint64) []bloomproof.Recycling {
	var rules []bloomproof.Recycling
	for i := range 64 {
		bit := func(n int) uint8 { return uint8(i >> n & 1) }
		r := bloomproof.Recycling{
			Sigma: sigma, Retain: bit(0) == 1, FreshPositions: bit(1) == 1,
			TwoPhase: bit(2) == 1, FreezeBefore: bit(3) == 1, NoCopyOver: bit(4) == 1,
		}
		if bit(5) == 1 {
			r.Sigma, r.Messages = 0, messages
		}
		if r.TwoPhase || !r.FreezeBefore && !r.NoCopyOver {
			rules = append(rules, r)
		}
	}
	return rules
}

// A label is a filter with real bits and, for each rank, the positions that its message
// has in the cycle of the active and of the frozen array: 1 + their number in itemMasks,
// or 0 where nobody has looked at them.
type label struct {
	active, frozen      uint32
	recorded, recorded2 [3]bool // in the active and the frozen array; the last for a new message
	here, there         [3]int
	messages            uint64
}

// labelChain is the same chain as System's over labels, by the words of
// kernel.RecyclingFilter: nothing is merged, nothing forgotten, the numbers are float64
// and the long run is the limit of many steps.
type labelChain struct {
	r     bloomproof.Recycling
	masks []uint32
	q     []float64
	zeta  []float64
	pr    float64

	number map[label]int
	list   []label
	edges  [][]struct {
		to int
		p  float64
	}
	gains [][tallies]float64
}

func (c *labelChain) at(s label) int {
	n, met := c.number[s]
	if !met {
		n = len(c.list)
		c.number[s] = n
		c.list = append(c.list, s)
	}
	return n
}

// each calls f with s and the positions of message j drawn, for every outcome of drawing.
func (c *labelChain) each(s label, j int, p float64, f func(s label, p float64)) {
	two, fresh := c.r.TwoPhase, c.r.FreshPositions
	if s.here[j] == 0 {
		for i := range c.masks {
			n := s
			n.here[j] = i + 1
			c.each(n, j, p/float64(len(c.masks)), f)
		}
		return
	}
	if !fresh {
		s.there[j] = s.here[j]
	}
	if two && s.there[j] == 0 {
		for i := range c.masks {
			n := s
			n.there[j] = i + 1
			c.each(n, j, p/float64(len(c.masks)), f)
		}
		return
	}
	f(s, p)
}

// step handles an arrival of message j with probability p in state from; a new one is 2.
func (c *labelChain) step(from int, j, enters int, p float64) {
	two, fresh := c.r.TwoPhase, c.r.FreshPositions
	c.each(c.list[from], j, p, func(s label, p float64) {
		here := c.masks[s.here[j]-1]
		active := here&^s.active == 0
		frozen := two && c.masks[s.there[j]-1]&^s.frozen == 0
		recorded := s.recorded[j] || two && s.recorded2[j]
		g := &c.gains[from]
		switch {
		case j == 2 && (active || frozen):
			g[falsePositive] += p
		case j != 2 && !recorded && (active || frozen):
			g[lucky] += p
		case j != 2 && !recorded:
			g[falseNegative] += p
		}
		if !recorded {
			g[cycleNew] += p
		}
		var retained []label
		if active || !frozen || !c.r.NoCopyOver {
			before, wasRecorded := s.active, s.recorded[j]
			s.active |= here
			s.recorded[j] = true
			over := false
			if s.active != before {
				if c.r.Messages > 0 {
					s.messages++
					over = s.messages == c.r.Messages
				} else {
					over = uint64(bits.OnesCount32(s.active)) > c.r.Sigma
				}
			}
			if over {
				g[recycles] += p
				if c.r.FreezeBefore {
					s.active, s.recorded[j] = before, wasRecorded
				}
				if two {
					s.frozen, s.recorded2 = s.active, s.recorded
					if fresh {
						s.there = s.here
					}
				}
				s.active, s.recorded, s.messages = 0, [3]bool{}, 0
				if fresh {
					s.here = [3]int{}
				}
				if c.r.Retain {
					if c.r.Messages > 0 {
						s.messages = 1
					}
					s.recorded[j] = true
					if fresh {
						for i, mask := range c.masks {
							n := s
							n.here[j], n.active = i+1, mask
							retained = append(retained, n)
						}
					} else {
						s.active = c.masks[s.here[j]-1]
					}
				}
			}
		}
		if retained == nil {
			retained = []label{s}
		}
		for _, s := range retained {
			if j == 2 {
				last := len(c.q)
				for i := last - 1; i > enters; i-- {
					s.recorded[i], s.recorded2[i], s.here[i], s.there[i] = s.recorded[i-1], s.recorded2[i-1], s.here[i-1], s.there[i-1]
				}
				s.recorded[enters], s.recorded2[enters], s.here[enters], s.there[enters] = s.recorded[2], s.recorded2[2], s.here[2], s.there[2]
				s.recorded[2], s.recorded2[2], s.here[2], s.there[2] = false, false, 0, 0
			}
			to := c.at(s)
			c.edges[from] = append(c.edges[from], struct {
				to int
				p  float64
			}{to, p / float64(len(retained))})
		}
	})
}

// rates returns the long-run tallies per arrival.
func (c *labelChain) rates() [tallies]float64 {
	c.number = map[label]int{}
	c.at(label{})
	for n := 0; n < len(c.list); n++ {
		c.edges = append(c.edges, nil)
		c.gains = append(c.gains, [tallies]float64{})
		for j, q := range c.q {
			if c.pr*q > 0 {
				c.step(n, j, 0, c.pr*q)
			}
			if (1-c.pr)*c.zeta[j] > 0 {
				c.step(n, 2, j, (1-c.pr)*c.zeta[j])
			}
		}
	}
	x, next := make([]float64, len(c.list)), make([]float64, len(c.list))
	x[0] = 1
	var old [tallies]float64
	for still := 0; still < 50; {
		clear(next)
		for i, p := range x {
			next[i] += p / 2 // so that a chain with a period settles too
			for _, e := range c.edges[i] {
				next[e.to] += p / 2 * e.p
			}
		}
		x, next = next, x
		var now [tallies]float64
		for i, p := range x {
			for k, g := range c.gains[i] {
				now[k] += p * g
			}
		}
		still++
		for k := range now {
			if math.Abs(now[k]-old[k]) > 1e-14 {
				still = 0
			}
		}
		old = now
	}
	return old
}

// Every rule, with every kind of workload, against the chain over labels.
func TestFNRBruteForce(t *testing.T) {
	shapes := []struct {
		g               bloomproof.Geometry
		sigma, messages uint64
	}{
		{bloomproof.Geometry{M: 3, K: 1}, 1, 2},
		{bloomproof.Geometry{Hashing: bloomproof.Classic, M: 3, K: 2}, 2, 2},
		{bloomproof.Geometry{M: 3, K: 2}, 2, 3},
	}
	workloads := []bloomproof.Workload{
		{Popularity: bloomproof.Zipf(1, 2), Repeat: 0.5},
		{Popularity: bloomproof.Weights([]float64{3, 1}), Repeat: 0.75, Arrivals: bloomproof.ArrivalFirst},
		{Popularity: bloomproof.Uniform(2), Repeat: 1},
		{Popularity: bloomproof.Weights([]float64{3, 1}), Repeat: 0.5, Arrivals: bloomproof.ArrivalLast},
		{Popularity: bloomproof.Uniform(2), Repeat: 0},
	}
	if testing.Short() {
		shapes = shapes[:2]
	}
	checked := 0
	for n, shape := range shapes {
		for i, r := range allRules(shape.sigma, shape.messages) {
			if r.Validate(shape.g) != nil {
				continue
			}
			for k, w := range workloads {
				if n == 2 && r.TwoPhase && r.FreshPositions {
					continue // too many labels
				}
				if every := longtest.More(5, 1); (i+k+n)%every != 0 && (n > 0 || longtest.More((i+k)%2, 0) != 0) {
					continue // each rule has another workload for each shape
				}
				f, err := New(shape.g, r, w)
				if err != nil {
					t.Fatal(err)
				}
				got, err := f.Rates(60)
				if err != nil {
					t.Fatal(err)
				}
				c := &labelChain{r: r, masks: outcomes.Masks(shape.g), pr: w.Repeat, q: []float64{0.5, 0.5}, zeta: []float64{0.5, 0.5}}
				switch {
				case w.Popularity.Alpha > 0:
					c.q = []float64{2. / 3, 1. / 3}
				case w.Popularity.Weights != nil:
					c.q = []float64{0.75, 0.25}
				}
				switch w.Arrivals {
				case bloomproof.ArrivalFirst:
					c.zeta = []float64{1, 0}
				case bloomproof.ArrivalLast:
					c.zeta = []float64{0, 1}
				default:
					c.zeta = c.q
				}
				want := c.rates()
				name := fmt.Sprintf("%v %v %v", shape.g, r, w)
				near := func(what string, e exact.Enclosure, want float64) {
					t.Helper()
					if math.Abs(e.Float64()-want) > 1e-10 {
						t.Errorf("%s: %s = %v, want %v", name, what, e, want)
					}
				}
				near("fnr", got.FNR, want[falseNegative])
				near("lucky", got.Lucky, want[lucky])
				near("fpr", got.FPR, want[falsePositive])
				if want[cycleNew] > 1e-10 {
					near("fpr per cycle-new", *got.FPRPerCycleNew, (want[falsePositive]+want[lucky])/want[cycleNew])
				}
				if want[recycles] > 1e-10 {
					near("cycle", *got.Cycle, 1/want[recycles])
				} else if got.Cycle != nil {
					t.Errorf("%s: cycle %v, but nothing recycles", name, got.Cycle)
				}
				checked++
			}
		}
	}
	t.Logf("%d filters", checked)
}

// For fresh positions and one phase, f_n = (sum of u)/V - (1-p_r) + f_p for any workload,
// V the mean number of arrivals in a cycle: rationals on both sides.
func TestUnluckyIdentity(t *testing.T) {
	checked := 0
	for _, g := range []bloomproof.Geometry{{M: 5, K: 2}, {Hashing: bloomproof.Classic, M: 6, K: 2}} {
		for _, r := range allRules(3, 2) {
			if r.TwoPhase || !r.FreshPositions {
				continue
			}
			for n, arrivals := range []bloomproof.Arrivals{bloomproof.ArrivalPopularity, bloomproof.ArrivalUniform, bloomproof.ArrivalLast, bloomproof.ArrivalFirst} {
				for i, w := range []bloomproof.Workload{
					{Popularity: bloomproof.Zipf(1, 3), Repeat: 0.75},
					{Popularity: bloomproof.BiUniform(1, 0.75, 3), Repeat: 0.25},
					{Popularity: bloomproof.Zipf(2, 4), Repeat: 1},
					{Popularity: bloomproof.Weights([]float64{4, 1, 0}), Repeat: 0.5},
				} {
					if !longtest.Enabled() && (i+n)%3 == 0 {
						continue
					}
					w.Arrivals = arrivals
					f, err := New(g, r, w)
					if err != nil {
						t.Fatal(err)
					}
					x, err := f.Rates(60)
					if err != nil {
						t.Fatal(err)
					}
					c, err := newStates(g, r)
					if err != nil {
						t.Fatal(err)
					}
					u, err := c.sumOfUnlucky(60)
					if err != nil {
						t.Fatal(err)
					}
					if x.Cycle == nil {
						continue // it ends with all messages recorded
					}
					sum, _ := u.Rat()
					cycle, ok1 := x.Cycle.Rat()
					fp, ok2 := x.FPR.Rat()
					fn, ok3 := x.FNR.Rat()
					if !ok1 || !ok2 || !ok3 {
						t.Fatalf("%v %v %v: no rationals", g, r, w)
					}
					want := sum.Quo(sum, cycle)
					want.Sub(want, big.NewRat(1, 1))
					want.Add(want, new(big.Rat).SetFloat64(w.Repeat))
					if want.Add(want, fp); want.Cmp(fn) != 0 {
						t.Errorf("%v %v %v: f_n = %v, the identity gives %v", g, r, w, fn, want)
					}
					checked++
				}
			}
		}
	}
	if checked < 50 {
		t.Errorf("only %d filters were checked", checked)
	}
}

// Without repeats the chain is that of Cycle.
func TestFNRWithoutRepeats(t *testing.T) {
	checked := 0
	for _, g := range []bloomproof.Geometry{{M: 6, K: 2}, {Hashing: bloomproof.Classic, M: 7, K: 3}} {
		for _, r := range allRules(4, 2) {
			cycle, err := recycling.New(g, r)
			if err != nil {
				continue // not known to Cycle
			}
			f, err := New(g, r, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 3)})
			if err != nil {
				t.Fatal(err)
			}
			x, err := f.Rates(60)
			if err != nil {
				t.Fatal(err)
			}
			for name, p := range map[string][2]func() (exact.Enclosure, error){
				"rate":     {func() (exact.Enclosure, error) { return cycle.FPR(60) }, func() (exact.Enclosure, error) { return x.FPR, nil }},
				"capacity": {func() (exact.Enclosure, error) { return cycle.Capacity(60) }, func() (exact.Enclosure, error) { return *x.Cycle, nil }},
			} {
				a, err := p[0]()
				if errors.Is(err, bloomproof.ErrUndefined) && x.Absorbing.Float64() > 0 {
					continue
				}
				if err != nil {
					t.Errorf("%v %v: %s: %v", g, r, name, err)
					continue
				}
				b, _ := p[1]()
				if order, decided := a.Cmp(b); decided && order != 0 {
					t.Errorf("%v %v: %s %v, without repeats %v", g, r, name, b, a)
				}
				checked++
			}
		}
	}
	if checked == 0 {
		t.Error("nothing was compared")
	}
}

func TestFNRParameters(t *testing.T) {
	g, r := bloomproof.Geometry{M: 8, K: 2}, bloomproof.Recycling{Sigma: 4}
	w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 3), Repeat: 0.5}
	var bad *bloomproof.ParamError
	for name, c := range map[string]struct {
		g bloomproof.Geometry
		r bloomproof.Recycling
		w bloomproof.Workload
	}{
		"geometry":    {bloomproof.Geometry{}, r, w},
		"rule":        {g, bloomproof.Recycling{Sigma: 8}, w},
		"partitioned": {bloomproof.Geometry{Hashing: bloomproof.Partitioned, M: 8, K: 2}, r, w},
		"workload":    {g, r, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 3), Repeat: 2}},
	} {
		if _, err := New(c.g, c.r, c.w); !errors.As(err, &bad) {
			t.Errorf("%s: %v", name, err)
		}
	}
	f, err := New(g, r, w)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Rates(0); !errors.As(err, &bad) {
		t.Errorf("prec 0: %v", err)
	}
	for name, c := range map[string]struct {
		g bloomproof.Geometry
		r bloomproof.Recycling
		w bloomproof.Workload
	}{
		"many messages": {g, r, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 9), Repeat: 0.5}},
		"many ranks":    {g, r, bloomproof.Workload{Popularity: bloomproof.Uniform(1 << 40)}},
		"many bits":     {bloomproof.Geometry{M: 1<<64 - 1, K: 4096}, bloomproof.Recycling{Sigma: 1<<64 - 2}, w},
		"many moves":    {bloomproof.Geometry{M: 12, K: 3}, bloomproof.Recycling{Sigma: 8, TwoPhase: true}, w},
		"large k":       {bloomproof.Geometry{M: 8000, K: 4096}, bloomproof.Recycling{Sigma: 7000}, w},
	} {
		if name == "many moves" && !longtest.Enabled() {
			continue // the limit is some seconds away
		}
		f, err := New(c.g, c.r, c.w)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Rates(60); !errors.Is(err, bloomproof.ErrTooCostly) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Irrational popularity, 1000 digits.
	f, err = New(g, r, bloomproof.Workload{Popularity: bloomproof.Zipf(0.5, 2), Repeat: 0.9})
	if err != nil {
		t.Fatal(err)
	}
	wide, err := f.Rates(60)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Rates(exact.MaxPrec); !errors.Is(err, bloomproof.ErrTooCostly) {
		t.Errorf("prec %d: %v", exact.MaxPrec, err)
	}
	fine := longtest.More[uint](1000, 3400) // TestLasting has 3400 bits
	narrow, err := f.Rates(fine)
	if err != nil {
		t.Fatal(err)
	}
	if narrow.FNR.RelBits() < int(fine) || !narrow.FNR.Overlaps(wide.FNR) {
		t.Errorf("at 60 bits %v, at %d %v", wide.FNR, fine, narrow.FNR)
	}
}
