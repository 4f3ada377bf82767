package like

import (
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// All odd words of w bits.
func TestMultipliedIsEnumerated(t *testing.T) {
	useful := 0
	for _, w := range []uint{8, 13}[:longtest.More(1, 2)] {
		for _, c := range []uint64{boostFactor, 5, 1} {
			for m := uint64(8); m <= 56; m += 8 {
				for k := 1; k <= 4; k++ {
					var keys [][]uint64
					for h := uint64(1); h < 1<<w; h += 2 {
						var pos []uint64
						for x, i := h, 0; i < k; i++ {
							p := x * (m / 8) >> w
							x = x * c % (1 << w)
							pos = append(pos, p*8+x>>3&7)
						}
						keys = append(keys, pos)
					}
					law := multiplied(w, c, m)
					checkPairs(t, "multiplied", law, m, k, keys)
					if m > 8 {
						continue // more states than can be counted
					}
					for i, want := range rates(int(m), 4, keys) {
						e, err := law.enclose(bloomproof.Geometry{M: m, K: k}, uint64(i+1))
						if err != nil || !contains(e, want) {
							t.Fatalf("w=%d m=%d k=%d n=%d: %v, %v; enumeration gives %v", w, m, k, i+1, e, err, want.FloatString(9))
						}
						if e.Lo().Sign() > 0 && e.Hi().Cmp(big.NewFloat(1)) < 0 {
							useful++
						}
					}
				}
			}
		}
	}
	t.Logf("%d cases with two bounds", useful)
}
