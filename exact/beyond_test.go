package exact

import (
	"errors"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// TestBeyond asks for numbers above 2^64-1. They are out of range.
func TestBeyond(t *testing.T) {
	half, low, high := big.NewRat(1, 2), big.NewRat(1, 1000), big.NewRat(999, 1000)
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic, bloomproof.Partitioned} {
		wide := func(k int) bloomproof.Geometry { return bloomproof.Geometry{M: 1 << 63, K: k, Hashing: h} }
		for name, of := range map[string]func() (any, error){
			"ItemsInterval": func() (any, error) { return threeOf(ItemsInterval(wide(1), 1<<63-100, half)) },
			"LikelyItems":   func() (any, error) { return twoOf(LikelyItems(wide(1), 1<<63-100)) },
			"SureItems":     func() (any, error) { return twoOf(SureItems(wide(1), high, half, 20)) },
			"SureBits": func() (any, error) {
				return twoOf(SureBits(bloomproof.Geometry{K: 5, Hashing: h}, 1<<63, low, half, 20))
			},
			"MostItems": func() (any, error) { return MostItems(wide(1), high, 20) },
			"LeastBits": func() (any, error) { return LeastBits(bloomproof.Geometry{K: 5, Hashing: h}, 1<<63, low, 20) },
		} {
			if answer, err := of(); !errors.Is(err, bloomproof.ErrRange) {
				t.Errorf("%s with %v hashing: %v, %v", name, h, answer, err)
			}
		}
	}
	if m, err := TextbookM(1<<63, low); !errors.Is(err, bloomproof.ErrRange) {
		t.Errorf("TextbookM: %d, %v", m, err)
	}
	x := interval.New(200) // becomes a p for which m is between 2^64-1 and 2^64, before it is rounded up
	x.Mul(ln2Interval(200), ln2Interval(200))
	two := interval.New(200).SetUint64(2)
	x.Mul(x, two.Sub(interval.New(200).MulPow2(two, -65), two)) // 2^-64 - 2
	x.Exp(x)
	p, _ := x.Lo().Rat(nil)
	if m, err := TextbookM(1<<63, p); !errors.Is(err, bloomproof.ErrRange) {
		t.Errorf("TextbookM: %d, %v", m, err)
	}
	if n, err := TextbookN(1<<63, high); !errors.Is(err, bloomproof.ErrRange) {
		t.Errorf("TextbookN: %d, %v", n, err)
	}
	for _, h := range []bloomproof.Hashing{bloomproof.Double, bloomproof.EnhancedDouble} {
		if o, err := MostItems(bloomproof.Geometry{M: 1 << 63, K: 1, Hashing: h}, high, 20); !errors.Is(err, bloomproof.ErrRange) {
			t.Errorf("MostItems with %v hashing: %v, %v", h, o, err)
		}
		if o, err := LeastBits(bloomproof.Geometry{K: 5, Hashing: h}, 1<<63, low, 20); !errors.Is(err, bloomproof.ErrRange) {
			t.Errorf("LeastBits with %v hashing: %v, %v", h, o, err)
		}
	}
}
