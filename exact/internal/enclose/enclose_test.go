package enclose

import (
	"errors"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// TestInterval takes intervals there and back: points, wide ones, and one that is not Valid.
func TestInterval(t *testing.T) {
	third := interval.New(100).SetRat(big.NewRat(1, 3))
	wide := interval.New(60).SetEnds(big.NewFloat(-2), big.NewFloat(0.1))
	for _, x := range []*interval.Interval{interval.New(60), third, wide} {
		e := Interval(x)
		if back := Of(e); e.Lo().Cmp(x.Lo()) != 0 || e.Hi().Cmp(x.Hi()) != 0 || back.Lo().Cmp(x.Lo()) != 0 || back.Hi().Cmp(x.Hi()) != 0 {
			t.Errorf("%v became %v, and %v", x, e, back)
		}
	}
	bad := interval.New(60).Quo(third, interval.New(60))
	if bad.Valid() {
		t.Fatal("1/3 over 0 is Valid")
	}
	e := Interval(bad)
	if !e.Lo().IsInf() || !e.Hi().IsInf() || e.Lo().Sign() > 0 || e.Hi().Sign() < 0 || e.RelBits() > 0 || Of(e).Valid() {
		t.Errorf("what is not Valid became [%v, %v], known to %d bits", e.Lo(), e.Hi(), e.RelBits())
	}
}

// TestRational asks for precisions that exact refuses, too.
func TestRational(t *testing.T) {
	for _, prec := range []uint{0, 1, 60, exact.MaxPrec + 5} {
		e := Rational(big.NewRat(2, 3), prec)
		if r, ok := e.Rat(); !ok || r.Cmp(big.NewRat(2, 3)) != 0 || e.RelBits() < int(min(prec, exact.MaxPrec)) {
			t.Errorf("2/3 to %d bits: %v, known to %d", prec, e, e.RelBits())
		}
	}
	if e := Int(-7, 20); e.Float64() != -7 {
		t.Errorf("-7 became %v", e)
	}
}

// TestProbability cuts what is above 1, of an enclosure that is no rational.
func TestProbability(t *testing.T) {
	over := interval.New(60).SetEnds(big.NewFloat(0.9), big.NewFloat(1.1))
	if e, err := Probability(Interval(over), nil); err != nil || e.Hi().Cmp(big.NewFloat(1)) != 0 || e.Lo().Cmp(big.NewFloat(0.9)) != 0 {
		t.Errorf("[0.9, 1.1] became [%v, %v], %v", e.Lo(), e.Hi(), err)
	}
	if e, err := Probability(Rational(big.NewRat(1, 3), 60), nil); err != nil || !e.Contains(big.NewRat(1, 3)) {
		t.Errorf("1/3 became %v, %v", e, err)
	}
	if _, err := Probability(exact.Enclosure{}, bloomproof.ErrRange); !errors.Is(err, bloomproof.ErrRange) {
		t.Errorf("an error became %v", err)
	}
}

// TestZiv needs a second run, and hands on an error.
func TestZiv(t *testing.T) {
	runs := 0
	e, err := Ziv(100, 20, func(work uint) *interval.Interval {
		runs++
		return interval.New(work).SetRat(big.NewRat(1, 3))
	})
	if err != nil || e.RelBits() < 100 || !e.Contains(big.NewRat(1, 3)) || runs != 2 {
		t.Errorf("1/3 to 100 bits: %v, known to %d, %v, in %d runs", e, e.RelBits(), err, runs)
	}
	if _, err := ZivErr(100, 20, func(uint) (*interval.Interval, error) { return nil, bloomproof.ErrUndefined }); !errors.Is(err, bloomproof.ErrUndefined) {
		t.Errorf("an error became %v", err)
	}
}
