package exact_test

import (
	"errors"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// The layers keep their rates to the last bit, and together the rate asked for.
func TestGrowingLayers(t *testing.T) {
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic, bloomproof.Partitioned} {
		for _, d := range []exact.Growing{
			{h, 1, big.NewRat(1, 2), 1, big.NewRat(1, 2), 0},
			{h, 100, big.NewRat(1, 100), 2, big.NewRat(1, 2), 0},
			{h, 1000, big.NewRat(1, 1000), 1, big.NewRat(9, 10), 0},
			{h, 1_000_000, big.NewRat(1, 1_000_000_000), 4, big.NewRat(7, 10), 0},
			{h, 1 << 40, big.NewRat(1, 100), 2, big.NewRat(1, 2), 0},
		} {
			layers, err := d.Layers()
			if err != nil {
				t.Fatal(err)
			}
			sum, total := new(big.Rat), uint64(0)
			for _, l := range layers {
				if err := l.Validate(); err != nil {
					t.Fatal(err)
				}
				total += l.M
				sum.Add(sum, power(l.Sigma, l.M, l.K))
			}
			last := layers[len(layers)-1]
			if sum.Cmp(d.Rate) > 0 || total > 1<<48 {
				t.Errorf("%v: a rate of %v, %d bits in all", d, sum, total)
			}
			// One more bit would break the last layer's rate.
			want := new(big.Rat).Sub(big.NewRat(1, 1), d.Tighten)
			want.Mul(want, d.Rate)
			for range layers[1:] {
				want.Mul(want, d.Tighten)
			}
			if power(last.Sigma, last.M, last.K).Cmp(want) > 0 || power(last.Sigma+1, last.M, last.K).Cmp(want) <= 0 {
				t.Errorf("%v: layer %d is %v", d, len(layers), last)
			}
		}
	}
}

// power returns (a/b)^k.
func power(a, b uint64, k int) *big.Rat {
	exp := big.NewInt(int64(k))
	num, den := new(big.Int).SetUint64(a), new(big.Int).SetUint64(b)
	return new(big.Rat).SetFrac(num.Exp(num, exp, nil), den.Exp(den, exp, nil))
}

func TestGrowingErrors(t *testing.T) {
	ok := exact.Growing{Items: 100, Rate: big.NewRat(1, 100), Growth: 2, Tighten: big.NewRat(1, 2)}
	if layers, err := ok.Layers(); err != nil || len(layers) < 30 {
		t.Fatal(len(layers), err)
	}
	for _, row := range []struct {
		param  string
		change func(*exact.Growing)
	}{
		{"hashing", func(d *exact.Growing) { d.Hashing = bloomproof.Double }},
		{"hashing", func(d *exact.Growing) { d.Hashing = 200 }},
		{"block", func(d *exact.Growing) { d.Block = 32 }},
		{"block", func(d *exact.Growing) { d.Block = 96 }},
		{"block", func(d *exact.Growing) { d.Block = 8192 }},
		{"block", func(d *exact.Growing) { d.Hashing, d.Block = bloomproof.Classic, 512 }},
		{"items", func(d *exact.Growing) { d.Items = 0 }},
		{"items", func(d *exact.Growing) { d.Items = 1<<64 - 1 }},
		{"items", func(d *exact.Growing) { d.Items = 1 << 46 }},
		{"rate", func(d *exact.Growing) { d.Rate = nil }},
		{"rate", func(d *exact.Growing) { d.Rate = big.NewRat(1, 1) }},
		{"rate", func(d *exact.Growing) { d.Rate = new(big.Rat) }},
		{"growth", func(d *exact.Growing) { d.Growth = 0 }},
		{"growth", func(d *exact.Growing) { d.Growth = 1<<64 - 1 }},
		{"tighten", func(d *exact.Growing) { d.Tighten = nil }},
		{"tighten", func(d *exact.Growing) { d.Tighten = big.NewRat(1, 1) }},
	} {
		d := ok
		row.change(&d)
		var pe *bloomproof.ParamError
		if _, err := d.Layers(); !errors.As(err, &pe) || pe.Param != row.param {
			t.Errorf("%s: error %v", row.param, err)
		}
	}
	deep := ok
	deep.Rate = new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 5000))
	if _, err := deep.Layers(); err == nil {
		t.Error("5000 positions an item: no error")
	}
}
