package occupancy

import (
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestWithinSmall holds Within to the sum over the numbers of urns hit, in rationals.
func TestWithinSmall(t *testing.T) {
	most := longtest.Of[uint64](2, 3, 5)
	for m := uint64(2); m <= most; m++ {
		for n := uint64(1); n <= most; n++ {
			for r := uint64(1); r <= most; r++ {
				want := new(big.Rat)
				for x := uint64(1); x <= min(m, n); x++ {
					p := Distribution{M: m, N: integer.Uint(n), K: 1}.ExactlyRational(x)
					share := new(big.Rat).SetFrac(integer.Power(integer.Uint(x), r), integer.Power(integer.Uint(m), r))
					want.Add(want, p.Mul(p, share))
				}
				got, err := Pair{m, [2]uint64{n, r}}.Within(20)
				if err != nil {
					t.Errorf("%d and %d balls, %d urns: %v", n, r, m, err)
				} else if _, decided := got.CmpRat(want); decided || got.RelBits() < 20 {
					t.Errorf("%d and %d balls, %d urns: %v..%v is not %v", n, r, m, got.Lo(), got.Hi(), want)
				}
			}
		}
	}
}
