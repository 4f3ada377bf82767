package exact

import (
	"errors"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// TestNewEnclosure makes enclosures of points, of wide and of infinite intervals.
func TestNewEnclosure(t *testing.T) {
	inf := new(big.Float).SetInf(false)
	for _, x := range []struct{ lo, hi *big.Float }{
		{big.NewFloat(0), big.NewFloat(0)}, {new(big.Float), big.NewFloat(0.1)}, {big.NewFloat(-3), big.NewFloat(-3)},
		{big.NewFloat(0.1), new(big.Float).SetPrec(200).Quo(big.NewFloat(1), big.NewFloat(3))},
		{new(big.Float).Neg(inf), inf},
	} {
		e, err := NewEnclosure(x.lo, x.hi)
		if err != nil || e.Lo().Cmp(x.lo) != 0 || e.Hi().Cmp(x.hi) != 0 {
			t.Errorf("[%v, %v] became [%v, %v], %v", x.lo, x.hi, e.Lo(), e.Hi(), err)
		}
	}
	e, err := NewEnclosure(big.NewFloat(2), inf)
	if err != nil || e.Lo().Cmp(big.NewFloat(2)) > 0 || !e.Hi().IsInf() || e.RelBits() > 0 {
		t.Errorf("[2, Inf] became [%v, %v], %v", e.Lo(), e.Hi(), err)
	}
	var bad *bloomproof.ParamError
	if _, err := NewEnclosure(big.NewFloat(1), big.NewFloat(0.5)); !errors.As(err, &bad) || bad.Param != "lo" {
		t.Errorf("ends in the wrong order: %v", err)
	}
	if _, err := NewEnclosure(nil, inf); !errors.As(err, &bad) || bad.Param != "lo" {
		t.Errorf("no lower end: %v", err)
	}
	if _, err := NewEnclosure(inf, nil); !errors.As(err, &bad) || bad.Param != "hi" {
		t.Errorf("no upper end: %v", err)
	}
	if _, err := NewRational(nil, 60); !errors.As(err, &bad) || bad.Param != "x" {
		t.Errorf("no rational: %v", err)
	}
}

// TestNewRational keeps the rational, and keeps it from changes of the argument.
func TestNewRational(t *testing.T) {
	third := big.NewRat(1, 3)
	e, err := NewRational(third, 40)
	third.SetInt64(7)
	if r, ok := e.Rat(); err != nil || !ok || r.Cmp(big.NewRat(1, 3)) != 0 || e.RelBits() < 40 || !e.Contains(big.NewRat(1, 3)) {
		t.Errorf("1/3 to 40 bits is %v, %v, %v", e, ok, err)
	}
	for _, prec := range []uint{0, MaxPrec + 1} {
		var bad *bloomproof.ParamError
		if _, err := NewRational(third, prec); !errors.As(err, &bad) || bad.Param != "prec" {
			t.Errorf("prec = %d: %v", prec, err)
		}
	}
}
