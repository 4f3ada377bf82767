package verify_test

import (
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify"
	"github.com/bloomproof/bloomproof/verify/internal/accuracy"
	"github.com/bloomproof/bloomproof/verify/internal/property"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/leanovate/gopter/prop"
)

const approxPrec = 120

// approxRow sums up what the checks of one number of approx found.
type approxRow struct {
	name              string
	points, undefined int
	worst, share      float64 // largest error in units of 2^-53, largest share of the bound
	at                accuracy.Point
}

// approxRows checks a group of numbers of approx.
type approxRows struct {
	accuracy.Group
	rows []approxRow
}

func newApproxRows(groups ...accuracy.Group) (all []*approxRows) {
	for _, g := range groups {
		a := &approxRows{Group: g}
		for _, name := range g.Names {
			a.rows = append(a.rows, approxRow{name: name})
		}
		all = append(all, a)
	}
	return all
}

func (a *approxRows) check(p accuracy.Point) error {
	results, err := a.Check(p, approxPrec)
	if err != nil {
		return err
	}
	for i, x := range results {
		r := &a.rows[i]
		if !x.Defined {
			r.undefined++
			continue
		}
		r.points++
		r.worst = max(r.worst, x.Error)
		if s := x.Error / x.Bound; s > r.share {
			r.share, r.at = s, p
		}
	}
	return nil
}

// reportApprox prints the table of what was found.
func reportApprox(t *testing.T, all []*approxRows) {
	t.Logf("%-23s %6s %9s %12s %8s  %s", "function", "points", "undefined", "worst (u)", "of bound", "at {m, n, k}")
	for _, a := range all {
		for _, r := range a.rows {
			t.Logf("%-23s %6d %9d %12.2f %7.1f%%  %v", r.name, r.points, r.undefined, r.worst, 100*r.share, r.at)
			if r.points == 0 {
				t.Errorf("%s was nowhere defined: the test shows nothing", r.name)
			}
		}
	}
}

// checkAll returns the first error of the groups at a point.
func checkAll(all []*approxRows, p accuracy.Point) error {
	for _, a := range all {
		if err := a.check(p); err != nil {
			return err
		}
	}
	return nil
}

// approxCorners are the hard places: one urn, two, as many urns as positions, one
// ball to spare, empty and nearly empty filters, full and nearly full ones, counts
// at the ends of uint64, rates at the ends of float64.
func approxCorners() []accuracy.Point {
	var out []accuracy.Point
	ms := []uint64{1, 2, 3, 5, 8, 64, 65, 1000, 1 << 20, 1<<32 + 1, 1<<53 + 1, 1<<63 - 25, 1<<64 - 1}
	ks := []int{1, 2, 3, 8, 40, 64}
	if !longtest.Enabled() {
		ms = []uint64{1, 2, 8, 65, 1 << 20, 1<<63 - 25, 1<<64 - 1}
		ks = []int{1, 2, 8, 40}
	}
	for _, m := range ms {
		for _, k := range ks {
			ns := []uint64{0, 1, 2, 3, 1 << 40, 1<<64 - 1}
			// The last three make the rate differ from 1 by a number next to 2^-1022, and by a subnormal number.
			full := math.Log(float64(k))
			for _, load := range []float64{0.1, math.Ln2, 20, 600, full + 708, full + 720, full + 740} {
				if n := load * float64(m) / float64(k); n >= 4 && n < 0x1p63 {
					ns = append(ns, uint64(n))
				}
			}
			for _, n := range ns {
				out = append(out, accuracy.Point{M: m, N: n, K: k})
			}
		}
	}
	for _, k := range []int{2, 7, 31} { // m = k and k+1
		for _, n := range []uint64{1, 2, 3, 4, 10, 100} {
			out = append(out, accuracy.Point{M: uint64(k), N: n, K: k}, accuracy.Point{M: uint64(k) + 1, N: n, K: k})
		}
	}
	out = append(out, []accuracy.Point{
		// mu next to k-1, where LowerSimple ends: n = 1 and k^2 near 2m
		{M: 4851, N: 1, K: 100}, {M: 4852, N: 1, K: 100}, {M: 4900, N: 1, K: 100}, {M: 4949, N: 1, K: 100}, {M: 5000, N: 1, K: 100},
		{M: 127, N: 2, K: 100}, {M: 128, N: 2, K: 100}, {M: 129, N: 2, K: 100},
		// k at its end; cheap and then dear for exact's Lower
		{M: 4097, N: 20, K: 4096}, {M: 100, N: 1, K: 4096},
		{M: 3, N: 1800, K: 1}, // the entropy is subnormal
	}...)
	if !longtest.Enabled() {
		return out
	}
	return append(out, []accuracy.Point{
		{M: 4071, N: 1, K: 4070}, // k/m rounds by half an ulp: 1-k/m needs m-k
		{M: 4096, N: 1, K: 4096}, {M: 4096, N: 2, K: 4096}, {M: 4096, N: 9, K: 4096},
		{M: 1 << 20, N: 177, K: 4096}, {M: 1 << 30, N: 1 << 20, K: 4096}, {M: 1<<64 - 1, N: 1<<64 - 1, K: 4096},
	}...)
}

// Law: every function of approx stays within the error bound of its comment,
// measured against the enclosures of exact, and is undefined where exact says so.
//
// Claims: none of a paper's: it is what package approx states of itself.
func TestApprox(t *testing.T) {
	all := newApproxRows(accuracy.Bounds()...)
	for _, p := range approxCorners() {
		if err := checkAll(all, p); err != nil {
			t.Error(err)
		}
	}
	property.Check(t, "approx is within its bound of exact", prop.ForAll(
		func(m, k, raw uint64, load uint64) (bool, error) {
			err := checkAll(all, accuracy.Point{M: m, N: spreadItems(m, k, raw, load), K: int(k)})
			return err == nil, err
		},
		verify.GenSize(1, math.MaxUint64), verify.GenSize(1, 64),
		verify.GenSize(0, math.MaxUint64), verify.GenSize(0, 255),
	))
	property.Check(t, "approx is within its bound of exact for small filters", prop.ForAll(
		func(m, k, n uint64) (bool, error) {
			err := checkAll(all, accuracy.Point{M: m, N: n, K: int(k)})
			return err == nil, err
		},
		verify.GenSize(1, 400), verify.GenSize(1, 128), verify.GenSize(0, 100),
	))
	reportApprox(t, all)
}

// Law: the rate, its complement and its logarithm in float64 lie within their bounds of
// the exact ones, from the smallest float64 to the largest below 1 and beyond.
//
// Claims: none of a paper's: it is what package approx states of itself.
func TestRates(t *testing.T) {
	all := newApproxRows(accuracy.Rate(bloomproof.Standard), accuracy.Rate(bloomproof.Classic), accuracy.Rate(bloomproof.Partitioned))
	check := func(m, n uint64, k int) {
		if err := checkAll(all, accuracy.Point{M: m, N: n, K: k}); err != nil {
			t.Error(err)
		}
	}
	for _, p := range approxCorners() {
		if p.K <= 64 { // more are dear for exact
			check(p.M, p.N, p.K)
		}
	}
	// Small filters, all of them: k > m, the smallest circles.
	most, drawn := longtest.More[uint64](4, 9), longtest.More[uint64](100, 2000)
	for m := uint64(1); m <= most; m++ {
		for k := 1; k <= 9; k++ {
			for n := range uint64(14) {
				check(m, n, k)
			}
		}
	}
	if longtest.Enabled() { // k beyond the table of Stirling numbers
		for _, p := range []accuracy.Point{
			{M: 1000, N: 1, K: 65}, {M: 706, N: 1, K: 378}, {M: 130, N: 2, K: 65}, {M: 256, N: 3, K: 128},
			{M: 1 << 40, N: 2, K: 200}, {M: 1 << 40, N: 1 << 33, K: 128}, {M: 1 << 20, N: 2000, K: 300},
			{M: 700, N: 3, K: 300}, {M: 1<<64 - 1, N: 1 << 57, K: 80},
		} {
			check(p.M, p.N, p.K)
		}
	}
	for i := range drawn {
		p := accuracy.Draw(2, i)
		check(p.M, p.N, p.K)
	}
	property.Check(t, "approx.FPR is within its bound of exact", prop.ForAll(
		func(m, k, raw uint64, load uint64) (bool, error) {
			err := checkAll(all, accuracy.Point{M: m, N: spreadItems(m, k, raw, load), K: int(k)})
			return err == nil, err
		},
		verify.GenSize(1, math.MaxUint64), verify.GenSize(1, 64),
		verify.GenSize(0, math.MaxUint64), verify.GenSize(0, 255),
	))
	reportApprox(t, all)
}

// Law: mean and variance of the set bits lie within their bounds of the exact ones, also
// where nearly no bit or nearly every bit is set.
//
// Claims: none of a paper's: it is what package approx states of itself.
func TestSetBitsMoments(t *testing.T) {
	all := newApproxRows(accuracy.SetBits(bloomproof.Standard), accuracy.SetBits(bloomproof.Classic), accuracy.SetBits(bloomproof.Partitioned))
	check := func(p accuracy.Point) {
		if err := checkAll(all, p); err != nil {
			t.Error(err)
		}
	}
	for _, p := range approxCorners() {
		check(p)
	}
	// The probability that a bit is unset is below the normal numbers, the variance is not.
	check(accuracy.Point{M: 16412337356580, N: 2957546241350330, K: 4})
	check(accuracy.Point{M: 1 << 50, N: 730 << 50, K: 1})
	drawn := longtest.More[uint64](100, 3000)
	for i := range drawn {
		check(accuracy.Draw(3, i))
	}
	reportApprox(t, all)
}

// Law: the correct rate of counting filters, by both readings, lies within its bounds of
// the exact one.
//
// Claims: none of a paper's: it is what package approx states of itself.
func TestCorrectRates(t *testing.T) {
	all := newApproxRows(accuracy.CorrectRate(bloomproof.Distinct), accuracy.CorrectRate(bloomproof.Literal))
	drawn := longtest.More[uint64](150, 4000)
	check := func(m, n uint64, k int) {
		if err := checkAll(all, accuracy.Point{M: m, N: n, K: k}); err != nil {
			t.Error(err)
		}
	}
	for i := range drawn {
		p := accuracy.Draw(5, i)
		check(p.M, p.N, p.K)
	}
	for m := uint64(1); m <= 8; m++ {
		for k := 1; k <= 8; k++ {
			for n := range uint64(10) {
				check(m, n, k)
			}
		}
	}
	if longtest.Enabled() {
		check(2000, 3, 200)
		check(1<<30, 1<<20, 300)
		check(300, 1, 300)
		check(300, 2, 300)
	}
	reportApprox(t, all)
}

// spreadItems returns a number of items for m bits and k positions: raw itself, a
// handful, or one that loads the filter with load/32 positions a bit, from nearly
// empty to nearly full. Independent sizes nearly always give 0 or 1.
func spreadItems(m, k, raw, load uint64) uint64 {
	switch load % 4 {
	case 0:
		return raw
	case 1:
		return raw % 8
	}
	n := float64(m) / float64(k) * float64(load) / 32
	return uint64(min(n, 0x1p63))
}
