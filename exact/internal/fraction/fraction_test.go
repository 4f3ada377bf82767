package fraction

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// Numbers lose as many ulps as they say.
func TestErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	d := NewDecay()
	for range longtest.Of(50, 500, 20000) {
		x, y := Number{r.Uint64() >> r.IntN(64), r.Uint64()}, Number{r.Uint64() >> r.IntN(64), r.Uint64()}
		lost := new(big.Int).Mul(x.Int(), y.Int())
		lost.Rsh(lost, Bits)
		if lost.Sub(lost, x.Mul(y).Int()); lost.Sign() < 0 || lost.Int64() > 2 {
			t.Errorf("%v times %v loses %v ulps", x, y, lost)
		}
		s := 1 + r.IntN(20)
		e := interval.New(300).SetScaled(x.Int(), x.Int(), s-Bits)
		e.MulPow2(e.Exp(e.Neg(e)), Bits)
		if e.Sub(e, interval.New(300).SetInt(d.At(x, s).Int())); math.Abs(e.Float64()) > DecayUlps {
			t.Errorf("e^-(2^%d %v) is off by %v ulps", s, x, e.Float64())
		}
	}
}
