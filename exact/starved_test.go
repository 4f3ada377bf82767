package exact

import (
	"fmt"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/starved"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// starvedComputations are the numbers of filters that are too large to be rationals.
func starvedComputations() (all []starved.Computation) {
	add := func(name string, of func(prec uint) (Enclosure, error)) { all = append(all, starved.One(name, of)) }
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
		for _, inc := range []bloomproof.Increment{bloomproof.Distinct, bloomproof.Literal} {
			all = append(all, starved.Computation{Name: "CorrectRateBounds " + inc.String() + at, Of: func(prec uint) ([]starved.Enclosure, error) {
				lower, upper, err := CorrectRateBounds(g, n, inc, prec)
				var both []starved.Enclosure
				for _, e := range []*Enclosure{lower, upper} {
					if e == nil {
						both = append(both, nil)
					} else {
						both = append(both, *e)
					}
				}
				return both, err
			}})
		}
		add("mean of SetBits"+at, func(prec uint) (Enclosure, error) { e, _, err := SetBits(g, n, prec); return e, err })
		add("variance of SetBits"+at, func(prec uint) (Enclosure, error) { _, e, err := SetBits(g, n, prec); return e, err })
		if g.M > 1000 {
			continue // seconds
		}
		add("ArrayEntropy"+at, func(prec uint) (Enclosure, error) { return ArrayEntropy(g, n, prec) })
	}
	for _, h := range []bloomproof.Hashing{bloomproof.Double, bloomproof.DoublePartitioned, bloomproof.EnhancedDouble} {
		g, n := bloomproof.Geometry{M: 96, K: 4, Hashing: h}, uint64(300)
		at := fmt.Sprintf(" of %v, n=%d", g, n)
		routes, _ := Routes(g)
		for _, r := range routes {
			add("FPR by "+string(r)+at, func(prec uint) (Enclosure, error) { e, _, err := FPR(g, n, prec, r); return e, err })
		}
		for name, of := range map[string]func(bloomproof.Geometry, uint64, uint) (Enclosure, error){"Complement": Complement, "LogFPR": LogFPR, "MeanFPR": MeanFPR} {
			add(name+at, func(prec uint) (Enclosure, error) { return of(g, n, prec) })
		}
		add("CorrectRate"+at, func(prec uint) (Enclosure, error) { return CorrectRate(g, n, bloomproof.Distinct, prec) })
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

// Numbers that are computed with hardly more bits than asked for, or from sums that end after a few terms, still
// contain the value that 200 bits give: the rounding errors and the remainders are as large as they are said to be.
func TestStarved(t *testing.T) {
	all := starvedComputations()
	if testing.Short() {
		for i := range len(all) / 3 {
			all[i] = all[3*i]
		}
		all = all[:len(all)/3]
	}
	starved.Plan{Most: 200, Record: "testdata/widths.txt", Long: longtest.Enabled(), Guards: longtest.Of([]int{0, 1, 2, 3, 4}, []int{0}, []int{0, 1, 2, 3, 4}), Precs: []uint{2, 13}, Cuts: longtest.Of([]int{1, 2, 3, 5, 9}, []int{1, 3}, []int{1, 2, 3, 5, 9})}.Check(t, all)
	if e, _, err := FPR(bloomproof.Geometry{M: 10000, K: 7}, 1000, 100, Auto); err != nil || e.RelBits() < 100 {
		t.Errorf("no longer starved: %v, %v", e, err)
	}
}
