package precision

import (
	"errors"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// TestRaise gives the loop what needs more runs than one: numbers that cancel, that lose more
// than was said, that never become narrow, and that are below what a big.Float holds.
func TestRaise(t *testing.T) {
	tiny := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 3000))
	cancelling := func(work uint) (*interval.Interval, error) { // 1 + 2^-3000 - 1
		one := interval.New(work).SetUint64(1)
		x := interval.New(work).Add(one, interval.New(work).SetRat(tiny))
		return x.Sub(x, one), nil
	}
	for _, first := range []uint{10, 100, 2999, 3060, 5000} {
		x, err := Raise(50, first, cancelling)
		if err != nil || x.RelBits() < 50 || !x.ContainsRat(tiny) {
			t.Errorf("from %d bits on: %v, %v", first, x, err)
		}
	}
	if _, err := Raise(50, 60, func(work uint) (*interval.Interval, error) {
		return interval.New(work).SetEnds(big.NewFloat(1), big.NewFloat(2)), nil
	}); !errors.Is(err, refuse.ErrPrecision) {
		t.Errorf("[1, 2] at any precision: %v", err)
	}
	none := new(big.Float)
	least := new(big.Float).SetMantExp(big.NewFloat(0.5), big.MinExp+100)
	if _, err := Raise(50, 60, func(work uint) (*interval.Interval, error) {
		return interval.New(work).SetEnds(none, least), nil
	}); !errors.Is(err, refuse.ErrRange) {
		t.Errorf("an underflow: %v", err)
	}
	if _, err := Raise(50, 60, func(uint) (*interval.Interval, error) { return nil, refuse.ErrUndefined }); !errors.Is(err, refuse.ErrUndefined) {
		t.Errorf("an error: %v", err)
	}
}

// TestRound keeps what was asked, and the interval itself where rounding would lose it.
func TestRound(t *testing.T) {
	x := interval.New(500).SetRat(big.NewRat(1, 3))
	if r := Round(x, 60); r.RelBits() < 60 || r.Prec() > 70 || !r.Contains(x) {
		t.Errorf("1/3 in 60 bits: %v with %d, known to %d", r, r.Prec(), r.RelBits())
	}
	lo := new(big.Float).SetPrec(500).SetRat(big.NewRat(1, 3))
	hi := new(big.Float).SetPrec(500).SetMantExp(lo, -61)
	hi.Add(hi, lo) // just wide enough
	x.SetEnds(lo, hi)
	if r := Round(x, 60); x.RelBits() != 60 || r.RelBits() < 60 {
		t.Errorf("an interval of 60 bits is known to %d, rounded to %d", x.RelBits(), r.RelBits())
	}
}

func TestCheck(t *testing.T) {
	for _, prec := range []uint{1, 53, Max} {
		if err := Check(prec); err != nil {
			t.Errorf("%d bits: %v", prec, err)
		}
	}
	for _, prec := range []uint{0, Max + 1} {
		var bad *bloomproof.ParamError
		if err := Check(prec); !errors.As(err, &bad) || bad.Param != "prec" {
			t.Errorf("%d bits: %v", prec, err)
		}
	}
}
