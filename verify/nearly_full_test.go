package verify_test

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/internal/accuracy"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// nearlyFull are filters whose rate differs from 1 by a number near 2^-1022, or below it. A term of the sum for this
// difference is subnormal before it is multiplied by the number of positions.
var nearlyFull = []accuracy.Point{
	{M: 117980365800, K: 60, N: 1399478085181}, {M: 6600, K: 44, N: 106233},
	{M: 1478520197592214758, K: 62, N: 16972788197299314726}, {M: 18392, K: 49, N: 266681},
	{M: 14805838966809607, K: 52, N: 202581031146748832}, {M: 46436238180694435, K: 65, N: 508549190411196736},
	{M: 7013018222678528, K: 65, N: 77832213722655522}, {M: 7013018222678528, K: 65, N: 77832213722655252},
	{M: 42159, K: 14, N: 2180032}, {M: 4764, K: 12, N: 290950}, {M: 628, K: 51, N: 8974},
	{M: 576024677722614, K: 6, N: 69007217365203464}, {M: 87798918335903, K: 62, N: 1053638005353945},
	{M: 109528711256, K: 63, N: 1282047449365}, {M: 21019513808, K: 15, N: 1022017224615},
	{M: 1, K: 1, N: 1}, {M: 2, K: 2, N: 1}, {M: 256, K: 64, N: 2800},
}

// Law: nearly full filters have the same error bounds as others, from 2^-80 down to the smallest float64 and beyond.
//
// Claims: none of a paper's: it is what package approx states of itself.
func TestNearlyFull(t *testing.T) {
	points := nearlyFull
	for _, m := range []uint64{2, 63, 3595, 1 << 20, 1<<63 - 25, 1<<64 - 1} {
		for _, k := range []int{1, 2, 7, 62} {
			belows := []float64{56, 690, 708, 709, 715, 730, 743, 744, 745, 746, 5000} // ln 1/(1-f), about
			if !longtest.Enabled() {
				belows = []float64{56, 709, 745, 5000}
			}
			for _, below := range belows {
				if n := (below + math.Log(float64(k))) * float64(m) / float64(k); n < 0x1p63 {
					points = append(points, accuracy.Point{M: m, N: uint64(n), K: k}, accuracy.Point{M: m - m%uint64(k), N: uint64(n), K: k})
				}
				// The positions of a classic filter differ, so that it has fewer clear bits.
				if n := -(below + math.Log(float64(k))) / math.Log1p(-float64(k)/float64(m)); n < 0x1p63 && uint64(k) < m {
					points = append(points, accuracy.Point{M: m, N: uint64(n), K: k})
				}
			}
		}
	}
	rates := newApproxRows(accuracy.Rate(bloomproof.Standard), accuracy.Rate(bloomproof.Classic), accuracy.Rate(bloomproof.Partitioned))
	correct := newApproxRows(accuracy.CorrectRate(bloomproof.Distinct), accuracy.CorrectRate(bloomproof.Literal))
	for _, p := range points {
		if p.M == 0 {
			continue
		}
		for _, err := range []error{checkAll(rates, p), checkAll(correct, p)} {
			if err != nil {
				t.Error(err)
			}
		}
		for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic, bloomproof.Partitioned} {
			checkSmallEfficiency(t, bloomproof.Geometry{M: p.M, K: p.K, Hashing: h}, p.N)
		}
	}
	reportApprox(t, append(rates, correct...))
}

// checkSmallEfficiency compares approx.Efficiency with exact.Efficiency, also if the efficiency is subnormal.
func checkSmallEfficiency(t *testing.T, g bloomproof.Geometry, n uint64) {
	t.Helper()
	got, err := approx.Efficiency(g, n)
	if g.Validate() != nil {
		return
	}
	want, errWant := exact.Efficiency(g, n, approxPrec)
	if errors.Is(errWant, bloomproof.ErrRange) {
		want, errWant = exact.Enclosure{}, nil
	}
	if err != nil || errWant != nil {
		t.Fatalf("%v n=%d: %v, %v", g, n, err, errWant)
	}
	lo := new(big.Float)
	if x := want.Lo(); x != nil {
		lo = x
	}
	off := new(big.Float).SetPrec(3000).SetFloat64(got)
	if lo.MantExp(nil) > -1200 { // a smaller number counts as 0
		off.Sub(off, lo)
	}
	bound := (2*accuracy.RateBound(g) + 9) * 0x1p-53
	allowed := new(big.Float).SetPrec(3000).Mul(lo, big.NewFloat(bound))
	if lo.Cmp(big.NewFloat(0x1p-1022)) < 0 {
		allowed.Add(allowed, new(big.Float).SetMantExp(big.NewFloat(1), -1075))
	}
	if off.Abs(off).Cmp(allowed) > 0 || math.Signbit(got) {
		t.Errorf("%v n=%d: the efficiency is %v, want %v", g, n, got, want)
	}
}

// Law: a filter of blocks has the error bounds of one block, where the rate of a block is nearly 1.
//
// Claims: none of a paper's: it is what package approx states of itself.
func TestNearlyFullBlocks(t *testing.T) {
	checked := 0
	for _, g := range []bloomproof.Geometry{
		{M: 3595, K: 62, Hashing: bloomproof.Classic, Block: 3595},
		{M: 2 * 512, K: 8, Block: 512}, {M: 4 * 64, K: 3, Hashing: bloomproof.Classic, Block: 64},
		{M: 2 * 64, K: 4, Hashing: bloomproof.Partitioned, Block: 64},
	} {
		for below := 690.0; below < 750; below += longtest.More(11.0, 5) {
			n := uint64((below + math.Log(float64(g.K))) / -math.Log1p(-float64(g.K)/float64(g.M)))
			miss, err := approx.Complement(g, n)
			ln, errLn := approx.LogFPR(g, n)
			want, errWant := exact.Complement(g, n, approxPrec)
			if err != nil || errLn != nil || errWant != nil {
				t.Fatalf("%v n=%d: %v, %v, %v", g, n, err, errLn, errWant)
			}
			bound := 1.6*(accuracy.RateBound(g)+2) + 1
			for _, x := range []struct {
				name       string
				got, bound float64
			}{{"complement", miss, bound}, {"minus the logarithm", -ln, 2*(accuracy.RateBound(g)+2) + 4}} {
				off := new(big.Float).SetPrec(3000).SetFloat64(x.got)
				off.Sub(off, want.Lo())
				allowed := new(big.Float).SetPrec(3000).Mul(want.Lo(), big.NewFloat(x.bound*0x1p-53))
				if want.Lo().Cmp(big.NewFloat(0x1p-1022)) < 0 {
					allowed.Add(allowed, new(big.Float).SetMantExp(big.NewFloat(1), -1075))
				}
				if off.Abs(off).Cmp(allowed) > 0 {
					t.Errorf("%v n=%d: the %s is %v, want %v", g, n, x.name, x.got, want)
				}
				checked++
			}
		}
	}
	if checked == 0 {
		t.Error("nothing was checked")
	}
}
