package integer

import (
	"math"
	"math/big"
	"testing"
)

// TestAgainstBig compares with math/big, at the edges of uint64 too.
func TestAgainstBig(t *testing.T) {
	for _, x := range []uint64{0, 1, 2, 7, 64, 1000} {
		for r := range 12 {
			want := new(big.Int).Binomial(int64(x), int64(r))
			if got := Binomial(x, r); got.Cmp(want) != 0 {
				t.Errorf("C(%d,%d) = %v, want %v", x, r, got, want)
			}
		}
	}
	most := new(big.Int).SetUint64(math.MaxUint64)
	if got := Binomial(math.MaxUint64, 2); got.Cmp(new(big.Int).Rsh(new(big.Int).Mul(most, new(big.Int).Sub(most, One)), 1)) != 0 {
		t.Errorf("C(2^64-1,2) = %v", got)
	}
	if got := Product(math.MaxUint64, 4096); got.Cmp(new(big.Int).Lsh(most, 12)) != 0 {
		t.Errorf("(2^64-1) 4096 = %v", got)
	}
	if got := Power(Uint(3), 40); got.String() != "12157665459056928801" {
		t.Errorf("3^40 = %v", got)
	}
	for k := range 20 {
		row := BinomialRow(k)
		if len(row) != k+1 {
			t.Fatalf("row %d has %d numbers", k, len(row))
		}
		for j, x := range row {
			if x.Cmp(Binomial(uint64(k), j)) != 0 {
				t.Errorf("C(%d,%d) = %v", k, j, x)
			}
		}
	}
	if One.Cmp(big.NewInt(1)) != 0 {
		t.Errorf("One is %v", One)
	}
}
