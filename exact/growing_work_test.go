package exact

import (
	"errors"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// What is foreseen of the work is below what it takes, and at least half of it: costly filters are refused
// before work begins, and no other.
func TestGrowingWorkAhead(t *testing.T) {
	for i, row := range []struct {
		hashing bloomproof.Hashing
		first   uint64
		k       int
		layers  int
		n       uint64
	}{
		{bloomproof.Standard, 6400, 3, 1, 3000}, {bloomproof.Classic, 1000, 7, 3, 500}, {bloomproof.Standard, 1000, 7, 4, 1500},
		{bloomproof.Standard, 100, 10, 6, 600}, {bloomproof.Classic, 20000, 5, 2, 4000}, {bloomproof.Standard, 50000, 4, 1, 4000}, {bloomproof.Standard, 12, 1, 5, 200},
	} {
		if !longtest.Enabled() && (i == 2 || i == 4) {
			continue // twelve and twenty-four million operations
		}
		var chain []growingLayer
		m, k := row.first, row.k
		for i := range row.layers {
			l := growingLayer{m: float64(m), k: k, sigma: float64(m / 2), last: i == row.layers-1}
			if row.hashing == bloomproof.Classic {
				l.drawn = 1
			}
			chain = append(chain, l)
			m, k = 2*m, k+1
		}
		ahead := growingWorkAhead(chain, row.n)
		_, taken, err := growingRate(chain, []uint64{row.n}, true)
		t.Logf("%+v: %.3g foreseen, %.3g taken", row, ahead, taken)
		if err != nil || ahead > taken || ahead < taken/2 {
			t.Errorf("%+v: %.3g foreseen, %.3g taken, %v", row, ahead, taken, err)
		}
	}
	var large []growingLayer
	for i := range 7 {
		large = append(large, growingLayer{m: float64(uint64(10000) << i), k: 10 + i, sigma: float64(uint64(5000) << i), last: i == 6})
	}
	if _, work, err := growingRate(large, []uint64{100_000}, true); !errors.Is(err, bloomproof.ErrTooCostly) || work > 0 {
		t.Errorf("%v after %.3g operations", err, work)
	}
}

// TestMostSigma asks for the largest number of set bits at rates that a number of set bits has exactly.
func TestMostSigma(t *testing.T) {
	for _, x := range []struct {
		m    uint64
		k    int
		rate *big.Rat
		want uint64
	}{{64, 2, big.NewRat(1, 4), 32}, {64, 2, big.NewRat(1023, 4096), 31}, {81, 4, big.NewRat(1, 81), 27}, {64, 8, big.NewRat(1, 1<<40), 0}} {
		for _, fill := range []float64{0.1, 0.5, 0.9} { // where the search starts
			if got := mostSigma(bloomproof.Geometry{M: x.m, K: x.k}, x.rate, fill); got != x.want {
				t.Errorf("m=%d k=%d rate %v: %d from %g on, want %d", x.m, x.k, x.rate, got, fill, x.want)
			}
		}
	}
}

// TestLayerOfFewKeys asks for layers of few keys. The number of bits is a multiple of k, so the number of bits that is
// needed does not fall and rise evenly with k. Here k = 23 and k = 26 would need fewer bits, but these k are too far from
// log2(1/rate).
func TestLayerOfFewKeys(t *testing.T) {
	for _, x := range []struct {
		n    uint64
		log2 uint
		want bloomproof.Layer
	}{
		{19, 20, bloomproof.Layer{Geometry: bloomproof.Geometry{M: 600, K: 20}, Sigma: 300}},
		{14, 23, bloomproof.Layer{Geometry: bloomproof.Geometry{M: 525, K: 25}, Sigma: 277}},
	} {
		rate := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), x.log2))
		if l, ok := layerFor(bloomproof.Standard, x.n, rate, maxGrowing); !ok || l != x.want {
			t.Errorf("%d keys, rate 2^-%d: %v, want %v", x.n, x.log2, l, x.want)
		}
	}
}
