package occupancy

import (
	"math"
	"math/big"
	"testing"
)

// TestNormalQuantile holds guesses to math.Erfc, and beyond its range to the leading term.
func TestNormalQuantile(t *testing.T) {
	for exponent := int64(1); exponent <= 300; exponent++ {
		p := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(exponent), nil))
		want, _ := p.Float64()
		if got := math.Erfc(NormalQuantile(p)/math.Sqrt2) / 2; math.Abs(got/want-1) > 0.01 {
			t.Errorf("10^-%d: the tail is %v", exponent, got)
		}
	}
	p := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(1000), nil))
	z := NormalQuantile(p)
	if digits := (z*z/2 + math.Log(z*math.Sqrt(2*math.Pi))) / math.Ln10; math.Abs(digits-1000) > 0.01 {
		t.Errorf("10^-1000: 10^-%v", digits)
	}
}
