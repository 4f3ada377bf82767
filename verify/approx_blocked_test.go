package verify

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/internal/accuracy"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The rate of a blocked filter, its complement and its logarithm are within their bounds of
// package exact's.
//
// Claims: none of a paper's: it is what package approx states of itself.
func TestApproxBlocked(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 8))
	cases := longtest.More(60, 600)
	worst := 0.0
	for i := range cases {
		g, n, ok := drawBlocks(r, i, 9, 80)
		if !ok {
			continue
		}

		want, _, err := exact.FPR(g, n, 120, exact.Auto)
		if err != nil {
			t.Fatalf("%v n=%d: %v", g, n, err)
		}
		f, err := approx.FPR(g, n)
		miss, errMiss := approx.Complement(g, n)
		ln, errLn := approx.LogFPR(g, n)
		if err != nil || errMiss != nil || errLn != nil {
			t.Fatalf("%v n=%d: %v, %v, %v", g, n, err, errMiss, errLn)
		}
		bound := (accuracy.RateBound(g) + 2) * 0x1p-53
		for _, x := range []struct {
			name             string
			got, want, bound float64
		}{
			{"rate", f, want.Float64(), bound},
			{"logarithm", ln, accuracy.Ln(want.Lo()), 2*bound + 16*0x1p-53},
			{"complement", miss, 1 - want.Float64(), 1.6*bound + 40*0x1p-53 + 0x1p-53*want.Float64()/miss},
		} {
			if x.name == "logarithm" && f > 0.9 || x.name != "logarithm" && x.want < 0x1p-1022 {
				continue // lost by accuracy.Ln, or by the difference
			}
			off := math.Abs(x.got/x.want - 1)
			if worst = max(worst, off/x.bound); !(off <= x.bound) {
				t.Errorf("%v n=%d: %s %v, want %v: off by %.2g, stated are %.2g", g, n, x.name, x.got, x.want, off, x.bound)
			}
		}
	}
	t.Logf("the largest error is %.2g of its bound", worst)
	var p *bloomproof.ParamError
	if _, err := approx.FPR(bloomproof.Geometry{M: 64, K: 3, Block: 7}, 1); !errors.As(err, &p) || p.Param != "block" {
		t.Errorf("blocks that do not divide the bits: %v", err)
	}
}

// The bounds of the rate of a blocked filter are within their bounds of package exact's.
//
// Claims: none of a paper's: it is what package approx states of itself.
func TestApproxBlockedBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 8))
	worst, checked := 0.0, 0
	for i := range longtest.More(20, 1000) {
		g, n, ok := drawBlocks(r, i, 7, 60)
		if !ok {
			continue
		}
		all, err := exact.Bounds(g, n, 90)
		if err != nil {
			t.Fatalf("%v n=%d: %v", g, n, err)
		}
		for kind, want := range all {
			got, err := approx.Bound(kind, g, n)
			ln := accuracy.Ln(want.Lo())
			if ln < -700 {
				continue
			}
			lnK := math.Log(float64(g.K))
			bound := 6.0
			switch kind {
			case bloomproof.BoundLower:
				bound = 64 + 5*lnK + (50+12*lnK)*math.Abs(ln)
			case bloomproof.BoundLowerClassic:
				bound = 12 + (40+12*lnK)*math.Abs(ln) + 12*float64(g.K)
			}
			checked++
			off := math.Abs(got/want.Float64()-1) * 0x1p53
			if worst = max(worst, off/bound); err != nil || !(off <= bound+2) { // 2u of the quotient
				t.Errorf("%v of %v n=%d: %v, %v, want %v: off by %.3g u of %.3g", kind, g, n, got, err, want, off, bound)
			}
		}
	}
	t.Logf("the largest error of %d is %.2g of its bound", checked, worst)
	if checked < 50 {
		t.Error("too few bounds were compared")
	}
}

// drawBlocks draws a filter of the i-th case, with blocks of up to k 2^e bits, and its items, up to
// most a block; ok is false where it would have too many bits.
func drawBlocks(r *rand.Rand, i, e int, most float64) (g bloomproof.Geometry, n uint64, ok bool) {
	k := 1 + r.IntN(16)
	g = bloomproof.Geometry{K: k, Hashing: bloomproof.Hashing(i % 3)}
	g.Block = uint64(k) * (1 + r.Uint64N(1<<(1+r.IntN(e))))
	blocks := 1 + r.Uint64()>>(8+r.IntN(56))
	if blocks > 1<<62/g.Block {
		return g, 0, false
	}
	g.M = blocks * g.Block
	return g, 1 + uint64(most*r.Float64()*r.Float64()*float64(blocks)), true
}
