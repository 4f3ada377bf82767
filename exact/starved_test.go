package exact

import (
	"fmt"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

// computation is one number of this package, at a precision.
type computation struct {
	name string
	of   func(prec uint) (Enclosure, error)
}

// starvedComputations are the numbers of filters that are too large to be rationals.
func starvedComputations() (all []computation) {
	add := func(name string, of func(prec uint) (Enclosure, error)) { all = append(all, computation{name, of}) }
	for _, x := range []struct {
		g bloomproof.Geometry
		n uint64
	}{
		{bloomproof.Geometry{M: 10000, K: 7}, 1000}, {bloomproof.Geometry{M: 10000, K: 7}, 6000}, {bloomproof.Geometry{M: 997, K: 3}, 5},
		{bloomproof.Geometry{M: 1 << 40, K: 12}, 1 << 36}, {bloomproof.Geometry{M: 3000, K: 20}, 100},
		{bloomproof.Geometry{M: 10000, K: 7, Hashing: bloomproof.Classic}, 1000}, {bloomproof.Geometry{M: 5000, K: 5, Hashing: bloomproof.Classic}, 9000},
		{bloomproof.Geometry{M: 700, K: 7, Hashing: bloomproof.Partitioned}, 70},
		{bloomproof.Geometry{M: 1 << 12, K: 8, Block: 512}, 300}, {bloomproof.Geometry{M: 1 << 14, K: 8, Block: 256, Hashing: bloomproof.Partitioned}, 900},
	} {
		g, n := x.g, x.n
		at := fmt.Sprintf(" of %v, n=%d", g, n)
		routes, _ := Routes(g)
		for _, r := range routes {
			if r == "mixture" && g.M > 1<<12 {
				continue // a second
			}
			add("FPR by "+string(r)+at, func(prec uint) (Enclosure, error) { e, _, err := FPR(g, n, prec, r); return e, err })
		}
		for _, kind := range []bloomproof.Bound{
			bloomproof.BoundBloom, bloomproof.BoundExponential, bloomproof.BoundTaylor, bloomproof.BoundLower,
			bloomproof.BoundLowerSimple, bloomproof.BoundLowerClassic, bloomproof.BoundUpper, bloomproof.BoundPartitioned, bloomproof.BoundBose,
		} {
			add("Bound "+string(kind)+at, func(prec uint) (Enclosure, error) { return Bound(kind, g, n, prec) })
			add("Excess over "+string(kind)+at, func(prec uint) (Enclosure, error) { return Excess(kind, g, n, prec) })
		}
		for name, of := range map[string]func(bloomproof.Geometry, uint64, uint) (Enclosure, error){
			"Complement": Complement, "LogFPR": LogFPR, "Efficiency": Efficiency, "EntropyPerBit": EntropyPerBit, "EstimateItems": EstimateItems,
			"MeanFPR": MeanFPR, "SecondMoment": SecondMoment,
		} {
			add(name+at, func(prec uint) (Enclosure, error) { return of(g, n, prec) })
		}
		for _, inc := range []bloomproof.Increment{bloomproof.Distinct, bloomproof.Literal} {
			add("CorrectRate "+inc.String()+at, func(prec uint) (Enclosure, error) { return CorrectRate(g, n, inc, prec) })
		}
		add("mean of SetBits"+at, func(prec uint) (Enclosure, error) { e, _, err := SetBits(g, n, prec); return e, err })
		add("variance of SetBits"+at, func(prec uint) (Enclosure, error) { _, e, err := SetBits(g, n, prec); return e, err })
		if g.M > 1000 {
			continue // seconds
		}
		add("ArrayEntropy"+at, func(prec uint) (Enclosure, error) { return ArrayEntropy(g, n, prec) })
	}
	for _, x := range []struct {
		m, k, n, at uint64
	}{{5000, 4, 9000, 4990}, {300, 5, 40, 150}} {
		l, err := Union(x.m, []Committees{{Size: x.k, Count: x.n}})
		if err != nil {
			panic(err)
		}
		at := fmt.Sprintf(" of %d bits, k=%d, n=%d", x.m, x.k, x.n)
		add("CDF"+at, func(prec uint) (Enclosure, error) { return l.CDF(x.at, prec) })
		add("PMF"+at, func(prec uint) (Enclosure, error) { return l.PMF(x.at, prec, Auto) })
		add("variance"+at, l.Variance)
		add("moment"+at, func(prec uint) (Enclosure, error) { return l.Moment(3, prec, Auto) })
		add("binomial moment"+at, func(prec uint) (Enclosure, error) { return l.BinomialMoment(5, prec, Auto) })
	}
	return all
}

// holds reports whether two enclosures can be of one value.
func holds(e, truth Enclosure) bool {
	return e.Lo().Cmp(truth.Hi()) <= 0 && truth.Lo().Cmp(e.Hi()) <= 0
}

// Numbers that are computed with hardly more bits than asked for, or from sums that end after a few terms, still
// contain the value that 200 bits give: the rounding errors and the remainders are as large as they are said to be.
func TestStarved(t *testing.T) {
	const most = 200
	all := starvedComputations()
	truths := make([]*Enclosure, len(all))
	for i, c := range all {
		if testing.Short() && i%3 != 0 {
			continue
		}
		if e, err := c.of(most); err == nil {
			truths[i] = &e
		}
	}
	answers, wide := 0, 0
	try := func(s precision.Starving, prec uint) {
		defer precision.Starve(s)()
		for i, c := range all {
			if truths[i] == nil {
				continue
			}
			e, err := c.of(prec)
			if err != nil {
				continue // it tells that it cannot
			}
			if answers++; e.RelBits() < most {
				wide++
			}
			if !holds(e, *truths[i]) {
				t.Errorf("%+v: %s to %d bits is [%.10g, %.10g], but %.15g", s, c.name, prec, e.Lo(), e.Hi(), truths[i].Lo())
			}
		}
	}
	for guard := range 5 {
		for _, prec := range []uint{2, 13} {
			try(precision.Starving{Guard: guard}, prec)
		}
	}
	for _, cut := range []int{1, 2, 3, 5, 9} {
		try(precision.Starving{Guard: -1, Cut: cut}, most)
	}
	t.Logf("%d answers, %d of them wide", answers, wide)
	if wide < answers/4 {
		t.Error("hardly an answer was starved: the test shows nothing")
	}
	if e, _, err := FPR(bloomproof.Geometry{M: 10000, K: 7}, 1000, 100, Auto); err != nil || e.RelBits() < 100 {
		t.Errorf("no longer starved: %v, %v", e, err)
	}
}
