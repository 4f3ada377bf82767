package exact

import (
	"errors"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/outcomes"
)

// The mean against the mean of the rates of all outcomes, with blocks.
func TestMeanFPRBruteForce(t *testing.T) {
	const prec, limit = 80, 4_000
	cases := 0
	outcomes.EachShape(5, func(block bloomproof.Geometry) {
		for blocks := uint64(1); blocks <= 3; blocks++ {
			g := blocksOf(blocks, block)
			each := int(blocks) * int(outcomes.Count(block))
			sum := new(big.Rat)
			for n, outcomes := 1, each; n <= 5 && outcomes <= limit; n, outcomes = n+1, outcomes*each {
				sum.Add(sum, enumerateBlocked(g, n-1))
				cases++
				want := new(big.Rat).Quo(sum, big.NewRat(int64(n), 1))
				e, err := MeanFPR(g, uint64(n), prec)
				if err != nil || !e.Contains(want) || e.RelBits() < prec {
					t.Fatalf("%v, n=%d: %v, %v; enumeration gives %v", g, n, e, err, want)
				}
			}
		}
	})
	t.Logf("%d cases", cases)
}

// The geometric sums meet the mean of rates by the mixture, which shares no formula with them, and
// without blocks by the routes that are not difference.
func TestMeanFPRRoutesMeet(t *testing.T) {
	for _, c := range []struct {
		g     bloomproof.Geometry
		n     uint64
		route Route
	}{
		{bloomproof.Geometry{M: 512 * 3, K: 7, Block: 512}, 60, routeMixture},
		{bloomproof.Geometry{M: 256 * 2, K: 8, Block: 256, Hashing: bloomproof.Partitioned}, 40, routeMixture},
		{bloomproof.Geometry{M: 60 * 5, K: 3, Block: 60, Hashing: bloomproof.Classic}, 50, routeMixture},
		{bloomproof.Geometry{M: 64 << 20, K: 4, Block: 64}, 30, routeMixture},
		{bloomproof.Geometry{M: 300, K: 4}, 40, Recursive},
		{bloomproof.Geometry{M: 300, K: 4, Hashing: bloomproof.Classic}, 40, Recursive},
		{bloomproof.Geometry{M: 300, K: 4, Hashing: bloomproof.Partitioned}, 40, ClosedForm},
	} {
		const prec = 70
		sum := interval.New(prec + 20)
		for i := range c.n {
			f, _, err := FPR(c.g, i, prec+10, c.route)
			if err != nil {
				t.Fatal(err)
			}
			sum.Add(sum, f.interval())
		}
		sum.Quo(sum, interval.New(prec+20).SetUint64(c.n))
		e, err := MeanFPR(c.g, c.n, prec)
		if err != nil || !e.Overlaps(around(sum)) || e.RelBits() < prec || around(sum).RelBits() < prec {
			t.Errorf("%v, n=%d: %v, %v; the mean of the rates is %v", c.g, c.n, e, err, around(sum))
		}
	}
}

// At sizes where no sum of rates ends: the mean lies between the rates, and grows with n.
func TestMeanFPRLarge(t *testing.T) {
	for _, g := range []bloomproof.Geometry{
		{M: 1 << 40, K: 8, Block: 512, Hashing: bloomproof.Partitioned},
		{M: 1 << 40, K: 12, Block: 512},
		{M: 1 << 40, K: 7},
	} {
		n := g.M / 20
		mean, err := MeanFPR(g, n, 100)
		if err != nil || mean.RelBits() < 100 {
			t.Fatal(mean, err)
		}
		more, err := MeanFPR(g, n+1, 100)
		if err != nil {
			t.Fatal(err)
		}
		last, _, err := FPR(g, n-1, 100, Auto)
		if err != nil {
			t.Fatal(err)
		}
		// f_i is convex at these loads, from 0 to f_(n-1).
		half := new(big.Float).Quo(last.Lo(), big.NewFloat(2))
		if order, decided := mean.Cmp(more); !decided || order >= 0 || mean.Hi().Cmp(half) > 0 || mean.Lo().Sign() <= 0 {
			t.Errorf("%v: mean %v of %d rates, %v of one more, the last %v", g, mean, n, more, last)
		}
	}
}

func TestMeanFPRRefuses(t *testing.T) {
	g := bloomproof.Geometry{M: 1024, K: 3, Block: 512}
	for param, call := range map[string]func() (Enclosure, error){
		"n":     func() (Enclosure, error) { return MeanFPR(g, 0, 60) },
		"prec":  func() (Enclosure, error) { return MeanFPR(g, 5, 0) },
		"block": func() (Enclosure, error) { return MeanFPR(bloomproof.Geometry{M: 1000, K: 3, Block: 512}, 5, 60) },
	} {
		var bad *bloomproof.ParamError
		if e, err := call(); !errors.As(err, &bad) || bad.Param != param {
			t.Errorf("%v, %v, want a ParamError of %s", e, err, param)
		}
	}
	if e, err := MeanFPR(g, 1, 60); err != nil || e.Hi().Sign() != 0 {
		t.Errorf("of one item: %v, %v", e, err)
	}
	if e, err := MeanFPR(bloomproof.Geometry{M: 1, K: 3}, 4, 60); err != nil || !e.Contains(big.NewRat(3, 4)) {
		t.Errorf("of a filter that one item fills: %v, %v", e, err)
	}
}
