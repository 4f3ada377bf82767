package fm

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"
)

// The elementary functions return the same bits on every architecture: the hash of many results
// is a constant, which no run of this test writes.
func TestSameEverywhere(t *testing.T) {
	h := fnv.New64a()
	r := rand.New(rand.NewPCG(22, 2))
	put := func(xs ...float64) {
		for _, x := range xs {
			b := math.Float64bits(x)
			h.Write([]byte{byte(b), byte(b >> 8), byte(b >> 16), byte(b >> 24), byte(b >> 32), byte(b >> 40), byte(b >> 48), byte(b >> 56)})
		}
	}
	for range 20000 {
		x := math.Ldexp(r.Float64()-0.5, r.IntN(64)-52)
		y := math.Ldexp(r.Float64(), r.IntN(80)-70)
		sin, cos := SincosAny(x)
		put(Exp(x), Expm1(x), Log(y), Log1p(y), Log1p(-min(y, 0.999)), sin, cos, Atan2(y, x), Log1mExp(y), Log1pMX(x/0x1p12), Expm1MX(x/0x1p11), XMinusSin(min(y, math.Pi)))
	}
	if got := h.Sum64(); got != 0x70985b6599e09b6 {
		t.Errorf("the results have hash %#x", got)
	}
}
