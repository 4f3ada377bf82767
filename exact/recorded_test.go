package exact

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/starved"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestRecordedBounds compares error bounds that are computed in float64 with recorded bounds. Other tests check that
// these bounds hold. This test shows a bound that changes by mistake.
func TestRecordedBounds(t *testing.T) {
	record := starved.OpenWidths(t, "testdata/bounds.txt", longtest.Enabled())
	for _, margin := range starved.Margins {
		func() {
			defer precision.Starve(precision.Starving{Guard: -1, Margin: margin})()
			recordBlocks(t, record, margin)
			recordGrowing(t, record, margin)
		}()
	}
	recordLoads(record)
	recordPowers(record)
	recordUnits(t, record)
	record.End()
}

// recordBlocks compares the bounds from which the quantiles of rates of filters with blocks are computed.
func recordBlocks(t *testing.T, record *starved.Widths, margin float64) {
	for _, g := range []bloomproof.Geometry{{M: 256, K: 3, Block: 16}, {M: 256, K: 2, Block: 32, Hashing: bloomproof.Partitioned}} {
		law, err := lawOf(g)
		if err != nil {
			t.Fatal(err)
		}
		blocks, block := split(g)
		m := law.(blocked).moments(block)
		answer := fmt.Sprintf("%v, margin %g", g, margin)
		p, left, err := m.loads(blocks, 20)
		if err != nil {
			t.Fatal(err)
		}
		record.Bound(answer, "terms", float64(len(p)))
		record.Bound(answer, "left", left)
		record.Bound(answer, "slack", p[1]/real64(t, blocks, 20)-1)
		for _, z := range []float64{1, 0.25, 1e-3} {
			all, beyond := m.capped(z, p, 1e-6)
			record.Bound(answer, fmt.Sprintf("beyond(%g)", z), beyond)
			for _, j := range []int{1, 2, momentOrders} {
				record.Bound(answer, fmt.Sprintf("capped(%g,%d)", z, j), all[j])
			}
		}
		for _, c := range []*big.Rat{big.NewRat(1, 2), big.NewRat(999, 1000)} {
			r, err := m.kept(blocks, 20, c)
			if err != nil {
				t.Fatal(err)
			}
			kept, _ := r.Float64()
			record.Bound(answer, "kept("+c.String()+")", kept)
		}
	}
}

// real64 returns P[N = 1] for n items in some blocks.
func real64(t *testing.T, blocks, n uint64) float64 {
	t.Helper()
	q := big.NewRat(int64(blocks-1), int64(blocks))
	p := ratPow(q, int(n-1))
	p.Mul(p, big.NewRat(int64(n), int64(blocks)))
	x, _ := p.Float64()
	return x
}

// recordLoads compares the approximate fill of blocks, from which the sizes of layers with blocks follow.
func recordLoads(record *starved.Widths) {
	for _, n := range []float64{0, 3, 40} {
		for _, k := range []int{2, 8} {
			for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Partitioned} {
				g := bloomproof.Geometry{M: 512, K: k, Block: 64, Hashing: h}
				mean, next := loadOf(g, n)
				answer := fmt.Sprintf("load of %v, n=%g", g, n)
				record.Bound(answer, "mean", mean)
				record.Bound(answer, "next", next)
			}
		}
	}
}

// recordPowers compares the bounds of the errors of powers, in units of the last place.
func recordPowers(record *starved.Widths) {
	for name, powers := range map[string]func(m uint64, n *big.Int, last int, scale uint, use func(j int, q, missed *big.Int)){
		"poissonPowers": poissonPowers, "standardPowers": standardPowers,
	} {
		for _, last := range []int{1, 7, 200} {
			sum := 0.0
			powers(1<<40, big.NewInt(12345678), last, 30, func(_ int, _, missed *big.Int) { sum += float64(missed.Int64()) })
			record.Bound(name, fmt.Sprint(last), sum)
		}
		sum := 0.0 // with this scale, the series has so few spare bits that they do not hide a unit
		powers(1<<40, big.NewInt(1), 200, 52, func(_ int, _, missed *big.Int) { sum += float64(missed.Int64()) })
		record.Bound(name, "unspared", sum)
	}
}

// recordUnits compares the bounds of the errors of other numbers in fixed point, in units of the last place. Here no
// spare bits hide a bound that changes. TestPoissonSeries and TestHitsMissed check that the bounds hold.
func recordUnits(t *testing.T, record *starved.Widths) {
	for _, m := range []uint64{37, 64, 1 << 20} {
		for _, scale := range []uint{10, 100} {
			s := newPoissonSeries(m, big.NewInt(1), 3, scale)
			miss, _ := new(big.Float).SetInt(s.miss).Float64()
			record.Bound(fmt.Sprintf("series for %d urns", m), fmt.Sprint(scale), miss)
		}
	}
	l, err := Intersection(40, []Committees{{3, 20}}, []Committees{{2, 30}})
	if err != nil {
		t.Fatal(err)
	}
	own, err := Union(40, []Committees{{7, 3}})
	if err != nil {
		t.Fatal(err)
	}
	for _, shared := range [][]group{nil, own.departments[0]} {
		l.shared = shared
		for _, last := range []int{1, 5} {
			missed, _ := new(big.Float).SetInt(l.hits(last, 80).missed).Float64()
			record.Bound(fmt.Sprintf("hits, %d shared", len(shared)), fmt.Sprint(last), missed)
		}
	}
	g := bloomproof.Geometry{M: 40, K: 12, Hashing: bloomproof.Classic}
	for _, work := range []uint{4, 10, 30} {
		func() { // the terms that are left out have an effect
			defer precision.Starve(precision.Starving{Guard: -1, Cut: 2})()
			v := classicHashing{}.belowUpperFull(&derivation{g: g, n: 12}, work)
			record.Width("belowUpperFull", fmt.Sprint(work), around(v.x))
		}()
	}
}

// recordGrowing compares the widths of rates of growing filters. Each end has a rounding error of about a thousandth of
// such a width.
func recordGrowing(t *testing.T, record *starved.Widths, margin float64) {
	for i, layers := range [][]bloomproof.Layer{
		{{Geometry: bloomproof.Geometry{M: 40, K: 2}, Sigma: 20}, {Geometry: bloomproof.Geometry{M: 80, K: 3}, Sigma: 40}},
		{{Geometry: bloomproof.Geometry{M: 40, K: 2, Hashing: bloomproof.Classic}, Sigma: 20}, {Geometry: bloomproof.Geometry{M: 80, K: 3, Hashing: bloomproof.Classic}, Sigma: 40}},
		{{Geometry: bloomproof.Geometry{M: 40, K: 2, Hashing: bloomproof.Partitioned}, Sigma: 20}, {Geometry: bloomproof.Geometry{M: 90, K: 3, Hashing: bloomproof.Partitioned}, Sigma: 45}},
	} {
		all, err := GrowingFPRs(layers, []uint64{5, 15, 40})
		if err != nil {
			t.Fatal(err)
		}
		for j, e := range all {
			record.Width(fmt.Sprintf("growing %d, margin %g", i, margin), fmt.Sprint(j), e)
		}
	}
}
