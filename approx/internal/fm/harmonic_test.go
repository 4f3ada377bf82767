package fm

import (
	"math"
	"math/big"
	"testing"
)

// Sums of reciprocals, to two words.
func TestHarmonic(t *testing.T) {
	if h := Harmonic(5, 4); h.Hi != 0 {
		t.Errorf("no term: %v", h)
	}
	for _, x := range [][2]uint64{
		{1, 1}, {1, 2}, {1, 63}, {1, 64}, {1, 200}, {64, 127}, {64, 128}, {63, 127}, {65, 400}, {100, 163}, {500, 563}, {500, 564},
		{1 << 40, 1<<40 + 300}, {1<<64 - 300, 1<<64 - 1}, {1<<64 - 3, 1<<64 - 1},
	} {
		want := new(big.Float).SetPrec(200)
		for j := x[0]; ; j++ {
			n := new(big.Float).SetPrec(200).SetUint64(j)
			want.Add(want, n.Quo(big.NewFloat(1), n))
			if j == x[1] {
				break
			}
		}
		got := Harmonic(x[0], x[1])
		d := new(big.Float).SetPrec(200).SetFloat64(got.Hi)
		d.Add(d, new(big.Float).SetFloat64(got.Lo)).Sub(d, want).Quo(d, want)
		if e, _ := d.Float64(); math.Abs(e) > 0x1p-85 {
			t.Errorf("from %d to %d: off by %.3g", x[0], x[1], e)
		}
	}
}
