package approx

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// The methods for small, large, sparse and nearly full filters return the same bits on every architecture: the hash of
// many results is a constant, which no run of this test writes.
func TestRatesSameEverywhere(t *testing.T) {
	h := fnv.New64a()
	r := rand.New(rand.NewPCG(31, 10))
	put := func(x float64, ok bool) {
		if !ok {
			x = -1
		}
		b := math.Float64bits(x)
		h.Write([]byte{byte(b), byte(b >> 8), byte(b >> 16), byte(b >> 24), byte(b >> 32), byte(b >> 40), byte(b >> 48), byte(b >> 56)})
	}
	scaled := func(f fm.Scaled, ok bool) {
		put(f.Hi, ok)
		put(f.Lo, ok)
	}
	for range 3000 {
		m, n, k := drawClear(r, 5)
		if k < 2 || n < 2 {
			continue
		}
		q := fm.Exp(-missExponent(m, 1, balls(n, k)))
		put(standardSmall(m, fm.WholeProduct(n, uint64(k)), k, q))
		put(standardMissFast(m, fm.WholeProduct(n, uint64(k)), k), true)
		q = fm.Exp(-missExponent(m, k, float64(n)))
		put(classicSmall(m, n, k, q))
		put(classicMissFast(m, n, k), true)
		scaled(classicLarge(m, n, k))
		scaled(standardCentral(m, fm.WholeProduct(n, uint64(k)), k))
		scaled(classicCentral(m, n, k))
		n = 2 + n%40
		scaled(standardSparse(m, n, k))
		scaled(classicSparse(m, n, k))
	}
	if got := h.Sum64(); got != 0x2d3f1e280d304d1c {
		t.Errorf("the results have hash %#x", got)
	}
}
