package occupancy

import (
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestWithinSmall holds Within to the sum over the numbers of urns hit, in rationals.
func TestWithinSmall(t *testing.T) {
	most := longtest.More[uint64](2, 5)
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

// TestWithinNearlyFull checks that Within answers or returns an error for any number of balls per urn: e^709 is no
// float64, and near that number of balls per urn the curvatures are none either.
func TestWithinNearlyFull(t *testing.T) {
	answers, urns := 0, longtest.More[uint64](200, 1000)
	for _, perUrn := range []uint64{255, 256, 400, 700, 704, 709, 710, 1000, 10_000, 1 << 40} {
		x, err := Pair{urns, [2]uint64{urns * perUrn, urns * 6 / 5}}.Within(20)
		if err != nil {
			continue
		}
		answers++
		// Each urn is empty with probability e^-perUrn, or less. By the union bound, the result is above 1 - 1000
		// e^-perUrn.
		if least, _ := x.Lo().Float64(); x.RelBits() < 20 || least < 1-1e-5 || x.Hi().Cmp(big.NewFloat(1+1e-5)) > 0 {
			t.Errorf("%d balls per urn: %v..%v", perUrn, x.Lo(), x.Hi())
		}
	}
	if answers < 2 {
		t.Error("no answer for 255 and 256 balls per urn")
	}
}
