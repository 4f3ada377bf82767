package exact

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestStandardPowers compares the powers from the Poisson series with rationals, for urns and balls with which
// coefficients of either sign, rows of different lengths and few terms occur.
func TestStandardPowers(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	missing, series := 0, 0
	for range 300 {
		m := 16 + r.Uint64N(1<<(4+r.IntN(16)))
		n := new(big.Int).SetUint64(1 + r.Uint64N(200))
		last, scale := 2+r.IntN(12), uint(1+r.IntN(400))
		check := func(j int, q, missed *big.Int) {
			x := ratPow(new(big.Rat).SetFrac64(int64(m)-int64(j), int64(m)), int(n.Int64()))
			ok, above := within(x, scale, q, missed)
			if !ok {
				t.Fatalf("(1-%d/%d)^%v at scale %d: [%v, +%v]", j, m, n, scale, q, missed)
			}
			if above {
				missing++
			}
		}
		standardPowers(m, n, last, scale, check)
		if poissonMay(m, n, last) {
			series++
			poissonPowers(m, n, last, scale, check)
		}
	}
	t.Log(missing, series)
}
