package verify_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/verify/internal/accuracy"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// inOrder reports what approx says of a point out of order.
func inOrder(t *testing.T, p accuracy.Point) {
	t.Helper()
	g := bloomproof.Geometry{M: p.M, K: p.K}
	bound := func(kind bloomproof.Bound) float64 {
		x, err := approx.Bound(kind, g, p.N)
		if errors.Is(err, bloomproof.ErrUndefined) { // k > m
			return 1
		}
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	rate := func(h bloomproof.Hashing) (f float64, ok bool) {
		g := g
		g.Hashing = h
		if g.Validate() != nil {
			return 0, false
		}
		f, err := approx.FPR(g, p.N)
		if err != nil {
			t.Fatal(err)
		}
		return f, true
	}
	exponential, bloom, upper := bound(bloomproof.BoundExponential), bound(bloomproof.BoundBloom), bound(bloomproof.BoundUpper)
	if f, ok := rate(bloomproof.Standard); ok && !(exponential <= bloom && bloom <= f && f <= upper) {
		t.Errorf("%v: exponential %v, bloom %v, standard %v, upper %v", p, exponential, bloom, f, upper)
	}
	if f, ok := rate(bloomproof.Classic); ok && !(f <= upper) {
		t.Errorf("%v: classic %v, upper %v", p, f, upper)
	}
	if f, ok := rate(bloomproof.Partitioned); ok && !(bloom <= f && f == upper) {
		t.Errorf("%v: bloom %v, partitioned %v, upper %v", p, bloom, f, upper)
	}
}

// Law: exponential <= bloom <= rate <= upper, of each hashing for which it holds, holds of the
// numbers of package approx to the last digit.
//
// Claims: none of a paper's: it is what package approx states of itself.
func TestFloatsAreOrdered(t *testing.T) {
	drawn, most := longtest.More[uint64](3000, 30_000), longtest.More[uint64](8, 24)
	for m := uint64(1); m <= most; m++ {
		for k := 1; k <= 9; k++ {
			for n := range uint64(12) {
				inOrder(t, accuracy.Point{M: m, N: n, K: k})
			}
		}
	}
	for i := range drawn {
		p := accuracy.Draw(17, i)
		p.K = min(p.K, 80)
		inOrder(t, p)
	}
	// Where bounds and rates share nearly all digits: large m, next to empty and to full.
	r := rand.New(rand.NewPCG(16, 3))
	for range drawn {
		m := 1<<63 | r.Uint64()
		inOrder(t, accuracy.Point{M: m >> r.IntN(24), N: r.Uint64() >> r.IntN(64), K: 1 + r.IntN(12)})
	}
}
