package occupancy

import (
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestWindow compares the distribution by integrals with the one by sums over empty bits.
func TestWindow(t *testing.T) {
	for _, o := range []Distribution{{M: 850, N: big.NewInt(950), K: 1}, {M: 1000, N: big.NewInt(1100), K: 1}, {M: 1100, N: big.NewInt(180), K: 7}}[:longtest.More(1, 3)] {
		first, p, err := o.Window(60, nil)
		if err != nil {
			t.Fatal(err)
		}
		sum := interval.New(80)
		for i, x := range p {
			b := first + uint64(i)
			if i%longtest.More(27, 9) != 0 {
				sum.Add(sum, x)
				continue
			}
			if want := o.EmptiesSum(b, true, 0, 70); !x.Overlaps(want) || wide(x, 58) {
				t.Errorf("P[X = %d] of %v is %v, by empty bits %v", b, o, x, want)
			}
			sum.Add(sum, x)
		}
		if rest := sum.Sub(sum, interval.New(64).SetUint64(1)); rest.Hi().Sign() < 0 && rest.Hi().MantExp(nil) > -50 {
			t.Errorf("the distribution of %v misses %v", o, rest)
		}
	}
}
